"""People on the forge and what they say there: threads, comments, reviews, labels, statuses. No Git."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from fakegithub.permissions import Grant
from fakegithub.things import ROLES, Account, Clock, Comment, Event, Pull, Refusal, Review, Status, Thread

_STATES = {"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED"}


class Talk:
    """Accounts with their roles and tokens, and the threads of one repository.

    ``edits_touch``: whether an edited comment counts as a change of its thread; GitHub does not say. ``broken``: a
    part of threads (comments, reviews, or the body of comments) that GraphQL stumbles over. ``lag``: threads that
    GraphQL shows as they were at an instant. ``grant``: what the token of the request at hand may, None where it may all.
    """

    def __init__(self, at: int) -> None:
        self.clock = Clock(at)
        self.edits_touch = False
        self.broken = ""
        self.lag: dict[int, int] = {}
        self.accounts: dict[int, Account] = {}
        self.roles: dict[int, str] = {}
        self.tokens: dict[str, Account] = {}
        self.grants: dict[str, Grant] = {}
        self.grant: Grant | None = None
        self.threads: dict[int, Thread] = {}
        self.labels: dict[str, str] = {}
        self.statuses: list[Status] = []
        self.settings: dict[str, Any] = {}
        self._ids = itertools.count(1001)
        self._comment_ids = itertools.count(3_000_000_001)  # beyond 32 bits, as GitHub's are
        self._review_ids = itertools.count(4_000_000_001)
        self._event_ids = itertools.count(1)
        self._numbers = itertools.count(1)

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

    def fine_grained_token(self, who: Account, grant: Grant) -> str:
        """A token of somebody's that may just this: permissions by GitHub's names, each with ``read`` or ``write``."""
        token = self.another_token(who)
        self.grants[token] = dict(grant)
        return token

    def role(self, who: Account, role: str) -> None:
        """Give somebody another role in the game's repository."""
        self.roles[who.id] = role

    def may(self, who: Account | None, role: str) -> bool:
        """Whether somebody has at least this role."""
        return who is not None and ROLES.index(self.roles.get(who.id, "none")) >= ROLES.index(role)

    def login(self, name: str) -> Account | None:
        """Who has this login now."""
        found = (
            each for each in self.accounts.values() if each.login.lower() == name.lower() and not each.deleted
        )
        return next(found, None)

    def pulls(self) -> list[Pull]:
        """All pull requests."""
        return [each for each in self.threads.values() if isinstance(each, Pull)]

    def issue(self, who: Account, title: str, body: str = "", labels: Iterable[str] = ()) -> Thread:
        """Open an issue. A form's labels are given whoever fills it in."""
        number, now = next(self._numbers), self.clock.now
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
            what.body, what.edited_at, what.editor = body, now, who
        if isinstance(what, Comment):
            what.updated_at = now
        if isinstance(what, Thread):
            if title not in (None, what.title):
                self._event(what, "RenamedTitleEvent", who, was=what.title, title=title)
                what.title = str(title)
            what.updated_at = now
        elif self.edits_touch or isinstance(what, Review):
            self.threads[what.number].updated_at = now

    def comment(self, who: Account, on: Thread, body: str) -> Comment:
        """Say something on a pull request or an issue."""
        if not body.strip():
            raise Refusal(422, "Body cannot be blank")
        if len(body) > 65536:
            raise Refusal(422, "Body is too long (maximum is 65536 characters)")
        if on.locked and (who.kind == "Bot" or not self.may(who, "write")):
            raise Refusal(403, "Unable to create comment because issue is locked.")
        now = self.clock.now
        made = Comment(next(self._comment_ids), on.number, who, body, now, now)
        on.comments.append(made)
        on.updated_at = now
        return made

    def lock(self, thread: Thread, *, locked: bool = True) -> None:
        """Lock a conversation, or open it again: machines may say nothing in it, though they may write."""
        thread.locked, thread.updated_at = locked, self.clock.now

    def remove(self, thread: Thread) -> None:
        """Delete a thread, or transfer it: here it is gone, and no other gets its number."""
        del self.threads[thread.number]

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

    def delete_labels(self) -> None:
        """Somebody deletes all labels of the repository; no thread has any then."""
        self.labels.clear()
        for thread in self.threads.values():
            thread.labels.clear()

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
