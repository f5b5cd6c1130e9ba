"""What is said with a refusal of a deed: in which rule it stands, who or what was meant, what may be done all the same."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from nomicgit.cli.bodies.status import way_out
from nomicgit.cli.bodies.verdicts import span
from nomicgit.cli.contents import MODULES
from nomicgit.git.signing import PLAYER
from nomicgit.git.upstream import Upstream
from nomicgit.ground import clock
from nomicgit.ground.problems import NomicError, Problem, Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.ground.wording import in_words
from nomicgit.law.declarations import Action
from nomicgit.law.values import NEEDED
from nomicgit.outlook import allowed, foreseen, idleness, meant
from nomicgit.outlook.ahead import from_when
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds import acting, petitions, submitting
from nomicgit.physics.state import naming, reading
from nomicgit.physics.state.store import NeedsKey, hand_in
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record.forms.fields import choices
from nomicgit.record.game import Game

NO_PLAYER = "you are no player"
CHOICES = 200  # letters of those that are told
_CHANGE = re.compile(r"change (\d+)\b")  # where a problem of a change lies
ADVICE = 2.0  # seconds of processor time for finding out when a deed can be done
LONG = 400  # characters of a command, beyond which only its name is told
UNTRIED = "a dry run is done without the key, though it lies in this clone: only the deed itself uses it"


def stranger(world: Transaction, actor: str) -> str:
    """That who has done a deed is no player, where one is called nearly so: they may have meant to be that one."""
    meant_one = meant.player(world, actor)
    return f"{actor} is no player here: {meant_one}" if meant_one else ""


def advised(error: NomicError, game: Game, deed: Deed, dry_run: bool = False) -> tuple[Problem, ...]:
    """The problems over which a deed was not done, or not tried, with that."""
    titled = tuple(_titled(problem, game) for problem in error.problems)
    keeping = game.keeping() if isinstance(error, NeedsKey) and dry_run else None
    if keeping is not None and keeping.sealer is not None:
        return tuple(replace(problem, mend=UNTRIED) for problem in titled)
    if not isinstance(error, Refused):
        return titled
    helped = (_helped(each, game, deed) for each in titled)
    if isinstance(error, NeedsKey):
        order = _as_order(game, deed)
        helped = (replace(each, mend=order) if each.mend == hand_in() else each for each in helped)
    return tuple(helped)


def _as_order(game: Game, deed: Deed) -> str:
    """How a deed is handed in as an order: the whole line, as whoever is told has just typed it."""
    action = game.law.declared.actions.get(deed.action)
    if action is None or deed.actor is None:
        return hand_in()
    hidden = action.hidden(deed.given)
    given = [
        f"{name}={value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}"
        for name, value in deed.given.items()
    ]
    player = game.repository.config(PLAYER)
    own = player is not None and game.tree.spelled(player) == deed.actor
    more = [*(() if own else ("--as", deed.actor)), *(["--push"] if Upstream.of(game.repository) else ())]
    more += [] if hidden else ["--yes"]
    line = command("nomicgit", "order", deed.action, *given, *more)
    if len(line) > LONG:
        return hand_in()
    keys = (
        "who keeps the key lays it down:",
        command("nomicgit", "keys", "set"),
        "or puts it together from its shares:",
        command("nomicgit", "keys", "join"),
    )
    seen = "" if hidden else ", which the journal shows with your name once it is done"
    return remedy(f"hand it in as an order{seen}:", line, *keys)


def besides(error: NomicError, game: Game, deed: Deed) -> tuple[tuple[Problem, ...], tuple[Problem, ...]]:
    """What is wrong with the changes of a matter that is refused for another reason, or for some of them, so that all can be
    mended at once: what else refuses it, and what is to be known of the others.
    """
    changes = deed.given.get("changes")
    if not isinstance(error, Refused) or not isinstance(changes, list):
        return (), ()
    more: tuple[Problem, ...] = ()
    formless = frozenset(_numbers(error.problems))
    if not formless:
        try:
            submitting.refuse_formless(game.looked_at(deed.at), changes)
        except Refused as refused:
            more = refused.problems
            formless = frozenset(_numbers(more))
    kind = deed.action if deed.action in game.law.declared.posts else "proposal"
    return more, tuple(map(Problem, foreseen.of_refused(game, kind, deed, formless)))


def _numbers(problems: Iterable[Problem]) -> Iterator[int]:
    """The numbers of the changes in which something is wrong."""
    for each in problems:
        if at := _CHANGE.match(each.where.file):
            yield int(at[1])


def _titled(problem: Problem, game: Game) -> Problem:
    """A problem with the title of the rule in whose file it lies."""
    where = problem.where
    if where.rule or not where.file:
        return problem
    titles = (placed.title for placed in game.ruleset.rules if where.file == f"game/ruleset/{placed.path}")
    return replace(problem, where=replace(where, rule=next(titles, "")))


def _helped(problem: Problem, game: Game, deed: Deed) -> Problem:
    """A problem with whom or which rule was meant by a name; with what may be done all the same, where there is hiatus."""
    world, action = game.looked_at(deed.at), game.law.declared.actions.get(deed.action)
    near = [meant.player(world, deed.actor)] if deed.actor and problem.what == NO_PLAYER else []
    near += meant.of_given(world, action.parameters, deed.given, problem.what) if action else ()
    if action and problem.what.endswith(NEEDED):
        near.append("; ".join(_takes(world, action, problem.what.removesuffix(NEEDED).split(", "))))
    number, rest = meant.apart(world, action.parameters, deed.given) if action else ("", [])
    if number:
        near.append(
            f"a number is wanted, of the post of that title: {' '.join(('nomicgit', deed.action, number, *rest))}"
        )
    if action and meant.NO_POST in problem.what:
        near += _posts(world, action, deed.given)
    if action and action.answers:
        near += _unasked(world, action, deed.given, problem.what)
    if action and meant.NO_DEED in problem.what:
        near.append(remedy(f"{meant.OF_DEED}:", command("nomicgit", "log")))
    if deed.actor and problem.what == NO_PLAYER:
        near.append(_way_in(world, deed.actor))
    if problem.what == acting.FOR_ADMIN:
        near.append("; ".join(filter(None, (problem.mend, _admins(world)))))
    back = idleness.way_back(world, deed.actor) if deed.actor and problem.what == "you are idle" else ""
    mend = (
        next(filter(None, near), problem.mend)
        or back
        or way_out(world, problem.what, deed.action)
        or _in_time(game, deed, problem.what)
    )
    return replace(problem, mend=mend)


def _admins(world: Transaction) -> str:
    """Who is an admin."""
    names = [naming.called(world.store, ref.partition("/")[2]) for ref in reading.admins(world)]
    return f"{'admins' if len(names) > 1 else 'an admin'}: {', '.join(names)}" if names else ""


def _in_time(game: Game, deed: Deed, what: str) -> str:
    """From when on a deed can be done that time alone stands against; "" where what it is refused for says so itself."""
    world, actor = game.looked_at(deed.at), f"players/{deed.actor}"
    world.look(ADVICE)
    at, surely = from_when(world, lambda then: allowed.barred(then, deed.action, actor, deed.given))
    if at is None or clock.text(at) in what:
        return ""
    when = f"{clock.text(at)} (in {span(at - deed.at)})"
    return (
        f"it can be done from {when}, if nothing else changes" if surely else f"it is too early until {when}"
    )


def _takes(world: Transaction, action: Action, lacking: Iterable[str]) -> Iterator[str]:
    """What may be given for those of some parameters that take one of a few things."""
    for name in lacking:
        kind = action.parameters.get(name)
        if kind is not None and (options := choices(kind, world.law.declared)):
            yield f"{name} is one of {in_words(list(options), CHOICES)}"


def _unasked(world: Transaction, action: Action, given: Mapping[str, object], what: str) -> Iterator[str]:
    """How somebody asks for what is to be answered, who has not; and who has."""
    parameter = next(iter(action.parameters), "")
    name = given.get(parameter)
    if not isinstance(name, str) or not what.startswith(f"{parameter}: there is no "):
        return
    asked = command(
        "nomicgit", "--as", name, *(() if action.answers in MODULES else ("act",)), action.answers
    )
    waits = [each.who for each in petitions.waiting(world) if each.answer == action.name]
    wait = f"{' and '.join(waits)} {'have' if len(waits) > 1 else 'has'} asked; " if waits else ""
    yield remedy(f"{wait}{name} asks first:", asked)


def _posts(world: Transaction, action: Action, given: Mapping[str, object]) -> Iterator[str]:
    """What to write for a post: its number alone, and that before what goes with it."""
    number, stands = meant.swapped(world, action.parameters, given)
    if number:
        yield f"the number comes first: nomicgit {action.name} {number} {stands}"
    for name, kind in action.parameters.items():
        if kind.kind in ("post", "matter") and (numbers := meant.titled(world, str(given.get(name, "")))):
            behind = " ".join(str(value) for other, value in given.items() if other != name)
            lines = (f"nomicgit {action.name} {n} {behind}".rstrip() for n in numbers)
            yield f"a number is wanted, of the post of that title: {' or '.join(lines)}"
    yield from (meant.post(world, str(value)) for value in given.values())
    yield "see the numbers of posts: nomicgit posts"


def _way_in(world: Transaction, name: str) -> str:
    """How somebody comes on the roster who is no player."""
    if "join" not in world.law.declared.actions:
        return ""
    if petitions.of(world, "join", name) is not None:
        return "you have asked to join, and wait for an answer"
    return f"come on the roster first: nomicgit --as {name} join"
