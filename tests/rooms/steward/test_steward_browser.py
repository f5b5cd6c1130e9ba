"""Players who have an account and a browser, and nothing else: a dynasty of assassins to a kill, and one of werewolves to its end.

The forge is the fake one, its forms filled in by the address as their files say; pages, browsers, Git and what seals are real.
The nights, which take longest, only with ``--hypothesis-profile=deep``. Skipped where no Chromium is installed.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from fakegithub import FakeGitHub, Thread
from support.browsing import Person, hold_nothing_of, people, published, said_in_private
from support.depth import DEEP
from support.doorstep import DAY, HOUR, Doorstep
from support.keyed import KEY
from support.served import CHROMIUM, served
from support.visiting import browser

from nomicgit.record.secret.custody import Keeper
from nomicgit.replay.verifying import verify

pytest.importorskip("playwright.sync_api")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]

SLEEPERS = ("gus", "hal", "ivy", "jan")
WHISPER = "zqzq by the well zqzq"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as found:
        yield found


def holds(door: Doorstep, persons: Mapping[str, Person], built: Path) -> None:
    """The record verifies without the key and with it; nothing of it tells a secret, and no browser keeps one."""
    secrets = said_in_private(persons, built / "game/ruleset")
    hold_nothing_of(secrets, persons)
    game = door.game()
    without, with_key = (verify(game.repository, game.head.oid, keys=keys) for keys in ([], [KEY]))
    assert [str(each) for each in (*without.faults, *with_key.faults)] == []
    objects = subprocess.run(
        ["git", "--git-dir", str(door.github.repo.path), "cat-file", "--batch-all-objects", "--batch"],
        capture_output=True, check=True,
    ).stdout  # fmt: skip
    assert [text for text in secrets if text.encode() in objects] == []


def played(door: Doorstep) -> None:
    """A pass in which nothing goes wrong."""
    assert door.run().problems == []


@DEEP
def test_a_dynasty_of_assassins_from_registration_to_a_kill(tmp_path: Path, chromium: Any) -> None:
    with FakeGitHub(tmp_path / "forge") as github:
        door = Doorstep(
            github, tmp_path / "clone", "admins", edition="assassin", keeper=Keeper("ana", None, KEY)
        )
        with (
            served(published(door, tmp_path)) as site,
            people(door, chromium, site.address, tmp_path) as all_,
        ):
            threads = [each.register() for each in all_.values()]
            played(door)
            for name, where in (("ben", "A1"), ("cy", "H7"), ("dee", "H7"), ("eli", "C3"), ("fox", "E6")):
                threads.append(
                    all_[name].seal(
                        "note", ("street/action", "arrive"), ("street/arrive-in-town/location", where)
                    )
                )
            threads.append(all_["eli"].seal("tell", ("to", "fox"), ("text", f"{WHISPER} " * 400)))
            played(door)
            threads.append(all_["ana"].seal("toll-the-bell"))
            played(door)
            github.clock.advance(2 * DAY)
            threads.append(all_["ana"].seal("assign-target", ("player", "dee")))
            played(door)
            threads.append(
                all_["dee"].seal("note", ("street/action", "knife"), ("street/knife/victim", "cy"))
            )
            played(door)
            door.form("ana", "toll-the-bell")
            played(door)
            published(door, tmp_path)
            letters = {name: each.letter() for name, each in all_.items()}
            all_["dee"].is_read_by_everybody()
            for uri in ("act/", "act/note/", "act/tell/"):
                all_["cy"].walk(uri)
            for each in all_.values():
                each.leave()
        assert [each.state for each in threads] == ["closed"] * len(threads)
        assert "knife" in letters["dee"]
        assert "Your new Target is" in letters["dee"]
        assert "H7" in letters["cy"], "their order to arrive there"
        assert [name for name, text in letters.items() if WHISPER in text] == ["fox"], letters["eli"]
        points = {name: (door.game().tree.entity(f"players/{name}") or {}).get("points") for name in all_}
        assert points["cy"] == 4, "they were killed"
        holds(door, all_, tmp_path / "built")


def at_midnight(door: Doorstep) -> None:
    """What was handed in is taken, the next day begins, dark after light and light after dark, and a pass notices."""
    played(door)
    door.github.clock.advance(DAY - door.github.time() % DAY)
    played(door)


def lynched(door: Doorstep, name: str, village: list[str]) -> None:
    """The village meets, and hangs somebody."""
    changes = f"- set: {{players.{name}.life: Dead}}"
    first, *rest = village
    meeting = door.form(first, "propose", {"title": f"Town Meeting: lynch {name}", "changes": changes})
    voted(door, meeting, rest, 13 * HOUR)
    assert (door.game().tree.entity(f"players/{name}") or {})["life"] == "Dead"


def voted(door: Doorstep, matter: Thread, voters: list[str], wait: int) -> None:
    """Everybody is for a matter, and once it has waited it is resolved."""
    played(door)
    for name in voters:
        door.say(name, matter, ":for:")
    played(door)
    door.github.clock.advance(wait)
    played(door)


def the_end(door: Doorstep, mayor: Person, village: list[str]) -> str:
    """No werewolf lives: all secrets are told, and whoever of the others found out most wins and begins the next dynasty."""
    door.form(mayor.name, "announce-the-end")
    played(door)
    posts = map(door.post, map(int, door.game().tree.ids("posts")))
    (text,) = (str(post["body"]) for post in posts if post["title"] == "All that was secret")
    points = {
        who: float(many)
        for who, many in re.findall(r"^(\w+): ([\d.]+) acuity points, no werewolf", text, re.MULTILINE)
    }
    most = [who for who, many in points.items() if many == max(points.values()) and who != mayor.name]
    if len(most) > 1:
        mayor.seal("break-tie", ("player", most[0]))
        played(door)
    declared = door.form(most[0], "dov", {"title": "The wolves are gone"})
    voted(door, declared, [name for name in village if name != most[0]], DAY)
    door.form(most[0], "ascend", {"theme": "A quiet village"})
    played(door)
    return str(most[0])


@DEEP
def test_a_dynasty_of_werewolves_with_a_bite_a_murder_an_investigation_and_lynchings_to_its_end(
    tmp_path: Path, chromium: Any
) -> None:
    with FakeGitHub(tmp_path / "forge") as github:
        keeper = Keeper("ana", None, KEY)
        door = Doorstep(github, tmp_path / "clone", edition="werewolf", keeper=keeper, idle=SLEEPERS)
        at_midnight(door)
        with (
            served(published(door, tmp_path)) as site,
            people(door, chromium, site.address, tmp_path) as all_,
        ):
            mayor = all_["ana"]
            for each in all_.values():
                each.register()
            mayor.seal("renew-werewolves")
            played(door)
            for name in SLEEPERS:  # of ten players one Werewolf is few enough to bite
                door.form(name, "post", {"title": "Please unidle me"})
            for name in SLEEPERS:
                door.form("ben", "unidle", {"player": name})
            played(door)
            published(door, tmp_path)
            wolves = [each for each in all_.values() if "You are a werewolf." in each.letter()]
            [wolf] = wolves
            sleuth, prey, bitten, friend = [each for each in all_.values() if each not in (wolf, mayor)][:4]

            friend.seal("tell", ("to", sleuth.name), ("text", WHISPER))
            sleuth.seal("investigate", ("quarry", wolf.name))
            at_midnight(door)
            wolf.seal("target", ("villager", bitten.name), ("method", "biting"))
            played(door)
            mayor.seal("process-bite", ("werewolf", wolf.name))
            at_midnight(door)

            sleuth.seal("investigate", ("quarry", wolf.name))
            prey.seal("investigate", ("quarry", mayor.name if wolf is not mayor else bitten.name))
            at_midnight(door)
            wolf.seal("target", ("villager", prey.name), ("method", "murder"))
            played(door)
            mayor.seal("process-murder", ("villager", prey.name))
            at_midnight(door)
            published(door, tmp_path)
            letters = {name: each.letter() for name, each in all_.items()}
            wolf.is_read_by_everybody()

            village = [sleuth.name, friend.name, mayor.name, *SLEEPERS]
            bites = [bitten.name] if "You have been bitten" in letters[bitten.name] else []
            for name in (wolf.name, *bites):
                lynched(door, name, village)
            won = the_end(door, mayor, village)
            for each in all_.values():
                each.leave()
        out = letters[sleuth.name].count(f"{wolf.name} was out in the night.")
        assert (out, letters[sleuth.name].count("They are a werewolf.")) == (2, 1)
        assert re.search("You escaped a bite in the night|You have been bitten", letters[bitten.name])
        lives = {name: (door.game().tree.entity(f"players/{name}") or {}).get("life") for name in all_}
        dead = sorted([wolf.name, prey.name, *bites])
        assert [name for name, life in lives.items() if life == "Dead"] == dead
        dynasty = door.game().tree.entity("dynasty") or {}
        assert (dynasty["number"], dynasty["emperor"]) == (2, won)
        holds(door, all_, tmp_path / "built")
