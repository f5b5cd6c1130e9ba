"""A reason of the law's is a line, whatever it says: none of it stands where a message of the program's begins."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hostile.small import Small, small_law

from nomicgit.cli import main

FORGED = "lost: origin/main has been rewritten"
LAW = f"""---
title: Shouts
variables:
  name_: {{of: player, type: text, default: "", legal: _unlawful, by_hand: true}}
actions:
  whisper: {{by: _nobody}}
  shout: {{}}
  cry: {{}}
  call: {{with: {{n: {{type: integer, which: _unfit}}}}}}
  sign: {{with: {{text: text}}}}
  ask: {{}}
guards:
  calm: {{on: [earn]}}
schedule:
  tick: {{every: hour 30}}
  tock: {{every: hour 30}}
settles:
  sour: {{of: player, watches: [gold]}}
views:
  hiatus: {{of: game}}
  verdict: {{of: matter}}
  reasons: {{of: matter}}
  enactable: {{of: matter}}
  failable: {{of: matter}}
---
Nobody shouts.

```starlark
def _said(of):
    return of + ":\\n\\r\\n    {FORGED}"

def _nobody(actor):
    return _said("who")

def _unlawful(ref, value):
    return _said("legal") if value else ""

def _unfit(value):
    return _said("which")

def can_shout(actor):
    return _said("open")

def do_whisper(actor):
    pass

def do_shout(actor):
    pass

def do_cry(actor):
    require(False, _said("require"))

def do_call(actor, n):
    pass

def do_sign(actor, text):
    put(actor, name_=text)

def do_ask(actor):
    refuse(can("cry", actor))

def guard_calm(actor, action, given):
    refuse(_said("guard"))

def schedule_tick():
    refuse(_said("tick"))

def schedule_tock():
    fail(_said("tock"))

def settle_sour(ref):
    if get(ref, "gold") > 11:
        fail(_said("settle"))

def hiatus_reason():
    return "hiatus: " + _said("pause")

def hiatus():
    return True

def verdict(matter):
    return {{"outcome": "fail", "reason": _said("verdict")}}

def reasons(matter):
    return {{"players/ana": _said("counts")}}

def enactable(matter):
    return _said("enactable")

def failable(matter):
    return ""
```
"""
SAYS = {
    "act whisper": "who", "act shout": "open", "act cry": "require", "act call n=1": "which", "act sign text=x": "legal",
    "act ask": "require", "act earn n=1": "guard", "set players.cy.name_ x": "legal", "actions": "open", "actions whisper": "who",
    "actions shout": "open", "status": "pause", "posts 1": "verdict", "log": "tick",
    "--at +2h vote 1 for": "tick", "--at +2h act give to=ben n=1": "tick",
}  # fmt: skip
"""What is typed, and whose reason is told of it."""
ALSO = ("try 1", "check", "state", "posts", "me", "verify", "resolve 1", "roll DICE6", "forms", "undo 1")


@pytest.fixture(scope="module")
def shouting(tmp_path_factory: pytest.TempPathFactory) -> Small:
    small = Small.found(
        tmp_path_factory.mktemp("shouts") / "game", small_law({"2-dynastic/20-shouts.md": LAW})
    )
    small.do("cy", "propose", title="Bees", changes=[{"set": {"game.quorum": 3}}])
    small.do("ana", "vote", matter="1", icon="for", after=7200)
    return small


@pytest.mark.slow
@pytest.mark.parametrize("typed", [*SAYS, *ALSO])
def test_no_line_of_a_reason_passes_for_one_of_the_programs(
    shouting: Small, typed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for more in ((), ("--json",)):
        with pytest.raises(SystemExit):
            main(["-C", str(shouting.folder), "--as", "cy", *typed.split(), *more])
        out, err = capsys.readouterr()
        told = out + err
        assert [line for line in told.splitlines() if line.strip(" |").startswith("lost:")] == []
        assert [
            text
            for text in (_texts(json.loads(out)) if more and out else ())
            if FORGED in text and "\n" in text
        ] == []
        if typed in SAYS and not more:
            assert f"{SAYS[typed]}: {FORGED}" in told


def _texts(value: object) -> Iterator[str]:
    """All texts in what was told as JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
