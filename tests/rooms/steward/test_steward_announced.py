"""The steward tells what is new where the game is heard of, and the repository notes it: once, whatever runner comes next."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from fakegithub.gitside import git
from support.doorstep import DAY, doorstep
from support.heard import listening

from nomicgit.cli.heralds import ADDRESSES, heralds
from nomicgit.git import Repository
from nomicgit.steward import announced


@pytest.mark.slow
def test_what_is_new_is_announced_once_by_whatever_runner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with doorstep(tmp_path, resolve="admins") as door, listening() as heard:
        path = door.github.repo.path

        def fresh() -> list[str]:
            """What was heard since this was asked last; each pass has heralds of its own."""
            lines = [line for each in heard.hooks for line in each["message"].split("\n")]
            heard.hooks.clear()
            return lines

        def noted() -> str:
            return git(path, "show", f"{announced.REF}:{announced.FILE}")

        monkeypatch.setenv(ADDRESSES, f"{heard.web} {heard.mail}")
        assert door.run(heard=heralds()).problems == []
        assert (fresh(), heard.mails) == ([], [])  # what was before it is heard of is not new

        # whoever only tries tells nobody; nobody is told twice, though the clone never knew
        pull = door.propose("cy", "Moonlight")
        before = noted()
        door.run(heard=heralds(), dry_run=True)
        assert (fresh(), noted()) == ([], before)
        passed = door.run(heard=heralds())
        assert [(each.lines, each.why_not) for each in passed.announced] == [
            (("New: proposal 1, Moonlight by cy",), "")
        ] * 2
        assert fresh() == ["New: proposal 1, Moonlight by cy"]
        [mail] = heard.mails
        assert mail.get_content().strip() == "New: proposal 1, Moonlight by cy"
        assert [each.lines for each in door.run(heard=heralds()).announced] == [(), ()]
        assert json.loads(noted())["claimed"] == 0

        # an address that does not answer is told next time, and fails no pass; the other is not told again
        for who in ("eli", "fox", "ana", "ben"):
            door.review(who, pull)
        heard.deaf = True
        passed = door.run(heard=heralds())
        assert ([deed.action for deed in passed.deeds], passed.problems) == (["vote"] * 4, [])
        assert [bool(each.why_not) for each in passed.announced] == [True, False]
        assert [each["why_not"] != "" for each in passed.as_json()["announced"]] == [True, False]
        due = "May be enacted from"
        assert due in heard.mails[1].get_content()
        heard.deaf = False
        assert [bool(each.lines) for each in door.run(heard=heralds()).announced] == [True, False]
        assert [line.startswith(due) for line in fresh()] == [True]

        # who announces has that alone; whoever dies between telling and noting has said so, and is waited for
        door.github.clock.advance(DAY)
        door.say("ben", pull, "/enact")

        write = announced._write

        def dies(clone: Repository, kept: Mapping[str, Any], now: int) -> str:
            if not kept["claimed"]:
                raise KeyboardInterrupt
            return write(clone, kept, now)

        with monkeypatch.context() as broken:
            broken.setattr(announced, "_write", dies)
            with pytest.raises(KeyboardInterrupt):
                door.run(heard=heralds())
        assert fresh() == ["Enacted: proposal 1, Moonlight"]
        assert door.run(heard=heralds()).announced == []
        door.github.clock.advance(announced.CLAIM)
        door.run(heard=heralds())
        assert fresh() == ["Enacted: proposal 1, Moonlight"]
        assert [each.lines for each in door.run(heard=heralds()).announced] == [(), ()]

        # no address stands anywhere; what is damaged there stops no deed, and is told
        assert not any(word in noted() for word in ("SECRET", "127.0.0.1", "attic"))
        assert all(len(key) == 3 for key in json.loads(noted())["known"])
        blob = git(path, "hash-object", "-w", "--stdin", given=b"[]")
        tree = git(path, "mktree", given=f"100644 blob {blob}\t{announced.FILE}\n".encode())
        git(path, "update-ref", announced.REF, git(path, "commit-tree", "-m", "x", tree))
        door.propose("dee", "Sunlight")
        passed = door.run(heard=heralds())
        assert [deed.action for deed in passed.deeds] == ["propose"]
        assert "does not tell what was announced" in passed.problems[0]
        assert door.faults() == []
