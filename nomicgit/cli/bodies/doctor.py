"""``nomicgit doctor``."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import click
from msgspec.structs import replace

from nomicgit.cli.bodies import bell, founded_files, rehoused
from nomicgit.cli.bodies.barring import barriers
from nomicgit.cli.bodies.forms import bring, forms_at
from nomicgit.cli.face import loaded
from nomicgit.cli.failures import NO_NETWORK
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean
from nomicgit.clones.others import vetting
from nomicgit.forge import doctor, setup, uninvited
from nomicgit.forge.doctor import Here, Report
from nomicgit.ground.missing import missing
from nomicgit.ground.problems import Malformed, Problem, Refused, Unreached, printable
from nomicgit.ground.remedies import below, command, once, remedy
from nomicgit.record import keepsakes
from nomicgit.record.build_settings import SITE
from nomicgit.record.forms import Forge
from nomicgit.record.game import Game

IGNORED, ATTRIBUTES, PAGES = ".gitignore", ".gitattributes", "docs/.gitkeep"
OWNERS = (SITE, rehoused.README, setup.GUIDE, setup.RULESET, setup.WITHOUT_APP, IGNORED, ATTRIBUTES, PAGES)
"""What a founding writes that its owners may change."""
SHOWN, MOST = 5, 50  # of what the folder lacks, that are named, and that one command has back


def examine(seat: Seat, mend: bool) -> int:
    game = seat.game()
    there = bell.place_of(game)
    if mend:
        return _mend(seat, game, there)
    code, here = 1, _here(game, there)
    if (no_token := bell.without_token()) is not None:
        report = doctor.at_hand(here, no_token)
    else:
        try:
            with bell.github(there.repository) as github:
                seen = github.settings()
        except Unreached as error:
            code, report = NO_NETWORK, doctor.at_hand(here, error.problems[0])
        else:
            report = doctor.examine(seen, here)
            if game.tree.has_keys and seen.pages is not None:
                report = _with_site(report, game, there)
    own = (*_of_shares(game, int(time.time())), *_lacking(game))
    report = replace(report, findings=(*report.findings, *own))
    if seat.as_json:
        click.echo(json.dumps({"repository": there.repository} | report.as_json()))
    else:
        _print(there, report)
    return code if report.findings or report.here_alone or report.outdated else 0


def _here(game: Game, there: Forge) -> Here:
    """What the repository at hand says at its head."""
    repository, tree = game.repository, game.head.tree
    newer = setup.newer(lambda path: _file(game, path))
    workflows = newer.workflows or setup.workflows() if newer else setup.workflows()
    owned = {path: _file(game, path) for path in {*setup.owned(), *workflows}}
    left, stale, copies = ([], {}, {}) if newer else (_left(game), _stale(game), _copies(game))
    anew = rehoused.told_anew(game, there, committed=True)
    lacking = [path for path in _once(game) if repository.entry(tree, path) is None]
    barred, broken = barriers(game)
    return Here(
        there,
        owned,
        left,
        sorted(stale),
        repository.branch,
        int(time.time()),
        game.tree.has_keys,
        barred,
        [
            *_waiting(game, {**setup.owned(), **stale, **anew, **dict.fromkeys([*left, *copies])}),
            *(path for path in lacking if _lies(game, path)),
        ],
        copies,
        workflows,
        newer,
        [*uninvited.brought(repository, game.head.oid, {*workflows, *copies})],
        lacking,
        sorted(anew),
        broken,
        _stops(game),
    )


def _stops(game: Game) -> list[Problem]:
    """The commits that are no deeds, and stop the steward."""
    stops = vetting.advised(game.repository, game.head.oid).strays
    mends = once([each.mend for each in stops])
    return [replace(each.problem, mend=mend) for each, mend in zip(stops, mends, strict=True)]


def _file(game: Game, path: str) -> bytes | None:
    """What lies at a path at the head; what is no file there is not what it is to be."""
    try:
        return game.repository.file(game.head.tree, path)
    except Malformed:
        return b""


def _once(game: Game) -> dict[str, bytes]:
    """What a founding writes beside the game, and is its owners' from then on."""
    wanted = founded_files.files(game.settings, keys=game.tree.has_keys)
    repository, tree = game.repository, game.head.tree
    own_pages = repository.entry(tree, PAGES) is None and repository.entry(tree, "docs") is not None
    return {
        path: data for path, data in wanted.items() if path in OWNERS and not (path == PAGES and own_pages)
    }


def _gone(game: Game) -> list[str]:
    """What is committed and lies in the folder no more: files, or whole folders."""
    repository, root = game.repository, game.repository.root
    if root is None or repository.left_out(""):
        return []
    gone = dict[str, None]()
    for path, _, _ in repository.changed(game.head.tree, None):
        if not os.path.lexists(f"{root}/{path}"):
            names = path.split("/")
            above = ("/".join(names[:n]) for n in range(1, len(names) + 1))
            gone[next(each for each in above if not os.path.lexists(f"{root}/{each}"))] = None
    return [*gone]


def _waiting(game: Game, wanted: Mapping[str, bytes | None]) -> list[str]:
    """Of what is not so at the head, what lies in the folder as it is to be."""
    repository, tree = game.repository, game.head.tree
    lacking = {path: data for path, data in wanted.items() if repository.file(tree, path) != data}
    return sorted(lacking.keys() - {*_not_so(game, lacking)})


def _with_site(report: Report, game: Game, there: Forge) -> Report:
    """What is found, and whether the site is the one that this clone makes: in a game with keys people seal on it."""
    try:
        lie = loaded("site_compared.lie")(game, there.site)
    except (Refused, ModuleNotFoundError) as error:
        problem = error.problems[0] if isinstance(error, Refused) else missing(error)
        if problem is None:
            raise
        unseen = problem.of_part("whether the site is the one that this clone makes")
        return replace(report, unseen=(*report.unseen, unseen))
    return replace(report, findings=(*report.findings, *([lie] if lie else ())))


def _of_shares(game: Game, now: int) -> Iterator[Problem]:
    """In the clone in which shares of the game's key were handed out: that they must be written anew, where they must."""
    if game.tree.has_keys and keepsakes.kept(game.repository, keepsakes.SHARES) is not None:
        problem: Problem | None = loaded("sharing.seen")(game, now).problem
        yield from filter(None, [problem])


def _lacking(game: Game) -> Iterator[Problem]:
    """That the folder lacks what is committed, so that nothing of it is seen there, or the next commit takes it out."""
    if gone := _gone(game):
        more = f", and {len(gone) - SHOWN} more" if len(gone) > SHOWN else ""
        yield Problem(
            f"the folder lacks what is committed: {printable(', '.join(gone[:SHOWN]), 500)}{more}",
            mend=remedy("to have it back there:", command("git", "checkout", "HEAD", "--", *gone[:MOST])),
        )


def _left(game: Game) -> list[str]:
    """The programs that the workflows ran before."""
    there = (path for path, _ in game.repository.walk(game.head.tree, setup.PROGRAMS.rstrip("/")))
    return [path for path in there if path not in setup.program()]


def _copies(game: Game) -> dict[str, str]:
    """The workflows of ours that are committed by another name, each with its own: they would run beside them."""
    repository, copies = game.repository, dict[str, str]()
    with suppress(Malformed):  # a link there is no file
        for path, oid in repository.walk(game.head.tree, setup.WORKFLOWS.rstrip("/")):
            if own := setup.copied(path, repository.blob(oid)):
                copies[path] = own
    return copies


def _copied_by_hand(game: Game) -> dict[str, str]:
    """The same of those that lie in the folder and are in no commit: renamed there, say."""
    root, tree = game.repository.root, game.head.tree
    folder = Path(root or "", setup.WORKFLOWS)
    lies = sorted(folder.iterdir()) if root is not None and folder.is_dir() else ()
    texts = {setup.WORKFLOWS + each.name: each.read_bytes() for each in lies if each.is_file()}
    new = {path: text for path, text in texts.items() if game.repository.entry(tree, path) is None}
    return {path: own for path, text in new.items() if (own := setup.copied(path, text))}


def _stale(game: Game) -> dict[str, bytes]:
    """The forms that are not what the rules make, as they are to be."""
    wanted = forms_at(game, game.settings.forge)
    return {path: data for path, data in wanted.items() if game.repository.file(game.head.tree, path) != data}


def _mend(seat: Seat, game: Game, there: Forge) -> int:
    repository, tree = game.repository, game.head.tree
    if (newer := setup.newer(lambda path: _file(game, path))) is not None:
        raise Refused.of(f"{newer.what}: this one would take it back", mend=newer.mend)
    if stops := _stops(game):
        raise Refused(Problem("nothing is brought before that is mended"), *stops)
    own, once = setup.owned(), _once(game)  # of what is the owners' only what is missing is brought
    wanted: dict[str, bytes | None] = {**own, **forms_at(game, game.settings.forge)}
    wanted |= {path: data for path, data in once.items() if not _lies(game, path)}
    wanted |= rehoused.told_anew(game, there) | dict.fromkeys([*_left(game), *_copies(game)])
    other = sorted({*_not_so(game, wanted), *_not_to_be_so(game, wanted)})
    edited = [path for path in repository.local_edits(other, tree) if _lies(game, path)]
    mended = {path: wanted[path] for path in other if path not in edited}
    bring(game, mended)
    waiting = sorted(repository.local_edits({*wanted, *mended, *once, *rehoused.TOLD}, tree))
    copies = _copied_by_hand(game)
    weak = [each for each in barriers(game)[1] if each.where.file not in waiting]
    if seat.as_json:
        said = {"mended": sorted(mended), "to_commit": waiting, "edited": edited, "copies": sorted(copies)}
        click.echo(json.dumps(said | {"left": [each.as_json() for each in weak]}))
        return 1 if edited or copies or weak else 0
    for path in sorted(mended):
        click.echo(f"{'taken out' if mended[path] is None else 'brought'}: {path}")
    for path in edited:
        click.echo(click.style("left alone: ", fg="yellow") + f"{path}, which has local edits")
    if edited:
        click.echo(
            remedy(
                "to have it as it is to be, put your edits away first:",
                command("git", "stash", "push", "--", *edited),
            )
        )
    for path, which in copies.items():
        what = f"{path} is {which.rpartition('/')[2]} by another name, and once committed runs beside it"
        take_out = (
            command("git", "rm", "--cached", "--quiet", "--ignore-unmatch", "--", path),
            command("rm", "--", path),
        )
        click.echo(
            click.style("a copy: ", fg="yellow") + clean(f"{what}{below(remedy('take it out:', *take_out))}")
        )
    if mended and not {*waiting} <= {*edited}:
        click.echo("look at them and commit: git diff --cached")
    elif mended:
        click.echo("what was brought is again as it is committed: there is nothing to commit")
    elif not edited and not copies and not weak:
        click.echo(
            f"all is current here; not committed yet: {', '.join(waiting)}" if waiting else "all is current"
        )
    for each in weak:  # which is its owners' to change
        click.echo(click.style("left alone: ", fg="yellow") + clean(str(each)))
    return 1 if edited or copies or weak else 0


def _lies(game: Game, path: str) -> bool:
    """Whether there is such a file: in the folder, where there is one, whatever the head says."""
    root = game.repository.root
    return (
        os.path.lexists(f"{root}/{path}") if root else game.repository.file(game.head.tree, path) is not None
    )


def _not_to_be_so(game: Game, wanted: Mapping[str, bytes | None]) -> list[str]:
    """Which files the next commit would make otherwise than they are to be, as one that was taken out of Git's index alone."""
    repository, tree = game.repository, game.head.tree
    return repository.unlike_in_index(wanted, repository.tree_with(tree, wanted))


def _not_so(game: Game, wanted: Mapping[str, bytes | None]) -> list[str]:
    """Which files are not as they are to be: in the folder, where there is one, whatever the head says."""
    repository, tree = game.repository, game.head.tree
    if repository.root is None:
        return [path for path, data in wanted.items() if repository.file(tree, path) != data]
    return repository.local_edits(wanted, repository.tree_with(tree, wanted))


def _print(there: Forge, report: Report) -> None:
    for problem in report.findings:
        click.echo(f"{click.style('wrong', fg='red')}: {clean(str(problem))}")
    for problem in report.unseen:
        click.echo(f"{click.style('not seen', fg='yellow')}: {clean(str(problem))}")
    for problem in report.left_open:
        click.echo(f"open: {clean(str(problem))}")
    wrong = len(report.findings)
    said = (
        f"{wrong} things are wrong"
        if wrong > 1
        else "one thing is wrong"
        if wrong
        else "nothing is found to be wrong" + (" with what is at hand" if report.here_alone else "")
    )
    click.echo(f"{there.repository}: {said}")
