"""Words and functions that are called wrongly where trying never gets: found by looking at the call, in its own line."""

from __future__ import annotations

from inspect import Parameter, signature

import pytest
from language.tiny import rule, ruleset

from nomicgit import editions
from nomicgit.outlook.checks import check_ruleset
from nomicgit.outlook.checks.misused import misused
from nomicgit.outlook.checks.wanted import WANTED
from nomicgit.physics.numbers import NEWEST
from nomicgit.physics.words import WORDS

DECLARES = """
variables:
  coins: {of: player, type: integer}
  names: {of: player, type: list, items: text}
collections:
  trees: {key: {prefix: t}, fields: {owner: player, fruit: integer}}
actions:
  go: {with: {tree: trees}}
  give: {with: {to: player, amount: {type: integer, min: 1}}}
"""
UNREACHED = "def do_go(actor, tree):\n    if get(tree, 'fruit') > 99:\n"
GIVE = "\n\ndef do_give(actor, to, amount):\n    _pay(to, amount)\n\n"
GIVE += "def _pay(player, amount, twice=False):\n    gain(player, 'coins', amount)\n"


def told(*calls: str) -> dict[str, tuple[str, str]]:
    """What looking says of calls that nothing reaches, each in a line of its own: what is wrong, and what to write."""
    code = UNREACHED + "".join(f"        {each}\n" for each in calls) + GIVE
    law = NEWEST.law(ruleset({"10-own.md": rule(DECLARES, code, title="Own")}))
    [own] = [each for each in law.active if each.slug == "own"]
    said = {}
    for each in misused(law):
        line = law.ruleset.texts[own.path].split("\n")[each.problem.where.line - 1].strip()
        assert (each.level, each.problem.where.file) == ("error", own.file)
        assert line not in said, "one mistake, one message"
        said[line] = each.problem.what, each.problem.mend
    return said


def placed(word: str) -> list[Parameter]:
    """What a word takes by position, the world and how a rule counts left out."""
    there = list(signature(WORDS[word].call).parameters.values())[1:]
    by_place = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return [each for each in there if each.kind in by_place and each.name != "view"]


def takes_any(word: str, kind: object) -> bool:
    return any(each.kind == kind for each in signature(WORDS[word].call).parameters.values())


def right(word: str) -> list[str]:
    return [wants.example for wants in WANTED[word]]


def test_every_word_is_known_with_all_that_it_takes() -> None:
    assert WANTED.keys() == WORDS.keys()
    assert {word: len(wants) for word, wants in WANTED.items()} == {word: len(placed(word)) for word in WORDS}


def test_every_word_called_rightly_meets_nothing() -> None:
    full = [f"{word}({', '.join(right(word))})" for word in WORDS]
    least = [
        f"{word}({', '.join(right(word)[: len([each for each in placed(word) if each.default is Parameter.empty])])})"
        for word in WORDS
    ]
    by_name = [
        f"{word}({', '.join(f'{each.name}={wants.example}' for each, wants in zip(placed(word), WANTED[word], strict=True))})"
        for word in WORDS
        if all(each.kind == Parameter.POSITIONAL_OR_KEYWORD for each in placed(word)) and placed(word)
    ]
    spread = [f"{word}(*[1], **{{}})" for word in WORDS]
    assert told(*full, *least, *by_name, *spread) == {}


def test_of_every_word_a_missing_value_is_told_with_a_call_that_holds() -> None:
    calls = {}
    for word in WORDS:
        needed = [each for each in placed(word) if each.default is Parameter.empty]
        if needed:
            calls[f"{word}({', '.join(right(word)[: len(needed) - 1])})"] = WANTED[word][len(needed) - 1].noun
    said = told(*calls)
    assert said.keys() == calls.keys()
    for call, noun in calls.items():
        what, mend = said[call]
        assert what.startswith(f"{call.partition('(')[0]} is not handed "), call
        assert noun in what
        assert told(mend.removeprefix("write ")) == {}, mend


def test_of_every_word_a_value_too_many_is_told_with_a_call_that_holds() -> None:
    bounded = [word for word in WORDS if not takes_any(word, Parameter.VAR_POSITIONAL)]
    calls = [f"{word}({', '.join([*right(word), '3'])})" for word in bounded] + ['get(actor, "coins", 0, 3)']
    said = told(*calls)
    assert said.keys() == set(calls)
    for call in calls:
        mend = said[call][1].removeprefix("write ").partition(", or to one player")[0]
        assert "…" in mend or told(mend) == {}, mend


def test_of_every_word_an_unknown_name_is_told_with_a_call_that_holds() -> None:
    strict = [word for word in WORDS if not takes_any(word, Parameter.VAR_KEYWORD)]
    calls = [f"{word}({', '.join([*right(word), 'zzzz=3'])})" for word in strict]
    said = told(*calls)
    assert said.keys() == set(calls)
    for call in calls:
        assert "takes no zzzz" in said[call][0]
        assert told(said[call][1].removeprefix("write ")) == {}


CALLS = {
    'put(tree, "fruit", 0)': "put(tree, fruit=0)", "put(tree, fruit, 0)": "put(tree, fruit=0)",
    'put(tree, {"fruit": 0})': "put(tree, fruit=0)", "put(tree, coins)": "put(tree, coins=…)",
    'gain(actor, "coins")': 'gain(actor, "coins", 1)', "gain(actor, coins=2)": 'gain(actor, "coins", 2)',
    'gain(actor, "coins", amount=2)': 'gain(actor, "coins", 2)', 'gain(actor, "coins", "2")': 'gain(actor, "coins", 2)',
    'gain("coins", actor, 2)': 'gain(actor, "coins", 2)', 'gain(actor, 2, "coins")': 'gain(actor, "coins", 2)',
    'gain(actor, "coins", None)': 'gain(actor, "coins", 1)',
    'transfer(actor, "coins", 2, tree)': 'transfer(actor, tree, "coins", 2)',
    'transfer("coins", actor, tree, 2)': 'transfer(actor, tree, "coins", 2)',
    'transfer(actor, tree, 2, "coins")': 'transfer(actor, tree, "coins", 2)',
    'tell(actor, "a", publik=True)': 'tell(actor, "a", public=True)', 'tell("a")': 'tell(actor, "a")',
    'note("a", tree)': 'note("%s %s" % ("a", tree)), or to one player alone tell(player, text)',
    'find("trees", "owner", actor)': 'find("trees", owner=actor)',
    'find("trees", {"owner": actor})': 'find("trees", owner=actor)', 'do("give", actor, tree, 2)': 'do("give", actor, to=tree, amount=2)',
    'do("give")': 'do("give", actor)', 'later("1d")': 'later(now(), "1d")', 'elapsed("3 hours")': 'elapsed(now(), "3h")',
    "later(now(), 2)": 'later(now(), "2d")', 'roll("d6")': "roll(6)", 'roll("2d8")': "total(dice(2, 8))",
    "roll(2, 6)": "total(dice(2, 6))", 'pick("a", "b")': 'pick(["a", "b"])', 'get(tree, "fruit", default=0)': 'get(tree, "fruit", 0)',
    "players(active=True)": "players()", "now(tree)": "now()", "require(tree)": 'require(tree, "why not")', "note(3)": "note(str(3))",
    'gain(players(), "coins", 1)': 'for each in players(): gain(each, "coins", 1)',
    'put(find("trees"), fruit=0)': 'for each in find("trees"): put(each, fruit=0)', 'get("coins")': 'get(actor, "coins")',
}  # fmt: skip
"""What people write, and what they are told to write."""


def test_what_to_write_is_what_its_author_meant() -> None:
    said = told(*CALLS)
    assert {call: mend for call, (_, mend) in said.items()} == {
        call: f"write {mend}" for call, mend in CALLS.items()
    }


FUNCTIONS = {
    "_pay(actor)": "_pay is not handed amount", "_pay(actor, 1, True, 2)": "_pay takes 3 values, and is handed 4",
    "_pay(actor, 1, twise=True)": "_pay takes no twise", "do_give(actor, amount=1)": "do_give is not handed to",
}  # fmt: skip


def test_a_function_of_a_rule_is_called_with_what_its_def_takes() -> None:
    assert {call: what for call, (what, _) in told(*FUNCTIONS).items()} == FUNCTIONS
    assert told("_pay(actor, 1)", "_pay(actor, amount=1, twice=True)", "_pay(*[actor, 1])") == {}


def test_what_a_function_calls_by_a_name_of_its_own_is_no_word() -> None:
    own = [
        "roll = lambda n, m: n",
        "roll(2, 6)",
        "x = [note(1, 2) for note in [max]]",
        "for tell in [max]:",
        "    tell(1, 2)",
    ]
    assert told(*own) == {}


def test_a_file_without_a_function_is_looked_at() -> None:
    law = NEWEST.law(ruleset({"10-own.md": rule("", 'FARE = get("game")', title="Own")}))
    assert list(misused(law)) == []


def test_a_wrong_call_is_one_error_of_the_whole_check() -> None:
    said = 'gain(actor, 2, "coins")'
    code = f"{UNREACHED}        {said}\n{GIVE}"
    law = ruleset({"10-own.md": rule(DECLARES, code, title="Own")})
    texts = law.texts[law.by_slug["own"].path].split("\n")
    lines = [each.problem.where.line for each in check_ruleset(law).findings if each.level == "error"]
    assert [texts[line - 1].strip() for line in lines] == [said]


@pytest.mark.parametrize("edition", editions.names())
def test_no_call_of_an_edition_is_accused(edition: str) -> None:
    assert list(misused(NEWEST.law(editions.load(edition)))) == []


PASTED = {  # what the clock's function has, and what is told to be written in its place: that meets nothing
    'get("rate")': 'get("game", "rate")', 'get("players")': "players()", 'get("trees")': 'find("trees")',
    "roll(-3, 3)": "roll(2 * 3 + 1) - 3 - 1", "roll(0, 6)": "roll(6 + 1) - 1", "roll(-1, 4)": "roll(4 + 1 + 1) - 1 - 1",
    "tree.id": "id(tree)", "tree.name": "name(tree)", "[calm]": '"calm", in quotes', "{who: 1}": '"who", in quotes',
    'delete("trees/t1")': "destroy(ref)",
}  # fmt: skip
CLOCK = "variables: {rate: {of: game, type: integer}, mood: {type: choice, choices: [calm, cross]}}\n"
CLOCK += "collections: {trees: {key: {prefix: t}, fields: {rots: datetime}}}\nschedule: {rot: {of: trees, at: rots}}\nactions: {go: {}}"


@pytest.mark.parametrize("wrong", PASTED)
def test_a_remedy_meets_nothing_when_it_is_pasted(wrong: str) -> None:
    def said(value: str) -> list[str]:
        code = f"def schedule_rot(tree):\n    x = {value}\n    note(str(x))\n\ndef do_go(actor):\n    note('x')\n"
        law = ruleset({"10-own.md": rule(CLOCK, code, title="Own")})
        return [each.problem.mend for each in check_ruleset(law).findings if each.level == "error"]

    assert said(wrong) == [f"write {PASTED[wrong]}"]
    pasted = PASTED[wrong].partition(", in")[0].replace("(ref)", "(tree)")
    assert said("{" + pasted + ": 1}" if "{" in wrong else pasted) == []


def test_a_function_is_told_to_take_what_it_means() -> None:
    def said(header: str) -> list[str]:
        code = f"def {header}:\n    for each in find('trees', rots=tree):\n        destroy(tree)\n\ndef do_go(actor):\n    note('x')\n"
        law = ruleset({"10-own.md": rule(CLOCK, code, title="Own")})
        return [each.problem.mend for each in check_ruleset(law).findings if each.level == "error"]

    wanted = ["write def schedule_rot(tree)"]
    assert said("schedule_rot()") == said("schedule_rot(actor, tree)") == wanted


def test_a_type_with_options_written_as_one_text_is_told_as_a_map() -> None:
    law = ruleset(
        {
            "10-own.md": rule(
                "actions: {go: {with: {n: integer min 1}}}",
                "def do_go(actor, n):\n    note(str(n))\n",
                title="Own",
            )
        }
    )
    assert "write {type: integer, min: 1}" in [each.problem.mend for each in check_ruleset(law).findings]
