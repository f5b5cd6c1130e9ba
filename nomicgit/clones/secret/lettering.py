"""Letters: what each player has been told in private, may see now, and what became of their orders.

They are delivered, and not recorded: all that they say stands sealed in the record. Source: ``docs/secrets.md``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from nomicgit.clones.secret import addresses, ledger, seeing
from nomicgit.clones.secret.ledger import Ledger
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.physics.deeds.keyed import in_effect
from nomicgit.physics.state import naming, reading
from nomicgit.physics.state.context import Context, Seeded
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.store import Store
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game
from nomicgit.record.secret.custody import Keeping
from nomicgit.record.secret.ordering import sealer_of
from nomicgit.record.secret.told import Told
from nomicgit.sealing import letters
from nomicgit.sealing.keys import Sealer

LETTER = "nomicgit/letter-"
"""In the folder of Git, with the number of a term and a player: their letter of it that was read last in this clone, as it stands."""

NEWEST = "nomicgit/letter-newest-"
"""The same, with when their newest letter that came to this clone was written, read or not."""

May = Callable[[Game, str, Told, int], Sequence[Mapping[str, object]]]
"""What a player (by id) may do in private at a time (seconds, UTC), by what everybody sees and what their letter tells: a row of
JSON for each action.
"""


def open_world(game: Game, keeping: Keeping) -> Transaction:
    """The game after its last deed, with all that is secret, to be looked at by its keeper and thrown away."""
    tree = keeping.tree(game.repository, game.head.tree)
    position = Position(Store(tree), game.ruleset, game.physics, now=game.last())
    return Transaction(position, Context(secrets=True, keys=True), Seeded(b"looking", "looking"))


class Mail(Struct, frozen=True):
    """The letters of those who have a mailbox, by player (id), and to which keys they go, at a time (seconds, UTC)."""

    game: Game
    now: int
    letters: Mapping[str, Mapping[str, Any]]
    boxes: Mapping[str, str]

    @classmethod
    def of(cls, game: Game, now: int) -> Mail:
        """All that is to be read at a time (seconds, UTC). Refused where the key is not at hand."""
        entered = ledger.up_to_now(game, sealer_of(game))
        boxes = {
            name: left.recipient
            for name, left in entered.left.items()
            if left.recipient and left.begins <= now
        }
        boxes |= mailboxes(game, now)
        own = {who: letter for who, letter in _letters(game, entered).items() if who in boxes}
        return cls(game, now, own, boxes)

    def packed(self, sealer: Sealer, may: May) -> dict[str, bytes]:
        """The files of letters, each encrypted to its player's mailbox and signed by the keeper."""
        texts = {who: _text(self._with(letter, may)) for who, letter in self.letters.items()}
        return letters.packed(texts, self.boxes, sealer.signature)

    def _with(self, letter: Mapping[str, Any], may: May) -> dict[str, Any]:
        """A letter with what its player may do: asked without the key, so that it tells nothing that the rest does not."""
        if "left" in letter:
            return dict(letter)
        at = max(self.now, self.game.last())
        rows = may(self.game, letter["player"], told_by(letter), at)
        return {**letter, "may": {"at": clock.text(at), "actions": rows}}


def written(game: Game) -> dict[str, bytes]:
    """The letter of every player, and the last one of who is no player any more, in JSON: ``told``, ``orders`` and ``sees``,
    oldest first, the last as of the commit ``stood``; ``left`` where it is the last.
    """
    return {
        who: _text(letter) for who, letter in _letters(game, ledger.up_to_now(game, sealer_of(game))).items()
    }


def _text(letter: Mapping[str, Any]) -> bytes:
    return json.dumps(letter, ensure_ascii=False, sort_keys=True).encode()


def _letters(game: Game, entered: Ledger) -> dict[str, dict[str, Any]]:
    keeping = game.keeping()
    assert keeping is not None
    world = open_world(game, keeping)
    seen = list(seeing.seen(world))
    players = [ref.partition("/")[2] for ref in reading.roster(world, idle=True)]
    own_letters = {}
    for player in (*players, *entered.left):
        left, own = entered.left.get(player), entered.of(player)
        ref = f"players/{player}"
        letter = {
            "game": keeping.terms[0].since, "term": keeping.term.number, "player": player,
            "called": naming.called(world.store, player), "at": max(entered.newest, entered.mended), "stood": game.head.oid, **own,
            "sees": [
                {"of": each.ref, "name": each.name, "value": each.value} for each in seen if ref in each.viewers
            ],
        }  # fmt: skip
        if left is not None:
            last = max(
                [left.at, entered.mended, *(each["at"] for entries in own.values() for each in entries)]
            )
            letter |= {
                "at": last,
                "stood": "",
                "sees": [],
                "left": {"deed": left.deed, "at": left.at, "what": left.what},
            }
        own_letters[player] = letter
    return own_letters


def mailboxes(game: Game, now: int) -> dict[str, str]:
    """To which key letters to each player are written at a time (seconds, UTC): the former one until a new one has waited, and
    none where the first one waits.
    """
    boxes = {name: in_effect(kept, now) for name, kept in addresses.registered(game)}
    return {name: recipient for name, recipient in boxes.items() if recipient}


def lay_down(game: Game, letter: Mapping[str, Any]) -> None:
    """Keep a letter in this clone, where nobody else may read it: what its reader may do hangs on it."""
    lay(_place(game, letter["term"], letter["player"]), json.dumps(letter))


def _place(game: Game, term: int, player: str) -> Path:
    return Path(game.repository.git_dir, f"{LETTER}{term}-{player}")


def told(game: Game, player: str) -> Told | None:
    """What the letter that lies in this clone tells a player (by id) of the secrets; None where none does, of this term."""
    letter = kept(game, player).get(game.terms[-1].number) if game.terms else None
    return None if letter is None else told_by(letter)


def told_by(letter: Mapping[str, Any]) -> Told:
    """What a letter tells its player of the secrets."""
    seen: dict[str, dict[str, object]] = {}
    for each in letter["sees"]:
        seen.setdefault(each["of"], {})[each["name"]] = each["value"]
    return seen


def kept(game: Game, player: str) -> dict[int, dict[str, Any]]:
    """The letters of a player (by id) that lie in this clone, by their terms."""
    places = (_place(game, term.number, player) for term in game.terms)
    letters = (json.loads(place.read_text()) for place in places if place.exists())
    return {letter["term"]: letter for letter in letters}


def lay(place: Path, text: str) -> None:
    """Write a file that nobody else may read."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.touch(mode=0o600)
    place.chmod(0o600)
    place.write_text(text + "\n")


class PutBack(Refused):
    """A letter is older than one that came to this clone before."""


def unpacked(game: Game, player: str, file: bytes, identity: str) -> dict[str, Any]:
    """A player's letter; that it came is remembered. Refused where it is not for this mailbox, or not by the keeper, or of somebody
    else; PutBack where a newer one came before.
    """
    term = game.terms[-1]
    letter: dict[str, Any] = json.loads(letters.unpacked(file, identity, term.public.signer))
    if (letter["game"], letter["player"]) != (game.terms[0].since, player):
        raise Refused.of(
            "this letter is somebody else's, or of another game",
            mend=remedy("tell its keeper; fetch it again:", command("nomicgit", "letters")),
        )
    if not all(ledger.fits(letter[part]) for part in ("told", "orders")):
        raise Refused.of(
            "this letter tells more than there is room for in one, so that nobody could read it",
            mend="who keeps the key has not written it with this program: ask them, and compare at the opening",
        )
    before = kept(game, player).get(letter["term"], {}).get("at", "")
    place = Path(game.repository.git_dir, f"{NEWEST}{letter['term']}-{player}")
    newest = max(before, place.read_text().strip() if place.exists() else "")
    if newest > letter["at"]:
        raise PutBack.of(
            f"this letter is older than the one that you had, of {newest}",
            mend="somebody has put it back: tell its keeper",
        )
    if newest < letter["at"]:
        lay(place, letter["at"])
    return letter
