"""Shares: held to SLIP-39 as its text has it, read here a second way, and to its published vectors."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from hashlib import pbkdf2_hmac
from itertools import combinations, pairwise
from pathlib import Path

import pytest
import shamir_mnemonic  # type: ignore[import-untyped]
from hypothesis import given, settings
from hypothesis import strategies as st
from support.sealing_errors import chain, tells

from nomicgit.ground.problems import Refused
from nomicgit.sealing.keys import Key
from nomicgit.sealing.shares import joined, missing, shares

BYTES = bytes(range(64))
KEY = Key.made(BYTES)
THREE_OF_FIVE = shares(KEY, 3, 5)
WORDS = (Path(shamir_mnemonic.__file__).parent / "wordlist.txt").read_text().split()
VECTORS = {
    "b43ceb7e57a0ea8766221624d01b0864": [
        "shadow pistol academic always adequate wildlife fancy gross oasis cylinder "
        "mustang wrist rescue view short owner flip making coding armed",
        "shadow pistol academic acid actress prayer class unknown daughter sweater "
        "depict flip twice unkind craft early superior advocate guest smoking",
    ],
    "c938b319067687e990e05e0da0ecce1278f75ff58d9853f19dcaeed5de104aae": [
        "humidity disease academic always aluminum jewelry energy woman receiver strategy amuse duckling lying evidence "
        "network walnut tactics forget hairy rebound impulse "
        "brother survive clothes stadium mailman rival ocean reward venture always armed unwrap",
        "humidity disease academic agency actress jacket gross physics cylinder solution fake mortgage benefit "
        "public busy prepare sharp friar change work slow purchase ruler "
        "again tricycle involve viral wireless mixture anatomy desert cargo upgrade",
    ],
}
"""Two of SLIP-39's own, with the passphrase TREZOR."""


def product(a: int, b: int) -> int:
    """In GF(256), as AES has it."""
    value = 0
    while b:
        value ^= a if b & 1 else 0
        a, b = (a << 1) ^ (0x11B if a & 128 else 0), b >> 1
    return value


def inverse(a: int) -> int:
    return reduce(product, [a] * 254, 1)


def secret_of(words: list[str], size: int = 64, passphrase: bytes = b"") -> bytes:
    """The secret of enough shares of one group, by Lagrange in GF(256) and four rounds of Feistel."""
    points = {}
    for share in words:
        bits = "".join(f"{WORDS.index(word):010b}" for word in share.split())
        points[int(bits[32:36], 2)] = int(bits[40:-30], 2).to_bytes(size)
    salt = b"" if bits[15] == "1" else b"shamir" + int(bits[:15], 2).to_bytes(2)
    shut = bytes(size)
    for x, value in points.items():
        weight = 1
        for other in points.keys() - {x}:
            weight = product(weight, product(255 ^ other, inverse(x ^ other)))
        shut = bytes(a ^ product(weight, b) for a, b in zip(shut, value, strict=True))
    left, right = shut[: size // 2], shut[size // 2 :]
    for turn in (3, 2, 1, 0):
        rounds = (10000 << int(bits[16:20], 2)) // 4
        mask = pbkdf2_hmac("sha256", bytes([turn]) + passphrase, salt + right, rounds, size // 2)
        left, right = right, bytes(a ^ b for a, b in zip(left, mask, strict=True))
    return right + left


@pytest.mark.parametrize("secret", VECTORS)
def test_the_second_way_reads_the_published_vectors_which_are_no_keys_of_ours(secret: str) -> None:
    assert secret_of(VECTORS[secret], len(secret) // 2, b"TREZOR").hex() == secret
    with pytest.raises(Refused, match="share 1 has"):
        joined(VECTORS[secret])


def test_shares_are_those_of_slip_39() -> None:
    for some in combinations(THREE_OF_FIVE, 3):
        assert secret_of(list(some)) == BYTES
    assert secret_of(THREE_OF_FIVE[:2]) != BYTES
    assert {len(share.split()) for share in THREE_OF_FIVE} == {59}


def test_as_many_as_are_needed_are_the_key() -> None:
    for some in combinations(THREE_OF_FIVE, 3):
        assert joined(some) == KEY
    assert joined(THREE_OF_FIVE) == KEY
    assert joined([*THREE_OF_FIVE[:3], THREE_OF_FIVE[0]]) == KEY
    assert joined([f"  {share.upper()}\n".replace(" ", "\n ") for share in THREE_OF_FIVE[2:]]) == KEY


@settings(max_examples=10, deadline=None)
@given(st.binary(min_size=64, max_size=64).filter(lambda made: made[:32] != made[32:]), st.data())
def test_every_key_is_shared(made: bytes, data: st.DataObject) -> None:
    count = data.draw(st.integers(2, 16))
    threshold = data.draw(st.integers(2, count))
    given_ = data.draw(st.permutations(shares(Key.made(made), threshold, count)))[:threshold]
    assert joined(given_) == Key.made(made)


def test_fewer_are_refused_with_how_many_it_takes() -> None:
    for few in (THREE_OF_FIVE[:2], [THREE_OF_FIVE[0]] * 3):
        with pytest.raises(Refused, match="the key needs 3"):
            joined(few)
    with pytest.raises(Refused, match="here is no share"):
        joined([])
    assert [missing(THREE_OF_FIVE[:count]) for count in (1, 2, 3, 5)] == [2, 1, 0, 0]


def test_a_share_made_up_by_who_holds_another_is_named_where_the_rest_are_enough() -> None:
    """Whoever holds one can make up another that says of itself to be of the same key."""
    own = shamir_mnemonic.shamir.Share.from_mnemonic(THREE_OF_FIVE[4])
    made_up = replace(own, index=1, value=bytes(64)).mnemonic()
    with pytest.raises(Refused, match="or one of them was made up"):
        joined([THREE_OF_FIVE[0], made_up, THREE_OF_FIVE[2]])
    with pytest.raises(Refused, match="share 2 is not of the key that the others are") as refusal:
        joined([THREE_OF_FIVE[0], made_up, THREE_OF_FIVE[2], THREE_OF_FIVE[3]])
    assert "leave it out" in refusal.value.problems[0].mend
    assert joined([THREE_OF_FIVE[0], THREE_OF_FIVE[2], THREE_OF_FIVE[3]]) == KEY


def test_each_refusal_says_what_to_do() -> None:
    others = shares(KEY, 3, 5)
    for wrong, said, mend in (
        (THREE_OF_FIVE[:1], "here is 1 share, and the key needs 3", "ask for 2 more of those who hold one"),
        ([*THREE_OF_FIVE[:2], others[0]], "shares 1 and 3 are not of one key", "written together"),
        ([misspelt(THREE_OF_FIVE[2], 30, "academic")], "share 1 is misspelt", "compare it, word by word"),
        (["academic"], "share 1 has 1 words; one has 59", "whole, on a line of its own"),
        ([], "here is no share", "each on a line of its own"),
    ):
        with pytest.raises(Refused) as refusal:
            joined(wrong)
        (problem,) = refusal.value.problems
        assert said in problem.what
        assert mend in problem.mend


def misspelt(share: str, place: int, word: str) -> str:
    words = share.split()
    words[place] = word
    return " ".join(words)


@pytest.mark.parametrize(
    ("made_up", "says"),
    [
        (misspelt(THREE_OF_FIVE[2], 30, "owl"), "word 31 of share 3 is misspelt"),
        (misspelt(THREE_OF_FIVE[2], 30, "academic"), "share 3 is misspelt"),
        (THREE_OF_FIVE[2] + " academic", "share 3 has 60 words"),
        ("", "share 3 has 0 words"),
        (shares(KEY, 3, 5)[2], "not of one key"),
        (shares(KEY, 3, 5)[0], "not of one key"),
        (shares(Key.made(BYTES[::-1]), 2, 5)[2], "not of one key"),
    ],
)
def test_what_is_no_share_of_the_set_is_refused_and_not_told(made_up: str, says: str) -> None:
    with pytest.raises(Refused, match=says) as refusal:
        joined([*THREE_OF_FIVE[:2], made_up])
    words = THREE_OF_FIVE[2].split()
    pairs = [f"{word} {after}" for word, after in pairwise(words)]
    assert tells(refusal.value, "owl", *pairs) == []
    assert chain(refusal.value) == [refusal.value]


@pytest.mark.parametrize("exponent", [1, 15])
def test_a_share_that_would_take_long_is_refused_at_once(exponent: int) -> None:
    share = shamir_mnemonic.shamir.Share(1, True, exponent, 0, 1, 1, 0, 1, BYTES).mnemonic()
    with pytest.raises(Refused, match="not of a key of this program"):
        joined([share])


@pytest.mark.parametrize(("threshold", "count"), [(0, 1), (1, 1), (1, 5), (3, 2), (2, 17), (-1, 3)])
def test_what_cannot_be_shared_is_refused(threshold: int, count: int) -> None:
    with pytest.raises(Refused, match="up to 16"):
        shares(KEY, threshold, count)


def test_half_a_key_is_not_shared() -> None:
    with pytest.raises(Refused, match="half"):
        shares(Key(KEY.main, None), 2, 3)
