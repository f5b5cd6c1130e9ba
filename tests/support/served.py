"""A site to be looked at by a browser and by those who judge pages: with a page of every kind, and hostile words on many."""

from __future__ import annotations

import functools
import http.server
import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nomicgit import editions
from nomicgit.ground import clock
from support.sites import HOSTILE, START, build, configured, played

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
LOOKED_AT = START + 46 * 3600
KINDS = (
    "", "ruleset/", "rules/votes/", "rules/moonlight/", "rules/moonlight/0/", "rules/", "terms/", "law/", "law/1/",
    "me/", "me/eli/", "players/", "players/eli/", "gamestate/", "gamestate/rooms/", "actions/", "posts/", "posts/all/", "posts/1/",
    "posts/3/", "posts/12/", "dynasties/", "dynasties/3/", "journal/", "journal/1/", "data/",
)  # fmt: skip
"""A page of every kind."""

WORD = "W" * 3000
WIDE = (
    f"{WORD} `{WORD}` **{WORD}** [{WORD}](https://attic.example/{WORD})",
    f"{'|a' * 80}|\n{'|---' * 80}|\n|{WORD}{'|b' * 79}|",
    f"{'>' * 60} deep in quotes",
    "\n".join(f"{'    ' * depth}- item {depth}" for depth in range(40)),
    f"```\n{WORD}\n```",
)
"""What would make a page wider than a phone."""

PAYLOADS = (
    HOSTILE,
    "<svg onload=alert(1)><style>*{display:none}</style>",
    "[x]: javascript:alert(1)\n\n[click me][x] <javascript:alert(1)>",
    '"><iframe srcdoc="<script>parent.hit=1</script>"></iframe>',
    "<details open ontoggle=alert(1)><pre>\n\n<textarea>",
    '<form id="__config" action="//evil.example"><input name=q autofocus onfocus=alert(1)></form>',
    "`</code><script>window.hit=1</script>`",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
)


@dataclass(frozen=True)
class Site:
    """A built site, served at an address of this machine."""

    folder: Path
    address: str

    def pages(self) -> list[str]:
        """The addresses of all pages."""
        found = (file.relative_to(self.folder).parent.as_posix() for file in self.folder.rglob("index.html"))
        return sorted("" if each == "." else f"{each}/" for each in found)

    def home(self, where: str) -> tuple[str, str]:
        """Its address where it is served, or that of its folder without a server; and what the address of a page ends with."""
        return (self.address, "") if where == "served" else (f"{self.folder.as_uri()}/", "index.html")


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files, silently, as servers do: a connection stays open for what is asked next."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class Forge(Handler):
    """Serves files as a forge does: at an address where nothing stands, the page that the site has for that."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Show the nearest page for what is not found."""
        asked = Path(self.translate_path(self.path))
        pages = (folder / "404.html" for folder in asked.parents)
        page = next((each for each in pages if each.is_file()), None)
        if code != http.HTTPStatus.NOT_FOUND or page is None:
            super().send_error(code, message, explain)
            return
        self.send_response(code)
        content = page.read_bytes()
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


class Server(http.server.ThreadingHTTPServer):
    """Keeps as many callers waiting as a browser ever sends at once; five, as it is by default, may be turned away."""

    request_queue_size = 128


def amended(path: Path) -> Path:
    """A live game in a new folder with an amended rule, a pending proposal, and hostile words through every door."""
    path.mkdir()
    act = played(path, editions.load("crypt"), time="live")
    rule = {"add-rule": {"title": "Moonlight", "text": "The moon shines.\n\nIt is silver.\n\n" + HOSTILE}}
    other = {"amend": {"rule": "moonlight", "replace": "It is silver.", "with": "It is golden."}}
    for number, (hour, change) in enumerate(((1, rule), (20, other)), 1):
        act(hour, "cy", "propose", title=f"Change {number}", body="As said.", changes=[change])
        for voter in ("ben", "dee"):
            act(hour + 1, voter, "vote", matter=number, icon="for", text=HOSTILE)
        act(hour + 14, "ben", "resolve", matter=number)
    act(40, "eli", "explore", room="E3", name="Dusty <i>Hall</i>", description=HOSTILE)
    act(
        41,
        "dee",
        "propose",
        title=f"Third {HOSTILE}",
        body=HOSTILE,
        changes=[
            {"add-rule": {"title": f"T {HOSTILE}"[:60], "text": HOSTILE}},
            {"set": {"game.moonlight": 1}},
        ],
    )
    for number, payload in enumerate(PAYLOADS, 1):
        act(42 + number / 10, "ben", "comment", post=3, text=f"begin-{number} {payload} end-{number}")
        act(
            43 + number / 10,
            "ben",
            "post",
            title=f"{number} {payload}"[:90],
            body=f"{payload}\n\n# Still here {number}\n",
        )
    act(44, "cy", "post", title=WORD[:180], body="\n\n".join(WIDE))
    for number, text in enumerate(WIDE):
        act(44.1 + number / 10, "dee", "comment", post=12, text=text)
    return path


def amended_site(scratch: Path) -> Path:
    """That game's site, built as people build it who have a domain of their own: it stands at a root."""
    file = configured(amended(scratch / "game"), at=clock.text(LOOKED_AT))
    file.write_text(json.dumps(json.loads(file.read_text()) | {"site_url": "https://attic.example/"}))
    return build(file, scratch / "site")


@contextmanager
def served(folder: Path, by: type[Handler] = Handler) -> Iterator[Site]:
    """A built site at an address of this machine."""
    handler = functools.partial(by, directory=str(folder))
    server = Server(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield Site(folder, f"http://127.0.0.1:{server.server_port}/")
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
