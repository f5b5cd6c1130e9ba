"""The site of a game: its law and its public state as pages. ``pages`` knows no generator, ``plugin`` is MkDocs's.

Not here: anything that decides; what the law says of a game is asked in a bounded worker.

Public: ``pages.pages``, ``pages.pages_of``, ``page.Page``, ``plugin.NomicGitPlugin``, ``export.export``.
"""
