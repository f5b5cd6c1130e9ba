"""The command line: thin, one file a group of commands, loaded when used.

Not here: anything that another client would need too.

Public: ``app.main``, ``app.Lazy``.
"""

from __future__ import annotations

from nomicgit.cli.app import main

__all__ = ["main"]
