"""The fake forge itself: real Git behind it, GitHub's rules, and its descriptions kept."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from fakegithub import FakeGitHub, Refusal
from fakegithub.contract import Exchange, description, faults
from fakegithub.graph import nodes_of, schema
from graphql import build_schema, parse, validate
from support.forging import a_pull
from support.places import TESTS

from nomicgit.forge import queries
from nomicgit.forge.queries import Mutation, Part

Git = Callable[..., str]
TEXTS = {
    "threads": queries.threads(range(1, 51)),
    "pages": queries.pages(list(Part) * 10),
    "labels": queries.LABELS,
    "viewer": queries.WHO,
    "mutations": queries.mutations(list(Mutation)),
}


@pytest.mark.parametrize("name", TEXTS)
def test_our_queries_are_lawful_by_githubs_schema(name: str) -> None:
    assert validate(schema(), parse(TEXTS[name])) == []


def test_a_query_for_what_is_not_there_is_found_out() -> None:
    wrong = TEXTS["threads"].replace("headRefOid", "headOid")
    assert ["headOid" in str(each) for each in validate(schema(), parse(wrong))] == [True]


@pytest.mark.parametrize("name", ["threads", "pages"])
def test_our_queries_ask_for_no_more_nodes_than_github_gives(name: str) -> None:
    assert nodes_of(parse(TEXTS[name])) <= 50_000


def test_the_slices_are_whole() -> None:
    here = TESTS / "fakegithub"
    assert build_schema((here / "schema.graphql").read_text(encoding="utf-8"))
    assert description()["info"]["version"] == "23.0.2"
    assert (here / "openapi.json").stat().st_size < 400_000


# The contract: what is wrong is found


def a_comment(github: FakeGitHub) -> Any:
    issue = github.issue(github.owner, "Talk")
    github.comment(github.owner, issue, "hello")
    return ask(github, "GET", "/issues/1/comments").json()


def ask(github: FakeGitHub, method: str, path: str, who: Any = None, **body: Any) -> httpx.Response:
    address = f"{github.url}/repos/{github.repo.full_name}{path}"
    headers = {"Authorization": f"Bearer {github.token(who or github.steward)}"}
    return httpx.request(method, address, headers=headers, json=body or None)


def exchange(answered: Any, status: int = 200, query: str = "") -> Exchange:
    return Exchange("GET", "/repos/nomic-club/game/issues/1/comments", query, None, status, answered)


def test_an_answer_as_github_gives_it_is_let_pass(github: FakeGitHub) -> None:
    assert list(faults(exchange(a_comment(github)))) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"node_id": None}, "node_id"),
        ({"created_at": 5}, "created_at"),
        ({"author_association": "FRIEND"}, "author_association"),
        ({"user": "cy"}, "user"),
    ],
)
def test_a_wrong_field_is_found(github: FakeGitHub, change: dict[str, Any], said: str) -> None:
    [comment] = a_comment(github)
    found = list(faults(exchange([comment | change])))
    assert found
    assert all(said in each for each in found)


def test_a_field_that_is_left_out_is_found(github: FakeGitHub) -> None:
    [comment] = a_comment(github)
    del comment["issue_url"]
    assert ["issue_url" in each for each in faults(exchange([comment]))] == [True]


def test_an_undeclared_success_and_parameter_are_found(github: FakeGitHub) -> None:
    comments = a_comment(github)
    assert ["206" in each for each in faults(exchange(comments, status=206))] == [True]
    assert ["colour" in each for each in faults(exchange(comments, query="colour=red"))] == [True]
    assert list(faults(exchange({"message": "teapot"}, status=418))) == []


def test_null_is_let_pass_where_github_sends_it() -> None:
    assert "null" in json.dumps(description()["components"]["schemas"]["issue"]["properties"]["state_reason"])


def test_leaving_a_forge_that_broke_the_contract_fails(tmp_path: Path) -> None:
    def play() -> None:
        with FakeGitHub(tmp_path / "forge") as github:
            github.settings["repository"] = {"default_branch": 5}
            ask(github, "GET", "")

    with pytest.raises(AssertionError, match="default_branch"):
        play()


# Git


@pytest.mark.slow
def test_a_clone_a_push_to_a_fork_and_a_fetch_of_the_pull_request(
    github: FakeGitHub, git: Git, tmp_path: Path
) -> None:
    cy = github.user("cy")
    fork = github.fork(cy)
    git("clone", "-q", github.git_url(fork, cy), "clone")
    clone = tmp_path / "clone"
    git("checkout", "-q", "-b", "more", cwd=clone)
    (clone / "more.md").write_text("more\n", encoding="utf-8")
    git("add", "more.md", cwd=clone)
    git("commit", "-q", "-m", "more", cwd=clone)
    git("push", "-q", "origin", "more", cwd=clone)
    pull = github.open_pull(cy, head="more")
    git("fetch", "-q", github.git_url(), "refs/pull/1/head", cwd=clone)
    assert (
        git("rev-parse", "FETCH_HEAD", cwd=clone).strip()
        == pull.head_sha
        == git("rev-parse", "HEAD", cwd=clone).strip()
    )


def push(git: Git, address: str, what: str, cwd: Path) -> str:
    done = subprocess.run(["git", "push", address, what], cwd=cwd, capture_output=True, check=False)
    return "" if done.returncode == 0 else done.stderr.decode()


@pytest.fixture
def clone(github: FakeGitHub, git: Git, tmp_path: Path) -> Path:
    """A clone of the game's repository, one commit ahead."""
    git("clone", "-q", github.git_url(), "clone")
    git("commit", "-q", "--allow-empty", "-m", "ahead", cwd=tmp_path / "clone")
    return tmp_path / "clone"


def test_only_who_may_write_pushes(github: FakeGitHub, git: Git, clone: Path) -> None:
    assert "403" in push(git, github.git_url(who=github.user("dot")), "main", clone)
    assert push(git, github.git_url(), "main", clone)
    assert push(git, github.git_url(who=github.steward), "main", clone) == ""


def test_nobody_pushes_to_the_refs_of_pull_requests(github: FakeGitHub, git: Git, clone: Path) -> None:
    a_pull(github)
    assert "hidden ref" in push(git, github.git_url(who=github.steward), "+main:refs/pull/1/head", clone)


@pytest.mark.slow
def test_a_protected_branch_takes_pushes_of_its_exceptions_only(
    github: FakeGitHub, git: Git, clone: Path
) -> None:
    github.protect("main", ["nomicgit"], but=[github.steward])
    assert "GH006" in push(git, github.git_url(who=github.user("ada", role="admin")), "main", clone)
    assert push(git, github.git_url(who=github.steward), "main", clone) == ""


def test_what_is_pushed_is_checked(github: FakeGitHub, git: Git, clone: Path) -> None:
    blob = git("hash-object", "-w", "--stdin", cwd=clone, given=b"x").strip()
    tree = git("mktree", cwd=clone, given=f"100644 blob {blob}\t.git\n".encode()).strip()
    made = git("commit-tree", tree, "-m", "bad", cwd=clone).strip()
    assert "fsck" in push(git, github.git_url(who=github.steward), f"{made}:refs/heads/bad", clone)


@pytest.mark.slow
def test_a_pull_request_is_merged_when_its_head_is_reached_by_a_push(
    github: FakeGitHub, git: Git, clone: Path
) -> None:
    pull, other = a_pull(github), a_pull(github, branch="other")
    git("fetch", "-q", github.git_url(), "refs/pull/1/head", cwd=clone)
    git("merge", "-q", "--no-ff", "-m", "enacted", "FETCH_HEAD", cwd=clone)
    assert push(git, github.git_url(who=github.steward), "main", clone) == ""
    assert (pull.merged, pull.state, pull.merged_by) == (True, "closed", github.steward)
    assert other.state == "open"


def test_a_push_whose_answer_is_lost_has_been_taken(github: FakeGitHub, git: Git, clone: Path) -> None:
    github.fail(502, "git-receive-pack", lost=True)
    assert "502" in push(git, github.git_url(who=github.steward), "main", clone)
    assert github.repo.refs["main"] == git("rev-parse", "HEAD", cwd=clone).strip()


def test_mergeability_is_worked_out_after_it_was_asked_for(github: FakeGitHub) -> None:
    a_pull(github)
    assert ask(github, "GET", "/pulls/1").json()["mergeable"] is None
    assert ask(github, "GET", "/pulls/1").json()["mergeable"] is True


def test_a_pull_request_that_conflicts_has_no_merge_ref(github: FakeGitHub) -> None:
    pull = a_pull(github)
    github.commit(github.owner, {"more.md": "something else\n"})
    assert github.settle(pull) is False
    with pytest.raises(Refusal, match="not mergeable"):
        github.merge(github.steward, pull)


def test_the_merge_button_waits_for_the_required_status(github: FakeGitHub) -> None:
    pull = a_pull(github)
    github.protect("main", ["nomicgit"])
    assert ask(github, "PUT", "/pulls/1/merge").status_code == 405
    github.set_status(github.steward, pull.head_sha, "success", "nomicgit", "", None)
    assert ask(github, "PUT", "/pulls/1/merge").json()["merged"] is True


def test_deleting_the_branch_closes_the_pull_request(github: FakeGitHub, git: Git, clone: Path) -> None:
    pull = a_pull(github)
    assert pull.head is not None
    assert push(git, github.git_url(pull.head, pull.author), ":more", clone) == ""
    assert pull.state == "closed"


# People


def test_nobody_approves_their_own(github: FakeGitHub) -> None:
    pull = a_pull(github)
    found = ask(github, "POST", "/pulls/1/reviews", pull.author, event="APPROVE")
    assert (found.status_code, found.json()["message"]) == (422, "Can not approve your own pull request")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PATCH", "/issues/1", {"state": "closed"}),
        ("PATCH", "/issues/1", {"body": "other"}),
        ("PUT", "/pulls/1/merge", {}),
    ],
)
def test_without_a_role_what_belongs_to_others_is_closed(
    github: FakeGitHub, method: str, path: str, body: dict[str, str]
) -> None:
    a_pull(github)
    assert ask(github, method, path, github.user("dot"), **body).status_code == 403


@pytest.mark.slow
def test_labels_without_a_role_are_dropped_in_silence(github: FakeGitHub) -> None:
    dot = github.user("dot")
    assert ask(github, "POST", "/issues", dot, title="Hello", labels=["act"]).json()["labels"] == []
    assert github.issue(dot, "By a form", labels=["act"]).labels == ["act"]


def test_an_event_tells_what_happened(github: FakeGitHub) -> None:
    pull = a_pull(github)
    review = github.review(github.user("dot"), pull, "APPROVED")
    found = github.payload("submitted", pull, sender=review.author, review=review)
    assert (found["review"]["state"], found["sender"]["login"]) == ("approved", "dot")
    assert found["pull_request"]["head"]["sha"] == pull.head_sha
    comment = github.comment(pull.author, pull, "FOR")
    assert "pull_request" in github.payload("created", pull, sender=pull.author, comment=comment)["issue"]
