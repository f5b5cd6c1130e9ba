"""A deed is not laid anew upon what whoever did it has never read: their vote stays with what they voted on."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest
from support.clones import FEW, Clone, game_in_clones, settings

BEES = "{add-rule: {title: Bees, text: Bees hum.}}"
CROWN = "{add-rule: {title: Crown, text: Cy always wins.}}"
REMOVING = {
    **FEW,
    "1-core/21-removing.md": """\
---
title: Removing
actions:
  remove: {with: {post: post}}
---
Whoever has posted something may take it out.

```starlark
def do_remove(actor, post):
    require(get(post, "author") == actor, "it is somebody else's")
    destroy(post)
```
""",
}
_PROPOSALS, _VOTING = "1-core/10-proposals.md", "def do_vote(actor, matter, icon):\n"
_PENDING = f'{_VOTING}    require(get(matter, "status") == "pending", "it is resolved")\n'
SHUT = {**FEW, _PROPOSALS: FEW[_PROPOSALS].replace(_VOTING, _PENDING)}
EDITED = "post 1 has been edited since: read it, and try it once more"


@pytest.mark.slow
def test_a_vote_waits_until_what_the_matter_has_become_was_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben, cy = game_in_clones(tmp_path, ("ana", "ben", "cy"), rules=FEW)
    start = cy.head
    cy.play("propose", "--at", "+1h", "--title", "Bees", "--change", BEES)
    cy.play("sync")
    ana.play("sync")
    ben.play("sync")
    ben.play("vote", "1", "for")
    cy.play("act", "edit-post", "post=1", f"changes=[{CROWN}]")
    cy.play("sync")

    said = ben.play("sync", code=1)
    assert "not done again: ben: vote" in said
    assert EDITED in said
    assert ben.votes(1) == []
    assert "set aside: 1 deed: " in ben.play("status")
    cy.play(
        "act", "edit-post", "post=1", f"changes=[{CROWN.replace('rown', 'lown')}]"
    )  # and once more, before it is tried again
    cy.play("sync")
    assert EDITED in ben.play("sync", "--again", code=1)
    assert ben.votes(1) == []
    assert "\nagain: ben: vote" in ("\n" + ben.play("sync", "--again"))
    assert ben.votes(1) == [("ben", "for")]
    assert "verified" in ben.play("verify")

    ana.play("sync")
    ana.play("vote", "1", "for")
    cy.git("reset", "--quiet", "--hard", start)
    cy.play("propose", "--at", "+2h", "--title", "Crown", "--change", CROWN)
    cy.git("push", "--quiet", "--force", "origin", "main")
    another = "post 1 is another than the one that was meant: read it, and do it again yourself"
    assert another in ana.play("sync", "--accept", code=1)
    assert another in ana.play("sync", "--again", code=1)
    assert ana.votes(1) == []
    ana.play("vote", "1", "against")
    ana.play("sync", "--forget")
    ana.play("sync")
    assert ana.votes(1) == [("ana", "against")]


@pytest.mark.slow
def test_what_was_said_of_an_own_matter_that_git_has_left_out_goes_to_no_other_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben, cy = game_in_clones(tmp_path, ("ana", "ben", "cy"), rules=FEW)
    cy.play("propose", "--title", "Bees", "--change", BEES)
    cy.play("sync")
    ben.play("propose", "--title", "Bees", "--change", CROWN)
    ben.play("vote", "1", "for")
    ben.play("comment", "1", "mine is better")
    subprocess.run(
        ["git", "pull", "-q", "--rebase"], cwd=ben.folder, env=settings(), capture_output=True, check=False
    )
    subprocess.run(
        ["git", "rebase", "--skip"], cwd=ben.folder, env=settings(), capture_output=True, check=True
    )
    assert "ben for" in ben.git("log", "-2", "--format=%B") or ben.votes(1) == [("ben", "for")]
    said = ben.play("sync", code=1)
    assert said.count("it means posts/1, which a deed had made that stands no more") == 2
    assert "posts/1 is posts/2 now" in ben.play(
        "sync", "--again"
    )  # which brings the matter back that it was said of
    ana.play("sync")
    assert (ana.votes(1), ana.votes(2)) == ([], [("ben", "for")])
    assert "verified" in ben.play("verify")


@pytest.mark.slow
def test_what_was_pushed_and_is_forced_away_is_not_done_again_upon_what_stands_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, _, cy = game_in_clones(tmp_path, ("ana", "ben", "cy"), rules=FEW)
    start = cy.head
    cy.play("propose", "--at", "+1h", "--title", "Bees", "--change", BEES)
    cy.play("sync")
    ana.play("sync")
    ana.play("vote", "1", "for")
    ana.play("comment", "1", "bees are good")
    ana.play("sync")
    another = "post 1 is another than the one that was meant"
    for at, title in (
        ("+2h", "Bees"),
        ("+1h", "Bees, and more"),
    ):  # of another deed, though of the same second
        cy.git("reset", "--quiet", "--hard", start)
        cy.play("propose", "--at", at, "--title", title, "--change", CROWN)
        cy.git("push", "--quiet", "--force", "origin", "main")
        ana.play("sync", "--accept")
        for words in (["--dry-run"], [], []):
            assert ana.play("sync", "--again", *words, code=1).count(another) == 2
        assert ana.votes(1) == []


@pytest.mark.slow
def test_what_was_said_under_a_plain_post_goes_to_no_other_that_has_got_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, cy = game_in_clones(tmp_path, ("ana", "cy"), rules=FEW)
    cy.play("post", "I am for peace")
    cy.play("sync")
    ana.play("sync")
    ana.play("comment", "1", "so am I")
    ana.play("sync")
    cy.git("reset", "--quiet", "--hard", "HEAD~1")
    cy.play("post", "I am for war")
    cy.git("push", "--quiet", "--force", "origin", "main")
    ana.play("sync", "--accept")
    another = "post 1 is another than the one that was meant: read it, and do it again yourself"
    assert another in ana.play("sync", "--again", code=1)
    ana.git("grep", "so am I", "--", "game", code=1)


@pytest.mark.slow
def test_what_a_mend_has_set_aside_is_not_done_again_upon_what_was_edited_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben, cy = game_in_clones(tmp_path, ("ana", "ben", "cy"), "--restore", "ana", rules=FEW)
    cy.play("propose", "--at", "+1h", "--title", "Bees", "--change", BEES)
    before = cy.head
    cy.play("sync")
    ben.play("sync")
    ben.play("vote", "1", "for")
    ben.play("sync")
    ana.play("sync")
    ana.play("mend", "--to", before, "--yes")
    ana.play("sync")
    cy.play("sync")
    cy.play("act", "edit-post", "post=1", f"changes=[{CROWN}]")
    cy.play("sync")
    assert "yours: 1 deed: ben: vote" in ben.play("sync")
    assert EDITED in ben.play("sync", "--again", code=1)
    assert ben.votes(1) == []
    said = ben.play("sync", "--again")
    assert "again: ben: vote" in said
    assert "is set aside" not in said
    assert ben.votes(1) == [("ben", "for")]
    assert "verified" in ben.play("verify")


@pytest.mark.slow
def test_an_older_vote_replaces_no_newer_one_of_the_same_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither one that was set aside, nor one that was not pushed while another clone of theirs pushed the newer one."""
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben, cy = game_in_clones(tmp_path, ("ana", "ben", "cy"), rules=FEW)
    cy.play("propose", "--at", "+1h", "--title", "Bees", "--change", BEES)
    cy.play("sync")
    for clone in (ana, ben):
        clone.play("sync")
    ana.play("vote", "1", "for")
    aside = ana.head
    cy.play("act", "edit-post", "post=1", f"changes=[{CROWN}]")
    cy.play("sync")
    assert EDITED in ana.play("sync", code=1)
    ana.play("vote", "1", "against")
    ana.play("sync")
    ana.play("comment", "1", "no crowns")
    said = ana.git("rev-parse", "HEAD")
    ana.git("reset", "--quiet", "--hard", "HEAD~1")
    assert "again: ana: comment" in ana.play("sync", "--again", said[:12])
    since = "you have voted on post 1 since"
    assert since in ana.play("sync", "--again", code=1)
    assert since in ana.play("sync", "--again", aside[:12], code=1)
    assert ana.votes(1) == [("ana", "against")]

    ben.play("sync")
    ana.git("clone", "--quiet", ben.git("remote", "get-url", "origin"), str(tmp_path / "other"))
    other = Clone(tmp_path / "other")
    other.play("me", "ben")
    ben.play("vote", "1", "for", "--at", "+1h")
    other.play("vote", "1", "against", "--at", "+4h")
    other.play("sync")
    assert since in ben.play("sync", code=1)
    assert ben.votes(1)[-1] == ("ben", "against")
    ben.play("vote", "1", "for", "--at", "+1h")
    ben.play("vote", "1", "against", "--at", "+1h")  # of own ones that are laid anew, the last stands
    other.play("comment", "1", "that is all")
    other.play("sync")
    assert ben.play("sync").count("again: ben: vote") == 2
    assert ben.votes(1)[-1] == ("ben", "against")

    cy.play("sync")
    cy.play("propose", "--at", "+2h", "--title", "Bees", "--change", BEES)
    cy.play("act", "edit-post", "post=2", f"changes=[{CROWN}]")
    cy.git("reset", "--quiet", "--hard", "HEAD~1")
    cy.play("sync")
    cy.play("act", "edit-post", "post=2", f"changes=[{CROWN.replace('rown', 'lown')}]")
    assert "you have done the same to post 2 since" in cy.play("sync", "--again", code=1)
    assert "verified" in cy.play("verify")


@pytest.mark.slow
def test_a_post_is_not_taken_out_over_words_that_whoever_does_that_has_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben, cy = game_in_clones(tmp_path, ("ana", "ben", "cy"), rules=REMOVING)
    cy.play("post", "I am for peace")
    cy.play("sync")
    ana.play("sync")
    ben.play("sync")
    cy.play("comment", "1", "or not")
    cy.play("act", "remove", "post=1")
    ana.play("comment", "1", "so am I")
    ana.play("sync")
    since = "others have spoken under post 1 since"
    assert since in cy.play("sync", code=1)
    assert "so am I" in cy.git("grep", "so am I", "--", "game/posts")
    ben.play("sync")
    ben.play("comment", "1", "and I")
    ben.play("sync")
    assert since in cy.play("sync", "--again", code=1)
    assert "again: cy: remove" in cy.play("sync", "--again")
    ana.play("sync")
    [line] = [each for each in ana.play("status").splitlines() if "what you said under post 1" in each]
    assert "so am I" in ana.git(*shlex.split(line.partition("to read it: git ")[2]))
    assert "verified" in ana.play("verify")


@pytest.mark.slow
def test_of_a_matter_that_others_have_resolved_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the same was meant at once; and a vote until it was tried once more."""
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben, cy = game_in_clones(tmp_path, ("ana", "ben", "cy"), rules=SHUT)
    cy.play("propose", "--title", "Bees", "--change", BEES)
    cy.play("sync")
    for clone in (ana, ben):
        clone.play("sync")
        clone.play("vote", "1", "for")
    for words in (("vote", "1", "for"), ("resolve", "1"), ("sync",)):
        cy.play(*words)
    ana.play("resolve", "1")
    said, status = ana.tried("sync")[1], ana.play("status")
    assert "post 1 is enacted already" in said, said
    assert "resolve" not in status
    ben.play("sync", code=1)
    assert "set aside: " in ben.play("status")
    assert "nothing can come of it any more" in ben.play("sync", "--again")
    for clone in (ana, ben):
        clone.tried("sync", "--again")
        status = clone.play("status")
        assert "set aside: " not in status
        assert "on no line" not in status
