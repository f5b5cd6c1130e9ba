"""What stands in the folder and not in the record yet: rules that somebody is writing, for them to look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from nomicgit.ground.problems import NomicError
from nomicgit.law.law import Law
from nomicgit.law.ruleset import Ruleset
from nomicgit.record.game import Game
from nomicgit.record.tree import RULESET
from nomicgit.site import markup
from nomicgit.site.asked import LONG, Asking, Untold
from nomicgit.site.differences import difference
from nomicgit.site.onlooking import Look
from nomicgit.site.page import Page, Section, rule_uri
from nomicgit.site.pages import pages_of

LARGEST = 1_000_000  # bytes of a file that is looked at
_TOLD = 5  # problems


class Draft(Struct, frozen=True):
    """The files of the ruleset as they stand in the folder, and how many of them differ from the record."""

    texts: Mapping[str, str]
    differing: int

    def pages(self, game: Game, at: int, asking: Asking) -> tuple[Look, Iterator[Page]]:
        """Every page of the game under the law as it stands in the folder, or where that is none, as recorded."""
        try:
            drafted = game.under(Ruleset.read(self.texts))
            wrong = _wrong(drafted.law, asking)
        except NomicError as error:
            drafted, wrong = game, tuple(map(str, error.problems))
        look = Look.at_time(game if wrong else drafted, at, asking)
        edited, note = self._edited(game, look), self._note(wrong)

        def finished(page: Page) -> Page:
            section = edited.get(page.uri)
            sections = (section, *page.sections) if section else page.sections
            return replace(page, lead=markup.joined((note, page.lead)), sections=sections)

        return look, map(finished, pages_of(look))

    def _edited(self, game: Game, look: Look) -> dict[str, Section]:
        """How each rule that somebody is writing differs from the recorded one, by its page."""
        edited = {}
        for placed in look.world.ruleset.rules:
            before, text = game.ruleset.by_slug.get(placed.slug), self.texts.get(placed.path)
            recorded = game.ruleset.texts[before.path] if before else None
            if text not in (None, recorded):
                body = difference(recorded, text)
                edited[rule_uri(placed.slug)] = Section("edited", "Edited, not recorded yet", body)
        return edited

    def _note(self, wrong: Sequence[str]) -> Markup:
        files = "1 file differs" if self.differing == 1 else f"{self.differing} files differ"
        return markup.tag(
            "div",
            markup.tag("strong", "Not recorded yet:"),
            f" {files} from the record. ",
            "This is no law until a proposal with it is enacted."
            if not wrong
            else "It cannot be law as it stands:",
            markup.listed(wrong[:_TOLD]),
            class_="nomic-banner",
        )


def _wrong(law: Law, asking: Asking) -> tuple[str, ...]:
    """What keeps a ruleset from being law: in its declarations, its names, and its mechanics, which are not run."""
    if law.problems:
        return tuple(map(str, law.problems))
    answer = asking.ask("whether the rules in the folder can be law", law.compile, LONG)
    return (answer.why,) if isinstance(answer, Untold) else ()


def draft_of(game: Game) -> Draft | None:
    """What somebody is writing in the folder of a game; None where the rules stand there as recorded."""
    root = game.repository.root
    if root is None:
        return None
    texts, recorded = dict(_texts(Path(root) / RULESET)), game.ruleset.texts
    differing = sum(texts.get(path) != recorded.get(path) for path in {*texts, *recorded})
    return Draft(texts, differing) if differing else None


def _texts(folder: Path) -> Iterator[tuple[str, str]]:
    for file in sorted(folder.rglob("*.md")):
        if file.is_file() and not file.is_symlink() and file.stat().st_size <= LARGEST:
            yield file.relative_to(folder).as_posix(), file.read_text(encoding="utf-8", errors="replace")
