"""What a pull request proposes: its title, what it says, and the changes of its branch and of its own text.

Its branch is read as Git's objects; nothing of it is checked out, and nothing in it is run outside the worker.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from typing import Any

from msgspec import Struct

from nomicgit.git import Repository
from nomicgit.ground import clock, files
from nomicgit.ground.problems import Malformed, NomicError, Problem, Refused
from nomicgit.ground.remedies import command, remedy
from nomicgit.outlook import branches
from nomicgit.physics.deed import Proof
from nomicgit.physics.deeds.matters import content_hash
from nomicgit.physics.state.writing import heading
from nomicgit.record.proven import AGAIN
from nomicgit.steward.seen import Pull
from nomicgit.steward.unhidden import shown

WORKFLOWS = ".github/workflows"
_BLOCK = re.compile(
    r"^(?P<fence>`{3,}|~{3,})[ \t]*changes[ \t]*\n(?P<text>.*?)^(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL
)
_SIGNED = re.compile(
    r"^(?P<fence>`{3,}|~{3,})[ \t]*signed[ \t]*\n(?P<text>.*?)^(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL
)
_PROOF = re.compile(r"(?P<by>\S{1,60}) (?P<at>\S{20})\n(?P<armour>-----BEGIN .*)", re.DOTALL)
_TAG = re.compile(r"\[([^\[\]]{1,40})\]|tag:\s*(\S.{0,40})")


class Words(Struct, frozen=True):
    """What a pull request says beside its branch: the post's title, its body, tags, changes written by hand, and that its author
    has signed it.
    """

    title: str
    body: str
    tags: tuple[str, ...]
    block: tuple[Mapping[str, Any], ...]
    proof: Proof | None = None

    def matter(self, changes: Sequence[Mapping[str, Any]], takes: Container[str]) -> dict[str, Any]:
        """The parameters of the matter that is proposed, of those that its action takes."""
        matter = {"title": self.title, "body": self.body, "tags": list(self.tags), "changes": list(changes)}
        return {key: value for key, value in matter.items() if key in takes and value not in ("", [])}


def words_of(pull: Pull) -> Words:
    """The words of a pull request. Refused where its block of changes, or of its signature, is none."""
    return words_in(pull.title, pull.body, pull.labels)


def words_in(title: str, text: str, labels: Sequence[str]) -> Words:
    """The words of such a title, text and labels. Refused as above.

    Labels such as ``[Core]`` or ``tag: Core`` are tags; comments of HTML, which templates leave, are dropped.
    """
    body = shown(text)
    block = [change for match in _BLOCK.finditer(body) for change in _listed(match["text"])]
    tags = [match[1] or match[2] for label in labels if (match := _TAG.fullmatch(label))]
    rest = re.sub(r"\n{3,}", "\n\n", _SIGNED.sub("", _BLOCK.sub("", body)))
    proofs = [_proof(match["text"]) for match in _SIGNED.finditer(body)]
    if len(proofs) > 1:
        raise Refused.of("it has more than one block that says who has signed it", mend="leave one")
    return Words(
        heading(title),
        rest.strip("\n"),
        tuple(tag.strip() for tag in tags),
        tuple(block),
        next(iter(proofs), None),
    )


def _proof(text: str) -> Proof:
    match = _PROOF.fullmatch(text)
    try:
        if match is not None:
            return Proof(0, match["by"], clock.instant(match["at"]), match["armour"])
    except Malformed:
        pass
    raise Refused.of("the block that says who has signed it has not its form", mend=AGAIN)


def signed_block(proof: Proof) -> str:
    """How the text of a pull request says what its author has signed."""
    return f"```signed\n{proof.by} {clock.text(proof.at)}\n{proof.signature}```\n"


def _listed(text: str) -> Sequence[Mapping[str, Any]]:
    changes = files.read(text, "the block of changes")
    if not isinstance(changes, list) or not all(isinstance(each, dict) for each in changes):
        mend = "such as: - {repeal: Moonlight}"
        raise Refused.of("the block of changes must hold a list of changes", mend=mend)
    return changes


def refuse_both(block: Sequence[Mapping[str, Any]]) -> None:
    """Refuse a block beside a branch that changes the game, where it changes what a branch does."""
    if any(branches.of_branch(dict(change)) for change in block):
        raise Refused.of(
            "rules are changed by the branch and by the block of changes both",
            mend="put the changes of rules and scenarios into the branch alone, or into the block alone",
        )


class Branches:
    """The branches of pull requests in a clone, and what they say; what was found once is remembered."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._same: dict[tuple[str, str, str], bool | None] = {}
        self._bases: dict[tuple[str, str], str] = {}

    def changes(self, game: str, head: str, block: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The changes of a branch, then those written by hand. Refused, with file and line, where they cannot be.

        ``game`` is the commit at the game's head.
        """
        base = self._base(game, head)
        on_its_way = self._on_its_way(base, head)
        if self._changes_nothing(base, head) and block:
            if on_its_way:
                raise Refused(*on_its_way)
            return [dict(change) for change in block]
        refuse_both(block)
        try:
            expressed = branches.changes_of(self._repository, base, head)
        except NomicError as wrong:
            raise type(wrong)(*wrong.problems, *on_its_way) from None
        if on_its_way:
            raise Refused(*on_its_way)
        return [*map(dict, expressed.changes), *map(dict, block)]

    def _on_its_way(self, base: str, head: str) -> tuple[Problem, ...]:
        """That a commit on the way changes workflows, though perhaps its end does not: the forge would not let it be merged."""
        commit = self._repository.touching(base, head, WORKFLOWS)
        if commit is None:
            return ()
        what = f"the branch's commit {commit[:12]} changes {WORKFLOWS}, which the forge lets nobody merge"
        return (Problem(what, mend=_squashed(base)),)

    def same(self, game: str, post: Mapping[str, Any], commit: str) -> bool | None:
        """Whether a commit says what a post brings; None where the commit says nothing of rules at all."""
        if commit == post.get("branch_head"):
            return True
        key = (game, str(post.get("hash")), commit)
        if key not in self._same:
            self._same[key] = self._compared(game, post, commit)
        return self._same[key]

    def show_other(self, game: str, post: Mapping[str, Any], pull: Pull) -> bool:
        """Whether a pull request, its branch or its block, shows something else than its post brings."""
        same = self.same(game, post, pull.head_sha)
        if same is False:
            return True
        try:
            block = words_of(pull).block
            if brings(post, block) or (same and not block):
                return False
            return not (same and brings(post, self.changes(game, pull.head_sha, block)))
        except NomicError:
            return True

    def _compared(self, game: str, post: Mapping[str, Any], commit: str) -> bool | None:
        try:
            base = self._base(game, commit)
            if self._changes_nothing(base, commit):
                return None
            return branches.still_gives(self._repository, post.get("changes") or [], base, commit)
        except NomicError:
            return False

    def _changes_nothing(self, base: str, head: str) -> bool:
        trees = [self._repository.commit(oid).tree for oid in (base, head)]
        return trees[0] == trees[1]

    def _base(self, game: str, head: str) -> str:
        if (game, head) not in self._bases:
            self._bases[game, head] = branches.ends(self._repository, head, game)[0]
        return self._bases[game, head]


def _squashed(base: str) -> str:
    """What to do with a branch since that commit, where what lies on its way is in the way."""
    return remedy(
        "squash it into one commit, and push that:",
        command("git", "reset", "--soft", base),
        command("git", "commit"),
        command("git", "push", "--force-with-lease"),
    )


def brings(post: Mapping[str, Any], changes: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a post brings just these changes."""
    return bool(changes) and post.get("hash") == content_hash(changes)
