"""Replay: the record held to itself. Each deed is decided again upon those before it, and its commit compared byte for byte.

Here: verifying a line (``verifying``, ``replaying``), making what a commit must hold (``remaking``), which claims of a deed
are confirmed (``doubts``), and which faults a mend has set aside (``judging``). Not here: what is seen without replaying
(record), and what is done about what is wrong (clones).

Public: ``verifying.verify``, ``replaying.Replay``.
"""
