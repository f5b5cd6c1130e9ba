"""Where a build may read and write: links, and settings that lead elsewhere, end it before MkDocs empties a folder."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from nomicgit.ground.problems import Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.record.tree import GAME

GIT = ".git"
_LOOK = remedy(
    "look at the settings of the site; this names the commit that changed them:",
    command("nomicgit", "status"),
)


def refuse_leading_out(home: Path, game: Path, docs: Path, site: Path, *, chosen: bool) -> None:
    """Refuse a build whose folders are links, hold links, or lead to where no page comes from or goes to.

    ``home`` is the folder of the settings, ``game`` that of the game; ``chosen``: who builds has said where to.
    """
    _refuse_links(home, (*_links_towards(home, docs), *_links_towards(home, site)))
    real = home.resolve()
    if not docs.resolve().is_relative_to(real) or _in_git(docs):
        raise Refused.of(
            f"docs_dir leads to {printable(str(docs))}, which is no folder of the game's pages", mend=_LOOK
        )
    where, kept = site.resolve(), (game / GAME).resolve()
    inside = [real, docs.resolve(), game.resolve()]
    meets = where.is_relative_to(kept) or any(folder.is_relative_to(where) for folder in (*inside, kept))
    if meets or _in_git(site) or not (chosen or where.is_relative_to(real)):
        raise Refused.of(
            f"site_dir leads to {printable(str(site))}, where nothing may be emptied for a site", mend=_LOOK
        )
    _refuse_links(home, _links_below(docs))


def _refuse_links(home: Path, links: Iterable[Path]) -> None:
    for link in links:
        shown = printable(str(link.relative_to(home) if link.is_relative_to(home) else link))
        raise Refused.of(
            f"{shown} is a symbolic link: the build would read, or empty, what it leads to",
            mend=remedy("take it out; this names the commit that brought it:", command("nomicgit", "status")),
        )


def _links_towards(home: Path, folder: Path) -> Iterator[Path]:
    """The links on the way from a folder to one below it."""
    if folder.is_relative_to(home):
        way = [folder, *folder.parents]
        yield from (each for each in way[: way.index(home)] if each.is_symlink())


def _links_below(folder: Path) -> Iterator[Path]:
    for here, folders, files in os.walk(folder):
        yield from (each for name in (*folders, *files) if (each := Path(here, name)).is_symlink())


def _in_git(folder: Path) -> bool:
    """Whether a folder is Git's, or lies in it, by its name or by where it leads."""
    return any(part.casefold() == GIT for part in (*folder.parts, *folder.resolve().parts))
