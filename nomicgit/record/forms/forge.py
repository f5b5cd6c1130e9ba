"""Where a game lives on a forge, as its settings say."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

MOST_OF_OWNER, MOST_OF_NAME = 39, 100
"""How many letters the two parts of a repository's name have at most."""
_REPOSITORY = re.compile(
    rf"[A-Za-z0-9](?:[A-Za-z0-9-]{{0,{MOST_OF_OWNER - 1}}})/(?!\.{{1,2}}\Z|.*\.git\Z)[A-Za-z0-9._-]{{1,{MOST_OF_NAME}}}",
    re.ASCII,
)
_SITE = re.compile(r"https://[A-Za-z0-9.-]+(?::[0-9]+)?/(?:[A-Za-z0-9._~-]+/)*", re.ASCII)


class Forge(Struct, frozen=True):
    """A game's place on a forge: its repository (``OWNER/NAME``) and the address of its site, with a slash at its end."""

    repository: str
    site: str

    @property
    def address(self) -> str:
        """The address of the repository."""
        return f"https://github.com/{self.repository}"

    def thread(self, post: Mapping[str, object]) -> str | None:
        """The address of the thread that became a post, a pull request or an issue; None for a post without one."""
        kept = post.get("forge")
        number = kept.get("github") if isinstance(kept, Mapping) else None
        return f"{self.address}/issues/{number}" if isinstance(number, int) else None


def forge_of(kept: Mapping[str, object] | None) -> Forge | None:
    """Where a game lives by ``forge`` of its settings: ``{github: OWNER/NAME, site: ADDRESS}``.

    None where it names no repository as the forge's are named. Without ``site``, or with one that is no address
    of a folder, the site is where the forge publishes it.
    """
    name, site = (kept or {}).get("github"), (kept or {}).get("site")
    if not isinstance(name, str) or not _REPOSITORY.fullmatch(name):
        return None
    return Forge(name, site if isinstance(site, str) and _SITE.fullmatch(site) else published(name))


def resolved_by(kept: Mapping[str, object] | None, number: int, word: str = "resolve") -> tuple[str, str]:
    """How a matter is resolved that may be, by the same settings: what is said of that, and the command ("": none is needed).

    ``word``: which command says it on the forge, where only one does: ``enact`` or ``fail``.
    """
    if forge_of(kept) is None:
        return "", f"nomicgit resolve {number}"
    if (kept or {}).get("resolve") == "steward":
        return "the steward does that in its next pass", ""
    return "an admin says so in any comment on GitHub: ", f"/{word} {number}"


def published(repository: str) -> str:
    """Where the forge publishes a repository's site."""
    owner, _, name = repository.lower().partition("/")
    host = f"{owner}.github.io"
    return f"https://{host}/" if name == host else f"https://{host}/{repository.partition('/')[2]}/"
