"""What somebody pushed is replayed before the game's key is used upon it, and before an order is sealed to that."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from support.clones import Clone
from support.rounds_table import HOUR, MAILBOX, Table, git

from nomicgit.ground.problems import Refused
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.record.game import new_id
from nomicgit.record.secret import ordering, turning
from nomicgit.sealing import age

SPY = age.recipient(bytes(range(1, 33)))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def no_admin(folder: Path) -> None:
    """What only a replay finds: nothing of it but a word of the state differs."""
    file = folder / "game/state/players/ben.yml"
    file.write_text(file.read_text().replace("admin: true", "admin: false"))


def another_key(folder: Path) -> None:
    file = folder / "game/sealed/keys.yml"
    file.write_text(re.sub("recipient: age1.*", f"recipient: {SPY}", file.read_text()))


def no_sealed_deed(folder: Path) -> None:
    (folder / "game/sealed/since").write_text("")


def refs(table: Table) -> str:
    return git(table.bare, "for-each-ref")


@pytest.mark.slow
def test_a_round_upon_what_no_deed_makes_reads_and_writes_nothing(table: Table) -> None:
    table.do(table.player, "cy", Outside.MAILBOX, {"recipient": age.recipient(MAILBOX)})
    table.sync(table.player)
    table.round("cy")
    commit = table.forged(no_admin)
    table.hand_in(table.order("cy", "tell", {"to": "dee", "text": "x"}, "n1"), "a")
    before = refs(table)
    for _ in range(2):  # the second time the clone knows it
        with pytest.raises(Refused, match=commit[:12]) as refused:
            table.round()
        assert "push --force-with-lease" in str(refused.value)
    assert refs(table) == before


@pytest.mark.slow
@pytest.mark.parametrize("change", [another_key, no_sealed_deed])
def test_an_open_deed_that_changes_what_is_sealed_is_seen_without_replaying(
    table: Table, change: Callable[[Path], None]
) -> None:
    table.at += HOUR
    table.do(table.keeper, "cy", "tell", {"to": "dee", "text": "x"})
    table.sync(table.keeper)
    git(table.bare, "clone", "-q", str(table.bare), str(table.bare.parent / "third"))
    third = Clone(table.bare.parent / "third")
    commit = table.forged(change)
    assert commit[:12] in third.play("sync", code=1)
    assert third.head != commit


@pytest.mark.slow
def test_no_deed_is_sealed_upon_what_this_clone_has_not_replayed(table: Table) -> None:
    table.forged(no_admin)
    git(table.keeper, "pull", "-q")
    game, at = table.game(table.keeper), table.at + HOUR
    order = table.order("cy", "tell", {"to": "dee", "text": "x"}, "n1")
    for door in (
        lambda: game.act(Deed(new_id(at), "cy", "tell", {"to": "dee", "text": "x"}, at)),
        lambda: ordering.take(game, order, at=at, since=at),
        lambda: turning.begin_term(game, "ana", at),
    ):
        with pytest.raises(Refused, match="not verified"):
            door()


@pytest.mark.slow
def test_own_sealed_deeds_are_not_laid_upon_what_no_deed_makes(table: Table) -> None:
    table.at += HOUR
    table.do(table.keeper, "cy", "tell", {"to": "dee", "text": "x"})
    commit, head = table.forged(no_admin), git(table.keeper, "rev-parse", "HEAD")
    synced = table.sync(table.keeper)
    assert [stray.commit for stray in synced.strays] == [commit]
    assert synced.pushed == 0
    assert git(table.keeper, "rev-parse", "HEAD") == head


@pytest.mark.slow
def test_the_commands_of_a_keeper_and_of_who_orders_replay_what_is_new_and_name_it(table: Table) -> None:
    keeper, player = Clone(table.keeper), Clone(table.player)
    keeper.play("act", "tell", "to=dee", "text=x", "--as", "cy")
    keeper.play("sync")
    player.play("sync")
    player.play("order", "tell", "to=dee", "text=Hi", "--as", "cy")
    commit = table.forged(no_admin)
    assert commit[:12] in player.play("order", "tell", "to=dee", "text=Hi", "--as", "cy", code=1)
    assert commit[:12] in player.play("status", code=1)
    keeper.git("pull", "--quiet")
    for words in (
        ["act", "tell", "to=dee", "text=x", "--as", "cy"],
        ["keys", "move"],
        ["keys", "open", "1"],
        ["keys", "share", "2", "--to", "cy", "--to", "dee"],
        ["keep"],
    ):
        assert commit[:12] in keeper.play(*words, code=1)
