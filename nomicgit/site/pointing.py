"""Posts and players that what was written names, ``#12`` and ``@ben``, as the ways to their pages."""

from __future__ import annotations

import re

from markupsafe import Markup

from nomicgit.physics.state import naming
from nomicgit.site.scribe import Scribe, player_uri
from nomicgit.site.untrusted import rendered, within_texts

_NAMED = re.compile(r"(?<![\w&#@/.])(?:#([1-9][0-9]{0,8})|@([A-Za-z][\w-]{0,63}))(?![\w-])")


def led(scribe: Scribe, text: str) -> Markup:
    """Markdown of a player as safe HTML, in which each post and player that is there leads to its page."""
    if "#" not in text and "@" not in text:
        return rendered(text)

    def way(named: re.Match[str]) -> str:
        world = scribe.look.world
        if named[1]:
            there = world.store.fields(f"posts/{named[1]}") is not None
            return str(scribe.link(named[0], f"posts/{named[1]}.md")) if there else named[0]
        who = naming.player_id(world, named[2])
        return str(scribe.link(named[0], player_uri(who))) if who is not None else named[0]

    return within_texts(rendered(text), lambda part: _NAMED.sub(way, part), lambda: None)
