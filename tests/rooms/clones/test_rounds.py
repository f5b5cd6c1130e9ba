"""The keeper's round over a plain remote: orders in, deeds, letters out; three clones, one of which has the key."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec.structs import replace
from support.editions import PRACTICES
from support.ids import named
from support.keyed import KEY, KeyedGame, vault
from support.practice import Practising
from support.rounds_table import HOUR, MAILBOX, Table, git

from nomicgit.clones.others import vetting
from nomicgit.clones.secret import addresses, comparing, course, leave, lettering, rounds
from nomicgit.git import Repository
from nomicgit.git.incoming import Move, serve
from nomicgit.git.upstream import Upstream
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.law.outside import Outside
from nomicgit.outlook.openings import in_private
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.keyed import Judged
from nomicgit.physics.state import reading
from nomicgit.physics.state.store import NeedsKey
from nomicgit.record.game import Game, new_id
from nomicgit.record.journal import told
from nomicgit.record.secret import ordering, turning, veil
from nomicgit.record.secret.keyring import key_at
from nomicgit.replay.verifying import verify
from nomicgit.sealing import age, letters
from nomicgit.sealing.keys import Key, Public, Sealer
from nomicgit.sealing.orders import Order
from nomicgit.sealing.padding import padded


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


@pytest.mark.slow
def test_an_order_becomes_a_deed_and_its_letter_tells_what_came_of_it(table: Table) -> None:
    table.do(table.player, "cy", Outside.MAILBOX, {"recipient": age.recipient(MAILBOX)})
    table.sync(table.player)
    words = "meet-me-at-the-well"
    table.hand_in(table.order("cy", "tell", {"to": "dee", "text": words}, "n1"), "a")
    table.hand_in(table.order("cy", "note", {"urchin": {"action": "nonsense"}}, "n2"), "b")
    table.hand_in(table.order("cy", "toll-the-bell", {}, "n3"), "d")
    table.hand_in("no armour at all", "c")
    done = table.round("cy")
    assert (len(done.taken), len(done.unfit), done.letters) == (3, 1, 1)
    assert git(table.bare, "for-each-ref", "--format=%(refname)").split() == [
        "refs/heads/letters",
        "refs/heads/main",
    ]
    git(table.player, "pull", "-q", "--rebase")
    letter = table.letter("cy")
    orders = {each["nonce"]: each["refused"] for each in letter["orders"]}
    assert orders["n1"] == ""
    assert "nonsense" in orders["n2"]
    assert orders["n3"] == "that is for the emperor (Referee) (rule Notes)", (
        "in words, and by the rule's name"
    )
    everything = git(table.player, "log", "--all", "-p")
    assert words not in everything
    assert "nonsense" not in everything
    for keys in ([KEY], []):
        repository = Repository.open(table.player)
        found = verify(repository, str(repository.head()), keys=keys)
        assert (found.faults, found.doubts) == ([], [])


def test_an_order_is_good_once_and_for_this_game_term_and_player(table: Table) -> None:
    game = table.game(table.keeper)
    armour = table.order("cy", "tell", {"to": "dee", "text": "x"}, "n1")
    at = table.at + HOUR
    ordering.take(game, armour, at=at, since=table.at, player="cy")
    head = game.repository.head()
    for wrong in (
        armour,
        table.order("cy", "tell", {"to": "dee", "text": "x"}, "n2", game="another"),
        table.order("cy", "tell", {"to": "dee", "text": "x"}, "n3", term=2),
    ):
        with pytest.raises(Refused):
            ordering.take(game, wrong, at=at, since=table.at, player="cy")
    with pytest.raises(Refused):
        ordering.take(
            game,
            table.order("dee", "tell", {"to": "cy", "text": "x"}, "n4"),
            at=at,
            since=table.at,
            player="cy",
        )
    assert game.repository.head() == head


def test_an_order_counts_in_one_game_alone_also_where_another_has_the_same_key(tmp_path: Path) -> None:
    """The seals of two games differ where one key is kept for both: neither opens what is for the other, nor is that good sealed anew."""
    start = PRACTICES["assassin"].sealed
    here, there = (KeyedGame.founded(tmp_path / each, "assassin", start).game for each in ("here", "there"))
    assert here.terms[0].since != there.terms[0].since
    game, term = here.terms[0].since, here.terms[-1]
    order = Order(game, term.number, "cy", "tell", {"to": "dee", "text": "x"}, "n1", start.at)
    heads = [each.repository.head() for each in (here, there)]
    with pytest.raises(Refused, match="for another key"):
        ordering.take(there, order.armoured(term.public.recipient), at=start.at, since=start.at)
    with pytest.raises(Refused, match="an order for another game"):
        ordering.take(there, order.armoured(there.terms[-1].public.recipient), at=start.at, since=start.at)
    assert [each.repository.head() for each in (here, there)] == heads
    ordering.take(here, order.armoured(term.public.recipient), at=start.at, since=start.at)
    assert there.repository.head() == heads[1]


def test_twelve_orders_of_a_player_are_taken_in_a_day_whatever_becomes_of_them(table: Table) -> None:
    game = table.game(table.keeper)
    for number in range(12):
        ordering.take(game, table.order("cy", "blank", {}, f"n{number}"), at=table.at + 60, since=table.at)
    more = table.order("cy", "blank", {}, "more")
    with pytest.raises(Refused, match="12 orders of a player are taken in a day, and so many were"):
        ordering.take(game, more, at=table.at + 60, since=table.at)
    done = rounds.keep(game.repository, None, lambda _: table.at + 60, in_private, None, [more])
    assert [why.rpartition("; ")[2] for why in done.unfit.values()] == ["give it once more tomorrow"]
    ordering.take(game, table.order("dee", "blank", {}, "hers"), at=table.at + 60, since=table.at)
    ordering.take(game, table.order("cy", "blank", {}, "later"), at=table.at + 86_400, since=table.at)


def test_a_clone_without_the_key_refuses_what_needs_it_and_says_what_to_do(table: Table) -> None:
    with pytest.raises(NeedsKey, match="order"):
        table.do(table.player, "cy", "tell", {"to": "dee", "text": "x"})
    with pytest.raises(NeedsKey, match="order"):
        table.do(table.player, "ana", "roll", {"dice": "DICE6"})


@pytest.mark.slow
def test_terms_follow_each_other_and_one_that_is_over_is_opened(table: Table) -> None:
    game = table.game(table.keeper)
    ordering.take(
        game, table.order("cy", "tell", {"to": "dee", "text": "x"}, "n1"), at=table.at + 60, since=table.at
    )
    turning.begin_term(game, game.terms[-1].keeper, table.at + 120)
    second = key_at(game.repository)
    assert second is not None
    assert second != KEY
    turning.begin_term(game, "dee", table.at + 180)
    game = table.game(table.keeper)
    assert [term.keeper for term in game.terms] == ["ana", "ana", "dee"]
    for number in (1, 2):
        with pytest.raises(
            Refused, match=f"for term {number}, and the game is in term 3, whose key is another"
        ):
            ordering.take(game, table.order("cy", "tell", {"to": "dee", "text": "x"}, f"m{number}", term=number),
                          at=table.at + 200, since=table.at)  # fmt: skip
    turning.open_term(game, 1, table.at + 240)
    key = key_at(game.repository)
    assert key is not None
    tip, repository = str(game.repository.head()), game.repository
    all_of_them = turning.all_keys(repository, repository.commit(tip).tree, key)
    for keys in (all_of_them, [key], [KEY], []):
        found = verify(repository, tip, keys=keys)
        assert (found.faults, found.doubts) == ([], [])
    kept = repository.file(repository.commit(tip).tree, "game/sealed/keys.yml")
    assert kept is not None
    assert KEY.main is not None
    assert kept.decode().count(KEY.main.hex()) == 1
    assert json.dumps(len(verify(repository, tip, keys=all_of_them).sealed)) == "0"


@pytest.mark.slow
def test_those_who_may_restore_begin_again_without_secrets_where_the_key_is_lost(tmp_path: Path) -> None:
    table = Table(tmp_path, restore={"by": ["ana", "dee"], "of": 2})
    game = table.game(table.player)
    with pytest.raises(Refused, match="2 of"):
        turning.begin_without(game, ["dee"], "dee", table.at + 60)
    turning.begin_without(game, ["dee", "ana"], "dee", table.at + 60)
    game = table.game(table.player)
    assert game.terms[-1].keeper == "dee"
    vetting.refuse_unsound(game.repository, game.head.oid)
    game.act(Deed(new_id(table.at + 90), "cy", "tell", {"to": "dee", "text": "x"}, table.at + 90))
    for keys in ([KEY], [k for k in [key_at(game.repository)] if k], []):
        tip = str(game.repository.head())
        found = verify(game.repository, tip, keys=keys)
        assert (found.faults, found.doubts) == ([], [])


@pytest.mark.slow
@pytest.mark.parametrize("said", [["cy"], []])
def test_who_has_not_the_key_begins_no_term(table: Table, said: list[str]) -> None:
    """Such a deed as a modified program would record it: nobody who keeps the game, or may restore it, has signed."""
    game = table.game(table.player)
    own = Key.made(bytes(range(64, 128)))
    given = {"keeper": "cy", "by": said, **Public.of(own, game.terms[0].since).as_file()}
    deed = Deed(new_id(table.at + 60), "cy", Outside.TERM, given, table.at + 60)
    lost = replace(deed, given=given | {"by": ["cy"]})
    made, outcome = turning._made(game.repository, game.head, lost, None, own, None)
    text = made.message("").replace('"by": ["cy"]', f'"by": {json.dumps(said)}')
    text = veil.unsigned(text)[0]
    game._record(
        made.files,
        lambda tree: veil.signed(text, Sealer(own, game.terms[0].since), tree, game.head.oid),
        outcome,
    )
    for keys in ([KEY], []):
        found = verify(game.repository, str(game.repository.head()), keys=keys)
        assert "signed" in str(found.faults) or "may restore" in str(found.faults)


@pytest.mark.slow
def test_undoing_a_sealed_deed_takes_back_what_is_secret_of_it(table: Table) -> None:
    game = table.game(table.keeper)
    given = {"street": {"action": "arrive-in-town", "location": "H7"}}
    table.do(table.keeper, "cy", "note", given)
    game = table.game(table.keeper)
    noted = game.repository.commit(game.head.oid)
    assert "sealed" in noted.message
    keeping = game.keeping()
    assert keeping is not None

    def notes() -> dict[str, Any]:
        tree = Game.open(str(table.keeper)).head.tree
        opened = keeping.tree(game.repository, tree)
        return {name: opened.entity(f"notes/{name}") for name in opened.ids("notes")}

    assert len(notes()) == 1
    name = next(line for line in noted.message.splitlines() if line.startswith("Nomic-Id")).partition(": ")[2]
    table.do(table.keeper, "ben", "propose", {"title": "Undone", "changes": [{"undo": name}]})
    for voter in table.start.players:
        table.do(table.keeper, voter, "vote", {"matter": 1, "icon": "for"})
    table.at += 3 * 24 * HOUR
    table.do(table.keeper, "ben", "resolve", {"matter": 1})
    assert notes() == {}
    head = str(table.game(table.keeper).repository.head())
    assert "arrive-in-town" not in git(table.keeper, "log", "-p", f"{noted.oid}^..HEAD")
    for keys in ([KEY], []):
        found = verify(game.repository, head, keys=keys)
        assert (found.faults, found.doubts) == ([], [])


@pytest.mark.slow
def test_who_has_a_letter_is_told_what_they_may_do_by_what_it_tells(tmp_path: Path) -> None:
    """A werewolf's own clone knows what a werewolf may do; another player's says that only the keeper can say."""
    start = PRACTICES["werewolf"].sealed
    keyed = KeyedGame.founded(tmp_path, "werewolf", start)
    play = Practising(PRACTICES["werewolf"], cast("Game", keyed), 7)
    while not (
        wolves := [p.partition("/")[2] for p in reading.find(keyed.world(), "players", werewolf=True)]
    ):
        play.one([])
    letters = {name: json.loads(text) for name, text in lettering.written(keyed.game).items()}
    wolf, other = wolves[0], next(name for name in start.players if name not in (*wolves, start.emperor))
    seen = {(each["of"], each["name"]): each["value"] for each in letters[wolf]["sees"]}
    assert seen[f"players/{wolf}", "werewolf"] is True
    assert all(of != f"players/{wolf}" or name != "werewolf" for of, name in
               ((each["of"], each["name"]) for each in letters[other]["sees"]))  # fmt: skip
    lettering.lay_down(keyed.game, letters[wolf])
    looking = keyed.game.looked_at(keyed.game.last(), lettering.told(keyed.game, wolf))
    assert lettering.told(keyed.game, other) is None
    assert reading.get(looking, f"players/{wolf}", "werewolf") is True
    with pytest.raises(NeedsKey):
        reading.get(keyed.game.looked_at(keyed.game.last()), f"players/{wolf}", "werewolf")


@pytest.mark.slow
def test_when_letters_are_written_and_what_they_say_that_one_may_do_tell_of_no_secret(tmp_path: Path) -> None:
    """A werewolf who has named a target may name another half an hour later: who looks on does not see letters move then."""
    keyed = KeyedGame.founded(tmp_path, "werewolf", PRACTICES["werewolf"].sealed)
    game, at, start = keyed.game, keyed.game.last(), PRACTICES["werewolf"].sealed
    game.act(Deed(named("draws"), start.emperor, "renew-werewolves", {}, at))
    wolves = {name.partition("/")[2] for name, own in vault(game).items() if own.get("werewolf")}
    cy, other = min(wolves - {start.emperor}), min({*start.players} - wolves - {start.emperor})
    for name in (cy, other):
        game.act(Deed(named(f"box-{name}"), name, Outside.MAILBOX, {"recipient": age.recipient(MAILBOX)}, at))
        addresses.vouch(game, name, at)
    game.act(Deed(named("aims"), cy, "target", {"villager": other, "method": "murder"}, at + 60))
    at, sealer = game.last(), ordering.sealer_of(game)

    def mail(now: int) -> tuple[str | None, dict[str, dict[str, Any]]]:
        files, of = lettering.Mail.of(game, now), dict[str, dict[str, Any]]()
        for name, file in files.packed(sealer, in_private).items():
            text = letters.unpacked(file, age.identity(MAILBOX), game.terms[-1].public.signer)
            of[name] = {row["action"]: row for row in json.loads(text)["may"]["actions"]}
        return course.said(files, sealer), of

    then, later = mail(at), mail(at + 31 * 60)
    assert "30 minutes" in then[1][cy]["target"]["why_not"]
    assert then[1][cy]["target"]["earliest"] == clock.text(at + 30 * 60)
    assert (later[1][cy]["target"]["now"], later[1][other]["target"]["now"]) == (True, False)
    assert then[1][cy]["leave"]["sealed"], "asked as anybody asks, without the key"
    assert then[0] == later[0]
    game.act(Deed(named("word"), "ana", "post", {"title": "A word", "body": "Here."}, at + 31 * 60))
    assert mail(game.last())[0] != later[0], "after a deed somebody may do something else"


def test_what_an_order_holds_is_taken_for_nothing_else_when_it_is_replayed(table: Table) -> None:
    """A map that looks like a text named by its place and hash is itself, also behind the veil."""
    game = table.game(table.keeper)
    for number, value in enumerate(({"sha256": "0" * 64, "in": "players/cy name"}, {"plain": 1})):
        taken = ordering.take(
            game, table.order("cy", "note", {"street": value}, f"n{number}"), at=table.at + 60, since=table.at
        )
        assert taken.refusal
    found = verify(game.repository, str(game.repository.head()), keys=[KEY])
    assert (found.faults, found.doubts) == ([], [])


@pytest.mark.slow
def test_a_letter_that_says_something_else_than_the_record_is_found_out(table: Table) -> None:
    """Once the key is opened; what is never opened, such as words of players, is compared with the key alone."""
    table.do(table.player, "cy", Outside.MAILBOX, {"recipient": age.recipient(MAILBOX)})
    table.sync(table.player)
    table.hand_in(table.order("dee", "tell", {"to": "cy", "text": "At the well"}, "n1"), "a")
    table.round("cy")
    table.do(table.keeper, "dee", "note", {"street": {"action": "arrive-in-town", "location": "C5"}})
    table.at += 48 * HOUR
    table.do(table.keeper, "ana", "toll-the-bell", {})
    table.do(table.keeper, "ana", "assign-target", {"player": "cy"})
    table.round()
    letter = table.letter("cy")
    texts = [each["text"] for each in letter["told"]]
    assert texts[0] == "At the well"
    count = len(texts)
    assert count in (3, 4)  # by the dice of the key cy may be somebody's target as well
    game = table.game(table.keeper)
    half, record = [Key(KEY.main, None)], comparing.Record.of(game, None)
    lies = letter | {"told": [each | {"text": each["text"] + ", or else"} for each in letter["told"]]}
    for said, whole, opened in (
        (letter, 0, 0),
        (lies, 2 * count, 2 * (count - 1)),
        (letter | {"told": []}, count, count - 1),
    ):
        assert len(comparing.differing(game, said, [KEY], record)) == whole
        assert len(comparing.differing(game, said, half, record)) == opened


@pytest.mark.slow
def test_an_order_that_somebody_has_put_in_later_is_refused_in_its_letter_and_once_it_makes_no_deed(
    table: Table,
) -> None:
    """Whoever can push takes it away, and lays it down again when it suits them: its player has changed their mind."""
    table.do(table.player, "cy", Outside.MAILBOX, {"recipient": age.recipient(MAILBOX)})
    table.sync(table.player)
    table.round("cy")
    held = table.order("cy", "tell", {"to": "dee", "text": "The old plan"}, "n1")
    table.hand_in(table.order("cy", "blank", {}, "n2", at=table.at + 1), "b")
    table.round()
    for taken, unfit in ((1, []), (0, ["this order was taken already"])):
        table.hand_in(held, "a")
        done = table.round()
        assert (len(done.taken), [*done.unfit.values()]) == (taken, unfit)
    git(table.player, "pull", "-q", "--rebase")
    blank, late = table.letter("cy")["orders"]
    assert (blank["nonce"], blank["refused"]) == ("n2", "")
    assert "that was made later, at " in late["refused"]


def test_orders_of_one_player_are_taken_as_they_were_made(table: Table) -> None:
    game = table.game(table.keeper)
    table.at += HOUR
    armours = [
        table.order(who, "tell", {"to": "dee", "text": f"{n}"}, f"{n:04}", at=table.at - 60 + n // 3)
        for n in range(9)
        for who in ("cy", "eli")
    ]
    sealer = ordering.sealer_of(game)
    unfit = next(each for each in armours if Order.read(each, sealer.identity).nonce == "0004")
    armours.append("no order")
    turns = list(ordering.in_turn(game, armours[::-1], table.at, lambda each: each != unfit))
    assert turns.pop() == "no order"
    orders = [Order.read(armour, sealer.identity) for armour in turns]
    for who in ("cy", "eli"):
        assert [order.with_["text"] for order in orders if order.by == who] == [f"{n}" for n in range(9)]
    drawn = {
        (who, n): sealer.dice("orders", str(table.at), who, str(n)) for who in ("cy", "eli") for n in range(9)
    }
    places = [(max(drawn[who, m] for m in range(n + 1)), n, who) for who, n in drawn]
    unfit_of = Order.read(unfit, sealer.identity).by
    wanted = [who for _, n, who in sorted(places) if (who, n) != (unfit_of, 8)]
    del orders[turns.index(unfit)]
    assert [order.by for order in orders] == wanted, "what is no deed counts for nothing"


@pytest.mark.slow
def test_a_round_is_told_from_others_by_its_time_also_where_others_were_faster(table: Table) -> None:
    """A second round in the same second has its orders in turn among themselves; so have those that are done again."""
    at = table.at + HOUR
    repository = Repository.open(table.keeper)

    def keep() -> None:
        orders = [
            table.order(who, "tell", {"to": "cy", "text": "x"}, f"{table.at}{n}", at=at)
            for n, who in enumerate(("ana", "dee", "ben") * 3)
        ]
        table.at += 1  # of the nonces alone
        assert len(rounds.keep(repository, None, lambda _: at, in_private, handed=orders).taken) == 9

    for _ in range(3):
        keep()
    log = repository.log(str(repository.head()))
    assert len({each.author_time for each in log if "sealed" in each.message.partition("\n")[0]}) == 3
    table.at = at + 2 * HOUR
    table.do(table.player, "dee", "post", {"title": "Faster", "body": "Here."})
    table.sync(table.player)
    table.sync(table.keeper)
    game = table.game(table.keeper)
    deeds = [entry.deed for each in game.repository.log(game.head.oid) if (entry := told(each.message))]
    assert len({deed.at for deed in deeds[:27]}) == 27
    for keys in ([KEY], [Key(KEY.main, None)], []):
        assert verify(repository, game.head.oid, keys=keys).faults == []


def test_what_was_told_in_an_earlier_term_is_in_the_letters_of_a_later_one(table: Table) -> None:
    game = table.game(table.keeper)
    told = {"to": "cy", "text": "Read me later"}
    ordering.take(game, table.order("dee", "tell", told, "n1"), at=table.at + 60, since=table.at)
    turning.begin_term(game, "ana", table.at + 120)
    turning.begin_term(table.game(table.keeper), "ben", table.at + 180)
    letter = json.loads(lettering.written(table.game(table.keeper))["cy"])
    assert [each["text"] for each in letter["told"]] == ["Read me later"]
    assert letter["term"] == 3


@pytest.mark.parametrize(
    ("action", "given"),
    [
        ("physics/term", {"keeper": "cy", "by": ["ana"]}),
        ("physics/open", {"term": 1, "key": "aa"}),
        ("physics/mend", {"to": "x"}),
        ("physics/restore", {"to": "x", "by": ["ana"]}),
        ("physics/found", {}),
        ("physics/mailbox", {"recipient": age.recipient(MAILBOX)}),
        ("blank", {"x": "y" * 1000}),
    ],
)
def test_an_order_asks_for_nothing_but_what_the_rules_declare(
    table: Table, action: str, given: dict[str, Any]
) -> None:
    game = table.game(table.keeper)
    head = game.repository.head()
    with pytest.raises(Refused, match="rules declare"):
        ordering.take(game, table.order("cy", action, given, "n1"), at=table.at + 60, since=table.at)
    assert game.repository.head() == head


@pytest.mark.slow
@pytest.mark.parametrize(
    "given", [{"to": "cy", "text": 1.0}, {"to": "cy", "text": "hi", "b": 1, "a": {"z": 1.0, "": 2}}]
)
def test_an_order_is_read_again_as_it_was_read_first(table: Table, given: dict[str, Any]) -> None:
    """Handed in as JSON that is not canonical, by somebody's own program."""
    game = table.game(table.keeper)
    term = game.terms[-1]
    facts = {
        "game": game.terms[0].since,
        "term": 1,
        "by": "dee",
        "action": "tell",
        "with": given,
        "nonce": "n1",
    }
    plain = padded(json.dumps(facts | {"at": "2010-01-04T00:00:00Z"}).encode(), 512)
    armour = age.encrypted(plain, [term.public.recipient], armour=True).decode()
    assert ordering.take(game, armour, at=table.at + 60, since=table.at).refusal
    for keys in ([KEY], [Key(KEY.main, None)], []):
        found = verify(game.repository, str(game.repository.head()), keys=keys)
        assert (found.faults, found.doubts) == ([], [])


def test_nobody_takes_a_mailbox_over_within_three_days(table: Table) -> None:
    mine, theirs, more = (age.recipient(bytes([n] * 32)) for n in (1, 2, 3))
    game = table.game(table.keeper)

    def registered(recipient: str) -> None:
        table.do(table.keeper, "cy", Outside.MAILBOX, {"recipient": recipient})

    def get_letters(after: int) -> dict[str, str]:
        return lettering.mailboxes(table.game(table.keeper), table.at + after * HOUR)

    def seen() -> list[Judged]:
        table.at += HOUR
        return [each.judged for each in addresses.see(table.game(table.keeper), table.at)]

    registered(mine)
    assert get_letters(999) == {}, "its time runs from when the keeper has seen it, whatever its date"
    addresses.vouch(table.game(table.keeper), "cy", table.at)
    assert get_letters(0) == {"cy": mine}
    for recipient in (theirs, more):
        registered(recipient)
        assert get_letters(999) == {"cy": mine}
        assert seen() == [Judged.SEEN]
        assert seen() == []
        assert get_letters(70) == {"cy": mine}
    assert get_letters(71) == {"cy": more}
    registered(mine)
    assert get_letters(99) == {"cy": mine}
    registered(theirs)
    judged = addresses.judge(table.game(table.keeper), {f"CY={theirs}": Judged.NOT_THEIRS}, table.at)
    assert [each.box.recipient for each in judged] == [theirs]
    assert get_letters(999) == {"cy": mine}
    with pytest.raises(Refused, match="waits"):
        list(
            addresses.judge(table.game(table.keeper), {f"cy={more}": Judged.THEIRS}, table.at + 8 * 24 * HOUR)
        )
    for keys in ([KEY], []):
        kept = verify(game.repository, str(game.repository.head()), keys=keys)
        assert (kept.faults, kept.doubts) == ([], [])


@pytest.mark.slow
def test_a_first_mailbox_in_anothers_name_reads_nothing_while_it_waits(table: Table) -> None:
    """Somebody with push access registers some in the names of others, and dates them as early as that goes."""
    words, stolen, mine = "meet-me-at-the-well", age.identity(MAILBOX), age.identity(bytes(range(1, 33)))
    start = table.at
    table.hand_in(table.order("dee", "tell", {"to": "eli", "text": words}, "n1"), "a")
    table.hand_in(table.order("eli", "tell", {"to": "dee", "text": words}, "n2"), "b")
    table.round()
    table.sync(table.player)
    table.at += 96 * HOUR
    game = table.game(table.player)
    for name in ("eli", "dee", "ana"):  # ana keeps the key: hers waits for her word
        given = {"recipient": age.recipient(MAILBOX)}
        game.act(Deed(new_id(start), name, Outside.MAILBOX, given, start))
    table.sync(table.player)

    def opened(identity: str) -> list[str]:
        """The letters that somebody opens of all that lies there, by whose they are."""
        read = []
        for name in git(table.bare, "ls-tree", "-r", "--name-only", "letters").split() if lies() else ():
            file = subprocess.run(
                ["git", "-C", str(table.bare), "show", f"letters:{name}"], check=True, capture_output=True
            ).stdout
            with suppress(age.Unreadable):
                letters.unpacked(file, identity, table.game(table.player).terms[-1].public.signer)
                read.append(name)
        return read

    def lies() -> str:
        return git(table.bare, "for-each-ref", "refs/heads/letters")

    done = table.round()
    seen = table.at
    assert {each.box.player: each.judged for each in done.mailboxes} == dict.fromkeys(
        ("eli", "dee"), Judged.SEEN
    )
    assert (done.letters, lies()) == (0, "")
    table.sync(table.player)
    table.do(table.player, "dee", Outside.MAILBOX, {"recipient": age.recipient_of(mine)})
    table.sync(table.player)
    assert [(each.box.player, each.judged) for each in table.round().mailboxes] == [("dee", Judged.SEEN)]
    table.at = seen + 70 * HOUR
    done = table.round()
    assert (done.mailboxes, done.letters, lies()) == ([], 0, "")
    table.at = seen + 71 * HOUR
    assert table.round().letters == 1
    assert (opened(stolen), opened(mine)) == (["eli.age"], []), "unopposed it counts"
    assert [each["text"] for each in table.letter("eli")["told"]] == [words], "and nothing was lost meanwhile"
    table.at += 3 * HOUR
    assert table.round().letters == 2
    assert (opened(stolen), opened(mine)) == (["eli.age"], ["dee.age"])
    for keys in ([KEY], []):
        kept = verify(table.game(table.keeper).repository, table.game(table.keeper).head.oid, keys=keys)
        assert (kept.faults, kept.doubts) == ([], [])


@pytest.mark.slow
def test_letters_that_somebody_took_away_or_swapped_come_again(table: Table) -> None:
    table.do(table.player, "cy", Outside.MAILBOX, {"recipient": age.recipient(MAILBOX)})
    table.do(table.player, "dee", Outside.MAILBOX, {"recipient": age.recipient(MAILBOX)})
    table.sync(table.player)
    assert table.round("cy", "dee").letters == 2
    assert table.round().letters == 0
    git(table.player, "push", "-q", "origin", ":letters")
    assert table.round().letters == 2
    git(table.player, "pull", "-q", "--rebase")
    game = table.game(table.player)
    upstream = Upstream.of(game.repository)
    assert upstream is not None
    hers = rounds.fetched_letter(game, upstream, "dee")
    assert hers is not None
    with pytest.raises(Refused, match="somebody else's"):
        lettering.unpacked(game, "cy", hers, age.identity(MAILBOX))
    file = rounds.fetched_letter(game, upstream, "cy")
    assert file is not None
    letter = lettering.unpacked(game, "cy", file, age.identity(MAILBOX))
    lettering.lay_down(game, letter | {"at": "2030-01-01T00:00:00Z"})
    with pytest.raises(Refused, match="older"):
        lettering.unpacked(game, "cy", file, age.identity(MAILBOX))


@pytest.mark.slow
def test_what_git_takes_for_broken_and_odd_names_hold_no_order_up(table: Table) -> None:
    odd = b"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor x\ncommitter y\n\nm\n"
    git(table.player, "hash-object", "-t", "tree", "-w", "/dev/null")
    made = subprocess.run(
        ["git", "-C", str(table.player), "hash-object", "-t", "commit", "-w", "--literally", "--stdin"],
        input=odd, check=True, capture_output=True,
    ).stdout.decode().strip()  # fmt: skip
    git(table.player, "-c", "push.default=nothing", "push", "-q", "origin", f"{made}:refs/heads/orders/odd")
    subprocess.run(
        [
            b"git",
            b"-C",
            str(table.player).encode(),
            b"push",
            b"-q",
            b"origin",
            b"HEAD:refs/heads/orders/\xff1",
        ],
        check=True,
    )
    git(table.keeper, "config", "transfer.fsckObjects", "true")
    table.hand_in(table.order("dee", "tell", {"to": "cy", "text": "x"}, "n1"), "honest")
    done = table.round()
    assert (len(done.taken), len(done.unfit)) == (1, 2)
    assert "orders/" not in git(table.bare, "for-each-ref", "--format=%(refname)")


@pytest.mark.slow
def test_where_lawful_pushes_alone_come_in_only_the_keeper_moves_letters_and_takes_orders(
    table: Table,
) -> None:
    serve(Repository.open(table.bare), [sys.executable, "-m", "nomicgit", "receive"])

    def refused(*what: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(table.player), "push", "origin", *what],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1
        return done.stderr

    table.do(table.player, "cy", Outside.MAILBOX, {"recipient": age.recipient(MAILBOX)})
    table.sync(table.player)
    table.hand_in(table.order("cy", "tell", {"to": "dee", "text": "at the well"}, "n1"), "a")
    game = table.game(table.player)
    other = game.repository.lone({"order": b"another"}, "Order")
    junk = game.repository.lone({"order": os.urandom(600)}, "Order")
    header = b"age-encryption.org/v1\n-> ssh-ed25519 TGVm AAAA\nAAAA\n--- AAAA\n" + bytes(528)
    body = base64.encodebytes(header).decode()
    fenced = f"-----BEGIN AGE ENCRYPTED FILE-----\n{body}-----END AGE ENCRYPTED FILE-----\n"
    to_ssh = game.repository.lone({"order": fenced.encode()}, "Order")
    for what, said in (
        ((f"+{other}:refs/heads/orders/a",), "the order orders/a lies here already"),
        ((":refs/heads/orders/a",), "only the keeper moves orders/a"),
        (("HEAD:refs/heads/orders/b",), "orders/b holds no order: it lies upon other commits"),
        ((f"{junk}:refs/heads/orders/b",), "orders/b holds no order: here is no armour of age"),
        ((f"{to_ssh}:refs/heads/orders/b",), "orders/b holds no order: it is encrypted to no public key"),
        ((f"{other}:refs/heads/letters",), "only the keeper moves letters"),
        ((f"{other}:refs/heads/shares",), "only the keeper moves shares"),
    ):
        assert said in refused(*what)
    done = table.round("cy")
    assert (len(done.taken), done.unfit, bool(done.letters)) == (1, {}, True)
    assert not git(table.bare, "for-each-ref", "refs/heads/orders")
    table.sync(table.player)
    assert "at the well" in json.dumps(table.letter("cy"))

    letters = git(table.bare, "rev-parse", "letters").strip()
    keeping = table.game(table.keeper).keeping()
    assert keeping is not None
    assert keeping.sealer is not None
    for move in (
        Move("refs/heads/letters", letters, None),
        Move("refs/heads/letters", other, letters),
        Move("refs/heads/letters", None, other),
        Move("refs/heads/orders/a", letters, other),
    ):
        word = leave.of(keeping.sealer, move)
        assert "only the keeper moves letters" in refused(
            f"--push-option={word}", f"+{other}:refs/heads/letters"
        )
    forged = leave.of(
        Sealer(Key.made(bytes(range(1, 65))), keeping.sealer.game), Move("refs/heads/letters", letters, other)
    )
    assert "only the keeper moves letters" in refused(
        f"--push-option={forged}", f"+{other}:refs/heads/letters"
    )
    assert git(table.bare, "rev-parse", "letters").strip() == letters
    assert verify(table.game(table.player).repository, git(table.bare, "rev-parse", "main").strip()).sound


@pytest.mark.slow
def test_a_round_in_which_somebody_changes_the_record_leaves_orders_and_letters_as_they_lie(
    table: Table,
) -> None:
    table.do(table.player, "cy", Outside.MAILBOX, {"recipient": age.recipient(MAILBOX)})
    table.sync(table.player)
    table.round("cy")
    table.hand_in(table.order("cy", "tell", {"to": "dee", "text": "x"}, "n1"), "a")
    there = git(table.bare, "for-each-ref", "refs/heads/letters", "refs/heads/orders")
    upstream = Upstream.of(Repository.open(table.keeper))

    def meanwhile(_: Game) -> int:
        git(table.player, "pull", "-q", "--rebase")
        edited = table.player / "game" / "game.yml"
        edited.write_text(edited.read_text() + "# mine\n")
        git(table.player, "commit", "-qam", "Mine")
        git(table.player, "push", "-q", "origin", "main")
        return table.at + HOUR

    with pytest.raises(Refused, match="no deed"):
        rounds.keep(Repository.open(table.keeper), upstream, meanwhile, in_private)
    assert git(table.bare, "for-each-ref", "refs/heads/letters", "refs/heads/orders") == there
    assert git(table.bare, "rev-parse", "main") == git(table.player, "rev-parse", "main")
