"""Deeds outside the law that say the game's settings anew: where it lives on a forge, under which physics it is played,
whether deeds are signed, and with which keys.

Those who may restore the game may do them, and each player may change their own keys. Neither rules nor gamestate change,
and nothing falls due in them; the forms follow in the same commit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.git.signing import HANDS
from nomicgit.ground.problems import Defect, Malformed, Refused, printable, quoted
from nomicgit.ground.remedies import command, remedy
from nomicgit.law.declaring import PLAYER_NAME, refuse_id
from nomicgit.law.outside import Outside
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Deed, Outcome
from nomicgit.physics.deeds import pipeline
from nomicgit.physics.numbers import physics_of
from nomicgit.physics.state.context import Context, Seeded
from nomicgit.physics.state.naming import called
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.store import Store
from nomicgit.physics.state.transaction import Transaction
from nomicgit.record import whose
from nomicgit.record.outside import approving, restoring
from nomicgit.record.settings import Settings
from nomicgit.record.signers import SIGNERS, Asked, Listed, approves, bringing, in_words, with_keys
from nomicgit.record.tree import SETTINGS, forms_of

KEEPER = "keeper"
"""Whose the dice are in a game with keys."""
MOST_NEWCOMERS = 20
"""Those who have brought a key, and are no players."""

Files = Mapping[str, bytes | None]
"""Files that a deed changes: their new bytes, None for those that go."""


class Settled(Struct, frozen=True):
    """What a deed that says settings anew has done, and the files that it changes beside what every deed does."""

    outcome: Outcome
    files: Files


def settle(position: Position, deed: Deed, settings: Settings, listed: Listed) -> Settled:
    """Carry such a deed out on a position. Refused where it says nothing new, what cannot be, or what its doer may not.

    ``listed``: the players' keys before it.
    """
    refuse_unentitled(settings, position.store, deed)
    signers = listed.keys
    if deed.action == Outside.SIGNERS:
        files, what = _with_keys(position, deed, settings, listed)
    else:
        anew, what = _SETTINGS[Outside(deed.action)](settings, deed.given, position.ruleset)
        _refuse_misnamed(position, settings, anew)
        _refuse_nobody_signs(anew, signers, deed.given["by"] if deed.action == Outside.SIGNED else ())
        files = _files(position.ruleset, settings, anew)
    world = Transaction(position, Context(), Seeded(b"", deed.id))
    pipeline.arrive(world, deed)
    world.notes.append(f"{what}, by {', '.join(deed.given['by'] or [str(deed.actor)])}.")
    return Settled(pipeline.outcome_of(world, deed), files)


def said_anew(settings: Settings, deed: Deed) -> Settings:
    """The settings after a deed that says one of those anew (``SAID``). Refused where it says nothing new, or what cannot be."""
    return _OF_HANDS[Outside(deed.action)](settings, deed.given, None)[0]


def refuse_unentitled(settings: Settings, store: Store, deed: Deed) -> None:
    """Refuse such a deed of whoever may not do it upon a gamestate."""
    if deed.action != Outside.SIGNERS or deed.given["by"]:
        restoring.allowed(settings.restore, deed.given["by"])
    elif approves(deed):
        approving.refuse_unentitled(settings, store, deed)


def _with_keys(position: Position, deed: Deed, settings: Settings, listed: Listed) -> tuple[Files, str]:
    player, keys, signers = deed.given["player"], deed.given["keys"], listed.keys
    restores = player in restoring.named(settings.restore)[0]
    if restores and settings.signed == Asked.REQUIRED and not deed.given["by"] and not signers.get(player):
        raise Refused.of(
            f"{printable(player)} may restore the game and had no key: another names their first one here",
            mend="somebody else who may restore it names it: --by NAME",
        )
    if player not in HANDS and not restores and position.store.fields(f"players/{player}") is None:
        if deed.given["by"]:
            raise Refused.of(
                f"there is no player {printable(player)}", mend=remedy("see:", command("nomicgit", "status"))
            )
        refuse_id("players", player)
        waiting = [name for name in signers if position.store.fields(f"players/{name}") is None]
        if player not in waiting and len({*waiting} - {*HANDS}) >= MOST_NEWCOMERS:
            raise Refused.of(
                f"{MOST_NEWCOMERS} others have brought a key, and have not joined",
                mend=remedy(
                    "those who may restore the game take theirs away:",
                    command("nomicgit", "signers", "--of", "NAME", "--drop", "FINGERPRINT", "--by", "NAME"),
                ),
            )
    _refuse_nobody_signs(settings, {**signers, player: keys}, ())
    many = "1 key" if len(keys) == 1 else f"{len(keys)} keys"
    address = deed.given.get("address")
    if not approves(deed):
        after = with_keys(listed, player, keys, address)
        named = "" if address is None else f", and {f'commits as {address}' if address else 'no address'}"
        return {SIGNERS: after.file}, f"{player} has {many} to sign with{named}"
    if address is not None:
        raise Refused.of(
            "admins name keys; an address is named by whose it is, or those who may restore the game"
        )
    approved = approving.approved(listed, settings, position.store, deed)
    waits = f"{player} is to have {many} to sign with, as {approved.have} of {approved.needed} admins approve"
    said = f"{player} has {many} to sign with" if approved.done else waits
    return {SIGNERS: approved.listed.file}, said


def _refuse_nobody_signs(
    settings: Settings, signers: Mapping[str, Sequence[object]], by: Sequence[str]
) -> None:
    """Refuse what would leave a game that requires signatures without a key of who must sign there."""
    if settings.signed != Asked.REQUIRED:
        return
    hands = [("steward", settings.forge is not None), ("keeper", settings.dice == KEEPER)]
    for name in (*by, *(name for name, is_there in hands if is_there)):
        if not signers.get(name):
            raise Refused.of(
                f"{in_words([name])} would have to sign, and has no key here",
                file=SIGNERS,
                mend=bringing(name)
                if name in by
                else remedy(
                    "name one:",
                    command("nomicgit", "signers", "--of", printable(name), "--add", "FILE", "--by", "NAME"),
                ),
            )


def _signed(settings: Settings, given: Mapping[str, Any], _: Ruleset | None) -> tuple[Settings, str]:
    if given["to"] not in list(Asked):
        raise Refused.of("deeds are signed or not: " + ", ".join(Asked), file=SETTINGS)
    if given["to"] == settings.signed:
        raise Refused.of(f"that is so already: {settings.signed}", file=SETTINGS)
    return replace(settings, signed=given["to"]), f"Whether deeds are signed: {given['to']}"


def _approvals(settings: Settings, given: Mapping[str, Any], _: Ruleset | None) -> tuple[Settings, str]:
    many = given["to"]
    if many < 1 or many == settings.approvals:
        raise Refused.of(
            f"so many admins together name a player's keys already: {many}"
            if many > 0
            else "at least one admin names a player's keys",
            file=SETTINGS,
        )
    return replace(settings, approvals=many), f"Admins who together name a player's keys: {many}"


def _restorers(settings: Settings, given: Mapping[str, Any], _: Ruleset | None) -> tuple[Settings, str]:
    names, of = restoring.named(given["restore"])
    if (names, of) == restoring.named(settings.restore):
        raise Refused.of("they may restore the game already, and nobody else", file=SETTINGS)
    for name in names:
        if PLAYER_NAME.fullmatch(name) is None:
            raise Refused.of(f"{quoted(name)} is no name", file=SETTINGS)
    if names and not len(names) == len({name.casefold() for name in names}) >= of > 0:
        raise Refused.of(f"{of} together need so many names, each once", file=SETTINGS)
    if not names:
        return replace(settings, restore=None), "Who may restore the game: nobody"
    together = f", {of} of them together" if of > 1 else ""
    return (
        replace(settings, restore={"by": names, "of": of}),
        f"Who may restore the game: {printable(', '.join(names))}{together}",
    )


def _rehoused(settings: Settings, given: Mapping[str, Any], ruleset: Ruleset) -> tuple[Settings, str]:
    from nomicgit.record.forms import forge_of  # here: a game seldom moves

    forge = given["forge"]
    place = forge_of(forge)
    if forge is not None and place is None:
        raise Refused.of("that is no place on a forge", file=SETTINGS, mend="name it: {github: OWNER/NAME}")
    if forge == settings.forge:
        already = "there already, and so" if place else "on no forge already"
        raise Refused.of(f"the game lives {already}", file=SETTINGS)
    where = f"lives at {place.address}" if place else "lives on no forge"
    return replace(settings, forge=forge), f"The game {where}"


def _refuse_misnamed(position: Position, before: Settings, after: Settings) -> None:
    """Refuse a place where somebody resolves who is no admin, or an account is two players'."""
    store = position.store
    if after.forge == before.forge:
        return
    admins = [
        called(store, who) for who in store.ids("players") if store.value(f"players/{who}", "admin") is True
    ]
    if wrong := whose.misnamed(after.forge, whose.everybody(store, after.forge), admins):
        raise Refused.of(
            wrong,
            file=SETTINGS,
            mend=remedy("name another, or nobody:", command("nomicgit", "rehouse", "--help")),
        )


def _under_another_physics(
    settings: Settings, given: Mapping[str, object], ruleset: Ruleset
) -> tuple[Settings, str]:
    physics = physics_of(given["to"])
    if physics.number <= settings.physics:
        shown = f"the game is played under physics {settings.physics} already, and there is no way back to another"
        raise Refused.of(shown, file=SETTINGS)
    law = physics.law(ruleset)
    try:
        problems = law.problems
        law.compile()
    except (Defect, Malformed) as error:
        problems = (*law.problems, *error.problems)
    if problems:
        raise Refused(*dict.fromkeys(problems))
    return replace(settings, physics=physics.number), f"The game is played under physics {physics.number}"


_OF_HANDS = {Outside.SIGNED: _signed, Outside.APPROVALS: _approvals, Outside.RESTORERS: _restorers}
SAID = frozenset(_OF_HANDS)
"""What says anew who may restore the game, whether deeds are signed, or how many admins together name a player's keys."""
_SETTINGS = {Outside.REHOUSE: _rehoused, Outside.NUMBER: _under_another_physics, **_OF_HANDS}
SETTLING = frozenset({*_SETTINGS, Outside.SIGNERS})


def _files(ruleset: Ruleset, before: Settings, after: Settings) -> Files:
    """The settings, and the forms that another place or another law makes otherwise."""
    old, new = (forms_of(physics_of(each.physics).law(ruleset), each.forge) for each in (before, after))
    changed = {path: new.get(path) for path in {*old, *new} if old.get(path) != new.get(path)}
    return {SETTINGS: after.as_file()} | changed
