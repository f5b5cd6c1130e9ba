"""What the deed of a commit makes, made anew upon the game that the deeds before it have led to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from nomicgit.git import Commit, Repository
from nomicgit.ground.problems import Refused
from nomicgit.law.outside import Outside
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.deeds.claiming import Claim
from nomicgit.physics.numbers import physics_of
from nomicgit.physics.state.context import Chance, Context, Seeded
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.store import Store
from nomicgit.record import journal
from nomicgit.record.founding import founded, founding_of, given_of
from nomicgit.record.history import RecordedHistory
from nomicgit.record.journal import carried
from nomicgit.record.outside import mending, restoring
from nomicgit.record.outside.settling import SETTLING, settle
from nomicgit.record.settings import Settings
from nomicgit.record.signers import listed_in
from nomicgit.record.tree import GAME, KEYS, GameTree
from nomicgit.replay.doubts import doubt

if TYPE_CHECKING:
    from nomicgit.record.secret.custody import Given, Keeper, Keeping
    from nomicgit.sealing.keys import Key


class Remade(NamedTuple):
    """What a deed makes: the tree of its commit, its outcome, and its message."""

    tree: str
    outcome: Outcome
    message: str


class Remaking:
    """The position that the deeds so far have led to, and what the next one makes of it."""

    def __init__(
        self,
        repository: Repository,
        commits: Sequence[Commit],
        keys: Sequence[Key] = (),
    ) -> None:
        self.repository, self.commits, self.keys = repository, commits, keys
        self.position: Position | None = None
        self.tree: GameTree | None = None
        self.at = 0
        self.clock: dict[str, int] = {}  # the time of the last deed at each commit
        self.keeping: Keeping | None = None
        self.keys_at: tuple[str, str] | None = None

    def _settings(self, commit: Commit) -> Settings:
        return GameTree(self.repository, commit.tree).settings

    def _keeping(self, commit: Commit) -> Keeping | None:
        """How the game at a commit keeps its secrets, with the keys at hand; None where it has none."""
        entry = self.repository.entry(commit.tree, KEYS)
        if entry is None:
            return None
        if self.keeping is None or self.keys_at != entry:
            from nomicgit.record.secret.custody import Keeping  # here, as above
            from nomicgit.record.secret.keyring import terms_at

            terms = terms_at(self.repository, commit.tree)
            own = next((key for key in self.keys if terms[-1].fits(key)), None)
            self.keeping, self.keys_at = Keeping.of(terms, own), entry
        return self.keeping

    def _made(self, entry: journal.Entry, commit: Commit, before: Commit | None, doubts: list[str]) -> Remade:
        """What a deed makes; the position is then the one that it leads to."""
        match entry.deed.action:
            case Outside.FOUND:
                return self._founded(entry, commit)
            case Outside.MEND:
                return self._mended(entry, commit)
            case Outside.TERM | Outside.OPEN:
                return self._turned(entry, commit, before)
        return self._done(entry, commit, before, doubts)

    def _founded(self, entry: journal.Entry, commit: Commit) -> Remade:
        tree, start = GameTree(self.repository, commit.tree), founding_of(entry.deed)
        deed = replace(entry.deed, given=given_of(start))
        settings, parent = self._settings(commit), (commit.parents or ("",))[0]
        made = founded(
            self.repository,
            tree.ruleset(),
            settings,
            start,
            deed,
            parent,
            entry.seeds,
            self._keeper(),
            self._given(entry, commit),
            again=True,
        )
        there = (path for path, _ in self.repository.walk(commit.tree, GAME.rstrip("/")))
        strange: dict[str, bytes | None] = {path: None for path in there if path not in made.files}
        wanted = self.repository.tree_id(commit.tree, strange | dict(made.files))
        self._load(commit)
        return Remade(wanted, Outcome(deed, None, [], [], [], [], []), made.message(wanted))

    def _keeper(self) -> Keeper | None:
        """Who keeps the game that is being founded, with the key at hand."""
        if self.keeping is None:
            return None
        from nomicgit.record.secret.custody import Keeper  # here: most games have no keys

        sealer, term = self.keeping.sealer, self.keeping.term
        return Keeper(term.keeper, term.public, sealer.key if sealer else None)

    def _given(self, entry: journal.Entry, commit: Commit) -> Given | None:
        """What of a commit's sealed parts is taken as it stands, since the key to it is not at hand."""
        if self.keeping is None:
            return None
        from nomicgit.record.secret import unsealed  # here, as above

        return unsealed.given_of(self.repository, entry, commit, self.keeping.sealer)

    def _mended(self, entry: journal.Entry, commit: Commit) -> Remade:
        """What a mend makes; whether what it goes back to is lawful is seen when all is replayed."""
        until = self.commits[: self.commits.index(commit)]
        mended = mending.mend(self.repository, until, entry.deed, write=False)
        self._load(commit)
        assert self.position is not None
        text = journal.message(mended.outcome, self.position.store, evidence={})
        return Remade(mended.tree, mended.outcome, text)

    def _turned(self, entry: journal.Entry, commit: Commit, before: Commit | None) -> Remade:
        """What a deed makes by which a term begins, or its key is opened."""
        from nomicgit.record.secret import turning  # here: most games have no keys

        assert before is not None
        if self.keeping is None:
            raise Refused.of("this game keeps no secrets")
        made, outcome = turning.turned(self.repository, before, commit, entry, self.keys)
        self._load(commit)
        tree = self.repository.tree_id(before.tree, dict(made.files))
        return Remade(tree, outcome, made.message(tree))

    def _load(self, commit: Commit) -> None:
        physics = physics_of(self._settings(commit).physics)
        self.keeping = self._keeping(commit)
        closed = self.keeping is not None and self.keeping.sealer is None
        self.tree = (
            GameTree(self.repository, commit.tree)
            if self.keeping is None
            else self.keeping.tree(self.repository, commit.tree)
        )
        now = self.clock.get(commit.oid, self.at)  # of its deed, and not of the one that follows it
        self.position = Position(Store(self.tree, closed=closed), self.tree.ruleset(), physics, now=now)

    def _done(self, entry: journal.Entry, commit: Commit, before: Commit | None, doubts: list[str]) -> Remade:
        assert before is not None
        if self.position is None:
            self._load(before)
        position, tree = self.position, self.tree
        assert position is not None
        assert tree is not None
        given = journal.lengthened(entry.deed.given, Store(GameTree(self.repository, commit.tree)))
        deed = replace(entry.deed, given=given)
        deeds: Mapping[str, dict[str, Any]] = entry.evidence.get("deeds", {})
        history = RecordedHistory(lambda name, _: deeds.get(name))
        claims: dict[str, Sequence[str]] = {claim: entry.evidence.get(claim, []) for claim in Claim}
        keeping = self.keeping
        has_keys = keeping is not None
        context = Context(
            history,
            secrets=has_keys,
            keys=has_keys,
            claims=claims,
            again=lambda *claimed: doubts.extend(filter(None, [doubt(*claimed)])),
        )
        law, moved = position.ruleset, dict[str, bytes | None]()
        drawn: Sequence[bytes] = ()
        if deed.action == Outside.RESTORE:
            lone = Seeded(b"", deed.id)
            outcome = restoring.restore(position, context, deed, lone, self._restored(deed, before))
        elif deed.action in SETTLING:
            settings = self._settings(before)
            done = settle(position, deed, settings, listed_in(self.repository, before.tree))
            moved, outcome = dict(done.files), done.outcome
        else:
            chance: Chance = Seeded((entry.seeds or [b""])[0], deed.id)
            if keeping is not None:
                chance = keeping.chance(deed.id, position.store, entry.seeds)
            if deed.nonce is None:
                if deed.proof is not None:
                    from nomicgit.record import proven  # here: few deeds are signed before they come in

                    of = journal.deed_id(self.commits[0].message)
                    proven.refuse_unproven(self.repository, before.tree, of, deed)
                outcome = position.decide(context, deed, chance)
            else:
                from nomicgit.record.secret import ordering, proved  # here: most games have no keys

                assert keeping is not None
                proved.refuse_unproved(self.repository, before.tree, keeping.terms[0].since, deed)
                outcome = ordering.decided(position, context, deed, chance)
            drawn = chance.seeds
        evidence = carried(history.used, outcome)
        if keeping is None:
            changes = tree.changes(position, law) | moved
            text = journal.message(outcome, position.store, seeds=drawn, evidence=evidence)
            return Remade(self.repository.tree_id(before.tree, changes), outcome, text)
        there = self._given(entry, commit)
        made = keeping.made(tree, position, law, outcome, before.oid, drawn, evidence, there)
        wanted = self.repository.tree_id(before.tree, dict(made.files) | moved)
        self.tree = position.store.source = made.following(wanted)
        return Remade(wanted, outcome, made.message(wanted))

    def _restored(self, deed: Deed, before: Commit) -> Ruleset:
        """The ruleset that a restoring brings back; refused where those who do it may not."""
        restoring.allowed(self._settings(before).restore, deed.given["by"])
        return restoring.earlier_ruleset(self.repository, before.oid, deed.given["to"])
