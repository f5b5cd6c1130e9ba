"""HTML made safely: every part is escaped unless it is finished markup already."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, repeat
from typing import Any

from markupsafe import Markup, escape

from nomicgit.ground import clock, files
from nomicgit.ground.problems import NomicError

NOTHING = Markup("")
BREAK = Markup("<br> ")
WIDE = 5  # columns: a table of more gets the whole width of the window
LONG = 30  # letters of a text in a cell that needs room
_APART = frozenset(
    (
        "article blockquote dd del details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 ins li ol p pre summary table "
        "tbody td text th thead title tr ul"
    ).split()
)  # what a browser sets apart, and whoever takes the tags out would not
_JOINED = (
    "[\u0600-\u1fff\u2070-\U0010ffff]"  # between what joiners shape: emoji, letters that are written together
)
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    f"\U000e0000-\U000e007f]|(?<!{_JOINED})[\u200c\u200d]|[\u200c\u200d](?!{_JOINED})"
)


_ITEMS = re.compile(r"(?<![,;:.!?])(?<! and)(?<! or)</li>\s*<li[^>]*>")
_UNBROKEN = re.compile(r"(?:^|>)[^<]*?[^\s<]{30}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")  # as the program writes them
_TIMES = re.compile(f"({_TIME.pattern})")


def visible(text: str) -> str:
    """A text without what nobody sees and what turns the direction of writing about.

    It stands behind whatever reads references to characters, too: ``&rlm;`` is such a character by another name.
    """
    return _UNSEEN.sub("\ufffd", text)


def escaped(value: object) -> Markup:
    """A part of a page: markup as it is, anything else as plain text."""
    if isinstance(value, Markup):
        return value
    text = str(value)
    return escape(text if text.isascii() and text.isprintable() else visible(text))


def tag(name: str, /, *parts: object, **attributes: str | None) -> Markup:
    """An element. ``class_`` is the attribute class, ``data_at`` data-at; None leaves an attribute out."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escaped(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside, after = "".join(map(escaped, parts)), " " if name in _APART else ""
    end = "" if name in ("input", "link") else f"</{name}>"  # which holds nothing
    return Markup(f"<{name}{given}>{inside}{end}{after}")  # noqa: S704 - every part is escaped on the lines above


def joined(parts: Iterable[object], between: object = NOTHING) -> Markup:
    """Parts one after another."""
    return Markup(str(escaped(between)).join(map(escaped, parts)))  # noqa: S704 - every part is escaped here


def empty(value: object) -> bool:
    """Whether a value of the game is none: no text, nothing in a list or a map. Zero and no are values."""
    return value is None or (isinstance(value, str | list | Mapping) and not value)


def nothing() -> Markup:
    """What stands where there is no value."""
    return tag("span", "–", class_="nomic-none")


def several(parts: Iterable[object], *, within: bool) -> Markup:
    """The values of a list; ``within`` another value, in brackets."""
    return _within(joined(parts, ", "), within)


def paired(pairs: Iterable[tuple[object, object]], *, within: bool) -> Markup:
    """What a map gives to what, a line each; ``within`` another value on one line, in brackets."""
    lines = (joined((name, ": ", value)) for name, value in pairs)
    return _within(joined(lines, ", " if within else BREAK), within)


def _within(value: Markup, within: bool) -> Markup:
    return joined(("(", value, ")")) if within else value


def plain(value: object, *, within: bool = False) -> Markup:
    """A stored value as it was; ``within`` another value."""
    match value:
        case _ if empty(value):
            return nothing()
        case bool():
            return escaped("yes" if value else "no")
        case list():
            return several((plain(each, within=True) for each in value), within=within)
        case Mapping():
            pairs = ((str(key), plain(each, within=True)) for key, each in value.items())
            return paired(pairs, within=within)
        case str() if is_time(value):
            return moment(value)
    return escaped(value)


def is_time(value: object) -> bool:
    """Whether a value is a time, as the program writes them."""
    return isinstance(value, str) and bool(_TIME.fullmatch(value))


def line(html: str) -> str:
    """Finished HTML as one line of text, in which the lines of a value, and the items of a list, stay apart."""
    text = _ITEMS.sub(" · ", html.replace(BREAK, ", "))
    return Markup(text).striptags()  # noqa: S704 - a finished part, whose tags go


def listed(items: Iterable[object]) -> Markup:
    """An unordered list; nothing where there is no item."""
    members = [tag("li", item) for item in items]
    return tag("ul", *members) if members else NOTHING


def table(
    head: Sequence[object],
    rows: Iterable[Sequence[object]],
    *,
    sortable: bool = False,
    label: str = "",
    of: Iterable[Mapping[str, str]] = (),
    more: Mapping[str, str] | None = None,
    wide: bool | None = None,
) -> Markup:
    """A table; the first cell of each row names it. A reader may scroll it by the keyboard, and sort it where that makes sense.

    ``of`` are attributes of the rows, one after another, ``more`` of the whole. It is wide where it has many columns, or as told.
    """
    top = tag("thead", tag("tr", *(tag("th", cell, scope="col") for cell in head)))
    body = [
        tag("tr", _cell("th", row[0], scope="row"), *(_cell("td", cell) for cell in row[1:]), **about)
        for row, about in zip(rows, chain(of, repeat({})), strict=False)
    ]
    kinds = (
        "nomic-table",
        "nomic-sortable" * sortable,
        "nomic-wide" * (len(head) > WIDE if wide is None else wide),
    )
    name = label or "Table: " + ", ".join(str(escaped(cell).striptags()) for cell in head if cell)[:80]
    return tag(
        "div",
        tag("table", top, tag("tbody", *body)),
        class_=" ".join(filter(None, kinds)),
        tabindex="0",
        role="group",
        aria_label=name,
        **(more or {}),
    )


def _cell(name: str, cell: object, **more: str) -> Markup:
    """A cell; one that has a very long word in it may break it, and one of several lines, or of a long text, gets room."""
    inside = escaped(cell)
    if name == "td" and (BREAK in inside or (len(inside) > LONG and len(inside.striptags()) > LONG)):
        return tag(name, inside, class_="nomic-texts", **more)
    return tag(name, inside, class_="nomic-unbroken" if _UNBROKEN.search(inside) else None, **more)


def facts(pairs: Iterable[tuple[object, object]]) -> Markup:
    """Names and what they are."""
    entries = [tag("div", tag("dt", name), tag("dd", value)) for name, value in pairs]
    return tag("dl", *entries, class_="nomic-facts") if entries else NOTHING


def folded(summary: object, *inside: object) -> Markup:
    """What is shown when one opens it."""
    return tag("details", tag("summary", summary), *inside)


def unsearched(*inside: object) -> Markup:
    """What no search finds, for words beside it say the same."""
    return tag("div", *inside, data_search_exclude="")


def code(text: object) -> Markup:
    """A word of the law or of the program."""
    return tag("code", text)


def block(text: str) -> Markup:
    """Preformatted text."""
    return tag("div", tag("pre", tag("code", text)), class_="highlight")


def as_yaml(value: Any) -> Markup:
    """A plain value, readable."""
    try:
        return block(files.write(value).rstrip("\n"))
    except NomicError:
        return block(str(value))


def moment(at: int | str) -> Markup:
    """A time, to the minute."""
    text = clock.text(at) if isinstance(at, int) else at
    shown = text[:16].replace("T", " ") + (" UTC" if len(text) > 10 else "")
    return tag("time", shown, datetime=text)


def timed(text: str) -> Markup:
    """What the program says in a sentence, its times told as everywhere on the site."""
    parts = _TIMES.split(text)
    return joined(moment(part) if place % 2 else part for place, part in enumerate(parts))


def until(at: int) -> Markup:
    """A time to come, which a browser counts down to."""
    return tag("time", moment(at).striptags(), datetime=clock.text(at), class_="nomic-until")


def since(at: str) -> Markup:
    """A time that was, of which a browser tells how long ago it was."""
    return tag("time", moment(at).striptags(), datetime=at, class_="nomic-since")


def mark(text: str, kind: str = "") -> Markup:
    """A small mark, such as the icon of a vote or a status."""
    plain = re.sub(r"[^a-z0-9]+", "-", (kind or text).casefold())[:40]
    return tag("span", text, class_=f"nomic-mark nomic-{plain}")


def counted(tally: object) -> Markup:
    """A tally: how many of which icon, those that nobody used left out but the first two."""
    if not isinstance(tally, Mapping):
        return tag("span", "no tally", class_="nomic-none")
    shown = [(icon, n) for place, (icon, n) in enumerate(tally.items()) if n or place < 2]
    return joined((mark(f"{n} {str(icon).upper()}", str(icon)) for icon, n in shown), " ")
