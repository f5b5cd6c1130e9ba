"""Every name that a change writes, at every door: a good one is taken silently, of any other something is said.

What is said is held to the files of the game and to Git, never to what the program foretold.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support.depth import DEEP, is_deep, one_of
from support.parlour import RULES, TEA, Parlour, Said, parlour
from support.sites import seen_pages

from nomicgit.law.shapes import FORMS

LAMPS = """\
---
title: Lamps
collections:
  lamps: {key: name, fields: {name: {type: text}, oil: {type: integer, default: 1}}}
---
There are lamps.
"""
MORE = {
    "2-dynastic/30-lamps.md": LAMPS,
    "3-special-case/10-biscuits.md": "---\ntitle: Biscuits\n---\nThere are biscuits.\n",
}


class Named(NamedTuple):
    """Where a change writes a name: the change of a name, a name that is fine there, and some that are not."""

    change: Callable[[str], Mapping[str, Any]]
    good: str
    bad: Sequence[str]


def of_rule(form: str, key: str, **more: Any) -> Callable[[str], Mapping[str, Any]]:
    return lambda name: {form: {**more, key: name}}


def declared(kind: str, spec: Any) -> Callable[[str], Mapping[str, Any]]:
    return lambda name: {"add-rule": {"title": "Sun", "text": "It shines.", "declares": {kind: {name: spec}}}}


def with_field(name: str) -> Mapping[str, Any]:
    return declared("collections", {"key": name, "fields": {name: {"type": "text"}}})("suns")


ODD: dict[str, Any] = {"variabels": {}}
ABSURD = {"variables": {"!!!": {"of": "game", "type": "text"}}}
NEW = {"title": "Sun", "text": "It shines."}
ABSENT = ("", " ", "!!!", "Nonsuch")
F = "def f():\n    pass"
TEXT = {"type": "text"}
PLACES: Mapping[str, Named] = {
    "title": Named(of_rule("add-rule", "title", text="x"), "Sun", ["", " ", "!!!", "月", "Tea", "tea", "TEA", "2.1", "dynastic/Moon"]),
    "slug": Named(of_rule("add-rule", "slug", **NEW), "sunny", ["", "!!!", "tea", "Sunny"]),
    "under": Named(of_rule("add-rule", "under", **NEW), "Tea", ABSENT),
    "beside": Named(of_rule("add-rule", "after", **NEW), "Tea", ABSENT),
    "section": Named(of_rule("add-rule", "section", **NEW), "core", ABSENT),
    "renamed": Named(of_rule("rename", "rule", to="Sun"), "Moon", ABSENT),
    "new title": Named(of_rule("rename", "to", rule="Moon"), "Sun", ["", " ", "Tea", "tea", "lamps", "1.1", "dynastic/Tea", " x"]),
    "moved": Named(of_rule("move", "rule", after="Lamps"), "Tea", ABSENT),
    "moved beside": Named(of_rule("move", "before", rule="Moon"), "Tea", ABSENT),
    "amended": Named(of_rule("amend", "rule", add="It is late."), "Tea", ABSENT),
    "repealed": Named(lambda name: {"repeal": name}, "Moon", ABSENT),
    "awake": Named(lambda name: {"status": {name: "inactive"}}, "Biscuits", (*ABSENT, "Tea")),
    "entity": Named(lambda name: {"set": {f'lamps."{name}".oil': 3}}, "hall", ["", "!!!"]),
    "player of a value": Named(lambda name: {"set": {f'players."{name}".cups': 3}}, "ana", ABSENT),
    "variable": Named(lambda name: {"set": {f'players.ana."{name}"': 3}}, "cups", ABSENT),
    "collection": Named(lambda name: {"set": {f'"{name}".x.oil': 3}}, "lamps", ABSENT),
    "admin": Named(lambda name: {"player": {"name": name, "admin": True}}, "ana", ABSENT),
    "old name": Named(lambda name: {"rename-player": {"from": name, "to": "zed"}}, "ana", ABSENT),
    "new name": Named(lambda name: {"rename-player": {"from": "ana", "to": name}}, "zed", ["", " ", "!!!", "ben", "BEN", "z z"]),
    "barred": Named(lambda name: {"bar": name}, "cy", ABSENT),
    "scenario": Named(lambda name: {"scenario": {"name": name, "text": "name: x\n"}}, "tea", ["", " ", "!!!", "月"]),
    "deed": Named(lambda name: {"undo": name}, "", ABSENT),
    "role": Named(lambda name: {"terms": {name: "Guest"}}, "", ABSENT),
    "function": Named(lambda name: {"amend": {"rule": "Tea", "in": "mechanics", "set": {name: F}}}, "f", ["", "!!!", "g"]),
    "declaration": Named(lambda name: {"amend": {"rule": "Tea", "in": "declarations", "set": {f'"{name}".x': {}}}}, "", ABSENT),
    "variables": Named(declared("variables", {"of": "game", "type": "integer"}), "rays", ["", "!!!", "a b"]),
    "variables again": Named(declared("variables", {"of": "player", "type": "integer"}), "rays", ["cups"]),
    "fields": Named(with_field, "name", ["!!!", "a b"]),
    "collections": Named(declared("collections", {"key": "name", "fields": {"name": TEXT}}), "suns", ["", "!!!", "a b", "lamps", "posts"]),
    "catalogues": Named(declared("catalogues", {"hot": {}}), "suns", ["", "!!!", "a b", "players"]),
    "actions": Named(declared("actions", {"by": "everyone"}), "", ["", "!!!", "a b", "brew"]),
    "limits": Named(declared("limits", {"per": "day"}), "", ["", "!!!", "a b"]),
    "views": Named(declared("views", {}), "", ["", "!!!", "a b", "most"]),
    "posts": Named(declared("posts", {"official": True}), "notice", ["", "!!!", "a b", "proposal"]),
    "terms": Named(lambda name: {"add-rule": {**NEW, "declares": {"terms": {name: "word"}}}}, "ray", ["", "!!!"]),
    "keys": Named(lambda name: {"add-rule": {**NEW, "declares": {name: {}}}}, "variables", ["", "!!!", "variabels"]),
}  # fmt: skip
"""Where no good name stands, a name alone does not make a good change."""
NO_NAME = {"uphold", "run", "together"}
DOORS = ("--change", "--changes", "together", "act", "act --dry-run", "recorded")


@pytest.fixture
def game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Parlour:
    return parlour(tmp_path, capsys, {**RULES, **MORE})


def some(many: int, places: Iterable[str]) -> list[Any]:
    """One of so many in every profile."""
    return [pytest.param(name, marks=one_of(many, number)) for number, name in enumerate(places)]


def proposed(game: Parlour, change: Mapping[str, Any], door: str = "--change") -> str:
    """All that is said of one change at a door that is about it: a refusal, or what is told; "" for nothing."""
    file = game.folder.parent / "changes.yml"
    file.write_text(json.dumps([change]), "utf-8")
    brought = {
        "--changes": ["propose", "--dry-run", "--title", "T", "--changes", str(file)],
        "together": ["propose", "--dry-run", "--title", "T", "--change", json.dumps({"together": [change]})],
        "act": ["act", "propose", "title=T", f"changes={json.dumps([change])}"],
        "act --dry-run": ["--dry-run", "act", "propose", "title=T", f"changes={json.dumps([change])}"],
        "recorded": ["propose", "--title", "T", "--change", json.dumps(change)],
    }.get(door, ["propose", "--dry-run", "--title", "T", "--change", json.dumps(change)])
    said = ended(game, "--as", "ana", *brought)
    if said.code:
        assert said.code == 1
        return said.err
    return "\n".join(line for line in said.out.splitlines() if re.match(r"  (change 1\b|check )", line))


def ended(game: Parlour, *words: str) -> Said:
    """A command, however it ends."""
    try:
        return game.nomic(*words)
    except AssertionError:
        return game.nomic(*words, code=1)


def test_every_form_that_names_something_has_its_places() -> None:
    assert {form for place in PLACES.values() for form in place.change("x")} == set(FORMS) - NO_NAME


@pytest.mark.slow
@pytest.mark.parametrize("place", some(3, [name for name, each in PLACES.items() if each.good]))
def test_a_good_name_is_taken_silently(game: Parlour, place: str) -> None:
    assert proposed(game, PLACES[place].change(PLACES[place].good)) == ""


@pytest.mark.slow
@pytest.mark.parametrize("place", some(3, PLACES))
def test_a_blank_absurd_taken_or_unknown_name_is_never_passed_over(game: Parlour, place: str) -> None:
    head = game.git("rev-parse", "main")
    silent = [name for name in PLACES[place].bad if not proposed(game, PLACES[place].change(name))]
    assert silent == []
    assert game.git("rev-parse", "main") == head


@pytest.mark.slow
@pytest.mark.parametrize("door", DOORS)
def test_no_door_passes_over_a_name(game: Parlour, door: str, request: pytest.FixtureRequest) -> None:
    """At each door one of twelve places, which are others at each; in the deep profile all at all of them."""
    step = 1 if is_deep(request.config) else 2 * len(DOORS)
    some = list(PLACES.items())[DOORS.index(door) % step :: step]
    places = {name: each.change(each.bad[-1]) for name, each in some}
    assert [name for name, change in places.items() if not proposed(game, change, door)] == []


# ---- what is said can be followed


def told(game: Parlour, *changes: Mapping[str, Any], title: str = "T") -> list[str]:
    """What is told of changes that are proposed, recorded."""
    given = [word for change in changes for word in ("--change", json.dumps(change))]
    said = game.nomic("--as", "ana", "propose", "--title", title, *given)
    return [line.strip() for line in said.out.splitlines()[1:]]


def enacted(game: Parlour, post: int) -> None:
    game.nomic("--as", "ben", "vote", str(post), "for")
    game.nomic("--as", "ben", "resolve", str(post))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ([{"rename": {"rule": "Moon", "to": "Tea"}}], "Tea"),
        ([{"add-rule": {"title": "Tea", "text": "There is more."}}], "Tea"),
        ([{"add-rule": {"title": "Sun", "text": text}} for text in ("Hot.", "Bright.")], "Sun"),
        ([{"together": [{"add-rule": {"title": "Tea", "text": "x", "section": "special-case"}}]}], "Tea"),
        ([{"rename": {"rule": "Moon", "to": "Tea [Rare]"}}, {"rename": {"rule": "Tea", "to": "Tea [Hot]"}}], "Tea"),
    ],
)  # fmt: skip
def test_of_rules_that_are_called_alike_it_is_told_what_to_write_and_that_works(
    game: Parlour, changes: list[Mapping[str, Any]], name: str
) -> None:
    before = told(game, *changes)
    enacted(game, 1)
    refused = game.nomic("rules", name, code=1).err
    slugs = re.findall(r"(?:write|or) (\S+) for", refused)
    assert len(slugs) == 2
    assert refused.partition("write ")[2].strip() in "\n".join(before) or (
        name == "Tea" and "[" in str(changes)
    )
    for number, slug in enumerate(slugs):
        [file] = (game.folder / "game/ruleset").glob(f"*/*-{slug}.md")
        assert told(game, {"amend": {"rule": slug, "add": f"This is number {number}."}}) == []
        enacted(game, number + 2)
        assert f"This is number {number}." in file.read_text("utf-8")


@pytest.mark.slow
def test_a_rule_without_a_title_is_told_with_the_title_and_slug_that_it_takes(game: Parlour) -> None:
    said = told(game, {"add-rule": {"title": " ", "text": "x"}}, {"add-rule": {"text": "y"}}, title="Haste")
    assert said == [
        "change 1: the new rule has no title, and is called “Haste” then; its slug is haste",
        "change 2: the new rule has no title, and is called “Haste” then; its slug is haste-2",
        "change 2: “Haste” is then the name of 2 rules: "
        "write haste for 2.4 Haste or haste-2 for 2.5 Haste (another title keeps them apart)",
    ]
    [changes] = [each for each in seen_pages(game.folder)["posts/1.md"].sections if each.id == "changes"]
    for line in said:
        assert line in game.nomic("posts", "1").out
        assert line.replace("change", "Change", 1) in unescape(str(changes.body))
    enacted(game, 1)
    files = (game.folder / "game/ruleset/2-dynastic").glob("*haste*")
    assert sorted(file.name for file in files) == ["40-haste.md", "50-haste-2.md"]


@pytest.mark.slow
def test_a_matter_whose_title_gives_no_slug_leaves_its_rule_unmade_and_says_so(game: Parlour) -> None:
    [said] = told(game, {"add-rule": {"text": "x"}}, title="!!!")
    assert "change 1 would be skipped" in said
    assert "write `slug:` beside it" in said
    [said] = told(game, {"add-rule": {"text": "x", "slug": "bang"}}, title="!!!")
    assert said == "change 1: the new rule has no title, and is called “!!!” then; its slug is bang"


@pytest.mark.slow
@pytest.mark.parametrize("change", [{"repeal": "Moon"}, {"add-rule": {"title": "Sun", "text": "x"}}])
def test_what_an_earlier_change_of_the_same_matter_does_is_told_as_its_doing(
    game: Parlour, change: Mapping[str, Any]
) -> None:
    said = told(game, change, change)
    assert said[0].startswith("change 2 would have nothing to do if it were enacted now: ")
    assert said[1:] == ["change 2: alone it would be made: a change before it stands in its way"]


# ---- all that is wrong at once


WRONG = [
    "{ammend: {rule: Tea, add: no}}",
    "{amend: {rule: yes, addd: x}}",
    "{true: {rule: on}}",
    "{repeal: [Tea]}",
]


@pytest.mark.parametrize("dry", [(), ("--dry-run",)])
@pytest.mark.parametrize("door", ["change", "file", "act"])
def test_words_that_lack_quotes_hide_nothing_else(
    game: Parlour, tmp_path: Path, door: str, dry: tuple[str, ...]
) -> None:
    file = tmp_path / "wrong.yml"
    file.write_text("".join(f"- {line}\n" for line in WRONG), "utf-8")
    doors = {
        "change": ("propose", "--title", "T", *(word for line in WRONG for word in ("--change", line))),
        "file": ("propose", "--title", "T", "--changes", str(file)),
        "act": ("act", "propose", "title=T", f"changes=[{', '.join(WRONG)}]"),
    }
    said = game.nomic("--as", "ana", *dry, *doors[door], code=1 if door == "act" else 2).err
    for word in ("no", "yes", "on"):
        assert f"{word} is not a text to every reader of YAML" in said
    assert "true is not a text, as a key must be" in said
    for mend in (
        "did you mean amend?",
        "did you mean add?",
        "true is no form of change",
        "repeal: it must be",
    ):
        assert mend in said


@pytest.mark.slow
def test_mechanics_that_do_not_parse_are_told_beside_what_is_no_form(game: Parlour) -> None:
    said = (
        proposed(game, {"run": "x ="})
        + ended(
            game,
            "--as",
            "ana",
            "propose",
            "--title",
            "T",
            "--change",
            "{ammend: {}}",
            "--change",
            "{run: x =}",
        ).err
    )
    assert "did you mean amend?" in said
    assert "change 2, run:1" in said


def test_words_without_quotes_in_a_file_of_changes_hide_no_code(game: Parlour, tmp_path: Path) -> None:
    file = tmp_path / "some.yml"
    changes = (
        '- run: "foo("',
        "- add-rule: {title: Moon, text: no}",
        "- add-rule:",
        "    title: Sun",
        r'    mechanics: "def f(x):\n    return x\n\ndef g(y)\n    pass"',
        '- run: "note(str(1))"',
    )
    file.write_text("".join(f"{line}\n" for line in changes), "utf-8")
    said = game.nomic("--as", "ana", "propose", "--title", "T", "--changes", str(file), code=2).err
    assert [line for line in said.split("\n") if line.startswith("error: ")] == [
        f"error: no is not a text to every reader of YAML ({file}:2)",
        f"error: the ( is not closed ({file}:1, change 1, run:1)",
        f"error: the colon at the end is missing ({file}:3, change 3, add-rule: mechanics:4)",
    ]


def test_a_rules_file_tells_its_words_without_quotes_beside_all_else(game: Parlour) -> None:
    game.branch("odd", TEA, "title: Tea\n", "title: Tea\nrare: no\nkettle: yes\nstatus: actve\n")
    said = game.nomic("--as", "ana", "propose", "--branch", "odd", code=1).err
    for words in ("`rare` is neither", "yes is not a text", "`status` is neither", f"{TEA}:3", f"{TEA}:4"):
        assert words in said


# ---- a branch


@pytest.mark.slow
def test_a_branch_is_told_the_same(game: Parlour) -> None:
    game.branch(
        "more", "game/ruleset/2-dynastic/40-more.md", "", "---\ntitle: Tea\nvariabels: {}\n---\nMore.\n"
    )
    said = game.nomic("--as", "ana", "propose", "--dry-run", "--branch", "more").out
    checked = game.nomic("check", "more", code=1).out
    for words in (
        "“Tea” is then the name of 2 rules: write tea for 2.1 Tea or more for 2.4 Tea (",
        "write variables, if that is meant",
    ):
        assert words in said
        assert words in checked


@pytest.mark.slow
def test_a_file_names_a_rule_whose_title_gives_no_slug(game: Parlour) -> None:
    game.branch("signs", "game/ruleset/2-dynastic/40-rule.md", "", "---\ntitle: 月\n---\nIt shines.\n")
    assert game.propose("signs")["foreseen"]["changes"][0]["outcome"] == "applied"
    enacted(game, 1)
    assert (game.folder / "game/ruleset/2-dynastic/40-rule.md").exists()


# ---- the editions


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["crypt", pytest.param("dungeon", marks=DEEP)])
def test_names_are_told_in_the_editions_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], edition: str
) -> None:
    game = Parlour(tmp_path / "game", capsys)
    game.folder.mkdir()
    players = [word for name in ("ana", "ben", "cy", "dee", "eli") for word in ("--player", name)]
    game.nomic("new", "--edition", edition, *players, "--admin", "ben", "--practice")
    titles = re.findall(r"^title: (\w[\w ]+)$", "\n".join(
        file.read_text("utf-8") for file in (game.folder / "game/ruleset").rglob("*.md")), re.MULTILINE)  # fmt: skip
    taken = next(title for title in sorted(titles) if titles.count(title) == 1)
    said = told(game, {"add-rule": {"text": "x"}}, {"add-rule": {"title": taken, "text": "x"}},
                {"add-rule": {"title": "Sun", "text": "x", "declares": ODD}},
                {"add-rule": {"title": "Star", "text": "x", "declares": ABSURD}},
                title="Haste")  # fmt: skip
    assert "change 1: the new rule has no title, and is called “Haste” then; its slug is haste" in said
    assert any(line.startswith(f"change 2: “{taken}” is then the name of 2 rules: write ") for line in said)
    assert any("the key variabels" in line for line in said)
    assert any(line.startswith("change 4 ") and "a name of the law is of letters" in line for line in said)
    for place, each in PLACES.items():
        if place in ("title", "slug", "new title"):
            assert "change 1" in proposed(game, each.change("")), place


POTS = """\
---
title: Pots
actions:
  pour: {}
  clear: {}
---
A player may pour what they have brewed, or clear the table of tea.

```starlark
def do_pour(actor):
    lose(actor, "cups", 1)

def do_clear(actor):
    refuse(apply({"repeal": "tea"}))
```
"""


@pytest.mark.slow
def test_what_a_rule_lacks_once_another_is_gone_is_told_as_the_error_that_it_is_then(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = parlour(tmp_path, capsys, {**RULES, "2-dynastic/30-pots.md": POTS})
    lacks = "game/ruleset/2-dynastic/10-tea.md, rule Tea: it takes away the variable cups, which 1 rule asks for: Pots"
    assert re.search(
        lacks,
        game.nomic("--as", "ana", "--dry-run", "propose", "--title", "T", "--change", "{repeal: Tea}").out,
    )
    cleared = game.nomic("--as", "ana", "act", "clear").out
    assert f"it works no longer: {lacks}" in cleared
    assert re.search(r"error: \S+-pots\.md:\d+:?\d*, rule Pots: .*cups", game.nomic("check", code=1).out)
