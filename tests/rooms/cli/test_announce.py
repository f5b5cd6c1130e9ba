"""What is new in a game is told where it is heard of, once it got there never again, and never a secret."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.heard import listening
from support.parlour import parlour

from nomicgit.cli.bodies import announce
from nomicgit.cli.heralds import ADDRESSES


@pytest.mark.slow
def test_what_is_new_is_told_once_to_each_address(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = parlour(tmp_path, capsys)
    monkeypatch.delenv(ADDRESSES, raising=False)
    assert "nobody says where this game is heard of" in game.nomic("announce", code=1).err
    with listening() as heard:
        monkeypatch.setenv(ADDRESSES, f"{heard.web}\n {heard.mail}")
        said = game.nomic("announce")
        assert (said.out, heard.hooks, heard.mails) == (
            "address 1: nothing new\naddress 2: nothing new\n",
            [],
            [],
        )
        game.nomic(
            "--as",
            "ana",
            "propose",
            "--title",
            "Haste @everyone [x](http://a.example) <http://a.example|x>",
            "--change",
            json.dumps({"repeal": "Moon"}),
        )
        assert (
            "New: proposal 1, Haste @everyone [x](http://a.example) <http://a.example|x> by ana"
            in game.nomic("announce", "--dry-run").out
        )
        assert heard.hooks == []

        # what does not get there is told again; what did is not
        heard.deaf = True
        said = game.nomic("announce", code=1)
        assert "address 1: it did not get there" in said.out
        assert "address 2: 1 line" in said.out
        heard.deaf = False
        assert [each["why_not"] for each in game.nomic("announce", "--json").json] == ["", ""]
        assert game.nomic("announce").out == "address 1: nothing new\naddress 2: nothing new\n"
        [hook], [mail] = heard.hooks, heard.mails
        told = "New: proposal 1, Haste @\u200beveryone [x]\u200b(http://a.example) <\u200bhttp://a.example|x> by ana"
        assert (hook["title"], hook["message"]) == ("Parlour", told)
        assert (mail["Subject"], mail["To"], mail.get_content().strip()) == (
            "Parlour",
            "ana@attic.example",
            told,
        )

        # a crash between sending and noting tells it once more, and loses nothing
        game.nomic("--as", "ana", "vote", "1", "for")
        game.nomic("--as", "ana", "resolve", "1")

        def crash(*_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as broken:
            broken.setattr(announce, "_note", crash)
            game.nomic("announce", code=130)
        game.nomic("announce")
        assert [each["message"] for each in heard.hooks[1:]] == [
            "Enacted: proposal 1, Haste @\u200beveryone [x]\u200b(http://a.example) <\u200bhttp://a.example|x>"
        ] * 2

        # no address stands anywhere but in the environment
        noted = Path(game.folder, ".git", announce.NOTED).read_text("utf-8")
        assert "SECRET" not in noted
        assert "127.0.0.1" not in noted
        assert game.git("status", "--porcelain") == ""
        monkeypatch.setenv(ADDRESSES, f"nonsense:SECRET {heard.web}")
        said = game.nomic("announce", code=1)
        assert "address 1: this is no address" in said.out
        assert "SECRET" not in said.out + said.err
