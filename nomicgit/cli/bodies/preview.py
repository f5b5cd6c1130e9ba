"""``nomicgit preview``."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click
from msgspec.structs import replace

from nomicgit.cli.bodies import bell
from nomicgit.cli.seat import Seat
from nomicgit.forge.github import GitHub
from nomicgit.git.remote import Remote, scratch
from nomicgit.ground.escaping import lines_escaped
from nomicgit.ground.problems import Problem, Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.outlook import branches, checks, preview
from nomicgit.outlook.checks import BranchChecked
from nomicgit.outlook.checks.finding import error, warning
from nomicgit.record.game import Game
from nomicgit.record.tree import GAME
from nomicgit.steward import keeping
from nomicgit.steward.accounts import People
from nomicgit.steward.doorbell import doorbell
from nomicgit.steward.lookout import amiss
from nomicgit.steward.proposing import refuse_both, words_of
from nomicgit.steward.said import Reword, Say
from nomicgit.steward.seen import Pull

LEFT_ALONE = "it leaves the game alone"


def judge(seat: Seat, number: int, say: bool, summary: Path | None) -> int:
    game = seat.game()
    place = bell.place_of(game)
    with bell.github(place.repository) as github:
        pull = github.pull(number)
        wrong, checked = _judged(seat, game, pull, bell.address(place.repository))
        text = preview.comment(checked, pull.head_sha) if checked is not None else LEFT_ALONE
        if summary is not None:
            with summary.open("a", encoding="utf-8") as file:
                file.write(f"{_of_game(wrong)}\n\n{text}\n")
        if checked is None:
            click.echo(json.dumps(None) if seat.as_json else f"pull request {number}: {text}")
            return 0
        if say:
            _say(github, pull, text)
    click.echo(json.dumps(checked.as_json(), indent=2) if seat.as_json else text, nl=seat.as_json)
    return 0 if checked.sound or say else 1


def _of_game(wrong: Sequence[str]) -> str:
    """What is to be said of the game itself, up to its head."""
    if not wrong:
        return "Every commit of the game that is new since the steward's last pass was verified: it is a deed, or leaves the game alone."
    listed = "\n".join(f"- {lines_escaped(each)}" for each in wrong)
    return f"**The game has stopped.** Nothing is decided until this is mended:\n\n{listed}"


def _judged(seat: Seat, game: Game, pull: Pull, address: str) -> tuple[Sequence[str], BranchChecked | None]:
    """What is wrong with the game, and what the check of a pull request's head finds, by the law at the head of its base; None
    where it is none of the game's."""
    branch = game.repository.branch.removeprefix("refs/heads/")
    with tempfile.TemporaryDirectory(prefix="nomicgit-") as folder:
        scratch(game.repository, folder, branch).close()
        head = f"refs/pull/{pull.number}/head"
        Remote(folder, address, token=bell.token()).fetch(game.repository.branch, head, "refs/nomicgit/*")
        fetched = Game.open(folder)
        with fetched.repository:
            sound = keeping.load(fetched.repository, fetched.repository.resolve(keeping.REF)).sound
            wrong = amiss(fetched.repository, fetched.head.oid, sound, seat.moment(fetched))
            tip = fetched.repository.resolve(head) or pull.head_sha
            base, end = branches.ends(fetched.repository, tip, fetched.head.oid)
            trees = (fetched.repository.commit(commit).tree for commit in (base, end))
            if len({fetched.repository.entry(tree, GAME.rstrip("/")) for tree in trees}) == 1:
                return wrong, None
            return wrong, _checked(fetched, base, end, seat.moment(fetched), pull)


def _checked(game: Game, base: str, end: str, at: int, pull: Pull) -> BranchChecked:
    """What the check finds, under the tags and by the author that the pull request has."""
    try:
        words = words_of(pull)
        refuse_both(words.block)
    except Refused as refused:
        return checks.BranchChecked(tuple(map(error, refused.problems)))
    author = People(game.tree, doorbell(game.settings.forge).players).player(pull.author)
    checked = checks.check_branch(game, base, end, at, tags=words.tags, author=author)
    if not words.block:
        return checked
    beside = warning(Problem("the changes that its text holds come on top, and are not tried here"))
    return replace(checked, findings=(*checked.findings, beside))


def _say(github: GitHub, pull: Pull, text: str) -> None:
    """Keep our one comment on a pull request. Refused where the forge does not take it."""
    ours = [each for each in pull.comments if each.ours and preview.is_ours(each.body)]
    if ours and ours[0].body == text:
        return
    result = github.write([Reword(ours[0].node, text) if ours else Say(pull.node, text)])[0]
    if not result.done:
        raise Refused.of(
            f"the comment could not be written: {result.why}",
            mend=remedy("see what the token may do:", command("nomicgit", "doctor")),
        )
