"""A long game for measuring its site: as many posts, votes and amendments as one asks for, written in a moment.

The commits have the form of deeds, and no law judged them: such a game can be looked at, not verified.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

from nomicgit import editions
from nomicgit.git import Repository
from nomicgit.ground import clock, files
from nomicgit.physics.deeds.founding import Founding
from nomicgit.record import tree
from nomicgit.record.founding import found_game
from nomicgit.record.game import Game
from nomicgit.record.settings import Settings

PLAYERS = ("ana", "ben", "cy", "dee", "eli", "fox", "gil", "hal", "ida", "joe")
START = clock.instant("2021-06-07T00:00:00Z")
STEP = 3600
EVERY = 2  # of so many posts one amends a rule
WORDS = "moon shines gold crypt stone door night bell river king song lamp winter clock mirror crown".split()


def write(folder: Path, edition: str, posts: int, rules: int) -> None:
    """Found a game of an edition, bring its ruleset up to so many rules, and write so many posts."""
    repository = Repository.init(folder)
    settings = Settings("Long", edition, time="given")
    found_game(
        repository, editions.load(edition), settings, Founding(START, list(PLAYERS), "ana", ["ben"], [])
    )
    more = max(0, rules - len(Game.open(folder).ruleset.rules))
    stream = "".join(_stream(posts, more)).encode()
    subprocess.run(["git", "fast-import", "--quiet", "--force"], cwd=folder, input=stream, check=True)
    subprocess.run(["git", "reset", "-q", "--hard"], cwd=folder, check=True)
    (folder / "docs").mkdir(exist_ok=True)


def _stream(posts: int, more: int) -> Iterator[str]:
    """What fast-import reads: the additional rules in one commit, then two commits for each post, and a vote."""
    deed = _Deeds()
    texts = {_rule(n): f"---\ntitle: Measure {n}\n---\n{_prose(n)}\n" for n in range(more)}
    texts[f"{tree.STATE}open.yml"] = files.write(
        {"made": {"players": len(PLAYERS)}, "next": posts + 1, "pending": []}
    )
    yield deed.commit("ben", "resolve", texts)
    for number in range(1, posts + 1):
        author = PLAYERS[number % len(PLAYERS)]
        at = clock.text(deed.at + STEP)
        path = f"{tree.POSTS}{at[:4]}/{at[5:7]}/{number:04}-post-{number}.md"
        fields = {
            "kind": "proposal", "title": f"Post {number}", "author": author, "at": at, "status": "pending", "tags": [],
            "changes": [{"set": {f"players.{author}.puissance": number % 9}}], "body": _prose(number),
        }  # fmt: skip
        yield deed.commit(author, "propose", {path: tree.post_text(fields)})
        voters = [PLAYERS[(number + k) % len(PLAYERS)] for k in range(4)]
        votes = "".join(
            files.log_line({"by": f"players/{who}", "at": at, "icon": "for", "text": _prose(number)[:60]})
            for who in voters
        )
        yield deed.commit(voters[0], "vote", {tree.comments_path(path): votes})
        frozen = {"tally": {"for": 4, "against": 0}, "reasons": {f"players/{who}": "FOR" for who in voters}}
        done = {
            path: tree.post_text(fields | {"status": "enacted" if number % 3 else "failed", "frozen": frozen})
        }
        if more and number % EVERY == 0:
            rule = number % more
            done[_rule(rule)] = (
                f"---\ntitle: Measure {rule}\n---\n{_prose(rule + number)}\n{_prose(number)}\n"
            )
        yield deed.commit("ben", "resolve", done, matter=str(number))


def _rule(number: int) -> str:
    return f"{tree.RULESET}2-dynastic/{900 + number}-measure-{number}.md"


def _prose(seed: int) -> str:
    """Some sentences, others for each seed."""
    lines = []
    for line in range(3 + seed % 4):
        words = [WORDS[(seed * 7 + line * 5 + k * (1 + seed % 5)) % len(WORDS)] for k in range(12)]
        lines.append(" ".join(words).capitalize() + ".")
    return "\n".join(lines)


def name(at: int, number: int) -> str:
    """The name of a deed with a number, in the form in which the program makes them; ``at`` in seconds, UTC."""
    return f"{clock.text(at).replace('-', '').replace(':', '')}-{number:012x}"


class _Deeds:
    """Commits in the form of deeds, one after another."""

    def __init__(self) -> None:
        self.at, self.count = START, 0

    def commit(self, who: str, action: str, texts: dict[str, str], **given: str) -> str:
        """A commit that writes some files."""
        self.at += STEP
        self.count += 1
        trailers = [f"Nomic-Action: {action}", f"Nomic-By: {who}", f"Nomic-At: {clock.text(self.at)}"]
        trailers += [f"Nomic-With: {json.dumps(given)}"] if given else []
        trailers += [f"Nomic-Id: {name(self.at, self.count)}"]
        message = "\n".join([f"{who}: {action}", "", *trailers]) + "\n"
        who_at = f"{who} <{who}@nomicgit.invalid> {self.at} +0000"
        lines = [
            "commit refs/heads/main",
            f"author {who_at}",
            f"committer {who_at}",
            _data(message).rstrip("\n"),
        ]
        lines += ["from refs/heads/main^0"] if self.count == 1 else []
        lines += [f"M 100644 inline {path}\n{_data(text).rstrip(chr(10))}" for path, text in texts.items()]
        return "\n".join(lines) + "\n\n"


def _data(text: str) -> str:
    return f"data {len(text.encode())}\n{text}\n"
