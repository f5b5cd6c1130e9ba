"""What enactment would do: changes tried on a scratch copy of a game, as if they were enacted now.

Everything here runs in a worker, for nobody has enacted these mechanics yet; what comes back is plain data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from nomicgit.ground import deaths, purse, worker
from nomicgit.ground.problems import NomicError, Problem
from nomicgit.law.ruleset import Ruleset
from nomicgit.outlook import doings
from nomicgit.outlook.branches.meanwhile import Brought, meanwhile
from nomicgit.outlook.checks.arising import followed, found_and_tried, unsaid
from nomicgit.outlook.checks.authored import Authored
from nomicgit.outlook.checks.colliding import colliding
from nomicgit.outlook.checks.collisions import NOTHING, made
from nomicgit.outlook.checks.disclosing import SEALED, disclosed, of_changes
from nomicgit.outlook.checks.finding import Finding
from nomicgit.outlook.checks.looking_on import (
    Onlooker,
    Remarked,
    done_since,
    plain_programs,
    remarked_each,
    sights_of,
)
from nomicgit.outlook.checks.prospective import open_to_all, prospect
from nomicgit.outlook.checks.recalled import Recalled
from nomicgit.outlook.checks.rehearsed import LONG, failing, kept
from nomicgit.outlook.checks.sights import changed_values, seen
from nomicgit.outlook.checks.uncovered import Uncovered
from nomicgit.outlook.checks.very_deed import enacted
from nomicgit.outlook.checks.voted import NOT_ENACTED, Matter, take_out
from nomicgit.physics.deeds import amending, matters
from nomicgit.physics.state import reading
from nomicgit.physics.state.transaction import Transaction
from nomicgit.physics.words import blog

ALONE = "alone it would be made: a change before it stands in its way"
T = TypeVar("T")
MOST_ALONE = 8  # changes that are tried without those before them


def tried(world: Transaction, matter: Matter) -> dict[str, Any]:
    """What the changes of a matter do, tried in a worker. The world stays as it is.

    Keys: ``made`` ("" for each change that is made, else why not), ``remarks`` (lists of what may surprise about each, as problems),
    ``texts`` (all rule files after it), ``values``, ``actions``, ``views``, ``pending`` (what it collides with), ``scenarios``,
    ``notes``, ``chance`` (whether it draws), ``programs`` (what its changes run, each with what of what is secret it meets),
    ``posts`` (those that it makes: number, kind, by, title, text).
    """
    world = open_to_all(world)
    done: dict[str, Any] | None = worker.run(lambda: _tried(world.under(trusted=True), matter, _enacted))
    alone = (
        done
        if done is not None
        else worker.run(lambda: _tried(world.under(trusted=True), matter, _enacted_alone))
    )
    return {**alone, "pending": colliding(lambda work: _tried(world.under(trusted=True), matter, work))}


def pending_tried(
    world: Transaction, ref: str, by: str | None = None, recalled: Recalled | None = None
) -> dict[str, Any]:
    """The same of a matter that is pending. ``by``: the id of who asks, and would resolve it if they may; ``recalled``: what the clone
    remembers of trials.
    """
    world = open_to_all(world)

    def done(*, sights: bool) -> dict[str, Any]:
        enacted = worker.run(lambda: _enacted(world.under(trusted=True), ref, by, sights=sights))
        if enacted is not None:
            return dict(enacted)
        return dict(worker.run(lambda: _enacted_alone(world.under(trusted=True), ref, sights=sights)))

    try:
        alone = done(sights=True)
    except deaths.Late:
        if not purse.left_out("what opens, what closes, and what the views show"):
            raise
        alone = done(sights=False)
    return {**alone, "pending": colliding(lambda work: work(world.under(trusted=True), ref), recalled)}


def foretold(
    world: Transaction,
    ref: str,
    brought: Brought | None = None,
    *,
    by: str | None = None,
    whole: bool = False,
    beside: bool = False,
    recalled: Recalled | None = None,
) -> dict[str, Any]:
    """What would become of a pending matter's changes, were it enacted now, tried in a worker.

    ``brought`` is what its branch brings: what is wrong with a rule is told in the author's own file then. ``by``: the id of who
    asks, and would resolve it if they may.

    Keys: ``changes`` ({change, outcome, why, remarks, values, secret} each; the outcome is applied, nothing, skipped, or SEALED
    where nobody can say, ``values`` are those that it sets: {path, old, new} each, ``secret`` what of what is secret it
    meets), ``law`` (what the law would say beside, when everyone votes for it and it is resolved as soon as may be),
    ``gifts`` ({path, old, new, how}: what the law itself would change then), ``whole`` (what would be made, or gone) and
    ``lost`` (values that go), ``chance`` (whether that draws) and ``dice`` (what they gave, by rules), ``undone`` (why it
    would not be enacted, or ""), ``meanwhile`` (the rules that the game has changed too since its branch began, and how
    both meet), ``checks`` ({level, said} each: what ``check`` would newly find in the rules, looking and trying, errors
    first), ``scenarios`` (those that would fail), ``unrehearsed`` (how many there was no time for; none where the ``whole``
    is asked for), ``secrets`` (what it lets out or reads of what is secret); and what it collides with, ``pending``, where
    what is ``beside`` it is asked for. ``recalled``: what the clone remembers of trials.
    """
    world = open_to_all(world)
    fates: dict[str, Any] = worker.run(lambda: _foretold(world.under(trusted=True), ref, by))
    not_enacted = _not_enacted(
        world, ref, by
    )  # before all that is beside it: that shares what one answer may take
    if "changes" not in fates:
        fates |= worker.run(lambda: _foretold_alone(world.under(trusted=True), ref))
    whys, own = {fate["why"] for fate in fates["changes"]} - {""}, fates.pop("own")
    fates["law"] = [note for note in fates["law"] if not any(why in note for why in whys)]
    fates["gifts"] = [each for each in fates["gifts"] if each["path"] not in own]
    before, after = world.ruleset, Ruleset.read(fates.pop("texts"), old=world.ruleset)
    authored = Authored.of(brought, before, reading.get(world, ref, "changes"), after)
    reads: dict[str, Uncovered] = {}
    checks, follow = _newly(world, authored, after, fates["changes"], reads), followed(world, after)
    secrets = list(disclosed(world.law, world.physics.law(after), fates.pop("programs"), reads))
    secrets = [*of_changes(fates["changes"]), *secrets]
    for fate in fates["changes"]:
        del fate["program"]
    old, brings = kept(world), fates["scenarios"]
    tried_on = {name: text for name, text in brings.items() if after != before or old.get(name) != text}
    within = 0 if purse.spoilt() else None if whole else LONG
    with purse.apart():
        scenarios, left = failing(
            {} if not_enacted else tried_on,  # what follows from what will not be nobody needs to know
            old,
            before,
            after,
            world.physics,
            whole=all(fate["outcome"] == "applied" for fate in fates["changes"]),
            within=within,
        )
    unmade = [fate for fate in fates["changes"][1:] if fate["outcome"] not in ("applied", SEALED)]
    for fate in unmade[: 0 if purse.spoilt() else MOST_ALONE]:
        if _alone(world, ref, fate["change"]):
            fate["remarks"].append(Problem(ALONE).as_json())
    return _as_authored(fates, authored, checks) | {
        "law": list(map(authored.told, unsaid(fates["law"], [*checks, *follow]))), "undone": not_enacted,
        "meanwhile": list(meanwhile(brought, before, after)) if brought else [],
        "scenarios": authored.of_scenarios(scenarios), "unrehearsed": left, "secrets": secrets,
    } | ({"pending": colliding(lambda work: work(world.under(trusted=True), ref), recalled)} if beside else {})  # fmt: skip


def _not_enacted(world: Transaction, ref: str, by: str | None) -> str:
    """Why a pending matter would not be enacted; "" where it would, or where that takes too long to tell."""
    try:
        return prospect(world, ref, by=by).undone
    except deaths.Unlent:
        purse.left_out("whether the law could still be changed after it")
        return ""


def unsubmitted(world: Transaction, matter: Matter, brought: Brought | None = None) -> dict[str, Any]:
    """What would become of the changes of a matter that nobody has submitted: ``changes`` and ``checks`` as ``foretold`` has them."""
    done = tried(world, matter)
    after = Ruleset.read(done["texts"], old=world.ruleset)
    authored = Authored.of(brought, world.ruleset, matter.changes, after)
    fates = [
        _fate(number, Remarked(why, surprises, [], secret, program=False))
        for number, (why, surprises, secret) in enumerate(
            zip(done["made"], done["remarks"], done["secret"], strict=True), 1
        )
    ]
    return _as_authored({"changes": fates}, authored, _newly(world, authored, after, fates))


def _newly(
    world: Transaction,
    authored: Authored,
    after: Ruleset,
    fates: Iterable[Mapping[str, Any]],
    reads: dict[str, Uncovered] | None = None,
) -> list[Finding]:
    """What the checks newly find in a ruleset, in its author's own files; errors first. ``fates``: what becomes of each change.

    ``reads`` takes up what the new rules get at of what is secret.
    """
    if after == world.ruleset:
        return []
    skipped = any(fate["outcome"] == "skipped" for fate in fates)
    findings = map(
        authored.own, found_and_tried(world, authored.lines, authored.drawn if skipped else None, reads)
    )
    return sorted(findings, key=lambda each: each.level != "error")


def _as_authored(fates: Mapping[str, Any], authored: Authored, checks: Iterable[Finding]) -> dict[str, Any]:
    """What becomes of changes, and what the checks find, with the author's places."""
    changes = [
        {**fate, "why": authored.told(fate["why"]), "remarks": list(map(authored.remark, fate["remarks"]))}
        for fate in fates["changes"]
    ]
    return {**fates, "changes": changes, "checks": list(map(authored.of_check, checks))}


def _foretold(world: Transaction, ref: str, by: str | None) -> dict[str, Any]:
    """What becomes of changes in the very deed that enacts them, and what the law says and does beside; without ``changes`` where
    the law does not make them all.
    """
    seen_by, law = Onlooker(world, ref, sights=False), world.law
    done = enacted(world, ref, by, seen_by)
    if done is None:
        return {"law": [NOT_ENACTED], "chance": False, "gifts": [], "dice": []}
    done.world.parent_law = law
    beside = {
        "law": [note for note in done.notes if amending.IDLE not in note],
        "chance": bool(done.draws),
        "gifts": changed_values(done.world, done.before.log, ("post", "matter")),
        "dice": list(doings.thrown(done.draws, "")),
    }
    return beside | (_fates(seen_by.remarked, seen_by.done, seen_by.run) if seen_by.done else {})


def _foretold_alone(world: Transaction, ref: str) -> dict[str, Any]:
    """What becomes of changes where the law lets all of them be made."""
    run: dict[str, set[str]] = {}
    start = world.mark()
    remarked = list(remarked_each(world, ref, run))
    return _fates(remarked, done_since(world, start, ()), run)


def _fates(
    remarked: Sequence[Remarked], done: Mapping[str, Any], run: Mapping[str, Iterable[str]]
) -> dict[str, Any]:
    values = done["values"]
    return {
        "changes": [_fate(number, each) for number, each in enumerate(remarked, 1)],
        "whole": [each for each in values if each["how"] != "changed"],
        "lost": [each for each in values if each["how"] == "changed" and each["new"] is None],
        "own": [each["path"] for each in values],
        "texts": done["texts"],
        "scenarios": done["scenarios"],
        "programs": plain_programs(run),
    }


def _alone(world: Transaction, ref: str, number: int) -> bool:
    """Whether one change of a matter would be made without those before it; mechanics that end the worker are not."""
    try:
        return not worker.run(
            lambda: made(scratch := world.under(trusted=True), matters.changes(scratch, ref)[number - 1])
        )
    except NomicError:
        return False


def _fate(number: int, each: Remarked) -> dict[str, Any]:
    idle = each.why.startswith(f"{NOTHING}: ")
    sealed = each.why and each.secret  # it was tried where nothing secret is set
    outcome = SEALED if sealed else "nothing" if idle else "skipped" if each.why else "applied"
    return {
        "change": number,
        "outcome": outcome,
        "why": "" if sealed else each.why.removeprefix(f"{NOTHING}: "),
        "remarks": [] if sealed else each.surprises,
        "values": each.values,
        "secret": each.secret,
        "program": each.program,
    }


def _tried(world: Transaction, matter: Matter, ask: Callable[[Transaction, str], T]) -> T:
    """What is asked of a matter, once it is a post."""
    take_out(world, matter)
    ref = blog.say(
        world, matter.kind, matter.title, matter.body, tags=list(matter.tags), changes=list(matter.changes)
    )
    world.store.forget()
    world.position.now = world.now
    return ask(Transaction(world.position, world.context, world.chance, now=world.now), ref)


def _enacted(
    world: Transaction, ref: str, by: str | None = None, *, sights: bool = True
) -> dict[str, Any] | None:
    """What the changes of a matter do in the very deed that enacts it; None where the law does not make them all."""
    seen_by = Onlooker(world, ref, sights=sights)
    enacted(world, ref, by, seen_by)
    return _told(seen_by.remarked, seen_by.done, seen_by.run) if seen_by.done else None


def _enacted_alone(world: Transaction, ref: str, *, sights: bool = True) -> dict[str, Any]:
    """The same where the law lets all of them be made."""
    before = seen(world, ref) if sights else {}
    start, stood = world.mark(), {*reading.find(world, "posts")}
    run: dict[str, set[str]] = {}
    remarked = list(remarked_each(world, ref, run))
    done = done_since(world, start, stood)
    return _told(remarked, done | (sights_of(world, before, seen(world, ref)) if sights else {}), run)


def _told(
    remarked: Sequence[Remarked], done: Mapping[str, Any], run: Mapping[str, Iterable[str]]
) -> dict[str, Any]:
    apart = {f"posts.{post['number']}" for post in done["posts"]}
    return {
        **done,
        "values": [each for each in done["values"] if each["path"] not in apart],
        "made": [each.why for each in remarked], "remarks": [each.surprises for each in remarked],
        "secret": [each.secret for each in remarked], "programs": plain_programs(run),
    }  # fmt: skip
