"""The texts of our GraphQL queries and mutations. A test holds each to GitHub's published schema.

What is asked for in bulk stands under aliases in one document: ``t12`` is the thread of number 12, ``m0`` the
first continuation of a long one, ``w0`` the first of several writings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

PAGE = 100  # nodes of a connection: the most that GitHub gives at once

_WHO = """
fragment Who on Actor {
  __typename login
  ... on User { databaseId } ... on Bot { databaseId } ... on Mannequin { databaseId } ... on Organization { databaseId }
}"""

_COMMENTS = """
fragment Comments on IssueCommentConnection {
  pageInfo { hasNextPage endCursor }
  nodes { id fullDatabaseId url author { ...Who } editor { ...Who } body createdAt lastEditedAt viewerDidAuthor }
}"""

_REVIEWS = """
fragment Reviews on PullRequestReviewConnection {
  pageInfo { hasNextPage endCursor }
  nodes { id fullDatabaseId author { ...Who } editor { ...Who } state body commit { oid } submittedAt lastEditedAt }
}"""

_CLOSINGS = """
  ... on ClosedEvent { createdAt actor { ...Who } }
  ... on ReopenedEvent { createdAt actor { ...Who } }"""

_PULL_EVENTS = f"""
fragment PullEvents on PullRequestTimelineItemsConnection {{
  pageInfo {{ hasNextPage endCursor }}
  nodes {{ __typename {_CLOSINGS}
    ... on HeadRefForcePushedEvent {{
      createdAt actor {{ ...Who }} beforeCommit {{ oid }} afterCommit {{ oid }}
    }}
    ... on RenamedTitleEvent {{ createdAt actor {{ ...Who }} }}
    ... on ReviewDismissedEvent {{
      createdAt actor {{ ...Who }} dismissalMessage previousReviewState review {{ id }}
    }}
  }}
}}"""

_ISSUE_EVENTS = f"""
fragment IssueEvents on IssueTimelineItemsConnection {{
  pageInfo {{ hasNextPage endCursor }}
  nodes {{ __typename {_CLOSINGS}
  }}
}}"""

_OF_PULL = (
    "[CLOSED_EVENT, REOPENED_EVENT, HEAD_REF_FORCE_PUSHED_EVENT, RENAMED_TITLE_EVENT, REVIEW_DISMISSED_EVENT]"
)
_OF_ISSUE = "[CLOSED_EVENT, REOPENED_EVENT]"


class Part(StrEnum):
    """A part of a thread that comes in pages, by the name that our queries give it."""

    COMMENTS = "comments"
    REVIEWS = "reviews"
    PULL_EVENTS = "pullEvents"
    ISSUE_EVENTS = "issueEvents"


def _part(part: Part, after: str = "") -> str:
    page = f"first: {PAGE}" + (f", after: {after}" if after else "")
    match part:
        case Part.COMMENTS:
            return f"comments({page}) {{ ...Comments }}"
        case Part.REVIEWS:
            return f"reviews({page}) {{ ...Reviews }}"
        case Part.PULL_EVENTS:
            return f"pullEvents: timelineItems({page}, itemTypes: {_OF_PULL}) {{ ...PullEvents }}"
        case Part.ISSUE_EVENTS:
            return f"issueEvents: timelineItems({page}, itemTypes: {_OF_ISSUE}) {{ ...IssueEvents }}"


_SHARED = f"""
  id number title body author {{ ...Who }} editor {{ ...Who }} createdAt updatedAt lastEditedAt closedAt closed locked
  labels(first: {PAGE}) {{ nodes {{ name }} }}
  {_part(Part.COMMENTS)}"""

_THREADS = f"""
fragment PullThread on PullRequest {{ {_SHARED}
  merged isDraft headRefOid headRefName headRepository {{ nameWithOwner }} headRef {{ name }} baseRefName baseRefOid
  {_part(Part.REVIEWS)}
  {_part(Part.PULL_EVENTS)}
}}
fragment IssueThread on Issue {{ {_SHARED}
  {_part(Part.ISSUE_EVENTS)}
}}"""

_PARTS = _COMMENTS + _REVIEWS + _PULL_EVENTS + _ISSUE_EVENTS + _WHO

VIEWER = "viewer { __typename login databaseId }"


def threads(numbers: Iterable[int]) -> str:
    """The threads of these numbers, whole but for further pages. Variables: owner, name."""
    asked = "\n".join(
        f"t{number}: issueOrPullRequest(number: {int(number)}) {{ __typename ...PullThread ...IssueThread }}"
        for number in numbers
    )
    head = "query Threads($owner: String!, $name: String!)"
    return f"{head} {{ {VIEWER} repository(owner: $owner, name: $name) {{ nameWithOwner {asked} }} }}{_THREADS}{_PARTS}"


_TYPE_OF = {Part.REVIEWS: "PullRequest", Part.PULL_EVENTS: "PullRequest", Part.ISSUE_EVENTS: "Issue"}
_FRAGMENT = {
    Part.COMMENTS: _COMMENTS,
    Part.REVIEWS: _REVIEWS,
    Part.PULL_EVENTS: _PULL_EVENTS,
    Part.ISSUE_EVENTS: _ISSUE_EVENTS,
}


def pages(parts: Sequence[Part]) -> str:
    """The next page of each of these parts. Variables: ``nK`` the thread's node, ``aK`` after which cursor."""
    given = ", ".join(f"$n{k}: ID!, $a{k}: String!" for k in range(len(parts)))
    asked = "\n".join(f"m{k}: node(id: $n{k}) {{ {_page(part, k)} }}" for k, part in enumerate(parts))
    used = "".join(_FRAGMENT[part] for part in Part if part in parts)
    return f"query Pages({given}) {{ {asked} }}{used}{_WHO}"


def _page(part: Part, k: int) -> str:
    more = _part(part, f"$a{k}")
    if part in _TYPE_OF:
        return f"... on {_TYPE_OF[part]} {{ {more} }}"
    return f"... on PullRequest {{ {more} }} ... on Issue {{ {more} }}"


LABELS = f"""query Labels($owner: String!, $name: String!, $after: String) {{ {VIEWER}
  repository(owner: $owner, name: $name) {{
    id labels(first: {PAGE}, after: $after) {{ pageInfo {{ hasNextPage endCursor }} nodes {{ id name }} }}
  }}
}}"""

WHO = f"query Viewer {{ {VIEWER} }}"


class Mutation(StrEnum):
    """A mutation that we use; its input type is its name with a capital and ``Input``."""

    SAY = "addComment"
    REWORD = "updateIssueComment"
    LABEL = "addLabelsToLabelable"
    UNLABEL = "removeLabelsFromLabelable"
    MAKE_LABEL = "createLabel"
    CLOSE_PULL = "closePullRequest"
    CLOSE_ISSUE = "closeIssue"
    REOPEN_PULL = "reopenPullRequest"
    REOPEN_ISSUE = "reopenIssue"
    REACT = "addReaction"
    PIN = "pinIssue"
    UNPIN = "unpinIssue"


_GIVEN_BACK = {Mutation.SAY: "commentEdge { node { id url } }", Mutation.MAKE_LABEL: "label { id }"}


def mutations(kinds: Sequence[Mutation]) -> str:
    """Several mutations in one request, carried out in order. Variables: ``iK`` the input of each."""
    given = ", ".join(f"$i{k}: {kind[0].upper()}{kind[1:]}Input!" for k, kind in enumerate(kinds))
    asked = "\n".join(
        f"w{k}: {kind}(input: $i{k}) {{ {_GIVEN_BACK.get(kind, 'clientMutationId')} }}"
        for k, kind in enumerate(kinds)
    )
    return f"mutation Write({given}) {{ {asked} }}"
