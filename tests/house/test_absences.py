"""What a machine lacks is done without, or named: the law is not blamed for it, and nothing is recorded that was not done.

The table of what can be lacking is ``tests/support/absent``; here a game is played without each.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hostile.small import Small, small_law
from support.depth import DEEP, one_of
from support.places import TESTS, lacking

from nomicgit import editions
from nomicgit.ground import deaths
from nomicgit.record.game import Game
from nomicgit.replay.verifying import verify

DONE_WITHOUT = ("macos", "threads", "syncing")
REFUSED_WITHOUT = {
    "windows": (1, "wsl --install"),
    "proc": (4, "it cannot be started: No such file or directory (/proc/self/statm)"),
    "processes": (4, "it cannot be started: Resource temporarily unavailable"),
    "limits": (4, "it cannot be started: not allowed to raise maximum limit"),
    "locks": (4, "No locks available"),
}
"""Without what a deed is refused: how it ends, and what it says."""
PLAYERS = ("ana", "ben", "cy", "dee", "eli")
MOON = '{add-rule: {title: Moon, text: It shines., mechanics: "def moon():\\n    return 1"}}'


def ended(folder: Path, without: str, *command: str) -> subprocess.CompletedProcess[str]:
    """How a module's command ends on a machine that lacks something."""
    line = [sys.executable, "-m", *command]
    return subprocess.run(line, cwd=folder, env=lacking(without), capture_output=True, text=True, check=False)


def there(folder: Path, without: str, *command: str) -> str:
    """What it says; it must succeed."""
    done = ended(folder, without, *command)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_absence_is_tried() -> None:
    said = there(
        TESTS / "support" / "absent",
        "",
        "timeit",
        "-n1",
        "-r1",
        "from sitecustomize import ABSENCES; print(*ABSENCES)",
    )
    assert set(said.splitlines()[0].split()) == {*DONE_WITHOUT, *REFUSED_WITHOUT}


def test_the_machine_lacks_what_it_is_to_lack(tmp_path: Path) -> None:
    (tmp_path / "tell.py").write_text(
        "import os, resource, sys\nfrom nomicgit.ground import worker\n"
        "print(sys.platform, hasattr(os, 'sched_getaffinity'))\n"
        "try:\n    resource.setrlimit(resource.RLIMIT_AS, (1 << 40, 1 << 40))\nexcept ValueError as error:\n    print(error)\n"
    )
    assert there(tmp_path, "macos", "tell") == "darwin False\ncurrent limit exceeds maximum limit\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "edition", [pytest.param(each, marks=one_of(4, number)) for number, each in enumerate(editions.names())]
)
def test_every_edition_is_sound_on_macos(tmp_path: Path, edition: str) -> None:
    assert there(tmp_path, "macos", "nomicgit", "check", "--edition", edition).startswith("sound")


@pytest.mark.slow
@pytest.mark.parametrize("without", ["macos", *(pytest.param(each, marks=DEEP) for each in DONE_WITHOUT[1:])])
def test_a_proposal_is_tried_and_enacted_there_and_its_site_built(tmp_path: Path, without: str) -> None:
    players = [word for name in PLAYERS for word in ("--player", name)]
    options = ["--practice", "--start", "2021-06-07T00:00:00Z", "--emperor", "ana", "--admin", "ben"]

    def done(folder: Path, *command: str) -> str:
        return there(folder, without, "nomicgit", *command)

    done(tmp_path, "new", "attic", "--edition", "crypt", *players, *options)
    attic = tmp_path / "attic"
    done(attic, "--as", "cy", "--at", "+1h", "propose", "--title", "Moon", "--change", MOON)
    for name in ("ana", "ben", "dee"):
        done(attic, "--as", name, "vote", "1", "for")
    done(attic, "--as", "ben", "--at", "+12h", "resolve", "1")
    assert "verified" in done(attic, "verify")
    assert done(attic, "check").startswith("sound")
    if without == "macos":
        there(attic, without, "mkdocs", "build", "-q", "--strict")
        assert (attic / "site" / "index.html").is_file()
    game = Game.open(attic)  # and here the same
    assert "moon" in game.ruleset.by_slug
    assert verify(game.repository, game.head.oid).faults == []


@pytest.mark.slow
@pytest.mark.parametrize("without", DONE_WITHOUT)
def test_a_deed_is_done_there(tmp_path: Path, without: str) -> None:
    small = Small.found(tmp_path / "game")
    there(small.folder, without, "nomicgit", "--as", "ben", "--at", "+1h", "act", "earn", "n=1")
    assert small.value("players/ben gold") == 11
    assert small.faults() == {}


@pytest.mark.slow
@pytest.mark.parametrize("without", REFUSED_WITHOUT)
def test_a_deed_is_refused_there_in_a_line_or_two_and_leaves_nothing(tmp_path: Path, without: str) -> None:
    if without == "proc" and not Path("/proc/self").exists():
        pytest.skip("nobody misses here what only Linux has")
    small = Small.found(tmp_path / "game")
    head, (code, why) = small.head(), REFUSED_WITHOUT[without]
    done = ended(small.folder, without, "nomicgit", "--as", "ben", "--at", "+1h", "act", "earn", "n=1")
    assert (done.returncode, done.stdout) == (code, "")
    assert why in done.stderr
    assert len(done.stderr.splitlines()) <= 2
    assert small.head() == head
    assert small.git("status", "--porcelain") == ""
    small.do("ben", "earn", n=1)


@pytest.mark.slow
@pytest.mark.parametrize(("held", "lent"), [("", "processor=1"), ("b'x' * (300 << 20)", "memory=100 << 20")])
def test_time_and_memory_are_bounded_on_macos(tmp_path: Path, held: str, lent: str) -> None:
    """Of memory no bound is taken there: whoever waits looks, and ends what holds too much."""
    (tmp_path / "endless.py").write_text(
        "from nomicgit.ground import deaths, worker\n"
        f"def work():\n    held = {held or None}\n    while True:\n        pass\n"
        f"try:\n    worker.run(work, {lent}{', processor=1000' if held else ''})\nexcept deaths.Died as died:\n    print(died)\n"
    )
    assert deaths.HURT in there(tmp_path, "macos", "endless")


@pytest.mark.slow
def test_memory_of_the_law_is_bounded_on_macos(tmp_path: Path) -> None:
    doubled = "    held = 'a'\n    for i in range(29):\n        held = held + held\n"
    body = doubled + "    for i in range(10000000000):\n        pass\n"
    rule = f"---\ntitle: Slow\nactions: {{hold: {{}}}}\n---\nIt is slow.\n\n```starlark\ndef do_hold(actor):\n{body}```\n"
    small = Small.found(tmp_path / "game", small_law({"2-dynastic/90-slow.md": rule}))
    (tmp_path / "narrow.py").write_text(
        "from nomicgit.ground import watch\nfrom nomicgit.physics.state import transaction\n"
        "watch.MEMORY, transaction.SECONDS = 256 << 20, 1000\n"
        f"import os, sys\nos.chdir({str(small.folder)!r})\nfrom nomicgit.cli import watched\nwatched()\n"
    )
    done = ended(tmp_path, "macos", "narrow", "--as", "ben", "--at", "+1h", "act", "hold")
    assert done.returncode == 1, done
    assert f"{deaths.HURT} (rule Slow" in done.stderr
    assert small.git("status", "--porcelain") == ""
