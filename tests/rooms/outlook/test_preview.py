"""What a pull request would do, said on it in one comment: judged as data, by the rules in force."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.doorstep import Doorstep, doorstep, rule
from support.parlour import commands

from nomicgit.outlook import preview

pytestmark = pytest.mark.slow

NASTY = "Moon](javascript:alert(1)) <script>alert(1)</script> @everyone fixes #1 ::error::x"
Ask = Callable[..., str]


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Doorstep]:
    with doorstep(tmp_path) as found:
        yield found


@pytest.fixture
def ask(door: Doorstep, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Run the command on the clone of the founding; the exit code must be as told."""
    monkeypatch.setenv("GITHUB_TOKEN", door.github.token(door.github.steward))
    monkeypatch.setenv("GITHUB_API_URL", door.github.url)
    monkeypatch.setenv("GITHUB_SERVER_URL", door.github.url)

    nomic = commands(capsys, "preview", "-C", str(door.folder))

    def run(*arguments: str, code: int = 0) -> str:
        return nomic(*arguments, code=code).all

    return run


def test_a_pull_request_gets_one_comment_that_is_kept_up_to_date(door: Doorstep, ask: Ask) -> None:
    pull = door.propose("cy", "Moonlight")
    for _ in range(2):
        ask(str(pull.number), "--comment")
    (body,) = door.ours(pull)
    assert preview.is_ours(body)
    assert "It can be proposed: 1 change" in body
    assert "Moonlight shines." in body
    files = {"game/ruleset/2-dynastic/90-moonlight.md": rule("Moonlight", "It glows.")}
    door.github.commit(door.people["cy"], files, branch="moonlight", message="better")
    ask(str(pull.number), "--comment")
    (body,) = door.ours(pull)
    assert "It glows." in body


def test_nothing_is_said_unless_it_is_asked_for(door: Doorstep, ask: Ask) -> None:
    pull = door.propose("cy", "Moonlight")
    assert "It can be proposed" in ask(str(pull.number))
    assert door.ours(pull) == []


def test_what_stands_against_it_is_said(door: Doorstep, ask: Ask) -> None:
    files: dict[str, str | None] = {"game/state/game.yml": "hats: 3\n"}
    pull = door.propose("cy", "Hats", files)
    said = ask(str(pull.number), code=1)
    assert "It cannot be enacted as it stands" in said
    assert "stands against it: game/state/game.yml" in said.replace("\\", "")


def test_a_pull_request_that_leaves_the_game_alone_is_none_of_ours(door: Doorstep, ask: Ask) -> None:
    pull = door.propose("cy", "Look", {"README.md": "A nicer one.\n"})
    assert "leaves the game alone" in ask(str(pull.number), "--comment")
    assert door.ours(pull) == []


def test_a_block_of_changes_that_is_none_stands_against_it(door: Doorstep, ask: Ask) -> None:
    pull = door.propose("cy", "Moonlight", body="```changes\nrepeal everything\n```")
    assert "must hold a list of changes" in ask(str(pull.number), code=1)


def test_rules_are_changed_by_the_branch_or_by_the_block(door: Doorstep, ask: Ask) -> None:
    pull = door.propose("cy", "Moonlight", body="```changes\n- {add-rule: {title: Dusk, text: It is.}}\n```")
    assert "by the branch and by the block of changes both" in ask(str(pull.number), code=1)


def test_what_a_player_wrote_is_text_in_the_comment(door: Doorstep, ask: Ask) -> None:
    title = '"' + NASTY + '"'
    files: dict[str, str | None] = {
        "game/ruleset/2-dynastic/90-moon.md": rule(title, "```text\nlet me out\n```\n\n</pre><img src=x>")
    }
    pull = door.propose("cy", "moon", files)
    ask(str(pull.number), "--comment")
    (body,) = door.ours(pull)
    assert "Moon" in body
    outside = re.sub(r"^(`{3,})text\n.*?^\1$", "", body, flags=re.MULTILINE | re.DOTALL)
    assert "let me out" in body
    assert "let me out" not in outside
    for bad in ("<script", "<img", "@everyone", "](java", "fixes #1"):
        assert bad not in outside
