"""What a page may load and run: a Content-Security-Policy that knows each script of the theme by its hash.

The theme's inline scripts are learnt from a page on which no player wrote. A script that stands on another page
and is none of these gets no hash, so that no browser runs it, however it came there.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator

_SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script>", re.DOTALL | re.IGNORECASE)
_ROOT = re.compile(
    r"""(["'])(?:\.{1,2}/?)+\1|(["'])/\2"""
)  # the way to the site's root, which differs from page to page
_CHARSET = re.compile(r"<meta\s+charset=[^>]*>|<head\b[^>]*>", re.IGNORECASE)
_REST = (
    "default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; font-src 'self'; connect-src 'self'; "
    "worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; script-src 'self'"
)


def learnt(html: str) -> frozenset[str]:
    """The inline scripts of a page on which no player wrote, whichever folder it lies in."""
    return frozenset(map(_anywhere, _inline(html)))


def finished(html: str, known: frozenset[str] | None) -> str:
    """A page as the site gives it to readers; ``known`` None: without a policy."""
    return named(html) if known is None else guarded(named(html), known)


def guarded(html: str, known: frozenset[str]) -> str:
    """The page with a policy that lets known inline scripts run, and files of the site; nothing else."""
    hashes = dict.fromkeys(_hash(script) for script in _inline(html) if _anywhere(script) in known)
    policy = " ".join([_REST, *hashes])
    place = _CHARSET.search(html)
    if place is None:
        return html
    return f'{html[: place.end()]}<meta http-equiv="Content-Security-Policy" content="{policy}">{html[place.end() :]}'


def named(html: str) -> str:
    """The page with a name for the theme's search dialog, which has none for those who do not see it."""
    return html.replace(
        'data-md-component="search" role="dialog">',
        'data-md-component="search" role="dialog" aria-label="Search">',
    )


def _inline(html: str) -> Iterator[str]:
    for found in _SCRIPT.finditer(html):
        if not re.search(r"\bsrc\s*=|application/json", found[1], re.IGNORECASE):
            yield found[2]


def _anywhere(script: str) -> str:
    return _ROOT.sub('"."', script)


def _hash(script: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() + "'"
