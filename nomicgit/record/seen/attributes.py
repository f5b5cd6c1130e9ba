"""Attributes by which Git changes the files of a game when it lays them down: anyone can push a ``.gitattributes``.

The record stays what it is, but in a clone that Git has made so every file of the game seems edited. So it is where the line
is taken out, or overruled, by which Git leaves the game's line ends alone, whatever a player's settings are. What is said of files
below the game's folder changes the game itself, and is named as that.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from msgspec import Struct

from nomicgit.git import Repository
from nomicgit.ground.kept import late
from nomicgit.ground.problems import NomicError, Refused, printable
from nomicgit.ground.remedies import as_json, command, remedy
from nomicgit.record import line
from nomicgit.record.tree import GAME

FILE = ".gitattributes"
SAID = "Leave the game's files as they are recorded"
_CHANGES = late(r"(?:eol=crlf|ident|(?:working-tree-encoding|filter)(?:=.*)?)", re.DOTALL)
_MACRO = "[attr]"
GUARD = "\n/game/** -text\n"
"""The line of a founding by which Git leaves the line ends of the game's files alone."""
GONE = "no -text"
_MOST_LINES, _MOST_LETTERS = 200, 65_536
"""Of a file that is read line by line: a longer one is taken for what it could mean at worst."""
_MOST_STARS = 3
"""Of a pattern: with more of them there are too many ways to try."""
_STARS = late(r"\*+")
_SPEAKS = late(r"(?<!-)text")


class Attributed(Struct, frozen=True):
    """What lets Git change the game's files, and the commit that brought it; ``before`` is the commit before that one, where
    it has such a file too, and else "".
    """

    commit: str
    by: str
    names: tuple[str, ...]
    before: str

    def __str__(self) -> str:
        what = printable(", ".join(self.names), 200)
        return (
            f"commit {self.commit[:12]} {line.in_the_name(self.by)}: {FILE} lets Git change the game's files ({what}), "
            "so that a new clone takes them for edited"
        )

    @property
    def mend(self) -> str:
        """What to do about it, in a clone that Git has made so too."""
        checkout, folder = ("git", "checkout"), GAME.rstrip("/")
        back = (*checkout, self.before, "--", FILE) if self.before else ("git", "rm", "--quiet", FILE)
        anew = command("rm", "-rf", folder), command(*checkout, "--", folder)
        sync = command("nomicgit", "sync")
        return remedy(
            "put it right, and lay the game's files down anew:",
            command(*back),
            command("git", "commit", "--message", SAID),
            *anew,
            sync,
            "then, in each clone that Git has made so:",
            sync,
            *anew,
        )

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {"commit": self.commit, "by": self.by, "names": list(self.names)} | as_json(self.mend)


def changing(repository: Repository, tip: str) -> Attributed | None:
    """What lets Git change the files of the game at a commit; None where nothing does."""
    tree, wrong = repository.commit(tip).tree, _at
    names = _at(repository, tree)
    if not names and _as_bytes(repository, tree):
        return None
    touching = [repository.commit(walked.oid) for walked in repository.walked(tip, FILE)]
    if not names:
        if not any(_as_bytes(repository, each.tree) for each in touching):
            return None  # no file has ever asked for more than Git does by itself
        names, wrong = (GONE,), _no_bytes
    commit, before = repository.commit(tip), ""
    for commit in touching:
        if not commit.parents:
            break
        earlier = repository.commit(commit.parents[0])
        if not wrong(repository, earlier.tree):
            before = earlier.oid if repository.entry(earlier.tree, FILE) else ""
            break
    return Attributed(commit.oid, commit.author, names, before)


def refuse_edited(repository: Repository, paths: Collection[str], head: str) -> None:
    """Refuse to touch files that differ in the folder from a head; where Git was let change them, that is said."""
    tree = repository.commit(head).tree
    if repository.local_edits(paths, tree) and (brought := changing(repository, head)):
        raise Refused.of(f"files of the game differ from the record: {brought}", mend=brought.mend)
    repository.refuse_edited(paths, tree)


def _at(repository: Repository, tree: str) -> tuple[str, ...]:
    """What a tree lets Git do to the files of its game, as it stands there."""
    text = _text(repository, tree)
    if not _CHANGES.search(text):
        return ()
    said = list(_said(text))
    if not any(_CHANGES.fullmatch(word) for _, _, words in said for word in words):
        return ()
    return next((names for path in _paths(repository, tree) if (names := _of(path, said)[0])), ())


def _as_bytes(repository: Repository, tree: str) -> bool:
    """Whether a tree has Git take every file of its game as bytes, whose line ends it leaves alone in every clone."""
    text = _text(repository, tree)
    _, guard, after = text.rpartition(GUARD)
    if guard and not _SPEAKS.search(after) and _MACRO not in text:
        return True
    said = list(_said(text))
    return bool(said) and all(_of(path, said)[1] for path in _paths(repository, tree))


def _no_bytes(repository: Repository, tree: str) -> tuple[str, ...]:
    return () if _as_bytes(repository, tree) else (GONE,)


def _text(repository: Repository, tree: str) -> str:
    try:
        return (repository.file(tree, FILE) or b"").decode("utf-8", "surrogateescape")
    except NomicError:  # a link, or one too large: Git reads neither
        return ""


def _paths(repository: Repository, tree: str) -> Iterator[str]:
    return (path for path, _ in repository.walk(tree, GAME.rstrip("/")))


_Said = tuple[re.Pattern[str], re.Pattern[str], list[str]]
"""A line: the paths that it may mean in some clone, those that it means in each, and its attributes."""
_AT_WORST = late(".*", re.DOTALL), re.compile("(?!)")
"""A pattern that may mean every path, and of which nobody knows that it means one."""


def _said(text: str) -> Iterator[_Said]:
    macros: dict[str, list[str]] = {}
    lines = text.splitlines()
    if len(lines) > _MOST_LINES or len(text) > _MOST_LETTERS:
        yield *_AT_WORST, [*dict.fromkeys(text.split())]
        return
    for each in lines:
        pattern, *names = each.split() or ["#"]
        words = [word for name in names for word in (name, *macros.get(name, ()))]
        words = [*dict.fromkeys(words[::-1])][
            ::-1
        ]  # macros of macros are ever more words, and the last of a kind counts
        if pattern.startswith("#"):
            continue
        if pattern.startswith(_MACRO):
            macros[pattern.removeprefix(_MACRO)] = words
            continue
        if pattern.startswith('"') or len(_STARS.findall(pattern)) > _MOST_STARS:
            yield *_AT_WORST, words  # such a pattern is rare
            continue
        means = _pattern(pattern)
        yield re.compile(means, re.IGNORECASE | re.DOTALL), re.compile(means, re.DOTALL), words


def _of(path: str, said: list[_Said]) -> tuple[tuple[str, ...], bool]:
    """What these lines let Git do to a file, and whether it is bytes to it: the last one that speaks of something counts."""
    does: dict[str, str] = {}
    as_bytes = False  # then Git asks for no line ends
    for may, means, words in said:
        may_mean, does_mean = may.fullmatch(path), means.fullmatch(path)
        for word in words:
            name = word.lstrip("-!").partition("=")[0]
            if word in ("-text", "binary"):
                as_bytes |= bool(does_mean)
            elif name == "text":
                as_bytes &= not may_mean
            elif _CHANGES.fullmatch(word):
                does |= {name: word} if may_mean else {}
            elif does_mean:
                does.pop(name, None)
    return tuple(word for name, word in does.items() if name != "eol" or not as_bytes), as_bytes


def _pattern(pattern: str) -> str:
    """A pattern of Git's for paths, as a regular expression for a whole path."""
    anchored = "/" in pattern.rstrip("/")
    parts = re.split(r"(\*\*/|/\*\*$|\*+|\?|\[[^]]+\])", pattern.lstrip("/"))
    made = "".join(_part(part) for part in parts)
    return made if anchored else f"(?:.*/)?{made}"


def _part(part: str) -> str:
    match part:
        case "**/":
            return "(?:.*/)?"
        case "/**":
            return "/.*"
        case "?":
            return "[^/]"
        case _ if part and not part.strip("*"):
            return "[^/]*"
        case _ if part.startswith("[") and part.endswith("]"):
            return "[^/]"
    return re.escape(part)
