"""Looking at games with keys: at any place of a game, at any time, without the key; where it is at hand nothing else is seen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hostile.keeper import Kept
from support.depth import DEEP
from support.editions import PRACTICES
from support.keyed import KEY, KeyedGame
from support.practice import Practising

from nomicgit.outlook import checks, openings, overview, voters
from nomicgit.outlook.checks.opens_for import in_words
from nomicgit.record.game import Game
from nomicgit.site.export import export

HOUR = 3600
LATER = (0, 4 * 24 * HOUR)


def seen(game: Game, at: int) -> dict[str, object]:
    """Everything that is asked of a game by who looks at it."""
    world = game.looked_at(at)
    who = sorted(game.tree.ids("players"))[1]
    return {
        "outlook": overview.outlook(game, at).as_json(),
        "open": {name: each.as_json() for name, each in openings.openings(world, who).items()},
        "closed": openings.closed(game.looked_at(at), world.law.declared.actions.values()),
        "votes": voters.wants_vote(game.looked_at(at), who),
        "tried": checks.prospects(game.looked_at(at))._asdict(),
        "halted": game.looked_at(at).halted,
    }


def looks(game: KeyedGame) -> Iterator[dict[str, object]]:
    """What is seen now and later without the key; each is held to what is seen where it is at hand."""
    repository, head = game.game.repository, game.game.head
    for later in LATER:
        at = game.game.last() + later
        without = seen(Game(repository, head), at)
        assert json.dumps(without) == json.dumps(seen(Game(repository, head, KEY), at))
        yield without


@pytest.mark.slow
@pytest.mark.parametrize(
    "edition",
    [pytest.param(each, marks=() if each == "werewolf" else DEEP) for each in sorted(PRACTICES)],
)
def test_whoever_looks_meets_no_error_and_no_secret(edition: str, tmp_path: Path) -> None:
    practice = PRACTICES[edition]
    keyed = KeyedGame.founded(tmp_path / "game", edition, practice.sealed)
    play = Practising(practice, keyed, 17)  # type: ignore[arg-type]
    some: list[dict[str, object]] = []
    for _ in range(2):
        for _ in range(10):
            play.one([])
        some += looks(keyed)
    told = [json.dumps(each) for each in some]
    assert not any("sealed" in json.dumps(each["outlook"]["defects"]) for each in some)  # type: ignore[index]
    if edition in ("werewolf", "steam", "assassin"):
        assert any('"sealed": true' in each for each in told)
    if edition == "werewolf":
        assert any(each["halted"] for each in some)
    game = keyed.game
    written = export(game, tmp_path / "pages", game.last() + LATER[1])
    assert written


@pytest.mark.slow
def test_a_branch_that_makes_something_secret_is_checked_without_the_key(tmp_path: Path) -> None:
    """As in a game in which nothing secret is set, and as where the key is at hand."""
    kept = Kept.begun(tmp_path / "game")
    kept.kept("cy", "hide", n=3)
    rule = kept.folder / "game/ruleset/2-dynastic/95-purses.md"
    declared = (
        "variables: {purse: {of: player, type: integer, default: 7, tracked: secret, seen_by: [owner]}}"
    )
    declared += "\nactions: {spend: {by: player}, jingle: {by: player}}"
    code = "def can_spend(actor):\n    return '' if get(actor, 'purse') else 'you have none'\n\n"
    code += "def do_spend(actor):\n    pass\n\ndef do_jingle(actor):\n    pass\n"
    rule.write_text(
        f"---\ntitle: Purses\n{declared}\n---\nNobody sees into a purse.\n\n```starlark\n{code}```\n", "utf-8"
    )
    kept.git("switch", "-q", "-c", "purses")
    kept.git("add", "-A")
    kept.git("commit", "-q", "-m", "Purses")
    base, head = kept.git("rev-parse", "main", "purses").split()
    seen_with = list[object]()
    for key in (None, KEY):
        game = Game.open(kept.folder).at_home()[0]
        game.key = key
        checked = checks.check_branch(game, base, head, kept.at)
        assert checked.sound
        assert [each.title for each in checked.rules] == ["Purses"]
        opens = {each["action"]: in_words(each, reasons=False) for each in checked.enactment["actions"]}
        assert opens["spend"].endswith(
            "where nothing secret is set; how it is here hangs on what is, and only the keeper can say"
        )
        assert "secret" not in opens["jingle"]
        seen_with.append(checked.as_json())
    assert seen_with[0] == seen_with[1]


def test_why_a_change_is_not_made_is_told_as_far_as_it_hangs_on_no_secret(tmp_path: Path) -> None:
    """As in a game without a key; what hangs on a secret is told as where none is set, with the key at hand too."""
    kept = Kept.begun(tmp_path / "game")
    kept.kept("cy", "hide", n=3)
    base = kept.git("rev-parse", "main").strip()
    rule = kept.folder / "game/ruleset/2-dynastic/95-flip.md"
    code = "def settle_flipping(player):\n    put(player, flip=1 - get(player, 'flip'))\n"
    hangs = code.replace("    put", "    if get('players/cy', 'hoard') == 3:\n        put")
    flips = (
        "variables: {flip: {of: player, type: integer}}\nsettles: {flipping: {of: player, watches: [flip]}}"
    )
    place = (
        "variables:\n  hid: {of: player, tracked: secret}\n  at: {of: player, type: fields, default: D1}\n"
    )
    place += "collections: {fields: {key: {columns: [A], rows: [1]}}}"
    for declared, body, line, why in (
        (flips, code, 9, "these never come to rest: the settle flipping of the rule Flip"),
        (place, "def _none():\n    pass\n", 5, "variables.at.default: there is no D1 among the fields"),
        (flips, hangs, 0, ""),
    ):
        rule.write_text(f"---\ntitle: Flip\n{declared}\n---\nIt flips.\n\n```starlark\n{body}```\n", "utf-8")
        kept.git("switch", "-q", "-C", "flip", "main")
        kept.git("add", "-A")
        kept.git("commit", "-q", "-m", "Flip")
        head = kept.git("rev-parse", "flip").strip()
        seen_with = list[object]()
        for key in (None, KEY):
            game = Game.open(kept.folder).at_home()[0]
            game.key = key
            seen_with.append(checks.check_branch(game, base, head, kept.at).as_json())
        assert seen_with[0] == seen_with[1]
        findings = seen_with[0]["findings"]  # type: ignore[index]
        of_change = [each for each in findings if "change 1 would not be made now" in each["what"]]
        assert [each["what"] for each in of_change if why not in each["what"]] == []
        assert len(of_change) == bool(why), findings
        assert not line or of_change[0]["line"] == line
        kept.git("switch", "-q", "main")
