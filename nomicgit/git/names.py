"""Names of branches and tags that some clone takes for another, or cannot keep: each is a file there."""

from __future__ import annotations

import re
from collections.abc import Collection

from nomicgit.git.trees import folded
from nomicgit.git.upstream import HEADS
from nomicgit.ground.characters import as_read

TAGS = "refs/tags/"
_DIGITS = re.compile("[0-9a-fA-F]{7,64}")
_OURS = re.compile(
    "@|head|(?:fetch|orig|merge|cherry_pick|revert|rebase|bisect)_head|auto_merge|bisect_expected_rev|stash"
)
"""What a clone itself calls where it stands or stood, and what is put aside there; folded."""
_PLACES = ("refs", "heads", "tags", "remotes")
"""The folders in which a clone keeps names: one that begins so is looked for there first."""
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?")
_NO_FILE = re.compile(r'[<>"|]')
"""What no name of a file has on Windows, of that which Git lets branches have."""


def unlike_others(ref: str, branch: str, there: Collection[str]) -> str:
    """Why a new branch or tag cannot be called so beside the game's branch and others; "" where it can."""
    if not _plain(ref):
        return "holds what is no text, or is not seen"
    space, short = (
        (HEADS, ref.removeprefix(HEADS)) if ref.startswith(HEADS) else (TAGS, ref.removeprefix(TAGS))
    )
    if short.startswith("-"):
        return "reads like an option of a command"
    if _DIGITS.fullmatch(short):
        return "reads like the beginning of a commit's id"
    fold, game = folded(short), folded(branch.removeprefix(HEADS))
    parts = fold.split("/")
    if _OURS.fullmatch(parts[0]):
        return "reads like what a clone calls where it stands, or what is put aside there"
    if _NO_FILE.search(fold) or any(_DEVICE.fullmatch(part) or part.endswith(".") for part in parts):
        return "is no name of a file on Windows"
    if _one(fold, game) or folded(ref).endswith(f"/{folded(branch)}") or reads_like(short, game):
        return "reads like the game's branch"
    if parts[0] in _PLACES:
        return "reads like a place in which a clone keeps branches or tags"
    others = (each for each in there if each != ref and each.startswith(space))
    alike = next((each for each in others if _one(fold, folded(each.removeprefix(space)))), None)
    return f"is one with {alike} where capitals do not count" if alike else ""


def reads_like(name: str, branch: str) -> bool:
    """Whether a branch or a tag reads like the game's branch, or like what is current, be it that of another repository, such as
    ``origin/main``: Git, or whoever looks, takes it for that in some clone.
    """
    read, game = as_read(folded(name)), as_read(folded(branch))
    return any(read == each or read.endswith(f"/{each}") for each in (game, as_read("head")))


def is_gits(tag: str) -> bool:
    """Whether a tag, by its whole name, is called as Git itself calls something: where that is said, some command means the tag."""
    first = folded(tag.removeprefix(TAGS)).split("/")[0]
    return bool(_OURS.fullmatch(first)) or first in _PLACES


def _one(name: str, other: str) -> bool:
    """Whether two folded names are one file, or one of them the folder of the other."""
    return name == other or name.startswith(f"{other}/") or other.startswith(f"{name}/")


def _plain(ref: str) -> bool:
    try:
        ref.encode()
    except UnicodeEncodeError:
        return False
    return ref.isprintable()
