"""The settings of ``mkdocs.yml`` as a theme's templates see them, which escape nothing: texts, never markup."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from markupsafe import Markup, escape

from nomicgit.site.outline import bracketless

TEXTS = ("site_name", "site_description", "site_author", "copyright", "repo_name", "nav")
ADDRESSES = ("site_url", "repo_url", "edit_uri", "edit_uri_template")
_NO_ADDRESS = re.compile(r"""[\x00-\x20"'<>\\^`\x7f]""")


class Setting(str):
    """A text that a template puts into a page escaped, and compares as it is.

    A reference to a character, such as ``&copy;``, is read as that character.
    """

    __slots__ = ()

    def __html__(self) -> Markup:
        return escape(bracketless(html.unescape(self[:])))

    def __str__(self) -> str:
        return str(self.__html__())


def tame(config: Any) -> None:
    """Let no setting of a configuration, nor of its theme, become markup."""
    for name in TEXTS:
        config[name] = settled(config[name])
    for name in ADDRESSES:
        if config[name]:
            config[name] = _NO_ADDRESS.sub(lambda match: quote(match[0], safe=""), config[name])
    for more in (config.extra, config.theme):
        for name in more:
            more[name] = settled(more[name])


def settled(value: object) -> object:
    """A setting with its texts and keys as settings; what nothing needs to be done about stays what it is."""
    match value:
        case str():
            return Setting(value) if str(Setting(value)) != value else value
        case Mapping():
            return {settled(key): settled(each) for key, each in value.items()}
        case list():
            return [settled(each) for each in value]
    return value
