"""The record: a game's files in Git, the journal in its commits, and replay."""
