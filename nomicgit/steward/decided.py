"""What was decided about what people did and no deed tells: what was refused and why, what asked for nothing.

It stands in the repository under a reference of its own, a commit for each pass that adds something, and goes out in one
push with the deeds of its pass. So nothing is decided twice, whoever deletes an answer or begins to speak for the steward;
and what could not be said is said later.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from nomicgit.git import Repository
from nomicgit.ground.problems import Malformed
from nomicgit.steward.asking import EVERYWHERE, WELCOMED
from nomicgit.steward.past import SLACK
from nomicgit.steward.steps import Heard, Step, Told

REF = "refs/nomicgit/decided"
_WHO = "steward <steward@nomicgit.invalid>"
_Page = dict[str, Any]


class Decided:
    """What was decided, thread by thread; what is new is added, and written with the pass.

    A page has ``begun``, when its thread began at the latest; ``told``, by key: ``why``, ``whom``, ``refused``, ``at``; what
    was ``said`` of that; and what was ``heard`` and asked for nothing.
    """

    def __init__(self, repository: Repository, at: str | None, begun: Mapping[int, int], now: int) -> None:
        """``begun``: when the threads at hand began; a page of an older one is of another repository's thread."""
        self._repository, self._at, self._begun, self._now = repository, at, begun, now
        self._pages: dict[int, _Page] = {}
        self._changed: set[int] = set()

    def keys(self, thread: int) -> frozenset[str]:
        """All that was decided on a thread."""
        return self.answered(thread) | frozenset(self._page(thread)["heard"])

    def answered(self, thread: int) -> frozenset[str]:
        """What was decided on a thread, but for what asked for nothing."""
        page = self._page(thread)
        return frozenset((*page["told"], *page["said"]))

    def said(self, thread: int, key: str) -> bool:
        """Whether what was decided was said, once."""
        return key in self._page(thread)["said"]

    def owed(self, thread: int, stands: Iterable[str]) -> list[Told]:
        """What was decided in an earlier pass and is not said yet; ``stands`` are the keys of comments that stand there."""
        page, there = self._page(thread), set(stands)
        return [
            Told(thread, (key,), each["why"], tuple(each["whom"]), each["refused"])
            for key, each in page["told"].items()
            if key not in page["said"] and key not in there and each["why"]
        ]

    def note(self, steps: Iterable[Step], *, wordless: bool) -> bool:
        """Take in what a pass has decided; ``wordless``: not why, which the forge does not take. Whether it tells anything."""
        tells = False
        for step in steps:
            page = self._page(step.thread) if isinstance(step, Told | Heard) else {}
            match step:
                case Told(_, (first, *more), why, whom, refused):
                    words = "" if wordless else why
                    page["told"][first] = {"why": words, "whom": [*whom], "refused": refused, "at": self._now}
                    page["heard"] += [key for key in more if key not in page["heard"]]
                    self._note_everywhere(key for key in (first, *more) if key.startswith(WELCOMED))
                    tells = True
                case Heard(key=key) if key and key not in page["heard"]:
                    page["heard"].append(key)
                case _:
                    continue
            self._changed.add(step.thread)
        return tells

    def _note_everywhere(self, keys: Iterable[str]) -> None:
        """Take in what is told once in the whole game, wherever that is."""
        for key in keys:
            self._page(EVERYWHERE)["heard"].append(key)
            self._changed.add(EVERYWHERE)

    def note_said(self, thread: int, keys: Iterable[str]) -> None:
        """Take in what was said on a thread."""
        page = self._page(thread)
        new = [key for key in keys if key not in page["said"]]
        if new:
            page["said"] += new
            self._changed.add(thread)

    def write(self) -> str | None:
        """A commit with all that is new, on top of the one before; None where nothing is."""
        if not self._changed:
            return None
        before = self._repository.commit(self._at) if self._at else None
        files = {_path(number): _plain(self._pages[number]) for number in sorted(self._changed)}
        tree = self._repository.tree_with(before.tree if before else None, files)
        parent = f"parent {self._at}\n" if before else ""
        body = f"tree {tree}\n{parent}author {_WHO} {self._now} +0000\ncommitter {_WHO} {self._now} +0000\n\nDecided\n"
        self._at, self._changed = self._repository.write("commit", body.encode()), set()
        return self._at

    def _page(self, thread: int) -> _Page:
        if thread not in self._pages:
            page = self._read(thread)
            if page is None or page["begun"] + SLACK < self._begun.get(thread, 0):
                page = {"begun": self._begun.get(thread, self._now), "told": {}, "said": [], "heard": []}
            self._pages[thread] = page
        return self._pages[thread]

    def _read(self, thread: int) -> _Page | None:
        if self._at is None:
            return None
        data = self._repository.file(self._repository.commit(self._at).tree, _path(thread))
        try:
            return None if data is None else json.loads(data)
        except ValueError:
            raise Malformed.of("it is no page of what was decided", file=f"{REF}:{_path(thread)}") from None


def _path(thread: int) -> str:
    return f"{thread}.json"


def _plain(page: _Page) -> bytes:
    return (json.dumps(page, sort_keys=True, ensure_ascii=False, indent=1) + "\n").encode()
