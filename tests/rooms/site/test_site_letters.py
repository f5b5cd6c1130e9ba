"""The page of letters in a real browser: a mailbox that stays there, and letters that nobody else opens.

Skipped where no Chromium is installed.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support.keyed import vault
from support.places import TESTS
from support.served import CHROMIUM, served
from support.visiting import KEPT, Comes, Visitor, founded, nomic, publish

from nomicgit.clones.secret import lettering
from nomicgit.record.game import Game
from nomicgit.record.secret import ordering
from nomicgit.sealing import letters

pytest.importorskip("pyrage")
pytest.importorskip("playwright.sync_api")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")]

AXE = TESTS / "vendor/axe/axe.min.js"
MARK = "by the well, at ten"
ODD = "first\nsecond \u202eturned\u202c\u200b"
"""Words on two lines, with marks that turn the direction of writing about, and one that nobody sees."""
LONG = "\n".join(f"verse {n}" for n in range(40))
SHUT_OUT = "IDBFactory.prototype.open = () => { throw new DOMException('not here', 'SecurityError') }"
"""What a browser does that lets a site keep nothing."""


def made(visitor: Visitor, name: str) -> str:
    """Make a mailbox in somebody's browser; gives what everybody may know of it."""
    visitor.open("letters/")
    visitor.page.get_by_label("You are").select_option(name)
    visitor.page.get_by_text("A mailbox in this browser").press("Enter")
    visitor.page.get_by_role("button", name="Make a mailbox here").press("Enter")
    card = visitor.page.locator(".nomic-mailbox")
    card.wait_for(state="visible")
    assert card.locator(".nomic-said").inner_text().endswith(f" --as {name}")
    return str(card.locator("code").first.inner_text())


def says_for(visitor: Visitor, folder: str) -> None:
    """Register the mailbox of a browser by the line that its page gives, in a clone that is somebody else's."""
    line = visitor.page.locator(".nomic-said").inner_text().split()
    assert line.pop(0) == "nomicgit"
    nomic("-C", folder, *line, "--at", "+1h")


def letter(visitor: Visitor, name: str) -> str:
    """What somebody reads on the page."""
    visitor.open("letters/")
    visitor.page.get_by_label("You are").select_option(name)
    visitor.page.get_by_role("button", name="Open my letter").press("Enter")
    visitor.page.locator(".nomic-letter h2").first.wait_for()
    return str(visitor.page.locator(".nomic-letter").inner_text())


def test_a_player_without_a_clone_reads_their_letter_and_nobody_elses(tmp_path: Path, visitor: Comes) -> None:
    game, folder, site = (
        founded(tmp_path, "assassin", "ana", "ben", "cy", "dee"),
        str(tmp_path / "game"),
        tmp_path / "site",
    )
    publish(game, site)
    with served(site) as there:
        dee, cy = visitor(there.address), visitor(there.address)
        boxes = {name: made(who, name) for name, who in (("dee", dee), ("cy", cy))}
        assert dee.page.locator(".nomic-letters .nomic-copy").is_visible(), "the line is copied by a button"
        dee.open("letters/")
        none_yet = dee.page.get_by_text("No letters lie on this site: the keeper has written none yet")
        assert none_yet.is_visible()
        assert "No letter lies here for you yet" in dee.page.locator(".nomic-letter-note").inner_text()
        says_for(dee, folder)
        says_for(cy, folder)
        nomic("-C", folder, "act", "--as", "ben", "tell", "to=dee", f"text={MARK}", "--at", "+1h")
        nomic("-C", folder, "act", "--as", "ana", "tell", "to=dee", f"text={ODD}", "--at", "+0h")
        nomic("-C", folder, "act", "--as", "ana", "tell", "to=dee", f"text={LONG}", "--at", "+0h")
        nomic("-C", folder, "act", "--as", "cy", "leave", "--at", "+1h")
        nomic("-C", folder, "keep")
        publish(game, site)
        assert MARK in letter(dee, "dee")
        assert none_yet.count() == 0
        assert re.search(r"No more letters .* no player since .* \(cy: leave\)", letter(cy, "cy"))
        assert "new" in dee.page.locator(".nomic-letter .nomic-mark").first.inner_text()
        _shows_it_as_it_was_said(dee)
        _folds_what_is_long(dee)
        early = (site / "letters/dee.age").read_bytes()
        assert MARK not in letter(cy, "cy")
        letter(dee, "dee")
        assert dee.page.locator(".nomic-letter .nomic-mark").count() == 0, "it was seen"
        dee.page.get_by_label("You are").select_option("ana")
        assert dee.page.locator(".nomic-letter").is_hidden(), "another player is named"
        assert MARK not in dee.page.locator("body").inner_html()
        nomic("-C", folder, "act", "--as", "ben", "tell", "to=dee", "text=Later", "--at", "+1h")
        nomic("-C", folder, "keep")
        publish(game, site)
        letter(dee, "dee")
        marked = dee.page.locator(".nomic-letter li:has(.nomic-mark)")
        assert ["Later" in each for each in marked.all_inner_texts()] == [True], "of lines, and not of deeds"
        newest = (site / "letters/dee.age").read_bytes()
        (site / "letters/dee.age").write_bytes(early)
        assert "it is older than the one that you have seen here" in _note(dee)
        (site / "letters/dee.age").write_bytes(_repeating(Game.open(folder), "dee"))
        assert letter(dee, "dee").count("Later (said 2 times)") == 1
        (site / "letters/dee.age").write_bytes(newest)
        dee.page.evaluate(AXE.read_text(encoding="utf-8"))
        judged = dee.page.evaluate("axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'best-practice']})")
        assert [(each["id"], [n["html"] for n in each["nodes"]]) for each in judged["violations"]] == []
        _keeps_its_own(dee, boxes["dee"], boxes["cy"])
        _keeps_its_own(cy, boxes["cy"], boxes["dee"])
        _refuses_others(dee, cy, site)
        assert made(dee, "dee") != boxes["dee"]
        assert MARK in letter(dee, "dee"), "the former mailbox is kept as long as letters go to it"
        assert dee.page.locator(".nomic-mailbox").is_visible(), "the new one waits to be registered"
        theirs = tmp_path / "theirs"
        subprocess.run(["git", "clone", "--quiet", folder, str(theirs)], check=True)
        says_for(dee, str(theirs))
        subprocess.run(["git", "-C", folder, "pull", "--quiet", "--ff-only", str(theirs), "main"], check=True)
        publish(game, site)
        dee.open("letters/")
        assert dee.page.get_by_text("dee: letters come to the new mailbox").is_visible()
        _tells_of_a_mailbox_in_ones_name(dee, site)
        _says_that_nothing_is_kept(visitor(there.address))
        _needs_a_server(visitor(site.as_uri() + "/"))
        assert dee.said + cy.said == [], "nor is a letter asked for that is not there"


def test_an_opened_letter_says_what_its_player_may_do_in_private(tmp_path: Path, visitor: Comes) -> None:
    """A werewolf's page lists what werewolves do, each with the way to where it is sealed; a villager's says why not."""
    players = ("ana", "ben", "cy", "dee", "eli")
    game, site = founded(tmp_path, "werewolf", *players), tmp_path / "site"
    nomic("-C", str(game), "act", "renew-werewolves", "--at", "+1h")
    secret = vault(Game.open(game))
    (wolf,) = (name for name in players if secret.get(f"players/{name}", {}).get("werewolf"))
    villager = next(name for name in players[1:] if name != wolf)
    publish(game, site)
    with served(site) as there:
        readers = {name: visitor(there.address) for name in (wolf, villager)}
        for name, reader in readers.items():
            made(reader, name)
            says_for(reader, str(game))
        nomic("-C", str(game), "keep")
        publish(game, site)
        texts = {name: letter(reader, name) for name, reader in readers.items()}
        assert "What you may do now" in texts[wolf]
        ways = {name: opened(reader) for name, reader in readers.items()}
        assert ways[wolf] >= {"howl", "target", "target-no-one", "tell"}
        assert ways[villager].isdisjoint({"howl", "target", "target-no-one"})
        assert "tell" in ways[villager]
        shut = readers[villager].page.locator(".nomic-letter details")
        shut.locator("summary").press("Enter")
        assert "target: you are no Werewolf" in shut.inner_text()
        for reader in readers.values():
            reader.page.evaluate(AXE.read_text(encoding="utf-8"))
            judged = reader.page.evaluate(
                "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'best-practice']})"
            )
            assert judged["violations"] == []
            assert [word for word in ("howl", "Werewolf") if word in str(reader.page.evaluate(KEPT))] == []
        readers[wolf].page.locator(".nomic-letter").get_by_role("link", name="target", exact=True).press(
            "Enter"
        )
        readers[wolf].page.get_by_role("button", name="Seal").wait_for()
        assert readers[wolf].page.url == there.address + "act/target/"


def opened(reader: Visitor) -> set[str]:
    """The actions that somebody's letter says are open, with a way to each."""
    listed: Any = reader.page.locator(".nomic-letter h2:has-text('What you may do now') ~ ul").first
    return set(listed.locator("a").all_inner_texts())


def _keeps_its_own(visitor: Visitor, own: str, other: str) -> None:
    """A browser holds its own mailbox, which cannot be taken out of it, and nothing that was opened."""
    kept = str(visitor.page.evaluate(KEPT))
    assert own in kept
    assert other not in kept
    assert MARK not in kept
    [found, *_] = json.loads(kept)
    assert [each["extractable"] for each in found if "extractable" in each] == [False]


def _needs_a_server(reader: Visitor) -> None:
    """In a folder the page says where letters are read, and offers no mailbox."""
    reader.open("letters/index.html")
    assert reader.page.get_by_text("Letters need a server").is_visible()
    assert reader.page.get_by_text("which must run scripts").is_hidden()
    assert reader.page.locator(".nomic-letters").is_hidden()
    assert reader.said == []


def _refuses_others(dee: Visitor, cy: Visitor, site: Path) -> None:
    """Another's letter does not open; nor one of one's own in which a bit is another."""
    letters = {name: site / "letters" / f"{name}.age" for name in ("dee", "cy")}
    mine = letters["dee"].read_bytes()
    letters["dee"].write_bytes(letters["cy"].read_bytes())
    assert "no mailbox of yours in this browser" in _note(dee)
    for place in (-20, 5):
        harmed = bytearray(mine)
        harmed[place] ^= 1
        letters["dee"].write_bytes(harmed)
        assert "it is damaged" in _note(dee)
    letters["dee"].write_bytes(mine)


def _repeating(game: Game, player: str) -> bytes:
    """A letter in which its keeper has the last line twice."""
    letter = json.loads(lettering.written(game)[player])
    letter["told"] += letter["told"][-1:]
    boxes = lettering.mailboxes(game, game.last())
    files = letters.packed({player: json.dumps(letter).encode()}, boxes, ordering.sealer_of(game).signature)
    return files[player]


def _shows_it_as_it_was_said(visitor: Visitor) -> None:
    """Lines stand below each other, nothing unseen or that turns words about is there, and what is repeated stands there once."""
    line = visitor.page.locator(".nomic-letter li", has_text="first")
    assert re.search(r"first\nsecond", text := str(line.inner_text()))
    assert not re.search("[\u202a-\u202e\u200b]", text)
    assert "turned" in text


def _folds_what_is_long(visitor: Visitor) -> None:
    """A message of forty lines stands behind its beginning, and buries nothing that comes after it."""
    fold = visitor.page.locator(".nomic-letter details", has=visitor.page.get_by_text("verse 39"))
    begins = fold.locator("summary")
    assert (begins.inner_text(), fold.get_by_text("verse 39").is_visible()) == ("verse 0 verse 1 …", False)
    begins.press("Enter")
    assert fold.get_by_text("verse 39").is_visible()
    begins.press("Enter")


def _tells_of_a_mailbox_in_ones_name(visitor: Visitor, site: Path) -> None:
    """Before the letter; and what is to be done about one that opens with no mailbox here hangs on it. A list that is none is told."""
    waits = visitor.page.get_by_text("A new mailbox waits in your name")
    visitor.page.get_by_label("You are").select_option("ben")
    visitor.page.get_by_role("button", name="Open my letter").press("Enter")
    visitor.page.locator(".nomic-letter-note:not([hidden])").wait_for()
    assert waits.is_hidden()
    letter(visitor, "dee")
    assert waits.is_visible()
    assert waits.bounding_box()["y"] < visitor.page.locator(".nomic-letter").bounding_box()["y"]
    mine = {name: (site / "letters" / name).read_bytes() for name in ("dee.age", "there.json")}
    (site / "letters/dee.age").write_bytes((site / "letters/cy.age").read_bytes())
    assert "A new one waits in your name, as said above" in _note(visitor)
    (site / "letters/there.json").write_text("{")
    note = _note(visitor)
    assert "the site's list of letters is damaged: whoever builds the site builds it anew" in note
    assert "JSON" not in note
    for name, data in mine.items():
        (site / "letters" / name).write_bytes(data)


def _says_that_nothing_is_kept(visitor: Visitor) -> None:
    visitor.page.add_init_script(SHUT_OUT)
    visitor.open("letters/")
    visitor.page.get_by_text("This browser keeps nothing of this site").wait_for()
    assert "or in a clone: nomicgit letters." in visitor.page.locator(".nomic-unsealed").inner_text()
    assert visitor.page.get_by_label("You are").is_hidden()


def _note(visitor: Visitor) -> str:
    visitor.open("letters/")
    note: Any = visitor.page.locator(".nomic-letter-note")
    visitor.page.locator(".nomic-letter-note:not([hidden])").wait_for()
    assert visitor.page.locator(".nomic-letter").is_hidden()
    return str(note.inner_text())
