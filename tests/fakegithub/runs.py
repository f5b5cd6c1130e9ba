"""Which runs GitHub starts for what happens in a game's place: by the workflows that lie there, and by its published rules.

What a run's own token does starts none; what an App does starts them; a run that a fork's event starts for somebody new waits
for an owner; of those that wait in a group the newest stands for all. Its pages: "Events that trigger workflows", "Approving
workflow runs from forks", "Control workflow concurrency".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import yaml

from fakegithub.things import Account

OF_FORKS = ("pull_request", "pull_request_review")
"""The events that run in a fork's name; all others run in that of the game's own branch."""
ENDED = "completed"


class Runs:
    """The runs in a place. ``does`` is what a pass of the steward does; ``new`` are the accounts whose runs wait.

    ``ran`` and ``cancelled`` are names of workflows, in their order; ``waiting`` are those that wait for an owner.
    """

    def __init__(self, workflows: Mapping[str, bytes], does: Callable[[], object]) -> None:
        parsed = [yaml.safe_load(text) for text in workflows.values()]
        self._flows: dict[str, dict[Any, Any]] = {each["name"]: each for each in parsed}
        self._does = does
        self._under_way, self._next = False, ""
        self.new: set[int] = set()
        self.ran: list[str] = []
        self.cancelled: list[str] = []
        self.waiting: list[str] = []

    def happens(self, event: str, action: str, sender: Account, *, of_run: bool = False) -> None:
        """Something happens; ``of_run``: by the token that a run has of itself."""
        if of_run:
            return
        for name, flow in self._flows.items():
            if event not in flow[True] or action not in ((flow[True][event] or {}).get("types") or [action]):
                continue
            if event in OF_FORKS and sender.id in self.new:
                self.waiting.append(name)
            else:
                self._start(name, event, sender.kind)

    def quarter_of_an_hour(self) -> None:
        """The schedules ring."""
        for name, flow in self._flows.items():
            if "schedule" in flow[True]:
                self._start(name, "schedule", "User")

    def _start(self, name: str, event: str, sender: str) -> None:
        if not self._holds(name, event, sender):
            return
        if name == "steward":
            self._pass()
            return
        self.ran.append(name)
        for other, flow in self._flows.items():
            asked = flow[True].get("workflow_run") or {}
            if name in asked.get("workflows", ()) and ENDED in asked["types"]:
                self._start(other, "workflow_run", sender)

    def _pass(self) -> None:
        """One after another; of those that wait the newest stands for all, and the others are cancelled."""
        if self._under_way:
            self.cancelled += [self._next] if self._next else []
            self._next = "steward"
            return
        self._under_way, self._next = True, "steward"
        while self._next:
            self._next = ""
            self.ran.append("steward")
            self._does()
        self._under_way = False

    def _holds(self, name: str, event: str, sender: str) -> bool:
        """Whether the first job of a workflow runs, by its condition."""
        condition = next(iter(self._flows[name]["jobs"].values())).get("if", "True")
        github = SimpleNamespace(event_name=event, event=SimpleNamespace(sender=SimpleNamespace(type=sender)))
        python = condition.replace("&&", " and ").replace("||", " or ")
        known = {"__builtins__": {}, "github": github, "vars": SimpleNamespace(NOMICGIT="", NOMICGIT_APP="")}
        return bool(eval(python, known))
