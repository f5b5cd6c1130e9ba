"""The fake's REST interface: routes, pages, marks (ETags) and deeds."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fakegithub import gitside, rulesets, setup
from fakegithub.shapes import Given, Shapes
from fakegithub.things import Account, Comment, Pull, Refusal, Thread
from fakegithub.world import World
from nomicgit.ground import clock


@dataclass(frozen=True, slots=True)
class Call:
    """One request: by whom (None: nobody known), with what; ``page`` is the most that a page may hold."""

    world: World
    who: Account | None
    method: str
    path: str
    query: Mapping[str, str]
    body: Any
    headers: Mapping[str, str]
    url: str
    page: int

    @property
    def shapes(self) -> Shapes:
        """What the world looks like to it."""
        return Shapes(self.world, self.url)

    @property
    def actor(self) -> Account:
        """By whom it is. Refused where nobody is known."""
        if self.who is None:
            raise Refusal(401, "Requires authentication")
        return self.who

    def given(self, name: str) -> str:
        """A text of the body."""
        return str((self.body or {}).get(name) or "")


@dataclass(frozen=True, slots=True)
class Listed:
    """A list, which is given in pages."""

    members: Sequence[Any]
    shown: Callable[[Any], Given]
    within: str = ""


Found = tuple[int, Any] | Listed
Route = Callable[..., Found]


def answer(call: Call) -> tuple[int, Any, dict[str, str]]:
    """Carry out a call: its status, body and further headers. Raises Refusal."""
    if call.who is None and call.headers.get("authorization"):
        raise Refusal(401, "Bad credentials")
    inner = call.path.removeprefix(f"/repos/{call.world.repo.full_name}")
    former = call.path.removeprefix(f"/repos/{call.world.former or '-'}")
    if former != call.path:
        asked = "&".join(f"{key}={value}" for key, value in call.query.items())
        place = f"{call.url}/repositories/1{former}" + (f"?{asked}" if asked else "")
        status = 301 if call.method == "GET" else 307
        return status, {"message": "Moved Permanently", "url": place}, {"Location": place}
    if call.path == f"/orgs/{call.world.owner.login}/installations" and call.method == "GET":
        return _page(call, _installations(call))
    if call.path == "/installation/repositories" and call.method == "GET":
        return _page(call, _of_installation(call))
    if inner == call.path:
        raise Refusal(404, "Not Found")
    for method, pattern, route in _ROUTES:
        if method == call.method and (fits := re.fullmatch(pattern, inner)):
            found = route(call, *fits.groups())
            if isinstance(found, Listed):
                return _page(call, found)
            return (*found, {})
    raise Refusal(404, "Not Found")


def _page(call: Call, found: Listed) -> tuple[int, Any, dict[str, str]]:
    size = min(int(call.query.get("per_page", "30")), 100, call.page)
    number = int(call.query.get("page", "1"))
    shown: Any = [found.shown(each) for each in found.members[(number - 1) * size : number * size]]
    if found.within:
        shown = {"total_count": len(found.members), found.within: shown}
    whose = call.headers.get("authorization", "")  # GitHub's marks are another for every token
    mark = f'W/"{hashlib.sha256(json.dumps([whose, shown], sort_keys=True).encode()).hexdigest()}"'
    more = {"ETag": mark}
    if number * size < len(found.members):
        kept = "&".join(f"{key}={value}" for key, value in call.query.items() if key != "page")
        more["Link"] = f'<{call.url}{call.path}?{kept}&page={number + 1}>; rel="next"'
    if call.headers.get("if-none-match") == mark:
        return 304, None, more
    return 200, shown, more


def _thread(call: Call, number: str) -> Thread:
    if int(number) not in call.world.threads:
        raise Refusal(404, "Not Found")
    return call.world.threads[int(number)]


def _pull(call: Call, number: str) -> Pull:
    found = _thread(call, number)
    if not isinstance(found, Pull):
        raise Refusal(404, "Not Found")
    return found


def _comment(call: Call, ident: str) -> Comment:
    for thread in call.world.threads.values():
        for each in thread.comments:
            if each.id == int(ident):
                return each
    raise Refusal(404, "Not Found")


def _since(call: Call) -> int:
    return clock.instant(call.query["since"]) if "since" in call.query else 0


def _sorted(call: Call, found: list[Any]) -> list[Any]:
    key = "updated_at" if call.query.get("sort") == "updated" else "at"
    falling = call.query.get("direction", "desc") == "desc"
    return sorted(found, key=lambda each: (getattr(each, key), getattr(each, "number", 0)), reverse=falling)


def _issues(call: Call) -> Found:
    state, since = call.query.get("state", "open"), _since(call)
    found = [t for t in call.world.threads.values() if state in ("all", t.state) and t.updated_at >= since]
    return Listed(_sorted(call, found), call.shapes.issue)


def _open_issue(call: Call) -> Found:
    labels = call.body.get("labels", []) if call.world.may(call.actor, "triage") else []
    return 201, call.shapes.issue(
        call.world.issue(call.actor, call.given("title"), call.given("body"), labels)
    )


def _change(call: Call, number: str) -> Found:
    thread = _thread(call, number)
    _reworded(call, thread)
    return 200, call.shapes.issue(thread)


def _change_pull(call: Call, number: str) -> Found:
    pull = _pull(call, number)
    _reworded(call, pull)
    return 200, call.shapes.pull(pull)


def _reworded(call: Call, thread: Thread) -> None:
    if "title" in call.body or "body" in call.body:
        call.world.edit(call.actor, thread, call.body.get("body"), title=call.body.get("title"))
    match call.body.get("state"):
        case "closed":
            call.world.close(call.actor, thread, call.body.get("state_reason") or "completed")
        case "open":
            call.world.reopen(call.actor, thread)


def _all_comments(call: Call) -> Found:
    since = _since(call)
    found = [c for t in call.world.threads.values() for c in t.comments if c.updated_at >= since]
    return Listed(_sorted(call, found), call.shapes.comment)


def _say(call: Call, number: str) -> Found:
    return 201, call.shapes.comment(call.world.comment(call.actor, _thread(call, number), call.given("body")))


def _reword(call: Call, ident: str) -> Found:
    comment = _comment(call, ident)
    call.world.edit(call.actor, comment, call.given("body"))
    return 200, call.shapes.comment(comment)


def _unsay(call: Call, ident: str) -> Found:
    call.world.delete_comment(call.actor, _comment(call, ident))
    return 204, None


def _label(call: Call, number: str) -> Found:
    thread = _thread(call, number)
    call.world.label(call.actor, thread, call.body["labels"])
    return 200, [call.shapes.label(name) for name in thread.labels]


def _unlabel(call: Call, number: str, name: str) -> Found:
    thread = _thread(call, number)
    call.world.unlabel(call.actor, thread, [name])
    return 200, [call.shapes.label(each) for each in thread.labels]


def _make_label(call: Call) -> Found:
    if call.given("name").lower() in {each.lower() for each in call.world.labels}:
        raise Refusal(422, "Validation Failed")
    return 201, call.shapes.label(call.world.make_label(call.given("name"), call.given("color") or "ededed"))


def _open_pull(call: Call) -> Found:
    login, _, branch = call.given("head").rpartition(":")
    owner = call.world.login(login) if login else None
    repo = call.world.fork(owner) if owner else None
    pull = call.world.open_pull(
        call.actor,
        head=branch,
        title=call.given("title"),
        body=call.given("body"),
        base=call.given("base"),
        repo=repo,
    )
    return 201, call.shapes.pull(pull)


def _one_pull(call: Call, number: str) -> Found:
    pull = _pull(call, number)
    shown = call.shapes.pull(pull)
    if pull.mergeable is None and pull.state == "open":
        call.world.settle(pull)  # GitHub works it out once somebody has asked, and tells whoever asks again
    return 200, shown


def _reviews(call: Call, number: str) -> Found:
    seen = [r for r in _pull(call, number).reviews if r.state != "PENDING" or r.author is call.who]
    return Listed(seen, call.shapes.review)


def _review(call: Call, number: str) -> Found:
    pull = _pull(call, number)
    commit = call.given("commit_id") or None
    made = call.world.review(
        call.actor, pull, call.given("event") or "PENDING", call.given("body"), commit=commit
    )
    return 200, call.shapes.review(made)


def _dismiss(call: Call, number: str, ident: str) -> Found:
    for review in _pull(call, number).reviews:
        if review.id == int(ident):
            call.world.dismiss(call.actor, review, call.given("message"))
            return 200, call.shapes.review(review)
    raise Refusal(404, "Not Found")


def _merge(call: Call, number: str) -> Found:
    pull = _pull(call, number)
    merged = call.world.merge(call.actor, pull, sha=call.given("sha") or None)
    return 200, {"sha": merged, "merged": True, "message": "Pull Request successfully merged"}


def _set_status(call: Call, sha: str) -> Found:
    if gitside.git(call.world.repo.path, "cat-file", "--batch-check", given=sha.encode()).endswith("missing"):
        raise Refusal(422, f"No commit found for SHA: {sha}")
    target = call.given("target_url") or None
    made = call.world.set_status(
        call.actor,
        sha,
        call.given("state"),
        call.given("context") or "default",
        call.given("description"),
        target,
    )
    return 201, call.shapes.status(made)


_ROUTES: list[tuple[str, str, Route]] = [
    ("GET", "", lambda call: (200, call.shapes.repo(call.world.repo, call.who))),
    ("GET", "/issues", _issues),
    ("POST", "/issues", _open_issue),
    ("GET", "/issues/comments", _all_comments),
    ("GET", r"/issues/comments/(\d+)", lambda call, n: (200, call.shapes.comment(_comment(call, n)))),
    ("PATCH", r"/issues/comments/(\d+)", _reword),
    ("DELETE", r"/issues/comments/(\d+)", _unsay),
    ("GET", r"/issues/(\d+)", lambda call, n: (200, call.shapes.issue(_thread(call, n)))),
    ("PATCH", r"/issues/(\d+)", _change),
    (
        "GET",
        r"/issues/(\d+)/comments",
        lambda call, n: Listed(_thread(call, n).comments, call.shapes.comment),
    ),
    ("POST", r"/issues/(\d+)/comments", _say),
    ("GET", r"/issues/(\d+)/labels", lambda call, n: Listed(_thread(call, n).labels, call.shapes.label)),
    ("POST", r"/issues/(\d+)/labels", _label),
    ("DELETE", r"/issues/(\d+)/labels/([^/]+)", _unlabel),
    ("GET", r"/issues/(\d+)/timeline", lambda call, n: Listed(call.shapes.timeline(_thread(call, n)), dict)),
    ("GET", "/labels", lambda call: Listed(list(call.world.labels), call.shapes.label)),
    ("POST", "/labels", _make_label),
    ("GET", "/pulls", lambda call: Listed(_pulls(call), lambda pull: call.shapes.pull(pull, whole=False))),
    ("POST", "/pulls", _open_pull),
    ("GET", r"/pulls/(\d+)", _one_pull),
    ("PATCH", r"/pulls/(\d+)", _change_pull),
    ("GET", r"/pulls/(\d+)/reviews", _reviews),
    ("POST", r"/pulls/(\d+)/reviews", _review),
    ("PUT", r"/pulls/(\d+)/reviews/(\d+)/dismissals", _dismiss),
    ("PUT", r"/pulls/(\d+)/merge", _merge),
    ("POST", r"/statuses/([0-9a-f]{40})", _set_status),
    ("GET", r"/commits/(.+)/statuses", lambda call, sha: Listed(_statuses(call, sha), call.shapes.status)),
    ("GET", "/actions/permissions", lambda call: (200, setup.actions(call.world, call.who))),
    ("GET", "/actions/permissions/workflow", lambda call: (200, setup.workflow_token(call.world, call.who))),
    (
        "GET",
        "/actions/permissions/fork-pr-contributor-approval",
        lambda call: (200, setup.fork_approval(call.world, call.who)),
    ),
    ("GET", r"/actions/secrets/(\w+)", lambda call, name: (200, setup.secret(call.world, call.who, name))),
    (
        "GET",
        r"/environments/(\w+)",
        lambda call, name: (200, setup.environment(call.world, call.who, call.shapes, name)),
    ),
    (
        "PUT",
        r"/environments/(\w+)",
        lambda call, name: (200, setup.lay_environment(call.world, call.who, call.shapes, call.body, name)),
    ),
    (
        "GET",
        r"/environments/(\w+)/deployment-branch-policies",
        lambda call, name: Listed(setup.policies(call.world, call.who, name), dict, "branch_policies"),
    ),
    (
        "POST",
        r"/environments/(\w+)/deployment-branch-policies",
        lambda call, name: (200, setup.name_branch(call.world, call.who, call.body, name)),
    ),
    (
        "GET",
        r"/environments/(\w+)/secrets/(\w+)",
        lambda call, where, name: (200, setup.environment_secret(call.world, call.who, where, name)),
    ),
    ("GET", "/actions/workflows", lambda call: _workflows(call)),
    ("GET", r"/actions/workflows/(\d+)/runs", lambda call, n: _runs(call, n)),
    (
        "GET",
        "/branches/(.+)/protection",
        lambda call, branch: (200, setup.protection(call.world, call.who, call.shapes, branch)),
    ),
    ("GET", "/rules/branches/(.+)", lambda call, _: Listed(setup.rules(call.world), dict)),
    ("GET", "/rulesets", lambda call: Listed(rulesets.listed(call.world, call.shapes), dict)),
    ("POST", "/rulesets", lambda call: (201, rulesets.lay(call.world, call.who, call.body))),
    ("GET", r"/rulesets/(\d+)", lambda call, n: (200, rulesets.one(call.world, call.who, int(n)))),
    ("PUT", r"/rulesets/(\d+)", lambda call, n: (200, rulesets.lay(call.world, call.who, call.body, int(n)))),
    (
        "GET",
        r"/actions/variables/(\w+)",
        lambda call, name: (200, rulesets.variable(call.world, call.who, name)),
    ),
    ("GET", "/pages", lambda call: (200, setup.pages(call.world, call.who, call.shapes))),
    ("GET", "/collaborators", lambda call: _collaborators(call)),
    ("GET", "/collaborators/([^/]+)/permission", lambda call, login: _permission(call, login)),
]


def _pulls(call: Call) -> list[Pull]:
    state = call.query.get("state", "open")
    return sorted((p for p in call.world.pulls() if state in ("all", p.state)), key=lambda p: -p.number)


def _statuses(call: Call, sha: str) -> list[Any]:
    return [each for each in reversed(call.world.statuses) if each.sha == sha]


def _collaborators(call: Call) -> Found:
    setup.needs(call.world, call.who, "write", "collaborators")
    people = (
        each for each in call.world.accounts.values() if not each.deleted and each.kind != "Organization"
    )
    found = [each for each in people if call.world.may(each, "read")]
    return Listed(found, lambda each: setup.collaborator(call.world, call.shapes, each))


def _installations(call: Call) -> Listed:
    numbers = rulesets.installations(call.world, call.who)
    return Listed(
        numbers, lambda number: rulesets.installation(call.world, call.shapes, number), "installations"
    )


def _of_installation(call: Call) -> Listed:
    rulesets.needs_installation(call.who)
    return Listed([call.world.repo], lambda repo: call.shapes.repo(repo, call.who), "repositories")


def _permission(call: Call, login: str) -> Found:
    who = call.world.login(login)
    if who is None:
        raise Refusal(404, "Not Found")
    role = call.world.roles[who.id]
    old = {"triage": "read", "maintain": "write"}.get(role, role)
    return 200, {
        "permission": old,
        "role_name": role,
        "user": setup.collaborator(call.world, call.shapes, who),
    }


def _workflows(call: Call) -> Found:
    setup.needs(call.world, call.who, "read", "workflows")
    named = list(enumerate(call.world.settings.get("workflows", {}), 1))
    return Listed(named, lambda pair: setup.workflow(call.world, call.shapes, *pair), "workflows")


def _runs(call: Call, number: str) -> Found:
    path, (_, at) = list(call.world.settings["workflows"].items())[int(number) - 1]
    runs = [] if at is None else [at]
    return Listed(runs, lambda at: setup.run(call.world, call.shapes, int(number), path, at), "workflow_runs")
