"""Profiles are a command, so that nobody needs to guess what is slow."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from support.places import ROOT


@pytest.mark.slow
def test_a_profile_tells_the_time_of_rooms_and_functions() -> None:
    line = [sys.executable, "tools/profiles.py", "law", "--rows", "5"]
    told = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    rooms, functions = (
        re.findall(r"ms +\d+%  (\S+)$", told, re.MULTILINE),
        re.findall(r" +[\d,]+×  (\S+)", told),
    )
    assert "nomicgit/law" in rooms
    assert len(functions) == 5
    assert any(re.match(r"nomicgit/law/\w+\.py:\d+", each) for each in functions)
