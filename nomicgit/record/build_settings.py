"""The settings of a game's site: what a game may freely say there, and what is told since it changes what a build does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from nomicgit.git import Repository
from nomicgit.ground import files
from nomicgit.ground.problems import NomicError, printable

SITE = "mkdocs.yml"
FILES = frozenset({SITE, "mkdocs.yaml", "properdocs.yml", "properdocs.yaml"})
"""The files in which programs that build sites look for settings."""

FREE = frozenset(
    "site_name site_url site_description site_author copyright repo_name repo_url edit_uri edit_uri_template remote_branch"
    " remote_name nav not_in_nav exclude_docs draft_docs validation strict use_directory_urls".split()
)
FREE_OF_THEME = frozenset(
    "palette features language locale direction logo icon favicon highlightjs hljs_languages hljs_style color_mode"
    " user_color_mode_toggle nav_style navigation_depth titles_only".split()
)
FREE_EXTRA = frozenset({"generator", "homepage", "social", "status", "tags", "annotate", "alternate"})
THEMES = frozenset({"material", "mkdocs", "readthedocs"})
EXTENSIONS = frozenset(
    "abbr admonition attr_list codehilite def_list extra fenced_code footnotes md_in_html meta nl2br sane_lists smarty tables toc".split()
)
OWN = "nomicgit"
FREE_OF_PLUGINS = {
    "search": frozenset({"separator", "lang", "min_search_length", "indexing"}),
    OWN: frozenset({"under"}),
}
AS_WRITTEN = {"docs_dir": "docs", "site_dir": "site"}
"""What is the same whether it is said or not."""
OWN_AS_WRITTEN = {"game": ".", "policy": True}


def amiss(repository: Repository, tree: str, path: str) -> tuple[str, ...]:
    """What a file of settings says that matters to a build and that the program never wrote; empty where that is nothing."""
    settings = _read(repository, tree, path)
    if isinstance(settings, str):
        return (settings,)
    second = () if path == SITE else (f"it is a second file of settings beside {SITE}",)
    return (*second, *_named(settings)) if settings is not None else ()


def under(repository: Repository, tree: str) -> str:
    """The folder of the site in which the game's pages lie; "" of its root."""
    settings = _read(repository, tree, SITE)
    plugins = settings.get("plugins") if isinstance(settings, Mapping) else None
    within = (options.get("under") for name, options in each_of(plugins) if name == OWN)
    return str(next(within, None) or "").strip("/")


def _read(repository: Repository, tree: str, path: str) -> Mapping[str, object] | str | None:
    """The settings; why nobody reads them plainly; None where there are none."""
    try:
        content = repository.file(tree, path)
        settings = None if content is None else files.read(content, path)
    except NomicError as wrong:
        return f"it cannot be read plainly: {wrong.problems[0].what}"
    return settings if settings is None or isinstance(settings, Mapping) else "it is no map"


def _named(settings: Mapping[str, object]) -> Iterator[str]:
    for key, value in settings.items():
        match key:
            case "theme":
                yield from _of_theme(value)
            case "plugins":
                yield from _of_plugins(value)
            case "markdown_extensions":
                names = [name for name, _ in each_of(value)]
                yield from (f"extension {printable(name, 40)}" for name in names if name not in EXTENSIONS)
            case "extra":
                names = [str(name) for name in value] if isinstance(value, Mapping) else ["of no map"]
                yield from (f"extra.{printable(name, 40)}" for name in names if name not in FREE_EXTRA)
            case _ if key not in FREE and (key not in AS_WRITTEN or AS_WRITTEN[key] != value):
                yield printable(str(key), 40)
    if "plugins" not in settings:
        yield f"no plugin {OWN}"


def _of_theme(theme: object) -> Iterator[str]:
    options = theme if isinstance(theme, Mapping) else {"name": theme}
    if options.get("name") not in THEMES:
        yield f"theme {printable(str(options.get('name')), 40)}"
    for key, value in options.items():
        if key not in FREE_OF_THEME | {"name"} and not (key == "font" and value is False):
            yield f"theme.{printable(str(key), 40)}"
    if options.get("name") == "material":
        yield from _lacking(options)


def _lacking(theme: Mapping[str, object]) -> Iterator[str]:
    """Icons and languages that the theme does not have, where it stands here: no page could be made with them."""
    spec = find_spec("material")
    if spec is None or spec.origin is None:
        return
    templates = Path(spec.origin).parent / "templates"
    language = theme.get("language", "en")
    if not _is_there(templates / "partials/languages", language, ".html"):
        yield f"theme.language {printable(str(language), 40)}, which the theme does not have"
    for icon in {**dict.fromkeys(_texts(theme.get("icon"))), **dict.fromkeys(_icons(theme.get("palette")))}:
        if not _is_there(templates / ".icons", icon, ".svg"):
            yield f"icon {printable(icon, 40)}, which the theme does not have"


def _is_there(folder: Path, name: object, ending: str) -> bool:
    plain = isinstance(name, str) and ".." not in name.split("/") and name.isprintable()
    return plain and (folder / f"{name}{ending}").is_file()


def _icons(value: object) -> Iterator[str]:
    """Each that is named as the icon of something in a setting."""
    for each in value if isinstance(value, list) else value.values() if isinstance(value, Mapping) else ():
        yield from _icons(each)
    if isinstance(value, Mapping):
        yield from _texts(value.get("icon"))


def _texts(value: object) -> Iterator[str]:
    """The texts within a setting."""
    if isinstance(value, str):
        yield value
    for each in value if isinstance(value, list) else value.values() if isinstance(value, Mapping) else ():
        yield from _texts(each)


def _of_plugins(plugins: object) -> Iterator[str]:
    names = [name for name, _ in each_of(plugins)]
    for name, options in each_of(plugins):
        if name not in FREE_OF_PLUGINS:
            yield f"plugin {printable(name, 40)}"
            continue
        for key, value in options.items():
            as_written = name == OWN and key in OWN_AS_WRITTEN and OWN_AS_WRITTEN[key] == value
            if key not in FREE_OF_PLUGINS[name] and not as_written:
                yield f"{name}.{printable(str(key), 40)}"
    if OWN not in names:
        yield f"no plugin {OWN}"


def each_of(some: object) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The names in a list of names and of maps of names, or in one map, each with its options."""
    for each in some if isinstance(some, list) else [some] if some else []:
        for name, options in each.items() if isinstance(each, Mapping) else [(each, None)]:
            yield str(name), options if isinstance(options, Mapping) else {}
