"""The files of a game together with what is sealed of it, for whoever has the key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from nomicgit.git import Repository
from nomicgit.ground.files import Value
from nomicgit.law.law import PARTED
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.store import SINGLE, kind_of
from nomicgit.record.secret.vault import Vault
from nomicgit.record.tree import GameTree
from nomicgit.sealing.keys import Part


class OpenTree(GameTree):
    """The files of a game in one Git tree, and its vault, as the source of a store."""

    def __init__(self, repository: Repository, tree: str, vault: Vault) -> None:
        super().__init__(repository, tree)
        self.vault = vault

    def following(self, tree: str, vault: Vault) -> OpenTree:
        """The files and the vault after a deed whose changes were asked of this tree."""
        return self._followed(OpenTree(self.repository, tree, vault))

    def entity(self, ref: str) -> dict[str, Any] | None:
        """All fields of an entity, the secret ones too."""
        return self.vault.entity(ref, super().entity(ref))

    def ids(self, kind: str) -> Iterable[str]:
        """The ids of all entities of a kind, also where nobody else knows that they are there."""
        secret = (ref.partition("/")[2] for ref in self.vault.refs(kind))
        return list(dict.fromkeys((*super().ids(kind), *filter(None, secret))))

    def written(self, position: Position, before: Ruleset) -> dict[str, set[str]]:
        """The fields that a deed has written; where it has changed what is secret, all those of which that is so."""
        written = super().written(position, before)
        if position.ruleset is before:
            return written
        was, now = position.physics.law(before).secrecy, position.law.secrecy
        for kind in {kind for kind, _ in was.variables ^ now.variables} | (was.kinds ^ now.kinds):
            refs = [kind] if kind in SINGLE else [f"{kind}/{name}" for name in position.store.ids(kind)]
            for ref in refs:
                written.setdefault(ref, set()).update(position.store.entity(ref) or ())
        return written

    def public(self, position: Position, ref: str) -> Mapping[str, Any] | None:
        """The fields of an entity that everybody may see; None where nobody is to know that it is there.

        A cell of which all that is stored is secret gets no file, which would tell that there is something.
        """
        public = self._parted(position, ref)[0]
        unseen = public == {} and self.repository.file(self.tree, self.path(ref)) is None
        return None if unseen else public

    def secrets(self, position: Position, before: Ruleset) -> dict[str, dict[Part, dict[str, Value]]]:
        """What is secret now of each entity that a deed has written to."""
        return {ref: self._parted(position, ref)[1] for ref in self.written(position, before)}

    def _parted(
        self, position: Position, ref: str
    ) -> tuple[Mapping[str, Any] | None, dict[Part, dict[str, Value]]]:
        """The fields of an entity that everybody may see, and the others under each key.

        What no law declares any more stays as secret as it was.
        """
        secret: dict[Part, dict[str, Value]] = {part: {} for part in Part}
        fields = position.store.entity(ref)
        if fields is None:
            return None, secret
        kind, secrecy = kind_of(ref), position.law.secrecy
        was = {name for name in self.vault.names(ref) if name not in PARTED}
        public: dict[str, Any] = {}
        for name, value in fields.items():
            part = Part.NEVER if (kind, name) in secrecy.never else Part.MAIN
            if secrecy.hides(kind, name) or (name in was and position.law.variable(kind, name) is None):
                secret[part][name] = value
            elif name in PARTED and isinstance(value, dict):
                hidden = {key: each for key, each in value.items() if secrecy.hides_key(name, key)}
                rest = {key: each for key, each in value.items() if key not in hidden}
                public |= {name: rest} if rest or not hidden else {}
                secret[part] |= {name: hidden} if hidden else {}
            else:
                public[name] = value
        return None if kind in secrecy.kinds else public, secret
