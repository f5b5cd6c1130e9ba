"""Claims, made where a deed is decided, and tried again where it is replayed. Source: Claims, in ``docs/trust.md``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from nomicgit.ground import watch, worker
from nomicgit.ground.problems import Exhausted, NomicError, Starved, printable
from nomicgit.physics.state import transaction
from nomicgit.physics.state.claims import Claim, Doubt
from nomicgit.physics.state.transaction import Transaction

SHOWN = 5
ENDED = worker.Died, worker.Cut
"""What ends a claim that is tried again. Whatever it was, that work may have ended so where the deed was decided too."""


def claim(world: Transaction, which: Claim, name: str) -> None:
    """Make a claim: it is evidence of the deed."""
    world.claims.setdefault(which, []).append(name)


def told(world: Transaction, which: Claim, name: str) -> bool | None:
    """Whether the recorded deed that is replayed makes a claim; None where a deed is decided for the first time."""
    given = world.context.claims
    return None if given is None else name in given.get(which, ())


def reason(world: Transaction, which: Claim, name: str, usual: str) -> str | None:
    """Why, as the recorded deed that is replayed claims it with a name; of the name alone, the usual reason.

    "" where it makes no such claim, None as for ``told``.
    """
    given = world.context.claims
    if given is None:
        return None
    claims = (each.partition(" ") for each in given.get(which, ()))
    return next((why or usual for of, _, why in claims if of == name), "")


def half(bound: int) -> int:
    """Half of a bound. What comes to that much here may have come to all of it where the deed was decided."""
    return max(1, bound // 2)


def doubt(world: Transaction, which: Claim, of: str, again: Callable[[], Iterable[str] | None]) -> None:
    """Doubt a claim, where somebody wants to know, with what is spared ``again``, unless that is ended too (None)."""
    if world.context.doubt is not None and (spared := again()) is not None:
        world.context.doubt(Doubt(which, of, list(spared)))


def event_again(world: Transaction, happen: Callable[[], object]) -> list[str] | None:
    """What an event changes that is let happen again in a worker, with half of all that it was lent; None where that ends it."""

    def with_half() -> None:
        world.fuel = half(world.physics.bounds.fuel)
        happen()

    return _again(world, with_half, Exhausted, half(int(transaction.SECONDS)), half(watch.MEMORY))


def change_again(world: Transaction, carry: Callable[[], object]) -> list[str] | None:
    """What a change does that is tried again in a worker, with half of what that had; None where it ends the worker."""
    return _again(world, carry, Starved, half(worker.PROCESSOR), half(worker.MEMORY))


def _again(
    world: Transaction, act: Callable[[], object], ends: type[NomicError], processor: int, memory: int
) -> list[str] | None:
    def whole() -> list[str] | None:
        since = len(world.store.log)
        try:
            act()
        except ends:
            return None
        except NomicError as error:
            return [f"nothing: {error.problems[0]}"]
        return list(changed(world, since))

    return ended(whole, processor, memory)


def ended(
    work: Callable[[], list[str] | None], processor: int, memory: int | None = None, wall: float | None = None
) -> list[str] | None:
    """What is done in a worker within so many seconds of processor and waiting, and bytes; None where it ends there."""
    try:
        return worker.run(work, processor=processor, memory=memory, wall=wall)
    except ENDED:
        return None


def changed(world: Transaction, since: int) -> Iterator[str]:
    """What everyone may know of the changes since the log was so long, a line each; of many some are shown."""
    public = [each for each in world.physics.effects(world, since=since) if each["public"]]
    for each in public[:SHOWN]:
        old, new = (printable(str(each[when]), 60) for when in ("old", "new"))
        yield f"{each['path']}: {old} → {new}"
    if len(public) > SHOWN:
        yield f"{len(public) - SHOWN} more"
