"""Padding: a text's length is hidden but for the step it fills."""

from __future__ import annotations

from nomicgit.ground.problems import Malformed

_HEAD = 4  # bytes of the length, the highest first


def padded(text: bytes, step: int) -> bytes:
    """The text behind its length, with zeros up to the next multiple of so many bytes; at least one step."""
    if step < 1 or len(text) >= 1 << 8 * _HEAD:
        raise ValueError("a step is at least one byte, and a text shorter than 4 GiB")
    size = _HEAD + len(text)
    return len(text).to_bytes(_HEAD) + text + bytes(-size % step)


def unpadded(text: bytes) -> bytes:
    """The text that was padded. Raises Malformed where its length is more than there is, or other than zeros follow."""
    length = int.from_bytes(text[:_HEAD])
    if len(text) < _HEAD + length or len(text) < _HEAD or any(text[_HEAD + length :]):
        raise Malformed.of("what was padded has another form than its length says")
    return text[_HEAD : _HEAD + length]
