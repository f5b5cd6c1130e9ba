"""What another side says of a push that it refuses for what the commits bring, and the same in words for whoever made them.

The words that are looked for are GitHub's, which tells of secrets, of workflows and of files that are too large.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_CONTENT = re.compile(r"cannot contain secrets|create or update workflow|GH001\b")
_SECRETS = re.compile(r"cannot contain secrets")
_KIND = re.compile(r"—+ (?P<kind>[^—]+?) —+")
_PATH = re.compile(r"path: (?P<path>\S.*)")
_LET_IN = re.compile(r"https://\S+/unblock-secret/\S+")
_WORKFLOW = re.compile(r"create or update workflow `(?P<path>[^`]*)`")
_LARGE = re.compile(r"(?:error: )?(?P<what>File .+ exceeds .+ limit of .+)")


def of_content(lines: Sequence[str]) -> bool:
    """Whether it is what the commits bring, and not who pushes, or where."""
    return any(_CONTENT.search(line) for line in lines)


def in_words(lines: Sequence[str], within: tuple[str, ...]) -> str:
    """Why, in sentences; in the other side's own words where they are none that are known.

    ``within``: folders of whose files it is told that it is they; other files are not whoever reads this has written.
    """
    if any(_SECRETS.search(line) for line in lines):
        return _secret(lines, within)
    if workflows := _each(_WORKFLOW, "path", lines):
        return f"Its history changes a workflow ({', '.join(workflows)}), and no proposal may."
    if large := _each(_LARGE, "what", lines):
        return "\n".join(f"{each}." for each in large)
    return "\n".join(lines)


def _secret(lines: Sequence[str], within: tuple[str, ...]) -> str:
    kinds = ", ".join(_each(_KIND, "kind", lines)) or "of a kind that it does not name"
    paths = [path for path in _each(_PATH, "path", lines) if path.startswith(within)]
    where = f", in {', '.join(paths)}" if paths else ""
    let_in = next((match[0] for line in lines if (match := _LET_IN.search(line))), "")
    owner = f" If it is no secret, an owner may let it in: {let_in}" if let_in else ""
    return (
        f"It holds what looks like a secret ({kinds}{where}). Take that out. "
        f"If it opens anything, make it worthless where it came from, for it was public here.{owner}"
    )


def _each(pattern: re.Pattern[str], name: str, lines: Iterable[str]) -> list[str]:
    """What a pattern names in some lines, each once."""
    return list(dict.fromkeys(match[name] for line in lines if (match := pattern.search(line))))
