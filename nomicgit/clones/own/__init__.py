"""One's own deeds that nobody else has yet: laid anew upon what others have, put aside where that refuses them, done again.

Not here: when that happens (``syncing``), and deeds that a mend has set aside for everybody (``remedy``).
"""
