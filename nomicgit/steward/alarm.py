"""The alarm: an issue that everybody sees, pinned, which says that the game has stopped, why, and what mends it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from msgspec.structs import replace

from nomicgit.git.remote import Denied, Rejected
from nomicgit.ground.escaping import lines_escaped
from nomicgit.ground.remedies import below, command, remedy
from nomicgit.steward import marks
from nomicgit.steward.keeping import Kept
from nomicgit.steward.said import Close, Kind, Pin, Result, Say, Unpin, Write
from nomicgit.steward.seen import Cursor, Issue, News, Person
from nomicgit.steward.trouble import Trouble

TITLE = "The game has stopped"
HEAD = (
    "Somebody has changed the game by what is no deed of it, dated a deed ahead, or taken deeds out of it. "
    "What that is, and what mends it:"
)
BARRED = (
    "The place of this game does not take what the steward records, so nothing that is said can count. "
    "Why, and what an owner does about it:"
)
WRITES = remedy(
    "an owner lets the steward write here: the App may have `contents: write`, or, without one, this repository's workflows may "
    "write; which setting is not as it should be says:",
    command("nomicgit", "doctor"),
)
MEND = "nomicgit doctor says which setting is not as it should be"
MEANWHILE = (
    "Until then nothing is decided. Nothing is lost either: whatever you say, vote or propose meanwhile is taken up in its "
    "order once the game goes on."
)
WHO = "Who may mend stands behind each finding; they say it in a clone, and push."
SHUT = "barred-"
GOES_ON = "This is put right, and the game goes on. What was said meanwhile is taken up now."


class Forge(Protocol):
    """What an alarm needs of a forge."""

    def news(self, cursor: Cursor | None, also: Iterable[int] = (), since: int = 0) -> News:
        """What has changed since a cursor; without one all that is open, and what has changed since an instant (0: no more)."""

    def write(self, writes: Sequence[Write]) -> list[Result]:
        """Write all these."""

    def me(self) -> Person:
        """The account that writes."""

    def open_issue(self, title: str, body: str) -> str:
        """Open an issue; its node."""


def refused_push(why: Rejected) -> list[str]:
    """What is said where the forge takes no deed."""
    return [f"the push was refused: {'; '.join(why.reasons)}{below(MEND)}"]


def denied_writing(why: Denied) -> list[str]:
    """What is said where the steward may write nothing into the repository."""
    return [f"{each.what}{below(WRITES)}" for each in why.problems]


def text(problems: Sequence[str], *, barred: bool) -> str:
    """What the issue says; ``barred``: the forge takes no deed, else they are of the game itself."""
    listed = "\n".join(f"- {lines_escaped(each)}" for each in problems)
    return f"{BARRED}\n\n{listed}\n\n{MEANWHILE}" if barred else f"{HEAD}\n\n{listed}\n\n{MEANWHILE} {WHO}"


def _tells_of_no_leave(issue: Issue) -> bool:
    """Whether an open issue says that nothing may be written, which what is kept between passes cannot tell."""
    said = lines_escaped(WRITES.partition("\n")[0])
    return (issue.title, issue.state) == (TITLE, "open") and said in issue.body


def said_before(forge: Forge, issues: Sequence[Issue]) -> str:
    """The open issue in which it was said that nothing may be written; "" where none is among these."""
    titled = [each for each in issues if _tells_of_no_leave(each)]
    me = forge.me().id if titled else None
    return next((each.node for each in titled if each.author is not None and each.author.id == me), "")


def _key(problems: Sequence[str], *, barred: bool) -> str:
    return (SHUT if barred else "") + marks.key_of(*problems) if problems else ""


def is_barred(kept: Kept) -> bool:
    """Whether what was said last is that the forge takes no deed: whether it does now, only the next one shows."""
    return kept.alarm.partition(" ")[2].startswith(SHUT)


def lifted(kept: Kept) -> Kept:
    """The same once the forge has taken a deed: the next pass says that the game goes on."""
    return replace(kept, alarm=f"{kept.alarm.partition(' ')[0]} taken") if is_barred(kept) else kept


def is_new(kept: Kept, problems: Sequence[str], *, barred: bool = False) -> bool:
    """Whether there is something to say that was not said; no problems: that the game goes on."""
    return kept.alarm.partition(" ")[2] != _key(problems, barred=barred)


def ring(
    forge: Forge, kept: Kept, problems: Sequence[str], *, barred: bool = False
) -> tuple[Kept, list[str]]:
    """Say it: in an issue of its own, and what is new in that; close it where the game goes on. Gives what the forge refused;
    what it could not be asked is said the next time.
    """
    try:
        return _rung(forge, kept, problems, barred=barred)
    except Trouble as trouble:
        return kept, [str(trouble)]


def ring_once(forge: Forge, kept: Kept, problems: Sequence[str]) -> list[str]:
    """The same where what was said cannot be kept: that it was said already, the forge tells. Gives what it refused."""
    try:
        if not (kept.alarm or said_before(forge, forge.news(None).issues)):
            return ring(forge, kept, problems, barred=True)[1]
    except Trouble as trouble:
        return [str(trouble)]
    return []


def _rung(forge: Forge, kept: Kept, problems: Sequence[str], *, barred: bool) -> tuple[Kept, list[str]]:
    node = kept.alarm.partition(" ")[0]
    if not problems:
        results = forge.write(
            [Say(node, marks.telling(GOES_ON, ["goes-on"])), Unpin(node), Close(node, Kind.DONE)]
        )
        refused = _refused(results)
        return replace(kept, alarm=f"{node} taken" if refused else ""), refused  # then the next pass says it
    if node:
        results = forge.write([Say(node, marks.telling(text(problems, barred=barred), ["stopped"]))])
    else:
        node = forge.open_issue(TITLE, text(problems, barred=barred))
        results = forge.write([Pin(node)])
    return replace(kept, alarm=f"{node} {_key(problems, barred=barred)}"), _refused(results)


def _refused(results: Sequence[Result]) -> list[str]:
    return [f"{type(each.write).__name__}: {each.why}" for each in results if not each.done]
