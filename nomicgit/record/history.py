"""The deeds before a commit, as the law and the evidence of later deeds tell them."""

from __future__ import annotations

from collections.abc import Iterator

from nomicgit.git import Commit, Repository
from nomicgit.ground import clock, files
from nomicgit.record import journal
from nomicgit.record.tree import STATE, decoded


def earlier(repository: Repository, tip: str, name: str) -> dict[str, object] | None:
    """The deed of an id that stands before a commit, or in it; None where there is none."""
    commits = journal.standing(repository.log(tip))
    named = (commit for commit in commits if f"Nomic-Id: {name}\n" in commit.message)
    deeds = (c for c in named if (entry := journal.told(c.message)) and entry.deed.id == name)
    return next((told_of(repository, commit) for commit in deeds), None)


def told_of(repository: Repository, commit: Commit) -> dict[str, object]:
    """A deed of the record as the law and the evidence of later deeds tell it: ``{deed, effects}``."""
    deed = journal.parse(commit.message, commit.oid).deed
    facts = {
        "actor": f"players/{deed.actor}" if deed.actor else None,
        "action": f"actions/{deed.action}",
        "with": dict(deed.given),
        "at": clock.text(deed.at),
    }
    return {"deed": facts, "effects": list(effects_of(repository, commit))}


def effects_of(repository: Repository, commit: Commit) -> Iterator[dict[str, object]]:
    """What a commit changed in the gamestate, field by field."""
    if not commit.parents:
        return
    old = repository.commit(commit.parents[0]).tree
    for path, before, after in repository.changed(old, commit.tree):
        if not path.startswith(STATE) or not path.endswith(".yml") or path == STATE + "open.yml":
            continue
        kind, slash, name = path.removeprefix(STATE).removesuffix(".yml").partition("/")
        ref = f"{kind}/{decoded(name)}" if slash else kind
        a, b = _fields(repository, before, path), _fields(repository, after, path)
        if slash and (before is None) != (after is None):
            field = "created" if before is None else "destroyed"
            yield {
                "ref": ref,
                "field": field,
                "old": None if before is None else a,
                "new": None if after is None else b,
            }
        for field in sorted({*a, *b}):
            if a.get(field) != b.get(field) and field != "made":
                yield {"ref": ref, "field": field, "old": a.get(field), "new": b.get(field)}


def _fields(repository: Repository, entry: tuple[str, str] | None, path: str) -> dict[str, object]:
    fields = files.read(repository.blob(entry[1]), path) if entry else None
    return fields if isinstance(fields, dict) else {}
