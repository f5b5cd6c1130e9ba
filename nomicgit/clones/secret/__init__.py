"""Orders and letters of a game with keys: how they go to and fro between players' clones and the keeper's, and the keeper's round."""
