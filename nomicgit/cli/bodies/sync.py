"""``nomicgit sync``."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from nomicgit.cli.bodies.became import (
    missed,
    not_sent,
    of_own,
    of_what_is_aside,
    plain_of_own,
    told_where_stopped,
)
from nomicgit.cli.bodies.surroundings import (
    beside_the_game,
    follows_another,
    in_the_mailbox,
)
from nomicgit.cli.face import loaded
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean, inline, many, progress
from nomicgit.clones import syncing
from nomicgit.clones.others.gained import gained
from nomicgit.clones.others.misleading import misleading
from nomicgit.clones.others.misread import misread, worded
from nomicgit.clones.others.renamed import asked
from nomicgit.clones.others.taken_out import taken_out
from nomicgit.clones.others.unasked import unasked
from nomicgit.clones.others.unvoted import unvoted
from nomicgit.clones.own import fallen, order, put_aside
from nomicgit.clones.relocation import moved
from nomicgit.clones.synced import Synced
from nomicgit.git import Commit, Repository
from nomicgit.git.signing import PLAYER
from nomicgit.git.upstream import Upstream, back_to, home
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused, printable
from nomicgit.ground.remedies import below, command, once, remedy
from nomicgit.law.outside import Outside
from nomicgit.record import journal, line, visible
from nomicgit.record.game import unborn
from nomicgit.record.tree import GAME, KEYS

if TYPE_CHECKING:
    from nomicgit.clones.secret.comparing import Line

SHOWN = 5  # branches that are named
SHORTEST = 7  # digits by which a commit is named
SEALED = 12  # deeds of others of which it is told what they changed


def sync(seat: Seat, *, again: bool, forget: bool, accept: bool, which: tuple[str, ...]) -> int:
    if which and not (again or forget):
        raise click.UsageError(
            "deeds are named to do them once more, or to let go of them: nomicgit sync --again COMMIT, or nomicgit sync --forget COMMIT"
        )
    repository = Repository.open(seat.path)
    if forget:
        return _forget(seat, repository, which)
    upstream = Upstream.of(repository)
    if upstream is None and repository.head() is None:
        raise unborn(repository, seat.path)
    if upstream is None:
        raise _following_nothing(repository)
    now, named = int(time.time()), _all_named(repository, fallen.aside(repository), which) if which else None
    with told_where_stopped(seat):
        done = syncing.sync(
            repository,
            upstream,
            now,
            again=again,
            named=named,
            accept=accept,
            dry=seat.dry_run,
            progress=progress,
        )
    taken, letters, back = ("", 0, []) if done.strays else _letters(seat, repository, done)
    in_the_way, elsewhere = upstream.in_the_way(), None if done.strays else moved(repository)
    other_branch = None if done.strays else asked(upstream, dry=seat.dry_run)
    changed = {each: seen for each in done.others if (seen := visible.lines(repository, each))}
    rules = {each: said for each in done.others if (said := unvoted(repository, each))}
    came = {each.oid for each in done.others}
    misleads = [
        each for each in (misleading(repository, done.others[-1].oid) if came else ()) if each.commit in came
    ]
    offices = [] if done.strays else gained(repository, done.others)
    player = repository.config(PLAYER)
    forged = unasked(repository, done.others, player) if player and not done.strays else []
    beside = [] if done.strays else [*taken_out(repository, done.others), *misleads]
    tags = misread(repository)
    if seat.as_json:
        click.echo(
            json.dumps(
                _plain(done, upstream, changed, dry=seat.dry_run)
                | {
                    "unvoted": {each.oid: said for each, said in rules.items()},
                    "offices": offices,
                    "in_your_name": [each.oid for each in forged],
                    "taken_out": [each.as_json() for each in beside],
                    "mailbox": taken or None,
                    "letters": letters,
                    "letters_taken_back": [each._asdict() for each in back],
                    "in_the_way": in_the_way,
                    "tags": tags,
                    "moved": elsewhere.as_json() if elsewhere else None,
                    "other_branch": other_branch.as_json() if other_branch else None,
                }
            )
        )
    else:
        for said in _lines(done, upstream, changed, dry=seat.dry_run):
            click.echo(said)
        for said in offices:
            click.echo(click.style("offices: ", fg="yellow") + clean(said))
        for said in _in_your_name(forged):
            click.echo(said)
        for said in _unvoted(rules):
            click.echo(said)
        for each in beside:
            click.echo(click.style("beside the game: ", fg="yellow") + clean(f"{each}{below(each.mend)}"))
        for said in (*(loaded("letters.taken_back")(back) if back else ()), *in_the_mailbox(taken, letters)):
            click.echo(said)
        if in_the_way:
            click.echo(_in_the_way(upstream, in_the_way))
        if tags:
            click.echo(click.style("tags and branches: ", fg="yellow") + clean(worded(tags)))
        if elsewhere is not None:
            click.echo(follows_another(elsewhere))
        if other_branch is not None:
            click.echo(beside_the_game(other_branch))
    return 1 if done.strays or other_branch or missed(done) else 0


def _in_the_way(upstream: Upstream, names: Sequence[str]) -> str:
    """That plain Git stops at branches which are there no more, and what to do."""
    shown = ", ".join(clean(printable(name, 60)) for name in names[:SHOWN])
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    what = f"branches that are gone from {upstream.remote} stand in the way of new ones, and git fetch stops at them: {shown}{more}"
    return (
        click.style("branches: ", fg="yellow")
        + what
        + below(remedy("let go of them:", command("git", "remote", "prune", upstream.remote)))
    )


def _letters(seat: Seat, repository: Repository, done: Synced) -> tuple[str, int, list[Line]]:
    """In a game with keys: that the mailbox of who sits here may be taken over, or their letter was put back; how much in it
    waits to be read; and what mends that came have taken back of what was read there.
    """
    head = repository.head()
    if head is None or repository.entry(repository.commit(head).tree, KEYS) is None:
        return "", 0, []
    game = seat.game()
    taken, letters = loaded("mailboxes.standing" if seat.dry_run else "mailboxes.synced")(
        game, seat.named(game), seat.moment(game)
    )
    mends = [each.oid for each in done.mends]
    return str(taken), int(letters), loaded("letters.mended")(game, seat.named(game), mends) if mends else []


def _following_nothing(repository: Repository) -> Refused:
    """The refusal on a branch that follows no other: a proposal's, or one that nobody has been told of yet."""
    branch, game = repository.branch.removeprefix("refs/heads/"), home(repository)
    if game not in ("", branch):
        return Refused.of(
            f"the branch {branch} is a proposal's, and the game is played on {game}",
            mend=remedy("go back to it:", back_to(repository, game)),
        )
    first = (
        ()
        if repository.config("remote.origin.url")
        else (command("git", "remote", "add", "origin", "ADDRESS"),)
    )
    push = command("git", "push", "--set-upstream", "origin", f"{repository.branch}:{repository.branch}")
    return Refused.of(f"the branch {branch} follows no other", mend=remedy("say which:", *first, push))


def _plain(
    done: Synced, upstream: Upstream, changed: Mapping[Commit, Sequence[str]], *, dry: bool
) -> dict[str, object]:
    return {"with": upstream.name, "fetched": [commit.oid for commit in done.others], **plain_of_own(done),
            "dry_run": dry, "strays": [stray.as_json() for stray in done.strays],
            "sealed": {each.oid: said for each, said in changed.items()},
            "attributes": done.attributes.as_json() if done.attributes else None}  # fmt: skip


def _forget(seat: Seat, repository: Repository, which: Sequence[str]) -> int:
    """Let go of what is set aside, and of own deeds that stand nowhere; or of those alone that are named."""
    deeds = fallen.aside(repository)
    if which:
        named = _all_named(repository, deeds, which)
        deeds = [each for each in deeds if journal.deed_id(each.message) in named]
    if not seat.dry_run:
        fallen.forget(repository, deeds)
    if seat.as_json:
        ids = [journal.deed_id(each.message) for each in deeds]
        click.echo(json.dumps({"forgotten": ids, "dry_run": seat.dry_run}))
    elif not deeds:
        click.echo("nothing is set aside")
    else:
        would = "would let go of" if seat.dry_run else "let go of"
        see = remedy(
            "what they said:" if deeds[1:] else "what it said:",
            command("git", "show", *(each.oid[:12] for each in deeds)),
        )
        click.echo(f"{would} {clean(line.in_words(deeds))}{below(see)}")
    return 0


def _all_named(repository: Repository, deeds: Sequence[Commit], which: Sequence[str]) -> set[str]:
    """The ids of the deeds that are meant by some."""
    return {name for each in which for name in _named(repository, deeds, each)}


def _named(repository: Repository, deeds: Sequence[Commit], which: str) -> set[str]:
    """The ids of the deeds that are meant by one, or by the beginning of a commit's; refused where none is."""
    aside, head = put_aside.deeds(repository), repository.head()
    lie = (
        order.in_order(repository, head, aside) if head is not None and aside else []
    )  # as Git's log shows them
    some = [(journal.deed_id(each.message), each.oid) for each in (*deeds, *lie)]
    meant = {
        name for name, oid in some if which == name or (len(which) >= SHORTEST and oid.startswith(which))
    }
    if not meant:
        raise Refused.of(
            f"no deed {printable(which, 60)} is set aside",
            mend=remedy("see which are:", command("nomicgit", "status")),
        )
    return meant


def _lines(
    done: Synced, upstream: Upstream, changed: Mapping[Commit, Sequence[str]], *, dry: bool
) -> Iterator[str]:
    if done.others:
        astray = {stray.commit for stray in done.strays}
        whose = Counter(_whose(upstream.repository, commit, astray) for commit in done.others)
        who = ", ".join(f"{clean(name)} {count}" for name, count in whose.items())
        yield f"{many(len(done.others), 'new commit')} from {upstream.name} ({who})"
        yield from _sealed(changed)
    if done.let_go:
        yield clean(f"let go of {line.in_words(done.let_go)}")
    for stray, mend in zip(done.strays, once([each.mend for each in done.strays]), strict=True):
        yield click.style(f"{stray.label}: ", fg="red") + clean(f"{stray}{below(mend)}")
    yield from of_own(done, dry=dry)
    if done.strays:
        more = " more" if done.laid else ""  # which a try that was raced has moved
        yield f"nothing{more} is moved, and nothing is pushed, until that is mended"
        return
    yield from of_what_is_aside(done)
    if dry:
        yield click.style("dry run: nothing is moved, and nothing is pushed", fg="yellow")
    elif done.unsent:
        yield not_sent(done)
    elif done.pushed:
        yield click.style(f"pushed {many(done.pushed, 'commit')} to {upstream.name}", fg="green")
    else:
        yield click.style(f"nothing to push: all is as on {upstream.name}", fg="green")


def _whose(repository: Repository, commit: Commit, astray: Collection[str]) -> str:
    """Whose commit it is that came, or what else it is. Who has recorded a player's account, nobody can tell."""
    entry = journal.told(commit.message)
    if entry is not None:
        who = entry.deed.actor or journal.unnamed(entry.deed)
        return f"{who}'s account" if entry.deed.action == Outside.ACCOUNT else who
    if commit.oid in astray:
        return "no deed"
    before = repository.commit(commit.parents[0]).tree if commit.parents else None
    game = GAME.rstrip("/")
    touches = before is not None and repository.entry(before, game) != repository.entry(commit.tree, game)
    return "no deed, and mended" if touches else "beside the game"


def _sealed(changed: Mapping[Commit, Sequence[str]]) -> Iterator[str]:
    """What everybody can see that sealed deeds of others have changed, of so many the newest."""
    newest = [*changed.items()][-SEALED:]
    if len(newest) < len(changed):
        yield f"{many(len(changed), 'sealed deed')} changed what all can see, of which the newest: nomicgit log --limit 0 has all"
    for commit, lines in newest:
        head = printable(commit.message.partition("\n")[0], 60)  # of what is sealed whole that is: sealed
        yield f"{clean(head)}, {clock.text(commit.author_time)}: {inline('; '.join(lines))}"


def _in_your_name(deeds: Sequence[Commit]) -> Iterator[str]:
    """Which deeds in the name of who sits here were neither done here nor signed, and what to do."""
    if deeds:
        mend = remedy(
            "where you have not done that elsewhere, tell the others; by your key nobody else does deeds in your name:",
            command("nomicgit", "signers", "--help"),
        )
        head = click.style("in your name, not done here: ", fg="yellow")
        yield head + clean(f"{line.in_words(deeds)}, not signed by you{below(mend)}")


def _unvoted(rules: Mapping[Commit, str]) -> Iterator[str]:
    """Which rules others' deeds have changed without a vote, of so many the newest."""
    newest = [*rules.items()][-SEALED:]
    if len(newest) < len(rules):
        yield f"{many(len(rules), 'deed')} changed rules without a vote, of which the newest: nomicgit log --limit 0 has all"
    for commit, said in newest:
        head = f"{line.deed_in_words(commit)} ({commit.oid[:12]}): "
        yield click.style(clean(head), fg="yellow") + inline(said)
