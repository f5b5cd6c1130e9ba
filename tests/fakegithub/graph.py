"""The fake's GraphQL: graphql-core executes requests on GitHub's own schema, of which ``schema.graphql`` is a slice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLSchema,
    InlineFragmentNode,
    IntValueNode,
    OperationDefinitionNode,
    SelectionSetNode,
    build_schema,
    execute_sync,
    parse,
    validate,
)

from fakegithub import permissions
from fakegithub.things import Account, Comment, Event, Pull, Refusal, Repo, Review, Thread
from fakegithub.world import World
from nomicgit.ground import clock

Given = dict[str, Any]
MOST_NODES = 500_000


@cache
def schema() -> GraphQLSchema:
    """GitHub's schema, as far as the slice goes."""
    return build_schema((Path(__file__).parent / "schema.graphql").read_text(encoding="utf-8"))


def answer(world: World, who: Account | None, asked: Mapping[str, Any], page: int = 100) -> Given:
    """Carry out one request; ``page``: the most nodes that a connection gives at once."""
    if who is None:
        raise Refusal(401, "This endpoint requires you to be authenticated.")
    try:
        document = parse(str(asked.get("query", "")))
        faults = validate(schema(), document)
    except GraphQLError as error:
        faults = [error]
    if not faults and nodes_of(document) > MOST_NODES:
        faults = [
            GraphQLError("This query requests too many nodes", extensions={"type": "MAX_NODE_LIMIT_EXCEEDED"})
        ]
    if faults:
        return {"errors": [_error(fault) for fault in faults]}
    done = execute_sync(
        schema(), document, Graph(world, who, page).root(), variable_values=dict(asked.get("variables") or {})
    )
    found: Given = {"data": done.data}
    if done.errors:
        found["errors"] = [_error(fault) for fault in done.errors]
    return found


def _error(fault: GraphQLError) -> Given:
    kind = fault.extensions.get("type") if fault.extensions else None
    if isinstance(fault.original_error, Refusal):
        kind = fault.original_error.kind
    found: Given = {"message": fault.message}
    return found | ({"type": kind} if kind else {}) | ({"path": fault.path} if fault.path else {})


def nodes_of(document: DocumentNode) -> int:
    """How many nodes a query asks for, as GitHub counts: each connection as large as it says, within its parent."""
    fragments = {
        each.name.value: each for each in document.definitions if isinstance(each, FragmentDefinitionNode)
    }
    return sum(
        _nodes(each.selection_set, fragments, 1)
        for each in document.definitions
        if isinstance(each, OperationDefinitionNode)
    )


def _nodes(
    selection: SelectionSetNode | None, fragments: Mapping[str, FragmentDefinitionNode], times: int
) -> int:
    total = 0
    for each in selection.selections if selection else ():
        match each:
            case FragmentSpreadNode():
                total += _nodes(fragments[each.name.value].selection_set, fragments, times)
            case InlineFragmentNode():
                total += _nodes(each.selection_set, fragments, times)
            case FieldNode():
                sizes = [
                    int(a.value.value)
                    for a in each.arguments or ()
                    if a.name.value == "first" and isinstance(a.value, IntValueNode)
                ]
                inner = times * sizes[0] if sizes else times
                total += (inner if sizes else 0) + _nodes(each.selection_set, fragments, inner)
    return total


class Graph:
    """The world as GraphQL shows it to one account."""

    def __init__(self, world: World, who: Account, page: int) -> None:
        self.world, self.who, self.page = world, who, page

    def root(self) -> Given:
        """The fields of queries and of mutations."""
        found: Given = {
            "viewer": lambda _: self.person(self.who) | {"__typename": "User"},
            "repository": self.repository,
            "node": lambda _, **given: self.node(given["id"]),
            "nodes": lambda _, ids: [self.node(each) for each in ids],
        }
        return found | {name: _put(deed) for name, deed in self._deeds().items()}

    def repository(self, _: Any, owner: str, name: str, **__: Any) -> Given:
        """A repository. Refused where there is none."""
        repo = self.world.repository(f"{owner}/{name}")
        if repo is None:
            raise _missing(f"Could not resolve to a Repository with the name '{owner}/{name}'.")
        return self.repo(repo)

    def repo(self, repo: Repo) -> Given:
        """A repository's fields; threads and labels are the game's own."""
        return {
            "__typename": "Repository",
            "id": f"R_{repo.owner.id}",
            "name": repo.name,
            "nameWithOwner": repo.full_name,
            "issueOrPullRequest": lambda _, number: self._numbered(number),
            "labels": lambda _, **page: self.connection(
                [self.label(name) for name in self.world.labels], page
            ),
        }

    def _numbered(self, number: int) -> Given:
        if number not in self.world.threads:
            raise _missing(f"Could not resolve to an issue or pull request with the number of {number}.")
        return self.thread(self.world.threads[number])

    def node(self, id: str) -> Given:
        """Anything by its node id. Refused where there is nothing."""
        kind, _, rest = id.partition("_")
        found: Any = None
        match kind:
            case "I" | "PR":
                found = self.world.threads.get(int(rest) if rest.isdigit() else 0)
                if found is not None and found.node == id:
                    return self.thread(found)
            case "IC":
                found = self.comment_by(id)
                return self.comment(found)
        raise _missing(f"Could not resolve to a node with the global id of '{id}'")

    def comment_by(self, id: str) -> Comment:
        """A comment by its node id."""
        for thread in self.world.threads.values():
            for each in thread.comments:
                if each.node == id:
                    return each
        raise _missing(f"Could not resolve to a node with the global id of '{id}'")

    def person(self, who: Account | None) -> Any:
        """An account; nothing where it is deleted."""
        if who is None or who.deleted:
            return None
        login = who.login.removesuffix("[bot]") if who.kind == "Bot" else who.login
        address = f"https://github.example/{login}"
        return {
            "__typename": who.kind, "id": who.node, "databaseId": who.id, "login": login,
            "url": address, "resourcePath": f"/{login}", "avatarUrl": lambda _, **__: f"{address}.png",
        }  # fmt: skip

    def label(self, name: str) -> Given:
        """A label."""
        return {"__typename": "Label", "id": f"LA_{name}", "name": name, "color": self.world.labels[name]}

    def thread(self, thread: Thread) -> Given:
        """A pull request or an issue, as this copy of the forge knows it."""
        permissions.need(self.world.grant, "read", _permission(thread))
        until = self.world.lag.get(thread.number, self.world.clock.now)
        found: Given = {
            "__typename": "Issue",
            "id": thread.node,
            "number": thread.number,
            "title": thread.title,
            "body": thread.body,
            "author": self.person(thread.author),
            "createdAt": clock.text(thread.at),
            "updatedAt": clock.text(min(thread.updated_at, until)),
            "lastEditedAt": _time(thread.edited_at),
            "editor": self.person(thread.editor),
            "closedAt": _time(thread.closed_at),
            "closed": thread.state == "closed",
            "locked": thread.locked,
            "state": thread.state.upper(),
            "labels": lambda _, **page: self.connection([self.label(name) for name in thread.labels], page),
            "comments": lambda _, **page: self.part(
                "comments", [self.comment(each) for each in thread.comments if each.at <= until], page
            ),
            "timelineItems": lambda _, **page: self.events(thread, page.get("itemTypes"), page),
        }
        return found | (self._pull(thread) if isinstance(thread, Pull) else {})

    def _pull(self, pull: Pull) -> Given:
        seen = [each for each in pull.reviews if each.state != "PENDING" or each.author is self.who]
        return {
            "__typename": "PullRequest",
            "state": "MERGED" if pull.merged else pull.state.upper(),
            "merged": pull.merged,
            "isDraft": pull.draft,
            "headRefOid": pull.head_sha,
            "headRefName": pull.head_ref,
            "headRef": {"name": pull.head_ref} if pull.head and pull.head_ref in pull.head.refs else None,
            "headRepository": self.repo(pull.head) if pull.head else None,
            "baseRefName": pull.base_ref,
            "baseRefOid": pull.base_sha,
            "mergeable": {None: "UNKNOWN", True: "MERGEABLE", False: "CONFLICTING"}[pull.mergeable],
            "reviews": lambda _, **page: self.part("reviews", [self.review(each) for each in seen], page),
        }

    def comment(self, comment: Comment) -> Given:
        """A comment."""
        return {
            "__typename": "IssueComment",
            "id": comment.node,
            "fullDatabaseId": str(comment.id),
            "url": f"https://github.com/{self.world.repo.full_name}/issues/{comment.number}#issuecomment-{comment.id}",
            "author": self.person(comment.author),
            "body": lambda _: self._text(comment),
            "createdAt": clock.text(comment.at),
            "updatedAt": clock.text(comment.updated_at),
            "lastEditedAt": _time(comment.edited_at),
            "editor": self.person(comment.editor),
            "viewerDidAuthor": comment.author is self.who,
        }

    def _text(self, comment: Comment) -> str:
        if self.world.broken == "body":
            raise GraphQLError("Something went wrong while executing your query.")
        return comment.body

    def review(self, review: Review) -> Given:
        """A review."""
        pending = review.state == "PENDING"
        return {
            "__typename": "PullRequestReview",
            "id": review.node,
            "fullDatabaseId": str(review.id),
            "author": self.person(review.author),
            "state": review.state,
            "body": review.body,
            "commit": _commit(review.commit),
            "submittedAt": None if pending else clock.text(review.at),
            "lastEditedAt": _time(review.edited_at),
            "editor": self.person(review.editor),
        }

    def events(self, thread: Thread, kinds: Sequence[str] | None, page: Mapping[str, Any]) -> Given:
        """The timeline, as far as it holds events of these kinds."""
        wanted = {"".join(word.capitalize() for word in kind.split("_")) for kind in kinds or ()}
        found = [each for each in thread.events if not wanted or each.kind in wanted]
        return self.connection([self._event(each) for each in found], page)

    def _event(self, event: Event) -> Given:
        found: Given = {
            "__typename": event.kind,
            "createdAt": clock.text(event.at),
            "actor": self.person(event.actor),
        }
        match event.kind:
            case "HeadRefForcePushedEvent":
                found |= {
                    "beforeCommit": _commit(event.more["before"]),
                    "afterCommit": _commit(event.more["after"]),
                }
            case "RenamedTitleEvent":
                found |= {"previousTitle": event.more["was"], "currentTitle": event.more["title"]}
            case "ReviewDismissedEvent":
                found |= {
                    "dismissalMessage": event.more["message"],
                    "previousReviewState": event.more["was"],
                    "review": self.review(event.more["review"]),
                }
        return found

    def part(self, name: str, members: Sequence[Given], asked: Mapping[str, Any]) -> Given:
        """One page of a connection that a test can make fail."""
        if self.world.broken == name:
            raise GraphQLError("Something went wrong while executing your query.")
        return self.connection(members, asked)

    def connection(self, members: Sequence[Given], asked: Mapping[str, Any]) -> Given:
        """One page of a connection."""
        first, after = asked.get("first"), asked.get("after")
        if first is None or not 1 <= first <= 100:
            raise GraphQLError(
                "You must provide a `first` value between 1 and 100",
                extensions={"type": "MISSING_PAGINATION_BOUNDARIES"},
            )
        start = int(after.removeprefix("cursor:")) if after else 0
        end = min(start + min(first, self.page), len(members))
        more = {"hasNextPage": end < len(members), "hasPreviousPage": start > 0, "endCursor": f"cursor:{end}"}
        return {"nodes": list(members[start:end]), "pageInfo": more, "totalCount": len(members)}

    # Mutations

    def _deeds(self) -> dict[str, Callable[[Given], Given]]:
        return {
            "addComment": self._say,
            "updateIssueComment": self._reword,
            "addLabelsToLabelable": self._label,
            "removeLabelsFromLabelable": self._unlabel,
            "createLabel": self._make_label,
            "closePullRequest": self._close,
            "closeIssue": self._close,
            "reopenPullRequest": self._reopen,
            "reopenIssue": self._reopen,
            "pinIssue": lambda given: self._pin(given, pinned=True),
            "unpinIssue": lambda given: self._pin(given, pinned=False),
            "addReaction": self._react,
        }

    def thread_by(self, id: str) -> Thread:
        """A thread by its node id."""
        return self.world.threads[self.node(id)["number"]]

    def written(self, id: str) -> Thread:
        """A thread by its node id, on which something is written. Refused where the token may not."""
        thread = self.thread_by(id)
        permissions.need(self.world.grant, "write", _permission(thread))
        return thread

    def _say(self, given: Given) -> Given:
        made = self.world.comment(self.who, self.written(given["subjectId"]), given["body"])
        return {"commentEdge": {"node": self.comment(made)}}

    def _reword(self, given: Given) -> Given:
        comment = self.comment_by(given["id"])
        self.written(self.world.threads[comment.number].node)
        self.world.edit(self.who, comment, given["body"])
        return {"issueComment": self.comment(comment)}

    def _names(self, ids: Iterable[str]) -> list[str]:
        names = {f"LA_{name}": name for name in self.world.labels}
        for each in ids:
            if each not in names:
                raise _missing(f"Could not resolve to a node with the global id of '{each}'")
        return [names[each] for each in ids]

    def _label(self, given: Given) -> Given:
        self._needs("triage")
        self.world.label(self.who, self.written(given["labelableId"]), self._names(given["labelIds"]))
        return {"labelable": self.node(given["labelableId"])}

    def _unlabel(self, given: Given) -> Given:
        self.world.unlabel(self.who, self.written(given["labelableId"]), self._names(given["labelIds"]))
        return {"labelable": self.node(given["labelableId"])}

    def _make_label(self, given: Given) -> Given:
        self._needs("write")
        permissions.need(self.world.grant, "write", "issues", "pull_requests")
        if given["name"].lower() in {each.lower() for each in self.world.labels}:
            raise Refusal(422, "Name has already been taken")
        return {"label": self.label(self.world.make_label(given["name"], given["color"]))}

    def _close(self, given: Given) -> Given:
        node = given.get("pullRequestId") or given["issueId"]
        reason = str(given.get("stateReason", "COMPLETED")).lower()
        self.world.close(self.who, self.written(node), reason)
        return {"pullRequest" if "pullRequestId" in given else "issue": self.node(node)}

    def _reopen(self, given: Given) -> Given:
        node = given.get("pullRequestId") or given["issueId"]
        self.world.reopen(self.who, self.written(node))
        return {"pullRequest" if "pullRequestId" in given else "issue": self.node(node)}

    def _react(self, given: Given) -> Given:
        if given["subjectId"].startswith("IC_"):
            comment = self.comment_by(given["subjectId"])
            self.written(self.world.threads[comment.number].node)
            comment.reactions.append((self.who, given["content"]))
        return {"subject": self.node(given["subjectId"])}

    def _pin(self, given: Given, *, pinned: bool) -> Given:
        self._needs("triage")
        thread = self.written(given["issueId"])
        if pinned and sum(each.pinned for each in self.world.threads.values()) == 3:
            raise Refusal(422, "Maximum 3 pinned issues per repository", "UNPROCESSABLE")
        thread.pinned = pinned
        return {"issue": self.node(given["issueId"])}

    def _needs(self, role: str) -> None:
        if not self.world.may(self.who, role):
            raise Refusal(403, "Resource not accessible by integration", "FORBIDDEN")


def _put(deed: Callable[[Given], Given]) -> Callable[..., Given]:
    return lambda _, **given: (
        deed(given["input"]) | {"clientMutationId": given["input"].get("clientMutationId")}
    )


def _permission(thread: Thread) -> str:
    return "pull_requests" if isinstance(thread, Pull) else "issues"


def _missing(said: str) -> Refusal:
    return Refusal(404, said, "NOT_FOUND")


def _commit(sha: str | None) -> Given | None:
    return {"__typename": "Commit", "id": f"C_{sha}", "oid": sha} if sha else None


def _time(at: int | None) -> str | None:
    return None if at is None else clock.text(at)
