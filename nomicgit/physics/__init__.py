"""Physics: how a deed is decided. One value a number (``numbers``) holds all that the number means.

Here: ``state`` (position, context, transaction, and how the law reads and writes), ``words`` (what the mechanics can say),
``deeds`` (from a deed to its outcome). Not here: Git, files of a game, forges, and any word of an edition.

Public: ``physics.Physics``, ``numbers.physics_of``, ``state.position.Position``, ``state.context.Context``,
``state.transaction.Transaction``, ``deeds.pipeline.decide``, ``deeds.founding.found``.
"""
