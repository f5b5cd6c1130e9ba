"""A cheating keeper is caught, and so is whoever would pass for one: each way of it is named by verification."""

from __future__ import annotations

import base64
import hmac
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec.structs import replace
from support.ids import named
from support.keyed import KEY, vault

from hostile.forging import Forger
from hostile.keeper import HALF, STRANGER, Cheat, Kept
from nomicgit.clones import syncing
from nomicgit.clones.others import vetting
from nomicgit.clones.remedy import Remedy
from nomicgit.git import Commit, Repository
from nomicgit.git.upstream import Upstream
from nomicgit.ground import dice
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.deeds import keyed
from nomicgit.physics.state.store import Store
from nomicgit.record import journal
from nomicgit.record.game import Game
from nomicgit.record.secret import keyring, ordering, turning, veil
from nomicgit.record.secret.keyring import Term
from nomicgit.record.secret.turns import Made, Turns, in_turn
from nomicgit.record.secret.vault import SINCE, STATE, sheet
from nomicgit.record.seen import faults
from nomicgit.record.seen.strays import strays
from nomicgit.replay.replaying import Replay
from nomicgit.replay.taken import Round
from nomicgit.replay.verifying import verify
from nomicgit.sealing.keys import Key, Part, Sealer

CY = "game/state/players/cy.yml"
KEYS = "game/sealed/keys.yml"


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    kept = Kept.begun(tmp_path / "game")
    kept.ordered("cy", "hide", n=3)
    kept.ordered("dee", "whisper", to="eli", text="meet-me-at-the-well")
    kept.kept("ana", "earn", n=2)
    return kept


def nobody_finds_anything(kept: Kept) -> None:
    for keys in ((KEY,), (HALF,), ()):
        assert kept.found_wrong(*keys) == []


def seen_by_all(kept: Kept, fault: str) -> None:
    """Both who verifies and who only looks through what came names the newest commit, with what is wrong with it."""
    (named,) = kept.found_wrong()
    with Repository.open(kept.folder) as repository:
        head = repository.head()
        assert head is not None
        (stray,) = strays(repository, head)
    assert re.search(fault, named)
    assert (stray.commit, bool(re.search(fault, stray.what))) == (head, True)


def lines(kept: Kept) -> list[str]:
    return Forger(kept).file(SINCE).decode().splitlines(keepends=True)


@pytest.mark.slow
def test_an_honest_keeper_is_found_to_be_one(kept: Kept) -> None:
    for action, given in (
        ("gamble", {}),
        ("bury", {"cell": "A1", "n": 3}),
        ("trap", {"depth": 2}),
        ("dare", {}),
    ):
        kept.ordered("cy", action, **given)
    kept.kept("cy", "brew", name="ale", strength=3)
    kept.kept("cy", "call", text="Thief!", anonymous=True)
    kept.kept("cy", "search", who="dee")
    kept.kept("cy", "roll", sides=6)
    nobody_finds_anything(kept)
    assert [len(kept.looked_through(*keys).sealed) for keys in ((KEY,), (HALF,), ())] == [
        0,
        1,
        10,
    ]  # the founding, too


@pytest.mark.parametrize("key", [True, False])
def test_what_the_law_reads_stands_in_one_order_when_a_deed_is_done_and_when_it_is_replayed(
    kept: Kept, key: bool
) -> None:
    """What was sealed comes back in the order of its keys: nobody may see another one before."""
    kept.kept("cy", "search", who="dee")
    earlier = named(f"deed-{kept.count}")
    kept.kept("cy", "spy", path=f"deeds/{earlier}")
    kept.ordered("dee", "dole", shares={"z": 2.0, "é": 1.5, "a": 3})
    kept.kept("dee", "dole", shares={"\U0001f600": 2.0, "\ufb01": 1, "b": 0.5})
    sealed = named(f"deed-{kept.count}")
    kept.kept("cy", "spy", path=f"deeds/{sealed}")
    assert kept.found_wrong(*([KEY] if key else [])) == []
    said = kept.git("log", "--format=%B", "-4")
    assert "There stands: {" in said


def test_an_own_deed_that_only_the_key_finds_wrong_is_laid_anew(kept: Kept, tmp_path: Path) -> None:
    """What is told of it, ``nomicgit sync``, does that; whoever lacks the key would have taken it."""
    kept.git("init", "--quiet", "--bare", "--initial-branch", "main", str(tmp_path / "bare.git"))
    kept.git("remote", "add", "origin", str(tmp_path / "bare.git"))
    kept.git("push", "--quiet", "--set-upstream", "origin", "main")
    pushed = kept.head()
    kept.ordered("cy", "hide", n=2)
    Cheat(kept).newest({CY: re.sub(rb"gold: \d+", b"gold: 99", Forger(kept).file(CY))})
    kept.git("reset", "--quiet", "--hard")
    assert kept.found_wrong() == []
    with Repository.open(kept.folder) as repository:
        keyring.keep_key(repository, KEY)
        verified = verify(repository, kept.head(), keys=(KEY,))
        faults.note(repository, {each.commit: each.what for each in verified.faults})
        upstream = Upstream.of(repository)
        assert upstream is not None
        done = syncing.sync(repository, upstream, kept.at + 60)
    assert (len(done.laid), done.pushed, done.strays) == (1, 1, [])
    assert kept.found_wrong(KEY) == []
    assert b"gold: 99" not in Forger(kept).file(CY)
    assert kept.git("rev-list", "--count", f"{pushed}..origin/main").strip() == "1"


# ---- the keeper, with the key: caught by whoever has it, or its opened half


@pytest.mark.slow
def test_another_public_change_than_the_sealed_deed_makes_is_named(kept: Kept) -> None:
    kept.ordered("cy", "hide", n=2)
    file = Forger(kept).file(CY)
    Cheat(kept).newest({CY: re.sub(rb"gold: \d+", b"gold: 99", file)})
    for keys in ((KEY,), (HALF,)):
        assert f"its tree is not what its deed makes: {CY}" in kept.found_wrong(*keys)
    assert kept.found_wrong() == []
    assert kept.looked_through().sealed[-1].what == "players.cy.gold: 7 → 99"


def test_what_whoever_has_no_key_cannot_hold_to_the_law_is_listed_as_git_has_it(kept: Kept) -> None:
    """Each sealed deed's public changes, held to what Git says differs."""
    kept.ordered("eli", "hide", n=4)
    kept.ordered("eli", "gamble")
    kept.kept("dee", "search", who="eli")
    listed = kept.looked_through().sealed
    assert len(listed) == 6
    for each in listed[1:]:
        patch = kept.git("diff", "-U0", f"{each.commit}~", each.commit, "--", "game", ":!game/sealed")
        told = re.findall(r"players\.(\w+)\.gold: (\d+) → (\d+)", each.what)
        paths = re.findall(r"^\+\+\+ b/game/state/players/(\w+)\.yml", patch, re.MULTILINE)
        before, after = (re.findall(rf"^\{mark}gold: (\d+)", patch, re.MULTILINE) for mark in "-+")
        assert told == list(zip(paths, before, after, strict=True))
        assert bool(patch) == (each.what != "nothing that can be seen")


@pytest.mark.parametrize(("action", "seen"), [("gamble", False), ("dare", False), ("roll", True)])
def test_a_die_that_is_not_of_the_key_is_named(kept: Kept, action: str, *, seen: bool) -> None:
    given: dict[str, Any] = {"sides": 6} if seen else {}
    honest = dice.draw
    with Cheat(kept).otherwise(dice, "draw", lambda *of: honest(*of) % of[3] + 1):
        kept.kept("cy", action, **given)
    for keys in ((KEY,), (HALF,)):
        assert (CY if seen else SINCE) in " ".join(kept.found_wrong(*keys))
    assert (kept.found_wrong() == []) == (not seen)


def test_a_seed_that_is_not_of_the_key_is_named(kept: Kept) -> None:
    """Its die is what the seed gives, so everybody else must wait for the opening."""
    with Cheat(kept).otherwise(Sealer, "dice", lambda *_: bytes([7] * 32)):
        kept.kept("cy", "roll", sides=1000)
    for keys in ((KEY,), (HALF,)):
        assert "its message says" in kept.found_wrong(*keys)[0]
    assert kept.found_wrong() == []


# ---- the salt of a term's dice, which whoever made its key does not know


def salt_of(kept: Kept) -> list[object]:
    """What the file of keys says that each term's dice hang on beside its key."""
    return [each.get("salt") for each in yaml.safe_load(Forger(kept).file(KEYS))]


def seed_of(kept: Kept, salt: str, *turn: str) -> str:
    """The seed of a draw, worked out from what ``docs/secrets.md`` says (HKDF and HMAC as their RFCs have them)."""
    assert KEY.main is not None
    founding = kept.game().terms[0].since.encode()
    dice_key = hmac.digest(hmac.digest(founding, KEY.main, "sha256"), b"nomicgit/1/dice\x01", "sha256")
    names = [each.encode() for each in ("1", salt, *turn)]
    return hmac.digest(dice_key, b"".join(len(each).to_bytes(4) + each for each in names), "sha256").hex()


def test_dice_hang_on_the_first_open_deed_of_another_than_their_keeper(tmp_path: Path) -> None:
    kept = Kept.begun(tmp_path / "game")
    kept.kept("ben", "earn", n=1)
    kept.ordered("cy", "hide", n=1)
    kept.kept("cy", "roll", sides=6)
    assert salt_of(kept) == [None]
    drawn = re.findall(r"Nomic-Seed: (\w+)", kept.git("log", "-1", "--format=%B"))
    assert drawn == [seed_of(kept, "", "roll cy 1")]
    kept.kept("ana", "earn", n=1)
    salt = named(f"deed-{kept.count}")
    kept.kept("dee", "earn", n=1)
    assert salt_of(kept) == [salt]
    kept.kept("cy", "roll", sides=6)
    drawn = re.findall(r"Nomic-Seed: (\w+)", kept.git("log", "-1", "--format=%B"))
    assert drawn == [seed_of(kept, salt, "roll cy 2")]
    nobody_finds_anything(kept)


def mended(kept: Kept, to: str) -> None:
    """The game goes back to a commit, and its keeper looks through that."""
    kept.at += 60
    with kept.game().repository as repository:
        Remedy.to(repository, to, kept.at).record(["ana"], kept.at, sure=True)
        vetting.refuse_unsound(repository, kept.head())


def test_who_has_seen_dice_that_a_mend_sets_aside_does_not_know_those_that_come(tmp_path: Path) -> None:
    kept = Kept.begun(tmp_path / "game")
    kept.kept("ana", "earn", n=1)
    salt, thrown = named(f"deed-{kept.count}"), list[str]()
    to = kept.head()
    for _ in range(3):
        kept.kept("cy", "roll", sides=6)
        thrown += re.findall(r"Nomic-Seed: (\w+)", kept.git("log", "-1", "--format=%B"))
        seen = kept.head()
        mended(kept, to)
    mended(kept, seen)  # the last mend was one too many: that roll stands
    kept.kept("cy", "roll", sides=6)
    thrown += re.findall(r"Nomic-Seed: (\w+)", kept.git("log", "-1", "--format=%B"))
    first = "roll cy 1"
    assert thrown == [
        seed_of(kept, salt, *turn) for turn in ((first,), (first, "1"), (first, "2"), ("roll cy 2", "4"))
    ]
    nobody_finds_anything(kept)


@pytest.mark.parametrize("how", ["another", "none"])
def test_dice_get_no_salt_but_that_deed(kept: Kept, how: str) -> None:
    forger, file = Forger(kept), Forger(kept).file(KEYS)
    own = b"" if how == "none" else b"  salt: mine\n"
    other = re.sub(rb" *salt: .*\n", own, file)
    assert other != file
    forger.amend(-1, lambda c: {"tree": forger.tree(c.tree, {KEYS: other})})
    for keys in ((), (KEY,)):
        assert kept.found_wrong(*keys)


def test_dice_that_have_a_salt_get_no_other(kept: Kept) -> None:
    [salt] = salt_of(kept)
    kept.kept("dee", "earn", n=1)
    forger = Forger(kept)
    later = forger.file(KEYS).replace(str(salt).encode(), named(f"deed-{kept.count}").encode())
    forger.amend(-1, lambda c: {"tree": forger.tree(c.tree, {KEYS: later})})
    wrong = f"it changes {KEYS}, which its deed does not"
    assert wrong in kept.found_wrong()
    with Repository.open(kept.folder) as repository:
        (stray,) = strays(repository, kept.head())
    assert stray.what == wrong


def test_a_term_whose_keeper_stays_keeps_its_salt_and_a_new_key_gets_another(kept: Kept) -> None:
    first = salt_of(kept)
    for keeper in ("ben", "cy"):
        game = kept.game() if keeper == "ben" else Game.open(kept.folder)
        with game.repository:
            turning.begin_term(game, keeper, kept.at + 60)
    assert salt_of(kept) == [*first, *first, None]
    game = Game.open(kept.folder)
    with game.repository:
        for who, name in (("cy", "c1"), ("ben", "c2"), ("dee", "c3")):
            game.act(Deed(named(name), who, "earn", {"n": 1}, kept.at + 120))
    assert salt_of(kept) == [*first, *first, named("c2")]
    assert kept.found_wrong() == []


def test_a_keeper_who_stays_and_takes_another_key_than_the_one_that_follows_is_named(kept: Kept) -> None:
    """Else they could begin terms until dice please them."""
    with kept.game().repository:
        turning.begin_term(kept.game(), "cy", kept.at + 60)
    file = Forger(kept).file(KEYS)
    Cheat(kept).newest(
        {KEYS: file.replace(b"keeper: cy", b"keeper: ben")},
        lambda text: text.replace('"keeper": "cy"', '"keeper": "ben"').replace(": cy keeps", ": ben keeps"),
    )
    for keys in ((), (KEY,)):
        assert "takes another key than the one to which they were bound" in " ".join(kept.found_wrong(*keys))


def test_a_message_that_nobody_was_sent_is_named(kept: Kept) -> None:
    honest = veil.message

    def lying(outcome: Outcome, *more: Any, **how: Any) -> str:
        return honest(replace(outcome, messages=[("players/ana", "You have won.")]), *more, **how)

    with Cheat(kept).otherwise(veil, "message", lying):
        kept.ordered("cy", "hide", n=1)
    (fault,) = kept.found_wrong(KEY)
    assert fault.startswith("its message says 'Nomic-Sealed: ")
    assert kept.found_wrong() == []


def test_an_order_that_is_done_twice_is_named(kept: Kept) -> None:
    kept.ordered("cy", "hide", nonce="once", n=1)
    with Cheat(kept).otherwise(keyed, "take_order", lambda *_: None):
        kept.ordered("cy", "hide", nonce="once", n=1)
    for keys in ((KEY,), (HALF,)):
        (fault,) = kept.found_wrong(*keys)
        assert fault == "its deed is refused: this order was taken already"


def test_an_order_that_was_held_back_until_a_later_one_was_taken_is_refused_and_named_where_it_is_taken(
    kept: Kept,
) -> None:
    """Whoever held it back; its player takes back in this way what lies there, by a blank order say."""
    earlier = kept.at - 1
    kept.ordered("cy", ordering.BLANK, made=kept.at)
    kept.ordered("cy", "hide", made=earlier, n=1)
    assert kept.found_wrong(KEY) == kept.found_wrong(HALF) == []
    assert hoards(kept) == {"cy": 3}
    assert "has been taken" in newest_behind(kept).refusal
    with Cheat(kept).otherwise(keyed, "overtaken", lambda *_: ""):
        kept.ordered("cy", "hide", made=earlier, n=1)
    assert hoards(kept) == {"cy": 4}
    for keys in ((KEY,), (HALF,)):
        named, *_ = [fault for fault in kept.found_wrong(*keys) if fault.startswith("the order that it was")]
        assert "one of the same player's that was made later, at 2021-" in named


def test_when_an_order_was_made_is_the_players_own_and_no_clock_that_is_fast_locks_them_out(
    kept: Kept,
) -> None:
    for made in (kept.at + 86_400, kept.at + 90):
        kept.ordered("cy", "hide", made=made, n=1)
    kept.ordered("ana", "hide", made=kept.at - 86_400, n=1)
    assert hoards(kept) == {"cy": 5, "ana": 1}
    assert kept.found_wrong(KEY) == []


def newest_behind(kept: Kept) -> veil.Behind:
    """What stands behind the veil of the newest deed."""
    behind = veil.behind(journal.parse(kept.game().head.message), kept.sealer())
    assert behind is not None
    return behind


def hoards(kept: Kept) -> dict[str, int]:
    """What each has hidden."""
    fields = {ref.partition("/")[2]: of.get("hoard") for ref, of in vault(kept.game()).items()}
    return {name: hoard for name, hoard in fields.items() if hoard}


@pytest.mark.slow
def test_orders_of_one_round_that_are_done_in_another_order_are_named(kept: Kept) -> None:
    """Whatever commit of it a replay begins with; an order that is never opened hides no other."""

    def round_of(*, turned: bool) -> None:
        kept.at += 60
        made = {
            who: [(Made(kept.at - 9, f"{who}{kept.at}{n}"), f"{who} {n}") for n in range(3)]
            for who in ("ana", "cy", "dee")
        }
        nonces = {text: each.nonce for own in made.values() for each, text in own}
        orders = list(in_turn(Turns(kept.sealer(), kept.at), made, lambda _: True))
        for text in orders[::-1] if turned else orders:
            who, _, number = text.partition(" ")
            whisper = ("whisper", {"to": "eli", "text": "hush"})
            action, given = ("hide", {"n": 1}) if number != "1" else whisper
            deed = Deed(
                named(f"{who}-{number}-{kept.at}"),
                who,
                action,
                given,
                kept.at,
                nonce=nonces[text],
                made=kept.at - 9,
            )
            game = kept.game()
            with game.repository:
                game.act(deed, decide=ordering.decided)

    round_of(turned=False)
    nobody_finds_anything(kept)
    round_of(turned=True)
    fault = "it is not the order whose turn it was among those of its round"
    assert set(kept.found_wrong(KEY)) == {fault}
    assert kept.found_wrong(HALF)[-1] == fault
    assert kept.found_wrong() == []
    with Repository.open(kept.folder) as repository:
        commits = list(repository.log(kept.head()))[::-1]
        for start in range(1, len(commits)):
            *_, (faults, *_) = Replay(repository, commits, None, [KEY]).steps(start)
            assert faults == [fault]


def test_an_honest_round_is_found_to_be_one_whatever_of_it_is_never_opened() -> None:
    sealer = Sealer(KEY, "game")
    for at in range(1000, 1040):
        made = {who: [(Made(at - 9, str(n)), f"{who} {n}") for n in range(4)] for who in ("ana", "cy", "dee")}
        seen = Round(sealer, at)
        for text in in_turn(Turns(sealer, at), made, lambda _: True):
            who, _, number = text.partition(" ")
            deed = Deed(text, who, "hide", {}, at, nonce=number, made=at - 9)
            assert not seen.out_of_turn(None if number in "02" else deed), at


def test_an_opening_with_a_wrong_key_is_named(kept: Kept) -> None:
    game = kept.game()
    with game.repository:
        turning.begin_term(game, "ben", kept.at + 60)
    game = kept.game()
    game.key = None  # the new one lies in the clone
    other = Key(STRANGER.main, None)
    with pytest.MonkeyPatch.context() as patch, game.repository:
        patch.setattr(turning, "earlier_keys", lambda *_: [other])
        patch.setattr(Term, "fits", lambda *_: True)
        patch.setattr(turning, "living_on", lambda *_: [])
        turning.open_term(game, 1, kept.at + 120)
    assert "the opened key is not the one to which the term was bound" in kept.found_wrong()[0]


@pytest.mark.parametrize("part", Part)
def test_what_is_sealed_of_the_gamestate_changed_alone_is_named(kept: Kept, part: Part) -> None:
    kept.ordered("cy", "hide", n=2)
    name, *there = lines(kept)[-1].split()
    change = {"players/dee": {"puts": {"hoard": 1000}}}
    forged = sheet(kept.sealer(), "since", name, dict.fromkeys(Part, change), None)
    shut = [forged.main, there[1]] if part is Part.MAIN else [there[0], forged.never]
    Cheat(kept).newest({SINCE: "".join([*lines(kept)[:-1], f"{name} {shut[0]} {shut[1]}\n"]).encode()})
    assert f"its tree is not what its deed makes: {SINCE}" in kept.found_wrong(KEY)
    assert (kept.found_wrong(HALF) == []) == (part is Part.NEVER)
    assert kept.found_wrong() == []


# ---- without the key: caught by everybody


def test_a_signature_of_something_else_is_named(kept: Kept) -> None:
    mark = Forger(kept).commits()[1].message.rpartition("Nomic-Keeper: ")[2]
    kept.ordered("cy", "hide", n=1)
    Forger(kept).amend(
        -1, lambda c: {"message": c.message.rpartition("Nomic-Keeper: ")[0] + f"Nomic-Keeper: {mark}"}
    )
    seen_by_all(kept, "the signature of the keeper is not theirs, or is of something else")


@pytest.mark.parametrize("message", [
    lambda text: text.rpartition("Nomic-Keeper: ")[0],
    lambda text: text.rpartition("Nomic-Keeper: ")[0] + "Nomic-Keeper: \n",
    lambda text: text.replace("Nomic-Keeper: ", "Nomic-Keeper: AAAA"),
], ids=["none", "empty", "garbled"])  # fmt: skip
def test_a_sealed_deed_that_the_keeper_has_not_signed_is_named(
    kept: Kept, message: Callable[[str], str]
) -> None:
    kept.ordered("cy", "hide", n=1)
    Forger(kept).amend(-1, lambda c: {"message": message(c.message)})
    seen_by_all(kept, "the keeper has not signed it|the signature of the keeper")


def test_a_sealed_deed_by_somebody_with_another_key_is_named(kept: Kept) -> None:
    kept.ordered("cy", "hide", n=1)
    stranger = Sealer(STRANGER, kept.sealer().game)
    Cheat(kept).newest({}, sealer=stranger)
    seen_by_all(kept, "the signature of the keeper is not theirs, or is of something else")


def test_a_die_in_the_open_that_the_keeper_has_not_signed_is_named(kept: Kept) -> None:
    kept.kept("cy", "roll", sides=6)
    Forger(kept).amend(-1, lambda c: {"message": c.message.rpartition("Nomic-Keeper: ")[0]})
    seen_by_all(kept, "the keeper has not signed it")


@pytest.mark.parametrize("cut", [lambda all_: all_[:-1], lambda all_: all_[1:], lambda all_: [*all_, all_[-1]],
                                 lambda all_: [all_[1], all_[0], *all_[2:]]], ids=["own", "first", "twice", "order"])  # fmt: skip
def test_a_sealed_line_that_is_gone_or_moved_is_named(
    kept: Kept, cut: Callable[[list[str]], list[str]]
) -> None:
    """Even where the keeper signs that."""
    kept.ordered("cy", "hide", n=1)
    Cheat(kept).newest({SINCE: "".join(cut(lines(kept))).encode()})
    seen_by_all(kept, "what is sealed has not the form that a sealed deed gives it")


@pytest.mark.parametrize("where", ["since", "veil"])
@pytest.mark.parametrize("size", [0, 15, 16, 100, 1024, 1039, 1041])
def test_what_is_sealed_in_another_size_is_named(kept: Kept, where: str, size: int) -> None:
    """A size within a step would tell how long something is."""
    kept.ordered("cy", "hide", n=1)
    short = base64.b64encode(b"x" * size).decode()
    name, main, _ = lines(kept)[-1].split(" ")
    if where == "since":
        Cheat(kept).newest({SINCE: "".join([*lines(kept)[:-1], f"{name} {main} {short}\n"]).encode()})
    else:
        Cheat(kept).newest({}, lambda text: re.sub(r"(Nomic-Sealed: \S+) \S+\n", rf"\1 {short}\n", text))
    assert len(kept.found_wrong()) == 1


@pytest.mark.parametrize("path", [STATE, SINCE, KEYS])
@pytest.mark.parametrize("gone", [True, False])
def test_an_open_deed_that_touches_what_is_sealed_is_named(kept: Kept, path: str, *, gone: bool) -> None:
    forger = Forger(kept)
    data = None if gone else forger.file(path).replace(b"e", b"E")
    kept.kept("ana", "earn", n=1)
    forger.amend(-1, lambda c: {"tree": forger.tree(c.tree, {path: data})})
    for keys in ((), (KEY,)):
        assert kept.found_wrong(*keys)


def test_a_sealed_deed_that_changes_the_keys_is_named(kept: Kept) -> None:
    """With a key of somebody's own the rest of the game would be theirs."""
    kept.ordered("cy", "hide", n=1)
    file = Forger(kept).file(KEYS)
    Cheat(kept).newest({KEYS: file.replace(b"keeper: ben", b"keeper: cy")})
    assert f"it changes {KEYS}, which its deed does not" in kept.found_wrong()


@pytest.mark.parametrize("other", [
    {"author": "cy"}, {"email": "cy@example.org"}, {"message": "more"}, {"parents": "root"},
], ids=["author", "email", "sentence", "parent"])  # fmt: skip
def test_what_the_signature_does_not_cover_is_held_to_the_deed(kept: Kept, other: dict[str, str]) -> None:
    """Whoever can push may make a commit anew round what the keeper has signed, and point at a player in it."""
    kept.ordered("cy", "hide", n=1)
    forger = Forger(kept)
    root = forger.commits()[0].oid

    def change(commit: Commit) -> dict[str, Any]:
        if "parents" in other:
            return {"parents": (*commit.parents, root)}
        return (
            {"message": commit.message.replace("\n\n", "\n\nSaid by cy.\n\n", 1)}
            if "message" in other
            else other
        )

    forger.amend(-1, change)
    assert kept.found_wrong() != []


# ---- an open deed that looked at a secret


@pytest.mark.parametrize("who", ["cy", "eli"])
def test_a_deed_that_looked_at_a_secret_and_is_recorded_as_open_is_named(kept: Kept, who: str) -> None:
    """Whether it found something (cy has a hoard) or not (eli has none): by those without the key, since it needs one."""
    with Cheat(kept).otherwise(Store, "look", lambda *_: None):
        kept.kept("dee", "search", who=who)
    newest = Forger(kept).commits()[-1]
    assert "Nomic-Sealed" not in newest.message
    assert kept.found_wrong(KEY) != []
    (fault,) = kept.found_wrong()
    assert "its deed is refused: " in fault
    assert "sealed: hoard of players is secret" in fault


@pytest.mark.slow
def test_a_private_deed_that_is_recorded_as_open_is_named(kept: Kept) -> None:
    with Cheat(kept).otherwise(Store, "look", lambda *_: None):
        kept.kept("dee", "whisper", to="ana", text="hello")
    assert "Nomic-Sealed" not in Forger(kept).commits()[-1].message
    for keys in ((KEY,), (HALF,), ()):
        assert kept.found_wrong(*keys) != []


@pytest.mark.slow
def test_an_open_deed_that_is_recorded_as_sealed_is_named(kept: Kept) -> None:
    """A keeper who hides what everybody could have held to the law."""

    def looking(self: Store, ref: str) -> Any:
        self.looked = True
        return honest(self, ref)

    honest = Store.fields
    with Cheat(kept).otherwise(Store, "fields", looking):
        kept.kept("dee", "earn", n=5)
    assert "Nomic-Sealed" in Forger(kept).commits()[-1].message
    for keys in ((KEY,), (HALF,)):
        assert kept.found_wrong(*keys) != []
    assert kept.looked_through().sealed[-1].what == "players.dee.gold: 10 → 15"
