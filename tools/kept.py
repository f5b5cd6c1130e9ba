"""What people did in a folder that a tool made is kept: only what stands as the tool left it is taken away.

``python tools/kept.py FOLDER…`` takes such folders away, and names those that it keeps. ``make clean`` runs it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

STAMP = "left-by-the-tool.json"
"""In the Git folder of the first repository: how the tool left them all."""

BUILT = {"!! site/", "!! .venv/"}


def stamp(place: Path) -> None:
    """Remember how the tool leaves a folder."""
    first = next(_repositories(place), None)
    if first is not None:
        _stamp_of(first).write_text(json.dumps(_stands(place)), encoding="utf-8")


def untouched(place: Path) -> bool:
    """Whether a folder stands as the tool left it: nothing was done there, written, or put beside it."""
    first = next(_repositories(place), None)
    if first is None or not _stamp_of(first).exists():
        return first is None and not any(place.iterdir())
    left: object = json.loads(_stamp_of(first).read_text(encoding="utf-8"))
    return left == _stands(place)


def make_room(place: Path) -> Path | None:
    """Take a folder away as the tool left it; what people have touched is moved aside. Gives where to, None where nothing is."""
    if not place.exists():
        return None
    if untouched(place):
        shutil.rmtree(place)
        return None
    aside = next(path for n in count(1) if not (path := place.with_name(f"{place.name}-kept-{n}")).exists())
    place.rename(aside)
    return aside


def _stands(place: Path) -> dict[str, object]:
    """The branches of every repository, what lies in its folder beside its last commit, and what lies beside them."""
    repositories = list(_repositories(place))
    stands: dict[str, object] = {str(each.relative_to(place)): _stand(each) for each in repositories}
    beside = () if place in repositories else (each for each in place.iterdir() if each not in repositories)
    return stands | {"beside": sorted(each.name for each in beside)}


def _stand(repository: Path) -> list[list[str]]:
    own = ("refs/heads", "refs/tags", "refs/stash", "refs/nomicgit/aside")
    refs = _git(repository, "for-each-ref", "--format=%(refname) %(objectname)", *own).splitlines()
    if not (repository / ".git").exists():
        return [refs]
    local = _git(repository, "status", "--porcelain", "--ignored").splitlines()
    return [refs, sorted({*local} - BUILT), [_git(repository, "rev-parse", "HEAD")]]


def _repositories(place: Path) -> Iterator[Path]:
    """The repositories of a folder: itself, or those in it."""
    for each in (place, *sorted(place.iterdir())):
        if (each / ".git").exists() or (each / "HEAD").is_file():
            yield each
            if each == place:
                return


def _stamp_of(repository: Path) -> Path:
    inner = repository / ".git"
    return (inner if inner.exists() else repository) / STAMP


def _git(repository: Path, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(repository), *words], capture_output=True, text=True, check=True)
    return done.stdout


def main(folders: list[str]) -> int:
    """Take away what stands as a tool left it."""
    for name in folders:
        place = Path(name)
        if place.exists() and not untouched(place):
            print(f"{name} is kept: somebody has played or written there; rm -r {name} takes it away")
        elif place.exists():
            shutil.rmtree(place)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
