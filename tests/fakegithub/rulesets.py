"""The fake's rulesets and Apps: laid by the interface, and kept to where somebody pushes or presses Merge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fakegithub import permissions
from fakegithub.things import Account, Refusal
from nomicgit.ground import clock

if TYPE_CHECKING:
    from fakegithub.shapes import Given, Shapes
    from fakegithub.world import World

OF_RUNS = 15368  # the number of the App GitHub Actions, which no repository's ruleset may let pass


def listed(world: World, shapes: Shapes) -> list[Given]:
    """All of them, shortly: anybody may see that they are there."""
    short = ("id", "name", "target", "source_type", "source", "enforcement", "created_at", "updated_at")
    return [{key: each[key] for key in short} for each in world.rulesets.values()]


def one(world: World, who: Account | None, number: int) -> Given:
    """One of them; who may pass it by is for those to see who may change it."""
    if number not in world.rulesets:
        raise Refusal(404, "Not Found")
    sees = world.may(who, "admin") and permissions.may(world.grant, "write", "administration")
    hidden = () if sees else ("bypass_actors",)
    return {key: value for key, value in world.rulesets[number].items() if key not in hidden}


def lay(world: World, who: Account | None, given: Given, number: int = 0) -> Given:
    """Lay one, or say it anew."""
    if not world.may(who, "admin") or "rulesets" in world.settings.get("unseen", ()):
        raise Refusal(403, "Resource not accessible by personal access token", "FORBIDDEN")
    names = {each["name"]: n for n, each in world.rulesets.items()}
    if names.get(given["name"], number) != number:
        raise Refusal(422, "Validation Failed: Name must be unique")
    for actor in given.get("bypass_actors", []):
        if actor["actor_type"] == "Integration" and actor["actor_id"] not in world.apps:
            name = "GitHub Actions" if actor["actor_id"] == OF_RUNS else str(actor["actor_id"])
            raise Refusal(
                422, f"Actor {name} integration must be part of the ruleset source or owner organization"
            )
    number, at = number or 42 + len(world.rulesets), clock.text(world.clock.now)
    filled = [_filled(rule) for rule in given.get("rules", [])]
    world.rulesets[number] = {
        "target": "branch", "conditions": None, "bypass_actors": [], **given, "rules": filled, "id": number,
        "source_type": "Repository", "source": world.repo.full_name, "created_at": at, "updated_at": at,
    }  # fmt: skip
    _keep_to(world)
    return world.rulesets[number]


def _filled(rule: Given) -> Given:
    """A rule as GitHub gives it back: with what was left out."""
    more: dict[str, Given] = {
        "pull_request": {"allowed_merge_methods": ["merge", "squash", "rebase"]},
        "required_status_checks": {"do_not_enforce_on_create": False},
    }
    own = more.get(rule["type"])
    return rule if own is None else {**rule, "parameters": own | rule["parameters"]}


def of_branch(world: World) -> Iterator[Given]:
    """The rules that hold for the default branch, with where they stand."""
    for number, each in world.rulesets.items():
        if each["enforcement"] == "active":
            source = {
                "ruleset_source_type": "Repository",
                "ruleset_source": each["source"],
                "ruleset_id": number,
            }
            yield from ({**rule, **source} for rule in each["rules"])


def contexts(world: World) -> Iterator[str]:
    """The statuses without which nobody merges."""
    for rule in of_branch(world):
        if rule["type"] == "required_status_checks":
            yield from (each["context"] for each in rule["parameters"]["required_status_checks"])


def _keep_to(world: World) -> None:
    """Let only those push to the branch whom the rulesets let pass by, where they ask for a pull request or a status."""
    barred = [
        {actor.get("actor_id") for actor in each["bypass_actors"]}
        for each in world.rulesets.values()
        if each["enforcement"] == "active"
        and {rule["type"] for rule in each["rules"]} & {"pull_request", "required_status_checks"}
    ]
    lines = [
        "refs/heads/main "
        + " ".join(str(account.id) for number, account in world.apps.items() if number in actors)
        for actors in barred
    ]
    (world.repo.path / "protected").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def variable(world: World, who: Account | None, name: str) -> Given:
    """A variable of the workflows."""
    if "variables" in world.settings.get("unseen", ()) or not world.may(who, "write"):
        raise Refusal(403, "Resource not accessible by integration", "FORBIDDEN")
    if name not in world.settings.get("variables", {}):
        raise Refusal(404, "Not Found")
    at = clock.text(world.clock.now)
    return {"name": name, "value": world.settings["variables"][name], "created_at": at, "updated_at": at}


def needs_installation(who: Account | None) -> None:
    """Refuse whoever has no token of an App's installation; that of a run is one."""
    if who is None or who.kind != "Bot":
        said = "You must authenticate with an installation access token in order to list repositories for an installation."
        raise Refusal(403, said, "FORBIDDEN")


def installations(world: World, who: Account | None) -> list[int]:
    """The numbers of the Apps that are installed: for the organization's owners."""
    if "installations" in world.settings.get("unseen", ()) or not world.may(who, "admin"):
        raise Refusal(403, "You must be an admin to view installations.", "FORBIDDEN")
    return sorted(world.apps)


def installation(world: World, shapes: Shapes, number: int) -> Given:
    """An App's installation."""
    slug = world.apps[number].login.removesuffix("[bot]")
    at, api = clock.text(world.owner.at), shapes.at.partition("/repos/")[0]
    may: dict[str, Any] = world.settings.get("app_may", {})
    return {
        "id": 9000 + number, "app_id": number, "app_slug": slug, "target_id": world.owner.id, "target_type": "Organization",
        "account": shapes.user(world.owner), "repository_selection": "selected", "events": [], "single_file_name": None,
        "access_tokens_url": f"{api}/app/installations/{9000 + number}/access_tokens",
        "repositories_url": f"{api}/installation/repositories", "html_url": f"https://github.com/apps/{slug}",
        "permissions": {"metadata": "read", "contents": "write", "issues": "write", "pull_requests": "write", "statuses": "write"} | may,
        "created_at": at, "updated_at": at, "suspended_by": None, "suspended_at": None,
    }  # fmt: skip
