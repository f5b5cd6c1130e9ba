"""Actions that refuse whoever tries them, whenever: they are told before anybody votes on their rule, and in no rule that is sound."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from hostile.small import START, Small
from support.checking import checked
from support.places import ROOT

from nomicgit import editions
from nomicgit.law.ruleset import Ruleset
from nomicgit.outlook.checks import ranges, shut, takings
from nomicgit.physics.deeds.founding import Founding, found
from nomicgit.physics.numbers import NEWEST
from nomicgit.physics.state.context import Context, Seeded
from nomicgit.physics.state.transaction import Transaction

PATH = "game/ruleset/2-dynastic/74-well.md"
WELL = """\
---
title: Well
variables:
  sips: {of: player, type: integer, default: 3}
  thirst: {of: player, type: integer}
  mud: {of: player, type: integer}
collections:
  plots: {key: {columns: [A], rows: [1]}, fields: {wet: {type: boolean, by_hand: true}}}
guards:
  lid: {on: [lift]}
schedule:
  noon: {every: day 12:00}
actions:
ACTIONS---
Whoever plays may drink.

```starlark
FINE = -2

def can_haul(actor):
    return "the well is dry"

def camels(actor):
    return "you are no camel"

def guard_lid(actor, action, given):
    return "the lid is shut"

def schedule_noon():
    gain(players()[0], "thirst", 1)
BODIES```
"""
OPENING = """def can_haul(actor):
    return "the well is dry"

"""
GUARD = """def guard_lid(actor, action, given):
    return "the lid is shut"

"""
OPTIONS = {
    "lead": "{by: camels}",
    "shout": "{with: {word: {type: text}}}",
    "whisper": "{with: {word: {type: text}}}",
    "dive": "{with: {deep: integer}}",
    "ford": "{with: {deep: {type: integer, max: 9}}}",
    "dip": "{with: {deep: integer}}",
    "plunge": "{with: {deep: integer}}",
}
CLOSED = "the action {} opens for nobody now: "
ONLY = "{} moves only a positive amount, and not {}: it always refuses"
LID = "    pass"

# what the action does, what is wrong, what to write, and the line where it is told
REFUSING: dict[str, tuple[str, str, str, str]] = {
    "sip": ('gain(actor, "sips", -1)', ONLY.format("gain", -1), 'write spend(actor, "sips", 1)', '"sips", -1'),
    "spit": ('lose(actor, "sips", -4)', ONLY.format("lose", -4), 'write gain(actor, "sips", 4)', '"sips", -4'),
    "pour": ('transfer(actor, players()[0], "sips", -3)', ONLY.format("transfer", -3),
        'write transfer(players()[0], actor, "sips", 3)', "transfer("),
    "pay": ('spend(actor, "sips", FINE)', ONLY.format("spend", -2), 'write gain(actor, "sips", 2)', "FINE)"),
    "wade": ('spend(actor, "mud", 1)', "no rule gives anybody mud: spend always refuses",
        'give it somewhere: gain(ref, "mud", n), or declare a default of 1 or more', '"mud", 1'),
    "count": ("gain(actor, 'sips', 2 - 3)", ONLY.format("gain", -1), "write spend(actor, 'sips', 1)", "2 - 3"),
    "bathe": ('refuse("it rains")', CLOSED + "it rains", "", "it rains"),
    "swim": ('require(1 > 2, "it hails")', CLOSED + "it hails", "", "it hails"),
    "dive": ('require(False, "it is deep")\n    gain(actor, "sips", deep)', CLOSED + "it is deep", "", "it is deep"),
    "ford": ('require(deep > 9, "too low")\n    gain(actor, "sips", deep)',
        "deep is from 0 to 9: require always refuses, since deep > 9 is never so",
        "write deep >= 9, or declare another min or max", "too low"),
    "shout": ('refuse("hush")', CLOSED + "hush", "", '"hush"'),
    "fill": ('destroy("plots/A1")', "nothing is taken out of plots", "a cell stays: reset(ref) puts its values back", "destroy("),
    "nap": ('gain("players/Ana", "sips", 1)', "there is no players/Ana (to the law Ana is players/ana)",
        "write what it is to the law", "players/Ana"),
    "haul": ("pass", CLOSED + "the well is dry", "", "  haul:"),
    "lead": ("pass", CLOSED + "you are no camel", "", "  lead:"),
    "lift": ("pass", CLOSED + "the lid is shut", "", "  lift:"),
}  # fmt: skip
SOUND = {  # what somebody may do some day: another player, at another time, with another word, by a luckier die
    "drink": 'gain(actor, "sips", 1)',
    "swill": 'require(get(actor, "sips") > 99, "too few")',
    "rule": 'require(actor == emperor(), "you do not lead")',
    "greet": 'require(name(actor) == "zoe", "you are not zoe")',
    "rest": 'require(weekday(now()) == "sunday", "not today")',
    "wait": 'require(now() > "2100", "not yet")',
    "try_luck": 'require(roll(6) > 6, "no luck")',
    "read": 'require(find("posts", status="nothing"), "there is none")',
    "ask": 'require(can("drink", actor) != "", "drink instead")',
    "quench": 'spend(actor, "thirst", 1)',
    "whisper": 'require(word == "sesame", "another word")',
    "dip": 'require(deep > 99, "deeper")\n    gain(actor, "sips", 1)',
    "plunge": 'for n in range(deep):\n        if n > 99:\n            return\n    refuse("deeper")',
}


@pytest.fixture(scope="module")
def well(tmp_path_factory: pytest.TempPathFactory) -> Small:
    return Small.found(tmp_path_factory.mktemp("well") / "game")


def ruled(does: Mapping[str, str]) -> str:
    """A rule whose actions do this, each with a function of its own."""
    actions = "".join(f"  {name}: {OPTIONS.get(name, '{}')}\n" for name in does)
    taken = {
        name: ", ".join(["actor", *(each for each in ("word", "deep") if each in OPTIONS.get(name, ""))])
        for name in does
    }
    bodies = "".join(f"\ndef do_{name}({taken[name]}):\n    {body}\n" for name, body in does.items())
    text = WELL.replace("ACTIONS", actions).replace("BODIES", bodies)
    if "lift" not in does:
        text = text.replace("guards:\n  lid: {on: [lift]}\n", "").replace(GUARD, "")
    return text if "haul" in does else text.replace(OPENING, "")


@pytest.mark.slow
def test_what_always_refuses_is_told_once_in_its_line(well: Small) -> None:
    text = ruled({name: body for name, (body, *_) in REFUSING.items()})
    lines = {
        next(n for n, line in enumerate(text.split("\n"), 1) if where in line): (what.format(name), mend)
        for name, (_, what, mend, where) in REFUSING.items()
    }
    findings = checked(well, PATH, text)
    surely = {each.problem.what for each in findings if each.level == "error"}
    assert surely == {
        what
        for what, _ in lines.values()
        if re.search("always refuses|^nothing is|^there is", what) and "mud" not in what
    }
    assert {each.problem.where.file for each in findings} == {PATH}
    assert {each.problem.where.rule for each in findings} == {"Well"}
    assert sorted((each.problem.where.line, each.problem.what, each.problem.mend) for each in findings) == [
        (line, *lines[line]) for line in sorted(lines)
    ]


@pytest.mark.slow
def test_what_somebody_may_do_some_day_is_no_news(well: Small) -> None:
    sound = ruled(SOUND).replace("  mud: {", "  mud: {by_hand: true, ")
    assert checked(well, PATH, sound) == []
    by_name = sound.replace("\n```\n", "\n\ndef other(who, what):\n    gain(who, what, 1)\n```\n")
    assert (
        checked(well, PATH, by_name.replace('"thirst", 1)\n\ndef do_whisper', '"mud", 1)\n\ndef do_whisper'))
        == []
    )


def found_game(ruleset: Ruleset) -> Transaction:
    start = Founding(START, ("ana", "ben", "cy"), "ana", ["ben"])
    return found(ruleset, start, Seeded(b"tried", "tried"), Context(secrets=True, trusted=True), NEWEST)


def refusing(world: Transaction) -> list[str]:
    """All that is told of a law whose actions or words always refuse."""
    looked = [
        str(each) for look in (ranges.amounts, ranges.requirements, takings.unhad) for each in look(world.law)
    ]
    closed = shut.shut(world, world.law.declared.actions.values())
    return [*looked, *(name for name, why in closed.items() if why)]


@pytest.mark.parametrize("edition", editions.names())
def test_no_action_of_an_edition_is_told_as_opening_for_nobody(edition: str) -> None:
    world = found_game(editions.load(edition))
    assert len(world.law.declared.actions) > 20
    assert refusing(world) == []


@pytest.mark.slow
def test_no_rule_of_the_docs_is_told_so() -> None:
    opening = 0
    for page in sorted((ROOT / "docs").glob("*.md")):
        text = page.read_text("utf-8")
        rules = re.findall(
            r'^(`{3,})\w+ title="(?:game/ruleset/)?(\d-[\w/-]+\.md)"\n(.*?)^\1$',
            text,
            re.MULTILINE | re.DOTALL,
        )
        sections: dict[str, dict[str, str]] = {}
        for part in (
            re.split(r"^(?=## )", text, flags=re.MULTILINE) if page.name == "mechanics.md" else [text]
        ):
            sections[part] = {path: rule for _, path, rule in rules if rule in part}
        core = editions.load("dungeon").texts if page.name == "write-a-rule.md" else {}
        for written in filter(None, sections.values()):
            law = found_game(Ruleset.read({**core, **written}))
            assert refusing(law) == [], page.name
            opening += len(law.law.declared.actions)
    assert opening > 40


CLOCK = """\
---
title: Bells
variables:
  peals: {of: game, type: integer, default: 0}
collections:
  bells: {key: {prefix: b}, fields: {due: datetime, of: player}}
actions:
  hang: {}
schedule:
  toll: {every: hour 00}
  ring: {of: bells, at: due}
---
Bells ring.

```starlark
def do_hang(actor):
    create("bells", due=later(now(), "1d"), of=actor)

def schedule_toll():
    TOLL

def schedule_ring(bell):
    RING
```
"""
NEVER = "the event {} never happens: {}"
EVENTS = {  # what the clock's functions do, and what is told of them: the event, why, and the line
    "nothing but refuse": ('refuse("it is cracked")', "pass", [("toll", "it is cracked", '"it is cracked"')]),
    "refuse after a look": ('n = get("game", "peals")\n    require(n > -1, "no")\n    refuse("%d is too much" % n)', "pass",
        [("toll", "0 is too much", '"%d is')]),
    "refuse behind what may refuse": ("pass", 'require(get(bell, "of") != "players/ana", "hers")\n    refuse("mute")',
        [("ring", "mute", '"mute"')]),
    "require what is never so": ("pass", 'require(False, "mute")', [("ring", "mute", '"mute"')]),
    "refuse where a call comes past": ('if get("game", "peals") < 5:\n        return\n    refuse("enough")',
        'refuse("" if get(bell, "of") else "nobody\'s")', []),
    "refuse till it is so": ('require(get("game", "peals") > 5, "too few")', 'require(now() > "2100", "not yet")', []),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("does", EVENTS)
def test_an_event_that_always_refuses_is_told_in_its_line(well: Small, does: str) -> None:
    toll, ring, never = EVENTS[does]
    text = CLOCK.replace("TOLL", toll).replace("RING", ring)
    lines = [
        (next(n for n, line in enumerate(text.split("\n"), 1) if where in line), NEVER.format(event, why))
        for event, why, where in never
    ]
    findings = checked(well, PATH, text)
    said = [
        (each.problem.where.line, each.problem.what) for each in findings if "peals" not in each.problem.what
    ]
    assert said == lines
    assert {each.level for each in findings} <= {"warning"}


IDLE = "; so nothing of this rule ever works"


@pytest.mark.slow
def test_a_rule_of_which_nothing_ever_works_is_an_error(well: Small) -> None:
    cracked = CLOCK.replace("TOLL", 'refuse("cracked")').replace("RING", 'refuse("mute")')
    cracked = cracked.replace("def do_hang(actor):\n", 'def do_hang(actor):\n    refuse("no rope")\n')
    findings = {each.problem.what: each.level for each in checked(well, PATH, cracked)}
    assert findings[NEVER.format("toll", "cracked") + IDLE] == "error"
    assert findings[CLOSED.format("hang") + "no rope" + IDLE] == "error"
    own = cracked.replace("schedule:", "guards:\n  quiet: {on: [hang]}\nschedule:")
    own = own.replace(
        "```starlark\n", '```starlark\ndef guard_quiet(actor, action, given):\n    return ""\n\n'
    )
    assert {each.level for each in checked(well, PATH, own)} == {"error"}
    guarded = cracked.replace("schedule:", "guards:\n  quiet: {on: [vote]}\nschedule:")
    guarded = guarded.replace(
        "```starlark\n", '```starlark\ndef guard_quiet(actor, action, given):\n    return ""\n\n'
    )
    assert {each.level for each in checked(well, PATH, guarded)} == {"warning"}


HEARD = """\
---
title: Horn
variables:
  blasts: {of: player, type: integer, default: 0}
when: {blown: [_hear, _note]}
actions:
  blow: {with: {hard: integer}}
---
Whoever plays may blow.

```starlark
def do_blow(actor, hard):
    gain(actor, "blasts", 1)
    if hard > LEAST:
        emit("blown", actor)

def _note(player):
    note(name(player))

def _refuse_all(player):
    refuse("%s is deaf" % get("game", "quorum"))

def _hear(player):
    BODY
```
"""
REFUSED = "whatever emits blown is refused, since _hear always refuses: "
LISTENERS = {  # what it does, and what is told of it
    'refuse("it is hoarse")': "it is hoarse",
    'require(False, "it is hoarse")': "it is hoarse",
    "_refuse_all(player)": "2 is deaf",
    'if player == "players/zoe":\n        return\n    refuse("not zoe")': "",
    'require(player == "players/zoe", "not zoe")': "",
    'require(get(player, "blasts") > 99, "too few")': "",
    'require(roll(6) > 6, "no luck")': "",
}


@pytest.mark.slow
@pytest.mark.parametrize("body", LISTENERS)
def test_what_hears_of_an_event_and_always_refuses_is_told_as_an_event_is(well: Small, body: str) -> None:
    why = LISTENERS[body]
    text = HEARD.replace("BODY", body).replace("    if hard > LEAST:\n        emit", "    emit")
    refusals = [each for each in checked(well, PATH, text) if each.problem.what.startswith(REFUSED)]
    where = '"%s is deaf"' if "deaf" in why else why
    line = next(n for n, each in enumerate(text.split("\n"), 1) if where in each) if why else 0
    assert [(each.level, each.problem.what, each.problem.where.line) for each in refusals] == (
        [("warning", REFUSED + why, line)] if why else []
    )
    alone = text.replace(", _note]", "]").replace('    gain(actor, "blasts", 1)\n', "")
    levels = {each.level for each in checked(well, PATH, alone) if each.problem.what.startswith(REFUSED)}
    assert levels == ({"error"} if why else set())


@pytest.mark.slow
def test_what_would_hear_of_a_rare_event_is_told_where_its_words_alone_show_that_it_refuses(
    well: Small,
) -> None:
    text = HEARD.replace("BODY", 'refuse("it is hoarse")').replace("LEAST", "10000000")
    text = text.replace(text[text.index("def _refuse_all") : text.index("def _hear")], "")
    [one] = checked(well, PATH, text)
    line = next(n for n, each in enumerate(text.split("\n"), 1) if "hoarse" in each)
    assert (one.problem.what, one.problem.where.line) == (REFUSED + shut.COMES_TO, line)
    assert checked(well, PATH, text.replace("    refuse(", "    if False:\n        refuse(")) == []
