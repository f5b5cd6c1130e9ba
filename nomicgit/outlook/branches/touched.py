"""What a branch touches: two trees of Git compared, entry by entry, within budgets.

Only trees are read here, never a log and never the file system, so that neither a merge nor a rename hides
anything. What lies outside of rules and scenarios is a problem, and so is whatever some file system, or Git,
could take for something else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from nomicgit.git import Repository, TooLarge
from nomicgit.ground.problems import Place, Problem, Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.record.tree import POSTS, RULESET, SCENARIOS, STATE

MOST_ENTRIES = 2_000  # that differ, folders included
MOST_DEEP = 12  # folders
MOST_OF_TREE = 256 * 1024  # bytes of one folder's object
MOST_PROBLEMS = 100

FILE, FOLDER = "100644", "40000"
Entry = tuple[str, str]  # mode and id

_NAME = re.compile(r"[A-Za-z0-9._-]{1,255}")
_OBEYED = re.compile(r"\.git[a-z]*|\.mailmap", re.IGNORECASE)
_ODD = {"120000": "a symbolic link", "160000": "a submodule", "100755": "a program"}


class Touched(Struct, frozen=True):
    """A file of the rules or scenarios that a branch adds, changes or takes out: its blobs before and after."""

    path: str
    old: str | None
    new: str | None


class Walk(Struct):
    """A walk through two trees: what differs, and what is wrong with it. ``back`` is the base, for advice."""

    repository: Repository
    back: str
    files: list[Touched] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    count: int = 0

    def compare(self, old: str | None, new: str | None, within: str = "", deep: int = 0) -> None:
        """Compare two folders. Refused where there is more than any proposal needs."""
        if old == new:
            return
        if deep > MOST_DEEP:
            raise _too_much(within, f"the branch nests folders more than {MOST_DEEP} deep")
        before = self.repository.tree(old) if old else {}
        after = self._read(new, within) if new else {}
        folded = Counter(name.casefold() for name in after)
        for name in dict.fromkeys((*before, *after)):
            was, now = before.get(name), after.get(name)
            if was == now:
                continue
            self.count += 1
            if self.count > MOST_ENTRIES or len(self.problems) >= MOST_PROBLEMS:
                raise Refused(*self.problems, *_too_much(within, "the branch touches too much").problems)
            if why := _unfit(name, now, twins=folded[name.casefold()] - 1):
                self._wrong(within + name, why, was)
            else:
                self._entry(within + name, was, now, deep)

    def _read(self, tree: str, within: str) -> Mapping[str, Entry]:
        try:
            return self.repository.tree(tree, limit=MOST_OF_TREE)
        except TooLarge:
            raise _too_much(within, "a folder of the branch holds too much") from None

    def _entry(self, path: str, was: Entry | None, now: Entry | None, deep: int) -> None:
        was_folder, was_file = _apart(was)
        now_folder, now_file = _apart(now)
        if was_folder or now_folder:
            if (was_folder and now_folder) or _leads_to_rules(path):
                self.compare(was_folder, now_folder, path + "/", deep + 1)
            else:
                self._wrong(path + "/", _foreign(path + "/"), was)
        if not (was_file or now_file):
            return
        if _ours(path):
            self.files.append(Touched(path, was_file, now_file))
        else:
            self._wrong(path, _foreign(path), was)

    def _wrong(self, path: str, what: str, was: Entry | None) -> None:
        shown = printable(path)
        back = ("restore", f"--source={self.back}", "--staged", "--worktree", "--") if was else ("rm", "-r")
        plain = shown == path and _plain(path)
        what_to_do = (
            "write the change `set: {PATH: VALUE}`, and take it out"
            if path.startswith(STATE)
            else "take it out"
        )
        mend = (
            remedy(f"{what_to_do}:", command("git", *back, path)) if plain else f"{what_to_do} of the branch"
        )
        self.problems.append(Problem(what, Place(shown), mend))


def touched(repository: Repository, base: str, head: str, back: str) -> tuple[list[Touched], list[Problem]]:
    """The files that differ between two trees, by path, and every problem with what differs.

    Raises Refused where there is more to look at than any proposal needs.
    """
    walk = Walk(repository, back)
    walk.compare(base, head)
    return sorted(walk.files, key=lambda each: each.path), walk.problems


def enough(problems: Sequence[Problem]) -> None:
    """Refused where so much is wrong with a branch that no more is looked for."""
    if len(problems) >= MOST_PROBLEMS:
        more = Problem("more may be wrong with the branch", mend="put these right first")
        raise Refused(*problems[:MOST_PROBLEMS], more)


def _apart(entry: Entry | None) -> tuple[str | None, str | None]:
    """An entry as the id of a folder, or of a file."""
    if entry is None:
        return None, None
    return (entry[1], None) if entry[0] == FOLDER else (None, entry[1])


def _unfit(name: str, now: Entry | None, *, twins: int) -> str:
    """Why an entry of the branch is none that a game can hold, or ""; ``twins`` differ from it in capitals only."""
    if now is None:
        return ""
    if _OBEYED.fullmatch(name):
        return "Git, or the forge, obeys this file"
    if not _NAME.fullmatch(name) or not name.strip(".") or name.endswith("."):
        return "this name is not made of letters A to Z, digits, dots, hyphens and underscores"
    if twins:
        return "another name differs from this one in capitals only; on many machines they are one file"
    if now[0] not in (FILE, FOLDER):
        return f"this is {_ODD.get(now[0], 'of the mode ' + printable(now[0], 20))}, not a file"
    return ""


def _ours(path: str) -> bool:
    return path.startswith((RULESET, SCENARIOS))


def _leads_to_rules(path: str) -> bool:
    return _ours(path + "/") or any(home.startswith(path + "/") for home in (RULESET, SCENARIOS))


def _foreign(path: str) -> str:
    """What is wrong with touching a path that is none of a rule or scenario."""
    if path.startswith(STATE):
        return "a branch does not touch the gamestate"
    if path.startswith(POSTS):
        return "a branch does not touch posts"
    return "this is neither a rule nor a scenario"


def _plain(path: str) -> bool:
    return all(_NAME.fullmatch(name) and name[0] != "-" for name in path.rstrip("/").split("/"))


def _too_much(path: str, what: str) -> Refused:
    mend = f"a proposal touches at most {MOST_ENTRIES:,} small files; bring less"
    return Refused.of(what, file=printable(path), mend=mend)
