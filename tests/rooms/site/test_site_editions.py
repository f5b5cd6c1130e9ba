"""A fresh game of each edition, and a long one, builds its site without a warning, and no link of it leads nowhere.

The long one has two hundred posts, and a thousand with ``--hypothesis-profile=deep``.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest
from support.depth import is_deep, one_of
from support.places import ROOT
from support.sites import broken_links, build, configured, played

from nomicgit import editions

TOOLS = ROOT / "tools"


def assert_light(site: Path) -> None:
    """The home page is small, and so is all that any page loads of ours, as a server sends it; pages that seal load more."""
    assert (site / "index.html").stat().st_size <= 30_000
    own = {file for file in (site / "assets").glob("*.*") if file.suffix in (".css", ".js")}
    sealing = {site / "assets" / name for name in ("age.js", "orders.js", "letters.js", "forms.css")}
    assert len(own - sealing) == 4
    assert sum(len(gzip.compress(file.read_bytes())) for file in own - sealing) <= 15_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "edition", [pytest.param(each, marks=one_of(3, number)) for number, each in enumerate(editions.names())]
)
def test_a_fresh_game_of_each_edition_builds_strictly(edition: str, tmp_path: Path) -> None:
    game = tmp_path / "game"
    game.mkdir()
    played(game, editions.load(edition))
    site = build(configured(game), tmp_path / "site")
    assert (site / "ruleset/index.html").exists()
    bare = {each.name for each in site.iterdir() if each.is_dir() and not (each / "index.html").exists()}
    assert bare == {"assets"}, "whoever takes the end off an address finds a page"
    assert_light(site)
    assert list(broken_links(site)) == []


@pytest.mark.slow
def test_a_long_game_builds_strictly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.syspath_prepend(TOOLS)
    import long_game

    posts = 1000 if is_deep(request.config) else 200
    game = tmp_path / "game"
    game.mkdir()
    long_game.write(game, "crypt", posts=posts, rules=100)
    site = build(configured(game), tmp_path / "site")
    assert len([page for page in site.glob("posts/*/index.html") if page.parent.name.isdigit()]) == posts
    assert len(list(site.glob("rules/*/index.html"))) == 100
    assert_light(site)
    assert list(broken_links(site)) == []


@pytest.mark.slow
def test_properdocs_builds_the_same_pages(tmp_path: Path) -> None:
    game = tmp_path / "game"
    game.mkdir()
    played(game, editions.load("crypt"))
    one = build(configured(game), tmp_path / "one")
    other = tmp_path / "other"
    line = [
        sys.executable,
        "-m",
        "properdocs",
        "build",
        "--strict",
        "-f",
        str(configured(game)),
        "-d",
        str(other),
    ]
    subprocess.run(line, check=True, capture_output=True)
    assert pages_of(one) == pages_of(other)
    assert list(broken_links(other)) == []


def pages_of(site: Path) -> set[str]:
    return {file.relative_to(site).as_posix() for file in site.rglob("*.html")}
