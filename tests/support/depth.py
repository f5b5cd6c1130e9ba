"""How much is tried of what has many cases: some of each kind, or all with ``--hypothesis-profile=deep``, as `make guards` has it.

`make guards` finds the tests of which that holds by this module's name, so no list of them is kept.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import settings

DEEP = pytest.mark.deep
"""The mark of what the deep profile alone tries."""


def is_deep(config: pytest.Config) -> bool:
    """Whether all of it is tried."""
    return bool(config.getoption("--hypothesis-profile") == "deep")


def one_of(many: int, number: int) -> Sequence[pytest.MarkDecorator]:
    """The marks of the case with this number, where one of so many is tried in every profile."""
    return () if number % many == 0 else (DEEP,)


def examples(times: int = 1) -> settings:
    """As many examples of Hypothesis's as the profile says, or so many times as many."""
    return settings(max_examples=times * settings().max_examples, deadline=None)
