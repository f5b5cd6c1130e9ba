"""Nothing usual in a player's own settings of Git, and nothing that anybody can push, changes what is read or told."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from support.clones import FEW, Clone, game_in_clones
from support.signing import keys_beside, sits

from nomicgit.git import Repository

SETTINGS = """
[log]
    showSignature = true
    mailmap = true
    diffMerges = combined
    follow = true
    decorate = full
    date = relative
    showRoot = false
[mailmap]
    file = pushed/mailmap
[format]
    pretty = fuller
[i18n]
    logOutputEncoding = ISO-8859-1
    commitEncoding = ISO-8859-1
[color]
    ui = always
[core]
    abbrev = 5
    quotePath = false
    hooksPath = pushed/hooks
    pager = false
    editor = false
    attributesFile = pushed/attributes
    excludesFile = pushed/attributes
    autocrlf = true
    logAllRefUpdates = false
    splitIndex = true
    untrackedCache = true
    fsmonitor = pushed/hooks/pre-push
[diff]
    orderFile = pushed/order
    ignoreSubmodules = all
    relative = true
    renames = copies
    noprefix = true
    external = false
    mnemonicPrefix = true
[commit]
    template = pushed/template
    gpgSign = true
    verbose = true
[push]
    default = nothing
    followTags = true
    recurseSubmodules = check
[submodule]
    recurse = true
[fetch]
    prune = true
    pruneTags = true
    fsckObjects = true
    recurseSubmodules = true
    writeCommitGraph = true
[pull]
    rebase = true
[merge]
    ff = false
[status]
    short = true
    showUntrackedFiles = no
[notes]
    displayRef = refs/notes/*
[alias]
    log = log -1
    rev-list = log
    fetch = status
[index]
    version = 4
[feature]
    manyFiles = true
[gc]
    auto = 1
[init]
    defaultBranch = trunk
    defaultObjectFormat = sha256
[user]
    useConfigOnly = true
[safe]
    bareRepository = explicit
[advice]
    detachedHead = true
[include]
    path = {pushed}/config
"""
PUSHED = {
    ".mailmap": "Mallory <mallory@example.invalid> somebody <somebody@example.invalid>\n"
    "Mallory <m@example.invalid> ana <ana@nomicgit.invalid>\n",
    ".gitmodules": '[submodule "x"]\n\tpath = game/x\n\turl = ./x\n\tignore = all\n',
    "pushed/mailmap": "Mallory <mallory@example.invalid> somebody <somebody@example.invalid>\n",
    "pushed/attributes": "* text eol=crlf ident\n",
    "pushed/order": "*.md\n",
    "pushed/template": "Template\n",
    "pushed/config": "[log]\n\tshowSignature = true\n[core]\n\tcommentChar = N\n",
    "pushed/hooks/pre-push": "#!/bin/sh\ntouch ../ran\nexit 1\n",
    "pushed/hooks/reference-transaction": "#!/bin/sh\ntouch ../ran\nexit 1\n",
}
SECONDS = re.compile(r"\d+\.\d s")
TOLD = (
    ("status",),
    ("status", "--json"),
    ("log",),
    ("verify",),
    ("sync", "--dry-run"),
    ("check",),
)


def told(clone: Clone, head: str, blob: str) -> dict[str, object]:
    """What the commands that look say, and what stands in the history as it is walked through."""
    with Repository.open(clone.folder) as repository:
        walks = {f"walked {path}": [*repository.walked(head, path)] for path in ("", ".gitattributes")}
        first = repository.first_with(blob, None, head)
    said = {" ".join(words): clone.tried(*words) for words in TOLD}
    return (
        walks
        | {"first": first}
        | {what: (code, SECONDS.sub("", text)) for what, (code, text) in said.items()}
    )


def pushed(clone: Clone) -> None:
    """Somebody pushes files beside the game, a tag like the branch, and a commit that changes the game, and merges."""
    for path, text in PUSHED.items():
        file = clone.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    for hook in (clone.folder / "pushed/hooks").iterdir():
        hook.chmod(0o755)
    clone.git("add", ".")
    clone.git("commit", "--quiet", "--message", "Files beside the game")
    for branch in ("side", "main"):
        clone.git("switch", "--quiet", *(["--create"] if branch == "side" else []), branch)
        (clone.folder / branch).write_text(branch, encoding="utf-8")
        clone.git("add", branch)
        clone.git("commit", "--quiet", "--message", branch)
    clone.git("merge", "--quiet", "--no-edit", "side")
    clone.git("tag", "--annotate", "--message", "Told", "told")
    clone.git("push", "--quiet", "origin", "HEAD:refs/heads/main")


@pytest.mark.slow
def test_settings_and_pushed_files_change_nothing_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    keys_beside(tmp_path, "key")
    ana, ben = game_in_clones(tmp_path, ("ana", "ben"), "--restore", "ana", rules=FEW)
    sits(ana, "ana", "key")
    ana.play("signers", "--add", "../key.pub")
    ana.play(
        "propose",
        "--title",
        "Caf\u00e9 \u2603",
        "--body",
        "Gr\u00fc\u00dfe",
        "--change",
        "{add-rule: {title: Bees, text: Bees hum.}}",
    )
    ana.play("sync")
    ben.play("sync")
    pushed(ben)
    link = f"160000,{ben.head},game/x"
    ben.git("update-index", "--add", "--cacheinfo", link)
    ben.git("commit", "--quiet", "--message", "A module")
    bad = ben.head
    ana.git("pull", "--quiet", "--ff-only", str(ben.folder), "main")
    ana.git("reset", "--quiet", "--hard")
    at = ana.head, ana.git("rev-parse", "HEAD:pushed/order")
    before = told(ana, *at)
    assert bad[:12] in str(before["status"])
    assert "somebody" in str(before["status"])
    assert "Mallory" not in str(before)

    mine = tmp_path / "gitconfig"
    mine.write_text(SETTINGS.replace("{pushed}", str(ana.folder / "pushed")), encoding="utf-8")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(mine))
    assert told(ana, *at) == before, "by a player's own settings"
    there = ana.folder / ".git"
    (there / "info" / "attributes").write_text("* text eol=crlf ident filter=x\n", encoding="utf-8")
    first = ana.git("rev-list", "--max-parents=0", "HEAD")
    (there / "info" / "grafts").write_text(f"{ana.head} {first}\n", encoding="utf-8")
    (there / "refs" / "replace").mkdir(exist_ok=True)
    (there / "refs" / "replace" / bad).write_text(first + "\n", encoding="utf-8")
    assert told(ana, *at) == before, "by what lies in Git's folder"
    ben.git("reset", "--quiet", "--hard", "HEAD~1")
    ben.play("post", "Hello")
    ben.play("sync")
    bare = Clone(tmp_path / "bare.git")
    assert bare.git("rev-parse", "refs/heads/main") == ben.head
    assert bare.git("for-each-ref", "refs/tags") == "", "no more is pushed than the game's branch"
    assert ben.git("for-each-ref", "--format=%(refname)", "refs/remotes", "refs/tags").split() == [
        "refs/remotes/origin/HEAD",
        "refs/remotes/origin/main",
        "refs/tags/told",
    ]
    assert not (tmp_path / "ran").exists(), "nothing that was pushed is run"
