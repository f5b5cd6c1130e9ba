"""Reading a filled-in form back: from the text of an issue to the parameters of an action. Strict, or refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from nomicgit.ground.problems import Malformed, Problem, Refused, printable, quoted
from nomicgit.law.declarations import Action
from nomicgit.law.variables import ANY, Type
from nomicgit.record.forms import entered
from nomicgit.record.forms.fields import FIRST_LABEL, in_yaml, labels

EMPTY = "_No response_"
NOTHING_CHOSEN = "None"
_HEADING = re.compile(r"### +(\S.*?) *#* *")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_TRUTH = {"yes": True, "true": True, "no": False, "false": False}


def named(body: str) -> str | None:
    """The action that a form names; None where the text is no filled-in form. Refused where it is a broken one."""
    names = [text for label, text in parted(body)[1] if label == FIRST_LABEL]
    if len(names) > 1:
        raise Refused.of(f"the field {quoted(FIRST_LABEL)} stands twice", mend=_MEND)
    return names[0].removeprefix("- ").strip() if names else None


def read(
    body: str, action: Action, type_at: Callable[[str], Type | None] = lambda _: None
) -> dict[str, object]:
    """The parameters that a filled-in form gives an action, as people write them; what was left empty is left out.

    ``type_at`` tells what is declared at a path.

    Refused, with all of it, where a field is missing, unknown or there twice, and else where values have not their form.
    """
    before, sections = parted(body)
    names = {label: name for name, label in labels(action).items()}
    texts: dict[str, str] = {}
    wrong = ["there is text before the first field"] if before else []
    for label, text in sections:
        if label in texts:
            wrong.append(f"the field {quoted(label, 60)} stands twice")
        if label not in names and label != FIRST_LABEL:
            known = ", ".join(names) or "none but its first"
            wrong.append(f"{action.name} has no field {quoted(label, 60)} (it has: {known})")
        texts[label] = text
    missing = [label for label in (FIRST_LABEL, *names) if label not in texts]
    wrong += [f"the field {quoted(label, 60)} is missing" for label in missing]
    if texts.get(FIRST_LABEL, action.name) != action.name:
        wrong.append(f"the form is one of {printable(texts[FIRST_LABEL], 60)}, not of {action.name}")
    if wrong:
        raise Refused(*(Problem(what) for what in wrong[:-1]), Problem(wrong[-1], mend=_MEND))
    filled = {name: (label, texts[label]) for label, name in names.items()}
    path = filled.get(entered.PATH, ("", None))[1]
    return _given(filled, entered.aimed(action, path, type_at).parameters)


_MEND = "fill in the form anew; a text of yours begins its own headings with ## or ####, not with ###, and closes its code blocks"


def _given(texts: Mapping[str, tuple[str, str]], kinds: Mapping[str, Type]) -> dict[str, object]:
    given: dict[str, object] = {}
    wrong: list[Problem] = []
    for name, (label, text) in texts.items():
        kind = kinds[name]
        text = text if kind.kind == "text" else unfenced(text)
        if _is_empty(kind, text):
            if kind.required:
                wrong.append(Problem(f"{label}: a value is needed", mend="fill it in"))
            continue
        try:
            given[name] = value(kind, name, text)
        except Malformed as error:
            wrong += (Problem(f"{label}: {each.what}", mend=each.mend) for each in error.problems)
    if wrong:
        raise Refused(*wrong)
    return given


def _is_empty(kind: Type, text: str) -> bool:
    return (
        not text
        or text == EMPTY
        or (text == NOTHING_CHOSEN and kind.kind != "text" and text not in kind.choices)
    )


def value(kind: Type, name: str, text: str) -> object:
    """One field's text as the value that its type takes. Malformed for YAML that is none."""
    if kind.kind == "text":
        return text
    match kind.kind:
        case "mechanics":
            return text
        case "boolean" if text.casefold() in _TRUTH:
            return _TRUTH[text.casefold()]
        case "choice":
            chosen = [choice for choice in kind.choices if str(choice) == text]
            return chosen[0] if chosen else entered.value(kind, name, text)
        case "list" | "set" if not in_yaml(kind) and not text.startswith(("[", "- ")):
            parts = (part.strip() for part in re.split(r"[,\n]", text))
            return [value(kind.items or ANY, name, part) for part in parts if part]
    return entered.value(kind, name, text)


def unfenced(text: str) -> str:
    """A text without the block of code that the forge puts around it."""
    lines = text.split("\n")
    opening = _FENCE.fullmatch(lines[0])
    if opening and len(lines) > 1 and lines[-1].strip() == opening[1]:
        return "\n".join(lines[1:-1]).strip("\n")
    return text


def parted(body: str) -> tuple[str, list[tuple[str, str]]]:
    """What stands before the first heading of the third level, and each heading with what is below it."""
    before: list[str] = []
    sections: list[tuple[str, list[str]]] = []
    fence = ""
    for line in body.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        marks = _FENCE.fullmatch(line)
        heading = None if fence else _HEADING.fullmatch(line)
        if fence:
            closes = marks and marks[1].startswith(fence) and not marks[2].strip()
            fence = "" if closes else fence
        elif marks and not (marks[1][0] == "`" and "`" in marks[2]):
            fence = marks[1]
        if heading:
            sections.append((heading[1], []))
        else:
            (sections[-1][1] if sections else before).append(line)
    return _stripped(before), [(label, _stripped(lines)) for label, lines in sections]


def _stripped(lines: list[str]) -> str:
    return "\n".join(lines).strip()
