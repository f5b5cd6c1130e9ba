"""The words of the mechanics language. Source: the section Words of ``docs/mechanics.md``.

Each takes the world first and is called by the law without it. ``view`` comes from linking: how the file
that uses the word counts players.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType, ModuleType
from typing import Any

from nomicgit import clock
from nomicgit.declarations import underscored
from nomicgit.deeds import acting, limits, units
from nomicgit.gamestate import reading, writing
from nomicgit.gamestate.store import WHOLE, kind_of
from nomicgit.gamestate.world import Draw, World
from nomicgit.problems import Defect, Refused
from nomicgit.values import lawful
from nomicgit.variables import MISSING

MAX_DICE = 10_000


# Looking.


def id_(world: World, ref: Any) -> str:
    """The id of a ref."""
    return _text(ref).partition("/")[2] or _text(ref)


def name(world: World, ref: Any) -> str:
    """A player's name; of anything else its name or id."""
    if ref is None:
        return "nobody"
    found = world.store.value(_text(ref), "name") if "/" in _text(ref) else MISSING
    return found if isinstance(found, str) and found else id_(world, ref)


def catalogue(world: World, table: str) -> dict[str, Any]:
    """A table, merged of all rules in force."""
    if table not in world.law.declared.catalogues:
        raise Defect.of(f"no rule in force declares a catalogue {table}")
    return dict(world.law.declared.catalogues[table])


def known(world: World, what: str) -> bool:
    """Whether a function, variable, catalogue or collection of that name is in force."""
    tables, plain = world.law.declared, underscored(what)
    return (
        world.law.has(plain) or what in tables.catalogues or what in tables.collections
        or any(v == plain for _, v in tables.variables)
    )  # fmt: skip


def find(world: World, kind: str, /, **wanted: Any) -> list[str]:
    """All of a kind whose fields have these values."""
    return reading.find(
        world, kind, **{k.rstrip("_") if k.endswith("_") else k: v for k, v in wanted.items()}
    )


def count(world: World, kind: str, /, **wanted: Any) -> int:
    """How many of a kind have these values."""
    return len(find(world, kind, **wanted))


def was(world: World, ref: str, variable: str) -> Any:
    """The stored value when the unit under way began; None for what did not exist."""
    world.looks_at_step()
    kind, mark = kind_of(ref), world.units[-1]
    declared = world.law.variable(kind, variable)
    for change in world.store.since(mark):
        if change.ref == ref and change.field == "created":
            return None
    found = world.store.before(ref, variable, mark)
    if found is MISSING:
        return (
            reading.get(world, ref, variable)
            if world.store.value(ref, variable) is MISSING
            else _start(world, ref, variable)
        )
    kept = declared.type if declared else reading.KEPT.get(kind, {}).get(variable)
    return lawful(world, kept, found) if kept else found


def _start(world: World, ref: str, variable: str) -> Any:
    declared = world.law.variable(kind_of(ref), variable)
    return lawful(world, declared.type, reading.start(world, ref, declared)) if declared else None


def changed(world: World) -> list[dict[str, Any]]:
    """Everything that the deed has changed so far, net: ``{path, old, new, public}``."""
    world.looks_at_step()
    return [
        {"path": e["path"], "old": e["old"], "new": e["new"], "public": e["public"]}
        for e in effects(world, made=True)
    ]


def effects(world: World, *, made: bool = False) -> list[dict[str, Any]]:
    """The net effects of the deed so far, values in the form of files; fields that only the program keeps left out.

    ``made``: with the fields of what came into being, too.
    """
    first: dict[tuple[str, str], Any] = {}
    for change in world.store.since(0):
        kind = kind_of(change.ref)
        if kind == "open" or change.field in ("made", "frozen"):
            continue
        if change.field == "destroyed":
            _whole(first, change.ref, change.old[1])
        elif change.field == "created":
            _whole(first, change.ref, dict.fromkeys(world.store.fields(change.ref) or {} if made else {}))
        elif change.field != "comments":
            first.setdefault((change.ref, change.field), change.old)
    found = []
    for (ref, field), old in first.items():
        new = world.store.value(ref, field)
        declared = world.law.variable(kind_of(ref), field)
        if old is MISSING and declared is not None:
            old = reading.start(world, ref, declared)
        old, new = (None if v is MISSING else v for v in (old, new))
        if old != new:
            secret = declared is not None and (declared.tracked != "public" or declared.transient)
            path = ref.replace("/", ".") + "." + field
            found.append(
                {
                    "ref": ref,
                    "field": field,
                    "path": path,
                    "old": old,
                    "new": new,
                    "public": not secret and field != "uses",
                }
            )
    return found if made else [*_comings(world), *found]


def _comings(world: World) -> list[dict[str, Any]]:
    """The entities that the deed made or took away, as effects: ``created`` and ``destroyed`` with all their fields."""
    found, seen = [], set()
    for change in world.store.since(0):
        if change.field not in WHOLE or change.ref in seen or change.ref.startswith(("posts/", "scenarios/")):
            continue
        seen.add(change.ref)
        old, new = change.old[1] if change.field == "destroyed" else None, world.store.fields(change.ref)
        if (old is None) != (new is None):
            field = "created" if old is None else "destroyed"
            new = None if new is None else dict(new)
            found.append(
                {"ref": change.ref, "field": field, "path": "", "old": old, "new": new, "public": False}
            )
    return found


def _whole(first: dict[tuple[str, str], Any], ref: str, fields: Mapping[str, Any]) -> None:
    for field, value in fields.items():
        if field != "made":
            first.setdefault((ref, field), value)


# The roster and its roles.


def players(world: World, view: str = "") -> list[str]:
    """The active players, as the rule counts them, in order of joining."""
    return reading.roster(world, _view(world, view))


def everyone(world: World, view: str = "") -> list[str]:
    """Idle players too."""
    return reading.roster(world, _view(world, view), idle=True)


def is_player(world: World, ref: Any, view: str = "") -> bool:
    """Whether a ref counts as a player in the rule."""
    return reading.is_player(world, ref, _view(world, view))


def _view(world: World, view: str) -> str:
    return world.law.run_view if view == "run" else view


def term(world: World, role: str) -> str:
    """A role's name now."""
    return acting.term(world, role)


# Time.


def now(world: World) -> str:
    """The time of the deed, or of the event under way."""
    return world.time()


def cast_at(world: World) -> str:
    """A late event's own time."""
    world.looks_at_step()
    return clock.text(world.cast_at)


def elapsed(world: World, at: Any, span: str, more: bool = False) -> bool:
    """Whether at least (with ``more``, more than) a span has passed since a time; true for None."""
    if at is None:
        return True
    due = clock.shift(reading.seconds(at), clock.span(_text(span))) + bool(more)
    world.waits(due)
    return world.now >= due


def later(world: World, at: Any, span: str) -> str:
    """The instant a span after a time."""
    return clock.text(clock.shift(reading.seconds(at), clock.span(_text(span))))


def span_between(world: World, a: Any, b: Any) -> int:
    """Seconds from a to b."""
    return reading.seconds(b) - reading.seconds(a)


def start_of(world: World, unit: str, at: Any = None) -> str:
    """When the day, week, month or year of a time began, in the game's zone."""
    if at is None:
        world.waits(world.calendar.next_start(unit, world.now))
    return clock.text(world.calendar.start_of(unit, world.now if at is None else reading.seconds(at)))


def date(world: World, at: Any) -> str:
    """The date of a time in the game's zone."""
    when = reading.seconds(at)
    if when == world.now:
        world.waits(world.calendar.next_start("day", when))
    return world.calendar.date(when)


def weekday(world: World, at: Any) -> str:
    """The day of the week of a time in the game's zone."""
    when = reading.seconds(at)
    if when == world.now:
        world.waits(world.calendar.next_start("day", when))
    return world.calendar.weekday(when)


# Amounts and members.


def gain(world: World, ref: str, variable: str, n: Any) -> None:
    """Add to a number."""
    writing.set_amount(world, ref, variable, writing.amount(world, ref, variable) + writing.positive(n))


def spend(world: World, ref: str, variable: str, n: Any) -> None:
    """Take from a number, or refuse below its minimum."""
    has, least = writing.amount(world, ref, variable), writing.minimum(world, ref, variable)
    if least is not None and has - writing.positive(n) < least:
        raise Refused.of(f"{variable}: that takes {n}, and there is {has}")
    writing.set_amount(world, ref, variable, has - writing.positive(n))


def lose(world: World, ref: str, variable: str, n: Any) -> int | float:
    """Take from a number as far as it goes; returns what was taken."""
    has, least = writing.amount(world, ref, variable), writing.minimum(world, ref, variable)
    gone = writing.positive(n) if least is None else max(0, min(writing.positive(n), has - least))
    writing.set_amount(world, ref, variable, has - gone)
    return gone


def transfer(world: World, giver: str, taker: str, variable: str, n: Any) -> int | float:
    """Take from one as far as it goes and add it to another; returns what moved."""
    moved = lose(world, giver, variable, n)
    gain(world, taker, variable, moved)
    return moved


def add(world: World, ref: str, variable: str, x: Any) -> None:
    """Put something into a list or set; what is there already changes nothing in a set or a list without repeats."""
    found = reading.get(world, ref, variable) or []
    declared = world.law.variable(kind_of(ref), variable)
    single = declared is not None and (declared.type.kind == "set" or declared.type.unique)
    if not (single and x in found):
        writing.put(world, ref, **{variable: [*found, x]})


def remove(world: World, ref: str, variable: str, x: Any) -> None:
    """Take something out of a list, set or map, once; what is not there changes nothing."""
    found = reading.get(world, ref, variable)
    if isinstance(found, dict):
        writing.put(world, ref, **{variable: {k: v for k, v in found.items() if k != x}})
    elif found and x in found:
        rest = list(found)
        rest.remove(x)
        writing.put(world, ref, **{variable: rest})


def mark(world: World, ref: str, variable: str, key: Any, value: Any) -> None:
    """Set a key of a map; None takes it out."""
    found = dict(reading.get(world, ref, variable) or {})
    if value is None:
        found.pop(key, None)
    else:
        found[key] = value
    writing.put(world, ref, **{variable: found})


def create(world: World, collection: str, /, id: Any = None, **fields: Any) -> str:
    """Make an entity; returns its ref."""
    name_ = fields.pop("name_", MISSING)
    if name_ is not MISSING:
        fields["name"] = name_
    given = str(id).rpartition("/")[2] if id is not None else None
    return writing.create(world, collection, given, **fields)


def reset(world: World, ref: str, only: str = "") -> list[str]:
    """Declared variables to their defaults; returns their names."""
    return writing.reset(world, ref, only)


# Posts.


def say(world: World, kind: str, title: Any, body: Any, /, author: Any = None, **fields: Any) -> str:
    """Make a post; returns its ref."""
    ref = writing.say(world, kind, title, body, author=author, **fields)
    if "changes" in fields or "changes_" in fields:
        _amending().bind(world, ref)
    return ref


def put(world: World, ref: Any, /, **fields: Any) -> None:
    """Write fields of an entity."""
    writing.put(world, ref, **fields)
    if ("changes" in fields or "changes_" in fields) and kind_of(ref) == "posts":
        _amending().bind(world, ref)


def changes(world: World, matter: Any) -> list[dict[str, Any]]:
    """The changes that a matter brings, each with what laws ask of it."""
    found: list[dict[str, Any]] = _amending().changes(world, matter)
    return found


def apply(world: World, change: Any, counting: Sequence[str] = ()) -> str:
    """Carry out one change; nothing, or why it was not made."""
    return str(_amending().apply(world, change, counting))


def _amending() -> ModuleType:
    from nomicgit.deeds import amending  # here: most deeds change no law, and amending takes long to load

    return amending


def comments(world: World, post: str, last: Any = None) -> list[dict[str, Any]]:
    """The comments of a post, oldest first; of ``last`` only so many, the newest."""
    if last is not None and (isinstance(last, bool) or not isinstance(last, int)):
        raise Defect.of(f"{last!r} is no number of comments")
    return reading.comments(world, post, last)


def entries(world: World, player: str, span: str | None = None) -> list[dict[str, Any]]:
    """A player's own posts and comments, newest first; those exactly a span ago included."""
    since = clock.text(clock.shift(world.now, clock.negated(clock.span(_text(span))))) if span else ""
    who, found = id_(world, player), []
    recent = writing.stored(world, "open", "recent", {})
    short = bool(since) and world.now - clock.instant(since) <= writing.RECENT
    for number in recent if short else world.store.ids("posts"):
        ref = f"posts/{number}"
        post = world.store.fields(ref)
        if post is None:
            continue
        if post.get("author") == who:
            found.append(
                (
                    post["at"],
                    int(number),
                    -1,
                    {"kind": post["kind"], "title": post["title"], "text": post["body"]},
                )
            )
        for n, said in enumerate(world.store.comments(ref)):
            if said.get("by") == who:
                found.append(
                    (
                        said["at"],
                        int(number),
                        n,
                        {"kind": "comment", "title": "", "text": said.get("text", "")},
                    )
                )
    found.sort(key=lambda entry: entry[:3], reverse=True)
    if span:
        world.read("posts/*", "comments")
        for at, *_ in found:
            world.waits(clock.shift(clock.instant(at), clock.span(span)) + 1)
    return [{"at": at, "post": f"posts/{n}", **entry} for at, n, _, entry in found if at >= since]


def mentions(world: World, text: Any, word: Any) -> bool:
    """Whether a text has a word: whole, case ignored."""
    wanted = _text(word).strip()
    if not wanted:
        return False
    pattern = re.escape(wanted).replace(r"\ ", r"\s+")
    before, after = (r"(?<!\w)" if wanted[0].isalnum() else "", r"(?!\w)" if wanted[-1].isalnum() else "")
    return re.search(before + pattern + after, _text(text), re.IGNORECASE) is not None


def tell(world: World, player: str, text: Any, *, public: bool = False) -> None:
    """Send a private message; a ``public`` one says nothing secret, and stands in the journal where nothing can be kept so."""
    world.must_write()
    if world.store.fields(_text(player)) is None:
        raise Refused.of(f"there is no player {id_(world, player)}")
    if public and not world.secrets:
        note(world, f"To {id_(world, player)}: {_text(text)}")
        return
    world.told.append((id_(world, player), _text(text)))


def note(world: World, text: Any) -> None:
    """A line in the journal."""
    world.must_write()
    world.notes.append(" ".join(_text(text).split()))


def ballots(world: World, matter: str) -> dict[str, list[str]]:
    """Every icon that each voter has cast, oldest first: ``{player: [icon]}``."""
    found: dict[str, list[str]] = {}
    world.read(matter, "comments")
    for said in world.store.comments(matter):
        if said.get("icon") and said.get("by"):
            found.setdefault(f"players/{said['by']}", []).append(said["icon"])
    return found


def votes(world: World, matter: str) -> list[dict[str, Any]]:
    """Every comment with an icon, oldest first: ``{by, icon, text, at}``."""
    return [said for said in reading.comments(world, matter) if said["icon"]]


# Chance.


def roll(world: World, sides: Any) -> int:
    """A die in the open; 0 of zero sides or fewer."""
    return _roll(world, sides, secret=False)


def secretly_roll(world: World, sides: Any) -> int:
    """A die that only the emperor sees."""
    return _roll(world, sides, secret=True)


def dice(world: World, n: Any, sides: Any) -> list[int]:
    """Several dice in the open."""
    return [_roll(world, sides, secret=False) for _ in range(_number(n, MAX_DICE))]


def secretly_dice(world: World, n: Any, sides: Any) -> list[int]:
    """Several dice that only the emperor sees."""
    return [_roll(world, sides, secret=True) for _ in range(_number(n, MAX_DICE))]


def pick(world: World, options: Any) -> Any:
    """One of a list, drawn in the open; None of none."""
    return _pick(world, options, secret=False)


def secretly_pick(world: World, options: Any) -> Any:
    """One of a list; only the emperor sees the draw."""
    return _pick(world, options, secret=True)


def shuffle(world: World, options: Any) -> list[Any]:
    """A list in a random order, drawn in the open."""
    return _shuffle(world, options, secret=False)


def secretly_shuffle(world: World, options: Any) -> list[Any]:
    """A list in a random order that only the emperor sees drawn."""
    return _shuffle(world, options, secret=True)


def _number(n: Any, most: int) -> int:
    if isinstance(n, bool) or not isinstance(n, int) or n > most:
        raise Refused.of(f"{n} dice are not rolled at once")
    return max(0, n)


def _roll(world: World, sides: Any, *, secret: bool) -> int:
    world.must_write()
    if isinstance(sides, bool) or not isinstance(sides, int):
        raise Defect.of(f"{sides!r} is no number of sides")
    if sides <= 0:
        return 0
    face = world.chance.die(sides, secret=secret)
    world.draws.append(Draw(f"d{sides}", str(face), secret))
    return face


def _pick(world: World, options: Any, *, secret: bool) -> Any:
    world.must_write()
    if not isinstance(options, list):
        raise Defect.of("pick takes a list")
    if len(options) < 2:
        return options[0] if options else None
    shown = [shown_option(world, option) for option in options]
    place = world.chance.choice(shown, secret=secret)
    world.draws.append(Draw(f"one of {len(options)}", shown[place], secret))
    return options[place]


def shown_option(world: World, option: Any) -> str:
    """A thing to choose as scenarios and journals write it: of a ref the id."""
    text = str(option)
    kind, _, rest = text.partition("/")
    return rest if kind in ("players", "posts", "rules") or kind in world.law.declared.collections else text


def _shuffle(world: World, options: Any, *, secret: bool) -> list[Any]:
    if not isinstance(options, list):
        raise Defect.of("shuffle takes a list")
    rest, found = list(options), []
    while rest:
        found.append(_pick(world, rest, secret=secret))
        rest.remove(found[-1])
    return found


# Steps, refusals, limits, events.


def require(world: World, condition: Any, reason: str) -> None:
    """Refuse the unit under way unless a condition holds."""
    if not condition:
        raise Refused.of(_text(reason))


def refuse(world: World, why: Any) -> None:
    """Refuse the unit under way where there is a reason."""
    if why:
        raise Refused.of(_text(why))


def do(world: World, action: str, actor: Any, /, **given: Any) -> Any:
    """Another action as a step."""
    world.must_write()
    return acting.perform(world, _text(action), actor, given)


def can(world: World, action: str, actor: Any, /, **given: Any) -> str:
    """Nothing, or the refusal that an action would meet."""
    return acting.why_not(world, _text(action), actor, given)


def use(world: World, limit: str, who: Any, *key: Any) -> None:
    """Use a limit once more, or refuse."""
    limits.use(world, limit, who, _key(world, limit, key))


def may_use(world: World, limit: str, who: Any, *key: Any) -> bool:
    """Whether a limit could be used once more."""
    return limits.why_not(world, limit, who, _key(world, limit, key)) == ""


def used(world: World, limit: str, who: Any, *key: Any) -> int:
    """How often a limit was used in its period."""
    return limits.used(world, limit, who, _key(world, limit, key))


def _key(world: World, limit: str, key: tuple[Any, ...]) -> str:
    declared = world.law.declared.limits.get(limit)
    if not key:
        world.looks_at_step()
    action = str(key[0]) if key else (world.steps[-1].action if world.steps else limit)
    return limits.key_of(declared, action, key[1:])


def emit(world: World, event: str, *arguments: Any) -> None:
    """Let other rules hear of something."""
    world.must_write()
    units.emit(world, _text(event), *arguments)


def settle(world: World) -> None:
    """Run the settles now."""
    world.must_write()
    units.settle(world)


def deed(world: World) -> dict[str, Any]:
    """``{actor, action, with, matter}`` of the nearest step, or of the deed."""
    world.looks_at_step()
    if not world.steps:
        return {"actor": None, "action": None, "with": {}, "matter": None}
    step = world.steps[-1]
    return {
        "actor": step.actor,
        "action": f"actions/{step.action}",
        "with": dict(step.given),
        "matter": step.matter,
    }


def asked(world: World, parameter: str, otherwise: Any = None) -> Any:
    """A parameter of the step or deed under way."""
    world.looks_at_step()
    return world.steps[-1].given.get(underscored(parameter), otherwise) if world.steps else otherwise


def call(world: World, function: str, /, *arguments: Any, **named: Any) -> Any:
    """A function by its name."""
    plain = underscored(_text(function))
    law = world.running if world.running is not None and world.running.has(plain) else world.law
    if not law.has(plain):
        raise Defect.of(f"no rule in force defines {plain}")
    return world.call(plain, *arguments, law=law, **named)


def perform(world: World, code: Any, /, **given: Any) -> Any:
    """Run a value of type mechanics as a function's body, with these parameters."""
    if code is None or code == "":
        return None
    return _amending().perform(world, _text(code), "the mechanics of a value", given)


def reveal(world: World, ref: str, variable: str) -> Any:
    """Tell everyone a secret value: a line in the journal; returns it."""
    world.must_write()
    value = reading.get(world, ref, variable)
    world.notes.append(f"Revealed: {variable} of {shown_option(world, ref)} is {shown_option(world, value)}.")
    return value


# Numbers.


def divide(world: World, a: Any, b: Any) -> int:
    """A quotient, rounded towards zero."""
    if not isinstance(a, int) or not isinstance(b, int) or b == 0:
        raise Defect.of(f"{a!r} cannot be divided by {b!r}")
    found = abs(a) // abs(b)
    return found if (a < 0) == (b < 0) else -found


def total(world: World, numbers: Any) -> int | float:
    """A sum."""
    if not isinstance(numbers, Sequence) or not all(isinstance(n, int | float) for n in numbers):
        raise Defect.of("total takes a list of numbers")
    return sum(numbers)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise Defect.of(f"{value!r} is no text")
    return value


WORDS: Mapping[str, Callable[..., Any]] = MappingProxyType({
    "get": reading.get, "read": reading.read, "exists": reading.exists, "find": find, "count": count, "id": id_,
    "name": name, "catalogue": catalogue, "known": known, "term": term, "put": put, "gain": gain,
    "spend": spend, "lose": lose, "transfer": transfer, "add": add, "remove": remove, "mark": mark,
    "create": create, "destroy": writing.destroy, "reset": reset, "was": was, "changed": changed,
    "players": players, "everyone": everyone, "emperor": reading.emperor, "admins": reading.admins,
    "is_player": is_player, "is_idle": reading.is_idle, "now": now, "cast_at": cast_at, "elapsed": elapsed,
    "later": later, "span": span_between, "start_of": start_of, "date": date, "weekday": weekday, "say": say,
    "comment": writing.comment, "comments": comments, "entries": entries, "mentions": mentions, "tell": tell,
    "note": note, "ballots": ballots, "votes": votes, "changes": changes, "apply": apply,
    "close": writing.close, "roll": roll, "dice": dice, "pick": pick, "shuffle": shuffle,
    "secretly_roll": secretly_roll, "secretly_dice": secretly_dice, "secretly_pick": secretly_pick,
    "secretly_shuffle": secretly_shuffle, "require": require, "refuse": refuse, "do": do, "can": can, "use": use,
    "may_use": may_use, "used": used, "emit": emit, "settle": settle, "deed": deed, "asked": asked, "call": call,
    "perform": perform, "reveal": reveal, "divide": divide, "total": total,
})  # fmt: skip
