"""The law in force: a ruleset, what it declares and what of that is secret, and its mechanics, compiled when first called."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from msgspec.structs import replace

from nomicgit.ground.clock import Calendar
from nomicgit.ground.kept import Kept
from nomicgit.ground.problems import Defect, Malformed, Place, Problem, Starved
from nomicgit.law import mechanics
from nomicgit.law.crossing import Host
from nomicgit.law.declarations import Declared, overrides
from nomicgit.law.declaring import underscored
from nomicgit.law.hooks import Timed
from nomicgit.law.linking import SHOWN, Language, Linked, Member, Scan, link, scan
from nomicgit.law.mechanics import Compiled
from nomicgit.law.merging import Declarations, declared
from nomicgit.law.rules import front_lines
from nomicgit.law.ruleset import Placed, Ruleset
from nomicgit.law.variables import Variable, kind_of_all

# ---- what of it is secret: source ``docs/secrets.md``

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


# ---- the law

RUN_FUNCTION = "run"


class Law:
    """One ruleset as law. Equal rulesets share what they declare and compile.

    One with other ``tables`` than those that its rules declare is looked at, and never played.
    """

    def __init__(
        self, ruleset: Ruleset, language: Language, declarations: Declarations, tables: Declared | None = None
    ) -> None:
        self.ruleset, self.language, self.declarations = ruleset, language, declarations
        self._key = (
            language,
            frozenset((*ruleset.texts.items(), *([] if tables is None else [("", "other tables")]))),
        )
        self._counted: dict[str, str] = {}
        self.declared = tables or _DECLARED.get(self._key, lambda: self.merged(ruleset))

    def merged(self, ruleset: Ruleset) -> Declared:
        """What another ruleset, of the same mechanics, would declare."""
        return declared(
            ruleset, lambda placed: self.scanned(placed).functions, self.declarations, self.language.physics
        )

    def scanned(self, placed: Placed) -> Scan:
        """The mechanics of a rule, taken apart."""
        return scan(placed.slug, placed.mechanics, placed.line, self.language.rosters)

    @cached_property
    def calendar(self) -> Calendar:
        """The clock that the rules declare."""
        return Calendar(self.declared.zone, self.declared.week)

    @cached_property
    def secrecy(self) -> Secrecy:
        """What it keeps from everybody but who has the game's key."""
        return Secrecy.of(self.declared)

    @cached_property
    def linked(self) -> Linked:
        """The mechanics of all active rules, linked into one."""
        members = (self._member(p) for p in self.active if p.mechanics)
        return _LINKED.get(self._key, lambda: link(list(members), self.language.words, self._views))

    @cached_property
    def _views(self) -> dict[str, int]:
        """The functions that are views of one kind of entity, and how many arguments each takes."""
        kinds: dict[str, set[str]] = {}
        for view in self.declared.views.values():
            if view.function == view.name:
                kinds.setdefault(view.name, set()).add(view.whose)
        return {name: 0 if of == {"game"} else 1 for name, of in kinds.items() if len(of) == 1}

    @cached_property
    def _shown(self) -> dict[str, str]:
        return {name: name + SHOWN for name, _ in self.linked.shown}

    @cached_property
    def active(self) -> tuple[Placed, ...]:
        """The rules in force, in order."""
        return tuple(p for p in self.ruleset.rules if p.status == "active")

    def _member(self, placed: Placed) -> Member:
        scanned = self.scanned(placed)
        names = frozenset(overrides(placed.rule))
        barred = frozenset(
            n for n in scanned.functions if n in names and self.declared.protected(n, placed.section)
        )
        return Member(scanned, placed.file, placed.title, names, barred, self.view_of(placed.slug))

    @cached_property
    def code(self) -> Compiled:
        """The law as it can be called. Malformed where names are defined twice, or as no rule may."""
        if self.linked.problems:
            raise Malformed(*self.linked.problems)
        return mechanics.compiled(self.linked, self.language)

    def compile(self, until: float | None = None) -> None:
        """Compile all of the law, until which processor time. Malformed where that does not go, Starved where it takes too much."""
        try:
            self.code.whole(until)
        except Starved as error:
            raise Starved(self.place(error.problems[0], "")) from None
        except Defect as error:
            raise Malformed(*error.problems) from error

    @cached_property
    def unreadable(self) -> tuple[Problem, ...]:
        """Why mechanics do not load, called or not, and the names in them that nobody defines; to be asked within a worker,
        or of rules that are in force."""
        wrong = mechanics.undefined_names(self.linked, self.language)
        return tuple(self.place(problem, "") for problem in wrong)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the declarations and the names of the mechanics, without running any."""
        return (*self.declared.problems, *self.linked.problems)

    def view_of(self, slug: str) -> str:
        """How a rule counts players: ``i`` with idle ones, ``d`` without the emperor, both, or as usual."""
        if slug not in self._counted:
            placed = self.ruleset.by_slug.get(slug)
            self._counted[slug] = self._view(placed.section, *self.ruleset.lineage(slug)) if placed else ""
        return self._counted[slug]

    @cached_property
    def run_view(self) -> str:
        """How the programs that proposals carry count players."""
        return self._view(RUN_FUNCTION)

    def _view(self, *places: str) -> str:
        hits = [count for count in self.declared.counts if count.holds_in(places)]
        return "i" * any(c.idle for c in hits) + "d" * any(not c.emperor for c in hits)

    def has(self, function: str) -> bool:
        """Whether a rule in force defines a function of this linked name."""
        return function in self.linked.functions or ("__" in function and function in self._names)

    @cached_property
    def parameters(self) -> dict[str, tuple[str, ...]]:
        """The parameters that every public function takes, by its name."""
        return {
            name: scanned.parameters[name]
            for scanned, _ in self.linked.filled
            for name in scanned.functions
            if name in scanned.parameters
        }

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self.linked.names)

    def call(self, host: Host, function: str, /, *arguments: object, **named: object) -> object:
        """What a function returns; a Defect where no rule in force defines it."""
        if not self.has(function):
            raise Defect.of(f"no rule in force defines {function}")
        try:
            return self.code.call(host, self._shown.get(function, function), *arguments, **named)
        except Defect as error:
            raise self.placed(error, function) from error.__cause__

    def placed(self, error: Defect, function: str) -> Defect:
        """A defect with the place and the rule where it lies: where nothing nearer is known, the function that was called."""
        return type(error)(self.place(error.problems[0], function), *error.problems[1:])

    def place(self, problem: Problem, function: str) -> Problem:
        """A problem with the same, while its function is in force; a file may stand for a function: it does not compile."""
        where = problem.where
        if not where.file and any(each.file == function for each in self.ruleset.rules):
            where = replace(where, file=function)
        if not where.file and self.has(function):
            where = self.code.place(self._shown.get(function, function))
        title = next((each.title for each in self.ruleset.rules if each.file == where.file), where.rule)
        return replace(problem, where=replace(where, rule=where.rule or title))

    def declared_at(self, slug: str, *path: str) -> Place:
        """The place of what stands at a path of a rule's declarations, or as far on the way to it as there is anything."""
        placed, wanted = self.ruleset.by_slug[slug], [underscored(part) for part in path]
        lines = front_lines(self.ruleset.texts[placed.path])
        known = {tuple(underscored(str(part)) for part in way): line for way, line in lines.items()}
        on_the_way = (known.get(tuple(wanted[:n]), 0) for n in range(len(wanted), 0, -1))
        return Place(placed.file, next(filter(None, on_the_way), 0), 0, placed.title)

    def variable(self, kind: str, name: str) -> Variable | None:
        """A variable of an entity's kind (``players``, ``posts``, a collection, ``game``, ``dynasty``)."""
        return self.declared.variables.get((_OF.get(kind, kind), name))

    @cached_property
    def derived_watches(self) -> dict[str, tuple[str, ...]]:
        """Of what each settle watches, by its name, that which is derived."""
        derived = {}
        for settle in self.declared.settles.values():
            watched = ((name, self.variable(settle.kind, name)) for name in settle.watches)
            derived[settle.name] = tuple(name for name, variable in watched if variable and variable.derived)
        return derived

    @cached_property
    def by_kind(self) -> dict[str, tuple[Variable, ...]]:
        """The variables of every kind of entity, in ruleset order."""
        of_kinds: dict[str, list[Variable]] = {}
        for (of, _), variable in self.declared.variables.items():
            of_kinds.setdefault(kind_of_all(of), []).append(variable)
        return {kind: tuple(variables) for kind, variables in of_kinds.items()}


_OF = {"players": "player", "posts": "post"}


_KEPT_LAWS = 16
_Key = tuple[Language, frozenset[tuple[str, str]]]
_LAWS = Kept[tuple[Language, int], Law](_KEPT_LAWS)
_DECLARED = Kept[_Key, Declared](_KEPT_LAWS)
_LINKED = Kept[_Key, Linked](_KEPT_LAWS)


def law_of(ruleset: Ruleset, language: Language, declarations: Declarations) -> Law:
    """The law of a ruleset in a language; the last few are kept, by the ruleset's identity."""
    key = language, id(ruleset)
    law = _LAWS.get(key, lambda: Law(ruleset, language, declarations))
    if law.ruleset is not ruleset:  # another ruleset lies where one lay that is gone
        law = _LAWS.put(key, Law(ruleset, language, declarations))
    return law
