"""A game that keeps secrets on the fake forge: players with nothing but an account, and a steward that has the key."""

from __future__ import annotations

import json
import logging
import subprocess
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyrage  # type: ignore[import-untyped]
import pytest
from fakegithub import FakeGitHub, Thread
from support.doorstep import HOUR, PLAYERS, Doorstep
from support.keyed import KEY

from nomicgit.ground.files.grammar import Value
from nomicgit.record.secret import ordering
from nomicgit.record.secret.custody import Keeper
from nomicgit.replay.verifying import verify
from nomicgit.sealing.keys import Part
from nomicgit.sealing.orders import Order

MARK = "zqzq-the-well-zqzq"
GARBAGE = "I want to knife ben, please."


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Doorstep]:
    with FakeGitHub(tmp_path / "forge") as github:
        yield Doorstep(
            github, tmp_path / "clone", "admins", edition="assassin", keeper=Keeper("ana", None, KEY)
        )


@pytest.fixture
def traces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> Callable[[], bytes]:
    """Whatever Git and the libraries tell who looks for a fault: all of it is on; gives what they have said."""
    file = tmp_path / "traces"
    for name in ("GIT_TRACE", "GIT_TRACE_CURL", "GIT_TRACE_PACKET", "GIT_TRACE_SETUP", "GIT_TRACE2_EVENT"):
        monkeypatch.setenv(name, str(file))
    caplog.set_level(logging.DEBUG)

    def said() -> bytes:
        assert "git" in file.read_text("utf-8", "replace")
        assert "HTTP" in caplog.text
        return file.read_bytes() + caplog.text.encode()

    return said


class Reader:
    """A player who reads their letters with another implementation of age, as a browser does."""

    def __init__(self, door: Doorstep, name: str) -> None:
        self.door, self.name, self.key = door, name, pyrage.x25519.Identity.generate()

    def register(self) -> Thread:
        return self.door.github.issue(
            self.door.people[self.name], "mailbox", f"### Mailbox\n\n{self.key.to_public()}"
        )

    def letter(self) -> dict[str, Any]:
        file = raw(self.door, "cat-file", "blob", f"letters:{self.name}.age")
        plain = pyrage.decrypt(file, [self.key])
        size = int.from_bytes(plain[:4])
        letter: dict[str, Any] = json.loads(zlib.decompress(plain[4 : 4 + size][64:]))
        return letter


def raw(door: Doorstep, *words: str) -> bytes:
    """What Git says in the game's place, in bytes."""
    return subprocess.run(
        ["git", "--git-dir", str(door.github.repo.path), *words], capture_output=True, check=True
    ).stdout


def order(door: Doorstep, who: str, action: str, *, number: int = 0, **given: Value) -> str:
    """The armour of an order of somebody."""
    game = door.game()
    made = Order(
        game.terms[0].since, 1, who, action, given, f"{door.github.time():016x}-{number}", door.github.time()
    )
    return made.armoured(game.terms[0].public.recipient)


def handed_in(door: Doorstep, who: str, armour: str) -> Thread:
    """The form of orders, as the forge hands it in."""
    door.github.clock.advance(5)
    return door.github.issue(door.people[who], "order", f"### Sealed order\n\n{armour}")


@pytest.mark.slow
def test_orders_are_taken_from_the_forms_and_letters_tell_what_came_of_them(
    door: Doorstep, traces: Callable[[], bytes], capfd: pytest.CaptureFixture[str]
) -> None:
    readers = {name: Reader(door, name) for name in PLAYERS}
    registered = readers["dee"].register()
    readers["cy"].register()
    whispered = handed_in(door, "dee", order(door, "dee", "tell", to="cy", text=MARK))
    refused = handed_in(door, "cy", order(door, "cy", "note", street={"action": "knife", "victim": "cy"}))
    stolen = handed_in(door, "eli", order(door, "dee", "tell", to="cy", text="not by dee", number=2))
    passed = door.run()
    assert (passed.problems, passed.letters) == ([], True)
    answers = [door.ours(each)[0] for each in (whispered, refused, stolen)]
    assert answers[0].startswith("received, sealed")
    assert len({each.partition("<!--")[0] for each in answers}) == 1, "each is told the same"
    assert [each.state for each in (whispered, refused, stolen, registered)] == ["closed"] * 4
    letter = readers["cy"].letter()
    assert [each["text"] for each in letter["told"]] == [f"dee: {MARK}"] or MARK in letter["told"][0]["text"]
    assert ["knife" in str(each["with"]) and bool(each["refused"]) for each in letter["orders"]] == [True]
    assert [each["action"] for each in readers["dee"].letter()["orders"]] == ["tell"], "and not what eli sent"
    assert door.faults() == []
    kept = verify(door.game().repository, door.game().head.oid, keys=[KEY])
    assert [str(each) for each in kept.faults] == []
    again = door.run()
    assert (again.deeds, again.letters) == ([], False)
    assert door.deeds() == 1 + 2 * 2 + 2, (
        "the founding, two mailboxes that are theirs by their accounts, two orders"
    )
    _nothing_leaks(door, traces, capfd, passed, again)


def _nothing_leaks(
    door: Doorstep, traces: Callable[[], bytes], capfd: pytest.CaptureFixture[str], *passed: Any
) -> None:
    """Neither the key nor what was sealed stands in what a run writes: on the forge, in the repository, in its log, in
    the traces of what it calls."""
    halves = [KEY.half(part) for part in Part]
    secrets = [MARK, KEY.text(), *(half.hex() for half in halves)]
    said = [comment.body for thread in door.github.threads.values() for comment in thread.comments]
    said += [json.dumps(each.as_json()) + repr(each) for each in passed] + [*capfd.readouterr()]
    objects = traces() + raw(door, "cat-file", "--batch-all-objects", "--batch")
    for secret in secrets:
        assert [text for text in said if secret in text] == []
        assert secret.encode() not in objects
    for half in halves:
        assert half not in objects


def test_the_form_takes_what_is_sealed_alone_and_repeats_nothing_else(door: Doorstep) -> None:
    armour = order(door, "dee", "note", street={"action": "search"})
    wrong = [
        handed_in(door, "dee", GARBAGE),
        handed_in(door, "dee", armour + GARBAGE),
        handed_in(door, "dee", armour + "\n### Victim\n\n" + GARBAGE),
        handed_in(door, "dee", armour.replace("AGE ENCRYPTED FILE", "PRIVATE NOTE")),
        door.github.issue(door.people["dee"], "act", "/act note street='{action: knife, victim: ben}'"),
    ]
    door.run()
    for thread in wrong:
        assert GARBAGE not in door.ours(thread)[0]
        assert "victim" not in door.ours(thread)[0].casefold()
    assert "this form takes a sealed order, and nothing else" in door.ours(wrong[0])[0]
    assert "act/note/" in door.ours(wrong[-1])[0]
    assert door.deeds() == 1


@pytest.mark.slow
def test_what_breaks_in_secret_is_not_told_and_the_order_waits(
    door: Doorstep,
    traces: Callable[[], bytes],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RuntimeError(MARK)

    handed = handed_in(door, "dee", order(door, "dee", "tell", to="cy", text=MARK))
    with monkeypatch.context() as patch:
        patch.setattr(ordering, "take", broken)
        passed = door.run()
    assert ["something secret could not be done" in each for each in passed.problems] == [True]
    assert (door.ours(handed), handed.state) == ([], "open")
    again = door.run()
    assert (again.problems, handed.state) == ([], "closed")
    _nothing_leaks(door, traces, capfd, passed, again)


@pytest.mark.slow
def test_orders_beyond_twelve_wait_for_tomorrow_and_one_counts_once(door: Doorstep) -> None:
    threads = [handed_in(door, "dee", order(door, "dee", "blank", number=number)) for number in range(13)]
    copy = handed_in(door, "dee", order(door, "dee", "blank", number=0))
    door.run()
    waiting = [each for each in [*threads, copy] if not door.ours(each)]
    assert (len(waiting), waiting[0].state) == (2, "open")
    door.run()
    assert [door.ours(each) for each in waiting] == [[], []]
    door.github.clock.advance(24 * HOUR)
    door.run()
    assert all(len(door.ours(each)) == 1 for each in [*threads, copy])
    assert door.faults() == []


@pytest.mark.slow
def test_without_the_key_what_is_sealed_waits_for_the_keeper_and_the_open_goes_on(door: Doorstep) -> None:
    handed = handed_in(door, "dee", order(door, "dee", "note", street={"action": "search"}))
    rolled = door.form("dee", "roll", {"dice": "2DICE6"})
    door.run(key=None)
    assert "takes them in a clone" in door.ours(handed)[0]
    assert "hand it in as an order" in door.ours(rolled)[0]
    again = door.form("dee", "roll", {"dice": "2DICE6"})
    passed = door.run()
    assert [each.action for each in passed.deeds] == ["roll"]
    assert "d6 gave" in door.ours(again)[0]
    handed_in(door, "dee", order(door, "dee", "note", street={"action": "search"}))
    door.run()
    door.form("ana", "toll-the-bell")
    door.run()
    door.github.clock.advance(9 * HOUR)
    alert = door.form("ana", "toll-the-bell")
    door.run()
    assert "for a reason that hangs on a secret" in door.ours(alert)[0], "somebody Alert has sent no Note"
    assert "Note" not in door.ours(alert)[0]
    assert door.faults() == []
