"""``nomicgit order``, ``letters`` and ``keep``."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

import click

from nomicgit.cli.bodies.given import action_of, typed
from nomicgit.cli.face import loaded
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import clean, many
from nomicgit.git import Repository
from nomicgit.git.upstream import Upstream
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.ground.wording import in_words
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds import acting
from nomicgit.physics.deeds.keyed import WAIT
from nomicgit.physics.state.store import NeedsKey
from nomicgit.record.game import Game, new_id
from nomicgit.record.secret import leave, lettering, ordering, rounds, turning
from nomicgit.record.secret.keyring import key_at
from nomicgit.record.secret.told import Told
from nomicgit.sealing import age
from nomicgit.sealing.ciphers import Tampered
from nomicgit.sealing.orders import Order

MAILBOX = "nomicgit/mailbox"  # in the folder of Git: this clone's mailbox, which nobody else has
SEEN = "nomicgit/letter-seen"  # the deeds of which a letter told when it was shown here


def order(seat: Seat, action: str | None, given: tuple[str, ...], push: bool, blank: bool) -> int:
    game = seat.game()
    if (action is None) != blank or (blank and given):
        raise click.UsageError("name an action with its parameters, or ask for a blank order: --blank")
    if not game.terms:
        raise Refused.of(
            "this game keeps no secrets, and takes no orders", mend="do it in the open: nomicgit act"
        )
    actor, at, term = seat.actor(game), seat.moment(game), game.terms[-1]
    wanted = {} if action is None else typed(game, action, given)
    upstream = _upstream(game.repository) if push else None
    if upstream is not None:
        rounds.refuse_former(game, upstream)
    if action is not None:
        _refuse_unfit(game, action, actor, wanted)
    nonce, name = ordering.nonce(time.time_ns(), os.urandom(8)), os.urandom(12).hex()
    sealed = Order(
        game.terms[0].since, term.number, actor, action or ordering.BLANK, wanted, nonce, at
    ).armoured(term.public.recipient)
    branch = None
    if upstream is not None:
        branch = rounds.hand_in(game.repository, upstream, sealed, name)
    if seat.as_json:
        click.echo(json.dumps({"order": sealed, "nonce": nonce, "term": term.number, "branch": branch}))
    elif upstream is not None:
        click.echo(click.style("handed in, sealed", fg="green") + f"  ({nonce})")
        click.echo("what comes of it, your letter tells after the keeper's next round: nomicgit letters")
    else:
        click.echo(sealed.rstrip("\n"))
    return 0


def _refuse_unfit(game: Game, action: str, actor: str, given: Mapping[str, Any]) -> None:
    """Refuse an order whose parameters anybody can see to be wrong; what only the keeper can say is left to them."""
    world, declared = game.world(), action_of(game, action)
    try:
        with world.asking():
            acting.parameters(world, declared, given)
    except NeedsKey:
        return


def _upstream(repository: Repository) -> Upstream:
    upstream = Upstream.of(repository)
    if upstream is None:
        raise Refused.of(
            "this clone's branch follows no other, so nothing can be handed in",
            mend="give it to the keeper in another way: nomicgit order … prints it, nomicgit keep --order FILE takes it",
        )
    return upstream


def letters(
    seat: Seat, register: bool, mailbox: str | None, check: bool, whole: bool, file: Path | None
) -> int:
    game = seat.game()
    if not game.terms:
        raise Refused.of("this game keeps no secrets, and sends no letters")
    player = seat.actor(game)
    if register and mailbox is not None:
        raise click.UsageError(
            "--register makes a mailbox here, --mailbox names one elsewhere: say one of them"
        )
    if register or mailbox is not None:
        return _register(seat, game, player, mailbox)
    if check:
        return _check(seat, game, player)
    letter = _letter(game, player, file)
    lettering.lay_down(game, letter)
    seen = Path(game.repository.git_dir, SEEN)
    before = set(seen.read_text().split()) if seen.exists() and not whole else set()
    shown = letter | {
        part: [each for each in letter[part] if each["deed"] not in before] for part in ("told", "orders")
    }
    if seat.as_json:
        click.echo(json.dumps(shown))
    else:
        for line in _lines(shown, new=bool(before)):
            click.echo(line)
    lettering.lay(
        seen, "\n".join(sorted({each["deed"] for part in ("told", "orders") for each in letter[part]}))
    )
    return 0


def _check(seat: Seat, game: Game, player: str) -> int:
    """Hold the letters that lie in this clone to the record, with the keys at hand and those that are open."""
    tree = game.repository.commit(game.head.oid).tree
    keys = turning.all_keys(game.repository, tree, game.key or key_at(game.repository))
    own = {number: each for number, each in lettering.kept(game).items() if each["player"] == player}
    if not own:
        raise Refused.of("no letter of yours lies in this clone", mend="read one first: nomicgit letters")
    rows = {number: lettering.differing(game, letter, keys) for number, letter in own.items()}
    terms = {term.number: term for term in game.terms}
    shut = [number for number in rows if not any(terms[number].fits(key) for key in keys)]
    if seat.as_json:
        click.echo(
            json.dumps({"terms": {str(number): lines for number, lines in rows.items()}, "not_opened": shut})
        )
        return 1 if any(rows.values()) else 0
    for number, lines in rows.items():
        otherwise = click.style("otherwise than the record", fg="red") if lines else "as the record says"
        click.echo(f"term {number}: " + ("its key is not open yet" if number in shut else otherwise))
        for each in lines:
            click.echo(f"  {clean(each)}")
    return 1 if any(rows.values()) else 0


def _register(seat: Seat, game: Game, player: str, elsewhere: str | None) -> int:
    place = Path(game.repository.git_dir, MAILBOX)
    if elsewhere is None and not place.exists():
        lettering.lay(place, age.identity(os.urandom(32)))
    recipient = age.recipient_of(place.read_text()) if elsewhere is None else elsewhere
    at = seat.moment_of_deed(game)
    deed = Deed(new_id(at), player, Outside.MAILBOX, {"recipient": recipient}, at)
    if seat.dry_run:
        game.tried(deed)
        commit = None
    else:
        commit = game.act(deed).commit
    if seat.as_json:
        click.echo(json.dumps({"recipient": recipient, "commit": commit}))
        return 0
    where = "in this clone" if elsewhere is None else "known to the game"
    click.echo(click.style(f"your mailbox is {where}", fg="green") + f"  ({recipient})")
    former = "before" in dict((game.tree.entity(f"players/{player}") or {}).get("mailbox") or {})
    when = (
        "72 hours from now, and to the former mailbox till then" if former else "with the keeper's next round"
    )
    lies = f"its key lies in {place}, and nowhere else; " if elsewhere is None else ""
    click.echo(f"{lies}letters come {when}")
    return 0


def _letter(game: Game, player: str, file: Path | None) -> dict[str, Any]:
    """A player's letter: from a file, from where this clone pulls from, or from the vault where the key is at hand."""
    upstream = Upstream.of(game.repository)
    if file is None and upstream is None:
        letter: dict[str, Any] = json.loads(lettering.written(game)[player])
        return letter
    content = (
        file.read_bytes()
        if file is not None
        else rounds.fetched_letter(game, _upstream(game.repository), player)
    )
    if content is None:
        raise Refused.of(
            "no letter lies there for you",
            mend="register a mailbox (nomicgit letters --register), sync, and wait for the keeper",
        )
    place = Path(game.repository.git_dir, MAILBOX)
    if not place.exists():
        raise Refused.of("this clone has no mailbox", mend="make one: nomicgit letters --register")
    identity = place.read_text().strip()
    _refuse_other_mailbox(game, player, age.recipient_of(identity))
    try:
        return lettering.unpacked(game, player, content, identity)
    except Tampered as error:
        mend = "bring this clone up to date: nomicgit sync; if it says so still, somebody else has written it"
        raise Refused.of(error.problems[0].what, mend=mend) from None


def _refuse_other_mailbox(game: Game, player: str, own: str) -> None:
    """Refuse where letters go to another mailbox than this clone's, for now or for good."""
    kept: Any = (game.tree.entity(f"players/{player}") or {}).get("mailbox")
    if kept is None or own not in (kept["recipient"], kept.get("before")):
        raise Refused.of(
            "the mailbox of this clone is not yours in the game",
            mend="say so there: nomicgit letters --register, then nomicgit sync",
        )
    until = clock.instant(kept["since"]) + WAIT
    if "before" in kept and own == kept["recipient"] and game.last() < until and time.time() < until:
        raise Refused.of(
            f"letters go to your former mailbox until {clock.text(until)}, so that nobody takes it over unseen"
        )


def _lines(letter: Mapping[str, Any], *, new: bool) -> Iterator[str]:
    yield click.style(f"{letter['called']}, in private" + (", what is new" if new else ""), bold=True)
    for each in letter["told"]:
        yield f"  {each['at']}  {clean(each['text'])}"
    for each in letter["orders"]:
        what = clean(f"{each['action']} {in_words(each['with'], 60)}".strip())
        came = click.style("refused: ", fg="red") + clean(each["refused"]) if each["refused"] else "done"
        yield f"  {each['at']}  your order {what}: {came}"
        yield from (f"      {clean(line)}" for line in each["failures"])
    if not letter["told"] and not letter["orders"]:
        yield "  nothing new (all of it: nomicgit letters --all)" if new else "  nothing yet"
    sees = [each for each in letter["sees"] if each["value"] not in (None, "", [], {})]
    if sees:
        yield click.style("what you may see now", bold=True)
        yield from (
            f"  {clean(each['of'])} {each['name']}: {clean(in_words(each['value'], 100))}" for each in sees
        )


def keep(seat: Seat, orders: Sequence[TextIO]) -> int:
    game = seat.game()
    ordering.sealer_of(game)
    at = seat.moment(game)
    texts = [each.read(leave.MOST + 1) for each in orders]
    done = rounds.keep(game.repository, Upstream.of(game.repository), at, game.key, texts)
    announced = loaded("announce.tell_all")(seat) if os.environ.get("NOMICGIT_ANNOUNCE") else []
    if seat.as_json:
        click.echo(json.dumps({
            "came": done.came, "clock": done.clock, "taken": done.taken, "unfit": done.unfit, "waiting": done.waiting,
            "letters": done.letters, "pushed": done.pushed, "at": clock.text(at),
            "announced": [each.as_json() for each in announced],
        }))  # fmt: skip
    else:
        for line in (*_told(done), *(loaded("announce.lines")(announced) if announced else ())):
            click.echo(line)
    return 1 if done.unfit or any(each.why_not for each in announced) else 0


def _told(done: rounds.Round) -> Iterator[str]:
    if done.came:
        yield f"{many(done.came, 'new commit')} from the others"
    if done.clock:
        yield f"what waited for the clock has happened  (commit {done.clock[:10]})"
    yield f"{many(len(done.taken), 'order')} taken" if done.taken else "no orders"
    yield from (click.style(f"{clean(name)}: ", fg="red") + clean(why) for name, why in done.unfit.items())
    if done.waiting:
        yield f"{many(len(done.waiting), 'order')} left for tomorrow"
    if done.letters:
        yield f"{many(done.letters, 'letter')} written"
    if done.pushed:
        yield click.style(f"pushed {many(done.pushed, 'commit')}", fg="green")


def told(game: Game, player: str) -> Told | None:
    """What a letter in this clone tells somebody of the secrets of a game with keys."""
    return lettering.told(game, player)
