"""Who may restore the game names others, as many together as must: every clone replays that, and a mend takes it back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from support.clones import FEW, Clone, game_in_clones
from support.signing import faults, git_says, keys_beside, resigned, rewound, sits, with_keys_beside

from nomicgit.record.outside import restoring


def named(clone: Clone) -> object:
    """Who may, as the game's own file has it."""
    return yaml.safe_load((clone.folder / "game" / "game.yml").read_text(encoding="utf-8"))["restore"]


@pytest.mark.slow
def test_those_who_may_restore_name_others_and_who_did_not_mean_that_mends_it_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", rules=FEW)
    before = ana.head
    assert ben.play("restorers") == "ana may restore the game\n"
    assert "ben may not restore or mend this game" in ben.play("restorers", "ben", code=1)
    assert "nobody may restore or mend this game" in ana.play("restorers", "--nobody", code=1)
    for wrong in (("ben", "zed", "--of", "3"), ("ben", "Ben"), ("a b",), ("ana",)):
        ana.play("restorers", *wrong, code=1)
    assert ana.head == before
    said = ana.play("restorers", "ben", "zed", "--of", "2")
    assert "Who may restore the game: ben, zed, 2 of them together, by ana." in said
    assert named(ana) == {"by": ["ben", "zed"], "of": 2}
    ana.play("sync")
    came = ben.play("sync")
    assert "ben is one of those who may restore the game now, by " in came
    assert "ana may restore the game no more" in came
    assert json.loads(ben.play("restorers", "--json"))["restore"] == {"by": ["ben", "zed"], "of": 2}
    assert "verified: 2 deeds" in ben.play("verify")
    assert "2 of ben, zed must restore it together" in ben.play("physics", "1", code=1)
    assert "ana may not" in ana.play("signers", "--approvals", "3", code=1)
    ana.play("mend", "--to", before, "--yes")
    assert named(ana) == {"by": ["ana"], "of": 1}
    ana.play("sync")
    assert "in your name" not in came + ben.play("sync")
    ben.play("restorers", "ana", "ben", "--by", "ana")
    forged = ben.head
    ben.play("sync")
    [line] = [each for each in ana.play("sync").splitlines() if each.startswith("in your name")]
    assert f"({forged[:12]}), not signed by you" in line
    ana.play("restorers", "--nobody", "--yes")
    assert named(ana) is None
    ana.play("sync")
    assert "verified: 5 deeds" in ben.play("sync") + ben.play("verify")


@pytest.mark.slow
def test_where_deeds_must_be_signed_somebody_with_a_key_is_left_and_a_lost_race_tells_how_it_is_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", "--restore", "ben", rules=FEW)
    ana.play("restorers", "ana", "zed")
    ana.play("sync")
    ben.play("restorers", "ben", "cy", "--of", "2")
    said = ben.play("sync", code=1)
    assert "nomicgit restorers ben cy --of 2 --by ben" in said
    assert named(ben) == named(ana) == {"by": ["ana", "zed"], "of": 1}


@pytest.mark.slow
def test_what_is_done_by_who_may_restore_counts_from_when_they_may_until_they_may_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git itself, by the game's file of keys, says of each commit what the program says."""
    monkeypatch.setenv("NO_COLOR", "1")
    with_keys_beside(tmp_path, "--restore", "ana")
    keys_beside(tmp_path, "steward")
    game = Clone(tmp_path / "game")
    sits(game, "ana", "ana")
    game.play("signers", "--add", "../ana")
    lost = json.loads(game.play("signers", "--json"))["signers"]["ana"][0]["fingerprint"]
    game.play("signers", "--of", "ben", "--add", "../ben", "--by", "ana")
    game.play("restorers", "ana", "ben", "--by", "ana")
    here = game.head
    for key in ("cy", ""):
        resigned(game, key)
        assert faults(game) == ["it is signed with no key that ana had"], "though nobody asks for signatures"
    rewound(game, here)
    game.play("signers", "--deeds", "required", "--by", "ana")

    sits(game, "ben", "ben")
    for words in (
        ["signers", "--of", "cy", "--add", "../cy"],
        ["signers", "--of", "ana", "--add", "../new", "--drop", lost],
        ["signers", "--approvals", "3"],
        ["signers", "--of", "steward", "--add", "../steward"],
        ["rehouse", "--github", "ana/game"],
        ["rehouse", "--away"],
    ):
        game.play(*words, "--by", "ben")
        assert git_says(game, "HEAD"), words
    game.play("mend", "--to", game.git("rev-parse", "HEAD~1"), "--by", "ben", "--yes")
    assert git_says(game, "HEAD")
    for name, key in (("ana", "new"), ("cy", "cy")):
        sits(game, name, key)
        game.play("roll", "DICE6")
        assert (git_says(game, "HEAD"), faults(game)) == (True, [])
    sits(game, "ana", "new")
    game.play("roll", "DICE6")
    stands = game.head
    resigned(game, "ana")
    assert (git_says(game, "HEAD"), faults(game)) == (
        False,
        ["it is signed with no key of ana or the steward"],
    )

    rewound(game, stands)
    sits(game, "ben", "ben")
    game.play("restorers", "ben", "--by", "ben")
    stands = game.head
    for words in (
        ["signers", "--of", "cy", "--add", "../ana"],
        ["signers", "--deeds", "asked"],
        ["signers", "--approvals", "2"],
        ["rehouse", "--away"],
        ["restorers", "ana"],
        ["mend", "--to", stands],
    ):
        rewound(game, stands)
        if words[0] == "mend":
            game.play("roll", "DICE6", "--as", "ben")
        sits(game, "ana", "new")
        assert "ana may not" in game.play(*words, "--by", "ana", *(["--yes"] * (words[0] == "mend")), code=1)
        with monkeypatch.context() as patched:
            patched.setattr(restoring, "allowed", lambda *_: None)
            game.play(*words, "--by", "ana", *(["--yes"] * (words[0] == "mend")))
        sits(game, "ben", "ben")
        assert ["ana may not restore" in each for each in faults(game)] == [True], words
        game.play("mend", "--to", stands, "--by", "ben", "--yes")
        assert (git_says(game, "HEAD"), faults(game)) == (True, []), words
