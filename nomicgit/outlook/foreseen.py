"""What would become of the changes of a pending matter, were it enacted now: told to whoever submits or reads it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from nomicgit.ground.problems import NomicError, foreseeing
from nomicgit.ground.wording import in_words
from nomicgit.outlook import meant
from nomicgit.outlook.broken_scenarios import of_scenario
from nomicgit.outlook.doings import BY_CHANCE, as_done
from nomicgit.physics.deed import Deed
from nomicgit.physics.state.store import SINGLE
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game

if TYPE_CHECKING:
    from nomicgit.outlook.checks.recalled import Recalled

HOUR = 3600
MUCH = 3  # seconds of processor time for an answer, from which on a clone remembers it
MOST = 20  # findings of the checks, the errors first
Foreseen = Mapping[str, Any]
NO_CHANGES = "nothing of the rules would change, for it brings no changes"
_NONE: Foreseen = {
    "changes": [], "law": [], "gifts": [], "whole": [], "lost": [],
    "dice": [], "chance": False, "undone": "", "meanwhile": [], "checks": [], "scenarios": [],
    "unrehearsed": 0, "secrets": [], "untried": [],
}  # fmt: skip


def foreseen(
    game: Game,
    world: Transaction,
    ref: str,
    *,
    by: str | None = None,
    whole: bool = False,
    beside: bool = False,
) -> Foreseen:
    """What would become of the changes of a matter: ``{post, changes, law, undone, meanwhile, checks, scenarios,
    unrehearsed, secrets, untried}``, tried in workers that share what one answer may take; the clone remembers it where that was
    much. ``untried`` says what there was no time for. ``by``: the id of who asks, and would resolve it if they may;
    ``whole``: however long its scenarios take; ``beside``: with the ``pending`` matters
    that it collides with."""
    from nomicgit.outlook.branches.meanwhile import brought_by
    from nomicgit.outlook.checks import (  # here: every deed may be asked for this, few submit changes
        ANY_LAW,
        for_the_keeper,
        foretold,
    )

    try:
        with foreseeing("try them"):
            brings = brought_by(game.repository, world, ref)

            def tried() -> dict[str, Any]:
                return foretold(
                    world, ref, brings, by=by, whole=whole, beside=beside, recalled=recalled(game)
                )

            how = f"{ref} {by} {whole} {beside} {brings is not None}"
            fates = remembered(game, f"foretold {how}", world, tried)
    except NomicError as error:
        why = f"its changes cannot be tried: {error.problems[0].sentence}"
        fates = {**_NONE, "law": [why]}
    keepers = for_the_keeper(world, ref) if game.is_keyless() else ""
    if keepers == ANY_LAW and not whole:  # it is so of every matter, and not told with each
        keepers = ""
    tags = list(meant.of_tags(world, ref)) if fates["changes"] else []
    return {
        "post": int(ref.partition("/")[2]),
        **fates,
        "law": [*fates["law"], *filter(None, [keepers]), *tags],
    }


def recalled(game: Game) -> Recalled:
    """What the clone remembers of trials of pending matters, as the game stands."""
    from nomicgit.outlook.checks.recalled import Recalled  # here, as above

    return Recalled(game.repository.git_dir, game.head.oid)


def remembered(
    game: Game, name: str, world: Transaction, tried: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """What is tried, with what was ``untried`` in it for want of time. Where that took long, the clone remembers it for the hour, as long
    as the game stands as it does: nobody waits for the same answer twice.
    """
    from nomicgit.ground import purse  # here, as above

    name = f"{name} {world.store.closed} within {world.now // HOUR}"
    if (known := recalled(game).get(name)) is not None:
        return dict(known)
    with purse.shared() as shared:
        before, paid = len(shared.untried), shared.paid
        done = tried()
        done["untried"] = list(dict.fromkeys(shared.untried[before:]))
    if shared.paid - paid > MUCH:
        recalled(game).put(name, done)
    return done


def of_refused(game: Game, kind: str, deed: Deed, formless: Collection[int]) -> Iterator[str]:
    """What people need to know of the changes of a matter that was refused, and so is none, tried in a worker.

    ``formless``: the numbers of those that are none, and are left out.
    """
    from nomicgit.outlook.branches.meanwhile import brought
    from nomicgit.outlook.checks.enactment import unsubmitted  # here: few deeds are refused
    from nomicgit.outlook.checks.voted import Matter

    given, own = deed.given, brought(game.repository, deed.branch) if deed.branch else None
    title, body = (str(given.get(name, "")) for name in ("title", "body"))
    formed = {n: change for n, change in enumerate(given["changes"], 1) if n not in formless}
    if not formed:
        return
    try:
        with foreseeing("try them"):
            matter = Matter(title, body, (), list(formed.values()), kind)
            fates = unsubmitted(game.looked_at(deed.at), matter, own)
        numbered = zip(formed, fates["changes"], strict=True)
        fates = {**fates, "changes": [{**fate, "change": number} for number, fate in numbered]}
    except NomicError as error:
        fates = {"law": [f"its changes cannot be tried: {error.problems[0].sentence}"]}
    yield from lines({**_NONE, **fates})


def of_none(ref: str) -> Foreseen:
    """The same of a matter without any changes: it may be meant so, and may have been forgotten."""
    return {"post": int(ref.partition("/")[2]), **_NONE, "law": [NO_CHANGES]}


def enacted_now(fates: Foreseen) -> str:
    """What stands before a line of what the law would say at its enactment."""
    return f"if it were enacted now ({BY_CHANCE})" if fates["chance"] else "if it were enacted now"


def _now(fates: Foreseen) -> str:
    """The same where dice are told beside it, with the same words."""
    return "if it were enacted now" if fates["dice"] else enacted_now(fates)


def lines(fates: Foreseen) -> Iterator[str]:
    """What people need to know of it: nothing of what its changes say in so many words."""
    said = {"skipped": "would be skipped", "nothing": "would have nothing to do"}
    if fates["untried"]:
        yield f"not tried: {', '.join(fates['untried'])}; that takes too long"
    for each in fates["changes"]:
        if each["outcome"] in said:
            yield f"change {each['change']} {said[each['outcome']]} if it were enacted now: {each['why']}"
        yield from (f"change {each['change']}: {remark}" for remark in each["remarks"])
    yield from (f"{_now(fates)}: {note}" for note in fates["law"])
    yield from of_values(fates)
    yield from fates["secrets"]
    yield from filter(None, [fates["undone"]])
    yield from fates["meanwhile"]
    yield from _collisions(fates)
    yield from of_checks(fates)
    again = "post" in fates and not fates["untried"]
    yield from of_scenarios(fates, f"nomicgit try {fates['post']}" if again else "")


def of_values(fates: Foreseen) -> Iterator[str]:
    """What would come into being and what would go, and what the law itself would change beside."""
    come_and_gone = [line for each in fates["whole"] for line in as_done(each)]
    if come_and_gone:
        yield f"{_now(fates)}, {_few(come_and_gone)}"
    yield from _lost(fates)
    yield from _gifts(fates)


def _few(some: Sequence[str]) -> str:
    """The first of what is told, and how much more there is."""
    more = [f"and {len(some) - MOST} more (all of them: --json)"] if len(some) > MOST else []
    return "; ".join([*some[:MOST], *more])


def _lost(fates: Foreseen) -> Iterator[str]:
    """The values that would go, those of one field together."""
    fields: dict[str, list[Mapping[str, Any]]] = {}
    for each in fates["lost"]:
        kind, _, rest = each["path"].partition(".")
        fields.setdefault(
            each["path"] if kind in SINGLE else f"{kind}.*.{rest.partition('.')[2]}", []
        ).append(each)
    gone = [
        f"{some[0]['path']} ({in_words(some[0]['old'])})"
        if len(some) == 1
        else f"{field} ({len(some)} of them)"
        for field, some in fields.items()
    ]
    if gone:
        yield f"{_now(fates)}, these values would go: {_few(gone)}"


def _gifts(fates: Foreseen) -> Iterator[str]:
    """What the law itself would change, and by which dice, when it is enacted."""
    given = [line for each in fates["gifts"] for line in as_done(each)]
    if fates["dice"]:
        yield f"{_now(fates)}, it would throw {', '.join(fates['dice'])} ({BY_CHANCE})"
    if given:
        yield f"{_now(fates)}, the law itself would also change {_few(given)}"


def _collisions(fates: Foreseen) -> Iterator[str]:
    if rows := fates.get("pending"):
        from nomicgit.outlook.checks.collisions import told_of  # here: few deeds submit changes

        for each in rows:
            yield from told_of(each)


def of_checks(fates: Foreseen) -> Iterator[str]:
    """What ``check`` would find in the rules, each with its level."""
    levels = {"error": "an error", "warning": "a warning"}
    some = [f"check would find {levels[each['level']]}: {each['said']}" for each in fates["checks"]]
    yield from some[:MOST]
    if len(some) > MOST:
        yield f"check would find {len(some) - MOST} more (all of them: --json)"


def of_scenarios(fates: Mapping[str, Any], command: str) -> Iterator[str]:
    """The scenarios that fail, and how many nobody knows of; ``command`` takes the time for all."""
    yield from map(of_scenario, fates["scenarios"])
    if left := fates["unrehearsed"]:
        which = "one scenario was" if left == 1 else f"{left} scenarios were"
        yield f"{which} not rehearsed, which takes long" + (f": {command} takes the time" if command else "")
