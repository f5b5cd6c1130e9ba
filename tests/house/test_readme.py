"""The console blocks of the page on writing a rule print what stands there, and README promises what there is.

README's own session is played from the wheel (``test_package.py``).
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from support.consoles import hold_to, told
from support.places import ROOT

EDITOR = """\
import pathlib, re, sys
page, path = pathlib.Path(sys.argv[1]).read_text("utf-8"), sys.argv[2]
[text] = re.findall(rf'^````\\w+ title="{re.escape(path)}"\\n(.*?)^````$', page, re.MULTILINE | re.DOTALL)
pathlib.Path(path).write_text(text, "utf-8")
"""
"""An editor that writes into a file what the page shows of it."""


@pytest.mark.slow
def test_a_rule_is_written_as_the_page_says(tmp_path: Path) -> None:
    page, editor = ROOT / "docs/write-a-rule.md", tmp_path / "editor.py"
    editor.write_text(EDITOR, "utf-8")
    hold_to("docs/write-a-rule.md", tmp_path, EDITOR=f"{sys.executable} {editor} {page}")


def test_as_many_deeds_are_promised_as_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    import play

    done = [deed for scene in play.GAME_OF_A_FORTNIGHT for deed in scene.deeds if not deed.refused]
    assert 1 + len(done) == 43  # with the founding
    for page, line in (("README.md", r"^\$ make play .*$"), ("Makefile", r"^play: .*$")):
        [promise] = re.findall(line, (ROOT / page).read_text("utf-8"), re.MULTILINE)
        assert "forty-three deeds" in promise, page


def test_the_jobs_that_readme_names_are_jobs() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for command, _ in told("README.md"):
        if command.startswith("make "):
            assert re.search(rf"^{command.split()[1]}:", makefile, re.MULTILINE), command
