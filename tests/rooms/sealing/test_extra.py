"""The room is loaded late, and a library that is not there is said as that of an extra."""

from __future__ import annotations

import subprocess
import sys

import pytest

from nomicgit.ground.missing import EXTRAS, missing

HIDING = """\
import importlib, sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == sys.argv[1]:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
from nomicgit.ground.missing import missing
try:
    importlib.import_module(sys.argv[2])
except ImportError as error:
    print(missing(error))
"""

USERS = {"cryptography": "ciphers", "pyrage": "age", "shamir_mnemonic": "shares"}


@pytest.mark.parametrize("library", EXTRAS["sealed"])
def test_a_library_that_is_not_there_is_one_of_the_extra(library: str) -> None:
    command = [sys.executable, "-c", HIDING, library, f"nomicgit.sealing.{USERS[library]}"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert f"extra sealed, of which {library} is not installed" in done.stdout
    assert "pip install -e '.[sealed]'" in done.stdout


@pytest.mark.parametrize(
    "command", ["import nomicgit.sealing", "import nomicgit.cli.app, nomicgit.record.game"]
)
def test_nothing_of_it_is_loaded_before_it_is_asked_for(command: str) -> None:
    asks = f"{command}; import sys; print([m for m in {EXTRAS['sealed']!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_is_there_is_not_missing() -> None:
    assert missing(ImportError("cannot import name", name="cryptography")) is None
