"""What a page may load and run: a Content-Security-Policy that knows each script of the theme by its hash.

Which scripts are the theme's is said by where they stand: in the source of a template. Each gets a mark there, before
any word of a player or of the settings comes in, and the mark is new in each build, so that nobody can write it. A
script of a page without the mark gets no hash, and no browser runs it, however it came there.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from collections.abc import Callable
from typing import Self

from jinja2 import BaseLoader, Environment
from msgspec import Struct

_OPENS = re.compile(r"<script\b", re.IGNORECASE)
_PATH = re.compile(
    '(<nav class="md-path" aria-label=")[^"]*'
)  # the way to a page: the theme calls it what it calls the list of all pages
_CHARSET = re.compile(r"<meta\s+charset=[^>]*>|<head\b[^>]*>", re.IGNORECASE)
_NO_CODE = re.compile(r"\bsrc\s*=|application/json", re.IGNORECASE)
_SCRIPTS = "script-src 'self'"
_REST = (
    "default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; font-src 'self'; connect-src 'self'; "
    f"worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; {_SCRIPTS}"
)


class Policy(Struct, frozen=True):
    """The mark of one build, by which its pages' own scripts are known."""

    mark: str

    @classmethod
    def of(cls, env: Environment) -> Self:
        """That of a build, whose theme's templates get the mark."""
        mark = f" data-nomic-own={secrets.token_hex(16)}"
        assert env.loader is not None
        env.loader = _Marking(env.loader, mark)
        return cls(mark)

    def guarded(self, html: str) -> str:
        """A rendered page without marks, with a policy that lets what was marked run, and files of the site; nothing else."""
        own = re.compile(rf"<script{re.escape(self.mark)}([^>]*)>(.*?)</script>", re.DOTALL | re.IGNORECASE)
        scripts = (match[2] for match in own.finditer(html) if not _NO_CODE.search(match[1]))
        policy = " ".join([_REST, *dict.fromkeys(_hash(script.encode()) for script in scripts)])
        page = html.replace(self.mark, "")
        place = _CHARSET.search(page)
        if place is None:
            return page
        meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        return page[: place.end()] + meta + page[place.end() :]


def also_running(html: bytes, script: bytes) -> bytes:
    """A page that is being served, with a policy that lets one more script run: the server's own."""
    return html.replace(_SCRIPTS.encode(), f"{_SCRIPTS} {_hash(script)}".encode(), 1)


class _Marking(BaseLoader):
    """A theme's templates with a mark on each script that stands in their source."""

    def __init__(self, theme: BaseLoader, mark: str) -> None:
        self._theme, self._mark = theme, mark

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str | None, Callable[[], bool] | None]:
        """A template of the theme."""
        source, file, fresh = self._theme.get_source(environment, template)
        return _OPENS.sub(lambda tag: tag[0] + self._mark, source), file, fresh

    def list_templates(self) -> list[str]:
        """Their names."""
        return self._theme.list_templates()


def named(html: str) -> str:
    """The page with names for what the theme has none for, or the same twice: for those who do not see it."""
    html = html.replace(
        'data-md-component="search" role="dialog">',
        'data-md-component="search" role="dialog" aria-label="Search">',
    )
    return _PATH.sub(r"\1Above this page", html, count=1)


def _hash(script: bytes) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(script).digest()).decode() + "'"
