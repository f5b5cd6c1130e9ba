"""Ground: what everything stands on and what knows nothing of a game.

Here: problems (what is wrong, where, what to do), the clock, dice, files (strict YAML and its one canonical form), the
worker in which untrusted things run, the watch over a command, and what was worked out lately. Not here: rules, deeds, Git.

Public: ``problems.Problem``, ``problems.Refused``, ``problems.Malformed``, ``problems.Defect``, ``problems.Outage``, ``clock.Calendar``,
``files.read``, ``files.write``, ``worker.run``, ``worker.stream``, ``watch.over``, ``kept.Kept``.
"""
