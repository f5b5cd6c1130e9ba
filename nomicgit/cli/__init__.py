"""The command line: commands, loaded when used.

A command is a face (``faces``: its name, options and help) and a body (``bodies``: what it does), loaded when it runs.
Not here: anything that another client would need too.

Public: ``app.main``, ``app.watched``, ``app.Lazy``, ``face.command``.
"""

from __future__ import annotations

from nomicgit.cli.app import main, watched

__all__ = ["main", "watched"]
