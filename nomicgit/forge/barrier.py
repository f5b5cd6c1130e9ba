"""What bars the game's branch on GitHub: a ruleset of GitHub's, as a file says it, and as it is laid there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nomicgit.forge import setup
from nomicgit.forge.apps import App
from nomicgit.forge.connection import Remote, listed
from nomicgit.ground.problems import printable

Barrier = Mapping[str, Any]
"""A ruleset, as GitHub's interface and its settings' files have it."""
SAID = ("target", "enforcement", "conditions")
ALWAYS = "always"


def laid(remote: Remote) -> Barrier | None:
    """The repository's ruleset of the file's name; None where none is called so. ``bypass_actors`` stands in it where the token
    may see them.
    """
    name = setup.ruleset()["name"]
    for page in remote.pages("/rulesets"):
        for each in listed(page):
            if each.get("name") == name and each.get("source_type", "Repository") == "Repository":
                whole = remote.wire.get(f"{remote.path}/rulesets/{each.get('id')}").body
                return whole if isinstance(whole, dict) else None
    return None


def lay(remote: Remote, wanted: Barrier) -> bool:
    """Lay it there, or say anew the one of its name; whether there was none. Forbidden where the token may not."""
    there = laid(remote)
    if there is None:
        remote.wire.post(f"{remote.path}/rulesets", wanted, again=False)
    else:
        remote.wire.put(f"{remote.path}/rulesets/{there['id']}", wanted)
    return there is None


def passing_by(wanted: Barrier, app: App | None) -> Barrier:
    """A file's ruleset, which the App may pass by where there is one, beside whom the file names."""
    if app is None or not app.number.isdigit():
        return wanted
    own = {"actor_id": int(app.number), "actor_type": "Integration", "bypass_mode": ALWAYS}
    others = [each for each in wanted.get("bypass_actors", ()) if _actor(each) != _actor(own)]
    return {**wanted, "bypass_actors": [*others, own]}


def differences(there: Barrier, wanted: Barrier, app: App | None) -> Iterator[str]:
    """What a laid ruleset says otherwise than the file. What the file leaves out is GitHub's to fill in."""
    yield from (key for key in SAID if not _within(wanted.get(key), there.get(key)))
    ours, theirs = _by_kind(wanted), _by_kind(there)
    for kind, rule in ours.items():
        if kind not in theirs:
            yield f"{kind} is missing"
        elif not _within(rule.get("parameters", {}), theirs[kind].get("parameters", {})):
            yield f"{kind} says something else"
    yield from (f"{printable(kind, 60)} is more than the file says" for kind in theirs if kind not in ours)
    yield from _passers(there, passing_by(wanted, app), app)


def weaker(there: Barrier, own: Barrier) -> Iterator[str]:
    """In what a ruleset bars less than the one that comes with the program; more is its owners' to bar."""
    yield from (f"another {key}" for key in SAID if not _holds(own.get(key), there.get(key)))
    ours, theirs = _by_kind(own), _by_kind(there)
    for kind, rule in ours.items():
        if kind not in theirs:
            yield f"{kind} is missing"
        elif not _holds(rule.get("parameters", {}), theirs[kind].get("parameters", {})):
            yield f"{kind} asks for less, or for something else"


def _holds(own: object, there: object) -> bool:
    """Whether all that is asked for is asked for there, or more."""
    if isinstance(own, Mapping):
        return isinstance(there, Mapping) and all(_holds(value, there.get(key)) for key, value in own.items())
    if isinstance(own, list):
        return isinstance(there, list) and all(any(_holds(each, other) for other in there) for each in own)
    if isinstance(own, int) and isinstance(there, int):
        return own <= there
    return own == there


def _passers(there: Barrier, wanted: Barrier, app: App | None) -> Iterator[str]:
    """Who may pass it by and should not, or should and may not; nothing where the token does not see that."""
    if "bypass_actors" not in there:
        return
    mays = [_actor(each) for each in there["bypass_actors"] or ()]
    shall = [_actor(each) for each in wanted.get("bypass_actors", ())]
    for kind, number in mays:
        unknown_own = app is not None and not app.number and kind == "Integration"
        if (kind, number) not in shall and not unknown_own:
            yield f"{printable(kind, 40)} {number or ''}".rstrip() + " may pass it by"
    yield from (f"{kind} {number} may not pass it by" for kind, number in shall if (kind, number) not in mays)


def _actor(given: Mapping[str, Any]) -> tuple[str, object]:
    return str(given.get("actor_type")), given.get("actor_id")


def _by_kind(barrier: Barrier) -> dict[str, Mapping[str, Any]]:
    return {str(each.get("type")): each for each in barrier.get("rules") or ()}


def _within(wanted: object, there: object) -> bool:
    """Whether all that is wanted stands there; more may."""
    if isinstance(wanted, Mapping):
        return isinstance(there, Mapping) and all(
            _within(value, there.get(key)) for key, value in wanted.items()
        )
    if isinstance(wanted, list):
        return isinstance(there, list) and len(wanted) == len(there) and all(map(_within, wanted, there))
    return wanted == there
