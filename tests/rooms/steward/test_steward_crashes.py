"""The steward, cut off: at every request, at every step of Git, by another steward; nothing is lost, nothing done twice."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from fakegithub.gitside import git
from support.depth import is_deep
from support.doorstep import HOUR, Doorstep, doorstep

from nomicgit.forge.github import GitHub
from nomicgit.git.remote import Remote
from nomicgit.ground import deaths
from nomicgit.ground.problems import NomicError, Outage
from nomicgit.steward import portions
from nomicgit.steward.events import Event
from nomicgit.steward.passing import CLAIM, Passed
from nomicgit.steward.seen import News
from nomicgit.steward.table import Table

MOST = 60


class Killed(BaseException):
    """What a killed process does: nothing below handles it."""


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Doorstep]:
    with doorstep(tmp_path) as found:
        yield found


class Round:
    """A vote, an action that is allowed and one that is refused, all new; and what must have come of them, once."""

    def __init__(self, door: Doorstep, pull: Any, number: int) -> None:
        self.door, self.pull = door, pull
        self.deeds, self.votes = door.deeds(), len(door.ballots(1))
        icon = ("for", "against")[number % 2]
        self.vote = door.say("dee", pull, f":{icon}: round {number}")
        self.roll = door.form("eli", "roll", {"dice": "DICE6"})
        self.refused = door.form("fox", "ascend", {"theme": f"round {number}"})

    def check(self) -> None:
        door = self.door
        assert door.deeds() == self.deeds + 2
        assert len(door.ballots(1)) == self.votes + 1
        for issue, text in ((self.roll, "**roll** is done"), (self.refused, "emperor")):
            assert [text in body for body in door.ours(issue)] == [True]
            assert issue.state == "closed"
        assert f"| {door.ballots(1)[-1][1].upper()} |" in door.report(self.pull)


def finish(door: Doorstep) -> None:
    """The passes that come after, until nothing is new."""
    door.github.clock.advance(CLAIM)
    for _ in range(5):
        if door.run().nothing_new:
            return
    pytest.fail("the steward finds no rest")


@pytest.fixture
def step(request: pytest.FixtureRequest) -> int:
    """Every how manieth place a pass is cut off at; with ``--hypothesis-profile=deep`` at all."""
    return 1 if is_deep(request.config) else 4


def rounds(door: Doorstep, cut: Callable[[int], bool], places: range) -> int:
    """A round for each of these places at which a pass can be cut off; ``cut`` tells whether it was. The one not come to."""
    pull = door.propose("cy", "Moonlight")
    door.run()
    for number in places:
        this = Round(door, pull, number)
        struck = cut(number)
        finish(door)
        this.check()
        if not struck:
            return number
    pytest.fail("a pass never ends")


@pytest.mark.slow
@pytest.mark.parametrize("lost", [False, True], ids=["before", "after"])
def test_a_pass_that_is_killed_at_any_call_is_made_good_by_the_next(
    door: Doorstep, monkeypatch: pytest.MonkeyPatch, step: int, *, lost: bool
) -> None:
    """``lost``: the call is done, and its answer never comes."""
    calls = {"left": -1}

    def mortal(of: type, name: str) -> None:
        whole = getattr(of, name)

        def call(*args: Any, **how: Any) -> Any:
            calls["left"] -= 1
            if calls["left"] == 0 and not lost:
                raise Killed
            found = whole(*args, **how)
            if calls["left"] == 0:
                raise Killed
            return found

        monkeypatch.setattr(of, name, call)

    for of, name in ((Remote, "_run"), (GitHub, "news"), (GitHub, "write"), (GitHub, "status")):
        mortal(of, name)

    def cut(number: int) -> bool:
        calls["left"] = number + 1
        try:
            door.run()
        except Killed:
            return True
        finally:
            calls["left"] = -1
        return False

    assert rounds(door, cut, range(2 * int(lost) % step, MOST, step)) >= 7
    assert door.faults() == []


@pytest.mark.slow
def test_a_forge_whose_answer_to_any_request_is_lost_costs_nothing(door: Doorstep, step: int) -> None:
    door.http = True

    def cut(number: int) -> bool:
        fault = door.github.fail(0, after=number, lost=True)
        with suppress(NomicError):
            door.run()
        struck = fault.times == 0
        door.github.faults.clear()
        return struck

    assert rounds(door, cut, range(0, MOST, 2 * step if step > 1 else 1)) >= 10
    assert door.faults() == []


class Overtaken(GitHub):
    """A client whose steward is overtaken by another one, between looking at the game and deciding."""

    meanwhile: Callable[[], Passed]

    def news(self, cursor: Any, also: Any = (), since: int = 0) -> News:
        found = super().news(cursor, also)
        self.meanwhile()
        return found


@pytest.mark.slow
def test_two_stewards_at_once_do_everything_once(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    this = Round(door, pull, 0)
    github, token = door.github, door.github.token(door.github.steward)
    forge = Overtaken(
        "nomic-club/game", token, api=github.url, graphql=github.graphql, wait=github.wait, now=github.time
    )
    forge.meanwhile = door.run
    door.run(forge=forge)
    finish(door)
    this.check()
    assert door.faults() == []


@pytest.mark.slow
def test_a_pass_that_writes_has_the_writing_to_itself(door: Doorstep) -> None:
    """The other steward comes between the first one's push and its answers."""
    pull = door.propose("cy", "Moonlight")
    door.run()
    this = Round(door, pull, 0)
    others: list[Passed] = []

    class Beset(GitHub):
        def write(self, writes: Any) -> Any:
            others.append(door.steward().run())
            return super().write(writes)

    github, token = door.github, door.github.token(door.github.steward)
    door.run(
        forge=Beset(
            "nomic-club/game",
            token,
            api=github.url,
            graphql=github.graphql,
            wait=github.wait,
            now=github.time,
        )
    )
    assert [other.busy for other in others] == [True]
    finish(door)
    this.check()


@pytest.mark.slow
@pytest.mark.parametrize("late", [False, True])
def test_a_pass_that_writes_for_long_says_so_and_leaves_the_rest_to_one_that_took_over(
    door: Doorstep, monkeypatch: pytest.MonkeyPatch, *, late: bool
) -> None:
    """Each portion takes long; or the first one so long that another pass has taken this one for dead."""
    asked = [door.github.issue(door.people["cy"], "Help", "/help") for _ in range(3)]
    monkeypatch.setattr(portions, "PORTION", 1)
    github, others = door.github, list[Passed]()

    class Slow(GitHub):
        def write(self, writes: Any) -> Any:
            done = super().write(writes)
            github.clock.advance(CLAIM if late else CLAIM - 100)
            if not (late and others):
                others.append(door.steward().run())
            return done

    token = github.token(github.steward)
    passed = door.run(
        forge=Slow("nomic-club/game", token, api=github.url, graphql=github.graphql, wait=github.wait, now=github.time)
    )  # fmt: skip
    assert {other.busy for other in others} == {not late}
    assert any(portions.NOT_OURS in each for each in passed.problems) == late
    door.run()
    assert [(thread.state, len(door.ours(thread))) for thread in asked] == [("closed", 1)] * 3


@pytest.mark.slow
def test_a_pass_whose_cursor_is_lost_reads_all_again_and_does_nothing_twice(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.review("dee", pull)
    this = Round(door, pull, 0) if door.run() else None
    assert this is not None
    door.run()
    deeds, said = door.deeds(), [len(door.ours(each)) for each in door.github.threads.values()]
    git(door.github.repo.path, "update-ref", "-d", "refs/nomicgit/steward")
    door.run()
    assert door.deeds() == deeds
    assert [len(door.ours(each)) for each in door.github.threads.values()] == said


@pytest.mark.slow
@pytest.mark.parametrize("decided", [False, True])
def test_what_was_enacted_before_a_crash_is_told_though_the_cursor_is_lost_too(
    door: Doorstep, monkeypatch: pytest.MonkeyPatch, *, decided: bool
) -> None:
    """The forge has closed the thread by then; the passes after it are cut off as well. ``decided``: something was refused before."""
    pull = door.propose("cy", "Moonlight")
    for who in ("dee", "eli", "fox"):
        door.review(who, pull)
    if decided:
        door.say("fox", pull, "/vote maybe")
    door.run()
    door.github.clock.advance(12 * HOUR)

    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as cut:
        cut.setattr(portions, "written", dies)
        with pytest.raises(KeyboardInterrupt):
            door.run()
        git(door.github.repo.path, "update-ref", "-d", "refs/nomicgit/steward")
        door.github.clock.advance(HOUR)
        door.say("eli", door.github.issue(door.people["eli"], "Talk", "hm"), "/vote maybe")
        with pytest.raises(KeyboardInterrupt):
            door.run()
    assert (door.post(1)["status"], pull.merged) == ("enacted", True)
    assert "is pending" in door.report(pull)
    door.github.clock.advance(HOUR)
    door.run()
    assert "is enacted" in door.report(pull)


@pytest.mark.slow
def test_events_that_come_late_and_out_of_order_are_taken_in_the_order_of_the_forge(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    late = door.say("eli", pull, "hm")
    door.say("dee", pull, ":for:")
    door.say("dee", pull, ":against:")
    pull.comments.reverse()
    door.run()
    assert door.ballots(1) == [("dee", "for"), ("dee", "against")]
    late.body = ":for:"
    door.say("dee", pull, ":for:")
    door.run()
    assert door.ballots(1)[2:] == [("eli", "for"), ("dee", "for")]
    at = [each["at"] for each in door.game().tree.comments("posts/1")]
    assert at == sorted(at)
    assert door.faults() == []


@pytest.mark.slow
def test_a_vote_that_is_seen_after_a_newer_one_of_the_same_player_does_not_replace_it(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    late = door.say("dee", pull, "hm")
    door.say("dee", pull, ":against:")
    door.run()
    late.body = ":for:"
    door.say("eli", pull, "look")
    door.run()
    door.run()
    assert door.ballots(1) == [("dee", "against")]
    assert len([body for body in door.ours(pull) if "seen late" in body]) == 1


@pytest.mark.slow
def test_a_pass_that_comes_days_late_dates_deeds_as_the_forge_does(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    reviews = [door.review(who, pull) for who in ("dee", "eli", "fox")]
    door.github.clock.advance(5 * 24 * HOUR)
    door.run()
    assert door.post(1)["status"] == "enacted"
    assert door.post(1)["at"] < "2026-01-02"
    assert [each.at for each in reviews] == sorted(each.at for each in reviews)
    assert pull.merged


@pytest.mark.slow
def test_a_dry_run_writes_nothing_anywhere(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    head = door.game().head.oid
    passed = door.run(dry_run=True)
    assert [deed.action for deed in passed.deeds] == ["propose"]
    assert (door.game().head.oid, door.ours(pull), door.github.statuses) == (head, [], [])


def test_a_shallow_clone_is_refused(door: Doorstep, tmp_path: Path) -> None:
    from fakegithub.gitside import git

    from nomicgit.git import Repository
    from nomicgit.steward.passing import Steward

    door.form("dee", "roll", {"dice": "DICE6"})
    door.run()
    git(
        door.github.repo.path,
        "clone",
        "-q",
        "--depth=1",
        f"file://{door.github.repo.path}",
        str(tmp_path / "shallow"),
    )
    steward = Steward(
        Repository.open(tmp_path / "shallow"), door.github.git_url(), door.client(), door.github.time
    )
    with pytest.raises(NomicError, match="shallow"):
        steward.run()


# Its worker.


def ends(monkeypatch: pytest.MonkeyPatch, over: Callable[[], None]) -> None:
    """Whatever takes eli's roll in comes to this end."""
    take = Table.take

    def taken(table: Table, event: Event) -> Any:
        if event.who is not None and event.who.login == "Eli":
            over()
        return take(table, event)

    monkeypatch.setattr(Table, "take", taken)


@pytest.mark.slow
def test_a_pass_whose_worker_is_ended_from_outside_blames_nobody(
    door: Doorstep, monkeypatch: pytest.MonkeyPatch
) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    played = Round(door, pull, 1)
    with monkeypatch.context() as patch:
        ends(patch, lambda: os.kill(os.getpid(), signal.SIGKILL))
        with pytest.raises(Outage, match="SIGKILL"):
            door.run()
    assert (door.deeds(), door.ours(played.roll)) == (played.deeds, [])
    finish(door)
    played.check()


def broken() -> None:
    raise KeyError("nothing")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("over", "told"),
    [
        (lambda: os.kill(os.getpid(), signal.SIGSEGV), deaths.HURT),
        (broken, "the program has a defect: KeyError: 'nothing'"),
    ],
    ids=["a crash that comes back", "a defect of the program"],
)
def test_what_an_event_does_to_the_worker_is_told_there_and_the_others_go_on(
    door: Doorstep, monkeypatch: pytest.MonkeyPatch, over: Callable[[], None], told: str
) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    played = Round(door, pull, 1)
    ends(monkeypatch, over)
    door.run()
    assert [told.partition(":")[0] in body for body in door.ours(played.roll)] == [True]
    assert len(door.ballots(1)) == played.votes + 1
    assert "emperor" in door.ours(played.refused)[0]
