"""Every defect of mechanics, at every door where somebody meets it: with file, line and rule, in its author's own file first."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support.parlour import RULES, Parlour, parlour

from nomicgit.outlook.branches.meanwhile import brought_by
from nomicgit.record.game import Game
from nomicgit.site.onlooking import Look
from nomicgit.site.proposed import asked_for

PATH = "game/ruleset/2-dynastic/73-quarry.md"
HEAD = """\
---
title: Quarry

variables:
    stones: {of: player, type: integer, default: 3}
    weight: {of: player, type: integer, derived: weigh}
    dust:
        of: player
        type: integer
        which: fine
views:
    seams: {}
    carts: {of: player}
filters:
    sieve: {of: player, variable: dust}
guards:
    hush: {on: [stir]}
actions:
"""
PROSE = "---\nStones are broken. They are heavy.   \nNobody likes dust.\n\n\n```starlark\n"
NAMES = "one two three four five six seven eight nine ten eleven twelve thirteen".split()

# how the action is declared, its functions; what is said of the line that is marked with “#!”
DEFECTS: dict[str, tuple[str, str, str]] = {
    "a word misused": ("", "def do_NAME(actor):\n    require(*[True, 'x', 'y', 'z'])  #!", "require: too many positional arguments"),
    "a wrong amount": ("", "def do_NAME(actor):\n    n = None\n    spend(actor, 'stones', n)  #!", "None is no amount"),
    "a variable of nobody": ("", "def do_NAME(actor):\n    n = 'sto' + 'ne'\n    get(actor, n)  #!", "declares stone of players"),
    "a helper handed too much": ("", "def do_NAME(actor):\n    _NAME(*[actor, 1])  #!\n\ndef _NAME(who):\n    pass",
        "is handed 1 more than it takes"),
    "a cost that is none": ("cost: {stones: fare_NAME}",
        "def do_NAME(actor):\n    pass\n\ndef fare_NAME(actor, given):  #!\n    return 'x'",
        "'x' is no amount"),
    "a bar that breaks": ("by: may_NAME", "def do_NAME(actor):\n    pass\n\ndef may_NAME(actor):\n    return [][0]  #!", "no member"),
    "a bar that answers True": ("by: let_NAME", "def do_NAME(actor):\n    pass\n\ndef let_NAME(actor):  #!\n    return actor != ''",
        'let_seven answers True or False, and should give "" or why not'),
    "an opening that answers False": ("", "def do_NAME(actor):\n    pass\n\ndef can_NAME(actor):  #!\n    return actor == ''",
        'can_eight answers True or False, and should give "" or why not'),
    "a judge that answers a number": ("with: {x: {type: integer, which: fits_NAME}}",
        "def do_NAME(actor, x):\n    pass\n\ndef fits_NAME(value):  #!\n    return 0",
        'fits_nine answers no text, and should give "" or why not'),
    "a function without end": ("", "def do_NAME(actor):\n    do_NAME(actor)  #!", "functions call each other without end"),
    "a function made up": ("", "def do_NAME(actor):\n    call('no' + 'thing')  #!", "no rule in force defines nothing"),
    "a function made up, handed too little": ("", "def do_NAME(actor):\n    call('help_NAME')\n\ndef help_NAME(who):  #!\n    pass",
        "wants who, which it is not handed"),
    "an action refused": ("", "def do_NAME(actor):\n    do('vo' + 'te', actor)  #!", "matter, icon: a value is needed"),
}  # fmt: skip
LOOKED = {
    "def weigh(ref):  #!\n    return 'heavy'": "weight: heavy must be a number",
    "def seams():\n    return {}['coal']  #!": "has no key",
    "def carts(ref):\n    return len(7)  #!": "len",
}
HOOKED = {
    "def filter_sieve(ref, old, new):  #!\n    return 'fine'": "dust: fine must be a number",
    "def guard_hush(actor, action, given):  #!\n    return False": "guard_hush answers True or False, and should give",
}
STIRS = "def do_stir(actor):\n    put(actor, dust=1)\n"


def quarry() -> tuple[str, dict[str, int]]:
    """The rule, and the lines of its own where something is wrong, by what is said of it."""
    front, code = ["    stir: {}"], [STIRS]
    for name, (options, functions, _) in zip(NAMES, DEFECTS.values(), strict=True):
        front.append(f"    {name}: {{{options.replace('NAME', name)}}}")
        code.append(functions.replace("NAME", name))
    text = (
        HEAD + "\n".join(front) + "\n" + PROSE + "\n\n".join([*code, *LOOKED, *HOOKED]) + "\n```\n"
    ).replace("which: fine", "default: 0")
    lines = [n for n, line in enumerate(text.split("\n"), 1) if line.endswith("#!")]
    said = [*(what for _, _, what in DEFECTS.values()), *LOOKED.values(), *HOOKED.values()]
    return text, dict(zip(said, lines, strict=True))


def missing(said: list[dict[str, Any]], lines: dict[str, int], rule: str = "Quarry") -> list[str]:
    places = [(each["what"], each.get("file"), each.get("line"), each.get("rule")) for each in said]
    return [
        what
        for what, line in lines.items()
        if not [each for each in places if what in each[0] and each[1:] == (PATH, line, rule)]
    ]


@pytest.mark.slow
def test_a_defect_is_told_with_its_place_at_every_door(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = parlour(tmp_path, capsys)
    text, lines = quarry()
    game.branch("quarry", PATH, "", text)
    findings = game.nomic("check", "quarry", "--json", code=1).json["findings"]
    assert missing(findings, lines) == [], findings
    assert all(each.get("mend") for each in findings), findings
    assert len(findings) == len(lines), findings

    submitted = game.propose("quarry")["foreseen"]["checks"]
    attempted = game.nomic("try", "1", "--json").json["checks"]
    shown = game.nomic("posts", "1", "--json").json["foreseen"]["checks"]
    for said in (submitted, attempted, shown, page(game)):
        for what, line in lines.items():
            assert [
                each
                for each in said
                if each["level"] == "error"
                and each["said"].startswith(f"{PATH}:{line}")
                and "rule Quarry: " in each["said"]
                and what in each["said"]
            ], (what, said)

    game.nomic("--as", "ana", "vote", "1", "for")
    game.nomic("--as", "ben", "resolve", "1")
    enacted = next(game.folder.glob("game/ruleset/2-dynastic/*-quarry.md"))
    now = [n for n, line in enumerate(enacted.read_text("utf-8").split("\n"), 1) if line.endswith("#!")]
    where = {
        what: (f"game/ruleset/2-dynastic/{enacted.name}", line) for what, line in zip(lines, now, strict=True)
    }
    for name, (options, _, what) in zip(NAMES, DEFECTS.values(), strict=True):
        [problem] = refused(game, name, *(["x=1"] if "with" in options else []))
        assert (problem["file"], problem["line"], problem["rule"]) == (*where[what], "Quarry"), problem
        assert what in problem["what"]
    [problem] = refused(game, "stir")
    assert (problem["file"], problem["line"], problem["rule"]) == (
        *where["dust: fine must be a number"],
        "Quarry",
    ), problem
    broken = game.nomic("check", "--json", code=1).json["findings"]
    for what, place in where.items():
        assert [each for each in broken if what in each["what"] and (each["file"], each["line"]) == place], (
            what,
            broken,
        )


def refused(game: Parlour, action: str, *given: str) -> Any:
    said = game.nomic("--as", "ana", "act", action, *given, "--json", code=1)
    return json.loads(said.out)["refused"]


def page(game: Parlour) -> list[dict[str, str]]:
    """What the site's page of the matter says that check would find."""
    opened = Game.open(game.folder)
    with opened.repository:
        world = opened.looked_at(opened.last())
        assert brought_by(opened.repository, world, "posts/1") is not None
        shown = str(
            asked_for(Look.at_time(opened, opened.last()), "posts/1", world.store.value("posts/1", "changes"))
        )
    text = shown.replace("&#39;", "'").replace("&#34;", '"')
    levels = re.findall(r"The rules would have an? (error|warning): (.*?)</li>", text)
    return [{"level": level, "said": said} for level, said in levels]


SWEEP = """\
---
title: Sweep
actions:
  sweep: {}
---
Whoever sweeps ends the shop.

```starlark
def do_sweep(actor):
    refuse(apply({"repeal": "Shop"}))
```
"""
SHOP = """\
---
title: Shop
actions:
  shop: {}
---
Each player may shop.

```starlark
def do_shop(actor):
    gian(actor, "cups", 1)
```
"""


@pytest.mark.slow
def test_what_was_an_error_before_the_vote_is_one_in_force_whatever_another_action_ends(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = parlour(tmp_path, capsys, {**RULES, "1-core/20-sweep.md": SWEEP, "2-dynastic/30-shop.md": SHOP})
    said = game.nomic("check", code=1).out
    file = "game/ruleset/2-dynastic/30-shop.md"
    lines = (game.folder / file).read_text("utf-8").split("\n")
    [line] = [n for n, each in enumerate(lines, 1) if "gian" in each]
    assert said.count("gian") == 1
    assert (
        f"error: {file}:{line}, rule Shop: no rule in force defines gian, which the mechanics call (write gain"
        in said
    )


TITHE = """\
---
title: The Tithe
variables: {gold: {of: player, type: integer, default: 0}}
actions: {curfew: {}}
schedule: {tithe: {every: month 1 00:00}}
---
The richest loses all gold each month. At a curfew everybody goes to rest.

```starlark
def do_curfew(actor):
    for player in players():
        put(player, idle=True)

def schedule_tithe():
    richest = max(players(), key=lambda player: get(player, "gold"))
    lose(richest, "gold", get(richest, "gold"))
```
"""


def test_what_breaks_only_where_nobody_plays_any_more_is_no_defect(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """To each question of who is the richest there is an answer while somebody plays; and where all rest, nobody asks."""
    at = parlour(tmp_path, capsys, {**RULES, "2-dynastic/80-tithe.md": TITHE})
    at.nomic("check", code=0)
    at = parlour(
        tmp_path / "worse",
        capsys,
        {**RULES, "2-dynastic/80-tithe.md": TITHE.replace("max(players(", 'max(find("posts"')},
    )
    assert "max is asked of an empty list" in at.nomic("check", code=1).all
