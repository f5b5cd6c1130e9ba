"""What stands beside a chart, and what the search reads: the value with which it begins, and no number of a post as a word."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from markupsafe import Markup

from nomicgit.site import scores
from nomicgit.site.searched import searched


def test_the_table_of_a_chart_has_the_values_with_which_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [(0, 7.0), *((hour * 3600, float(hour)) for hour in range(1, 10)), (40_000, 9.0)]
    look: Any = SimpleNamespace(at=40_000)
    number: Any = SimpleNamespace(name="hp", unit=None, attributes={})
    monkeypatch.setattr(scores, "spoken", lambda _: "hp")
    chart = scores._chart(look, number, [("ana", points)], [at for at, _ in points[1:-1]])
    cells = [each.partition("<")[0] for each in str(chart).partition("<tbody>")[2].split("<td>")[1:]]
    assert cells == ["7", "4", "5", "6", "7", "8", "9"], "the first value, and the latest six"


def test_the_number_of_the_post_behind_a_sentence_is_no_word_of_it() -> None:
    written = Markup(
        '<p>They carry lanterns.<sup class="nomic-source"><a href="../6/">6</a></sup> So it is.</p>'
    )
    assert "They carry lanterns. So it is." in searched("Lanterns", written).striptags()
