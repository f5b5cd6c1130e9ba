"""Where the parts of a Git repository lie: its work tree, its own folder and what its work trees share."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from nomicgit.ground.problems import Malformed, Refused

if TYPE_CHECKING:
    from pathlib import Path


class Layout(NamedTuple):
    """The folders of a repository, as absolute paths."""

    root: str | None  # the work tree; None where there is none (a bare repository)
    git_dir: str  # HEAD and index of this work tree
    common: str  # objects, branches, configuration and our lock: shared by all its work trees


def find(path: Path | str) -> Layout:
    """The repository that holds ``path``, looked for upwards; `Refused` if there is none."""
    start = folder = os.path.abspath(path)
    while True:
        found = layout_at(folder)
        if found is not None:
            return found
        above = os.path.dirname(folder)
        if above == folder:
            break
        folder = above
    raise Refused.of(
        "there is no Git repository here",
        file=start,
        mend="go to the folder of a game, or make one with `nomicgit new`",
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
            mend="repair the work tree with `git worktree repair`, or clone again",
        )
    return git_dir


def _common(git_dir: str) -> str:
    try:
        with open(f"{git_dir}/commondir", encoding="utf-8") as file:
            named = file.read().strip()
    except FileNotFoundError:
        return git_dir
    return os.path.realpath(os.path.join(git_dir, named))
