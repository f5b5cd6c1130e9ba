"""Laws that would make others wait: what deciding deeds under them costs, and what verifying these does."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tables import EDITION, PLAYERS, START, ran

from nomicgit import editions
from nomicgit.git import Repository
from nomicgit.ground import files
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deeds.founding import Founding
from nomicgit.record.founding import found_game
from nomicgit.record.settings import Settings

LAWS = Path(__file__).parent.parent / "tests" / "hostile" / "laws.yml"
EVERY = 4  # each fourth of them: all take some minutes
DEEDS = 2  # of each game: a command has to begin for each of them, and once for verifying them
MANY, SQUARES = (
    30,
    "a number that squares itself",
)  # events of one instant, each of which ends its process, and the law of each


class Cost(NamedTuple):
    """The seconds of processor time that deeds took, each after such an event, and those of verifying the game."""

    name: str
    deciding: float
    verifying: float


def rule(*bodies: str) -> str:
    """A rule with an event of the clock for each of these bodies."""
    events = ", ".join(f"slow{number}: {{every: day 12:00}}" for number in range(len(bodies)))
    code = "\n".join(
        f"def schedule_slow{number}():\n{textwrap.indent(body, '    ')}" for number, body in enumerate(bodies)
    )
    return f"---\ntitle: Slow\nschedule: {{{events}}}\n---\nIt is slow.\n\n```starlark\n{code}```\n"


def costs(scratch: Path) -> Iterator[Cost]:
    """What some of the laws cost, each as an event of the clock, and one of them as many."""
    laws = files.read(LAWS.read_text(encoding="utf-8"), LAWS.name)
    assert isinstance(laws, dict)
    rules = {name: rule(str(body)) for name, body in list(laws.items())[::EVERY]}
    rules[f"{SQUARES}, in {MANY} events"] = rule(*[str(laws[SQUARES])] * MANY)
    for number, (name, text) in enumerate(rules.items()):
        folder = scratch / f"slow-{number}"
        texts = dict(editions.load(EDITION).texts) | {"2-dynastic/990-slow.md": text}
        start = Founding(START, list(PLAYERS), PLAYERS[0], [PLAYERS[1]], [])
        with Repository.init(folder) as repository:
            found_game(repository, Ruleset.read(texts), Settings("Slow", EDITION, time="given"), start)
        command = [sys.executable, "-m", "nomicgit", "-C", str(folder)]
        deed = [*command, "--as", PLAYERS[2], "--at", "+24h", "post", "hello"]
        decided = [ran(deed) for _ in range(DEEDS)]
        verified = ran([*command, "verify"])
        ended = [code for code, *_ in decided]
        if any(ended) or verified[0]:
            raise SystemExit(f"{name}: the deeds ended with {ended}, verifying them with {verified[0]}")
        yield Cost(name, sum(seconds for _, seconds, _ in decided), verified[1])
