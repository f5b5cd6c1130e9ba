"""The edition crypt at play: how it is practised, and its table for repeals."""

from __future__ import annotations

from nomicgit.ground import clock
from nomicgit.physics.state import reading
from support.hints_core import admin_of, carry, ids
from support.hints_crypt import PREFER
from support.practice import WHISPER, Practice, founding, never_due
from support.randomly import RandomPlay
from support.repealing import Table

FOUNDED = founding(clock.instant("2021-06-07T00:00:00Z"))


def a_traitor_may_be_named(play: RandomPlay) -> None:
    """Let a call for judgement put The Traitor in force, which is a special case."""
    suspicion = {
        "title": "Suspicion",
        "tags": ["Special Case"],
        "changes": [{"status": {"the-traitor": "active"}}],
    }
    play.attempt("cy", "cfj", suspicion)
    (raised,) = ids(reading.find(play.game.world(), "posts", status="pending"))
    carry(play, play.game.world(), raised)
    play.attempt(admin_of(play, play.game.world()) or "", "resolve", {"matter": raised})
    assert "name-traitor" in play.game.world().law.declared.actions


PRACTICE = Practice(
    "crypt",
    sealed=FOUNDED,
    real=FOUNDED,
    prefer=PREFER,
    silence=never_due,
    seeds=(12, 11),
    calm=("dov", "pass-mantle", "prune-favours", "ascend", "resign-admin"),
    opening=a_traitor_may_be_named,
    undone=("name-traitor",),
    whispers=[
        ("cy", "tell", {"to": "dee", "text": WHISPER}),
        ("cy", "tell", {"to": "emperor", "text": WHISPER}),
        ("ana", "name-traitor", {}),
    ],
)

# ---- the table for repeals

MAP = frozenset({"the-crypt-of-dracula"})
LAIR = MAP | {"vampire-lords", "lair-actions"}
JOURNEY = MAP | {"vampire-lords", "richardos-journey"}
FAVOURS = frozenset({"favours"})
STOCKED = {"room": "E3", "chest": "average-chest", "contents": ["bandages"]}
BAT = {"provider": "dee", "benefit": "sycophancy", "denizen": "bat"}

TABLE = Table(
    "crypt",
    "2021-06-07T00:00:00Z",
    matter={"tags": ["Core", "Special Case", "Appendix"]},
    state={
        "players": {"dee": {"puissance": 5}, "eli": {"puissance": 5, "allegiance": "cy"}},
        "rooms": {
            "E3": {"explored": True, "name": "Hall", "features": ["average-chest", "glyph"], "glyph_owners": ["dee"]},
            "E5": {"explored": True, "name": "Nave", "features": ["puissance-each"], "sigils": {"dee": "active"}},
        },
        "denizens": {"bat": {"name": "bat", "location": "E3", "sycophancy": "dee", "traits": ["evasive"]}},
        "favours": {"cy-ben": {"ripe": 1, "unripe": 1}},
    },
    going_on=[
        ({"at": "+13h", "by": "cy", "act": "explore", "with": {"room": "D4", "name": "Well", "features": []}}, LAIR),
        ({"by": "ben", "act": "engrave", "with": {"room": "E3"}}, LAIR | {"glyphs-and-sigils"}),
        ({"by": "dee", "act": "inhabit", "with": {"room": "E5"}}, LAIR | {"sepulchres"}),
        ({"by": "dee", "act": "destroy-sigil", "with": {"room": "E5"}}, MAP | {"glyphs-and-sigils"}),
        ({"by": "ben", "act": "stock-chest", "with": STOCKED}, JOURNEY | {"features", "treasure"}),
        ({"by": "cy", "act": "claim-favour", "with": {"lender": "ben", "resource": "puissance"}}, FAVOURS | {"vampire-lords"}),
        ({"by": "cy", "act": "release-favour", "with": {"lender": "ben", "ripeness": "unripe"}}, FAVOURS),
        ({"by": "cy", "act": "offer-favour", "with": BAT}, MAP | {"dark-favours"}),
        ({"by": "dee", "act": "accept-favour", "with": {"initiator": "cy"}}, FAVOURS | MAP | {"dark-favours", "crypt-denizens"}),
        ({"by": "eli", "act": "break-thrall"}, FAVOURS | {"vampire-lords"}),
        ({"at": "+38h", "by": "ana", "act": "enter-the-crypt"}, JOURNEY),
        ({"by": "ben", "act": "devastate", "with": {"room": "E3", "feature": "glyph"}}, LAIR | {"features", "glyphs-and-sigils"}),
    ],
    later=39,
)  # fmt: skip
