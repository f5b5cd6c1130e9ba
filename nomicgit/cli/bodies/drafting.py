"""``nomicgit new-rule``: the beginning of a rule and of its scenario, on a branch of their own."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

import click

from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean
from nomicgit.git.upstream import HEADS, home
from nomicgit.ground import files
from nomicgit.ground.files.grammar import Value
from nomicgit.ground.problems import Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.law import rules, titles
from nomicgit.law.declaring import underscored
from nomicgit.law.law import Law
from nomicgit.physics.state import reading
from nomicgit.record.game import Game
from nomicgit.record.tree import RULESET, SCENARIOS
from nomicgit.rehearsal.expecting import bare

MOST_PLAYERS = 12  # of a scenario
STEP = 10  # from one rule's number to the next one's
AMOUNT = 9  # the most that the skeleton's action gives


def begin(seat: Seat, title: str, section: str) -> int:
    game = seat.game()
    slug = _slug(game, title)
    _refuse_where_deeds_are_done(game, slug)
    action = _name(game.law, slug)
    after = game.ruleset.add(_rule(title.strip(), slug, action), section=section)
    root = Path(game.repository.root or ".")
    path = RULESET + after.by_slug[slug].path
    written = {
        _behind(root, path): after.texts[after.by_slug[slug].path],
        f"{SCENARIOS}{slug}.yml": _scenario(seat, game, title.strip(), action),
    }
    for path in written:
        if (root / path).exists():
            raise Refused.of(f"{path} is there already", mend="write on in it, or choose another title")
    for path, text in written.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    if seat.as_json:
        click.echo(json.dumps({"slug": slug, "action": action, "written": list(written)}))
        return 0
    for path in written:
        click.echo(f"written: {path}")
    branch, there = game.repository.branch.removeprefix(HEADS), home(game.repository)
    commit, propose = f"git commit -m {title.strip()!r}", f"nomicgit propose --branch {branch}"
    click.echo(
        clean(
            f"next: write the rule; git add game && {commit}; nomicgit check; then git switch {there}, and {propose}"
        )
    )
    return 0


def _behind(root: Path, path: str) -> str:
    """A path for a rule behind all files of its folder, those among them that nobody has committed yet."""
    folder, _, name = path.rpartition("/")
    number, _, slug = name.partition("-")
    there = [each.name.partition("-") for each in (root / folder).glob("*.md")]
    if any(same == slug for _, _, same in there):
        raise Refused.of(
            f"a rule {slug.removesuffix('.md')} is there already",
            mend="write on in it, or choose another title",
        )
    last = max((int(each) for each, _, _ in there if each.isdecimal()), default=0)
    return path if int(number) > last else f"{folder}/{last // STEP * STEP + STEP}-{slug}"


def _slug(game: Game, title: str) -> str:
    """The slug of a new rule. Refused where its title makes none."""
    if not title.strip():
        raise click.UsageError("TITLE is what the rule is called: a text")
    if titles.slugless(title):
        raise Refused.of(
            f"the title {printable(title, 60)} has no letter from a to z and no digit, of which the file is named",
            mend="choose another title",
        )
    same = next(
        (each for each in game.ruleset.rules if each.title.casefold() == title.strip().casefold()), None
    )
    if same is not None:
        raise Refused.of(
            f"a rule {printable(same.title, 60)} is there already: {same.file}",
            mend="write on in it, or choose another title",
        )
    used = {*game.ruleset.by_slug, *((game.tree.entity("used") or {}).get("slugs") or ())}
    return titles.slug_for(title, used)


def _refuse_where_deeds_are_done(game: Game, slug: str) -> None:
    """Refuse on the game's own branch: rules are written on another, and proposed from there."""
    if game.repository.root is None:
        raise Refused.of("this repository has no folder in which to write", mend="clone it")
    if game.repository.branch == HEADS + home(game.repository):
        raise Refused.of(
            "you stand on the game's own branch, where only deeds change the rules",
            mend=remedy("write on a branch of your own:", command("git", "switch", "--create", slug)),
        )


def _name(law: Law, slug: str) -> str:
    """A name for the skeleton's action and variable, that nothing in the law has yet."""
    plain = slug if slug[0].isalpha() else f"rule-{slug}"
    taken = {*law.declared.actions, *(name for _, name in law.declared.variables), *law.language.words}
    names = (plain if n == 1 else f"{plain}-{n}" for n in count(1))
    return next(name for name in names if name not in taken and underscored(name) not in taken)


def _rule(title: str, slug: str, action: str) -> rules.Rule:
    """A rule that says, declares and carries out one small thing."""
    variable = underscored(action)
    amount: Value = {"type": "integer", "min": 1, "max": AMOUNT}
    front: dict[str, Value] = {
        "variables": {variable: {"of": "player", "type": "integer"}},
        "actions": {action: {"summary": "Gain some of it", "with": {"amount": amount}}},
    }
    prose = f"A player may gain up to {{{{actions.{action}.with.amount.max}}}} at a time."
    code = f'def do_{variable}(actor, amount):\n    gain(actor, "{variable}", amount)'
    return rules.Rule(slug, title, front, prose, code)


def _scenario(seat: Seat, game: Game, title: str, action: str) -> str:
    """A scenario in which one of the game's own players does it, and one may not do too much of it."""
    world = game.looked_at(seat.moment(game))
    players = [str(bare(world, each)) for each in reading.roster(world)[:MOST_PLAYERS]]
    head = reading.emperor(world)
    actor = next((each for each in players if f"players/{each}" != head), players[0])
    steps = [
        {
            "by": actor,
            "act": action,
            "with": {"amount": 2},
            "expect": {f"players.{actor}.{underscored(action)}": 2},
        },
        {"by": actor, "act": action, "with": {"amount": AMOUNT + 1}, "refused": "amount"},
    ]
    emperor = str(bare(world, head)) if head else None
    return files.write(
        {"name": f"{title} does what it says", "players": players, "emperor": emperor, "steps": steps}
    )
