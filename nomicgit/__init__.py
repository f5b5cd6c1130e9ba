"""NomicGit plays Nomic, the game whose moves change its rules, in a Git repository."""

__version__ = "0.1.0"
