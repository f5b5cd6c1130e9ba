"""How a repository is set up, as far as a token sees it. What it may not see is `Unseen`, never a guess."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from msgspec import Struct

from nomicgit.forge import barrier, environment
from nomicgit.forge.apps import App, app_of
from nomicgit.forge.barrier import Barrier
from nomicgit.forge.connection import Remote
from nomicgit.forge.environment import Environment
from nomicgit.ground import clock
from nomicgit.ground.problems import Malformed
from nomicgit.steward.seen import Person
from nomicgit.steward.trouble import Forbidden, Missing

_T = TypeVar("_T")
KEY = "NOMICGIT_KEY"
_FORKS = "fork-pr-contributor-approval"


class Unseen(Struct, frozen=True):
    """The token may not see this, or the forge did not give it; ``why`` is what the forge said."""

    why: str


class Actions(Struct, frozen=True):
    """GitHub Actions: whether they run, and which actions may be used (``all``, ``local_only``, ``selected``)."""

    enabled: bool
    allowed: str


class WorkflowToken(Struct, frozen=True):
    """What a workflow's token may by default (``read`` or ``write``), and whether it may approve pull requests."""

    default: str
    may_approve: bool


class Protection(Struct, frozen=True):
    """A branch's protection. ``contexts``: the statuses that must stand before a merge.

    ``pull_required``: nobody pushes but through a pull request; ``dismisses``: a push takes approvals back.
    """

    contexts: tuple[str, ...]
    pull_required: bool
    dismisses: bool
    binds_admins: bool
    force_pushes: bool
    deletions: bool


class Rule(Struct, frozen=True):
    """A rule of a ruleset that holds for the branch; ``kind`` is GitHub's name for it, as ``pull_request``.

    ``contexts``: the statuses that must stand, of the kind ``required_status_checks``.
    """

    kind: str
    contexts: tuple[str, ...] = ()
    dismisses: bool = False


class Pages(Struct, frozen=True):
    """The site: how it is built (``workflow`` or ``legacy``) and where it is shown."""

    build: str
    url: str


class Collaborator(Struct, frozen=True):
    """Somebody with a role in the repository: read, triage, write, maintain, admin, or an organization's own."""

    person: Person
    role: str
    may_push: bool


class Workflow(Struct, frozen=True):
    """A workflow; ``state`` is ``active``, ``disabled_inactivity`` or the like. ``ran_at``: its last run, if any."""

    path: str
    state: str
    ran_at: int | None


class Settings(Struct, frozen=True):
    """A repository's settings.

    ``token_may`` are the levels that the token has (pull, triage, push, maintain, admin), None where the forge does
    not tell; ``scopes`` those of a classic token, None for all others. ``fork_approval``: whose workflow runs from
    forks wait for approval. ``protection`` and ``pages`` are None where there are none. ``environment`` is
    the steward's, None where there is none; ``has_key``: whether it has a secret for a game's key, and ``all_have_key`` whether the
    repository itself does. ``app`` is what pushes for the steward, None where nothing does but a run's own token. ``barrier`` is
    the ruleset that is called as ours, None where none is.
    """

    full_name: str
    id: int
    branch: str
    of_organization: bool
    private: bool
    archived: bool
    issues: bool
    token_may: frozenset[str] | None
    scopes: frozenset[str] | None
    actions: Actions | Unseen
    workflow_token: WorkflowToken | Unseen
    fork_approval: str | Unseen
    protection: Protection | Unseen | None
    rules: tuple[Rule, ...] | Unseen
    pages: Pages | Unseen | None
    labels: tuple[str, ...] | Unseen
    collaborators: tuple[Collaborator, ...] | Unseen
    workflows: tuple[Workflow, ...] | Unseen
    environment: Environment | Unseen | None
    has_key: bool | Unseen
    all_have_key: bool | Unseen
    app: App | Unseen | None
    barrier: Barrier | Unseen | None


def settings(remote: Remote) -> Settings:
    """Look at everything. Raises Trouble where the repository itself is not to be seen."""
    answer = remote.wire.get(remote.path)
    repository = _mapping(answer.body)
    if not repository.get("default_branch"):
        raise _strange(remote.path)
    branch = str(repository["default_branch"])
    scopes = answer.headers.get("x-oauth-scopes")
    may = repository.get("permissions")
    actions = f"{remote.path}/actions"
    organized = _mapping(repository.get("owner")).get("type") == "Organization"
    return Settings(
        full_name=str(repository.get("full_name") or f"{remote.owner}/{remote.name}"),
        id=int(repository.get("id") or 0),
        branch=branch,
        of_organization=organized,
        private=repository.get("private") is True,
        archived=repository.get("archived") is True,
        issues=repository.get("has_issues") is not False,
        token_may=frozenset(key for key, has in may.items() if has) if isinstance(may, dict) else None,
        scopes=None if scopes is None else frozenset(filter(None, scopes.replace(" ", "").split(","))),
        actions=_seen(lambda: _actions(_get(remote, f"{actions}/permissions", "enabled"))),
        workflow_token=_seen(
            lambda: _workflow_token(
                _get(remote, f"{actions}/permissions/workflow", "default_workflow_permissions")
            )
        ),
        fork_approval=_seen(
            lambda: str(_get(remote, f"{actions}/permissions/{_FORKS}", "approval_policy")["approval_policy"])
        ),
        protection=_protection(remote, branch),
        rules=_seen(lambda: tuple(_rules(remote, branch))),
        pages=_pages(remote),
        labels=_seen(lambda: tuple(str(each.get("name")) for each in _all(remote, "/labels"))),
        collaborators=_seen(lambda: tuple(_collaborators(remote))),
        workflows=_seen(lambda: tuple(_workflows(remote))),
        environment=_seen(lambda: environment.there(remote)),
        has_key=_seen(lambda: environment.has(remote, KEY)),
        all_have_key=_seen(lambda: environment.repository_has(remote, KEY)),
        app=_seen(lambda: app_of(remote, organization=organized)),
        barrier=_seen(lambda: barrier.laid(remote)),
    )


def _seen(look: Callable[[], _T]) -> _T | Unseen:
    try:
        return look()
    except (Forbidden, Missing) as error:
        return Unseen(error.problems[0].what)


def _get(remote: Remote, path: str, *needed: str) -> Mapping[str, object]:
    """What stands at a path. Missing where it is not what it should be, or lacks what is needed of it."""
    body = remote.wire.get(path).body
    if not isinstance(body, dict) or not body or not all(key in body for key in needed):
        raise _strange(path)
    return body


def _strange(path: str) -> Missing:
    return Missing.with_status(
        f"{path}: the forge gave something that we do not understand", 200, "try again later"
    )


def _mapping(body: object) -> Mapping[str, Any]:
    return body if isinstance(body, dict) else {}


def _listed(body: object) -> list[object]:
    return body if isinstance(body, list) else []


def _all(remote: Remote, path: str, within: str = "") -> Iterator[Mapping[str, Any]]:
    """All members of a list, or of the list ``within`` the answers. Missing where there is no list."""
    for page in remote.pages(path):
        members = _mapping(page.body).get(within) if within else page.body
        if not isinstance(members, list):
            raise _strange(remote.path + path)
        yield from (each for each in members if isinstance(each, dict))


def _actions(body: Mapping[str, object]) -> Actions:
    return Actions(body.get("enabled") is True, str(body.get("allowed_actions") or ""))


def _workflow_token(body: Mapping[str, object]) -> WorkflowToken:
    default = str(body.get("default_workflow_permissions") or "")
    return WorkflowToken(default, body.get("can_approve_pull_request_reviews") is True)


def _protection(remote: Remote, branch: str) -> Protection | Unseen | None:
    try:
        body = _get(remote, f"{remote.path}/branches/{branch}/protection")
    except Missing as error:
        what = error.problems[0].what
        return None if "not protected" in what.lower() else Unseen(what)
    except Forbidden as error:
        return Unseen(error.problems[0].what)
    reviews = body.get("required_pull_request_reviews")
    checks = _mapping(body.get("required_status_checks"))
    named = [str(each.get("context")) for each in _listed(checks.get("checks")) if isinstance(each, dict)]
    return Protection(
        contexts=tuple(named or map(str, _listed(checks.get("contexts")))),
        pull_required=isinstance(reviews, dict),
        dismisses=_mapping(reviews).get("dismiss_stale_reviews") is True,
        binds_admins=_enabled(body, "enforce_admins"),
        force_pushes=_enabled(body, "allow_force_pushes"),
        deletions=_enabled(body, "allow_deletions"),
    )


def _enabled(body: Mapping[str, object], key: str) -> bool:
    return _mapping(body.get(key)).get("enabled") is True


def _rules(remote: Remote, branch: str) -> Iterator[Rule]:
    for each in _all(remote, f"/rules/branches/{branch}"):
        given = _mapping(each.get("parameters"))
        checks = given.get("required_status_checks")
        contexts = tuple(str(check.get("context")) for check in _listed(checks) if isinstance(check, dict))
        dismisses = given.get("dismiss_stale_reviews_on_push") is True
        yield Rule(str(each.get("type") or ""), contexts, dismisses)


def _pages(remote: Remote) -> Pages | Unseen | None:
    try:
        body = _get(remote, f"{remote.path}/pages", "url")
    except Missing as error:
        return None if error.status == 404 else Unseen(error.problems[0].what)
    except Forbidden as error:
        return Unseen(error.problems[0].what)
    return Pages(str(body.get("build_type") or ""), str(body.get("html_url") or ""))


def _collaborators(remote: Remote) -> Iterator[Collaborator]:
    for each in _all(remote, "/collaborators"):
        if isinstance(each.get("id"), int):
            person = Person(each["id"], str(each.get("login") or ""), each.get("type") == "Bot")
            may_push = _mapping(each.get("permissions")).get("push") is True
            yield Collaborator(person, str(each.get("role_name") or ""), may_push)


def _workflows(remote: Remote) -> Iterator[Workflow]:
    for each in _all(remote, "/actions/workflows", "workflows"):
        runs = f"{remote.path}/actions/workflows/{each.get('id')}/runs"
        last = _get(remote, f"{runs}?per_page=1", "workflow_runs")["workflow_runs"]
        yield Workflow(str(each.get("path") or ""), str(each.get("state") or ""), _moment(last))


def _moment(runs: object) -> int | None:
    if not isinstance(runs, list) or not runs:
        return None
    try:
        return clock.instant(str(_mapping(runs[0]).get("created_at")))
    except Malformed:
        return None
