"""Where the parts of a Git repository lie, and what its configuration says, without starting Git; and what a clone remembers in
its Git folder of what it has read and looked through, so that it need not do so again.

Somebody may hand over a folder with all of that in it. So each such file is marked with what only its user can make: by a
secret in their home, outside all games. What another has written, or what was changed, is as good as not there.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from hashlib import blake2b
from typing import TYPE_CHECKING

from msgspec import Struct

from nomicgit.ground.kept import as_it_lies, late, write_over
from nomicgit.ground.problems import Malformed, Refused, printable
from nomicgit.ground.remedies import command, remedy

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


TRUE = ("true", "yes", "on", "1")
"""What a setting is that is on."""


class Layout(Struct, frozen=True):
    """The folders of a repository, as absolute paths."""

    root: str | None  # the work tree; None where there is none (a bare repository)
    git_dir: str  # HEAD and index of this work tree
    common: str  # objects, branches, configuration and our lock: shared by all its work trees


def to_branch(root: str | None, name: str) -> str:
    """The command by which HEAD names a branch; in a bare repository (no ``root``) nothing is laid down."""
    return (
        command("git", "switch", name)
        if root
        else command("git", "symbolic-ref", "HEAD", f"refs/heads/{name}")
    )


def find(path: Path | str) -> Layout:
    """The repository that holds this folder, looked for upwards; `Refused` if there is none, or no such folder."""
    if not os.path.isdir(path):
        raise Refused.of(f"there is no folder {printable(str(path))}", mend="look at how it is spelled")
    start = folder = os.path.abspath(path)
    while True:
        layout = layout_at(folder)
        if layout is not None:
            return layout
        above = os.path.dirname(folder)
        if above == folder:
            break
        folder = above
    raise Refused.of(
        "there is no Git repository here",
        file=start,
        mend=remedy("go to the folder of a game, or make one:", command("nomicgit", "new", "--help")),
    )


def layout_at(folder: str) -> Layout | None:
    """The repository whose work tree, or bare folder, is exactly this folder."""
    inner = os.path.join(folder, ".git")
    if os.path.isfile(inner):
        git_dir = _linked(inner)
        return Layout(folder, git_dir, _common(git_dir))
    if _is_git_dir(inner):
        return Layout(folder, inner, _common(inner))
    if _is_git_dir(folder):
        above, name = os.path.split(folder)
        return Layout(above if name == ".git" else None, folder, _common(folder))
    return None


def _is_git_dir(folder: str) -> bool:
    return os.path.isfile(f"{folder}/HEAD") and (
        os.path.isdir(f"{folder}/objects") or os.path.isfile(f"{folder}/commondir")
    )


def _linked(file: str) -> str:
    """The folder that a ``.git`` file of a linked work tree or a submodule names."""
    with open(file, encoding="utf-8", errors="replace") as opened:
        text = opened.read()
    git_dir = os.path.realpath(os.path.join(os.path.dirname(file), text.removeprefix("gitdir:").strip()))
    if not text.startswith("gitdir:") or not _is_git_dir(git_dir):
        raise Malformed.of(
            "this file does not lead to a Git repository",
            file=file,
            mend=remedy("clone again, or repair the work tree:", command("git", "worktree", "repair")),
        )
    return git_dir


def _common(git_dir: str) -> str:
    try:
        with open(f"{git_dir}/commondir", encoding="utf-8") as file:
            named = file.read().strip()
    except FileNotFoundError:
        return git_dir
    return os.path.realpath(os.path.join(git_dir, named))


def settings_of(layout: Layout) -> dict[str, str]:
    """The settings of this clone, and of this work tree where it has some of its own, by full name in small letters."""
    settings = _read_config(f"{layout.common}/config")
    if settings.get("extensions.worktreeconfig") in TRUE:
        settings |= _read_config(f"{layout.git_dir}/config.worktree")
    return settings


def _read_config(path: str) -> dict[str, str]:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return parse_config(file.read(), path)
    except FileNotFoundError:
        return {}


def check_kind(settings: Mapping[str, str], layout: Layout) -> None:
    """Refuse repositories whose objects or branches are kept in a form that we do not read, or not all of them."""
    file = f"{layout.common}/config"
    for key, known in (("extensions.objectformat", "sha1"), ("extensions.refstorage", "files")):
        value = settings.get(key, known)
        if value != known:
            raise Refused.of(
                f"this repository has {key} = {printable(value)}; only {known} is supported",
                file=file,
                mend=remedy("clone it into a repository made by a plain", command("git", "init")),
            )
    partial = [key for key in settings if _PARTIAL.fullmatch(key)]
    if partial:
        raise Refused.of(
            f"this is a partial clone ({printable(partial[0])}): it lacks what is read when its game is replayed",
            file=file,
            mend=remedy(
                "clone anew without --filter, or:",
                command("git", "fetch", "--refetch", "--no-filter"),
                *(command("git", "config", "--unset-all", key) for key in partial[:SHOWN]),
            ),
        )


SHOWN = 5
_PARTIAL = late(r"extensions\.partialclone|remote\..+\.(?:promisor|partialclonefilter)")
_SECTION = late(r'\[\s*([A-Za-z0-9.-]+)\s*(?:"((?:[^"\\\n]|\\.)*)")?\s*\]')
_NAME = late(r"([A-Za-z][A-Za-z0-9-]*)[ \t]*(=?)[ \t]*")
_SKIP = late(r"(?:\s+|[#;][^\n]*)*")
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", '"': '"', "\\": "\\", "\n": ""}


def parse_config(text: str, file: str) -> dict[str, str]:
    """All settings by full name (``core.bare``; a subsection keeps its case); the last of a name wins."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    settings: dict[str, str] = {}
    section = ""
    at = _skip(text, 0)
    while at < len(text):
        if match := _SECTION.match(text, at):
            name, sub = match.group(1), match.group(2)
            section = name.lower() + ("" if sub is None else "." + re.sub(r"\\(.)", r"\1", sub))
            at = match.end()
        elif section and (match := _NAME.match(text, at)):
            value, at = _value(text, match.end()) if match.group(2) else ("true", match.end())
            settings[f"{section}.{match.group(1).lower()}"] = value
        else:
            raise Malformed.of(
                "this is not Git configuration",
                file=file,
                line=text.count("\n", 0, at) + 1,
                mend=remedy(
                    "mend the line; this shows what Git makes of the file:",
                    command("git", "config", "--list"),
                ),
            )
        at = _skip(text, at)
    return settings


def _skip(text: str, at: int) -> int:
    match = _SKIP.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int) -> tuple[str, int]:
    """A value from ``at`` to its line's end, and where that is; blanks at its ends count only in quotes."""
    kept: list[str] = []
    solid = 0  # how many parts stay when blanks at the end go
    quoted = False
    while at < len(text):
        char = text[at]
        if char == "\\" and at + 1 < len(text):
            at += 1
            kept.append(_ESCAPES.get(text[at], text[at]))
            solid = len(kept)
        elif char == '"':
            quoted = not quoted
            solid = len(kept)
        elif char == "\n" or (char in "#;" and not quoted):
            break
        else:
            kept.append(char)
            solid = len(kept) if quoted or not char.isspace() else solid
        at += 1
    return "".join(kept[:solid]), at


# What a clone remembers.

_OWN = "nomicgit/own"  # in the folder for what programs keep of a user's
_SIZE = 32  # bytes of the secret
_UNKEPT: dict[str, bytes] = {}
"""What this process remembers, where its user has no home to keep a secret in: nothing that lies there is believed then."""


def remember(folder: str, file: str, content: bytes) -> None:
    """Write a file in a Git folder beside, then in its place; where nothing can be written, nothing is remembered."""
    path = f"{folder}/{file}"
    with suppress(OSError):
        secret = _secret()
        if secret is None:
            _UNKEPT[path] = content
            return
        write_over(path, _mark(secret, file, content) + b"\n" + content)


def remembered(folder: str, file: str) -> bytes | None:
    """What was written there, by whoever asks; None where that is nothing."""
    path = f"{folder}/{file}"
    with suppress(OSError):
        secret = _secret()
        if secret is None:
            return _UNKEPT.get(path)
        with open(path, "rb", buffering=0, opener=as_it_lies) as there:
            mark, _, content = there.readall().partition(b"\n")
        if mark == _mark(secret, file, content):
            return content
    return None


def forget(folder: str, file: str) -> None:
    """Take out what was written there."""
    path = f"{folder}/{file}"
    _UNKEPT.pop(path, None)
    with suppress(OSError):
        os.unlink(path)


def _mark(secret: bytes, file: str, content: bytes) -> bytes:
    return blake2b(file.encode() + b"\n" + content, key=secret, digest_size=16).hexdigest().encode()


def _secret() -> bytes | None:
    """This user's secret, made where there is none yet; None where they have no place for one."""
    home = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    path = f"{home}/{_OWN}"
    try:
        return _read(path)
    except FileNotFoundError:
        pass
    except OSError:
        return None
    beside = f"{path}.{os.getpid()}"
    with suppress(OSError):
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as made:
            made.write(os.urandom(_SIZE))
        with suppress(FileExistsError):  # another command was first
            os.link(beside, path)
        os.unlink(beside)
        return _read(path)
    return None


def _read(path: str) -> bytes | None:
    with open(path, "rb", buffering=0) as file:
        secret = file.read(_SIZE + 1)
    return secret if len(secret) == _SIZE else None
