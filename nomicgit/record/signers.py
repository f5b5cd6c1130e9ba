"""Signers: with which SSH keys players sign their deeds, and whether a deed is signed as its game asks.

``game/signers`` lists the keys in the form in which Git and OpenSSH read whose they are (``allowed_signers``), so that
``git verify-commit`` judges by the same file. What counts for a deed is the file as it stood before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from nomicgit.git import Commit, Repository
from nomicgit.git.signing import KEY, NAMESPACE, PLAYER, parts
from nomicgit.ground.problems import Malformed, Refused, printable
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.record.tree import GAME, GameTree
from nomicgit.sealing import ssh
from nomicgit.sealing.ssh import PublicKey

SIGNERS = f"{GAME}signers"
MOST = 20  # keys of a player
_LINE = re.compile(rf'([^\s@"]+)@nomicgit\.invalid namespaces="{NAMESPACE}" (\S+ \S+)')

Signers = Mapping[str, Sequence[PublicKey]]
"""The keys of each player who has any, by their ids."""


class Asked(StrEnum):
    """Whether deeds are signed in a game."""

    NO = "no"
    """Nobody looks at signatures, but where somebody changes their keys."""
    YES = "asked"
    """A signature that is there must be right."""
    REQUIRED = "required"
    """No deed of a player counts that they have not signed."""


class Standing(NamedTuple):
    """Whether a deed is signed by whom it names (None: there is nobody who could), and what is wrong with that."""

    signed: bool | None
    wrong: str = ""


def refuse_unsigned(repository: Repository, tree: GameTree, deed: Deed) -> None:
    """Refuse a deed upon a tree of the game that its player must sign, and that this clone does not sign with a key of theirs."""
    who, changes = deed.actor, deed.action == Outside.SIGNERS
    if who is None or (tree.settings.signed != Asked.REQUIRED and not changes):
        return
    keys = signers_in(repository, tree.tree).get(who, ())
    if not keys and changes_own(deed):
        keys = [PublicKey.read(line) for line in deed.given["keys"]]
    elif not keys and not changes and tree.entity(f"players/{who}") is None:
        return
    refuse_without(repository, who, keys)


def refuse_without(repository: Repository, who: str, keys: Sequence[PublicKey]) -> None:
    """Refuse a deed that somebody must sign with one of these keys, where this clone does not sign for them with any."""
    name = printable(who)
    if not keys:
        raise Refused.of(
            f"{name} must sign this, and {name} has no key here yet", mend="nomicgit signers --add FILE"
        )
    key = repository.config(KEY) if repository.config(PLAYER) == who else None
    if key is None or public_in(Path(key)) not in keys:
        raise Refused.of(
            f"{name} must sign this, and this clone does not sign with a key of theirs",
            mend=f"say with which one it does: nomicgit me {name} --key FILE",
        )


def changes_own(deed: Deed) -> bool:
    """Whether somebody changes their own keys by a deed: that is always signed."""
    return deed.action == Outside.SIGNERS and not deed.given["by"]


def public_in(path: Path) -> PublicKey:
    """The public key in a file, or beside it where it is a secret one. Malformed where there is none."""
    beside = path.with_name(path.name + ".pub")
    try:
        return PublicKey.read((beside if beside.exists() else path).read_text(errors="replace").strip())
    except Malformed as error:
        raise Malformed.of(error.problems[0].what, file=str(path), mend=error.problems[0].mend) from None


def signers_in(repository: Repository, tree: str) -> Signers:
    """The keys of all players, as a tree of the game has them. Malformed where its file is none."""
    lines = (repository.file(tree, SIGNERS) or b"").decode("ascii", "replace").splitlines()
    keys: dict[str, list[PublicKey]] = {}
    for number, line in enumerate(lines, 1):
        match = _LINE.fullmatch(line)
        if match is None:
            raise Malformed.of("this line names no player and their key", file=SIGNERS, line=number)
        keys.setdefault(match[1], []).append(PublicKey.read(match[2]))
    return keys


def with_keys(signers: Signers, player: str, lines: Sequence[str]) -> bytes:
    """The file in which a player has these keys. Refused for what is no key, one that is there twice, or another's."""
    keys = [PublicKey.read(line) for line in lines]
    others = {key.blob: name for name, some in signers.items() if name != player for key in some}
    if (
        [key.line for key in keys] != list(lines)
        or len({key.blob for key in keys}) != len(keys)
        or len(keys) > MOST
    ):
        raise Refused.of(f"a player has no more than {MOST} keys, each once and without a comment")
    if taken := next((others[key.blob] for key in keys if key.blob in others), None):
        raise Refused.of(
            f"that key is {printable(taken)}'s", mend="make one of your own: ssh-keygen -t ed25519"
        )
    if [key.blob for key in keys] == [key.blob for key in signers.get(player, ())]:
        raise Refused.of(f"these are the keys of {printable(player)} already")
    anew = {**signers, player: keys}
    rows = (
        f'{name}@nomicgit.invalid namespaces="{NAMESPACE}" {key.line}\n'
        for name in sorted(anew)
        for key in anew[name]
    )
    return "".join(rows).encode()


def unsigned(repository: Repository, tree: str, asked: str, deed: Deed, commit: Commit) -> str:
    """What is wrong with how a deed's commit is signed, as a tree of the game before it asks; "" where nothing is."""
    if asked == Asked.NO and deed.action != Outside.SIGNERS:
        return ""

    def plays() -> bool:
        return GameTree(repository, tree).entity(f"players/{deed.actor}") is not None

    stored = repository.read(commit.oid)[1]
    return standing(deed, stored, signers_in(repository, tree), asked, plays=plays).wrong


def standing(
    deed: Deed, stored: bytes, signers: Signers, asked: str, *, plays: Callable[[], bool]
) -> Standing:
    """How a deed's commit is signed, as Git keeps it, by the keys and the settings before it. ``plays``: its actor was there."""
    who = deed.actor
    if who is None:
        return Standing(None)
    own = signers.get(who, ())
    body, signature = parts(stored)
    by_own = bool(own) and ssh.signs(own, body, signature, NAMESPACE)
    name = printable(who, 60)
    if changes_own(deed):
        new = [PublicKey.read(line) for line in deed.given["keys"]]
        proved = by_own if own else ssh.signs(new, body, signature, NAMESPACE)
        whose = f"key that {name} had" if own else "key that it names"
        return Standing(proved, "" if proved else f"it is signed with no {whose}")
    if deed.action == Outside.SIGNERS:
        return Standing(by_own, "" if by_own else f"it is signed with no key that {name} had")
    if not own and not plays():
        return Standing(None)
    if by_own or asked == Asked.NO or (asked == Asked.YES and not (own and signature)):
        return Standing(by_own)
    return Standing(
        False, f"it is signed with no key of {name}" if signature else f"{name} has not signed it"
    )
