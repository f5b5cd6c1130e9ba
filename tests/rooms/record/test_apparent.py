"""What somebody's deed changes by hand beside what it says: seen at once, or before anybody decides upon it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hostile.forging import Forger
from hostile.small import Small
from support.clones import FEW, Clone, game_in_clones
from support.depth import one_of
from support.rounds_table import Table
from support.signing import faults, resigned, rewound, sits, with_keys_beside

from nomicgit.clones.others import vetting
from nomicgit.git import Repository
from nomicgit.record.seen.strays import strays
from nomicgit.replay import verifying

LATER = "2021-06-09T12:00:00Z"


@pytest.fixture
def small(tmp_path: Path) -> Small:
    made = Small.found(tmp_path / "game")
    made.do("cy", "earn", n=3)
    return made


@pytest.mark.parametrize(
    "path", ["game/game.yml", "game/signers", "game/sealed/keys.yml", "game/sealed/since", "game/notes.txt"]
)
def test_what_a_deed_changes_and_none_of_its_kind_does_is_seen_without_replaying(
    small: Small, path: str
) -> None:
    forger = Forger(small)
    deed, there = forger.commits()[-1], (small.folder / path).exists()
    other = forger.file(path).replace(b"time: given", b"time: live") if there else b"x\n"
    forger.point(forger.forge(deed, tree=forger.tree(deed.tree, {path: other})))
    with Repository.open(small.folder) as repository:
        [stray] = strays(repository, small.head())
    lies = "/".join(path.split("/")[:2])
    assert stray.what == f"it changes {lies}, and no deed of its kind does"
    assert list(small.faults()) == [small.head()]


def another_mailbox(folder: Path) -> None:
    file = folder / "game/state/players/ben.yml"
    file.write_text(file.read_text().replace("recipient: age1", "recipient: age1x"))


def none_any_more(folder: Path) -> None:
    file = folder / "game/state/players/ben.yml"
    file.write_text(re.sub("mailbox:.*\n(  .*\n)*", "", file.read_text()))


def unreadable(folder: Path) -> None:
    (folder / "game/state/players/ben.yml").write_text("{ and so on")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "what"),
    [
        (another_mailbox, "it changes the mailbox of ben"),
        (none_any_more, "it changes the mailbox of ben"),
        (unreadable, "its deed is refused"),
    ],
)
def test_a_mailbox_that_another_deed_changes_is_seen_by_whoever_looks_with_what_mends_it(
    tmp_path: Path, change: Callable[[Path], None], what: str
) -> None:
    table = Table(tmp_path, {"by": ["cy"], "of": 1})
    third = Clone(tmp_path / "third")
    Clone(tmp_path).git("clone", "--quiet", "bare.git", "third")
    third.play("me", "ben")
    third.play("letters", "--register")
    third.play("sync")
    commit = table.forged(change)
    third.git("pull", "--quiet")
    said = third.play("status", code=1)
    for word in (commit[:12], what, f"nomicgit mend --to {third.git('rev-parse', 'HEAD~1')}"):
        assert word in said
    assert ("your mailbox in the game was changed by hand" in said) == (change is not unreadable)
    assert "letters --register" not in said


def forged_votes(folder: Path, rules: Mapping[str, str] | None = FEW) -> tuple[Clone, Clone, str]:
    """Ana's and Ben's clone, with a proposal that Ben's friends are against, and a pushed deed of Ana's that has them be for it."""
    ana, ben = game_in_clones(folder, ("ana", "ben"), "--restore", "ben", rules=rules)
    ana.play("propose", "--title", "Gold", "--change", "{add-rule: {title: Gold, text: Ana has gold.}}")
    for name, icon in (("ana", "for"), ("cy", "against"), ("dee", "against"), ("eli", "against")):
        ana.play("vote", "1", icon, "--as", name)
    ana.play("sync")
    ben.play("sync")
    ana.play("post", "Hi")
    [file] = (ana.folder / "game/posts/2021/06").glob("0001-*.comments.yml")
    file.write_text(file.read_text().replace("against", "for"))
    ana.git("add", "--all")
    stored = ana.git("cat-file", "commit", "HEAD") + "\n"
    rest = stored.partition("\n")[2]
    forged = ana.stored("commit", f"tree {ana.git('write-tree')}\n{rest}".encode())
    ana.git("reset", "--quiet", "--hard", forged)
    ana.git("push", "--quiet", "origin", "main")
    return ana, ben, forged


@pytest.mark.slow
@pytest.mark.parametrize("words", [("resolve", "1"), ("keep", "--resolve", "ben")])
def test_no_matter_is_decided_upon_votes_that_nobody_has_cast(tmp_path: Path, words: Sequence[str]) -> None:
    _, ben, forged = forged_votes(tmp_path, FEW if words[0] == "resolve" else None)
    before = ben.head
    ben.git("pull", "--quiet")
    assert ben.head == forged, "Git itself replays nothing"
    ben.git("remote", "remove", "origin")
    code, said = ben.tried(*words, "--at", LATER)
    assert forged[:12] in said
    assert code == 1
    assert ben.votes(1)[-1] == ("eli", "for")
    said = ben.play("status", code=1)
    assert f"nomicgit mend --to {before}" in said
    ben.play("mend", "--to", before)
    assert "Failed: it is unpopular" in ben.play("resolve", "1", "--at", LATER)
    assert not faults(ben)


@pytest.mark.slow
def test_a_clone_that_is_cut_off_does_nothing_before_it_has_the_rest(tmp_path: Path) -> None:
    ana, _ = game_in_clones(tmp_path, ("ana", "ben"), rules=FEW)
    ana.play("post", "Hi")
    ana.play("sync")
    address = f"file://{tmp_path}/bare.git"
    Clone(tmp_path).git("clone", "--quiet", "--depth", "1", address, "shallow")
    shallow = Clone(tmp_path / "shallow")
    shallow.play("me", "ben")
    for words in (("post", "Mine"), ("post", "Mine", "--dry-run")):
        said = shallow.play(*words, code=1)
        assert "this clone is shallow" in said
        assert "git fetch" in said
    shallow.git("fetch", "--quiet", "--unshallow")
    shallow.play("post", "Mine")


@pytest.mark.slow
def test_what_decides_a_matter_is_not_laid_anew_upon_votes_that_nobody_has_cast(tmp_path: Path) -> None:
    _, ben, forged = forged_votes(tmp_path)
    ben.play("resolve", "1", "--at", LATER)
    said = ben.play("sync", code=1)
    assert forged[:12] in said
    assert "game/posts/2021/06/0001-gold" in said
    assert "enacted" not in (ben.folder / "game/posts/2021/06/0001-gold.md").read_text()


RULE = "---\ntitle: Mine\n---\nAna has won.\n"


def rule_in_a_post(folder: Path) -> tuple[Clone, Clone, str]:
    """The same two, and a pushed deed of Ana's that says it is a post, and lays a rule down."""
    ana, ben = game_in_clones(folder, ("ana", "ben"), "--restore", "ben", rules=FEW)
    ana.play("post", "Hi")
    (ana.folder / "game/ruleset/2-dynastic/90-mine.md").write_text(RULE)
    return ana, ben, forged_onto(ana)


def enacted_without_votes(folder: Path) -> tuple[Clone, Clone, str]:
    """The same, and one that says it resolves a proposal which nobody has voted on, and lays its rule down."""
    ana, ben = game_in_clones(folder, ("ana", "ben"), "--restore", "ben", rules=FEW)
    change = "{add-rule: {title: Mine, text: Ana has won.}}"
    ana.play("propose", "--title", "Mine", "--change", change)
    ana.play("resolve", "1", "--at", LATER, "--as", "ben")
    [file] = (ana.folder / "game/posts/2021/06").glob("0001-*.md")
    file.write_text(file.read_text().replace("status: failed", "status: enacted"))
    (ana.folder / "game/ruleset/2-dynastic/90-mine.md").write_text(RULE)
    return ana, ben, forged_onto(ana)


def forged_onto(clone: Clone) -> str:
    """The newest deed, of which the commit holds what lies in the folder now; pushed."""
    clone.git("add", "--all")
    rest = (clone.git("cat-file", "commit", "HEAD") + "\n").partition("\n")[2]
    forged = clone.stored("commit", f"tree {clone.git('write-tree')}\n{rest}".encode())
    clone.git("reset", "--quiet", "--hard", forged)
    clone.git("push", "--quiet", "origin", "main")
    return forged


FORGERIES = [rule_in_a_post, enacted_without_votes, forged_votes]


@pytest.mark.slow
@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_clone_takes_in_no_law_and_no_vote_that_no_deed_makes(
    tmp_path: Path, forgery: Callable[[Path], tuple[Clone, Clone, str]]
) -> None:
    _, ben, forged = forgery(tmp_path)
    before = ben.head
    ben.play("post", "Mine", "--at", LATER)
    own = ben.head
    for _ in range(2):  # the second time this clone knows it
        said = ben.play("sync", code=1)
        assert forged[:12] in said
        assert "nomicgit mend --to" in said
        assert ben.head == own
    assert not (ben.folder / "game/ruleset/2-dynastic/90-mine.md").exists()
    assert ben.git("rev-parse", "HEAD~1") == before
    assert own not in ben.git("ls-remote", "origin")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("forgery", "fresh"),
    [
        pytest.param(forgery, fresh, marks=one_of(2, number + fresh))
        for number, forgery in enumerate(FORGERIES)
        for fresh in (False, True)
    ],
)
def test_upon_a_law_that_git_has_brought_nothing_is_done_before_it_is_replayed(
    tmp_path: Path, forgery: Callable[[Path], tuple[Clone, Clone, str]], *, fresh: bool
) -> None:
    _, ben, forged = forgery(tmp_path)
    if fresh:
        Clone(tmp_path).git("clone", "--quiet", "bare.git", "third")
        ben = Clone(tmp_path / "third")
        ben.play("me", "ben")
    else:
        ben.git("pull", "--quiet")
    for look in (("status",), ("actions",), ("rules",), ("state", "players"), ("check",)):
        said = ben.play(*look)
        assert forged[:12] not in said
        assert "has not verified " in said
    assert json.loads(ben.play("status", "--json"))["unverified"] is True
    for words in (("post", "Mine", "--dry-run"), ("post", "Mine"), ("act", "roll", "dice=DICE6")):
        said = ben.play(*words, "--at", LATER, code=1)
        assert forged[:12] in said
        assert "nomicgit mend --to" in said
    assert ben.head == forged
    assert "has not verified " in ben.play("status", code=1)
    mend = next(line for line in said.splitlines() if "nomicgit mend --to" in line).split()[-1]
    ben.play("mend", "--to", mend)
    ben.play("post", "Mine", "--at", LATER)
    said = ben.play("status")
    assert "has not verified " not in said
    assert json.loads(ben.play("status", "--json"))["unverified"] is False
    assert not faults(ben)


@pytest.mark.slow
def test_nothing_is_replayed_twice_in_a_clone_nor_what_it_has_done_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), rules=FEW)
    ana.play("post", "Hi")
    ana.play("sync")
    since: list[str | None] = []

    def counted(*given: Any, **more: Any) -> verifying.Verified:
        since.append(more["since"])
        return verifying.verify(*given, **more)

    monkeypatch.setattr(vetting, "verify", counted)
    founding = ben.head
    ben.play("post", "Mine", "--at", LATER)
    assert since == [None], "this clone has never looked at the founding"
    ben.play("post", "More", "--at", LATER)
    ben.play("sync")
    assert since == [None, founding], "of what Ana has pushed beside them"
    ben.play("sync")
    ben.play("post", "Last", "--at", LATER)
    ben.play("sync")
    assert len(since) == 2
    ana.play("sync")
    ana.play("post", "Hello", "--at", LATER)
    assert len(since) == 3


@pytest.mark.slow
def test_signatures_are_judged_by_the_keys_that_count_whatever_stands_in_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand, Cy's key becomes Ana's: what Cy then signs as Ana is told as verify tells it."""
    monkeypatch.setenv("NO_COLOR", "1")
    with_keys_beside(tmp_path, "--restore", "ana")
    game = Clone(tmp_path / "game")
    for name in ("ana", "cy"):
        sits(game, name, name)
        game.play("signers", "--add", f"../{name}")
    sits(game, "ana", "ana")
    game.play("signers", "--deeds", "required", "--by", "ana")
    before = game.head
    game.play("roll", "DICE6")
    file, body = (
        game.folder / "game" / "signers",
        (game.git("cat-file", "commit", "HEAD") + "\n").partition("\n")[2],
    )
    game.git("reset", "--quiet", "--hard", before)
    keys = {line.split("@")[0]: line.partition(" ssh-")[2] for line in file.read_text().splitlines()}
    file.write_text(file.read_text().replace(keys["ana"], keys["cy"]), encoding="ascii")
    game.git("commit", "--quiet", "--all", "--message", "keys by hand")
    body = body.replace(before, game.head)
    rewound(game, game.stored("commit", f"tree {game.git('rev-parse', 'HEAD^{tree}')}\n{body}".encode()))
    resigned(game, "cy")
    with Repository.open(game.folder) as repository:
        seen = [stray.what for stray in strays(repository, game.head)]
    assert seen == ["it changes the game and is no deed", "it is signed with no key of ana"]
    assert set(seen) <= {*faults(game)}


@pytest.mark.slow
@pytest.mark.parametrize("others", [{"ana"}, {"ana", "cy"}])
def test_whose_deed_is_about_their_own_keys_takes_nobody_elses_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, others: set[str]
) -> None:
    """Ben adds a key of his own, and in that commit, signed once more, the lines of others are gone."""
    monkeypatch.setenv("NO_COLOR", "1")
    with_keys_beside(tmp_path, "--restore", "ana")
    game = Clone(tmp_path / "game")
    for name in ("ana", "cy", "ben"):
        sits(game, name, name)
        game.play("signers", "--add", f"../{name}")
    before = game.head
    game.play("signers", "--add", "../new")
    file = game.folder / "game" / "signers"
    with Repository.open(game.folder) as repository:
        assert not strays(repository, game.head)
    left = [line for line in file.read_text().splitlines() if line.partition("@")[0] not in others]
    file.write_text("\n".join(left) + "\n", encoding="ascii")
    game.git("add", "game/signers")
    body = (game.git("cat-file", "commit", "HEAD") + "\n").partition("\n")[2]
    rewound_to = game.stored("commit", f"tree {game.git('write-tree')}\n{body}".encode())
    rewound(game, rewound_to)
    resigned(game, "ben")
    said = game.play("status", code=1)
    assert f"it changes the keys of {min(others)}, and is about another's" in said
    assert f"nomicgit mend --to {before[:12]}" in said
    assert faults(game)
