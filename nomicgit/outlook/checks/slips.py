"""Slips of the pen in declarations, told once: what follows from one of them is not looked for in the law as it was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nomicgit.ground.problems import Malformed, Place
from nomicgit.law.law import Law
from nomicgit.law.ruleset import FOLDER, Ruleset
from nomicgit.outlook.checks import aimed, keys
from nomicgit.outlook.checks.finding import Finding

ROUNDS = 4  # what is meant may hold more slips
_MEANT = re.compile(r"write ([\w-]+), if that is meant")
_KEY = re.compile(r"nobody knows the key [\w-]+ of ([\w.-]+):")
_SLIPS = (
    (re.compile(r"nobody knows the key ([\w-]+)(?: of |:)"), r"(?<![\w-]){}(?=['\"]?\s*:)"),
    (re.compile(r"is of ([\w-]+), which no rule in force declares"), r"(?<![\w-]){}(?![\w-])"),
)


def meant(law: Law) -> tuple[Law, list[Finding]]:
    """The law as its author meant it, as far as keys and kinds are misspelt; and the slips, each told once."""
    slips: list[Finding] = []
    for _ in range(ROUNDS):
        mended = {each: texts for each, texts in _mended(law) if each not in slips}
        for slip, texts in mended.items():
            try:
                ruleset = Ruleset.read({**law.ruleset.texts, **texts}, old=law.ruleset)
            except Malformed:
                continue  # what is meant stands there as well
            law = Law(ruleset, law.language, law.declarations)
            slips.append(slip)
            break
        else:
            break
    return law, slips


def untold(slips: list[Finding], findings: list[Finding]) -> list[Finding]:
    """The slips but those of keys of which, as they were meant, more is told: that tells the key, too."""
    return [
        each
        for each in slips
        if not (
            (key := _KEY.search(each.problem.what))
            and (meant := _MEANT.fullmatch(each.problem.mend))
            and any(of.problem.what.startswith(f"{key[1]}.{meant[1]}: ") for of in findings)
        )
    ]


def _mended(law: Law) -> Iterator[tuple[Finding, dict[str, str]]]:
    """Each slip with the file's text in which it is mended, on its line."""
    for each in (*keys.keys(law), *aimed.kinds(law)):
        written = _MEANT.fullmatch(each.problem.mend)
        for said, where in _SLIPS if written else ():
            name = said.search(each.problem.what)
            if name and written:
                text = _replaced(
                    law.ruleset, each.problem.where, where.format(re.escape(name[1])), written[1]
                )
                if text:
                    yield each, text


def _replaced(ruleset: Ruleset, where: Place, old: str, new: str) -> dict[str, str]:
    """The file of a place with something on its line written otherwise; nothing where it does not stand there."""
    path = where.file.removeprefix(FOLDER)
    lines = ruleset.texts[path].split("\n")
    line, times = re.subn(old, new, lines[where.line - 1], count=1)
    lines[where.line - 1] = line
    return {path: "\n".join(lines)} if times else {}
