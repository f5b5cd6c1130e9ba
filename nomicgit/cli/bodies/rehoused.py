"""What stands beside a game and tells where it lives: its README, its site's settings, the guide; anew after a move."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from nomicgit.cli.bodies import place
from nomicgit.forge.setup import GUIDE
from nomicgit.ground.problems import Malformed
from nomicgit.record import mkdocs_yml
from nomicgit.record.build_settings import SITE
from nomicgit.record.forms import Forge, forge_of
from nomicgit.record.forms.forge import published
from nomicgit.record.game import Game
from nomicgit.record.tree import GameTree

README = "README.md"
TOLD = (README, SITE, GUIDE)
ON_GITHUB = """
Or on GitHub, without any program:

- What stands, and what waits for you: {site}
- Join: open an issue that says `/join`.
- Act: fill in a form, {address}/issues/new/choose, or comment `/act NAME key=value` anywhere.
- Propose: edit a rule and send a pull request. Vote: review it, or comment `:for:` or `:against:`.
- A matter that has no pull request and no issue: `/vote NUMBER for`, in any comment or in an issue of its own.
- From a phone: GitHub's own app shows no forms. An issue or a comment that says `/join`, `/act …` or `/help` does there what a form does.
"""
_PART = re.compile(r"^Or on GitHub, without any program:\n\n(?:- .*(?:\n|\Z))+", re.MULTILINE)
_ADDRESS = re.compile(r"^site_url:[ \t]*(\S*).*\n?", re.MULTILINE)


def on_github(forge: Forge) -> str:
    """What a README says of a game's place."""
    return ON_GITHUB.format(address=forge.address, site=forge.site)


def told_anew(game: Game, forge: Forge, *, committed: bool = False) -> dict[str, bytes]:
    """The files of those in the folder, or as they are committed, that tell of another place, or of none, as they are to be."""
    anew: dict[str, bytes] = {}
    for path, text in _texts(game, committed=committed):
        if path == README:
            new = _readme(text, forge)
        elif path == SITE:
            new = _site(text, forge, game)
        else:
            new = text if _names(text, f"{forge.address}.git") else _guide(game)
        if new != text:
            anew[path] = new.encode()
    return anew


def _texts(game: Game, *, committed: bool) -> Iterator[tuple[str, str]]:
    """What the files say in the folder, or where there is none at the head; what is no text is nobody's to change."""
    repository = game.repository
    for path in TOLD:
        beside = Path(repository.root) / path if repository.root is not None and not committed else None
        there = _committed(game, path) if beside is None else None
        if beside is not None and beside.is_file() and not beside.is_symlink():
            there = beside.read_bytes()
        try:
            text = there.decode() if there is not None else None
        except UnicodeDecodeError:
            continue
        if text is not None:
            yield path, text


def _committed(game: Game, path: str) -> bytes | None:
    try:
        return game.repository.file(game.head.tree, path)
    except Malformed:  # a link
        return None


def _names(text: str, address: str) -> bool:
    return re.search(re.escape(address) + r"(?![A-Za-z0-9_-])", text) is not None


def _readme(text: str, forge: Forge) -> str:
    """Its part on GitHub, where that tells of another place; at its end where it has none, and names the place nowhere."""
    part = _PART.search(text)
    if _names(text if part is None else part[0], forge.address):
        return text
    if part is None:
        return f"{text.rstrip()}\n{on_github(forge)}"
    return text[: part.start()] + on_github(forge).lstrip("\n") + text[part.end() :]


def _site(text: str, forge: Forge, game: Game) -> str:
    """The site's address, where it is none, or that of a place in which the game lived; any other is its owners'."""
    line = mkdocs_yml.ADDRESS.format(site=forge.site)
    there = _ADDRESS.search(text)
    if there is None:
        return f"{text.rstrip()}\n{line}"
    before = there[1].strip("'\"")
    if before == forge.site or before not in _sites(game):
        return text
    return text[: there.start()] + line + text[there.end() :]


def _sites(game: Game) -> set[str]:
    """Where the site stood, by the settings before each move."""
    repository, sites = game.repository, set()
    for commit in repository.log(game.head.oid):
        if "rehouse" not in commit.message or not commit.parents:
            continue
        before = forge_of(GameTree(repository, repository.commit(commit.parents[0]).tree).settings.forge)
        sites |= {before.site, published(before.repository)} if before is not None else set()
    return sites


def _guide(game: Game) -> str:
    return place.files(game.settings.forge or {})[GUIDE].decode()
