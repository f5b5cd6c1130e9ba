"""The words of the mechanics language. Source: Words, in ``docs/mechanics.md``.

Each takes the world first and is called by the law without it. ``view`` comes from linking: how the file
that uses the word counts players.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from nomicgit.physics.deeds import acting
from nomicgit.physics.physics import Word
from nomicgit.physics.state import reading, resetting, writing
from nomicgit.physics.words import amounts, blog, drawing, looking, stepping, timing

WORDS: Mapping[str, Word] = MappingProxyType(
    {
        "get": Word(reading.get, names=2, large=True),
        "read": Word(reading.whole_entity, names=1),
        "exists": Word(reading.exists),
        "find": Word(looking.find, names=1, large=True),
        "count": Word(looking.count, names=1),
        "id": Word(looking.id_, names=1),
        "name": Word(looking.name),
        "catalogue": Word(looking.catalogue, names=1),
        "known": Word(looking.known, names=1),
        "term": Word(acting.term, names=1),
        "put": Word(writing.put, names=1),
        "gain": Word(amounts.gain, names=2),
        "spend": Word(writing.spend, names=2),
        "lose": Word(amounts.lose, names=2),
        "transfer": Word(amounts.transfer, names=3),
        "add": Word(amounts.add, names=2),
        "remove": Word(amounts.remove, names=2),
        "mark": Word(amounts.mark, names=2),
        "create": Word(amounts.create, names=1),
        "destroy": Word(writing.destroy, names=1),
        "reset": Word(resetting.reset, names=1),
        "was": Word(looking.was, names=2),
        "changed": Word(looking.changed),
        "players": Word(looking.players, roster=True, large=True),
        "everyone": Word(looking.everyone, roster=True, large=True),
        "emperor": Word(reading.emperor),
        "admins": Word(reading.admins, large=True),
        "is_player": Word(looking.is_player, roster=True),
        "is_idle": Word(reading.is_idle),
        "now": Word(timing.now),
        "cast_at": Word(timing.cast_at),
        "elapsed": Word(timing.elapsed),
        "later": Word(timing.later),
        "span": Word(timing.span_between),
        "start_of": Word(timing.start_of, names=1),
        "date": Word(timing.date),
        "weekday": Word(timing.weekday),
        "say": Word(blog.say, names=1),
        "comment": Word(writing.comment, names=1),
        "comments": Word(reading.comments, names=1, large=True),
        "entries": Word(blog.entries, names=1, large=True),
        "mentions": Word(blog.mentions),
        "tell": Word(blog.tell, names=1),
        "note": Word(blog.note),
        "ballots": Word(blog.ballots, names=1, large=True),
        "votes": Word(blog.votes, names=1, large=True),
        "changes": Word(blog.changes, names=1),
        "apply": Word(blog.apply),
        "close": Word(writing.close, names=1),
        "roll": Word(drawing.OPENLY.roll),
        "dice": Word(drawing.OPENLY.dice),
        "pick": Word(drawing.OPENLY.pick),
        "shuffle": Word(drawing.OPENLY.shuffle),
        "secretly_roll": Word(drawing.SECRETLY.roll),
        "secretly_dice": Word(drawing.SECRETLY.dice),
        "secretly_pick": Word(drawing.SECRETLY.pick),
        "secretly_shuffle": Word(drawing.SECRETLY.shuffle),
        "require": Word(stepping.require),
        "refuse": Word(stepping.refuse),
        "do": Word(stepping.do, names=1),
        "can": Word(stepping.can, names=1),
        "use": Word(stepping.use, names=1),
        "may_use": Word(stepping.may_use, names=1),
        "used": Word(stepping.used, names=1),
        "emit": Word(stepping.emit, names=1),
        "settle": Word(stepping.settle),
        "deed": Word(stepping.deed),
        "asked": Word(stepping.asked, names=1),
        "call": Word(stepping.call, names=1),
        "perform": Word(stepping.perform),
        "perform_as": Word(stepping.perform_as),
        "reveal": Word(stepping.reveal, names=2),
        "divide": Word(amounts.divide),
        "total": Word(amounts.total),
        "reaches": Word(amounts.reaches),
        "digest": Word(amounts.digest),
    }
)
