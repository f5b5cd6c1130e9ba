"""The difference of two texts of prose, as edits of whole sentences, items, rows and blocks.

Sentences that moved are sought first, then what was replaced, put in or taken out. Every edit is tried on
the prose as the edits before it leave it, and taken only where it gives just what is meant and would have
nothing to do in the end; quotes and anchors are widened until each is found once. So the way in which the
difference is sought decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from nomicgit.law.sentences import canonical
from nomicgit.outlook.branches.anchored import Edit, Patience, Trying, anchored
from nomicgit.outlook.branches.moved import moves
from nomicgit.outlook.branches.pieces import Hunk, Unit, following, hunks, passage, text_of, units, weight

MOST_TRIED = 8_000_000  # characters of one rule's prose that edits are tried on
MOST_EDITS = 300  # of one rule
HEAVIEST = 10_000_000  # comparisons of units that two texts may cost each time


def worded(old: str, new: str, patience: Patience) -> list[Edit] | None:
    """The edits that make one canonical prose of the other, in order; None where they are not found.

    Carried out once more on the new prose they have nothing to do. What is tried is taken from the patience.
    """
    if weight(units(old), units(new)) > HEAVIEST:
        return None
    shifted, text = moves(old, Trying(new, patience, MOST_TRIED // 4))
    edits = _rest(text, Trying(new, patience, MOST_TRIED))
    if edits is not None:
        return [*shifted, *edits]
    return _rest(old, Trying(new, patience, MOST_TRIED)) if shifted else None


class _Step(Struct, frozen=True):
    """One hunk on its way: the prose now, as it is wanted, and the units around the hunk.

    ``before`` are those of the new prose, which stand already; ``after`` those of the old, ``room`` of them
    up to the next hunk; ``behind`` what follows in the new prose.
    """

    trying: Trying
    text: str
    wanted: str
    before: Sequence[Unit]
    lost: Sequence[Unit]
    gained: Sequence[Unit]
    after: Sequence[Unit]
    behind: Sequence[Unit]
    room: int

    def fits(self, edit: Edit) -> bool:
        """Whether an edit says this step."""
        return self.trying.fits(self.text, edit, self.wanted)


def _rest(old: str, trying: Trying) -> list[Edit] | None:
    """The edits for all hunks, from the first to the last; those that cannot be said apart are taken as one."""
    was, now = units(old), units(trying.final)
    changed = hunks(was, now)
    if len(changed) > MOST_EDITS or len(changed) * len(old) > trying.left:
        return None
    texts = [old, *(_after(was, now, hunk) for hunk in changed)]
    if texts[-1] != trying.final:
        return None
    said: dict[int, list[Edit]] = {len(changed): []}  # all edits from a hunk on
    for at in reversed(range(len(changed))):
        for end in range(at + 1, len(changed) + 1):
            if end not in said:
                continue
            if not trying.patient:
                return None
            some = _say(_step(trying, was, now, changed, at, end, texts))
            if some is not None:
                said[at] = [*some, *said[end]]
                break
    return said.get(0)


def _after(was: list[Unit], now: list[Unit], hunk: Hunk) -> str:
    """The prose when all hunks up to this one are done."""
    _, i2, _, j2 = hunk
    return canonical(text_of([*now[:j2], *following(was[i2:], now[j2:])]))


def _step(
    trying: Trying,
    was: Sequence[Unit],
    now: Sequence[Unit],
    changed: Sequence[Hunk],
    at: int,
    end: int,
    texts: Sequence[str],
) -> _Step:
    """The step of the hunks from one up to another, as one."""
    (i1, _, j1, _), (_, i2, _, j2) = changed[at], changed[end - 1]
    room = (changed[end][0] if end < len(changed) else len(was)) - i2
    return _Step(trying, texts[at], texts[end], now[:j1], was[i1:i2], now[j1:j2], was[i2:], now[j2:], room)


def _say(step: _Step) -> list[Edit] | None:
    """The first of the candidates that gives what is wanted; else what is lost is taken out, and then added to."""
    if step.wanted == step.text:
        return []
    for edit in _candidates(step):
        if step.fits(edit):
            return [edit]
    for before, after in [(0, 0), *_widths(step)]:
        if (pair := _replaced(step, before, after)) is not None:
            return pair
    return None


def _replaced(step: _Step, before: int, after: int) -> list[Edit] | None:
    """What is lost, and some units around it, taken out, and what stands there in the end put in."""
    head, tail = step.before[len(step.before) - before :], step.after[:after]
    lost, gained = [*head, *step.lost, *tail], [*head, *step.gained, *following(tail, step.behind)]
    if not lost or not gained:
        return None
    removal = {"remove": passage(lost), "whole": True}
    rest = step.trying.carried(step.text, removal)
    if rest.outcome != "applied" or not step.trying.rests(removal):
        return None
    around = step.before[: len(step.before) - before], step.after[after:]
    placed = anchored(step.trying, {"add": passage(gained)}, rest.text, step.wanted, *around)
    return None if placed is None else [removal, placed]


def _inside(step: _Step) -> Iterator[Edit]:
    """Lines that came or went and leave all others as they are, though these now are something else."""
    old, new = step.text.split("\n"), step.wanted.split("\n")
    few = min(len(old), len(new))
    same = next((n for n in range(few) if old[n] != new[n]), few)
    last = next((n for n in range(few - same) if old[-n - 1] != new[-n - 1]), few - same)
    middle = "\n".join((new if len(new) > len(old) else old)[same : max(len(old), len(new)) - last])
    if same + last < few or not middle.strip():
        return
    if len(old) > len(new):
        yield {"remove": middle.strip(), "whole": True}
        return
    around = units("\n".join(old[:same])), units("\n".join(old[same:]))
    placed = anchored(step.trying, {"add": middle.strip()}, step.text, step.wanted, *around)
    if placed is not None:
        yield placed


def _candidates(step: _Step) -> Iterator[Edit]:
    """Edits that may say a hunk, the closest first."""
    lost, gained = step.lost, step.gained
    if gained and not lost:
        added = {"add": passage(gained)}
        placed = anchored(step.trying, added, step.text, step.wanted, step.before, step.after)
        if placed is not None:
            yield placed
    elif lost and not gained:
        yield {"remove": passage(lost), "whole": True}
    elif lost:
        yield {"replace": passage(lost), "with": passage(gained), "whole": True}
    for before, after in _widths(step):
        head, tail = step.before[len(step.before) - before :], step.after[:after]
        quote = passage([*head, *lost, *tail])
        instead = passage([*head, *gained, *following(tail, step.behind)])
        if quote != instead:
            yield {"replace": quote, "with": instead, "whole": True}
    yield from _inside(step)


def _widths(step: _Step) -> list[tuple[int, int]]:
    """By how many units a quote may be widened on both sides: a few, as far as their block goes, and the next one."""
    room = step.after[: step.room]
    ahead, behind = _sizes(step.before[::-1], backward=True), _sizes(room, backward=False)
    return sorted({(a, b) for a in ahead for b in behind} - {(0, 0)}, key=sum)


def _sizes(near: Sequence[Unit], *, backward: bool) -> set[int]:
    """Numbers of units, from the nearest on: up to two, or one or two whole blocks."""
    ends = [n + backward for n, each in enumerate(near) if each.apart and n + backward > 0]
    return {n for n in (0, 1, 2, *[*ends, len(near)][:2]) if n <= len(near)}
