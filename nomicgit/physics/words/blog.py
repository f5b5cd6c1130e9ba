"""Words for posts, comments, votes and messages, and for the changes that a matter brings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import ModuleType
from typing import Any, cast

from nomicgit.ground import clock
from nomicgit.ground.characters import settled
from nomicgit.ground.files import Value
from nomicgit.ground.problems import Refused
from nomicgit.law.crossing import KeptMap
from nomicgit.law.values import given_text
from nomicgit.physics.deed import Heard
from nomicgit.physics.state import deriving, reading, writing
from nomicgit.physics.state.transaction import Transaction, Unkept
from nomicgit.physics.words.looking import id_, span_of, text_of


def bind(world: Transaction, matter: str) -> None:
    """Bind a matter to the changes that were written into it."""
    matters().bind(world, matter)


def changes(world: Transaction, matter: object) -> list[dict[str, object]]:
    """The changes that a matter brings, each with what laws ask of it."""
    brought: list[dict[str, Any]] = matters().changes(world, matter)
    return brought


def apply(world: Transaction, change: object, counting: Sequence[str] = ()) -> str:
    """Carry out one change; nothing, or why it was not made."""
    return str(amending().apply(world, change, counting))


def matters() -> ModuleType:
    """What matters would change, loaded when first asked for."""
    from nomicgit.physics.deeds import matters  # here: few deeds bring changes

    return matters


def amending() -> ModuleType:
    from nomicgit.physics.deeds import (
        amending,  # here: most deeds change no law, and amending takes long to load
    )

    return amending


def entries(world: Transaction, player: str, span: str | None = None) -> list[dict[str, object]]:
    """A player's own posts and comments, newest first; those exactly a span ago included."""
    since = clock.text(clock.shift(world.now, clock.negated(span_of(span)))) if span else ""
    who, own = id_(world, player), []
    recent = writing.stored(world, "open", "recent", {})
    short = bool(since) and world.now - clock.instant(since) <= writing.RECENT
    for number in recent if short else world.store.ids("posts"):
        ref = f"posts/{number}"
        post = world.store.fields(ref)
        if post is None:
            continue
        if post.get("author") == who:
            entry = {"kind": post["kind"], "title": post["title"], "text": post["body"]}
            own.append((str(post["at"]), int(number), -1, entry))
        for n, said in enumerate(world.store.comments(ref)):
            if said.get("by") == who:
                entry = {"kind": "comment", "title": "", "text": said.get("text", "")}
                own.append((str(said["at"]), int(number), n, entry))
    own.sort(key=lambda entry: entry[:3], reverse=True)
    if span:
        world.note_read("posts/*", "comments")
        for at, *_ in own:
            world.waits(clock.shift(clock.instant(at), clock.span(span)) + 1)
    return [{"at": at, "post": f"posts/{n}", **entry} for at, n, _, entry in own if at >= since]


def say(
    world: Transaction, kind: str, title: object, body: object, /, author: object = None, **fields: object
) -> str:
    """Make a post; a votable one starts pending."""
    world.must_write()
    number = int(writing.stored(world, "open", "next", 1))
    world.store.put("open", "next", number + 1)
    ref = f"posts/{number}"
    base: dict[str, Value] = {
        "kind": kind, "title": writing.heading(given_text(title)), "author": None, "at": world.time(),
        "body": given_text(body).strip("\n"), "tags": [], "changes": [], "status": None,
    }  # fmt: skip
    by = author if author is not None else (world.steps[-1].actor if world.steps else None)
    if isinstance(by, str):
        base |= (
            {"author": by.removeprefix("players/")}
            if by.startswith("players/")
            else {"byline": writing.heading(by)}
        )
    world.store.create(ref, base)
    for name, value in fields.items():
        own = name.rstrip("_")
        writing.write(world, ref, "posts", own if own in writing.WRITABLE_OF_POSTS else name, value)
    declared = world.law.declared.posts.get(kind)
    if declared is not None and declared.votable:
        writing.write_post(world, ref, "status", "pending")
    writing.start_all(world, ref)
    writing.heard(world, number)
    return ref


def mentions(world: Transaction, text: object, word: object) -> bool:
    """Whether a text has a word: whole, case ignored."""
    wanted = text_of(word).strip()
    if not wanted:
        return False
    pattern = re.escape(wanted).replace(r"\ ", r"\s+")
    if settled(wanted) != wanted:  # what is newer than Unicode 14 has no case, and is part of no word
        return wanted in text_of(text)
    before, after = (r"(?<!\w)" if wanted[0].isalnum() else "", r"(?!\w)" if wanted[-1].isalnum() else "")
    return re.search(before + pattern + after, settled(text_of(text)), re.IGNORECASE) is not None


def tell(world: Transaction, player: str, text: object, *, public: bool = False) -> None:
    """Send a private message; a ``public`` one says nothing secret, and stands in the journal where nothing can be kept so."""
    world.must_write()
    if world.store.fields(text_of(player)) is None:
        raise Refused.of(f"there is no player {id_(world, player)}")
    if not world.context.secrets:
        if not public:
            raise Unkept.of_what("a private message")
        note(world, f"To {id_(world, player)}: {text_of(text)}")
        return
    world.store.look("a private message")
    world.messages.append((id_(world, player), world.written(text_of(text))))


def note(world: Transaction, text: object, *, public: bool = False) -> None:
    """A line in the journal; of what is done in private only a ``public`` one is heard."""
    world.must_write()
    line = world.written(" ".join(text_of(text).split()))
    world.notes.append(Heard(line) if public else line)


def ballots(world: Transaction, matter: str) -> dict[str, list[str]]:
    """Every icon that each voter has cast, oldest first: ``{player: [icon]}``."""
    return cast(
        "KeptMap", deriving.remembered(world, (matter, "word ballots"), lambda: _ballots(world, matter))
    )


def _ballots(world: Transaction, matter: str) -> KeptMap:
    cast_by = KeptMap()
    world.note_read(matter, "comments")
    for said in world.store.comments(matter):
        if (icon := said.get("icon")) and (by := said.get("by")):
            cast_by.setdefault(f"players/{by}", []).append(icon)
    return cast_by


def votes(world: Transaction, matter: str) -> list[dict[str, object]]:
    """Every comment with an icon, oldest first: ``{by, icon, text, at}``."""
    return [said for said in reading.comments(world, matter) if said["icon"]]
