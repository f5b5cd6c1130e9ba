"""What a clone remembers of trials of pending matters, as long as the game stands where it stood: a second look costs little."""

from __future__ import annotations

import json
from typing import Any

from nomicgit import __version__
from nomicgit.git.layout import remember, remembered

FILE = "nomicgit/trials"
MOST = 400  # trials that are remembered of one head


class Recalled:
    """What is remembered under names, of one head of a game; of another, or of another program's, nothing. ``folder``: the Git
    folder of the clone.
    """

    def __init__(self, folder: str, head: str) -> None:
        self._folder, self._head = folder, f"{head} {__version__}"
        kept = json.loads(remembered(folder, FILE) or b"{}")
        self._trials: dict[str, Any] = kept.get("trials", {}) if kept.get("head") == self._head else {}

    def __contains__(self, name: str) -> bool:
        return name in self._trials

    def get(self, name: str) -> Any:
        """What is remembered under a name, as plain data; None where nothing is."""
        return self._trials.get(name)

    def put(self, name: str, value: Any) -> None:
        """Remember plain data under a name; the oldest goes where it is too much."""
        self._trials = {**{key: each for key, each in self._trials.items() if key != name}, name: value}
        for old in [*self._trials][:-MOST]:
            del self._trials[old]
        remember(self._folder, FILE, json.dumps({"head": self._head, "trials": self._trials}).encode())
