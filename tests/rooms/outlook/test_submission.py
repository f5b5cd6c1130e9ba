"""What is said of a matter before it is one: by ``check``, by a refusal, and where it brings nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.parlour import RULES, TEA, Parlour, parlour

TWO = """\
---
title: Two at a time
guards:
  crowd: {on: [propose, cfj]}
---
Nobody has more than two matters pending.

```starlark
def guard_crowd(actor, action, given):
    pending = [post for post in find("posts", status="pending") if get(post, "author") == actor]
    require(len(pending) < 2, "you have two matters pending")
```
"""
PENDING = "refused: you have two matters pending"
SLIP = "{add-rule: {title: Jar, text: 'There is a jar of {{jar.biscuits}}.', declares: {jar: {biscuits: 3, biscuitts: 4}}}}"
SAYS_SLIP = "jar has biscuitts beside what is called nearly so (write biscuits, if that is meant)"
WRONG: dict[str, tuple[str, str]] = {
    "no form of change": ("{amendd: {rule: Tea}}", "amendd is no form of change"),
    "no such rule": ("{amend: {rule: Teh, text: x}}", "besides: change 1 would be skipped if it were enacted now"),
    "mechanics that do not parse": ("{add-rule: {title: Jar, text: x, mechanics: 'def f(:'}}", "change 1, add-rule: mechanics"),
    "a slip of the pen": (SLIP, f"besides: check would find a warning: game/ruleset/2-dynastic/30-jar.md:3, rule Jar: {SAYS_SLIP}"),
}  # fmt: skip
NOTHING = "  if it were enacted now: nothing of the rules would change, for it brings no changes\n"


@pytest.fixture
def game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Parlour:
    return parlour(tmp_path, capsys, {**RULES, "1-core/20-two.md": TWO})


def propose(game: Parlour, *more: str, code: int = 0) -> Any:
    return game.nomic("--as", "ana", "propose", "--title", "A jar", *more, code=code)


@pytest.mark.slow
def test_what_is_wrong_with_a_change_is_told_beside_the_limit_that_refuses_it(game: Parlour) -> None:
    game.branch("cold", TEA, "drunk hot", "drunk cold")
    assert game.nomic("--as", "ana", "check", "cold").out.endswith("\nit can be proposed\n")
    slip = propose(game, "--change", SLIP)  # which no limit refuses yet
    assert SAYS_SLIP in slip.out
    assert NOTHING not in slip.out
    assert SAYS_SLIP in game.nomic("posts", "1").out
    game.nomic("--as", "ana", "cfj", "--title", "Is it tea?")
    for how in ([], ["--dry-run"]):
        for change, said in WRONG.values():
            refused = propose(game, "--change", change, *how, code=1).err
            assert refused.startswith(PENDING)
            assert said in refused
    rest = [
        word
        for change in (*(each for each, _ in WRONG.values()), "{repeal: Tae}")
        for word in ("--change", change)
    ]
    several = propose(game, *rest, code=1).err.splitlines()
    assert several[0].startswith(PENDING)
    for said in (
        "refused: amendd is no form of change",
        "besides: change 2 would be skipped if it were enacted now",
        "(change 3, add-rule: mechanics",
        f"besides: check would find a warning: game/ruleset/2-dynastic/30-jar.md:3, rule Jar: {SAYS_SLIP}",
        "besides: change 5 would be skipped if it were enacted now: no rule is called 'Tae'",
        "besides: change 5: did you mean Tea?",
    ):
        assert [line for line in several if said in line], (said, several)
    told = propose(game, "--change", SLIP, "--json", code=1).json
    assert {key: [each["what"].split(":")[0] for each in some] for key, some in told.items()} == {
        "refused": ["you have two matters pending"],
        "besides": ["check would find a warning"],
    }
    sound = propose(game, "--change", "{amend: {rule: Tea, text: It is drunk cold.}}", code=1).err
    assert len(sound.splitlines()) == 1
    assert sound.startswith(PENDING)
    waits = game.nomic("--as", "ana", "check", "cold")
    assert "warning: it cannot be submitted now: you have two matters pending" in waits.out
    assert waits.out.endswith("\nit is sound, and can be proposed once what stands against it now is over\n")
    assert game.nomic("--as", "ana", "check", "cold", "--json").json["submittable"] is False
    assert game.nomic("--as", "ben", "check", "cold", "--json").json["submittable"] is True
    game.branch(
        "odd",
        "game/ruleset/2-dynastic/50-jar.md",
        "",
        "---\ntitle: Jar\nactions: {fill: {}}\n---\n\nIt is full.\n",
    )
    for who, verdict in (
        (
            "ana",
            "it cannot be submitted now; were it enacted later as it stands, what is an error would not work then",
        ),
        ("ben", "it can be enacted as it stands, and what is an error would not work then"),
    ):
        assert game.nomic("--as", who, "check", "odd", code=1).out.endswith(f"\n{verdict}\n"), who


@pytest.mark.slow
def test_a_tag_of_which_no_rule_speaks_is_answered_with_the_one_that_was_meant(game: Parlour) -> None:
    rule = ("--change", "{add-rule: {title: Sun, text: It shines.}}")
    hint = "no rule speaks of the tag {}: did you mean Core?"
    assert hint.format("Coer") in propose(game, *rule, "--tag", "Coer", "--dry-run").out
    assert hint.format("Coer") in propose(game, *rule, "--tag", "Coer").out
    assert hint.format("Coer") in game.nomic("posts", "1").out
    strange = propose(game, *rule, "--tag", "Weather", "--dry-run").out
    assert "no rule speaks of the tag Weather, so it does nothing" in strange
    for tag in ("Core", "core"):
        assert "speaks of the tag" not in propose(game, *rule, "--tag", tag, "--dry-run").out


JAR = """\
---
# how many of what there are
title: Jar
jar: {biscuits: 3}
actions:
  open-jar: {}
---
There is a jar.

```starlark
def do_open_jar(actor):
    note(jarful())
```
"""
JARS = "game/ruleset/2-dynastic/90-jar.md"
FINDS = {
    ("error", 12): "no rule in force defines jarful, which the mechanics call",
    ("warning", 4): "nobody knows the key jar: it says nothing",
}


@pytest.mark.slow
def test_at_every_door_what_check_finds_has_its_level_and_lies_in_the_authors_own_file(game: Parlour) -> None:
    game.branch("jar", JARS, "", JAR)
    checked = game.nomic("--as", "ana", "check", "jar", "--json", code=1).json["findings"]
    assert set(FINDS) <= {(each["level"], each.get("line")) for each in checked}, checked
    lines = [
        f"check would find {'an error' if level == 'error' else 'a warning'}: {JARS}:{line}, rule Jar: {said}"
        for (level, line), said in FINDS.items()
    ]
    game.nomic("--as", "ana", "propose", "--branch", "jar")
    tried = game.nomic("try", "1")
    assert_told(tried, lines)
    assert tried.out.endswith(
        "\nenacted now, it would do all of this, but not all of it works: see the errors\n"
    )
    assert_told(game.nomic("posts", "1"), lines)
    for told in (game.nomic("try", "1", "--json").json, game.nomic("posts", "1", "--json").json["foreseen"]):
        levels = [(each["level"], each["said"].split(", ")[0]) for each in told["checks"]]
        assert levels == [(level, f"{JARS}:{line}") for level, line in FINDS]
    [wrong] = game.nomic("status", "--json").json["not_sound"].items()
    assert wrong == (
        "1",
        "check would find an error in it: no rule in force defines jarful, which the mechanics call",
    )
    assert f"   {wrong[1]} (nomicgit try 1)\n" in game.nomic("status").out
    game.branch("jars", JARS, "", JAR.replace("There is a jar.", "There are jars."))
    propose(game)
    refused = game.nomic("--as", "ana", "propose", "--branch", "jars", code=1)
    assert refused.err.startswith(PENDING)
    assert_told(refused, [f"besides: {line}" for line in lines])


def assert_told(said: Any, lines: list[str]) -> None:
    """These lines are among what was said, in their order, each before what is to be done about it."""
    told = [line.strip() for line in said.all.splitlines() if "check would find" in line]
    assert len(told) == len(lines)
    for line, begins in zip(told, lines, strict=True):
        assert line.startswith(begins), told


def test_a_matter_without_changes_is_taken_and_said_once_to_change_nothing(game: Parlour) -> None:
    assert propose(game, "--dry-run").out.endswith(NOTHING)
    said = propose(game)
    assert said.out.count("nothing of the rules would change") == 1
    assert "nothing of the rules" not in game.nomic("posts", "1").out
    answer = game.nomic("--as", "ben", "cfj", "--title", "Is it tea?", "--json").json
    assert answer["foreseen"]["law"] == [NOTHING.strip().partition(": ")[2]]
    assert answer["foreseen"]["changes"] == []
    cold = "[{amend: {rule: Tea, text: It is drunk cold.}}]"
    assert NOTHING not in game.nomic("--as", "ana", "act", "edit-post", "post=1", f"changes={cold}").out
    assert NOTHING in game.nomic("--as", "ana", "act", "edit-post", "post=1", "changes=[]").out
    assert NOTHING not in game.nomic("--as", "ana", "act", "brew").out


ASKS = "---\ntitle: {0}\nactions:\n  {1}: {{}}\n---\nOne may {1}.\n\n```starlark\ndef do_{1}(actor):\n    note(str(most()))\n{2}```\n"
GET = '    note(str(get(actor, "cups")))\n'


@pytest.mark.slow
def test_what_a_change_takes_away_is_told_once_and_nothing_far_off_is_suggested(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asking = {
        "2-dynastic/30-cup.md": ASKS.format("Cup", "sip", ""),
        "2-dynastic/40-pot.md": ASKS.format("Pot", "fill", GET),
    }
    game = parlour(tmp_path, capsys, {**RULES, **asking})
    game.nomic("--as", "ana", "act", "brew")
    said = propose(game, "--dry-run", "--change", "{repeal: Tea}").out.splitlines()
    assert "  if it were enacted now, these values would go: players.*.cups (" in "\n".join(said)
    tea = "game/ruleset/2-dynastic/10-tea.md, rule Tea: it takes away"
    assert sorted(line.strip() for line in said if "check would find" in line) == [
        f"check would find a warning: {tea} the variable cups, which 1 rule asks for: Pot",
        f"check would find an error: {tea} most, which 2 rules call: Cup, Pot",
    ]
    for name, mend in (("moost", "write most, if that is meant"), ("tally", "write a function tally, or")):
        code = f"def guard_jar(actor, action, given):\\n    {name}()"
        change = f'{{add-rule: {{title: Jar, text: x, declares: {{guards: {{jar: {{on: all}}}}}}, mechanics: "{code}"}}}}'
        said = [
            line for line in propose(game, "--dry-run", "--change", change).out.splitlines() if name in line
        ]
        assert len(said) == 1
        assert f"no rule in force defines {name}, which the mechanics call ({mend}" in said[0]


@pytest.mark.slow
def test_whoever_proposes_is_told_which_pending_matters_it_meets(game: Parlour) -> None:
    sun = ("--change", "{add-rule: {title: Sun, text: It shines.}}")
    assert "the pending post" not in propose(game, *sun).all
    again = propose(game, *sun)
    assert "the pending post 1 (" in again.out
    assert "would make none of its changes any more after it" in again.out
    assert "the pending post 1 (" in game.nomic("posts", "2").out
    said = game.nomic("--as", "ben", "propose", "--title", "Third", *sun, "--dry-run", "--json").json
    assert [each["post"] for each in said["foreseen"]["pending"]] == [1, 2]
    rain = ("--title", "Rain", "--change", "{add-rule: {title: Rain, text: It falls.}}")
    apart = game.nomic("--as", "ben", "propose", *rain, "--dry-run")
    assert "the pending post" not in apart.all
