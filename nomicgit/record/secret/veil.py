"""The veil: what everybody may read in the commit of a sealed deed, and what stands there sealed. Source: ``docs/secrets.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple, replace

from nomicgit.ground.problems import Malformed
from nomicgit.physics.deed import Deed, Failure, Heard, Outcome, Proof
from nomicgit.physics.state.store import Store
from nomicgit.record import journal
from nomicgit.record.secret.vault import Sheet, read, sheet
from nomicgit.sealing.keys import Part, Public, Sealer


class Behind(Struct, frozen=True):
    """What stands behind the veil of a deed: the deed itself, the evidence that it carries, why it was refused, where it was
    an order and was, what it failed in, the messages that it sent, whether it is private, so that nobody else sees whose it is,
    and its dice, ``d6: 4``, but for those of which only the emperor learns.
    """

    deed: Deed
    evidence: Mapping[str, Any]
    refusal: str = ""
    failures: Sequence[str] = ()
    messages: Sequence[tuple[str, str]] = ()
    private: bool = False
    dice: Sequence[str] = ()


def message(
    outcome: Outcome,
    store: Store,
    sealer: Sealer,
    *,
    seeds: Sequence[bytes],
    evidence: Mapping[str, object],
    given: str = "",
) -> str:
    """The message of a sealed deed. ``given``: its sealed parts as they stand there, for that whose key is not at hand."""
    deed = outcome.deed
    private, never = outcome.hidden is True, outcome.never
    shown = replace(
        outcome, deed=outcome.shown, result=None if private else outcome.result, messages=(),
        notes=[note for note in outcome.notes if _is_heard(note, private=private)],
        draws=[] if private else [draw for draw in outcome.draws if not draw.secret],
        touched=[] if private else outcome.touched,
    )  # fmt: skip
    text = journal.message(shown, store, seeds=() if private else seeds, evidence={})
    behind: dict[str, object] = {"evidence": dict(evidence)}
    if private:
        behind |= {"by": deed.actor, "action": deed.action, "with": _plain(deed), "origin": _origin(deed)}
        behind |= {"cast_at": deed.cast_at}
    elif isinstance(outcome.hidden, frozenset):
        behind["with"] = {name: value for name, value in _plain(deed).items() if name in outcome.hidden}
    if deed.nonce is not None:
        behind |= {"nonce": deed.nonce, "made": deed.made, "refusal": outcome.refusal}
    behind |= {"instead": deed.instead} if deed.instead else {}
    behind |= {"signed": [*astuple(deed.proof)]} if deed.proof is not None else {}
    behind["draws"] = [[draw.what, draw.result, draw.secret] for draw in outcome.draws]
    behind["failures"] = [str(note) for note in outcome.notes if not _is_heard(note, private=private)]
    messages = {"messages": [list(each) for each in outcome.messages]}
    parts: dict[Part, object] = (
        {Part.MAIN: {}, Part.NEVER: {**behind, **messages}}
        if never
        else {Part.MAIN: behind, Part.NEVER: messages}
    )
    there = Sheet(deed.id, *given.split(" ")) if given else None
    shut = sheet(sealer, "deed", deed.id, parts, there)
    return f"{text}Nomic-Sealed: {shut.main} {shut.never}\n"


def _plain(deed: Deed) -> dict[str, object]:
    return {name: journal.plainly(value) for name, value in deed.given.items()}


def _origin(deed: Deed) -> object:
    return journal.evidence_of(deed.origin) if deed.origin else {}


def _is_heard(note: str, *, private: bool) -> bool:
    return isinstance(note, Heard) if private else not isinstance(note, Failure)


def behind(entry: journal.Entry, sealer: Sealer) -> Behind | None:
    """What stands behind the veil of a deed; None where the key at hand does not open it. Refused where it is forged."""
    sealed = Sheet.of(f"{entry.deed.id} {entry.sealed}", "")
    parts = read(sealer, "deed", sealed)
    facts = parts.get(Part.MAIN, {})
    never = parts.get(Part.NEVER, {})
    facts = facts or never
    if not facts:
        return None
    deed, private = entry.deed, "by" in facts
    if private:
        origin = journal.origin_of(facts["origin"])
        cast: int | None = facts["cast_at"]
        deed = Deed(deed.id, facts["by"], facts["action"], facts["with"], deed.at, cast, None, origin)
    elif "with" in facts:
        deed = replace(deed, given={**deed.given, **facts["with"]})
    proof = Proof(*facts["signed"]) if "signed" in facts else None
    order = {name: facts[name] for name in ("nonce", "made", "instead") if name in facts}
    deed = replace(deed, proof=proof, **order)
    messages = [(str(who), str(text)) for who, text in never.get("messages", [])]
    dice = [f"{what}: {result}" for what, result, secret in facts["draws"] if not secret]
    return Behind(
        deed, facts["evidence"], facts.get("refusal", ""), facts["failures"], messages, private, dice
    )


def signed(text: str, sealer: Sealer, tree: str, parent: str, given: str = "") -> str:
    """A message with the keeper's signature over tree, first parent, and all of the message before it.

    ``given``: the signature as it stands there, for whoever cannot sign.
    """
    mark = sealer.signature(_over(text, tree, parent)) if sealer.has(Part.NEVER) else given
    return text + marked(mark)


def marked(mark: str) -> str:
    """The last line of a message that a keeper has signed."""
    return f"Nomic-Keeper: {mark}\n"


def unsigned(text: str) -> tuple[str, str]:
    """A message without the keeper's signature, which is its last line, and that. Malformed where there is none."""
    head, mark, last = text.rpartition("Nomic-Keeper: ")
    if not mark or not head.endswith("\n") or last.count("\n") != 1 or not last.endswith("\n"):
        raise Malformed.of("the keeper has not signed it")
    return head, last.rstrip("\n")


def _over(text: str, tree: str, parent: str) -> bytes:
    return f"{tree}\n{parent}\n{text}".encode()


def holds(text: str, public: Public, tree: str, parent: str) -> bool:
    """Whether the keeper of a term has signed a message upon this tree and parent."""
    head, mark = unsigned(text)
    return public.signs(_over(head, tree, parent), mark)
