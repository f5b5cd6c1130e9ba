"""Options: which keys declarations may have, so that one that nobody knows can be told."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Options(NamedTuple):
    """The keys of some options, and of what form those are that hold options in turn.

    ``each``: they stand under names, or in a list. ``kept``: whatever else stands there is kept for the law to read.
    """

    keys: frozenset[str]
    parts: Mapping[str, Options] = MappingProxyType({})
    each: bool = False
    kept: bool = False

    def more(self, keys: str) -> Options:
        """The same with more keys."""
        return self._replace(keys=self.keys | frozenset(keys.split()))

    @property
    def of_each(self) -> Options:
        """A map of names to such options, or a list of them."""
        return self._replace(each=True)


def options(keys: str, *, kept: bool = False, **parts: Options) -> Options:
    """Options of these keys."""
    names = frozenset(key.rstrip("_") for key in parts)
    return Options(frozenset(keys.split()) | names, {k.rstrip("_"): o for k, o in parts.items()}, kept=kept)


_PARTS: dict[str, Options] = {}  # a type's parts are types
TYPE = Options(
    frozenset(
        "type items keys values fields choices catalogue min max step unique ordered active default normal which "
        "below_zero where".split()
    ), MappingProxyType(_PARTS), kept=True,
)  # fmt: skip
_PARTS.update(items=TYPE, keys=TYPE, values=TYPE, fields=TYPE.of_each)
FIELD = TYPE.more("derived legal invalid tracked seen_by by_hand transient permanent")
SELECTOR = options("section rule tag by limit").of_each
