"""What a founding lays beside a game: its README, its site's settings, what Git is to know, and what its place needs."""

from __future__ import annotations

from nomicgit.cli.bodies import place, rehoused
from nomicgit.ground.missing import TO_HAVE, to_install
from nomicgit.record import mkdocs_yml
from nomicgit.record.build_settings import SITE
from nomicgit.record.forms import forge_of, sealed
from nomicgit.record.settings import Settings

README = """\
# {name}

A game of Nomic: its moves change its rules. It began with the edition `{edition}` and is played with NomicGit in this repository.

- `game/ruleset/` holds the rules. They are the law; the program only carries them out.
- `game/state/` and `game/posts/` hold the gamestate and the blog. Nobody edits them by hand: every move is a deed, and every deed a commit.
- `game/scenarios/` holds what must stay true of the rules, once a proposal has brought any.

{program}
{install}

How to play:

    nomicgit me NAME       say who you are, once
    nomicgit status        what is pending, and what needs your vote
    nomicgit actions       what you may do now
    nomicgit verify        replay the whole history

The rules that the game began with are given away and ask for nothing.
What players write here, rules and posts, is theirs, and is under no licence until one is named here.
"""

ATTRIBUTES = """\
# What the program writes lies in every clone byte for byte, whatever its Git does to line ends.
/game/** -text
/.github/** -text
"""


def files(settings: Settings, *, keys: bool) -> dict[str, bytes]:
    """All of it, by its paths; with this very program where the game lives on a forge."""
    readme = README.format(
        name=settings.name, edition=settings.edition, program=TO_HAVE, install=to_install(keys=keys)
    )
    wanted = {
        SITE: mkdocs_yml.of(settings).encode(),
        rehoused.README: readme.encode(),
        "docs/.gitkeep": b"",
        ".gitignore": b"site/\n.venv/\n",
        ".gitattributes": ATTRIBUTES.encode(),
    }
    there = forge_of(settings.forge)
    if there is None:
        return wanted
    readme += rehoused.on_github(there)
    of_secrets = sealed.texts(there) if keys else {}
    return wanted | place.files(settings.forge or {}) | {rehoused.README: readme.encode()} | of_secrets
