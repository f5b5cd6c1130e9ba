"""A client that other people wrote drives the fake: its strict models take what the fake gives, and it finds its way."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from fakegithub import Account, FakeGitHub
from support.forging import a_pull

GITHUBKIT: Any = importlib.import_module("githubkit")  # its 56 MB of types are no matter of ours
FAILED = importlib.import_module("githubkit.exception").RequestFailed


def kit(github: FakeGitHub, who: Account) -> Any:
    return GITHUBKIT.GitHub(github.token(who), base_url=github.url, auto_retry=False, http_cache=False)


@pytest.mark.slow
def test_a_pull_request_from_its_opening_to_its_merge(github: FakeGitHub) -> None:
    cy, dot, ada = github.user("cy"), github.user("dot"), github.user("ada", role="admin")
    github.commit(cy, {"more.md": "more\n"}, branch="more")
    whose = (github.owner.login, github.repo.name)

    cys, dots, adas = (kit(github, who) for who in (cy, dot, ada))
    opened = cys.rest.pulls.create(*whose, title="More", head="cy:more", base="main").parsed_data
    assert (opened.number, opened.user.login if opened.user else "") == (1, "cy")
    with pytest.raises(FAILED) as own:
        cys.rest.pulls.create_review(*whose, 1, event="APPROVE")
    assert own.value.response.status_code == 422

    review = dots.rest.pulls.create_review(*whose, 1, event="REQUEST_CHANGES", body="No.").parsed_data
    said = dots.rest.issues.create_comment(*whose, 1, body="FOR").parsed_data
    dots.rest.issues.update_comment(*whose, said.id, body="AGAINST")
    adas.rest.pulls.dismiss_review(*whose, 1, review.id, message="settled")
    [seen] = adas.rest.pulls.list_reviews(*whose, 1).parsed_data
    assert (seen.state, seen.commit_id) == ("DISMISSED", opened.head.sha)
    [comment] = adas.rest.issues.list_comments(*whose, 1).parsed_data
    assert comment.body == "AGAINST"

    with pytest.raises(FAILED) as stale:
        adas.rest.pulls.merge(*whose, 1, sha="0" * 40)
    assert stale.value.response.status_code == 409
    assert adas.rest.pulls.merge(*whose, 1, sha=opened.head.sha).parsed_data.merged
    events = [each.event for each in adas.rest.issues.list_events_for_timeline(*whose, 1).parsed_data]
    assert events == ["commented", "reviewed", "closed"]


@pytest.mark.slow
def test_all_pages_of_a_list(github: FakeGitHub) -> None:
    pull = a_pull(github)
    for number in range(7):
        github.comment(pull.author, pull, str(number))
    github.page = 3
    seen = kit(github, github.steward)
    pages = seen.rest.paginate(
        seen.rest.issues.list_comments, owner=github.owner.login, repo="game", issue_number=1
    )
    assert [each.body for each in pages] == list("0123456")


@pytest.mark.slow
def test_settings(github: FakeGitHub) -> None:
    ada = github.user("ada", role="admin")
    github.protect("main", ["nomicgit"])
    github.settings |= {
        "pages": "workflow",
        "workflows": {".github/workflows/steward.yml": ("active", github.clock.now)},
    }
    client, whose = kit(github, ada), (github.owner.login, github.repo.name)
    rest = client.rest
    assert rest.repos.get(*whose).parsed_data.default_branch == "main"
    assert rest.actions.get_github_actions_default_workflow_permissions_repository(*whose).parsed_data
    protection = rest.repos.get_branch_protection(*whose, "main").parsed_data
    assert protection.required_status_checks
    assert protection.required_status_checks.contexts == ["nomicgit"]
    assert rest.repos.get_pages(*whose).parsed_data.build_type == "workflow"
    [workflow] = rest.actions.list_repo_workflows(*whose).parsed_data.workflows
    assert rest.actions.list_workflow_runs(*whose, workflow.id).parsed_data.total_count == 1


@pytest.mark.slow
def test_events_are_what_its_models_expect(github: FakeGitHub) -> None:
    parse = importlib.import_module("githubkit.webhooks").parse_obj
    pull, issue = a_pull(github), github.issue(github.owner, "Explore", "by a form", ["act"])
    dot = github.user("dot")
    review = github.review(dot, pull, "APPROVED")
    comment = github.comment(dot, issue, "/act explore")
    assert parse("pull_request", github.payload("opened", pull, sender=pull.author)).number == 1
    assert parse("pull_request", github.payload("closed", pull, sender=pull.author)).action == "closed"
    assert parse("issues", github.payload("opened", issue, sender=github.owner)).issue.title == "Explore"
    commented = github.payload("created", issue, sender=dot, comment=comment)
    assert parse("issue_comment", commented).comment.body == "/act explore"
    submitted = github.payload("submitted", pull, sender=dot, review=review)
    assert parse("pull_request_review", submitted).review.state == "approved"
