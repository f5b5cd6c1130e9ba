"""What a site needs that is opened from its folder: without a server, browsers load scripts, but no data and no workers."""

from __future__ import annotations

import re
from pathlib import Path

from nomicgit.site.pages import SCRIPT

_BEFORE_OURS = re.compile(
    rf'((?:<script\s[^>]*></script>\s*)+)(<script src="[^"]*{re.escape(SCRIPT)}"></script>)'
)


def script_first(html: str) -> str:
    """A rendered page whose script of ours runs before those of the theme, which ask for a worker at once."""
    return _BEFORE_OURS.sub(r"\2\1", html, count=1)


def put_index(site: Path) -> None:
    """Put the index of a built site's search beside itself as a script, by the name for which the theme asks in a folder."""
    index = site / "search/search_index.json"
    if index.is_file():
        index.with_suffix(".js").write_bytes(b"var __index = " + index.read_bytes())
