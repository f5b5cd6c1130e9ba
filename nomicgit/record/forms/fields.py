"""The fields of an action's form: one for each parameter, and a first one that says which action it is.

A form is an issue's on a forge, and an issue is public. What comes back of it is its text alone: a heading of
the third level for each field, by its label. So the labels of a form must be all different, and plain.
"""

from __future__ import annotations

import re
from enum import Enum

from msgspec import Struct

from nomicgit.ground.problems import printable
from nomicgit.law.declarations import Action, Declared
from nomicgit.law.variables import Type

FILE_OF_CHOICES = "config.yml"
ORDER, MAILBOX = "order.yml", "mailbox.yml"
"""The files of the forms of a game that keeps secrets."""
OWN = (FILE_OF_CHOICES, ORDER, MAILBOX)
FIRST = "action-of-this-form"
FIRST_LABEL = "Action: leave this as it is"
MOST_OPTIONS = 60
LONGEST_OPTION = 60
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,58}[a-z0-9])?", re.ASCII)
_PARAMETER = re.compile(r"[A-Za-z0-9_]{1,40}", re.ASCII)
_OPTION = re.compile(r"[^\s,](?:[^\n,]*[^\s,])?")
_MISREAD = re.compile(r"[0-9]{4}-[0-9]{1,2}-.*|[yYnN]", re.DOTALL)
_BARRED = re.compile(r"pass|secret|token|credential|key\b", re.IGNORECASE)
LONG = ("body", "text")
"""The texts of a post and of a comment, which are long whoever asks for them."""

CHANGES = "changes"
"""What a parameter is called that is a list of changes of the law."""

KIND = "kind"
"""What kind of post something is, which is a text, for a game may have posts of no kind."""


class Control(Enum):
    """With what a field is filled in; the values are those of the forge."""

    CHOICE = "dropdown"
    LINE = "input"
    TEXT = "textarea"


class Field(Struct, frozen=True):
    """A field: the parameter that it fills in, its label, its control and its options, if it has any.

    ``several``: more than one option may be chosen. ``code``: the language in which a text is shown, ``""`` for prose.
    """

    name: str
    label: str
    kind: Type
    control: Control
    required: bool
    options: tuple[str, ...] = ()
    several: bool = False
    code: str = ""


def file_of(action: str) -> str:
    """The file of an action's form; some names are no action's."""
    file = f"{action}.yml"
    return f"{action}_.yml" if file in OWN else file


def has_form(action: Action) -> bool:
    """Whether an action is done by a form.

    None that is private, for a form is public; none that begins with a matter, for it is done where the matter
    stands, by a review or a comment; none of which its rule says ``form: false``; and none whose names no form holds.
    """
    if action.always_private or action.attributes.get("form") is False or _of_a_matter(action):
        return False
    names = labels(action)
    lawful = all(_PARAMETER.fullmatch(name) for name in names)
    return (
        lawful
        and _NAME.fullmatch(action.name) is not None
        and len({label.casefold() for label in names.values()}) == len(names)
    )


def _of_a_matter(action: Action) -> bool:
    first = next(iter(action.parameters.values()), None)
    return first is not None and first.kind == "matter" and first.required


def labels(action: Action) -> dict[str, str]:
    """The label of each parameter's field. The forge refuses labels that seem to ask for a secret.

    What makes a deed private is none: it is not said in public.
    """
    labels = {}
    for number, name in enumerate(action.parameters, 1):
        words = " ".join(name.replace("_", " ").split())
        plain = words and not _BARRED.search(words)
        if name != action.private:
            labels[name] = words[:1].upper() + words[1:] if plain else f"Field {number}"
    return labels


def fields(action: Action, declared: Declared) -> tuple[Field, ...]:
    """The fields of an action's parameters, in the order of its declaration."""
    named = labels(action)
    asked = ((name, kind) for name, kind in action.parameters.items() if name in named)
    return tuple(_field(name, named[name], kind, declared) for name, kind in asked)


def _field(name: str, label: str, kind: Type, declared: Declared) -> Field:
    needs = kind.required
    options = choices(kind, declared) or (_post_kinds(kind, declared) if name == KIND else ())
    if options:
        return Field(name, label, kind, Control.CHOICE, needs, options)
    if kind.items is not None and (kind.kind == "set" or (kind.kind == "list" and kind.unique)):
        options = choices(kind.items, declared)
        if options:
            return Field(name, label, kind, Control.CHOICE, needs, options, several=True)
    if kind.kind == "text":
        long = name in LONG or kind.default == ""
        return Field(name, label, kind, Control.TEXT if long else Control.LINE, needs)
    if kind.kind == "mechanics":
        return Field(name, label, kind, Control.TEXT, needs, code="python")
    if in_yaml(kind):
        return Field(name, label, kind, Control.TEXT, needs, code="yaml")
    return Field(name, label, kind, Control.LINE, needs)


def in_yaml(kind: Type) -> bool:
    """Whether values of a type are written as YAML: all that is neither one word nor a list of words."""
    if kind.kind in ("list", "set"):
        return kind.items is None or kind.items.kind in _NESTED
    return kind.kind in _NESTED


_NESTED = frozenset({"list", "set", "map", "record", "entry", "any"})


def choices(kind: Type, declared: Declared) -> tuple[str, ...]:
    """The options that a type leaves, whatever the gamestate; nothing where these are too many, or fit no list."""
    match kind.kind:
        case "boolean":
            return ("yes", "no")
        case "choice":
            options = [str(choice) for choice in kind.choices if not isinstance(choice, bool)]
            options = options if len(options) == len(kind.choices) else []
        case name if name in declared.catalogues:
            options = list(declared.catalogues[name])
        case name if name in declared.collections:
            options = list(declared.collections[name].grid)
        case _:
            return ()
    distinct = len(set(options)) == len(options) <= MOST_OPTIONS
    return tuple(options) if distinct and all(map(_fits, options)) else ()


def _post_kinds(kind: Type, declared: Declared) -> tuple[str, ...]:
    """The kinds of posts; what stands for none of them is said by choosing nothing."""
    kinds = tuple(name for name in declared.posts if name != kind.default)
    return kinds if kind.kind == "text" and len(kinds) <= MOST_OPTIONS and all(map(_fits, kinds)) else ()


def _fits(option: str) -> bool:
    return (
        len(option) <= LONGEST_OPTION
        and printable(option) == option
        and _OPTION.fullmatch(option) is not None
        and option.casefold() != "none"
        and readable(option)
    )


def readable(text: str) -> bool:
    """Whether every reader of YAML takes a text that the program writes for a text."""
    return _MISREAD.fullmatch(text) is None
