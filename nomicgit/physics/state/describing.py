"""What the law may look at of itself: rules, variables, collections, actions, kinds of posts, and deeds."""

from __future__ import annotations

from collections.abc import Mapping

from nomicgit.law.declaring import underscored
from nomicgit.law.ruleset import Placed
from nomicgit.law.variables import Variable
from nomicgit.physics.state.quoting import filled
from nomicgit.physics.state.transaction import Transaction


def described(world: Transaction, ref: str, kind: str, field: str = "") -> Mapping[str, object]:
    """What the law may look at of a rule, variable, collection, action, kind of post or deed; nothing of what is not there."""
    name = ref.partition("/")[2]
    tables = world.law.declared
    match kind:
        case "rules":
            return _rule(world, world.ruleset.by_slug.get(name), field)
        case "variables":
            for variable in tables.variables.values():
                if variable.name == underscored(name):
                    return _variable(world, variable)
            return {}
        case "collections":
            collection = tables.collections.get(name)
            return {**collection.attributes, "rule": f"rules/{collection.rule}"} if collection else {}
        case "actions":
            action = tables.actions.get(name)
            if action is None:
                return {}
            return {
                **action.attributes, "name": name, "rule": f"rules/{action.rule}", "section": action.section,
                "summary": action.summary, "limit": action.limit, "tags": list(action.tags), "with": list(action.parameters),
            }  # fmt: skip
        case "kinds":
            post = tables.posts.get(name)
            if post is None:
                return {}
            official, votable = post.official, post.votable
            return {**post.attributes, "official": official, "votable": votable, "rule": f"rules/{post.rule}"}
        case _:
            deed = world.context.history.deed(name)
            return dict(deed) if deed else {}


def _variable(world: Transaction, variable: Variable) -> Mapping[str, object]:
    placed = world.ruleset.by_slug.get(variable.rule)
    return {
        "section": placed.section if placed else "", **variable.attributes, "name": variable.name, "of": variable.of,
        "type": variable.type.kind, "rule": f"rules/{variable.rule}", "tracked": variable.tracked,
        "permanent": variable.permanent, "by_hand": variable.by_hand, "transient": variable.transient,
    }  # fmt: skip


def _rule(world: Transaction, placed: Placed | None, field: str) -> Mapping[str, object]:
    if placed is None:
        return {}
    described = {
        **placed.front, "title": placed.title, "slug": placed.slug, "section": placed.section, "number": placed.number,
        "parent": f"rules/{placed.parent}" if placed.parent else None, "status": placed.status,
        "default_status": placed.default_status, "mechanics": placed.mechanics,
    }  # fmt: skip
    if field not in ("text", ""):
        return described
    return {**described, "text": filled(world, placed)}
