"""Deeds: carrying an action out for whoever sits at the game, and saying in a few lines what happened."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from nomicgit.cli.face import loaded
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean, from_source, inline
from nomicgit.ground import clock
from nomicgit.ground.problems import NomicError, Refused, printable
from nomicgit.ground.wording import in_words
from nomicgit.law.ruleset import Ruleset
from nomicgit.outlook import doings
from nomicgit.physics.deed import NOT_HAPPENED, Deed, Outcome, folded
from nomicgit.physics.state.store import PROGRAMS, kind_of
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.forms import entered
from nomicgit.record.game import Game, new_id
from nomicgit.record.seen.strays import has_strays, refuse_elsewhere, replayed
from nomicgit.record.tree import GameTree

if TYPE_CHECKING:
    from nomicgit.outlook.branches import Expressed
    from nomicgit.outlook.foreseen import Foreseen

MOST = 24  # lines of what a deed made and changed


class _Done(NamedTuple):
    """What came of a deed: its outcome, its commit (None: it was only tried), and the game after it."""

    outcome: Outcome
    commit: str | None
    kept: Sequence[str]
    after: Callable[[], Transaction]


def act(
    seat: Seat,
    action: str,
    given: Mapping[str, Any],
    *,
    game: Game | None = None,
    brings: Expressed | None = None,
    head: str | None = None,
    what: str = "",
) -> int:
    """Do an action as a deed of whoever sits there, and say what happened.

    ``what`` is the action with what it means here, in words; else its name.
    ``brings`` is the branch from which its changes were written; these are said back.
    ``head`` is the newest commit of a branch that says no more than is known already.
    """
    game = game or seat.game_of_deed()
    if not seat.dry_run:
        refuse_elsewhere(game.repository)
    _refuse_upon_strays(game)
    declared = game.law.declared.actions.get(action)
    if declared is not None and any(str(each).isupper() for each in given.values()):
        entered.refuse_blanks(declared, given)
    given = game.with_ids(action, given)
    actor, at, before, newest = seat.actor(game), seat.moment_of_deed(game), game.ruleset, game.head.oid
    stood = game.tree
    deed = Deed(new_id(at), actor, action, dict(given), at, branch=brings.head if brings else head)
    try:
        outcome, commit, kept, after = (_tried if seat.dry_run else _recorded)(game, deed)
    except NomicError as error:
        more, error.beside = loaded("advised.besides")(error, game, deed)
        error.problems = (*loaded("advised.advised")(error, game, deed, seat.dry_run), *more)
        raise
    world = after()
    rules = _rules(before, world.ruleset) if world.ruleset is not before else {}
    beside = loaded("merged.beside")(game, newest, before, world, outcome.enacted) if outcome.enacted else {}
    broken = loaded("merged.unsound")(game, newest, world) if rules else []
    known = game.tree.entity(f"players/{actor}") is not None
    stranger = "" if known else loaded("advised.stranger")(world, actor)
    if seat.as_json:
        more = {
            "unsound": broken,
            "stranger": stranger,
            "branch": brings and brings.as_json(),
            "foreseen": _foreseen(game, outcome, after),
            "rules": rules,
            **beside,
        }
        more = {name: value for name, value in more.items() if value}
        here = {"by": game.tree.called(actor), "left_as_edited": list(kept)}
        click.echo(json.dumps(as_json(outcome, commit, world) | here | more))
        return 0
    made = post_of(outcome)
    said = f"{game.tree.called(actor)}: {what or action}" + (f", post {made}" if made else "")
    where = f"commit {commit[:10]}" if commit else "dry run, nothing is recorded"
    if not commit and outcome.draws:
        where += f"; {doings.BY_CHANCE}"
    click.echo(click.style(said, fg="green" if commit else "yellow") + f"  ({where}, {clock.text(at)})")
    said_back = brings.lines() if brings else ()
    of_rules = [f"rules {change}: {', '.join(titles)}" for change, titles in rules.items()]
    for line in (
        *said_back,
        *_happened(outcome, world, of_rules),
        *(_unsaid(outcome, stood, world) if outcome.enacted else ()),
        *(f"left as you had edited it: {path}" for path in kept),
    ):
        click.echo(f"  {inline(line)}")
    of_enacted = loaded("merged.lines_of")(beside) if beside else ()
    # last: the deed stands already, and to try what it brings takes a while
    ahead = _foreseen(game, outcome, after)
    for line in [
        *filter(None, [stranger]),
        *broken,
        *of_enacted,
        *(loaded("submitted.lines")(ahead) if ahead else ()),
    ]:
        click.echo(click.style(f"  {inline(line)}", fg="yellow"))
    return 0


def _foreseen(game: Game, outcome: Outcome, after: Callable[[], Transaction]) -> Foreseen | None:
    """What would become of the changes that a deed has submitted or edited; None where it has done neither."""
    refs = [each["ref"] for each in outcome.effects if each["field"] == "changes"]
    world = after()
    action = world.law.declared.actions.get(outcome.deed.action)
    submits = bool(action and "changes" in action.parameters)
    if submits and (post := post_of(outcome)):
        refs.append(f"posts/{post}")
    if not refs or world.store.value(refs[0], "status") != "pending":
        return None
    ahead: Foreseen | None = loaded("submitted.foreseen_of")(game, world, refs[0], submits=submits)
    return ahead


def _refuse_upon_strays(game: Game) -> None:
    """Refuse a deed upon a commit that changes the game and is no deed: it would be lost when that is put back."""
    if has_strays(game.repository, game.head.oid):
        stray = loaded("surroundings.first_stray")(game)
        raise Refused.of(f"no deed is done upon the {stray}", mend=stray.mend)


def _recorded(game: Game, deed: Deed) -> _Done:
    new = game.terms and replayed(game.repository) != game.head.oid
    if new and loaded("mailboxes.has_key")(game):
        loaded("keys.looked")(game)
    recorded = game.act(deed)
    return _Done(
        recorded.outcome, recorded.commit, recorded.kept_edits, lambda: game.world(looking=True)
    )  # what rested in it rests


def _tried(game: Game, deed: Deed) -> _Done:
    outcome, after = game.tried(deed)
    return _Done(outcome, None, (), lambda: after)


def post_of(outcome: Outcome) -> int | None:
    """The number of the post that a deed made, where that is what it gives."""
    result = outcome.result
    kind, _, number = result.partition("/") if isinstance(result, str) else ("", "", "")
    return (
        int(number)
        if kind == "posts" and number.isdecimal() and f"posts/{number}" in outcome.touched
        else None
    )


def _happened(outcome: Outcome, after: Transaction, of_rules: Sequence[str]) -> Iterable[str]:
    """Dice, notes, and what the deed made and changed, rules last."""
    dice = list(_thrown(outcome, after)) if outcome.draws else []
    if dice:
        yield "dice: " + ", ".join(dice)
    failed = any(NOT_HAPPENED in note for note in outcome.notes)
    lines = [
        *(folded(outcome.notes) if failed else outcome.notes),
        *made_and_changed(outcome, after),
        *of_rules,
    ]
    yield from lines
    if not (dice or lines):
        if (gave := _gave(outcome.result)) is not None:
            yield f"it gave {in_words(gave)}"
        elif not outcome.messages and not [ref for ref in outcome.touched if kind_of(ref) not in PROGRAMS]:
            yield "it changed nothing"


def _unsaid(outcome: Outcome, before: GameTree, after: Transaction) -> Iterator[str]:
    """A line for each vote and comment that an enactment took back on a post that stays."""
    for ref in outcome.touched:
        kind, _, number = ref.partition("/")
        if kind != "posts" or ref in outcome.enacted or after.store.fields(ref) is None:
            continue
        left = after.store.comments(ref)
        for each in before.comments(ref):
            if each not in left:
                said = filter(
                    None, (str(each.get("icon") or "").upper(), printable(str(each.get("text") or ""), 60))
                )
                yield f"taken back on post {number}: {before.called(str(each.get('by')))}: {' '.join(said)}"


def _thrown(outcome: Outcome, after: Transaction) -> Iterator[str]:
    """The dice of a deed, with whose they are where they are not its action's."""
    action = after.law.declared.actions.get(outcome.deed.action)
    return doings.thrown(outcome.draws, after.ruleset.by_slug[action.rule].title if action else "")


def _gave(result: object) -> object:
    """What a deed gave, as dice do; None where it gave nothing, or a thing of the game's."""
    plain = isinstance(result, int | list) and not isinstance(result, bool)
    return result if plain or (isinstance(result, str) and "/" not in result) else None


def made_and_changed(outcome: Outcome, after: Transaction) -> Iterator[str]:
    """A line for each public thing that a deed made or took away, and each public value that it changed; of a great many, how
    many more. ``after``: the game after it.

    That something was done just now, as the time of the deed itself says, is left out.
    """
    clocks = {str(each["ref"]) for each in outcome.by_clock}
    own, first = ([ref for ref in outcome.made if (ref in clocks) is by_clock] for by_clock in (False, True))
    effects = outcome.own if clocks else outcome.effects  # mostly nothing fell due
    done = [*_changes(outcome, effects, own, after)]
    fell_due = [f"by the clock: {line}" for line in _changes(outcome, outcome.by_clock, first, after)]
    many_more = len(done) + len(fell_due) - MOST
    yield from fell_due[: max(0, MOST - len(done))]  # which came first
    yield from done[:MOST]
    if many_more > 0:
        yield f"and {many_more} more (all of them: --json)"


def _changes(
    outcome: Outcome, effects: Iterable[Mapping[str, Any]], made: Sequence[str], after: Transaction
) -> Iterator[str]:
    """What came into being, with its fields, what went, and which values changed; a post has a page of its own, and whoever made it
    knows what it says.
    """
    now = clock.text(outcome.deed.at)
    effects = [e for e in effects if e["public"] and e["field"] not in doings.KEEPS and e["new"] != now]
    gone = doings.lost(after, effects) if any(each["new"] is None for each in effects) else {}
    for ref in made:
        if ref != outcome.result or kind_of(ref) != "posts":
            yield doings.made(
                ref, {str(each["field"]): each["new"] for each in effects if each["ref"] == ref}
            )
    yield from itertools.starmap(doings.gone, gone.items())
    for each in effects:
        if each["ref"] not in made and each["ref"] not in gone:
            bound = doings.stops(after, str(each["ref"]), str(each["field"]), each["new"])
            yield from (line + bound for line in doings.changed(str(each["path"]), each["old"], each["new"]))


def _rules(before: Ruleset, after: Ruleset) -> dict[str, list[str]]:
    """The titles of the rules that a deed added, amended, repealed and moved; what is none of these is left out."""
    old, new = before.by_slug, after.by_slug
    slugs = {
        "added": [slug for slug in new if slug not in old],
        "amended": [slug for slug in new if slug in old and new[slug].rule != old[slug].rule],
        "repealed": [slug for slug in old if slug not in new],
    }
    titles = {
        change: [(old if change == "repealed" else new)[slug].title for slug in some]
        for change, some in slugs.items()
    }
    titles["moved"] = loaded("merged.moved")(before, after)
    return {change: some for change, some in titles.items() if some}


def as_json(outcome: Outcome, commit: str | None, after: Transaction) -> dict[str, Any]:
    """A deed and what it did, as plain data."""
    deed = outcome.deed
    public = [each for each in outcome.effects if each["public"]]
    return {
        "action": deed.action, "by": deed.actor, "at": clock.text(deed.at), "id": deed.id, "commit": commit,
        "dry_run": commit is None, "chance": bool(outcome.draws), "post": post_of(outcome),
        "dice": [{"what": d.what, "result": d.result, "by": d.by} for d in outcome.draws if not d.secret],
        "notes": list(outcome.notes),
        "gave": _gave(outcome.result), "made": list(outcome.made), "gone": list(doings.lost(after, public)),
        "effects": _plainly(outcome.effects), "by_clock": _plainly(outcome.by_clock),
    }  # fmt: skip


def _plainly(effects: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What everybody sees of changed values, as plain data."""
    return [{name: each[name] for name in ("path", "old", "new")} for each in effects if each["public"]]


# ---- the commands that are a deed each, with nothing before it and nothing behind


def roll(seat: Seat, dice: str) -> int:
    return act(seat, "roll", {"dice": dice})


def undo(seat: Seat, deed: str) -> int:
    return act(seat, "undo", {"deed": deed})


def post(seat: Seat, words: str | None, title: str | None, kind: str | None, body: str) -> int:
    if (words is None) == (title is None):
        raise click.UsageError("a post has one title: nomicgit post TITLE")
    given = {"title": words if title is None else title} | ({"kind": kind} if kind else {})
    return act(seat, "post", given | ({"body": from_source(body)} if body else {}))


def comment(seat: Seat, post: str, text: tuple[str, ...]) -> int:
    said = from_source(" ".join(text))
    if not said.strip():
        raise click.UsageError("a comment says something: nomicgit comment POST TEXT")
    return act(seat, "comment", {"post": post, "text": said})


def dov(seat: Seat, title: str, body: str) -> int:
    return act(seat, "dov", {"title": title} | ({"body": from_source(body)} if body else {}))


def join(seat: Seat, key: str | None) -> int:
    if key is not None:
        loaded("signing_keys.bring")(seat, key)
    return act(seat, "join", {})


def idle(seat: Seat, player: str | None, reason: str | None) -> int:
    return act(seat, "idle", _given(seat, player, reason))


def unidle(seat: Seat, player: str | None, reason: str | None) -> int:
    return act(seat, "unidle", _given(seat, player, reason))


def vote(seat: Seat, matter: str, icon: str, text: tuple[str, ...]) -> int:
    said = from_source(" ".join(text))
    game = seat.game_of_deed()
    number = matter.removeprefix("posts/").lstrip("0")
    again = _voted(seat, game, number, icon)
    title = (game.tree.entity(f"posts/{number}") or {}).get("title", "") if number.isdecimal() else ""
    given = {"matter": matter, "icon": icon.lower()} | ({"text": said} if said else {})
    what = f"vote {icon.upper()} {number} {title}".rstrip()
    return act(seat, "vote", given, game=game, what=clean(f"{what}, as before" if again else what))


def _voted(seat: Seat, game: Game, number: str, icon: str) -> bool:
    """Whether the last icon that somebody used on a matter was this one, and counts."""
    comments = game.tree.comments(f"posts/{number}") if number.isdecimal() else ()
    used = [each["icon"] for each in comments if each.get("icon") and each.get("by") == seat.named(game)]
    if used[-1:] != [icon.lower()]:
        return False
    return bool(loaded("vote_counts.counts")(seat, game, f"posts/{number}"))


def _given(seat: Seat, player: str | None, reason: str | None) -> dict[str, str]:
    given = {"player": player or seat.actor(seat.game())}
    return given | ({"reason": reason} if reason else {})
