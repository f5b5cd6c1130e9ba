"""Games to measure in: a table at which people play, a game that has grown old, a crypt to walk through."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import long_game

from nomicgit import editions
from nomicgit.git import Repository
from nomicgit.ground import clock
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Deed
from nomicgit.physics.deeds import founding
from nomicgit.physics.deeds.founding import Founding
from nomicgit.physics.deeds.pipeline import come
from nomicgit.physics.numbers import NEWEST
from nomicgit.physics.state.context import Context, Seeded
from nomicgit.physics.state.transaction import Transaction
from nomicgit.physics.words import blog
from nomicgit.record.founding import found_game
from nomicgit.record.game import Game, new_id
from nomicgit.record.settings import Settings
from nomicgit.rehearsal import staging

EDITION = "crypt"
PLAYERS = ("ana", "ben", "cy", "dee", "eli", "fay", "gus", "hal", "ivy", "jo")
START = clock.instant("2021-06-07T00:00:00Z")
ENERGY = 80  # with which the journey begins; a move takes 1, and so does the wound of each room
ROOMS = [f"{column}{row}" for row in (1, 2, 3, 4, 5, 6, 7) for column in "ABCDEFGHI"]

SCENARIO = """\
name: A proposal in ten steps
edition: crypt
start: 2021-06-07T00:00:00Z
players: [ana, ben, cy, dee, eli]
emperor: ana
admins: [ben]
steps:
  - at: +1h
    by: cy
    propose: {title: Moonlight, changes: [{add-rule: {title: Moonlight, text: The moon shines.}}]}
    as: p1
  - {at: +2h, by: ben, vote: for, on: p1}
  - {at: +3h, by: dee, vote: against, on: p1}
  - {at: +4h, by: dee, vote: for, on: p1}
  - {at: +5h, by: eli, comment: Well worded., on: p1}
  - {at: +6h, by: ana, vote: for, on: p1}
  - {at: +7h, by: dee, roll: DICE6, dice: [4]}
  - {at: +8h, by: ben, resolve: p1, refused: 12 hours}
  - {at: +13h, expect: {matters.p1.enactable: true}}
  - {at: +13h, by: ben, resolve: p1, expect: {matters.p1.status: enacted}}
"""


def run(*command: str, cwd: Path | None = None, given: bytes | None = None) -> str:
    """A command's output; it must succeed."""
    done = subprocess.run(
        command, cwd=cwd, env=plain_environment(), input=given, capture_output=True, check=False
    )
    if done.returncode:
        raise SystemExit(
            f"{' '.join(command)} failed ({done.returncode}):\n{done.stdout.decode()}{done.stderr.decode()}"
        )
    return done.stdout.decode()


STARTER = """\
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(done.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""


def ran(command: Sequence[str]) -> tuple[int, float, float]:
    """The exit code of a command, the processor time (seconds) and the most memory (megabytes) that it took.

    A small process starts it: what it is told to have had at most begins with what its parent has.
    """
    start = [sys.executable, "-c", STARTER, *command]
    done = subprocess.run(start, env=plain_environment(), capture_output=True, text=True, check=True)
    code, seconds, memory = done.stdout.split()
    return int(code), float(seconds), float(memory)


def plain_environment() -> dict[str, str]:
    """The environment in which commands are measured: bytecode is kept, Git has nobody's settings."""
    kept = {
        k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE" and not k.startswith("GIT_")
    }
    git = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    for who in ("AUTHOR", "COMMITTER"):
        git |= {f"GIT_{who}_NAME": "bench", f"GIT_{who}_EMAIL": "bench@example.org"}
    return kept | git | {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}


class Table:
    """A game in a repository, with a proposal to vote on; time goes on by a minute for each deed."""

    def __init__(self, folder: Path, players: Sequence[str] = PLAYERS) -> None:
        self.folder, self.players = folder, players
        self.at = START
        repository = Repository.init(folder)
        start = Founding(START, list(players), players[0], [players[1]], [])
        found_game(repository, editions.load(EDITION), Settings("Bench", EDITION, time="given"), start)
        change = {"add-rule": {"title": "Moonlight", "text": "The moon shines."}}
        self.act(players[2], "propose", title="Moonlight", body="Adds a rule.", changes=[change])
        self.matter = 1

    def act(self, who: str, action: str, **given: object) -> None:
        """One deed, from reading the head to the synced commit."""
        self.at += 60
        game = Game.open(self.folder)
        game.act(Deed(new_id(self.at), who, action, given, game.time(0, self.at)))

    def vote(self, number: int) -> None:
        """A vote, of one player after the other, with a comment."""
        icon = ("for", "against")[number // 10 % 2]
        who = self.players[number % len(PLAYERS)]
        self.act(who, "vote", matter=self.matter, icon=icon, text=f"vote {number}")

    def touched(self) -> list[str]:
        """The files that the last deed wrote."""
        return run("git", "diff-tree", "-r", "--name-only", "--no-commit-id", "HEAD", cwd=self.folder).split()


def grown(folder: Path, commits: int, posts: int, players: int) -> Table:
    """A table with so many players whose game has so many commits, and posts that are long resolved; all packed."""
    table = Table(folder, [*PLAYERS, *(f"p{number}" for number in range(players - len(PLAYERS)))])
    run("git", "fast-import", "--quiet", cwd=folder, given="".join(_history(folder, commits, posts)).encode())
    run("git", "reset", "-q", "--hard", cwd=folder)
    run("git", "gc", "-q", cwd=folder)
    run("git", "status", "--short", cwd=folder)
    table.at += 3600
    change = {"add-rule": {"title": "Dusk", "text": "The sun sets."}}
    table.act(PLAYERS[3], "propose", title="Dusk", body="Adds a rule.", changes=[change])
    table.matter = posts + 2
    return table


def _history(folder: Path, commits: int, posts: int) -> Iterator[str]:
    """What Git imports: first the posts with their comments, fifty a month, then commits that look like deeds."""
    branch, opened = "refs/heads/main", "game/state/open.yml"
    text = (folder / opened).read_text(encoding="utf-8").replace("next: 2", f"next: {posts + 2}")
    yield f"commit {branch}\n{_committed('old posts')}from {branch}^0\nM 100644 inline {opened}\n{_data(text)}"
    for number in range(2, posts + 2):
        months = (number - 2) // 50
        month = f"{1990 + months // 12}/{months % 12 + 1:02}"
        front = (
            f"kind: story\ntitle: Story {number}\nauthor: cy\nat: {month.replace('/', '-')}-01T00:00:00Z\n"
        )
        place = f"game/posts/{month}/{number:04}-story-{number}"
        yield f"M 100644 inline {place}.md\n{_data(f'---{chr(10)}{front}---{chr(10)}Once upon a time.{chr(10)}')}"
        said = f'- {{"by": "dee", "at": "{month.replace("/", "-")}-02T00:00:00Z", "text": "Well told."}}\n'
        yield f"M 100644 inline {place}.comments.yml\n{_data(said)}"
    for number in range(commits):
        at = clock.text(START + 60)
        called = long_game.name(START + 60, number)
        message = f"cy: look\n\nNomic-Action: look\nNomic-By: cy\nNomic-At: {at}\nNomic-Id: {called}\n"
        yield f"commit {branch}\n{_committed(message)}\n"


def _committed(message: str) -> str:
    return f"committer bench <bench@example.org> {START + 60} +0000\n{_data(message)}"


def _data(text: str) -> str:
    return f"data {len(text.encode())}\n{text}\n"


def pending(matters: int, votes: int) -> Transaction:
    """A game with so many pending proposals of so many votes each, as somebody sees it who looks."""
    names = [f"p{number}" for number in range(votes)]
    start = Founding(START, names, names[0], [names[1]], [])
    world = founding.found(
        editions.load(EDITION), start, Seeded(b"bench", "bench"), Context(trusted=True), NEWEST
    )
    for number in range(matters):
        world.now = world.cast_at = START + 60 * number
        author = f"players/{names[number % votes]}"
        ref = blog.say(world, "proposal", f"Matter {number}", "Words.", author=author, changes=[])
        for place, name in enumerate(names):
            icon = ("for", "against", "deferential")[(number + place) % 3]
            said = {"by": name, "at": clock.text(world.now), "icon": icon, "text": "So be it."}
            world.store.comment(ref, said)
    look = Deed("looking", None, "look", at=world.now + 60)
    world.store.forget()
    look_at = Transaction(world.position, Context(), Seeded(b"looking", "looking"), now=world.now)
    come(look_at, look)
    return look_at


def crypt() -> Transaction:
    """The crypt, its rooms explored and furnished, and an emperor with energy for forty of them."""
    texts = dict(editions.load(EDITION).texts)
    path = next(path for path in texts if path.endswith("-richardos-journey.md"))
    texts[path] = texts[path].replace("{at_first: 6,", f"{{at_first: {ENERGY},")
    start = Founding(START, list(PLAYERS), PLAYERS[0], [PLAYERS[1]], [])
    world = founding.found(
        Ruleset.read(texts), start, Seeded(b"bench", "bench"), Context(secrets=True), NEWEST
    )
    furnished = {"explored": True, "features": ["wound-unless-perceptive"]}
    staging.lay(world, {"rooms": dict.fromkeys(ROOMS, furnished)})
    return world
