"""Keeping: a game's secrets at one commit, where its key is at hand, and where it is not. Source: ``docs/secrets.md``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.git import Repository
from nomicgit.ground.problems import Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.deeds import founding
from nomicgit.physics.deeds.founding import Founding
from nomicgit.physics.numbers import physics_of
from nomicgit.physics.state.context import Context
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.store import Store
from nomicgit.record import journal
from nomicgit.record.secret import veil
from nomicgit.record.secret.by_turns import ByTurns
from nomicgit.record.secret.keyring import Term, fitting, salted, written
from nomicgit.record.secret.unlocked import OpenTree
from nomicgit.record.secret.vault import Hidden, Sheets, Vault
from nomicgit.record.settings import Settings
from nomicgit.record.tree import KEYS, GameTree, Made, founding_files
from nomicgit.sealing.canonical import reread
from nomicgit.sealing.ciphers import Tampered
from nomicgit.sealing.keys import Key, Part, Public, Sealer


class Keeper(NamedTuple):
    """Who keeps a game's secrets (a player's id, or None for the steward), and the key, as far as it is at hand."""

    who: str | None
    public: Public | None
    key: Key | None

    def term(self, deed: str) -> Term:
        """The first term of a game, which begins with a deed."""
        public = self.public
        if public is None:
            assert self.key is not None
            public = Public.of(self.key, deed)
        return Term(1, public, self.who, deed)


class Given(NamedTuple):
    """What stands sealed in a commit, for the parts whose keys are not at hand: sheets, the veil's parts, the signature."""

    sheets: Sheets | None
    parts: str
    mark: str


class Keeping(Struct, frozen=True):
    """How a game with keys is kept: its terms, and what opens the present one, where that is at hand."""

    terms: Sequence[Term]
    sealer: Sealer | None

    @classmethod
    def of(cls, terms: Sequence[Term], key: Key | None) -> Keeping:
        """With the key that somebody has; one of another term opens nothing."""
        return cls(terms, fitting(terms[-1], key, terms[0].since))

    @property
    def term(self) -> Term:
        """The present term."""
        return self.terms[-1]

    def tree(self, repository: Repository, tree: str) -> GameTree:
        """The files of the game in a tree, with what is secret where that can be opened."""
        if self.sealer is None:
            return GameTree(repository, tree)
        try:
            return OpenTree(repository, tree, Vault.open(repository, tree, self.sealer))
        except Tampered as error:
            mend = remedy(
                "somebody has pushed what the keeper has not sealed; this names the commit, and what mends it:",
                command("nomicgit", "verify"),
            )
            raise Refused.of(error.problems[0].what, mend=mend) from None

    @staticmethod
    def reread(deed: Deed) -> Deed:
        """A deed as replay has it, which reads what was given from what was sealed."""
        return replace(deed, given=reread(deed.given))

    @staticmethod
    def rereading(
        read: Callable[[str, bool], dict[str, Any] | None],
    ) -> Callable[[str, bool], dict[str, Any] | None]:
        """A way to read earlier deeds, of which replay reads what is told of them from what was sealed."""
        return lambda name, whole: reread(read(name, whole))

    def chance(self, deed: str, store: Store, shown: Sequence[bytes] | None = None) -> ByTurns:
        """Chance that hangs on the key; without it on the seeds that the record shows (None: it cannot be drawn)."""
        sealer, seeds = self.sealer, iter(shown or ())

        def of_key(turn: str, secret: bool) -> bytes:
            assert sealer is not None
            return self.term.seed(sealer, turn)

        def of_record(turn: str, secret: bool) -> bytes:
            return next(seeds, None) or _undrawn(store)

        return ByTurns(of_record if sealer is None else of_key, deed)

    def made(
        self,
        tree: GameTree,
        position: Position,
        before: Ruleset,
        outcome: Outcome,
        parent: str,
        seeds: Sequence[bytes],
        evidence: Mapping[str, object],
        given: Given | None = None,
    ) -> Made:
        """A deed as it is recorded upon a parent. ``given``: what stands sealed in its commit, where it is replayed."""
        files, store = dict(tree.changes(position, before)), position.store
        if not outcome.sealed and not seeds:
            files |= self._salted(outcome.deed, tree)
        if not isinstance(tree, OpenTree):
            text = journal.message(outcome, store, seeds=seeds, evidence=evidence)
            mark = veil.marked(given.mark) if seeds and given else ""
            return Made(files, lambda _: text + mark, tree.after)
        sealer, vault = tree.vault.sealer, tree.vault
        if outcome.sealed:
            vault = vault.after(
                outcome.deed.id, tree.secrets(position, before), given.sheets if given else None
            )
            files |= vault.sheets.files()
            text = veil.message(
                outcome, store, sealer, seeds=seeds, evidence=evidence, given=given.parts if given else ""
            )
        else:
            text = journal.message(outcome, store, seeds=seeds, evidence=evidence)
        signs = outcome.sealed or bool(seeds)
        return Made(
            files,
            lambda made: (
                veil.signed(text, sealer, made, parent, given.mark if given else "") if signs else text
            ),
            lambda made: tree.following(made, vault),
        )

    def _salted(self, deed: Deed, before: GameTree) -> Mapping[str, bytes]:
        """The file of keys, where an open deed is the salt of the term's dice."""
        terms = salted(self.terms, deed, before)
        return {} if terms is self.terms else {KEYS: written(terms)}


def _undrawn(store: Store) -> NoReturn:
    store.need("how a die falls")


def founded(
    repository: Repository,
    ruleset: Ruleset,
    settings: Settings,
    start: Founding,
    deed: Deed,
    parent: str,
    keeper: Keeper,
    given: Given | None = None,
    *,
    again: bool = False,
) -> Made:
    """The founding of a game with keys as it is recorded: the first term begins, and all that is secret is sealed. ``again``: in
    replay, where no time decides anything.
    """
    term = keeper.term(deed.id)
    keeping = Keeping.of([term], keeper.key)
    sealer = keeping.sealer
    assert sealer is not None, "only whoever has the key founds such a game, or replays that"
    nothing: Hidden = {part: {} for part in Part}
    vault = Vault.begun(sealer, deed.id, nothing, given.sheets if given else None)
    tree = OpenTree(repository, "", vault).new()
    chance = ByTurns(lambda turn, _: term.seed(sealer, turn), deed.id)
    context = Context(secrets=True, keys=True, trusted=again)
    world = founding.found(ruleset, start, chance, context, physics_of(settings.physics))
    files = founding_files(tree, world.position, settings) | {KEYS: written([term])}
    hidden = {
        part: {
            ref: parts[part] for ref, parts in tree.secrets(world.position, ruleset).items() if parts[part]
        }
        for part in Part
    }
    vault = Vault.begun(sealer, deed.id, hidden, given.sheets if given else None)
    outcome = Outcome(deed, None, world.notes, world.messages, world.draws, [], [], sealed=True)
    text = veil.message(
        outcome, world.store, sealer, seeds=chance.seeds, evidence={}, given=given.parts if given else ""
    )
    return Made(
        files | vault.sheets.files(),
        lambda made: veil.signed(text, sealer, made, parent, given.mark if given else ""),
        lambda made: OpenTree(repository, made, vault),
    )
