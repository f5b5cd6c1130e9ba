"""Where the time goes: what is slow is profiled before anybody changes it. See docs/performance.md.

    python tools/profiles.py                  everything
    python tools/profiles.py vote verify      some of it
    python tools/profiles.py vote --rows 40   more functions of it

Told is the time that each function took itself, those of one room together first. A profile makes many small functions
look dearer than they are: what it shows is held to `tools/bench.py`, which measures without one.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tables import EDITION, PLAYERS, Table, pending, plain_environment

from nomicgit import editions
from nomicgit.git import Repository
from nomicgit.law.ruleset import Ruleset
from nomicgit.outlook.overview import outlook_of
from nomicgit.physics.numbers import NEWEST
from nomicgit.replay.replaying import Replay

ROOT = Path(__file__).resolve().parent.parent
MANY = 200
"""Deeds that are profiled."""


class Spent(NamedTuple):
    """The time that something took itself (seconds), where it stands, and how often it was called."""

    seconds: float
    what: str
    calls: int


Work = Callable[[], object]


def vote(scratch: Path) -> Work:
    """Votes in process, each from reading the head to the synced commit."""
    table = Table(scratch / "vote")
    table.vote(0)

    def votes() -> None:
        for number in range(MANY):
            table.vote(number)

    return votes


def post(scratch: Path) -> Work:
    """Posts in process."""
    table = Table(scratch / "post")

    def posts() -> None:
        for number in range(MANY):
            table.act(PLAYERS[number % 8 + 2], "post", title=f"Night {number}", body="Words.")

    return posts


def replay(scratch: Path) -> Work:
    """Votes done again, and compared with their commits, in this process, as the workers of ``verify`` do."""
    vote(scratch)()
    repository = Repository.open(scratch / "vote")
    head = repository.head()
    assert head is not None
    commits = list(repository.log(head))[::-1]
    return lambda: list(Replay(repository, commits).steps(0))


def status(_: Path) -> Work:
    """The outlook of pending matters, with tallies and why each vote counts."""
    world = pending(100, 40)
    return lambda: outlook_of(world, EDITION, votes=True)


def law(_: Path) -> Work:
    """The law of the edition, read, declared, linked and compiled whole."""
    texts = dict(editions.load(EDITION).texts)
    return lambda: NEWEST.law(Ruleset.read(texts)).compile()


def command(scratch: Path) -> Iterator[Spent]:
    """What a vote of the command line imports: each module with the time that it took itself, as Python tells it."""
    table = Table(scratch / "command")
    told = ""
    for _ in range(2):  # the first run compiles
        arguments = ["-C", str(table.folder), "--as", PLAYERS[3], "vote", "1", "for"]
        line = [sys.executable, "-X", "importtime", "-m", "nomicgit", *arguments]
        done = subprocess.run(line, env=plain_environment(), capture_output=True, text=True, check=True)
        told = done.stderr
    for row in told.splitlines()[1:]:
        own, _, name = row.removeprefix("import time:").split("|")
        yield Spent(int(own) / 1e6, name.strip(), 1)


PROFILED: Mapping[str, Callable[[Path], Work]] = {
    each.__name__: each for each in (law, vote, post, replay, status)
}
"""In this order: the others leave a law behind that is read already."""


def profiled(work: Work) -> Iterator[Spent]:
    """What the functions that some work calls took themselves."""
    profile = cProfile.Profile()
    profile.runcall(work)
    for (file, line, name), (_, calls, own, _, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        yield Spent(own, name if file == "~" else f"{place(file)}:{line} {name}", calls)


def place(file: str) -> str:
    """A file as it is told: from this repository, or by its name in a library."""
    path = Path(file)
    return (
        str(path.relative_to(ROOT)) if path.is_relative_to(ROOT / "nomicgit") else "/".join(path.parts[-2:])
    )


def room(what: str) -> str:
    """The room in which something stands; Python for all that is not the program's."""
    parts = what.replace("nomicgit.", "nomicgit/").split("/")
    return f"nomicgit/{parts[1].partition('.')[0]}" if parts[0] == "nomicgit" and len(parts) > 1 else "Python"


def table_of(name: str, said: str, spent: list[Spent], rows: int) -> Iterator[str]:
    """What was measured, as lines."""
    whole = sum(each.seconds for each in spent)
    yield f"\n## {name}: {whole * 1000:,.0f} ms\n\n{said}\n"
    rooms: Counter[str] = Counter()
    for each in spent:
        rooms[room(each.what)] += each.seconds  # type: ignore[assignment]
    for where, seconds in rooms.most_common():
        yield f"{seconds * 1000:10,.1f} ms  {seconds / whole:4.0%}  {where}"
    yield ""
    for each in sorted(spent, reverse=True)[:rows]:
        yield f"{each.seconds * 1000:10,.1f} ms  {each.seconds / whole:4.0%}  {each.calls:>9,}×  {each.what}"


def main() -> int:
    """The command."""
    names = [*PROFILED, command.__name__]
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("what", nargs="*", choices=[*names, []], metavar="WHAT", help=", ".join(names))
    parser.add_argument("--rows", type=int, default=15, help="how many functions, or modules, of each")
    given = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for name in sorted(given.what or names, key=names.index):
        with tempfile.TemporaryDirectory(prefix="profile-") as scratch:
            if name in PROFILED:
                spent = list(profiled(PROFILED[name](Path(scratch))))
                said = PROFILED[name].__doc__ or ""
            else:
                spent, said = list(command(Path(scratch))), command.__doc__ or ""
            print("\n".join(table_of(name, said, spent, given.rows)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
