"""What is new on the forge: two lists of what changed, asked for only if they did, then whole threads in bulk.

Threads are listed by when they last changed. GitHub does not promise that an edited comment counts as a change of
its thread, so changed comments are listed too. Its marks of lists (ETags) are another for every token, and a workflow
has a new token each time; what is told by the fingerprints of what was seen needs no mark.

Both lists are in the order of creation: what is said while pages are read then only ever moves things to later
pages. What is closed, deleted or moved elsewhere meanwhile moves the rest to earlier ones; so a list of several pages is read
until there is nothing in it that was not there before, and nothing is skipped.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.forge import threads
from nomicgit.forge.connection import Remote, after, listed
from nomicgit.forge.queries import PAGE
from nomicgit.forge.wire import Answer
from nomicgit.ground import clock
from nomicgit.ground.problems import Malformed
from nomicgit.steward.marks import is_marked
from nomicgit.steward.seen import Cursor, Issue, News, Pull

OVERLAP = 120
"""Seconds that are listed once more: the forge's own copies lag behind one another."""

SETTLED = 2
"""Seconds after which a time of the forge, told in whole seconds, cannot be that of another change as well."""

COMBED = 3
"""Pages of changed comments that are looked through; where there are more, all open threads are read instead."""

STEADY = 5
"""How often a list of several pages is read at most."""

Item = Mapping[str, Any]


class _List(Struct, frozen=True):
    """A list of what changed. ``whole`` False: it was too long, and broken off; ``at``: by the forge's clock."""

    items: list[Item]
    mark: str
    at: int
    whole: bool = True


def news(remote: Remote, cursor: Cursor | None, also: Iterable[int] = (), since: int = 0) -> News:
    """Every thread that changed since the cursor, whole; without a cursor every open one. See `GitHub.news`."""
    if cursor is None:
        return _everything(remote, set(also) | (_since(remote, since) if since else set()))
    from_ = clock.text(cursor.since)
    changed = _list(remote, "/issues", cursor.marks[0], since=from_, state="all")
    heard = _list(remote, "/issues/comments", cursor.marks[1], most=COMBED, since=from_)
    wanted = set(also)
    if changed:
        wanted |= {
            number for number, mark in _prints(changed.items).items() if cursor.seen.get(number) != mark
        }
    if heard:
        wanted |= _edited(heard.items, cursor)
    if heard and not heard.whole:
        open_ones = _list(remote, "/issues", "", state="open")
        wanted |= set(_prints(open_ones.items)) if open_ones else set()
    if not wanted:
        marks = (changed.mark if changed else cursor.marks[0], heard.mark if heard else cursor.marks[1])
        return News((), (), replace(cursor, marks=marks), nothing_new=True)
    return _read(remote, wanted, _onward(remote, cursor, changed, heard))


def whole(remote: Remote, watch: Callable[[int, int], None]) -> News:
    """Every thread, open or not; ``watch`` is told how many of how many are read. See `GitHub.whole`."""
    every = _list(remote, "/issues", "", state="all")
    numbers = sorted(_prints(every.items)) if every else []
    read: list[Pull | Issue] = []
    unread: list[int] = []
    for at in range(0, len(numbers), threads.BATCH):
        some = threads.read(remote, numbers[at : at + threads.BATCH])
        read, unread = [*read, *some.threads], [*unread, *some.unread]
        watch(min(at + threads.BATCH, len(numbers)), len(numbers))
    pulls = tuple(each for each in read if isinstance(each, Pull))
    issues = tuple(each for each in read if isinstance(each, Issue))
    return News(pulls, issues, Cursor(0), nothing_new=False, unread=tuple(unread), called=remote.called)


def _everything(remote: Remote, also: set[int]) -> News:
    open_ones = _list(remote, "/issues", "", state="open")
    assert open_ones is not None  # only a marked list can be unchanged
    wanted = set(_prints(open_ones.items)) | also
    start = Cursor(open_ones.at - OVERLAP)
    return _read(remote, wanted, (_settled(start, open_ones), open_ones.items))


def _since(remote: Remote, since: int) -> set[int]:
    """The numbers of all that changed since an instant, open or not."""
    from_ = clock.text(since - OVERLAP)
    changed = _list(remote, "/issues", "", since=from_, state="all")
    heard = _list(remote, "/issues/comments", "", since=from_)
    assert changed is not None  # only a marked list can be unchanged
    assert heard is not None
    return set(_prints(changed.items)) | _edited(heard.items, Cursor(0))


def _read(remote: Remote, wanted: set[int], onward: tuple[Cursor, list[Item]]) -> News:
    """Read the threads, and take off the cursor's fingerprints what was not read, or read from a copy that lags."""
    cursor, items = onward
    read = threads.read(remote, wanted)
    moments = {item["number"]: _moment(item, "updated_at") for item in items if "number" in item}
    stale = {each.number for each in read.threads if each.updated_at < moments.get(each.number, 0)}
    cursor = replace(
        cursor,
        seen={number: mark for number, mark in cursor.seen.items() if number not in stale.union(read.unread)},
        me=remote.viewer.id if remote.viewer else cursor.me,
    )
    pulls = tuple(each for each in read.threads if isinstance(each, Pull))
    issues = tuple(each for each in read.threads if isinstance(each, Issue))
    return News(
        pulls, issues, cursor, nothing_new=False, unread=read.unread, called=remote.called, denied=read.denied
    )


def _onward(
    remote: Remote, cursor: Cursor, changed: _List | None, heard: _List | None
) -> tuple[Cursor, list[Item]]:
    """The cursor after this reading: from a little before the lists on."""
    at = min((each.at for each in (changed, heard) if each), default=remote.wire.now())
    moved = replace(cursor, since=max(cursor.since, at - OVERLAP), marks=("", ""))
    if changed:
        moved = _settled(moved, changed)
    if heard:
        kept = {
            item["id"]: str(item.get("updated_at"))
            for item in heard.items
            if isinstance(item.get("id"), int)
            and moved.since <= _moment(item, "updated_at") <= heard.at - SETTLED
        }
        moved = replace(moved, heard=kept)
    return moved, changed.items if changed else []


def _settled(cursor: Cursor, listed: _List) -> Cursor:
    """The cursor with the fingerprints of what will be listed again, and cannot have changed unnoticed."""
    kept = [
        item for item in listed.items if cursor.since <= _moment(item, "updated_at") <= listed.at - SETTLED
    ]
    return replace(cursor, seen=_prints(kept))


def _edited(comments: Iterable[Item], cursor: Cursor) -> set[int]:
    """The numbers under which somebody else reworded a comment; new ones change their thread anyway."""
    numbers = set()
    for each in comments:
        user = each.get("user") or {}
        reworded = each.get("updated_at") != each.get("created_at")
        number = str(each.get("issue_url", "")).rpartition("/")[2]
        ours = cursor.me and user.get("id") == cursor.me and is_marked(str(each.get("body")))
        if reworded and not ours and cursor.heard.get(each.get("id", 0)) != each.get("updated_at"):
            numbers |= {int(number)} if number.isdigit() else set()
    return numbers


def _list(remote: Remote, path: str, mark: str, *, most: int = 0, **query: str) -> _List | None:
    """A list in order of creation; None where its mark says that it has not changed. ``most``: pages; 0 is all."""
    ordered: dict[str, str | int] = {"per_page": PAGE, "sort": "created", "direction": "asc"}
    first = remote.wire.get(remote.path + path, ordered | query, mark=mark)
    if first.status == 304:
        return None
    items, whole = _gathered(remote, first, most)
    if after(first) and whole:
        items = _steady(
            items, lambda: _gathered(remote, remote.wire.get(remote.path + path, ordered | query), 0)[0]
        )
    mark = "" if after(first) else first.headers.get("etag", "")  # it speaks for the first page only
    return _List(items, mark, first.at(remote.wire.now()), whole)


def _gathered(remote: Remote, first: Answer, most: int) -> tuple[list[Item], bool]:
    """What stands on a page and those that follow it, on the first ``most`` of them where that is not 0; and whether that is all."""
    items: list[Item] = []
    for count, page in enumerate(remote.following(first), 1):
        items += listed(page)
        if count == most and after(page):
            return items, False
    return items, True


def _steady(items: list[Item], anew: Callable[[], list[Item]]) -> list[Item]:
    """What stands in a list that is read ``anew`` until it shows nothing more."""
    known = {item.get("id"): item for item in items}
    for _ in range(STEADY - 1):
        before = len(known)
        known |= {item.get("id"): item for item in anew()}
        if len(known) == before:
            break
    return list(known.values())


def _prints(items: Iterable[Item]) -> dict[int, str]:
    """The fingerprint of each thread listed: whatever shows in a list is in it."""
    return {
        item["number"]: hashlib.sha256(json.dumps(item, sort_keys=True).encode()).hexdigest()[:16]
        for item in items
        if isinstance(item.get("number"), int)
    }


def _moment(item: Item, key: str) -> int:
    try:
        return clock.instant(str(item.get(key)))
    except Malformed:
        return 0
