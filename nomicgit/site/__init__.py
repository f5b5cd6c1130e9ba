"""The site of a game: its law and its public state as pages. ``pages`` knows no generator, ``plugin`` is MkDocs's."""
