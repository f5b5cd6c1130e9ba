"""What a site tells of posts, deeds and earlier days, held to the files of the game and to its commits.

Posts, comments and values are read here by plain YAML, deeds from Git's own log: nothing of the program that makes the
pages has a part in what is expected.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from support.compared import TIME, Files, read, tells
from support.tables import Table, tables_of

ATOM = "{http://www.w3.org/2005/Atom}"
RAW = re.compile(r"\bMISSING\b|\bUntold\(|\bMarkup\(|<[a-z_.]+ object at|\bTransaction\b|\{\{")
"""What is never meant for readers: values of the program, and quotes that nobody filled in."""
ASIDE = re.compile(
    r'<div class="nomic-diff"[^>]*>(?:<(?:div|del|ins)\b.*?</(?:div|del|ins)>\s*)*</div>'
    r"|<(pre|code)\b.*?</\1>|<[^>]*>",
    re.DOTALL,
)
"""What stands on a page as somebody wrote it, and tags."""


def minute(at: str) -> str:
    """A time as pages show it."""
    return TIME.sub(r"\1 \2 UTC", at)


class Retold:
    """The pages, feeds and data of a built site that tell of what was: what is wrong in them, and how much of what was seen."""

    def __init__(self, site: Path, game: Path) -> None:
        self.site, self.game, self.files = site, game, Files(game)
        self.wrong: list[str] = []
        self.kinds: Counter[str] = Counter()
        self.files_of: dict[tuple[str, str], Mapping[str, Any]] = {}
        posts = {file: file.read_text() for file in (game / "game/posts").rglob("[0-9]*.md")}
        self.posts = {
            int(file.name[:4]): read(text.split("\n---\n")[0].removeprefix("---\n"))
            for file, text in posts.items()
        }
        self.comments = {
            int(file.name[:4]): read(file.read_text()) or []
            for file in (game / "game/posts").rglob("[0-9]*.comments.yml")
        }
        self.deeds = list(self._deeds())

    def _git(self, *words: str) -> str:
        command = ["git", "-C", str(self.game), *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def _deeds(self) -> Iterator[dict[str, str]]:
        """Every deed by its trailers, oldest first."""
        log = self._git("log", "--reverse", "--format=%x01%H%n%(trailers:only,unfold)")
        for entry in log.split("\x01")[1:]:
            commit, *lines = entry.strip().splitlines()
            yield {"commit": commit, **dict(line.split(": ", 1) for line in lines if ": " in line)}

    def hold(self, what: str, where: str, shown: object, stored: object) -> None:
        """Take down what is shown and should not be."""
        self.kinds[what] += 1
        if shown != stored:
            self.wrong.append(f"{where}, {what}: {shown!r}, but {stored!r} is so")

    def name(self, who: object) -> str:
        """What a player is called, whichever way a file names them."""
        ref = str(who) if str(who).startswith("players/") else f"players/{who}"
        return str(self.files.state.get(ref, {}).get("name", ref.removeprefix("players/")))

    def tally(self, post: Mapping[str, Any]) -> str | None:
        """The tally of a matter that is over, as its marks say it."""
        counts = (post.get("frozen") or {}).get("tally")
        if not isinstance(counts, dict):
            return None
        return " ".join(
            f"{n} {icon.upper()}" for place, (icon, n) in enumerate(counts.items()) if n or place < 2
        )

    def tables(self, pages: str) -> Iterator[tuple[str, Table]]:
        """The tables of some pages."""
        for page in sorted(self.site.glob(pages)):
            for table in tables_of(page).tables:
                yield page.relative_to(self.site).parent.as_posix(), table

    # Pages.

    def lists(self) -> None:
        """Each row of each table of posts, on whatever page, and that the list of all has all."""
        for where, table in self.tables("**/index.html"):
            if table.label == "Posts":
                for row in table.rows:
                    self.row(where, dict(zip(table.head, row, strict=True)))
        all_of_them = {
            int(row[0].split(".")[0])
            for where, table in self.tables("posts/all/**/index.html")
            for row in table.rows
        }
        self.hold("all posts", "posts/all", all_of_them, set(self.posts))

    def row(self, where: str, row: Mapping[str, str]) -> None:
        """A post in a table."""
        number = int(row["Post"].removeprefix("post ").split(".")[0])
        post = self.posts.get(number)
        if post is None:
            self.wrong.append(f"{where}: post {number} is listed and does not stand")
            return
        self.hold("title", where, row["Post"], f"{number}. {' '.join(str(post['title']).split())}")
        self.hold("kind", where, row["Kind"], self.files.called.get(str(post["kind"]), post["kind"]))
        if "Author" in row:
            self.hold(
                "author",
                where,
                row["Author"],
                self.name(post["author"]) if post.get("author") else "the clock",
            )
        self.hold("time", where, row["When"], minute(post["at"]))
        self.hold("status", where, row["Status"], post.get("status") or "–")
        if (tally := self.tally(post)) is not None:
            self.hold("tally", where, row["Votes"], tally)

    def matters(self) -> None:
        """Each post's page: its facts, its votes and why they counted, and everything that was said."""
        added = {by: deed["commit"] for at, deed in enumerate(self.deeds, 1) if (by := self.made_by(at))}
        for number, post in self.posts.items():
            where = f"posts/{number}"
            page = tables_of(self.site / where / "index.html")
            at, _, deed = page.facts["Posted"].partition(", deed ")
            self.hold("posted", where, at, minute(post["at"]))
            self.hold("deed of a post", where, deed, added.get(str(number), "")[:10])
            self.hold(
                "status of a post",
                where,
                page.facts.get("Status", "").split(" ")[0],
                post.get("status") or "",
            )
            reasons = (post.get("frozen") or {}).get("reasons")
            for table in page.tables:
                if table.head == ["Voter", "Counts as"] and isinstance(reasons, dict):
                    told = {row[0]: row[1] for row in table.rows}
                    self.hold("reasons", where, told, {self.name(who): why for who, why in reasons.items()})
            html = (self.site / where / "index.html").read_text()
            heads = re.findall(
                r'class="nomic-comment" id="comment-\d+"><p class="nomic-about">(.*?)</p>', html
            )
            said = [
                " ".join(
                    filter(
                        None, (self.name(each["by"]), (each.get("icon") or "").upper(), minute(each["at"]))
                    )
                )
                for each in self.comments.get(number, ())
            ]
            self.hold(
                "comments", where, [" ".join(re.sub("<[^>]*>", "", each).split()) for each in heads], said
            )

    def voters(self) -> None:
        """The votes on each player's page are the icons that they used last."""
        for where, table in self.tables("players/*/index.html"):
            if table.label != "Votes":
                continue
            last: dict[int, str] = {}
            for number, said in sorted(self.comments.items()):
                for each in said:
                    if each.get("icon") and self.name(each["by"]) == Path(where).name:
                        last[number] = str(each["icon"]).upper()
            shown = {int(row[0].split(".")[0]): row[1] for row in table.rows}
            self.hold("votes of a player", where, shown, last)

    def journal(self) -> None:
        """Every deed of the journal, and every table of deeds elsewhere, is the commit's."""
        names = {"physics/found": "the founding"}
        rows = [row for _, table in self.tables("journal/*/index.html") for row in table.rows]
        rows.sort(key=lambda row: self.place(row[0]))
        self.hold("deeds", "journal", len(rows), len(self.deeds))
        for place, (row, deed) in enumerate(zip(rows, self.deeds, strict=False), 1):
            by = deed["Nomic-By"]
            who = names.get(deed["Nomic-Action"], "the clock" if by == "-" else self.name(by))
            self.hold("deed", f"journal, deed {place}", [row[1], row[2], row[0]], [
                minute(deed["Nomic-At"]), who, deed["commit"][:10]])  # fmt: skip
            action = deed["Nomic-Action"].removeprefix("physics/")
            begins = "The game was founded." if action == "found" else action
            self.hold("action", f"journal, deed {place}", row[3].startswith(begins), True)
            given = json.loads(deed.get("Nomic-With", "{}"))
            number = given.get("matter", given.get("post"))
            if str(number).isdigit() and int(number) in self.posts:
                words = f"{number}. {' '.join(str(self.posts[int(number)]['title']).split())}"
                self.hold("post of a deed", f"journal, deed {place}", words in row[3], True)

    def place(self, commit: str) -> int:
        """Where a deed stands in the record, by its commit as pages show it."""
        return next((place for place, deed in enumerate(self.deeds, 1) if deed["commit"][:10] == commit), 0)

    def dynasties(self) -> None:
        """Each dynasty counts the deeds from its first to its last, and lists its posts that stand."""
        began = self.began()
        posted = {
            number: next(
                place for place, deed in enumerate(self.deeds, 1) if deed["Nomic-At"] >= str(post["at"])
            )
            for number, post in self.posts.items()
        }
        for number in range(1, len(began) + 1):
            page = tables_of(self.site / f"dynasties/{number}/index.html")
            first = began[number - 1]
            last = began[number] if number < len(began) else len(self.deeds) + 1
            self.hold("deeds of a dynasty", f"dynasties/{number}", page.facts["Deeds"], str(last - first))
            listed = next(([r[0] for r in t.rows] for t in page.tables if t.label == "Posts"), [])
            self.hold("posts of a dynasty", f"dynasties/{number}", page.facts["Posts"], str(len(listed)))
            inner = {
                n
                for n, place in posted.items()
                if first < place < last
                and self.deeds[place - 1]["Nomic-At"] != self.deeds[first - 1]["Nomic-At"]
            }
            outer = {n for n in posted if self.deeds[first - 1]["Nomic-At"] <= str(self.posts[n]["at"])}
            shown = {int(each.removeprefix("post ").split(".")[0]) for each in listed}
            self.hold(
                "posts within a dynasty",
                f"dynasties/{number}",
                (inner - shown, shown - outer),
                (set(), set()),
            )

    def began(self) -> list[int]:
        """The place of the deed with which each dynasty began."""
        places = {deed["commit"]: place for place, deed in enumerate(self.deeds, 1)}
        commits = self._git("log", "--reverse", "--format=%H", "--", "game/state/dynasty.yml").split()
        first: dict[int, int] = {}
        for commit in commits:
            number = read(self._git("show", f"{commit}:game/state/dynasty.yml"))["number"]
            first.setdefault(number, places[commit])
        return list(first.values())

    def bygone(self) -> None:
        """The gamestate of each day of the law is what the files of its commit say."""
        for page in self.site.glob("law/*/index.html"):
            name = page.parent.name
            place = int(name.removeprefix("deed-")) if name.startswith("deed-") else None
            if place is None:
                place = max(
                    at
                    for at, deed in enumerate(self.deeds, 1)
                    if page.parent.name
                    in (json.loads(deed.get("Nomic-With", "{}")).get("matter"), self.made_by(at))
                )
            commit = self.deeds[place - 1]["commit"]
            for table in tables_of(page).tables:
                if table.label.endswith(" then"):
                    self.then(page.parent.name, table, commit)

    def changes(self) -> None:
        """Each change of a value is from what the files had before that deed to what they had after it.

        Where they had none of a cell, or of what a catalogue has, it is as that, or the founding, or the default says today.
        What the clock and then the deed changed leads from the one to the other.
        """
        for where, table in self.tables("gamestate/*/index.html"):
            kind = where.partition("/")[2]
            rows = table.rows if table.label == "Changes of values" else []
            both = [dict(zip(table.head, row, strict=True)) for row in rows]
            apart = {
                (each["Deed"], each["What"], each["Value"]): each["To"]
                for each in both
                if each["By"] == "the clock"
            }
            own = {(each["Deed"], each["What"], each["Value"]) for each in both if each["By"] != "the clock"}
            for told in both:
                at_once = (told["Deed"], told["What"], told["Value"])
                if told["By"] != "the clock" and at_once in apart:
                    self.hold(
                        "change",
                        f"{where}, deed {told['Deed']} after the clock",
                        apart[at_once],
                        told["From"],
                    )
                    continue
                place, ref = self.place(told["Deed"]), kind
                commit = self.deeds[place - 1]["commit"]
                ref += "" if told["What"] == kind else f"/{told['What']}"
                name = told["Value"].replace(" ", "_")
                for head, at in (("From", f"{commit}^"), ("To", commit)):
                    if head == "To" and at_once in own and told["By"] == "the clock":
                        continue
                    if name == "mailbox" or (head == "From" and place == 1):
                        continue
                    value = self.stored(at, ref).get(name)
                    if value is None and kind in {*self.files.cells, *self.files.rows}:
                        value = self.files.first(ref, name)
                    so = any(tells(self.files, each, value) for each in (told[head], minute(told[head])))
                    self.hold("change", f"{where}, deed {told['Deed']}, {ref} {name}, {head}: {told[head]!r}, "
                              f"and {value!r}", so, True)  # fmt: skip

    def stored(self, commit: str, ref: str) -> Mapping[str, Any]:
        """What the file of an entity had in a commit; nothing where there was none."""
        kind, _, entity = ref.partition("/")
        file = f"game/state/{kind}/{escaped(entity)}.yml" if entity else f"game/state/{kind}.yml"
        if (commit, file) not in self.files_of:
            found = self._git("ls-tree", "-r", "--name-only", commit, "--", file)
            self.files_of[commit, file] = read(self._git("show", f"{commit}:{file}")) if found else {}
        return self.files_of[commit, file]

    def made_by(self, place: int) -> str | None:
        """The number of the post that a deed's commit added."""
        commit = self.deeds[place - 1]["commit"]
        added = self._git("show", "--format=", "--name-status", "--diff-filter=A", commit, "--", "game/posts")
        hit = re.search(r"/(\d{4,})-[^/]*\.md$", added, re.MULTILINE)
        return str(int(hit[1])) if hit else None

    def then(self, where: str, table: Table, commit: str) -> None:
        """A table of a kind of entity as it was."""
        kind = table.label.removesuffix(" then")
        for row in table.rows:
            file = (
                f"game/state/{kind}.yml"
                if kind in ("game", "dynasty")
                else f"game/state/{kind}/{escaped(row[0])}.yml"
            )
            stored = read(self._git("show", f"{commit}:{file}"))
            named = {name.replace("_", " "): value for name, value in stored.items()}
            alone = kind in ("game", "dynasty")  # of which there is one, told in a line for each value
            for head, cell in [tuple(row)] if alone else zip(table.head[1:], row[1:], strict=True):
                self.kinds["value then"] += 1
                if not any(tells(self.files, each, named.get(head)) for each in (cell, minute(cell))):
                    self.wrong.append(
                        f"law/{where}: {kind} {row[0]} {head}: {cell!r}, but {named.get(head)!r} stood there"
                    )

    # Data, feeds and the search.

    def data(self) -> None:
        """The values, posts and deeds of the site's JSON."""
        state = self.json("state")
        for ref, fields in self.files.state.items():
            kind, _, entity = ref.partition("/")
            called = self.name(ref) if kind == "players" else entity
            values = (state.get(kind, {}).get(called) if entity else state.get(kind)) or {}
            for name, spec in self.files.of(kind).items():
                where = f"api/state.json, {ref} {name}"
                if name in fields and name in values and not spec.get("derived"):
                    self.hold("value in JSON", where, plainly(values[name]), plainly(fields[name]))
                if spec.get("tracked") == "secret":
                    self.hold("secret in JSON", where, name in values, False)
        shown = {each["number"]: each for each in self.json("posts")}
        self.hold("posts in JSON", "api/posts.json", set(shown), set(self.posts))
        for number, post in self.posts.items():
            for name in ("kind", "title", "at", "status"):
                self.hold(
                    "post in JSON", f"api/posts.json, {number} {name}", shown[number][name], post.get(name)
                )
            if isinstance(tally := (post.get("frozen") or {}).get("tally"), dict):
                self.hold("tally in JSON", f"api/posts.json, {number}", shown[number]["tally"], tally)
        deeds = [(each["commit"], each["at"], each["action"], each["id"]) for each in self.json("journal")]
        stored = [
            tuple(d[key] for key in ("commit", "Nomic-At", "Nomic-Action", "Nomic-Id")) for d in self.deeds
        ]
        self.hold("journal in JSON", "api/journal.json", deeds, stored)

    def json(self, name: str) -> Any:
        """What a file of the site's data holds."""
        return json.loads((self.site / f"api/{name}.json").read_text())[name]

    def feeds(self) -> None:
        """The latest posts, and what is pending, in both forms."""
        pending = [
            n for n, post in sorted(self.posts.items(), reverse=True) if post.get("status") == "pending"
        ]
        for feed, numbers in (("posts", sorted(self.posts, reverse=True)[:50]), ("pending", pending)):
            expected = [
                (str(p["title"]), p["at"], self.name(p["author"]) if p.get("author") else "the clock")
                for p in (self.posts[n] for n in numbers)
            ]
            items = json.loads((self.site / f"feeds/{feed}.json").read_text())["items"]
            shown = [(each["title"], each["date_published"], each["authors"][0]["name"]) for each in items]
            self.hold("feed", f"feeds/{feed}.json", shown, expected)
            entries = ElementTree.parse(self.site / f"feeds/{feed}.xml").iter(f"{ATOM}entry")
            atom = [
                tuple(each.findtext(ATOM + tag) for tag in ("title", "updated", f"author/{ATOM}name"))
                for each in entries
            ]
            self.hold("feed", f"feeds/{feed}.xml", atom, expected)

    def pictures(self) -> None:
        """The picture of each tally for other sites."""
        for number, post in self.posts.items():
            picture = self.site / f"posts/{number}/tally.svg"
            if (tally := self.tally(post)) is not None and picture.exists():
                texts = [
                    each.text for each in ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}text")
                ]
                self.hold(
                    "picture", f"posts/{number}/tally.svg", texts[1:], [tally.casefold(), post["status"]]
                )

    def leaders(self) -> None:
        """Who led each dynasty, one after another, by the commits of its file."""
        file, led = "game/state/dynasty.yml", dict[int, list[str]]()
        for commit in self._git("log", "--reverse", "--first-parent", "--format=%H", "--", file).split():
            fields = read(self._git("show", f"{commit}:{file}"))
            some = led.setdefault(int(fields.get("number") or 0), [])
            if (who := fields.get("emperor")) and some[-1:] != [self.name(who)]:
                some.append(self.name(who))
        for number, names in led.items():
            shown = tables_of(self.site / f"dynasties/{number}/index.html").facts["Led by"]
            self.hold("led by", f"dynasties/{number}", shown, ", then ".join(names) or "–")

    def lately(self) -> None:
        """The page of the whole law says when it changed last, where it has changed since the founding."""
        commits = self._git("log", "--first-parent", "--format=%H", "--", "game/ruleset").split()
        last = next(deed for deed in self.deeds if deed["commit"] == commits[0])
        (lead, *_) = tables_of(self.site / "ruleset/index.html").paragraphs
        shown = re.search(r"The latest change, of .*?, (\S+ \S+ UTC)\.", lead)
        self.hold(
            "latest change", "ruleset", shown and shown[1], minute(last["Nomic-At"]) if commits[1:] else None
        )

    def searched(self) -> None:
        """Every public text that is stored of the players and the game stands in the search index."""
        docs = json.loads((self.site / "search/search_index.json").read_text())["docs"]
        texts = " ".join(re.sub(r"<[^>]*>", " ", each["text"]) for each in docs)
        for ref, fields in self.files.state.items():
            kind = ref.partition("/")[0]
            if kind in self.files.secret:
                continue
            for name, spec in self.files.of(kind).items():
                value = fields.get(name)
                if (
                    spec.get("type") == "text"
                    and value
                    and spec.get("tracked") != "secret"
                    and not spec.get("derived")
                ):
                    self.hold(
                        "word to search",
                        f"{ref} {name}",
                        str(value).split()[0].partition("&")[0] in texts,
                        True,
                    )

    def raw(self) -> None:
        """No page shows a value of the program's own."""
        for page in self.site.rglob("index.html"):
            article = page.read_text().partition("<article")[2].partition("</article>")[0]
            hit = RAW.search(ASIDE.sub(" ", article))
            cells = [cell for table in tables_of(page).tables for row in table.rows for cell in row]
            self.hold(
                "page", f"{page.relative_to(self.site)}", (hit and hit[0], "None" in cells), (None, False)
            )


def escaped(name: str) -> str:
    """An entity's name as that of its file."""
    return re.sub(r"[^A-Za-z0-9.-]", lambda hit: f"_{ord(hit[0]):02x}", name)


def plainly(value: object) -> object:
    """A value in which an entity is its name, whichever way it is named."""
    match value:
        case str():
            return value.partition("/")[2] if re.fullmatch(r"[a-z_]+/[^/\s]+", value) else value
        case list():
            return [plainly(each) for each in value]
        case dict():
            return {plainly(name): plainly(each) for name, each in value.items()}
    return value


EVERY: tuple[Callable[[Retold], None], ...] = (
    Retold.lists, Retold.matters, Retold.voters, Retold.journal, Retold.dynasties, Retold.leaders, Retold.lately,
    Retold.bygone, Retold.changes, Retold.data, Retold.feeds, Retold.pictures, Retold.searched, Retold.raw,
)  # fmt: skip


def retold(site: Path, game: Path) -> Retold:
    """The pages, feeds and data of a built site, all held to the game's files and commits."""
    pages = Retold(site, game)
    for hold in EVERY:
        hold(pages)
    return pages
