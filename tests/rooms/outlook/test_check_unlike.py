"""Lists beside what is no list, and functions that open an action without a word: each is told, and nothing that is right."""

from __future__ import annotations

import pytest
from language.tiny import rule, ruleset

from nomicgit import editions
from nomicgit.outlook.checks import check_ruleset
from nomicgit.outlook.checks.answerable import opening
from nomicgit.outlook.checks.law import keyed
from nomicgit.outlook.checks.ranges import conditions
from nomicgit.outlook.checks.references import compared
from nomicgit.outlook.checks.spelled import valued
from nomicgit.outlook.checks.unequal import unequal
from nomicgit.outlook.checks.unlike import unlike
from nomicgit.physics.numbers import NEWEST

DECLARES = """
variables:
  ribbons: {of: player, type: set, items: [walker, patron]}
  stood: {of: player, type: places}
  coins: {of: player, type: integer}
collections:
  places: {key: label, fields: {label: text, roads: {type: list, items: places}}, founding: {Quay: {}, Tower: {}}}
  mugs: {key: {slug: label}, fields: {label: text, owner: player}}
views: {crowd: {of: places}}
actions: {go: {with: {to: {type: places, which: may_go}, label: text}}, rest: {}}
"""
OTHERS = """
def may_go(place):
    return "no" if PLACE else ""

def crowd(place):
    return name(place)

def do_rest(actor):
    note("x")
"""
NEVER = {
    'find("mugs", label=label) == None': 'write not find("mugs", label=label)',
    'find("mugs") != 0': 'write find("mugs")',
    'players() == ""': "write not players()", 'count("mugs", label=label) == []': 'write count("mugs", label=label) == 0',
    'count("mugs") == None': 'write count("mugs") == 0', "label in []": "write the list in which it is looked for",
    'id(to) in get(to, "roads")': "write to in place of id(to)", '"Quay" in get(to, "roads")': 'write "places/Quay"',
    '"walkr" in get(actor, "ribbons")': 'write "walker", if that is meant', 'not "walkr" in mine': 'write "walker", if that is meant',
    'now() == "sunday"': 'write weekday(now()) == "sunday"', 'now() == "2021-12-25"': 'write date(now()) == "2021-12-25"',
    'get(to, "roads") == 0': 'write not get(to, "roads")', '"Quay" not in get(to, "roads")': 'write "places/Quay"',
}  # fmt: skip
MAY = [
    'find("mugs", label=label) == []', "not find('mugs')", 'find("mugs")[0] == None', 'count("mugs") == 0', "label in [label]",
    'to in get(to, "roads")', '"walker" in get(actor, "ribbons")', '"places/Quay" in get(to, "roads")', 'get(actor, "ribbons") == None',
    'now() == "2021-06-07T00:00:00Z"', "[1 for x in []]", "[1 for x, y in []]", 'len(find("mugs")) == 0', 'get(to, "roads") == []',
    'now()[:4] == "2021"', '"a" + "walkr" in get(actor, "ribbons")', "[] == find('mugs')", "count('mugs') - 1 == 0", '"x" in label',
]  # fmt: skip
WRITTEN = {
    'add(actor, "ribbons", "walkr")': 'write "walker", if that is meant',
    'remove(actor, "ribbons", "knight")': "write one of walker, patron",
    'put(actor, ribbons=["walkr"])': "did you mean walker?",
    'put(actor, stood=get(to, "roads"))': 'write one of them, such as get(to, "roads")[0]',
    'put(actor, coins=find("mugs"))': 'write one of them, such as find("mugs")[0]',
    'create("mugs", label=label, owner=players())': "write one of them, such as players()[0]",
}  # fmt: skip
RIGHT = [
    'add(actor, "ribbons", "walker")', 'put(actor, ribbons=["walker"])', 'put(actor, stood=get(to, "roads")[0])', "put(actor, stood=to)",
    'put(to, roads=get(to, "roads"))', "put(actor, ribbons=[label])", 'put(actor, coins=count("mugs"))',
]  # fmt: skip


def said(statement: str, *, place: str = "1 > 2") -> list[str]:
    code = (
        f'def do_go(actor, to, label):\n    mine = get(actor, "ribbons")\n    {statement}\n\n'
        + OTHERS.replace("PLACE", place)
    )
    law = NEWEST.law(ruleset({"10-own.md": rule(DECLARES, code, title="Own")}))
    return [each.problem.mend for look in (unlike, valued, unequal, compared) for each in look(law)]


@pytest.mark.parametrize("condition", NEVER)
def test_what_a_list_never_is_nor_holds_is_told(condition: str) -> None:
    [mend] = said(f"require({condition}, 'no')")
    assert mend.startswith(NEVER[condition])


@pytest.mark.parametrize("statement", WRITTEN)
def test_a_list_in_the_place_of_one_value_and_what_a_set_never_holds_are_told(statement: str) -> None:
    [mend] = said(statement)
    assert mend.startswith(WRITTEN[statement])


def test_what_may_be_meets_nothing() -> None:
    assert {each: mends for each in MAY if (mends := said(f"require({each}, 'no')"))} == {}
    assert {each: mends for each in RIGHT if (mends := said(each))} == {}


def test_what_a_judging_function_is_handed_is_no_name() -> None:
    assert said("note('x')", place='place == "Tower"') == [
        'write "places/ID" for one of them'.replace("ID", "Tower")
    ]
    assert said("note('x')", place='place == "places/Tower"') == []


def test_what_opens_an_action_without_a_word_is_told() -> None:
    def opened(body: str) -> list[str]:
        code = f"def can_rest(actor):\n    {body}\n\ndef do_rest(actor):\n    note('x')\n"
        law = NEWEST.law(ruleset({"10-own.md": rule("actions: {rest: {}}", code, title="Own")}))
        return [each.problem.mend for each in opening(law)]

    assert opened('get(actor, "coins") > 0 or "none"') == ["write return before what it is to answer"]
    assert opened('return ""') == opened('require(1 > 2, "no")') == []


def test_a_slug_of_a_field_that_is_not_there_is_told() -> None:
    law = NEWEST.law(ruleset({"10-own.md": rule(DECLARES.replace("{slug: label}", "{slug: lable}"), OTHERS)}))
    assert [each.problem.mend for each in keyed(law)] == ["write label, if that is meant"]


@pytest.mark.parametrize("edition", editions.names())
def test_no_edition_is_accused(edition: str) -> None:
    assert check_ruleset(editions.load(edition)).findings == ()


CONDITIONS = {
    'return "no" if get(actor, "coins") >= 0 else ""': "always", 'if get(actor, "coins") < 0:\n        return "x"': "never",
    'if 1 > 0 and get(actor, "teas") > 12:\n        return "x"': "never", 'return "no" if get(actor, "teas") <= 12 else ""': "always",
    'return "no" if get(actor, "coins") > 0 else ""': "", 'if get(actor, "teas") >= 12:\n        return "x"': "",
    'if get(actor, "coins") < 0 or get(actor, "teas") > 1:\n        return "x"': "", 'if get(actor, "coins") == 0:\n        return ""': "",
}  # fmt: skip


def test_a_condition_that_is_always_so_or_never_is_told() -> None:
    declares = "variables: {coins: {of: player, type: integer}, teas: {of: player, type: integer, max: 12}}\nactions: {go: {}}"
    for body, how in CONDITIONS.items():
        code = f"def can_go(actor):\n    {body}\n    return ''\n\ndef do_go(actor):\n    note('x')\n"
        law = NEWEST.law(ruleset({"10-own.md": rule(declares, code, title="Own")}))
        said = [each.problem.what for each in conditions(law)]
        assert [each.endswith(f"is {how} so") for each in said] == [True] * bool(how), (body, said)
