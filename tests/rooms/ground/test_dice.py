"""Dice: the published vectors, and what a draw hangs on."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest

from nomicgit.ground.dice import Stream, draw
from nomicgit.ground.problems import Malformed

SEED = bytes.fromhex("fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587")
"""The randomness of round 657413 of drand's chain quicknet."""


@pytest.mark.parametrize(
    ("roll", "dice", "faces"),
    [
        ("roll-1", [6] * 8, [1, 6, 5, 4, 3, 4, 1, 2]),
        ("roll-1", [20] * 4 + [100] * 3, [13, 8, 17, 6, 59, 24, 69]),
        ("roll-2", [6] * 8, [3, 6, 6, 3, 5, 3, 1, 4]),
        ("roll-2", [20] * 4 + [100] * 3, [19, 10, 16, 1, 39, 57, 1]),
    ],
)
def test_published_vectors(roll: str, dice: list[int], faces: list[int]) -> None:
    stream = Stream(SEED, "dynasty-1", roll)
    assert [stream.die(sides) for sides in dice] == faces


def test_the_seed_is_the_hash_of_the_rounds_signature() -> None:
    signature = (
        "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"
    )
    assert sha256(bytes.fromhex(signature)).digest() == SEED


def test_a_stream_goes_on_over_many_blocks() -> None:
    stream = Stream(SEED, "long")
    assert len({stream.below(1 << 64) for _ in range(200)}) == 200


def test_names_do_not_run_into_each_other() -> None:
    assert Stream(SEED, "ab", "c").below(1 << 64) != Stream(SEED, "a", "bc").below(1 << 64)


def test_a_draw_hangs_on_no_other_draw() -> None:
    assert draw(SEED, "deed", 7, 1000) == Stream(SEED, "deed", "7").die(1000)


def test_one_side_always_shows_one() -> None:
    assert {draw(SEED, "deed", number, 1) for number in range(10)} == {1}


def test_faces_are_about_equally_likely() -> None:
    stream = Stream(SEED, "fair")
    faces = Counter(stream.die(6) for _ in range(6000))
    assert sum((count - 1000) ** 2 / 1000 for count in faces.values()) < 20.5  # chance of more: 0.1 %


def test_words_beyond_the_greatest_multiple_are_thrown_away() -> None:
    n = (1 << 63) + 1  # nearly half of all words are
    plain = Stream(SEED, "reject")
    words = [plain.below(1 << 64) for _ in range(50)]
    kept = [word for word in words if word < n]
    stream = Stream(SEED, "reject")
    assert [stream.below(n) for _ in kept] == kept


@pytest.mark.parametrize("sides", [0, -6, (1 << 64) + 1])
def test_no_die_has_such_sides(sides: int) -> None:
    with pytest.raises(Malformed, match="a draw among"):
        Stream(SEED).die(sides)
