"""Matters that have become others since somebody did a deed upon them: whoever votes means what they have read, and no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from nomicgit.git import Repository
from nomicgit.ground.files import Value
from nomicgit.law.variables import Type
from nomicgit.record import journal
from nomicgit.record.tree import GameTree

BRINGS = ("kind", "title", "body", "changes", "branch_head")
"""What a matter asks for: whoever is for it is for this."""
MADE = ("author", "at")
"""What no edit of a post changes: with others it is another one."""


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


def become_other(
    ref: str,
    follows: str | None,
    then: GameTree,
    seen: GameTree,
    now: GameTree,
    by_one: Callable[[str, str], bool],
) -> str:
    """Why a deed is not done again to a post: ``follows`` is its reference now where an own deed made it, ``then`` the game at
    which the deed was done, ``seen`` the one that whoever did it has read since; ``by_one`` whether one deed has made what had a
    reference then and what has another now. "" for a matter that is as they saw it, and for a post that is no matter and the same one.
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
        as_it_was = _told(first, (*BRINGS, *MADE)) == _told(post, (*BRINGS, *MADE))
        return "" if follows or as_it_was or by_one(ref, means) else another
    if follows and _told(first, BRINGS) == _told(post, BRINGS):
        return ""
    as_read = read is not None and _told(read, BRINGS) == _told(post, BRINGS)
    if as_read and seen is then:
        return ""
    same = bool(follows) or (_told(first, MADE) == _told(post, MADE) and by_one(ref, means))
    if as_read and same:
        return ""
    return f"post {number} has been edited since: read it, and try it once more" if same else another


def spoken_under(means: str, read: Sequence[Mapping[str, Value]], now: GameTree, by: str | None) -> str:
    """Why a post is not taken out, under which others than whoever does that have spoken beside what these have ``read``."""
    if all(each in read or each.get("by") == by for each in now.comments(means)):
        return ""
    number = means.partition("/")[2]
    return f"others have spoken under post {number} since, and their words would go with it: read them, and try it once more"


def maker(repository: Repository, tip: str, path: str) -> str:
    """The id of the deed that has made the post whose file lies at a path, as it stands at a commit; "" where none has."""
    upto: str | None = tip
    while upto:
        start, upto = upto, None
        for touched in repository.walked(start, path):
            commit = repository.commit(touched.oid)
            to = journal.goes_back_to(commit.message)
            if to and repository.resolve(to) is not None:
                upto = to  # it stands as it did there
                break
            if not any(repository.entry(repository.commit(each).tree, path) for each in commit.parents[:1]):
                return journal.deed_id(commit.message)
    return ""


def _is_matter(post: Mapping[str, Value]) -> bool:
    return post.get("status") is not None


def _told(post: Mapping[str, Value], fields: tuple[str, ...]) -> list[Value | None]:
    return [post.get(name) for name in fields]
