"""The forge, a doorbell: what GitHub shows of a game, and what the steward says there.

``seen`` is what is read, ``said`` what is written, ``github`` does both; nothing here knows a game's law.

Here: requests and what they answer, what a repository's settings must be, what a new one is given. Not here: deeds.

Public: ``github.GitHub``, ``connection.Remote``, ``seen.Comment``, ``inspection.settings``, ``doctor.examine``.
"""
