"""The pages that seal, in a real browser: what is handed in is what a clone would have made, and nobody else reads it.

Skipped where no Chromium is installed.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from support import contrast
from support.depth import DEEP, is_deep
from support.places import TESTS
from support.served import CHROMIUM, Site, served
from support.sites import broken_links, build, configured
from support.started import ran
from support.visiting import PRACTICE, Comes, nomic

from nomicgit.record.game import Game
from nomicgit.record.secret import ordering
from nomicgit.sealing.canonical import canonical
from nomicgit.sealing.orders import Order
from nomicgit.sealing.padding import unpadded
from nomicgit.site import letters, private
from nomicgit.site.onlooking import Look

pyrage = pytest.importorskip("pyrage")
pytest.importorskip("playwright.sync_api")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]

AXE = TESTS / "vendor/axe/axe.min.js"
SEALING = ("act/", "act/tell/", "letters/")
KINDS = (
    "", "me/", "players/", "players/ben/", "rules/notes/", "ruleset/", "posts/", "journal/", "gamestate/", "law/", "actions/",
    "terms/", "dynasties/",
)  # fmt: skip
SCHEMES = {"light": "default", "dark": "slate"}
SHOWN = "document.querySelectorAll('article [hidden], article details').forEach(e => { e.hidden = false; e.open = true; })"
PLAYERS = ("ana", "ben", "cy", "dee", "eli")
TEXT = 'Meet me "at\tthe well"\\ – \u2028é😀</script>'


class Played(NamedTuple):
    """A game that keeps secrets, and its site."""

    folder: Path
    site: Site


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    scratch = tmp_path_factory.mktemp("private")
    game = scratch / "game"
    everybody = [part for player in PLAYERS for part in ("--player", player)]
    nomic("new", str(game), "--edition", "assassin", *everybody, *PRACTICE, "--emperor", "ana")
    with served(build(configured(game), scratch / "site")) as site:
        yield Played(game, site)


def sealed(page: Any) -> str:
    """The armour that a page shows once somebody has pressed Seal, and once more where everybody will see what it says."""
    page.get_by_role("button", name="Seal").press("Enter")
    if page.locator("form[data-openly]").count():
        note = page.locator(".nomic-unsealed")
        note.wait_for(state="visible")
        assert "once it is done, everybody sees it with your name" in note.inner_text()
        page.get_by_role("button", name="Seal").press("Enter")
    page.locator(".nomic-sealed").wait_for(state="visible")
    return str(page.get_by_label("Sealed order", exact=True).last.input_value())


def plain(game: Game, armour: str) -> bytes:
    """What an order holds, read by another implementation of age than the one that made it."""
    identity = pyrage.x25519.Identity.from_str(ordering.sealer_of(game).identity)
    padded = pyrage.decrypt(armour.encode(), [identity])
    assert len(padded) % 512 == 0
    return unpadded(padded)


def test_a_note_is_sealed_by_the_keyboard_and_is_an_order_that_the_keeper_takes(
    played: Played, visitor: Comes
) -> None:
    dee = visitor(played.site.address)
    dee.open("act/note/")
    page = dee.page
    page.get_by_label("You are").focus()
    page.keyboard.type("dee")
    page.get_by_role("group", name="street", exact=True).get_by_label("which").focus()
    page.keyboard.type("arrive")
    page.keyboard.press("Tab")
    page.keyboard.type("H7")
    game = Game.open(played.folder)
    armour = sealed(page)
    assert max(map(len, armour.splitlines())) <= 64
    order = Order.read(armour, ordering.sealer_of(game).identity)
    assert (order.by, order.action, order.term) == ("dee", "note", 1)
    assert order.with_ == {"street": {"action": "arrive-in-town", "location": "H7"}}
    held = plain(game, armour)
    assert held == canonical(json.loads(held))
    (played.folder / "order.txt").write_text(armour)
    nomic("-C", str(played.folder), "keep", "--order", str(played.folder / "order.txt"))
    letter = json.loads(_shown("-C", str(played.folder), "letters", "--as", "dee", "--json"))
    assert [(each["action"], each["refused"]) for each in letter["orders"]] == [("note", "")]
    assert dee.said == []


def test_what_the_page_seals_is_byte_for_byte_what_a_clone_seals(played: Played, visitor: Comes) -> None:
    dee, game = visitor(played.site.address), Game.open(played.folder)
    wanted: dict[str, tuple[dict[str, object], list[str]]] = {
        "tell": ({"to": "eli", "text": TEXT}, ["to=eli", f"text={TEXT}"]),
        "roll": ({"dice": "2DICE6"}, ["dice=2DICE6"]),
        "propose": ({"title": "T", "body": "B", "changes": [{"b": 1.5, "a": [True, None]}]},
                    ["title=T", "body=B", "changes=[{b: 1.5, a: [true, null]}]"]),
    }  # fmt: skip
    for action, (values, words) in wanted.items():
        dee.open(f"act/{action}/")
        _is(dee.page, "dee")
        for name, value in values.items():
            place = dee.page.locator(f"[data-name={name}] :is(input, select, textarea)").first
            _put(place, value)
        ours = json.loads(plain(game, sealed(dee.page)))
        said = json.loads(
            _shown("-C", str(played.folder), "order", action, *words, "--as", "dee", "--json", "--yes")
        )
        theirs = json.loads(plain(game, said["order"]))
        assert re.fullmatch("[0-9a-f]{16}-[0-9a-f]{16}", ours["nonce"])
        assert min(ours["nonce"], theirs["nonce"])[:3] == ours["nonce"][:3]  # of the same years
        theirs |= {"nonce": ours["nonce"], "at": ours["at"]}
        assert canonical(ours) == canonical(theirs)
    dee.open("act/set/")
    _is(dee.page, "dee")
    for typed, meant in (
        ("three gold", "three gold"),
        ("3", 3),
        ("[1, null]", [1, None]),
        ('"3"', "3"),
        ("{gold: 3}", {"gold": 3}),
    ):
        _put(dee.page.locator("[data-name=path] input"), "game.note")
        dee.page.locator("[data-name=value] textarea").fill(typed)
        assert json.loads(plain(game, sealed(dee.page)))["with"] == {"path": "game.note", "value": meant}
    dee.open("act/")
    _is(dee.page, "dee")
    blank = Order.read(sealed(dee.page), ordering.sealer_of(game).identity)
    assert (blank.action, blank.with_) == (ordering.BLANK, {})
    assert dee.said == []


def test_what_cannot_be_sealed_is_said_with_what_to_do(played: Played, visitor: Comes) -> None:
    dee, game = visitor(played.site.address), Game.open(played.folder)
    dee.open("act/tell/")
    _is(dee.page, "dee")
    _put(dee.page.locator("[data-name=to] select"), "eli")
    assert _unsealed(dee.page, "[data-name=text] :is(input, textarea)", "x" * (64 << 10)) == (
        "It is not sealed: it is larger than the 64 KiB that an order may have. Make it shorter."
    )
    dee.open("act/propose/")
    _is(dee.page, "dee")
    dee.page.locator("[data-name=title] input").fill("T")
    said = _unsealed(dee.page, "[data-name=changes] textarea", "- repeal: old")
    assert (
        "changes: write a list in [ ]. An example: [{add-rule: {title: Lanterns, text: Lanterns shine.}}]."
        in said
    )
    said = _unsealed(dee.page, "[data-name=changes] textarea", '{"repeal": "old"}')
    assert "changes: it must be a list" in said
    dee.open("act/note/")
    _is(dee.page, "dee")
    dee.page.get_by_role("button", name="Seal").press("Enter")
    empty = dee.page.locator(".nomic-unsealed")
    empty.wait_for(state="visible")
    assert "nothing is filled in" in empty.inner_text()
    assert json.loads(plain(game, sealed(dee.page)))["with"] == {}, "pressed once more it is meant"
    dee.open("act/tell/")
    _is(dee.page, "dej")
    _put(dee.page.locator("[data-name=to] select"), "eli")
    said = _unsealed(dee.page, "[data-name=text] :is(input, textarea)", "hm")
    assert said.startswith("It is not sealed: nobody here is called dej.")
    assert json.loads(plain(game, sealed(dee.page)))["by"] == "dej"
    dee.open("act/tell/")
    _is(dee.page, "dee")
    _put(dee.page.locator("[data-name=to] select"), "dee")
    said = _unsealed(dee.page, "[data-name=text] :is(input, textarea)", "to me")
    assert said.startswith("It is not sealed: it names you yourself.")
    assert json.loads(plain(game, sealed(dee.page)))["with"]["to"] == "dee"
    assert dee.said == []


def test_what_everybody_will_see_of_an_order_is_said_on_its_page(played: Played, visitor: Comes) -> None:
    dee = visitor(played.site.address)
    for action, shown in (
        ("propose", "the journal shows everybody all of it, with your name."),
        ("tell", "the journal shows everybody that something sealed was done, and what became public by it."),
    ):
        dee.open(f"act/{action}/")
        assert shown in dee.page.locator("article").inner_text(), action


RING = "each => { const seen = getComputedStyle(each); return [seen.outlineStyle, parseFloat(seen.outlineWidth)]; }"


def test_whatever_is_filled_in_shows_where_the_keyboard_is(played: Played, visitor: Comes) -> None:
    dee, kinds = visitor(played.site.address), set[str]()
    for uri in ("act/propose/", "act/tell/", "act/note/", "act/set/", "letters/"):
        dee.open(uri)
        for control in dee.page.locator(".nomic-field :is(input, select, textarea):enabled:visible").all():
            control.focus()
            dee.page.keyboard.press("Shift+Tab")
            dee.page.keyboard.press("Tab")
            style, width = control.evaluate(RING)
            assert style == "solid", (uri, control)
            assert width >= 1, (uri, control)
            kinds.add(str(control.evaluate("each => each.tagName")))
    assert kinds == {"INPUT", "SELECT", "TEXTAREA"}


def test_these_pages_can_be_read_by_everybody_and_others_load_none_of_it(
    played: Played, chromium: Any, visitor: Comes
) -> None:
    folder = played.site.folder
    assert list(broken_links(folder)) == []
    with_it = {
        file.parent.relative_to(folder).as_posix()
        for file in folder.rglob("*.html")
        if "age.js" in file.read_text()
    }
    assert with_it == {
        "act",
        "letters",
        *(each.relative_to(folder).as_posix() for each in folder.glob("act/*") if each.is_dir()),
    }
    eli = visitor(played.site.address)
    eli.open("me/")
    eli.page.locator(".nomic-who").get_by_role("link", name="eli", exact=True).click()
    eli.page.wait_for_url("**/me/eli/")
    for uri in ("act/", "act/note/", "act/tell/"):
        eli.open(uri)
        assert eli.page.get_by_label("You are").input_value() == "eli", "who has said so already"
        if uri == "act/tell/":
            assert eli.page.locator("[data-name=to] option").all_inner_texts() == ["–", *PLAYERS]
            _put(eli.page.locator("[data-name=to] :is(input, select, textarea)"), "dee")
            _put(eli.page.locator("[data-name=text] :is(input, textarea)"), "hello")
            sealed(eli.page)
        eli.page.evaluate(AXE.read_text())
        judged = eli.page.evaluate("axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'best-practice']})")
        assert [(each["id"], [n["html"] for n in each["nodes"]]) for each in judged["violations"]] == [], uri
    for said, is_kept in (("elli", "eli"), ("dee", "dee")):
        eli.open("act/remove-post/")
        eli.page.get_by_label("You are").fill(said)
        eli.page.get_by_label("You are").blur()
        eli.open("act/remove-post/")
        assert eli.page.get_by_label("You are").input_value() == is_kept, "nobody is who has no such name"
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{played.site.address}act/propose/")
    assert page.inner_text("h1").startswith("As an order: propose"), "which is done in the open"
    page.goto(f"{played.site.address}act/note/")
    assert "nomicgit order note" in page.inner_text(".nomic-unsealed")
    assert not page.locator("form.nomic-order").is_visible()
    context.close()


OLD = """for (const name of ["generateKey", "importKey"]) {
    const does = crypto.subtle[name].bind(crypto.subtle);
    const asked = words => JSON.stringify(words, (_, each) => each instanceof Uint8Array ? undefined : each);
    crypto.subtle[name] = (...words) => /X25519|Ed25519/.test(asked(words))
        ? Promise.reject(new DOMException("Unrecognized name.", "NotSupportedError")) : does(...words);
}"""
"""A browser of before 2025, as it answers whoever asks it for keys of these kinds."""


def test_a_browser_that_lacks_x25519_is_told_the_command_and_seals_all_the_same(
    played: Played, chromium: Any
) -> None:
    context = chromium.new_context()
    context.add_init_script(OLD)
    page = context.new_page()
    page.goto(f"{played.site.address}letters/")
    page.evaluate("new Promise(done => setTimeout(done, 0))")
    assert page.locator(".nomic-unsealed").is_visible()
    assert "know X25519 and Ed25519" in (said := page.inner_text(".nomic-unsealed"))
    assert "nomicgit letters" in said
    assert page.locator(".nomic-letters").is_hidden()
    page.goto(f"{played.site.address}act/")
    _is(page, "dee")
    blank = Order.read(sealed(page), ordering.sealer_of(Game.open(played.folder)).identity)
    assert (blank.by, blank.action) == ("dee", ordering.BLANK)
    context.close()


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=DEEP), "dark"])
def test_words_of_links_and_buttons_are_read_in_both_themes(
    played: Played, chromium: Any, scheme: str, request: pytest.FixtureRequest
) -> None:
    """Of the pages that seal, and of one of three kinds of others; in the deep profile of all."""
    context = chromium.new_context(color_scheme=scheme, bypass_csp=True)
    page, measured, wrong = context.new_page(), 0, []
    for uri in (*(KINDS if is_deep(request.config) else KINDS[::3]), *SEALING):
        page.goto(played.site.address + uri)
        assert page.locator("body").get_attribute("data-md-color-scheme") == SCHEMES[scheme]
        page.evaluate(SHOWN)
        kinds, hard = contrast.of_links_and_buttons(page)
        measured += kinds
        wrong += [f"{uri}: {each}" for each in hard]
        if uri in SEALING:
            page.evaluate(AXE.read_text())
            wrong += [each["id"] for each in page.evaluate("axe.run().then(judged => judged.violations)")]
    context.close()
    assert wrong == []
    assert measured > 40


def test_the_scripts_are_small_and_the_library_is_the_one_that_is_told() -> None:
    made = private.files()
    scripts = [text for uri, text in (made | letters.scripts()).items() if uri.endswith(".js")]
    assert sum(len(gzip.compress(text.encode())) for text in scripts) <= 60 << 10
    digest = sha256(made[private.AGE].encode()).hexdigest()
    for told in (private.read("assets/README.md"), (TESTS.parent / "docs/secrets.md").read_text()):
        assert digest in told


def test_for_whom_shares_of_the_key_lie_is_named_among_those_who_can_read(played: Played) -> None:
    game = Game.open(played.folder)
    commit = game.repository.lone({"cy.age": b"x", "eli.age": b"y", "stranger.age": b"z"}, "Shares")

    def said() -> str:
        return str(next(private.pages(Look.at_time(game, game.last()))).lead)

    assert "shares" not in said()
    subprocess.run(["git", "-C", str(played.folder), "update-ref", "refs/heads/shares", commit], check=True)
    assert "shares of the key lie there for cy, eli: as many of them together" in said()
    subprocess.run(["git", "-C", str(played.folder), "update-ref", "-d", "refs/heads/shares"], check=True)


ELSEWHERE = """async () => {
    const refused = [];
    document.addEventListener("securitypolicyviolation", each => refused.push(each.effectiveDirective));
    const script = document.createElement("script");
    script.textContent = "window.hit = 1";
    document.body.append(script);
    await fetch("http://127.0.0.1:9/").catch(() => null);
    const own = await fetch(location.href);
    return [refused.sort(), window.hit === undefined, own.ok];
}"""


@pytest.mark.parametrize("uri", SEALING)
def test_a_private_page_runs_no_script_but_the_sites_and_asks_nobody_else(
    played: Played, chromium: Any, uri: str
) -> None:
    """What came in anyhow sends nothing that somebody fills in there, or reads, to anybody."""
    context = chromium.new_context()
    page = context.new_page()
    page.goto(played.site.address + uri)
    assert page.evaluate(ELSEWHERE) == [["connect-src", "script-src-elem"], True, True]
    context.close()


def _is(page: Any, player: str) -> None:
    place = page.get_by_label("You are")
    place.fill(player) if place.evaluate("each => each.tagName") == "INPUT" else place.select_option(player)


def _put(place: Any, value: object) -> None:
    if place.evaluate("each => each.tagName") == "SELECT":
        place.select_option(json.dumps(value))
    else:
        place.fill(value if isinstance(value, str) else json.dumps(value))


def _unsealed(page: Any, field: str, text: str) -> str:
    """What a page says of an order that it does not seal with this in a field."""
    page.locator(field).fill(text)
    page.get_by_role("button", name="Seal").press("Enter")
    note = page.locator(".nomic-unsealed")
    note.wait_for(state="visible")
    return str(note.inner_text())


def _shown(*words: str) -> str:
    done = ran("nomicgit", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout
