"""What becomes of changes from the command line: no form at all is refused, what would be skipped is told, and kept."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from support.parlour import Parlour, parlour
from support.sites import seen_pages

from nomicgit.law.shapes import FORMS

ABSENT = "Nonsense"
CASES: dict[str, tuple[Any, Any, str]] = {
    "add-rule": ({"title": "Sun", "text": "It shines.", "under": ABSENT}, {"titel": "Sun"}, "title"),
    "amend": ({"rule": ABSENT, "replace": "hot", "with": "cold"}, {"rule": "Tea", "replce": "hot", "with": "cold"}, "replace"),
    "rename": ({"rule": ABSENT, "to": "Sun"}, {"rule": "Tea", "ot": "Sun"}, "to"),
    "move": ({"rule": ABSENT, "after": "Tea"}, {"rule": "Tea", "affter": "Moon"}, "after"),
    "repeal": (ABSENT, ["Tea"], ""),
    "status": ({ABSENT: "active"}, {"Tea": "actve"}, ""),
    "set": ({"players.nobody.cups": 3}, ["players.ana.cups"], ""),
    "terms": ({"player": "Guest"}, {"plaeyr": "Guest"}, ""),
    "player": ({"name": "nobody", "admin": True}, {"name": "ana", "admn": True}, "admin"),
    "rename-player": ({"from": "nobody", "to": "fay"}, {"form": "ana", "to": "fay"}, "from"),
    "bar": ("no-body-", {"name": "ana"}, ""),
    "scenario": ({"name": "gone", "text": None}, {"name": "tea", "txt": "x"}, "text"),
    "uphold": ("", ["it was ana"], ""),
    "undo": ("20210607T010000Z-000000000000", ["x"], ""),
    "run": ('put("players/nobody", cups=3)', {"code": "pass"}, ""),
    "together": ([{"repeal": ABSENT}], {"repeal": "Tea"}, ""),
}  # fmt: skip
"""For each form: what misses its target, what is no such form, and the key that was meant where one was misspelt."""

NEVER_SKIPPED = {
    "uphold": "it is a text",
    "scenario": "nothing to do",
}


@pytest.fixture
def game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Parlour:
    return parlour(tmp_path, capsys)


def proposed(game: Parlour, *changes: Any, code: int = 0, more: tuple[str, ...] = ("--json",)) -> Any:
    """What ``propose`` says of changes."""
    given = [word for change in changes for word in ("--change", json.dumps(change))]
    return game.nomic("--as", "ana", "propose", "--title", "T", *given, *more, code=code)


def misspelt(word: str) -> str:
    return word[:-2] + word[-1] + word[-2] + "x"


def test_every_form_has_its_case() -> None:
    assert list(CASES) == list(FORMS)


@pytest.mark.parametrize("form", FORMS)
def test_a_misspelt_form_is_refused_and_the_right_one_suggested(game: Parlour, form: str) -> None:
    head = game.git("rev-parse", "main")
    said = proposed(game, {"repeal": "Moon"}, {misspelt(form): CASES[form][0]}, code=1, more=())
    assert f"{misspelt(form)} is no form of change" in said.err
    assert "(change 2)" in said.err
    assert f"did you mean {form}?" in said.err
    assert game.git("rev-parse", "main") == head


@pytest.mark.parametrize("form", FORMS)
def test_what_a_form_cannot_hold_is_refused(game: Parlour, form: str) -> None:
    _, wrong, meant = CASES[form]
    for more in ((), ("--dry-run",)):
        said = proposed(game, {form: wrong}, code=1, more=more)
        assert f"refused: {form}" in said.err
        assert "(change 1)" in said.err
        assert (f"did you mean {meant}?" in said.err) == bool(meant)


@pytest.mark.slow
@pytest.mark.parametrize("form", [form for form in FORMS if form not in NEVER_SKIPPED and form != "terms"])
def test_what_misses_its_target_is_told_and_not_refused(game: Parlour, form: str) -> None:
    change = {form: CASES[form][0]}
    told = proposed(game, {"repeal": "Moon"}, change).json["foreseen"]
    assert [each["outcome"] for each in told["changes"]] == ["applied", "skipped"]
    why = told["changes"][1]["why"]
    assert why
    said = proposed(game, {"repeal": "Moon"}, change, more=("--dry-run",)).out
    assert f"change 2 would be skipped if it were enacted now: {why}" in said
    alone = [
        line for line in said.splitlines() if "the pending post" not in line
    ]  # the same was proposed before
    assert not any("change 1" in line for line in alone)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ({"add-rule": {"title": "Sun", "mechanics": "def f(:"}}, "change 1, add-rule: mechanics:1"),
        ({"amend": {"rule": "Tea", "mechanics": "def f():\n    pass\n\nwhile 1:\n    pass"}}, "change 1, amend: mechanics:4"),
        ({"amend": {"rule": "Tea", "in": "mechanics", "set": {"f": "def f():\n  try:"}}}, "change 1, amend: f:2"),
        ({"amend": {"rule": "Tea", "in": "mechanics", "set": {"f": "def g():\n    pass"}}}, "f is not its definition"),
        ({"run": "x = 1\ny = ="}, "change 1, run:2"),
        ({"together": [{"repeal": "Moon"}, {"run": "def f(:"}]}, "change 1, together, 2: run:1"),
    ],
)  # fmt: skip
def test_mechanics_that_do_not_parse_are_refused_with_their_line(game: Parlour, code: Any, why: str) -> None:
    for more in ((), ("--dry-run",)):
        assert why in proposed(game, code, code=1, more=more).err


def test_all_that_is_wrong_is_told_at_once(game: Parlour) -> None:
    said = proposed(game, {"amend": {"rule": "Tea", "set": {"x": 1}}}, {"rename": {}}, code=1, more=()).err
    assert "did you mean in: declarations or in: mechanics?" in said
    assert "write {rule: …, to: …}" in said


@pytest.mark.slow
def test_no_door_lets_by_what_is_no_form_of_change(game: Parlour, tmp_path: Path) -> None:
    proposed(game, {"repeal": "Moon"})
    file = tmp_path / "changes.yml"
    file.write_text("- repeal: Moon\n- just words\n- {ammend: {rule: Tea, add: x}}\n", "utf-8")
    listed = "changes=[{ammend: {rule: Tea, add: x}}]"
    for words in (
        ("propose", "--title", "T", "--changes", str(file)),
        ("cfj", "--title", "T", "--changes", str(file)),
        ("act", "propose", "title=T", listed),
        ("act", "edit-post", "post=1", listed),
    ):
        assert "did you mean amend?" in game.nomic("--as", "ana", *words, code=1).err
    enacted(game, {"set": {"posts.1.changes": [{"ammend": {}}]}})
    assert game.nomic("posts", "1", "--json").json["changes"] == [{"repeal": "Moon"}]


@pytest.mark.slow
def test_an_edit_and_a_judgement_are_told_too(game: Parlour) -> None:
    proposed(game, {"repeal": "Moon"})
    edited = game.nomic("--as", "ana", "act", "edit-post", "post=1", "changes=[{repeal: Nonsense}]", "--json")
    raised = game.nomic("--as", "ben", "cfj", "--title", "T", "--change", "{repeal: Nonsense}", "--json")
    for said, post in ((edited, 1), (raised, 2)):
        found = said.json["foreseen"]
        assert (found["post"], [each["outcome"] for each in found["changes"]]) == (post, ["skipped"])
    assert "change 1 would be skipped" in game.nomic("posts", "1").out


@pytest.mark.slow
def test_what_another_proposal_brings_is_waited_for(game: Parlour) -> None:
    proposed(game, {"add-rule": {"title": "Sun", "text": "It shines."}})
    told = proposed(game, {"amend": {"rule": "Sun", "add": "Hotly."}}).json["foreseen"]
    assert told["changes"][0]["outcome"] == "skipped"
    resolved(game, 1)
    assert game.nomic("posts", "2", "--json").json["foreseen"]["changes"][0]["outcome"] == "applied"


@pytest.mark.slow
def test_what_the_law_would_not_make_is_told(game: Parlour) -> None:
    told = proposed(game, {"amend": {"rule": "Proposals", "add": "Hm."}}).json["foreseen"]
    assert (told["changes"][0]["outcome"], told["law"]) == (
        "applied",
        ["Change 1 was not made: it needs the tag Core"],
    )


@pytest.mark.slow
def test_a_branch_that_says_nothing_new_has_nothing_to_do(game: Parlour) -> None:
    game.branch("dim", "game/ruleset/2-dynastic/20-moon.md", "The moon shines.", "The moon is dim.")
    assert game.propose("dim")["foreseen"]["changes"] == [
        {"change": 1, "outcome": "applied", "why": "", "remarks": [], "values": [], "secret": []}
    ]
    resolved(game, 1)
    told = proposed(
        game,
        {"amend": {"rule": "Moon", "replace": "shines", "with": "is dim"}},
        {"set": {"players.ana.cups": 4}},
    ).json["foreseen"]
    assert [each["outcome"] for each in told["changes"]] == ["nothing", "nothing"]


def resolved(game: Parlour, post: int) -> None:
    game.nomic("--as", "ben", "vote", str(post), "for")
    game.nomic("--as", "ben", "resolve", str(post))


def enacted(game: Parlour, *changes: Any) -> int:
    post: int = proposed(game, *changes).json["post"]
    resolved(game, post)
    return post


@pytest.mark.slow
def test_what_was_skipped_stands_with_the_post(game: Parlour) -> None:
    enacted(game, {"repeal": ABSENT}, {"set": {"players.ana.cups": 4}}, {"set": {"players.ana.cups": "four"}})
    notes = game.git("log", "-1", "--format=%B").split("\n\n")[1].split("\n")
    assert [note.split(":")[0] for note in notes] == [
        "Change 1 was not made",
        "Change 2 had nothing to do",
        "Change 3 was not made",
    ]
    found = game.nomic("posts", "1", "--json").json
    assert (found["foreseen"], found["resolved"]["notes"], found["resolved"]["by"]) == (None, notes, "ben")
    assert found["resolved"]["commit"] == game.git("rev-parse", "HEAD")
    assert all(note in game.nomic("posts", "1").out for note in notes)
    [section] = [each for each in seen_pages(game.folder)["posts/1.md"].sections if each.id == "resolution"]
    assert re.findall("<li>(.*?)</li>", unescape(str(section.body))) == notes
