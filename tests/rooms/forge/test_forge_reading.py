"""The reader of what the forge gives: whatever is missing, null or of another kind, it is read or told incomplete."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from fakegithub import FakeGitHub, graph
from support.forging import a_pull, client

from nomicgit.forge import parsing, queries
from nomicgit.forge.inspection import Unseen
from nomicgit.forge.parsing import Incomplete
from nomicgit.steward.seen import Issue, Pull
from nomicgit.steward.trouble import Missing

PARTS = ("/actions/permissions", "/actions/permissions/workflow", "/branches/main/protection", "/rules/", "/pages",
         "/labels", "/collaborators", "/actions/workflows")  # fmt: skip


def given(github: FakeGitHub) -> dict[str, Any]:
    """A pull request as GraphQL gives it, with something in every part."""
    pull = a_pull(github)
    ada, dot = github.user("ada", role="write"), github.user("dot")
    github.label(ada, pull, ["pending"])
    github.edit(dot, github.comment(dot, pull, "FOR"), "AGAINST")
    github.dismiss(ada, github.review(dot, pull, "APPROVED"))
    github.commit(pull.author, {"more.md": "other\n"}, branch="more", onto=pull.base_sha)
    github.close(pull.author, pull)
    github.reopen(pull.author, pull)
    variables = {"owner": github.owner.login, "name": github.repo.name}
    found = graph.answer(github, github.steward, {"query": queries.threads([1]), "variables": variables})
    thread: dict[str, Any] = found["data"]["repository"]["t1"]
    return thread


def places(whole: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where every value of it stands."""
    for key in whole if isinstance(whole, dict) else range(len(whole)) if isinstance(whole, list) else ():
        yield (*path, key)
        yield from places(whole[key], (*path, key))


def spoilt(whole: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy in which one value is another; Ellipsis takes it away."""
    made = copy.deepcopy(whole)
    inner = made
    for key in path[:-1]:
        inner = inner[key]
    if value is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return made


@pytest.mark.parametrize("value", [..., None, 5, "five", [], {}, True], ids=repr)
def test_any_field_may_be_missing_or_of_another_kind(github: FakeGitHub, value: object) -> None:
    whole = given(github)
    assert isinstance(parsing.thread(whole), Pull)
    for path in places(whole):
        try:
            found = parsing.thread(spoilt(whole, path, value))
        except Incomplete:
            continue
        assert isinstance(found, Pull | Issue), path


@pytest.mark.parametrize("part", PARTS)
def test_a_setting_of_another_form_is_unseen_and_no_guess(github: FakeGitHub, part: str) -> None:
    path = f"GET /repos/{github.repo.full_name}{part}"
    with client(github, github.user("ada", role="admin")) as forge:
        bodies: list[object] = [{}, b"null", "text", 5]
        for body in bodies:
            github.fail(200, path if part == "/rules/" else f"{path} ", body=body)
            seen = forge.settings()
            assert [isinstance(getattr(seen, name), Unseen) for name in seen.__struct_fields__].count(
                True
            ) == 1, body


def test_a_repository_of_another_form_is_told(github: FakeGitHub) -> None:
    github.fail(200, "GET ", body={})
    with client(github) as forge, pytest.raises(Missing, match="do not understand"):
        forge.settings()
