"""What can be done: every action that the rules in force declare, by whom, how, and with a form where the game has some."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from nomicgit.law.declarations import Action
from nomicgit.law.variables import MISSING, Type
from nomicgit.physics.deeds import acting
from nomicgit.physics.state.quoting import cost
from nomicgit.record import forms
from nomicgit.site import markup
from nomicgit.site.lawbook import section_title
from nomicgit.site.page import Page, Section
from nomicgit.site.scribe import Look, Scribe

URI = "actions.md"


def page(look: Look) -> Page:
    """All actions, by the section of the ruleset that declares them."""
    scribe, actions = Scribe(look, URI), look.world.law.declared.actions.values()
    sections = []
    for number, name in look.world.ruleset.sections:
        found = [_row(scribe, a) for a in actions if a.section == name and not acting.sealed(look.world, a)]
        if found:
            table = markup.table(
                ["Action", "What it does", "Who", "With", "Limit", "How", "Rule"],
                found,
                sortable=True,
                label=section_title(name),
            )
            sections.append(Section(f"section-{number}", section_title(name), table))
    sealed = [action for action in actions if acting.sealed(look.world, action)]
    if sealed:
        sections.append(Section("sealed", "Not in this game", _sealed(scribe, sealed)))
    return Page(URI, "Actions", how(look), tuple(sections), listed=True)


def _sealed(scribe: Scribe, actions: Sequence[Action]) -> Markup:
    """What this game always refuses, and why."""
    why = "These are private, and this game has no sealed storage yet, so nothing secret can be kept in it."
    rows = ([markup.code(each.name), each.summary, scribe.rule(each.rule)] for each in actions)
    head = ["Action", "What it does", "Rule"]
    table = markup.table(head, rows, sortable=True, label="Actions that need secrets")
    return markup.joined((markup.tag("p", why), table))


def how(look: Look) -> Markup:
    """How one acts."""
    steps = [
        markup.joined(("Clone the repository and say who you are: ", markup.code("nomicgit me NAME"), ".")),
        markup.joined(("See what you may do now, and why not: ", markup.code("nomicgit actions"), ".")),
        markup.joined(("Do it: ", markup.code("nomicgit act ACTION"), ", with what the action asks for.")),
    ]
    address = forge(look)
    if address:
        link = markup.tag("a", "where the game lives on GitHub", href=address, rel="noopener")
        steps.append(
            markup.joined(
                ("Or without any program, ", link, ": pull requests, comments and issue forms become deeds.")
            )
        )
    return markup.tag("ol", *(markup.tag("li", step) for step in steps))


def forge(look: Look) -> str | None:
    """The address of the repository where the game lives; None where it lives in clones only."""
    found = forms.forge_of(look.game.settings.forge)
    return found.address if found else None


def form(look: Look, action: Action, **filled: str) -> str | None:
    """The address of the filled-in form of an action; None where there is none."""
    address, file = forge(look), forms.file_of(action.name)
    if address is None or look.game.repository.entry(look.game.head.tree, forms.FOLDER + file) is None:
        return None
    query = "&".join(f"{key}={value}" for key, value in {"template": file, **filled}.items())
    return f"{address}/issues/new?{query}"


def example(action: Action) -> str:
    """The command that does it, its parameters to be filled in."""
    needed = (
        name for name, kind in action.parameters.items() if kind.default is MISSING and not kind.default_by
    )
    return " ".join(["nomicgit act", action.name, *(f"{name}=…" for name in needed)])


def doing(look: Look, action: Action) -> Markup:
    """How one does it: by a form, by a command."""
    address = form(look, action)
    command = markup.code(example(action))
    return (
        markup.joined((markup.tag("a", "form", href=address, rel="noopener"), " ", command))
        if address
        else command
    )


def _row(scribe: Scribe, action: Action) -> list[object]:
    look = scribe.look
    limit: object = action.limit or markup.nothing()
    price = cost(look.world.law, action)
    found = look.world.law.declared.limits.get(action.limit)
    if found:
        limit = found.often
    return [
        markup.code(action.name),
        markup.joined((action.summary, f"Cost: {price}" if price else ""), markup.BREAK if price else ""),
        " or ".join(look.role(by) for by in action.by),
        markup.joined(_parameters(action), markup.BREAK),
        limit,
        doing(look, action),
        scribe.rule(action.rule),
    ]


def _parameters(action: Action) -> Iterator[Markup]:
    for name, kind in action.parameters.items():
        yield markup.joined((markup.code(name), " ", _kind(kind)))


def _kind(kind: Type) -> str:
    if kind.choices:
        told = ", ".join(map(str, kind.choices))
        return f"one of {told}" if len(told) <= 60 else "one of several"
    return f"list of {kind.items.kind}" if kind.kind == "list" and kind.items else kind.kind
