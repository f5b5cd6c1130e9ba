"""What is said of a scenario that a change of the rules breaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def of_scenario(failed: Mapping[str, Any]) -> str:
    """A scenario that fails, in a sentence."""
    already = ", as on the rules in force" if failed["failed_before"] else ""
    return f"the scenario {failed['name']} fails after it{already}: {failed['failures'][0]}"
