"""The check of a branch: whether it can become a proposal, and what enacting that would do."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from keyword import kwlist
from operator import attrgetter
from typing import Any, Literal, NamedTuple

from msgspec import Struct, field

from nomicgit.ground import deaths, worker
from nomicgit.ground.problems import Malformed, NomicError, Place, Problem
from nomicgit.law import foreign
from nomicgit.law.definitions import text_of
from nomicgit.law.ruleset import Ruleset
from nomicgit.law.unreadable import legible
from nomicgit.outlook.branches import Expressed, changes_of, first_words
from nomicgit.outlook.branches.meanwhile import Brought, meanwhile
from nomicgit.outlook.branches.sides import clashes
from nomicgit.outlook.broken_scenarios import of_scenario
from nomicgit.outlook.checks import broken_files
from nomicgit.outlook.checks.answerable import NO_ANSWER
from nomicgit.outlook.checks.arising import followed, found_and_tried, unsaid, waiting
from nomicgit.outlook.checks.authored import Authored, as_problem
from nomicgit.outlook.checks.checking import newly_found
from nomicgit.outlook.checks.collisions import told_of
from nomicgit.outlook.checks.differing import RuleDiffers, differing
from nomicgit.outlook.checks.disclosing import disclosed
from nomicgit.outlook.checks.enactment import tried
from nomicgit.outlook.checks.finding import Finding, error, warning
from nomicgit.outlook.checks.law import of_this_law
from nomicgit.outlook.checks.named import UNDEFINED
from nomicgit.outlook.checks.prospective import UNDONE, open_to_all, undone
from nomicgit.outlook.checks.rehearsed import failing, kept
from nomicgit.outlook.checks.sights import BROKEN
from nomicgit.outlook.checks.trying import of_any
from nomicgit.outlook.checks.uncovered import Uncovered
from nomicgit.outlook.checks.unused import UNUSED
from nomicgit.outlook.checks.voted import NOT_ENACTED, Matter, as_the_law_has_it
from nomicgit.physics.deeds import trial
from nomicgit.record.game import Game
from nomicgit.record.tree import GameTree

_LACKS = re.compile(
    r"\b(?:declares|defines)(?: the \w+| a collection)? ([\w-]+)|\{\{\w+\.([\w-]+)|([\w-]+),? which no(?:body| rule)"
    r"|is called ([\w-]+): anything|emits the event ([\w-]+)|watches ([\w-]+),|nobody has the \w+ ([\w-]+)"
)
"""What a finding says that nothing has: of that a rule which cannot be read may have it."""
_NAMES = re.compile(r"[^\W\d]\w*")
_PLACES = re.compile(r"game/[\w./-]+\.md:\d+")


def _plain(text: str) -> str:
    """A text by its letters and digits alone."""
    return re.sub(r"[\W_]", "", text).casefold()


def slug_of(file: str) -> str:
    """The slug of the rule that lies in a file."""
    return file.rpartition("/")[2].partition("-")[2]


class Pending(NamedTuple):
    """The pending post that a branch is, by its number; whether it does what the branch does now."""

    post: int
    same: bool

    def __str__(self) -> str:
        if self.same:
            return f"it is post {self.post}, which is pending"
        return f"post {self.post}, which is pending, has an earlier state of it"


class BranchChecked(Struct, frozen=True):
    """What the check of a branch found; ``enactment`` is plain data, empty where it cannot be tried."""

    findings: tuple[Finding, ...]
    expressed: Expressed | None = None
    rules: tuple[RuleDiffers, ...] = ()
    enactment: Mapping[str, Any] = field(default_factory=dict)
    pending: Pending | None = None

    @property
    def sound(self) -> bool:
        """Whether nothing stands against it; warnings do not."""
        return not any(finding.level == "error" for finding in self.findings)

    @property
    def unsound(self) -> str:
        """What its errors mean: that it cannot be enacted, or that it can, and would not work."""
        bricked = any(each.problem.what.startswith(f"{UNDONE}: ") for each in self.findings)
        law = self.enactment.get("law", {})
        if bricked or any(self.enactment.get("made", ())) or not (law.get("enacted") or law.get("refused")):
            return "it cannot be enacted as it stands"
        if law.get("refused"):
            return "it cannot be submitted now; were it enacted later as it stands, what is an error would not work then"
        return "it can be enacted as it stands, and what is an error would not work then"

    @property
    def submittable(self) -> bool:
        """Whether it is sound, and the law in force lets somebody submit it now."""
        return self.sound and self.pending is None and not self.enactment.get("law", {}).get("refused")

    def as_json(self) -> dict[str, Any]:
        """Plain data, its keys always the same."""
        tried_out = {key: self.enactment.get(key, empty) for key, empty in EMPTY.items()}
        return {
            "sound": self.sound, "submittable": self.submittable, "findings": [each.as_json() for each in self.findings],
            "branch": self.expressed.as_json() if self.expressed else None,
            "is_post": self.pending and self.pending._asdict(),
            "rules": [each.as_json() for each in self.rules], **tried_out,
        }  # fmt: skip


EMPTY: Mapping[str, Any] = {
    "title": "", "sections": [], "made": [], "remarks": [], "law": {}, "values": [], "actions": [], "views": [], "pending": [],
    "scenarios": [], "notes": [], "chance": False,
    "programs": [], "posts": [], "secrets": [],
}  # fmt: skip


def check_branch(
    game: Game, base: str, head: str, at: int, *, tags: Sequence[str] = (), author: str | None = None
) -> BranchChecked:
    """Check what lies between two commits as a proposal brought to a game at a time, in seconds.

    ``author`` is who would submit it; None: anybody who can.
    """
    try:
        expressed = changes_of(game.repository, base, head)
    except NomicError as wrong:
        if not isinstance(wrong, Malformed):  # of what is too much no more is read
            return BranchChecked(tuple(map(error, wrong.problems)))
        beside = _beside(game, base, head, wrong.problems)
        return BranchChecked((*map(error, _of_its_law(game, head, wrong.problems)), *beside))
    title, body = first_words(game.repository, base, head)
    pending = _pending(game, expressed, base, head, author)
    instead = f"posts/{pending.post}" if pending else ""
    matter = Matter(title or "A proposal", body, tags, expressed.changes, instead=instead)
    findings = [warning(Problem(line)) for line in expressed.told]
    try:
        done = tried(game.looked_at(at), matter)
        law = as_the_law_has_it(game.looked_at(at), matter, author)
    except NomicError as wrong:
        placed = _deadly(game, head, at) if isinstance(wrong, deaths.Died) else []
        stands = (*findings, *(placed or map(error, wrong.problems)))
        return BranchChecked(stands, expressed, pending=pending)
    after = Ruleset.read(done.pop("texts"), old=game.ruleset)
    rules = differing(game.ruleset, after)
    brought = Brought(
        *(GameTree(game.repository, game.repository.commit(end).tree).ruleset() for end in (base, head))
    )
    unlawful = _unlawful(game, brought) if any(done["made"]) else []
    authored = Authored.of(brought, game.ruleset, expressed.changes, after)
    drawn = authored.drawn if any(done["made"]) else None
    reads: dict[str, Uncovered] = {}
    of_rules = list(map(authored.own, found_and_tried(game.looked_at(at), authored.lines, drawn, reads)))
    secrets = list(disclosed(game.law, game.physics.law(after), done["programs"], reads))
    done |= {"programs": [*done["programs"]], "secrets": secrets}
    lacking = {authored.files.get(each, each) for each in waiting(game.looked_at(at), authored.lines, drawn)}
    follow = list(map(authored.own, followed(game.looked_at(at), authored.lines)))
    law["notes"] = list(map(authored.told, unsaid(law["notes"], [*of_rules, *follow])))
    done["made"] = list(map(authored.told, done["made"]))
    done["remarks"] = [
        [authored.placed(Problem.of_json(each)).as_json() for each in some] for some in done["remarks"]
    ]
    unmade = [as_problem(why).what for why in done["made"] if why]
    lines = (each.problem.where for each in (*unlawful, *of_rules, *follow) if each.problem.where.line)
    places = {f"{each.file}:{each.line}" for each in lines}
    law["notes"] = [
        note
        for note in law["notes"]
        if places.isdisjoint(_PLACES.findall(note)) and not any(each in note for each in (*unmade, *lacking))
    ]
    for view in done["views"]:
        view["new"] = authored.told(view["new"]) if isinstance(view["new"], str) else view["new"]
    placed = [each for each in of_rules if each.problem.where.file]
    done["views"] = [each for each in done["views"] if not _breaks_in(each["new"], lacking)]
    of_changes = _of_changes(done, [*unlawful, *placed], follow)
    whats = " ".join(each.problem.what for each in of_changes)
    whole = [each for each in of_rules if each not in placed and each.problem.what not in whats]
    met = [warning(Problem(line)) for line in meanwhile(brought, game.ruleset, after)]
    bricking = _bricking(game, after)
    findings += unlawful + of_changes + met + _of_the_law(law) + placed + whole + bricking
    old, brings = kept(game.looked_at(at)), done.pop("scenarios")
    failed, _ = failing(
        {} if bricking else brings, old, game.ruleset, after, game.physics, whole=not any(done["made"])
    )
    scenarios = authored.of_scenarios(failed)
    findings += [warning(_broken_scenario(each)) for each in scenarios]
    sections = list(
        dict.fromkeys(
            each.section
            for each in (*after.rules, *game.ruleset.rules)
            if each.slug in {r.slug for r in rules}
        )
    )
    enactment = done | {"title": matter.title, "sections": sections, "law": law, "scenarios": scenarios}
    return BranchChecked(tuple(dict.fromkeys(findings)), expressed, rules, enactment, pending)


def _pending(game: Game, expressed: Expressed, base: str, head: str, author: str | None) -> Pending | None:
    """The pending post that a branch was submitted as, if it was; by its author it may have been rebased since."""
    for number in (game.tree.entity("open") or {}).get("pending") or ():
        post = game.tree.entity(f"posts/{number}") or {}
        stands, content = post.get("branch_head"), post.get("hash")
        if not isinstance(stands, str):
            continue
        own = author is not None and post.get("author") == f"players/{author}"
        if stands == head or (own and content == expressed.hash):
            return Pending(int(number), content == expressed.hash)
        known = game.repository.resolve(stands)
        if known and game.repository.leads_to(known, head) and not game.repository.leads_to(known, base):
            return Pending(int(number), same=False)
    return None


def _beside(game: Game, base: str, head: str, said: Sequence[Problem]) -> list[Finding]:
    """What is found in the rules of a branch that cannot become changes, beside why: so all can be mended at once."""
    spoken = {each.what for each in said} | {(each.where.file, each.where.line) for each in said}

    def tree(end: str) -> GameTree:
        return GameTree(game.repository, game.repository.commit(end).tree)

    def newly() -> tuple[list[tuple[Literal["error", "warning"], dict[str, object]]], dict[str, str]]:
        before, (whole, gone) = tree(base).ruleset(), _legible(tree(head).ruleset_quoted())
        unread = partial(_of_unread, tree(head).ruleset_quoted(), whole)
        findings = [each for each in newly_found(before, whole, game.physics) if not unread(each.problem)]
        return [(each.level, each.problem.as_json()) for each in findings], gone

    try:
        plain, gone = worker.run(newly)
    except NomicError:
        return []  # its files cannot be read as rules, and that is said
    after = tree(head)
    rules = after.ruleset_quoted().rules
    lines, mechanics = (
        {each.file: part(each) for each in rules if each.mechanics}
        for part in (attrgetter("line"), attrgetter("mechanics"))
    )
    unreadable = {each.where.file for each in said} - {each.file for each in rules}
    kept_from = {
        file: (game.repository.file(after.tree, file) or b"").decode(errors="replace")
        for file in sorted(unreadable)
        if file
    }
    texts = "\n".join((*kept_from.values(), *gone.values()))
    unread = {
        each.where.file for each in said if each.where.line > lines.get(each.where.file, each.where.line)
    }
    findings = [Finding(level, Problem.of_json(each)) for level, each in plain]

    def known(each: Problem) -> bool:  # what unread mechanics define and do, nobody knows but by their words
        file, name = each.where.file, each.what.removeprefix(UNDEFINED).partition(",")[0]
        lacks = (name for groups in _LACKS.findall(each.what) for name in groups if name)
        if any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", texts) for name in lacks):
            return False
        if file not in unread:
            return True
        if (
            each.where.line > lines[file]
        ):  # of a line that can be read, where it speaks of nothing that stands in others
            return file in gone and not {*_NAMES.findall(each.what)} & {*_NAMES.findall(gone[file])} - {
                *kwlist
            }
        names = (
            name,
            name.partition("_")[2] or name,
        )  # such a line may be what cannot be read, however it is written
        written = each.what.startswith(UNDEFINED) and any(_plain(n) in _plain(mechanics[file]) for n in names)
        return each.where.line < lines[file] and not written

    return [
        each
        for each in [*findings, *_in_files(kept_from)]
        if known(each.problem)
        and each.problem.what not in spoken
        and (each.problem.where.file, each.problem.where.line) not in spoken
    ]


def _of_its_law(game: Game, head: str, said: Sequence[Problem]) -> list[Problem]:
    """Why a branch cannot become changes, with what its own law has in what there is to write."""
    try:
        rules, _ = _legible(GameTree(game.repository, game.repository.commit(head).tree).ruleset_quoted())
        return [of_this_law(game.physics.law(rules), each) for each in said]
    except NomicError:
        return [*said]


def _of_unread(as_written: Ruleset, whole: Ruleset, problem: Problem) -> bool:
    """Whether a problem is that nothing of a kind stands where lines cannot be read: one of them may be just that."""
    rules = [each for each in as_written.rules if each.mechanics != whole.by_slug[each.slug].mechanics]
    if UNUSED.match(problem.what):
        return problem.where.file in {each.file for each in rules}
    name, _, what = problem.what.partition(" ")
    unread = (each for each in rules if each.file == problem.where.file and what.startswith(NO_ANSWER))
    return any(
        text_of(each.mechanics, name) != text_of(whole.by_slug[each.slug].mechanics, name) for each in unread
    )


def _legible(ruleset: Ruleset) -> tuple[Ruleset, dict[str, str]]:
    """A ruleset without the lines of mechanics that cannot be read, and these by their files."""
    texts, gone = dict(ruleset.texts), dict[str, str]()
    for each in ruleset.rules:
        text = legible(each.file, each.mechanics)
        if text and text != each.mechanics:
            lines, written, read = texts[each.path].split("\n"), each.mechanics.split("\n"), text.split("\n")
            lines[each.line : each.line + len(read)] = read
            texts[each.path] = "\n".join(lines)
            gone[each.file] = "\n".join(old for old, new in zip(written, read, strict=True) if old != new)
    return (Ruleset.read(texts, old=ruleset), gone) if gone else (ruleset, gone)


def _in_files(texts: Mapping[str, str]) -> list[Finding]:
    """What is wrong in files that cannot be read as rules, one thing beside the other."""

    def wrong() -> list[dict[str, object]]:
        return [
            each.as_json()
            for file, text in texts.items()
            if not next(clashes(file, text), None)  # of two versions each may be sound
            for each in broken_files.beside(file, text, slug_of(file.removesuffix(".md")))
        ]

    try:
        return [error(Problem.of_json(each)) for each in (worker.run(wrong) if texts else ())]
    except NomicError:
        return []  # it ends the worker, or takes too long: that they cannot be read is told


def _deadly(game: Game, head: str, at: int) -> list[Finding]:
    """Where the rules of a branch break that are not to be tried as a proposal: they end the worker, or run on and on."""
    after = GameTree(game.repository, game.repository.commit(head).tree).ruleset()
    findings = found_and_tried(game.looked_at(at), after)
    placed = [each for each in findings if each.problem.where.file]
    return placed if any(each.level == "error" for each in placed) else []


def _unlawful(game: Game, brought: Brought) -> list[Finding]:
    """The errors in the rules of a branch as its author has them, where not all of its changes would be made."""
    newly = newly_found(brought.base, brought.head, game.physics)
    return [each for each in newly if each.level == "error"]


def _of_changes(done: Mapping[str, Any], said: Sequence[Finding], follow: Sequence[Finding]) -> list[Finding]:
    """Changes that would not be made now, or not after what is pending; and what of that would not be made then.

    ``said`` is what is told of the rules already, and what would ``follow`` from it nobody needs to know.
    """
    slugs = {slug_of(each.problem.where.file) for each in said if each.level == "error"}
    problems = [
        error(_barred(n, why))
        for n, why in enumerate(done["made"], 1)
        if why and slug_of(as_problem(why).where.file) not in slugs
    ]
    for n, surprises in enumerate(done["remarks"], 1):
        problems += (warning(Problem.of_json(each).of_part(f"change {n}")) for each in surprises)
    problems += _broken_views(done["views"], [*said, *follow])
    problems += (warning(Problem(line)) for each in done["pending"] for line in told_of(each))
    return problems


def _broken_scenario(failed: Mapping[str, Any]) -> Problem:
    """A scenario that fails, in its own line."""
    file, words = f"game/scenarios/{failed['name']}.yml", of_scenario(failed)
    place = re.search(rf"{re.escape(file)}(?::(\d+))?(?::\d+)?: ", words)
    line = int(place[1] or 1) if place else 1
    return Problem(words.replace(place[0], "", 1) if place else words, Place(file, line))


def _broken_views(views: Iterable[Mapping[str, Any]], said: Sequence[Finding]) -> Iterator[Finding]:
    """Views that would break, once for each place of which nothing is told yet."""
    places = {(each.problem.where.file, each.problem.where.line) for each in said}
    for each in views:
        if isinstance(each["new"], str) and each["new"].startswith(BROKEN):
            broken = as_problem(each["new"].removeprefix(BROKEN))
            one = of_any(broken.what)
            known = any(one == each.problem.what.partition(", here and in ")[0] for each in said)
            if (broken.where.file, broken.where.line) not in places and not known:
                places.add((broken.where.file, broken.where.line))
                what = f"the view {each['view']} would be {BROKEN}{broken.what}"
                yield error(Problem(what, broken.where, broken.mend or foreign.remedy(broken.what)))


def _breaks_in(view: object, files: Container[str]) -> bool:
    """Whether a view breaks in one of some files."""
    broken = isinstance(view, str) and view.startswith(BROKEN)
    return broken and as_problem(str(view).removeprefix(BROKEN)).where.file in files


def _barred(number: int, why: str) -> Problem:
    """Why a change would not be made, where that lies."""
    barred = as_problem(why)
    mend = barred.mend or (foreign.remedy(barred.what) if barred.where.line else "")
    return Problem(f"change {number} would not be made now: {barred.what}", barred.where, mend)


def _of_the_law(law: Mapping[str, Any]) -> list[Finding]:
    """What the law makes of it when it is submitted and enacted: tags that are wanted, and the like."""
    if law["refused"]:
        return [warning(Problem(f"it cannot be submitted now: {law['refused']}"))]
    if not law["enacted"]:
        return [warning(Problem(NOT_ENACTED))]
    return [warning(Problem(f"when it is enacted: {note}")) for note in law["notes"]]


def _bricking(game: Game, after: Ruleset) -> list[Finding]:
    """Whether the law after it leaves no way to change it: then it would not be enacted."""
    if after.acts_as(game.ruleset):
        return []
    world = open_to_all(game.world())
    before = world.mark()
    world.amend_law(after)
    why = trial.bricks(world, game.ruleset, before)
    return [error(Problem(undone(why)))] if why else []
