"""Players with a style of their own: who builds, who minds the law, who makes trouble, who hardly plays, and who heads it all.

A style says what is done next; hints of the edition say with which parameters. What comes is drawn from the play's seed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from nomicgit.physics.state import reading
from nomicgit.record.game import Game
from support.hints_core import admit, bare, head, ids, some
from support.practice import Practice, Practising
from support.seats import Seats
from support.sites import HOSTILE

HOUR = 3600
NASTY = (
    HOSTILE,
    "x" * 3000,
    "../../etc/passwd",
    "zero\u200bwidth",
    "`__import__('os')` {{limits}}",
    "ana",
    "-1",
    "NaN",
)
AGAINST_THE_GAME = (
    {"repeal": "ruleset-and-gamestate"},
    {"set": {"dynasty.emperor": "dee"}},
    {"player": {"name": "dee", "admin": True}},
    {"add-rule": {"title": HOSTILE, "text": HOSTILE}},
    {
        "add-rule": {
            "title": "Doom",
            "text": "Doom.",
            "mechanics": "def do_vote(actor, matter, icon):\\n    pass\\n",
        }
    },
)
TO_THE_THRONE: Mapping[str, Mapping[str, str]] = {
    "ascend": {"theme": "Mine"},
    "pass-mantle": {"player": "dee"},
}
"""What a troublemaker tries without a hint, which would have everybody let a declaration of victory pass first."""
Turn = Callable[["Company"], None]


class Company(Practising):
    """The players of a practice game in clones, each with a style of their own."""

    def __init__(self, seats: Seats, practice: Practice, seed: int) -> None:
        self.me, self.seats = "", seats
        super().__init__(practice, cast("Game", seats), seed)
        others = [name for name in practice.sealed.players if name != seats.keeper]
        self.style = {seats.keeper: leads, **{name: STYLES[n % len(STYLES)] for n, name in enumerate(others)}}
        self.done_by: dict[Turn, int] = dict.fromkeys((leads, *STYLES), 0)
        self.to_come: list[str] = []

    def builders(self) -> list[str]:
        return [name for name, style in self.style.items() if style is builds]

    def visit(self) -> None:
        """Somebody comes by: those who play a lot five times before those who hardly play come again, in drawn order."""
        if not self.to_come:
            often = {name: 1 if style is hardly_plays else 5 for name, style in self.style.items()}
            self.to_come = self.random.sample([*often], sum(often.values()), counts=[*often.values()])
        self.at += self.random.choice([HOUR, 3 * HOUR, 5 * HOUR, 13 * HOUR])
        self.me = self.to_come.pop()
        before, style = self.accepted.total(), self.style[self.me]
        style(self)
        self.done_by[style] += self.accepted.total() - before

    def tries(self, name: str, /, **given: Any) -> None:
        """Whose turn it is tries this, as a rule may refuse it."""
        if (name, self.me) == ("resign-admin", "ben") or name == "leave":
            return
        self.attempt(self.me, name, given)

    def tries_as_hinted(self, name: str, *, myself: bool) -> None:
        """Do what a hint of the edition says, or what the declaration lets one think of; ``myself``: whoever the hint means."""
        world, me = self.game.world(), self.me
        hint = self.practice.prefer.get(name)
        given = hint(self, world, me) if hint is not None else None
        if given is None:
            kinds = self.game.world().law.declared.actions[name].parameters
            given = {n: self.value(world, kind, n) for n, kind in kinds.items()}
        meant = given.pop("actor", me)
        alike = meant and self.style.get(meant) is self.style[me]
        if name in self.game.world().law.declared.actions:
            self.attempt(me if myself or not alike else meant, name, given)

    def actions(self, *, of_head: bool) -> list[str]:
        """The dynastic actions of an edition, those of its emperor or the others'."""
        declared = self.game.world().law.declared.actions
        return [n for n, a in declared.items() if a.section == "dynastic" and ("emperor" in a.by) is of_head]

    def pending(self, *kinds: str) -> list[str]:
        world = self.game.world()
        found = reading.find(world, "posts", status="pending")
        return [bare(ref) for ref in found if not kinds or reading.get(world, ref, "kind") in kinds]

    def votes(self, icon: str, *kinds: str) -> None:
        """Vote on some matter of these kinds; nobody is for what a troublemaker wants."""
        matter = some(self, self.pending(*kinds))
        if matter is not None:
            author = bare(reading.get(self.game.world(), f"posts/{matter}", "author"))
            trouble = self.style.get(author) is makes_trouble and icon == "for"
            self.tries("vote", matter=matter, icon="against" if trouble else icon)


def builds(play: Company) -> None:
    """Do what the dynasty is about; vote for what others build; add a rule now and then."""
    names = play.actions(of_head=False)
    if names:
        play.tries_as_hinted(play.random.choice(names), myself=False)
    play.votes("for", "proposal", "cfj")
    if play.random.random() < 0.4:
        number = play.random.randrange(1000)
        rule = {"title": f"House {number}", "text": f"A house stands here. It has {number} windows."}
        play.tries(
            "propose",
            title=f"A house of {number} windows",
            body="Let us build.",
            changes=[{"add-rule": rule}],
        )


def minds_the_law(play: Company) -> None:
    """Resolve what can be resolved, answer who asked, amend, judge, correct."""
    play.votes(play.random.choice(["for", "for", "against", "deferential"]))
    for matter in play.pending()[:2]:
        play.tries("resolve", matter=matter)
    guest = admit(play, play.game.world(), play.me)
    if guest:
        play.tries("admit", newcomer=guest["newcomer"])
    match play.random.randrange(5):
        case 0:
            rule = play.random.choice(play.game.world().ruleset.rules)
            change = {"amend": {"rule": rule.slug, "add": "This sentence is law.", "at": "end"}}
            play.tries("propose", title=f"More of {rule.title}", body="It wants saying.", changes=[change])
        case 1:
            play.tries(
                "cfj", title="Was that lawful?", body="Two of us differ.", changes=[{"uphold": "It was."}]
            )
        case 2:
            play.tries_as_hinted("correct-typo", myself=True)
        case 3:
            away = some(play, [n for n, s in play.style.items() if s is hardly_plays])
            play.tries(play.random.choice(["idle", "unidle"]), player=away)
        case _:
            play.tries("roll", dice="2DICE6")


def makes_trouble(play: Company) -> None:
    """Do what is somebody else's to do, with words that break things; be against everything; undo what others did."""
    declared = play.game.world().law.declared.actions
    for _ in range(2):
        match play.random.randrange(6):
            case 0:
                play.votes(play.random.choice(["against", "against", "veto", "deferential"]))
            case 1:
                hostile = play.random.choice(AGAINST_THE_GAME)
                play.tries(
                    play.random.choice(["propose", "cfj"]),
                    title=play.random.choice(NASTY),
                    body=HOSTILE,
                    changes=[hostile],
                )
            case 2:
                post = some(play, ids(reading.find(play.game.world(), "posts")))
                if post is not None:
                    play.tries(play.random.choice(["edit-post", "remove-post"]), post=post)
                    play.tries("comment", post=post, text=play.random.choice(NASTY))
            case 3:
                name = play.random.choice(sorted({*play.actions(of_head=True), "resolve", *TO_THE_THRONE}))
                if name in TO_THE_THRONE:
                    play.tries(name, **TO_THE_THRONE[name])
                else:
                    play.tries_as_hinted(name, myself=True)
            case 4:
                play.tries("undo", deed=some(play, sorted(play.latest.values())) or "none")
            case _:
                name, world = play.random.choice(list(declared)), play.game.world()
                given = {n: play.value(world, kind, n) for n, kind in declared[name].parameters.items()}
                nasty = {
                    n: play.random.choice(NASTY) if isinstance(v, str) and play.random.random() < 0.5 else v
                    for n, v in given.items()
                }
                play.tries(name, **nasty)


def hardly_plays(play: Company) -> None:
    """Look in, vote for the oldest matter, or say that one is away, or back."""
    play.at += 20 * HOUR
    play.votes("for")
    title = play.random.choice(["I ask to be idle", "Please unidle me", "I have been away"])
    play.tries("post", title=title, body="Sorry that I am here so little.")


def leads(play: Company) -> None:
    """Do what is the emperor's to do, as far as there is any; vote."""
    names = play.actions(of_head=True)
    if names and play.me == head(play.game.world()):
        play.tries_as_hinted(play.random.choice(names), myself=False)
    play.votes(play.random.choice(["for", "for", "veto"]), "proposal")


STYLES: Sequence[Turn] = (minds_the_law, builds, makes_trouble, hardly_plays, builds)
