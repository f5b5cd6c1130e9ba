"""Hostile changes: whatever a popular matter brings, it can be resolved; what cannot be made is skipped, told, and leaves no trace."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hostile.small import Small, small_law

from nomicgit import editions
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.deeds import submitting
from nomicgit.physics.deeds.founding import Founding, found
from nomicgit.physics.numbers import NEWEST
from nomicgit.physics.state.context import Context, Seeded
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game

START = clock.instant("2021-06-07T00:00:00Z")
PLAYERS = ("ana", "ben", "cy", "dee", "eli")
TEXTS: tuple[Any, ...] = (
    "..", ".", "/", "../../game.yml", "a/b", "a..b", ".git", "CON", "", " ", "\n", "\x00", "\u202e", "'", '"', '"x', "-", "--",
    "players/ana", "players", "ana", "ANA", "con.yml", "x" * 40, "é", "Ω", "1", "2.1", "1.1.1.1", "core/", "/x", "@", "@s", "*",
    "[Core]", "{{terms.player}}", "```", "---", "title: x", "Unnamed Rule", "Vampire Lords", "core/Vampire Lords",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    *TEXTS, None, True, False, 0, -1, 1.5, 10**15, [], {}, [[]], [None], {"a": {"b": []}}, {"": 1}, {"name": "x"},
    ["a", 1], {"..": ".."}, [{"add-rule": {}}], {"path": "x"}, "players/nobody", "posts/99",
)  # fmt: skip
WORDS = tuple(text for text in TEXTS if text.strip())
TABLES = ("collections", "actions", "variables", "catalogues", "posts", "limits", "schedule", "views", "..")
DECLARED: tuple[Any, ...] = (
    {"key": "label"}, {"of": "player"}, {"with": {"count": "text"}}, {"per": "day"}, {"every": "day"}, [], "x",
)  # fmt: skip
HEADS = (
    "players",
    "posts",
    "game",
    "dynasty",
    "rules",
    "open",
    "kinds",
    "scenarios",
    "settings",
    "deeds",
    "nothing",
)
FORMS = ("add-rule", "amend", "rename", "move", "repeal", "status", "set", "terms", "player", "rename-player",
         "bar", "scenario", "uphold", "undo", "together", "run", "nonsense", "malformed", "called")  # fmt: skip
KEYS = ("rule", "title", "text", "slug", "section", "under", "after", "before", "declares", "mechanics", "to", "from", "name",
        "admin", "in", "replace", "with", "remove", "add", "move", "at", "set", "was", "player", "players", "whole", "..")  # fmt: skip
PROGRAMS = ("x = 1 // 0", "fail('no')", 'put("game", nothing=1)', "def", 'destroy("players/ana")')


def careless(rng: random.Random) -> Any:
    """What is no change, or one of no shape."""
    if rng.random() < 0.3:
        return rng.choice(VALUES)
    given = {key: rng.choice(VALUES) for key in rng.sample(KEYS, rng.randrange(5))}
    return {rng.choice(FORMS): rng.choice((given, rng.choice(VALUES)))}


def path(world: Transaction, rng: random.Random) -> str:
    """A path that leads somewhere, nowhere, or out of the game."""
    fields = [name for _, name in world.law.declared.variables]
    head = rng.choice([*HEADS, *world.law.declared.collections, *TEXTS])
    parts = [head, *(rng.choice([*fields, *PLAYERS, *TEXTS]) for _ in range(rng.randrange(4)))]
    return ".".join(f'"{part}"' if rng.random() < 0.2 else part for part in parts)


def harmful(world: Transaction, rng: random.Random, deep: int = 0) -> Any:
    """A change of the right shape that leads out of the game, or names what is none."""
    rule = rng.choice([*(each.title for each in world.ruleset.rules), *WORDS])
    a, b, value = rng.choice(WORDS), rng.choice(WORDS), rng.choice(VALUES)
    inner = [harmful(world, rng, deep + 1) for _ in range(3)] if deep < 2 else [{"uphold": a}]
    declares = {rng.choice(TABLES): {a: rng.choice(DECLARED)}}
    return rng.choice([
        {"set": {path(world, rng): value, path(world, rng): value}},
        {"set": {path(world, rng): value}},
        {"run": rng.choice(PROGRAMS)},
        {"together": inner},
        {rng.choice(("repeal", "bar", "uphold", "undo")): rng.choice((rule, a, "ana"))},
        {"add-rule": {"title": a, "text": b, "declares": declares}},
        {"add-rule": {"title": a, rng.choice(("section", "under", "after", "before")): b}},
        {"amend": {"rule": rule, "in": "declarations", "set": {path(world, rng): value}}},
        {"amend": {"rule": rule, "in": "mechanics", "set": {a: "def f():\n    pass"}}},
        {"amend": {"rule": rule, "declares": rng.choice((declares, {a: value}))}},
        {"amend": {"rule": rule, "replace": a, "with": b}},
        {"status": {rule: rng.choice(("active", "inactive"))}},
        {"rename": {"rule": rule, "to": a}},
        {"move": {"rule": rule, "under": a}},
        {"player": {"name": rng.choice((a, "cy")), "admin": True}},
        {"rename-player": {"from": rng.choice((a, "cy")), "to": b}},
        {"terms": {"player": a}},
        {"scenario": {"name": a, "text": rng.choice((b, None))}},
    ])  # fmt: skip


def settled(world: Transaction, changes: list[Any]) -> list[str]:
    """Lay changes into a pending, popular proposal, as if they had been let in, and resolve it: what the journal tells."""

    def do(who: str, what: str, at: int, **given: Any) -> Outcome:
        return world.position.decide(world.context, Deed("d", who, what, given, at), Seeded(b"x", "x"))

    soon = world.now + 3600
    post = str(do("ben", "propose", soon, title="Harm [Core][Appendix][Special Case][Victory]").result)
    world.store.put(post, "changes", changes)
    for who in PLAYERS:
        if who != "ben":
            do(who, "vote", soon, matter=post, icon="for")
    told = list(do("ana", "resolve", soon + 13 * 3600, matter=post).notes)
    assert world.store.value(post, "status") == "enacted"
    return told


@pytest.mark.slow
@pytest.mark.parametrize("edition", editions.names())
@pytest.mark.parametrize("seed", range(2))
def test_a_popular_proposal_of_hostile_changes_is_enacted(edition: str, seed: int) -> None:
    rng = random.Random(f"{edition} {seed}")
    for _ in range(8):
        world = found(
            editions.load(edition),
            Founding(START, PLAYERS, None, ["ana"]),
            Seeded(b"x", "x"),
            Context(secrets=True, trusted=True),
            NEWEST,
        )
        harm = [rng.choice((careless(rng), *[harmful(world, rng)] * 4)) for _ in range(8)]
        told = settled(world, [*harm, {"uphold": "Nothing else was harmed."}])
        assert "Upheld: Nothing else was harmed." in told, harm


def let_in(world: Transaction, change: Any) -> bool:
    """Whether a change has the form of one, so that it can be submitted."""
    try:
        submitting.refuse_formless(world, [change])
    except Refused:
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_a_recorded_matter_of_hostile_changes_is_resolved_and_verified(tmp_path: Path, seed: int) -> None:
    rng, small = random.Random(seed), Small.found(tmp_path / "game")
    game = Game.open(small.folder)
    with game.repository:
        harm = [each for each in (harmful(game.world(), rng) for _ in range(6)) if let_in(game.world(), each)]
    told = small.enact(*harm, {"uphold": "It ended."}).outcome.notes
    assert "Upheld: It ended." in told or any(
        "the law could not be changed any more" in note for note in told
    ), harm
    if "Upheld: It ended." not in told:
        small.do("ben", "resolve", matter="1")  # it is illegal now, and fails
    assert small.value("posts/1 status") in ("enacted", "failed")
    assert small.faults() == {}


SKIPPED: dict[str, tuple[Any, str]] = {
    "a path out of the game": ({"set": {"../../game.yml": 1}}, "../../game.yml is none"),
    "a path that ends in a dot": ({"set": {"players.ana.gold.": 1}}, "players.ana.gold. is none"),
    "a path in declarations": ({"amend": {"rule": "Hoard", "in": "declarations", "set": {"variables..": 1}}}, "variables.. is none"),
    "an id out of its folder": ({"set": {'rooms."../x"': {"name": "x"}}}, "cannot name one of the rooms"),
    "a collection out of the state": (
        {"add-rule": {"title": "Up", "text": "Up.", "declares": {"collections": {"..": {"key": "label"}}}}}, "a name of the law is"
    ),
    "declarations deeper than a file": (
        {"amend": {"rule": "Hoard", "in": "declarations", "set": {".".join("abcdefghijklmnopqrstuvwxyz"): 1}}}, "nested more than 24 deep"
    ),
    "no change at all": ("nonsense", "a change is a mapping with one key"),
    "a change of no known form": ({"ammend": {"rule": "Hoard"}}, "ammend is no form of change"),
    "nothing but a form": ({"set": {}}, "a mapping that is not empty"),
}  # fmt: skip


@pytest.mark.parametrize("name", SKIPPED)
def test_what_cannot_be_made_is_skipped_and_told_and_the_rest_is_made(name: str) -> None:
    harm, why = SKIPPED[name]
    world = found(
        small_law(), Founding(START, PLAYERS, None, ["ana"]), Seeded(b"x", "x"), Context(secrets=True), NEWEST
    )
    told = settled(world, [{"set": {"players.cy.gold": 50}}, harm, {"set": {"players.dee.gold": 60}}])
    assert [note for note in told if why in note], told
    assert [world.store.value(f"players/{name}", "gold") for name in ("cy", "dee")] == [50, 60]


def test_a_key_too_long_for_a_file_is_refused_before_it_is_recorded(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    with pytest.raises(Refused, match="a key has at most 100 characters"):
        small.do("cy", "book", what={"x" * 101: 1})
    small.do("cy", "book", what={"x" * 100: 1})
    assert small.value("game ledger") == {"x" * 100: 1}
