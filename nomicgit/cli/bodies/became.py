"""What became of own deeds where they were laid anew, told by all that does so: a sync, a round, an order, a mend."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from nomicgit.cli.bodies.surroundings import (
    attributed,
    begins_a_term,
    begun,
    other_dice,
    taken_back,
)
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean, inline, many
from nomicgit.clones.own.laying import Laid
from nomicgit.clones.synced import Stopped, Synced
from nomicgit.ground.remedies import below, command, remedy
from nomicgit.law.outside import Outside
from nomicgit.record import line


def plain_of_own(done: Synced) -> dict[str, object]:
    """What was pushed, and what became of what was this clone's own, as plain data."""
    return {"laid": [plain(each) for each in done.laid], "pushed": done.pushed, "unsent": done.unsent,
            "kept_edits": list(done.kept_edits), "let_go": [commit.oid for commit in done.let_go],
            "fallen": [commit.oid for commit in done.fallen], "stood": [commit.oid for commit in done.stood],
            "taken_back": [commit.oid for commit in done.taken_back], "left_out": list(done.left_out),
            "rethrown": [each.as_json() for each in done.rethrown]}  # fmt: skip


def plain(laid: Laid) -> dict[str, object]:
    """What became of an own deed, as plain data."""
    deed = laid.deed
    return {"id": deed.id, "by": deed.actor, "action": deed.action, "was": laid.was, "commit": laid.commit,
            "why_not": laid.why, "now": dict(laid.made), "dice": list(laid.dice),
            "line": laid.line.strip() or None, "waits": list(laid.waits)}  # fmt: skip


@contextmanager
def told_where_stopped(seat: Seat) -> Iterator[None]:
    """Tell of a sync or a round that something stops what had come by then, and what became of own deeds."""
    try:
        yield
    except Stopped as why:
        for line in () if seat.as_json else came(why.synced):
            click.echo(line)
        raise


def came(synced: Synced) -> Iterator[str]:
    """What has come from the others, and what became of own deeds upon it."""
    if synced.others:
        yield f"{many(len(synced.others), 'new commit')} from the others"
    yield from of_own(synced)
    yield from of_what_is_aside(synced)


def of_own(done: Synced, *, dry: bool = False) -> Iterator[str]:
    """What became of own deeds, by mends that came and upon what others did, and of files that came."""
    yield from map(taken_back, done.mends)
    yield from map(begun, filter(begins_a_term, done.others))
    if done.taken_back:
        what = f"{line.in_words(done.taken_back)}; taken back by that, and not done again unless you do it yourself"
        yield click.style("yours: ", fg="yellow") + clean(what)
    yield from map(other_dice, done.rethrown)
    if done.fallen:
        what = f"{line.in_words(done.fallen)}; on no line any more, and set aside" + (
            " now" if not dry else ""
        )
        yield click.style("yours: ", fg="yellow") + clean(what)
    if done.stood:
        yield clean(
            f"set aside, and standing all the same, so not to be done again: {line.in_words(done.stood)}"
        )
    for each in done.laid:
        yield became(each, dry=dry)
    yield from (f"left as it lies in the folder: {clean(path)}" for path in done.kept_edits)
    yield from (click.style("not in the folder: ", fg="yellow") + clean(why) for why in done.left_out)
    if done.left_out:
        out = (
            command("git", "commit", "--message", "Take out what no folder holds"),
            command("nomicgit", "sync"),
        )
        yield remedy("to take that out for all:", *out)
    if done.attributes:
        yield attributed(done.attributes)


def of_what_is_aside(done: Synced) -> Iterator[str]:
    """What to do about deeds that are set aside."""
    tried = {each.was for each in done.laid}
    if any(each.commit is None and each.again for each in done.laid):
        yield "what was not done again is set aside: nomicgit sync --again tries it once more, --forget lets go of it"
    elif any(each.oid not in tried for each in done.fallen):
        yield "what is set aside is done again by nomicgit sync --again, and let go of by nomicgit sync --forget"
    if any(each.aside and not each.again for each in done.laid):
        yield (
            "what only you can do again is set aside, and nomicgit sync --again names it once more; done in other words, or not "
            "wanted any more, let go of it: nomicgit sync --forget"
        )


def not_sent(done: Synced) -> str:
    """That own commits were not pushed, since the game has moved from there."""
    unsent = f"not pushed: {many(done.unsent, 'commit')}, for the game does not live there any more; follow it, then: nomicgit sync"
    return click.style(unsent, fg="red")


def missed(done: Synced) -> bool:
    """Whether an own deed could not be done again, or own commits could not be pushed."""
    return bool(done.unsent) or any(each.commit is None and not each.stands for each in done.laid)


def _show(laid: Laid) -> str:
    return command("git", "show", laid.was[:12])


def became(laid: Laid, *, dry: bool = False) -> str:
    """What became of an own deed, in a line; where nothing is done, with its commit, by which it can be named."""
    deed = laid.deed
    sealed = deed.action == Outside.SEALED
    what = f"sealed ({laid.was[:12]})" if sealed else clean(f"{deed.actor}: {deed.action}")
    what += f" ({laid.was[:12]})" if dry and not sealed else ""
    if laid.commit is None:
        words = (
            ""
            if laid.again or laid.line or not laid.aside
            else below(remedy("it is set aside, with its words:", _show(laid)))
        ) + below(laid.line)
        return click.style(f"not done again: {what}", fg="red") + f"  ({deed.id}): {inline(laid.why)}{words}"
    ids = "; ".join(f"{old} is {new} now" for old, new in laid.made.items())
    dice = "; the dice were thrown anew: " + ", ".join(laid.dice) if laid.dice else ""
    return f"again: {what}" + clean(f"  ({ids})" if ids else "") + clean(dice)
