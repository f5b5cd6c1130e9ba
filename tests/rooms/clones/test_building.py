"""What ``mkdocs build`` would run is told, with the commit that brought it, before anybody builds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.clones import FEW, Clone, game_in_clones
from support.depth import one_of

HOSTILE = {
    "hooks:\n  - evil.py\n": "hooks",
    "INHERIT: ../other.yml\n": "INHERIT",
    "extra_templates:\n  - evil.html\n": "extra_templates",
    "markdown_extensions:\n  - evil\n": "extension evil",
    "markdown_extensions:\n  - toc:\n      slugify: !!python/object/apply:os.system ['true']\n": "cannot be read plainly",
}


@pytest.fixture
def clones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Clone, Clone]:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), rules=FEW)
    return ana, ben


def pushed(clone: Clone, text: str) -> str:
    (clone.folder / "mkdocs.yml").write_text(text, encoding="utf-8")
    clone.git("commit", "--quiet", "--all", "--message", "the site")
    clone.git("push", "--quiet")
    return clone.head


@pytest.mark.slow
@pytest.mark.parametrize("more", [pytest.param(each, marks=one_of(2, n)) for n, each in enumerate(HOSTILE)])
def test_what_runs_is_told_with_the_commit_that_brought_it(clones: tuple[Clone, Clone], more: str) -> None:
    ana, ben = clones
    was = (ben.folder / "mkdocs.yml").read_text(encoding="utf-8")
    bad = pushed(ben, was + more)
    pushed(ben, was + more + "# no more than a word\n")
    ana.play("sync")
    for command in ("status", "check"):
        said = ana.play(command)
        assert HOSTILE[more] in said, command
        assert bad[:12] in said, command
        assert f"git show {bad} -- mkdocs.yml" in said
    assert json.loads(ana.play("status", "--json"))["build"][0]["commit"] == bad
    pushed(ben, was)
    ana.play("sync")
    assert "mkdocs build" not in ana.play("status")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("  name: material\n", "  name: material\n  custom_dir: over\n", "theme.custom_dir"),
        ("  name: material\n", "  name: evil\n", "theme evil"),
        ("  - nomicgit\n", "  - nomicgit\n  - evil\n", "plugin evil"),
    ],
)
def test_what_is_written_otherwise_is_told(
    clones: tuple[Clone, Clone], old: str, new: str, what: str
) -> None:
    _, ben = clones
    was = (ben.folder / "mkdocs.yml").read_text(encoding="utf-8")
    assert old in was
    bad = pushed(ben, was.replace(old, new))
    assert what in ben.play("status")
    assert bad[:12] in ben.play("check")


@pytest.mark.slow
def test_what_new_wrote_and_words_are_not_told(clones: tuple[Clone, Clone]) -> None:
    ana, ben = clones
    assert "mkdocs build" not in ana.play("status") + ana.play("check")
    was = (ben.folder / "mkdocs.yml").read_text(encoding="utf-8")
    pushed(ben, was + "copyright: ours\nnav:\n  - index.md\nmarkdown_extensions:\n  - tables\n")
    assert "mkdocs build" not in ben.play("status") + ben.play("check")


def test_a_game_on_a_forge_is_not_told(tmp_path: Path) -> None:
    here = Clone(tmp_path)
    here.play(
        "new",
        "x",
        "--edition",
        "crypt",
        "--practice",
        "--player",
        "ana",
        "--admin",
        "ana",
        "--github",
        "ana/x",
    )
    assert "mkdocs build" not in Clone(tmp_path / "x").play("status")
