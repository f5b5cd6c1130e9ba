"""A replay on its way: each commit of a game compared with what its deed must have made."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from nomicgit.git import Commit, Repository
from nomicgit.ground.clock import text
from nomicgit.ground.problems import NomicError, Outage, Refused, printable, quoted
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.physics.state.store import Store
from nomicgit.record import journal, signers, visible, whose
from nomicgit.record.game import AHEAD
from nomicgit.record.history import told_of
from nomicgit.record.outside import counting
from nomicgit.record.outside.misgiven import misgiven
from nomicgit.record.outside.settling import SETTLING
from nomicgit.record.seen.apparent import CHANGED, founded_over, last_game, misformed
from nomicgit.record.seen.faults import EARLY
from nomicgit.record.seen.headers import enacted_heads, foreign, misheaded
from nomicgit.record.tree import GameTree, game_at
from nomicgit.replay.glimpse import glimpse
from nomicgit.replay.remaking import Remade, Remaking

if TYPE_CHECKING:
    from nomicgit.record.secret.veil import Behind
    from nomicgit.replay.taken import Round
    from nomicgit.sealing.keys import Key

SHOWN = 5
TOGETHER = 200  # commits that are read together
SAID = re.compile(r"comment-.+|pull-[0-9]+-review-.+")
"""Events of a forge whose ids no other has anywhere on it."""


Step: TypeAlias = tuple[list[str], list[str], str | None, bool | None]
"""What is wrong with a commit, what is doubted of its deed's claims, of one that no key at hand opens what everybody can
see that it changed, and whether its player has signed it, where they have keys, or are to."""


class Replay(Remaking):
    """A replay on its way: the position that the deeds so far have led to."""

    def __init__(
        self,
        repository: Repository,
        commits: Sequence[Commit],
        now: int | None = None,
        keys: Sequence[Key] = (),
    ) -> None:
        super().__init__(repository, commits, keys)
        self.now = now
        self.places: dict[str, Commit] = {}
        self.gone: set[str] = set()
        self.events: dict[str, str] = {}
        self.by_key: bool | None = None
        self.followed = counting.Followed(repository)
        self.stored: tuple[str, bytes] | None = None
        self.messages: dict[str, Sequence[tuple[str, str]] | None] = {}
        self.round: tuple[tuple[int, int, int], Round] | None = None

    def steps(self, start: int = 0) -> Iterator[Step]:
        """What is found of each commit; those before ``start`` are taken as replayed, and as sound where they stand."""
        stand = {each.oid for each in journal.standing(self.commits[::-1])} if start else ()
        for number, commit in enumerate(self.commits):
            before = self.commits[number - 1] if number else None
            if number < start:
                self._pass(commit, sound=commit.oid in stand)
                self.followed.take(commit)
                self.clock[commit.oid] = self.at
                continue
            if (number - start) % TOGETHER == 0:
                self.repository.ahead(each.oid for each in self.commits[number : number + TOGETHER])
            doubts: list[str] = []
            self.sealed: str | None = None
            self.by_key = None
            try:
                faults = list(self._step(commit, before, doubts))
            except (OSError, MemoryError, Outage):
                raise  # the machine's, and no commit's
            except Exception as error:  # a history may hold anything, and none of it may hide the rest
                self.position = None
                what = (
                    error.problems[0] if isinstance(error, NomicError) else f"{type(error).__name__}: {error}"
                )
                faults = [f"its deed is refused: {printable(str(what), 500)}"]
            self.followed.take(commit)
            self.clock[commit.oid] = self.at
            yield faults, doubts, self.sealed, self.by_key

    def _pass(self, commit: Commit, *, sound: bool) -> None:
        seen = glimpse(commit.message, sound=sound)
        if seen is None:
            return
        self.places[seen.id] = commit
        self._turn_back(commit)
        list(self._answers(seen.id, seen.events))
        if seen.at == commit.author_time:
            self.at = max(self.at, seen.at)

    def _turn_back(self, commit: Commit) -> None:
        """Of a mend: the clock stands as it stood at what it goes back to, and what came since does not stand."""
        to = journal.goes_back_to(commit.message)
        if to in self.clock:
            self.at = self.clock[to]
            until = self.commits[self.commits.index(commit) :: -1]
            self.gone = {each.oid for each in until} - {each.oid for each in journal.standing(until)}

    def _step(self, commit: Commit, before: Commit | None, doubts: list[str]) -> Iterator[str]:
        if not journal.is_deed(commit.message):
            if before is not None and game_at(self.repository, before) != game_at(self.repository, commit):
                self.position = None
                yield CHANGED
            elif before is not None:
                yield from misformed(self.repository, before, commit)
            return
        entry = journal.parse(commit.message)
        if wrong := misgiven(entry.deed.action, entry.deed.given, entry.deed.actor):
            raise Refused.of(wrong)
        founds = entry.deed.action == Outside.FOUND
        if founds and before is not None:
            last = last_game(self.repository, before)
            if last is not None:
                yield founded_over(last, before)
        yield from self._dated(entry, commit)
        if before is None and not founds:
            return  # what it is built upon is not there; said once for the whole history
        if not founds:
            assert before is not None
            yield from self._told(entry, before)
            yield from self._by_key(entry, commit, before)
        if not founds or self._has_keys(commit):
            self.keeping = self._keeping(before if before is not None and not founds else commit)
        if self.keeping is not None:
            from nomicgit.record.secret import unsealed  # here: most games have no keys

            yield from unsealed.unlike(self.repository, entry, commit, before, self.keeping)
            entry, opaque = self._unveiled(entry)
            yield from self._came_in(entry.deed, before)
            yield from self._ordered(entry, commit, opaque=opaque)
            self.messages[entry.deed.id] = None
            if opaque:
                seen = "; ".join(visible.changes(self.repository, commit))
                self.position, self.sealed = None, seen or "nothing that can be seen"
                yield from unsealed.misdressed(self.repository, entry, commit, before)
                return
        else:
            yield from self._came_in(entry.deed, before)
        made = self._made(entry, commit, before, doubts)
        self.messages[entry.deed.id] = [(who, words) for who, words in made.outcome.messages]
        yield from self._signed(entry, commit, before, made)
        if made.outcome.refusal and self.behind is not None and not self.behind.refusal:
            yield f"the order that it was is refused: {printable(made.outcome.refusal, 200)}"
        assert self.position is not None
        self.position.store.forget()
        if entry.deed.action in SETTLING:
            self.position = None  # the next deed reads the settings anew
        if made.tree != commit.tree:
            self.position = None
            yield "its tree is not what its deed makes: " + ", ".join(self._different(made.tree, commit.tree))

    def _by_key(self, entry: journal.Entry, commit: Commit, before: Commit) -> Iterator[str]:
        """Whether who must has signed a deed, by the keys that count and what is asked, whatever stands in a file by hand."""
        if entry.deed.action == Outside.MEND:
            self.by_key, wrong = counting.mend_standing(self.followed, entry.deed, self._stored(commit))
        else:
            now, stored = self.followed.now, partial(self._stored, commit)
            self.by_key, wrong = signers.standing_of(
                self.repository, before.tree, entry, stored, now.asked, now.keys
            )
        if wrong:
            yield wrong

    def _came_in(self, deed: Deed, before: Commit | None) -> Iterator[str]:
        """Whether the game lives where a deed says that it came in, and the account is no other player's."""
        if deed.origin is not None and before is not None:
            settings, store = self._settings(before), Store(GameTree(self.repository, before.tree))
            wrong = settings.misplaced(deed.origin) or whose.taken(store, settings.forge, deed)
            yield from filter(None, [wrong])

    def _stored(self, commit: Commit) -> bytes:
        """A commit as Git keeps it, read once."""
        if self.stored is None or self.stored[0] != commit.oid:
            self.stored = commit.oid, self.repository.read(commit.oid)[1]
        return self.stored[1]

    def _has_keys(self, commit: Commit) -> bool:
        return GameTree(self.repository, commit.tree).has_keys

    def _unveiled(self, entry: journal.Entry) -> tuple[journal.Entry, bool]:
        """A deed as it stands behind its veil, and whether no key at hand opens that."""
        from nomicgit.record.secret import veil  # here, as above

        assert self.keeping is not None
        self.behind: Behind | None = None
        if not entry.sealed:
            return entry, False
        sealer = self.keeping.sealer
        self.behind = None if sealer is None else veil.behind(entry, sealer)
        if self.behind is None:
            return entry, True
        return replace(entry, deed=self.behind.deed, evidence=self.behind.evidence), False

    def _ordered(self, entry: journal.Entry, commit: Commit, *, opaque: bool) -> Iterator[str]:
        """Whether an order is taken in its turn among those of its round."""
        assert self.keeping is not None
        sealer, deed = self.keeping.sealer, entry.deed
        if sealer is None or sealer.key.main is None or not (opaque or deed.nonce is not None):
            return
        from nomicgit.replay.taken import Round  # here, as above

        which = self.keeping.term.number, deed.at, len(self.gone)
        if self.round is None:
            self.round = which, Round.before(self.commits, commit, sealer, deed.at)
        elif self.round[0] != which:
            self.round = which, Round(sealer, deed.at)
        if self.round[1].out_of_turn(None if opaque else deed):
            yield "it is not the order whose turn it was among those of its round"

    def _answers(self, deed: str, events: Sequence[str]) -> Iterator[str]:
        """What somebody said on a forge is answered once. Threads are numbered anew where the game moves to another place."""
        for event in events:
            if event in self.events and SAID.fullmatch(event):
                yield f"the event {event} of the forge was answered already, by the deed {self.events[event]}"
            self.events[event] = deed

    def _dated(self, entry: journal.Entry, commit: Commit) -> Iterator[str]:
        if entry.deed.id in self.places:
            yield f"its deed {entry.deed.id} stands in the history already"
        self.places[entry.deed.id] = commit
        self._turn_back(commit)
        yield from self._answers(entry.deed.id, entry.deed.origin.events if entry.deed.origin else ())
        if entry.deed.at < self.at:
            yield "it is dated before the deed before it"
        if entry.deed.cast_at is not None and entry.deed.cast_at >= entry.deed.at:
            yield "it says that it was cast when it was done, or later"
        ahead = self.now is not None and entry.deed.at > self.now + AHEAD
        if ahead and self._settings(commit).time != "given":
            yield f"it is dated {text(entry.deed.at)}, {EARLY}"
        if entry.deed.at != commit.author_time:
            yield "its deed and its commit are not of one time"
        else:
            self.at = max(self.at, entry.deed.at)

    def _told(self, entry: journal.Entry, before: Commit) -> Iterator[str]:
        """Evidence of earlier deeds must be what the record says of them."""
        for name, claim in entry.evidence.get("deeds", {}).items():
            there = self.places.get(name)
            if there is None and self.repository.cut_off(self.commits[0]):
                continue
            if there is None or there.oid in self.gone or claim not in self._tellings(there, claim):
                yield f"what it says of the deed {printable(name, 60)} is not what stands in the history"

    def _tellings(self, commit: Commit, claim: Mapping[str, object]) -> Iterator[object]:
        """How an earlier deed may be told as evidence: as everybody sees it, and of a sealed one as a key at hand does."""
        yield told_of(self.repository, commit)
        if "sealed" in claim:
            yield from (told_of(self.repository, commit, key) for key in self.keys)

    def _signed(
        self, entry: journal.Entry, commit: Commit, before: Commit | None, made: Remade
    ) -> Iterator[str]:
        """The message, the author and the further parents must be those that the deed makes."""
        assert self.position is not None
        outcome, store = made.outcome, self.position.store
        wanted = made.message
        for right, there in itertools.zip_longest(wanted.split("\n"), commit.message.split("\n")):
            if right != there:
                said, makes = (quoted(each, 100) if each else "nothing" for each in (there, right))
                yield f"its message says {said} where its deed makes {makes}"
                break
        if not self.repository.cut_off(commit):  # whose parents are not there
            tree = before.tree if before is not None else ""
            by = (
                signers.committers(self.repository, tree, outcome.shown, sealed=outcome.sealed)
                if tree
                else ()
            )
            yield from misheaded(commit, self._stored(commit), outcome.shown, wanted, by)
        merged = list(commit.parents[1:])
        heads = enacted_heads(outcome, store, self.repository, commit.parents[0]) if merged else []
        if any(each not in heads for each in merged):
            yield from foreign(commit, heads)
        elif merged != [head for head in heads if head in merged]:
            yield "it merges what its deed enacts in another order, or twice"

    def _different(self, wanted: str, tree: str) -> list[str]:
        """Some of the files in which a commit's tree is not what its deed makes."""
        return [path for path, _, _ in itertools.islice(self.repository.changed(wanted, tree), SHOWN)]
