"""Hostile input through the doors of the command line: refused clearly, nothing ends the program, nothing steers a terminal."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import pytest
from hostile.forging import Forger
from hostile.small import Small, small_law

from nomicgit.cli import main

ESCAPE = "\x1b[2J\x1b]0;owned\x07\u202e\u2028\u200b"
SECONDS = 20.0  # generous: what is refused late is refused by nobody


@dataclass(frozen=True)
class Said:
    """What a command said, without our own colours, and how it ended."""

    code: int
    text: str


Run = Callable[..., Said]


@pytest.fixture
def small(tmp_path: Path) -> Small:
    return Small.found(tmp_path / "game")


@pytest.fixture
def run(small: Small, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command as cy, as on a terminal; whatever it says must be printable, and no defect."""
    monkeypatch.setattr(click.utils, "should_strip_ansi", lambda *_, **__: False)

    def command(*arguments: str, code: int | None = None) -> Said:
        capsys.readouterr()
        began = time.monotonic()
        with pytest.raises(SystemExit) as ended:
            main(["-C", str(small.folder), "--as", "cy", *arguments])
        assert time.monotonic() - began < SECONDS
        out, err = capsys.readouterr()
        text = re.sub(r"\x1b\[[0-9;]*m", "", out + err)
        seen = {c for c in text if not c.isprintable() and c != "\n"}
        assert not seen, f"{arguments}: {text!r}"
        assert ended.value.code in ((0, 1, 2) if code is None else (code,)), f"{arguments}: {text}"
        assert "Traceback" not in text
        assert len(text) < 20_000
        return Said(int(ended.value.code or 0), text)

    return command


# Words where names, numbers and texts are wanted.


ODD = [
    ESCAPE, "a\nb", "a\u2028b", "\u202eabc", "a\u200bb", "\udcff", "аlice", "al\u0456ce", "ｆｕｌｌ", "\u212a", "ſam", "::error::x",
    "$(id)", "`id`", "-rf", "@/nonexistent", "@.", "x" * 10_000, "{" * 3000, "[", "&a [*a]", "!!python/object/apply:os.system [id]",
    "{a: 1, a: 2}", "1e999", ".nan", "0x10", "9" * 5000, "-0", "2021-13-45", "'", "../../etc/passwd", ".git", "",
]  # fmt: skip


@pytest.mark.parametrize("word", ODD, ids=range(len(ODD)))
def test_odd_words_are_taken_or_refused_in_every_place(run: Run, small: Small, word: str) -> None:
    for arguments in (
        ("act", "story", f"title={word}", "body=b"), ("act", "story", "title=t", f"body={word}"), ("act", "book", f"what={word}"),
        ("act", "earn", f"n={word}"), ("act", "give", f"to={word}", "n=1"), ("act", word, "n=1"), ("act", "earn", word),
        ("vote", word, "for"), ("posts", word), ("state", word), ("rules", word), ("log", "--by", word), ("me", word),
        ("verify", word), ("restore", word, "--by", word), ("undo", word), ("propose", "--title", word),
        ("actions", word), ("check", word),
    ):  # fmt: skip
        run(*arguments)
    small.at += 60
    assert small.verified().faults == []


@pytest.mark.parametrize(
    "name",
    ["аlice", "al\u200bice", "\u202ebob", "BEN", "ｃy", "a b", "a/b", "..", "-rf", "x" * 40, "a\nb", "ſ"],
)
def test_a_name_that_could_be_taken_for_another_is_refused(run: Run, name: str) -> None:
    said = run("--as", name, "act", "join", code=1)
    assert "no name of a player" in said.text or "there is a ben among the players already" in said.text


# Texts of players, and of whoever writes law or commits, on a terminal.


EVIL = """---
title: Evil
posts:
  scroll: {}
catalogues:
  things: {"k%s": {words: "w%s"}}
variables:
  evil: {of: player, type: text, default: "d%s"}
actions:
  curse: {summary: "s%s", with: {t: text, c: {choices: ["c%s"], default: "c%s"}}}
views:
  omen: {of: player}
---
Prose.

```starlark
def do_curse(actor, t, c):
    put(actor, evil=t)
    note("note " + t)
    return say("scroll", "Title", t)

def omen(player):
    return {"x\\x1b[2J": get(player, "evil")}

def can_curse(actor):
    return "reason " + get(actor, "evil") if get(actor, "evil").startswith("no") else ""
```
""" % (("\\u001b[2J\\u202e\\u2028",) * 6)


@pytest.mark.slow
def test_nothing_that_anyone_wrote_steers_a_terminal(tmp_path: Path, run: Run, small: Small) -> None:
    evil = Small.found(tmp_path / "evil", small_law({"2-dynastic/20-evil.md": EVIL}))
    here = ("-C", str(evil.folder))
    run(*here, "act", "curse", f"t={ESCAPE}", code=0)
    run(*here, "act", "story", "title=Ab", f"body={ESCAPE}")
    run(*here, "act", "curse", f"t=no {ESCAPE}", code=0)
    assert "reason no " in run(*here, "act", "curse", "t=x", code=1).text
    run(
        *here,
        "propose",
        "--title",
        "t",
        "--body",
        ESCAPE,
        "--change",
        '{add-rule: {title: "N\\u001b", text: "T"}}',
    )
    forger = Forger(evil)
    forger.add(f"Subject {ESCAPE}\n\nbody {ESCAPE}\n", {"a.txt": b"x"}, author="Ev\u202eil")
    forger.add(
        f"S {ESCAPE}\n\nNomic-Action: x{ESCAPE}\nNomic-By: y\nNomic-At: 2021-06-07T00:00:00Z\nNomic-Id: {ESCAPE}\n",
        {"a.txt": b"y"},
    )
    for command in (
        "status", "log", "posts", "posts 1", "posts 2", "state", "state players.cy", "state players.cy.evil", "rules",
        "rules evil", "actions", "actions curse", "verify", "check", "editions",
    ):  # fmt: skip
        run(*here, *command.split())
        run(*here, *command.split(), "--json")
    assert small.verified().faults == []


def test_a_commit_that_pretends_to_be_a_deed_stops_no_command(run: Run, small: Small) -> None:
    Forger(small).add("S\n\nNomic-Id: a\nNomic-Id: b\n", {"a.txt": b"y"})
    for command in ("log", "posts", "state", "rules", "actions"):
        run(command, code=0)
    for command in ("status", "verify"):
        assert "stands twice" in run(command, code=1).text


# Files that people hand in: YAML.


BOMB = "a: &a [x, x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(8)
)
MERGE = "a: &a {x: 1}\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} {{<<: [{', '.join(['*' + chr(97 + n)] * 9)}]}}\n" for n in range(8)
)
YAML: dict[str, tuple[str | bytes, str]] = {
    "a bomb of aliases": (BOMB, "anchor"),
    "a bomb of merge keys": (MERGE, "anchor"),
    "a value within itself": ("&a [*a]", "anchor"),
    "brackets without end": ("[" * 100_000, "deep"),
    "maps within maps": ("{a: " * 3000 + "}" * 3000, "deep"),
    "lists within lists": ("".join(" " * n + "-\n" for n in range(1000)), "deep"),
    "a key twice": ("quorum: 5\nquorum: 1", "twice"),
    "keys that are no texts": ("{1: a, 1.0: b, true: c}", "key"),
    "an object of a program": ("!!python/object/apply:os.system [id]", "tag"),
    "a tag by another name": ("%TAG ! tag:yaml.org,2002:python/\n---\n!object x", "directive"),
    "two documents": ("a: 1\n---\nb: 2", "document"),
    "a next line that is none": ("a: x\u0085b: y", "U+0085"),
    "a line separator": ("a: x\u2028b: y", "U+2028"),
    "a reversed text": ("a: \u202ex", "U+202E"),
    "an unseen letter": ("a: x\U000e0041", "U+E0041"),
    "a word for yes": ("a: on", "on"),
    "a number in eights": ("a: 017", "017"),
    "a number in sixties": ("a: 12:30", "12:30"),
    "a number with joints": ("a: 1_000", "1_000"),
    "a number in sixteens": ("a: 0x10", "0x10"),
    "a number with an exponent": ("a: 1e3", "1e3"),
    "no number": ("a: .nan", ".nan"),
    "a number without end": ("a: " + "9" * 100_000, "digits"),
    "half of a letter": ('a: "\\ud800"', ""),
    "another alphabet of bytes": (b"\xff\xfea\x00", "UTF-8"),
    "no alphabet of bytes": (b"a: \xff", "UTF-8"),
    "a key that is a list": ("? [a]\n: b", "key"),
    "bytes": ("a: !!binary aGk=", "tag"),
    "another YAML": ("%YAML 9.9\n---\na: 1", "incompatible"),
    "nine megabytes": ("a: " + "x" * 9_000_000, "longer than"),
    "a hundred thousand keys": ("".join(f"k{n}: {n}\n" for n in range(100_000)), ""),
}


@pytest.mark.parametrize("case", YAML)
def test_yaml_that_readers_would_take_in_different_ways_is_refused(run: Run, small: Small, case: str) -> None:
    text, why = YAML[case]
    file = small.folder.parent / "given.yml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    head = small.head()
    for door in (("propose", "--title", "x", "--change", f"@{file}"), ("rehearse", str(file))):
        said = run(*door)
        assert said.code in (1, 2), said.text
    assert why in said.text, said.text
    assert small.head() == head


# Scenarios that others wrote.


SCENARIO: dict[str, Any] = {
    "name": "x",
    "edition": "crypt",
    "players": ["ana", "ben"],
    "admins": ["ben"],
    "steps": [],
}
WRONG = [
    5,
    "x",
    [],
    {},
    [5],
    {"a": 1},
    [[]],
    True,
    None,
    -1,
    "../..",
    "/etc/passwd",
    ESCAPE,
    {"players": {"ana": 5}},
]
STEPS: list[Any] = [
    {"at": "+99999999999h"}, {"at": "x"}, {"by": []}, {"by": "nobody", "propose": {}}, {"by": "ana", "propose": 5},
    {"by": "ana", "act": {}}, {"by": "ana", "act": "x", "with": 5}, {"by": "ana", "vote": "for", "on": [1]}, {"by": "ana", "roll": {}},
    {"by": "ana", "propose": {"title": "a"}, "dice": 5}, {"expect": 5}, {"expect": {"": 1}}, {"expect": {"players": 1}},
    {"expect": {"told": 1}}, {"expect": {"..": 1}}, {"by": "ana", "propose": {"title": "a", "changes": 5}},
    {"by": "ana", "propose": {"title": "a", "changes": [{"repeal": {}}]}},
    {"by": "ana", "propose": {"title": "a", "changes": [{"undo": {}}]}},
    {"by": "ana", "undo": {}}, {"by": "ana", "set": {}}, {"by": "ana", "set": {"a": 1, "b": 2}}, {"by": "ana", "x": 1, "y": 2},
]  # fmt: skip


@pytest.mark.parametrize(
    "key", ["name", "edition", "game", "start", "players", "idle", "emperor", "admins", "state", "steps"]
)
def test_a_scenario_of_any_form_is_played_or_refused(run: Run, small: Small, key: str) -> None:
    file = small.folder.parent / "scenario.yml"
    for wrong in WRONG:
        file.write_text(json.dumps(SCENARIO | {key: wrong}))
        run("rehearse", str(file))


@pytest.mark.parametrize("step", STEPS, ids=range(len(STEPS)))
def test_a_step_of_any_form_fails_and_says_why(run: Run, small: Small, step: Any) -> None:
    file = small.folder.parent / "scenario.yml"
    file.write_text(json.dumps(SCENARIO | {"steps": [step]}))
    assert "step 1" in run("rehearse", str(file), code=1).text
