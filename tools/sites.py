"""Building sites of long games, to be measured: how long, how large, and the same pages by plain mkdocs."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import long_game
from tables import ran

RULES = 100
PLUGINS = "site_name: Long\ntheme: {{name: material, font: false}}\nextra: {{generator: false}}\nplugins: [{plugins}]\n"


@dataclass(frozen=True, slots=True)
class Built:
    """A site: its pages, processor times (seconds) of a first build and of one again, and the most memory (megabytes)

    that a process of it had: of mkdocs, or of the worker that makes the pages before mkdocs renders them.
    """

    config: Path
    pages: int
    first: float
    again: float
    memory: int


def built(scratch: Path, edition: str, posts: int, times: int) -> Built:
    """The site of a long game, built from nothing and again, so many times."""
    folder, site = scratch / f"long-{posts}", scratch / f"site-{posts}"
    folder.mkdir()
    long_game.write(folder, edition, posts, RULES)
    config = folder / "mkdocs.yml"
    config.write_text(PLUGINS.format(plugins="search, nomicgit"))
    kept = folder / ".git/nomicgit-site"
    first: list[float] = []
    again: list[float] = []
    memory = 0
    for _ in range(times):
        shutil.rmtree(kept, ignore_errors=True)
        kept.with_suffix(".pages").unlink(missing_ok=True)
        shutil.rmtree(site, ignore_errors=True)
        for found in (first, again):
            seconds, most = build(config, site)
            found.append(seconds)
            memory = max(memory, most)
    pages = sum(path.name != "404.html" for path in site.rglob("*.html"))
    shutil.rmtree(site)
    return Built(config, pages, statistics.median(first), statistics.median(again), memory)


def plain(game: Path, folder: Path, times: int) -> float:
    """The processor time of plain mkdocs for the same pages, written out as Markdown."""
    export = [sys.executable, "-m", "nomicgit", "-C", str(game), "site", "export", str(folder / "docs")]
    subprocess.run(export, check=True, stdout=subprocess.DEVNULL)
    config = folder / "mkdocs.yml"
    nav = "nav: [index.md]\n"  # as in a game's site: few entries, all else is reached by links
    config.write_text(PLUGINS.format(plugins="search") + nav)
    return statistics.median(build(config, folder / "site")[0] for _ in range(times))


def build(config: Path, to: Path) -> tuple[float, int]:
    """Build a site; gives the processor time (seconds) and the most memory (megabytes) that it took."""
    program = str(Path(sys.executable).with_name("mkdocs"))
    return spent([program, "build", "-q", "-f", str(config), "-d", str(to)])


def spent(command: Sequence[str]) -> tuple[float, int]:
    """The processor time (seconds) and the most memory (megabytes) of a command, which must succeed."""
    code, seconds, memory = ran(command)
    if code:
        raise SystemExit(f"{' '.join(command)} failed ({code})")
    return seconds, int(memory)
