"""Terms, one after another: a new one begins, or the key of one that is over is opened. Source: ``docs/secrets.md``."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from nomicgit.git import Commit, Repository
from nomicgit.ground.problems import Malformed, NomicError, Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.law import PARTED
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.state.store import Store
from nomicgit.record import journal
from nomicgit.record.game import Game, Recorded, new_id
from nomicgit.record.outside import restoring
from nomicgit.record.secret import veil
from nomicgit.record.secret.keyring import (
    Term,
    earlier_keys,
    fitting,
    is_unseen,
    keep_key,
    keep_next,
    note_unseen,
    terms_at,
    written,
)
from nomicgit.record.secret.ordering import sealer_of
from nomicgit.record.secret.vault import Hidden, Sheets, Vault
from nomicgit.record.tree import KEYS, GameTree, Made
from nomicgit.sealing.keys import Key, Part, Public, Sealer, following

KEPT_BY_PROGRAM = "open"
"""The entity in which the program keeps what is its own, and no law declares."""
STEP = 512  # bytes, in which earlier keys are sealed


def begin_term(game: Game, keeper: str | None, at: int) -> Recorded:
    """Begin a new term, with everything secret sealed anew. A keeper who stays goes on with the key that was bound to be the
    next; another has a key of their own. The key at hand is the new one from then on.
    """
    game.look()
    sealer, term = sealer_of(game), game.terms[-1]
    identity = game.terms[0].since
    key = following(sealer.key, identity) if keeper == term.keeper else Key.made(os.urandom(64))
    given: dict[str, object] = {"keeper": keeper, "by": [], **Public.of(key, identity).as_file()}
    deed = Deed(new_id(at), term.keeper, Outside.TERM, given, max(at, game.last()))
    keep_next(game.repository, key)
    recorded = _record(game, deed, sealer, key)
    keep_key(game.repository, key)
    if keeper != term.keeper or is_unseen(
        game.repository, sealer.key
    ):  # else it follows from one that stands elsewhere
        note_unseen(game.repository, key)
    game.key = None
    return recorded


def begin_without(game: Game, by: Sequence[str], keeper: str | None, at: int) -> Recorded:
    """Begin a new term where the key is lost, with no secrets, by those whom the settings name to restore the game."""
    game.look()
    names = restoring.spelled(game.settings.restore, by, game.tree)
    restoring.allowed(game.settings.restore, names, game.tree.called)
    key = Key.made(os.urandom(64))
    given = {"keeper": keeper, "by": names, **Public.of(key, game.terms[0].since).as_file()}
    deed = Deed(new_id(at), names[0], Outside.TERM, given, max(at, game.last()))
    keep_next(game.repository, key)
    recorded = _record(game, deed, None, key)
    keep_key(game.repository, key)
    note_unseen(game.repository, key)
    return recorded


def open_term(game: Game, number: int, at: int) -> Recorded:
    """Publish the key of a term that is over, so that everybody can verify it. Refused while a secret of it lives on."""
    game.look()
    sealer, terms = sealer_of(game), game.terms
    if number > len(terms):
        raise Refused.of(
            f"there is no term {number}: the game is in term {len(terms)}",
            mend=remedy("see which terms there are:", command("nomicgit", "keys", "show")),
        )
    if number == len(terms):
        raise Refused.of(
            f"term {number} is not over: no other has begun, and its key seals what is secret now",
            mend=remedy("begin another, then open this one:", command("nomicgit", "keys", "move")),
        )
    term = terms[number - 1]
    if term.opened is not None:
        raise Refused.of(f"the key of term {number} is open already")
    key = next((each for each in earlier_keys(terms, sealer) if term.fits(each)), None)
    if key is None:
        raise Refused.of(
            f"the key of term {number} is missing: it was not passed on to this term, which began without it",
            mend=remedy("see who kept it, who has it if anybody does:", command("nomicgit", "keys", "show")),
        )
    if alive := living_on(game, terms[number].since):
        raise Refused.of(
            "what was secret in that term still is: " + ", ".join(alive),
            mend="open it when these have changed",
        )
    given = {"term": number, "key": key.half(Part.MAIN).hex()}
    deed = Deed(new_id(at), terms[-1].keeper, Outside.OPEN, given, max(at, game.last()))
    return _record(game, deed, sealer, None)


def living_on(game: Game, since: str) -> list[str]:
    """What was secret when a later term began with a deed, and is the same secret still."""
    sealer = sealer_of(game)
    now = Vault.open(game.repository, game.head.tree, sealer).hidden[Part.MAIN]
    begun = next(
        each for each in game.repository.log(game.head.oid) if f"Nomic-Id: {since}\n" in each.message
    )
    then_key = fitting(terms_at(game.repository, begun.tree)[-1], sealer.key, sealer.game) or next(
        Sealer(each, sealer.game)
        for each in earlier_keys(game.terms, sealer)
        if terms_at(game.repository, begun.tree)[-1].fits(each)
    )
    then = Vault.open(game.repository, begun.tree, then_key).hidden[Part.MAIN]
    return [
        f"{ref} {name}"
        for ref, fields in then.items()
        for name, value in fields.items()
        if ref != KEPT_BY_PROGRAM
        and name not in (*PARTED, "made")
        and value
        and now.get(ref, {}).get(name) == value
    ]


def _record(game: Game, deed: Deed, sealer: Sealer | None, key: Key | None) -> Recorded:
    made, outcome = _made(game.repository, game.head, deed, sealer, key, None)
    recorded = game._record(made.files, made.message, outcome)
    game._refresh()
    return recorded


def _made(
    repository: Repository,
    before: Commit,
    deed: Deed,
    sealer: Sealer | None,
    key: Key | None,
    there: tuple[Sequence[Term], Sheets] | None,
) -> tuple[Made, Outcome]:
    """Such a deed as it is recorded. ``there``: what stands in its commit, for what the keys at hand cannot make again."""
    terms = terms_at(repository, before.tree)
    files: dict[str, bytes | None] = {}
    sign = sealer
    if deed.action == Outside.OPEN:
        number, opened = deed.given.get("term"), deed.given.get("key")
        if not isinstance(number, int) or not 1 <= number < len(terms) or not isinstance(opened, str):
            raise Malformed.of("it opens no term that is over")
        kept = terms[number - 1].as_kept() | {"opened": opened}
        terms = [Term.of(kept) if each.number == number else each for each in terms]
        note = f"The key of term {number} is open: everybody can verify it now."
    else:
        names = {name: value for name, value in deed.given.items() if name not in ("keeper", "by")}
        keeper = deed.given.get("keeper")
        if not isinstance(keeper, str | None):
            raise Malformed.of("the keeper of a term is a player, or nobody")
        new = Sealer(key, terms[0].since) if key is not None else None
        term, lost = Term(len(terms) + 1, Public.read(names), keeper, deed.id), bool(deed.given["by"])
        if term.public.main == terms[-1].public.next:
            term = replace(term, salt=terms[-1].salt)
        elif keeper == terms[-1].keeper and not lost:
            raise Refused.of("its keeper stays, and takes another key than the one to which they were bound")
        if new is not None and (sealer is not None or lost):
            hidden: Hidden = {part: {} for part in Part}
            if not lost and sealer is not None:
                hidden = _passed_on(Vault.open(repository, before.tree, sealer).hidden)
                sealed = new.shut(Part.NEVER, "state", deed.id, sealer.key.text().encode(), STEP)
                term = replace(term, earlier=base64.b64encode(sealed).decode())
            vault = Vault.begun(new, deed.id, hidden)
            files |= vault.sheets.files()
        elif there is not None:
            term, sheets = replace(term, earlier=there[0][-1].earlier), there[1]
            if sheets.since or sheets.state.deed != deed.id:
                raise Malformed.of("what is sealed does not begin anew with the term")
            files |= sheets.files()
        terms = [*terms, term]
        sign = new if lost else sealer
        note = f"Term {term.number} begins: {keeper or 'the steward'} keeps the secrets."
    files[KEYS] = written(terms)
    outcome = Outcome(deed, None, [note], [], [], [], [])
    text = journal.message(outcome, Store(GameTree(repository, before.tree)), evidence={})
    parent = before.oid
    return Made(files, _signing(sign, text, parent), GameTree(repository, before.tree).after), outcome


def _signing(sealer: Sealer | None, text: str, parent: str) -> Callable[[str], str]:
    return lambda tree: text if sealer is None else veil.signed(text, sealer, tree, parent)


def _passed_on(hidden: Hidden) -> Hidden:
    """What is secret as it goes on into another term: which orders were taken is forgotten."""
    rest: dict[Part, Mapping[str, Mapping[str, object]]] = {}
    for part, refs in hidden.items():
        rest[part] = {
            ref: kept
            for ref, fields in refs.items()
            if (kept := {k: v for k, v in fields.items() if (ref, k) != (KEPT_BY_PROGRAM, "orders")})
        }
    return rest  # type: ignore[return-value]


def turned(
    repository: Repository, before: Commit, commit: Commit, entry: journal.Entry, keys: Sequence[Key]
) -> tuple[Made, Outcome]:
    """What such a deed makes, in replay, with the keys at hand. What they cannot make again stands as it is."""
    terms, following_terms = terms_at(repository, before.tree), terms_at(repository, commit.tree)
    game, lost = terms[0].since, bool(entry.deed.given.get("by"))
    whole = [key for key in keys if key.main is not None and key.never is not None]
    own = next((key for key in whole if terms[-1].fits(key)), None)
    new = next((key for key in whole if following_terms[-1].fits(key)), None)
    sealer = Sealer(own, game) if own is not None else None
    made, outcome = _made(
        repository, before, entry.deed, sealer, new, (following_terms, Sheets.at(repository, commit.tree))
    )
    signer = following_terms[-1].public if lost else terms[-1].public
    if not veil.holds(commit.message, signer, commit.tree, before.oid):
        raise Refused.of("neither the keeper nor those who may restore the game have signed it")
    if lost:
        restoring.allowed(GameTree(repository, before.tree).settings.restore, entry.deed.given["by"])
    _, mark = veil.unsigned(commit.message)
    text = made.message(commit.tree)
    if "Nomic-Keeper: " not in text:
        text += veil.marked(mark)
    return Made(made.files, lambda _: text, made.following), outcome


def all_keys(repository: Repository, tree: str, key: Key | None) -> list[Key]:
    """The keys of all terms that somebody with the key of one can have: those passed on to it, and those that are open."""
    terms = terms_at(repository, tree)
    keys = [term.opened for term in terms if term.opened is not None]
    for term in terms:
        sealer = fitting(term, key, terms[0].since) if key is not None else None
        if sealer is not None and sealer.key is key:
            try:
                keys = [key, *earlier_keys(terms[: term.number], sealer), *keys]
            except NomicError:
                keys = [key, *keys]
    return keys
