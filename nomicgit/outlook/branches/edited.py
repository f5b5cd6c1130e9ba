"""What a branch does to one rule, as changes that are proven on that rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from nomicgit.ground.problems import Place, Problem, Refused
from nomicgit.law.paths import digest, keyed
from nomicgit.law.rules import STATUSES, Rule, render
from nomicgit.law.ruleset import Placed, Ruleset
from nomicgit.law.sentences import canonical
from nomicgit.law.shapes import Change
from nomicgit.outlook.branches.anchored import Patience
from nomicgit.outlook.branches.coded import coded
from nomicgit.outlook.branches.leaves import declared
from nomicgit.outlook.branches.worded import worded
from nomicgit.record.proof import gives, likeness


class Edits(Struct, frozen=True):
    """The changes of one rule; ``whole``: the parts of it that could only be said as a whole."""

    slug: str
    changes: tuple[Change, ...]
    whole: tuple[str, ...] = ()


def edited(base: Placed, head: Placed, patience: Patience) -> Edits:
    """The changes that make one rule of another of the same slug, apart from its place. Refused if there are none.

    What is tried on the way is taken from the patience.
    """
    made: list[Change] = []
    whole: list[str] = []
    if base.title != head.title:
        made.append({"rename": {"rule": base.slug, "to": head.title}})
    parts = {
        "declarations": _declarations(base, head),
        "mechanics": _mechanics(base, head),
        "prose": _prose(base, head, patience),
    }
    for name, (changes, entire) in parts.items():
        made += changes
        whole += [name] if entire else []
    if not _proven(base, head.rule, made):
        raise Refused(
            Problem(
                f"what the branch does to the rule {base.slug} cannot be said as changes",
                Place(head.file, rule=head.title),
                "edit less of it",
            )
        )
    return Edits(base.slug, tuple(made), tuple(whole))


def _proven(base: Placed, wanted: Rule, changes: Sequence[Change]) -> bool:
    """Whether changes make this of a rule, tried on a ruleset of that rule alone."""
    path = f"{base.path.partition('/')[0]}/10-{base.slug}.md"
    alone = Ruleset.read({path: render(base.rule)})
    return gives(alone, changes, Ruleset.read({path: render(wanted)}), ())


def _with(
    base: Placed, *, text: str | None = None, front: Mapping[str, Any] | None = None, code: str | None = None
) -> Rule:
    rule = base.rule
    return Rule(
        rule.slug, rule.title, rule.front if front is None else front, canonical(rule.prose) if text is None else text,
        rule.mechanics if code is None else code,
    )  # fmt: skip


def _amend(slug: str, *bodies: Mapping[str, object]) -> list[Change]:
    return [{"amend": {"rule": slug, **body}} for body in bodies]


def _prose(base: Placed, head: Placed, patience: Patience) -> tuple[list[Change], bool]:
    old, new = canonical(base.prose), canonical(head.prose)
    if old == new:
        return [], False
    edits = worded(old, new, patience)
    changes = _amend(base.slug, *edits) if edits is not None else []
    if edits and _proven(base, _with(base, text=new), changes):
        return changes, False
    return _amend(base.slug, {"text": new, "was": {"text": digest(old, code=True)}}), True


def _declarations(base: Placed, head: Placed) -> tuple[list[Change], bool]:
    if keyed(base.front) == keyed(head.front):
        return [], False
    old, new = dict(base.front), dict(head.front)
    made: list[Change] = []
    if (
        base.section == head.section == "special-case"
        and new.get("status") in STATUSES
        and old.get("status") != new["status"]
    ):
        made.append({"status": {base.slug: new["status"]}})
        old["status"] = new["status"]
    bodies = declared(old, new)
    changes = made + _amend(base.slug, *bodies) if bodies is not None else []
    if bodies is not None and _proven(base, _with(base, front=head.front), changes):
        return changes, False
    return _amend(
        base.slug, {"declares": dict(head.front), "was": {"declares": digest(dict(base.front))}}
    ), True


def _mechanics(base: Placed, head: Placed) -> tuple[list[Change], bool]:
    if likeness(base.mechanics) == likeness(head.mechanics):
        return [], False
    changes = _amend(base.slug, *coded(base.mechanics, head.mechanics))
    if changes and _proven(base, _with(base, code=head.mechanics), changes):
        return changes, False
    whole = {"mechanics": head.mechanics, "was": {"mechanics": digest(base.mechanics, code=True)}}
    return _amend(base.slug, whole), True
