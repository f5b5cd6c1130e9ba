"""What somebody else made of a player's words is not the player's word: it moves nothing, and the player is told who did it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakegithub import Account, Thread
from support.depth import DEEP
from support.doorstep import Doorstep, doorstep, rule

from nomicgit import editions
from nomicgit.law.ruleset import Ruleset

FOUNDED = 1  # the deed that founds the game
CHANGES = "```changes\n- repeal: Moonlight\n```"


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Doorstep]:
    with doorstep(tmp_path) as found:
        yield found


@pytest.fixture
def olga(door: Doorstep) -> Account:
    """Somebody who may edit what others wrote."""
    return door.github.user("Olga", role="write")


def told(door: Doorstep, thread: Thread, *words: str) -> int:
    """How many comments of the steward say all this."""
    return sum(all(word in body.replace("\\", "") for word in words) for body in door.ours(thread))


def edit(door: Doorstep, who: Account, *what: object, **more: object) -> None:
    door.github.clock.advance(5)
    door.github.edit(who, *what, **more)  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_comment_is_nobodys_vote_until_its_author_says_so(door: Doorstep, olga: Account) -> None:
    pull = door.propose("cy", "Moonlight")
    said = door.say("dee", pull, ":for:")
    edit(door, olga, said, ":against:")
    for _ in range(2):
        door.run()
        assert door.ballots(1) == []
        assert told(door, pull, "@Dee", "Olga has edited this after you") == 1
    edit(door, door.people["dee"], said, ":for: indeed")
    door.run()
    assert door.ballots(1) == [("dee", "for")]
    edit(door, olga, said, ":against:")
    for _ in range(2):
        door.run()
        assert door.ballots(1) == [("dee", "for")]
        assert told(door, pull, "has edited this after you") == 1
        assert (
            told(
                door, pull, "@Dee", "Olga has edited this after it was done", "stands in the record as it was"
            )
            == 1
        )


@pytest.mark.slow
def test_whose_form_somebody_else_edits_after_it_was_done_is_told_who_did(
    door: Doorstep, olga: Account
) -> None:
    issue = door.form("dee", "roll", {"dice": "DICE6"})
    door.run()
    before = door.deeds()
    edit(door, olga, issue, "hello")
    for _ in range(2):
        door.run()
        assert door.deeds() == before
        assert told(door, issue, "@Dee", "Olga has edited this after it was done") == 1


@pytest.mark.slow
def test_a_comment_commands_nothing_that_somebody_else_wrote(door: Doorstep, olga: Account) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    before, texts = door.deeds(), ("/act roll dice=DICE6", "/join", "hello", ":against:")
    for text in texts:
        edit(door, olga, door.say("dee", pull, ":for:"), text)
    edit(door, olga, door.say("cy", pull, "hm"), "/join Other")
    door.run()
    assert door.deeds() == before
    assert sum(body.count("Olga has edited this after you") for body in door.ours(pull)) == len(texts) + 1


@pytest.mark.slow
def test_a_stranger_is_not_made_a_player_by_somebody_else(door: Doorstep, olga: Account) -> None:
    issue = door.github.issue(door.github.user("Gus"), "Hello", "I only look.")
    said = door.github.comment(door.github.user("Hal"), issue, "So do I.")
    edit(door, olga, said, "/join")
    edit(door, olga, issue, "/join")
    door.run()
    assert door.deeds() == FOUNDED
    assert told(door, issue, "@Hal", "Olga has edited this") == 1
    assert told(door, issue, "@Gus", "Olga has edited this") == 1


@pytest.mark.slow
def test_a_review_that_speaks_by_its_text_is_nobodys_vote(door: Doorstep, olga: Account) -> None:
    pull = door.propose("cy", "Moonlight")
    review = door.review("dee", pull, "COMMENTED", ":for:")
    edit(door, olga, review, ":against:")
    door.run()
    assert door.ballots(1) == []
    assert told(door, pull, "@Dee", "Olga has edited this") == 1
    edit(door, door.people["dee"], review, ":deferential:")
    door.run()
    assert door.ballots(1) == [("dee", "deferential")]


@pytest.mark.slow
def test_an_approval_counts_without_the_words_that_somebody_else_wrote(door: Doorstep, olga: Account) -> None:
    pull = door.propose("cy", "Moonlight")
    edit(door, olga, door.review("dee", pull, "APPROVED", "I like it."), "I am a fool.")
    edit(door, door.people["eli"], door.review("eli", pull, "APPROVED", "Good."), "Very good.")
    door.run()
    said = door.game().tree.comments("posts/1")
    assert [(each["by"], each["icon"], each["text"]) for each in said] == [
        ("dee", "for", ""),
        ("eli", "for", "Very good."),
    ]


@pytest.mark.slow
def test_a_form_is_nobodys_action(door: Doorstep, olga: Account) -> None:
    issue = door.form("dee", "roll", {"dice": "DICE6"})
    right = issue.body
    edit(door, olga, issue, issue.body.replace("DICE6", "DICE8"))
    for _ in range(2):
        door.run()
        assert (door.deeds(), issue.state) == (FOUNDED, "open")
        assert told(door, issue, "@Dee", "Olga has edited this") == 1
    edit(door, door.people["dee"], issue, right)
    door.run()
    assert (door.deeds(), issue.state) == (FOUNDED + 1, "closed")


@pytest.mark.slow
def test_the_title_of_a_form_says_nothing_whoever_wrote_it(door: Doorstep, olga: Account) -> None:
    issue = door.form("dee", "roll", {"dice": "DICE6"})
    edit(door, olga, issue, title="/act roll dice=DICE8")
    door.run()
    assert door.deeds() == FOUNDED + 1
    assert told(door, issue, "has edited") == 0


WORDS = [
    {"title": "Darkness", "body": "It is bad."},
    *(
        pytest.param(each, marks=DEEP)
        for each in ({"title": "Darkness"}, {"body": "It is bad."}, {"body": CHANGES})
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize("words", WORDS)
def test_a_pull_request_is_no_proposal_by_what_somebody_else_wrote(
    door: Doorstep, olga: Account, words: dict[str, str]
) -> None:
    pull = door.propose("cy", "Moonlight", body="It is good.")
    edit(door, olga, pull, words.get("body"), title=words.get("title"))
    for _ in range(2):
        door.run()
        assert door.deeds() == FOUNDED
        assert told(door, pull, "@Cy", "Olga has edited this") == 1
    door.review("dee", pull)
    edit(door, door.people["cy"], pull, "It is mine.", title="Mine")
    door.run()
    assert (door.post(1)["title"], door.post(1)["body"]) == ("Mine", "It is mine.")
    assert door.post(1)["author"] == "cy"


@pytest.mark.slow
@pytest.mark.parametrize("words", WORDS)
def test_a_post_is_not_edited_by_what_somebody_else_wrote(
    door: Doorstep, olga: Account, words: dict[str, str]
) -> None:
    pull = door.propose("cy", "Moonlight", body="It is good.")
    door.run()
    before = door.post(1)
    edit(door, olga, pull, words.get("body"), title=words.get("title"))
    for _ in range(2):
        door.run()
        assert door.post(1) == before
        assert told(door, pull, "@Cy", "Olga has edited this pull request", "post 1 stays") == 1
    edit(door, door.people["cy"], pull, "It is mine.", title="Mine")
    door.run()
    assert (door.post(1)["title"], door.post(1)["body"]) == ("Mine", "It is mine.")


@pytest.mark.slow
def test_putting_the_title_back_is_no_edit(door: Doorstep, olga: Account) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    edit(door, olga, pull, title="Darkness")
    edit(door, olga, pull, title="Moonlight")
    before = door.deeds()
    door.run()
    assert door.deeds() == before
    assert told(door, pull, "has edited") == 0


@pytest.mark.slow
def test_a_branch_that_somebody_else_forced_is_not_the_authors(door: Doorstep, olga: Account) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    before = door.post(1)
    files = {"game/ruleset/2-dynastic/90-moonlight.md": rule("Moonlight", "It is dark.")}
    assert pull.head is not None
    door.github.commit(olga, files, branch="moonlight", repo=pull.head, onto=door.github.repo.refs["main"])
    assert pull.head_sha != before["branch_head"]
    door.run()
    assert door.post(1) == before
    assert told(door, pull, "@Cy", "Olga has edited this pull request") == 1


@pytest.mark.slow
def test_a_vote_is_withdrawn_by_whoever_cast_it_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = dict(editions.load("crypt").texts)
    for old, new in (
        ("choices: [for,", "choices: [withdrawn, for,"),
        ('return {"for": None,', 'return {"withdrawn": None, "for": None,'),
    ):
        files = {path: text.replace(old, new) for path, text in files.items()}
    monkeypatch.setattr(editions, "load", lambda _: Ruleset.read(files))
    with doorstep(tmp_path) as door:
        pull = door.propose("cy", "Moonlight")
        reviews = [door.review(who, pull) for who in ("dee", "eli")]
        door.run()
        door.github.role(door.people["eli"], "write")
        door.github.dismiss(door.people["eli"], reviews[0])
        door.github.dismiss(door.people["eli"], reviews[1])
        door.run()
        assert door.ballots(1) == [("dee", "for"), ("eli", "for"), ("eli", "withdrawn")]
        assert told(door, pull, "@Dee", "Eli has dismissed your review") == 1
