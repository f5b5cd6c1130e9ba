"""Names in declarations that nobody has: each is told with its file, its line and what to write, by the check of a law."""

from __future__ import annotations

import pytest
from hostile.small import small_law

from nomicgit import editions
from nomicgit.outlook.checks.checking import check_ruleset
from nomicgit.outlook.checks.finding import Finding

SHOP = """\
---
title: Shop
variables:
  coins:
    of: player
    type: integer
limits:
  daily: {per: day}
actions:
  shop:
    by: player
    limit: daily
    with:
      amount: {type: integer, min: 1}
---
Whoever plays may shop.

```starlark
def do_shop(actor, amount):
    gain(actor, "coins", amount + len(_keeper(actor)))

def _keeper(actor):
    return ""
```
"""
PATH = "2-dynastic/95-shop.md"


def found(*changes: tuple[str, str]) -> list[Finding]:
    text = SHOP
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return list(check_ruleset(small_law({PATH: text})).findings)


def test_a_law_without_misspelt_names_is_sound() -> None:
    assert found() == []
    assert found(("by: player", "by: [admin, _keeper]")) == []


@pytest.mark.parametrize(
    ("old", "new", "line", "level", "what", "mend"),
    [
        ("by: player", "by: emporer", 11, "error", "nobody defines emporer", "write emperor"),
        ("by: player", "by: players", 11, "error", "nobody may do it", "write player,"),
        ("by: player", "by: [admin, _keper]", 11, "error", "nobody defines _keper", "write _keeper"),
        ("by: player", "by: whoever_fits", 11, "error", "nobody may do it", "write def whoever_fits(actor)"),
        ("limit: daily", "limit: dayly", 12, "error", "the limit dayly", "write daily"),
        ("limit: daily", "limit: fortnightly", 12, "warning", "it binds nobody", "declare fortnightly under limits"),
        ("min: 1}", "min: 1, which: not_dear}", 14, "warning", "every value will do", "write def not_dear(value)"),
        ("type: integer\n", "type: integer\n    legal: few\n", 7, "warning", "every value is legal", "write def few(ref, value)"),
        ("{per: day}", "{per: day, times: {by: often}}", 8, "warning", "it allows nothing", "write def often(actor)"),
        ("def do_shop(", "def do_shp(", 10, "error", "nothing carries it out", "in place of def do_shp, if that is meant"),
        ("(actor, amount)", "(actor, more=[1, 2], *, amount, other)", 19, "error", "wants other", "write def do_shop(actor, amount)"),
        ("  shop:\n", "  barter:\n    with: {for: text}\n  shop:\n", 10, "error", "nobody defines", "def do_barter(actor, for_)"),
    ],
)  # fmt: skip
def test_a_name_that_nobody_has_is_told_with_its_line_and_a_remedy(
    old: str, new: str, line: int, level: str, what: str, mend: str
) -> None:
    [one] = found((old, new))
    assert one.level == level
    assert one.problem.where.file == f"game/ruleset/{PATH}"
    assert (one.problem.where.line, one.problem.where.rule) == (line, "Shop")
    assert what in one.problem.what
    assert mend in one.problem.mend


@pytest.mark.parametrize(
    ("seen_by", "mend"),
    [
        ("everybody", "what everybody may see is no secret: take tracked: secret and seen_by out"),
        ("[owner, players]", "what everybody may see is no secret"),
        ("[ownr]", "write owner"),
        ("[_keper]", "write _keeper"),
        ("[fortnightly]", "write emperor, value, owner, a field that holds a player"),
    ],
)
def test_a_word_of_seen_by_that_means_nobody_is_told(seen_by: str, mend: str) -> None:
    secret = "    type: integer\n    tracked: secret\n    seen_by: "
    [one] = found(("    type: integer\n", f"{secret}{seen_by}\n"))
    assert (one.level, one.problem.where.line) == ("error", 8)
    assert "only who keeps the game's key sees coins" in one.problem.what
    assert mend in one.problem.mend
    assert found(("    type: integer\n", f"{secret}[owner, emperor, value, _keeper]\n")) == []


def test_a_function_that_does_not_take_what_its_action_hands_it_is_told_where_it_stands() -> None:
    told = [str(each) for each in found(("(actor, amount)", "(actor)"), ('"coins", amount', '"coins", 1'))]
    assert told == [
        f"error: game/ruleset/{PATH}:19, rule Shop: do_shop does not take amount, a parameter of the action shop "
        "(write def do_shop(actor, amount))"
    ]


@pytest.mark.parametrize(
    "header", ["(actor, count)", "(actor, count_)", "(actor, *, count)", "(actor, **count)"]
)
def test_a_parameter_is_taken_by_its_name_or_with_one_more_underscore(header: str) -> None:
    more = ("count_" if "_" in header else "count", "amount")
    changes = [
        ("amount: {", "count: {"),
        ("(actor, amount)", header),
        ('"coins", amount', f'"coins", {more[0]}'),
    ]
    assert found(*changes) == []


def test_what_is_wrong_with_a_declaration_hides_nothing_else_that_is() -> None:
    typed = ("    type: integer\n", "    type: list\n    items: int\n    default: {by: few}\n")
    told = [(each.level, each.problem.what) for each in found(("of: player\n", "of: players\n"), typed)]
    assert ("error", "variables.coins.of: nothing is declared of players") in told
    assert (
        "warning",
        "nobody defines few, which variables.coins.default names: there is no default",
    ) in told
    assert (
        "error",
        "variables.coins: no type, collection or catalogue is called int: anything will do",
    ) in told


def test_a_type_that_is_like_none_may_have_been_a_collection_and_is_a_warning() -> None:
    told = [
        (each.level, each.problem.what) for each in found(("    type: integer\n", "    type: gondolas\n"))
    ]
    assert (
        "warning",
        "variables.coins: no type, collection or catalogue is called gondolas: anything will do",
    ) in told


def test_a_key_in_capitals_is_an_error() -> None:
    [one, left] = found(
        ("variables:\n  coins:", "Variables:\n  coins:"), ('"coins", amount', '"gold", amount')
    )
    assert (left.level, left.problem.what[:41]) == ("warning", "nothing in the rules reads or writes coin")
    assert (one.level, one.problem.mend) == ("error", "write variables, if that is meant")


@pytest.mark.parametrize(
    ("header", "what", "mend"),
    [
        ("do_sell(actor)", "no action is declared as sell", "write sell: {} under actions"),
        ("can_sell(actor)", "no action is declared as sell", "write sell: {} under actions"),
        ("can_shp(actor)", "no action is declared as shp", "write can_shop, if that is meant"),
        ("guard_night(actor, action, given)", "no guard is declared as night", "write guards: {night: {on: [vote]}}"),
        ("filter_debt(ref, old, new)", "no filter is declared as debt",
            "write filters: {debt: {of: player, variable: coins}}"),
        ("settle_bar(p)", "no settle is declared as bar", "write settles: {bar: {of: player, watches: [coins]}}"),
        ("schedule_noon()", "no scheduled function is declared as noon",
            "write schedule: {noon: {every: day 06:00}}"),
    ],
)  # fmt: skip
def test_a_function_of_no_declaration_is_told_with_what_to_declare(header: str, what: str, mend: str) -> None:
    name, body = header.partition("(")[0], f'def {header}:\n    return ""\n\ndef _keeper('
    [one] = found(("def _keeper(", body))
    assert (one.level, one.problem.where.line) == ("error" if "if that is meant" in mend else "warning", 22)
    assert (one.problem.what, one.problem.mend) == (f"nobody calls {name}: {what}", mend)
    called = (
        '    gain(actor, "coins", amount + len(_keeper(actor)))',
        f'    gain(actor, "coins", amount + len(_keeper(actor)))\n    return [{name}]',
    )
    assert found(("def _keeper(", body), called) == []


def test_of_two_functions_of_one_missing_action_one_is_told() -> None:
    both = 'def do_sell(actor):\n    pass\n\ndef can_sell(actor):\n    return ""\n\ndef _keeper('
    assert [each.problem.what for each in found(("def _keeper(", both))] == [
        "nobody calls do_sell: no action is declared as sell"
    ]


LATE = """\
---
title: Late
variables:
  tolls: {of: player, type: integer, by_hand: true}
  due: {of: player, type: datetime, by_hand: true}
collections:
  bells: {key: {prefix: b}, fields: {weight: integer}}
when:
  rung: hear
settles:
  tidy: {of: player, watches: [tolls], where: due}
filters:
  less: {of: player, variable: tolls}
guards:
  hush: {on: [peal]}
schedule:
  strike: {of: player, at: due, where: tolls}
actions:
  peal: {cost: {tolls: 1}}
---
Whoever plays may ring.

```starlark
def do_peal(actor):
    create("bells", weight=3)
    emit("rung", actor)

def hear(actor):
    _much(actor)

def settle_tidy(player):
    _much(player)

def filter_less(ref, old, new):
    return new

def guard_hush(actor, action, given):
    return "" if _much(actor) else "you are poor"

def schedule_strike(player):
    _much(player)

def _much(player):
    return get(player, "tolls") + len(find("bells"))
```
"""
MISSPELT = [  # what is written in place of what, the line, and what was meant
    ("  rung: hear", "  rugn: hear", 9, "rung"),
    ("  rung: hear", "  rung: haer", 9, "hear"),
    ("[tolls]", "[tols]", 11, "tolls"),
    ("[tolls]", "[actve]", 11, "active"),
    ("where: due}\nfilters", "where: duue}\nfilters", 11, "due"),
    ("of: player, watches", "of: playr, watches", 11, "player"),
    ("variable: tolls", "variable: toll", 13, "tolls"),
    ("[peal]", "[pael]", 15, "peal"),
    ("at: due", "at: duue", 17, "due"),
    ("where: tolls", "where: tlls", 17, "tolls"),
    ("of: player, at", "of: playrs, at", 17, "player"),
    ("cost: {tolls", "cost: {tols", 19, "tolls"),
    ("def settle_tidy", "def settle_tdiy", 11, "def settle_tidy"),
    ("def schedule_strike", "def schedule_srtike", 17, "def schedule_strike"),
]


@pytest.mark.parametrize(("old", "new", "line", "meant"), MISSPELT)
def test_a_name_that_is_nearly_anothers_is_an_error_for_what_has_it_is_dead(
    old: str, new: str, line: int, meant: str
) -> None:
    def told(text: str) -> list[Finding]:
        return list(check_ruleset(small_law({PATH: text})).findings)

    assert told(LATE) == []
    assert old in LATE
    [one] = [each for each in told(LATE.replace(old, new)) if each.level == "error"]
    assert (one.problem.where.file, one.problem.where.line) == (f"game/ruleset/{PATH}", line)
    assert one.problem.mend.startswith(f"write {meant}")


def test_a_settle_that_watches_nothing_is_told() -> None:
    for watches in ("", ", watches: []"):
        [one] = check_ruleset(small_law({PATH: LATE.replace(", watches: [tolls]", watches)})).findings
        assert (one.level, one.problem.where.line) == ("warning", 11)
        assert one.problem.what == "settles.tidy watches nothing: no deed is ever followed by it"


@pytest.mark.parametrize(
    ("call", "mend"),
    [
        ("vote(3)", 'write do("vote", actor) and what it takes, name=value, for the action vote'),
        ("emit(rung)", 'write emit("rung"): an event is named by a text'),
        ('require("you are poor", amount > 1)', 'write the condition first: require(people > 1, "too few")'),
    ],
)
def test_a_call_that_is_surely_wrong_is_an_error(call: str, mend: str) -> None:
    [one] = [
        each
        for each in found(('    gain(actor, "coins", amount', f'    {call}\n    gain(actor, "coins", amount'))
        if each.level == "error"
    ]
    assert (one.problem.where.line, one.problem.mend) == (20, mend)


def test_a_settle_watches_what_its_own_kind_has() -> None:
    of_a_post = LATE.replace("[tolls]", "[title]")
    [one] = check_ruleset(small_law({PATH: of_a_post})).findings
    assert one.problem.what == "settles.tidy watches title, which no rule in force declares"
    for watched in ("created", "destroyed", "active", "emperor", "admin", "name"):
        assert check_ruleset(small_law({PATH: LATE.replace("[tolls]", f"[{watched}]")})).findings == ()


@pytest.mark.slow
@pytest.mark.parametrize("edition", editions.names())
def test_the_editions_name_nothing_that_nobody_has(edition: str) -> None:
    assert [str(each) for each in check_ruleset(editions.load(edition)).findings] == []


@pytest.mark.parametrize(
    ("quote", "mend"),
    [
        ("terms.plaer", "write terms.player, if that is meant"),
        ("terms.emperr", "write terms.emperor, if that is meant"),
        ("term.players", "write terms.players, if that is meant"),
        ("terms.zzz", "quote one of terms.emperor, terms.player, terms.players"),
        ("terms", "quote one of terms.emperor, terms.player, terms.players"),
    ],
)
def test_a_term_that_no_rule_has_is_told_in_its_line(quote: str, mend: str) -> None:
    [finding] = found(("Whoever plays", f"Each of the {{{{{quote}}}}}"))
    whose = "the rule" if quote.startswith("term.") else "no rule"
    assert (
        finding.problem.what
        == f"the prose quotes {{{{{quote}}}}}, and {whose} declares {'such a' if whose == 'no rule' else 'no such'} thing"
    )
    assert (finding.level, finding.problem.where.line, finding.problem.mend) == ("warning", 16, mend)


def test_terms_that_some_rule_has_are_no_news() -> None:
    assert found(("Whoever plays", "Each of the {{terms.players}}, or the {{ terms.emperor }},")) == []
    assert (
        found(
            ("limits:", "terms: {barge: boat}\nlimits:"), ("Whoever plays", "Players of the {{terms.barge}}")
        )
        == []
    )


CHARTER = """\
---
title: Charter
protected: {names: [shop, price, coins], from: [dynastic]}
---
The charter stands above.

```starlark
def price(thing):
    return 1
```
"""
BELOW = """\
---
title: Below
overrides: [price]
filters: {dear: {of: player, variable: coins}}
guards: {shut: {on: [shop]}}
---
All is dear.

```starlark
def price(thing):
    return 2

def filter_dear(player, old, new):
    return new

def guard_shut(action, actor, given):
    return "shut"
```
"""


def test_what_reaches_for_what_is_protected_from_it_is_told() -> None:
    def told(place: str) -> list[tuple[int, str]]:
        law = small_law({PATH: SHOP, "1-core/90-charter.md": CHARTER, f"{place}/96-below.md": BELOW})
        return [(each.problem.where.line, each.problem.what) for each in check_ruleset(law).findings]

    why = "is protected from rules of the section dynastic"
    assert told("2-dynastic") == [
        (3, f"overrides.price does nothing: price {why}"),
        (4, f"filters.dear does nothing: coins {why}"),
        (5, f"guards.shut does nothing: shop {why}"),
    ]
    assert told("1-core") == []


def test_a_constant_behind_a_function_is_none_of_its_names() -> None:
    keeper = "def _keeper(actor):\n    return "
    assert found((f'{keeper}""', f"MOST = 3\n\n{keeper}MOST")) == []
