"""The ledger of letters: a round opens only what is new, and letters are the same as though all had been opened again."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any, NoReturn, cast

import pytest
from support.editions import PRACTICES
from support.keyed import KEY, KeyedGame

from nomicgit.clones.others import vetting
from nomicgit.clones.remedy import Remedy
from nomicgit.clones.secret import addresses, comparing, handouts, ledger, lettering
from nomicgit.git.layout import remember
from nomicgit.ground import kept
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed, Draw, Outcome
from nomicgit.physics.state.store import Store
from nomicgit.record import journal, keepsakes
from nomicgit.record.game import Game, new_id
from nomicgit.record.journal import Entry
from nomicgit.record.secret import turning, veil
from nomicgit.record.secret.keyring import keep_key
from nomicgit.sealing import age
from nomicgit.sealing.keys import Sealer


class Kept:
    """A game of assassin in its keeper's clone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.at = PRACTICES["assassin"].sealed.at
        game = KeyedGame.founded(folder, "assassin", PRACTICES["assassin"].sealed, {"by": ["ana"], "of": 1})
        keep_key(game.game.repository, KEY)
        self.file = folder / ".git" / ledger.FILE

    def game(self) -> Game:
        return Game.open(self.folder)

    def do(self, actor: str, action: str, /, **given: Any) -> str:
        self.at += 3600
        return self.game().act(Deed(new_id(self.at), actor, action, given, self.at)).commit

    def told(self, player: str) -> list[str]:
        """What somebody's letter tells; the same from what is kept and from the record alone."""
        kept = lettering.written(self.game())
        lies = self.file.read_bytes()
        self.file.unlink()
        assert lettering.written(self.game()) == kept
        self.file.write_bytes(lies)
        return [each["text"] for each in json.loads(kept[player])["told"]]


def full_disk() -> NoReturn:
    raise OSError(28, "No space left on device")


def test_a_letter_tells_the_dice_of_an_order_and_none_of_which_only_the_emperor_learns() -> None:
    thrown = [Draw("d6", "4", secret=False), Draw("d8", "5", secret=True)]
    deed = Deed("20210607T010000Z-0b93ee37ecd5", "cy", "roll", {}, 1623027600, nonce="1")
    outcome = Outcome(deed, None, [], [], thrown, [], [], sealed=True, hidden=True)
    sealer = Sealer(KEY, "0123abcd" * 5)
    text = veil.message(outcome, cast(Store, None), sealer, seeds=(), evidence={})
    assert "d6" not in text
    entry = journal.told(text)
    assert entry is not None
    behind = veil.behind(entry, sealer)
    assert behind is not None
    answer = ledger.answer_to(behind)
    assert answer is not None
    assert answer["dice"] == ["d6: 4"]


@pytest.fixture
def table(tmp_path: Path) -> Kept:
    return Kept(tmp_path / "game")


@pytest.mark.slow
def test_letters_are_the_same_from_what_is_kept_and_from_the_record(table: Kept) -> None:
    table.do("cy", Outside.MAILBOX, recipient=age.recipient(bytes(32)))
    addresses.vouch(table.game(), "cy", table.at)
    table.do("dee", "tell", to="cy", text="one")
    assert table.told("cy") == ["one"]
    stood = table.do("ana", "post", title="A place", body="Here.")
    table.do("dee", "tell", to="cy", text="two")
    assert table.told("cy") == ["one", "two"]
    table.at += 3600
    Remedy.to(table.game().repository, stood, table.at).record(["ana"], table.at, sure=True)
    vetting.refuse_unsound(table.game().repository, table.game().head.oid)
    table.do("dee", "tell", to="cy", text="three")
    assert table.told("cy") == ["one", "three"]
    table.do("cy", "leave")
    assert table.told("cy") == ["one", "three"]
    first = json.loads(lettering.written(table.game())["cy"])["left"]
    assert list(lettering.Mail.of(table.game(), table.at).letters) == ["cy"]
    table.at += 15 * 24 * 3600
    table.do("cy", "join")
    table.do(next(iter(PRACTICES["assassin"].sealed.admins)), "admit", newcomer="cy")
    table.do("dee", "tell", to="cy", text="four")
    table.do("cy", "leave")  # before the next round
    assert table.told("cy") == ["one", "three", "four"]
    last = json.loads(lettering.written(table.game())["cy"])["left"]
    assert first["at"] < last["at"]
    turning.begin_term(table.game(), "ana", table.at + 60)
    table.at += 3600
    assert table.told("cy") == ["one", "three", "four"]
    table.do("dee", "tell", to="ana", text="five")
    assert table.told("ana") == ["five"]
    assert lettering.Mail.of(table.game(), table.at).boxes == {}, "they had no mailbox when they left last"


def test_a_private_deed_in_a_players_name_that_nobody_ordered_is_told_to_them_and_missed_where_it_is_not(
    table: Kept,
) -> None:
    """Whoever has the key can do one; of what everybody sees in the journal letters tell nothing."""
    table.do("cy", "tell", to="dee", text="one")
    tolled = table.do("ana", "toll-the-bell")
    game = table.game()
    assert "Nomic-Sealed: " in game.repository.commit(tolled).message
    letter = json.loads(lettering.written(game)["cy"])
    assert [(each["nonce"], each["action"], each["with"]) for each in letter["orders"]] == [
        ("", "tell", {"to": "dee", "text": "one"})
    ]
    assert [json.loads(lettering.written(game)[who])["orders"] for who in ("ana", "ben", "dee")] == [
        [],
        [],
        [],
    ]
    record = comparing.Record.of(game, None)
    assert comparing.differing(game, letter, [KEY], record) == []
    (missed,) = comparing.differing(game, {**letter, "orders": []}, [KEY], record)
    assert "it leaves out" in missed
    assert "without an order of yours tell" in missed


def test_a_round_opens_only_what_is_new_and_what_it_keeps_tells_nobody(
    table: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        table.do("dee", "tell", to="cy", text=f"meet-me-{number}")
    opened = list[str]()
    behind = veil.behind

    def counted(entry: Entry, sealer: Sealer) -> veil.Behind | None:
        opened.append(entry.deed.id)
        return behind(entry, sealer)

    monkeypatch.setattr(veil, "behind", counted)
    for many in (4, 0, 1):  # the founding is sealed too
        opened.clear()
        lettering.written(table.game())
        assert len(opened) == many
        if not many:
            table.do("dee", "tell", to="cy", text="meet-me")
    assert "meet-me" not in table.file.read_text()
    found = subprocess.run(["grep", "-ra", "meet-me", str(table.folder)], capture_output=True, check=False)
    assert found.stdout == b""
    for harm in ("", "no base64", '"AAAA"', '"AAA"'):
        table.file.write_text(harm)
        assert len(json.loads(lettering.written(table.game())["cy"])["told"]) == 4


def test_what_a_clone_remembers_is_kept_whole_or_not_at_all(
    table: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And whatever has become of it, nothing hangs on it."""
    repository, file = table.game().repository, "nomicgit/remembered"
    path = table.folder / ".git" / file
    keepsakes.keep(repository, file, ["cy", 1])
    assert keepsakes.kept(repository, file) == ["cy", 1]
    assert path.read_text().partition("\n")[2] == '["cy", 1]'
    with monkeypatch.context() as full:
        full.setattr(
            kept,
            "open",
            lambda place, *_, **__: Path(place).write_text('["d') and full_disk(),
            raising=False,
        )
        keepsakes.keep(repository, file, ["dee", 2])
    assert [*path.parent.glob("remembered*")] == [path]
    assert keepsakes.kept(repository, file) == ["cy", 1]
    empty: tuple[object, ...] = (None, [], {}, "")
    for nothing in empty:
        keepsakes.keep(repository, file, nothing)
        assert (keepsakes.kept(repository, file), path.exists()) == (None, False)
        path.write_text("[1")
        assert keepsakes.kept(repository, file) is None
    path.unlink()
    path.mkdir()
    keepsakes.keep(repository, file, [2])
    assert (keepsakes.kept(repository, file), path.is_dir()) == (None, True)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes among files")
def test_what_another_has_laid_where_a_clone_remembers_is_neither_waited_for_nor_written_through(
    table: Kept, tmp_path: Path
) -> None:
    repository, file = table.game().repository, "nomicgit/remembered"
    path, precious = table.folder / ".git" / file, tmp_path / "precious"
    path.parent.mkdir(exist_ok=True)
    os.mkfifo(path)
    assert keepsakes.kept(repository, file) is None
    path.unlink()
    keepsakes.keep(repository, file, ["cy", 1])
    path.replace(precious)
    path.symlink_to(precious)
    was = precious.read_bytes()
    assert keepsakes.kept(repository, file) is None
    keepsakes.keep(repository, file, ["dee", 2])
    assert (precious.read_bytes(), path.is_symlink(), keepsakes.kept(repository, file)) == (
        was,
        False,
        ["dee", 2],
    )


@pytest.mark.parametrize("harm", ['"x"', "[1]", "{}", "[1, 2, 3, 4]", '[1, 2, "cy"]'])
def test_shares_of_which_nothing_sound_is_remembered_are_none(table: Kept, harm: str) -> None:
    remember(table.game().repository.git_dir, keepsakes.SHARES, harm.encode())
    assert handouts.handed(table.game()) is None
    assert list(handouts.outdated(table.game(), table.at)) == []
