"""What people say is read line by line, what is quoted is not theirs, and what nearly worked is answered."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.doorstep import HOUR, doorstep

from nomicgit.steward.asks import MOST, parts
from nomicgit.steward.saying import nearly

ICONS = ("for", "against", "deferential", "veto")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("", [""]),
        ("Let us see.\n\nWell.", ["Let us see.\n\nWell."]),
        (":for: yes\nbecause", [":for: yes\nbecause"]),
        ("I think so\n:for:\nsince it is good", [":for:\nI think so\nsince it is good"]),
        ("> :against:\n\n:for:", [":for:"]),
        ("> DEFERENTIAL\nFOR", ["FOR"]),
        ("```\n/enact\n```\nhm", ["hm"]),
        ("````\n```\n:for:\n```\n````", [""]),
        ("~~~ text\n:for:\n``` \n~~~\n/enact", ["/enact"]),
        ("Such as:\n\n    /enact\n\nno?", ["Such as:\n\n\nno?"]),
        ("<!-- :for: -->", [""]),
        ("/act roll dice=DICE6\n/act roll\ndice=DICE20", ["/act roll dice=DICE6", "/act roll\ndice=DICE20"]),
        ("in /etc/passwd\n/etc/passwd\n/ /a", ["in /etc/passwd\n/etc/passwd\n/ /a"]),
        (":veto:\n" * (MOST + 1), [*[":veto:"] * (MOST - 1), ":veto:\n:veto:"]),
    ],
)  # fmt: skip
def test_a_text_is_read_part_by_part(text: str, read: list[str]) -> None:
    assert parts(text) == read


@pytest.mark.parametrize(
    ("text", "works"),
    [
        ("/for", "begin the line with it: :for:"),
        ("/FOR it", "begin the line with it: :for:"),
        ("@bot :for:", "begin the line with it: :for:"),
        ("@bot /enact", "begin the line with it: /enact"),
        ("vote for", "alone on a line: :for:"),
        ("I vote :against:.", "alone on a line: :against:"),
        ("Well.\nI voted FOR", "alone on a line: :for:"),
        ("/roll dice=DICE6", "say: /act roll, and what it takes behind it"),
        ("/enakt", "did you mean /enact?"),
        ("/rol", "did you mean /act roll?"),
        ("/shrug", ""),
        (":tada:", ""),
        ("I would vote for it if it were cheaper", ""),
        ("for what it is worth", ""),
    ],
)
def test_what_nearly_asks_is_known(text: str, works: str) -> None:
    assert nearly(text, ICONS, ("roll", "explore")).endswith(works)
    assert bool(nearly(text, ICONS, ("roll", "explore"))) == bool(works)


@pytest.mark.slow
def test_nobody_is_met_with_silence(tmp_path: Path) -> None:
    with doorstep(tmp_path, resolve="admins") as door:
        stranger = door.people["zoe"] = door.github.user("zoe")
        pull = door.propose("cy", "Moonlight")
        form = door.form("zoe", "post", {"kind": "story", "title": "Me", "body": "New."})
        door.run()
        both = door.say("dee", pull, "I think so\n:for:\nand\n\n/act roll dice=DICE6")
        door.say("eli", pull, "> :for:\n\n/against")
        door.say("fox", pull, "/tally")
        door.say("fox", pull, "/help")
        door.github.close(door.github.owner, pull)
        passed = door.run()
        assert [(deed.by, deed.action) for deed in passed.deeds] == [("dee", "vote"), ("dee", "roll")]
        assert door.ballots(1) == [("dee", "for")]
        said = "\n".join(door.ours(pull)).replace("\\", "").replace("\u2060", "")
        for words in (
            "@Eli: nothing was done: if that is your vote, begin the line with it: :against:",
            "@Fox: post 1 is pending. 2 FOR.",
            ":for:, :against:, :deferential:, :veto:: your vote on this matter",
            "post 1 is pending all the same",
        ):
            assert said.count(words) == 1, said
        assert both.reactions == [(door.github.steward, "EYES")]
        door.github.reopen(door.people["cy"], pull)
        door.say("fox", pull, "hm")
        assert door.run().told == []
        joining = door.github.issue(stranger, "Hello", "/join")
        door.run()
        door.say("ben", pull, "/act admit newcomer=zoe")
        door.run()
        assert joining.state == "closed"
        assert any("no player of this game yet" in body for body in door.ours(form))
        door.github.clock.advance(HOUR)
        door.github.comment(stranger, form, "hello?")
        last = door.run()
        assert last.problems == []
        assert any("handed in before you had joined" in body for body in door.ours(form))
        assert door.faults() == []
