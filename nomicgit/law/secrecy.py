"""What a law keeps from everybody but who has the game's key. Source: ``docs/secrets.md``."""

from __future__ import annotations

from typing import NamedTuple

from nomicgit.law.declarations import Declared, Timed
from nomicgit.law.variables import kind_of_all

PARTED = frozenset({"uses", "made", "clocks", "put_off", "drawn", "frozen"})
"""Maps that the program keeps for the law, of which some keys are secret and others are not."""
ORDERS = ("open", "orders")
"""Where it is counted which orders were taken, and how many of whom."""
IN_SECRET = "in secret "  # noqa: S105 - how a name begins
"""With what the names of units begin that drew in secret, where it is counted how often they drew."""


class Secrecy(NamedTuple):
    """What is secret: variables (kind and name), the kinds of which even the existence is, actions, shared limits that a
    private action uses, and the scheduled functions of which a secret kind, or a secret variable, holds the time.
    """

    variables: frozenset[tuple[str, str]] = frozenset()
    kinds: frozenset[str] = frozenset()
    actions: frozenset[str] = frozenset()
    limits: frozenset[str] = frozenset()
    clocks: frozenset[str] = frozenset()
    never: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def of(cls, declared: Declared) -> Secrecy:
        """What a law's declarations keep secret."""
        kinds = frozenset(name for name, each in declared.collections.items() if each.tracked == "secret")
        secret = [each for each in declared.variables.values() if each.tracked == "secret"]
        private = [
            each for each in declared.actions.values() if each.private and not isinstance(each.private, tuple)
        ]
        shared = (declared.limits.get(each.limit) for each in private)
        variables = frozenset((kind_of_all(each.of), each.name) for each in secret)
        timed = (each for each in declared.schedule.values() if isinstance(each, Timed))
        return cls(
            variables, kinds, frozenset(each.name for each in private),
            frozenset(limit.name for limit in shared if limit is not None and limit.shared),
            frozenset(each.name for each in timed if each.kind in kinds or variables & {(each.kind, each.at), (each.kind, each.where)}),
            frozenset((kind_of_all(each.of), each.name) for each in secret if each.attributes.get("opens") == "never"),
        )  # fmt: skip

    def __or__(self, other: tuple[frozenset[object], ...]) -> Secrecy:
        """What is secret under the one or the other."""
        return self if self == other else Secrecy(*(a | b for a, b in zip(self, other, strict=True)))  # type: ignore[arg-type]

    def hides(self, kind: str, field: str) -> bool:
        """Whether a field of an entity of this kind is secret."""
        return kind in self.kinds or (kind, field) in self.variables or (kind, field) == ORDERS

    def hides_key(self, field: str, key: str) -> bool:
        """Whether a key of one of the maps that the program keeps is secret."""
        match field:
            case "uses":
                name = key.rpartition(": ")[2]
                return name in self.limits or name.partition(" ")[0] in self.actions
            case "made":
                return key in self.kinds
            case "clocks" | "put_off":
                return key.partition(" ")[0] in self.clocks
            case "drawn":
                return key.startswith(IN_SECRET) or key.partition(" ")[0] in self.clocks
            case "frozen":
                return ("posts", key) in self.variables
        return False


NOTHING_SECRET = Secrecy()
