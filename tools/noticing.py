"""What is taken out of an edition, and whether one of its scenarios notices."""

from __future__ import annotations

import multiprocessing
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from support.musts import entries
from support.secrets_of import listed_of

from nomicgit import editions
from nomicgit.ground.problems import NomicError
from nomicgit.law.titles import plain
from nomicgit.physics.numbers import NEWEST
from nomicgit.rehearsal import rehearsal

ROOT = Path(__file__).resolve().parent.parent
EDITIONS = ROOT / "nomicgit" / "editions"
SCENARIOS = ROOT / "tests" / "scenarios"
TITLE = re.compile(r'^title: *"?(.*?)"?$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Guard:
    """One guard: where it stands, the bytes of its file that it takes, and what stands there once it is out.

    ``declared``: it is a change of what a rule declares, which is noticed, too, where there is no law with it, or other secrets.
    """

    edition: str
    path: str
    line: int
    start: int
    end: int
    without: bytes
    text: str
    argued: str
    declared: bool = False


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of taking a guard out: the scenario that noticed (empty: none did), or why it could not be tried."""

    guard: Guard
    noticed: str
    broken: str = ""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario of an edition: its text, how long it takes in seconds, and the titles of the rules of whose musts it shows one."""

    text: str
    takes: float
    shows: frozenset[str]


class Trial:
    """A process that takes guards out: it knows the scenarios, and which of them noticed something lately."""

    def __init__(self, scenarios: Mapping[str, Scenario]) -> None:
        self.scenarios = scenarios
        self.words = {file: words_of(each.text) for file, each in scenarios.items()}
        self.often = Counter(word for words in self.words.values() for word in words)
        self.noticed: Counter[tuple[str, str]] = Counter()

    def take_out(self, guard: Guard) -> Tried:
        """Play the edition without a guard, the likeliest scenarios first, until one fails."""
        with tempfile.TemporaryDirectory(prefix="guards-") as scratch:
            folder = Path(scratch) / guard.edition
            shutil.copytree(EDITIONS / guard.edition, folder)
            file = folder / guard.path
            old = file.read_bytes()
            file.write_bytes(old[: guard.start] + guard.without + old[guard.end :])
            broken = compiles(str(folder))
            if broken:
                return Tried(guard, "the law does not stand" if guard.declared else "", broken)
            if guard.declared and listed_of(str(folder)) != listed_of(guard.edition):
                return Tried(guard, "the list of secrets")
            for scenario in self.order(guard, title_of(old.decode())):
                if not passes(self.scenarios[scenario].text, scenario, str(folder)):
                    self.noticed[guard.path, scenario] += 1
                    return Tried(guard, scenario)
        return Tried(guard, "")

    def order(self, guard: Guard, title: str) -> list[str]:
        """The likeliest scenarios for the time they take first: which share rare words with the guard, show a must of its
        rule, or have noticed others of it.
        """
        about = words_of(f"{guard.text} {guard.path.rpartition('/')[2]}")
        likely = {
            file: sum(1 / self.often[word] for word in about & self.words[file])
            + (title in each.shows) / 4
            + min(self.noticed[guard.path, file], 2) / 8
            for file, each in self.scenarios.items()
        }
        return sorted(likely, key=lambda file: (-likely[file] / self.scenarios[file].takes, file))


def title_of(text: str) -> str:
    """The title of a rule, as titles are compared."""
    titled = TITLE.search(text)
    return plain(titled[1]) if titled else ""


def words_of(text: str) -> set[str]:
    """What a text speaks of."""
    return set(re.findall(r"[a-z_]{3,}", text.lower()))


def compiles(folder: str) -> str:
    """Why an edition is no law, or nothing."""
    try:
        law = NEWEST.law(editions.load(folder))
        law.compile()
    except NomicError as error:
        return str(error)
    return "; ".join(map(str, law.problems))


def passes(text: str, file: str, edition: str) -> bool:
    """Whether a scenario comes out as it must, under another edition than it names."""
    return rehearsal.rehearse(re.sub(r"(?m)^edition:.*$", f"edition: {edition}", text), file).passed


_TRIAL: Trial


def _start(scenarios: Mapping[str, Scenario]) -> None:
    global _TRIAL
    _TRIAL = Trial(scenarios)


def _take_out(guard: Guard) -> Tried:
    return _TRIAL.take_out(guard)


def sound(edition: str) -> dict[str, Scenario]:
    """The scenarios of an edition that pass while all guards stand; the others are told of, and useless here."""
    shown: dict[str, set[str]] = {}
    for rule, must in entries(edition):
        for name in must["by"] if isinstance(must["by"], list) else ():
            shown.setdefault(name, set()).add(plain(rule.rpartition("/")[2]))
    scenarios, folder = {}, str(EDITIONS / edition)
    for path in sorted((SCENARIOS / edition).glob("*.yml")):
        text, began = path.read_text(encoding="utf-8"), time.monotonic()
        if passes(text, path.name, folder):
            shows = frozenset(shown.get(path.stem, ()))
            scenarios[path.name] = Scenario(text, time.monotonic() - began, shows)
        else:
            print(f"{edition}/{path.name} fails with all guards in place, and is left out", file=sys.stderr)
    return scenarios


def tried(wanted: Sequence[Guard], scenarios: Mapping[str, Scenario], processes: int) -> Iterator[Tried]:
    """Take guards out, on all processes at once, in whatever order they are done."""
    with multiprocessing.Pool(processes, _start, (scenarios,), maxtasksperchild=40) as pool:
        yield from pool.imap_unordered(_take_out, wanted, chunksize=1)
