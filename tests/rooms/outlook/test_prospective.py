"""What would become of pending matters: heavy laws among them neither keep anybody waiting nor hide what the others bring."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hostile.small import Small

from nomicgit.cli import main
from nomicgit.outlook.checks import forecast
from nomicgit.physics.deeds.trial import BRICKED

HEAVY = 'for i in range(20000):\n        ("ab" * 5000).replace("a", "bb")\n    return ""'
SHUT, OPEN = 'return "no"', 'return ""'


def brings(title: str, body: str) -> dict[str, Any]:
    """The change that adds a rule whose guard stands before every action."""
    code = f"def guard_g(actor, action, given):\n    {body}"
    declares = {"guards": {"g": {"on": "all"}}}
    return {"add-rule": {"title": title, "text": "Words.", "declares": declares, "mechanics": code}}


@pytest.mark.slow
def test_heavy_laws_are_bounded_together_and_what_was_not_tried_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two heavy laws, one that would not be enacted, and more matters than are tried."""
    lent, most = 3, 3
    monkeypatch.setattr(forecast, "TOGETHER", lent)
    monkeypatch.setattr(forecast, "MOST", most)
    small = Small.found(tmp_path / "game")
    for number, body in enumerate((HEAVY, HEAVY, SHUT, OPEN, OPEN), 1):
        small.do("cy", "propose", title=f"Law {number}", changes=[brings(f"Law {number}", body)])
    before = sum(os.times()[2:4])
    with pytest.raises(SystemExit) as ended:
        main(["-C", str(small.folder), "status", "--json"])
    assert ended.value.code == 0
    assert sum(os.times()[2:4]) - before < lent + most + 2
    status = json.loads(capsys.readouterr().out)
    assert status["not_enacted"] == {"3": f"it would not be enacted: {BRICKED}"}
    assert status["not_tried"] == [1, 2, 4, 5]
    monkeypatch.setattr(forecast, "MOST", 0)
    with pytest.raises(SystemExit):
        main(["-C", str(small.folder), "status"])
    line = "not tried whether they would be enacted: 1, 2, 3, 4, 5: nomicgit try N"
    assert line in capsys.readouterr().out.splitlines()
