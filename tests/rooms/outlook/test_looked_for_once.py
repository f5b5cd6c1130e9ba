"""What the checks find in a rule's own text, whatever law it stands in, is looked for once: a new rule costs its own checks."""

from __future__ import annotations

from typing import Any

import pytest
from hostile.small import small_law

from nomicgit.outlook.checks import check_ruleset, habits, handed, shadowing, spelled

CODE = "def _shine(actor):\n    moon = 1\n    return moon + roll(6)"
MOON = f"---\ntitle: Moon\n---\nIt shines.\n\n```starlark\n{CODE}\n```\n"
LOOKS = [(habits, "_attributes"), (handed, "_calls"), (shadowing, "_unread"), (spelled, "tokens")]


@pytest.mark.parametrize(("module", "name"), LOOKS, ids=[name for _, name in LOOKS])
def test_of_a_law_with_a_new_rule_that_one_alone_is_looked_through(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str
) -> None:
    check_ruleset(small_law())
    looked, whole = [], getattr(module, name)

    def noted(text: Any, *rest: Any) -> Any:
        looked.append(text if isinstance(text, str) else " ".join(word for _, word, _ in text))
        return whole(text, *rest)

    monkeypatch.setattr(module, name, noted)
    check_ruleset(small_law({"2-dynastic/90-moon.md": MOON.replace("moon", f"moon_{name.strip('_')}")}))
    assert looked
    assert all("_shine" in text for text in looked), looked
