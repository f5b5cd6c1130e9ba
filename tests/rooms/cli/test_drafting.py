"""``nomicgit new-rule``: what it writes is sound as it stands, plays, and can be proposed and enacted."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
import yaml
from support.parlour import MOON, Parlour, parlour


@pytest.mark.slow
def test_the_beginning_of_a_rule_is_a_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = parlour(tmp_path, capsys)
    assert "git switch --create the-market" in game.nomic("new-rule", "The Market", code=1).err
    assert "has no letter from a to z and no digit" in game.nomic("new-rule", "—", code=1).err
    assert game.git("status", "--porcelain") == ""
    _edited_by_hand(game)
    game.git("switch", "-q", "-c", "odd")
    for title, action in {"Brew": "brew-2", '2nd {{x}}: "Cups" #1': "rule-2nd-x-cups-1"}.items():
        said = game.nomic("new-rule", title, "--json").json
        assert said["action"] == action
        rule, scenario = (game.folder / path for path in said["written"])
        assert yaml.safe_load(rule.read_text("utf-8").split("---\n")[1])["title"] == title
        game.git("add", "-A")
        game.git("commit", "-q", "-m", f"{action}\n\nWhy not.")
        assert "passed" in game.nomic("rehearse", str(scenario)).out
    assert "there is no section 'attic'" in game.nomic("new-rule", "Moths", "--section", "attic", code=1).err
    (game.folder / "game/scenarios/moths.yml").write_text("mine", "utf-8")
    assert "game/scenarios/moths.yml is there already" in game.nomic("new-rule", "Moths", code=1).err
    assert (game.folder / "game/scenarios/moths.yml").read_text("utf-8") == "mine"
    (game.folder / "game/scenarios/moths.yml").unlink()
    one, other = (game.nomic("new-rule", each, "--json").json["written"][0] for each in ("Wort", "Malt"))
    assert int(Path(other).name.partition("-")[0]) > int(Path(one).name.partition("-")[0]) > 0
    game.git("clean", "-fdq")
    assert game.git("status", "--porcelain") == ""
    here = game.nomic("check", "--json").json
    game.git("switch", "-q", "main")
    checked = game.nomic("check", "odd", "--json").json
    assert (checked["findings"], [rule["how"] for rule in checked["rules"]]) == ([], ["added", "added"])
    assert here == game.nomic("check", "odd", "--json").json == checked, (
        "from where one writes it is the same"
    )
    game.propose("odd")
    game.nomic("--as", "ana", "vote", "1", "for")
    game.nomic("--as", "ana", "resolve", "1")
    game.nomic("--as", "ana", "act", "brew-2", "amount=2")
    assert game.nomic("state", "players.ana.brew_2").out == "2\n"


def _edited_by_hand(game: Parlour) -> None:
    """What somebody writes on the game's own branch is no law: ``status`` says so, and its line lays the record down again."""
    edits = [MOON, "game/state/players/ana.yml", "game/ruleset/2-dynastic/90-own.md"]
    assert game.nomic("status", "--json").json["edited"] == []
    for path in edits:
        with (game.folder / path).open("a") as file:
            file.write("cups: 9\n")
    assert game.nomic("status", "--json").json["edited"] == edits
    _, _, told = game.nomic("status").out.partition("  to take it back:\n")
    lines = [line for line in told.splitlines() if line.startswith("    ")]
    subprocess.run(["sh", "-ec", "\n".join(lines)], check=True, cwd=game.folder)
    assert game.git("status", "--porcelain") == ""
    assert "edited by hand" not in game.nomic("status").out


def test_a_post_edited_by_hand_is_named_staged_or_not_and_taken_back_by_the_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = parlour(tmp_path, capsys)
    for title in ("One", "Two"):
        game.nomic("--as", "ana", "cfj", "--title", title, "--body", "Hm.")
    posts = sorted(path for path in game.git("ls-files", "game/posts").split() if path.endswith(".md"))
    for path in posts:
        (game.folder / path).write_text(
            (game.folder / path).read_text("utf-8").replace("Hm.", "Ha."), "utf-8"
        )
    game.git("add", posts[1])
    os.utime(game.folder / MOON)  # read anew, and as it was
    assert game.nomic("status", "--json").json["edited"] == posts
    said = game.nomic("status").out
    assert f"edited by hand: {posts[0]}, {posts[1]}: what lies there differs from the record" in said
    _, _, told = said.partition("  to take it back:\n")
    lines = [line for line in told.splitlines() if line.startswith("    ")]
    subprocess.run(["sh", "-ec", "\n".join(lines)], check=True, cwd=game.folder)
    assert game.git("status", "--porcelain") == ""
    assert game.nomic("status", "--json").json["edited"] == []
