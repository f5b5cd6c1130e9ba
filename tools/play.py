"""Play a practice game before your eyes, by the command line alone: a fortnight in a minute or two.

Six players found a game in ``play/``, propose, vote, explore, quarrel, go idle, come back, and win; then the whole record
is verified and its site is built. An older game there is replaced, or moved aside where somebody has played on.
Exit code 1 where anything is not as it must be.
"""

from __future__ import annotations

import fcntl
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kept import make_room, stamp

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
GAME = ROOT / "play"
DEEDS = 40
"""A game of fewer commits than this shows too little."""

SHOWN = 6
"""Lines of what a command says."""

COLOURS = {"ana": 35, "ben": 34, "cy": 36, "dee": 33, "eli": 32, "fay": 31}
COLOURED = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


@dataclass(frozen=True, slots=True)
class Scene:
    """Some deeds that belong together, with a line about them."""

    about: str
    deeds: Sequence[Deed]


@dataclass(frozen=True, slots=True)
class Deed:
    """One command: who, how long after the deed before, and what; ``refused`` is what a refusal must say."""

    who: str
    after: str
    command: Sequence[str]
    refused: str = ""


def deed(who: str, after: str, *command: str, refused: str = "") -> Deed:
    """A deed, written shortly."""
    return Deed(who, after, command, refused)


def propose(who: str, after: str, title: str, body: str, *changes: str) -> Deed:
    """A proposal with its changes."""
    listed = [part for change in changes for part in ("--change", change)]
    return deed(who, after, "propose", "--title", title, "--body", body, *listed)


def cfj(who: str, after: str, title: str, body: str, change: str) -> Deed:
    """A call for judgement with its change."""
    return deed(who, after, "cfj", "--title", title, "--body", body, "--change", change)


MOONLIGHT = "{add-rule: {title: Moonlight, text: The moon shines into the crypt.}}"
PORTRAITS = "{set: {rooms.D4.description: Portraits of Dee.}}"
GALLERY = (
    "act",
    "explore",
    "room=D4",
    "name=The Long Gallery",
    "description=Portraits whose eyes follow you.",
    "features=[glyph]",
)

GAME_OF_A_FORTNIGHT = [
    Scene(
        "A proposal that people like",
        [
            propose("cy", "+1h", "Moonlight", "A rule about the moon.", MOONLIGHT),
            deed("ben", "+20m", "vote", "1", "for", "It is dark down here."),
            deed("dee", "+10m", "vote", "1", "against"),
            deed("dee", "+1m", "vote", "1", "for", "I misread it."),
            deed("eli", "+5m", "vote", "1", "deferential"),
            deed("ana", "+1h", "vote", "1", "for"),
            deed("ben", "+1m", "resolve", "1", refused="12 hours"),
        ],
    ),
    Scene(
        "One that nobody likes, and one that the emperor vetoes",
        [
            propose("fay", "+10m", "Tax", "All to me.", "{set: {players.fay.puissance: 99}}"),
            deed("ben", "+5m", "vote", "2", "against"),
            deed("cy", "+5m", "vote", "2", "against", "Ha."),
            deed("dee", "+5m", "vote", "2", "against"),
            deed("fay", "+1m", "comment", "2", "You have no sense of humour."),
            propose("eli", "+10m", "No Votes", "Let us vote no more.", "{repeal: votes}"),
            deed("ana", "+30m", "vote", "3", "veto", "I would rather not."),
        ],
    ),
    Scene(
        "Down in the lair",
        [
            deed("cy", "+10m", *GALLERY),
            deed("fay", "+1m", "act", "explore", "room=D4", "name=Mine", refused="explored"),
            deed("fay", "+1m", "act", "explore", "room=E3", "name=Mine then", "features=[puissance-each]"),
            deed("dee", "+1m", "act", "explore", "room=E5", "name=Ossuary", "features=[sigil-energy]"),
            deed("dee", "+1m", "act", "engrave", "room=E5"),
            deed("cy", "+1m", "act", "engrave", "room=E5", refused="newly furnished"),
            deed("dee", "+5m", "roll", "2DICE6"),
        ],
    ),
    Scene(
        "A favour for a share in the Glyph of the Gallery",
        [
            deed("dee", "+10m", "act", "offer-favour", "provider=cy", "benefit=glyph", "room=D4"),
            deed("cy", "+10m", "act", "accept-favour", "initiator=dee"),
            deed("fay", "+1m", "act", "accept-favour", "initiator=dee", refused="favour offers"),
        ],
    ),
    Scene(
        "Twelve hours later an admin resolves all three",
        [
            deed("ben", "+11h", "resolve", "1"),
            deed("ben", "+1m", "resolve", "2"),
            deed("ben", "+1m", "resolve", "3"),
        ],
    ),
    Scene(
        "A quarrel, and judgement",
        [
            cfj("dee", "+2h", "Whose Gallery?", "Cy explored it while I was on the stairs.", PORTRAITS),
            deed("ben", "+10m", "vote", "4", "for"),
            deed("eli", "+10m", "vote", "4", "for", "For the sake of peace."),
            deed("fay", "+10m", "vote", "4", "for"),
            deed("cy", "+10m", "vote", "4", "against", "I was first."),
            deed("ben", "+1m", "resolve", "4"),
        ],
    ),
    Scene(
        "A night of silence, and a journey through the crypt",
        [
            deed("ana", "+10m", "act", "enter-the-crypt", refused="noise"),
            deed("ana", "+1d", "act", "enter-the-crypt"),
            deed("cy", "+1h", "act", "engrave", "room=E5"),
        ],
    ),
    Scene(
        "Eli goes away, and comes back",
        [
            deed("eli", "+6d", "post", "Away", "--body", "Please make me idle until next week."),
            deed("ben", "+1h", "idle", "eli", "--reason", "asked"),
            deed("eli", "+3d", "comment", "6", "Please unidle me."),
            deed("ben", "+1m", "unidle", "eli", refused="idle"),
            deed("ben", "+2d", "unidle", "eli"),
        ],
    ),
    Scene(
        "Victory, an interregnum, and a new dynasty",
        [
            deed(
                "cy", "+1h", "dov", "--title", "The Gallery is enough", "--body", "Nobody has a longer one."
            ),
            deed("dee", "+1h", "vote", "7", "for", "Well played."),
            deed("ben", "+1h", "vote", "7", "for"),
            deed("fay", "+1h", "vote", "7", "for"),
            deed("ana", "+1h", "vote", "7", "for", "Take it."),
            deed("ben", "+9h", "resolve", "7"),
            deed(
                "cy",
                "+1h",
                "ascend",
                "Among the clouds",
                "terms={player: Aeronaut, players: Aeronauts, emperor: Skipper}",
            ),
        ],
    ),
]


class Failed(Exception):
    """Something was not as it must be."""


def coloured(text: str, code: int) -> str:
    """A text in a colour, where colours are wanted."""
    return f"\033[{code}m{text}\033[0m" if COLOURED else text


def run(*command: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """A command, run; its output is plain."""
    env = os.environ | {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true", "NO_COLOR": "1"}
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)


def nomicgit(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command line of the virtual environment that runs this."""
    return run(str(BIN / "nomicgit"), *arguments)


def must(done: subprocess.CompletedProcess[str]) -> str:
    """The output of a command that must succeed."""
    if done.returncode:
        raise Failed(
            f"{shlex.join(map(str, done.args))}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
        )
    return done.stdout


def found() -> None:
    """Found the game."""
    roomy(GAME)
    players = [part for name in COLOURS for part in ("--player", name)]
    options = shlex.split("--edition crypt --practice --start 2021-06-07T00:00:00Z --emperor ana --admin ben")
    heading("Six players found a game")
    show("", ["new", "play", *options, *players], must(nomicgit("new", GAME.name, *options, *players)))


def roomy(place: Path) -> None:
    """Make room for a new game: what somebody did in the old one is kept, and said."""
    aside = make_room(place)
    if aside is not None:
        print(f"somebody has played or written in {place.name}: it is kept as {aside.name}")


def play(each: Deed) -> None:
    """One deed, shown; it must be done, or be refused where it must be."""
    done = nomicgit("-C", GAME.name, "--as", each.who, "--at", each.after, *each.command)
    show(each.who, ["--at", each.after, *each.command], done.stdout + done.stderr, refused=bool(each.refused))
    if each.refused and (done.returncode != 1 or each.refused not in done.stderr):
        raise Failed(
            f"this had to be refused, with {each.refused!r}: {shlex.join(each.command)} (exit code {done.returncode})"
        )
    if not each.refused:
        must(done)


def heading(text: str) -> None:
    """A scene begins."""
    print("\n" + coloured(text, 1))


def show(who: str, command: Sequence[str], output: str, *, refused: bool = False) -> None:
    """A command and what it said."""
    name = coloured(f"{who:>4}", COLOURS[who]) if who else "    "
    typed = " ".join(shlex.quote(word) if re.search(r"[^\w@%+=:,./-]", word) else word for word in command)
    print(f"{name} $ nomicgit {typed}")
    lines = output.rstrip().split("\n")
    for line in lines[:SHOWN] + ["  …"] * (len(lines) > SHOWN):
        print(f"       {coloured(line, 31 if refused else 2)}")


def verified() -> None:
    """Replay everything, count the commits, and let Git look at its objects."""
    heading("Anyone with a clone can replay it")
    show("", ["verify"], must(nomicgit("-C", GAME.name, "verify")))
    must(run("git", "fsck", "--strict", "--no-dangling", cwd=GAME))
    commits = int(must(run("git", "rev-list", "--count", "HEAD", cwd=GAME)))
    if commits < DEEDS:
        raise Failed(f"only {commits} commits; a game of at least {DEEDS} was to be played")
    if must(run("git", "status", "--porcelain", cwd=GAME)):
        raise Failed("the work tree is not what the last commit holds: see git -C play status")
    print(f"       {commits} commits, and git fsck --strict has nothing to say")


def built() -> Path:
    """The site of the game."""
    heading("Its site")
    config = GAME / "mkdocs.yml"
    if not config.exists():
        raise Failed(f"{config.relative_to(ROOT)} is missing: nomicgit new had to write it")
    must(run(str(BIN / "mkdocs"), "build", "--quiet", "-f", str(config), "-d", str(GAME / "site")))
    index = GAME / "site" / "index.html"
    if not index.exists():
        raise Failed("the site has no index.html")
    pages = sum(1 for _ in index.parent.rglob("*.html"))
    print(f"       {pages} pages: {index.relative_to(ROOT)}")
    return index


def main() -> int:
    """Everything, in order, and once at a time: two would play in one folder."""
    folder = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return played()
    except BlockingIOError:
        print(
            f"{coloured('failed:', 31)} a game is being played here already: wait until that is done",
            file=sys.stderr,
        )
        return 1
    finally:
        os.close(folder)


def played() -> int:
    """The whole game."""
    began = time.monotonic()
    try:
        found()
        for scene in GAME_OF_A_FORTNIGHT:
            heading(scene.about)
            for each in scene.deeds:
                play(each)
        verified()
        index = built()
        stamp(GAME)
    except Failed as error:
        print(f"\n{coloured('failed:', 31)} {error}", file=sys.stderr)
        return 1
    print(f"""
{coloured("Done", 32)} in {time.monotonic() - began:.0f} seconds. Where to look:
  {index.relative_to(ROOT)}                        the site, in a browser
  git -C play log                             the journal
  git -C play show HEAD                       the ascension, as a diff
  play/game/ruleset                           the law, as it stands now
  .venv/bin/nomicgit -C play status           and then it is your turn:
                                              make play again begins anew, and puts what you did here aside""")
    return 0


if __name__ == "__main__":
    sys.exit(main())
