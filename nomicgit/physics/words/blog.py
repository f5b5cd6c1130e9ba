"""Words for posts, comments, votes and messages, and for the changes that a matter brings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from types import ModuleType
from typing import Any, cast

from nomicgit.ground import clock
from nomicgit.ground.characters import settled
from nomicgit.ground.problems import Refused
from nomicgit.law.crossing import KeptMap
from nomicgit.physics.deed import Heard
from nomicgit.physics.state import deriving, reading, writing
from nomicgit.physics.state.transaction import Transaction, Unkept
from nomicgit.physics.words.looking import id_, text_of

BYTE = 4
"""What each byte of a line of the journal costs of a deed's fuel."""


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
    since = clock.text(clock.shift(world.now, clock.negated(clock.span(text_of(span))))) if span else ""
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
    world.messages.append((id_(world, player), _written(world, text_of(text))))


def note(world: Transaction, text: object, *, public: bool = False) -> None:
    """A line in the journal; of what is done in private only a ``public`` one is heard."""
    world.must_write()
    line = _written(world, " ".join(text_of(text).split()))
    world.notes.append(Heard(line) if public else line)


def _written(world: Transaction, line: str) -> str:
    """A line that the journal is to hold, paid for in fuel: what all that a deed lets happen says fits into a commit."""
    world.burn(BYTE * len(line.encode("utf-8", "replace")))
    return line


def ballots(world: Transaction, matter: str) -> dict[str, list[str]]:
    """Every icon that each voter has cast, oldest first: ``{player: [icon]}``."""
    return cast(
        "KeptMap", deriving.remembered(world, (matter, "word ballots"), lambda: _ballots(world, matter))
    )


def _ballots(world: Transaction, matter: str) -> KeptMap:
    cast_by = KeptMap()
    world.note_read(matter, "comments")
    for said in world.store.comments(matter):
        if said.get("icon") and said.get("by"):
            cast_by.setdefault(f"players/{said['by']}", []).append(said["icon"])
    return cast_by


def votes(world: Transaction, matter: str) -> list[dict[str, object]]:
    """Every comment with an icon, oldest first: ``{by, icon, text, at}``."""
    return [said for said in reading.comments(world, matter) if said["icon"]]
