"""The root command: groups its subcommands, loads them lazily, and tells what goes wrong."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

import click

from nomicgit.problems import Defect, Malformed, NomicError

COMMANDS = {
    "rehearse": "rehearse",
}
"""Which module of this package holds a command."""


class Lazy(click.Group):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """All commands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:  # noqa: ARG002
        """The command of a name, imported now."""
        module = COMMANDS.get(name)
        if module is None:
            return None
        found = importlib.import_module(f"nomicgit.cli.{module}")
        command: click.Command = getattr(found, name.replace("-", "_") + "_command")
        return command


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
def app() -> None:
    """Play Nomic, the game whose moves change its rules, in a Git repository."""


def main(arguments: list[str] | None = None) -> Any:
    """Run the command line and exit: 0 done, 1 refused or found wanting, 2 usage, 3 a defect, 130 interrupted."""
    try:
        code = app.main(arguments, prog_name="nomicgit", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.exceptions.Abort:
        sys.exit(130)
    except KeyboardInterrupt:
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except Defect as error:
        click.echo(str(error), err=True)
        sys.exit(3)
    except (NomicError, Malformed) as error:
        for problem in error.problems:
            click.echo(str(problem), err=True)
        sys.exit(1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
