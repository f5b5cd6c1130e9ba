"""What is wrong with the files of a game's place on GitHub, as they are at hand: its workflows, their program, its forms. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from nomicgit.forge import setup
from nomicgit.forge.barrier import Barrier
from nomicgit.forge.setup import Another
from nomicgit.forge.uninvited import Brought
from nomicgit.ground.problems import Place, Problem, printable
from nomicgit.ground.remedies import command, remedy
from nomicgit.record.forms import Forge

MEND = remedy(
    "by the program that is to run; look at it, and commit it:", command("nomicgit", "doctor", "--mend")
)
DIFFERS = remedy(
    "look at what differs:", command("nomicgit", "doctor", "--mend"), command("git", "diff", "--cached")
)
ANEW = remedy("write them anew, and commit them:", command("nomicgit", "forms", "--write"))
FIRST = "mend first what is told first here; then ask once more"
COMMIT = remedy(
    "it lies in the folder as it is to be; look at it, and commit it:",
    command("git", "add", ".github"),
    command("git", "diff", "--cached"),
    command("git", "commit"),
)
_WHAT_LACKS = {
    "mkdocs.yml": "it is missing: the site cannot be built",
    ".gitattributes": "it is missing: another Git may change line ends of what the program writes",
    ".gitignore": "it is missing: the site that is built lies among what is to be committed",
    "docs/.gitkeep": "it is missing: the site cannot be built without the folder of its own pages",
    "README.md": "it is missing: nothing tells who comes by what this is",
}


class Here(Struct, frozen=True):
    """The game's repository at hand: where the game lives, its workflows and their program (None: not there), programs that
    nothing names any more, which forms are stale, whether the game keeps secrets, and the rulesets that its files say, by their
    paths (those that come with the program where the files are not there); ``waiting`` is what lies in the folder as it is to be,
    and in no commit yet; ``copies`` are workflows of ours that lie there by another name, each with its own; ``workflows`` are
    those that the game is to have, of ``newer`` where that is what it runs; ``uninvited`` are none of the game's; of what a founding
    writes ``lacking`` is gone, and ``elsewhere`` tells of another place; ``amiss`` is what cannot be read, or bars less
    than it should. ``stops``: what stops the steward, and is mended before anything else, for what is committed before that goes out
    with it, or lies in its way.
    """

    place: Forge
    owned: Mapping[str, bytes | None]
    left: Sequence[str]
    stale: Sequence[str]
    branch: str
    now: int
    keys: bool = False
    barriers: Mapping[str, Barrier] = field(default_factory=setup.rulesets)
    waiting: Sequence[str] = ()
    copies: Mapping[str, str] = {}
    workflows: Mapping[str, bytes] = field(default_factory=setup.workflows)
    newer: Another | None = None
    uninvited: Sequence[Brought] = ()
    lacking: Sequence[str] = ()
    elsewhere: Sequence[str] = ()
    amiss: Sequence[Problem] = ()
    stops: Sequence[Problem] = ()

    def mend(self, path: str, otherwise: str = MEND) -> str:
        """What mends a file that is not as it is to be."""
        if path not in self.waiting:
            return otherwise
        if path.startswith(".github/"):
            return COMMIT
        add = command("git", "add", "--", path), command("git", "commit")
        return remedy("it lies in the folder; look at it, and commit it:", *add)


def files(here: Here) -> Iterator[Problem]:
    """The files at hand beside the game; while something stops the steward, with no other remedy than to mend that first."""
    yield from (replace(each, mend=FIRST) if here.stops else each for each in _files(here))


def _files(here: Here) -> Iterator[Problem]:
    yield from here.amiss
    yield from _own(here)
    for each in here.uninvited:
        if each.may:
            yield each.problem
    for path in here.lacking:
        yield Problem(_WHAT_LACKS.get(path, "it is missing"), Place(path), mend=here.mend(path))
    for path in here.elsewhere:
        what = "it tells of another place than the one in which the game lives"
        yield Problem(what, Place(path), mend=here.mend(path))


def _own(here: Here) -> Iterator[Problem]:
    """The workflows, their program, and the forms."""
    for path, wanted in here.workflows.items():
        there = here.owned.get(path)
        if there is None:
            yield Problem("the workflow is missing", Place(path), mend=here.mend(path))
        elif there != wanted:
            yield Problem(
                "the workflow is not the one that comes with the program that the game runs"
                if here.newer
                else "the workflow is not the one that comes with this program",
                Place(path),
                mend=here.mend(path, DIFFERS),
            )
    for path, own in here.copies.items():
        what = f"it is {own.rpartition('/')[2]} by another name, and runs beside it"
        yield Problem(what, Place(path), mend=here.mend(path))
    if here.newer is not None:
        if not here.newer.sound:
            what = "it is not there as the requirements name it: the workflows install nothing"
            yield Problem(what, Place(here.newer.path))
        return
    for path, wanted in setup.program().items():
        there = here.owned.get(path)
        if there is None:
            yield Problem("it is missing: the workflows install nothing", Place(path), mend=here.mend(path))
        elif there != wanted and path == setup.REQUIREMENTS:
            others = set(wanted.splitlines())
            strange = [
                line for line in there.decode(errors="replace").splitlines() if line.encode() not in others
            ]
            named = f": {printable(strange[0].strip(), 120)}" if strange else ""
            yield Problem(
                f"the workflows install something else than this program{named}",
                Place(path),
                mend=here.mend(path),
            )
        elif there != wanted:
            yield Problem("it is not this program, whatever is called so", Place(path), mend=here.mend(path))
    for path in here.left:
        yield Problem("no workflow installs it any more", Place(path), mend=here.mend(path))
    if here.stale:
        named = ", ".join(path.rpartition("/")[2] for path in here.stale[:5]) + (
            ", …" if len(here.stale) > 5 else ""
        )
        yield Problem(
            f"these forms are not what the rules make: {named}",
            mend=COMMIT if {*here.stale} <= {*here.waiting} else ANEW,
        )


def uninvited(here: Here) -> Iterator[Problem]:
    """The workflows that are none of the game's, and may do nothing beyond reading what everybody reads."""
    return (each.problem for each in here.uninvited if not each.may)


def unread(here: Here) -> Iterator[Problem]:
    """What only a newer program can say."""
    if here.newer is not None:
        what = f"whether its forms are current, and all else that a newer program asks for: {here.newer.what}"
        yield Problem(what, Place(setup.REQUIREMENTS), mend=here.newer.mend)
