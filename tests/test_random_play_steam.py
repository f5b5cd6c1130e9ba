"""Random play of the edition steam: every value stays legal, nothing is traded away, secrets stay with whom they are told."""

from __future__ import annotations

import os
import random
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.hints_core import CALM
from support.hints_steam import PREFER, RESOURCES, opening
from support.parlour import Parlour
from support.practice import after_silence, faults, founded, founding, gamestate
from support.randomly import RandomPlay
from support.sealed import SealedGame

from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.physics.deed import Deed
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game, new_id
from nomicgit.site.export import export

START = clock.instant("2010-09-06T08:00:00Z")
"""A Monday, after the hour at which the Invaders spread."""
DAY = 86400
SEALED = ("tell", "raid")
"""Actions that no game without sealed storage carries out."""
MOVING = ("transfer", "agree-trade")
CHANGING = frozenset(
    "scavenge invent dismantle use-cog-mold use-furnace use-hydraulics use-hyper-pressuriser use-wheels use-steamwagon "
    "use-retort use-observatory hitchhike choose-storage resolve-raids wage-war dismantle-sentry-tower join leave "
    "resolve".split()
)
"""Actions that make or use up Resources, bring or take somebody who has some, or lower a Cap."""


def amounts(world: Transaction) -> Counter[str]:
    """How much of each Resource there is, with whomever."""
    everyone = reading.roster(world, idle=True)
    return Counter({r: sum(reading.get(world, p, r) for p in everyone) for r in RESOURCES})


def capped(world: Transaction, resource: str) -> bool:
    """Whether somebody stands at a Cap."""
    caps = (200, 350) if resource == "coal" else (50,)
    return any(reading.get(world, p, resource) in caps for p in reading.roster(world, idle=True))


class SteamPlay(RandomPlay):
    """Random play in which Resources come from somewhere and go somewhere."""

    def attempt(self, actor: str, name: str, given: dict[str, Any]) -> None:
        before, done = amounts(self.game.world()), self.accepted[name]
        super().attempt(actor, name, given)
        after = amounts(self.game.world())
        if self.accepted[name] == done:
            assert after == before, f"refused, and yet: {name} {given}"
        elif name in MOVING:
            lost = [r for r in RESOURCES if after[r] != before[r] and not capped(self.game.world(), r)]
            assert after <= before, f"{name} {given}: {before} became {after}"
            assert not lost, f"{name} {given}: {before} became {after}"
        elif name not in CHANGING:
            assert after == before, f"{name} {given}: {before} became {after}"


@pytest.fixture(autouse=True)
def fixed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seeds and names of deeds on every run."""
    monkeypatch.setattr(os, "urandom", random.Random(request.node.name).randbytes)


def played(game: Any, seed: int, deeds: int, wanted: Sequence[str], tries: int) -> SteamPlay:
    play = SteamPlay(game, seed, START, prefer=PREFER, calm=CALM)
    opening(play)
    play.play(deeds, wanted, tries)
    return play


@pytest.mark.slow
def test_three_hundred_deeds_and_every_action(tmp_path: Path) -> None:
    game = founded(tmp_path, "steam", START)
    wanted = [name for name in game.world().law.declared.actions if name not in SEALED]
    play = played(game, 7, 300, wanted, 1500)
    assert {name: play.reasons.get(name, "") for name in wanted if not play.accepted[name]} == {}
    assert play.accepted.total() >= 300
    assert faults(game) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_every_action_where_secrets_are_kept(seed: int) -> None:
    game = SealedGame("steam", founding(START))
    wanted = list(game.world().law.declared.actions)
    play = played(game, seed, 300, wanted, 1500)
    assert {name: play.reasons.get(name, "") for name in wanted if not play.accepted[name]} == {}
    assert play.accepted.total() >= 300


@pytest.mark.parametrize(("action", "given"), [("raid", {}), ("tell", {"to": "emperor", "text": "Boo."})])
def test_what_needs_sealed_storage_is_refused(tmp_path: Path, action: str, given: dict[str, Any]) -> None:
    game, at = founded(tmp_path, "steam", START), START + 60
    with pytest.raises(Refused, match="sealed storage"):
        game.act(Deed(new_id(at), "cy", action, given, at))


def reached(world: Transaction, steps: int) -> set[str]:
    """The Counties within so many borders of Kent."""
    found = {"counties/Kent"}
    for _ in range(steps):
        found |= {str(n) for county in found for n in reading.get(world, county, "neighbours")}
    return found


def test_a_month_of_silence_misses_nothing_of_the_clock(tmp_path: Path) -> None:
    game = founded(tmp_path / "prompt", "steam", START)
    silent = Game.open(str(tmp_path / "prompt"))
    mondays = [START - 8 * 3600 + 7 * DAY * n for n in range(1, 5)]
    thursdays = [START + 4 * 3600 + 3 * DAY + 7 * DAY * n for n in range(4)]
    end = START + 30 * DAY
    prompt, late = after_silence(
        game, tmp_path / "prompt", tmp_path / "late", sorted(mondays + thursdays), end
    )
    for number, monday in enumerate(mondays, 1):
        held = set(reading.find(silent.looked_at(monday), "counties", occupied=True))
        assert held == reached(late.world(), number)
    assert reading.get(late.world(), "game", "billboards_needed") == 8 - len(thursdays)
    assert set(reading.find(late.world(), "counties", occupied=True)) == reached(late.world(), len(mondays))
    assert gamestate(late) == gamestate(prompt)
    assert faults(late) == faults(prompt) == []


WHISPERS = ("the zirconium plans", "moonlit hedgehogs")
"""What is told in secret; nothing else ever says such words."""


@pytest.mark.slow
def test_nothing_secret_is_ever_written_or_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = founded(tmp_path / "game", "steam", START)
    play = played(game, 5, 40, [], 200)
    shown = []
    for whisper in WHISPERS:
        at = game.last() + 60
        for given in ({"to": "emperor", "text": f"raid for {whisper}"}, {"to": "dee", "text": whisper}):
            with pytest.raises(Refused) as refused:
                game.act(Deed(new_id(at), "cy", "tell", given, at))
            shown.append(str(refused.value))
    play.attempt("cy", "raid", {})
    assert play.refused["raid"]
    play.play(60, [], 200)
    seen = Parlour(tmp_path / "game", capsys)
    objects = subprocess.run(
        ["git", "cat-file", "--batch", "--batch-all-objects"],
        cwd=tmp_path / "game",
        capture_output=True,
        check=True,
    )
    for options in ([], ["--dry-run"]):
        said = seen.nomic("--as", "cy", *options, "act", "tell", "to=dee", f"text={WHISPERS[0]}", code=1)
        shown += [said.out, said.err]
    for name in ("ana", "dee"):
        for command in (["status"], ["actions"], ["state"], ["log"], ["posts"]):
            said = seen.nomic("--as", name, *command)
            shown += [said.out, said.err]
    assert export(Game.open(str(tmp_path / "game")), tmp_path / "site", game.last())
    shown += [page.read_text("utf-8") for page in (tmp_path / "site").rglob("*.*")]
    assert reading.find(game.world(), "raids") == []
    for whisper in WHISPERS:
        assert whisper.encode() not in objects.stdout
        assert not [text for text in shown if whisper in text]
