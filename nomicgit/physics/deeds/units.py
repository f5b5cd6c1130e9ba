"""Units: what is done whole or not at all, and what settles after it. Source: Units, in ``docs/mechanics.md``."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator
from contextlib import contextmanager

from nomicgit.ground import files
from nomicgit.ground.clock import text
from nomicgit.ground.files import Value
from nomicgit.ground.problems import Defect, Problem, Refused, unforeseen
from nomicgit.law.hooks import Recurring, Settle, Timed
from nomicgit.law.law import Law
from nomicgit.law.ruleset import Ruleset
from nomicgit.law.values import keep, key_of, lawful
from nomicgit.law.variables import ANY, ENTITIES, MISSING, Missing, Type, Variable, kind_of_all
from nomicgit.physics.deeds import former, furnishing
from nomicgit.physics.state import naming, reading, resetting, writing
from nomicgit.physics.state.store import Change, kind_of
from nomicgit.physics.state.transaction import Transaction, Unkept

TO_REST = (
    "let it change what it watches only while something is left to change: ask with an if before it writes"
)
_OF_ROSTER = {("players/*", field) for field in ("created", "destroyed", "idle", "admin")}


@contextmanager
def unit(world: Transaction, *, alone: bool = False) -> Iterator[None]:
    """What is done within is done whole, with its settles, or all taken back where something raises.

    What the unit around it has changed so far waits for that unit's own settles. One that goes ``alone``,
    as what is skipped where it cannot be done, is refused by itself where it would keep something secret.
    """
    if world.ruled is None:
        world.ruled = world.law
    around = _unsettled(world)
    world.units.append(len(world.store.log))
    try:
        with world.savepoint() as before:
            yield
            settle(world)
            if alone:
                written = dict.fromkeys(change.ref for change in world.store.since(before.log))
                _keepable(world, written)
    except Exception as error:
        raised = unforeseen(error, "carry this out")
        raise raised from raised.__cause__
    finally:
        world.units.pop()
        world.unsettled = around


def _unsettled(world: Transaction) -> list[Change]:
    """The changes for which no settle has run yet; they are taken off the list."""
    changes = [*world.unsettled, *world.store.since(world.settled)]
    world.unsettled, world.settled = [], len(world.store.log)
    return changes


def settle(world: Transaction) -> None:
    """Run the settles until nothing changes; after a change of the law for all entities."""
    before = world.ruled
    if before is not None and world.ruleset is not before.ruleset:
        world.rule_by(world.law)
        _new_law(world, before)
    ran: list[Settle] = []
    for _ in range(world.physics.bounds.rounds):
        _heal_after_going(world)
        changes = _unsettled(world)
        if not changes or not world.law.declared.settles:
            return
        ran = _round(world, changes)
    named = {f"the settle {each.name} of the rule {world.ruleset.by_slug[each.rule].title}" for each in ran}
    problem = Problem(f"these never come to rest: {', '.join(sorted(named))}", mend=TO_REST)
    raise Refused(world.law.place(problem, ran[0].function) if ran else problem)


def _round(world: Transaction, changes: list[Change]) -> list[Settle]:
    ran = []
    fields = {(c.ref, c.field) for c in changes}
    kinds = {(f"{kind_of(c.ref)}/*", c.field) for c in changes}
    moved: dict[str, list[Change]] = {}
    for change in changes:
        moved.setdefault(kind_of(change.ref), []).append(change)
    for each in list(world.law.declared.settles.values()):
        concerned = changes if "emperor" in each.watches else moved.get(each.kind, [])
        for ref in _affected(world, each, concerned, fields | kinds):
            if run_settle(world, each, ref):
                ran.append(each)
    return ran


def run_settle(world: Transaction, settle: Settle, ref: str) -> bool:
    """Run one settle for one entity; whether it ran."""
    if not world.runs(settle.function):
        return False
    if not reading.exists(world, ref) and not (
        "destroyed" in settle.watches and world.law.declared.knows(kind_of(ref))
    ):  # settles of a collection whose rule is gone rest
        return False
    if settle.where and not _concerns(world, settle, ref):
        return False
    writing.guarded(world, settle.function, ref)
    return True


def _concerns(world: Transaction, settle: Settle, ref: str) -> bool:
    """Whether an entity has what a settle asks for before it runs."""
    try:
        return bool(reading.get(world, ref, settle.where, None))
    except Defect as error:
        world.rest(settle.function, settle.name, error)
        return False


def _affected(
    world: Transaction, settle: Settle, changes: list[Change], seen: set[tuple[str, str]]
) -> list[str]:
    affected: dict[str, None] = {}
    stored = {"idle" if w == "active" else w for w in settle.watches} if changes else ()
    led = settle.kind == "players" and "emperor" in settle.watches
    for change in changes:
        if kind_of(change.ref) == settle.kind and (
            change.field in stored or (change.field == "created" and settle.watches)
        ):
            affected[change.ref] = None
        elif led and (change.ref, change.field) == ("dynasty", "emperor"):
            affected |= dict.fromkeys(reading.roster(world, idle=True))
    for name in world.law.derived_watches.get(settle.name, ()):
        affected |= dict.fromkeys(_moved(world, settle, name, seen))
    if settle.whose == "matter":
        return [ref for ref in affected if reading.exists(world, ref) and reading.get(world, ref, "votable")]
    return list(affected)


def _moved(world: Transaction, settle: Settle, name: str, seen: set[tuple[str, str]]) -> Iterable[str]:
    """The entities whose derived value looked at something that was written."""
    marks = seen | {("players/*", "roster")} if seen & _OF_ROSTER else seen
    for ref in entities(world, settle.kind):
        try:
            with world.recording() as frame:
                reading.get(world, ref, name)
        except Defect as error:
            world.rest(settle.function, settle.name, error)
            return
        if frame.whole().reads & marks:
            yield ref


def entities(world: Transaction, kind: str) -> list[str]:
    """All entities of a kind; of posts only the pending ones."""
    if kind in ("game", "dynasty"):
        return [kind]
    if kind == "posts":
        return reading.find(world, "posts", status="pending")
    if kind == "players" or kind in world.law.declared.collections:
        return reading.find(world, kind)
    return []


def timed(world: Transaction, hook: Timed) -> Iterator[tuple[str, object]]:
    """The entities of a scheduled function with the time that each holds; those where it is not asked are passed over."""
    for ref in entities(world, hook.kind):
        if not hook.where or reading.get(world, ref, hook.where, None):
            at = reading.get(world, ref, hook.at, None)
            if at is not None:
                yield ref, at


# A new law.


def amend_law(world: Transaction, ruleset: Ruleset) -> None:
    """Take another ruleset, and keep the slugs of rules that are gone: they are no other's. Refused where it has problems."""
    used = writing.stored(world, "used", "slugs", [])
    kept = sorted({*used, *(slug for slug in world.ruleset.by_slug if slug not in ruleset.by_slug)})
    if kept != used:
        world.store.put("used", "slugs", kept)
    world.amend_law(ruleset)
    if world.law.problems:
        raise Refused(*world.law.problems)


def _new_law(world: Transaction, before: Law) -> None:
    """What a change of the law brings with it, in the same unit."""
    after = world.law
    after.compile(world.until)  # what does not compile is refused here
    _drop(world, before)
    former.keep_defaults(world, before)
    _declare(world, before)
    heal(world, secrets=not after.ruleset.acts_as(before.ruleset))
    there = {placed.slug for placed in before.active}
    begin(world, [placed.slug for placed in after.active if placed.slug not in there])
    start_clocks(world)
    run_all(world)


def _drop(world: Transaction, before: Law) -> None:
    """The variables and collections that no rule declares any more go, be their rule repealed or amended; those of one that is
    in force no more, and may be again, stay.
    """
    declared, after = before.declared, world.law
    resting = set(after.ruleset.by_slug) - {placed.slug for placed in after.active}
    gone = [
        name
        for name, collection in declared.collections.items()
        if collection.rule not in resting and name not in after.declared.collections
    ]
    for name in gone:
        for entity in list(world.store.ids(name)):
            world.store.destroy(f"{name}/{entity}")
    naming.put_by_counts(world, gone)
    for (of, name), variable in declared.variables.items():
        kind = kind_of_all(of)
        if variable.rule in resting or (of, name) in after.declared.variables:
            continue
        all_of_them = kind not in ("game", "dynasty", "posts")  # of posts the pending ones
        for ref in [f"{kind}/{i}" for i in world.store.ids(kind)] if all_of_them else entities(world, kind):
            world.store.put(ref, name, MISSING)


def _declare(world: Transaction, before: Law) -> None:
    """The founding entities of new collections, and starting values of new variables for those there already."""
    come = [
        each
        for kind, each in world.law.declared.collections.items()
        if kind not in before.declared.collections
    ]
    naming.take_up_counts(world, [each.name for each in come])
    made, used = writing.stored(world, "open", "made", {}), writing.stored(world, "used", "slugs", [])
    furnishing.furnish(
        world,
        [
            each
            for each in come
            if each.name not in made or (each.rule not in before.ruleset.by_slug and each.rule not in used)
        ],
    )
    for (of, name), variable in world.law.declared.variables.items():
        if (of, name) in before.declared.variables:
            continue
        _refuse_nobody(world, variable)
        for ref in entities(world, kind_of_all(of)):
            if writing.stores_defaults(world, ref) or variable.type.default_by:
                writing.start_all(world, ref)


def _refuse_nobody(world: Transaction, variable: Variable) -> None:
    """Refuse a default that names an entity of a collection which is not there: everything that begins with it would be illegal."""
    kind, default = variable.type, variable.type.default
    if isinstance(default, Missing) or (kind.items or kind).kind not in world.law.declared.collections:
        return
    try:
        keep(world, kind, default)
    except Refused as refused:
        of_collection = variable.of in world.law.declared.collections
        path = ("collections", variable.of, "fields") if of_collection else ("variables",)
        place = world.law.declared_at(variable.rule, *path, variable.name, "default")
        what = f"{'.'.join((*path, variable.name))}.default: {refused.problems[0].what}"
        mend = "write the name of one that there is, or leave the default out"
        raise Refused(Problem(what, place, mend)) from refused


def heal(world: Transaction, *, secrets: bool = False, gone: Container[str] = ()) -> None:
    """Treat stored values that are illegal now as the law says: ``invalid``, else the starting value.

    Of what is secret only what names entities of a kind of which some are ``gone``, where not all ``secrets`` are looked at.
    """
    for kind, variables in world.law.by_kind.items():
        named = [v for v in variables if secrets or _names(v.type, gone)]
        if kind in world.store.secrecy.kinds and not named:
            continue
        keeping = [v for v in variables if not v.derived and (v.tracked != "secret" or v in named)]
        for ref in entities(world, kind):
            if world.store.fields(ref) is None and kind not in ("game", "dynasty"):
                continue
            for variable in keeping:
                if resetting.illegal(world, ref, variable):
                    _heal(world, ref, variable.name)


def _heal(world: Transaction, ref: str, name: str) -> None:
    variable = world.law.variable(kind_of(ref), name)
    assert variable is not None
    old = world.store.value(ref, name)
    if variable.invalid and world.law.has(variable.invalid):
        new = world.ask(variable.invalid, ref, lawful(world, variable.type, old))
        if new == lawful(world, variable.type, old):
            return
        writing.write(world, ref, kind_of(ref), name, new, filtered=False)
        return
    rest = _legal_rest(world, variable.type, old)
    if rest is not MISSING and rest != old:
        world.store.put(ref, name, rest)
        if not resetting.illegal(world, ref, variable):
            return
    resetting.restart(world, ref, variable)


def _legal_rest(world: Transaction, kind: Type, old: Value) -> Value | Missing:
    """A list, set or map without the elements that are illegal now; MISSING for what is illegal itself."""
    rest: Value = old
    if isinstance(old, list) and kind.kind in ("list", "set"):
        rest = [
            v for item in old if not isinstance(v := _legal_rest(world, kind.items or ANY, item), Missing)
        ]
        rest = rest if kind.maximum is None else rest[: int(kind.maximum)]
    elif isinstance(old, dict) and kind.kind == "map":
        keys, values = kind.keys or ANY, kind.values or ANY
        legal = {
            k: _legal_rest(world, values, v)
            for k, v in old.items()
            if _legal_rest(world, keys, key_of(keys, k)) is not MISSING
        }
        rest = {k: v for k, v in legal.items() if not isinstance(v, Missing)}
    try:
        return keep(world, kind, rest, null=kind.nullable)
    except Refused as error:
        error.answered()
        return MISSING


def _heal_after_going(world: Transaction) -> None:
    """Whatever named an entity that is gone is illegal now."""
    changes = [*world.unsettled, *world.store.since(world.settled)]
    gone = {kind_of(change.ref) for change in changes if change.field == "destroyed"}
    if gone:
        heal(world, gone=gone)


def _names(kind: Type, gone: Container[str]) -> bool:
    """Whether values of a type name entities of these kinds."""
    parts = (kind.items, kind.keys, kind.values, *kind.fields.values())
    named = ENTITIES.get(kind.kind, kind.kind)
    return (
        named in gone or kind.kind == "entry" or any(_names(part, gone) for part in parts if part is not None)
    )


def begin(world: Transaction, slugs: Iterable[str]) -> None:
    """Tell each rule that comes into force that it does."""
    wanted = set(slugs)
    for hook in list(world.law.declared.listeners.get("begins", ())):
        if hook.rule in wanted and world.runs(hook.function):
            writing.guarded(world, hook.function)


def start_clocks(world: Transaction, *, founding: bool = False) -> None:
    """Set the clocks of scheduled functions that have none: they run from now on."""
    clocks = writing.stored(world, "open", "clocks", {})
    new = {}
    for hook in world.law.declared.schedule.values():
        match hook:
            case Recurring() if hook.name not in clocks:
                inclusive = founding and hook.at_founding
                new[hook.name] = text(world.now - 1 if inclusive else world.now)
            case Timed() if founding and not hook.at_founding:
                new |= {f"{hook.name} {ref}": at for ref, at in _due_now(world, hook)}
    names = world.law.declared.schedule
    kept = {name: at for name, at in clocks.items() if name.partition(" ")[0] in names}
    if new or len(kept) < len(clocks):
        world.store.put("open", "clocks", dict(sorted((kept | new).items())))


def _due_now(world: Transaction, hook: Timed) -> Iterable[tuple[str, str]]:
    """The entities whose time has come already, with it."""
    for ref, at in timed(world, hook):
        if isinstance(at, str) and reading.seconds(at) <= world.now:
            yield ref, text(reading.seconds(at))


def run_all(world: Transaction) -> None:
    """Run every settle for every entity: at founding, and when the law has changed."""
    for each in list(world.law.declared.settles.values()):
        for ref in entities(world, each.kind):
            run_settle(world, each, ref)


def emit(world: Transaction, event: str, *arguments: object) -> None:
    """Let the rules that listen hear of an event, at once, in ruleset order, as the deed's parent has them."""
    law = world.parent_law or world.law
    for hook in list(law.declared.listeners.get(event, ())):
        if event == "begins" or hook.function in world.resting or not law.has(hook.function):
            continue
        try:
            with world.savepoint():
                world.call_under(law, hook.function, *arguments)
        except Defect as error:
            if law is world.law:  # a hook of the old law that meets what was repealed is passed over
                world.rest(hook.function, hook.function, error)


def forget_transient(world: Transaction) -> None:
    """Transient variables take their defaults again: they are never stored."""
    written = {(change.ref, change.field) for change in world.store.since(0)}
    written |= {(c.ref, field) for c in world.store.since(0) if c.field == "created" for field in c.new}
    for ref in world.store.touched():
        if world.store.fields(ref) is None:
            continue
        for variable in world.law.by_kind.get(kind_of(ref), ()):
            if variable.transient and (ref, variable.name) in written:
                world.store.put(ref, variable.name, MISSING)


def keepable(world: Transaction) -> None:
    """Refuse a deed that has written what cannot be kept: more than a file holds, or a secret in a game without keys."""
    _keepable(world, world.store.touched())


def _keepable(world: Transaction, refs: Collection[str]) -> None:
    for ref in refs:
        fields = (
            None if ref.startswith("scenarios/") else world.store.public(ref)
        )  # a scenario is a text alone
        if fields and not files.fits({name: value for name, value in fields.items() if name != "body"}):
            raise Refused.of(f"{ref} would hold more than its file can", mend="let it hold less")
    _keep_public(world, refs)


def _keep_public(world: Transaction, refs: Iterable[str]) -> None:
    """Refuse what would be secret of these entities; what would be told in private is refused where it is told."""
    if world.context.secrets:
        return
    for ref in refs:
        fields = world.store.fields(ref)
        for variable in world.law.by_kind.get(kind_of(ref), ()) if fields else ():
            if variable.tracked != "secret" or (variable.transient and len(world.units) > 1):
                continue
            kept = world.store.value(ref, variable.name)
            if kept is MISSING:
                continue
            if kept == variable.type.empty() or kept is None:
                world.store.put(ref, variable.name, MISSING)
            else:
                raise Unkept.of_what(variable.name)
