"""Laying one's own deeds anew on another head: what others have pushed stands, and one's own deeds come after it.

A deed keeps its id, its actor, its action and its words. Its time is its own, or that of the deed before it where that
was later, or that of the clock where a mend has set it aside for being dated ahead; dice are drawn anew. What own deeds had
made (posts, entities) may get another id on the new head: own deeds that mean it follow. A matter that has become another
since is not voted on: nobody has read what it says now.
Own commits that are no deeds come along, but for those upon a move of the game that waits: they tell of a place where it does not
live, and wait with it.
All of it happens in a scratch clone; the game's own branch is moved once, at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from nomicgit.clones.apart import Parted
from nomicgit.clones.others import pace, vetting
from nomicgit.clones.own import accompanying, fallen, put_aside
from nomicgit.clones.own.redone import mended_by
from nomicgit.clones.own.renumbered import Ids, given_now, led_to, same, typed, where_done_again
from nomicgit.clones.own.replaced import replaced
from nomicgit.clones.own.retold import line_of
from nomicgit.clones.own.unseen import become_other, maker, posts_in, spoken_under
from nomicgit.clones.own.vain import in_vain
from nomicgit.git import Commit, Repository
from nomicgit.ground.problems import NomicError
from nomicgit.ground.remedies import remedy
from nomicgit.law.outside import AGAIN, Outside
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.state.context import Chance, Context
from nomicgit.physics.state.position import Position
from nomicgit.record import history, journal
from nomicgit.record.game import Game, new_id
from nomicgit.record.made import made_by
from nomicgit.record.seen.recourse import why_by_hand
from nomicgit.record.signers import listed_in
from nomicgit.record.tree import GameTree

if TYPE_CHECKING:
    from nomicgit.sealing.keys import Key


class Laid(NamedTuple):
    """What became of an own deed: its new commit, or why there is none; what it had made under another id; dice, if new.

    ``again``: one that was not done may be tried once more as it is; else somebody does it again themselves, by its words.
    ``stands``: one that was not done stands in the history already, or is ``over``: nothing
    can come of it any more. ``unread``: the commit at which a matter that it means has
    become another than whoever did it has read, or others have spoken under a post that it takes out.
    ``line``: the command line that does again what only somebody themselves can.
    ``waits``: own commits upon it that are no deeds, and wait with it.
    """

    deed: Deed
    was: str
    commit: str | None
    why: str = ""
    made: Mapping[str, str] = {}
    dice: Sequence[str] = ()
    again: bool = True
    stands: bool = False
    over: bool = False
    unread: str = ""
    line: str = ""
    waits: Sequence[str] = ()

    @property
    def aside(self) -> bool:
        """Whether it was not done, and is kept until it stands, or somebody lets go of it."""
        return self.commit is None and not self.stands


def key_of(repository: Repository) -> Key | None:
    """The key of a game's secrets that lies in a clone, by which own sealed deeds are done again; None where none does."""
    head = repository.head()
    if head is None or not GameTree(repository, repository.commit(head).tree).has_keys:
        return None
    from nomicgit.record.secret.keyring import key_at  # here: most games have no keys

    return key_at(repository)


def lay(
    scratch: Repository,
    apart: Parted,
    key: Key | None = None,
    deeds: Sequence[Commit] = (),
    read: Mapping[str, str] = {},
    waits_with: Mapping[str, Sequence[Commit]] = {},
    now: int | None = None,
) -> Iterator[Laid]:
    """Do own deeds again on the head that a scratch clone's branch stands at, oldest first; refused upon what is at fault there.

    ``deeds`` are these in order, where among them are some that are tried once more: by the ids of deeds whose matters had become
    others, ``read`` has the commits at which whoever did them was told so, and has read them since; ``waits_with`` are the own
    commits upon them. One of these that a wrong clock has dated ahead is dated ``now`` (seconds, UTC). What stands there already is
    not done a second time.
    """
    upon = scratch.head()
    assert upon is not None
    deeds, own = deeds or apart.own, {*apart.own}
    names = {journal.deed_id(each.message) for each in deeds} - {""}
    held = fallen.borne(scratch, upon, names)
    there = {entry.deed.id: commit for commit in apart.others if (entry := journal.told(commit.message))}
    waiting = False
    for place, commit in enumerate(deeds):
        entry = journal.told(commit.message)
        first = apart.first.get(entry.deed.id, commit) if entry else commit
        if place == 0 or not own.issuperset(deeds[place - 1 : place + 1]):
            ids, lies = led_to(scratch, first)
        if entry is None:
            if not waiting:
                accompanying.carry(scratch, commit)
            continue
        before = made_by(scratch, commit)
        pushed = there.get(entry.deed.id)
        if pushed is not None and same(scratch, commit, pushed, ids):
            ids.note(before, made_by(scratch, pushed))
            continue
        name, stands = entry.deed.id, bool(held.get(entry.deed.id))
        if pushed is not None:  # else its id would be there twice
            name, stands = new_id(entry.deed.at), False
        elif name in held and not stands:
            name, lies_there = where_done_again(scratch, commit, entry.deed, lies, ids)
            stands = lies_there is not None
        if stands:
            why = "it stands in the history already"
            yield Laid(entry.deed, commit.oid, None, why, again=False, stands=True)
            continue
        dated = entry.deed.at
        if now is not None and commit not in own and pace.is_ahead(scratch, upon, dated, now):
            dated = now
        entry = replace(entry, deed=replace(entry.deed, id=name, at=dated))
        asked = None if commit in own else read.get(journal.deed_id(commit.message), "")
        laid = _again(scratch, commit, first, entry, ids, key, asked)
        if entry.deed.action == Outside.SEALED:  # no screen shows what is sealed, unless that is asked for
            laid = laid._replace(deed=entry.deed, dice=())
        if laid.commit is None and accompanying.moves_in_vain(scratch, commit):
            upon_it = apart.own[apart.own.index(commit) + 1 :] if commit in own else waits_with.get(name, ())
            waits, waiting = accompanying.waiting(scratch, upon_it), True
            line = remedy(laid.line, accompanying.brought_again(waits))
            laid = laid._replace(line=line, waits=[each.oid for each in waits])
        after = made_by(scratch, scratch.commit(laid.commit)) if laid.commit else {}
        yield laid._replace(made=ids.note(before, after))


def note_aside(repository: Repository, laid: Sequence[Laid]) -> None:
    """Keep the deeds that were not done again, and let go of those that were, be it under another id."""
    unread: dict[str, str] = {}
    redone: list[str] = []
    lie = {journal.deed_id(each.message) for each in put_aside.deeds(repository)}
    for each in laid:
        name = journal.deed_id(repository.commit(each.was).message)
        if each.commit is not None and each.deed.id != name:
            put_aside.let_go(repository, [name])
            redone.append(each.commit)
        if each.aside:
            if name not in lie:  # what waits with one lies upon it as it was when that was told
                repository.point(put_aside.ASIDE + name, each.was)
            repository.point(put_aside.WAITS + name, each.waits[-1] if each.waits else None)
            unread |= {name: each.unread} if each.unread else {}
        elif each.stands:
            fallen.let_stand(repository, [repository.commit(each.was)])
            put_aside.let_go(repository, [name] if each.over else [])
        elif name in lie:
            put_aside.keep_no_longer(repository, [name])
    put_aside.tell(repository, unread)
    put_aside.note_redone(repository, redone)


def _unread(scratch: Repository, first: Commit, deed: Deed, ids: Ids, read: str) -> str:
    """Why a deed means a matter of which whoever did it, at ``first``, has not read what it says now, or takes out a post under which
    others have said what they have not read; "" where they have.
    """
    then = GameTree(scratch, scratch.commit(first.parents[0]).tree)
    seen = GameTree(scratch, scratch.commit(read).tree) if read else then
    head = scratch.head()
    assert head is not None
    now = GameTree(scratch, scratch.commit(head).tree)

    def made(tip: str, tree: GameTree, ref: str) -> str:
        return maker(scratch, tip, tree.post_path(int(ref.partition("/")[2]), tree.entity(ref) or {}))

    def by_one(ref: str, means: str) -> bool:
        return made(first.parents[0], then, ref) == made(head, now, means)

    changed = [*scratch.changed(then.tree, first.tree)]
    for path, old, _ in changed:  # after a rebase, two may lie there of one number
        if history.post_of(path) and (old is not None or not path.endswith(".md")):
            then.know(path.removesuffix(".comments.yml").removesuffix(".md") + ".md")
    for _, value, kind in typed(scratch, first, deed):
        for ref in posts_in(value, kind):
            if why := become_other(ref, ids.now.get(ref), then, seen, now, by_one):
                return why
    left = GameTree(scratch, first.tree)
    for ref in sorted({post for path, _, _ in changed if (post := history.post_of(path))}):
        if left.entity(ref) is None and then.entity(ref) is not None:
            means = ids.now.get(ref) or ref
            if why := spoken_under(
                means, then.comments(ref) if seen is then else seen.comments(means), now, deed.actor
            ):
                return why
    return ""


def _posts(scratch: Repository, first: Commit, deed: Deed, ids: Ids) -> dict[str, str]:
    """The references of the posts that a deed means, and what each is called now."""
    meant = (ref for _, value, kind in typed(scratch, first, deed) for ref in posts_in(value, kind))
    return {ref: ids.now.get(ref) or ref for ref in meant}


def _again(
    scratch: Repository,
    was: Commit,
    first: Commit,
    entry: journal.Entry,
    ids: Ids,
    key: Key | None,
    read: str | None,
) -> Laid:
    """One own deed, done again; refused, it leaves nothing. Its commit ``was``, and was ``first`` where Git has carried it on; of one
    that was set aside, where somebody has ``read`` since what it means, or "".
    """
    deed = entry.deed
    if entry.sealed:
        unveiled = _unveiled(scratch, was, key)
        if unveiled is None:
            return Laid(deed, was.oid, None, "it is sealed, and the key that opens it is not in this clone")
        deed = replace(unveiled, id=deed.id, at=min(unveiled.at, deed.at))
    if (
        deed.action == Outside.MEND
        and (by := mended_by(scratch, str(scratch.head()), was, str(deed.given["to"]))) is not None
    ):
        why = (
            f"what it sets aside the mend {by[:12]} has set aside already"
            if by
            else "what it sets aside is gone"
        )
        return Laid(deed, was.oid, None, why, again=False, stands=True)
    once = deed.action not in AGAIN and (deed.actor is None or "/" in deed.action)
    said = once or deed.action == Outside.ADDRESS  # which another clone of the keeper's may have said
    if said and (other := fallen.same_outside(scratch, was, str(scratch.head()))) is not None:
        why = f"the deed {other.oid[:12]} has done the same already"
        return Laid(deed, was.oid, None, why, again=False, stands=True)
    if once:
        if fallen.so_already(scratch, was, str(scratch.head())):
            return Laid(deed, was.oid, None, "that is so already", again=False, stands=True)
        why = "it is a deed outside the law: do it again yourself"
        line = line_of(deed, accompanying.lives_now(scratch), _keys_now(scratch, deed))
        return Laid(deed, was.oid, None, why, again=False, line=line)
    if why := why_by_hand(scratch, was):
        return Laid(deed, was.oid, None, f"{why}: where it is yours, do it again yourself", again=False)
    game = Game.open(scratch.git_dir)
    game.key, game.vet = key, vetting.refuse_unsound
    if deed.nonce is not None and game.last() > deed.at:
        deed = replace(
            deed, at=game.last() + 1
        )  # it is of no round any more in which others have their turns
    try:
        given = given_now(scratch, was, deed, ids)
        if why := replaced(scratch, first, deed, _posts(scratch, first, deed, ids), aside=read is not None):
            return Laid(deed, was.oid, None, why, again=False)
        if why := _unread(scratch, first, deed, ids, read or ""):
            return Laid(deed, was.oid, None, why, unread=str(scratch.head()))
        recorded = game.act(replace(deed, given=given), decide=_deciding(deed))
    except KeyError as gone:
        return Laid(
            deed, was.oid, None, f"it means {gone.args[0]}, which a deed had made that stands no more"
        )
    except NomicError as error:
        if deed.nonce is not None and _taken_already(error):
            why = "another clone of the keeper's has taken that order"
            return Laid(deed, was.oid, None, why, again=False, stands=True)
        if why := in_vain(scratch, first, _posts(scratch, first, deed, ids), aside=read is not None):
            return Laid(deed, was.oid, None, why, again=False, stands=True, over=True)
        return Laid(deed, was.oid, None, "; ".join(problem.sentence for problem in error.problems))
    dice = [f"{draw.what}: {draw.result}" for draw in recorded.outcome.draws if not draw.secret]
    return Laid(deed, was.oid, recorded.commit, dice=dice)


def _taken_already(error: NomicError) -> bool:
    from nomicgit.physics.deeds.keyed import TakenAlready  # here: most games have no keys

    return isinstance(error, TakenAlready)


def _keys_now(scratch: Repository, deed: Deed) -> list[str]:
    """The keys which the player of whom a deed names keys has where a scratch clone stands."""
    if deed.action != Outside.SIGNERS:
        return []
    listed = listed_in(scratch, scratch.commit(str(scratch.head())).tree)
    return [key.line for key in listed.keys.get(str(deed.given["player"]), ())]


def _unveiled(scratch: Repository, was: Commit, key: Key | None) -> Deed | None:
    """A sealed deed as it is behind its veil, where it was sealed: under its own id; None where no key at hand opens it."""
    from nomicgit.record.secret.keyring import fitting, terms_at  # here: most games have no keys
    from nomicgit.record.secret.turning import all_keys
    from nomicgit.record.secret.veil import behind
    from nomicgit.sealing.ciphers import Tampered

    terms = terms_at(scratch, scratch.commit(was.parents[0]).tree)
    for each in all_keys(scratch, scratch.commit(str(scratch.head())).tree, key):
        sealer = fitting(terms[-1], each, terms[0].since)
        with suppress(Tampered):
            opened = behind(journal.parse(was.message), sealer) if sealer is not None else None
            if opened is not None:
                return opened.deed
    return None


def _deciding(deed: Deed) -> Callable[[Position, Context, Deed, Chance], Outcome]:
    if deed.nonce is None:
        return Position.decide
    from nomicgit.record.secret.ordering import decided  # here, as above

    return decided
