"""Write the two pages of reference, docs/commands.md and docs/package.md: python tools/reference.py.

The commands by the sections of ``nomicgit --help``, with what each does, its usage, its options and its examples.
The rooms of the package, with what stands there and the names that other programs may use.
``tests/house/test_reference.py`` holds the pages to what commands and rooms say of themselves.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click

from nomicgit.cli.app import app
from nomicgit.cli.contents import SECTIONS

DOCS = Path(__file__).resolve().parent.parent / "docs"
ROOMS = "cli site forge steward outlook clones replay record rehearsal physics editions law git sealing ground".split()
"""From the top down."""
COMMANDS = """# Commands

Every command with all its options, as `nomicgit COMMAND --help` says them too.
[Playing](playing.md) has them by what you want to do.
This page is written by `tools/reference.py`.
"""
PACKAGE = """# The package

The names that another program may use, room by room; whatever is not listed here may change without a word.
Imports run downward: what stands in a room uses only the rooms below it.
[Architecture](architecture.md) has the way of a deed through them.
The package is typed (`py.typed`), and every listed name has a docstring with its units and errors.
This page is written by `tools/reference.py`.

A game is opened and looked at like this:

```python
from nomicgit.record.game import Game

game = Game.open("attic")
print(len(game.ruleset.rules), "rules, physics", game.physics.number)
```
"""
_EXAMPLES = re.compile(r"^Examples?:\n(?P<lines>(?: .*\n?)+)", re.MULTILINE)


def commands() -> str:
    """The page of the commands."""
    with click.Context(app, info_name="nomicgit") as ctx:
        parts = [COMMANDS, _entry(ctx, app, level=2, title="nomicgit")]
        for title, names in SECTIONS.items():
            parts.append(f"## {title}\n")
            for name in names:
                command = app.get_command(ctx, name)
                assert command is not None, name
                parts += entries(ctx, command)
    return "\n".join(parts)


def entries(parent: click.Context, command: click.Command) -> Iterator[str]:
    """What stands of a command, and of each command within it."""
    with click.Context(command, info_name=command.name, parent=parent) as ctx:
        yield _entry(ctx, command, level=3, title=ctx.command_path.removeprefix("nomicgit "))
        if isinstance(command, click.Group):
            for name in command.list_commands(ctx):
                within = command.get_command(ctx, name)
                assert within is not None, name
                yield from entries(ctx, within)


def _entry(ctx: click.Context, command: click.Command, *, level: int, title: str) -> str:
    words = inspect.cleandoc(command.help or "").replace("\b\n", "")
    examples = _EXAMPLES.search(words)
    prose = re.sub(r"\n{3,}", "\n\n", _EXAMPLES.sub("", words)).strip()
    usage = " ".join([ctx.command_path, *command.collect_usage_pieces(ctx)])
    lines = [f"{'#' * level} {title}", "", prose, "", "```text", usage, "```", "", *_options(ctx, command)]
    if examples:
        lines += [
            "",
            "```console",
            *(f"$ {line.strip()}" for line in examples["lines"].splitlines() if line.strip()),
            "```",
        ]
    return "\n".join(lines) + "\n"


def _options(ctx: click.Context, command: click.Command) -> Iterator[str]:
    yield "| option | |"
    yield "| --- | --- |"
    for parameter in command.get_params(ctx):
        record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
        if record is not None and "--help" not in parameter.opts:
            name, says = (each.replace("|", r"\|") for each in record)
            yield f"| `{name}` | {says} |"


def package() -> str:
    """The page of the package."""
    return "\n".join([PACKAGE, *map(_room, ROOMS)])


def _room(room: str) -> str:
    """A room: what its docstring says, and a row for each public name."""
    words = inspect.getdoc(import_module(f"nomicgit.{room}")) or ""
    about, _, names = words.partition("Public: ")
    rows = [_row(room, name) for name in re.findall(r"``([\w.]+)``", names)]
    return "\n".join(
        [f"## {room}", "", about.replace("``", "`").strip(), "", "| name | |", "| --- | --- |", *rows, ""]
    )


def _row(room: str, name: str) -> str:
    """A public name, with the first paragraph of its docstring."""
    module, _, thing = f"nomicgit.{room}.{name}".rpartition(".")
    says = (inspect.getdoc(getattr(import_module(module), thing)) or "").partition("\n\n")[0]
    says = " ".join(says.split()).replace("``", "`").replace("|", r"\|")
    return f"| `{module.removeprefix('nomicgit.')}.{thing}` | {says} |"


if __name__ == "__main__":
    (DOCS / "commands.md").write_text(commands(), encoding="utf-8")
    (DOCS / "package.md").write_text(package(), encoding="utf-8")
