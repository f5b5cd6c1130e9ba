"""Sealing: the cryptography of secrets that lie in a public record. It knows neither a game nor Git.

Here: keys and what is derived from them, sealed bytes, signatures, orders, letters, shares of a key. All are pure but for what
age and SLIP-39 draw of the system's chance. Not here: what is secret, who may know it, where it is written.
A game without keys loads nothing of this room: it needs the program's extra ``sealed``.

Public: ``keys.Key``, ``keys.Public``, ``keys.Sealer``, ``keys.Part``, ``ciphers.Tampered``, ``orders.Order``, ``letters.packed``,
``letters.unpacked``, ``shares.shares``, ``shares.joined``.
"""
