"""What becomes of comments that command and of filled-in forms: actions of the law's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nomicgit.ground.nearness import nearest
from nomicgit.ground.problems import Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.declarations import Action
from nomicgit.law.outside import Outside
from nomicgit.record import forms
from nomicgit.record.forms import sealed
from nomicgit.steward import saying
from nomicgit.steward.asking import Do, HandIn, Look, Tell, Thread, do, player, stranger
from nomicgit.steward.asks import asks
from nomicgit.steward.events import Event, What, issue_id
from nomicgit.steward.nearly import nearly
from nomicgit.steward.pulls import proposed
from nomicgit.steward.questions import QUESTIONS
from nomicgit.steward.saying import Command, Vote
from nomicgit.steward.seen import Pull
from nomicgit.steward.voting import named, vote

PROPOSE_YOURSELF = (
    "open a pull request of your own from a branch of yours with its commits, and that is your proposal"
)
"""What is proposed is its author's word: so one that a machine has opened for a player is nobody's."""
COURTESIES = ("as", "me", "us", "please", "now", "game")
"""What people say behind ``/join`` and do not mean for a name."""


def heard(look: Look, event: Event, thread: Thread) -> Do | Tell | None:
    said = saying.said(event.text, saying.icons(look.actions))
    if isinstance(said, Vote):
        return vote(look, event, said)
    if isinstance(said, Command):
        return _commanded(look, event, thread, said)
    near = nearly(
        event.text, saying.icons(look.actions), look.actions, matter=look.post(event.number) is not None
    )
    if near and event.who is not None:
        if look.player(event.who) is None:
            return stranger(look, event)
        return Tell((_near(event),), f"nothing was done: {near}", event.who)
    return _talked(look, event) if look.all_comments and event.whole else None


def _near(event: Event) -> str:
    """Under which key it is told what would work; it is no answer to an issue, which stays open."""
    return f"near-{event.key}" if event.what is What.OPENED else event.key


def _talked(look: Look, event: Event) -> Do | None:
    post, actor = look.post(event.number), player(look, event)
    if post is None or actor is None or "comment" not in look.actions or not event.whole.strip():
        return None
    return do(look, event, actor, "comment", {"post": str(post[0]), "text": event.whole.strip()})


def _commanded(look: Look, event: Event, thread: Thread, said: Command) -> Do | Tell | None:
    if said.word == "vote":
        return named(look, event, said.rest)
    words = saying.words_of(said.rest)
    if said.word in QUESTIONS:
        return Tell((event.key,), QUESTIONS[said.word](look, event), event.who, refusal=False)
    if said.word == "join":
        name = [word for word in words if "=" not in word and word.lower() not in COURTESIES]
        if len(name) > 1:
            raise Refused.of("a name is one word, with hyphens where you like", mend="/join NAME")
        given = _given(look, "join", [word for word in words if "=" in word], said)
        return _joining(look, event, "".join(name), given)
    if said.word == "act" and words and words[0] == "join":
        return _joining(look, event, "", _given(look, "join", words[1:], said))
    actor = player(look, event)
    if actor is None:
        return stranger(look, event)
    if said.word == "propose":
        return _again(look, event, thread)
    if said.word == "act":
        if not words:
            raise Refused.of("which action?", mend="/act NAME key=value …")
        given = _given(look, words[0], words[1:], said)
        opens = event.id == issue_id(event.number)  # what an issue says first stands on its thread
        return do(look, event, actor, words[0], given, thread=opens, answer=True)
    return _resolution(look, event, actor, said.word, words)


def _again(look: Look, event: Event, thread: Thread) -> Do | Tell | None:
    """The author of a pull request who asks for it to be proposed once more."""
    assert event.who is not None
    if not isinstance(thread, Pull) or thread.author is None or thread.author.id != event.who.id:
        raise Refused.of("only the author of a pull request proposes it", mend=PROPOSE_YOURSELF)
    if look.post(thread.number) is not None:
        raise Refused.of("this is proposed already")
    return proposed(look, event, thread)


def _given(look: Look, name: str, pairs: list[str], said: Command) -> dict[str, Any]:
    return saying.parameters(_action(look, name), [*pairs, *said.below], look.type_at)


def _action(look: Look, name: str) -> Action:
    action = look.actions.get(name)
    if action is None:
        near = nearest(name, look.actions, 3)
        mend = f"did you mean {' or '.join(near)}?" if near else "the site lists them all"
        raise Refused.of(f"no rule in force declares an action {printable(name, 60)}", mend=mend)
    if action.always_private:
        mend = (
            f"seal it on its page: {look.site}act/{action.name}/"
            if look.keeps_secrets
            else "do it from a clone"
        )
        raise Refused.of(f"{action.name} is done in private, and this is a public place", mend=mend)
    return action


def _resolution(look: Look, event: Event, actor: str, word: str, words: list[str]) -> Do:
    post = look.post(event.number)
    number = str(post[0]) if post else ""
    if words and words[0].isascii() and words[0].isdigit():
        number, words = words[0], words[1:]
    if not number:
        raise Refused.of(
            "which matter?", mend=f"say it where the matter stands, or by its number: /{word} 12"
        )
    outcome = {"enact": "enacted", "fail": "failed"}.get(word) or (words[0] if words else None)
    given = {"matter": number} | ({"as": outcome} if outcome else {})
    return do(look, event, actor, _action(look, "resolve").name, given, answer=True)


def opened(look: Look, event: Event, thread: Thread) -> Do | Tell | HandIn | None:
    """A part of an issue's own text: a filled-in form, or what a comment could say as well."""
    if look.keeps_secrets and (wish := _in_private(look, event)) is not None:
        return wish
    name = forms.named(event.text)
    if (
        name is None
        and event.id == issue_id(event.number)
        and asks(thread.title)
        and not asks(event.text.partition("\n")[0])
    ):
        asked = printable(thread.title.strip(), 80)
        text = f"nothing was done: a title is not read, and what stands below it asks for nothing. Say it in a comment here: {asked}"
        return Tell((_near(event),), text, event.who)
    if name is None:
        return heard(look, event, thread)
    action = _action(look, name)
    given = forms.read(event.text, action, look.type_at)
    if name == "join":
        return _joining(look, event, "", given)
    actor = player(look, event)
    return (
        stranger(look, event)
        if actor is None
        else do(look, event, actor, name, given, thread=True, answer=True)
    )


def _in_private(look: Look, event: Event) -> Do | Tell | HandIn | None:
    """An issue by a form of those games that keep secrets; what is refused of it is not repeated."""
    armour, mailbox = sealed.order_in(event.text), sealed.mailbox_in(event.text)
    if armour is None and mailbox is None:
        return None
    actor = player(look, event)
    if actor is None:
        return stranger(look, event)
    if armour is None:
        return do(look, event, actor, Outside.MAILBOX, {"recipient": mailbox}, answer=True)
    if not look.takes_orders:
        raise Refused.of(
            "nobody opens orders here: this game's keeper takes them in a clone",
            mend=remedy(
                "give it to the keeper, who takes it:", command("nomicgit", "keep", "--order", "FILE")
            ),
        )
    return HandIn(actor, armour)


def _joining(look: Look, event: Event, wanted: str, given: Mapping[str, Any]) -> Do | Tell:
    assert event.who is not None
    known = look.player(event.who)
    if known is not None:
        return do(look, event, known, "join", given, answer=True)
    name = look.free_name(wanted or event.who.login, event.who)
    if name is None:
        what = (
            f"{printable(wanted or event.who.login, 60)} cannot be your name here: it is, or was, another's, the record calls "
            "something else so, or it has other letters than A to Z, digits and single hyphens. Say another: /join NAME"
        )
        return Tell((event.key,), what, event.who)
    return Do(name, "join", given, (event.id,), event.at, account=look.news_of(event.who), answer=True)
