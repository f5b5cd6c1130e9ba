"""References to be pushed, laid out so that one pattern names them all.

What is pushed by its name goes to whatever there is called so in any way: a tag ``refs/tags/refs/heads/main`` there bars
``refs/heads/main``. A pattern is filled in as it stands, and means one reference.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from nomicgit.git.layout import Layout
from nomicgit.git.process import command, run

PUSHED = "refs/nomicgit/push/"


@contextmanager
def staged(layout: Layout, new: Mapping[str, str]) -> Iterator[str]:
    """The pattern that pushes these references, each with its commit; it holds while this does."""
    under = f"{PUSHED}{os.urandom(8).hex()}/"
    refs = {under + ref.removeprefix("refs/"): oid for ref, oid in new.items()}
    _update(layout, [f"create {ref} {oid}" for ref, oid in refs.items()])
    try:
        yield f"{under}*:refs/*"
    finally:
        _update(layout, [f"delete {ref}" for ref in refs])


def _update(layout: Layout, lines: list[str]) -> None:
    run(command(layout, "update-ref", "--stdin"), given="".join(f"{line}\n" for line in lines).encode())
