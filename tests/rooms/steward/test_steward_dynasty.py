"""A dynasty played through the forge alone, and the same deeds done by hand in another clone: every tree is the same.

It takes long, and is played with ``--hypothesis-profile=deep`` alone: every other play through the forge is verified deed by deed.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from fakegithub import Pull, Thread
from support.depth import DEEP
from support.doorstep import HOUR, Doorstep, doorstep, rule

from nomicgit.outlook import branches
from nomicgit.physics.deed import Deed
from nomicgit.physics.state.store import Store
from nomicgit.record import journal
from nomicgit.record.game import Game
from nomicgit.record.tree import GameTree

MOON = "game/ruleset/2-dynastic/90-moonlight.md"
Move = tuple[str, str, dict[str, Any]]


class Dynasty:
    """A play in progress: what is done on the forge, and the deeds that must come of it, in their order."""

    def __init__(self, door: Doorstep) -> None:
        self.door = door
        self.moves: list[Move] = []
        self.actions = 0

    def expect(self, who: str, action: str, **given: Any) -> None:
        self.moves.append((who, action, given))

    # ---- proposals

    def propose(
        self, who: str, name: str, files: Mapping[str, str | None] | None = None, text: str = "", **given: Any
    ) -> Pull:
        pull = self.door.propose(who, name, files, body=text)
        if not given:
            given = {"changes": self.changes(pull.head_sha)} | ({"body": text} if text else {})
        self.expect(who, "propose", title=name, **given)
        self.door.run()
        return pull

    def changes(self, head: str) -> list[Any]:
        """What a branch does, as ``nomicgit propose --branch`` finds it."""
        repository = self.door.game().repository
        base, _ = branches.ends(repository, head, self.door.game().head.oid)
        return list(branches.changes_of(repository, base, head).changes)

    def approve(self, pull: Pull, post: int, *voters: str) -> None:
        for who in voters:
            self.door.review(who, pull)
            self.expect(who, "vote", matter=str(post), icon="for")
        self.door.run()

    def against(self, pull: Pull, post: int, *voters: str) -> None:
        for who in voters:
            self.door.review(who, pull, "CHANGES_REQUESTED", "no")
            self.expect(who, "vote", matter=str(post), icon="against", text="no")
        self.door.run()

    def icon(self, who: str, on: Thread, post: int, icon: str) -> None:
        self.door.say(who, on, f":{icon}:")
        self.expect(who, "vote", matter=str(post), icon=icon)
        self.door.run()

    def later(self, hours: int, **resolved: str) -> None:
        """So many hours pass, and these posts are resolved at their end."""
        self.door.github.clock.advance(hours * HOUR)
        self.door.run()
        for name, outcome in resolved.items():
            self.resolved(int(name[1:]), outcome)

    def resolved(self, post: int, outcome: str) -> None:
        assert self.door.post(post)["status"] == outcome
        self.moves.append(("ben", "resolve", {"matter": str(post), "as": outcome}))

    # ---- actions

    def form(self, who: str, action: str, **fields: str) -> Thread:
        self.actions += 1
        return self.door.form(who, action, fields)

    def roll(self, who: str, number: int) -> None:
        """A roll by a form or, every other time, by a comment."""
        if number % 2:
            self.form(who, "roll", dice="2DICE6")
        else:
            self.actions += 1
            self.door.say(who, self.door.github.threads[1], "/act roll dice=2DICE6")
        self.expect(who, "roll", dice="2DICE6")

    def refused(self, who: str, action: str, why: str, **fields: str) -> None:
        issue = self.form(who, action, **fields)
        self.door.run()
        assert why in "".join(self.door.ours(issue)).replace("\\", "")
        assert (issue.state, issue.reason) == ("closed", "not_planned")


@pytest.fixture
def dynasty(tmp_path: Path) -> Iterator[Dynasty]:
    with doorstep(tmp_path, http=True) as door:
        yield Dynasty(door)


def proposals(play: Dynasty) -> None:
    """Thirteen: enacted, failed, vetoed, self-killed, timed out, conflicting, edited before and after votes, illegal."""
    door = play.door
    first = play.propose("cy", "Moonlight", text="It is dark.")
    play.approve(first, 1, "dee", "eli", "fox")
    lost = play.propose("dee", "Sunburn")
    play.against(lost, 2, "eli", "fox", "cy")
    play.later(12, p1="enacted", p2="failed")
    assert first.merged
    vetoed = play.propose("eli", "Garlic")
    play.icon("ana", vetoed, 3, "veto")
    play.resolved(3, "failed")
    killed = play.propose("fox", "Mirrors")
    play.icon("fox", killed, 4, "against")
    play.resolved(4, "failed")
    closed = play.propose("cy", "Silver")
    door.github.clock.advance(5)
    door.github.close(door.people["cy"], closed)
    play.expect("cy", "vote", matter="5", icon="against")
    door.run()
    play.resolved(5, "failed")
    illegal = door.propose("fox", "Engine", {".github/workflows/x.yml": "on: push\n"})
    door.run()
    assert door.state(illegal) == "failure"
    play.propose("dee", "Ignored")
    play.later(48, p6="failed")
    conflicts(play)
    edits(play)


def conflicts(play: Dynasty) -> None:
    """Two that amend one sentence; and one whose changes stand in its text."""
    bright = play.propose("cy", "Brighter", {MOON: rule("Moonlight", "Moonlight shines brightly.")})
    dark = play.propose("dee", "Darker", {MOON: rule("Moonlight", "Moonlight shines darkly.")})
    assert "would not be made once post 7" in play.door.report(dark)
    play.approve(bright, 7, "ana", "eli", "fox")
    play.approve(dark, 8, "ana", "eli", "fox")
    play.later(13, p7="enacted", p8="enacted")
    assert "brightly" in play.door.game().ruleset.by_slug["moonlight"].prose
    change = {"add-rule": {"title": "Dusk", "text": "The sun sets."}}
    block = "By hand.\n\n```changes\n- {add-rule: {title: Dusk, text: The sun sets.}}\n```"
    written = play.propose("eli", "Dusk", {}, block, body="By hand.", changes=[change])
    play.approve(written, 9, "ana", "cy", "fox")
    play.later(13, p9="enacted")


def edits(play: Dynasty) -> None:
    """One edited before anybody voted, one after, and one that waits behind both."""
    door = play.door
    early = play.propose("fox", "Fog")
    door.github.commit(
        door.people["fox"], {"game/ruleset/2-dynastic/90-fog.md": rule("Fog", "Fog is thick.")}, branch="fog"
    )
    play.expect("fox", "edit-post", post="10", changes=play.changes(early.head_sha))
    door.run()
    play.approve(early, 10, "ana", "cy", "dee")
    late = play.propose("cy", "Rain")
    play.approve(late, 11, "ana", "dee")
    door.github.commit(
        door.people["cy"], {"game/ruleset/2-dynastic/90-rain.md": rule("Rain", "Cy wins.")}, branch="rain"
    )
    door.run()
    door.review("eli", late)
    door.run()
    assert "your FOR does not count" in "".join(door.ours(late))
    door.say("fox", late, "/vote 11 for")  # the branch shows something else
    play.expect("fox", "vote", matter="11", icon="for")
    door.run()
    moved = play.propose("dee", "Snow")
    play.approve(moved, 12, "ana", "cy", "eli")
    play.later(13, p10="enacted", p11="enacted", p12="enacted")
    assert "Cy wins" not in door.game().ruleset.by_slug["rain"].prose
    door.run()
    assert (early.merged, late.merged, late.state, moved.merged) == (True, False, "closed", True)


def forty_actions(play: Dynasty) -> None:
    door, names = play.door, list(play.door.people)
    for number in range(32):
        play.roll(names[number % 6], number)
    door.run()
    for number, who in enumerate(("cy", "dee", "eli")):
        title = f"Story {number}"
        issue = play.form(who, "post", kind="story", title=title, body="Once upon a time.")
        play.expect(who, "post", kind="story", title=title, body="Once upon a time.")
        door.run()
        assert (issue.state, issue.reason) == ("closed", "completed")
    play.refused("fox", "ascend", "emperor", theme="Clouds")
    play.refused("cy", "pass-mantle", "emperor", player="dee")


def the_end(play: Dynasty) -> None:
    """A call for judgement, a declaration of victory, and the next dynasty, all by forms."""
    door = play.door
    cfj = play.form("dee", "cfj", title="Whose turn?", changes="- {uphold: it was cy}")
    play.expect("dee", "cfj", title="Whose turn?", changes=[{"uphold": "it was cy"}])
    door.run()
    number = door.game().tree.entity("open")["pending"][0]  # type: ignore[index]
    for who in ("eli", "fox"):
        play.icon(who, cfj, number, "for")
    play.icon("cy", cfj, number, "for")
    play.resolved(number, "enacted")
    assert cfj.state == "closed"
    dov = play.form("dee", "dov", title="I have won", body="I rolled most.")
    play.expect("dee", "dov", title="I have won", body="I rolled most.")
    door.run()
    for who in ("ana", "eli", "fox"):
        play.icon(who, dov, number + 1, "for")
    play.later(12, **{f"p{number + 1}": "enacted"})
    address = play.form("dee", "ascend", theme="Among the clouds", keep="Moonlight")
    play.expect("dee", "ascend", theme="Among the clouds", keep=["Moonlight"])
    door.run()
    assert address.state == "closed"
    dynasty = door.game().tree.entity("dynasty")
    assert dynasty is not None
    assert (dynasty["number"], dynasty["emperor"], dynasty["name"]) == (2, "dee", "Among the clouds")


@DEEP
@pytest.mark.slow
def test_a_dynasty_through_the_forge_is_the_same_by_hand(dynasty: Dynasty, tmp_path: Path) -> None:
    proposals(dynasty)
    forty_actions(dynasty)
    the_end(dynasty)
    door = dynasty.door
    while not door.run().nothing_new:
        pass
    assert dynasty.actions == 40
    assert door.faults() == []
    shutil.copytree(door.folder, tmp_path / "byhand")
    by_hand(door.game(), Game.open(tmp_path / "byhand"), dynasty.moves)


def by_hand(played: Game, game: Game, moves: list[Move]) -> None:
    """Do what people meant, move by move, with the times, dice and evidence of the deeds that came of it."""
    commits = [
        commit for commit in played.repository.log(played.head.oid) if journal.is_deed(commit.message)
    ][::-1][1:]
    found = [(entry.deed.actor, entry.deed.action) for entry in (journal.parse(c.message) for c in commits)]
    assert found == [(who, action) for who, action, _ in moves]
    for commit, (who, action, given) in zip(commits, moves, strict=True):
        entry = journal.parse(commit.message)
        told = journal.lengthened(entry.deed.given, Store(GameTree(played.repository, commit.tree)))
        assert told == given, (who, action)
        deed = Deed(
            entry.deed.id, who, action, given, entry.deed.at, entry.deed.cast_at, origin=entry.deed.origin
        )
        if entry.deed.branch is not None:
            deed = Deed(deed.id, who, action, given, deed.at, deed.cast_at, entry.deed.branch, deed.origin)
        seeds = iter(entry.seeds)
        recorded = game.act(deed, lambda seeds=seeds: next(seeds, bytes(32)))  # type: ignore[misc]
        assert game.repository.commit(recorded.commit).tree == commit.tree, (who, action)
