"""Files beside the game that somebody pushes, with a real build and a real bare repository: links, settings of the site, and
pages and scripts in the place of the program's own.
"""

from __future__ import annotations

import contextlib
import json
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from support.clones import FEW, Clone, game_in_clones
from support.started import ran

from nomicgit.clones.others import building
from nomicgit.git import Repository
from nomicgit.site.pages import assets

WORDS = {
    "docs_dir: game\n": "docs_dir",
    "site_dir: .git/nomicgit\n": "site_dir",
    "extra_css: [evil.css]\n": "extra_css",
    "extra_javascript: [evil.js]\n": "extra_javascript",
    "hooks: [evil.py]\n": "hooks",
    "INHERIT: ../other.yml\n": "INHERIT",
    "copyright: !ENV HOME\n": "cannot be read plainly",
    "mdx_configs: {toc: {permalink: evil}}\n": "mdx_configs",
    "dev_addr: 0.0.0.0:80\n": "dev_addr",
}
INSTEAD_OF_PLUGINS = {
    "  - nomicgit:\n      policy: false\n": "nomicgit.policy",
    "  - nomicgit:\n      at: '2021-06-08T00:00:00Z'\n": "nomicgit.at",
    "  - nomicgit:\n      game: ../other\n": "nomicgit.game",
    "  - nomicgit:\n      enabled: false\n": "nomicgit.enabled",
    "  - nomicgit\n  - evil\n": "plugin evil",
    "": "no plugin nomicgit",
}
FREE = (
    "copyright: ours\nnav: [index.md]\nsite_url: https://example.invalid/\nsite_dir: site\ndocs_dir: docs\n"
)


@pytest.fixture
def clones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Clone, Clone]:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), rules=FEW)
    return ana, ben


def committed(clone: Clone, files: Mapping[str, str | Path]) -> str:
    """A commit by hand of files, a path being what a link says."""
    for name, content in files.items():
        file = clone.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Path):
            file.symlink_to(content)
        else:
            file.write_text(content, encoding="utf-8")
    clone.git("add", "--force", *files)
    clone.git("commit", "--quiet", "--message", "beside the game")
    return clone.head


def unpushed(clone: Clone) -> str:
    """What a push is refused with."""
    pushing = ["git", "push"]
    done = subprocess.run(pushing, cwd=clone.folder, capture_output=True, text=True, check=False)
    assert done.returncode
    return done.stderr


def built(clone: Clone, *words: str, code: int = 0) -> str:
    """What a build of the site says, of whatever kind."""
    with contextlib.chdir(clone.folder):
        done = ran("mkdocs", "build", *words)
    assert done.returncode == code, done.stderr
    return done.stderr


@pytest.mark.slow
def test_what_a_founding_has_laid_beside_the_game_goes_not_unnoticed(clones: tuple[Clone, Clone]) -> None:
    """Named with whose commit it is when that comes, and not again; what is told has it back."""
    ana, ben = clones
    founded = [*ana.git("ls-files", "README.md", "mkdocs.yml", "docs", ".gitattributes").split()]
    good = committed(ben, {"docs/more.md": "more\n", "notes.txt": "mine\n"})
    ben.play("sync")
    assert "beside the game: " not in ana.play("sync")  # what is added, nobody misses
    first = (ben.folder / ".gitattributes").read_text(encoding="utf-8")
    committed(
        ben, {".gitattributes": f"{first}# one\n", "docs/theirs.md": "theirs\n", "README.md": "theirs\n"}
    )
    ben.git("rm", "-rq", "mkdocs.yml", "docs")
    middle = committed(ben, {".gitattributes": f"{first}# two\n"})
    ben.git("checkout", "--quiet", good, "README.md")
    bad = committed(ben, {".gitattributes": f"{first}# three\n"})
    ben.play("sync")
    said = ana.play("sync")
    laid = [name for name in founded if name not in (".gitattributes", "README.md")]
    assert f"beside the game: the commit {middle[:12]} in the name of somebody takes out " in said
    assert f"beside the game: the commit {bad[:12]} in the name of somebody changes .gitattributes\n" in said
    assert said.count("beside the game: ") == 2
    assert "theirs.md" not in said + str(laid)
    assert "more.md" not in said
    assert "beside the game: " not in ana.play("sync")
    for line in (line.strip() for line in said.splitlines() if line.startswith("    ")):
        tool, *words = shlex.split(line)
        ana.git(*words) if tool == "git" else ana.play(*words)
    assert ana.git("diff", "--name-only", good, "HEAD", "--", *founded) == ""
    assert ben.play("sync")
    assert (ben.head, (ben.folder / "mkdocs.yml").exists()) == (ana.head, True)


@pytest.mark.slow
def test_what_a_move_away_takes_out_and_who_takes_out_what_it_leaves_is_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what lies in the way of coming back is taken out by the lines that are told."""
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", rules=FEW)
    ben.play("rehouse", "--github", "ana/game", "--by", "ana")
    forms = ben.git("ls-files", ".github").split()
    moved = ben.head
    ben.play("sync")
    ana.play("sync")
    assert "git remote set-url origin ADDRESS\n" in ben.play("rehouse", "--away", "--by", "ana")
    ben.play("sync")
    assert "beside the game: " not in ana.play("sync")
    ana.git("checkout", "--quiet", moved, "--", *forms)
    (ana.folder / forms[0]).write_text("other\n", encoding="utf-8")
    ana.git("commit", "--quiet", "--all", "--message", "Forms again")
    ana.play("sync")
    said = ana.play("rehouse", "--github", "ana/game", "--by", "ana", code=1)
    for line in (line.strip() for line in said.splitlines() if line.startswith("    ")):
        ana.git(*shlex.split(line)[1:])
    ben.play("sync")
    ana.play("sync")
    assert "beside the game: " not in ben.play("sync")
    ana.play("rehouse", "--github", "ana/game", "--by", "ana")
    assert ana.git("ls-files", ".github").split() == forms


@pytest.mark.slow
def test_a_link_is_taken_in_by_nobody_and_ends_a_build(clones: tuple[Clone, Clone]) -> None:
    ana, ben = clones
    good, key = ana.head, ana.folder / ".git/nomicgit/key"
    key.parent.mkdir(exist_ok=True)
    key.write_text("secret", encoding="utf-8")
    bad = committed(ben, {"docs/key.txt": Path("../.git/nomicgit/key"), "site": Path(".git/nomicgit")})
    said = ben.play("sync", code=1)
    assert f"your own commit {bad[:12]} lays down a symbolic link, docs/key.txt" in said
    ben.git("push", "--quiet")
    said = ana.play("sync", code=1)
    assert f"the commit {bad[:12]} in the name of" in said
    assert "lays down a symbolic link, docs/key.txt" in said
    assert (
        f"--force-with-lease=refs/heads/main:{bad} origin 'refs/nomicgit/back/{good[:12]}/*:refs/*'" in said
    )
    assert (ana.head, (ana.folder / "site").exists()) == (good, False)
    ana.git("merge", "--quiet", "--ff-only", bad)  # past the program
    for command in ("status", "check", "verify"):
        said = ana.play(command, code=1)
        assert "symbolic link" in said, command
        assert bad[:12] in said, command
    assert "site is a symbolic link" in built(ana, code=1)
    ana.git("rm", "--quiet", "site")
    assert "docs/key.txt is a symbolic link" in built(ana, code=1)
    assert "docs/key.txt is a symbolic link" in built(ana, "--site-dir", "elsewhere", code=1)
    ana.git("rm", "--quiet", "docs/key.txt")
    ana.git("commit", "--quiet", "--message", "without links")
    assert "symbolic link" not in ana.play("status") + ana.play("verify")
    was = (ana.folder / "mkdocs.yml").read_text(encoding="utf-8")
    for words, why in (
        ("site_dir: .git/nomicgit\n", "site_dir leads to"),
        ("site_dir: game/site\n", "site_dir leads to"),
        ("site_dir: game\n", "site_dir leads to"),
        ("site_dir: ../ben\n", "site_dir leads to"),
        ("docs_dir: .git/nomicgit\n", "docs_dir leads to"),
        ("docs_dir: ../ben/docs\n", "docs_dir leads to"),
    ):
        (ana.folder / "mkdocs.yml").write_text(was + words, encoding="utf-8")
        assert why in built(ana, code=1), words
    assert key.read_text(encoding="utf-8") == "secret"
    assert (ben.folder / "mkdocs.yml").exists()
    assert (ana.folder / "game/game.yml").exists()


@pytest.mark.slow
def test_settings_of_the_site_that_new_never_wrote_are_told_and_let_in_by_nobody(
    clones: tuple[Clone, Clone],
) -> None:
    ana, ben = clones
    was = (ben.folder / "mkdocs.yml").read_text(encoding="utf-8")
    good = ben.head
    cases = {was + more: what for more, what in WORDS.items()}
    cases |= {was.replace("  - nomicgit\n", more): what for more, what in INSTEAD_OF_PLUGINS.items()}
    cases |= {was.replace("font: false", "custom_dir: over"): "theme.custom_dir", was + FREE: ""}
    cases |= {was.replace("generator: false", "analytics: {provider: evil}"): "extra.analytics"}
    for text, what in cases.items():
        bad = committed(ben, {"mkdocs.yml": text})
        with Repository.open(ben.folder) as repository:
            told = [(each.commit, each.what) for each in building.building(repository, bad)]
        assert len(told) == bool(what), text
        assert all(each[0] == bad and what in each[1] for each in told), told
        ben.git("reset", "--quiet", "--hard", good)
    second = dict.fromkeys(("mkdocs.yaml", "properdocs.yml", "properdocs.yaml"), was)
    bad = committed(ben, second)
    for command in ("status", "check"):
        said = ben.play(command)
        assert all(f"what {name} names (it is a second file of settings" in said for name in second), command
        assert f"git show {bad} -- mkdocs.yaml" in said
    Clone(ana.folder.parent).play("receive", "--install", "bare.git")
    refused = unpushed(ben)
    assert "mkdocs.yaml" in refused
    assert bad[:12] in refused
    assert ana.git("ls-remote", "origin", "refs/heads/main").split()[0] == good
    ben.git("reset", "--quiet", "--hard", good)
    link = committed(ben, {"docs/key.txt": Path("../.git/config")})
    assert f"the commit {link[:12]}" in unpushed(ben)
    ben.git("reset", "--quiet", "--hard", good)
    odd = {
        ".mailmap": "ana <ana@x> mal <mal@x>\n",
        ".gitmodules": '[submodule "x"]\n\turl = ext::sh\n',
        "gamе/x": "x\n",
    }
    page = committed(ben, {"docs/rules/votes.md": "# Votes\n"} | odd)
    ben.git("push", "--quiet")
    came = {"sync": ana.play("sync"), "status": ana.play("status"), "check": ana.play("check")}
    for command, said in came.items():
        for name in odd:
            assert (
                f"the commit {page[:12]} in the name of somebody lays down {name.partition('/')[0]!r}" in said
            ), command
    noted = (ana.folder.parent / "bare.git/nomicgit/receive.log").read_text().splitlines()
    assert [page[:12] in " ".join(json.loads(line)["told"]) for line in noted] == [False, False, True]


SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
RUNS = {
    "docs/evil.html": "<script>parent.letters</script>",
    "docs/map.js": "document.title = 'mine'",
    "docs/words.txt": "document.title = 'mine'",
    "docs/unnamed": "document.title = 'mine'",
    "docs/script.svg": f"<svg {SVG}><script>1</script></svg>",
    "docs/spoken.SVG": f"<svg {SVG} onload='alert(1)'/>",
    "docs/led.svg": f"<svg {SVG}><use xlink:href='data:image/svg+xml,x'/></svg>",
    "docs/link.svg": f"<svg {SVG}><a href='javascript:alert(1)'><text>x</text></a></svg>",
    "docs/foreign.svg": f"<svg {SVG}><foreignObject><iframe/></foreignObject></svg>",
    "docs/other.svg": "<html xmlns='http://www.w3.org/1999/xhtml'><script>1</script></html>",
    "docs/entity.svg": f"<!DOCTYPE svg [<!ENTITY x '&lt;script/>'>]><svg {SVG}>&x;</svg>",
    "docs/styled.svg": f"<?xml-stylesheet href='#x' type='text/xsl'?><svg {SVG}/>",
    "docs/broken.svg": "<svg",
}
"""Of each of these a browser runs something, or may."""


@pytest.mark.slow
def test_the_programs_own_files_and_pages_win(
    clones: tuple[Clone, Clone],
) -> None:
    ana, _ = clones
    built(ana, "--strict")
    site = ana.folder / "site"
    made = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    bundle = next(name for name in sorted(made) if name.startswith("assets/javascripts/bundle"))
    theirs = {f"docs/{name}": "evil" for name in (*assets(), bundle, "api/law.json", "gamestate/index.html")}
    pages = {"docs/rules/tea/index.md": "# Tea\n\nMallory wins.\n", "docs/players.md": "# Nobody\n"}
    mine = {"docs/about.md": "# About us\n", "docs/still.svg": f"<svg {SVG}><path d='M0 0'/></svg>"}
    settings = (ana.folder / "mkdocs.yml").read_text(encoding="utf-8") + "\nextra_css: [look.css]\n"
    bad = committed(ana, theirs | pages | mine)
    seen = ana.play("status")
    committed(ana, RUNS | {"docs/look.css": "p {}", "mkdocs.yml": settings})
    said = built(ana)
    for name in RUNS:
        assert f"{name} is left out" in said, name
        assert not (site / name.removeprefix("docs/")).exists(), name
    assert (site / "still.svg").exists()
    assert (site / "look.css").exists()
    for name in theirs:
        assert f"{name}, by the commit {bad[:12]} in the name of somebody, is passed over" in said, name
        assert (site / name.removeprefix("docs/")).read_text(encoding="utf-8") != "evil", name
    for name, place, words in (
        ("rules/tea/index.md", "rules/tea", "Mallory"),
        ("players.md", "players", "Nobody"),
    ):
        assert f"docs/{name}, by the commit {bad[:12]} in the name of somebody, is passed over" in said
        assert words not in (site / place / "index.html").read_text(encoding="utf-8")
    for name in theirs | pages:
        assert f"{name} has the place of what the game's own site says there" in seen, name
    assert f"git show {bad} -- docs/players.md" in seen
    assert "about.md" not in seen
    tops = {name.partition("/")[0].partition(".")[0] for name in made}
    assert tops - {"404", "sitemap", "search"} <= building.PAGES


GUESTS = {
    "docs/icon.md": "---\nicon: material/nope\n---\n# A page\n",
    "docs/template.md": "---\ntemplate: nope.html\ntitle: Named <b>so</b>\n---\nwords\n",
    "docs/hide.md": "---\nhide: 5\nsearch: 5\n---\nwords\n",
    "docs/other.md": "template: nope.html\nhide: 5\n\nwords\n",
    "docs/deep.md": "".join(f"{'    ' * depth}- x\n\n" for depth in range(340)),
    "docs/shown.md": """# Shown <style>*{display:none}</style>

<style>article > *:nth-child(-n+3){display:none}</style>
<div style="position:fixed;inset:0" class="md-overlay" id="__drawer" hidden>mal may have any number.</div>
<meta http-equiv="refresh" content="0;url=https://evil.example/"><form action="https://evil.example/"><input name="x"></form>
<iframe src="https://evil.example/"></iframe><object data="x"></object><base href="//evil.example/"><script>1</script>
<svg><style>*{display:none}</style></svg><link rel="stylesheet" href="x.css"><a href="javascript:alert(1)">there</a>

![a picture](still.svg) and [more](icon.md), `code`.
""",
}
"""Pages that each ended a build, or did what nobody may on a page of a game."""


@pytest.mark.slow
def test_no_page_of_peoples_ends_a_build_or_does_anything(clones: tuple[Clone, Clone]) -> None:
    ana, _ = clones
    (ana.folder / "docs").mkdir(exist_ok=True)
    (ana.folder / "docs/bytes.md").write_bytes(b"# \xff\n")
    drawn = {"docs/still.svg": f"<svg {SVG}><path d='M0 0'/></svg>"}
    ana.git("add", "docs/bytes.md")
    bad = committed(ana, GUESTS | drawn)
    by = f", by the commit {bad[:12]} in the name of somebody,"
    said, seen = built(ana), ana.play("status")
    assert f"docs/bytes.md{by} is left out: " in said
    assert "docs/bytes.md is left out of the site" in seen
    for name, keys in (("icon", "'icon'"), ("template", "'template'"), ("hide", "'hide', 'search'")):
        assert (
            f"docs/{name}.md{by} says more at its top than title and description, which the site leaves out ({keys})"
            in said
        )
        assert f"docs/{name}.md says more at its top" in seen
    site = ana.folder / "site"
    assert "template: nope.html" in (site / "other/index.html").read_text(encoding="utf-8")
    assert "<title>Named ‹b›so‹/b› - " in (site / "template/index.html").read_text(encoding="utf-8")
    assert (site / "deep/index.html").is_file()
    page = (site / "shown/index.html").read_text(encoding="utf-8")
    article = page[page.index("<article") : page.index("</article")]
    for part in ("<style", "style=", "md-overlay", "__drawer", " hidden", "<meta", "<form", "<input", "<iframe", "<object", "<base",
                 "<script", "<svg", "<link", "javascript:", "display:none"):  # fmt: skip
        assert part not in article, part
    assert "display:none}</style>" not in page[page.index("<body") :]
    for part in ("mal may have any number.", 'src="../still.svg"', 'href="../icon/"', "<code>code</code>"):
        assert part in article, part


@pytest.mark.slow
def test_settings_with_which_the_theme_makes_no_page_empty_nothing(clones: tuple[Clone, Clone]) -> None:
    ana, _ = clones
    was = (ana.folder / "mkdocs.yml").read_text(encoding="utf-8")
    kept = ana.folder / "site/index.html"
    kept.parent.mkdir()
    kept.write_text("the site as it was", encoding="utf-8")
    for words, told in (
        ("  icon: {logo: material/nope}\n", "icon material/nope"),
        ("  language: xx\n", "theme.language xx"),
        ("  features: 5\n", ""),
    ):
        text = was.replace("  font: false", f"{words}  font: false")
        text = (
            text if "features: 5" not in words else was.replace("  features:\n", "  features: 5\n  more:\n")
        )
        bad = committed(ana, {"mkdocs.yml": text})
        said = built(ana, code=1)
        assert "no page can be made, so nothing was changed" in said, words
        assert f"by the commit {bad[:12]} in the name of somebody" in said
        assert kept.read_text(encoding="utf-8") == "the site as it was"
        with Repository.open(ana.folder) as repository:
            assert told in " ".join(each.what for each in building.building(repository, bad))
