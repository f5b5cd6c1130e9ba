"""``nomicgit check``."""

from __future__ import annotations

import json

import click


@click.command("check")
@click.argument("revision", default="HEAD")
@click.option(
    "--edition",
    "edition",
    metavar="NAME|FOLDER",
    help="Check an edition, or a folder of sections, instead of a game.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.pass_context
def check_command(ctx: click.Context, revision: str, edition: str | None, as_json: bool) -> int:
    """Find everything that is wrong with a game as it stands, all at once.

    Rules, their declarations and mechanics, names, gamestate, posts. Exit code 1 where there is an error.

    \b
    Examples:
      nomicgit check
      nomicgit check --json v1.0
      nomicgit check --edition ./my-edition
    """
    from nomicgit import checks, editions
    from nomicgit.problems import Refused
    from nomicgit.repository import Repository

    if edition is not None:
        found = checks.check_ruleset(editions.load(edition))
    else:
        with Repository.open(
            (ctx.obj or {}).get("path", ".") if isinstance(ctx.obj, dict) else getattr(ctx.obj, "path", ".")
        ) as repository:
            commit = repository.resolve(revision)
            if commit is None:
                raise Refused.of(f"there is no revision {revision}")
            found = checks.check_game(repository, commit)
    if as_json:
        click.echo(json.dumps(found.as_json(), indent=2))
    else:
        for finding in found.findings:
            click.echo(
                click.style(finding.level, fg="red" if finding.level == "error" else "yellow")
                + f": {finding.problem}"
            )
        counted = ", ".join(f"{number} {what}" for what, number in found.counts.items())
        click.echo(f"{'sound' if found.sound else 'not sound'} ({counted})")
    return 0 if found.sound else 1
