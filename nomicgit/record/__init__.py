"""The record: a game in Git. Its files, the journal in its commits, founding, deeds one by one, and what is seen of its line.

Not here: how a deed is decided (physics), its history replayed (replay), what other clones have (clones), and who may push (the host).

Public: ``game.Game``, ``founding.found_game``, ``settings.Settings``, ``tree.GameTree``, ``journal.parse``, ``annals.Annals``.
"""
