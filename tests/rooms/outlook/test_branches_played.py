"""Proposals that were written as branches, in a game: submitted, brought up to date, enacted, verified."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from support.depth import DEEP
from support.parlour import CORE, MOON, TEA, Parlour, parlour

from nomicgit.git import Repository
from nomicgit.physics.deed import Deed
from nomicgit.record.game import Game, new_id


@pytest.fixture
def game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Parlour:
    return parlour(tmp_path, capsys)


def post(game: Parlour, number: int) -> str:
    [file] = (game.folder / "game" / "posts").rglob(f"{number:04}-*.md")
    return file.read_text("utf-8")


def rebased(game: Parlour, name: str) -> str:
    """A branch moved onto the game's head; its newest commit."""
    game.git("switch", "-q", name)
    game.git("rebase", "-q", "main")
    game.git("switch", "-q", "main")
    return game.git("rev-parse", name)


@pytest.mark.slow
def test_a_branch_is_proposed_by_its_first_commit_and_said_back(game: Parlour) -> None:
    game.branch("cold", TEA, "drunk hot", "drunk cold")
    game.branch("cold", TEA, "may brew", "can brew", message="more of it")
    head = game.git("rev-parse", "cold")
    said = game.nomic("--as", "ana", "propose", "--branch", "cold").out
    assert "  - It is drunk hot.\n    + It is drunk cold." in said
    text = post(game, 1)
    assert "title: cold\n" in text
    assert text.endswith("---\nBecause of drunk hot.\n")
    assert f"branch_head: {head}\n" in text
    assert game.nomic("verify", "--json").json["verified"]
    again = game.nomic("--as", "ana", "propose", "--branch", "cold", code=1).err
    assert "post 1, which is pending, brings this branch already" in again


@pytest.mark.slow
def test_a_rule_that_was_never_committed_is_told_by_all(game: Parlour) -> None:
    game.git("switch", "-q", "-c", "quiet")
    game.nomic("new-rule", "Quiet")
    game.git("switch", "-q", "main")
    assert "quiet.md" in game.nomic("check").out.partition("not looked at")[2]
    assert "not committed yet" in game.nomic("--as", "ana", "propose", "--branch", "quiet", code=1).err


def test_what_is_wrong_with_a_branch_is_blamed_on_nobody_else(game: Parlour) -> None:
    game.git("switch", "-q", "-c", "cheat")
    state = game.folder / "game/state/players/ana.yml"
    state.write_text(state.read_text("utf-8") * 2, "utf-8")
    game.git("commit", "-qam", "cheat")
    game.git("switch", "-q", "main")
    said = game.nomic("--as", "ana", "propose", "--branch", "cheat", code=1).err
    assert "a branch does not touch the gamestate" in said
    assert "left game/state" not in said
    assert "git restore" in said


@pytest.mark.slow
def test_title_body_and_further_changes_may_be_given(game: Parlour) -> None:
    game.branch("cold", TEA, "drunk hot", "drunk cold")
    told = game.propose(
        "cold", "--title", "Cold tea", "--body", "It is summer.", "--change", "{set: {players.ana.cups: 1}}"
    )
    text = post(game, 1)
    assert "title: Cold tea\n" in text
    assert text.endswith("---\nIt is summer.\n")
    assert [next(iter(change)) for change in told["branch"]["changes"]] == ["amend", "set"]
    assert f"hash: {told['branch']['hash']}\n" in text


@pytest.mark.slow
def test_an_enactment_merges_its_branch_and_the_history_verifies(game: Parlour) -> None:
    game.branch("cold", TEA, "drunk hot", "drunk cold")
    game.propose("cold")
    game.nomic("--as", "ben", "vote", "1", "for")
    game.nomic("--as", "ben", "resolve", "1")
    first, second = game.git("log", "-1", "--format=%P").split()
    assert (first, second) == (game.git("rev-parse", "main^"), game.git("rev-parse", "cold"))
    assert game.git("branch", "--merged", "main", "--format=%(refname:short)").split() == ["cold", "main"]
    assert "It is drunk cold." in (game.folder / TEA).read_text("utf-8")
    assert game.nomic("verify", "--json").json["verified"]
    game.git("fsck", "--strict")


@pytest.mark.slow
def test_a_branch_that_is_gone_is_no_parent_and_its_matter_is_enacted_all_the_same(game: Parlour) -> None:
    game.branch("cold", TEA, "drunk hot", "drunk cold")
    game.propose("cold")
    game.git("branch", "-D", "cold")
    game.git("reflog", "expire", "--expire=now", "--all")
    game.git("gc", "-q", "--prune=now")
    game.nomic("--as", "ben", "vote", "1", "for")
    game.nomic("--as", "ben", "resolve", "1")
    assert len(game.git("log", "-1", "--format=%P").split()) == 1
    assert game.nomic("verify", "--json").json["verified"]


@pytest.mark.slow
def test_a_call_for_judgement_can_bring_a_branch(game: Parlour) -> None:
    game.branch("cold", TEA, "drunk hot", "drunk cold")
    game.nomic("--as", "ana", "cfj", "--branch", "cold")
    assert "kind: cfj\n" in post(game, 1)


@pytest.mark.slow
def test_a_rebased_branch_keeps_changes_hash_and_votes(game: Parlour) -> None:
    game.branch("cold", TEA, "drunk hot", "drunk cold")
    told = game.propose("cold")
    game.nomic("--as", "ben", "vote", "1", "for")
    head = game.git("rev-parse", "main")
    rebased(game, "cold")
    found = game.nomic("--as", "ana", "propose", "--update", "1", "--branch", "cold", "--json").json
    assert found == {"post": 1, "changed": False, "hash": told["branch"]["hash"]}
    assert game.git("rev-parse", "main") == head


@pytest.mark.slow
def test_an_enactment_merges_a_rebased_branch_that_this_clone_remembers(game: Parlour) -> None:
    game.branch("cold", TEA, "drunk hot", "drunk cold")
    game.propose("cold")
    game.nomic("--as", "ben", "vote", "1", "for")
    head = rebased(game, "cold")
    game.nomic("--as", "ben", "resolve", "1")
    assert game.git("log", "-1", "--format=%P").split()[1:] == [head]
    assert "Nomic-Branch: " + head in game.git("log", "-1", "--format=%B")
    assert "nomicgit.matter-1" not in game.git("config", "--list")
    assert game.nomic("verify", "--json").json["verified"]


@pytest.mark.slow
def test_an_enactment_merges_the_branch_that_is_named(game: Parlour) -> None:
    game.branch("cold", TEA, "drunk hot", "drunk cold")
    game.propose("cold")
    game.git("config", "--unset", "nomicgit.matter-1")
    game.nomic("--as", "ben", "vote", "1", "for")
    head = rebased(game, "cold")
    game.nomic("--as", "ben", "resolve", "1", "--branch", "cold")
    assert game.git("log", "-1", "--format=%P").split()[1:] == [head]


@pytest.mark.slow
def test_a_branch_that_says_something_else_by_now_is_not_merged(game: Parlour) -> None:
    game.branch("cold", TEA, "drunk hot", "drunk cold")
    first = game.git("rev-parse", "cold")
    game.propose("cold")
    game.nomic("--as", "ben", "vote", "1", "for")
    game.branch("cold", MOON, "shines", "glows")
    said = game.nomic("--as", "ben", "resolve", "1", "--branch", "cold", code=1).err
    assert "does not say what post 1 does" in said
    assert "nomicgit propose --update 1 --branch cold" in said
    game.nomic("--as", "ben", "resolve", "1")
    assert game.git("log", "-1", "--format=%P").split()[1:] == [first]


@pytest.mark.slow
@pytest.mark.parametrize("with_branch", [True, pytest.param(False, marks=DEEP)])
def test_a_deed_merges_no_branch_that_its_matter_does_not_say(game: Parlour, *, with_branch: bool) -> None:
    """Whatever commit the deed names: the program merges it not, and whoever does is named by verify, status and receive."""
    game.branch("cold", TEA, "drunk hot", "drunk cold")
    game.branch("warm", TEA, "drunk hot", "drunk warm")
    game.branch("both", TEA, "drunk hot", "drunk cold")
    game.branch("both", MOON, "shines", "glows")
    game.branch("beside", TEA, "drunk hot", "drunk cold")
    game.branch("beside", "book.md", "", "words")
    game.branch("same", TEA, "drunk hot", "drunk cold", message="said otherwise")
    changes = game.propose("cold")["branch"]["changes"]
    if not with_branch:
        game.nomic("--as", "ana", "act", "edit-post", "post=1", f"changes={json.dumps(changes)}")
    game.nomic("--as", "ben", "vote", "1", "for")
    cold, orphan = game.git("rev-parse", "cold"), game.git("commit-tree", "main^{tree}", "-m", "book")
    bare, before = game.folder.parent / "bare.git", game.git("rev-parse", "main")
    game.git("clone", "--quiet", "--bare", ".", str(bare))
    subprocess.run([sys.executable, "-m", "nomicgit", "receive", "--install", str(bare)], check=True)
    for name in ("warm", "both", "beside", orphan) if with_branch else ("same",):
        head = game.git("rev-parse", name)
        resolved(game, head)
        first, *merged = game.git("log", "-1", "--format=%P").split()
        assert merged == [cold] * with_branch
        assert game.nomic("verify", "--json").json["verified"]
        stored = (
            game.git("cat-file", "commit", "HEAD").split("\nparent ")[0]
            + f"\nparent {first}\nparent {head}\n"
        )
        rest = game.git("cat-file", "commit", "HEAD").partition("\nauthor ")[2]
        (game.folder / ".git" / "made").write_text(f"{stored}author {rest}\n", "utf-8")
        made = game.git("hash-object", "-t", "commit", "-w", ".git/made")
        game.git("reset", "--quiet", "--hard", made)
        named = f"it merges {head[:12]}, which its deed does not enact"
        for command in ("status", "verify"):
            assert named in game.nomic(command, code=1).out, (name, command)
        if name in ("warm", "same"):
            push = ["git", "push", "--quiet", str(bare), "HEAD:refs/heads/main"]
            pushed = subprocess.run(push, cwd=game.folder, capture_output=True, text=True, check=False)
            assert pushed.returncode
            assert named in " ".join(pushed.stderr.replace("remote: ", "").split())
        game.git("reset", "--quiet", "--hard", before)
    if with_branch:
        resolved(game, game.git("rev-parse", "same"))
        assert game.git("log", "-1", "--format=%P").split()[1:] == [game.git("rev-parse", "same")]
        assert game.nomic("verify", "--json").json["verified"]
        game.nomic("status")


def resolved(game: Parlour, branch: str) -> None:
    """Ben resolves post 1 with a deed that names some commit for its branch."""
    with Repository.open(game.folder) as repository:
        here = Game(repository, repository.commit(game.git("rev-parse", "main")))
        at = here.last() + 60
        here.act(Deed(new_id(at), "ben", "resolve", {"matter": "posts/1"}, at, branch=branch))


@pytest.mark.slow
def test_a_branch_with_another_content_is_an_edit_that_the_law_treats(game: Parlour) -> None:
    game.branch("cold", TEA, "drunk hot", "drunk cold")
    before = game.propose("cold", "--change", "{set: {players.ana.cups: 1}}")["branch"]
    game.branch("cold", TEA, "may brew", "can brew")
    update = ("--as", "ana", "propose", "--update", "1", "--branch", "cold")
    after = game.nomic(*update, "--json").json["branch"]
    text = post(game, 1)
    assert after["hash"] != before["hash"]
    assert after["changes"][-1] == {"set": {"players.ana.cups": 1}}
    assert f"hash: {after['hash']}\n" in text
    assert f"branch_head: {game.git('rev-parse', 'cold')}\n" in text
    game.nomic("--as", "ben", "vote", "1", "for")
    game.branch("cold", MOON, "shines", "glows")
    assert "somebody has voted" in game.nomic(*update, code=1).err
    assert game.nomic("verify", "--json").json["verified"]


@pytest.mark.slow
def test_a_matter_edited_by_hand_forgets_its_branch(game: Parlour) -> None:
    game.branch("cold", TEA, "drunk hot", "drunk cold")
    game.propose("cold")
    game.nomic("--as", "ana", "act", "edit-post", "post=1", "changes=[{repeal: moon}]")
    assert "branch_head" not in post(game, 1)


def test_what_is_wrong_with_a_branch_is_told_before_anything_is_recorded(game: Parlour) -> None:
    game.branch("wrong", "game/state/game.yml", "", "moon: 3\n")
    head = game.git("rev-parse", "main")
    said = game.nomic("--as", "ana", "propose", "--branch", "wrong", code=1).err
    assert "a branch does not touch the gamestate" in said
    assert game.git("rev-parse", "main") == head


@pytest.mark.slow
@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("--update", "1"), 2, "--update takes --branch"),
        (("--update", "1", "--branch", "cold", "--title", "x"), 2, "--update takes --branch"),
        ((), 2, "a matter needs a --title"),
        (("--branch", "none"), 1, "there is no branch none"),
        (("--update", "7", "--branch", "cold"), 1, "there is no post 7"),
        (("--branch", "$(id)"), 1, "there is no branch $(id)"),
        (("--branch", "--help"), 1, "there is no branch --help"),
    ],
)  # fmt: skip
def test_options_that_do_not_go_together(game: Parlour, args: tuple[str, ...], code: int, said: str) -> None:
    game.branch("cold", TEA, "drunk hot", "drunk cold")
    assert said in game.nomic("--as", "ana", "propose", *args, code=code).err


@pytest.mark.slow
def test_commit_messages_run_nothing_and_name_no_deed(game: Parlour) -> None:
    message = '$(id) "; id #\n\n::add-mask::e\nNomic-Id: forged\nNomic-Action: physics/found\n'
    game.branch("odd", TEA, "drunk hot", "drunk cold", message=message)
    game.propose("odd")
    assert 'title: "$(id) \\"; id #"' in post(game, 1)
    found = game.nomic("verify", "--json").json
    assert (found["verified"], found["deeds"], found["others"]) == (True, 2, 0)


def test_unrelated_histories_are_refused(game: Parlour) -> None:
    game.git("switch", "-q", "--orphan", "alien")
    game.git("commit", "-q", "--allow-empty", "-m", "hello")
    game.git("switch", "-q", "main")
    assert "no commit in common" in game.nomic("--as", "ana", "propose", "--branch", "alien", code=1).err


@pytest.mark.slow
def test_core_rules_are_named_as_such(game: Parlour) -> None:
    game.branch("core", CORE, "may not edit", "must not edit", message="[Core] Must")
    game.propose("core")
    assert 'title: "[Core] Must"' in post(game, 1)
