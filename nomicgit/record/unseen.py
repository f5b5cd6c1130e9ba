"""Matters that have become others since somebody did a deed upon them: whoever votes means what they have read, and no more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nomicgit.ground.files import Value
from nomicgit.law.variables import Type
from nomicgit.record.tree import GameTree

BRINGS = ("kind", "title", "body", "changes", "branch_head")
"""What a matter asks for: whoever is for it is for this."""
MADE = ("author", "at")
"""By which a post is the one that it was, however it is edited."""


def posts_in(value: object, kind: Type) -> Iterator[str]:
    """The references of the posts that a parameter means."""
    if isinstance(value, list):
        for each in value:
            yield from posts_in(each, kind.items or Type("any"))
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from posts_in(key, kind.keys or Type("any"))
            yield from posts_in(each, kind.fields.get(str(key), kind.values or Type("any")))
    elif kind.kind in ("post", "matter") and value is not None:
        yield f"posts/{str(value).lstrip('0') or '0'}"


def become_other(ref: str, follows: str | None, then: GameTree, seen: GameTree, now: GameTree) -> str:
    """Why a deed is not done again to a post: ``follows`` is its reference now where an own deed made it, ``then`` the game at
    which the deed was done, ``seen`` the one that whoever did it has read since. "" for a matter that is as they saw it.
    """
    means = follows or ref
    number = means.partition("/")[2]
    first, read, post = then.entity(ref), seen.entity(means), now.entity(means)
    if post is None:
        return ""
    another = f"post {number} is another than the one that was meant: read it, and do it again yourself"
    if first is None:
        return another
    if not (_is_matter(first) or _is_matter(post)):
        return ""
    if follows and _told(first, BRINGS) == _told(post, BRINGS):
        return ""
    same = _told(first, MADE) == _told(post, MADE)
    if read is not None and _told(read, BRINGS) == _told(post, BRINGS) and (same or seen is then):
        return ""
    return (
        f"post {number} has been edited since: read it, and try it once more" if same or follows else another
    )


def _is_matter(post: Mapping[str, Value]) -> bool:
    return post.get("status") is not None


def _told(post: Mapping[str, Value], fields: tuple[str, ...]) -> list[Value | None]:
    return [post.get(name) for name in fields]
