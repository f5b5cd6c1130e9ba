"""Deeds: how what a player does becomes a change of the game, or a refusal."""
