"""Who names another key for somebody who has lost theirs, or has none: others who may restore the game, or enough admins."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from nomicgit.git.signing import HANDS
from nomicgit.ground.problems import Problem, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.physics.state.naming import called
from nomicgit.physics.state.store import Store
from nomicgit.record.outside import restoring
from nomicgit.record.settings import Settings

FEWEST = 2
"""Admins who must approve, where the settings do not say how many."""
REQUIRED = "required"


def admins(store: Store) -> Collection[str]:
    """The admins who are not idle, by their ids."""
    ids = (f"players/{name}" for name in store.ids("players"))
    there = [ref for ref in ids if store.value(ref, "admin") is True and store.value(ref, "idle") is not True]
    return [ref.removeprefix("players/") for ref in there]


def needed(settings: Settings, some: Collection[str]) -> int:
    """How many of these admins must approve: as many as the settings say, else more than half, and two at least."""
    return settings.approvals or max(FEWEST, len(some) // 2 + 1)


def who_helps(settings: Settings, store: Store, signs: Collection[str], name: str) -> str:
    """Who names another key for somebody who has lost theirs. ``signs``: who has a key."""
    restorers, of = restoring.named(settings.restore)
    others = [each for each in restorers if each != name and each in signs]
    give = ("nomicgit", "signers", "--of", printable(name), "--add", "FILE", "--drop", "FINGERPRINT")
    if others:
        by = [word for each in _enough(restorers, others[0], of) for word in ("--by", each)]
        return remedy(
            f"where that is lost, {printable(', '.join(others))} can name another:", command(*give, *by)
        )
    some = [each for each in admins(store) if each != name and each in signs]
    if name not in restorers and name not in HANDS and len(some) >= needed(settings, admins(store)):
        return remedy(
            f"where that is lost, {needed(settings, admins(store))} of {printable(', '.join(some))} must name the same one, each:",
            command(*give),
        )
    return "where that is lost, nobody can name another here"


def _enough(restorers: Sequence[str], first: str, of: int) -> list[str]:
    return [first, *(each for each in restorers if each != first)][: max(1, of)]


def without_key(settings: Settings, store: Store, signs: Collection[str]) -> list[str]:
    """The players, as they are called, who can do nothing, since deeds must be signed and they have no key; idle ones last."""
    if settings.signed != REQUIRED:
        return []
    lack = [name for name in store.ids("players") if name not in signs]
    return [called(store, name) for name in sorted(lack, key=lambda name: _idle(store, name))]


def _idle(store: Store, name: str) -> bool:
    return store.value(f"players/{name}", "idle") is True


def doubtful(settings: Settings, store: Store, keys: Mapping[str, Sequence[object]]) -> Iterator[Problem]:
    """Who is locked out of the game as it stands, or is with the next key that is lost, and what to do. ``keys``: of each their own."""
    signs = {name for name, some in keys.items() if some}
    restorers, of = restoring.named(settings.restore)
    by = [word for each in _enough(restorers, next(iter(restorers), ""), of) for word in ("--by", each)]
    if lacking := without_key(settings, store, signs):
        whose = "who can do nothing until they have one"
        give = command("nomicgit", "signers", "--of", lacking[0], "--add", "FILE", *by)
        yield Problem(
            f"no key is known of {', '.join(lacking)}, {whose}",
            mend=remedy(
                "each makes one (ssh-keygen -t ed25519), sends the public half to who may restore the game, and they name it:",
                give,
            ),
        )
    able = [each for each in restorers if each in signs]
    if settings.signed == REQUIRED and len(able) == 1 and len(keys[able[0]]) == 1:
        what = f"{able[0]} has one key, and nobody else who may restore the game has any: when it is lost, nobody can name another"
        add = remedy(
            "name a second one, and keep it elsewhere:", command("nomicgit", "signers", "--add", "FILE")
        )
        yield Problem(what, mend=add)
    some = admins(store)
    if settings.signed == REQUIRED or settings.approvals:
        must = needed(settings, some)
        if must > len(some):
            there = "is one admin" if len(some) == 1 else f"are {len(some)} admins" if some else "is no admin"
            fewer = remedy(
                "who may restore the game names keys alone:",
                command("nomicgit", "signers", "--of", "NAME", "--add", "FILE", *by),
                "or says how many admins are enough:",
                command("nomicgit", "signers", "--approvals", str(max(1, len(some))), *by),
            )
            yield Problem(f"{must} admins must name a lost key anew, and there {there}", mend=fewer)
