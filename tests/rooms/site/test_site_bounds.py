"""Laws that misbehave while the site is made, and rules that somebody is still writing: the site is built and says so."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from jinja2 import DictLoader, Environment
from support.sites import configured, played
from support.started import QUIET

from nomicgit import editions
from nomicgit.git import Repository
from nomicgit.ground import deaths, worker
from nomicgit.ground.problems import Exhausted, Refused
from nomicgit.law.ruleset import Ruleset
from nomicgit.outlook.today import Today
from nomicgit.physics.state import transaction
from nomicgit.record.game import Game
from nomicgit.site import asked
from nomicgit.site.asked import Asking, Untold, bounded
from nomicgit.site.onlooking import Look
from nomicgit.site.opened import site_in
from nomicgit.site.page import Page
from nomicgit.site.renderings import Kept

RULE = """---
title: Gold
variables:
  gold: {{of: player, type: integer, derived: gold}}
views:
  hoard: {{of: game}}
  calm: {{of: game}}
actions:
  dance: {{summary: Dance}}
  wave: {{summary: Wave}}
---
Everybody has gold, and the hoard is {{{{views.hoard}}}}.

```starlark
def gold(player):
    {gold}

def hoard():
    {hoard}

def calm():
    return "all is calm"

def can_dance(actor):
    {dance}

def do_dance(actor):
    pass

def do_wave(actor):
    pass
```
"""
GREEDY = 'return "aaaaaaaa" * (len(players()) * 67108864)'
ENDLESS = "x = 3\n    for i in range(60):\n        x = x * x\n    return x"
TIRING = "for i in range(1000000000):\n        pass\n    return 1"


def law(gold: str = "return 7", hoard: str = "return 1", dance: str = 'return ""') -> Ruleset:
    return Ruleset.read({"1-core/10-gold.md": RULE.format(gold=gold, hoard=hoard, dance=dance)})


def made(path: Path, *, drafts: bool = False) -> dict[str, Page]:
    """The pages of a folder's site."""
    with site_in(path, 0, "", drafts=drafts)[0] as sheaf:
        return {uri: sheaf.page(leaf) for uri, leaf in sheaf.leaves.items()}


# What the law does while it is asked.


@pytest.mark.slow
@pytest.mark.parametrize(
    "hoard", [pytest.param(GREEDY, id="greedy"), pytest.param(ENDLESS, id="endless", marks=pytest.mark.slow)]
)
def test_a_view_that_ends_its_process_is_told_and_the_rest_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hoard: str
) -> None:
    monkeypatch.setattr(asked, "SECONDS", 1.0)
    played(tmp_path, law(hoard=hoard))
    pages = made(tmp_path)
    state = pages["gamestate.md"].body
    assert f'title="{deaths.HURT}">cannot be told<' in state
    assert "all is calm" in state
    assert f"Not asked of the law: the view hoard, since {deaths.HURT}." in pages["index.md"].body.unescape()
    assert "7" in pages["players.md"].body


@pytest.mark.slow
def test_a_value_that_ends_its_process_is_asked_of_nobody(tmp_path: Path) -> None:
    played(tmp_path, law(gold=GREEDY))
    assert made(tmp_path)["players.md"].body.count("cannot be told") >= 5


@pytest.mark.slow
def test_fuel_that_is_spent_in_vain_is_not_spent_for_everybody(tmp_path: Path) -> None:
    played(tmp_path, law(gold=TIRING))
    began = time.process_time()
    assert "it takes more fuel" in made(tmp_path)["players.md"].body
    assert time.process_time() - began < 30


@pytest.mark.slow
def test_a_law_that_ends_every_process_is_asked_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asked, "DEATHS", 1)
    played(tmp_path, law(gold=GREEDY, hoard=GREEDY))
    pages = made(tmp_path)
    assert "Not asked of the law: anything" in pages["index.md"].body
    assert "Everybody has gold" in pages["rules/gold.md"].body


def test_a_worker_that_ends_over_no_question_is_an_error() -> None:
    def work(asking: Asking) -> None:
        len(bytearray(worker.MORE_MEMORY * 2))

    with pytest.raises(Refused, match="the mechanics end their process"):
        bounded(work)


def test_an_error_of_the_program_is_not_put_down_to_the_law() -> None:
    def work(asking: Asking) -> None:
        raise ZeroDivisionError("ours")

    with pytest.raises(RuntimeError, match="ours"):
        bounded(work)


def spinning(seconds: float) -> str:
    """What takes so long of the processor's time."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
    return "told"


def test_what_a_site_asks_of_the_law_has_an_end_of_each_kind_and_of_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asked, "LENT", 0.16)
    monkeypatch.setattr(asked, "SHARE", 0.05)

    def work(asking: Asking) -> list[list[str]]:
        return [
            [str(asking.ask(kind, lambda: spinning(0.02), about=str(number))) for number in range(9)]
            for kind in ("gold", "silver", "copper", "iron", "tin")
        ]

    gold, *_, tin = bounded(work)
    assert 1 <= gold.count("told") <= 3
    assert "all questions like it" in gold[-1]
    assert len(set(tin)) == 1
    assert "all of the time that it is lent for a site" in tin[0]


def test_the_time_of_a_question_over_which_a_worker_ended_is_gone_for_the_next_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asked, "LENT", 0.1)
    monkeypatch.setattr(asked, "SECONDS", 0.2)

    def work(asking: Asking) -> list[str]:
        return [
            str(asking.ask(name, partial(spinning, each))) for name, each in (("endless", 60), ("short", 0))
        ]

    endless, short = bounded(work)
    assert deaths.HURT in endless
    assert "all of the time" in short


@pytest.mark.slow
def test_an_action_of_which_the_law_comes_to_no_end_leaves_the_others_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is asked late in a long build is told as well: a look has some seconds, and the site is none."""
    monkeypatch.setattr(transaction, "QUESTION", 0.1)
    played(tmp_path, law(dance=TIRING))
    with Repository.open(tmp_path) as repository:
        look = Look.at_time(Game(repository, repository.commit(str(repository.head()))), 0)
        day = look.today("players/ana")
        assert isinstance(day, Today)
        assert day.opened == ("wave",)
        assert "longer than a game lends it" in day.barred["dance"]
        assert list(look.closed()) == ["dance"]
        look.world.look(-1.0)  # no time is left
        with pytest.raises(Exhausted, match="longer than a game lends it"):
            look.world.call("calm")
        assert look.value("players/ana", "gold") == 7
        look.world.look(-1.0)
        assert look.view("calm") == "all is calm"


def test_a_question_that_is_refused_says_why() -> None:
    def refuse() -> None:
        raise Refused.of("not today")

    assert Asking().ask("anything", refuse) == Untold("not today")


# Rules that somebody is writing.


@pytest.fixture
def attic(tmp_path: Path) -> Path:
    played(tmp_path, editions.load("crypt"))
    return tmp_path


def written(path: Path) -> Path:
    """The file that somebody writes."""
    return next((path / "game/ruleset").rglob("*-dormancy.md"))


def edited(path: Path, old: str, new: str) -> None:
    file = written(path)
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


@pytest.mark.slow
def test_a_rule_that_is_edited_is_shown_as_it_stands_and_said_to_be_no_law(attic: Path) -> None:
    edited(attic, "title: ", "title: Loud ")
    pages = made(attic, drafts=True)
    for page in pages.values():
        assert "1 file differs from the record" in page.lead
    rule = pages["rules/dormancy.md"]
    assert "Loud" in rule.title
    assert "<b>Loud" in next(each for each in rule.sections if each.id == "edited").body


@pytest.mark.slow
def test_a_build_shows_the_record(attic: Path) -> None:
    edited(attic, "title: ", "title: Loud ")
    pages = made(attic)
    assert "Loud" not in pages["rules/dormancy.md"].title
    assert not any("Not recorded yet" in page.lead for page in pages.values())


@pytest.mark.slow
def test_what_is_no_ruleset_is_told_beside_the_recorded_one(attic: Path) -> None:
    edited(attic, "title: ", "titel: ")
    pages = made(attic, drafts=True)
    assert "It cannot be law as it stands" in pages["index.md"].lead
    assert "rules/dormancy.md" in pages


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), [("asleep = ", "asleep = = "), ("def hiatus_reason", "def players")])
def test_mechanics_that_are_none_are_told_beside_the_recorded_law(attic: Path, old: str, new: str) -> None:
    recorded = made(attic)
    edited(attic, old, new)
    pages = made(attic, drafts=True)
    rule = pages["rules/dormancy.md"]
    line = next(n for n, text in enumerate(written(attic).read_text().split("\n"), 1) if new in text)
    assert rule.lead.count("<li>") == 1
    assert f"dormancy.md:{line}" in rule.lead
    assert rule.sections[0].id == "edited"
    assert new in rule.sections[0].body.striptags()
    assert rule.sections[1:] == recorded["rules/dormancy.md"].sections
    assert pages["index.md"].sections == recorded["index.md"].sections


@pytest.mark.slow
def test_a_rule_taken_out_of_the_folder_is_not_said_to_be_repealed(attic: Path) -> None:
    next((attic / "game/ruleset").rglob("*-dormancy.md")).unlink()
    page = made(attic, drafts=True)["rules/dormancy.md"]
    assert "taken out of the folder" in page.lead
    assert "repealed" not in page.title


@pytest.mark.slow
def test_nothing_edited_is_no_draft(attic: Path, git: Callable[..., str]) -> None:
    assert "Not recorded" not in made(attic, drafts=True)["index.md"].lead


SERVED = """\
import sys
from mkdocs.commands.build import build
from mkdocs.config import load_config
config = load_config(sys.argv[1], site_dir=sys.argv[2])
config.plugins.on_startup(command="serve", dirty=False)
build(config)
"""


@pytest.mark.slow
def test_what_somebody_writes_is_served_to_them(
    attic: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    edited(attic, "title: ", "title: Loud ")
    site = tmp_path_factory.mktemp("served")
    command = [sys.executable, "-c", SERVED, str(configured(attic)), str(site)]
    subprocess.run(command, check=True, capture_output=True, env=os.environ | QUIET)
    assert "1 file differs from the record" in (site / "posts/index.html").read_text()
    assert "Loud" in (site / "rules/dormancy/index.html").read_text()


# Pages that another build lets go of.


def test_a_kept_page_that_is_gone_when_its_turn_comes_is_rendered_anew(tmp_path: Path) -> None:
    def begun() -> tuple[Kept, Environment, SimpleNamespace]:
        kept, env = (
            Kept(tmp_path),
            Environment(loader=DictLoader({"main.html": "fresh {{ page.url }}"}), autoescape=False),
        )
        page = SimpleNamespace(url="a/", title="A", meta={}, previous_page=None, next_page=None)
        kept.begin(env, [(page, "hash")], "all")
        return kept, env, page

    kept, _, page = begun()
    assert not kept.turn(page)
    kept.keep(page, "as it was")
    for there, shown in ((True, "as it was"), (False, "fresh a/")):
        kept, env, page = begun()
        if not there:
            next(tmp_path.iterdir()).unlink()
        assert kept.turn(page) is there
        assert env.get_template(page.meta["template"]).render(page=page) == shown
