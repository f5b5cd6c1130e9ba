"""Clones: one clone of a game beside the others. What others have is fetched and looked at, one's own is laid upon it.

Here: sync and what became of one's own deeds (``syncing``, ``laying``, ``fallen``), mends carried out (``remedy``), what
others pushed that nobody should take in (``vetting``), what a host takes in (``receiving``), the keeper's rounds (``tending``,
``secret.rounds``). Not here: the game's files and deeds (record), and anybody's forge.

Public: ``syncing.sync``, ``remedy.Remedy``, ``receiving.receive``, ``tending.tend``, ``secret.rounds.keep``.
"""
