"""What verify has found is remembered in the clone, and told by all that look there without replaying."""

from __future__ import annotations

from pathlib import Path

import pytest
from hostile.forging import Forger
from hostile.small import Small
from support.clones import FEW, Clone, game_in_clones

from nomicgit.git import Repository
from nomicgit.record.seen.blame import left_so


@pytest.mark.slow
def test_what_verify_has_found_is_remembered_until_it_is_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pushed deed that holds what it does not make: only replay sees that."""
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", rules=FEW)
    good, bad = ben.head, forged_deed(ana)
    ben.git("pull", "--quiet")
    assert bad[:12] not in ben.play("status")
    said = ben.play("verify", code=1)
    assert f"fault  {bad[:12]}: " in said
    assert "(in the name of ana)" in said
    for command in ("status", "check", "sync", "roll DICE6"):
        said = " ".join(ben.play(*command.split(), code=1).split())
        assert f"commit {bad[:12]} in the name of ana" in said, command
        assert f"mend --to {good[:12]}" in said, command
    ben.play("mend", "--to", good[:12], "--as", "ana")
    ben.play("status")
    ben.play("check")
    assert "verified" in ben.play("verify")
    assert not (ben.folder / ".git" / "nomicgit" / "faults").exists()


def forged_deed(ana: Clone) -> str:
    """A pushed deed that holds what it does not make: only replay sees that. Gives its id."""
    ana.play("post", "Hello")
    rule = next((ana.folder / "game" / "ruleset").rglob("*.md"))
    rule.write_text(rule.read_text(encoding="utf-8") + "\nAna wins.\n", encoding="utf-8")
    ana.git("add", "--all")
    tree = ana.git("write-tree")
    was = ana.git("cat-file", "commit", "HEAD")
    bad = forged_commit(ana, was.replace(was.splitlines()[0], f"tree {tree}", 1))
    ana.git("push", "--quiet", "origin", f"{bad}:refs/heads/main")
    return bad


def forged_commit(clone: Clone, text: str) -> str:
    """A commit of this text, stored; gives its id."""
    file = clone.folder / ".git" / "forged"
    file.write_text(text + "\n", encoding="utf-8")
    return clone.git("hash-object", "-t", "commit", "-w", str(file))


@pytest.mark.slow
@pytest.mark.parametrize("looks", [True, False])
def test_what_a_sync_advises_is_what_a_mend_accepts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, looks: bool
) -> None:
    """Where what only replay sees was fetched before, and what is no deed has been pushed upon it."""
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", rules=FEW)
    good, bad = ben.head, forged_deed(ana)
    ben.git("pull", "--quiet")
    ana.git("reset", "--quiet", "--hard", bad)
    (ana.folder / "game" / "state" / "game.yml").write_text("round: 9\n", "utf-8")
    ana.git("add", "--all")
    ana.git("commit", "--quiet", "--message", "By hand")
    ana.git("push", "--quiet")
    if looks:
        said = ben.play("sync", code=1)
        assert bad[:12] in said
        [advised] = {line.split()[-1] for line in said.splitlines() if "nomicgit mend --to" in line}
        assert advised == good
    else:
        ben.git("pull", "--quiet")
    assert "stood before anything went wrong" not in ben.play("mend", "--to", good, "--as", "ana")
    assert "verified" in ben.play("verify")


@pytest.mark.slow
@pytest.mark.parametrize("looks", ["status", "rules", "check", "roll DICE6"])
def test_what_is_advised_before_any_sync_is_what_a_mend_accepts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, looks: str
) -> None:
    """Git alone has brought a deed of which only a replay sees what is wrong, and a commit upon it that is no deed."""
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", rules=FEW)
    good, bad = ben.head, forged_deed(ana)
    ana.git("reset", "--quiet", "--hard", bad)
    (ana.folder / "game" / "state" / "game.yml").write_text("round: 9\n", "utf-8")
    ana.git("commit", "--quiet", "--all", "--message", "By hand")
    ana.git("push", "--quiet")
    ben.git("pull", "--quiet")
    said = ben.play(*looks.split(), code=looks != "rules")
    assert {
        line.split()[line.split().index("--to") + 1] for line in said.splitlines() if "mend --to" in line
    } == {good}
    ben.play("mend", "--to", good, "--as", "ana")
    assert "verified" in ben.play("verify")


MOVED_NOTHING = "the last sync moved nothing: "


@pytest.mark.slow
def test_what_a_fetched_deed_has_wrong_is_told_on_after_a_look_at_the_own_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", rules=FEW)
    bad = forged_deed(ana)
    ben.play("sync", code=1)
    for command in ("status", "verify", "status"):
        said = ben.play(command, code=command == "status")
        assert command == "verify" or (MOVED_NOTHING in said and bad[:12] in said)


@pytest.mark.slow
def test_why_a_sync_moved_nothing_is_forgotten_when_that_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a push that takes it out, by a mend that Git brings, by a mend of one's own."""
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", "--restore", "ben", rules=FEW)
    good = ana.head

    def refused() -> None:
        ana.git("rm", "-q", "game/state/players/ben.yml")
        ana.git("commit", "--quiet", "--message", "By hand")
        ana.git("push", "--quiet")
        ben.play("sync", code=1)
        ben.git("fetch", "--quiet")
        assert MOVED_NOTHING in ben.play("status", code=1)

    def over() -> None:
        assert MOVED_NOTHING not in ben.play("status")
        assert not (ben.folder / ".git" / "nomicgit" / "refused").exists()

    refused()
    ana.git("reset", "--quiet", "--hard", good)
    ana.git("push", "--quiet", "--force")
    ben.git("fetch", "--quiet")
    over()
    refused()
    ana.play("mend", "--to", good)
    ana.git("push", "--quiet")
    ben.git("pull", "--quiet")
    over()
    refused()
    ben.play("mend", "--to", good)
    over()


def test_whoever_posts_later_is_not_blamed_for_a_post_that_somebody_broke_before(tmp_path: Path) -> None:
    """Nor is who made that post, nor whoever did a deed between."""
    small, path = Small.found(tmp_path / "game"), "game/posts/2021/06/0001-one.md"
    made = small.do("cy", "propose", title="One", changes=[]).commit
    forger = Forger(small)
    broken = forger.add("Tidy up", {path: b"---\n- 1\n"}, author="mallory", email="m@example.org")
    small.git("reset", "--quiet", "--hard")
    small.do("dee", "earn", n=1)
    later = small.do("dee", "propose", title="Two", changes=[]).commit
    with Repository.open(small.folder) as repository:
        blamed = [each.what for each in left_so(repository, small.head(), [path])]
        own = [each.what for each in left_so(repository, small.head(), [path.replace("1-one", "2-two")])]
    assert blamed == [f"the commit {broken.oid[:12]} in the name of mallory left {path} so"]
    assert own[0].startswith(f"the commit {later[:12]} in the name of dee")
    assert small.git("log", "--format=%H", "-2", "--", path).split() == [broken.oid, made]
