"""The pace of a live game: a wrong clock is asked about, what came from the future is named, and neither stops the game."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hostile.small import Small, git_in

from nomicgit.cli import main
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused
from nomicgit.physics.deed import Deed
from nomicgit.record.game import Game, new_id

DAY = 86_400
NOW = clock.instant("2021-06-20T12:00:00Z")
Said = tuple[int, str]


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Sets the clock of whoever sits there."""
    return lambda at: monkeypatch.setattr("time.time", lambda: float(at))


def game_of(folder: Path, *gaps: int) -> Small:
    """A live game whose deeds lie so far apart, the last of them at NOW."""
    small = Small.found(folder / "game", time="live", restore={"by": ["ana"], "of": 1})
    at = NOW - sum(gaps[1:])
    for gap in (0, *gaps[1:]):
        at += gap
        act(small, at)
    return small


def act(small: Small, at: int) -> str:
    """A deed at a time, past whatever the command line asks."""
    game = Game.open(small.folder)
    with game.repository:
        return game.act(Deed(new_id(at), "cy", "earn", {"n": 1}, at)).commit


def said(small: Small, capsys: pytest.CaptureFixture[str], *command: str) -> Said:
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        main(["-C", str(small.folder), *command])
    out = capsys.readouterr()
    return int(str(ended.value.code)), out.out + out.err


EARN = ("--as", "cy", "act", "earn", "n=1")


@pytest.mark.parametrize(
    ("gaps", "after", "asked"),
    [
        ((3600,) * 10, DAY + 1, True),
        ((3600,) * 10, DAY, False),
        ((3600,) * 9 + (4 * 3600,), DAY + 1, False),
        ((3600,) * 9 + (4 * 3600,), 2 * DAY, True),
        ((3 * DAY,) + (3600,) * 10, 2 * DAY, True),
        ((3 * DAY,) * 10, 29 * DAY, False),
        ((3 * DAY,) * 10, 31 * DAY, True),
    ],
)
def test_a_pause_that_the_game_has_not_had_is_asked_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], now: Callable[[int], None],
    gaps: tuple[int, ...], after: int, asked: bool,
) -> None:  # fmt: skip
    small = game_of(tmp_path, *gaps)
    head = small.head()
    now(NOW + after)
    code, text = said(small, capsys, *EARN)
    assert (code, small.head() == head) == ((1, True) if asked else (0, False)), text
    if asked:
        assert clock.text(NOW + after) in text
        assert "--yes" in text
        assert said(small, capsys, *EARN, "--dry-run")[0] == 0
        assert said(small, capsys, *EARN, "--yes")[0] == 0
        assert said(small, capsys, *EARN)[0] == 0, "once is enough"


def test_a_young_game_is_not_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], now: Callable[[int], None]
) -> None:
    small = Small.found(tmp_path / "game", time="live")
    now(NOW + 30 * DAY)
    assert said(small, capsys, *EARN)[0] == 0


def test_a_practice_game_is_told_its_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = Small.found(tmp_path / "game")
    for _ in range(5):
        small.do("cy", "earn", n=1)
    assert said(small, capsys, *EARN, "--at", "+400d")[0] == 0


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("n\n", 1)])
def test_whoever_sits_at_a_terminal_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], now: Callable[[int], None],
    monkeypatch: pytest.MonkeyPatch, answer: str, code: int,
) -> None:  # fmt: skip
    small = game_of(tmp_path, *(3600,) * 10)
    now(NOW + 9 * DAY)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda _: answer.strip())
    assert said(small, capsys, *EARN)[0] == code


@pytest.mark.parametrize(
    "command", [("restore", "HEAD~1"), ("rehouse", "--github", "ana/attic"), ("physics", "1")]
)
def test_the_programs_own_deeds_are_asked_about_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], now: Callable[[int], None], command: tuple[str, ...]
) -> None:
    small = game_of(tmp_path, *(3600,) * 10)
    now(NOW + 9 * DAY)
    code, text = said(small, capsys, *command, "--by", "ana")
    assert (code, "--yes" in text) == (1, True)


@pytest.mark.slow
def test_a_deed_from_the_future_is_named_stops_nobody_from_looking_and_is_mended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], now: Callable[[int], None]
) -> None:
    small = game_of(tmp_path, *(3600,) * 10)
    good, later = small.head(), clock.instant("2099-01-01T00:00:00Z")
    bad = [act(small, later), act(small, later + 60)]
    now(NOW + 60)
    code, text = said(small, capsys, "status")
    assert code == 1
    for word in (
        bad[0][:12],
        bad[1][:12],
        "2099-01-01T00:00:00Z",
        f"ana can mend it:\n    nomicgit mend --to {good} --yes\n",
    ):
        assert word in text, text
    answer = json.loads(said(small, capsys, "status", "--json")[1])
    assert [each["commit"] for each in answer["ahead"]] == bad
    for command in (("posts",), ("state",), ("log",), ("actions", "--as", "cy")):
        assert said(small, capsys, *command)[0] == 0, command
    code, text = said(small, capsys, "verify")
    first, then = "set the clock right; if it is right:", f"nomicgit mend --to {good} --yes"
    assert (code, first in text, f"    {then}" in text.split("\n")) == (1, True, True)
    assert text.index(first) < text.index(then)
    code, text = said(small, capsys, *EARN)
    assert (code, bad[0][:12] in text, f"nomicgit mend --to {good[:12]}" in text) == (1, True, True)
    code, text = said(small, capsys, "mend", "--to", good[:12], "--by", "ana")
    assert (code, small.head()) == (1, bad[1])
    assert "2 commits that it sets aside are dated ahead of this clock" in text
    assert f"    nomicgit mend --to {good[:12]} --by ana --yes" in text.split("\n")
    assert said(small, capsys, "mend", "--to", good[:12], "--by", "ana", "--yes")[0] == 0
    assert small.git("log", "-1", "--format=%at").strip() == str(NOW + 60)
    assert said(small, capsys, "verify")[0] == said(small, capsys, "status")[0] == 0
    assert said(small, capsys, *EARN)[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("by_hand_first", [True, False])
def test_of_what_is_wrong_in_two_ways_the_first_says_where_to_go_back_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], now: Callable[[int], None], by_hand_first: bool
) -> None:
    """A commit that is no deed, and a deed dated ahead of the clock, one upon the other."""
    small = game_of(tmp_path, *(3600,) * 10)
    good, later = small.head(), clock.instant("2099-01-01T00:00:00Z")

    def by_hand() -> None:
        (small.folder / "game" / "state" / "game.yml").write_text("quorum: 9\n", "utf-8")
        small.git("commit", "--quiet", "--all", "--message", "By hand")

    if by_hand_first:
        by_hand()
    act(small, later)
    if not by_hand_first:
        by_hand()
    now(NOW + 60)
    code, text = said(small, capsys, "status")
    assert (code, "ahead of this clock" in text, "no deed: " in text) == (1, True, True)
    mends = {line.strip() for line in text.splitlines() if " mend --to " in line}
    assert mends == {f"nomicgit mend --to {good} --yes"}
    assert said(small, capsys, *mends.pop().split()[1:], "--by", "ana")[0] == 0
    assert said(small, capsys, "verify")[0] == said(small, capsys, "status")[0] == 0


def test_a_little_ahead_is_nobodys_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], now: Callable[[int], None]
) -> None:
    small = game_of(tmp_path, *(3600,) * 10)
    now(NOW - 299)
    assert said(small, capsys, "status")[0] == 0
    assert said(small, capsys, *EARN)[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("dry", [False, True])
def test_sync_lays_nothing_upon_a_deed_from_the_future_and_says_what_mends_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], now: Callable[[int], None], dry: bool
) -> None:
    mallory = game_of(tmp_path, *(3600,) * 10)
    good = mallory.head()
    git_in(tmp_path, "clone", "-q", "--bare", "game", "hub.git")
    git_in(tmp_path, "clone", "-q", "hub.git", "ana")
    ana = Small(tmp_path / "ana", mallory.at)
    bad = act(mallory, clock.instant("2099-01-01T00:00:00Z"))
    mallory.git("push", "-q", "../hub.git", "main")
    own = act(ana, NOW + 30)
    now(NOW + 60)
    code, text = said(ana, capsys, "sync", *(["--dry-run"] if dry else []))
    mend = f"nomicgit mend --to {good} --yes"
    assert (code, ana.head(), bad[:12] in text, f"    {mend}" in text.split("\n")) == (1, own, True, True), (
        text
    )
    assert git_in(tmp_path / "hub.git", "rev-parse", "main").strip() == bad
    if not dry:
        assert "the last sync moved nothing: " in (later := said(ana, capsys, "status")[1])
        assert bad[:12] in later
        assert said(ana, capsys, *mend.split()[1:], "--by", "ana")[0] == 0
        assert said(ana, capsys, "sync")[0] == said(ana, capsys, "verify")[0] == 0
        assert "moved nothing" not in said(ana, capsys, "status")[1]
        times = git_in(tmp_path / "hub.git", "log", "-2", "--format=%at").split()
        assert all(int(at) <= NOW + 60 for at in times)


@pytest.mark.slow
def test_sync_pushes_no_own_deed_from_the_future(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], now: Callable[[int], None]
) -> None:
    game_of(tmp_path, *(3600,) * 10)
    git_in(tmp_path, "clone", "-q", "--bare", "game", "hub.git")
    git_in(tmp_path, "clone", "-q", "hub.git", "ana")
    ana = Small(tmp_path / "ana", NOW)
    good, bad = ana.head(), act(ana, clock.instant("2099-01-01T00:00:00Z"))
    now(NOW + 60)
    code, text = said(ana, capsys, "sync")
    assert (code, bad[:12] in text) == (1, True), text
    remedy = f"git reset --keep {good}"
    assert f"nobody else has it; take it back:\n    {remedy}\n    nomicgit sync" in text
    ana.git(*remedy.split()[1:])
    assert said(ana, capsys, "sync")[0] == said(ana, capsys, *EARN)[0] == 0


@pytest.mark.slow
def test_what_a_wrong_clock_has_dated_ahead_is_done_again_by_the_clock_of_then(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], now: Callable[[int], None]
) -> None:
    ana = game_of(tmp_path, *(3600,) * 10)
    git_in(tmp_path, "clone", "-q", "--bare", "game", "hub.git")
    ana.git("remote", "add", "origin", "../hub.git")
    ana.git("fetch", "-q", "origin")
    ana.git("branch", "-q", "--set-upstream-to", "origin/main")
    git_in(tmp_path, "clone", "-q", "hub.git", "cy")
    cy, good = Small(tmp_path / "cy", NOW), ana.head()
    now(NOW + DAY)
    assert said(cy, capsys, *EARN, "--yes")[0] == said(cy, capsys, "sync")[0] == 0
    now(NOW + 60)
    assert said(ana, capsys, "sync")[0] == 1
    ana.git("merge", "-q", "--ff-only", "origin/main")
    assert said(ana, capsys, "mend", "--to", good, "--by", "ana", "--yes")[0] == 0
    assert said(ana, capsys, "sync")[0] == 0
    now(NOW + 120)
    assert "done again by nomicgit sync --again" in said(cy, capsys, "sync")[1]
    assert said(cy, capsys, "sync", "--again")[0] == 0
    times = git_in(tmp_path / "hub.git", "log", "-2", "--format=%an %at", "main").split("\n")[:2]
    assert times == [f"cy {NOW + 120}", f"ana {NOW + 60}"]
    assert said(ana, capsys, "sync")[0] == said(ana, capsys, "verify")[0] == 0


def test_no_practice_game_is_stranded_at_the_end_of_all_years(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    game = Game.open(small.folder)
    with game.repository:
        for said in ("9999-12-31T23:00:00Z", "+2000mo"):
            with pytest.raises(Refused, match="more than a hundred years after the last deed"):
                game.moment(0, said)
        assert game.moment(0, "2099-06-07T00:00:00Z") > game.last()
