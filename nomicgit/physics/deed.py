"""What a deed is, where it came in, and what comes of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from nomicgit.ground.files import Value
from nomicgit.law.outside import Outside


class Draw(Struct, frozen=True):
    """One random result: what was drawn from, what came, whether only the emperor learns of it, and whose code drew: a rule's
    title, or what else ran."""

    what: str
    result: str
    secret: bool
    by: str = ""


class Heard(str):
    """A line of the journal that everybody may hear, also of what is done in private."""

    __slots__ = ()


class Failure(str):
    """A line of the journal that says why something failed: where the deed looked at a secret, that may tell of it."""

    __slots__ = ()


NOT_HAPPENED: Final = " did not happen: "
RESTS: Final = " and rests for this deed"
FAILED: Final = (NOT_HAPPENED, RESTS)
"""What stands in the lines of the journal that say that an event of the clock did not happen, or that a hook rests."""
NOT_ENACTED: Final = "Not enacted"
"""How the line of the journal begins that says why an enactment was undone."""


def folded(notes: Sequence[str]) -> list[str]:
    """Lines of the journal for people: of an event that did not happen many times, and each time for one reason, one line."""
    times: dict[tuple[str, str], list[str]] = {}
    lines: list[str | tuple[str, str]] = []
    for note in notes:
        event, failed, why = note.partition(NOT_HAPPENED)
        name, dated, at = event.rpartition(" at ")
        if not (failed and dated):
            lines.append(note)
            continue
        if (name, why) not in times:
            lines.append((name, why))
        times.setdefault((name, why), []).append(at)
    return [each if isinstance(each, str) else _times(*each, times[each]) for each in lines]


def _times(name: str, why: str, at: Sequence[str]) -> str:
    """That an event did not happen, once or more often."""
    if len(at) == 1:
        return f"{name} at {at[0]}{NOT_HAPPENED}{why}"
    return f"{name} did not happen {len(at)} times, from {at[0]} to {at[-1]}: {why}"


class Proof(Struct, frozen=True):
    """What a player has signed of an order, or of a deed that came in on a forge, beside the deed itself: the term (0: of an open
    deed), the name that it gives them, when it was made (seconds, UTC); and that signature.
    """

    term: int
    by: str
    at: int
    signature: str


class Deed(Struct, frozen=True):
    """What somebody does: who (an id, or None for the clock), which action, with what, when (seconds, UTC).

    ``branch`` is the commit at the head of the branch from which the changes that it brings were written; ``origin``
    tells how it came in from a forge, where it did; ``nonce`` is of the order that asked for it, where one did, ``made`` when
    that says that it was made, ``instead`` the nonce of one that its player takes back by it, and ``proof`` that its player has
    signed that one, or, where there was none, the deed itself.
    """

    id: str
    actor: str | None
    action: str
    given: Mapping[str, Any] = field(default_factory=dict)
    at: int = 0
    cast_at: int | None = None
    branch: str | None = None
    origin: Origin | None = None
    nonce: str | None = None
    made: int | None = None
    proof: Proof | None = None
    instead: str = ""

    @property
    def ordered_at(self) -> int:
        """When the order that asked for it was made (seconds, UTC), as far as that counts: not after it is done."""
        return self.at if self.made is None else min(self.made, self.at)


class Outcome(Struct, frozen=True):
    """What a deed has done: what its function returned, lines for the journal, messages, dice, net effects, the refs
    that it wrote to, the matters that it enacted, what it claims of itself and replay takes as given, and the refs of
    what came into being before everyone's eyes and is there. ``sealed``: it looked at something that a key keeps secret; ``hidden``: of
    itself nobody else may see all, or these parameters; ``never``: not even when the term is over. ``refusal``: why the
    order that it was is refused, which is all that it leaves.
    """

    deed: Deed
    result: Any
    notes: Sequence[str]
    messages: Sequence[tuple[str, str]]
    draws: Sequence[Draw]
    effects: Sequence[Mapping[str, Any]]
    touched: Sequence[str]
    enacted: Sequence[str] = ()
    claims: Mapping[str, Sequence[str]] = field(default_factory=dict)
    made: Sequence[str] = ()
    sealed: bool = False
    hidden: bool | frozenset[str] = False
    never: bool = False
    refusal: str = ""
    by_clock: Sequence[Mapping[str, Any]] = ()

    @property
    def own(self) -> Sequence[Mapping[str, Any]]:
        """The effects of the deed itself, without what the clock did before it."""
        before = {(each["ref"], each["field"]): each for each in self.by_clock}
        net = {(each["ref"], each["field"]): each for each in self.effects}
        back = [
            {**each, "old": each["new"], "new": each["old"]} for at, each in before.items() if at not in net
        ]
        own = [{**each, "old": before[at]["new"]} if at in before else each for at, each in net.items()]
        return [each for each in (*own, *back) if each["old"] != each["new"]]

    @property
    def shown(self) -> Deed:
        """The deed as everybody may know it."""
        deed = self.deed
        if self.hidden is True:
            return Deed(deed.id, None, Outside.SEALED, {}, deed.at)
        if not self.hidden:
            return deed
        given = {name: value for name, value in deed.given.items() if name not in self.hidden}
        return replace(deed, given=given)


NOBODYS = 10**15
"""A number that is no account's, for the moment in which two players' accounts change places."""


def account_number(written: str) -> int | None:
    """The number of an account on a forge, as it is written; None for what is none. Those are from 1 to `NOBODYS` - 1."""
    digits = written.lstrip("0") if written.isascii() and written.isdecimal() else ""
    return int(digits) if digits and len(digits) < len(str(NOBODYS)) else None


class Account(Struct, frozen=True):
    """Somebody's account: the forge, the numeric id there, and the login that was last seen, which may change."""

    forge: str
    id: int
    login: str

    def as_kept(self) -> dict[str, Value]:
        """As a player's file keeps it."""
        return {self.forge: self.id, "login": self.login}


class Thread(Struct, frozen=True):
    """A thread on a forge, by its number: a pull request or an issue."""

    forge: str
    number: int

    def as_kept(self) -> dict[str, Value]:
        """As a post's file keeps it."""
        return {self.forge: self.number}


class Origin(Struct, frozen=True):
    """The events that a deed answers, by their ids; the account of who did it, where the record does not know it yet;
    and the thread that becomes the post which the deed makes."""

    events: tuple[str, ...] = ()
    account: Account | None = None
    thread: Thread | None = None
