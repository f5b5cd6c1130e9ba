"""What fell due by the clock in the commits of deeds, told apart from what the deeds did.

The record tells both as one, so the law is asked once what the clock did first, of each such deed; a clone remembers it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, groupby
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.git import Repository
from nomicgit.record import history, journal, keepsakes
from nomicgit.record.annals import UNTOLD, Annals, Done, Moved
from nomicgit.site.asked import Asking, Untold

FILE = "nomicgit-site.dues"  # in the repository's Git folder
POSTS, RULES, SCENARIOS = "posts/", "rules/", "scenarios/"
"""What effects tell of beside values."""
MIXED = "What fell due by the clock until then came with this deed, and stands here too: "
SEALED = "part of it is sealed, and without the game’s key nobody can tell apart what the clock did and what the deed."
UNREPEATED = "the law does not bring it about again as it is recorded, so nobody can tell it apart."


class Due(Struct, frozen=True):
    """What the clock did first in a deed's commit: how many lines of the journal tell of it, the values that it changed, as
    ``[ref, field, old, new]``, and what it made (True) and took away (False).
    """

    lines: int = 0
    changed: Sequence[Sequence[Any]] = ()
    made: Mapping[str, bool] = {}


def told(annals: Annals, asking: Asking) -> Mapping[int, Due | None]:
    """By its place, of each deed before which something fell due by the clock; None where nobody can tell it apart."""
    kept = keepsakes.kept(annals.repository, FILE)
    known: dict[str, Any] = kept if isinstance(kept, dict) else {}
    dues, remembered = dict[int, Due | None](), dict[str, Any]()
    for done in annals.clocked():
        if done.commit not in known:
            before = partial(_before, annals.repository, done)
            answer = asking.ask("what the clock did before ", before, about=done.commit)
            if isinstance(answer, Untold):
                dues[done.place] = None
                continue
            known[done.commit] = answer
        plain = remembered[done.commit] = known[done.commit]
        dues[done.place] = None if plain is None else Due(*plain)
    keepsakes.keep(annals.repository, FILE, remembered)
    return dues


def mixed(repository: Repository, done: Done) -> str:
    """Why nobody can tell apart what fell due by the clock before a deed: an open deed is sealed in part where that needed the key."""
    commit = repository.commit(done.commit)
    return MIXED + (SEALED if journal.parse(commit.message, commit.oid).sealed else UNREPEATED)


def _before(repository: Repository, done: Done) -> list[Any] | None:
    """What the clock did first, as plain data; None of what is sealed, and of what does not replay."""
    commit = repository.commit(done.commit)
    came = history.clocked(repository, commit, journal.parse(commit.message, commit.oid))
    if came is None:
        return None
    changed, made = list[Sequence[Any]](), dict[str, bool]()
    for effect in history.first(repository, commit, came):
        ref, name = str(effect["ref"]), str(effect["field"])
        old: Any = effect["old"]
        new: Any = effect["new"]
        if ref.startswith((POSTS, RULES, SCENARIOS)):
            continue
        if name in ("created", "destroyed"):
            made[ref] = name == "created"
            before, after = old or {}, new or {}
            changed += (
                [ref, each, before.get(each), after.get(each)]
                for each in {**before, **after}
                if each not in UNTOLD
            )
        elif name not in UNTOLD:
            changed.append([ref, name, old, new])
    return [sum(bool(line.strip()) for line in came.said), changed, made]


def parted(annals: Annals, dues: Mapping[int, Due | None]) -> Iterator[Moved]:
    """Every change of a stored value, in order, what the clock changed apart from what the deed itself did."""
    waiting = deque(sorted((place, due) for place, due in dues.items() if due is not None))
    ends = [(len(annals.deeds) + 1, iter(()))]
    for place, moved in chain(groupby(annals.moved(), lambda each: each.done.place), ends):
        while waiting and waiting[0][0] < place:  # a deed by which, seen from outside, nothing moved
            at, due = waiting.popleft()
            yield from _apart(annals.deeds[at - 1], due, ())
        apart = waiting.popleft()[1] if waiting and waiting[0][0] == place else None
        yield from moved if apart is None else _apart(annals.deeds[place - 1], apart, moved)


def _apart(done: Done, due: Due, moved: Iterable[Moved]) -> Iterator[Moved]:
    between = dict[tuple[str, str], tuple[Any, Any]]()
    for ref, name, old, new in due.changed:
        between[ref, name] = old, new
        yield Moved(done, ref, name, old, new, clock=True)
    own = {(each.ref, each.field): each for each in moved}
    for at, each in own.items():
        old = between[at][1] if at in between else each.old
        if old != each.new:
            yield replace(each, old=old)
    for at, (old, new) in between.items():
        if at not in own:  # what the deed has put back is changed by neither, seen from outside
            yield Moved(done, *at, new, old)
