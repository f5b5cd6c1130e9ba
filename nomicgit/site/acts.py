"""What can be done: every action that the rules in force declare."""

from __future__ import annotations

from markupsafe import Markup

from nomicgit.declarations import Action
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
        found = [_row(scribe, action) for action in actions if action.section == name]
        if found:
            table = markup.table(["Action", "What it does", "Who", "With", "Limit", "Rule"], found)
            sections.append(Section(f"section-{number}", section_title(name), table))
    return Page(URI, "Actions", how(look), tuple(sections), listed=True)


def how(look: Look) -> Markup:
    """How one acts."""
    steps = [
        markup.joined(("Clone the repository and say who you are: ", markup.code("nomicgit me NAME"), ".")),
        markup.joined(("See what you may do now, and why not: ", markup.code("nomicgit actions"), ".")),
        markup.joined(("Do it: ", markup.code("nomicgit act ACTION"), ", with what the action asks for.")),
    ]
    forge = look.game.settings.forge
    if forge:
        steps.append(
            markup.escaped("Or use the game's forge: pull requests, comments and issue forms become deeds.")
        )
    return markup.tag("ol", *(markup.tag("li", step) for step in steps))


def _row(scribe: Scribe, action: Action) -> list[object]:
    who = ", ".join(
        scribe.look.term(by) if by in ("player", "emperor") else by.rpartition("__")[2].strip("_")
        for by in action.by
    )
    given = markup.joined((markup.code(name) for name in action.parameters), ", ")
    return [
        markup.code(action.name),
        action.summary,
        who.replace("_", " "),
        given,
        action.limit,
        scribe.rule(action.rule),
    ]
