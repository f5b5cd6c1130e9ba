"""The gamestate: entities and their fields, with a log by which any part of a deed can be taken back.

An entity is a map of fields in the form that files keep (bare ids). Refs are texts: ``players/cy``,
``rooms/C3``, ``posts/12``, and the single ones ``game``, ``dynasty``, ``open`` and ``used`` (what the program keeps for
itself). Values are never changed in place: whoever writes puts a new one.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NoReturn

from msgspec import Struct

from nomicgit.ground.files import Value
from nomicgit.ground.problems import Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.declaring import refuse_id, twins
from nomicgit.law.law import NOTHING_SECRET, PARTED, Secrecy
from nomicgit.law.variables import MISSING, Missing

PROGRAMS = frozenset({"open", "used"})
"""What the program keeps for itself: what hangs on what is open now; and what is used up, which grows and is seldom read."""
SINGLE = PROGRAMS | {"game", "dynasty", "settings"}
WHOLE = ("created", "destroyed")
"""The fields under which the coming and going of whole entities is told."""
_ROSTER = frozenset({*WHOLE, "idle"})


class Source:
    """Where entities come from that nobody has looked at yet; there are none, where nobody says otherwise."""

    def entity(self, ref: str) -> dict[str, Value] | None:
        """All fields of an entity, or None where there is none."""
        return None

    def ids(self, kind: str) -> Iterable[str]:
        """The ids of all entities of a kind, in any order."""
        return ()

    def comments(self, ref: str) -> list[dict[str, Value]]:
        """The comments of a post, oldest first."""
        return []


UNSAID = ("tags", "changes", "called", "frozen")  # what a post's file leaves out where it is empty


class Change(Struct, frozen=True):
    """One write: a field of an entity, its coming (``created``), its going (``destroyed``), or a comment."""

    ref: str
    field: str
    old: Any
    new: Any


def hand_in() -> str:
    """What whoever lacks the game's key does."""
    return remedy(
        "hand it in as an order:",
        command("nomicgit", "order"),
        "who keeps the key lays it down:",
        command("nomicgit", "keys", "set"),
    )


class NeedsKey(Refused):
    """The refusal of what hangs on a secret, where the game's key is not at hand."""

    @classmethod
    def of_what(cls, what: str, mend: str = "") -> NeedsKey:
        """The refusal, with what is secret."""
        return cls.of(
            f"sealed: {what} is secret, and only who keeps this game's key can say", mend=mend or hand_in()
        )

    @classmethod
    def of_event(cls, event: str, at: str) -> NeedsKey:
        """The refusal of what comes after an event of the clock that nobody has let happen yet."""
        return cls.of(
            f"sealed: {event} fell due at {at}, and waits for who keeps this game's key", mend=hand_in()
        )


class Sealed(str):
    """The reason of what hangs on a secret, which may well be none: only who has the game's key can say."""

    __slots__ = ()


def unsaid(name: str, value: object) -> bool:
    """Whether a post's file leaves a field out: it is empty."""
    return name in UNSAID and value in ([], {})


def filed(fields: Mapping[str, Value]) -> dict[str, Value]:
    """The fields of an entity that its file tells."""
    return {name: value for name, value in fields.items() if not unsaid(name, value)}


def kind_of(ref: str) -> str:
    """The kind of an entity: the folder of its ref, or the ref itself where it is single."""
    return ref.partition("/")[0]


def _number(name: str) -> int:
    """The number with which an id ends; 0 where it ends with none."""
    digits = name[len(name.rstrip("0123456789")) :]
    return int(digits) if digits else 0


class Store(Source):
    """All entities of a game, read when first asked for.

    It notes whether anybody ``looked`` at what is secret, also where nothing was there, and what was ``met`` so; and whether
    the law did at what is ``never`` opened. One that is ``closed`` was read
    without the game's key: whoever looks there is refused, but for fields that are ``known`` to who reads.
    """

    def __init__(
        self, source: Source, *, closed: bool = False, known: frozenset[tuple[str, str]] = frozenset()
    ) -> None:
        self.source, self.closed, self.known = source, closed, known
        self.secrecy, self.looked, self.never, self.needed = NOTHING_SECRET, False, False, False
        self.bare = (
            False  # nothing secret was ever set in it, so that whatever is told of it tells of no secret
        )
        self.met: set[str] = set()
        self.log: list[Change | Callable[[], None]] = []
        self.version = 0
        self.bound = ""  # the player for whom alone the code under way runs; "": it is nobody's
        self._entities: dict[str, dict[str, Value] | None] = {}
        self._ids: dict[str, list[str]] = {}
        self._spellings: dict[str, dict[str, str]] = {}
        self._highest: dict[str, int] = {}
        self._comments: dict[str, list[dict[str, Value]]] = {}
        self._active: list[str] | None = None

    def hide(self, secrecy: Secrecy) -> None:
        """Take more for secret."""
        self.secrecy |= secrecy

    def look(self, what: str) -> None:
        """Note that somebody looked at what is secret. NeedsKey where that cannot be seen; Refused where code runs for one player
        alone, who sees no more than everybody does.
        """
        if self.bound:
            raise Refused.of(
                f"what is done for {self.bound} alone sees what everybody sees, and {what} is secret"
            )
        self.looked = True
        self.met.add(what)
        if self.closed:
            self.need(what)

    def need(self, what: str) -> NoReturn:
        """Refuse what only who has the game's key can say, and note that: whoever meets it may catch it."""
        self.needed = True
        raise NeedsKey.of_what(what)

    def _look_at(self, ref: str, field: str = "") -> None:
        kind = kind_of(ref)
        if self.secrecy.hides(kind, field) and (ref, field) not in self.known:
            self.look(f"{field} of {kind}" if field else f"what there is of {kind}")

    def look_at_all(self, ref: str) -> None:
        """Note that somebody looked at all fields of an entity, where any of them is secret."""
        kind = kind_of(ref)
        if kind in self.secrecy.kinds or any(kind == of for of, _ in self.secrecy.variables):
            self.look(f"what there is of {kind}")

    def fields(self, ref: str) -> Mapping[str, Value] | None:
        """The fields of an entity, or None. Not to be changed by the caller."""
        if self.secrecy.kinds:
            self._look_at(ref)
        return self._known(ref)

    def _known(self, ref: str) -> dict[str, Value] | None:
        if ref not in self._entities:
            self._entities[ref] = self.source.entity(ref)
        return self._entities[ref]

    def public(self, ref: str) -> dict[str, Value] | None:
        """The fields of an entity that are not secret, or None; nobody looks at the others."""
        kind = kind_of(ref)
        fields = None if kind in self.secrecy.kinds else self._known(ref)
        return None if fields is None else {
            field: {k: v for k, v in value.items() if not self.secrecy.hides_key(field, k)}
            if field in PARTED and isinstance(value, dict) and (field != "made" or self.secrecy.kinds)
            else value
            for field, value in fields.items()
            if (kind, field) not in self.secrecy.variables
        }  # fmt: skip

    def entity(self, ref: str) -> dict[str, Value] | None:
        """All fields of an entity, to be kept by the caller."""
        fields = self.fields(ref)
        return None if fields is None else dict(fields)

    def value(self, ref: str, field: str) -> Any:
        """One field, MISSING where there is none."""
        if self.secrecy is not NOTHING_SECRET:
            self._look_at(ref, field)
        fields = self._known(ref)
        return MISSING if fields is None else fields.get(field, MISSING)

    def ids(self, kind: str) -> list[str]:
        """The ids of a kind in the order of making. Not to be changed by the caller."""
        if kind in self.secrecy.kinds:
            self._look_at(kind)
        if kind not in self._ids:
            self._ids[kind] = sorted(self._there(kind), key=lambda i: self._made(kind, i))
        return self._ids[kind]

    def highest(self, kind: str) -> int:
        """The highest number with which an id of a kind ends; 0 where none does."""
        if kind in self.secrecy.kinds:
            self._look_at(kind)
        if kind not in self._highest:
            self._highest[kind] = max(map(_number, self._there(kind)), default=0)
        return self._highest[kind]

    def _there(self, kind: str) -> set[str]:
        """The ids of a kind: those of the source, but for what has come and gone since."""
        there = set(self.source.ids(kind))
        for ref, fields in self._entities.items():
            of, _, name = ref.partition("/")
            if of == kind:
                (there.discard if fields is None else there.add)(name)
        return there

    def _made(self, kind: str, name: str) -> tuple[int, str]:
        if kind == "posts":
            return int(name), ""
        made = self.value(f"{kind}/{name}", "made")
        return (made if isinstance(made, int) else 0), name

    def active(self) -> list[str]:
        """The refs of the players who are not idle, in the order of joining: few of all who ever came. Not to be changed."""
        if self._active is None:
            refs = (f"players/{name}" for name in self.ids("players"))
            self._active = [ref for ref in refs if self.value(ref, "idle") is not True]
        return self._active

    def put(self, ref: str, field: str, value: Value | Missing) -> bool:
        """Write one field (MISSING takes it out); whether it changed."""
        if self.secrecy is not NOTHING_SECRET:
            self._look_at(ref, field)
        entity = self.fields(ref)
        if entity is None:
            if ref not in SINGLE:
                raise KeyError(ref)
            entity = self._entities[ref] = {}
        old = entity.get(field, MISSING)
        if old is value or (old == value and type(old) is type(value)):
            return False
        self._set(ref, field, value)
        self._record(Change(ref, field, old, value))
        return True

    def _set(self, ref: str, field: str, value: Value | Missing) -> None:
        entity = self._entities[ref]
        assert entity is not None
        if isinstance(value, Missing):
            entity.pop(field, None)
        else:
            entity[field] = value

    def _record(self, change: Change) -> None:
        self.log.append(change)
        self._move_on(change)

    def _move_on(self, change: object) -> None:
        """Something has changed, forth or back: what hangs on it is not known any more."""
        self.version += 1
        if isinstance(change, Change) and change.field in _ROSTER and kind_of(change.ref) == "players":
            self._active = None

    def create(self, ref: str, fields: Mapping[str, Value]) -> None:
        """Make an entity, in its place by the number under which it was made. Refused where its id cannot be recorded."""
        kind, _, name = ref.partition("/")
        if kind in self.secrecy.kinds:
            self._look_at(kind)
        if kind != "posts":
            refuse_id(kind, name)
            if (twin := self._spelled(kind).get(name.lower(), name)) != name:
                raise twins(name, twin)
        self._entities[ref] = dict(fields)
        self._come(kind, name)
        self._record(Change(ref, "created", None, dict(fields)))

    def _spelled(self, kind: str) -> dict[str, str]:
        """The ids of a kind by what is left of them without capitals."""
        if kind not in self._spellings:
            self._spellings[kind] = {name.lower(): name for name in self._there(kind)}
        return self._spellings[kind]

    def _come(self, kind: str, name: str) -> None:
        """Put an id in its place, where those of its kind are known: nobody need read them all for one more."""
        if kind in self._highest:
            self._highest[kind] = max(self._highest[kind], _number(name))
        if kind in self._ids:
            made = partial(self._made, kind)
            self._ids[kind].insert(bisect(self._ids[kind], made(name), key=made), name)
        if kind in self._spellings:
            self._spellings[kind][name.lower()] = name

    def _go(self, kind: str, name: str) -> None:
        if self._highest.get(kind) == _number(name):
            del self._highest[kind]
        if kind in self._ids:
            self._ids[kind].remove(name)
        if kind in self._spellings:
            self._spellings[kind].pop(name.lower(), None)

    def destroy(self, ref: str) -> None:
        """Take an entity away, and what is secret of it."""
        kind, _, name = ref.partition("/")
        self.look_at_all(ref)
        for said in list(self.comments(ref)) if kind == "posts" else ():
            self.uncomment(ref, said)
        old = self.fields(ref)
        self._go(kind, name)
        self._entities[ref] = None
        self._record(Change(ref, "destroyed", old, None))

    def comments(self, ref: str) -> list[dict[str, Value]]:
        """The comments of a post, oldest first. Not to be changed by the caller."""
        if ref not in self._comments:
            self._comments[ref] = list(self.source.comments(ref))
        return self._comments[ref]

    def comment(self, ref: str, entry: Mapping[str, Value]) -> None:
        """Add a comment to a post, after those that are older."""
        said = self.comments(ref)
        self._record(Change(ref, "comments", list(said), dict(entry)))
        later = (n for n, each in enumerate(said) if str(each["at"]) > str(entry["at"]))
        said.insert(next(later, len(said)), dict(entry))

    def uncomment(self, ref: str, entry: Mapping[str, Value]) -> bool:
        """Take the last comment out that is equal to one; whether there was one."""
        said = self.comments(ref)
        places = [n for n, each in enumerate(said) if each == entry]
        if places:
            self._record(Change(ref, "comments", list(said), None))
            del said[places[-1]]
        return bool(places)

    def note(self, undo: Callable[[], None]) -> None:
        """Put what takes something else back into the log."""
        self.log.append(undo)
        self.version += 1

    def rollback(self, mark: int) -> None:
        """Take back everything since the log had this length."""
        while len(self.log) > mark:
            change = self.log.pop()
            self._move_on(change)
            if not isinstance(change, Change):
                change()
                continue
            kind, _, name = change.ref.partition("/")
            match change.field:
                case "created":
                    self._go(kind, name)
                    self._entities[change.ref] = None
                case "destroyed":
                    self._entities[change.ref] = change.old
                    self._come(kind, name)
                case "comments":
                    self._comments[change.ref][:] = change.old
                case field:
                    self._set(change.ref, field, change.old)

    def since(self, mark: int) -> Iterator[Change]:
        """The writes since the log had this length, oldest first."""
        return (change for change in self.log[mark:] if isinstance(change, Change))

    def before(self, ref: str, field: str, mark: int) -> object:
        """What a field was when the log had this length; MISSING where the entity or field was not there."""
        for change in self.since(mark):
            if change.ref != ref:
                continue
            if change.field == field:
                return change.old
            if change.field == "created":
                return MISSING
            if change.field == "destroyed":
                return change.old.get(field, MISSING)
        return self.value(ref, field)

    def touched(self) -> list[str]:
        """The refs written since the log was last forgotten, in the order of their first write."""
        return list(dict.fromkeys(change.ref for change in self.since(0)))

    def forget(self) -> None:
        """Forget the log: what it holds cannot be taken back any more."""
        self.log.clear()
