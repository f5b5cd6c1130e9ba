"""Laws that make others wait: whatever native operation their work hides in, it ends within its bound, and the game goes on.

What they take is counted in processor time of the command and its children, never in time on the wall. The bounds are
made narrow here, so that the tests are quick; what is tried is how they are kept.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from hostile.small import Small, small_law
from language import tiny
from support.depth import DEEP, one_of
from support.places import TESTS

from nomicgit.ground import watch
from nomicgit.ground.problems import Refused
from nomicgit.outlook import lasting
from nomicgit.physics.deeds import founding
from nomicgit.record.game import Game

HERE = TESTS
LAWS: Mapping[str, str] = yaml.safe_load((HERE / "hostile" / "laws.yml").read_text())
ENDS = {
    "time, between steps": "turns without end",
    "time, within one step": "a number that squares itself",
    "memory": "a text that doubles itself",
    "a crash": "tuples in tuples, as a key",
}
"""A law for each way in which one comes to its end."""
BOUND = (
    8.0  # seconds for a command; each of these laws takes more than a minute without bounds, or all memory
)
ROUNDED = 1.5  # seconds: a worker's are whole ones
NARROW = """\
import sys
from nomicgit.ground import watch, worker
from nomicgit.physics.state import transaction
transaction.SECONDS, transaction.QUESTION, transaction.LOOK = 0.3, 0.2, 1.5
watch.GRACE, watch.MEMORY, worker.PROCESSOR = 0.2, 256 << 20, 1
from nomicgit.cli import watched
watched()
"""


class Ended(NamedTuple):
    """How a command ended, what it said, and the seconds of processor time that it took with its children."""

    code: int
    out: str
    err: str
    seconds: float


def started(folder: Path, *arguments: str, program: str = NARROW) -> subprocess.Popen[str]:
    """A command of the program, begun within narrow bounds."""
    return subprocess.Popen(
        [sys.executable, "-c", program, "-C", str(folder), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "RUST_BACKTRACE": "1"},
    )


def ended(process: subprocess.Popen[str]) -> Ended:
    """How a command ended; what it says fits into a pipe."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    out, err = process.communicate()
    return Ended(process.returncode, out, err, usage.ru_utime + usage.ru_stime)


def run(folder: Path, *arguments: str) -> Ended:
    return ended(started(folder, *arguments))


def function(name: str, body: str, *parameters: str) -> str:
    return f"def {name}({', '.join(parameters)}):\n" + textwrap.indent(body, "    ")


def game(folder: Path, declares: str, *functions: str) -> Small:
    """A game of the small law, and of one rule more, called Slow."""
    code = "\n".join(functions)
    text = f"---\ntitle: Slow\n{declares}\n---\nIt is slow.\n\n```starlark\n{code}```\n"
    return Small.found(folder, small_law({"2-dynastic/90-slow.md": text}))


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory) -> Small:
    """A game with an action for each of the laws."""
    actions = "actions:\n" + "".join(f"  slow-{n}: {{}}\n" for n in range(len(LAWS)))
    functions = [function(f"do_slow_{n}", body, "actor") for n, body in enumerate(LAWS.values())]
    return game(tmp_path_factory.mktemp("slow") / "game", actions.rstrip(), *functions)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=one_of(4, number)) for number, each in enumerate(LAWS)]
)
def test_a_deed_ends_within_its_bound_and_leaves_no_record(slow: Small, name: str) -> None:
    head = slow.head()
    done = run(slow.folder, "--as", "cy", "--at", "+1h", "act", f"slow-{list(LAWS).index(name)}")
    assert done.code == 1, done
    assert done.err.startswith("refused: ")
    assert "rule Slow, game/ruleset/2-dynastic/90-slow.md" in done.err
    assert "Traceback" not in done.err
    assert "panicked" not in done.err
    assert done.seconds < BOUND
    assert slow.head() == head
    assert slow.git("status", "--porcelain") == ""


@pytest.mark.slow
@pytest.mark.parametrize("name", ENDS.values(), ids=list(ENDS))
def test_an_event_of_the_clock_is_skipped_and_verifying_costs_no_more(tmp_path: Path, name: str) -> None:
    body = LAWS[name]
    small = game(tmp_path / "game", "schedule: {slow: {every: day 12:00}}", function("schedule_slow", body))
    done = run(small.folder, "--as", "cy", "--at", "+24h", "act", "earn", "n=1")
    assert done.code == 0, done
    assert "slow at 2021-06-07T12:00:00Z did not happen: it took more than it was lent" in done.out
    assert small.value("players/cy gold") == 11
    verified = run(small.folder, "verify")
    assert verified.code == 0, verified
    assert done.seconds < BOUND
    assert verified.seconds < 1.2 * done.seconds + ROUNDED


@pytest.mark.slow
@pytest.mark.parametrize("way", ["time, within one step", "a crash"])
def test_what_an_event_did_before_it_ended_its_process_has_happened(tmp_path: Path, way: str) -> None:
    """Two days of four do no harm: an honest clone that puts off the third of them is not doubted over the first."""
    body = textwrap.dedent("""\
        gold = get("players/cy", "gold")
        if gold >= 12:
        {}
        put("players/cy", gold=gold + 1)
        """).format(textwrap.indent(LAWS[ENDS[way]], "    ").rstrip())
    small = game(tmp_path / "game", "schedule: {slow: {every: day 12:00}}", function("schedule_slow", body))
    done = run(small.folder, "--as", "cy", "--at", "+96h", "act", "earn", "n=1")
    assert done.code == 0, done
    assert "slow at 2021-06-09T12:00:00Z did not happen: it took more than it was lent" in done.out
    assert small.value("players/cy gold") == 10 + 2 + 1
    verified = run(small.folder, "verify")
    assert verified.code == 0, verified


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [pytest.param(each, id=how, marks=one_of(2, number)) for number, (how, each) in enumerate(ENDS.items())],
)
def test_who_looks_is_told_the_rest_and_the_rule_that_cannot_be_told(tmp_path: Path, name: str) -> None:
    declares = "variables: {drag: {of: player, type: integer, derived: _drag}}\nviews: {hiatus: {}}"
    functions = function("_drag", LAWS[name], "player"), function("hiatus", LAWS[name])
    small = game(tmp_path / "game", declares, *functions)
    state = run(small.folder, "state")
    assert state.code == 0, state
    assert "gold" in state.out
    assert "eli" in state.out
    assert "drag of players cannot be told: game/ruleset/2-dynastic/90-slow.md" in state.err
    status = run(small.folder, "status")
    assert status.code == 0, status
    assert "5 active" in status.out
    assert "game/ruleset/2-dynastic/90-slow.md" in status.out + status.err
    assert state.seconds < 2 * BOUND
    assert status.seconds < BOUND


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param("a text searched again and again", marks=DEEP), ENDS["time, within one step"]]
)
def test_a_guard_before_every_action_is_named_by_whoever_looks(tmp_path: Path, name: str) -> None:
    guard = function("guard_mud", LAWS[name] + 'return ""\n', "actor", "action", "given")
    small = game(tmp_path / "game", "guards: {mud: {on: all}}", guard)
    for command in ("status", "actions"):
        looked = run(small.folder, "--as", "cy", command)
        assert looked.code == 0, looked
        assert "game/ruleset/2-dynastic/90-slow.md:8" in looked.out
        assert ("5 active" if command == "status" else "set path value") in looked.out
        assert looked.seconds < BOUND
    check = run(small.folder, "check")
    assert check.code == 1, check
    assert "game/ruleset/2-dynastic/90-slow.md:8, rule Slow: " in check.out
    assert check.seconds < 2 * BOUND


@pytest.mark.slow
@pytest.mark.parametrize("way", ["time, within one step", "a crash"])
def test_what_ends_its_process_over_every_matter_is_not_tried_on_and_on(tmp_path: Path, way: str) -> None:
    """Who looks has met it once: whether the law can be changed hangs on it, and so does what becomes of each matter."""
    declares = "views: {enactable: {of: matter}}\nguards: {slow: {on: resolve}}"
    enactable = function("enactable", LAWS[ENDS[way]] + 'return ""\n', "matter")
    guard = function("guard_slow", 'return enactable(given["matter"])\n', "actor", "action", "given")
    small = game(tmp_path / "game", declares, enactable, guard)
    code = {"title": "New", "text": "It is new.", "mechanics": "def way():\n    return 1"}
    for author in ("cy", "dee"):
        small.do(author, "propose", title="Anew", changes=[{"add-rule": code}])
    status = run(small.folder, "status")
    assert status.code == 0, status
    assert "whether the law can still be changed cannot be told" in status.out
    assert "game/ruleset/2-dynastic/90-slow.md" in status.out
    assert "not tried whether they would be enacted: 1, 2" in status.out
    assert "no way to change the law is seen" not in status.out
    assert status.seconds < BOUND


def test_a_way_is_given_up_where_every_matter_meets_what_has_ended_a_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guard = function("guard_slow", 'return ""\n', "actor", "action", "given")
    small = game(tmp_path / "game", "guards: {slow: {on: resolve}}", guard)
    small.do("cy", "propose", title="Older")
    opened = Game.open(small.folder)
    with opened.repository:
        world = opened.looked_at(small.at)
        assert lasting.shut_from(world) is None
        monkeypatch.setattr(watch, "deadly", {"guard_slow": 0})
        with pytest.raises(Refused, match=r"90-slow.md:8: the mechanics end their process"):
            lasting.shut_from(world)


@pytest.mark.slow
def test_when_a_refused_deed_can_be_done_is_looked_for_within_a_bound_of_its_own(tmp_path: Path) -> None:
    days = 'for n in range(1, 40):\n    elapsed("2021-06-07T00:00:00Z", str(24 * n) + "h")\n'
    body = days + LAWS[ENDS["time, between steps"]]
    small = game(tmp_path / "game", "actions: {slow: {}}", function("do_slow", body, "actor"))
    seconds = "from nomicgit.cli.bodies import advised\nadvised.ADVICE = 0.3\nwatched()"
    patient = NARROW.replace("0.5, 0.3, 3.0", "0.5, 0.3, 20.0").replace("watched()", seconds)
    done = ended(started(small.folder, "--as", "cy", "--at", "+1h", "act", "slow", program=patient))
    assert done.code == 1, done
    assert done.err.startswith("refused: the law takes longer than a game lends it"), done
    assert done.seconds < 4.0


@pytest.mark.slow
def test_what_is_worked_out_before_anybody_calls_it_ends_within_the_same_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The interpreter works out what hangs on nothing when it compiles: who calls other functions goes on without it.

    Nobody founds such a game; somebody has made it by hand.
    """
    monkeypatch.setattr(founding, "refuse_heavy", lambda *_: None)
    guards = "guards: {" + ", ".join(f"g{n}: {{on: all}}" for n in range(8)) + "}"
    functions = [function(f"guard_g{n}", 'return ""\n', "actor", "action", "given") for n in range(8)]
    heavy = [function(f"heavy_{n}", f'return len("a" * {1_000_000_000 + n})\n') for n in range(40)]
    small = game(tmp_path / "game", guards, *functions, *heavy)
    done = run(small.folder, "--as", "cy", "--at", "+1h", "act", "earn", "n=1")
    assert done.code == 0, done
    assert done.seconds < BOUND
    told = run(small.folder, "status")
    assert told.code == 0, told
    assert "whether the law can still be changed cannot be told" in told.out
    assert "rule Slow" in told.out
    assert told.seconds < BOUND


FOUNDED = "--practice --start 2021-06-07T00:00:00Z --player ana --player cy --admin ana".split()


@pytest.mark.slow
def test_no_game_is_founded_on_what_takes_longer_to_compile_than_a_deed_has(tmp_path: Path) -> None:
    """What is founded has to be compiled by whoever verifies, where no time decides anything."""
    code = "".join(function(f"worked_out_{n}", f"return 1{' + 1' * 12_000}\n") for n in range(20))
    text = f"---\ntitle: Slow\n---\nIt is slow.\n\n```starlark\n{code}```\n"
    for path, rule in small_law({"2-dynastic/90-slow.md": text}).texts.items():
        (tmp_path / "edition" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "edition" / path).write_text(rule)
    founded = run(tmp_path, "new", "game", "--edition", str(tmp_path / "edition"), *FOUNDED)
    assert founded.code == 1
    assert "(rule Slow, game/ruleset/2-dynastic/90-slow.md" in founded.err
    assert founded.seconds < BOUND
    assert not (tmp_path / "game").exists()


def test_a_founding_is_bounded_in_time_when_it_is_decided_and_never_when_it_is_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bounds = list[float]()

    def asked(_: object, until: float) -> None:
        if bounds:
            raise Refused.of("where there is a bound, too, that is no deciding")
        bounds.append(until)

    monkeypatch.setattr(founding, "refuse_heavy", asked)
    began = time.process_time()
    small = Small.found(tmp_path / "game", small_law({}))
    assert [until > began for until in bounds] == [True]
    assert small.faults() == {}


@pytest.mark.slow
def test_a_game_whose_own_hiatus_cannot_be_told_begins_all_the_same(tmp_path: Path) -> None:
    folder, text = tmp_path / "endless", function("hiatus", LAWS[ENDS["time, within one step"]])
    rules = {
        "2-dynastic/90-slow.md": f"---\ntitle: Slow\nviews: {{hiatus: {{}}}}\n---\nSlow.\n\n```starlark\n{text}```\n"
    }
    for path, rule in small_law(rules).texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(rule)
    players = [word for name in ("ana", "ben") for word in ("--player", name)]
    done = run(tmp_path, "new", "game", "--edition", str(folder), *players, "--admin", "ben", "--no-keys")
    assert done.code == 0, done
    assert "game has begun" in done.out
    assert done.seconds < BOUND


@pytest.mark.slow
def test_a_look_that_begins_anew_goes_on_with_the_time_that_it_has_left() -> None:
    program = textwrap.dedent("""\
        import sys, time
        from nomicgit.ground import watch
        watch.GRACE = 0.1
        watch.over(lambda outage: 3)
        while time.process_time() < 0.3:
            pass  # what comes before a look is none of it
        before = watch.looking()
        if len(watch.deadly) < 2:
            watch.enter(f"function {len(watch.deadly)}", time.process_time() + 0.2)
            while True:
                pass
        print(before, watch.looking(), sorted(watch.deadly))
        """)
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    before, again, deadly = said.split(" ", 2)
    assert (
        0.35 < float(before) < 1.0
    )  # about twice the time lent, and the grace; a timer may go off a little early
    assert 0 <= float(again) - float(before) < 0.2
    assert deadly == "['function 0', 'function 1']\n"


def test_all_looks_of_a_command_have_one_bound_together() -> None:
    program = textwrap.dedent("""\
        import time
        from nomicgit.ground import watch
        watch.over(lambda outage: 3)
        first = watch.looking()
        until = time.process_time() + 0.3
        while time.process_time() < until:
            pass
        print(first, watch.looking())
        """)
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    first, then = map(float, said.split())
    assert first < 0.1
    assert 0.3 <= then < 0.6


def test_what_was_looked_before_is_taken_from_a_look(monkeypatch: pytest.MonkeyPatch) -> None:
    game = tiny.Game(tiny.ruleset({}))
    game.as_first_decided()
    world = game.world
    monkeypatch.setattr(watch, "looked", 15.0)
    world.look()
    assert world.limit is not None
    assert 4 < world.limit - time.process_time() <= 5


@pytest.mark.slow
def test_what_is_handed_in_is_read_again_when_the_command_begins_anew(tmp_path: Path) -> None:
    body = LAWS[ENDS["time, within one step"]]
    small = game(tmp_path / "game", "schedule: {slow: {every: day 12:00}}", function("schedule_slow", body))
    process = subprocess.Popen(
        [sys.executable, "-c", NARROW, "-C", str(small.folder), "--as", "cy", "--at", "+24h", "act", "story",
         "title=T", "body=-"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    out, err = process.communicate("It was night.\n")
    assert process.returncode == 0, out + err
    assert small.value("posts/1 body") == "It was night."


@pytest.mark.slow
@pytest.mark.parametrize("whom", ["the command", "all its processes"])
def test_a_deed_within_one_native_operation_is_interrupted(tmp_path: Path, whom: str) -> None:
    declares = "actions: {slow: {}}"
    body = 'note("begun")\nn = 3\nfor i in range(60):\n    n = n * n\n'
    small = game(tmp_path / "game", declares, function("do_slow", body, "actor"))
    head = small.head()
    patient = NARROW.replace("= 0.3, 0.2, 1.5", "= 300, 200, 1500")
    process = subprocess.Popen(
        [sys.executable, "-c", patient, "-C", str(small.folder), "--as", "cy", "act", "slow"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    _within_the_law(process.pid)
    (os.kill if whom == "the command" else os.killpg)(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "")
    assert small.head() == head
    assert small.git("status", "--porcelain") == ""
    small.do("cy", "earn", n=1)
    assert small.faults() == {}


def _within_the_law(watch: int) -> None:
    """Wait until the child of a watch has worked for a while: beginning takes it less."""
    while True:
        line = ["ps", "-A", "-o", "ppid=", "-o", "time="]
        rows = subprocess.run(line, capture_output=True, text=True, check=True).stdout.splitlines()
        if any(
            parent == str(watch) and _seconds(spent) >= 1 for parent, spent in (row.split() for row in rows)
        ):
            return


def _seconds(told: str) -> float:
    """The processor time that `ps` tells: hours, minutes and seconds, or the last two."""
    total = 0.0
    for part in told.split(":"):
        total = 60 * total + float(part)
    return total
