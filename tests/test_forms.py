"""Issue forms: written from the law, and what comes back of them."""

from __future__ import annotations

from typing import Any

import pytest

from nomicgit import forms
from nomicgit.declarations import Action
from nomicgit.forms.fields import FIRST_LABEL, labels
from nomicgit.problems import Refused
from nomicgit.variables import Type

CHOICE = Type("choice", choices=("small", "large"))


def action(**kinds: Type) -> Action:
    """An action with parameters of these kinds."""
    return Action(
        "pick", "orchard", "dynastic", frozenset({"orchard"}), "Pick some apples", ("player",), False, kinds,
        frozenset(kinds), "", (), False, {},
    )  # fmt: skip


def filled(of: Action, **texts: str) -> str:
    """An issue's text as the forge makes it of a form that somebody filled in."""
    parts = [f"### {FIRST_LABEL}\n\n{of.name}"]
    parts += [f"### {label}\n\n{texts.get(name, '_No response_')}" for name, label in labels(of).items()]
    return "\n\n".join(parts)


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (Type("text"), "  Up the hill  ", "Up the hill"),
        (Type("text"), "12", "12"),
        (Type("text"), "One.\n\n#### Two\n\n```\n### three\n```", "One.\n\n#### Two\n\n```\n### three\n```"),
        (Type("integer"), "3", 3),
        (Type("number", step=0.5), "1.5", 1.5),
        (Type("boolean"), "yes", True),
        (Type("boolean"), "no", False),
        (CHOICE, "large", "large"),
        (Type("choice", choices=(1, 2)), "2", 2),
        (Type("player"), "ben", "ben"),
        (Type("post"), "12", 12),
        (Type("datetime"), "2021-06-07T00:00:00Z", "2021-06-07T00:00:00Z"),
        (Type("list", items=Type("text")), "Core, a b", ["Core", "a b"]),
        (Type("list", items=Type("integer")), "1, 2", [1, 2]),
        (Type("list", items=Type("text")), '["a, b", c]', ["a, b", "c"]),
        (Type("list"), "```yaml\n- repeal: orchard\n```", [{"repeal": "orchard"}]),
        (Type("map"), "```yaml\nplayer: Knight\n```", {"player": "Knight"}),
        (Type("mechanics"), "```python\ngain(actor, 1)\n```", "gain(actor, 1)"),
        (Type("any"), "3", 3),
    ],
)
def test_a_field_is_read_as_its_type_takes_it(kind: Type, text: str, value: Any) -> None:
    assert forms.read(filled(action(what=kind), what=text), action(what=kind)) == {"what": value}


@pytest.mark.parametrize("text", ["_No response_", "", "None", "```yaml\n\n```"])
def test_what_is_left_empty_is_left_out(text: str) -> None:
    of = action(what=Type("map", default={}))
    assert forms.read(filled(of, what=text), of) == {}


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        (("_No response_", ""), "What: a value is needed"),
        (("### What\n", "### Whatever\n"), "no field 'Whatever'"),
        (("### What\n\n_No response_", ""), "'What' is missing"),
        (("_No response_", "a\n\n### What\n\nb"), "'What' stands twice"),
        (("_No response_", "a\n\n### Deeds\n\nb"), "no field 'Deeds'"),
        (("uphill", "```\nnever closed"), "'What' is missing"),
        (("\n\npick", "\n\nsow"), "one of sow, not of pick"),
        (("### Action", "Hello\n### Action"), "text before the first field"),
    ],
)
def test_a_form_that_is_not_whole_is_refused(change: tuple[str, str], refusal: str) -> None:
    of = action(where=Type("text", default=""), what=Type("text"))
    body = filled(of, where="uphill").replace(*change)
    with pytest.raises(Refused, match=refusal):
        forms.read(body, of)


def test_yaml_that_is_none_is_refused_with_its_field() -> None:
    of = action(changes=Type("list"))
    with pytest.raises(Refused, match="Changes: "):
        forms.read(filled(of, changes="```yaml\n- {repeal: [}\n```"), of)


def test_a_form_names_its_action() -> None:
    assert forms.named(filled(action(), what="x").replace("\n", "\r\n")) == "pick"


def test_a_text_that_is_no_form_names_nothing() -> None:
    assert forms.named("### Steps\n\nI do not know.") is None
