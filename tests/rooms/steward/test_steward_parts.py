"""The steward's parts by themselves: what a text says, what is kept, what the settings must say, where deeds came in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from support.doorstep import HOUR, doorstep, rule
from support.ids import named

from nomicgit import editions
from nomicgit.cli.app import app
from nomicgit.ground.problems import Refused
from nomicgit.law.ruleset import Ruleset
from nomicgit.physics.deed import Account, Deed, Origin, Thread
from nomicgit.record import journal
from nomicgit.record.game import Game
from nomicgit.steward.advice import Queue, Waiting, advice, restated
from nomicgit.steward.doorbell import doorbell
from nomicgit.steward.keeping import Kept, Left
from nomicgit.steward.replying import after, passed_over, reply
from nomicgit.steward.said import Close, Outcome, Result, Reword, Say
from nomicgit.steward.saying import Command, Vote, said, words_of
from nomicgit.steward.seen import Cursor
from nomicgit.steward.steps import Done, Heard, Hitch, Letters, Stands, Step, Told, step_of

ICONS = ("for", "against", "deferential", "veto")


@pytest.mark.parametrize(
    ("text", "vote"),
    [
        (":for:", Vote("for", "")),
        ("  :AGAINST: too dear\r\nmuch too dear", Vote("against", "too dear\nmuch too dear")),
        ("/vote veto", Vote("veto", "")),
        ("/VOTE :for: yes", Vote("for", "yes")),
        ("/vote 12 for I don't mind\nmuch", Command("vote", "12 for I don't mind\nmuch")),
        ("/vote 12", Command("vote", "12")),
        ("DEFERENTIAL\n\nI trust her.", Vote("deferential", "I trust her.")),
        ("**FOR**", Vote("for", "")),
        ("for.", Vote("for", "")),
        ("For what it is worth, no.", None),
        ("I am :for: it", None),
        ("> :for:", None),
        (":+1:", None),
        (":for", None),
        ("", None),
    ],
)
def test_the_first_line_is_a_vote_or_talk(text: str, vote: Vote | None) -> None:
    assert said(text, ICONS) == vote


def test_icons_are_the_laws() -> None:
    assert said(":nay:", ("yea", "nay")) == Vote("nay", "")
    assert said(":for:", ("yea", "nay")) is None


def test_commands_take_words_and_lines() -> None:
    found = said('/act explore room=C3 name="The Hall"\nfeatures=[glyph]\nand so on', ICONS)
    assert found == Command("act", 'explore room=C3 name="The Hall"', ("features=[glyph]",))
    assert words_of('a="b c" d') == ["a=b c", "d"]


def test_a_vote_without_an_icon_of_the_laws_is_refused() -> None:
    with pytest.raises(Refused, match="maybe is no icon"):
        said("/vote maybe", ICONS)
    with pytest.raises(Refused, match="a vote says its icon") as refused:
        said("/vote", ICONS)
    assert refused.value.problems[0].mend.startswith(f"say one of /vote {ICONS[0]}, ")


def test_what_is_kept_is_read_back_and_anything_else_is_nothing() -> None:
    left = Left("N", pull=True, report="C", digest="d", labels=("pending",), status="a pending", does="x")
    kept = Kept(Cursor(5, me=7), {12: left})
    assert Kept.of(kept.as_bytes()) == kept
    for data in (
        b"",
        b"[]",
        b"{}",
        b'{"cursor":null,"threads":{"x":{}}}',
        b'{"cursor":null,"threads":{"1":{"node":1}}}',
        b"[" * 9999,
    ):
        assert Kept.of(data) == Kept()


@pytest.mark.parametrize(
    ("told", "what"),
    [
        (None, "name no repository"),
        ({"github": "x"}, "name no repository"),
        ({"github": "a/b", "resolve": "me"}, "neither steward nor admins"),
        ({"github": "a/b", "resolve": "steward"}, "forge.by is missing"),
        ({"github": "a/b", "by": 5}, "no player's name"),
        ({"github": "a/b", "comments": "some"}, "neither votes nor all"),
        ({"github": "a/b", "players": {"ana": "Ana"}}, "numeric id"),
        ({"github": "a/b", "players": {"ana": 1, "ben": 1}}, "numeric id"),
        ({"github": "a/b", "players": ["ana"]}, "no map"),
    ],
)
def test_settings_that_make_no_sense_are_refused(told: dict[str, object] | None, what: str) -> None:
    with pytest.raises(Refused, match=what):
        doorbell(told)


def test_the_forge_has_a_pass_to_find_out_that_a_branch_is_merged_before_it_is_closed() -> None:
    stands = Stands(12, 1, "enacted", (), merges=True, does="", body="b")
    fresh = Left("N", pull=True, labels=("pending",), report="C", status="sha pending")

    def closes(left: Left) -> bool:
        found = reply(12, left, None, tells=(), answers=(), stands=stands, keys_told=())
        return any(isinstance(write, Close) for write in found.writes)

    assert not closes(fresh)
    assert closes(replace(fresh, labels=("enacted",)))
    assert not closes(replace(fresh, labels=("enacted",), open=False))


@pytest.mark.parametrize(
    ("outcome", "locked", "anew"),
    [
        (Outcome.REFUSED, False, True),  # by another account, which spoke for the game before
        (Outcome.GONE, False, True),
        (Outcome.REFUSED, True, False),
        (Outcome.UNKNOWN, False, False),
        (Outcome.PUT_OFF, False, False),
    ],
)
def test_a_report_that_cannot_be_reworded_any_more_is_said_anew(
    outcome: Outcome, locked: bool, anew: bool
) -> None:
    stands = Stands(12, 1, "pending", (), merges=True, does="", body="It has two votes.")
    before = Left(
        "N", pull=True, locked=locked, labels=("pending",), report="OLD", digest="x", status="sha pending"
    )
    made = reply(12, before, None, tells=(), answers=(), stands=stands, keys_told=())
    if locked:
        made.writes, made.left = [Reword("OLD", "It has two votes.")], before
    assert made.writes == [Reword("OLD", "It has two votes.")]
    result = Result(made.writes[0], outcome, "not yours")
    left = after(made, [result])
    assert ("said anew" in passed_over(made, result)) is anew
    then = reply(12, left, None, tells=(), answers=(), stands=stands, keys_told=())
    assert any(isinstance(each, Say) for each in then.writes) is anew


@pytest.mark.parametrize(
    ("step", "plain"),
    [
        (
            Done("c0ffee", "ana", "vote", answer=True, event="comment-5", thread=12),
            {
                "event": "comment-5",
                "thread": 12,
                "deed": "c0ffee",
                "by": "ana",
                "action": "vote",
                "answer": True,
            },
        ),
        (
            Done("c0ffee", None, "resolve", resolve=7),
            {"resolve": 7, "deed": "c0ffee", "by": None, "action": "resolve", "answer": False},
        ),
        (
            Told(12, ("issue-12",), "No.", ("cy-2",), refused=True, event="issue-12"),
            {
                "event": "issue-12",
                "thread": 12,
                "tell": {"keys": ["issue-12"], "text": "No.", "whom": ["cy-2"], "refused": True},
            },
        ),
        (
            Told(12, ("edited",), "Look."),
            {"thread": 12, "tell": {"keys": ["edited"], "text": "Look.", "whom": [], "refused": False}},
        ),
        (Heard("comment-5", 12), {"event": "comment-5", "thread": 12}),
        (Heard("issue-5", 5, waits=True), {"event": "issue-5", "thread": 5, "waits": True}),
        (Letters("c0ffee", "d1"), {"letters": "c0ffee", "said": "d1"}),
        (
            Stands(12, 1, "enacted", ("vetoed",), merges=True, does="", body="b"),
            {
                "stands": 12,
                "post": 1,
                "status": "enacted",
                "marks": ["vetoed"],
                "merges": True,
                "does": "",
                "body": "b",
                "other": False,
            },
        ),
        (Hitch("the pass ended early"), {"problem": "the pass ended early"}),
    ],
)
def test_every_step_leaves_the_worker_as_plain_data_and_is_read_back(
    step: Step, plain: dict[str, object]
) -> None:
    assert json.loads(json.dumps(step.as_json())) == plain
    assert step_of(plain) == step


def test_an_origin_is_read_back_from_evidence() -> None:
    origin = Origin(("comment-5",), Account("github", 7, "Cy-2"), Thread("github", 12))
    assert journal.origin_of(journal.evidence_of(origin)) == origin
    assert journal.origin_of({"died": ["x"]}) is None


@pytest.mark.parametrize(
    "evidence",
    [{"events": ["a b"]}, {"account": ["github", "x", "y"]}, {"account": ["github", "1"]}, {"thread": ["github", "-1"]},
     {"account": ["github", "1", "a\nb"]}, {"thread": ["GitHub", "1"]}],
)  # fmt: skip
def test_evidence_of_no_form_is_no_origin(evidence: dict[str, list[str]]) -> None:
    with pytest.raises(ValueError, match="has not its form"):
        journal.origin_of(evidence)


def test_a_passage_that_another_changes_first_is_restated() -> None:
    law = Ruleset.read({"2-dynastic/10-tea.md": rule("Tea", "Tea is drunk hot.\nNobody spills.")})
    change = {"amend": {"rule": "tea", "replace": "drunk hot", "with": "drunk cold"}}
    other = {
        "amend": {"rule": "tea", "replace": "Tea is drunk hot.", "with": "Tea is drunk scalding hot, always."}
    }
    blocked = {"amend": {"rule": "tea", "replace": "Tea is drunk hot.", "with": "Tea is sipped."}}
    queue = Queue(law, [Waiting(1, "Scald", [other]), Waiting(2, "Sip", [blocked])], [])
    found = "\n".join(advice(queue, 2, [blocked]))
    assert "once post 1 (Scald) is enacted" in found
    assert 'Tea is drunk scalding hot, always.", with: Tea is sipped.' in found
    assert list(advice(queue, 1, [other])) == []
    assert restated(law, {"repeal": "tea"}) is None
    assert restated(law, change) is not None


@pytest.mark.slow
def test_a_law_that_lets_posts_be_edited_after_votes_keeps_these_and_the_voters_are_called_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = dict(editions.load("crypt").texts)
    path = next(path for path, text in files.items() if "def do_edit_post" in text)
    files[path] = files[path].replace('refuse(_why_fixed(post) if get(post, "official") else "")', "pass")
    lax = Ruleset.read(files)
    monkeypatch.setattr("support.doorstep.editions.load", lambda _: lax)
    with doorstep(tmp_path) as door:
        pull = door.propose("cy", "Moonlight")
        early = door.review("dee", pull)
        door.run()
        door.github.clock.advance(HOUR)
        brighter = {"game/ruleset/2-dynastic/90-moonlight.md": rule("Moonlight", "It glows.")}
        door.github.commit(door.people["cy"], brighter, branch="moonlight")
        door.run()
        assert door.post(1)["changes"][0]["add-rule"]["text"] == "It glows."
        door.github.review(door.people["eli"], pull, "APPROVED", commit=early.commit)
        door.run()
        door.run()
        assert door.ballots(1) == [("dee", "for")]
        said_to = [body for body in door.ours(pull) if "edited after you voted" in body]
        assert [body.startswith("@Dee:") for body in said_to] == [True]
        assert len([body for body in door.ours(pull) if "@Eli: your FOR does not count" in body]) == 1


@pytest.mark.slow
def test_accounts_of_players_who_were_there_before_become_known_by_a_deed(tmp_path: Path) -> None:
    with doorstep(tmp_path, players={}) as door:
        known = f"dee={door.people['dee'].id}:Dee"
        done = CliRunner().invoke(
            app, ["steward", "-C", str(door.folder), "--know", known], standalone_mode=False
        )
        assert done.exception is None, done.output
        door.github.seed(door.folder)
        door.github.clock.advance(
            door.game().last() - door.github.clock.now
        )  # the command line's clock is the machine's
        pull = door.propose("dee", "Moonlight")
        door.run()
        door.review("eli", pull)
        door.say("dee", pull, ":for:")
        door.run()
        assert door.ballots(1) == [("dee", "for")]
        assert (door.game().tree.entity("players/dee") or {})["forge"] == {
            "github": door.people["dee"].id,
            "login": "Dee",
        }
        assert door.faults() == []


def test_an_account_has_one_player(tmp_path: Path) -> None:
    with doorstep(tmp_path) as door:
        game = Game.open(door.folder)
        origin = Origin(account=Account("github", 7, "x"))
        game.act(Deed(named("one"), "cy", "physics/account", {}, game.last(), origin=origin))
        with pytest.raises(Refused, match="cy's already"):
            game.act(Deed(named("two"), "dee", "physics/account", {}, game.last(), origin=origin))
        told = journal.told(game.head.message)
        assert told is not None
        assert told.deed.origin == origin


@pytest.mark.slow
def test_the_command_makes_a_pass_by_the_environment_of_a_workflow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with doorstep(tmp_path) as door:
        issue = door.form("dee", "roll", {"dice": "DICE6"})
        for name, value in {
            "GITHUB_API_URL": door.github.url,
            "GITHUB_GRAPHQL_URL": door.github.graphql,
            "GITHUB_SERVER_URL": door.github.url,
        }.items():
            monkeypatch.setenv(name, value)
        monkeypatch.delenv("GITHUB_TOKEN", raising=False)
        monkeypatch.setattr("time.time", door.github.time)
        line = ["steward", "-C", str(door.folder), "--json"]
        with pytest.raises(Refused, match="no token"):
            CliRunner().invoke(app, line, standalone_mode=False, catch_exceptions=False)
        monkeypatch.setenv("GITHUB_TOKEN", door.github.token(door.github.steward))
        done = CliRunner().invoke(app, line, standalone_mode=False, catch_exceptions=False)
        assert done.return_value == 0
        told = json.loads(done.output)
        assert [deed["action"] for deed in told["deeds"]] == ["roll"]
        assert (door.deeds(), issue.state) == (2, "closed")
        assert Game.open(door.folder).head.oid != door.game().head.oid

        # one that cannot answer fails, and says that the game has moved all the same: so the site is built
        issue = door.form("eli", "roll", {"dice": "DICE6"})
        door.github.fail(403, "mutation", times=99)
        output = tmp_path / "output"
        for status, moved, state in ((1, "true", "open"), (0, "false", "closed")):
            done = CliRunner().invoke(
                app, [*line, "--output", str(output)], standalone_mode=False, catch_exceptions=False
            )
            assert (done.return_value, output.read_text("utf-8"), issue.state) == (
                status,
                f"moved={moved}\n",
                state,
            )
            assert door.deeds() == 3
            door.github.faults.clear()
            output.unlink()


@pytest.mark.slow
def test_a_game_that_moves_to_another_repository_does_not_take_its_threads_for_the_old_ones(
    tmp_path: Path,
) -> None:
    with doorstep(tmp_path / "old") as old:
        old.propose("cy", "Moonlight")
        old.form("dee", "roll", {"dice": "DICE6"})
        old.run()
        with doorstep(tmp_path / "new") as new:
            new.github.clock.advance(24 * HOUR)
            new.github.seed(old.github.repo.path)
            new.folder = old.github.repo.path
            pull = new.propose("dee", "Starlight")
            new.form("eli", "roll", {"dice": "DICE6"})
            new.review("cy", pull)
            new.run()
            assert [new.post(number)["title"] for number in (1, 2)] == ["Moonlight", "Starlight"]
            assert (new.ballots(1), new.ballots(2)) == ([], [("cy", "for")])
            assert "Post 2 is pending" in new.report(pull)
            assert (new.deeds(), new.faults()) == (6, [])


@pytest.mark.slow
def test_from_where_on_too_many_commands_are_not_read_is_told(tmp_path: Path) -> None:
    text = "\n".join(f"/act roll dice={count}DICE6" for count in range(1, 301))
    with doorstep(tmp_path) as door:
        issue = door.github.issue(door.people["dee"], "Much", text)
        talk = door.github.issue(door.people["dee"], "Much", "hm")
        door.say("dee", talk, text)
        pull = door.propose("cy", "Moonlight")
        door.review("dee", pull, "COMMENTED", text)
        before = door.deeds()
        passed = door.run()
        assert len(passed.deeds) == door.deeds() - before
        for thread in (issue, talk, pull):
            rolled = [deed for deed in passed.deeds if deed.action == "roll" and deed.thread == thread.number]
            assert 0 < len(rolled) <= 20
            said = "".join(door.ours(thread)).replace("\\", "")
            assert said.count("nothing was done: /act roll dice=21DICE6") == 1
        assert door.run().deeds == []


@pytest.mark.slow
def test_a_command_in_a_title_alone_is_answered(tmp_path: Path) -> None:
    with doorstep(tmp_path) as door:
        joins = door.github.issue(door.github.user("Gus"), "/join", "")
        rolls = door.github.issue(door.people["dee"], "/act roll dice=DICE6", "please")
        done = door.github.issue(door.people["dee"], "/act roll dice=DICE6", "/act roll dice=DICE10")
        passed = door.run()
        assert [deed.action for deed in passed.deeds] == ["roll"]
        for issue, words in ((joins, "comment here: /join"), (rolls, "comment here: /act roll dice=DICE6")):
            assert words in "".join(door.ours(issue)).replace("\\", "")
        assert "a title is not read" not in "".join(door.ours(done))
