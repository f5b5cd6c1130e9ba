"""The steward, on the fake forge: what people do there becomes deeds, once, and they are told what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.depth import DEEP
from support.doorstep import HOUR, Doorstep, doorstep, rule

from nomicgit.ground import clock


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Doorstep]:
    with doorstep(tmp_path) as found:
        yield found


@pytest.mark.slow
def test_a_pull_request_becomes_a_proposal_is_approved_enacted_and_merged(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight", body="It is dark.")
    door.run()
    assert (door.post(1)["title"], door.post(1)["author"], door.post(1)["status"]) == (
        "Moonlight",
        "cy",
        "pending",
    )
    assert door.state(pull) == "pending"
    assert "Post 1 is pending" in door.report(pull)
    for who in ("dee", "eli", "fox"):
        door.review(who, pull)
    door.run()
    assert door.ballots(1) == [("dee", "for"), ("eli", "for"), ("fox", "for")]
    door.github.clock.advance(12 * HOUR)
    door.run()
    assert door.post(1)["status"] == "enacted"
    assert "moonlight" in door.game().ruleset.by_slug
    assert pull.merged
    assert door.state(pull) == "success"
    assert pull.labels == ["enacted"]
    assert door.faults() == []


@pytest.mark.slow
def test_a_pass_with_nothing_new_takes_two_requests_and_writes_nothing(door: Doorstep) -> None:
    door.propose("cy", "Moonlight")
    door.run()
    door.run()  # the steward's own comment was news
    door.github.forget()
    passed = door.run()
    assert passed.nothing_new
    assert (len(door.github.asked()), passed.written, passed.deeds) == (2, 0, [])


# ---- votes


@pytest.mark.slow
def test_votes_come_by_review_and_by_comment_and_the_last_one_counts(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    door.review("dee", pull, "CHANGES_REQUESTED", "too dear")
    door.review("eli", pull, "COMMENTED", ":FOR: well said")
    door.say("fox", pull, "/vote against\nI have my reasons.")
    door.say("ana", pull, "**DEFERENTIAL**")
    door.say("ana", pull, "For example, this is only talk.")
    door.review("dee", pull)
    door.run()
    assert door.ballots(1) == [
        ("dee", "against"),
        ("eli", "for"),
        ("fox", "against"),
        ("ana", "deferential"),
        ("dee", "for"),
    ]
    said = door.game().tree.comments("posts/1")
    assert [each["text"] for each in said] == ["too dear", "well said", "I have my reasons.", "", ""]
    assert "**3 FOR, 1 AGAINST" in door.report(pull).replace("\\", "")


@pytest.mark.slow
def test_the_deed_of_an_event_is_dated_by_the_forge(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    review = door.review("dee", pull)
    door.github.clock.advance(HOUR)
    door.run()
    assert door.game().last() == review.at
    assert clock.instant(door.post(1)["at"]) == review.at  # which shows that the branch stood there by then
    other = door.propose("eli", "Starlight")
    door.github.clock.advance(HOUR)
    door.run()
    assert clock.instant(door.post(2)["at"]) == other.at


@pytest.mark.slow
def test_an_icon_that_the_law_does_not_have_is_told_and_bare_talk_is_not(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.say("dee", pull, "/vote maybe")
    door.say("dee", pull, ":rocket:")
    door.run()
    assert door.ballots(1) == []
    assert [body for body in door.ours(pull) if "maybe is no icon" in body and "@Dee" in body] != []
    assert len(door.ours(pull)) == 2


@pytest.mark.slow
def test_the_author_kills_the_proposal_by_voting_against_it(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    door.say("cy", pull, ":against:")
    door.run()
    assert door.post(1)["self_killed"] is True
    assert door.post(1)["status"] == "failed"
    assert (pull.state, sorted(pull.labels)) == ("closed", ["failed", "self-killed"])
    assert door.state(pull) == "failure"


@pytest.mark.slow
def test_closing_ones_own_pull_request_gives_the_proposal_up(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    door.github.close(door.people["cy"], pull)
    door.run()
    assert door.ballots(1) == [("cy", "against")]
    assert door.post(1)["status"] == "failed"


@pytest.mark.slow
def test_that_somebody_else_closes_a_pull_request_changes_nothing(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    door.github.role(door.people["dee"], "triage")
    for who in (door.github.steward, door.people["dee"]):
        door.github.close(who, pull)
        door.run()
        assert (door.ballots(1), door.post(1)["status"]) == ([], "pending")
        door.github.clock.advance(60)
        door.github.reopen(door.people["cy"], pull)


@pytest.mark.slow
def test_a_veto_fails_the_proposal(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    door.say("ana", pull, "VETO")
    door.run()
    assert door.post(1)["vetoed"] is True
    assert sorted(pull.labels) == ["failed", "vetoed"]


@pytest.mark.slow
def test_a_dismissed_review_stays_a_vote_where_the_law_knows_no_withdrawing(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    review = door.review("dee", pull)
    door.run()
    door.github.dismiss(door.github.steward, review)
    door.run()
    door.run()
    assert door.ballots(1) == [("dee", "for")]
    [said] = [body for body in door.ours(pull) if "no rule knows votes that are withdrawn" in body]
    assert "github-actions has dismissed your review" in said.replace("\\", "")


@pytest.mark.slow
def test_a_review_that_was_dismissed_before_it_was_seen_was_a_vote_as_it_was(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.github.dismiss(door.github.steward, door.review("dee", pull, "CHANGES_REQUESTED", "no"))
    door.github.dismiss(door.github.steward, door.review("eli", pull))
    door.run()
    assert door.ballots(1) == [("dee", "against"), ("eli", "for")]


@pytest.mark.slow
def test_votes_of_strangers_and_bots_and_the_deleted_count_for_nothing(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    stranger, machine, ghost = (
        door.github.user("Mallory"),
        door.github.user("robot[bot]", kind="Bot"),
        door.github.user("gone"),
    )
    for who in (stranger, machine, ghost):
        door.github.review(who, pull, "APPROVED")
        door.github.comment(who, pull, ":for:")
    door.github.delete(ghost)
    door.run()
    door.run()
    assert door.ballots(1) == []
    told = [body for body in door.ours(pull) if "no player of this game" in body]
    assert len(told) == 1
    assert told[0].count("@Mallory") == 1


@pytest.mark.slow
def test_people_are_known_by_number_whatever_their_login(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.github.rename(door.people["dee"], "DeeDee-2")
    impostor = door.github.user("dee")
    door.github.review(impostor, pull, "CHANGES_REQUESTED", "no")
    door.review("dee", pull)
    door.run()
    assert door.ballots(1) == [("dee", "for")]
    kept = door.game().tree.entity("players/dee") or {}
    assert kept["forge"] == {"github": door.people["dee"].id, "login": "DeeDee-2"}


@pytest.mark.slow
def test_an_edited_comment_counts_as_said_when_it_was_edited_and_not_again(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    comment = door.say("dee", pull, "hm")
    door.say("dee", pull, ":against:")
    door.github.clock.advance(10)
    door.github.edit(door.people["dee"], comment, ":for:")
    door.run()
    assert door.ballots(1) == [("dee", "against"), ("dee", "for")]
    door.github.edit(door.people["dee"], comment, ":against:")
    door.say("eli", pull, "look at that")
    door.run()
    assert door.ballots(1) == [("dee", "against"), ("dee", "for")]


@pytest.mark.slow
def test_more_reviews_than_a_page_holds_are_all_read(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    for number in range(101):
        door.review("dee", pull, "COMMENTED", f"thought {number}")
    door.review("eli", pull)
    door.run()
    assert door.ballots(1) == [("eli", "for")]


# ---- bound to the content


@pytest.mark.slow
def test_a_push_after_a_vote_is_refused_and_the_vote_stays_with_what_was_voted_on(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.review("dee", pull)
    door.run()
    before = door.post(1)["hash"]
    door.github.commit(
        door.people["cy"],
        {"game/ruleset/2-dynastic/90-moonlight.md": rule("Moonlight", "Cy wins.")},
        branch="moonlight",
    )
    door.run()
    assert door.post(1)["hash"] == before
    told = [body for body in door.ours(pull) if "the edit is refused" in body]
    assert len(told) == 1
    assert "Somebody has voted or commented on it. So says the rule Official Posts" in told[0].replace(
        "\\", ""
    )
    door.review("eli", pull)
    door.run()
    assert door.ballots(1) == [("dee", "for")]
    assert len([body for body in door.ours(pull) if "@Eli" in body and "does not count" in body]) == 1
    assert "The branch has changed since" in door.report(pull)
    assert door.state(pull) == "failure"
    for who in ("fox", "ana", "ben"):
        door.say(who, pull, "/vote 1 for")
    door.run()
    door.github.clock.advance(13 * HOUR)
    door.run()
    assert (door.post(1)["status"], door.state(pull)) == (
        "enacted",
        "failure",
    )  # nobody voted for what stands there
    status = door.github.status(pull.head_sha, "nomicgit")
    report = next(each for each in pull.comments if each.body.startswith("<!-- nomicgit report -->"))
    assert status is not None
    assert str(status.target).endswith(f"#issuecomment-{report.id}")


@pytest.mark.slow
def test_a_push_before_any_vote_is_an_edit_and_older_reviews_of_it_do_not_count(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    old = pull.head_sha
    door.github.commit(
        door.people["cy"],
        {"game/ruleset/2-dynastic/90-moonlight.md": rule("Moonlight", "It glows.")},
        branch="moonlight",
    )
    door.run()
    assert door.post(1)["changes"][0]["add-rule"]["text"] == "It glows."
    door.review("dee", pull, commit=old)
    door.review("eli", pull)
    door.review("fox", pull).commit = None  # the forge has lost what it looked at
    door.run()
    assert door.ballots(1) == [("eli", "for")]


@pytest.mark.slow
def test_a_rebase_that_changes_nothing_keeps_votes_and_is_merged(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    for who in ("dee", "eli", "fox"):
        door.review(who, pull)
    door.run()
    door.sync(door.people["cy"])
    first, head = pull.head_sha, door.game().head.oid
    text = rule("Moonlight", "Moonlight shines.")
    door.github.commit(
        door.people["cy"],
        {"game/ruleset/2-dynastic/90-moonlight.md": text},
        branch="moonlight",
        onto=head,
        message="anew",
    )
    assert pull.head_sha != first
    door.review("ana", pull)
    door.run()
    assert len(door.ballots(1)) == 4
    door.github.clock.advance(12 * HOUR)
    door.run()
    assert (door.post(1)["status"], pull.merged) == ("enacted", True)
    assert door.faults() == []


@pytest.mark.slow
def test_a_comment_that_voted_before_an_edit_was_taken_in_does_not_count_for_it(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    early = door.github.comment(door.people["dee"], pull, "hm")
    door.github.clock.advance(30)
    door.github.commit(
        door.people["cy"],
        {"game/ruleset/2-dynastic/90-moonlight.md": rule("Moonlight", "It glows.")},
        branch="moonlight",
    )
    door.run()
    early.body = ":for:"  # as if the forge had shown it late
    door.say("eli", pull, "so")
    door.run()
    assert door.ballots(1) == []
    assert [body for body in door.ours(pull) if "@Dee" in body and "does not count" in body] != []


# ---- proposals


@pytest.mark.slow
def test_words_of_a_pull_request_are_those_of_the_post(door: Doorstep) -> None:
    body = "<!-- template -->\nIt is dark.\n\nVery."
    pull = door.propose("cy", "Moonlight", body=body)
    door.run()
    assert door.post(1)["body"] == "It is dark.\n\nVery."
    door.github.edit(door.people["cy"], pull, "It was dark.", title="Moonshine")
    door.run()
    assert (door.post(1)["body"], door.post(1)["title"]) == ("It was dark.", "Moonshine")


@pytest.mark.slow
def test_changes_may_be_written_by_hand(door: Doorstep) -> None:
    body = "Away with it.\n\n```changes\n- {add-rule: {title: Dusk, text: The <!-- red --> sun sets.}}\n```\n"
    door.propose("cy", "Dusk", files={}, body=body)
    door.run()
    assert door.post(1)["changes"] == [{"add-rule": {"title": "Dusk", "text": "The <!-- red --> sun sets."}}]
    assert door.post(1)["body"] == "Away with it."


@pytest.mark.slow
def test_what_is_out_of_reach_is_refused_with_its_reason_and_a_push_mends_it(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight", files={".github/workflows/steward.yml": "on: push\n"})
    door.run()
    assert door.deeds() == 1
    assert door.state(pull) == "failure"
    assert "this is no proposal" in door.ours(pull)[0]
    assert "obeys this file" in door.ours(pull)[0]
    files = {"game/ruleset/2-dynastic/90-moonlight.md": rule("Moonlight", "It shines.")}
    door.github.commit(door.people["cy"], files, branch="moonlight", onto=door.github.repo.refs["main"])
    door.run()
    assert door.post(1)["title"] == "Moonlight"
    assert door.state(pull) == "pending"


@pytest.mark.slow
def test_a_draft_waits_and_is_not_older_than_it_is_ready(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight", draft=True)
    door.run()
    assert door.deeds() == 1
    assert "a draft" in door.ours(pull)[0]
    door.github.clock.advance(20 * HOUR)
    door.github.ready(pull)
    ready = door.github.clock.now
    door.run()
    assert clock.instant(door.post(1)["at"]) == ready


@pytest.mark.slow
def test_a_proposal_that_the_law_refuses_is_told_and_may_be_tried_again(door: Doorstep) -> None:
    pulls = [door.propose("cy", name) for name in ("Moonlight", "Starlight", "Sunlight")]
    door.run()
    refusal = "".join(door.ours(pulls[2])).replace("\\", "")
    assert "ending: 2 of your proposals" in refusal
    assert "So says the rule" in refusal
    assert ".md" not in refusal
    door.say("cy", pulls[0], ":against:")
    door.run()
    door.say("cy", pulls[2], "/propose")
    door.run()
    assert door.post(3)["title"] == "Sunlight"
    assert door.post(3)["forge"] == {"github": pulls[2].number}


@pytest.mark.slow
def test_what_a_machine_has_opened_for_a_player_is_proposed_by_a_pull_request_of_their_own(
    door: Doorstep,
) -> None:
    machine = door.github.user("robot[bot]", kind="Bot")
    door.github.fork(machine)
    files = {"game/ruleset/2-dynastic/90-moonlight.md": rule("Moonlight", "There is a moon.")}
    door.github.commit(machine, files, branch="moon")
    pull = door.github.open_pull(machine, head="moon", title="Moonlight, for cy")
    door.say("cy", pull, "/propose")
    door.run()
    assert "open a pull request of your own from a branch of yours" in "".join(door.ours(pull))
    own = door.propose("cy", "Moonlight", files=files)
    door.run()
    assert door.post(1)["author"] == "cy"
    assert door.post(1)["forge"] == {"github": own.number}


@pytest.mark.slow
def test_a_conflict_is_told_at_once_with_the_change_that_avoids_it(door: Doorstep) -> None:
    path = "game/ruleset/2-dynastic/90-moonlight.md"
    first = door.propose("cy", "Moonlight")
    for who in ("dee", "eli", "fox"):
        door.review(who, first)
    door.run()
    door.github.clock.advance(12 * HOUR)
    door.run()
    assert "moonlight" in door.game().ruleset.by_slug
    door.propose("cy", "Brighter", files={path: rule("Moonlight", "Moonlight shines brightly.")})
    second = door.propose("dee", "Darker", files={path: rule("Moonlight", "Moonlight shines darkly.")})
    door.run()
    report = door.report(second)
    assert "would not be made" in report
    assert "replace: Moonlight shines brightly." in report


# ---- people


@pytest.mark.slow
def test_a_stranger_joins_and_then_plays(door: Doorstep) -> None:
    gus = door.github.user("Gus-G")
    pull = door.propose("cy", "Moonlight")
    door.github.clock.advance(5)
    door.github.review(gus, pull, "APPROVED")
    door.github.clock.advance(5)
    door.github.comment(gus, pull, "/join gus")
    door.run()
    assert door.game().tree.entity("players/gus") is None
    assert len([body for body in door.ours(pull) if "gus waits for an admin" in body]) == 1
    door.github.clock.advance(5)
    door.github.review(gus, pull, "APPROVED")  # between asking and being added
    door.github.clock.advance(5)
    door.github.comment(gus, pull, "/join augustus")
    door.run()
    assert "that account has asked to be gus already" in "".join(door.ours(pull))
    door.say("ben", pull, "/act admit newcomer=gus")
    door.run()
    kept = door.game().tree.entity("players/gus") or {}
    assert {key: kept["forge"][key] for key in ("github", "login")} == {"github": gus.id, "login": "Gus-G"}
    assert door.ballots(1) == []
    door.github.clock.advance(5)
    door.github.review(gus, pull, "APPROVED")
    door.run()
    assert door.ballots(1) == [("gus", "for")]
    assert len([body for body in door.ours(pull) if "gus: **join** is done" in body]) == 1
    assert door.faults() == []


def test_nobody_joins_under_another_players_name(door: Doorstep) -> None:
    thief = door.github.user("ANA")
    issue = door.github.issue(thief, "Hello", "/join")
    door.run()
    assert "cannot be your name" in "".join(door.ours(issue))
    assert sorted(door.game().tree.ids("players")) == sorted(door.people)


# ---- actions


@pytest.mark.slow
def test_an_action_by_form_is_answered_with_dice_and_commit_and_closed(door: Doorstep) -> None:
    issue = door.form("dee", "roll", {"dice": "2DICE6"})
    door.run()
    answer = door.ours(issue)[0]
    assert "dee: **roll** is done" in answer
    assert door.game().head.oid[:10] in answer
    assert answer.count("d6 gave") == 2
    assert (issue.state, issue.reason) == ("closed", "completed")


@pytest.mark.slow
def test_what_is_gone_is_answered_on_one_line(door: Doorstep) -> None:
    emperor = (door.game().tree.entity("dynasty") or {})["emperor"]
    door.form("ben", "set-tenure", {"player": "dee", "tenured": "yes"})
    door.form(emperor, "establish-mentorship", {"mentor": "dee", "mentee": "cy"})
    door.run()
    [name] = door.game().tree.ids("mentorships")
    issue = door.form("dee", "dissolve-mentorship", {"mentorship": name})
    door.run()
    said = door.ours(issue)[0].replace("\\", "")
    [gone] = [line for line in said.splitlines() if name in line]
    assert gone.startswith(f"- {name} is none of the mentorships any more (")
    assert "mentor dee" in gone


@pytest.mark.slow
def test_an_action_that_is_refused_is_answered_with_its_rule_and_closed(door: Doorstep) -> None:
    issue = door.form("dee", "ascend", {"theme": "Clouds"})
    door.run()
    said = door.ours(issue)[0].replace("\\", "")
    assert "emperor" in said
    rule_page = "https://nomic-club.github.io/game/rules/victory-and-ascension/"
    why = "That is for the emperor (Richardo von Nestor). So says the rule Victory and Ascension"
    assert f"{why} (<{rule_page}>)." in said
    assert "game/ruleset" not in said
    assert (issue.state, issue.reason) == ("closed", "not_planned")
    assert door.deeds() == 1


@pytest.mark.slow
def test_commands_act_with_parameters_and_read_no_files(door: Doorstep) -> None:
    pull = door.propose("cy", "Moonlight")
    door.run()
    door.say("dee", pull, '/act post kind=none title="Hello all" body=@/etc/passwd')
    door.say("eli", pull, "/act rol dice=DICE6")
    door.say("eli", pull, "/act roll dice='DICE6")
    door.say("eli", pull, "/act roll")
    door.run()
    assert door.post(2)["title"] == "Hello all"
    assert door.post(2)["body"] == "@/etc/passwd"
    said = "".join(door.ours(pull))
    assert "did you mean roll" in said
    assert "Say it so: /act roll dice=…" in said.replace("\\", "")
    assert "quotation mark stays open" in said


@pytest.mark.slow
def test_a_call_for_judgement_by_form_is_voted_on_under_its_issue_until_it_is_resolved(
    door: Doorstep,
) -> None:
    dry = "{name: Dry, players: [ana], steps: [{by: ana, act: brew}]}"
    changes = "- {uphold: it was cy}\n- {set: {players.nobody.admin: true}}\n"
    changes += f"- {{scenario: {{name: dry, text: '{dry}'}}}}"
    issue = door.form("dee", "cfj", {"title": "Whose turn?", "changes": changes})
    door.run()
    assert issue.state == "open"
    assert "change 2 would be skipped if it were enacted now: " in door.report(issue).replace("\\", "")
    assert "the scenario dry fails" not in door.report(issue), (
        "its own one would fail anyway, whatever is skipped"
    )
    assert (door.post(1)["kind"], door.post(1)["forge"]) == ("cfj", {"github": issue.number})
    for who in ("eli", "fox", "cy"):
        door.say(who, issue, ":for:")
    door.run()
    assert door.post(1)["status"] == "enacted"
    assert issue.state == "closed"
    assert "Post 1 is enacted" in door.report(issue)


@pytest.mark.slow
def test_admins_resolve_by_saying_so_where_the_steward_does_not(tmp_path: Path) -> None:
    with doorstep(tmp_path, "admins") as door:
        pull = door.propose("cy", "Moonlight")
        for who in ("dee", "eli", "fox"):
            door.review(who, pull)
        door.github.clock.advance(13 * HOUR)
        door.run()
        assert door.post(1)["status"] == "pending"
        door.say("dee", pull, "/enact")
        door.say("ben", pull, "/enact")
        door.run()
        assert door.post(1)["status"] == "enacted"
        assert "admin" in "".join(door.ours(pull))


@pytest.mark.slow
def test_all_comments_are_recorded_where_the_settings_say_so(tmp_path: Path) -> None:
    with doorstep(tmp_path, comments="all") as door:
        pull = door.propose("cy", "Moonlight")
        door.say("dee", pull, "I wonder.")
        door.run()
        assert [each["text"] for each in door.game().tree.comments("posts/1")] == ["I wonder."]


@pytest.mark.slow
@pytest.mark.parametrize(
    "edition",
    ["dungeon", *(pytest.param(each, marks=DEEP) for each in ("assassin", "steam", "werewolf"))],
)
def test_every_edition_is_played_on_the_forge(edition: str, tmp_path: Path) -> None:
    with doorstep(tmp_path, edition=edition) as door:
        pull = door.propose("cy", "Moonlight")
        door.run()
        for who in ("dee", "eli", "fox", "ana"):
            door.review(who, pull)
        door.say("ben", pull, ":deferential: as she likes")
        issue = door.form("dee", "post", {"title": "Hello", "body": "It is me."})
        for _ in range(4):
            door.run()
            door.github.clock.advance(24 * HOUR)
        assert door.post(1)["status"] == "enacted"
        assert pull.merged
        assert (door.post(2)["title"], issue.state) == ("Hello", "closed")
        assert door.faults() == []
