"""Letters: what each player has been told in private, may see now, and what became of their orders.

They are delivered, and not recorded: all that they say stands sealed in the record. Source: ``docs/secrets.md``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.physics.deeds.keyed import in_effect
from nomicgit.physics.state import naming, reading, seeing
from nomicgit.physics.state.context import Context, Seeded
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.store import Store
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record import journal
from nomicgit.record.game import Game
from nomicgit.record.secret import turning, veil
from nomicgit.record.secret.custody import Keeping
from nomicgit.record.secret.ordering import sealer_of
from nomicgit.record.secret.veil import Behind
from nomicgit.sealing import letters
from nomicgit.sealing.keys import Sealer

LETTER = "nomicgit/letter-"
"""In the folder of Git, with the number of a term: the letter of it that was read last in this clone, as it stands."""
MOST = 400_000
"""Letters of what somebody was told and ordered, the newest first: beyond that the oldest is left out of their letter."""
SHOWN = 1_000
"""Letters of an order's parameters, beyond which a letter leaves them out."""


def open_world(game: Game, keeping: Keeping) -> Transaction:
    """The game after its last deed, with all that is secret, to be looked at by its keeper and thrown away."""
    tree = keeping.tree(game.repository, game.head.tree)
    position = Position(Store(tree), game.ruleset, game.physics, now=game.last())
    return Transaction(position, Context(secrets=True, keys=True), Seeded(b"looking", "looking"))


def written(game: Game) -> dict[str, bytes]:
    """The letter of every player, in JSON: ``told``, ``orders`` and ``sees``, oldest first."""
    sealer, keeping = sealer_of(game), game.keeping()
    assert keeping is not None
    world = open_world(game, keeping)
    messages: dict[str, list[dict[str, Any]]] = {}
    orders: dict[str, list[dict[str, Any]]] = {}
    newest = ""
    for behind in reversed(list(_behind(game, sealer))):
        at, deed = clock.text(behind.deed.at), behind.deed
        newest = at
        for who, text in behind.messages:
            messages.setdefault(who, []).append({"deed": deed.id, "at": at, "text": text})
        if deed.nonce is not None and deed.actor is not None:
            orders.setdefault(deed.actor, []).append({
                "deed": deed.id, "at": at, "nonce": deed.nonce, "action": deed.action, "with": _shown(deed.given),
                "refused": behind.refusal, "failures": list(behind.failures),
            })  # fmt: skip
    texts, seen = {}, list(seeing.seen(world))
    for ref in reading.roster(world, idle=True):
        player = ref.partition("/")[2]
        sees = [
            {"of": each.ref, "name": each.name, "value": each.value} for each in seen if ref in each.viewers
        ]
        texts[player] = json.dumps(
            {
                "game": keeping.terms[0].since, "term": keeping.term.number, "player": player,
                "called": naming.called(world.store, player), "at": newest, "told": _newest(messages.get(player, [])),
                "orders": _newest(orders.get(player, [])), "sees": sees,
            }, ensure_ascii=False, sort_keys=True,
        ).encode()  # fmt: skip
    return texts


def _shown(given: Mapping[str, object]) -> dict[str, object]:
    """An order's parameters as a letter repeats them; none where they are long, for its owner knows them."""
    return dict(given) if len(json.dumps(given)) <= SHOWN else {}


def _newest(entries: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """As many of the newest as a letter has room for."""
    room, kept = MOST, list[dict[str, Any]]()
    for entry in reversed(entries):
        room -= len(json.dumps(entry))
        if room < 0:
            break
        kept.append(entry)
    return kept[::-1]


def _behind(game: Game, sealer: Sealer) -> Iterator[Behind]:
    """What stands behind the veil of sealed deeds, the newest first: of this term, and of those whose keys were passed on."""
    terms = list(game.terms)
    sealers = {game.terms[-1].number: sealer}
    for key in turning.earlier_keys(terms, sealer):
        sealers |= {term.number: Sealer(key, sealer.game) for term in terms if term.fits(key)}
    for commit in journal.standing(game.repository.log(game.head.oid)):
        entry = journal.told(commit.message)
        of_term = sealers.get(terms[-1].number)
        if of_term is None:
            return
        behind = veil.behind(entry, of_term) if entry is not None and entry.sealed else None
        if behind is not None:
            yield behind
        if entry is not None and entry.deed.id == terms[-1].since:
            terms.pop()
            if not terms:
                return


def mailboxes(game: Game, now: int) -> dict[str, str]:
    """To which key letters to each player are written at a time (seconds, UTC): the former one until a new one has waited."""
    boxes = {}
    for name in game.tree.ids("players"):
        kept = (game.tree.entity(f"players/{name}") or {}).get("mailbox")
        if isinstance(kept, Mapping):
            boxes[name] = in_effect(kept, now)
    return boxes


def packed(game: Game, now: int) -> dict[str, bytes]:
    """The files of letters, each encrypted to its player's mailbox and signed by the keeper."""
    sealer = sealer_of(game)
    return letters.packed(written(game), mailboxes(game, now), sealer.signature)


def lay_down(game: Game, letter: Mapping[str, Any]) -> None:
    """Keep a letter in this clone, where nobody else may read it: what its reader may do hangs on it."""
    lay(Path(game.repository.git_dir, f"{LETTER}{letter['term']}"), json.dumps(letter))


def told(game: Game, player: str) -> dict[str, dict[str, object]] | None:
    """What the letter that lies in this clone tells a player (by id) of the secrets; None where none does, of this term."""
    letter = kept(game).get(game.terms[-1].number) if game.terms else None
    if letter is None or letter["player"] != player:
        return None
    seen: dict[str, dict[str, object]] = {}
    for each in letter["sees"]:
        seen.setdefault(each["of"], {})[each["name"]] = each["value"]
    return seen


def kept(game: Game) -> dict[int, dict[str, Any]]:
    """The letters that lie in this clone, by their terms."""
    places = (Path(game.repository.git_dir, f"{LETTER}{term.number}") for term in game.terms)
    letters = (json.loads(place.read_text()) for place in places if place.exists())
    return {letter["term"]: letter for letter in letters}


def lay(place: Path, text: str) -> None:
    """Write a file that nobody else may read."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.touch(mode=0o600)
    place.chmod(0o600)
    place.write_text(text + "\n")


def unpacked(game: Game, player: str, file: bytes, identity: str) -> dict[str, Any]:
    """A player's letter. Refused where it is not for this mailbox, or not by the keeper, or of somebody else."""
    term = game.terms[-1]
    letter: dict[str, Any] = json.loads(letters.unpacked(file, identity, term.public.signer))
    if (letter["game"], letter["player"]) != (game.terms[0].since, player):
        raise Refused.of(
            "this letter is somebody else's, or of another game",
            mend="tell its keeper; fetch it again: nomicgit letters",
        )
    before = kept(game).get(letter["term"])
    if before is not None and before["player"] == player and before.get("at", "") > letter["at"]:
        raise Refused.of(
            f"this letter is older than the one that you had, of {before['at']}",
            mend="somebody has put it back: tell its keeper",
        )
    return letter
