"""The tools' games: what people did there is kept when a tool runs again, and when all is cleaned up."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from support.clones import Clone, game_in_clones
from support.places import ROOT

Touch = Callable[[Clone], object]


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(ROOT / "tools")
    import kept

    return kept


@pytest.fixture
def one(tmp_path: Path, kept: ModuleType) -> Path:
    """A game as a tool has left it."""
    [ana] = game_in_clones(tmp_path, ("ana",))
    kept.stamp(ana.folder)
    return ana.folder


@pytest.fixture
def several(tmp_path: Path, kept: ModuleType) -> Path:
    """Clones of a game, and the repository between them, as a tool has left them."""
    (tmp_path / "night").mkdir()
    game_in_clones(tmp_path / "night", ("ana", "ben"))
    kept.stamp(tmp_path / "night")
    return tmp_path / "night"


@pytest.mark.slow
def test_what_stands_as_it_was_left_is_replaced(kept: ModuleType, one: Path, several: Path) -> None:
    Clone(one).play("status")
    (one / "site").mkdir()
    (one / "site" / "index.html").touch()  # built again at any time
    for place in (one, several):
        assert kept.make_room(place) is None
        assert not place.exists()
        assert kept.make_room(place) is None


TOUCHES: dict[str, Touch] = {
    "a deed": lambda clone: clone.play("--as", "ben", "roll", "DICE6"),
    "a branch": lambda clone: clone.git("branch", "lamp"),
    "a rule in work": lambda clone: next((clone.folder / "game" / "ruleset").rglob("*.md")).write_text("Mine.\n"),
    "a note": lambda clone: (clone.folder / "note.txt").write_text("Mine.\n"),
    "a stash": lambda clone: (
        (clone.folder / "README.md").write_text("Mine.\n"), clone.git("stash", "--quiet")
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("what", TOUCHES)
def test_what_somebody_did_there_is_moved_aside(
    kept: ModuleType, one: Path, several: Path, what: str
) -> None:
    for place, clone in ((one, Clone(one)), (several, Clone(several / "ben"))):
        TOUCHES[what](clone)
        here = clone.folder.relative_to(place)
        aside = kept.make_room(place)
        assert aside is not None
        assert aside.name == f"{place.name}-kept-1"
        assert not place.exists()
        assert "verified" in Clone(aside / here).play("verify")


@pytest.mark.slow
def test_what_lies_beside_and_what_was_never_left_is_kept(kept: ModuleType, one: Path, several: Path) -> None:
    (several / "map.txt").write_text("Mine.\n")
    assert kept.make_room(several) == several.with_name("night-kept-1")
    stray = one.with_name("play")
    stray.mkdir()
    (stray / "letter.txt").write_text("Mine.\n")
    assert kept.make_room(stray) == one.with_name("play-kept-1")


@pytest.mark.slow
def test_cleaning_up_keeps_what_somebody_did(one: Path) -> None:
    def cleaned() -> str:
        command = [sys.executable, str(ROOT / "tools" / "kept.py"), str(one)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    Clone(one).play("--as", "ben", "roll", "DICE6")
    assert f"{one} is kept" in cleaned()
    assert one.exists()
    Clone(one).git("reset", "--quiet", "--hard", "HEAD~1")
    assert cleaned() == ""
    assert not one.exists()


def test_no_tool_takes_a_game_away_by_itself() -> None:
    """The one door: make_room, and the command of make clean."""
    for path in sorted((ROOT / "tools").glob("*.py")):
        if path.name != "kept.py":
            assert "rmtree(GAME" not in path.read_text(encoding="utf-8")
            assert "rmtree(PLACE" not in path.read_text(encoding="utf-8")
    clean = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\nclean:")[2].partition("\n\n")[0]
    removed = clean.partition("rm -rf")[2].split()
    assert "tools/kept.py play play-in-secret" in clean
    assert not {"play", "play-in-secret"} & {*removed}
