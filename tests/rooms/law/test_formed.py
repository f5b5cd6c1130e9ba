"""What is told to be right, where something of another shape stands, is right."""

from __future__ import annotations

import pytest
import yaml
from hostile.small import small_law

from nomicgit.ground.problems import Refused
from nomicgit.law import formed
from nomicgit.law.declaring import type_of
from nomicgit.law.law import Law
from nomicgit.law.merging import DECLARATIONS
from nomicgit.law.shapes import FORMS, malformed
from nomicgit.law.values import NO_WORLD, keep
from nomicgit.physics.numbers import NEWEST

KEYS = [*formed.NAMES, *formed.WHOLE]
CODE = "def do_shop(actor):\n    pass\n\ndef _hail():\n    pass\n"


def law_with(front: str) -> tuple[Law, str]:
    """The law with a rule that declares this, and the file of that rule."""
    text = f"---\ntitle: Shop\n{front}\n---\nProse.\n\n```starlark\n{CODE}```\n"
    return NEWEST.law(small_law({"2-dynastic/95-shop.md": text})), text


def problems(front: str) -> list[tuple[str, str]]:
    return [(each.what, each.mend) for each in law_with(front)[0].problems]


def told(what: str, mend: str) -> str:
    """The line that a remedy shows."""
    return (mend or what).rpartition("as in ")[2].removeprefix("write ").partition(", or ")[0]


def test_each_kind_that_is_declared_has_its_line() -> None:
    assert set(DECLARATIONS) - {*formed.NAMES, *formed.WHOLE} == {"numbers"}


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("wrong", ["[shop]", "3", "shop"])
def test_a_list_or_a_text_under_a_key_shows_a_line_that_is_right(key: str, wrong: str) -> None:
    if key in ("overrides", "protected") and wrong == "[shop]":
        return
    [(what, mend), *_] = problems(f"{key}: {wrong}")
    line = told(what, mend)
    assert line.startswith(f"{key}: "), mend
    assert not [each for each in problems(line) if "must" in each[0]], line


INSIDE = {  # what stands inside of a declaration in another shape, and how it must begin what is told to be right
    "variables: {coins: [player]}": ("variables: {coins", "coins: "), "actions: {shop: [admin]}": ("actions: {shop", "shop: "),
    "actions: {shop: {with: [people]}}": ("actions: {shop: {with", "with: "),
    "actions: {shop: {by: {a: b}}}": ("actions: {shop: {by", "by: "),
    "collections: {boats: {fields: [seats]}}": ("collections: {boats: {fields", "fields: "),
    "catalogues: {rivers: [rhine]}": ("catalogues: {rivers", "rivers: "), "limits: {daily: [day]}": ("limits: {daily", "daily: "),
    "when: {landed: {a: 1}}": ("when: {landed", "landed: "), "overrides: {vote: x}": ("overrides: {vote", "vote: "),
    "variables: {coins: {type: choice, choices: {a: 1}}}": ("variables: {coins: {type: choice, choices", "choices: "),
    "variables: {coins: {type: record, fields: [a]}}": ("variables: {coins: {type: record, fields", "fields: "),
    "variables: {coins: {type: map, default: [a]}}": ("variables: {coins: {type: map, default", "default: "),
    "variables: {coins: {type: list, items: integer, default: 3}}": (
        "variables: {coins: {type: list, items: integer, default", "default: "),
    "numbers: [clamp]": ("numbers", "numbers: "),
}  # fmt: skip


@pytest.mark.parametrize("wrong", INSIDE)
def test_what_is_told_to_be_right_inside_of_a_declaration_is(wrong: str) -> None:
    before, begins = INSIDE[wrong]
    [(what, mend), *_] = problems(wrong)
    line = told(what, mend)
    assert line.startswith(begins), (what, mend)
    right = before.removesuffix(begins.removesuffix(": ")) + line + "}" * before.count("{")
    assert right != wrong
    assert problems(right) == []


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("wrong", ["", [], 3, None, {}])
def test_a_change_in_another_shape_is_told_with_a_line_that_is_right(form: str, wrong: object) -> None:
    for problem in malformed({form: wrong}):
        assert problem.mend.startswith("write "), problem
        assert form not in formed.CHANGES or problem.mend == f"write {formed.CHANGES[form]}"
    assert form not in formed.CHANGES or malformed(yaml.safe_load(formed.CHANGES[form])) == []


@pytest.mark.parametrize(
    ("spec", "wrong"),
    [
        ("{type: list, items: integer}", {"a": 1}), ("{type: set, items: text}", "abc"), ("{type: list}", 3),
        ("{type: map, values: {type: integer, min: 4}}", [1]), ("{type: map, keys: integer, values: boolean}", "x"),
        ("{type: map}", []), ("{type: record, fields: {a: text, b: {type: choice, choices: [c, d]}}}", ["a"]),
        ("{type: list, items: {type: record, fields: {at: date, until: datetime}}}", {}),
        ("{type: map, values: {type: list, items: integer}}", {"a": {"b": 1}}),
        ("{type: record, fields: {a: {type: list, items: number}}}", {"a": "x"}),
    ],
)  # fmt: skip
def test_a_value_of_another_shape_is_told_with_one_that_is_right(spec: str, wrong: object) -> None:
    kind = type_of(yaml.safe_load(spec), "shop", str, "coins")
    with pytest.raises(Refused) as refused:
        keep(NO_WORLD, kind, wrong)
    [problem] = refused.value.problems
    right = (
        yaml.load(problem.mend.removeprefix("write "), yaml.BaseLoader)
        if "date" in spec
        else yaml.safe_load(problem.mend[6:])
    )
    if problem.what.startswith("a: "):
        right = {"a": right}
    keep(NO_WORLD, kind, right)
