"""The steward's environment on GitHub: it holds the secrets, and gives them to workflows of the game's branch alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from nomicgit.forge.connection import Remote
from nomicgit.steward.trouble import Missing

NAME = "nomicgit"
"""As the steward's workflow names it."""
PROTECTED = "protected branches"
"""Stands for the patterns where the environment has none of its own, and goes by what else protects a branch."""
_POLICIES = "deployment-branch-policies"


class Environment(NamedTuple):
    """Which branches' workflows have its secrets, by their patterns; None where all have."""

    branches: tuple[str, ...] | None


def there(remote: Remote) -> Environment | None:
    """The one of the steward's name; None where none is called so. Forbidden where the token may not see it."""
    try:
        body = remote.wire.get(_path(remote)).body
    except Missing:
        return None
    policy = body.get("deployment_branch_policy") if isinstance(body, dict) else None
    if not isinstance(policy, dict):
        return Environment(None)
    protected = (PROTECTED,) if policy.get("protected_branches") is True else ()
    return Environment((*protected, *_branches(remote)))


def has(remote: Remote, secret: str) -> bool:
    """Whether there is a secret of that name in it; nobody is ever told what it says. Forbidden where the token may not see that."""
    return _is_there(remote, f"{_path(remote)}/secrets/{secret}")


def repository_has(remote: Remote, secret: str) -> bool:
    """Whether the repository itself has such a secret, which workflows of every branch are given."""
    return _is_there(remote, f"{remote.path}/actions/secrets/{secret}")


def lay(remote: Remote, branch: str) -> None:
    """Lay it there, or say anew that this branch has its secrets, and no other that is not named there. Forbidden where the token
    may not.
    """
    custom = {"protected_branches": False, "custom_branch_policies": True}
    remote.wire.put(_path(remote), {"deployment_branch_policy": custom})
    if branch not in _branches(remote):
        remote.wire.post(f"{_path(remote)}/{_POLICIES}", {"name": branch, "type": "branch"}, again=False)


def _path(remote: Remote) -> str:
    return f"{remote.path}/environments/{NAME}"


def _branches(remote: Remote) -> Iterator[str]:
    for page in remote.pages(f"/environments/{NAME}/{_POLICIES}"):
        body = page.body if isinstance(page.body, dict) else {}
        yield from (
            str(each.get("name")) for each in body.get("branch_policies") or () if isinstance(each, dict)
        )


def _is_there(remote: Remote, path: str) -> bool:
    try:
        remote.wire.get(path)
    except Missing:
        return False
    return True
