"""Nobody becomes somebody else by going back behind their keys; and they themselves get back what was forged in their name."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support.clones import Clone, settings
from support.signing import faults, resigned, rewound, sits, with_keys_beside


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
    game.play("mend", "--to", founding, "--as", "ana")
    for key, why in (("", "ana has not signed it"), ("new", "it is signed with no key of ana")):
        resigned(game, key)
        mend = game.head
        assert faults(game) == [why]
        assert why in game.play("status", code=1)
        sits(game, "ana", "new")
        game.play("signers", "--add", "../new")
        game.play("signers", "--deeds", "required", "--by", "ana")
        assert faults(game) == [why], "what follows is lawful upon it"
        pushed = subprocess.run(
            ["git", "push", "../bare.git", "HEAD:main"],
            cwd=game.folder, env=settings(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert pushed.returncode == 1
        assert f"{mend[:12]} in the name of ana" in pushed.stderr
        assert why in pushed.stderr
        assert Clone(here.folder / "bare.git").git("rev-parse", "main") == before
        rewound(game, mend)

    rewound(game, before)
    sits(game, "ana", "ana")
    game.play("signers", "--add", "../new")
    dropped = next(line.split()[1] for line in game.play("signers").splitlines() if "SHA256" in line)
    game.play("signers", "--drop", dropped)
    sits(game, "ana", "new")
    game.play("mend", "--to", before, "--as", "ana")
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


def test_who_has_no_key_yet_takes_back_one_that_was_named_for_them(game: Clone) -> None:
    founding = game.head
    sits(game, "cy", "cy")
    said = game.play("signers", "--of", "ana", "--add", "../cy", "--by", "ana", code=1)
    assert "ana must sign this" in said
    sits(game, "ana", "cy")
    game.play("signers", "--add", "../cy")
    sits(game, "ana")
    game.play("mend", "--to", founding, "--as", "ana")
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
