"""What ``docs/trust.md`` says to type: each command is one, and its sessions go as they are written there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from support.clones import Clone
from support.places import ROOT
from support.signing import forge_says, git_says, keys_beside, sits

from nomicgit.cli.app import app

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGE = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
COMMAND = re.compile(r"(?:`|^\$ )nomicgit ((?:-C \S+ )?[a-z][^`\n]*)", re.MULTILINE)
BEFORE = ["--practice", "--start", "2021-06-07T00:00:00Z"]


def told() -> Iterator[tuple[str, str, list[str]]]:
    """Each command of the pages: the page, its words as they stand there, and the command with its options."""
    for page in PAGES:
        for match in COMMAND.finditer(page.read_text(encoding="utf-8")):
            line = re.split(r"  # |\s(?:&&|\||>)\s", match[1])[0]
            words = re.sub(r"^-C \S+ ", "", line).split()
            yield page.name, match[1], words


def test_each_command_that_a_page_names_is_one_and_has_the_options_that_it_is_given() -> None:
    strange, seen = [], 0
    with click.Context(app) as context:
        for page, line, words in told():
            command = app.get_command(context, words[0])
            if isinstance(command, click.Group) and len(words) > 1:
                command = command.get_command(context, words[1]) or command
            options = {
                each
                for one in (command.params if command else ())
                for each in (*one.opts, *one.secondary_opts)
            }
            given = {word.partition("=")[0].strip(",.;") for word in words if word.startswith("--")}
            seen += 1
            if command is None or not given <= {*options, "--help"}:
                strange.append(f"{page}: nomicgit {line}")
    assert not strange
    assert seen > 100


def session(before: str, number: int = 0) -> list[str]:
    """The lines that are typed in a listing behind a heading, without the comments that stand beside them."""
    listing = PAGE.partition(before)[2].split("```console\n")[number + 1].partition("```")[0]
    typed = [line.removeprefix("$ ") for line in listing.splitlines() if line.startswith("$ ")]
    return [line.partition("  #")[0].strip() for line in typed]


@pytest.mark.slow
def test_players_sign_their_deeds_in_the_way_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    keys_beside(tmp_path, "id_ed25519", "cy", "cy_new", "keeper", "dee")
    players = [word for name in ("ana", "ben", "cy") for word in ("--player", name)]
    admins = ["--admin", "ana", "--admin", "ben", "--restore", "ana"]
    Clone(tmp_path).play("new", "game", "--edition", "dungeon", *BEFORE, *players, *admins)
    game = Clone(tmp_path / "game")

    def typed(line: str, word: str = "~/.ssh/id_ed25519", file: str = "id_ed25519") -> str:
        """A line of the page, with a file that lies beside the game."""
        assert line in PAGE
        return game.play(*line.replace(word, f"../{file}").removeprefix("nomicgit ").split())

    for line in session("## Who it was"):
        said = typed(line)
    assert "deeds signed by a key of its player" in said
    assert git_says(game, "HEAD")
    assert PAGE.count("git -c gpg.format=ssh -c gpg.ssh.allowedSignersFile=game/signers verify-commit HEAD")
    typed("nomicgit signers --of cy --add cy.pub --by ana", "cy.pub", "cy.pub")
    typed("nomicgit signers --of keeper --add FILE --by ana", "FILE", "keeper.pub")
    typed("nomicgit me keeper --key FILE", "FILE", "keeper")
    typed("nomicgit signers --approvals 3 --by ana")
    approved = typed("nomicgit signers --of cy --add cy.pub", "cy.pub", "cy_new.pub")
    assert "as 1 of 3 admins approve" in approved
    assert "ana approves for cy" in typed("nomicgit signers")
    sits(game, "cy", "cy")
    own = "1234567+cy@users.noreply.github.com"
    typed(f"nomicgit signers --address {own}")
    game.play("roll", "DICE6")
    assert forge_says(game.folder, tmp_path, {own: "cy"}) == "verified: cy"
    sits(game, "dee")
    typed("nomicgit join --key FILE", "FILE", "dee")
    assert "0 not" in typed("nomicgit verify")


@pytest.mark.slow
def test_a_game_is_mended_in_the_way_of_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    players = [word for name in ("ana", "ben", "cy") for word in ("--player", name)]
    restore = ["--admin", "ben", "--restore", "ana", "--restore", "ben", "--restore-of", "1"]
    Clone(tmp_path).play("new", "game", "--edition", "dungeon", *BEFORE, *players, *restore)
    game = Clone(tmp_path / "game")
    game.git("clone", "--quiet", "--bare", ".", "../bare.git")
    game.git("remote", "add", "origin", "../bare.git")
    good = game.head
    (game.folder / "game" / "ruleset" / "1-core" / "20-players.md").write_text("Update\n", encoding="utf-8")
    game.git("commit", "-qam", "Update players", "--author", "Olga <o@example.org>")
    game.git("push", "--quiet", "--set-upstream", "origin", "main")
    wrong = game.head
    verify, mend, push, again = session("## ", _place("nomicgit mend --to"))
    assert mend.endswith("--as ana")
    told_of = game.play(*verify.split()[1:], code=1)
    assert f"fault  {wrong[:12]}: it changes the game and is no deed" in told_of
    assert f"ana or ben can mend it:\n    nomicgit mend --to {good}\n" in told_of
    said = game.play(*re.sub(r"[0-9a-f]{40}", good, mend).split()[1:])
    assert f"mended to {good[:10]}, 1 commit set aside" in said
    assert f"Set aside: {wrong[:12]} in the name of Olga: Update players" in said
    assert push == "nomicgit sync"
    assert "pushed 1 commit to origin/main" in PAGE
    assert "pushed 1 commit to origin/main" in game.play("sync")
    then = game.play(*again.split()[1:])
    assert f"mended  {wrong[:12]}: it changes the game and is no deed; set aside by the mend" in then
    assert game.git("rev-parse", "origin/main") == game.head


def _place(words: str) -> int:
    """In which listing of the page these words stand."""
    listings = PAGE.partition("## ")[2].split("```console\n")[1:]
    return next(place for place, each in enumerate(listings) if words in each.partition("```")[0])
