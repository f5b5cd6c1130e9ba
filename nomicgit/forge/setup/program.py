"""The program that a game's workflows run: this very installation as a wheel, and what it needs, each by its hash.

Both stand in the game's repository: nothing that anybody publishes later under the program's name runs there, and
another program comes with a commit that the owners look at.
"""

from __future__ import annotations

import base64
import hashlib
import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import Distribution, distribution
from importlib.resources import files as resources
from pathlib import Path

from msgspec import Struct

import nomicgit
from nomicgit.ground.remedies import command, remedy

NAME = "nomicgit"
REQUIREMENTS = ".github/nomicgit.txt"
PROGRAMS = ".github/nomicgit/"
EXTRAS = "announce,forge,sealed,site"
HEAD = """\
# The program that the workflows run, and what it needs: nothing else is installed, and nothing that is not just this.
# Another one comes with `nomicgit doctor --mend`, said by the program that is to run, and a commit of what that brings.
--require-hashes
--only-binary :all:
"""
WORKFLOWS = ".github/workflows/"
_NAMED = re.compile(
    rf"^\./(?P<path>{re.escape(PROGRAMS)}{NAME}-(?P<version>\d[\w.+!]{{0,40}})-py3-none-any\.whl)\[[\w,]*\] "
    r"--hash=sha256:(?P<hash>[0-9a-f]{64})$",
    re.MULTILINE | re.ASCII,
)
_VERSION = re.compile(r"([\d.]*)(.*)", re.DOTALL)
_MOST = 1 << 20  # bytes of a workflow
_MADE = (1980, 1, 1, 0, 0, 0)
_ABOUT = ("METADATA", "entry_points.txt")
_WHEEL = "Wheel-Version: 1.0\nGenerator: nomicgit\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@cache
def program() -> dict[str, bytes]:
    """What the workflows install, by path: the requirements, and the wheel that they name."""
    installed = distribution(NAME)
    built = wheel(installed)
    path = f"{PROGRAMS}{NAME}-{installed.version}-py3-none-any.whl"
    line = f"./{path}[{EXTRAS}] --hash=sha256:{hashlib.sha256(built).hexdigest()}\n"
    locked = (resources(__name__.rpartition(".")[0]) / "locked.txt").read_text(encoding="utf-8")
    return {REQUIREMENTS: (HEAD + line + locked).encode(), path: built}


class Another(Struct, frozen=True):
    """A newer program than this one, which a game's workflows install: its version, the path of its wheel, and, where that lies
    there as the requirements name it, the workflows that come with it, by their paths.
    """

    version: str
    path: str
    workflows: Mapping[str, bytes]
    sound: bool

    @property
    def what(self) -> str:
        """That it is newer."""
        return f"the game runs {NAME} {self.version}, which is newer than this program, {distribution(NAME).version}"

    @property
    def mend(self) -> str:
        """How it is installed."""
        return remedy(
            "where who brought that is to be trusted, install it, and say that again:",
            command("python", "-m", "pip", "install", f"./{self.path}[{EXTRAS}]"),
        )


def newer(file: Callable[[str], bytes | None]) -> Another | None:
    """The program that a game's workflows install, where that is newer than this one. ``file``: what lies at a path there."""
    named = _NAMED.search((file(REQUIREMENTS) or b"").decode(errors="replace"))
    if named is None or _order(named["version"]) <= _order(distribution(NAME).version):
        return None
    data = file(named["path"]) or b""
    if hashlib.sha256(data).hexdigest() != named["hash"]:
        return Another(named["version"], named["path"], {}, sound=False)
    return Another(named["version"], named["path"], dict(_workflows_in(data)), sound=True)


def _order(version: str) -> tuple[tuple[int, ...], bool, str]:
    """By what versions are told older and newer: their numbers, and what goes before a release."""
    numbers, rest = _VERSION.fullmatch(version).groups()  # type: ignore[union-attr]  # it takes any text
    parts = [int(each) for each in numbers.split(".") if each]
    while parts and not parts[-1]:
        parts.pop()
    return tuple(parts), not re.match(r"[._-]?(?:a|b|c|rc|dev)", rest), rest


def _workflows_in(wheel: bytes) -> Iterator[tuple[str, bytes]]:
    """The workflows that come with a wheel, by the paths at which a game has them."""
    with suppress(zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, zlib.error):
        archive = zipfile.ZipFile(io.BytesIO(wheel))
        for name in archive.namelist():
            folder, _, last = name.rpartition("/")
            if folder == f"{NAME}/forge/setup/workflows" and last.endswith(".yml"):
                with archive.open(name) as file:
                    yield WORKFLOWS + last, file.read(_MOST)


def wheel(installed: Distribution) -> bytes:
    """A wheel of what is installed: equal files are equal bytes. Not compressed, which Git does."""
    about = f"{NAME}-{installed.version}.dist-info/"
    files = dict(_code()) | {about + name: data for name, data in _about(installed)}
    files[f"{about}WHEEL"] = _WHEEL.encode()
    files[f"{about}RECORD"] = _record(files, f"{about}RECORD").encode()
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, _MADE)
            entry.create_system, entry.external_attr = 3, 0o100644 << 16
            archive.writestr(entry, data)
    return made.getvalue()


def _code() -> Iterator[tuple[str, bytes]]:
    """The package's files, as they lie there; what Python and editors leave beside them is none of them."""
    root = Path(nomicgit.__file__).parent
    for path in sorted(root.rglob("*")):
        inner = path.relative_to(root)
        hidden = any(part.startswith(".") or part == "__pycache__" for part in inner.parts)
        if path.is_file() and not hidden and path.suffix != ".pyc":
            yield f"{NAME}/{inner.as_posix()}", path.read_bytes()


def _about(installed: Distribution) -> Iterator[tuple[str, bytes]]:
    """What the installation says of itself, without what only the installer wrote there; and its licences."""
    for name in _ABOUT:
        yield name, (installed.read_text(name) or "").encode()
    for file in sorted(installed.files or (), key=str):
        if "licenses" in file.parts:
            yield "/".join(file.parts[file.parts.index("licenses") :]), file.read_binary()


def _record(files: dict[str, bytes], itself: str) -> str:
    lines = [f"{path},sha256={_digest(data)},{len(data)}\n" for path, data in files.items()]
    return "".join(lines) + f"{itself},,\n"


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
