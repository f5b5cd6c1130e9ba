"""Deeds that are not signed as their game asks: whoever looks is told which, and what mends that, and it is mended."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.clones import Clone
from support.depth import DEEP, one_of
from support.signing import faults, resigned, rewound, sits, with_keys_beside
from support.sites import build, configured

from nomicgit.git import Repository
from nomicgit.record.seen.strays import strays

LATER = ("--at", "2021-06-08T00:00:00Z")


@pytest.fixture
def clones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Clone, Clone, str]:
    """Ana's clone, in which she signs, Ben's, and the newest commit that both have; one more deed lies in Ana's."""
    monkeypatch.setenv("NO_COLOR", "1")
    with_keys_beside(tmp_path, "--restore", "ana")
    here, ana, ben = Clone(tmp_path), Clone(tmp_path / "game"), Clone(tmp_path / "bens")
    sits(ana, "ana", "ana")
    ana.play("signers", "--add", "../ana")
    ana.play("signers", "--of", "ben", "--add", "../ben", "--by", "ana")
    ana.play("signers", "--deeds", "required", "--by", "ana")
    here.git("clone", "--quiet", "--bare", "game", "bare.git")
    ana.git("remote", "add", "origin", "../bare.git")
    ana.git("fetch", "--quiet", "origin")
    ana.git("branch", "--quiet", "--set-upstream-to", "origin/main")
    here.git("clone", "--quiet", "bare.git", "bens")
    sits(ben, "ben", "ben")
    good = ana.head
    ana.play("roll", "DICE6")
    return ana, ben, good


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "what"),
    [
        pytest.param("", "ana has not signed it", marks=DEEP),
        ("cy", "it is signed with no key of ana"),
    ],
)
def test_each_command_and_the_site_name_what_is_not_signed_and_a_mend_brings_the_game_back(
    clones: tuple[Clone, Clone, str], tmp_path: Path, key: str, what: str
) -> None:
    ana, ben, good = clones
    resigned(ana, key)
    bad = ana.head
    ana.git("push", "--quiet", "origin", "HEAD:main")
    assert what in ben.play("sync", code=1)
    ben.git("reset", "--quiet", "--hard", bad)
    rolled = ("roll", "DICE6", *LATER)
    for words in (("verify",), ("status",), ("check",), ("sync",), rolled, ("status", "--json")):
        said = ben.play(*words, code=1)
        assert bad[:12] in said, words
        assert what in said, words
        assert f"nomicgit mend --to {good}" in said, words
    with pytest.raises(AssertionError, match=what):
        build(configured(ben.folder), tmp_path / "site")

    ana.play("mend", "--to", good, *LATER)
    ana.git("push", "--quiet", "origin", "HEAD:main")
    assert "mended" in ben.play("sync")
    for words in (("status",), ("check",), rolled):
        assert what not in ben.play(*words)
    assert f"{what}; set aside by the mend" in ben.play("verify")
    assert not faults(ben)


@pytest.mark.slow
def test_an_own_deed_that_is_not_signed_is_taken_out_by_a_sync_and_those_after_it_stay(
    clones: tuple[Clone, Clone, str],
) -> None:
    ana, _, good = clones
    resigned(ana, "")
    bad = ana.head
    for words in (("status",), ("verify",), ("roll", "DICE6", *LATER)):
        said = ana.play(*words, code=1)
        assert "laid anew" not in said
        assert "taken out and set aside by:" in said
        assert "nomicgit sync" in said
        assert "then do it again yourself" in said
    said = ana.play("sync", code=1)
    assert "ana has not signed it: where it is yours, do it again yourself" in said
    assert ana.head == good != bad
    assert f"git show {bad[:12]}" in said
    assert ana.git("for-each-ref", "--format=%(objectname)", "refs/nomicgit/aside") == bad
    assert "set aside" in ana.play("status")
    assert f"git show {bad[:12]}" in ana.play("sync", "--again", code=1)
    assert ana.head == good
    ana.play("sync", "--forget")
    assert not ana.git("for-each-ref", "refs/nomicgit/aside")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "key"),
    [
        pytest.param(asked, key, marks=one_of(2, 3 * number + other))
        for number, asked in enumerate(("no", "asked", "required"))
        for other, key in enumerate(("", "ana", "cy"))
    ],
)
def test_what_is_seen_of_signatures_without_a_replay_is_what_verify_finds(
    clones: tuple[Clone, Clone, str], asked: str, key: str
) -> None:
    ana, _, good = clones
    rewound(ana, good)
    if asked != "required":
        ana.play("signers", "--deeds", asked, "--by", "ana")
    for deed in (
        ("roll", "DICE6"),
        ("signers", "--of", "cy", "--add", "../cy", "--by", "ana"),
        ("signers", "--add", "../new"),
        ("signers", "--deeds", "asked" if asked == "no" else "no", "--by", "ana"),
        ("restore", "--to", good[:12], "--by", "ana"),
    ):
        stands = ana.head
        code, _ = ana.tried(*deed)
        if code:
            continue
        resigned(ana, key)
        with Repository.open(ana.folder) as repository:
            seen = [stray.what for stray in strays(repository, ana.head)]
        assert seen == faults(ana), deed
        rewound(ana, stands)


@pytest.mark.slow
def test_what_is_named_tells_a_program_its_commands(clones: tuple[Clone, Clone, str]) -> None:
    ana, ben, good = clones
    resigned(ana, "")
    ana.git("push", "--quiet", "origin", "HEAD:main")
    ben.git("pull", "--quiet")
    [stray] = json.loads(ben.play("status", "--json", code=1))["strays"]
    assert stray["commands"] == [f"nomicgit mend --to {good}"]


@pytest.mark.slow
@pytest.mark.parametrize("pressed", [True, pytest.param(False, marks=DEEP)])
@pytest.mark.parametrize("raced", [False, True])
def test_a_mend_whose_signature_was_amended_away_is_advised_to_be_done_anew_and_goes_out(
    clones: tuple[Clone, Clone, str], pressed: bool, raced: bool
) -> None:
    """Whatever it took back, and whether others have pushed meanwhile or not: each place that tells of it gives one advice."""
    ana, ben, good = clones
    rewound(ana, good)
    if not pressed:
        ben.play("roll", "DICE6", *LATER)
    else:
        [rule] = (ben.folder / "game/ruleset/1-core").glob("*-talk.md")
        rule.write_text(rule.read_text("utf-8").replace("Whoever plays", "Everybody"), "utf-8")
        ben.git("commit", "--quiet", "--all", "--message", "pressed")
    ben.git("push", "--quiet", "origin", "HEAD:main")
    ana.play("sync", code=int(pressed))
    ana.play("mend", "--to", good, *LATER)
    ana.git("commit", "--quiet", "--amend", "--allow-empty", "--no-edit", "--no-gpg-sign")
    unsigned = ana.head
    if raced:
        ben.git("commit", "--quiet", "--allow-empty", "--message", "no deed, and no harm")
        ben.git("push", "--quiet", "origin", "HEAD:main")
    again = f"nomicgit mend --to {good}"
    for words in (("status",), ("verify",), ("roll", "DICE6", *LATER)):
        said = ana.play(*words, code=1)
        assert "ana has not signed it" in said or words[0] == "roll", (
            words
        )  # which is refused for the first alone
        assert [line.strip() for line in said.splitlines() if "nomicgit mend" in line] == [again], words
        assert "propose" not in said, words
        assert "reset" not in said, words
    if not pressed:
        said = ana.play("sync", code=1)  # which takes it out, and says how it is done again
        assert f"{again} --by ana" in said
        assert "propose" not in said
    else:
        assert again in ana.play("sync", code=1)
    ana.play("mend", "--to", good, *LATER)
    ana.play("sync")
    assert "mended" in ben.play("sync")
    assert not faults(ben)
    assert ben.git("diff", "--stat", good, "--", "game/ruleset") == ""
    assert "found wanting" not in ana.play("verify")
    assert ana.git("rev-parse", "origin/main") == ben.head
    assert unsigned != ana.head
