"""Checks of the names that declarations give: functions that nobody defines or that take others' parameters, unknown limits."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from nomicgit.ground.nearness import nearest
from nomicgit.ground.problems import Problem
from nomicgit.law.declarations import WHO, Action, Collection, Declaration, Declared, Limit, PostKind
from nomicgit.law.definitions import DEEPER, code, text_of
from nomicgit.law.hooks import Filter, Guard, Hook, Listener, Recurring, Settle, Timed, View
from nomicgit.law.law import Law
from nomicgit.law.linking import BUILTINS, RESERVED, linked, written
from nomicgit.law.ruleset import Placed
from nomicgit.law.variables import Type, Variable, kind_of_all
from nomicgit.outlook.checks.finding import Finding, error, in_front, in_rule, misspelt, warning
from nomicgit.outlook.checks.habits import in_prose
from nomicgit.physics.state.reading import KEPT

UNDEFINED = "nobody defines "
ALIKE = 0.7  # how much of a name must stand in one that is known, of 1: those of the law are short
EVERYBODY = frozenset(
    {"all", "any", "anybody", "anyone", "everybody", "everyone", "player", "players", "public"}
)
"""Words by which people mean all."""
Path = tuple[str, ...]
Header = list[tuple[str, bool]]  # the parameters of a function, each with whether it may be left out


class Named(NamedTuple):
    """A function that a declaration names: where it does, as which parameters it is called, what comes of its absence."""

    function: str
    rule: str
    path: Path
    takes: str
    lacking: str
    level: Callable[[Problem], Finding] = warning


def functions(law: Law) -> Iterator[Finding]:
    """Functions that declarations name and nobody defines: under ``by`` they bar everybody, elsewhere they allow."""
    elsewhere = {written(each.function) for each in named(law) if law.has(each.function)}
    for each in named(law):
        if each.function and not law.has(each.function):
            name, where = written(each.function), ".".join(each.path)
            if in_prose(law, each.rule, name):
                continue  # the block that it stands in is told
            what = f"{UNDEFINED}{name}, which {where} names: {each.lacking}"
            known = WHO if each.path[-1] == "by" else ()
            everybody = "write player, or anyone" if known and name in EVERYBODY else ""
            close = [*known, *_functions(law, each.rule, name, elsewhere)]
            meant = _renamed(each, close) if name.startswith(_prefixes(law)) else near(name, close)
            right = everybody or _misquoted(name, each.path) or meant
            mend = right or f"write def {name}({each.takes})"
            level = error if right else each.level
            yield level(in_front(law, each.rule, each.path, what, mend))


def _renamed(each: Named, close: Sequence[str]) -> str:
    """How a function is to be called that is found by the name of what it belongs to, where one is called nearly so."""
    name, own = written(each.function), each.path[-1].replace("-", "_")
    alike = [own] if own in close else _nearest(name, close)
    return f"write def {name}({each.takes}) in place of def {alike[0]}, if that is meant" if alike else ""


def _misquoted(name: str, path: Path) -> str:
    """What to write in place of what no function could be called."""
    if name.isidentifier():
        return ""
    number = name.strip()
    return (
        f"write {path[-1]}: {number}, without quotes"
        if number.isdecimal()
        else "write the name of a function"
    )


def limits(law: Law) -> Iterator[Finding]:
    """Limits that actions name and no rule declares: they bind nobody; and those that allow nothing."""
    for limit in law.declared.limits.values():
        acts = [each.name for each in law.declared.actions.values() if each.limit == limit.name]
        if acts and not limit.times and not limit.times_by:
            what = f"limits.{limit.name}.times is 0: nobody can ever {' or '.join(acts)}"
            mend = "write times: 1, or how often it may be done"
            yield warning(in_front(law, limit.rule, ("limits", limit.name, "times"), what, mend))
    for action in law.declared.actions.values():
        if action.limit and action.limit not in law.declared.limits:
            what = f"no rule in force declares the limit {action.limit}, which the action {action.name} names: it binds nobody"
            meant = near(action.limit, law.declared.limits)
            mend = meant or f"declare {action.limit} under limits"
            yield misspelt(in_front(law, action.rule, ("actions", action.name, "limit"), what, mend), meant)


def seers(law: Law) -> Iterator[Finding]:
    """Words of ``seen_by`` by which nobody is meant: the keeper alone sees such a secret; and those of what is no secret."""
    for variable in law.declared.variables.values():
        kind = kind_of_all(variable.of)
        path = ("collections", kind, "fields") if kind in law.declared.collections else ("variables",)
        at = (*path, variable.name, "seen_by")
        shared = (
            "seen_by" not in variable.attributes
        )  # the collection says it of all its fields, some of which are secret
        keeps = shared and any(each.tracked == "secret" for each in law.by_kind.get(kind, ()))
        if variable.seen_by and variable.tracked != "secret" and not keeps:
            what = f"everybody sees {variable.name}, whoever stands in its seen_by: it is no secret"
            yield error(
                in_front(law, variable.rule, at, what, "write tracked: secret beside it, or take seen_by out")
            )
        fields = [*KEPT.get(kind, ()), *(each.name for each in law.by_kind.get(kind, ()))]
        always = ["emperor", "value", *(["owner"] if kind == "players" else [])]
        words = [*always, *fields]
        for who in variable.seen_by if variable.tracked == "secret" else ():
            if who in words or law.has(linked(who, variable.rule)) or (kind, who) == ("posts", "author"):
                continue
            what = f"seen_by: {who} means nobody, so that only who keeps the game's key sees {variable.name}"
            everybody = "what everybody may see is no secret: take tracked: secret and seen_by out"
            known = [*words, *_functions(law, variable.rule, who, ())]
            mend = (
                everybody
                if who in EVERYBODY
                else near(who, known)
                or f"write {', '.join(always)}, a field that holds a player, or a function"
            )
            yield error(in_front(law, variable.rule, at, what, mend))


def signatures(law: Law) -> Iterator[Finding]:
    """Functions of actions that do not take what their action hands them, or ask for more."""
    for action, placed, taken in _headers(law):
        if wrong := _unfit(action, taken):
            mend = f"write def {action.function}({', '.join(['actor', *map(_argument, sorted(action.own))])})"
            line = law.scanned(placed).functions[action.function]
            yield error(in_rule(law, placed.slug, wrong, mend, line))


def untaken(law: Law) -> set[tuple[str, str]]:
    """The parameters of actions that their functions do not take, each with the file where one does not."""
    return {(placed.file, name) for action, placed, taken in _headers(law) for name in _lacks(action, taken)}


def _headers(law: Law) -> Iterator[tuple[Action, Placed, Header]]:
    """The functions of all actions, each in the rules that define it, with their parameters."""
    where: dict[str, list[Placed]] = {}
    for placed in law.active:
        for name in law.scanned(placed).functions:
            where.setdefault(name, []).append(placed)
    for action in law.declared.actions.values():
        for placed in where.get(action.function, ()):
            yield action, placed, header_of(text_of(placed.mechanics, action.function) or "")


def _lacks(action: Action, header: Header) -> list[str]:
    """The parameters of an action that its function does not take."""
    taken = [name for name, _ in header[1:]]
    rest = any(name.startswith("*") for name, _ in header)
    return [] if rest else [name for name in action.own if name not in taken and name + "_" not in taken]


def _unfit(action: Action, header: Header) -> str:
    """How the parameters of a function, each with whether it may be left out, differ from those of its action."""
    if any(name.startswith("*") for name, _ in header):
        return ""
    lacks = _lacks(action, header)
    more = [
        name
        for name, spare in header[1:]
        if not spare and name not in action.own and name.removesuffix("_") not in action.own
    ]
    if not header:
        return f"{action.function} takes nobody, and the action {action.name} has an actor"
    if lacks:
        return f"{action.function} does not take {lacks[0]}, a parameter of the action {action.name}"
    return (
        f"{action.function} wants {more[0]}, which is no parameter of the action {action.name}"
        if more
        else ""
    )


def _argument(name: str) -> str:
    return name + "_" if name in RESERVED or name in BUILTINS else name


def header_of(text: str) -> Header:
    """The parameters of a definition, those that take all the rest with their asterisks; whether each has a default."""
    parameters: Header = []
    depth, before = 0, ""
    for kind, word, _ in code(text):
        depth += DEEPER.get(word, 0)
        if depth == 0 and before:
            if word == ")":
                break
        elif depth == 1 and kind == "NAME" and before in ("(", ",", "*", "**"):
            parameters.append((before.strip("(,") + word, False))
        elif depth == 1 and word == "=" and parameters:
            parameters[-1] = (parameters[-1][0], True)
        before = word
    return parameters


def near(name: str, known: Iterable[str], alike: float = ALIKE) -> str:
    """What a name may have been meant to be, as a remedy: one that a slip or two lead to, and that is as much alike or of the
    same letters."""
    close = _nearest(name, known, alike)
    return f"write {close[0]}, if that is meant" if close else ""


def _nearest(name: str, known: Iterable[str], alike: float = ALIKE) -> list[str]:
    return [
        each
        for each in nearest(name, known)
        if sorted(each) == sorted(name) or SequenceMatcher(None, each, name).ratio() >= alike
    ]


def _prefixes(law: Law) -> tuple[str, ...]:
    """With what functions are called that are found by the name of what they belong to."""
    return tuple(kind.prefix for kind in law.declarations.values() if kind.prefix)


def _functions(law: Law, slug: str, name: str, elsewhere: Container[str]) -> list[str]:
    """What a function may have been meant to be called: as its rule's own are, or anybody's where its name is free; where its name
    says what it is of, none that a declaration ``elsewhere`` names.
    """
    placed = law.ruleset.by_slug[slug]
    taken = law.scanned(placed)
    own = [*taken.private, *taken.functions]
    if name.startswith(_prefixes(law)):
        return [each for each in own if each not in elsewhere]
    return [*own, *sorted(law.linked.functions)]


def named(law: Law) -> Iterator[Named]:
    for key, kind in law.declarations.items():
        for each in kind.all(law.declared):
            yield from _of(each, (key, each.name), law.declared)


def _of(each: Declaration, path: Path, tables: Declared) -> Iterator[Named]:
    """The functions that a declaration names, which stands at a path of its rule's front matter."""
    match each:
        case Action():
            yield from _of_action(each, path)
        case Variable():
            if each.of in tables.collections:
                path = ("collections", each.of, "fields", each.name)
            yield Named(each.derived, each.rule, (*path, "derived"), "ref", "it has its default")
            yield Named(each.legal, each.rule, (*path, "legal"), "ref, value", "every value is legal")
            yield Named(each.invalid, each.rule, (*path, "invalid"), "ref, value", "it takes its default")
            yield from _of_type(each.type, each.rule, path, "ref")
        case Limit():
            yield Named(each.times_by, each.rule, (*path, "times"), "actor", "it allows nothing")
            yield Named(each.gap_by, each.rule, (*path, "gap"), "actor", "there is no gap")
        case Collection() | PostKind():
            pass
        case _:
            yield Named(each.function, each.rule, path, _taken(each), "it does nothing")


def _taken(hook: Hook) -> str:
    """What the function of a hook takes."""
    match hook:
        case Guard():
            return "actor, action, given"
        case Filter():
            return "ref, old, new"
        case Recurring() | View(whose="game"):
            return ""
        case Settle() | Timed() | View():
            return "ref"
        case Listener():
            return "…"


def _of_action(action: Action, path: Path) -> Iterator[Named]:
    takes = ", ".join(["actor", *map(_argument, sorted(action.own))])
    yield Named(action.function, action.rule, path, takes, "nothing carries it out", error)
    for who in action.by:
        if who not in WHO:
            yield Named(who, action.rule, (*path, "by"), "actor", "nobody may do it", error)
    for name in sorted(action.own):
        yield from _of_type(action.parameters[name], action.rule, (*path, "with", name), "")
    for variable, n in action.takes.items():
        if isinstance(n, str):
            yield Named(n, action.rule, (*path, "cost", variable), "actor, given", "nobody can pay it")


def _of_type(kind: Type, rule: str, path: Path, ref: str) -> Iterator[Named]:
    yield Named(kind.normal, rule, (*path, "normal"), "value", "values stay as they are")
    yield Named(kind.which, rule, (*path, "which"), "value", "every value will do")
    yield Named(kind.default_by, rule, (*path, "default"), ref, "there is no default")
    for part in (kind.items, kind.keys, kind.values, *kind.fields.values()):
        if part is not None:
            yield from _of_type(part, rule, path, ref)
