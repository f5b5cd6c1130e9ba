"""The edition werewolf at play: how it is practised, and its table for repeals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from nomicgit.ground import clock
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game
from support.hints_core import DAY
from support.hints_werewolf import PREFER
from support.practice import EIGHT, WHISPER, Practice, Silence, founding
from support.randomly import RandomPlay
from support.repealing import FIVE, Table

START = clock.instant("2008-11-20T00:00:00Z")
MOVING = ("give-item", "steal", "execute-will")


def items(world: Transaction) -> Counter[str]:
    """How many there are of each item, with whomever."""
    found: Counter[str] = Counter()
    for player in reading.roster(world, idle=True):
        found.update(reading.get(world, player, "inventory"))
    return found


@contextmanager
def what_is_moved_is_neither_made_nor_lost(
    play: RandomPlay, name: str, given: Mapping[str, Any]
) -> Iterator[None]:
    """What is given, stolen or inherited is somewhere afterwards."""
    before = items(play.game.world()) if name in MOVING else None
    yield
    if before is not None:
        assert items(play.game.world()) == before, f"{name} {given}"


def the_village_is_sound(world: Transaction) -> None:
    """There are two keys to the gaol, one Prisoner at most, and the emperor is the Mayor."""
    everyone = reading.roster(world)
    assert items(world)["gaol-keys"] <= 2
    assert len([p for p in everyone if reading.get(world, p, "occupation_in_effect") == "Prisoner"]) <= 1
    mayors = [p for p in everyone if reading.get(world, p, "occupation") == "Mayor"]
    assert mayors == [p for p in everyone if p == reading.emperor(world)]


def silence(game: Game) -> Silence:
    """A night of each odd date; the last of December and the first of January are one."""
    days = [START + DAY * n for n in range(1, 44)]

    def holds(silent: Game, late: Game) -> None:
        nights = [bare.removeprefix("nights/") for bare in reading.find(late.world(), "nights")]
        odd = [date for date in (clock.text(day)[:10] for day in days) if int(date[8:]) % 2 == 1]
        assert nights == ["2008-11-19", *odd[:-1]]
        assert odd[-2:] == ["2008-12-31", "2009-01-01"], "which are one night"

    return Silence(days, days[-1], holds)


PRACTICE = Practice(
    "werewolf",
    sealed=founding(START, (*EIGHT, "ivy", "jan", "kay", "leo")),
    real=founding(START, EIGHT[:6]),
    prefer=PREFER,
    silence=silence,
    seeds=(5,),
    secret={"players.cy.werewolf": True, "players.dee.werewolf": True, "players.dee.target": "eli"},
    undone=("announce-foiled-attack", "announce-howls", "alls-well", "announce-hairy-back"),
    whispers=[
        ("cy", "tell", {"to": "dee", "text": WHISPER}),
        ("cy", "tell", {"to": "emperor", "text": WHISPER}),
        ("dee", "write-will", {"text": WHISPER}),
        (
            "eli",
            "brew-elixir",
            {"elixir": WHISPER, "kind": "poison", "strength": "weak", "susceptible": "everybody"},
        ),
        ("fay", "target", {"villager": "eli", "method": "murder"}),
        ("ana", "appoint-watchman", {}),
    ],
    around=[what_is_moved_is_neither_made_nor_lost],
    sound=[the_village_is_sound],
    steady=True,
    unwatched=("vote",),
)

# ---- the table for repeals

HAL = {"villager": "hal", "method": "murder"}
NIGHT = frozenset({"daytime-and-nighttime"})
ATTACKS = frozenset({"werewolves", "werewolf-attacks"})
MURDER = NIGHT | ATTACKS | {"murder", "life-in-zahndorf"}
GUNS = frozenset({"items", "guns-and-bullets"})
SHOT = GUNS | {"life-in-zahndorf"}

TABLE = Table(
    "werewolf",
    "2008-11-10T00:00:00Z",
    players=(*FIVE, "fay", "gus", "hal", "ivy", "jo"),
    by="hal",
    voters=("ben", "cy", "dee", "eli", "gus"),
    state={
        "players": {
            "ben": {"werewolf": True, "howls": 2},
            "cy": {"werewolf": True},
            "dee": {"occupation": "Doctor", "patient": "ivy", "inventory": {"gun": 1}},
            "eli": {"occupation": "Beer Seller", "inventory": {"ale-tankard": 1}},
            "fay": {"life": "Dead", "focus": "hal", "occupation": "Vicar"},
            "gus": {"occupation": "Master of Hounds"},
            "hal": {"investigating": "ben", "inventory": {"silver-bullet": 1, "gaol-keys": 1}},
            "ivy": {"investigating": "ben"},
        },
        "game": {"night_watchman": "jo", "hounds": "released"},
    },
    going_on=[
        ({"at": "+25h", "by": "ana", "act": "alls-well"}, NIGHT | {"the-night-watchman"}),
        ({"by": "ana", "act": "announce-howls"}, NIGHT | {"werewolves", "howling"}),
        ({"by": "ben", "act": "target", "with": HAL}, ATTACKS),
        ({"by": "cy", "act": "target", "with": HAL}, ATTACKS),
        ({"by": "ana", "act": "process-murder", "with": {"villager": "hal"}}, MURDER),
        (
            {
                "by": "ana",
                "act": "process-bite",
                "with": {"werewolf": "ben"},
                "refused": "conditions of Biting",
            },
            NIGHT | ATTACKS | {"biting"},
        ),
        ({"by": "dee", "act": "shoot", "with": {"quarry": "gus", "ammunition": "lead"}}, GUNS),
        ({"by": "jo", "propose": {"title": "Town Meeting: Seance"}, "as": "seance"}, MURDER),
        ({"by": "jo", "act": "remove-post", "with": {"post": "seance"}}, MURDER),
        ({"at": "+49h", "by": "ana", "act": "resolve-shot"}, SHOT),
        ({"by": "eli", "act": "make-sale"}, frozenset({"occupations", "the-beer-seller", "items"})),
        (
            {"by": "ivy", "act": "take-occupation", "with": {"occupation": "Baker"}},
            frozenset({"occupations"}),
        ),
        ({"expect": {"players.hal.life": "Dead"}}, MURDER),
        ({"expect": {"shots.1.resolved": True}}, SHOT),
    ],
    words=frozenset({"glossary", "keywords"}),
    later=50,
)
