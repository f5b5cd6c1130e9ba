"""Declaring: from what a rule writes to types, and whether names, spans, times and keys are sound.

Source: ``docs/mechanics.md``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.ground import files
from nomicgit.ground.characters import in_ascii
from nomicgit.ground.kept import late
from nomicgit.ground.nearness import nearest
from nomicgit.ground.problems import Malformed, Problem, Refused, printable
from nomicgit.law.linking import linked
from nomicgit.law.shaped import MAP, NAMES, Shape, Shapes
from nomicgit.law.values import NO_WORLD, keep
from nomicgit.law.variables import MISSING, NONE, Type, Variable, kind_of_all

Spec = Mapping[str, Any]


def underscored(name: str) -> str:
    """A name as the mechanics write it."""
    return name.replace("-", "_")


TRUTH = "{0}: true, or {0}: false, without quotes"


def flag(o: Spec, key: str, where: str, otherwise: bool = False) -> bool:
    """What an option says that is true or false; Malformed where it is neither."""
    said = o.get(key)
    if said is None:
        return otherwise
    if isinstance(said, bool):
        return said
    what = f"{where}.{key}: {printable(str(said), 60)} is neither true nor false"
    raise Malformed.of(what, mend=f"write {TRUTH.format(key)}")


class Author(Struct, frozen=True):
    """The rule that declares something: its slug and section, and with its own the slugs of the rules that it stands under.

    ``prefix`` begins the names of functions of what it declares, where they are found by their names alone. ``physics`` is the
    number of that under which it is read.
    """

    slug: str
    section: str
    rules: frozenset[str]
    physics: int
    prefix: str = ""

    def link(self, name: object) -> str:
        """The name of a function of the rule, in the whole law; "" where it names none."""
        return linked(str(name), self.slug) if name else ""

    def by(self, value: Any) -> str:
        """The function that gives a value, where it is ``{by: NAME}``."""
        return self.link(value["by"]) if by_function(value) else ""

    def hook(self, name: str) -> tuple[str, str, str]:
        """What every hook has: its name, its rule and its function."""
        return name, self.slug, self.link(self.prefix + underscored(name))

    def variable(self, name: str, of: str, o: Spec, where: str, outer: Spec = NONE) -> Variable:
        """A variable, or a collection's field, declared at ``where``; ``outer`` is what the collection says for all of them."""
        seen, tracked = (
            o.get("seen_by", outer.get("seen_by", ())),
            o.get("tracked", outer.get("tracked", "public")),
        )
        kind = type_of(o, self.slug, self.link, where)
        if not o.get("derived"):
            _check_beginning(where, kind)
        return Variable(
            name, of, self.slug, kind,
            self.link(o.get("derived")), self.link(o.get("legal")), self.link(o.get("invalid")), tracked,
            tuple(seen if isinstance(seen, list) else [seen]) if seen else (), flag(o, "by_hand", where),
            flag(o, "transient", where), flag(o, "permanent", where, flag(outer, "permanent", f"collections.{of}")), dict(o),
        )  # fmt: skip

    def parameters(self, spec: Spec | None, where: str) -> dict[str, Type]:
        """The types of parameters, by their names in mechanics."""
        return {
            underscored(str(name)): type_of(kind, self.slug, self.link, f"{where}.with.{name}")
            for name, kind in (spec or {}).items()
        }


def type_of(spec: object, rule: str, link: Callable[[str], str], where: str) -> Type:
    """A type from its declaration: a name, or a mapping with ``type``.

    ``link`` gives the linked name of a function; ``where`` names the place for Malformed.
    """
    if isinstance(spec, str) and spec not in _NEEDY:
        return _named(spec, rule)
    if isinstance(spec, list):
        spec = {"type": "choice", "choices": spec}
    options: Mapping[str, Any] = spec if isinstance(spec, Mapping) else {"type": spec}
    kind = options.get("type", "any")
    if not isinstance(kind, str):
        mend = (
            "write type: choice, and the list under choices"
            if isinstance(kind, list)
            else "write type: integer"
        )
        raise Malformed.of(f"{where}: type must be a name", rule=rule, mend=mend)

    def part(key: str) -> Type | None:
        inner = options.get(key)
        if inner is None:
            return None
        return type_of(inner, rule, link, f"{where}.{key}")

    if wrong := _option_problem(kind, options):
        raise Malformed.of(f"{where}: {wrong}", rule=rule)
    default: Any = options.get("default", MISSING)
    default_by = ""
    if isinstance(default, Mapping) and set(default) == {"by"}:
        default, default_by = MISSING, link(default["by"])
    minimum = options.get("min")
    if minimum is None and kind in ("integer", "number") and options.get("below_zero") != "allow":
        minimum = 0
    fields = options.get("fields") if kind == "record" else None
    made = Type(
        kind, rule, part("items"), part("keys"), part("values"),
        {name: type_of(f, rule, link, f"{where}.{name}") for name, f in (fields or {}).items()},
        tuple(options.get("choices") or ()), str(options.get("catalogue", "")), minimum, options.get("max"), options.get("step"),
        unique=flag(options, "unique", where), ordered=flag(options, "ordered", where), active=flag(options, "active", where),
        default=default, default_by=default_by, normal=link(options.get("normal") or ""), which=link(options.get("which") or ""),
        below_zero=str(options.get("below_zero", "")), where=options.get("where") or {},
    )  # fmt: skip
    _check_range(where, made, options)
    if default is not MISSING and not default_by and asks_nothing(made):
        try:
            keep(NO_WORLD, made, default)
        except Refused as error:
            first = error.problems[0]
            right = _right(kind, default) or _legal(first.mend)
            mend = f"write {right or 'another default, or let it be legal'}"
            raise Malformed.of(f"{where}.default: {first.what}", rule=rule, mend=mend) from error
    return made


def _right(kind: str, default: object) -> str:
    """What to write for a default that is a text, and may be meant for a truth or a number."""
    if kind == "boolean":
        return TRUTH.format("default")
    number = isinstance(default, str) and re.fullmatch(r"[+-]?\d+(\.\d+)?", default.strip())
    return (
        f"default: {str(default).strip()}, without quotes" if number and kind in ("integer", "number") else ""
    )


def _legal(mend: str) -> str:
    """The same as the remedy of a value says it that is refused: another value, or what may have been meant."""
    meant = re.fullmatch(r"did you mean (.+)\?", mend)
    return f"default: {meant[1]}, if that is meant" if meant else mend.replace("write ", "default: ", 1)


def _check_beginning(where: str, kind: Type) -> None:
    """Malformed where a variable without a default would begin with what is no value of it."""
    if not kind.required or not asks_nothing(kind):
        return
    try:
        keep(NO_WORLD, kind, kind.empty())
    except Refused as error:
        what = f"{where}: without a default it begins as {kind.empty()}, and {error.problems[0].what}"
        raise Malformed.of(what, rule=kind.rule, mend="write a default that is legal") from error


def _check_range(where: str, kind: Type, options: Spec) -> None:
    """Malformed where no value lies between the least and the most."""
    least, most = kind.minimum, kind.maximum
    if least is None or most is None or least <= most:
        return
    if options.get("min") is None:
        what = f"{where}.max: {most} is below 0, which is the least where no min is written"
        raise Malformed.of(what, rule=kind.rule, mend=f"write a min of at most {most}, or below_zero: allow")
    what = f"{where}.min: {least} is above the max {most}, so that no value is legal"
    raise Malformed.of(
        what, rule=kind.rule, mend=f"write min: {most} and max: {least}, or leave one of them out"
    )


def asks_nothing(kind: Type) -> bool:
    """Whether a game is not needed to judge a value of a type, nor a function of the law for a part of it."""
    parts = [kind.items, kind.keys, kind.values, *kind.fields.values()]
    inner = [part for part in parts if part is not None]
    return (
        kind.plain and not kind.normal and all(asks_nothing(part) and not part.default_by for part in inner)
    )


_NEEDY = ("choice", "entry")  # types that say more than their name

_JUDGED = frozenset("min max step choices fields where normal which below_zero default".split())


def _named(kind: str, rule: str) -> Type:
    """The type of a name alone."""
    return Type(kind=kind, rule=rule, minimum=0 if kind in ("integer", "number") else None)


def _option_problem(kind: str, options: Mapping[str, object]) -> str:
    """What is wrong with the options of a type, or nothing."""
    if kind not in _NEEDY and _JUDGED.isdisjoint(options):
        return ""
    for key in ("min", "max", "step"):
        value = options.get(key)
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float | None)
            or (key == "step" and value is not None and value <= 0)
        ):
            return f"{key} must be a number{' above 0' if key == 'step' else ''}, as in {key}: 1"
    for key, form, words in (
        ("choices", list, "a list, as in choices: [left, right]"),
        ("fields", Mapping, "a map, as in fields: {seats: integer}"),
        ("where", Mapping, "a map, as in where: {section: dynastic}"),
        ("normal", str, "a function's name, as in normal: tidied"),
        ("which", str, "a function's name, as in which: is_fit"),
    ):
        if options.get(key) is not None and not isinstance(options[key], form):
            return f"{key} must be {words}"
    if options.get("choices") == [] or (kind == "choice" and not options.get("choices")):
        return "a choice needs choices: write at least one, as in choices: [left, right]"
    if kind == "entry" and not isinstance(options.get("catalogue"), str):
        return "an entry needs its catalogue: write catalogue: and the name of one"
    if options.get("below_zero") not in (None, "refuse", "clamp", "allow"):
        return "below_zero must be refuse, clamp or allow"
    default = options.get("default")
    if isinstance(default, Mapping) and set(default) == {"by"} and not isinstance(default["by"], str):
        return "default.by must be a function's name"
    return ""


def by_function(value: object) -> bool:
    """Whether a value is given by a function: ``{by: NAME}``."""
    return isinstance(value, Mapping) and isinstance(value.get("by"), str)


# Names. One becomes a file, a folder or a key of a file: so it is of plain letters, none that a system keeps for itself, and
# no two differ in capitals only, for on many machines they would be one file.

PLAYER_NAME = late(r"[A-Za-z0-9](?:[-_]?[A-Za-z0-9]){0,38}", re.ASCII)
PLAYER_NAMES = "up to 39 ASCII letters and digits, with single hyphens or underscores between"
ENTITY_ID = late(r"(?:-(?=\d))?[A-Za-z0-9](?:[A-Za-z0-9 .,'&+()_-]{0,78}[A-Za-z0-9.)_'])?", re.ASCII)
_DECLARED = late(r"[A-Za-z][A-Za-z0-9_-]{0,59}", re.ASCII)
_DEVICE = late(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.ASCII | re.IGNORECASE)

_OURS = frozenset("clock the-clock founder keeper nobody physics nomicgit sealed steward".split())
_OF_SENTENCES = frozenset("anybody anyone everybody everyone nothing somebody someone you".split())

_EVERYWHERE = frozenset("made uses created destroyed".split())
KEPT: Final[Mapping[str, frozenset[str]]] = MappingProxyType({
    "players": _EVERYWHERE | frozenset("name idle active admin forge mailbox".split()),
    "posts": _EVERYWHERE | frozenset(
        "kind title body author byline at tags changes status called hash branch_head frozen forge comments official votable".split()
    ),
    "game": _EVERYWHERE | frozenset({"barred"}),
    "dynasty": _EVERYWHERE | frozenset("number name emperor began interregnum".split()),
})  # fmt: skip
"""What the program itself keeps of entities, by their kind: no law declares it. Of collections that is what all have."""
CLOSED: Final = frozenset(
    "open used settings scenarios rules variables collections actions kinds deeds players posts".split()
)
"""What no variable is of: what the program keeps for itself, and what the law may only look at."""


def fitting(name: str) -> str:
    """The name of a player that is nearest to a text which can be none; "" where there is none."""
    parted = re.sub(r"[-_]{2,}", "-", re.sub(r"[^A-Za-z0-9_]+", "-", in_ascii(name)))
    fit = parted.strip("-_")[:39].rstrip("-_")
    return fit if PLAYER_NAME.fullmatch(fit) and not why_no_id("players", fit) else ""


def player_names(name: str) -> str:
    """What a player's name is of, with one that would do instead of a text which can be none."""
    several = [each.strip() for each in name.split(",")]
    if len(several) > 1 and all(map(PLAYER_NAME.fullmatch, several)):
        return f"those are {len(several)} names: say each by itself, such as {several[0]}"
    return PLAYER_NAMES + (f", such as {fit}" if (fit := fitting(name)) else "")


def why_no_id(kind: str, name: str) -> str:
    """Why a text can be no id of a kind of entity, or nothing."""
    form = PLAYER_NAME if kind == "players" else ENTITY_ID
    if form.fullmatch(name) is None:
        return f"{printable(name, 60)} cannot name one of the {kind} (letters, digits and hyphens)"
    if _DEVICE.fullmatch(name):
        return (
            f"{printable(name, 60)} cannot name one of the {kind}: some systems keep that name for a device"
        )
    if kind == "players" and name.casefold().replace("_", "-") in _OURS:
        return f"{name} cannot name one of the players: the record calls so what no player does"
    if kind == "players" and name.casefold() in _OF_SENTENCES:
        return f"{name} cannot name one of the players: a sentence with it would be taken for another"
    if kind == "players" and files.write_flow(name) != name:
        return f"{name} cannot name one of the players: in changes and files not every reader takes it for a text"
    return ""


def refuse_id(kind: str, name: str) -> None:
    """Refused where a text can be no id of a kind of entity."""
    if why := why_no_id(kind, name):
        raise Refused.of(why, mend="choose another name")


def twins(name: str, other: str) -> Refused:
    """The refusal of two ids that differ in capitals only."""
    what = f"{printable(name, 60)} and {printable(other, 60)} differ in capitals only, and are one file on many machines"
    return Refused.of(what, mend="choose another name")


def check_declared(where: str, name: object) -> None:
    """Malformed where a rule declares something under what can be no name."""
    if isinstance(name, str) and _DECLARED.fullmatch(name) and not _DEVICE.fullmatch(name):
        return
    what = "a name of the law is of letters, digits, hyphens and underscores, begins with a letter, and is no device's"
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", str(name)).strip("-")
    mend = (
        f"write {plain}"
        if _DECLARED.fullmatch(plain) and not _DEVICE.fullmatch(plain)
        else "choose another name"
    )
    raise Malformed.of(f"{where}.{printable(str(name), 60)}: {what}", mend=mend)


def check_free(where: str, name: str, of: str) -> None:
    """Malformed where a rule would declare what the program itself keeps. ``of``: as a variable's declaration says it."""
    kind = kind_of_all(of)
    if of in CLOSED:
        one = nearest(of, ("player", "post"))
        mend = f"write {one[0]}" if one else "write player, game, dynasty, post, matter or a collection"
        raise Malformed.of(f"{where}.of: nothing is declared of {of}", mend=mend)
    if name in KEPT.get(kind, _EVERYWHERE):
        what = f"{where}: the program itself keeps {name} of {'the ' if kind in ('game', 'dynasty') else ''}{kind}"
        raise Malformed.of(what, mend="choose another name")


def refuse_slash(where: str, *names: object) -> None:
    """Malformed where a name that a rule declares, or reaches for, in its front matter holds a slash."""
    for name in names:
        if isinstance(name, str) and "/" in name:
            what = f"{where}.{name}: a name of the law holds no slash; the program's own deeds do, and no law reaches them"
            raise Malformed.of(what, mend="choose another name")


def refuse_shapeless(where: str, shapes: Shapes, o: Spec) -> None:
    """Malformed, with all problems at once, where options are of another shape. What is null is as though it were left out."""
    if wrong := list(_shapeless(where, shapes, o)):
        raise Malformed(*wrong)


def _shapeless(where: str, shapes: Shapes, o: Spec) -> Iterator[Problem]:
    for key, (shape, right) in shapes.items():
        given = o.get(key)
        if given is not None and not _fits(shape, given):
            near = shape.meant(given)
            named = _named_in(given) if shape == MAP else ""
            if shape == NAMES and isinstance(given, str) and _fits(shape, [given]):
                named = f"[{given}]"
            mend = f"write {key}: {near or named or right}"
            yield Problem(f"{where}.{key}: must be {shape.words}", mend=mend)


def _named_in(given: object) -> str:
    """The map that may be meant by a name, or a list of names; "" by anything else."""
    names = given if isinstance(given, list) else [given]
    sound = all(isinstance(each, str) and _DECLARED.fullmatch(each) for each in names)
    return f"{{{', '.join(f'{each}: integer' for each in names)}}}" if names and sound else ""


def _fits(shape: Shape, value: object) -> bool:
    """Whether a value is of a shape."""
    if not isinstance(value, shape.kinds) or (isinstance(value, bool) and bool not in shape.kinds):
        return False
    if isinstance(value, Mapping) and shape.keys:
        return len(value) == 1 and all(k in shape.keys and isinstance(v, str) for k, v in value.items())
    parts = value if isinstance(value, list) else value.values() if isinstance(value, Mapping) else ()
    if shape.each and not all(isinstance(part, shape.each) for part in parts):
        return False
    if shape.keys and not all(isinstance(part, str) or _fits(shape, part) for part in parts):
        return False
    return not shape.among or value in shape.among


def key_is_sound(key: Any) -> bool:
    """Whether the key of a collection has one of its forms."""
    match key:
        case str():
            return bool(key)
        case {"prefix": str()} | {"slug": str()} if len(key) == 1:
            return True
        case {"of": list() as parts} if len(key) == 1:
            return bool(parts) and all(isinstance(part, str) for part in parts)
        case {"columns": list(), "rows": list()}:
            return len(key) == 2
    return False


class Options(Struct, frozen=True):
    """The keys of some options, and of what form those are that hold options in turn.

    ``each``: they stand under names, or in a list. ``kept``: whatever else stands there is kept for the law to read.
    """

    keys: frozenset[str]
    parts: Mapping[str, Options] = MappingProxyType({})
    each: bool = False
    kept: bool = False

    def more(self, keys: str) -> Options:
        """The same with more keys."""
        return replace(self, keys=self.keys | frozenset(keys.split()))

    @property
    def of_each(self) -> Options:
        """A map of names to such options, or a list of them."""
        return replace(self, each=True)


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
FIELD = TYPE.more("derived legal invalid tracked seen_by opens by_hand transient permanent unit shown_as")
SELECTOR = options("section rule tag by limit").of_each
