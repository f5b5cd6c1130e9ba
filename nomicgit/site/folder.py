"""What a site needs that is opened from its folder: without a server, browsers load scripts, but no data and no workers."""

from __future__ import annotations

import re
from pathlib import Path

from nomicgit.site.pages import SCRIPT

ASKED_FOR = ("api/law.json", "api/law/*.json", "api/past/*.json", "api/terms.json")
"""What scripts of pages ask for, once somebody wants to know."""

_BEFORE_OURS = re.compile(
    rf'((?:<script\s[^>]*></script>\s*)+)(<script (?:data-later-)?src="[^"]*{re.escape(SCRIPT)}"></script>)'
)


def script_first(html: str) -> str:
    """A rendered page whose script of ours runs before those of the theme, which ask for a worker at once."""
    return _BEFORE_OURS.sub(r"\2\1", html, count=1)


def put_scripts(site: Path, game: Path) -> None:
    """Put what pages ask for beside itself as scripts: the index of a built site's search, and data of its game's folder.

    The index has the name for which the theme asks in a folder.
    """
    _put_script(site / "search/search_index.json", b"__index")
    for pattern in ASKED_FOR:
        for file in sorted(game.glob(pattern)):
            _put_script(file, b"nomicFile")


def _put_script(file: Path, name: bytes) -> None:
    if file.is_file():
        file.with_suffix(".js").write_bytes(b"var " + name + b" = " + file.read_bytes())
