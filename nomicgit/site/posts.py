"""The posts, as one reads a blog: lists by time and kind, and a page for each with its comments, votes and changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from nomicgit.ground.reasons import worded
from nomicgit.outlook.overview import Outlook
from nomicgit.physics.state import naming
from nomicgit.site import acts, bygone, chronicle, dues, markup, matters, traces
from nomicgit.site.asked import Untold
from nomicgit.site.differences import difference
from nomicgit.site.onlooking import KINDLESS, Look
from nomicgit.site.page import BEGINNING as BEGINS
from nomicgit.site.page import Page, Section, ways_to
from nomicgit.site.pointing import led
from nomicgit.site.proposed import asked_for
from nomicgit.site.scribe import ANY, Scribe, untold
from nomicgit.site.untrusted import rendered

URI = "posts.md"
LATEST = 15  # posts on the first page, with the beginning of each
LISTED = 100  # posts on a page of a list
BEGINNING = 320  # characters
MADE = frozenset({None, "pending", "enacted"})  # what a post is whose changes were, or may be, made
LONG = 1500  # letters of a post, beyond which it says what stands below it
BADGE = "tally.svg"  # the picture of a post's tally, from the post's page
DIFFERENT = 10  # rules whose differences stand on a post's page
CLOCKED = "What fell due by the clock until the enactment is recorded with it, and is none of the matter’s:"


def pages(look: Look) -> Iterator[Page]:
    """The latest first, then the lists, then each post."""
    numbers = look.posts()
    kinds: dict[str, list[int]] = {}
    for number in numbers:
        kinds.setdefault(str(look.world.store.value(f"posts/{number}", "kind")), []).append(number)
    yield index(look, numbers, kinds)
    yield from _lists(look, "all", "All posts", numbers)
    for kind, some in kinds.items():
        yield from _lists(look, kind, _of_kind(look, kind), some)
    finished = _finished(look)
    for number in numbers:
        pends = look.world.store.value(f"posts/{number}", "status") == "pending"
        yield of_post(look, number, searched=pends or number > finished)


def _finished(look: Look) -> int:
    """The last post of a dynasty that is over, the one before the present dynasty's announcement."""
    began = look.annals.reigns[-1].began if len(look.annals.reigns) > 1 else None
    if began is None:
        return 0
    return max(
        (number for number, done in look.annals.postings.items() if done.place < began.place), default=0
    )


def index(look: Look, numbers: list[int], kinds: Mapping[str, list[int]]) -> Page:
    """The latest posts, and the way to all others."""
    scribe = Scribe(look, URI)
    if not numbers:
        return Page(URI, "Posts", markup.tag("p", "There is no post yet."), listed=True)
    ways = [scribe.link(f"All ({len(numbers)})", _list_uri("all", 1))]
    ways += [
        scribe.link(
            f"{'other posts' if kind == KINDLESS else look.kind(kind)} ({len(some)})", _list_uri(kind, 1)
        )
        for kind, some in sorted(kinds.items())
    ]
    ways += [scribe.link("by dynasty", "dynasties.md"), scribe.link("by player", "players.md")]
    lead = markup.joined(
        (
            markup.tag("p", markup.joined(ways, " · "), class_="nomic-about"),
            *(_card(scribe, number) for number in numbers[:LATEST]),
        )
    )
    about = "What was posted in this game, the latest first: matters to vote on, and all that people wrote."
    return Page(URI, "Posts", lead, listed=True, searched=False, about=about)


def _card(scribe: Scribe, number: int) -> Markup:
    """A post's title, how it stands, and how it begins."""
    ref = f"posts/{number}"
    text = markup.line(rendered(str(scribe.look.world.store.value(ref, "body") or "")))
    text = text if len(text) <= BEGINNING else text[: BEGINNING - 1] + "…"
    kind, author, when, state, votes = _row(scribe, ref)
    said = scribe.look.talk(ref)
    facts = [markup.joined((kind, " by ", author)), when]
    facts += [each for each in (state, votes) if each != markup.nothing()]
    facts += [f"{said} comment{'s' if said > 1 else ''}"] if said else []
    about = markup.joined(facts, " · ")
    parts = (
        markup.tag("h2", scribe.post(number), id=f"post-{number}"),
        markup.tag("p", about, class_="nomic-about"),
        markup.tag("p", text),
    )
    return markup.tag("article", *parts, class_="nomic-card")


def _of_kind(look: Look, kind: str) -> str:
    return "Other posts" if kind == KINDLESS else f"Posts of the kind {look.kind(kind)}"


def _list_uri(kind: str, number: int) -> str:
    """A list of posts; its first page, with the latest, is that of its folder."""
    return f"posts/{kind}/{number if number > 1 else 'index'}.md"


def _lists(look: Look, kind: str, title: str, numbers: list[int]) -> Iterator[Page]:
    """Posts by the hundred, newest first."""
    most = (len(numbers) - 1) // LISTED + 1
    for number in range(1, most + 1):
        uri = _list_uri(kind, number)
        scribe = Scribe(look, uri)
        ways = [scribe.link("Posts", URI)]
        ways += [
            scribe.link(words, _list_uri(kind, other))
            for words, other in (("newer", number - 1), ("older", number + 1))
            if 0 < other <= most
        ]
        lead = markup.joined(
            (
                markup.tag(
                    "p", markup.joined(ways, " · "), f" · page {number} of {most}", class_="nomic-about"
                ),
                table(scribe, numbers[(number - 1) * LISTED : number * LISTED]),
            )
        )
        yield Page(uri, title if most == 1 else f"{title}, page {number}", lead, searched=False)


def table(scribe: Scribe, numbers: Sequence[int], *, of_one: bool = False) -> Markup:
    """Posts as a table; ``of_one``: all by the same author, who is not told again."""
    head = ["Post", "Kind", "Author", "When", "Status", "Votes"]
    rows = ([scribe.post(number), *_row(scribe, f"posts/{number}")] for number in numbers)
    if of_one:
        author = head.index("Author")
        head, rows = [*head[:author], *head[author + 1 :]], ([*r[:author], *r[author + 1 :]] for r in rows)
    return markup.table(head, rows, sortable=True, label="Posts")


def _row(scribe: Scribe, ref: str) -> list[object]:
    stored = scribe.look.world.store.value
    votes = tally(scribe.look, ref) if votable(scribe.look, ref) else markup.nothing()
    return [
        scribe.look.kind(stored(ref, "kind")),
        scribe.author(ref),
        markup.moment(str(stored(ref, "at"))),
        status(scribe.look, ref),
        votes,
    ]


def votable(look: Look, ref: str) -> bool:
    """Whether people vote on a post."""
    return look.value(ref, "votable") is True


def tally(look: Look, ref: str) -> Markup:
    """How many of which vote a matter has."""
    counts = look.view("tally", ref)
    return untold(counts) if isinstance(counts, Untold) else markup.counted(counts)


def status(look: Look, ref: str) -> Markup:
    """What became of a post."""
    status = look.world.store.value(ref, "status")
    return markup.mark(status) if isinstance(status, str) else markup.nothing()


def votes(look: Look) -> Mapping[str, dict[int, str]]:
    """The icon that each player used last on each post."""
    icons: dict[str, dict[int, str]] = {}
    for number in look.posts():
        for entry in look.comments(f"posts/{number}"):
            if entry["icon"] and entry["by"]:
                by = str(entry["by"])
                icons.setdefault(by if "/" in by else f"players/{by}", {})[number] = str(entry["icon"])
    return icons


def verdict(scribe: Scribe, ref: str) -> Markup:
    """What is to be done about a pending matter, and why."""
    verdict = scribe.look.view("verdict", ref)
    if not isinstance(verdict, Mapping):
        return scribe.value(ANY, verdict)
    parts = [
        markup.mark(str(verdict.get("outcome", ""))),
        *(worded(str(verdict[key])) for key in ("reason",) if verdict.get(key)),
    ]
    if verdict.get("waits_for"):
        parts.append(markup.joined(("waits for ", scribe.value(ANY, verdict["waits_for"]))))
    return markup.joined(parts, " ")


def of_post(look: Look, number: int, *, searched: bool = True) -> Page:
    """A post: what it says and does, how the votes stand, what was said of it."""
    uri, ref = f"posts/{number}.md", f"posts/{number}"
    scribe, stored = Scribe(look, uri), look.world.store.fields(ref) or {}
    sections = []
    if votable(look, ref):
        sections.append(Section("votes", "Votes", _votes(scribe, ref)))
    if stored.get("changes"):
        title = "What it changes" if stored.get("status") in MADE else "What it would have changed"
        sections.append(Section("changes", title, _changes(scribe, number, stored["changes"])))
    closed = look.annals.closings.get(number)
    if closed and closed.notes:
        due = look.dues().get(closed.place)
        notes = _notes(closed.notes, due.lines if due else 0)
        sections.append(Section("resolution", "What the journal says of its resolution", notes))
    said = look.comments(ref)
    if said:
        bodies = [_comment(scribe, place, entry) for place, entry in enumerate(said, 1)]
        votes = " and votes" if look.talk(ref) < len(said) else ""
        title = f"Comments{votes}" if look.talk(ref) else "Votes as they came"
        sections.append(Section("comments", title, markup.joined(bodies)))
    body = led(scribe, str(stored.get("body", "")))
    below = ways_to(sections) if len(body) > LONG else markup.NOTHING
    facts = markup.facts(_facts(scribe, number, stored))
    lead = markup.joined((facts, below, markup.tag("div", body, class_="nomic-body")))
    title, about = f"{number}. {stored.get('title', '')}", markup.line(body[:BEGINS])
    return Page(uri, title, lead, tuple(sections), searched=searched, about=about)


def _facts(scribe: Scribe, number: int, stored: Mapping[str, Any]) -> Iterator[tuple[object, object]]:
    look, ref = scribe.look, f"posts/{number}"
    yield "Kind", look.kind(stored.get("kind"))
    yield "By", scribe.author(ref)
    posted = look.annals.postings.get(number)
    yield "Posted", scribe.dated(posted) if posted else markup.moment(str(stored.get("at")))
    if isinstance(stored.get("status"), str):
        closed = look.annals.closings.get(number)
        when = markup.joined((" ", scribe.dated(closed))) if closed else ""
        yield "Status", markup.joined((status(look, ref), when))
    reign = look.annals.reign_at(posted.place) if posted else None
    if reign:
        yield "Dynasty", scribe.reign(reign)
    if address := acts.thread(look, number):
        yield "On GitHub", markup.tag("a", "vote and comment there", href=address, rel="noopener")
    elif stored.get("status") == "pending" and (way := acts.elsewhere(look, number)):
        yield "On GitHub", markup.joined(("it has no pull request and no issue; vote on it by ", way))
    if stored.get("tags"):
        yield "Tags", ", ".join(map(str, stored["tags"]))
    for variable in look.variables("posts"):
        if variable.tracked != "public":
            if variable.name in stored:
                yield variable.name.replace("_", " "), scribe.variable(ref, variable)
        elif (value := look.value(ref, variable.name)) is not False and not markup.empty(value):
            yield variable.name.replace("_", " "), scribe.variable(ref, variable)


def _notes(notes: Sequence[str], due: int) -> Markup:
    """What a deed said, line by line: what of a matter was skipped, and why, among it. The first lines tell what fell due before."""
    said = [*(f"{chronicle.BY_CLOCK}: {note}" for note in notes[:due]), *notes[due:]]
    return markup.tag("ul", *(markup.tag("li", note) for note in said))


def _changes(scribe: Scribe, number: int, changes: object) -> Markup:
    """What a matter changed, by the record: rules and values; of one that is not enacted what it asks for; and as written."""
    look, ref = scribe.look, f"posts/{number}"
    done = list(look.annals.amended_by(number))
    enacted = look.annals.closings.get(number) if look.world.store.value(ref, "status") == "enacted" else None
    moved = look.moved_by(enacted) if enacted else []
    values, by_clock = ([each for each in moved if each.clock is clocked] for clocked in (False, True))
    parts: list[Markup] = []
    for slug, each in done[:DIFFERENT]:
        heading = markup.tag(
            "h3", scribe.rule(slug), " ", markup.mark("repealed") if each.new is None else ""
        )
        parts += [heading, markup.NOTHING if each.new is None else difference(each.old, each.new)]
    if done:
        left = f" {len(done) - DIFFERENT} more rules changed." if len(done) > DIFFERENT else ""
        parts.append(
            markup.tag(
                "p",
                bygone.link(scribe, done[0][1].done, "The whole law and the gamestate as of then"),
                ".",
                left,
            )
        )
    if values:
        heading = markup.tag("h3", "Values that changed") if done else markup.NOTHING
        parts += [heading, traces.of_deed(scribe, values)]
        if enacted is not None and look.dues().get(enacted.place, True) is None:
            parts.append(markup.tag("p", dues.mixed(look.game.repository, enacted), class_="nomic-about"))
    if enacted is None and not done:
        parts.append(asked_for(look, ref, changes))
    elif not done and not values:
        parts.append(markup.tag("p", "No rule and no value changed by it."))
    if by_clock:
        parts += [markup.tag("p", CLOCKED, class_="nomic-about"), traces.of_deed(scribe, by_clock)]
    parts.append(markup.folded("As written", markup.unsearched(markup.as_yaml(changes))))
    return markup.joined(parts)


def _votes(scribe: Scribe, ref: str) -> Markup:
    """The tally, what is to be done, and why each vote counts or not."""
    look = scribe.look
    lines = [markup.tag("p", tally(look, ref))]
    if look.world.store.value(ref, "status") == "pending":
        lines.append(markup.tag("p", _standing(scribe, ref)))
    reasons = look.view("reasons", ref)
    if isinstance(reasons, Mapping) and reasons:
        rows = ((scribe.value(ANY, who), str(why)) for who, why in reasons.items())
        lines.append(markup.table(["Voter", "Counts as"], rows))
    elsewhere = markup.tag("a", "as a picture that other sites may show", href=BADGE)
    lines.append(markup.tag("p", "The tally ", elsewhere, ".", class_="nomic-about"))
    return markup.joined(lines)


def _standing(scribe: Scribe, ref: str) -> Markup:
    """What may become of a pending matter, and from when on, as its card says it; what the law says where it has no card."""
    seen = scribe.look.outlook()
    number = int(ref.partition("/")[2])
    waiting = [each for each in seen.matters if each.number == number] if isinstance(seen, Outlook) else []
    return matters.verdict(scribe, waiting[0]) if waiting else verdict(scribe, ref)


def _comment(scribe: Scribe, place: int, entry: Mapping[str, object]) -> Markup:
    by = scribe.player(entry["by"]) if entry["by"] else markup.escaped("the clock")
    if entry["by"] and naming.is_guest(scribe.look.world.store, str(entry["by"]).removeprefix("players/")):
        by = markup.joined([by, " (a guest)"])
    icon = [markup.mark(str(entry["icon"]).upper(), str(entry["icon"]))] if entry["icon"] else []
    head = markup.tag(
        "p", markup.joined([by, *icon, markup.moment(str(entry["at"]))], " "), class_="nomic-about"
    )
    return markup.tag(
        "div", head, led(scribe, str(entry["text"])), class_="nomic-comment", id=f"comment-{place}"
    )
