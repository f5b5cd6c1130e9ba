"""Mend: a game goes back to what lawful deeds had made of it, and names what it sets aside."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hostile.forging import Forger
from hostile.small import FSCK, Small, git_in, small_law
from msgspec.structs import replace
from support.depth import DEEP
from support.ids import renamed

from nomicgit.cli import main
from nomicgit.clones.apart import standing
from nomicgit.clones.remedy import Remedy
from nomicgit.clones.syncing import sync
from nomicgit.git import Raced, Repository
from nomicgit.git.upstream import Upstream
from nomicgit.ground import clock, files
from nomicgit.ground.problems import NomicError, Refused
from nomicgit.record.annals import Annals
from nomicgit.record.game import Game, Recorded
from nomicgit.record.outside import entitled

RULE = "game/ruleset/2-dynastic/10-hoard.md"
LATER = clock.instant("2099-01-01T00:00:00Z")


@pytest.fixture
def small(tmp_path: Path) -> Small:
    """A game of a founding and four deeds, one of which made a post, and one a room; ana or ben may mend it."""
    found = Small.found(tmp_path / "game", restore={"by": ["ana", "ben"], "of": 1})
    found.do("cy", "earn", n=3)
    found.do("dee", "story", title="A story", body="b")
    found.do("cy", "dig", name="Hall")
    found.do("dee", "roll", sides=20)
    return found


def mended(small: Small, to: str, *by: str, at: int | None = None) -> Recorded:
    """A mend, a minute after the last deed that stands."""
    with Repository.open(small.folder) as repository:
        remedy = Remedy.to(repository, to, 2 * LATER)
        at = remedy.game.last() + 60 if at is None else at
        return remedy.record(by or ("ana",), at, sure=True).recorded


def by_hand(small: Small, **how: str) -> str:
    """A commit by hand that changes a rule, as the tests' own author."""
    file = small.folder / RULE
    file.write_text(file.read_text().replace(how.get("old", "earned"), how.get("new", "found")))
    small.git("commit", "-qam", how.get("message", "by hand"))
    return small.head()


def game_of(small: Small, commit: str = "HEAD") -> dict[str, str]:
    """The files of the game at a commit, but for the index of what is open, as Git tells them."""
    rows = (row.split("\t") for row in small.git("ls-tree", "-r", commit, "game").splitlines())
    return {path: entry for entry, path in rows if path != "game/state/open.yml"}


def index_of(small: Small, commit: str = "HEAD") -> Any:
    """The index of what is open at a commit."""
    return files.read(small.git("show", f"{commit}:game/state/open.yml"), "open.yml")


def sound(small: Small) -> None:
    """Nothing is found wrong, and the folder is as it is recorded."""
    found = small.verified()
    assert (found.faults, found.remedy) == ([], "")
    small.git(*FSCK)
    assert small.git("status", "--porcelain", "game") == ""


def said(small: Small, capsys: pytest.CaptureFixture[str], *command: str) -> tuple[int, str]:
    """What a command says, and its exit code."""
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(["-C", str(small.folder), *command])
    out = capsys.readouterr()
    return int(str(ended.value.code)), out.out + out.err


# What it does.


@pytest.mark.slow
def test_a_rule_that_was_edited_by_hand_is_as_it_was_and_verify_tells_it_as_mended(small: Small) -> None:
    good = small.head()
    bad = by_hand(small)
    assert small.verified().remedy == f"ana or ben can mend it:\n  nomicgit mend --to {good}"
    recorded = mended(small, good)
    assert game_of(small) == game_of(small, good)
    assert list(recorded.outcome.notes) == [
        f"The game is again as it was at the commit {good[:12]}, by ana.",
        f"Set aside: {bad[:12]} in the name of Tester: by hand",
    ]
    found = small.verified()
    [fault] = found.mended
    assert fault.commit == bad
    assert "is no deed; set aside by the mend" in fault.what
    assert found.aside == []
    sound(small)
    small.do("cy", "earn", n=1)
    sound(small)


@pytest.mark.slow
def test_deeds_upon_a_stray_go_with_it_and_are_named(
    small: Small, capsys: pytest.CaptureFixture[str]
) -> None:
    good = small.head()
    bad = by_hand(small)
    deed = small.do("cy", "earn", n=4).commit
    assert small.value("players/cy gold") == 16
    mend = mended(small, good).commit
    rows = [json.loads(said(small, capsys, "log", "--json")[1])]
    assert {row["commit"] for row in rows[0] if row["set_aside"]} == {deed}
    assert f"set aside by {mend[:10]}: it stands no more" in said(small, capsys, "log")[1]
    assert " deeds (1 set aside), " in said(small, capsys, "verify")[1]
    assert small.value("players/cy gold") == 12
    found = small.verified()
    assert [each.commit for each in found.mended] == [bad]
    [aside] = found.aside
    assert (aside.commit, "cy: earn, a lawful deed" in aside.what) == (deed, True)
    sound(small)


@pytest.mark.slow
def test_numbers_that_were_used_stay_used(small: Small) -> None:
    good = small.head()
    by_hand(small)
    small.do("dee", "story", title="Another", body="b")
    small.do("dee", "dig", name="Tower")
    assert (small.ids("posts"), small.ids("rooms")) == (["1", "2"], ["r1", "r2"])
    mended(small, good)
    assert (small.ids("posts"), small.ids("rooms")) == (["1"], ["r1"])
    assert index_of(small) == index_of(small, good) | {"next": 3, "made": {"players": 5, "rooms": 2}}
    small.do("dee", "story", title="A third", body="b")
    small.do("dee", "dig", name="Cellar")
    assert (small.ids("posts"), small.ids("rooms")) == (["1", "3"], ["r1", "r3"])
    sound(small)


@pytest.mark.slow
def test_what_is_no_deed_takes_no_number(small: Small) -> None:
    good = small.head()
    for path in ("posts/2021/06/9999-x.md", "posts/2021/06/0002-x.md", "state/rooms/r2.yml"):
        (small.folder / "game" / path).write_text("x\n")
    small.git("add", "-A")
    small.git("commit", "-qm", "by hand")
    mended(small, good)
    assert (index_of(small)["next"], index_of(small)["made"]["rooms"]) == (2, 1)
    post = small.do("dee", "story", title="Another", body="b").outcome.result
    assert (post, small.do("dee", "dig").outcome.result) == ("posts/2", None)
    assert small.ids("rooms") == ["r1", "r2"]
    sound(small)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("numbers", "following"),
    [((3, 9999, 99999), 4), (range(40, 4000, 60), 101), (range(101, 1001, 100), 102),
     pytest.param(range(2, 10_100), 10_002, marks=DEEP)],
    ids=["one", "steps", "hundreds", "many"],
)  # fmt: skip
def test_a_forged_deed_takes_no_number_far_ahead(
    small: Small, numbers: Sequence[int], following: int
) -> None:
    """Its message says that it is one; no deed lays a post so far behind the last one, and none so many."""
    good, message = small.head(), small.git("log", "-1", "--format=%B")
    forged = renamed(message).strip() + "\n"
    files_by_hand = {f"game/posts/2021/06/{number:04}-x.md": b"x\n" for number in numbers}
    Forger(small).add(forged, files_by_hand)
    small.git("reset", "-q", "--hard")
    mended(small, good)
    assert (index_of(small)["next"], index_of(small)["made"]["rooms"]) == (following, 1)
    sound(small)


def test_what_is_no_part_of_the_game_stays(small: Small) -> None:
    good = small.head()
    (small.folder / "notes.md").write_text("mine")
    small.git("add", "-A")
    small.git("commit", "-qm", "notes")
    notes = small.head()
    by_hand(small)
    recorded = mended(small, good)
    assert small.git("show", "HEAD:notes.md") == "mine"
    assert all(notes[:12] not in note for note in recorded.outcome.notes)
    sound(small)


@pytest.mark.slow
def test_whatever_a_stray_makes_of_the_game_the_mend_puts_back(small: Small) -> None:
    """Modes, links, folders where files were, odd names, the settings, the whole game."""
    good = small.head()
    (small.folder / RULE).chmod(0o755)
    (small.folder / "game/state/rooms/r1.yml").unlink()
    (small.folder / "game/state/rooms/r1.yml").symlink_to("../../game.yml")
    (small.folder / "game/state/open.yml").unlink()
    (small.folder / "game/state/open.yml").mkdir()
    (small.folder / "game/state/open.yml/a b").write_text("x")
    settings = small.folder / "game/game.yml"
    settings.write_text(settings.read_text().replace("[ana, ben]", "[cy]"))
    small.git("add", "-A")
    small.git("commit", "-qm", "by hand")
    with pytest.raises(Refused, match="cy may not restore"):
        mended(small, good, "cy")
    small.git("rm", "-qr", "--cached", "game")
    small.git("commit", "-qm", "gone")
    small.git("clean", "-qfdx", "game")
    mended(small, good, "ben")
    assert game_of(small) == game_of(small, good)
    assert small.verified().faults == []
    small.git("reset", "-q", "--hard")
    small.do("cy", "earn", n=1)
    sound(small)


@pytest.mark.slow
def test_a_mend_to_the_founding(small: Small) -> None:
    founding = small.git("rev-list", "--max-parents=0", "HEAD").strip()
    mended(small, founding)
    assert game_of(small) == game_of(small, founding)
    assert (small.ids("posts"), index_of(small)["next"]) == ([], 2)
    assert len(small.verified().aside) == 4
    sound(small)


@pytest.mark.slow
def test_a_mend_of_a_mend_brings_back_what_that_one_set_aside(small: Small) -> None:
    good = small.head()
    first = small.do("cy", "earn", n=4).commit
    bad = by_hand(small)
    abuse = mended(small, good).commit
    assert [each.commit for each in small.verified().aside] == [first]
    notes = mended(small, first, "ben").outcome.notes
    assert [note for note in notes if note.startswith("Set aside")] == [
        f"Set aside: {bad[:12]} in the name of Tester: by hand",
        f"Set aside: {abuse[:12]} in the name of ana: ana: physics/mend {good}; by: ana",
    ]
    assert small.value("players/cy gold") == 16
    found = small.verified()
    assert [each.commit for each in found.mended] == [bad]
    assert [each.commit for each in found.aside] == [abuse]
    sound(small)
    small.do("cy", "earn", n=1)
    again = mended(small, small.head() + "~1").outcome.notes
    assert len(again) == 2
    sound(small)


@pytest.mark.slow
def test_numbers_stay_used_when_a_mend_is_mended(small: Small) -> None:
    good = small.head()
    small.do("dee", "story", title="Another", body="b")
    mended(small, good)
    mended(small, good + "~1")
    assert index_of(small)["next"] == 3
    sound(small)


@pytest.mark.slow
def test_a_founding_over_a_game_is_mended(small: Small, capsys: pytest.CaptureFixture[str]) -> None:
    good = small.head()
    small.git("rm", "-rq", "game")
    small.git("commit", "-qm", "gone")
    other = Small.found(small.folder.parent / "other", small_law(), restore={"by": ["cy"], "of": 1})
    small.git("fetch", "-q", str(other.folder), "main")
    forged = Forger(small)
    tree = other.git("rev-parse", "HEAD^{tree}").strip()
    [founding] = Forger(other).commits()
    forged.point(forged.forge(founding, tree=tree, parents=(small.head(),), author_time=small.at))
    small.git("reset", "-q", "--hard")
    assert small.faults() != {}
    mended(small, good)
    assert game_of(small) == game_of(small, good)
    sound(small)
    assert said(small, capsys, "verify")[0] == 0


# Merges.


@pytest.mark.slow
def test_a_merge_that_leaves_pushed_deeds_out_is_mended_and_they_are_named(
    small: Small, tmp_path: Path
) -> None:
    git_in(tmp_path, "clone", "-q", str(small.folder), "clone")
    theirs = Small(tmp_path / "clone", small.at)
    dropped = theirs.do("eli", "story", title="Theirs", body="b").commit
    mine = small.do("ana", "earn", n=1).commit
    small.git("fetch", "-q", str(theirs.folder), "main")
    small.git("merge", "-q", "-s", "ours", "-m", "words", "FETCH_HEAD")
    merge = small.head()
    assert small.verified().remedy == f"ana or ben can mend it:\n  nomicgit mend --to {mine}"
    notes = mended(small, mine).outcome.notes
    assert notes[1:] == [
        f"Set aside: {merge[:12]} in the name of Tester: words",
        f"Set aside: {dropped[:12]} in the name of eli: eli: story Theirs: b (post 2)",
    ]
    [fault] = small.verified().mended
    assert (fault.commit, dropped[:12] in fault.what) == (merge, True)
    assert index_of(small)["next"] == 3, "the number of the post that was dropped is not given again"
    sound(small)
    small.do("eli", "story", title="Theirs", body="b")
    assert small.ids("posts") == ["1", "3"]
    sound(small)


def two_clones(small: Small, folder: Path) -> tuple[Small, Small]:
    """Two clones of a bare repository that holds a game."""
    small.git("clone", "-q", "--bare", str(small.folder), str(folder / "hub.git"))
    for name in ("one", "two"):
        git_in(folder, "clone", "-q", "hub.git", name)
    return Small(folder / "one", small.at), Small(folder / "two", small.at)


@pytest.mark.slow
def test_two_mends_in_two_clones_at_once(small: Small, tmp_path: Path) -> None:
    good = small.head()
    by_hand(small)
    one, two = two_clones(small, tmp_path)
    mended(one, good, "ana")
    second = mended(two, good, "ben").commit
    one.git("push", "-q", "origin", "main")
    with pytest.raises(AssertionError, match="rejected"):
        two.git("push", "-q", "origin", "main")
    two.git("fetch", "-q")
    two.git("merge", "-q", "-s", "ours", "-m", "words", "origin/main")
    assert "leaves out 1 deed: ana: physics/mend" in next(iter(two.faults().values()))[0]
    mended(two, second, "ben")
    sound(two)
    two.git("push", "-q", "origin", "main")
    one.git("pull", "-q", "--ff-only")
    sound(one)
    assert one.head() == two.head()


@pytest.mark.slow
def test_a_mend_that_comes_too_late_is_not_kept_to_be_tried_again(small: Small, tmp_path: Path) -> None:
    good = small.head()
    by_hand(small)
    one, two = two_clones(small, tmp_path)
    mended(one, good, "ana")
    mended(two, good, "ben")
    one.git("push", "-q", "origin", "main")
    with Repository.open(two.folder) as repository:
        upstream = Upstream.of(repository)
        assert upstream is not None
        (late,) = sync(repository, upstream, LATER).laid
        assert (late.commit, late.again, late.stands) == (None, False, True)
        assert late.why == f"what it sets aside the mend {one.head()[:12]} has set aside already"
        assert late.line == ""  # it would set aside the other mend, and all that comes after it
        assert standing(repository).aside == 0
    assert two.head() == one.head()


@pytest.mark.slow
def test_of_an_own_mend_that_another_replaces_nothing_is_said(small: Small, tmp_path: Path) -> None:
    good = small.head()
    by_hand(small)
    one, two = two_clones(small, tmp_path)
    mended(two, good, "ben")
    by_hand(one, old="found", new="earned")
    one.git("push", "-q", "origin", "main")
    two.git("fetch", "-q")
    with Repository.open(two.folder) as repository:
        remedy = Remedy.to(repository, good, 2 * LATER)
        carried = remedy.record(["ben"], remedy.game.last() + 60)
    assert not carried.laid
    sound(two)


def test_a_branch_that_moves_meanwhile_is_not_overwritten(small: Small) -> None:
    good = small.head()
    by_hand(small)
    with Repository.open(small.folder) as repository:
        remedy = Remedy.to(repository, good, LATER)
        deed = small.do("cy", "earn", n=1).commit
        with pytest.raises(Raced):
            remedy.record(("ana",), small.at)
    assert small.head() == deed


# Time.


@pytest.mark.slow
@pytest.mark.parametrize("more", [0, 2])
def test_a_deed_from_the_future_is_mended_whatever_others_have_done_upon_it(small: Small, more: int) -> None:
    good, at = small.head(), small.at
    small.at = LATER
    bad = small.do("cy", "earn", n=1).commit
    for _ in range(more):
        small.do("dee", "earn", n=1)
    recorded = mended(small, good)
    assert recorded.outcome.deed.at == at + 60
    assert (small.git("log", "-1", "--format=%at").strip(), recorded.kept_edits) == (str(at + 60), [])
    small.at = at + 60
    small.do("dee", "earn", n=1)
    sound(small)
    assert bad in {each.commit for each in small.verified().aside}


def test_the_clock_of_a_mend_runs_on_from_what_it_goes_back_to_and_from_no_earlier(small: Small) -> None:
    good, at = small.head(), small.at
    small.at = LATER
    small.do("cy", "earn", n=1)
    mended(small, good, at=at - 3600)
    assert small.git("log", "-1", "--format=%at").strip() == str(at)
    forger = Forger(small)
    last = forger.commits()[-1]
    earlier = last.message.replace(clock.text(at), clock.text(at - 1))
    forger.point(forger.forge(last, message=earlier, author_time=at - 1))
    assert small.faults()[small.head()] == ["it is dated before the deed before it"]


@pytest.mark.slow
def test_a_long_history_is_replayed_in_shares_all_the_same(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    good, at = small.head(), small.at
    small.at = LATER
    small.do("cy", "earn", n=1)
    mended(small, good)
    small.at = at + 60
    for _ in range(4):
        small.do("dee", "earn", n=1)
    monkeypatch.setattr("nomicgit.replay.verifying.SHARE", 1)
    monkeypatch.setattr("nomicgit.replay.verifying._processors", lambda: 4)
    sound(small)


# Who may, and to what.


@pytest.mark.parametrize(("by", "why"), [(("cy",), "cy may not"), (("ana", "cy"), "cy may not")])
def test_others_may_not(small: Small, by: tuple[str, ...], why: str) -> None:
    head = by_hand(small)
    with pytest.raises(Refused, match=why):
        mended(small, "HEAD~1", *by)
    assert small.head() == head


@pytest.mark.slow
def test_where_several_must_each_is_named(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game", restore={"by": ["ana", "ben", "zed"], "of": 2})
    good = small.head()
    by_hand(small)
    wanted = f"2 of ana, ben, zed can mend it:\n  nomicgit mend --to {good} --by ana --by ben"
    assert small.verified().remedy == wanted
    with pytest.raises(Refused, match="2 of ana, ben, zed"):
        mended(small, good, "ana")
    mended(small, good, "ana", "Zed")
    sound(small)


def test_a_game_that_names_nobody_is_put_back_by_git(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    good = small.head()
    by_hand(small)
    assert f"git reset --keep {good[:12]}" in small.verified().remedy
    with pytest.raises(Refused, match="names nobody"):
        mended(small, good)


@pytest.mark.slow
def test_what_is_not_on_the_line_or_not_lawful_or_the_end_is_refused(small: Small, tmp_path: Path) -> None:
    good = small.head()
    bad = by_hand(small)
    upon = small.do("cy", "earn", n=1).commit
    other = Small.found(tmp_path / "other", small_law({"1-core/20-x.md": "---\ntitle: X\n---\nWords.\n"}))
    small.git("fetch", "-q", str(other.folder), "main")
    for to, why in (
        (other.head(), "not on the line"),
        ("nonsense", "no commit"),
        ("--help", "no commit"),
        (bad, f"(?s)not lawful.*mend --to {good}"),
        (upon, f"(?s)not lawful.*mend --to {good}"),
    ):
        with pytest.raises(Refused, match=f"(?s){why}"):
            mended(small, to)
    mended(small, good)
    with pytest.raises(Refused, match="nothing came after"):
        mended(small, small.head())


def test_an_undo_reaches_no_deed_that_was_set_aside(small: Small) -> None:
    good = small.head()
    deed = small.do("cy", "earn", n=4).outcome.deed.id
    mended(small, good)
    notes = small.enact({"undo": deed}).outcome.notes
    assert any("no deed" in note for note in notes), notes
    assert small.value("players/cy gold") == 12
    sound(small)


def test_a_restoring_brings_back_no_rules_that_were_set_aside(small: Small) -> None:
    good = small.head()
    forger = Forger(small)
    told = forger.commits()[-1]
    rule = forger.file(RULE).replace(b"earned", b"found")
    tree = forger.tree(told.tree, {RULE: rule})
    message = told.message.replace("Nomic-Id: 2", "Nomic-Id: 3")
    forged = forger.forge(told, tree=tree, parents=(good,), message=message)
    forger.point(forged)
    small.git("reset", "-q", "--hard")
    mended(small, good)
    from nomicgit.record.game import Game

    game = Game.open(small.folder)
    with game.repository, pytest.raises(Refused, match=f"stands no more: the mend {small.head()[:12]} has"):
        entitled.restore(game, ["ana"], forged.oid, small.at + 120)


# Forged mends.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("by ana", "by cy", "its message says"),
        ('["ana"]', '["cy"]', "names cy as the first"),
        ('["ana"]', "[]", "has not its form"),
        ('["ana"]', "5", "has not its form"),
        ("Set aside: ", "Set inside: ", "its message says"),
        ('"to": "', '"to": "0', "not on the line"),
        ('"to": ', '"too": ', "lacks its parameter to"),
        ("Nomic-By: ana", "Nomic-By: ben", "names ana as the first"),
    ],
)
def test_a_forged_mend_is_named_and_sets_nothing_aside(small: Small, old: str, new: str, why: str) -> None:
    good = small.head()
    bad = by_hand(small)
    mended(small, good)
    forger = Forger(small)
    last = forger.commits()[-1]
    assert old in last.message
    forged = forger.forge(last, message=last.message.replace(old, new))
    forger.point(forged)
    faults = small.faults()
    assert set(faults) == {bad, forged.oid}
    assert any(why in what for what in faults[forged.oid]), faults
    small.git("reset", "-q", "--hard")
    mended(small, good)
    sound(small)


@pytest.mark.slow
@pytest.mark.parametrize("forged", [True, False])
def test_no_mend_between_hides_what_a_mend_sets_aside(small: Small, *, forged: bool) -> None:
    """Be it one that whoever may not has forged: what it says that it sets aside had stood until an honest one came."""
    good = small.head()
    precious = small.do("cy", "earn", n=4).commit
    between = mended(small, good).commit
    if forged:
        forger = Forger(small)
        last = forger.commits()[-1]
        mine = forger.forge(last, message=last.message.replace("Nomic-By: ana", "Nomic-By: ben"))
        forger.point(mine)
        small.git("reset", "-q", "--hard")
        between = mine.oid
    mended(small, good + "~1")
    message = small.git("log", "-1", "--format=%B")
    assert f"Set aside: {precious[:12]} in the name of cy: cy: earn 4" in message
    assert f"Set aside: {between[:12]} in the name of ana" in message
    sound(small)


@pytest.mark.slow
def test_a_mend_that_makes_something_else_is_named(small: Small) -> None:
    good = small.head()
    bad = by_hand(small)
    mended(small, good)
    forger = Forger(small)
    last = forger.commits()[-1]
    gold = forger.file("game/state/players/cy.yml").replace(b"gold: 12", b"gold: 99")
    tree = forger.tree(last.tree, {"game/state/players/cy.yml": gold})
    forged = forger.forge(last, tree=tree)
    forger.point(forged)
    assert set(small.faults()) == {bad, forged.oid}
    assert "players/cy.yml" in small.faults()[forged.oid][0]


@pytest.mark.slow
@pytest.mark.parametrize("how", ["by somebody who may not", "which leaves the edit"])
def test_a_forged_mend_hides_no_hand_edit(small: Small, capsys: pytest.CaptureFixture[str], how: str) -> None:
    good, bad = small.head(), by_hand(small)
    mended(small, good)
    forger = Forger(small)
    honest = forger.commits()[-1]
    different: dict[str, Any] = {
        "tree": forger.tree(honest.tree, {RULE: small.git("show", f"{bad}:{RULE}").encode()})
    }
    if how == "by somebody who may not":
        message = honest.message.replace('["ana"]', '["cy"]').replace("By: ana", "By: cy")
        different = {
            "message": message.replace("ana:", "cy:"),
            "author": "cy",
            "email": "cy@nomicgit.invalid",
        }
    forged = forger.forge(honest, **different)
    forger.point(forged)
    small.git("reset", "-q", "--hard")
    assert set(small.faults()) == {bad, forged.oid}
    code, text = said(small, capsys, "status", "--json")
    assert (code, [each["commit"] for each in json.loads(text)["strays"]]) == (1, [bad, forged.oid])
    code, text = said(small, capsys, "check")
    assert (code, bad[:12] in text) == (1, True)
    mended(small, good)
    sound(small)
    assert said(small, capsys, "status")[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("action", ["restore", "physics/rehouse"])
def test_a_restoring_by_somebody_who_may_not_is_seen_at_once(
    small: Small, capsys: pytest.CaptureFixture[str], action: str
) -> None:
    good = small.head()
    if action == "restore":
        change = {"amend": {"rule": "hoard", "replace": "earned", "with": "found"}}
        small.do("cy", "propose", title="x", changes=[change])
        for voter in ("cy", "dee"):
            small.do(voter, "vote", matter="posts/2", icon="for")
        small.do("ben", "resolve", matter="posts/2")
    upon = small.head()
    how = ("restore", good) if action == "restore" else ("rehouse", "--github", "ana/attic")
    code, text = said(small, capsys, "--at", "+1h", *how, "--by", "ana")
    assert code == 0, text
    forger = Forger(small)
    honest = forger.commits()[-1]
    message = honest.message.replace('["ana"]', '["cy"]').replace("By: ana", "By: cy").replace("ana:", "cy:")
    forged = forger.forge(honest, message=message, author="cy", email="cy@nomicgit.invalid")
    forger.point(forged)
    small.git("reset", "-q", "--hard")
    assert "cy may not restore or mend this game" in small.faults()[forged.oid][0]
    code, text = said(small, capsys, "status", "--json")
    assert (code, [each["commit"] for each in json.loads(text)["strays"]]) == (1, [forged.oid])
    mended(small, upon)
    assert said(small, capsys, "status")[0] == 0


@pytest.mark.slow
def test_a_mend_to_what_was_not_lawful_is_named_and_mended(small: Small) -> None:
    """Whoever skips the program's own look at what the mend goes back to."""
    good = small.head()
    bad = by_hand(small)
    upon = small.do("cy", "earn", n=1).commit
    small.do("cy", "earn", n=1)
    with Repository.open(small.folder) as repository:
        honest = Remedy.to(repository, good, LATER)
        from nomicgit.record.game import Game

        wrong = replace(honest, game=Game(repository, repository.commit(upon)))
        forged = wrong.record(("ana",), small.at + 60).recorded.commit
    faults = small.faults()
    assert set(faults) == {bad, forged}
    assert faults[forged] == [f"it goes back to what was not lawful from {bad[:12]} on"]
    mended(small, good)
    sound(small)


# Readers.


def test_the_annals_tell_only_what_stands(small: Small) -> None:
    good = small.head()
    matter = small.enact({"set": {"game.quorum": 3}}).outcome.deed.given["matter"]
    number = int(str(matter).removeprefix("posts/"))
    mended(small, good)
    with Repository.open(small.folder) as repository:
        annals = Annals.read(repository, small.head())
    assert [done.deed.action for done in annals.deeds] == [
        "physics/found", "earn", "story", "dig", "roll", "physics/mend",
    ]  # fmt: skip
    assert number not in annals.closings
    quorum = [moved.done.deed.action for moved in annals.moved() if moved.field == "quorum"]
    assert quorum == ["physics/found"]


@pytest.mark.slow
def test_forms_go_back_too_and_a_template_of_somebodys_own_stays(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game", forge={"github": "ana/attic"}, restore={"by": ["ana"], "of": 1})
    good = small.head()
    folder = ".github/ISSUE_TEMPLATE"
    before = small.git("ls-tree", "-r", good, folder)
    declares: dict[str, Any] = {"actions": {"sing": {}}}
    small.enact({"add-rule": {"title": "Song", "text": "W.", "declares": declares,
                              "mechanics": "def do_sing(actor):\n    pass"}},
                {"repeal": "hoard"})  # fmt: skip
    assert small.git("ls-tree", "-r", "HEAD", folder) != before
    (small.folder / folder / "own.yml").write_text("name: Own\n")
    (small.folder / folder / "story.yml").write_text("name: Other\n")
    small.git("add", "-A")
    small.git("commit", "-qm", "by hand")
    mended(small, good)
    after = small.git("ls-tree", "-r", "HEAD", folder)
    assert [row for row in after.splitlines() if "own.yml" not in row] == before.splitlines()
    assert "own.yml" in after
    sound(small)


# The command line.


@pytest.mark.slow
def test_the_command_mends_what_verify_names(small: Small, capsys: pytest.CaptureFixture[str]) -> None:
    good = small.head()
    bad = by_hand(small, message="Fixes #3 of @ben\x1b[31m")
    code, told = said(small, capsys, "verify")
    assert (code, f"    nomicgit mend --to {good}" in told.split("\n")) == (1, True)
    assert said(small, capsys, "mend", "--to", good)[0] == 1, "nobody is named"
    code, told = said(small, capsys, "mend", "--to", good[:12], "--as", "Ana", "--at", "+1h", "--dry-run")
    assert (code, small.head()) == (0, bad)
    assert "nothing is recorded" in told
    code, told = said(small, capsys, "mend", "--to", good[:12], "--as", "Ana", "--at", "+1h", "--json")
    answer = json.loads(told)
    assert (code, answer["to"], answer["by"], answer["commit"]) == (0, good, ["ana"], small.head())
    assert [each["commit"] for each in answer["aside"]] == [bad]
    assert answer["at"] == clock.text(small.at + 3600)
    message = small.git("log", "-1", "--format=%B")
    assert "#3" not in message
    assert "@ben" not in message
    code, told = said(small, capsys, "verify")
    assert (code, "mended" in told, bad[:12] in told) == (0, True, True)
    answer = json.loads(said(small, capsys, "verify", "--json")[1])
    assert (answer["verified"], len(answer["mended"]), answer["remedy"]) == (True, 1, "")


@pytest.mark.slow
def test_what_went_right_before_and_is_set_aside_too_is_told(
    small: Small, capsys: pytest.CaptureFixture[str]
) -> None:
    early = small.head()
    deeds = [small.do("cy", "earn", n=n).commit for n in (1, 2)]
    by_hand(small)
    for dry in (["--dry-run"], []):
        code, told = said(small, capsys, "mend", "--to", early, "--as", "ana", "--at", "+1h", *dry)
        assert (code, "2 commits of these stood before anything went wrong" in told) == (0, True)
        assert f"    nomicgit mend --to {deeds[-1]}\n" in told
    code, told = said(
        small, capsys, "mend", "--to", deeds[-1], "--as", "ana", "--at", "+2h", "--yes", "--json"
    )
    assert (code, json.loads(told)["needless"], json.loads(told)["rather"]) == (0, [], "")
    assert small.value("players/cy gold") == 15
    sound(small)


def test_local_edits_stop_it(small: Small, capsys: pytest.CaptureFixture[str]) -> None:
    good, head = small.head(), by_hand(small)
    (small.folder / RULE).write_text("mine")
    code, told = said(small, capsys, "mend", "--to", good, "--by", "ana")
    assert (code, "local edits" in told, small.head()) == (1, True, head)
    assert (small.folder / RULE).read_text() == "mine"


def test_a_rule_that_cannot_even_be_read_is_mended(small: Small, capsys: pytest.CaptureFixture[str]) -> None:
    good = small.head()
    (small.folder / RULE).write_text("---\nnonsense: [\n")
    small.git("rm", "-q", "game/game.yml")
    small.git("add", "-A")
    small.git("commit", "-qm", "broken")
    code, _ = said(small, capsys, "mend", "--to", good, "--by", "ana")
    assert code == 0
    assert game_of(small) == game_of(small, good)
    sound(small)


# What is seen without replaying.


@pytest.mark.slow
def test_once_it_is_mended_status_tells_the_mend_and_play_goes_on(
    small: Small, capsys: pytest.CaptureFixture[str]
) -> None:
    good = small.head()
    assert said(small, capsys, "status")[0] == 0
    bad = by_hand(small)
    code, text = said(small, capsys, "status")
    assert (code, f"    nomicgit mend --to {good}" in text.split("\n")) == (1, True)
    (small.folder / "game/scenarios").mkdir(exist_ok=True)
    (small.folder / "game/scenarios/x.yml").write_text("- {}\n")
    small.git("add", "-A")
    small.git("commit", "-qm", "more")
    _, text = said(small, capsys, "status")
    assert text.count("no deed: commit") == 2
    assert text.count(f"--to {good[:12]}") == 1, "both are mended by going before the first"
    assert said(small, capsys, "check")[0] == 1
    mended(small, good)
    code, text = said(small, capsys, "status")
    assert code == 0
    for word in (
        "mended: commit",
        small.head()[:12],
        "by ana",
        f"Set aside: {bad[:12]} in the name of Tester: by hand",
    ):
        assert word in text, text
    [mend] = json.loads(said(small, capsys, "status", "--json")[1])["mends"]
    assert (mend["commit"], mend["by"], len(mend["notes"])) == (small.head(), "ana", 3)
    assert said(small, capsys, "check")[0] == 0
    assert said(small, capsys, "--as", "cy", "act", "earn", "n=1")[0] == 0
    assert said(small, capsys, "--at", "+31d", "status")[1].count("Set aside") == 0
    (small.folder / ".git/nomicgit/strays").unlink()
    assert said(small, capsys, "status")[1].count("Set aside") == 2


@pytest.mark.slow
def test_lawful_deeds_that_a_mend_takes_back_are_named_by_status(
    small: Small, capsys: pytest.CaptureFixture[str]
) -> None:
    good, deed = small.head(), small.do("cy", "earn", n=4).commit
    assert said(small, capsys, "status")[0] == 0
    mended(small, good)
    assert f"Set aside: {deed[:12]} in the name of cy: cy: earn 4" in said(small, capsys, "status")[1]


@pytest.mark.slow
def test_a_mend_that_is_set_aside_hides_no_stray(small: Small, capsys: pytest.CaptureFixture[str]) -> None:
    good = small.head()
    bad = by_hand(small)
    mended(small, good)
    assert said(small, capsys, "status")[0] == 0
    small.git("reset", "-q", "--hard", bad)
    assert said(small, capsys, "status")[0] == 1


@pytest.mark.parametrize(("settings", "why", "mend"), [
    ("", "it does not say the number of the game's format", "no mend goes back before it"),
    ("format: 1\n", "it does not say the number of the game's physics", "no mend goes back before it"),
    ("format: 2\nphysics: 1\n", "this program knows format 1, and not format 2", "use a newer nomicgit"),
    ("format: 1\nphysics: 7\n", "this program knows physics 1, and not physics 7", "use a program that knows physics 7"),
])  # fmt: skip
def test_where_the_founding_is_at_fault_no_newer_program_is_asked_for_but_by_a_newer_game(
    tmp_path: Path, settings: str, why: str, mend: str
) -> None:
    """As when a disk was full, or the machine lost its power, while the game was founded."""
    small = Small.found(tmp_path / "game")
    (small.folder / "game/game.yml").write_text(settings, "utf-8")
    small.git("commit", "--quiet", "--all", "--amend", "--no-edit")
    verified = small.verified()
    assert why in verified.faults[0].what
    assert mend in verified.remedy
    assert ("newer" in verified.remedy) is ("newer" in mend)
    with pytest.raises(NomicError, match=why):
        Game.open(small.folder)
