"""Anything in any order: deeds, refusals, crashes, races, undoing, restoring, branches, ascensions; the record stays whole.

A few short runs stand for many; the many, which take half an hour, are

    pytest tests/rooms/record/test_machine.py --hypothesis-profile=deep
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hostile.processes import CRASHED, crash_at, exit_code, forked
from hostile.small import FSCK, PLAYERS, START, Small, git_in, small_law
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from nomicgit.git import Repository
from nomicgit.ground.problems import NomicError
from nomicgit.outlook import branches
from nomicgit.physics.deed import Deed
from nomicgit.record.game import Game, new_id
from nomicgit.record.outside import entitled
from nomicgit.replay.verifying import verify

players = st.sampled_from(PLAYERS)
small = st.integers(1, 6)
texts = st.sampled_from(
    ["", "Hall", "Nomic-Id: x", "a\nb\n\nNomic-Action: physics/found", "\u202e\u2028", "雪" * 60, "x" * 300]
)
CHANGES: list[Any] = [
    {"set": {"players.cy.gold": 4}},
    {"set": {"game.quorum": 1_000_000}},
    {"add-rule": {"title": "News", "text": "Words.", "mechanics": 'def news():\n    return "x"'}},
    {"add-rule": {"title": "Tax", "text": "W.", "declares": {"schedule": {"tax": {"every": "day 12:00"}}},
                  "mechanics": 'def schedule_tax():\n    for p in players():\n        lose(p, "gold", roll(2))'}},
    {"add-rule": {"title": "Lid", "text": "W.", "declares": {"guards": {"lid": {"on": "all"}}},
                  "mechanics": 'def guard_lid(actor, action, given):\n    return "no"'}},
    {"repeal": "news"}, {"repeal": "hoard"}, {"repeal": "play"}, {"repeal": "tax"}, {"run": "x = nonsense"},
    {"amend": {"rule": "play", "replace": "Whoever plays may propose", "with": "Everyone may propose"}},
]  # fmt: skip

DYNASTIES = """\
---
title: Dynasties
terms: {player: Player, players: Players, emperor: Emperor}
actions:
  ascend: {with: {theme: text, word: text, keep: {type: list, default: []}}}
---
Whoever will may begin a dynasty, and every Player obeys the Emperor.

```starlark
def do_ascend(actor, theme, word, keep):
    for rule in find("rules", section="dynastic"):
        if id(rule) not in keep and exists(rule):
            refuse(apply({"repeal": id(rule)}))
    refuse(apply({"terms": {"player": word, "players": word + "s"}}))
    put("dynasty", number=get("dynasty", "number") + 1, name=theme, emperor=actor, began=now())
```
"""
HOME = "game/ruleset/2-dynastic/"
EDITS: list[tuple[str, str, str]] = [
    (HOME + "10-hoard.md", "Gold is earned", "Gold and silver are earned"),
    (HOME + "10-hoard.md", "spent on rooms.\n", "spent on rooms.\nNobody steals it.\n"),
    (HOME + "10-hoard.md", "spend(actor, \"gold\", 1)", "spend(actor, \"gold\", 2)"),
    (HOME + "20-moon.md", "", "---\ntitle: Moon\n---\nThe moon shines.\n"),
    (HOME + "30-sun.md", "", "---\ntitle: Sun\n---\nThe sun burns.\n"),
]  # fmt: skip


class Recorded(RuleBasedStateMachine):
    """A game in a repository, and whatever happens to it."""

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.game = Small.found(
            self.folder / "game",
            small_law({"1-core/20-dynasties.md": DYNASTIES}),
            restore={"by": ["ben"], "of": 1},
        )
        self.known = 1
        self.deeds: list[str] = []
        self.heads = [self.game.head()]
        self.seen = self.heads[0]

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            shutil.rmtree(self.folder)

    def do(self, actor: str, action: str, **given: Any) -> None:
        """A deed, which the law may refuse; a refusal changes nothing."""
        before = self.game.head()
        try:
            recorded = self.game.do(actor, action, **given)
        except NomicError:
            assert self.game.head() == before
            self.game.at -= 60
            return
        self.deeds.append(recorded.outcome.deed.id)
        self.heads.append(recorded.commit)

    @rule(who=players, n=small)
    def earn(self, who: str, n: int) -> None:
        self.do(who, "earn", n=n)

    @rule(who=players, name=texts)
    def dig(self, who: str, name: str) -> None:
        self.do(who, "dig", name=name)

    @rule(who=players, n=small)
    def raze(self, who: str, n: int) -> None:
        self.do(who, "raze", room=f"r{n}")

    @rule(who=players, text=texts)
    def story(self, who: str, text: str) -> None:
        self.do(who, "story", title="A story", body=text)

    @rule(
        who=players,
        what=st.sampled_from([{"plain": 1}, {"sha256": "x", "in": "y"}, ["\u202e", None, 1.5], "x" * 400]),
    )
    def book(self, who: str, what: Any) -> None:
        self.do(who, "book", what=what)

    @rule(days=st.sampled_from([1, 2, 9]))
    def wait(self, days: int) -> None:
        self.game.at += days * 86400

    @rule(change=st.sampled_from(CHANGES))
    def enact(self, change: Any) -> None:
        self._enact(change)

    @precondition(lambda self: bool(getattr(self, "deeds", None)))
    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        self._enact({"undo": data.draw(st.sampled_from(self.deeds))})

    def _enact(self, change: Any) -> None:
        before = self.game.head()
        self.do("cy", "propose", title="A change", changes=[change])
        if self.game.head() == before:
            return
        matter = str(self.game.value("open next") - 1)
        for voter in ("cy", "dee"):
            self.do(voter, "vote", matter=matter, icon="for")
        self.do("ben", "resolve", matter=matter)

    @rule(edit=st.sampled_from(EDITS), later=st.sampled_from(["at once", "moved", "gone"]))
    def branch(self, edit: tuple[str, str, str], later: str) -> None:
        """A proposal written as a branch, which is enacted as it is, moved onto the new head, or after it is gone."""
        head = self._branched(edit)
        if head is None:
            return
        with Repository.open(self.game.folder) as repository:
            try:
                brought = branches.changes_of(repository, self.game.head(), head)
            except NomicError:  # such a rule is there by another file name
                return
        self.game.at += 60
        deed = Deed(
            new_id(self.game.at), "cy", "propose",
            {"title": "A branch", "changes": list(brought.changes)}, self.game.at, branch=head,
        )  # fmt: skip
        if not self._acts(deed):
            return
        matter = str(self.game.value("open next") - 1)
        for voter in ("cy", "dee"):
            self.do(voter, "vote", matter=matter, icon="for")
        moved = self._branched(edit) if later == "moved" else None
        if later == "gone":
            self.game.git("branch", "-q", "-D", "side")
        self.game.at += 60
        done = self._acts(
            Deed(new_id(self.game.at), "ben", "resolve", {"matter": matter}, self.game.at, branch=moved)
        )
        if done and later != "gone" and self.game.value(f"posts/{matter} status") == "enacted":
            assert self.game.git("rev-parse", "HEAD^2").strip() == (moved or head)

    def _branched(self, edit: tuple[str, str, str]) -> str | None:
        """A branch with one edit of a rule's file on top of the game's head; None where the file is not so."""
        path, old, new = edit
        with Repository.open(self.game.folder) as repository:
            base = repository.commit(self.game.head())
            data = repository.file(base.tree, path)
            if (data is None) == bool(old) or (data is not None and data.decode().count(old) != 1):
                return None
            text = new if data is None else data.decode().replace(old, new)
            tree = repository.tree_with(base.tree, {path: text.encode()})
        head = self.game.git("commit-tree", tree, "-p", base.oid, "-m", "A branch").strip()
        self.game.git("branch", "-f", "side", head)
        return head

    def _acts(self, deed: Deed) -> bool:
        """A deed that brings a branch; what the law refuses changes nothing."""
        before = self.game.head()
        game = Game.open(self.game.folder)
        with game.repository:
            try:
                commit = game.act(deed).commit
            except NomicError:
                assert self.game.head() == before
                self.game.at -= 60
                return False
        self.heads.append(commit)
        return True

    @rule(who=players, word=st.sampled_from(["Digger", "Player", "Owl"]), keep=st.booleans())
    def ascend(self, who: str, word: str, keep: bool) -> None:
        kept = ["hoard"] if keep else []
        self.do(who, "ascend", theme="Of owls", word=word, keep=kept)

    @rule(data=st.data(), who=st.sampled_from(["ben", "cy"]))
    def restore(self, data: st.DataObject, who: str) -> None:
        to = data.draw(st.sampled_from(self.heads))
        game = Game.open(self.game.folder)
        try:
            entitled.restore(game, [who], to, self.game.at)
        except NomicError:
            return
        assert who == "ben"

    @rule(who=players, turn=st.integers(1, 90))
    def crash(self, who: str, turn: int) -> None:
        self.game.at += 60

        def child() -> None:
            crash_at(turn)
            Game.open(self.game.folder).act(
                Deed(new_id(self.game.at), who, "dig", {"name": "x"}, self.game.at)
            )

        before = self.game.head()
        code = exit_code(forked(child))
        assert code in (0, 1, CRASHED)
        after = self.game.head()
        assert after == before or self.game.git("rev-parse", "HEAD~1").strip() == before

    @rule(first=players, second=players)
    def race(self, first: str, second: str) -> None:
        self.game.at += 60

        def child(who: str) -> None:
            game = Game.open(self.game.folder)
            for n in range(2):
                game.act(Deed(f"{new_id(self.game.at)}-{n}", who, "earn", {"n": 1}, self.game.at))

        before = int(self.game.git("rev-list", "--count", "HEAD"))
        children = [forked(lambda who=who: child(who)) for who in (first, second)]  # type: ignore[misc]
        codes = [exit_code(each) for each in children]
        lost = 2 * codes.count(1)  # the law may have come to refuse it
        assert int(self.game.git("rev-list", "--count", "HEAD")) >= before + 4 - lost

    @rule()
    def pack(self) -> None:
        self.game.git("gc", "-q")

    @rule()
    def clone(self) -> None:
        """Somebody else goes on from a clone of it."""
        other = self.folder / f"clone{self.known}"
        self.known += 1
        git_in(self.folder, "clone", "-q", str(self.game.folder), other.name)
        self.game = Small(other, self.game.at)

    @invariant()
    def whole(self) -> None:
        """The history verifies, the state is what replay makes, the work tree is clean."""
        if not hasattr(self, "game") or self.game.head() == self.seen:
            return
        self.seen = self.game.head()
        with Repository.open(self.game.folder) as repository:
            with repository.locked():  # puts in order what a crash left behind
                head = repository.head()
            assert head is not None
            assert verify(repository, head).faults == []
        assert self.game.git("status", "--porcelain") == ""
        found = subprocess.run(["git", *FSCK], cwd=self.game.folder, capture_output=True, check=False)
        assert (found.returncode, found.stdout) == (0, b"")
        assert self.game.at >= START


@pytest.mark.slow
def test_the_record_stays_whole_whatever_happens() -> None:
    deep = settings.default == settings.get_profile("deep")
    run_state_machine_as_test(
        Recorded,
        settings=settings(
            max_examples=200 if deep else 8,
            stateful_step_count=30 if deep else 14,
            deadline=None,
            database=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
