"""Nobody becomes somebody else by going back behind their keys; and they themselves get back what was forged in their name."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support.clones import Clone, settings
from support.signing import faults, git_says, keys_beside, resigned, rewound, sits, with_keys_beside


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    """A practice game that Ana may restore, and Olga, who does not play; beside it lie a key of each player, and one more."""
    monkeypatch.setenv("NO_COLOR", "1")
    said = with_keys_beside(tmp_path, "--restore", "ana", "--restore", "olga")
    assert "olga may restore this game, and is no player" in said
    assert "ana may restore" not in said
    return Clone(tmp_path / "game")


@pytest.mark.slow
def test_a_takeover_through_the_host_is_refused_and_named(game: Clone) -> None:
    """A mend to the founding that Ana has not signed, then a key in her name, and signatures required."""
    founding, here = game.head, Clone(game.folder.parent)
    sits(game, "ana", "ana")
    game.play("signers", "--add", "../ana")
    game.play("signers", "--of", "cy", "--add", "../cy", "--by", "ana")
    game.play("signers", "--deeds", "required", "--by", "ana")
    here.git("clone", "--quiet", "--bare", "game", "bare.git")
    here.play("receive", "--install", "bare.git")
    before = game.head
    game.play("mend", "--to", founding, "--as", "ana", "--yes")
    lawful = game.head
    sits(game, "ana", "new")
    game.play("signers", "--add", "../new")
    added = game.head
    game.play("signers", "--deeds", "required", "--by", "ana")
    required = game.head
    for key, why in (("", "ana has not signed it"), ("new", "it is signed with no key of ana")):
        rewound(game, lawful)
        resigned(game, key)
        mend = game.head
        assert faults(game) == [why]
        assert why in game.play("status", code=1)
        assert f"{mend[:12]} in the name of ana" in game.play("signers", "--add", "../new", code=1)
        rewound(game, lawful)
        resigned(game, key, added, required)
        assert faults(game) == [
            why,
            "it is signed with no key that ana had",
            "it is signed with no key of ana",
        ], "what was taken over counts for nothing that follows"
        pushed = subprocess.run(
            ["git", "push", "../bare.git", "HEAD:main"],
            cwd=game.folder, env=settings(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert pushed.returncode == 1
        assert f"{mend[:12]} in the name of ana" in pushed.stderr
        assert why in pushed.stderr
        assert Clone(here.folder / "bare.git").git("rev-parse", "main") == before

    rewound(game, before)
    sits(game, "ana", "ana")
    game.play("signers", "--add", "../new")
    dropped = next(line.split()[1] for line in game.play("signers").splitlines() if "SHA256" in line)
    game.play("signers", "--drop", dropped)
    sits(game, "ana", "new")
    game.play("mend", "--to", before, "--as", "ana", "--yes")
    assert not faults(game)
    resigned(game, "ana")
    assert faults(game) == ["it is signed with no key of ana"], "whoever stole it had it when it counted"

    rewound(game, before)
    sits(game, "ana", "ana")
    game.git("remote", "add", "origin", "../bare.git")
    game.git("fetch", "--quiet", "origin")
    game.git("branch", "--quiet", "--set-upstream-to", "origin/main")
    game.play("roll", "DICE6")
    resigned(game, "")
    forged = game.head
    other = Clone(here.folder / "other")
    here.git("clone", "--quiet", "bare.git", "other")
    sits(other, "cy", "cy")
    other.play("roll", "DICE6")
    other.play("sync")
    assert "ana has not signed it" in game.play("sync", code=1)
    assert forged[:12] not in game.git("log", "--format=%h")
    assert game.git("rev-parse", "HEAD") == other.head, "a clone signs nothing that it never recorded"


@pytest.mark.slow
def test_who_has_no_key_yet_takes_back_one_that_was_named_for_them(game: Clone) -> None:
    founding = game.head
    sits(game, "cy", "cy")
    said = game.play("signers", "--of", "ana", "--add", "../cy", "--by", "ana", code=1)
    assert "ana must sign this" in said
    sits(game, "ana", "cy")
    game.play("signers", "--add", "../cy")
    sits(game, "ana")
    game.play("mend", "--to", founding, "--as", "ana", "--yes")
    assert not faults(game)
    sits(game, "ana", "ana")
    game.play("signers", "--add", "../ana")
    game.play("signers", "--of", "cy", "--add", "../cy", "--by", "ana")
    resigned(game, "")
    assert faults(game) == ["it is signed with no key that ana had"]
    rewound(game, "HEAD~1")

    game.play("signers", "--deeds", "required", "--by", "ana")
    game.git("config", "nomicgit.player", "olga")
    game.git("config", "nomicgit.key", "../new")
    assert "another names their first one" in game.play("--as", "olga", "signers", "--add", "../new", code=1)
    sits(game, "ana", "ana")
    assert "olga has 1 key" in game.play("signers", "--of", "olga", "--add", "../new", "--by", "ana")
    good, file = game.head, game.folder / "game" / "signers"
    whose = file.read_text(encoding="ascii").partition(" ssh-")[0]
    other = " ".join((game.folder.parent / "cy.pub").read_text().split()[:2])
    file.write_text(f"{whose} {other}\n", encoding="ascii")
    game.git("commit", "--quiet", "--all", "--message", "other keys by hand")
    game.play("mend", "--to", good, "--as", "ana")
    assert not faults(game), "what somebody writes there by hand counts for nobody"
    resigned(game, "cy")
    assert faults(game)[-1] == "it is signed with no key of ana"


@pytest.mark.slow
def test_keys_that_a_deed_of_another_kind_brings_count_for_nobody(game: Clone) -> None:
    """Cy rolls, and the tree of that deed gives Ana's key to Cy, who then rolls as Ana."""
    for name in ("ana", "cy"):
        sits(game, name, name)
        game.play("signers", "--add", f"../{name}")
    sits(game, "ana", "ana")
    game.play("signers", "--deeds", "required", "--by", "ana")
    before = game.head
    sits(game, "cy", "cy")
    game.play("roll", "DICE6")
    sits(game, "ana", "ana")
    game.play("roll", "DICE6")
    rolls = game.git("log", "--reverse", "--format=%H", f"{before}..").split()
    file = game.folder / "game" / "signers"
    keys = {line.split("@")[0]: line.partition(" ssh-")[2] for line in file.read_text().splitlines()}
    swapped = file.read_text().replace(keys["ana"], keys["cy"])

    parent = before
    for roll in rolls:
        rewound(game, roll)
        file.write_text(swapped, encoding="ascii")
        game.git("add", "game/signers")
        stored = subprocess.check_output(["git", "cat-file", "commit", roll], cwd=game.folder, text=True)
        tree, old = game.git("write-tree").strip(), game.git("rev-parse", f"{roll}^").strip()
        first, _, rest = stored.replace(old, parent, 1).partition("\n")
        assert first.startswith("tree ")
        line = ["git", "hash-object", "-w", "-t", "commit", "--stdin"]
        made = subprocess.check_output(line, cwd=game.folder, input=f"tree {tree}\n{rest}", text=True)
        rewound(game, made.strip())
        resigned(game, "cy")
        parent = game.head
    for command in ("status", "check"):
        assert "it changes game/signers, and no deed of its kind does" in game.play(command, code=1)
    first, second = faults(game)
    assert first == "its tree is not what its deed makes: game/signers"
    assert second == "it is signed with no key of ana"

    rewound(game, before)
    game.git("reset", "--quiet", "--hard", parent)
    game.play("mend", "--to", before, "--as", "ana", "--yes")
    said = game.play("verify")
    assert "lawful deed" not in said
    assert "gained the key" not in said, "Ana has the key that she had"


@pytest.mark.slow
def test_whoever_resolves_signs_what_they_resolve_where_nothing_is_kept_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Trying a new law looks at what is secret, also where no key keeps it."""
    monkeypatch.setenv("NO_COLOR", "1")
    keys_beside(tmp_path, "ana", "ben")
    players = [word for name in ("ana", "ben", "cy", "dee", "eli") for word in ("--player", name)]
    start = ("--practice", "--start", "2021-06-07T00:00:00Z", "--no-keys", "--restore", "ana")
    Clone(tmp_path).play(
        "new", "game", "--edition", "crypt", *start, *players, "--emperor", "ana", "--admin", "ben"
    )
    game = Clone(tmp_path / "game")
    amend = "{amend: {rule: resolution-of-proposals, in: declarations, set: {waiting.proposals: 10h}}}"
    game.play("--as", "cy", "propose", "--at", "+1h", "--title", "Haste", "--change", amend)
    for name in ("dee", "eli", "ben"):
        game.play("--as", name, "vote", "1", "for")
    for name in ("ana", "ben"):
        sits(game, name, name)
        game.play("signers", "--add", f"../{name}")
    sits(game, "ana", "ana")
    game.play("signers", "--deeds", "required", "--by", "ana")
    sits(game, "ben", "ben")
    game.play("resolve", "1", "--at", "+13h")
    assert git_says(game, "HEAD")
    assert not faults(game)
