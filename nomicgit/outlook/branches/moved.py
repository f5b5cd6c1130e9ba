"""What stands elsewhere in one text of prose than in another, as edits that move it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from nomicgit.law.sentences import canonical
from nomicgit.outlook.branches.anchored import AFTER, BEFORE, Edit, Trying, anchored
from nomicgit.outlook.branches.pieces import Hunk, Unit, following, hunks, passage, text_of, units, weight

MOST_MOVES = 20  # that are sought in one rule


def moves(old: str, trying: Trying) -> tuple[list[Edit], str]:
    """What stands elsewhere in the new prose, as edits, and the old prose after them."""
    edits: list[Edit] = []
    for _ in range(MOST_MOVES):
        moved = _move(old, trying)
        if moved is None:
            break
        edits.append(moved[0])
        old = moved[1]
    return edits, old


def _move(old: str, trying: Trying) -> tuple[Edit, str] | None:
    """A passage that stands elsewhere in the new prose, as one edit, and the prose after it; None where none does."""
    if not trying.patient:
        return None
    was, now = units(old), units(trying.final)
    trying.spend(weight(was, now) // 10)
    matcher = SequenceMatcher(None, [u.text for u in was], [u.text for u in now], autojunk=False)
    changes = matcher.get_opcodes()
    for _, i1, i2, _, _ in (op for op in changes if op[0] == "delete"):
        for _, at, _, j1, j2 in (op for op in changes if op[0] == "insert"):
            if _same(was[i1:i2], now[j1:j2]):
                for hunk, to in _ways(was, now, (i1, i2, j1, j2), at):
                    if (moved := _moved(was, now, hunk, to, old, trying)) is not None:
                        return moved
    return _crossed(old, trying)


def _crossed(old: str, trying: Trying) -> tuple[Edit, str] | None:
    """A unit that went elsewhere where others came into its place, moved beside what it stands beside now."""
    was, now = units(old), units(trying.final)
    before, after = (
        {text for text, n in Counter(u.text.strip() for u in some).items() if n == 1} for some in (was, now)
    )
    changed = hunks(was, now)
    far = _distance(changed)
    lost = {was[i].text.strip() for i1, i2, _, _ in changed for i in range(i1, i2)}
    best: tuple[int, Edit, str] | None = None
    heavy = weight(was, now) // 10
    for j in (j for _, _, j1, j2 in changed for j in range(j1, j2)):
        if now[j].text.strip() not in lost & before & after:
            continue
        beside = [
            (side, now[n].text.strip())
            for n, sides in ((j - 1, BEFORE), (j + 1, AFTER))
            if 0 <= n < len(now)
            for side in sides
        ]
        for side, anchor in beside:
            edit = {"move": passage(now[j : j + 1]), side: anchor}
            carried = trying.carried(old, edit) if anchor in before else None
            if carried is not None and carried.outcome == "applied" and trying.rests(edit):
                trying.spend(heavy)
                near = _distance(hunks(units(carried.text), now))
                if near < far - 1 and (best is None or near < best[0]):
                    best = near, edit, carried.text
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
    was: Sequence[Unit], now: Sequence[Unit], hunk: Hunk, at: int, text: str, trying: Trying
) -> tuple[Edit, str] | None:
    i1, i2, j1, j2 = hunk
    gained = list(now[j1:j2])
    behind = _closed(was, i2, now)
    if at >= i2:
        parts = [*was[:i1], *behind[: at - i2], *gained, *following(behind[at - i2 :], now[j2:])]
    else:
        parts = [*was[:at], *gained, *following(was[at:i1], now[j2:]), *behind]
    wanted = canonical(text_of(parts))
    before = was[:at] if at <= i1 else [*was[:i1], *was[i2:at]]
    after = was[at:] if at >= i2 else [*was[at:i1], *was[i2:]]
    edit = anchored(trying, {"move": passage(was[i1:i2])}, text, wanted, before, after)
    return None if edit is None else (edit, wanted)


def _closed(was: Sequence[Unit], at: int, now: Sequence[Unit]) -> list[Unit]:
    """The units from a place on, the first of them parted as in the new prose, where it stands there once."""
    rest = list(was[at:])
    same = [u for u in now if rest and u.text == rest[0].text]
    return [same[0], *rest[1:]] if len(same) == 1 else rest
