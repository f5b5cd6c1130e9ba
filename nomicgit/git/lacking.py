"""What a clone lacks of its own history: an object that is damaged there, or is missing. No commit is at fault for it.

Nobody can push what is not whole: whoever takes commits in holds that all is there to which they lead. So what is not was
lost here, and nothing is known of what it would have said.
"""

from __future__ import annotations

import os

from nomicgit.git.layout import Layout, settings_of
from nomicgit.ground.kept import late
from nomicgit.ground.problems import Outage, in_a_line, printable
from nomicgit.ground.remedies import command, remedy

SHALLOW = "this clone is shallow: nobody sees here what was done before it begins; fetch the rest:"

_LOOSE = late(r"object.* \S*objects/([0-9a-f]{2}/[0-9a-f]{38})\)? is (?:empty|corrupt)")


class Lacking(Outage):
    """An object that this clone lacks, or has damaged: nothing is known of what it holds, and nobody is blamed."""

    @classmethod
    def of(cls, layout: Layout, what: str, file: str = "") -> Lacking:
        """What is wrong with the objects of a clone, and how they are had again. ``file``: the one of a damaged object."""
        return cls(what, fetched_anew(layout, file))

    @classmethod
    def as_said(cls, layout: Layout, before: str, said: str) -> Lacking:
        """The same, by what Git says of it, which stands behind ``before``."""
        named = _LOOSE.search(said)
        file = f"{layout.common}/objects/{named[1]}" if named else ""
        return cls.of(layout, f"{before}: {in_a_line(said, 300)}", file)


def the_rest() -> str:
    """The command that brings a shallow clone the rest of its history."""
    return command("git", "fetch", "--unshallow")


def fetched_anew(layout: Layout, damaged: str = "") -> str:
    """What has all objects of a clone there again: by what it is, a shallow one, one that borrows, or a damaged one.

    ``damaged`` is a file in the way of what is fetched; "" where none is.
    """
    if os.path.exists(f"{layout.common}/shallow"):
        return remedy("this clone is shallow; fetch the rest:", the_rest())
    gone = [folder for folder in _lenders(layout) if not os.path.isdir(folder)]
    if gone:
        lent = f"this clone borrows objects from {printable(gone[0])}, which is not there: put it back, or clone anew"
        return remedy(f"{lent}; this shows from where:", command("git", "remote", "--verbose"))
    if not any(key.startswith("remote.") for key in settings_of(layout)):
        return remedy("this clone is damaged; see what is left of it:", command("git", "fsck", "--full"))
    return remedy(
        "this clone is damaged, and no deed is at fault; fetch all of it anew:",
        command("rm", "-f", damaged) if damaged else "",
        command("git", "fetch", "--refetch"),
        "where that does not help, clone anew; this shows from where:",
        command("git", "remote", "--verbose"),
    )


def _lenders(layout: Layout) -> list[str]:
    """The folders of objects from which a clone borrows."""
    objects = f"{layout.common}/objects"
    try:
        with open(f"{objects}/info/alternates", encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        return []
    return [os.path.join(objects, line) for line in lines if line and not line.startswith("#")]
