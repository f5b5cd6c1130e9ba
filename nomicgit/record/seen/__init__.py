"""What is seen of a game's line without replaying it: arrivals, strays, headers, signatures, forged deeds; and what to do about each.

Not here: what only replaying shows (``replay``), and what one clone knows of another (``clones.others``).
"""
