"""The law of all times as data: each rule in one file, its lines with from when until when each stood, for pages that compare."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from msgspec import Struct

from nomicgit.ground import clock
from nomicgit.record.annals import Amendment, Done
from nomicgit.site import bygone, chronicle
from nomicgit.site.onlooking import Look
from nomicgit.site.page import rule_uri, url_of
from nomicgit.site.scribe import DIGITS, title_of


class Line(Struct):
    """A line of a rule's file, and the deeds from which and until which (None: it stands) it did so, by their places."""

    text: str
    since: int
    until: int | None = None


def woven(history: Sequence[Amendment]) -> list[Line]:
    """All lines that a rule ever had, in an order in which those of each of its texts stand as they stood there."""
    lines: list[Line] = []
    for each in history:
        standing = [at for at, line in enumerate(lines) if line.until is None]
        old, new = [lines[at].text for at in standing], (each.new or "").splitlines()
        for tag, i1, i2, j1, j2 in reversed(SequenceMatcher(None, old, new, autojunk=False).get_opcodes()):
            if tag == "equal":
                continue
            for at in standing[i1:i2]:
                lines[at].until = each.done.place
            after = standing[i2 - 1] + 1 if i2 else 0
            lines[after:after] = [Line(text, each.done.place) for text in new[j1:j2]]
    return lines


def files(look: Look) -> dict[str, str]:
    """A file for each rule that ever was, and one that says which there are, when the law changed, and the dynasties."""
    histories = look.annals.amendments
    law = {
        "at": clock.text(look.at), "deeds": len(look.annals.deeds), "turns": list(_turns(look)),
        "dynasties": list(_dynasties(look)), "rules": list(_rules(look)),
    }  # fmt: skip
    texts = {
        _uri(slug): {"slug": slug, "lines": [[line.text, line.since, line.until] for line in woven(history)]}
        for slug, history in histories.items()
    }
    return {
        uri: json.dumps({"format": 1, name: value}) + "\n"
        for name, some in (("law", {bygone.LAW: law}), ("lines", texts))
        for uri, value in some.items()
    }


def _uri(slug: str) -> str:
    return f"api/law/{slug}.json"


def _turns(look: Look) -> Iterator[dict[str, object]]:
    for done in bygone.turns(look):
        yield {
            "place": done.place,
            "at": clock.text(done.deed.at),
            "commit": done.commit[:DIGITS],
            "name": _name(look, done),
            "url": url_of(bygone.law_uri(done)),
        }


def _name(look: Look, done: Done) -> str:
    title = look.world.store.value(f"posts/{done.source}", "title") if done.source is not None else None
    return f"{done.source}. {title}" if isinstance(title, str) else chronicle.called(done)


def _dynasties(look: Look) -> Iterator[dict[str, object]]:
    for reign in look.annals.reigns:
        name = f"Dynasty {reign.number}" + (f": {reign.name}" if reign.name else "")
        yield {"name": name, "from": reign.began.place, "until": reign.ended.place if reign.ended else None}


def _rules(look: Look) -> Iterator[dict[str, object]]:
    for slug, history in look.annals.amendments.items():
        placed = look.world.ruleset.by_slug.get(slug)
        title = placed.title if placed else title_of(history[-1].new or history[-1].old or "", slug)
        places = [each.done.place for each in history]
        yield {"title": title, "url": url_of(rule_uri(slug)), "file": _uri(slug), "changed": places}
