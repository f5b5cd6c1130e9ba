"""What breaks as mechanics run is told in plain words: the interpreter's own reach nobody."""

from __future__ import annotations

import re

import pytest
import starlark

from nomicgit.law.mechanics import _DIALECT
from nomicgit.law.stumbling import told

BROKEN = {  # a function's body that breaks, what is said of it
    "x = {}\n    x[[]] = 1": "a list cannot be the key of a map",
    "{}[{}]": "a map cannot be the key of a map",
    "a, b = [1, 2, 3]": "2 names are to share 3 values",
    "a, b = 5": "a whole number has no length",
    "for i in 5:\n        pass": "a whole number has no members to go through",
    '"a" + 1': "`+` does not go with a text and a whole number",
    '1 < "a"': "a whole number and a text are not compared",
    'sorted([1, "a"])': "a whole number and a text are not compared, as sorting would",
    "5 in 3": "nothing is looked for in a whole number: that is done in a list, a map or a text",
    "None.x": "None has no part .x",
    "[].counts": "a list has no part .counts",
    "None()": "None stands before the parentheses, and cannot be called",
    "[1][5]": "there is no member 5: the list or text is shorter",
    '{"a": 1}["b"]': 'the map has no key "b"',
    "[1].remove(7)": "7 is not in the list",
    'int("x")': "the text x is no whole number",
    'range("a")': "a whole number is wanted there, and not a text",
    "range(1.5)": "a whole number is wanted there, and not one with a decimal point",
    '"%s %s" % (1,)': "a text has more places than there are values for them",
    '"%s" % (1, 2)': "there are more values than a text has places for them",
    '"%d" % "a"': "%d in a text takes a number, and is given a text",
    "1 // 0": "a number would be divided by 0",
    "max([])": "max is asked of an empty list",
    "[].append()": "it takes 1 value, and is handed 0",
    "(1, 2)[0] = 3": "what stands there cannot be changed in place",
    "x = [1]\n    [x.append(1) for y in x]": "what a loop goes through is changed by it",
    "t(**5)": "** stands before what is no map",
    "x = []\n    for i in range(5000):\n        x = [x]\n    word(x)": "lists or maps lie too deep in each other to be handed on",
    "x = []\n    x.append(x)\n    word(x)": "a list or a map that holds itself cannot be handed on",
}
RAW = re.compile(
    r"Operation|`(?:int|string|list|dict|NoneType)`|hashable|repr|Error|iterable|argument|parameter"
)


@pytest.mark.parametrize("body", BROKEN)
def test_what_breaks_is_said_in_plain_words_with_its_line_and_a_remedy(body: str) -> None:
    module = starlark.Module()
    module.add_callable("word", lambda value: value)
    text = f"def t(**more):\n    {body}\nt()\n"
    with pytest.raises(starlark.StarlarkError) as raised:
        starlark.eval(module, starlark.parse("law.md", text, _DIALECT), starlark.Globals.standard())
    [problem] = told(None, str(raised.value)).problems  # type: ignore[attr-defined]
    assert problem.what == BROKEN[body]
    assert not RAW.search(problem.what)
    assert problem.where.file == "law.md"
    assert problem.where.line > 1
    assert problem.mend
