"""What the build of a game's site would run: ``mkdocs build`` does whatever ``mkdocs.yml`` names, and anyone can push that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nomicgit.git import Repository
from nomicgit.ground import files
from nomicgit.ground.problems import NomicError, printable
from nomicgit.ground.remedies import as_json, command, remedy
from nomicgit.record import line

SITE = "mkdocs.yml"
PLUGINS = frozenset({"search", "nomicgit"})
THEMES = frozenset({"material", "mkdocs", "readthedocs"})
EXTENSIONS = frozenset(
    "abbr admonition attr_list codehilite def_list extra fenced_code footnotes md_in_html meta nl2br sane_lists smarty tables toc".split()
)
NAMED = ("hooks", "INHERIT", "extra_templates")
"""What runs, or reads what runs, whatever it names."""


@dataclass(frozen=True, slots=True)
class Building:
    """What the build would run that `nomicgit new` never wrote, and the commit that changed it last."""

    commit: str
    by: str
    runs: tuple[str, ...]

    def __str__(self) -> str:
        who, what = line.in_the_name(self.by), ", ".join(self.runs)
        return f"mkdocs build would run what {SITE} names ({what}), by the commit {self.commit[:12]} {who}"

    @property
    def mend(self) -> str:
        """What to do about it."""
        look = command("git", "show", self.commit, "--", SITE)
        return remedy("build nothing before you have looked:", look)

    def as_json(self) -> dict[str, object]:
        """Plain data."""
        return {"commit": self.commit, "by": self.by, "runs": list(self.runs)} | as_json(self.mend)


def building(repository: Repository, tip: str) -> Building | None:
    """What the build of a game at a commit would run, beside the program's own; None where it is nothing."""
    runs = _at(repository, repository.commit(tip).tree)
    if not runs:
        return None
    commit = repository.commit(tip)
    for walked in repository.walked(tip, SITE):
        commit = repository.commit(walked.oid)
        before = (
            repository.commit(commit.parents[0])
            if commit.parents and not repository.cut_off(commit)
            else None
        )
        if before is None or _at(repository, before.tree) != runs:
            break
    return Building(commit.oid, commit.author, runs)


def _at(repository: Repository, tree: str) -> tuple[str, ...]:
    try:
        data = repository.file(tree, SITE)
        settings = {} if data is None else files.read(data, SITE)
    except NomicError as wrong:
        return (f"it cannot be read plainly: {wrong.problems[0].what}",)
    return tuple(_runs(settings)) if isinstance(settings, Mapping) else ("it is no map",)


def _runs(settings: Mapping[str, object]) -> Iterator[str]:
    for key in NAMED:
        if settings.get(key):
            yield key
    theme = settings.get("theme", "mkdocs")
    options = theme if isinstance(theme, Mapping) else {"name": theme}
    if options.get("custom_dir"):
        yield "theme.custom_dir"
    if options.get("name") not in THEMES:
        yield f"theme {printable(str(options.get('name')), 40)}"
    yield from (
        f"plugin {printable(name, 40)}" for name in _named(settings.get("plugins")) if name not in PLUGINS
    )
    extensions = _named(settings.get("markdown_extensions"))
    yield from (f"extension {printable(name, 40)}" for name in extensions if name not in EXTENSIONS)


def _named(some: object) -> Iterator[str]:
    """The names in a list of names and of maps of one name each, or in one map."""
    for each in some if isinstance(some, list) else [some] if some else []:
        yield from map(str, each) if isinstance(each, Mapping) else (str(each),)
