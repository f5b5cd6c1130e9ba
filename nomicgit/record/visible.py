"""What everybody can see that a deed has changed of which something is sealed: its words do not tell it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from nomicgit.git import Commit, Repository
from nomicgit.ground.problems import NomicError, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.ground.wording import in_both_words, in_words
from nomicgit.law import rules
from nomicgit.law.ruleset import FILE
from nomicgit.record import history, journal
from nomicgit.record.tree import RULESET

SHOWN, SHORTER, SHOWN_OF = 8, 40, 60  # changes; letters of a value in words, and at most
COUNTED = ("uses",)  # what an action's limit counts by
WHOLE: Mapping[str, str] = {"created": "made", "destroyed": "gone"}
"""How it is told that something came into being, or went, with all that it had."""
READERS = remedy(
    "what is sealed: who keeps the game's key can read it now, and everybody once that key is opened, but for what never is; "
    "who and when:",
    command("nomicgit", "keys", "show"),
    "what of it is yours:",
    command("nomicgit", "letters"),
)
"""Who can read what is sealed, and when."""


def changes(repository: Repository, commit: Commit, *, unread: Collection[str] = ()) -> list[str]:
    """The public changes of a sealed deed, a line each, the first few; none of a deed that is open. ``unread``: fields of
    which nobody wants to read.
    """
    effects = history.effects_of(repository, commit) if journal.is_sealed(commit.message) else []
    effects = [each for each in effects if each["field"] not in unread]
    said = [_said(each) for each in effects[:SHOWN]]
    return said + ([f"{len(effects) - SHOWN} more"] if len(effects) > SHOWN else [])


def lines(repository: Repository, commit: Commit) -> list[str]:
    """The same for whoever looks, without what limits count; of a forged deed whose files nobody can read, that."""
    try:
        return changes(repository, commit, unread=COUNTED)
    except NomicError as error:
        return [f"what cannot be read: {error}"]


def amended(repository: Repository, commit: Commit) -> dict[str, list[str]]:
    """The titles of the rules that a deed added, amended and repealed; nothing of the founding, which made them all."""
    if not commit.parents or journal.is_founding(commit.message):
        return {}
    was, now = (
        repository.entry(tree, RULESET.rstrip("/"))
        for tree in (repository.commit(commit.parents[0]).tree, commit.tree)
    )
    if was == now:
        return {}
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    for path, old, new in repository.changed(was and was[1], now and now[1]):
        if name := FILE.fullmatch(path.rpartition("/")[2]):
            before |= {name[2]: old[1]} if old else {}
            after |= {name[2]: new[1]} if new else {}
    slugs = {
        "added": [slug for slug in after if slug not in before],
        "amended": [slug for slug in after if slug in before and before[slug] != after[slug]],
        "repealed": [slug for slug in before if slug not in after],
    }
    titles = {
        word: [_title(repository, (before if word == "repealed" else after)[slug], slug) for slug in some]
        for word, some in slugs.items()
    }
    return {word: some for word, some in titles.items() if some}


def _title(repository: Repository, oid: str, slug: str) -> str:
    try:
        return rules.parse(repository.blob(oid).decode("utf-8", "replace"), slug).title
    except NomicError:
        return slug


def _said(effect: Mapping[str, object]) -> str:
    if effect["field"] in WHOLE:
        shown = effect["old"] if effect["new"] is None else effect["new"]
        return f"{WHOLE[str(effect['field'])]}: {str(effect['ref']).replace('/', '.')} ({printable(in_words(shown, SHORTER), SHOWN_OF)})"
    what = f"{str(effect['ref']).replace('/', '.')}.{effect['field']}"
    if effect["field"] == "mailbox":
        return f"{what}: {mailbox(effect['new'])}"
    was, now = (printable(each, SHOWN_OF) for each in in_both_words(effect["old"], effect["new"], SHORTER))
    return f"{what}: {was if effect['old'] is not None else 'nothing'} → {now if effect['new'] is not None else 'nothing'}"


def mailbox(kept: object) -> str:
    """What is to be known of a player's mailbox, as the game has it now; of none that."""
    if not isinstance(kept, Mapping):
        return "none"
    recipient = printable(str(kept.get("recipient")), 14)
    if "before" not in kept:
        return f"letters go to {recipient}"
    until = f"until {kept['from']}" if "from" in kept else "for the keeper's next round"
    return f"{recipient} is new, and waits {until}"
