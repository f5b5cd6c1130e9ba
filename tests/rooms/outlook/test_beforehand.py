"""A pending matter tried before anybody votes on it: ``nomicgit try``, and what ``status`` says of one that would do nothing."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from language.tiny import rule, ruleset
from support.parlour import BREWED, RULES, parlour
from support.sites import START

from nomicgit.law.law import Law
from nomicgit.outlook.checks import enactment
from nomicgit.outlook.checks.disclosing import FORGOTTEN, disclosed, programs
from nomicgit.physics.numbers import NEWEST
from nomicgit.record.game import Game
from nomicgit.site.onlooking import Look
from nomicgit.site.proposed import asked_for

HOT = "It is drunk hot."
MATTERS: dict[str, list[Any]] = {
    "Cold": [{"amend": {"rule": "Tea", "replace": HOT, "with": "It is drunk cold."}}],
    "Lukewarm": [
        {"amend": {"rule": "Tea", "replace": HOT, "with": "It is drunk lukewarm."}},
        {"set": {"players.ana.cups": 2}},
        {"set": {"players.nobody.cups": 2}},
    ],
    "Few": [
        {
            "amend": {
                "rule": "Tea",
                "in": "declarations",
                "set": {"variables.cups": {"of": "player", "type": "integer", "max": 3}},
            }
        }
    ],
    "None": [{"repeal": "Nonsuch"}, {"amend": {"rule": "Moon", "replace": "glows", "with": "shines"}}],
    "Two": [{"set": {"players.ana.cups": 3}}],
    "Sun": [{"add-rule": {"title": "Sun", "text": "It shines."}}],
}
NUMBER = {title: number for number, title in enumerate(MATTERS, 1)}


@pytest.mark.slow
def test_a_pending_matter_is_tried_before_anybody_votes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = parlour(tmp_path, capsys)
    game.nomic(
        "--as",
        "ana",
        "propose",
        "--title",
        "S",
        "--change",
        json.dumps({"scenario": {"name": "tea", "text": BREWED}}),
    )
    game.nomic("--as", "ana", "vote", "1", "for")
    game.nomic("--as", "ana", "resolve", "1")
    gone = ("--dry-run", "--as", "ana", "propose", "--title", "S", "--change")
    assert "did you mean tea?" in game.nomic(*gone, "{scenario: {name: tee, text: null}}").out
    assert "did you mean" not in game.nomic(*gone, "{scenario: {name: tea, text: null}}").out
    misspelt = "{{amend: {{rule: Tea, in: declarations, set: {{{}: null}}}}}}"
    assert (
        "did you mean variables.cups.default?"
        in game.nomic(*gone, misspelt.format("variables.cusp.default")).out
    )
    assert "did you mean" not in game.nomic(*gone, misspelt.format("variables.nothing-like-it.default")).out
    for title, changes in MATTERS.items():
        given = [word for change in changes for word in ("--change", json.dumps(change))]
        said = game.nomic("--as", "ana", "propose", "--title", title, *given).out
        assert ("the scenario tea fails after it: " in said) == (title == "Few")
    head = game.git("rev-parse", "HEAD")

    cold, lukewarm, few, none, two, sun = (
        game.nomic("try", str(number + 1), "--json", code=code).json
        for number, code in zip(NUMBER.values(), (0, 1, 0, 1, 0, 0), strict=True)
    )
    verdicts = [each["verdict"] for each in (cold, lukewarm, few, none, two, sun)]
    assert verdicts == ["whole", "part", "whole", "nothing", "whole", "whole"]
    assert [rule["lines"] for rule in cold["rules"]] == [
        ["@@ prose", " A player may brew tea.", f"-{HOT}", "+It is drunk cold."]
    ]
    assert lukewarm["values"] == [{"path": "players.ana.cups", "old": 4, "new": 2, "how": "changed"}]
    assert [each["outcome"] for each in lukewarm["changes"]] == ["applied", "applied", "skipped"]
    assert {"path": "players.ben.cups", "old": 4, "new": 0, "how": "changed"} in few["values"]
    [failed] = few["scenarios"]
    assert (failed["name"], failed["failed_before"]) == ("tea", False)
    post = f"posts/{NUMBER['Few'] + 1}"
    assert "the scenario tea fails after it: " in game.nomic("posts", post.partition("/")[2]).out
    look = Look.at_time(Game.open(game.folder), START)
    shown = {
        ref: str(asked_for(look, ref, look.world.store.value(ref, "changes"))) for ref in (post, "posts/2")
    }
    assert ["The scenario tea fails after it: " in shown[ref] for ref in (post, "posts/2")] == [True, False]
    with monkeypatch.context() as short:
        short.setattr(enactment, "LONG", -1.0)
        said = game.nomic("posts", post.partition("/")[2]).out
    assert "one scenario was not rehearsed, which takes long: nomicgit try" in said

    # each of two that collide knows the other, and what becomes of both in either order
    [theirs] = cold["pending"]
    mine = next(each for each in lukewarm["pending"] if each["post"] == NUMBER["Cold"] + 1)
    assert (theirs["post"], theirs["void"], mine["void"]) == (NUMBER["Lukewarm"] + 1, False, True)
    assert "“It is drunk hot.” does not stand there" in mine["after"][0]
    assert (theirs["behind"], theirs["after"]) == (mine["after"], mine["behind"])
    assert [(each["post"], each["order"]) for each in two["pending"]] == [(NUMBER["Lukewarm"] + 1, True)]
    assert sun["pending"] == none["pending"] == []

    page = game.nomic("try", str(NUMBER["Lukewarm"] + 1), code=1).out
    for line in (
        "  players.ana.cups: 4 → 2",
        "change 3 would be skipped if it were enacted now: ",
        "the pending post 2 (Cold) would make none of its changes any more after it: ",
        "change 1 would not be made after the pending post 2 (Cold): ",
        "depends on which comes first",
        "enacted now, it would do a part of what it says",
    ):
        assert line in page

    unmade = game.nomic("status", "--json").json["not_made"]
    assert unmade[str(NUMBER["None"] + 1)].startswith("none of its changes would be made now: ")
    assert unmade[str(NUMBER["Lukewarm"] + 1)].startswith("1 of its 3 changes would not be made now: ")
    said = game.nomic("status").out
    assert "none of its changes would be made now: no rule is called 'Nonsuch'" in said
    assert re.search(
        rf"1 of its 3 changes would not be made now: .* \(nomicgit try {NUMBER['Lukewarm'] + 1}\)\n", said
    )
    assert "post 1 is not pending" in game.nomic("try", "1", code=1).err
    assert game.git("rev-parse", "HEAD") == head
    assert game.git("status", "--porcelain") == ""


@pytest.mark.slow
def test_a_program_is_shown_with_what_it_posts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = parlour(tmp_path, capsys)
    change = json.dumps({"run": 'say("note", "All is well", "No ghost is here. " * 20)'})
    game.nomic("--as", "ana", "propose", "--title", "Quiet", "--change", change)
    said = game.nomic("--as", "ana", "try", "1").out
    assert 'it runs:\n  say("note", "All is well", "No ghost is here. " * 20)' in said
    assert 'posts:\n  note 2 by ana: "All is well" "No ghost is here.' in said
    [post] = game.nomic("try", "1", "--json").json["posts"]
    assert (post["by"], post["text"]) == ("ben", "No ghost is here. " * 20)

    # what it asks that may be otherwise then is told, also of what it never comes to; and that it did nothing is no state of things
    late = 'if now() > "2090-10-05T03:00:00Z" and deed()["action"]:\n    put("players/cy", cups=9)'
    for number, (run, asks) in enumerate(
        {
            late: "the time and who enacts it",
            'call("most")\ncomments("posts/1")': "votes and comments",
            "pass": "",
        }.items(),
        2,
    ):
        said = game.nomic(
            "--as", "ana", "propose", "--title", "Odd", "--change", json.dumps({"run": run})
        ).out
        line = f"its program asks {asks}: what it does may differ then"
        for page in (said, game.nomic("posts", str(number)).out, game.nomic("try", str(number), code=1).out):
            assert (line in page) == bool(asks)
            assert "its program did nothing when it was tried" in page
            assert "it stands so already" not in page


def test_what_a_change_lets_out_or_reads_of_what_is_secret_is_said() -> None:
    def law(tracked: str, mechanics: str = "pass") -> Law:
        declared = f"variables: {{position: {{of: player, type: integer{tracked}}}}}"
        return NEWEST.law(
            ruleset({"1-core/10-walk.md": rule(declared, f"def steps(who):\n    {mechanics}\n")})
        )

    secret = law(", tracked: secret, seen_by: [owner]")
    assert list(disclosed(secret, law(""), {})) == ["a secret becomes public: players.position"]
    repealed = NEWEST.law(ruleset({"1-core/10-walk.md": rule("", "")}))
    assert list(disclosed(secret, repealed, {})) == [f"{FORGOTTEN}: players.position"]
    more = law(", tracked: secret, seen_by: [owner, emperor]")
    [said] = disclosed(secret, more, {})
    assert said == "a secret is shown to more: players.position, seen_by: owner, emperor"
    reads = law(", tracked: secret, seen_by: [owner]", "return get(who, 'position')")
    [said] = disclosed(secret, reads, {})
    assert "reads what is secret: players.position; what comes of it is seen only when it is enacted" in said
    for text in (
        "get('players/ana', 'position')",
        "put('players/ana', position=1)",
        "read('players.ana.position')",
    ):
        [said] = disclosed(secret, secret, {text: set()})
        assert "its program reads what is secret: players.position" in said
    [said] = disclosed(secret, secret, {"pass": {"players.position"}})
    assert "its program reads what is secret: players.position" in said
    for text in ("say('note', 'The position of ana')", "position = 1", "put(position, rain=2)"):
        assert list(disclosed(secret, secret, {text: set()})) == []
    assert programs([{"together": [{"run": "a()"}, {"bar": "ana"}]}, {"run": "b()"}]) == ["a()", "b()"]


def test_an_action_that_a_change_takes_from_what_is_private_is_named_and_the_other_way() -> None:
    def law(private: str) -> Law:
        declared = f"actions: {{hint: {{summary: Hint, with: {{a: text, b: text}}{private}}}}}"
        return NEWEST.law(
            ruleset({"1-core/10-hint.md": rule(declared, "def do_hint(actor, a, b):\n    pass\n")})
        )

    shut, part, bare = law(", private: true"), law(", private: [a]"), law("")
    for was in (shut, part):
        assert list(disclosed(was, bare, {})) == ["an action is no longer private: hint"]
        assert list(disclosed(bare, was, {})) == ["an action is private from then on: hint"]
    assert list(disclosed(shut, part, {})) == ["of an action something else is private from then on: hint"]
    assert list(disclosed(part, law(", private: [a]"), {})) == []


def test_a_rule_that_hears_of_what_is_done_in_private_or_stands_in_for_it_is_named() -> None:
    declared = "actions: {hint: {with: {to: text}, private: true}, nod: {with: {to: text}}}"
    code = 'def do_hint(actor, to):\n    emit("hinted", actor, to)\n\ndef do_nod(actor, to):\n    emit("nodded", to)\n'
    own = {"1-core/10-hint.md": rule(declared, code)}

    def law(more: str, mechanics: str) -> Law:
        return NEWEST.law(ruleset({**own, "2-dynastic/10-more.md": rule(more, mechanics)}))

    none = NEWEST.law(ruleset(own))
    listens = law("when: {hinted: _heard}", "def _heard(actor, to):\n    note(to)\n")
    [said] = disclosed(none, listens, {})
    assert "hears of what is done in private: hinted, of hint; what comes of it is seen only when" in said
    louder = law("when: {hinted: _heard}", "def _heard(actor, to):\n    note(to, public=True)\n")
    assert len([*disclosed(listens, louder, {})]) == 1
    assert [*disclosed(listens, listens, {})] == []
    open_one = law("when: {nodded: _heard}", "def _heard(to):\n    note(to)\n")
    assert [*disclosed(none, open_one, {})] == []
    instead = law("overrides: [do_hint]", "def do_hint(actor, to):\n    note(to, public=True)\n")
    [said] = disclosed(none, instead, {})
    assert "says what comes of what is done in private: hint" in said


ALMS = """\
---
title: Alms
when:
  enacted: _alms
---
Whoever has a proposal enacted is given as many cups as a die says.

```starlark
def _alms(matter):
    gain(get(matter, "author"), "cups", roll(3))
```
"""


@pytest.mark.slow
def test_what_the_law_itself_does_at_an_enactment_is_told_before_with_whose_dice_it_throws(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    core = "1-core/10-proposals.md"
    closes = 'close(matter, "enacted")\n'
    heard = RULES[core].replace(closes, f'{closes}    emit("enacted", matter)\n', 1)
    game = parlour(tmp_path, capsys, {**RULES, core: heard, "2-dynastic/30-alms.md": ALMS})
    changes = ("{set: {players.ben.cups: 2}}", "{run: \"gain('players/cy', 'cups', roll(2))\"}")
    given = [word for change in changes for word in ("--change", change)]
    said = game.nomic("--as", "ana", "propose", "--title", "Cups", *given).out
    throws = r"if it were enacted now, it would throw d3 ([123]) \(Alms\), d2 [12] \(the program of this change\) \(for example, .*\)"
    [face] = re.findall(throws, said)
    gift = f"the law itself would also change players.ana.cups: 4 → {4 + int(face)}\n"
    assert said.count("would also change") == 1
    assert gift in said
    tried = game.nomic("try", "1", "--json").json
    assert [(each["path"], each["old"]) for each in tried["gifts"]] == [("players.ana.cups", 4)]
    game.nomic("--as", "ben", "vote", "1", "for")
    done = game.nomic("--as", "ben", "resolve", "1").out
    [(alms, program)] = re.findall(
        r"^  dice: d3 (\d) \(Alms\), d2 (\d) \(the program of this change\)$", done, re.MULTILINE
    )
    cups = {
        name: re.findall(r"^cups: (\d+)$", (game.folder / f"game/state/players/{name}.yml").read_text("utf-8"), re.MULTILINE)
        for name in ("ana", "ben", "cy")
    }  # fmt: skip
    assert cups == {"ana": [str(4 + int(alms))], "ben": ["2"], "cy": [str(4 + int(program))]}


@pytest.mark.slow
def test_a_number_that_the_law_stops_is_told_before_everywhere_as_it_will_stand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tea = RULES["2-dynastic/10-tea.md"].replace("default: 4", "default: 4, below_zero: clamp", 1)
    game = parlour(tmp_path, capsys, {**RULES, "2-dynastic/10-tea.md": tea})
    changes = ("{set: {players.ana.cups: 99}}", "{set: {players.ana: {cups: 7}, players.ben.cups: -3}}")
    given = [word for change in changes for word in ("--change", change)]
    said = [
        "change 1: players.ana.cups comes to 9, the most it may be, and not to 99",
        "change 2: players.ben.cups comes to 0, and not to -3",
    ]
    proposed = game.nomic("--as", "ana", "propose", "--title", "Cups", *given).out
    shown, tried = game.nomic("posts", "1").out, game.nomic("try", "1").out
    opened = Game.open(game.folder)
    look = Look.at_time(opened, opened.last())
    page = str(asked_for(look, "posts/1", look.world.store.value("posts/1", "changes")))
    for told in (proposed, shown, tried, unescape(page).replace("<li>C", "<li>c")):
        assert [line for line in said if line in told] == said
    assert re.findall(r"<(del|ins)>([^<]*)</", page) == [
        (sign, value)
        for pair in (("4", "9"), ("9", "7"), ("4", "0"))
        for sign, value in zip(("del", "ins"), pair, strict=True)
    ]
    game.nomic("--as", "ben", "vote", "1", "for")
    game.nomic("--as", "ben", "resolve", "1")
    kept = {
        name: (game.folder / f"game/state/players/{name}.yml").read_text("utf-8") for name in ("ana", "ben")
    }
    assert [re.findall(r"^cups: (\d+)$", kept[name], re.MULTILINE) for name in ("ana", "ben")] == [
        ["7"],
        ["0"],
    ]


STALLS = """\
---
title: Stalls
collections:
  stalls: {key: {prefix: s}, fields: {owner: player, price: {type: integer}}}
---
Whoever has a stall sells at its price.
"""
STOCKED = """\
create("stalls", owner="players/ana", price=5)
say("note", "An old note", "It goes.")
"""
TRADED = """\
create("stalls", owner="players/ben", price=7)
put("stalls/s1", price=4)
destroy("stalls/s1")
destroy("posts/2")
create("players", id="dee")
destroy("players/cy")
say("note", "A new note", "It stays.")
"""


@pytest.mark.slow
def test_what_a_program_makes_and_takes_away_is_told_before_as_resolve_tells_it_then(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = parlour(tmp_path, capsys, {**RULES, "2-dynastic/30-stalls.md": STALLS})

    def propose(title: str, program: str) -> str:
        change = json.dumps({"run": program})
        return game.nomic("--as", "ana", "propose", "--title", title, "--change", change).out

    def wholes(said: str) -> set[str]:
        return {*re.findall(r"(?:made|gone): [^;\n]+", said)}

    submitted = propose("Stocked", STOCKED)
    made = "made: stalls.s1 (owner ana, price 5)"
    assert f"gamestate:\n  {made}\n" in game.nomic("try", "1").out
    assert wholes(submitted) == {made, "made: posts.2"}
    game.nomic("--as", "ben", "vote", "1", "for")
    assert wholes(game.nomic("--as", "ben", "resolve", "1").out) == {made, "made: posts.2"}

    submitted = propose("Traded", TRADED)
    tried, plain = game.nomic("try", "3").out, game.nomic("try", "3", "--json").json
    look = Look.at_time(Game.open(game.folder), START)
    page = str(asked_for(look, "posts/3", look.world.store.value("posts/3", "changes")))
    game.nomic("--as", "ben", "vote", "3", "for")
    done = game.nomic("--as", "ben", "resolve", "3").out
    came = wholes(done)
    assert {"made: stalls.s2 (owner ben, price 7)", "gone: stalls.s1 (price 5, owner ana)"} < came
    assert {line.partition(" (")[0] for line in came} == {
        f"{how}: {what}"
        for how, some in (("made", ("stalls.s2", "players.dee", "posts.4")), ("gone", ("stalls.s1", "players.cy", "posts.2")))
        for what in some
    }  # fmt: skip
    assert wholes(submitted) == came
    shown = unescape(page).partition("<ul>")[2].partition("</li>")[0]
    assert "made: stalls s2 (owner: ben; price: 7)" in shown
    assert "gone: stalls s1 (price: 5; owner: ana)" in shown
    assert {*re.findall(r"(?:made|gone): \w+ \w+", shown)} == {
        line.partition(" (")[0].replace(".", " ") for line in came
    }
    assert wholes(tried) == came - {"made: posts.4"}  # it stands among the posts, with its text
    assert {f"{each['how']}: {each['path']}" for each in plain["values"]} | {"made: posts.4"} == {
        line.partition(" (")[0] for line in came
    }
