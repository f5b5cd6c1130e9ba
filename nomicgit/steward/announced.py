"""The announcements of passes: what each address knows of the game stands in the repository, for a runner forgets.

It stands under a reference of its own, by keys from which nobody learns an address. Who announces says so there first, so
that two passes never tell one thing: only one that dies between telling and noting leaves it to be told again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from nomicgit.git import Raced, Repository
from nomicgit.git.remote import Remote
from nomicgit.ground.problems import Malformed
from nomicgit.ground.remedies import command, remedy
from nomicgit.outlook import announcing
from nomicgit.outlook.announcing import Address, Announced, Noted
from nomicgit.record.game import Game

REF = "refs/nomicgit/announced"
FILE = "announced.json"
LARGEST = 1024 * 1024
CLAIM = 600
"""Seconds for which who announces has that to themselves: one that dies within is waited for so long."""
_NOTHING: Mapping[str, Any] = {"claimed": 0, "known": {}}


def announce(clone: Repository, remote: Remote, now: int, addresses: Sequence[Address]) -> list[Announced]:
    """Tell every address what it does not know yet of the game at the head of a scratch clone, which is pushed; note what
    got there. Nothing where another pass is at it. Refused where it cannot be noted."""
    at = clone.resolve(REF)
    kept = _read(clone, at)
    if not addresses or 0 <= now - kept["claimed"] < CLAIM:
        return []
    noted: Noted = kept["known"]
    owed = list(announcing.owed(Game.open(clone.git_dir), now, None, addresses, noted))
    if any(each.lines for each in owed):
        claim = _write(clone, {"claimed": now, "known": noted}, now)
        try:
            remote.push({REF: claim}, {REF: at})
        except Raced:
            return []
        at = claim
    done = [each.tell() for each in owed]
    knows = {each.key: each.known for each, how in zip(owed, done, strict=True) if not how.why_not}
    left = {each.key: noted[each.key] for each in owed if each.key in noted} | knows
    if {"claimed": 0, "known": left} != _read(clone, at):
        remote.push({REF: _write(clone, {"claimed": 0, "known": left}, now)}, {REF: at})
    return done


def _read(clone: Repository, at: str | None) -> Mapping[str, Any]:
    """What a commit of the reference tells. Malformed where it is none: to begin anew would leave out what is owed."""
    if at is None:
        return _NOTHING
    try:
        entry = clone.entry(clone.commit(at).tree, FILE)
        kept = json.loads(clone.blob(entry[1], limit=LARGEST) if entry else b"")
        known = {
            key: {"commit": str(each["commit"]), "near": [*map(str, each["near"])]}
            for key, each in kept["known"].items()
        }
        return {"claimed": int(kept["claimed"]), "known": known}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        mend = remedy(
            "take it out, and addresses hear of what comes from then on:",
            command("git", "push", "origin", "--delete", REF),
        )
        raise Malformed.of("this does not tell what was announced", file=f"{REF}:{FILE}", mend=mend) from None


def _write(clone: Repository, kept: Mapping[str, Any], now: int) -> str:
    """A commit that tells it, without parents: what was known before is worth nothing."""
    tree = clone.tree_with(None, {FILE: json.dumps(kept, sort_keys=True).encode()})
    who = f"steward <steward@nomicgit.invalid> {now} +0000"
    body = f"tree {tree}\nauthor {who}\ncommitter {who}\n\nWhat was announced where\n"
    return clone.write("commit", body.encode())
