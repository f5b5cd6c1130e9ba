"""How a worker ends, and whose doing that was: the mechanics' is evidence, the machine's records nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hostile.small import Small

from nomicgit.ground import deaths, worker
from nomicgit.ground.problems import Outage, Refused

CRASHES = [signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGILL, signal.SIGFPE]
FOREIGN = [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGXCPU, signal.SIGUSR1]


def ended_by(number: int) -> Any:
    """Work that ends its process by a signal."""
    signal.signal(number, signal.SIG_DFL) if number != signal.SIGKILL else None
    os.kill(os.getpid(), number)
    signal.pause()


def tried(folder: Path) -> int:
    """How often work has been tried, with this time."""
    (folder / str(os.getpid())).touch()
    return len(list(folder.iterdir()))


@pytest.mark.parametrize("number", CRASHES)
def test_what_crashes_twice_is_the_works_doing(number: int, tmp_path: Path) -> None:
    def work() -> None:
        tried(tmp_path)
        ended_by(number)

    with pytest.raises(deaths.Died):
        worker.run(work)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.slow
@pytest.mark.parametrize("number", CRASHES)
def test_what_crashes_once_has_its_answer(number: int, tmp_path: Path) -> None:
    def work() -> str:
        if tried(tmp_path) == 1:
            ended_by(number)
        return "done"

    assert worker.run(work) == "done"


@pytest.mark.parametrize("number", FOREIGN)
def test_what_was_ended_from_outside_is_the_machines(number: int, tmp_path: Path) -> None:
    def work() -> None:
        tried(tmp_path)
        ended_by(number)

    with pytest.raises(Outage, match=signal.Signals(number).name):
        worker.run(work)
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="macOS takes no bound on memory")
def test_memory_used_up_is_the_works_doing() -> None:
    with pytest.raises(deaths.Died):
        worker.run(lambda: len(bytearray(worker.MEMORY * 2)))


LENT = """\
import sys
from nomicgit.ground import worker
try:
    print(worker.run(lambda: len(bytearray(300 << 20))))
except Exception as error:
    print(type(error).__name__, error)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("limit", "said"), [("-d unlimited", "314572800"), ("-d 200000", "Cut ")])
def test_memory_that_the_machine_does_not_lend_is_its_failure(limit: str, said: str) -> None:
    line = f'ulimit {limit}; exec "$@"'
    done = subprocess.run(
        ["sh", "-c", line, "sh", sys.executable, "-c", LENT], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(said)
    assert (deaths.SHORT in done.stdout) == (said == "Cut ")


@pytest.mark.slow
def test_a_stack_is_as_deep_everywhere() -> None:
    """What crashes for want of it crashes on each machine, and it is the law's doing."""
    program = "import resource; from nomicgit.ground import worker; print(worker.run(lambda: resource.getrlimit(resource.RLIMIT_STACK)))"
    for limit in ("-Ss 1024", "-Ss hard"):
        done = subprocess.run(
            ["bash", "-c", f'ulimit {limit}; exec "$@"', "bash", sys.executable, "-c", program],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert done.stdout == f"[{worker.STACK}, {worker.STACK}]\n"
    done = subprocess.run(
        ["bash", "-c", 'ulimit -s 1024; exec "$@"', "bash", sys.executable, "-m", "nomicgit", "editions"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (4, "")
    assert "it may not have as much memory and time" in done.stderr


def test_a_stream_under_a_bound_of_somebody_elses_goes_as_far_as_that() -> None:
    program = "from nomicgit.ground import worker; print(*worker.stream(lambda _: iter([1, 2])))"
    line = ["sh", "-c", 'ulimit -t 30; exec "$@"', "sh", sys.executable, "-c", program]
    assert subprocess.run(line, capture_output=True, text=True, check=True).stdout == "1 2\n"


def test_depth_used_up_is_the_works_doing() -> None:
    def deep(n: int) -> int:
        return deep(n + 1) + 1

    with pytest.raises(deaths.Died):
        worker.run(lambda: deep(0))


def test_who_waits_for_the_processor_without_end_is_not_to_blame() -> None:
    with pytest.raises(Outage, match="came to no end"):
        worker.run(signal.pause, wall=0.2)


def test_a_defect_of_the_program_is_told_as_such() -> None:
    with pytest.raises(worker.Broken, match="KeyError: 'nothing'"):
        worker.run(lambda: dict[str, str]()["nothing"])


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has a file that is always full")
def test_an_error_of_the_machine_in_it_is_the_machines() -> None:
    with pytest.raises(Outage, match="No space left"):
        worker.run(lambda: os.write(os.open("/dev/full", os.O_WRONLY), b"x"))


@pytest.mark.parametrize("error", [OSError(1, "not permitted"), ValueError("not allowed")])
def test_limits_that_cannot_be_set(monkeypatch: pytest.MonkeyPatch, error: Exception, tmp_path: Path) -> None:
    def refuse(*_: Any) -> None:
        raise error

    monkeypatch.setattr("resource.setrlimit", refuse)
    with pytest.raises(Outage, match=r"cannot set its limits: .*not"):
        worker.run(lambda: tried(tmp_path))
    with pytest.raises(Outage, match=r"cannot set its limits: .*not"):
        next(worker.stream(lambda _: iter([tried(tmp_path)])))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("refused", ["os.fork", "os.pipe"])
def test_a_worker_that_cannot_be_started(monkeypatch: pytest.MonkeyPatch, refused: str) -> None:
    def refuse() -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(refused, refuse)
    with pytest.raises(Outage, match="cannot be started: Resource temporarily unavailable"):
        worker.run(lambda: 1)


def test_an_outage_within_a_worker_is_one_of_the_whole() -> None:
    with pytest.raises(Outage, match="SIGKILL"):
        worker.run(lambda: worker.run(lambda: ended_by(signal.SIGKILL)))


def test_a_worker_that_is_ended_while_another_runs_in_it_is_noticed_at_once() -> None:
    def outer() -> None:
        parent = os.getpid()

        def inner() -> None:
            os.kill(parent, signal.SIGKILL)
            signal.alarm(20)
            signal.pause()

        worker.run(inner)

    with pytest.raises(Outage, match="SIGKILL"):
        worker.run(outer, wall=10)


# Streams.


def test_a_stream_goes_on_behind_what_was_given_where_it_crashed_once(tmp_path: Path) -> None:
    def answers(given: int) -> Iterator[int]:
        for number in range(given, 4):
            if number == 2 and tried(tmp_path) == 1:
                ended_by(signal.SIGSEGV)
            yield number

    assert list(worker.stream(answers)) == [0, 1, 2, 3]


def test_a_stream_ends_where_it_crashes_twice() -> None:
    def answers(given: int) -> Iterator[str]:
        yield from (["x" * 100_000] * 3)[given:]
        ended_by(signal.SIGSEGV)

    found = worker.stream(answers)
    assert [len(next(found)) for _ in range(3)] == [100_000] * 3
    with pytest.raises(deaths.Died):
        next(found)


def test_a_stream_that_was_ended_from_outside_is_the_machines() -> None:
    def answers(_: int) -> Iterator[int]:
        yield 1
        ended_by(signal.SIGKILL)

    found = worker.stream(answers)
    assert next(found) == 1
    with pytest.raises(Outage, match="SIGKILL"):
        next(found)


@pytest.mark.slow
def test_time_used_up_within_another_worker_is_the_works_doing() -> None:
    def spin() -> None:
        while True:
            pass

    with pytest.raises(Refused, match="more memory or time"):
        worker.run(lambda: worker.run(spin, processor=9), processor=2)


# In a game.


@pytest.fixture
def killed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Every worker is killed by somebody else once it has begun, as a system does whose memory is short."""
    reader, writer = os.pipe()
    pids: list[int] = []
    worked = worker._worked

    def victim(work: Any) -> int:
        def waits() -> Iterator[Any]:
            os.write(writer, os.getpid().to_bytes(8, "big"))
            signal.pause()
            yield

        return worked(waits)

    def kill() -> None:
        while told := os.read(reader, 8):
            pids.append(int.from_bytes(told, "big"))
            os.kill(pids[-1], signal.SIGKILL)

    monkeypatch.setattr(worker, "_worked", victim)
    killer = threading.Thread(target=kill)
    killer.start()
    yield pids
    monkeypatch.undo()
    os.close(writer)
    killer.join()
    os.close(reader)


CHANGES = {
    "its mechanics are tried": {"add-rule": {"title": "News", "text": "Words.", "mechanics": "X = 1"}},
    "the law that it makes is tried": {
        "add-rule": {"title": "News", "text": "Words.", "declares": {"limits": {"l": {"per": "day"}}}}
    },
}


def proposed(folder: Path, change: Any) -> Small:
    """A game with a popular proposal."""
    small = Small.found(folder)
    small.do("cy", "propose", title="News", changes=[change])
    for voter in ("cy", "dee"):
        small.do(voter, "vote", matter="posts/1", icon="for")
    return small


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_an_enactment_whose_worker_is_killed_is_not_recorded(
    tmp_path: Path, change: Any, request: pytest.FixtureRequest
) -> None:
    small = proposed(tmp_path / "game", change)
    head = small.head()
    killed = request.getfixturevalue("killed")
    with pytest.raises(Outage, match="SIGKILL"):
        small.do("ben", "resolve", matter="posts/1")
    assert len(killed) == 1
    assert small.head() == head
    request.getfixturevalue("monkeypatch").undo()
    assert small.do("ben", "resolve", matter="posts/1").outcome.notes == []
    assert small.value("posts/1 status") == "enacted"
    assert small.verified().doubts == []


def test_verification_whose_worker_is_killed_blames_no_commit(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    small = Small.found(tmp_path / "game")
    request.getfixturevalue("killed")
    with pytest.raises(Outage, match="SIGKILL"):
        small.verified()


@pytest.mark.slow
def test_a_machine_that_lends_too_little_ends_the_command_with_a_code_of_its_own(tmp_path: Path) -> None:
    small = proposed(tmp_path / "game", CHANGES["its mechanics are tried"])
    head = small.head()
    command = [sys.executable, "-m", "nomicgit", "-C", str(small.folder), "--as", "ben", "--at", "+1h"]
    limited = ["sh", "-c", 'ulimit -t 3; exec "$@"', "sh", *command, "act", "resolve", "matter=1"]
    done = subprocess.run(limited, capture_output=True, text=True, check=False)
    assert done.returncode == 4, done.stderr
    assert "error: the process in which mechanics are tried failed: it cannot set its limits" in done.stderr
    assert "nothing is recorded" in done.stderr
    assert small.head() == head
    free = subprocess.run(
        [*command, "act", "resolve", "matter=1"], capture_output=True, text=True, check=False
    )
    assert free.returncode == 0, free.stderr
    assert small.value("posts/1 status") == "enacted"


def test_a_refusal_of_the_work_is_a_refusal() -> None:
    def work() -> None:
        raise Refused.of("no")

    with pytest.raises(Refused, match=r"^no$"):
        worker.run(work)


def test_an_answer_that_is_too_much_says_what_most_of_it_is() -> None:
    seen = [{"view": "hoard", "new": "x" * worker.ANSWER}, {"view": "odds", "new": "y"}]
    with pytest.raises(Refused, match=r"most of it in value views 1 hoard new$"):
        worker.run(lambda: {"views": seen, "texts": {"70-tolls.md": "z" * 1000}})
