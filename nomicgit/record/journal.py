"""The journal: how a deed stands in its commit's message, for people first, then for replay.

A message is a subject, a sentence for each step, and trailers. It is split at line feeds only; what players
wrote is ASCII JSON on one line, and long texts, which stay in the tree, appear by place and hash. Where a deed came
in from a forge, its message calls nobody there and closes nothing.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, TypeVar

from msgspec import Struct, field

from nomicgit.git import Commit
from nomicgit.git.walked import Walked
from nomicgit.ground import clock
from nomicgit.ground.files import Value
from nomicgit.ground.kept import late
from nomicgit.ground.problems import Malformed, Refused, printable, quoted
from nomicgit.ground.wording import in_words
from nomicgit.law.outside import Outside
from nomicgit.physics.deed import NOBODYS, Account, Deed, Origin, Outcome, Proof, Thread, account_number
from nomicgit.physics.state.naming import called
from nomicgit.physics.state.store import Store

LONG = 200
SAID = frozenset({"body", "text"})
"""What a post and a comment say."""
THE_CLOCK = "the clock"
"""Whose it is what falls due."""
_ID = "Nomic-Id: "
MOST_EVIDENCE = 1 << 20  # letters
_NAMED, _PLAIN = (
    {"sha256", "in"},
    {"plain"},
)  # a text by place and hash; what only looks like that, or like this
_NAME = late("[0-9]{8}T[0-9]{6}Z-[0-9a-f]{12}")  # of a deed: the time, and what no other has
_REF = late(r"posts/[0-9]{1,9}|(?!posts/)[a-z][^/]*(?:/[^/]+)?")


class Entry(Struct, frozen=True):
    """A deed as its commit's message tells it. ``given`` may name long texts by place and hash; ``sealed``: what only its key opens."""

    deed: Deed
    seeds: Sequence[bytes] = ()
    evidence: Mapping[str, Any] = field(default_factory=dict)
    dice: Sequence[str] = ()
    sealed: str = ""


def message(
    outcome: Outcome, store: Store, *, seeds: Sequence[bytes] = (), evidence: Mapping[str, object]
) -> str:
    """The message of a deed's commit."""
    deed = outcome.deed
    tame, write = (tamed, _tame_json) if deed.origin is not None else (str, _json)
    lines = [tame(subject(deed, outcome, doer(deed, store))), ""]
    lines += [tame(printable(note, 1000)) for note in sentences(outcome)]
    if len(lines) > 2:
        lines.append("")
    if not _NAME.fullmatch(deed.id):
        raise Refused.of(f"{quoted(deed.id, 60)} is no name of a deed")
    for word in (deed.action, deed.actor, deed.branch):
        if word is not None and printable(word, len(word)) != word:
            raise Refused.of(f"{quoted(word, 60)} cannot stand in the record", mend="use a plain name")
    lines += [
        f"Nomic-Action: {deed.action}",
        f"Nomic-By: {deed.actor or '-'}",
        f"Nomic-At: {clock.text(deed.at)}",
    ]
    if deed.given:
        lines.append("Nomic-With: " + write(shortened(deed.given, outcome, store)))
    if deed.cast_at is not None and deed.cast_at != deed.at:
        lines.append(f"Nomic-Cast-At: {clock.text(deed.cast_at)}")
    if deed.branch is not None:
        lines.append(f"Nomic-Branch: {deed.branch}")
    if seeds:
        lines.append("Nomic-Seed: " + " ".join(seed.hex() for seed in seeds))
    if outcome.draws and seeds:
        shown = [f"{d.what}: {d.result}" for d in outcome.draws if not d.secret]
        lines.append("Nomic-Dice: " + write(shown))
    evidence = {**evidence, **(evidence_of(deed.origin) if deed.origin else {})}
    if deed.proof is not None and deed.nonce is None:
        evidence["signed"] = [deed.proof.by, clock.text(deed.proof.at), deed.proof.signature]
    if evidence:
        carries = "Nomic-Evidence: " + _json(evidence)
        if len(carries) > MOST_EVIDENCE:
            raise Refused.of("this deed looks up more of earlier deeds than can stand in the record")
        lines.append(carries)
    return "\n".join([*lines, f"Nomic-Id: {deed.id}"]) + "\n"


def unnamed(deed: Deed) -> str:
    """How it is said who did a deed that names nobody: what was done in private is sealed, all else the clock did."""
    return "sealed" if deed.action == Outside.SEALED else THE_CLOCK


def doer(deed: Deed, store: Store) -> str:
    """Who did a deed, as they are called after it."""
    return called(store, deed.actor) if deed.actor else unnamed(deed)


def subject(deed: Deed, outcome: Outcome, who: str) -> str:
    """What somebody did, on one line: numbers and texts as they were given, behind a colon what the deed says, lists and
    maps by their names.

    Who was there when the game was founded stands in the trailer alone.
    """
    if deed.action == Outside.SEALED:
        return "sealed"
    words, named, said = [], "", ""
    for name, value in deed.given.items():
        if isinstance(value, str | int | float) and not isinstance(value, bool) and value != "":
            word = printable(" ".join(str(value).split()), 40)
            if name in SAID:
                said = f": {word}"
            else:
                words.append(word)
        elif isinstance(value, Mapping | list) and value and deed.action != Outside.FOUND:
            named += f"; {name.replace('_', ' ')}: {printable(in_words(value, 40), 60)}"
    made = outcome.result if isinstance(outcome.result, str) and outcome.result.startswith("posts/") else ""
    tail = f" (post {made.removeprefix('posts/')})" if made else ""
    done = f"{who}: {deed.action} {' '.join(words)}".rstrip()
    return printable(done + said + named, 100) + tail


def sentences(outcome: Outcome) -> Iterator[str]:
    """A line for every note and every public die."""
    yield from outcome.notes
    for draw in outcome.draws:
        if not draw.secret:
            yield f"{draw.what} gave {draw.result}."


def shortened(given: Mapping[str, object], outcome: Outcome, store: Store) -> dict[str, object]:
    """Parameters whose long texts that stay in the tree are named by place and hash."""
    return {name: _short(value, outcome, store) for name, value in given.items()}


def _short(value: object, outcome: Outcome, store: Store) -> object:
    if plainly(value) is not value:
        return plainly(value)
    text = value if isinstance(value, str) else _json(value)
    if len(text) <= LONG:
        return value
    for ref in outcome.touched:
        for name, kept in (store.public(ref) or {}).items():
            if type(kept) is type(value) and kept == value:
                return {"sha256": digest(value), "in": f"{ref} {name}"}
    return value


def plainly(value: object) -> object:
    """A value as a parameter is written that is itself; a map that looks like a text named by place and hash is marked."""
    return {"plain": value} if isinstance(value, Mapping) and set(value) in (_NAMED, _PLAIN) else value


def digest(value: object) -> str:
    """The hash of a value: of a text its UTF-8 bytes, of anything else its canonical JSON."""
    text = (
        value
        if isinstance(value, str)
        else json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    )
    return hashlib.sha256(text.encode()).hexdigest()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(", ", ": "))


def tamed(text: str) -> str:
    """A line that calls nobody and closes nothing where a forge reads commit messages: its marks are their wide twins."""
    return re.sub(r"\bGH-", "GH\u2010", text.translate(_TWINS), flags=re.IGNORECASE).replace(
        "://", ":\uff0f\uff0f"
    )


_TWINS = str.maketrans({"@": "\uff20", "#": "\uff03"})


def _tame_json(value: object) -> str:
    """The same for JSON, whose strings stay the same: marks are escaped. Outside of strings JSON has none of them."""
    text = _json(value).replace("@", r"\u0040").replace("#", r"\u0023").replace("://", r":\u002f/")
    return re.sub(r"GH-", lambda match: match[0][:2] + r"\u002d", text, flags=re.IGNORECASE)


def trailers(text: str) -> list[str]:
    """The lines of a message's last paragraph: what players wrote is never among them."""
    return text.rstrip("\n").rpartition("\n\n")[2].split("\n")


def notes_of(text: str) -> list[str]:
    """The sentences of a deed's message, between its subject and its trailers."""
    return [line for line in text.rstrip("\n").rpartition("\n\n")[0].split("\n")[2:] if line.strip()]


def deed_id(message: str) -> str:
    """The id of the deed of which a message tells; "" where it tells of none."""
    named = (line.removeprefix(_ID) for line in trailers(message) if line.startswith(_ID))
    return next(named, "")


def is_deed(text: str) -> bool:
    """Whether a message tells of a deed, or pretends to."""
    return any(line.startswith(_ID) for line in trailers(text))


def is_sealed(text: str) -> bool:
    """Whether a message tells of a deed of which something stands there sealed."""
    return is_deed(text) and any(line.startswith("Nomic-Sealed: ") for line in trailers(text))


def is_founding(text: str) -> bool:
    """Whether a message tells of a deed that founds a game."""
    return f"Nomic-Action: {Outside.FOUND}" in trailers(text) and is_deed(text)


def parse(text: str, place: str = "") -> Entry:
    """The deed of a message. Malformed where a trailer is missing or wrong."""
    lines: dict[str, str] = {}
    for line in trailers(text):
        key, colon, value = line.partition(": ")
        if not colon or not key.startswith("Nomic-") or key in lines:
            raise Malformed.of(
                f"the trailer {printable(line, 60)} is no trailer of a deed, or stands twice", file=place
            )
        lines[key] = value
    if "Nomic-Id" in lines and not _NAME.fullmatch(lines["Nomic-Id"]):
        wrong = printable(lines["Nomic-Id"], 60)
        raise Malformed.of(f"the trailer Nomic-Id is wrong: {wrong} is no name of a deed", file=place)
    for word in ("Nomic-By", "Nomic-Action"):
        if printable(said := lines.get(word, "-"), len(said)) != said:
            raise Malformed.of(f"the trailer {word} is wrong: {printable(lines[word], 60)}", file=place)
    try:
        by = lines["Nomic-By"]
        cast = lines.get("Nomic-Cast-At")
        evidence = _evidence(_map(lines.get("Nomic-Evidence", "{}")))
        deed = Deed(
            lines["Nomic-Id"], None if by == "-" else by, lines["Nomic-Action"],
            _map(lines.get("Nomic-With", "{}")), clock.instant(lines["Nomic-At"]),
            clock.instant(cast) if cast else None, _branch(lines.get("Nomic-Branch")), origin_of(evidence),
            proof=_proof(evidence),
        )  # fmt: skip
        seeds = [bytes.fromhex(each) for each in lines.get("Nomic-Seed", "").split()]
        dice = _dice(lines.get("Nomic-Dice", "[]"))
        return Entry(deed, seeds, evidence, dice, lines.get("Nomic-Sealed", ""))
    except KeyError as error:
        raise Malformed.of(f"the trailer {error.args[0]} is missing", file=place) from error
    except ValueError as error:
        raise Malformed.of(f"a trailer is wrong: {printable(str(error))}", file=place) from error


def told(text: str) -> Entry | None:
    """The deed of a message; None where it tells of none, or only pretends to."""
    try:
        return parse(text) if is_deed(text) else None
    except Malformed:
        return None


def misread(text: str) -> str:
    """What is wrong with a message that pretends to tell of a deed; "" where it tells of one, or of none."""
    try:
        if is_deed(text):
            parse(text)
    except Malformed as error:
        return f"its deed is refused: {error.problems[0].what}"
    return ""


def goes_back_to(text: str) -> str | None:
    """The commit to which a mend goes back; None where a message tells of no mend."""
    entry = told(text) if Outside.MEND in text else None
    to = entry.deed.given.get("to") if entry is not None and entry.deed.action == Outside.MEND else None
    return to if isinstance(to, str) else None


AnyCommit = TypeVar("AnyCommit", Commit, Walked)


def standing(
    commits: Iterable[AnyCommit], mends: Callable[[AnyCommit], bool] = lambda _: True
) -> Iterator[AnyCommit]:
    """Of the commits of a line, newest first, those that stand: what a mend sets aside is left out.

    A mend that goes back to no commit of the line sets nothing aside, nor does one of which ``mends`` says that it is none.
    """
    aside, until = list[AnyCommit](), None
    while True:
        for commit in commits:
            if until not in (None, commit.oid):
                aside.append(commit)
                continue
            to = goes_back_to(commit.message)
            aside, until = [], to if to is None or mends(commit) else None
            yield commit
        if not aside:
            return
        commits, aside, until = aside, [], None


def _branch(text: str | None) -> str | None:
    if text is not None and not re.fullmatch("[0-9a-f]{40}", text):
        raise ValueError(f"{text} is no commit")
    return text


def _map(text: str) -> dict[str, Value]:
    value = _plain(text)
    if not isinstance(value, dict):
        raise ValueError("a map is needed")
    return value


def _dice(text: str) -> list[str]:
    value = _plain(text)
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise ValueError("a list of dice is needed")
    return value


def _plain(text: str) -> object:
    try:
        return json.loads(text, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def _evidence(evidence: dict[str, Any]) -> dict[str, object]:
    """Evidence of the right shape: earlier deeds with their effects, and lists of names."""
    for key, claim in evidence.items():
        if key == "deeds" and isinstance(claim, dict) and all(map(_is_deed_told, claim.values())):
            continue
        if key == "deeds" or not isinstance(claim, list) or not all(isinstance(name, str) for name in claim):
            raise ValueError(f"the evidence {key} has not its form")
    return evidence


def _is_deed_told(claim: object) -> bool:
    if (
        not isinstance(claim, dict)
        or set(claim) - {"sealed"} != {"deed", "effects"}
        or not isinstance(claim["deed"], dict)
    ):
        return False
    effects = claim["effects"]
    return isinstance(effects, list) and all(
        isinstance(e, dict) and {"ref", "field", "old", "new"} <= set(e) for e in effects
    )


def evidence_of(origin: Origin) -> dict[str, list[str]]:
    """An origin as it stands in a deed's evidence."""
    evidence = {"events": list(origin.events)} if origin.events else {}
    if origin.account is not None:
        evidence["account"] = [origin.account.forge, str(origin.account.id), origin.account.login]
    if origin.thread is not None:
        evidence["thread"] = [origin.thread.forge, str(origin.thread.number)]
    return evidence


def origin_of(evidence: Mapping[str, Any]) -> Origin | None:
    """The origin that stands in a deed's evidence; None where it has none. ValueError for what has not its form."""
    events: Sequence[str] = evidence.get("events", ())
    if not all(_EVENT.fullmatch(event) for event in events):
        raise ValueError("the evidence events has not its form")
    account, thread = (_at_forge(evidence, key, parts) for key, parts in (("account", 3), ("thread", 2)))
    if account is not None and not (_is_account(account[1]) and LOGIN.fullmatch(account[2])):
        raise ValueError("the evidence account has not its form")
    origin = Origin(
        tuple(events),
        None if account is None else Account(account[0], int(account[1]), account[2]),
        None if thread is None else Thread(thread[0], int(thread[1])),
    )
    return None if origin == Origin() else origin


def _is_account(number: str) -> bool:
    return account_number(number) is not None or number == str(NOBODYS)


def _proof(evidence: Mapping[str, Any]) -> Proof | None:
    """What stands in a deed's evidence of what its player has signed. ValueError for what has not its form."""
    if "signed" not in evidence:
        return None
    by, at, armour = evidence["signed"]
    return Proof(0, by, clock.instant(at), armour)


def _at_forge(evidence: Mapping[str, Any], key: str, parts: int) -> Sequence[str] | None:
    """What the evidence names at a forge, by that and a number there."""
    names: Sequence[str] | None = evidence.get(key)
    if names is not None and not (
        len(names) == parts and _FORGE.fullmatch(names[0]) and _NUMBER.fullmatch(names[1])
    ):
        raise ValueError(f"the evidence {key} has not its form")
    return names


_EVENT = late(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_FORGE = late(r"[a-z]+")
_NUMBER = late(r"[1-9][0-9]{0,17}")
MOST_OF_LOGIN = 100
LOGIN = late(rf"[A-Za-z0-9_.\[\]-]{{0,{MOST_OF_LOGIN}}}")


def lengthened(given: Mapping[str, object], look: Store) -> dict[str, object]:
    """Parameters with the texts that they name by place and hash, read from the tree of the deed's own commit."""
    whole = {}
    for name, value in given.items():
        if isinstance(value, Mapping) and set(value) == _PLAIN:
            value = value["plain"]
        elif isinstance(value, Mapping) and set(value) == _NAMED:
            ref, _, field_name = str(value["in"]).partition(" ")
            kept = (look.fields(ref) or {}).get(field_name) if _REF.fullmatch(ref) else None
            if kept is None or digest(kept) != value["sha256"]:
                raise Malformed.of(f"the text that {name} names by its hash is not in the commit's tree")
            value = kept
        whole[name] = value
    return whole


def carried(looked_at: Mapping[str, object], outcome: Outcome) -> dict[str, object]:
    """What a deed carries so that it can be replayed: the earlier deeds that it looked at, and what it claims."""
    return {**({"deeds": looked_at} if looked_at else {}), **outcome.claims}
