"""The forge, a doorbell: what GitHub shows of a game, and what the steward says there.

It speaks what the steward reads and says (``steward.seen``, ``steward.said``); nothing here knows a game's law.

Here: requests and what they answer, what a repository's settings must be, what a new one is given. Not here: deeds.

Public: ``github.GitHub``, ``connection.Remote``, ``inspection.settings``, ``doctor.examine``.
"""
