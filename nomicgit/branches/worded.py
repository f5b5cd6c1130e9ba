"""The difference of two texts of prose, as edits of whole sentences, items, rows and blocks.

Sentences that moved are sought first, then what was replaced, put in or taken out. Every edit is tried on
the prose as the edits before it leave it, and taken only where it gives just what is meant; quotes and
anchors are widened until each is found once. So the way in which the difference is sought decides nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice
from typing import Any

from nomicgit import prose
from nomicgit.prose import Places, canonical
from nomicgit.rules import fences

Edit = dict[str, Any]  # an ``amend`` without its rule
MOST_MOVES = 20  # that are sought in one rule
WIDEST = 3  # sentences that an anchor, or what stands beside a quote, is widened by

BEFORE, AFTER = ("after", "below"), ("before", "above")  # sides of what stands before a place, and after it
Hunk = tuple[int, int, int, int]  # units of the old prose, and those of the new in their place


@dataclass(frozen=True, slots=True)
class Unit:
    """A line of canonical prose, or a fenced block; ``apart``: a blank line stands before it."""

    text: str
    apart: bool


def worded(old: str, new: str) -> list[Edit] | None:
    """The edits that make one canonical prose of the other, in order; None where they are not found.

    Carried out once more on the new prose they have nothing to do.
    """
    moves, text = _moves(old, new)
    edits = _rest(text, new, moves)
    return edits if edits is not None or not moves else _rest(old, new, [])


def carried(text: str, edit: Edit) -> prose.Edit:
    """Carry an edit out on canonical prose."""
    places = Places(*(edit.get(key) for key in ("after", "before", "below", "above", "at")))
    whole = edit.get("whole") is True
    match edit:
        case {"replace": quote}:
            return prose.replace(text, quote, edit["with"], whole=whole)
        case {"remove": quote}:
            return prose.remove(text, quote, whole=whole)
        case {"move": quote}:
            return prose.move(text, quote, places)
        case _:
            return prose.add(text, edit["add"], places)


def _gives(text: str, edit: Edit, wanted: str) -> bool:
    found = carried(text, edit)
    return found.outcome == "applied" and found.text == wanted


# ---- units


def units(text: str) -> list[Unit]:
    """The units of canonical prose."""
    rows = text.split("\n")
    ends = {fence.start: len(rows) - 1 if fence.end is None else fence.end for fence in fences(rows)}
    found: list[Unit] = []
    at, apart = 0, False
    while at < len(rows):
        past = ends.get(at, at) + 1
        block = "\n".join(rows[at:past])
        if block.strip():
            found.append(Unit(block, apart))
        apart = bool(found) and not block.strip()
        at = past
    return found


def _text(found: Sequence[Unit]) -> str:
    """Units put together."""
    parts = [("\n\n" if each.apart else "\n") * bool(n) + each.text for n, each in enumerate(found)]
    return "".join(parts)


def _passage(found: Sequence[Unit]) -> str:
    """Units as a passage of their own: set in no further than needed."""
    rows = _text(found).split("\n")
    column = min((len(row) - len(row.lstrip(" ")) for row in rows if row.strip()), default=0)
    return "\n".join(row[column:] for row in rows)


def _following(found: Sequence[Unit], like: Sequence[Unit]) -> list[Unit]:
    """The units of the old prose behind a place, the first of them parted as it will be in the new."""
    if not found or not like or found[0].text != like[0].text:
        return list(found)
    return [Unit(found[0].text, like[0].apart), *found[1:]]


# ---- hunks


def _hunks(old: Sequence[Unit], new: Sequence[Unit]) -> list[Hunk]:
    """Where the units differ, in order: replaced one by one where that fits, and where only their parting differs."""
    found: list[Hunk] = []
    matcher = SequenceMatcher(None, [u.text for u in old], [u.text for u in new], autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            apart = (k for k in range(1, i2 - i1) if old[i1 + k].apart != new[j1 + k].apart)
            found += [(i1 + k, i1 + k, j1 + k, j1 + k) for k in apart]
        elif i2 - i1 == j2 - j1 and all(
            a.apart == b.apart for a, b in zip(old[i1 + 1 : i2], new[j1 + 1 : j2], strict=True)
        ):
            found += [(i1 + k, i1 + k + 1, j1 + k, j1 + k + 1) for k in range(i2 - i1)]
        else:
            found.append((i1, i2, j1, j2))
    return found


@dataclass(frozen=True, slots=True)
class _Step:
    """One hunk on its way: the prose now and as it is wanted, and the units around it.

    ``before`` are those of the new prose, which stand already; ``after`` those of the old, ``room`` of them
    up to the next hunk; ``behind`` what follows in the new prose.
    """

    text: str
    wanted: str
    before: Sequence[Unit]
    lost: Sequence[Unit]
    gained: Sequence[Unit]
    after: Sequence[Unit]
    behind: Sequence[Unit]
    room: int


def _rest(old: str, new: str, done: list[Edit]) -> list[Edit] | None:
    """The edits that were done already, and those for all hunks; together they do nothing when done again.

    Hunks that cannot be told apart are taken as one, and so is the next with one whose edit would not rest.
    """
    was, now = units(old), units(new)
    hunks = _hunks(was, now)
    glued: set[int] = set()  # the hunks that are to be taken as one with the next
    while True:
        found = _all_hunks(was, now, hunks, glued, old)
        if found is None:
            return None
        edits = [*done, *(edit for _, some in found for edit in some)]
        restless = _restless(edits, new)
        if restless is None:
            return edits
        group = next((at for at, some in found for edit in some if edit is restless), None)
        if group is None or len(hunks) - len(glued) < 2:
            return None
        while group in glued:
            group += 1
        if group == len(hunks) - 1:  # the last goes with those before it
            group = max(n for n in range(len(hunks) - 1) if n not in glued)
        glued.add(group)


def _restless(edits: Sequence[Edit], text: str) -> Edit | None:
    """The first edit that, done again, is skipped or does something."""
    return next((edit for edit in edits if carried(text, edit).outcome != "nothing"), None)


def _all_hunks(
    was: list[Unit], now: list[Unit], hunks: Sequence[Hunk], glued: Collection[int], text: str
) -> list[tuple[int, list[Edit]]] | None:
    """The edits for all hunks, from the first to the last, each with the number of its first hunk."""
    found: list[tuple[int, list[Edit]]] = []
    at = 0
    while at < len(hunks):
        for end in range(at, len(hunks)):
            if end in glued:
                continue
            following = hunks[end + 1][0] if end + 1 < len(hunks) else len(was)
            step = _step(was, now, (*hunks[at][::2], *hunks[end][1::2]), following, text)
            some = [] if step.wanted == text else _say(step)
            if some is not None:
                found.append((at, some))
                break
        else:
            return None
        text, at = step.wanted, end + 1
    return found if text == _text(now) else None


def _say(step: _Step) -> list[Edit] | None:
    """The first of the candidates that gives what is wanted; else what is lost is taken out, and then added to."""
    for edit in _candidates(step):
        if _gives(step.text, edit, step.wanted):
            return [edit]
    if not step.lost or not step.gained:
        return None
    removal = {"remove": _passage(step.lost), "whole": True}
    rest = carried(step.text, removal)
    if rest.outcome != "applied":
        return None
    placed = _placed({"add": _passage(step.gained)}, rest.text, step.wanted, step.before, step.after)
    return None if placed is None else [removal, placed]


def _step(
    was: list[Unit], now: list[Unit], hunk: tuple[int, int, int, int], following: int, text: str
) -> _Step:
    """The step of a hunk: where it begins in both, where it ends in both; the next one begins at ``following``."""
    i1, j1, i2, j2 = hunk
    wanted = canonical(_text([*now[:j2], *_following(was[i2:], now[j2:])]))
    return _Step(text, wanted, now[:j1], was[i1:i2], now[j1:j2], was[i2:], now[j2:], following - i2)


def _candidates(step: _Step) -> Iterator[Edit]:
    """Edits that may say a hunk, the closest first."""
    lost, gained = step.lost, step.gained
    if not step.text:
        yield {"add": _passage(gained)}
        return
    if gained and not lost:
        added = {"add": _passage(gained)}
        if (placed := _placed(added, step.text, step.wanted, step.before, step.after)) is not None:
            yield placed
        if not step.before or not step.after:
            yield added | {"at": "end" if step.before else "start"}
    elif lost and not gained:
        yield {"remove": _passage(lost), "whole": True}
    elif lost:
        yield {"replace": _passage(lost), "with": _passage(gained), "whole": True}
    for before, after in _widths(step):
        head, tail = step.before[len(step.before) - before :], step.after[:after]
        quote = _passage([*head, *lost, *tail])
        instead = _passage([*head, *gained, *_following(tail, step.behind)])
        if quote != instead:
            yield {"replace": quote, "with": instead, "whole": True}


def _widths(step: _Step) -> list[tuple[int, int]]:
    """By how many units a quote may be widened on both sides: a few, and as far as their blocks go."""
    ahead = next((n for n, each in enumerate(reversed(step.before), 1) if each.apart), len(step.before))
    behind = next((n for n, each in enumerate(step.after) if n and each.apart), len(step.after))
    sizes = {(a, b) for a in (0, 1, 2, ahead) for b in (0, 1, 2, behind)} - {(0, 0)}
    return sorted(((a, b) for a, b in sizes if a <= len(step.before) and b <= step.room), key=sum)


# ---- places


def _placed(edit: Edit, text: str, wanted: str, before: Sequence[Unit], after: Sequence[Unit]) -> Edit | None:
    """The edit with one place found by what stands before it, and one by what follows; None where neither fits."""
    first = _place(edit, text, wanted, BEFORE, _widening(before[::-1], backward=True))
    second = _place(edit, text, wanted, AFTER, _widening(after, backward=False))
    if first is None and second is None:
        return None
    both = edit | (first or {}) | (second or {})
    if _gives(text, both, wanted):
        return both
    return edit | (first or second or {})


def _place(
    edit: Edit, text: str, wanted: str, sides: Sequence[str], anchors: Iterator[str]
) -> dict[str, str] | None:
    for anchor in islice(anchors, WIDEST):
        for side in sides:
            if _gives(text, edit | {side: anchor}, wanted):
                return {side: anchor}
    return None


def _widening(found: Sequence[Unit], *, backward: bool) -> Iterator[str]:
    """Ever longer anchors out of the units nearest to a place."""
    for size in range(1, len(found) + 1):
        near = list(found[:size])
        yield _passage(near[::-1] if backward else near)


# ---- moves


def _moves(old: str, new: str) -> tuple[list[Edit], str]:
    """What stands elsewhere in the new prose, as edits, and the old prose after them."""
    found: list[Edit] = []
    for _ in range(MOST_MOVES):
        moved = _move(old, new)
        if moved is None:
            break
        found.append(moved[0])
        old = moved[1]
    return found, old


def _move(old: str, new: str) -> tuple[Edit, str] | None:
    """A passage that stands elsewhere in the new prose, as one edit, and the prose after it; None where none does."""
    was, now = units(old), units(new)
    matcher = SequenceMatcher(None, [u.text for u in was], [u.text for u in now], autojunk=False)
    changes = matcher.get_opcodes()
    for _, i1, i2, _, _ in (op for op in changes if op[0] == "delete"):
        for _, at, _, j1, j2 in (op for op in changes if op[0] == "insert"):
            if _same(was[i1:i2], now[j1:j2]):
                for hunk, to in _ways(was, now, (i1, i2, j1, j2), at):
                    if (found := _moved(was, now, hunk, to, old)) is not None:
                        return found
    return _crossed(old, new)


def _crossed(old: str, new: str) -> tuple[Edit, str] | None:
    """A unit that went elsewhere where others came into its place, moved beside what it stands beside now."""
    was, now = units(old), units(new)
    before, after = (
        {text for text, n in Counter(u.text for u in some).items() if n == 1} for some in (was, now)
    )
    changed = _hunks(was, now)
    far = _distance(changed)
    lost = {was[i].text for i1, i2, _, _ in changed for i in range(i1, i2)}
    best: tuple[int, Edit, str] | None = None
    for j in (j for _, _, j1, j2 in changed for j in range(j1, j2)):
        if now[j].text not in lost & before & after:
            continue
        beside = [
            (side, now[n].text)
            for n, sides in ((j - 1, BEFORE), (j + 1, AFTER))
            if 0 <= n < len(now)
            for side in sides
        ]
        for side, anchor in beside:
            edit = {"move": _passage(now[j : j + 1]), side: anchor.strip()}
            found = carried(old, edit) if anchor in before else None
            if found is not None and found.outcome == "applied":
                near = _distance(_hunks(units(found.text), now))
                if near < far - 1 and (best is None or near < best[0]):
                    best = near, edit, found.text
    return None if best is None else best[1:]


def _distance(hunks: Sequence[Hunk]) -> int:
    """How much differs: units that are lost or gained, and places where only the parting differs."""
    return sum(max(1, i2 - i1 + j2 - j1) for i1, i2, j1, j2 in hunks)


def _same(some: Sequence[Unit], others: Sequence[Unit]) -> bool:
    return [each.text for each in some] == [each.text for each in others]


def _ways(was: Sequence[Unit], now: Sequence[Unit], hunk: Hunk, at: int) -> Iterator[tuple[Hunk, int]]:
    """A passage that moves past others; or these others, moving past it: what moves, and where to."""
    i1, i2, j1, j2 = hunk
    yield hunk, at
    others = (i2, at, j1 - (at - i2), j1) if at >= i2 else (at, i1, j2, j2 + (i1 - at))
    if others[2] >= 0 and _same(was[others[0] : others[1]], now[others[2] : others[3]]):
        yield others, i1 if at >= i2 else i2


def _moved(
    was: Sequence[Unit], now: Sequence[Unit], hunk: Hunk, at: int, text: str
) -> tuple[Edit, str] | None:
    i1, i2, j1, j2 = hunk
    gained = list(now[j1:j2])
    behind = _closed(was, i2, now)
    if at >= i2:
        parts = [*was[:i1], *behind[: at - i2], *gained, *_following(behind[at - i2 :], now[j2:])]
    else:
        parts = [*was[:at], *gained, *_following(was[at:i1], now[j2:]), *behind]
    wanted = canonical(_text(parts))
    before = was[:at] if at <= i1 else [*was[:i1], *was[i2:at]]
    after = was[at:] if at >= i2 else [*was[at:i1], *was[i2:]]
    edit = _placed({"move": _passage(was[i1:i2])}, text, wanted, before, after)
    return (edit, wanted) if edit is not None and _gives(text, edit, wanted) else None


def _closed(was: Sequence[Unit], at: int, now: Sequence[Unit]) -> list[Unit]:
    """The units from a place on, the first of them parted as in the new prose, where it stands there once."""
    rest = list(was[at:])
    same = [u for u in now if rest and u.text == rest[0].text]
    return [same[0], *rest[1:]] if len(same) == 1 else rest
