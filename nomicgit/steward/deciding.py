"""What an event asks for: a deed, or that somebody is told something, or nothing. It decides; others do."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from nomicgit import forms
from nomicgit.declarations import Action
from nomicgit.deeds.origin import Account
from nomicgit.forge.seen import Issue, Person, Pull, ReviewState
from nomicgit.problems import NomicError, Refused, printable
from nomicgit.steward import saying
from nomicgit.steward.events import Event, What, head_id
from nomicgit.steward.proposing import brings, words_of
from nomicgit.steward.saying import Command, Vote

Thread = Pull | Issue
STATES = {ReviewState.APPROVED: "for", ReviewState.CHANGES_REQUESTED: "against"}
"""What the two opinions of a review mean, where the law has such icons."""
NOT_PROPOSED = (
    "this is no proposal: {}\nPush what mends it; or, where it only came too early, comment /propose."
)
SELF_KILLED = "self_killed"
WITHDRAWING = ("withdraw", "withdrawn")


@dataclass(frozen=True, slots=True)
class Do:
    """A deed that is asked for. thread: its post is to be the thread's; answer: what came of it is told."""

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


@dataclass(frozen=True, slots=True)
class Tell:
    """Something to be told on the thread, once: keys name it. whom: who must know, and is called."""

    keys: tuple[str, ...]
    text: str
    whom: Person | None = None
    refusal: bool = field(default=True)


class Look(Protocol):
    """What is known of the game and of the forge where an event is decided."""

    branch: str
    all_comments: bool

    @property
    def actions(self) -> Mapping[str, Action]:
        """The actions of the law in force."""

    def player(self, person: Person | None) -> str | None:
        """The player whose account it is."""

    def since(self, person: Person) -> int:
        """Since when the account is known as a player's; 0: always."""

    def news_of(self, person: Person) -> Account | None:
        """The account, where the record does not have it as it is."""

    def free_name(self, wanted: str) -> str | None:
        """A name under which somebody may join."""

    def post(self, thread: int) -> tuple[int, Mapping[str, Any]] | None:
        """The post of a thread: its number and fields."""

    def content_at(self, thread: int, post: int) -> int:
        """Since when a post says what it says."""

    def same(self, post: Mapping[str, Any], commit: str) -> bool | None:
        """Whether a commit says what a post brings; None where it says nothing of rules."""

    def changes(self, head: str, block: Collection[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The changes of a branch and a block."""

    def declares(self, variable: str) -> bool:
        """Whether the law declares such a variable of matters."""

    def told(self, thread: int, key: str) -> bool:
        """Whether something was told on a thread."""


def decide(look: Look, event: Event, thread: Thread) -> Do | Tell | None:
    """What an event asks for."""
    if event.who is None or event.who.bot:
        return None
    try:
        match event.what:
            case What.OPENED:
                return _proposed(look, event, thread) if isinstance(thread, Pull) else _filled_in(look, event)
            case What.PUSHED if isinstance(thread, Pull):
                return _pushed(look, event, thread)
            case What.REWORDED if isinstance(thread, Pull):
                return _reworded(look, event, thread)
            case What.REVIEWED:
                return _reviewed(look, event)
            case What.DISMISSED:
                return _dismissed(look, event)
            case What.SAID:
                return _said(look, event, thread)
            case What.CLOSED if isinstance(thread, Pull):
                return _closed(look, event, thread)
    except NomicError as wrong:
        return Tell((event.id,), str(wrong), event.who)
    return None


# ---- people


def _player(look: Look, event: Event) -> str | None:
    """The player who did it; None for a stranger, and for what somebody did before they were one."""
    assert event.who is not None
    name = look.player(event.who)
    return name if name is not None and event.at >= look.since(event.who) else None


def _stranger(look: Look, event: Event) -> Tell | None:
    """What a stranger is told, once on each thread; nothing for what a player did before joining."""
    assert event.who is not None
    if look.player(event.who) is not None:
        return None
    text = (
        "you are no player of this game yet, so this is no move in it. To join, comment /join (or /join NAME, "
        "should your name be taken). Whoever played before the game came here asks its keeper to note their account."
    )
    return Tell((f"stranger-{event.who.id}",), text, event.who)


def _do(look: Look, event: Event, actor: str, action: str, given: Mapping[str, Any], **more: Any) -> Do:
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


def _joining(look: Look, event: Event, wanted: str, given: Mapping[str, Any]) -> Do | Tell:
    assert event.who is not None
    known = look.player(event.who)
    if known is not None:
        return _do(look, event, known, "join", given, answer=True)
    name = look.free_name(wanted or event.who.login)
    if name is None:
        what = f"{printable(wanted or event.who.login, 60)} cannot be your name here: it is taken, or has other letters "
        return Tell(
            (event.id,), what + "than A to Z, digits and single hyphens. Say another: /join NAME", event.who
        )
    return Do(name, "join", given, (event.id,), event.at, account=look.news_of(event.who), answer=True)


# ---- pull requests


def _proposed(look: Look, event: Event, pull: Pull) -> Do | Tell | None:
    assert event.who is not None
    if look.post(pull.number) is not None or pull.state != "open":
        return None
    if pull.draft:
        return Tell(
            ("draft",),
            "this is a draft, and waits. Mark it as ready, and it becomes a proposal.",
            refusal=False,
        )
    actor = look.player(event.who)
    if actor is None:
        return _stranger(look, event)
    keys = tuple(dict.fromkeys((event.id, head_id(pull.number, pull.head_sha))))
    try:
        if pull.base_ref != look.branch:
            raise Refused.of(
                f"it is for the branch {printable(pull.base_ref, 60)}", mend=f"propose to {look.branch}"
            )
        given = _matter(look, pull)
    except NomicError as wrong:
        return Tell(keys, NOT_PROPOSED.replace("{}", str(wrong)), event.who)
    return _do(
        look,
        event,
        actor,
        "propose",
        given,
        events=keys,
        branch=pull.head_sha,
        thread=True,
        else_=NOT_PROPOSED,
    )


def _matter(look: Look, pull: Pull) -> dict[str, Any]:
    words = words_of(pull)
    changes = look.changes(pull.head_sha, words.block)
    found = {"title": words.title, "body": words.body, "tags": list(words.tags), "changes": changes}
    takes = look.actions["propose"].parameters if "propose" in look.actions else {}
    return {key: value for key, value in found.items() if key in takes and value not in ("", [])}


def _pushed(look: Look, event: Event, pull: Pull) -> Do | Tell | None:
    found = look.post(pull.number)
    if found is None:
        return _proposed(look, event, pull) if look.told(pull.number, f"pull-{pull.number}") else None
    number, post = found
    if post.get("status") != "pending" or look.same(post, pull.head_sha):
        return None
    changes = look.changes(pull.head_sha, words_of(pull).block)
    if brings(post, changes):
        return None
    return _edit(look, event, number, {"changes": changes}, branch=pull.head_sha)


def _reworded(look: Look, event: Event, pull: Pull) -> Do | Tell | None:
    found = look.post(pull.number)
    if found is None or found[1].get("status") != "pending":
        return None
    number, post = found
    words = words_of(pull)
    given: dict[str, Any] = {}
    if words.title != post.get("title"):
        given["title"] = words.title
    if words.body != post.get("body"):
        given["body"] = words.body
    branch = None
    if look.same(post, pull.head_sha) is not False:
        changes = look.changes(pull.head_sha, words.block) if words.block else None
        if changes is not None and not brings(post, changes):
            given["changes"], branch = changes, pull.head_sha
    return _edit(look, event, number, given, branch=branch) if given else None


def _edit(
    look: Look, event: Event, number: int, given: Mapping[str, Any], branch: str | None
) -> Do | Tell | None:
    actor = _player(look, event)
    if actor is None:
        return None
    stays = f"\nPost {number} stays as it was, and so do the votes on it. To propose something else, open a new pull request."
    if "edit-post" not in look.actions:
        return Tell((event.id,), "no rule lets anybody edit a post." + stays, event.who)
    return _do(
        look,
        event,
        actor,
        "edit-post",
        {"post": str(number), **given},
        branch=branch,
        else_="the edit is refused: {}" + stays,
    )


def _closed(look: Look, event: Event, pull: Pull) -> Do | Tell | None:
    """The author who closes a pull request gives the proposal up, where the law lets authors do so by a vote against it."""
    found, actor = look.post(pull.number), _player(look, event)
    if (
        found is None
        or actor is None
        or found[1].get("status") != "pending"
        or found[1].get("author") != actor
    ):
        return None
    number, post = found
    icons = saying.icons(look.actions)
    if post.get(SELF_KILLED) is True:
        return None
    if "against" not in icons or not look.declares(SELF_KILLED):
        text = f"closing a pull request is no move in this game: post {number} is pending all the same."
        return Tell((event.id,), text, event.who)
    return _do(look, event, actor, "vote", _ballot(look, number, "against", ""))


# ---- votes


def _ballot(look: Look, number: int, icon: str, text: str) -> dict[str, Any]:
    given = {"matter": str(number), "icon": icon, "text": text}
    takes = look.actions["vote"].parameters
    return {key: value for key, value in given.items() if key in takes and value != ""}


def _reviewed(look: Look, event: Event) -> Do | Tell | None:
    icons = saying.icons(look.actions)
    if event.state is ReviewState.COMMENTED:
        said = saying.said(event.text, icons)
        return _vote(look, event, said) if isinstance(said, Vote) else None
    icon = STATES.get(event.state) if event.state is not None else None
    if icon is None or icon not in icons:
        return None
    return _vote(look, event, Vote(icon, event.text.strip()))


def _vote(look: Look, event: Event, vote: Vote) -> Do | Tell | None:
    actor = _player(look, event)
    if actor is None:
        return _stranger(look, event)
    found = look.post(event.number)
    if found is None:
        return Tell((event.id,), "this is no vote: there is nothing here to vote on (yet).", event.who)
    number, post = found
    if not _of_this_content(look, event, number, post):
        text = (
            f"your {vote.icon.upper()} does not count: it was for something else than what post {number} brings now. "
            "Look at it again, and vote anew."
        )
        return Tell((event.id,), text, event.who)
    return _do(
        look,
        event,
        actor,
        "vote",
        _ballot(look, number, vote.icon, vote.text),
        else_="your vote is refused: {}",
    )


def _of_this_content(look: Look, event: Event, number: int, post: Mapping[str, Any]) -> bool:
    """Whether a vote was for what the post brings: by the commit that a review looked at, else by its time."""
    if event.what is What.REVIEWED:
        same = look.same(post, event.commit) if event.commit is not None else None
        if same is not None:
            return same
        if event.commit is None and post.get("branch_head"):
            return False
    return event.at >= look.content_at(event.number, number)


def _dismissed(look: Look, event: Event) -> Do | Tell | None:
    """A vote that is withdrawn, where the law knows that: by an icon, or an action, of that name."""
    found, actor = look.post(event.number), _player(look, event)
    icons = saying.icons(look.actions)
    if (
        found is None
        or actor is None
        or found[1].get("status") != "pending"
        or STATES.get(event.state or ReviewState.COMMENTED) is None
    ):
        return None
    icon = next((icon for icon in icons if icon in WITHDRAWING), None)
    if icon is not None:
        return _do(look, event, actor, "vote", _ballot(look, found[0], icon, ""))
    if "withdraw-vote" in look.actions:
        return _do(look, event, actor, "withdraw-vote", {"matter": str(found[0])})
    text = "your review was dismissed, but no rule knows votes that are withdrawn: yours stays. To change it, vote anew."
    return Tell((event.id,), text, event.who)


# ---- comments and forms


def _said(look: Look, event: Event, thread: Thread) -> Do | Tell | None:
    said = saying.said(event.text, saying.icons(look.actions))
    if isinstance(said, Vote):
        return _vote(look, event, said) if look.post(event.number) or isinstance(thread, Pull) else None
    if isinstance(said, Command):
        return _commanded(look, event, thread, said)
    return _talked(look, event) if look.all_comments else None


def _talked(look: Look, event: Event) -> Do | None:
    found, actor = look.post(event.number), _player(look, event)
    if found is None or actor is None or "comment" not in look.actions or not event.text.strip():
        return None
    return _do(look, event, actor, "comment", {"post": str(found[0]), "text": event.text.strip()})


def _commanded(look: Look, event: Event, thread: Thread, said: Command) -> Do | Tell | None:
    words = saying.words_of(said.rest)
    if said.word == "join":
        return _joining(
            look, event, words[0] if words and "=" not in words[0] else "", _given(look, "join", words, said)
        )
    if said.word == "act" and words and words[0] == "join":
        return _joining(look, event, "", _given(look, "join", words[1:], said))
    actor = _player(look, event)
    if actor is None:
        return _stranger(look, event)
    if said.word == "propose":
        return _again(look, event, thread)
    if said.word == "act":
        if not words:
            raise Refused.of("which action?", mend="/act NAME key=value …")
        return _do(look, event, actor, words[0], _given(look, words[0], words[1:], said), answer=True)
    return _resolution(look, event, actor, said.word, words)


def _again(look: Look, event: Event, thread: Thread) -> Do | Tell | None:
    """The author of a pull request who asks for it to be proposed once more."""
    assert event.who is not None
    if not isinstance(thread, Pull) or thread.author is None or thread.author.id != event.who.id:
        raise Refused.of("only the author of a pull request proposes it")
    if look.post(thread.number) is not None:
        raise Refused.of("this is proposed already")
    return _proposed(look, event, thread)


def _given(look: Look, name: str, pairs: list[str], said: Command) -> dict[str, Any]:
    action = _action(look, name)
    found = pairs if "=" in "".join(pairs[:1]) or name != "join" else pairs[1:]
    return saying.parameters(action, [*found, *said.below])


def _action(look: Look, name: str) -> Action:
    action = look.actions.get(name)
    if action is None:
        import difflib

        near = difflib.get_close_matches(name, look.actions, 3, 0.5)
        mend = f"did you mean {' or '.join(near)}?" if near else "the site lists them all"
        raise Refused.of(f"no rule in force declares an action {printable(name, 60)}", mend=mend)
    if action.private:
        raise Refused.of(
            f"{action.name} is done in private, and this is a public place", mend="do it from a clone"
        )
    return action


def _resolution(look: Look, event: Event, actor: str, word: str, words: list[str]) -> Do:
    found = look.post(event.number)
    number = str(found[0]) if found else ""
    if words and words[0].isascii() and words[0].isdigit():
        number, words = words[0], words[1:]
    if not number:
        raise Refused.of(
            "which matter?", mend=f"say it where the matter stands, or by its number: /{word} 12"
        )
    outcome = {"enact": "enacted", "fail": "failed"}.get(word) or (words[0] if words else None)
    given = {"matter": number} | ({"as": outcome} if outcome else {})
    return _do(look, event, actor, _action(look, "resolve").name, given, answer=True)


def _filled_in(look: Look, event: Event) -> Do | Tell | None:
    """An issue: a filled-in form, or a command in its first line; anything else is only an issue."""
    name = forms.named(event.text)
    if name is None:
        said = saying.said(event.text, ())
        if isinstance(said, Command) and said.word in ("act", "join"):
            return _issued(look, event, said)
        return None
    action = _action(look, name)
    given = forms.read(event.text, action)
    if name == "join":
        return _joining(look, event, "", given)
    actor = _player(look, event)
    return (
        _stranger(look, event)
        if actor is None
        else _do(look, event, actor, name, given, thread=True, answer=True)
    )


def _issued(look: Look, event: Event, said: Command) -> Do | Tell | None:
    words = saying.words_of(said.rest)
    name = "join" if said.word == "join" else (words.pop(0) if words else "")
    if name == "join":
        wanted = words[0] if words and "=" not in words[0] else ""
        return _joining(look, event, wanted, _given(look, name, words, said))
    given = _given(look, name, words, said)
    actor = _player(look, event)
    return (
        _stranger(look, event)
        if actor is None
        else _do(look, event, actor, name, given, thread=True, answer=True)
    )
