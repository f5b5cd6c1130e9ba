"""What people say is read line by line, what is quoted is not theirs, and what nearly worked is answered."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import pytest
from support.doorstep import HOUR, Doorstep, doorstep
from support.forging import client

from nomicgit.ground.escaping import leading_home, lines_escaped
from nomicgit.ground.problems import Refused
from nomicgit.ground.reasons import worded
from nomicgit.steward.asks import MOST, parts
from nomicgit.steward.nearly import nearly
from nomicgit.steward.saying import said


def forget(door: Doorstep) -> None:
    """The owner deletes all that the steward has said."""
    for thread in door.github.threads.values():
        thread.comments[:] = [each for each in thread.comments if each.author is not door.github.steward]


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
        (":for: yes\n/enact.", [":for: yes", "/enact."]),
        ("> :for:\n> it is good", ["> :for:\n> it is good"]),
        (">> \t/act roll\n\n> hm", ["> /act roll\n> hm"]),
        ("    /enact", ["> /enact"]),
        ("```\n/enact\n```\nhm", ["hm", "> /enact"]),
        ("```\nls /act\n:for: it\n```\nhm", ["hm", "> :for: it"]),
        ("```\n:for:\n```\n/tally", ["/tally"]),
        ("> :for:\n\nhm", ["hm"]),
        ("````\n```\n:for:\n```\n````", ["> :for:"]),
        ("~~~ text\n:for:\n``` \n~~~\n/enact", ["/enact"]),
        ("Such as:\n\n    /enact\n\nno?", ["Such as:\n\n\nno?", "> /enact"]),
        ("<!-- :for: -->", [""]),
        ("What does `<!--` do?\n\n:for:", [":for:\nWhat does `<!--` do?"]),
        ("```\n<!-- x\n```\n:for:", [":for:"]),
        ("> <!-- x\n\n:for:", [":for:"]),
        ("so <!-- it seems\n\n:for:", [":for:\nso <!-- it seems"]),
        ("so <!-- it\n:against:\n--> seems", ["so  seems"]),
        ("<!-- it\n\n:against:\n-->\n:for:", [":for:"]),
        ("<!-- it\n\n:against:", [""]),
        ("\u200b:for: yes\ufeff\n\u2060/tally", [":for: yes", "/tally"]),
        ("/act roll dice=DICE6\n/act roll\ndice=DICE20", ["/act roll dice=DICE6", "/act roll\ndice=DICE20"]),
        ("in /etc/passwd\n/etc/passwd\n/ /a", ["in /etc/passwd\n/etc/passwd\n/ /a"]),
        (":veto:\n" * (MOST + 3), [*[":veto:"] * MOST, ":veto:\n:veto:\n:veto:"]),
    ],
)  # fmt: skip
def test_a_text_is_read_part_by_part(text: str, read: list[str]) -> None:
    assert parts(text) == read


ACTIONS = ("roll", "explore", "vote", "resolve", "join")
SAID_SO = "say it so, at the beginning of a line: "
BY_ICON = "say it by its icon, at the beginning of a line: :for:, :against:, :deferential:, :veto:"


@pytest.mark.parametrize(
    ("text", "works"),
    [
        ("/for", f"{SAID_SO}:for:"),
        ("vote 12 for", f"{SAID_SO}/vote 12 for"),
        ("/vote #12 Against", f"{SAID_SO}/vote 12 against"),
        ("Well.\nI voted FOR", f"{SAID_SO}:for:"),
        ("/vote-for", f"{SAID_SO}:for:"),
        ("👍🏽 👍", BY_ICON),
        ("LGTM!", BY_ICON),
        (":yes:", BY_ICON),
        ("/roll dice=DICE6", "say: /act roll, and what it takes behind it"),
        ("ok: act roll dice=DICE6", "say: /act roll, and what it takes behind it"),
        ("/act: roll dice=DICE6", "say: /act roll, and what it takes behind it"),
        ("/enakt", "did you mean /enact?"),
        ("/action roll", "did you mean /act?"),
        ("/rol", "did you mean /act roll?"),
        ("/?", f"{SAID_SO}/help"),
        ("> /enact", "say it in a line of your own"),
        ("LGTM :+1:", BY_ICON),
        ("/approve", BY_ICON),
        ("I approve.", BY_ICON),
        ("vote", f"{SAID_SO}/vote for"),
        ("/merge", "there is no /merge; /help says what there is"),
        ("/tmp is full", ""),
        (":tada:", ""),
        ("/etc/passwd", ""),
        ("yes", ""),
        ("For:\n- it is cheap", ""),
        ("I would vote for it if it were cheaper", ""),
        ("for what it is worth", ""),
        ("it failed", ""),
        ("post", ""),
    ],
)
def test_what_nearly_asks_is_known(text: str, works: str) -> None:
    near = nearly(text, ICONS, ACTIONS, matter=True)
    assert near.endswith(works)
    assert bool(near) == bool(works)


@pytest.mark.parametrize("vote", ["/vote for #2", "/vote against 2", ":for: on post 2", "/vote for post #2."])
def test_a_vote_behind_which_a_number_stands_alone_is_asked_about(vote: str) -> None:
    """It may name another matter than the one that stands here."""
    with pytest.raises(Refused, match="on post 2: /vote 2 "):
        said(vote, ICONS)
    assert said(":for: 2 reasons", ICONS) is not None


def test_where_there_is_nothing_to_vote_on_an_emoji_is_talk() -> None:
    assert nearly("👍", ICONS, ACTIONS, matter=False) == ""
    assert nearly("👍", (), ACTIONS, matter=True) == ""


BASES = (
    ":for:", ":Against:", "/vote for", "/vote 12 for", "/enact", "/fail", "/help", "/status", "/tally",
    "/join", "/act roll dice=DICE6", "/propose", "/resolve",
)  # fmt: skip
PAIRS = (*"\"'`*_", "()", "[]", "“”", "„“", "«»", "‹›", "「」", "『』", "‘’")
HABITS: tuple[Callable[[str], str], ...] = (
    str, str.upper, str.title, str.lower,
    *(lambda said, pair=pair: f"{pair[0]}{said}{pair[-1]}" for pair in PAIRS),
    *(lambda said, before=before: f"{before}{said}" for before in (
        "@nomicgit ", "@nomicgit, ", "@github-actions[bot] ", "- ", "* ", "1. ", "## ", "please ", "Ok, ", "Hello, please ",
        "  ", "I want to ",
    )),
    *(lambda said, behind=behind: f"{said}{behind}" for behind in (".", "!", "?", " please", " @nomicgit", " it", "…", "\r\n")),
    lambda said: f"<b>{said}</b>",
    lambda said: f"| {said} |",
    lambda said: f"\u200b{said}\ufeff",
    lambda said: f"{said[:1]}\u200b{said[1:]}",
    lambda said: said.lstrip("/"),
    lambda said: said.replace("/", "／").replace(":", "："),
    lambda said: said.replace("/", "/ "),
    lambda said: said.replace("/", "\\"),
    lambda said: said.replace("/", "!"),
    lambda said: said.replace(":", ""),
    lambda said: said.rstrip(":"),
)  # fmt: skip
"""What people make of a line."""
ABOUT: tuple[Callable[[str], str], ...] = (
    lambda said: f"> oh\n\n{said}",
    lambda said: f"Thanks, all!\n{said}",
    lambda said: f"```\nx = 1\n```\n{said}",
    lambda said: f"<!-- fill in -->\n{said}",
    lambda said: f"Is `<!--` hidden?\n\n{said}",
    lambda said: f"{said}\n\n-- \nSent from my phone",
    lambda said: f"{said}\n> as you say",
    lambda said: f"> {said}",
    lambda said: f"```\n{said}\n```",
    lambda said: f"    {said}",
)
"""What stands about it."""


def outcomes(text: str) -> list[str]:
    """What comes of a comment by what is read of it: things to do, refusals, and what is told to be nearly something."""
    made = []
    for part in parts(text):
        try:
            made.append(str(said(part, ICONS) or nearly(part, ICONS, ACTIONS, matter=True)))
        except Refused as refused:
            made.append(str(refused))
    return [each for each in made if each]


@pytest.mark.parametrize("base", BASES)
def test_whatever_the_habit_it_is_done_or_answered_once(base: str) -> None:
    """Each two of them, one in the other."""
    texts = {about(within(base)) for about in (*HABITS, *ABOUT) for within in HABITS}
    assert len(texts) > 1000
    assert [text for text in texts if len(outcomes(text)) != 1] == []


@pytest.mark.parametrize(
    "talk",
    [
        "What a night.", "It is for ana to say.", "I am against it, I think.", "Who votes for it?", "We should enact this soon.",
        "see https://example.org/for/act", "10:for:20", "~/act/roll", "@dee what do you say?", "Help is on its way.", "n/a",
        "The status is unclear", "> :tada:", "```\nls /act\n```", "Is that a :joy: ?", "* cheap\n* fast", "either/or", "and/for",
    ],
)  # fmt: skip
def test_talk_is_left_alone(talk: str) -> None:
    assert outcomes(talk) == []


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
            "@Eli: nothing was done: if that is your vote, say it so, at the beginning of a line: :against:",
            "@Fox: post 1 is pending: 2 FOR.",
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


SITE = "https://nomic-club.github.io/game/"


@pytest.mark.slow
def test_who_asks_is_answered_and_who_comes_by_is_welcomed_once(tmp_path: Path) -> None:
    with doorstep(tmp_path) as door:
        zoe = door.people["zoe"] = door.github.user("zoe")
        door.github.user("dependabot[bot]", kind="Bot")
        pull = door.propose("cy", "Moonlight")
        other = door.github.issue(zoe, "Hello", "What is this?")
        door.run()
        door.say("zoe", pull, "nice")
        door.say("zoe", other, "really")
        door.say("fox", pull, "/status")
        door.say("cy", pull, "/status")
        assert door.run().deeds == []
        assert [body.count("@zoe: welcome") for body in door.ours(other)] == [1]
        assert other.state == "open"
        plain = "\n".join(door.ours(pull)).replace("\\", "")
        assert "@zoe" not in plain
        for words in (f"The rules: <{SITE}ruleset/>", f"What waits for whom: <{SITE}me/>", "/join"):
            assert words in door.ours(other)[0].replace("\\", "")
        assert plain.count(f"All of it: <{SITE}>") == 2
        assert (
            "@Fox: dynasty 1; Richardo von Nestor ana.  \nPost 1, Moonlight: 1 FOR; it may be failed from 2026-"
            in plain
        )
        assert plain.count("What needs your vote: post 1.") == 1
        assert plain.count("What needs your vote: nothing.") == 1
        forget(door)
        door.say("zoe", pull, "well")
        vote = door.say("zoe", pull, ":for:")
        door.run()
        told = [body for body in door.ours(pull) if "@zoe" in body]
        assert [("welcome" in body.split("<!--")[0], "no move in it" in body) for body in told] == [
            (False, True)
        ]
        door.say("zoe", pull, "/join")
        door.run()
        assert f"each morning what waits for you: <{SITE}me/>" in door.ours(pull)[-1]
        door.github.edit(zoe, vote, ":for: indeed")
        door.say("zoe", other, "Am I in?")
        door.run()
        assert ["wait for an answer of an admin" in body for body in door.ours(pull)].count(True) == 1
        assert [
            body for body in door.ours(other) if "welcome" in body.split("<!--")[0]
        ] == []  # forgotten above
        assert door.faults() == []


@pytest.mark.slow
def test_who_opens_again_what_is_given_up_or_over_is_told_once(tmp_path: Path) -> None:
    with doorstep(tmp_path, resolve="admins") as door:
        pull, cy = door.propose("cy", "Moonlight"), door.people["cy"]
        door.run()

        def reopen() -> str:
            door.github.close(cy, pull)
            door.run()
            door.github.clock.advance(60)
            door.github.reopen(cy, pull)
            said = len(door.ours(pull))
            door.run()
            told = "\n".join(door.ours(pull)[said:])
            assert "open a new pull request" in told
            door.say("eli", pull, "hm")
            assert door.run().told == []
            return told

        assert "post 1 is given up" in reopen()
        assert pull.state == "open"
        door.say("ben", pull, "/fail")
        door.run()
        assert pull.state == "closed"
        assert "post 1 has failed, and opening this again changes nothing" in reopen()
        assert pull.state == "closed"
        assert door.faults() == []


def test_addresses_of_the_games_own_site_lead_there_and_no_others() -> None:
    text = f"see {SITE}rules/a-b/, {SITE}. Not https://evil.example/{SITE}x or https://nomic-club.github.io.evil/"
    shown = leading_home(lines_escaped(text), SITE)
    assert re.findall(r"<([^>]*)>", shown) == [f"{SITE}rules/a-b/", SITE, f"{SITE}x"]
    assert shown.count("://") == 3


@pytest.mark.slow
def test_an_issues_own_text_is_read_as_a_comment_is(tmp_path: Path) -> None:
    with doorstep(tmp_path, resolve="admins") as door:
        fox, pull = door.people["fox"], door.propose("cy", "Moonlight")
        two = door.github.issue(fox, "Two", "First this.\n\n/act roll dice=DICE6\n\n/status\n\n> /join\n")
        near = door.github.issue(fox, "Near", "Let us see.\n\n/rol dice=DICE6")
        plain = door.github.issue(fox, "Talk", "What a night.\n```\n/act roll dice=DICE6\n```")
        early = door.github.issue(door.people["ben"], "Early", "/enact 1")
        passed = door.run()
        assert [(deed.by, deed.action) for deed in passed.deeds] == [("cy", "propose"), ("fox", "roll")]
        (answer,) = door.ours(two)
        assert answer.count("fox: **roll** is done") == answer.count("What needs your vote") == 1
        assert [each.state for each in (two, near, plain, early)] == ["closed", "open", "open", "closed"]
        assert "there is no /rol; did you mean /act roll?" in door.ours(near)[0].replace("\\", "")
        refusal = " ".join(door.ours(early)[0].replace("\\", "").split())
        assert "It is not popular. So says the rule Enacting and Failing" in refusal
        assert re.search(r"Post 1: it may be \w+ from 2026-\S+Z on, if no vote changes\.", refusal)
        assert [body.count("or stands in code, is not read") for body in door.ours(plain)] == [1]
        forget(door)
        door.say("dee", pull, "hm")
        for thread in (two, near, plain, early):
            thread.updated_at = door.github.clock.now
        assert door.run().deeds == []  # it was decided for good, whoever deletes the answer
        assert [door.ours(each) for each in (two, near, plain, early)] == [[], [], [], []]
        door.github.clock.advance(60)
        door.github.edit(fox, near, "Let us see.\n\n/act roll dice=DICE6")
        door.github.edit(fox, two, "First this.\n\n/act roll dice=DICE20\n\n/tally\n")
        passed = door.run()
        assert [(deed.by, deed.action, deed.event) for deed in passed.deeds] == [("fox", "roll", "issue-3")]
        assert near.state == "closed"
        said = " ".join(door.ours(two))
        assert (said.count("edited this after it was done"), said.count("nothing here to vote on")) == (1, 1)
        assert door.faults() == []


@pytest.mark.slow
def test_by_whose_token_a_pass_reads_is_heard_as_anybody_is(tmp_path: Path) -> None:
    """What the steward says in their name is not theirs, and all else is, though the forge calls both their own."""
    with doorstep(tmp_path) as door:
        ana, pull = door.people["ana"], door.propose("cy", "Moonlight")
        door.github.role(ana, "admin")
        by = {"forge": client(door.github, ana), "token": door.github.token(ana)}
        talk = door.say("ana", pull, "hm")
        door.say("ana", pull, "/act roll dice=DICE6")
        assert [(deed.by, deed.action) for deed in door.run(**by).deeds] == [
            ("cy", "propose"),
            ("ana", "roll"),
        ]
        assert sum("ana: **roll** is done" in each.body for each in pull.comments) == 1
        door.run(**by)
        assert door.run(**by).nothing_new
        door.github.edit(ana, talk, ":for:")
        assert [(deed.by, deed.action) for deed in door.run(**by).deeds] == [("ana", "vote")]
        assert door.run(**by).deeds == []
        assert door.faults() == []


def test_a_label_of_the_laws_is_said_in_words() -> None:
    assert worded("hiatus: a DoV is pending") == "there is hiatus: a DoV is pending"
    assert worded("dungeon_level: it is too deep") == "dungeon level: it is too deep"
    assert worded("it is not popular: a_b: c") == "it is not popular: a_b: c"


@pytest.mark.slow
def test_on_the_forge_each_habit_is_done_or_answered_once(tmp_path: Path) -> None:
    """Comments, and reviews that only comment; a later pass adds nothing, but for what is edited."""
    with doorstep(tmp_path, resolve="admins") as door:
        pull = door.propose("cy", "Moonlight")
        door.run()
        texts = [
            about(within(base))
            for base, within, about in zip(cycle(BASES), HABITS, cycle(ABOUT), strict=False)
        ]
        names = cycle(("ana", "ben", "dee", "eli", "fox"))
        said_so = {
            f"comment-{door.say(who, pull, text).id}": text for who, text in zip(names, texts, strict=False)
        }
        for who, text in zip(
            names, ("/tally", "/act roll dice=DICE6", "please enact", ":for: yes"), strict=False
        ):
            said_so[f"pull-1-review-{door.review(who, pull, 'COMMENTED', text).id}"] = text
        passed = door.run()
        assert passed.problems == []
        events = Counter([*(each.event for each in passed.deeds), *(each.event for each in passed.told)])
        assert {event: text for event, text in said_so.items() if events[event] != 1} == {}
        plain = "\n".join(door.ours(pull)).replace("\\", "")
        assert ": **roll** is done" in plain
        writings = len(door.ours(pull))
        door.github.clock.advance(HOUR)
        again = door.run()
        assert (again.deeds, again.told, len(door.ours(pull))) == ([], [], writings)
        quote = door.say("fox", pull, "> I am :against: it\n> /enact")
        door.run()
        door.github.edit(quote.author, quote, "> I am :against: it\n\n/tally")
        passed = door.run()
        assert [each.text.split(":")[0] for each in passed.told] == ["post 1 is pending"]
        assert door.faults() == []
