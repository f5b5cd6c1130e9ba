"""What own deeds mean on another head: which of what they had made is called what there, and what they were handed as it is handed in
now.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from msgspec import Struct, field

from nomicgit.clones.own.redone import Around, around
from nomicgit.git import Commit, Repository
from nomicgit.law.variables import Type
from nomicgit.physics.deed import Deed
from nomicgit.physics.state.store import Store
from nomicgit.record import journal
from nomicgit.record.game import Game
from nomicgit.record.made import made_by
from nomicgit.record.tree import GameTree


class Ids(Struct):
    """What own deeds had made, by its old reference: its new one, or nothing where it is not made any more."""

    now: dict[str, str | None] = field(default_factory=dict)

    def mapped(self, value: object, kind: Type) -> object:
        """A parameter as it is to be handed in now. KeyError, with the reference, for what is not made any more."""
        if isinstance(value, list) and kind.items is not None:
            return [self.mapped(each, kind.items) for each in value]
        if isinstance(value, Mapping):
            keys, values = kind.keys or Type("any"), kind.values or Type("any")
            return {
                str(self.mapped(key, keys)): self.mapped(each, kind.fields.get(key, values))
                for key, each in value.items()
            }
        ref = f"{'posts' if kind.kind in ('post', 'matter') else kind.kind}/{value}"
        if ref not in self.now:
            return value
        new = self.now[ref]
        if new is None:
            raise KeyError(ref)
        name = new.partition("/")[2]
        return int(name) if isinstance(value, int) else name

    def note(self, before: Mapping[str, Sequence[str]], after: Mapping[str, Sequence[str]]) -> dict[str, str]:
        """Note what a deed had made, and what it has made now; gives those whose ids are others now."""
        moved = {}
        for kind, names in before.items():
            now = after.get(kind, ())
            for place, name in enumerate(names):
                new = now[place] if len(now) == len(names) else None
                self.now[name] = new
                if new is not None and new != name:
                    moved[name] = new
        return moved


def led_to(scratch: Repository, own: Commit) -> tuple[Ids, Around]:
    """What was made by the deeds that led to an own one, and what of it is made on the line now; what lies there since."""
    ids, head = Ids(), scratch.head()
    assert head is not None
    there = around(scratch, head, own.oid)
    mine = next((entry.deed.actor for entry in [journal.told(own.message)] if entry), None)
    beyond = list(scratch.beyond(head, own.oid))[::-1]
    for commit in takewhile(lambda each: each != own, [*there.aside, *beyond]):
        entry = journal.told(commit.message)
        if entry is None:
            continue
        _, now = where_done_again(scratch, commit, entry.deed, there, ids)
        if now is not None:
            ids.note(made_by(scratch, commit), made_by(scratch, now))
        elif commit not in beyond or entry.deed.actor == mine:
            ids.note(made_by(scratch, commit), {})
    return ids, there


def where_done_again(
    scratch: Repository, own: Commit, deed: Deed, lies: Around, ids: Ids
) -> tuple[str, Commit | None]:
    """The id under which a deed that a mend has set aside is done again, and the commit where it has been."""
    name = deed.id
    for name, now in lies.trail(deed.id, deed.at):
        if now is not None and same(scratch, own, now, ids):
            return name, now
    return name, None


def same(scratch: Repository, own: Commit, pushed: Commit, ids: Ids) -> bool:
    """Whether a pushed deed with the id of an own one is that deed, as it stands or as it was laid before."""
    one, other = journal.told(own.message), journal.told(pushed.message)
    assert one is not None
    assert other is not None
    if _kind(one) != _kind(other):
        return False
    if one.deed.given == other.deed.given or one.sealed:
        return True
    try:
        return given_now(scratch, own, one.deed, ids) == given_now(scratch, pushed, other.deed, Ids())
    except KeyError:
        return False


def _kind(entry: journal.Entry) -> tuple[str | None, str, bool]:
    return entry.deed.actor, entry.deed.action, bool(entry.sealed)


def given_now(scratch: Repository, was: Commit, deed: Deed, ids: Ids) -> dict[str, object]:
    """What a deed was handed, as it is to be handed in now. KeyError, with the reference, for what is not made any more."""
    return {name: ids.mapped(value, kind) for name, value, kind in typed(scratch, was, deed)}


def typed(scratch: Repository, was: Commit, deed: Deed) -> Iterator[tuple[str, object, Type]]:
    """What a deed was handed, with the types that the law has for it now."""
    action = Game.open(scratch.git_dir).law.declared.actions.get(deed.action)
    kinds = action.parameters if action else {}
    for name, value in journal.lengthened(deed.given, Store(GameTree(scratch, was.tree))).items():
        yield name, value, kinds.get(name.removesuffix("_"), kinds.get(name, Type("any")))
