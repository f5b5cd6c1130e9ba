"""Where the parts of a Git repository lie: its work tree, its own folder and what its work trees share."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from nomicgit.problems import Malformed, Refused


@dataclass(frozen=True, slots=True)
class Layout:
    """The folders of a repository."""

    root: Path | None  # the work tree; None where there is none (a bare repository)
    git_dir: Path  # HEAD and index of this work tree
    common: Path  # objects, branches, configuration and our lock: shared by all its work trees


def find(path: Path | str) -> Layout:
    """The repository that holds ``path``, looked for upwards; `Refused` if there is none."""
    start = Path(os.path.abspath(path))
    for folder in (start, *start.parents):
        found = layout_at(folder)
        if found is not None:
            return found
    raise Refused.of(
        "there is no Git repository here",
        file=str(start),
        mend="go to the folder of a game, or make one with `nomicgit new`",
    )


def layout_at(folder: Path) -> Layout | None:
    """The repository whose work tree, or bare folder, is exactly this folder."""
    inner = folder / ".git"
    if inner.is_file():
        git_dir = _linked(inner)
        return Layout(folder, git_dir, _common(git_dir))
    if _is_git_dir(inner):
        return Layout(folder, inner, _common(inner))
    if _is_git_dir(folder):
        return Layout(folder.parent if folder.name == ".git" else None, folder, _common(folder))
    return None


def _is_git_dir(folder: Path) -> bool:
    return (folder / "HEAD").is_file() and ((folder / "objects").is_dir() or (folder / "commondir").is_file())


def _linked(file: Path) -> Path:
    """The folder that a ``.git`` file of a linked work tree or a submodule names."""
    text = file.read_text("utf-8", "replace")
    git_dir = Path(os.path.realpath(file.parent / text.removeprefix("gitdir:").strip()))
    if not text.startswith("gitdir:") or not _is_git_dir(git_dir):
        raise Malformed.of(
            "this file does not lead to a Git repository",
            file=str(file),
            mend="repair the work tree with `git worktree repair`, or clone again",
        )
    return git_dir


def _common(git_dir: Path) -> Path:
    try:
        named = (git_dir / "commondir").read_text("utf-8").strip()
    except FileNotFoundError:
        return git_dir
    return Path(os.path.realpath(git_dir / named))
