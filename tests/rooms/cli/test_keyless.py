"""What a clone without the game's key enacts, and what it says of matters that only the keeper can enact."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from support.clones import Clone

PLAYERS = [word for name in ("ana", "ben", "cy", "dee", "eli") for word in ("--player", name)]
LAMP = "{add-rule: {title: Lamp, text: There is a lamp.}}"
LEDGER = """\
add-rule:
  title: Ledger
  text: Whoever Raids is noted.
  declares: {settles: {noted: {of: raids, watches: [resolved]}}}
  mechanics: |
    def settle_noted(raid):
        pass
"""
HIDDEN = """{run: 'say("story", "How many", str(len(find("ra" + "ids"))))'}"""
"""A program that does not write what it reads."""


@pytest.mark.slow
def test_an_admin_enacts_without_the_key_and_is_told_what_only_the_keeper_can(tmp_path: Path) -> None:
    here = Clone(tmp_path)
    here.play(
        "new", "hall", "--edition", "steam", "--practice", "--start", "2026-03-02T09:00:00Z", *PLAYERS,
        "--emperor", "ana", "--admin", "ben",
    )  # fmt: skip
    here.git("clone", "-q", "--bare", "hall", "bare.git")
    here.git("clone", "-q", "bare.git", "ben")
    keeper, ben = Clone(tmp_path / "hall"), Clone(tmp_path / "ben")
    keeper.git("remote", "add", "origin", str(tmp_path / "bare.git"))
    keeper.git("fetch", "-q", "origin")
    keeper.git("branch", "-q", "--set-upstream-to", "origin/main")
    ben.play("me", "ben")
    for number, (title, change) in enumerate((("Lamp", LAMP), ("Ledger", LEDGER)), 1):
        ben.play("propose", "--title", title, "--change", change)
        for who in ("ana", "cy", "dee"):
            ben.play("vote", str(number), "for", "--as", who)

    hint = "it meets what is secret: only who keeps this game's key can enact it"
    assert list(json.loads(ben.play("status", "--at", "+49h", "--json"))["needs_key"]) == ["2"]
    assert ben.play("status", "--at", "+49h").count(hint) == 1
    assert hint not in ben.play("try", "1", "--at", "+49h")
    assert hint in ben.play("try", "2", "--at", "+49h")
    ben.play("resolve", "1", "--at", "+49h")
    assert list((ben.folder / "game" / "ruleset").rglob("*lamp.md"))

    ben.play("propose", "--title", "How many", "--change", HIDDEN)
    ben.play("sync")
    keeper.play("sync")
    for clone in (ben, keeper):  # where the key lies no other values are seen
        said = json.loads(clone.play("try", "3", "--at", "+49h", "--json"))
        [secret] = said["secrets"]
        assert "its program reads what is secret: raids;" in secret
        assert (hint in said["law"]) is (clone is ben)

    refused = ben.play("resolve", "2", "--at", "+49h", code=1)
    [order] = [line.strip() for line in refused.splitlines() if line.startswith("    nomicgit order")]
    ben.play("sync")
    assert "handed in, sealed" in ben.play(*shlex.split(order)[1:])
    keeper.play("keep", "--at", "+50h")
    assert list((keeper.folder / "game" / "ruleset").rglob("*ledger.md"))
    assert json.loads(keeper.play("status", "--json"))["needs_key"] == {}


@pytest.mark.slow
def test_what_is_so_of_every_matter_is_told_once(tmp_path: Path) -> None:
    """Werewolf's rules meet a secret whenever there is a new law."""
    here = Clone(tmp_path)
    here.play(
        "new", "hall", "--edition", "werewolf", "--practice", "--start", "2026-03-02T09:00:00Z", *PLAYERS,
        "--emperor", "ana", "--admin", "ben",
    )  # fmt: skip
    here.git("clone", "-q", "hall", "cy")
    cy = Clone(tmp_path / "cy")
    cy.play("me", "cy")
    proposed = [cy.play("propose", "--title", f"Lamp {n}", "--change", LAMP) for n in (1, 2)]
    assert "secret" not in "".join(proposed)
    assert list(json.loads(cy.play("status", "--json"))["needs_key"]) == ["1", "2"]
    assert cy.play("status").count("only who keeps its key can enact it") == 1
    assert "only who keeps its key can enact it" in cy.play("try", "1")


@pytest.mark.slow
def test_a_restoring_that_needs_the_key_says_where_it_is_done(tmp_path: Path) -> None:
    here = Clone(tmp_path)
    here.play(
        "new", "hall", "--edition", "crypt", "--practice", "--start", "2026-03-02T09:00:00Z", *PLAYERS,
        "--emperor", "ana", "--admin", "ben", "--restore", "ana", "--restore", "dee",
    )  # fmt: skip
    hall = Clone(tmp_path / "hall")
    before = hall.head
    haste = "{amend: {rule: resolution-of-proposals, in: declarations, set: {waiting.proposals: 10h}}}"
    hall.play("propose", "--title", "Haste", "--tag", "Core", "--change", haste, "--as", "cy")
    for who in ("ben", "dee"):
        hall.play("vote", "1", "for", "--as", who)
    hall.play("resolve", "1", "--as", "ben", "--at", "+13h")
    key = hall.folder / ".git" / "nomicgit" / "key"
    key.rename(tmp_path / "key")
    line = f"restore {before} --by ana --by dee"
    said = hall.play(*line.split(), code=1)
    assert said.endswith(
        "\n  no order can do this: give the same command in the clone in which the game's key lies\n"
    )
    (tmp_path / "key").rename(key)
    assert f"restored to {before[:10]}" in hall.play(*line.split())
