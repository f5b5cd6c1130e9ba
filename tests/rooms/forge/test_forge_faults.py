"""What goes wrong between us and the forge: limits, broken connections, errors; tried again, or told."""

from __future__ import annotations

import gzip
import socket
import threading
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from itertools import repeat

import pytest
from fakegithub import START, FakeGitHub
from support.forging import a_pull, client

from nomicgit.forge import body, lingering
from nomicgit.forge.github import GitHub
from nomicgit.forge.wire import Wire
from nomicgit.ground.problems import Malformed
from nomicgit.steward.trouble import Forbidden, Limited, Lost, Missing, Trouble


@pytest.fixture
def forge(github: FakeGitHub) -> Iterator[GitHub]:
    """The steward's client."""
    with client(github) as made:
        yield made


@pytest.mark.parametrize("status", [0, 500, 502, 503, 504])
@pytest.mark.parametrize("where", ["GET ", "POST /graphql"])
def test_a_reading_that_fails_is_tried_again(
    github: FakeGitHub, forge: GitHub, status: int, where: str
) -> None:
    a_pull(github)
    github.fail(status, where, times=3)
    assert len(forge.news(None).pulls) == 1
    assert github.clock.now == START + 1 + 2 + 4


def test_a_forge_that_never_answers_is_told(github: FakeGitHub, forge: GitHub) -> None:
    github.fail(502, times=99)
    with pytest.raises(
        Trouble, match=r"/repos/nomic-club/game/issues.*no answer \(status 502; asked 5 times\).*try again"
    ):
        forge.news(None)


def test_a_forge_that_cannot_be_reached_is_told() -> None:
    waited: list[float] = []
    with (
        GitHub(
            "nomic-club/game", "secret", api="http://127.0.0.1:9", wait=waited.append, now=lambda: START
        ) as forge,
        pytest.raises(Trouble, match="it cannot be reached"),
    ):
        forge.news(None)
    assert waited == [1, 2, 4, 8]


def test_the_forge_says_how_long_to_wait(github: FakeGitHub, forge: GitHub) -> None:
    github.fail(429, headers={"Retry-After": "17"})
    forge.news(None)
    assert github.clock.now == START + 17


def test_the_forge_says_by_a_date_how_long_to_wait(github: FakeGitHub, forge: GitHub) -> None:
    github.fail(503, headers={"Retry-After": "Thu, 01 Jan 2026 00:00:30 GMT"})
    forge.news(None)
    assert github.clock.now == START + 30


def test_a_limit_that_names_no_time_is_waited_for_by_the_minute(github: FakeGitHub, forge: GitHub) -> None:
    github.fail(429, times=2)
    forge.news(None)
    assert github.clock.now == START + 60 + 120


def test_a_secondary_limit_is_no_lack_of_permission(github: FakeGitHub, forge: GitHub) -> None:
    github.fail(403, said="You have exceeded a secondary rate limit.")
    forge.news(None)
    assert github.clock.now == START + 60


def test_a_primary_limit_is_waited_for_until_it_is_reset(github: FakeGitHub, forge: GitHub) -> None:
    spent = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(START + 100)}
    github.fail(403, headers=spent)
    forge.news(None)
    assert github.clock.now == START + 101


def test_no_request_is_wasted_on_a_limit_that_is_used_up(github: FakeGitHub, forge: GitHub) -> None:
    a_pull(github)
    github.limits = {"core": (0, START + 50)}
    cursor = forge.news(None).cursor
    github.limits = {}
    forge.news(cursor)
    assert github.clock.now == START + 51
    assert {each.status for each in github.asked()} == {200}


@pytest.mark.slow
def test_a_limit_of_graphql_is_waited_for(github: FakeGitHub, forge: GitHub) -> None:
    a_pull(github)
    github.fail(
        200,
        "POST /graphql",
        body={"errors": [{"type": "RATE_LIMITED", "message": "API rate limit exceeded"}]},
    )
    assert len(forge.news(None).pulls) == 1
    assert github.clock.now == START + 60


def test_a_limit_beyond_our_patience_is_told(github: FakeGitHub, forge: GitHub) -> None:
    github.fail(403, headers={"Retry-After": "3000"})
    with pytest.raises(Limited, match="2026-01-01T00:50:00Z") as caught:
        forge.news(None)
    assert caught.value.until == START + 3000
    assert github.clock.now == START


@pytest.mark.parametrize(
    ("status", "error"), [(401, Forbidden), (403, Forbidden), (404, Missing), (410, Missing), (422, Trouble)]
)
def test_what_the_forge_refuses_is_told_at_once(
    github: FakeGitHub, forge: GitHub, status: int, error: type[Trouble]
) -> None:
    github.fail(status, said="No, thank you")
    with pytest.raises(
        error, match=f"GET {github.url}/repos/nomic-club/game/issues.*status {status}, No, thank you"
    ):
        forge.news(None)
    assert len(github.asked()) == 1


def test_every_request_names_the_version_of_the_interface_and_us(github: FakeGitHub, forge: GitHub) -> None:
    a_pull(github)
    forge.news(None)
    assert {each.headers["x-github-api-version"] for each in github.asked()} == {"2022-11-28"}
    assert all(each.headers["user-agent"].startswith("nomicgit/") for each in github.asked())


def test_a_wrong_token_is_told(github: FakeGitHub) -> None:
    with (
        GitHub("nomic-club/game", "wrong", api=github.url, wait=github.wait, now=github.time) as forge,
        pytest.raises(Forbidden, match=r"Bad credentials.*make a new one"),
    ):
        forge.news(None)


def test_the_token_stands_in_no_text(github: FakeGitHub, forge: GitHub) -> None:
    token = github.token(github.steward)
    github.fail(422, said=f"what is {token}?")
    with pytest.raises(Trouble) as caught:
        forge.news(None)
    assert token not in str(caught.value)
    assert "***" in str(caught.value)


def test_words_of_the_forge_are_made_printable(github: FakeGitHub, forge: GitHub) -> None:
    github.fail(422, said="a\n::error::b\u202e")
    with pytest.raises(Trouble) as caught:
        forge.news(None)
    assert "\n" not in str(caught.value)
    assert "\u202e" not in str(caught.value)


def test_an_answer_that_is_no_json_is_tried_again(github: FakeGitHub, forge: GitHub) -> None:
    github.fail(200, body=b"<html>Unicorn!</html>")
    forge.news(None)
    assert len(github.asked()) == 2


def test_an_answer_of_another_form_is_told(github: FakeGitHub, forge: GitHub) -> None:
    github.fail(200, body={"not": "a list"})
    with pytest.raises(Trouble, match="something else than a list"):
        forge.news(None)


def test_graphql_that_stumbles_as_a_whole_is_tried_again(github: FakeGitHub, forge: GitHub) -> None:
    a_pull(github)
    said = [{"message": "Something went wrong while executing your query."}]
    github.fail(200, "POST /graphql", body={"data": None, "errors": said})
    assert len(forge.news(None).pulls) == 1


def test_a_query_too_large_for_the_forge_is_halved(github: FakeGitHub, forge: GitHub) -> None:
    numbers = [github.issue(github.owner, f"Issue {number}").number for number in range(20)]
    github.fail(
        502, "t1: issueOrPullRequest(number: 1) { __typename ...PullThread ...IssueThread }\\nt2", times=5
    )
    assert [each.number for each in forge.news(None).issues] == numbers


def test_a_query_that_takes_too_much_is_halved(github: FakeGitHub, forge: GitHub) -> None:
    numbers = [github.issue(github.owner, f"Issue {number}").number for number in range(20)]
    limited = {
        "type": "RESOURCE_LIMITS_EXCEEDED",
        "message": "Resource limits exceeded",
        "path": ["repository", "t1"],
    }
    github.fail(200, "POST /graphql", body={"data": {"repository": None}, "errors": [limited]})
    assert [each.number for each in forge.news(None).issues] == numbers


@pytest.mark.slow
def test_a_list_does_not_lead_us_to_another_host(github: FakeGitHub, forge: GitHub) -> None:
    github.fail(200, body=[], headers={"Link": '<http://localhost:1/steal>; rel="next"'})
    with pytest.raises(Trouble, match="which is elsewhere"):
        forge.news(None)


def test_a_write_goes_where_the_forge_sends_it_on_to_once_and_to_no_other_host(
    github: FakeGitHub, forge: GitHub
) -> None:
    sha = github.commit(github.owner, {"README.md": "hello"})
    github.rename_repository("palace")
    forge.status(sha, "pending", "nomicgit", "")
    assert [str(each) for each in github.asked()] == [
        f"POST /repos/nomic-club/game/statuses/{sha} → 307",
        f"POST /repos/nomic-club/palace/statuses/{sha} → 201",
    ]
    github.fail(
        307, "POST /repos", times=9, headers={"Location": f"{github.url}/repositories/1/statuses/{sha}"}
    )
    with pytest.raises(Trouble, match="renamed"):
        forge.status(sha, "pending", "nomicgit", "")
    github.faults.clear()
    github.fail(307, "POST /repos", headers={"Location": "http://localhost:1/steal"})
    with pytest.raises(Trouble, match="which is elsewhere"):
        forge.status(sha, "pending", "nomicgit", "")


@pytest.mark.parametrize(
    "name", ["nomic-club", "a/b/c", "../x", "a/b?c", "a b/c", "-a/b", "a/b.git", "a/..", ""]
)
def test_a_name_that_is_no_repository(name: str) -> None:
    with pytest.raises(Malformed, match="OWNER/NAME"):
        GitHub(name, "", wait=lambda _: None, now=lambda: START)


@pytest.mark.parametrize(
    "address", ["http://forge.example", "ftp://forge.example", "forge.example", "https://", "https://[", ""]
)
def test_an_address_that_no_token_is_sent_to(address: str) -> None:
    with pytest.raises(Malformed, match="a token"):
        GitHub("nomic-club/game", "secret", api=address, wait=lambda _: None, now=lambda: START)


@pytest.mark.parametrize("where", ["GET ", "POST /graphql"])
def test_a_redirect_without_end_is_told(github: FakeGitHub, forge: GitHub, where: str) -> None:
    on = {"Location": f"{github.url}/repos/nomic-club/game/issues" if where == "GET " else github.graphql}
    github.fail(307, where, times=999, headers=on)
    with pytest.raises(Trouble, match="sends us about without end"):
        forge.news(None) if where == "GET " else forge.me()
    assert len(github.asked()) == 5
    github.faults.clear()
    github.fail(307, where, headers={"Location": f"{github.url}/other"})
    github.fail(200, "/other", body={"data": []})
    with pytest.raises(Trouble, match="something else than a list" if where == "GET " else "an error"):
        forge.news(None) if where == "GET " else forge.me()


def test_a_reading_is_sent_on_to_no_other_host(github: FakeGitHub, forge: GitHub) -> None:
    github.fail(301, headers={"Location": "http://localhost:1/steal"})
    with pytest.raises(Trouble, match="which is elsewhere"):
        forge.news(None)


@pytest.mark.parametrize("status", [200, 302, 403, 502])
@pytest.mark.parametrize(
    ("piece", "how", "why"),
    [
        (b" " * 65536, {}, "more than 1 MiB"),
        (gzip.compress(b" " * (1 << 24)), {"Content-Encoding": "gzip"}, "more than 1 MiB"),
        (gzip.compress(gzip.compress(b" " * (1 << 24))), {"Content-Encoding": "gzip, gzip"}, "packed otherwise"),
        (b"no", {"Content-Encoding": "gzip"}, "cannot be unpacked"),
    ],
)  # fmt: skip
def test_an_answer_of_any_kind_has_an_end(
    github: FakeGitHub, forge: GitHub, monkeypatch: pytest.MonkeyPatch,
    status: int, piece: bytes, how: dict[str, str], why: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(body, "MOST", 1 << 20)
    at = {"Location": f"{github.url}/repos/nomic-club/game/issues"} if status == 302 else {}
    github.fail(status, headers=how | at, body=repeat(piece))
    with pytest.raises(Trouble, match=f"no answer .its body .*{why}.*; asked once"):
        forge.news(None)
    assert len(github.asked()) == 1


def test_what_swells_is_never_whole_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body, "MOST", 1 << 20)
    packed = gzip.compress(bytes(1 << 26))
    tracemalloc.start()
    try:
        with pytest.raises(body.Boundless, match="more than 1 MiB"):
            body.whole([packed], "gzip", lambda: 0)
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()


def test_an_answer_that_trickles_is_broken_off(github: FakeGitHub, forge: GitHub) -> None:
    def trickle() -> Iterator[bytes]:
        for _ in range(100):
            github.clock.advance(20)
            yield b" "

    github.fail(200, body=trickle())
    with pytest.raises(Trouble, match="its body was not there within 120 seconds"):
        forge.news(None)


def test_what_was_perhaps_done_is_not_done_again_for_an_answer_without_end(
    github: FakeGitHub, forge: GitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(body, "MOST", 1 << 20)
    github.fail(201, body=repeat(b" " * 65536), lost=True)
    with pytest.raises(Lost, match="look whether it was done"):
        forge.open_issue("The game has stopped", "")
    assert [each.title for each in github.threads.values()] == ["The game has stopped"]


def test_what_is_too_large_at_once_is_read_in_parts(
    github: FakeGitHub, forge: GitHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First threads, then the further pages of long ones."""
    for name in ("Lamp", "Moth"):
        thread = github.issue(github.owner, name)
        for _ in range(5):
            github.comment(github.owner, thread, "x" * 60_000)
    monkeypatch.setattr(body, "MOST", 200_000)
    github.page = 2
    assert [len(each.comments) for each in forge.news(None).issues] == [5, 5]
    monkeypatch.setattr(body, "MOST", 100_000)
    with pytest.raises(Trouble, match="its body has more than"):
        forge.news(None)


def test_a_packed_answer_is_read(github: FakeGitHub, forge: GitHub) -> None:
    github.fail(200, headers={"Content-Encoding": "gzip"}, body=gzip.compress(b"[]"))
    assert forge.news(None).issues == ()


def test_a_missing_pull_request(github: FakeGitHub, forge: GitHub) -> None:
    github.issue(github.owner, "No pull request")
    with pytest.raises(Missing, match="no pull request 1"):
        forge.pull(1)


@pytest.mark.slow
def test_headers_that_trickle_in_are_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each read of them is in time; all together have a bound of their own."""
    monkeypatch.setattr(lingering, "LONGEST", 0.2)
    ended = threading.Event()

    def trickle() -> None:
        connection, _ = server.accept()
        with connection, suppress(OSError):
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\n")
            for _ in range(200):
                ended.wait(0.02)
                connection.sendall(b"X-More: 1\r\n")
            connection.sendall(b"Content-Length: 2\r\n\r\n[]")

    with socket.create_server(("127.0.0.1", 0)) as server:
        serving = threading.Thread(target=trickle)
        serving.start()
        address = f"http://127.0.0.1:{server.getsockname()[1]}"
        wire = Wire(
            "token",
            address,
            f"{address}/graphql",
            wait=lambda _: None,
            now=lambda: START,
            waits=lambda _: None,
        )
        try:
            with pytest.raises(Trouble, match=r"it was not there whole within 0\.2 seconds; asked once"):
                wire.get("/user")
        finally:
            ended.set()
            wire.close()
            serving.join()
