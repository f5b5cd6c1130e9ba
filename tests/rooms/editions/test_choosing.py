"""The page for who chooses an edition: each has its six points, and what they say is what the edition's own files say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from support.places import ROOT
from support.played import Played
from support.secrets_of import front_of, listed_of

from nomicgit import editions
from nomicgit.ground import clock
from nomicgit.physics.deeds.founding import Founding
from nomicgit.physics.state import deriving

PAGE = (ROOT / "docs" / "editions.md").read_text(encoding="utf-8")
EDITIONS = ROOT / "nomicgit" / "editions"
POINTS = ("In a week", "One wins", "Secret", "Players", "The emperor", "It takes")
NUMBERS = {"three": 3, "four": 4, "five": 5, "seven": 7}
NAMES = ("ana", "ben", "cy", "dee", "eli", "fay", "gus")
SECRET = {
    "assassin": {
        "targets": "players.target", "positions": "players.position", "notes": "notes", "gadgets": "players.gadget",
        "tailed": "players.tailed_by",
    },
    "crypt": {"private messages": "action tell", "the Traitor": "game.traitor"},
    "dungeon": {"nothing at all": ""},
    "steam": {"private messages": "action tell", "who raids": "raids"},
    "werewolf": {"who is a Werewolf": "players.werewolf", "whom they target": "players.target"},
}  # fmt: skip
"""What a section calls secret, and what of the edition's secrets that is."""
COUNTED: dict[str, tuple[str, str, object]] = {
    "Puissance, of which each has 10 at first": ("crypt", "variables.puissance.default", 10),
    "when nobody has made a noise for a day": ("crypt", "silence", "24h"),
    "with nine Points or more": ("assassin", "variables.points.enough", 9),
    "Everybody begins with five.": ("assassin", "variables.points.default", 5),
    "eight hours after the last time": ("assassin", "actions.toll-the-bell.soon", "8h"),
    "after two days with whatever Notes": ("assassin", "actions.toll-the-bell.late", "48h"),
    "Everybody begins on level 1": ("dungeon", "variables.dungeon_level.default", 1),
    "with 10 HP and nothing in hand": ("dungeon", "variables.hp.default", 10),
    "but everybody begins with one": ("dungeon", "variables.deaths.default", 1),
    "The number is eight at first": ("steam", "variables.billboards_needed.default", 8),
}
"""Numbers that the sections name: of which edition, and what a rule of it declares there."""
EVERY = pytest.mark.parametrize("edition", editions.names())


def section(edition: str) -> str:
    """What the page says of an edition."""
    [text] = re.findall(rf"^### `{edition}`\n(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL)
    return str(text)


def points(edition: str) -> dict[str, str]:
    """The points of a section by the words with which they begin, each with all of its lines."""
    return dict(re.findall(r"^- \*\*([A-Z][a-z ]+?)\*\*(.+(?:\n  .+)*)$", section(edition), re.MULTILINE))


def fronts(edition: str) -> Iterator[Mapping[str, object]]:
    for file in (EDITIONS / edition).rglob("*.md"):
        if file.name != "index.md":
            yield front_of(file.read_text(encoding="utf-8"))[0]


def values_at(front: object, path: list[str]) -> list[Any]:
    """What stands at a path of one rule's declarations: one value, or none."""
    for name in path:
        if not isinstance(front, Mapping) or name not in front:
            return []
        front = front[name]
    return [front]


def declared(edition: str, path: str) -> list[Any]:
    """What the rules of an edition declare at a path, each that does."""
    return [value for front in fronts(edition) for value in values_at(front, path.split("."))]


def test_every_edition_has_its_section() -> None:
    assert re.findall(r"^### `(.+)`$", PAGE, re.MULTILINE) == re.findall(
        r"^\| `([a-z]+)` \| [A-Z]", PAGE, re.MULTILINE
    )
    assert sorted(re.findall(r"^### `(.+)`$", PAGE, re.MULTILINE)) == editions.names()


@EVERY
def test_every_section_makes_the_six_points(edition: str) -> None:
    said = points(edition)
    assert tuple(said) == POINTS
    assert [name for name, text in said.items() if len(text.split()) < 5 and name != "It takes"] == []
    assert re.search(r"\w+ to \w+ weeks", said["It takes"])
    assert section(edition).count("Choose it") == 1


@EVERY
def test_the_table_says_who_plays_and_how_many_rules_there_are(edition: str) -> None:
    [row] = re.findall(rf"^\| `{edition}` \| .+ \| (.+), (.+) \| (\d+) \|$", PAGE, re.MULTILINE)
    terms = [front["terms"] for front in fronts(edition) if "terms" in front]
    [words] = [each for each in terms if isinstance(each, Mapping) and "emperor" in each]
    assert row == (words["player"], words["emperor"], str(len([*fronts(edition)])))


@pytest.mark.parametrize("said", COUNTED)
def test_what_the_page_counts_is_what_the_rules_declare(said: str) -> None:
    edition, path, number = COUNTED[said]
    assert said in " ".join(section(edition).split())
    assert declared(edition, path) == [number]


def test_as_many_rooms_counties_parts_and_occupations_are_declared_as_the_page_counts() -> None:
    [rooms] = declared("crypt", "collections.rooms.key")
    assert f"a map of {len(rooms['columns']) * len(rooms['rows'])} rooms" in section("crypt")
    [counties] = declared("steam", "catalogues.counties")
    assert f"the {len(counties)} counties of England" in section("steam")
    parts = {name for rule in declared("steam", "catalogues.parts") for name in rule}
    assert (len(parts), "Thirty-six Parts" in section("steam")) == (36, True)
    [trades] = declared("werewolf", "catalogues.occupations")
    assert (sum(map(len, trades.values())) // 10, "some two hundred occupations" in section("werewolf")) == (
        20,
        True,
    )


@EVERY
def test_what_is_called_secret_is_so(edition: str) -> None:
    said, listed = points(edition)["Secret"], listed_of(edition)
    assert [words for words in SECRET[edition] if words not in said] == []
    names = [secret.partition(",")[0] for secret in listed]
    assert [
        what for what in SECRET[edition].values() if what and not any(name.endswith(what) for name in names)
    ] == []
    assert ("nothing at all" in said) is (listed == [])
    assert ("needs no keys" in said) is (listed == [])
    assert bool(re.search(r"[Ww]ithout (?:keys|them)|with(?:out)? keys", said)) is (listed != [])


@EVERY
def test_with_the_fewest_players_that_are_named_a_game_begins(edition: str) -> None:
    """With so many there is no hiatus; with one fewer than its rule asks for there is, in the one edition that has such a rule."""
    [word] = re.findall(r"^: (\w+)", points(edition)["Players"])
    least = NUMBERS[word]
    at = clock.instant("2021-06-07T00:00:00Z")

    def hiatus(many: int) -> bool:
        start = Founding(at, NAMES[:many], "ana", ["ben"])
        return bool(deriving.view(Played.found(editions.load(edition), start).look(), "hiatus"))

    asked = [front["least"] for front in fronts(edition) if "least" in front]
    assert not hiatus(least)
    assert hiatus(least - 1) is (asked == [least])
    assert bool(asked) is ("hiatus" in points(edition)["Players"])
