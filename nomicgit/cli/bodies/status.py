"""``nomicgit status``: the game, its matters and what they wait for. What stands around it in its clone tells ``surroundings``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click
from msgspec.structs import replace

from nomicgit.cli.bodies import verdicts
from nomicgit.cli.bodies.surroundings import surroundings
from nomicgit.cli.face import loaded
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean, inline, many
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused, Unforeseen
from nomicgit.outlook import (
    checks,
    concerns,
    foreseen,
    idleness,
    lasting,
    meant,
    openings,
    overtaken,
    overview,
    voters,
)
from nomicgit.outlook.checks import Prospects
from nomicgit.outlook.concerns import Concern
from nomicgit.outlook.overview import Outlook
from nomicgit.physics.deeds import petitions
from nomicgit.physics.deeds.petitions import Petition
from nomicgit.physics.state import naming
from nomicgit.physics.state.store import Store
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record import forms, whose
from nomicgit.record.game import Game
from nomicgit.record.outside import helping
from nomicgit.record.signers import Asked, signers_in

CONCERNS = 12  # deeds of others, the newest
VOTES_OF = 20  # matters: of more, every vote would be pages of them


def tell(seat: Seat, votes: bool | None) -> int:
    game, _ = seat.game().at_home()
    game.repository.refuse_unfinished()
    at, player = seat.moment(game), seat.named(game)
    if votes is None:
        votes = seat.as_json or len((game.tree.entity("open") or {}).get("pending") or ()) <= VOTES_OF
    seen = overview.outlook(game, at, votes=votes)
    asked = game.looked_at(at)
    wanted = voters.wants_vote(asked, player) if player else None
    called = game.tree.called(player) if player else None
    mine = concerns.since_own(game, player) if player else []
    stranger = _stranger(asked, player) if player else ""
    idle = idleness.way_back(asked, player) if player else ""
    without = idleness.without_admins(asked)
    shut, unknown = _changeable(game.looked_at(at))
    seen = replace(seen, defects=(*seen.defects, *unknown))
    tried = checks.prospects(
        game.looked_at(at),
        by=player,
        keyless=game.is_keyless(),
        endless=bool(unknown),
        recalled=foreseen.recalled(game),
    )
    tried = tried._replace(unmade={n: _since_then(game, asked, n, why) for n, why in tried.unmade.items()})
    clone = surroundings(game, at, player)
    if seat.as_json:
        more = {
            "not_enacted": {str(number): why for number, why in tried.undone.items()},
            "not_made": {str(number): why for number, why in tried.unmade.items()},
            "not_sound": {str(number): why for number, why in tried.unsound.items()},
            "needs_key": {str(number): why for number, why in tried.keepers.items()},
            "not_tried": sorted([*tried.untried, *tried.slow]),
            "too_slow": list(tried.slow),
            "may_differ": {str(number): list(some) for number, some in tried.hanging.items()},
            "unchangeable_from": None if shut is None else clock.text(shut),
            "player": called,
            "way_back": idle or None,
            "without_admins": without or None,
            "wants_vote": None if wanted is None else list(wanted),
            "concerns": [each.as_json() for each in mine],
            "without_key": _keyless(game),
            "keeps_no_key": bool([*_without_the_key(game, player)]),
            "without_account": whose.without(Store(game.tree), game.settings.forge),
        }
        click.echo(json.dumps(seen.as_json() | more | clone.as_json()))
        return int(clone.is_wrong())
    for line in (*clone.above(), *_without_the_key(game, player)):
        click.echo(line)
    outside = f"{called}, you are idle: {idle}" if idle else stranger
    answering = game.looked_at(at) if seen.petitions else asked
    waiters = [_petition(answering, each, player) for each in seen.petitions]
    page = _page(seen, called, wanted, tried, outside, waiters, game.settings.forge)
    for line in (*page, *([click.style(inline(without), fg="yellow")] if without else []), *_unknown(game)):
        click.echo(line)
    for line in _concerned(mine):
        click.echo(line)
    if shut is not None:
        click.echo(_shut(shut, at))
    for line in clone.beneath():
        click.echo(line)
    return int(clone.is_wrong())


def _since_then(game: Game, world: Transaction, number: int, why: str) -> str:
    """Why changes of a matter would not be made, with the deeds that have changed meanwhile what they are to change."""
    changed = overtaken.changed_meanwhile(game, world, number)
    return f"{why}; {changed}" if changed else why


def _changeable(world: Transaction) -> tuple[int | None, Sequence[str]]:
    """From when on no way to change the law is seen any more, and why nobody can tell."""
    try:
        return lasting.shut_from(world), ()
    except (Refused, Unforeseen) as error:
        why = error.problems[0].of_part("whether the law can still be changed cannot be told")
        return None, [str(why)]


def _without_the_key(game: Game, player: str | None) -> Iterator[str]:
    """That who sits here keeps the game's secrets, and its key is not in this clone."""
    if player is not None and game.terms and game.terms[-1].keeper == player and game.is_keyless():
        what = f"you keep the secrets of this game, and {loaded('keys.lacking')(game)}"
        yield click.style("key: ", fg="red") + clean(what)


def _keyless(game: Game) -> list[str]:
    """The players who have no key with which to sign, where deeds must be signed."""
    if game.settings.signed != Asked.REQUIRED:
        return []
    signs = [name for name, some in signers_in(game.repository, game.head.tree).items() if some]
    return helping.without_key(game.settings, Store(game.tree), signs)


def _unknown(game: Game) -> Iterator[str]:
    """Of whom no account is known, in a game that lives on a forge, and of whom no key where deeds must be signed: they can do nothing."""
    if names := _keyless(game):
        listed = clean(", ".join(names))
        yield click.style(
            f"deeds must be signed, and no key is known of {listed}: nomicgit signers", fg="yellow"
        )
    if names := whose.without(Store(game.tree), game.settings.forge):
        listed = clean(", ".join(names))
        yield click.style(
            f"no account on GitHub is known of {listed}: nomicgit steward --know NAME=ID", fg="yellow"
        )


def _page(
    seen: Outlook,
    player: str | None,
    wanted: tuple[int, ...] | None,
    tried: Prospects,
    outside: str,
    waiters: Sequence[str],
    forge: Mapping[str, Any] | None,
) -> Iterator[str]:
    yield from _head(seen, forge)
    if seen.waits is not None:
        yield click.style(waiting(*seen.waits), fg="yellow")
    for name in seen.sealed:
        yield f"{inline(name)}: sealed: only the keeper can say"
    yield from map(inline, waiters)
    for matter in seen.matters:
        yield ""
        yield from verdicts.lines(matter, seen.at, tried.undone.get(matter.number, ""), forge)
        whys = [each.get(matter.number) for each in (tried.unmade, tried.unsound, tried.keepers)]
        for why in whys:
            if why and why != checks.ANY_LAW:
                yield click.style(f"   {inline(why)} (nomicgit try {matter.number})", fg="red")
        yield from (
            click.style(f"   {inline(why)}", fg="yellow") for why in tried.hanging.get(matter.number, ())
        )
    yield ""
    if checks.ANY_LAW in tried.keepers.values():
        yield checks.ANY_LAW
    for number in tried.slow:
        what = f"it takes too long to say here whether {number} would be enacted"
        yield click.style(f"{what} (nomicgit try {number})", fg="yellow")
    if tried.untried:
        numbers, one = ", ".join(map(str, tried.untried)), len(tried.untried) == 1
        they, them = ("it", str(tried.untried[0])) if one else ("they", "NUMBER, for each")
        what = f"not tried whether {they} would be enacted: {numbers}"
        yield click.style(f"{what} (nomicgit try {them})", fg="yellow")
    if outside:
        yield click.style(inline(outside), fg="yellow")
    elif not seen.matters:
        yield "nothing is pending"
    elif wanted is None:
        yield "say who you are (nomicgit me NAME), and this tells what needs your vote"
    elif wanted:
        yield click.style(f"{player}, these need your vote: ", fg="yellow", bold=True) + ", ".join(
            map(str, wanted)
        )
    else:
        yield f"{player}, nothing needs your vote"
    for defect in seen.defects:
        yield click.style("broken law: ", fg="red") + inline(defect)


def _concerned(mine: Sequence[Concern]) -> Iterator[str]:
    """What others have done since the last deed of who sits here that concerns them."""
    if mine:
        more = f", of {len(mine)} the newest" if len(mine) > CONCERNS else ""
        yield click.style(f"since your last deed{more}:", fg="yellow", bold=True)
        yield from (f"   {inline(line)}" for line in concerns.lines(mine[-CONCERNS:]))


def _stranger(world: Transaction, player: str) -> str:
    """That who sits here is no player, and who may be meant; "" where they are one, or have asked to be."""
    waits = any(each.who.casefold() == player.casefold() for each in petitions.waiting(world))
    if waits or naming.player_id(world, player) is not None:
        return ""
    near = meant.player(world, player)
    return f"{player} is no player here: " + (f"{near} Else: nomicgit join" if near else "nomicgit join")


def _petition(world: Transaction, each: Petition, player: str | None) -> str:
    """Who waits for somebody's answer: the command that gives it, or to who sits here and may not give it, whose it is."""
    own = player is not None and each.who.casefold() == player.casefold()
    who, waits = (f"{each.who}, you have", "wait") if own else (f"{each.who} has", "waits")
    able = list(petitions.answerers(world, each))
    if player is None or player in able:
        given = " ".join(f"{name}={value}" for name, value in each.given.items())
        return f"{who} asked to {each.spoken}, and {waits} for an answer: nomicgit act {each.answer} {given}"
    by = world.law.declared.actions[each.answer].by
    whose = "an admin" if by == ("admin",) else "an answer"
    names = " or ".join(naming.called(world.store, name) for name in able) or "nobody may give it now"
    return f"{who} asked to {each.spoken}, and {waits} for {whose}: {names}"


def waiting(event: str, at: int) -> str:
    """That something fell due by the clock which only who has the game's key can let happen."""
    return (
        f"{inline(event)} fell due at {clock.text(at)}, and waits for who keeps this game's key (nomicgit keep); "
        "what follows is as it was before that, and until then all that is done is an order (nomicgit order)"
    )


def _shut(shut: int, now: int) -> str:
    """That the law cannot be changed any more, or from when on, while there is time to mend it."""
    way = (
        "nomicgit restore puts an earlier law back; where not the law but what the game holds bars the way, as where no admin "
        "is left, nomicgit mend puts both back, with every deed since; each where the founding named who may"
    )
    if shut <= now:
        return click.style("no way to change the law is seen: ", fg="red", bold=True) + way
    when = f"no way to change the law is seen from {clock.text(shut)} on (in {verdicts.span(shut - now)}): "
    return click.style(when, fg="red", bold=True) + "change it before"


def _head(seen: Outlook, forge: Mapping[str, Any] | None) -> Iterator[str]:
    dynasty, terms = seen.dynasty, seen.dynasty.terms
    stands = "  (practice: time stands still until --at moves it)" if seen.practice else ""
    place = forms.forge_of(forge)
    where = f"  {place.address}" if place is not None else ""
    yield click.style(inline(seen.name), bold=True) + f"  {clock.text(seen.at)}{stands}{where}"
    lead = (
        f"{terms['emperor']} {dynasty.emperor}"
        if dynasty.emperor
        else f"no {terms['emperor']}: a metadynasty"
    )
    theme = f", {inline(dynasty.name)}" if dynasty.name else ""
    yield f"dynasty {dynasty.number}{theme}; {inline(lead)}"
    active = many(len(seen.active), f"active {inline(terms['player'])}", f"active {inline(terms['players'])}")
    roster = f"{active}, {len(seen.idle)} idle"
    yield roster + (f"; quorum {seen.quorum}" if seen.quorum is not None else "")
    if seen.hiatus:
        why = f": {inline(seen.hiatus_reason)}" if seen.hiatus_reason else ""
        yield click.style("there is hiatus", fg="red", bold=True) + why


def halted(world: Transaction) -> str | None:
    """That there is hiatus, why, and what somebody may do all the same; None where there is none."""
    why = overview.hiatus(world)
    if why is None:
        return None
    return inline(f"there is hiatus{f': {why}' if why else ''}; {_still_open(world)}")


def way_out(world: Transaction, what: str, action: str) -> str:
    """What somebody may do all the same, where an action is refused because there is hiatus; "" where it is not."""
    why = overview.hiatus(world)
    return _still_open(world, action) if why and why in what else ""


def _still_open(world: Transaction, refused: str = "") -> str:
    """What is open in hiatus; what was refused for it, with what it was given, is open with something else."""
    names = [
        f"{name} (of something else)" if name == refused else name
        for name in openings.open_to_somebody(world)
    ]
    return f"open meanwhile: {', '.join(names) or 'nothing'}"
