"""What is done in private: a page for each action, which seals in the reader's browser what they ask of the game.

What is sealed there is what ``nomicgit order`` makes: only whoever keeps the key reads it, and takes it. Source: ``docs/secrets.md``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from importlib import resources
from typing import Final

from markupsafe import Markup

from nomicgit.clones.secret import addresses
from nomicgit.law.declarations import Action
from nomicgit.physics.state import reading
from nomicgit.record.forms import ORDER, forge_of
from nomicgit.record.forms.conditions import cost, often
from nomicgit.site import beside, controls, markup
from nomicgit.site.onlooking import Look
from nomicgit.site.page import Page, Section, within
from nomicgit.site.scribe import Scribe

URI: Final = "act/index.md"
ME: Final = "me.md"  # where a reader says who they are
AGE, SCRIPT, LICENCE = "assets/age.js", "assets/orders.js", "assets/age.LICENSE.txt"
FORMS = "assets/forms.css"
SEALED: Final = "What you fill in is sealed on this page, before it goes anywhere"
BLANK = "blank"
_ASIDE = re.compile(r"^[ ]*(?://.*\n)?", re.MULTILINE)  # how far in a line stands, and one that is a remark
"""The action of an order that asks for nothing."""
KEEP = "nomicgit keep --order order.txt"


def keeps_secrets(look: Look) -> bool:
    """Whether a game takes orders."""
    return look.game.tree.has_keys


def uri_of(action: Action) -> str:
    """The page on which an action is sealed."""
    return within("act", action.name)


def pages(look: Look) -> Iterator[Page]:
    """A page of all that can be done in private, and one for each action; none in a game that keeps no secrets."""
    if not keeps_secrets(look):
        return
    actions = list(look.world.law.declared.actions.values())
    yield _all(look, actions)
    for action in actions:
        yield _of(look, action)


def files() -> dict[str, str]:
    """What these pages alone load, by place."""
    return {uri: read(uri) for uri in (AGE, SCRIPT, FORMS, LICENCE)}


def read(uri: str) -> str:
    """A file of the site's own; of a script without what is there for whoever reads its source: remarks, and how far in a line stands."""
    text = resources.files("nomicgit.site").joinpath(uri).read_text(encoding="utf-8")
    return _ASIDE.sub("", text) if uri.endswith(".js") and uri != AGE else text


def loading(scribe: Scribe, *scripts: str) -> Markup:
    """The elements that load the style of forms, and some scripts of the site's own, in order."""
    root = scribe.address("index.md")
    style = markup.tag("link", rel="stylesheet", href=root + FORMS)
    return style + markup.joined(markup.tag("script", src=root + uri, defer="") for uri in scripts)


def _all(look: Look, actions: list[Action]) -> Page:
    scribe = Scribe(look, URI)
    private = [action for action in actions if action.private]
    others = [action for action in actions if not action.private]
    lead = markup.joined((markup.tag("p", f"{SEALED}: {_keeper(look)}."), _answered(scribe)))
    nothing = markup.joined((
        markup.tag("p", "An order that asks for nothing looks like any other: it hides who had something to do."),
        _form(scribe, BLANK, markup.NOTHING, None, anyone=False),
    ))  # fmt: skip
    sections = (
        Section("private", "What is private", _listed(scribe, private)),
        Section("others", "What can be handed in as an order too", markup.joined((
            markup.tag(
                "p", "These actions are done in the open. Where one throws dice, or needs something secret, only the keeper can carry "
                "it out: hand it in here then, as an order.",
            ),
            _listed(scribe, others),
        ))),
        Section("nothing", "Nothing to do", nothing),
    )  # fmt: skip
    return Page(URI, "In private", lead, sections, listed=True)


def _listed(scribe: Scribe, actions: list[Action]) -> Markup:
    rows = (
        [
            scribe.link(markup.code(each.name), uri_of(each)),
            each.summary,
            " or ".join(map(scribe.look.role, each.by)),
            scribe.rule(each.rule),
        ]
        for each in actions
    )
    return markup.table(["Action", "What it does", "Who", "Rule"], rows, sortable=True, label="Orders")


def _of(look: Look, action: Action) -> Page:
    scribe = Scribe(look, uri_of(action))
    facts = [
        markup.joined(("Who may: ", " or ".join(map(look.role, action.by)))),
        markup.joined(("The rule: ", scribe.rule(action.rule))),
    ]
    limit = look.world.law.declared.limits.get(action.limit)
    if limit is not None:
        facts.append(markup.escaped(f"How often: {often(limit)}"))
    if price := cost(look.world.law, action):
        facts.append(markup.escaped(f"Cost: {price}"))
    if why := look.closed().get(action.name):
        facts.append(markup.timed(f"Closed now: {why}"))
    elif action.name in look.sealed():
        facts.append(markup.escaped("Only the keeper can say whether it is open now"))
    lead = (
        markup.tag("p", action.summary or action.name, "."),
        markup.listed(facts),
        markup.tag("p", f"{SEALED}: {_keeper(look)}. {_shown(action)}"),
        _answered(scribe),
    )
    fields = controls.fields(look, action.parameters)
    form = _form(scribe, action.name, fields, _openly(action), anyone="anyone" in action.by)
    order = Section("order", "Your order", form)
    title = f"In private: {action.name}" if action.private else f"As an order: {action.name}"
    return Page(scribe.uri, title, markup.joined(lead), (order,), searched=False)


def _keeper(look: Look) -> str:
    """Who reads what is sealed here."""
    keeper = look.game.terms[-1].keeper
    who = (
        "whoever runs this game's steward, and owns its repository," if keeper is None else look.name(keeper)
    )
    on_forge = keeper is not None and forge_of(look.game.settings.forge) is not None
    others = (
        "; where the steward on GitHub has the key, so can whoever owns the repository" if on_forge else ""
    )
    holders = [
        look.name(f"players/{each}")
        for each in sorted(beside.names(look.game.repository, beside.SHARES) or ())
        if f"players/{each}" in reading.roster(look.world, idle=True)
    ]
    if holders:
        others += f"; shares of the key lie there for {', '.join(holders)}: as many of them together as it takes can read it, too"
    return f"{who} can read it, and nobody else{others}"


def _shown(action: Action) -> str:
    """What everybody sees of it, once it is done."""
    said = "Once it is done, the journal shows everybody"
    match action.private:
        case bool(private):
            part = (
                "that something sealed was done, and what became public by it"
                if private
                else "all of it, with your name"
            )
            return f"{said} {part}."
        case str(condition):
            return f"{said} all of it, with your name, unless {_worded(condition)} is yes."
        case names:
            return f"{said} that you did it, and all that you fill in but {', '.join(map(_worded, names))}."


def _worded(name: str) -> str:
    return name.replace("_", " ")


def _openly(action: Action) -> str | None:
    """Unless what is filled in as yes an order is shown to everybody, once it is done: the name of that, "" for nothing; None
    where it is not shown, or not whole.
    """
    match action.private:
        case bool(private):
            return None if private else ""
        case str(condition):
            return None if action.parameters[condition].default else condition
    return None


def _answered(scribe: Scribe) -> Markup:
    """When an order is taken, and when its answer comes: to whom none does yet, since their mailbox waits or they have none."""
    game = scribe.look.game
    when = (
        f" Orders are taken {game.settings.orders}, counted from midnight UTC."
        if game.settings.orders
        else ""
    )
    first = (
        "the keeper's next round"
        if addresses.waits_for_no_first(game)
        else "72 hours after the keeper's next round"
    )
    if forge_of(game.settings.forge) is not None:
        first = f"at once where it was registered on GitHub and the steward has the key, else from {first}"
    else:
        first = f"from {first}"
    lead = markup.tag(
        "p", "Once the keeper has taken it, ", scribe.link("your letter", "letters.md"), " tells what came of it.", when,
    )  # fmt: skip
    said = markup.tag(
        "p", "Your letters come to your mailbox, which you make on the page where you read them. "
        f"To a first mailbox they come {first} on. "
        "To one that takes its place they come 72 hours after that round. "
        "To either they come at once where the keeper confirms that it is yours, and to one in the keeper's own name only then. "
        "No letter is lost while you wait.",
    )  # fmt: skip
    new = markup.folded("No mailbox yet, or a new one?", said)
    rows = waiting(scribe)
    return markup.joined((lead, markup.listed(rows), new))


def waiting(scribe: Scribe) -> list[Markup]:
    """Whose mailbox waits, and till when, and who has none."""
    game, rows = scribe.look.game, list[Markup]()
    for box in addresses.waiting(game, scribe.look.at):
        since = (
            markup.joined(("from ", markup.moment(box.begins), " on"))
            if box.begins is not None
            else "once the keeper has seen it, as said above"
        )
        former = ", and to the former one till then" if box.replaces else ""
        rows.append(
            markup.joined((scribe.look.name(box.player), ": letters come to the new mailbox ", since, former))
        )
    known = {name for name, _ in addresses.registered(game)}
    without = [name for name in game.tree.ids("players") if name not in known]
    if without:
        rows.append(
            markup.joined(("No mailbox, and so no letter yet: ", ", ".join(map(scribe.look.name, without))))
        )
    return rows


def _form(scribe: Scribe, action: str, fields: Markup, openly: str | None, *, anyone: bool) -> Markup:
    """The form of an order, where it is shown once it is sealed, and the scripts that seal it."""
    look = scribe.look
    term, place = look.game.terms[-1], forge_of(look.game.settings.forge)
    form = markup.tag(
        "form", _who(scribe, anyone=anyone), fields, markup.tag("button", "Seal", type="submit", class_="md-button"),
        class_="nomic-order", autocomplete="off", data_game=look.game.terms[0].since, data_term=str(term.number),
        data_recipient=term.public.recipient, data_action=action, hidden="", data_openly=openly,
        data_forge=f"{place.address}/issues/new?template={ORDER}" if place else None,
    )  # fmt: skip
    return markup.joined(
        (_without(look, action), form, _sealed(place is not None), loading(scribe, AGE, SCRIPT))
    )


def _who(scribe: Scribe, *, anyone: bool) -> Markup:
    """Who hands it in: a player; or where strangers may, whoever says their name."""
    parts = _named(scribe) if anyone else players(scribe, "order-by")
    return markup.tag("div", *parts, class_="nomic-field")


def players(scribe: Scribe, ident: str, others: Collection[str] = ()) -> tuple[Markup, Markup]:
    """A list of the players, of whom the reader says to be one, and its label. ``others``: ids that may be no player's now."""
    look = scribe.look
    roster = reading.roster(look.world, idle=True)
    refs = [*roster, *(ref for ref in sorted(f"players/{each}" for each in others) if ref not in roster)]
    rows = [markup.tag("option", look.name(ref), value=ref.partition("/")[2]) for ref in refs]
    control = markup.tag(
        "select",
        markup.tag("option", "–", value=""),
        *rows,
        id=ident,
        name="by",
        required="",
        data_me=scribe.address(ME),
    )
    return _you(ident), control


def _named(scribe: Scribe) -> tuple[Markup, Markup, Markup]:
    names = map(scribe.look.name, reading.roster(scribe.look.world, idle=True))
    known = markup.tag("datalist", *(markup.tag("option", each) for each in names), id="order-players")
    line = markup.tag(
        "input", id="order-by", name="by", list="order-players", required="", data_me=scribe.address(ME)
    )
    return _you("order-by"), line, known


def _you(ident: str) -> Markup:
    return markup.tag("label", "You are", for_=ident)


def _without(look: Look, action: str) -> Markup:
    """What stands here until the page's own script says otherwise: how it is done where none can."""
    command = "nomicgit order --blank" if action == BLANK else f"nomicgit order {action} …"
    said = (
        "This page seals in your browser, which must run scripts for it, and have the page by https or from its own machine. "
        "Without, in a clone: "
    )
    return markup.tag("p", said, markup.code(f"{command} --push"), ".", class_="nomic-banner nomic-unsealed")


def _sealed(on_forge: bool) -> Markup:
    """Where an order is shown that was sealed, and how it is handed in."""
    how: tuple[Markup, ...]
    if on_forge:
        link = markup.tag(
            "a", "Hand it in on GitHub", href="#", class_="nomic-hand-in md-button", rel="noopener"
        )
        how = (markup.tag("p", "It is sealed. Nobody learns from it what it says."), markup.tag("p", link))
    else:
        how = (
            markup.tag(
                "p", "It is sealed. Copy it into a file, ", markup.code("order.txt"), ", and give that to the keeper, who takes it: ",
                markup.code(KEEP), ".",
            ),
        )  # fmt: skip
    text = markup.tag(
        "textarea", id="order-sealed", rows="8", readonly="", class_="nomic-armour", spellcheck="false"
    )
    return markup.tag(
        "div", *how, markup.tag("label", "Sealed order", for_="order-sealed"), text,
        markup.tag("button", "Copy", type="button", class_="nomic-copy md-button"),
        class_="nomic-card nomic-sealed", role="region", aria_label="Sealed order", tabindex="-1", hidden="",
    )  # fmt: skip
