"""A module that is not there is named, with what to do: one of an extra, and one that this system has not."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import NamedTuple

import pytest
from hostile.small import git_in
from support.clones import Clone
from support.places import ROOT, lacking
from support.signing import resigned, rewound, sits, with_keys_beside
from test_layers import imports

from nomicgit import editions
from nomicgit.git import Repository
from nomicgit.ground.missing import EXTRAS
from nomicgit.physics.deeds.founding import Founding
from nomicgit.record.founding import found_game
from nomicgit.record.settings import Settings

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

WITHOUT = """\
import contextlib, io, json, sys
hidden, commands = json.loads(sys.argv[1])

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in hidden:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

for name in [name for name in sys.modules if name.partition(".")[0] in hidden]:
    del sys.modules[name]
sys.meta_path.insert(0, Absent())
from nomicgit.cli import main
told = []
for command in commands:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(command)
        except SystemExit as ended:
            code = ended.code
    told.append([code, err.getvalue(), out.getvalue()])
print(json.dumps(told))
"""
"""Runs commands where some modules are not installed, as far as Python can tell."""


class Ended(NamedTuple):
    """How a command ended, and what it said."""

    code: int
    err: str
    out: str


NEED = {
    "site": (["site", "export", "pages"],),
    "forge": (["steward"], ["doctor"], ["preview", "1"]),
    "announce": (["announce", "--dry-run"],),
    "sealed": (),  # no command has it yet; the room's own tests try it
}
"""The commands that need an extra."""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game on GitHub, whose token is none and whose forge answers nobody."""
    forge = {"github": "nomic-club/game", "resolve": "admins"}
    with Repository.init(tmp_path) as repository:
        start = Founding(1623024000, ["ana", "ben"], "ana", ["ben"], [])
        found_game(repository, editions.load("crypt"), Settings("Test", "crypt", forge=forge), start)
    monkeypatch.setenv("GITHUB_TOKEN", "none")
    monkeypatch.setenv("GITHUB_API_URL", "http://127.0.0.1:9")
    return tmp_path


def without(game: Path, hidden: tuple[str, ...], commands: tuple[list[str], ...]) -> list[Ended]:
    given = json.dumps([hidden, commands])
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, given], cwd=game, capture_output=True, text=True, check=True
    )
    return [Ended(*each) for each in json.loads(done.stdout)]


BROUGHT = cache(packages_distributions)
"""The distributions that bring each module."""


def modules_of(requirements: list[str]) -> set[str]:
    """The modules that some distributions bring."""
    names = {re.split(r"[<>=!\[ ]", each)[0].lower() for each in requirements}
    return {
        module
        for module, brought in BROUGHT().items()
        if names & {name.lower() for name in brought}
        if not module.startswith("_") and module.isidentifier()
    }


@pytest.mark.slow
@pytest.mark.parametrize("extra", sorted(EXTRAS))
def test_the_extras_are_those_of_the_project(extra: str) -> None:
    assert set(EXTRAS[extra]) == modules_of(PROJECT["optional-dependencies"][extra])


@pytest.mark.slow
def test_all_that_the_program_imports_is_named_by_the_project() -> None:
    wanted = {each.of.partition(".")[0] for each in imports()} - sys.stdlib_module_names - {"nomicgit"}
    named = modules_of(PROJECT["dependencies"]) | {name for names in EXTRAS.values() for name in names}
    assert wanted <= named


@pytest.mark.slow
@pytest.mark.parametrize(("extra", "module"), [(e, m) for e in sorted(EXTRAS) for m in EXTRAS[e]])
def test_a_command_that_lacks_an_extra_says_how_it_is_installed(game: Path, extra: str, module: str) -> None:
    ended = without(game, (module,), NEED[extra])
    for each in ended:
        lacks = each.code == 1 and f"extra {extra}, of which {module} is not installed" in each.err
        assert lacks == (module not in ("mkdocs", "material", "jinja2")), each  # which mkdocs alone asks for
        if lacks:
            assert f"pip install -e '.[{extra}]'" in each.err
            assert len(each.err.splitlines()) == 2


@pytest.mark.slow
def test_without_any_extra_all_other_commands_do_what_they_do(game: Path) -> None:
    hidden = tuple(name for names in EXTRAS.values() for name in names)
    commands = (
        ["status"],
        ["check"],
        ["verify"],
        ["actions", "--player", "ana"],
        ["state"],
        ["forms"],
        ["log"],
        ["rules"],
        ["--help"],
    )
    assert [each.code for each in without(game, hidden, commands)] == [0] * len(commands)


@pytest.mark.slow
def test_a_keepers_round_tells_what_it_did_where_nothing_announces(tmp_path: Path) -> None:
    players = [word for name in ("ana", "ben", "cy") for word in ("--player", name)]
    for kind, keys in (("open", "--no-keys"), ("kept", "--keeper=ana")):
        Clone(tmp_path).play("new", kind, "--edition", "crypt", keys, "--emperor", "ana", *players)
        game, hub = Clone(tmp_path / kind), str(tmp_path / f"{kind}.git")
        game.git("init", "--quiet", "--bare", "--initial-branch=main", hub)
        game.git("remote", "add", "origin", hub)
        game.git("push", "--quiet", "--set-upstream", "origin", "main")
        [ended] = without(game.folder, EXTRAS["announce"], (["keep"],))
        assert ended.code == 0, ended
        assert ended.out, kind


@pytest.mark.slow
def test_mkdocs_says_what_the_plugin_lacks(game: Path) -> None:
    (game / "mkdocs.yml").write_text("site_name: Test\nplugins: [nomicgit]\n")
    (game / "docs").mkdir()
    builder = WITHOUT.replace("nomicgit.cli import main", "mkdocs.__main__ import cli as main")
    given = json.dumps([["nh3"], [["build", "-q"]]])
    done = subprocess.run(
        [sys.executable, "-c", builder, given], cwd=game, capture_output=True, text=True, check=True
    )
    [[code, err, _]] = json.loads(done.stdout)
    assert code == 1
    assert "Traceback" not in err
    assert "pip install -e '.[site]'" in err


@pytest.mark.slow
def test_signatures_that_nobody_can_judge_here_stop_a_game_only_where_it_requires_them(
    tmp_path: Path,
) -> None:
    said = with_keys_beside(tmp_path, "--restore", "ana")
    assert "has begun" in said
    game, hidden = Clone(tmp_path / "game"), EXTRAS["sealed"]
    begun, later = game.head, ("--at", "+1d")
    asking = (["me", "mal", "--key", "../cy"], ["me", "keeper", "--key", "../cy"], ["signers", "--as", "cy", "--add", "../cy"],
              ["signers", "--deeds", "asked", "--by", "ana"], ["join", "--as", "mal", "--key", "../cy"])  # fmt: skip
    for each in without(game.folder, hidden, asking):
        assert each.code == 1
        assert "pip install -e '.[sealed]'" in each.err
    assert game.head == begun
    assert "nomicgit.player" not in game.git("config", "--list")

    sits(game, "ana", "ana")
    game.play("signers", "--add", "../ana.pub")
    resigned(game, "cy")
    for each in without(game.folder, hidden, (["status"], ["verify"])):
        assert each.code == 0, each
        assert each.out.count("not judged: signatures") == 1
        assert "pip install -e '.[sealed]'" in each.out
    [rolled, listed] = without(game.folder, hidden, (["roll", "DICE6", "--as", "ben", *later], ["signers"]))
    assert (rolled.code, listed.code) == (0, 0), (rolled, listed)
    assert "it is signed with no key" in game.tried("verify")[1], "it is judged where it can be"

    rewound(game, begun)
    game.play("signers", "--add", "../ana.pub")
    game.play("signers", "--deeds", "required", "--by", "ana")
    for each in without(game.folder, hidden, (["verify"], ["status"], ["roll", "DICE6", *later])):
        assert each.code == 1
        assert "pip install -e '.[sealed]'" in each.err


@pytest.mark.slow
def test_what_every_command_needs_is_named_too(game: Path) -> None:
    [ended] = without(game, ("starlark",), (["status"],))
    assert ended.code == 1
    assert "the Python module starlark is not installed" in ended.err


@pytest.mark.parametrize("command", ["--version", "status", "verify", "new x --edition crypt --player ana"])
def test_on_windows_the_first_command_says_where_it_runs(game: Path, command: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "nomicgit", *command.split()],
        cwd=game,
        env=lacking("windows"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (1, "")
    [line] = ended.stderr.splitlines()
    assert "wsl --install" in line
    assert git_in(game, "status", "--porcelain") == ""
