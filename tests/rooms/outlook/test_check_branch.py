"""The check of a branch: what enacting it would do, tried on a scratch copy of the game."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from support.parlour import BREWED, CORE, MOON, TEA, Parlour, parlour


@pytest.fixture
def game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Parlour:
    return parlour(tmp_path, capsys)


def checked(game: Parlour, name: str, *more: str, code: int = 0) -> Any:
    return game.nomic("check", name, "--json", *more, code=code).json


def whats(found: Any) -> list[str]:
    return [each["what"] for each in found["findings"]]


@pytest.mark.slow
def test_a_sound_branch_shows_its_difference_and_changes_nothing(game: Parlour) -> None:
    game.branch("cold", TEA, "drunk hot", "drunk cold")
    head = game.git("rev-parse", "main")
    found = checked(game, "cold")
    assert (found["sound"], found["findings"], found["made"], found["sections"]) == (
        True,
        [],
        [""],
        ["dynastic"],
    )
    [rule] = found["rules"]
    assert (rule["slug"], rule["number"], rule["how"]) == ("tea", "2.1", "amended")
    assert rule["lines"] == ["@@ prose", " A player may brew tea.", "-It is drunk hot.", "+It is drunk cold."]
    assert game.git("rev-parse", "main") == head
    assert game.git("status", "--porcelain") == ""


@pytest.mark.slow
def test_the_keys_of_the_answer_stay(game: Parlour) -> None:
    game.branch("wrong", "game/state/game.yml", "", "moon: 3\n")
    game.branch("cold", TEA, "drunk hot", "drunk cold")
    wrong, right = checked(game, "wrong", code=1), checked(game, "cold")
    assert list(wrong) == list(right)
    assert wrong["branch"] is None
    assert "a branch does not touch the gamestate" in whats(wrong)[0]


@pytest.mark.slow
def test_values_that_would_be_healed_are_told(game: Parlour) -> None:
    game.branch("small", TEA, "max: 9, default: 4", "max: 3")
    found = checked(game, "small")
    assert {"path": "players.ana.cups", "old": 4, "new": 0, "how": "changed"} in found["values"]
    assert {"view": "most", "old": 4, "new": 0} in found["views"]


@pytest.mark.slow
def test_actions_that_open_and_close_and_for_whom(game: Parlour) -> None:
    code = 'def can_brew(actor):\n    return "" if actor == "players/ben" else "only ben brews"\n\n'
    game.branch("ben", TEA, "def do_brew", code + "def do_brew")
    [action] = checked(game, "ben")["actions"]
    assert (action["action"], action["opens"]) == ("brew", [])
    assert action["closes"] == {"ana": "only ben brews", "cy": "only ben brews"}


@pytest.mark.slow
def test_a_new_action_is_told(game: Parlour) -> None:
    game.branch("pour", TEA, "brew: {}", "brew: {}, pour: {}")
    game.branch("pour", TEA, "def do_brew", "def do_pour(actor):\n    pass\n\ndef do_brew")
    [action] = checked(game, "pour")["actions"]
    assert action == {
        "action": "pour",
        "how": "new",
        "opens": ["ana", "ben", "cy"],
        "closes": {},
        "nobody": "",
        "as_unset": False,
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    ("declared", "taken", "body", "said"),
    [
        ("pour: {}", "", 'refuse("not today")', "pour: new; opens for nobody now (not today)"),
        ("pour: {with: {n: {type: integer, min: 1}}}", ", n", 'refuse("not today")',
            "pour: new; opens for nobody now (not today)"),
        ("pour: {with: {n: {type: integer, min: 1}}}", ", n", 'require(n > 1, "too little")',
            "pour: new; opens for ana, ben, cy"),
        ("pour: {limit: dry}", "", "pass", "pour: new; opens for nobody now (the limit dry never allows it)"),
        ("pour: {by: admin}", "", 'refuse("you have no jug")',
            "pour: new; opens for nobody now (they have no jug)"),
        ("pour: {with: {to: {type: player, which: _no}}}", ", to", "pass",
            "pour: new; opens for nobody now (nothing that it takes is allowed now, such as to ana: no cup)"),
        ("pour: {by: anyone}", "", 'require(actor not in players(), "you drink already")',
            "pour: new; opens for whoever is no player yet"),
    ],
)  # fmt: skip
def test_a_new_action_that_nobody_can_do_says_so_where_it_is_listed(
    game: Parlour, declared: str, taken: str, body: str, said: str
) -> None:
    helper = 'def _no(value):\n    return "no cup"\n\n'
    game.branch("pour", TEA, "actions:", "limits:\n  dry: {per: day, times: 0}\nactions:")
    game.branch("pour", TEA, "brew: {}", f"brew: {{}}, {declared}")
    game.branch("pour", TEA, "def do_brew", f"{helper}def do_pour(actor{taken}):\n    {body}\n\ndef do_brew")
    lines = [line.strip() for line in game.nomic("check", "pour").all.split("\n")]
    assert [line for line in lines if line.startswith("pour: new")] == [said]


@pytest.mark.slow
def test_pending_proposals_that_would_become_void_are_told(game: Parlour) -> None:
    game.branch("cold", TEA, "drunk hot", "drunk cold")
    game.branch("lukewarm", TEA, "drunk hot", "drunk lukewarm")
    game.propose("cold")
    found = checked(game, "lukewarm")
    [pending] = found["pending"]
    assert (pending["post"], pending["void"], pending["before"]) == (1, True, [""])
    assert "has been changed meanwhile" in pending["after"][0]
    assert "has been changed meanwhile" in pending["behind"][0]
    assert len(found["findings"]) == 2


@pytest.mark.slow
def test_pending_proposals_that_do_not_meet_it_are_not(game: Parlour) -> None:
    game.branch("cold", TEA, "drunk hot", "drunk cold")
    game.branch("glow", MOON, "shines", "glows")
    game.propose("cold")
    found = checked(game, "glow")
    assert (found["pending"], found["findings"]) == ([], [])


@pytest.mark.slow
def test_an_equal_pending_proposal_has_nothing_to_do(game: Parlour) -> None:
    game.branch("cold", TEA, "drunk hot", "drunk cold")
    game.propose("cold")
    game.branch("as-cold", TEA, "drunk hot", "drunk cold", message="As cold")
    found = checked(game, "as-cold")
    assert found["is_post"] is None
    assert found["pending"][0]["after"] == ["nothing to do: it says so already"]
    assert found["pending"][0]["behind"] == ["nothing to do: it says so already"]


@pytest.mark.slow
def test_a_branch_behind_the_game_is_tried_on_the_game_as_it_is(game: Parlour) -> None:
    game.branch("lukewarm", TEA, "drunk hot", "drunk lukewarm")
    game.branch("cold", TEA, "drunk hot", "drunk cold")
    game.propose("cold")
    game.nomic("--as", "ben", "vote", "1", "for")
    game.nomic("--as", "ben", "resolve", "1")
    found = checked(game, "lukewarm", code=1)
    assert found["sound"] is False
    assert "change 1 would not be made now: " in whats(found)[0]


@pytest.mark.slow
def test_one_mistake_is_told_once_though_another_matter_is_pending(game: Parlour) -> None:
    change = "{add-rule: {title: Moonlight, text: The moon shines.}}"
    game.nomic("--as", "ben", "propose", "--title", "Moonlight", "--change", change)
    rule = "---\ntitle: Toll\nvariables:\n  coins: {of: player, type: integer}\nactions:\n  pay: {by: player}\n---\nPay.\n\n"
    path = f"{TEA.rpartition('/')[0]}/99-toll.md"
    game.branch(
        "toll",
        path,
        "",
        f"{rule}```starlark\ndef do_pay(actor):\n    gain(actor, coins, 1)\n```\n",
    )
    [only] = checked(game, "toll", code=1)["findings"]
    assert (only["what"], only["file"], only["line"]) == ("nobody defines coins", path, 12)
    assert only["mend"] == 'write "coins" in quotes where the variable is meant'


@pytest.mark.slow
def test_a_tag_that_the_law_asks_for_is_told(game: Parlour) -> None:
    game.branch("core", CORE, "may not edit", "must not edit")
    assert whats(checked(game, "core")) == [
        "when it is enacted: Change 1 was not made: it needs the tag Core"
    ]
    assert whats(checked(game, "core", "--tag", "Core")) == []


@pytest.mark.slow
def test_a_law_that_could_never_be_changed_again_is_told(game: Parlour) -> None:
    game.branch(
        "end",
        CORE,
        '"nobody is for it")',
        '"nobody is for it")\n    require(False, "no more")',
        message="[Core] End",
    )
    said = game.nomic("check", "end", "--tag", "Core", code=1).out
    assert "the law could not be changed any more" in " ".join(said.split())
    assert "it cannot be enacted as it stands" in said
    assert "it can be enacted" not in said


@pytest.mark.slow
def test_scenarios_of_the_game_that_would_fail_are_told(game: Parlour) -> None:
    game.branch("keep", "game/scenarios/tea.yml", "", BREWED)
    game.propose("keep")
    game.nomic("--as", "ben", "vote", "1", "for")
    game.nomic("--as", "ben", "resolve", "1")
    game.branch("strong", TEA, 'gain(actor, "cups", 1)', 'gain(actor, "cups", 2)')
    [scenario] = checked(game, "strong")["scenarios"]
    assert (scenario["name"], scenario["failed_before"]) == ("tea", False)
    assert "players.ana.cups" in scenario["failures"][0]


@pytest.mark.slow
def test_mechanics_that_run_on_end_in_their_worker(game: Parlour) -> None:
    forever = "def most():\n    return len([x for x in range(100000000) for y in range(100000000)])"
    game.branch(
        "forever", TEA, 'def most():\n    return max([get(player, "cups") for player in players()])', forever
    )
    found = checked(game, "forever", code=1)
    assert whats(found) == [
        "the mechanics end their process, or use more memory or time than a game lends them"
    ]


@pytest.mark.slow
def test_what_the_checks_newly_find_in_the_rules_is_told(game: Parlour) -> None:
    game.branch("call", TEA, 'gain(actor, "cups", 1)', "pour(actor)")
    assert "no rule in force defines pour, which the mechanics call" in whats(checked(game, "call", code=1))


@pytest.mark.slow
def test_a_range_and_a_revision_of_the_game_itself(game: Parlour) -> None:
    game.branch("cold", TEA, "drunk hot", "drunk cold")
    assert checked(game, "main..cold")["branch"] == checked(game, "cold")["branch"]
    assert checked(game, "main")["counts"]["rules"] == 3
    assert game.nomic("check").out == "sound (3 rules, 3 players, 0 posts)\n"
    assert "there is no revision none" in game.nomic("check", "none", code=1).err


def test_a_branch_that_changes_nothing_is_told_so(game: Parlour) -> None:
    game.git("branch", "idle")
    assert whats(checked(game, "idle", code=1)) == ["this branch changes no rule"]


@pytest.mark.slow
def test_for_people_the_difference_reads_like_one(game: Parlour) -> None:
    game.branch("small", TEA, "max: 9, default: 4", "max: 3")
    out = game.nomic("--as", "cy", "check", "small").out
    assert out.startswith("amended: 2.1 Tea\n  @@ declarations\n")
    assert "gamestate:\n  players.ana.cups: 4 → 0\n" in out
    assert "views:\n  most: 4 → 0\n" in out
    assert out.endswith("it can be proposed\n")


CLASHES = {
    "prose": (TEA, "It is drunk hot.", "It is drunk hot.\n{}\n"),
    "front matter": (TEA, "title: Tea\n", "title: Tea\n{}\n"),
    "mechanics": (TEA, "def do_brew(actor):\n", "def do_brew(actor):\n{}\n"),
    "a scenario": ("game/scenarios/hot.yml", "", "name: Hot\n{}\nsteps: []\n"),
}
MARKED = "<<<<<<< HEAD\nsweet: 1\n=======\nsweet: 2\n>>>>>>> milk (with milk)"


@pytest.mark.slow
def test_conflict_markers_are_refused_with_their_lines_wherever_they_stand(game: Parlour) -> None:
    for number, (part, (path, old, new)) in enumerate(CLASHES.items()):
        file = game.folder / path
        text = file.read_text("utf-8") if old else ""
        assert old in text
        changed = text.replace(old, new.format(MARKED), 1) if old else new.format(MARKED)
        game.branch(f"clash-{number}", path, "", changed)
        first = changed.split("\n").index("<<<<<<< HEAD") + 1
        [problem] = checked(game, f"clash-{number}", code=1)["findings"]
        said = f"conflict markers of a merge stand in lines {first} to {first + 4}"
        assert (problem["what"], problem["file"], problem["line"]) == (said, path, first), part
        assert said in game.nomic("--as", "ana", "propose", "--branch", f"clash-{number}", code=1).err, part
    heading = "A Heading\n=======\n\nIt is drunk hot."
    game.branch("heading", TEA, "It is drunk hot.", heading)
    assert checked(game, "heading")["sound"]
    game.branch("left", TEA, "It is drunk hot.", "It is drunk hot.\n>>>>>>> milk")
    [left] = checked(game, "left", code=1)["findings"]
    assert left["what"] == f"conflict markers of a merge stand in line {left['line']}"


@pytest.mark.slow
def test_a_rebase_of_an_own_branch_is_to_be_finished_and_of_the_games_broken_off(game: Parlour) -> None:
    game.branch("cold", TEA, "drunk hot", "drunk cold")
    game.branch("iced", TEA, "drunk hot", "drunk iced")
    for onto, rebased, own in (("cold", "iced", True), ("cold", "main", False)):
        if not own:
            game.branch("main", TEA, "drunk hot", "drunk boiling")
        clash = subprocess.run(
            ["git", "rebase", "-q", onto, rebased], cwd=game.folder, capture_output=True, check=False
        )
        assert clash.returncode == 1, clash.stderr
        for command in (["status"], ["check"], ["check", "cold"]):
            said = game.nomic(*command, code=1).err
            assert ("rebase of iced is under way" in said) is own, said
            assert ("git rebase --continue\n  or break it off:\n    git rebase --abort" in said) is own, said
            assert ("break it off:\n    git rebase --abort\n    nomicgit sync\n" in said) is not own, said
        game.git("rebase", "--abort")
        game.git("switch", "-q", "main")


@pytest.mark.slow
def test_a_rule_that_is_no_yaml_hides_nothing_of_its_neighbours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = parlour(tmp_path, capsys)
    jar = (
        "---\ntitle: Jar\nvariables: {jars: {of: player, type: integer}\nactions: {fill: {}}\n---\nFilled.\n"
    )
    lid = (
        "---\ntitle: Lid\nvariables: {lids: {of: player, type: int}}\nactions: {shut: {by: emporer}}\n---\nShut.\n\n"
        '```starlark\ndef do_shut(actor):\n    gain(actor, "lid", get(actor, "jars"))\n```\n'
    )
    tap = (
        "---\ntitle: Tap\nactions: {turn: {by: opener}, stop: {by: emporer}}\n---\nTurned.\n\n"
        "```starlark\ndef opener(actor):\n    while 1:\n        pass\n    turned(actor)\n```\n"
    )
    for name, text in (("90-jar", jar), ("91-lid", lid), ("92-tap", tap)):
        game.branch("kitchen", f"game/ruleset/2-dynastic/{name}.md", "", text)
    told = game.nomic("check", "kitchen", code=1).out
    for said in (
        "90-jar.md:4",
        "not YAML",
        "is called int",
        "emporer",
        "the variable lid of player",
        "no `while`",
        "defines turned, which the mechanics call",
    ):
        assert said in told, said
    assert told.count("nobody defines emporer") == 2  # the mechanics that cannot be read do not define it
    for unknown in ("jars", "opener"):  # which may be declared and defined where nothing can be read
        assert f"the variable {unknown}" not in told
        assert f"nobody defines {unknown}" not in told
