"""The outlook: what would happen, said before it does. Nothing here is recorded.

Here: what is pending and from when it can be resolved (``overview``, ``ahead``), the checks of law and gamestate (``checks``),
branches as changes (``branches``), what a pull request would do (``preview``). Not here: pages, and anybody's forge.

Public: ``overview.outlook``, ``openings.openings``, ``ahead.look_ahead``, ``checks.check_game``, ``checks.check_branch``,
``branches.changes_of``, ``preview.comment``.
"""
