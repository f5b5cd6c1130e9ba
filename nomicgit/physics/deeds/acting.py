"""Actions: who may, with what, whether open, how often, and carrying out. Source: A deed, in ``docs/architecture.md``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from nomicgit.ground.nearness import slipped
from nomicgit.ground.problems import Defect, NomicError, Place, Problem, Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.declarations import Action
from nomicgit.law.declaring import underscored
from nomicgit.law.hooks import Guard
from nomicgit.law.linking import written
from nomicgit.law.values import keep, lawful, missing
from nomicgit.law.variables import MISSING, Type
from nomicgit.physics.deed import Failure
from nomicgit.physics.deeds import costs, limits, units
from nomicgit.physics.state import naming, reading, writing
from nomicgit.physics.state.context import Chance, several
from nomicgit.physics.state.store import NeedsKey, Sealed
from nomicgit.physics.state.transaction import Step, Transaction, Unkept

FOR_ADMIN = "that is for an admin"


def perform(world: Transaction, name: str, actor: str | None, given: Mapping[str, object]) -> object:
    """Do an action as a unit: asked, limited, carried out, settled. Returns what its function returns.

    A defect in its functions, and in those that its declaration names, is a refusal with its rule and line.
    """
    try:
        with units.unit(world):
            return _performed(world, name, actor, given)
    except Defect as error:
        first = error.problems[0]
        raise Refused(
            Problem(f"the law of {printable(name, 60)} is defective: {first.what}", first.where, first.mend)
        ) from error


def _performed(world: Transaction, name: str, actor: str | None, given: Mapping[str, object]) -> object:
    action = world.law.declared.action(name)
    if action is None:
        what = f"no rule in force declares an action {printable(name, 60)}"
        raise Refused.of(what, mend=remedy("see:", command("nomicgit", "actions")))
    asked(world, action, actor, given)
    if (unkept := sealed(world, action)) is not None:
        raise unkept
    typed = _typed(world, action, actor, given)
    hidden = action.hidden(typed)
    if hidden:
        if not world.context.secrets:
            raise _unkept(action)
        if not world.context.surmising:
            world.store.look(f"who does {action.name}, and how,")
    if not world.steps:
        world.hidden, world.never = hidden, bool(hidden) and action.never
    elif hidden:
        world.never &= action.never
    world.steps.append(Step(actor, action.name, typed))
    try:
        guards(world, action, actor, typed)
        refuse(world, action, opening(world, action, actor))
        if attempt_ends(world, action, actor, typed):
            return None
        given_back = limited(world, action, actor, typed)
        units.settle(world)  # while the step is under way: what settles may ask for its parameters
        return given_back
    finally:
        world.steps.pop()


def sealed(world: Transaction, action: Action) -> Unkept | None:
    """None, or the refusal of an action that is private, in a game that keeps no secrets."""
    return None if world.context.secrets or not action.always_private else _unkept(action)


def _unkept(action: Action) -> Unkept:
    return Unkept.of_what(f"the private action {action.name}")


def limited(world: Transaction, action: Action, actor: str | None, typed: Mapping[str, object]) -> object:
    """Use the action's limit, charge what it costs, and carry it out."""
    if action.limit:
        limits.use(world, action.limit, actor, action.name)
    if action.takes:
        costs.charge(world, action, actor, typed)
    return carry_out(world, action, actor, typed)


def attempt_ends(world: Transaction, action: Action, actor: str | None, typed: Mapping[str, object]) -> bool:
    """Whether a guard of attempts ends the deed as done, its action not run and no limit used.

    Such guards are asked after everything else, and only where the action would not be refused.
    """

    def whole() -> None:
        with units.unit(world):
            limited(world, action, actor, typed)

    attempts = [g for g in world.law.declared.guards.values() if g.attempt and applies(world, g, action)]
    if not any(world.law.has(guard.function) for guard in attempts) or world.refused(whole):
        return False
    said = next(filter(None, (_said(world, guard, action, actor, typed) for guard in attempts)), "")
    if said:
        world.notes.append(Failure(said))
    return bool(said)


def carry_out(world: Transaction, action: Action, actor: str | None, typed: Mapping[str, object]) -> object:
    """Call the action's function."""
    if not world.law.has(action.function):
        raise Refused.of(f"no rule in force carries out {action.name} (it would be {action.function})")
    taken = world.law.parameters.get(action.function, ())
    named = {argument(name, taken): typed[name] for name in action.own}
    return world.call(action.function, actor, **named)


def argument(name: str, taken: Sequence[str]) -> str:
    """A parameter's name among those that a function takes: as it is declared, or with ``_`` at its end."""
    return name + "_" if name not in taken and name + "_" in taken else name


def refuse(world: Transaction, action: Action, why: object, mend: str = "") -> None:
    """Refuse with the reason that a judging function gave, if it gave one."""
    if why:
        placed = world.ruleset.by_slug.get(action.rule)
        raise Refused(Problem(str(why), Place(rule=placed.title if placed else ""), mend))


def asked(world: Transaction, action: Action, actor: str | None, given: Mapping[str, object]) -> None:
    """Refuse whoever may not do it at all, with what they can do instead, where the law says that; of what is done to another
    ``player``, what that one can do.
    """
    why = who_bars(world, action, actor)
    named = given.get("player") if why and action.instead else None
    other = naming.player_id(world, named.removeprefix("players/")) if isinstance(named, str) else None
    whose = f"{naming.called(world.store, other)} can " if other and f"players/{other}" != actor else ""
    refuse(world, action, why, f"{whose}{action.instead}")


def who_bars(world: Transaction, action: Action, actor: str | None) -> str:
    """Nothing, or why an actor is none of those whom ``by`` names."""
    reasons = [_bars(world, action, who, actor) for who in action.by]
    return "" if "" in reasons else reasons[0]


def _bars(world: Transaction, action: Action, who: str, actor: str | None) -> str:
    if who == "anyone":
        return ""
    if who not in ("player", "emperor", "admin"):
        if not world.law.has(who):
            return f"nobody defines {written(who)}, which says who may do it"
        return world.judge(who, actor)
    if actor is None or world.store.fields(actor) is None:
        return "you are no player"
    view = world.law.view_of(action.rule)
    idle = reading.is_idle(world, actor) and "i" not in view and actor not in world.counting
    if idle and not action.idle:
        return "you are idle"
    if who == "emperor":
        known = actor == reading.emperor(world)
        return "" if known else f"that is for the emperor ({term(world, 'emperor')})"
    if who == "admin":
        return "" if world.store.value(actor, "admin") is True else FOR_ADMIN
    if "d" in view and actor == reading.emperor(world):
        return "the emperor is no player here"
    return ""


def term(world: Transaction, role: str) -> str:
    """A role's name now; a role without a term has its base word."""
    return world.law.declared.terms.get(role) or role


def _typed(
    world: Transaction, action: Action, actor: str | None, given: Mapping[str, object]
) -> dict[str, object]:
    """A step's parameters; the functions that judge them see by ``deed`` whose they are."""
    with _asked_by(world, action, actor):
        return parameters(world, action, given)


@contextmanager
def _asked_by(world: Transaction, action: Action, actor: str | None) -> Iterator[None]:
    """A step of which no parameter is known yet, while they are judged."""
    world.steps.append(Step(actor, action.name, {}))
    try:
        yield
    finally:
        world.steps.pop()


def _near(action: Action, name: str, given: Collection[str]) -> str:
    """Which parameter was meant by a name that none has, of those that are not given."""
    return slipped(
        name, [each.rstrip("_").replace("_", "-") for each in action.parameters if each not in given]
    )


def parameters(world: Transaction, action: Action, given: Mapping[str, object]) -> dict[str, object]:
    """All parameters as the law sees them: typed, normalised, defaults filled. Refused names all that are wrong."""
    typed: dict[str, Any] = {}
    plain = {plainly(action, name): value for name, value in given.items()}
    has = ", ".join(action.parameters) or "none"
    wrong = [
        Problem(
            f"{action.name} has no parameter {printable(name, 60)} (it has {has})",
            mend=_near(action, name, plain),
        )
        for name in plain
        if name not in action.parameters
    ]
    wrong += missing(action.parameters, plain)
    for name, kind in action.parameters.items():
        if kind.required and name not in plain:
            continue
        try:
            typed[name] = _parameter(world, name, kind, plain.get(name, MISSING))
        except Refused as error:
            if type(error) is not Refused:
                raise
            wrong += error.problems
    if wrong:
        raise Refused(*wrong)
    return typed


def plainly(action: Action, name: object) -> str:
    """A parameter's name as it is declared, of one that may be spelled otherwise."""
    plain = underscored(str(name))
    return plain[:-1] if plain.endswith("_") and plain not in action.parameters else plain


def _parameter(world: Transaction, name: str, kind: Type, value: object) -> object:
    if value is MISSING or (value is None and kind.default is None):
        default = world.ask(kind.default_by) if kind.default_by else kind.default
        return lawful(world, kind, default)
    try:
        kept = lawful(world, kind, keep(world, kind, value, null=kind.default is None))
        why = _judged(world, kind, kept)
    except Refused as error:
        raise error.of_part(name) from error
    if why:
        raise Refused.of(f"{name}: {why}")
    return kept


def _judged(world: Transaction, kind: Type, value: Any) -> str:
    """Nothing, or why a parameter is refused by its ``which``; of an entry each detail is asked."""
    row = world.row(kind.catalogue, value["action"]) if kind.kind == "entry" and value else None
    for name, detail in (world.parameters(row, kind.rule) if row else {}).items():
        why = _judged(world, detail, value.get(name))
        if why:
            return f"{name}: {why}"
    return "" if value is None else world.judge(kind.which, value)


# Guards.


def _barring(world: Transaction, action: Action, actor: str) -> Iterator[Callable[[], str]]:
    """What may stand against an action whatever its parameters, one after the other: guards, its own opening, its limit, its cost."""

    def asked(asks: Callable[[], str]) -> str:
        with world.asking():
            return asks()

    for guard in list(world.law.declared.guards.values()):
        if not guard.attempt and applies(world, guard, action):
            yield partial(asked, partial(_said, world, guard, action, actor, None))
    yield partial(asked, partial(opening, world, action, actor))
    if action.limit:
        yield partial(limits.why_not, world, action.limit, actor, action.name)
    if action.takes:
        yield partial(costs.why_not, world, action, actor)


def guards(world: Transaction, action: Action, actor: str | None, given: Mapping[str, object] | None) -> None:
    """Ask the guards of an action, in ruleset order; the first refusal is told."""
    for guard in list(world.law.declared.guards.values()):
        asked = not guard.attempt and applies(world, guard, action)
        if asked and (why := _said(world, guard, action, actor, given)):
            raise Refused.of(why)


def stand(
    world: Transaction, guard: Guard, action: Action, actor: str | None, given: Mapping[str, object]
) -> str:
    """What one guard of an action says to somebody who asks for it, or nothing."""
    return _said(world, guard, action, actor, _typed(world, action, actor, given))


def applies(world: Transaction, guard: Guard, action: Action) -> bool:
    """Whether a guard stands before an action."""
    if world.law.declared.protected(action.name, guard.section):
        return False
    return chosen(guard, action)


def chosen(guard: Guard, action: Action) -> bool:
    """Whether a guard says of itself that it stands before an action."""
    return _selected(guard.on, action) and not _selected(guard.besides, action)


def _said(
    world: Transaction, guard: Guard, action: Action, actor: str | None, given: Mapping[str, Any] | None
) -> str:
    """What a guard says to an action, or nothing."""
    if not world.runs(guard.function):
        return ""
    handed = None if given is None else dict(given)
    said = writing.guarded(world, guard.function, actor, f"actions/{action.name}", handed, call=world.judge)
    return said if isinstance(said, str) else ""  # one that is defective says nothing


def _selected(selector: object, action: Action) -> bool:
    if selector == "all":
        return True
    for part in selector if isinstance(selector, list | tuple) else [selector]:
        match part:
            case str() if part == action.name:
                return True
            case {"section": section} if section == action.section:
                return True
            case {"rule": rule} if rule in action.rules:
                return True
            case {"tag": tag} if tag in action.tags:
                return True
            case {"by": who} if who in action.by:
                return True
            case {"limit": limit} if limit == action.limit:
                return True
    return False


def opening(world: Transaction, action: Action, actor: str | None) -> str:
    """Nothing, or why an action is not open to an actor whatever the parameters."""
    return world.judge(action.opening, actor)


# Trying and listing.


def why_not(world: Transaction, name: str, actor: str | None, given: Mapping[str, object]) -> str:
    """Nothing, or the refusal that an action would meet; nothing changes and no dice are drawn."""
    refusal = _refusal(world, name, actor, given)
    return "" if refusal is None else refusal.problems[0].what


def unfit(world: Transaction, action: Action, actor: str | None, name: str, value: object) -> str:
    """Nothing, or why a value is refused as this parameter whatever else is handed in; nothing changes."""

    def alone() -> None:
        with _asked_by(world, action, actor):
            _parameter(world, name, action.parameters[name], value)

    refusal = world.refused(alone)
    return "" if refusal is None else refusal.problems[0].what


def barred(
    world: Transaction, name: str, actor: str | None, given: Mapping[str, object]
) -> NomicError | None:
    """The refusal that an action meets however dice fall; None where nothing refuses it, or not whatever they show."""
    thrown = world.thrown
    refusal = _refusal(world, name, actor, given)
    for chance in several() if refusal is not None and world.thrown > thrown else ():
        with world.fuelled():
            other = _refusal(world, name, actor, given, chance)
        if refusal is None or other is None or other.problems[0].what != refusal.problems[0].what:
            return None
    return refusal


def _refusal(
    world: Transaction,
    name: str,
    actor: str | None,
    given: Mapping[str, object],
    chance: Chance | None = None,
) -> NomicError | None:
    def whole() -> None:
        perform(world, name, actor, given)
        units.keepable(world)

    return world.refused(whole, chance)


def bar(world: Transaction, action: Action, actor: str) -> str:
    """Nothing, or why an action is not open to an actor, as far as can be said without its parameters.

    Where the law itself says what stands against it, it is tried for what the law cannot say: that this game keeps
    no secrets. Where that hangs on a secret, and the game's key is not at hand, only its keeper can say: the answer is Sealed. What
    everybody sees closes it all the same.
    """
    store = world.store
    store.needed, before = False, store.looked
    try:
        why = _bar(world, action, actor)
    except NeedsKey:
        why = ""
    except NomicError as error:
        why = error.answered().problems[0].what
    needed, store.needed, store.looked = store.needed, False, before
    if not needed:
        return why
    sealing = NeedsKey.of_what(f"what stands against {action.name}")
    return Sealed(sealing.problems[0].what)


def _bar(world: Transaction, action: Action, actor: str) -> str:
    if (unkept := sealed(world, action)) is not None:
        return unkept.problems[0].what
    why = who_bars(world, action, actor)
    if why:
        return why
    store, hangs = world.store, False
    for asks in _barring(world, action, actor):
        store.needed, why = False, ""
        try:
            why = asks()
        except NomicError:
            if not store.needed:
                raise
        hangs |= store.needed
        if why and not store.needed:
            return why
    store.needed = hangs
    if hangs or any(kind.required for kind in action.parameters.values()):
        return ""
    said = world.law.has(action.opening)
    refusal = None if said and world.context.secrets else barred(world, action.name, actor, {})
    return "" if refusal is None or (said and not isinstance(refusal, Unkept)) else refusal.problems[0].what
