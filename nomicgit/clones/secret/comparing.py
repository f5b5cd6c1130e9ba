"""Letters held to the record, and to what this clone has read in letters before. Source: ``docs/secrets.md``."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from nomicgit.clones.secret import ledger, lettering, seeing
from nomicgit.ground import clock
from nomicgit.ground.problems import Refused, printable
from nomicgit.physics.state.store import kind_of
from nomicgit.record import journal
from nomicgit.record.game import Game
from nomicgit.record.secret import veil
from nomicgit.record.seen.strays import told_aside
from nomicgit.replay.verifying import messages
from nomicgit.sealing.keys import Key, Sealer

READ = "nomicgit/letters-read-"
"""In the folder of Git, with the number of a term: all lines that letters of it have told in this clone, whoever was told."""
PARTS = ("told", "orders")
"""What of a letter is held to the record."""
TAKEN_BACK = "taken_back"
"""Beside these: the lines of whose deeds it was told that a mend has set them aside."""


class Line(NamedTuple):
    """What a letter tells: of which deed, when that was, and the words."""

    deed: str
    at: str
    text: str


class Record(Struct, frozen=True):
    """Which deeds this clone knows: those of its branch with their times, those that a mend has set aside, here or in what was
    fetched, those that were fetched and are not in its branch yet; and until when that is all there is (None: it was fetched now).
    """

    here: Mapping[str, str]
    aside: frozenset[str]
    coming: frozenset[str]
    until: str | None

    @classmethod
    def of(cls, game: Game, fetched: str | None) -> Record:
        """As a clone has it. ``fetched``: the head that the game's branch has elsewhere, where that was looked up just now."""
        here, standing = _deeds(game, game.head.oid)
        there, stand = (here, standing) if fetched in (None, game.head.oid) else _deeds(game, str(fetched))
        until = clock.text(game.last()) if fetched is None else None
        aside = frozenset((here.keys() - standing) | (there.keys() - stand))
        return cls(here, aside, frozenset(there.keys() - here.keys()), until)

    def awaits(self, deed: str, at: str) -> bool:
        """Whether this clone does not have a deed yet of which a letter tells, so that nobody here can judge it."""
        late = self.until is not None and at > self.until
        return deed not in self.here and (late or deed in self.coming)

    def lacks(self, deed: str, at: str) -> bool:
        """Whether the record does not hold a deed of which a letter tells."""
        return deed not in self.here and not self.awaits(deed, at)


def _deeds(game: Game, tip: str) -> tuple[dict[str, str], frozenset[str]]:
    """The deeds of a line with their times, and those of them that stand."""
    commits = list(game.repository.log(tip))
    deeds = {commit.oid: entry.deed for commit in commits if (entry := journal.told(commit.message))}
    standing = frozenset(deeds[each.oid].id for each in journal.standing(commits) if each.oid in deeds)
    return {deed.id: clock.text(deed.at) for deed in deeds.values()}, standing


def lines_of(letter: Mapping[str, Any]) -> dict[str, list[Line]]:
    """What a letter tells its player: what was ``told`` in private, and what became of their ``orders``."""
    in_private = [Line(each["deed"], each["at"], each["text"]) for each in letter["told"]]
    return {"told": in_private, "orders": [_answer(each) for each in letter["orders"]]}


def _answer(order: Mapping[str, Any]) -> Line:
    """What became of an order, with what tells it from every other one."""
    asked = " ".join((order["action"], json.dumps(order["with"], ensure_ascii=False, sort_keys=True)))
    came = f"refused: {order['refused']}" if order["refused"] else "done"
    whose = (
        f"your order {asked} ({order['nonce']})" if order["nonce"] else f"without an order of yours {asked}"
    )
    text = "; ".join((f"{whose}: {came}", *order["dice"], *order["failures"]))
    return Line(order["deed"], order["at"], text)


def read(game: Game, term: int, player: str) -> dict[str, list[Line]]:
    """What letters of a term have told a player (by id) in this clone, in the order in which it was read."""
    kept = _by_player(game, term).get(player, {})
    return {part: [Line(*each) for each in kept.get(part, ())] for part in PARTS}


def known(game: Game, player: str) -> dict[str, frozenset[Line]]:
    """All that letters of whatever term have told a player (by id) in this clone: a new term tells what was told before again."""
    places = Path(game.repository.git_dir).glob(f"{READ}*")
    terms = [read(game, int(place.name.rpartition("-")[2]), player) for place in places]
    return {part: frozenset(line for lines in terms for line in lines[part]) for part in PARTS}


def note(game: Game, letter: Mapping[str, Any]) -> None:
    """Keep what a letter tells beside what was read before: no later letter takes it away."""
    term, player = letter["term"], letter["player"]
    lines, said = read(game, term, player), lines_of(letter)
    new = {part: [each for each in dict.fromkeys(said[part]) if each not in lines[part]] for part in PARTS}
    if any(new.values()):
        _keep(game, term, player, {part: [*lines[part], *new[part]] for part in PARTS})


def _keep(game: Game, term: int, player: str, lines: Mapping[str, Sequence[Line]]) -> None:
    kept = _by_player(game, term)
    lettering.lay(_place(game, term), json.dumps(kept | {player: {**kept.get(player, {}), **lines}}))


def taken_back(game: Game, letter: Mapping[str, Any], record: Record, *, whole: bool) -> list[Line]:
    """What letters told its player in this clone, and this one does no more since a mend has set its deed aside, oldest first: all
    of it (``whole``), or what was not told of before.
    """
    term, player, own = letter["term"], letter["player"], lines_of(letter)
    told_of = {Line(*each) for each in _by_player(game, term).get(player, {}).get(TAKEN_BACK, ())}
    back = [
        line
        for part, lines in known(game, player).items()
        for line in lines
        if line.deed in record.aside and line not in own[part]
    ]
    if {*back} != told_of:
        _keep(game, term, player, {TAKEN_BACK: sorted(back)})
    return sorted((each for each in back if whole or each not in told_of), key=lambda line: line.at)


def aside_by(game: Game, player: str, mends: Collection[str]) -> list[Line]:
    """What letters told a player (by id) in this clone of deeds that some mends have set aside, oldest first."""
    aside = {
        entry.deed.id
        for commit, by in told_aside(game.repository, game.head.oid)
        if by in mends and (entry := journal.told(commit.message)) is not None
    }
    lines = {line for part in known(game, player).values() for line in part if line.deed in aside}
    return sorted(lines, key=lambda line: line.at)


def _by_player(game: Game, term: int) -> dict[str, dict[str, Sequence[Sequence[str]]]]:
    place = _place(game, term)
    kept: dict[str, dict[str, Sequence[Sequence[str]]]] = (
        json.loads(place.read_text()) if place.exists() else {}
    )
    return kept


def _place(game: Game, term: int) -> Path:
    return Path(game.repository.git_dir, f"{READ}{term}")


def vanished(game: Game, letter: Mapping[str, Any], record: Record) -> list[Line]:
    """What an earlier letter told, and this one does not any more, though no mend has set its deed aside."""
    return [each for lines in _vanished(game, letter, record).values() for each in lines]


def _vanished(game: Game, letter: Mapping[str, Any], record: Record) -> dict[str, list[Line]]:
    lines, before = lines_of(letter), read(game, letter["term"], letter["player"])
    gone = {part: [each for each in before[part] if each not in lines[part]] for part in PARTS}
    return {
        part: [each for each in gone[part] if each.deed not in record.aside and _fits(lines[part], each)]
        for part in PARTS
    }


def _fits(lines: Sequence[Line], more: Line) -> bool:
    """Whether a letter of these lines would have had room for one more: the oldest are left out of one that is full."""
    newer = bool(lines) and more.at > lines[0].at
    return newer or len(json.dumps([each._asdict() for each in (more, *lines)])) <= ledger.MOST


def differing(game: Game, letter: Mapping[str, Any], keys: Sequence[Key], record: Record) -> list[str]:
    """Where a letter, or what was read in an earlier one of its term, says something else than the record, a line each: what it
    tells too much, and what it leaves out, of what was told in private and of what became of orders.

    The keys are of its term, as far as they are at hand; what none of them opens is left out, and what this clone does not
    have yet, or was done after the letter was written.
    """
    recorded = messages(game.repository, game.head.oid, keys)
    terms = {term.number: term for term in game.terms}
    until = terms.get(letter["term"] + 1)
    of_term = _between(list(recorded), game.terms[0].since, until.since if until else "")
    player, answers = letter["player"], _answers(game, keys)
    right = {
        "told": [(deed, text) for deed in of_term for who, text in recorded[deed] or () if who == player],
        "orders": [(deed, answers[deed][1]) for deed in of_term if answers.get(deed, ("", ""))[0] == player],
    }
    opened = {deed for deed in of_term if recorded[deed] is not None}
    own, gone, later = lines_of(letter), _vanished(game, letter, record), _since(game, letter, record)
    rows = list[str]()
    for part in PARTS:
        said = [*dict.fromkeys([*own[part], *gone[part]])]
        rows += [
            f"it tells of the deed {each.deed} what that did not: {each.text}"
            for each in said
            if each.deed in opened and (each.deed, each.text) not in right[part]
        ]
        rows += [
            f"the deed {each.deed} is not in the record: {each.text}"
            for each in said
            if each.deed not in of_term
            and each.deed not in record.aside
            and not record.awaits(each.deed, each.at)
        ]
        rows += [
            f"it told of the deed {each.deed} before, and does so no more: {each.text}" for each in gone[part]
        ]
        rows += _too_often(own[part], right[part])
        listed = {(each.deed, each.text) for each in said}
        omitted = [
            (deed, text)
            for deed, text in right[part]
            if (deed, text) not in listed and deed not in record.aside | later
        ]
        rows += [
            f"it leaves out what the deed {deed} told: {text}"
            for deed, text in omitted
            if _fits(own[part], Line(deed, record.here[deed], text))
        ]
    return rows + list(_seen_otherwise(game, letter, keys, record))


def _since(game: Game, letter: Mapping[str, Any], record: Record) -> frozenset[str]:
    """The deeds that were done after a letter was written: upon the commit that it names; else, where none such is, after its time."""
    deeds = set[str]()
    for commit in game.repository.log(game.head.oid):
        if commit.oid == letter["stood"]:
            return frozenset(deeds)
        deeds.add(journal.deed_id(commit.message))
    return frozenset(deed for deed, at in record.here.items() if at > letter["at"])


def _too_often(said: Sequence[Line], right: Sequence[tuple[str, str]]) -> Iterator[str]:
    """What a letter tells more often than the record does."""
    often = Counter(right)
    for (deed, text), times in Counter((each.deed, each.text) for each in said).items():
        if times > often[deed, text] > 0:
            yield f"it says {times:,} times what the deed {deed} told {often[deed, text]:,} times: {text}"


def _seen_otherwise(
    game: Game, letter: Mapping[str, Any], keys: Sequence[Key], record: Record
) -> Iterator[str]:
    """Where a letter shows its player another value than there was at the commit upon which it was written, or shows or hides one.

    What is never opened is left out where its half of the key is not at hand.
    """
    stood, player = letter["stood"], f"players/{letter['player']}"
    if not stood:
        return
    commit = next((each for each in game.repository.log(game.head.oid) if each.oid == stood), None)
    if commit is None:
        if record.until is None and not record.coming:
            yield f"it was written upon the commit {stood[:12]}, which is not in the record"
        return
    then = Game(game.repository, commit)
    then.key = next((key for key in keys if then.terms and then.terms[-1].fits(key)), None)
    keeping = then.keeping()
    if keeping is None or keeping.sealer is None or keeping.sealer.key.main is None:
        return
    world = lettering.open_world(then, keeping)
    unopened = frozenset() if keeping.sealer.key.never is not None else world.law.secrecy.never
    right = {
        (each.ref, each.name): each.value
        for each in seeing.seen(world)
        if player in each.viewers and (kind_of(each.ref), each.name) not in unopened
    }
    shown = {
        (each["of"], each["name"]): each["value"]
        for each in letter["sees"]
        if (kind_of(each["of"]), each["name"]) not in unopened
    }
    for ref, name in sorted(right.keys() | shown.keys()):
        what = f"{ref} {name}"
        if (ref, name) not in shown:
            yield f"it hides {what}, which its player could see"
        elif (ref, name) not in right:
            yield f"it shows {what}, which its player could not see: {_plain(shown[ref, name])}"
        elif shown[ref, name] != right[ref, name]:
            yield f"it shows {what} as {_plain(shown[ref, name])}, and that was {_plain(right[ref, name])}"


def _plain(value: object) -> str:
    return printable(json.dumps(value, ensure_ascii=False), 100)


def _answers(game: Game, keys: Sequence[Key]) -> dict[str, tuple[str, str]]:
    """Of each deed that an order became and that a key opens: whose order it was (by id), and what a letter tells of it."""
    sealers = [Sealer(key, game.terms[0].since) for key in keys]
    answers = dict[str, tuple[str, str]]()
    for commit in game.repository.log(game.head.oid):
        entry = journal.told(commit.message)
        if entry is None or not entry.sealed:
            continue
        for sealer in sealers:
            with suppress(Refused):  # it was sealed under the key of another term
                behind = veil.behind(entry, sealer)
                answer = ledger.answer_to(behind) if behind is not None else None
                if behind is not None and answer is not None:
                    answers[behind.deed.id] = (str(behind.deed.actor), _answer(answer).text)
    return answers


def _between(deeds: Sequence[str], since: str, until: str) -> list[str]:
    """The deeds of a term, the one with which it began among them."""
    begun = deeds.index(since) if since in deeds else 0
    return list(deeds[begun : deeds.index(until) if until in deeds else None])
