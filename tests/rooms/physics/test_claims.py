"""What a deed says of work that was ended is tried again by replay: who forges it is named, who is honest hears nothing."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hostile.forging import Forger
from hostile.keeper import Kept
from hostile.small import Small, small_law
from language import tiny
from support.depth import DEEP
from support.ids import named
from support.keyed import KEY

from nomicgit.cli import main
from nomicgit.git import Commit, Repository
from nomicgit.ground import clock, deaths, worker
from nomicgit.physics import numbers
from nomicgit.physics.deeds import amending, claiming, trial, ways
from nomicgit.physics.deeds.trial import BRICKED, STUCK, TOO_LONG
from nomicgit.physics.state import transaction
from nomicgit.record.game import Recorded
from nomicgit.replay.verifying import verify
from nomicgit.sealing.keys import Key

DAY = 86_400
NOON = "2021-06-07T12:00:00Z"
MILL = """\
---
title: Mill
schedule:
  grind: {every: day 12:00}
---
The mill grinds every day, for Dee.

```starlark
def schedule_grind():
    for i in range(%d):
        exists("game")
    gain("players/dee", "gold", 5)
```
"""
OPEN, POST = "game/state/open.yml", "game/posts/2021/06/0001-pay.md"
SPENDS = 'roll(6); note("x" * 250001)'
BOMB = "x = " + "-" * 60_000 + "1"


TIDE = """\
---
title: Tide
settles:
  tide: {of: player, watches: [gold]}
---
The first who is given gold waits for the tide.

```starlark
def settle_tide(player):
    if get(player, "gold") == 11:
        for i in range(1048576):
            exists("game")
```
"""
EBB = """\
---
title: Ebb
settles:
  ebb: {of: player, watches: [gold]}
---
Gold is weighed.

```starlark
def settle_ebb(player):
    weights = "ab" * 50000
    for i in range(3000 if get(player, "gold") == 99 else 0):
        exists("game")
        weights.replace("a", "c")
```
"""


def milled(folder: Path, turns: int = 1) -> Small:
    """A game with a mill that takes so many words to grind."""
    return Small.found(folder, small_law({"2-dynastic/20-mill.md": MILL % turns}))


def forged(
    small: Small, subject: str, notes: Sequence[str], trailers: dict[str, object], files: dict[str, bytes]
) -> Commit:
    """A deed's commit written by hand, a day after the game's last one: the branch points at it."""
    at = Forger(small).commits()[-1].author_time + DAY
    told = {"Nomic-At": clock.text(at), "Nomic-Id": named("forged", at)}
    lines = {**trailers, **told}
    order = ("Action", "By", "At", "With", "Evidence", "Id")
    written = [
        f"Nomic-{key}: {value if isinstance(value, str) else json.dumps(value)}"
        for key in order
        if (value := lines.get(f"Nomic-{key}")) is not None
    ]
    message = "\n".join([subject, "", *notes, "", *written]) + "\n"
    by = str(trailers["Nomic-By"])
    email = f"{by}@nomicgit.invalid"
    return Forger(small).add(message, dict(files), author=by, email=email, author_time=at)


def edited(small: Small, path: str, old: str, new: str) -> dict[str, bytes]:
    """A file at the head with a passage changed."""
    text = Forger(small).file(path).decode()
    assert old in text, text
    return {path: text.replace(old, new, 1).encode()}


def earning(claims: dict[str, list[str]]) -> dict[str, object]:
    """The trailers of a deed of Cy's, who earns 1, with claims."""
    return {"Nomic-Action": "earn", "Nomic-By": "cy", "Nomic-With": {"n": 1}, "Nomic-Evidence": claims}


def doubted(small: Small, commit: Commit, *words: str) -> None:
    """This commit alone is named, for its claim and for nothing else, and what that spared is told."""
    found = small.verified()
    assert found.faults == []
    [doubt] = found.doubts
    assert doubt.commit == commit.oid
    assert all(word in doubt.what for word in words), doubt.what


def silent(small: Small) -> None:
    found = small.verified()
    assert (found.faults, found.doubts) == ([], [])


# Exhausted.


@pytest.fixture
def short_of_fuel(monkeypatch: pytest.MonkeyPatch) -> None:
    """An event has fuel for 2,000 words."""
    monkeypatch.setitem(numbers.KNOWN, 1, tiny.bounded(fuel=2000))


BELLS = """\
---
title: Bells
schedule:
  bells: {every: day 12:00}
---
The bells ring.

```starlark
def schedule_bells():
    for i in range(%d):
        note("ding " * 200)
```
"""


@pytest.mark.slow
@pytest.mark.parametrize(("lines", "days"), [(2_000, 3), (240, 30)])
def test_what_the_clock_says_in_all_fits_into_the_commit_of_whose_deed_lets_it(
    tmp_path: Path, lines: int, days: int
) -> None:
    """So that nobody is left with a deed that no clone takes: one of more than four megabytes."""
    small = Small.found(tmp_path / "game", small_law({"2-dynastic/20-bells.md": BELLS % lines}))
    done = small.do("cy", "earn", n=1, after=days * DAY)
    size = int(subprocess.check_output(["git", "cat-file", "-s", "HEAD"], cwd=small.folder))
    assert size < 3 << 20
    assert any(re.search("bells .*(did not happen|rests for this deed)", note) for note in done.outcome.notes)
    silent(small)


@pytest.mark.slow
@pytest.mark.parametrize("keys", [(), (KEY,)])
def test_what_has_drawn_before_its_fuel_is_spent_is_verified(tmp_path: Path, keys: tuple[Key, ...]) -> None:
    """The event is put off and the changes are not made: the record holds no seed of theirs, but those of what is drawn then."""
    code = MILL.replace("schedule:", "actions:\n  toss: {}\nschedule:") % 1
    code = code.replace("    gain(", f"    {SPENDS}\n    gain(")
    code = code.replace("def schedule", "def do_toss(actor):\n    put(actor, gold=roll(6))\n\ndef schedule")
    folder = tmp_path / "game"
    small = (
        Kept.begun(folder, mill=code)
        if keys
        else Small.found(folder, small_law({"2-dynastic/20-mill.md": code}))
    )
    do: Callable[..., Recorded] = small.kept if isinstance(small, Kept) else small.do
    small.at += DAY
    late = do("cy", "toss")
    assert any("it took more than it was lent" in note for note in late.outcome.notes)
    changes = [{"run": SPENDS}, {"run": 'put("players/dee", gold=50 + roll(6))'}, {"run": SPENDS}]
    do("cy", "propose", title="Dice", changes=changes)
    for voter in ("cy", "dee"):
        do(voter, "vote", matter="1", icon="for")
    made = do("ben", "resolve", matter="1")
    assert made.outcome.notes == [f"Skipped: {deaths.died()}"] * 2
    assert 51 <= small.value("players/dee gold") <= 56
    with Repository.open(folder) as repository:
        found = [verify(repository, small.head(), keys=each) for each in {(), keys}]
    assert [(each.faults, each.doubts) for each in found] == [([], [])] * len(found)


@pytest.mark.slow
@pytest.mark.parametrize(("taken", "doubted"), [(0, False), (60, True)])
def test_a_change_for_which_too_little_time_is_left_is_not_made_and_the_rest_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: int, doubted: bool
) -> None:
    """Replay doubts it, unless other changes of the deed may have taken that time."""
    monkeypatch.setattr(amending, "LEFT", 60)
    small = Small.found(tmp_path / "game")
    made = small.enact({"run": 'put("players/dee", gold=99)'}, {"set": {"players.cy.gold": 50}})
    assert made.outcome.notes == [f"Skipped: {deaths.died()}"]
    assert [small.value(f"players/{who} gold") for who in ("dee", "cy")] == [10, 50]
    monkeypatch.setattr(amending, "ENOUGH", taken)
    found = small.verified()
    assert found.faults == []
    assert ["Change 1 of posts/1" in each.what for each in found.doubts] == [True] * doubted


def test_of_two_equal_changes_the_one_that_spends_its_fuel_is_not_made_and_the_other_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though they say the same: replay makes the one that was made."""
    monkeypatch.setitem(numbers.KNOWN, 1, tiny.bounded(fuel=4000))
    small = Small.found(tmp_path / "game", small_law({"2-dynastic/20-tide.md": TIDE}))
    pay = {"run": 'gain("players/dee", "gold", 1 if get("players/dee", "gold") == 10 else 5)'}
    paid = {"set": {"players.dee.gold": 20}}
    made = small.enact(pay, paid, pay)
    assert made.outcome.notes == [f"Skipped: {deaths.died()}"]
    assert small.value("players/dee gold") == 25
    silent(small)


@pytest.mark.slow
def test_a_change_whose_settles_take_the_deeds_time_is_not_made_and_the_rest_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the matter could be neither enacted nor failed, and all others would wait behind it."""
    monkeypatch.setattr(transaction, "SECONDS", 0.7)
    monkeypatch.setattr(amending, "LEFT", 0.5)
    monkeypatch.setattr(amending, "ENOUGH", 0.1)
    small = Small.found(tmp_path / "game", small_law({"2-dynastic/20-ebb.md": EBB}))
    made = small.enact({"set": {"players.dee.gold": 99}}, {"set": {"players.cy.gold": 50}})
    assert made.outcome.notes[0] == f"Skipped: {deaths.died()}"
    assert small.value("players/dee gold") == 10
    assert (small.value("posts/1 status"), small.verified().faults) == ("enacted", [])


@pytest.mark.slow
@pytest.mark.parametrize(
    "does",
    [
        'put("players/dee", hoard=get("players/dee", "hoard") + 1)',
        'tell("players/dee", "Psst.")',
        "secretly_roll(6)",
        f'apply({{"undo": "{named("deed-1")}"}})',
        f'apply({{"run": "{BOMB}"}})',
    ],
)
def test_what_has_looked_told_or_claimed_before_its_fuel_is_spent_is_verified(
    tmp_path: Path, does: str
) -> None:
    """The event is put off, and nothing that it has done leaves a trace: the deed is as open as it would be without it."""
    code = (MILL % 1).replace("    gain(", f"    {does}\n    {SPENDS}\n    gain(")
    small = Kept.begun(tmp_path / "game", mill=code)
    small.kept("cy", "earn", n=1)
    small.at += DAY
    late = small.kept("cy", "earn", n=1)
    assert any("it took more than it was lent" in note for note in late.outcome.notes)
    message = small.git("log", "-1", "--format=%B", late.commit)
    assert "Nomic-Seed" not in message
    assert "Nomic-Sealed" not in message
    assert json.loads(message.partition("Nomic-Evidence: ")[2].split("\n")[0]) == {
        "exhausted": [f"grind {NOON}"]
    }
    for keys in ((), (KEY,)):
        found = small.looked_through(*keys)
        assert (found.faults, found.doubts) == ([], [])


def test_an_event_that_spends_its_fuel_is_told_and_verified(tmp_path: Path, short_of_fuel: None) -> None:
    small = milled(tmp_path / "game", 1 << 20)
    [note] = small.do("cy", "earn", n=1, after=DAY).outcome.notes
    assert note == (
        f"grind at {NOON} did not happen: it took more than it was lent; it comes due again with the first deed of a later day"
    )
    assert small.value("players/dee gold") == 10
    silent(small)


UNDOES = """\
---
title: Undertow
variables: {aim: {of: game, type: text, default: ""}}
actions: {aim: {with: {deed: text}}}
schedule: {pull: {every: day 12:00}}
---
What is aimed at is taken back, and then the water turns without end.

```starlark
def do_aim(actor, deed):
    put("game", aim=deed)

def schedule_pull():
    if get("game", "aim"):
        apply({"undo": get("game", "aim")})
        for i in range(1048576):
            exists("game")
```
"""


def test_an_event_that_spends_its_fuel_after_an_undo_leaves_that_deed_to_be_undone(
    tmp_path: Path, short_of_fuel: None
) -> None:
    """That it was taken back is forgotten with all else that the event has done, and so that anybody asked for it."""
    small = Small.found(tmp_path / "game", small_law({"2-dynastic/20-undertow.md": UNDOES}))
    earned = small.do("cy", "earn", n=3).outcome.deed.id
    small.do("cy", "aim", deed=earned)
    [note] = small.do("cy", "earn", n=1, after=DAY).outcome.notes
    assert note.startswith("pull at 2021-06-07T12:00:00Z did not happen: it took more than it was lent")
    assert small.value("players/cy gold") == 14
    silent(small)
    assert small.enact({"undo": earned}).outcome.notes == []
    assert small.value("players/cy gold") == 11
    silent(small)


def forged_exhaustion(small: Small) -> Commit:
    """Cy earns, and says that the mill came to no end."""
    note = f"grind at {NOON} did not happen: it took more than it was lent; it comes due again with the first deed of a later day"
    files = {OPEN: Forger(small).file(OPEN) + b"put_off: {grind: 2021-06-08}\n"}
    files |= edited(small, "game/state/players/cy.yml", "gold: 13", "gold: 14")
    return forged(small, "cy: earn 1", [note], earning({"exhausted": [f"grind {NOON}"]}), files)


def test_a_forged_exhaustion_is_named_with_what_it_kept_from_whom(tmp_path: Path) -> None:
    small = milled(tmp_path / "game")
    small.do("cy", "earn", n=3)
    commit = forged_exhaustion(small)
    doubted(small, commit, f"the event grind {NOON} spent its fuel", "players.dee.gold: 10 → 15")


@pytest.mark.slow
def test_a_claim_that_is_not_confirmed_is_a_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = milled(tmp_path / "game")
    small.do("cy", "earn", n=3)
    commit = forged_exhaustion(small)
    with pytest.raises(SystemExit) as ended:
        main(["-C", str(small.folder), "verify"])
    assert ended.value.code == 1
    said = capsys.readouterr().out
    assert f"not confirmed  {commit.oid[:12]}: it says that the event grind" in said
    assert "1 found wanting" in said
    with pytest.raises(SystemExit) as ended:
        main(["-C", str(small.folder), "verify", "--json"])
    assert ended.value.code == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["verified"], told["faults"], [each["commit"] for each in told["doubts"]]) == (
        False, [], [commit.oid],
    )  # fmt: skip


@pytest.mark.parametrize(("turns", "confirmed"), [(1200, True), (800, False)])
def test_an_event_that_reaches_half_of_the_bound_may_have_reached_all_of_it_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, turns: int, confirmed: bool
) -> None:
    small = milled(tmp_path / "game", turns)
    monkeypatch.setitem(numbers.KNOWN, 1, tiny.bounded(fuel=turns // 2))  # a program that counts otherwise
    small.do("cy", "earn", n=1, after=DAY)
    monkeypatch.setitem(numbers.KNOWN, 1, tiny.bounded(fuel=2000))
    found = small.verified()
    assert found.faults == []
    assert (found.doubts == []) is confirmed, found.doubts


@pytest.mark.slow
def test_what_was_put_off_comes_due_again_on_a_later_day_and_nothing_is_lost(
    tmp_path: Path, short_of_fuel: None
) -> None:
    small = milled(tmp_path / "game", 1 << 20)
    assert small.do("cy", "earn", n=1, after=DAY).outcome.notes
    assert small.do("cy", "earn", n=1, after=DAY // 2 + 60).outcome.notes == [], "the same day"
    [note] = small.do("cy", "earn", n=1, after=DAY // 2).outcome.notes
    assert note.startswith(f"grind at {NOON} did not happen: "), (
        "the event of the first day, before all others"
    )
    slow = {"amend": {"rule": "mill", "in": "mechanics", "replace": "range(1048576)", "with": "range(1)"}}
    small.enact(slow)
    assert small.value("players/dee gold") == 10
    small.do("cy", "earn", n=1, after=DAY)
    assert small.value("players/dee gold") == 10 + 3 * 5
    assert clock.text(small.at) == "2021-06-10T00:05:00Z"
    silent(small)


# Rested.


def test_a_forged_rest_is_named(tmp_path: Path) -> None:
    small = milled(tmp_path / "game")
    small.do("cy", "earn", n=3)
    note = f"grind took too long by {NOON} and rests for this deed"
    files = edited(small, "game/state/players/cy.yml", "gold: 13", "gold: 14")
    commit = forged(small, "cy: earn 1", [note], earning({"rested": [f"grind {NOON} 1"]}), files)
    doubted(small, commit, f"rested from grind {NOON} on", "players.dee.gold: 10 → 15")


def test_events_that_take_too_long_are_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(numbers.KNOWN, 1, tiny.bounded(spent=3000))
    small = milled(tmp_path / "game", 1000)
    [note] = small.do("cy", "earn", n=1, after=9 * DAY).outcome.notes
    assert "took too long by 2021-06-1" in note
    assert '"rested"' in small.git("log", "-1", "--format=%b")
    silent(small)


@pytest.mark.slow
def test_an_event_that_took_too_long_is_not_doubted_where_the_machine_is_eight_times_as_fast(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = milled(tmp_path / "game", 30_000)
    monkeypatch.setattr(transaction, "SECONDS", 0.02)
    [note] = small.do("cy", "earn", n=1, after=DAY).outcome.notes
    assert "it took more than it was lent" in note
    assert len(claimed(small, "exhausted")) == 1
    monkeypatch.setattr(transaction, "SECONDS", 0.16)
    silent(small)
    monkeypatch.setattr(transaction, "SECONDS", 60.0)
    assert len(small.verified().doubts) == 1


# Died.


def voted(small: Small, change: Any) -> None:
    """A change is proposed, and two are for it."""
    small.do("cy", "propose", title="Pay", changes=[change])
    for voter in ("cy", "dee"):
        small.do(voter, "vote", matter="posts/1", icon="for")


def resolving(small: Small, note: str, claims: dict[str, list[str]], files: dict[str, bytes]) -> Commit:
    """Ben's resolution of post 1, written by hand, with claims."""
    trailers: dict[str, object] = {
        "Nomic-Action": "resolve", "Nomic-By": "ben", "Nomic-With": {"matter": "posts/1"}, "Nomic-Evidence": claims,
    }  # fmt: skip
    return forged(small, "ben: resolve posts/1", [note], trailers, files)


def claimed(small: Small, which: str) -> list[str]:
    """What the deed at the head claims."""
    body = small.git("log", "-1", "--format=%B")
    told = next(line for line in body.split("\n") if line.startswith("Nomic-Evidence: "))
    names: list[str] = json.loads(told.partition(": ")[2])[which]
    return names


@pytest.mark.slow
def test_mechanics_that_end_their_process_are_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "PROCESSOR", 1)
    small = Small.found(tmp_path / "game")
    small.enact({"run": BOMB})
    assert len(claimed(small, "died")) == 1
    silent(small)


def killed(*_: object) -> None:
    """The system ends this process, as one does whose memory is short."""
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
def test_a_second_try_that_the_system_ends_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = claiming.again
    monkeypatch.setattr(worker, "PROCESSOR", 1)
    small = Small.found(tmp_path / "game")
    small.enact({"run": BOMB})
    monkeypatch.setattr(claiming, "again", lambda world, which, of, _: again(world, which, of, killed))
    silent(small)


@pytest.mark.slow
def test_a_forged_death_is_named_with_the_change_that_was_not_made(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    change = {"run": 'put("players/dee", gold=99)'}
    voted(small, change)
    name = hashlib.sha256(json.dumps(change).encode()).hexdigest()[:16] + " 1"
    note = f"Skipped: {deaths.died()}"
    files = edited(small, POST, "pending", "enacted") | edited(small, OPEN, "pending: [1]", "pending: []")
    commit = resolving(small, note, {"died": [name]}, files)
    doubted(small, commit, "mechanics of Change 1 of posts/1 end their process", "players.dee.gold: 10 → 99")


# Bricked.


def bricked(small: Small, change: Any, why: str) -> Commit:
    """Ben's resolution of post 1, written by hand, which claims that its change leaves no way to change the law."""
    voted(small, change)
    head = small.head()
    small.do("ben", "resolve", matter="posts/1")
    if '"bricked"' in small.git("log", "-1", "--format=%b"):
        name = claimed(small, "bricked")[0].partition(" ")[0]
    else:
        paths = small.git("ls-tree", "-r", "--name-only", "HEAD:game/ruleset").split()
        law = {path: Forger(small).file(f"game/ruleset/{path}").decode() for path in sorted(paths)}
        text = "\0".join(f"{path}\0{body}" for path, body in law.items())
        name = hashlib.sha256(text.encode()).hexdigest()[:16]
    small.git("reset", "-q", "--hard", head)
    files = edited(small, POST, "status: pending\n", "status: pending\nillegal: true\n")
    claim = name if why == BRICKED else f"{name} {why}"
    return resolving(small, f"Not enacted: {why}.", {"bricked": [claim]}, files)


@pytest.mark.slow
@pytest.mark.parametrize("why", [BRICKED, TOO_LONG, f"{STUCK}do_resolve of Play"])
def test_a_forged_brick_is_named_with_the_enactment_that_was_undone(tmp_path: Path, why: str) -> None:
    small = Small.found(tmp_path / "game")
    change = {"amend": {"rule": "hoard", "in": "mechanics", "replace": "roll(6)", "with": "roll(8)"}}
    commit = bricked(small, change, why)
    doubted(small, commit, "posts/1 leaves no way to change the law", "posts.1.status: pending → enacted")


@pytest.mark.slow
@pytest.mark.parametrize("why", ["its author has cheated", f"{STUCK}the head of its author"])
def test_forged_words_of_a_brick_are_named_with_those_that_its_trial_finds(tmp_path: Path, why: str) -> None:
    small = Small.found(tmp_path / "game")
    commit = bricked(small, {"repeal": "play"}, why)
    doubted(small, commit, "it says why posts/1 was not enacted, and here the reason is another", BRICKED)


SLOW = """\
---
title: Slow
guards:
  slow: {on: vote}
---
Whoever votes waits.

```starlark
def guard_slow(actor, action, given):
    for i in range(4000):
        now()
```
"""


def timed(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """As though a machine were so fast that each act of a trial has no more than these seconds."""
    monkeypatch.setattr(ways, "SECONDS", seconds)
    monkeypatch.setattr(ways, "QUESTION", seconds)


@pytest.mark.slow
def test_a_law_too_slow_to_be_tried_is_not_doubted_where_the_machine_is_eight_times_as_fast(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There it leaves a way to change the law; whoever decided could not see that in the time there was."""
    small = Small.found(tmp_path / "game")
    rule = {"title": "Slow", "text": "Whoever votes waits.", "declares": {"guards": {"slow": {"on": "vote"}}}}
    spins = SLOW.partition("starlark\n")[2].removesuffix("```\n")
    timed(monkeypatch, 0.015)
    notes = small.enact({"add-rule": rule | {"mechanics": spins}}).outcome.notes
    assert notes == [f"Not enacted: {TOO_LONG}."]
    timed(monkeypatch, 0.12)
    silent(small)
    small.git("reset", "-q", "--hard", "HEAD~1")
    timed(monkeypatch, 5)
    assert small.do("ben", "resolve", matter="posts/1").outcome.notes == []


@DEEP
def test_a_law_too_large_to_be_tried_is_not_doubted_where_its_trial_has_more_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The interpreter counts memory in its own way on each machine."""
    small = Small.found(tmp_path / "game")
    rule = {
        "title": "Large",
        "text": "Whoever votes fills the hall.",
        "declares": {"guards": {"large": {"on": "vote"}}},
    }
    fills = 'def guard_large(actor, action, given):\n    s = "ab" * 50000\n    for i in range(3000):\n        s.replace("a", "c")'
    monkeypatch.setattr(worker, "MEMORY", 200 * 1024 * 1024)
    assert small.enact({"add-rule": rule | {"mechanics": fills}}).outcome.notes == [
        f"Not enacted: {TOO_LONG}."
    ]
    monkeypatch.setattr(worker, "MEMORY", 512 * 1024 * 1024)
    silent(small)


@pytest.mark.slow
def test_a_law_that_leaves_no_way_is_not_doubted_where_the_machine_is_too_slow_to_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There the law before it seems to leave none either."""
    small = Small.found(tmp_path / "game", small_law({"2-dynastic/20-slow.md": SLOW}))
    assert small.enact({"repeal": "play"}).outcome.notes == [f"Not enacted: {BRICKED}."]
    timed(monkeypatch, 0.005)
    silent(small)


@pytest.mark.slow
def test_a_law_that_leaves_no_way_is_verified(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    small.enact({"repeal": "play"})
    assert len(claimed(small, "bricked")) == 1
    silent(small)


@pytest.mark.slow
def test_a_law_whose_second_trial_the_system_ends_stops_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = Small.found(tmp_path / "game")
    small.enact({"repeal": "play"})
    monkeypatch.setattr(trial, "differs", killed)
    silent(small)
