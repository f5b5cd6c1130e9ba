"""The annals: everything that happened in a game, read from its history once.

Which deed touched which rule and which value, which matter enacted it, when each dynasty began and ended.
One walk of the history and one reading of the files it touched; nothing is replayed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.git import Repository
from nomicgit.git.walked import Touched, Walked
from nomicgit.ground import files
from nomicgit.ground.problems import NomicError
from nomicgit.law.outside import Outside
from nomicgit.law.ruleset import FILE, Ruleset
from nomicgit.physics.deed import Deed
from nomicgit.record import journal
from nomicgit.record.history import ticked
from nomicgit.record.tree import POSTS, RULESET, SETTINGS, STATE, ref_of

_POST = re.compile(r"(\d{4,})-[a-z0-9-]*\.md")
_STATUS = re.compile(rb"^status: ([a-z_-]+)$", re.MULTILINE)
OPEN, AT_ONCE = f"{STATE}open.yml", 200
"""Where it stands how far each clock has come; so many of these files are read at a time."""
UNTOLD = ("made", "uses", "forge")  # what the program keeps beside the values


class Done(Struct, frozen=True):
    """A deed in its place in the record: 1 for the founding. ``closed`` are posts with the status that it gave them."""

    place: int
    commit: str
    tree: str
    deed: Deed
    notes: tuple[str, ...]
    touched: tuple[Touched, ...]
    closed: tuple[tuple[int, str], ...] = ()
    posted: tuple[int, ...] = ()

    @property
    def source(self) -> int | None:
        """The post behind what the deed did to the law: the one that it enacted, else the one that it made."""
        enacted = [number for number, status in self.closed if status == "enacted"]
        return next(iter([*enacted, *self.posted]), None)


class Amendment(Struct, frozen=True):
    """A rule's file, made, amended or (``new`` None) taken out by a deed. ``revision`` counts from 0, the first text."""

    done: Done
    revision: int
    old: str | None
    new: str | None


class Moved(Struct, frozen=True):
    """A stored value that a deed changed; None where there was, or is, none. ``clock``: it fell due by the clock before what the
    deed did, and is recorded with it."""

    done: Done
    ref: str
    field: str
    old: Any
    new: Any
    clock: bool = False


class Reign(Struct, frozen=True):
    """A dynasty: the deeds with which it began and (None: it lasts) ended, all who led it, and who led the one after it."""

    number: int
    name: str
    emperors: Sequence[str]
    began: Done
    ended: Done | None
    heir: str | None


class Annals:
    """All deeds of a game since its founding, oldest first, and what they touched."""

    def __init__(self, repository: Repository, deeds: Sequence[Done]) -> None:
        self.repository, self.deeds = repository, deeds

    @classmethod
    def read(cls, repository: Repository, tip: str) -> Annals:
        """The annals up to a commit."""
        walked: list[Walked] = []
        for commit in journal.standing(repository.walked(tip)):
            if journal.told(commit.message) is None:
                continue
            walked.append(_since_what_stands(repository, commit))
            if journal.is_founding(commit.message) and _begins(commit):
                break
        walked.reverse()
        status = _statuses(repository, walked)
        return cls(repository, [_done(place, commit, status) for place, commit in enumerate(walked, 1)])

    def clocked(self) -> Iterator[Done]:
        """The deeds of the law's before which something fell due by the clock, and is recorded with them: then a clock stands elsewhere."""
        touching = [
            (done, each)
            for done in self.deeds
            if done.deed.action not in set(Outside)
            for each in done.touched
            if each.path == OPEN
        ]
        for start in range(0, len(touching), AT_ONCE):
            some = touching[start : start + AT_ONCE]
            oids = {oid for _, each in some for oid in (each.before, each.after) if oid is not None}
            files = self.repository.blobs(sorted(oids))
            clocks = {oid: _map(data.decode("utf-8", "replace")).get("clocks") for oid, data in files.items()}
            yield from (
                done
                for done, each in some
                if ticked(clocks.get(each.before or ""), clocks.get(each.after or ""))
            )

    # ---- the law

    @cached_property
    def amendments(self) -> Mapping[str, Sequence[Amendment]]:
        """What became of each rule that ever was, by slug. A rule that only moved is not amended."""
        histories: dict[str, list[Amendment]] = {}
        for done in self.deeds:
            for slug, (before, after) in _by_slug(done.touched).items():
                if before == after:
                    continue
                history = histories.setdefault(slug, [])
                revision = history[-1].revision + 1 if history else 0
                history.append(
                    Amendment(done, revision, self._law.get(before or ""), self._law.get(after or ""))
                )
        return histories

    def amended_in(self, done: Done) -> Sequence[tuple[str, Amendment]]:
        """What a deed did to the rules."""
        return self._by_place.get(done.place, ())

    @cached_property
    def _by_place(self) -> Mapping[int, Sequence[tuple[str, Amendment]]]:
        by_place: dict[int, list[tuple[str, Amendment]]] = {}
        for slug, history in self.amendments.items():
            for each in history:
                by_place.setdefault(each.done.place, []).append((slug, each))
        return by_place

    def amended_by(self, post: int) -> Iterator[tuple[str, Amendment]]:
        """What the enactment of a post did to the rules."""
        return iter(self._by_post.get(post, ()))

    @cached_property
    def _by_post(self) -> Mapping[int, Sequence[tuple[str, Amendment]]]:
        by_post: dict[int, list[tuple[str, Amendment]]] = {}
        for slug, history in self.amendments.items():
            for each in history:
                if each.done.source is not None:
                    by_post.setdefault(each.done.source, []).append((slug, each))
        return by_post

    def rulesets(self, deeds: Iterable[Done]) -> Iterator[tuple[Done, Ruleset]]:
        """The ruleset after each of some deeds, which are given oldest first."""
        wanted = {done.place for done in deeds}
        now: dict[str, str] = {}
        last: Ruleset | None = None
        for done in self.deeds:
            for each in done.touched:
                if _is_rule(each.path) and each.after is not None:
                    now[each.path.removeprefix(RULESET)] = self._law[each.after]
                elif _is_rule(each.path):
                    now.pop(each.path.removeprefix(RULESET), None)
            if done.place in wanted:
                last = Ruleset.read(now, old=last)
                yield done, last

    @cached_property
    def _law(self) -> Mapping[str, str]:
        return self._texts(_is_rule)

    # ---- the gamestate

    @cached_property
    def moved(self) -> Sequence[Moved]:
        """Every change of a stored value, in order."""
        moves: list[Moved] = []
        for done in self.deeds:
            for each in done.touched:
                ref = ref_of(each.path)
                if ref is not None:
                    moves += self._moves(done, ref, each)
        return moves

    def _moves(self, done: Done, ref: str, each: Touched) -> Iterator[Moved]:
        old, new = self._fields(each.before), self._fields(each.after)
        for field in [*old, *(name for name in new if name not in old)]:
            if old.get(field) != new.get(field) and field not in UNTOLD:
                yield Moved(done, ref, field, old.get(field), new.get(field))

    def states(self, deeds: Iterable[Done]) -> Iterator[tuple[Done, Mapping[str, Mapping[str, object]]]]:
        """The stored fields of every entity but posts after each of some deeds, which are given oldest first."""
        wanted = {done.place for done in deeds}
        now: dict[str, str] = {}
        for done in self.deeds:
            for each in done.touched:
                ref = ref_of(each.path)
                if ref is not None and each.after is not None:
                    now[ref] = each.after
                elif ref is not None:
                    now.pop(ref, None)
            if done.place in wanted:
                yield done, {ref: self._fields(oid) for ref, oid in now.items()}

    def _fields(self, oid: str | None) -> Mapping[str, object]:
        return self._state.get(oid, {}) if oid else {}

    @cached_property
    def _state(self) -> Mapping[str, Mapping[str, object]]:
        return {oid: _map(text) for oid, text in self._texts(lambda path: ref_of(path) is not None).items()}

    # ---- dynasties

    @cached_property
    def reigns(self) -> Sequence[Reign]:
        """The dynasties, the first one first."""
        begun: list[tuple[Done, dict[str, Any], list[str]]] = []
        for done in self.deeds:
            for each in done.touched:
                fields = self._fields(each.after) if ref_of(each.path) == "dynasty" else {}
                if not fields:
                    continue
                if begun and begun[-1][1].get("number") == fields.get("number"):
                    begun[-1][1]["name"] = begun[-1][1].get("name") or fields.get("name")
                else:
                    begun.append((done, dict(fields), []))
                emperor, led = fields.get("emperor"), begun[-1][2]
                led += [str(emperor)] if emperor and led[-1:] != [emperor] else []
        reigns = []
        for place, (done, fields, led) in enumerate(begun):
            after = begun[place + 1] if place + 1 < len(begun) else None
            number, name = int(fields.get("number") or 0), str(fields.get("name") or "")
            end, heir = (after[0], after[1].get("emperor")) if after else (None, None)
            reigns.append(Reign(number, name, tuple(led), done, end, heir))
        return reigns

    def reign_at(self, place: int) -> Reign | None:
        """The dynasty in which a deed was done."""
        return next((reign for reign in reversed(self.reigns) if reign.began.place <= place), None)

    # ---- posts

    @cached_property
    def closings(self) -> Mapping[int, Done]:
        """The deed that gave each resolved post its status."""
        return {number: done for done in self.deeds for number, _ in done.closed}

    @cached_property
    def postings(self) -> Mapping[int, Done]:
        """The deed that made each post."""
        return {number: done for done in self.deeds for number in done.posted}

    def _texts(self, wanted: Callable[[str], bool]) -> dict[str, str]:
        """The texts of all files under paths that are wanted, by the ids of their bytes."""
        oids = {
            oid
            for done in self.deeds
            for each in done.touched
            if wanted(each.path)
            for oid in (each.before, each.after)
            if oid is not None
        }
        return {
            oid: data.decode("utf-8", "replace") for oid, data in self.repository.blobs(sorted(oids)).items()
        }


def _is_rule(path: str) -> bool:
    return path.startswith(RULESET) and path.endswith(".md")


def _by_slug(touched: Iterable[Touched]) -> dict[str, tuple[str | None, str | None]]:
    """The bytes of rules before and after, by slug, wherever their files lie."""
    rules: dict[str, tuple[str | None, str | None]] = {}
    for each in touched:
        name = FILE.fullmatch(each.path.rpartition("/")[2]) if each.path.startswith(RULESET) else None
        if name:
            before, after = rules.get(name[2], (None, None))
            rules[name[2]] = before or each.before, after or each.after
    return rules


def _posts(touched: Iterable[Touched]) -> Iterator[tuple[int, Touched]]:
    for each in touched:
        name = _POST.fullmatch(each.path.rpartition("/")[2]) if each.path.startswith(POSTS) else None
        if name:
            yield int(name[1]), each


def _statuses(repository: Repository, commits: Iterable[Walked]) -> Mapping[str, str]:
    """The status of every post that a deed changed, before and after it, by the ids of their bytes."""
    oids = {
        oid
        for commit in commits
        for _, each in _posts(commit.files)
        if each.before and each.after
        for oid in (each.before, each.after)
    }
    statuses = {}
    for oid, data in repository.blobs(sorted(oids)).items():
        status = _STATUS.search(data.partition(b"\n---\n")[0])
        statuses[oid] = status[1].decode() if status else ""
    return statuses


def _since_what_stands(repository: Repository, commit: Walked) -> Walked:
    """A commit with the files that it touches; of a mend, those in which it differs from what it goes back to."""
    to = journal.goes_back_to(commit.message)
    if to is None:
        return commit
    tree = repository.commit(to).tree
    changed = repository.changed(tree, commit.tree)
    files = tuple(Touched(path, was and was[1], now and now[1]) for path, was, now in changed)
    return replace(commit, files=files)


def _begins(commit: Walked) -> bool:
    """Whether there was no game before a commit."""
    return any(file.path == SETTINGS and file.before is None for file in commit.files)


def _done(place: int, commit: Walked, status: Mapping[str, str]) -> Done:
    entry = journal.parse(commit.message, commit.oid)
    posts = list(_posts(commit.files))
    closed = [
        (number, status[each.after])
        for number, each in posts
        if each.before and each.after and status[each.before] != status[each.after]
    ]
    posted = [number for number, each in posts if each.before is None and each.after]
    return Done(
        place, commit.oid, commit.tree, entry.deed, tuple(journal.notes_of(commit.message)),
        commit.files, tuple(closed), tuple(posted),
    )  # fmt: skip


def closing(repository: Repository, tip: str, path: str) -> Done | None:
    """The last deed that gave the post whose file lies at a path its status, if one did; its place is not counted."""
    for commit in repository.walked(tip, path):
        to = journal.goes_back_to(commit.message)
        if to is not None:
            return closing(repository, to, path)
        if journal.told(commit.message) is not None:
            done = _done(0, commit, _statuses(repository, [commit]))
            if done.closed:
                return done
    return None


def _map(text: str) -> Mapping[str, object]:
    try:
        value = files.read(text, "")
    except NomicError:
        return {}
    return value if isinstance(value, Mapping) else {}
