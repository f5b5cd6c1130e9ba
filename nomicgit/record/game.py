"""A game in a repository: opened, looked at, founded, and moved on by one commit a deed."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.git import Commit, Raced, Repository
from nomicgit.git.branch import Rebasing
from nomicgit.git.layout import to_branch
from nomicgit.ground import clock
from nomicgit.ground.problems import Outage, Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.law import Law
from nomicgit.law.outside import Outside
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.deeds import pipeline
from nomicgit.physics.numbers import physics_of
from nomicgit.physics.physics import Physics
from nomicgit.physics.state.context import Chance, Context, Seeded
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.store import Store
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record import history, journal, line
from nomicgit.record.history import RecordedHistory
from nomicgit.record.journal import carried
from nomicgit.record.seen.headers import enacted_heads, signed, signers_of
from nomicgit.record.seen.strays import elsewhere, follow, gone, refuse_beyond, refuse_elsewhere, replayed
from nomicgit.record.settings import Settings
from nomicgit.record.shelf import Shelf
from nomicgit.record.tree import KEYS, SETTINGS, GameTree, Made

if TYPE_CHECKING:
    from pathlib import Path

    from nomicgit.record.secret.custody import Keeping
    from nomicgit.record.secret.keyring import Term
    from nomicgit.record.secret.told import Told
    from nomicgit.sealing.keys import Key

AHEAD = 300
RACES = 3


class Recorded(Struct, frozen=True):
    """A deed that stands in the record."""

    commit: str
    outcome: Outcome
    kept_edits: Sequence[str] = ()


LONGEST_PAUSE = 100 * 366 * 24 * 3600
"""Seconds after the last deed of a practice game, beyond which no time is meant: nobody could go back from there."""


def _rebasing_another(repository: Repository, branch: str) -> Refused | None:
    """What is said while another branch than the game's is rebased; None where it is the game's, or cannot be told."""
    from nomicgit.git.upstream import HEADS, home  # here: hardly ever is a rebase under way

    if not branch or branch == HEADS + home(repository):
        return None
    what = f"a rebase of {printable(branch.removeprefix(HEADS), 60)} is under way, and until its end no branch is checked out"
    mend = remedy(
        "finish it, once the files that you have mended are added:",
        command("git", "rebase", "--continue"),
        "or break it off:",
        command("git", "rebase", "--abort"),
    )
    return Refused.of(what, file=repository.git_dir, mend=mend)


def unborn(repository: Repository, path: Path | str) -> Refused:
    """What is said where the branch at hand has no commit: the game may lie on another."""
    return Refused.of(
        f"the branch {repository.branch.removeprefix('refs/heads/')} has no commit yet",
        file=str(path),
        mend=remedy(
            "if the game lies on another branch, switch to the one that this lists:",
            command("git", "branch", "--all"),
            to_branch(repository.root, "BRANCH"),
            "else found one:",
            command("nomicgit", "new", "--help"),
        ),
    )


class Game:
    """A game at the head of its branch."""

    def __init__(self, repository: Repository, head: Commit, key: Key | None = None) -> None:
        self.repository, self.head, self.key = repository, head, key
        self.tree = GameTree(repository, head.tree)
        if repository.file(head.tree, SETTINGS) is None:
            taken = gone(repository, head.oid)
            if taken is not None:
                raise Refused.of(f"there is no game here any more: {taken}", file=SETTINGS, mend=taken.mend)
            raise Refused.of(
                "there is no game here",
                file=SETTINGS,
                mend=remedy("found one:", command("nomicgit", "new", "--help")),
            )
        physics_of(self.settings.physics)  # a game of another format, or of a newer physics, is refused here
        self._ruleset: Ruleset | None = None
        self._last: int | None = None
        self._position: Position | None = None
        self._keeping: Keeping | None = None
        self._acting: GameTree | None = None  # the files as whoever acts has them
        self.unmerged: frozenset[str] = frozenset()
        """Heads of branches that do not become parents of the deeds that enact them: nobody would take their histories."""
        self.vet: Callable[[Repository, str], None] | None = None
        """Looks at all up to a head before anything is done upon it, and refuses what is at fault; None: that was done."""

    @property
    def settings(self) -> Settings:
        """What is no law, such as its name and where it lives."""
        return self.tree.settings

    @classmethod
    def open(cls, path: Path | str = ".", key: Key | None = None) -> Game:
        """The game of the repository in which a path lies. ``key``: its key, where that is not the one in this clone."""
        repository = Repository.open(path)
        try:
            head = repository.head()
        except Rebasing as rebasing:
            raise _rebasing_another(repository, rebasing.branch) or rebasing from None
        if head is None:
            raise unborn(repository, path)
        return cls(repository, repository.commit(head), key)

    def at_home(self) -> tuple[Game, str | None]:
        """The game on its own branch, and the proposal's branch on which the clone stands instead, if it does."""
        stands = elsewhere(self.repository)
        head = self.repository.resolve(f"refs/heads/{stands.home}") if stands and not stands.deeds else None
        if stands is None or head is None:
            return self, None
        return Game(self.repository, self.repository.commit(head), self.key), stands.branch

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset at the head."""
        if self._ruleset is None:
            self._ruleset = self.tree.ruleset(shelf=Shelf(self.repository.git_dir, self.physics.language))
        return self._ruleset

    @property
    def physics(self) -> Physics:
        """The physics under which the game is played."""
        return physics_of(self.settings.physics)

    @property
    def law(self) -> Law:
        """The law at the head."""
        return self.physics.law(self.ruleset)

    def last(self) -> int:
        """The time of the last deed, before which no other is dated."""
        if self._last is None:
            commit, at = self.head, _told_at(self.head)
            while at is None and commit.parents:
                commit = self.repository.commit(commit.parents[0])
                at = _told_at(commit)
            if at is None:
                raise Refused.of(
                    "no deed of this game is here",
                    mend=remedy("look into it:", command("nomicgit", "verify")),
                )
            self._last = at
        return self._last

    def time(self, now: int, at: int | None) -> int:
        """The time of a deed: the clock's, or in a practice game the one given; never before the last deed's."""
        if at is not None and self.settings.time != "given":
            raise Refused.of("this game is live: its deeds happen when they happen", mend="leave --at out")
        if at is not None and at < self.last():
            raise Refused.of(f"time never runs back: the last deed was at {clock.text(self.last())}")
        return max(now if at is None else at, self.last())

    def moment(self, now: int, said: str | None) -> int:
        """The time that somebody tells: an instant, or ``+12h`` after the last deed.

        Where nobody does it is the clock's, in a practice game that of the last deed.
        """
        if said is None:
            return self.last() if self.settings.time == "given" else self.time(now, None)
        when = clock.when(said)
        at = self.time(now, when if isinstance(when, int) else clock.shift(self.last(), when))
        if at > self.last() + LONGEST_PAUSE:
            raise Refused.of(
                f"{clock.text(at)} is more than a hundred years after the last deed, and time never runs back",
                mend=f"say an earlier time; the last deed was at {clock.text(self.last())}",
            )
        return at

    @cached_property
    def terms(self) -> Sequence[Term]:
        """The terms under whose keys the game keeps secrets; none in a game that keeps none."""
        if not self.tree.has_keys:
            return ()
        from nomicgit.record.secret.keyring import (
            terms_at,  # here: most games have no keys, and need none of what seals
        )

        return terms_at(self.repository, self.head.tree)

    def keeping(self) -> Keeping | None:
        """How the game keeps its secrets, with the key that lies in this clone; None where it keeps none."""
        if self._keeping is None and self.terms:
            from nomicgit.record.secret.custody import Keeping  # here, as above
            from nomicgit.record.secret.keyring import key_at

            self._keeping = Keeping.of(self.terms, self.key or key_at(self.repository))
        return self._keeping

    def is_keyless(self) -> bool:
        """Whether the game keeps secrets by a key that does not lie in this clone."""
        keeping = self.keeping()
        return keeping is not None and keeping.sealer is None

    def under(self, ruleset: Ruleset) -> Game:
        """The game as it would stand under another ruleset: to be looked at only."""
        other = Game(self.repository, self.head)
        other._ruleset = ruleset
        return other

    def position(self, letter: Told | None = None) -> Position:
        """The game as it stands after its last deed, as everybody sees it, or as somebody does whose letter tells more."""
        store = Store(self.tree, closed=self.tree.has_keys)
        if letter is not None:
            from nomicgit.record.secret.told import ToldTree  # here: most games send no letters

            tree = ToldTree(self.repository, self.head.tree, letter)
            store = Store(tree, closed=True, known=tree.known)
        return Position(store, self.ruleset, self.physics, now=self.last())

    def world(self, letter: Told | None = None, *, looking: bool = False) -> Transaction:
        """The game as it stands after its last deed, to be looked at and thrown away."""
        context = replace(self._context(), looking=looking)
        return Transaction(self.position(letter), context, Seeded(b"looking", "looking"))

    def _history(self) -> RecordedHistory:
        keeping = self.keeping()
        key = keeping.sealer.key if keeping is not None and keeping.sealer is not None else None
        read = partial(history.earlier, self.repository, self.head.oid, key)
        return RecordedHistory(keeping.rereading(read) if keeping is not None else read)

    def _context(self) -> Context:
        return Context(self._history(), secrets=self.tree.has_keys, keys=self.tree.has_keys)

    def tried(
        self,
        deed: Deed,
        decide: Callable[[Position, Context, Deed, Chance], Outcome] = Position.decide,
    ) -> tuple[Outcome, Transaction]:
        """What a deed would do, and the game after it; its dice foretell nothing, and nothing is recorded."""
        self.look()
        position, context = self.position(), self._context()
        keeping = self.keeping()
        chance: Chance = Seeded(os.urandom(32), deed.id)
        if keeping is not None:
            deed = keeping.reread(deed)
            chance = replace(keeping, sealer=None).chance(deed.id, position.store)
        outcome = decide(position, context, deed, chance)
        position.store.forget()
        return outcome, Transaction(position, context, Seeded(b"looking", "looking"))

    def looked_at(self, at: int, letter: Told | None = None) -> Transaction:
        """The game as everyone sees it at a time: what fell due by then has happened, though nothing is recorded.

        ``letter``: as somebody sees it whose letter tells more.
        """
        world = self.world(letter, looking=True)
        pipeline.come(world, Deed("looking", None, "look", at=max(at, self.last())))
        return world

    def with_ids(self, action: str, given: Mapping[str, object]) -> dict[str, object]:
        """What is given to an action, with the ids of the deeds that it names by their commits."""
        declared = self.law.declared.actions.get(action)
        kinds = {name: kind.kind for name, kind in declared.parameters.items()} if declared else {}
        if not any(kinds.get(name) in ("deed", "list") for name in given):
            return dict(given)
        from nomicgit.record import by_commit  # here: few deeds name another, or bring changes

        return by_commit.of(self.repository, kinds, given)

    def look(self) -> None:
        """Look at what this clone has not replayed yet. Refused upon what is at fault."""
        if self.vet is not None and replayed(self.repository) != self.head.oid:
            self.vet(self.repository, self.head.oid)

    def _refuse_beyond(self) -> None:
        """Use the key upon nothing that this clone has not replayed. Where another process was faster, that is a lost race."""
        try:
            refuse_beyond(self.repository, self.head.oid)
        except Refused:
            if self.repository.head() != self.head.oid:
                raise Raced from None
            raise

    def act(
        self,
        deed: Deed,
        seed: Callable[[], bytes] = lambda: os.urandom(32),
        decide: Callable[[Position, Context, Deed, Chance], Outcome] = Position.decide,
    ) -> Recorded:
        """Carry a deed out and record it as one commit; on a lost race look again and decide again."""
        for _ in range(RACES):
            try:
                return self._act(deed, seed(), decide)
            except Raced:
                self._refresh()
        with self.repository.locked():  # others keep being faster: now they wait while this is decided
            self._refresh()
            return self._act(deed, seed(), decide)

    def settled(self, changes: Mapping[str, bytes | None], text: str, outcome: Outcome) -> Recorded:
        """Record a deed that was carried out on the game's position already, and look again."""
        recorded = self._record(changes, lambda _: text, outcome)
        self._refresh()
        return recorded

    def _refresh(self) -> None:
        head = self.repository.head()
        assert head is not None
        commit = self.repository.commit(head)
        old, self.tree = self.ruleset, GameTree(self.repository, commit.tree)
        self.head, self._last, self._position, self._ruleset = commit, None, None, self.tree.ruleset(old)
        self.__dict__.pop("terms", None)
        self._keeping = self._acting = None

    def _act(
        self, deed: Deed, seed: bytes, decide: Callable[[Position, Context, Deed, Chance], Outcome]
    ) -> Recorded:
        self.look()
        if deed.origin is not None:
            if wrong := self.settings.misplaced(deed.origin):
                raise Refused.of(
                    wrong, file=SETTINGS, mend=remedy("say where it lives:", command("nomicgit", "rehouse"))
                )
            from nomicgit.record import whose  # here: few deeds are done on a forge

            if wrong := whose.taken(Store(self.tree), self.settings.forge, deed):
                raise Refused.of(
                    wrong,
                    mend=remedy("see whose each account is:", command("nomicgit", "steward", "--accounts")),
                )
        if deed.at < self.last():
            deed = replace(deed, at=self.last(), cast_at=deed.at if deed.cast_at is None else deed.cast_at)
        earlier, keeping = self._history(), self.keeping()
        if deed.proof is not None and deed.nonce is None:
            from nomicgit.record import proven  # here: few deeds are signed before they come in

            proven.refuse_unjudged()
            of = proven.game_of(self.repository, self.head.oid)
            proven.refuse_unproven(self.repository, self.head.tree, of, deed)
        if deed.nonce is not None:
            from nomicgit.record.secret import proved  # here: most games have no keys

            proved.refuse_unproved(self.repository, self.head.tree, self.terms[0].since, deed)
        if self._position is None:
            self._acting = keeping.tree(self.repository, self.head.tree) if keeping else self.tree
            store = Store(self._acting, closed=keeping is not None and keeping.sealer is None)
            self._position = Position(store, self.ruleset, self.physics, now=self.last())
        position, before, acting = self._position, self.ruleset, self._acting
        assert acting is not None
        deed = keeping.reread(deed) if keeping else deed
        chance = keeping.chance(deed.id, position.store) if keeping else Seeded(seed, deed.id)
        outcome = decide(position, replace(self._context(), history=earlier), deed, chance)
        try:
            evidence = carried(earlier.used, outcome)
            drawn = chance.seeds
            if keeping is not None and keeping.sealer is not None and (outcome.sealed or drawn):
                self._refuse_beyond()
            if keeping is None:
                changes = acting.changes(position, before)
                text = journal.message(outcome, position.store, seeds=drawn, evidence=evidence)
                made = Made(changes, lambda _: text, acting.after)
            else:
                made = keeping.made(acting, position, before, outcome, self.head.oid, drawn, evidence)
            heads = enacted_heads(outcome, position.store, self.repository, self.head.oid)
            merged = [head for head in heads if self._may_merge(head)]
            recorded = self._record(made.files, made.message, outcome, merged)
        except BaseException:
            self._position = None
            raise
        position.store.forget()
        tree = self.repository.commit(recorded.commit).tree
        self.tree = self.tree.after(tree) if acting is self.tree else GameTree(self.repository, tree)
        self._acting = made.following(tree)
        position.store.source = self._acting
        if KEYS in made.files:
            self.__dict__.pop("terms", None)
            self._keeping = None
        self.head, self._last = self.repository.commit(recorded.commit), deed.at
        self._ruleset = position.ruleset
        return recorded

    def _may_merge(self, head: str) -> bool:
        """Whether a branch's head can be a further parent: it is not the game's own, brings nothing along that must not come
        in, neither deeds nor what some clones do not take, and is taken.
        """
        if head == self.head.oid or head in self.unmerged:
            return False
        from nomicgit.record.seen.arrivals import unfit_to_merge  # here: few deeds enact a branch

        if line.brings_deeds(self.repository, head, self.head.oid):
            return False
        return unfit_to_merge(self.repository, head, self.head.oid) is None

    def _record(
        self,
        changes: Mapping[str, bytes | None],
        message: Callable[[str], str],
        outcome: Outcome,
        merged: Sequence[str] = (),
    ) -> Recorded:
        if self.settings.signed != "no" or outcome.deed.action in (Outside.SIGNERS, Outside.RESTORERS):
            from nomicgit.record.signers import refuse_unsigned  # here: most games ask for no signatures

            refuse_unsigned(self.repository, self.tree, outcome.shown, sealed=outcome.sealed)
        make = partial(self.repository.tree_with, self.head.tree, changes)
        recorded = record(self.repository, self.head, make, changes, message, outcome, merged)
        seen = "/" not in outcome.deed.action  # a mend, or a law restored, is to be told
        follow(self.repository, self.head.oid, recorded.commit, seen=seen)
        return recorded


def record(
    repository: Repository,
    head: Commit,
    make: Callable[[], str],
    paths: Collection[str],
    message: Callable[[str], str],
    outcome: Outcome,
    merged: Sequence[str] = (),
) -> Recorded:
    """Record a deed upon a head as one commit of the tree that is made, which differs in these paths, with a message for it."""
    with repository.locked(), repository.together():
        refuse_elsewhere(repository)
        repository.refuse_unfinished()  # before edits: what it leaves in the folder cannot be put aside
        if repository.head() == head.oid and repository.local_edits(paths, head.tree):
            from nomicgit.record.seen import attributes  # here: seldom has anybody edited what a deed writes

            attributes.refuse_edited(repository, paths, head.oid)
        tree, shown = make(), outcome.shown if outcome.hidden else outcome.deed
        hands = signers_of(shown, sealed=outcome.sealed)
        commit = repository.append(
            tree=tree,
            parents=[head.oid, *merged],
            message=message(tree),
            expect=head.oid,
            signers=hands,
            committer=_committer(repository, head, hands),
            **signed(shown),
        )
        try:
            kept = repository.bring_along(head.tree, tree, paths)
        except (OSError, Outage) as error:
            why = error.problem.what if isinstance(error, Outage) else error.strerror
            what = f"the deed is recorded, as commit {commit[:12]}, but not its files in the folder: {why}"
            raise Outage(
                what,
                remedy(
                    "mend that, and do not do the deed again; then:",
                    command("git", "restore", "--staged", "--worktree", "game"),
                ),
            ) from error
    return Recorded(commit, outcome, kept)


def _committer(repository: Repository, head: Commit, hands: Sequence[str]) -> tuple[str, str] | None:
    """Whom a commit upon a head names as its committer, where this clone signs it; None: whose it is."""
    name = repository.signs_for(hands)
    if name is None:
        return None
    from nomicgit.record.signers import committer  # here: few clones sign

    return committer(repository, head.tree, name)


def _told_at(commit: Commit) -> int | None:
    """The time of a commit's deed; None where it is none, or only pretends to be one."""
    entry = journal.told(commit.message)
    return entry.deed.at if entry is not None and entry.deed.at == commit.author_time else None


def new_id(at: int) -> str:
    """A name for a deed that no other has."""
    return clock.text(at).replace("-", "").replace(":", "") + "-" + os.urandom(6).hex()


def overwritten(repository: Repository, base: Commit, changes: Mapping[str, bytes | None]) -> list[str]:
    """The files of a commit that a founding, or other settings, would write otherwise than they stand."""
    there = {path: repository.file(base.tree, path) for path in changes}
    return [path for path, data in there.items() if data is not None and data != changes[path]]
