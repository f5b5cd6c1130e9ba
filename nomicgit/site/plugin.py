"""The MkDocs plugin: puts the pages of the game into the site. The single importer of mkdocs."""

from __future__ import annotations

import html
import os
import time
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import escape
from mkdocs import __version__
from mkdocs.commands.build import get_context
from mkdocs.config import base
from mkdocs.config import config_options as c
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import BuildError, PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files, InclusionLevel, file_sort_key
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as Served
from mkdocs.structure.toc import get_toc
from mkdocs.utils import nest_paths

from nomicgit.ground.missing import missing
from nomicgit.ground.problems import NomicError, Outage, Refused, printable
from nomicgit.ground.remedies import beside

try:
    from nomicgit.record import guest_pages
    from nomicgit.record.guest_pages import TAKEN, GuestPage
    from nomicgit.record.tree import GAME
    from nomicgit.site import astray, guests, renderings
    from nomicgit.site.folder import put_scripts, script_first
    from nomicgit.site.heads import Heads
    from nomicgit.site.hedge import refuse_leading_out
    from nomicgit.site.inert import inert
    from nomicgit.site.markup import tag, visible
    from nomicgit.site.opened import brought, letters_in, site_in, strays_of
    from nomicgit.site.outline import above, bracketless, contents, navigation
    from nomicgit.site.page import Page
    from nomicgit.site.pages import SCRIPT, STYLE, assets
    from nomicgit.site.policy import Policy, also_running, named
    from nomicgit.site.searched import searched
    from nomicgit.site.sheaf import Leaf, Sheaf
    from nomicgit.site.taming import tame
    from nomicgit.site.untrusted import plain
except (
    ModuleNotFoundError
) as error:  # mkdocs loads plugins of programs that are installed without their extras
    raise PluginError(f"nomicgit: {missing(error) or error}") from error

RUN = (".js", ".mjs", ".css", ".wasm")
HOME = "Home"  # in the navigation, whose heading is the game's name
TELLING = ("rules/", "gamestate.md")  # pages that say what something is; others tell who has it, or had
SEARCH = "material/search"  # which passes over what is said to be no part of it, as that of MkDocs does not
FIRST = 2  # what a word counts in the search that is found there, against one found elsewhere
log = get_plugin_logger("nomicgit")


class NomicGitConfig(base.Config):  # type: ignore[no-untyped-call]
    """What ``mkdocs.yml`` may say of the plugin."""

    game = c.Type(str, default=".")  # the game's repository, from the folder of mkdocs.yml
    at = c.Optional(c.Type(str))  # when to look at the game, not before its last deed; else now
    under = c.Type(str, default="")  # the folder of the site in which the game's pages lie
    policy = c.Type(bool, default=True)  # whether pages say what a browser may load and run


class NomicGitPlugin(BasePlugin[NomicGitConfig]):  # type: ignore[no-untyped-call]
    """Adds the game's pages as generated files."""

    def __init__(self) -> None:
        self.sheaf = Sheaf.of()
        self.leaves: dict[str, Leaf] = {}
        self.serving = False
        self.policy: Policy | None = None
        self.kept = renderings.Kept(None)
        self.heads: Heads | None = None
        self.turn: Page | None = None  # the page of the game whose turn it is
        self.ways: list[tuple[str, str]] = []  # to the pages of the navigation, by title
        self.made = False  # whether a page could be made with the settings
        self.guests: dict[str, GuestPage] = {}  # pages that people wrote, by their places
        self.passing_over = False  # whether the search passes over the pages that say so of themselves

    def on_startup(self, *, command: str, **_: object) -> None:
        """While somebody writes rules and looks at them, the site shows them as they stand in the folder."""
        self.serving = command == "serve"

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """The pages link to each other's folders, have a style sheet and a script, and are made anew with the game.

        No setting becomes markup, and none leads out of the game's folder.
        """
        self._refuse_leading_out(config)
        tame(config)
        self.passing_over = SEARCH in config.plugins
        if not config.use_directory_urls:
            raise PluginError("nomicgit: leave use_directory_urls on, the pages link to each other's folders")
        if STYLE not in config.extra_css:
            config.extra_css.append(STYLE)
            config.extra_javascript.append(SCRIPT)
        if (folder := self._folder(config) / GAME).is_dir():
            config.watch.append(str(folder))
        return config

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """Try the theme with its settings before anything is emptied."""
        _made_once(config)
        self.made = True

    def on_build_error(self, *, error: Exception, **_: object) -> None:
        """Say of settings with which no page can be made whose they are."""
        if not self.made and not isinstance(error, BuildError):
            why = printable(f"{type(error).__name__}: {error}")
            since = brought(Path(self.config.config_file_path or "mkdocs.yml"))
            raise PluginError(
                f"nomicgit: with mkdocs.yml as it is{since} no page can be made, so nothing was changed; mend it there: {why}"
            ) from error

    def on_files(self, files: Files, /, *, config: MkDocsConfig) -> Files:
        """Add the pages. Nothing that stands in the docs folder at the same address as one of the program's files is taken."""
        self._theme_first(files, config)
        self.guests = self._readable(files, config)
        self.sheaf, self.kept = self._game(config)
        self.leaves = {self._uri(uri): leaf for uri, leaf in self.sheaf.leaves.items()}
        made = {**self.sheaf.files(), **letters_in(self._folder(config))}
        self.heads = Heads(
            html.unescape(config.site_name[:]), _slashed(config.site_url), self._uri(""), frozenset(made)
        )
        others = {self._uri(uri): content for uri, content in made.items()} | assets()
        there = {file.dest_uri.casefold(): file for file in files}
        for uri, text in (dict.fromkeys(self.leaves, "") | others).items():
            listed = uri in self.leaves and self.leaves[uri].listed
            level = InclusionLevel.INCLUDED if listed else InclusionLevel.NOT_IN_NAV
            file = File.generated(config, uri, content=text, inclusion=level)
            self._put(files, file, there.get(file.dest_uri.casefold()))
        self._inert_alone(files, config)
        if config.nav is None:
            written = sorted(
                (f for f in files.documentation_pages() if f.src_uri in self.guests), key=file_sort_key
            )
            stand = [f.src_uri for f in written if f.inclusion is not InclusionLevel.NOT_IN_NAV]
            own = [uri for uri, leaf in self.leaves.items() if leaf.listed]
            config.nav = navigation(own, nest_paths(stand), self.config.under)  # type: ignore[no-untyped-call]
        return files

    def on_nav(self, nav: Navigation, /, *, files: Files, **_: object) -> Navigation:
        """Let a page that is not in the navigation know the one there of which it is a part, so that one sees where one is."""
        listed = {uri for uri, leaf in self.sheaf.leaves.items() if leaf.listed}
        pages = {page.file.src_uri: page for page in nav.pages}
        for uri in self.sheaf.leaves:
            whole = above(uri, listed)
            file = files.get_file_from_path(self._uri(uri))
            if whole and file and file.page and (parent := pages.get(self._uri(whole))):
                file.page.parent = parent  # type: ignore[assignment] # whatever has a title and an address
        return nav

    def on_page_read_source(self, /, *, page: Served, **_: object) -> str | None:
        """Read a page that people wrote without what stands at its top."""
        guest = self._guest(page)
        return None if guest is None else f"---\n{{}}\n---\n{guest.body}"

    def on_page_markdown(self, markdown: str, /, *, page: Served, config: MkDocsConfig, **_: object) -> str:
        """Give a page of the game its title and description; its body is finished HTML and needs no rendering."""
        leaf, guest = self._leaf(page), self._guest(page)
        if guest is not None:
            page.meta = {name: guests.words(said) for name in TAKEN if (said := getattr(guest, name))}
            page.render = partial(_rendered, page)  # type: ignore[method-assign]
        if leaf is None:
            return markdown
        page.title = HOME if page.is_homepage else str(escape(bracketless(leaf.title)))
        if not page.is_homepage:  # which is called as the site is
            page.meta["title"] = str(escape(visible(leaf.title)))
        if leaf.about and not (page.is_homepage and config.site_description):
            page.meta["description"] = str(escape(bracketless(leaf.about)))
        if not leaf.searched:
            page.meta["search"] = {"exclude": True}
        elif leaf.uri.startswith(TELLING):
            page.meta["search"] = {"boost": FIRST}
        return ""

    def on_page_content(self, content: str, /, *, page: Served, **_: object) -> str:
        """Let nothing on a page that people wrote style, run, embed or lead away by itself."""
        if self._guest(page) is None:
            return content
        page.title = guests.words(str(page.title))
        for entry in _entries(page.toc):
            entry.title = guests.words(entry.title)
        return guests.cleaned(content)

    @event_priority(100)  # before the search looks at the page
    def _read_to_the_search(self, context: object, /, *, page: Served, **_: object) -> Any:
        """Give a page of the game its table of contents, now that it is its turn, and the words that the search reads of it."""
        leaf, stands = self._leaf(page), self.kept.turn(page)
        self.turn = self.sheaf.page(leaf) if leaf is not None and (leaf.searched or not stands) else None
        if self.turn is not None:
            page.toc = get_toc(contents(self.turn.sections))
            passed_over = self.passing_over and not self.turn.searched
            page.content = "" if passed_over else str(searched(self.turn.title, self.turn.body))
        return context

    @event_priority(-100)  # after the search has looked at it
    def _give_body(self, context: object, /, *, page: Served, **_: object) -> Any:
        """Give a page of the game its body."""
        if self.turn is not None:
            page.content = str(tag("h1", self.turn.title) + self.turn.body)
        return context

    on_page_context = CombinedEvent(_read_to_the_search, _give_body)

    def on_env(self, env: Environment, /, *, config: MkDocsConfig, files: Files) -> Environment:
        """Know the theme's own scripts, and put pages in the place of templates where the build before rendered the very same."""
        self.policy = Policy.of(env) if self.config.policy else None
        pages = [file.page for file in files.documentation_pages() if file.page]
        every = [(page, leaf) for page in pages if (leaf := self._leaf(page))]
        listed = [(page.title, page.url) for page, leaf in every if leaf.listed]
        self.ways = [(str(title), url) for title, url in listed]
        settings = {k: v for k, v in config.items() if k not in ("nav", "site_dir", "plugins", "strict")}
        looks = renderings.state_of([*config.theme.dirs, Path(__file__).parent])
        common = [__version__, settings, dict(self.config), dict(config.theme), config.nav, listed, looks]
        self.kept.begin(env, ((page, leaf.hash) for page, leaf in every), common)
        return env

    def on_post_template(
        self, output: str, /, *, template_name: str, config: MkDocsConfig, **_: object
    ) -> str:
        """Say on the page for what is not found, too, what a browser may load and run; let it find its site."""
        if template_name == astray.PAGE:
            mark = self.policy.mark if self.policy else ""
            output = astray.finding_its_site(output, config.site_url, mark, self.ways)
        return self._finished(output) if template_name.endswith(".html") else output

    def on_post_page(self, output: str, /, *, page: Served, **_: object) -> str:
        """Say on each page what a browser may load and run, and keep it for the next build."""
        if self._leaf(page):
            page.content, page.toc = "", get_toc([])  # nobody needs them any more
        return output if self.kept.html is not None else self.kept.keep(page, self._headed(output, page))

    @event_priority(-100)  # after the search has written its index
    def on_post_build(self, *, config: MkDocsConfig, **_: object) -> None:
        """Let go of the pages, and of those kept that are no more; let them be read in a folder, too."""
        self.sheaf.close()
        self.kept.end()
        put_scripts(Path(config.site_dir), Path(config.site_dir, self._uri("")))

    def on_serve(self, server: LiveReloadServer, /, **_: Any) -> LiveReloadServer:
        """Let the server's own script run, which it puts into each page that it serves, and which makes browsers reload.

        It differs each time and is known by its place, so that no other script is taken for it.
        """
        inject = server._inject_js_into_html

        def injected(content: bytes, epoch: float) -> bytes:
            html: bytes = inject(content, epoch)  # type: ignore[no-untyped-call]
            end = content.rfind(b"</body>")
            start = len(content) if end < 0 else end
            own = html[start : start + len(html) - len(content)]
            return also_running(html, own.removeprefix(b"<script>").removesuffix(b"</script>"))

        if self.config.policy:
            server._inject_js_into_html = injected  # type: ignore[method-assign]
        return server

    def _headed(self, output: str, page: Served) -> str:
        """A finished page whose head says what others may know of it."""
        leaf, whole = self._leaf(page), self._finished(output)
        if self.heads is None:
            return whole
        whole = self.heads.with_feeds(whole, page.url)
        return self.heads.with_card(whole, page.url, leaf.title, leaf.about) if leaf else whole

    def _finished(self, output: str) -> str:
        page = named(output)
        return script_first(self.policy.guarded(page) if self.policy else page)

    def _leaf(self, page: Served) -> Leaf | None:
        return self.leaves.get(page.file.src_uri) if page.file.generated_by else None

    def _guest(self, page: Served) -> GuestPage | None:
        return None if page.file.generated_by else self.guests.get(page.file.src_uri)

    def _readable(self, files: Files, config: MkDocsConfig) -> dict[str, GuestPage]:
        """What people wrote, by place, without what would end the build."""
        pages: dict[str, GuestPage] = {}
        for file in files.documentation_pages():
            if file.src_dir != config.docs_dir or file.inclusion is InclusionLevel.EXCLUDED:
                continue
            try:
                page = pages[file.src_uri] = guest_pages.read(file.content_bytes)
                if page.left:
                    log.warning("%s %s", _told(file), page.wrong)
            except (NomicError, OSError) as error:
                log.warning("%s is left out: %s", _told(file), error)
                files.remove(file)
        return pages

    def _uri(self, uri: str) -> str:
        return f"{self.config.under.strip('/')}/{uri}".removeprefix("/")

    def _folder(self, config: MkDocsConfig) -> Path:
        return Path(config.config_file_path or ".").parent / self.config.game

    def _theme_first(self, files: Files, config: MkDocsConfig) -> None:
        """Let no file of people's take the place of a script or style of the theme."""
        for theirs in list(files):
            if theirs.src_dir != config.docs_dir or not theirs.src_uri.endswith(RUN):
                continue
            for folder in config.theme.dirs:
                if Path(folder, theirs.src_uri).is_file():
                    own = File(theirs.src_uri, folder, config.site_dir, config.use_directory_urls)
                    self._put(files, own, theirs)
                    break

    def _inert_alone(self, files: Files, config: MkDocsConfig) -> None:
        """Let no file of people's stand beside the pages of which a browser may run something, but what the settings name."""
        named = {str(each) for each in (*config.extra_css, *config.extra_javascript)}
        for theirs in list(files):
            if theirs.src_dir != config.docs_dir or theirs.is_documentation_page() or theirs.src_uri in named:
                continue
            if theirs.inclusion is InclusionLevel.EXCLUDED:  # such as .gitkeep
                continue
            if not inert(Path(config.docs_dir, theirs.src_uri)):
                log.warning(
                    "docs/%s is left out: beside pages stand pictures, sounds, films and tables (.csv), and what mkdocs.yml names",
                    printable(theirs.src_uri),
                )
                files.remove(theirs)

    def _put(self, files: Files, own: File, theirs: File | None) -> None:
        """Put in a file of the program's or of the theme's; one of people's at the same address is passed over."""
        if theirs is not None:
            log.warning("%s is passed over: the site has a file of its own there", _told(theirs))
            files.remove(theirs)
        files.append(own)

    def _refuse_leading_out(self, config: MkDocsConfig) -> None:
        home = Path(os.path.abspath(config.config_file_path or "mkdocs.yml")).parent
        said = [
            each for each in config.user_configs[1:] if each.get("site_dir")
        ]  # after the file: what the command says
        docs, site = Path(config.docs_dir), Path(config.site_dir)
        try:
            refuse_leading_out(home, home / self.config.game, docs, site, chosen=bool(said))
        except Refused as error:
            raise PluginError(f"nomicgit: {error}") from error

    def _game(self, config: MkDocsConfig) -> tuple[Sheaf, renderings.Kept]:
        root = _slashed(config.site_url) + self._uri("") if config.site_url else ""
        try:
            when = self.config.at or int(time.time())
            opened = site_in(self._folder(config), when, root, drafts=self.serving)
            for stray in strays_of(self._folder(config)):
                log.warning("%s%s", stray, beside(stray.mend))  # a strict build ends with it
            return opened
        except (NomicError, Outage) as error:
            raise PluginError(f"nomicgit: {error}") from error


def _rendered(page: Served, config: MkDocsConfig, files: Files) -> None:
    """Render a page that people wrote, or show it as it was typed where no renderer comes to an end with it."""
    try:
        guests.refuse_unbearable(page.markdown or "")
        Served.render(page, config, files)
    except Exception as error:
        log.warning("%s is shown as it was typed: %s", _told(page.file), printable(str(error)))
        page.content, page.toc = str(plain(page.markdown or "")), get_toc([])


def _made_once(config: MkDocsConfig) -> None:
    """Make a page with the theme and its settings, which raises what a build would."""
    known = {name.rpartition("/")[2] for name in config.plugins} <= {"search", "nomicgit"}
    if not known or config.theme.custom_dir:  # these may give templates more than there is here
        return
    file = File.generated(config, "index.md", content="")
    page, files = Served(None, file, config), Files([file])
    page.markdown = guests.SAMPLE
    page.render(config, files)
    env, nav = config.theme.get_env(), Navigation([page], [page])
    for name in ("main.html", *config.theme.static_templates):
        env.get_template(name).render(get_context(nav, files, config, page if name == "main.html" else None))


def _told(file: File) -> str:
    """A file that people wrote, and the commit that brought it."""
    since = brought(Path(file.src_dir or "", file.src_uri))
    return f"docs/{printable(file.src_uri)}{since}"


def _entries(toc: Iterable[Any]) -> Iterator[Any]:
    for entry in toc:
        yield entry
        yield from _entries(entry.children)


def _slashed(address: str | None) -> str:
    """The address of a site, with a slash at its end; "" of one that is not known."""
    return address.rstrip("/") + "/" if address else ""
