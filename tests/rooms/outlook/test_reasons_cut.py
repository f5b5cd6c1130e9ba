"""Reasons that are longer than anybody reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from hostile.small import Small, small_law

from nomicgit.cli import main

LOUD = """---
title: Loud
actions:
  shout: {with: {n: integer}}
---
Nobody shouts.

```starlark
def can_shout(actor):
    return "no " * 400000

def do_shout(actor, n):
    pass
```
"""


@pytest.mark.slow
def test_a_reason_of_a_megabyte_is_cut_and_check_names_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = Small.found(tmp_path / "game", small_law({"2-dynastic/20-loud.md": LOUD}))
    for words, code, cut in (
        (["actions"], 0, "no no n…"),  # in a list a reason is shorter still
        (["act", "shout", "n=1"], 1, "a reason has at most 2000 letters"),
    ):
        with pytest.raises(SystemExit) as ended:
            main(["-C", str(small.folder), "--as", "cy", *words])
        said = "".join(capsys.readouterr())
        assert int(str(ended.value.code)) == code
        assert cut in said
        assert len(said) < 10_000
    small = Small.found(tmp_path / "other")
    small.git("checkout", "-q", "-b", "loud")
    (small.folder / "game/ruleset/2-dynastic/20-loud.md").write_text(LOUD)
    small.git("add", "-A")
    small.git("commit", "-q", "-m", "Loud")
    with pytest.raises(SystemExit):
        main(["-C", str(small.folder), "check", "loud"])
    said = capsys.readouterr().out
    assert "can_shout gives a reason of more than 2000 letters" in said
    assert "20-loud.md:" in said
