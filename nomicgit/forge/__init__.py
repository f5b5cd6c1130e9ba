"""The forge, a doorbell: what GitHub shows of a game, and what the steward says there.

``seen`` is what is read, ``said`` what is written, ``github`` does both; nothing here knows a game's law.
"""
