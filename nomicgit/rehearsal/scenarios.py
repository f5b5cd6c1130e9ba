"""The form of a scenario: which keys it and its steps have, and what stands under them. Source: ``docs/scenarios.md``."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NoReturn

from nomicgit.ground import clock
from nomicgit.ground.nearness import nearest
from nomicgit.ground.problems import Malformed, printable
from nomicgit.law.declaring import why_no_id

KEYS = frozenset("name edition game start players idle emperor admins state steps".split())
STEP_KEYS = frozenset("at by as with on dice refused expect reason text".split())
OF_A_VERB = ("refused", "as", "with", "on", "reason", "text")
_NAMES = ("players", "idle", "admins")
Path = tuple[str | int, ...]
"""The keys and numbers that lead to something in a scenario."""


def line_of(lines: Mapping[Path, int], path: Path) -> int:
    """The line of what a path leads to, or of the nearest thing around it of which a line is known."""
    return max(lines.get(path[:n], 0) for n in range(len(path) + 1))


def check_form(
    scenario: object, file: str, lines: Mapping[Path, int] = MappingProxyType({})
) -> Mapping[str, object]:
    """A scenario as it was read, if it has the form of one; else Malformed, with the step. ``lines``: of its keys and items."""
    if not isinstance(scenario, Mapping):
        raise Malformed.of("a scenario is a map", file=file)
    try:
        _head(scenario)
        for number, step in enumerate(scenario.get("steps") or (), 1):
            _step(step, number)
    except _WrongForm as wrong:
        line = line_of(lines, wrong.path)
        raise Malformed.of(wrong.what, file=file, line=line, mend=wrong.mend) from None
    return scenario


def _head(scenario: Mapping[str, object]) -> None:
    unknown = [key for key in scenario if key not in KEYS]
    if unknown:
        near = nearest(unknown[0], KEYS)
        mend = f"did you mean {near[0]}?" if near else "it has " + ", ".join(sorted(KEYS))
        raise _WrongForm((unknown[0],), f"{printable(unknown[0], 60)} is no key of a scenario", mend)
    for key in _NAMES:
        names = scenario.get(key)
        if names is not None and not (isinstance(names, list) and all(isinstance(n, str) for n in names)):
            _wrong((key,), key, "a list of names")
    if not isinstance(scenario.get("emperor"), str | None):
        _wrong(("emperor",), "emperor", "a name")
    if scenario.get("start"):
        try:
            clock.instant(str(scenario["start"]))
        except Malformed as wrong:
            raise _WrongForm(("start",), wrong.problems[0].what, wrong.problems[0].mend) from None
    _founding(scenario)
    _state(scenario.get("state"))
    if not isinstance(scenario.get("steps"), list | None):
        _wrong(("steps",), "steps", "a list")
    if not scenario.get("steps"):
        path, mend = (
            ("steps",) if "steps" in scenario else (),
            "write steps: [{at: +1h, expect: {quorum: 3}}], with what is to come of it",
        )
        raise _WrongForm(path, "a scenario without steps tries nothing", mend)


def _founding(scenario: Mapping[str, object]) -> None:
    """Whether those who found the game can be its players, and who heads or keeps it is one of them."""
    named = {key: names if isinstance(names := scenario.get(key), list) else [] for key in _NAMES}
    everyone: set[str] = set()
    for key in ("players", "idle"):
        for n, name in enumerate(named[key]):
            if why := why_no_id("players", name):
                raise _WrongForm((key, n), why, "choose another name")
            if name.casefold() in everyone:
                raise _WrongForm((key, n), f"{printable(name, 60)} is named twice", "name each player once")
            everyone.add(name.casefold())
    heads = [(("admins", n), name) for n, name in enumerate(named["admins"])]
    if isinstance(emperor := scenario.get("emperor"), str):
        heads.append((("emperor", 0), emperor))
    for path, name in heads:
        if name.casefold() not in everyone:
            what = f"{printable(name, 60)} is none of the founding players"
            raise _WrongForm(path, what, "write one that stands under players, or put the name there too")


def _state(state: object) -> None:
    if not isinstance(state, Mapping | None):
        _wrong(("state",), "state", "a map")
    for kind, held in (state or {}).items():
        if not isinstance(held, Mapping | None):
            _wrong(("state", kind), f"state: {kind}", "a map")
        if kind in ("game", "dynasty"):
            continue
        for name, fields in (held or {}).items():
            if not isinstance(fields, Mapping | None):
                _wrong(("state", kind, name), f"state: {kind}.{name}", "a map of fields")


def _step(step: object, number: int) -> None:
    place, path = f"step {number}", ("steps", number - 1)
    if not isinstance(step, Mapping):
        _wrong(path, place, "a map")
    for key in ("with", "expect", "set"):
        if not isinstance(step.get(key), Mapping | None):
            _wrong((*path, key), f"{place}: {key}", "a map")
    if not isinstance(step.get("dice", []), list):
        _wrong((*path, "dice"), f"{place}: dice", "a list of results")
    for key in ("at", "by", "as", "on", "act"):
        if not isinstance(step.get(key), str | int | None):
            _wrong((*path, key), f"{place}: {key}", "one word")
    idle = [key for key in OF_A_VERB if step.get(key)] if set(step) <= STEP_KEYS else []
    if idle:
        what = f"{place}: {idle[0]} stands beside a verb, and this step has none"
        raise _WrongForm((*path, idle[0]), what, "write what is done, as in: act: NAME; or leave it out")
    put = step.get("set") or {}
    if "set" in step and len(put) != 1 and set(put) != {"path", "value"}:
        _wrong((*path, "set"), f"{place}: set", "a path and its value")


def verb_of(step: Mapping[str, object]) -> str | None:
    """The verb of a step, None where that only looks."""
    verbs = [key for key in step if key not in STEP_KEYS]
    if len(verbs) > 1:
        near = [word for verb in verbs if verb != "act" for word in nearest(verb, STEP_KEYS)]
        what = f"a step has one verb, not {' and '.join(map(printable, verbs))}"
        given = [f"{verb}: …" for verb in verbs if verb != "act"]
        within = (
            f"write with: {{{', '.join(given)}}}, if that is what the action takes" if "act" in verbs else ""
        )
        raise Malformed.of(what, mend=f"did you mean {' or '.join(near)}?" if near else within)
    return verbs[0] if verbs else None


class _WrongForm(Exception):
    """What is wrong with the form of a scenario, at the place to which these keys and numbers lead."""

    def __init__(self, path: Path, what: str, mend: str) -> None:
        super().__init__(what)
        self.path, self.what, self.mend = path, what, mend


def _wrong(path: Path, key: str, must: str) -> NoReturn:
    raise _WrongForm(path, f"{printable(key, 80)}: {must} is needed here", "see docs/scenarios.md")
