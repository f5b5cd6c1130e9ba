"""Habits of other languages: what is told, in place of the interpreter's own words, of mechanics that it cannot read.

Each has a remedy in the words of the law's language.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import count

from msgspec.structs import replace

from nomicgit.ground.nearness import nearest
from nomicgit.ground.problems import Place, Problem
from nomicgit.law.definitions import code

_ALL_THERE = "take it out: all words of the law and the functions of all rules are there already"
_NOTHING_CAUGHT = "ask before, with exists(ref), known(name) or can(action, actor): nothing is caught"
_LASTS = "declare a variable, read it with get and write it with put: nothing else lasts"
_RECORD = "write functions, and declare variables or a collection"
_WORDS: Mapping[str, str] = {
    "while": "write for n in range(1000): and break where it ends",
    "try": _NOTHING_CAUGHT, "except": _NOTHING_CAUGHT, "finally": _NOTHING_CAUGHT,
    "raise": "write refuse(why)", "assert": "write require(condition, reason)",
    "is": "write == in its place, or != for is not: x == None, x != None", "import": _ALL_THERE, "from": _ALL_THERE, "load": _ALL_THERE,
    "class": _RECORD, "with": "take it out: there is nothing to open", "as": "choose another name",
    "global": _LASTS, "nonlocal": _LASTS, "del": "write remove(ref, var, x), or destroy(ref)",
    "yield": "return a list", "async": "take it out: nothing waits", "await": "take it out: nothing waits",
}  # fmt: skip
_NAMES: Mapping[str, str] = {
    "true": "write True", "false": "write False", "null": "write None", "nil": "write None", "undefined": "write None",
    "none": "write None", "sum": "write total(list)", "print": "write note(text)", "pprint": "write note(text)",
    "console": "write note(text)", "random": "write roll(sides), or pick(list)", "randint": "write roll(sides)",
    "choice": "write pick(list)", "math": "write divide(a, b), min or max: there is no math", "self": "take an actor, or a reference",
    "isinstance": "write type(x) == \"string\"", "datetime": "write now(), later(t, \"1h\") or span(a, b)",
    "time": "write now(), later(t, \"1h\") or span(a, b)", "timedelta": "write later(t, \"1h\")", "round": "write divide(a, b)",
    "map": "write [… for x in list]", "open": "read what the game keeps with get", "next": "write list[0]",
    "actor": 'write deed()["actor"]', "game": 'write "game", in quotes', "dynasty": 'write "dynasty", in quotes',
    "set": "write list({x: None for x in list}), which has each value once, or put(ref, variable=value) to give a variable a value",
    "delete": "write destroy(ref)", "give": "write transfer(giver, taker, \"variable\", amount)",
    "Exception": "write refuse(why)", "ValueError": "write refuse(why)",
}  # fmt: skip
_LINES: tuple[tuple[str, str, str], ...] = (
    (r"\bfor\s*\(\s*(?:(?:let|var|const)\s+)?(\w+)\s+(?:of|in)\s+(.+?)\)\s*\{?\s*$",
     "there is no for in parentheses", r"write for \1 in \2:"),
    (r"\bfor\s*\(.*;", "there is no for in parentheses", "write for n in range(…):"),
    (r"^\s*(?:async\s+)?func(?:tion)?\s+(\w+)\s*(\(.*?\))",
     "there is no function before a name", r"write def \1\2:"),
    (r"^\s*def\s+(\w+)-([\w-]*)", "a function's name holds no -", r"write _ in its place: def \1_\2"),
    (r"^\s*def\s+(\w+)\s+(\w+)\s*\(", "a function's name is one word", r"write _ between its words: def \1_\2"),
    (r"^\s*def\s+(\w+)\s+([\w, ]+?)\s*:", "the parentheses are missing", r"write def \1(\2):"),
    (r"^\s*def\s+(\w+)\s*:", "the parentheses are missing", r"write def \1(actor):"),
    (r"^\s*unless\s+(.+?)(?:\s+then)?\s*:?\s*$", "there is no unless", r"write if not (\1):"),
    (r"~=", "there is no ~=", "write !="),
    (r"^\s*(elsif|elseif|else\s+if)\s+(.+?)(?:\s+then)?\s*:?\s*$", r"there is no \1", r"write elif \2:"),
    (r"^\s*(if|elif)\s+(.+?)\s+then\s*:?\s*$", "there is no then", r"write \1 \2:"),
    (r"^\s*for\s+(.+?)\s+do\s*:?\s*$", "there is no do before what a loop does", r"write for \1:"),
    (r"<>", "there is no <>", "write !="),
    (r"^\s*(?:if|elif)\s++((?:[=!<>]=|[^()=]|\([^()]*\))++)(?<![=!<>])=(?!=)\s*(.+?):?\s*$",
     "= gives a value, and asks nothing", r"write == in its place: if \1== \2:"),
    (r"\[.*\bif\b.*\belse\b.*\]\s*$|\[[^\]]*\bif\b.*\bfor\b", "the if of a list stands behind its for",
     "write [x for x in list if condition], or [a if condition else b for x in list]"),
    (r"\([^()\[]*(?:\([^()]*\))?[^()\[]*\bfor\s+\w+\s+in\b", "there are no lists in parentheses",
     "write [ and ] around it: total([… for x in list])"),
    (r"[(,]\s*(-?\d+(?:mo|w|d|h|m|s))\s*\)", "a span is a text", r'write "\1", in quotes'),
    (r"\b(\d+)d(\d+)\b", "dice are no sign of the language", r"write total(dice(\1, \2))"),
    (r"[“”„‘’«»]", "these quotation marks are of a text processor", 'write "'),
    (r"\u00a0", "an invisible space of a text processor", "write a space in its place"),
    (r"`", "there are no texts between `", 'write "'),
    (r"^\s*(if|elif|else|for|def|not|and|or|in|lambda|pass|return|break|continue)\s*=(?!=)",
     r"\1 is a word of the language", "choose another name"),
    (r"^\s*if\b.*:.*\belse\b", "an if and its else stand on one line", "begin a line with else:, below what the if does"),
    (r"\[.*\bfor\b.*\bwhere\b", "there is no where", "write if in its place: [x for x in list if condition]"),
    (r"^\s*load\s*\(", "there is no load", _ALL_THERE),
    (r"=\s*\*", "nothing is unpacked with *", "write the list itself"),
    (r"=>", "there is no =>", "write [… for each in list], or a function with def"),
    (r"===", "there is no ===", "write =="),
    (r"!==", "there is no !==", "write !="),
    (r"^\s*//", "there are no notes behind //", "write # before a note"),
    (r"^\s*get\((.+?),\s*(['\"][\w-]+['\"])\)\s*\+=\s*(.+?)\s*$", "nothing is added to what get answers", r"write gain(\1, \2, \3)"),
    (r"^\s*get\((.+?),\s*(['\"][\w-]+['\"])\)\s*-=\s*(.+?)\s*$",
     "nothing is taken from what get answers", r"write spend(\1, \2, \3), or lose"),
    (r"^\s*get\((.+?),\s*['\"]([\w-]+)['\"]\)\s*=(?!=)\s*(.+?)\s*$", "what get answers is given no value", r"write put(\1, \2=\3)"),
    (r"^\s*(?:\}\s*)?(?:if|elif|else|for|def)\b.*\{\s*$", "there are no braces around a block",
     "write : at the end of the line, and let what belongs to it begin four spaces deeper"),
    (r"\S\s*\?[^:]*:", "there is no ? with a colon", "write a if condition else b"),
    (r"^\s*(?:return\s+|\w+\s*=\s*)[^\[\]{}#:]*\bif\b(?!.*\belse\b)", "the else is missing", "write x = a if condition else b"),
    (r"\+\+|--(?!>)", "there is no ++ and no --", "write += 1"),
    (r"&&|\|\|", "there is no && and no ||", "write and, or or"),
    (r"\belse\s+if\b", "there is no else if", "write elif"),
    (r"\*\*\s*[\w(]", "there is no ** for powers", "write a * a"),
    (r"(?<![=!])!(?!=)", "there is no ! before what is asked", "write not"),
    (r":=", "there is no :=", "write the = on a line of its own"),
    (r"(?:<=?|>=?|==|!=)[^<>=!]+(?:<=?|>=?|==|!=)", "comparisons do not follow each other", "write a < b and b < c"),
    (r"^\s*(?:let|var|const)\b", "a name is given its value without more", "write NAME = value"),
    (r"^\s*(?:match|switch|case)\b", "there is no match and no switch", "write if and elif"),
    (r"^\s*foreach\s+(\w+)\s+(?:of|in)\s+(.+?)\s*[:{]?\s*$", "there is no foreach", r"write for \1 in \2:"),
    (r"\bnew\s+\w+\s*\(", "there is no new", 'write create("collection", name=value)'),
    (r"^\s*(\w+)\s*=\s*(\w+)\s*=(?!=)\s*(.+?)\s*$", "names are given a value one by one", r"write \2 = \3, and below it \1 = \2"),
    (r"\bput\((.+?),\s*(\w+)\s*\+=\s*(.+?)\)", "nothing is added where a value is handed over", r'write gain(\1, "\2", \3)'),
    (r"\bput\((.+?),\s*(\w+)\s*-=\s*(.+?)\)", "nothing is taken where a value is handed over", r'write spend(\1, "\2", \3)'),
    (r"^\s*(?:return\s+)?(require|refuse|gain|spend|lose|put|note|tell|create|destroy|do)\s+(?![=(])(.+?)\s*$",
     "the parentheses are missing", r"write \1(\2)"),
    (r"^\s*@", "there is nothing to put before a def with @", "take it out"),
    (r"^\s*(?:if|elif|else|for|def)\b[^#:]*$", "the colon at the end is missing", "write : at the end of the line"),
    (r"(['\"])\s+(['\"])", "texts that stand side by side are not joined", "write + between them"),
    (r"\{[^:{}]*,[^:{}]*\}", "braces hold maps, {key: value}", "write a list, [a, b]"),
)  # fmt: skip
_COUNTING = "for n in range("
"""A loop that counts, as remedies have it."""
_LONG = 500
"""Characters: nobody's habit is a longer line, and the patterns above go through a line more than once."""
_CLOSES = {"(": ")", "[": "]", "{": "}"}
_SIGNS = re.compile(r"[=#\[\]{}\"+*/<>]|\w\(|:\s*$")
# patterns are texts here, and compiled when something breaks: each command loads this
_RESERVED = r"cannot use reserved keyword `(\w+)`"
_UNKNOWN = r"Variable `(\w+)` not found(?:, did you mean `(\w+)`)?"
_NO_NAME = r"Not a valid identifier: `(.*)`"
_NO_SIGN = r"invalid input `(.+)`"
_BRANCH = r"unexpected keyword '(elif|else)'"
_OUT_OF_PLACE: tuple[tuple[str, str, str], ...] = (
    (r"keyword '(pass|break|continue|return)'", r"`\1` is a statement, and no value",
     r"begin a line with it, or write a value there, such as None"),
    (r"keyword '(in|and|or)'", r"`\1` stands between two values, and one is missing", r"write a value before and behind it: a \1 b"),
    (r"keyword '(if|elif|else|for|def)'", r"`\1` begins a statement, and something else stands before it",
     "begin a line with it, where its block begins"),
    (r"keyword '(not|lambda)'", r"`\1` stands before a value, and joins nothing", r"write and, or, a comma or a new line before it"),
    (r"symbol '([\])}])'", r"`\1` closes nothing that is open", "take it out, or close with the sign that belongs to what was opened"),
    (r"symbol '([-+*/%|]?=)'", r"no name stands before `\1`", "write the name alone before it: name = value"),
    (r"symbol '(.+)'", r"`\1` stands where a value is wanted, or a new line", "write a value before and behind it, or take it out"),
    (r"(?:identifier|integer|float|string|f-string|int)\b.*?[`'\"](.+)[`'\"]", r"nothing joins `\1` to what stands before it",
     "write a comma or a sign such as + between them, or begin a new line"),
)  # fmt: skip
_STATEMENTS = frozenset(
    {
        *_WORDS,
        "if",
        "elif",
        "else",
        "for",
        "def",
        "return",
        "pass",
        "and",
        "or",
        "not",
        "in",
        "lambda",
        "break",
        "continue",
    }
)
_PROSE = (
    'write what is to be done in the law\'s language, such as gain(actor, "coins", 3), see docs/mechanics.md; what people read '
    "stands in a rule's text"
)
_UNEXPECTED = r"(?s)unexpected (.+?) here(?:, expected .*)?$"


def plainly(problem: Problem, text: str) -> Problem:
    """What the interpreter says of mechanics that it cannot read, as people say it; ``text`` is the source as it has it."""
    lines = text.split("\n")
    at = min(problem.where.line, len(lines)) - 1
    if at >= 0 and _is_prose(lines[at]):
        return replace(problem, what="mechanics stand here, a program, and this line is prose", mend=_PROSE)
    return _stumbling(problem, lines, at)


def _stumbling(problem: Problem, lines: Sequence[str], at: int) -> Problem:
    """The same of a line of a program, which stands ``at`` a place among all of them."""
    said = problem.what.removeprefix("Parse error: ")
    if reserved := re.search(_RESERVED, said):
        word = reserved[1]
        what = (
            f"the law's language has no `{word}`" if word in _WORDS else f"`{word}` is kept for the language"
        )
        return replace(problem, what=what, mend=_counting(_WORDS.get(word, "choose another name"), lines))
    if name := re.search(_UNKNOWN, said):
        near = nearest(name[1], [name[2]] if name[2] else [])
        mend = unknown(name[1]) or (
            f"write {near[0]}, if that is meant" if near else "declare it or give it a value before"
        )
        return replace(problem, what=f"nobody defines {name[1]}", mend=mend)
    if shown := re.search(_NO_NAME, said):
        what = f"an f-string holds names alone, and not {{{shown[1]}}}"
        return replace(problem, what=what, mend="give it a name on the line before: shown = …, then {shown}")
    if "type annotations" in said:
        return replace(problem, what="names have no types in mechanics", mend="take the : and the type out")
    if "tabs are not allowed" in said:
        tabbed = next((n for n, each in enumerate(lines[at:], at + 1) if "\t" in each), problem.where.line)
        where = replace(problem.where, line=tabbed, column=0)
        return Problem("a tab", where, "write four spaces in its place")
    if "indentation" in said:
        mend = (
            "begin it where the lines of the same block begin, four spaces deeper than their def, for or if"
        )
        where = _indented(lines, problem.where)
        return Problem("the line is indented otherwise than its block", where, mend)
    if "unfinished string" in said:
        return replace(
            problem, what="a text is not closed", mend="end it with its quotation mark on the same line"
        )
    line = lines[at] if at >= 0 else ""
    if unclosed := _unclosed(lines, problem.where):
        bracket, opened = unclosed
        where = replace(problem.where, line=opened, column=0)
        return Problem(
            f"the {bracket} is not closed",
            where,
            f"write {_CLOSES[bracket]} behind what it holds, or a comma between its parts",
        )
    for habit, what, mend in _LINES if len(line) <= _LONG else ():
        if hit := re.search(habit, line):
            return replace(problem, what=hit.expand(what), mend=_counting(hit.expand(mend), lines))
    if sign := re.search(_NO_SIGN, said):
        what, mend = _no_sign(sign[1], line)
        return replace(problem, what=what, mend=mend)
    if "unexpected new line" in said:
        return replace(problem, what="the line ends too soon", mend="finish it, or close its brackets")
    if branch := re.search(_BRANCH, said):
        what, mend = (
            f"no if stands before this {branch[1]}",
            "let it begin where its if begins, below what that does",
        )
        return replace(problem, what=what, mend=mend)
    before = next((each.rstrip() for each in reversed(lines[: max(at, 0)]) if each.strip()), "")
    deeper = len(line) - len(line.lstrip()) > len(before) - len(before.lstrip())
    if before.endswith(":") and not deeper and re.search(_UNEXPECTED, said):
        what = "what belongs to the line before begins no deeper than that"
        return replace(problem, what=what, mend="let it begin four spaces deeper")
    if unexpected := re.search(_UNEXPECTED, said):
        for token, what, mend in _OUT_OF_PLACE:
            if word := re.fullmatch(token, unexpected[1]):
                return replace(problem, what=word.expand(what), mend=word.expand(mend))
        return replace(
            problem,
            what=f"the mechanics cannot be read: {unexpected[1]} is out of place",
            mend="see docs/mechanics.md",
        )
    return replace(problem, mend=problem.mend or remedy(said))


def _counting(mend: str, lines: Sequence[str]) -> str:
    """A remedy in which a loop counts by a name that nothing else in the mechanics has."""
    if _COUNTING not in mend:
        return mend
    taken = {word for kind, word, _ in code("\n".join(lines)) if kind == "NAME"}
    free = next(name for n in count(1) if (name := "n" if n == 1 else f"n{n}") not in taken)
    return mend.replace(_COUNTING, f"for {free} in range(")


def _is_prose(line: str) -> bool:
    """Whether a line is a sentence as people write it: some words with nothing between them that a program has."""
    words = line.split() if len(line) <= _LONG and not _SIGNS.search(line) else []
    sentence = line.strip()[:1].isupper() or line.rstrip().endswith((".", "!", "?"))
    begins = words[0] in ("True", "False", "None") or words[0].strip(".,") in _STATEMENTS if words else True
    return not begins and len(words) >= (3 if sentence else 5)


def _no_sign(sign: str, line: str) -> tuple[str, str]:
    """What is wrong with a sign that is none of the language, and what to write."""
    if sign.startswith("\\") and "\\n" in line:
        quotes = "in YAML, \\n begins a line in a text between \" and \", and none between ' and '"
        return "\\n stands there as two signs, and begins no line", f"begin a new line there; {quotes}"
    return f"{sign} is no sign of the law's language", "take it out"


def _indented(lines: Sequence[str], where: Place) -> Place:
    """Where a line is indented wrongly: what returns to no block is told at the end of the line of code before it, and where the
    line before began its block by no four spaces, and this one does, it is that."""
    stumbled, *after = lines[where.line - 1 :] or [""]
    if stumbled[where.column - 1 :].strip():
        before = next((n for n in range(where.line - 1, 0, -1) if lines[n - 1].split("#")[0].strip()), 0)
        odd = before and _deep(lines[before - 1]) % 4 and not _deep(stumbled) % 4
        return replace(where, line=before, column=0) if odd else where
    line = next((n for n, each in enumerate(after, 1) if each.split("#")[0].strip()), 0)
    return replace(where, line=where.line + line, column=0)


def _deep(line: str) -> int:
    return len(line) - len(line.lstrip())


def _unclosed(lines: Sequence[str], where: Place) -> tuple[str, int] | None:
    """The bracket that is open where a line begins that cannot be read, or where all ends (told as 1:1); and its line."""
    ended = (where.line, where.column) == (1, 1)
    line = lines[where.line - 1] if where.line <= len(lines) else ""
    ahead, behind = line[: where.column - 1], line[where.column - 1 :]
    if ahead.strip() and not (
        behind.startswith("=") and re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", ahead.strip())
    ):
        return None
    before = "\n".join(lines if ended else lines[: where.line - 1])
    opened: list[tuple[str, int]] = []
    for _, sign, at in code(before):
        if sign in _CLOSES:
            opened.append((sign, at))
        elif sign in _CLOSES.values() and opened:
            opened.pop()
    return (opened[-1][0], before.count("\n", 0, opened[-1][1]) + 1) if opened else None


def unknown(name: str) -> str:
    """What to write for a name that other languages have, or nothing."""
    return _NAMES.get(name, "")


_TOO_MANY = r"Found (\d+) extra positional argument\(s\) for call to \S*?(\w+)$"
_STRANGE = r"Found `([^`]+)` extra named parameter\(s\) for call to \S*?(\w+)$"
_TOO_FEW = r"Missing parameter `(\w+)` for call to `\S*?(\w+)`$"
_PART = r"mismatch, expected `int`, actual `string \(repr: \"([\w-]+)\"\)`"
_HANDED = r"Operation `serde::serialize` not supported on type `(\w+)`"
_PARAMETERS = "let its def take what it is handed: see docs/mechanics.md"
_BROKEN: tuple[tuple[str, str], ...] = (
    (r"a range is no value", "write list(range(n))"), (r"a function is no value", "call it, with ( and ), or write its name as a text"),
    (r"not supported (?:on|for) type `function`", "call it, with ( and ): players()"),
    (r"is no value that can be handed on", "hand on a number, a text, a list or a map"),
    (r"Operation .* not supported .*NoneType", "ask first whether there is anything: if x != None"),
    (r"Operation `\+` .*string.* and `int|Operation `\+` .*int.* and `string", "write str(number) in a text, later(t, \"1h\") of a time"),
    (r"Operation `-` .*string", "write span(a, b), the seconds between two times"),
    (r"Operation `(?:compare|cmp)", "compare numbers with numbers, and texts with texts"),
    (r"Operation `\(iter\)`", "write a list there, or range(n)"),
    (r"Operation `len\(\)`", "ask for the length of a text, a list or a map"),
    (r"Operation ", "write what these types can do; type(x) tells which one it is"),
    (r"`list` has no attribute `(?:count|length|size)`", "write len(list), or len([x for x in list if …])"),
    (r"`(?:int|float|bool)` has no attribute", "write put(ref, variable=…), or gain(ref, \"variable\", n) of a number"),
    (r"has no attribute", "write get(ref, \"variable\"): what is named is a text"),
    (r"Key .* not found", "write a key that it has, or map.get(key, otherwise)"),
    (r"out of bound", "ask first how many there are: len(list)"),
    (r"Missing .*parameter|missing a required|unexpected keyword|too many positional|Wrong number",
     "hand it what it takes: see docs/mechanics.md, Words"),
    (r"hashable", "write a text or a number as the key: str(x)"), (r"Maximum depth", "let fewer lie in each other"),
    (r"Cycle detected", "copy it before it is put into itself: list(x)"), (r"mutates an iterable", "go through a copy: for x in list(a)"),
    (r"Element .* not found", "ask first: if x in list"), (r"provided for \*", "write the list or the map there, or hand over each value"),
    (r"format character|Incomplete format", "write %s, %d or %% for the sign itself"),
    (r"[Ee]xpected `int`, .* `float", "hand it a whole number: int(x) leaves out what stands behind the point"),
    (r"Type of parameter|valid number", "hand it what it takes: str(x) of a number, int(x) of a text"),
    (r"call\(\)", "write the name of a function"),
    (r"Immutable|frozen", "copy it first, list(x) or dict(x); a variable is written with put"),
    (r"referenced before assignment", "declare a variable for what lasts, and give names of the function a value first"),
    (r"None is no reference", "ask first whether there is any: if x != None"),
    (r"is no reference", "hand it a reference, such as actor, \"game\" or \"rooms/C3\""),
    (r"declares an action", "write the name of an action that the rules declare"),
    (r"no rule in force declares", "declare it, or write a name that is declared"),
    (r"must be a whole number", "write divide(a, b), which rounds towards zero"),
    (r"Z-?\d+ ?[a-z]+ must be a time", "write later(t, \"2d\") of a time: nothing is added to it with +"),
    (r"is no text", "write str(x)"), (r"is no amount|must be a number", "hand it a number"),
    (r"must be a |must be one of", "write a value of the type that it declares"),
    (r"a value is needed", "hand it over by its name: do(action, actor, name=value)"),
    (r"by zero|be divided by 0", "ask first whether it is 0"),
    (r"empty iterable", "ask first whether there is any: max(list) if list else 0"),
    (r"apply takes a change", 'write a map: apply({"repeal": "Ferry"})'),
    (r"Cannot parse", "ask first whether the text is a number: text.isdigit()"),
    (r"Unpacked \d+ values", "write for key, value in map.items(): of a map, a list of pairs otherwise"),
    (r"arguments for format|parameters in format", "give one value for each place: \"%s pays %s\" % (a, b)"),
    (r"expected `int`|Expected `int`", "write a whole number there: of a list the place, from 0 on"),
    (r"cannot be used outside", "write it in a function, four spaces deeper than its def"),
    (r"left-hand-side of assignment", "make a list of its parts: list[:1] + [x] + list[2:]"),
    (r"is no number of sides", "write a number: roll(6), or total(dice(2, 6))"),
    (r"call each other without end", "let one of them end without calling another"),
    (r"no rule in force defines", "define it, or call a function that there is"),
    (r"a private message: this game has no keys", "write tell(player, text, public=True) where nothing in it is secret"),
    (r"fuel is spent|more memory or time", "write less to do at once"),
    (r"^nothing is taken out of (?!game|dynasty)", "a cell stays: reset(ref) puts its values back"),
    (r"\(to the law ", "write what it is to the law"),
)  # fmt: skip


_CALLED: Mapping[str, str] = {
    "put": 'put(actor, pearls=3)', "gain": 'gain(actor, "pearls", 1)', "spend": 'spend(actor, "pearls", 1)',
    "lose": 'lose(actor, "pearls", 1)', "transfer": 'transfer(giver, taker, "pearls", 1)', "get": 'get(actor, "pearls", 0)',
    "require": 'require(people > 1, "too few")', "refuse": 'refuse("too few")', "later": 'later(now(), "1d")',
    "elapsed": 'elapsed(t, "1d"), whether so long has passed', "find": 'find("boats", seats=4)', "create": 'create("boats", seats=4)',
    "say": 'say("kind", "Title", "Text")', "note": 'note("text"), or to one alone tell(player, "text")', "tell": 'tell(player, "text")',
    "do": 'do("action", actor, name=value)', "can": 'can("action", actor, name=value)', "roll": "roll(6)", "dice": "dice(2, 6)",
    "add": 'add(actor, "list", x)', "remove": 'remove(actor, "list", x)', "mark": 'mark(actor, "map", key, value)',
}  # fmt: skip
LONG = "integer string conversion"
"""What Python says of a number that is too long for it, as part of more."""
DIGITS = 4_300
TOO_LONG = f"a whole number of more than {DIGITS:,} digits passes neither to a word nor from a function"
_MISUSED = r"^(\w+): (?:missing a required|too many positional|got an unexpected)"


def breaking(said: str, where: Place) -> Problem:
    """What the interpreter says of mechanics that break as they run, as people say it."""
    if part := re.search(_PART, said):
        what = f"a text or a list is asked for its part “{part[1]}”, and has none"
        return Problem(
            what,
            where,
            f'write get(ref, "{part[1]}"); what changes it is gain, lose or put(ref, {part[1]}=…)',
        )
    if more := re.search(_TOO_MANY, said):
        return Problem(f"{more[2]} is handed {more[1]} more than it takes", where, _PARAMETERS)
    if strange := re.search(_STRANGE, said):
        return Problem(f"{strange[2]} is handed {strange[1]}, which it does not take", where, _PARAMETERS)
    if fewer := re.search(_TOO_FEW, said):
        return Problem(f"{fewer[2]} wants {fewer[1]}, which it is not handed", where, _PARAMETERS)
    if LONG in said:
        return Problem(TOO_LONG, where, "write it as a text: str(n)")
    if "call stack overflow" in said:
        said = "functions call each other without end"
    said = said.replace("python_callable_value", "function")
    handed = re.search(_HANDED, said)
    if handed:
        what = f"a {handed[1]} is no value that can be handed on or kept"
        return Problem(what, where, remedy(what))
    from nomicgit.law.plainer import plain  # here: seldom does anything break

    return Problem(plain(said), where, remedy(said))


def remedy(what: str) -> str:
    """What to write where running mechanics break so, or nothing."""
    if (misused := re.match(_MISUSED, what)) and misused[1] in _CALLED:
        return f"hand it what it takes: {_CALLED[misused[1]]}"
    return next((mend for broken, mend in _BROKEN if re.search(broken, what)), "")
