"""Letters: a page on which a player makes a mailbox in their browser, and reads what the keeper writes to it.

The letters lie beside the page as they lie on the branch ``letters``, each encrypted to its player's mailbox: whoever
fetches another's has nothing of it. Source: ``docs/secrets.md``.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Final

from markupsafe import Markup

from nomicgit.clones.secret import addresses
from nomicgit.git import Repository
from nomicgit.record.forms import MAILBOX, forge_of
from nomicgit.site import beside, markup, private
from nomicgit.site.onlooking import Look
from nomicgit.site.page import Page
from nomicgit.site.scribe import Scribe

URI: Final = "letters.md"
SCRIPT: Final = "assets/letters.js"
THERE: Final = "letters/there.json"
"""To whom letters lie there, by id: no browser asks for one that is not."""
MOST: Final = 17 << 20
"""Bytes of a letter's file."""


def scripts() -> dict[str, str]:
    """What this page alone loads, by place, besides what those that seal do."""
    return {SCRIPT: private.read(SCRIPT)}


def files(repository: Repository) -> dict[str, bytes]:
    """The letters that lie in a clone, by their places in the site, and whose they are."""
    paths = beside.files(repository, beside.LETTERS) or {}
    whose = json.dumps(sorted(path.removesuffix(".age") for path in paths))
    letters = {f"letters/{path}": repository.blob(oid, limit=MOST) for path, oid in paths.items()}
    return letters | {THERE: whose.encode()}


def pages(look: Look) -> Iterator[Page]:
    """The page of letters; none in a game that keeps no secrets."""
    if not private.keeps_secrets(look):
        return
    scribe, there = Scribe(look, URI), beside.names(look.game.repository, beside.LETTERS)
    lead = (
        markup.tag(
            "p", "What you may do in private now, what you have been told, what became of your orders, and what you may see of the "
            "secrets. ",
            "It is written for you alone, and opened in your browser alone.",
        ),
        _without(),
        _in_folder(),
        _none_here() if there is None else markup.NOTHING,
        _letters(scribe, there or ()),
        _waiting(scribe),
        private.loading(scribe, private.AGE, SCRIPT),
    )  # fmt: skip
    yield Page(URI, "Your letters", markup.joined(lead), listed=True, searched=False)


def _without() -> Markup:
    said = (
        "This page opens letters in your browser, which must run scripts for it, have the page by https or from its own "
        "machine, and know X25519 and Ed25519, as those of today do. Without, in a clone: "
    )
    return markup.tag("p", said, markup.code("nomicgit letters"), ".", class_="nomic-banner nomic-unsealed")


def _in_folder() -> Markup:
    said = (
        "Letters need a server, for a browser fetches nothing from a folder: read yours where this site is served, or in a "
        "clone: "
    )
    return markup.tag(
        "p", said, markup.code("nomicgit letters"), ".", class_="nomic-banner nomic-in-folder", hidden=""
    )


def _none_here() -> Markup:
    said = (
        "No letters lie on this site: the keeper has written none yet, or it was built where the branch of letters was not "
        "fetched. Whoever builds it does that before: "
    )
    return markup.tag("p", said, markup.code("git fetch origin"), ".", class_="nomic-banner")


def _letters(scribe: Scribe, there: Collection[str]) -> Markup:
    """Who one is, how a mailbox is made and made known, and the place for the letter."""
    look = scribe.look
    term, place = look.game.terms[-1], forge_of(look.game.settings.forge)
    who = markup.tag("div", *private.players(scribe, "letters-by", there), class_="nomic-field")
    opening = markup.tag(
        "form", who, markup.tag("button", "Open my letter", type="submit", class_="md-button"),
        class_="nomic-open", autocomplete="off",
    )  # fmt: skip
    note = markup.tag("p", class_="nomic-banner nomic-letter-note", role="status", hidden="")
    letter = markup.tag("div", class_="nomic-letter", hidden="")
    return markup.tag(
        "div", opening, *_in_name(scribe), note, letter, _ways(scribe), _mailbox(on_forge=place is not None),
        class_="nomic-letters", hidden="", data_game=look.game.terms[0].since, data_signer=term.public.signer,
        data_forge=f"{place.address}/issues/new?template={MAILBOX}" if place else None,
    )  # fmt: skip


def _in_name(scribe: Scribe) -> Iterator[Markup]:
    """That a mailbox waits in a player's name, of which the page's script shows what concerns who asks."""
    for box in addresses.waiting(scribe.look.game, scribe.look.at):
        when = (
            markup.joined((" until ", markup.moment(box.begins)))
            if box.begins is not None
            else " for the keeper's round"
        )
        yield markup.tag(
            "p", "A new mailbox waits in your name", when, ". If it was not you who registered it, tell the keeper: somebody else has.",
            class_="nomic-banner nomic-in-name", hidden="", data_of=box.player,
        )  # fmt: skip


def _waiting(scribe: Scribe) -> Markup:
    """Whose mailbox waits: it may be somebody else's who took that name, so that each looks for theirs here; and who has none."""
    rows = private.waiting(scribe)
    if not rows:
        return markup.NOTHING
    why = "Does one wait in your name that you have not registered? Tell the keeper: somebody else has."
    return markup.joined(
        (markup.tag("h2", "Mailboxes that wait, and who has none"), markup.listed(rows), markup.tag("p", why))
    )


def _ways(scribe: Scribe) -> Markup:
    """Every action with the way to where it is sealed, of which the page's script shows those that a letter names."""
    actions = scribe.look.world.law.declared.actions.values()
    rows = (
        markup.tag(
            "li", scribe.link(markup.code(each.name), private.uri_of(each)),
            f"  {each.summary}" if each.summary else "", data_action=each.name,
        )
        for each in actions
    )  # fmt: skip
    return markup.tag("ul", *rows, class_="nomic-ways", hidden="")


def _mailbox(*, on_forge: bool) -> Markup:
    """A mailbox in this browser: how it is made, and how the game learns of it."""
    key = markup.code("")
    if on_forge:
        link = markup.tag("a", "Register it on GitHub", href="#", class_="md-button", rel="noopener")
        how = markup.tag("p", link)
    else:
        said = markup.tag("code", class_="nomic-said")
        button = markup.tag("button", "Copy", type="button", class_="nomic-copy md-button")
        how = markup.tag("p", "Whoever has a clone says it for you: ", said) + markup.tag("p", button)
    known = markup.tag("p", "Letters come to this browser once the game knows its mailbox: ", key)
    here = markup.tag(
        "div", known, how, class_="nomic-card nomic-mailbox", role="region", aria_label="Your mailbox", tabindex="-1",
        hidden="",
    )  # fmt: skip
    why = (
        "A mailbox is a key that stays in this browser, and cannot be taken out of it. On another device, or when the "
        "browser has forgotten it, make another, and register that. One that is here already stays beside it, and letters to "
        "either are opened. All your letters are written to the new one anew, once "
        "the keeper says that it is yours, or 72 hours later, so that nobody reads them in your name unseen."
    )
    button = markup.tag("button", "Make a mailbox here", type="button", class_="nomic-make md-button")
    return markup.joined((here, markup.folded("A mailbox in this browser", markup.tag("p", why), button)))
