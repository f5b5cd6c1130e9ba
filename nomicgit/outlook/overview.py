"""What is to be seen of a game: the dynasty, what is pending, why, and from when on it can be resolved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from nomicgit.ground import clock
from nomicgit.ground.problems import Defect, Malformed, Problem
from nomicgit.ground.reasons import HIATUS, taken, worded
from nomicgit.law.hooks import Recurring, Timed
from nomicgit.outlook.ahead import Answer, Question, as_text, look_ahead
from nomicgit.outlook.doomed import MARKS
from nomicgit.outlook.inquiry import Inquiry
from nomicgit.physics.deeds import acting, units
from nomicgit.physics.deeds.petitions import Petition, waiting
from nomicgit.physics.state import deriving, reading
from nomicgit.physics.state.store import NeedsKey, kind_of
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.game import Game
from nomicgit.rehearsal.expecting import bare

MAY_FAIL = "it may be failed: "
"""With what an edition's reason for a failure begins, which is told beside that it may be failed now."""
MOST_NAMED = 5  # players who may resolve a matter
MOST_SETTLED = 5  # entities of a kind for which each settle is tried


class Dynasty(Struct, frozen=True):
    """The dynasty under way; ``emperor`` None: a metadynasty. ``terms`` are the names of the roles now."""

    number: int
    name: str
    emperor: str | None
    began: str
    interregnum: bool
    terms: Mapping[str, str]

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {
            "number": self.number, "name": self.name, "emperor": self.emperor, "began": self.began,
            "interregnum": self.interregnum, "terms": dict(self.terms),
        }  # fmt: skip


class Vote(Struct, frozen=True):
    """Somebody's vote on a matter: the icon that they used last ("": none) and why it counts or not."""

    player: str
    icon: str
    reason: str

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {"player": self.player, "icon": self.icon, "reason": self.reason}


class Matter(Struct, frozen=True):
    """A pending matter. ``age`` is in seconds; ``waits_for`` the number of the post that it waits for.

    ``enact`` and ``fail`` of a matter that waits for another are not looked for ahead: they hang on what
    become of that one. Of others, once the one has come true, the other is looked for only as long as time alone
    may change it. ``called`` is what people call its kind. ``resolvers``: the players who may resolve it; None: not only some.
    """

    number: int
    kind: str
    called: str
    title: str
    author: str | None
    at: str
    age: int
    tally: Mapping[str, int]
    votes: tuple[Vote, ...]
    quorum: int | None
    popular: bool | None
    unpopular: bool | None
    marks: tuple[str, ...]
    outcome: str
    reason: str
    waits_for: int | None
    enact: Answer
    fail: Answer
    resolvers: tuple[str, ...] | None = None

    @property
    def earliest(self) -> int | None:
        """When it can be enacted or failed at the earliest, if no vote changes."""
        return min((a.earliest for a in (self.enact, self.fail) if a.earliest is not None), default=None)

    @property
    def why_fail(self) -> str:
        """Why the law lets it be failed now, in the law's words, without that it may be; nothing where it does not."""
        return self.reason.removeprefix(MAY_FAIL) if self.fail.now and not self.enact.now else ""

    @property
    def hands(self) -> str:
        """Who alone may resolve it, in a sentence without its end; nothing where everybody may."""
        if self.resolvers is None:
            return ""
        named = [
            *self.resolvers[:MOST_NAMED],
            *([f"{len(self.resolvers) - MOST_NAMED} more"] if self.resolvers[MOST_NAMED:] else []),
        ]
        return f"only {', '.join(named)} may do that" if named else "nobody who plays may do that"

    def as_json(self) -> dict[str, object]:
        """Plain data; times as texts."""
        return {
            "number": self.number, "kind": self.kind, "called": self.called, "title": self.title, "author": self.author,
            "at": self.at, "age": self.age,
            "tally": dict(self.tally), "votes": [vote.as_json() for vote in self.votes], "quorum": self.quorum,
            "popular": self.popular, "unpopular": self.unpopular, "marks": list(self.marks),
            "verdict": {"outcome": self.outcome, "reason": self.reason}, "waits_for": self.waits_for,
            "enact": self.enact.as_json(), "fail": self.fail.as_json(), "earliest": as_text(self.earliest),
        }  # fmt: skip


class Outlook(Struct, frozen=True):
    """A game at a time. ``hiatus`` None: the law knows none. ``defects``: what of the law is broken here. ``sealed``: what
    only who has the game's key can say. ``waits``: the event of the clock, with its time, that fell due and waits for them;
    all is told as it was before that. ``petitions``: who waits for somebody's answer.
    """

    name: str
    edition: str
    practice: bool
    at: int
    dynasty: Dynasty
    hiatus: bool | None
    hiatus_reason: str
    quorum: int | None
    active: tuple[str, ...]
    idle: tuple[str, ...]
    admins: tuple[str, ...]
    matters: tuple[Matter, ...]
    defects: tuple[str, ...] = ()
    sealed: tuple[str, ...] = ()
    waits: tuple[str, int] | None = None
    petitions: tuple[Petition, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Plain data; times as texts."""
        return {
            "game": self.name, "edition": self.edition, "practice": self.practice, "at": as_text(self.at),
            "dynasty": self.dynasty.as_json(), "hiatus": {"on": self.hiatus, "reason": self.hiatus_reason}, "quorum": self.quorum,
            "players": {"active": list(self.active), "idle": list(self.idle), "admins": list(self.admins)},
            "matters": [matter.as_json() for matter in self.matters], "defects": list(self.defects),
            "sealed": list(self.sealed), "waits": self.waits and {"event": self.waits[0], "at": as_text(self.waits[1])},
            "petitions": [asdict(petition) for petition in self.petitions],
        }  # fmt: skip


def outlook(game: Game, at: int, *, votes: bool = True) -> Outlook:
    """The outlook of a game at a time; without ``votes`` none of them is told, their tallies only."""
    settings, practice = game.settings, game.settings.time == "given"
    return outlook_of(game.looked_at(at), settings.name, settings.edition, practice=practice, votes=votes)


def outlook_of(
    world: Transaction, name: str = "", edition: str = "", *, practice: bool = False, votes: bool = True
) -> Outlook:
    """The outlook of a game as a world shows it; the world is used up by looking ahead."""
    world.look()
    look, at, waits = _Look(world, votes=votes), world.now, world.halted
    hiatus, why = look.hiatus()
    everyone = reading.roster(world, idle=True)
    parts = (
        look.dynasty(), hiatus, why, look.whole(look.view("quorum")),
        _names(world, reading.roster(world)), _names(world, [p for p in everyone if reading.is_idle(world, p)]),
        _names(world, [p for p in everyone if world.store.value(p, "admin") is True]),
    )  # fmt: skip
    petitions = look.petitions()
    look.clock()
    look.settles()
    matters = look.matters(reading.find(world, "posts", status="pending"))
    defects = tuple(dict.fromkeys(map(str, look.defects)))
    return Outlook(
        name,
        edition,
        practice,
        at,
        *parts,
        matters,
        defects,
        tuple(dict.fromkeys(look.sealed)),
        waits,
        petitions,
    )


def matter_of(world: Transaction, ref: str) -> Matter:
    """A single pending matter; the world is used up by looking ahead."""
    world.look()
    [matter] = _Look(world).matters([ref])
    return matter


def defects(world: Transaction) -> tuple[Problem, ...]:
    """What of the law is broken, as far as it shows in how things stand."""
    look = _Look(world)
    look.hiatus()
    look.view("quorum")
    for ref in reading.find(world, "posts", status="pending"):
        look.standing(ref)
    return tuple(dict.fromkeys(look.defects))


def hiatus(world: Transaction) -> str | None:
    """Why there is hiatus now ("" where the law does not say); None where there is none, or only the keeper can say."""
    world.look()
    on, why = _Look(world).hiatus()
    return why if on else None


class _Look(Inquiry):
    """One look at a world; what is broken in the law is gathered, so that the rest can still be seen."""

    def __init__(self, world: Transaction, *, votes: bool = True) -> None:
        super().__init__(world)
        self.votes = votes
        self._names: dict[str, str] = {}  # of the voters, who vote on many matters

    @staticmethod
    def whole(value: object) -> int | None:
        """A whole number, None for anything else."""
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def hiatus(self) -> tuple[bool | None, str]:
        """Whether there is hiatus, and why, where the law says."""
        why = self.view("hiatus")
        if not why:
            return (None if why is None else False), ""
        reason = self.tell("hiatus", lambda: self.world.ask("hiatus_reason"))
        return True, taken(str(reason or "")).removeprefix(HIATUS)

    def dynasty(self) -> Dynasty:
        """The dynasty under way."""
        value, lead = partial(reading.get, self.world, "dynasty"), reading.emperor(self.world)
        roles = ("player", "players", "emperor")
        return Dynasty(
            value("number"), value("name"), str(bare(self.world, lead)) if lead else None, value("began") or "",
            bool(value("interregnum")), {role: acting.term(self.world, role) for role in roles},
        )  # fmt: skip

    def clock(self) -> None:
        """What the clock brings, as though it fell due now, of entities for some that hold a time: whether it breaks."""
        for each in self.world.law.declared.schedule.values():
            if not self.world.law.has(each.function):
                continue
            self.world.question()
            what, due = f"the clock's {each.name}", list[str]()
            if isinstance(each, Recurring):
                self.breaks(what, partial(self.world.call, each.function))
            elif isinstance(each, Timed) and not self.breaks(what, partial(self._wait, each, due)):
                for ref in due[:MOST_SETTLED]:
                    if self.breaks(what, partial(self.world.call, each.function, ref)):
                        break

    def _wait(self, hook: Timed, due: list[str]) -> None:
        """Find the entities of a scheduled function that hold a time; a Defect where one holds something else."""
        for ref, at in units.timed(self.world, hook):
            try:
                reading.seconds(at)
            except Malformed as error:
                raise Defect(self.world.law.place(error.problems[0], hook.function)) from error
            due.append(ref)

    def settles(self) -> None:
        """What follows what somebody does, as though it were to follow now for some of those whom it is of: whether it breaks."""
        for each in self.world.law.declared.settles.values():
            if not self.world.law.has(each.function):
                continue
            self.world.question()
            for ref in self._some(each.kind):
                if self.breaks(f"the settle {each.name}", partial(self.world.call, each.function, ref)):
                    break

    def _some(self, kind: str) -> Sequence[str]:
        """Some entities of a kind; none of one that is secret."""
        try:
            return units.entities(self.world, kind)[:MOST_SETTLED]
        except NeedsKey:
            self.world.store.needed = False
            return ()

    def petitions(self) -> tuple[Petition, ...]:
        """All that wait for somebody's answer."""
        return self.tell("petitions", lambda: waiting(self.world)) or ()

    def matters(self, refs: Iterable[str]) -> tuple[Matter, ...]:
        """Pending matters, as they are named."""
        pending = [(ref, self.standing(ref)) for ref in refs]
        heads = [ref for ref, matter in pending if matter["waits_for"] is None]
        answers = look_ahead(
            self.world,
            {(ref, n): _judging(n, ref) for ref in heads for n in ("enactable", "failable")},
            either=lambda key: key[0],
        )

        def answer(ref: str, name: str, matter: Mapping[str, Any]) -> Answer:
            ahead = answers.get((ref, name)) or Answer(matter["reason"] or "it waits")
            return replace(ahead, why_not=worded(ahead.why_not))

        resolvers = self.resolvers() if pending else None
        return tuple(
            Matter(
                **m, resolvers=resolvers, enact=answer(ref, "enactable", m), fail=answer(ref, "failable", m)
            )
            for ref, m in pending
        )

    def resolvers(self) -> tuple[str, ...] | None:
        """The players who may resolve a matter; None where all may, or whoever it is."""
        action = self.world.law.declared.actions.get("resolve")
        everyone = reading.roster(self.world)
        if action is None or "anyone" in action.by:
            return None
        bars = {
            each: self.tell("resolve", partial(acting.who_bars, self.world, action, each))
            for each in everyone
        }
        some = [each for each, why in bars.items() if why == ""]
        return None if len(some) == len(everyone) else _names(self.world, some)

    def standing(self, ref: str) -> dict[str, Any]:
        """How a pending matter stands now."""
        value = partial(reading.get, self.world, ref)
        verdict, tally = self.view("verdict", ref) or {}, self.view("tally", ref) or {}
        own = self.field(ref, "quorum") if self.world.law.variable("posts", "quorum") else None
        author, waits = value("author"), verdict.get("waits_for")
        return {
            "number": int(bare(self.world, ref)), "kind": value("kind"),
            "called": self.world.law.declared.post_called(str(value("kind"))), "title": value("title"),
            "author": str(bare(self.world, author)) if author else None, "at": value("at"),
            "age": self.world.now - clock.instant(value("at")), "tally": tally,
            "votes": tuple(self._votes(ref)) if self.votes else (),
            "quorum": self.whole(own), "popular": self.view("popular", ref), "unpopular": self.view("unpopular", ref),
            "marks": tuple(f for f in MARKS if self.world.law.variable("posts", f) and self.field(ref, f) is True),
            "outcome": str(verdict.get("outcome") or ""), "reason": worded(taken(str(verdict.get("reason") or ""))),
            "waits_for": int(bare(self.world, waits)) if isinstance(waits, str) and kind_of(waits) == "posts" else None,
        }  # fmt: skip

    def _votes(self, ref: str) -> Iterator[Vote]:
        cast = self.world.words["ballots"](ref)
        reasons = self.view("reasons", ref) or {}
        for voter in dict.fromkeys([*cast, *reasons]):
            name = self._names.get(voter) or self._names.setdefault(voter, bare(self.world, voter))
            yield Vote(name, (cast.get(voter) or [""])[-1], taken(str(reasons.get(voter, ""))))


def _judging(name: str, ref: str) -> Question:
    """The question of a matter's view; a law without the view never lets it pass."""

    def ask(world: Transaction) -> str:
        answer = deriving.view(world, name, ref)
        return "the law does not say when" if answer is None else taken(str(answer))

    return ask


def _names(world: Transaction, refs: Iterable[str]) -> tuple[str, ...]:
    return tuple(bare(world, ref) for ref in refs)
