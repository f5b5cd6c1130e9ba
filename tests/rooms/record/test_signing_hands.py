"""Who is no player signs too: the keeper, the steward and the clock by keys of their own; and who joins brings a key."""

from __future__ import annotations

import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.clones import Clone
from support.ids import named
from support.signing import bare_and_armour, faults, git_says, keys_beside, resigned, rewound, sits

from nomicgit.clones.others import vetting
from nomicgit.clones.secret import addresses
from nomicgit.git.signing import signature
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed, Proof
from nomicgit.physics.deeds.keyed import Judged
from nomicgit.record import journal
from nomicgit.record.game import Game
from nomicgit.record.outside import settling
from nomicgit.record.secret import ordering, proved, veil
from nomicgit.record.seen import strays
from nomicgit.replay.verifying import verify
from nomicgit.sealing import age, orders
from nomicgit.sealing.orders import Order

START = ("--practice", "--start", "2021-06-07T12:00:00Z")
PLAYERS = [word for name in ("ana", "ben", "cy", "dee", "eli") for word in ("--player", name)]


def ssh_keygen_says(game: Clone, name: str) -> bool:
    """Whether OpenSSH itself takes the newest commit for one that a name's key of the game's file has signed."""
    stored = subprocess.run(
        ["git", "cat-file", "commit", "HEAD"], cwd=game.folder, capture_output=True, check=True
    ).stdout
    body, armour = bare_and_armour(stored)
    signature = game.folder.parent / "signature"
    signature.write_text(armour, encoding="ascii")
    line = ["ssh-keygen", "-Y", "verify", "-f", "game/signers", "-I", f"{name}@nomicgit.invalid", "-n", "git"]
    line += ["-s", str(signature)]
    return subprocess.run(line, cwd=game.folder, input=body, capture_output=True, check=False).returncode == 0


def proof_in_the_record(game: Clone) -> tuple[bytes, str]:
    """What Cy has signed of the newest order, written out by hand, and the signature that stands in its deed."""
    kept = Game.open(game.folder)
    behind = veil.behind(journal.parse(kept.head.message), ordering.sealer_of(kept))
    assert behind is not None
    deed, proof = behind.deed, behind.deed.proof
    assert proof is not None
    assert deed.made == proof.at
    made = datetime.fromtimestamp(proof.at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    said = {"game": kept.terms[0].since, "term": proof.term, "by": proof.by, "action": deed.action}
    said |= {"with": dict(deed.given), "nonce": deed.nonce, "at": made}
    return json.dumps(said, sort_keys=True, separators=(",", ":")).encode(), proof.signature


def taken_unproved(game: Clone, with_proof: Proof | None) -> list[str]:
    """What verify finds where a keeper records an order with another proof, or with none."""
    kept, was = Game.open(game.folder), game.head
    wish = an_order(game)
    deed = Deed(named("9"), "cy", wish.action, wish.with_, kept.last(), nonce="m9", proof=with_proof)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(proved, "refuse_unproved", lambda *_: None)
        vetting.refuse_unsound(kept.repository, kept.head.oid)
        kept.act(deed, decide=ordering.decided)
    found = faults_by_key(game)
    rewound(game, was)
    return found


def faults_by_key(game: Clone) -> list[str]:
    """What verify finds at fault with the game's key."""
    kept = Game.open(game.folder)
    keys = [ordering.sealer_of(kept).key]
    return [each.what for each in verify(kept.repository, game.head, keys=keys).faults]


def an_order(game: Clone) -> Order:
    """What Cy asks for in secret, as anybody could write it."""
    kept = Game.open(game.folder)
    return Order(kept.terms[0].since, kept.terms[-1].number, "cy", "blank", {}, "m1", kept.last())


@pytest.mark.slow
def test_what_the_keeper_and_the_clock_do_is_signed_by_keys_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    keys_beside(tmp_path, "ana", "cy", "keeper", "clock")
    here = Clone(tmp_path)
    here.play(
        "new",
        "game",
        "--edition",
        "assassin",
        *PLAYERS,
        "--emperor",
        "ana",
        "--admin",
        "ben",
        "--restore",
        "ana",
        *START,
    )
    game = Clone(tmp_path / "game")
    here.git("init", "--quiet", "--bare", "--initial-branch", "main", "bare.git")
    game.git("remote", "add", "origin", "../bare.git")
    game.git("push", "--quiet", "--set-upstream", "origin", "main")
    sits(game, "ana", "ana")
    game.play("signers", "--add", "../ana")
    game.play("signers", "--of", "cy", "--add", "../cy", "--by", "ana")
    require = ("signers", "--deeds", "required", "--by", "ana")
    assert "the keeper would have to sign, and has no key here" in game.play(*require, code=1)
    assert "only they themselves" in game.play("signers", "--of", "keeper", "--add", "../keeper", code=1)
    for hand in ("keeper", "clock"):
        game.play("signers", "--of", hand, "--add", f"../{hand}", "--by", "ana")
    game.play(*require)
    game.play("sync")

    here.git("clone", "--quiet", "bare.git", "cys")
    cys = Clone(tmp_path / "cys")
    sits(cys, "cy", "cy")
    cys.play("order", "tell", "to=dee", "text=the owl sleeps", "--push", "--yes")
    head = game.head
    assert "the keeper must sign this" in game.play("keep", code=1)
    assert game.head == head
    game.play("me", "keeper", "--key", "../keeper")
    assert "1 order taken" in game.play("keep")
    assert game.head != head
    assert not faults(game)
    assert not faults_by_key(game)
    text, mark = proof_in_the_record(game)
    (tmp_path / "mark").write_text(mark, encoding="ascii")
    (tmp_path / "allowed").write_text(f"cy {(tmp_path / 'cy.pub').read_text()}", encoding="ascii")
    line = ["ssh-keygen", "-Y", "verify", "-f", "allowed", "-I", "cy", "-n", "nomicgit-order", "-s", "mark"]
    subprocess.run(line, cwd=tmp_path, input=text, check=True, capture_output=True)
    assert "cy has not signed the order that it was" in str(taken_unproved(game, None))
    borrowed = Proof(0, "cy", Game.open(game.folder).last(), mark)
    assert "signed with no key of theirs" in str(taken_unproved(game, borrowed))
    assert git_says(game, "HEAD")
    assert [name for name in ("keeper", "cy", "ana") if ssh_keygen_says(game, name)] == ["keeper"]
    cys.play("sync")
    assert "verified" in cys.play("verify")
    lawful = game.head
    for key, what in (
        ("ana", "it is signed with no key of the keeper"),
        ("", "the keeper has not signed it"),
    ):
        resigned(game, key)
        assert faults(game) == [what]
        rewound(game, lawful)

    for signed in (None, "ana", "cy"):
        wish = an_order(game)
        if signed is not None:
            mark = signature(wish.text, str(tmp_path / signed), orders.NAMESPACE).decode() + "\n"
            wish = replace(wish, signature=mark)
        (tmp_path / "order").write_text(wish.armoured(Game.open(game.folder).terms[-1].public.recipient))
        ended, said = game.tried("keep", "--order", "../order")
        if signed == "cy":
            assert (ended, "1 order taken" in said) == (0, True), said
        else:
            assert (ended, "is not signed by a key of the player" in said) == (1, True), said
    stolen = replace(wish, action="tell", with_={"to": "dee", "text": "the owl wakes"}, nonce="m2")
    (tmp_path / "order").write_text(stolen.armoured(Game.open(game.folder).terms[-1].public.recipient))
    assert "is not signed by a key of the player" in game.play("keep", "--order", "../order", code=1)
    sits(cys, "cy", "ana")
    assert "cy must sign this" in cys.play("order", "--blank", code=1)
    lawful = game.head

    game.play("me", "clock", "--key", "../clock")
    kept = Game.open(game.folder)
    kept.act(Deed(named("1"), None, Outside.CLOCK, at=kept.last() + 43_200))
    assert ssh_keygen_says(game, "clock")
    lawful = game.head
    resigned(game, "keeper")
    assert not faults(game), "who keeps the secrets may let the clock run"
    resigned(game, "cy")
    assert faults(game) == ["it is signed with no key of the clock or the keeper"]
    rewound(game, lawful)
    game.play("me", "cy", "--key", "../cy")
    kept = Game.open(game.folder)
    box = {"recipient": age.recipient(bytes(32))}
    kept.act(Deed(named("2"), "cy", Outside.MAILBOX, box, kept.last()))
    monkeypatch.setattr(addresses, "in_practice", lambda _: False)
    registered = game.head
    for key, judged in (("ana", Judged.SEEN), ("", Judged.SEEN), ("cy", Judged.THEIRS)):
        resigned(game, key)
        kept = Game.open(game.folder)
        strays.note_replayed(
            kept.repository, kept.head.oid
        )  # else it is refused, as unlawful, before whose it is is asked
        assert [each.judged for each in addresses.see(kept, kept.last())] == [judged], key
        rewound(game, registered)
    rewound(game, lawful)
    game.play("me", "ana", "--key", "../ana")
    game.play("post", "Good evening")
    assert ssh_keygen_says(game, "ana")
    assert not faults(game)


@pytest.mark.slow
def test_who_joins_brings_a_key_and_nobody_else_takes_their_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    keys_beside(tmp_path, "ana", "fay", "mal", "eve")
    Clone(tmp_path).play(
        "new",
        "game",
        "--edition",
        "dungeon",
        "--no-keys",
        *PLAYERS,
        "--admin",
        "ana",
        "--restore",
        "ana",
        *START,
    )
    game = Clone(tmp_path / "game")
    sits(game, "ana", "ana")
    game.play("signers", "--add", "../ana")
    game.play("signers", "--deeds", "required", "--by", "ana")

    game.play("me", "fay")
    head = game.head
    assert "nomicgit join --key FILE" in game.play("join", code=1)
    assert "that key is ana's" in game.play("join", "--key", "../ana", code=1)
    game.play("join", "--key", "../fay", "--dry-run")
    assert game.head == head
    game.play("join", "--key", "../fay")
    assert (git_says(game, "HEAD"), ssh_keygen_says(game, "fay"), faults(game)) == (True, True, [])
    joined = game.head
    for key, what in (("mal", "it is signed with no key of fay"), ("", "fay has not signed it")):
        resigned(game, key)
        assert faults(game) == [what]
        rewound(game, joined)
    assert "fay must sign this" in game.play("me", "fay", "--key", "../mal") + game.play(
        "signers", "--add", "../mal", code=1
    )

    sits(game, "ana", "ana")
    game.play("act", "admit", "newcomer=fay")
    sits(game, "fay", "fay")
    game.play("roll", "DICE6")
    assert faults(game) == []
    game.play("me", "mal")
    game.play("join", "--key", "../mal")
    monkeypatch.setattr(settling, "MOST_NEWCOMERS", 1)
    assert "1 others have brought a key" in game.play("join", "--as", "eve", "--key", "../eve", code=1)
    assert faults(game) == []
