"""Bech32 (BIP-173), in which age writes its keys: ``age1…`` and ``AGE-SECRET-KEY-1…``. Lower case; age's identities are in upper."""

from __future__ import annotations

_CHARACTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_GENERATOR = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_CHECKSUM = 6  # characters
MAX_LENGTH = 90  # characters, beyond which the checksum promises nothing


def encoded(name: str, content: bytes) -> str:
    """The text of a content under a name, both of which its checksum covers."""
    count = -(-len(content) * 8 // 5)
    bits = int.from_bytes(content) << (count * 5 - len(content) * 8)
    values = [bits >> 5 * place & 31 for place in reversed(range(count))]
    rest = _polymod([*_spread(name), *values, *[0] * _CHECKSUM]) ^ 1
    values += [rest >> 5 * place & 31 for place in reversed(range(_CHECKSUM))]
    return name + "1" + "".join(_CHARACTERS[value] for value in values)


def decoded(name: str, text: str) -> bytes | None:
    """The content of a text of this name; None where it is no such text, or has another writing than `encoded` gives it."""
    if len(text) > MAX_LENGTH:
        return None
    values = [_CHARACTERS.find(character) for character in text[len(name) + 1 :]]
    if not text.startswith(name + "1") or len(values) < _CHECKSUM or -1 in values:
        return None
    bits = 0
    for value in values[:-_CHECKSUM]:
        bits = bits << 5 | value
    length, spare = divmod(5 * (len(values) - _CHECKSUM), 8)
    content = (bits >> spare).to_bytes(length)
    return content if encoded(name, content) == text else None


def _spread(name: str) -> list[int]:
    """The name as its checksum takes it: the high bits of all characters, a zero, the low bits."""
    return [*(ord(each) >> 5 for each in name), 0, *(ord(each) & 31 for each in name)]


def _polymod(values: list[int]) -> int:
    sum_ = 1
    for value in values:
        top, sum_ = sum_ >> 25, (sum_ & 0x1FFFFFF) << 5 ^ value
        for place, term in enumerate(_GENERATOR):
            sum_ ^= term if top >> place & 1 else 0
    return sum_
