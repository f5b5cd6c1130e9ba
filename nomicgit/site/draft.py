"""What stands in the folder and not in the record yet: rules that somebody is writing, for them to look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from markupsafe import Markup

from nomicgit.ground.problems import NomicError, Problem
from nomicgit.law.ruleset import Ruleset
from nomicgit.record.game import Game
from nomicgit.record.tree import RULESET
from nomicgit.site import markup
from nomicgit.site.asked import Asking
from nomicgit.site.page import Page
from nomicgit.site.pages import pages_of
from nomicgit.site.scribe import Look

LARGEST = 1_000_000  # bytes of a file that is looked at
_TOLD = 5  # problems


@dataclass(frozen=True, slots=True)
class Draft:
    """The files of the ruleset as they stand in the folder, and how many of them differ from the record."""

    texts: Mapping[str, str]
    differing: int

    def pages(self, game: Game, at: int, asking: Asking) -> tuple[Look, Iterator[Page]]:
        """Every page of the game under the law as it stands in the folder, or where that is none, as recorded."""
        wrong: tuple[Problem, ...] = ()
        try:
            look = Look.at_time(game.under(Ruleset.read(self.texts)), at, asking)
            wrong = look.world.law.problems
        except NomicError as error:
            look, wrong = Look.at_time(game, at, asking), error.problems
        note = self._note(wrong)
        return look, (replace(page, lead=markup.joined((note, page.lead))) for page in pages_of(look))

    def _note(self, wrong: tuple[Problem, ...]) -> Markup:
        files = "1 file differs" if self.differing == 1 else f"{self.differing} files differ"
        return markup.tag(
            "div",
            markup.tag("strong", "Not recorded yet:"),
            f" {files} from the record. ",
            "This is no law until a proposal with it is enacted."
            if not wrong
            else "It cannot be law as it stands:",
            markup.listed(map(str, wrong[:_TOLD])),
            class_="nomic-banner",
        )


def draft_of(game: Game) -> Draft | None:
    """What somebody is writing in the folder of a game; None where the rules stand there as recorded."""
    root = game.repository.root
    if root is None:
        return None
    texts, recorded = dict(_texts(Path(root) / RULESET)), game.ruleset.files()
    differing = sum(texts.get(path) != recorded.get(path) for path in {*texts, *recorded})
    return Draft(texts, differing) if differing else None


def _texts(folder: Path) -> Iterator[tuple[str, str]]:
    for file in sorted(folder.rglob("*.md")):
        if file.is_file() and not file.is_symlink() and file.stat().st_size <= LARGEST:
            yield file.relative_to(folder).as_posix(), file.read_text(encoding="utf-8", errors="replace")
