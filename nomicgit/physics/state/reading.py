"""Looking at a game: values, entities, the roster. Source: Words, in ``docs/mechanics.md``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from nomicgit.ground.clock import instant
from nomicgit.ground.files import Value
from nomicgit.ground.problems import Defect, Refused
from nomicgit.law.crossing import KeptList
from nomicgit.law.declaring import underscored
from nomicgit.law.law import Law
from nomicgit.law.values import lawful
from nomicgit.law.variables import MISSING, Missing, Type, Variable
from nomicgit.physics.state import deriving
from nomicgit.physics.state.position import Frame
from nomicgit.physics.state.store import kind_of
from nomicgit.physics.state.transaction import Transaction

TEXT, FLAG, PLAYER = Type("text"), Type("boolean"), Type("player")
KEPT: Mapping[str, Mapping[str, Type]] = MappingProxyType({
    "players": {"name": TEXT, "idle": FLAG, "admin": FLAG},
    "dynasty": {
        "number": Type("integer"), "name": TEXT, "emperor": PLAYER, "began": Type("datetime"), "interregnum": FLAG,
    },
    "game": {"barred": Type("list", items=TEXT)},
    "posts": {
        "kind": TEXT, "title": TEXT, "body": TEXT, "at": Type("datetime"), "tags": Type("list", items=TEXT),
        "changes": Type("list"), "status": TEXT,
    },
})  # fmt: skip
NOT_BY_CLOCK = " is never opened, and what happens by the clock may not hang on it"
MEND_BY_CLOCK = "let what happens by the clock not look at it, but an action, which is kept as secret"
SINGLE_KINDS = frozenset({"game", "dynasty"})
DECLARED_KINDS = frozenset({"rules", "variables", "collections", "actions", "kinds", "deeds"})


def get(world: Transaction, ref: Any, variable: Any, *otherwise: Any) -> Any:
    """A value of an entity as the law sees it."""
    kind = _kind(world, ref)
    if kind in DECLARED_KINDS:
        held = world.physics.describe(world, ref, kind, variable).get(variable, MISSING)
        if held is MISSING and not otherwise:
            raise Defect.of(f"{ref} has no {variable}")
    else:
        held = value(world, ref, kind, variable, bool(otherwise))
    world.meets(held)
    return otherwise[0] if held is MISSING else held


def value(world: Transaction, ref: str, kind: str, variable: str, lenient: bool) -> object:
    """A value; MISSING where nobody declares it and ``lenient`` lets that pass."""
    declared = world.law.variable(kind, variable)
    if world.viewing and declared is not None and declared.tracked == "secret":
        raise Defect.of(f"a view shows everyone what it reads, and {variable} is secret")
    if (kind, variable) in world.store.secrecy.never and world.context.secrets:
        _look_for_good(world, kind, variable)
    if declared is not None and declared.derived:
        if declared.tracked == "secret":
            world.store.look(f"{variable} of {kind}")
        return deriving.derived(world, ref, declared)
    world.note_read(ref, variable)
    stored = world.store.value(ref, variable)
    if declared is not None:
        if stored is MISSING:
            return lawful(world, declared.type, start(world, ref, declared))
        return stored if declared.type.plain else lawful(world, declared.type, stored)
    kept = KEPT.get(kind, {}).get(variable)
    if kept is not None:
        stored = kept.empty() if stored is MISSING else stored
        return stored if kept.plain else lawful(world, kept, stored)
    held = _of_post(world, ref, variable) if kind == "posts" else static(world.law, ref, variable)
    if held is not MISSING or lenient:
        return held
    raise Defect.of(f"no rule in force declares {variable} of {ref}")


def _look_for_good(world: Transaction, kind: str, variable: str) -> None:
    """Note that the law looks at what is never opened: so is whatever hangs on it. By the clock nothing may."""
    if world.timing:
        raise Refused.of(f"{variable} of {kind}{NOT_BY_CLOCK}", mend=MEND_BY_CLOCK)
    world.store.never = True


def static(law: Law, ref: str, variable: str) -> Value | Missing:
    """What the catalogue from which a collection is taken holds of an entity, or MISSING."""
    kind, _, name = ref.partition("/")
    collection = law.declared.collections.get(kind)
    if collection is None or not collection.source:
        return MISSING
    row = law.declared.catalogues.get(collection.source, {}).get(name)
    return row.get(variable, MISSING) if isinstance(row, Mapping) else MISSING


def _of_post(world: Transaction, ref: str, variable: str) -> object:
    match variable:
        case "author":
            author, byline = (world.store.value(ref, field) for field in ("author", "byline"))
            if byline is not MISSING:
                return byline
            return None if author in (MISSING, None) else f"players/{author}"
        case "official" | "votable":
            kind = world.law.declared.posts.get(str(world.store.value(ref, "kind")))
            return bool(kind and getattr(kind, variable))
        case "comments":
            return comments(world, ref)
    return MISSING


def start(world: Transaction, ref: str, variable: Variable) -> Value:
    """The value of a variable where nothing is stored, in the form of files: its default when the entity was made."""
    held = static(world.law, ref, variable.name)
    if not isinstance(held, Missing):
        return held
    entries = former_defaults(world, kind_of(ref), variable.name)
    number = _number(world, ref) if entries else 0
    for entry in entries:
        if number <= entry["last"]:
            former: Value = entry["value"]
            return former
    return default(world.law, ref, variable)


def given(law: Law, ref: str, variable: Variable) -> Value:
    """What a law gives an entity at first: what the catalogue holds from which it is taken, or the default."""
    held = static(law, ref, variable.name)
    return default(law, ref, variable) if isinstance(held, Missing) else held


def default(law: Law, ref: str, variable: Variable) -> Value:
    """The value with which a variable of an entity begins under a law."""
    kind, _, name = ref.partition("/")
    collection = law.declared.collections.get(kind)
    row = collection.founding.get(name) if collection is not None and collection.grid else None
    return row[variable.name] if row and variable.name in row else variable.type.empty()


def former_defaults(world: Transaction, kind: str, variable: str) -> Sequence[Mapping[str, Any]]:
    """The former defaults of a variable that hold for some entities still, the first one first."""
    kept = world.store.value("open", "defaults")
    return kept.get(kind, {}).get(variable, ()) if isinstance(kept, dict) else ()


def _number(world: Transaction, ref: str) -> int:
    """The number under which an entity was made among its kind; 0 for what has none."""
    kind, _, name = ref.partition("/")
    made = int(name) if kind == "posts" else world.store.value(ref, "made")
    return made if isinstance(made, int) else 0


def exists(world: Transaction, ref: object) -> bool:
    """Whether a ref names something there is."""
    if not isinstance(ref, str):
        return False
    kind, _, name = ref.partition("/")
    tables = world.law.declared
    match kind:
        case "game" | "dynasty":
            return not name
        case "rules":
            return name in world.ruleset.by_slug
        case "variables":
            return any(v.name == underscored(name) for v in tables.variables.values())
        case "collections":
            return name in tables.collections
        case "actions":
            return name in tables.actions
        case "kinds":
            return name in tables.posts
        case "deeds":
            return world.context.history.deed(name) is not None
    world.note_read(f"{kind}/*", "created")
    if cells := tables.cells(kind):
        return name in cells
    return tables.knows(kind) and world.store.fields(ref) is not None


def find(world: Transaction, kind: str, /, **wanted: object) -> list[str]:
    """The refs of all of a kind whose fields have these values, in the kind's order; not to be changed by the caller."""
    world.note_read(f"{kind}/*", "created")
    for field in wanted or ("created",):
        world.note_read(f"{kind}/*", field)
        if world.store.secrecy.hides(kind, field):
            world.store.look(f"{field} of {kind}")
        if (kind, field) in world.store.secrecy.never and world.context.secrets:
            _look_for_good(world, kind, field)
    if not all(_stored(world, kind, field) for field in wanted):
        return _found(world, kind, wanted)
    stamp, memo = world.memories.searches
    if stamp != (world.store.version, world.law):
        memo = {}
        world.memories.searches = (world.store.version, world.law), memo
    key = kind, json.dumps(wanted)
    if key not in memo:
        memo[key] = KeptList(_found(world, kind, wanted))
    return memo[key]


def _stored(world: Transaction, kind: str, field: str) -> bool:
    """Whether a field hangs on nothing but what is stored, and the law."""
    declared = world.law.variable(kind, field)
    known = field in KEPT.get(kind, ()) or (kind == "posts" and field == "author")
    return kind not in DECLARED_KINDS and (known if declared is None else not declared.derived)


def _found(world: Transaction, kind: str, wanted: Mapping[str, object]) -> list[str]:
    refs = _candidates(world, kind, wanted)
    for field, sought in wanted.items():
        if not (kind == "posts" and field == "status" and sought == "pending"):
            refs = [ref for ref in refs if _same(_field(world, ref, field), sought)]
    return refs


def _same(held: object, sought: object) -> bool:
    return held == sought and isinstance(held, bool) == isinstance(sought, bool)


def _field(world: Transaction, ref: str, field: str) -> object:
    frames, looked = world.frames, Frame()
    world.frames = [looked]  # a search reads the kind, not each entity: one mark serves all, but for the time
    try:
        return get(world, ref, field, None)
    finally:
        world.frames = frames
        if frames:
            seen = looked.whole()
            kept = Frame(instants=seen.instants, passing=seen.passing, times=seen.times, clocked=seen.clocked)
            world.note_frame(kept)


def _candidates(world: Transaction, kind: str, wanted: Mapping[str, object]) -> list[str]:
    tables = world.law.declared
    match kind:
        case "rules":
            return [f"rules/{p.slug}" for p in world.ruleset.rules]
        case "variables":
            of = wanted.get("of")
            return [f"variables/{v.name}" for v in tables.variables.values() if of in (None, v.of)]
        case "collections" | "actions":
            return [f"{kind}/{name}" for name in getattr(tables, kind)]
        case "kinds":
            return [f"kinds/{name}" for name in tables.posts]
        case "posts" if wanted.get("status") == "pending":
            pending = world.store.value("open", "pending")
            return [f"posts/{n}" for n in (pending if pending is not MISSING else [])]
    if cells := tables.cells(kind):
        return [f"{kind}/{cell}" for cell in cells]
    if tables.knows(kind):
        return [f"{kind}/{i}" for i in world.store.ids(kind)]
    raise Defect.of(f"no rule in force declares a collection {kind}")


def whole_entity(world: Transaction, ref: str) -> dict[str, object]:
    """The whole entity: every kept and declared field."""
    kind = _kind(world, ref)
    if kind in DECLARED_KINDS:
        return dict(world.physics.describe(world, ref, kind))
    names = [*KEPT.get(kind, {}), *(v.name for v in world.law.by_kind.get(kind, ()))]
    fields = {name: get(world, ref, name) for name in names}
    return fields | ({"author": get(world, ref, "author")} if kind == "posts" else {})


def _kind(world: Transaction, ref: object) -> str:
    if not isinstance(ref, str):
        raise Defect.of(f"{ref!a} is no reference")
    kind, slash, _ = ref.partition("/")
    if kind in ("game", "dynasty") and not slash:
        return kind
    if kind in DECLARED_KINDS or world.law.declared.knows(kind):
        return kind
    return kind if slash else "game/" + kind


def comments(world: Transaction, ref: str, last: object = None) -> list[dict[str, object]]:
    """The comments of a post, oldest first, or the ``last`` so many: ``{by, at, icon, text}``, ``by`` a ref."""
    if last is not None and (isinstance(last, bool) or not isinstance(last, int)):
        raise Defect.of(f"{last!a} is no number of comments")
    world.note_read(ref, "comments")
    said = world.store.comments(ref)
    return [{"by": f"players/{c['by']}" if c.get("by") else None, "at": c["at"], "icon": c.get("icon"), "text": c.get("text", "")}
            for c in (said if last is None else said[max(0, len(said) - last):])]  # fmt: skip


# The roster.


def roster(world: Transaction, view_key: str = "", *, idle: bool = False) -> list[str]:
    """The players as a rule counts them, in order of joining. ``idle``: idle ones too."""
    world.note_read("players/*", "roster")
    version, memo = world.memories.rosters
    if version != world.store.version:
        memo = {}
        world.memories.rosters = (world.store.version, memo)
    key = view_key + ("+" if idle else "")
    if key not in memo or world.counting:
        everybody = idle or "i" in view_key or world.counting
        refs = [f"players/{i}" for i in world.store.ids("players")] if everybody else world.store.active()
        lead = emperor(world)
        memo[key] = KeptList(r for r in refs if _counts(world, r, view_key, idle, lead))
    return memo[key]


def _counts(world: Transaction, ref: str, view_key: str, idle: bool, lead: str | None) -> bool:
    if "d" in view_key and ref == lead:
        return False
    return idle or "i" in view_key or ref in world.counting or not is_idle(world, ref)


def emperor(world: Transaction) -> str | None:
    """The emperor, idle or not; None in a metadynasty."""
    world.note_read("dynasty", "emperor")
    player = world.store.value("dynasty", "emperor")
    return f"players/{player}" if isinstance(player, str) else None


def is_idle(world: Transaction, ref: object) -> bool:
    """Whether an entity is a player who is idle."""
    world.note_read(str(ref), "idle")
    return world.store.value(ref, "idle") is True if isinstance(ref, str) else False


def is_player(world: Transaction, ref: object, view_key: str = "") -> bool:
    """Whether a ref counts as a player."""
    if not isinstance(ref, str) or not ref.startswith("players/") or world.store.fields(ref) is None:
        return False
    world.note_read("players/*", "roster")
    return _counts(world, ref, view_key, idle=False, lead=emperor(world))


def admins(world: Transaction) -> list[str]:
    """The active players who are admins."""
    world.note_read("players/*", "admin")
    return [r for r in roster(world) if world.store.value(r, "admin") is True]


def seconds(at: object) -> int:
    """The instant of a time or date of the law."""
    if not isinstance(at, str):
        raise Defect.of(f"{at!a} is no time")
    return instant(at + "T00:00:00Z" if len(at) == 10 else at)
