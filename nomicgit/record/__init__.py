"""The record: a game in Git. Its files, the journal in its commits, founding, deeds one by one, and replay.

Not here: how a deed is decided (physics), and who may push (the host).

Public: ``game.Game``, ``founding.found_game``, ``settings.Settings``, ``tree.GameTree``, ``journal.parse``, ``replay.verify``,
``annals.Annals``.
"""
