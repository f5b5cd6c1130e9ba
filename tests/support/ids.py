"""Names of deeds that a test gives itself, in the form in which the program makes them."""

from __future__ import annotations

import hashlib
import re

from nomicgit.ground import clock

LINE = re.compile("^Nomic-Id: (.*)$", re.MULTILINE)


def named(word: str, at: int = 1_623_024_000) -> str:
    """The name of a deed that a test calls by a word; ``at`` in seconds, UTC."""
    return (
        f"{clock.text(at).replace('-', '').replace(':', '')}-{hashlib.sha256(word.encode()).hexdigest()[:12]}"
    )


def renamed(message: str) -> str:
    """A deed's message with the name of another deed."""
    return LINE.sub(lambda line: f"Nomic-Id: {named(line[1])}", message)
