"""Whether Git takes what leads to a commit, as a Git does that looks at all it is sent: whatever lies in this clone already.

Git looks at what it fetches and has not yet. What was brought once, by any command, it never looks at again: so the objects
are packed as if they were sent, and taken in beside.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from tempfile import TemporaryDirectory
from typing import NamedTuple

from nomicgit.git.layout import Layout
from nomicgit.git.process import command, environment
from nomicgit.ground.problems import printable

_OBJECT = re.compile(r"error: object ([0-9a-f]{40}): (.+)")
_JUDGED_HERE = (
    "badDate", "badDateOverflow", "badEmail", "badName", "badTimezone", "duplicateEntries", "missingAuthor",
    "missingCommitter", "missingEmail", "missingNameBeforeEmail", "missingSpaceBeforeDate", "missingSpaceBeforeEmail",
    "multipleAuthors", "nulInCommit", "zeroPaddedDate", "hasDot", "hasDotdot", "hasDotgit",
)  # fmt: skip
"""What our own reader judges."""
_STRICT = "--strict=" + ",".join(f"{each}=warn" for each in _JUDGED_HERE)


class Bad(NamedTuple):
    """What Git does not take: the object, "" where that cannot be told, and what it says of it."""

    object: str
    what: str


def bad_object(layout: Layout, tip: str, but: Sequence[str]) -> Bad | None:
    """The first object that Git does not take of those that lead to a tip, and to none of these; None where it takes all."""
    asked = "".join(f"{each}\n" for each in (tip, *(f"^{each}" for each in but))).encode()
    pack = ("pack-objects", "--revs", "--stdout", "--quiet", "--window=0", "--delta-base-offset")
    with TemporaryDirectory(prefix="nomicgit-") as folder:
        beside = {
            "GIT_OBJECT_DIRECTORY": folder,
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": f"{layout.common}/objects",
        }
        sent = subprocess.Popen(
            command(layout, *pack), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=environment(),
        )  # fmt: skip
        assert sent.stdin is not None
        assert sent.stdout is not None
        assert sent.stderr is not None
        with sent:
            sent.stdin.write(asked)
            sent.stdin.close()
            taken = subprocess.run(
                command(layout, "index-pack", "--stdin", _STRICT), stdin=sent.stdout, capture_output=True,
                env=environment() | beside, check=False,
            )  # fmt: skip
            sent.stdout.close()  # so that nobody waits for whoever reads no more
            unsent = sent.stderr.read()
    if not taken.returncode and not sent.returncode:
        return None
    said = (unsent.strip() or taken.stderr).decode("utf-8", "replace")
    named = _OBJECT.search(taken.stderr.decode("utf-8", "replace"))
    return Bad(named[1], printable(named[2], 200)) if named else Bad("", printable(said.strip(), 500))
