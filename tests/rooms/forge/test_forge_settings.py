"""How a repository is set up, as far as a token sees it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakegithub import Account, FakeGitHub

from nomicgit.forge.environment import PROTECTED, Environment
from nomicgit.forge.github import GitHub
from nomicgit.forge.inspection import (
    Actions,
    Pages,
    Protection,
    Rule,
    Settings,
    Unseen,
    Workflow,
    WorkflowToken,
)
from nomicgit.steward.trouble import Missing


@pytest.fixture
def github(tmp_path: Path) -> Iterator[FakeGitHub]:
    """A forge with an empty repository."""
    with FakeGitHub(tmp_path / "forge") as forge:
        yield forge


def settings(github: FakeGitHub, who: Account, repository: str = "") -> Settings:
    with GitHub(
        repository or github.repo.full_name,
        github.token(who),
        api=github.url,
        wait=github.wait,
        now=github.time,
    ) as forge:
        return forge.settings()


def test_all_of_it_is_seen_by_an_admin(github: FakeGitHub) -> None:
    ada = github.user("ada", role="admin")
    github.protect("main", ["nomicgit"], but=[github.steward])
    github.settings |= {
        "pages": "workflow",
        "rules": [{"type": "non_fast_forward"}],
        "workflows": {".github/workflows/steward.yml": ("active", github.clock.now)},
        "environments": {"nomicgit": {"branches": ["main"], "secrets": ["NOMICGIT_KEY"]}},
    }
    github.make_label("pending")
    seen = settings(github, ada)
    assert (seen.full_name, seen.branch, seen.of_organization) == ("nomic-club/game", "main", True)
    assert seen.token_may == frozenset({"pull", "triage", "push", "maintain", "admin"})
    assert seen.actions == Actions(enabled=True, allowed="all")
    assert seen.workflow_token == WorkflowToken("read", may_approve=False)
    assert seen.fork_approval == "first_time_contributors"
    assert seen.environment == Environment(("main",))
    assert (seen.has_key, seen.all_have_key) == (True, False)
    assert seen.protection == Protection(("nomicgit",), True, False, True, False, False)
    assert seen.rules == (Rule("non_fast_forward"),)
    assert seen.pages == Pages("workflow", "https://nomic-club.example/game/")
    assert seen.labels == ("pending",)
    assert seen.workflows == (Workflow(".github/workflows/steward.yml", "active", github.clock.now),)


def test_required_statuses_of_a_ruleset(github: FakeGitHub) -> None:
    checks = {
        "strict_required_status_checks_policy": False,
        "required_status_checks": [{"context": "nomicgit"}],
    }
    github.settings["rules"] = [{"type": "required_status_checks", "parameters": checks}]
    assert settings(github, github.steward).rules == (Rule("required_status_checks", ("nomicgit",)),)


def test_roles_of_collaborators(github: FakeGitHub) -> None:
    github.user("ada", role="admin")
    github.user("cy", role="read")
    github.user("passerby")
    found = settings(github, github.steward).collaborators
    assert not isinstance(found, Unseen)
    assert [(each.person.login, each.role, each.may_push) for each in found] == [
        ("github-actions[bot]", "write", True),
        ("ada", "admin", True),
        ("cy", "read", False),
    ]


@pytest.mark.slow
def test_what_the_token_may_not_see_is_unseen(github: FakeGitHub) -> None:
    seen = settings(github, github.steward)
    assert isinstance(seen.actions, Unseen)
    assert "403" in seen.actions.why
    assert isinstance(seen.protection, Unseen)
    assert seen.pages is None


def test_no_protection_is_seen_as_none(github: FakeGitHub) -> None:
    assert settings(github, github.user("ada", role="admin")).protection is None


def test_scopes_of_a_classic_token(github: FakeGitHub) -> None:
    github.scopes = "repo, workflow"
    assert settings(github, github.steward).scopes == frozenset({"repo", "workflow"})


def test_a_repository_that_is_not_there(github: FakeGitHub) -> None:
    with pytest.raises(Missing, match="nomic-club/other"):
        settings(github, github.steward, "nomic-club/other")


@pytest.mark.parametrize(
    ("laid", "seen"),
    [
        ({"branches": None}, Environment(None)),
        ({"branches": []}, Environment(())),
        ({"branches": ["main", "feature/*"]}, Environment(("main", "feature/*"))),
        ({"branches": None, "protected": True}, Environment((PROTECTED,))),
        (None, None),
    ],
)
def test_an_environment_is_for_the_branches_that_it_names(
    github: FakeGitHub, laid: dict[str, object] | None, seen: Environment | None
) -> None:
    """Whatever it was for, once it is laid it is for those it names and the game's, which stands there once."""
    github.settings["environments"] = {"nomicgit": {"secrets": [], **laid}} if laid is not None else {}
    ada = github.user("ada", role="admin")
    assert settings(github, ada).environment == seen
    named = [each for each in (seen.branches or ()) if each != PROTECTED] if seen is not None else []
    for _ in range(2):
        with GitHub(
            github.repo.full_name, github.token(ada), api=github.url, wait=github.wait, now=github.time
        ) as forge:
            forge.lay_environment("main")
        whose = dict.fromkeys([*named, "main"])
        assert settings(github, ada).environment == Environment(tuple(whose))
    assert [each.method for each in github.asked("rest") if each.path.endswith("-policies")].count(
        "POST"
    ) == (0 if "main" in named else 1)


@pytest.mark.parametrize("of", ["environment", "repository"])
def test_whether_a_secret_is_there_is_seen_and_where(github: FakeGitHub, of: str) -> None:
    ada = github.user("ada", role="admin")
    assert (settings(github, ada).has_key, settings(github, ada).all_have_key) == (False, False)
    mine = ["NOMICGIT_KEY"]
    github.settings["environments"] = {
        "nomicgit": {"branches": ["main"], "secrets": mine if of == "environment" else []}
    }
    github.settings["secrets"] = mine if of == "repository" else []
    seen = settings(github, ada)
    assert (seen.has_key, seen.all_have_key) == (of == "environment", of == "repository")
