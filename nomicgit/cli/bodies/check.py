"""``nomicgit check``."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import click
from msgspec.structs import replace

from nomicgit import editions
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean, inline, many
from nomicgit.clones import refusals
from nomicgit.clones.by_hand import edited
from nomicgit.ground.problems import Problem, Refused, printable
from nomicgit.ground.remedies import command, once, remedy
from nomicgit.outlook import branches, checks
from nomicgit.outlook.checks import BranchChecked, Checked, Finding
from nomicgit.outlook.checks.differing import RuleDiffers
from nomicgit.outlook.checks.finding import error, warning
from nomicgit.outlook.checks.opens_for import in_words
from nomicgit.outlook.doings import BY_CHANCE, as_done, changed
from nomicgit.outlook.preview import LATER
from nomicgit.record.game import Game

MOST_SHOWN = 40  # values, views or actions, each
LONG = 100  # characters of a value


def find(seat: Seat, revision: str | None, edition: str | None, tags: tuple[str, ...]) -> int:
    if edition is not None:
        return _told(seat, checks.check_ruleset(editions.load(edition)))
    game, branch = seat.game().at_home()
    revision = revision or branch
    between = None if revision is None else _between(game, revision)
    if between is not None:
        return _branch(seat, game, between, tags, _uncommitted(game) if branch == revision else None)
    if branch is not None and branch == revision and (lies := _uncommitted(game)) is not None:
        raise Refused(lies)
    checked = _game(seat, game, _commit(game, revision or "HEAD"))
    stopped = refusals.noted(game.repository, int(time.time())) if revision is None else ()
    whys = [error(Problem(f"the last sync moved nothing: {each.what}", mend=each.mend)) for each in stopped]
    return _told(seat, replace(checked, findings=(*checked.findings, *whys)))


def _uncommitted(game: Game) -> Problem | None:
    """What lies in the folder of a proposal's branch and is in no commit of it; None where nothing does."""
    head = game.repository.head()
    lies = edited(game.repository, game.repository.commit(head).tree) if head else None
    if lies is None:
        return None
    commit = (command("git", "add", "game"), command("git", "commit"), command("nomicgit", "check"))
    return Problem(
        f"not looked at, since it is not committed: {lies.named}",
        mend=remedy("commit it, then check:", *commit),
    )


def _game(seat: Seat, game: Game, commit: str) -> Checked:
    """The check of a game at a commit; the newest one is looked at now."""
    return checks.check_game(game.repository, commit, seat.moment(game) if commit == game.head.oid else None)


def _commit(game: Game, revision: str) -> str:
    commit = game.repository.resolve(revision)
    if commit is None:
        raise Refused.of(
            f"there is no revision {printable(revision, 60)}",
            mend=remedy("see:", command("git", "branch", "--all")),
        )
    return commit


def _between(game: Game, revision: str) -> tuple[str, str] | None:
    """Base and head of what is to be checked as a proposal; None for a commit of the game's own history."""
    if ".." in revision:
        return branches.range_ends(game.repository, revision)
    commit = _commit(game, revision)
    base, head = branches.ends(game.repository, commit, game.head.oid)
    own = revision != "HEAD" and game.repository.branch != f"refs/heads/{revision}"
    named = own and game.repository.resolve(f"refs/heads/{revision}") == commit
    return (base, head) if base != head or named else None


def _told(seat: Seat, checked: Checked) -> int:
    if seat.as_json:
        click.echo(json.dumps(checked.as_json(), indent=2))
    else:
        _findings(checked.findings)
        counted = ", ".join(many(number, what.removesuffix("s")) for what, number in checked.counts.items())
        click.echo(f"{'sound' if checked.sound else 'not sound'} ({counted})")
    return 0 if checked.sound else 1


def _findings(findings: Iterable[Finding]) -> None:
    some = list(findings)
    for finding, mend in zip(some, once([each.problem.mend for each in some]), strict=True):
        level = click.style(finding.level, fg="red" if finding.level == "error" else "yellow")
        said = replace(finding.problem, what=inline(finding.problem.what), mend=mend)
        click.echo(f"{level}: {clean(str(said))}")


def _branch(
    seat: Seat, game: Game, between: tuple[str, str], tags: tuple[str, ...], beside: Problem | None
) -> int:
    checked = checks.check_branch(game, *between, seat.moment(game), tags=tags, author=seat.named(game))
    if beside is not None:
        checked = replace(checked, findings=(*checked.findings, warning(beside)))
    if seat.as_json:
        click.echo(json.dumps(checked.as_json(), indent=2))
        return 0 if checked.sound else 1
    for line in enactment(checked.rules, checked.enactment):
        click.echo(inline(line))
    _findings(checked.findings)
    if checked.expressed is not None:
        click.echo(f"{many(len(checked.expressed.changes), 'change')}, content hash {checked.expressed.hash}")
    click.echo(_verdict(checked))
    return 0 if checked.sound else 1


def _verdict(checked: BranchChecked) -> str:
    if not checked.sound:
        return f"{checked.unsound}{f' ({checked.pending})' if checked.pending else ''}"
    if checked.pending is not None:
        return str(checked.pending) + (
            "" if checked.pending.same else f": {_brought_up(checked.pending.post)}"
        )
    return "it can be proposed" if checked.submittable else f"it is sound, and {LATER}"


def _brought_up(post: int) -> str:
    return command("nomicgit", "propose", "--update", str(post), "--branch", "BRANCH").strip()


def enactment(rules: Iterable[RuleDiffers], tried: Mapping[str, Any]) -> Iterator[str]:
    """What enactment would do, for people."""
    for rule in rules:
        yield f"{rule.how}: {rule.number} {rule.title}"
        yield from (f"  {line}" for line in rule.lines)
    for program in tried.get("programs", ()):
        yield from _list("it runs", program.rstrip().splitlines())
    yield from tried.get("secrets", ())
    yield from _list("posts", map(_post, tried.get("posts", ())))
    yield from _list(
        f"gamestate, {BY_CHANCE}" if tried.get("chance") else "gamestate",
        (line for each in tried.get("values", ()) for line in as_done(each)),
    )
    yield from _list("actions", map(_action, tried.get("actions", ())))
    yield from _list(
        "views",
        (line for v in tried.get("views", ()) for line in changed(v["view"], v["old"], v["new"])),
    )
    if tried.get("sections"):
        yield f"sections touched: {', '.join(tried['sections'])}"


def _action(each: Mapping[str, Any]) -> str:
    return f"{each['action']}: {in_words(each, reasons=True)}"


def _post(each: Mapping[str, Any]) -> str:
    by = f" by {each['by']}" if each["by"] else ""
    return f"{each['kind']} {each['number']}{by}: {_short(each['title'])} {_short(each['text'])}"


def _list(heading: str, lines: Iterable[str]) -> Iterator[str]:
    all_lines = list(lines)
    if all_lines:
        yield f"{heading}:"
    yield from (f"  {line}" for line in all_lines[:MOST_SHOWN])
    if len(all_lines) > MOST_SHOWN:
        yield f"  and {len(all_lines) - MOST_SHOWN} more (all of them: --json)"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONG else text[: LONG - 1] + "…"
