"""Of what shape the options of a declaration are: what is of another one is told, with a line that is right.

Source: ``docs/mechanics.md``. What says more than its shape, such as a type or a key, is judged where it is read.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from nomicgit.ground.characters import fold
from nomicgit.ground.nearness import nearest

SELECTS = ("section", "rule", "tag", "by", "limit")
"""By what a guard selects the actions that it stands before, beside their names."""


class Shape(Struct, frozen=True):
    """What an option must be, in words; of which kinds it may be, and what of these: ``each`` in a list, or under a map's
    names, one of some texts (``among``), a map of one of some ``keys`` and a text. ``meaning``: what other words mean among these
    texts."""

    words: str
    kinds: tuple[type, ...]
    each: tuple[type, ...] = ()
    among: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    meaning: Mapping[str, str] = {}

    def meant(self, said: object) -> str:
        """Which of the texts somebody may have meant: the nearest in meaning, else in letters; "" of none."""
        if not isinstance(said, str):
            return ""
        return self.meaning.get(fold(said), "") or next(iter(nearest(said, self.among)), "")


HIDING = "private hidden concealed confidential sealed encrypted veiled closed owner emperor self me nobody none".split()
TEXT = Shape("a text", (str,))
NAME = Shape("a name", (str,))
FUNCTION = Shape("a function's name", (str,))
NAMES = Shape("a list of names", (list,), (str,))
NAME_S = Shape("a name, or a list of names", (str, list), (str,))
MAP = Shape("a map", (Mapping,))
ROWS = Shape("a map of maps", (Mapping,), (Mapping, type(None)))
NEVER = Shape("never, or dynasty", (str,), among=("never", "dynasty"))
TRUTH = Shape("true or false, without quotes", (bool,))
PRIVATE = Shape("true or false, or names of parameters", (bool, str, list), (str,))
TRACKED = Shape(
    "public, secret or nowhere", (str,), among=("public", "secret", "nowhere"),
    meaning={
        **dict.fromkeys(HIDING, "secret"), **dict.fromkeys(("open", "everybody", "everyone", "all"), "public"),
        **dict.fromkeys(("untracked", "invisible"), "nowhere"),
    },
)  # fmt: skip
COST = Shape("a map of what is charged, or a text", (str, Mapping))
SELECTORS = Shape(
    f"all, or a list of actions and of {', '.join(f'{{{key}: NAME}}' for key in SELECTS)}",
    (str, list, Mapping), (str, Mapping), keys=SELECTS,
)  # fmt: skip

Shapes = Mapping[str, tuple[Shape, str]]
FIELD: Shapes = {
    "derived": (FUNCTION, "_worth"), "legal": (FUNCTION, "_fits"), "invalid": (FUNCTION, "_gone"),
    "seen_by": (NAME_S, "[owner]"), "opens": (NEVER, "never"), "tracked": (TRACKED, "secret"), "catalogue": (NAME, "woods"),
    "unit": (TEXT, "crowns"), "shown_as": (TEXT, "'@'"),
}  # fmt: skip
"""The shapes of the options of a variable, or a field, each with a value that is right."""
SHAPES: Mapping[str, Shapes] = {
    "variables": {**FIELD, "of": (NAME, "player")},
    "actions": {
        "summary": (TEXT, "Offer coins"), "limit": (NAME, "daily"), "tags": (NAMES, "[loud]"), "opens": (NEVER, "never"),
        "answers": (NAME, "join"), "instead": (TEXT, "ask an admin"), "with": (MAP, "{people: integer}"),
        "form": (TRUTH, "false"), "private": (PRIVATE, "true"), "cost": (COST, "{coins: 3}"),
    },
    "collections": {
        "called": (NAME, "label"), "from": (NAME, "woods"), "founding": (ROWS, "{Hall: {seats: 3}}"),
        "tracked": (TRACKED, "secret"), "permanent": (TRUTH, "true"), "all": (TRUTH, "true"), "label": (NAME, "owner"),
        "north": (NAME, "Hall"), "west": (NAME, "Hall"), "seen_by": (NAME_S, "[owner]"), "fields": (MAP, "{seats: integer}"),
    },
    "guards": {"on": (SELECTORS, "[vote]"), "except": (SELECTORS, "[vote]")},
    "filters": {"of": (NAME, "player"), "variable": (NAME, "coins")},
    "settles": {"of": (NAME, "player"), "watches": (NAMES, "[coins]"), "where": (NAME, "alive")},
    "schedule": {"every": (TEXT, "day 06:00"), "of": (NAME, "player"), "at": (NAME, "due"), "where": (NAME, "alive")},
    "views": {"of": (NAME, "player")},
    "counts": {"in": (NAMES, "[dynastic]"), "except": (NAMES, "[votes]")},
    "posts": {"called": (TEXT, "call for judgement")},
    "clock": {"zone": (NAME, "Europe/Berlin"), "week": (NAME, "monday")},
}  # fmt: skip
"""The same of the options of what is declared, by the keys of the front matter."""
