"""What stands around a game in its clone: of its record, its branch, its files and whose mailbox, what somebody should know.

The game itself, its matters and what they wait for, is told by ``status``.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from nomicgit.cli.face import loaded
from nomicgit.cli.terminal import clean, inline, many, progress
from nomicgit.clones import apart, refusals
from nomicgit.clones.apart import Standing
from nomicgit.clones.by_hand import Edited, edited
from nomicgit.clones.others import overwritten, pace, rethrown
from nomicgit.clones.others.building import Building, building
from nomicgit.clones.others.gained import gained
from nomicgit.clones.others.misleading import misleading
from nomicgit.clones.others.misread import misread, worded
from nomicgit.clones.others.rekeyed import Rekeyed, rekeyed
from nomicgit.clones.others.renamed import renamed
from nomicgit.clones.others.rethrown import Rethrown
from nomicgit.clones.others.unexpected import Unexpected
from nomicgit.clones.others.unheld import Unheld, unheld
from nomicgit.clones.others.vetting import advised
from nomicgit.clones.own import fallen, put_aside
from nomicgit.clones.relocation import moved
from nomicgit.git import Commit, Repository, lacking
from nomicgit.ground import clock
from nomicgit.ground.problems import Problem
from nomicgit.ground.remedies import as_json, below, command, once, remedy
from nomicgit.law.outside import AGAIN, Outside
from nomicgit.record import journal, keepsakes
from nomicgit.record.game import Game
from nomicgit.record.line import SHOWN, in_words
from nomicgit.record.seen import attributes, known
from nomicgit.record.seen.attributes import Attributed
from nomicgit.record.seen.known import Lost
from nomicgit.record.seen.strays import Elsewhere, Stray, elsewhere, takes_back, told_aside, unverified
from nomicgit.record.signers import unjudged

if TYPE_CHECKING:
    from nomicgit.cli.bodies.sharing import Outdated

MENDED = 7 * 86_400  # seconds for which a mend is told at most
OTHERWISE = (
    30 * 86_400
)  # and for which it is told what chance gave otherwise before, which offices somebody got, and whose terms


class Surroundings(Struct, frozen=True):
    """What was seen of a clone at a time; each part is empty where there is nothing to tell."""

    strays: Sequence[Stray]
    mends: Sequence[Commit]
    early: Sequence[pace.Future]
    stands: Elsewhere | None
    clone: Standing
    aside: Sequence[Commit]
    lost: Lost | None
    regain: str
    builds: Sequence[Building]
    beside: Unheld | None
    misleads: Sequence[Unexpected]
    offices: Sequence[str]
    tags: Sequence[str]
    keys: Sequence[Rekeyed]
    taken: str
    letters: int
    way: str
    shares: Outdated | None
    brought: Attributed | None
    refused: Sequence[Problem]
    fell: Sequence[Commit]
    sent: str
    by_hand: Edited | None
    unverified: Problem | None
    unjudged: str
    moved: Problem | None
    other_branch: Problem | None
    dice: Sequence[Rethrown]
    terms: Sequence[Commit]

    def is_wrong(self) -> bool:
        """Whether anything of it must be mended before the game goes on here."""
        beside = self.beside or self.brought  # for which no deed is done in other clones
        return bool(
            self.strays
            or self.early
            or self.lost
            or self.stands
            or beside
            or self.other_branch
            or self.refused
        )

    def as_json(self) -> dict[str, object]:
        """As ``nomicgit status --json`` has it."""
        stands, shares = self.stands, self.shares
        return {
            "elsewhere": None if stands is None else {"branch": stands.branch, "home": stands.home},
            "strays": [stray.as_json() for stray in self.strays],
            "ahead": [each.as_json() for each in self.early],
            "mends": [_mend(each) for each in self.mends if takes_back(each) is Outside.MEND],
            "restored": [_mend(each) for each in self.mends if takes_back(each) is Outside.RESTORE],
            "clone": self.clone._asdict(),
            "unverified": self.unverified is not None,
            "lost": self.lost.as_json(self.regain) if self.lost else None,
            "build": [each.as_json() for each in self.builds],
            "unheld": self.beside.as_json() if self.beside else None,
            "offices": self.offices,
            "beside": [each.as_json() for each in self.misleads],
            "tags": self.tags,
            "mailbox": self.taken or None,
            "letters": self.letters,
            "in_the_way": self.way or None,
            "shares": [*shares.anew] if shares else [],
            "rekeyed": [each.as_json() for each in self.keys],
            "unjudged": self.unjudged or None,
            "fallen": [each.oid for each in self.fell],
            "refused": [{"what": each.what} | as_json(each.mend) for each in self.refused],
            "attributes": self.brought.as_json() if self.brought else None,
            "edited": list(self.by_hand.paths) if self.by_hand else [],
            "moved": self.moved.as_json() if self.moved else None,
            "other_branch": self.other_branch.as_json() if self.other_branch else None,
            "rethrown": [each.as_json() for each in self.dice],
            "terms": [_mend(each) for each in self.terms],
        }

    def above(self) -> Iterator[str]:
        """What is told before the game: what makes it look as it does, or is in its way."""
        for stray, mend in zip(self.strays, once([each.mend for each in self.strays]), strict=True):
            yield _told("red", f"{stray.label}: ", f"{stray}{below(mend)}")
        if self.stands:
            yield _told("red", "not the game's branch: ", f"{self.stands}{below(self.stands.mend)}")
        for early, mend in zip(self.early, once([each.mend for each in self.early]), strict=True):
            yield _told("red", "from the future: ", f"{early}{below(mend)}")
        yield from map(taken_back, self.mends)
        yield from map(other_dice, self.dice)
        yield from map(begun, self.terms)
        for office in self.offices:
            yield _told("yellow", "offices: ", office)
        if self.lost:
            yield _told("red", "lost: ", f"{self.lost}{below(self.regain)}")
        yield from in_the_mailbox(self.taken, self.letters, self.way)
        yield from self.shares.lines() if self.shares else ()
        for key in self.keys:
            yield _told("red", "keys: ", f"{key}\n  if that is not yours:{below(key.mend)}")
        yield from self._beside()
        if self.brought:
            yield attributed(self.brought)
        if self.by_hand:
            yield _told("yellow", "edited by hand: ", f"{self.by_hand}{below(self.by_hand.mend)}")

    def _beside(self) -> Iterator[str]:
        """What files and tags beside the game do that nobody expects, and what nobody judges here."""
        held = self.beside
        if self.unjudged:
            yield click.style("not judged: ", fg="yellow") + self.unjudged
        if held:
            yield _told("red", "not every clone holds it: ", f"{held}{below(held.mend)}")
        for each in (each for each in self.builds if not (held and held.includes(each))):
            yield _told("yellow", "to build the site: ", f"{each}{below(each.mend)}")
        for other in self.misleads:
            yield _told("yellow", "beside the game: ", f"{other}{below(other.mend)}")
        if self.tags:
            yield _told("yellow", "tags and branches: ", worded(self.tags))

    def beneath(self) -> Iterator[str]:
        """What is told after the game: what is to be brought together with others' clones."""
        for why, mend in zip(self.refused, once([each.mend for each in self.refused]), strict=True):
            yield _told("red", "the last sync moved nothing: ", f"{why.what}{below(mend)}")
        if self.moved:
            yield follows_another(self.moved)
        if self.other_branch:
            yield beside_the_game(self.other_branch)
        for line in self._apart():
            yield click.style(line, fg="yellow")

    def _apart(self) -> Iterator[str]:
        new, clone = self.unverified, self.clone
        if new is not None:
            yield f"{new.what}{below(new.mend)}"
        if clone.unpushed or clone.unfetched:
            own = (
                f"{many(clone.unpushed, 'own commit is', 'own commits are')} not pushed"
                if clone.unpushed
                else ""
            )
            theirs = (
                f"{many(clone.unfetched, 'commit', 'commits')} of {clean(clone.upstream)} not here yet"
                if clone.unfetched
                else ""
            )
            yield f"{'; '.join(filter(None, (own, theirs)))}: nomicgit sync"
        if self.fell:
            yield (
                f"yours, and on no line any more{self.sent}: {clean(in_words(self.fell))}: "
                "nomicgit sync --again does it once more, nomicgit sync --forget lets go"
            )
        if clone.aside:
            only = " or, of what only you can do again, says how" if any(map(_outside, self.aside)) else ""
            listed = "nomicgit sync --again --dry-run names all, " if len(self.aside) > SHOWN else ""
            yield (
                f"set aside: {clean(in_words(self.aside))}: {listed}"
                f"nomicgit sync --again tries once more{only}, nomicgit sync --forget lets go"
            )
        if not clone.whole:
            yield f"{lacking.SHALLOW}{below(lacking.the_rest())}"


def first_stray(game: Game) -> Stray:
    """The first commit of a game that is no deed, where there is one, with what mends it."""
    return advised(game.repository, game.head.oid, progress=progress).strays[0]


def surroundings(game: Game, at: int, player: str | None) -> Surroundings:
    """Look at what stands around a game in its clone, at a time, for who sits there."""
    repository, head, now = game.repository, game.head.oid, int(time.time())
    strays, mends, early = advised(repository, head, now, progress)
    stands, lost = elsewhere(repository), known.look(repository)
    brought = attributes.changing(repository, head)
    taken, letters, way = _mail(game, player, at)
    fell = [] if stands or any(not each.again for each in strays) else fallen.fallen(repository)
    return Surroundings(
        strays=strays,
        mends=_untold(repository, head, [mend for mend in mends if mend.author_time >= at - MENDED], player),
        early=early,
        stands=stands,
        clone=apart.standing(repository),
        aside=put_aside.in_order(repository),
        lost=lost,
        regain=overwritten.mend_of(repository, lost) if lost else "",
        builds=building(repository, head),
        beside=unheld(repository, head),
        misleads=misleading(repository, head),
        offices=gained(repository, _since(repository, head, at - OTHERWISE)),
        tags=misread(repository),
        keys=rekeyed(repository, head, player) if player else [],
        taken=taken,
        letters=letters,
        way=way,
        shares=_shares(game, at),
        brought=brought,
        refused=refusals.noted(repository, now),
        fell=fell,
        sent=", though others may have seen some of it"
        if any(known.was_there(repository, each) for each in fell)
        else "",
        by_hand=None if stands or brought else edited(repository, game.head.tree),
        unverified=unverified(repository, head),
        unjudged=unjudged(repository, game.head.tree),
        moved=moved(repository),
        other_branch=None if stands else renamed(repository),
        dice=rethrown.met(repository, head, at - OTHERWISE),
        terms=_terms_of_others(game, at - OTHERWISE, player),
    )


def _told(colour: str, label: str, what: str) -> str:
    return click.style(label, fg=colour) + clean(what)


def _outside(aside: Commit) -> bool:
    """Whether a deed that is set aside is one outside the law, which no sync does again."""
    entry = journal.told(aside.message)
    return entry is not None and "/" in entry.deed.action and entry.deed.action not in AGAIN


def _mend(mend: Commit) -> dict[str, object]:
    at = clock.text(mend.author_time)
    return {"commit": mend.oid, "by": mend.author, "at": at, "notes": journal.notes_of(mend.message)}


def taken_back(mend: Commit) -> str:
    """Which mend it is, or restoring of the law, and what it says that it does."""
    what = "mended: " if takes_back(mend) is Outside.MEND else "law restored: "
    which = f"commit {mend.oid[:12]} by {mend.author}, {clock.text(mend.author_time)}"
    return click.style(what, fg="yellow") + "\n  ".join(map(inline, (which, *journal.notes_of(mend.message))))


def begun(commit: Commit) -> str:
    """That a term of the game's key has begun, in whose name, and how who did not mean that goes back before it."""
    notes = " ".join(journal.notes_of(commit.message))
    back = remedy(
        "if that was not meant, who may restore the game goes back before it:",
        command("nomicgit", "mend", "--to", commit.parents[0]),
    )
    return _told(
        "yellow", "keys: ", f"{inline(notes)} (commit {commit.oid[:12]} by {commit.author}){below(back)}"
    )


def begins_a_term(commit: Commit) -> bool:
    """Whether by a commit the game's key is another from then on."""
    entry = journal.told(commit.message)
    return entry is not None and entry.deed.action == Outside.TERM


def _untold(repository: Repository, head: str, mends: Sequence[Commit], player: str | None) -> list[Commit]:
    """Those of some mends after which who sits here has done no deed yet: upon that they were told of the others."""
    untold, left = set[str](), {mend.oid for mend in mends}
    for commit, aside in told_aside(repository, head) if mends else ():
        untold |= left & {commit.oid}
        if untold == left:
            break
        entry = None if aside else journal.told(commit.message)
        if player and entry is not None and entry.deed.actor == player:
            break
    return [mend for mend in mends if mend.oid in untold]


def _since(repository: Repository, head: str, since: int) -> list[Commit]:
    """The commits of a line since a time (seconds, UTC), oldest first; without the founding, which gave the first offices."""
    commits = takewhile(lambda each: each.author_time >= since, repository.log(head))
    return [each for each in commits if each.parents][::-1]


def _terms_of_others(game: Game, since: int, player: str | None) -> list[Commit]:
    """The commits of others by which the game's key has become another since a time (seconds, UTC), and that stand."""
    if len(game.terms) < 2:
        return []
    stand = takewhile(
        lambda each: each.author_time >= since, journal.standing(game.repository.log(game.head.oid))
    )
    return [each for each in stand if begins_a_term(each) and each.author != player][::-1]


def other_dice(met: Rethrown) -> str:
    """That a deed which this clone knows has come back with another outcome of chance."""
    return _told("yellow", "other dice: ", str(met))


def attributed(brought: Attributed) -> str:
    """What lets Git change the game's files, and what to do about it."""
    return click.style("attributes: ", fg="yellow") + clean(f"{brought}{below(brought.mend)}")


def follows_another(moved: Problem) -> str:
    """That the game lives elsewhere than this clone follows it, and how it follows it there."""
    return _told("yellow", "moved: ", f"{moved.what}{below(moved.mend)}")


def beside_the_game(other: Problem) -> str:
    """That this clone follows another branch than the game's, and how it follows that."""
    return _told("red", "not the game's branch: ", f"{other.what}{below(other.mend)}")


def _mail(game: Game, player: str | None, at: int) -> tuple[str, int, str]:
    """In a game with keys: that somebody may be taking over a mailbox, or has none, how much in a letter waits to be read, and what is in
    the way of Git's fetching letters.
    """
    if not game.terms:
        return "", 0, ""
    taken, letters = loaded("mailboxes.standing")(game, player, at)
    taken = taken or loaded("mailboxes.lacking")(game, player)
    return str(taken), int(letters), str(loaded("mailboxes.in_the_way")(game))


def _shares(game: Game, at: int) -> Outdated | None:
    """In the clone in which shares of the game's key were handed out: whether they must be written anew; None elsewhere."""
    if not game.terms or keepsakes.kept(game.repository, keepsakes.SHARES) is None:
        return None
    seen: Outdated = loaded("sharing.seen")(game, at)
    return seen


def in_the_mailbox(taken: str, letters: int, way: str = "") -> Iterator[str]:
    """The same for people, as far as there is something to tell."""
    if way:
        yield click.style("in the way: ", fg="red") + clean(way)
    if taken:
        yield click.style("mailbox: ", fg="red") + clean(taken)
    if letters:
        waits = "line of your letter waits" if letters == 1 else "lines of your letter wait"
        yield click.style("letters: ", fg="yellow") + f"{letters} {waits} to be read: nomicgit letters"
