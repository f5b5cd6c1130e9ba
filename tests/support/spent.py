"""What tests cost the processor, with all that they start and that ends: told at the end of a run, by files and by tests.

A plugin of pytest, which `make slowest` loads. A browser ends after a module's last test, and is counted there.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator
from typing import Any

import pytest

NAME, MOST = "processor", 40
_BEGAN = pytest.StashKey[float]()


def _spent() -> float:
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, Any, Any]:
    """From here on it is the test's."""
    item.stash[_BEGAN] = _spent()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """The last report of a test says what it has cost; so it comes to whoever gathers them from the workers."""
    report = yield
    if call.when == "teardown":
        report.user_properties.append((NAME, _spent() - item.stash[_BEGAN]))
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell the dearest files and tests, in seconds."""
    tests = Counter[str]()
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, seconds in getattr(report, "user_properties", ()):
                tests[report.nodeid] += seconds if name == NAME else 0
    files, many = Counter[str](), Counter[str]()
    for test, seconds in tests.items():
        files[test.partition("::")[0]] += seconds
        many[test.partition("::")[0]] += 1
    terminalreporter.section(f"{tests.total():.0f} seconds of the processor, in {len(tests)} tests")
    for file, seconds in files.most_common(MOST):
        terminalreporter.write_line(f"{seconds:8.1f}  {many[file]:5}  {file}")
    terminalreporter.section("the dearest tests")
    for test, seconds in tests.most_common(MOST):
        terminalreporter.write_line(f"{seconds:8.1f}  {test}")
