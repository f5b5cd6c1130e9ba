"""Nothing leaks: whoever has no key learns nothing that the law keeps from them, from anything that they can get."""

from __future__ import annotations

import contextlib
import json
import random
import subprocess
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from hostile.keeper import Kept
from support.clones import Clone
from support.depth import DEEP, is_deep
from support.editions import PRACTICES
from support.keyed import KEY, OrderedGame
from support.leaks import holding, told
from support.looks import looks
from support.onlooker import glimpses
from support.pairs import played
from support.practice import Practising
from support.secrets_of import Secret, secrets_of, without
from support.started import ran

from nomicgit import editions
from nomicgit.git import Repository
from nomicgit.record.game import Game
from nomicgit.record.secret.keyring import keep_key
from nomicgit.record.secret.vault import SINCE

EDITIONS = editions.names()
KEEPING = [edition for edition in EDITIONS if secrets_of(edition)]
EVERY = [(edition, secret) for edition in KEEPING for secret in secrets_of(edition)]
MORE = 100  # the first seed of those that the deep profile alone plays
PAIRS = [("assassin", 1), ("assassin", 2), ("werewolf", 3), ("steam", 4), ("crypt", 5)]
SHORTLY = [("assassin", 1)]
"""The pair that is played in every profile; of the other editions one game is."""


def drawn(chance: random.Random, many: int) -> list[tuple[str, Secret]]:
    """So many secrets, each of another sort."""
    by_sort = {secret.sort: (edition, secret) for edition, secret in chance.sample(EVERY, len(EVERY))}
    return chance.sample([*by_sort.values()], many)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Some secrets and some pairs of games; with ``--hypothesis-profile=deep`` every secret, and many pairs."""
    deep = is_deep(metafunc.config)
    if "secret" in metafunc.fixturenames:
        some = EVERY if deep else drawn(random.Random(16), 2)
        metafunc.parametrize(
            ("edition", "secret"), some, ids=[f"{edition}-{secret}" for edition, secret in some]
        )
    elif "seed" in metafunc.fixturenames:
        more = [(edition, seed) for edition in KEEPING for seed in range(MORE, MORE + 30)] if deep else []
        pairs = [pytest.param(*each, marks=() if each in SHORTLY else DEEP) for each in PAIRS]
        metafunc.parametrize(("edition", "seed"), [*pairs, *more])


def practised(folder: Path, edition: str, seed: int, ruleset: Any = None) -> tuple[OrderedGame, Practising]:
    """A game with a key that is about to be played at random."""
    game = OrderedGame.founded(folder, edition, PRACTICES[edition].sealed, None, ruleset)
    play = Practising(PRACTICES[edition], cast(Game, game), seed)
    play.legal = lambda: None  # type: ignore[method-assign]  # other tests look at that
    return game, play


def doers(secrets: Collection[Secret]) -> list[str]:
    """The private actions among secrets."""
    return [
        each.name if each.sort == "action" else each.of
        for each in secrets
        if each.sort != "variable" and each.sort != "collection"
    ]


# ---- one game, searched


def own_words(game: OrderedGame) -> set[str]:
    """What was said in secret, but for what the rules say to everybody."""
    law = "\n".join(game.game.ruleset.texts.values())
    return {each for each in game.said if each not in law}


def asked(clone: Path, *words: str) -> str:
    """What the program says in a clone, to both ends, whether it refuses or not."""
    code, said = Clone(clone).tried(*words)
    assert code in (0, 1, 2), said
    return said


def looked_at(clone: Path) -> Iterator[tuple[str, str]]:
    """Everything that somebody can ask of a clone without the key."""
    posts = sorted(int(path.name.partition("-")[0]) for path in clone.glob("game/posts/**/*.md"))
    for words in (
        ("status",), ("status", "--json"), ("actions",), ("actions", "--json"), ("actions", "--as", "cy"), ("log",),
        ("log", "--json"), ("posts",), *(("posts", str(number)) for number in posts[-2:]), ("verify", "--sealed"), ("state",),
        ("state", "--json"), ("letters", "--as", "cy"), ("keys", "show"), *(("try", str(number)) for number in posts[-1:]),
        ("act", "note", "--as", "cy", "--dry-run"), ("act", "tell", "--as", "cy", "to=dee", "text=hello", "--dry-run"),
    ):  # fmt: skip
        yield " ".join(words), asked(clone, *words)


SOME = [pytest.param(each, marks=() if each == "assassin" else DEEP) for each in KEEPING]
"""One edition, and in the deep profile all that keep secrets."""


@pytest.mark.slow
@pytest.mark.parametrize("edition", SOME)
def test_nothing_said_in_secret_is_anywhere_that_others_can_get(
    tmp_path: Path, edition: str, request: pytest.FixtureRequest
) -> None:
    """Texts of private messages, orders and their refusals are sought in a clone, and in all that is asked of it; and half way on
    the pages as they are made where the key lies. Nor does the record tell of anything else that is secret that it is there.
    """
    game, play = practised(tmp_path / "game", edition, seed=7)
    wanted = doers(secrets_of(edition))
    deeds = 300 if is_deep(request.config) else 60
    for number in range(deeds):
        play.one([name for name in wanted if name not in game.done])
        if number == deeds // 2:
            assert holding(tmp_path / "game", own_words(game)) == {}
            shown = looks(game.game).items()
            assert [(where, said) for where, text in shown for said in own_words(game) if said in text] == []
    assert told(tmp_path / "game", secrets_of(edition)) == set()
    words_said = own_words(game)
    assert len(words_said) > 3
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", "--no-local", tmp_path / "game", clone], check=True)
    for words, answer in looked_at(clone):
        assert [each for each in words_said if each in answer] == [], words
    with contextlib.chdir(clone):
        ran("mkdocs", "build", "-q")
    assert holding(clone, words_said) == {}


# ---- each secret in turn made public


def betrayed(folder: Path, edition: str, secret: Secret, seed: int, tries: int = 240) -> bool:
    """Whether a game is found out in which one of its edition's secrets is public."""
    secrets = secrets_of(edition)
    _, play = game = practised(folder, edition, seed, without(edition, secret))
    wanted = doers([secret]) or doers(secrets)
    for number in range(tries):
        play.one([name for name in wanted if secret.sort == "caller" or name not in game[0].done])
        if number % 20 == 19 and secret in told(folder, secrets):
            return True
    return secret in told(folder, secrets)


UNPAIRED = [pytest.param(each, marks=DEEP if each in dict(SHORTLY) else ()) for each in KEEPING]


@pytest.mark.slow
@pytest.mark.parametrize("edition", UNPAIRED)
def test_a_game_tells_of_none_of_its_editions_secrets(tmp_path: Path, edition: str) -> None:
    game, play = practised(tmp_path, edition, seed=3)
    secrets = secrets_of(edition)
    for _ in range(60):
        play.one([name for name in doers(secrets) if name not in game.done])
    assert told(tmp_path, secrets) == set()


@pytest.mark.slow
def test_a_secret_that_is_public_is_found(tmp_path: Path, edition: str, secret: Secret) -> None:
    """Else the test before this one would hold of anything."""
    assert any(betrayed(tmp_path / str(seed), edition, secret, seed) for seed in (3, 4, 5))


# ---- each way out that was there once


@pytest.mark.parametrize("action", ["whisper", "actions/whisper"])
@pytest.mark.parametrize(("to", "text"), [("to", "text"), ("to_", "text_")])
def test_a_private_action_stays_so_however_it_is_spelled(
    tmp_path: Path, action: str, to: str, text: str
) -> None:
    kept = Kept.begun(tmp_path / "game")
    kept.kept("cy", action, **{to: "dee", text: "meet-me-at-the-well"})
    assert holding(kept.folder, ["meet-me-at-the-well", "cy <cy@", "Nomic-By: cy", "whisper dee"]) == {}


@pytest.mark.parametrize("name", ["strength", "strength_"])
def test_a_private_parameter_stays_so_however_it_is_spelled(tmp_path: Path, name: str) -> None:
    kept = Kept.begun(tmp_path / "game")
    kept.kept("cy", "brew", **{"name": "ale", name: 4711})
    (glimpse,) = glimpses(kept.folder)[1:]
    assert glimpse.line("With") == 'Nomic-With: {"name": "ale"}'
    assert "4711" not in glimpse.message
    assert kept.found_wrong() == kept.found_wrong(KEY) == []


@pytest.mark.slow
def test_what_a_repealed_rule_kept_secret_is_forgotten_and_comes_back_under_no_other(tmp_path: Path) -> None:
    """What becomes of it is said before the vote; whoever declares it again, as public, finds it as new."""
    kept = Kept.begun(tmp_path / "game")
    kept.kept("cy", "hide", n=7)
    kept.kept("cy", "trap", depth=4711)
    hoard = {"of": "player", "type": "integer", "default": 0}
    again = {"title": "Bins", "text": "All can see.", "declares": {"variables": {"hoard": hoard}}}

    def enacted(change: dict[str, Any]) -> list[str]:
        matter = kept.kept("cy", "propose", title="A change", changes=[change]).outcome.result
        said = json.loads(asked(kept.folder, "try", str(matter).partition("/")[2], "--json"))
        for voter in ("cy", "dee"):
            kept.kept(voter, "vote", matter=matter, icon="for")
        kept.kept("ben", "resolve", matter=matter)
        return list(said["secrets"])

    why = "a secret is forgotten, since no rule declares it any more, and its past stays sealed: "
    assert {f"{why}{name}" for name in ("players.hoard", "game.shadow", "traps")} <= {
        *enacted({"repeal": "cellar"})
    }
    assert enacted({"add-rule": again}) == []
    assert "hoard: 0" in kept.git("show", "HEAD:game/state/players/cy.yml")
    assert "hoard: 7" not in kept.git("log", "-p")
    assert "4711" not in kept.git("log", "-p")
    assert kept.found_wrong() == kept.found_wrong(KEY) == []


@pytest.mark.parametrize("name", ["anonymous", "anonymous_"])
def test_who_calls_anonymously_stays_unknown_however_it_is_spelled(tmp_path: Path, name: str) -> None:
    kept = Kept.begun(tmp_path / "game")
    kept.kept("cy", "call", **{"text": "Thief!", name: True})
    (glimpse,) = glimpses(kept.folder)[1:]
    assert "cy" not in glimpse.who + glimpse.message
    assert "Somebody calls: Thief!" in glimpse.message


def test_a_cell_of_which_all_is_secret_has_no_file(tmp_path: Path) -> None:
    """An empty one told where something was buried."""
    kept = Kept.begun(tmp_path / "game")
    for cell in ("A1", "B2"):
        kept.ordered("cy", "bury", cell=cell, n=3)
    assert [path for each in glimpses(kept.folder)[1:] for path in each.changes if path != SINCE] == []
    assert "yard" not in kept.git("ls-tree", "-r", "--name-only", "HEAD")
    assert kept.found_wrong() == kept.found_wrong(KEY) == []


def test_how_often_somebody_drew_in_private_is_not_counted_before_everyones_eyes(tmp_path: Path) -> None:
    """Also where the law draws in the open."""
    kept = Kept.begun(tmp_path / "game")
    kept.ordered("cy", "dare")
    kept.ordered("cy", "gamble")
    assert [path for each in glimpses(kept.folder)[1:] for path in each.changes if path != SINCE] == []
    assert kept.found_wrong() == kept.found_wrong(KEY) == []


def test_what_a_sealed_deed_writes_is_no_larger_where_there_is_more_that_is_secret(tmp_path: Path) -> None:
    """Else its size would tell whom it concerns, and how many orders came before it."""
    kept = Kept.begun(tmp_path / "game")
    kept.ordered("cy", "brew", name="x" * 4000, strength=1)
    for _ in range(9):
        kept.ordered("dee", "trap", depth=1, nonce=f"{kept.count:0200}")
    kept.ordered("cy", "brew", name="y", strength=1)
    sizes = [each.changes[SINCE].rpartition(" <")[0].rpartition("<")[2] for each in glimpses(kept.folder)[1:]]
    assert len(set(sizes[1:])) == 1
    assert sizes[0] > sizes[1]


CRASHING = """
import pkgutil, sys
def crash(*args, **how):
    raise RuntimeError(f"crashed upon {{args}} {{how}}")
where, _, name = {where!r}.rpartition(".")
setattr(pkgutil.resolve_name(where), name, crash)
sys.argv = ["nomicgit", "act", "whisper", "to=dee", "text=meet-me-at-the-well", "--as", "cy"]
from nomicgit.cli import watched
watched()
"""


@pytest.mark.slow
@pytest.mark.parametrize(("where", "ends", "says"), [
    ("nomicgit.record.secret.vault:Vault.after", 3, "crash"),
    ("nomicgit.record.secret.veil.message", 3, "crash"),
    ("nomicgit.sealing.keys:Sealer.shut", 3, "crash"),
    ("nomicgit.physics.deeds.acting.carry_out", 1, "report this to the makers"),  # what a deed stumbles over refuses it
])  # fmt: skip
def test_a_crash_tells_nothing_of_what_was_under_way(
    tmp_path: Path, where: str, ends: int, says: str
) -> None:
    """The log of a steward is everyone's to read, and a report of a crash is sent to others."""
    kept = Kept.begun(tmp_path / "game")
    with Repository.open(kept.folder) as repository:
        keep_key(repository, KEY)
    code = CRASHING.format(where=where)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=kept.folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == ends
    assert says in done.stderr
    assert "meet-me" not in done.stdout + done.stderr
    assert holding(kept.folder, ["meet-me-at-the-well"]) == {}
    assert kept.found_wrong() == []


# ---- pairs

LETS_OUT = {
    "assassin": {"toll-the-bell"},
    "crypt": set[str](),
    "dungeon": set[str](),
    "steam": set[str](),
    "werewolf": {
        "announce-the-end",
        "announce-foiled-attack",
        "resolve-shot",
        "shoot",
        "kings-visit",
        "process-murder",
        "drug-the-well",
        "poison-villager",
        "announce-hairy-back",
    },
}
"""The deeds by which the law itself lets something secret out, as ``docs/secrets.md`` says."""
LOOKED_AT = ("assassin", "steam")
"""The editions of which every pair is looked at, and of the others some of the deep profile's: pages, feeds, data, and costs and earliest
times of what who may do.
"""


@pytest.mark.slow
def test_two_games_that_differ_in_one_secret_look_alike(tmp_path: Path, edition: str, seed: int) -> None:
    pair = played(tmp_path, edition, seed, 40)
    assert told(tmp_path / "left", secrets_of(edition)) == set()
    parting = pair.parting
    if parting is not None:
        assert parting.is_lawful, (parting.action, parting.where)
        assert parting.action in LETS_OUT[edition], parting.where
    elif edition in LOOKED_AT or seed in range(MORE, MORE + 30, 5):
        left, right = looks(pair.left.game), looks(pair.right.game)
        assert [where for where in left.keys() | right.keys() if left.get(where) != right.get(where)] == []
