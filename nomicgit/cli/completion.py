"""``nomicgit completion``."""

from __future__ import annotations

import click


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> int:
    """Print a script that completes commands and options in a shell.

    \b
    Examples:
      eval "$(nomicgit completion bash)"       in ~/.bashrc
      eval "$(nomicgit completion zsh)"        in ~/.zshrc
      nomicgit completion fish > ~/.config/fish/completions/nomicgit.fish
    """
    from click.shell_completion import get_completion_class

    from nomicgit.cli.app import app

    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"there is no completion for {shell}")
    click.echo(found(app, {}, "nomicgit", "_NOMICGIT_COMPLETE").source())
    return 0
