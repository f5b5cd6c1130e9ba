"""The form of a scenario: which keys it and its steps have, and what stands under them. Source: ``docs/scenarios.md``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from nomicgit.ground.nearness import nearest
from nomicgit.ground.problems import Malformed, printable

KEYS = frozenset("name edition game start players idle emperor admins state steps".split())
STEP_KEYS = frozenset("at by as with on dice refused expect reason text".split())
OF_A_VERB = ("refused", "as", "with", "on", "reason", "text")
_NAMES = ("players", "idle", "admins")


def check_form(scenario: object, file: str) -> Mapping[str, object]:
    """A scenario as it was read, if it has the form of one; else Malformed, with the step."""
    if not isinstance(scenario, Mapping):
        raise Malformed.of("a scenario is a map", file=file)
    unknown = [key for key in scenario if key not in KEYS]
    if unknown:
        mend = "it has " + ", ".join(sorted(KEYS))
        raise Malformed.of(f"{printable(unknown[0], 60)} is no key of a scenario", file=file, mend=mend)
    for key in _NAMES:
        names = scenario.get(key)
        if names is not None and not (isinstance(names, list) and all(isinstance(n, str) for n in names)):
            _wrong(key, "a list of names", file)
    if not isinstance(scenario.get("emperor"), str | None):
        _wrong("emperor", "a name", file)
    _state(scenario.get("state"), file)
    steps = scenario.get("steps")
    if not isinstance(steps, list | None):
        _wrong("steps", "a list", file)
    for number, step in enumerate(steps or (), 1):
        _step(step, f"step {number}", file)
    return scenario


def _state(state: object, file: str) -> None:
    if not isinstance(state, Mapping | None):
        _wrong("state", "a map", file)
    for kind, held in (state or {}).items():
        if not isinstance(held, Mapping | None):
            _wrong(f"state: {kind}", "a map", file)
        if kind in ("game", "dynasty"):
            continue
        for name, fields in (held or {}).items():
            if not isinstance(fields, Mapping | None):
                _wrong(f"state: {kind}.{name}", "a map of fields", file)


def _step(step: object, place: str, file: str) -> None:
    if not isinstance(step, Mapping):
        _wrong(place, "a map", file)
    for key in ("with", "expect", "set"):
        if not isinstance(step.get(key), Mapping | None):
            _wrong(f"{place}: {key}", "a map", file)
    if not isinstance(step.get("dice", []), list):
        _wrong(f"{place}: dice", "a list of results", file)
    for key in ("at", "by", "as", "on", "act"):
        if not isinstance(step.get(key), str | int | None):
            _wrong(f"{place}: {key}", "one word", file)
    idle = [key for key in OF_A_VERB if step.get(key)] if set(step) <= STEP_KEYS else []
    if idle:
        what = f"{place}: {idle[0]} stands beside a verb, and this step has none"
        raise Malformed.of(what, file=file, mend="write what is done, as in: act: NAME; or leave it out")
    put = step.get("set") or {}
    if "set" in step and len(put) != 1 and set(put) != {"path", "value"}:
        _wrong(f"{place}: set", "a path and its value", file)


def verb_of(step: Mapping[str, object]) -> str | None:
    """The verb of a step, None where that only looks."""
    verbs = [key for key in step if key not in STEP_KEYS]
    if len(verbs) > 1:
        near = [word for verb in verbs if verb != "act" for word in nearest(verb, STEP_KEYS)]
        what = f"a step has one verb, not {' and '.join(map(printable, verbs))}"
        raise Malformed.of(what, mend=f"did you mean {' or '.join(near)}?" if near else "")
    return verbs[0] if verbs else None


def _wrong(key: str, must: str, file: str) -> NoReturn:
    raise Malformed.of(
        f"{printable(key, 80)}: {must} is needed here", file=file, mend="see docs/scenarios.md"
    )
