"""A game moves to a forge, from one to another, and away: a deed outside the law, by those who may restore it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from hostile.forging import Forger
from hostile.small import Small
from support.clones import FEW, game_in_clones
from support.parlour import commands

from nomicgit.cli import main
from nomicgit.ground.problems import Refused
from nomicgit.record import forms, journal
from nomicgit.record.game import Game
from nomicgit.record.outside import entitled

ATTIC: dict[str, Any] = {"github": "ana/attic", "resolve": "steward", "by": "ben"}


RANGE = "an account's number is from 1 to 999999999999999"


@pytest.fixture
def small(tmp_path: Path) -> Small:
    """A game on no forge, with a few deeds; ana and ben may restore it."""
    found = Small.found(tmp_path / "game", restore={"by": ["ana", "ben"], "of": 1})
    found.do("cy", "earn", n=3)
    return found


def rehouse(small: Small, forge: dict[str, Any] | None, *by: str) -> str:
    """Move a game; the commit."""
    small.at += 60
    game = Game.open(small.folder)
    with game.repository:
        return entitled.rehouse(game, by or ("ana",), forge, small.at).commit


def names(small: Small) -> set[str]:
    """The actions that have a form at the head."""
    game = Game.open(small.folder)
    with game.repository:
        found = game.repository.walk(game.head.tree, forms.FOLDER.rstrip("/"))
        return {path.removeprefix(forms.FOLDER).removesuffix(".yml") for path, _ in found}


def settings(small: Small) -> Any:
    game = Game.open(small.folder)
    with game.repository:
        return game.settings.forge


def test_a_game_moves_to_a_forge_with_its_forms(small: Small) -> None:
    rehouse(small, ATTIC)
    assert settings(small) == ATTIC
    assert {"earn", "propose", "config"} <= names(small)
    assert small.faults() == {}


@pytest.mark.slow
def test_after_a_move_the_forms_follow_the_law(small: Small) -> None:
    rehouse(small, ATTIC)
    small.do("cy", "earn", n=3)
    small.enact({"repeal": "hoard"})
    assert "earn" not in names(small)
    assert small.faults() == {}


def test_a_game_says_anew_who_resolves(small: Small) -> None:
    rehouse(small, {"github": "ana/attic", "resolve": "admins"})
    rehouse(small, ATTIC)
    assert settings(small)["by"] == "ben"
    touched = small.git("diff-tree", "--no-commit-id", "--name-only", "-r", "HEAD").split()
    assert touched == ["game/game.yml"]
    assert small.faults() == {}


@pytest.mark.slow
def test_a_game_moves_away_without_its_forms(small: Small) -> None:
    rehouse(small, ATTIC)
    rehouse(small, None)
    assert (settings(small), names(small)) == (None, set())
    small.enact({"repeal": "hoard"})
    assert names(small) == set()
    assert small.faults() == {}


@pytest.mark.parametrize(
    ("forge", "by", "why"),
    [
        (ATTIC, "cy", "cy may not restore"),
        ({"github": "attic"}, "ana", "no place on a forge"),
        (None, "ana", "lives on no forge already"),
        (ATTIC, "", "'' may not restore"),
    ],
)
def test_a_move_that_is_refused(small: Small, forge: dict[str, Any] | None, by: str, why: str) -> None:
    head = small.head()
    with pytest.raises(Refused, match=why):
        rehouse(small, forge, by)
    assert small.head() == head


def test_templates_of_the_owners_own_are_not_written_over(small: Small) -> None:
    Forger(small).add("Ours", {forms.FOLDER + "earn.yml": b"name: ours\n"})
    small.git("reset", "-q", "--hard")
    with pytest.raises(Refused, match="in the way"):
        rehouse(small, ATTIC)


def test_a_move_by_somebody_who_may_not_is_named(small: Small) -> None:
    made = rehouse(small, ATTIC)
    forger = Forger(small)
    place = [commit.oid for commit in forger.commits()].index(made)
    told = forger.amend(
        place,
        lambda c: {
            "message": c.message.replace('["ana"]', '["cy"]').replace("By: ana", "By: cy"),
            "author": "cy",
        },
    )
    assert any("cy may not restore" in what for what in small.faults()[told.oid])


def test_a_move_to_elsewhere_than_it_says_is_named(small: Small) -> None:
    made = rehouse(small, ATTIC)
    forger = Forger(small)
    place = [commit.oid for commit in forger.commits()].index(made)
    forged = forger.amend(place, lambda c: {"message": c.message.replace("ana/attic", "eve/attic")})
    assert "its tree is not what its deed makes" in " ".join(small.faults()[forged.oid])


def told(small: Small, *arguments: str, capsys: pytest.CaptureFixture[str], code: int = 0) -> str:
    """What ``nomicgit rehouse`` says, its exit code as told."""
    return commands(capsys, "rehouse", "-C", str(small.folder))(*arguments, code=code).all


def test_the_command_moves_a_game(small: Small, capsys: pytest.CaptureFixture[str]) -> None:
    site = "https://attic.example/"
    words = ["--github", "ana/attic", "--account", "cy=7", "--resolves", "ben", "--site", site, "--by", "ana"]
    assert "The game lives at https://github.com/ana/attic, by ana." in told(small, *words, capsys=capsys)
    assert settings(small) == ATTIC | {"site": site, "players": {"cy": 7}}
    found = json.loads(told(small, "--away", "--by", "ben", "--json", capsys=capsys))
    assert (found["forge"], found["by"]) == (None, ["ben"])


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ([], "either --github"),
        (["--github", "a/b", "--away"], "either --github"),
        (["--github", "ab"], "is no repository"),
        (["--github", f"a/{'x' * 300}"], "REPO has 300 letters, and at most 100"),
        (["--github", f"{'x' * 40}/a"], "OWNER has 40 letters, and at most 39"),
        (["--github", "a/b", "--resolves", "zed"], "zed is no player"),
        (["--github", "a/b", "--account", "zed=1"], "is no player"),
        (["--github", "a/b", "--site", "ftp://x/"], "no https address"),
        (["--github", "a/b", "--account", "=5"], "no NAME=ID"),
        (["--github", "a/b", "--account", "cy=1000000000000000"], RANGE),
        (["--github", "a/b", "--account", f"cy={'9' * 5_000}"], RANGE),
        (["--away", "--forget", "cy"], "says all that is to be said"),
    ],
)
def test_the_command_says_what_is_wrong(
    small: Small, capsys: pytest.CaptureFixture[str], arguments: list[str], why: str
) -> None:
    of_the_game = "zed" in str(arguments)  # that zed is no player is wrong here, not in the line
    assert why in told(small, *arguments, capsys=capsys, code=1 if of_the_game else 2)


def test_what_a_move_does_not_name_stays_and_what_goes_is_told(
    small: Small, capsys: pytest.CaptureFixture[str]
) -> None:
    place, site = ["--github", "ana/attic"], "https://attic.example/"
    accounts = ["--account", "ana=6", "--account", "cy=7"]
    told(small, *place, *accounts, "--resolves", "ben", "--site", site, "--by", "ana", capsys=capsys)
    before = settings(small)
    assert before == ATTIC | {"site": site, "players": {"ana": 6, "cy": 7}}
    assert "gone" not in told(small, *place, "--account", "dee=8", "--by", "ana", capsys=capsys)
    assert settings(small) == before | {"players": {"ana": 6, "cy": 7, "dee": 8}}
    told(small, "--github", "ben/attic", "--by", "ana", capsys=capsys)
    assert settings(small) == before | {"github": "ben/attic", "players": {"ana": 6, "cy": 7, "dee": 8}}
    gone = told(
        small, *place, "--forget", "cy", "--no-resolves", "--no-site", "--by", "ana", capsys=capsys
    ).splitlines()
    assert gone[1:4] == [
        "gone: cy's account, 7",
        "gone: who resolves, ben",
        f"gone: where the site stands, {site}",
    ]
    assert settings(small) == {
        "github": "ana/attic",
        "resolve": "admins",
        "players": {"ana": 6, "dee": 8},
    }
    assert "tell no account of cy" in told(
        small, *place, "--forget", "cy", "--by", "ana", capsys=capsys, code=1
    )
    assert small.faults() == {}


def test_one_account_is_one_players_and_who_resolves_is_an_admin(
    small: Small, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever says so, and where: the settings, a deed of an account, and a commit that says it by itself."""

    def played(*words: str, code: int = 0) -> str:
        return commands(capsys, words[0], "-C", str(small.folder))(*words[1:], code=code).all

    place = ["--github", "ana/attic"]
    assert "dee is no admin, and" in told(
        small, *place, "--resolves", "dee", "--by", "ana", capsys=capsys, code=1
    )
    with pytest.raises(Refused, match="cy is no admin"):
        rehouse(small, ATTIC | {"by": "cy"})
    with pytest.raises(Refused, match="one player's: ana's or cy's"):
        rehouse(small, {"github": "ana/attic", "players": {"ana": 7, "cy": 7}})
    told(small, *place, "--account", "ana=7", "--by", "ana", capsys=capsys)
    assert "the account 7 is ana's already" in played("steward", "--know", "cy=7", code=1)
    assert played("steward", "--know", "cy=8:Cy").splitlines() == [
        "cy's account on the forge is number 8",
        "not pushed yet: nomicgit sync",
    ]
    for number, why in (("8", "one player's: cy's or dee's"), ("7", "one player's: ana's or dee's")):
        account = ["--account", f"dee={number}", "--by", "ana"]
        assert why in told(small, *place, *account, capsys=capsys, code=1)
    again = told(small, *place, "--account", "cy=9", "--by", "ana", capsys=capsys, code=1)
    assert "known by a deed" in again
    assert "nomicgit steward --know cy=9\n" in again
    again = told(small, *place, "--account", "cy=7", "--by", "ana", capsys=capsys, code=1)
    [line] = [each.strip() for each in again.splitlines() if "steward --know" in each]
    assert line == "nomicgit steward --know cy=7 --know ana=ID"
    assert "cy's account is number 8 already, by a deed" in told(
        small, *place, "--account", "cy=8", "--by", "ana", capsys=capsys, code=1
    )
    head = small.head()
    assert played("steward", "--know", "cy=8:Cy") == "cy's account on the forge is number 8 already\n"
    assert small.head() == head
    assert (
        "either --github ana/attic, where the game lives already, or another OWNER/REPO, or --away"
        in told(small, "--resolves", "ben", capsys=capsys, code=2)
    )
    assert "cy's account on the forge is number 7 " in played(
        *line.replace("=ID", "=8").split()[1:], "--dry-run"
    )
    assert "cy's account on the forge is number 9 (8 before)" in played("steward", "--know", "cy=9:Cy")
    assert played("steward", "--accounts").splitlines() == [
        "ana: 7, by the settings",
        "ben: no account is known",
        "cy: 9 (Cy), by a deed",
        "dee: no account is known",
        "eli: no account is known",
    ]
    assert "no account on GitHub is known of ben, dee, eli: nomicgit steward --know NAME=ID" in played(
        "status"
    )
    assert small.faults() == {}
    forger = Forger(small)
    last = len(forger.commits()) - 1
    forged = forger.amend(last, lambda c: {"message": c.message.replace('"9"', '"7"')})
    assert any("the account 7 is ana's already" in what for what in small.faults()[forged.oid])


def test_accounts_that_stand_crosswise_change_places_by_one_command_or_nothing_is_recorded(
    small: Small, capsys: pytest.CaptureFixture[str]
) -> None:
    def played(*words: str, code: int = 0) -> str:
        return commands(capsys, words[0], "-C", str(small.folder))(*words[1:], code=code).all

    def accounts() -> dict[str, object]:
        texts = {
            name: small.git("show", f"main:game/state/players/{name}.yml")
            for name in ("ana", "ben", "cy", "dee")
        }
        return {name: (yaml.safe_load(text).get("forge") or {}).get("github") for name, text in texts.items()}

    told(small, "--github", "ana/attic", "--account", "dee=4", "--by", "ana", capsys=capsys)
    played("steward", "--know", "ana=1", "--know", "ben=2", "--know", "cy=3")
    head = small.head()
    for login in ("bad login!", "a:b", " Eli", "@eli"):
        with pytest.raises(SystemExit) as ended:
            main(["steward", "-C", str(small.folder), "--know", f"dee=8:{login}"])
        assert ended.value.code == 2
    swapped = played("steward", "--know", "ben=9", "--know", "cy=1", code=1)
    assert "the account 1 is ana's already" in swapped
    assert "nomicgit steward --know ben=9 --know cy=1 --know ana=ID" in swapped
    assert played("steward", "--know", "ben=2").splitlines() == [
        "ben's account on the forge is number 2 already"
    ]
    with pytest.raises(SystemExit):
        main(["steward", "-C", str(small.folder), "--know", "ben=9", "--know", "cy=9"])
    assert small.head() == head
    assert played("steward", "--know", "ana=2", "--know", "ben=3", "--know", "cy=1").splitlines()[:3] == [
        "ana's account on the forge is number 2 (1 before)",
        "ben's account on the forge is number 3 (2 before)",
        "cy's account on the forge is number 1 (3 before)",
    ]
    assert accounts() == {"ana": 2, "ben": 3, "cy": 1, "dee": None}
    assert played("steward", "--know", "cy=4", "--know", "dee=1")
    assert accounts() == {"ana": 2, "ben": 3, "cy": 4, "dee": 1}
    assert small.faults() == {}


def test_what_is_no_number_of_an_account_is_refused_by_whatever_door_it_comes(
    small: Small, capsys: pytest.CaptureFixture[str]
) -> None:
    know, place = commands(capsys, "steward", "-C", str(small.folder)), {"github": "ana/attic"}
    rehouse(small, place)
    head = small.head()
    for number in ("0", "9" * 16, "9" * 17, "9" * 5_000, "x", "1.5"):
        said = know("--know", f"cy={number}", code=2).all
        assert RANGE in said
        assert ("9" * 21 in said) is (len(number) > 100), said  # not as if it were another number
    for words in (["=5"], ["cy="], ["5"]):
        assert "no NAME=ID" in know("--know", *words, code=2).all
    for more in (["--accounts"], ["--output", "out"]):
        assert "--know" in know("--know", "cy=5", *more, code=2).all
    assert "eli has 101 letters, and at most 100" in know("--know", f"eli=5:{'x' * 101}", code=2).all
    for wrong in (0, -1, 10**15, 10**17):
        with pytest.raises(Refused, match=RANGE):
            rehouse(small, place | {"players": {"cy": wrong}})
    assert small.head() == head
    done = json.loads(know("--know", "cy=007", "--json").out)["known"]
    assert done == [{"player": "cy", "account": 7, "login": "", "before": None, "new": True}]
    assert small.faults() == {}
    for number in (str(10**15 + 1), "9" * 17):
        message = small.git("log", "-1", "--format=%B").replace('"7"', f'"{number}"')
        assert "account has not its form" in journal.misread(message + "\n")


def test_a_dry_run_says_what_a_move_would_do_and_records_nothing(
    small: Small, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--github", "ana/attic", "--account", "cy=7", "--by", "ana", "--dry-run"]
    head = small.head()
    said = told(small, *words, capsys=capsys)
    assert "The game lives at https://github.com/ana/attic, by ana.  (dry run, nothing is recorded" in said
    assert "no account on GitHub is known of ana, ben, dee, eli" in said
    assert "next: nomicgit doctor --mend, commit, nomicgit sync" in said
    assert "git remote add origin https://github.com/ana/attic.git" in said
    assert "git push --set-upstream origin main" in said
    plain = json.loads(told(small, *words, "--json", capsys=capsys))
    assert (plain["commit"], plain["dry_run"], plain["forge"]["players"]) == (None, True, {"cy": 7})
    assert "cy may not restore" in told(small, *words, "--by", "cy", capsys=capsys, code=1)
    assert (small.head(), settings(small)) == (head, None)


def test_who_comes_back_from_away_is_told_which_accounts_are_lost(
    small: Small, capsys: pytest.CaptureFixture[str]
) -> None:
    place = ["--github", "ana/attic", "--by", "ana"]
    said = told(small, *place, "--account", "cy=7", "--account", "dee=8", capsys=capsys)
    assert "git remote add origin https://github.com/ana/attic.git" in said
    commands(capsys, "steward", "-C", str(small.folder))("--know", "eli=9")
    small.git("remote", "add", "origin", "https://github.com/ana/attic.git")
    assert "git remote" not in told(small, *place, "--account", "Ben=6", capsys=capsys)
    assert settings(small)["players"] == {"cy": 7, "dee": 8, "ben": 6}
    gone = told(small, "--away", "--by", "ana", capsys=capsys)
    assert "gone: dee's account, 8" in gone
    small.do("cy", "earn", n=3)
    said = told(small, "--github", "ben/attic", "--by", "ana", capsys=capsys)
    assert "no account on GitHub is known of ana, who" in said
    again = "nomicgit rehouse --github ben/attic --account ben=6 --account cy=7 --account dee=8 --by ana"
    assert again in said
    assert "git remote set-url origin https://github.com/ben/attic.git" in said
    told(small, *again.split()[2:], capsys=capsys)
    assert settings(small)["players"] == {"ben": 6, "cy": 7, "dee": 8}
    assert small.faults() == {}


def test_a_game_without_a_forge_is_told_the_command_that_moves_it(
    small: Small, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (["steward"], ["steward", "--accounts"], ["steward", "--know", "cy=1"]):
        with pytest.raises(SystemExit):
            main([*words, "-C", str(small.folder)])
        assert "nomicgit rehouse --github OWNER/REPO" in capsys.readouterr().err


@pytest.mark.parametrize("secret", ["…", "   ", "a b", "github_pat_x\n"])
def test_what_is_no_token_is_told_so(
    small: Small, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, secret: str
) -> None:
    rehouse(small, {"github": "ana/attic"})
    monkeypatch.setenv("GITHUB_TOKEN", secret)
    for words in (["doctor"], ["setup"], ["steward"], ["preview", "1"], ["verify", "--online"]):
        with pytest.raises(SystemExit) as ended:
            main([*words, "-C", str(small.folder)])
        assert (ended.value.code, "that is no token" in capsys.readouterr().err) == (1, True), words


OWN_SITE = "https://nomic.example/"


def test_after_a_move_what_tells_of_the_place_is_written_anew(
    small: Small, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """README, the site's settings and the guide; judged as they lie in the folder, committed or not."""

    def mended(code: int = 0) -> str:
        return commands(capsys, "doctor", "-C", str(small.folder))("--mend", code=code).all

    def lies(name: str) -> str:
        return (small.folder / name).read_text(encoding="utf-8")

    head = "# Court\n\nOurs.\n"
    Forger(small).add("Words", {"README.md": head.encode(), "mkdocs.yml": b"site_name: Court\n"})
    small.git("reset", "-q", "--hard")
    rehouse(small, ATTIC)
    assert "brought: README.md" in mended()
    assert lies("README.md").startswith(head)
    assert "https://github.com/ana/attic/issues/new/choose" in lies("README.md")
    assert lies("mkdocs.yml") == "site_name: Court\nsite_url: https://ana.github.io/attic/\n"
    assert "github.com/ana/attic.git" in lies("SETUP.md")
    said = mended()
    assert "brought" not in said
    assert "all is current here; not committed yet: " in said
    assert "README.md" in said
    small.git("commit", "-qam", "set up")
    assert mended() == "all is current\n"
    # Where it moves on, each tells of the new place and nothing else; what people wrote beside it stays.
    (small.folder / "README.md").write_text(lies("README.md") + "\nOurs too.\n", encoding="utf-8")
    small.git("commit", "-qam", "more words")
    rehouse(small, ATTIC | {"github": "ana/attic-2"})
    said = mended()
    assert [name for name in ("README.md", "mkdocs.yml", "SETUP.md") if f"brought: {name}" not in said] == []
    for name in ("README.md", "mkdocs.yml", "SETUP.md"):
        assert "attic/" not in lies(name), name
        assert "attic.git" not in lies(name), name
        assert "attic-2" in lies(name), name
    assert lies("README.md").startswith(head)
    assert lies("README.md").endswith("\nOurs too.\n")
    small.git("commit", "-qam", "moved")
    # A site's address of the owners' own is theirs; what somebody took out of the folder is brought, though the head has it.
    text = lies("mkdocs.yml").replace("https://ana.github.io/attic-2/", OWN_SITE)
    (small.folder / "mkdocs.yml").write_text(text, encoding="utf-8")
    small.git("commit", "-qam", "a site of our own")
    steward = small.folder / ".github/workflows/steward.yml"
    steward.unlink()
    said = mended()
    assert "brought: .github/workflows/steward.yml" in said
    assert "there is nothing to commit" in said
    assert "git diff" not in said
    assert small.git("status", "--porcelain") == ""
    assert steward.exists()
    assert OWN_SITE in lies("mkdocs.yml")
    assert mended() == "all is current\n"
    for name in ("GITHUB_TOKEN", "GH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    seen = commands(capsys, "doctor", "-C", str(small.folder))(code=1).all
    assert "not seen: all that GitHub alone can say: there is no token for GitHub" in seen
    assert "nothing is found to be wrong with what is at hand" in seen
    steward.write_text("on: push\n")
    timer = small.folder / ".github/workflows/timer.yml"
    timer.unlink()
    said = mended(code=1)
    assert "left alone: .github/workflows/steward.yml, which has local edits" in said
    assert "brought: .github/workflows/timer.yml" in said
    assert (steward.read_text(), timer.exists()) == ("on: push\n", True)
    # What is out of Git's index alone would go with the next commit; a workflow by another name runs beside its own.
    small.git("checkout", "--quiet", "--", ".github")
    small.git("rm", "--quiet", "--cached", ".github/workflows/steward.yml")
    assert "brought: .github/workflows/steward.yml" in mended()
    assert small.git("status", "--porcelain") == ""
    timer.rename(timer.with_name("gong.yml"))
    said = mended(code=1)
    assert "brought: .github/workflows/timer.yml" in said
    assert ".github/workflows/gong.yml is timer.yml by another name" in said
    assert "all is current" not in said
    small.git("add", "--all")
    small.git("commit", "--quiet", "--message", "gong")
    assert "taken out: .github/workflows/gong.yml" in mended()
    assert small.git("status", "--porcelain") == "D  .github/workflows/gong.yml\n"


@pytest.mark.slow
def test_a_clone_that_does_not_follow_a_move_is_told_how(tmp_path: Path) -> None:
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", rules=FEW)
    assert "moved" not in ben.play("sync")
    said = ana.play("rehouse", "--github", "other/place")
    assert said.index("nomicgit sync") < said.index(
        "then here, and in every clone"
    )  # all hear of it where they are
    ana.play("sync")
    follow = "git remote set-url origin https://github.com/other/place.git"
    assert follow in ben.play("sync")
    assert follow in ben.play("status")
    assert json.loads(ben.play("status", "--json"))["moved"]["commands"][0] == follow
    # A path tells no place: but the move came while the clone followed it, so the game has moved from there.
    ben.play("roll", "DICE6")
    for _ in range(2):
        assert "not pushed: 1 commit" in ben.play("sync", code=1)
    assert ben.git("ls-remote", "origin", "refs/heads/main").split()[0] == ana.head
    new = ana.folder.parent / "new.git"
    shutil.copytree(ana.folder.parent / "bare.git", new)
    ben.git("remote", "set-url", "origin", str(new))
    assert "pushed 1 commit" in ben.play("sync")
    ben.git("config", "url.https://github.com/other/place.git.insteadOf", "attic")
    for address in ("attic", "https://ben:secret@github.com/Other/Place.git", "git@github.com:other/place"):
        ben.git("remote", "set-url", "origin", address)
        assert json.loads(ben.play("status", "--json"))["moved"] is None
    ben.git("remote", "set-url", "origin", "https://ben:secret@github.com/my/hall.git")
    assert "secret" not in ben.play("status")
    # Of a mirror that sends on what it is sent nothing tells but who has set it up.
    ana.play("roll", "DICE6")
    assert "not pushed: 1 commit" in ana.play("sync", code=1)
    ana.git(*json.loads(ana.play("status", "--json"))["moved"]["commands"][1].split()[1:])
    assert "pushed 1 commit" in ana.play("sync")
    assert json.loads(ana.play("status", "--json"))["moved"] is None


@pytest.mark.slow
def test_where_a_game_has_moved_from_nothing_is_pushed_any_more(tmp_path: Path) -> None:
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", rules=FEW)
    old, new = tmp_path / "my" / "hall.git", tmp_path / "other" / "place.git"
    shutil.copytree(ana.folder.parent / "bare.git", old)
    for clone in (ana, ben):
        clone.git("remote", "set-url", "origin", str(old))
    ana.play("rehouse", "--github", "my/hall")
    ana.play("sync")
    ana.play("rehouse", "--github", "other/place")
    told = ana.play("status")
    order = [
        told.index(words) for words in ("first send that out", "    nomicgit sync\n", "git remote set-url")
    ]
    assert order == sorted(order)
    assert "pushed 1 commit" in ana.play("sync")
    assert "first send that out" not in ana.play("status")
    shutil.copytree(old, new)
    ben.play("roll", "DICE6")
    for _ in range(2):
        said = ben.play("sync", code=1)
        assert "not pushed: 1 commit" in said
        assert "git remote set-url origin https://github.com/other/place.git" in said
        assert ben.git("ls-remote", "origin", "refs/heads/main").split()[0] == ana.head
    ben.git("remote", "set-url", "origin", str(new))
    assert "pushed 1 commit" in ben.play("sync")
    ana.git("remote", "set-url", "origin", str(new))
    ana.play("sync")
    assert ana.head == ben.head
    assert ana.git("log", "--format=%s").count("ben: roll") == 1
    assert "verified" in ana.play("verify")


@pytest.mark.slow
def test_a_move_that_waits_is_told_with_the_line_that_does_it_again(tmp_path: Path) -> None:
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", "--restore", "ben", rules=FEW)
    hall, site = ("--github", "my/hall"), ("--site", "https://hall.example/")
    for options in (
        (*hall, "--account", "ana=1", "--account", "ben=2", "--resolves", "ben", *site),
        (*hall, "--no-resolves", "--forget", "ben", "--account", "ana=3"),
        (*hall, "--no-site", "--account", "ben=2", "--resolves", "ben"),
        ("--away",),
    ):
        ben.play("rehouse", *options)
        meant = ben.git("show", "HEAD:game/game.yml")
        ana.play("post", "Hello")
        ana.play("sync")
        said = ben.play("sync", code=1)
        [line] = [each.strip() for each in said.splitlines() if "nomicgit rehouse" in each]
        assert "set aside: 1 deed: ben: physics/rehouse" in ben.play("status")
        assert f"    {line}\n" in ben.play("sync", "--again", code=1)
        ben.play(*line.split()[1:])
        assert ben.git("show", "HEAD:game/game.yml") == meant
        assert "standing all the same, so not to be done again: 1 deed: ben: physics/rehouse" in ben.play(
            "sync"
        )
        assert "set aside" not in ben.play("status")
        ana.play("sync")
        for clone in (ana, ben):
            clone.follow()
    # What somebody else has done meanwhile is not to be done again, and what is let go of is not named any more.
    for clone in (ana, ben):
        clone.play("rehouse", *hall, "--by", "ana")
    ana.play("sync")
    assert f"the deed {ana.head[:12]} has done the same already" in ben.play("sync")
    ana.follow()
    ben.play("rehouse", "--away")
    ana.play("post", "More")
    ana.play("sync")
    ben.play("sync", code=1)
    assert "let go of 1 deed: ben: physics/rehouse" in ben.play("sync", "--forget")
    assert "rehouse" not in ben.play("status") + ben.play("sync", "--again")
    assert ben.git("for-each-ref", "refs/nomicgit/aside", "refs/nomicgit/waits") == ""
    ben.play("rehouse", "--away")
    ben.git(
        "reset", "--quiet", "--hard", "origin/main"
    )  # as whoever pushes with Git alone may do who was too late
    assert "yours, and on no line any more: 1 deed: ben: physics/rehouse" in ben.play("status")
    assert "    nomicgit rehouse --away --by ben\n" in ben.play("sync", "--again", code=1)


@pytest.mark.slow
def test_a_move_that_waits_is_not_named_where_it_is_so_already_and_one_that_a_mend_took_back_is_once(
    tmp_path: Path,
) -> None:
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", "--restore", "ben", rules=FEW)
    base = ana.head
    ben.play("rehouse", "--github", "my/hall")
    move = ben.head
    ben.play("sync")
    ana.play("sync")
    for clone in (ana, ben):
        clone.follow()
    ben.play("rehouse", "--away")
    ana.play("post", "Hello")
    ana.play("sync")
    assert "    nomicgit rehouse --away --by ben\n" in ben.play("sync", code=1)
    ana.play("mend", "--to", base, "--yes")
    ana.play("sync")
    said = ben.play("sync")
    assert "so not to be done again: 1 deed: ben: physics/rehouse" in said
    assert f"1 deed: ben: physics/rehouse ({move[:12]}); taken back by that" in said
    assert "rehouse" not in ben.play("sync", "--again")
    assert ben.git("for-each-ref", "refs/nomicgit/aside", "refs/nomicgit/waits") == ""


@pytest.mark.slow
def test_what_was_committed_upon_a_move_waits_with_it_and_goes_out_with_it(tmp_path: Path) -> None:
    """The program files of the new place, as `doctor --mend` brings them, are of one step with the move; deeds are not."""
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", rules=FEW)
    (ana.folder / "notes.md").write_text("Before.\n", encoding="utf-8")
    ana.git("add", "notes.md")
    ana.git("commit", "--quiet", "--message", "notes, before the move")
    ana.play("rehouse", "--github", "my/hall")
    ana.play("doctor", "--mend")
    ana.git("commit", "--quiet", "--message", "what runs at the new place")
    ana.play("post", "After")
    meant = ana.git("rev-parse", "HEAD:.github", "HEAD:README.md")
    ben.play("post", "Meanwhile")
    ben.play("sync")
    said = ana.play("sync", "--json", code=1)
    [moved, posted] = json.loads(said)["laid"]
    assert (moved["commit"], bool(posted["commit"])) == (None, True)
    ben.play("sync")
    assert ana.head == ben.head
    assert not (ben.folder / ".github").exists()
    assert (ben.folder / "notes.md").exists()
    lines = [each.strip() for each in moved["line"].splitlines()]
    assert lines == [
        "nomicgit rehouse --github my/hall --by ana",
        "then what was committed upon it, which waits with it:",
        f"git cherry-pick {moved['waits'][0]}",
    ]
    [later] = json.loads(ana.play("sync", "--again", "--json", code=1))["laid"]
    assert (later["line"], later["waits"]) == (moved["line"], moved["waits"])
    ana.play(*lines[0].split()[1:])
    ana.git(*lines[2].split()[1:])
    ana.play("sync")
    assert ana.git("for-each-ref", "refs/nomicgit/aside", "refs/nomicgit/waits") == ""
    ben.play("sync")
    assert ben.git("rev-parse", "HEAD:.github", "HEAD:README.md") == meant
    assert "verified" in ben.play("verify")


@pytest.mark.slow
def test_what_was_committed_upon_a_mend_that_takes_a_move_back_waits_with_it(tmp_path: Path) -> None:
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", rules=FEW)
    before = ana.head
    ana.play("rehouse", "--github", "my/hall")
    ana.play("sync")
    ben.play("sync")
    ben.follow()
    ana.play("mend", "--to", before, "--yes")
    (ana.folder / "README.md").write_text("We live nowhere.\n", encoding="utf-8")
    ana.git("commit", "--quiet", "--all", "--message", "as it was")
    ben.play("post", "Meanwhile")
    ben.play("sync")
    [mended] = json.loads(ana.play("sync", "--json", code=1))["laid"]
    assert "We live nowhere" not in (ana.folder / "README.md").read_text("utf-8")
    again, pick = [
        each.strip() for each in mended["line"].splitlines() if "nomicgit" in each or "git " in each
    ]
    ana.play(*again.split()[1:], "--yes")
    ana.git(*pick.split()[1:])
    ana.play("sync")
    ben.play("sync")
    assert "We live nowhere" in (ben.folder / "README.md").read_text("utf-8")
    assert "verified" in ben.play("verify")


@pytest.mark.slow
def test_what_leaves_the_game_alone_is_counted_as_that_and_asks_for_no_verifying(tmp_path: Path) -> None:
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), rules=FEW)
    ana.play("post", "Hello")
    (ana.folder / ".github").mkdir()
    (ana.folder / ".github" / "ours.yml").write_text("on: push\n", encoding="utf-8")
    ana.git("add", ".github")
    ana.git("commit", "--quiet", "--message", "a workflow")
    assert "has not verified" not in ana.play("status")
    ana.play("sync")
    assert "(ana 1, beside the game 1)" in ben.play("sync")
    for clone in (ana, ben):
        assert "has not verified" not in clone.play("status")
    # Nor does a sync that moves nothing take back what was verified.
    ben.play("post", "Mine")
    rule = next((ana.folder / "game/ruleset/1-core").glob("*-talk.md"))
    rule.write_text(rule.read_text("utf-8").replace("Whoever plays", "Everybody"), "utf-8")
    ana.git("commit", "--quiet", "--all", "--message", "pressed")
    ana.git("push", "--quiet", "origin", "HEAD:main")
    assert "(no deed 1)" in ben.play("sync", code=1)
    assert "has not verified" not in ben.play("status", code=1)


@pytest.mark.slow
def test_no_deed_is_said_to_be_laid_anew_while_a_pressed_merge_stands_before_it(tmp_path: Path) -> None:
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", rules=FEW)
    rule = next((ana.folder / "game/ruleset/1-core").glob("*-talk.md"))
    good = ana.head
    rule.write_text(rule.read_text("utf-8").replace("Whoever plays", "Everybody"), "utf-8")
    ana.git("commit", "--quiet", "--all", "--message", "pressed")
    rule.write_text(rule.read_text("utf-8").replace("Everybody", "Somebody"), "utf-8")
    ana.git("commit", "--quiet", "--all", "--message", "pressed once more")
    ana.git("push", "--quiet", "origin", "HEAD:main")
    ben.play("post", "Mine")
    ben.git("pull", "--quiet", "--rebase")
    for words in (("status",), ("sync",), ("post", "More")):
        said = ben.play(*words, code=1)
        assert "laid anew by" not in said, words
        assert said.count(f"nomicgit mend --to {good}") == 1, words
    ana.play("mend", "--to", good)
    ana.play("sync")
    ben.play("sync")
    assert ana.play("sync")
    assert [path.name for path in (ana.folder / "game/posts").rglob("*-mine.md")] != []
    assert "verified" in ana.play("verify")
