"""A deed outside the law that a sync sets aside comes with the commands that do it again, and these do what it did."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.clones import FEW, Clone, game_in_clones

SIGNERS = "game/signers"


@pytest.fixture
def clones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Clone, Clone]:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", rules=FEW)
    return ana, ben


def key(folder: Path, name: str) -> Path:
    file = folder / name
    line = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(file)]
    subprocess.run(line, check=True)
    return file


def set_aside(clones: tuple[Clone, Clone], *deed: str) -> list[list[str]]:
    """What is told of a deed of Ana's when others were faster: the commands, each as its words."""
    ana, ben = clones
    ana.play(*deed)
    ben.play("post", "Meanwhile")
    ben.play("sync")
    said = ana.play("sync", code=1)
    assert "it is a deed outside the law: do it again yourself" in said
    lines = said[said.index("do it again yourself") :].splitlines()
    return [
        shlex.split(each) for each in lines if each.lstrip().startswith("nomicgit ") and "sync" not in each
    ]


def signs(ana: Clone, ben: Clone, folder: Path) -> None:
    """Ana's clone signs for her from now on, and Ben's knows it."""
    file = str(key(folder, "anas"))
    ana.play("me", "ana", "--key", file)
    ana.play("signers", "--add", file)
    ana.play("sync")
    ben.play("sync")


def done_again(clone: Clone, lines: Sequence[Sequence[str]]) -> None:
    clone.play(*lines[0][1:])
    clone.play("sync")
    assert "set aside" not in clone.play("status")
    assert "verified" in clone.play("verify")


@pytest.mark.slow
def test_a_players_keys(clones: tuple[Clone, Clone], tmp_path: Path) -> None:
    ana, ben = clones
    signs(ana, ben, tmp_path)
    files = [key(tmp_path, name) for name in ("one", "two")]
    adds = [word for file in files for word in ("--add", str(file))]
    lines = set_aside(clones, "signers", "--of", "cy", *adds, "--address", "cy@example.org", "--by", "ana")
    assert "cy@" not in (ana.folder / SIGNERS).read_text("utf-8")
    done_again(ana, lines)
    listed = (ana.folder / SIGNERS).read_text("utf-8")
    for file in files:
        kind, text = file.with_suffix(".pub").read_text("utf-8").split()[:2]
        assert f'cy@nomicgit.invalid namespaces="git" {kind} {text}\n' in listed
    assert "# cy commits as cy@example.org\n" in listed
    assert lines[1:] == []  # cy has no other key
    ben.play("sync")
    words = ("--of", "cy", "--add", str(key(tmp_path, "three")), "--by", "ana")
    fingerprint = subprocess.run(
        ["ssh-keygen", "-lf", str(files[0])], check=True, capture_output=True, text=True
    ).stdout.split()[1]
    lines = set_aside(clones, "signers", *words, "--drop", fingerprint)
    assert lines[1:] == [["nomicgit", "signers", "--of", "cy", "--drop", "FINGERPRINT", "--by", "ana"]]


@pytest.mark.slow
def test_keys_that_are_there_already_are_added_once(clones: tuple[Clone, Clone], tmp_path: Path) -> None:
    ana, ben = clones
    signs(ana, ben, tmp_path)
    file = key(tmp_path, "one")
    ana.play("signers", "--of", "cy", "--add", str(file), "--by", "ana")
    words = " ".join(file.with_suffix(".pub").read_text("utf-8").split()[:2])
    assert "the keys of cy already" in ana.play(
        "signers", "--of", "cy", "--add", words, "--by", "ana", code=1
    )
    assert (ana.folder / SIGNERS).read_text("utf-8").count("cy@nomicgit.invalid") == 1


@pytest.mark.slow
def test_the_account_of_a_player(clones: tuple[Clone, Clone]) -> None:
    ana, _ = clones
    ana.play("rehouse", "--github", "ana/game", "--account", "ana=1", "--by", "ana")
    ana.play("sync")
    clones[1].play("sync")
    for clone in clones:
        clone.follow()
    lines = set_aside(clones, "steward", "--know", "cy=77:Cy-C")
    assert lines == [["nomicgit", "steward", "--know", "cy=77:Cy-C"]]
    done_again(ana, lines)
    assert "(cy's account 1)" in clones[1].play("sync")
    assert "77" in (ana.folder / "game/state/players/cy.yml").read_text("utf-8")


@pytest.fixture
def keepers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Clone, Clone]:
    """Ana, who keeps the secrets of a game, and Ben, who does not."""
    monkeypatch.setenv("NO_COLOR", "1")
    here, ana, ben = Clone(tmp_path), Clone(tmp_path / "ana"), Clone(tmp_path / "ben")
    who = [word for name in ("ana", "ben", "cy") for word in ("--player", name)]
    here.play("new", "ana", "--edition", "werewolf", "--practice", *who, "--admin", "ana", "--restore", "ana")
    here.git("init", "--quiet", "--bare", "--initial-branch", "main", "bare.git")
    ana.git("remote", "add", "origin", "../bare.git")
    ana.git("push", "--quiet", "--set-upstream", "origin", "main")
    here.git("clone", "--quiet", "bare.git", "ben")
    for name, clone in (("ana", ana), ("ben", ben)):
        clone.play("me", name)
    return ana, ben


@pytest.mark.slow
def test_a_term_that_is_set_aside_leaves_the_key_of_the_one_before(keepers: tuple[Clone, Clone]) -> None:
    ana, _ = keepers
    kept = ana.play("keys", "show", "--secret", "--yes")
    lines = set_aside(keepers, "keys", "move", "--keeper", "ana")
    assert lines == [["nomicgit", "keys", "move", "--keeper", "ana"]]
    assert ana.play("keys", "show", "--secret", "--yes") == kept
    done_again(ana, lines)
    lines = set_aside(keepers, "keys", "open", "1")
    assert lines == [["nomicgit", "keys", "open", "1"]]
    done_again(ana, lines)
    assert "opened" in ana.play("keys", "show").splitlines()[0]


@pytest.mark.slow
def test_terms_that_a_mend_sets_aside_leave_the_key_of_the_one_before(keepers: tuple[Clone, Clone]) -> None:
    ana, _ = keepers
    kept, good = ana.play("keys", "show", "--secret", "--yes"), ana.head
    ana.play("keys", "move")
    ana.play("keys", "move")
    ana.play("mend", "--to", good, "--yes")
    assert ana.play("keys", "show", "--secret", "--yes") == kept
    ana.play("keys", "move")
    assert "verified" in ana.play("verify")
    ana.play("keys", "forget", "--yes")
    assert not [*(ana.folder / ".git/nomicgit").glob("key*")]


@pytest.mark.slow
def test_a_new_term_is_told_to_every_other_clone_with_the_way_back(keepers: tuple[Clone, Clone]) -> None:
    ana, ben = keepers
    good = ana.head
    ana.play("keys", "move", "--keeper", "ben")
    ana.play("sync")
    said = ben.play("sync")
    assert "keys: Term 2 begins: ben keeps the secrets" in said
    assert f"(commit {ana.head[:12]} by ana)" in said
    assert f"    nomicgit mend --to {good}" in said
    assert "keys: " not in ben.play("sync")
    status = ben.play("status")
    assert "keys: Term 2 begins: ben keeps the secrets" in status
    assert f"    nomicgit mend --to {good}" in status
    assert [each["commit"] for each in json.loads(ben.play("status", "--json"))["terms"]] == [ana.head]
    assert "keys: Term" not in ana.play("status")  # who has begun it knows
