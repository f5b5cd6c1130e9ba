"""Signers: with which SSH keys players sign their deeds, and whether a deed is signed as its game asks.

``game/signers`` lists the keys in the form in which Git and OpenSSH read whose they are (``allowed_signers``), so that
``git verify-commit`` judges by the same file. What counts for a deed is the file as it stood before it. Approvals of keys
stand there too, as comments.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from nomicgit.git import Repository
from nomicgit.git.objects import Entry
from nomicgit.git.signing import HANDS, NAMESPACE, parts
from nomicgit.ground.kept import Kept, late
from nomicgit.ground.missing import INSTALL
from nomicgit.ground.problems import Malformed, Refused, printable, quoted
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.physics.state.store import Store
from nomicgit.record import journal
from nomicgit.record.outside import helping, restoring
from nomicgit.record.seen.headers import signers_of
from nomicgit.record.tree import GAME, GameTree
from nomicgit.sealing import ssh
from nomicgit.sealing.ssh import PublicKey

SIGNERS = f"{GAME}signers"
MOST = 20  # keys of a player
_LINE = late(rf'([^\s@"]+)@nomicgit\.invalid namespaces="{NAMESPACE}" (\S+ \S+)')
ADDRESS = late(r"[A-Za-z0-9][A-Za-z0-9._+\[\]-]{0,63}@[A-Za-z0-9][A-Za-z0-9.-]{0,188}\.[A-Za-z]{2,24}")
"""An address by which a forge knows whose a signed commit is."""
_COMMITS = late(rf"# ([^\s@:]+) commits as ({ADDRESS.pattern})")
_APPROVES = late(r"# ([^\s@:]+) approves for ([^\s@:]+):((?: \S+ [^\s,]+,?)*)")

Signers = Mapping[str, Sequence[PublicKey]]
"""The keys of each player who has any, by their ids."""


class Listed(NamedTuple):
    """What ``game/signers`` holds: the keys, of each player and admin who has approved others for them, these others, and the
    addresses that stand in the commits which players sign, of those who have named one.
    """

    keys: Signers
    approvals: Mapping[tuple[str, str], Sequence[str]] = MappingProxyType({})
    addresses: Mapping[str, str] = MappingProxyType({})

    @property
    def file(self) -> bytes:
        """The bytes of the file."""
        rows = [
            f'{name}@nomicgit.invalid namespaces="{NAMESPACE}" {key.line}\n'
            for name in sorted(self.keys)
            for key in self.keys[name]
        ]
        rows += [f"# {name} commits as {address}\n" for name, address in sorted(self.addresses.items())]
        for (player, admin), lines in sorted(self.approvals.items()):
            rows.append(f"# {admin} approves for {player}:{''.join(f' {line},' for line in lines)[:-1]}\n")
        return "".join(rows).encode()


_LISTED = Kept[Entry | None, Listed](8)


class Asked(StrEnum):
    """Whether deeds are signed in a game."""

    NO = "no"
    """Nobody looks at signatures, but where somebody changes their keys."""
    YES = "asked"
    """A signature that is there must be right."""
    REQUIRED = "required"
    """No deed counts that its player has not signed, or the keeper, the steward or the clock, where one of these records it."""


class Unsigned(Refused):
    """A deed must be signed, and this clone does not sign it."""


class Standing(NamedTuple):
    """Whether a deed is signed by whom it names (None: there is nobody who could), and what is wrong with that."""

    signed: bool | None
    wrong: str = ""


def refuse_unsigned(repository: Repository, tree: GameTree, deed: Deed, *, sealed: bool = False) -> None:
    """Refuse a deed upon a tree of the game that must be signed, and that this clone does not sign with a key that counts."""
    own_change, required = changes_own(deed), tree.settings.signed == Asked.REQUIRED
    if not required and deed.action not in (Outside.SIGNERS, Outside.RESTORERS):
        return
    there = signers_in(repository, tree.tree)
    if not required and deed.action == Outside.RESTORERS and not there.get(str(deed.actor)):
        return
    who = _with_a_key(there, signers_of(deed, sealed=sealed))
    keys, here = keys_of(there, who), plays(repository, tree.tree, deed)
    brings = who[0] not in HANDS and not (required and here)
    if not keys and own_change and brings:
        keys = [PublicKey.read(line) for line in deed.given["keys"]]
        _refuse_other_first(repository, who, keys)
    may = here or who[0] in restoring.named(tree.settings.restore)[0]
    refuse_without(repository, who, keys, bringing(who[0], joins=not may) if brings else "")


def bringing(name: str, *, joins: bool = False) -> str:
    """How somebody brings a first key of their own, who plays, or may restore the game; or who joins with it."""
    if joins:
        return remedy("bring one:", command("nomicgit", "join", "--key", "FILE"))
    return remedy(
        f"{printable(name, 60)} brings a first one, and signs with it:",
        command("nomicgit", "me", printable(name), "--key", "FILE"),
        command("nomicgit", "signers", "--add", "FILE"),
    )


def _refuse_other_first(repository: Repository, who: Sequence[str], keys: Sequence[PublicKey]) -> None:
    """Refuse a first key that is another than the one with which this clone signs."""
    file = repository.key_of(who)
    if file is not None and keys and public_in(file) not in keys:
        raise Refused.of(
            f"the first key that {in_words(who)} names is the one with which this clone signs",
            mend=remedy("name that first:", command("nomicgit", "signers", "--add", file)),
        )


def refuse_hand(repository: Repository, tree: GameTree, hand: str) -> None:
    """Refuse to begin what the keeper or the steward does for others, where it must be signed and this clone does not."""
    if tree.settings.signed == Asked.REQUIRED:
        refuse_without(repository, (hand,), signers_in(repository, tree.tree).get(hand, ()))


def refuse_without(
    repository: Repository, who: Sequence[str], keys: Sequence[PublicKey], bring: str = ""
) -> None:
    """Refuse a deed that one of these must sign with one of these keys, where this clone does not sign for them with any.

    ``bring``: how they come to a key, where nobody else names it.
    """
    name = in_words(who)
    if not keys:
        first = command("nomicgit", "signers", "--of", printable(who[0]), "--add", "FILE", "--by", "NAME")
        raise Unsigned.of(
            f"{name} must sign this, and {name} has no key here yet",
            mend=bring or remedy("those who may restore the game name it:", first),
        )
    key = repository.key_of(who)
    if key is None or public_in(key) not in keys:
        raise Unsigned.of(
            f"{in_words(who)} must sign this, and this clone does not sign with a key of theirs",
            mend=remedy(
                "say with which one it does:",
                command("nomicgit", "me", printable(who[0]), "--key", "FILE"),
                *_when_lost(repository, who[0]),
            ),
        )


def _when_lost(repository: Repository, name: str) -> Iterator[str]:
    """Who can help where somebody has lost their key, by the game as it stands at the head."""
    head = repository.head()
    if head is not None:
        tree = GameTree(repository, repository.commit(head).tree)
        signs = [each for each, some in signers_in(repository, tree.tree).items() if some]
        yield helping.who_helps(tree.settings, Store(tree), signs, name)


def in_words(who: Sequence[str]) -> str:
    """Who may sign a deed, as one says it."""
    return " or ".join(f"the {name}" if name in HANDS else printable(name, 60) for name in who)


def keys_of(signers: Signers, who: Sequence[str]) -> list[PublicKey]:
    """The keys with which any of these signs."""
    return [key for name in who for key in signers.get(name, ())]


def _with_a_key(signers: Signers, who: tuple[str, ...]) -> tuple[str, ...]:
    """Of those who may sign, players and who else has a key; all of them where that is nobody."""
    return tuple(name for name in who if name in signers or name not in HANDS) or who


def plays(repository: Repository, tree: str, deed: Deed) -> bool:
    """Whether who does a deed is a player in a tree of the game."""
    return deed.actor is not None and GameTree(repository, tree).entity(f"players/{deed.actor}") is not None


def changes_own(deed: Deed) -> bool:
    """Whether somebody changes their own keys by a deed: that is always signed."""
    return deed.action == Outside.SIGNERS and not deed.given["by"] and deed.actor == deed.given["player"]


def approves(deed: Deed) -> bool:
    """Whether somebody approves another's keys by a deed."""
    return deed.action == Outside.SIGNERS and not deed.given["by"] and deed.actor != deed.given["player"]


def public_in(path: str) -> PublicKey:
    """The public key in a file, or beside it where it is a secret one. Malformed where there is none."""
    beside = path + ".pub"
    with open(beside if os.path.exists(beside) else path, errors="replace", encoding="utf-8") as file:
        text = file.read()
    try:
        return PublicKey.read(text.strip())
    except Malformed as error:
        raise Malformed.of(error.problems[0].what, file=path, mend=error.problems[0].mend) from None


def signers_in(repository: Repository, tree: str) -> Signers:
    """The keys of all players, as a tree of the game has them. Malformed where its file is none."""
    return listed_in(repository, tree).keys


def listed_in(repository: Repository, tree: str) -> Listed:
    """The keys and the approvals, as a tree of the game has them. Malformed where its file is none."""
    entry = repository.entry(tree, SIGNERS)
    return _LISTED.get(entry, lambda: _listed(repository.file(tree, SIGNERS) or b""))


def _listed(file: bytes) -> Listed:
    keys: dict[str, list[PublicKey]] = {}
    approvals: dict[tuple[str, str], list[str]] = {}
    addresses: dict[str, str] = {}
    for number, line in enumerate(file.decode("ascii", "replace").splitlines(), 1):
        if match := _LINE.fullmatch(line):
            keys.setdefault(match[1], []).append(PublicKey.read(match[2]))
        elif match := _COMMITS.fullmatch(line):
            addresses[match[1]] = match[2]
        elif match := _APPROVES.fullmatch(line):
            approvals[match[2], match[1]] = match[3].strip().split(", ") if match[3] else []
        else:
            raise Malformed.of("this line names no player and their key", file=SIGNERS, line=number)
    return Listed(keys, approvals, addresses)


def committer(repository: Repository, tree: str, name: str) -> tuple[str, str] | None:
    """Whom the commits upon a tree of the game name that somebody signs, by name and address; None where they have none."""
    address = listed_in(repository, tree).addresses.get(name)
    return None if address is None else (name, address)


def committers(repository: Repository, tree: str, deed: Deed, *, sealed: bool) -> Sequence[str]:
    """Whom a signed deed's commit upon a tree of the game may name as its committer, instead of whose it is."""
    if repository.entry(tree, SIGNERS) is None:
        return ()
    with suppress(Malformed):  # which is another commit's fault
        there = (committer(repository, tree, name) for name in signers_of(deed, sealed=sealed))
        return [f"{each[0]} <{each[1]}>" for each in there if each is not None]
    return ()


def with_keys(listed: Listed, player: str, lines: Sequence[str], address: str | None = None) -> Listed:
    """What is listed where a player has these keys, and this address ("": none, None: as before); approvals for them and by them
    are over. Refused for what is no key or no address, one that is there twice, or another's.
    """
    signers = listed.keys
    keys = [PublicKey.read(line) for line in lines]
    others = {
        key.blob: name
        for name, some in signers.items()
        for key in some
        if name != player and not (name in HANDS and player in HANDS)
    }
    if (
        [key.line for key in keys] != list(lines)
        or len({key.blob for key in keys}) != len(keys)
        or len(keys) > MOST
    ):
        many = f"a player has no more than {MOST} keys"
        raise Refused.of(many if len(keys) > MOST else "a key is named once, and without a comment")
    if taken := next((others[key.blob] for key in keys if key.blob in others), None):
        raise Refused.of(
            f"that key is {printable(taken)}'s", mend="make one of your own: ssh-keygen -t ed25519"
        )
    addresses = _with_address(listed.addresses, player, address, has_keys=bool(keys))
    same = [key.blob for key in keys] == [key.blob for key in signers.get(player, ())]
    if same and addresses == listed.addresses:
        raise Refused.of(f"these are the keys of {printable(player)} already")
    left = {both: some for both, some in listed.approvals.items() if player not in both}
    return Listed({**signers, player: keys}, left, addresses)


def _with_address(
    addresses: Mapping[str, str], player: str, address: str | None, *, has_keys: bool
) -> Mapping[str, str]:
    """The addresses where a player has this one."""
    own = addresses.get(player, "") if address is None else address
    others = {name: each for name, each in addresses.items() if name != player}
    if address:
        if not ADDRESS.fullmatch(address) or address.lower().endswith(".invalid"):
            raise Refused.of(
                f"{quoted(address, 80)} is no address of an account",
                mend="name the one that your forge gives for commits, such as NUMBER+NAME@users.noreply.github.com",
            )
        if other := next((who for who, each in others.items() if each.lower() == address.lower()), None):
            raise Refused.of(
                f"that address is {printable(other)}'s",
                mend=f"where it is yours, {printable(other)} or whoever may restore the game takes it away there: "
                + command("nomicgit", "signers", "--of", other, "--address", ""),
            )
        if not has_keys:
            raise Refused.of("an address stands in commits that are signed, and here is no key to sign with")
    return {**others, player: own} if own and has_keys else others


def judged(asked: str) -> bool:
    """Whether signatures are judged here: without the program's extra they are not, but where the game requires them; there
    whoever judges one says what is not installed.
    """
    return asked == Asked.REQUIRED or ssh.able()


def unjudged(repository: Repository, tree: str) -> str:
    """That nobody judges here what signatures there are in a game that knows keys of players; "" where that is done."""
    if repository.entry(tree, SIGNERS) is None or ssh.able():
        return ""
    return f"signatures, since the program's extra sealed is not installed; {INSTALL} '.[sealed]'"


def standing_of(
    repository: Repository,
    before: str,
    entry: journal.Entry,
    stored: Callable[[], bytes],
    asked: str,
    signers: Signers,
) -> Standing:
    """How the commit of a deed that is no mend is signed, by what is asked and the keys that count. ``before``: the tree of the
    game upon which it was done; ``stored``: the commit as Git keeps it.
    """
    if asked == Asked.NO and not signers and entry.deed.action != Outside.SIGNERS:
        return Standing(None)
    here = partial(plays, repository, before, entry.deed)
    return standing(entry.deed, stored(), signers, asked, plays=here, sealed=bool(entry.sealed))


def standing(
    deed: Deed,
    stored: bytes,
    signers: Signers,
    asked: str,
    *,
    plays: Callable[[], bool],
    sealed: bool = False,
) -> Standing:
    """How a deed's commit is signed, as Git keeps it, by the keys and the settings before it. ``plays``: its actor was there."""
    if not judged(asked):
        return Standing(None)
    who = _with_a_key(signers, signers_of(deed, sealed=sealed))
    own = keys_of(signers, who)
    body, signature = parts(stored)
    by_own = bool(own) and ssh.signs(own, body, signature, NAMESPACE)
    name, required = in_words(who), asked == Asked.REQUIRED
    if changes_own(deed):
        if not own and required and plays():
            return Standing(False, f"{name} had no key, and another names their first one here")
        new = [PublicKey.read(line) for line in deed.given["keys"]]
        proved = by_own if own else ssh.signs(new, body, signature, NAMESPACE)
        whose = f"key that {name} had" if own else "key that it names"
        return Standing(proved, "" if proved else f"it is signed with no {whose}")
    if deed.action == Outside.SIGNERS:
        return Standing(by_own, "" if by_own else f"it is signed with no key that {name} had")
    if (
        deed.action == Outside.RESTORERS and own
    ):  # who may restore names keys: signed even where nothing else is
        return Standing(by_own, "" if by_own else f"it is signed with no key that {name} had")
    if not own and not required and not plays():
        return Standing(None)
    if by_own or asked == Asked.NO or (asked == Asked.YES and not (own and signature)):
        return Standing(by_own)
    return Standing(
        False, f"it is signed with no key of {name}" if signature else f"{name} has not signed it"
    )
