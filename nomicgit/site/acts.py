"""What can be done: every action that the rules in force declare, by whom, how, and with a form where the game has some."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from itertools import islice

from markupsafe import Markup

from nomicgit.ground import files
from nomicgit.ground.missing import TO_HAVE, to_install
from nomicgit.law.declarations import Action
from nomicgit.law.variables import ANY, MISSING, Type
from nomicgit.outlook.commanded import besides, command
from nomicgit.physics.deeds import acting, petitions
from nomicgit.physics.deeds.petitions import Petition
from nomicgit.record import forms
from nomicgit.record.forms import examples
from nomicgit.record.forms.conditions import cost, often
from nomicgit.site import markup, private, scores
from nomicgit.site.lawbook import section_title
from nomicgit.site.onlooking import Look
from nomicgit.site.page import Page, Section
from nomicgit.site.scribe import Scribe

URI = "actions.md"
SEALED = "Sealed: only the keeper can say"
ANSWERERS = 8  # names of those who may answer
LONGEST = 60  # letters of the words among which one chooses
TAKEN = {
    "text": "a text", "boolean": "yes or no", "matter": "a pending matter", "datetime": "a time", "date": "a day",
    "list": "a list", "set": "a list", "record": "its fields",
    "entry": "an action and what it needs", "any": "anything", "mechanics": "mechanics",
}  # fmt: skip
"""What parameters take, by their types."""


def page(look: Look) -> Page:
    """All actions, by the section of the ruleset that declares them."""
    scribe, actions = Scribe(look, URI), listed(look)
    sections = []
    for number, name in look.world.ruleset.sections:
        rows = [_row(scribe, a) for a in actions if a.section == name]
        if rows:
            table = markup.table(
                ["Action", "What it does", "Who", "How", "Rule"],
                rows,
                sortable=True,
                label=section_title(name),
                wide=True,
            )
            sections.append(Section(f"section-{number}", section_title(name), table))
    sealed = [a for a in look.world.law.declared.actions.values() if a not in actions]
    if sealed:
        sections.append(Section("sealed", "Not in this game", _sealed(scribe, sealed)))
    clone = markup.tag("p", "Or in a clone:") if forge(look) else markup.NOTHING
    if closed := _closed(look, actions):
        sections.append(Section("closed", "Closed now", closed))
    lead = markup.joined((there(look), clone, how(look)))
    return Page(URI, "Actions", lead, tuple(sections), listed=True)


def listed(look: Look) -> list[Action]:
    """Every action that the rules in force declare and this game knows how to carry out."""
    actions = look.world.law.declared.actions.values()
    return [action for action in actions if not acting.sealed(look.world, action)]


def _closed(look: Look, actions: Sequence[Action]) -> Markup:
    """What nobody may do now, by the reasons, the one that closes most first."""
    reasons = look.closed()
    some = [action for action in actions if action.name in reasons]
    by_reason: dict[str, list[Markup]] = {}
    for action in some:
        by_reason.setdefault(reasons[action.name], []).append(markup.code(action.name))
    lines = sorted(by_reason.items(), key=lambda each: -len(each[1]))
    sealed = [markup.code(action.name) for action in actions if action.name in look.sealed()]
    if sealed:
        lines.append((f"{SEALED} whether these are open", sealed))
    said = f"{len(some)} of these {len(actions)} actions are closed to everybody now, each for the reason that stands behind it:"
    shown = markup.listed(
        markup.joined((markup.joined(names, ", "), ": ", markup.timed(why))) for why, names in lines
    )
    return markup.joined((markup.tag("p", said), shown)) if lines else markup.NOTHING


def _sealed(scribe: Scribe, actions: Sequence[Action]) -> Markup:
    """What this game always refuses, and why."""
    why = "These are private, and this game has no keys, so nothing secret can be kept in it."
    rows = ([markup.code(each.name), each.summary, scribe.rule(each.rule)] for each in actions)
    head = ["Action", "What it does", "Rule"]
    table = markup.table(head, rows, sortable=True, label="Actions that need secrets")
    return markup.joined((markup.tag("p", why), table))


def how(look: Look) -> Markup:
    """How one acts in a clone, with this program."""
    where, _, command = to_install(keys=look.game.tree.has_keys).partition(": ")
    steps = [
        markup.joined((TO_HAVE, f" {where}: ", markup.code(command))),
        markup.joined(("Clone the repository and say who you are: ", markup.code("nomicgit me NAME"), ".")),
        markup.joined(("See what you may do now, and why not: ", markup.code("nomicgit actions"), ".")),
        markup.joined(("Do it: ", markup.code("nomicgit act ACTION"), ", with what the action asks for.")),
    ]
    return markup.tag("ol", *(markup.tag("li", step) for step in steps))


def there(look: Look) -> Markup:
    """How one acts without any program, where the game lives on a forge; nothing where it lives in clones only."""
    place = forms.forge_of(look.game.settings.forge)
    if place is None:
        return markup.NOTHING
    first = markup.tag("p", "On GitHub, with an account there and without any program:")
    return markup.joined((first, markup.listed(_there(look, place))))


def _there(look: Look, place: forms.Forge) -> Iterator[Markup]:
    """What one does on the forge, the first things first."""
    declared, code = look.world.law.declared.actions, markup.code

    def link(words: str, path: str) -> Markup:
        return markup.tag("a", words, href=f"{place.address}/{path}", rel="noopener")

    if "join" in declared:
        yield markup.joined(
            ("Join: ", link("open an issue", "issues/new"), " that says ", code("/join"), ".")
        )
    if "vote" in declared:
        yield markup.joined(("Vote: ", ballot(declared["vote"]), "."))
    yield markup.joined(
        (
            "Act: ",
            link("fill in a form", "issues/new/choose"),
            ", or write ",
            code("/act ACTION"),
            " in a comment, with what the action asks for.",
        )
    )
    if "propose" in declared:
        edit = link("edit a rule", "tree/HEAD/game/ruleset")
        yield markup.joined(("Propose: ", edit, " and send a pull request."))
    yield markup.joined(
        (
            "From a phone: GitHub's own app shows no forms. A comment, or an issue, that says ",
            code("/act ACTION"),
            " does the same; ",
            code("/help"),
            " tells what can be said.",
        )
    )


def ballot(vote: Action) -> Markup:
    """How one votes on a forge: a review where the law has the votes that it stands for, a comment, by number."""
    kind = vote.parameters.get("icon")
    icons = [str(icon) for icon in kind.choices] if kind is not None else []
    reviewed = {"for", "against"} <= set(icons)
    review = "review the pull request (Approve is FOR, Request changes is AGAINST), or " if reviewed else ""
    first = icons[0] if icons else "ICON"
    return markup.joined(
        (
            review,
            "comment ",
            markup.code(f":{first}:"),
            " under the matter; or, wherever it stands, ",
            markup.code(f"/vote NUMBER {first}"),
            " in any comment",
        )
    )


def elsewhere(look: Look, number: int) -> Markup | None:
    """How one votes on the forge on a matter that has no thread there; None where there is no forge, or a thread is."""
    place = forms.forge_of(look.game.settings.forge)
    vote = look.world.law.declared.actions.get("vote")
    if place is None or vote is None or thread(look, number) is not None:
        return None
    address = f"{place.address}/issues/new?title=Vote%20on%20post%20{number}&body=%2Fvote%20{number}%20"
    kind = vote.parameters.get("icon")
    icon = str(kind.choices[0]) if kind is not None and kind.choices else "ICON"
    issue = markup.tag("a", "a new issue", href=address, rel="noopener")
    return markup.joined((markup.code(f"/vote {number} {icon}"), " in any comment on GitHub, or in ", issue))


def forge(look: Look) -> str | None:
    """The address of the repository where the game lives; None where it lives in clones only."""
    place = forms.forge_of(look.game.settings.forge)
    return place.address if place else None


def thread(look: Look, number: int) -> str | None:
    """The address of the thread of a post on the forge: its pull request, or issue; None where it has none there."""
    place = forms.forge_of(look.game.settings.forge)
    return place.thread(look.world.store.fields(f"posts/{number}") or {}) if place else None


def form(look: Look, action: Action, **filled: str) -> str | None:
    """The address of the filled-in form of an action; None where there is none."""
    address, file = forge(look), forms.file_of(action.name)
    if address is None or look.game.repository.entry(look.game.head.tree, forms.FOLDER + file) is None:
        return None
    query = "&".join(f"{key}={value}" for key, value in {"template": file, **filled}.items())
    return f"{address}/issues/new?{query}"


def example(action: Action) -> str:
    """The command that does it; what is to be filled in stands there in capitals."""
    return command(action, {name: _blank(name) for name in _needed(action)}, str)


def _blank(name: str) -> str:
    return name.replace("_", "-").upper()


def _said(action: Action) -> Markup:
    """What one says on a forge to do it."""
    said = " ".join(
        ["/act", action.name, *(f"{name.replace('_', '-')}={_blank(name)}" for name in _needed(action))]
    )
    return markup.joined((markup.code(said), " in a comment"))


def _needed(action: Action) -> Iterator[str]:
    """The parameters that cannot be left out."""
    return (name for name, kind in action.parameters.items() if kind.required)


def spare(scribe: Scribe, action: Action) -> Iterator[Markup]:
    """What may be said besides what must be, as the ways that are shown take it; nothing where there is nothing such."""
    behind, line = besides(action, _blank)
    more = [markup.joined(map(markup.code, behind), ", ")] if behind else []
    if line:
        more.append(markup.code(line))
    if more:
        yield markup.joined(("more if you like: ", markup.joined(more, "; or ")))
    names = [name for name, kind in action.parameters.items() if not kind.required]
    if names and action.name != "vote" and _in_comments(scribe.look, action):
        said = (markup.code(f"{name.replace('_', '-')}={_blank(name)}") for name in names)
        yield markup.joined(("in the comment: ", markup.joined(said, ", ")))


def _in_comments(look: Look, action: Action) -> bool:
    """Whether an action is shown as it is said in a comment."""
    return forge(look) is not None and form(look, action) is None and not action.private


def doing(scribe: Scribe, action: Action) -> Markup:
    """How one does it: by a form, in private by a page that seals, in a comment on a forge; by a command."""
    address = form(scribe.look, action)
    ways = [markup.tag("a", "form", href=address, rel="noopener")] if address else []
    if private.keeps_secrets(scribe.look) and action.private:
        ways.append(scribe.link("sealed", private.uri_of(action)))
    elif _in_comments(scribe.look, action):
        said = ballot(action) if action.name == "vote" else _said(action)
        ways.append(markup.joined((said, "; in a clone:")))
    return markup.joined((*ways, markup.code(example(action))), " ")


def asked(scribe: Scribe, petition: Petition) -> Markup:
    """Who waits for somebody's answer, and how it is given."""
    given = " ".join(f"{name}={value}" for name, value in petition.given.items())
    said = f"/act {petition.answer} {given}"
    look = scribe.look
    roles = " or ".join(look.role(by) for by in look.world.law.declared.actions[petition.answer].by)
    some = [
        scribe.player(f"players/{each}")
        for each in islice(petitions.answerers(look.world, petition), ANSWERERS)
    ]
    words = markup.joined(
        (
            markup.tag("strong", petition.who),
            f" has asked to {petition.spoken}, and waits for an answer by whoever is ",
            markup.joined((roles, " (", markup.joined(some, ", "), ")")) if some else roles,
            ": ",
            markup.code(f"nomicgit act {petition.answer} {given}"),
            markup.joined((", or in a comment ", markup.code(said))) if forge(scribe.look) else "",
        )
    )
    return markup.tag("p", words, class_="nomic-asked")


def _row(scribe: Scribe, action: Action) -> list[object]:
    look = scribe.look
    price, why = cost(look.world.law, action), look.closed().get(action.name)
    declared = look.world.law.declared.limits.get(action.limit)
    limit = often(declared) if declared else action.limit
    more = spare(scribe, action) if example(action).startswith(f"nomicgit {action.name}") else ()
    lines = (
        action.summary,
        f"Limit: {limit}." if limit else "",
        f"Cost: {price}" if price else "",
        markup.timed(f"Closed now: {why}.") if why else "",
        f"{SEALED} whether it is open." if action.name in look.sealed() else "",
        _secretly(action),
    )
    return [
        markup.code(action.name),
        markup.joined(filter(None, lines), markup.BREAK),
        " or ".join(look.role(by) for by in action.by),
        markup.joined((doing(scribe, action), *more, *_parameters(look, action)), markup.BREAK),
        scribe.rule(action.rule),
    ]


def _secretly(action: Action) -> str:
    """How an action is done of which something is private, in a game that keeps secrets."""
    match action.private:
        case True:
            return "In private, as an order."
        case str(condition):
            return f"In private, as an order, with {condition.replace('_', '-')}."
        case tuple(names):
            return f"As an order: {', '.join(name.replace('_', '-') for name in names)} stay private."
    return ""


def _parameters(look: Look, action: Action) -> Iterator[Markup]:
    for name, kind in action.parameters.items():
        yield markup.joined(
            (
                markup.code(name.replace("_", "-")),
                ": ",
                _takes(look, kind),
                *_written(look, name, kind),
                "" if kind.required else "; may be left out",
            )
        )


def _written(look: Look, name: str, kind: Type) -> Iterator[Markup]:
    """How a map is written, by an example."""
    keys, values = kind.keys or ANY, kind.values or ANY
    if kind.kind == "map":
        listed = examples.by_law(look.world.law)
        key, value = (examples.such(name, each, listed) for each in (keys, values))
        shown = {"NAME" if key is MISSING else str(key): "VALUE" if value is MISSING else value or 1}
        said = f"{name.replace('_', '-')}={files.write_flow(shown)}"
        yield markup.joined((", such as ", markup.code(shlex.quote(said))))


def _takes(look: Look, kind: Type) -> str:
    """What a parameter takes, in a few words."""
    if kind.choices:
        choices = ", ".join(map(str, kind.choices))
        return f"one of {choices}" if len(choices) <= LONGEST else "one of several words"
    declared = look.world.law.declared
    match kind.kind:
        case "list" | "set" if kind.items:
            return "several, each " + _takes(look, kind.items)
        case "map":
            keys = _takes(look, kind.keys) if kind.keys else "a name"
            return f"{keys}, each with {_takes(look, kind.values) if kind.values else 'a value'}"
        case "integer" | "number":
            return " ".join(
                ("a whole number" if kind.step is None else "a number", scores.ranging(kind))
            ).rstrip()
        case "player":
            return f"one of the {look.term('players')}"
        case name if name in declared.collections or name in declared.catalogues:
            return f"one of the {name.replace('_', ' ').replace('-', ' ')}"
    return TAKEN.get(kind.kind, f"a {kind.kind}")
