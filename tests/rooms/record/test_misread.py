"""Commits that only pretend to be deeds, since a trailer of theirs has not its form: whoever looks is told which it is and what
mends it; once it is mended, all goes on.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from support.clones import FEW, Clone, game_in_clones
from support.depth import one_of
from support.shared import shared

AT = "Nomic-At: 2021-06-07T00:00:00Z"
EVIDENCE = {
    "account": {"account": ["github", "5", "no login!"]},
    "number": {"account": ["github", "1234567890123456789", "dee"]},
    "thread": {"thread": ["github", "one"]},
    "events": {"events": ["No Event"]},
    "signature": {"signed": ["dee", "a"]},
    "signed-at": {"signed": ["dee", "soon", "a"]},
    "deeds": {"deeds": {"20210607T000000Z-000000000000": {"deed": 1}}},
    "claims": {"claims": "none"},
    "none": [],
}
WRONG = {
    **{name: ("Nomic-Id:", f"Nomic-Evidence: {json.dumps(each)}\nNomic-Id:") for name, each in EVIDENCE.items()},
    "nested": ("Nomic-Id:", f"Nomic-Evidence: {'[' * 9_999}\nNomic-Id:"),
    "parameters": ('{"title": "Hi"}', '["Hi"]'),
    "no-json": ('{"title": "Hi"}', "{title: Hi}"),
    "time": (AT, "Nomic-At: yesterday"),
    "no-time": (f"{AT}\n", ""),
    "cast": ("Nomic-Id:", "Nomic-Cast-At: never\nNomic-Id:"),
    "branch": ("Nomic-Id:", "Nomic-Branch: main\nNomic-Id:"),
    "seed": ("Nomic-Id:", "Nomic-Seed: none\nNomic-Id:"),
    "dice": ("Nomic-Id:", "Nomic-Dice: {}\nNomic-Id:"),
    "id": ("Nomic-Id: ", "Nomic-Id: x"),
    "nobody": ("Nomic-By: dee\n", ""),
    "bell": ("Nomic-By: dee", "Nomic-By: d\aee"),
    "nothing": ("Nomic-Action: post\n", ""),
    "twice": ("Nomic-Id:", "Nomic-By: dee\nNomic-Id:"),
    "signed-off": ("Nomic-Id:", "Signed-off-by: Dee <dee@game.example>\nNomic-Id:"),
}  # fmt: skip
"""What stands in a deed's message otherwise than any deed has it."""
LOOKING = (
    ["status"], ["log"], ["posts"], ["state"], ["actions"], ["rules"], ["announce", "--dry-run"], ["site", "export", "pages"],
    ["verify"], ["check"], ["sync"], ["sync", "--again"], ["sync", "--dry-run"],
)  # fmt: skip
DOING = (
    ["post", "More"], ["undo", "20210607T000000Z-000000000000"], ["steward", "--know", "ben=12"],
    ["rehouse", "--github", "nomic-club/other", "--by", "ana"], ["restore", "GOOD", "--by", "ana"], ["keep"],
)  # fmt: skip


def founded(folder: Path) -> None:
    """A game of two clones that lives on a forge, whose founder may mend it."""
    options = ("--restore", "ana", "--github", "nomic-club/game", "--account", "ana=11")
    ana, _ = game_in_clones(folder, ("ana", "ben"), *options, rules=FEW)
    ana.play("post", "Hello")
    ana.play("sync")


def cloned(folder: Path, name: str, player: str) -> Clone:
    Clone(folder).git("clone", "--quiet", str(folder / "bare.git"), name)
    clone = Clone(folder / name)
    clone.play("me", player)
    return clone


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", [pytest.param(each, marks=one_of(6, number)) for number, each in enumerate(WRONG)]
)
def test_whoever_looks_is_told_which_commit_it_is_and_what_mends_it_and_then_all_goes_on(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, kind: str
) -> None:
    shutil.copytree(shared(tmp_path_factory, "misread", founded), tmp_path, dirs_exist_ok=True)
    ana, ben = Clone(tmp_path / "ana"), Clone(tmp_path / "ben")
    for clone in (ana, ben):
        clone.git("remote", "set-url", "origin", str(tmp_path / "bare.git"))
    dee = cloned(tmp_path, "dee", "dee")
    dee.play("post", "Hi")
    good, deed = dee.git("rev-parse", "HEAD^"), dee.head
    head, _, message = dee.git("cat-file", "commit", "HEAD").partition("\n\n")
    old, new = WRONG[kind]
    assert message.count(old) == 1
    wrong = dee.stored("commit", f"{head}\n\n{message.replace(old, new)}\n".encode())
    dee.git("push", "--quiet", "origin", f"{wrong}:refs/heads/main")
    ben.play("post", "Mine")
    assert wrong[:12] in ben.play("sync", code=1)

    eve = cloned(tmp_path, "eve", "eli")
    for words in (*LOOKING, *DOING):
        code, said = eve.tried(*(good if each == "GOOD" else each for each in words))
        assert code == (0 if words in LOOKING[1:8] else 1), (words, said)
        assert wrong[:12] in said, (words, said)
        assert f"nomicgit mend --to {good}" in said, (words, said)
    assert eve.head == wrong

    ana.play("sync", code=1)
    ana.git("merge", "--quiet", "--ff-only", wrong)
    assert f"Set aside: {wrong[:12]}" in ana.play("mend", "--to", good)
    ana.play("sync")
    mended = ana.head
    assert "again: ben: post" in ben.play("sync")
    eve.play("sync")
    for clone in (ben, eve, cloned(tmp_path, "fay", "eli")):
        assert f"mended  {wrong[:12]}" in clone.play("verify")
        for words in LOOKING:
            clone.play(*words)
    # Whoever has looked at it before looks at what is new alone: what was set aside is no fault of that.
    dee.git("reset", "--quiet", "--hard", deed)
    said = dee.play("sync")
    assert "again: dee: post" in said
    for clone in (ben, eve):
        clone.play("post", "Later")
        clone.play("sync")
        clone.play("sync", "--again")
    subjects = dee.git("log", "--format=%s", f"{mended}..HEAD").splitlines()
    assert [each for each in subjects if each.startswith("dee: post")]
    assert "verified" in cloned(tmp_path, "guy", "cy").play("verify")
