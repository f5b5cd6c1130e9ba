"""What is said of a scenario that a change of the rules breaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def of_scenario(failed: Mapping[str, Any]) -> str:
    """A scenario that fails, in a sentence."""
    which = (
        f"{failed['name']}, which it brings, fails"
        if failed["brought"]
        else f"{failed['name']} fails after it"
    )
    return f"the scenario {which}: {failed['failures'][0]}"
