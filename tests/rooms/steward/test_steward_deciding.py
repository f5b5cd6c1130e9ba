"""What is decided of an event before anybody looks at what it says: whose it is, and whose word."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace

from nomicgit.git import Repository
from nomicgit.law.declarations import Action
from nomicgit.physics.deeds.matters import content_hash
from nomicgit.steward import proposing, pulls
from nomicgit.steward.asking import Do, Look, Tell
from nomicgit.steward.deciding import decide, edited_since, for_good
from nomicgit.steward.events import Event, What
from nomicgit.steward.seen import Edit, Issue, Person, Pull, ReviewState

CY, OLGA, MACHINE = Person(1, "Cy"), Person(2, "Olga"), Person(3, "robot", bot=True)
PULL = Pull(
    7, "N", "Moonlight", "It is good.", CY, 5, 5, None, None, merged=False, state="open", draft=False, head_sha="c0ffee",
    head_ref="moonlight", head_repository="cy/court", base_ref="main", base_sha="main",
)  # fmt: skip
ISSUE = Issue(8, "I", "Talk", "hm", CY, 5, 5, None, None, "open")
POST = {"status": "pending", "title": "Moonlight", "body": "It is good.", "author": "cy"}
ICONS = SimpleNamespace(choices=("for", "against"))
VOTE = cast("Action", SimpleNamespace(parameters={"icon": ICONS, "matter": None}))
SAID = Event("comment-9", 9, 7, What.SAID, CY, text="hm", whole="hm")


def look(post: dict[str, Any] | None = None, *, cast_last: str = "", self_killing: bool = True) -> Look:
    """What the table shows of a game in which post 1 came from thread 7, cy is Cy, and Olga is nobody."""
    return cast(
        "Look",
        SimpleNamespace(
            post={7: (1, POST | (post or {}))}.get,
            player=lambda who: {1: "cy"}.get(who.id),
            since=lambda _: 0,
            waits=lambda _: False,
            told=lambda _, __: False,
            site="https://game.example/",
            all_comments=False,
            keeps_secrets=False,
            holds=lambda _: False,
            same=lambda *_: True,
            declares=lambda name: self_killing and name == "self_killed",
            voted_at=lambda *_: 0,
            content_at=lambda *_: 0,
            shows_other=lambda *_: False,
            news_of=lambda _: None,
            ballot=lambda *_: cast_last,
            actions={"vote": VOTE},
            branch="main",
        ),
    )


def told(wish: object) -> str:
    """What somebody is told; nothing where it is no telling."""
    return wish.text if isinstance(wish, Tell) else ""


def test_machines_and_accounts_that_are_gone_ask_for_nothing() -> None:
    for who in (MACHINE, None):
        assert decide(look(), replace(SAID, who=who, text=":for:"), PULL) is None
    assert isinstance(decide(look(), replace(SAID, text=":for:"), PULL), Do)


def test_who_only_comes_by_is_welcomed_where_they_speak_and_it_is_open() -> None:
    by = replace(SAID, who=OLGA)
    wish = decide(look(), by, PULL)
    assert isinstance(wish, Tell)
    assert (wish.keys, wish.refusal) == (("welcome-2",), False)
    assert "welcome" in told(decide(look(), replace(by, what=What.OPENED, number=8), ISSUE))
    assert decide(look(), by, replace(PULL, state="closed")) is None
    assert decide(look(), replace(by, what=What.CLOSED), replace(PULL, merged=True)) != wish
    assert decide(look(), replace(by, what=What.PUSHED), PULL) is None
    assert decide(look(), SAID, PULL) is None, "a player's talk is only talk"


def test_what_a_stranger_said_is_answered_as_a_strangers_whoever_edited_it() -> None:
    edited = replace(SAID, who=OLGA, text=":for:", foreign=Edit(10, CY))
    assert "no player of this game" in told(decide(look(), edited, PULL))
    assert "not your word" in told(decide(look(), replace(edited, who=CY), PULL))


def test_words_of_a_proposal_that_somebody_else_edits_have_an_event_of_their_own() -> None:
    opened = Event("pull-7", 5, 7, What.OPENED, CY, foreign=Edit(10, OLGA))
    assert decide(look(), opened, PULL) is None
    issue = replace(opened, id="issue-8", number=8, text="hm")
    assert "not your word" in told(decide(look(), issue, ISSUE))


def test_a_review_that_somebody_else_dismissed_is_no_edit_of_it() -> None:
    event = Event("r", 9, 7, What.DISMISSED, CY, state=ReviewState.APPROVED, foreign=Edit(10, OLGA))
    assert "no rule knows votes that are withdrawn" in told(decide(look(), event, PULL))


def test_of_too_many_commands_the_rest_is_told_and_not_done() -> None:
    assert "nothing was done: :for:" in told(
        decide(look(), replace(SAID, text=":for:\nyes", beyond=True), PULL)
    )


@pytest.mark.parametrize("what", list(What))
def test_what_is_said_or_done_at_one_moment_is_decided_for_good(what: What) -> None:
    once = {What.SAID, What.DISMISSED, What.CLOSED, What.REOPENED}
    assert for_good(replace(SAID, what=what), PULL) is (what in once)
    assert for_good(replace(SAID, what=what), ISSUE) is (what in {*once, What.OPENED})


def test_a_review_that_only_comments_is_said_and_one_that_votes_shows_how_it_stands() -> None:
    review = replace(SAID, what=What.REVIEWED)
    assert for_good(replace(review, state=ReviewState.COMMENTED), PULL)
    assert not for_good(replace(review, state=ReviewState.APPROVED), PULL)


# ---- edited once it was done


def test_who_edits_what_was_done_is_told_that_it_changes_nothing() -> None:
    vote = replace(SAID, text=":for:", edited=20)
    anew = "say it anew"
    assert anew in told(edited_since(look(cast_last="against"), vote, 10))
    assert edited_since(look(cast_last="for"), vote, 10) is None, "it says what was done"
    assert edited_since(look(cast_last="against"), vote, 20) is None, "it was edited before"
    assert edited_since(look(), replace(vote, text="hm"), 10) is None, "it asks for nothing"
    assert anew in told(edited_since(look(), replace(vote, text="/act roll"), 10))
    assert anew in told(edited_since(look(), replace(vote, text=":for: 12"), 10)), "it asks for something"
    for who in (OLGA, MACHINE, None):
        assert edited_since(look(cast_last="against"), replace(vote, who=who), 10) is None
    by_olga = replace(vote, text="hm", foreign=Edit(20, OLGA))
    assert "Olga has edited this after it was done" in told(edited_since(look(), by_olga, 10))


# ---- closed by its author


CLOSED = Event("pull-7-closed-9", 9, 7, What.CLOSED, CY)


def test_who_closes_their_own_gives_it_up_once_where_the_law_has_that() -> None:
    gone = replace(PULL, state="closed")
    wish = pulls.closed(look(), CLOSED, gone)
    assert isinstance(wish, Do)
    assert (wish.action, wish.given) == ("vote", {"matter": "1", "icon": "against"})
    assert pulls.closed(look({"self_killed": True}), CLOSED, gone) is None
    assert "no move in this game" in told(pulls.closed(look(self_killing=False), CLOSED, gone))
    assert pulls.closed(look({"status": "enacted"}), CLOSED, gone) is None


def test_who_opens_again_what_is_given_up_or_over_is_told() -> None:
    event = replace(CLOSED, what=What.REOPENED)
    assert "is given up" in told(pulls.reopened(look({"self_killed": True}), event, PULL))
    assert "enacted" in told(pulls.reopened(look({"status": "enacted"}), event, PULL))
    assert pulls.reopened(look(), event, PULL) is None


# ---- what a thread shows


@pytest.mark.parametrize("branch", [True, False, None])
@pytest.mark.parametrize("block", ["", "repeal: Moonlight", "repeal: Sunlight", "repeal: ["])
def test_a_thread_shows_something_else_where_its_branch_or_its_block_does(
    monkeypatch: pytest.MonkeyPatch, branch: bool | None, block: str
) -> None:
    """``branch``: whether it says what the post brings; None: nothing of rules, so that the block says all."""
    post = {"hash": content_hash([{"repeal": "Moonlight"}])}
    body = f"It is good.\n\n```changes\n- {block}\n```" if block else "It is good."
    branches = proposing.Branches(cast("Repository", None))
    monkeypatch.setattr(branches, "same", lambda *_: branch)
    monkeypatch.setattr(branches, "changes", lambda _, __, listed: [{"repeal": "Moonlight"}, *listed])
    as_it_was = (True, ""), (True, "repeal: Moonlight"), (None, "repeal: Moonlight")
    shown = branches.show_other("head", post, replace(PULL, body=body))
    assert shown is ((branch, block) not in as_it_was)
