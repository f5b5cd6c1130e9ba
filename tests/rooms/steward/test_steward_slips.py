"""A game through the forge with slips of every kind mixed in at random, by seed.

At the end the record verifies, nobody was met with silence, nothing was said twice, and nothing comes back by itself.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from fakegithub import Pull, Thread
from fakegithub.gitside import git
from fakegithub.things import Comment, Refusal
from hostile.small import git_in
from support.depth import is_deep
from support.doorstep import HOUR, PLAYERS, Doorstep, doorstep, rule

from nomicgit.git import Repository
from nomicgit.record.remedy import Remedy
from nomicgit.steward import decided, keeping, marks

ROUNDS = 12
SECRET = "ghp_" + "a1B2" * 9
SAYINGS = (
    ":for:", ":against: no", "DEFERENTIAL", "/vote for", "/for", "@somebody :against:", "vote for", "/enact", "/fail",
    "/act roll dice=DICE6", "/act roll dice=NONE", "/act rol", "/propose", "/help", "/tally", "/status", "/vote maybe", "hm",
    "/vote 1 for", "/vote 1", "/vote 999 against no", "/vote #1 for", "I think so\n\n```\n:for:\n```",
    ":for:\n\n/act roll dice=DICE6", "> :for:\n\nindeed", "/join", "/act ascend theme=Clouds",
)  # fmt: skip
ASKS = re.compile(r"(?:/(?!join\b)[a-z]|:(?:for|against):|DEFERENTIAL|@somebody :|vote for)")


class Slips:
    """A game in which people slip; ``said`` is all that the steward ever said, with its thread."""

    def __init__(self, door: Doorstep, seed: int, folder: Path) -> None:
        self.door, self.dice, self.folder = door, random.Random(seed), folder
        self.olga = door.github.user("Olga", role="write")
        door.people["zoe"] = door.github.user("zoe")
        self.said: list[tuple[int, str]] = []
        self.names = 0
        self.mends = 0
        github, comment = door.github, door.github.comment

        def heard(who: object, on: Thread, body: str) -> Comment:
            if who is github.steward:
                self.said.append((on.number, body))
            return comment(who, on, body)  # type: ignore[arg-type]

        github.comment = heard  # type: ignore[method-assign]

    @property
    def pulls(self) -> list[Pull]:
        return [each for each in self.door.github.pulls() if each.state == "open"]

    def threads(self) -> list[Thread]:
        return [each for each in self.door.github.threads.values() if each.title != "The game has stopped"]

    def comments(self) -> list[Comment]:
        steward = self.door.github.steward
        return [c for each in self.threads() for c in each.comments if c.author is not steward]

    # ---- what people do

    def propose(self) -> None:
        self.names += 1
        self.door.propose(self.dice.choice(PLAYERS), f"Moonlight {self.names}")

    def vote(self) -> None:
        pull = self.dice.choice(self.pulls)
        who = self.dice.choice([name for name in PLAYERS if self.door.people[name] is not pull.author])
        self.door.review(who, pull, self.dice.choice(("APPROVED", "CHANGES_REQUESTED", "COMMENTED")), ":for:")

    def say(self) -> None:
        who = self.dice.choice([*PLAYERS, "zoe"])
        self.door.say(who, self.dice.choice(self.threads()), self.dice.choice(SAYINGS))

    def form(self) -> None:
        self.door.form(
            self.dice.choice([*PLAYERS, "zoe"]), "roll", {"dice": self.dice.choice(("DICE6", "much"))}
        )

    # ---- slips

    def twice(self) -> None:
        last = self.dice.choice(self.comments())
        self.door.github.comment(last.author, self.door.github.threads[last.number], last.body)

    def edit(self) -> None:
        said = self.dice.choice(self.comments())
        self.door.github.edit(self.dice.choice((said.author, self.olga)), said, self.dice.choice(SAYINGS))

    def form_edited(self) -> None:
        issue = self.dice.choice([each for each in self.threads() if not isinstance(each, Pull)])
        self.door.github.edit(
            self.dice.choice((issue.author, self.olga)), issue, issue.body.replace("much", "DICE20")
        )

    def retitle(self) -> None:
        pull = self.dice.choice(self.pulls)
        self.door.github.edit(self.dice.choice((pull.author, self.olga)), pull, "Why not?", title="Sunlight")

    def push(self) -> None:
        pull = self.dice.choice(self.pulls)
        path = "game/ruleset/2-dynastic/90-moonlight-1.md"
        text = rule("Moonlight 1", self.dice.choice(("It shines.", "It is dark.")))
        self.door.github.commit(pull.author, {path: text}, branch=pull.head_ref)

    def delete(self) -> None:
        said = self.dice.choice(self.comments())
        self.door.github.delete_comment(said.author, said)

    def close(self) -> None:
        pull = self.dice.choice(self.pulls)
        self.door.github.close(self.dice.choice((pull.author, self.door.github.owner)), pull)

    def reopen(self) -> None:
        closed = [
            each
            for each in self.door.github.pulls()
            if each.state == "closed" and not each.merged and each.head
        ]
        pull = self.dice.choice(closed)
        self.door.github.reopen(pull.author, pull)

    def branch_deleted(self) -> None:
        pull = self.dice.choice(self.pulls)
        fork = self.door.github.fork(pull.author)
        git(fork.path, "update-ref", "-d", f"refs/heads/{pull.head_ref}")
        self.door.github.pushed(fork, pull.author)

    def branch_renamed(self) -> None:
        self.names += 1
        pull = self.dice.choice(self.pulls)
        self.door.github.rename_branch(pull.author, pull, f"moonshine-{self.names}")

    def branch_moved(self) -> None:
        """Forced to something else, or to what the game has already, and then the forge closes it."""
        pull = self.dice.choice(self.pulls)
        self.door.sync(pull.author)
        fork, main = self.door.github.fork(pull.author), self.door.github.repo.refs["main"]
        if self.dice.random() < 0.5:
            files: dict[str, str | bytes | None] = {
                "game/ruleset/2-dynastic/90-moved.md": rule("Moved", "It is.")
            }
            self.door.github.commit(pull.author, files, branch=pull.head_ref, onto=main)
            return
        git(fork.path, "update-ref", f"refs/heads/{pull.head_ref}", main)
        self.door.github.pushed(fork, pull.author)

    def drafted(self) -> None:
        pull = self.dice.choice(self.pulls)
        self.door.github.ready(pull, draft=not pull.draft)

    def retargeted(self) -> None:
        pull, olga = self.dice.choice(self.pulls), self.dice.random() < 0.3
        if "attic" not in self.door.github.repo.refs:
            self.door.github.commit(self.olga, {"attic.md": "Dust."}, branch="attic")
        self.door.github.retarget(
            self.olga if olga else pull.author, pull, "main" if pull.base_ref == "attic" else "attic"
        )

    def workflow(self) -> None:
        """Somebody proposes what cannot be, and perhaps takes it back by one more commit."""
        self.names += 1
        who, name = self.dice.choice(PLAYERS), f"Engine {self.names}"
        path = ".github/workflows/mine.yml"
        pull = self.door.propose(who, name, {path: "on: push\n"})
        if self.dice.random() < 0.5:
            self.door.github.commit(pull.author, {path: None}, branch=pull.head_ref)

    def secret(self) -> None:
        who = self.dice.choice(PLAYERS)
        said = self.door.say(who, self.dice.choice(self.threads()), f":for: {SECRET}")
        if self.dice.random() < 0.5:
            self.door.run()
            self.door.github.clock.advance(60)
            self.door.github.edit(said.author, said, ":for: no secret")

    def dismiss(self) -> None:
        reviews = [
            each
            for pull in self.pulls
            for each in pull.reviews
            if each.state in ("APPROVED", "CHANGES_REQUESTED")
        ]
        self.door.github.dismiss(self.olga, self.dice.choice(reviews))

    def labels_off(self) -> None:
        self.door.github.delete_labels()

    def answers_deleted(self) -> None:
        for thread in self.threads():
            thread.comments[:] = [
                each for each in thread.comments if each.author is not self.door.github.steward
            ]

    def cursor_lost(self) -> None:
        git(self.door.github.repo.path, "update-ref", "-d", keeping.REF)

    def cancelled(self) -> None:
        """A run that ends in its middle: some of what it does is done, the rest not."""
        self.door.github.fail(0, "mutation", lost=self.dice.random() < 0.5)

    def merged(self) -> None:
        """Somebody presses the Merge button; the next pass tells, and ben mends it."""
        if self.mends:
            return
        self.mends += 1
        good = self.door.game().head.oid
        self.door.github.merge(self.door.github.owner, self.dice.choice(self.pulls))
        assert self.door.run().stopped
        git_in(self.folder, "clone", "-q", str(self.door.github.repo.path), "bens")
        with Repository.open(self.folder / "bens") as repository:
            Remedy.to(repository, good, self.door.github.time()).record(["ben"], self.door.github.time())
        git_in(self.folder / "bens", "push", "-q", "origin", "main")

    def one(self) -> None:
        usual: list[Callable[[], None]] = [self.propose, self.vote, self.say, self.form]
        slips: list[Callable[[], None]] = [
            self.twice, self.edit, self.form_edited, self.retitle, self.push, self.delete, self.close, self.reopen,
            self.branch_deleted, self.branch_renamed, self.branch_moved, self.drafted, self.retargeted, self.workflow, self.secret,
            self.dismiss, self.labels_off, self.answers_deleted, self.cursor_lost, self.cancelled,
            self.merged,
        ]  # fmt: skip
        deed = self.dice.choice(usual if self.dice.random() < 0.6 else slips)
        self.door.github.clock.advance(self.dice.randrange(1, 3 * HOUR))
        try:
            deed()
        except (IndexError, Refusal):
            self.say()  # there was nothing to slip on, or the forge lets nobody

    def pass_(self) -> None:
        passed = self.door.run()
        assert not passed.stopped, passed.problems


def known(door: Doorstep) -> set[str]:
    """All that was decided, or became a deed, by Git alone."""
    path = door.github.repo.path
    names = git(path, "ls-tree", "--name-only", decided.REF).split()
    keys = {key for name in names for key in json.loads(git(path, "show", f"{decided.REF}:{name}"))["told"]}
    deeds = git(path, "log", "--format=%B", "main")
    return keys | set(re.findall(r"(?:comment|issue|pull)-[0-9]+(?:-review-[0-9]+)?", deeds))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One game; in the deep profile a dozen."""
    if "seed" in metafunc.fixturenames:
        deep = is_deep(metafunc.config)
        metafunc.parametrize("seed", range(1, 13) if deep else (3,))


def astray(door: Doorstep) -> set[tuple[int, str]]:
    """What must have been told of pull requests that are open, and whose posts are pending: thread, and how the key begins."""
    game = door.game()
    posts = [game.tree.entity(f"posts/{number}") or {} for number in game.tree.ids("posts")]
    pending = {
        post["forge"]["github"] for post in posts if post.get("status") == "pending" and post.get("forge")
    }
    pulls = [each for each in door.github.pulls() if each.state == "open" and each.number in pending]
    drafts = {(each.number, "draft-again") for each in pulls if each.draft}
    return drafts | {(each.number, "base-") for each in pulls if each.base_ref != "main"}


@pytest.mark.slow
def test_slips_of_every_kind_leave_a_game_that_holds(tmp_path: Path, seed: int) -> None:
    with doorstep(tmp_path, resolve="admins", restore={"by": ["ben"], "of": 1}) as door:
        play = Slips(door, seed, tmp_path)
        play.propose()
        for _ in range(ROUNDS):
            for _ in range(play.dice.randrange(1, 6)):
                play.one()
            play.pass_()
        door.github.faults.clear()
        door.github.clock.advance(HOUR)
        for _ in range(3):
            play.pass_()
        assert door.faults() == []
        answered = known(door)
        for comment in play.comments():
            if ASKS.match(comment.body):
                name = f"comment-{comment.id}"
                stranger = rf"(?:stranger|waits)-{comment.author.id}"
                assert any(re.fullmatch(rf"{stranger}|(?:aside-)?{name}(-.*)?", key) for key in answered), (
                    comment
                )
        told = Counter((number, key) for number, body in play.said for key in marks.keys_in(body))
        assert [each for each, times in told.items() if times > 1] == []
        for number, key in astray(door):
            assert any(thread == number and each.startswith(key) for thread, each in told), (number, key)
        deeds, said = door.deeds(), len(told)
        play.answers_deleted()
        play.cursor_lost()
        for _ in range(2):
            play.pass_()
        assert door.deeds() == deeds
        again = Counter((number, key) for number, body in play.said for key in marks.keys_in(body))
        assert len(again) == sum(again.values()) == said
