"""Signed deeds, beside the same deeds that nobody signs; and a host that takes a push of one."""

from __future__ import annotations

import sys
from pathlib import Path

from figures import Figure, median, spent
from kept_games import WORDS
from tables import PLAYERS, START, ran, run

from nomicgit.git import Repository
from nomicgit.git.signing import KEY, PLAYER
from nomicgit.ground import clock
from nomicgit.physics.deed import Deed
from nomicgit.record.game import Game, new_id
from nomicgit.replay.verifying import verify

DEEDS = 10_000
"""Of the game on a host."""
VOTES = 1_000
PROGRAM = (sys.executable, "-m", "nomicgit")


def signatures(scratch: Path, runs: int) -> Figure:
    """What signatures cost who verifies votes: the median of the ratios of pairs, for both meet the same neighbours."""
    plain, signed = founded(scratch / "plain", *PLAYERS), founded(scratch / "signed", *PLAYERS)
    for who in PLAYERS:
        key = str(scratch / who)
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key)
        named = ("--of", who, "--by", "ana") if who != "ana" else ()
        run(*PROGRAM, "-C", str(signed), "me", "ana", "--key", str(scratch / "ana"))
        run(*PROGRAM, "-C", str(signed), "signers", *named, "--add", key)
    run(*PROGRAM, "-C", str(signed), "signers", "--deeds", "required", "--by", "ana")
    for folder in (plain, signed):
        vote(folder, scratch if folder == signed else None)
        run("git", "gc", "-q", cwd=folder)
    pairs = [(spent(lambda: verified(signed)), spent(lambda: verified(plain))) for _ in range(runs)]
    theirs = median([of_plain for _, of_plain in pairs])
    ours = theirs * median([of_signed / of_plain for of_signed, of_plain in pairs])
    note = f"{VOTES:,} votes, processor time"
    return Figure("verify signed deeds / as many unsigned ones", ours, theirs, 1.25, runs=runs, note=note)


def vote(folder: Path, keys: Path | None) -> None:
    """Let ten players propose and vote, each signing with a key of theirs, where there are any."""
    game = Game.open(folder)
    for number in range(VOTES + 10):
        at, who = START + 60 * (number + 1), PLAYERS[number % 10]
        if keys is not None:
            game.repository.set_config(PLAYER, who)
            game.repository.set_config(KEY, str(keys / who))
        if number < 10:
            deed = Deed(
                new_id(at), who, "propose", {"title": f"Night {number}", "body": WORDS, "changes": []}, at
            )
        else:
            given = {"matter": number // 10 % 10 + 1, "icon": "for", "text": f"vote {number}"}
            deed = Deed(new_id(at), who, "vote", given, at)
        game.act(deed)


def push(scratch: Path, runs: int) -> Figure:
    """The processor time of a push of one deed to a host, on both sides."""
    long, clone = founded(scratch / "long", "ana", "ben"), str(scratch / "clone")
    at = go_on(long, DEEDS)
    run("git", "clone", "-q", "--bare", "long", "bare.git", cwd=scratch)
    run(*PROGRAM, "receive", "--install", str(scratch / "bare.git"))
    run("git", "clone", "-q", "bare.git", clone, cwd=scratch)
    times = []
    for number in range(runs):
        later = clock.text(at + 60 * (number + 1))
        run(*PROGRAM, "-C", clone, "roll", "DICE6", "--as", "ana", "--at", later)
        ended, seconds, _ = ran(["git", "-C", clone, "push", "-q", "origin", "HEAD:main"])
        assert ended == 0
        times.append(seconds)
    note = f"{DEEDS:,} deeds there, processor time of both sides"
    return Figure("a push of one deed to a host", median(times), None, 1, runs=runs, note=note)


def founded(folder: Path, *players: str) -> Path:
    """A practice game of these players."""
    who = (*(word for name in players for word in ("--player", name)), "--admin", "ben", "--restore", "ana")
    start = ("--practice", "--start", clock.text(START))
    run(*PROGRAM, "new", str(folder), "--edition", "dungeon", *who, *start)
    return folder


def go_on(folder: Path, deeds: int) -> int:
    """Let Ana do so many deeds, one in ten of them a post; the time of the last (seconds, UTC)."""
    game = Game.open(folder)
    for number in range(deeds):
        at = START + 60 * (number + 1)
        post = {"title": f"Word {number}", "body": WORDS}
        action, given = ("post", post) if number % 10 == 3 else ("roll", {"dice": "DICE6"})
        game.act(Deed(new_id(at), "ana", action, given, at))
    return at


def verified(folder: Path) -> None:
    """Verify a game."""
    with Repository.open(folder) as repository:
        head = repository.head()
        assert head is not None
        found = verify(repository, head)
        assert found.sound, found.faults
