"""Games with keys, as they lie in Git: whose the keys are, what is sealed, which orders came in. Other games load none of it.

Here: the keyring, custody of the present key, the vault (the sealed part of the gamestate), the veil (the messages of sealed deeds),
what verification holds them to without a key, orders as deeds, and turning from term to term.
Not here: how orders and letters go to and fro (``clones``), the cryptography (``sealing``), and which deeds are sealed, which is physics.
"""
