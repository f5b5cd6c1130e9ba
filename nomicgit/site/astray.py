"""The page for what is not found, which a server shows at any address: it finds its site wherever that lies.

Its links begin at the root that the settings name, for there is no way from an address that nobody knows. So nothing of
it is asked for before a script has found the root by which the site is served; without scripts it is as it was built.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from importlib import resources
from urllib.parse import urlsplit

from markupsafe import escape

PAGE = "404.html"
SCRIPT = "assets/astray.js"
_LINK = re.compile(r"<link\b[^>]*>", re.IGNORECASE)
CALLED = "Not found"
_TITLE = re.compile(r"<title>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_LATER = (
    (re.compile(r"(<script\b[^>]*?) src=", re.IGNORECASE), r"\1 data-later-src="),
    (re.compile(r"<script\b(?![^>]*(?:type|src)=)[^>]*", re.IGNORECASE), r'\g<0> type="text/later"'),
)
"""How a script of the theme is kept from running, and its file from being asked for; the script knows the way back."""


def finding_its_site(html: str, address: str | None, mark: str, ways: Iterable[tuple[str, str]] = ()) -> str:
    """A rendered page, built for an address, that asks for nothing before its script, which gets a mark, knows where from.

    ``ways`` are the pages to go on from, by title, in finished HTML, and place.
    """
    root = urlsplit(address or "").path.rstrip("/") + "/"
    site = hashlib.sha256(f"{address} {html.replace(mark, '')}".encode()).hexdigest()[:16]
    script = resources.files("nomicgit.site").joinpath(SCRIPT).read_text(encoding="utf-8")
    links = " · ".join(f'<a href="{escape(root + place)}">{title}</a>' for title, place in ways)
    said = f"<p>Nothing lies at this address: it was moved, or mistyped. Search for it, or go on from here:</p><p>{links}</p>"
    html = html.replace("</h1>", f"</h1>{said}", 1) if links else html
    html = _TITLE.sub(lambda title: f"<title>{CALLED} - {title[1]}</title>", html, count=1)
    for pattern, instead in _LATER:
        html = pattern.sub(instead, html)
    head, end, body = _LINK.sub(r"<noscript>\g<0></noscript>", html).partition("</head>")
    own = f'<script{mark} data-root="{escape(root)}" data-site="{site}">{script}</script>'
    return f"{head}{own}{end}{body}"
