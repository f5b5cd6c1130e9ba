"""Deeds signed by the SSH keys of their players: recorded, verified, judged by Git itself, and asked for by the game."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from support.clones import Clone, settings
from support.places import ROOT
from support.signing import (
    bare_and_armour,
    faults,
    forge_says,
    git_says,
    keys_beside,
    resigned,
    rewound,
    sits,
    with_keys_beside,
)

from nomicgit.git.signing import parts
from nomicgit.record import signers
from nomicgit.sealing import ssh
from nomicgit.sealing.ssh import PublicKey


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    """A practice game that Ana may restore; beside it lie a key of each player, and one more."""
    monkeypatch.setenv("NO_COLOR", "1")
    with_keys_beside(tmp_path, "--admin", "ben", "--restore", "ana")
    return Clone(tmp_path / "game")


@pytest.mark.slow
def test_who_may_restore_and_has_no_key_is_told_how_to_name_a_first_one(game: Clone) -> None:
    """What is told is done word for word, with a file of theirs in place of FILE, until it is done."""
    for words in (
        ["--of", "steward", "--add", "../new"],
        ["--of", "ana", "--add", "../ana"],
        ["--deeds", "required"],
    ):
        said = game.play("signers", *words, "--by", "ana", code=1)
        assert "ana" in said
        assert "has no key here" in said
        *_, me, first = (line.split()[1:] for line in said.splitlines() if line.startswith("    nomicgit"))
        assert (me, first) == (["me", "ana", "--key", "FILE"], ["signers", "--add", "FILE"])
    game.play("me", "ana", "--key", "../ana")
    said = game.play("signers", "--add", "../cy.pub", code=1)
    assert "the first key that ana names is the one with which this clone signs" in said
    [line] = [line.split()[1:] for line in said.splitlines() if line.startswith("    nomicgit")]
    game.play(*line)
    assert "a key is named once" in game.play("signers", "--add", "../cy", "--add", "../cy", code=1)
    game.play("signers", "--of", "steward", "--add", "../new", "--by", "ana")
    game.play("signers", "--deeds", "required", "--by", "ana")
    assert not faults(game)


@pytest.mark.slow
def test_who_has_a_key_signs_and_nobody_else_does_it_for_them(game: Clone) -> None:
    sits(game, "ana", "ana")
    assert "ana has 1 key to sign with, by ana" in game.play("signers", "--add", "../ana")
    first = game.head
    resigned(game, "new")
    assert faults(game) == ["it is signed with no key that it names"]
    rewound(game, first)
    assert git_says(game, "HEAD")
    game.play("roll", "DICE6")
    assert git_says(game, "HEAD")
    assert "2 deeds signed by a key of its player, 0 not" in game.play("verify")
    shown = subprocess.run(
        ["ssh-keygen", "-l", "-f", "../ana.pub"], cwd=game.folder, capture_output=True, text=True, check=True
    )
    assert f"ana  {shown.stdout.split()[1]}  ssh-ed25519" in game.play("signers")
    resigned(game, "cy")
    assert not faults(game), "nobody has asked for signatures"

    stands = game.head
    game.play("signers", "--add", "../new")
    for key in ("cy", "new", ""):
        resigned(game, key)
        assert faults(game) == ["it is signed with no key that ana had"]
    rewound(game, stands)
    sits(game, "ana", "cy")
    assert "ana must sign this" in game.play("signers", "--add", "../cy", code=1)
    sits(game, "cy", "cy")
    assert "that key is ana's" in game.play("signers", "--add", "../ana", code=1)
    assert "only they themselves" in game.play("signers", "--of", "ana", "--add", "../new", code=1)
    assert "cy may not restore" in game.play(
        "signers", "--of", "ana", "--add", "../new", "--by", "cy", code=1
    )
    game.play("signers", "--add", "../cy")
    assert not faults(game)
    assert game.head != stands


@pytest.mark.slow
def test_a_forge_that_knows_the_key_shows_signed_deeds_as_verified(game: Clone) -> None:
    own = "1234567+ana@users.noreply.github.com"
    accounts = {own: "ana", "ben@example.org": "ben"}

    def shown(commit: str = "HEAD") -> str:
        return forge_says(game.folder, game.folder.parent, accounts, commit)

    sits(game, "ana", "ana")
    assert "here is no key to sign with" in game.play("signers", "--address", own, code=1)
    game.play("signers", "--add", "../ana")
    game.play("roll", "DICE6")
    assert shown() == "unverified"  # which was so with all deeds before there was an address
    for wrong in (
        "ana",
        "ana@nomicgit.invalid",
        "ana@example.org\n# ben commits as ana@example.org",
        "<a@b.org>",
    ):
        assert "is no address of an account" in game.play("signers", "--address", wrong, code=1)
    said = game.play("signers", "--address", own)
    assert f"ana has 1 key to sign with, and commits as {own}, by ana" in said
    assert shown() == "unverified"
    game.play("roll", "DICE6")
    assert (shown(), git_says(game, "HEAD")) == ("verified: ana", True)
    assert game.git("log", "-1", "--format=%an <%ae>").strip() == "ana <ana@nomicgit.invalid>"
    assert f"ana commits as {own}" in game.play("signers")
    assert json.loads(game.play("signers", "--json"))["addresses"] == {"ana": own}
    assert not faults(game)

    stands, who = game.head, f"committer ana <{own}>".encode()
    for line, key in (
        (b"committer ana <ana@example.org>", "ana"), (b"committer ben <ben@example.org>", "ana"),
        (f"committer ben <{own}>".encode(), "ana"), (who, ""),
    ):  # fmt: skip
        reworded(game, who, line)
        resigned(game, key)
        wrong = next(fault for fault in faults(game) if "its headers say" in fault)
        assert (f"ana <{own}>" in wrong.partition("where its deed makes")[2]) is bool(key), line
        rewound(game, stands)

    sits(game, "ben", "ben")
    game.play("signers", "--add", "../ben")
    assert "that address is ana's" in game.play("signers", "--address", own.upper(), code=1)
    approved = game.play("signers", "--of", "cy", "--add", "../cy", "--address", "cy@example.org", code=1)
    assert "admins name keys" in approved
    sits(game, "ana", "ana")
    assert "ana has 1 key to sign with, and no address, by ana" in game.play("signers", "--address", "")
    game.play("roll", "DICE6")
    assert shown() == "unverified"
    assert not faults(game)


def reworded(game: Clone, line: bytes, other: bytes) -> None:
    """The newest commit with another line among its headers, at the head."""
    git = ["git", "-C", str(game.folder)]
    stored = subprocess.run([*git, "cat-file", "commit", "HEAD"], capture_output=True, check=True).stdout
    assert stored.count(line) == 1
    made = subprocess.run(
        [*git, "hash-object", "-t", "commit", "-w", "--stdin"],
        input=stored.replace(line, other), capture_output=True, check=True,
    )  # fmt: skip
    game.git("reset", "--quiet", "--hard", made.stdout.decode().strip())


def test_who_is_locked_out_by_requiring_signatures_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    with_keys_beside(tmp_path, "--admin", "ana", "--restore", "ana")
    game = Clone(tmp_path / "game")
    sits(game, "ana", "ana")
    game.play("signers", "--add", "../ana")
    said = game.play("signers", "--deeds", "required", "--by", "ana")
    assert "no key is known of ben, cy, who can do nothing until they have one" in said
    assert "ana has one key, and nobody else who may restore the game has any" in said
    assert "2 admins must name a lost key anew, and there is one admin" in said
    for where in (said, game.play("signers")):
        give = next(line.strip() for line in where.splitlines() if "--of ben --add FILE" in line)
        assert "5 admins must" not in where
    game.play(*give.replace("FILE", "../ben").split()[1:])
    assert "no key is known of cy: nomicgit signers" in game.play("status")
    assert "5 admins must name a lost key anew" in game.play("signers", "--approvals", "5", "--by", "ana")
    told = json.loads(game.play("signers", "--json"))
    assert (told["without_key"], len(told["doubtful"])) == (["cy"], 3)
    game.play("me", "ben")
    lost = game.play("roll", "DICE6", code=1)
    assert "where that is lost, ana can name another:" in lost
    game.play("me", "ana")
    lost = game.play("roll", "DICE6", code=1)
    assert "nobody can name another here" in lost
    sits(game, "ana", "ana")
    game.play("signers", "--add", "../new")
    assert "ana has one key" not in game.play("signers")


@pytest.mark.slow
def test_signatures_are_required_in_the_order_of_the_docs(tmp_path: Path) -> None:
    """In a game with keys too, whose keeper must have a key before anybody requires signatures."""
    keys_beside(tmp_path, "ana", "ben", "keeper")
    here = Clone(tmp_path)
    here.play(*"new game --edition crypt --player ana --player ben --admin ben --restore ana".split())
    here.git("clone", "--quiet", "--bare", "game", "attic.git")
    here.git("clone", "--quiet", "attic.git", "clone")
    page = (ROOT / "docs" / "host.md").read_text(encoding="utf-8")
    listing = page.partition("## Requiring signatures")[2].partition("```console\n")[2].partition("```")[0]
    game, rows = Clone(tmp_path / "clone"), listing.replace("~/.ssh/id_ed25519", "../ana").splitlines()
    for row in rows:
        words = row.removeprefix("$ nomicgit ").split()
        said = game.play(*(f"../{word}" if word in ("ben.pub", "keeper.pub") else word for word in words))
    assert len(rows) == 9
    assert "pushed 6 commits" in said
    assert "signed: required" in (game.folder / "game" / "game.yml").read_text(encoding="utf-8")
    assert git_says(game, "HEAD")


@pytest.mark.slow
def test_where_signatures_are_required_no_other_deed_counts(
    game: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    sits(game, "ana", "ana")
    game.play("signers", "--add", "../ana")
    game.play("signers", "--of", "cy", "--add", "../cy", "--by", "ana")
    game.play("signers", "--deeds", "asked", "--by", "ana")
    game.play("roll", "DICE6")
    signed = game.head
    resigned(game, "")
    assert not faults(game)
    rewound(game, signed)
    resigned(game, "cy")
    assert faults(game) == ["it is signed with no key of ana"]
    rewound(game, signed)

    assert "required" in game.play("signers", "--deeds", "required", "--by", "ana")
    assert "signed: required" in (game.folder / "game" / "game.yml").read_text()
    game.play("roll", "DICE6")
    assert not faults(game)
    required = game.head
    for key, what in (("", "ana has not signed it"), ("cy", "it is signed with no key of ana")):
        resigned(game, key)
        assert faults(game) == [what]
    assert git_says(game, "HEAD"), (
        "Git asks whether anybody named has signed, and not whether it was the author"
    )
    rewound(game, required)
    assert "cy must sign this" in game.play("--as", "cy", "roll", "DICE6", code=1)
    assert "sound" in game.play("check")
    sits(game, "cy", "cy")
    assert "ana must sign this" in game.play("mend", "--to", "HEAD~1", "--yes", "--as", "ana", code=1)
    assert game.head == required
    sits(game, "ben", "ben")
    assert "ben has no key here yet" in game.play("roll", "DICE6", code=1)
    assert "ben has no key here yet" in game.play("signers", "--add", "../ben", code=1)
    with monkeypatch.context() as patched:
        patched.setattr(signers, "refuse_unsigned", lambda *_, **__: None)
        game.play("signers", "--add", "../ben")
    assert faults(game) == ["ben had no key, and another names their first one here"]
    rewound(game, required)
    assert "ana must sign this" in game.play(
        "signers", "--of", "ben", "--add", "../ben", "--by", "ana", code=1
    )
    sits(game, "ana", "ana")
    game.play("signers", "--of", "ben", "--add", "../ben", "--by", "ana")
    sits(game, "ben", "ben")
    game.play("roll", "DICE6")
    assert not faults(game)

    game.play("signers", "--of", "cy", "--add", "../new", "--by", "ana", code=1)
    sits(game, "ana", "ana")
    drop = PublicKey.read((game.folder.parent / "cy.pub").read_text()).fingerprint
    assert "cy has 1 key" in game.play(
        "signers", "--of", "cy", "--add", "../new", "--drop", drop, "--by", "ana"
    )
    sits(game, "cy", "new")
    game.play("roll", "DICE6")
    resigned(game, "cy")
    assert faults(game) == ["it is signed with no key of cy"]
    resigned(game, "new")
    assert "verified" in game.play("verify")
    sits(game, "ana", "ana")
    assert "already: required" in game.play("signers", "--deeds", "required", "--by", "ana", code=1)
    assert "ben may not restore" in game.play("signers", "--deeds", "no", "--by", "ben", code=1)
    move = ("rehouse", "--github", "my-nomic/game", "--by", "ana")
    assert "the steward would have to sign, and has no key here" in game.play(*move, code=1)


def test_a_signature_and_what_it_signs_are_told_apart(game: Clone) -> None:
    sits(game, "ana", "ana")
    game.play("signers", "--add", "../ana")
    stored = subprocess.run(
        ["git", "cat-file", "commit", "HEAD"], cwd=game.folder, capture_output=True, check=True
    ).stdout
    assert parts(stored) == bare_and_armour(stored)
    body, armour = parts(stored)
    key = PublicKey.read((game.folder.parent / "ana.pub").read_text())
    assert ssh.signs([key], body, armour, "git")
    assert parts(body) == (body, "")


@pytest.mark.slow
def test_what_is_added_to_a_commit_after_it_was_signed_is_no_part_of_it(game: Clone) -> None:
    sits(game, "ana", "ana")
    game.play("signers", "--add", "../ana")
    line = ["git", "cat-file", "commit", "HEAD"]
    stored = subprocess.run(line, cwd=game.folder, capture_output=True, check=True).stdout
    key = PublicKey.read((game.folder.parent / "ana.pub").read_text())
    head, _, message = stored.partition(b"\n\n")
    first, _, signed = head.partition(b"\ngpgsig ")
    changed = {
        "nothing": stored,
        "a header before the signature": first + b"\nx-by ben\ngpgsig " + signed + b"\n\n" + message,
        "a header after it": head + b"\nx-by ben\n\n" + message,
        "an encoding after it": head + b"\nencoding UTF-7\n\n" + message,
        "a parent after it": head + b"\nparent " + b"0" * 40 + b"\n\n" + message,
        "a second signature": head + b"\ngpgsig " + signed + b"\n\n" + message,
        "one line more in the message": stored + b"Nomic-By: ben\n",
        "another committer": stored.replace(b"committer ana", b"committer ben"),
        "another tree": stored.replace(b"tree ", b"tree 0")[:-1],
    }
    for what, body in changed.items():
        bare, armour = parts(body)
        ours = ssh.signs([key], bare, armour, "git")
        assert ours is (what == "nothing"), what
        twice = what == "a second signature"  # Git leaves both out, and reads the first
        assert git_says(game, game.stored("commit", body)) is (ours or twice), what


@pytest.mark.slow
def test_an_agent_signs_that_has_the_secret_half_alone(game: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = game.folder.parent
    agent = subprocess.Popen(
        ["ssh-agent", "-D", "-a", str(folder / "agent")], stdout=subprocess.PIPE, text=True
    )
    try:
        assert agent.stdout is not None
        assert "SSH_AUTH_SOCK" in agent.stdout.readline()  # it listens
        monkeypatch.setenv("SSH_AUTH_SOCK", str(folder / "agent"))
        subprocess.run(["ssh-add", "-q", str(folder / "ana")], check=True, capture_output=True)
        (folder / "ana").unlink()
        game.play("me", "ana", "--key", "../ana.pub")
        game.play("signers", "--add", "../ana.pub")
        game.play("roll", "DICE6")
        assert (git_says(game, "HEAD"), git_says(game, "HEAD~1"), faults(game)) == (True, True, [])
        subprocess.run(["ssh-add", "-q", "-D"], check=True, capture_output=True)
        assert "your key does not sign" in game.play("roll", "DICE6", code=1)
    finally:
        agent.terminate()
        agent.communicate(timeout=20)


@pytest.mark.slow
def test_what_is_laid_anew_is_signed_anew_and_a_host_takes_nothing_else(game: Clone) -> None:
    sits(game, "ana", "ana")
    game.play("signers", "--add", "../ana")
    game.play("signers", "--of", "ben", "--add", "../ben", "--by", "ana")
    game.play("signers", "--deeds", "required", "--by", "ana")
    here = Clone(game.folder.parent)
    here.git("clone", "--quiet", "--bare", "game", "bare.git")
    here.play("receive", "--install", "bare.git")
    here.git("clone", "--quiet", "bare.git", "bens")
    bens = Clone(here.folder / "bens")
    game.git("remote", "add", "origin", "../bare.git")
    game.git("fetch", "--quiet", "origin")
    game.git("branch", "--quiet", "--set-upstream-to", "origin/main")
    sits(bens, "ben", "ben")
    game.play("roll", "DICE6")
    game.play("sync")
    bens.play("roll", "DICE6")
    assert "again: ben: roll" in bens.play("sync")
    assert not faults(bens)
    assert git_says(bens, "HEAD")
    assert "5 deeds signed by a key of its player, 0 not" in bens.play("verify")
    bens.play("roll", "DICE6")
    resigned(bens, "ana")
    line = ["git", "push", "origin", "HEAD:main"]
    done = subprocess.run(line, cwd=bens.folder, env=settings(), capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "it is signed with no key of ben" in done.stderr


@pytest.mark.slow
def test_a_mend_that_nobody_signed_or_may_do_is_named_and_never_called_one(game: Clone) -> None:
    sits(game, "ana", "ana")
    game.play("signers", "--add", "../ana")
    game.play("signers", "--deeds", "required", "--by", "ana")
    here, good = Clone(game.folder.parent), game.head
    here.git("clone", "--quiet", "--bare", "game", "bare.git")
    game.git("remote", "add", "origin", "../bare.git")
    game.git("fetch", "--quiet", "origin")
    game.git("branch", "--quiet", "--set-upstream-to", "origin/main")
    here.git("clone", "--quiet", "bare.git", "bens")
    bens = Clone(here.folder / "bens")
    game.play("roll", "DICE6")
    game.play("mend", "--to", good, "--as", "ana", "--yes")
    lawful = game.head
    stored = game.git("cat-file", "commit", lawful)
    for why in ("ana has not signed it", "cy may not"):
        resigned(game, "")
        if why == "cy may not":
            rewound(game, by_another(game, stored))
        bad = game.head
        game.git("push", "--quiet", "--force", "origin", "HEAD:main")
        for command in ("sync --accept", "status", "verify", "check"):
            if command[:4] != "sync":
                bens.git("reset", "--quiet", "--hard", bad)
            said = " ".join(bens.play(*command.split(), code=1).split())
            assert f"{bad[:12]}" in said, command
            assert why in said, command
            assert "mended: " not in said, command
            assert "set aside by" not in said, command
        assert json.loads(bens.play("status", "--json", code=1))["mends"] == []
        bens.git("reset", "--quiet", "--hard", good)
        rewound(game, lawful)
    game.git("push", "--quiet", "--force", "origin", "HEAD:main")
    assert f"mended: commit {lawful[:12]} by ana" in bens.play("sync", "--accept")


def by_another(game: Clone, stored: str) -> str:
    """A mend as one would be told who may not do it, and cannot sign it; gives its commit."""
    headers, _, words = stored.partition("\n\n")
    text = f"{headers.partition(chr(10) + 'gpgsig ')[0]}\n\n{words}\n".replace("ana", "cy")
    file = game.folder / ".git" / "forged"
    file.write_text(text, encoding="utf-8")
    return game.git("hash-object", "-w", "-t", "commit", str(file))
