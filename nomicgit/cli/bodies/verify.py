"""``nomicgit verify``."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import click
from msgspec import to_builtins

from nomicgit.cli.face import loaded
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean, many, progress
from nomicgit.clones import refusals
from nomicgit.clones.others import overwritten
from nomicgit.clones.others.rekeyed import rekeyed
from nomicgit.clones.own import fallen
from nomicgit.clones.own.put_aside import keep
from nomicgit.git import Repository
from nomicgit.ground.problems import NomicError, Refused, printable
from nomicgit.ground.remedies import below
from nomicgit.record import line, visible
from nomicgit.record.game import unborn
from nomicgit.record.seen import arrivals, faults, strays
from nomicgit.record.seen import known as known_of
from nomicgit.record.seen.known import missing
from nomicgit.record.signers import unjudged
from nomicgit.record.tree import KEYS
from nomicgit.replay.verifying import Fault, Verified, verify

if TYPE_CHECKING:
    from nomicgit.sealing.keys import Key


_COMMIT = re.compile("[0-9a-f]{4,64}")
FEW = 3  # findings of one commit, of which each is told


def replay(
    seat: Seat,
    revision: str | None,
    known: str | None,
    accept: bool,
    sealed: bool,
    without_key: bool,
    online: bool,
) -> int:
    with Repository.open(seat.path) as repository:
        tip = repository.resolve(revision) if revision else repository.head()
        if tip is None:
            raise (
                Refused.of(f"there is no revision {revision}") if revision else unborn(repository, seat.path)
            )
        began = time.perf_counter()
        keys = () if without_key else _keys(repository, tip, seat)
        verified = verify(repository, tip, progress, now=int(time.time()), keys=keys, unjudged=True)
        unfit = [*arrivals.unfit_of(repository, tip)]
        if not revision and repository.is_whole() and strays.elsewhere(repository) is None:
            faults.note_up_to(repository, tip, {each.commit: each.what for each in verified.faults})
            if verified.faults or not unfit:
                strays.note_replayed(repository, "" if verified.faults else tip)
        verified.faults += [
            Fault(oid, f"it {why}{below(arrivals.mend_of(repository, oid))}") for oid, why in unfit
        ]
        let_go = known_of.let_go(repository) if accept and not revision else None
        own = fallen.own_of(repository, let_go.deeds, let_go.now) if let_go else []
        keep(repository, own)
        lacking = fallen.lacking(repository, let_go.deeds, let_go.now) if let_go else []
        others = [deed for deed in lacking if deed not in own]
        verified.faults += _rewritten(repository) if not revision else ()
        verified.faults += _lacking(repository, tip, known) if known else ()
        spent = time.perf_counter() - began
        whose = {each.commit: _whose(repository, each) for each in verified.faults}
        asked = loaded("online.ask")(repository, tip) if online else None
        keys_given = rekeyed(repository, tip)
        stopped = refusals.noted(repository, int(time.time())) if not revision else []
        not_judged = unjudged(repository, repository.commit(tip).tree)
    sound = verified.sound and not (asked and any(each.others for each in asked.otherwise))
    if seat.as_json:
        at_fault, doubts, mended, aside, shut = (
            [({"commit": each.commit} if each.commit else {}) | {"what": each.what} for each in some]
            for some in (verified.faults, verified.doubts, verified.mended, verified.aside, verified.sealed)
        )
        click.echo(json.dumps({
            "verified": verified.sound, "founding": verified.founding, "tip": tip, "deeds": verified.deeds,
            "others": verified.others, "faults": at_fault,
            "let_go": [deed.oid for deed in others],
            "fallen": [deed.oid for deed in own],
            "doubts": doubts, "mended": mended, "aside": aside, "remedy": verified.remedy,
            "opened": verified.opened, "signed": verified.signed, "unsigned": verified.unsigned, "sealed": shut,
            "unjudged": not_judged or None, "stopped": [each.as_json() for each in stopped],
            "online": to_builtins(asked) if asked else None, "rekeyed": [each.as_json() for each in keys_given],
        }))  # fmt: skip
        return 0 if sound else 1
    if others:
        click.echo(clean(f"let go of {line.in_words(others)}"))
    if own:
        click.echo(clean(f"yours: {line.in_words(own)}; set aside: nomicgit sync --again does it once more"))
    for fault, more in _by_commit(verified.faults):
        what, *lines = str(fault).split("\n")
        click.echo(
            "\n".join((click.style("fault", fg="red") + f"  {what}{whose[fault.commit]}{more}", *lines))
        )
    for doubt in verified.doubts:
        click.echo(click.style("not confirmed", fg="red") + f"  {doubt}")
    if verified.remedy:
        click.echo(f"what to do:{below(clean(verified.remedy))}")
    for fault, more in _by_commit(verified.mended):
        click.echo(click.style("mended", fg="green") + f"  {fault}{more}")
    for deed in verified.aside:
        click.echo(click.style("set aside", fg="yellow") + f"  {deed}")
    said = (
        click.style("verified", fg="green")
        if verified.sound
        else click.style(f"{len(verified.faults) + len(verified.doubts)} found wanting", fg="red")
    )
    span = f"from {verified.founding[:10]} to {tip[:10]}"
    deeds = many(verified.deeds, "deed") + (f" ({len(verified.aside)} set aside)" if verified.aside else "")
    click.echo(f"{said}: {deeds}, {many(verified.others, 'other commit')}, {spent:.1f} s, {span}")
    if verified.signed or verified.unsigned:
        click.echo(f"{many(verified.signed, 'deed')} signed by a key of its player, {verified.unsigned} not")
    if stopped:
        beside = "what the last sync found, and moved nothing upon; it is told by: nomicgit status"
        click.echo(click.style("not looked at: ", fg="yellow") + beside)
    if not_judged:
        click.echo(click.style("not judged: ", fg="yellow") + not_judged)
    for change in keys_given:
        click.echo(click.style("keys", fg="yellow") + f"  {clean(str(change))}")
    for each in _sealed(verified, in_full=sealed):
        click.echo(each)
    if asked:
        loaded("online.tell")(asked)
    return 0 if sound else 1


def _keys(repository: Repository, tip: str, seat: Seat) -> Sequence[Key]:
    """The keys of the game's terms that are at hand; none where it has none."""
    tree = repository.commit(tip).tree
    if repository.entry(tree, KEYS) is None:
        return ()
    keys: Sequence[Key] = loaded("unveiling.at_hand")(repository, tree, seat.key())
    return keys


def _sealed(verified: Verified, *, in_full: bool) -> Iterator[str]:
    """How many sealed deeds the keys at hand have opened, and those that none opens, with what everybody sees of them."""
    if verified.opened:
        yield f"{many(verified.opened, 'sealed deed')} opened: a key at hand reads what is sealed in them, and it was replayed too"
    if not verified.sealed:
        return
    how = "" if in_full else "; list them: nomicgit verify --sealed"
    said = f"{many(len(verified.sealed), 'sealed deed')} that no key at hand opens: held to their keeper's signature and their form only"
    yield click.style(said, fg="yellow") + how
    for each in verified.sealed if in_full else ():
        yield click.style("sealed", fg="yellow") + f"  {clean(str(each))}"
    if in_full:
        yield visible.READERS


def _by_commit(faults: Sequence[Fault]) -> Iterator[tuple[Fault, str]]:
    """The faults; of a commit that has many the first alone, with how many more it has."""
    count, seen = Counter(each.commit for each in faults), set[str]()
    for fault in faults:
        many_of_it = fault.commit and count[fault.commit] > FEW
        if not many_of_it or fault.commit not in seen:
            yield (
                fault,
                f"; and {count[fault.commit] - 1} more of this commit (--json has all)" if many_of_it else "",
            )
        seen.add(fault.commit)


def _whose(repository: Repository, fault: Fault) -> str:
    """In whose name a commit at fault is; "" where that is said, no commit is at fault, or this clone has it not."""
    if line.NAMED in fault.what or not fault.commit:
        return ""
    with suppress(NomicError):
        return f" ({line.in_the_name(repository.commit(fault.commit).author)})"
    return ""


def _rewritten(repository: Repository) -> Iterator[Fault]:
    """What the branch that this clone follows has lost."""
    lost = known_of.look(repository)
    if lost is not None:
        yield Fault("", f"{lost}{below(overwritten.mend_of(repository, lost))}")


def _lacking(repository: Repository, tip: str, known: str) -> Iterator[Fault]:
    """What a history lacks of the deeds of a commit that somebody knows."""
    if _COMMIT.fullmatch(known) is None:
        raise click.UsageError(
            f"--known {printable(known, 40)!r} names no commit: write the id of one that somebody knows, or four of its digits or more"
        )
    commit = repository.resolve(known)
    if commit is None:
        yield Fault(
            printable(known, 40),
            "this clone has no such commit: git fetch, and ask again; where there is none still, whoever knows it has been "
            "shown another history, or has deeds that nobody was sent",
        )
    elif lost := missing(repository, commit, tip):
        yield Fault(commit, f"the history up to {tip[:12]} lacks {line.in_words(lost)}")
