"""The two rulesets that a branch stands between, read from Git's objects, and all that is wrong with the newer."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from nomicgit.git import Repository
from nomicgit.ground import files
from nomicgit.ground.files import requoted
from nomicgit.ground.problems import Malformed, Place, Problem
from nomicgit.law.rules import parse
from nomicgit.law.ruleset import INDEX, Placed, Ruleset
from nomicgit.law.sentences import canonical
from nomicgit.outlook.branches.blobs import Texts, texts_of
from nomicgit.outlook.branches.sound import unsound
from nomicgit.outlook.branches.touched import enough, touched
from nomicgit.physics.physics import Physics
from nomicgit.physics.state import naming
from nomicgit.record.proof import words
from nomicgit.record.tree import RULESET, SCENARIOS, GameTree

ALIKE = 0.6  # how much of its prose a rule keeps that was only given another file name
_MARK = re.compile("(<{7}|>{7})(?: |\r?$)")
_BLANK = "---\ntitle: x\n---\n"  # in the place of what cannot be read, so that the rest can


class Sides(Struct, frozen=True):
    """Both rulesets, and the scenarios that differ, each with its new text (None: taken out).

    ``used`` are all slugs that the game ever used, as the base knows.
    """

    base: Ruleset
    head: Ruleset
    scenarios: Mapping[str, str | None]
    used: frozenset[str]
    physics: Physics


def sides(repository: Repository, base_commit: str, head_commit: str) -> Sides:
    """Both sides of a branch. Malformed with everything that is wrong with its files, all at once.

    Refused where it holds more than any proposal needs.
    """
    old, new = repository.commit(base_commit).tree, repository.commit(head_commit, limit=1 << 20).tree
    changed, problems = touched(repository, old, new, base_commit)
    texts = texts_of(repository, changed)
    tree = GameTree(repository, old)
    base = tree.ruleset()
    wrong = [*problems, *texts.problems]
    unread = {each.path for each in changed if each.path not in texts.by_path}
    head = _head(base, texts, unread, wrong)
    scenarios = dict(_scenarios(tree, texts, wrong))
    if wrong:
        wrong += _of_the_rest(base, texts, wrong, tree.physics)
        raise Malformed(*sorted(dict.fromkeys(wrong), key=lambda each: (each.where.file, each.where.line)))
    assert head is not None
    return Sides(base, head, scenarios, frozenset((tree.entity("used") or {}).get("slugs", ())), tree.physics)


def _head(base: Ruleset, texts: Texts, unread: set[str], wrong: list[Problem]) -> Ruleset | None:
    """The newer ruleset; None, and its problems noted, where it cannot be read."""
    files = dict(base.texts)
    for path, text in texts.by_path.items():
        if path.startswith(RULESET):
            name = path.removeprefix(RULESET)
            wrong += _of_section(name, path, files.get(name), text)
            if text is None:
                files.pop(name, None)
            else:
                marks = list(clashes(path, text))
                wrong += marks or _in_rule(name, path, text)
                if not marks:
                    files[name] = text
                else:
                    files.setdefault(name, _BLANK)
        enough(wrong)
    for path in unread:
        if path.startswith(RULESET):
            files.setdefault(path.removeprefix(RULESET), _BLANK)
    try:
        head = Ruleset.read(files, old=base)
    except Malformed as error:
        wrong += [_whole_path(problem) for problem in error.problems]
        return None
    wrong += _renamed(base, head)
    wrong += _sections(base, head)
    return head


def _of_the_rest(base: Ruleset, texts: Texts, wrong: Iterable[Problem], physics: Physics) -> list[Problem]:
    """What is wrong with the law of those rules whose files can be read, if need be with quotes, where others cannot."""
    said = {(problem.where.file, problem.where.line) for problem in wrong}
    bad = {file for file, _ in said}
    files = dict(base.texts)
    for path, text in texts.by_path.items():
        if not path.startswith(RULESET) or text is None or next(clashes(path, text), None):
            continue
        as_meant = requoted(text) if path in bad else text
        if path not in bad or as_meant != text:
            files[path.removeprefix(RULESET)] = as_meant
    try:
        problems = unsound(base, Ruleset.read(files, old=base), physics)
    except Malformed:
        return []
    return [each for each in problems if (each.where.file, each.where.line) not in said]


def _whole_path(problem: Problem) -> Problem:
    where = problem.where
    file = where.file if where.file.startswith(RULESET) or not where.file else RULESET + where.file
    return Problem(problem.what, Place(file, where.line, where.column, where.rule), problem.mend)


def clashes(path: str, text: str) -> Iterator[Problem]:
    """Where a merge left two versions in a file, for its author to choose from; a mark of one that stands alone, too."""
    begun = 0
    for number, line in enumerate(text.split("\n"), 1):
        mark = _MARK.match(line) if line[:1] in ("<", ">") else None
        if mark is None:
            continue
        if begun and mark[1][0] == "<":
            yield _clash(path, begun, begun)
        if mark[1][0] == ">":
            yield _clash(path, begun or number, number)
        begun = number if mark[1][0] == "<" else 0
    if begun:
        yield _clash(path, begun, begun)


def _clash(path: str, first: int, last: int) -> Problem:
    lines = f"line {first}" if first == last else f"lines {first} to {last}"
    mend = "choose one of the versions, and take the lines of <, = and > out"
    return Problem(f"conflict markers of a merge stand in {lines}", Place(path, first), mend)


def _in_rule(name: str, path: str, text: str) -> Iterator[Problem]:
    """All that is wrong in the file of a rule: where its front matter cannot be read, its body is looked at apart."""
    slug = name.rpartition("/")[2].partition("-")[2].removesuffix(".md")
    if name.rpartition("/")[2] == INDEX:
        return
    try:
        parse(text, slug, path)
    except Malformed as error:
        yield from error.problems
        try:
            front = files.split(text, path).front
            parse("---\ntitle: x\n" + "#\n" * (front.count("\n") - 1) + text[4 + len(front) :], slug, path)
        except Malformed as more:
            yield from more.problems


def _of_section(name: str, path: str, old: str | None, new: str | None) -> Iterator[Problem]:
    if name.rpartition("/")[2] == INDEX and (old is None or new is None or canonical(old) != canonical(new)):
        yield Problem(
            "the words of a section itself are no rule",
            Place(path),
            "take it out of the branch, or write a rule",
        )


def _sections(base: Ruleset, head: Ruleset) -> Iterator[Problem]:
    """Folders of sections that were given another number."""
    numbers = {name: number for number, name in base.sections}
    for number, name in head.sections:
        if numbers.get(name, number) != number:
            mend = f"call the folder {numbers[name]}-{name} again"
            yield Problem(f"the section {name} has another number", Place(f"{RULESET}{number}-{name}"), mend)


def _renamed(base: Ruleset, head: Ruleset) -> Iterator[Problem]:
    """Rules that only got another slug: a slug is for ever."""
    gone = [each for each in base.rules if each.slug not in head.by_slug]
    for new in head.rules:
        if new.slug in base.by_slug:
            continue
        old = next((each for each in gone if _same_rule(each, new)), None)
        if old is not None:
            gone.remove(old)
            mend = f"call it {new.prefix}-{old.slug}.md again; what people read is `title:`"
            yield Problem(
                f"the rule {old.slug} has another file name", Place(RULESET + new.path, 0, 0, new.title), mend
            )


def _same_rule(old: Placed, new: Placed) -> bool:
    if words(old)[1:] == words(new)[1:] or (old.mechanics and old.mechanics == new.mechanics):
        return True
    a, b = canonical(old.prose).split("\n"), canonical(new.prose).split("\n")
    return difflib.SequenceMatcher(None, a, b, autojunk=False).ratio() >= ALIKE


def _scenarios(tree: GameTree, texts: Texts, wrong: list[Problem]) -> Iterator[tuple[str, str | None]]:
    """The scenarios that differ, by name."""
    for path, text in texts.by_path.items():
        if not path.startswith(SCENARIOS):
            continue
        name = path.removeprefix(SCENARIOS).removesuffix(".yml")
        if not path.endswith(".yml") or naming.slug(name) != name:
            mend = f"call it {naming.slug(name.partition('.')[0])}.yml, directly in {SCENARIOS}"
            wrong.append(Problem("a bad file name of a scenario", Place(path), mend))
            continue
        old = (tree.entity(f"scenarios/{name}") or {}).get("text")
        new = None if text is None else text.rstrip("\n") + "\n"
        marks = list(clashes(path, text or ""))
        wrong += marks
        if new is not None and not marks:
            try:
                if not isinstance(files.read(new, path), dict):
                    wrong.append(Problem("a scenario is a map", Place(path, 1), "begin it with `name:`"))
            except Malformed as error:
                wrong += error.problems
        if new != (None if old is None else str(old).rstrip("\n") + "\n"):
            yield name, new
