"""A deed stays with the post that it meant, whatever Git has made of the commits: it follows it, or it is kept and told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.clones import Clone, game_in_clones

NAPS = "{add-rule: {title: Naps, text: Anybody may nap.}}"
pytestmark = pytest.mark.slow


def written(clone: Clone) -> dict[str, list[str]]:
    """What stands beneath each post of the newest commit, as Git has it: votes and comments."""
    posts: dict[str, list[str]] = {}
    for path in clone.git("ls-tree", "-r", "--name-only", "HEAD", "game/posts").splitlines():
        if path.endswith(".md"):
            posts.setdefault(Path(path).stem, [])
            continue
        lines = clone.git("show", f"HEAD:{path}").splitlines()
        said = [json.loads(line.removeprefix("- ")) for line in lines]
        name = Path(path).name.removesuffix(".comments.yml")
        posts[name] = [each["text"] or each["icon"] for each in said]
    return posts


@pytest.fixture
def clones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Clone, Clone]:
    """Cy's and Ben's clone of one practice game, which lies in a bare repository."""
    monkeypatch.setenv("NO_COLOR", "1")
    cy, ben = game_in_clones(tmp_path, ("cy", "ben"))
    return cy, ben


def propose(clone: Clone, title: str) -> None:
    clone.play("propose", "--title", title, "--change", NAPS)


def upon(clone: Clone, number: int) -> None:
    """A vote and a comment upon a post."""
    clone.play("vote", str(number), "against")
    clone.play("comment", str(number), "my own")


def offline(clone: Clone) -> None:
    """A proposal that nobody else has yet, and what is done upon it as post 1."""
    propose(clone, "Offline")
    upon(clone, 1)


def two_of_bens(cy: Clone) -> None:
    """Two proposals of Ben's, by another clone than his."""
    for title in ("One", "Two"):
        cy.play("--as", "ben", "propose", "--title", title, "--change", NAPS)


def take_out_the_first(clone: Clone) -> None:
    """Drop the first of three own commits by Git, and keep what Git cannot bring together."""
    clone.git("rebase", "--quiet", "--onto", "HEAD~3", "HEAD~2", code=1)
    clone.git("add", "--all")
    clone.git("-c", "core.editor=true", "rebase", "--continue")


def test_what_meant_ones_own_post_follows_it_after_a_rebase(clones: tuple[Clone, Clone]) -> None:
    cy, ben = clones
    cy.play("propose", "--title", "Cheaper", "--body", "x")
    cy.play("sync")
    propose(ben, "More rest")
    upon(ben, 1)
    ben.git("pull", "--quiet", "--rebase")
    assert "posts/1 is posts/2 now" in ben.play("sync")
    assert written(ben) == {"0001-cheaper": [], "0002-more-rest": ["against", "my own"]}
    assert "verified" in ben.play("verify")


def test_what_meant_a_post_that_is_not_made_stays_set_aside(clones: tuple[Clone, Clone]) -> None:
    cy, ben = clones
    offline(ben)
    two_of_bens(cy)
    cy.play("sync")
    ben.play("sync", code=1)
    said = ben.play("sync", "--again", code=1)
    assert said.count("\nnot done again: ") + said.startswith("not done again: ") == 3
    assert written(ben) == {"0001-one": [], "0002-two": []}
    aside = ben.git("for-each-ref", "--format=%(refname) %(subject)", "refs/nomicgit/aside").splitlines()
    [proposal] = [line.split()[0] for line in aside if "ben: propose" in line]
    ben.git("update-ref", "-d", proposal)
    ben.play("sync", "--again", code=1)
    assert written(ben) == {"0001-one": [], "0002-two": []}


def test_what_meant_a_post_that_was_taken_out_follows_it_when_that_is_done_again(
    clones: tuple[Clone, Clone],
) -> None:
    cy, ben = clones
    offline(ben)
    take_out_the_first(ben)
    assert "it means posts/1, which a deed had made that stands no more" in ben.play("sync", code=1)
    propose(cy, "Cheaper")
    cy.play("sync")
    ben.play("sync")
    assert written(ben) == {"0001-cheaper": []}
    assert "posts/1 is posts/2 now" in ben.play("sync", "--again")
    assert written(ben) == {"0001-cheaper": [], "0002-offline": ["against", "my own"]}
    assert "verified" in ben.play("verify")


def test_what_meant_a_post_that_was_taken_out_is_not_done_to_one_that_is_there(
    clones: tuple[Clone, Clone],
) -> None:
    cy, ben = clones
    offline(ben)
    take_out_the_first(ben)
    propose(cy, "Cheaper")
    cy.play("sync")
    ben.git("pull", "--quiet", "--rebase")
    assert "it means posts/1, which a deed had made that stands no more" in ben.play("sync", code=1)
    assert written(ben) == {"0001-cheaper": []}
    ben.play("sync", "--again")
    assert written(ben) == {"0001-cheaper": [], "0002-offline": ["against", "my own"]}


def test_what_is_set_aside_with_its_post_follows_it_when_that_is_made(clones: tuple[Clone, Clone]) -> None:
    cy, ben = clones
    offline(ben)
    two_of_bens(cy)
    cy.play("propose", "--title", "Cheaper", "--body", "x")
    cy.play("sync")
    ben.play("sync", code=1)
    cy.play("--as", "ben", "vote", "1", "against")
    cy.play("--as", "ben", "--at", "+1h", "resolve", "1")
    cy.play("sync")
    ben.play("sync")
    assert "posts/1 is posts/4 now" in ben.play("sync", "--again")
    assert written(ben)["0004-offline"] == ["against", "my own"]
    assert written(ben)["0003-cheaper"] == []
