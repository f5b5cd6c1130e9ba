"""What the house costs its readers does not creep up: functions that say ``Any``, imports within functions."""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING

import pytest
from support import parsed
from support.places import ROOT

if TYPE_CHECKING:
    from economy import Room


@pytest.fixture(scope="module")
def economy() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "tools")
        import economy

        yield economy


@pytest.fixture(scope="module")
def rooms(economy: ModuleType) -> Sequence[Room]:
    every: Sequence[Room] = economy.rooms()
    return every


@pytest.mark.slow
def test_few_functions_say_any(economy: ModuleType, rooms: Sequence[Room]) -> None:
    assert economy.share(rooms) <= economy.MOST_ANY, [f"{r.name}: {r.anys} of {r.functions}" for r in rooms]


def test_imports_within_functions_are_few(economy: ModuleType, rooms: Sequence[Room]) -> None:
    assert economy.deferred(rooms) <= economy.MOST_DEFERRED, [f"{r.name}: {r.deferred}" for r in rooms]


@pytest.mark.slow
def test_an_import_within_a_function_says_why_it_stands_there(economy: ModuleType) -> None:
    """In a comment beside it, or beside another one of the same function; a command's imports its body, as all do."""
    silent = []
    for path, tree in parsed.trees().values():
        lines = path.read_text(encoding="utf-8").splitlines()
        for function in economy.functions_of(tree) if "cli" not in path.parts else ():
            beside = [
                line
                for each in economy.imports_in(function)
                for line in lines[each.lineno - 1 : each.end_lineno]
            ]
            if beside and not any("#" in line for line in beside):
                silent.append(f"{path.relative_to(ROOT).as_posix()}:{function.lineno} {function.name}")
    assert silent == []


@pytest.mark.slow
def test_any_has_no_other_name() -> None:
    """An alias of ``Any`` would say as little, and would not be counted."""
    aliases = [
        path.relative_to(ROOT).as_posix()
        for path, tree in parsed.trees().values()
        if any(_renames_any(node) for node in ast.walk(tree))
    ]
    assert aliases == []


@pytest.mark.slow
def test_nothing_stands_that_nobody_uses() -> None:
    """What only its own tests would still call is dead: constants, functions, and methods of classes of our own."""
    nodes = {module: list(ast.walk(tree)) for module, (_, tree) in parsed.trees().items()}
    used = set(re.findall(r"\w+", (ROOT / "pyproject.toml").read_text(encoding="utf-8")))
    for module, those in nodes.items():
        used |= {node.attr for node in those if isinstance(node, ast.Attribute)}
        used |= {each.name for node in those if isinstance(node, ast.ImportFrom) for each in node.names}
        if module.startswith("nomicgit.cli"):  # a face names its body in a text
            texts = [str(node.value) for node in those if isinstance(node, ast.Constant)]
            used |= {word for text in texts for word in re.findall(r"\w+", text)}
    dead = []
    for module, (_, tree) in parsed.trees().items():
        names = [node for node in nodes[module] if isinstance(node, ast.Name)]
        read = used | {node.id for node in names if isinstance(node.ctx, ast.Load)}
        dead += [f"{module}.{name}" for name in _defined(tree) if not (name in read or name.startswith("__"))]
    assert dead == []


def _defined(tree: ast.Module) -> Iterator[str]:
    """What a module defines at its top but commands, and the methods of classes that stand upon no other."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            named = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (each.id for each in named if isinstance(each, ast.Name))
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.decorator_list:
            yield node.name
        if isinstance(node, ast.ClassDef) and not node.bases:
            yield from (each.name for each in node.body if isinstance(each, ast.FunctionDef))


def _renames_any(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        return any(alias.name == "Any" and alias.asname for alias in node.names)
    value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
    return value is not None and ast.unparse(value) in ("Any", "typing.Any")


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("def f(x: Any): ...", True),
        ("def f(*xs: Mapping[str, Any]): ...", True),
        ("def f(**xs: Any): ...", True),
        ("def f(x, /, *, y: list[Any] | None): ...", True),
        ("async def f() -> Iterator[Any]: ...", True),
        ("def f(x: Anything) -> object: ...", False),
        ("def f(x: object):\n    y: Any = x", False),
    ],
)
def test_any_counts_where_it_stands_in_an_annotation_of_a_function(
    economy: ModuleType, said: str, found: bool
) -> None:
    [function] = economy.functions_of(ast.parse(said))
    assert economy.has_any(function) is found


@pytest.mark.slow
def test_a_vote_passes_few_modules_and_none_call_each_other_both_ways(economy: ModuleType) -> None:
    vote, enactment = economy.passed()
    assert len(vote[1].modules) <= economy.MOST_PASSED, list(vote[1].modules)
    assert [*vote[1].mutual, *enactment[1].mutual] == []


DISPENSABLE = frozenset(
    "argparse calendar copy dataclasses difflib email http httpx logging pathlib shlex subprocess tempfile urllib yaml".split()
)
"""What takes long to load and no vote needs: what needs it imports it in the function that does."""


def test_a_vote_loads_nothing_that_takes_long_and_that_it_does_not_need() -> None:
    trees, loaded, brought = parsed.trees(), set[str](), set[str]()
    waiting = [
        "nomicgit.cli.app",
        "nomicgit.cli.faces.play",
        "nomicgit.cli.bodies.deeds",
        "nomicgit.git.worktree",
    ]
    while waiting:
        module = waiting.pop()
        if module not in trees or module in loaded:
            continue
        loaded.add(module)
        path, tree = trees[module]
        names = _loaded_at_once(module if path.name == "__init__.py" else module.rpartition(".")[0], tree)
        brought |= {f"{module}: {name}" for name in names if name.partition(".")[0] in DISPENSABLE}
        waiting += names
    assert "nomicgit.law.mechanics" in loaded
    assert brought == set()


def _loaded_at_once(package: str, tree: ast.Module) -> list[str]:
    """What a module imports when it is loaded itself, of modules the names and those of all that may be modules in them."""
    names: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.Import):
            names += [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            names += [base, *(f"{base}.{each.name}" for each in node.names)]
    return names


def test_who_is_called_back_is_there(economy: ModuleType) -> None:
    """An exception that names nothing would go unseen, and except what is named so later."""
    gone = [name for name in economy.CALLED_BACK if importlib.util.find_spec(name) is None]
    assert gone == []


@pytest.mark.slow
def test_a_local_is_called_after_what_it_is(economy: ModuleType) -> None:
    """``found`` and ``told`` say how something came, and nothing of what it is."""
    empty = [
        f"{path.relative_to(ROOT).as_posix()}:{function.lineno} {function.name}"
        for path, tree in parsed.trees().values()
        for function in economy.functions_of(tree)
        if _locals(function) & {"found", "told"}
    ]
    assert empty == []


def _locals(function: ast.AST) -> set[str]:
    """The names that are bound in a function: its parameters, and whatever it puts something into."""
    return {
        node.arg if isinstance(node, ast.arg) else node.id
        for node in ast.walk(function)
        if isinstance(node, ast.arg) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    }


@pytest.mark.parametrize("text", ["a = 1", "for a in x: pass", "def f(*, a): ...", "lambda a: 1", "(a := 2)"])
def test_whatever_binds_a_name_is_seen(text: str) -> None:
    assert "a" in _locals(ast.parse(text))
    assert "a" not in _locals(ast.parse("f(a, b=a.a)"))


SAME_IDEA = {
    "physics": "the command tells which number of the physics is meant",
    "rules": "the command shows the rules of the law",
    "matters": "the command submits the matters of the physics",
    "doctor": "the command prints what the doctor of the forge finds",
    "preview": "the command writes the preview of the outlook on its thread",
    "posts": "the command and the pages show the same posts",
    "state": "the command, the check and the pages look at the same gamestate",
    "law": "the check of the law",
    "mechanics": "the check of the mechanics",
    "orders": "the command makes the orders that are sealed, and takes them",
    "letters": "the page opens the letters that are sealed",
    "canonical": "equal values are equal bytes: of files, and of what is sealed",
    "keys": "one word, two things: the check of what declarations may hold, and what seals",
    "declared": "the command and the pages say what declarations say",
    "founding": "the record writes what the physics founds",
}
"""Names that modules of several rooms may share, with what is the same in them."""


def test_modules_of_one_name_are_the_same_idea() -> None:
    rooms: dict[str, list[str]] = {}
    for path in sorted((ROOT / "nomicgit").rglob("*.py")):
        if path.stem != "__init__" and "faces" not in path.parts:
            rooms.setdefault(path.stem, []).append(path.relative_to(ROOT / "nomicgit").as_posix())
    shared = {name: paths for name, paths in rooms.items() if len(paths) > 1}
    assert {name: paths for name, paths in shared.items() if name not in SAME_IDEA} == {}
    assert SAME_IDEA.keys() <= shared.keys()
