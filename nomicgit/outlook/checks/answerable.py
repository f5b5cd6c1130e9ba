"""Checks of the functions that declarations name: that each takes what it is handed, and that what is asked of it is answered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from keyword import iskeyword

from nomicgit.law.definitions import DEEPER, code, definitions, text_of
from nomicgit.law.hooks import Listener, Recurring, Settle, Timed
from nomicgit.law.law import Law
from nomicgit.law.linking import BUILTINS, RESERVED, written
from nomicgit.law.ruleset import Placed
from nomicgit.outlook.checks.finding import Finding, error, in_rule, warning
from nomicgit.outlook.checks.named import Header, Named, header_of, named

NO_ANSWER = "answers nothing"
OF = ("ref", "player", "post", "matter")
"""How functions call what they are handed one of."""
REFUSING = frozenset({"refuse", "require"})
WHY_NOT = 'write why not, as a text: return "it is night"; and return "" where nothing is against it'
_TRUE = re.compile(r"^[ \t]+return[ \t]+True\b", re.MULTILINE)
_SAID = re.compile(r"""^[ \t]+return[ \t]+(?:"[^"]|'[^']|(False)\b)""", re.MULTILINE)
_ANSWER = re.compile(r"[ \t]*[^\s#]")


def answering(law: Law) -> Iterator[Finding]:
    """Functions of declarations, but for those of actions, with other parameters or without any answer."""
    doing = {
        each.function
        for kind in law.declarations.values()
        for each in kind.all(law.declared)
        if isinstance(each, Listener | Recurring | Settle | Timed)
    }
    guarding = {each.function for each in law.declared.guards.values()}
    for each in named(law):
        own = each.path[0] == "actions" and len(each.path) == 2
        for placed in _defining(law, each) if law.has(each.function) and not own else ():
            name = written(each.function)
            text = text_of(placed.mechanics, name) or ""
            line = placed.line + 1 + placed.mechanics[: placed.mechanics.find(text)].count("\n")
            refuses = each.function in guarding and REFUSING & {word for _, word, _ in code(text)}
            if _misfits(each, text):
                handed = each.takes or "nothing"
                what = f"{name}, which {'.'.join(each.path)} names, does not take what it is handed: {handed}"
                takes = each.takes if "," in each.takes else next(_meant(law, placed, each, text), each.takes)
                yield error(in_rule(law, placed.slug, what, f"write def {name}({takes})", line))
            elif each.function not in doing and not refuses and not _answers(text):
                what = f"{name} {NO_ANSWER}, and {'.'.join(each.path)} asks it: {each.lacking}"
                yield error(in_rule(law, placed.slug, what, "write return before what it is to answer", line))
            elif each.function in guarding and (true := _TRUE.search(text)):
                here = line + text.count("\n", 0, true.start())
                yield error(
                    in_rule(law, placed.slug, f"{name} answers True, which bars nothing", WHY_NOT, here)
                )


def opening(law: Law) -> Iterator[Finding]:
    """Functions that are to say why an action is not open, and that say nothing: it is open to everybody."""
    for action in law.declared.actions.values():
        for placed in law.active:
            if action.opening not in law.scanned(placed).functions:
                continue
            text = text_of(placed.mechanics, action.opening) or ""
            if not _answers(text) and not REFUSING & {word for _, word, _ in code(text)}:
                line = placed.line + 1 + placed.mechanics[: placed.mechanics.find(text)].count("\n")
                what = f"{action.opening} {NO_ANSWER}: the action {action.name} is open to everybody"
                yield error(in_rule(law, placed.slug, what, "write return before what it is to answer", line))


def refusing(law: Law) -> Iterator[Finding]:
    """What is done by an action, where it answers with a text, as judging functions do: it refuses nobody."""
    for each in named(law):
        own = each.path[0] == "actions" and len(each.path) == 2
        for placed in _defining(law, each) if law.has(each.function) and own else ():
            name = written(each.function)
            text = text_of(placed.mechanics, name) or ""
            if said := _SAID.search(text):
                line = placed.line + 1 + placed.mechanics[: placed.mechanics.find(text)].count("\n")
                answer = "False" if said[1] else "with a text"
                what = f"{name} answers {answer}, which refuses nothing: the deed is done all the same"
                mend = 'to refuse, write require(condition, "why not"), or refuse("why not")'
                here = line + text.count("\n", 0, said.start())
                yield warning(in_rule(law, placed.slug, what, mend, here))


def _defining(law: Law, each: Named) -> Iterator[Placed]:
    """The rules that define a function: its own one first, and that alone."""
    own = law.ruleset.by_slug[each.rule]
    name = written(each.function)
    for placed in (own, *law.active):
        scanned = law.scanned(placed)
        if name in scanned.functions or (placed == own and name in scanned.private):
            yield placed
            return


def unhanded(law: Law) -> Iterator[tuple[str, str]]:
    """What functions take for a parameter, with their files, that do not take what they are handed."""
    for each in named(law):
        for placed in _defining(law, each) if law.has(each.function) else ():
            text = text_of(placed.mechanics, written(each.function)) or ""
            if _misfits(each, text):
                yield from ((placed.file, name) for name in _meant(law, placed, each, text))


def _misfits(each: Named, text: str) -> bool:
    """Whether a function has other parameters than what it is handed by a declaration that is not an action's own."""
    own = each.path[0] == "actions" and len(each.path) == 2
    return not own and each.takes != "…" and not _takes(header_of(text), each.takes)


def _meant(law: Law, placed: Placed, each: Named, text: str) -> Iterator[str]:
    """The names in a function without parameters by which it means what it is handed: as parameters of that kind are called, or
    else one that is only read there, and that nobody defines.
    """
    header = [name for name, _ in header_of(text)]
    if header and each.takes and "," not in each.takes:
        yield from [name for name in header if name != "actor" and not name.startswith("*")][-1:]
    if not each.takes or header:
        return
    usual = {*each.takes.split(", "), *OF}
    read = list(dict.fromkeys(_only_read(text)))
    known = {*BUILTINS, *RESERVED, *law.language.words, *law.linked.functions}
    known |= {definition.name for definition in definitions(placed.mechanics)}
    meant = [name for name in read if name in usual] or [name for name in read if name not in known][:1]
    yield from meant


def _only_read(text: str) -> Iterator[str]:
    """The names in a function that it reads and gives no value."""
    plain = [token for token in code(text) if token[0] != "COMMENT"]
    steps = list(zip(plain, plain[1:], [*plain[2:], ("", "", 0)], strict=False))
    deep = list(accumulate(DEEPER.get(word, 0) for _, word, _ in plain))
    handing = {
        at
        for inside, (_, (_, _, at), (_, sign, _)) in zip(deep, steps, strict=False)
        if inside and sign == "="
    }
    given = {word for (_, _, _), (_, word, at), (_, sign, _) in steps if sign == "=" and at not in handing}
    given |= {word for (_, before, _), (_, word, _), _ in steps if before in ("for", "def", "lambda")}
    for (_, before, _), (kind, word, at), _ in steps:
        if (
            kind == "NAME"
            and at not in handing
            and before != "."
            and word not in given
            and not iskeyword(word)
        ):
            yield word


def _takes(parameters: Header, handed: str) -> bool:
    """Whether a function with these parameters can be handed as many arguments, by their places."""
    number = len(handed.split(", ")) if handed else 0
    if any(name.startswith("*") for name, _ in parameters):
        return True
    return sum(not spare for _, spare in parameters) <= number <= len(parameters)


def _answers(text: str) -> bool:
    """Whether a function returns anything anywhere."""
    returns = (at + len(word) for _, word, at in code(text) if word == "return")
    return any(_ANSWER.match(text, end) for end in returns)
