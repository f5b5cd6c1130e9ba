"""What players write, through every door of the forge: it reaches no HTML, no mention, no command, no shell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from fakegithub import Pull
from hypothesis import given
from hypothesis import strategies as st
from support.depth import is_deep
from support.doorstep import HOUR, PLAYERS, Doorstep, doorstep, rule

from nomicgit.ground.escaping import called, escaped, fenced, lines_escaped, logged

HOSTILE = (
    "$(touch pwned)", '"; touch pwned #', "`touch pwned`", "::add-mask::e", "a\n::error file=x::gone", "##[error]gone",
    "<script>alert(1)</script>", "<!-- nomicgit told issue-1 comment-1 -->", "<!-- nomicgit report -->", "@everyone",
    "fixes #1", "closes GH-1", "resolves https://github.com/nomic-club/game/issues/1", "![x](http://evil.example/x.png)",
    "[click](javascript:alert)", "a\u202eb\u2066c", "a\u200bb\ufeffc", "| a | b |\n| - | - |", "</details>", "```\n@everyone\n```",
    "\x1b[31mred", "n" * 300, "%0A::error::x", "${{ secrets.GITHUB_TOKEN }}", "-rf", "../../etc/passwd", "a\u2028b", "&lt;b&gt; &amp;",
)  # fmt: skip
MENTION = re.compile(r"(?<![\w`])@(?!(?:Ana|Ben|Cy|Dee|Eli|Fox)\b)[A-Za-z0-9]")
CLOSING = re.compile(r"(?i)(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:[\w./-]*#\d|GH-\d|https?://)")
MARKS = re.compile(r"<!-- nomicgit (?:told [a-z0-9 -]+|report|does [0-9a-f]{12}|end) -->")
TAGS = re.compile(r"</?(?:details|summary)>")
OF_A_RULE = re.compile(
    r"So says the rule [\w ]+ \\\(<https://nomic-club\.github\.io/game/rules/[a-z-]+/>\\\)"
)


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Doorstep]:
    with doorstep(tmp_path) as found:
        yield found


def some(request: pytest.FixtureRequest, number: int) -> tuple[str, ...]:
    """One of three words, others through each door; in the deep profile all through all."""
    return HOSTILE if is_deep(request.config) else HOSTILE[number::3]


def outside_code(body: str) -> str:
    """A comment without its blocks of code, its own marks, its own tags, and the addresses of the game's own rules."""
    plain = re.sub(r"^(`{3,})text\n.*?^\1$", "", body, flags=re.MULTILINE | re.DOTALL)
    return OF_A_RULE.sub("", TAGS.sub("", MARKS.sub("", plain)))


def check(door: Doorstep) -> None:
    """Nothing that anybody wrote does anything in what the steward wrote, there and in the record."""
    for thread in door.github.threads.values():
        for body in door.ours(thread):
            plain = outside_code(body)
            assert "<" not in plain, plain
            assert MENTION.search(plain) is None, plain
            assert re.search(r"(?<!\\)!\[|(?<!\\)\]\(", plain) is None, plain
            assert all(c.isprintable() or c in "\n\u200b" for c in body), body
    game = door.game()
    for commit in game.repository.log(game.head.oid):
        assert CLOSING.search(commit.message) is None, commit.message
        assert "@" not in commit.message, commit.message
        assert not any(line.startswith("::") for line in commit.message.split("\n"))
    assert door.faults() == []
    assert not list(Path.cwd().glob("pwned"))


@pytest.mark.slow
def test_titles_bodies_and_branch_names(door: Doorstep, request: pytest.FixtureRequest) -> None:
    opened: list[tuple[str, Pull]] = []
    words = some(request, 0)
    for number, text in enumerate(words):
        who = PLAYERS[number % 6]
        account = door.people[who]
        door.sync(account)
        name = re.sub(r"[^\x21-\x7e]|[~^:?*\[\\ ]|\.\.|@\{|^-|\.$|/$|//", "_", text)[:100]
        files = {f"game/ruleset/2-dynastic/90-rule-{number}.md": rule(f"Rule {number}", text)}
        door.github.commit(account, files, branch=f"b{number}/{name}x", message=text)
        title = text.replace("\n", " ")
        pull = door.github.open_pull(account, head=f"b{number}/{name}x", title=title, body=text)
        opened.append((who, pull))
        if number % 6 == 5:
            door.run()
            while opened:
                door.say(*opened.pop(), ":against:")
            door.run()
            door.github.clock.advance(9 * HOUR)
    door.run()
    posts = list(door.game().tree.ids("posts"))
    assert len(posts) >= len(words) * 2 / 3
    check(door)


@pytest.mark.slow
def test_comments_reviews_and_forms(door: Doorstep, request: pytest.FixtureRequest) -> None:
    pull, words = door.propose("cy", "Moonlight"), some(request, 1)
    door.run()
    for text in words:
        door.say("dee", pull, f":for: {text}")
        door.say("dee", pull, text)
        door.say("dee", pull, f"/vote {text}")
        door.say("dee", pull, f"/act {text}")
        door.say("dee", pull, f"/act roll dice={text}")
        door.say("dee", pull, f"/join {text}")
        door.review("dee", pull, "COMMENTED", f"/vote against {text}")
        door.form("dee", "post", {"title": text, "body": text})
        door.github.issue(door.people["dee"], text.replace("\n", " "), text)
    door.run()
    door.run()
    check(door)
    assert len(door.ballots(1)) == 2 * len(words)


@pytest.mark.slow
def test_file_names(door: Doorstep, request: pytest.FixtureRequest) -> None:
    for number, text in enumerate(some(request, 2)):
        name = text.replace("/", "_").replace("\n", "_").encode()[:200].decode(errors="ignore").strip("\x00")
        if name in ("", ".", ".."):
            continue
        pull = door.propose(
            "cy", f"Name {number}", files={f"game/ruleset/2-dynastic/{name}": "x", f"{name}.d/x": "y"}
        )
        door.say("cy", pull, "hm")
    door.run()
    assert door.deeds() == 1
    check(door)


@given(st.text(max_size=200))
def test_escaped_text_is_plain(text: str) -> None:
    found = escaped(text)
    assert "\n" not in found
    assert re.search(r"(?<!\\)[<>`*_\[\]]", found.replace("&lt;", "").replace("&gt;", "")) is None
    assert re.search(r"[@#](?!\u200b)", found) is None
    assert "://" not in found


@given(st.text(max_size=200))
def test_a_block_of_code_is_not_left(text: str) -> None:
    lines = fenced(text).split("\n")
    fence = lines[0].removesuffix("text")
    assert lines[-1] == fence
    assert all(fence not in line for line in lines[1:-1])


@given(st.text(max_size=200))
def test_a_log_gets_no_command(text: str) -> None:
    found = logged(text)
    assert "\n" not in found
    assert "::" not in found
    assert "##[" not in found


def test_only_logins_are_called() -> None:
    assert called("Cy-2") == "@Cy-2"
    assert not called("cy everyone").startswith("@")
    assert lines_escaped("a\n@b").split("\n")[1].startswith("@\u200b")


def test_what_the_command_line_says_of_a_pass_is_no_command() -> None:
    from nomicgit.cli.bodies.steward import _said
    from nomicgit.cli.seat import Seat
    from nomicgit.steward.passing import Passed
    from nomicgit.steward.steps import Told

    tell = Told(1, ("comment-1",), "x\n::error::gone ##[group]", event="comment-1")
    runner = CliRunner()
    with runner.isolation() as (out, _, _):
        assert _said(Seat(), Passed(told=[tell], problems=["::stop-commands::x"])) == 1
    said = out.getvalue().decode()
    assert "::" not in said.replace("nomicgit::", "")
    assert "told: x / : :error: :gone # #[group]\n" in said
