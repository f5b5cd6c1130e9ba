"""Seventeen years of a Nomic in one go: recorded in bulk, verified, its site built, cloned afresh. See docs/performance.md.

    python tools/years.py                         all of it: hours, and some gigabytes meanwhile
    python tools/years.py --share 0.01            a hundredth: two dynasties
    python tools/years.py --share 0.01 --to DIR   keep the game, in a new folder

The figures are processor time, the workers' with it; the bars are those of the whole, or so much of them as is played.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import sites
from figures import Figure, line, spent
from story import EDITION, START, Story
from tables import ran, run

from nomicgit import editions
from nomicgit.clones.scratch_clone import beside
from nomicgit.git import Repository
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding
from nomicgit.record.founding import found_game
from nomicgit.record.game import Game
from nomicgit.record.settings import Settings

MINUTES = 60
Progress = Callable[[str], None]


def founded(folder: Path, story: Story) -> None:
    """Found the game in which a story is to be played."""
    with Repository.init(folder) as repository:
        start = Founding(START, list(story.active), story.emperor, [story.admin], [])
        found_game(repository, editions.load(EDITION), Settings("Years", EDITION, time="given"), start)


def act(game: Game, deed: Deed) -> None:
    """Do a deed of a story; its dice are the story's too."""
    game.act(deed, seed=lambda: hashlib.sha256(deed.id.encode()).digest())


def record(folder: Path, story: Story, progress: Progress = lambda _: None) -> None:
    """Record a story in bulk: each dynasty is played in a scratch clone, and comes over in one, all of it or nothing."""
    began = time.perf_counter()
    with Repository.open(folder) as repository:
        for number, deeds in enumerate(story.told(), 1):
            head = repository.head()
            assert head is not None
            with beside(repository, head) as bare:
                game = Game.open(bare.git_dir)
                for deed in deeds:
                    act(game, deed)
            repository.turn(game.head.oid, expect=head, line="years")
            since = time.perf_counter() - began
            progress(f"dynasty {number} of {story.dynasties}, {story.deeds:,} deeds, {since:,.0f} s")


def figures(folder: Path, share: float, progress: Progress) -> Iterator[Figure]:
    """Play so much of the seventeen years in a folder, and measure it."""
    story = Story.of(share)
    founded(folder, story)
    began = time.perf_counter()
    recording = spent(lambda: record(folder, story, progress))
    wall = time.perf_counter() - began
    name = f"{17 * share:.3g} years of a Nomic"
    note = f"{story.deeds + 1:,} deeds, {story.proposed:,} proposals, {story.dynasties} dynasties; {wall:,.0f} s by the clock"
    yield Figure(f"{name}, recorded in bulk", recording, None, 5 * MINUTES * share, note=note)
    progress("it is packed")
    run("git", "gc", "-q", cwd=folder)
    packed = sum(file.stat().st_size for file in folder.glob(".git/objects/pack/*.pack"))
    yield Figure(f"{name}, packed", packed / 1e6, unit="MB")
    progress("it is verified")
    seconds, memory, wall = _told(folder, "verify")
    yield Figure(
        f"{name}, verified",
        seconds,
        None,
        5 * MINUTES * share,
        note=f"{memory:.0f} MB; {wall:,.0f} s by the clock",
    )
    progress("it is cloned")
    clone = folder.with_name(folder.name + "-clone")
    cloning = spent(lambda: run("git", "clone", "-q", f"file://{folder}", str(clone)))
    seconds, _, _ = _told(clone, "status")
    yield Figure(
        f"{name}, a fresh clone's first status", seconds, None, 2, note=f"Git's own clone {cloning:.1f} s"
    )
    shutil.rmtree(clone)
    progress("its site is built")
    yield from _site(folder, story, name, share)


def _told(folder: Path, *words: str) -> tuple[float, float, float]:
    """The processor time (seconds), the memory (megabytes) and the time by the clock (seconds) of one of our commands."""
    began = time.perf_counter()
    code, seconds, memory = ran([sys.executable, "-m", "nomicgit", "-C", str(folder), *words])
    if code:
        raise SystemExit(f"{' '.join(words)} failed ({code})")
    return seconds, memory, time.perf_counter() - began


def _site(folder: Path, story: Story, name: str, share: float) -> Iterator[Figure]:
    """The site of a game, and again after one more enactment."""
    config, site = folder / "mkdocs.yml", folder.with_name(folder.name + "-site")
    config.write_text(sites.PLUGINS.format(plugins="search, nomicgit"))
    (folder / "docs").mkdir()
    first, most = sites.build(config, site)
    game = Game.open(folder)
    for deed in story.enactment():
        act(game, deed)
    again, later = sites.build(config, site)
    pages = sum(1 for _ in site.rglob("*.html"))
    shutil.rmtree(site)
    yield Figure(f"{name}, its site", first, None, 3 * MINUTES * share, note=f"{pages:,} pages")
    yield Figure(f"{name}, its site, one enactment later", again, None, 20)
    yield Figure(f"{name}, its site, memory", max(most, later), None, 400, unit="MB")


def main() -> int:
    """The command. Exit code 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--share", type=float, default=1.0, help="how much of the seventeen years")
    parser.add_argument("--to", type=Path, metavar="DIR", help="play in this new folder, and keep the game")
    given = parser.parse_args()
    missed = False
    with tempfile.TemporaryDirectory(prefix="years-") as scratch:
        folder = given.to.resolve() if given.to else Path(scratch) / "game"
        for figure in figures(folder, given.share, lambda text: print(text, file=sys.stderr)):
            print(line(figure), flush=True)
            missed |= figure.met is False
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
