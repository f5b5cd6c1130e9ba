"""The words of the mechanics language. Source: the section Words of ``docs/mechanics.md``.

Each takes the world first and is called by the law without it. ``view`` comes from linking: how the file
that uses the word counts players.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from nomicgit.deeds.words import amounts, blog, drawing, looking, rosters, stepping, timing
from nomicgit.gamestate import reading, writing

WORDS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "get": reading.get,
        "read": reading.read,
        "exists": reading.exists,
        "find": looking.find,
        "count": looking.count,
        "id": looking.id_,
        "name": looking.name,
        "catalogue": looking.catalogue,
        "known": looking.known,
        "term": rosters.term,
        "put": blog.put,
        "gain": amounts.gain,
        "spend": amounts.spend,
        "lose": amounts.lose,
        "transfer": amounts.transfer,
        "add": amounts.add,
        "remove": amounts.remove,
        "mark": amounts.mark,
        "create": amounts.create,
        "destroy": writing.destroy,
        "reset": amounts.reset,
        "was": looking.was,
        "changed": looking.changed,
        "players": rosters.players,
        "everyone": rosters.everyone,
        "emperor": reading.emperor,
        "admins": reading.admins,
        "is_player": rosters.is_player,
        "is_idle": reading.is_idle,
        "now": timing.now,
        "cast_at": timing.cast_at,
        "elapsed": timing.elapsed,
        "later": timing.later,
        "span": timing.span_between,
        "start_of": timing.start_of,
        "date": timing.date,
        "weekday": timing.weekday,
        "say": blog.say,
        "comment": writing.comment,
        "comments": blog.comments,
        "entries": blog.entries,
        "mentions": blog.mentions,
        "tell": blog.tell,
        "note": blog.note,
        "ballots": blog.ballots,
        "votes": blog.votes,
        "changes": blog.changes,
        "apply": blog.apply,
        "close": writing.close,
        "roll": drawing.roll,
        "dice": drawing.dice,
        "pick": drawing.pick,
        "shuffle": drawing.shuffle,
        "secretly_roll": drawing.secretly_roll,
        "secretly_dice": drawing.secretly_dice,
        "secretly_pick": drawing.secretly_pick,
        "secretly_shuffle": drawing.secretly_shuffle,
        "require": stepping.require,
        "refuse": stepping.refuse,
        "do": stepping.do,
        "can": stepping.can,
        "use": stepping.use,
        "may_use": stepping.may_use,
        "used": stepping.used,
        "emit": stepping.emit,
        "settle": stepping.settle,
        "deed": stepping.deed,
        "asked": stepping.asked,
        "call": stepping.call,
        "perform": stepping.perform,
        "reveal": stepping.reveal,
        "divide": amounts.divide,
        "total": amounts.total,
    }
)
