"""Writing on the forge in bulk: results of their own, labels, limits of pace, answers that were lost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fakegithub import START, FakeGitHub
from support.forging import a_pull, client

from nomicgit.forge.github import GitHub
from nomicgit.steward.said import Close, Kind, Label, Outcome, React, Reopen, Reword, Say, Unlabel
from nomicgit.steward.trouble import Forbidden, Limited, Trouble


@pytest.fixture
def forge(github: FakeGitHub) -> Iterator[GitHub]:
    """The steward's client."""
    with client(github) as made:
        yield made


def test_everything_in_one_request(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    issue = github.issue(pull.author, "Explore")
    done = github.issue(pull.author, "Done")
    report = github.comment(github.steward, pull, "0 FOR")
    github.make_label("pending")
    github.close(github.steward, done)
    forge.write([Unlabel(pull.node, "unknown")])
    github.forget()
    results = forge.write(
        [
            Say(issue.node, "You rolled a 6."),
            Close(issue.node, Kind.NOT_PLANNED),
            Reword(report.node, "1 FOR"),
            Label(pull.node, "Pending"),
            Reopen(done.node, Kind.DONE),
            React(pull.node, "EYES"),
        ]
    )
    assert [each.outcome for each in results] == [Outcome.DONE] * 6
    assert results[0].node == issue.comments[0].node
    assert (issue.comments[0].body, issue.comments[0].author) == ("You rolled a 6.", github.steward)
    assert (issue.state, issue.reason, done.state) == ("closed", "not_planned", "open")
    assert (report.body, pull.labels) == ("1 FOR", ["pending"])
    assert len(github.asked()) == 1


def test_one_that_is_refused_does_not_stop_the_others(github: FakeGitHub, forge: GitHub) -> None:
    issue = github.issue(github.owner, "Explore")
    results = forge.write([Say(issue.node, "one"), Say("I_404", "lost"), Say(issue.node, "two")])
    assert [each.outcome for each in results] == [Outcome.DONE, Outcome.GONE, Outcome.DONE]
    assert "I_404" in results[1].why
    assert [each.body for each in issue.comments] == ["one", "two"]


def test_a_blank_comment_is_refused_and_nothing_else(github: FakeGitHub, forge: GitHub) -> None:
    issue = github.issue(github.owner, "Explore")
    results = forge.write([Say(issue.node, " "), Close(issue.node, Kind.DONE)])
    assert [(each.outcome, each.why) for each in results] == [
        (Outcome.REFUSED, "Body cannot be blank"),
        (Outcome.DONE, ""),
    ]


def test_a_pull_request_is_closed_and_opened_again(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    assert forge.write([Close(pull.node, Kind.PULL)])[0].done
    assert pull.state == "closed"
    assert forge.write([Reopen(pull.node, Kind.PULL)])[0].done
    assert pull.state == "open"


def test_a_merged_pull_request_cannot_be_opened_again(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    github.merge(github.steward, pull)
    [result] = forge.write([Reopen(pull.node, Kind.PULL)])
    assert result.outcome is Outcome.REFUSED


def test_labels_that_are_missing_are_made(github: FakeGitHub, forge: GitHub) -> None:
    first, second = a_pull(github), a_pull(github, branch="other")
    writes = [Label(first.node, "pending"), Label(second.node, "Pending"), Label(second.node, "vetoed")]
    assert all(each.done for each in forge.write(writes))
    assert (first.labels, second.labels) == (["pending"], ["pending", "vetoed"])


def test_taking_off_a_label_that_does_not_exist_is_done(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    results = forge.write([Unlabel(pull.node, "pending"), Say(pull.node, "hello")])
    assert [each.outcome for each in results] == [Outcome.DONE, Outcome.DONE]


def test_a_label_that_is_there_is_taken_off(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    github.label(github.steward, pull, ["pending", "enacted"])
    assert forge.write([Unlabel(pull.node, "Pending")])[0].done
    assert pull.labels == ["enacted"]


def test_a_label_that_cannot_be_made_is_refused(github: FakeGitHub) -> None:
    pull = a_pull(github)
    with client(github, github.user("tri", role="triage")) as forge:
        results = forge.write([Label(pull.node, "pending"), Say(pull.node, "hello")])
    assert [each.outcome for each in results] == [Outcome.REFUSED, Outcome.DONE]


def test_more_labels_than_a_page(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    for number in range(120):
        github.make_label(f"label {number}")
    assert forge.write([Label(pull.node, "label 119")])[0].done
    assert len(github.labels) == 120


def test_a_token_that_may_not_is_refused_each(github: FakeGitHub) -> None:
    pull = a_pull(github)
    with client(github, github.user("nobody")) as forge:
        results = forge.write([Close(pull.node, Kind.PULL), Say(pull.node, "hello")])
    assert [each.outcome for each in results] == [Outcome.REFUSED, Outcome.DONE]


@pytest.mark.slow
def test_many_writings_take_few_requests_and_keep_their_order(github: FakeGitHub, forge: GitHub) -> None:
    issue = github.issue(github.owner, "Talk")
    results = forge.write([Say(issue.node, str(number)) for number in range(60)])
    assert [each.body for each in issue.comments] == [str(number) for number in range(60)]
    assert all(each.done for each in results)
    assert len(github.asked()) == 3


def test_eighty_comments_a_minute_and_no_more(github: FakeGitHub, forge: GitHub) -> None:
    issue = github.issue(github.owner, "Talk")
    forge.write([Say(issue.node, str(number)) for number in range(200)])
    times = [each.at for each in issue.comments]
    assert len(times) == 200
    assert all(sum(at <= each < at + 60 for each in times) <= 80 for at in times)


@pytest.mark.slow
def test_five_hundred_comments_an_hour_and_the_rest_put_off(github: FakeGitHub, forge: GitHub) -> None:
    issue = github.issue(github.owner, "Talk")
    results = forge.write([Say(issue.node, str(number)) for number in range(520)])
    assert [each.outcome for each in results] == [Outcome.DONE] * 500 + [Outcome.PUT_OFF] * 20
    assert len(issue.comments) == 500


def test_rewording_is_no_new_content(github: FakeGitHub, forge: GitHub) -> None:
    report = github.comment(github.steward, github.issue(github.owner, "Talk"), "0")
    began = github.clock.now
    forge.write([Reword(report.node, str(number)) for number in range(200)])
    assert github.clock.now == began


def test_a_lost_answer_does_not_say_it_twice(github: FakeGitHub, forge: GitHub) -> None:
    issue = github.issue(github.owner, "Explore")
    github.fail(502, "addComment", lost=True)
    results = forge.write([Say(issue.node, "You rolled a 6."), Close(issue.node, Kind.DONE)])
    assert [each.outcome for each in results] == [Outcome.UNKNOWN, Outcome.DONE]
    assert [each.body for each in issue.comments] == ["You rolled a 6."]
    assert issue.state == "closed"


def test_a_broken_connection_after_the_deed_does_not_say_it_twice(github: FakeGitHub, forge: GitHub) -> None:
    issue = github.issue(github.owner, "Explore")
    github.fail(0, "addComment", lost=True)
    [result] = forge.write([Say(issue.node, "You rolled a 6.")])
    assert result.outcome is Outcome.UNKNOWN
    assert len(issue.comments) == 1


def test_what_can_be_done_twice_is_tried_until_it_is_done(github: FakeGitHub, forge: GitHub) -> None:
    issue = github.issue(github.owner, "Explore")
    github.fail(503, "closeIssue", times=3)
    assert forge.write([Close(issue.node, Kind.DONE)])[0].done
    assert issue.state == "closed"


def test_a_limit_reached_between_two_requests_puts_the_rest_off(github: FakeGitHub, forge: GitHub) -> None:
    issue = github.issue(github.owner, "Talk")
    github.fail(403, "addComment", after=1, times=9, headers={"Retry-After": "3600"})
    results = forge.write([Say(issue.node, str(number)) for number in range(25)])
    assert [each.outcome for each in results] == [Outcome.DONE] * 20 + [Outcome.PUT_OFF] * 5
    assert len(issue.comments) == 20


def test_a_limit_of_more_than_a_minute_is_left_to_the_next_pass(github: FakeGitHub, forge: GitHub) -> None:
    """So long no other pass takes this one for dead; what is read is waited for as ever."""
    issue, began = github.issue(github.owner, "Talk"), github.clock.now
    github.fail(403, "addComment", headers={"Retry-After": "60"})
    assert forge.write([Say(issue.node, "1")])[0].done
    github.fail(403, "addComment", headers={"Retry-After": "61"})
    assert forge.write([Say(issue.node, "2")])[0].outcome is Outcome.PUT_OFF
    github.fail(403, "/statuses/", headers={"Retry-After": "61"})
    with pytest.raises(Limited, match="takes no more requests"):
        forge.status(github.repo.refs["main"], "pending", "nomicgit", "")
    assert github.clock.now == began + 60
    github.fail(403, "POST /graphql", headers={"Retry-After": "61"})
    forge.news(None)
    assert github.clock.now == began + 121


@pytest.mark.parametrize(
    ("fault", "outcomes"),
    [
        (
            {"type": "UNPROCESSABLE", "message": "was submitted too quickly"},
            [Outcome.PUT_OFF, Outcome.DONE, Outcome.PUT_OFF],
        ),
        (
            {"message": "Something went wrong while executing your query."},
            [Outcome.UNKNOWN, Outcome.DONE, Outcome.PUT_OFF],
        ),
        (None, [Outcome.UNKNOWN, Outcome.DONE, Outcome.PUT_OFF]),
        (
            {"type": "FORBIDDEN", "message": "Resource not accessible by integration"},
            [Outcome.REFUSED, Outcome.DONE, Outcome.REFUSED],
        ),
    ],
)
def test_what_the_forge_stumbles_over_within_an_answer_is_not_refused_for_good(
    github: FakeGitHub, forge: GitHub, fault: dict[str, object] | None, outcomes: list[Outcome]
) -> None:
    issue = github.issue(github.owner, "Talk")
    wrong = [{"path": [which], **fault} for which in ("w0", "w2") if fault is not None]
    given = {"w0": None, "w1": {"clientMutationId": None}, "w2": None}
    github.fail(200, "addComment", body={"data": given, "errors": wrong})
    results = forge.write([Say(issue.node, "one"), React(issue.node, "EYES"), Close(issue.node, Kind.DONE)])
    assert [each.outcome for each in results] == outcomes


def test_a_forge_that_goes_away_between_two_requests_puts_the_rest_off(
    github: FakeGitHub, forge: GitHub
) -> None:
    issue = github.issue(github.owner, "Talk")
    github.fail(502, "closeIssue", times=99)
    results = forge.write(
        [*[Say(issue.node, str(number)) for number in range(20)], Close(issue.node, Kind.DONE)]
    )
    assert [each.outcome for each in results] == [Outcome.DONE] * 20 + [Outcome.PUT_OFF]


def test_a_forge_that_is_not_there_is_trouble(github: FakeGitHub, forge: GitHub) -> None:
    issue = github.issue(github.owner, "Explore")
    github.fail(502, "closeIssue", times=99)
    with pytest.raises(Trouble, match="no answer"):
        forge.write([Close(issue.node, Kind.DONE)])


def test_what_never_reached_the_forge_was_not_said() -> None:
    waited: list[float] = []
    with GitHub(
        "nomic-club/game", "", api="http://127.0.0.1:9", wait=waited.append, now=lambda: START
    ) as forge:
        with pytest.raises(Trouble, match="asked 5 times"):
            forge.write([Say("I_1", "hello")])
        assert waited == [1, 2, 4, 8]


def test_a_request_refused_as_a_whole_is_taken_apart(github: FakeGitHub, forge: GitHub) -> None:
    issue = github.issue(github.owner, "Talk")
    github.fail(422, "too bold", times=99)
    results = forge.write([Say(issue.node, "one"), Say(issue.node, "too bold"), Say(issue.node, "two")])
    assert [each.outcome for each in results] == [Outcome.DONE, Outcome.REFUSED, Outcome.DONE]
    assert [each.body for each in issue.comments] == ["one", "two"]


def test_nothing_to_write_asks_nothing(github: FakeGitHub, forge: GitHub) -> None:
    assert forge.write([]) == []
    assert github.asked() == []


def test_a_status(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    forge.status(pull.head_sha, "pending", "nomicgit", "x" * 150, "https://nomic-club.example/game/")
    found = github.status(pull.head_sha, "nomicgit")
    assert found is not None
    assert (found.state, found.target, len(found.description)) == (
        "pending",
        "https://nomic-club.example/game/",
        140,
    )


def test_a_status_that_the_token_may_not_set(github: FakeGitHub) -> None:
    pull = a_pull(github)
    with client(github, github.user("nobody")) as forge, pytest.raises(Forbidden, match="permission"):
        forge.status(pull.head_sha, "pending", "nomicgit", "")


def test_who_we_are_takes_one_request(github: FakeGitHub, forge: GitHub) -> None:
    assert forge.me().id == github.steward.id
    assert forge.me().id == github.steward.id
    assert len(github.asked()) == 1
