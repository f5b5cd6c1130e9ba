"""Checks of lists beside what is no list: compared with a number or a text, searched for what none of them holds, or kept as one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nomicgit.law.declaring import underscored
from nomicgit.law.definitions import Token
from nomicgit.law.law import Law
from nomicgit.law.ruleset import Placed
from nomicgit.law.variables import ENTITIES, Type, Variable, kind_of_all
from nomicgit.outlook.checks.calling import Function, shown, whole_functions
from nomicgit.outlook.checks.finding import Finding, error, in_rule
from nomicgit.outlook.checks.habits import opening_of
from nomicgit.outlook.checks.handed import besides, calls, kind_named, literal
from nomicgit.outlook.checks.named import near
from nomicgit.outlook.checks.references import COMPARED, NAMES_OF
from nomicgit.outlook.checks.unequal import begins_behind, end_of_call, ends_before, given_once
from nomicgit.outlook.checks.wanted import LIST, NUMBER, RESULTS

MANY = frozenset({"list", "set"})
ONE = frozenset({"integer", "number", "text", "boolean", "choice", "datetime", "date"})
EMPTY = frozenset({"[]", "{}", "()"})
Said = tuple[int, str, str]  # the offset in the text, what is wrong, what to write


def unlike(law: Law) -> Iterator[Finding]:
    """Lists that are compared with what is none, searches that never find anything, and lists that are kept as one value."""
    for placed in law.active:
        looks = (_compared, _searched)
        said = [
            each
            for function in whole_functions(placed.mechanics)
            for look in looks
            for each in look(law, placed.mechanics, function)
        ]
        for at, what, mend in (*said, *_added(law, placed), *_kept(law, placed)):
            line = placed.line + 1 + placed.mechanics.count("\n", 0, at)
            yield error(in_rule(law, placed.slug, what, mend, line))


def _compared(law: Law, text: str, function: Function) -> Iterator[Said]:
    tokens, given = function.tokens, given_once(function, text)
    for n, (_, sign, at) in enumerate(tokens):
        if sign not in COMPARED:
            continue
        call, plain = ends_before(tokens, n, given), _plain(tokens, n + 1)
        if not call:
            call, plain = begins_behind(tokens, n, given), _plain(tokens, n - 1)
        of = _result(law, call) if call and plain else ""
        asked = shown(text, call) if call else ""
        word = call[0][1] if call else ""
        if of == LIST and plain and plain not in EMPTY and not (plain == "None" and word == "get"):
            what = f"{word} gives a list, and never {plain}: these are never the same"
            yield at, what, f"write {'not ' if sign == '==' else ''}{asked}"
        elif of == NUMBER and word != "get" and plain in {*EMPTY, "None"}:
            yield (
                at,
                f"{word} gives a number, and never {plain}: these are never the same",
                f"write {asked} {sign} 0",
            )


def _plain(tokens: Sequence[Token], n: int) -> str:
    """A number, a text, None or what is empty, that stands at a place alone; "" for all else."""
    word = tokens[n][1] if 0 <= n < len(tokens) else ""
    after = tokens[n + 1][1] if n + 1 < len(tokens) else ""
    if word in ("[", "{") and after in ("]", "}"):
        return word + after
    if word in ("]", "}") and n and tokens[n - 1][1] in ("[", "{"):
        return tokens[n - 1][1] + word
    whole = after in ("", ",", ")", ":", "and", "or", "else", "if", "]", "}") or after.isidentifier()
    return word if word == "None" or (word and tokens[n][0] in ("NUMBER", "STRING") and whole) else ""


def _searched(law: Law, text: str, function: Function) -> Iterator[Said]:
    tokens, given = function.tokens, given_once(function, text)
    for n, (_, sign, at) in enumerate(tokens):
        if sign != "in" or n < 2:
            continue
        end = n - 1 - (tokens[n - 1][1] == "not")
        if _plain(tokens, n + 1) in EMPTY and not _loops(tokens, end):
            yield at, "nothing is ever in an empty list", "write the list in which it is looked for"
            continue
        types = _types(law, begins_behind(tokens, n, given))
        if not types or any(each.kind not in MANY or each.items is None for each in types):
            continue
        items, (kind, word, _) = [each.items for each in types if each.items], tokens[end]
        opening = opening_of(tokens, end) if word == ")" else 0
        named = opening > 0 and tokens[opening - 1][1] in NAMES_OF
        if kind == "STRING" and tokens[end - 1][1] not in ("+", "%", "."):
            yield from ((at, *said) for said in _never_in(law, items, word))
        elif named and all(_entity(law, each) for each in items):
            inside = shown(text, tokens[opening + 1 : end])
            asked = f"{tokens[opening - 1][1]}({inside})"
            what = f"what is looked for is what it is called, and the list holds {_entity(law, items[0])}/ID"
            yield at, f"{what}: it is never in it", f"write {inside} in place of {asked}"


def _loops(tokens: Sequence[Token], end: int) -> bool:
    """Whether names that end there are those of a loop."""
    while end > 0 and (tokens[end][0] == "NAME" or tokens[end][1] in (",", "(", ")")):
        if tokens[end][1] == "for":
            return True
        end -= 1
    return False


def _never_in(law: Law, items: Sequence[Type], word: str) -> Iterator[tuple[str, str]]:
    """Why a text is in none of some lists."""
    text = word[1:-1]
    if all(each.kind == "choice" and each.choices and text not in each.choices for each in items):
        choices = list(map(str, items[0].choices))
        meant = near(text, choices).removeprefix("write ")
        one = meant.partition(",")[0]
        mend = f'write "{one}", if that is meant' if one else f"write one of {', '.join(choices)}, in quotes"
        yield f"it holds {', '.join(choices)}, and never {word}", mend
    elif "/" not in text and all(_entity(law, each) for each in items):
        of = _entity(law, items[0])
        yield f"it holds {of}/ID, and never the name alone", f'write "{of}/{text}"'


def _entity(law: Law, kind: Type) -> str:
    """The kind of which a value of a type names one; "" for other types."""
    of = ENTITIES.get(kind.kind, kind.kind)
    return of if of in {*ENTITIES.values(), *law.declared.collections} else ""


def _added(law: Law, placed: Placed) -> Iterator[Said]:
    """What is added to a set, or taken from it, and is none of its items."""
    for call in calls(placed.mechanics, frozenset({"add", "remove"})):
        if len(call.given) == 3 and len(call.given[2]) == 1 and call.given[2][0][0] == "STRING":
            types = [each.type for each in _called(law, call.given[0], literal(call.given[1]))]
            items = [each.items for each in types if each.items is not None]
            if types and len(items) == len(types) and all(each.kind == "choice" for each in items):
                name = literal(call.given[1])
                for what, mend in _never_in(law, items, call.given[2][0][1]):
                    yield call.at, f"{name}: {what}", mend


def _kept(law: Law, placed: Placed) -> Iterator[Said]:
    """A list that is written where one value is kept."""
    for call in calls(placed.mechanics, frozenset({"put", "create"})):
        for name, part in call.named.items():
            types = [each.type for each in _called(law, call.given[0] if call.given else (), name)]
            single = all(each.kind in ONE or _entity(law, each) for each in types)
            whole = len(part) > 2 and end_of_call(part, 0) == len(part) - 1
            if types and single and whole and _result(law, part) == LIST:
                given = shown(placed.mechanics, part)
                what = f"{name} keeps one value, and {given} is a list: {call.word} always refuses it"
                yield call.at, what, f"write one of them, such as {given}[0]"


def _result(law: Law, call: Sequence[Token]) -> str:
    """Of what kind a call gives something, as far as that shows: a list, a number."""
    if call[0][1] != "get":
        return RESULTS.get(call[0][1], "")
    types = _types(law, call)
    return LIST if types and all(each.kind in MANY for each in types) else ""


def _types(law: Law, asked: Sequence[Token]) -> list[Type]:
    """The types of what a call of get may give; none where that does not show."""
    if not asked or asked[0][1] != "get":
        return []
    call = next(iter(calls(" ".join(each[1] for each in asked), frozenset({"get"}))), None)
    if call is None or len(call.given) != 2 or call.named:
        return []
    return [each.type for each in _called(law, call.given[0], literal(call.given[1]))]


def _called(law: Law, reference: Sequence[Token], name: str) -> list[Variable]:
    """The variables that may be meant by a name that is written out, of what a reference is."""
    kind = kind_named(reference) if reference else ""
    if not name or (not kind and name in besides(law)):
        return []
    names = {underscored(name), name.removesuffix("_")}
    declared = law.declared.variables.values()
    return [each for each in declared if each.name in names and kind in ("", kind_of_all(each.of))]
