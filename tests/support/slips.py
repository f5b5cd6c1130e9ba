"""A dynasty through the forge in which people, owners and the forge itself slip at random, by seed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from fakegithub import Pull, Thread
from fakegithub.gitside import git
from fakegithub.things import Comment, Refusal
from hostile.small import git_in

from nomicgit.clones.remedy import Remedy
from nomicgit.git import Repository
from nomicgit.ground.problems import NomicError
from nomicgit.steward import keeping
from support.doorstep import HOUR, PLAYERS, Doorstep, rule

SLIPS = 0.75
"""How many of all acts are slips."""
SECRET = "ghp_" + "a1B2" * 9
SAYINGS = (
    ":for:", ":against: no", "DEFERENTIAL", "/vote for", "/for", "@somebody :against:", "vote for", "/enact", "/fail",
    "/act roll dice=DICE6", "/act roll dice=NONE", "/act rol", "/propose", "/help", "/tally", "/status", "/vote maybe", "hm",
    "/vote 1 for", "/vote 1", "/vote 999 against no", "/vote #1 for", "I think so\n\n```\n:for:\n```",
    ":for:\n\n/act roll dice=DICE6", "> :for:\n\nindeed", "/join", "/act ascend theme=Clouds",
)  # fmt: skip


class Slips:
    """A game in which people slip; ``said`` is all that the steward ever said, with its thread; ``made`` counts the slips.

    On the thread ``board`` people do what a dynasty needs to go on; it is neither locked nor moved away.
    """

    def __init__(self, door: Doorstep, seed: int, folder: Path) -> None:
        self.door, self.dice, self.folder = door, random.Random(seed), folder
        self.olga = door.github.user("Olga", role="write")
        door.people["zoe"] = door.github.user("zoe")
        self.said: list[tuple[int, str]] = []
        self.names = 0
        self.made: Counter[str] = Counter()
        self.weather = False  # something is in the way of the next pass, and it may end in an error
        github, comment = door.github, door.github.comment

        def heard(who: object, on: Thread, body: str) -> Comment:
            made = comment(who, on, body)  # type: ignore[arg-type]
            if who is github.steward:
                self.said.append((on.number, body))
            return made

        github.comment = heard  # type: ignore[method-assign]
        self.board = github.issue(door.people["ben"], "The board", "Whose turn is it?")

    @property
    def pulls(self) -> list[Pull]:
        return [each for each in self.door.github.pulls() if each.state == "open"]

    def threads(self) -> list[Thread]:
        return [each for each in self.door.github.threads.values() if each.title != "The game has stopped"]

    def comments(self) -> list[Comment]:
        steward = self.door.github.steward
        return [c for each in self.threads() for c in each.comments if c.author is not steward]

    def first(self, slip: str) -> None:
        """Some slips are made once in a game."""
        if self.made[slip]:
            raise IndexError

    # ---- what people do

    def propose(self, who: str = "") -> None:
        self.names += 1
        self.door.propose(who or self.dice.choice(PLAYERS), f"Moonlight {self.names}")

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
        self.dice.shuffle(closed)
        for pull in closed:
            with suppress(Refusal):  # the forge opens none again whose branch is gone
                self.door.github.reopen(pull.author, pull)
                return
        pull = self.dice.choice(self.pulls)
        self.door.github.close(pull.author, pull)
        self.pass_()
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
            self.pass_()
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

    def locked(self) -> None:
        thread = self.dice.choice([each for each in self.threads() if each is not self.board])
        self.door.github.lock(thread, locked=not thread.locked)

    def transferred(self) -> None:
        """An issue is moved to another repository, or deleted."""
        issues = [each for each in self.threads() if not isinstance(each, Pull) and each is not self.board]
        self.door.github.remove(self.dice.choice(issues))

    def repository_renamed(self) -> None:
        self.first("repository_renamed")
        self.door.github.rename_repository("palace")

    def made_private(self) -> None:
        """Then who has no access sees nothing; a pass reads by its token all the same."""
        self.door.github.private = True
        self.pass_()
        self.door.github.private = False

    def label_taken_off(self) -> None:
        thread = self.dice.choice([each for each in self.threads() if each.labels])
        self.door.github.unlabel(self.olga, thread, [self.dice.choice(thread.labels)])

    def account_deleted(self) -> None:
        """Somebody says and votes, and is gone."""
        self.names += 1
        ghost, pull = self.door.github.user(f"ghost-{self.names}"), self.dice.choice(self.pulls)
        self.door.github.review(ghost, pull, "APPROVED")
        self.door.github.comment(ghost, pull, self.dice.choice(SAYINGS))
        self.door.github.delete(ghost)

    def forced_by_another(self) -> None:
        pull = self.dice.choice(self.pulls)
        files: dict[str, str | bytes | None] = {"game/ruleset/2-dynastic/90-mine.md": rule("Mine", "It is.")}
        main = self.door.github.repo.refs["main"]
        self.door.sync(pull.author)
        self.door.github.commit(self.olga, files, branch=pull.head_ref, repo=pull.head, onto=main)

    def token_expired(self) -> None:
        self.weather = True
        self.door.github.fail(
            401, self.dice.choice(("mutation", "git-receive-pack", "GET /repos", "/graphql"))
        )

    def limited(self) -> None:
        """The forge takes no more for a while, or for longer than anybody waits."""
        self.weather = True
        wait = {"Retry-After": self.dice.choice(("17", "7200"))}
        what = self.dice.choice(("mutation", "GET /repos", "/graphql"))
        self.door.github.fail(self.dice.choice((403, 429)), what, headers=wait)

    def barred(self) -> None:
        """An owner protects the branch, and lets nobody by."""
        self.weather = True
        self.door.github.protect("main")

    def merged(self) -> None:
        """Somebody presses the Merge button; the next pass tells, and ben mends it."""
        pull = self.dice.choice(
            [each for each in self.pulls if each.base_ref == "main" and self.changes(each)]
        )
        self.first("merged")
        good = self.door.game().head.oid
        self.clear()
        self.door.github.merge(self.door.github.owner, pull)
        self.door.github.clock.advance(
            HOUR
        )  # a pass that the weather has cut off holds the next ones up for a while
        assert self.door.run().stopped
        git_in(self.folder, "clone", "-q", str(self.door.github.repo.path), "bens")
        with Repository.open(self.folder / "bens") as repository:
            Remedy.to(repository, good, self.door.github.time()).record(["ben"], self.door.github.time())
        git_in(self.folder / "bens", "push", "-q", "origin", "main")

    def changes(self, pull: Pull) -> bool:
        """Whether the Merge button would change the game."""
        return (
            git(self.door.github.repo.path, "diff", "--name-only", f"main...{pull.head_sha}", "--", "game")
            != ""
        )

    def slips(self) -> list[Callable[[], None]]:
        """All that may go wrong."""
        return [
            self.twice, self.edit, self.form_edited, self.retitle, self.push, self.delete, self.close, self.reopen,
            self.branch_deleted, self.branch_renamed, self.branch_moved, self.drafted, self.retargeted, self.workflow, self.secret,
            self.dismiss, self.labels_off, self.answers_deleted, self.cursor_lost, self.cancelled, self.merged,
            self.locked, self.transferred, self.repository_renamed, self.made_private, self.label_taken_off, self.account_deleted,
            self.forced_by_another, self.token_expired, self.limited, self.barred,
        ]  # fmt: skip

    def left(self) -> list[str]:
        """The slips that nobody has made yet."""
        return [each.__name__ for each in self.slips() if not self.made[each.__name__]]

    def the_rest(self) -> None:
        """The slips that are left: to each belongs a proposal on which somebody has voted."""
        for _ in range(2 * len(self.left())):
            self.propose("cy")
            self.door.review("ana", self.pulls[-1], "CHANGES_REQUESTED", "no")
            if self.left():
                self.one(often=1)

    def one(self, often: float = SLIPS) -> None:
        """Somebody does something usual, or slips as nobody has before where that can be."""
        self.door.github.clock.advance(self.dice.randrange(1, 3 * HOUR))
        usual: list[Callable[[], None]] = [self.propose, self.vote, self.say, self.form]
        acts = self.dice.sample(usual, len(usual))
        if self.dice.random() < often:
            made = self.slips()
            self.dice.shuffle(made)
            acts = sorted(made, key=lambda slip: self.made[slip.__name__])
        for act in acts:
            try:
                act()
            except (IndexError, Refusal):
                continue  # there is nothing to slip on, or the forge lets nobody
            self.made[act.__name__] += 1
            return

    def clear(self) -> None:
        """The weather clears up."""
        self.weather = False
        self.door.github.faults.clear()
        self.door.github.settings.pop("protection", None)
        (self.door.github.repo.path / "protected").write_text("", encoding="utf-8")

    def pass_(self) -> None:
        try:
            passed = self.door.run()
        except NomicError:
            assert self.weather
            self.clear()
            self.door.github.clock.advance(HOUR)
            passed = self.door.run()
        assert not passed.stopped, passed.problems

    # ---- what a dynasty needs

    def dynasty(self) -> Iterator[Callable[[], None]]:
        """From the first proposal to the next dynasty, step by step: between them people slip."""
        yield from (self.propose, self.propose, self.settle, self.propose, self.settle)
        while self.reign() == (1, "ana"):
            yield from (self.declare, self.settle)
        while self.reign() == (1, "dee"):
            yield self.ascend

    def settle(self) -> None:
        """All that is pending is voted on, and resolved half a day later."""
        self.pass_()
        for number in self.pending():
            for who in PLAYERS:
                self.door.say(who, self.board, f"/vote {number} for")
        self.pass_()
        self.door.github.clock.advance(13 * HOUR)
        for number in self.pending():
            self.door.say("ben", self.board, f"/enact {number}")
            if self.door.post(number)["kind"] != "dov":
                self.door.say("ben", self.board, f"/fail {number}")

    def pending(self) -> list[int]:
        """The posts that are pending, by the record."""
        return list((self.door.game().tree.entity("open") or {}).get("pending", []))

    def reign(self) -> tuple[int, str]:
        """Which dynasty it is, and whose."""
        dynasty = self.door.game().tree.entity("dynasty") or {}
        return dynasty["number"], dynasty["emperor"]

    def declare(self) -> None:
        self.door.form("dee", "dov", {"title": "I have won", "body": "I rolled most."})

    def ascend(self) -> None:
        self.door.form("dee", "ascend", {"theme": "Among the clouds"})
