"""Retold: a deed outside the law as the command line by which whoever may do it does it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nomicgit.ground.remedies import command
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed


def line_of(deed: Deed) -> str:
    """The command line of a deed outside the law; "" where no command says the same again."""
    given = deed.given
    match deed.action:
        case Outside.MEND:
            words = ["mend", "--to", str(given["to"])]
        case Outside.RESTORE:
            words = ["restore", str(given["to"])]
        case Outside.NUMBER:
            words = ["physics", str(given["to"])]
        case Outside.SIGNED:
            words = ["signers", "--deeds", str(given["to"])]
        case Outside.APPROVALS:
            words = ["signers", "--approvals", str(given["to"])]
        case Outside.REHOUSE:
            words = ["rehouse", *_place(given["forge"])]
        case _:
            return ""
    return command("nomicgit", *words, *(word for name in given["by"] for word in ("--by", str(name))))


def _place(forge: Mapping[str, Any] | None) -> Iterator[str]:
    if forge is None:
        yield "--away"
        return
    yield from ("--github", str(forge["github"]))
    for name, number in forge.get("players", {}).items():
        yield from ("--account", f"{name}={number}")
    if forge.get("by") is not None:
        yield from ("--resolves", str(forge["by"]))
    if "site" in forge:
        yield from ("--site", str(forge["site"]))
