"""Changing a game: values, entities, posts. Source: Words, in ``docs/mechanics.md``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nomicgit.ground import clock
from nomicgit.ground.files import Value
from nomicgit.ground.problems import Defect, NomicError, Refused, printable
from nomicgit.law import titles
from nomicgit.law.values import bounded, given_text, keep, key_of, lawful
from nomicgit.law.variables import MISSING, Type, Variable
from nomicgit.physics.deed import Failure
from nomicgit.physics.state import deriving, naming, reading
from nomicgit.physics.state.store import kind_of
from nomicgit.physics.state.transaction import Closing, Transaction

WRITABLE_OF_POSTS = frozenset({"kind", "status", "title", "body", "changes", "tags"})
RECENT = 31 * 86_400


def put(world: Transaction, ref: Any, /, **fields: Any) -> None:
    """Write fields of an entity."""
    world.must_write()
    kind = writable(world, ref)
    for name, new in fields.items():
        plain = name.rstrip("_") if world.law.variable(kind, name) is None else name
        write(world, ref, kind, plain, new)


def writable(world: Transaction, ref: object) -> str:
    if not isinstance(ref, str):
        raise Defect.of(f"{ref!a} is no reference")
    if not reading.exists(world, ref) or kind_of(ref) in reading.DECLARED_KINDS:
        raise Refused.of(f"there is no {printable(ref, 60)}{_id_of(world, ref)}")
    return kind_of(ref)


def _id_of(world: Transaction, ref: str) -> str:
    """By which id the law calls the player whose name a reference has."""
    kind, _, name = ref.partition("/")
    who = naming.player_id(world, name) if kind == "players" else None
    return f" (to the law {printable(name, 60)} is players/{who})" if who else ""


def write(world: Transaction, ref: str, kind: str, name: str, new: object, *, filtered: bool = True) -> None:
    """Write one field: typed, clamped where the law says so, filtered, judged, stored."""
    declared = world.law.variable(kind, name)
    if declared is not None:
        _write_declared(world, ref, declared, new, filtered)
        return
    kept = reading.KEPT.get(kind, {}).get(name)
    ours = name not in WRITABLE_OF_POSTS if kind == "posts" else (kind, name) == ("players", "name")
    if kept is None or ours:
        raise Defect.of(f"no rule in force declares {name} of {ref}, or it is not the law's to write")
    try:
        value = keep(world, kept, new)
    except Refused as error:
        raise error.of_part(name) from error
    if kind == "posts":
        write_post(world, ref, name, value)
    else:
        store(world, ref, name, value)


def _write_declared(world: Transaction, ref: str, declared: Variable, new: object, filtered: bool) -> None:
    name, kind = declared.name, declared.type
    if declared.derived:
        raise Defect.of(f"{name} is derived and cannot be put")
    if reading.static(world.law, ref, name) is not MISSING:
        raise Defect.of(f"{name} of {ref} stands in a catalogue and cannot be put")
    clamp = clamps(world, kind)
    try:
        value = keep(world, kind, new, null=kind.nullable, clamp=clamp)
        if filtered:
            value = _filtered(world, ref, declared, value, clamp)
        if declared.legal and value is not None:
            why = world.judge(declared.legal, ref, lawful(world, kind, value))
            if why:
                raise Refused.of(why)
    except Refused as error:
        first = error.problems[0]
        if type(error) is not Refused or first.what.startswith(f"{name}: "):
            raise
        raise Refused.of(f"{name}: {first.what}", file=first.where.file, line=first.where.line) from error
    store(world, ref, name, value)


def clamps(world: Transaction, kind: Type) -> bool:
    """Whether writes of the law below zero, or above the maximum, stop there."""
    return kind.below_zero == "clamp" or (not kind.below_zero and world.law.declared.numbers == "clamp")


def _filtered(world: Transaction, ref: str, declared: Variable, value: Value, clamp: bool) -> Value:
    for hook in world.law.declared.filters.values():
        if hook.variable != declared.name or hook.whose != declared.of or not world.runs(hook.function):
            continue
        old = reading.get(world, ref, declared.name)
        changed = guarded(world, hook.function, ref, old, lawful(world, declared.type, value))
        if changed is MISSING:
            continue
        try:
            value = keep(world, declared.type, changed, null=declared.type.nullable, clamp=clamp)
        except Refused as error:
            raise Refused(world.law.place(error.problems[0], hook.function)) from error
    return value


def guarded(
    world: Transaction, function: str, /, *arguments: object, call: Callable[..., object] | None = None
) -> object:
    """Call a hook; a defect undoes its writes, disables it for this deed and is journaled, and gives MISSING."""
    try:
        with world.savepoint():
            return (call or world.call)(function, *arguments)
    except Defect as error:
        world.rest(function, function, error)
        return MISSING


def store(world: Transaction, ref: str, name: str, value: Value) -> None:
    """Put a value in the form of files; a grid's entity comes into being when first written."""
    if world.store.value(ref, name) is MISSING:
        declared = world.law.variable(kind_of(ref), name)
        start = reading.start(world, ref, declared) if declared is not None else MISSING
        if start == value and type(start) is type(value):
            return
    if world.store.fields(ref) is None and "/" in ref:
        world.store.create(ref, {})
    world.store.put(ref, name, value)


def write_post(world: Transaction, ref: str, name: str, value: Any) -> None:
    """Put what the program keeps of a post; which ones are pending is kept beside."""
    if name == "title":
        value = heading(value)
    elif name == "body":
        value = value.strip("\n")
    world.store.put(ref, name, value)
    if name == "changes":
        world.physics.bind(world, ref)
    elif name == "status":
        number = int(ref.partition("/")[2])
        pending = [n for n in stored(world, "open", "pending", []) if n != number]
        world.store.put("open", "pending", sorted([*pending, number]) if value == "pending" else pending)


def heading(text: str) -> str:
    """A title: one line, no blanks around it, and no signs of how to draw what stands before them. Refused for what can be none."""
    title = " ".join(text.translate(titles.STYLES).split())
    if wrong := titles.why_none(title):
        raise Refused.of(wrong, mend="give it another title")
    return title


def stored(world: Transaction, ref: str, name: str, otherwise: object) -> Any:
    """A field as it stands in the store."""
    kept = world.store.value(ref, name)
    return otherwise if kept is MISSING else kept


# Amounts.


def amount(world: Transaction, ref: str, variable: str) -> int | float:
    """A number, ``variable`` perhaps a path into a map (what is missing there is 0)."""
    head, _, key = variable.partition(".")
    number = entries(world, ref, head).get(key, 0) if key else reading.get(world, ref, head)
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise Refused.of(f"{variable} is no number now")
    return number


def set_amount(world: Transaction, ref: str, variable: str, number: int | float) -> None:
    """Write a number; in a map, 0 takes the key out."""
    head, _, key = variable.partition(".")
    if not key:
        put(world, ref, **{head: number})
        return
    rest = entries(world, ref, head) | {key: number}
    if not number:
        del rest[key]
    put(world, ref, **{head: rest})


def entries(world: Transaction, ref: str, variable: str) -> dict[str, Any]:
    """The entries of a map, to be changed; of what holds nothing, none. A Defect where it holds something else."""
    return dict(_held(world, ref, variable, Mapping, "map") or {})


def members(world: Transaction, ref: str, variable: str) -> list[Any]:
    """The members of a list or set, in the same way."""
    return list(_held(world, ref, variable, list, "list") or [])


def _held(world: Transaction, ref: str, variable: str, kind: type, called: str) -> Any:
    held = reading.get(world, ref, variable)
    if held is None or isinstance(held, kind):
        return held
    raise Defect.of(f"{variable} of {printable(ref, 60)} holds no {called} now")


def minimum(world: Transaction, ref: str, variable: str) -> int | float | None:
    """Where a number ends below; None where nowhere."""
    head, _, key = variable.partition(".")
    declared = world.law.variable(kind_of(ref), head)
    kind = declared.type if declared else None
    if kind and key:
        kind = kind.values
    return kind.minimum if kind else 0


def spend(world: Transaction, ref: str, variable: str, n: object) -> None:
    """Take from a number, or refuse below its minimum."""
    less = positive(n)
    has, least = amount(world, ref, variable), minimum(world, ref, variable)
    if least is not None and has - less < least:
        raise Refused.of(f"{variable}: that takes {n}, and there is {has}")
    set_amount(world, ref, variable, has - less)


def positive(n: object) -> int | float:
    """An amount to move: a number of zero or more."""
    if isinstance(n, bool) or not isinstance(n, int | float):
        raise Defect.of(f"{n!a} is no amount")
    if n < 0:
        raise Refused.of(f"only a positive amount is moved, not {n}")
    return n


# Entities.


def create(world: Transaction, kind: str, name: object = None, /, **fields: object) -> str:
    """Make an entity and give its ref; its other fields take their defaults."""
    world.must_write()
    collection = world.law.declared.collections.get(kind)
    if kind != "players" and collection is None:
        raise Defect.of(f"no rule in force declares a collection {kind}")
    if collection is not None and collection.grid:
        raise Refused.of(f"nothing is added to {kind}")
    key = collection.key if collection is not None else None
    kept = given(world, kind, key, fields)
    entity = naming.id_for(world, kind, key, kept) if name is None else str(name)
    if kind == "players":
        entity = naming.newcomer(world, entity)
    ref = f"{kind}/{entity}"
    base = _unheld(world, kind, entity)
    if kind == "players":
        base |= {"name": naming.called(world.store, entity), "idle": False, "admin": False}
        account = naming.account_of(world.store, entity)
        base |= {"forge": {**account, "since": world.time()}} if account else {}
    world.store.create(ref, base | kept)
    fill(world, ref, kept)
    return ref


def bare(world: Transaction, kind: str, entity: str) -> str:
    """Make an entity of a collection that holds nothing yet, and give its ref."""
    ref = f"{kind}/{entity}"
    world.store.create(ref, _unheld(world, kind, entity))
    return ref


def _unheld(world: Transaction, kind: str, entity: str) -> dict[str, Value]:
    """What every new entity has; Refused where there is one of its id."""
    if world.store.fields(f"{kind}/{entity}") is not None:
        raise Refused.of(f"there is a {printable(entity, 60)} among the {kind} already")
    return {"made": naming.count_made(world, kind)}


def fill(world: Transaction, ref: str, kept: Mapping[str, Value]) -> None:
    """Judge the fields with which an entity came into being, and start the others."""
    kind = kind_of(ref)
    for field, value in kept.items():
        declared = world.law.variable(kind, field)
        if declared is not None:
            _write_declared(world, ref, declared, lawful(world, declared.type, value), filtered=False)
    start_all(world, ref)


def given(world: Transaction, kind: str, key: object, fields: Mapping[str, object]) -> dict[str, Value]:
    """The fields of a new entity as files keep them."""
    parts = naming.key_parts(key)
    return {field: _given(world, kind, field, new, part=field in parts) for field, new in fields.items()}


def _given(world: Transaction, kind: str, field: str, new: object, *, part: bool) -> Value:
    """A field as files keep it; a part of an id is written as text, and a number there is one."""
    declared = world.law.variable(kind, field)
    if declared is None:
        kept = reading.KEPT.get(kind, {}).get(field)
        if kept is None or field == "name":
            raise Defect.of(f"no rule in force declares {field} of {kind}")
        return keep(world, kept, new)
    try:
        written = key_of(declared.type, new) if part else new
        return keep(world, declared.type, written, null=declared.type.nullable)
    except Refused as error:
        raise error.of_part(field) from error


def start_all(world: Transaction, ref: str) -> None:
    """Store the starting value of every variable of an entity that has none yet."""
    for declared in world.law.by_kind.get(kind_of(ref), ()):
        if declared.derived or declared.transient:
            continue
        if declared.tracked == "secret" and not declared.type.default_by:
            continue  # who joins looks at no secret
        if world.store.value(ref, declared.name) is not MISSING:
            continue
        if declared.type.default_by:
            value = keep(world, declared.type, world.ask(declared.type.default_by, ref))
            world.store.put(ref, declared.name, value)
        elif stores_defaults(world, ref):
            world.store.put(ref, declared.name, reading.start(world, ref, declared))


def stores_defaults(world: Transaction, ref: str) -> bool:
    """Whether an entity keeps its starting values: all do but posts and the cells of grids."""
    kind = kind_of(ref)
    return kind != "posts" and not world.law.declared.cells(kind)


def destroy(world: Transaction, ref: Any) -> None:
    """Take an entity away; an emperor who is no more leaves the seat empty."""
    world.must_write()
    kind = writable(world, ref)
    if kind in reading.SINGLE_KINDS or world.law.declared.cells(kind):
        raise Refused.of(f"nothing is taken out of {kind}")
    if kind == "posts":
        write_post(world, ref, "status", None)
    if ref == reading.emperor(world):
        store(world, "dynasty", "emperor", None)
    if kind == "players":
        _let_go(world, ref)
    world.store.destroy(ref)


def _let_go(world: Transaction, ref: str) -> None:
    """Keep what tells a player who leaves, should they come back: their names, and their account."""
    name, account = ref.partition("/")[2], world.store.value(ref, "forge")
    naming.keep_names(world.store, name, naming.names_of(world.store, name))
    if account is not MISSING:
        naming.keep_account(world.store, name, account)


# Posts.


def comment(world: Transaction, ref: Any, text: object, icon: object = None) -> str:
    """Add a comment to a post; its author is the deed's actor."""
    world.must_write()
    if kind_of(str(ref)) != "posts" or world.store.fields(ref) is None:
        raise Refused.of(f"there is no post {printable(str(ref), 60)}")
    by = world.steps[-1].actor if world.steps else None
    entry: dict[str, Value] = {"at": world.time(), "by": by.removeprefix("players/") if by else None}
    if icon is not None:
        entry["icon"] = given_text(icon)
    entry["text"] = given_text(text).strip("\n")
    _refuse_full(world, ref, entry)
    world.store.comment(ref, entry)
    heard(world, int(ref.partition("/")[2]))
    return str(ref)


def _refuse_full(world: Transaction, ref: str, entry: Mapping[str, Value]) -> None:
    """Refuse one more comment of a post that has as many as its file can hold."""
    bounds, said = world.physics.bounds, world.store.comments(ref)

    def more(each: Mapping[str, Value]) -> int:
        return max(0, len(str(each.get("text", ""))) + len(str(each.get("icon", ""))) - bounds.short)

    if len(said) >= bounds.comments:
        raise Refused.of(f"the post has {bounds.comments:,} comments, and takes no more")
    if (new := more(entry)) and new + sum(map(more, said)) > bounds.letters:
        raise Refused.of(
            "the comments of the post would be longer than its file can",
            mend=f"write {bounds.short} letters at most, or post it by itself",
        )


def heard(world: Transaction, number: int) -> None:
    """Note that a post was written, or somebody spoke under it."""
    recent = stored(world, "open", "recent", {})
    since = clock.text(world.now - RECENT)
    kept = {n: at for n, at in recent.items() if at >= since and n != str(number)}
    world.store.put("open", "recent", kept | {str(number): world.time()})


def close(world: Transaction, matter: Any, status: Any, /, **fields: Any) -> None:
    """Freeze a matter's views as they are, then resolve it."""
    world.must_write()
    if reading.get(world, matter, "status") != "pending":
        raise Refused.of("it is resolved already")
    if status not in deriving.RESOLVED:
        raise Defect.of(f"a matter is enacted or failed, not {status}")
    if status == "enacted":
        world.closings.append(Closing(str(matter), world.mark()))
    frozen: dict[str, Any] = {}
    for of, name in world.law.declared.views:
        if of != "matter" or name in ("enactable", "failable", "verdict"):
            continue
        try:
            frozen[name] = bounded(deriving.view(world, name, matter))
        except NomicError as error:
            world.notes.append(
                Failure(f"the view {name} could not be frozen: {error.answered().problems[0].sentence}")
            )
    for declared in world.law.by_kind.get("posts", ()):
        if declared.derived:
            frozen[declared.name] = keep(world, declared.type, reading.get(world, matter, declared.name))
    world.store.put(matter, "frozen", dict(sorted(frozen.items())))
    write_post(world, matter, "status", status)
    put(world, matter, **fields)
