"""``nomicgit rehearse``."""

from __future__ import annotations

import json
from pathlib import Path

import click

from nomicgit import rehearsal


@click.command("rehearse")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
def rehearse_command(files: tuple[Path, ...], as_json: bool) -> int:
    """Play scenarios in scratch games and say which come out as they must.

    \b
    Examples:
      nomicgit rehearse game/scenarios/*.yml
      nomicgit rehearse --json my-scenario.yml
    """
    results = [rehearsal.rehearse(path.read_bytes(), str(path)) for path in files]
    if as_json:
        click.echo(json.dumps([{"name": r.name, "file": r.file, "passed": r.passed, "failures": list(r.failures)} for r in results]))
    else:
        for result in results:
            mark = click.style("passed", fg="green") if result.passed else click.style("failed", fg="red")
            click.echo(f"{mark}  {result.name}")
            for failure in result.failures:
                click.echo(f"        {result.file}: {failure}")
    return 0 if all(r.passed for r in results) else 1
