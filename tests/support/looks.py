"""All that whoever looks at a game without the key is told: pages, feeds, data, and what who may do, at which cost, from when on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nomicgit.outlook.openings import openings
from nomicgit.physics.state import reading
from nomicgit.record.forms.conditions import cost
from nomicgit.record.game import Game
from nomicgit.site import pages
from nomicgit.site.onlooking import Look

_IDS = re.compile(r"[0-9a-f]{7,64}")
"""Ids of commits, and digests: they hang on what is sealed, as everybody may see."""


def looks(game: Game) -> dict[str, str]:
    """What is told, by where; ids of commits are left out."""
    return {where: _IDS.sub("ID", text) for where, text in _looks(game)}


def _looks(game: Game) -> Iterator[tuple[str, str]]:
    at = game.last()
    look = Look.at_time(game, at)
    for page in pages.pages_of(look):
        yield page.uri, str(page.body)
    for uri, content in pages.files_of(look).items():
        yield uri, content if isinstance(content, str) else content.hex()
    for who in reading.roster(game.world(), idle=True):
        world = game.looked_at(at)
        for name, answer in openings(world, who.partition("/")[2]).items():
            price = cost(world.law, world.law.declared.actions[name])
            yield f"{name} by {who}", f"{answer.as_json()} at {price}"
