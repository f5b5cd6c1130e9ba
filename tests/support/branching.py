"""Branches without a game: a few rules in a real repository, and commits made of what a test says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nomicgit.git import Repository
from nomicgit.ground.problems import NomicError
from nomicgit.law.ruleset import Ruleset
from nomicgit.outlook.branches import Expressed, changes_of
from nomicgit.record.proof import Carried, carry
from nomicgit.record.settings import Settings
from nomicgit.record.tree import SETTINGS

VOTES = """\
---
title: Votes
limits:
  daily: {per: day, gap: 10h}
variables:
  voted: {of: player, type: boolean}
overrides: [tally]
---
A player may vote once.
A vote may be changed within {{limits.daily.gap}}.
It counts at once.

```starlark
ICONS = ["for", "against"]

def quorum():
    return 3

# Who may vote.
def may_vote(player):
    return True
```
"""
RULES: Mapping[str, str] = {
    "1-core/10-votes.md": VOTES,
    "1-core/10-votes/10-icons.md": "---\ntitle: Icons\n---\nAn icon is a vote.\n",
    "2-dynastic/10-gear.md": "---\ntitle: Gear\n---\nGear is bought.\nIt is worn.\n\n- A hat.\n- A coat.\n",
    "2-dynastic/20-tea.md": "---\ntitle: Tea\n---\nTea is drunk.\n",
    "2-dynastic/30-moon.md": "---\ntitle: Moon\n---\nThe moon shines.\n",
    "3-special-case/10-favours.md": "---\ntitle: Favours\nrare: true\n---\nFavours are owed.\n",
}
HOME = "game/ruleset/"
Files = Mapping[str, str | bytes | None]


class Desk:
    """A repository with some rules, and the branches that a test makes of them."""

    def __init__(self, folder: Path, rules: Mapping[str, str] = RULES) -> None:
        self.repository = Repository.init(folder)
        self.rules = dict(rules)
        settings = Settings("Desk", "desk").as_file()
        self.base = self.commit(
            None, {SETTINGS: settings, **{HOME + path: text for path, text in rules.items()}}
        )

    def commit(
        self, parent: str | None, files: Files, *, tree: str | None = None, message: str = "words"
    ) -> str:
        """A commit on top of another, with some files put or (None) taken out; or with this very tree."""
        old = self.repository.commit(parent).tree if parent else None
        changes = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
        tree = tree or self.repository.tree_with(old, changes)
        lines = [f"tree {tree}", *([f"parent {parent}"] if parent else [])]
        lines += [f"{role} T <t@example.org> 0 +0000" for role in ("author", "committer")]
        return self.repository.write("commit", ("\n".join([*lines, "", message]) + "\n").encode())

    def says(self, files: Files, *, base: str | None = None) -> Expressed:
        """What a branch with these rule files, by their paths under the ruleset, comes to."""
        head = self.commit(base or self.base, {HOME + path: text for path, text in files.items()})
        return changes_of(self.repository, base or self.base, head)

    def changes(self, files: Files) -> list[Any]:
        """The changes of such a branch."""
        return list(self.says(files).changes)

    def wrong(self, files: Files) -> list[str]:
        """All problems of a branch with these files, by their whole paths."""
        try:
            changes_of(self.repository, self.base, self.commit(self.base, files))
        except NomicError as error:
            return [str(problem) for problem in error.problems]
        raise AssertionError("nothing is wrong with it")

    def ruleset(self, files: Files | None = None) -> Ruleset:
        """The rules, or those after some files have been put."""
        found: dict[str, str] = dict(self.rules)
        for path, text in (files or {}).items():
            assert not isinstance(text, bytes)
            if text is None:
                del found[path]
            else:
                found[path] = text
        return Ruleset.read(found)

    def enacted(self, *proposals: Expressed) -> Carried:
        """The rules after proposals were enacted in turn, and why any change of them was skipped."""
        ruleset, whys = self.ruleset(), []
        for each in proposals:
            found = carry(ruleset, each.changes, RULES)
            ruleset = found.ruleset
            whys += list(found.whys)
        return Carried(ruleset, tuple(whys))


def rule(path: str, *edits: tuple[str, str]) -> str:
    """A rule's file with some texts replaced, each of which must stand there once."""
    text = RULES[path]
    for old, new in edits:
        assert text.count(old) == 1, f"{old!r} stands there {text.count(old)} times"
        text = text.replace(old, new)
    return text
