"""The fake's JSON: what GitHub's REST interface shows of each thing."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from fakegithub.things import Account, Comment, Pull, Repo, Review, Status, Thread
from fakegithub.world import World
from nomicgit.ground import clock

Given = dict[str, Any]
_USER_URLS = (
    "events followers following gists organizations received_events repos starred subscriptions"
).split()


@cache
def _example() -> str:
    whole = json.loads((Path(__file__).parent / "openapi.json").read_text(encoding="utf-8"))
    return json.dumps(whole["components"]["examples"]["full-repository"]["value"])


class Shapes:
    """What a world looks like at an address."""

    def __init__(self, world: World, url: str) -> None:
        self.world, self.url = world, url
        self.at = f"{url}/repos/{world.repo.full_name}"
        self.page = f"{url}/{world.repo.full_name}"

    def user(self, who: Account | None) -> Given | None:
        """An account; null where it was deleted."""
        if who is None or who.deleted:
            return None
        api = f"{self.url}/users/{who.login}"
        urls = {f"{name}_url": f"{api}/{name}" for name in _USER_URLS}
        return urls | {
            "id": who.id, "node_id": who.node, "login": who.login, "type": who.kind, "site_admin": False,
            "gravatar_id": "", "avatar_url": f"{api}.png", "url": api, "html_url": f"{self.url}/{who.login}",
        }  # fmt: skip

    def association(self, who: Account) -> str:
        """What somebody is to the repository."""
        if who is self.world.owner:
            return "OWNER"
        return "COLLABORATOR" if self.world.may(who, "write") else "NONE"

    def repo(self, repo: Repo, who: Account | None = None) -> Given:
        """A repository: GitHub's example, with what we know."""
        api = f"{self.url}/repos/{repo.full_name}"
        given: Given = json.loads(_example().replace("https://api.github.com/repos/octocat/Hello-World", api))
        for name in ("template_repository", "organization", "parent", "source", "security_and_analysis"):
            given.pop(name, None)
        mine = repo is self.world.repo
        role = {"pull": True} | {
            name: self.world.may(who, level)
            for name, level in (
                ("triage", "triage"),
                ("push", "write"),
                ("maintain", "maintain"),
                ("admin", "admin"),
            )
        }
        given |= {
            "id": 5_000_000 + repo.owner.id, "node_id": f"R_{repo.owner.id}", "name": repo.name,
            "full_name": repo.full_name, "owner": self.user(repo.owner), "private": self.world.private, "fork": not mine,
            "html_url": f"{self.url}/{repo.full_name}", "clone_url": f"{self.url}/{repo.full_name}.git",
            "default_branch": "main", "has_pages": mine and "pages" in self.world.settings,
            "created_at": clock.text(repo.owner.at), "updated_at": clock.text(self.world.clock.now),
            "pushed_at": clock.text(self.world.clock.now), "url": api, "has_issues": True, "has_discussions": False, "archived": False,
        }  # fmt: skip
        given |= self.world.settings.get("repository", {}) if mine else {}
        return given | ({"permissions": role} if who else {})

    def label(self, name: str) -> Given:
        """A label."""
        return {
            "id": 1 + list(self.world.labels).index(name), "node_id": f"LA_{name}", "name": name, "default": False,
            "url": f"{self.at}/labels/{name}", "description": None, "color": self.world.labels[name],
        }  # fmt: skip

    def issue(self, thread: Thread) -> Given:
        """An issue, or a pull request as an issue."""
        api = f"{self.at}/issues/{thread.number}"
        kind = "pull" if isinstance(thread, Pull) else "issues"
        given: Given = {
            "id": 2_000_000 + thread.number, "node_id": thread.node, "number": thread.number, "title": thread.title,
            "body": thread.body or None, "user": self.user(thread.author), "state": thread.state,
            "state_reason": thread.reason, "locked": thread.locked, "assignee": None, "assignees": [], "milestone": None,
            "labels": [self.label(name) for name in thread.labels], "comments": len(thread.comments),
            "created_at": clock.text(thread.at), "updated_at": clock.text(thread.updated_at),
            "closed_at": _time(thread.closed_at), "author_association": self.association(thread.author),
            "url": api, "repository_url": self.at, "labels_url": f"{api}/labels{{/name}}",
            "comments_url": f"{api}/comments", "events_url": f"{api}/events",
            "html_url": f"{self.page}/{kind}/{thread.number}",
        }  # fmt: skip
        given |= {"active_lock_reason": None, "reactions": _no_reactions(api)}
        if isinstance(thread, Pull):
            page = f"{self.page}/pull/{thread.number}"
            given["draft"] = thread.draft
            given["pull_request"] = {
                "url": f"{self.at}/pulls/{thread.number}", "html_url": page, "diff_url": f"{page}.diff",
                "patch_url": f"{page}.patch", "merged_at": _time(thread.merged_at),
            }  # fmt: skip
        return given

    def comment(self, comment: Comment) -> Given:
        """A comment."""
        return {
            "id": comment.id, "node_id": comment.node, "body": comment.body, "user": self.user(comment.author),
            "url": f"{self.at}/issues/comments/{comment.id}", "issue_url": f"{self.at}/issues/{comment.number}",
            "html_url": f"{self.page}/issues/{comment.number}#issuecomment-{comment.id}",
            "created_at": clock.text(comment.at), "updated_at": clock.text(comment.updated_at),
            "author_association": self.association(comment.author), "performed_via_github_app": None,
            "reactions": _no_reactions(f"{self.at}/issues/comments/{comment.id}"),
        }  # fmt: skip

    def review(self, review: Review) -> Given:
        """A review."""
        pull = f"{self.at}/pulls/{review.number}"
        page = f"{self.page}/pull/{review.number}#pullrequestreview-{review.id}"
        given = {
            "id": review.id, "node_id": review.node, "user": self.user(review.author), "body": review.body,
            "state": review.state, "commit_id": review.commit, "html_url": page, "pull_request_url": pull,
            "author_association": self.association(review.author),
            "_links": {"html": {"href": page}, "pull_request": {"href": pull}},
        }  # fmt: skip
        return given if review.state == "PENDING" else given | {"submitted_at": clock.text(review.at)}

    def pull(self, pull: Pull, *, whole: bool = True) -> Given:
        """A pull request; ``whole``: by itself, not in a list."""
        api, page, issue = (
            f"{self.at}/pulls/{pull.number}",
            f"{self.page}/pull/{pull.number}",
            f"{self.at}/issues/{pull.number}",
        )
        head = {
            "label": f"{pull.head.owner.login if pull.head else 'unknown'}:{pull.head_ref}", "ref": pull.head_ref,
            "sha": pull.head_sha, "user": self.user(pull.head.owner) if pull.head else None,
            "repo": self.repo(pull.head) if pull.head else None,
        }  # fmt: skip
        base = {
            "label": f"{self.world.owner.login}:{pull.base_ref}", "ref": pull.base_ref, "sha": pull.base_sha,
            "user": self.user(self.world.owner), "repo": self.repo(self.world.repo),
        }  # fmt: skip
        urls = {
            "url": api, "html_url": page, "diff_url": f"{page}.diff", "patch_url": f"{page}.patch", "issue_url": issue,
            "commits_url": f"{api}/commits", "review_comments_url": f"{api}/comments",
            "review_comment_url": f"{self.at}/pulls/comments{{/number}}", "comments_url": f"{issue}/comments",
            "statuses_url": f"{self.at}/statuses/{pull.head_sha}",
        }  # fmt: skip
        links = {
            "self": api, "html": page, "issue": issue, "comments": urls["comments_url"], "statuses": urls["statuses_url"],
            "commits": urls["commits_url"], "review_comments": urls["review_comments_url"],
            "review_comment": urls["review_comment_url"],
        }  # fmt: skip
        given = self.issue(pull)
        for name in (
            "comments",
            "repository_url",
            "labels_url",
            "events_url",
            "pull_request",
            "state_reason",
        ):
            given.pop(name)
        given |= urls | {
            "id": 6_000_000 + pull.number, "head": head, "base": base, "_links": {k: {"href": v} for k, v in links.items()},
            "merged_at": _time(pull.merged_at), "merge_commit_sha": pull.merge_commit, "auto_merge": None,
            "requested_reviewers": [], "requested_teams": [],
        }  # fmt: skip
        return given | (self._alone(pull) if whole else {})

    def _alone(self, pull: Pull) -> Given:
        state = {None: "unknown", True: "clean", False: "dirty"}[pull.mergeable]
        return {
            "merged": pull.merged, "mergeable": pull.mergeable, "mergeable_state": state,
            "merged_by": self.user(pull.merged_by), "comments": len(pull.comments), "review_comments": 0,
            "maintainer_can_modify": False, "commits": 1, "additions": 1, "deletions": 1, "changed_files": 1,
        }  # fmt: skip

    def status(self, status: Status) -> Given:
        """A status of a commit."""
        return {
            "id": status.id, "node_id": f"SC_{status.id}", "state": status.state, "context": status.context,
            "description": status.description, "target_url": status.target, "creator": self.user(status.creator),
            "url": f"{self.at}/statuses/{status.sha}", "avatar_url": f"{self.url}/users/{status.creator.login}.png",
            "created_at": clock.text(status.at), "updated_at": clock.text(status.at),
        }  # fmt: skip

    def timeline(self, thread: Thread) -> list[Given]:
        """Everything that happened on a thread, in order."""
        found = [
            (each.at, self.comment(each) | {"event": "commented", "actor": self.user(each.author)})
            for each in thread.comments
        ]
        for each in thread.reviews if isinstance(thread, Pull) else ():
            found.append((each.at, self.review(each) | {"event": "reviewed"}))
        names = {
            "ClosedEvent": "closed",
            "ReopenedEvent": "reopened",
            "HeadRefForcePushedEvent": "head_ref_force_pushed",
        }
        for event in thread.events:
            if event.kind in names:
                api = f"{self.at}/issues/events/{event.id}"
                found.append((event.at, {
                    "id": event.id, "node_id": f"EV_{event.id}", "url": api, "actor": self.user(event.actor),
                    "event": names[event.kind], "commit_id": None, "commit_url": None, "state_reason": None,
                    "created_at": clock.text(event.at), "performed_via_github_app": None,
                }))  # fmt: skip
        return [each for _, each in sorted(found, key=lambda pair: pair[0])]


def _no_reactions(api: str) -> Given:
    names = ("total_count", "+1", "-1", "laugh", "confused", "heart", "hooray", "eyes", "rocket")
    return dict.fromkeys(names, 0) | {"url": f"{api}/reactions"}


def _time(at: int | None) -> str | None:
    return None if at is None else clock.text(at)
