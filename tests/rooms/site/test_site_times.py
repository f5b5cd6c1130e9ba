"""The law of two times side by side, time lines, and what is kept of a dynasty that is over.

What is compared in a browser is skipped where no Chromium is installed.
"""

from __future__ import annotations

import html
import io
import json
import re
import shutil
import subprocess
import tarfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from markupsafe import Markup
from support.keyed import KeyedGame
from support.served import CHROMIUM, Site, served
from support.sites import HOSTILE, START, broken_links, build, configured, played, seen_pages
from support.tables import Tables
from support.visiting import Comes

from nomicgit import editions
from nomicgit.ground import clock
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds.founding import Founding
from nomicgit.record import history
from nomicgit.record.game import Game, new_id
from nomicgit.site import dues, posts
from nomicgit.site.onlooking import Look

pytestmark = pytest.mark.slow
LONG = "which whoever proposed it has called as nobody else would, at some length, and with reasons"
SHOWN = """() => [...document.querySelectorAll(".nomic-compared h2")].map(head => ({
    slug: head.querySelector("a").href.split("/").at(-2), mark: head.lastChild.textContent.replace(head.querySelector("a").textContent, ""),
    gone: [...head.nextElementSibling.querySelectorAll("del")].map(each => each.textContent.replace(/^ $/, "")),
    come: [...head.nextElementSibling.querySelectorAll("ins")].map(each => each.textContent.replace(/^ $/, ""))}))"""
TEXTS = ("The moon shines.\n\nIt is silver.\n\nIt is round.", "It is golden.", HOSTILE)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game in which a dynasty was won, and a rule made, amended twice, and repealed with it."""
    folder = tmp_path_factory.mktemp("times") / "game"
    folder.mkdir()
    act = played(folder, editions.load("crypt"), time="live")
    changes: list[dict[str, Any]] = [
        {"add-rule": {"title": "Moonlight", "text": TEXTS[0]}},
        {"amend": {"rule": "moonlight", "replace": "It is silver.", "with": TEXTS[1]}},
        {"amend": {"rule": "moonlight", "replace": "It is round.", "with": TEXTS[2]}},
    ]
    for number, change in enumerate(changes, 1):
        hour = 20 * number
        act(
            hour,
            "cy",
            "propose",
            title=f"Change {number} {HOSTILE}, {LONG}",
            body="As said.",
            changes=[change],
        )
        for voter in ("ben", "dee", "eli"):
            act(hour + 1, voter, "vote", matter=number, icon="for")
        for place in range(4 - number):
            act(hour + 2 + place, "dee", "comment", post=number, text=f"What a moon {place}.")
        act(hour + 14, "ben", "resolve", matter=number)
    act(81, "cy", "dov", title="I won", body="By the moon.")
    for voter in ("ana", "ben", "dee", "eli"):
        act(82, voter, "vote", matter=4, icon="for")
    act(95, "ben", "resolve", matter=4)
    act(96, "cy", "ascend", theme=f"Garden {HOSTILE}"[:40])
    return folder


@pytest.fixture(scope="module")
def site(game: Path) -> Iterator[Site]:
    """Its site, under a path."""
    folder = build(configured(game, at=clock.text(START + 100 * 3600)), game.parent / "site")
    with served(folder.parent) as there:
        yield Site(folder, there.address + "site/")


def laws(game: Path, commit: str) -> dict[str, str]:
    """The rules' files of a commit by their names without numbers, as Git has them."""
    pack = subprocess.run(
        ["git", "-C", str(game), "archive", commit, "game/ruleset"], capture_output=True, check=True
    )
    with tarfile.open(fileobj=io.BytesIO(pack.stdout)) as files:
        named = {
            member.name.rpartition("/")[2]: files.extractfile(member) for member in files if member.isfile()
        }
        return {
            name.removesuffix(".md").partition("-")[2]: file.read().decode()
            for name, file in named.items()
            if file and name[0].isdigit()
        }


def told(site: Site, uri: str) -> Any:
    """A file of the site's data."""
    return json.loads((site.folder / "api" / uri).read_text())


def commits(site: Site) -> dict[int, str]:
    """The commit of each deed."""
    return {deed["place"]: deed["commit"] for deed in told(site, "journal.json")["journal"]}


def test_the_lines_of_each_rule_are_its_text_after_every_change(game: Path, site: Site) -> None:
    law, schema = told(site, "law.json"), told(site, "schema.json")
    jsonschema.validate(law, schema)
    turns = [turn["place"] for turn in law["law"]["turns"]]
    assert len(turns) == 5
    rules = {file.stem: json.loads(file.read_text()) for file in (site.folder / "api/law").glob("*.json")}
    assert sorted(f"api/law/{slug}.json" for slug in rules) == sorted(
        rule["file"] for rule in law["law"]["rules"]
    )
    for slug, rule in rules.items():
        jsonschema.validate(rule, schema)
        assert rule["lines"]["slug"] == slug
    for place in turns:
        standing = {
            slug: [
                text
                for text, since, until in rule["lines"]["lines"]
                if since <= place and (until is None or place < until)
            ]
            for slug, rule in rules.items()
        }
        there = laws(game, commits(site)[place])
        assert {slug: lines for slug, lines in standing.items() if lines} == {
            slug: text.splitlines() for slug, text in there.items()
        }


def plain(law: str) -> str:
    """A rule with the plain names of what is called differently from dynasty to dynasty, without marks of code and of its parts."""
    named = re.sub(r"\{\{terms\.(\w+)\}\}", r"\1", law)
    lines = (line for line in named.splitlines() if line != "---" and not line.startswith(("```", "~~~")))
    return "\n".join(re.sub(r"(`+)(.+?)\1", r"\2", line) for line in lines)


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
@pytest.mark.parametrize("where", ["served", "folder"])
def test_the_law_of_two_times_stands_side_by_side(game: Path, site: Site, visitor: Comes, where: str) -> None:
    home, page = site.home(where)
    guest, dynasty = visitor(home), told(site, "law.json")["law"]["dynasties"]
    guest.open(f"law/{page}?from={dynasty[0]['from']}&to={dynasty[1]['from']}")
    status = guest.page.locator("p[role=status]")
    status.get_by_text("differ").wait_for()
    old, new = (laws(game, commits(site)[each["from"]]) for each in dynasty)
    different = {slug for slug in {*old, *new} if old.get(slug) != new.get(slug)}
    assert len(different) > 10
    assert status.inner_text() == f"{len(different)} rules differ."
    shown = guest.page.evaluate(SHOWN)
    assert {rule["slug"] for rule in shown} == different
    for rule in shown:
        was, now = (plain(law.get(rule["slug"]) or "").splitlines() for law in (old, new))
        gone, come = Counter(rule["gone"]), Counter(rule["come"])
        assert Counter(was) - gone == Counter(now) - come, rule["slug"]
        assert (gone <= Counter(was), come <= Counter(now)) == (True, True)
        assert rule["mark"] == ("" if was and now else " (new)" if now else " (gone)")
    places = [turn["place"] for turn in told(site, "law.json")["law"]["turns"]]
    selects = guest.page.locator(".nomic-tools select")
    chosen = [selects.nth(at).input_value() for at in (0, 1)]
    heads = guest.page.locator(".nomic-compared thead").first.locator("th").all_text_contents()
    assert [head.partition(" UTC, deed ")[2] for head in heads] == [
        commits(site)[int(place)][:10] for place in chosen
    ], "of one minute there may be several laws"
    choices = guest.page.locator(".nomic-tools select").first.locator("option").all_text_contents()
    assert len({*choices}) == len(choices)
    named = (
        selects.nth(0).locator("option").evaluate_all("all => all.map(one => [one.textContent, one.value])")
    )
    assert [
        text for text, place in named if not re.search(rf"\bdeed {commits(site)[int(place)][:10]}\b", text)
    ] == [], "of two that are one law one sees that they are"
    selects.nth(0).select_option(str(places[3]))  # the later of the two: they may stand either way
    selects.nth(1).select_option(str(places[1]))
    guest.page.locator(".nomic-compared table").first.wait_for()
    guest.page.wait_for_function("document.querySelectorAll('.nomic-compared table').length === 1")
    assert status.inner_text() == "1 rule differs. The earlier law stands left."
    (moon,) = guest.page.evaluate(SHOWN)
    assert (moon["slug"], moon["gone"]) == ("moonlight", ["It is silver.", "It is round."])
    assert moon["come"] == ["It is golden.", HOSTILE]
    assert guest.page.url.endswith(f"?from={places[3]}&to={places[1]}"), "a link keeps what one compares"
    assert guest.page.evaluate("window.hit") is None
    turns = told(site, "law.json")["law"]["turns"]
    day, hour = turns[1]["at"][:10], turns[-1]["at"][:13]
    guest.open(f"law/{page}?from={day}&to={hour}")
    guest.page.locator(".nomic-compared h2").first.wait_for()
    assert [selects.nth(at).input_value() for at in (0, 1)] == [
        str(max(turn["place"] for turn in turns if turn["at"][:10] <= day)),
        str(turns[-1]["place"]),
    ], "of a day that somebody types it is the law at its end"
    usual = [str(turns[-2]["place"]), str(turns[-1]["place"])]
    amiss = guest.page.get_by_role("alert")
    assert amiss.count() == 0
    for no_time in (
        "abc-def",
        "nowhere",
        "2021-13-45",
        "2021-02-30",
        "2021-06-31T10",
        "2021-06-08T24",
        "0",
        "1e3",
        "-5",
    ):
        guest.open(f"law/{page}?from={no_time}&to={no_time}")
        guest.page.locator(".nomic-compared h2").first.wait_for()
        assert [selects.nth(at).input_value() for at in (0, 1)] == usual, no_time
        assert amiss.inner_text().count(f"names “{no_time}”, which is no time") == 2, "it is told"
    for not_yet in ("99999", "2999-01-01"):
        guest.open(f"law/{page}?from={not_yet}&to={not_yet}")
        guest.page.locator(".nomic-compared h2").first.wait_for()
        assert [selects.nth(at).input_value() for at in (0, 1)] == usual, not_yet
        assert amiss.inner_text().count(f"names “{not_yet}”, which has not come yet") == 2, "it is told"
    guest.open(f"law/{page}?from=1987-02-03T04:05Z&to={day}")
    guest.page.locator(".nomic-compared h2").first.wait_for()
    assert selects.nth(0).input_value() == str(turns[0]["place"])
    assert "no game yet at 1987-02-03T04:05Z" in amiss.inner_text()
    selects.nth(1).select_option(usual[1])
    assert amiss.count() == 0, "whoever has chosen need not be told any more"
    assert "to=" not in guest.page.url, "the law of now stays that of now for whoever gets the link"
    values = selects.nth(0).locator("option").evaluate_all("all => all.map(one => one.value)")
    assert values.count(str(turns[0]["place"])) == 1, "the founding is there once"
    guest.open(f"law/{page}")
    guest.page.locator(".nomic-compared h2").first.wait_for()
    many = guest.page.locator(".nomic-compared h2").count()
    assert many > 1, "the latest change stands there before anybody chooses"
    assert status.inner_text() == f"{many} rules differ."
    assert guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    guest.page.set_viewport_size({"width": 390, "height": 800})
    assert guest.page.evaluate("document.documentElement.scrollWidth") <= 390, "whatever a change is called"
    assert guest.said == []
    assert list(broken_links(site.folder)) == []


# Time lines, and what is kept of a dynasty.


def stored(game: Path) -> dict[int, tuple[dict[str, Any], int]]:
    """The front matter of each post, and how often somebody said something of it, as its files say; bare votes say nothing."""
    posts = {}
    for file in game.glob("game/posts/*/*/*.md"):
        said = file.with_suffix(".comments.yml")
        entries = yaml.safe_load(said.read_text()) if said.exists() else []
        many = len([entry for entry in entries if entry["text"]])
        posts[int(file.name[:4])] = yaml.safe_load(file.read_text().split("---\n")[1]), many
    return posts


def marks(page: Path) -> list[tuple[str, str]]:
    """The marks of a page's time line: what each says, and where it leads."""
    drawn = re.findall(r'<a href="([^"]*)" aria-label="([^"]*)"><circle', page.read_text())
    return [(html.unescape(text), href) for href, text in drawn]


def test_a_time_line_has_a_mark_for_each_revision_and_each_enactment(game: Path, site: Site) -> None:
    git = ["git", "-C", str(game), "log", "--reverse", "--format=%cI", "--", "game/ruleset/*-moonlight.md"]
    times = subprocess.run(git, capture_output=True, text=True, check=True).stdout.split()
    of_rule = marks(site.folder / "rules/moonlight/index.html")
    assert of_rule == [
        (f"Revision {number}, {at[:16].replace('T', ' ')} UTC", f"#revision-{number}")
        for number, at in enumerate(times)
    ]
    assert len(of_rule) == 4
    assert marks(site.folder / "rules/votes/index.html") == [], "it is as it was made"
    enacted = {
        f"{number}. {post['title']}"
        for number, (post, _) in stored(game).items()
        if post.get("status") == "enacted"
    }
    of_dynasty = marks(site.folder / "dynasties/3/index.html")
    assert {text for text, href in of_dynasty if "/posts/" in href} == enacted
    assert len(enacted) == 4
    assert ("The next dynasty began", "../../journal/1/#deed-29") in of_dynasty


@pytest.mark.slow
@pytest.mark.parametrize("edition", ["crypt", "dungeon"])
def test_whoever_was_enacted_to_have_won_has_won_whoever_leads_next(edition: str, tmp_path: Path) -> None:
    act = played(tmp_path, editions.load(edition))
    act(1, "cy", "dov", title="I won")
    for voter in ("ana", "ben", "dee", "eli"):
        act(2, voter, "vote", matter=1, icon="for")
    act(26, "ben", "resolve", matter=1)
    act(27, "cy", "pass-mantle", player="dee")
    act(28, "dee", "ascend", theme="Garden")
    pages = seen_pages(tmp_path)
    lost, begun = (str(pages[f"dynasties/{number}.md"].body) for number in (3, 4))
    text = " ".join(Markup(lost.replace("<", " <")).striptags().split())
    assert "Won by cy" in text
    assert "How it was won cy won it by 1. I won 5 FOR" in text
    passed = "; dee , who came to lead by 2. The mantle passes , began the next dynasty 2021-06-08 04:00 UTC"
    assert (passed in text) == (edition == "crypt"), (
        "where the next one begins with the victory it is cy who began it"
    )
    assert (lost.count('aria-label="1. I won"'), begun.count('aria-label="1. I won"')) == (1, 0)


def test_a_dynasty_tells_how_it_was_won_and_what_it_made(game: Path, site: Site) -> None:
    page = site.folder / "dynasties/3/index.html"
    text = " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page.read_text())).split())
    assert (
        "cy won it by 4. I won 5 FOR 0 AGAINST , 2021-06-10 23:00 UTC , and began the next dynasty 2021-06-11 00:00 UTC"
        in text
    )
    tables = {table.label: table for table in Tables(page).tables}
    founded, won = (laws(game, commits(site)[place]) for place in (1, 28))
    now = {file.stem.partition("-")[2] for file in (game / "game/ruleset").rglob("*-*.md")}
    made = sorted(won.keys() - founded.keys())
    assert [(row[0].casefold(), row[3]) for row in tables["Rules"].rows] == [
        (slug, "amended" if slug in now else "repealed") for slug in made
    ]
    said = sorted(
        ((number, many) for number, (_, many) in stored(game).items() if many),
        key=lambda pair: (-pair[1], pair[0]),
    )
    assert [(int(row[0].partition(".")[0]), int(row[2])) for row in tables["Most talked of"].rows] == said[:5]
    cards = re.split(r'<h2 id="post-', (site.folder / "posts/index.html").read_text())[1:]
    told = {int(card.partition('"')[0]): re.findall(r" · (\d+) comments?<", card) for card in cards}
    assert told == {number: [str(many)] * bool(many) for number, (_, many) in stored(game).items()}


LIFE = """---
title: Life
variables:
  life: {of: player, type: choice, choices: [Well, Dead], default: Well}
  age: {of: player, type: integer, default: 0}
actions:
  die: {summary: Die}
---
Whoever dies is dead.

```starlark
def do_die(actor):
    put(actor, life="Dead")
    gain(actor, "age", 70)
```
"""


def test_a_dynasty_tells_who_died(tmp_path: Path) -> None:
    act = played(tmp_path, Ruleset.read({"2-dynastic/10-life.md": LIFE}))
    for hour, who in ((1, "dee"), (2, "ben")):
        act(hour, who, "die")
    body = seen_pages(tmp_path)["dynasties/3.md"].body
    assert re.findall(r'aria-label="(\w+: \w+)"', body) == ["dee: Dead", "ben: Dead"]
    assert "70" not in body


def test_changes_of_the_law_in_one_minute_are_told_apart(tmp_path: Path) -> None:
    act = played(tmp_path, editions.load("crypt"))
    for number in (1, 2):
        change = {"add-rule": {"title": f"Moon {number}", "text": "It shines."}}
        act(1, "cy", "propose", title="Moon", body="", changes=[change])
        for voter in ("ben", "dee", "eli"):
            act(2, voter, "vote", matter=number, icon="for")
    for number in (1, 2):
        act(30, "ben", "resolve", matter=number)
    text = str(seen_pages(tmp_path)["law/index.md"].body)
    told = [re.sub("<.*?>", "", each) for each in re.findall(r'<th scope="row">(.*?)</th>', text, re.DOTALL)]
    assert len(told) == 3
    assert len({*told}) == 3, "whoever hears the links alone knows which is which"


TICKING = """---
title: Ticking
variables:
  ticks: {of: game, type: integer}
  pot: {of: game, type: integer}
  warmth: {of: player, type: integer}
collections:
  sparks: {key: {prefix: s}, fields: {lit: integer}}
schedule:
  tick: {every: day 06:00}
---
It ticks.

```starlark
def schedule_tick():
    gain("game", "ticks", 1)
    gain("game", "pot", 10)
    for each in players():
        gain(each, "warmth", 1)
    create("sparks", lit=get("game", "ticks"))
    note("It has ticked.")
```
"""


def test_what_the_clock_changed_is_told_apart_from_what_a_deed_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = tmp_path / "game"
    game.mkdir()
    act = played(
        game,
        Ruleset.read({**editions.load("crypt").texts, "2-dynastic/900-ticking.md": TICKING}),
        time="live",
    )
    for number in (1, 2):  # the first after a morning, the second within an hour of it; so with their ends
        changes = [{"set": {"game.pot": number}}]
        act(10 + number, "cy", "propose", title=f"Pot {number}", body="", changes=changes)
    for number in (1, 2):
        for voter in ("ben", "dee", "eli"):
            act(12 + number, voter, "vote", matter=number, icon="for")
    for number in (1, 2):
        act(30 + number, "ben", "resolve", matter=number)
    for _ in range(2):  # what a clone remembers of it is the same
        site = build(configured(game, at=clock.text(START + 33 * 3600)), tmp_path / "site")
        assert [_changed(site, number) for number in (1, 2)] == [
            [
                {("game", "pot", "20", "1")},
                {("game", "ticks", "1", "2"), ("game", "pot", "10", "20"), ("s2", "lit", "–", "2")}
                | {(name, "warmth", "1", "2") for name in ("ben", "cy", "dee", "eli")},
            ],
            [{("game", "pot", "1", "2")}],
        ]
        deeds = json.loads((site / "api/journal.json").read_text())["journal"]
        ends = [deed["place"] for deed in deeds if deed["action"] == "resolve"]
        steps = [_steps(site, place) for place in ends]
        assert [each for each in steps[0] if "pot" in each] == ["by the clock: pot: 10 → 20", "pot: 20 → 1"]
        assert "by the clock: made: sparks s2 (lit: 2)" in steps[0]
        assert "by the clock: It has ticked." in steps[0]
        assert [each for each in steps[1] if "pot" in each or "clock" in each] == ["pot: 1 → 2"]
        for name in ("ben", "cy"):  # whoever did the deed in which it is recorded, too
            tables = Tables(site / f"me/{name}/index.html").tables
            (morning,) = (each for each in tables if each.label == "Changes of values")
            assert [row[2:] for row in morning.rows] == [
                ["the clock", "warmth", "1", "2"],
                ["the clock", "warmth", "0", "1"],
            ]
        past = json.loads((site / "api/past/game.json").read_text())["past"]["entities"]["game"]["fields"]
        assert [(each["by"], each["from"], each["to"]) for each in past["pot"]][:3] == [
            ("ben", "1", "2"), ("ben", "20", "1"), ("the clock", "10", "20")
        ]  # fmt: skip
        shutil.rmtree(site)
        (game / ".git/nomicgit-site.pages").unlink()
    (game / ".git/nomicgit-site.dues").unlink()
    monkeypatch.setattr(history, "clocked", lambda *_: None)  # as of a deed that is sealed
    page = posts.of_post(Look.at_time(Game.open(game), START + 33 * 3600), 1)
    assert "so nobody can tell it apart" in next(each.body for each in page.sections if each.id == "changes")


CHIMING = TICKING.replace("type: integer}", "type: integer, tracked: secret, seen_by: [owner]}", 3).replace(
    "  ticks: {of: game, type: integer, tracked: secret, seen_by: [owner]}",
    "  ticks: {of: game, type: integer}",
)
"""The same where what players have is secret: only who has the key can let it tick."""


def test_an_open_deed_before_which_something_sealed_fell_due_says_that_the_key_tells_them_apart(
    tmp_path: Path,
) -> None:
    pytest.importorskip("pyrage")
    ruleset = Ruleset.read({**editions.load("crypt").texts, "2-dynastic/900-ticking.md": CHIMING})
    game = KeyedGame.founded(
        tmp_path / "game", "crypt", Founding(START, ["ana", "ben"], "ana"), ruleset=ruleset
    )
    for hour in (1, 31):
        at = START + hour * 3600
        game.act(Deed(new_id(at), "ben", "post", {"title": f"Hour {hour}", "body": "It is late."}, at))
    assert game.game.tree.has_keys
    site = build(configured(tmp_path / "game", at=clock.text(START + 32 * 3600)), tmp_path / "site")
    said = [[each for each in _steps(site, place) if "fell due" in each] for place in (2, 3)]
    assert said == [[], [dues.MIXED + dues.SEALED]]


@pytest.mark.parametrize("began", [False, True], ids=["the first", "beside another"])
def test_a_deed_that_brings_a_clock_tells_of_nothing_that_fell_due(tmp_path: Path, began: bool) -> None:
    pytest.importorskip("pyrage")
    law = dict(editions.load("crypt").texts)
    if began:
        law["2-dynastic/800-chiming.md"] = CHIMING.replace("Ticking", "Chiming").replace(
            "day 06:00", "month 1 06:00"
        )
    founding = Founding(START, ["ana", "ben", "cy", "dee", "eli"], "ana", ["ben"])
    game = KeyedGame.founded(tmp_path / "game", "crypt", founding, ruleset=Ruleset.read(law))
    brought = {
        "title": "Moons",
        "text": "It rises.",
        "declares": {
            "variables": {"moons": {"of": "game", "type": "integer"}},
            "schedule": {"rise": {"every": "month 1 06:00"}},
        },
        "mechanics": 'def schedule_rise():\n    gain("game", "moons", 1)\n',
    }
    changes = [{"add-rule": brought}]
    deeds: list[tuple[int, str, str, dict[str, Any]]] = [
        (1, "cy", "propose", {"title": "Moons", "body": "", "changes": changes}),
        *((2, each, "vote", {"matter": "1", "icon": "for"}) for each in ("ben", "dee", "eli")),
        (30, "ben", "resolve", {"matter": "1"}),
        (30 * 24, "ben", "post", {"title": "Late", "body": "It is late."}),
    ]
    for hour, who, action, given in deeds:
        at = START + hour * 3600
        done = game.act(Deed(new_id(at), who, action, given, at))
        assert not done.outcome.refusal, done.outcome.refusal
    site = build(configured(tmp_path / "game", at=clock.text(START + 31 * 24 * 3600)), tmp_path / "site")
    for place in range(2, 7):
        assert [each for each in _steps(site, place) if "fell due" in each] == []
    assert any("rules added" in each for each in _steps(site, 6)), "which brings the clock"
    assert any("clock" in each or "fell due" in each for each in _steps(site, 7)), "before which it has run"
    assert "fell due by the clock" not in (site / "posts/1/index.html").read_text()


@pytest.mark.parametrize(
    ("before", "after", "ran"),
    [
        (None, None, False),
        (None, {"tick": "a"}, False),
        ({"tick": "a"}, {"tick": "a", "tock": "b"}, False),
        ({"tick": "a"}, {"tick": "b"}, True),
        ({"tick": "a"}, {"tick": "b", "tock": "b"}, True),
        ({"tick": "a"}, {}, True),
        ({}, {"fade lamps/l1": "a"}, True),
    ],
)
def test_a_clock_that_is_new_has_not_run(before: object, after: object, ran: bool) -> None:
    assert history.ticked(before, after) is ran


def _changed(site: Path, number: int) -> list[set[tuple[str, ...]]]:
    """What changed by a matter, table by table."""
    tables = Tables(site / f"posts/{number}/index.html").tables
    return [{tuple(row) for row in each.rows} for each in tables if each.label == "Values that changed"]


def _steps(site: Path, place: int) -> list[str]:
    """What the journal tells of a deed, line by line."""
    row = (site / "journal/1/index.html").read_text().partition(f'id="deed-{place}"')[2].partition("</tr>")[0]
    return [html.unescape(re.sub("<.*?>", "", each)) for each in re.findall("<li>(.*?)</li>", row, re.DOTALL)]
