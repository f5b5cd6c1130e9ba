"""Orders: what a keeper reads is what was ordered, and whatever is no order is refused without a word of it."""

from __future__ import annotations

import json
import subprocess
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.sealing_errors import chain, tells

from nomicgit.ground.problems import Refused
from nomicgit.sealing import age
from nomicgit.sealing.orders import Order

MINE = age.identity(b"k" * 32)
TO_ME = age.recipient(b"k" * 32)
ORDER = Order(
    "f00d" * 10, 2, "ana", "note", {"street": "Žižkov", "to": ["ben", None, 1.5, True]}, "n-1", 1623024000
)
PLAIN = {
    "game": "f00d" * 10,
    "term": 2,
    "by": "ana",
    "action": "note",
    "with": {"street": "Žižkov", "to": ["ben", None, 1.5, True]},
    "nonce": "n-1",
    "at": "2021-06-07T00:00:00Z",
}
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


def written(text: str | bytes, step: int = 512) -> str:
    """The armour of a plain text, by the program age."""
    content = text if isinstance(text, bytes) else text.encode(errors="surrogatepass")
    plain = len(content).to_bytes(4, "big") + content
    plain += bytes(-len(plain) % step)
    done = subprocess.run(["age", "-a", "-r", TO_ME], input=plain, capture_output=True, check=True)
    return done.stdout.decode()


def test_the_program_age_reads_an_order(tmp_path: object) -> None:
    key = f"{tmp_path}/key"
    with open(key, "w") as file:
        file.write(MINE)
    done = subprocess.run(
        ["age", "-d", "-i", key], input=ORDER.armoured(TO_ME).encode(), capture_output=True, check=True
    )
    length = int.from_bytes(done.stdout[:4], "big")
    assert len(done.stdout) == 512
    assert json.loads(done.stdout[4 : 4 + length]) == PLAIN
    assert done.stdout[4 + length :].strip(b"\0") == b""


def test_an_order_of_another_client_is_read() -> None:
    form = (
        "### Sealed order\r\n\r\n```\r\n"
        + written(json.dumps(PLAIN, indent=1)).replace("\n", "\r\n")
        + "```\r\n"
    )
    assert Order.read(form, MINE) == ORDER


@pytest.mark.slow
@given(
    st.dictionaries(TEXTS, VALUES, max_size=3),
    TEXTS.filter(bool),
    st.integers(0, 10**6),
    st.integers(0, 4 * 10**9),
)
def test_an_order_is_read_as_it_was_written(given_: dict[str, object], by: str, term: int, at: int) -> None:
    order = Order("f00d", term, by, "act", given_, "n", at)  # type: ignore[arg-type]
    assert Order.read(order.armoured(TO_ME), MINE) == order


def test_orders_of_one_step_are_of_one_length() -> None:
    sizes = set()
    for street in ("", "a", "a" * 200):
        order = Order("f00d", 1, "ana", "note", {"street": street}, "n", 0)
        sizes.add(len(age.decrypted(order.armoured(TO_ME).encode(), MINE)))
    assert sizes == {512}


@pytest.mark.parametrize(
    "change",
    [
        {"game": 1}, {"game": ""}, {"term": "2"}, {"term": True}, {"term": -1}, {"term": 1.5},
        {"by": None}, {"by": ["ana"]}, {"action": ""},
        {"with": []}, {"with": "owl"}, {"with": None}, {"nonce": ""}, {"nonce": "o w l"}, {"nonce": "x" * 65}, {"nonce": 1},
        {"at": 1623024000}, {"at": "owl"}, {"at": "2021-06-07T00:00:00+02:00"}, {"owl": 1}, {"with": {"owl": "\ud800"}},
        {"with": {"owl": 10**17}}, {"with": {"owl": float("nan")}},
    ],
)  # fmt: skip
def test_an_order_of_another_form_is_refused_and_not_told(change: dict[str, object]) -> None:
    with pytest.raises(Refused) as refusal:
        Order.read(written(json.dumps(PLAIN | change)), MINE)
    assert tells(refusal.value, "owl", "Žižkov", "f00d") == []
    assert chain(refusal.value) == [refusal.value]


@pytest.mark.parametrize("name", sorted(PLAIN))
def test_an_order_that_lacks_something_is_refused(name: str) -> None:
    with pytest.raises(Refused, match="must hold"):
        Order.read(written(json.dumps({each: PLAIN[each] for each in PLAIN if each != name})), MINE)


@pytest.mark.parametrize(
    "text",
    [
        b"", b"owl", b'"owl"', b"[]", b"{}", b"\xff\xfeowl", b'{"owl": 1, "owl": 2}', b"[" * 60_000, b'{"owl": ' + b"9" * 5000 + b"}",
        json.dumps(PLAIN).replace('"by"', '"term": 2, "by"').encode(), json.dumps(PLAIN).encode() + b"owl",
        ('{"with":' + '{"a":' * 100 + "1" + "}" * 101).encode(),
    ],
)  # fmt: skip
def test_what_is_no_json_of_an_order_is_refused_and_not_told(text: bytes) -> None:
    with pytest.raises(Refused) as refusal:
        Order.read(written(text), MINE)
    assert tells(refusal.value, "owl", "Žižkov") == []
    assert chain(refusal.value) == [refusal.value]


def test_what_is_not_padded_is_no_order() -> None:
    for plain in (b"", json.dumps(PLAIN).encode()):
        with pytest.raises(Refused, match="padded"):
            Order.read(age.encrypted(plain, [TO_ME], armour=True).decode(), MINE)


@pytest.mark.slow
def test_an_order_for_somebody_else_is_refused() -> None:
    with pytest.raises(Refused, match="another key") as refusal:
        Order.read(ORDER.armoured(age.recipient(b"o" * 32)), MINE)
    assert tells(refusal.value, "Žižkov") == []


@pytest.mark.parametrize("size", [65 << 10, 1 << 20])
def test_a_large_order_is_refused_at_once(size: int) -> None:
    large = Order("f00d", 1, "ana", "note", {"text": "owl" * (size // 3)}, "n", 0)
    with pytest.raises(Refused, match="64 KiB"):
        large.armoured(TO_ME)
    form = written(json.dumps(PLAIN | {"with": {"text": "owl" * (size // 3)}}))
    began = time.process_time()
    with pytest.raises(Refused, match="KiB") as refusal:
        Order.read(form, MINE)
    assert time.process_time() - began < 0.1
    assert tells(refusal.value, "owlowl") == []


def test_the_largest_order_is_read() -> None:
    order = Order("f00d", 1, "ana", "note", {"text": "a" * 65_000}, "n", 0)
    assert Order.read(order.armoured(TO_ME), MINE) == order


def test_an_order_does_not_show_itself() -> None:
    assert "note" not in repr(ORDER)
    assert "Žižkov" not in f"{ORDER}"
    assert "ana" not in repr(ORDER)


def test_what_json_cannot_say_is_not_ordered() -> None:
    with pytest.raises(Refused, match="JSON") as refusal:
        Order("f00d", 1, "ana", "note", {"owl": "\ud800"}, "n", 0).armoured(TO_ME)
    assert tells(refusal.value, "owl") == []
