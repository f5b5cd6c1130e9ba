"""What is wrong with a commit of the game's line, as far as that is seen without replaying anything.

A commit counts as a deed here where its message tells of one, its headers are those that the deed makes, its time is not
before that of the deed before it, and it changes nothing that deeds of its kind never change. Whether it holds what that
deed makes, verify tells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from nomicgit.git import Commit, Repository, trees
from nomicgit.git.objects import Entry, oid_of
from nomicgit.ground.problems import NomicError, printable
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed
from nomicgit.record import journal
from nomicgit.record.line import before_of, brings_deeds
from nomicgit.record.outside.misgiven import misgiven
from nomicgit.record.seen.headers import misheaded
from nomicgit.record.seen.signatures import Signatures
from nomicgit.record.signers import committers, listed_in
from nomicgit.record.tree import GAME, KEYS, STATE, GameTree, decoded, forms_of, game_at

MOST_MERGED = 100
"""Other lines that are looked through for deeds; what merges more is taken for what leaves some out."""
CHANGED = "it changes the game and is no deed"


class Amiss(NamedTuple):
    """What is wrong with a commit: ``before`` is the one to go back to, ``founds`` whether it founds a game over one,
    ``again`` whether it is a deed that can be laid anew, or a mend.
    """

    what: str
    before: Commit
    founds: bool = False
    again: bool = False


def amiss(repository: Repository, commit: Commit, signatures: Signatures) -> Amiss | None:
    """What is wrong with a commit; None where nothing is seen. ``signatures`` are those of its line, up to the one before it."""
    before = before_of(repository, commit)
    if before is None:
        return None
    entry = journal.told(commit.message)
    what = _left_out(repository, before, commit)
    if entry is None:
        return Amiss(what, before) if (what := what or _of_none(repository, before, commit)) else None
    last = last_game(repository, before) if entry.deed.action == Outside.FOUND else None
    if last is not None:
        return Amiss(founded_over(last, before), last, founds=True)
    mends = (
        not what and entry.deed.action == Outside.MEND
    )  # whoever lays own deeds anew tells how that is done again
    what = what or forged(repository, commit)
    what = what or _misgiven(entry.deed)
    what = what or next(_missealed(repository, before, commit, entry), "")
    what = what or next(_beyond(repository, before, commit, entry), "")
    if what:
        return Amiss(what, before, again=mends)
    what = signatures.wrong(before, entry, commit)
    what = what or next(_misdone(repository, before, commit, entry), "")
    return Amiss(what, before, again=True) if what else None


def _of_none(repository: Repository, before: Commit, commit: Commit) -> str:
    """What is wrong with a commit that is no deed."""
    changed = game_at(repository, before) != game_at(repository, commit)
    what = journal.misread(commit.message) or (CHANGED if changed else "")
    with suppress(NomicError):  # a game that cannot be read was left so by another commit, which is named
        what = what or next(misformed(repository, before, commit), "")
    return what


def forged(repository: Repository, commit: Commit) -> str:
    """What is wrong with a deed of those who may restore the game, seen without replaying it: that they may not, or that a
    mend's tree is not what mending makes. "" where nothing is, or it is no such deed.
    """
    entry = journal.told(commit.message) if "physics/" in commit.message else None
    before = before_of(repository, commit) if entry is not None else None
    if entry is None or before is None:
        return ""
    from nomicgit.record.seen import forging  # here: few deeds are outside the law

    return forging.wrong(repository, before, commit, entry.deed)


def _misgiven(deed: Deed) -> str:
    """What is wrong with what a deed of the program's own is handed in with, or one that names nobody; "" where nothing is."""
    return misgiven(deed.action, deed.given, deed.actor) if "/" in deed.action or not deed.actor else ""


def _misdone(repository: Repository, before: Commit, commit: Commit, entry: journal.Entry) -> Iterator[str]:
    """What is wrong with a deed's commit, seen without replaying it: its headers, and its time."""
    deed = entry.deed
    if deed.at != commit.author_time:
        yield "its deed and its commit are not of one time"
    if len({*commit.parents}) < len(commit.parents):
        yield "it merges one commit twice, or the one before it"
    _, stored = repository.read(commit.oid)
    by = committers(repository, before.tree, deed, sealed=bool(entry.sealed))
    yield from misheaded(commit, stored, deed, commit.message, by)
    if len(commit.parents) > 1:
        from nomicgit.record.seen import joined  # here: few deeds merge anything

        yield from joined.strange(repository, commit, deed)
    earlier = journal.told(before.message) if deed.action != Outside.MEND else None
    if earlier is not None and deed.at < earlier.deed.at == before.author_time:
        yield "it is dated before the deed before it"
    if earlier is not None and deed.id == earlier.deed.id:
        yield f"its deed {deed.id} stands in the history already"


def _missealed(repository: Repository, before: Commit, commit: Commit, entry: journal.Entry) -> Iterator[str]:
    """What anybody sees that is wrong with a deed which only the keeper does, that they have not signed it, or its form; and
    with any other that changes what is sealed, or the keys.
    """
    folder = KEYS.rpartition("/")[0]
    touches = repository.entry(before.tree, folder) != repository.entry(commit.tree, folder)
    if not (entry.sealed or entry.seeds or touches):
        return
    if not GameTree(repository, before.tree).has_keys:
        if entry.sealed:
            yield "it is sealed, and the game has no keys"
        return
    from nomicgit.record.secret import keyring, unsealed  # here: most games have no keys
    from nomicgit.record.secret.custody import Keeping

    keeping = Keeping(keyring.terms_at(repository, before.tree), None)
    yield from unsealed.unlike(repository, entry, commit, before, keeping)


_SETTINGS = frozenset({Outside.REHOUSE, Outside.NUMBER, Outside.SIGNED, Outside.APPROVALS, Outside.RESTORERS})
_KEYS = frozenset({Outside.TERM, Outside.OPEN})
_APART = _SETTINGS | _KEYS | {Outside.SIGNERS}
"""The deeds of which nothing happens that the law knows, not even by the clock."""
_WHOLE = frozenset({Outside.FOUND, Outside.MEND})
"""Those that lay the game down as a whole, and are held to that."""
_CHANGED_BY: Mapping[str, tuple[bool, Collection[str]]] = {
    "game.yml": (True, _SETTINGS),
    "signers": (True, {Outside.SIGNERS}),
    "sealed": (True, _KEYS),
} | dict.fromkeys(("posts", "ruleset", "scenarios", "state"), (False, _APART))
"""What lies in the game's folder, and which kinds of deeds change it: these, or all but these. What is sealed a sealed deed
changes too. What a law lets happen, it may let any deed do, or the clock, which comes with it: whether it has, only replay tells.
"""


def _beyond(repository: Repository, before: Commit, commit: Commit, entry: journal.Entry) -> Iterator[str]:
    """What a deed changes that deeds of its kind never change."""
    kind = entry.deed.action
    old, new = (_within(repository, each) for each in (before, commit))
    changed = sorted(name for name in {*old, *new} if old.get(name) != new.get(name))
    if kind in _WHOLE:
        return
    for name in changed:
        these, kinds = _CHANGED_BY.get(name, (True, ()))
        if (kind in kinds) is not these and not (
            name == "sealed" and (entry.sealed or _salts(repository, before, commit))
        ):
            yield f"it changes {GAME}{printable(name, 60)}, and no deed of its kind does"
    try:
        if "sealed" in old and "state" in changed:
            yield from _readdressed(repository, before, commit, entry.deed)
        if kind == Outside.SIGNERS and "signers" in changed:
            yield from _rekeyed(repository, before, commit, entry.deed)
    except NomicError as error:  # files that nobody can read
        yield f"its deed is refused: {error.problems[0]}"


def _salts(repository: Repository, before: Commit, commit: Commit) -> bool:
    """Whether of what is sealed the file of keys alone is another, as a deed leaves it that is the salt of a term's dice: whether it
    is that is looked at besides.
    """
    folder, _, file = KEYS.rpartition("/")
    old, new = (repository.entry(each.tree, folder) for each in (before, commit))
    if old is None or new is None or (old[0], new[0]) != (trees.FOLDER, trees.FOLDER):
        return False
    was, there = repository.tree(old[1]), repository.tree(new[1])
    return {name for name in {*was, *there} if was.get(name) != there.get(name)} == {file}


def _within(repository: Repository, commit: Commit) -> Mapping[str, Entry]:
    """What lies directly in the game's folder; nothing where there is none."""
    folder = game_at(repository, commit)
    return repository.tree(folder[1]) if folder is not None and folder[0] == trees.FOLDER else {}


def _readdressed(repository: Repository, before: Commit, commit: Commit, deed: Deed) -> Iterator[str]:
    """The mailboxes that a deed of a game with keys changes, and that are not what it is about."""
    about: Mapping[str, object] = {Outside.MAILBOX: deed.actor, Outside.ADDRESS: deed.given.get("player")}
    trees_of = [GameTree(repository, each.tree) for each in (before, commit)]
    folders = [repository.entry(each.tree, f"{STATE}players") for each in trees_of]
    old, new = (each[1] if each and each[0] == trees.FOLDER else None for each in folders)
    own = about.get(deed.action)
    for file, _, there in repository.changed(old, new):
        name = decoded(file.removesuffix(".yml"))
        was, now = ((each.entity(f"players/{name}") or {}).get("mailbox") for each in trees_of)
        if there is not None and name != own and was != now:
            yield f"it changes the mailbox of {printable(name, 60)}, and no deed of its kind does"


def _rekeyed(repository: Repository, before: Commit, commit: Commit, deed: Deed) -> Iterator[str]:
    """The players whose keys, or whose address, a deed changes that is about another's."""
    old, new = (listed_in(repository, each.tree) for each in (before, commit))
    known = {*old.keys, *new.keys, *old.addresses, *new.addresses}
    for name in sorted(known - {str(deed.given.get("player"))}):
        if any(
            was.get(name) != now.get(name)
            for was, now in ((old.keys, new.keys), (old.addresses, new.addresses))
        ):
            yield f"it changes the keys of {printable(name, 60)}, and is about another's"


def last_game(repository: Repository, tip: Commit) -> Commit | None:
    """The newest commit up to a tip at which there is a game; None where there never was one."""
    return next((each for each in repository.log(tip.oid) if game_at(repository, each) is not None), None)


def founded_over(last: Commit, before: Commit) -> str:
    """What is wrong with a founding upon ``before``, where ``last`` is the last commit with a game: that game goes on."""
    if last.oid == before.oid:
        return "it founds a game where one is already"
    return f"it founds a game over the one that was there until the commit {last.oid[:12]}"


def _left_out(repository: Repository, before: Commit, commit: Commit) -> str:
    """The deeds that a commit merges and leaves out, told; "" where there are none."""
    others = [*dict.fromkeys(commit.parents[1:])]
    if len(others) < MOST_MERGED and not any(brings_deeds(repository, other, before.oid) for other in others):
        return ""
    return "it merges another line of play, and leaves its deeds out"


def misformed(repository: Repository, before: Commit, commit: Commit) -> Iterator[str]:
    """What is wrong with the forms after a commit that is no deed: it must leave them alone, or put them right."""
    from nomicgit.record.forms import FOLDER  # here: few commits are no deeds

    now, was = (repository.entry(each.tree, FOLDER.rstrip("/")) for each in (commit, before))
    if now == was:
        return
    tree = GameTree(repository, commit.tree)
    if not tree.settings.forge:
        return
    law = tree.physics.law(tree.ruleset())
    for path, data in sorted(forms_of(law, tree.settings.forge).items()):
        there = repository.entry(commit.tree, path)
        if there != repository.entry(before.tree, path) and there != (trees.FILE, oid_of("blob", data)):
            yield f"it changes the form {path} and is no deed"
