"""Tiny rulesets and games on them, in memory: what a test of the language is written with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import dedent
from typing import Any

from msgspec.structs import replace

from nomicgit.ground import clock
from nomicgit.ground.problems import Malformed, Refused
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.deeds.founding import Founding, found
from nomicgit.physics.numbers import NEWEST
from nomicgit.physics.physics import Physics
from nomicgit.physics.state.context import Context, Seeded
from nomicgit.physics.state.transaction import Transaction
from nomicgit.rehearsal import rehearsal
from nomicgit.rehearsal.expecting import looked_up
from nomicgit.rehearsal.scripted import Scripted

START = clock.instant("2021-06-07T00:00:00Z")  # a Monday
SECTIONS = {
    "core": "1-core",
    "dynastic": "2-dynastic",
    "special-case": "3-special-case",
    "appendix": "4-appendix",
}
PLAYERS = ("ana", "ben", "cy", "dee")

BENCH = """
---
title: Bench
variables:
  out: {of: game, type: any, transient: true}
  got: {of: game, type: any}
posts:
  note: {}
  motion: {votable: true, official: true}
actions:
  bench: {by: anyone, idle: true, with: {code: text}}
  move: {with: {changes: {type: list, default: []}}}
  vote: {with: {matter: matter, icon: text}}
  resolve: {with: {matter: matter}}
---
A bench to try things on.

```starlark
def do_bench(actor, code):
    refuse(apply({"run": code}))

def do_move(actor, changes_):
    return say("motion", "A motion", "", changes=changes_)

def do_vote(actor, matter, icon):
    comment(matter, "", icon=icon)

def do_resolve(actor, matter):
    close(matter, "enacted")
    whys = [apply(change) for change in changes(matter)]
    put("game", got=whys)
```
"""


def rule(declares: str = "", code: str = "", prose: str = "Words.", *, title: str = "") -> str:
    """The file of a rule."""
    title = title or "A Rule"
    fence = f"\n```starlark\n{dedent(code).strip()}\n```\n" if code.strip() else ""
    front = dedent(declares).strip()
    return f"---\ntitle: {title}\n{front + chr(10) if front else ''}---\n{prose}\n{fence}"


def ruleset(files: Mapping[str, str]) -> Ruleset:
    """The ruleset of files: a path without a section's folder is a core rule."""
    known = tuple(SECTIONS.values())
    whole = {(path if path.startswith(known) else f"1-core/{path}"): text for path, text in files.items()}
    return Ruleset.read({"1-core/90-bench.md": BENCH.strip() + "\n", **whole})


def bounded(**bounds: int) -> Physics:
    """The newest physics with other bounds."""
    return replace(NEWEST, bounds=replace(NEWEST.bounds, **bounds))


class Game:
    """A game on a tiny ruleset: do things, look at what came of them."""

    def __init__(
        self, rules: Ruleset, *, secrets: bool = True, physics: Physics = NEWEST, **founding: Any
    ) -> None:
        given: dict[str, Any] = {"players": PLAYERS, "emperor": "ana"} | founding
        self.past, self.at, self.number = rehearsal.Past(), given.pop("at", START), 0
        # as in replay: nothing is tried in a worker first, which takes time
        self.context = Context(self.past, secrets=secrets, claims={})
        founded = found(rules, Founding(self.at, **given), Seeded(b"seed", "founding"), self.context, physics)
        self.founding_notes, self.position = list(founded.notes), founded.position
        self.position.store.forget()
        self.last: Outcome | None = None

    @property
    def world(self) -> Transaction:
        """The game as it stands, to be looked at."""
        return Transaction(self.position, self.context, Seeded(b"seed", "looking"))

    def as_first_decided(self) -> None:
        """From now on the game is decided as when it is played, and not as when it is replayed."""
        self.context = replace(self.context, claims=None)

    def do(
        self,
        actor: str | None,
        action: str,
        /,
        dice: Sequence[Any] | None = None,
        after: str = "",
        **given: Any,
    ) -> Any:
        """A deed; ``after`` a span since the last one. Returns what its function returned."""
        self.number += 1
        if after:
            self.at = clock.shift(self.at, clock.span(after))
        seeded = Seeded(b"seed", f"deed-{self.number}")
        chance = seeded if dice is None else Scripted(dice, seeded)
        name = f"deed-{self.number}"
        deed, before = Deed(name, actor, action, given, self.at), self.position.ruleset
        self.last = self.position.decide(self.context, deed, chance)
        if isinstance(chance, Scripted):
            assert not chance.left, "dice are left over"
        self.past.keep(deed, self.position, before)
        self.position.store.forget()
        return self.last.result

    def refused(self, actor: str | None, action: str, /, **given: Any) -> str:
        """The reason of a deed that must be refused."""
        try:
            self.do(actor, action, **given)
        except Refused as error:
            return str(error)
        raise AssertionError(f"{action} was not refused")

    def run(self, code: str, /, actor: str | None = "ana", **more: Any) -> None:
        """Run some code as a deed."""
        self.do(actor, "bench", code=dedent(code).strip(), **more)

    def fails(self, code: str, /, actor: str | None = "ana", **more: Any) -> str:
        """Why some code is refused."""
        return self.refused(actor, "bench", code=dedent(code).strip(), **more)

    def eval(self, expression: str, /, **more: Any) -> Any:
        """What an expression gives; what it writes stands."""
        self.run(f'put("game", got=[{expression}])', **more)
        return self["game.got"][0]

    def enact(self, *changes: Mapping[str, Any], after: str = "") -> list[str]:
        """Put a motion forward and enact it: for each change nothing, or why it was not made."""
        matter = self.do("ana", "move", changes=list(changes), after=after)
        self.do("ana", "resolve", matter=matter.removeprefix("posts/"))
        return list(self.position.store.value("game", "got"))

    def __getitem__(self, path: str) -> Any:
        return looked_up(self.world, path, {}, {})

    def ids(self, kind: str) -> list[str]:
        """The ids of a kind in order."""
        return list(self.position.store.ids(kind))

    @property
    def notes(self) -> list[str]:
        assert self.last is not None
        return list(self.last.notes)

    @property
    def told(self) -> list[tuple[str, str]]:
        assert self.last is not None
        return list(self.last.messages)


def game(
    declares: str = "", code: str = "", *, files: Mapping[str, str] | None = None, **founding: Any
) -> Game:
    """A game with one rule of this front matter and mechanics, and further files."""
    own = {"10-own.md": rule(declares, code, title="Own")} if declares or code else {}
    return Game(ruleset({**own, **(files or {})}), **founding)


def problems(declares: str = "", code: str = "", *, files: Mapping[str, str] | None = None) -> str:
    """What is wrong with such a law: it cannot be founded on."""
    try:
        game(declares, code, files=files).world.law.compile()
    except (Refused, Malformed) as error:
        return str(error)
    raise AssertionError("nothing is wrong with it")


def played(folder: Any, files: Mapping[str, str], scenario: str) -> Sequence[str]:
    """The failures of a scenario, played on a ruleset written into a folder."""
    for path, text in ruleset(files).texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return rehearsal.rehearse(f"edition: {folder}/\n{dedent(scenario)}", "scenario.yml").failures
