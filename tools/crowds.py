"""A steward's pass where much was said: open pull requests, and new comments on them, on a GitHub of the tests' own.

    python tools/crowds.py                    500 pull requests, 5,000 comments, a vote in each tenth of them
    python tools/crowds.py 50 500             fewer

The pass is a process of its own, so that what is measured is the steward's and Git's, and not that of the forge.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from figures import Figure, line

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from fakegithub import FakeGitHub
from support import doorstep
from support.doorstep import Doorstep

PULLS, COMMENTS, VOTES = 500, 5_000, 10
"""How many are open, how many comments are new, and each how manieth of these votes."""
PLAYERS = 250  # each may have two proposals pending
HOURLY = 1_000
"""Requests that GitHub grants a workflow's token in an hour, for each repository."""
CHANGE = "```changes\n- {{add-rule: {{title: Rule {0}, text: It is rule {0}.}}}}\n```\n"


def crowd(scratch: Path, pulls: int, comments: int) -> Iterator[Figure]:
    """What the pass costs that takes all these comments in."""
    vars(doorstep)["PLAYERS"] = ("ana", "ben", *(f"p{number}" for number in range(PLAYERS)))
    with FakeGitHub(scratch / "forge") as github:
        door = Doorstep(github, scratch / "clone")
        people = list(door.people.values())[2:]
        for who in people:
            github.commit(who, {}, branch="empty", message="by hand")
        threads = []
        for number in range(pulls):
            github.clock.advance(1)
            who, body = people[number % PLAYERS], CHANGE.format(number)
            threads.append(github.open_pull(who, head="empty", title=f"Rule {number}", body=body))
        while passed(door):  # until all that is new was taken in, and told
            pass
        for number in range(comments):
            github.clock.advance(1)
            text = f"I wonder about {number}." if number % VOTES else ":for: yes"
            github.comment(people[(number + 7) % PLAYERS], threads[number % pulls], text)
        before = door.deeds()
        github.forget()
        seconds = passed(door)
        asked, done = len(github.asked()), door.deeds() - before
    assert done == comments // VOTES, done
    name, note = (
        f"a steward's pass, {pulls} open pull requests and {comments:,} new comments",
        f"{done} deeds; {os.getloadavg()[0]:.0f} others",
    )
    yield Figure(f"{name}, of the processor", seconds, None, 10, note=note)
    yield Figure(f"{name}, requests", asked, None, HOURLY, unit="requests")


def passed(door: Doorstep) -> float:
    """The processor time of one pass, in a process of its own; 0 where it met nothing new."""
    door.github.clock.advance(60)
    child = os.fork()
    if not child:
        code = 1
        try:
            code = 2 if door.run().nothing_new else 0
        finally:
            os._exit(code)
    _, status, usage = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in (0, 2), code
    return 0 if code else usage.ru_utime + usage.ru_stime


def main() -> int:
    """The command. Exit code 1 where a bar is missed."""
    pulls, comments = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (PULLS, COMMENTS)
    with tempfile.TemporaryDirectory(prefix="crowds-") as scratch:
        figures = list(crowd(Path(scratch), pulls, comments))
    print("\n".join(map(line, figures)))
    return int(any(figure.met is False for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
