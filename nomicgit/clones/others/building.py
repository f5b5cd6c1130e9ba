"""What the build of a game's site would do that nobody expects, by files beside the game, which anyone can push.

``mkdocs build`` does whatever its settings name and reads through links; what people wrote it leaves out where the game has that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from nomicgit.clones.others.unexpected import Unexpected
from nomicgit.git import Repository
from nomicgit.git.trees import FOLDER, LINK
from nomicgit.ground.problems import NomicError, Refused, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.record import guest_pages, line
from nomicgit.record.build_settings import FILES, amiss, under
from nomicgit.record.guest_pages import ENDINGS
from nomicgit.record.seen import arrivals
from nomicgit.record.tree import GAME

DOCS = "docs"
PAGES = frozenset(
    "act actions api assets badges changes data dynasties feeds gamestate index journal law letters me players posts private"
    " readme rules ruleset terms".split()
)
"""The names, at the top of the pages of a game, of files (without what ends them) and folders; ``readme`` is MkDocs' other index."""
MOST = 20
"""Files of a kind that are named."""
_MOST_BESIDE = 100_000
"""Files beside a game that are looked through."""


class Building(Unexpected, frozen=True):
    """What the build would do because of one file, and the commit that changed it last."""

    path: str
    refused: bool = False
    """Whether no push is let in that brings it."""

    def __str__(self) -> str:
        return f"{self.what}, by the commit {self.commit[:12]} {line.in_the_name(self.by)}"

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return Unexpected.as_json(self) | {"path": printable(self.path)}


def building(repository: Repository, tip: str) -> list[Building]:
    """What the build of a game at a commit would do, beside what the program's own settings and pages say."""
    tree = repository.commit(tip).tree
    return [
        *_links(repository, tip, tree),
        *_settings(repository, tip, tree),
        *_pages(repository, tip, tree),
        *_unreadable(repository, tip, tree),
    ]


def _links(repository: Repository, tip: str, tree: str) -> Iterator[Building]:
    """The symbolic links beside the game; whatever changes the game itself and is no deed is named without this."""
    links = [path for path, mode in _beside(repository, tree) if mode == LINK]
    for path in links[:MOST]:
        oid, by = since(repository, tip, path, lambda at, path=path: repository.entry(at, path))  # type: ignore[misc]
        what = f"mkdocs build would follow the symbolic link {printable(path, 80)}, wherever it leads"
        yield Building(oid, by, what, arrivals.mend_of(repository, oid), path)


def _settings(repository: Repository, tip: str, tree: str) -> Iterator[Building]:
    """Settings that differ in what matters from those that the program writes, and second files of them."""
    for path in (name for name in repository.tree(tree) if name.casefold() in FILES):
        if not (names := amiss(repository, tree, path)):
            continue
        oid, by = since(repository, tip, path, lambda at, path=path: amiss(repository, at, path))  # type: ignore[misc]
        what = f"mkdocs build would do what {printable(path)} names ({', '.join(names)})"
        yield Building(oid, by, what, _look(oid, path, "build nothing before you have looked:"), path, True)


def _pages(repository: Repository, tip: str, tree: str) -> Iterator[Building]:
    """Files of people's that have the name of a page of the game's, or of one of the program's own files."""
    within, theirs = under(repository, tree), list[str]()
    with suppress(Refused):  # as below
        theirs += [path for path, _ in beside(repository, tree, DOCS) if _is_the_games(path, within)]
    for path in theirs[:MOST]:
        oid, by = since(repository, tip, path, lambda at, path=path: repository.entry(at, path) is not None)  # type: ignore[misc]
        what = f"{printable(path, 80)} has the place of what the game's own site says there, and is left out of it"
        yield Building(oid, by, what, _look(oid, path, "give it another name; this shows it:"), path)


def _unreadable(repository: Repository, tip: str, tree: str) -> Iterator[Building]:
    """Pages of people's that the site leaves out, or of which it leaves out what stands at their top."""
    theirs = list[tuple[str, str]]()
    with suppress(Refused):  # as below
        paths = [
            path for path, mode in beside(repository, tree, DOCS) if path.endswith(ENDINGS) and mode != LINK
        ]
        theirs += [(path, wrong) for path in paths if (wrong := _wrong(repository, tree, path))]
    for path, wrong in theirs[:MOST]:
        oid, by = since(repository, tip, path, lambda at, path=path: _wrong(repository, at, path))  # type: ignore[misc]
        what = f"{printable(path, 80)} {wrong}"
        yield Building(oid, by, what, _look(oid, path, "mend it; this shows it:"), path)


def _wrong(repository: Repository, tree: str, path: str) -> str:
    """What is wrong with a page; "" where nothing is."""
    try:
        content = repository.file(tree, path)
        page = None if content is None else guest_pages.read(content)
    except NomicError as wrong:
        return f"is left out of the site: {wrong.problems[0].what}"
    return page.wrong if page is not None and page.left else ""


def _is_the_games(path: str, within: str) -> bool:
    inner = path.removeprefix(f"{DOCS}/").casefold()
    if inner.startswith("assets/"):  # which lie at the site's root, wherever its pages are
        return inner.endswith((".js", ".css", ".mjs"))
    prefix = f"{within.casefold()}/" if within else ""
    return inner.startswith(prefix) and inner.removeprefix(prefix).partition("/")[0].split(".")[0] in PAGES


def _beside(repository: Repository, tree: str) -> Iterator[tuple[str, str]]:
    """Paths and modes of all that lies beside the game; of what is too much to be looked through, what was seen by then."""
    for name in repository.tree(tree):
        with suppress(Refused):  # which is named wherever somebody looks
            yield from beside(repository, tree, name)


def beside(repository: Repository, tree: str, name: str) -> Iterator[tuple[str, str]]:
    """Paths and modes of what a tree has under a name, where that is not the game; Refused where it is too much to look through."""
    there = repository.tree(tree).get(name)
    if there is None or f"{name}/" == GAME:
        return
    mode, oid = there
    if mode != FOLDER:
        yield name, mode
        return
    for path, _, entry in repository.changed(None, oid, _MOST_BESIDE):
        assert entry is not None
        yield f"{name}/{path}", entry[0]


def _look(oid: str, path: str, why: str) -> str:
    return remedy(why, command("git", "show", oid, "--", path))


def since(repository: Repository, tip: str, path: str, at: Callable[[str], object]) -> tuple[str, str]:
    """The commit since which a file says what it says, and its author."""
    stands = at(repository.commit(tip).tree)
    commit = repository.commit(tip)
    for walked in repository.walked(tip, path):
        commit = repository.commit(walked.oid)
        if not commit.parents or at(repository.commit(commit.parents[0]).tree) != stands:
            break
    return commit.oid, commit.author
