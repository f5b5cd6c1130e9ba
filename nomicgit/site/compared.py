"""A site that is served, held byte for byte against the one that this clone makes of the same commit.

Who serves a site can serve another page, another key or another script, which would see what is filled in there. So a clone builds
what the served site says to be, for the time that it says, and asks for the pages that seal and that open letters, as a browser
does, and for all that a browser would run. Source: ``docs/secrets.md``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from msgspec import Struct

import nomicgit
from nomicgit.clones.others.building import DOCS
from nomicgit.git.remote import scratch
from nomicgit.ground import clock, files
from nomicgit.ground.problems import NomicError, Place, Problem, Refused, printable, quoted
from nomicgit.ground.remedies import command, remedy
from nomicgit.record.build_settings import OWN, SITE, amiss, each_of, under
from nomicgit.record.game import Game
from nomicgit.site import beside

SEALING: Final = ("act/", "letters/")
RUN: Final = (".css", ".js", ".mjs", ".wasm")
MOST, TIMEOUT, AT_ONCE = 32 << 20, 30.0, 8
"""Bytes of a file, seconds for one, and how many are asked for at the same time."""
HEADERS = {"User-Agent": f"nomicgit/{nomicgit.__version__}", "Cache-Control": "no-cache"}
SEAL_HERE = remedy("until that is mended, seal in a clone:", command("nomicgit", "order", "ACTION"))
ANOTHER = remedy(
    "another version of the program or of the theme makes other files: ask again by those that build it (on GitHub they stand in "
    ".github/nomicgit.txt), and then whoever serves it",
    SEAL_HERE,
)


class Compared(Struct, frozen=True):
    """What came of it: of which commit and time the served site says to be, how many files are the same, which are not, and what
    is wrong, if anything is."""

    commit: str
    at: str
    same: int
    unlike: tuple[str, ...]
    problem: Problem | None

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        plain = {"sound": self.problem is None, "commit": self.commit, "at": self.at, "same": self.same}
        return plain | {"unlike": list(self.unlike), "problem": self.problem and self.problem.as_json()}


def compare(game: Game, address: str, *, whole: bool = False) -> Compared:
    """Hold the site at an address, which ends with a slash, against what this clone makes. ``whole``: every page of it.

    Refused where it cannot be asked, or not be built here.
    """
    within = under(game.repository, game.head.tree)
    within = f"{within}/" if within else ""
    itself = _of_itself(address + within)
    commit, at = str(itself.get("commit")), clock.text(clock.instant(str(itself["at"])))
    wrong = _of_another_time(game, commit)
    if wrong is not None:
        return Compared(commit, at, 0, (), wrong)
    with TemporaryDirectory(prefix="nomicgit-site-") as folder:
        built = _built(game, commit, at, Path(folder))
        names = sorted(_asked_for(built, within, whole=whole))
        with ThreadPoolExecutor(AT_ONCE) as pool:
            served = list(pool.map(lambda name: _fetched(address + name.removesuffix("index.html")), names))
        pairs = (
            (name, (built / name).read_bytes(), there) for name, there in zip(names, served, strict=True)
        )
        unlike = {name: _said_there(ours, there) for name, ours, there in pairs if ours != there}
    if not unlike:
        return Compared(commit, at, len(names), (), None)
    first, *more = unlike
    others = (
        f"; {len(more)} more files are others: {', '.join(more[:5])}{', …' if more[5:] else ''}"
        if more
        else ""
    )
    what = f"the site is not the one that this clone makes of {commit[:10]}: {unlike[first]}{others}"
    return Compared(
        commit, at, len(names) - len(unlike), tuple(unlike), Problem(what, Place(first), mend=ANOTHER)
    )


def _settings(game: Game, tree: str) -> dict[str, Any]:
    """How the site of a tree is built. Refused where it lets anything run that is not the program's."""
    strange, content = amiss(game.repository, tree, SITE), game.repository.file(tree, SITE)
    if strange or content is None:
        what = (
            f"this clone does not build what these settings name ({', '.join(strange) or 'there are none'})"
        )
        mend = remedy("look at them, build the site, and compare it by hand:", command("mkdocs", "build"))
        raise Refused.of(what, file=SITE, mend=mend)
    settings: Any = files.read(content, SITE)
    return dict(settings)


def _of_itself(address: str) -> Mapping[str, object]:
    """What a served site says of itself. Refused where it says nothing."""
    data = _fetched(f"{address}api/game.json")
    try:
        whole = json.loads(data or b"")
        itself = whole["game"]
        clock.instant(itself["at"])
        return dict(itself)
    except (ValueError, TypeError, KeyError, NomicError):
        raise Refused.of(
            f"{address} does not say of which commit it was made, as a game's site does"
        ) from None


def _of_another_time(game: Game, commit: str) -> Problem | None:
    """What is wrong with a site of that commit: it is none of this clone's game, or of a term that is over."""
    repository = game.repository
    if not any(each.oid == commit for each in repository.log(game.head.oid)):
        what = f"the site says to be made of {printable(commit, 40)}, which this clone does not have"
        return Problem(
            what, mend=remedy("bring the clone up to date, and ask again:", command("nomicgit", "sync"))
        )
    then = Game(repository, repository.commit(commit)).terms
    if [each.public.recipient for each in then[-1:]] != [each.public.recipient for each in game.terms[-1:]]:
        return Problem(
            f"the site seals to the key of a term that is over: it is of {commit[:10]}", mend=SEAL_HERE
        )
    return None


def _built(game: Game, commit: str, at: str, folder: Path) -> Path:
    """The site of a commit as it was at a time, in a folder of its own."""
    repository, tree = game.repository, game.repository.commit(commit).tree
    settings = _settings(game, tree)
    with scratch(repository, folder / "game.git", "main") as bare:
        bare.point(bare.branch, commit)
        for branch in (beside.LETTERS, beside.SHARES):
            lies = beside.commit_of(repository, branch)
            if lies is not None:
                bare.point(f"refs/heads/{branch}", lies)
    (folder / DOCS).mkdir()
    for path, oid in repository.walk(tree, DOCS):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(repository.blob(oid))
    at_hand = {"game": "game.git", "at": at}
    plugins = [
        {name: {**own, **(at_hand if name == OWN else {})}} for name, own in each_of(settings["plugins"])
    ]
    (folder / SITE).write_text(json.dumps({**settings, "plugins": plugins}))
    to = folder / "site"
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "-f", str(folder / SITE), "-d", str(to)],
        capture_output=True, text=True, check=False,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"},
    )  # fmt: skip
    if done.returncode:
        last = done.stderr.strip().rpartition("\n")[2]
        raise Refused.of(f"the site cannot be built here: {printable(last, 300)}", file=SITE)
    return to


def _asked_for(built: Path, within: str, *, whole: bool) -> Iterator[str]:
    """The files of a site that are compared, by their places."""
    sealing = tuple(within + each for each in SEALING)
    for file in built.rglob("*"):
        name = file.relative_to(built).as_posix()
        page = name.endswith("index.html") and (whole or name.startswith(sealing))
        if page or name.endswith(RUN):
            yield name


def _fetched(url: str) -> bytes | None:
    """What a browser is given at an address; None where nothing is. Refused where it cannot be asked."""
    if not url.startswith(("https://", "http://")):
        raise Refused.of(f"{printable(url)} is no address of a site", mend="write it as https://HOST/PATH")
    asked = Request(url, headers=HEADERS)  # noqa: S310 - which schemes it may have is asked above
    try:
        with urlopen(asked, timeout=TIMEOUT) as answer:  # noqa: S310 - as above
            return bytes(answer.read(MOST))
    except HTTPError as error:
        if error.code in (404, 410):
            return None
        raise Refused.of(
            f"{printable(url)} is not given: status {error.code}", mend="try again later"
        ) from None
    except (OSError, ValueError) as error:
        raise Refused.of(
            f"{printable(url)} cannot be read: {printable(str(error))}", mend="try again later"
        ) from None


def _said_there(ours: bytes, theirs: bytes | None) -> str:
    """Where a served file goes another way, and what it says there."""
    if theirs is None:
        return "it is not there"
    pairs = enumerate(zip(ours, theirs, strict=False))
    place = next((at for at, (a, b) in pairs if a != b), min(len(ours), len(theirs)))
    there, here = (
        each[max(0, place - 30) : place + 70].decode("utf-8", "replace") for each in (theirs, ours)
    )
    return f"it says {quoted(there)} where this clone has {quoted(here)}"
