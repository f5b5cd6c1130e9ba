"""The annals: everything that happened in a game, read from its history once.

Which deed touched which rule and which value, which matter enacted it, when each dynasty began and ended.
One walk of the history and one reading of the files it touched; nothing is replayed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, TypeVar

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
"""Where it stands how far each clock has come; so many of these files are read at a time, and commits of deeds."""
_CLOCKS = re.compile(r"^clocks:(?: .*)?$(?:\n .*$)*", re.MULTILINE)
_ODD = re.compile(r"^(?![ ]|[a-z_]+:(?: |$)).", re.MULTILINE)  # no name of a part, and no part of one
REMEMBERED = 1 << 14  # texts of which it is known that they are the same
UNTOLD = ("made", "uses", "forge")  # what the program keeps beside the values


class Done(Struct, frozen=True):
    """A deed in its place in the record: 1 for the founding. ``touched`` are the files of rules and of the state, and ``closed``
    the posts with the status that it gave them."""

    place: int
    commit: str
    deed: Deed
    notes: tuple[str, ...]
    touched: tuple[Touched, ...]
    closed: tuple[tuple[int, str], ...] = ()
    posted: tuple[int, ...] = ()
    ticked: bool = False  # whether a clock stands elsewhere than before

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
    """All deeds of a game since its founding, oldest first, and what they touched.

    A game has hundreds of thousands, so of each no more is in memory than says where it stands and what it was; files of the state
    are read when they are asked for, some hundred at a time, and let go.
    """

    def __init__(self, repository: Repository, deeds: Sequence[Done]) -> None:
        self.repository, self.deeds = repository, deeds

    @classmethod
    def read(cls, repository: Repository, tip: str) -> Annals:
        """The annals up to a commit."""
        deeds: list[Done] = []
        known = _Known()
        for some in _some(_told(repository, tip)):
            commits = [commit for commit, _ in some]
            status, ticking = _statuses(repository, commits), _ticking(repository, commits)
            deeds += (
                known.whole(_done(0, commit, entry, status), ticked=commit.oid in ticking)
                for commit, entry in some
            )
        deeds.reverse()
        for place, done in enumerate(deeds, 1):
            deeds[place - 1] = replace(done, place=place)
        return cls(repository, deeds)

    def clocked(self) -> Iterator[Done]:
        """The deeds of the law's before which something fell due by the clock, and is recorded with them: then a clock stands elsewhere."""
        return (done for done in self.deeds if done.ticked and done.deed.action not in set(Outside))

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

    def moved(self) -> Iterator[Moved]:
        """Every change of a stored value, in order."""
        known = _Known()
        last: dict[str, tuple[str, dict[str, object]]] = {}
        for some in _some(self.deeds):
            wanted = {oid for done in some for each in _of_state(done) for oid in (each.before, each.after)}
            known.read(self.repository, wanted, last.values())
            for done in some:
                for each in _of_state(done):
                    ref = ref_of(each.path) or ""
                    old, new = known.fields(each.before), known.fields(each.after)
                    last.pop(ref, None)
                    if each.after is not None:
                        last[ref] = each.after, new
                    for field in [*old, *(name for name in new if name not in old)]:
                        if old.get(field) != new.get(field) and field not in UNTOLD:
                            if field in new:
                                new[field] = known.value(new[field])
                            yield Moved(done, ref, field, old.get(field), new.get(field))

    def states(self, deeds: Iterable[Done]) -> Iterator[tuple[Done, Mapping[str, Mapping[str, object]]]]:
        """The stored fields of every entity but posts after each of some deeds, which are given oldest first.

        Those of an entity of which nothing was written in between are the very same.
        """
        wanted = {done.place for done in deeds}
        known = _Known()
        now: dict[str, str] = {}
        last: dict[str, tuple[str, dict[str, object]]] = {}
        for done in self.deeds:
            for each in done.touched:
                ref = ref_of(each.path)
                if ref is not None and each.after is not None:
                    now[ref] = each.after
                elif ref is not None:
                    now.pop(ref, None)
            if done.place in wanted:
                known.read(self.repository, now.values(), last.values())
                last = {ref: (oid, known.fields(oid)) for ref, oid in now.items()}
                yield done, {ref: fields for ref, (_, fields) in last.items()}

    # ---- dynasties

    @cached_property
    def reigns(self) -> Sequence[Reign]:
        """The dynasties, the first one first."""
        begun: list[tuple[Done, dict[str, Any], list[str]]] = []
        texts = self._texts(lambda path: ref_of(path) == "dynasty")
        for done in self.deeds:
            for each in done.touched:
                fields = _map(texts[each.after]) if each.after and ref_of(each.path) == "dynasty" else {}
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


class _Known:
    """What is known of texts and values while deeds are read, so that what is the same is in memory once."""

    def __init__(self) -> None:
        self._same: dict[str, str] = {}
        self._given: dict[str, Mapping[str, Any]] = {}
        self._fields: dict[str, dict[str, object]] = {}

    def whole(self, done: Done, *, ticked: bool) -> Done:
        """A deed of which only those files are left that anybody asks for."""
        touched = tuple(
            Touched(self._once(each.path), each.before and self._once(each.before), each.after and self._once(each.after))
            for each in done.touched
            if _is_rule(each.path) or ref_of(each.path) is not None
        )  # fmt: skip
        deed = done.deed
        if len(self._given) > REMEMBERED:
            self._given.clear()
        given = self._given.setdefault(repr(deed.given), self.value(deed.given))
        deed = replace(
            deed, actor=deed.actor and self._once(deed.actor), action=self._once(deed.action), given=given
        )
        notes = tuple(map(self._once, done.notes))
        return replace(done, deed=deed, touched=touched, notes=notes, ticked=ticked)

    def read(
        self,
        repository: Repository,
        oids: Iterable[str | None],
        last: Iterable[tuple[str, dict[str, object]]],
    ) -> None:
        """Read the fields of files of the state; of those that are known, only the ``last`` ones of entities are kept."""
        wanted = {oid for oid in oids if oid is not None}
        self._fields = {oid: fields for oid, fields in last if oid in wanted}
        missing = sorted(wanted - self._fields.keys())
        for start in range(0, len(missing), AT_ONCE):
            texts = repository.blobs(missing[start : start + AT_ONCE])
            self._fields |= {oid: dict(_map(data.decode("utf-8", "replace"))) for oid, data in texts.items()}

    def fields(self, oid: str | None) -> dict[str, object]:
        """The fields of a file that was read; none where there is none."""
        return {} if oid is None else self._fields[oid]

    def value(self, value: Any) -> Any:
        """A value whose texts are in memory once."""
        if isinstance(value, str):
            return self._once(value)
        if isinstance(value, dict):
            return {self.value(name): self.value(each) for name, each in value.items()}
        return [self.value(each) for each in value] if isinstance(value, list) else value

    def _once(self, text: str) -> str:
        if len(self._same) > REMEMBERED:
            self._same.clear()
        return self._same.setdefault(text, text)


T = TypeVar("T")


def _some(every: Iterable[T]) -> Iterator[Sequence[T]]:
    """So many at a time as are read at once."""
    rest = iter(every)
    while some := tuple(islice(rest, AT_ONCE)):
        yield some


def _told(repository: Repository, tip: str) -> Iterator[tuple[Walked, journal.Entry]]:
    """The commits of a game's deeds, newest first, back to its founding, with what they tell."""
    for commit in journal.standing(repository.walked(tip)):
        if (entry := journal.told(commit.message)) is None:
            continue
        yield _since_what_stands(repository, commit), entry
        if journal.is_founding(commit.message) and _begins(commit):
            return


def _of_state(done: Done) -> Iterator[Touched]:
    return (each for each in done.touched if ref_of(each.path) is not None)


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


def _ticking(repository: Repository, commits: Iterable[Walked]) -> set[str]:
    """Of some commits, those with which a clock came to stand elsewhere, by their ids."""
    touching = [(commit.oid, each) for commit in commits for each in commit.files if each.path == OPEN]
    oids = {oid for _, each in touching for oid in (each.before, each.after) if oid is not None}
    texts = repository.blobs(sorted(oids))
    clocks = {oid: clocks_of(data.decode("utf-8", "replace")) for oid, data in texts.items()}
    return {
        oid for oid, each in touching if ticked(clocks.get(each.before or ""), clocks.get(each.after or ""))
    }


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


def _done(place: int, commit: Walked, entry: journal.Entry, status: Mapping[str, str]) -> Done:
    posts = list(_posts(commit.files))
    closed = [
        (number, status[each.after])
        for number, each in posts
        if each.before and each.after and status[each.before] != status[each.after]
    ]
    posted = [number for number, each in posts if each.before is None and each.after]
    return Done(
        place, commit.oid, entry.deed, tuple(journal.notes_of(commit.message)),
        commit.files, tuple(closed), tuple(posted),
    )  # fmt: skip


def closing(repository: Repository, tip: str, path: str) -> Done | None:
    """The last deed that gave the post whose file lies at a path its status, if one did; its place is not counted."""
    for commit in repository.walked(tip, path):
        to = journal.goes_back_to(commit.message)
        if to is not None:
            return closing(repository, to, path)
        if (entry := journal.told(commit.message)) is not None:
            done = _done(0, commit, entry, _statuses(repository, [commit]))
            if done.closed:
                return done
    return None


def clocks_of(text: str) -> object:
    """How far each clock has come, of a file that has many other lines, which are not read where all look as they are written."""
    if "\n\n" in text or _ODD.search(text):
        return _map(text).get("clocks")
    part = _CLOCKS.search(text)
    return _map(part[0] + "\n").get("clocks") if part else None


def _map(text: str) -> Mapping[str, object]:
    try:
        value = files.read(text, "")
    except NomicError:
        return {}
    return value if isinstance(value, Mapping) else {}
