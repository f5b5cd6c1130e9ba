"""After a loss of a key so many admins, each by a signed deed of their own, name another: one of them alone does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.clones import FEW, Clone, laid
from support.signing import faults, git_says, keys_beside, resigned, rewound, sits

from nomicgit.record.outside import approving, helping

pytestmark = pytest.mark.slow
ADMINS = ("ana", "ben", "eve")


def listed(game: Clone, player: str) -> list[str]:
    """The keys of a player, as the file has them that Git reads."""
    rows = (game.folder / "game" / "signers").read_text().splitlines()
    return [row.split(" ", 2)[2] for row in rows if row.startswith(f"{player}@")]


def public(game: Clone, key: str) -> str:
    return (game.folder.parent / f"{key}.pub").read_text().rsplit(" ", 1)[0]


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    """A practice game that requires signatures, with three admins, one of them hostile; Olga may restore it, who does not play, and Dan."""
    monkeypatch.setenv("NO_COLOR", "1")
    keys_beside(tmp_path, *ADMINS, "cy", "olga", "new", "evil")
    players = [word for name in (*ADMINS, "cy", "dan") for word in ("--player", name)]
    admins = [word for name in ADMINS for word in ("--admin", name)]
    start = ("--practice", "--start", "2021-06-07T00:00:00Z", "--restore", "olga", "--restore", "dan")
    Clone(tmp_path).play(
        "new", "game", "--edition", laid(FEW, tmp_path / "edition"), *start, *players, *admins
    )
    game = Clone(tmp_path / "game")
    for name in (*ADMINS, "cy", "olga"):
        sits(game, name, name)
        game.play("signers", "--add", f"../{name}")
    game.play("signers", "--deeds", "required", "--by", "olga")
    return game


def approve(game: Clone, admin: str, key: str, *, of: str = "cy", code: int = 0) -> str:
    sits(game, admin, admin)
    old = [each["fingerprint"] for each in json.loads(game.play("signers", "--json"))["signers"].get(of, [])]
    drop = [word for each in old for word in ("--drop", each)]
    return game.play("signers", "--of", of, "--add", f"../{key}", *drop, code=code)


def test_more_than_half_of_the_admins_name_a_key_and_a_hostile_one_does_not(game: Clone) -> None:
    before = listed(game, "cy")
    assert "as 1 of 2 admins approve" in approve(game, "eve", "evil")
    assert "eve approves for cy: SHA256:" in game.play("signers")
    sits(game, "cy", "cy")
    assert "eve: physics/signers: cy is to have 1 key to sign with, as 1 of 2 admins approve" in game.play(
        "status"
    )
    sits(game, "ben", "ben")
    assert "is to have" not in game.play("status")
    assert "already" in approve(game, "eve", "evil", code=1)
    assert git_says(game, "HEAD"), "Git passes over the approval, and knows the key"
    assert "as 1 of 2" in approve(game, "ben", "new"), "of another key it is no second"
    assert listed(game, "cy") == before
    assert "only they themselves" in approve(game, "cy", "evil", of="ben", code=1)
    for player in ("dan", "olga", "keeper"):
        assert "others who may restore it name those keys" in approve(game, "ben", "new", of=player, code=1)

    waits = game.head
    assert "cy has 1 key to sign with" in approve(game, "ana", "new")
    assert listed(game, "cy") == [public(game, "new")]
    assert "approves" not in game.play("signers"), (
        "what it was about is over, and so is what Eve has approved for him"
    )
    assert not faults(game)
    done = game.head
    for key, what in (
        ("", "it is signed with no key that ana had"),
        ("eve", "it is signed with no key that ana had"),
    ):
        resigned(game, key)
        assert faults(game) == [what]
        assert what in game.play("status", code=1)
        rewound(game, done)
    sits(game, "cy", "new")
    game.play("roll", "DICE6")
    assert not faults(game)
    resigned(game, "cy")
    assert faults(game) == ["it is signed with no key of cy"], "the lost key counts no more"

    rewound(game, waits)
    sits(game, "cy", "cy")
    game.play("signers", "--add", "../new")
    assert "approves" not in game.play("signers"), "whoever has their key still ends it"


def test_what_is_too_few_is_found_though_the_one_who_pushed_it_did_not_look(
    game: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(helping, "FEWEST", 0)
        patched.setattr(approving, "needed", lambda *_: 1)
        approve(game, "eve", "evil")
    assert listed(game, "cy") == [public(game, "evil")]
    sits(game, "cy", "evil")
    [wrong, *_] = faults(game)
    assert "its message says" in wrong or "its tree is not what its deed makes" in wrong
    game.play("signers", "--add", "../new")
    assert "it is signed with no key that cy had" in faults(game), (
        "what it named counts for nothing that follows"
    )


def test_those_who_may_restore_say_how_many_admins_it_takes(game: Clone) -> None:
    sits(game, "olga", "olga")
    assert "already" not in game.play("signers", "--approvals", "3", "--by", "olga")
    assert "already: 3" in game.play("signers", "--approvals", "3", "--by", "olga", code=1)
    assert "approvals: 3" in (game.folder / "game" / "game.yml").read_text()
    assert "1 of 3" in approve(game, "ana", "new")
    assert "2 of 3" in approve(game, "ben", "new")
    assert "cy has 1 key" in approve(game, "eve", "new")
    assert not faults(game)
    sits(game, "ben", "ben")
    assert "ben may not restore" in game.play("signers", "--approvals", "1", "--by", "ben", code=1)
