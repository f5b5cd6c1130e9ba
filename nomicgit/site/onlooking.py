"""Looking at a game for the site: each question is asked once for all pages, and what the law cannot tell is Untold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from msgspec import Struct, field

from nomicgit.ground.problems import NomicError
from nomicgit.ground.reasons import worded
from nomicgit.law import rules
from nomicgit.law.ruleset import Placed
from nomicgit.law.variables import Variable
from nomicgit.outlook.branches.meanwhile import brought_by
from nomicgit.outlook.checks import foretold
from nomicgit.outlook.checks.enactment import pending_tried
from nomicgit.outlook.lasting import shut_from
from nomicgit.outlook.openings import closed
from nomicgit.outlook.overview import Outlook, outlook
from nomicgit.outlook.today import Today, today
from nomicgit.physics.state import deriving, naming, quoting, reading
from nomicgit.physics.state.store import Sealed
from nomicgit.physics.state.transaction import LOOK, SECONDS, Transaction
from nomicgit.record import journal
from nomicgit.record.annals import Annals, Done, Moved
from nomicgit.record.forms.conditions import called
from nomicgit.record.game import Game
from nomicgit.record.proof import carry
from nomicgit.site import begun, dues, markup
from nomicgit.site.asked import LONG, Asking, Untold
from nomicgit.site.dues import Due

T = TypeVar("T")
KINDLESS = "none"  # the kind of a post of which no rule declares the kind


class Look(Struct, frozen=True):
    """A game as everyone sees it at a time (seconds, UTC). What the law cannot tell is Untold, never an error."""

    game: Game
    world: Transaction
    at: int
    annals: Annals
    asking: Asking
    due: Untold | None = None  # why what falls due by then is not seen to have happened
    _seen: dict[tuple[str, str], Any] = field(default_factory=dict)

    @classmethod
    def at_time(cls, game: Game, at: int, asking: Asking | None = None) -> Look:
        """The game at a time."""
        asking, annals = asking or Asking(), Annals.read(game.repository, game.head.oid)
        world = asking.ask("what falls due", lambda: game.looked_at(at), LONG)
        if isinstance(world, Untold):
            return cls(game, game.world(), at, annals, asking, world)
        return cls(game, world, at, annals, asking)

    @property
    def live(self) -> bool:
        """Whether time goes on by itself here; in a practice game it stands still."""
        return self.game.settings.time != "given"

    def value(self, ref: str, name: str) -> object:
        """A value of an entity."""
        self.world.look(SECONDS)
        kind = ref.partition("/")[0]
        return self.asking.ask(f"{name} of {kind}", lambda: reading.get(self.world, ref, name))

    def view(self, name: str, ref: str = "game") -> object:
        """What a view shows; None where no rule in force declares it."""
        if (name, ref) not in self._seen:
            self.world.look(SECONDS)
            shown = self.asking.ask(f"the view {name}", lambda: deriving.view(self.world, name, ref))
            self._seen[name, ref] = shown
        return self._seen[name, ref]

    def once(self, question: str, about: str, answer: Callable[[], T]) -> T | Untold:
        """The answer to a long question, asked once for all pages."""
        if (question, about) not in self._seen:
            self.world.look(LOOK)
            self._seen[question, about] = self.asking.ask(question, answer, LONG, about)
        seen: T | Untold = self._seen[question, about]
        return seen

    def outlook(self) -> Outlook | Untold:
        """What is pending, and from when it can be resolved."""
        return self.once("the outlook", "", lambda: outlook(self.game, self.at))

    def today(self, ref: str) -> Today | Untold:
        """What a player may do now, and what needs their vote."""
        return self.once("what may be done by ", ref, lambda: today(self.world, ref))

    def foretold(self, ref: str) -> Mapping[str, Any] | Untold:
        """What would become of the changes of a pending matter, were it enacted now."""
        return self.once(
            "what would be changed by ",
            ref,
            lambda: foretold(self.world, ref, brought_by(self.game.repository, self.world, ref)),
        )

    def tried(self, ref: str) -> Mapping[str, Any] | Untold:
        """What else the enactment of a pending matter would change now, and with which others it collides."""
        return self.once("what becomes of ", ref, lambda: pending_tried(self.world, ref))

    def undone(self, ref: str) -> str:
        """That a pending matter would not be enacted, and why; nothing where that is not told."""
        if not (self.world.store.fields(ref) or {}).get("changes"):
            return ""
        seen = self.foretold(ref)
        why = "" if isinstance(seen, Untold) else str(seen["undone"])
        return why[:1].upper() + why[1:]

    def shut_from(self) -> int | Untold | None:
        """From when on no way to change the law is seen any more; None where one is."""
        return self.once("whether the law can be changed", "", lambda: shut_from(self.world))

    def closed(self) -> Mapping[str, str]:
        """The actions that nobody may do now, each with the reason; none where the law does not tell."""
        return {name: worded(why) for name, why in self._closing().items() if not isinstance(why, Sealed)}

    def sealed(self) -> frozenset[str]:
        """The actions of which only who has the game's key can say whether anybody may do them now."""
        return frozenset(name for name, why in self._closing().items() if isinstance(why, Sealed))

    def _closing(self) -> Mapping[str, str]:
        if ("closed", "") not in self._seen:
            actions = self.world.law.declared.actions.values()
            self.world.look(LOOK)
            answer = self.asking.ask("what nobody may do now", lambda: closed(self.world, actions), LONG)
            closing = {} if isinstance(answer, Untold) else {name: why for name, why in answer.items() if why}
            self._seen["closed", ""] = closing
        reasons: Mapping[str, str] = self._seen["closed", ""]
        return reasons

    def comments(self, ref: str) -> list[dict[str, object]]:
        """What was said of a post, in order."""
        return reading.comments(self.world, ref)

    def talk(self, ref: str) -> int:
        """How often somebody said something of a post; a vote without a word says nothing."""
        return sum(bool(str(entry["text"]).strip()) for entry in self.comments(ref))

    def rule_text(self, placed: Placed) -> str:
        """The prose of a rule, its quotes filled in."""
        self.world.look(SECONDS)
        text = self.asking.ask(f"the words of {placed.slug}", lambda: quoting.filled(self.world, placed))
        return placed.prose if isinstance(text, Untold) else str(text)

    def name(self, ref: str) -> str:
        """What a player is called."""
        return naming.called(self.world.store, ref.removeprefix("players/"))

    def doer(self, done: Done) -> str:
        """Who did a deed."""
        return self.name(done.deed.actor) if done.deed.actor else journal.unnamed(done.deed)

    def role(self, word: str) -> str:
        """Who may do something, in the words of this dynasty."""
        return called(word, self.world.law.declared.terms)

    def term(self, role: str) -> str:
        """What a role is called now."""
        return self.world.law.declared.terms.get(role) or role

    def kind(self, name: object) -> str:
        """What a post of a kind is called; one of none is a post."""
        return "post" if name == KINDLESS else self.world.law.declared.post_called(str(name))

    def variables(self, kind: str) -> Iterator[Variable]:
        """The variables of a kind of entity that stay from deed to deed and are tracked, secret ones too."""
        for variable in self.world.law.by_kind.get(kind, ()):
            if variable.tracked in ("public", "secret") and not variable.transient:
                yield variable

    def shown_then(self, kind: str, name: str) -> bool:
        """Whether a stored value of earlier days may be shown: it is public now, or nobody ever declared it secret."""
        declared = self.world.law.variable(kind, name)
        if declared is not None:
            return declared.tracked == "public" and not declared.transient
        if ("secret", "") not in self._seen:
            self._seen["secret", ""] = frozenset(_ever_secret(self.annals))
        return not {kind, name} & self._seen["secret", ""]

    def moves(self) -> Mapping[str, list[Moved]]:
        """Every change of a value that may be shown and is one to a reader, oldest first: of each player, and of each other kind."""
        if ("moves", "") not in self._seen:
            shown: dict[str, list[Moved]] = {}
            moved = list(dues.parted(self.annals, self.dues()))
            for each in begun.told(self.annals, moved, self.world.law):
                kind = each.ref.partition("/")[0]
                bare = markup.empty(each.old) and markup.empty(each.new)  # of which nobody sees anything
                if not bare and self.shown_then(kind, each.field):
                    shown.setdefault(each.ref if kind == "players" else kind, []).append(each)
            self._seen["moves", ""] = shown
        moves: Mapping[str, list[Moved]] = self._seen["moves", ""]
        return moves

    def dues(self) -> Mapping[int, Due | None]:
        """What fell due by the clock before deeds, by their places; None where nobody can tell it apart."""
        if ("dues", "") not in self._seen:
            self.world.look(LOOK)
            self._seen["dues", ""] = dues.told(self.annals, self.asking)
        fell_due: Mapping[int, Due | None] = self._seen["dues", ""]
        return fell_due

    def unmade(self, number: int) -> Mapping[int, str]:
        """Why changes of rules of a post that pends no more, by their numbers, could not be made when it was resolved."""
        if ("unmade", "") not in self._seen:
            asked = dict[int, dict[int, Any]]()
            for post, done in self.annals.closings.items():
                changes = self.world.store.value(f"posts/{post}", "changes")
                if self.world.store.value(f"posts/{post}", "status") != "enacted" and isinstance(
                    changes, list
                ):
                    asked.setdefault(done.place, {})[post] = changes
            deeds = (done for done in self.annals.deeds if done.place in asked)
            used = self.annals.amendments.keys()
            self._seen["unmade", ""] = {
                post: {n: why for n, why in enumerate(carry(ruleset, changes, used).whys, 1) if why}
                for done, ruleset in (self.annals.rulesets(deeds) if asked else ())
                for post, changes in asked[done.place].items()
            }
        whys: Mapping[int, str] = self._seen["unmade", ""].get(number, {})
        return whys

    def deed(self, name: str) -> Done | None:
        """A deed by its id; None where there is no such deed."""
        if ("deeds", "") not in self._seen:
            self._seen["deeds", ""] = {done.deed.id: done for done in self.annals.deeds}
        done: Done | None = self._seen["deeds", ""].get(name)
        return done

    def moved_by(self, done: Done) -> list[Moved]:
        """The changes of values that a deed made, as far as they may be shown, those of posts left out."""
        if ("moved", "") not in self._seen:
            by_deed: dict[int, list[Moved]] = {}
            for each in (each for some in self.moves().values() for each in some):
                if not each.ref.startswith("posts/"):
                    by_deed.setdefault(each.done.place, []).append(each)
            self._seen["moved", ""] = by_deed
        moved: list[Moved] = self._seen["moved", ""].get(done.place, [])
        return moved

    def posts(self) -> list[int]:
        """The numbers of all posts, newest first."""
        return sorted((int(number) for number in self.world.store.ids("posts")), reverse=True)

    def pending(self) -> list[int]:
        """The numbers of the pending matters, oldest first."""
        numbers = self.world.store.value("open", "pending")
        return [int(number) for number in numbers] if isinstance(numbers, list) else []


def _ever_secret(annals: Annals) -> Iterator[str]:
    """The names of all variables and collections that any text of any rule ever kept from the public."""
    for slug, history in annals.amendments.items():
        for each in history:
            try:
                front = rules.parse(each.new or "", slug).front if each.new else {}
            except NomicError:
                continue
            for key in ("variables", "collections"):
                yield from _hidden(front.get(key))


def _hidden(spec: object) -> Iterator[str]:
    for name, options in spec.items() if isinstance(spec, Mapping) else ():
        if isinstance(options, Mapping):
            if options.get("tracked", "public") != "public":
                yield str(name)
            yield from _hidden(options.get("fields"))
