"""``nomicgit status``."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from nomicgit.cli.bodies import verdicts
from nomicgit.cli.face import loaded
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean, inline, many
from nomicgit.git import Commit, lacking
from nomicgit.git.names import TAGS, is_gits
from nomicgit.ground import clock
from nomicgit.ground.deaths import Died
from nomicgit.ground.problems import Problem, Unforeseen, printable
from nomicgit.ground.remedies import as_json, below, command, remedy
from nomicgit.law.outside import Outside
from nomicgit.outlook import checks, concerns, idleness, lasting, meant, overview
from nomicgit.outlook.checks import Prospects
from nomicgit.outlook.concerns import Concern
from nomicgit.outlook.overview import Outlook
from nomicgit.physics.deeds import petitions
from nomicgit.physics.deeds.petitions import Petition
from nomicgit.physics.state import naming
from nomicgit.physics.state.store import Store
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record import (
    attributes,
    fallen,
    forms,
    journal,
    keepsakes,
    known,
    overwritten,
    pace,
    refusals,
    syncing,
    whose,
)
from nomicgit.record.attributes import Attributed
from nomicgit.record.building import Building, building
from nomicgit.record.by_hand import edited
from nomicgit.record.game import Game
from nomicgit.record.line import in_words
from nomicgit.record.rekeyed import rekeyed
from nomicgit.record.signers import unjudged
from nomicgit.record.strays import elsewhere, looked_through, takes_back, unverified
from nomicgit.record.syncing import Standing
from nomicgit.record.unheld import Unheld, unheld

if TYPE_CHECKING:
    from nomicgit.cli.bodies.sharing import Outdated

MENDED = 30 * 86_400  # seconds for which a mend is told
CONCERNS = 12  # deeds of others, the newest
MOST_TAGS = 5  # that are named
VOTES_OF = 20  # matters: of more, every vote would be pages of them


def tell(seat: Seat, votes: bool | None) -> int:
    game, _ = seat.game().at_home()
    game.repository.refuse_unfinished()
    at, player = seat.moment(game), seat.named(game)
    if votes is None:
        votes = seat.as_json or len((game.tree.entity("open") or {}).get("pending") or ()) <= VOTES_OF
    seen = overview.outlook(game, at, votes=votes)
    asked = game.looked_at(at)
    wanted = overview.wants_vote(asked, player) if player else None
    called = game.tree.called(player) if player else None
    mine = concerns.since_own(game, player) if player else []
    stranger = _stranger(asked, player) if player else ""
    idle = idleness.way_back(asked, player) if player else ""
    without = idleness.without_admins(asked)
    strays, mends = looked_through(game.repository, game.head.oid)
    recent = [mend for mend in mends if mend.author_time >= at - MENDED]
    shut, unknown = _changeable(game.looked_at(at))
    seen = replace(seen, defects=(*seen.defects, *unknown))
    tried = checks.prospects(game.looked_at(at), keyless=game.is_keyless())
    early = pace.ahead(game.repository, game.head.oid, int(time.time()))
    stands = elsewhere(game.repository)
    clone, lost = syncing.standing(game.repository), known.look(game.repository)
    regain = overwritten.mend_of(game.repository, lost) if lost else ""
    builds, beside = building(game.repository, game.head.oid), unheld(game.repository, game.head.oid)
    misleading = [tag for tag in game.repository.references(TAGS) if is_gits(tag)]
    keys = rekeyed(game.repository, game.head.oid, player) if player else []
    (taken, letters, way), shares = _mail(game, player, at), _shares(game, at)
    brought = attributes.changing(game.repository, game.head.oid)
    refused = refusals.noted(game.repository, int(time.time()))
    fell = [] if stands or any(not each.again for each in strays) else fallen.fallen(game.repository)
    by_hand = None if stands or brought else edited(game.repository, game.head.tree)
    if seat.as_json:
        more = {
            "not_enacted": {str(number): why for number, why in tried.undone.items()},
            "not_made": {str(number): why for number, why in tried.unmade.items()},
            "not_sound": {str(number): why for number, why in tried.unsound.items()},
            "needs_key": {str(number): why for number, why in tried.keepers.items()},
            "not_tried": list(tried.untried),
            "unchangeable_from": None if shut is None else clock.text(shut),
            "elsewhere": None if stands is None else {"branch": stands.branch, "home": stands.home},
            "player": called,
            "way_back": idle or None,
            "without_admins": without or None,
            "wants_vote": None if wanted is None else list(wanted),
            "concerns": [each.as_json() for each in mine],
            "strays": [stray.as_json() for stray in strays],
            "ahead": [each.as_json() for each in early],
            "mends": [_mend(each) for each in recent if takes_back(each) is Outside.MEND],
            "restored": [_mend(each) for each in recent if takes_back(each) is Outside.RESTORE],
            "clone": clone._asdict(),
            "unverified": unverified(game.repository, game.head.oid) is not None,
            "lost": lost.as_json(regain) if lost else None,
            "build": [each.as_json() for each in builds],
            "unheld": beside.as_json() if beside else None,
            "tags": misleading,
            "mailbox": taken or None,
            "letters": letters,
            "in_the_way": way or None,
            "shares": [*shares.anew] if shares else [],
            "rekeyed": [each.as_json() for each in keys],
            "unjudged": unjudged(game.repository, game.head.tree) or None,
            "fallen": [each.oid for each in fell],
            "refused": [{"what": each.what} | as_json(each.mend) for each in refused],
            "attributes": brought.as_json() if brought else None,
            "edited": list(by_hand.paths) if by_hand else [],
            "without_account": whose.without(Store(game.tree), game.settings.forge),
        }
        click.echo(json.dumps(seen.as_json() | more))
        return 1 if strays or early or lost or stands or beside or refused else 0
    for stray in strays:
        click.echo(click.style(f"{stray.label}: ", fg="red") + clean(f"{stray}{below(stray.mend)}"))
    if stands:
        click.echo(click.style("not the game's branch: ", fg="red") + clean(f"{stands}{below(stands.mend)}"))
    for each in early:
        click.echo(click.style("from the future: ", fg="red") + clean(f"{each}{below(each.mend)}"))
    for mend in recent:
        click.echo(taken_back(mend))
    if lost:
        click.echo(click.style("lost: ", fg="red") + clean(f"{lost}{below(regain)}"))
    for line in (*in_the_mailbox(taken, letters, way), *(shares.lines() if shares else ())):
        click.echo(line)
    for each_key in keys:
        click.echo(
            click.style("keys: ", fg="red")
            + clean(f"{each_key}\n  if that is not yours:{below(each_key.mend)}")
        )
    for line in _beside(builds, beside, unjudged(game.repository, game.head.tree), misleading):
        click.echo(line)
    if brought:
        click.echo(attributed(brought))
    if by_hand:
        click.echo(click.style("edited by hand: ", fg="yellow") + clean(f"{by_hand}{below(by_hand.mend)}"))
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
    for why in refused:
        click.echo(
            click.style("the last sync moved nothing: ", fg="red") + clean(f"{why.what}{below(why.mend)}")
        )
    for line in _apart(clone, unverified(game.repository, game.head.oid), fell):
        click.echo(click.style(line, fg="yellow"))
    return 1 if strays or early or lost or stands or beside or refused else 0


def _changeable(world: Transaction) -> tuple[int | None, Sequence[str]]:
    """From when on no way to change the law is seen any more, and why nobody can tell."""
    try:
        return lasting.shut_from(world), ()
    except (Died, Unforeseen) as error:
        why = error.problems[0].of_part("whether the law can still be changed cannot be told")
        return None, [str(why)]


def _unknown(game: Game) -> Iterator[str]:
    """Of whom no account is known, in a game that lives on a forge: they can do nothing there."""
    if names := whose.without(Store(game.tree), game.settings.forge):
        listed = clean(", ".join(names))
        yield click.style(
            f"no account on GitHub is known of {listed}: nomicgit steward --know NAME=ID", fg="yellow"
        )


def _mend(mend: Commit) -> dict[str, object]:
    at = clock.text(mend.author_time)
    return {"commit": mend.oid, "by": mend.author, "at": at, "notes": journal.notes_of(mend.message)}


def taken_back(mend: Commit) -> str:
    """Which mend it is, or restoring of the law, and what it says that it does."""
    what = "mended: " if takes_back(mend) is Outside.MEND else "law restored: "
    which = f"commit {mend.oid[:12]} by {mend.author}, {clock.text(mend.author_time)}"
    return click.style(what, fg="yellow") + "\n  ".join(map(inline, (which, *journal.notes_of(mend.message))))


def attributed(brought: Attributed) -> str:
    """What lets Git change the game's files, and what to do about it."""
    return click.style("attributes: ", fg="yellow") + clean(f"{brought}{below(brought.mend)}")


def _beside(
    builds: Sequence[Building], held: Unheld | None, not_judged: str, misleading: Sequence[str]
) -> Iterator[str]:
    """What files and tags beside the game do that nobody expects, and what nobody judges here."""
    if not_judged:
        yield click.style("not judged: ", fg="yellow") + not_judged
    if held:
        yield click.style("not every clone holds it: ", fg="red") + clean(f"{held}{below(held.mend)}")
    for each in (each for each in builds if not (held and held.includes(each))):
        yield click.style("to build the site: ", fg="yellow") + clean(f"{each}{below(each.mend)}")
    if misleading:
        yield click.style("tags: ", fg="yellow") + clean(_misleading(misleading))


def _misleading(tags: Sequence[str]) -> str:
    """That tags are called as Git calls something of its own, and what lets go of them."""
    shown = ", ".join(printable(tag, 60) for tag in tags[:MOST_TAGS])
    more = f", and {len(tags) - MOST_TAGS} more" if len(tags) > MOST_TAGS else ""
    what = (
        f"called as Git calls something of its own, so that a command of yours may mean them: {shown}{more}"
    )
    let_go = [command("git", "update-ref", "-d", tag) for tag in tags[:MOST_TAGS]]
    return what + below(remedy("let go of them here, before you push with Git alone:", *let_go))


def _apart(clone: Standing, new: Problem | None, fell: Sequence[Commit]) -> Iterator[str]:
    if new is not None:
        yield f"{new.what}{below(new.mend)}"
    if clone.unpushed or clone.unfetched:
        own = (
            f"{many(clone.unpushed, 'own commit is', 'own commits are')} not pushed" if clone.unpushed else ""
        )
        theirs = (
            f"{many(clone.unfetched, 'commit', 'commits')} of {clean(clone.upstream)} not here yet"
            if clone.unfetched
            else ""
        )
        yield f"{'; '.join(filter(None, (own, theirs)))}: nomicgit sync"
    if fell:
        yield (
            f"yours, and on no line any more: {clean(in_words(fell))}: "
            "nomicgit sync --again does it once more, nomicgit sync --forget lets go"
        )
    if clone.aside:
        yield (
            f"{many(clone.aside, 'deed is', 'deeds are')} set aside: "
            "nomicgit sync --again tries once more, nomicgit sync --forget lets go"
        )
    if not clone.whole:
        yield f"{lacking.SHALLOW}{below(lacking.the_rest())}"


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
    yield ""
    if checks.ANY_LAW in tried.keepers.values():
        yield checks.ANY_LAW
    if tried.untried:
        numbers = ", ".join(map(str, tried.untried))
        yield click.style(f"not tried whether they would be enacted: {numbers} (nomicgit try N)", fg="yellow")
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


def _mail(game: Game, player: str | None, at: int) -> tuple[str, int, str]:
    """In a game with keys: that somebody may be taking over a mailbox, or has none, how much in a letter waits to be read, and what is in
    the way of Git's fetching letters.
    """
    if not game.terms:
        return "", 0, ""
    taken, letters = loaded("mailboxes.standing")(game, player, at)
    taken = taken or loaded("mailboxes.lacking")(game, player)
    return str(taken), int(letters), str(loaded("mailboxes.in_the_way")(game))


def _shares(game: Game, at: int) -> Outdated | None:
    """In the clone in which shares of the game's key were handed out: whether they must be written anew; None elsewhere."""
    if not game.terms or keepsakes.kept(game.repository, keepsakes.SHARES) is None:
        return None
    seen: Outdated = loaded("sharing.seen")(game, at)
    return seen


def in_the_mailbox(taken: str, letters: int, way: str = "") -> Iterator[str]:
    """The same for people, as far as there is something to tell."""
    if way:
        yield click.style("in the way: ", fg="red") + clean(way)
    if taken:
        yield click.style("mailbox: ", fg="red") + clean(taken)
    if letters:
        waits = "line of your letter waits" if letters == 1 else "lines of your letter wait"
        yield click.style("letters: ", fg="yellow") + f"{letters} {waits} to be read: nomicgit letters"


def _concerned(mine: Sequence[Concern]) -> Iterator[str]:
    """What others have done since the last deed of who sits here that concerns them."""
    if mine:
        more = f", of {len(mine)} the newest" if len(mine) > CONCERNS else ""
        yield click.style(f"since your last deed{more}:", fg="yellow", bold=True)
        yield from (f"   {inline(str(each))}" for each in mine[-CONCERNS:])


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
    names = [f"{name} (of something else)" if name == refused else name for name in overview.meanwhile(world)]
    return f"open meanwhile: {', '.join(names) or 'nothing'}"
