"""What each command that needs GitHub says, and with which exit code, where GitHub does not answer, or only half."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from support.doorstep import Doorstep, doorstep
from support.parlour import commands

from nomicgit.cli.failures import NO_NETWORK, REFUSED

Weather = Callable[[Doorstep], Mapping[str, str]]
COMMANDS = (["steward"], ["doctor"], ["setup"], ["preview", "1", "--comment"], ["verify", "--online"])
LATER = "try again later; nothing is lost by waiting"


def failing(status: int, *matches: str, **how: object) -> Weather:
    """All requests that match one of these fail so, by default all."""

    def blow(door: Doorstep) -> Mapping[str, str]:
        for match in matches or ("",):
            door.github.fail(status, match, times=10_000, **how)
        return {}

    return blow


def unreachable(door: Doorstep) -> Mapping[str, str]:
    """Nobody listens there."""
    nowhere = "http://127.0.0.1:9"
    return {"GITHUB_API_URL": nowhere, "GITHUB_SERVER_URL": nowhere}


SKIES: Mapping[str, tuple[Weather, tuple[str, ...], str]] = {
    "unreachable": (unreachable, ("it cannot be reached", "Failed to connect"), LATER),
    "broken off": (failing(0), ("the connection broke off", "Empty reply from server"), LATER),
    "in trouble": (failing(503), ("status 503", "error: 503"), LATER),
    "half an answer": (
        failing(200, " /repos/", " /graphql", body=b'[{"number": 1, "tit'),
        ("status 200",),
        "again later",
    ),
    "a limit": (
        failing(429, headers={"Retry-After": "7200"}),
        ("takes no more requests before 2026-", "error: 429"),
        "again",
    ),
    "a wrong token": (failing(401), ("status 401", "does not take this token"), "token"),
}


@pytest.mark.slow
@pytest.mark.parametrize("sky", SKIES)
def test_what_is_in_the_way_is_said_with_what_to_do_and_nothing_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], sky: str
) -> None:
    blow, whys, mend = SKIES[sky]
    with doorstep(tmp_path) as door:
        door.propose("cy", "Moonlight")
        head = door.game().head.oid
        monkeypatch.setattr("nomicgit.cli.bodies.bell.time.sleep", lambda _: None)
        monkeypatch.setattr("nomicgit.cli.bodies.bell.time.time", lambda: float(door.github.clock.now))
        github = door.github
        token = github.token(github.user("ada", role="admin"))
        given = {"GITHUB_API_URL": github.url, "GITHUB_SERVER_URL": github.url, "GITHUB_TOKEN": token}
        for name, value in {**given, **blow(door)}.items():
            monkeypatch.setenv(name, value)
        ask = commands(capsys, "-C", str(door.folder))
        for words in COMMANDS:
            said = ask(*words, code=NO_NETWORK if sky == "unreachable" else REFUSED).all
            assert any(why in said for why in whys), (words, said)
            assert mend in said, (words, said)
            if LATER in mend and words[0] in ("doctor", "setup", "verify"):  # the others fetch first, by Git
                waited = [line for line in said.splitlines() if line.endswith("; asked again in 1 s")]
                assert len(waited) == 1
                assert any(why in waited[0] for why in whys), waited
            assert "Traceback" not in said
            assert "token-of" not in said
        door.github.faults.clear()
        assert door.game().head.oid == head
        monkeypatch.undo()
        assert [deed.action for deed in door.run().deeds] == ["propose"]
