"""Whether Git takes what leads to a commit, as a Git does that looks at all it is sent (``transfer.fsckObjects``): whatever
lies in this clone already.

Git looks at what it fetches and has not yet. What was brought once, by any command, it never looks at again: so the objects
are packed as if they were sent, and taken in beside. No work tree is named, since Git would look for attributes in each of
its folders, be they thousands deep; and what it complains of goes into a file, for a pipe that nobody reads holds up whoever
writes.
"""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Sequence
from tempfile import TemporaryDirectory, TemporaryFile
from typing import NamedTuple

from msgspec.structs import replace

from nomicgit.git.lacking import Lacking
from nomicgit.git.layout import Layout
from nomicgit.git.process import command, environment, refuse_outage
from nomicgit.ground.problems import in_a_line, printable

_OBJECT = re.compile(r"error: object ([0-9a-f]{40}):? (.+)")


class Bad(NamedTuple):
    """What Git does not take: the object, "" where that cannot be told, and what it says of it."""

    object: str
    what: str


def bad_object(layout: Layout, tip: str, but: Sequence[str]) -> Bad | None:
    """The first object that Git does not take of those that lead to a tip, and to none of these; None where it takes all. `Lacking` where
    this clone has not all of them.
    """
    asked = "".join(f"{each}\n" for each in (tip, *(f"^{each}" for each in but))).encode()
    pack = (
        "-c",
        "core.bare=true",
        "pack-objects",
        "--revs",
        "--stdout",
        "--quiet",
        "--window=0",
        "--delta-base-offset",
    )
    with (
        TemporaryDirectory(prefix="nomicgit-") as folder,
        TemporaryFile() as question,
        TemporaryFile() as complaints,
    ):
        question.write(asked)
        question.seek(0)  # a file: a pipe that nobody reads would look like our own
        beside = {
            "GIT_OBJECT_DIRECTORY": folder,
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": f"{layout.common}/objects",
        }
        sent = subprocess.Popen(
            command(replace(layout, root=None), *pack), stdin=question, stdout=subprocess.PIPE, stderr=complaints,
            env=environment(),
        )  # fmt: skip
        assert sent.stdout is not None
        with sent:
            taken = subprocess.run(
                command(layout, "index-pack", "--stdin", "--strict"), stdin=sent.stdout, capture_output=True,
                env=environment() | beside, check=False,
            )  # fmt: skip
            sent.stdout.close()  # so that nobody waits for whoever reads no more
        complaints.seek(0)
        unsent = b"".join(line for line in complaints if not line.startswith(b"warning: "))
    if not taken.returncode and not sent.returncode:
        return None
    here, there = (said.decode("utf-8", "replace").strip() for said in (unsent, taken.stderr))
    unread = (
        sent.returncode if sent.returncode != -signal.SIGPIPE else 1
    )  # whoever reads no more has ended it
    refuse_outage(min(taken.returncode, unread), "")
    if named := _OBJECT.search(there) or _OBJECT.search(here):
        return Bad(named[1], printable(named[2], 200))
    refuse_outage(1, f"{there}\n{here}")
    if here:
        raise Lacking.as_said(layout, f"git cannot read what leads to the commit {tip}", here)
    return Bad("", in_a_line(there))
