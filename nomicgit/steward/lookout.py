"""Looking at what is new in the record before anything is decided upon it, as any clone does, for deeds that somebody took
out by a forced push, and whether what the steward signs would count.

What the steward has pushed itself is sound, so that in most passes there is nothing to replay.
"""

from __future__ import annotations

from nomicgit.clones.others.vetting import unsound
from nomicgit.git import Repository
from nomicgit.ground import clock
from nomicgit.ground.problems import NomicError, Refused
from nomicgit.ground.remedies import beside, command, remedy
from nomicgit.record import line
from nomicgit.record.game import AHEAD, Game
from nomicgit.record.seen import arrivals, known, strays
from nomicgit.record.signers import refuse_hand
from nomicgit.steward.keeping import REF


def amiss(repository: Repository, head: str, sound: str, now: int) -> list[str]:
    """What is wrong up to a commit, each with what mends it; ``sound``: all is well up to there ("": nobody has looked).

    Where nothing is, the clone remembers that: upon nothing else the game's key is used in it.
    """
    if sound and (gone := _taken_out(repository, head, sound)):
        return [gone]
    if wrong := unsound(repository, head, sound, there=head, now=now):
        return [str(each) for each in wrong]
    strays.note_replayed(repository, head)
    return []


def refuse_clock(here: int, there: int) -> None:
    """Refuse to decide anything by a clock that is not the forge's: what is dated ahead, or resolved before its time, stands for
    good. ``there``: the forge's; 0 where it does not tell."""
    if there and abs(here - there) > AHEAD:
        which = "ahead of" if here > there else "behind"
        what = f"this clock, {clock.text(here)}, is {which} the forge's, {clock.text(there)}"
        raise Refused.of(f"{what}: nothing is decided by it", mend="set this machine's clock right")


def unsigned(game: Game, *, keeps: bool) -> list[str]:
    """Why nothing that the steward does here would count in a game that takes signed deeds alone; ``keeps``: it has the key."""
    hands = ("steward", "keeper") if game.tree.has_keys and keeps else ("steward",)
    try:
        for hand in hands:
            refuse_hand(game.repository, game.tree, hand)
    except Refused as error:
        return [str(problem) for problem in error.problems]
    return []


def _taken_out(repository: Repository, head: str, sound: str) -> str:
    """That the branch lacks deeds which the steward has seen there, up to the commit ``sound``; "" where it lacks none.

    What holds a commit that no clone takes in is never offered to be had back.
    """
    forget = command("git", "push", "origin", f":{REF}")
    branch = repository.branch.removeprefix("refs/heads/")
    have_back = (
        "whoever has these deeds in a clone has them back:",
        command(
            "git", "push", f"--force-with-lease={branch}:{head}", "origin", f"{sound}:refs/heads/{branch}"
        ),
    )
    try:
        lost = known.missing(repository, sound, head)
    except NomicError:  # nobody has that commit here any more
        what = f"it lacks what stood there up to the commit {sound[:12]}"
    else:
        if not lost:
            return ""
        what = f"it lacks {line.in_words(lost)}"
        if untaken := arrivals.unfit_beyond(repository, head, sound):
            oid, why = untaken
            held = f"what stood there held the commit {oid[:12]} {arrivals.author_of(repository, oid)}, which {why}"
            mend = remedy("an owner lets the steward go on without it, and closes its issue:", forget)
            return f"the game's branch has been rewritten: {what}; {held}{beside(mend)}"
        if out := known.missing(repository, head, sound):
            have_back = (
                f"putting it back would take out what was pushed since ({line.in_words(out)}); "
                "whoever did what it lacks does that again:",
                command("nomicgit", "sync", "--accept", "--again"),
            )
    mend = remedy(
        *have_back,
        "where you all agree that they are gone, an owner lets the steward forget them, and closes its issue:",
        forget,
    )
    return f"the game's branch has been rewritten: {what}{beside(mend)}"
