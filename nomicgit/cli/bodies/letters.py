"""``nomicgit letters``: what this player is told in private, held to the record."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from nomicgit.cli.bodies import mailboxes
from nomicgit.cli.bodies.keys import looked
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean, inline, many
from nomicgit.clones.secret import awaited, comparing, leave, ledger, lettering, rounds
from nomicgit.clones.secret.awaited import Awaited
from nomicgit.clones.secret.comparing import PARTS, Line, Record
from nomicgit.clones.secret.ledger import Left
from nomicgit.git.upstream import HEADS, Upstream
from nomicgit.ground.problems import Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.ground.wording import in_words
from nomicgit.physics.deeds.keyed import A_DAY
from nomicgit.record.game import Game
from nomicgit.record.secret import turning
from nomicgit.record.secret.keyring import key_at
from nomicgit.record.secret.told import Told
from nomicgit.sealing import age
from nomicgit.sealing.ciphers import Tampered

ORDERED, ELSEWHERE = "your order", "an order in your name, not made in this clone:"
EARLIER = "an order in your name, from before this clone had your mailbox:"
UNORDERED = "in your name, without an order, by who has the key:"


def letters(
    seat: Seat, register: bool, mailbox: str | None, check: bool, whole: bool, file: Path | None
) -> int:
    game = seat.game_to_look_at(law=False)
    if not game.terms:
        raise Refused.of("this game keeps no secrets, and sends no letters")
    if mailbox is not None and seat.player is None:
        mend = f"letters --mailbox {mailbox} --as NAME"
        raise click.UsageError(f"whose mailbox is it? Who says it may be somebody else: nomicgit {mend}")
    player = seat.actor(game)
    if register and mailbox is not None:
        raise click.UsageError(
            "--register makes a mailbox here, --mailbox names one elsewhere: say one of them"
        )
    if register or mailbox is not None:
        return mailboxes.register(seat, game, player, mailbox)
    if check:
        return _check(seat, game, player)
    warning = mailboxes.taken_over(game, player, seat.moment(game))
    if warning and not seat.as_json:
        click.echo(click.style("mailbox: ", fg="red") + clean(warning), err=True)
    way = mailboxes.in_the_way(game)
    if way and not seat.as_json:
        click.echo(click.style("in the way: ", fg="red") + clean(way), err=True)
    letter = _letter(seat, game, player, file)
    letter.pop("may", None)  # a clone asks that itself, as of now: nomicgit actions
    there = None if file else _fetched(game)
    record = Record.of(game, there)
    gone, back = (
        comparing.vanished(game, letter, record),
        comparing.taken_back(game, letter, record, whole=whole),
    )
    lettering.lay_down(game, letter)
    lines, read = comparing.lines_of(letter), comparing.known(game, player)
    comparing.note(game, letter)
    waits = dict(_unanswered(game, letter, there or game.head.oid))
    lacking = {
        each["deed"] for part in PARTS for each in letter[part] if record.lacks(each["deed"], each["at"])
    }
    before = {line for part in PARTS for line in read[part] if not whole and line.deed not in lacking}
    shown = letter | {
        part: [each for each, line in zip(letter[part], lines[part], strict=True) if line not in before]
        for part in PARTS
    }
    here = awaited.made(game)
    left = ledger.left_by(game, player) if "left" not in letter else None
    if seat.as_json:
        orders = [
            each | {"from_here": each["nonce"] in here, "altered": awaited.altered(here, each)}
            for each in shown["orders"]
        ]
        click.echo(
            json.dumps(
                shown
                | {"orders": orders}
                | {
                    "mailbox": warning or None,
                    "in_the_way": way or None,
                    "last_comes": None
                    if left is None
                    else {"deed": left.deed, "at": left.at, "what": left.what},
                    "lacking": sorted(lacking),
                    "gone": [each._asdict() for each in gone],
                    "taken_back": [each._asdict() for each in back],
                    "unanswered": [each._asdict() | {"why": why} for each, why in waits.items()],
                }
            )
        )
    else:
        for line in (
            *_lines(shown, lacking, here, mailboxes.since(game, player), new=bool(before)),
            *taken_back(back),
            *_accused(lacking, gone),
            *_awaited(waits),
        ):
            click.echo(line)
        for line in _last(letter, left, record, plays=player in game.tree.ids("players")):
            click.echo(line)
    return 0


def _fetched(game: Game) -> str | None:
    """The head of the game's branch where this clone pulls from, looked up now; None where it cannot be."""
    upstream = Upstream.of(game.repository)
    with suppress(Refused):  # then what is later than all that this clone has is judged by nobody
        return upstream.fetch() if upstream is not None else None
    return None


def taken_back(lines: Sequence[Line]) -> Iterator[str]:
    """What was told, and does not stand any more since a mend has taken it back: that is nobody's fault."""
    for each in lines:
        yield click.style("taken back by a mend: ", fg="yellow") + f"{each.at}  {inline(each.text)}"
    if lines:
        yield "  whoever keeps the key can do such deeds once more (nomicgit sync --again), or you hand such an order in anew"


def mended(game: Game, player: str | None, mends: Collection[str]) -> list[Line]:
    """What some mends have taken back, as far as letters that were read in this clone told it."""
    return comparing.aside_by(game, player, mends) if player is not None else []


def _accused(lacking: set[str], gone: list[Line]) -> Iterator[str]:
    """What a keeper has told who does not keep to the record."""
    for each in gone:
        yield click.style("told before, and left out now: ", fg="red") + f"{each.at}  {inline(each.text)}"
    if lacking:
        yield click.style("this letter tells of what the record does not hold", fg="red", bold=True) + (
            f", {many(len(lacking), 'deed')}: do not believe it; ask its keeper, and compare: nomicgit letters --check"
        )


def _unanswered(game: Game, letter: Mapping[str, Any], tip: str) -> Iterator[tuple[Awaited, str]]:
    """The orders that the keeper has passed over, be it by a letter or by other deeds up to a commit, and what is known of each."""
    orders, upstream = awaited.unanswered(game, letter), Upstream.of(game.repository)
    if not orders or upstream is None:
        return
    there, full = upstream.heads(leave.ORDERS, leave.LETTERS), awaited.full_days(game, letter)
    for each in orders:
        sealed = awaited.sealed_since(game, each, tip)
        times = awaited.in_room(game, sealed, full)
        since = f"; the keeper has sealed other deeds since, {many(len(times), 'time')}" if times else ""
        if "left" in letter and letter["player"] not in game.tree.ids("players"):
            awaited.forget(game, [each])
            yield each, "nothing comes of it: you are no player any more"
        elif each.term < letter["term"]:
            awaited.forget(game, [each])
            yield each, "it was for a term that is over: make it anew"
        elif each.ref not in there:
            yield each, f"it lies there no more: if the next letter does not answer it, ask the keeper{since}"
        elif sealed and not times:
            yield (
                each,
                f"it lies there still: more than {A_DAY} a day are not taken, and it waits until the next day",
            )
        elif times or there.get(HEADS + leave.LETTERS) != each.letters:
            yield each, f"it lies there still{since}"


def _last(letter: Mapping[str, Any], known: Left | None, record: Record, *, plays: bool) -> Iterator[str]:
    """That no other letter comes, or that only the last one does, where its reader is no player any more."""
    left = letter.get("left")
    if left is not None and plays and left["deed"] in record.here:
        yield f"this is your last letter from before you left at {left['at']}: the next one comes to a mailbox that you register since"
    elif left is not None:
        mark = click.style("not in the record: ", fg="red") if record.lacks(left["deed"], left["at"]) else ""
        yield f"{mark}no more letters are written to you: you are no player since {left['at']} ({inline(left['what'])})"
    elif known is not None:
        yield f"you are no player since {known.at} ({inline(known.what)}): the keeper's next round writes your last letter"


def _awaited(waits: Mapping[Awaited, str]) -> Iterator[str]:
    for each, why in waits.items():
        what = inline(f"{each.action}, handed in at {each.at}")
        yield click.style(f"your order {what}, is not answered yet: ", fg="yellow") + why


def _check(seat: Seat, game: Game, player: str) -> int:
    """Hold the letters that lie in this clone to the record, with the keys at hand and those that are open."""
    tree = game.repository.commit(game.head.oid).tree
    keys = turning.all_keys(game.repository, tree, game.key or key_at(game.repository))
    own = lettering.kept(game, player)
    if not own:
        raise Refused.of(
            "no letter of yours lies in this clone",
            mend=remedy("read one first:", command("nomicgit", "letters")),
        )
    record = Record.of(game, _fetched(game))
    rows = {number: comparing.differing(game, letter, keys, record) for number, letter in own.items()}
    later = {
        number: [
            each.deed
            for lines in comparing.lines_of(letter).values()
            for each in lines
            if record.awaits(each.deed, each.at)
        ]
        for number, letter in own.items()
    }
    terms = {term.number: term for term in game.terms}
    shut = [number for number in rows if not any(terms[number].fits(key) for key in keys)]
    if seat.as_json:
        plain = {
            "terms": {str(number): lines for number, lines in rows.items()},
            "not_opened": shut,
            "not_here_yet": {str(number): deeds for number, deeds in later.items()},
        }
        click.echo(json.dumps(plain))
        return 1 if any(rows.values()) else 0
    for number, lines in rows.items():
        otherwise = click.style("otherwise than the record", fg="red") if lines else "as the record says"
        unknown = number in shut and not lines
        click.echo(f"term {number}: " + ("its key is not open yet" if unknown else otherwise))
        for each in lines:
            click.echo(f"  {inline(each)}")
        if later[number]:
            what = many(len(later[number]), "deed of which it tells is", "deeds of which it tells are")
            click.echo(
                click.style(f"  {what} not in this clone yet: nomicgit sync, then compare again", fg="yellow")
            )
    return 1 if any(rows.values()) else 0


def _letter(seat: Seat, game: Game, player: str, file: Path | None) -> dict[str, Any]:
    """A player's letter: from a file, from where this clone pulls from, or from the vault where the key is at hand."""
    upstream = Upstream.of(game.repository)
    if file is not None:
        content: bytes | None = file.read_bytes()
    elif upstream is not None:
        content = rounds.fetched_letter(game, upstream, player)
    else:
        looked(game)
        written = lettering.written(game)
        if player not in written:
            raise mailboxes.empty(game, player)
        letter: dict[str, Any] = json.loads(written[player])
        return letter
    if content is None:
        raise mailboxes.empty(game, player)
    if mailboxes.own(game, player) is None:
        mailboxes.refuse_other(game, player)
    try:
        return lettering.unpacked(game, player, content, mailboxes.identity(game, player))
    except age.Unreadable:
        mailboxes.refuse_other(game, player)
        raise mailboxes.unreadable(game, player, seat.moment(game)) from None
    except Tampered as error:
        mend = (
            "bring this clone up to date: nomicgit sync; if it says so still, somebody else has laid it there, and the keeper's "
            "next round writes yours anew"
        )
        raise Refused.of(error.problems[0].what, mend=mend) from None


def _lines(
    letter: Mapping[str, Any], lacking: set[str], here: Mapping[str, str], since: str, *, new: bool
) -> Iterator[str]:
    def mark(deed: str) -> str:
        return click.style("not in the record: ", fg="red") if deed in lacking else ""

    yield click.style(f"{letter['called']}, in private" + (", what is new" if new else ""), bold=True)
    said = Counter((each["at"], each["deed"], each["text"]) for each in letter["told"])
    for (at, deed, text), times in said.items():
        often = click.style(f" (said {times:,} times)", fg="yellow") if times > 1 else ""
        yield f"  {at}  {mark(deed)}{inline(text)}{often}"
    strange = False
    for each in letter["orders"]:
        given = in_words(each["with"], 60) if each["with"] else ""
        what = inline(f"{each['action']} {given}".strip())
        strangers = EARLIER if each["at"] <= since else ELSEWHERE
        whose = ORDERED if each["nonce"] in here else strangers if each["nonce"] else UNORDERED
        strange |= whose == EARLIER
        came = click.style("refused: ", fg="red") + inline(each["refused"]) if each["refused"] else "done"
        other = click.style("not what you ordered: ", fg="red") if awaited.altered(here, each) else ""
        yield f"  {each['at']}  {mark(each['deed'])}{other}{whose} {what}: {came}"
        if each["dice"]:
            yield f"      dice: {inline(', '.join(each['dice']))}"
        yield from (f"      {inline(line)}" for line in each["failures"])
    if strange:
        yield f"  whether you made orders that were taken before {since} is not known here: your mailbox in this clone is from then"
    if not letter["told"] and not letter["orders"]:
        yield "  nothing new (all of it: nomicgit letters --all)" if new else "  nothing yet"
    sees = [each for each in letter["sees"] if each["value"] not in (None, "", [], {})]
    if sees:
        yield click.style("what you may see now", bold=True)
        yield from (
            f"  {inline(each['of'])} {each['name']}: {inline(in_words(each['value'], 100))}" for each in sees
        )


def told(game: Game, player: str) -> Told | None:
    """What a letter in this clone tells somebody of the secrets of a game with keys."""
    return lettering.told(game, player)
