"""The headers of a deed's commit: exactly those that its deed makes, a signature allowed. Each other one is named."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hostile.forging import Forger
from hostile.small import Small
from support.clones import Clone

from nomicgit.git import Repository
from nomicgit.ground.problems import Refused
from nomicgit.physics.deed import Deed, Origin
from nomicgit.record import journal
from nomicgit.record.game import Game, new_id

SIGNATURE = (
    b"gpgsig -----BEGIN SSH SIGNATURE-----\n"
    b" U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgJKxoLBJBivUPNTUJUSslQTt2hD\n"
    b" 5kVvZW1hIG1hIHNpZw\n"
    b" -----END SSH SIGNATURE-----"
)
PGP = b"gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQEzBAABCAAdFiEE\n =qT1a\n -----END PGP SIGNATURE-----"


@pytest.fixture
def small(tmp_path: Path) -> Small:
    small = Small.found(tmp_path / "game", forge={"github": "ana/attic"})
    small.do("cy", "earn", n=3)
    return small


def rewritten(small: Small, change: Callable[[bytes, bytes], bytes]) -> str:
    """The commit at the head written by hand, from its headers and its message; gives the new one."""
    head, _, message = small.git("cat-file", "commit", "HEAD").encode().partition(b"\n\n")
    made = small.git(
        "hash-object", "-t", "commit", "-w", "--literally", "--stdin", given=change(head, message)
    )
    small.git("update-ref", "refs/heads/main", made.strip())
    return made.strip()


def submitted(small: Small, branch: str) -> None:
    """A matter is submitted with a branch, and carried by two votes."""
    small.at += 60
    given = {"title": "News", "changes": [{"add-rule": {"title": "News", "text": "Words."}}]}
    game = Game.open(small.folder)
    with game.repository:
        game.act(Deed(new_id(small.at), "cy", "propose", given, small.at, branch=branch))
    for voter in ("cy", "dee"):
        small.do(voter, "vote", matter="posts/1", icon="for")


def header(line: bytes) -> Callable[[bytes, bytes], bytes]:
    """One header more."""
    return lambda head, message: head + b"\n" + line + b"\n\n" + message


def swapped(old: bytes, new: bytes) -> Callable[[bytes, bytes], bytes]:
    """A passage of the headers changed."""

    def change(head: bytes, message: bytes) -> bytes:
        assert old in head
        return head.replace(old, new) + b"\n\n" + message

    return change


CY = b"committer cy <cy@nomicgit.invalid> 1"

FORGED: dict[str, tuple[Callable[[bytes, bytes], bytes], str]] = {
    "an encoding": (header(b"encoding UTF-7"), "encoding UTF-7"),
    "a header that nobody knows": (header(b"x-by ana"), "x-by ana"),
    "a tag merged": (header(b"mergetag object " + b"0" * 40 + b"\n type commit"), "mergetag"),
    "a second author": (header(b"author ana <ana@nomicgit.invalid> 1623000000 +0000"), "author ana"),
    "a parent after the rest": (header(b"parent " + b"0" * 40), "parent 000"),
    "a signature that is none": (header(b"gpgsig garbage"), "gpgsig garbage"),
    "a signature that signs nothing": (header(SIGNATURE.replace(b"U1NI", b"U1N")), "gpgsig"),
    "a signature with too much behind its last letter": (header(SIGNATURE.replace(b"Zw\n", b"Zw==\n")), "gpgsig"),
    "a signature with more behind it": (header(SIGNATURE + b"\n more"), "gpgsig"),
    "two signatures": (header(SIGNATURE + b"\n" + SIGNATURE), "gpgsig"),
    "a signature without end": (header(SIGNATURE.replace(b" 5kV", b" " + b"AAAA" * 19 + b"\n 5kV", 1) * 90), "gpgsig"),
    "another committer": (swapped(b"committer cy", b"committer ben"), "committer ben"),
    "another e-mail": (swapped(b"<cy@nomicgit.invalid>", b"<ana@example.org>"), "ana@example.org"),
    "another zone": (swapped(b"+0000", b"+1400"), "+1400"),
    "another time of the committer": (swapped(CY, CY + b"7"), "committer cy"),
    "a blank in the name": (swapped(b"author cy <", b"author  cy <"), "cy"),
    "bytes that are no text": (lambda head, message: head + b"\n\n" + message.replace(b"3", b"\xff", 1), "its message"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "said"), FORGED.values(), ids=FORGED.keys())
def test_what_no_deed_makes_is_named(
    small: Small, change: Callable[[bytes, bytes], bytes], said: str
) -> None:
    made = rewritten(small, change)
    faults = small.faults()
    assert list(faults) == [made]
    assert said in " / ".join(faults[made])


@pytest.mark.parametrize("signature", [SIGNATURE, PGP])
def test_a_deed_may_be_signed(small: Small, signature: bytes) -> None:
    rewritten(small, header(signature))
    assert small.faults() == {}


def test_a_signature_that_git_makes(small: Small, tmp_path: Path) -> None:
    key = tmp_path / "key"
    made = subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=False, capture_output=True
    )
    if made.returncode:
        pytest.skip("there is no ssh-keygen here")
    at = small.git("log", "-1", "--format=%at").strip()
    who = {"NAME": "cy", "EMAIL": "cy@nomicgit.invalid", "DATE": f"{at} +0000"}
    env = {f"GIT_{role}_{what}": text for role in ("AUTHOR", "COMMITTER") for what, text in who.items()}
    signed = ("-c", "gpg.format=ssh", "-c", f"user.signingkey={key}.pub")
    message = small.git("log", "-1", "--format=%B").rstrip("\n") + "\n"
    commit = small.git(*signed, "commit-tree", "-S", "HEAD^{tree}", "-p", "HEAD~1", given=message.encode(), env=env)  # fmt: skip
    assert "gpgsig -----BEGIN SSH" in small.git("cat-file", "commit", commit.strip())
    small.git("update-ref", "refs/heads/main", commit.strip())
    assert small.faults() == {}


def test_a_message_in_other_bytes_is_named(small: Small) -> None:
    """A mark for what cannot be read may be a player's own; the bytes that cannot be read are none."""
    small.do("cy", "set", path="players.cy.motto", value="�")
    small.do("cy", "story", title="�", body="")
    made = rewritten(small, lambda head, message: head + b"\n\n" + message.replace("�".encode(), b"\xff", 1))
    assert "holds bytes that are no text" in " ".join(small.faults()[made])


def answered(small: Small, *events: str) -> str:
    """A deed that answers events of a forge; its commit."""
    small.at += 60
    game = Game.open(small.folder)
    deed = Deed(new_id(small.at), "cy", "earn", {"n": 1}, small.at, origin=Origin(events))
    with game.repository:
        return game.act(deed).commit


def test_an_event_of_a_forge_is_answered_once(small: Small) -> None:
    answered(small, "comment-1", "pull-2")
    answered(small, "pull-2-review-1")
    answered(small, "comment-3", "pull-2")
    assert small.faults() == {}
    again = {event: answered(small, event) for event in ("comment-1", "pull-2-review-1")}
    faults = small.faults()
    assert list(faults) == [*again.values()]
    for event, commit in again.items():
        assert f"the event {event} of the forge was answered already" in faults[commit][0]


def test_a_branch_is_merged_once(small: Small) -> None:
    forger = Forger(small)
    tip = forger.commits()[-1]
    branch = forger.forge(tip, parents=(tip.oid,), message="words").oid
    submitted(small, branch)
    small.do("ben", "resolve", matter="posts/1")
    assert small.git("log", "-1", "--format=%P").split()[1:] == [branch]
    assert small.faults() == {}
    twice = f"parent {branch}".encode()
    made = rewritten(small, swapped(twice, twice + b"\n" + twice))
    assert "in another order, or twice" in " ".join(small.faults()[made])


@pytest.mark.slow
def test_what_a_deed_does_not_enact_is_seen_without_replaying(
    small: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Status, check and sync name a deed that merges a stranger's commit, though that holds no deeds; not one that enacts it."""
    monkeypatch.setenv("NO_COLOR", "1")
    forger, here = Forger(small), Clone(tmp_path)
    tip = forger.commits()[-1]
    branch = forger.forge(tip, parents=(tip.oid,), message="words").oid
    foreign = forger.forge(
        tip, parents=(), tree=forger.tree(tip.tree, {"book": b"words"}), message="book"
    ).oid
    submitted(small, branch)
    here.git("clone", "--quiet", "--bare", "game", "bare.git")
    here.git("clone", "--quiet", "bare.git", "other")
    other, game = Clone(tmp_path / "other"), Clone(small.folder)
    other.play("me", "ana")
    small.do("ben", "resolve", matter="posts/1")
    assert "no deed" not in game.play("status")
    good, lawful = small.head(), f"parent {branch}".encode()
    for parents in (b"parent " + foreign.encode(), lawful + b"\nparent " + foreign.encode()):
        game.git("reset", "--quiet", "--hard", good)
        made = rewritten(small, swapped(lawful, parents))
        assert "its deed does not enact" in " ".join(small.faults()[made])
        named = f"commit {made[:12]} in the name of ben"
        for command in ("status", "check"):
            said = game.play(command, code=1)
            assert named in said
            assert f"it merges {foreign[:12]}, which its deed does not enact" in said
    game.git("push", "--quiet", "../bare.git", "HEAD:refs/heads/main")
    assert named in other.play("sync", code=1)
    assert named in other.play("status", code=1)


def test_evidence_is_bounded(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    """An undo carries what it takes back; of a deed that is refused for it nothing is recorded."""
    deed = small.do("cy", "earn", n=5).outcome.deed.id
    monkeypatch.setattr(journal, "MOST_EVIDENCE", 100)
    head = small.head()
    small.do("cy", "propose", title="Back", changes=[{"undo": deed}])
    for voter in ("cy", "dee"):
        small.do(voter, "vote", matter="posts/1", icon="for")
    with pytest.raises(Refused, match="more of earlier deeds than can stand in the record"):
        small.do("ben", "resolve", matter="posts/1")
    assert small.git("rev-list", "--count", f"{head}..HEAD").strip() == "3"
    monkeypatch.undo()
    small.do("ben", "resolve", matter="posts/1")
    monkeypatch.setattr(journal, "MOST_EVIDENCE", 100)
    assert "more of earlier deeds" in small.faults()[small.head()][0]


def test_the_headers_of_a_founding(tmp_path: Path) -> None:
    small = Small.found(tmp_path / "game")
    made = rewritten(small, swapped(b"<founder@", b"<ana@"))
    assert "ana@nomicgit.invalid" in small.faults()[made][0]
    with Repository.open(small.folder) as repository:
        assert repository.head() == made
