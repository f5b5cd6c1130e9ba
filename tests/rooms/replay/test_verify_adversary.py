"""Verify against whoever can push anything: every kind of tampering is named, with its commit."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hostile.forging import Forger
from hostile.small import FSCK, START, Small, git_in
from msgspec.structs import replace
from support.depth import DEEP
from support.ids import named, renamed

from nomicgit.git import Commit, Repository
from nomicgit.ground import clock
from nomicgit.ground.problems import Ambiguous, Outage, Refused
from nomicgit.physics.deed import Deed
from nomicgit.record.game import Game, new_id
from nomicgit.record.seen.strays import strays
from nomicgit.replay import replaying

FOUNDING, EARN, GIVE, ROLL, PROPOSE, VOTE, VOTE2, RESOLVE, DIG = range(9)
"""The places of the deeds in the played game."""


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of nine deeds, played once for all tests."""
    small = Small.found(tmp_path_factory.mktemp("original") / "game")
    small.do("cy", "earn", n=3)
    small.do("cy", "give", to="dee", n=2)
    small.do("dee", "roll", sides=20)
    small.enact({"amend": {"rule": "hoard", "replace": "Gold is earned", "with": "Silver is earned"}})
    small.do("eli", "dig", name="Hall")
    return small.folder


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each history is replayed in one piece, and in shares; of many cases of one idea the latter in the deep profile alone."""
    many = any(metafunc.definition.iter_markers("parametrize"))
    shared = pytest.param(2, marks=[pytest.mark.slow, *([DEEP] if many else [])], id="shared")
    whole = pytest.param(1000, marks=[pytest.mark.slow] if many else [], id="whole")
    metafunc.parametrize("_shares", [whole, shared], indirect=True)


@pytest.fixture(autouse=True)
def _shares(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """How many commits are replayed in one piece: all, or two of them, side by side with others."""
    monkeypatch.setattr("nomicgit.replay.verifying.SHARE", request.param)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(4), raising=False)


@pytest.fixture
def small(original: Path, tmp_path: Path) -> Small:
    """A copy of that game, to tamper with."""
    shutil.copytree(original, tmp_path / "game")
    return Small(tmp_path / "game", START + 8 * 60)


@pytest.fixture
def forger(small: Small) -> Forger:
    return Forger(small)


def only(small: Small, commit: Commit, *what: str) -> None:
    """Exactly this commit must be named, with these words."""
    faults = small.faults()
    assert list(faults) == [commit.oid], faults
    said = " / ".join(faults[commit.oid])
    assert all(word in said for word in what), said


def test_an_honest_game_is_verified(small: Small) -> None:
    found = small.verified()
    assert (found.faults, found.doubts, found.deeds, found.others) == ([], [], 9, 0)


# Deeds taken out, put in, moved about.


def test_a_deed_taken_out(small: Small, forger: Forger) -> None:
    history = forger.commits()
    made = forger.replay([*history[:EARN], *history[GIVE:]])
    only(small, made[EARN], "its tree is not what its deed makes", "game/state/players/cy.yml")


def test_a_deed_taken_out_whose_effects_stay_out_changes_what_follows(small: Small, forger: Forger) -> None:
    history = forger.commits()
    without = forger.tree(history[GIVE].tree, {})
    made = forger.replay([*history[:PROPOSE], *history[VOTE:]])
    assert made[PROPOSE].oid in small.faults()
    assert without == history[GIVE].tree


def test_two_deeds_swapped(small: Small, forger: Forger) -> None:
    history = forger.commits()
    made = forger.replay([history[0], history[GIVE], history[EARN], *history[ROLL:]])
    faults = small.faults()
    assert "its tree is not what its deed makes" in faults[made[1].oid][0]
    assert "it is dated before the deed before it" in faults[made[2].oid][0]


def test_a_deed_repeated(small: Small, forger: Forger) -> None:
    history = forger.commits()
    made = forger.replay([*history, history[DIG]])
    assert "stands in the history already" in small.faults()[made[-1].oid][0]


def test_the_effects_of_a_deed_doubled(small: Small, forger: Forger) -> None:
    gold = forger.file("game/state/players/cy.yml").replace(b"gold: 11", b"gold: 99")
    forged = forger.amend(DIG, lambda c: {"tree": forger.tree(c.tree, {"game/state/players/cy.yml": gold})})
    only(small, forged, "game/state/players/cy.yml")


# Deeds amended.


def reword(old: str, new: str) -> Callable[[Commit], Mapping[str, Any]]:
    def change(commit: Commit) -> Mapping[str, Any]:
        assert old in commit.message, commit.message
        return {"message": commit.message.replace(old, new)}

    return change


@pytest.mark.parametrize(
    ("place", "old", "new", "said"),
    [
        (EARN, "cy: earn 3", "cy: earn 30", "its message says"),
        (EARN, '{"n": 3}', '{"n": 30}', "its tree is not what its deed makes"),
        (EARN, "Nomic-By: cy", "Nomic-By: ben", "its tree is not what its deed makes"),
        (EARN, "Nomic-Action: earn", "Nomic-Action: give", "its deed is refused"),
        (VOTE, '"for"', '"against"', "its tree is not what its deed makes"),
        (ROLL, "d20 gave ", "d20 gave 2", "its message says"),
        (ROLL, 'Nomic-Dice: ["d20: ', 'Nomic-Dice: ["d20: 2', "its message says"),
        (EARN, "Nomic-Action", "He was lucky.\n\nNomic-Action", "its message says"),
        (EARN, "Nomic-Id", "Nomic-Seed: " + "0" * 64 + "\nNomic-Id", "its message says"),
        (EARN, "Nomic-Id", "Nomic-Extra: 1\nNomic-Id", "its message says"),
        (EARN, "Nomic-Id", "Nomic-At: 2021-06-07T00:01:00Z\nNomic-Id", "stands twice"),
        (EARN, "Nomic-By: cy\n", "", "Nomic-By is missing"),
        (EARN, "Nomic-At: 2021", "Nomic-At: 2121", "not of one time"),
        (RESOLVE, "Nomic-Id", 'Nomic-Evidence: {"bricked": ["x"]}\nNomic-Id', "its message says"),
        (RESOLVE, "Nomic-Id", 'Nomic-Evidence: {"odd": ["y"]}\nNomic-Id', "its message says"),
        (EARN, "Nomic-Id", 'Nomic-Evidence: {"exhausted": ["x"]}\nNomic-Id', "its message says"),
    ],
)
def test_an_amended_message(small: Small, forger: Forger, place: int, old: str, new: str, said: str) -> None:
    forged = forger.amend(place, reword(old, new))
    assert said in " / ".join(small.faults()[forged.oid])


def test_a_line_at_the_end_of_a_message_that_its_deed_does_not_make(small: Small, forger: Forger) -> None:
    line = f"Nomic-Branch: {'a' * 40}"
    forged = forger.amend(EARN, lambda commit: {"message": commit.message.rstrip("\n") + f"\n{line}\n"})
    assert f"its message says '{line}' where its deed makes nothing" in small.faults()[forged.oid]


@pytest.mark.parametrize(
    "name", ["x", "../x", "20210607T000000Z-1", "20210607T000000Z-0123456789AB", "id" * 500]
)
def test_a_deed_that_is_named_as_the_program_names_none(small: Small, forger: Forger, name: str) -> None:
    """Its name stands in messages, in letters and in what others write: so it has one form, and whoever writes it is held to that."""
    with pytest.raises(Refused, match="is no name of a deed"):
        Game.open(small.folder).act(Deed(name, "cy", "earn", {"n": 1}, small.at + 60))
    history = forger.commits()
    odd = re.sub("Nomic-Id: .*", f"Nomic-Id: {name}", history[EARN].message)
    forged = forger.amend(EARN, lambda _: {"message": odd})
    assert "is no name of a deed" in small.faults()[forged.oid][0]
    with Repository.open(small.folder) as repository:
        assert [stray.commit for stray in strays(repository, small.head())] == [forged.oid]


@pytest.mark.slow
def test_another_seed_makes_other_dice(small: Small, forger: Forger) -> None:
    history = forger.commits()
    seed = re.search("Nomic-Seed: (.{64})", history[ROLL].message)
    assert seed
    named = 0
    for digit in "01234567":
        history[ROLL] = replace(history[ROLL], message=history[ROLL].message.replace(seed[1], digit * 64))
        seed = re.search("Nomic-Seed: (.{64})", history[ROLL].message)
        assert seed
        named += forger.replay(history)[ROLL].oid in small.faults()
    assert named >= 4  # one in twenty shows the same face


def test_a_seed_taken_out(small: Small, forger: Forger) -> None:
    message = forger.commits()[ROLL].message
    seed = next(line for line in message.split("\n") if line.startswith("Nomic-Seed: "))
    forged = forger.amend(ROLL, reword(seed + "\n", ""))
    assert small.faults()[forged.oid]


def test_another_author(small: Small, forger: Forger) -> None:
    only(small, forger.amend(GIVE, lambda _: {"author": "dee"}), "its author is 'dee'", "cy's")


def test_backdated(small: Small, forger: Forger) -> None:
    def earlier(commit: Commit) -> Mapping[str, Any]:
        old, new = clock.text(commit.author_time), clock.text(commit.author_time - 3600)
        return {"author_time": commit.author_time - 3600, "message": commit.message.replace(old, new)}

    forged = forger.amend(ROLL, earlier)
    assert "it is dated before the deed before it" in small.faults()[forged.oid]


def test_the_founding_is_told_so_that_players_can_compare_it(small: Small, forger: Forger) -> None:
    assert small.verified().founding == forger.commits()[0].oid


def test_a_deed_cast_after_it_was_done(small: Small, forger: Forger) -> None:
    cast = "Nomic-Cast-At: 2021-06-07T00:02:00Z\nNomic-Id"
    only(small, forger.amend(EARN, reword("Nomic-Id", cast)), "cast when it was done, or later")


def test_the_committers_clock_decides_nothing(small: Small) -> None:
    """Whoever carries a commit on makes another one of it, which is named; the deed's time is the author's all the same."""
    env = {"GIT_COMMITTER_DATE": "2099-01-01T00:00:00Z", "GIT_COMMITTER_NAME": "Ev"}
    small.git("commit", "-q", "--amend", "--no-edit", "--allow-empty", env=env)
    assert "committer Ev" in small.faults()[small.head()][0]
    assert Game.open(small.folder).last() == START + 8 * 60


def test_a_commit_dated_otherwise_than_its_deed(small: Small, forger: Forger) -> None:
    forged = forger.amend(ROLL, lambda c: {"author_time": c.author_time + 1})
    only(small, forged, "not of one time")


def test_a_deed_of_a_live_game_dated_ahead(tmp_path: Path) -> None:
    now = int(time.time())
    live = Small.found(tmp_path / "live", time="live")
    live.at = now + 3600
    live.do("cy", "earn", after=0, n=1)
    ahead = [fault for fault in live.verified(now=now).faults if "ahead of this clock" in fault.what]
    assert [fault.commit for fault in ahead] == [live.head()]
    assert live.verified(now=now + 3600 - 300).faults == []


# The game changed beside the deeds.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("game/state/players/cy.yml", b"gold: 11", b"gold: 99"),
        ("game/ruleset/2-dynastic/10-hoard.md", b"min: 1", b"min: -99"),
        ("game/game.yml", b"time: given", b"time: live"),
        ("game/posts/2021/06/0001-a-change.md", b"status: enacted", b"status: failed"),
        ("game/posts/2021/06/0001-a-change.comments.yml", b"against", b"for"),
    ],
)
def test_a_file_changed_by_hand(small: Small, forger: Forger, path: str, old: bytes, new: bytes) -> None:
    text = forger.file(path)
    if path.endswith("comments.yml"):
        old, new = b'"for"', b'"against"'
    assert old in text, text
    forged = forger.add("tidy up", {path: text.replace(old, new)})
    only(small, forged, "it changes the game and is no deed")


@pytest.mark.slow
def test_a_rule_changed_in_between_with_all_that_follows_built_upon_it(small: Small, forger: Forger) -> None:
    path = "game/ruleset/2-dynastic/10-hoard.md"
    rule = forger.file(path).replace(b"spend(actor", b"gain(actor")
    history = forger.commits()
    by_hand = replace(history[DIG], tree=forger.tree(history[RESOLVE].tree, {path: rule}), message="typo")
    made = forger.replay([*history[:DIG], by_hand, history[DIG]])
    faults = small.faults()
    assert faults[made[DIG].oid] == ["it changes the game and is no deed"]
    assert "its tree is not what its deed makes" in faults[made[DIG + 1].oid][0]


def test_a_file_put_beside_the_state(small: Small, forger: Forger) -> None:
    forged = forger.amend(
        DIG, lambda c: {"tree": forger.tree(c.tree, {"game/state/players/eve.yml": b"a: 1\n"})}
    )
    only(small, forged, "game/state/players/eve.yml")


def test_a_deed_that_touches_what_is_not_the_game(small: Small, forger: Forger) -> None:
    forged = forger.amend(DIG, lambda c: {"tree": forger.tree(c.tree, {"src/code.py": b"import os\n"})})
    only(small, forged, "src/code.py")


def test_commits_beside_the_game_are_passed_over(small: Small, forger: Forger) -> None:
    forger.add("code", {"src/code.py": b"import os\n"})
    small.do("cy", "earn", n=1)
    assert (small.verified().faults, small.verified().others) == ([], 1)


def test_a_roll_back_to_an_older_valid_state_under_a_fresh_message(small: Small, forger: Forger) -> None:
    history = forger.commits()
    fresh = renamed(history[DIG].message)
    forged = forger.forge(history[DIG], tree=history[EARN].tree, parents=(history[DIG].oid,), message=fresh)
    forger.point(forged)
    only(small, forged, "its tree is not what its deed makes")


def test_a_roll_back_by_a_commit_that_is_no_deed(small: Small, forger: Forger) -> None:
    forged = forger.add("revert", {}, tree=forger.commits()[EARN].tree)
    only(small, forged, "it changes the game and is no deed")


def test_an_evil_merge(small: Small, forger: Forger) -> None:
    history = forger.commits()
    side = forger.forge(
        history[-1],
        parents=(history[-1].oid,),
        tree=forger.tree(history[-1].tree, {"a.txt": b"a"}),
        message="side",
    )
    gold = forger.file("game/state/players/cy.yml").replace(b"gold: 11", b"gold: 99")
    tree = forger.tree(side.tree, {"game/state/players/cy.yml": gold})
    merge = forger.add("Merge branch 'side'", {}, tree=tree, parents=(history[-1].oid, side.oid))
    only(small, merge, "it changes the game and is no deed")


def test_a_merge_that_makes_another_history_the_first_parent(small: Small, forger: Forger) -> None:
    """Whoever merges the game's branch into an own one, and pushes that, puts the deeds since then aside."""
    history = forger.commits()
    own = forger.forge(history[ROLL], parents=(history[ROLL].oid,), tree=history[ROLL].tree, message="mine")
    merge = forger.forge(history[DIG], parents=(own.oid, history[DIG].oid), message="Merge branch 'main'")
    forger.point(merge)
    only(small, merge, "it changes the game and is no deed")


def test_a_deed_that_takes_a_strange_branch_for_merged(small: Small, forger: Forger) -> None:
    history = forger.commits()
    stray = forger.forge(history[0], parents=(), message="stray")
    forged = forger.amend(DIG, lambda c: {"parents": (*c.parents, stray.oid)})
    only(small, forged, f"it merges {stray.oid[:12]}")


# Foundings.


def test_a_second_founding_hides_nothing(small: Small, forger: Forger, tmp_path: Path) -> None:
    other = Small.found(tmp_path / "other")
    small.git("fetch", "-q", str(other.folder), "main")
    founding = Forger(other).commits()[0]
    late = founding.message.replace(clock.text(START), clock.text(START + 3600))
    forged = forger.add(late, {}, tree=founding.tree, author="founder", author_time=START + 3600)
    faults = small.faults()
    assert "it founds a game where one is already" in faults[forged.oid]
    tampered = forger.file("game/state/players/cy.yml").replace(b"gold: 10", b"gold: 99")
    again = forger.add("more", {"game/state/players/cy.yml": tampered})
    assert set(small.faults()) == {forged.oid, again.oid}


def test_a_game_founded_with_another_state(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    forger = Forger(small)
    rich = forger.file("game/state/players/cy.yml").replace(b"gold: 10", b"gold: 99")
    forged = forger.amend(0, lambda c: {"tree": forger.tree(c.tree, {"game/state/players/cy.yml": rich})})
    only(small, forged, "game/state/players/cy.yml")


def test_a_game_founded_with_something_beside_its_state(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    forger = Forger(small)
    room = {"game/state/rooms/r7.yml": b"light: 6\n"}
    forged = forger.amend(0, lambda c: {"tree": forger.tree(c.tree, room)})
    only(small, forged, "game/state/rooms/r7.yml")


def test_a_game_under_another_physics(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    forger = Forger(small)
    settings = forger.file("game/game.yml").replace(b"physics: 1", b"physics: 2")
    forged = forger.amend(0, lambda c: {"tree": forger.tree(c.tree, {"game/game.yml": settings})})
    only(small, forged, "physics 2")
    with pytest.raises(Refused, match="physics 2"):
        small.do("cy", "earn", n=1)


def test_a_deed_that_changes_the_physics(small: Small, forger: Forger) -> None:
    settings = forger.file("game/game.yml").replace(b"physics: 1", b"physics: 2")
    forged = forger.amend(DIG, lambda c: {"tree": forger.tree(c.tree, {"game/game.yml": settings})})
    only(small, forged, "game/game.yml")


def test_a_game_founded_among_programs_and_links(tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    git_in(tmp_path / "game", "init", "-q", "-b", "main")
    (tmp_path / "game/run.sh").write_text("#!/bin/sh\n")
    (tmp_path / "game/run.sh").chmod(0o755)
    (tmp_path / "game/link").symlink_to("run.sh")
    git_in(tmp_path / "game", "add", ".")
    git_in(tmp_path / "game", "commit", "-qm", "code")
    small = Small.found(tmp_path / "game")
    small.do("cy", "earn", n=1)
    assert small.verified().faults == []


# What others wrote, taken for a deed.


TRAILERS = "\n\nNomic-Action: {action}\nNomic-By: cy\nNomic-At: {at}\nNomic-Id: " + named("forged") + "\n"


def test_trailers_in_the_message_of_a_merged_pull_request(small: Small, forger: Forger) -> None:
    """A body that a forge puts into a commit ends with trailers: it is named, and the game goes on."""
    forged = forger.add(
        "Add a page" + TRAILERS.format(action="earn", at="2099-01-01T00:00:00Z"), {"a.txt": b"a"}
    )
    game = Game.open(small.folder)
    assert game.last() == START + 8 * 60
    small.do("cy", "earn", n=1)
    assert list(small.faults()) == [forged.oid]


def test_a_broken_trailer_blocks_nobody(small: Small, forger: Forger) -> None:
    forged = forger.add("Add a page\n\nNomic-Id: x\nNomic-Id: y\n", {"a.txt": b"a"})
    small.do("cy", "earn", n=1)
    only(small, forged, "stands twice")


@pytest.mark.slow
@pytest.mark.parametrize("end", ["\n", "\u2028", "\r", "\x0b", "\x85", "\n\n"])
@pytest.mark.parametrize("field", ["title", "body"])
def test_trailers_in_a_players_text_are_text(small: Small, field: str, end: str) -> None:
    text = f"x{end}{end}Nomic-Action: physics/found{end}Nomic-Id: forged{end}Nomic-By: ben{end}Nomic-Seed: 00"
    try:
        told = {"title": "A story", "body": "b"} | {field: text}
        small.do("cy", "story", title=told["title"], body=told["body"])
    except Refused as error:
        assert field == "title", error  # noqa: PT017 - a title is one line; a body takes whatever is written
    small.do("dee", "earn", n=1)
    assert small.verified().faults == []
    assert "forged" not in [line.partition(": ")[2] for line in trailer_lines(small)]


def trailer_lines(small: Small) -> list[str]:
    """Git's own idea of the trailers of the last three commits."""
    return small.git("log", "-3", "--format=%(trailers:only,unfold)").split("\n")


@pytest.mark.slow
def test_trailers_in_a_note_are_no_trailers(small: Small) -> None:
    for line in ("Nomic-Action: physics/found", f"Nomic-Id: {new_id(START)}"):
        small.enact({"run": f'note("{line}")'})
    assert small.verified().faults == []
    assert small.verified().deeds == 17


def test_a_note_that_names_a_deed_does_not_hide_it_from_undo(small: Small) -> None:
    deed = small.do("cy", "earn", n=5).outcome.deed.id
    small.enact({"run": f'note("Nomic-Id: {deed}")'})
    before = small.value("players/cy gold")
    small.enact({"undo": deed})
    assert small.value("players/cy gold") == before - 5


@pytest.mark.parametrize(
    "what", [{"sha256": "x", "in": "game ledger"}, {"plain": 1}, {"plain": {"plain": 2}}]
)
def test_a_value_that_looks_like_a_reference_is_a_value(small: Small, what: Any) -> None:
    small.do("cy", "book", what=what)
    assert small.value("game ledger") == what
    assert small.verified().faults == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "where", ["posts/x body", "posts/١ body", "posts/ body", "x", "../.. body", "game/x/y z", ""]
)
def test_a_reference_to_nowhere_is_named(small: Small, forger: Forger, where: str) -> None:
    named = json.dumps({"n": {"sha256": "0" * 64, "in": where}})
    only(small, forger.amend(EARN, reword('{"n": 3}', named)), "is not in the commit's tree")


@pytest.mark.slow
@pytest.mark.parametrize(
    "trailer",
    [
        "Nomic-With: " + "[" * 100_000,
        'Nomic-With: {"n": ' + "[" * 100_000 + "]" * 100_000 + "}",
        'Nomic-With: {"n": NaN}',
        'Nomic-With: {"n": 1e999}',
        'Nomic-With: {"n": ' + "9" * 5000 + "}",
        'Nomic-With: {"n": "\\ud800"}',
        "Nomic-With: []",
        "Nomic-With: nonsense",
        'Nomic-With: {"n": 3}\nNomic-Evidence: {"deeds": [1]}',
        'Nomic-With: {"n": 3}\nNomic-Evidence: {"deeds": {"x": {"deed": {}, "effects": [1]}}}',
        'Nomic-With: {"n": 3}\nNomic-Evidence: {"exhausted": 5}',
        'Nomic-With: {"n": 3}\nNomic-Evidence: {"bricked": [[]]}',
        'Nomic-With: {"n": 3}\nNomic-Seed: zz',
        'Nomic-With: {"n": 3}\nNomic-Cast-At: yesterday',
        'Nomic-With: {"n": 3}\nNomic-Branch: ../../etc',
        'Nomic-With: {"n": 3}\nNomic-Branch: ' + "a" * 40,
    ],
)
def test_a_trailer_of_any_form_is_named(small: Small, forger: Forger, trailer: str) -> None:
    forged = forger.amend(EARN, reword('Nomic-With: {"n": 3}', trailer))
    faults = small.faults()
    assert forged.oid in faults
    assert all(len(what) < 1000 for what in faults[forged.oid])


@pytest.mark.parametrize(
    ("action", "given"),
    [
        ("physics/found", "{}"),
        ("physics/found", '{"players": 5}'),
        ("physics/restore", "{}"),
        ("physics/restore", '{"by": 5, "to": []}'),
        ("physics/restore", '{"by": ["ben"], "to": "HEAD"}'),
    ],
)
def test_a_founding_or_restoring_of_any_form_is_named(
    small: Small, forger: Forger, action: str, given: str
) -> None:
    forged = forger.amend(
        EARN,
        lambda c: {
            "message": c.message.replace("Action: earn", f"Action: {action}").replace('{"n": 3}', given)
        },
    )
    assert forged.oid in small.faults()


# Evidence.


def test_effects_of_an_earlier_deed_that_it_never_had(small: Small, forger: Forger) -> None:
    """An undo carries what it takes back; the history knows better."""
    deed = small.do("cy", "earn", n=5).outcome.deed.id
    small.enact({"undo": deed})
    history = forger.commits()
    assert '"old": 11, "new": 16' in history[-1].message
    lie = history[-1].message.replace('"old": 11, "new": 16', '"old": 99, "new": 16')
    gold = forger.file("game/state/players/cy.yml").replace(b"gold: 11", b"gold: 99")
    tree = forger.tree(history[-1].tree, {"game/state/players/cy.yml": gold})
    forged = forger.amend(len(history) - 1, lambda _: {"message": lie, "tree": tree})
    only(small, forged, f"what it says of the deed {deed} is not what stands in the history")


# Git's own ways to show another history.


def test_replaced_objects_change_nothing(small: Small, forger: Forger) -> None:
    history = forger.commits()
    rich = forger.forge(history[DIG], tree=history[EARN].tree)
    small.git("replace", history[DIG].oid, rich.oid)
    path = "game/state/players/cy.yml"
    blob = small.git("rev-parse", f"{history[EARN].oid}:{path}").strip()
    other = small.git("hash-object", "-w", "--stdin", given=b"gold: 1000000\n").strip()
    small.git("replace", blob, other)
    assert small.verified().faults == []
    small.git("pack-refs", "--all")
    small.git("gc", "-q")
    assert small.verified().faults == []
    assert small.value("players/cy gold") == 11


@pytest.mark.slow
def test_grafts_change_nothing(small: Small, forger: Forger) -> None:
    history = forger.commits()
    (small.folder / ".git/info/grafts").write_text(f"{history[DIG].oid} {history[EARN].oid}\n")
    assert (small.verified().faults, small.verified().deeds) == ([], 9)
    small.git("gc", "-q")
    assert (small.verified().faults, small.verified().deeds) == ([], 9)


def test_a_tag_named_like_the_branch_changes_nothing_and_its_name_alone_is_refused(
    small: Small, forger: Forger
) -> None:
    small.git("tag", "main", forger.commits()[EARN].oid)
    small.git("tag", "refs/heads/main", forger.commits()[EARN].oid)
    game = Game.open(small.folder)
    assert game.head.oid == small.git("rev-parse", "refs/heads/main").strip()
    assert (small.verified().faults, small.verified().deeds) == ([], 9)
    assert game.repository.resolve("refs/heads/main") == game.head.oid
    with pytest.raises(Ambiguous, match="main may mean refs/heads/main or refs/tags/main, which differ"):
        game.repository.resolve("main")


def test_a_shallow_clone_is_told_as_such(small: Small, tmp_path: Path) -> None:
    git_in(tmp_path, "clone", "-q", "--depth", "3", f"file://{small.folder}", "clone")
    found = Small(tmp_path / "clone").verified()
    assert ["shallow" in fault.what for fault in found.faults] == [True]
    assert found.deeds == 3
    git_in(tmp_path / "clone", "fetch", "-q", "--unshallow")
    assert Small(tmp_path / "clone").verified().faults == []


def test_a_history_without_a_founding(small: Small, forger: Forger) -> None:
    made = forger.replay(forger.commits()[EARN:])
    faults = small.faults()
    assert faults[made[0].oid] == ["no deed founds this game"]


def test_a_full_clone_of_a_verified_game_is_verified(small: Small, tmp_path: Path) -> None:
    git_in(tmp_path, "clone", "-q", "--bare", f"file://{small.folder}", "clone")
    bare = Small(tmp_path / "clone")
    assert (bare.verified().faults, bare.verified().deeds) == ([], 9)
    assert bare.git(*FSCK) == ""


def test_a_failure_of_the_machine_is_no_fault_of_a_deed(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise Outage("something ended the process", "try it again")

    monkeypatch.setattr(replaying.Replay, "_step", failing)
    with pytest.raises(Outage, match="something ended the process"):
        small.verified()
