"""Terms: under which key a game keeps its secrets, and whose that is. Source: ``docs/secrets.md``.

``game/sealed/keys.yml`` has a list, one entry a term: what everybody may know of its key, who keeps it, since which deed, and
the key itself once it is opened. The key lies with its keeper.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from nomicgit.ground import files
from nomicgit.ground.files import Value
from nomicgit.ground.kept import write_over
from nomicgit.ground.problems import Malformed, Place, Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.record.tree import KEYS, GameTree
from nomicgit.sealing.keys import Key, Part, Public, Sealer, commitment, following

if TYPE_CHECKING:
    from nomicgit.git import Repository
    from nomicgit.physics.deed import Deed

LAY_DOWN = remedy(
    "lay the game's key down:",
    command("nomicgit", "keys", "set"),
    "or put it together from its shares:",
    command("nomicgit", "keys", "join"),
)
WHERE_LOST = (
    "where nobody has it any more, those who may restore the game begin without what was secret:",
    command("nomicgit", "keys", "move", "--lost", "--by", "NAME"),
)
KEY_FILE = "nomicgit/key"  # in the folder of Git, beside what no clone shares
UNSEEN = "nomicgit/key.unseen"  # which key was made in this clone, and was shown to nobody yet
BESIDE = "nomicgit/key.next"  # a line each: of a term that is about to begin, and of those that are over here


class Term(Struct, frozen=True):
    """A term: its number, what everybody may know of its key, the keeper (a player's id, or None for the steward), the deed
    with which it began, its key once that is opened, and on what its dice hang beside the key: a deed ("": there was none yet),
    and the mends of the game, where it has gone on after one.
    """

    number: int
    public: Public
    keeper: str | None
    since: str
    earlier: str = ""
    opened: Key | None = None
    salt: str = ""
    mends: int = 0

    def as_kept(self) -> dict[str, Value]:
        """As the file of keys has it."""
        kept: dict[str, Value] = {
            "term": self.number,
            "keeper": self.keeper,
            "since": self.since,
            **self.public.as_file(),
        }
        if self.salt:
            kept["salt"] = self.salt
        if self.mends:
            kept["mends"] = self.mends
        if self.earlier:
            kept["earlier"] = self.earlier
        if self.opened is not None:
            kept["opened"] = self.opened.half(Part.MAIN).hex()
        return kept

    @classmethod
    def of(cls, kept: Mapping[str, Value]) -> Term:
        """A term from the file of keys. Malformed for what is none."""
        own = ("term", "keeper", "since", "opened", "earlier", "salt", "mends")
        number, keeper, since, opened, earlier, salt, mends = (kept.get(k) for k in own)
        if not isinstance(number, int) or not isinstance(since, str) or not isinstance(keeper, str | None):
            raise Malformed.of("that is no term", file=KEYS)
        if not isinstance(mends, int | None):
            raise Malformed.of("how many mends there were is a number", file=KEYS)
        rest = {k: v for k, v in kept.items() if k not in own}
        term = cls(
            number,
            Public.read(rest),
            keeper,
            since,
            str(earlier or ""),
            salt=str(salt or ""),
            mends=mends or 0,
        )
        return term if opened is None else replace(term, opened=_opened(term, opened))

    def seed(self, sealer: Sealer, turn: str) -> bytes:
        """The seed of a turn's dice. Those after a mend are others than those that it has set aside, which everybody knows."""
        return sealer.dice(str(self.number), self.salt, turn, *([str(self.mends)] if self.mends else []))

    def fits(self, key: Key) -> bool:
        """Whether a key, as far as it is there, is this term's."""
        pairs = ((key.main, self.public.main), (key.never, self.public.never))
        return all(half is None or commitment(half) == said for half, said in pairs)


def terms_at(repository: Repository, tree: str) -> Sequence[Term]:
    """The terms of a game in a tree, the present one last; none of a game without keys."""
    data = repository.file(tree, KEYS)
    if data is None:
        return ()
    kept = files.read(data, KEYS)
    if not isinstance(kept, list) or not kept or not all(isinstance(each, dict) for each in kept):
        raise Malformed.of("the file of keys holds a list of terms", file=KEYS)
    return [Term.of(each) for each in kept if isinstance(each, dict)]


def salted(terms: Sequence[Term], deed: Deed, before: GameTree) -> Sequence[Term]:
    """The terms after an open deed for which nobody needed the key. The first in a term by another player than its keeper is that
    term's salt: who made the key did not know it. ``before``: the files of the game, before that deed.
    """
    *over, term = terms
    if term.salt or "/" in deed.action or deed.actor in (None, term.keeper):
        return terms
    if before.entity(f"players/{deed.actor}") is None:
        return terms
    return [*over, replace(term, salt=deed.id)]


def after_mends(terms: Sequence[Term], mends: int) -> Sequence[Term]:
    """The terms of a game that goes on from an earlier commit, after so many mends."""
    return [*terms[:-1], replace(terms[-1], mends=mends)]


def written(terms: Sequence[Term]) -> bytes:
    """The file of keys."""
    return files.write([each.as_kept() for each in terms]).encode()


def _opened(term: Term, said: Value) -> Key:
    """The key that everybody has. Malformed where it is not the term's."""
    try:
        key = Key(bytes.fromhex(str(said)), None)
    except (ValueError, Refused):
        raise Malformed.of("an opened key is 32 bytes in hexadecimal", file=KEYS) from None
    if not term.fits(key):
        raise Malformed.of("the opened key is not the one to which the term was bound", file=KEYS)
    return key


def fitting(term: Term, key: Key | None, game: str) -> Sealer | None:
    """What opens what was sealed in a term: the key at hand if it is this term's, else the one that was opened."""
    for each in (key, term.opened):
        if each is not None and term.fits(each):
            return Sealer(each, game)
    return None


def earlier_keys(terms: Sequence[Term], sealer: Sealer) -> list[Key]:
    """The keys of earlier terms that were passed on to this one, the last first."""
    keys: list[Key] = []
    current = sealer
    for term in reversed(terms):
        if not term.earlier or not current.has(Part.NEVER):
            break
        text = current.opened(Part.NEVER, "state", term.since, base64.b64decode(term.earlier)).decode()
        keys.append(Key.read(text))
        current = Sealer(keys[-1], sealer.game)
    return keys


def of_now(terms: Sequence[Term], key: Key) -> Key:
    """The key of the present term where a key of an earlier one leads to it, for its keeper stayed; else the same one."""
    first = next((n for n, term in enumerate(terms) if term.fits(key)), None)
    if first is None or key.never is None:
        return key
    now = key
    for term in terms[first + 1 :]:
        now = following(now, terms[0].since)
        if not term.fits(now):
            return key
    return now


def key_at(repository: Repository) -> Key | None:
    """The key that lies in this clone; None where none does. Refused where it is none, or others may read it."""
    path = key_path(repository)
    _settle(repository)
    if not path.exists():
        return None
    if path.stat().st_mode & 0o077:
        raise Refused.of("others may read the game's key", file=str(path), mend=f"chmod 600 {path}")
    try:
        return Key.read(path.read_text(errors="replace"))
    except Refused as error:
        raise Refused(replace(error.problems[0], where=Place(str(path)), mend=LAY_DOWN)) from None


def _settle(repository: Repository) -> None:
    """Lay the key of the present term down where it lies beside another: the program ended before it could, or the term of that
    one is gone, since a sync has set its deed aside or a mend went back before it.
    """
    others = _beside(repository)
    head = repository.head() if others else None
    if head is None:
        return
    with suppress(Refused):
        term = terms_at(repository, repository.commit(head).tree)[-1]
        if (key := next((each for each in others if term.fits(each)), None)) is not None:
            keep_key(repository, key)


def _beside(repository: Repository) -> list[Key]:
    """The keys that lie beside the one in this clone, the newest first: of terms that were about to begin, or are over here."""
    with suppress(FileNotFoundError, Refused):
        return [Key.read(line) for line in _file(repository, BESIDE).read_text(errors="replace").splitlines()]
    return []


def key_path(repository: Repository) -> Path:
    """Where a key lies in this clone."""
    return _file(repository, KEY_FILE)


def keep_key(repository: Repository, key: Key) -> None:
    """Lay a key down in this clone, where nobody else may read it, and the one that lies there beside it, since the term of that may
    be the present one again.
    """
    path, others = key_path(repository), _beside(repository)
    with suppress(FileNotFoundError, Refused):
        others.insert(0, Key.read(path.read_text(errors="replace")))
    _write(_file(repository, BESIDE), [key, *others])
    _write(path, [key])
    if rest := [each for each in dict.fromkeys(each.text() for each in others) if each != key.text()]:
        _write(_file(repository, BESIDE), map(Key.read, rest))
    else:
        _file(repository, BESIDE).unlink(missing_ok=True)


def keep_next(repository: Repository, key: Key) -> None:
    """Keep the key of a term that is about to begin beside that of now, so that it is there once the term has begun."""
    _write(_file(repository, BESIDE), [key, *_beside(repository)])


def note_unseen(repository: Repository, key: Key | None) -> None:
    """Keep in mind that a key was made in this clone and stands nowhere else; None: it was shown."""
    if key is None:
        _file(repository, UNSEEN).unlink(missing_ok=True)
    else:
        write_over(
            str(_file(repository, UNSEEN)),
            hashlib.sha256(key.text().encode()).hexdigest().encode(),
            secret=True,
        )


def is_unseen(repository: Repository, key: Key) -> bool:
    """Whether a key was made in this clone by which a term began, and was shown to nobody since."""
    with suppress(FileNotFoundError):
        return _file(repository, UNSEEN).read_text() == hashlib.sha256(key.text().encode()).hexdigest()
    return False


def forget_key(repository: Repository) -> None:
    """Take the key out of this clone, and those beside it."""
    for file in (BESIDE, KEY_FILE, UNSEEN):
        _file(repository, file).unlink(missing_ok=True)


def _file(repository: Repository, name: str) -> Path:
    return Path(repository.git_dir, name)


def _write(path: Path, keys: Iterable[Key]) -> None:
    write_over(str(path), "".join(f"{key.text()}\n" for key in keys).encode(), secret=True)
