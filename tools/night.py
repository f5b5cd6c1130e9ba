"""Play a day of assassins before your eyes, in four clones of one repository, of which one keeps the secrets.

Orders go in sealed, the Bell tolls, letters come back; then what everybody has is searched for what nobody was to know,
and is verified with the key and without. Exit code 1 where anything is not as it must be. ``make night`` runs it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from kept import stamp
from play import BIN, ROOT, Failed, coloured, heading, must, roomy, run, show

PLACE = ROOT / "play-in-secret"
PLAYERS = ("ana", "ben", "cy", "dee", "eli")
WORDS = "Meet me behind the chapel"


def nomicgit(who: str, *words: str, refused: str = "") -> str:
    """A command of somebody's, in their own clone, shown."""
    done = run(str(BIN / "nomicgit"), "-C", str(PLACE / who), *words)
    show(who, words, done.stdout + done.stderr, refused=bool(refused))
    if refused:
        if done.returncode != 1 or refused not in done.stderr:
            raise Failed(f"this had to be refused, with {refused!r}: {words}")
        return done.stderr
    return must(done)


def git(where: str, *words: str) -> str:
    return must(run("git", "-C", str(PLACE / where), *words))


def found() -> None:
    """Found a game with a key, and give everybody a clone of it."""
    roomy(PLACE)
    PLACE.mkdir()
    heading("Five people found a game of secrets")
    named = [word for name in PLAYERS for word in ("--player", name)]
    words = ["new", str(PLACE / "ana"), "--edition", "assassin", "--practice", "--start", "2014-11-03T00:00:00Z",
             "--emperor", "ana", "--admin", "ben", *named]  # fmt: skip
    show("", ["new", "ana", *words[2:]], must(run(str(BIN / "nomicgit"), *words)))
    must(run("git", "init", "--quiet", "--bare", "--initial-branch=main", str(PLACE / "town.git")))
    git("ana", "remote", "add", "origin", "../town.git")
    git("ana", "push", "--quiet", "--set-upstream", "origin", "main")
    for name in PLAYERS[1:]:
        must(run("git", "clone", "--quiet", "town.git", name, cwd=PLACE))
    for name in PLAYERS:
        must(run(str(BIN / "nomicgit"), "-C", str(PLACE / name), "me", name))


def letters(*names: str) -> None:
    """Somebody pulls, and reads what came."""
    for name in names:
        git(name, "pull", "--quiet", "--rebase")
        nomicgit(name, "letters")


def a_day() -> None:
    """Notes by day, the Bell at night, and what it brings."""
    heading("Two of them make a mailbox")
    for name in ("cy", "dee"):
        nomicgit(name, "letters", "--register")
        nomicgit(name, "sync")
    heading("A word in secret, and notes of what to do at night")
    nomicgit("cy", "act", "tell", "to=dee", "text=In the open?", refused="order")
    nomicgit("cy", "order", "tell", "to=dee", f"text={WORDS}", "--push")
    nomicgit("cy", "order", "note", "street={action: arrive-in-town, location: C5}", "--push")
    nomicgit("dee", "order", "note", "street={action: arrive-in-town, location: C6}", "--push")
    nomicgit("eli", "order", "--blank", "--push")
    heading("She who keeps the key takes them, and tolls the Bell")
    nomicgit("ana", "keep", "--at", "+1h")
    nomicgit("ana", "act", "toll-the-bell", "--at", "+9h")
    nomicgit("ana", "keep", "--at", "+1m")
    heading("What came of it, each reads alone")
    letters("cy", "dee")
    nomicgit("dee", "log")
    heading("The key passes on, and the old one is opened")
    nomicgit("ana", "keys", "move", "--at", "+1m")
    nomicgit("ana", "keys", "show")


def searched() -> None:
    """Look for what nobody was to know in all that everybody has."""
    heading("What everybody has")
    git("ana", "push", "--quiet")
    git("eli", "pull", "--quiet", "--rebase")
    everything = git("eli", "log", "--all", "-p", "--", "game/state", "game/posts", "game/sealed") + git(
        "eli", "log", "--all"
    )
    for word in (WORDS, "arrive-in-town"):
        if word in everything:
            raise Failed(f"everybody can read {word!r}")
    print("       neither the words nor the notes are to be found in it")
    nomicgit("ana", "verify")
    nomicgit("eli", "verify")


def main(parts: Sequence[str] = ()) -> int:
    """Everything, in order."""
    began = time.monotonic()
    try:
        found()
        a_day()
        searched()
        stamp(PLACE)
    except Failed as error:
        print(f"\n{coloured('failed:', 31)} {error}", file=sys.stderr)
        return 1
    print(f"""
{coloured("Done", 32)} in {time.monotonic() - began:.0f} seconds. Where to look:
  {PLACE.name}/ana, ben, cy, dee, eli      a clone each; ana's has the key
  git -C {PLACE.name}/eli show HEAD~2       a sealed deed, as everybody has it
  docs/secrets.md                        what is kept from whom""")
    return 0


if __name__ == "__main__":
    sys.exit(main())
