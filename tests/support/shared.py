"""What is dear to make and changed by nobody: made once for all tests, whichever worker plays them."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def shared(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A folder of a name, filled by whoever asks first. Whoever would change what lies there takes a copy."""
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent  # of all workers of this run
    folder, made = base / "shared" / name, base / "shared" / f"{name}.made"
    folder.parent.mkdir(exist_ok=True)
    with made.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            shutil.rmtree(folder, ignore_errors=True)  # half made, by who met an error
            folder.mkdir()
            make(folder)
            made.touch()
    return folder
