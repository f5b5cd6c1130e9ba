"""What a shell offers where a matter, an action, a player or a rule is to be named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice

from click.shell_completion import CompletionItem

from nomicgit import editions as known
from nomicgit.cli.seat import Seat
from nomicgit.git.upstream import HEADS, home
from nomicgit.ground.problems import NomicError
from nomicgit.law.variables import Type
from nomicgit.outlook.meant import SINGLE, type_at
from nomicgit.record import journal
from nomicgit.record.forms.fields import choices
from nomicgit.record.game import Game

MOST = 100  # posts


def _offering(
    find: Callable[[Game], Iterable[tuple[str, str]]],
) -> Callable[[Seat, str, Mapping[str, object]], list[CompletionItem]]:
    """A completer of names with a word on each; where the game cannot be read it offers nothing."""

    def complete(seat: Seat, begun: str, _: Mapping[str, object]) -> list[CompletionItem]:
        try:
            names = list(find(seat.game()))
        except (NomicError, OSError):
            return []
        return [CompletionItem(name, help=said) for name, said in names if _begins(begun, name, said)]

    return complete


def _begins(begun: str, name: str, said: str) -> bool:
    """Whether a name begins so, or what is said of it does, as the title of a rule."""
    return any(each.casefold().startswith(begun.casefold()) for each in (name, said))


def _matters(game: Game) -> Iterable[tuple[str, str]]:
    for number in (game.tree.entity("open") or {}).get("pending", []):
        yield str(number), str((game.tree.entity(f"posts/{number}") or {}).get("title", ""))


def _icons(game: Game) -> Iterable[tuple[str, str]]:
    """The icons that the law's action vote takes, as far as it leaves a choice."""
    vote = game.law.declared.actions.get("vote")
    icon = vote.parameters.get("icon") if vote else None
    return ((each, "") for each in (choices(icon, game.law.declared) if icon else ()))


def _players(game: Game) -> Iterable[tuple[str, str]]:
    return ((game.tree.called(player), "") for player in game.tree.ids("players"))


def _rules(game: Game) -> Iterable[tuple[str, str]]:
    return ((placed.slug, placed.title) for placed in game.ruleset.rules)


def _posts(game: Game) -> Iterable[tuple[str, str]]:
    """The newest posts, newest first, with their titles."""
    numbers = sorted(map(int, game.tree.ids("posts")), reverse=True)[:MOST]
    return (
        (str(number), str((game.tree.entity(f"posts/{number}") or {}).get("title", ""))) for number in numbers
    )


def _kinds(game: Game) -> Iterable[tuple[str, str]]:
    return ((name, "") for name in game.law.declared.posts)


def _branches(game: Game) -> Iterable[tuple[str, str]]:
    """The branches of this clone but the game's own."""
    own = home(game.repository)
    names = (ref.removeprefix(HEADS) for ref in game.repository.references(HEADS))
    return ((name, "") for name in names if name != own)


def _deeds(game: Game) -> Iterable[tuple[str, str]]:
    """The newest deeds by their ids, newest first, each with what was done."""
    newest = islice(game.repository.log(game.head.oid), MOST)
    named = ((commit, journal.deed_id(commit.message)) for commit in newest)
    return ((name, commit.message.partition("\n")[0]) for commit, name in named if name)


def _sections(game: Game) -> Iterable[tuple[str, str]]:
    return ((name, "") for _, name in game.ruleset.sections)


def paths(seat: Seat, begun: str, given: Mapping[str, object]) -> list[CompletionItem]:
    """The paths in the gamestate that begin so, to the next dot: collections, who or what is in one, what that has."""
    *before, _ = begun.split(".")

    def offered(game: Game) -> Iterable[tuple[str, str]]:
        of = game.law.by_kind
        match before:
            case []:
                names: Iterable[str] = (*SINGLE, "players", "posts", *game.law.declared.collections)
            case [kind] if kind not in SINGLE:
                names = (
                    map(game.tree.called, game.tree.ids(kind)) if kind == "players" else game.tree.ids(kind)
                )
            case [kind] | [kind, _]:
                names = (each.name for each in of.get(kind, ()))
            case _:
                names = ()
        return ((".".join((*before, name)), "") for name in names)

    return _offering(offered)(seat, begun, given)


pending = _offering(_matters)
posts = _offering(_posts)
kinds = _offering(_kinds)
icons = _offering(_icons)
branches = _offering(_branches)
deeds = _offering(_deeds)
sections = _offering(_sections)
actions = _offering(lambda game: ((one.name, one.summary) for one in game.law.declared.actions.values()))
players = _offering(_players)
rules = _offering(_rules)


def _values(game: Game, kind: Type) -> Iterable[tuple[str, str]]:
    """The values of a type that can be listed; of an entity everybody's name for it."""
    match kind.kind:
        case "player":
            return _players(game)
        case "matter":
            return _matters(game)
        case "rule":
            return _rules(game)
        case "list" | "set" if kind.items is not None:
            return ((f"[{each}]", said) for each, said in _values(game, kind.items))
        case _:
            listed, collection = (
                choices(kind, game.law.declared),
                game.law.declared.collections.get(kind.kind),
            )
            if collection is not None and not listed:
                listed = collection.grid or tuple(game.tree.ids(kind.kind))
            return ((str(each), "") for each in listed)


def editions(_: Seat, begun: str, __: Mapping[str, object]) -> list[CompletionItem]:
    """The editions that come with the program, and folders."""
    return [
        *(CompletionItem(name) for name in known.names() if name.startswith(begun)),
        *folders(_, begun, __),
    ]


def files(_: Seat, begun: str, __: Mapping[str, object]) -> list[CompletionItem]:
    """Files, which a shell knows itself."""
    return [CompletionItem(begun, type="file")]


def folders(_: Seat, begun: str, __: Mapping[str, object]) -> list[CompletionItem]:
    """Folders, which a shell knows itself."""
    return [CompletionItem(begun, type="dir")]


def founders(_: Seat, begun: str, given: Mapping[str, object]) -> list[CompletionItem]:
    """The players of a new game who are named already."""
    named = given.get("players")
    return [
        CompletionItem(str(each))
        for each in (named if isinstance(named, tuple) else ())
        if str(each).startswith(begun)
    ]


def values(seat: Seat, begun: str, given: Mapping[str, object]) -> list[CompletionItem]:
    """The choices that the variable leaves at whose path a value is put."""

    def offered(game: Game) -> Iterable[tuple[str, str]]:
        kind = type_at(game.law, str(given.get("path")))
        return _values(game, kind) if kind is not None else ()

    return _offering(offered)(seat, begun, given)


def ascending(seat: Seat, begun: str, given: Mapping[str, object]) -> list[CompletionItem]:
    """The parameters of the action ascend."""
    return parameters(seat, begun, {**given, "name": "ascend"})


def parameters(seat: Seat, begun: str, given: Mapping[str, object]) -> list[CompletionItem]:
    """The parameters of the action that is named; behind ``=`` the choices that one leaves."""
    name, equals, _ = begun.partition("=")

    def offered(game: Game) -> Iterable[tuple[str, str]]:
        action = game.law.declared.actions.get(str(given.get("name") or given.get("action")))
        for key, kind in (action.parameters if action else {}).items():
            typed = key.replace("_", "-")
            if not equals:
                yield f"{typed}=", kind.kind
            elif name in (key, typed):
                yield from ((f"{name}={each}", said) for each, said in _values(game, kind))

    return _offering(offered)(seat, begun, given)
