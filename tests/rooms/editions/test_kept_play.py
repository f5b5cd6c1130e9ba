"""Every edition in a real game with a key: all that it has can be done, and what is done there is verified by everybody.

Random play does every action of an edition. Two short dynasties, of assassins and of werewolves, are read from the files of the
repository and from its opened vault, by the test's own eyes.
"""

from __future__ import annotations

import os
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support.depth import DEEP as DEEPLY
from support.depth import is_deep
from support.editions import PRACTICES
from support.keyed import KEY, KeyedGame, vault
from support.practice import Practice, Practising, gamestate, kept

from nomicgit import editions
from nomicgit.ground import clock, files
from nomicgit.ground.problems import Refused
from nomicgit.law.law import PARTED
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding
from nomicgit.physics.state import reading
from nomicgit.record.game import Game, new_id
from nomicgit.record.secret.turning import begin_term, open_term
from nomicgit.replay.verifying import verify
from nomicgit.sealing.keys import Key

DEEDS, DEEP, TRIES, DAY, HOUR = 60, 300, 6000, 86400, 3600
EACH = 12  # deeds after which it is seen that all holds; in the deep profile each
NIGHTS = 40
OPENED = Key(KEY.main, None)
SHORTLY = ("werewolf", "crypt")
SECRETIVE = [name for name, practice in PRACTICES.items() if practice.whispers]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One random game of two editions, of sixty deeds or as many as it takes; with ``--hypothesis-profile=deep`` all of
    them, and of the others, of three hundred.
    """
    if "seed" in metafunc.fixturenames:
        most = None if is_deep(metafunc.config) else 1
        games = [
            pytest.param(name, seed, marks=() if name in SHORTLY else DEEPLY)
            for name, practice in PRACTICES.items()
            for seed in practice.seeds[:most]
        ]
        metafunc.parametrize(("edition", "seed"), games)


@pytest.fixture(autouse=True)
def fixed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same seeds and names of deeds on every run."""
    monkeypatch.setattr(os, "urandom", random.Random(request.node.name).randbytes)


def verified_by_all(game: Game, *, without_key: bool = True) -> None:
    """Whoever verifies finds nothing: with the key, with none, and with that half of it that is opened one day."""
    for keys in ([KEY], [OPENED], []) if without_key else ([KEY],):
        verified = verify(game.repository, game.head.oid, keys=keys)
        assert verified.faults == verified.doubts == []
        assert not (verified.sealed and KEY in keys)
        assert verified.sealed or keys


def alive(game: Game) -> dict[str, Any]:
    """What is secret and not empty, but for what the program itself counts: uses, draws, clocks, numbers."""
    return {
        f"{ref} {name}": value
        for ref, secret in vault(game).items()
        for name, value in secret.items()
        if ref != "open" and name not in (*PARTED, "made") and value not in (None, "", 0, False, [], {})
    }


@pytest.mark.slow
def test_every_action_with_a_key_in_many_deeds(
    tmp_path: Path, edition: str, seed: int, request: pytest.FixtureRequest
) -> None:
    practice = PRACTICES[edition]
    deep = is_deep(request.config)
    play = Practising(practice, kept(practice, tmp_path), seed, each=1 if deep else EACH)
    play.everything(DEEP if deep else DEEDS, list(play.game.world().law.declared.actions), TRIES)
    verified_by_all(Game.open(tmp_path), without_key=deep or edition == "assassin")


@pytest.mark.slow
def test_every_order_of_a_note_is_given_and_carried_out(tmp_path: Path) -> None:
    practice = PRACTICES["assassin"]
    play = Practising(practice, kept(practice, tmp_path), 5)
    tables = play.game.world().law.declared.catalogues
    every = {*tables["street_actions"], *tables["urchin_actions"]}
    given: set[str] = set()
    for night in range(1, NIGHTS + 1):
        for _ in practice.sealed.players:
            orders = practice.prefer["note"](play, play.game.world(), "") or {}
            sent, sender = play.accepted["note"], orders.pop("actor")
            play.attempt(sender, "note", orders)
            given |= {order["action"] for order in orders.values() if play.accepted["note"] > sent}
        play.at += 2 * DAY
        play.attempt("ana", "toll-the-bell", {})
        assert play.accepted["toll-the-bell"] == night
        exploded = reading.find(play.game.world(), "locations", exploded=True)
        if given == every and exploded:
            return
    assert given == every
    assert exploded


class Script:
    """A game with a key in which what happens is told deed by deed."""

    def __init__(self, folder: Path, edition: str, start: str, players: str) -> None:
        self.start = self.at = clock.instant(start)
        names = players.split()
        KeyedGame.founded(folder, edition, Founding(self.start, names, names[0], names[1:3]))
        self.game = Game.open(folder)
        self.game.key = KEY

    def later(self, hours: int) -> None:
        """So many hours after the beginning."""
        self.at = self.start + hours * HOUR

    def act(self, actor: str, action: str, /, **given: Any) -> Mapping[str, list[str]]:
        """Do a deed; what was told by it, to whom."""
        done = self.game.act(Deed(new_id(self.at), actor, action, given, self.at)).outcome
        return {who: [text for to, text in done.messages if to == who] for who, _ in done.messages}

    def refused(self, actor: str, action: str, /, **given: Any) -> str:
        with pytest.raises(Refused) as refusal:
            self.act(actor, action, **given)
        return str(refusal.value)

    def decreed(self, /, **changes: Any) -> None:
        """Have everybody agree that something is changed."""
        paths = {name.replace("__", "."): value for name, value in changes.items()}
        self.enacted("cfj", title="So be it", changes=[{"set": paths}])

    def enacted(self, action: str, /, **given: Any) -> None:
        """Have a matter of the second player's enacted, now or as soon as may be."""
        lead, *others = self.public("dynasty")["emperor"], *sorted(self.active())
        self.act(others[1], action, **given)
        number = str(max(int(path[-40:].split("/")[-1][:4]) for path in gamestate_posts(self.game)))
        for voter in {*others, lead}:
            self.act(voter, "vote", matter=number, icon="for")
        self.at += 13 * HOUR if action == "dov" else 0
        self.act(others[1], "resolve", matter=number)

    def active(self) -> list[str]:
        paths = [path for path in gamestate(self.game) if "/players/" in path]
        return [path.split("/")[-1][:-4] for path in paths if not self.public(path[11:-4]).get("idle")]

    def public(self, ref: str) -> Mapping[str, Any]:
        """The fields of an entity in the file that everybody has."""
        held = files.read(gamestate(self.game)[f"game/state/{ref}.yml"], ref)
        assert isinstance(held, dict)
        return held

    def posts(self) -> list[str]:
        """The titles of all posts, from their files."""
        texts = [self.game.repository.blob(oid).decode() for oid in gamestate_posts(self.game).values()]
        return [line[7:] for text in texts for line in text.splitlines() if line.startswith("title: ")]

    def secret(self, ref: str) -> Mapping[str, Any]:
        return vault(self.game).get(ref, {})


def gamestate_posts(game: Game) -> dict[str, str]:
    tree = game.repository.commit(game.head.oid).tree
    return dict(sorted(game.repository.walk(tree, "game/posts")))


def ascended(script: Script, **given: Any) -> None:
    """Let a dynasty end and the next begin."""
    script.enacted("dov", title="I have won")
    script.act(script.public("dynasty")["emperor"], "ascend", theme="Night", **given)


SET: Mapping[str, Mapping[str, Any]] = {
    "assassin": {"players__cy__target": "dee", "players__cy__position": "C5", "players__dee__alertness": "Alert"},
    "werewolf": {"players__cy__werewolf": True, "players__dee__will": "All to cy.", "game__night_watchman": "dee"},
}  # fmt: skip
KEPT = ["impartial-observer", "target", "points", "position", "street-and-urchin-actions", "notes", "gear"]


@pytest.mark.slow
@pytest.mark.parametrize("edition", editions.names())
def test_nothing_secret_outlives_its_dynasty(tmp_path: Path, edition: str) -> None:
    """The rules stay, as far as an edition lets them; then the key of the dynasty that is over can be opened."""
    practice: Practice = PRACTICES[edition]
    script = Script(tmp_path, edition, clock.text(practice.real.at), "ana ben cy dee eli fay")
    script.at += HOUR
    if edition in SET:
        script.decreed(**SET[edition])
    match edition:
        case "assassin":
            script.act("eli", "note", street={"action": "walk", "location": "A2"})
        case "werewolf":
            script.act("cy", "howl", times=2)
            script.act("dee", "cfj", title="Wolves", anonymous=True)
        case "steam":
            script.act("dee", "raid")
        case "crypt":
            script.enacted(
                "cfj", title="Who", tags=["Special Case"], changes=[{"status": {"the-traitor": "active"}}]
            )
            script.act("ana", "name-traitor")
    assert bool(alive(script.game)) is bool(practice.whispers)
    ascended(script, **({"keep": KEPT} if edition == "assassin" else {}))
    raised = {key: value for key, value in alive(script.game).items() if key.endswith(" raised_by")}
    assert alive(script.game) == raised
    assert list(raised.values()) == (["dee"] if edition == "werewolf" else [])
    begin_term(script.game, script.game.terms[-1].keeper, script.at)
    open_term(script.game, 1, script.at)
    stranger = Game.open(tmp_path)
    verified = verify(stranger.repository, stranger.head.oid)
    assert verified.faults == verified.doubts == []


@pytest.mark.parametrize("edition", SECRETIVE)
def test_private_messages_are_read_by_nobody_else_ever(tmp_path: Path, edition: str) -> None:
    script = Script(tmp_path, edition, clock.text(PRACTICES[edition].real.at), "ana ben cy dee")
    before = gamestate(script.game)
    assert script.act("cy", "tell", to="dee", text="Meet me in the nave.") == {
        "dee": ["Meet me in the nave."]
    }
    assert gamestate(script.game) == before
    verified = verify(script.game.repository, script.game.head.oid, keys=[OPENED])
    assert [each.commit for each in verified.sealed][-1:] == [script.game.head.oid]
    assert script.game.repository.commit(script.game.head.oid).message.startswith("sealed")


def test_a_word_to_the_emperor_that_is_a_raid_is_opened_as_raids_are(tmp_path: Path) -> None:
    script = Script(tmp_path, "steam", "2010-09-06T08:00:00Z", "ana ben cy dee")
    script.act("cy", "tell", to="emperor", text="I am Raiding.")
    assert script.secret("raids/r1")["player"] == "cy"
    assert verify(script.game.repository, script.game.head.oid, keys=[OPENED]).sealed == []


@pytest.mark.slow
def test_assassins_hunt_kill_and_win(tmp_path: Path) -> None:
    script = Script(tmp_path, "assassin", "2014-11-03T00:00:00Z", "ana ben cy dee eli fay")
    script.later(1)
    script.decreed(players__cy__position="C5", players__dee__position="C5", players__ben__position="A1")
    for who, orders in {
        "cy": {"street": {"action": "knife", "victim": "dee"}},
        "dee": {"urchin": {"action": "report"}},
        "ben": {
            "street": {"action": "walk", "location": "A2"},
            "urchin": {"action": "scout", "location": "C5"},
        },
    }.items():
        script.act(who, "note", **orders)
    assert {script.secret(f"notes/n{n}")["author"] for n in (1, 2, 3)} == {"ben", "cy", "dee"}
    assert [path for path in gamestate(script.game) if "/notes/" in path] == []
    told = script.act("ana", "toll-the-bell")
    assert "The Bell Tolls" in script.posts()
    assert any(text.startswith("Your Urchins see there: ") for text in told["ben"])
    assert script.secret("players/ben")["position"] == "A2"
    assert script.secret("players/dee").get("position") != "C5" or told["dee"][-1].startswith(
        "Your Position is C5"
    )
    assert [ref for ref in vault(script.game) if ref.startswith("notes/")] == []
    points = {name: script.public(f"players/{name}").get("points", 0) for name in ("cy", "dee")}
    assert points["cy"] > points["dee"]
    drawn = script.act("ana", "assign-target", player="fay")
    target = script.secret("players/fay")["target"]
    assert drawn == {"fay": [f"Your new Target is {target}."]}
    assert "target" not in script.public("players/fay")
    script.enacted("dov", title="I have the most points")
    assert script.public("dynasty")["interregnum"] is True
    verified_by_all(Game.open(tmp_path))


@pytest.mark.slow
def test_werewolves_hunt_in_the_night_and_are_found(tmp_path: Path) -> None:
    script = Script(
        tmp_path, "werewolf", "2008-11-10T00:00:00Z", "ana ben cy dee eli fay gus hal ivy jan kay"
    )
    script.later(1)
    script.decreed(
        players__cy__werewolf=True, players__dee__werewolf=True, players__eli__occupation="Apothecary",
        players__fay__occupation="Alchemist",
    )  # fmt: skip
    assert script.act("ana", "appoint-watchman").keys() <= set(script.active())
    script.act("gus", "investigate", quarry="cy")
    script.act("eli", "brew-elixir", elixir="balm", kind="medicine")
    assert script.public("elixirs/balm") == {"name": "balm", "made": 1, "maker": "eli"}
    assert script.secret("elixirs/balm")["kind"] == "medicine"
    script.later(25)
    for wolf in ("cy", "dee"):
        script.act(wolf, "target", villager="hal", method="murder")
    assert script.secret("players/cy")["target"] == "hal"
    assert "target" not in script.public("players/cy")
    script.act("ana", "process-murder", villager="hal")
    savaged = script.public("players/hal")["life"] == "Dead"
    assert ("hal is dead and has been savaged by wolves" in script.posts()) is savaged
    assert savaged
    assert "cause" not in script.public("deaths/hal-1")
    assert script.secret("deaths/hal-1")["killers"] == ["cy", "dee"]
    assert "conditions" in script.refused("ana", "process-bite", werewolf="ben")
    script.later(49)
    autopsy = script.act("fay", "autopsy", villager="hal")
    assert autopsy["fay"] == ["The corpse of hal is that of a human."]
    script.act("eli", "drink-elixir", elixir="balm")
    assert script.public("players/eli").get("inventory", {}) == {}
    lynched = [{"set": {"players.cy.life": "Dead"}}]
    script.act("ben", "propose", title="Town Meeting: cy", changes=lynched)
    number = str(len(script.posts()))
    for voter in script.active():
        if voter not in ("ben", "hal"):
            script.act(voter, "vote", matter=number, icon="for")
    script.later(62)
    script.act("ben", "resolve", matter=number)
    assert script.public("players/cy")["life"] == "Dead"
    assert "cy is dead" in script.posts()
    script.act("ana", "award-acuity", deceased="cy", player="ben")
    assert script.secret("players/ben")["acuity_points"] == 1
    verified_by_all(Game.open(tmp_path))


@pytest.mark.slow
def test_in_a_month_of_silence_each_turn_comes_once_and_in_order(tmp_path: Path) -> None:
    script = Script(tmp_path, "werewolf", "2008-11-20T00:00:00Z", "ana ben cy dee eli fay")
    script.decreed(players__eli__investigating="cy", game__night_watchman="fay")
    script.later(30 * 24)
    told = script.act("ben", "roll", dice="DICE6")
    assert told["eli"] == ["cy was not out in the night."]
    assert told["fay"] == ["Out at Night were: eli, fay.", *["Out at Night were: fay."] * 14]
