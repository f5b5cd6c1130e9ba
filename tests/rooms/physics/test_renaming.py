"""A player who takes another name stays who they are: in play, in the record, in what is told; the names stay theirs."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hostile.small import Small
from language.tiny import Game as Tiny
from language.tiny import game
from msgspec.structs import replace
from support.hints_crypt import PREFER
from support.randomly import RandomPlay
from support.twins import InMemory, Twins

from nomicgit import editions
from nomicgit.ground import clock
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding
from nomicgit.physics.deeds.renaming import rename_player
from nomicgit.record import journal

START = clock.instant("2021-06-07T00:00:00Z")
PLAYERS = ["ana", "ben", "cy", "dee", "eli", "fox"]
NEW = "zzyzx"


# ---- the same game but for the name


class _Renaming(Twins):
    """Two games, in the second of which somebody has another name: deeds say it, and what is told is read back."""

    old = ""

    def rename(self, old: str) -> None:
        assert isinstance(self.other, InMemory)
        rename_player(self.other.world(), {"from": old, "to": NEW})
        self.other.position.store.forget()
        self.old = old
        self.told = self._told
        self.said = lambda deed: replace(deed, given=_in_place(deed.given, old))

    def _told(self, text: str) -> str:
        kept = f'"names": {{"{self.old}": ["{self.old}", "{NEW}"]}}'
        return text.replace(f", {kept}", "").replace(f"{kept}, ", "").replace(NEW, self.old)


def _in_place(value: Any, old: str) -> Any:
    """A deed's parameters with the new name where the old one stands alone; changes keep it, for they have a hash."""
    if isinstance(value, dict):
        return {key: each if key == "changes" else _in_place(each, old) for key, each in value.items()}
    if isinstance(value, list):
        return [_in_place(each, old) for each in value]
    return NEW if value == old else value


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3, 4))])
def test_a_game_in_which_somebody_is_renamed_goes_on_as_if_they_were_not(seed: int) -> None:
    founding = Founding(START, PLAYERS, "ana", ["ben", "cy", "dee"], ["zed"])
    one, other = (InMemory(editions.load("crypt"), founding, "twins") for _ in range(2))
    twins = _Renaming(one, other)
    play = RandomPlay(twins, seed, START, prefer=PREFER, name=lambda n: f"deed-{n}")  # type: ignore[arg-type]
    play.play(25, [], 400)
    old = random.Random(seed).choice(one.position.store.ids("players"))
    twins.rename(old)
    twins.same()
    play.play(60, [], 700)
    assert sum(play.accepted.values()) >= 60


# ---- names are nobody else's


def renamed() -> Tiny:
    played = game(
        "actions: {come: {by: anyone, idle: true}, go: {}}\n",
        'def do_come(actor):\n    create("players", id(actor))\ndef do_go(actor):\n    destroy(actor)',
    )
    assert played.enact({"rename-player": {"from": "ben", "to": "bob"}}) == [""]
    return played


@pytest.mark.parametrize("name", ["ben", "bob", "Ben", "BOB"])
def test_nobody_else_takes_a_name_that_somebody_has_or_had(name: str) -> None:
    played = renamed()
    (why,) = played.enact({"rename-player": {"from": "cy", "to": name}})
    assert "cannot be a name" in why
    assert "bob" in why
    assert played.fails(f'create("players", "{name}")')
    assert [played[f"players.{who}.name"] for who in ("cy", "bob")] == ["cy", "bob"]


def test_a_refused_name_is_told_with_whose_it_was() -> None:
    assert "ben is a name that bob had before" in renamed().fails('create("players", "ben")')


@pytest.mark.parametrize("name", ["bob", "BEN"])
def test_a_deed_by_a_name_that_is_no_id_is_refused(name: str) -> None:
    assert "whose id is ben" in renamed().refused(name, "come")


def test_a_name_of_ones_own_may_be_taken_again() -> None:
    played = renamed()
    assert played.enact({"rename-player": {"from": "bob", "to": "Ben"}}) == [""]
    assert (played["players.Ben.name"], played.ids("players")) == ("Ben", ["ana", "ben", "cy", "dee"])


def test_who_leaves_keeps_their_names_and_comes_back_as_who_they_were() -> None:
    played = renamed()
    played.run('say("note", "Mine", "", author="players/ben")')
    played.do("ben", "go")
    assert "cannot be a name" in played.enact({"rename-player": {"from": "cy", "to": "ben"}})[0]
    assert "cannot be a name" in played.enact({"rename-player": {"from": "cy", "to": "Bob"}})[0]
    played.do("ben", "come")
    assert played["players.bob.name"] == "bob"
    assert played.eval('find("posts", author="players/ben") != []') is True


def test_the_law_is_told_by_which_id_it_calls_a_name() -> None:
    assert "(to the law bob is players/ben)" in renamed().fails('put("players/bob", admin=True)')


# ---- the record


def test_a_renamed_player_plays_on_in_the_record_and_it_verifies(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    post = small.do("cy", "story", title="Mine", body="All mine.").outcome.result
    small.enact({"rename-player": {"from": "cy", "to": "cyril"}})
    small.do("cy", "earn", n=2)
    assert small.git("log", "-1", "--format=%s").strip() == "cyril: earn 2"
    assert small.git("log", "-1", "--format=%an").strip() == "cy"
    assert (small.value("players/cy name"), small.value(f"{post} author")) == ("cyril", "cy")
    small.enact({"set": {"players.cyril.gold": 5}}, {"set": {"players.cy.motto": "Still me"}})
    assert (small.value("players/cy gold"), small.value("players/cy motto")) == (5, "Still me")
    assert small.verified().faults == []


def test_a_deed_of_before_is_undone_by_its_id_whoever_is_called_what(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    deed = small.do("cy", "earn", n=2).outcome.deed.id
    small.enact({"rename-player": {"from": "cy", "to": "cyril"}})
    small.enact({"undo": deed})
    assert small.value("players/cy gold") == 10
    assert small.verified().faults == []


def test_the_subject_of_a_deed_says_who_did_it_as_they_are_called_after_it(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    small.enact({"rename-player": {"from": "ben", "to": "bob"}})
    message = small.git("log", "-1", "--format=%B")
    assert message.startswith("bob: resolve")
    assert journal.parse(message).deed.actor == "ben"
    assert isinstance(journal.parse(message).deed, Deed)
