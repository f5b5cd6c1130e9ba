"""Cut GitHub's published descriptions down to what is used here: ``python slice.py OPENAPI.json SCHEMA.graphql``.

The descriptions come from the packages that README.md names. Nothing is changed but left out: operations and
types that are not listed below, what only they need, and the prose. Run it again with newer packages to renew.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLSchema,
    GraphQLUnionType,
    build_schema,
    get_named_type,
)

HERE = Path(__file__).resolve().parent

REPO = "/repos/{owner}/{repo}"
OPERATIONS = {
    REPO: "get",
    f"{REPO}/issues": "get post",
    f"{REPO}/issues/comments": "get",
    f"{REPO}/issues/comments/{{comment_id}}": "get patch delete",
    f"{REPO}/issues/{{issue_number}}": "get patch",
    f"{REPO}/issues/{{issue_number}}/comments": "get post",
    f"{REPO}/issues/{{issue_number}}/labels": "get post",
    f"{REPO}/issues/{{issue_number}}/labels/{{name}}": "delete",
    f"{REPO}/issues/{{issue_number}}/timeline": "get",
    f"{REPO}/labels": "get post",
    f"{REPO}/pulls": "get post",
    f"{REPO}/pulls/{{pull_number}}": "get patch",
    f"{REPO}/pulls/{{pull_number}}/reviews": "get post",
    f"{REPO}/pulls/{{pull_number}}/reviews/{{review_id}}/dismissals": "put",
    f"{REPO}/pulls/{{pull_number}}/merge": "put",
    f"{REPO}/statuses/{{sha}}": "post",
    f"{REPO}/commits/{{ref}}/statuses": "get",
    f"{REPO}/actions/permissions": "get",
    f"{REPO}/actions/permissions/workflow": "get",
    f"{REPO}/actions/permissions/fork-pr-contributor-approval": "get",
    f"{REPO}/actions/workflows": "get",
    f"{REPO}/actions/workflows/{{workflow_id}}/runs": "get",
    f"{REPO}/actions/secrets/{{secret_name}}": "get",
    f"{REPO}/actions/variables/{{name}}": "get",
    f"{REPO}/environments/{{environment_name}}": "get put",
    f"{REPO}/environments/{{environment_name}}/deployment-branch-policies": "get post",
    f"{REPO}/environments/{{environment_name}}/secrets/{{secret_name}}": "get",
    f"{REPO}/branches/{{branch}}/protection": "get",
    f"{REPO}/rules/branches/{{branch}}": "get",
    f"{REPO}/rulesets": "get post",
    f"{REPO}/rulesets/{{ruleset_id}}": "get put",
    f"{REPO}/pages": "get",
    f"{REPO}/collaborators": "get",
    f"{REPO}/collaborators/{{username}}/permission": "get",
    "/orgs/{org}/installations": "get",
    "/installation/repositories": "get",
}
"""The operations that are kept, by path; some are asked for by other people's clients only."""

EXAMPLES = ("full-repository",)
"""The example that is kept: from it the fake takes what it does not know better."""

TYPES = """
Query Mutation Repository RepositoryOwner User Bot Mannequin Organization Actor Node PageInfo RateLimit
Issue PullRequest IssueOrPullRequest IssueComment IssueCommentConnection IssueCommentEdge
PullRequestReview PullRequestReviewConnection Label LabelConnection Labelable Closable Comment Reactable Reaction
PullRequestTimelineItems PullRequestTimelineItemsConnection IssueTimelineItems IssueTimelineItemsConnection
ClosedEvent ReopenedEvent HeadRefForcePushedEvent ReviewDismissedEvent CommentDeletedEvent RenamedTitleEvent
Commit GitObject Ref Status StatusContext
AddCommentPayload UpdateIssueCommentPayload AddLabelsToLabelablePayload RemoveLabelsFromLabelablePayload
CreateLabelPayload ClosePullRequestPayload CloseIssuePayload ReopenPullRequestPayload ReopenIssuePayload
AddReactionPayload PinIssuePayload UnpinIssuePayload
""".split()
"""The object types, interfaces and unions that are kept, of GraphQL; a field whose type is not kept goes too."""

ROOTS = {
    "Query": "id viewer repository node nodes rateLimit".split(),
    "Mutation": (
        "addComment updateIssueComment addLabelsToLabelable removeLabelsFromLabelable createLabel "
        "closePullRequest closeIssue reopenPullRequest reopenIssue addReaction pinIssue unpinIssue"
    ).split(),
    "Repository": (
        "id databaseId name nameWithOwner owner issueOrPullRequest issue pullRequest label labels isPrivate createdAt "
        "updatedAt"
    ).split(),
    "Organization": "id databaseId login avatarUrl resourcePath url repository".split(),
    "User": "id repository databaseId login name avatarUrl resourcePath url createdAt updatedAt isViewer".split(),
}
"""Types that are cut further: which of their fields are kept."""


def openapi(whole: dict[str, Any]) -> dict[str, Any]:
    """The description of the kept operations, with the components that they reach."""
    paths = {}
    for path, methods in OPERATIONS.items():
        kept = {method: whole["paths"][path][method] for method in methods.split()}
        if shared := whole["paths"][path].get("parameters"):
            kept["parameters"] = shared
        paths[path] = {key: _bare(value) for key, value in kept.items()}
    components: dict[str, dict[str, Any]] = {}
    waiting = list(_references(paths))
    while waiting:
        _, _, kind, name = waiting.pop().split("/", 3)
        if name in components.get(kind, {}):
            continue
        components.setdefault(kind, {})[name] = _bare(whole["components"][kind][name])
        waiting += _references(components[kind][name])
    examples = {name: whole["components"]["examples"][name] for name in EXAMPLES}
    components["examples"] = examples
    ordered = {kind: dict(sorted(named.items())) for kind, named in sorted(components.items())}
    return {"openapi": whole["openapi"], "info": whole["info"], "paths": paths, "components": ordered}


_PROSE = (
    "description",
    "summary",
    "examples",
    "example",
    "externalDocs",
    "tags",
    "deprecated",
    "x-github",
    "headers",
)


def _bare(given: Any, *, named: bool = False) -> Any:
    """Without prose; ``named``: the keys of this mapping are names, which may be called like prose."""
    if isinstance(given, list):
        return [_bare(each) for each in given]
    if not isinstance(given, dict):
        return given
    return {
        key: _bare(value, named=key == "properties" and not named)
        for key, value in given.items()
        if named or key not in _PROSE or (key == "description" and not isinstance(value, str))
    }


def _references(given: Any) -> Iterator[str]:
    if isinstance(given, dict):
        if isinstance(given.get("$ref"), str):
            yield given["$ref"]
        given = list(given.values())
    if isinstance(given, list):
        for each in given:
            yield from _references(each)


def graphql(whole: GraphQLSchema) -> str:
    """The schema's own text of the kept types, with the inputs, enums and scalars that they reach."""
    kept: dict[str, str] = {}
    waiting: list[str] = sorted(TYPES)
    while waiting:
        name = waiting.pop()
        if name in kept or name in ("String", "Int", "Float", "Boolean", "ID"):
            continue
        kept[name], reached = _declared(whole, name)
        waiting += reached
    return "\n\n".join(kept[name] for name in sorted(kept)) + "\n"


def _declared(whole: GraphQLSchema, name: str) -> tuple[str, list[str]]:
    """One type's declaration without prose, and the leaves and inputs that it needs."""
    kind = whole.get_type(name)
    match kind:
        case GraphQLScalarType():
            return f"scalar {name}", []
        case GraphQLEnumType():
            return f"enum {name} {{\n" + "".join(f"  {value}\n" for value in kind.values) + "}", []
        case GraphQLUnionType():
            members = [each.name for each in kind.types if each.name in TYPES]
            return f"union {name} = {' | '.join(members)}", []
        case GraphQLInputObjectType():
            fields = [(key, f"{key}: {field.type}", [field.type]) for key, field in kind.fields.items()]
            return _block(f"input {name}", fields)
        case GraphQLObjectType() | GraphQLInterfaceType():
            word = "type" if isinstance(kind, GraphQLObjectType) else "interface"
            above = " & ".join(each.name for each in kind.interfaces if each.name in TYPES)
            fields = [
                (
                    key,
                    f"{key}{_arguments(field.args)}: {field.type}",
                    [field.type, *(a.type for a in field.args.values())],
                )
                for key, field in kind.fields.items()
                if _kept(whole, name, key, field.type)
            ]
            return _block(f"{word} {name}" + (f" implements {above}" if above else ""), fields)
    raise ValueError(f"{name} is not in the schema")


def _kept(whole: GraphQLSchema, name: str, key: str, kind: Any) -> bool:
    if name in ROOTS and key not in ROOTS[name]:
        return False
    return get_named_type(kind).name in TYPES or isinstance(
        get_named_type(kind), GraphQLScalarType | GraphQLEnumType
    )


def _arguments(given: Any) -> str:
    return f"({', '.join(f'{key}: {value.type}' for key, value in given.items())})" if given else ""


def _block(head: str, fields: list[tuple[str, str, list[Any]]]) -> tuple[str, list[str]]:
    reached = [get_named_type(kind).name for _, _, kinds in fields for kind in kinds]
    leaves = [name for name in reached if name not in TYPES]
    return head + " {\n" + "".join(f"  {text}\n" for _, text, _ in fields) + "}", leaves


def main(description: str, schema: str) -> None:
    """Write both slices beside this file."""
    cut = openapi(json.loads(Path(description).read_text(encoding="utf-8")))
    lines = json.dumps(cut, indent=0, ensure_ascii=False, separators=(",", ":"))
    (HERE / "openapi.json").write_text(lines + "\n", encoding="utf-8")
    whole = build_schema(
        Path(schema).read_text(encoding="utf-8"), assume_valid_sdl=True
    )  # it has fields twice
    (HERE / "schema.graphql").write_text(graphql(whole), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
