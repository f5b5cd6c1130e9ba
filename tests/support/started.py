"""Programs that tests start often, as people do: from a process that has read them in already and does nothing else.

Each is a process of its own, with its own environment, folder and streams; what it need not do is read in its modules anew. That
process begins when the first of them is asked for, and ends with the one that plays the tests.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import runpy
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

QUIET = {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}


def ran(module: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """A module that is run as a program with these words: how it ended, and what it said."""
    line, starter = [module, *map(str, words)], _starter()
    assert starter.stdin is not None
    assert starter.stdout is not None
    with TemporaryDirectory() as folder:
        streams = [Path(folder) / name for name in ("out", "err")]
        print(
            json.dumps([line, os.getcwd(), dict(os.environ | QUIET), [*map(str, streams)]]),
            file=starter.stdin,
            flush=True,
        )
        code = int(starter.stdout.readline())
        return subprocess.CompletedProcess(line, code, *(each.read_text("utf-8") for each in streams))


@cache
def _starter() -> subprocess.Popen[str]:
    """The process from which they start."""
    starter = subprocess.Popen(
        [sys.executable, __file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | QUIET,
    )
    assert starter.stdin is not None
    atexit.register(starter.wait)
    atexit.register(starter.stdin.close)
    return starter


# ---- within that process


def _serve() -> None:
    """Start what is asked for, one program after the other, and tell how each has ended."""
    sys.path[0] = ""  # as of a module that is run as a program
    import nomicgit.cli.app

    with suppress(ImportError):  # where one is lacking, whoever is started from here misses it
        import material.plugins.search.plugin  # type: ignore[import-untyped]  # noqa: F401
        import mkdocs.commands.build  # noqa: F401

        import nomicgit.site.plugin  # noqa: F401
    gc.collect()
    gc.freeze()
    for row in sys.stdin:
        asked = json.loads(row)
        pid = os.fork()
        if pid == 0:
            _become(*asked)
        _, status = os.waitpid(pid, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _become(line: Sequence[str], folder: str, environment: Mapping[str, str], streams: Sequence[str]) -> None:
    """Be the program, which ends this process."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, path in enumerate(streams, 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
    sys.argv = [*line]
    runpy.run_module(line[0], run_name="__main__", alter_sys=True)
    sys.exit(0)


if __name__ == "__main__":
    _serve()
