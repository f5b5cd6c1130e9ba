"""``python -m nomicgit``."""

from nomicgit.cli import watched

watched()
