"""What the interpreter says of mechanics that break as they run, in plain words: its own are those of who wrote it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_TYPES: Mapping[str, str] = {
    "string": "a text", "str": "a text", "int": "a whole number", "float": "a number", "bool": "True or False", "list": "a list",
    "dict": "a map", "tuple": "a list", "range": "a range", "NoneType": "None", "None": "None", "function": "a function",
    "native_function": "a function", "namespace": "a word", "struct": "a map", "record": "a map", "set": "a list",
}  # fmt: skip


def _type(name: str) -> str:
    return _TYPES.get(name.strip(), f"what is called {name.strip()}")


def _types(names: str) -> str:
    """Types of which any would do: ``bool | float | int`` as a number or True or False."""
    known = list(dict.fromkeys(map(_type, names.split("|"))))
    return " or ".join([each for each in known if each != "None"] or known)


_TWO: Mapping[str, str] = {
    "compare": "{} and {} are not compared",
    "cmp()": "{1} and {0} are not compared, as sorting would",
    "in": "nothing is looked for in {1}: that is done in a list, a map or a text",
}
_ONE: Mapping[str, str] = {
    "len()": "{} has no length",
    "(iter)": "{} has no members to go through",
    "call()": "{} stands before the parentheses, and cannot be called",
    "[]": "{} has no parts",
}
_SAID: tuple[tuple[str, Callable[[re.Match[str]], str]], ...] = (
    (r"Value of type `(\w+)` is not hashable", lambda m: f"{_type(m[1])} cannot be the key of a map"),
    (r"Operation `([^`]+)` not supported for types `(\w+)` and `(\w+)`",
     lambda m: _TWO.get(m[1], f"`{m[1]}` does not go with {{}} and {{}}").format(_type(m[2]), _type(m[3]))),
    (r"Operation `\.(\w+)` not supported on type `(\w+)`", lambda m: f"{_type(m[2])} has no part .{m[1]}"),
    (r"Operation `format\((%\w)\)` not supported on type `(\w+)`",
     lambda m: f"{m[1]} in a text takes a number, and is given {_type(m[2])}"),
    (r"Operation `([^`]+)` not supported on type `(\w+)`",
     lambda m: _ONE.get(m[1], f"`{m[1]}` does not go with {{}}").format(_type(m[2]))),
    (r"Object of type `(\w+)` has no attribute `(\w+)`(?:, did you mean .*)?", lambda m: f"{_type(m[1])} has no part .{m[2]}"),
    (r"Index `(-?\d+)` is out of bound", lambda m: f"there is no member {m[1]}: the list or text is shorter"),
    (r"Key `\"?(.*?)\"?` (?:was )?not found.*", lambda m: f'the map has no key "{m[1]}"'),
    (r"Element '(.*?)' not found in .*", lambda m: f"{m[1]} is not in the list"),
    (r"Unpacked (\d+) values but expected (\d+)", lambda m: f"{m[2]} names are to share {m[1]} value{'' if m[1] == '1' else 's'}"),
    (r"Cannot parse `(.*)` as an integer in base \d+", lambda m: f"the text {m[1]} is no whole number"),
    (r"\"(.*)\" is not a valid number: .*", lambda m: f"the text {m[1]} is no number"),
    (r"(?:Type of parameter `\w+` doesn't match, expected|Expected) `int`, (?:actual|but got) `float \(repr: .*",
     lambda _: "a whole number is wanted there, and not one with a decimal point"),
    (r"Type of parameter `\w+` doesn't match, expected `([^`]+)`, actual `(\w+) \(repr: .*",
     lambda m: f"{_types(m[1])} is wanted there, and not {_type(m[2])}"),
    (r"Expected `([^`]+)`, but got `(\w+) \(repr: .*", lambda m: f"{_types(m[1])} is wanted there, and not {_type(m[2])}"),
    (r"Wrong number of positional arguments, expected (?:between (\d+) and )?(\d+), got (\d+)",
     lambda m: f"it takes {m[1] + ' to ' if m[1] else ''}{m[2]} value{'' if m[2] == '1' else 's'}, and is handed {m[3]}"),
    (r"(?:Not enough|Missing) (?:arguments|parameters).* format.*", lambda _: "a text has more places than there are values for them"),
    (r"Too many arguments for format string", lambda _: "there are more values than a text has places for them"),
    (r"Unsupported format character: '(.*)'", lambda m: f"%{m[1]} stands for nothing in a text"),
    (r"Incomplete format", lambda _: "a % with nothing behind it stands for nothing in a text"),
    (r".*(?:division by zero|Modulo by zero|Cannot divide by zero).*", lambda _: "a number would be divided by 0"),
    (r"Argument is an empty iterable, (\w+)\(\) .*", lambda m: f"{m[1]} is asked of an empty list"),
    (r"Immutable", lambda _: "what stands there cannot be changed in place"),
    (r"This operation mutates an iterable.*", lambda _: "what a loop goes through is changed by it"),
    (r".*Maximum depth of \d+ exceeded.*", lambda _: "lists or maps lie too deep in each other to be handed on"),
    (r".*Cycle detected.*", lambda _: "a list or a map that holds itself cannot be handed on"),
    (r"The argument provided for (\*+)\w+ is not .*",
     lambda m: f"{m[1]} stands before what is no {'map' if m[1] == '**' else 'list'}"),
    (r"Error unpacking value for parameter `(\w+)`.*", lambda m: f"what is handed over as {m[1]} is not what is taken there"),
)  # fmt: skip


def plain(said: str) -> str:
    """What the interpreter says, in plain words; what it is not known to say as it stands, without the name of its error."""
    said = re.sub(r"^\w*Error: ", "", said)
    for pattern, words in _SAID:
        if hit := re.fullmatch(pattern, said):
            return words(hit)
    return said
