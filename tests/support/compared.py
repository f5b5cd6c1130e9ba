"""The pages of a game held to the files of its gamestate, value by value.

The files, and what the rules declare, are read here by plain YAML, and the pages as built: nothing of the program that
makes them has a part in what is expected. Derived values are passed over, since only the law can tell them; so is what
stands in no file and has a default that a function gives.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from support.tables import Tables, tables_of

KINDS = {"player": "players", "matter": "posts", "post": "posts"}
OWN = {
    "players": ("name", "idle", "admin"), "game": ("barred",),
    "dynasty": ("number", "name", "emperor", "began", "interregnum"),
}  # fmt: skip
"""What the program itself keeps; no rule declares it."""
APART = r"[ ,:()]*"
TIME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\dZ")


class Plain(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML whose times are texts."""


Plain.yaml_implicit_resolvers = {
    first: [(tag, found) for tag, found in some if not tag.endswith(":timestamp")]
    for first, some in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def read(text: str) -> Any:
    return yaml.load(text, Plain)


class Files:
    """A game as its files have it: what the rules in force declare, and every value that is stored."""

    def __init__(self, game: Path) -> None:
        texts = [file.read_text() for file in sorted((game / "game/ruleset").rglob("*.md"))]
        fronts = [
            read(text.split("\n---\n")[0].removeprefix("---\n")) for text in texts if text.startswith("---")
        ]
        self.titles = {front["title"] for front in fronts}
        self.posts = {
            str(int(file.name[:4])): read(file.read_text().split("\n---\n")[0].removeprefix("---\n"))["title"]
            for file in (game / "game/posts").rglob("[0-9]*.md")
        }
        self.secret: set[str] = set()
        self.declared: dict[str, dict[str, Mapping[str, Any]]] = {}
        self.catalogues: dict[str, dict[str, Any]] = {}
        self.called: dict[str, str] = {"none": "post"}
        self.rows: dict[str, str] = {}
        self.cells: set[str] = set()
        self.founding: dict[str, dict[str, Any]] = {}
        for front in fronts:
            if front.get("status", "active") == "active":
                self._take(front)
        self.state = {
            _ref(file.relative_to(game / "game/state")): read(file.read_text())
            for file in (game / "game/state").rglob("*.yml")
        }

    def _take(self, front: Mapping[str, Any]) -> None:
        for name, rows in (front.get("catalogues") or {}).items():
            self.catalogues.setdefault(name, {}).update(rows or {})
        for name, spec in (front.get("posts") or {}).items():
            self.called[name] = spec.get("called", name)
        for name, spec in (front.get("variables") or {}).items():
            of = spec.get("of", "game") if isinstance(spec, Mapping) else "game"
            self.declared.setdefault(KINDS.get(of, of), {})[name] = _typed(spec)
        for kind, spec in (front.get("collections") or {}).items():
            more = {"tracked": spec["tracked"]} if "tracked" in spec else {}
            self.founding.setdefault(kind, {}).update(spec.get("founding") or {})
            self.secret |= {kind} if spec.get("tracked", "public") != "public" else set()
            self.cells |= {kind} if "rows" in (spec.get("key") or ()) else set()
            if "from" in spec:
                self.rows[kind] = spec["from"]
            for name, field in (spec.get("fields") or {}).items():
                self.declared.setdefault(kind, {})[name] = {**more, **_typed(field)}

    def of(self, kind: str) -> dict[str, Mapping[str, Any]]:
        """What is shown of a kind of entity: everything but what is derived, passing or tracked nowhere."""
        spoken = self.declared.get(kind, {}) | {name: _typed("any") for name in OWN.get(kind, ())}
        return {n: s for n, s in spoken.items() if not s.get("transient") and s.get("tracked") != "nowhere"}

    def value(self, ref: str, name: str) -> Any:
        """A value: as stored, as it was at the founding, as a catalogue has it, or the default."""
        stored = self.state.get(ref, {})
        return stored[name] if name in stored else self.first(ref, name)

    def first(self, ref: str, name: str) -> Any:
        """What an entity has of which no file has it: what its catalogue or the founding of a cell has, or the default."""
        kind, _, entity = ref.partition("/")
        spec = self.of(kind).get(name, {})
        listed = self.catalogues.get(self.rows.get(kind, ""), {}).get(entity) or {}
        row = {**(self.founding.get(kind, {}).get(entity) or {}), **listed}
        if name in row:
            return row[name]
        return spec.get("default", _usual(spec))


def _typed(spec: Any) -> Mapping[str, Any]:
    return spec if isinstance(spec, Mapping) else {"type": "choice" if isinstance(spec, list) else spec}


def _usual(spec: Mapping[str, Any]) -> Any:
    """A value without a default, as the law's language has it."""
    match spec.get("type"):
        case "integer" | "number":
            return max(0, spec.get("min", 0))
        case "boolean":
            return False
    return None


def _ref(file: Path) -> str:
    """The entity of a file, whose name writes other characters than letters, digits, dots and hyphens by their numbers."""
    return re.sub(
        r"_([0-9a-f]{2})", lambda found: chr(int(found[1], 16)), file.as_posix().removesuffix(".yml")
    )


# What a page must say of a value.


def shown(files: Files, value: Any) -> Iterator[str]:
    """Patterns of each part of a value, in order, as people read them."""
    match value:
        case None | "":
            yield "–"
        case bool():
            yield "yes" if value else "no"
        case int() | float():
            yield re.escape(str(value))
        case str():
            yield _text(files, value)
        case _ if not value:
            yield "–"
        case list():
            for each in value:
                yield from shown(files, each)
        case dict():
            for name, each in value.items():
                yield from (*shown(files, name), *shown(files, each))
        case _:
            raise AssertionError(value)


def _text(files: Files, value: str) -> str:
    """A text; a time to the minute; a player by name, a rule by number and title, a post by number and title."""
    words = {" ".join(value.split()), value.partition("/")[2] if re.match(r"[a-z]+/", value) else value}
    if time := TIME.fullmatch(value):
        words = {f"{time[1]} {time[2]} UTC"}
    named = {
        f["name"] for ref, f in files.state.items() if ref in (value, f"players/{value}") and "name" in f
    }
    post = {f"{value}. {files.posts[value]}"} if value in files.posts else set()
    ways = [re.escape(str(each)) for each in (*words, *named, *post)]
    rule = [title for title in files.titles if re.sub(r"[^a-z0-9]+", "-", title.casefold()) == value]
    ways += [r"[\d.]+ " + re.escape(title) for title in rule]
    return "(?:" + "|".join(ways) + ")"


def tells(files: Files, cell: str, value: Any) -> bool:
    """Whether a cell says this value and nothing else."""
    return re.fullmatch(APART + APART.join(shown(files, value)) + APART, cell, re.DOTALL) is not None


class Compared:
    """Pages held to files: what is wrong, what was seen of which entity, and how often which kind of value."""

    def __init__(self, site: Path, game: Path) -> None:
        self.files, self.site = Files(game), site
        self.wrong: list[str] = []
        self.seen: set[tuple[str, str]] = set()
        self.secret = {
            name
            for page in ("gamestate", "players")
            for name in _secrets(tables_of(site / page / "index.html"))
        }
        self.kinds: Counter[str] = Counter()

    def cell(self, ref: str, head: str, cell: str) -> None:
        """Hold a cell to the file of its entity."""
        named = {name.replace("_", " "): name for name in self.files.of(ref.partition("/")[0])}
        if head not in named:
            self.wrong.append(
                f"{head!r} of {ref} is declared by nobody: hold what no file has to something else, here"
            )
            return
        name = named[head]
        spec = self.files.of(ref.partition("/")[0])[name]
        self.seen.add((ref, name))
        if spec.get("derived"):
            return
        if spec.get("tracked") == "secret":
            self.wrong += [] if cell == "secret" else [f"{ref} {name}: secret, and shown"]
            return
        value = self.files.value(ref, name)
        if name not in self.files.state.get(ref, {}) and isinstance(value, dict) and "by" in value:
            return
        self.kinds[type(value).__name__ if value else "empty"] += 1
        if not tells(self.files, cell, value):
            self.wrong.append(f"{ref} {name}: {cell!r}, but {value!r} stands in the file")

    def gamestate(self) -> None:
        """The game's and the dynasty's own values, and every collection."""
        for table in tables_of(self.site / "gamestate/index.html").tables:
            kind = {"The game": "game", "The dynasty": "dynasty"}.get(table.label, table.label)
            if table.label in ("The game", "The dynasty"):
                for row in table.rows:
                    self.cell(kind, row[0], row[1])
            elif kind in self.files.declared and table.head:
                for name, head, cell in table.cells():
                    self.cell(f"{kind}/{name}", head, cell)
                for row in table.rows if table.head[0] in self.files.of(kind) else ():
                    self.keyed(f"{kind}/{row[0]}", table.head[0])

    def keyed(self, ref: str, name: str) -> None:
        """A field by which the entities are named is not told twice, unless it says something else."""
        self.seen.add((ref, name))
        if str(self.files.value(ref, name) or "") not in ("", ref.partition("/")[2]):
            self.wrong.append(f"{ref} {name}: another value stands in the file")

    def players(self) -> None:
        """The tables of players, with those variables of which nobody has anything, and each player's page."""
        page = tables_of(self.site / "players/index.html")
        refs = {
            str(fields["name"]): ref for ref, fields in self.files.state.items() if ref.startswith("players/")
        }
        rosters = [table for table in page.tables if table.label.endswith(" players")]
        for table, refused in zip(rosters, _nothings(page, len(rosters)), strict=True):
            for row in table.rows:
                ref = refs[row[0].split(" ")[0]]
                for head, cell in zip(table.head[1:], row[1:], strict=True):
                    self.cell(ref, head, cell)
                for head in refused:
                    self.cell(ref, head, "–")
        for name, ref in refs.items():
            for head, cell in tables_of(self.site / f"players/{name}/index.html").facts.items():
                self.cell(ref, head, cell)

    def histories(self) -> None:
        """The latest change of each value is to what stands in its file."""
        pages = [*self.site.glob("gamestate/*/index.html"), *self.site.glob("players/*/index.html")]
        for page in pages:
            last: set[tuple[str, str]] = set()
            for table in tables_of(page).tables:
                for row in table.rows if table.label == "Changes of values" else ():
                    told = dict(zip(table.head, row, strict=True))
                    kind = page.parent.name
                    what = told.get("What")
                    ref = f"players/{kind}" if what is None else kind if what == kind else f"{kind}/{what}"
                    if (ref, told["Value"]) not in last and ref in self.files.state:
                        last.add((ref, told["Value"]))
                        self.latest(ref, told["Value"], told["To"])

    def latest(self, ref: str, head: str, cell: str) -> None:
        """The latest change of a value: histories show what is stored, times as texts."""
        stored = {name.replace("_", " "): value for name, value in self.files.state[ref].items()}
        value = stored.get(head)
        self.kinds[f"latest {type(value).__name__ if value else 'empty'}"] += 1
        plain = [cell, TIME.sub(r"\1 \2 UTC", cell)]
        if not any(tells(self.files, each, value) for each in plain):
            self.wrong.append(f"{ref} {head}: at last {cell!r}, but {value!r} stands in the file")

    def twice(self) -> list[str]:
        """The tables of any page in which two columns are called the same."""
        tables = ((page, table) for page in self.site.rglob("index.html") for table in tables_of(page).tables)
        return [f"{page}: {table.head}" for page, table in tables if len(set(table.head)) < len(table.head)]

    def unseen(self) -> list[str]:
        """The stored values that stand on no page of the gamestate or the players; a secret collection is not shown."""
        found = []
        for ref, fields in self.files.state.items():
            kind = ref.partition("/")[0]
            declared = {n for n, s in self.files.declared.get(kind, {}).items() if n in self.files.of(kind)}
            if kind not in {"posts", *self.files.secret}:
                found += [
                    f"{ref} {name}"
                    for name in fields
                    if name in declared and (ref, name) not in self.seen and name not in self._kept(kind)
                ]
        return found

    def _kept(self, kind: str) -> set[str]:
        """The secret variables of a kind of which a page says that they are: they are no columns."""
        specs = self.files.declared.get(kind, {})
        return {
            name for name, spec in specs.items() if spec.get("tracked") == "secret" and name in self.secret
        }


def _secrets(page: Tables) -> list[str]:
    """The variables of which a page says that they are secret."""
    said = [
        p.removeprefix("Secret: ").removesuffix(".").split(", ")
        for p in page.paragraphs
        if p.startswith("Secret: ")
    ]
    return [name.replace(" ", "_") for names in said for name in names]


def _nothings(page: Tables, tables: int) -> list[list[str]]:
    """Of each table of players, what nobody has."""
    found = [p for p in page.paragraphs if p.startswith("Nobody has: ")]
    assert len(found) == tables
    return [each.removeprefix("Nobody has: ").removesuffix(".").split(", ") for each in found]


def compared(site: Path, game: Path) -> Compared:
    """The pages of a built site, all held to the files of the game."""
    pages = Compared(site, game)
    pages.gamestate()
    pages.players()
    pages.histories()
    return pages
