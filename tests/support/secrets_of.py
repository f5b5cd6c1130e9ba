"""What an edition keeps secret, read from its files by the test itself, and rulesets in which one of it is public."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import yaml

from nomicgit import editions
from nomicgit.law.ruleset import Ruleset

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
KINDS = {"player": "players", "matter": "posts", "game": "game", "dynasty": "dynasty"}


@dataclass(frozen=True, slots=True)
class Secret:
    """One thing that an edition keeps secret: a ``variable`` of a kind, a ``collection``, a private ``action``, a
    ``parameter`` of one, or who is the ``caller`` of one where a parameter says so; or a ``passing`` variable, which is
    never stored. ``seen_by``: who sees it.
    """

    sort: str
    of: str
    name: str
    path: str
    seen_by: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.sort} {self.of}.{self.name}" if self.of else f"{self.sort} {self.name}"

    @property
    def listed(self) -> str:
        """The secret, and who sees it, as the list of secrets has it."""
        return f"{self}, seen by {' and '.join(self.seen_by)}" if self.seen_by else str(self)


NEVER_STORED = {"transient", "derived"}


def underscored(name: object) -> str:
    return str(name).replace("-", "_")


def front_of(text: str) -> tuple[dict[str, Any], str]:
    """A rule's front matter, and the rest of its file."""
    if not text.startswith("---\n"):
        return {}, text
    front, _, rest = text.removeprefix("---\n").partition("\n---\n")
    return _with_on(yaml.load(front, LOADER)) or {}, rest


def _with_on(value: Any) -> Any:
    """YAML 1.1 takes the key ``on`` for true."""
    if isinstance(value, dict):
        return {"on" if name is True else name: _with_on(each) for name, each in value.items()}
    return [_with_on(each) for each in value] if isinstance(value, list) else value


def secrets_of(edition: str) -> list[Secret]:
    """All that an edition keeps secret, but for what passes."""
    return [each for each in _all_secrets_of(edition) if each.sort != "passing"]


def listed_of(edition: str) -> list[str]:
    """All that is secret in an edition, and who sees it, as the list of secrets has it."""
    return sorted(each.listed for each in _all_secrets_of(edition))


@cache
def _all_secrets_of(edition: str) -> Sequence[Secret]:
    return tuple(
        each
        for path, text in sorted(editions.load(edition).texts.items())
        for each in _secrets(path, front_of(text)[0])
    )


def _secrets(path: str, front: Mapping[str, Any]) -> Iterator[Secret]:
    for name, said in (front.get("variables") or {}).items():
        if isinstance(said, Mapping) and said.get("tracked") == "secret":
            of, sort = str(said.get("of", "game")), "passing" if {*said} & NEVER_STORED else "variable"
            yield Secret(sort, KINDS.get(of, of), underscored(name), path, _seen_by(said))
    for kind, said in (front.get("collections") or {}).items():
        if said.get("tracked") == "secret":
            yield Secret("collection", "", str(kind), path, _seen_by(said))
        fields = said.get("fields") or {}
        for name, each in fields.items() if isinstance(fields, Mapping) else ():
            if isinstance(each, Mapping) and each.get("tracked") == "secret":
                yield Secret("variable", str(kind), underscored(name), path, _seen_by(each))
    for action, said in (front.get("actions") or {}).items():
        private = said.get("private") if isinstance(said, Mapping) else None
        if isinstance(private, list):
            yield from (Secret("parameter", str(action), underscored(name), path) for name in private)
        elif isinstance(private, str):
            yield Secret("caller", str(action), underscored(private), path)
        elif private:
            yield Secret("action", "", str(action), path)


def _seen_by(said: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(sorted(map(str, said.get("seen_by") or ())))


def without(edition: str, secret: Secret) -> Ruleset:
    """The edition's ruleset in which one secret is public."""
    texts = dict(editions.load(edition).texts)
    front, rest = front_of(texts[secret.path])
    match secret.sort:
        case "variable":
            declared = (front.get("variables") or {}) | (
                (front.get("collections") or {}).get(secret.of) or {}
            ).get("fields", {})
            said = next(
                each
                for name, each in declared.items()
                if underscored(name) == secret.name and isinstance(each, dict)
            )
            for word in ("tracked", "seen_by", "kept_by"):
                said.pop(word, None)
        case "collection":
            for word in ("tracked", "seen_by"):
                front["collections"][secret.name].pop(word, None)
        case "caller":
            del front["actions"][secret.of]["private"]
        case "action":
            front["actions"][secret.name].pop("private")
            front["actions"][secret.name].pop("opens", None)
        case "parameter":
            front["actions"][secret.of]["private"].remove(secret.name)
            if not front["actions"][secret.of]["private"]:
                del front["actions"][secret.of]["private"]
    texts[secret.path] = (
        f"---\n{yaml.safe_dump(front, sort_keys=False, allow_unicode=True, width=10**6)}---\n{rest}"
    )
    return Ruleset.read(texts).canonical()
