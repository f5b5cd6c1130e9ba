"""The pages that seal and that open letters, in Firefox: its cryptography is another than Chromium's.

Skipped where no Firefox is installed.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.firefox import ENTER, FIREFOX, firefox
from support.served import served
from support.visiting import KEPT, founded, nomic, publish

from nomicgit.record.game import Game
from nomicgit.record.secret import ordering
from nomicgit.sealing.orders import Order

pytest.importorskip("pyrage")
pytest.importorskip("mkdocs")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(FIREFOX is None, reason="no Firefox here; .ci/run installs it"),
]

WHISPER = "by the well, at ten 😀"


def test_an_order_is_sealed_and_a_letter_opened_in_firefox(tmp_path: Path) -> None:
    game, site = founded(tmp_path, "assassin", "ana", "ben", "cy", "dee"), tmp_path / "site"
    publish(game, site)
    with served(site) as there, firefox(tmp_path / "profile") as fox:
        fox.open(f"{there.address}letters/")
        fox.types(".nomic-letters:not([hidden]) #letters-by", "dee")
        fox.types(".nomic-letters summary", ENTER)
        fox.types(".nomic-make", ENTER)
        fox.waits(".nomic-mailbox:not([hidden])")
        line = fox.tells("return document.querySelector('.nomic-said').textContent").split()
        nomic("-C", str(game), *line[1:], "--at", "+1h")

        fox.open(f"{there.address}act/tell/")
        fox.types("form.nomic-order:not([hidden]) [data-name=to] select", "dee")
        assert fox.tells("return document.querySelector('#order-by').value") == "dee", (
            "it remembers who one is"
        )
        fox.types("[data-name=text] :is(input, textarea)", WHISPER)
        for _ in range(2):  # an order that names oneself is asked once more
            fox.types("form.nomic-order button[type=submit]", ENTER)
        fox.waits(".nomic-sealed:not([hidden])")
        armour = fox.tells("return document.querySelector('#order-sealed').value")
        order = Order.read(armour, ordering.sealer_of(Game.open(game)).identity)
        assert (order.by, order.action, order.with_) == ("dee", "tell", {"to": "dee", "text": WHISPER})
        (tmp_path / "order.txt").write_text(armour, "utf-8")
        nomic("-C", str(game), "keep", "--order", str(tmp_path / "order.txt"))
        publish(game, site)

        fox.open(f"{there.address}letters/")
        fox.waits(".nomic-letter:not([hidden]) h2")
        assert WHISPER in fox.tells("return document.querySelector('.nomic-letter').innerText")
        [found, *_] = json.loads(fox.tells(f"return await ({KEPT})()"))
        keys = [each for each in found if isinstance(each, dict) and "extractable" in each]
        assert [each["extractable"] for each in keys] == [False]
        assert WHISPER not in json.dumps(found)
