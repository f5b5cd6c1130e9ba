"""Whoever can push registers mailboxes in others' names, and lays down what they like where orders and letters lie."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from language.tiny import rule, ruleset
from support.clones import Clone
from support.depth import DEEP
from support.keyed import KEY
from support.rounds_table import HOUR, MAILBOX, Table, git

from nomicgit.clones.others import vetting
from nomicgit.clones.remedy import Remedy
from nomicgit.clones.secret import addresses, inbox, lettering, rounds
from nomicgit.git import Repository
from nomicgit.git.incoming import serve
from nomicgit.git.upstream import Upstream
from nomicgit.ground.problems import Refused
from nomicgit.law.outside import Outside
from nomicgit.outlook.openings import in_private
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.keyed import Judged
from nomicgit.physics.numbers import NEWEST
from nomicgit.record import journal
from nomicgit.record.game import new_id
from nomicgit.record.secret import ordering, turning, veil
from nomicgit.record.secret.keyring import keep_key, key_at
from nomicgit.replay.verifying import verify
from nomicgit.sealing import age

OWN, THIEFS, LATER = (age.recipient(bytes([n] * 32)) for n in (1, 2, 3))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def registered(table: Table, recipient: str, name: str = "cy") -> None:
    table.do(table.keeper, name, Outside.MAILBOX, {"recipient": recipient})


def see(table: Table) -> list[Judged]:
    table.at += HOUR
    game = table.game(table.keeper)
    vetting.refuse_unsound(game.repository, game.head.oid)
    return [each.judged for each in addresses.see(game, table.at)]


def letters_go(table: Table) -> str:
    return lettering.mailboxes(table.game(table.keeper), table.at).get("cy", "")


def contested(table: Table) -> str:
    """Cy's own mailbox counts; a thief's was registered and seen, and Cy has said no. Gives the deed by which they said so."""
    registered(table, OWN)
    addresses.vouch(table.game(table.keeper), "cy", table.at)
    registered(table, THIEFS)
    assert see(table) == [Judged.SEEN]
    registered(table, OWN)
    message = git(table.keeper, "log", "-1", "--format=%B")
    return next(line.partition(": ")[2] for line in message.splitlines() if line.startswith("Nomic-Id"))


def holds(table: Table) -> None:
    """The record is sound, with the key and without."""
    game = table.game(table.keeper)
    for keys in ([KEY], []):
        kept = verify(game.repository, game.head.oid, keys=keys)
        assert (kept.faults, kept.doubts) == ([], [])


def mend(table: Table, to: str) -> None:
    with Repository.open(table.keeper) as repository:
        Remedy.to(repository, to, table.at, lambda *_: None).record(["ben"], table.at, sure=True)


# ---- whose letters go where


@pytest.mark.slow
def test_undoing_what_a_player_said_against_a_mailbox_brings_it_not_back(table: Table) -> None:
    said = contested(table)
    table.do(table.keeper, "ben", "propose", {"title": "Undone", "changes": [{"undo": said}]})
    for voter in table.start.players:
        table.do(table.keeper, voter, "vote", {"matter": 1, "icon": "for"})
    table.at += 80 * HOUR
    table.do(table.keeper, "ben", "resolve", {"matter": 1})
    assert "status: enacted" in "".join(path.read_text() for path in table.keeper.glob("game/posts/**/*.md"))
    assert letters_go(table) == OWN
    holds(table)


@pytest.mark.slow
def test_a_mend_lets_a_mailbox_that_waited_wait_anew(tmp_path: Path) -> None:
    table = Table(tmp_path, restore={"by": ["ben"], "of": 1})
    contested(table)
    before = git(table.keeper, "rev-parse", "HEAD^").strip()
    table.at += 80 * HOUR
    mend(table, before)
    assert letters_go(table) == OWN
    assert see(table) == [Judged.SEEN]
    table.at += 71 * HOUR
    assert letters_go(table) == OWN
    table.at += HOUR
    assert letters_go(table) == THIEFS, "nobody has said no since"
    registered(table, OWN, "dee")
    before = git(table.keeper, "rev-parse", "HEAD").strip()
    registered(table, LATER)
    mend(table, before)
    assert letters_go(table) == THIEFS, "one that counted by then counts still"
    holds(table)


def test_no_law_declares_where_letters_go() -> None:
    law = ruleset({"1-core/10-post.md": rule("variables: {mailbox: {of: player, type: text, default: ''}}")})
    assert "the program itself keeps mailbox" in str(NEWEST.law(law).problems)


@pytest.mark.slow
def test_somebody_elses_mailbox_is_named_with_whose_it_is(table: Table) -> None:
    registered(table, OWN, "dee")
    registered(table, OWN)
    waits = {box.player: box.others for box in addresses.waiting(table.game(table.keeper), table.at)}
    assert waits == {"cy": ("dee",), "dee": ("cy",)}
    registered(table, LATER, "dee")
    assert [box.others for box in addresses.waiting(table.game(table.keeper), table.at)] == [(), ()]


@pytest.mark.slow
def test_who_comes_back_under_a_name_that_left_reads_nothing_before_its_mailbox_has_waited(
    table: Table,
) -> None:
    """Be it the same player, or somebody who says that they are."""
    registered(table, OWN)
    addresses.vouch(table.game(table.keeper), "cy", table.at)
    table.do(table.keeper, "dee", "tell", {"to": "cy", "text": "at the well"})
    table.do(table.keeper, "cy", "leave", {})
    table.at += 15 * 24 * HOUR
    table.do(table.keeper, "cy", "join", {})
    table.do(table.keeper, "ben", "admit", {"newcomer": "cy"})
    registered(table, THIEFS)
    assert letters_go(table) == ""
    assert see(table) == [Judged.SEEN]
    table.at += 71 * HOUR
    assert letters_go(table) == ""
    holds(table)


@pytest.mark.slow
@pytest.mark.parametrize(("hours", "goes"), [(-80, OWN), (80, OWN)])
def test_no_clock_of_who_pushes_shortens_the_wait(table: Table, hours: int, goes: str) -> None:
    """A mailbox of long ago waits from when it is seen; one of the future is no deed yet."""
    registered(table, OWN)
    addresses.vouch(table.game(table.keeper), "cy", table.at)
    table.do(table.keeper, "dee", "tell", {"to": "cy", "text": "at the well"})
    at = max(table.at + hours * HOUR, table.game(table.keeper).last())
    table.game(table.keeper).act(Deed(new_id(at), "cy", Outside.MAILBOX, {"recipient": THIEFS}, at))
    assert [each.judged for each in addresses.see(table.game(table.keeper), at)] == [Judged.SEEN]
    table.at = at + 71 * HOUR
    assert letters_go(table) == goes


# ---- where orders lie


def laid(table: Table, ref: str, files: dict[str, bytes]) -> str:
    """Let somebody push a commit of these files to a branch, whatever it was."""
    commit = Repository.open(table.player).lone(files, "x")
    git(table.player, "push", "-q", "--force", "origin", f"{commit}:refs/heads/{ref}")
    return commit


def honest(table: Table) -> str:
    return table.order("dee", "tell", {"to": "cy", "text": "x"}, "n1")


def branches(table: Table) -> list[str]:
    return git(table.bare, "for-each-ref", "--format=%(refname:short)").split()


@pytest.mark.slow
def test_branches_in_the_way_of_orders_and_letters_are_named_and_taken_away(table: Table) -> None:
    registered(table, age.recipient(MAILBOX))
    table.sync(table.keeper)
    table.sync(table.player)
    laid(table, "orders", {"a": b"b"})
    laid(table, "letters/x", {"a": b"b"})
    laid(table, "shares/x", {"a": b"b"})
    with pytest.raises(Refused, match=r"a branch `orders` lies where orders are handed in.*next round"):
        table.hand_in(honest(table), "honest")
    done = table.round("cy")
    assert (sorted(done.unfit), done.letters) == (
        ["refs/heads/letters/x", "refs/heads/orders", "refs/heads/shares/x"],
        1,
    )
    assert branches(table) == ["letters", "main"]
    table.hand_in(honest(table), "honest")
    assert len(table.round().taken) == 1
    serve(Repository.open(table.bare), [sys.executable, "-m", "nomicgit", "receive"])
    git(table.bare, "update-ref", "-d", "refs/heads/letters")
    for ref in ("orders", "letters/x", "shares/x"):
        with pytest.raises(subprocess.CalledProcessError) as refused:
            laid(table, ref, {"a": b"b"})
        assert "would lie in the way of orders, letters or shares" in refused.value.stderr


@pytest.mark.slow
def test_no_number_of_branches_and_no_size_keeps_an_order_from_the_keeper(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "ROUND", 5)
    monkeypatch.setattr(inbox, "LOOKED", 1000)
    laid(table, "orders/big", {"order": os.urandom(1 << 20)})
    laid(table, "orders/long", {"order": b"-----BEGIN AGE ENCRYPTED FILE-----\n" + b"A" * (1 << 20)})
    laid(table, "orders/folder", {"order/order": b"x"})
    for n in range(20):
        laid(table, f"orders/text{n}", {"order": f"order {n}".encode()})
    junk = laid(table, "orders/other", {"x": b"x"})
    copied = laid(
        table, "orders/copy", {"order": table.order("dee", "tell", {"to": "cy", "text": "y"}, "n2").encode()}
    )
    lines = "".join(
        f"create refs/heads/orders/j{n} {junk}\ncreate refs/heads/orders/c{n} {copied}\n" for n in range(400)
    )
    subprocess.run(["git", "-C", str(table.bare), "update-ref", "--stdin"], input=lines.encode(), check=True)
    table.hand_in(honest(table), "honest")
    done = table.round()
    assert (len(done.taken), len(done.unfit), done.left) == (2, 424, 0)
    assert branches(table) == ["main"]


@pytest.mark.slow
def test_orders_beyond_those_of_a_round_lie_there_for_the_next_and_are_counted(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "ROUND", 2)
    for n in range(5):
        table.hand_in(table.order("dee", "tell", {"to": "cy", "text": "x"}, f"n{n}"), f"o{n}")
    rounds = [table.round() for _ in range(3)]
    assert [(len(each.taken), each.left) for each in rounds] == [(2, 3), (2, 1), (1, 0)]
    holds(table)


@pytest.mark.slow
def test_orders_for_another_term_or_another_key_are_refused_by_name(table: Table) -> None:
    former = honest(table)
    mine = table.order("dee", "tell", {"to": "cy", "text": "x"}, "n2")
    table.hand_in(mine, "a")
    assert len(table.round().taken) == 1
    turning.begin_term(table.game(table.keeper), "ana", table.at)
    table.sync(table.keeper)
    nobodys = age.encrypted(b"x" * 512, [age.recipient(b"n" * 32)], armour=True).decode()
    of_a_term = "this is an order for term 1, and the game is in term 2, whose key is another: make it anew"
    for armour, wrong in ((former, of_a_term), (mine, of_a_term), (nobodys, "broken, or for another key")):
        table.hand_in(armour, "b")
        (why,) = table.round().unfit.values()
        assert wrong in why
    assert key_at(Repository.open(table.keeper)) is not None
    holds(table)


@pytest.mark.slow
def test_two_clones_of_the_keepers_take_an_order_once(table: Table, tmp_path: Path) -> None:
    """The second one is behind, and takes by hand what the first has taken already."""
    git(tmp_path, "clone", "-q", str(table.bare), str(tmp_path / "second"))
    keep_key(Repository.open(tmp_path / "second"), KEY)
    armour = honest(table)
    table.hand_in(armour, "a")
    assert len(table.round().taken) == 1
    stale = table.game(tmp_path / "second")
    vetting.refuse_unsound(stale.repository, stale.head.oid)
    ordering.take(stale, armour, at=table.at, since=table.at)
    table.sync(tmp_path / "second")
    assert git(table.bare, "log", "--format=%s", "main").splitlines().count("sealed") == 1
    keeper, table.keeper = table.keeper, tmp_path / "second"
    holds(table)
    table.keeper = keeper
    assert table.round().unfit == {}
    holds(table)


@pytest.mark.slow
def test_of_two_rounds_at_once_the_slower_goes_on_upon_what_the_other_pushed(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "clone", "-q", str(table.bare), str(tmp_path / "second"))
    second = Repository.open(tmp_path / "second")
    keep_key(second, KEY)
    registered(table, age.recipient(b"c" * 32))
    table.sync(table.keeper)
    table.hand_in(honest(table), "a")
    table.hand_in(table.order("cy", "teach", {}, "n9"), "b")
    lying, faster = inbox.lying, list[rounds.Round]()

    def meanwhile(*words: Any, **more: Any) -> inbox.Lying:
        seen = lying(*words, **more)
        monkeypatch.undo()
        faster.append(table.round())
        return seen

    monkeypatch.setattr(inbox, "lying", meanwhile)
    slower = rounds.keep(second, Upstream.of(second), lambda _: table.at + HOUR, in_private)
    assert (len(faster[0].taken), slower.taken) == (2, [])
    assert len(slower.synced.laid) == 3, "two orders, and that a mailbox counts"
    assert all(each.stands for each in slower.synced.laid)
    assert not second.references("refs/nomicgit/aside/")
    assert git(table.bare, "log", "--format=%s", "main").splitlines().count("sealed") == 2
    assert git(table.bare, "rev-parse", "main") == git(tmp_path / "second", "rev-parse", "HEAD")
    assert branches(table) == ["main"], "no order lies there, and no letter goes to a mailbox that waits"


# ---- letters


def cys(table: Table) -> Clone:
    """The player's clone, as Cy's, whose mailbox is registered."""
    player = Clone(table.player)
    player.play("me", "cy")
    player.play("letters", "--register")
    player.play("sync")
    return player


@pytest.mark.slow
@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"cy.age": b"junk"}, "the letter is not as the keeper wrote it"),
        ({"cy.age/x": b"1"}, "the letter is not as the keeper wrote it"),
        pytest.param({"cy.age": bytes(3 << 20)}, "the letter is not as the keeper wrote it", marks=DEEP),
        pytest.param({"x": b"1"}, "the letter is not as the keeper wrote it", marks=DEEP),
    ],
)
def test_what_somebody_lays_down_in_place_of_letters_is_named_and_written_over(
    table: Table, files: dict[str, bytes], said: str
) -> None:
    player = cys(table)
    table.round("cy")
    player.play("sync")
    laid(table, "letters", files)
    player.play("sync")
    assert said in player.play("letters", code=1)
    assert table.round().letters == 1
    player.play("sync")
    assert "cy, in private" in player.play("letters")


@pytest.mark.slow
def test_letters_that_are_foreign_gone_or_were_never_there_are_told_apart(table: Table) -> None:
    player = cys(table)
    assert "no letter lies there for you yet" in player.play("letters", code=1)
    laid(table, "letters", {"README": b"a page"})
    assert "not as the keeper wrote it" in player.play("letters", code=1)
    table.round("cy")
    player.play("sync")
    assert "cy, in private" in player.play("letters")
    laid(table, "letters", {"dee.age": b"an older one"})
    assert "no letter lies there for you any more, and one of 20" in player.play("letters", code=1)
    git(table.bare, "update-ref", "-d", "refs/heads/letters")
    assert "somebody has taken it away, or put older ones back" in player.play("letters", code=1)


@pytest.mark.slow
def test_a_link_in_place_of_a_letter_is_followed_by_nobody(table: Table) -> None:
    player = cys(table)
    table.round("cy")
    blob = player.stored("blob", b"/etc/passwd")
    tree = player.stored("tree", b"120000 cy.age\0" + bytes.fromhex(blob))
    commit = player.git("commit-tree", "-m", "x", tree)
    player.git("push", "-q", "-f", "origin", f"{commit}:refs/heads/letters")
    player.play("sync")
    assert "not as the keeper wrote it" in player.play("letters", code=1)


@pytest.mark.slow
def test_orders_over_a_days_quota_take_no_place_of_anothers_and_own_ones_keep_their_sequence(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inbox, "ROUND", 15)
    for n in range(40):
        text = table.order("ben", "tell", {"to": "cy", "text": f"b{n}"}, f"b{n:02}", at=table.at - 50 + n)
        laid(table, f"orders/b{n}", {"order": text.encode()})
    for n in range(3):
        text = table.order("dee", "tell", {"to": "cy", "text": f"d{n}"}, f"d{n}", at=table.at - 50 + n)
        laid(table, f"orders/d{n}", {"order": text.encode()})
    done = table.round()
    assert (len(done.taken), done.over, done.left) == (15, {"ben": 28}, 0)
    nonces = [each for each in taken_nonces(table) if each]
    assert [each for each in nonces if each[0] == "d"] == ["d0", "d1", "d2"]
    assert [each for each in nonces if each[0] == "b"] == [f"b{n:02}" for n in range(12)]
    assert len(branches(table)) == 28 + 1, "what waits lies there still"
    again = table.order("ben", "tell", {"to": "cy", "text": "b0"}, "b00", at=table.at - 50)
    laid(table, "orders/again", {"order": again.encode()})
    done = table.round()
    assert (done.taken, done.over) == ([], {"ben": 28})
    assert done.unfit == {"refs/heads/orders/again": "this order was taken already"}


@pytest.mark.slow
def test_all_names_that_nobody_has_share_one_days_quota(table: Table) -> None:
    for n in range(20):
        text = table.order(f"zed{n}", "tell", {"to": "cy", "text": f"z{n}"}, f"z{n:02}", at=table.at - 50 + n)
        laid(table, f"orders/z{n}", {"order": text.encode()})
    text = table.order("dee", "tell", {"to": "cy", "text": "d"}, "d0", at=table.at - 10)
    laid(table, "orders/d", {"order": text.encode()})
    done = table.round()
    assert (len(done.taken), done.over) == (13, {"-": 8})
    assert "d0" in taken_nonces(table)
    text = table.order("zed99", "tell", {"to": "cy", "text": "more"}, "z99", at=table.at - 5)
    laid(table, "orders/z99", {"order": text.encode()})
    assert table.round().over == {"-": 9}


def taken_nonces(table: Table) -> list[str | None]:
    """What made each order good once that was taken, oldest first."""
    game = table.game(table.keeper)
    sealer = ordering.sealer_of(game)
    entries = [journal.told(commit.message) for commit in game.repository.log(game.head.oid)][::-1]
    behind = [veil.behind(entry, sealer) for entry in entries if entry is not None and entry.sealed]
    return [each.deed.nonce for each in behind if each is not None]
