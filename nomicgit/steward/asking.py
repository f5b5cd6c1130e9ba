"""What an event may ask for, what is to be known to decide it, and who asks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

from nomicgit.ground.problems import NomicError, Place, Problem, printable
from nomicgit.ground.reasons import worded
from nomicgit.law.declarations import Action
from nomicgit.law.ruleset import Placed
from nomicgit.law.values import NEEDED
from nomicgit.law.variables import Type
from nomicgit.outlook.overview import Outlook
from nomicgit.physics.deed import Account, Proof
from nomicgit.steward.events import Event, What
from nomicgit.steward.seen import Edit, Issue, Person, Pull

Thread = Pull | Issue


class Do(Struct, frozen=True):
    """A deed that is asked for. thread: its post is to be the thread's; answer: what came of it is told; proof: that its player has
    signed it.
    """

    actor: str
    action: str
    given: Mapping[str, Any]
    events: tuple[str, ...]
    at: int
    branch: str | None = None
    account: Account | None = None
    thread: bool = False
    answer: bool = False
    else_: str = ""
    proof: Proof | None = None


class HandIn(Struct, frozen=True):
    """A sealed order that a player hands in."""

    player: str
    armour: str


class Tell(Struct, frozen=True):
    """Something to be told on the thread, once: keys name it. whom: who must know, and is called."""

    keys: tuple[str, ...]
    text: str
    whom: Person | None = None
    refusal: bool = True


class Look(Protocol):
    """What is known of the game and of the forge where an event is decided."""

    branch: str
    all_comments: bool

    @property
    def takes_orders(self) -> bool:
        """Whether what is sealed can be opened here."""

    @property
    def site(self) -> str:
        """The address of the game's site."""

    @property
    def keeps_secrets(self) -> bool:
        """Whether the game has keys."""

    @property
    def actions(self) -> Mapping[str, Action]:
        """The actions of the law in force."""

    def type_at(self, path: str) -> Type | None:
        """The type of what the law in force declares at a path."""

    def player(self, person: Person | None) -> str | None:
        """The player whose account it is."""

    def since(self, person: Person) -> int:
        """Since when the account is known as a player's; 0: always."""

    def news_of(self, person: Person) -> Account | None:
        """The account, where the record does not have it as it is."""

    def free_name(self, wanted: str, person: Person) -> str | None:
        """The id under which somebody may join who wants a name; None where it is, or was, another's."""

    def post(self, thread: int) -> tuple[int, Mapping[str, Any]] | None:
        """The post of a thread: its number and fields."""

    def numbered(self, post: int) -> tuple[int, Mapping[str, Any]] | None:
        """The post of a number, and its fields, whether or not it has a thread."""

    def waits(self, person: Person) -> bool:
        """Whether somebody has asked to join, and waits for an answer."""

    def outlook(self) -> Outlook:
        """How the game stands."""

    def wants_vote(self, player: str) -> Sequence[int]:
        """The pending posts that need a player's vote."""

    def content_at(self, thread: int, post: int) -> int:
        """Since when a post says what it says."""

    def voted_at(self, player: str, post: int) -> int:
        """When a player voted last on a post."""

    def ballot(self, player: str, post: int) -> str:
        """The icon that a player cast last on a post; "" where they cast none."""

    def head_of(self, thread: int) -> str | None:
        """Where the branch of a pull request stands; None for what is none."""

    def shows_other(self, thread: int, post: Mapping[str, Any]) -> bool:
        """Whether a thread shows something else than its pending post brings."""

    def holds(self, commit: str) -> bool:
        """Whether the game's own branch has a commit."""

    def same(self, post: Mapping[str, Any], commit: str) -> bool | None:
        """Whether a commit says what a post brings; None where it says nothing of rules."""

    def changes(self, head: str, block: Collection[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The changes of a branch and a block."""

    def declares(self, variable: str) -> bool:
        """Whether the law declares such a variable of matters."""

    def rule_of(self, where: Place) -> Placed | None:
        """The rule of a place; None where it is none's."""

    def told(self, thread: int, key: str) -> bool:
        """Whether something was told on a thread."""


def player(look: Look, event: Event) -> str | None:
    """The player who did it; None for a stranger, and for what somebody did before they were one."""
    assert event.who is not None
    name = look.player(event.who)
    return name if name is not None and event.at >= look.since(event.who) else None


BEFORE = (
    "this was handed in before you had joined, so it is no move. Edit it, or hand it in anew, and it is read."
)


NO_MOVE = (
    "you are no player of this game yet, so this is no move in it. To join, comment /join (or /join NAME, "
    "should your name be taken). Whoever played before the game came here asks its keeper to note their account."
)
ASKED = "you have asked to join, and wait for an answer of an admin. Until then this is no move in the game."
WELCOME = (
    "welcome. What is said here may be a move in a game of Nomic, whose rules its players change by playing. "
    "To play along, comment /join."
)
EVERYWHERE = 0
"""The thread under whose number stands what is told once in the whole game."""
WELCOMED = "welcome-"
"""How the key begins under which somebody was told where they are."""


def stranger(look: Look, event: Event) -> Tell | None:
    """What a stranger is told, once on each thread; nothing for what a player did before joining."""
    assert event.who is not None
    if look.player(event.who) is not None:
        return None if event.what is not What.OPENED else Tell((event.key,), BEFORE, event.who)
    if look.waits(event.who):
        return Tell((f"waits-{event.who.id}",), ASKED, event.who)
    keys = (f"stranger-{event.who.id}", f"{WELCOMED}{event.who.id}")
    return Tell(keys, f"{NO_MOVE}\n{_where(look)}", event.who)


def welcome(look: Look, event: Event) -> Tell | None:
    """What somebody is told once in the whole game who is no player, and has said something that is no move either."""
    assert event.who is not None
    key = f"{WELCOMED}{event.who.id}"
    if look.player(event.who) is not None or look.told(EVERYWHERE, key) or look.waits(event.who):
        return None
    return Tell((key,), f"{WELCOME}\n{_where(look)}", event.who, refusal=False)


def _where(look: Look) -> str:
    return (
        f"The rules: {look.site}ruleset/\nWhat waits for whom: {look.site}me/\nWhat can be said here: /help"
    )


def not_own(event: Event, edit: Edit, what: str) -> Tell:
    """What the author is told whose words somebody else has edited; what is said once more by the author is new."""
    by = edit.by.login if edit.by is not None else "somebody whose account is gone"
    return Tell((f"{event.id}-edited-{edit.at}",), what.replace("{}", by), event.who)


def in_words(look: Look, wrong: NomicError) -> str:
    """A refusal in words: what is wrong, by which rule, and what to do; where in the files a rule says it is not told."""
    return "\n".join(_sentence(look, problem) for problem in wrong.problems)


def lacking(look: Look, do: Do, wrong: NomicError) -> Iterator[str]:
    """How an action is asked for of which something is not said that it needs."""
    action = look.actions.get(do.action)
    if action is not None and any(problem.what.endswith(NEEDED) for problem in wrong.problems):
        needed = [name.replace("_", "-") for name, kind in action.parameters.items() if kind.required]
        yield f"Say it so: /act {action.name} {' '.join(f'{name}=…' for name in needed)}"


def _sentence(look: Look, problem: Problem) -> str:
    rule = look.rule_of(problem.where)
    title = rule.title if rule is not None else problem.where.rule
    if not title:
        return str(problem)
    reason = worded(problem.what)
    what = reason[:1].upper() + reason[1:].rstrip(".")
    where = f" ({look.site}rules/{rule.slug}/)" if rule is not None and look.site else ""
    mend = f" ({problem.mend})" if problem.mend else ""
    return f"{what}. So says the rule {printable(title)}{where}.{mend}"


def do(look: Look, event: Event, actor: str, action: str, given: Mapping[str, Any], **more: Any) -> Do:
    assert event.who is not None
    return Do(
        actor,
        action,
        given,
        more.pop("events", (event.id,)),
        event.at,
        account=look.news_of(event.who),
        **more,
    )
