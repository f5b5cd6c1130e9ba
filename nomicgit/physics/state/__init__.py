"""The gamestate and how the law reads and writes it."""
