"""A host that is no GitHub: the steward plays there by what any host shows and takes, over a plain Git remote."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from hostile.small import git_in
from msgspec.structs import replace

from nomicgit import editions
from nomicgit.git import Repository
from nomicgit.physics.deeds.founding import Founding
from nomicgit.record.founding import found_game
from nomicgit.record.game import Game
from nomicgit.record.settings import Settings
from nomicgit.replay.verifying import verify
from nomicgit.steward.passing import Passed, Steward
from nomicgit.steward.said import Close, Outcome, Result, Say, Write
from nomicgit.steward.seen import Comment, Cursor, Issue, News, Person

START = 1_767_225_600
PEOPLE = {name: Person(number, name) for number, name in enumerate(("ana", "ben", "cy"), 1)}
STEWARD = Person(99, "steward", bot=True)


class Board:
    """A noticeboard: notes with answers beneath, and a clock. All that a host has to be."""

    def __init__(self) -> None:
        self.now = START
        self.notes: dict[int, Issue] = {}

    def pin(self, who: str, text: str) -> int:
        """Somebody pins a note; its number."""
        self.now += 60
        number = len(self.notes) + 1
        self.notes[number] = Issue(
            number, f"note-{number}", "A note", text, PEOPLE[who], self.now, self.now, None, None, "open"
        )
        return number

    def answer(self, number: int, who: Person, text: str) -> None:
        """Somebody says something beneath a note."""
        self.now += 1
        note, ident = self.notes[number], sum(len(each.comments) for each in self.notes.values()) + 1
        said = Comment(ident, f"answer-{ident}", who, text, self.now, ours=who is STEWARD)
        self.notes[number] = replace(note, comments=(*note.comments, said), updated_at=self.now)

    def news(self, cursor: Cursor | None, also: Iterable[int] = (), since: int = 0) -> News:
        """All that changed since a cursor, or an instant."""
        since = cursor.since if cursor is not None else since
        new = [each for n, each in self.notes.items() if each.updated_at >= since or n in also]
        return News((), tuple(new), Cursor(self.now), nothing_new=not new)

    def write(self, writes: Sequence[Write]) -> list[Result]:
        """Take what the steward writes, as far as the board knows it."""
        return [self._written(each) for each in writes]

    def _written(self, write: Write) -> Result:
        match write:
            case Say(subject, body):
                self.answer(int(subject.partition("-")[2]), STEWARD, body)
            case Close(subject, _):
                number = int(subject.partition("-")[2])
                self.notes[number] = replace(self.notes[number], state="closed", closed_at=self.now)
            case _:
                return Result(write, Outcome.REFUSED, why="a board has no such thing")
        return Result(write, Outcome.DONE)

    def me(self) -> Person:
        """Who writes here for the game."""
        return STEWARD

    def open_issue(self, title: str, body: str) -> str:
        """Pin a note of the steward's own."""
        return f"note-{self.pin('ana', f'{title}: {body}')}"

    def status(self, sha: str, state: str, context: str, description: str, target: str = "") -> None:
        """A board shows no commits."""


def test_the_steward_plays_on_a_noticeboard(tmp_path: Path) -> None:
    board, remote = Board(), tmp_path / "remote.git"
    git_in(tmp_path, "init", "-q", "--bare", "-b", "main", str(remote))
    forge = {"github": "nobody/nowhere", "players": {name: who.id for name, who in PEOPLE.items()}}
    with Repository.init(tmp_path / "clone") as repository:
        start = Founding(board.now, list(PEOPLE), "ana", ["ben"], [])
        found_game(
            repository, editions.load("crypt").canonical(), Settings("Test", "crypt", forge=forge), start
        )
    git_in(tmp_path / "clone", "push", "-q", str(remote), "main")

    def run() -> Passed:
        board.now += 60
        return Steward(Repository.open(tmp_path / "clone"), str(remote), board, lambda: board.now).run()

    dice, talk = board.pin("cy", "/act roll dice=DICE6\n/status"), board.pin("ana", "What a night.")
    passed = run()
    assert [(deed.by, deed.action) for deed in passed.deeds] == [("cy", "roll")]
    assert (board.notes[dice].state, board.notes[talk].state) == ("closed", "open")
    (said,) = board.notes[dice].comments
    assert "cy: **roll** is done" in said.body
    board.answer(talk, PEOPLE["ben"], "/act rol dice=DICE6")
    passed = run()
    assert (passed.deeds, len(passed.told)) == ([], 1)
    assert run().written == 0
    game = Game.open(remote)
    assert list(verify(game.repository, game.head.oid).faults) == []
