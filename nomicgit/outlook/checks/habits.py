"""Checks of what mechanics write that does not mean what it seems to, and that comes from other languages."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from keyword import iskeyword

from nomicgit.law.definitions import DEEPER, Token, code, definitions
from nomicgit.law.law import Law
from nomicgit.law.rules import LANGUAGE, fences
from nomicgit.law.ruleset import Placed
from nomicgit.outlook.checks.finding import Finding, error, in_rule, warning

WRITING = frozenset({"=", "+=", "-=", "*=", "//="})
PRODUCTS = frozenset({"*", "/", "//", "%"})
PARTS = frozenset({".", "[", "("})
TIMES = frozenset({"now", "cast_at", "later", "start_of", "date"})
PARTS_OF_A_TIME: Mapping[str, str] = {
    "hour": "write divide(span(start_of(\"day\"), now()), 3600), the hours since the day began",
    "minute": "write divide(span(start_of(\"day\"), now()), 60), the minutes since the day began",
}  # fmt: skip
CHANGING = frozenset("append extend insert pop remove clear update setdefault popitem add discard".split())
KEEPING = (
    'write put(ref, variable=value), or add(ref, "variable", value), or of a number gain(ref, "variable", n)'
)
REFERENCES = frozenset({"find", "players"})
SINGLE = frozenset({"game", "dynasty"})  # the references of what there is one of: they are written as texts
GIVEN_BY_WORDS = frozenset({"id", "name"})
METHODS = frozenset(
    "append clear extend index insert pop remove get items keys popitem setdefault update values capitalize count elems "
    "endswith find format isalnum isalpha isdigit islower isspace istitle isupper join lower lstrip partition removeprefix "
    "removesuffix replace rfind rindex rpartition rsplit rstrip split splitlines startswith strip title upper codepoints "
    "add difference discard intersection issubset issuperset symmetric_difference union encode decode indent".split()
)
SHOWN = 40  # characters of what a remedy says again
_LANGUAGES = re.compile(r"python\d*|py|star|bzl|bazel|mechanics|skylark", re.IGNORECASE)
_CODE = re.compile(r"^def (\w+)\(", re.MULTILINE)
_METHODS: Mapping[str, str] = {
    "sort": "write sorted({0})", "reverse": "write reversed({0})", "copy": "write list({0}), or dict({0}) of a map",
    "push": 'write {0}.append(…), or of a variable add(ref, "variable", …)', "map": "write [… for each in {0}]",
    "filter": "write [each for each in {0} if …]", "forEach": "write for each in {0}:", "includes": "write … in {0}",
    "contains": "write … in {0}",
    "indexOf": "write {0}.index(…)", "toUpperCase": "write {0}.upper()", "toLowerCase": "write {0}.lower()", "toString": "write str({0})",
    "length": "write len({0})", "size": "write len({0})",
}  # fmt: skip
_ATTRIBUTES: Mapping[str, str] = {"length": "write len({0})", "count": "write len({0})"}
_OF_MODULES: Mapping[str, Mapping[str, str]] = {
    "random": {"choice": "write pick(list)", "": "write roll(sides), such as roll(6)"},
    "datetime": {"now": "write now()", "today": "write now()", "": "write now(), later(t, \"1h\") or span(a, b)"},
    "Date": {"": "write now()"}, "time": {"time": "write now()", "": "write now(), later(t, \"1h\") or span(a, b)"},
    "math": {"": "write divide(a, b), min or max: there is no math"}, "Math": {
        "random": "write roll(sides), such as roll(6)", "max": "write max(a, b)", "min": "write min(a, b)", "abs": "write abs(x)",
        "": "write divide(a, b), which rounds towards zero"},
    "console": {"": "write note(text)"}, "JSON": {"": "write str(x)"},
}  # fmt: skip
LITERALS = "outside functions a file holds literals only"
Habit = tuple[int, str, str]  # the offset in the text, what is wrong, what to write


def habits(law: Law) -> Iterator[Finding]:
    """``/``, writing into what a word returned, statements outside functions, attributes of references, sums of times."""
    for placed in law.active:
        if placed.mechanics:
            plain = code(placed.mechanics)
            for at, what, mend in _written_so(placed.mechanics):
                line = placed.line + 1 + placed.mechanics.count("\n", 0, at)
                yield error(in_rule(law, placed.slug, what, mend, line))
            for at, what, mend in () if _any_fraction(law) else _tenths(plain):
                line = placed.line + 1 + placed.mechanics.count("\n", 0, at)
                yield warning(in_rule(law, placed.slug, what, mend, line))
            yield from _constants(law, placed, plain)


@lru_cache(maxsize=1024)
def _written_so(text: str) -> tuple[Habit, ...]:
    """What some mechanics write that is of other languages, whatever the law: looked for once."""
    plain = code(text)
    looks = (look(plain) for look in (_fractions, _copies, _parts, _times, _sums, _lists))
    return tuple(chain(_attributes(text), *looks))


def fenced(law: Law) -> Iterator[Finding]:
    """Functions in a block of another language, which is prose."""
    wanted = {action.function for action in law.declared.actions.values() if not law.has(action.function)}
    for placed in law.active:
        text = law.ruleset.texts[placed.path]
        lines = text.removeprefix("\ufeff").split("\n")
        for fence in fences(lines):
            inside = "\n".join(lines[fence.start + 1 : fence.end])
            if _LANGUAGES.fullmatch(fence.language) or (not fence.language and _CODE.search(inside)):
                what = f"a block {fence.marks}{fence.language} is prose, and nothing in it is carried out"
                level = error if wanted.intersection(_CODE.findall(inside)) else warning
                yield level(
                    in_rule(law, placed.slug, what, f"write {fence.marks}{LANGUAGE}", fence.start + 1)
                )


def in_prose(law: Law, slug: str, function: str) -> bool:
    """Whether the prose of a rule holds the definition of a function: it stands in a block of another language."""
    return (
        re.search(rf"^def {re.escape(function)}\(", law.ruleset.by_slug[slug].prose, re.MULTILINE) is not None
    )


def _fractions(plain: Sequence[Token]) -> Iterator[Habit]:
    for kind, word, at in plain:
        if kind == "OP" and word in ("/", "/="):
            yield at, "/ gives a fraction", "write divide(a, b), which rounds towards zero"


def _any_fraction(law: Law) -> bool:
    """Whether some variable in force is of a type that holds fractions."""
    return any(each.type.kind == "number" for each in law.declared.variables.values())


def _tenths(plain: Sequence[Token]) -> Iterator[Habit]:
    for (_, before, _), (kind, word, at), (_, after, _) in zip(plain, plain[1:], plain[2:], strict=False):
        if kind == "NUMBER" and "." in word and "*" in (before, after):
            what = f"what is multiplied by {word} is a fraction, and must be a whole number to be kept"
            yield at, what, "write divide(a, b), which rounds towards zero: divide(a, 10) for a tenth"


def _copies(plain: Sequence[Token]) -> Iterator[Habit]:
    """What is written into a copy: into what a word returned, and by a name of a function that nothing reads afterwards."""
    for n, (_, word, at) in enumerate(plain[:-1]):
        of_a_call = word == "]" and (opening := opening_of(plain, n)) > 0 and plain[opening - 1][1] == ")"
        changed = word == ")" and _changes(plain, n + 1) and plain[opening_of(plain, n) - 1][1] == "get"
        if changed or (of_a_call and plain[n + 1][1] in WRITING):
            yield at, "this changes a copy of what the word returned", KEEPING
    for function in functions_of(plain):
        words = [word for _, word, _ in function]
        got = {
            name
            for name, *called in zip(words, words[1:], words[2:], words[3:], strict=False)
            if called == ["=", "get", "("]
        }
        for name in got:
            uses = [n for n, word in enumerate(words) if word == name and words[n + 1 : n + 2] != ["="]]
            if uses and all(_filled(function, n) for n in uses):
                yield (
                    function[uses[0]][2],
                    f"{name} is a copy of what get returned, and nothing keeps what is written into it",
                    KEEPING,
                )


def _filled(function: Sequence[Token], n: int) -> bool:
    """Whether a name stands here to be written into alone: ``name[…] =``, or ``name.append(…)``."""
    if _changes(function, n + 1):
        return True
    closing = next((m for m in range(n + 1, len(function)) if opening_of(function, m) == n + 1), 0)
    after = function[closing + 1 : closing + 2] if closing and function[n + 1][1] == "[" else ()
    return any(sign in WRITING for _, sign, _ in after)


def _changes(plain: Sequence[Token], n: int) -> bool:
    """Whether a method that changes a list, a set or a map is called here."""
    return [word for _, word, _ in plain[n : n + 3 : 2]] == [".", "("] and plain[n + 1][1] in CHANGING


def functions_of(plain: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """Each function's own part of the mechanics."""
    starts = [n for n, (_, word, _) in enumerate(plain) if word == "def"]
    return (plain[start:end] for start, end in pairwise([*starts, len(plain)]))


def opening_of(plain: Sequence[Token], closing: int) -> int:
    """The number of the bracket that another one closes; -1 where there is none."""
    depth = 0
    for n in range(closing, -1, -1):
        depth -= DEEPER.get(plain[n][1], 0)
        if depth == 0:
            return n
    return -1


def _attributes(text: str) -> Iterator[Habit]:
    """What stands behind a dot is a method of texts, lists and maps, and nothing else."""
    plain = code(text)
    for n in range(2, len(plain)):
        (_, before, at), (_, dot, _), (kind, name, _) = plain[n - 2 : n + 1]
        if dot != "." or kind != "NAME":
            continue
        after = plain[n + 1][1] if n + 1 < len(plain) else ""
        if name in METHODS and (after == "(" or not _attribute("", name)):
            continue
        whose = before if before.isidentifier() else "list" if _attribute("", name) else "ref"
        whose = f'"{whose}"' if whose in SINGLE else whose
        if whose == "given" and after != "(":
            yield at, f"given is a map, and has no .{name}", f'write given["{name}"]'
        elif after == "(":
            yield (
                at,
                f"nothing has a method {name}",
                _method(whose, name, _written(text, plain, n - 2)),
            )
        elif listed := _attribute(whose, name):
            yield at, f"nothing has a .{name}", listed
        elif before == ")" and (opening := opening_of(plain, n - 2)) > 0 and plain[opening - 1][1] in TIMES:
            mend = PARTS_OF_A_TIME.get(name, "write span(a, b) for the seconds between two times")
            yield at, f"a time is a text, and has no .{name}", mend
        elif after in WRITING:
            mend = (
                f'write {"gain" if after == "+=" else "spend"}({whose}, "{name}", n)'
                if after in ("+=", "-=")
                else f"write put({whose}, {name}=…)"
            )
            yield at, f"{whose} is a text that names something, and has no .{name}", mend
        else:
            yield (
                at,
                f"{whose} is a text that names something, and has no .{name}",
                f"write {name}({whose})" if name in GIVEN_BY_WORDS else f'write get({whose}, "{name}")',
            )


def _method(whose: str, name: str, shown: str) -> str:
    """What to write for a method that nothing has, of what is ``shown`` before it."""
    of_module = _OF_MODULES.get(whose, {})
    return (
        of_module.get(name)
        or of_module.get("")
        or _METHODS.get(name, f"write {name}({{0}}), or another word").format(shown)
    )


def _written(text: str, plain: Sequence[Token], last: int) -> str:
    """What ends with a token, as it is written: a name, a text, a list, a call, and parts of them; "…" for what is long."""
    first = last
    while True:
        if plain[first][1] in (")", "]", "}"):
            first = max(opening_of(plain, first), 0)
            if plain[first][1] != "{" and first and _has_parts(plain[first - 1]):
                first -= 1
                continue
        if first > 1 and plain[first - 1][1] == ".":
            first -= 2
            continue
        break
    written = text[plain[first][2] : plain[last][2] + len(plain[last][1])]
    return written if len(written) <= SHOWN and "\n" not in written else "…"


def _has_parts(token: Token) -> bool:
    """Whether a bracket behind a token calls it, or asks for a part of it."""
    name = token[0] == "NAME" and not iskeyword(token[1])
    return name or token[0] == "STRING" or token[1] in (")", "]", "}")


def _attribute(whose: str, name: str) -> str:
    """What to write for what other languages tell of a list or text behind a dot, or nothing."""
    return _ATTRIBUTES.get(name, "").format(whose)


def _parts(plain: Sequence[Token]) -> Iterator[Habit]:
    """What is named is a text: what it has is no part of it, behind a bracket with a text in it."""
    for function in functions_of(plain):
        yield from _parts_in(function)


def _parts_in(function: Sequence[Token]) -> Iterator[Habit]:
    header = next((n for n, (_, word, _) in enumerate(function) if word == ":"), 0)
    holding = {"=": set(REFERENCES), "in": {"actor"}, "": {word for _, word, _ in function[2:header]}}
    windows = list(enumerate(zip(function, function[1:], function[2:], function[3:], strict=False)))
    for _, ((_, name, _), (_, sign, _), (_, word, _), (_, after, _)) in windows[header:]:
        if sign in ("=", "in"):
            holding[sign if word in REFERENCES and after == "(" else ""].add(name)
    lists, ones = holding["="] - holding[""], (holding["in"] - holding[""]) | {"actor"}
    for n, ((_, before, _), (_, sign, _), (kind, part, at), (_, after, _)) in windows[header:]:
        if (sign, kind, after) == ("[", "STRING", "]") and (
            before in ones or (before == "]" and _of_words(function, n, lists))
        ):
            yield at, "what is named is a text, and has no parts", f"write get(ref, {part})"


def _of_words(plain: Sequence[Token], closing: int, lists: Container[str]) -> bool:
    """Whether the bracket that ends here opens behind one of these names, or a call of it."""
    before = opening_of(plain, closing) - 1
    if before > 0 and plain[before][1] == ")":
        before = opening_of(plain, before) - 1
    return before >= 0 and plain[before][1] in lists


def _times(plain: Sequence[Token]) -> Iterator[Habit]:
    """A time with a number added, or something taken from it."""
    for n, (_, word, at) in enumerate(plain):
        if word not in TIMES or n + 1 == len(plain) or plain[n + 1][1] != "(":
            continue
        end = next(
            (m for m in range(n + 2, len(plain)) if plain[m][1] == ")" and opening_of(plain, m) == n + 1), 0
        )
        after = [each[1] for each in plain[end + 1 : end + 3]] if end else []
        before = plain[n - 1][1] if n else ""
        if len(after) == 2 and after[0] in "+-" and after[1].isdecimal():
            sign = "-" if after[0] == "-" else ""
            yield (
                at,
                "a time is a text: no number is added to it",
                f'write later({word}(…), "{sign}1h") with a span for the seconds',
            )
        elif after[:1] == ["-"] or before == "-":
            yield at, "a time is a text: nothing is taken from it", "write span(a, b), the seconds between"


def _sums(plain: Sequence[Token]) -> Iterator[Habit]:
    """A text and a number side by side; what else an operand may be, such as a product or a part, nobody knows here."""
    for n, ((kind, _, at), (_, sign, _), (other, _, _)) in enumerate(
        zip(plain, plain[1:], plain[2:], strict=False)
    ):
        before, after = plain[n - 1][1] if n else "", plain[n + 3][1] if n + 3 < len(plain) else ""
        if before in PRODUCTS or after in PRODUCTS | PARTS:
            continue
        if sign == "+" and {kind, other} == {"STRING", "NUMBER"}:
            yield at, "a text and a number are not added", "write str(number)"


def _lists(plain: Sequence[Token]) -> Iterator[Habit]:
    """A loop over a word that is not called."""
    for function in functions_of(plain):
        header = next((n for n, (_, word, _) in enumerate(function) if word == ":"), 0)
        own = {word for _, word, _ in function[2:header]}
        own |= {word for (_, word, _), (_, sign, _) in pairwise(function) if sign in ("=", "in")}
        for (_, before, _), (_, word, at), (_, after, _) in zip(
            function, function[1:], function[2:], strict=False
        ):
            if before == "in" and word in REFERENCES - own and after != "(":
                mend = "players()" if word == "players" else 'find("…")'
                yield at, f"{word} is a word that is called", f"write {mend}"


def _constants(law: Law, placed: Placed, plain: Sequence[Token]) -> Iterator[Finding]:
    """Constants that are worked out, or changed in a function: outside functions a file holds literals."""
    known = [each for each in definitions(placed.mechanics) if each.kind == "constant"]
    for each in known:
        line = placed.line + 1 + each.start
        if _calls(placed.mechanics, each.start, each.end):
            what = f"{each.name}: {LITERALS}"
            yield error(in_rule(law, placed.slug, what, "write it in a function", line))
    names = {each.name for each in known}
    for (_, name, at), (_, sign, _) in pairwise(plain):
        if name in names and sign in WRITING - {"="}:
            what = f"{name} is a constant of the rule, and stays what it is"
            mend = "declare a variable, read it with get and write it with put or gain"
            yield error(
                in_rule(law, placed.slug, what, mend, placed.line + 1 + placed.mechanics.count("\n", 0, at))
            )


def _calls(text: str, start: int, end: int) -> bool:
    inside = code("\n".join(text.split("\n")[start:end]))
    return any(a[0] == "NAME" and b[1] == "(" for a, b in pairwise(inside)) or any(
        t[1] in ("for", "lambda", "if") for t in inside
    )
