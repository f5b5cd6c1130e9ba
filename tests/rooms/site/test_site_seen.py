"""A site as others see it who have not opened it: feeds, descriptions, the card, the map of the site, tallies as pictures."""

from __future__ import annotations

import json
import shutil
import struct
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from support.served import LOOKED_AT, WORD, amended_site
from support.shared import shared
from support.sites import HOSTILE, build, configured

from nomicgit.ground import clock
from nomicgit.record.game import Game
from nomicgit.record.settings import Settings
from nomicgit.site import card
from nomicgit.site.onlooking import Look
from nomicgit.site.page import Page

ADDRESS = "https://attic.example/path/"
NAME = f'Attic &copy; "{HOSTILE}'
pytestmark = pytest.mark.slow


class Head(HTMLParser):
    """What the head of a page says: its metas by name, and its links."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.metas: dict[str, str] = {}
        self.feeds: list[str] = []
        self.inside = True
        self.feed(page.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take down a meta or a link."""
        given = {name: value or "" for name, value in attrs}
        self.inside &= tag != "body"
        if tag == "meta" and self.inside:
            name = given.get("property") or given.get("name") or "other"
            assert name == "other" or name not in self.metas, "said twice"
            self.metas[name] = given.get("content", "")
        if tag == "link" and "alternate" in str(given.get("rel")).split():
            self.feeds.append(given["href"])


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with hostile words through every door."""
    game = shared(tmp_path_factory, "amended", amended_site) / "game"
    return shutil.copytree(game, tmp_path_factory.mktemp("seen") / "game", symlinks=True)


@pytest.fixture(scope="module")
def site(game: Path) -> Path:
    """Its site, which is to stand under a path, and has a page of its owner's."""
    config = configured(game, at=clock.text(LOOKED_AT))
    settings = json.loads(config.read_text()) | {"site_name": NAME, "site_url": ADDRESS}
    config.write_text(json.dumps(settings))
    (game / "docs/own.md").write_text("# Own\n")
    return build(config, game / "site")


def addresses(site: Path) -> list[str]:
    """The addresses of all pages, from the site's root."""
    folders = (page.parent.relative_to(site).as_posix() for page in site.rglob("index.html"))
    return sorted("" if folder == "." else f"{folder}/" for folder in folders)


def test_every_page_names_feeds_that_are_there(site: Path) -> None:
    assert len(addresses(site)) > 100
    for uri in addresses(site):
        feeds = [(site / uri / way).resolve() for way in Head(site / uri / "index.html").feeds]
        assert [feed.relative_to(site).as_posix() for feed in feeds] == [
            "feeds/posts.xml",
            "feeds/pending.xml",
            "feeds/law.xml",
        ]
        assert all(ElementTree.parse(feed).getroot().tag.endswith("}feed") for feed in feeds[:1])


def test_every_page_of_the_game_says_what_it_is_about(site: Path) -> None:
    for uri in addresses(site):
        said = Head(site / uri / "index.html").metas
        if uri == "own/":
            assert "og:title" not in said
            continue
        assert said["og:url"] == ADDRESS + uri
        assert said["og:site_name"] == NAME.replace("&copy;", "©")
        assert said["og:description"]
        assert len(said["og:description"]) <= 200
        assert (
            said["description"]
            .translate({ord("‹"): "<", ord("›"): ">", ord("”"): '"'})
            .startswith(said["og:description"][:20])
        )
        image = said["og:image"].removeprefix(ADDRESS)
        data = (site / image).read_bytes()
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        assert struct.unpack(">II", data[16:24]) == (1200, 630)
    moonlight = Head(site / "rules/moonlight/index.html").metas
    assert moonlight["og:description"].startswith("The moon shines. It is golden.")
    assert Head(site / "posts/3/index.html").metas["og:title"] == f"3. Third {HOSTILE}"


def test_the_map_of_the_site_names_every_page_where_it_is_served(site: Path) -> None:
    places = ElementTree.parse(site / "sitemap.xml").iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")
    assert sorted(each.text or "" for each in places) == [ADDRESS + uri for uri in addresses(site)]


def test_the_tally_of_each_matter_is_a_picture(game: Path, site: Path) -> None:
    pictures = {int(file.parent.name): file for file in (site / "posts").glob("*/tally.svg")}
    assert sorted(pictures) == [1, 2, 3]
    tallies = {each["number"]: each for each in json.loads((site / "api/posts.json").read_text())["posts"]}
    for number, picture in pictures.items():
        (file,) = game.glob(f"game/posts/**/{number:04}-*.md")
        stored = yaml.safe_load(file.read_text().split("---\n")[1])
        texts = [
            each.text or "" for each in ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}text")
        ]
        assert texts[0].removesuffix("…") == f"{number}. {stored['title']}"[: len(texts[0].removesuffix("…"))]
        assert texts[2] == stored["status"]
        used = {icon: many for icon, many in tallies[number]["tally"].items() if many}
        assert {icon: int(many) for many, icon in zip(*[iter(texts[1].split())] * 2, strict=True)} | used == {
            "for": 0, "against": 0} | used  # fmt: skip
        assert 'href="tally.svg"' in (site / f"posts/{number}/index.html").read_text()


@pytest.mark.parametrize(
    "name", ["", WORD, " ".join([WORD[:30]] * 40), "\u202e\x00 😀 日本 العربية", HOSTILE]
)
def test_a_card_is_drawn_whatever_a_game_is_called(
    game: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Game.open(game)
    monkeypatch.setattr(Game, "settings", Settings(name, "own", time="live"))
    drawn = card.drawn(Look.at_time(opened, LOOKED_AT))
    assert struct.unpack(">II", drawn[16:24]) == (card.WIDTH, card.HEIGHT)
    assert len(drawn) < 60_000


def test_a_description_is_short_and_plain() -> None:
    assert Page("a.md", "A", about="One\n\ntwo.").description == "One two."
    assert len(Page("a.md", "A", about="word " * 99).description) == 200
