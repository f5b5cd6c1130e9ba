"""Whoever reads a site in the tests: a browser, and visitors who record what it has to say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from support.visiting import Comes, browser, visitors


@pytest.fixture(scope="package")
def chromium() -> Iterator[Any]:
    """A browser: one for all tests of the site, each of which has a context of its own."""
    with browser() as found:
        yield found


@pytest.fixture
def visitor(chromium: Any) -> Iterator[Comes]:
    """A function that gives a visitor of a site."""
    with visitors(chromium) as come:
        yield come
