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
from nomicgit.outlook.checks import meaning
from nomicgit.outlook.checks.checking import check_ruleset
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


SHAPES = {"number": "3", "text": "zzz", "list": "[zzz]", "map": "{zzz: text}", "truth": "true"}
BESIDE = {  # what a declaration needs beside the option that is looked at
    "limits": "per: day", "collections": "key: {prefix: s}", "guards": "on: all", "filters": "of: player, variable: idle",
    "settles": "of: player", "schedule": "of: player, at: due", "variables": "of: player",
}  # fmt: skip
TYPE_TAKES = {
    "type": "text", "items": "text list map", "keys": "text list map", "values": "text list map", "fields": "map",
    "choices": "list", "catalogue": "text", "min": "number", "max": "number", "step": "number", "unique": "truth",
    "ordered": "truth", "active": "truth", "default": "number text list map truth", "normal": "text", "which": "text",
    "below_zero": "", "where": "map", "derived": "text", "legal": "text", "invalid": "text", "tracked": "", "seen_by": "text list",
    "opens": "", "by_hand": "truth", "transient": "truth", "permanent": "truth", "unit": "text", "shown_as": "text",
}  # fmt: skip
TAKES = {  # by the key of the front matter the options, each with the shapes that it takes of those above
    "variables": {**TYPE_TAKES, "of": "text"},
    "actions": {
        "summary": "text", "by": "text list", "idle": "truth", "limit": "text", "tags": "list", "private": "truth", "opens": "",
        "cost": "text map", "form": "truth", "answers": "text", "instead": "text", "with": "map",
    },
    "limits": {"per": "", "times": "number", "gap": "", "shared": "truth", "communal": "truth"},
    "collections": {
        "key": "text", "called": "text", "founding": "", "from": "text", "tracked": "", "seen_by": "text list",
        "permanent": "truth", "all": "truth", "label": "text", "north": "text", "west": "text", "fields": "map",
    },
    "guards": {"on": "text list", "except": "text list", "attempt": "truth"},
    "filters": {"of": "text", "variable": "text"},
    "settles": {"of": "text", "watches": "list", "where": "text"},
    "schedule": {"every": "", "of": "text", "at": "text", "where": "text", "at_founding": "truth"},
    "views": {"of": "text"},
    "posts": {"called": "text", "official": "truth", "votable": "truth"},
    "clock": {"zone": "", "week": ""},
    "counts": {"in": "list", "except": "list", "emperor": "truth", "idle": "truth"},
}  # fmt: skip


def declaring(key: str, option: str, value: str) -> str:
    """The declaration of something that has an option, and what it needs beside that."""
    beside = [each for each in BESIDE.get(key, "").split(", ") if each and not each.startswith(f"{option}:")]
    if (key, option) == ("schedule", "every"):
        beside = []
    options = ", ".join([*beside, f"{option}: {value}"])
    if key == "counts":
        return f"counts:\n  - {{{', '.join([*([] if option == 'in' else ['in: [core]']), f'{option}: {value}'])}}}"
    return f"clock:\n  {option}: {value}" if key == "clock" else f"{key}:\n  shop: {{{options}}}"


def test_each_option_that_is_declared_is_in_the_table_of_shapes() -> None:
    known = {key: kind.options.keys for key, kind in DECLARATIONS.items() if kind.options is not None}
    assert {key: set(options) for key, options in TAKES.items()} == {
        key: set(options) for key, options in known.items()
    }


@pytest.mark.parametrize(
    ("key", "option", "shape"),
    [(key, option, shape) for key, options in TAKES.items() for option in options for shape in SHAPES],
)
def test_a_declared_value_of_a_wrong_shape_is_told_with_its_line(key: str, option: str, shape: str) -> None:
    law, text = law_with(declaring(key, option, SHAPES[shape]))
    lines = text.split("\n")
    if shape in TAKES[key][option].split():
        assert [
            each.what for each in law.problems if " must be " in each.what or " neither " in each.what
        ] == []
        return
    assert law.problems, f"{key}: {option}: {shape}"
    for problem in law.problems:
        line = lines[problem.where.line - 1]
        assert option in line or key == "clock", problem
        assert problem.mend or " must be " in problem.what, problem


MUCH_WRONG = """\
variables:
  coins: {of: player, type: integer, default: ten, min: low, tracked: hidden, by_hand: maybe}
collections:
  boats: {key: {prefix: 3}, fields: {seats: {type: choice}, price: {type: integer, default: x}}}
limits:
  yearly: {per: year, times: many, gap: soon, shared: perhaps}
actions:
  shop:
    by: {a: b}
    idle: maybe
    cost: {coins: -1}
    with:
      people: {type: integer, min: a}
      sort: {type: choice}
    private: [nope]
    tags: {a: b}
guards:
  door: {attempt: perhaps, except: {a: b}}
schedule:
  dawn: {at_founding: si}
counts:
  - {in: dynastic, emperor: maybe}"""
WRONG_THERE = [
    "variables.coins.tracked", "variables.coins: min", "variables.coins.default", "variables.coins.by_hand", "collections.boats.key",
    "collections.boats.fields.seats", "collections.boats.fields.price.default", "limits.yearly.per", "limits.yearly.times",
    "limits.yearly.gap", "limits.yearly.shared", "actions.shop.by", "actions.shop.idle", "actions.shop.cost.coins",
    "actions.shop.with.people: min", "actions.shop.with.sort", "actions.shop.private", "actions.shop.tags", "guards.door.on",
    "guards.door.attempt", "guards.door.except", "schedule.dawn: it does not say when", "schedule.dawn.at_founding", "counts.in",
    "counts.emperor",
]  # fmt: skip


def test_all_that_is_declared_wrongly_is_told_at_once_each_on_its_line() -> None:
    written, text = law_with(MUCH_WRONG)
    law, _ = meaning.meant(written)
    said = [each.what for each in law.problems]
    assert sorted(WRONG_THERE) == sorted(
        each for each in WRONG_THERE for what in said if what.startswith(each)
    )
    assert len(said) == len(WRONG_THERE), said
    lines = text.split("\n")
    for each in law.problems:
        *_, within, name = ["", *each.what.partition(": ")[0].split(".")]
        line = lines[each.where.line - 1]
        assert name in line or (name == "on" and within in line), each


def test_what_follows_from_a_wrong_declaration_is_not_told_beside_it() -> None:
    front = "variables:\n  coins: {of: player, type: integer, min: low}\nactions:\n  shop: {with: {coins: {type: choice}}}"
    code = 'def do_shop(actor, coins):\n    gain(actor, "coins", 1)\n'
    text = f"---\ntitle: Shop\n{front}\n---\nProse.\n\n```starlark\n{code}```\n"
    findings = check_ruleset(small_law({"2-dynastic/95-shop.md": text})).findings
    said = [each.problem.what for each in findings if each.problem.where.rule == "Shop"]
    assert [what.partition(": ")[0] for what in said] == ["variables.coins", "actions.shop.with.coins"]
