"""What it costs to refuse what is meant to hurt: branches through the command `check`, YAML through the strict reader."""

from __future__ import annotations

import os
import resource
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path

from tables import Table, ran

from nomicgit.git import Repository
from nomicgit.ground import files
from nomicgit.ground.problems import Malformed

RULES = "game/ruleset/2-dynastic/"
FILE, FOLDER = "100644", "40000"
MB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds of processor time, and the most memory that was used, in megabytes."""

    name: str
    seconds: float
    memory: float


def _nest(inner: str) -> str:
    """Eight levels, each of nine times the one before."""
    rows = ["a: &a {x: 1}"]
    for n in range(8):
        rows.append(f"{chr(98 + n)}: &{chr(98 + n)} " + inner % ", ".join([f"*{chr(97 + n)}"] * 9))
    return "\n".join(rows) + "\n"


BOMB, MERGE = _nest("[%s]"), _nest("{<<: [%s]}")


# ---- branches


def branches(scratch: Path) -> Iterator[Cost]:
    """What `check` takes for each of some hostile branches, the start of Python with it."""
    table = Table(scratch / "hostile")
    with Repository.open(table.folder) as repository:
        head = repository.head()
        assert head is not None
        base = repository.commit(head).tree
        made = {name: make(repository, base) for name, make in BRANCHES.items()}
        commits = {name: _commit(repository, tree, head) for name, tree in made.items()}
    for name, commit in commits.items():
        line = [
            sys.executable,
            "-m",
            "nomicgit",
            "-C",
            str(table.folder),
            "check",
            f"{head}..{commit}",
            "--json",
        ]
        code, seconds, memory = ran(line)
        assert code == 1, f"{name}: not refused ({code})"
        yield Cost(name, seconds, memory)


def _commit(repository: Repository, tree: str, parent: str) -> str:
    who = "T <t@example.org> 0 +0000"
    head = f"tree {tree}\nparent {parent}\nauthor {who}\ncommitter {who}\n\nwords\n"
    return repository.write("commit", head.encode())


def _rows(repository: Repository, rows: Iterator[tuple[str, str, str]]) -> str:
    return repository.write(
        "tree", b"".join(b"%s %s\0%s" % (m.encode(), n.encode(), bytes.fromhex(o)) for m, n, o in rows)
    )


def _with(repository: Repository, tree: str, path: list[str], mode: str, oid: str) -> str:
    """A tree with an entry put somewhere into it."""
    known = dict(repository.tree(tree))
    name, *rest = path
    known[name] = (FOLDER, _with(repository, known[name][1], rest, mode, oid)) if rest else (mode, oid)
    order = sorted(known.items(), key=lambda item: item[0] + "/" * (item[1][0] == FOLDER))
    return _rows(repository, ((mode, name, oid) for name, (mode, oid) in order))


def _bomb(repository: Repository, base: str) -> str:
    """Ten billion files out of twelve objects."""
    at, mode = repository.write("blob", b"boom\n"), FILE
    for _ in range(10):
        at, mode = _rows(repository, ((mode, f"d{n}", at) for n in range(10))), FOLDER
    return _with(repository, base, [*RULES.split("/")[:-1], "bomb"], FOLDER, at)


def _zeros(kind: str, mode: str) -> Callable[[Repository, str], str]:
    """A loose object that says it has a gibibyte."""

    def make(repository: Repository, base: str) -> str:
        head = f"{kind} {1 << 30}".encode() + b"\0"
        oid = sha1(head, usedforsecurity=False).hexdigest()
        path = Path(repository.git_dir) / "objects" / oid[:2] / oid[2:]
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(zlib.compress(head + bytes(1024)))
        return _with(repository, base, [*RULES.split("/")[:-1], "90-zeros.md"], mode, oid)

    return make


def _many(count: int) -> Callable[[Repository, str], str]:
    """A folder of many files."""

    def make(repository: Repository, base: str) -> str:
        blob = repository.write("blob", b"x")
        folder = _rows(repository, ((FILE, f"f{n:06}", blob) for n in range(count)))
        return _with(repository, base, [*RULES.split("/")[:-1], "90-many"], FOLDER, folder)

    return make


def _rule(text: Callable[[], str]) -> Callable[[Repository, str], str]:
    """A rule with a hostile text."""

    def make(repository: Repository, base: str) -> str:
        return repository.tree_with(base, {RULES + "90-rule.md": text().encode()})

    return make


def _rules(count: int, body: str, head: str = "title: Rule") -> Callable[[Repository, str], str]:
    """Rules of one hostile text."""

    def make(repository: Repository, base: str) -> str:
        blob = repository.write("blob", f"---\n{head}\n---\n{body}".encode())
        folder = _rows(repository, ((FILE, f"{n:04}-rule-{n}.md", blob) for n in range(count)))
        return _with(repository, base, [*RULES.split("/")[:-1], "90-many"], FOLDER, folder)

    return make


BRANCHES: Mapping[str, Callable[[Repository, str], str]] = {
    "ten billion files in twelve objects": _bomb,
    "a gibibyte of zeros as a file": _zeros("blob", FILE),
    "a gibibyte of zeros as a folder": _zeros("tree", FOLDER),
    "3,000 files": _many(3_000),
    "100,000 files": _many(100_000),
    "300 KB of words": _rule(lambda: "---\ntitle: Words\n---\n" + "word " * 60_000),
    "brackets without end": _rule(lambda: "---\ntitle: " + "[" * 100_000 + "\n---\nWords.\n"),
    "a bomb of aliases": _rule(lambda: "---\ntitle: Bomb\n" + BOMB + "---\nWords.\n"),
    "mechanics without end": _rule(
        lambda: "---\ntitle: Deep\n---\nWords.\n\n```starlark\nA = " + "[" * 100_000 + "\n```\n"
    ),
    "unseen characters": _rules(32, "\u200b\n" * 60_000),
    "blocks of mechanics": _rules(32, "```starlark\n```\n" * 15_000),
    "statements at the top level": _rules(32, "Words.\n\n```starlark\n" + "f()\n# f\n" * 20_000 + "```\n"),
    "2,000 rules without a title": _rules(1_990, "Words.\n", head="rare: 3"),
}

# ---- YAML


def yaml(texts: Mapping[str, str | bytes]) -> Iterator[Cost]:
    """What the strict reader takes to refuse each of some texts, in a process of its own."""
    files.read("a: {b: [c]}\n'x': 'y'\n")  # the parser is loaded
    for name, text in texts.items():
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            os.write(writer, repr(_read(text)).encode())
            os._exit(0)
        os.close(writer)
        with open(reader, encoding="ascii") as answer:
            seconds, memory, refused = answer.read().strip("()").split(", ")
        os.waitpid(child, 0)
        assert refused == "True", f"{name}: not refused"
        yield Cost(name, float(seconds), float(memory))


def _read(text: str | bytes) -> tuple[float, float, bool]:
    def most() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before, began = most(), time.process_time()
    try:
        files.read(text)
    except Malformed:
        return time.process_time() - began, (most() - before) / 1024, True
    return 0.0, 0.0, False


YAML: Mapping[str, str | bytes] = {
    "a bomb of aliases": BOMB, "a bomb of merge keys": MERGE, "a value within itself": "&a [*a]",
    "a hundred thousand brackets": "[" * 100_000, "a hundred thousand maps": "{a: " * 100_000,
    "a hundred thousand dashes": "- " * 100_000, "a hundred thousand keys within keys": "? " * 100_000,
    "maps set in a thousand deep": "".join(" " * n + "a:\n" for n in range(1000)),
    "lists set in a thousand deep": "".join(" " * n + "-\n" for n in range(1000)),
    "an alias of nothing": "a: *x", "a carriage return": "a: 1\rb: 2",
    "a hundred thousand keys": "".join(f"k{n}: {n}\n" for n in range(100_000)),
    "twenty thousand keys of hashes that meet": "".join(f"{n}.0: a\n" for n in range(20_000)),
    "nine megabytes": "a: " + "x" * 9_000_000, "a megabyte of one word": "x" * (1 << 20) + "y",
    "a number of 100,000 digits": "a: " + "9" * 100_000, "a megabyte of sixteens": "a: 0x" + "f" * 1_000_000,
    "a number too large": "a: " + "9" * 400 + ".0", "a key twice": "quorum: 5\nquorum: 1",
    "a key of a megabyte": "k" * 1_000_000 + ": 1", "keys that are no texts": "{1.0: a, true: b}",
    "a key that is a list": "? [a]\n: b", "a key that is missing": "?\n: 1", "a merge key": "<<: {a: 1}",
    "an object of a program": "!!python/object/apply:os.system [id]", "bytes": "a: !!binary aGk=", "a set": "a: !!set {b}",
    "a tag by another name": "%TAG ! tag:yaml.org,2002:python/\n---\n!object x", "another YAML": "%YAML 9.9\n---\na: 1",
    "two documents": "a: 1\n---\nb: 2", "ten thousand documents": "---\na\n" * 10_000,
    "a next line that is none": "a: x\u0085b: y", "a line separator": "a: x\u2028b: y", "a reversed text": "a: \u202ex",
    "an unseen letter": "a: x\U000e0041", "half of a letter": 'a: "\\ud800"', "another alphabet": "a: 1\n".encode("utf-16"),
    "no alphabet": b"a: \xff" * 100_000, "a number in sixties": "a: 12:30:45", "a word for yes": "a: on",
}  # fmt: skip
MANY: Mapping[str, str | bytes] = {
    "items": "- a\n" * 60_000,
    "items in flow": "[" + "a, " * 60_000 + "a]",
}
"""Texts of nothing but too many values, which are counted as they are read."""
