"""What the fake shows of how its repository is set up. A test sets it in ``github.settings``, by these keys:

``repository`` (what to show otherwise of the repository), ``protection`` (by `World.protect`), ``rules`` (a list of
GitHub's own branch rules), ``pages`` (build type), ``site`` (where it stands), ``actions``, ``workflow_token``,
``fork_approval``, ``workflows`` (path → (state, instant of the last run or None)), ``secrets`` (the names of the
repository's), ``environments`` (name → their ``branches``, None for all, ``protected``: those that are protected, and
``secrets``), ``variables`` (name → value), ``app_may`` (what Apps may more), ``unseen`` (parts that are answered with 403).
"""

from __future__ import annotations

from fakegithub import rulesets
from fakegithub.shapes import Given, Shapes
from fakegithub.things import Account, Refusal
from fakegithub.world import World
from nomicgit.ground import clock

SITE = "https://nomic-club.example/game/"


def needs(world: World, who: Account | None, role: str, part: str) -> None:
    """Refuse what this account, or by the test's will nobody, may see."""
    if part in world.settings.get("unseen", ()) or not world.may(who, role):
        raise Refusal(403, "Resource not accessible by integration", "FORBIDDEN")


def actions(world: World, who: Account | None) -> Given:
    """Whether Actions run."""
    needs(world, who, "admin", "actions")
    return {"enabled": True, "allowed_actions": "all", "sha_pinning_required": False} | _of(world, "actions")


def workflow_token(world: World, who: Account | None) -> Given:
    """What a workflow's token may."""
    needs(world, who, "admin", "workflow_token")
    given = {"default_workflow_permissions": "read", "can_approve_pull_request_reviews": False}
    return given | _of(world, "workflow_token")


def fork_approval(world: World, who: Account | None) -> Given:
    """Whose runs wait for approval."""
    needs(world, who, "admin", "fork_approval")
    return {"approval_policy": world.settings.get("fork_approval", "first_time_contributors")}


def secret(world: World, who: Account | None, name: str) -> Given:
    """A secret of the workflows: that it is there, and never what it says."""
    needs(world, who, "admin", "secrets")
    if name not in world.settings.get("secrets", ()):
        raise Refusal(404, "Not Found")
    at = clock.text(world.clock.now)
    return {"name": name, "created_at": at, "updated_at": at}


def environment(world: World, who: Account | None, shapes: Shapes, name: str) -> Given:
    """An environment of the workflows."""
    needs(world, who, "read", "environments")
    there, at = _environment(world, name), clock.text(world.clock.now)
    protected = bool(there.get("protected"))
    policy = {"protected_branches": protected, "custom_branch_policies": not protected}
    every = there["branches"] is None and not protected
    return {
        "id": 1, "node_id": "EN_1", "name": name, "url": f"{shapes.at}/environments/{name}", "created_at": at, "updated_at": at,
        "html_url": f"{shapes.page}/deployments", "deployment_branch_policy": None if every else policy,
    }  # fmt: skip


def lay_environment(world: World, who: Account | None, shapes: Shapes, given: Given, name: str) -> Given:
    """Make one, or say anew which branches' workflows have it."""
    needs(world, who, "admin", "environments")
    there = world.settings.setdefault("environments", {}).setdefault(name, {"branches": None, "secrets": []})
    custom = (given.get("deployment_branch_policy") or {}).get("custom_branch_policies")
    there["branches"], there["protected"] = (there["branches"] or []) if custom else None, False
    return environment(world, who, shapes, name)


def policies(world: World, who: Account | None, name: str) -> list[Given]:
    """The branches whose workflows an environment lets in."""
    needs(world, who, "read", "environments")
    named = enumerate(_environment(world, name)["branches"] or (), 1)
    return [{"id": n, "node_id": f"P_{n}", "name": branch, "type": "branch"} for n, branch in named]


def name_branch(world: World, who: Account | None, given: Given, name: str) -> Given:
    """Let another branch in, where an environment goes by such names."""
    needs(world, who, "admin", "environments")
    branches = _environment(world, name)["branches"]
    if branches is None:
        raise Refusal(404, "Not Found")
    if given["name"] not in branches:
        branches.append(given["name"])
    return next(each for each in policies(world, who, name) if each["name"] == given["name"])


def environment_secret(world: World, who: Account | None, environment: str, name: str) -> Given:
    """A secret of an environment: that it is there, and never what it says."""
    needs(world, who, "admin", "secrets")
    if name not in _environment(world, environment)["secrets"]:
        raise Refusal(404, "Not Found")
    at = clock.text(world.clock.now)
    return {"name": name, "created_at": at, "updated_at": at}


def _environment(world: World, name: str) -> Given:
    if name not in world.settings.get("environments", {}):
        raise Refusal(404, "Not Found")
    there: Given = world.settings["environments"][name]
    return there


def _of(world: World, part: str) -> Given:
    found: Given = world.settings.get(part, {})
    return found


def protection(world: World, who: Account | None, shapes: Shapes, branch: str) -> Given:
    """A branch's protection."""
    needs(world, who, "admin", "protection")
    given = world.settings.get("protection")
    if given is None or given["branch"] != branch:
        raise Refusal(404, "Branch not protected")
    api = f"{shapes.at}/branches/{branch}/protection"
    contexts = given["contexts"]
    return {
        "url": api,
        "required_status_checks": {
            "url": f"{api}/required_status_checks", "strict": False, "contexts": contexts,
            "contexts_url": f"{api}/required_status_checks/contexts",
            "checks": [{"context": each, "app_id": None} for each in contexts],
        },
        "required_pull_request_reviews": {
            "url": f"{api}/required_pull_request_reviews", "require_code_owner_reviews": False,
            "dismiss_stale_reviews": given.get("dismisses", False), "required_approving_review_count": 0,
        },
        "enforce_admins": {"url": f"{api}/enforce_admins", "enabled": given.get("binds_admins", True)},
        "allow_force_pushes": {"enabled": False},
        "allow_deletions": {"enabled": False},
    }  # fmt: skip


def rules(world: World) -> list[Given]:
    """The rules of rulesets that hold for the branch: anybody may see them."""
    source = {"ruleset_source_type": "Repository", "ruleset_source": world.repo.full_name, "ruleset_id": 42}
    return [*(dict(each) | source for each in world.settings.get("rules", [])), *rulesets.of_branch(world)]


def pages(world: World, who: Account | None, shapes: Shapes) -> Given:
    """The site."""
    if "pages" in world.settings.get("unseen", ()):
        needs(world, who, "admin", "pages")
    if "pages" not in world.settings:
        raise Refusal(404, "Not Found")
    return {
        "url": f"{shapes.at}/pages", "status": "built", "cname": None, "custom_404": False, "public": True,
        "build_type": world.settings["pages"], "html_url": world.settings.get("site", SITE),
        "source": {"branch": "main", "path": "/"},
    }  # fmt: skip


def collaborator(world: World, shapes: Shapes, who: Account) -> Given:
    """Somebody with a role."""
    levels = (
        ("pull", "read"),
        ("triage", "triage"),
        ("push", "write"),
        ("maintain", "maintain"),
        ("admin", "admin"),
    )
    may = {name: world.may(who, level) for name, level in levels}
    return (shapes.user(who) or {}) | {"role_name": world.roles[who.id], "permissions": may}


def workflow(world: World, shapes: Shapes, number: int, path: str) -> Given:
    """A workflow."""
    state, _ = world.settings["workflows"][path]
    return {
        "id": number, "node_id": f"W_{number}", "name": path, "path": path, "state": state,
        "created_at": clock.text(world.owner.at), "updated_at": clock.text(world.owner.at),
        "url": f"{shapes.at}/actions/workflows/{number}", "html_url": f"{shapes.page}/blob/main/{path}",
        "badge_url": f"{shapes.page}/workflows/{number}/badge.svg",
    }  # fmt: skip


def run(world: World, shapes: Shapes, number: int, path: str, at: int) -> Given:
    """A run of a workflow."""
    api = f"{shapes.at}/actions/runs/{number}"
    urls = "jobs logs cancel rerun artifacts check_suite workflow".split()
    return {f"{name}_url": f"{api}/{name}" for name in urls} | {
        "id": number, "node_id": f"WFR_{number}", "head_branch": "main", "run_number": 1, "display_title": path,
        "event": "schedule", "status": "completed", "conclusion": "success", "head_sha": "0" * 40, "path": path,
        "workflow_id": number, "url": api, "html_url": f"{shapes.page}/actions/runs/{number}", "pull_requests": [],
        "created_at": clock.text(at), "updated_at": clock.text(at), "head_commit": None,
        "repository": shapes.repo(world.repo), "head_repository": shapes.repo(world.repo),
    }  # fmt: skip
