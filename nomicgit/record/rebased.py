"""A branch that was moved since its matter was submitted: its new end is merged where it says just what the matter does.

Nobody has voted on the moved branch itself, so the deed that names it is held to the matter, here as in every clone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nomicgit.git import Repository
from nomicgit.ground.problems import NomicError
from nomicgit.law.shapes import Change
from nomicgit.record.proof import gives, of_branch
from nomicgit.record.tree import RULESET, SCENARIOS, GameTree

MOST_TOUCHED = 2_000  # files and folders


def says_the_same(repository: Repository, changes: Sequence[Change], before: str, head: str) -> bool:
    """Whether a matter's changes make of the newest commit that a head shares with the game's line just what lies at that
    head, and nothing else differs there. ``before``: the commit upon which the matter is enacted.
    """
    try:
        base = repository.merge_base(before, head)
        if base is None:
            return False
        old, new = (GameTree(repository, repository.commit(oid).tree) for oid in (base, head))
        paths = [path for path, _, _ in repository.changed(old.tree, new.tree, MOST_TOUCHED)]
        if not all(path.startswith((RULESET, SCENARIOS)) for path in paths):
            return False
        mine = [change for change in changes if of_branch(change)]
        names = [
            path.removeprefix(SCENARIOS).removesuffix(".yml") for path in paths if path.startswith(SCENARIOS)
        ]
        said = {
            each["scenario"]["name"]: _ended(each["scenario"]["text"]) for each in mine if "scenario" in each
        }
        there = {name: text for name in names if (text := _text(new, name)) != _text(old, name)}
        used = (old.entity("used") or {}).get("slugs", ())
        return said == there and gives(old.ruleset(), mine, new.ruleset(), frozenset(used))
    except (NomicError, KeyError, TypeError):  # what cannot be read, or is no form of change, says nothing
        return False


def _text(tree: GameTree, name: str) -> str | None:
    scenario: Mapping[str, object] = tree.entity(f"scenarios/{name}") or {}
    return _ended(scenario.get("text"))


def _ended(text: object) -> str | None:
    return None if text is None else str(text).rstrip("\n") + "\n"
