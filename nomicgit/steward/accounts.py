"""Who is who: players by the numeric ids of their accounts. Logins are shown, and compared nowhere."""

from __future__ import annotations

from collections.abc import Mapping

from nomicgit.ground.clock import instant
from nomicgit.law.declaring import why_no_id
from nomicgit.physics.deed import Account
from nomicgit.physics.state.naming import holder, names_of
from nomicgit.physics.state.store import Store
from nomicgit.record.tree import GameTree
from nomicgit.record.whose import accounts
from nomicgit.steward.doorbell import FORGE
from nomicgit.steward.seen import Person


class People:
    """The players of a game and their accounts. ``by_settings`` are those that the settings name, by the players' names."""

    def __init__(self, tree: GameTree, by_settings: Mapping[str, int]) -> None:
        self._store = Store(tree)
        ids = self._store.ids("players")
        self._roster = frozenset(ids)
        self.names: dict[str, str] = {
            name.casefold(): who for who in ids for name in (who, *names_of(self._store, who))
        }
        known = accounts(self._store, by_settings)
        self._players = {each.number: who for who, each in known.items() if each.number and not each.by_deed}
        self._players |= {each.number: who for who, each in known.items() if each.by_deed}
        self._logins = {who: each.login for who, each in known.items() if each.by_deed}

    def player(self, person: Person | None) -> str | None:
        """The player whose account it is; None for a stranger, and for an account that is gone."""
        return None if person is None or person.bot else self._players.get(person.id)

    def guest(self, person: Person) -> str | None:
        """The name under which an account that is no player's has done something before."""
        used = self._store.value("used", "accounts")
        guests = used.items() if isinstance(used, Mapping) else ()
        return next((name for name, each in guests if each.get(FORGE) == person.id), None)

    def since(self, person: Person) -> int:
        """Since when somebody is a player whose account was known before they were one; 0 for others."""
        kept = self._store.value(f"players/{self._players.get(person.id, '')}", "forge")
        return instant(str(kept["since"])) if isinstance(kept, Mapping) and "since" in kept else 0

    def news_of(self, person: Person) -> Account | None:
        """The account as it is to be recorded; None where the record has it as it is."""
        name = self._players.get(person.id)
        kept = self._logins.get(name) if name is not None else None
        login = person.login if len(person.login) <= 100 else ""
        return None if kept == login else Account(FORGE, person.id, login)

    def login(self, player: str) -> str | None:
        """The login of a player that was last seen; None where none was."""
        return self._logins.get(player) or None

    def others(self, tree: GameTree) -> bool:
        """Whether others are on a roster than these."""
        return self._roster != frozenset(tree.ids("players"))

    def learn(self, player: str, account: Account) -> None:
        """Note the account of a player that a deed has made known."""
        if player not in self._roster:
            return
        self._players = {key: name for key, name in self._players.items() if name != player} | {
            account.id: player
        }
        self._logins[player] = account.login

    def free_name(self, wanted: str, person: Person) -> str | None:
        """The id under which somebody may join; None where it can be none, or it is, or was, another's name."""
        if why_no_id("players", wanted) or wanted.casefold() in self.names:
            return None
        before = holder(self._store, wanted)
        used = self._store.value("used", "accounts")
        kept = used.get(before) if isinstance(used, Mapping) else None
        other = isinstance(kept, Mapping) and kept.get(FORGE, person.id) != person.id
        return None if other else before or wanted
