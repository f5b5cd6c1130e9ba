"""``nomicgit completion``."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from nomicgit.cli.seat import Seat


def script(seat: Seat, shell: str) -> int:
    completion = get_completion_class(shell)
    if completion is None:
        raise click.UsageError(f"there is no completion for {shell}")
    root = click.get_current_context().find_root().command
    click.echo(completion(root, {}, "nomicgit", "_NOMICGIT_COMPLETE").source())
    return 0
