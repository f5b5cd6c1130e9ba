"""The table of time zones is a part of physics: what the machine knows of zones does not matter."""

from __future__ import annotations

import shutil
import sys
import tomllib
import zoneinfo
from collections.abc import Iterator
from pathlib import Path

import pytest
import tzdata
from hostile.small import Small, small_law
from support.places import ROOT

from nomicgit.ground import zones
from nomicgit.ground.clock import Calendar, instant, text
from nomicgit.ground.problems import Outage

TOKYO = """\
---
title: Tokyo
clock: {zone: Asia/Tokyo, week: monday}
schedule:
  morning: {every: "day 09:00"}
variables:
  mornings: {type: integer, default: 0}
---
Mornings are those of Tokyo.

```starlark
def schedule_morning():
    gain("game", "mornings", 1)
```
"""


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Nothing is known of any zone before, and nothing wrong is known behind."""
    zones.zone.cache_clear()
    yield
    zones.zone.cache_clear()
    zoneinfo.reset_tzpath()


def test_the_edition_is_what_the_project_pins() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert f"tzdata=={zones.EDITION}" in project["dependencies"]
    assert tzdata.__version__ == zones.EDITION


def test_what_the_machine_says_of_a_zone_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "Asia").mkdir()
    shutil.copy(Path(tzdata.__file__).parent / "zoneinfo" / "UTC", tmp_path / "Asia" / "Tokyo")
    zoneinfo.reset_tzpath([tmp_path])
    zoneinfo.ZoneInfo.clear_cache()
    assert text(Calendar("Asia/Tokyo").next_start("day", instant("2021-06-07T00:00:00Z"))) == (
        "2021-06-07T15:00:00Z"
    )


@pytest.mark.parametrize("lacking", ["the table", "its edition"])
def test_without_the_table_nothing_is_said_of_any_deed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lacking: str
) -> None:
    small = Small.found(tmp_path / "game", small_law({"2-dynastic/20-tokyo.md": TOKYO}))
    small.do("cy", "earn", n=1, after=86_400)
    assert (small.faults(), small.value("game mornings")) == ({}, 2)
    zones.zone.cache_clear()
    if lacking == "the table":
        monkeypatch.setitem(sys.modules, "tzdata", None)
    else:
        monkeypatch.setattr(tzdata, "__version__", "2020.1")
    head = small.head()
    for do in (small.faults, lambda: small.do("cy", "earn", n=1)):
        with pytest.raises(Outage, match=f"tzdata {zones.EDITION}") as failed:
            do()
        assert failed.value.problem.mend == f"pip install tzdata=={zones.EDITION}"
    assert small.head() == head
