"""Which rules a deed added, amended and repealed is told by the journal, the mornings and the log, as its files say."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from support.parlour import commands
from support.sites import played, seen_pages

from nomicgit import editions

pytestmark = pytest.mark.slow
LAMP = {"add-rule": {"title": "Lamp", "text": "It is lit."}}
AMENDED = {"amend": {"rule": "lamp", "replace": "lit", "with": "dark"}}


def test_which_rules_a_deed_changed_is_told_with_links(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    act = played(tmp_path, editions.load("crypt"))
    changes = [[LAMP], [AMENDED, {"repeal": "unlife"}]]
    for number, some in enumerate(changes, 1):
        act(number * 30, "cy", "propose", title="Moonlight", changes=some, tags=["Core"])
        for who in ("ana", "ben", "dee", "eli"):
            act(number * 30 + 1, who, "vote", matter=str(number), icon="for")
        act(number * 30 + 20, "ben", "resolve", matter=str(number))
    names = subprocess.run(
        ["git", "-C", str(tmp_path), "diff", "--name-status", "HEAD^", "HEAD", "--", "game/ruleset"],
        capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    assert sorted(names[::2]) == ["D", "M"], "what Git says of the latest deed"
    ask = commands(capsys, "-C", str(tmp_path))
    log = ask("log").out
    assert "\n    rules added: Lamp\n" in log
    assert "\n    rules amended: Lamp\n    rules repealed: Unlife\n" in log
    assert json.loads(ask("log", "--limit", "1", "--json").out)[0]["rules"] == {
        "amended": ["Lamp"],
        "repealed": ["Unlife"],
    }
    pages = seen_pages(tmp_path)
    for uri in ("journal.md", "journal/1.md", "me/cy.md"):
        body = str(pages[uri].body)
        assert "rules repealed: <a href=" in body, uri
        [line] = [each for each in body.split("<li>") if each.startswith("rules amended: ")][:1]
        assert "/lamp" in line.partition("</a>")[0], uri
