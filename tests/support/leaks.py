"""What of an edition's secrets stands in a recorded game for everybody to read, found by Git and a reader of YAML alone."""

from __future__ import annotations

import re
import subprocess
import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml

from support.onlooker import git
from support.secrets_of import LOADER, Secret

_TRAILER = re.compile(r"^Nomic-(Action|With): (.*)$", re.MULTILINE)


def told(folder: Path, secrets: Collection[Secret]) -> set[Secret]:
    """Those secrets of which the record tells anything: that a field is there, an entity, an action, a parameter."""
    found = set(_in_messages(folder, secrets))
    for path, text in _files(folder):
        found |= set(_in_file(path, text, secrets))
    return found


def _in_messages(folder: Path, secrets: Collection[Secret]) -> Iterator[Secret]:
    for text in git(folder, "log", "--format=%x01%an%n%B").split("\x01")[1:]:
        trailers = dict(_TRAILER.findall(text))
        action, given = trailers.get("Action", "").removeprefix("actions/"), trailers.get("With", "")
        for each in secrets:
            if each.sort == "action" and each.name == action:
                yield each
            if each.sort == "caller" and each.of == action and f'"{each.name}": true' in given:
                yield each
            if (
                each.sort == "parameter"
                and each.of == action
                and f'"{each.name}":' in given.replace("-", "_")
            ):
                yield each


def _files(folder: Path) -> Iterator[tuple[str, str]]:
    """Every version of every file of the gamestate, and of every post."""
    listed = [line.partition(" ") for line in git(folder, "rev-list", "--objects", "HEAD").splitlines()]
    wanted = [(oid, path) for oid, _, path in listed if re.match(r"game/(state|posts)/.*\.(yml|md)$", path)]
    asked = "".join(f"{oid}\n" for oid, _ in wanted).encode()
    held = subprocess.run(
        ["git", "cat-file", "--batch"], cwd=folder, input=asked, capture_output=True, check=True
    ).stdout
    for _, path in wanted:
        head, _, held = held.partition(b"\n")
        size = int(head.split()[2])
        yield path, held[:size].decode()
        held = held[size + 1 :]


def _in_file(path: str, text: str, secrets: Collection[Secret]) -> Iterator[Secret]:
    place = path.removeprefix("game/").removesuffix(".yml").split("/")
    kind = "posts" if place[0] == "posts" else place[1]
    if path.endswith(".comments.yml"):
        return
    front = text.removeprefix("---\n").partition("\n---\n")[0] if kind == "posts" else text
    fields = yaml.load(front, LOADER)
    for each in secrets:
        if (
            each.sort == "variable"
            and each.of == kind
            and (each.name in fields or each.name in (fields.get("frozen") or {}))
        ):
            yield each
        if each.sort == "collection" and (
            each.name == kind or each.name in (fields.get("made") or {})
            if kind == "open"
            else each.name == kind
        ):
            yield each
        if each.sort == "action" and any(each.name in _words(key) for key in _kept(fields)):
            yield each


def _kept(fields: Mapping[str, Any]) -> Iterator[str]:
    """The keys of what the program counts for the law."""
    for name in ("uses", "drawn"):
        kept = fields.get(name)
        yield from kept if isinstance(kept, dict) else ()


def _words(key: str) -> list[str]:
    return key.replace(":", " ").split()


def holding(folder: Path, words: Collection[str]) -> dict[str, list[str]]:
    """Which of these words stand anywhere in a folder: in objects of Git whether packed or not, and in all other files."""
    found: dict[str, list[str]] = {}
    pattern = re.compile("|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)).encode())
    for name, data in _everything(folder):
        for word in {match.decode() for match in pattern.findall(data)}:
            found.setdefault(word, []).append(name)
    return found


def _everything(folder: Path) -> Iterator[tuple[str, bytes]]:
    if (folder / ".git").exists():
        held = subprocess.run(
            ["git", "cat-file", "--batch-all-objects", "--batch"], cwd=folder, capture_output=True, check=True
        ).stdout
        yield "objects of Git", held
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        yield f"name of {name}", name.encode()
        if path.is_file() and not name.startswith(".git/objects/"):
            data = path.read_bytes()
            yield name, data
            with suppress(zlib.error, OSError, EOFError):
                yield f"{name}, inflated", zlib.decompress(data)
