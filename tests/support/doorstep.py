"""A game that is played on the fake forge: founded, pushed, its players known, its steward called by hand."""

from __future__ import annotations

import atexit
import hashlib
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from fakegithub import Account, FakeGitHub, Pull, Thread
from fakegithub.gitside import git

from nomicgit import editions
from nomicgit.forge.github import GitHub
from nomicgit.git import Repository
from nomicgit.law.amendments import amend
from nomicgit.law.ruleset import Ruleset
from nomicgit.outlook.checks.checking import newly_found
from nomicgit.physics.deeds.founding import Founding
from nomicgit.physics.numbers import NEWEST
from nomicgit.record.founding import found_game
from nomicgit.record.game import Game
from nomicgit.record.secret.custody import Keeper
from nomicgit.record.settings import Settings
from nomicgit.replay.verifying import verify
from nomicgit.steward.passing import Passed, Steward

PLAYERS = ("ana", "ben", "cy", "dee", "eli", "fox")
HOUR = 3600
DAY = 24 * HOUR
REPOSITORY = "nomic-club/game"


class Doorstep:
    """A fake forge with a game: ana is the emperor, ben the admin in whose name the steward resolves.

    ``http``: the steward fetches and pushes as on GitHub, which takes half as long again.
    """

    def __init__(
        self,
        github: FakeGitHub,
        folder: Path,
        resolve: str = "steward",
        restore: Mapping[str, Any] | None = None,
        *,
        edition: str = "crypt",
        keeper: Keeper | None = None,
        idle: Sequence[str] = (),
        http: bool = False,
        **forge: Any,
    ) -> None:
        self.github, self.folder, self.keeper, self.edition, self.http = github, folder, keeper, edition, http
        self.people: dict[str, Account] = {name: github.user(name.capitalize()) for name in (*PLAYERS, *idle)}
        told = {name: account.id for name, account in self.people.items()}
        settings = {"github": REPOSITORY, "resolve": resolve, "by": "ben", "players": told} | forge
        start = Founding(github.clock.now, list(PLAYERS), "ana", ["ben"], list(idle))
        dice = "local" if keeper is None else "keeper"
        chosen = Settings("Test", edition, dice=dice, forge=settings, restore=restore)
        found(folder, chosen, start, keeper)
        looked_through(edition)
        github.seed(folder)
        github.clock.advance(60)

    def client(self) -> GitHub:
        """The steward's client."""
        token = self.github.token(self.github.steward)
        return GitHub(
            REPOSITORY,
            token,
            api=self.github.url,
            graphql=self.github.graphql,
            wait=self.github.wait,
            now=self.github.time,
        )

    def steward(self, **how: Any) -> Steward:
        """The steward, at the clone of the founding, which is never brought up to date."""
        token = self.github.token(self.github.steward)
        given: dict[str, Any] = {"forge": self.client(), "now": self.github.time, "token": token}
        given |= {"key": self.keeper.key if self.keeper is not None else None} | how
        return Steward(Repository.open(self.folder), self.address(), **given)

    def address(self) -> str:
        """Where the steward finds the repository: on this disk, or, where ``http`` is what a test is about, by HTTP."""
        return self.github.git_url() if self.http else str(self.github.repo.path)

    def run(self, **how: Any) -> Passed:
        """One pass, a minute later."""
        self.github.clock.advance(60)
        with self.github.by_path(self.github.steward):
            return self.steward(**how).run()

    def propose(
        self, who: str, name: str, files: Mapping[str, str | None] | None = None, **more: Any
    ) -> Pull:
        """Somebody proposes a rule of this name, or other files, by a pull request from their fork."""
        account = self.people[who]
        self.sync(account)
        slug = name.casefold().replace(" ", "-")
        if files is None:
            looked_through(self.edition, name)
            files = {f"game/ruleset/2-dynastic/90-{slug}.md": rule(name, f"{name} shines.")}
        self.github.commit(account, files, branch=slug, message=name)
        self.github.clock.advance(5)
        return self.github.open_pull(account, head=slug, title=name, **more)

    def sync(self, account: Account) -> None:
        """Bring somebody's fork up to the game's branch."""
        fork = self.github.fork(account)
        git(fork.path, "fetch", "-q", str(self.github.repo.path), "+refs/heads/main:refs/heads/main")
        fork.refs = {**fork.refs, "main": git(fork.path, "rev-parse", "refs/heads/main")}

    def review(self, who: str, pull: Pull, state: str = "APPROVED", body: str = "", **more: Any) -> Any:
        self.github.clock.advance(5)
        return self.github.review(self.people[who], pull, state, body, **more)

    def say(self, who: str, on: Thread, body: str) -> Any:
        self.github.clock.advance(5)
        return self.github.comment(self.people[who], on, body)

    def form(self, who: str, action: str, fields: Mapping[str, str] | None = None) -> Thread:
        """Fill in the form of an action, as the forge hands it in."""
        from nomicgit.record.forms import fields as of_forms

        declared = NEWEST.law(self.game().ruleset).declared.actions[action]
        given = dict(fields or {})
        labels = of_forms.labels(declared)
        parts = [f"### {of_forms.FIRST_LABEL}\n\n{action}"]
        parts += [f"### {label}\n\n{given.pop(name, '_No response_')}" for name, label in labels.items()]
        assert not given, given
        self.github.clock.advance(5)
        return self.github.issue(self.people[who], action, "\n\n".join(parts))

    def game(self) -> Game:
        """The game as it stands on the forge."""
        return Game.open(self.github.repo.path)

    def post(self, number: int) -> Mapping[str, Any]:
        found = self.game().tree.entity(f"posts/{number}")
        assert found is not None
        return found

    def ballots(self, number: int) -> list[tuple[str, str]]:
        """The votes that stand in the record, in order."""
        said = self.game().tree.comments(f"posts/{number}")
        return [(each["by"], each["icon"]) for each in said if each.get("icon")]

    def deeds(self) -> int:
        """How many deeds the record has."""
        game = self.game()
        return sum(1 for commit in game.repository.log(game.head.oid) if "Nomic-Id: " in commit.message)

    def faults(self) -> list[str]:
        game = self.game()
        return [str(fault) for fault in verify(game.repository, game.head.oid).faults]

    def ours(self, thread: Thread) -> list[str]:
        """What the steward has said on a thread."""
        return [comment.body for comment in thread.comments if comment.author is self.github.steward]

    def report(self, thread: Thread) -> str:
        """The steward's report on a thread: there is one."""
        found = [body for body in self.ours(thread) if body.startswith("<!-- nomicgit report -->")]
        assert len(found) == 1, found
        return found[0]

    def state(self, pull: Pull) -> str | None:
        found = self.github.status(pull.head_sha, "nomicgit")
        return found.state if found else None


@cache
def _founded() -> Path:
    """Where games lie as they were founded; gone with this process."""
    folder = tempfile.mkdtemp(prefix="founded-")
    atexit.register(shutil.rmtree, folder)
    return Path(folder)


def found(folder: Path, chosen: Settings, start: Founding, keeper: Keeper | None) -> None:
    """Found a game in a new folder. Most begin alike: what was founded once is copied, but for one with a key of its own."""
    law = editions.load(chosen.edition)
    alike = hashlib.sha256(f"{chosen} {start} {sorted(law.texts.items())}".encode()).hexdigest()
    made = folder if keeper is not None else _founded() / alike
    if not made.exists():
        with Repository.init(made) as repository:
            found_game(repository, law.canonical(), chosen, start, keeper=keeper)
    if made != folder:
        shutil.copytree(made, folder)


@cache
def _laws(edition: str, name: str) -> tuple[Ruleset, Ruleset]:
    """An edition's law, and that with the rule which somebody proposes under a name."""
    law = editions.load(edition).canonical()
    change = {"add-rule": {"title": name, "text": f"{name} shines."}}
    return law, amend(law, change, ()).ruleset if name else law


def looked_through(edition: str, name: str = "") -> None:
    """Check these laws here: each pass is a process of its own, and would do it again before it tries a proposal."""
    newly_found(*_laws(edition, name), NEWEST)


def rule(title: str, text: str) -> str:
    """A rule's file."""
    return f"---\ntitle: {title}\n---\n{text}\n"


@contextmanager
def doorstep(folder: Path, resolve: str = "steward", **forge: Any) -> Iterator[Doorstep]:
    """A game on a forge of its own."""
    with FakeGitHub(folder / "forge") as github:
        yield Doorstep(github, folder / "clone", resolve, **forge)
