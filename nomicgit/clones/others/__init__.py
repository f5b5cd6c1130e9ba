"""What others have done to a game beside the law, told to whoever looks: branches rewritten, commits that nobody takes in, new dice.

Not here: what one commit shows by itself (``record.seen``).
"""
