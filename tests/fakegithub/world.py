"""The forge's whole state: its people and their talk, and the repositories with what follows from a push."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from fakegithub import gitside, rulesets
from fakegithub.talk import Talk
from fakegithub.things import Account, Pull, Refusal, Repo, Thread

START = 1_767_225_600  # 2026-01-01T00:00:00Z


class World(Talk):
    """One game's repository on a forge, with its people, forks and threads."""

    def __init__(self, root: Path, repository: str = "nomic-club/game", *, at: int = START) -> None:
        super().__init__(at)
        self.root = root
        self.forks: list[Repo] = []
        self._network: list[Repo] = []
        self.former = ""
        self.private = False  # who has no access sees nothing of the game's repository
        self.rulesets: dict[int, dict[str, Any]] = {}
        self.apps: dict[int, Account] = {}
        owner, _, name = repository.partition("/")
        self.owner = self.user(owner, kind="Organization", role="admin")
        self.repo = self._repo(self.owner, name)
        gitside.found(self.repo.path)
        self.steward = self.user("github-actions[bot]", kind="Bot", role="write", id=41898282)
        (self.repo.path / "apps").write_text(
            f"{self.steward.id}\n", encoding="ascii"
        )  # they may not change workflows

    def app(self, slug: str, number: int) -> Account:
        """Install an App of one's own, which may write; its number is another than that of its account."""
        self.apps[number] = self.user(f"{slug}[bot]", kind="Bot", role="write")
        with (self.repo.path / "apps").open("a", encoding="ascii") as file:
            file.write(f"{self.apps[number].id}\n")
        return self.apps[number]

    def rename(self, who: Account, login: str) -> None:
        """Somebody takes another login; their number stays. Their forks move with them."""
        mine = [repo for repo in self.forks if repo.owner is who]
        who.login = login
        for repo in mine:
            target = self.root / f"{repo.full_name}.git"
            target.parent.mkdir(exist_ok=True)
            repo.path = repo.path.rename(target)
        self._share()

    def rename_repository(self, name: str) -> None:
        """The game's repository takes another name; under the former one it is still found, by being sent on."""
        self.former, self.repo.name = self.repo.full_name, name
        self.repo.path = self.repo.path.rename(self.root / f"{self.repo.full_name}.git")
        for fork in self.forks:
            gitside.share(fork.path, [self.repo.path])
        self._share()

    def delete(self, who: Account) -> None:
        """Delete an account: what it said stays, without its name; its forks go."""
        who.deleted = True
        self.tokens = {token: each for token, each in self.tokens.items() if each is not who}
        for repo in [repo for repo in self.forks if repo.owner is who]:
            self.delete_fork(repo)

    def _repo(self, owner: Account, name: str) -> Repo:
        path = self.root / f"{owner.login}/{name}.git"
        path.parent.mkdir(parents=True, exist_ok=True)
        return Repo(owner, name, path)

    def fork(self, who: Account) -> Repo:
        """Somebody's fork of the game's repository; the one they have, if they have one."""
        for repo in self.forks:
            if repo.owner is who:
                return repo
        made = self._repo(who, self.repo.name)
        gitside.clone(self.repo.path, made.path)
        made.refs = gitside.heads(made.path)
        self.forks.append(made)
        self._network.append(made)
        self._share()
        return made

    def _share(self) -> None:
        gitside.share(self.repo.path, [repo.path for repo in self._network])

    def delete_fork(self, repo: Repo) -> None:
        """Delete a fork; its pull requests stay, and close."""
        self.forks.remove(repo)
        for pull in self.pulls():
            if pull.head is repo:
                pull.head = None
                if pull.state == "open":
                    self.close(repo.owner, pull)

    def repository(self, full_name: str) -> Repo | None:
        """The repository of this name, ``owner/name``."""
        if self.former and full_name.lower() == self.former.lower():
            return self.repo
        found = (each for each in [self.repo, *self.forks] if each.full_name.lower() == full_name.lower())
        return next(found, None)

    def commit(
        self,
        who: Account,
        files: Mapping[str, str | bytes | None],
        *,
        branch: str = "main",
        repo: Repo | None = None,
        message: str = "a change",
        onto: str | None = None,
    ) -> str:
        """Commit files to a branch, as if pushed; ``onto``: the parent (forced), else the branch, else ``main``.

        ``repo``: the game's own or somebody's fork, by default the fork of who commits (the owner's: the game's).
        """
        repo = repo or (self.repo if who is self.owner or self.may(who, "write") else self.fork(who))
        now = gitside.heads(repo.path)
        if onto is not None and repo is not self.repo:
            gitside.fetch(repo.path, self.repo.path, [(onto, "refs/fake/onto")])
        parent = onto if onto is not None else now.get(branch) or now.get("main", "")
        gitside.commit(repo.path, branch, parent, files, message, self.clock.now)
        self.pushed(repo, who)
        return repo.refs[branch]

    def seed(self, source: Path, branch: str = "main") -> None:
        """Take over a branch of a repository on this disk, as when a game is pushed for the first time."""
        gitside.fetch(self.repo.path, source, [(f"refs/heads/{branch}", f"refs/heads/{branch}")])
        self.repo.refs = gitside.heads(self.repo.path)

    def protect(self, branch: str, contexts: Iterable[str] = (), *, but: Iterable[Account] = ()) -> None:
        """Protect a branch: a pull request and these statuses are required of all but these."""
        names = {each.login: each for each in but}
        self.settings["protection"] = {
            "branch": branch, "contexts": list(contexts), "but": list(names.values()),
        }  # fmt: skip
        line = f"refs/heads/{branch} {' '.join(str(each.id) for each in names.values())}\n"
        (self.repo.path / "protected").write_text(line, encoding="utf-8")

    @contextmanager
    def by_path(self, who: Account) -> Iterator[None]:
        """Whoever pushes by the path of the game's repository is this account, and the forge takes note of it.

        Nothing is asked of a token, and no request is made: it is for what would be the same over HTTP, which is dearer.
        """
        with pytest.MonkeyPatch.context() as patched:
            patched.setenv("FAKE_BY_PATH", f"{who.id}")
            try:
                yield
            finally:
                self.notice()

    def notice(self) -> None:
        """Take note of what was pushed so."""
        marker = self.repo.path / "pushed"
        if marker.exists():
            who = self.accounts[int(marker.read_text(encoding="ascii"))]
            marker.unlink()
            self.pushed(self.repo, who)

    def pushed(self, repo: Repo, who: Account) -> None:
        """Take note of what a push has moved: heads of pull requests, and what it merged."""
        old, new = repo.refs, gitside.heads(repo.path)
        repo.refs = new
        moved = {
            name: (old.get(name, gitside.NONE), new.get(name, gitside.NONE))
            for name in old.keys() | new.keys()
        }
        moved = {name: (a, b) for name, (a, b) in moved.items() if a != b}
        for pull in self.pulls():
            if pull.head is repo and pull.head_ref in moved and pull.state == "open":
                self._follow(pull, moved[pull.head_ref][1], who)
        if repo is self.repo:
            for branch, (before, after) in moved.items():
                self._merges(branch, gitside.gained(repo.path, before, after), after, who)

    def _follow(self, pull: Pull, head: str, who: Account) -> None:
        if head == gitside.NONE:
            self.close(who, pull)
            return
        before, pull.head_sha, pull.mergeable = pull.head_sha, head, None
        self._take(pull)
        pull.updated_at = self.clock.now
        if gitside.forced(self.repo.path, before, head):
            self._event(pull, "HeadRefForcePushedEvent", who, before=before, after=head)
            if self._in_base(pull):
                self.close(who, pull)  # no commits are left of it, and GitHub closes it for good

    def _in_base(self, pull: Pull) -> bool:
        path = self.repo.path
        return pull.head_sha not in gitside.gained(path, gitside.heads(path)[pull.base_ref], pull.head_sha)

    def reopen(self, who: Account, thread: Thread) -> None:
        """Open it again; what was closed for want of commits, or moved otherwise than on since, is not."""
        if isinstance(thread, Pull) and thread.head is not None:
            tip = thread.head.refs.get(thread.head_ref)
            if tip is None or gitside.forced(self.repo.path, thread.head_sha, tip) or self._in_base(thread):
                raise Refusal(422, "Could not open the pull request.")
        super().reopen(who, thread)
        if isinstance(thread, Pull) and thread.head is not None:
            self._follow(thread, thread.head.refs[thread.head_ref], who)

    def retarget(self, who: Account, pull: Pull, base: str) -> None:
        """Set a pull request to another branch of the game's repository."""
        if who is not pull.author and not self.may(who, "write"):
            raise Refusal(403, "Resource not accessible", "FORBIDDEN")
        pull.base_ref, pull.base_sha = base, gitside.heads(self.repo.path)[base]
        pull.updated_at, pull.mergeable = self.clock.now, None

    def rename_branch(self, who: Account, pull: Pull, name: str) -> None:
        """Rename the branch that a pull request comes from: for the forge that one is gone."""
        assert pull.head is not None
        gitside.git(pull.head.path, "branch", "-m", pull.head_ref, name)
        self.pushed(pull.head, who)

    def _take(self, pull: Pull) -> None:
        gitside.name(self.repo.path, f"refs/pull/{pull.number}/head", pull.head_sha)

    def _merges(self, branch: str, gained: set[str], tip: str, who: Account) -> None:
        for pull in self.pulls():
            if pull.base_ref == branch and pull.state == "open":
                pull.mergeable = None
                if pull.head_sha in gained:
                    self._merged(pull, who, tip)

    def _merged(self, pull: Pull, who: Account, by_commit: str) -> None:
        pull.state, pull.merged_at, pull.merged_by = "closed", self.clock.now, who
        pull.merge_commit, pull.closed_at, pull.closed_by = by_commit, self.clock.now, who
        pull.updated_at = self.clock.now
        self._event(pull, "MergedEvent", who)
        self._event(pull, "ClosedEvent", who)

    def settle(self, pull: Pull) -> bool:
        """Work out whether a pull request merges cleanly, and its merge ref. Gives whether it does."""
        path = self.repo.path
        base = gitside.heads(path)[pull.base_ref]
        tree = gitside.merged(path, base, pull.head_sha)
        pull.mergeable = tree is not None
        if tree:
            made = gitside.merge_commit(
                path, tree, base, pull.head_sha, f"Merge #{pull.number}", self.clock.now
            )
            gitside.git(path, "update-ref", f"refs/pull/{pull.number}/merge", made)
        return pull.mergeable

    def merge(self, who: Account, pull: Pull, *, sha: str | None = None) -> str:
        """The Merge button: a merge commit on the base branch; gives it."""
        protection = self.settings.get("protection") or {}
        if not self.may(who, "write"):
            raise Refusal(403, "Resource not accessible by integration", "FORBIDDEN")
        if sha not in (None, pull.head_sha):
            raise Refusal(409, "Head branch was modified. Review and try the merge again.")
        if pull.state != "open" or pull.draft or not self.settle(pull):
            raise Refusal(405, "Pull Request is not mergeable")
        needed = protection["contexts"] if protection.get("branch") == pull.base_ref else []
        for context in (*needed, *rulesets.contexts(self)):
            status = self.status(pull.head_sha, context)
            if status is None or status.state != "success":
                raise Refusal(405, f'Required status check "{context}" is expected.')
        path = self.repo.path
        made = gitside.git(path, "rev-parse", f"refs/pull/{pull.number}/merge")
        gitside.git(path, "update-ref", f"refs/heads/{pull.base_ref}", made)
        self.pushed(self.repo, who)
        return made

    def open_pull(
        self,
        who: Account,
        *,
        head: str,
        title: str = "A proposal",
        body: str = "",
        base: str = "main",
        repo: Repo | None = None,
        draft: bool = False,
        labels: Iterable[str] = (),
    ) -> Pull:
        """Open a pull request from a branch of a fork (by default who opens it) or of the repository itself."""
        repo = repo or (self.repo if self.may(who, "write") else self.fork(who))
        tip = gitside.heads(repo.path).get(head)
        if tip is None:
            raise Refusal(422, "Validation Failed: head is invalid")
        now = self.clock.now
        number = next(self._numbers)
        pull = Pull(
            number,
            title,
            body,
            who,
            now,
            now,
            head=repo,
            head_ref=head,
            head_sha=tip,
            base_ref=base,
            draft=draft,
        )
        pull.base_sha = gitside.heads(self.repo.path)[base]
        self._take(pull)
        self._name(pull, labels)
        self.threads[number] = pull
        return pull
