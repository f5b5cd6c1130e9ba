"""What somebody may have meant who wrote a name that nothing has: near names of rules, players and variables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from nomicgit.ground.kept import late
from nomicgit.ground.nearness import nearest
from nomicgit.ground.problems import Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.law import paths
from nomicgit.law.law import Law
from nomicgit.law.ruleset import Ruleset
from nomicgit.law.variables import ANY, Type
from nomicgit.physics.state import naming, reading
from nomicgit.physics.state.transaction import Transaction

_TEXT = late(r'"([A-Z][A-Za-z -]{1,39})"')  # a text of the mechanics that could be a tag
SINGLE = ("game", "dynasty")
LONG_WORD, MOST_ASKED = 4, 3  # letters of a word of a title that may be meant; titles that are asked for
NO_POST = "there is no post "  # how a refusal begins of a name that is none's number
NO_DEED = "there is no deed "
OF_DEED = "a deed is named by its commit, as the log and the journal of the site show it"
RULES = {
    "amend": ("rule",), "rename": ("rule",), "move": ("rule", "under", "after", "before"),
    "add-rule": ("under", "after", "before"),
}  # fmt: skip
"""What of a change names a rule; ``repeal`` does by its value, and ``status`` with its keys."""
PLAYERS = {"player": "name", "rename-player": "from"}
"""The changes that name a player, and where."""


def asked(names: Iterable[str]) -> str:
    """The question whether one of some names was meant; "" of none."""
    near = list(dict.fromkeys(names))
    return f"did you mean {' or '.join(near)}?" if near else ""


def near(word: str, known: Iterable[str]) -> list[str]:
    """The names nearest to what was written, whatever the capitals of both."""
    names = {name.casefold(): name for name in known}
    return [names[each] for each in nearest(word.casefold(), names, 2)]


def rule(ruleset: Ruleset, name: str) -> str:
    """Which rules were meant by a name that none has; "" where one has it, or none is near."""
    if ruleset.called(name.strip()):
        return ""
    titles = [placed.title for placed in ruleset.rules]
    return asked(near(name, titles) or near(name, ruleset.by_slug) or _of_a_word(name, titles))


def _of_a_word(name: str, titles: Iterable[str]) -> Iterator[str]:
    """The titles of several words of which one was meant, or the nearest to one."""
    words: dict[str, list[str]] = {}
    for title in titles:
        for word in title.casefold().split():
            if len(word) >= LONG_WORD:
                words.setdefault(word, []).append(title)
    for word in nearest(name.casefold(), words):
        yield from words[word][:MOST_ASKED]


def player(world: Transaction, name: str) -> str:
    """Which players were meant by a name that none has or had; "" where one has it, or none is near."""
    return asked(_players(world, name))


def _players(world: Transaction, name: str) -> list[str]:
    if naming.player_id(world, name) is not None:
        return []
    return near(
        name,
        [
            naming.called(world.store, str(each).partition("/")[2])
            for each in reading.roster(world, idle=True)
        ],
    )


def post(world: Transaction, name: str) -> str:
    """Which post was meant by a name that is no number; "" where one has it, or none was."""
    number = name.strip().removeprefix("#")
    if _is_post(world, number):
        return f"write {number}, the number alone" if name != number else ""
    numbers = titled(world, name)
    return f"a number is wanted: that title is of post {' and '.join(numbers)}" if numbers else ""


def titled(world: Transaction, title: str) -> list[str]:
    """The numbers of the posts of a title, or of the one nearest to it; of those that are pending, where any is."""
    titles: dict[str, list[str]] = {}
    for ref in reading.find(world, "posts")[-MOST_TITLES:]:
        titles.setdefault(_plain(str(world.store.value(ref, "title"))), []).append(ref)
    long = len(_plain(title)) >= LONG
    refs = titles.get(_plain(title)) or [
        ref for each in (nearest(_plain(title), titles) if long else ()) for ref in titles[each]
    ]
    pending = [ref for ref in refs if world.store.value(ref, "status") == "pending"]
    return [ref.partition("/")[2] for ref in pending or refs]


def _plain(title: str) -> str:
    return " ".join(title.casefold().split())


def numbered(world: Transaction, name: str) -> str:
    """The id of the post of a number; Refused with what to write where there is none."""
    try:
        return naming.identified(world, "posts", name, Type("post"))
    except Refused as error:
        raise Refused.of(
            error.problems[0].what, mend=post(world, name) or remedy("see:", command("nomicgit", "posts"))
        ) from None


def swapped(
    world: Transaction, parameters: Mapping[str, Type], given: Mapping[str, object]
) -> tuple[str, str]:
    """Of what was given the post's number and what stands in its place, where these have changed places; else nothing."""
    for name, kind in parameters.items():
        stands = given.get(name)
        if kind.kind in ("post", "matter") and isinstance(stands, str) and not _is_post(world, stands):
            numbers = (
                str(value) for other, value in given.items() if other != name and _is_post(world, str(value))
            )
            return next(((number, stands) for number in numbers), ("", ""))
    return "", ""


def apart(
    world: Transaction, parameters: Mapping[str, Type], given: Mapping[str, object]
) -> tuple[str, list[str]]:
    """The number of the post whose title was written word by word, without quotes, and what stood behind it; else nothing."""
    words = " ".join(str(value) for value in given.values()).split()
    posts = [given.get(name) for name, kind in parameters.items() if kind.kind in ("post", "matter")]
    if not any(isinstance(each, str) and not _is_post(world, each) for each in posts):
        return "", []
    refs = reading.find(world, "posts")[-MOST_TITLES:]
    titles = {tuple(_plain(str(world.store.value(ref, "title"))).split()): ref for ref in refs}
    for many in range(len(words), 1, -1):
        ref = titles.get(tuple(_plain(" ".join(words[:many])).split()))
        if ref is not None:
            return ref.partition("/")[2], words[many:]
    return "", []


MOST_ENTITIES = 400  # of a collection, among which one is looked for
MOST_TITLES = 500  # posts whose titles are looked at
LONG = 5  # letters of a title from which on it may be misspelt
DIGITS = 18  # of a number that could be a post's


def _is_post(world: Transaction, text: str) -> bool:
    return (
        text.isascii()
        and text.isdecimal()
        and len(text) <= DIGITS
        and world.store.fields(f"posts/{int(text)}") is not None
    )


def path(world: Transaction, written: str) -> str:
    """Which variable, or whose, was meant by a path at which nothing is declared, or of a player who is none."""
    if "/" in written and paths.is_path(dotted := written.replace("/", ".")):
        return path(world, dotted) or asked([dotted])
    if not paths.is_path(written):
        return ""
    kind, *rest = paths.segments(written)
    kinds = (*SINGLE, "players", "posts", *world.law.declared.collections)
    if kind not in kinds:
        return asked(".".join((each, *rest)) for each in near(kind, kinds)) or asked(
            _alone(world, kind, rest)
        )
    if kind == "players" and rest and (meant := _players(world, rest[0])):
        return asked(".".join((kind, each, *rest[1:])) for each in meant)
    place = 0 if kind in SINGLE else 1
    if len(rest) <= place or type_at(world.law, written) is not None:
        return ""
    names = [each.name for each in world.law.by_kind.get(kind, ())]
    return asked(
        ".".join((kind, *rest[:place], each, *rest[place + 1 :])) for each in near(rest[place], names)
    )


def of_tags(world: Transaction, matter: str) -> Iterator[str]:
    """Which of a matter's tags no rule speaks of, and which was meant: a tag may be whatever
    the mechanics of a rule that looks at tags call by a text.
    """
    spoken = {
        text.casefold(): text
        for placed in world.ruleset.rules
        if placed.status == "active" and "tags" in placed.mechanics
        for text in _TEXT.findall(placed.mechanics)
    }
    for tag in reading.get(world, matter, "tags") or ():
        if str(tag).casefold() not in spoken:
            near = nearest(str(tag).casefold(), spoken)
            near_one = f": did you mean {spoken[near[0]]}?" if near else ", so it does nothing"
            yield f"no rule speaks of the tag {printable(str(tag), 60)}{near_one}"


def _entity(world: Transaction, kind: str, name: str) -> str:
    """Which of a collection was meant by a name that none of it has, among those that all may see; "" of a secret one."""
    collection = world.law.declared.collections[kind]
    if collection.tracked != "public" or reading.exists(
        world, f"{kind}/{naming.entity_id(world, kind, name)}"
    ):
        return ""
    refs, field = reading.find(world, kind)[:MOST_ENTITIES], world.law.variable(kind, collection.called)
    names = [ref.partition("/")[2] for ref in refs]
    if field is not None and field.tracked == "public":
        names += [str(called) for ref in refs if (called := reading.get(world, ref, field.name, None))]
    return asked(near(name, names))


def type_at(law: Law, path: str) -> Type | None:
    """The type of what stands at a path, as far as the law declares it; None of what no rule in force declares.

    ``any`` is what the law leaves open, such as the fields of a whole entity.
    """
    if not paths.is_path(path):
        return None
    kind, *rest = paths.segments(path)
    inside = rest if kind in reading.SINGLE_KINDS else rest[1:]
    if kind not in ("players", "posts", *reading.SINGLE_KINDS, *law.declared.collections):
        return None
    if not inside:
        return ANY if rest else None
    declared = law.variable(kind, inside[0]) or law.variable(kind, inside[0].replace("-", "_"))
    kind_there = declared.type if declared is not None else reading.KEPT.get(kind, {}).get(inside[0])
    for part in inside[1:]:
        kind_there = kind_there and (kind_there.fields.get(part) or kind_there.values or ANY)
    return kind_there


def _alone(world: Transaction, name: str, rest: Iterable[str]) -> Iterator[str]:
    """The paths of what is called by a name that stands where a kind must: players, entities, variables of the game."""
    who = naming.player_id(world, name)
    players = [naming.called(world.store, who)] if who is not None else _players(world, name)
    yield from (".".join(("players", each, *rest)) for each in players)
    for kind, collection in world.law.declared.collections.items():
        if collection.tracked == "public" and world.store.fields(f"{kind}/{name}") is not None:
            yield ".".join((kind, name, *rest))
    names = [each.name for each in world.law.by_kind.get("game", ()) if each.tracked == "public"]
    yield from (".".join(("game", each, *rest)) for each in ([name] if name in names else near(name, names)))


def of_change(world: Transaction, change: object) -> Iterator[str]:
    """What was meant by the names of a change that lead nowhere."""
    for form, value in change.items() if isinstance(change, Mapping) else ():
        yield from filter(None, _of_form(world, str(form), value))
        for each in value if form == "together" and isinstance(value, list) else ():
            yield from of_change(world, each)


def _of_form(world: Transaction, form: str, value: object) -> Iterator[str]:
    if form == "repeal" and isinstance(value, str):
        yield rule(world.ruleset, value)
    if form == "undo" and world.context.history.deed(str(value)) is None:
        yield OF_DEED
    if not isinstance(value, Mapping):
        return
    if form == "status":
        yield from (rule(world.ruleset, str(name)) for name in value)
    elif form == "set":
        yield from (path(world, str(each)) for each in value)
    elif form in PLAYERS:
        yield player(world, str(value.get(PLAYERS[form])))
    elif form == "scenario" and value.get("text") is None:
        name, names = str(value.get("name")), list(world.store.ids("scenarios"))
        yield asked(near(name, names) if name not in names else ())
    else:
        named = (value.get(key) for key in RULES.get(form, ()))
        yield from (rule(world.ruleset, name) for name in named if isinstance(name, str))
    if form == "amend" and value.get("in") == "declarations" and isinstance(value.get("set"), Mapping):
        for placed in world.ruleset.called(str(value.get("rule")))[:1]:
            yield from (_declared(placed.front, str(each)) for each in value["set"])


def _declared(declarations: Mapping[str, object], written: str) -> str:
    """Which path of a rule's declarations was meant by one of which a part is none of their names; "" where none is near."""
    if not paths.is_path(written):
        return ""
    inside: object = declarations
    parts = paths.segments(written)
    for place, part in enumerate(parts[:-1]):
        if not isinstance(inside, Mapping):
            return ""
        if part not in inside:
            return asked(".".join((*parts[:place], each, *parts[place + 1 :])) for each in near(part, inside))
        inside = inside[part]
    return ""


def of_given(
    world: Transaction, parameters: Mapping[str, Type], given: Mapping[str, object], what: str
) -> Iterator[str]:
    """What was meant by the names that an action was given for players, rules, choices and entries of catalogues.

    ``what`` is the refusal: what was meant by the parameters of which it speaks, by their names or by what was given.
    """
    spoken = what.partition(":")[0].replace("-", "_")
    for name, kind in parameters.items():
        value = given.get(name, given.get(name.replace("_", "-")))
        if spoken == name or (spoken not in parameters and _quotes(what, value)):
            yield from _of_value(world, kind, value)


def _quotes(what: str, value: object) -> bool:
    """Whether a refusal repeats a value, or part of it."""
    if isinstance(value, Mapping | list):
        inside = [*value, *value.values()] if isinstance(value, Mapping) else value
        return any(_quotes(what, each) for each in inside)
    return isinstance(value, str) and bool(value.strip()) and value in what


def _of_value(world: Transaction, kind: Type, value: object) -> Iterator[str]:
    """What was meant by the names in a value, and in all that it holds."""
    if kind.kind == "entry" and isinstance(value, Mapping):
        value = value.get("action")
    if isinstance(value, list):
        for each in value if kind.items else ():
            yield from _of_value(world, kind.items or ANY, each)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _of_value(world, kind.keys or ANY, key)
            yield from _of_value(world, kind.fields.get(str(key)) or kind.values or ANY, inner)
    elif isinstance(value, str) and kind.kind == "player":
        yield player(world, value)
    elif isinstance(value, str) and kind.kind == "rule":
        yield rule(world.ruleset, value)
    elif isinstance(value, str) and kind.kind in world.law.declared.collections:
        yield _entity(world, kind.kind, value)
    elif isinstance(value, str):
        names = kind.choices or world.law.declared.catalogues.get(kind.catalogue or kind.kind, ())
        yield "" if value in names else asked(near(value, map(str, names)))
