"""The forge's own state, and the deeds that people do on it: by hand in a test, or through the server."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from fakegithub import gitside
from fakegithub.things import (
    ROLES,
    Account,
    Clock,
    Comment,
    Event,
    Pull,
    Refusal,
    Repo,
    Review,
    Status,
    Thread,
)

START = 1_767_225_600  # 2026-01-01T00:00:00Z
_STATES = {"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED"}
_T = TypeVar("_T", bound=Thread)


class World:
    """One game's repository on a forge, with its people, forks and threads.

    ``edits_touch``: whether an edited comment counts as a change of its thread; GitHub does not say. ``broken``: a
    part of threads, comments or reviews, that GraphQL stumbles over. ``lag``: threads that GraphQL shows as they were
    at an instant.
    """

    def __init__(self, root: Path, repository: str = "nomic-club/game", *, at: int = START) -> None:
        self.root = root
        self.clock = Clock(at)
        self.edits_touch = False
        self.broken = ""
        self.lag: dict[int, int] = {}
        self.accounts: dict[int, Account] = {}
        self.roles: dict[int, str] = {}
        self.tokens: dict[str, Account] = {}
        self.threads: dict[int, Thread] = {}
        self.labels: dict[str, str] = {}
        self.statuses: list[Status] = []
        self.forks: list[Repo] = []
        self.settings: dict[str, Any] = {}
        self._network: list[Repo] = []
        self._ids = itertools.count(1001)
        self._comment_ids = itertools.count(3_000_000_001)  # beyond 32 bits, as GitHub's are
        self._review_ids = itertools.count(4_000_000_001)
        self._event_ids = itertools.count(1)
        owner, _, name = repository.partition("/")
        self.owner = self.user(owner, kind="Organization")
        self.repo = self._repo(self.owner, name)
        gitside.found(self.repo.path)
        self.steward = self.user("github-actions[bot]", kind="Bot", role="write", id=41898282)

    # People

    def user(self, login: str, *, kind: str = "User", role: str = "none", id: int | None = None) -> Account:
        """A new account. Organization members who may only read have the role ``read``."""
        made = Account(next(self._ids) if id is None else id, login, kind, at=self.clock.now)
        self.accounts[made.id] = made
        self.roles[made.id] = role
        self.tokens[f"token-of-{made.id}"] = made
        return made

    def token(self, who: Account) -> str:
        """The token with which somebody speaks to the server."""
        return f"token-of-{who.id}"

    def another_token(self, who: Account) -> str:
        """One more token of the same account, as every run of a workflow gets one of its own."""
        token = f"token-{len(self.tokens)}-of-{who.id}"
        self.tokens[token] = who
        return token

    def role(self, who: Account, role: str) -> None:
        """Give somebody another role in the game's repository."""
        self.roles[who.id] = role

    def rename(self, who: Account, login: str) -> None:
        """Somebody takes another login; their number stays. Their forks move with them."""
        mine = [repo for repo in self.forks if repo.owner is who]
        who.login = login
        for repo in mine:
            target = self.root / f"{repo.full_name}.git"
            target.parent.mkdir(exist_ok=True)
            repo.path = repo.path.rename(target)
        self._share()

    def delete(self, who: Account) -> None:
        """Delete an account: what it said stays, without its name; its forks go."""
        who.deleted = True
        self.tokens = {token: each for token, each in self.tokens.items() if each is not who}
        for repo in [repo for repo in self.forks if repo.owner is who]:
            self.delete_fork(repo)

    def may(self, who: Account | None, role: str) -> bool:
        """Whether somebody has at least this role."""
        return who is not None and ROLES.index(self.roles.get(who.id, "none")) >= ROLES.index(role)

    def login(self, name: str) -> Account | None:
        """Who has this login now."""
        found = (
            each for each in self.accounts.values() if each.login.lower() == name.lower() and not each.deleted
        )
        return next(found, None)

    # Repositories

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
        if protection.get("branch") == pull.base_ref:
            for context in protection["contexts"]:
                status = self.status(pull.head_sha, context)
                if status is None or status.state != "success":
                    raise Refusal(405, f'Required status check "{context}" is expected.')
        path = self.repo.path
        made = gitside.git(path, "rev-parse", f"refs/pull/{pull.number}/merge")
        gitside.git(path, "update-ref", f"refs/heads/{pull.base_ref}", made)
        self.pushed(self.repo, who)
        return made

    # Threads

    def pulls(self) -> list[Pull]:
        """All pull requests."""
        return [each for each in self.threads.values() if isinstance(each, Pull)]

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
        number = len(self.threads) + 1
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

    def issue(self, who: Account, title: str, body: str = "", labels: Iterable[str] = ()) -> Thread:
        """Open an issue. A form's labels are given whoever fills it in."""
        number, now = len(self.threads) + 1, self.clock.now
        made = Thread(number, title, body, who, now, now)
        self._name(made, labels)
        self.threads[number] = made
        return made

    def edit(
        self,
        who: Account,
        what: Thread | Comment | Review,
        body: str | None = None,
        *,
        title: str | None = None,
    ) -> None:
        """Edit a text of one's own, or, with write access, of anyone."""
        if what.author is not who and not self.may(who, "write"):
            raise Refusal(403, "Must have write access to edit what others wrote", "FORBIDDEN")
        now = self.clock.now
        if body is not None:
            what.body, what.edited_at = body, now
        if isinstance(what, Comment):
            what.updated_at = now
        if isinstance(what, Thread):
            what.title = title if title is not None else what.title
            what.updated_at = now
        elif self.edits_touch or isinstance(what, Review):
            self.threads[what.number].updated_at = now

    def comment(self, who: Account, on: Thread, body: str) -> Comment:
        """Say something on a pull request or an issue."""
        if not body.strip():
            raise Refusal(422, "Body cannot be blank")
        if len(body) > 65536:
            raise Refusal(422, "Body is too long (maximum is 65536 characters)")
        now = self.clock.now
        made = Comment(next(self._comment_ids), on.number, who, body, now, now)
        on.comments.append(made)
        on.updated_at = now
        return made

    def delete_comment(self, who: Account, comment: Comment) -> None:
        """Delete a comment; the timeline keeps that one was there."""
        thread = self.threads[comment.number]
        thread.comments.remove(comment)
        self._event(thread, "CommentDeletedEvent", who, author=comment.author)

    def review(
        self, who: Account, pull: Pull, state: str, body: str = "", *, commit: str | None = None
    ) -> Review:
        """Review a pull request: APPROVED, CHANGES_REQUESTED, COMMENTED, or PENDING (still being written)."""
        state = _STATES.get(state, state)
        if who is pull.author and state in ("APPROVED", "CHANGES_REQUESTED"):
            verb = "approve" if state == "APPROVED" else "request changes on"
            raise Refusal(422, f"Can not {verb} your own pull request")
        if state in ("CHANGES_REQUESTED", "COMMENTED") and not body:
            raise Refusal(422, "Body is required")
        now = self.clock.now
        made = Review(next(self._review_ids), pull.number, who, state, body, commit or pull.head_sha, now)
        pull.reviews.append(made)
        pull.updated_at = now
        return made

    def dismiss(self, who: Account, review: Review, message: str = "out of date") -> None:
        """Dismiss an approval or a request for changes."""
        if not self.may(who, "write"):
            raise Refusal(403, "Must have write access to dismiss reviews", "FORBIDDEN")
        if review.state not in ("APPROVED", "CHANGES_REQUESTED"):
            raise Refusal(422, "Can not dismiss a commented pull request review")
        pull = self.threads[review.number]
        self._event(pull, "ReviewDismissedEvent", who, review=review, was=review.state, message=message)
        review.state = "DISMISSED"
        pull.updated_at = self.clock.now

    def close(self, who: Account, thread: Thread, reason: str = "completed") -> None:
        """Close a pull request or an issue: one's own, or, with triage access, anyone's."""
        if who is not thread.author and not self.may(who, "triage"):
            raise Refusal(403, "Resource not accessible", "FORBIDDEN")
        if thread.state == "closed":
            return
        thread.state, thread.closed_at, thread.closed_by = "closed", self.clock.now, who
        thread.reason = None if isinstance(thread, Pull) else reason
        thread.updated_at = self.clock.now
        self._event(thread, "ClosedEvent", who)

    def reopen(self, who: Account, thread: Thread) -> None:
        """Open it again."""
        if who is not thread.author and not self.may(who, "triage"):
            raise Refusal(403, "Resource not accessible", "FORBIDDEN")
        if isinstance(thread, Pull) and (thread.merged or thread.head is None):
            raise Refusal(422, "Could not open the pull request.")
        thread.state, thread.closed_at, thread.closed_by, thread.reason = "open", None, None, None
        thread.updated_at = self.clock.now
        self._event(thread, "ReopenedEvent", who)

    def ready(self, pull: Pull, *, draft: bool = False) -> None:
        """Mark a draft as ready for review, or back."""
        pull.draft, pull.updated_at = draft, self.clock.now

    def label(self, who: Account, thread: Thread, names: Iterable[str]) -> None:
        """Put labels on; without triage access they are silently left off, as GitHub does."""
        if self.may(who, "triage"):
            self._name(thread, names)
            thread.updated_at = self.clock.now

    def unlabel(self, who: Account, thread: Thread, names: Iterable[str]) -> None:
        """Take labels off."""
        if not self.may(who, "triage"):
            raise Refusal(403, "Resource not accessible", "FORBIDDEN")
        thread.labels = [
            each for each in thread.labels if each.lower() not in {name.lower() for name in names}
        ]
        thread.updated_at = self.clock.now

    def make_label(self, name: str, colour: str = "ededed") -> str:
        """A label of the repository; its name as it stands there."""
        known = next((each for each in self.labels if each.lower() == name.lower()), None)
        self.labels.setdefault(known or name, colour)
        return known or name

    def _name(self, thread: Thread, names: Iterable[str]) -> None:
        for name in names:
            if (label := self.make_label(name)) not in thread.labels:
                thread.labels.append(label)

    def set_status(
        self, who: Account, sha: str, state: str, context: str, description: str, target: str | None
    ) -> Status:
        """Set a commit's status; the newest of a context counts."""
        if not self.may(who, "write"):
            raise Refusal(403, "Resource not accessible by integration", "FORBIDDEN")
        made = Status(next(self._event_ids), sha, state, context, description, target, who, self.clock.now)
        self.statuses.append(made)
        return made

    def status(self, sha: str, context: str) -> Status | None:
        """The status of a commit that counts."""
        found = [each for each in self.statuses if (each.sha, each.context) == (sha, context)]
        return found[-1] if found else None

    def _event(self, thread: Thread, kind: str, who: Account, **more: Any) -> None:
        thread.events.append(Event(next(self._event_ids), kind, self.clock.now, who, more))
