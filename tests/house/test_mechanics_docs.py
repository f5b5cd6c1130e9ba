"""The examples in the documentation are rules and scenarios, and are played."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from support.places import ROOT

from nomicgit import editions
from nomicgit.law import variables
from nomicgit.law.declaring import TYPE, Options
from nomicgit.law.merging import DECLARATIONS
from nomicgit.law.ruleset import Ruleset
from nomicgit.law.shapes import FORMS
from nomicgit.outlook.checks import check_ruleset
from nomicgit.outlook.checks.keys import front
from nomicgit.physics.words import WORDS
from nomicgit.rehearsal import rehearsal

DOCS = ROOT / "docs"
PAGES = ("mechanics.md", "scenarios.md", "changes.md")
BLOCK = re.compile(r'^(`{3,})\w+ title="(?P<title>[^"]+)"\n(?P<text>.*?)^\1$', re.MULTILINE | re.DOTALL)


def examples(page: str) -> Iterator[tuple[str, dict[str, str], str]]:
    """Each scenario of a page with the rule files that stand before it, in its section where the page is of sections."""
    text = (DOCS / page).read_text(encoding="utf-8")
    files: dict[str, str] = {}
    for section in re.split(r"^(?=## )", text, flags=re.MULTILINE):
        files = {} if page == "mechanics.md" else files
        for found in BLOCK.finditer(section):
            if found["title"] == "scenario":
                yield page, dict(files), found["text"]
            else:
                files[found["title"]] = found["text"]


DECLARED = frozenset(DECLARATIONS)
"""The keys of a rule's front matter."""
EXAMPLES = [example for page in PAGES for example in examples(page)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "files", "scenario"),
    EXAMPLES,
    ids=[re.findall(r"name: (.*)", scenario)[0] for _, _, scenario in EXAMPLES],
)
def test_an_example_comes_out_as_it_says(
    tmp_path: Path, page: str, files: dict[str, str], scenario: str
) -> None:
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    assert rehearsal.rehearse(f"edition: {tmp_path}/\n{scenario}", page).failures == []


def keys(options: Options) -> frozenset[str]:
    """All keys of the front matter, and of all options in it."""
    parts = (keys(each) for each in options.parts.values() if replace(each, each=False) != TYPE)
    return options.keys.union(*parts)


@pytest.mark.slow
@pytest.mark.parametrize("edition", editions.names())
def test_the_first_example_can_be_added_to_every_edition(edition: str) -> None:
    page, files, _ = EXAMPLES[0]
    assert (page, list(files)) == ("mechanics.md", ["2-dynastic/10-orchard.md"])
    ruleset = editions.load(edition)
    added = Ruleset.read({**ruleset.texts, "2-dynastic/99-orchard.md": files["2-dynastic/10-orchard.md"]})
    known = {str(each) for each in check_ruleset(ruleset).findings}
    assert [str(each) for each in check_ruleset(added).findings if str(each) not in known] == []


def entries(page: str) -> set[str]:
    """What a page has an entry for: what stands as code in the first cell of a row, in a heading, or begins a key of an example."""
    text = (DOCS / page).read_text(encoding="utf-8")
    cells = re.findall(r"^\| (.*?) \|", text, re.MULTILINE) + re.findall(r"^#+ (.*)", text, re.MULTILINE)
    return {
        name
        for cell in cells
        for code in re.findall(r"`([^`]+)`", cell)
        for name in re.findall(r"[\w-]+", code)
    }


def coded(page: str) -> set[str]:
    """The names that a page says as code, in its sentences or its tables; those of its examples do not count."""
    text = re.sub(
        r"^(`{3,}).*?^\1$", "", (DOCS / page).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )
    return {name for code in re.findall(r"`([^`\n]+)`", text) for name in re.findall(r"[\w-]+", code)}


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("mechanics.md", frozenset(WORDS)), ("mechanics.md", DECLARED), ("mechanics.md", variables.KINDS),
        ("changes.md", frozenset(FORMS)),
    ],
    ids=["words", "declarations", "types", "changes"],
)  # fmt: skip
def test_each_has_an_entry_of_its_own(page: str, names: frozenset[str]) -> None:
    assert names - entries(page) == set()


def test_every_option_of_a_declaration_is_told() -> None:
    assert keys(front(DECLARATIONS)) - coded("mechanics.md") == set()


def cited() -> list[tuple[str, str, str]]:
    """What the program's docstrings cite: (module, section or "", page of the docs)."""
    package = DOCS.parent / "nomicgit"
    return [
        (path.relative_to(package).as_posix(), section.strip(), page)
        for path in sorted(package.rglob("*.py"))
        for section, page in re.findall(
            r"Source: (?:([A-Z][^`\n]*?), in )?``docs/([a-z-]+\.md)``", path.read_text(encoding="utf-8")
        )
    ]


@pytest.mark.slow
def test_sources_that_the_program_cites_exist() -> None:
    every = sum(
        len(re.findall(r"\bSource: ", ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""))
        for path in (DOCS.parent / "nomicgit").rglob("*.py")
    )
    found = cited()
    assert len(found) >= every > 15
    for module, section, page in found:
        text = (DOCS / page).read_text(encoding="utf-8")
        headings = re.findall(r"^#+ (.+)$|^\*\*([^*]+?)\.?\*\*", text, re.MULTILINE)
        assert not section or section in {one or other for one, other in headings}, (
            f"{module}: {section}, in {page}"
        )
