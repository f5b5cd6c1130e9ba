"""Orders and letters from the command line: a keeper's clone and a player's, and what lies between them."""

from __future__ import annotations

import functools
import json
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hostile.keeper import Kept
from support.clones import QUIET, Clone

from nomicgit.cli.bodies import letters as letters_read
from nomicgit.cli.bodies import mailboxes, orders
from nomicgit.clones.secret import awaited, lettering
from nomicgit.clones.secret.addresses import Noted, Waiting
from nomicgit.git import Repository
from nomicgit.git.incoming import serve
from nomicgit.physics.deeds import keyed
from nomicgit.record.game import Game
from nomicgit.record.secret import ordering
from nomicgit.sealing import age, letters
from nomicgit.sealing.keys import Key
from nomicgit.sealing.padding import padded
from nomicgit.sealing.shares import shares

PLAYERS = [word for name in ("ana", "ben", "cy", "dee", "eli") for word in ("--player", name)]
START = ["--practice", "--start", "2021-06-07T12:00:00Z"]


def share_of(clone: Clone) -> str:
    """The words of the share that somebody reads; how it was handed out is told beside them."""
    words, *beside = clone.play("keys", "share", "--mine").splitlines(keepends=True)
    assert re.match(r"handed out 2021-\S+Z in ana's name, of the key of term \d, to cy", beside[0]), beside
    return words


class Table:
    """A game of assassin that ana keeps, in her clone, and in that of cy, who has a mailbox."""

    def __init__(self, folder: Path) -> None:
        self.bare, self.keeper, self.player = (Clone(folder / name) for name in ("bare.git", "hall", "cy"))

    @classmethod
    def founded(cls, folder: Path, *more: str, start: list[str] = START) -> Table:
        """A new one, made by commands."""
        here, table = Clone(folder), cls(folder)
        words = ["new", "hall", "--edition", "assassin", *PLAYERS, "--emperor", "ana", "--admin", "ben"]
        here.play(*words, *start, *more)
        here.git("clone", "-q", "--bare", "hall", "bare.git")
        table.keeper.git("remote", "add", "origin", str(table.bare.folder))
        table.keeper.git("fetch", "-q", "origin")
        table.keeper.git("branch", "-q", "--set-upstream-to", "origin/main")
        table.clone("cy")
        table.player.play("letters", "--register")
        table.player.play("sync")
        table.keeper.play("sync")
        return table

    def copied(self, folder: Path) -> Table:
        """One just like it, in another folder."""
        table = Table(folder)
        for old, new in zip(self.clones, table.clones, strict=True):
            shutil.copytree(old.folder, new.folder, symlinks=True)
        for each in (table.keeper, table.player):
            each.git("remote", "set-url", "origin", str(table.bare.folder))
        return table

    @property
    def clones(self) -> tuple[Clone, ...]:
        return self.bare, self.keeper, self.player

    def clone(self, name: str) -> Clone:
        """Another clone of it, in which a player sits."""
        folder = self.bare.folder.parent
        Clone(folder).git("clone", "-q", str(self.bare.folder), name)
        Clone(folder / name).play("me", "cy")
        return Clone(folder / name)

    def handed_to_dee(self) -> Clone:
        """A clone in which dee sits, who has a mailbox: she and cy are handed out a share of the key each."""
        dee = self.clone("dee")
        dee.play("me", "dee")
        dee.play("letters", "--register")
        dee.play("sync")
        self.keeper.play("keep")
        self.keeper.play("keys", "share", "2", "--to", "cy", "--to", "dee")
        return dee

    def tell(self, text: str, at: str = "+1h") -> None:
        """Let cy be told something, by the keeper's own clone."""
        self.keeper.play("act", "tell", "to=cy", f"text={text}", "--as", "dee", "--at", at)

    def forge(self, change: Callable[[dict[str, Any]], None]) -> None:
        """Let the keeper lay down other letters than those that the record makes."""
        game = Game.open(str(self.keeper.folder))
        letter = json.loads(lettering.written(game)["cy"])
        change(letter)
        texts, boxes = {"cy": json.dumps(letter).encode()}, lettering.mailboxes(game, game.last())
        files = letters.packed(texts, boxes, ordering.sealer_of(game).signature)
        commit = game.repository.lone({"cy.age": files["cy"]}, "Letters")
        self.keeper.git("push", "-q", "--force", "origin", f"{commit}:refs/heads/letters")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """One at which nobody plays."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("GIT_CONFIG_GLOBAL", str(QUIET))
        yield Table.founded(tmp_path_factory.mktemp("table"))


@pytest.fixture
def table(model: Table, tmp_path: Path) -> Table:
    return model.copied(tmp_path)


@pytest.mark.slow
def test_an_order_that_came_in_another_way_is_pushed_and_answered_in_that_round(table: Table) -> None:
    assert "there is no player zed" in table.player.play("order", "tell", "to=zed", "text=Hi", code=1)
    order = table.player.play("order", "tell", "to=dee", "text=By hand")
    (table.keeper.folder.parent / "order.txt").write_text(order)
    said = table.keeper.play("keep", "--order", "../order.txt", "--at", "+1h")
    assert "1 order taken" in said
    assert "1 letter written" in said
    assert "pushed 2 commits" in said, "the order, and that cy's mailbox counts"
    assert table.bare.git("rev-parse", "main") == table.keeper.head
    table.player.play("sync")
    assert "By hand" in table.player.play("letters")
    again = json.loads(table.keeper.play("keep", "--order", "../order.txt", "--json", code=1))
    assert list(again["unfit"]) == ["--order 1"]
    assert again["pushed"] == again["letters"] == 0
    table.player.play("order", "roll", "dice=2DICE6", "--push", "--yes")
    assert "a round is theirs" in table.keeper.play("keep", "--as", "cy", code=1)
    table.keeper.play("keep", "--as", "ana", "--at", "+1h")
    thrown = re.findall(r"^d6 gave ([1-6])\.$", table.keeper.git("log", "--format=%B"), re.MULTILINE)
    table.player.play("sync")
    assert f"2DICE6: done\n      dice: {', '.join(f'd6: {each}' for each in thrown)}" in table.player.play(
        "letters"
    )
    lay_key(table)
    assert "as the record says" in table.player.play("letters", "--check")


@pytest.mark.slow
def test_a_letter_of_deeds_that_a_clone_has_not_synced_accuses_nobody(table: Table) -> None:
    table.tell("At the well")
    table.keeper.play("keep", "--at", "+1h")
    said = table.player.play("letters")
    assert "At the well" in said
    assert "record" not in said
    checked = table.player.play("letters", "--check")
    assert "1 deed of which it tells is not in this clone yet: nomicgit sync" in checked
    assert "not in the record" not in checked
    table.player.play("sync")
    assert json.loads(table.player.play("letters", "--check", "--json")) == {
        "terms": {"1": []}, "not_opened": [1], "not_here_yet": {"1": []},
    }  # fmt: skip


@pytest.mark.slow
def test_what_was_told_after_a_letter_is_not_missed_in_it(table: Table) -> None:
    table.tell("At the well")
    table.keeper.play("keep", "--at", "+1h")
    assert "to be read" not in table.player.play("status")
    waits = "letters: 1 line of your letter waits to be read: nomicgit letters"
    assert waits in table.player.play("sync")
    assert waits in table.player.play("status")
    assert table.clone("cy2").play("status").count("to be read") == 0, "it has another mailbox, or none"
    table.player.play("letters")
    assert json.loads(table.player.play("status", "--json"))["letters"] == 0
    table.tell("At the gate")
    table.keeper.play("sync")
    table.player.play("sync")
    (table.player.folder / "key").write_text(table.keeper.play("keys", "show", "--secret", "--yes"))
    table.player.play("keys", "set", "key")
    assert "term 1: as the record says" in table.player.play("letters", "--check")


@pytest.mark.slow
def test_a_forged_letter_is_marked_and_no_later_one_takes_its_trace_away(table: Table) -> None:
    table.tell("At the well")
    table.keeper.play("keep", "--at", "+1h")
    table.player.play("sync")
    lie = {"deed": "f0f0f0", "at": "2021-06-07T13:00:00Z", "text": "Trust nobody but me"}
    table.forge(lambda letter: letter["told"].append(lie))
    for _ in range(2):  # what is marked is not only said once
        said = table.player.play("letters")
        assert "not in the record: Trust nobody but me" in said
        assert "this letter tells of what the record does not hold, 1 deed" in said
    assert "not in the record: At the well" not in table.player.play("letters", "--all")
    table.keeper.play("keep", "--at", "+1h")
    assert "told before, and left out now: 2021-06-07T13:00:00Z  Trust nobody but me" in table.player.play(
        "letters"
    )
    checked = table.player.play("letters", "--check", code=1)
    assert "the deed f0f0f0 is not in the record: Trust nobody but me" in checked
    table.forge(lambda letter: letter["told"].clear())
    assert "left out now: 2021-06-07T13:00:00Z  At the well" in table.player.play("letters", "--all")
    assert "before, and does so no more: At the well" in table.player.play("letters", "--check", code=1)


@pytest.mark.slow
def test_a_mailbox_elsewhere_is_registered_for_whom_one_names(table: Table) -> None:
    box = age.recipient_of(age.identity(b"m" * 32))
    table.keeper.play("me", "ana")
    assert f"nomicgit letters --mailbox {box} --as NAME" in table.keeper.play(
        "letters", "--mailbox", box, code=2
    )
    assert "ben's mailbox is known" in table.keeper.play(
        "letters", "--mailbox", box, "--as", "ben", "--at", "+1h"
    )
    second = age.recipient_of(age.identity(b"n" * 32))
    again = table.keeper.play("letters", "--mailbox", second, "--as", "ben", "--at", "+1h", "--dry-run")
    assert "share" not in again, "nobody has handed any out"
    players = table.keeper.folder / "game/state/players"
    assert [name for name in ("ana", "ben") if box in (players / f"{name}.yml").read_text()] == ["ben"]


@pytest.mark.slow
def test_who_lost_their_mailbox_is_told_when_letters_come_to_the_new_one(table: Table) -> None:
    table.tell("At the well")
    table.keeper.play("keep", "--at", "+1h")
    other = table.clone("laptop")
    waits = "72 hours after the keeper's next round"
    assert waits in other.play("letters", "--register")
    assert f"letters go to your former mailbox, and to this one {waits}" in other.play("letters", code=1)
    other.play("sync")
    table.keeper.play("keep", "--at", "+1h")
    since = json.loads(table.keeper.play("status", "--json"))["at"]
    until = since.replace("2021-06-07", "2021-06-10")
    assert until != since
    other.play("sync")
    assert f"letters go to your former mailbox, and to this one from {until} on" in other.play(
        "letters", code=1
    )
    assert "At the well" in table.player.play("letters")
    table.tell("At the gate", at="+80h")
    table.keeper.play("keep")
    other.play("sync")
    said = other.play("letters")
    assert "At the well" in said
    assert "At the gate" in said
    table.player.play("sync")
    told = table.player.play("letters", code=1)
    assert f"letters go to another mailbox than this clone's since {until}" in told
    assert "nomicgit letters --register" in told


@pytest.mark.slow
def test_a_player_is_warned_while_another_mailbox_waits_in_their_name(table: Table) -> None:
    table.keeper.play("keep")
    thief = table.clone("thief")
    thief.play("letters", "--register")
    assert "mailbox" not in thief.play("sync")
    warning = "another mailbox than this clone's was registered in your name at"
    assert warning in table.player.play("sync")
    table.tell("At the well")
    table.keeper.play("keep", "--at", "+1h")
    for words in (("status",), ("sync",), ("letters",)):
        said = table.player.play(*words)
        assert warning in said, words
        assert "if it was not you who registered it, say so:\n    nomicgit letters --register" in said
    for command in (["status"], ["sync"], ["letters", "--all"]):
        assert warning in json.loads(table.player.play(*command, "--json"))["mailbox"]
    table.player.play("letters", "--register")
    for words in (("status",), ("sync",), ("letters",)):
        assert warning not in table.player.play(*words), words
    assert warning not in table.keeper.play("status", "--as", "dee")
    browser = age.recipient_of(age.identity(b"b" * 32))
    table.player.play("letters", "--mailbox", browser, "--as", "cy")
    for words in (("status",), ("sync",)):
        assert warning not in table.player.play(*words), "it was registered here"


@pytest.mark.slow
def test_who_had_no_mailbox_is_warned_of_one_in_their_name(table: Table) -> None:
    warning = "a mailbox that is not this clone's was registered in your name at"
    dee, thief = table.clone("dee"), table.clone("thief")
    dee.play("me", "dee")
    assert warning not in dee.play("status")
    assert "with the keeper's next round" in thief.play("letters", "--register", "--as", "dee")
    thief.play("sync")
    for words in (("sync",), ("status",)):
        said = dee.play(*words)
        assert warning in said, words
        assert "gets your letters from the keeper's next round on" in said, (
            "in practice anybody's word is good"
        )
    assert "in dee's name: letters go there" in table.keeper.play("keep")
    dee.play("sync")
    assert "gets your letters now" in dee.play("status")
    assert warning not in dee.play("status", "--at", "+73h")
    table.keeper.play("letters", "--register", "--as", "dee")
    box = (table.keeper.folder / "game/state/players/dee.yml").read_text().partition("mailbox:")[2]
    assert "before" not in box, "who has the key says at once whose it is"
    table.keeper.play("keep")
    assert "dee.age" in table.bare.git("ls-tree", "letters")
    thief.play("sync")
    assert "letters" in thief.play("letters", "--as", "dee", code=1)
    thief.play(
        "letters", "--register", "--as", "ana"
    )  # who keeps the key: with her letters everything could be read
    thief.play("sync")
    assert "letters go there" not in table.keeper.play("keep")
    assert "ana.age" not in table.bare.git("ls-tree", "letters")


def test_whoever_is_called_otherwise_now_is_named_so_where_their_mailbox_waits(tmp_path: Path) -> None:
    kept = Kept.begun(tmp_path / "game")
    kept.do("cy", "propose", title="Zoe", changes=[{"rename-player": {"from": "cy", "to": "zoe"}}])
    for voter in ("cy", "dee"):
        kept.do(voter, "vote", matter="1", icon="for")
    kept.do("ben", "resolve", matter="1")
    game, box = Game.open(kept.folder), Waiting("cy", "age1abc", replaces=False, begins=None)
    said = "\n".join(orders._boxes(game, [Noted(box, keyed.Judged.SEEN, "")]))
    for words in ("in zoe's name is new", "ask zoe; if it is theirs: nomicgit keep --confirm zoe=age1abc"):
        assert words in said
    assert "cy" not in said
    assert "--confirm zoe=age1abc" in mailboxes.at_once(game, "cy", "age1abc")


@pytest.mark.slow
def test_the_keeper_says_whose_a_mailbox_is_that_waits(table: Table) -> None:
    table.keeper.play("keep")
    other = table.clone("laptop")
    other.play("letters", "--register")
    other.play("sync")
    said = table.keeper.play("keep")
    [line] = re.findall(r"if it is theirs: nomicgit (keep --confirm cy=age1\w+)", said)
    assert "in cy's name is new: it counts in 72 hours, and letters go to the former one till then" in said
    assert f"if it is not: nomicgit {line.replace('--confirm', '--refuse')}" in said
    assert re.search(
        rf"in cy's name a mailbox waits until 2021-\S+:\n  nomicgit {line}, or", table.keeper.play("keep")
    )
    word = line.split()[-1]
    assert "say one of them" in table.keeper.play("keep", "--confirm", word, "--refuse", word, code=2)
    box: dict[str, object] = {"player": "cy", "recipient": word.partition("=")[2], "is": "theirs"}
    [waits] = json.loads(table.keeper.play("keep", "--json"))["mailboxes_waiting"]
    assert (waits["recipient"], waits["until"][:5]) == (box["recipient"], "2021-")
    box |= {"replaces": True, "others": []}
    assert json.loads(table.keeper.play(*line.split(), "--json"))["mailboxes"] == [box]
    other.play("sync")
    assert "nothing" in other.play("letters")
    assert f"no mailbox {word} waits" in table.keeper.play("keep", "--refuse", word, code=1)
    thief = table.clone("thief")
    thief.play("letters", "--register")
    thief.play("sync")
    [word] = re.findall(r"--refuse (cy=age1\w+)", table.keeper.play("keep"))
    assert "refused, and counts no more" in table.keeper.play("keep", "--refuse", word)
    table.keeper.play("keep", "--at", "+80h")
    other.play("sync")
    assert "nothing" in other.play("letters")
    assert "verified" in table.keeper.play("verify", "--without-key")


@pytest.mark.slow
def test_who_seals_an_order_is_told_when_its_answer_comes(table: Table) -> None:
    table.keeper.play("keep")
    blank = ("order", "--blank", "--push")
    assert "letters come there from the keeper's next round on" in table.player.play(*blank), (
        "as far as it knows"
    )
    table.player.play("sync")
    assert "mailbox:" not in table.player.play(*blank)
    assert "mailbox: you have none, and no letter comes without" in table.player.play(*blank, "--as", "dee")
    laptop = table.clone("laptop")
    laptop.play("letters", "--register")
    assert "72 hours after the keeper's next round, and to the former one till then" in laptop.play(
        "order", "--blank"
    )
    laptop.play("sync")
    table.keeper.play("keep")
    laptop.play("sync")
    assert re.search(
        r"letters come there from 2021-06-1\S+ on, and to the former one till then", laptop.play(*blank)
    )
    table.keeper.play("keep", "--at", "+73h")
    laptop.play("sync")
    assert "mailbox:" not in laptop.play(*blank)


@pytest.mark.slow
def test_an_order_that_is_left_out_is_told_until_it_is_answered(table: Table) -> None:
    table.player.play("order", "tell", "to=dee", "text=Mine", "--push")
    ref = table.bare.git("for-each-ref", "--format=%(objectname) %(refname)", "refs/heads/orders")
    oid, name = ref.split()
    kept = Path(table.player.folder, ".git", "nomicgit", "orders")
    assert kept.stat().st_mode & 0o777 == 0o600
    table.bare.git("update-ref", "-d", name)
    table.tell("At the well")
    table.keeper.play("keep", "--at", "+1h")
    at = json.loads(kept.read_text())[0][2]
    told = f"your order tell, handed in at {at}, is not answered yet: "
    assert told + "it lies there no more" in table.player.play("letters")
    assert [each["ref"] for each in json.loads(table.player.play("letters", "--json"))["unanswered"]] == [
        name
    ]
    table.bare.git("update-ref", name, oid)
    assert told + "it lies there still" in table.player.play("letters")
    table.player.play("sync")
    table.keeper.play("keep", "--at", "+1h")
    said = table.player.play("letters")
    assert "Mine" in said
    assert "not answered" not in said
    assert json.loads(kept.read_text()) == []
    table.player.play("order", "--blank", "--push")
    assert "not answered" not in table.player.play("letters")  # no round has come
    table.keeper.play("keep", "--at", "+1h")
    said = table.player.play("letters")
    assert re.search(r"your order blank: done$", said, re.MULTILINE)
    assert json.loads(kept.read_text()) == []


@pytest.mark.slow
def test_an_order_that_is_passed_over_in_silence_is_told_with_how_often_others_were_sealed(
    table: Table,
) -> None:
    """The keeper does deeds in private meanwhile, makes no round that others see, and writes no letter."""
    table.tell("At the well")
    table.keeper.play("keep", "--at", "+1h")
    stood = table.bare.git("rev-parse", "main")
    table.player.play("order", "tell", "to=dee", "text=Mine", "--push")
    assert "not answered" not in table.player.play("letters")
    for place, hours in enumerate(("+1h", "+1h", "+1h"), 1):
        table.keeper.play("act", "tell", "to=dee", "text=Hi", "--as", "ana", "--at", hours)
        table.keeper.play("sync")
        sealed = table.bare.git("log", "--format=%at", "--grep=^Nomic-Sealed: ", f"{stood}..main").split()
        said = table.player.play("letters")
        times = f"{place} time" + ("s" if place > 1 else "")
        assert (
            f"is not answered yet: it lies there still; the keeper has sealed other deeds since, {times}"
            in said
        )
        assert len({*sealed}) == place
    table.keeper.play("keep", "--at", "+1h")
    assert "not answered" not in table.player.play("letters")


@pytest.mark.slow
def test_two_players_in_one_clone_have_a_mailbox_each(table: Table) -> None:
    def registered(who: str) -> str:
        return str(json.loads(table.player.play("letters", "--register", "--as", who, "--json"))["recipient"])

    boxes = [registered(who) for who in ("dee", "eli")]
    assert boxes[0] != boxes[1]
    stored = [
        yaml.safe_load((table.player.folder / f"game/state/players/{who}.yml").read_text())["mailbox"]
        for who in ("dee", "eli")
    ]
    assert [each["recipient"] for each in stored] == boxes
    assert "that is your mailbox already" in table.player.play("letters", "--register", "--as", "dee", code=1)


@pytest.mark.slow
def test_who_leaves_reads_their_last_letter_and_is_told_that_no_other_comes(table: Table) -> None:
    table.tell("At the well")
    table.keeper.play("keep", "--at", "+1h")
    table.player.play("sync")
    assert "At the well" in table.player.play("letters")
    table.tell("At the gate")
    for words in (("leave",), ("tell", "to=dee", "text=Too late")):
        table.player.play("order", *words, "--push", "--yes")
    table.keeper.play("keep", "--at", "+1h")
    commits = table.bare.git("log", "--format=%H %s").splitlines()
    assert any(line.endswith(" cy: leave") for line in commits)
    for synced in (False, True):  # the letter tells it to who does not know it yet
        said = table.player.play("letters", "--all")
        at = json.loads(table.keeper.play("status", "--json"))["at"]
        assert "At the well" in said
        assert "At the gate" in said
        assert f"no more letters are written to you: you are no player since {at} (cy: leave)" in said
        assert "not in the record" not in said, synced
        table.player.play("sync")
    late = json.loads(table.player.play("letters", "--all", "--json"))["orders"][-1]
    assert late["action"] == "tell"
    lies = table.bare.git("ls-tree", "letters")
    table.keeper.play("act", "tell", "to=eli", "text=Without cy", "--as", "dee", "--at", "+1h")
    table.keeper.play("keep", "--at", "+1h")
    assert table.bare.git("ls-tree", "letters") == lies, "there is nothing new in it"
    assert "term 1: its key is not open yet" in table.player.play("letters", "--check")
    other = table.clone("laptop")
    assert "this clone has no mailbox" in other.play("letters", code=1)
    lettering.lay(other.folder / ".git/nomicgit/mailbox-cy", age.identity(bytes(32)))
    assert f"another mailbox than this clone's, the one that was yours when you left the game at {at}" in (
        other.play("letters", code=1)
    )
    table.player.play("sync")
    for name in ("cy", "zoe"):
        said = table.player.play("letters", "--register", "--as", name, code=1)
        assert "only players have mailboxes" in said
    assert not (table.player.folder / ".git/nomicgit/mailbox-zoe").exists()
    for name in ("cy", "zoe"):
        table.keeper.play("join", "--as", name, "--at", "+20d")
        table.keeper.play("act", "admit", f"newcomer={name}", "--as", "ben")
    table.keeper.play("sync")
    table.player.play("sync")
    assert "you left the game and came back" in table.player.play("status")
    assert "was refused" not in table.player.play("status", "--as", "zoe")
    said = table.player.play("letters", "--all")
    assert "At the gate" in said
    assert f"this is your last letter from before you left at {at}" in said


@pytest.mark.slow
def test_who_leaves_before_a_letter_came_is_told_when_or_that_none_comes(table: Table) -> None:
    for name in ("cy", "dee"):
        table.keeper.play("act", "leave", "--as", name, "--at", "+1h")
    table.keeper.play("sync")
    table.player.play("sync")
    assert "the keeper's next round writes your last one" in table.player.play("letters", code=1)
    assert "no letter lies there" in table.keeper.play("letters", "--as", "zoe", code=1)
    said = table.player.play("letters", "--as", "dee", code=1)
    assert "no letter is written to you: you left the game at 2021-06-07T14:00:00Z (dee: leave)" in said


@pytest.mark.slow
def test_orders_are_taken_together_where_the_game_says_when(tmp_path: Path) -> None:
    hall = Clone(tmp_path)
    words = ["new", "odd", "--edition", "assassin", *PLAYERS, "--emperor", "ana", *START]
    for wrong in ("every moment", "6h", "every 5s", "every 1mo"):
        assert "does not say when orders are taken" in hall.play(*words, "--orders", wrong, code=2)
    assert "another takes no orders" in hall.play(*words, "--orders", "every 6h", "--no-keys", code=2)
    table = Table.founded(tmp_path, "--orders", "every 6h")
    assert "orders: every 6h\n" in (table.keeper.folder / "game/game.yml").read_text()
    table.keeper.play("act", "post", "title=Later", "--as", "dee", "--at", "2021-06-07T13:00:00Z")
    table.keeper.play("sync")
    table.player.play("sync")
    hopeless = ("order", "toll-the-bell", "--push")
    assert "this would be refused now: rule Notes: that is for the emperor (Referee" in table.player.play(
        *hopeless, code=1
    )
    assert table.bare.git("for-each-ref", "refs/heads/orders") == ""
    assert "BEGIN AGE" in table.player.play("order", "toll-the-bell", "--yes")
    said = table.player.play("order", "tell", "to=dee", "text=Six", "--push")
    assert "rounds take orders every 6h (UTC)" in said
    for at in ("13:30:00", "17:59:59"):
        said = table.keeper.play("keep", "--at", f"2021-06-07T{at}Z")
        assert "no order taken\n1 order left until 2021-06-07T18:00:00Z" in said
    assert "1 order taken" in table.keeper.play("keep", "--at", "2021-06-07T18:00:00Z")
    order = table.player.play("order", "tell", "to=dee", "text=By hand")
    (tmp_path / "order.txt").write_text(order)
    assert "1 order taken" in table.keeper.play("keep", "--order", "../order.txt", "--at", "+1h")


def test_a_round_comes_after_what_it_has_fetched(table: Table) -> None:
    table.player.play("act", "post", "title=Later", "--at", "+50h")
    table.player.play("sync")
    at = json.loads(table.keeper.play("keep", "--at", "+1h", "--json"))["at"]
    assert at == "2021-06-09T15:00:00Z"


@pytest.mark.slow
def test_a_forged_mailbox_that_is_refused_keeps_nobody_from_confirming_the_honest_one(tmp_path: Path) -> None:
    table = Table.founded(tmp_path, start=[])
    [honest] = re.findall(r"--confirm (cy=age1\w+)", table.keeper.play("keep"))
    eli = table.clone("eli")
    forged = f"cy={age.recipient(bytes(range(32)))}"
    eli.play("letters", "--mailbox", forged.partition("=")[2], "--as", "cy")
    eli.play("sync")
    table.keeper.play("keep")
    wrong = table.keeper.play("keep", "--refuse", forged, "--confirm", "cy=age1nothing", code=1)
    assert "so nothing is said of any mailbox, and no round is made" in wrong
    assert "is confirmed still, for a week" in table.keeper.play("keep", "--refuse", forged)
    for look in ("sync", "status"):
        said = table.player.play(look)
        assert "is not in the game any more" in said
        assert "nomicgit letters --register" in said
    stale = forged.replace("cy=", "dee=")
    assert "registered lately" in table.keeper.play("keep", "--confirm", stale, code=1)
    assert "letters go there" in table.keeper.play("keep", "--confirm", honest)
    assert "is not in the game any more" not in table.player.play("sync")
    table.keeper.play("act", "tell", "to=cy", "text=at the well", "--as", "dee")
    table.keeper.play("sync")
    table.keeper.play("keep")
    assert "at the well" in table.player.play("letters")
    assert "verified" in table.keeper.play("verify")


@pytest.mark.slow
def test_shares_are_handed_out_to_mailboxes_and_bring_the_key_back(table: Table) -> None:
    handed = ("keys", "share", "2", "--to", "cy", "--to", "dee", "--to", "CY")
    table.keeper.play("keep")
    assert "no mailbox of dee is known to the game" in table.keeper.play(*handed, code=1)
    dee = table.clone("dee")
    dee.play("me", "dee")
    assert "no share of the key lies there for you" in table.player.play("keys", "share", "--mine", code=1)
    dee.play("letters", "--register")
    dee.play("sync")
    table.keeper.play("keep")
    assert "2 shares handed out, each sealed to a mailbox: cy, dee" in table.keeper.play(*handed)
    words = [share_of(clone) for clone in (table.player, dee)]
    assert [len(each.split()) for each in words] == [59, 59]
    for each in words:
        table.bare.git("grep", "-a", "-q", " ".join(each.split()[20:23]), "shares", code=1)
    stranger = table.clone("stranger")
    stranger.play("letters", "--register")
    assert "mailbox" in stranger.play("keys", "share", "--mine", code=1)
    (stranger.folder / "shares").write_text("".join(words))
    stranger.play("keys", "join", "shares")
    key = [clone.play("keys", "show", "--secret", "--yes") for clone in (stranger, table.keeper)]
    assert key[0] == key[1]
    for wrong in (("share",), ("share", "2"), ("share", "2", "3", "--to", "cy"), ("share", "2", "--mine")):
        assert "say how many shares" in table.keeper.play("keys", *wrong, code=2)


@pytest.mark.slow
def test_shares_that_a_holder_cannot_read_any_more_are_named_and_handed_out_anew(table: Table) -> None:
    table.keeper.play("keep")
    assert "handed out no shares" in table.keeper.play("keys", "share", "--anew", code=1)
    dee = table.handed_to_dee()
    assert "shares:" not in table.keeper.play("keep")
    laptop = table.clone("laptop")
    assert "a share of the key that was handed out to cy opens with the former mailbox alone" in laptop.play(
        "letters", "--register"
    )
    laptop.play("sync")
    said = table.keeper.play("keep")
    assert "shares:" not in said, "letters go to the former mailbox still, and so does the share"
    [word] = re.findall(r"--confirm (cy=age1\w+)", said)
    laptop.play("sync")
    for clone, words, code in (
        (table.keeper, ["--anew"], 1),
        (table.keeper, ["2", "--to", "cy", "--to", "dee"], 0),
        (laptop, ["--mine"], 1),
    ):
        assert f"keep --confirm {word}" in clone.play("keys", "share", *words, code=code)
    said = table.keeper.play("keep", "--confirm", word)
    for told in (said, table.keeper.play("status")):
        assert "since cy has another mailbox now: nomicgit keys share --anew" in told
    assert json.loads(table.keeper.play("status", "--json"))["shares"] == ["cy has another mailbox now"]
    laptop.play("sync")
    assert "nomicgit keys share --anew" in laptop.play("keys", "share", "--mine", code=1)
    former = share_of(dee)
    assert "worth nothing then" in table.keeper.play("keys", "share", "--anew", code=1)
    assert "2 shares handed out, each sealed to a mailbox: cy, dee" in table.keeper.play(
        "keys", "share", "--anew", "--yes"
    )
    assert "shares:" not in table.keeper.play("keep") + table.keeper.play("status")
    mine, hers = (share_of(clone) for clone in (laptop, dee))
    (laptop.folder / "mixed").write_text(mine + former)
    assert "written at different times" in laptop.play("keys", "join", "mixed", code=1)
    (laptop.folder / "shares").write_text(mine + hers)
    laptop.play("keys", "join", "shares")
    key = [clone.play("keys", "show", "--secret", "--yes") for clone in (laptop, table.keeper)]
    assert key[0] == key[1]
    said = table.keeper.play("keys", "move")
    assert (
        "since they are of the key of term 1, and the game is in term 2: nomicgit keys share --anew" in said
    )
    table.keeper.play("sync")
    table.keeper.play("keys", "move", "--keeper", "dee")
    assert "shares:" not in table.keeper.play("status")
    assert "for another keeper, and that is over" in table.keeper.play("keys", "show")
    said = table.keeper.play("keys", "share", "--anew", "--yes", "--as", "ana", code=1)
    assert "dee keeps the key of this term, and nobody else hands out shares of it" in said


@pytest.mark.slow
def test_shares_that_somebody_takes_away_or_replaces_are_missed_by_the_keeper_and_told_from_none(
    table: Table,
) -> None:
    table.keeper.play("keep")
    table.handed_to_dee()
    mine = share_of(table.player)
    for look in (("keep",), ("keys", "show")):
        assert "shares:" not in table.keeper.play(*look)
    ben = table.clone("ben")
    ben.play("me", "ben")
    ben.play("letters", "--register")
    table.bare.git("update-ref", "-d", "refs/heads/shares")
    assert "lies there for you, nor for anybody" in table.player.play("keys", "share", "--mine", code=1)
    for look in (("keep",), ("keys", "show")):
        assert "they lie there no more: nomicgit keys share --anew" in table.keeper.play(*look)
    ben.git("push", "-q", "origin", "HEAD:refs/heads/shares")
    assert "somebody has laid it there in their place" in table.player.play("keys", "share", "--mine", code=1)
    for look in (("keep",), ("keys", "show")):
        assert "or what is none, lie in their place: nomicgit keys share --anew" in table.keeper.play(*look)
    serve(Repository.open(table.bare.folder), [sys.executable, "-m", "nomicgit", "receive"])
    table.keeper.play("keys", "share", "--anew", "--yes")
    assert "shares:" not in table.keeper.play("keys", "show")
    assert share_of(table.player) != mine
    said = "shares of the key lie there for cy, dee, and none for you"
    assert said in ben.play("keys", "share", "--mine", code=1)
    ben.git("push", "-q", "origin", ":refs/heads/shares", code=1)
    ben.git("push", "-q", "--force", "origin", "HEAD:refs/heads/shares", code=1)


@pytest.mark.slow
def test_a_share_that_the_keeper_has_not_written_for_its_reader_is_refused(table: Table) -> None:
    """Whoever can push knows everybody's mailbox, and can lay down there what they have made up, or a share of their own."""
    dee = table.clone("dee")
    dee.play("me", "dee")
    dee.play("letters", "--register")
    dee.play("sync")
    table.keeper.play("keep")
    table.keeper.play("keys", "share", "2", "--to", "cy", "--to", "dee")
    mine = share_of(table.player)
    dee.git("fetch", "-q", "origin", "shares")
    repository = Repository.open(dee.folder)
    handed = repository.commit(dee.git("rev-parse", "FETCH_HEAD").strip()).tree
    game = Game.open(dee.folder)
    own, box = (
        repository.file(handed, "dee.age"),
        (game.tree.entity("players/cy") or {})["mailbox"]["recipient"],
    )
    assert own is not None
    hers = age.decrypted(own, mailboxes.identity(game, "dee"))
    made_up = shares(Key.made(bytes(range(64))), 2, 2)[0].encode()
    for forged in (padded(made_up, 1024), padded(b"AAAA\n" + made_up, 1024), b"no share", hers):
        files = {"cy.age": age.encrypted(forged, [box], armour=False), "dee.age": own}
        commit = repository.lone(files, "Shares")
        dee.git("push", "-q", "--force", "origin", f"{commit}:refs/heads/shares")
        said = table.player.play("keys", "share", "--mine", code=1)
        assert "not as the keeper wrote it" in said
        assert "nomicgit keys share --anew" in said
        assert len(share_of(dee).split()) == 59
    table.keeper.play("keys", "share", "--anew", "--yes")
    assert share_of(table.player) != mine


@pytest.mark.slow
@pytest.mark.parametrize("name", ["letters/x", "orders"])
def test_a_branch_made_by_hand_at_which_git_fetch_stops_is_told_with_the_line_that_mends_it(
    table: Table, name: str
) -> None:
    """It lay there before there were letters, and this clone's own fetch has brought it."""
    for clone in (table.player, table.keeper):
        assert json.loads(clone.play("status", "--json"))["in_the_way"] is None
    table.keeper.git("push", "-q", "origin", f"HEAD:refs/heads/{name}")
    table.player.git("fetch", "-q", "origin")
    assert json.loads(table.keeper.play("keep", "--json"))["in_the_way"] is None, (
        "it has taken it away itself"
    )
    table.player.play("order", "tell", "to=dee", "text=hi", "--push")
    table.player.git("fetch", "-q", "origin", code=1)
    line = "git remote prune origin"
    for words in (("status",), ("letters",)):
        assert f"git fetch stops at origin/{name}, which this clone remembers" in table.player.play(*words)
        assert json.loads(table.player.play(*words, "--json"))["in_the_way"].endswith(line)
    table.player.git(*line.split()[1:])
    table.player.git("fetch", "-q", "origin")
    assert json.loads(table.player.play("status", "--json"))["in_the_way"] is None


@pytest.mark.slow
def test_what_commands_of_the_key_tell_people_they_tell_programs(table: Table) -> None:
    """Of shares that must be written anew, of mailboxes that wait, and of when letters come."""
    dee = table.clone("dee")
    dee.play("me", "dee")
    assert "you have none" in json.loads(dee.play("order", "tell", "to=cy", "text=hi", "--json"))["mailbox"]
    made = json.loads(dee.play("letters", "--register", "--json"))
    assert Path(made["file"]).read_text().strip()
    assert "letters_come" in made
    dee.play("sync")
    assert json.loads(table.keeper.play("keep", "--json"))["shares"] == {
        "anew": [],
        "unknown": "",
        "over": False,
    }
    table.keeper.play("keys", "share", "2", "--to", "cy", "--to", "dee")
    table.bare.git("update-ref", "-d", "refs/heads/shares")
    gone = {"anew": ["they lie there no more"], "unknown": "", "over": False}
    for words in (("keys", "show"), ("keep",)):
        assert "they lie there no more" in table.keeper.play(*words)
        assert json.loads(table.keeper.play(*words, "--json"))["shares"] == gone
    moved = json.loads(table.keeper.play("keys", "move", "--json"))
    assert len(moved["shares"]["anew"]) == 2
    assert Path(moved["file"]).exists()


@pytest.mark.slow
def test_what_all_can_see_of_a_sealed_deed_is_told_with_it(table: Table) -> None:
    """And what anybody lays down among the orders is told, and stops no keeper's script."""
    junk = table.player.git("commit-tree", "-m", "junk", table.player.git("rev-parse", "HEAD^{tree}")).strip()
    table.player.git("push", "-q", "origin", f"{junk}:refs/heads/orders/junk")
    none = "it holds no order: no file `order` lies in it"
    assert f"refs/heads/orders/junk: {none}" in table.keeper.play("keep", "--at", "+1h")
    table.player.git("push", "-q", "origin", f"{junk}:refs/heads/orders/junk")
    wrong = {"junk": none}
    for name, size in (("empty", 0), ("large", 200_000), ("words", 5)):
        Path(table.player.folder, "order").write_text("x" * size)
        table.player.git("switch", "-q", "--orphan", f"{name}-order")
        table.player.git("add", "order")
        table.player.git("commit", "-q", "-m", "x")
        table.player.git("push", "-q", "origin", f"HEAD:refs/heads/orders/{name}")
        table.player.git("switch", "-q", "main")
    wrong |= {
        "empty": "it holds no order: its file `order` is empty",
        "large": "it holds no order: its file `order` is larger than 128 KiB",
        "words": "here is no armour of age",
    }
    unfit = json.loads(table.keeper.play("keep", "--json"))["unfit"]
    assert {ref.removeprefix("refs/heads/orders/"): why for ref, why in unfit.items()} == wrong
    table.player.play("sync")
    street = "street={action: arrive-in-town, location: C5}"
    table.player.play("order", "note", street, "--push", "--yes")
    table.keeper.play("keep", "--at", "+1h")
    since = table.keeper.head
    table.keeper.play("act", "toll-the-bell", "--as", "ana", "--at", "+48h")
    changed = table.keeper.git("diff", "--name-only", since, "HEAD", "--", "game/state")
    assert "game/state/locations/C5.yml" in changed, "everybody has it in the files"
    assert "occupied: true" in table.keeper.git("show", "HEAD:game/state/locations/C5.yml")
    table.keeper.play("sync")
    line = "made: locations.C5 (occupied true)"
    before = table.player.head
    plain = json.loads(table.player.play("sync", "--json"))["sealed"]
    assert [line in each for each in plain.values()] == [False] * (len(plain) - 1) + [True]
    table.player.git("reset", "-q", "--hard", before)
    said = table.player.play("sync", "--accept")
    assert "(sealed 1, ana 1)" in said, "what was done in private the clock has not done"
    assert (
        "ana: toll-the-bell, 2021-06-09T14:00:00Z: game.last_toll: nothing → 2021-06-09T14:00:00Z; " in said
    ), "all can read whose deed it was"
    for words in (["log"], ["status"]):
        said = table.player.play(*words)
        assert line in said
        assert "arrive-in-town" not in said
    rows = json.loads(table.player.play("log", "--json"))
    in_part = [
        row for row in rows if row["sealed"] and row["action"] not in ("physics/sealed", "physics/found")
    ]
    assert in_part
    assert table.player.play("log").count("(what of it is private is sealed)") == len(in_part)
    assert line in rows[0]["changes"]
    assert [row["changes"] for row in rows if row["action"] in ("physics/sealed", "physics/mailbox")] == [
        [],
        [],
    ]
    assert line in str(json.loads(table.player.play("status", "--json"))["concerns"])


@pytest.mark.slow
def test_an_order_that_was_made_elsewhere_is_told_so_and_each_player_has_a_memory_of_their_own(
    table: Table,
) -> None:
    """Of whoever reads here: what was read, what is new, and what no later letter may take away."""
    thief = table.clone("thief")
    thief.play("order", "tell", "to=dee", "text=Forged", "--push")
    own = table.player.play("order", "tell", "to=dee", "text=Mine")
    (table.keeper.folder.parent / "order.txt").write_text(own)
    table.tell("At the well")
    table.keeper.play("keep", "--order", "../order.txt", "--at", "+1h")
    table.player.play("sync")
    said = table.player.play("letters")
    assert re.search(r"your order tell .*Mine.*: done", said)
    assert re.search(r"an order in your name, not made in this clone: tell .*Forged.*: done", said)
    plain = json.loads(table.player.play("letters", "--all", "--json"))["orders"]
    assert {each["with"]["text"]: each["from_here"] for each in plain} == {"Mine": True, "Forged": False}
    assert "nothing new" in table.player.play("letters")
    table.player.play("letters", "--register", "--as", "dee")
    table.player.play("sync")
    table.keeper.play("keep", "--at", "+1h")
    table.player.play("sync")
    dees = table.player.play("letters", "--as", "dee")
    assert "Forged" in dees
    assert re.search(r"in your name, without an order, by who has the key: tell .*At the well.*: done", dees)
    assert "nothing new" in table.player.play("letters"), "what dee read there takes nothing of it away"
    assert "nothing new" in table.player.play("letters", "--as", "dee")
    for name in ("cy", "dee"):
        assert "term 1" in table.player.play("letters", "--check", "--as", name)


@pytest.mark.slow
def test_upon_a_record_that_somebody_has_changed_a_round_takes_nothing_and_tells_nothing(
    table: Table,
) -> None:
    table.player.play("order", "tell", "to=dee", "text=Before", "--push")
    edited = table.player.folder / "game" / "game.yml"
    edited.write_text(edited.read_text() + "# mine\n")
    table.player.git("commit", "-qam", "Mine")
    table.player.git("push", "-q", "origin", "main")
    there = table.bare.git("for-each-ref")
    before = table.keeper.head
    said = table.keeper.play("keep", "--at", "+1h", code=1)
    assert f"no deed: commit {table.player.head[:12]}" in said
    assert "taken" not in said
    said = table.keeper.play("keep", "--at", "+1h", "--json", code=1)
    [refused] = json.loads(next(line for line in said.splitlines() if line.startswith("{")))["refused"]
    [stray] = json.loads(table.keeper.play("sync", "--json", code=1))["strays"]
    assert refused["what"].endswith(stray["what"])
    assert (refused["mend"], refused["commands"]) == (stray["mend"], stray["commands"])
    assert table.bare.git("for-each-ref") == there, "orders lie where they lay, and no letter is written"
    assert table.keeper.head == before

    for program, *words in map(shlex.split, refused["commands"]):
        (table.keeper.git if program == "git" else table.keeper.play)(*words)
    again = json.loads(table.keeper.play("keep", "--at", "+1h", "--json"))
    assert (len(again["taken"]), again["letters"]) == (1, 1)
    assert table.bare.git("rev-parse", "main") == table.keeper.head
    assert "orders/" not in table.bare.git("for-each-ref")
    table.player.play("sync", "--accept")
    assert "do not believe it" not in table.player.play("letters")


@pytest.mark.slow
def test_who_seals_what_is_not_private_is_told_before(table: Table) -> None:
    said = table.player.play("order", "leave", "--push", code=1)
    assert (
        "leave with these words is not private: once it is done, the journal shows it with your name" in said
    )
    assert "if that is meant, say so: --yes" in said
    assert table.bare.git("for-each-ref", "refs/heads/orders") == ""
    assert "handed in, sealed" in table.player.play("order", "leave", "--push", "--yes")
    assert "journal" not in table.player.play("order", "tell", "to=dee", "text=Hush", "--push")


@pytest.mark.slow
def test_an_order_beyond_those_of_a_day_is_nobodys_fault(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (keyed, awaited, letters_read):
        monkeypatch.setattr(module, "A_DAY", 1)
    for text in ("At the well", "At the gate"):
        table.player.play("order", "tell", "to=dee", f"text={text}", "--push", "--at", "+1h")
    assert "1 order in cy's name waits until tomorrow" in table.keeper.play("keep", "--at", "+1h")
    table.player.play("sync")
    said = table.player.play("letters")
    assert "more than 1 a day are not taken, and it waits until the next day" in said
    assert "the keeper has sealed other deeds since" not in said
    laptop = table.clone("laptop")
    laptop.play("letters", "--register")
    laptop.play("sync")
    [word] = re.findall(r"--confirm (cy=age1\w+)", table.keeper.play("keep"))
    table.keeper.play("keep", "--confirm", word, "--at", "+1d")
    laptop.play("sync")
    said = laptop.play("letters")
    assert said.count("an order in your name, from before this clone had your mailbox: tell") == 1
    assert said.count("an order in your name, not made in this clone: tell") == 1, "it was taken since"
    assert said.count("is not known here") == 1


@pytest.mark.slow
def test_an_order_that_was_not_taken_yet_is_taken_back_or_replaced_and_nobody_else_can_tell(
    table: Table,
) -> None:
    def handed_in(*words: str) -> str:
        return str(json.loads(table.player.play("order", *words, "--push", "--json", "--at", "+1h"))["nonce"])

    first = handed_in("tell", "to=dee", "text=At the well")
    second = handed_in("tell", "to=dee", "text=At the gate")
    third = handed_in("tell", "to=dee", "text=At the mill")
    assert f"{first} (tell, made at" in table.player.play(
        "order", "--blank", "--instead", "zz", "--push", code=1
    )
    nothing = table.player.play("order", "--blank", "--instead", first, "--push")
    assert f"it takes back the order {first}" in nothing
    other = handed_in("tell", "to=dee", "text=At the inn", "--instead", second[:20])
    handed_in("--blank", "--instead", other)
    table.keeper.play("keep", "--at", "+1h")
    table.player.play("sync")
    answers = {
        each["with"].get("text", ""): each
        for each in json.loads(table.player.play("letters", "--json"))["orders"]
    }
    assert (answers["At the mill"]["nonce"], answers["At the mill"]["refused"]) == (third, "")
    back = "its player has taken this order back by another"
    assert [answers[f"At the {each}"]["refused"] for each in ("well", "gate", "inn")] == [back] * 3
    subjects = table.keeper.git("log", "-6", "--format=%s%n%ae").splitlines()
    assert len({*subjects}) == 2, "all six deeds look the same"
    assert table.keeper.play("verify").startswith("verified")
    assert "none of yours waits here" in table.player.play(
        "order", "--blank", "--instead", third, "--push", code=1
    )


@pytest.mark.slow
def test_after_a_mend_an_honest_letter_opens_and_what_was_taken_back_is_named(tmp_path: Path) -> None:
    table = Table.founded(tmp_path, "--restore", "ben")
    table.keeper.play("keep", "--at", "+1h")
    base = table.keeper.head
    table.player.play("order", "tell", "to=dee", "text=At the well", "--push", "--at", "+1h")
    table.keeper.play("keep", "--at", "+1h")
    table.player.play("sync")
    assert "your order tell text At the well, to dee: done" in table.player.play("letters")
    sealed = table.keeper.head
    table.keeper.play("mend", "--to", base, "--by", "ben", "--yes", "--at", "+1h")
    assert f"1 deed: sealed ({sealed[:12]}); on no line any more" in table.keeper.play("sync")
    table.keeper.play("keep")
    back = re.compile(r"taken back by a mend: .*your order tell .*At the well.*: done")
    said = table.player.play("letters")
    assert back.search(said), "also before the mend is here"
    assert "left out now" not in said
    assert back.search(table.player.play("sync"))
    assert not back.search(table.player.play("letters"))
    assert back.search(table.player.play("letters", "--all"))
    [line] = json.loads(table.player.play("letters", "--all", "--json"))["taken_back"]
    assert "At the well" in line["text"]
    assert f"again: sealed ({sealed[:12]})\n" in table.keeper.play("sync", "--again")
    table.keeper.play("keep", "--at", "+1h")
    assert "your order tell text At the well, to dee: done" in table.player.play("letters")
    table.tell("At the mill", at="+0m")
    assert "leaves out" not in table.player.play("letters", "--check")


@pytest.mark.slow
@pytest.mark.parametrize("read", [True, False])
def test_a_letter_that_is_put_back_is_missed_whether_it_was_read_or_not(table: Table, *, read: bool) -> None:
    table.tell("At the well")
    table.keeper.play("keep", "--at", "+1h")
    former = table.bare.git("rev-parse", "letters")
    table.player.play("sync")
    table.player.play("letters")
    table.tell("At the gate")
    table.keeper.play("keep", "--at", "+1h")
    assert "1 line of your letter waits to be read" in table.player.play("sync")
    if read:
        table.player.play("letters")
    table.bare.git("update-ref", "refs/heads/letters", former)
    older = "this letter is older than the one that you had"
    assert older in table.player.play("sync")
    said = table.player.play("status")
    assert older in said
    assert "somebody has put it back: tell its keeper" in said
    assert older in json.loads(table.player.play("status", "--json"))["mailbox"]
    assert older in table.player.play("letters", code=1)
    table.tell("At the mill")
    table.keeper.play("keep", "--at", "+1h")
    assert older not in table.player.play("sync")
    assert "At the mill" in table.player.play("letters")


def lay_key(table: Table) -> None:
    (table.player.folder / "key").write_text(table.keeper.play("keys", "show", "--secret", "--yes"))
    table.player.play("keys", "set", "key")


@pytest.mark.slow
def test_what_a_letter_says_of_orders_is_held_to_what_was_ordered_and_to_the_record(table: Table) -> None:
    def ordered(letter: dict[str, Any], **other: Any) -> None:
        letter["orders"][-1] |= other

    table.player.play("order", "tell", "to=dee", "text=Meet at eight", "--push")
    table.keeper.play("keep", "--at", "+1h")
    table.player.play("sync")
    honest = table.player.play("letters")
    assert "your order tell text Meet at eight, to dee: done" in honest
    assert "not what you ordered" not in honest
    for change, told in (
        ({"with": {"text": "Kill him", "to": "dee"}}, "Kill him"),
        ({"refused": "the moon is low"}, "refused: the moon is low"),
    ):
        table.forge(functools.partial(ordered, **change))
        said = table.player.play("letters", "--all")
        assert told in said
        assert ("not what you ordered" in said) == ("with" in change)
        assert "told before, and left out now: " in said
        assert "Meet at eight" in said.partition("left out now: ")[2]
    lay_key(table)
    said = table.player.play("letters", "--check", code=1)
    assert said.count("what that did not: your order tell") == 2
    assert said.count("the moon is low") == 1
    assert said.count("Kill him") == 2, "it is wrong, and it is told no more"


@pytest.mark.slow
def test_an_order_that_is_held_back_and_answered_falsely_leaves_a_trace(table: Table) -> None:
    table.player.play("order", "tell", "to=dee", "text=The first", "--push")
    table.keeper.play("keep", "--at", "+1h")
    table.player.play("sync")
    table.player.play("letters")
    handed = table.player.play("order", "tell", "to=dee", "text=Held back", "--push")
    nonce = re.search(r"handed in, sealed  \((\S+)\)", handed)
    assert nonce is not None
    branches = table.bare.git("for-each-ref", "--format=%(refname)", "refs/heads/orders").split()
    for branch in branches:
        table.bare.git("update-ref", "-d", branch)
    false = {"nonce": nonce[1], "with": {"text": "Held back", "to": "dee"}}
    table.forge(lambda letter: letter["orders"].append(letter["orders"][0] | false))
    assert "Held back, to dee: done" in table.player.play("letters", "--all")
    table.keeper.play("keep", "--at", "+1h")
    table.player.play("sync")
    said = table.player.play("letters")
    assert "told before, and left out now: " in said
    assert "Held back" in said
    lay_key(table)
    said = table.player.play("letters", "--check", code=1)
    assert said.count("what that did not: your order tell") == 1
    assert "before, and does so no more: your order tell" in said


@pytest.mark.slow
def test_a_letter_that_shows_another_value_than_there_was_is_found_by_the_key(table: Table) -> None:
    table.tell("At the well")
    table.keeper.play("keep", "--at", "+1h")
    table.player.play("sync")
    table.player.play("letters")
    lay_key(table)
    assert "term 1: as the record says" in table.player.play("letters", "--check")
    honest = json.loads(lettering.written(Game.open(str(table.keeper.folder)))["cy"])["sees"]
    [first, *others] = honest

    def lied(sees: list[dict[str, Any]]) -> str:
        table.forge(lambda letter: letter.update(sees=sees))
        table.player.play("letters")
        return table.player.play("letters", "--check", code=1)

    what = f"{first['of']} {first['name']}"
    assert f'it shows {what} as "a lie", and that was' in lied([first | {"value": "a lie"}, *others])
    assert f"it hides {what}, which its player could see" in lied(others)
    stranger = {"of": "players/dee", "name": first["name"], "value": "x"}
    assert "it shows players/dee" in lied([*honest, stranger])
    table.forge(lambda letter: letter.update(stood="f" * 40))
    table.player.play("letters")
    assert "it was written upon the commit ffffffffffff, which is not in" in table.player.play(
        "letters", "--check", code=1
    )


@pytest.mark.slow
def test_a_line_that_a_letter_repeats_is_shown_once_and_found_by_the_key(table: Table) -> None:
    table.tell("At the well")
    table.keeper.play("keep", "--at", "+1h")
    table.player.play("sync")
    table.forge(lambda letter: letter.update(told=letter["told"] * 1500))
    said = table.player.play("letters")
    assert said.count("At the well") == 1
    assert "At the well (said 1,500 times)" in said
    lay_key(table)
    (row,) = [
        line for line in table.player.play("letters", "--check", code=1).splitlines() if "1,500" in line
    ]
    assert "it says 1,500 times what the deed" in row
    table.forge(lambda letter: letter.update(told=letter["told"] * 5000))
    assert "tells more than there is room for" in table.player.play("letters", code=1)


@pytest.mark.slow
def test_a_line_that_takes_the_place_of_one_that_was_read_is_new(table: Table) -> None:
    table.tell("At the well")
    table.keeper.play("keep", "--at", "+1h")
    table.player.play("sync")
    assert "At the well" in table.player.play("letters")
    assert "nothing new" in table.player.play("letters")

    def other(letter: dict[str, Any]) -> None:
        letter["told"][0]["text"] = "At the gate"

    table.forge(other)
    assert "1 line of your letter waits to be read" in table.player.play("sync")
    said = table.player.play("letters")
    assert "At the gate" in said.partition("left out now")[0]
    assert "waits to be read" not in table.player.play("sync")


@pytest.mark.slow
def test_what_was_read_in_one_term_is_not_new_in_the_next(table: Table) -> None:
    table.tell("At the well")
    table.keeper.play("keep", "--at", "+1h")
    table.player.play("sync")
    assert "At the well" in table.player.play("letters")
    table.keeper.play("keys", "move")
    table.tell("At the gate")
    table.keeper.play("keep", "--at", "+1h")
    assert "1 line of your letter waits to be read" in table.player.play("sync")
    said = table.player.play("letters")
    assert "At the gate" in said
    assert "At the well" not in said
    assert "At the well" in table.player.play("letters", "--all")


@pytest.mark.slow
def test_an_order_in_the_keepers_name_that_they_did_not_make_is_told_in_the_round(table: Table) -> None:
    table.player.play("order", "tell", "to=dee", "text=Hi", "--as", "ana", "--push", "--yes")
    said = table.keeper.play("keep", "--at", "+1h")
    commit = table.keeper.git("log", "-1", "--format=%H", "--grep", "^sealed")
    assert (
        f"in your own name: an order that was not made in this clone is the deed of commit {commit[:12]}"
        in said
    )
    table.keeper.play("order", "tell", "to=dee", "text=Hi", "--as", "ana", "--push", "--yes")
    table.player.play("order", "tell", "to=dee", "text=Ho", "--push", "--yes")
    said = table.keeper.play("keep", "--at", "+1h")
    assert "2 orders taken" in said
    assert "in your own name" not in said


@pytest.mark.slow
def test_a_mailbox_in_the_keepers_own_name_waits_for_their_word(tmp_path: Path) -> None:
    """Whoever can push registers one; a timer makes the rounds, and nobody reads what they say."""
    table = Table.founded(tmp_path, start=[])
    box = age.recipient(bytes([7] * 32))
    table.player.play("letters", "--mailbox", box, "--as", "ana")
    table.player.play("sync")
    said = table.keeper.play("keep")
    assert f"before you say that it is yours: nomicgit keep --confirm ana={box}" in said
    game = Game.open(str(table.keeper.folder))
    assert "ana" not in lettering.mailboxes(game, game.last() + 365 * 86_400)
    assert "no letter goes there, whenever" in table.keeper.play("keep")
    table.keeper.play("keep", "--confirm", f"ana={box}")
    game = Game.open(str(table.keeper.folder))
    assert lettering.mailboxes(game, game.last())["ana"] == box
