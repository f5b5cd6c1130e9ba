"""One rule: a Markdown file whose front matter declares, whose prose tells people, whose mechanics carry out.

A rule file is front matter between two lines ``---``, prose, and at most one fenced block of the language
``starlark``, the mechanics. Fenced blocks of other languages are prose. The slug, taken from the file's name,
is the rule's identity; the title may change and need not be unique.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.ground import files
from nomicgit.ground.files import Value
from nomicgit.ground.files.grammar import all_seen
from nomicgit.ground.kept import late
from nomicgit.ground.nearness import nearest
from nomicgit.ground.problems import Malformed, Place, Problem, Refused, printable
from nomicgit.law.titles import why_none

LANGUAGE = "starlark"
STATUSES = ("active", "inactive")
MOST_TOLD = 100  # problems of one file's fenced blocks

_FENCE = late(r"[ \t]*(`{3,}(?=[^`]*$)|~{3,})[ \t]*(.*?)[ \t]*$")


class Rule(Struct, frozen=True):
    """A rule, apart from its place in the ruleset. All texts are without blank lines at either end.

    ``front`` is the front matter without the title, in the file's order; ``prose`` the body without the
    mechanics; ``mechanics`` the inside of their block, "" for none; ``line`` the number of lines of the file
    before the first line of the mechanics, so that code padded with it tells the file's own lines.
    """

    slug: str
    title: str
    front: Mapping[str, Value]
    prose: str
    mechanics: str
    line: int = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rule) and self._compared() == other._compared()

    __hash__ = None  # type: ignore[assignment]  # its front matter is a map

    def _compared(self) -> tuple[object, ...]:
        """What makes a rule another one: all but how far down its mechanics stand."""
        return self.slug, self.title, self.front, self.prose, self.mechanics


class Fence(Struct, frozen=True):
    """A fenced block: 0-based lines of its marks (``end`` None: unclosed), its marks and its language."""

    start: int
    end: int | None
    marks: str
    language: str


def fences(lines: Sequence[str]) -> Iterator[Fence]:
    """The fenced blocks of some Markdown, at any indentation, from the first line to the last."""
    at = 0
    while at < len(lines):
        opening = _FENCE.match(lines[at]) if "```" in lines[at] or "~~~" in lines[at] else None
        if opening is None:
            at += 1
            continue
        marks = opening[1]
        closing = late(rf"[ \t]*{re.escape(marks[0])}{{{len(marks)},}}[ \t]*$")
        end = next(
            (n for n in range(at + 1, len(lines)) if marks in lines[n] and closing.match(lines[n])), None
        )
        yield Fence(at, end, marks, opening[2])
        at = len(lines) if end is None else end + 1


def parse(text: str, slug: str, file: str = "") -> Rule:
    """Read a rule's file. Raises ``Malformed`` with all that is wrong in it."""
    try:
        return _parsed(text, slug)
    except Malformed:
        return _read(text, slug, file)  # once more, to tell the file


@lru_cache(maxsize=4096)
def _parsed(text: str, slug: str) -> Rule:
    return _read(text, slug, "")


def _read(text: str, slug: str, file: str) -> Rule:
    parts = files.split(text.removeprefix("\ufeff").replace("\r\n", "\n"), file)
    problems: list[Problem] = []
    front = _front(parts, file, slug, problems)
    lines = parts.body.split("\n")
    block = _mechanics(lines, parts.body_line, file, slug, problems)
    if problems:
        raise Malformed(*problems)
    prose, mechanics, line = trimmed(parts.body), "", 0
    if block is not None and block.end is not None:
        inside = lines[block.start + 1 : block.end]
        mechanics = trimmed("\n".join(inside))
        blank = next((n for n, each in enumerate(inside) if each.strip()), 0)
        line = parts.body_line + block.start + blank
        prose = _joined(lines[: block.start], lines[block.end + 1 :])
    title = str(front.pop("title"))
    return Rule(slug, title, front, prose, mechanics, line)


def trimmed(text: str) -> str:
    """The text without blank lines at its ends and without white space after its last word."""
    lines = text.split("\n")
    first = next((n for n, each in enumerate(lines) if each.strip()), len(lines))
    return "\n".join(lines[first:]).rstrip()


def _joined(before: Sequence[str], after: Sequence[str]) -> str:
    parts = [trimmed("\n".join(lines)) for lines in (before, after)]
    return "\n\n".join(part for part in parts if part)


def _front(parts: files.Parts, file: str, slug: str, problems: list[Problem]) -> dict[str, Value]:
    """The front matter as a mapping with a title, noting what is wrong with it."""
    try:
        front = files.read(parts.front, file, line=parts.front_line)
    except files.Unquoted as unquoted:  # what else is wrong is told with it
        problems += (replace(each, where=replace(each.where, rule=slug)) for each in unquoted.problems)
        front = unquoted.meant
    if not isinstance(front, dict):
        mend = "begin the file with `---`, a line `title: …`, and `---`"
        problems.append(
            Problem("the front matter is no mapping of keys to values", Place(file, 1, rule=slug), mend)
        )
        return {}
    wrong: list[tuple[str, str, str]] = []
    if why := title_problem(front.get("title")):
        meant = _meant_as_title(front) if "title" not in front else ""
        known = f"nobody knows the key {meant}: it says nothing, and {why}", "write title, if that is meant"
        said = known if meant else (why, "write a line `title: …` into the front matter")
        wrong.append((meant or "title", *said))
    for key in ("status", "default_status"):
        if key in front and front[key] not in STATUSES:
            meant = "inactive" if front[key] is False else "active"
            wrong += [(key, f"`{key}` is neither active nor inactive", f"write `{key}: {meant}`")]
    if not isinstance(front.get("rare", False), bool):
        wrong.append(("rare", "`rare` is neither true nor false", "write `rare: true`, or leave it out"))
    if wrong:
        lines = _lines_of_keys(parts)
        there = {lines.get((key,)) for key, _, _ in wrong}
        problems[:] = [each for each in problems if each.where.line not in there]  # of one value one message
        problems += [
            Problem(why, Place(file, lines.get((key,), 1), rule=slug), mend) for key, why, mend in wrong
        ]
    return dict(front)


def _meant_as_title(front: Mapping[str, Value]) -> str:
    """The key in which a rule has its title by a slip of the pen, or as others call it; "" where there is none."""
    texts = [key for key, value in front.items() if isinstance(value, str) and not title_problem(value)]
    return next((key for key in texts if key.lower() == "name" or nearest(key, ["title"])), "")


def _lines_of_keys(parts: files.Parts) -> dict[tuple[str, ...], int]:
    """The lines of a front matter's own keys, also where it holds what is not read."""
    begins = enumerate(parts.front.split("\n"), parts.front_line)
    return {(line.partition(":")[0],): n for n, line in begins if line[:1] not in {*" #-"} and ":" in line}


def title_problem(title: object) -> str:
    """Why this cannot be a rule's title, or ""."""
    if title is None or title == "":
        return "the title is missing"
    if not isinstance(title, str):
        return f"the title is no text but {printable(str(title))}; write it in quotes"
    if not title.strip():
        return "the title is blank"
    if title != title.strip() or "\n" in title or not all_seen(title):
        return "the title must be one line of characters that can be seen, without white space at its ends"
    return why_none(title)


def _mechanics(
    lines: Sequence[str], first: int, file: str, slug: str, problems: list[Problem]
) -> Fence | None:
    """The block of mechanics among the lines of a body, whose first line is the file's line ``first``."""
    block: Fence | None = None
    for fence in fences(lines):
        place = Place(file, first + fence.start, rule=slug)
        if fence.end is None:
            problems.append(
                Problem("a fenced block is not closed", place, f"end it with a line {fence.marks}")
            )
        if fence.language.split(" ")[0] != LANGUAGE:
            continue
        if not lines[fence.start].startswith(fence.marks + LANGUAGE):
            problems.append(
                Problem("the mechanics are indented", place, "begin ```starlark at the line's start")
            )
        elif block is not None:
            problems.append(Problem("a second block of mechanics", place, "put all mechanics into one block"))
        block = block or fence
        if len(problems) >= MOST_TOLD:
            break
    return block


def render(rule: Rule) -> str:
    """The rule's file in canonical form: front matter with the title first, prose, mechanics."""
    front = files.write({"title": rule.title, **rule.front})
    parts = [rule.prose] if rule.prose else []
    if rule.mechanics:
        runs = re.findall(r"^[ \t]*(`{3,})", rule.mechanics, re.MULTILINE)
        marks = "`" * max([3, *(len(run) + 1 for run in runs)])
        parts.append(f"{marks}{LANGUAGE}\n{rule.mechanics}\n{marks}")
    return files.join(front, "\n\n".join(parts) + "\n" if parts else "")


def checked(rule: Rule) -> Rule:
    """The rule as it reads back from its own file, its ``line`` right; raises ``Refused`` where it is
    another.

    This is asked after every edit, so that prose cannot smuggle in mechanics or front matter.
    """
    text = render(rule)
    try:
        read = parse(text, rule.slug)
    except Malformed as wrong:
        raise Refused(*wrong.problems) from wrong
    if read != rule or render(read) != text:
        raise Refused.of(
            "the rule would not read back as it is meant",
            rule=rule.slug,
            mend="take blank lines off the ends of its texts, and fences of mechanics out of the prose",
        )
    return read


def front_lines(text: str) -> Mapping[tuple[str | int, ...], int]:
    """The file's line of every key and element of the front matter, by its path."""
    parts = files.split(text)
    return files.read_with_lines(parts.front, line=parts.front_line)[1]
