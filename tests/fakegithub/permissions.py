"""What a token must be permitted for each operation, as GitHub publishes it, and refusals of what it is not.

From GitHub's page *Permissions required for fine-grained personal access tokens* (docs.github.com; the list behind it stands in
github/docs, ``src/github-apps/data``), and of ``fork-pr-contributor-approval`` from the page of that operation. Of several
permissions each is enough by itself. For GraphQL GitHub publishes no such list: there a thread's own permission is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping

from fakegithub import contract
from fakegithub.things import Refusal

Grant = Mapping[str, str]
"""What a token may: ``read`` or ``write``, by permission; ``metadata`` comes with each."""
SAID = "Resource not accessible by personal access token"

_ISSUES_OR_PULLS = ("issues", "pull_requests")
READS: Mapping[str, tuple[str, ...]] = {
    "repos/get": ("metadata",),
    "repos/get-branch-rules": ("metadata",),
    "repos/get-repo-rulesets": ("metadata",),
    "repos/get-repo-ruleset": ("metadata",),
    "repos/list-collaborators": ("metadata",),
    "issues/list-for-repo": ("issues",),
    "issues/list-comments-for-repo": _ISSUES_OR_PULLS,
    "issues/list-labels-for-repo": _ISSUES_OR_PULLS,
    "actions/get-github-actions-permissions-repository": ("administration",),
    "actions/get-github-actions-default-workflow-permissions-repository": ("administration",),
    "actions/get-fork-pr-contributor-approval-permissions-repository": ("administration",),
    "repos/get-branch-protection": ("administration",),
    "actions/list-repo-workflows": ("actions",),
    "actions/list-workflow-runs": ("actions",),
    "actions/get-repo-secret": ("secrets",),
    "actions/get-environment-secret": ("environments",),
    "repos/get-environment": ("actions",),
    "repos/list-deployment-branch-policies": ("actions",),
    "actions/get-repo-variable": ("actions_variables",),
    "repos/get-pages": ("pages",),
    "orgs/list-app-installations": ("organization_administration",),
}
"""The permissions to read, by the name of the operation."""
WRITES: Mapping[str, tuple[str, ...]] = {
    "issues/create": ("issues",),
    "repos/create-commit-status": ("statuses",),
    "repos/create-repo-ruleset": ("administration",),
    "repos/update-repo-ruleset": ("administration",),
    "repos/create-or-update-environment": ("administration",),
    "repos/create-deployment-branch-policy": ("administration",),
}
"""The permissions to write, by the name of the operation."""
OF_INSTALLATIONS = ("apps/list-repos-accessible-to-installation",)
"""Operations that take no such token at all, whatever it may."""


def may(grant: Grant | None, level: str, *permissions: str) -> bool:
    """Whether a token may read, or write, by one of these permissions; one of which nothing is told may all."""
    enough = ("write",) if level == "write" else ("read", "write")
    return grant is None or any({**grant, "metadata": "read"}.get(each) in enough for each in permissions)


def need(grant: Grant | None, level: str, *permissions: str) -> None:
    """Refuse what a token may not."""
    if not may(grant, level, *permissions):
        raise Refusal(403, SAID, "FORBIDDEN")


def check(grant: Grant | None, method: str, path: str) -> None:
    """Refuse an operation of the REST interface that a token may not; a KeyError for one of which nothing is known."""
    if grant is None or (name := contract.named(method, path)) is None:
        return
    if name in OF_INSTALLATIONS:
        raise Refusal(403, SAID, "FORBIDDEN")
    if method == "GET":
        need(grant, "read", *READS[name])
    else:
        need(grant, "write", *WRITES[name])
