"""Measure NomicGit against what it stands on: Git's own commands, Python's start, plain mkdocs.

The runs of what is compared alternate, so that both meet the same machine at the same time; medians are told. Ratios
travel from one machine to another, seconds do not. See docs/performance.md.

    python tools/bench.py                 everything
    python tools/bench.py deed command    some of it
    python tools/bench.py --json FILE     the figures as JSON too
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from nomicgit import clock, editions, rehearsal
from nomicgit.deeds.founding import Founding
from nomicgit.deeds.pipeline import Deed
from nomicgit.record.game import Game, Settings, found_game, new_id
from nomicgit.record.replay import verify
from nomicgit.repository import Repository

EDITION = "crypt"
PLAYERS = ("ana", "ben", "cy", "dee", "eli", "fay", "gus", "hal", "ivy", "jo")
START = clock.instant("2021-06-07T00:00:00Z")
PLAIN_MKDOCS = (
    "site_name: plain\ntheme: {name: material, font: false}\nplugins: [search]\nuse_directory_urls: true\n"
)

SCENARIO = """\
name: A proposal in ten steps
edition: crypt
start: 2021-06-07T00:00:00Z
players: [ana, ben, cy, dee, eli]
emperor: ana
admins: [ben]
steps:
  - at: +1h
    by: cy
    propose: {title: Moonlight, changes: [{add-rule: {title: Moonlight, text: The moon shines.}}]}
    as: p1
  - {at: +2h, by: ben, vote: for, on: p1}
  - {at: +3h, by: dee, vote: against, on: p1}
  - {at: +4h, by: dee, vote: for, on: p1}
  - {at: +5h, by: eli, comment: Well worded., on: p1}
  - {at: +6h, by: ana, vote: for, on: p1}
  - {at: +7h, by: dee, roll: DICE6, dice: [4]}
  - {at: +8h, by: ben, resolve: p1, refused: 12 hours}
  - {at: +13h, expect: {matters.p1.enactable: true}}
  - {at: +13h, by: ben, resolve: p1, expect: {matters.p1.status: enacted}}
"""

COLD_LAW = """\
import time
from nomicgit import editions
from nomicgit.deeds.words import WORDS
from nomicgit.law import Law
began = time.perf_counter()
ruleset = editions.load({edition!r})
law = Law(ruleset, frozenset(WORDS))
assert not law.problems and law.code
print(time.perf_counter() - began)
"""


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing measured: ours and, where there is one, what it is measured against; seconds, unless ``unit`` says more."""

    name: str
    ours: float
    against: float | None = None
    bar: float | None = None
    unit: str = "s"
    runs: int = 1
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Ours over theirs."""
        return None if self.against is None else self.ours / self.against

    @property
    def met(self) -> bool | None:
        """Whether the bar is met; None where there is none."""
        return None if self.bar is None or self.ratio is None else self.ratio <= self.bar


def timed(work: Callable[[], object]) -> float:
    """The seconds that something takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def run(*command: str, cwd: Path | None = None, **environment: str) -> str:
    """A command's output; it must succeed."""
    done = subprocess.run(
        command, cwd=cwd, env=plain_environment() | environment, capture_output=True, check=False
    )
    if done.returncode:
        raise SystemExit(
            f"{' '.join(command)} failed ({done.returncode}):\n{done.stdout.decode()}{done.stderr.decode()}"
        )
    return done.stdout.decode()


def plain_environment() -> dict[str, str]:
    """The environment in which commands are measured: bytecode is kept, Git has nobody's settings."""
    kept = {
        k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE" and not k.startswith("GIT_")
    }
    git = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for who in ("AUTHOR", "COMMITTER"):
        git |= {f"GIT_{who}_NAME": "bench", f"GIT_{who}_EMAIL": "bench@example.org"}
    return kept | git | {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}


class Table:
    """A game to measure in: ten players, a proposal to vote on; time goes on by a minute for each deed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.at = START
        repository = Repository.init(folder)
        settings = Settings("Bench", EDITION, time="given")
        found_game(repository, editions.load(EDITION), settings, Founding(START, PLAYERS, "ana", ["ben"], []))
        change = {"add-rule": {"title": "Moonlight", "text": "The moon shines."}}
        self.act("cy", "propose", title="Moonlight", body="Adds a rule.", changes=[change])

    def act(self, who: str, action: str, **given: object) -> None:
        """One deed, from reading the head to the synced commit."""
        self.at += 60
        game = Game.open(self.folder)
        game.act(Deed(new_id(self.at), who, action, given, game.time(0, self.at)))

    def vote(self, number: int) -> None:
        """A vote, of one player after the other, with a comment."""
        self.act(
            PLAYERS[number % len(PLAYERS)],
            "vote",
            matter=1,
            icon=("for", "against")[number // 10 % 2],
            text=f"vote {number}",
        )

    def touched(self) -> list[str]:
        """The files that the last deed wrote."""
        return run("git", "diff-tree", "-r", "--name-only", "--no-commit-id", "HEAD", cwd=self.folder).split()


def deed(scratch: Path, runs: int) -> Iterator[Figure]:
    """A deed in process, synced, against Git adding and committing the same files."""
    table = Table(scratch / "deed")
    other = scratch / "porcelain"
    for number in range(5):
        table.vote(number)
    shutil.copytree(table.folder, other)
    ours, theirs = [], []
    for number in range(5, 5 + runs):
        ours.append(timed(lambda n=number: table.vote(n)))  # type: ignore[misc]
        files = table.touched()
        for file in files:
            (other / file).write_bytes((table.folder / file).read_bytes())

        def porcelain(files: Sequence[str] = files) -> None:
            run("git", "add", "--", *files, cwd=other)
            run("git", "commit", "-q", "-m", "the same files", cwd=other)

        theirs.append(timed(porcelain))
    yield Figure("a deed in process / git add, git commit", median(ours), median(theirs), 0.7, runs=runs)


def command(scratch: Path, runs: int) -> Iterator[Figure]:
    """The command line's vote against a Python that imports what any such command imports."""
    table = Table(scratch / "command")
    script = Path(sys.executable).with_name("nomicgit")
    nomicgit = [str(script)] if script.exists() else [sys.executable, "-m", "nomicgit"]
    ours, theirs = [], []
    for number in range(runs + 1):
        at = clock.text(table.at + 60 * (number + 1))
        options = ["-C", str(table.folder), "--as", PLAYERS[number % len(PLAYERS)], "--at", at]
        mine = timed(lambda o=options: run(*nomicgit, *o, "vote", "1", "for"))  # type: ignore[misc]
        base = timed(lambda: run(sys.executable, "-c", "import click, yaml"))
        if number:  # the first run compiles
            ours.append(mine)
            theirs.append(base)
    yield Figure(
        "nomicgit vote / python -c 'import click, yaml'", median(ours), median(theirs), 2.5, runs=runs
    )


def site(scratch: Path, runs: int) -> Iterator[Figure]:
    """The site of a game against plain mkdocs with as many pages."""
    table = Table(scratch / "site")
    for number in range(40):
        table.vote(number)
    mkdocs = str(Path(sys.executable).with_name("mkdocs"))
    config = table.folder / "mkdocs.yml"
    if not config.exists():
        config.write_text(
            "site_name: Bench\ntheme: {name: material, font: false}\nplugins: [search, nomicgit]\n"
        )
    (table.folder / "docs").mkdir(exist_ok=True)
    build = [mkdocs, "build", "-q", "-f", str(config), "-d", str(scratch / "built")]
    run(*build)
    pages = [path for path in (scratch / "built").rglob("*.html") if path.name != "404.html"]
    other = plain_site(scratch / "plain", len(pages))
    ours, theirs = [], []
    for _ in range(runs):
        ours.append(timed(lambda: run(*build)))
        theirs.append(
            timed(lambda: run(mkdocs, "build", "-q", "-f", str(other), "-d", str(scratch / "built-plain")))
        )
    yield Figure(
        "a game's site / plain mkdocs, as many pages",
        median(ours),
        median(theirs),
        runs=runs,
        note=f"{len(pages)} pages",
    )


def plain_site(folder: Path, pages: int) -> Path:
    """A plain site of so many pages, with the prose of the edition's rules on them."""
    prose = [placed.prose for placed in editions.load(EDITION).rules if placed.prose]
    (folder / "docs").mkdir(parents=True)
    for number in range(pages):
        name = "index.md" if number == 0 else f"page-{number}.md"
        (folder / "docs" / name).write_text(
            f"# Page {number}\n\n{prose[number % len(prose)]}\n", encoding="utf-8"
        )
    nav = "nav: [index.md]\n"  # as in a game's site: few entries, all else is reached by links
    (folder / "mkdocs.yml").write_text(PLAIN_MKDOCS + nav)
    return folder / "mkdocs.yml"


def replay(scratch: Path, runs: int) -> Iterator[Figure]:
    """How many deeds verification replays in a second."""
    table = Table(scratch / "replay")
    for number in range(300):
        table.vote(number)
    times = []
    for _ in range(max(3, runs // 5)):
        repository = Repository.open(table.folder)
        head = repository.head()
        assert head is not None
        began = time.perf_counter()
        found = verify(repository, head)
        times.append((time.perf_counter() - began) / found.deeds)
        assert not found.faults, found.faults
    yield Figure(
        "verify", 1 / median(times), unit="deeds/s", runs=len(times), note="302 deeds, nearly all votes"
    )


def scenario(scratch: Path, runs: int) -> Iterator[Figure]:
    """A scenario of ten steps, in process."""
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        played = rehearsal.rehearse(SCENARIO, "bench")
        times.append(time.perf_counter() - began)
        assert played.passed, played.failures
    yield Figure("a scenario of ten steps", median(times), runs=runs)


def law(scratch: Path, runs: int) -> Iterator[Figure]:
    """The whole law of the edition, read and compiled in a process that has done nothing else."""
    code = COLD_LAW.format(edition=EDITION)
    times = [float(run(sys.executable, "-c", code)) for _ in range(runs)]
    yield Figure(f"the law of {EDITION}, read and compiled cold", median(times), runs=runs)


MEASURES: Mapping[str, Callable[[Path, int], Iterator[Figure]]] = {
    each.__name__: each for each in (deed, command, site, replay, scenario, law)
}
RUNS = {"deed": 60, "command": 21, "site": 5, "replay": 25, "scenario": 21, "law": 11}


def median(times: Sequence[float]) -> float:
    """The median."""
    return statistics.median(times)


def line(figure: Figure) -> str:
    """A figure as a row of the table."""
    ours = shown(figure.ours, figure.unit)
    if figure.against is None:
        tail = "| | | "
    else:
        bar = "" if figure.bar is None else f"≤ {figure.bar:g}, {'met' if figure.met else 'MISSED'}"
        tail = f"| {shown(figure.against, figure.unit)} | {figure.ratio:.2f} | {bar}"
    return f"| {figure.name}{f' ({figure.note})' if figure.note else ''} | {ours} {tail} |"


def shown(value: float, unit: str) -> str:
    """A value with its unit."""
    if unit != "s":
        return f"{value:,.0f} {unit}"
    return f"{value * 1000:.1f} ms" if value < 1 else f"{value:.2f} s"


def main() -> int:
    """The command. Exit code 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "measures", nargs="*", choices=[*MEASURES, []], metavar="MEASURE", help=", ".join(MEASURES)
    )
    parser.add_argument(
        "--runs", type=int, help="how many runs of each (a number of its own for each measure)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there too")
    given = parser.parse_args()
    figures: list[Figure] = []
    print("| what / against what | ours | theirs | ratio | bar |\n| --- | --- | --- | --- | --- |")
    for name in given.measures or MEASURES:
        with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
            for figure in MEASURES[name](Path(scratch), given.runs or RUNS[name]):
                figures.append(figure)
                print(line(figure))
    if given.json:
        given.json.write_text(
            json.dumps([asdict(f) | {"ratio": f.ratio, "met": f.met} for f in figures], indent=2) + "\n"
        )
    return 1 if any(figure.met is False for figure in figures) else 0


if __name__ == "__main__":
    sys.exit(main())
