"""Law: what the rules say. Pure: a ruleset in, what it declares and how it can be called out.

Here: values and types, rules and their prose, what rules declare, their mechanics linked and compiled, changes of rules.
Not here: gamestate, deeds, or anything that happens.

Public: ``ruleset.Ruleset``, ``rules.Rule``, ``law.Law``, ``amendments.amend``, ``declarations.Declared``, ``variables.Type``,
``mechanics.Compiled``, ``shapes.malformed``, ``outside.Outside``.
"""
