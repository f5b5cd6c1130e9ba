"""What those do with a game whom its settings name: they restore it, and say its settings anew."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeAlias

from msgspec.structs import replace

from nomicgit.ground.problems import Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.state.context import Chance, Context, Seeded
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.store import NeedsKey
from nomicgit.record import journal
from nomicgit.record.game import Game, Recorded, new_id, overwritten
from nomicgit.record.outside import restoring, settling
from nomicgit.record.outside.settling import Settled
from nomicgit.record.signers import SIGNERS, Asked, listed_in, signers_in
from nomicgit.record.tree import SETTINGS

BY_THE_KEY = "no order can do this: give the same command in the clone in which the game's key lies"


Deciding: TypeAlias = Callable[[Position, Context, Deed, Chance], Outcome]


def restore(game: Game, by: Sequence[str], to: str, at: int) -> Recorded:
    """Put the ruleset back to that of an earlier commit, by those whom the settings name."""
    deed, restored = _restoring(game, by, to, at)
    with _no_order():
        return game.act(deed, decide=restored)


def restoring_would(game: Game, by: Sequence[str], to: str, at: int) -> Outcome:
    """What that would do; nothing is recorded."""
    deed, restored = _restoring(game, by, to, at)
    with _no_order():
        return game.tried(deed, restored)[0]


def _restoring(game: Game, by: Sequence[str], to: str, at: int) -> tuple[Deed, Deciding]:
    names = restoring.spelled(game.settings.restore, by, game.tree)
    restoring.allowed(game.settings.restore, names, game.tree.called)
    commit = game.repository.resolve(to)
    if commit is None:
        raise Refused.of(
            f"there is no commit {printable(to, 60)}", mend=remedy("see:", command("nomicgit", "log"))
        )
    ruleset = restoring.earlier_ruleset(game.repository, game.head.oid, commit)
    given = {"to": commit, "by": names}
    deed = Deed(new_id(at), names[0], Outside.RESTORE, given, max(at, game.last()))

    def restored(position: Position, context: Context, deed: Deed, chance: Chance) -> Outcome:
        return restoring.restore(position, context, deed, Seeded(b"", deed.id), ruleset)

    return deed, restored


def rehouse(game: Game, by: Sequence[str], forge: Mapping[str, object] | None, at: int) -> Recorded:
    """Say anew where the game lives on a forge (None: nowhere), by those whom the settings name."""
    return _settle(game, Outside.REHOUSE, by, {"forge": forge}, at)


def rehousing(game: Game, by: Sequence[str], forge: Mapping[str, object] | None, at: int) -> Outcome:
    """What that would do; nothing is recorded."""
    with _no_order():
        return _decided(game, _deed(game, Outside.REHOUSE, by, {"forge": forge}, at))[1].outcome


def under_physics(game: Game, by: Sequence[str], number: int, at: int) -> Recorded:
    """Play under another physics from now on, by those whom the settings name."""
    return _settle(game, Outside.NUMBER, by, {"to": number}, at)


def under_signatures(game: Game, by: Sequence[str], asked: str, at: int) -> Recorded:
    """Say anew whether deeds are signed, by those whom the settings name."""
    return _settle(game, Outside.SIGNED, by, {"to": asked}, at)


def under_approvals(game: Game, by: Sequence[str], many: int, at: int) -> Recorded:
    """Say anew how many admins together name a player's keys, by those whom the settings name."""
    return _settle(game, Outside.APPROVALS, by, {"to": many}, at)


def restored_by(
    game: Game, by: Sequence[str], names: Sequence[str], of: int, at: int, *, sure: bool = False
) -> Recorded:
    """Say anew who may restore the game, and how many of them together, by those who may now. Refused where that leaves nobody who
    can, unless somebody is ``sure``.
    """
    named = [game.tree.spelled(each) for each in names]
    keys = signers_in(game.repository, game.head.tree)
    why = "" if named else "then nobody may restore or mend this game, nor change its settings, for good"
    if named and game.settings.signed == Asked.REQUIRED and not any(map(keys.get, named)):
        why = f"deeds must be signed here, and no key is known of {printable(', '.join(named))}"
    if why and not sure:
        raise Refused.of(why, mend="if that is meant, say so: --yes")
    return _settle(game, Outside.RESTORERS, by, {"restore": {"by": named, "of": of} if named else None}, at)


def give_keys(
    game: Game,
    player: str,
    keys: Sequence[str],
    actor: str,
    by: Sequence[str],
    at: int,
    address: str | None = None,
) -> Recorded:
    """Say anew with which SSH keys a player signs: by those whom the settings name, or, where ``by`` is empty, by themselves or
    by an admin who approves that. ``address``: what stands in the commits that they sign ("": none, None: as before).
    """
    given = {"player": player, "keys": list(keys), **({} if address is None else {"address": address})}
    return _settle(game, Outside.SIGNERS, by, given, at, actor)


def _settle(
    game: Game,
    action: Outside,
    by: Sequence[str],
    given: Mapping[str, object],
    at: int,
    actor: str | None = None,
) -> Recorded:
    deed = _deed(game, action, by, given, at, actor)
    with _no_order():
        position, done = _decided(game, deed)
        changes = game.tree.changes(position, game.ruleset) | dict(done.files)
        text = journal.message(done.outcome, position.store, evidence={})
        return game.settled(changes, text, done.outcome)


def _deed(
    game: Game,
    action: Outside,
    by: Sequence[str],
    given: Mapping[str, object],
    at: int,
    actor: str | None = None,
) -> Deed:
    names = restoring.spelled(game.settings.restore, by, game.tree)
    if names or actor is None:
        restoring.allowed(game.settings.restore, names, game.tree.called)
    return Deed(
        new_id(at), names[0] if names else actor, action, {**given, "by": names}, max(at, game.last())
    )


@contextmanager
def _no_order() -> Iterator[None]:
    """Where what is done outside the law needs the game's key, nobody can hand it in as an order."""
    try:
        yield
    except NeedsKey as error:
        error.problems = tuple(replace(problem, mend=BY_THE_KEY) for problem in error.problems)
        raise


def _decided(game: Game, deed: Deed) -> tuple[Position, Settled]:
    """What such a deed does upon the game, looked at as far as nobody has yet, and the game after it."""
    game.look()
    position = game.position()
    done = settling.settle(position, deed, game.settings, listed_in(game.repository, game.head.tree))
    strange = [p for p in overwritten(game.repository, game.head, done.files) if p not in (SETTINGS, SIGNERS)]
    if strange and not game.settings.forge:
        raise Refused.of(
            "these files are in the way: " + ", ".join(strange),
            mend=remedy(
                "take them out first:",
                command("git", "rm", "--quiet", "--", *strange),
                command("git", "commit", "--message", "Take out what is in the way of the forms"),
            ),
        )
    return position, done
