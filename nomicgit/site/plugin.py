"""The MkDocs plugin: puts the pages of the game into the site. The single importer of mkdocs."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import escape
from mkdocs import __version__
from mkdocs.config import base
from mkdocs.config import config_options as c
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File, Files, InclusionLevel, file_sort_key
from mkdocs.structure.pages import Page as Served
from mkdocs.structure.toc import get_toc
from mkdocs.utils import nest_paths

from nomicgit.problems import NomicError
from nomicgit.record.tree import GAME
from nomicgit.site import home, kept, policy
from nomicgit.site.markup import tag, visible
from nomicgit.site.opened import site_in
from nomicgit.site.outline import bracketless, contents, navigation
from nomicgit.site.page import Page
from nomicgit.site.pages import SCRIPT, STYLE, assets


class NomicGitConfig(base.Config):  # type: ignore[no-untyped-call]
    """What ``mkdocs.yml`` may say of the plugin."""

    game = c.Type(str, default=".")  # the game's repository, from the folder of mkdocs.yml
    at = c.Optional(c.Type(str))  # when to look at the game, not before its last deed; else now
    under = c.Type(str, default="")  # the folder of the site in which the game's pages lie
    policy = c.Type(bool, default=True)  # whether pages say what a browser may load and run


class NomicGitPlugin(BasePlugin[NomicGitConfig]):  # type: ignore[no-untyped-call]
    """Adds the game's pages as generated files."""

    def __init__(self) -> None:
        self.made: dict[str, Page] = {}
        self.scripts: frozenset[str] = frozenset()
        self.kept = kept.Kept(None)

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """The pages link to each other's folders, have a style sheet and a script, and are made anew with the game."""
        if not config.use_directory_urls:
            raise PluginError("nomicgit: leave use_directory_urls on, the pages link to each other's folders")
        if STYLE not in config.extra_css:
            config.extra_css.append(STYLE)
            config.extra_javascript.append(SCRIPT)
        folder = self._folder(config) / GAME
        if folder.is_dir():
            config.watch.append(str(folder))
        return config

    def on_files(self, files: Files, /, *, config: MkDocsConfig) -> Files:
        """Add the pages. What stands in the docs folder under the same name goes first."""
        written = sorted(files.documentation_pages(), key=file_sort_key)
        found, others = self._game(config)
        self.made = {self._uri(page.uri): page for page in found}
        for uri, page in self.made.items():
            level = InclusionLevel.INCLUDED if page.listed else InclusionLevel.NOT_IN_NAV
            self._add(files, File.generated(config, uri, content="", inclusion=level))
        for uri, text in ({self._uri(uri): text for uri, text in others.items()} | assets()).items():
            self._add(files, File.generated(config, uri, content=text))
        if config.nav is None:
            theirs = [f.src_uri for f in written if f.inclusion is not InclusionLevel.NOT_IN_NAV]
            own = [uri for uri, page in self.made.items() if page.listed and uri not in theirs]
            config.nav = navigation(own, nest_paths(theirs), self.config.under)  # type: ignore[no-untyped-call]
        return files

    def on_page_markdown(self, markdown: str, /, *, page: Served, **_: Any) -> str:
        """Give a page of the game its title; its body is finished HTML and needs no rendering."""
        made = self._made(page)
        if made is None:
            return markdown
        page.title = str(escape(bracketless(made.title)))
        page.meta["title"] = str(escape(visible(made.title)))
        if not made.searched:
            page.meta["search"] = {"exclude": True}
        return ""

    def on_page_content(self, html: str, /, *, page: Served, **_: Any) -> str:
        """Give a page of the game its body and table of contents."""
        made = self._made(page)
        if made is None:
            return html
        page.toc = get_toc(contents(made.sections))
        return str(tag("h1", made.title) + made.body)

    def on_env(self, env: Environment, /, *, config: MkDocsConfig, files: Files) -> Environment:
        """Put pages in the place of templates where the build before rendered the very same."""
        pages = [file.page for file in files.documentation_pages() if file.page and self._made(file.page)]
        listed = [(page.title, page.url) for page in pages if page.file.inclusion is InclusionLevel.INCLUDED]
        settings = {k: v for k, v in config.items() if k not in ("nav", "site_dir", "plugins", "strict")}
        looks = kept.state_of([*config.theme.dirs, Path(__file__).parent])
        self.kept.begin(
            env,
            pages,
            [__version__, settings, dict(self.config), dict(config.theme), config.nav, listed, looks],
        )
        return env

    def on_post_template(self, output: str, /, *, template_name: str, **_: Any) -> str:
        """Learn the theme's own scripts from the page for what is not found, on which no player wrote."""
        if template_name == "404.html" and self.config.policy:
            self.scripts = policy.learnt(output)
        return self._finished(output) if template_name == "404.html" else output

    def on_post_page(self, output: str, /, *, page: Served, **_: Any) -> str:
        """Say on each page what a browser may load and run, and keep it for the next build."""
        return output if self.kept.found(page) else self.kept.keep(page, self._finished(output))

    def on_post_build(self, **_: Any) -> None:
        """Let go of pages that are no more."""
        self.kept.end()

    def _finished(self, output: str) -> str:
        output = policy.named(output)
        return policy.guarded(output, self.scripts) if self.config.policy else output

    def _made(self, page: Served) -> Page | None:
        return self.made.get(page.file.src_uri) if page.file.generated_by else None

    def _uri(self, uri: str) -> str:
        return f"{self.config.under.strip('/')}/{uri}".removeprefix("/")

    def _add(self, files: Files, file: File) -> None:
        if files.get_file_from_path(file.src_uri) is None:
            files.append(file)

    def _folder(self, config: MkDocsConfig) -> Path:
        return Path(config.config_file_path or ".").parent / self.config.game

    def _game(self, config: MkDocsConfig) -> tuple[list[Page], dict[str, str]]:
        root = (config.site_url or "").rstrip("/") + "/" + self._uri("") if config.site_url else ""
        try:
            made = site_in(self._folder(config), self.config.at, int(time.time()), root)
        except NomicError as error:
            raise PluginError(f"nomicgit: {error}") from error
        if made is None:
            return [home.empty()], {}
        self.kept = kept.Kept(made.folder)
        return made.pages, made.files
