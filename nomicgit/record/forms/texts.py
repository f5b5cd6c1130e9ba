"""The files of the forms: for each action that has one, and the forge's own file of choices beside them. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from nomicgit.ground import files
from nomicgit.ground.problems import printable
from nomicgit.law.declarations import Action
from nomicgit.law.law import Law
from nomicgit.law.variables import ENTITIES, MISSING, Missing, Type
from nomicgit.record.forms.conditions import called, cost, often
from nomicgit.record.forms.examples import NAME, by_law, such, words
from nomicgit.record.forms.fields import (
    FILE_OF_CHOICES,
    FIRST,
    FIRST_LABEL,
    Control,
    Field,
    fields,
    file_of,
    has_form,
    readable,
)
from nomicgit.record.forms.forge import Forge

FOLDER = ".github/ISSUE_TEMPLATE/"
MANY = 300
"""Letters of a form's name, of a label's explanation: what is longer is cut."""
SUMMARY = 60
LONGEST_EXAMPLE = 160
SHAPES = {
    "list": "a list, as `[ONE, OTHER]`",
    "set": "a list, as `[ONE, OTHER]`",
    "map": "a map, as `{NAME: VALUE}`",
    "any": "a number, true, false, null, or words as they stand; a list as `[1, 2]`, a map as `{gold: 3}`",
}
"""How values are written of which no example is known, as Markdown."""
_MARKS = re.compile(r"([\\`*_\[\]<>&|~$])")
_SAID = frozenset({"summary", "by", "idle", "with", "limit", "tags", "private", "form", "cost"})
WRITTEN = "# Written by nomicgit from the rules, with every deed that changes one: an edit here is undone by the next.\n"


@lru_cache(
    maxsize=4
)  # a deed that changes the law asks for the old ones too, which are those of the deed before
def texts(law: Law, forge: Forge) -> Mapping[str, bytes]:
    """Every file of the forms of a law, by its path."""
    by_path = {FOLDER + FILE_OF_CHOICES: _written(_choices(forge))}
    for action in law.declared.actions.values():
        if has_form(action):
            by_path[FOLDER + file_of(action.name)] = _written(_form(action, law, forge))
    return MappingProxyType(by_path)


def _written(value: dict[str, Any]) -> bytes:
    return (WRITTEN + files.write(value)).encode()


def _choices(forge: Forge) -> dict[str, object]:
    """What one is offered beside the forms; and issues without one, for the forge's own app on a phone shows no forms."""
    links = [
        ("How things stand", forge.site, "The rules, the gamestate, what is pending, and what you may do."),
        (
            "Propose a change of the rules",
            f"{forge.address}/tree/HEAD/game/ruleset",
            "Edit a rule and send a pull request: that is a proposal.",
        ),
        (
            "How one plays, from a phone too",
            f"{forge.site}actions/",
            "GitHub's own app shows no forms: there open an issue, or write a comment, that says /join or /help.",
        ),
    ]
    return {
        "blank_issues_enabled": True,
        "contact_links": [{"name": name, "url": url, "about": about} for name, url, about in links],
    }


def _form(action: Action, law: Law, forge: Forge) -> dict[str, object]:
    summary = printable(" ".join(action.summary.split()) or action.name, SUMMARY)
    first = {
        "type": Control.CHOICE.value,
        "id": FIRST,
        "attributes": {"label": FIRST_LABEL, "options": [action.name], "default": 0},
        "validations": {"required": True},
    }
    body: list[dict[str, Any]] = [
        {"type": "markdown", "attributes": {"value": _told(action, law, forge)}},
        first,
    ]
    body += [_element(field, law) for field in fields(action, law.declared)]
    return {
        "name": f"{summary} ({action.name})",
        "description": _offered(action, law),
        "title": action.name,
        "body": body,
    }


def _offered(action: Action, law: Law) -> str:
    """What one reads of an action where the forms are offered."""
    limit = law.declared.limits.get(action.limit)
    return printable(f"Who may: {_who(action, law)}" + (f"; {often(limit)}" if limit else ""), MANY)


def _told(action: Action, law: Law, forge: Forge) -> str:
    """What an action does, who may, how often, what else the law says of it, and by which rule."""
    placed = law.ruleset.by_slug[action.rule]
    rule = f"[{_plain(placed.title)}]({forge.site}rules/{action.rule}/)"
    lines = [f"**{_plain(action.summary or action.name)}**", "", f"- Who may: {_plain(_who(action, law))}"]
    lines += [f"- {_plain(key)}: {_plain(said)}" for key, said in _terms(action, law)]
    lines += [f"- The rule: {rule}", "", "What you send is public, and answered here."]
    return "\n".join(lines)


def _terms(action: Action, law: Law) -> Iterator[tuple[str, str]]:
    """How often an action may be done, what it costs, and whatever else its declaration says."""
    limit = law.declared.limits.get(action.limit)
    if limit is not None:
        yield "How often", often(limit)
    if price := cost(law, action):
        yield "Cost", price
    for key, value in action.attributes.items():
        if key not in _SAID and isinstance(value, str | int | float):
            words = " ".join(str(key).replace("_", " ").replace("-", " ").split())
            yield (
                words[:1].upper() + words[1:],
                {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value),
            )


def _who(action: Action, law: Law) -> str:
    roles = " or ".join(called(by, law.declared.terms) for by in action.by)
    return printable(roles + (", idle ones too" if action.idle else ""), MANY)


def _element(field: Field, law: Law) -> dict[str, Any]:
    """A field as the forge takes it."""
    attributes: dict[str, Any] = {"label": field.label}
    explained = _explained(field, law)
    if explained:
        attributes["description"] = printable(explained, MANY)
    match field.control:
        case Control.CHOICE:
            attributes |= {"options": list(field.options)} | ({"multiple": True} if field.several else {})
            chosen = _shown(field.kind)
            if chosen in field.options:
                attributes["default"] = field.options.index(chosen)
        case Control.LINE | Control.TEXT:
            shown = _shown(field.kind)
            attributes |= ({"value": shown} if shown else {}) | ({"render": field.code} if field.code else {})
    element = {"type": field.control.value, "id": field.name, "attributes": attributes}
    return element | ({"validations": {"required": True}} if field.required else {})


def _shown(kind: Type) -> str:
    """A default as a form shows it; nothing where there is none, or where it would be misread."""
    match kind.default:
        case bool():
            return "yes" if kind.default else "no"
        case int() | float():
            return str(kind.default)
        case str() if readable(kind.default) and printable(kind.default, MANY) == kind.default:
            return kind.default
        case _:
            return ""


def _explained(field: Field, law: Law) -> str:
    """What a field takes, as Markdown; nothing where its control says it."""
    if field.code == "yaml":
        return "; ".join(filter(None, (_shaped(field, law), _plain(_left(field)))))
    takes = ("any of them" if field.several else "") if field.options else _takes(field.kind, law)
    return "; ".join(_plain(words) for words in (takes, _left(field)) if words)


def _shaped(field: Field, law: Law) -> str:
    """How a value of more than a word is written, with an example where the declaration tells one, as Markdown."""
    value = such(field.name, field.kind, by_law(law))
    if isinstance(value, Missing):
        shape = SHAPES.get(field.kind.kind, SHAPES["map"])
        return shape if field.kind.kind == "any" else f"{shape}: what it takes, the rule says"
    written = files.write_flow(value)
    if len(written) > LONGEST_EXAMPLE or not written.isprintable() or "`" in written:
        return SHAPES.get(field.kind.kind, SHAPES["map"])
    whose = (
        f", where {NAME} is one of the {law.declared.terms.get('players') or 'players'}"
        if NAME in words(value)
        else ""
    )
    return f"such as `{written}`{_plain(whose)}"


def _left(field: Field) -> str:
    """What an optional field stands for that is left empty, where it does not show it."""
    default = field.kind.default
    shown = field.required or not default or default is MISSING or isinstance(default, str | int | float)
    return "" if shown else f"left empty: {files.write_flow(default)}"


def _takes(kind: Type, law: Law) -> str:
    """What values a type takes, in words."""
    match kind.kind:
        case "list" | "set":
            inner = _takes(kind.items, law) if kind.items else ""
            return "several, with commas between" + (f": each {inner}" if inner else "")
        case "integer" | "number":
            least = f" from {kind.minimum}" if kind.minimum is not None else ""
            most = f" up to {kind.maximum}" if kind.maximum is not None else ""
            return ("a whole number" if kind.step is None else f"a multiple of {kind.step}") + least + most
        case "datetime":
            return "a time, such as 2021-06-07T00:00:00Z"
        case "date":
            return "a day, such as 2021-06-07"
        case "boolean":
            return "yes or no"
        case "choice":
            return "one of " + ", ".join(map(str, kind.choices))
        case name if name in ENTITIES:
            return {
                "player": f"one of the {law.declared.terms.get('players') or 'players'}, by name",
                "post": "the number of a post",
                "matter": "the number of a pending matter",
                "rule": "the title of a rule",
                "deed": "the id of a deed, as the journal tells it",
            }[name]
        case name if name in law.declared.catalogues:
            return f"one of the {name}{_named(list(law.declared.catalogues[name]))}"
        case name if name in law.declared.collections:
            return f"one of the {name}{_named(law.declared.collections[name].grid)}"
        case _:
            return ""


def _named(keys: Sequence[str]) -> str:
    """Keys in words: all of them where they are few."""
    whole = ": " + ", ".join(keys)
    return (whole if len(whole) <= MANY // 2 else f": {keys[0]} to {keys[-1]}") if keys else ""


def _plain(text: str) -> str:
    """A text of the law, fit to stand in Markdown: on one line, and every mark shown as it is."""
    return _MARKS.sub(r"\\\1", printable(text, MANY))
