"""Which file of a game holds what: read and written here alone, so that what a deed writes is what the next one reads.

Source: A game's repository, in ``docs/architecture.md``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, TypeVar

from msgspec import Struct

from nomicgit.git import Commit, Repository
from nomicgit.git.objects import Entry
from nomicgit.ground import files
from nomicgit.ground.files import Value
from nomicgit.ground.kept import Kept, late
from nomicgit.ground.problems import Malformed, Refused, quoted
from nomicgit.law.declaring import PLAYER_NAME, player_names
from nomicgit.law.law import Law
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.numbers import physics_of
from nomicgit.physics.physics import Physics
from nomicgit.physics.state import naming
from nomicgit.physics.state.position import Position
from nomicgit.physics.state.reading import KEPT
from nomicgit.physics.state.store import PROGRAMS, SINGLE, Source, Store, unsaid
from nomicgit.record.settings import FORMAT, Settings
from nomicgit.record.shelf import Shelf, take

GAME = "game/"
RULESET, STATE, POSTS, SCENARIOS = "game/ruleset/", "game/state/", "game/posts/", "game/scenarios/"
SETTINGS = "game/game.yml"
KEYS = "game/sealed/keys.yml"
POST_FIRST = ("kind", "title", "author", "byline", "at", "status", "tags")
POST_LAST = ("changes", "called", "hash", "branch_head", "frozen")
_NUMBER = late(r"[1-9][0-9]{0,8}")
_POST = late(r"(\d{4,})-[a-z0-9-]*\.md")


def encoded(name: str) -> str:
    """An id as a file name: what is neither letter, digit, dot nor hyphen becomes ``_`` and two hexadecimal digits."""
    return re.sub(r"[^A-Za-z0-9.-]", lambda m: f"_{ord(m[0]):02x}", name)


def decoded(name: str) -> str:
    """The id that a file name stands for."""
    return re.sub(r"_([0-9a-f]{2})", lambda m: chr(int(m[1], 16)), name)


def ref_of(path: str) -> str | None:
    """The entity whose file lies at a path; None where it is none of the gamestate's."""
    if not path.startswith(STATE) or not path.endswith(".yml"):
        return None
    kind, slash, name = path.removeprefix(STATE).removesuffix(".yml").partition("/")
    ref = f"{kind}/{decoded(name)}" if slash else kind
    return None if ref in PROGRAMS else ref


_SETTINGS = Kept[Entry | None, Settings](8)
"""Settings by their files: each deed of a game is asked for those before it."""

AnyTree = TypeVar("AnyTree", bound="GameTree")


class GameTree(Source):
    """The files of a game in one Git tree, as the source of a store."""

    def __init__(self, repository: Repository, tree: str) -> None:
        self.repository, self.tree = repository, tree
        self._posts: dict[int, str] = {}  # the files of the posts that are known
        self._gone: set[int] = set()  # posts taken away by deeds that this tree is not yet the tree of
        self._all_known = False
        self._none_from: int | None = None  # no post from this number on lay there when it was first asked
        self._read: dict[str, dict[str, Any] | None] = {}
        self._lines: dict[
            int, tuple[dict[str, Any], str]
        ] = {}  # comments and their lines, by the comment's identity

    def after(self, tree: str) -> GameTree:
        """The files after a deed whose changes were asked of this tree: the places of posts are known already."""
        return self._followed(GameTree(self.repository, tree))

    def _followed(self, following: AnyTree) -> AnyTree:
        following._posts, following._gone, following._all_known = self._posts, self._gone, self._all_known
        following._lines, following._none_from = self._lines, self._none_from
        return following

    @cached_property
    def has_keys(self) -> bool:
        """Whether the game keeps secrets under a key."""
        return self.repository.entry(self.tree, KEYS) is not None

    def ruleset(self, old: Ruleset | None = None, *, shelf: Shelf | None = None) -> Ruleset:
        """All rules. ``shelf``: where what was read is kept for the next command."""
        entry = self.repository.entry(self.tree, RULESET.rstrip("/"))
        return take(entry[1], self._texts, old=old, shelf=shelf) if entry else Ruleset.read({})

    @cached_property
    def settings(self) -> Settings:
        """The settings. Refused where this program cannot play the game."""
        entry = self.repository.entry(self.tree, SETTINGS)
        return _SETTINGS.get(entry, lambda: settings_of(self.repository.file(self.tree, SETTINGS) or b""))

    @property
    def physics(self) -> Physics:
        """The physics that the settings name."""
        return physics_of(self.settings.physics)

    def ruleset_anew(self) -> Ruleset:
        """All rules, in a ruleset that is no other, as a change of the law is."""
        return Ruleset.read(self._texts())

    def ruleset_quoted(self) -> Ruleset:
        """All rules that can be read, with quotes where they lack them: as they are looked at where that is told."""
        texts = {path: files.requoted(text) for path, text in self._texts().items()}
        try:
            return Ruleset.read(texts)
        except Malformed as unread:
            wrong = {each.where.file.removeprefix(RULESET) for each in unread.problems}
            return Ruleset.read({path: text for path, text in texts.items() if path not in wrong})

    def _texts(self) -> dict[str, str]:
        walked = self.repository.walk(self.tree, RULESET.rstrip("/"))
        oids = {path: oid for path, oid in walked if path.endswith(".md")}
        blobs = self.repository.blobs(oids.values())
        return {path.removeprefix(RULESET): _text(blobs[oid], path) for path, oid in oids.items()}

    def entity(self, ref: str) -> dict[str, Any] | None:
        """All fields of an entity."""
        if ref not in self._read:
            self._read[ref] = self._entity(ref)
        fields = self._read[ref]
        return None if fields is None else dict(fields)

    def _entity(self, ref: str) -> dict[str, Value] | None:
        kind, _, name = ref.partition("/")
        if kind == "posts":
            return self._post(int(name)) if _NUMBER.fullmatch(name) else None
        path = self.path(ref)
        data = self.repository.file(self.tree, path)
        if data is None:
            return {} if ref in SINGLE else None
        if kind == "scenarios":
            return {"text": _text(data, path)}
        fields = files.read(data, path)
        if not isinstance(fields, dict):
            raise Malformed.of("the file must hold a map", file=path)
        return fields

    def path(self, ref: str) -> str:
        """The file of an entity that is no post."""
        kind, _, name = ref.partition("/")
        if kind == "settings":
            return SETTINGS
        if kind == "scenarios":
            return f"{SCENARIOS}{name}.yml"
        return f"{STATE}{kind}/{encoded(name)}.yml" if name else f"{STATE}{kind}.yml"

    def ids(self, kind: str) -> Iterable[str]:
        """The ids of all entities of a kind."""
        if kind == "posts":
            return [str(number) for number in self._paths()]
        folder = SCENARIOS if kind == "scenarios" else f"{STATE}{kind}"
        entry = self.repository.entry(self.tree, folder.rstrip("/"))
        if entry is None:
            return []
        return [
            decoded(name.removesuffix(".yml"))
            for name in self.repository.tree(entry[1])
            if name.endswith(".yml")
        ]

    def spelled(self, name: str) -> str:
        """The id of who has or had a name, whatever its capitals; a newcomer's as given. Refused where it can be none."""
        if PLAYER_NAME.fullmatch(name) is None:
            raise Refused.of(f"{quoted(name, 60)} is no name of a player", mend=player_names(name))
        return naming.holder(Store(self), name) or name

    def called(self, player: str) -> str:
        """What a player of this id is called."""
        return naming.called(Store(self), player)

    def comments(self, ref: str) -> list[dict[str, Any]]:
        """The comments of a post."""
        name = ref.partition("/")[2]
        post = self._place(int(name)) if _NUMBER.fullmatch(name) else None
        path = comments_path(post) if post else None
        data = self.repository.file(self.tree, path) if path else None
        if not data:
            return []
        said = files.read_log(data, path or "")
        lines = data.decode().split("\n")[:-1]
        self._lines |= {id(entry): (entry, line + "\n") for entry, line in zip(said, lines, strict=True)}
        return said

    @classmethod
    def unwritten(cls, repository: Repository) -> GameTree:
        """The files of a game that is yet to be written."""
        return cls(repository, "").new()

    def new(self: AnyTree) -> AnyTree:
        """The same, which is known to hold no posts."""
        self._all_known = True
        return self

    def _paths(self) -> dict[int, str]:
        if not self._all_known:
            for path, _ in self.repository.walk(self.tree, POSTS.rstrip("/")):
                self.know(path)
            for number in self._gone:
                self._posts.pop(number, None)
            self._all_known = True
        return self._posts

    def know(self, path: str) -> int | None:
        """Note where a post lies; its number, None for what is no post."""
        match = _POST.fullmatch(path.rpartition("/")[2])
        if match is None:
            return None
        self._posts.setdefault(int(match[1]), path)
        return int(match[1])

    def _place(self, number: int) -> str | None:
        """The file of a post. Sought from the newest month on, for its number tells how old a post is; else among all."""
        if number not in self._posts and number not in self._gone and not self._all_known:
            if self._none_from is None:
                self._none_from = (self.entity("open") or {}).get("next")
            if isinstance(self._none_from, int) and number >= self._none_from:
                return None
            for month in self._months():
                numbers = [self.know(path) for path, _ in self.repository.walk(self.tree, month)]
                if number in numbers or min((n for n in numbers if n is not None), default=number) < number:
                    break
            if number not in self._posts:
                self._paths()
        return None if number in self._gone else self._posts.get(number)

    def _months(self) -> Iterator[str]:
        """The folders of the months, the newest first."""
        for year in self._folders(POSTS.rstrip("/")):
            yield from self._folders(year)

    def _folders(self, path: str) -> list[str]:
        entry = self.repository.entry(self.tree, path)
        return (
            [f"{path}/{name}" for name in sorted(self.repository.tree(entry[1]), reverse=True)]
            if entry
            else []
        )

    def _post(self, number: int) -> dict[str, Value] | None:
        path = self._place(number)
        data = self.repository.file(self.tree, path) if path else None
        if data is None or path is None:
            return None
        return post_of(_text(data, path), path)

    def post_path(self, number: int, fields: Mapping[str, object]) -> str:
        """The file of a post: where it lies, or where it is to lie."""
        place = self._place(number)
        if place is None:
            at = str(fields["at"])
            place = f"{POSTS}{at[:4]}/{at[5:7]}/{number:04}-{naming.slug(str(fields['title']))}.md"
            self._posts[number] = place
            self._gone.discard(number)
        return place

    def changes(self, position: Position, before: Ruleset) -> dict[str, bytes | None]:
        """The files that a deed changes, which has led here from another ruleset: their new bytes, None for those that go."""
        store, after = position.store, position.ruleset
        changed: dict[str, bytes | None] = {}
        for ref, names in self.written(position, before).items():
            fields = self.public(position, ref)
            if ref.startswith("posts/"):
                self._post_changes(store, ref, fields, names, changed)
                continue
            changed[self.path(ref)] = None if fields is None else rendered(ref, fields)
        if after is not before:
            old, new = before.texts, after.texts
            for path in {*old, *new}:
                if old.get(path) != new.get(path):
                    text = new.get(path)
                    changed[RULESET + path] = None if text is None else text.encode()
            changed |= self._forms(position.physics.law(before), position.law)
        return changed

    def written(self, position: Position, before: Ruleset) -> dict[str, set[str]]:
        """The fields that a deed has written, by their entities."""
        written: dict[str, set[str]] = {}
        for change in position.store.since(0):
            written.setdefault(change.ref, set()).add(change.field)
        return written

    def public(self, position: Position, ref: str) -> Mapping[str, Any] | None:
        """The fields of an entity that its file holds; None where it has none."""
        return position.store.fields(ref)

    def _forms(self, before: Law, after: Law) -> dict[str, bytes | None]:
        """The forms that a change of the law changes, in a game that lives on a forge."""
        forge = self.settings.forge
        old, new = forms_of(before, forge), forms_of(after, forge)
        return {path: new.get(path) for path in {*old, *new} if old.get(path) != new.get(path)}

    def _post_changes(
        self,
        store: Store,
        ref: str,
        fields: Mapping[str, Any] | None,
        names: set[str],
        changed: dict[str, bytes | None],
    ) -> None:
        """The files of a post of which these fields were written; those that stay as they are stay out."""
        number = int(ref.partition("/")[2])
        if fields is None:
            path = self._place(number)
            if path is not None:
                del self._posts[number]
                self._gone.add(number)
                changed |= {path: None, comments_path(path): None}
            return
        path = self.post_path(number, fields)
        if names != {"comments"}:
            changed[path] = post_text(fields).encode()
        said = store.comments(ref) if names & {"comments", "created"} else ()
        if not said and "comments" in names:
            changed[comments_path(path)] = None
        if said:
            changed[comments_path(path)] = "".join(map(self._line, said)).encode()

    def _line(self, entry: dict[str, Value]) -> str:
        """A comment's line. Nobody changes a comment, so it is written as it was read, or written once."""
        known = self._lines.get(id(entry))
        if known is None:
            known = self._lines[id(entry)] = entry, files.log_line(entry)
        return known[1]


class Made(Struct, frozen=True):
    """A deed as it is recorded: the files that it changes, its message for a tree of them, and the files after it."""

    files: Mapping[str, bytes | None]
    message: Callable[[str], str]
    following: Callable[[str], GameTree]


def founding_files(tree: GameTree, position: Position, settings: Settings) -> dict[str, bytes | None]:
    """All files of a game that has just been founded."""
    ruleset = position.ruleset
    files: dict[str, bytes | None] = {SETTINGS: settings.as_file()}
    files |= tree.changes(position, ruleset)
    files |= {f"{GAME}ruleset/{path}": text.encode() for path, text in ruleset.texts.items()}
    return files | forms_of(position.law, settings.forge)


def forms_of(law: Law, forge: Mapping[str, object] | None) -> dict[str, bytes]:
    """The forms of a game by their paths; none of one that lives on no forge (``forge``: what its settings say)."""
    if not forge:
        return {}
    from nomicgit.record import forms  # here: few deeds change a law, and few games live on a forge

    place = forms.forge_of(forge)
    return dict(forms.texts(law, place)) if place else {}


def game_at(repository: Repository, commit: Commit) -> tuple[str, str] | None:
    """The game's folder as it is at a commit: its mode and id, None where there is none."""
    return repository.entry(commit.tree, GAME.rstrip("/"))


def settings_of(data: bytes) -> Settings:
    """The settings in a file. Refused where this program is too old to play the game, Malformed where they are none."""
    kept = files.read(data, SETTINGS)
    kept = kept if isinstance(kept, dict) else {}
    for key in ("format", "physics"):
        number = kept.get(key)
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise Malformed.of(f"it does not say the number of the game's {key}", file=SETTINGS)
        if key == "format" and number != FORMAT:
            what = f"this program knows format {FORMAT}, and not format {number}"
            raise Refused.of(what, file=SETTINGS, mend="use a newer nomicgit")
    physics = physics_of(kept["physics"], file=SETTINGS)
    known = {
        "format",
        "physics",
        "name",
        "edition",
        "time",
        "dice",
        "forge",
        "restore",
        "signed",
        "orders",
        "approvals",
    }
    return Settings(
        str(kept.get("name", "")), str(kept.get("edition", "")), str(kept.get("time", "live")), str(kept.get("dice", "local")),
        kept.get("forge"), kept.get("restore"), physics.number, str(kept.get("signed", "no")),
        str(kept.get("orders", "")), _whole(kept.get("approvals", 0)),
        {k: v for k, v in kept.items() if k not in known},
    )  # fmt: skip


def _whole(many: object) -> int:
    """How many admins approve keys, as the settings say it. Refused for what says no number."""
    if not isinstance(many, int) or isinstance(many, bool) or many < 0:
        raise Refused.of("approvals must be a whole number", file=SETTINGS)
    return many


def comments_path(path: str) -> str:
    """The file of a post's comments."""
    return path.removesuffix(".md") + ".comments.yml"


def rendered(ref: str, fields: Mapping[str, object]) -> bytes:
    """An entity's file: what the program keeps first, then the variables by name."""
    if ref.startswith("scenarios/"):
        return str(fields["text"]).encode()
    first = [
        k
        for k in (
            "name",
            "admin",
            "idle",
            "number",
            "emperor",
            "began",
            "interregnum",
            "made",
            "forge",
            "next",
        )
        if k in fields
    ]
    rest = sorted(k for k in fields if k not in first and k != "uses" and k not in KEPT["posts"])
    rest = sorted({*rest, *(k for k in fields if k in KEPT["posts"] and k not in first)})
    ordered = {k: fields[k] for k in [*first, *rest, *(["uses"] if "uses" in fields else [])]}
    return files.write(ordered).encode()


def post_text(fields: Mapping[str, object]) -> str:
    """A post's file: front matter and body."""
    variables = sorted(k for k in fields if k not in (*POST_FIRST, *POST_LAST, "body", "made"))
    front = {
        k: fields[k]
        for k in (*POST_FIRST, *variables, *POST_LAST)
        if k in fields and not unsaid(k, fields[k])
    }
    body = str(fields["body"])
    return files.join(files.write(front), body + "\n" if body else "")


def post_of(text: str, path: str) -> dict[str, Value]:
    """A post's fields."""
    parts = files.split(text, path)
    front = files.read(parts.front, path, line=parts.front_line)
    if not isinstance(front, dict):
        raise Malformed.of("front matter must be a map", file=path)
    unsaid: dict[str, Value] = {"tags": [], "changes": [], "status": None, "author": None}
    return unsaid | front | {"body": parts.body.removesuffix("\n")}


def _text(data: bytes, path: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise Malformed.of("the file is not UTF-8", file=path) from error
