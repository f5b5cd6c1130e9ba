"""``python -m nomicgit``."""

from nomicgit.cli import main

main()
