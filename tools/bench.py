"""Measure NomicGit against what it stands on: Git's own commands, Python's start, plain mkdocs.

The runs of what is compared alternate, so that both meet the same machine at the same time; medians are told. Ratios
travel from one machine to another, seconds do not. See docs/performance.md.

    python tools/bench.py                 everything
    python tools/bench.py deed command    some of it
    python tools/bench.py --json FILE     the figures as JSON too
"""

from __future__ import annotations

import argparse
import gc
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import budgets
import crowds
import hosted
import painting
import rulesets
import sites
import slow_laws
import years as seventeen
from figures import Figure, line, median, processor, spent, timed
from kept_games import KeptGame
from tables import EDITION, PLAYERS, SCENARIO, START, Table, crypt, grown, pending, run

from nomicgit import editions
from nomicgit.__main__ import YOUNG
from nomicgit.git import Repository
from nomicgit.ground import clock
from nomicgit.outlook.overview import outlook_of
from nomicgit.physics.deed import Deed
from nomicgit.physics.state.context import Seeded
from nomicgit.rehearsal import rehearsal
from nomicgit.rehearsal.fate import Rehearsed
from nomicgit.replay.verifying import verify

MANY = 2_000
"""Deeds of a game that has gone on for some time."""
PLAIN_MKDOCS = (
    "site_name: plain\ntheme: {name: material, font: false}\nplugins: [search]\nuse_directory_urls: true\n"
)

LOADING = """\
import sys, time
from nomicgit.physics.numbers import NEWEST
from nomicgit.record.shelf import Shelf
from nomicgit.record.tree import GameTree
from nomicgit.git import Repository
repository = Repository.open({folder!r})
tree = GameTree(repository, repository.commit(repository.head()).tree)
for _ in range(2):
    began = time.process_time()
    law = NEWEST.law(tree.ruleset(shelf={shelf}))
    assert law.code and not law.problems
    print(time.process_time() - began)
law.compile()
print(time.process_time() - began)
"""


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
    yield Figure("a deed in process / git add, git commit", median(ours), median(theirs), 0.5, runs=runs)


def growth(scratch: Path, runs: int) -> Iterator[Figure]:
    """A deed in a game that has grown old against one in a young game."""
    young = grown(scratch / "young", commits=100, posts=20, players=10)
    old = grown(scratch / "old", commits=100_000, posts=15_000, players=1_000)
    ours, theirs = [], []
    for number in range(runs + 1):
        mine, base = timed(lambda n=number: old.vote(n)), timed(lambda n=number: young.vote(n))  # type: ignore[misc]
        if number:  # the first run reads what is kept afterwards
            ours.append(mine)
            theirs.append(base)
    yield Figure(
        "a deed after 100,000 commits, 15,000 posts, 1,000 players / after 100, 20, 10",
        median(ours), median(theirs), 1.2, runs=runs,
    )  # fmt: skip


def command(scratch: Path, runs: int) -> Iterator[Figure]:
    """The command line's vote, and its help in processor time, against a Python that imports what any such command imports."""
    table = Table(scratch / "command")
    script = Path(sys.executable).with_name("nomicgit")
    nomicgit = [str(script)] if script.exists() else [sys.executable, "-m", "nomicgit"]
    base = "nomicgit {} / python -c 'import click, yaml'"
    ours, theirs, helps, bare = [], [], [], []
    for number in range(runs + 1):
        at = clock.text(table.at + 60 * (number + 1))
        options = ["-C", str(table.folder), "--as", PLAYERS[number % len(PLAYERS)], "--at", at]
        mine = timed(lambda o=options: run(*nomicgit, *o, "vote", "1", "for"))  # type: ignore[misc]
        least = timed(lambda: run(sys.executable, "-c", "import click, yaml"))
        told = spent(lambda: run(*nomicgit, "--help"))
        empty = spent(lambda: run(sys.executable, "-c", "import click, yaml"))
        if number:  # the first run compiles
            ours.append(mine)
            theirs.append(least)
            helps.append(told)
            bare.append(empty)
    yield Figure(base.format("vote"), median(ours), median(theirs), 1.8, runs=runs)
    yield Figure(base.format("--help"), median(helps), median(bare), 1.5, runs=runs)


def site(scratch: Path, runs: int) -> Iterator[Figure]:
    """The site of a long game: against plain mkdocs with the same pages, built again, and five times as long. Processor times."""
    some, many = sites.built(scratch, EDITION, 1000, runs), sites.built(scratch, EDITION, 5000, 1)
    theirs = sites.plain(some.config.parent, scratch / "plain", runs)
    note = f"1,000 posts, {sites.RULES} rules, {some.pages} pages, {some.memory} MB"
    yield Figure(
        "a game's site / plain mkdocs, the same pages", some.first, theirs, 1.25, runs=runs, note=note
    )
    yield Figure("its site again, unchanged / at first", some.again, some.first, 0.5, runs=runs)
    ours, before = many.first / many.pages, some.first / some.pages
    yield Figure(
        "a page of 5,000 posts' site / of 1,000",
        ours,
        before,
        1.2,
        note=f"{many.pages} pages",
    )
    yield Figure("the memory of 5,000 posts' site, at most", many.memory, None, 250, unit="MB")


def paint(scratch: Path, runs: int) -> Iterator[Figure]:
    """How light a site is: its home page, what pages load of ours, and how soon the home page is painted."""
    ours, plain = painting.homes(scratch, EDITION)
    yield Figure("a home page's HTML", (ours / "index.html").stat().st_size / 1000, None, 30, unit="KB")
    yield Figure("our scripts and styles, compressed", painting.own(ours) / 1000, None, 15, unit="KB")
    mine, theirs = painting.painted(ours, plain, runs)
    yield Figure("a home page's first paint / a plain page's of the theme", mine, theirs, 1.2, runs=runs)


def replay(scratch: Path, runs: int) -> Iterator[Figure]:
    """How many deeds verification replays in a second: votes, and apart from them enactments that change mechanics."""
    table = Table(scratch / "replay")
    for number in range(9):
        table.act(PLAYERS[number], "propose", title=f"Night {number}", body="Words.", changes=[])
    for number in range(1_000):
        table.matter = number % 10 + 1
        table.vote(number // 10)
    rate = 1 / median([verified(table) for _ in range(max(3, runs // 5))])
    yield Figure("verify", rate, None, 4000, unit="deeds/s", note="1,011 deeds, nearly all votes")
    changed = Table(scratch / "enactments")
    for number in range(10):
        enact(changed, number)
    before = verified(changed)
    for number in range(10, 20):
        enact(changed, number)
    grew = verified(changed)  # for each of 82 deeds; a quarter of those of the second half are enactments
    yield Figure(
        "verify, where one deed in four changes mechanics",
        1 / ((before + grew) / 2),
        None,
        1500,
        unit="deeds/s",
    )


def verified(table: Table) -> float:
    """The seconds that verification takes for each deed."""
    repository = Repository.open(table.folder)
    head = repository.head()
    assert head is not None
    began = time.perf_counter()
    found = verify(repository, head)
    taken = (time.perf_counter() - began) / found.deeds
    assert not found.faults, found.faults
    return taken


def enact(table: Table, number: int) -> None:
    """A call for judgement that brings a rule with mechanics of its own, carried by two votes."""
    mechanics = f"def lamp_{number}():\n    return {number}"
    change = {"add-rule": {"title": f"Lamp {number}", "text": "A lamp burns.", "mechanics": mechanics}}
    table.act(PLAYERS[number % 5 + 3], "cfj", title=f"Lamp {number}", body="Lights one.", changes=[change])
    matter = number + 2
    for voter in PLAYERS[:7]:
        table.act(voter, "vote", matter=matter, icon="for")
    table.act(PLAYERS[1], "resolve", matter=matter)


def scenario(scratch: Path, runs: int) -> Iterator[Figure]:
    """A scenario of ten steps, in process."""
    times = []
    for _ in range(runs):
        played: list[Rehearsed] = []
        times.append(spent(lambda made=played: made.append(rehearsal.rehearse(SCENARIO, "bench"))))  # type: ignore[misc]
        assert played[0].passed, played[0].failures
    yield Figure("a scenario of ten steps", median(times), None, 0.1, runs=runs)


def law(scratch: Path, runs: int) -> Iterator[Figure]:
    """The law of the edition in a process that has done nothing else: read anew, from the file, and again."""
    table = Table(scratch / "law")
    folder = str(table.folder)
    kept = f"Shelf({str(table.folder / '.git')!r}, NEWEST.language)"
    run(sys.executable, "-c", LOADING.format(folder=folder, shelf=kept))
    cold, warm, filed, whole = [], [], [], []
    for _ in range(runs):
        first, again, compiled = map(
            float, run(sys.executable, "-c", LOADING.format(folder=folder, shelf=None)).split()
        )
        cold.append(first)
        warm.append(again)
        whole.append(compiled - again)
        filed.append(float(run(sys.executable, "-c", LOADING.format(folder=folder, shelf=kept)).split()[0]))
    name = f"the law of {EDITION}, {len(editions.load(EDITION).rules)} rules"
    yield Figure(f"{name}, read anew", median(cold), None, 0.045, runs=runs)
    yield Figure(f"{name}, from the clone's file", median(filed), None, 0.012, runs=runs)
    yield Figure(f"{name}, from memory", median(warm), None, 0.001, runs=runs)
    yield Figure(f"{name}, compiled whole", median(whole), runs=runs)


def status(scratch: Path, runs: int) -> Iterator[Figure]:
    """What is to be seen of a game with a thousand pending matters of a hundred votes each: as the command tells it, and whole."""
    for votes, bar, name in ((False, 0.5, "with their tallies"), (True, 0.8, "and why each vote counts")):
        times = []
        for _ in range(runs):
            world = pending(1000, 100)
            usual = gc.get_threshold()
            gc.set_threshold(YOUNG)  # as every command does
            began = processor()
            seen = outlook_of(world, votes=votes)
            times.append(processor() - began)
            gc.set_threshold(*usual)
            assert len(seen.matters) == 1000, seen.defects
            assert not seen.defects, seen.defects
        yield Figure(
            f"status, 1,000 pending matters of 100 votes, {name}", median(times), None, bar, runs=runs
        )


def journey(scratch: Path, runs: int) -> Iterator[Figure]:
    """A journey through forty rooms of the crypt."""
    world, times = crypt(), []
    for number in range(runs + 1):
        at = START + (number + 1) * 2 * clock.DAY
        walk = Deed(f"walk{number}", PLAYERS[0], "enter-the-crypt", {}, at)
        began = processor()
        done = world.position.decide(world.context, walk, Seeded(b"bench", walk.id))
        times.append(processor() - began)
        world.store.forget()
        assert len(done.draws) >= 40, len(done.draws)
    yield Figure("a journey through 40 rooms", median(times[1:]), None, 0.05, runs=runs)


def edition(scratch: Path, runs: int) -> Iterator[Figure]:
    """What a game of each edition costs beside one of the crypt, and its whole law."""
    costs = rulesets.costs(runs)
    for name, cost in costs.items():
        for what in ("founding", "vote", "outlook") if name != EDITION else ():
            against: float = getattr(costs[EDITION], what)
            yield Figure(f"{what}, {name} / {EDITION}", getattr(cost, what), against, 1.5, runs=runs)
    for name in costs:
        cold, filed = rulesets.compiled(scratch, name, runs)
        yield Figure(f"the whole law of {name}, read anew and compiled", cold, None, 0.06, runs=runs)
        yield Figure(f"the whole law of {name}, compiled from the clone's file", filed, None, 0.03, runs=runs)


def hostile(scratch: Path, _: int) -> Iterator[Figure]:
    """What is meant to hurt, refused: branches by the command, YAML by the strict reader; the dearest of each."""
    for what, costs, seconds, memory in (
        ("a hostile branch refused by check", budgets.branches(scratch), 1.0, 150),
        ("hostile YAML refused", budgets.yaml(budgets.YAML), 0.05, 50),
    ):
        found = list(costs)
        slow, large = max(found, key=lambda c: c.seconds), max(found, key=lambda c: c.memory)
        name = f"{what}, of {len(found)} at most"
        yield Figure(name, slow.seconds, None, seconds, note=slow.name)
        yield Figure(f"{name}, memory", large.memory, None, memory, unit="MB", note=large.name)
    many = [cost.seconds for cost in budgets.yaml(budgets.MANY)]
    yield Figure("60,000 values refused at the 50,000th", max(many))


def slow(scratch: Path, runs: int) -> Iterator[Figure]:
    """Verifying deeds under laws that would make others wait, against deciding them, in time of the processor."""
    found = list(slow_laws.costs(scratch))
    worst = max(found, key=lambda cost: cost.verifying / cost.deciding)
    decided, verified = (sum(seconds) for seconds in zip(*(cost[1:] for cost in found), strict=True))
    yield Figure("verifying hostile laws / deciding them", verified, decided, 1.2, runs=len(found))
    yield Figure("the worst of them", worst.verifying, worst.deciding, 1.2, note=worst.name)


def sealed(scratch: Path, runs: int) -> Iterator[Figure]:
    """What a key costs: an open deed and a sealed one, verifying, the bytes of the record, letters, an order."""
    plain, kept = (KeptGame(scratch / name, keys=name == "kept") for name in ("plain", "kept"))
    open_deeds = [(plain.said(n), kept.said(n)) for n in range(runs)]
    without, with_key = (median(times) for times in zip(*open_deeds, strict=True))
    yield Figure("an open deed of a game with a key / of one without", with_key, without, 1.05, runs=runs)
    pairs = [(kept.said(runs + n), kept.told(n)) for n in range(runs)]
    in_the_open, in_secret = (median(times) for times in zip(*pairs, strict=True))
    yield Figure("a sealed deed / an open one", in_secret, in_the_open, 1.5, runs=runs)
    plain, kept = (KeptGame(scratch / f"long {name}", keys=name == "kept") for name in ("plain", "kept"))
    for number in range(MANY):
        plain.said(number)
        kept.told(number) if number % 5 < 2 else kept.said(number)
    note = f"{MANY:,} deeds, 40 % of them sealed"
    seconds = [(plain.verified(), kept.verified()) for _ in range(3)]
    of_plain, of_kept = (median(times) for times in zip(*seconds, strict=True))
    yield Figure("verify with the key / as many open deeds", of_kept, of_plain, 2, note=note)
    yield Figure(
        "packed bytes / of as many open deeds", kept.size(), plain.size(), 4, unit="bytes", note=note
    )
    thirty = KeptGame(scratch / "thirty", keys=True, players=("ana", "ben", *(f"p{n}" for n in range(29))))
    thirty.mailboxes()
    for number in range(200):
        thirty.told(number)
    taken = [(thirty.told(n), thirty.letters(lambda *_: ()), thirty.letters()) for n in range(6)][1:]
    of_letters, asked = (median(times) for times in [*zip(*taken, strict=True)][1:])
    yield Figure("the letters of 31 players, after 200 messages and one that is new", of_letters, None, 0.05)
    yield Figure("the same with what each of them may do in private", asked, None, 0.5)
    (scratch / "page").mkdir()
    in_page = painting.sealing(scratch / "page", runs)
    yield Figure("sealing an order in its page", in_page, None, 0.1, runs=runs)


def crowd(scratch: Path, _: int) -> Iterator[Figure]:
    """A steward's pass with much to read."""
    yield from crowds.crowd(scratch, crowds.PULLS, crowds.COMMENTS)


def host(scratch: Path, runs: int) -> Iterator[Figure]:
    """What signatures cost who verifies, and how soon a host answers a push."""
    yield hosted.signatures(scratch, runs)
    yield hosted.push(scratch, runs)


def years(scratch: Path, runs: int) -> Iterator[Figure]:
    """Seventeen years of a Nomic, or so small a share of them as the number of runs says."""
    yield from seventeen.figures(scratch / "game", 1 / runs, lambda text: print(text, file=sys.stderr))


MEASURES: Mapping[str, Callable[[Path, int], Iterator[Figure]]] = {
    each.__name__: each
    for each in (
        deed,
        growth,
        command,
        site,
        paint,
        replay,
        status,
        scenario,
        journey,
        law,
        edition,
        hostile,
        slow,
        sealed,
        host,
        crowd,
        years,
    )
}
RUNS = {
    "deed": 60, "growth": 40, "command": 21, "site": 3, "paint": 21, "replay": 25, "status": 3, "scenario": 21, "journey": 15, "law": 11,
    "edition": 7, "hostile": 1, "slow": 1, "sealed": 40, "host": 15, "crowd": 1, "years": 100,
}  # fmt: skip


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
