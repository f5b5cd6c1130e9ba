"""What stops the steward, what it says then, and that it goes on once somebody has mended the game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from fakegithub.gitside import git
from hostile.forging import Forger
from hostile.small import Small, git_in
from support.depth import DEEP
from support.doorstep import Doorstep, doorstep, rule

from nomicgit.cli.app import app
from nomicgit.clones.remedy import Remedy
from nomicgit.git import Repository
from nomicgit.ground.problems import Refused
from nomicgit.physics.deed import Deed
from nomicgit.record.game import Game, new_id
from nomicgit.steward.asked_again import compare
from nomicgit.steward.doorbell import doorbell as bell_of

HOUR, DAY = 3600, 86_400


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Doorstep]:
    """A game that Ben may mend."""
    with doorstep(tmp_path, restore={"by": ["ben"], "of": 1}) as found:
        yield found


def mend(door: Doorstep, to: str, folder: Path) -> str:
    """Ben mends the game in a clone of his own and pushes, by Git; the mend's commit."""
    git_in(folder, "clone", "-q", str(door.github.repo.path), "bens")
    now = door.github.time()
    with Repository.open(folder / "bens") as repository:
        mended = Remedy.to(repository, to, now).record(["ben"], now).recorded.commit
    git_in(folder / "bens", "push", "-q", "origin", "main")
    return mended


@pytest.mark.slow
def test_the_steward_goes_on_after_a_mend(door: Doorstep, tmp_path: Path) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    good = door.game().head.oid
    bad = door.github.commit(
        door.github.owner, {"game/ruleset/2-dynastic/91-mine.md": rule("Mine", "All is mine.")}
    )
    door.review("dee", pull)
    passed = door.run()
    assert passed.stopped
    assert f"ben can mend it:\n    nomicgit mend --to {good}" in passed.problems[0]
    alarm = next(each for each in door.github.threads.values() if each.title == "The game has stopped")
    said = alarm.body.replace("\\", "")
    assert f"commit {bad[:12]} in the name of Tester" in said
    assert "git reset" not in said  # everybody may have it already
    assert f"nomicgit mend --to {good}" in map(str.strip, said.split("\n"))
    assert (alarm.author, alarm.pinned, alarm.state) == (door.github.steward, True, "open")
    door.say("eli", alarm, "oh no")
    assert door.run().stopped
    assert (len(alarm.comments), len(door.github.threads)) == (1, 2)  # it is said once
    mended = mend(door, good, tmp_path)
    passed = door.run()
    assert (alarm.pinned, alarm.state, "the game goes on" in door.ours(alarm)[0]) == (False, "closed", True)
    assert (passed.stopped, passed.problems) == (False, [])
    assert door.ballots(1) == [("dee", "for")]
    assert door.state(pull) == "pending"
    assert door.faults() == []
    subjects = [commit.oid for commit in door.game().repository.log(door.game().head.oid)]
    assert subjects.index(mended) < subjects.index(str(bad)) < subjects.index(good)


def test_by_a_clock_that_is_not_the_forges_nothing_is_decided_and_nobody_is_alarmed(door: Doorstep) -> None:
    github, began = door.github, door.github.clock.now
    for who in ("ana", "dee", "eli", "fox"):
        door.review(who, door.propose("cy", "Moonlight") if who == "ana" else github.pulls()[0])
    refs = git(github.repo.path, "for-each-ref", "refs/heads", "refs/nomicgit")
    for off, which in ((3 * DAY, "ahead of"), (-2 * DAY, "behind")):
        with pytest.raises(Refused, match=f"is {which} the forge's"):
            door.steward(now=lambda off=off: github.clock.now + off).run()
    assert git(github.repo.path, "for-each-ref", "refs/heads", "refs/nomicgit") == refs
    assert list(github.threads) == [1]
    assert door.ours(github.threads[1]) == []
    assert door.steward(now=lambda: github.clock.now + 200).run().problems == []
    assert (door.post(1)["status"], github.clock.now < began + HOUR) == ("pending", True)


@pytest.mark.slow
def test_a_deed_from_the_future_stops_it_and_is_told_until_it_is_mended(
    door: Doorstep, tmp_path: Path
) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    good = door.game().head.oid
    later = door.github.time() + 3 * DAY
    git_in(tmp_path, "clone", "-q", str(door.github.repo.path), "eager")
    game = Game.open(tmp_path / "eager")
    with game.repository:
        ahead = game.act(Deed(new_id(later), "eli", "roll", {"dice": "DICE6"}, later)).commit
    git_in(tmp_path / "eager", "push", "-q", "origin", "main")
    door.review("dee", pull)
    for _ in range(2):
        passed = door.run()
        assert passed.stopped
        assert passed.deeds == []
        assert f"commit {ahead[:12]} in the name of eli is dated" in passed.problems[0]
        assert f"ben can mend it:\n    nomicgit mend --to {good}" in passed.problems[0]
        assert door.game().head.oid == ahead
    mend(door, good, tmp_path)
    passed = door.run()
    assert (passed.stopped, passed.problems) == (False, [])
    assert door.ballots(1) == [("dee", "for")]
    assert door.faults() == []


@pytest.mark.slow
def test_a_forged_deed_that_reads_like_one_stops_it_and_the_check_says_so(
    door: Doorstep, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    good = door.game().head.oid
    summary = tmp_path / "summary.md"

    def check() -> str:
        summary.write_text("")
        line = ["preview", "-C", str(door.folder), str(pull.number), "--comment", "--summary", str(summary)]
        CliRunner().invoke(app, line, standalone_mode=False, catch_exceptions=False)
        return summary.read_text().replace("\\", "")

    monkeypatch.setenv("GITHUB_API_URL", door.github.url)
    monkeypatch.setenv("GITHUB_SERVER_URL", door.github.url)
    monkeypatch.setenv("GITHUB_TOKEN", door.github.token(door.github.steward))
    monkeypatch.setattr("time.time", door.github.time)
    assert check().startswith(
        "Every commit of the game that is new since the steward's last pass was verified"
    )
    assert "**It is post 1, which is pending: 1 change**" in summary.read_text()
    git_in(tmp_path, "clone", "-q", str(door.github.repo.path), "forgers")
    game = Game.open(tmp_path / "forgers")
    with game.repository:
        now = door.github.time()
        game.act(Deed(new_id(now), "eli", "roll", {"dice": "DICE6"}, now))
    forger = Forger(Small(tmp_path / "forgers"))
    forged = forger.amend(-1, lambda c: {"tree": forger.tree(c.tree, {"game/state/players/eli.yml": None})})
    git_in(tmp_path / "forgers", "push", "-q", "origin", "+main")
    door.review("dee", pull)
    said = check()
    assert said.startswith("**The game has stopped.**")
    assert f"{forged.oid[:12]}: " in said
    assert f"nomicgit mend --to {good[:12]}" in said
    passed = door.run()
    assert (passed.stopped, passed.deeds) == (True, [])
    assert forged.oid[:12] in passed.problems[0]
    mend(door, good, tmp_path)
    assert door.run().problems == []
    assert door.ballots(1) == [("dee", "for")]
    assert check().startswith("Every commit")


@pytest.mark.slow
@pytest.mark.parametrize(
    "trailer",
    [
        'Nomic-Evidence: {"account": ["github", "5", "no login!"]}',
        pytest.param("Nomic-With: []", marks=DEEP),
        pytest.param("Signed-off-by: Eli <eli@game.example>", marks=DEEP),
    ],
)
def test_what_only_pretends_to_be_a_deed_stops_it_and_once_it_is_mended_nothing_of_it_is_in_the_way(
    door: Doorstep, tmp_path: Path, trailer: str
) -> None:
    pull = door.propose("cy", "Moonlight")
    door.say("eli", pull, "/vote nonsense")
    door.run()
    good, answers = door.game().head.oid, len(pull.comments)
    git_in(tmp_path, "clone", "-q", str(door.github.repo.path), "forgers")
    game = Game.open(tmp_path / "forgers")
    with game.repository:
        now = door.github.time()
        game.act(Deed(new_id(now), "eli", "comment", {"post": 1, "text": "so"}, now))
    forger = Forger(Small(tmp_path / "forgers"))
    wrong = forger.amend(
        -1,
        lambda c: {"message": c.message.replace("Nomic-Id:", f"{trailer}\nNomic-Id:")},
    )
    git_in(tmp_path / "forgers", "push", "-q", "origin", "+main")
    door.review("dee", pull)
    passed = door.run()
    assert (passed.stopped, passed.deeds) == (True, [])
    assert wrong.oid[:12] in passed.problems[0]
    assert f"nomicgit mend --to {good}" in passed.problems[0]
    mend(door, good, tmp_path)
    passed = door.run()
    assert (passed.stopped, passed.problems) == (False, [])
    assert door.ballots(1) == [("dee", "for")]
    # What was decided is known, also to who has forgotten how far the game was read; and all that is there is asked again.
    git_in(door.github.repo.path, "update-ref", "-d", "refs/nomicgit/steward")
    door.review("eli", pull)
    assert [deed.action for deed in door.run().deeds] == ["vote"]
    assert len(pull.comments) == answers
    assert door.faults() == []
    with door.client() as forge:
        again = compare(
            door.game().repository,
            door.game().head.oid,
            bell_of(door.game().settings.forge),
            forge.whole(lambda *_: None),
        )
    assert (again.otherwise, again.unread) == ((), ())


def renamed(door: Doorstep, folder: Path) -> None:
    """Cy is called Cyan from now on, by a proposal that is enacted in a clone and pushed."""
    git_in(folder, "clone", "-q", str(door.github.repo.path), "bens")
    now, change = door.github.time(), {"rename-player": {"from": "cy", "to": "Cyan"}}
    game = Game.open(folder / "bens")
    with game.repository:
        matter = game.act(
            Deed(new_id(now), "cy", "propose", {"title": "Cyan", "changes": [change]}, now)
        ).outcome.result
        for voter in ("ana", "ben", "dee", "eli"):
            game.act(Deed(new_id(now), voter, "vote", {"matter": matter, "icon": "for"}, now))
        door.github.clock.advance(3 * DAY)
        now = door.github.time()
        game.act(Deed(new_id(now), "ben", "resolve", {"matter": matter}, now))
        assert game.tree.called("cy") == "Cyan"
    git_in(folder / "bens", "push", "-q", "origin", "main")


@pytest.mark.slow
def test_a_name_once_used_or_kept_is_refused_with_a_sentence_and_another_one_is_taken(
    door: Doorstep, tmp_path: Path
) -> None:
    renamed(door, tmp_path)
    door.run()
    before = door.deeds()
    gus = door.github.user("Gus")
    whys = {"cy": "it is, or was, another's", "clock": "the record calls something else so"}
    issues = {name: door.github.issue(gus, "Hello", f"/join {name}") for name in whys}
    door.run()
    for name, issue in issues.items():
        said = "".join(door.ours(issue)).replace("\\", "")
        assert f"{name} cannot be your name here" in said
        assert whys[name] in said
        assert "Say another: /join NAME" in said
    assert door.deeds() == before
    door.github.clock.advance(5)
    door.github.comment(gus, issue, "/join gus")
    door.run()
    assert "gus: **join** is done" in "".join(door.ours(issue))
    assert git(door.github.repo.path, "log", "-1", "--format=%an", "main") == "gus"
    assert door.faults() == []


@pytest.mark.slow
@pytest.mark.parametrize("again", [False, True])
def test_deeds_that_an_owner_forces_out_stop_it_until_they_are_back_or_let_go(
    door: Doorstep, *, again: bool
) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    door.review("dee", pull)
    door.run()
    path, was = door.github.repo.path, door.game().head.oid
    git(path, "update-ref", "refs/heads/main", f"{was}^")
    for _ in range(2):
        passed = door.run()
        assert (passed.stopped, passed.deeds) == (True, [])
        assert "has been rewritten: it lacks 1 deed: dee: vote" in passed.problems[0]
        assert f"origin {was}:refs/heads/main" in passed.problems[0]
    if again:
        git(path, "update-ref", "refs/heads/main", was)
    else:
        git(path, "update-ref", "-d", "refs/nomicgit/steward")
    passed = door.run()
    assert (passed.stopped, passed.problems) == (False, [])
    assert door.ballots(1) == [("dee", "for")]
    assert (door.game().head.oid == was) is again


@pytest.mark.slow
def test_deeds_that_are_forced_out_and_thrown_away_stop_it_too(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    door.review("dee", pull)
    door.run()
    path, was = door.github.repo.path, door.game().head.oid
    git(path, "update-ref", "refs/heads/main", f"{was}^")
    (path / "objects" / was[:2] / was[2:]).unlink(missing_ok=True)
    passed = door.run()
    assert passed.stopped
    assert "has been rewritten: it lacks" in passed.problems[0]


ALL = {"contents": "write", "issues": "write", "pull_requests": "write", "statuses": "write"}


@pytest.mark.slow
@pytest.mark.parametrize("less", [{"contents": "read"}, {"contents": "read", "issues": "read"}])
def test_a_token_that_may_not_write_is_told_where_people_see_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, less: dict[str, str]
) -> None:
    """By an issue, once; where the token may open none either, by the run's summary, and its end."""
    with doorstep(tmp_path, http=True) as door:
        github, summary = door.github, tmp_path / "summary.md"
        for name, value in (("API", github.url), ("GRAPHQL", github.graphql), ("SERVER", github.url)):
            monkeypatch.setenv(f"GITHUB_{name}_URL", value)
        monkeypatch.setenv("GITHUB_SERVER_URL", github.url)
        monkeypatch.setattr("time.time", github.time)
        line = ["steward", "-C", str(door.folder), "--summary", str(summary)]

        def run(grant: dict[str, str]) -> int:
            github.clock.advance(60)
            monkeypatch.setenv("GITHUB_TOKEN", github.fine_grained_token(github.steward, grant))
            summary.write_text("")
            return int(
                CliRunner().invoke(app, line, standalone_mode=False, catch_exceptions=False).return_value
            )

        github.issue(door.people["cy"], "The game has stopped", "It has not.")
        pull = door.propose("cy", "Moonlight")
        for _ in range(2):
            assert run(ALL | less) == 1
            said = summary.read_text().replace("\\", "")
            assert said.startswith("**Something is in the way of the game:**\n\n- the push was refused: ")
            assert ("returned error: 403" in said, "nomicgit doctor" in said) == (True, True)
            ours = [each for each in github.threads.values() if each.author is github.steward]
            assert len(ours) == (0 if "issues" in less else 1)
            assert ("Resource not accessible" in said) is ("issues" in less)
        if ours:
            [alarm] = ours
            assert (alarm.title, alarm.pinned, alarm.state) == ("The game has stopped", True, "open")
            assert "returned error: 403" in alarm.body.replace("\\", "")
        assert door.ours(pull) == []
        assert run(ALL) == 0
        assert summary.read_text() == ""
        assert door.post(1)["title"] == "Moonlight"
        for alarm in ours:
            assert (alarm.pinned, alarm.state, "the game goes on" in door.ours(alarm)[0]) == (
                False,
                "closed",
                True,
            )
        assert run(ALL) == 0
        assert all(len(door.ours(alarm)) == 1 for alarm in ours)
