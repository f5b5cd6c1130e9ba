"""Verify: the whole history replayed, each commit compared with what its deed must have made."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from nomicgit.deeds import founding, pipeline
from nomicgit.deeds.chance import Seeded
from nomicgit.deeds.words import WORDS
from nomicgit.gamestate.store import Store
from nomicgit.gamestate.world import World
from nomicgit.problems import NomicError
from nomicgit.record import journal, restoring
from nomicgit.record.game import founding_files, founding_of, settings_of
from nomicgit.record.history import RecordedHistory
from nomicgit.record.tree import GAME, SETTINGS, GameTree
from nomicgit.repository import Commit, Repository

SHOWN = 5
EVIDENCE = ("died", "exhausted", "bricked")


@dataclass(frozen=True, slots=True)
class Fault:
    """A commit that is not what its deed makes."""

    commit: str
    what: str

    def __str__(self) -> str:
        return f"{self.commit[:12]}: {self.what}"


@dataclass(slots=True)
class Verified:
    """What verification found."""

    deeds: int = 0
    others: int = 0
    faults: list[Fault] = field(default_factory=list)


def history(repository: Repository, tip: str) -> list[Commit]:
    """The first-parent history from the last founding deed on, oldest first."""
    found = []
    for commit in repository.log(tip):
        found.append(commit)
        if journal.is_deed(commit.message) and f"\nNomic-Action: {journal.FOUND}\n" in commit.message:
            break
    return found[::-1]


def verify(
    repository: Repository, tip: str, progress: Callable[[int, int], None] = lambda *_: None
) -> Verified:
    """Replay the history of a branch's tip."""
    verified, commits = Verified(), history(repository, tip)
    replay = Replay(repository)
    for number, commit in enumerate(commits):
        progress(number, len(commits))
        verified.faults += [
            Fault(commit.oid, what) for what in replay.step(commit, commits[number - 1] if number else None)
        ]
        if journal.is_deed(commit.message):
            verified.deeds += 1
        else:
            verified.others += 1
    if not commits or not journal.is_deed(commits[0].message):
        verified.faults.insert(0, Fault(tip, "no deed founds this game"))
    progress(len(commits), len(commits))
    return verified


class Replay:
    """A replay on its way: the world that the deeds so far have made."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.world: World | None = None
        self.tree: GameTree | None = None
        self.at = 0
        self.ids: set[str] = set()

    def step(self, commit: Commit, before: Commit | None) -> Iterator[str]:
        """What is wrong with a commit."""
        if not journal.is_deed(commit.message):
            if before is not None and self._games(before) != self._games(commit):
                self.world = None
                yield "it changes the game and is no deed"
            return
        try:
            entry = journal.parse(commit.message, commit.oid)
            yield from self._dated(entry, commit)
            wanted = (
                self._founded(entry, commit)
                if entry.deed.action == journal.FOUND
                else self._done(entry, commit, before)
            )
        except NomicError as error:
            self.world = None
            yield f"its deed is refused: {error.problems[0]}"
            return
        if wanted != commit.tree:
            self.world = None
            yield "its tree is not what its deed makes: " + ", ".join(self._different(wanted, commit.tree))

    def _games(self, commit: Commit) -> object:
        return self.repository.entry(commit.tree, GAME.rstrip("/"))

    def _dated(self, entry: journal.Entry, commit: Commit) -> Iterator[str]:
        if entry.deed.id in self.ids:
            yield f"its deed {entry.deed.id} stands in the history already"
        self.ids.add(entry.deed.id)
        if entry.deed.at < self.at:
            yield "it is dated before the deed before it"
        if entry.deed.at != commit.author_time:
            yield "its deed and its commit are not of one time"
        self.at = max(self.at, entry.deed.at)

    def _founded(self, entry: journal.Entry, commit: Commit) -> str:
        tree = GameTree(self.repository, commit.tree)
        settings = settings_of(self.repository.file(commit.tree, SETTINGS) or b"")
        start = founding_of(entry.deed)
        world = founding.found(
            tree.ruleset(), start, Seeded(journal.seed_of(entry), entry.deed.id), secrets=False
        )
        kept = {path: oid for path, oid in self.repository.walk(commit.tree) if not path.startswith(GAME)}
        changes = founding_files(self.repository, world, settings)
        base = self.repository.tree_id(
            None, {path: self.repository.blob(oid) for path, oid in kept.items()} | changes
        )
        self._load(commit)
        return base

    def _load(self, commit: Commit) -> None:
        self.tree = GameTree(self.repository, commit.tree)
        self.world = World(
            Store(self.tree), self.tree.ruleset(), WORDS, now=self.at, chance=Seeded(b"", ""), secrets=False
        )

    def _done(self, entry: journal.Entry, commit: Commit, before: Commit | None) -> str:
        assert before is not None
        if self.world is None:
            self._load(before)
        world, tree = self.world, self.tree
        assert world is not None
        assert tree is not None
        given = journal.lengthened(entry.deed.given, Store(GameTree(self.repository, commit.tree)))
        deed = replace(entry.deed, given=given)
        world.history = RecordedHistory(self.repository, before.oid, entry.evidence)
        world.told_evidence = {key: entry.evidence.get(key, []) for key in EVIDENCE}
        ruleset = world.ruleset
        if deed.action == restoring.RESTORE:
            settings = settings_of(self.repository.file(before.tree, SETTINGS) or b"")
            restoring.allowed(settings.restore, deed.given["by"])
            restoring.restore(
                world, deed, restoring.earlier_ruleset(self.repository, before.oid, deed.given["to"])
            )
        else:
            pipeline.decide(world, deed, Seeded(journal.seed_of(entry), deed.id))
        changes = tree.changes(world.store, ruleset, world.ruleset)
        world.store.forget()
        return self.repository.tree_id(before.tree, changes)

    def _different(self, wanted: str, found: str) -> list[str]:
        """Some of the files in which a commit's tree is not what its deed makes."""
        return [path for path, _, _ in itertools.islice(self.repository.changed(wanted, found), SHOWN)]
