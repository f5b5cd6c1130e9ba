"""Mend: a game goes back to what lawful deeds had made of it by an earlier commit, and names what it sets aside.

Those who may restore the game by the settings of that commit may do it. Rules, posts, gamestate and settings are again
as they were then, and so is the clock; nothing that the law would do happens in it, not even by the clock. What was
set aside stays in the history, and the numbers that it gave to posts and entities are not given again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from itertools import islice

from msgspec import Struct

from nomicgit.git import Commit, Repository
from nomicgit.git.trees import folded
from nomicgit.ground import clock
from nomicgit.ground.files import Value
from nomicgit.ground.problems import NomicError, Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.record import journal, line
from nomicgit.record.outside import restoring
from nomicgit.record.outside.misgiven import misgiven
from nomicgit.record.settings import Settings
from nomicgit.record.tree import GAME, KEYS, POSTS, STATE, GameTree, decoded, game_at, rendered

FURTHER = 100
"""Numbers that are missing before the highest one; what leaves out more was given by no deed, whatever its commit says of itself."""
MOST_NUMBERS = 10_000
"""How far a mend moves the numbers of a kind on: whoever forges deeds uses up no more of them with it."""
MOST_PATHS = 100_000
_FOLDER = "40000"
_POST = re.compile(r"\d{4}/\d{2}/(\d{4,9})-[a-z0-9-]*\.md")
_NUMBERED = re.compile(r"\D*([1-9]\d{0,8})")
_FORM = re.compile(r"[A-Za-z0-9_-]+\.yml")


class Mended(Struct, frozen=True):
    """What a mend has done: its outcome, the tree that it makes, and the commits that it sets aside, oldest first."""

    outcome: Outcome
    tree: str
    aside: tuple[Commit, ...]


def mend(repository: Repository, commits: Sequence[Commit], deed: Deed, *, write: bool) -> Mended:
    """Carry a mend out upon the line of a game since its founding, oldest first; ``write``: store the tree.

    Refused where those who do it may not, and where it goes back to no commit of the line or sets nothing aside.
    Whether that commit is lawful, replay tells.
    """
    to, by = deed.given["to"], deed.given["by"]
    place = next((n for n, commit in enumerate(commits) if commit.oid == to), None)
    if place is None:
        raise Refused.of(
            f"the commit {printable(str(to), 12)} is not on the line of this game",
            mend=remedy("choose one of these:", command("git", "log", "--first-parent")),
        )
    lawful, after, head = commits[place], commits[place + 1 :], commits[-1]
    restoring.allowed(_settings(repository, lawful).restore, by)
    if deed.actor not in by:
        raise Refused.of(f"{printable(str(deed.actor), 60)} is not among those who do it")
    merged = {each.merge.oid: each.deeds for each in line.beside(repository, commits)}
    aside = _set_aside(repository, after, merged)
    if not aside:
        raise Refused.of(f"nothing came after the commit {to[:12]} that could be set aside")
    names = printable(", ".join(map(str, by)))
    notes = [f"The game is again as it was at the commit {to[:12]}, by {names}."]
    notes += [f"Set aside: {in_words(commit)}" for commit in aside]
    mends = 1 + sum(journal.goes_back_to(commit.message) is not None for commit in commits)
    brought = (deed for commit in after for deed in merged.get(commit.oid, ()))
    numbers = frozenset(_numbers(repository, [*after, *brought]))
    return Mended(
        Outcome(deed, None, notes, [], [], [], []),
        _tree(repository, lawful, head, numbers, mends, write=write),
        aside,
    )


def in_words(commit: Commit) -> str:
    """A commit by its id, its author and its first line, which call nobody where a forge reads them."""
    subject = printable(commit.message.strip().partition("\n")[0], 100)
    return journal.tamed(f"{commit.oid[:12]} {line.in_the_name(commit.author)}: {subject}")


def may(repository: Repository, to: str) -> bool:
    """Whether the settings of a commit name anybody who may mend the game to it."""
    return bool(restoring.named(_settings(repository, repository.commit(to)).restore)[0])


def may_do(repository: Repository, mend: Commit) -> bool:
    """Whether whoever a mend says has done it may do what it says, as far as its message tells."""
    entry = journal.told(mend.message)
    if entry is None or misgiven(entry.deed.action, entry.deed.given, entry.deed.actor):
        return False
    given = entry.deed.given
    with suppress(NomicError):  # what it goes back to may be no commit, or theirs may be no right
        restoring.allowed(_settings(repository, repository.commit(given["to"])).restore, given["by"])
        return True
    return False


def remedy_to(repository: Repository, to: str, *more: str) -> str:
    """What mends a game to a commit (``more``: options), or what to do where its settings name nobody who may."""
    names, needed = restoring.named(_settings(repository, repository.commit(to)).restore)
    if not names:
        back = command("git", "reset", "--keep", to)
        return remedy(
            "this game names nobody who may mend it; whoever has not pushed it yet goes back:", back
        )
    if needed > 1:
        together = [word for name in names[:needed] for word in ("--by", name)]
        who = printable(f"{needed} of {', '.join(names)}", 500)
        return remedy(f"{who} can mend it:", command("nomicgit", "mend", "--to", to, *together, *more))
    who = printable(" or ".join(names), 500)
    return remedy(f"{who} can mend it:", command("nomicgit", "mend", "--to", to, *more))


def _settings(repository: Repository, commit: Commit) -> Settings:
    return GameTree(repository, commit.tree).settings


# What is set aside.


def _set_aside(
    repository: Repository, after: Sequence[Commit], merged: Mapping[str, Sequence[Commit]]
) -> tuple[Commit, ...]:
    """What came after a commit, and does not stand when that does: deeds, and what else changes the game.

    Behind a merge come the deeds that it has ``merged``, and left out. What a mend between says that it has set aside is
    named once more: that may be no deed, and must hide none.
    """
    named: list[Commit] = []
    for commit in after:
        brought = merged.get(commit.oid, ())
        if brought or sets_aside(repository, commit):
            named += [commit, *brought]
    return tuple(named)


def sets_aside(repository: Repository, commit: Commit) -> bool:
    """Whether a mend sets a commit aside that it goes back over, whatever that merges: a deed, or what changes the game."""
    return journal.is_deed(commit.message) or _touches(repository, commit)


def _touches(repository: Repository, commit: Commit) -> bool:
    """Whether a commit changes the game, or its forms."""
    from nomicgit.record.forms import FOLDER  # here: few games live on a forge

    before = repository.commit(commit.parents[0])
    paths = (GAME.rstrip("/"), FOLDER.rstrip("/"))
    return any(repository.entry(before.tree, path) != repository.entry(commit.tree, path) for path in paths)


# Numbers that are used.


def _numbers(repository: Repository, commits: Sequence[Commit]) -> Iterator[tuple[str, int]]:
    """The kinds and numbers of the posts and entities for which deeds have laid files; what is no deed gives none."""
    for commit in commits:
        if not commit.parents or journal.told(commit.message) is None:
            continue
        before = repository.commit(commit.parents[0]).tree
        for folder in (POSTS, STATE):
            for path in _laid(repository, folder, before, commit.tree):
                number = _number(folder, path)
                if number is not None:
                    yield number


def _laid(repository: Repository, folder: str, before: str, after: str) -> Iterator[str]:
    """The files that lie in a folder otherwise than before."""
    try:
        old, new = (_folder(repository, tree, folder) for tree in (before, after))
        changed = islice(repository.changed(old, new), MOST_PATHS)
        yield from (path for path, _, now in changed if now is not None)
    except NomicError:
        return  # what cannot be read was laid by no deed


def _folder(repository: Repository, tree: str, path: str) -> str | None:
    lies = repository.entry(tree, path.rstrip("/"))
    return lies[1] if lies is not None and lies[0] == _FOLDER else None


def _number(folder: str, path: str) -> tuple[str, int] | None:
    if folder == POSTS:
        post = _POST.fullmatch(path)
        return ("posts", int(post[1])) if post else None
    kind, _, name = path.removesuffix(".yml").partition("/")
    numbered = _NUMBERED.fullmatch(decoded(name))
    return (kind, int(numbered[1])) if numbered else None


def _used(tree: GameTree, numbers: Set[tuple[str, int]]) -> dict[str, Value] | None:
    """The index of what is open with more numbers used; None where all of them were used already."""
    index: dict[str, Value] = tree.entity("open") or {}
    law = tree.physics.law(tree.ruleset())
    keys = {kind: each.key for kind, each in law.declared.collections.items()}
    counts = index.get("made")
    made = dict(counts) if isinstance(counts, Mapping) else {}
    kinds = [kind for kind, key in keys.items() if isinstance(key, Mapping) and "prefix" in key]
    made |= {kind: _highest(made.get(kind, 0), kind, numbers) for kind in kinds}
    following = int(str(index.get("next", 1)))
    anew = index | {"next": _highest(following - 1, "posts", numbers) + 1}
    used = {kind: number for kind, number in made.items() if number}
    anew |= {"made": dict(sorted(used.items()))} if used else {}
    return anew if anew != index else None


def _highest(known: Value, kind: str, numbers: Set[tuple[str, int]]) -> int:
    used = int(str(known))
    most, missing = used + MOST_NUMBERS, FURTHER
    for number in sorted(number for each, number in numbers if each == kind and used < number <= most):
        missing -= number - used - 1
        if missing < 0:
            break
        used = number
    return used


# The tree.


def _tree(
    repository: Repository,
    to: Commit,
    head: Commit,
    numbers: Set[tuple[str, int]],
    mends: int,
    *,
    write: bool,
) -> str:
    """The tree of the line's end with the game, and its forms, as they were; what is neither stays as it is. ``mends``: how many
    there are on the line, with this one.

    What some file system would take for the game's folder goes: the game could not lie beside it in every clone.
    """
    make = repository.tree_with if write else repository.tree_id
    game = GAME.rstrip("/")
    gone = dict.fromkeys(_twins(repository, head.tree, game))
    base = make(head.tree, {**gone, game: game_at(repository, to)})
    changes: dict[str, bytes | None] = _forms(repository, to, head)
    tree = GameTree(repository, to.tree)
    changes |= _waiting_anew(tree, to.author_time)
    changes |= _dice_anew(repository, to.tree, mends)
    used = _used(tree, numbers)
    if used is not None:
        changes[tree.path("open")] = rendered("open", used)
    return make(base, changes)


def _dice_anew(repository: Repository, tree: str, mends: int) -> dict[str, bytes]:
    """The file of keys, in a game that has one: who has seen dice that were set aside does not know those that come."""
    if repository.entry(tree, KEYS) is None:
        return {}
    from nomicgit.record.secret.keyring import after_mends, terms_at, written  # here: few games have keys

    return {KEYS: written(after_mends(terms_at(repository, tree), mends))}


def _waiting_anew(tree: GameTree, at: int) -> Iterator[tuple[str, bytes]]:
    """The players whose mailboxes waited at that time (seconds, UTC): they wait from when the keeper sees them again, else what
    their player said meanwhile against one would be undone, and its time be over.
    """
    for name in tree.ids("players"):
        player = tree.entity(f"players/{name}") or {}
        box = player.get("mailbox")
        if isinstance(box, Mapping) and "from" in box and clock.instant(str(box["from"])) > at:
            waits = {key: value for key, value in box.items() if key != "from"}
            yield tree.path(f"players/{name}"), rendered(f"players/{name}", {**player, "mailbox": waits})


def _twins(repository: Repository, tree: str, name: str) -> Iterator[str]:
    """What lies in a tree under other names that are this one where capitals do not count."""
    for other, (mode, oid) in repository.tree(tree).items():
        if other != name and folded(other) == name:
            below = repository.changed(oid, None)
            yield from (f"{other}/{path}" for path, _, _ in below) if mode == _FOLDER else (other,)


def _forms(repository: Repository, to: Commit, head: Commit) -> dict[str, bytes | None]:
    """The forms that must go back, or go; what people have laid beside them stays."""
    was, now = (dict(_written(repository, commit.tree)) for commit in (to, head))
    return {path: was.get(path) for path in sorted({*was, *now}) if was.get(path) != now.get(path)}


def _written(repository: Repository, tree: str) -> Iterator[tuple[str, bytes]]:
    """The forms that deeds have written."""
    from nomicgit.record.forms.texts import FOLDER, WRITTEN  # here: few games live on a forge

    folder = _folder(repository, tree, FOLDER)
    for name in repository.tree(folder) if folder else ():
        data = _read(repository, tree, FOLDER + name) if _FORM.fullmatch(name) else None
        if data is not None and data.startswith(WRITTEN.encode()):
            yield FOLDER + name, data


def _read(repository: Repository, tree: str, path: str) -> bytes | None:
    try:
        return repository.file(tree, path)
    except NomicError:
        return None  # a link, or too large: no form
