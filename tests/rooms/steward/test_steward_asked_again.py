"""The forge, asked again for the evidence of deeds: what is no longer so there is named, and what never was its player's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from fakegithub.gitside import git
from support.doorstep import doorstep

from nomicgit.cli.app import app
from nomicgit.record.game import Game


@pytest.mark.slow
def test_what_is_no_longer_so_on_the_forge_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with doorstep(tmp_path) as door:
        github, people = door.github, door.people
        olga = github.user("Olga", role="write")
        pull = door.propose("cy", "Moonlight")
        door.run()
        kept, edited, gone = (door.say(who, pull, ":for:") for who in ("dee", "eli", "fox"))
        review = door.review("ana", pull, "CHANGES_REQUESTED", "no")
        own = door.say("ben", pull, "/act roll dice=DICE6")
        roll = door.form("dee", "roll", {"dice": "DICE6"})
        door.run()
        line = ["verify", "-C", str(door.github.repo.path), "--json", "--online"]
        monkeypatch.setenv("GITHUB_API_URL", github.url)
        monkeypatch.setenv("GITHUB_GRAPHQL_URL", github.graphql)
        monkeypatch.setenv("GITHUB_TOKEN", github.token(people["dee"]))

        def asked() -> tuple[int, list[tuple[str, str, bool]], int]:
            done = CliRunner().invoke(app, line, standalone_mode=False, catch_exceptions=False)
            online = json.loads(done.stdout)["online"]
            return (
                done.return_value,
                [(each["event"], each["what"], each["others"]) for each in online["otherwise"]],
                online["deeds"],
            )

        deeds = door.deeds() - 1  # but the founding
        assert asked() == (0, [], deeds)
        github.clock.advance(60)
        github.edit(olga, edited, ":against:")
        github.delete_comment(github.owner, gone)
        github.dismiss(olga, review)
        github.edit(people["ben"], own, "/act roll dice=DICE20")
        github.edit(olga, roll, "### Action\n\nnothing")
        github.edit(people["cy"], pull, "Another text.", title="Another title")
        assert asked() == (
            0,
            [
                (f"issue-{roll.number}", "was edited by Olga", False),
                (f"comment-{own.id}", "was edited by its author", False),
                (f"pull-1-review-{review.id}", "was dismissed by Olga", False),
                (f"comment-{gone.id}", "is there no more", False),
                (f"comment-{edited.id}", "was edited by Olga", False),
            ],
            deeds,
        )
        kept.author = people["fox"]  # as though the steward had taken another's word for dee's
        github.remove(roll)
        assert asked()[:2][0] == 1
        assert (f"comment-{kept.id}", "is Fox's, not dee's", True) in asked()[1]
        assert (f"issue-{roll.number}", "is there no more", False) in asked()[1]
        told = (
            CliRunner().invoke(app, [each for each in line if each != "--json"], standalone_mode=False).output
        )
        assert (
            f"not theirs  {door_commit(door.game(), kept.id)}: comment-{kept.id} is Fox's, not dee's" in told
        )
        assert "verified: " in told


def door_commit(game: Game, comment: int) -> str:
    """The deed that came of a comment, by Git alone."""
    path = Path(game.repository.git_dir)
    return git(path, "log", "--format=%H", f"--grep=comment-{comment}", "main").split()[0][:12]
