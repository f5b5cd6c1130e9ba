"""On macOS, as far as a Linux can pretend it: what is not there is done without, and the law is not blamed for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.places import TESTS

from nomicgit import editions
from nomicgit.ground import worker
from nomicgit.record.game import Game
from nomicgit.record.replay import verify

MAC = TESTS / "support" / "macos"
PLAYERS = ("ana", "ben", "cy", "dee", "eli")
MOON = '{add-rule: {title: Moon, text: It shines., mechanics: "def moon():\\n    return 1"}}'


def there(folder: Path, *command: str) -> str:
    """What a module's command says on that machine; it must succeed."""
    environment = os.environ | {"PYTHONPATH": str(MAC)}
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_machine_lacks_what_it_is_to_lack(tmp_path: Path) -> None:
    (tmp_path / "tell.py").write_text(
        "import os, resource, sys\nfrom nomicgit.ground import worker\n"
        "print(sys.platform, hasattr(os, 'sched_getaffinity'))\n"
        "try:\n    resource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40))\nexcept ValueError as error:\n    print(error)\n"
    )
    assert there(tmp_path, "tell") == "darwin False\ncurrent limit exceeds maximum limit\n"


@pytest.mark.slow
@pytest.mark.parametrize("edition", editions.names())
def test_every_edition_is_sound_there(tmp_path: Path, edition: str) -> None:
    assert there(tmp_path, "nomicgit", "check", "--edition", edition).startswith("sound")


@pytest.mark.slow
def test_a_proposal_is_tried_and_enacted_there_and_its_site_built(tmp_path: Path) -> None:
    players = [word for name in PLAYERS for word in ("--player", name)]
    options = ["--practice", "--start", "2021-06-07T00:00:00Z", "--emperor", "ana", "--admin", "ben"]
    there(tmp_path, "nomicgit", "new", "attic", "--edition", "crypt", *players, *options)
    attic = tmp_path / "attic"
    there(attic, "nomicgit", "--as", "cy", "--at", "+1h", "propose", "--title", "Moon", "--change", MOON)
    for name in ("ana", "ben", "dee"):
        there(attic, "nomicgit", "--as", name, "vote", "1", "for")
    there(attic, "nomicgit", "--as", "ben", "--at", "+12h", "resolve", "1")
    assert "verified" in there(attic, "nomicgit", "verify")
    assert there(attic, "nomicgit", "check").startswith("sound")
    there(attic, "mkdocs", "build", "-q", "--strict")
    assert (attic / "site" / "index.html").is_file()
    game = Game.open(attic)  # and here the same
    assert "moon" in game.ruleset.by_slug
    assert verify(game.repository, game.head.oid).faults == []


@pytest.mark.slow
def test_time_is_bounded_there(tmp_path: Path) -> None:
    (tmp_path / "endless.py").write_text(
        "from nomicgit.ground import worker\n"
        "def work():\n    while True:\n        pass\n"
        "try:\n    worker.run(work, processor=1)\nexcept worker.Died as died:\n    print(died)\n"
    )
    assert worker.HURT in there(tmp_path, "endless")
