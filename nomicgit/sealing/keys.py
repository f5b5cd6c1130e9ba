"""Keys of a term: the secret one, its public half, and what seals with it.

A key has two halves of 32 bytes. ``main`` is opened once the term is over; ``never`` is not, and signs besides.
Everything else is derived from them (``ciphers.derived``), so that a key is all that a keeper has to keep.
"""

from __future__ import annotations

import hmac
import re
from base64 import b64decode, b64encode, urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum
from hashlib import sha256
from typing import Self

from msgspec import Struct, field
from msgspec.structs import asdict, fields

from nomicgit.ground.problems import Malformed, Refused
from nomicgit.sealing import age, ciphers
from nomicgit.sealing.ciphers import Tampered
from nomicgit.sealing.padding import padded, unpadded

SIZE = 32  # bytes of a half
_MARK = "nomicgit-key-1:"
_HASH = re.compile("[0-9a-f]{64}")


class Part(StrEnum):
    """The halves of a key."""

    MAIN = "main"
    NEVER = "never"


class Key(Struct, frozen=True):
    """The secret of a term; one whose ``main`` alone is there has been opened. It does not show itself. Raises Refused."""

    main: bytes | None
    never: bytes | None

    __repr__ = object.__repr__

    def __post_init__(self) -> None:
        halves = [half for half in (self.main, self.never) if half is not None]
        if not halves or any(len(half) != SIZE for half in halves):
            raise Refused.of(f"a half of a key has {SIZE} bytes")
        if self.main == self.never:
            raise Refused.of(
                "the halves of a key are the same, of which one will be public", mend="make another key"
            )

    def half(self, part: Part) -> bytes:
        """One half. Raises Refused where it is not there."""
        half = self.main if part is Part.MAIN else self.never
        if half is None:
            raise Refused.of(f"this needs the half of the key that is called {part}, and it is not here")
        return half

    def text(self) -> str:
        """The key as it is kept. Raises Refused for half a key."""
        both = self.half(Part.MAIN) + self.half(Part.NEVER)
        return _MARK + urlsafe_b64encode(both).decode().rstrip("=")

    @classmethod
    def read(cls, text: str) -> Self:
        """The key that a text holds. Raises Refused, without the text."""
        body = text.strip().removeprefix(_MARK)
        if not text.strip().startswith(_MARK):
            raise Refused.of(f"this is no key of the program: one begins with {_MARK}")
        with suppress(ValueError, Refused):
            key = cls.made(urlsafe_b64decode(body.encode() + b"=="))
            if key.text() == _MARK + body:
                return key
        raise Refused.of("the key is misspelt", mend=f"behind {_MARK} stand 86 letters, digits, - and _")

    @classmethod
    def made(cls, entropy: bytes) -> Self:
        """A key of 64 random bytes."""
        if len(entropy) != 2 * SIZE:
            raise Refused.of(f"a key is made of {2 * SIZE} bytes")
        return cls(entropy[:SIZE], entropy[SIZE:])


def following(key: Key, game: str) -> Key:
    """The key of the next term, where the keeper stays. Raises Refused without ``never``.

    Both halves hang on ``never`` alone. So a keeper cannot choose the next term's dice once `Public.next` is recorded,
    and what is opened tells nothing of it; but whoever has got hold of a key has all that follow, until a key is made anew.
    """
    never = key.half(Part.NEVER)
    return Key(ciphers.derived(never, "next", game), ciphers.derived(never, "next-never", game))


def commitment(secret: bytes) -> str:
    """What is published of a secret of 32 random bytes before it is opened: its SHA-256, in hexadecimal."""
    return sha256(secret).hexdigest()


class Public(Struct, frozen=True):
    """What everybody may know of a key: whom to encrypt to, who signs (base64), and commitments to its halves and the next ``main``."""

    recipient: str
    signer: str
    main: str
    never: str
    next: str

    @classmethod
    def of(cls, key: Key, game: str) -> Self:
        """The public half of a whole key in a game."""
        main, never = key.half(Part.MAIN), key.half(Part.NEVER)
        return cls(
            age.recipient(ciphers.derived(main, "identity", game)),
            b64encode(ciphers.signer(ciphers.derived(never, "signing", game))).decode(),
            commitment(main),
            commitment(never),
            commitment(following(key, game).half(Part.MAIN)),
        )

    @classmethod
    def read(cls, plain: Mapping[str, object]) -> Self:
        """The public half that a file holds. Raises Malformed for more, less or other than `as_file` writes."""
        names = [each.name for each in fields(cls)]
        texts = {name: text for name, text in plain.items() if isinstance(text, str)}
        if sorted(texts) != sorted(names) or len(plain) != len(names):
            raise Malformed.of(f"the public half of a key has these texts and no other: {', '.join(names)}")
        public = cls(**texts)
        if not age.is_recipient(public.recipient):
            raise Malformed.of("recipient: this is no public key of age")
        if _bytes_of(public.signer, SIZE) is None:
            raise Malformed.of(f"signer: this is no base64 of {SIZE} bytes")
        for name in ("main", "never", "next"):
            if not _HASH.fullmatch(texts[name]):
                raise Malformed.of(f"{name}: this is no SHA-256 in hexadecimal")
        return public

    def as_file(self) -> dict[str, str]:
        """The public half as a file holds it."""
        return asdict(self)

    def signs(self, text: bytes, signature: str) -> bool:
        """Whether this is the keeper's signature of a text, in base64."""
        return signed(self.signer, text, signature)


def signed(signer: str, text: bytes, signature: str) -> bool:
    """Whether a signature of a text is this signer's; both in base64."""
    public, own = _bytes_of(signer, SIZE), _bytes_of(signature, 64)
    return public is not None and own is not None and ciphers.signs(public, text, own)


def _bytes_of(text: str, size: int) -> bytes | None:
    """So many bytes that a text is the one base64 of; None where it is not."""
    with suppress(ValueError):
        content = b64decode(text, validate=True)
        if len(content) == size and b64encode(content).decode() == text:
            return content
    return None


class Sealer(Struct, frozen=True, eq=False):
    """What a keeper, or whoever has an opened key, seals and opens with in a game (the id of its founding deed)."""

    key: Key
    game: str
    _derived: dict[tuple[Part, str], bytes] = field(default_factory=dict)

    __repr__ = object.__repr__

    def has(self, part: Part) -> bool:
        """Whether this half of the key is there."""
        return (self.key.main if part is Part.MAIN else self.key.never) is not None

    def shut(self, part: Part, purpose: str, deed: str, text: bytes, step: int) -> bytes:
        """A text (purpose ``state`` or ``deed``) as it is recorded with a deed, padded to steps of so many bytes.

        Equal texts of one deed are equal bytes. Raises Refused where the half is not there.
        """
        key = self._shutting(part, purpose)
        return ciphers.shut(key, padded(text, step), purpose, self.game, deed)

    def opened(self, part: Part, purpose: str, deed: str, shut: bytes) -> bytes:
        """What was shut so. Raises Tampered, or Refused where the half is not there."""
        text = ciphers.opened(self._shutting(part, purpose), shut, purpose, self.game, deed)
        with suppress(Malformed):
            return unpadded(text)
        raise Tampered.of("what is sealed here opens, and is not padded as it must be")

    def signature(self, text: bytes) -> str:
        """The keeper's signature, in base64."""
        return b64encode(ciphers.signature(self._of(Part.NEVER, "signing"), text)).decode()

    def dice(self, *names: str) -> bytes:
        """The seed, 32 bytes, of a draw of these names: nobody without ``main`` foresees it."""
        content = [name.encode() for name in names]
        text = b"".join(len(each).to_bytes(4) + each for each in content)
        return hmac.digest(self._of(Part.MAIN, "dice"), text, "sha256")

    @property
    def recipient(self) -> str:
        """Whom orders are encrypted to."""
        return age.recipient(self._of(Part.MAIN, "identity"))

    @property
    def identity(self) -> str:
        """What decrypts orders."""
        return age.identity(self._of(Part.MAIN, "identity"))

    def _shutting(self, part: Part, purpose: str) -> bytes:
        if purpose not in ciphers.SHUTTING:
            raise ValueError(f"nothing is shut for the purpose {purpose}")
        return self._of(part, purpose)

    def _of(self, part: Part, purpose: str) -> bytes:
        """The derived key, made once."""
        name = (part, purpose)
        if name not in self._derived:
            self._derived[name] = ciphers.derived(self.key.half(part), purpose, self.game)
        return self._derived[name]
