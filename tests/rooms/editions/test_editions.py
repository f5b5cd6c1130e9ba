"""Every edition that comes with the program: a sound law in canonical prose, and a game that can be played from it."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support import played
from support.depth import one_of

from nomicgit import editions
from nomicgit.ground import clock, files
from nomicgit.ground.files import fast
from nomicgit.law.sentences import canonical
from nomicgit.outlook.checks.checking import check_ruleset
from nomicgit.outlook.overview import outlook_of
from nomicgit.physics.deeds.founding import Founding
from nomicgit.physics.numbers import NEWEST

PLAYERS = ["ana", "ben", "cy", "dee", "eli"]
START = "2021-06-07T00:00:00Z"
LONGEST = 140
TWICE = 60  # characters of mechanics that may stand in two functions
MOON = "{add-rule: {title: Moonlight, text: The moon shines.}}"
each_edition = pytest.mark.parametrize("edition", editions.names())


@each_edition
def test_the_checks_find_nothing(edition: str) -> None:
    assert check_ruleset(editions.load(edition)).findings == ()


@each_edition
def test_prose_is_canonical(edition: str) -> None:
    """So an amendment changes what it names and reflows nothing else."""
    ruleset = editions.load(edition)
    prose = {placed.slug: placed.prose for placed in ruleset.rules}
    prose |= {section: text.strip() for section, text in ruleset.intros.items()}
    assert [name for name, text in prose.items() if canonical(text) != text] == []


@each_edition
def test_no_line_of_mechanics_is_longer_than_a_screen(edition: str) -> None:
    mechanics = [(placed.slug, placed.mechanics) for placed in editions.load(edition).rules]
    long = [(slug, line) for slug, text in mechanics for line in text.splitlines() if len(line) > LONGEST]
    assert long == []


@each_edition
def test_no_mechanics_are_written_twice(edition: str) -> None:
    """What two functions do alike is one function, wherever it takes more than a call or two."""
    bodies: dict[str, list[str]] = {}
    for placed in editions.load(edition).rules:
        for function in ast.parse(placed.mechanics).body:
            if isinstance(function, ast.FunctionDef):
                body = "\n".join(map(ast.unparse, function.body))
                bodies.setdefault(body, []).append(f"{placed.slug}: {function.name}")
    assert [names for body, names in bodies.items() if len(names) > 1 and len(body) > TWICE] == []


@each_edition
def test_front_matter_is_read_by_the_fast_reader(edition: str) -> None:
    """The strict one, which takes everything, costs the import of a library."""
    texts = dict(editions.load(edition).texts)
    for path in (path for path, text in texts.items() if text.startswith("---\n")):
        fast.read_canonical(files.split(texts[path], path).front)


@each_edition
def test_all_of_the_law_compiles(edition: str) -> None:
    law = NEWEST.law(editions.load(edition))
    law.compile()
    assert law.problems == ()


def act(world: played.Played, hours: int, who: str, action: str, **given: object) -> None:
    """A deed so many hours after the start."""
    at = clock.instant(START) + hours * 3600
    world.act(at, who, action, **given)


@each_edition
def test_the_outlook_tells_of_a_proposal_and_its_votes(edition: str) -> None:
    founding = Founding(clock.instant(START), PLAYERS, "ana", ["ben"])
    world = played.Played.found(editions.load(edition), founding)
    act(world, 1, "cy", "propose", title="Moonlight", changes=[{"add-rule": {"title": "M", "text": "Moon."}}])
    act(world, 2, "dee", "vote", matter=1, icon="for")
    seen = outlook_of(world.look())
    [matter] = seen.matters
    assert seen.defects == ()
    assert matter.tally["for"] == 2  # the author's own vote is implied
    assert matter.earliest is not None


@each_edition
def test_a_month_goes_by_though_no_secret_can_be_kept(edition: str) -> None:
    """What the clock would keep secret does not happen; everything else goes on."""
    founding = Founding(clock.instant(START), PLAYERS, "ana", ["ben"])
    world = played.Played.found(editions.load(edition), founding)
    act(world, 1, "cy", "propose", title="Moonlight")
    for day in range(1, 31):
        act(world, 24 * day + 12, "dee", "comment", post=1, text=f"Day {day}.")
    assert len(world.position.store.comments("posts/1")) == 30


class Played:
    """A game played by the command line, each command a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *arguments: str) -> str:
        """What a command that must succeed says."""
        done = subprocess.run(
            [sys.executable, "-m", *arguments], cwd=self.folder.parent, capture_output=True, check=False,
            env=os.environ | {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"},
        )  # fmt: skip
        assert done.returncode == 0, f"{arguments}: {done.stdout.decode()}{done.stderr.decode()}"
        return done.stdout.decode()

    def deed(self, who: str, after: str, *arguments: str) -> str:
        return self.run("nomicgit", "-C", str(self.folder), "--as", who, "--at", after, *arguments)

    def told(self, *arguments: str) -> Any:
        return json.loads(self.run("nomicgit", "-C", str(self.folder), *arguments, "--json"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "edition", [pytest.param(each, marks=one_of(5, number)) for number, each in enumerate(editions.names())]
)
def test_a_game_is_founded_played_and_verified(edition: str, tmp_path: Path) -> None:
    played = Played(tmp_path / "attic")
    named = [word for name in PLAYERS for word in ("--player", name)]
    options = ["--emperor", "ana", "--admin", "ben", "--practice", "--start", START]
    played.run("nomicgit", "new", "attic", "--edition", edition, *named, *options)
    played.deed("cy", "+1h", "propose", "--title", "Moonlight", "--change", MOON)
    assert [matter["title"] for matter in played.told("status")["matters"]] == ["Moonlight"]
    for voter in ("ana", "ben", "dee", "eli"):
        played.deed(voter, "+1m", "vote", "1", "for")
    played.deed("ben", "+13h", "resolve", "1")
    assert played.told("status")["matters"] == []
    assert "The moon shines." in played.run("nomicgit", "-C", str(played.folder), "rules", "Moonlight")
    assert played.told("verify")["faults"] == []
