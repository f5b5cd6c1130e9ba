"""Every test has a Git of its own: no configuration, identity or repository of whoever runs the tests."""

from __future__ import annotations

import ctypes
import gc
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from support import depth, pages, parsed
from support.signed import Judged

if TYPE_CHECKING:
    from fakegithub import FakeGitHub

Git = Callable[..., str]

if os.environ.get("PYTHONDONTWRITEBYTECODE") != "guards":  # who sets that word changes files within a second
    sys.dont_write_bytecode = (
        False  # what was compiled is kept, as it is for whoever plays: tests start the program often
    )
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

settings.register_profile("plain", deadline=None)  # no test fails for the time that it takes
settings.register_profile("deep", max_examples=1000, deadline=None)  # chosen by --hypothesis-profile=deep
settings.load_profile("plain")


TIDIED = 40  # tests after which what laws of the interpreter's are left over is given back: each fork copies the rest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what the deep profile alone tries."""
    left = [] if depth.is_deep(config) else [item for item in items if item.get_closest_marker("deep")]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in set(left)] if left else items


def pytest_collection_finish(session: pytest.Session) -> None:
    """What was read in to find the tests stays to the end: nobody need look through it again for what is left over, and no
    fork need copy a table of all its pages.
    """
    gc.collect()
    gc.freeze()
    pages.enlarge()


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Keep the process that plays the tests small: a test that starts workers forks it, with all that it holds."""
    if nextitem is None or nextitem.path.parent != item.path.parent:
        parsed.trees.cache_clear()
    stash = item.session.stash
    stash[_PLAYED] = (stash.get(_PLAYED, 0) + 1) % TIDIED
    if not stash[_PLAYED]:
        gc.collect()
        with suppress(OSError, AttributeError):  # where the C library has another way, it is its own affair
            ctypes.CDLL(None).malloc_trim(0)


_PLAYED = pytest.StashKey[int]()


@pytest.fixture
def _home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home of its own, gone after the test: pytest looks through all that lies beside for each folder that it makes."""
    home = tmp_path_factory.getbasetemp() / "homes" / str(next(_HOMES))
    home.mkdir(parents=True)
    yield home
    shutil.rmtree(home, ignore_errors=True)


_HOMES = count()


@pytest.fixture(scope="session", autouse=True)
def _state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Where programs keep what is their user's: one place for all tests, for some games are made for several of them."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


QUIET = Path(__file__).parent / "support/quiet.gitconfig"


@pytest.fixture(autouse=True)
def isolated_git(_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git without settings but those of ``quiet.gitconfig``, for the tests and all that they start."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(_home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(QUIET))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_TERMINAL_PROMPT", "0")
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Tester")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "tester@example.org")


@pytest.fixture(scope="session")
def judged_signatures(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judged]:
    """What is said of commits' signatures in this process, and in those that it forks."""
    from nomicgit.sealing import ssh

    judged = Judged(tmp_path_factory.mktemp("judged") / "signatures")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ssh, "signs", judged.noting(ssh.signs))
        yield judged


@pytest.fixture(autouse=True)
def git_judges_signatures_alike(isolated_git: None, judged_signatures: Judged) -> Iterator[None]:
    """`git verify-commit` agrees with what was said of each signature of a commit."""
    yield
    assert judged_signatures.unlike_git() == []


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """Run Git, by default in ``tmp_path``, and give its output; a failure fails the test."""

    def run(*args: str, cwd: Path = tmp_path, given: bytes = b"") -> str:
        done = subprocess.run(["git", *args], cwd=cwd, input=given, capture_output=True, check=False)
        assert done.returncode == 0, f"git {' '.join(args)}: {done.stderr.decode()}"
        return done.stdout.decode()

    return run


@pytest.fixture
def github(tmp_path: Path) -> Iterator[FakeGitHub]:
    """A forge with a repository of one file; at the end GitHub's own description must have been kept."""
    from fakegithub import FakeGitHub

    with FakeGitHub(tmp_path / "forge") as forge:
        forge.commit(forge.owner, {"README.md": "hello\n"})
        yield forge
