"""What is special to each edition as tests play it: one module an edition, the same values in each."""

from __future__ import annotations

from collections.abc import Mapping

from support.editions import assassin, crypt, dungeon, steam, werewolf
from support.practice import Practice
from support.repealing import Table

_EACH = (assassin, crypt, dungeon, steam, werewolf)
PRACTICES: Mapping[str, Practice] = {each.PRACTICE.edition: each.PRACTICE for each in _EACH}
TABLES: Mapping[str, Table] = {each.TABLE.edition: each.TABLE for each in _EACH}
