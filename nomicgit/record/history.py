"""What earlier deeds of a recorded game were, and what they have done: read from their commits when somebody asks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import field

from nomicgit.git import Commit, Repository
from nomicgit.ground import clock
from nomicgit.ground.problems import NomicError
from nomicgit.law.outside import Outside
from nomicgit.physics.deeds import pipeline
from nomicgit.physics.deeds.claiming import Claim
from nomicgit.physics.state.context import Chance, Context, History, Seeded
from nomicgit.physics.state.effects import Effect, State, differences
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.store import Store
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record import journal
from nomicgit.record.tree import POSTS, SCENARIOS, GameTree, ref_of

if TYPE_CHECKING:
    from nomicgit.sealing.keys import Key


class RecordedHistory(History, frozen=True):
    """The deeds that stand before a commit. ``read`` gives one by its id, as everybody sees it or whole: from the record, or in
    replay from the evidence.
    """

    read: Callable[[str, bool], dict[str, Any] | None]
    used: dict[str, dict[str, Any]] = field(default_factory=dict)

    def deed(self, name: str) -> Mapping[str, object] | None:
        """``{actor, action, with, at}`` of an earlier deed, as everybody sees it."""
        earlier = self._look(name)
        return earlier["deed"] if earlier else None

    def sealed(self, name: str) -> bool:
        """Whether more stands behind an earlier deed than everybody sees."""
        earlier = self._look(name)
        return earlier is not None and "sealed" in earlier

    def effects(self, name: str) -> Sequence[Mapping[str, object]] | None:
        """The net effects of an earlier deed on the gamestate, the secret ones too."""
        earlier = self._look(name)
        if earlier is None:
            return None
        if "sealed" in earlier:
            earlier = self.used[name] = self.read(name, True) or earlier
        effects: Sequence[Mapping[str, Any]] = earlier["effects"]
        return effects

    def mark(self) -> Callable[[], None]:
        """What takes back that anybody has asked from now on: nothing hangs on it."""
        used = dict(self.used)

        def back() -> None:
            self.used.clear()
            self.used.update(used)

        return back

    def _look(self, name: str) -> dict[str, Any] | None:
        if name not in self.used:
            known = self.read(name, False)
            if known is None:
                return None
            self.used[name] = known
        return self.used[name]


def earlier(
    repository: Repository, tip: str, key: Key | None, name: str, whole: bool
) -> dict[str, object] | None:
    """The deed of an id that stands before a commit, or in it, as everybody sees it, or with the key ``whole``; None where
    there is none.
    """
    commits = journal.standing(repository.log(tip))
    named = (commit for commit in commits if f"Nomic-Id: {name}\n" in commit.message)
    deeds = (c for c in named if (entry := journal.told(c.message)) and entry.deed.id == name)
    return next((told_of(repository, commit, key if whole else None) for commit in deeds), None)


def told_of(repository: Repository, commit: Commit, key: Key | None = None) -> dict[str, object]:
    """A deed of the record as the law and the evidence of later deeds tell it: ``{deed, effects}``, and ``sealed`` where more
    stands behind it than that. With the key of its term: with what is secret of its effects.
    """
    entry = journal.parse(commit.message, commit.oid)
    deed = entry.deed
    facts = {
        "actor": f"players/{deed.actor}" if deed.actor else None,
        "action": f"actions/{deed.action}",
        "with": dict(deed.given),
        "at": clock.text(deed.at),
    }
    if not entry.sealed:
        return {"deed": facts, "effects": list(_done_by(repository, commit, entry))}
    opened = _opened(repository, commit, key) if key is not None else None
    effects = effects_of(repository, commit) if opened is None else opened
    return {"deed": facts, "effects": list(effects), "sealed": True}


def _opened(repository: Repository, commit: Commit, key: Key) -> Sequence[Effect] | None:
    """What a sealed deed has changed, with what is secret of it; None where the key does not open it."""
    from nomicgit.record.secret.custody import Keeping  # here: most games have no keys
    from nomicgit.record.secret.keyring import terms_at
    from nomicgit.record.secret.unlocked import OpenTree

    states = []
    for tree in (repository.commit(parent).tree for parent in commit.parents[:1]):
        keeping = Keeping.of(terms_at(repository, tree), key)
        if keeping.sealer is None:
            return None
        states = [keeping.tree(repository, each) for each in (tree, commit.tree)]
    if not states:
        return None
    before, after = states
    assert isinstance(before, OpenTree)
    assert isinstance(after, OpenTree)
    paths = repository.changed(before.tree, after.tree)
    refs = {*filter(None, (_ref(path) for path, _, _ in paths)), *after.vault.changed_since(before.vault)}
    was = State(before, before.ruleset())
    return differences(was, State(after, after.ruleset(was.ruleset)), refs)


def _done_by(repository: Repository, commit: Commit, entry: journal.Entry) -> Sequence[Effect]:
    """What a deed itself has done: what fell due by the clock first, in the same commit, is not its own."""
    if not commit.parents or entry.deed.action == Outside.FOUND:
        return []
    if entry.deed.action in set(Outside):
        return _since(repository, _at_first(repository, commit), commit)
    world = _begun(repository, commit, entry).world
    return _since(repository, State(world.store, world.ruleset), commit, world.store.touched())


class Begun(NamedTuple):
    """The game as everybody sees it when a deed began, and the lines of the journal that tell of what the clock did first."""

    world: Transaction
    said: Sequence[str]


def clocked(repository: Repository, commit: Commit, entry: journal.Entry) -> Begun | None:
    """The game as what fell due by the clock left it, before the deed in whose commit it is recorded; None where nothing did, and
    where nobody can tell it apart: of what is sealed, and of what does not replay.
    """
    if not commit.parents or entry.sealed or entry.deed.action in set(Outside):
        return None
    trees = (repository.commit(commit.parents[0]).tree, commit.tree)
    clocks = [(GameTree(repository, tree).entity("open") or {}).get("clocks") for tree in trees]
    try:
        return _begun(repository, commit, entry) if ticked(*clocks) else None
    except NomicError:  # a commit that is no deed of the law's is named as such
        return None


def ticked(before: object, after: object) -> bool:
    """Whether something may have fallen due between two states of the clocks: one stands elsewhere, or is gone.

    One that a new rule brings begins with the deed that makes the rule; those of single entities are named behind their
    schedule, and come when they first fall due.
    """
    were, are = (dict(each) if isinstance(each, Mapping) else {} for each in (before, after))
    begun = {name for name in are if name not in were and " " not in str(name)}
    return were != {name: at for name, at in are.items() if name not in begun}


def parts(
    repository: Repository, commit: Commit, entry: journal.Entry
) -> tuple[Sequence[Effect], Sequence[Effect]]:
    """What the clock changed first in a deed's commit, as far as that can be told apart, and what the deed did."""
    came = clocked(repository, commit, entry)
    if came is None:
        return [], effects_of(repository, commit)
    between, touched = State(came.world.store, came.world.ruleset), came.world.store.touched()
    return first(repository, commit, came), _since(repository, between, commit, touched)


def first(repository: Repository, commit: Commit, came: Begun) -> Sequence[Effect]:
    """What the clock changed first in a deed's commit."""
    between = State(came.world.store, came.world.ruleset)
    return differences(_at_first(repository, commit), between, came.world.store.touched())


def _begun(repository: Repository, commit: Commit, entry: journal.Entry) -> Begun:
    """The game when a deed of the law's began of which nothing is sealed: what fell due by then has happened, as is recorded."""
    parent = repository.commit(commit.parents[0])
    tree = GameTree(repository, parent.tree)
    position = Position(
        Store(tree, closed=tree.has_keys), tree.ruleset(), tree.physics, now=_last(repository, parent)
    )
    claims: dict[str, Sequence[str]] = {claim: entry.evidence.get(claim, []) for claim in Claim}
    evidence: Mapping[str, dict[str, Any]] = entry.evidence.get("deeds", {})
    looked = RecordedHistory(lambda name, _: evidence.get(name))
    context = Context(looked, secrets=tree.has_keys, keys=tree.has_keys, claims=claims)
    seeds = iter(entry.seeds)
    chance: Chance
    if tree.has_keys:
        from nomicgit.record.secret.by_turns import ByTurns  # here: most games have no keys

        chance = ByTurns(lambda *_: next(seeds), entry.deed.id)
    else:
        chance = Seeded(next(seeds, b""), entry.deed.id)
    world = Transaction(position, context, chance)
    failed = pipeline.come(world, entry.deed)
    return Begun(world, [*failed, *world.notes])


def _since(
    repository: Repository, before: State, commit: Commit, touched: Iterable[str] = ()
) -> list[Effect]:
    """What differs between a state and the game at a commit, whose parent's files are those of the state but for some."""
    made = GameTree(repository, commit.tree)
    paths = repository.changed(repository.commit(commit.parents[0]).tree, commit.tree)
    refs = {*touched, *filter(None, (_ref(path) for path, _, _ in paths))}
    return differences(before, State(made, made.ruleset(before.ruleset)), refs)


def _ref(path: str) -> str | None:
    """The entity of whose files one lies at a path."""
    name = path.rpartition("/")[2]
    return post_of(path) or (
        f"scenarios/{name.removesuffix('.yml')}" if path.startswith(SCENARIOS) else ref_of(path)
    )


def post_of(path: str) -> str | None:
    """The post of whose files one lies at a path; None where it is of none."""
    number = path.rpartition("/")[2].partition("-")[0]
    return f"posts/{int(number)}" if path.startswith(POSTS) and number.isdecimal() else None


def _last(repository: Repository, commit: Commit) -> int:
    """The time of the last deed up to a commit."""
    before = (journal.told(each.message) for each in repository.log(commit.oid))
    return next((entry.deed.at for entry in before if entry is not None), 0)


def effects_of(repository: Repository, commit: Commit) -> Sequence[Effect]:
    """What a commit has changed, the clock's part too."""
    return _since(repository, _at_first(repository, commit), commit) if commit.parents else []


def _at_first(repository: Repository, commit: Commit) -> State:
    """The game before a commit."""
    tree = GameTree(repository, repository.commit(commit.parents[0]).tree)
    return State(tree, tree.ruleset())
