"""The command line, on real repositories."""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest
from support.clones import copied
from support.parlour import Nomic, Said, commands
from support.places import ROOT

from nomicgit.cli.app import app
from nomicgit.cli.contents import MODULES, SECTIONS
from nomicgit.cli.face import loaded
from nomicgit.cli.failures import UNSEALING
from nomicgit.cli.seat import Seat
from nomicgit.ground.problems import Refused
from nomicgit.record.game import Game

PLAYERS = ("ana", "ben", "cy", "dee", "eli")
MOON = "{add-rule: {title: Moonlight, text: The moon shines.}}"


@pytest.fixture
def nomic(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Nomic:
    """Run a command in the folder ``attic``; it must end as told."""
    (tmp_path / "attic").mkdir()
    monkeypatch.chdir(tmp_path / "attic")
    return commands(capsys)


def found(nomic: Nomic, *more: str, practice: bool = True) -> Said:
    """Found a game of five players, in which ben is the admin."""
    players = [word for name in PLAYERS for word in ("--player", name)]
    when = ["--practice", "--start", "2021-06-07T00:00:00Z"] if practice else []
    return nomic(
        "new",
        "--edition",
        "crypt",
        "--name",
        "The Attic",
        *players,
        "--emperor",
        "ana",
        "--admin",
        "ben",
        *when,
        *more,
    )


@pytest.fixture
def attic(nomic: Nomic, tmp_path: Path) -> Nomic:
    """The command line in a practice game that began on 7 June 2021."""
    copied(lambda model: founded_in(model, nomic), ("attic",), tmp_path / "attic")
    return nomic


def founded_in(folder: Path, nomic: Nomic) -> None:
    with contextlib.chdir(folder):
        found(nomic)


# Founding.


@pytest.mark.slow
def test_new_founds_a_game_with_a_site_and_a_readme(nomic: Nomic, git: Callable[..., str]) -> None:
    found(nomic, "--idle", "zed")
    assert git("status", "--porcelain", cwd=Path()) == ""
    settings = Path("mkdocs.yml").read_text()
    assert "site_name: The Attic\n" in settings
    ours = (ROOT / "mkdocs.yml").read_text()
    assert next(line for line in ours.splitlines() if "separator: " in line) in settings.splitlines()
    Path("site").mkdir()
    Path("site/index.html").touch()
    assert git("status", "--porcelain", cwd=Path()) == ""  # a built site is nobody's change
    assert "nomicgit status" in Path("README.md").read_text()
    assert nomic("status", "--json").json["players"]["idle"] == ["zed"]


@pytest.mark.parametrize(
    ("keys", "install"), [("--keys", "pip install -e '.[sealed]'"), ("--no-keys", "pip install -e .\n")]
)
def test_who_is_given_a_game_is_told_what_nomicgit_is(nomic: Nomic, keys: str, install: str) -> None:
    """In the words that the program's own README has for it."""
    found(nomic, keys)
    readme = Path("README.md").read_text()
    assert "nomicgit is the program that plays this game" in readme
    assert install in readme
    assert install.strip() in (ROOT / "docs" / "playing.md").read_text()


@pytest.mark.slow
def test_new_makes_the_folder_and_says_what_to_do_next(nomic: Nomic) -> None:
    said = nomic("new", "loft/deep", "--edition", "crypt", "--player", "ana", "--admin", "ana")
    assert "next: nomicgit -C loft/deep me NAME" in said.out
    assert nomic("-C", "loft/deep", "status", "--json").json["game"] == "deep"


@pytest.mark.slow
def test_a_game_founded_in_the_folder_of_another_says_so_unless_that_leaves_it_out(nomic: Nomic) -> None:
    one = ("--edition", "dungeon", "--no-keys", "--player", "ana", "--admin", "ana")
    assert "in the folder of another" not in nomic("new", "loft", *one).out
    said = nomic("new", "loft/nook/den", *one).out
    assert f"this game lies in the folder of another one, {Path('loft').resolve()}:" in said
    _, _, line = said.partition("write a line ")
    left_out, _, file = line.split("\n")[0].partition(" into:")
    written = Path(line.split("\n")[1].strip())
    assert (left_out, file) == ("/nook/den/", "")
    written.write_text(written.read_text("utf-8") + left_out + "\n", "utf-8")
    assert (
        "nook"
        not in subprocess.run(
            ["git", "-C", "loft", "status", "--porcelain"], capture_output=True, text=True, check=True
        ).stdout
    )
    assert nomic("new", "loft/nook/den/attic", *one, "--json").json["within"] == str(
        Path("loft/nook/den").resolve()
    )
    with written.open("a", encoding="utf-8") as ignored:
        ignored.write("/play/\n")
    assert nomic("new", "loft/play", *one, "--json").json["within"] is None


@pytest.mark.slow
def test_a_game_that_begins_in_hiatus_says_so_and_what_is_open(nomic: Nomic) -> None:
    two = ("--no-keys", "--player", "ana", "--player", "ben", "--admin", "ben")
    said = nomic("new", "loft", "--edition", "crypt", *two).out
    [line] = [line for line in said.splitlines() if "hiatus" in line]
    assert line.startswith("there is hiatus: there are fewer than 5 players; open meanwhile: ")
    still = line.rpartition(": ")[2].split(", ")
    assert {"join", "roll"} <= {*still}
    assert "propose" not in still
    refused = nomic("-C", "loft", "--as", "ben", "propose", "--title", "More", code=1).err
    assert refused.startswith("refused: there is hiatus: there are fewer than 5 players")
    assert f"open meanwhile: {', '.join(still)}" in refused
    for name in ("cy", "dee", "eli"):
        nomic("-C", "loft", "--as", name, "join")
        nomic("-C", "loft", "--as", "ben", "act", "admit", f"newcomer={name}")
    nomic("-C", "loft", "--as", "ben", "propose", "--title", "More")
    assert (
        nomic("new", "den", "--edition", "crypt", *two, "--json")
        .json["hiatus"]
        .startswith("there is hiatus: there are")
    )
    assert "hiatus" not in nomic("new", "hut", "--edition", "dungeon", *two).out


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "Family \U0001f9db\u200d\u2640\ufe0f",
            "U+200D, character 9 of 11, cannot be seen, behind 'Family \U0001f9db'",
        ),
        ("\u200bx", "U+200B, character 1 of 2, cannot be seen; leave it out"),
        ("a\nb", "U+000A, character 2 of 3"),
        (" ", "the name is blank"),
    ],
)
def test_new_says_which_character_of_a_name_cannot_be_seen(nomic: Nomic, name: str, told: str) -> None:
    said = nomic("new", "loft", "--edition", "crypt", "--player", "ana", "--name", name, code=2)
    assert told in said.err
    assert not Path("loft").exists()


def test_new_leaves_a_readme_alone_that_is_there(nomic: Nomic, git: Callable[..., str]) -> None:
    git("init", "-q", cwd=Path())
    Path("README.md").write_text("mine\n")
    found(nomic)
    assert Path("README.md").read_text() == "mine\n"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--edition", "crypt"], "needs players"),
        (["--edition", "crypt", "--player", "a b"], "up to 39"),
        (["--edition", "crypt", "--player", "ana", "--admin", "bo"], "none of the founding players"),
        (["--edition", "crypt", "--player", "ana", "--start", "2021-06-07T00:00:00Z"], "practice"),
        (["--player", "ana"], "--edition"),
    ],
)
def test_new_tells_what_is_wrong_with_its_options(nomic: Nomic, arguments: list[str], why: str) -> None:
    assert why in nomic("new", *arguments, code=2).err
    assert not Path(".git").exists()


def test_new_refuses_a_second_game_in_one_repository(attic: Nomic) -> None:
    said = attic("new", "--edition", "crypt", "--player", "ana", code=1)
    assert said.err.startswith("refused: there is a game here already")
    assert (
        "a repository is there already"
        in attic("new", "--edition", "crypt", "--player", "ana", "--dry-run", code=1).err
    )


def test_new_refuses_an_unknown_edition(nomic: Nomic) -> None:
    assert "there is no edition nope" in nomic("new", "--edition", "nope", "--player", "ana", code=1).err


def test_new_takes_no_folder_that_holds_other_things(nomic: Nomic, git: Callable[..., str]) -> None:
    Path("home").mkdir()
    Path("home/letter.txt").write_text("Dear Ben\n")
    said = nomic("new", "home", "--edition", "crypt", "--player", "ana", code=1)
    assert said.err == (
        "refused: the folder is not empty (home)\n"
        "  name a folder that is new or empty, or make this one a repository first: git init home\n"
    )
    assert [each.name for each in Path("home").iterdir()] == ["letter.txt"]
    git("init", "-q", "home", cwd=Path())
    nomic("new", "home", "--edition", "crypt", "--player", "ana")
    assert Path("home/letter.txt").read_text() == "Dear Ben\n"


@pytest.mark.parametrize("folder", ["loft/deep", "."])
def test_a_refused_founding_leaves_nothing_behind(
    nomic: Nomic, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    said = nomic("new", folder, "--edition", "crypt", "--player", "ana", "--dry-run")
    assert "would begin  (dry run, nothing is recorded)" in said.out
    assert "--admin NAME names one" in said.out
    assert list(Path().iterdir()) == []
    monkeypatch.setattr("nomicgit.git.repository.Repository.append", full_disk)
    nomic("new", folder, "--edition", "crypt", "--player", "ana", code=4)
    assert list(Path().iterdir()) == []


def test_a_founding_that_is_killed_leaves_no_half_of_a_game_in_its_folder(tmp_path: Path) -> None:
    """Killed where all is written and no commit made yet, by the one signal that nothing answers."""
    killed = (
        "import os, signal, sys\n"
        "from nomicgit.git.repository import Repository\n"
        "Repository.append = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)\n"
        "from nomicgit.__main__ import begin\n"
        "begin()\n"
    )
    line = ["new", "loft", "--edition", "crypt", "--player", "ana", "--no-keys"]
    environment = {**os.environ, "HOME": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, "-c", killed, *line], cwd=tmp_path, env=environment, capture_output=True, check=False
    )
    assert ended.returncode != 0
    assert not (tmp_path / "loft").exists()
    again = [sys.executable, "-m", "nomicgit", *line]
    [left] = tmp_path.glob(".loft.*")
    told = subprocess.run(again, cwd=tmp_path, env=environment, capture_output=True, check=True, text=True)
    assert (tmp_path / "loft/game/game.yml").exists()
    [said] = [each for each in told.stdout.splitlines() if "killed" in each]
    subprocess.run(said.rpartition(": ")[2].split(), cwd=tmp_path, check=True)
    assert not left.exists()


def full_disk(*_: object, **__: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_refused_founding_leaves_a_repository_that_was_there(
    nomic: Nomic, monkeypatch: pytest.MonkeyPatch, git: Callable[..., str]
) -> None:
    git("init", "-q", cwd=Path())
    monkeypatch.setattr("nomicgit.git.repository.Repository.append", full_disk)
    nomic("new", "--edition", "crypt", "--player", "ana", code=4)
    assert [each.name for each in Path().iterdir()] == [".git"]


def test_a_game_is_founded_where_git_would_rather_use_other_hashes(
    nomic: Nomic, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DEFAULT_HASH", "sha256")
    found(nomic)
    nomic("verify")


@pytest.mark.slow
def test_an_amendment_of_a_number_is_a_change_of_one_line(attic: Nomic, git: Callable[..., str]) -> None:
    """In every rule: what the founding wrote is what the program writes."""
    from nomicgit.law import rules

    for path in Path("game/ruleset").rglob("*-*.md"):
        text = path.read_text("utf-8")
        assert rules.render(rules.parse(text, path.stem.partition("-")[2])) == text
    change = "{amend: {rule: resolution-of-proposals, in: declarations, set: {waiting.proposals: 10h}}}"
    attic("--as", "ben", "--at", "+1h", "propose", "--title", "Haste", "--tag", "Core", "--change", change)
    for name in ("ana", "cy", "dee"):
        attic("--as", name, "vote", "1", "for")
    attic("--as", "ben", "--at", "+12h", "resolve", "1")
    assert git("diff", "--shortstat", "HEAD~1", "--", "game/ruleset", cwd=Path()).strip() == (
        "1 file changed, 1 insertion(+), 1 deletion(-)"
    )


@pytest.mark.slow
def test_a_clone_whose_git_turns_line_ends_plays_on(
    nomic: Nomic, git: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found(nomic, "--github", "my-nomic/court")
    git("clone", "-q", "-c", "core.autocrlf=true", ".", "../clone", cwd=Path())
    monkeypatch.chdir("../clone")
    stored = (line.split() for line in git("ls-files", "--stage", cwd=Path()).splitlines())
    turned = {
        name for _, oid, _, name in stored
        if git("hash-object", "--no-filters", name, cwd=Path()).strip() != oid
    }  # fmt: skip
    assert turned == {"README.md", "SETUP.md", "mkdocs.yml", ".gitignore", ".gitattributes"}  # people's own
    nomic("--as", "cy", "--at", "+1h", "propose", "--title", "Moonlight", "--change", MOON)
    nomic("--as", "ben", "vote", "1", "for")
    assert nomic("status", "--json").json["matters"][0]["tally"]["for"] >= 1
    nomic("forms", "--check")
    nomic("verify")
    assert git("status", "--porcelain", cwd=Path()) == ""
    assert git("show", "HEAD:game/game.yml", cwd=Path()) == Path("game/game.yml").read_bytes().decode()


def test_editions_are_listed(nomic: Nomic) -> None:
    said = nomic("editions").out
    assert "crypt" in said
    page = (
        (ROOT / "docs/editions.md")
        .read_text("utf-8")
        .partition("$ nomicgit editions\n")[2]
        .partition("\n$ ")[0]
    )
    assert [line for line in page.splitlines() if line not in [*said.splitlines(), "…"]] == []
    row = next(row for row in nomic("editions", "--json").json if row["name"] == "crypt")
    assert set(row) == {"name", "rules", "sections", "terms", "secrets"}


# Who, when, whether.


def test_me_is_kept_in_the_clone(attic: Nomic, git: Callable[..., str]) -> None:
    assert "nobody in particular" in attic("me", code=1).out
    assert attic("me", "CY").out == "cy plays here\n"
    assert git("config", "nomicgit.player", cwd=Path()) == "cy\n"
    assert attic("me", "--json").json == {"player": "cy", "on_roster": True, "key": None}
    assert "nobody" in attic("me", "--forget").out
    assert "leave the name out" in attic("me", "ana", "--forget", code=2).err


@pytest.mark.slow
def test_whoever_is_nobody_is_told_what_to_do(attic: Nomic) -> None:
    said = attic("roll", "DICE6", code=1)
    assert (
        said.err
        == "refused: who are you?\n  say it each time, by --as NAME, or once:\n    nomicgit me NAME\n"
    )


def test_as_goes_before_me_and_stands_before_or_behind_the_command(attic: Nomic) -> None:
    attic("me", "cy")
    assert attic("--as", "dee", "roll", "DICE6", "--json").json["by"] == "dee"
    assert attic("roll", "DICE6", "--as", "eli", "--json").json["by"] == "eli"
    assert attic("roll", "DICE6", "--json").json["by"] == "cy"


def test_a_name_that_is_none_is_refused(attic: Nomic) -> None:
    assert "no name of a player" in attic("--as", "../x", "roll", "DICE6", code=1).err


def test_time_stands_still_in_practice_until_it_is_moved(attic: Nomic) -> None:
    assert attic("--as", "cy", "roll", "DICE6", "--json").json["at"] == "2021-06-07T00:00:00Z"
    assert attic("--as", "cy", "--at", "+90m", "roll", "DICE6", "--json").json["at"] == "2021-06-07T01:30:00Z"
    assert attic("--as", "cy", "--at", "+1h", "roll", "DICE6", "--json").json["at"] == "2021-06-07T02:30:00Z"
    assert (
        "never runs back" in attic("--as", "cy", "--at", "2021-06-07T01:00:00Z", "roll", "DICE6", code=1).err
    )


def test_what_is_nearly_a_span_is_told_as_it_works(attic: Nomic) -> None:
    mend = (
        attic("--as", "cy", "--at", "+12", "roll", "DICE6", code=2)
        .err.partition("write it as ")[2]
        .split()[0]
    )
    assert attic("--as", "cy", "--at", mend, "roll", "DICE6").code == 0


def test_a_game_in_which_nobody_is_an_admin_says_what_nobody_does(nomic: Nomic) -> None:
    said = nomic("new", "lone", "--edition", "dungeon", "--player", "ana", "--no-keys").out
    assert "nobody is an admin" in said
    assert "resolve" in said.partition("an admin does: ")[2].partition(";")[0].split(", ")


@pytest.mark.slow
def test_what_lies_beyond_a_secret_hour_is_not_said_to_be_never(nomic: Nomic) -> None:
    players = [word for name in ("ana", "bea", "cy", "dan", "eve") for word in ("--player", name)]
    start = ("--practice", "--start", "2021-06-07T09:00:00Z", "--emperor", "ana", "--admin", "ana")
    nomic("new", "den", "--edition", "werewolf", *players, *start)
    asks = ("cfj", "--title", "Peace", "--body", "Who was it?", "--change", "{uphold: it was cy}")
    nomic("-C", "den", "--as", "dan", "--at", "+1h", *asks)
    said = nomic("-C", "den", "status").out
    assert "from when on it may be is not seen from here" in said
    assert "not before 2021-06-07T10:00:00Z" not in said, "that is now"
    nomic("-C", "den", "--as", "cy", "propose", "--title", "Light")
    assert "what comes later is not seen from here" in nomic("-C", "den", "status").out
    nomic("-C", "den", "--as", "ana", "--at", "+48h", "resolve", "2")


@pytest.mark.parametrize("command", ["log", "posts"])
def test_fewer_than_none_is_no_limit(attic: Nomic, command: str) -> None:
    assert "--limit" in attic(command, "--limit", "-1", code=2).err


def test_where_there_are_no_posts_that_is_said(attic: Nomic) -> None:
    assert attic("posts", "--kind", "story").out == "there is no such post\n"
    assert (
        "there is no kind of post sonnet\n  there are none, "
        in attic("posts", "--kind", "sonnet", code=1).err
    )


@pytest.mark.slow
@pytest.mark.parametrize("command", [["roll", "DICE6"], ["status"]])
def test_a_live_game_takes_no_time(nomic: Nomic, command: list[str]) -> None:
    found(nomic, practice=False)
    said = nomic("--as", "cy", "--at", "+12h", *command, code=1)
    assert said.err == "refused: this game is live: its deeds happen when they happen\n  leave --at out\n"
    assert nomic("--as", "cy", *command).code == 0


def test_a_dry_run_records_nothing(attic: Nomic) -> None:
    before = attic("log", "--json").json
    said = attic("--as", "cy", "--dry-run", "propose", "--title", "Moonlight")
    assert "nothing is recorded" in said.out
    assert attic("--as", "cy", "propose", "--title", "x", "--dry-run", "--json").json["dry_run"] is True
    assert attic("log", "--json").json == before
    assert "[Moonlight]" not in attic("posts").out


# A whole small game.


@pytest.mark.slow
def test_a_whole_small_game(attic: Nomic, git: Callable[..., str]) -> None:
    attic("me", "cy")
    made = attic("propose", "--title", "Moonlight", "--body", "It shines.", "--change", MOON, "--at", "+1h")
    assert made.out.startswith("cy: propose, post 1  (commit ")
    attic("--as", "ben", "--at", "+1h", "vote", "1", "for", "yes,", "indeed")
    attic("--as", "dee", "vote", "1", "FOR")

    seen = attic("status", "--as", "eli")
    assert "may be enacted from 2021-06-07T13:00:00Z (in 11 h), if no vote changes" in seen.out
    assert "eli, these need your vote: 1" in seen.out
    assert "cy: FOR, as the author who has used no icon" in seen.out

    early = attic("--as", "ben", "--at", "2021-06-07T12:59:59Z", "resolve", "1", code=1)
    assert early.err.startswith("refused: not enacted: it has not been open for 12 hours")
    assert (
        "(rule Enacting and Failing, game/ruleset/1-core/40-votable-matters/20-enacting-and-failing.md:"
        in early.err
    )

    done = attic("--as", "ben", "--at", "2021-06-07T13:00:00Z", "resolve", "1", "--outcome", "enacted")
    assert "posts.1.status: pending → enacted" in done.out
    rolled = attic("roll", "2DICE6", "--json").json
    assert [die["what"] for die in rolled["dice"]] == ["d6", "d6"]
    assert "nothing is pending" in attic("status").out
    assert "The moon shines." in attic("rules", "Moonlight").out

    assert attic("verify").out.startswith("verified: 6 deeds, 0 other commits")
    assert git("status", "--porcelain", cwd=Path()) == ""


@pytest.mark.slow
def test_a_matter_may_fail(attic: Nomic) -> None:
    attic("--as", "cy", "propose", "--title", "Moonlight", "--tag", "Core", "--tag", "Moon")
    for name in ("ben", "dee", "eli"):
        attic("--as", name, "vote", "1", "against")
    assert "may be failed now: nomicgit resolve 1" in attic("status").out
    assert "\nmay be failed now: nomicgit resolve 1\n" in attic("posts", "1").out
    assert attic("posts", "1", "--json").json["outlook"] == attic("status", "--json").json["matters"][0]
    attic("--as", "ben", "resolve", "1", "--outcome", "failed")
    post = attic("posts", "1", "--json").json
    assert (post["status"], post["outlook"]) == ("failed", None)


@pytest.mark.slow
def test_a_call_for_judgement_takes_changes_from_a_file(attic: Nomic) -> None:
    Path("changes.yml").write_text(f"- {MOON}\n- uphold: it shone\n")
    attic("--as", "cy", "cfj", "--title", "Moon?", "--body", "@changes.yml", "--changes", "changes.yml")
    post = attic("posts", "1", "--json").json
    assert [next(iter(change)) for change in post["changes"]] == ["add-rule", "uphold"]
    assert post["body"].startswith("- {add-rule")
    assert "add-rule: {title: Moonlight" in attic("posts", "1").out


@pytest.mark.parametrize(
    ("option", "text", "why"),
    [
        ("--change", "[x]", "must be a map"),
        ("--changes", "nope.yml", "cannot be read"),
        ("--body", "@nope", "cannot be read"),
    ],
)
def test_changes_that_cannot_be_read_are_usage_errors(attic: Nomic, option: str, text: str, why: str) -> None:
    assert why in attic("--as", "cy", "propose", "--title", "x", option, text, code=2).err


@pytest.mark.slow
def test_victory_and_ascension(attic: Nomic) -> None:
    attic("--as", "cy", "dov", "--title", "I have won", "--body", "Behold.")
    said = attic("status")
    assert "there is hiatus: a DoV is pending" in said.out
    for name in ("ana", "ben", "dee"):
        attic("--as", name, "vote", "1", "for")
    attic("--as", "ben", "--at", "+12h", "resolve", "1")
    assert attic("status", "--json").json["dynasty"]["emperor"] == "cy"
    attic(
        "--as", "cy", "ascend", "Among the clouds", "terms={player: Aeronaut, emperor: Wind}", "keep=[Unlife]"
    )
    dynasty = attic("status", "--json").json["dynasty"]
    assert (dynasty["number"], dynasty["name"]) == (2, "Among the clouds")
    assert dynasty["terms"] == {"player": "Aeronaut", "players": "Aeronauts", "emperor": "Wind"}


@pytest.mark.slow
def test_posts_and_comments(attic: Nomic, monkeypatch: pytest.MonkeyPatch) -> None:
    attic("--as", "cy", "post", "A night", "--kind", "story", "--body", "Dark.")
    monkeypatch.setattr(sys, "stdin", io.StringIO("from afar"))
    attic("--as", "dee", "comment", "1", "-")
    attic("--as", "dee", "comment", "1", "@@cy", "indeed")
    post = attic("posts", "1", "--json").json
    assert [(said["by"], said["text"]) for said in post["comments"]] == [
        ("dee", "from afar"),
        ("dee", "@cy indeed"),
    ]
    assert set(post) == {
        "number", "kind", "title", "author", "at", "status", "tags", "body", "changes", "comments", "tally", "reasons",
        "outlook", "foreseen", "resolved", "guest",
    }  # fmt: skip
    assert "A night" in attic("posts", "--kind", "story").out
    assert attic("posts", "--pending", "--json").json == []
    assert "there is no post 9" in attic("posts", "9", code=1).err
    assert "did you mean proposal" in attic("posts", "--kind", "prposal", code=1).err
    assert (
        "what is posted by hand is of the kind none or announcement"
        in attic("--as", "cy", "post", "A", "--kind", "stroy", code=1).err
    )
    assert "a comment says something" in attic("--as", "cy", "comment", "1", " ", code=2).err
    no_file = attic("--as", "cy", "propose", "--title", "A", "--changes", "nosuch.yml", code=2).err
    assert "'nosuch.yml' cannot be read" in no_file
    assert "@" not in no_file


@pytest.mark.slow
def test_coming_and_going(attic: Nomic) -> None:
    attic("--as", "fay", "join")
    waits = "fay has asked to join, and waits for an answer: nomicgit act admit newcomer=fay"
    assert waits in attic("status").out.splitlines()
    asked = {"who": "fay", "asked": "join", "answer": "admit", "parameter": "newcomer"}
    assert attic("status", "--json").json["petitions"] == [asked]
    assert "fay" not in attic("status", "--json").json["players"]["active"]
    attic("--as", "cy", "act", "admit", "newcomer=fay", code=1)
    attic("--as", "ben", "act", "admit", "newcomer=fay")
    assert attic("status", "--json").json["petitions"] == []
    assert "fay" in attic("status", "--json").json["players"]["active"]
    attic("--as", "ben", "idle")
    assert attic("status", "--json").json["players"]["idle"] == ["ben"]
    assert "too lately" in attic("--as", "ben", "unidle", code=1).err
    attic("--as", "ben", "--at", "+4d", "unidle", "ben")
    assert attic("status", "--json").json["players"]["idle"] == []


def test_set_and_undo_ask_the_law(attic: Nomic) -> None:
    said = attic("--as", "cy", "set", "players.cy.puissance", "3", code=1)
    assert "ask by a Call for Judgement" in said.err
    deed = attic("--as", "cy", "roll", "DICE6", "--json").json["id"]
    assert "followed the rules" in attic("--as", "cy", "undo", deed, code=1).err
    assert "there is no deed nope" in attic("--as", "cy", "undo", "nope", code=1).err


# Actions.


def test_what_begins_like_a_negative_number_is_a_value(attic: Nomic) -> None:
    attic("--as", "cy", "post", "Away")
    attic("--as", "cy", "comment", "1", "-1", "from", "me", "--at", "+1h")
    assert Path("game/posts/2021/06/0001-away.comments.yml").read_text().count('"text": "-1 from me"') == 1
    refused = attic("--as", "cy", "set", "players.cy.puissance", "-2", code=1).err
    assert "ask by a Call for Judgement" in refused
    assert "No such option" in attic("--as", "cy", "comment", "1", "-1", "--dryrun", code=2).err
    assert "No such option" in attic("--as", "cy", "set", "players.cy.puissance", "-x", code=2).err


def test_a_span_for_a_time_is_told_how_to_be_written(attic: Nomic) -> None:
    said = attic("--as", "cy", "--at", "12h", "roll", "DICE6", code=2).err
    assert "12h is how long, and not when" in said
    assert "+12h" in said


def test_act_types_its_values(attic: Nomic) -> None:
    said = attic("--as", "cy", "act", "explore", "room=C3", "name=12", "features=[]", "--json").json
    assert {"path": "rooms.C3.name", "old": "", "new": "12"} in said["effects"]
    assert set(said) == {
        "action",
        "by",
        "at",
        "id",
        "commit",
        "dry_run",
        "chance",
        "post",
        "dice",
        "notes",
        "made",
        "gave",
        "gone",
        "effects",
        "by_clock",
        "left_as_edited",
    }


def test_act_reads_files(attic: Nomic) -> None:
    Path("hall.txt").write_text("A hall.")
    attic("--as", "cy", "act", "explore", "room=C3", "name=Hall", "description=@hall.txt")
    assert attic("state", "rooms.C3.description", "--json").json == "A hall."


def test_an_unknown_action_gets_near_ones_told(attic: Nomic) -> None:
    assert "did you mean explore?" in attic("--as", "cy", "act", "explor", code=1).err


@pytest.mark.parametrize("pair", ["room", "=C3"])
def test_what_is_no_pair_is_a_usage_error(attic: Nomic, pair: str) -> None:
    assert "explore takes room, name" in attic("--as", "cy", "act", "explore", pair, code=2).err


def test_a_refusal_is_json_too(attic: Nomic) -> None:
    said = attic("--as", "cy", "act", "explore", "room=Z9", "name=Nook", "--json", code=1)
    assert said.json["refused"][0]["what"].startswith("room: ")
    assert said.err.startswith("refused: room: ")


@pytest.mark.slow
def test_actions_tell_what_is_open_and_what_not(attic: Nomic) -> None:
    said = attic("actions", "--player", "cy").out
    assert "  explore room name [description] [features]  Explore a room and furnish it" in said
    assert "that is for an admin" in said
    rows = {row["name"]: row for row in attic("actions", "--player", "cy", "--json").json["actions"]}
    assert rows["propose"]["open"] is True
    assert (rows["vote"]["open"], rows["vote"]["why_not"]) == (False, "no matter is pending")
    assert rows["vote"]["with"][1] == {
        "name": "icon", "type": "choice", "required": True, "choices": ["for", "against", "deferential", "veto"],
    }  # fmt: skip
    assert rows["resolve"]["why_not"] == "that is for an admin"


@pytest.mark.slow
def test_actions_tell_what_they_cost(attic: Nomic) -> None:
    assert (
        "cost: 1 Puissance, and 1 for each other Sigil of yours"
        in attic("actions", "--player", "cy", "engrave").out
    )
    rows = attic("actions", "--player", "cy", "--json").json["actions"]
    costs = {row["name"]: row["cost"] for row in rows}
    assert costs["inhabit"] == "3 Puissance"
    assert costs["vote"] == ""


@pytest.mark.slow
def test_actions_tell_from_when(attic: Nomic) -> None:
    for title in ("One", "Two", "Three"):
        attic("--as", "cy", "propose", "--title", title)
        attic("--as", "cy", "vote", str(attic("posts", "--json").json[0]["number"]), "against")
        attic("--as", "ben", "resolve", str(attic("posts", "--json").json[0]["number"]))
    [row] = attic("actions", "propose", "--player", "cy", "--json").json["actions"]
    assert (row["open"], row["earliest"]) == (False, "2021-06-08T00:00:00Z")


# Looking.


@pytest.mark.slow
def test_the_status_has_stable_keys(attic: Nomic) -> None:
    attic("--as", "cy", "propose", "--title", "Moonlight")
    found = attic("--as", "eli", "status", "--json").json
    assert set(found) == {
        "game", "edition", "practice", "at", "dynasty", "hiatus", "quorum", "players", "matters", "defects", "player",
        "wants_vote", "strays", "elsewhere", "ahead", "attributes", "refused", "mends", "clone", "lost", "unchangeable_from", "not_enacted",
        "not_made", "not_sound", "needs_key", "not_tried", "mailbox", "letters", "sealed", "waits", "petitions",
        "build", "restored", "concerns", "way_back", "edited", "without_account", "rekeyed", "in_the_way", "shares", "unjudged",
        "tags", "unheld", "unverified", "without_admins", "fallen", "moved", "rethrown", "terms", "without_key", "keeps_no_key",
        "too_slow", "beside", "may_differ", "offices", "other_branch",
    }  # fmt: skip
    assert set(found["matters"][0]) == {
        "number", "kind", "title", "author", "at", "age", "tally", "votes", "quorum", "popular", "unpopular", "marks",
        "verdict", "waits_for", "enact", "fail", "earliest", "called",
    }  # fmt: skip
    assert found["wants_vote"] == [1]


@pytest.mark.slow
def test_the_votes_of_a_great_many_matters_are_told_when_asked_for(
    attic: Nomic, monkeypatch: pytest.MonkeyPatch
) -> None:
    attic("--as", "cy", "propose", "--title", "Moonlight")
    monkeypatch.setattr("nomicgit.cli.bodies.status.VOTES_OF", 0)
    said = "cy: FOR, as the author who has used no icon"
    assert said not in attic("status").out
    assert said in attic("status", "--votes").out
    assert attic("status", "--json").json["matters"][0]["votes"]


def test_rules_are_a_tree(attic: Nomic) -> None:
    said = attic("rules").out
    assert "  1.4 Votable Matters\n    1.4.1 Votes\n" in said
    assert "(inactive)" in said
    assert set(attic("rules", "--json").json[0]) == {
        "number",
        "title",
        "slug",
        "section",
        "parent",
        "status",
        "path",
    }


def test_a_rule_is_prose_declarations_and_mechanics(attic: Nomic) -> None:
    said = attic("rules", "proposals").out
    assert "limit proposals: 3 times a day" in said
    assert "limit proposals: 3 times a day" in said
    assert "action propose: Submit a proposal; by player, proposals; with title (text)" in said
    assert "def do_propose" not in said
    assert "def do_propose" in attic("rules", "1.5", "--mechanics").out
    assert attic("rules", "Proposals", "--json").json["declares"]["limits"]["proposals"]["times"] == 3
    assert "no rule is called" in attic("rules", "Nope", code=1).err


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("players.cy.puissance", 10),
        ("players.CY.name", "cy"),
        ("rooms.C3.explored", False),
        ("dynasty.emperor", "ana"),
    ],
)
def test_the_state_at_a_path(attic: Nomic, path: str, value: object) -> None:
    assert attic("state", path, "--json").json == value
    assert attic("state", path).out.strip() == (value if isinstance(value, str) else json.dumps(value))


def test_the_state_as_a_whole(attic: Nomic) -> None:
    said = attic("state").out
    assert said.startswith("players  admin  puissance")
    assert "rooms (63)" in said
    told = "not shown are times (joined_at), which are told of one alone:\n    nomicgit state players.ana\n"
    assert told in said
    assert "joined_at" in attic("state", "players.ana").out
    assert set(attic("state", "--json").json) == {"players", "game", "dynasty", "collections"}
    assert set(attic("state", "players", "--json").json) == set(PLAYERS)
    assert "explored" in attic("state", "rooms.C3").out
    assert "nothing stands at" in attic("state", "rooms.Z9", code=1).err


def test_the_log_is_newest_first_and_can_be_narrowed(attic: Nomic) -> None:
    attic("--as", "cy", "propose", "--title", "Moonlight")
    attic("--as", "dee", "roll", "DICE6")
    rows = attic("log", "--json").json
    assert [row["action"] for row in rows] == ["roll", "propose", "physics/found"]
    assert set(rows[0]) == {
        "id",
        "at",
        "by",
        "action",
        "with",
        "subject",
        "notes",
        "dice",
        "commit",
        "sealed",
        "opened",
        "changes",
        "rules",
        "set_aside",
    }
    assert rows[0]["dice"][0].startswith("d6: ")
    assert [row["by"] for row in attic("log", "--by", "CY", "--json").json] == ["cy"]
    assert [row["action"] for row in attic("log", "--action", "roll", "--json").json] == ["roll"]
    assert "did you mean roll?" in attic("log", "--action", "rol", code=1).err
    assert attic("log", "--by", "ana", "--action", "roll").out == "no deed is by ana and of the action roll\n"
    assert "  the game was founded: ana, ben, cy, dee, eli; ana leads\n" in attic("log").out
    assert attic("log", "--limit", "1").out.startswith("2021-06-07T00:00:00Z  dee: roll DICE6\n    d6 gave ")


def test_what_players_write_cannot_steer_a_terminal(attic: Nomic) -> None:
    attic("--as", "cy", "post", "Bell", "--body", "one\ntwo \x1b[2J\x07")
    assert "\x1b" not in attic("posts", "1").out
    assert "two \\u001b[2J" in attic("posts", "1").out


# Verify and rehearse.


@pytest.mark.slow
def test_verify_names_what_is_no_deed(attic: Nomic, git: Callable[..., str]) -> None:
    Path("game/state/players/cy.yml").write_text("name: cy\n")
    git("commit", "-qam", "by hand", cwd=Path())
    said = attic("verify", code=1)
    assert "it changes the game and is no deed" in said.out
    found = attic("verify", "--json", code=1).json
    assert (found["verified"], found["deeds"], found["others"], len(found["faults"])) == (False, 1, 1, 1)
    assert "there is no revision nope" in attic("verify", "nope", code=1).err


@pytest.mark.slow
def test_rehearse_plays_on_the_game_at_hand_or_on_an_edition(attic: Nomic) -> None:
    passing = "name: Quorum\nplayers: [ana, ben, cy]\nsteps:\n  - expect: {quorum: 2}\n"
    Path("good.yml").write_text(passing)
    Path("bad.yml").write_text(passing.replace("quorum: 2", "quorum: 3"))
    assert "passed" in attic("rehearse", "good.yml").out
    assert "1 of 2 passed" in attic("rehearse", "good.yml", "bad.yml", code=1).out
    [row] = attic("rehearse", "--edition", "crypt", "--json", "good.yml").json
    assert set(row) == {"name", "file", "passed", "failures", "lines", "notes", "seconds"}
    assert "there is no file nope.yml" in attic("rehearse", "nope.yml", code=2).err
    assert "did you mean good.yml?" in attic("rehearse", "god.yml", code=2).err


@pytest.mark.slow
def test_rehearse_names_what_is_not_committed_of_the_rules(attic: Nomic, git: Callable[..., str]) -> None:
    Path("s.yml").write_text("name: s\nplayers: [ana]\nsteps:\n  - expect: {dynasty.number: 1}\n")
    assert "differs" not in attic("rehearse", "s.yml").err
    rule = min(Path("game/ruleset").rglob("*.md"))
    rule.write_text(rule.read_text() + "One more sentence.\n")
    Path("game/ruleset/2-dynastic/99-new.md").write_text("---\ntitle: New\n---\n")
    Path("game/scenarios").mkdir(exist_ok=True)
    Path("game/scenarios/s.yml").write_text(Path("s.yml").read_text())
    edits = [
        line.split()[-1]
        for line in git("status", "--porcelain", "-uall", "game/ruleset", cwd=Path()).splitlines()
    ]
    said = attic("rehearse", "--json", "s.yml", "game/scenarios/s.yml")
    end = "differs from the commit that is rehearsed: commit it first"
    assert sorted(said.err.splitlines()) == sorted(f"warning: {path} {end}" for path in edits)
    assert [row["notes"] for row in said.json] == [[], []]
    git("add", ".", cwd=Path())
    git("commit", "-qm", "by hand", cwd=Path())
    assert "differs" not in attic("rehearse", "s.yml").err


def test_rehearse_without_a_game_needs_an_edition(nomic: Nomic) -> None:
    Path("good.yml").write_text("name: Quorum\nplayers: [ana, ben, cy]\nsteps:\n  - expect: {quorum: 2}\n")
    assert "there is no Git repository here" in nomic("rehearse", "good.yml", code=1).out
    assert "passed" in nomic("rehearse", "good.yml", "--edition", "crypt").out


# What goes wrong, and help.


def test_where_there_is_no_game_that_is_said(nomic: Nomic, git: Callable[..., str]) -> None:
    assert "there is no Git repository here" in nomic("status", code=1).err
    git("init", "-q", cwd=Path())
    for command in ("status", "sync", "verify"):
        said = nomic(command, code=1).err
        assert "has no commit yet" in said
        assert "switch to the one that this lists:\n    git branch --all" in said
        assert "found one:\n    nomicgit new" in said
        assert "git push" not in said


def test_no_command_takes_the_game_around_a_folder_that_is_not_there(attic: Nomic) -> None:
    for name in MODULES:
        assert "there is no folder nosuch" in attic("-C", "nosuch", name, code=2).err, name
        face = app.get_command(click.Context(app), name)
        assert face is not None
        if any("-C" in option.opts for option in face.params):
            assert "there is no folder nosuch" in attic(name, "-C", "nosuch", code=2).err, name
        assert "there is no folder README.md" in attic("-C", "README.md", name, code=2).err, name


def test_a_game_is_opened_in_no_folder_that_is_not_there(attic: Nomic, git: Callable[..., str]) -> None:
    before = git("rev-parse", "HEAD", cwd=Path())
    assert "there is no folder" in attic("-C", "nosuch", "--as", "ana", "post", "oops", code=2).err
    assert git("rev-parse", "HEAD", cwd=Path()) == before
    for place in (Path("nosuch"), "nosuch/deeper", "README.md", ""):
        with pytest.raises(Refused, match="there is no folder"):
            Game.open(place)


def test_unknown_commands_get_near_ones_told(nomic: Nomic) -> None:
    assert "did you mean status" in nomic("statsu", code=2).err
    assert "nomicgit actions" in nomic("explore", code=2).err


def test_an_action_typed_as_a_command_comes_before_near_commands(attic: Nomic) -> None:
    said = attic("--as", "ben", "admit", "fay", code=2).err
    assert (
        "there is no command 'admit', but an action of the rules:\n  nomicgit act admit newcomer=fay\n"
        in said
    )
    said = attic("admit", "--as", "ben", "fay", "--at", "+1h", code=2).err
    assert "\n  nomicgit act admit newcomer=fay --as ben --at +1h\n" in said
    said = attic("undu", code=2).err
    assert "did you mean undo" in said
    assert "but an action" not in said


def test_what_a_post_says_is_told_to_be_an_option_where_it_stands_in_quotes_behind_its_title(
    attic: Nomic,
) -> None:
    assert "\n  nomicgit post Hello --body 'some body'\n" in attic("post", "Hello", "some body", code=2).err
    assert "\n  nomicgit post 'Hello some body'\n" in attic("post", "Hello", "some", "body", code=2).err


def test_a_word_without_its_key_is_told_with_the_whole_line(attic: Nomic) -> None:
    said = attic("--as", "ben", "act", "admit", "fay", code=2).err
    assert "'fay' is no key=value; admit takes newcomer; write:\n  nomicgit act admit newcomer=fay\n" in said
    said = attic("--as", "ben", "act", "vote", "icon=for", "3", code=2).err
    assert "write:\n  nomicgit act vote icon=for matter=3\n" in said


def test_whoever_has_not_asked_is_told_to_ask(attic: Nomic) -> None:
    said = attic("--as", "ben", "act", "admit", "newcomer=fay", code=1).err
    assert "  fay asks first:\n    nomicgit --as fay join\n" in said
    attic("--as", "fay", "join")
    said = attic("--as", "ben", "act", "admit", "newcomer=gus", code=1).err
    assert "  fay has asked; gus asks first:\n    nomicgit --as gus join\n" in said


@pytest.mark.slow
def test_json_may_stand_before_the_command(attic: Nomic) -> None:
    assert attic("--json", "status").json == attic("status", "--json").json
    assert "completion knows no --json" in attic("--json", "completion", "bash", code=2).err
    said = attic("--json", "act", "nosuch", code=1)
    assert said.json["refused"][0]["what"].startswith("no rule in force declares an action")


def test_a_defect_is_a_report(attic: Nomic, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: Seat) -> None:
        raise RuntimeError("out of cheese")

    monkeypatch.setattr(Seat, "game", broken)
    monkeypatch.delitem(
        sys.modules, UNSEALING, raising=False
    )  # other tests of this process may have loaded it
    said = attic("status", code=3)
    assert "please report it" in said.err
    assert "RuntimeError: out of cheese" in said.err


def test_an_interruption_is_130(attic: Nomic, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: Seat) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Seat, "game", interrupted)
    attic("status", code=130)


@pytest.mark.parametrize("name", MODULES)
def test_every_command_has_help_with_examples(nomic: Nomic, name: str) -> None:
    said = nomic(name, "--help").out
    assert "Examples:" in said
    assert f"nomicgit {name}" in said or f" {name}" in said


def test_no_help_shows_a_backslash() -> None:
    for command in commands_in(app):
        with click.Context(command, info_name=command.name) as ctx:
            assert "\\" not in command.get_help(ctx), command.name


def test_the_help_says_of_every_command_what_its_face_says(nomic: Nomic) -> None:
    said = nomic("--help").out
    ctx = click.Context(app)
    for title, of_section in SECTIONS.items():
        assert f"\n{title}:\n" in said
        for name, first_words in of_section.items():
            face = app.get_command(ctx, name)
            assert face is not None
            assert first_words == face.get_short_help_str(90)
            assert not first_words.endswith("..."), f"{name}: its first sentence is too long to be listed"
            assert f"\n  {name} " in said


def test_every_command_that_has_a_face_is_listed() -> None:
    faces = {
        each
        for name in set(MODULES.values())
        for each in vars(import_module(name))
        if each.endswith("_command")
    }
    groups = [
        each
        for each in map(app.get_command, [click.Context(app)] * len(MODULES), MODULES)
        if isinstance(each, click.Group)
    ]
    inner = {
        f"{group.name}_{name}_command" for group in groups for name in group.commands
    }  # which the groups list
    assert faces - inner == {f"{name.replace('-', '_')}_command" for name in MODULES}


def commands_in(command: click.Command) -> Iterator[click.Command]:
    """All commands that do something."""
    ctx = click.Context(command)
    if not isinstance(command, click.Group):
        yield command
        return
    for name in command.list_commands(ctx):
        found = command.get_command(ctx, name)
        assert found is not None
        yield from commands_in(found)


def test_every_body_takes_what_its_face_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[str] = []

    def bound(name: str) -> Callable[..., None]:
        body = inspect.signature(loaded(name))
        return lambda seat, **given: taken.append(f"{name}{body.bind(seat, **given)}")

    for module in (ROOT / "nomicgit/cli/bodies").glob("*.py"):
        import_module(f"nomicgit.cli.bodies.{module.stem}")  # else they would keep what stands in for it
    monkeypatch.setattr("nomicgit.cli.face.loaded", bound)
    commands = list(commands_in(app))
    for command in commands:
        given = [param.name or "" for param in command.params if param.expose_value]
        with click.Context(command):
            assert command.callback is not None
            command.callback(**dict.fromkeys(given))
    assert len(taken) == len(commands) > 30


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_completion_prints_a_script(nomic: Nomic, shell: str) -> None:
    assert "_NOMICGIT_COMPLETE" in nomic("completion", shell).out


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("vote ", "plain,1\n"),
        ("vote 1 def", "plain,deferential\n"),
        ("try ", "plain,1\n"),
        ("idle c", "plain,cy\n"),
        ("log --by c", "plain,cy\n"),
        ("log --action explo", "plain,explore\n"),
        ("--as c", "plain,cy\n"),
        ("vote --as d", "plain,dee\n"),
        ("restore --by d", "plain,dee\n"),
        ("rules dynasties", "plain,dynasties\n"),
        ("act explo", "plain,explore\n"),
        ("act explore roo", "plain,room=\n"),
        ("act idle player=c", "plain,player=cy\n"),
        ("act vote matter=", "plain,matter=1\n"),
        ("act vote icon=def", "plain,icon=deferential\n"),
        ("act explore room=B3", "plain,room=B3\n"),
        ("act explore features=[mov", "plain,features=[moved-back]\n"),
        ("act roll dic", "plain,dice=\n"),
        ("unid", "plain,unidle\n"),
        ("posts ", "plain,1\n"),
        ("comment ", "plain,1\n"),
        ("posts --kind st", "plain,story\n"),
        ("state dy", "plain,dynasty\n"),
        ("state players.c", "plain,players.cy\n"),
        ("set players.cy.puis", "plain,players.cy.puissance\n"),
        ("rules Vot", "plain,votable-matters\nplain,votes\n"),
        ("propose --branch ", "plain,moon\n"),
        ("check mo", "plain,moon\n"),
        ("propose --update ", "plain,1\n"),
        ("preview ", "plain,1\n"),
        ("new-rule Moon --section co", "plain,core\n"),
        ("check --edition cry", "plain,crypt\ndir,cry\n"),
        ("propose --changes moo", "file,moo\n"),
        ("new attic --player ana --player ben --admin b", "plain,ben\n"),
        ("ascend Clouds the", "plain,theme=\n"),
    ],
)
def test_completion_offers_what_can_be_named(
    attic: Nomic, monkeypatch: pytest.MonkeyPatch, line: str, offered: str
) -> None:
    attic("--as", "cy", "propose", "--title", "Moonlight")
    subprocess.run(["git", "branch", "moon"], check=True)
    monkeypatch.setenv("_NOMICGIT_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"nomicgit {line}")
    monkeypatch.setenv("COMP_CWORD", str(len(line.split(" "))))
    assert attic().out == offered


TYPED: dict[str, list[str]] = {
    "nomicgit act idle play": ["player="], "nomicgit act idle player = c": ["cy"], "nomicgit --as = d": ["dee"],
    "nomicgit act vote matter = 1 icon = def": ["deferential"], "nomicgit vote 1 def": ["deferential"],
}  # fmt: skip
"""The words as bash has them, which it takes apart at each =, and what it puts in the place of the last."""


@pytest.mark.slow
@pytest.mark.parametrize("words", TYPED)
def test_bash_completes_what_stands_behind_an_equals_sign(attic: Nomic, tmp_path: Path, words: str) -> None:
    attic("--as", "cy", "propose", "--title", "Moonlight")
    program = tmp_path / "bin" / "nomicgit"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m nomicgit "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    script = (
        f"{attic('completion', 'bash').out}\nCOMP_WORDS=({words})\nCOMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n"
        '_nomicgit_completion nomicgit\nprintf "%s\\n" "${COMPREPLY[@]}"'
    )
    env = os.environ | {"PATH": f"{program.parent}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", script], env=env, text=True, capture_output=True, check=True)
    assert done.stdout.split() == TYPED[words], done.stderr


NAMING = {
    "NAME",
    "BRANCH",
    "MATTER",
    "SECTION",
    "KIND",
    "NAME|FOLDER",
    "PATH",
    "[BRANCH|A..B|REVISION]",
    "[KEY=VALUE]…",
}


def test_whatever_names_what_there_is_is_completed() -> None:
    """But for the players of a new game, who are named there first."""
    naming = [
        (f"{command.name} {param.opts[0]}", param)
        for command in (app, *commands_in(app))
        for param in command.params
        if param.metavar in NAMING or param.name in ("action", "matter", "deed", "post", "path")
        if (command.name, param.name) not in (("new", "players"), ("new", "idle"), ("new", "path"))
    ]
    assert len(naming) > 40
    assert [name for name, param in naming if param._custom_shell_complete is None] == []


@pytest.mark.slow
def test_colour_is_for_terminals_that_want_it(attic: Nomic) -> None:
    assert "\x1b" not in attic("status").out


def modules_of(game: Path, *arguments: str) -> set[str]:
    """The modules that a command loads, in a process of its own."""
    code = "import atexit, sys; atexit.register(lambda: print(*sys.modules)); from nomicgit.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=game, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split("\n")[-2].split())


@pytest.mark.slow
def test_a_vote_loads_what_it_needs_alone(attic: Nomic) -> None:
    attic("--as", "cy", "propose", "--title", "Moonlight")
    attic("status")  # what a clone keeps of its rules is written
    modules = modules_of(Path(), "--as", "ben", "vote", "1", "for")
    heavy = (
        "yaml",
        "mkdocs",
        "subprocess",
        "difflib",
        "zoneinfo",
        "shutil",
        "traceback",
        "nomicgit.record.annals",
        "nomicgit.record.seen.forging",
        "nomicgit.site",
        "nomicgit.outlook.checks",
    )
    assert not modules & {
        *heavy,
        "nomicgit.outlook.branches",
        "nomicgit.steward",
        "nomicgit.forge",
        "nomicgit.rehearsal",
    }
    assert {each for each in modules if each.startswith("nomicgit.cli.bodies.")} == {
        "nomicgit.cli.bodies.deeds",
    }


@pytest.mark.parametrize("arguments", [["--help"], ["vote", "--help"], ["--version"]])
def test_help_loads_no_game(tmp_path: Path, arguments: list[str]) -> None:
    ours = {each for each in modules_of(tmp_path, *arguments) if each.startswith("nomicgit")}
    assert {each.split(".")[1] for each in ours if "." in each} == {"cli", "ground"}
    assert not any(each.startswith("nomicgit.cli.bodies") for each in ours)
    assert any(each.startswith("nomicgit.cli.faces.") for each in ours) == (len(arguments) == 2)


# A game on GitHub.


@pytest.mark.slow
def test_new_writes_what_a_game_on_github_needs(nomic: Nomic, git: Callable[..., str]) -> None:
    said = found(nomic, "--github", "ana-nomic/attic", "--account", "ana=1001", "--resolves", "ben")
    assert "it never becomes a live one" in said.out
    assert "time stands still" in Path("SETUP.md").read_text()
    files = git("ls-tree", "-r", "--name-only", "HEAD", cwd=Path()).split()
    for path in (
        ".github/workflows/steward.yml",
        ".github/ISSUE_TEMPLATE/propose.yml",
        ".github/nomicgit.txt",
        "SETUP.md",
    ):
        assert path in files
    assert (
        "github: ana-nomic/attic, resolve: steward, by: ben, players: {ana: 1001}"
        in Path("game/game.yml").read_text()
    )
    assert "site_url: https://ana-nomic.github.io/attic/" in Path("mkdocs.yml").read_text()
    assert "issues/new/choose" in Path("README.md").read_text()
    nomic("forms", "--check")
    shown = nomic("forms", "propose", "--json").json
    assert Path(shown["path"]).read_text() == shown["text"] == nomic("forms", "propose").out
    nomic("verify")


def test_new_leaves_forms_alone_that_are_there(nomic: Nomic, git: Callable[..., str]) -> None:
    form = Path(".github/ISSUE_TEMPLATE/config.yml")
    form.parent.mkdir(parents=True)
    form.write_text("blank_issues_enabled: true\n")
    git("init", "-q", "-b", "main", cwd=Path())
    git("add", "-A", cwd=Path())
    git("commit", "-qm", "forms", cwd=Path())
    players = [word for name in PLAYERS for word in ("--player", name)]
    said = nomic("new", "--edition", "crypt", *players, "--github", "ana/attic", code=1)
    assert "in the way: .github/ISSUE_TEMPLATE/config.yml" in said.err


RANGE = "an account's number is from 1 to 999999999999999"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--github", "attic"], "is no repository"),
        (["--account", "ana=1"], "for games on GitHub"),
        (["--github", "a/b", "--account", "zed=1"], "is no player"),
        (["--github", "a/b", "--account", "=1"], "no NAME=ID"),
        (["--github", "a/b", "--account", "ana="], "no NAME=ID"),
        *(
            (["--github", "a/b", "--account", f"ana={number}"], f"ana: {RANGE}, as https://api.github.com")
            for number in ("0", "one", "-1", "1_000", "1.5", "1000000000000000", "9" * 17, "9" * 5_000)
        ),
        (
            ["--github", "a/b", "--account", "ana=1", "--account", "ben=1"],
            "the account 1 is one player's, and said to be ana's",
        ),
        (
            ["--github", "a/b", "--account", "ana=1", "--account", "Ana=2"],
            "ana has one account, and is named twice",
        ),
        (
            ["--github", "a/b", "--resolves", "ana"],
            "ana is no admin, and the steward resolves in the name of one: ben may be named",
        ),
    ],
)
def test_new_tells_what_is_wrong_with_a_place_on_github(nomic: Nomic, arguments: list[str], why: str) -> None:
    players = [word for name in PLAYERS for word in ("--player", name)]
    assert why in nomic("new", "--edition", "crypt", *players, "--admin", "ben", *arguments, code=2).err


@pytest.mark.parametrize("command", sorted(MODULES))
def test_a_dry_run_is_obeyed_or_refused(attic: Nomic, git: Callable[..., str], command: str) -> None:
    """``--dry-run`` before a command that knows none of it does nothing at all."""
    face = app.get_command(click.Context(app), command)
    assert face is not None
    if any(each.name == "seat_dry_run" for each in face.params) or isinstance(face, click.Group):
        return
    asked = (("rev-parse", "HEAD"), ("status", "--porcelain"), ("config", "--list"))
    before = [git(*each, cwd=Path()) for each in asked]
    needed = ["x" for each in face.params if isinstance(each, click.Argument) and each.required]
    options = [
        o
        for each in face.params
        if isinstance(each, click.Option) and each.required
        for o in (each.opts[0], "x")
    ]
    said = attic("--dry-run", command, *needed, *options, code=2).err
    assert "knows no --dry-run" in said or "Invalid value" in said or "does not exist" in said
    assert [git(*each, cwd=Path()) for each in asked] == before
