"""A dynasty of each edition, played in clones by players with a style of their own, from a seed, through the program's commands.

What is held at its end is read by the test itself: the files of the state, the opened vault, the posts, Git's log, the pages.
With ``--hypothesis-profile=deep`` many come by, and from several seeds.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from support.clones import Clone
from support.compared import compared, read
from support.depth import DEEP as DEEPLY
from support.depth import is_deep
from support.editions import PRACTICES
from support.keyed import vault
from support.places import ROOT
from support.seats import Seats
from support.sheets import SHEETS
from support.styles import Company, makes_trouble

PAGE = (ROOT / "docs" / "editions.md").read_text(encoding="utf-8")
VISITS, DEEP, EVERY = 3, 60, 20
SHORT = "werewolf"
ROUNDS = 12
"""A game in which nobody has won after so many declarations will not end."""
APART = ("Expansion", "Blueprint")
"""What some editions count apart from other proposals."""
BROKEN = ("defective", " did not happen: ")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A short game of the edition with most secrets; in the deep profile two long ones of each."""
    if "visits" not in metafunc.fixturenames:
        metafunc.parametrize("edition", PRACTICES)
        return
    deep = is_deep(metafunc.config)
    games = [
        pytest.param(edition, seed, DEEP if deep else VISITS, marks=() if edition == SHORT else DEEPLY)
        for edition in PRACTICES
        for seed in ((1, 2) if deep else (1,))
    ]
    metafunc.parametrize(("edition", "seed", "visits"), games)


BROKEN_STATES: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "assassin": {
        "players/cy": {"points": -1, "gadget": "Gun", "target": "cy", "position": "C5"},
        "locations/C5": {"exploded": True, "building": "Tavern"},
        "game": {"given_away": ["cy"]},
    },
    "crypt": {
        "players/cy": {"puissance": -1, "allegiance": "cy", "sepulchre": "rooms/C3"},
        "players/dee": {"sepulchre": "C3"},
        "rooms/C3": {"name": "Hall", "glyph_owners": ["cy"], "sigils": {"cy": "active"}, "chests": {"fine-chest": []}},
        "rooms/D3": {"name": "Hall"},
        "favours/cy-dee": {"holder": "cy", "lender": "dee", "ripe": 3, "unripe": 3},
        "denizens/bat": {"traits": ["slow"]},
    },
    "dungeon": {
        "players/cy": {"level": 31, "inventory": {"Amulet of Yendor": 1}, "wielded": ["mace"], "status": ["Hungry", "Weak"]},
        "players/dee": {"inventory": {"Amulet of Yendor": 1, "dart": 0}, "role": "Monk"},
        "encounters/e1": {"mode": "near"},
        "monsters/newt": {"encounter": "e2", "hp": 0},
    },
    "steam": {
        "players/cy": {"coal": 351, "iron": 51, "gems": 51, "uncapped": ["gems"], "allegiance": "French"},
        "inventions/i1": {"owner": "fox"},
    },
    "werewolf": {
        "players/cy": {"occupation": "Mayor", "howls": 4, "inventory": {"gaol-keys": 3}, "tankard_times": ["2008-11-10T00:00:00Z"]},
        "deaths/dee-1": {"cause": "age"},
    },
}  # fmt: skip
TOLD = {"assassin": 6, "crypt": 10, "dungeon": 9, "steam": 4, "werewolf": 5}


def test_a_state_that_breaks_a_sheet_is_told(edition: str) -> None:
    broken = {"dynasty": {"emperor": "ana"}, **BROKEN_STATES[edition]}
    told = SHEETS[edition].breaches(broken)
    assert len(told) == len({*told}) == TOLD[edition], told
    assert (
        SHEETS[edition].breaches({"dynasty": {"emperor": "ana"}, "players/cy": {"name": "cy", "idle": False}})
        == []
    )


@pytest.mark.slow
def test_a_dynasty_by_players_of_every_style(
    edition: str,
    seed: int,
    visits: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    record_property: Callable[[str, object], None],
) -> None:
    monkeypatch.setattr(os, "urandom", random.Random(f"{edition} {seed}").randbytes)
    (tmp_path / "games").mkdir()
    seats = Seats(tmp_path / "games", PRACTICES[edition])
    play = Company(seats, PRACTICES[edition], seed)
    for number in range(1, visits + 1):
        play.visit()
        if number % EVERY == 0:
            assert SHEETS[edition].breaches(state(seats)) == []
    winner = won(play)
    here = Record(seats.turn(seats.keeper))
    assert (here.dynasty["number"], here.dynasty["emperor"], here.dynasty["interregnum"]) == (
        2,
        winner,
        False,
    )
    assert SHEETS[edition].breaches(state(seats)) == []
    assert [*here.breaches(first=seats.keeper)] == []
    assert [line for line in here.log if any(word in line for word in BROKEN)] == []
    assert verified(seats) == []
    pages = compared(exported(here.clone, tmp_path / "site"), here.clone.folder)
    assert pages.wrong == pages.unseen() == pages.twice() == []
    record_property("took", here.took())
    if visits == DEEP:
        assert min(play.done_by.values()) > 0
        said = as_told(edition)
        for now, then in zip((len(PRACTICES[edition].sealed.players), *here.took()), said, strict=True):
            assert then / 2 <= now <= then * 2, f"the page for who chooses says {said} of it"


def as_told(edition: str) -> tuple[int, ...]:
    """Of a dynasty played so the players, the deeds and the days of the game, as the page for who chooses an edition has them."""
    [row] = re.findall(rf"^\| `{edition}` \| (\d+) \| (\d+) \| (\d+) \|$", PAGE, re.MULTILINE)
    return tuple(map(int, row))


def won(play: Company) -> str:
    """Let a declaration of victory of somebody who builds pass, and the winner begin another dynasty; who that is."""
    for _ in range(ROUNDS):
        here = Record(play.seats.turn(play.seats.keeper))
        emperor = str(here.dynasty["emperor"])
        if here.dynasty["number"] == 2 and not here.dynasty["interregnum"]:
            return emperor
        if here.dynasty["interregnum"]:
            play.attempt(emperor, "ascend", {"theme": "Another day"})
            continue
        declared = [
            number
            for number, post in here.posts.items()
            if (post["kind"], post["status"]) == ("dov", "pending")
        ]
        if not declared:
            play.attempt(
                play.random.choice(play.builders()), "dov", {"title": "I have won", "body": "I built most."}
            )
        for voter in here.active() if declared else ():
            mine = here.posts[declared[0]]["author"] == voter
            icon = "against" if play.style.get(voter) is makes_trouble else "for"
            play.attempt(voter, "vote", {"matter": declared[0], "icon": icon}) if not mine else None
        play.at += 25 * 3600
        for number in declared[:1]:
            play.attempt("ben", "resolve", {"matter": number})
    raise AssertionError(f"nobody has won: {play.reasons}")


def state(seats: Seats) -> dict[str, dict[str, Any]]:
    """The stored fields of every entity, from the files that everybody has, and from the vault."""
    here = Record(seats.turn(seats.last))
    fields = here.state()
    for ref, secret in (vault(seats.game) if seats.key else {}).items():
        fields.setdefault(ref, {}).update(secret)
    return fields


class Record:
    """What stands in a clone, as its files and Git have it."""

    def __init__(self, clone: Clone) -> None:
        self.clone, self.game = clone, clone.folder / "game"
        self.dynasty: Mapping[str, Any] = read((self.game / "state/dynasty.yml").read_text())
        self.posts = {
            str(int(file.name[:4])): _front(file) for file in (self.game / "posts").rglob("[0-9]*.md")
        }
        self.log = clone.git("log", "--format=%B").splitlines()

    def state(self) -> dict[str, dict[str, Any]]:
        found = {}
        for file in (self.game / "state").rglob("*.yml"):
            ref = file.relative_to(self.game / "state").with_suffix("").as_posix()
            found[ref] = dict(read(file.read_text()) or {})
        return found

    def active(self) -> list[str]:
        return [
            fields["name"]
            for ref, fields in self.state().items()
            if ref.startswith("players/") and not fields["idle"]
        ]

    def resolutions(self) -> Iterator[tuple[str, datetime]]:
        """Which matter was resolved when, from the messages of the commits."""
        for message in self.clone.git("log", "--format=%B%x00").split("\0"):
            trailers = dict(line.split(": ", 1) for line in message.splitlines() if line.startswith("Nomic-"))
            if trailers.get("Nomic-Action") == "resolve":
                yield (
                    str(json.loads(trailers["Nomic-With"])["matter"]),
                    datetime.fromisoformat(trailers["Nomic-At"]),
                )

    def votes(self) -> Iterator[tuple[str, str, str]]:
        """Of each vote its matter, its voter and its icon."""
        for file in (self.game / "posts").rglob("*.comments.yml"):
            for line in file.read_text(encoding="utf-8").splitlines():
                said = json.loads(line.removeprefix("- "))
                if "icon" in said:
                    yield str(int(file.name[:4])), said["by"], said["icon"]

    def took(self) -> tuple[int, int]:
        """How many deeds there are in the history, and how many days lie between the first and the last."""
        times = [
            datetime.fromisoformat(line.partition(": ")[2])
            for line in self.log
            if line.startswith("Nomic-At: ")
        ]
        return len(times), (max(times) - min(times)).days

    def breaches(self, first: str) -> Iterator[str]:
        """What does not hold of any core: hours that a matter is open, proposals a day, who may veto, who has won."""
        resolved = dict(self.resolutions())
        for number, post in self.posts.items():
            if post["status"] == "enacted" and post["kind"] in ("proposal", "dov"):
                open_for = resolved[number] - datetime.fromisoformat(post["at"])
                if open_for.total_seconds() < 12 * 3600:
                    yield f"{number} was enacted after {open_for}"
        daily = Counter(
            (post["author"], str(post["at"])[:10])
            for post in self.posts.values()
            if post["kind"] == "proposal" and not any(word in post["title"] for word in APART)
        )
        yield from (
            f"{author} proposed {times} times on {day}" for (author, day), times in daily.items() if times > 3
        )
        for number, voter, icon in self.votes():
            if icon == "veto" and (voter != first or self.posts[number]["kind"] != "proposal"):
                yield f"{voter} vetoed {number}"
        victories = [
            post["author"]
            for post in self.posts.values()
            if (post["kind"], post["status"]) == ("dov", "enacted")
        ]
        if victories != [self.dynasty["emperor"]]:
            yield f"{victories} won, and {self.dynasty['emperor']} heads the dynasty"


def _front(file: Path) -> Mapping[str, Any]:
    post: Mapping[str, Any] = read(file.read_text().removeprefix("---\n").split("\n---\n")[0])
    return post


def verified(seats: Seats) -> list[str]:
    """What Git and the program find in the keeper's clone, and in one that somebody makes who has no key."""
    seats.turn(seats.keeper).play("sync")
    Clone(seats.folder).git("clone", "--quiet", "bare.git", "stranger")
    told = []
    for name in (seats.keeper, "stranger"):
        clone = Clone(seats.folder / name)
        clone.git("fsck", "--strict")
        answer = json.loads(clone.play("verify", "--json").splitlines()[-1])
        told += [f"{name}: {each}" for each in [*answer["faults"], *answer["doubts"]]]
    return told


def exported(clone: Clone, site: Path) -> Path:
    """The pages of the game as the program writes them, each where a built site has it."""
    clone.play("site", "export", str(site))
    for page in [*site.rglob("*.md")]:
        folder = page.with_suffix("") if page.stem != "index" else page.parent
        folder.mkdir(exist_ok=True)
        page.rename(folder / "index.html")
    return site
