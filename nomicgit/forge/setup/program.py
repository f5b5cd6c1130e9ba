"""The program that a game's workflows run: this very installation as a wheel, and what it needs, each by its hash.

Both stand in the game's repository: nothing that anybody publishes later under the program's name runs there, and
another program comes with a commit that the owners look at.
"""

from __future__ import annotations

import base64
import hashlib
import io
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib.metadata import Distribution, distribution
from importlib.resources import files as resources
from pathlib import Path

import nomicgit

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
