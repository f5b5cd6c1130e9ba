"""Games with keys, as they lie in Git: whose the keys are, what is sealed, orders and letters. Other games load none of it.

Here: the keyring, custody of the present key, the vault (the sealed part of the gamestate), the veil (the messages of sealed deeds),
what verification holds them to without a key, taking orders, turning from term to term, letters and their ledger, the keeper's
round. Not here: the cryptography (``sealing``), and which deeds are sealed, which is physics.
"""
