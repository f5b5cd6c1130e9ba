"""The command line: thin, one file a group of commands, loaded when used."""

from __future__ import annotations

from nomicgit.cli.app import main

__all__ = ["main"]
