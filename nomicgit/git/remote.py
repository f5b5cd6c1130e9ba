"""Another copy of a game's repository, at an address: fetched from into a scratch clone, and pushed to on a lease.

What is fetched comes as objects only; nothing is checked out and no hook runs. A token stands in the environment of
the Git process and nowhere else.
"""

from __future__ import annotations

import base64
import os
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from nomicgit.git import process, refused
from nomicgit.git.branch import NOBODY, Raced, is_ref
from nomicgit.git.lacking import the_rest
from nomicgit.git.layout import Layout, find
from nomicgit.git.objects import check_oid
from nomicgit.git.packing import Held
from nomicgit.git.process import command, environment, kind_of, refuse_outage, run
from nomicgit.git.repository import Repository
from nomicgit.git.signing import HANDS, KEY, PLAYER
from nomicgit.git.staged import staged
from nomicgit.ground import remedies
from nomicgit.ground.problems import Refused, printable, quoted

if TYPE_CHECKING:
    from pathlib import Path

PROTOCOLS = "https:http:file"
PATIENCE = 300.0  # seconds for one command
_LOST = re.compile(
    r"stale info|fetch first|non-fast-forward|cannot lock ref|failed to update ref|reference already exists"
)
_IN_TROUBLE = re.compile(
    r"Connection (?:reset|timed out)|Operation timed out|hung up|early EOF|RPC failed|returned error: (?:429|5[0-9][0-9])"
    r"|Empty reply from server"
)
_DENIED = re.compile(
    r"returned error: 403|Permission to \S+ denied to|Write access to repository not granted"
)
_UNKNOWN = re.compile(r"could not read (?:Username|Password)|Authentication failed|returned error: 401")
WRITES = "let the token write here: `contents: write`"
LATER = "try again later; nothing is lost by waiting"
MUCH = 100  # objects: fewer Git leaves to lie each by itself where they arrive
MOST_LINES, MOST_LETTERS = 100, 500
_ADDRESS = re.compile(r"(?:https?://|/)[^\s]+|[A-Za-z0-9_.][^\s:]*", re.ASCII)


def scratch(of: Repository, folder: Path | str, branch: str, more: str = "") -> Repository:
    """A bare clone in a new folder that borrows the objects of another; its branch is the one of this name.

    It is thrown away after use: what is written in it reaches nobody until it is pushed, or fetched from it, and need not
    outlive a power failure: nobody waits for the disk, and packs are written. It signs as that one does. ``more``: a further
    folder of objects that it borrows.
    """
    run(
        [
            "git",
            "init",
            "--quiet",
            "--bare",
            "--object-format=sha1",
            f"--initial-branch={branch}",
            "--",
            str(folder),
        ]
    )
    layout = find(of.git_dir)
    with open(f"{folder}/objects/info/alternates", "w", encoding="utf-8") as file:
        file.writelines(f"{objects}\n" for objects in (f"{layout.common}/objects", more) if objects)
    with open(f"{folder}/config", "a", encoding="utf-8") as config:
        config.write("[core]\n\tfsync = none\n")
    held = Held(f"{folder}/objects/pack")
    process.held[find(folder).common] = held  # for as long as a repository of this folder is open
    made = Repository.open(folder)
    if not of.is_whole():
        raise Refused.of(
            "this clone is shallow",
            file=layout.common,
            mend=remedies.remedy("fetch the rest:", the_rest()),
        )
    for setting in (KEY, PLAYER, *HANDS.values()):
        if (value := of.config(setting)) is not None:
            made.set_config(setting, value)
    return made


def compact(layout: Layout) -> None:
    """Have Git compare what a scratch clone has written in packs, where that is much: what one pack holds whole, no later
    ``git gc`` compares with what else it holds, and a game would stay four times as large.
    """
    held = process.held.get(layout.common)
    if held is None:
        return
    line = command(layout, "-c", "repack.writeBitmaps=false", "repack", "-q", "-a", "-d", "-f", "-l", "-k")
    if held.whole >= MUCH:
        run(line)
        held.whole = 0


class Rejected(Refused):
    """The other side refuses a push: ``lines`` is all that it says. ``of_content``: for what the commits bring, and not for
    who pushes, or for where.
    """

    lines: tuple[str, ...] = ()

    @property
    def of_content(self) -> bool:
        """Whether it is what the commits bring."""
        return refused.of_content(self.lines)

    @property
    def reasons(self) -> tuple[str, ...]:
        """All of them, each once; but for those of references that are refused since another is."""
        return tuple(dict.fromkeys(line for line in self.lines if "atomic push failure" not in line))


class Denied(Refused):
    """The other side lets whoever pushes write nothing there, whatever it is."""


class Remote:
    """The repository at an address, as a scratch clone sees it."""

    def __init__(self, folder: Path | str, address: str, *, token: str = "") -> None:
        if not _ADDRESS.fullmatch(address):
            raise Refused.of(f"{quoted(address)} is no address of a repository", mend="give an https address")
        self._layout: Layout = find(folder)
        self._address, self._token = address, token

    def fetch(self, *refs: str) -> None:
        """Bring references, each under its own name; a pattern may bring nothing. Refused where one cannot be had."""
        done = self._run("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--",
                         self._address, *(f"+{ref}:{ref}" for ref in refs))  # fmt: skip
        if done.returncode:
            raise self._failed("fetch", done)

    def fetch_some(self, refs: Sequence[str]) -> None:
        """Bring as many of these references as are there: first all at once, then one by one."""
        if not refs:
            return
        there = self.heads(refs)
        wanted = [f"+{ref}:{ref}" for ref in refs if ref in there]
        if wanted:
            done = self._run("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules",
                             "--stdin", "--", self._address, given="\n".join(wanted).encode() + b"\n")  # fmt: skip
            if done.returncode:
                raise self._failed("fetch", done)

    def fetch_commit(self, oid: str) -> bool:
        """Bring a commit by its id, with all before it; whether it could be had."""
        check_oid(oid)
        done = self._run("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--",
                         self._address, oid)  # fmt: skip
        return done.returncode == 0

    def heads(self, refs: Iterable[str] = ()) -> dict[str, str]:
        """Where these references stand there now (all of them, where none is named)."""
        wanted = set(refs)
        shape = {f"{ref.rsplit('/', 2)[0]}/*" if ref.count("/") > 2 else ref for ref in wanted}
        done = self._run("ls-remote", "--quiet", "--", self._address, *sorted(shape))
        if done.returncode:
            raise self._failed("ls-remote", done)
        lines = (line.split("\t") for line in done.stdout.decode("utf-8", "replace").splitlines())
        return {ref: oid for oid, ref in lines if not wanted or ref in wanted}

    def push(self, new: Mapping[str, str], expect: Mapping[str, str | None]) -> None:
        """Move references there, all or none, each only from where it is expected (None: it is not there yet).

        Raced where one has moved meanwhile. Where the answer was lost it is asked what became of it.
        """
        leases = [
            f"--force-with-lease={ref}:{'' if (was := expect.get(ref)) is None else was}" for ref in new
        ]
        if not all(is_ref(ref) for ref in new):
            raise Refused.of("a reference to be pushed has no name of one")
        compact(self._layout)
        with staged(self._layout, new) as pattern:
            done = self._run("push", "--quiet", "--porcelain", "--atomic", "--no-verify", *leases, "--", self._address,
                             pattern)  # fmt: skip
        if done.returncode == 0:
            return
        there = self.heads(new)
        if all(there.get(ref) == oid for ref, oid in new.items()):
            return  # it was done; the answer went astray
        said = (done.stdout + done.stderr).decode("utf-8", "replace")
        if _LOST.search(said) or any(
            there.get(ref, NOBODY) != (was or NOBODY) for ref, was in expect.items()
        ):
            raise Raced.of("the game's branch has moved meanwhile", mend="begin again from its new head")
        lines = _said(self._masked(done.stderr), self._masked(done.stdout))
        if any("[remote rejected]" in line for line in lines):
            error = Rejected.of("the push was refused: " + "; ".join(lines))
            error.lines = lines
            raise error
        if _DENIED.search(said):
            raise Denied.of("the push was refused: " + "; ".join(lines), mend=WRITES)
        raise self._failed("push", done)

    def _failed(self, what: str, done: subprocess.CompletedProcess[bytes]) -> Refused:
        whole = self._masked(done.stderr) + self._masked(done.stdout)
        if self._token and _UNKNOWN.search(whole):
            mend = "the token is wrong or has expired: make a new one"
            return Refused.of(f"`git {what}` failed: the repository does not take this token", mend=mend)
        look = "look whether the repository is there, and whether the token may do this"
        said = "; ".join(_said(self._masked(done.stderr), self._masked(done.stdout)))
        kind = kind_of(whole)
        later = kind is not Refused or _IN_TROUBLE.search(whole)
        return kind.of(f"`git {what}` failed: {said}", mend=LATER if later else look)

    def _masked(self, raw: bytes) -> str:
        said = raw.decode("utf-8", "replace")
        return said.replace(self._token, "…") if self._token else said

    def _run(self, what: str, *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        line = command(
            self._layout,
            "-c",
            "protocol.version=2",
            "-c",
            "gc.auto=0",
            "-c",
            "credential.helper=",
            what,
            *words,
        )
        try:
            done = subprocess.run(
                line, input=given, capture_output=True, env=self._environment(), check=False, timeout=PATIENCE
            )
        except subprocess.TimeoutExpired as slow:
            return subprocess.CompletedProcess(
                line, 124, slow.stdout or b"", b"no answer within five minutes"
            )
        refuse_outage(done.returncode, done.stderr.decode("utf-8", "replace"))
        return done

    def _environment(self) -> dict[str, str]:
        variables = environment() | {"GIT_ALLOW_PROTOCOL": PROTOCOLS, "GIT_ASKPASS": os.devnull}
        if self._token and self._address.startswith("http"):
            basic = base64.b64encode(f"x-access-token:{self._token}".encode()).decode()
            variables |= {
                "GIT_CONFIG_COUNT": "1",
                "GIT_CONFIG_KEY_0": "http.extraHeader",
                "GIT_CONFIG_VALUE_0": f"Authorization: Basic {basic}",
            }
        return variables


def _said(errors: str, refs: str) -> tuple[str, ...]:
    """What is said about a command that failed: the other side's own lines, whole, and what it says of each reference.

    Git's own words where it says nothing. ``refs`` are the lines of ``--porcelain``.
    """
    lines = errors.splitlines()
    theirs = [line.removeprefix("remote:").strip() for line in lines if line.startswith("remote:")]
    theirs += [line.rpartition("\t")[2].strip() for line in refs.splitlines() if line.startswith("!")]
    worth_saying = [line for line in theirs or map(str.strip, lines) if line.strip(" —-")]
    return tuple(printable(line, MOST_LETTERS) for line in worth_saying[:MOST_LINES])
