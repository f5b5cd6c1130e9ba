"""Record the corpus: ``python tests/corpus/record.py``. A record is made once for each physics, and stays.

It plays the game of ``tools/play.py`` and then what only the physics does: dice by the clock, mechanics that end their
process, a law that leaves no way out, an undo, a restoring. The bundle and its line in ``tips.txt`` are then committed.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
NAME = "crypt-physics-1"

WEATHER = """{add-rule: {title: Weather, text: "Every day it rains as the die says.", declares: {
  variables: {rain: {of: game, type: integer}}, schedule: {rain: {every: day 06:00}}, settles: {flood: {of: game, watches: [rain]}}},
  mechanics: "def schedule_rain():\\n    put('game', rain=roll(6))\\n\\n\\
    def settle_flood(ref):\\n    note('It rains %d.' % get(ref, 'rain'))"}}"""
BOMB = '{run: "x = \\"a\\" * 536870912"}'


def judged(folder: Path, title: str, change: str) -> str:
    """A call for judgement that everyone is for, resolved; gives the number of its post."""
    raised = ["cfj", "--title", title, "--change", change, "--json"]
    post = str(json.loads(said(folder, "--as", "cy", "--at", "+1h", *raised))["post"])
    for who in ("ben", "dee", "ana", "fay"):
        said(folder, "--as", who, "--at", "+5m", "vote", post, "for")
    said(folder, "--as", "ben", "--at", "+1m", "resolve", post)
    return post


def said(folder: Path, *arguments: str) -> str:
    """What a command says, which must be done."""
    from nomicgit.cli import main

    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        main(["-C", str(folder), *arguments])
    if not out.getvalue():
        raise SystemExit(f"not done: {shlex.join(arguments)}")
    return out.getvalue()


def play(folder: Path) -> None:
    """All deeds, in order."""
    sys.path.insert(0, str(ROOT / "tools"))
    fortnight: Any = importlib.import_module("play")
    players = [part for name in fortnight.COLOURS for part in ("--player", name)]
    options = shlex.split(
        "--edition crypt --no-keys --practice --start 2021-06-07T00:00:00Z --emperor ana --admin ben"
    )
    said(folder, "new", *options, *players, *shlex.split("--restore ana --restore ben --restore-of 2"))
    for scene in fortnight.GAME_OF_A_FORTNIGHT:
        for each in scene.deeds:
            if not each.refused:
                said(folder, "--as", each.who, "--at", each.after, *each.command)
    before = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=folder, text=True).strip()
    judged(folder, "Weather", WEATHER)
    said(folder, "--as", "dee", "--at", "+3d", "post", "Wet", "--body", "It rains.\n" * 60)
    judged(folder, "Bomb", BOMB)
    illegal = judged(folder, "Down with it", "{repeal: votable-matters}")
    said(folder, "--as", "ben", "--at", "+1h", "resolve", illegal)
    judged(folder, "A name for the game", "{set: {dynasty.name: Among the birds}}")
    undone = json.loads(said(folder, "log", "--limit", "1", "--json"))[0]["id"]
    judged(folder, "Clouds after all", "{undo: " + undone + "}")
    said(folder, "--at", "+1h", "restore", before, "--by", "ana", "--by", "ben")
    said(folder, "--as", "fay", "--at", "+1d", "post", "Dry", "--body", "It does not rain.")


def main() -> None:
    """Play, bundle, and note the tip."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "game"
        folder.mkdir()
        play(folder)
        print(said(folder, "verify"))
        bundle = HERE / f"{NAME}.bundle"
        subprocess.run(["git", "gc", "-q", "--aggressive"], cwd=folder, check=True)
        subprocess.run(["git", "bundle", "create", "-q", str(bundle), "main"], cwd=folder, check=True)
        tip = subprocess.check_output(["git", "rev-parse", "main"], cwd=folder, text=True).strip()
        (HERE / "tips.txt").write_text(f"{NAME} {tip}\n", encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
