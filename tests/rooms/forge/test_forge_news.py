"""What is new on the forge: whole threads, all pages, few requests, nothing twice and nothing missed."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from fakegithub import START, FakeGitHub
from support.forging import a_pull, client

from nomicgit.forge.github import GitHub
from nomicgit.steward.marks import reporting
from nomicgit.steward.seen import Cursor, News


@pytest.fixture
def forge(github: FakeGitHub) -> Iterator[GitHub]:
    """The steward's client."""
    with client(github) as made:
        yield made


def read(github: FakeGitHub, forge: GitHub, cursor: Cursor | None = None) -> News:
    """Read once every time told is surely past; the log begins anew with it."""
    github.clock.advance(10)
    github.forget()
    return forge.news(cursor)


def test_the_first_reading_gives_all_that_is_open(github: FakeGitHub, forge: GitHub) -> None:
    a_pull(github)
    dot = github.user("dot")
    github.issue(dot, "A question")
    github.close(dot, github.issue(dot, "Long done"))
    news = read(github, forge)
    assert [each.number for each in news.pulls] == [1]
    assert [each.number for each in news.issues] == [2]
    assert len(github.asked()) == 2


def test_a_pull_request_is_seen_whole(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    cy, dot = pull.author, github.user("dot")
    github.label(github.steward, pull, ["pending"])
    review = github.review(dot, pull, "APPROVED", "Fine.")
    github.clock.advance(5)
    comment = github.comment(cy, pull, "Thanks.")
    [seen] = read(github, forge).pulls
    assert (seen.number, seen.title, seen.body, seen.state, seen.draft) == (
        1,
        "More light",
        "We need it.",
        "open",
        False,
    )
    assert seen.author is not None
    assert (seen.author.id, seen.author.login) == (cy.id, "cy")
    assert (seen.head_sha, seen.head_ref, seen.head_repository) == (pull.head_sha, "more", "cy/game")
    assert (seen.base_ref, seen.base_sha, seen.labels) == ("main", pull.base_sha, ("pending",))
    assert [(each.id, each.state, each.commit) for each in seen.reviews] == [
        (review.id, "APPROVED", pull.head_sha)
    ]
    assert [(each.id, each.body, each.at) for each in seen.comments] == [(comment.id, "Thanks.", START + 5)]
    assert seen.updated_at == START + 5


def test_nothing_new_takes_two_requests_that_are_not_modified(github: FakeGitHub, forge: GitHub) -> None:
    a_pull(github)
    news = read(github, forge, read(github, forge).cursor)
    assert news.nothing_new
    again = read(github, forge, news.cursor)
    assert again.nothing_new
    assert [each.status for each in github.asked()] == [304, 304]


def test_nothing_new_for_another_token_of_the_same_account(github: FakeGitHub, forge: GitHub) -> None:
    a_pull(github)
    cursor = read(github, forge, read(github, forge).cursor).cursor
    github.clock.advance(10)
    github.forget()
    token = github.another_token(github.steward)
    with GitHub(github.repo.full_name, token, api=github.url, wait=github.wait, now=github.time) as later:
        assert later.news(cursor).nothing_new
    assert [each.status for each in github.asked()] == [200, 200]


def test_only_what_changed_is_given(github: FakeGitHub, forge: GitHub) -> None:
    a_pull(github)
    second = a_pull(github, branch="second")
    cursor = read(github, forge).cursor
    github.comment(second.author, second, "Please vote.")
    news = read(github, forge, cursor)
    assert [each.number for each in news.pulls] == [2]
    assert news.pulls[0].comments[0].body == "Please vote."


@pytest.mark.slow
def test_what_changes_within_the_second_of_reading_is_given_again(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    cursor = forge.news(None).cursor
    github.review(github.user("dot"), pull, "APPROVED")  # at the same time, to the second
    assert [len(each.reviews) for each in forge.news(cursor).pulls] == [1]


def test_a_reworded_comment_is_news_though_its_thread_does_not_show_it(
    github: FakeGitHub, forge: GitHub
) -> None:
    pull = a_pull(github)
    comment = github.comment(pull.author, pull, "FOR")
    cursor = read(github, forge).cursor
    before = pull.updated_at
    github.clock.advance(500)
    github.edit(pull.author, comment, "AGAINST")
    news = read(github, forge, cursor)
    assert pull.updated_at == before
    assert [
        (each.comments[0].body, each.comments[0].edited.at if each.comments[0].edited else None)
        for each in news.pulls
    ] == [("AGAINST", START + 510)]
    assert read(github, forge, news.cursor).nothing_new


def test_ones_own_rewording_of_what_the_steward_said_is_no_news(github: FakeGitHub, forge: GitHub) -> None:
    """All else that somebody says by whose token the steward speaks is theirs."""
    pull = a_pull(github)
    report = github.comment(github.steward, pull, reporting("0 FOR"))
    talk = github.comment(github.steward, pull, "hm")
    cursor = read(github, forge).cursor
    github.edit(github.steward, report, reporting("1 FOR"))
    assert read(github, forge, cursor).nothing_new
    github.edit(github.steward, talk, ":for:")
    assert len(read(github, forge, cursor).pulls) == 1


def test_ones_own_rewording_that_changes_its_thread_is_news_once(github: FakeGitHub, forge: GitHub) -> None:
    github.edits_touch = True
    report = github.comment(github.steward, a_pull(github), "0 FOR")
    cursor = read(github, forge).cursor
    github.edit(github.steward, report, "1 FOR")
    news = read(github, forge, cursor)
    assert [each.number for each in news.pulls] == [1]
    assert read(github, forge, news.cursor).nothing_new


def test_ones_own_comments_are_told_from_others(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    github.comment(github.steward, pull, "0 FOR")
    github.comment(pull.author, pull, "0 FOR")
    [seen] = read(github, forge).pulls
    assert [each.ours for each in seen.comments] == [True, False]


def test_a_deleted_comment_is_gone(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    comment = github.comment(pull.author, pull, "FOR")
    cursor = read(github, forge).cursor
    github.delete_comment(pull.author, comment)
    assert [each.comments for each in read(github, forge, cursor).pulls] == [()]


def test_more_than_a_page_of_reviews_and_comments(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    voters = [github.user(f"v{number}") for number in range(101)]
    for voter in voters:
        github.review(voter, pull, "APPROVED")
        github.comment(voter, pull, "FOR")
    [seen] = read(github, forge).pulls
    assert [each.author.id for each in seen.reviews if each.author] == [each.id for each in voters]
    assert len(seen.comments) == 101
    assert len(github.asked()) == 3


@pytest.mark.slow
def test_every_list_is_read_to_its_end(github: FakeGitHub, forge: GitHub) -> None:
    for number in range(5):
        pull = a_pull(github, branch=f"b{number}")
        for times in range(7):
            github.review(github.user(f"r{number}{times}"), pull, "APPROVED")
            github.comment(pull.author, pull, str(times))
            github.close(pull.author, pull)
            github.reopen(pull.author, pull)
    github.page = 2
    seen = read(github, forge).pulls
    assert [len(each.reviews) for each in seen] == [7] * 5
    assert [[c.body for c in each.comments] for each in seen] == [list("0123456")] * 5
    assert [len(each.closings) for each in seen] == [14] * 5


def test_a_thread_that_changes_while_pages_are_read_hides_no_other(github: FakeGitHub, forge: GitHub) -> None:
    issues = [github.issue(github.owner, f"Issue {number}") for number in range(6)]
    cursor = read(github, forge).cursor
    for issue in issues:
        github.comment(github.owner, issue, "again")

    def once() -> None:
        github.between = None
        github.comment(github.owner, issues[0], "and again")

    github.page, github.between = 3, once
    assert [each.number for each in read(github, forge, cursor).issues] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("known", [True, False])
def test_what_is_closed_or_deleted_while_pages_are_read_hides_no_other(
    github: FakeGitHub, forge: GitHub, known: bool
) -> None:
    issues = [github.issue(github.owner, f"Issue {number}") for number in range(6)]
    cursor = read(github, forge).cursor if known else None
    for issue in issues:
        github.comment(github.owner, issue, "again")
    github.clock.advance(3600)

    def once() -> None:
        github.between = None
        if known:
            github.remove(issues[0])
        else:
            github.close(github.owner, issues[0])

    github.page, github.between = 3, once
    assert {2, 3, 4, 5, 6} <= {each.number for each in read(github, forge, cursor).issues}


def test_a_change_on_a_later_page_is_not_missed(github: FakeGitHub, forge: GitHub) -> None:
    issues = [github.issue(github.owner, f"Issue {number}") for number in range(3)]
    github.page = 2
    cursor = read(github, forge, read(github, forge).cursor).cursor
    github.comment(github.owner, issues[2], "again")
    assert [each.number for each in read(github, forge, cursor).issues] == [3]


@pytest.mark.slow
def test_many_comments_do_not_make_many_pages(github: FakeGitHub, forge: GitHub) -> None:
    quiet, busy = a_pull(github, branch="quiet"), a_pull(github, branch="busy")
    for number in range(450):
        github.comment(busy.author, busy, str(number))
    voted = github.comment(quiet.author, quiet, "FOR")
    cursor = read(github, forge).cursor
    github.edit(quiet.author, voted, "AGAINST")
    news = read(github, forge, cursor)
    assert [(each.comments[0].body, len(each.comments)) for each in news.pulls] == [
        ("AGAINST", 1),
        ("0", 450),
    ]
    assert len(github.asked()) <= 12


@pytest.mark.slow
def test_two_hundred_pull_requests_with_two_thousand_comments(github: FakeGitHub, forge: GitHub) -> None:
    cy = github.user("cy")
    github.commit(cy, {"more.md": "text\n"}, branch="more")
    voters = [github.user(f"v{number}") for number in range(10)]
    pulls = [github.open_pull(cy, head="more", title=f"Proposal {number}") for number in range(200)]
    cursor = read(github, forge).cursor
    assert len(github.asked()) <= 10
    for pull in pulls:
        for voter in voters:
            github.comment(voter, pull, "FOR")
    github.clock.advance(10)
    github.forget()
    began = time.thread_time()
    news = forge.news(cursor)
    own = time.thread_time() - began
    assert sum(len(each.comments) for each in news.pulls) == 2000
    assert len(github.asked()) < 30
    assert own < 2


def test_numbers_asked_for_are_read_though_they_are_closed(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    github.close(pull.author, pull)
    github.clock.advance(10)
    [seen] = forge.news(None, also=[1]).pulls
    assert (seen.state, [each.by and each.by.login for each in seen.closings]) == ("closed", ["cy"])


def test_a_number_that_is_not_there_is_told(github: FakeGitHub, forge: GitHub) -> None:
    a_pull(github)
    news = forge.news(None, also=[7])
    assert (news.unread, [each.number for each in news.pulls]) == ((7,), [1])


def test_a_dismissed_review_tells_what_it_was(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    ada = github.user("ada", role="write")
    review = github.review(github.user("dot"), pull, "CHANGES_REQUESTED", "No.")
    github.clock.advance(60)
    github.dismiss(ada, review, "It was changed.")
    [seen] = read(github, forge).pulls[0].reviews
    assert (seen.state, seen.body) == ("DISMISSED", "No.")
    assert seen.dismissed is not None
    assert seen.dismissed.was == "CHANGES_REQUESTED"
    assert seen.dismissed.by is not None
    assert (seen.dismissed.by.id, seen.dismissed.at, seen.dismissed.message) == (
        ada.id,
        START + 60,
        "It was changed.",
    )


def test_a_review_that_is_still_being_written_is_not_seen(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    github.review(github.steward, pull, "PENDING", "Perhaps.")
    assert read(github, forge).pulls[0].reviews == ()


def test_a_review_whose_commit_the_forge_has_lost(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    github.review(github.user("dot"), pull, "APPROVED").commit = None
    assert [each.commit for each in read(github, forge).pulls[0].reviews] == [None]


def test_deleted_accounts_are_nobody(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    dot = github.user("dot")
    github.review(dot, pull, "APPROVED")
    github.comment(dot, pull, "FOR")
    github.delete(dot)
    github.delete(pull.author)
    github.clock.advance(10)
    [seen] = forge.news(None, also=[1]).pulls
    assert (seen.author, seen.reviews[0].author, seen.comments[0].author) == (None, None, None)
    assert (seen.head_repository, seen.head_sha, seen.state) == (None, pull.head_sha, "closed")


@pytest.mark.slow
def test_the_account_that_stands_for_deleted_ones_is_nobody(github: FakeGitHub, forge: GitHub) -> None:
    github.comment(github.user("ghost", id=10137), a_pull(github), "FOR")
    assert read(github, forge).pulls[0].comments[0].author is None


def test_another_login_is_the_same_person(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    number = pull.author.id
    github.rename(pull.author, "CY-the-Second")
    [seen] = read(github, forge).pulls
    assert seen.author is not None
    assert (seen.author.id, seen.author.login) == (number, "CY-the-Second")
    assert seen.head_repository == "CY-the-Second/game"


def test_a_bot_is_known_as_one(github: FakeGitHub, forge: GitHub) -> None:
    github.comment(github.steward, a_pull(github), "Hello.")
    author = read(github, forge).pulls[0].comments[0].author
    assert author is not None
    assert (author.id, author.bot) == (github.steward.id, True)


def test_forced_pushes_have_the_servers_time(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    before = pull.head_sha
    github.clock.advance(30)
    github.commit(pull.author, {"more.md": "other\n"}, branch="more", onto=pull.base_sha)
    [seen] = read(github, forge).pulls
    assert [(each.at, each.before, each.after) for each in seen.forced] == [
        (START + 30, before, seen.head_sha)
    ]
    assert seen.head_sha != before


def test_a_plain_push_moves_the_head_and_nothing_else(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    cursor = read(github, forge).cursor
    made = github.commit(pull.author, {"more.md": "other\n"}, branch="more")
    [seen] = read(github, forge, cursor).pulls
    assert (seen.head_sha, seen.forced) == (made, ())


def test_a_merged_pull_request(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    cursor = read(github, forge).cursor
    github.merge(github.steward, pull)
    [seen] = read(github, forge, cursor).pulls
    assert (seen.merged, seen.state, seen.closed_at) == (True, "merged", START + 10)


def test_closing_and_opening_again(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    github.close(pull.author, pull)
    github.clock.advance(5)
    github.reopen(github.steward, pull)
    [seen] = read(github, forge).pulls
    assert [(each.closed, each.at, each.by and each.by.login) for each in seen.closings] == [
        (True, START, "cy"),
        (False, START + 5, "github-actions"),
    ]
    assert seen.state == "open"


@pytest.mark.parametrize("part", ["reviews", "comments", "body"])
def test_what_the_forge_cannot_give_is_not_taken_for_nothing(
    github: FakeGitHub, forge: GitHub, part: str
) -> None:
    pull = a_pull(github)
    github.comment(pull.author, pull, "FOR")
    github.broken = part
    news = read(github, forge)
    assert (news.pulls, news.unread) == ((), (1,))
    github.broken = ""
    assert [each.number for each in read(github, forge, news.cursor).pulls] == [1]


@pytest.mark.parametrize("answer", [None, {}, {"comments": None}])
def test_a_later_page_that_does_not_come_leaves_the_thread_unread(
    github: FakeGitHub, forge: GitHub, answer: object
) -> None:
    pull = a_pull(github)
    for number in range(3):
        github.comment(pull.author, pull, str(number))
    github.page = 2
    github.fail(200, "query Pages", body={"data": {"m0": answer}})
    news = read(github, forge)
    assert (news.pulls, news.unread) == ((), (1,))


def test_a_comment_on_a_later_page_that_does_not_come_leaves_the_thread_unread(
    github: FakeGitHub, forge: GitHub
) -> None:
    pull = a_pull(github)
    for number in range(3):
        github.comment(pull.author, pull, str(number))
    github.page = 2
    page = {"pageInfo": {"hasNextPage": False, "endCursor": None}, "nodes": [None]}
    stumbled = {"message": "Something went wrong", "path": ["m0", "comments", "nodes", 0]}
    github.fail(200, "query Pages", body={"data": {"m0": {"comments": page}}, "errors": [stumbled]})
    assert read(github, forge).unread == (1,)


def test_a_comment_that_the_forge_hides_is_passed_over(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    for number in range(3):
        github.comment(pull.author, pull, str(number))
    github.page = 2
    page = {"pageInfo": {"hasNextPage": False, "endCursor": None}, "nodes": [None]}
    hidden = {"message": "Not yours", "type": "FORBIDDEN", "path": ["m0", "comments", "nodes", 0]}
    github.fail(200, "query Pages", body={"data": {"m0": {"comments": page}}, "errors": [hidden]})
    assert [len(each.comments) for each in read(github, forge).pulls] == [2]


def test_a_copy_that_lags_behind_is_read_again(github: FakeGitHub, forge: GitHub) -> None:
    pull = a_pull(github)
    cursor = read(github, forge).cursor
    github.comment(pull.author, pull, "FOR")
    github.lag = {1: START}
    stale = read(github, forge, cursor)
    github.lag = {}
    assert [len(each.comments) for each in read(github, forge, stale.cursor).pulls] == [1]


def test_a_cursor_is_kept_and_taken_up_again(github: FakeGitHub, forge: GitHub) -> None:
    a_pull(github)
    cursor = read(github, forge).cursor
    kept = Cursor.of_json(cursor.as_json())
    assert kept == cursor
    assert read(github, forge, kept).nothing_new


@pytest.mark.parametrize(
    "kept",
    [None, [], {"since": "x"}, {"since": 1, "marks": ["", ""], "seen": {"a": ""}, "heard": {}, "me": 0}],
)
def test_a_spoilt_cursor_is_none(kept: object) -> None:
    assert Cursor.of_json(kept) is None
