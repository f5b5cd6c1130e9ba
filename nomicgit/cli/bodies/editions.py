"""``nomicgit editions``."""

from __future__ import annotations

import json
from typing import Any

import click
from msgspec.structs import asdict

from nomicgit import editions
from nomicgit.cli.seat import Seat
from nomicgit.physics.numbers import NEWEST


def tell(seat: Seat) -> int:
    rows: list[dict[str, Any]] = []
    for name in editions.names():
        ruleset = editions.load(name)
        fronts = [placed.front.get("terms") for placed in ruleset.rules]
        terms: dict[str, object] = next((terms for terms in fronts if isinstance(terms, dict)), {})
        sections = {
            section: sum(p.section == section for p in ruleset.rules) for _, section in ruleset.sections
        }
        secrets = editions.secrets_of(NEWEST.law(ruleset))
        rows.append(
            {
                "name": name,
                "rules": len(ruleset.rules),
                "sections": sections,
                "terms": terms,
                "secrets": secrets,
            }
        )
    if seat.as_json:
        click.echo(json.dumps([each | {"secrets": asdict(each["secrets"])} for each in rows]))
        return 0
    for each in rows:
        terms = each["terms"]
        roles = f"{terms.get('player', 'player')} / {terms.get('emperor', 'emperor')}"
        click.echo(f"{click.style(str(each['name']), bold=True):20} {each['rules']:4} rules   {roles}")
        if needed := str(each["secrets"]):
            click.echo(f"  {needed}")
    if any(str(each["secrets"]) for each in rows):
        click.echo("A game keeps secrets under a key of its own, which `nomicgit new` makes with it.")
    return 0
