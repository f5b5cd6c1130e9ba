"""What is never opened: it binds nobody; and a history is replayed the same from wherever one begins."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.keyed import KEY, KeyedGame

from nomicgit.git import Repository
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding
from nomicgit.record.founding import found_game
from nomicgit.record.game import Game, new_id
from nomicgit.record.settings import Settings
from nomicgit.replay.replaying import Replay
from nomicgit.replay.verifying import verify
from nomicgit.sealing.keys import Key

START = clock.instant("2021-06-07T08:00:00Z")
PLAYERS = Founding(START, ["ana", "ben", "cy"], "ana", ["ben"])
RULE = """\
---
title: Whispers
variables:
  coins: {of: player, type: integer}
  word: {of: player, type: text, tracked: secret, opens: never}
  plan: {of: player, type: text, tracked: secret, default: {by: _none}}
  vow: {of: player, type: text, tracked: secret, permanent: true}
  days: {of: game, type: integer}
collections: {things: {key: {prefix: t}, fields: {zeal: integer, name: text, made_on: integer}}}
limits: {weekly: {per: week}}
schedule: {dawn: {every: "day 00:00"}, dusk: {every: "day 18:00"}}
when: {told: _heard}
posts: {story: {official: false, votable: false}}
actions:
  whisper: {private: true, opens: never, limit: weekly, with: {text: text}}
  plot: {private: true, with: {text: text}}
  pay: {private: true, opens: never}
  peek: {private: true}
  follow: {}
  echo: {with: {plain: boolean}}
  gamble: {private: true, opens: never}
  forget: {}
  make: {}
  mend: {}
  unmake: {}
---
Who whispers is not heard.

```starlark
def _none(player):
    return ""

def do_whisper(actor, text):
    put(actor, word=text)
    tell("players/ana", text)
    emit("told", actor, text)

def _heard(actor, text):
    if text == "plot":
        do("plot", actor, text=text)
    if text == "maybe":
        can("plot", actor, text=text)

def do_plot(actor, text):
    put(actor, plan=text, vow=text)

def do_peek(actor):
    put(actor, plan=get(actor, "word"))

def do_follow(actor):
    if get(actor, "word") == "hush":
        gain(actor, "coins", 1)

def do_echo(actor, plain):
    say("story", "An echo" if plain else get(actor, "word"), "")

def do_pay(actor):
    gain(actor, "coins", 1)

def do_gamble(actor):
    put(actor, word=str(secretly_roll(6)))

def do_forget(actor):
    say("story", " ".join(reset(actor, only="secret")), "")

def do_make(actor):
    create("things", zeal=1, name="bat")

def do_mend(actor):
    put("things/t1", made_on=int(now()[8:10]))

def do_unmake(actor):
    destroy("things/t1")
    say("story", " ".join([c["path"] for c in changed()]), "")

def schedule_dusk():
    if get("players/cy", "word") == "hush":
        put("game", days=100)

def schedule_dawn():
    put("game", days=int(now()[11:13]) + int(now()[14:16]) + get("game", "days") + 1)
```
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    (tmp_path / "rules" / "1-core").mkdir(parents=True)
    (tmp_path / "rules" / "1-core" / "10-whispers.md").write_text(RULE, "utf-8")
    return tmp_path / "rules"


@pytest.fixture
def game(tmp_path: Path, rules: Path) -> Game:
    return KeyedGame.founded(tmp_path / "game", str(rules), PLAYERS).game


def act(game: Game, actor: str, action: str, /, **given: object) -> str:
    at = game.last() + 3600
    return game.act(Deed(new_id(at), actor, action, given, at)).commit


def listed(game: Game) -> list[str]:
    """The deeds that who has the opened half of the key cannot open."""
    verified = verify(game.repository, game.head.oid, keys=[Key(KEY.main, None)])
    assert verified.faults == []
    return [each.commit for each in verified.sealed]


def test_what_is_never_opened_changes_nothing_on_which_the_game_hangs(game: Game) -> None:
    with pytest.raises(Refused, match="would change coins of players/cy"):
        act(game, "cy", "pay")
    with pytest.raises(Refused, match="would change drawn of open"):
        act(game, "cy", "gamble")
    assert listed(game) == []
    whisper = act(game, "cy", "whisper", text="hush")
    assert listed(game) == [whisper]


@pytest.mark.slow
def test_what_hangs_on_what_is_never_opened_is_never_opened_and_binds_nobody(game: Game) -> None:
    """Else whoever has the opened half of the key could not replay it, and would accuse an honest keeper."""
    whisper = act(game, "cy", "whisper", text="hush")
    for action, field in (("peek", "plan of players/cy"), ("follow", "coins of players/cy")):
        with pytest.raises(Refused, match=f"would change {field}"):
            act(game, "cy", action)
    assert listed(game) == [whisper]
    act(game, "cy", "echo", plain=True)
    echo = act(game, "cy", "echo", plain=False)
    assert listed(game) == [whisper, echo]
    for _ in range(12):  # past a dusk, which may not look
        act(game, "ben", "make")
    assert listed(game) == [whisper, echo]
    assert KeyedGame(game).world().store.value("game", "days") != 100
    messages = "".join(each.message for each in game.repository.log(game.head.oid))
    assert "word of players is never opened, and what happens by the clock may not hang on it" in messages
    for keys in ([KEY], []):
        assert verify(game.repository, game.head.oid, keys=keys).faults == []


def test_a_word_by_which_something_private_is_done_is_opened_with_that(game: Game) -> None:
    act(game, "cy", "whisper", text="plot")
    assert listed(game) == []
    asked = act(game, "ben", "whisper", text="maybe")
    assert listed(game) == [asked]


@pytest.mark.slow
def test_a_reset_of_what_is_secret_leaves_the_rest(game: Game) -> None:
    act(game, "cy", "plot", text="now")
    act(game, "cy", "whisper", text="hush")
    act(game, "cy", "forget")
    world = KeyedGame(game).world()
    assert world.store.value("players/cy", "plan") == ""
    assert [world.store.value("players/cy", name) for name in ("word", "vow")] == ["hush", "now"]
    post = game.repository.file(game.head.tree, "game/posts/2021/06/0001-plan.md")
    assert post is not None


@pytest.mark.slow
def test_a_history_is_replayed_the_same_from_wherever_one_begins(tmp_path: Path, rules: Path) -> None:
    from nomicgit import editions

    folder = tmp_path / "open"
    plain: Ruleset = editions.load(str(rules))
    with Repository.init(str(folder)) as repository:
        found_game(repository, plain, Settings("Open", str(rules), time="given"), PLAYERS)
    game = Game.open(folder)
    at = START
    for actor, action in (("cy", "make"), ("ben", "mend"), ("cy", "unmake"), ("cy", "make")):
        at += 31 * 3600
        game.act(Deed(new_id(at), actor, action, {}, at))
    commits = list(game.repository.log(game.head.oid))[::-1]
    for start in range(len(commits)):
        steps = list(Replay(game.repository, commits).steps(start))
        assert [faults for faults, *_ in steps if faults] == [], f"from {start}"
