"""The architecture, held: imports run downward, fragile dependencies have one importer, no edition's word in the physics."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest
from support.parsed import trees
from support.places import ROOT

from nomicgit.cli.contents import MODULES

PACKAGE = ROOT / "nomicgit"

ROOMS = "ground sealing git law editions physics rehearsal record replay clones outlook steward forge site cli __main__".split()
"""The rooms of the house, from the ground up: whatever stands in one may use those before it."""

HEIGHT = {name: height for height, name in enumerate(ROOMS)}

IMPORTERS = {
    "click": "cli/",
    "starlark": "law/mechanics.py",
    "mkdocs": "site/plugin.py",
    "PIL": "site/card.py",
    "yaml": "ground/files/strict.py",
    "httpx": "forge/wire.py",
    "cryptography": "sealing/ciphers.py",
    "pyrage": "sealing/age.py",
    "shamir_mnemonic": "sealing/shares.py",
    "tzdata": "ground/zones.py",
    "apprise": "cli/heralds.py",
}
"""The one place that imports what may churn or is costly to import."""

EDITION_WORDS = (
    "vampire", "richardo", "puissance", "zahndorf", "dracula", "sepulchre", "villager", "werewol", "commoner", "mad prince",
    "assassin", "referee", "yendor", "scaveng",
)  # fmt: skip

HOSTS = ("pypi." + "org", "python" + "hosted.org", "npmjs." + "org", "deb.debian." + "org")
MACHINE = re.compile("|".join(["/wo" + "rk/", "/ro" + "ot/", "/ho" + "me/[a-z]", *map(re.escape, HOSTS)]))
"""Paths of somebody's machine, and package registries (in halves, so that they do not find themselves)."""

MAY_END = ("nomicgit.cli", "nomicgit.__main__", "nomicgit.ground.worker", "nomicgit.ground.watch")
"""What may print or end a process: the command line, and the worker and the watch, which have processes of their own."""


@dataclass(frozen=True, slots=True)
class Import:
    """One import: of a module by a module, at import time or (``deferred``) when a function runs."""

    of: str
    by: str
    line: int
    deferred: bool

    def __str__(self) -> str:
        return f"{self.by}:{self.line} imports {self.of}"


@cache
def imports() -> tuple[Import, ...]:
    return tuple(
        found
        for name, (path, tree) in trees().items()
        for found in _imports(name, path, tree, deferred=False)
    )


@cache
def loaded() -> tuple[Import, ...]:
    """What the command line imports by name: the faces of commands, and by each face a body."""
    faces = (Import(face, "nomicgit.cli.app", 0, True) for face in dict.fromkeys(MODULES.values()))
    bodies = (
        Import(f"nomicgit.cli.bodies.{body}", name, call.lineno, True)
        for name, (_, tree) in trees().items()
        if name.startswith("nomicgit.cli.faces.")
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and (body := _body(call))
    )
    return (*faces, *bodies)


def _body(call: ast.Call) -> str:
    """The module of the body that a call in a face names, if it names one."""
    if ast.unparse(call.func) == "offering":
        return "completing"
    return next(
        (ast.literal_eval(each.value).partition(".")[0] for each in call.keywords if each.arg == "body"), ""
    )


def _imports(name: str, path: Path, node: ast.AST, *, deferred: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (Import(alias.name, name, child.lineno, deferred) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            base = child.module or ""
            if child.level:
                package = name if path.name == "__init__.py" else name.rpartition(".")[0]
                base = ".".join(
                    [*package.split(".")[: len(package.split(".")) - child.level + 1], *filter(None, [base])]
                )
            for alias in child.names:
                whole = f"{base}.{alias.name}"
                yield Import(whole if whole in trees() else base, name, child.lineno, deferred)
        else:
            within = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            yield from _imports(name, path, child, deferred=deferred or within)


def part(module: str) -> str:
    """The room that a module stands in; empty for nomicgit itself."""
    return module.split(".")[1] if "." in module else ""


def inner() -> list[Import]:
    return [each for each in (*imports(), *loaded()) if each.of.startswith("nomicgit.") and part(each.by)]


def test_every_module_stands_in_a_room() -> None:
    assert {part(name) for name in trees() if part(name)} == set(ROOMS)


def test_each_room_says_what_is_public_in_it_and_has_it() -> None:
    for room in ROOMS[:-1]:
        said = ast.get_docstring(trees()[f"nomicgit.{room}"][1]) or ""
        public = re.findall(r"``([A-Za-z_.]+)``", said.partition("Public:")[2])
        assert public, room
        for name in public:
            module, _, thing = f"{room}.{name}".rpartition(".")
            assert hasattr(import_module(f"nomicgit.{module}"), thing), f"{room}: {name}"


@pytest.mark.slow
def test_imports_run_downward() -> None:
    upward = [str(each) for each in inner() if HEIGHT[part(each.of)] > HEIGHT[part(each.by)]]
    assert upward == [], "; ".join(upward)


def test_neither_the_steward_nor_what_it_stands_on_knows_a_forge() -> None:
    """What is seen and said on a forge is the steward's; a forge speaks it, and any host that does is one."""
    knows = [
        str(each) for each in inner() if part(each.of) == "forge" and part(each.by) not in ("forge", "cli")
    ]
    assert knows == []
    below = [name for name in trees() if part(name) and HEIGHT[part(name)] <= HEIGHT["steward"]]
    assert {"nomicgit.steward.seen", "nomicgit.steward.said", "nomicgit.clones.secret.rounds"} <= set(below)
    clients = {part(each.by) for each in inner() if each.of == "nomicgit.clones.secret.taking"}
    assert clients == {"clones", "steward"}  # the round over a plain remote, and the pass over a forge


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Imports within functions, and those for types only, count as the others do."""
    graph: dict[str, set[str]] = {}
    for each in inner():
        if each.of in trees() and not each.by.startswith(each.of + "."):
            graph.setdefault(each.by, set()).add(each.of)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("a circle of imports: " + " → ".join(error.args[1]))


def test_a_command_has_one_deferred_import_its_body() -> None:
    by_hand = [
        str(each)
        for each in imports()
        if each.deferred and each.by.startswith(("nomicgit.cli.faces", "nomicgit.cli.bodies"))
    ]
    assert by_hand == []
    assert {each.of for each in loaded()} <= set(trees())
    by_name = {
        name for name, (path, _) in trees().items() if "import_module" in path.read_text(encoding="utf-8")
    }
    assert by_name == {"nomicgit.cli.app", "nomicgit.cli.face"}


def test_a_face_loads_click_alone() -> None:
    faces = [each for each in imports() if each.by.startswith("nomicgit.cli.faces.")]
    assert faces
    assert {each.of for each in faces} <= {"__future__", "pathlib", "click", "nomicgit.cli.face"}


@pytest.mark.parametrize("library", IMPORTERS)
def test_a_fragile_dependency_has_one_importer(library: str) -> None:
    place = IMPORTERS[library]
    elsewhere = []
    for each in imports():
        file = trees()[each.by][0].relative_to(PACKAGE).as_posix()
        if each.of.split(".")[0] == library and not (
            file.startswith(place) if place.endswith("/") else file == place
        ):
            elsewhere.append(str(each))
    assert elsewhere == []


@pytest.mark.slow
def test_nothing_prints_or_exits_below_the_command_line() -> None:
    found = [
        f"{name}:{node.lineno} {ast.unparse(node.func)}"
        for name, (_, tree) in trees().items()
        if not name.startswith(MAY_END)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _speaks(node)
    ]
    assert found == []


def _speaks(call: ast.Call) -> bool:
    name = ast.unparse(call.func)
    return name in {
        "print",
        "input",
        "exit",
        "quit",
        "breakpoint",
        "sys.exit",
        "os._exit",
    } or name.startswith(("sys.stdout", "sys.stderr"))


@pytest.mark.slow
def test_the_physics_knows_no_word_of_an_edition() -> None:
    pattern = re.compile("|".join(EDITION_WORDS), re.IGNORECASE)
    found = []
    for path in sorted(PACKAGE.rglob("*")):
        if path.is_file() and "editions" not in path.relative_to(PACKAGE).parts and path.suffix != ".pyc":
            found += [f"{path.relative_to(ROOT)}:{line}: {word}" for line, word in _hits(path, pattern)]
    assert found == []


@pytest.mark.slow
def test_nothing_names_a_machine_or_a_registry() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {word}"
        for path in project_files()
        for line, word in _hits(path, MACHINE)
    ]
    assert found == []


def project_files() -> Iterator[Path]:
    """The project's own files: no caches, no virtual environment, nothing that was built."""
    hidden = {".github", ".ci", ".gitignore"}
    for top in sorted(ROOT.iterdir()):
        if top.name in ("play", "site", "dist", "__pycache__") or top.name.endswith(".egg-info"):
            continue
        if top.name.startswith(".") and top.name not in hidden:
            continue
        for path in [top] if top.is_file() else sorted(top.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def _hits(path: Path, pattern: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return
    for number, line in enumerate(text.split("\n"), 1):
        for hit in pattern.finditer(line):
            yield number, hit[0]


def test_the_tests_are_laid_out_as_the_rooms_are() -> None:
    tests = ROOT / "tests"
    assert {
        path.name for path in (tests / "rooms").iterdir() if path.is_dir() and path.name != "__pycache__"
    } == set(ROOMS) - {"__main__"}
    assert sorted(tests.glob("test_*.py")) == []
    listed = (tests / "README.md").read_text(encoding="utf-8")
    folders = {path.name for path in tests.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert [name for name in folders if f"`{name}/" not in listed] == []


def test_each_test_that_the_list_of_secrets_names_is_there() -> None:
    tests = ROOT / "tests"
    named = {*re.findall(r"`(test_\w+)`", (tests / "README.md").read_text(encoding="utf-8"))}
    there = "\n".join(file.read_text(encoding="utf-8") for file in tests.rglob("test_*.py"))
    assert len(named) > 30
    assert [
        name for name in sorted(named) if not re.search(rf"^(?:async )?def {name}\(", there, re.MULTILINE)
    ] == []


def test_the_rooms_are_told_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    import reference

    assert [*reversed(ROOMS[:-1])] == reference.ROOMS
    rooms = " ".join(ROOMS[:-1])
    assert f"from the ground up: `{rooms}`" in (ROOT / "tests/README.md").read_text(encoding="utf-8")
