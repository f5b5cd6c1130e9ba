"""The story of seventeen years: deeds of a synthetic game of BlogNomic's shape, from a seed, one after another.

15,793 proposals of nine votes each, 60 % of them enacted, half of these changing mechanics; 60,000 actions of the rules that
they make; 200 dynasties; some 700 players, twelve of them at a time. Nobody reads the game: what is told is told from what
the deeds before it must have brought about.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from nomicgit.ground import clock
from nomicgit.physics.deed import Deed

EDITION = "crypt"
HOUR = 3600
START = clock.instant("2003-01-01T00:00:00Z")
PROPOSALS, DYNASTIES, PLAYERS, ACTIONS = 15_793, 200, 700, 60_000
ACTIVE, VOTES, CRAFTS = 12, 9, 8
SLOT = 9 * HOUR  # from one proposal to the next: so that they fill the years
ENACTED = 0.6
WORDS = (
    "moon gold crypt stone door night bell river king song lamp winter clock mirror crown shall each may other than "
    "rule dynasty score trade market garden tower bridge wheel engine"
).split()

MECHANICS = """\
{upper} = 6

def do_{name}(actor):
    found = roll({upper})
    gain(actor, "{name}", found)
    if found == 1:
        create("{name}-heaps", size=found)
    if found == 2:
        add("game", "{name}_told", name(actor) + " finds two")
"""


def craft(title: str, name: str, text: str) -> dict[str, object]:
    """A rule with an action, by which players gain, and sometimes leave a heap, or a line in the game's chronicle."""
    declares = {
        "variables": {
            name: {"of": "player", "type": "integer", "max": 100_000},
            f"{name}_told": {"of": "game", "type": "list", "items": "text"},
        },
        "collections": {f"{name}-heaps": {"key": {"prefix": "h"}, "fields": {"size": "integer"}}},
        "actions": {name: {"summary": "Work at it", "by": "player"}},
    }
    mechanics = MECHANICS.format(name=name, upper=name.upper())
    return {"title": title, "text": text, "declares": declares, "mechanics": mechanics}


@dataclass(slots=True)
class Story:
    """A story that is being told: how much of everything there is in it, and what stands after the deeds so far."""

    proposals: int
    dynasties: int
    players: int
    actions: int
    seed: int = 25
    at: int = START
    deeds: int = 0
    posts: int = 0
    proposed: int = 0
    acted: int = 0
    joined: int = ACTIVE
    active: list[str] = field(default_factory=lambda: [f"p{number}" for number in range(ACTIVE)])
    idle: deque[str] = field(default_factory=deque)
    crafts: list[str] = field(default_factory=list)
    pending: deque[tuple[int, bool, str]] = field(default_factory=deque)
    random: random.Random = field(init=False)
    admin: str = field(init=False)
    emperor: str = field(init=False)

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)
        self.admin, self.emperor = self.active[:2]

    @classmethod
    def of(cls, share: float) -> Story:
        """So much of the seventeen years."""
        proposals, dynasties, players, actions = (
            max(1, round(whole * share)) for whole in (PROPOSALS, DYNASTIES, PLAYERS, ACTIONS)
        )
        return cls(proposals, dynasties, players, actions)

    def told(self) -> Iterator[Iterator[Deed]]:
        """The deeds of each dynasty, with the ascension that ends it; each to be taken whole before the next."""
        for number in range(self.dynasties):
            yield self._dynasty(number)

    def enactment(self) -> Iterator[Deed]:
        """One more proposal, which is enacted: what a dynasty begins with."""
        yield from self._slot(self.dynasties)
        self._wait(13 * HOUR)
        yield from self._resolved(0)

    def _deed(self, who: str, action: str, **given: object) -> Deed:
        self.at += 60
        self.deeds += 1
        name = clock.text(self.at).replace("-", "").replace(":", "") + f"-{self.deeds:012x}"
        return Deed(name, who, action, given, self.at)

    def _wait(self, seconds: int) -> None:
        """Let time pass; nothing happens in the downtime of late December."""
        self.at += seconds
        month, day = (int(part) for part in clock.text(self.at)[5:10].split("-"))
        if month == 12 and 23 <= day <= 26:
            self.at += (27 - day) * clock.DAY

    def _dynasty(self, number: int) -> Iterator[Deed]:
        while self.proposed < self.proposals * (number + 1) // self.dynasties:
            yield from self._slot(number)
        self._wait(13 * HOUR)
        yield from self._resolved(0)
        yield from self._roster(self.players * (number + 1) // self.dynasties)
        yield from self._ascension(number)

    def _slot(self, dynasty: int) -> Iterator[Deed]:
        """A proposal, its votes, some actions; the proposal before the last is resolved."""
        began = self.at
        author = self.active[self.posts % len(self.active)]
        yield from self._proposal(author, dynasty)
        post, carried, _ = self.pending[-1]
        voters = self.random.sample([player for player in self.active if player != author], VOTES)
        for place, voter in enumerate(voters):
            icon = "for" if (place < VOTES - 1 if carried else place < 2) else "against"
            yield self._deed(
                voter, "vote", matter=post, icon=icon, text=self._said(self.random.randrange(12))
            )
        players = [player for player in self.active if player != self.emperor]
        while self.crafts and self.acted < self.actions * self.proposed // self.proposals:
            self.acted += 1
            yield self._deed(self.random.choice(players), self.random.choice(self.crafts))
        yield from self._resolved(2)
        self._wait(max(0, SLOT - (self.at - began)))

    def _proposal(self, author: str, dynasty: int) -> Iterator[Deed]:
        enacted = self.random.random() < ENACTED
        mechanics = self.random.random() < 0.5
        changes, made = self._changes(dynasty, mechanics=mechanics)
        self.posts += 1
        self.proposed += 1
        title, body = self._said(4).capitalize(), "\n".join(self._prose(2 + self.random.randrange(6)))
        yield self._deed(author, "propose", title=title, body=body, changes=changes)
        self.pending.append((self.posts, enacted, made if enacted else ""))

    def _changes(self, dynasty: int, *, mechanics: bool) -> tuple[list[object], str]:
        """What a proposal changes, and the action that it brings."""
        if mechanics and len(self.crafts) < CRAFTS:
            name = f"c{dynasty}x{self.posts}"
            title = f"Craft {dynasty} {self.posts}"
            return [{"add-rule": craft(title, name, "\n".join(self._prose(5)))}], name
        if not self.crafts:
            title = f"Custom {dynasty} {self.posts}"
            return [{"add-rule": {"title": title, "text": "\n".join(self._prose(4))}}], ""
        name = self.random.choice(self.crafts)
        rule, constant = name.replace("c", "Craft ").replace("x", " "), name.upper()
        if mechanics:
            text = f"{constant} = {self.random.randrange(6, 60)}"
            return [{"amend": {"rule": rule, "in": "mechanics", "set": {constant: text}}}], ""
        if self.random.random() < 0.5:
            return [{"amend": {"rule": rule, "add": self._prose(1)[0], "at": "end"}}], ""
        return [{"set": {f"players.{self.random.choice(self.active)}.{name}": self.random.randrange(99)}}], ""

    def _resolved(self, left: int) -> Iterator[Deed]:
        """The oldest proposals are enacted or failed, until so many are left."""
        while len(self.pending) > left:
            post, _, made = self.pending.popleft()
            self.crafts += [made] if made else []
            yield self._deed(self.admin, "resolve", matter=post)

    def _roster(self, joined: int) -> Iterator[Deed]:
        """Newcomers join, somebody comes back, others go idle."""
        while self.joined < joined:
            name = f"p{self.joined}"
            self.joined += 1
            self.posts += 1
            yield self._deed(name, "join")
            yield self._deed(self.admin, "admit", newcomer=name)
            self.active.append(name)
        if len(self.idle) > ACTIVE:
            back = self.idle.popleft()
            self.posts += 1
            yield self._deed(back, "post", title="Back again", body="Please unidle me.")
            yield self._deed(self.admin, "unidle", player=back)
            self.active.append(back)
        while len(self.active) > ACTIVE:
            away = next(player for player in self.active if player not in (self.admin, self.emperor))
            self.posts += 1
            yield self._deed(away, "post", title="Away", body="I have no time: idle me, please.")
            yield self._deed(self.admin, "idle", player=away)
            self.active.remove(away)
            self.idle.append(away)

    def _ascension(self, number: int) -> Iterator[Deed]:
        """Somebody has won, as all agree, and begins another dynasty."""
        victor = self.random.choice(
            [player for player in self.active if player not in (self.admin, self.emperor)]
        )
        self.posts += 1
        won = self.posts
        yield self._deed(victor, "dov", title=f"Victory {number}", body=self._prose(1)[0])
        for voter in self.active:
            if voter != victor:
                yield self._deed(voter, "vote", matter=won, icon="for", text=self._said(3))
        self._wait(13 * HOUR)
        yield self._deed(self.admin, "resolve", matter=won)
        self.posts += 1
        yield self._deed(victor, "ascend", theme=self._said(5).capitalize())
        self.emperor = victor
        self.crafts.clear()

    def _said(self, words: int) -> str:
        return " ".join(self.random.choices(WORDS, k=words))

    def _prose(self, lines: int) -> list[str]:
        return [self._said(10).capitalize() + "." for _ in range(lines)]
