"""The shape of changes: which keys each form takes, what may stand under them, which rules a change names.

This is asked when a proposal is submitted; whether a change can be carried out is seen when it is enacted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from nomicgit.ground.nearness import nearest
from nomicgit.ground.problems import Problem, printable
from nomicgit.law.formed import CHANGES
from nomicgit.law.paths import is_path
from nomicgit.law.titles import LONGEST_SLUG, slugless

Change = Mapping[str, Any]
Check = Callable[[Any], str]  # "", or what it must be

SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
SLUGGED = re.compile("[A-Za-z0-9]")
SIDES = ("after", "before", "below", "above")
ROLES = ("player", "players", "emperor")
MOST_DEEP = 4  # levels of ``together`` in ``together``

_CONTROL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def _of(kind: type, words: str) -> Check:
    return lambda value: "" if isinstance(value, kind) else words


_text, _flag, _mapping = _of(str, "a text"), _of(bool, "true or false"), _of(Mapping, "a mapping")


def _said(value: object) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "a text: write a number of a rule in quotes"
    return "" if isinstance(value, str) and value.strip() else "a text that is not blank"


def _maybe(check: Check) -> Check:
    return lambda value: "" if value is None or not (why := check(value)) else f"{why}, or null"


def _slug(value: object) -> str:
    sound = isinstance(value, str) and len(value) <= LONGEST_SLUG and SLUG.fullmatch(value)
    return "" if sound else f"small letters, digits and hyphens, {LONGEST_SLUG} of them at most"


def _sluggable(value: object) -> str:
    return _said(value) or (
        "" if SLUGGED.search(str(value)) else "a text with a letter from a to z or a digit"
    )


def _one_of(*choices: str) -> Check:
    def judge(value: object) -> str:
        near = nearest(value, choices) if isinstance(value, str) and value not in choices else []
        meant = f" (did you mean {near[0]}?)" if near else ""
        return "" if value in choices else f"{' or '.join(choices)}{meant}"

    return judge


def _map(check: Check = lambda _: "", keys: tuple[str, ...] = ()) -> Check:
    """A mapping from texts, not empty, whose values ``check`` takes and whose keys are among ``keys``."""

    def judge(value: object) -> str:
        if not isinstance(value, Mapping) or not value:
            return "a mapping that is not empty"
        for key, inner in value.items():
            if not isinstance(key, str) or not key.strip() or (keys and key not in keys):
                return f"a mapping whose keys are {', '.join(keys) if keys else 'texts'}"
            if why := check(inner):
                return f"a mapping in which {printable(key, 60)} is {why}"
        return ""

    return judge


def _paths(check: Check = lambda _: "") -> Check:
    """A mapping from paths, not empty, whose values ``check`` takes."""

    def judge(value: Any) -> str:
        if why := _map(check)(value):
            return why
        wrong = next((key for key in value if not is_path(key)), None)
        if wrong is None:
            return ""
        return f'a mapping from paths, and {printable(wrong, 60)} is none: write parts with dots between, "in quotes" a part that has a dot'

    return judge


def _listed(value: object) -> str:
    return "" if isinstance(value, list) and value else "a list that is not empty"


class _Shape(Struct, frozen=True):
    """The keys of one form: those it must have, those it may have, and some of which it must have one."""

    must: Mapping[str, Check]
    may: Mapping[str, Check] = field(default_factory=dict)
    some: tuple[str, ...] = ()

    def problems(self, value: object) -> Iterator[Problem]:
        if not isinstance(value, Mapping):
            yield Problem(f"takes a mapping with {', '.join(self.must) or 'keys'}", mend=self.example)
            return
        known = {**self.must, **self.may}
        left = [key for key in known if key not in value]
        meant = {str(key): nearest(str(key), left) for key in value if key not in known}
        for key, near in meant.items():
            mend = f"did you mean {near[0]}?" if near else f"it takes {', '.join(known)}"
            yield Problem(f"has no key {printable(key, 40)}", mend=mend)
        lacking = [key for key in self.must if key not in value and [key] not in meant.values()]
        yield from (Problem(f"lacks `{key}`", mend=self.example) for key in lacking)
        for key, inner in value.items():
            if key in known and (why := known[key](inner)):
                yield Problem(f"`{key}` must be {why}")
        if self.some and not any(key in value or [key] in meant.values() for key in self.some):
            yield Problem(f"needs one of {', '.join(self.some)}", mend=self.example)

    @property
    def example(self) -> str:
        """What to write, with the keys that it must have, and one of those of which it must have some."""
        keys = (*self.must, *self.some[:1]) if self.must else self.some
        return f"write {{{', '.join(f'{key}: …' for key in keys)}}}"


_RULE: Mapping[str, Check] = {"rule": _said}
_PLACE: Mapping[str, Check] = {
    "section": _said, "under": _maybe(_said), "after": _maybe(_said), "before": _maybe(_said)
}  # fmt: skip
_SIDES: Mapping[str, Check] = dict.fromkeys(SIDES, _said)
_PROSE: Mapping[str, Check] = {"in": _one_of("prose"), "whole": _flag}

_RULES: Mapping[str, _Shape] = {
    "add-rule": _Shape(
        {},
        {
            "title": _maybe(_text),
            "text": _text,
            "slug": _slug,
            "declares": _mapping,
            "mechanics": _text,
            **_PLACE,
        },
        ("title", "text"),
    ),
    "rename": _Shape({**_RULE, "to": _said}),
    "move": _Shape(_RULE, _PLACE, tuple(_PLACE)),
    "player": _Shape({"name": _said, "admin": _flag}),
    "rename-player": _Shape({"from": _said, "to": _said}),
    "scenario": _Shape({"name": _sluggable, "text": _maybe(_text)}),
}
_VALUES: Mapping[str, Check] = {
    "repeal": _said,
    "status": _map(_one_of("active", "inactive")),
    "set": _paths(),
    "terms": _map(_said, ROLES),
    "bar": _said,
    "undo": lambda value: "" if isinstance(value, int) and not isinstance(value, bool) else _said(value),
    "uphold": _said,
    "run": _said,
}
_WHOLE = _map(keys=("text", "mechanics", "declares"))
_CODE = _map(_maybe(_said))
_AMENDS: Mapping[tuple[str, str], _Shape] = {
    ("prose", "replace"): _Shape({**_RULE, "replace": _said, "with": _text}, _PROSE),
    ("prose", "remove"): _Shape({**_RULE, "remove": _said}, _PROSE),
    ("prose", "add"): _Shape(
        {**_RULE, "add": _said}, {"in": _one_of("prose"), "at": _one_of("start", "end"), **_SIDES}
    ),
    ("prose", "move"): _Shape({**_RULE, "move": _said}, {"in": _one_of("prose"), **_SIDES}, SIDES),
    ("prose", "text"): _Shape(
        _RULE,
        {"in": _one_of("prose"), "text": _text, "mechanics": _text, "declares": _mapping,
         "was": lambda value: "" if isinstance(value, str) else _WHOLE(value)},
        ("text", "mechanics", "declares"),
    ),
    ("declarations", "set"): _Shape({**_RULE, "in": _text, "set": _paths()}, {"was": _paths()}),
    ("declarations", "add"): _Shape({**_RULE, "in": _text, "add": _paths(_listed)}),
    ("declarations", "remove"): _Shape({**_RULE, "in": _text, "remove": _paths(_listed)}),
    ("mechanics", "set"): _Shape({**_RULE, "in": _text, "set": _CODE}, {"was": _CODE}),
    ("mechanics", "replace"): _Shape({**_RULE, "in": _text, "replace": _said, "with": _text}),
}  # fmt: skip
AMENDED = tuple(dict.fromkeys(where for where, _ in _AMENDS))
FORMS = ("add-rule", "amend", "rename", "move", "repeal", "status", "set", "terms", "player", "rename-player",
         "bar", "scenario", "uphold", "undo", "run", "together")  # fmt: skip


def verb(given: Mapping[str, object]) -> tuple[str, str] | None:
    """What an ``amend`` does: where (prose, declarations, mechanics) and by which verb, if that is known."""
    place = str(given.get("in", "prose"))
    for where, name in _AMENDS:
        if where == place and name in given:
            return where, name
    return ("prose", "text") if place == "prose" and ("mechanics" in given or "declares" in given) else None


def malformed(change: object) -> list[Problem]:
    """What is wrong with the shape of a change, with what to write instead; nothing where it can be submitted."""
    return list(_malformed(change, 0))


def _malformed(change: object, deep: int) -> Iterator[Problem]:
    if not isinstance(change, Mapping) or len(change) != 1:
        forms = ", ".join(FORMS)
        yield Problem(
            f"a change is a mapping with one key, its form: {forms}", mend="write {repeal: …}, for example"
        )
        return
    [(form, value)] = change.items()
    if form not in FORMS:
        near = nearest(str(form), FORMS)
        mend = f"did you mean {near[0]}?" if near else ""
        yield Problem(
            f"{printable(str(form), 40)} is no form of change; there are {', '.join(FORMS)}", mend=mend
        )
    elif form == "together":
        yield from _together(value, deep)
    elif form == "amend":
        yield from (each.of_part("amend") for each in _amend(value))
    elif form in _RULES:
        yield from (each.of_part(form) for each in _RULES[form].problems(value))
        if form == "add-rule" and (why := _unslugged(value)):
            yield Problem(f"add-rule: {why}")
    elif why := _VALUES[form](value):
        yield Problem(f"{form}: it must be {why}", mend=f"write {CHANGES[form]}")
    if deep == 0 and (text := next(_unseen(change), "")):
        yield Problem(f"{text} holds a control or direction character; take it out")


def _unslugged(rule: object) -> str:
    """Why a new rule would have no slug, or "": one without a title takes that of its matter."""
    if not isinstance(rule, Mapping) or "slug" in rule or not isinstance(title := rule.get("title"), str):
        return ""
    return slugless(title) if title.strip() else ""


def _together(value: object, deep: int) -> Iterator[Problem]:
    if not isinstance(value, list) or not value:
        yield Problem("together: it must be a list of changes", mend=f"write {CHANGES['together']}")
    elif deep == MOST_DEEP:
        yield Problem(f"together: more than {MOST_DEEP} levels of it")
    else:
        for number, inner in enumerate(value, 1):
            yield from (each.of_part(f"together, {number}") for each in _malformed(inner, deep + 1))


def _amend(value: object) -> Iterator[Problem]:
    if not isinstance(value, Mapping):
        yield Problem(
            "takes a mapping with `rule` and what to do", mend="write {rule: …, replace: …, with: …}"
        )
        return
    what = verb(value)
    if what is not None:
        yield from _AMENDS[what].problems(value)
        return
    place = str(value.get("in", "prose"))
    verbs = [name for where, name in _AMENDS if where == place]
    if not verbs:
        near = nearest(place, AMENDED)
        mend = f"did you mean {near[0]}?" if near else ""
        yield Problem("`in` must be prose, declarations or mechanics", mend=mend)
        return
    yield Problem(f"in {place} needs one of {', '.join(verbs)}", mend=_meant_verb(value, verbs))


def _meant_verb(value: Mapping[str, object], verbs: list[str]) -> str:
    """What somebody may have meant whose ``amend`` does nothing that is known at its place."""
    elsewhere = [where for where, name in _AMENDS if name in value]
    if elsewhere:
        return f"did you mean in: {' or in: '.join(dict.fromkeys(elsewhere))}?"
    near = [verb for key in value if key not in ("rule", "in") for verb in nearest(str(key), verbs)]
    return f"did you mean {near[0]}?" if near else "write {rule: …, replace: …, with: …}"


def _unseen(value: object) -> Iterator[str]:
    """The texts in a value that hold characters which nobody sees but a machine."""
    if isinstance(value, str) and _CONTROL.search(value):
        yield printable(value, 60)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _unseen(key)
            yield from _unseen(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _unseen(inner)


# ---- the mechanics that a change brings


class Code(Struct, frozen=True):
    """Mechanics in a change: where they stand, their text, and (None: whatever they do) the name that they define."""

    where: str
    text: str
    defines: str | None = None
    program: bool = False  # run once, as a function's body


def code(change: Change) -> Iterator[Code]:
    """The mechanics that a well-formed change brings."""
    [(form, value)] = change.items()
    match form:
        case "together":
            for number, inner in enumerate(value, 1):
                yield from (replace(each, where=f"together, {number}: {each.where}") for each in code(inner))
        case "run":
            yield Code(form, value, program=True)
        case "add-rule" | "amend" if "mechanics" in value:
            yield Code(f"{form}: mechanics", value["mechanics"])
        case "amend" if value.get("in") == "mechanics" and "set" in value:
            for name, text in value["set"].items():
                if text is not None:
                    yield Code(f"amend: {printable(name, 40)}", text, name)


# ---- the rules that a change names

_NAMING = {"amend": ("rule",), "rename": ("rule",), "move": ("rule", "under", "after", "before"),
           "add-rule": ("under", "after", "before")}  # fmt: skip


def named(change: Change) -> list[str]:
    """Every name of a rule that a change writes, once each, in their order."""
    names: dict[str, None] = {}
    resolved(change, lambda name: names.setdefault(name) or name)
    return list(names)


def resolved(change: Change, called: Callable[[str], str]) -> dict[str, object]:
    """The change with each name of a rule put as ``called`` gives it; quotes and all else stay as they are.

    So are names turned into slugs where a proposal is submitted.
    """
    made: dict[str, Any] = {}
    for form, value in change.items():
        if form == "together" and isinstance(value, list):
            made[form] = [resolved(inner, called) if isinstance(inner, Mapping) else inner for inner in value]
        elif form == "repeal" and isinstance(value, str):
            made[form] = called(value)
        elif form == "status" and isinstance(value, Mapping):
            made[form] = {called(name): status for name, status in value.items()}
        elif form in _NAMING and isinstance(value, Mapping):
            names = [key for key in _NAMING[form] if isinstance(value.get(key), str)]
            made[form] = {**value, **{key: called(value[key]) for key in names}}
        else:
            made[form] = value
    return made
