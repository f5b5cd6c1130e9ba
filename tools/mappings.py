"""Ask of each mapping of ``tests/musts`` whether it shows anything: with what its rule does gone, a scenario must fail.

A rule's mechanics are taken out first; then all that it declares as well, for some musts are declarations.

    python tools/mappings.py            all editions
    python tools/mappings.py crypt      one

A rule that only speaks, or without which there is no law, is not asked. Exit code 1 where all scenarios of a must pass,
and no ``# guard: WHY`` on its line argues for that.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from guards import ARGUED, FENCE
from noticing import EDITIONS, ROOT, SCENARIOS, compiles, passes

from nomicgit import editions
from nomicgit.ground import files
from nomicgit.law.titles import plain

MUSTS = ROOT / "tests" / "musts"
RULESET = "game/ruleset/"
FRONT = re.compile(
    rb"\A---\n(title: .*?\n(?:status: .*?\n)?(?:default_status: .*?\n)?)(.*?)^---$", re.MULTILINE | re.DOTALL
)
"""A rule's front matter: its name and whether it is active, and what it declares."""


def sheet(edition: str) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """The musts of an edition, rule by rule."""
    path = MUSTS / f"{edition}.yml"
    musts = files.read(path.read_bytes(), path.name)
    assert isinstance(musts, dict)
    return musts


def rule_files(edition: str) -> dict[str, str]:
    """The file of each rule, by SECTION/TITLE and by SECTION/PARENT/TITLE."""
    ruleset = editions.load(edition)
    by_title: dict[str, str] = {}
    for placed in ruleset.rules:
        parent = f"{plain(ruleset.by_slug[placed.parent].title)}/" if placed.parent else ""
        by_title.setdefault(f"{placed.section}/{plain(placed.title)}", placed.file)
        by_title[f"{placed.section}/{parent}{plain(placed.title)}"] = placed.file
    return by_title


def idle(edition: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The musts of an edition that nothing shows: all their scenarios pass without what their rule does."""
    known = rule_files(edition)
    for rule, musts in sheet(edition).items():
        section, _, title = rule.partition("/")
        file = known.get(f"{section}/{'/'.join(plain(part) for part in title.split('/'))}")
        with tempfile.TemporaryDirectory(prefix="mappings-") as scratch:
            folders = list(_without(edition, file.removeprefix(RULESET), Path(scratch))) if file else []
            for must in musts if folders else ():
                if all(_passes(edition, must, folder) for folder in folders):
                    yield rule, must


def _without(edition: str, file: str, scratch: Path) -> Iterator[str]:
    """The edition without a rule's mechanics, and without what it declares as well; only what is still a law."""
    text = (EDITIONS / edition / file).read_bytes()
    silent = FENCE.sub(b"", text)
    for number, cut in enumerate(dict.fromkeys((silent, FRONT.sub(rb"---\n\1---", silent)))):
        folder = scratch / str(number) / edition
        shutil.copytree(EDITIONS / edition, folder)
        (folder / file).write_bytes(cut)
        if cut != text and not compiles(str(folder)):
            yield str(folder)


def _passes(edition: str, must: Mapping[str, Any], folder: str) -> bool:
    """Whether all scenarios of a must pass under another law; tests are not asked, and show it."""
    if must["by"] == "conduct" or any("::" in name for name in must["by"]):
        return False
    texts = ((name, (SCENARIOS / edition / f"{name}.yml").read_text(encoding="utf-8")) for name in must["by"])
    return all(passes(text, name, folder) for name, text in texts)


def arguments(edition: str) -> dict[tuple[str, str], str]:
    """What is argued for in place, by the rule and the must on whose line it stands."""
    reasons, rule = {}, ""
    for line in (MUSTS / f"{edition}.yml").read_text(encoding="utf-8").splitlines():
        argued = ARGUED.search(line)
        if line.endswith(":"):
            rule = line[:-1].strip('"')
        elif argued:
            reasons[rule, _named(line)] = argued[1]
    return reasons


def _named(line: str) -> str:
    """The must of a line."""
    musts = files.read(line.encode(), line)
    assert isinstance(musts, list)
    return str(musts[0]["must"])


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("editions", nargs="*", metavar="EDITION", help="which ones (all)")
    given = parser.parse_args()
    shown = 0
    for edition in given.editions or editions.names():
        reasons = arguments(edition)
        for rule, must in idle(edition):
            argued = reasons.get((rule, str(must["must"])))
            print(
                f"{edition}: {rule}: {must['must']}: {'argued for: ' + argued if argued else must['by']}",
                flush=True,
            )
            shown += not argued
    print(
        f"{shown} musts are shown by nothing that misses their mechanics"
        if shown
        else "every mapping shows something"
    )
    return 1 if shown else 0


if __name__ == "__main__":
    sys.exit(main())
