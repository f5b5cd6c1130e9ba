"""Git's own program, for the few things that are not done without it. Every result is checked."""

from __future__ import annotations

import os
import weakref
from contextlib import suppress
from typing import TYPE_CHECKING

from nomicgit.git.lacking import Lacking, fetched_anew
from nomicgit.git.layout import Layout
from nomicgit.ground.deaths import by_signal
from nomicgit.ground.kept import late
from nomicgit.ground.problems import (
    NOTHING,
    SHORT,
    Malformed,
    Outage,
    Refused,
    Unreached,
    in_a_line,
    printable,
)
from nomicgit.ground.remedies import command as line_of
from nomicgit.ground.remedies import remedy

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator, Sequence

    from nomicgit.git.packing import Held

MOST_BYTES = 64 * 1024 * 1024  # of one object; larger ones are refused before they are unpacked

Answer = tuple[str, bytes] | None  # kind and bytes; None for an object that is missing
_SHORT = tuple(map(os.strerror, SHORT))
"""What Git says last where the machine does not give it what it needs."""
_UNTOLD = late(
    r"fatal: Out of memory|[Uu]nable to write new[ _]index file$"
    r"|(?:couldn't write|could not write|couldn't close|could not close|failed to write(?: to| new configuration file)?)"
    r" '?(?P<file>/[^']+?)'?\.?$"
    r"|sha1 file '(?P<sums>/.+)' write error\. Out of diskspace$"
)
"""What it says there without that: of a file that it had opened, it cannot write what belongs there."""
OLDEST = "2.31"  # Git; older ones take no settings from the environment
_UNKNOWN = 129  # Git's exit code where it does not know a word of its command line
_ENDED = "git ended before it had given all that was asked for"
_BLOCK = 4096  # bytes: no disk gives room in larger pieces by habit
_A_MOMENT = 1.0  # seconds until a process that has closed its pipe has ended
_AHEAD = 200  # questions: far less than a pipe holds

_AWAY = (
    "Could not resolve host", "Failed to connect", "connect to host", "Connection refused", "Network is unreachable",
    "No route to host", "Name or service not known", "Temporary failure in name resolution",
)  # fmt: skip
"""What Git, curl and ssh say where there is no way to the other side, and never once it has heard anything."""


class Away(Refused, Unreached):
    """There is no way from here to another copy of a repository."""


def kind_of(said: str) -> type[Refused]:
    """What kind of refusal it is that Git was not answered, by what it says."""
    return Away if any(words in said for words in _AWAY) else Refused


OBJECTS_AS_THEY_ARE = {
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
}
AS_THEY_ARE = ("core.commitGraph=false", "core.multiPackIndex=false", "advice.graftFileDeprecated=false")
"""Settings by which Git reads the objects themselves, follows no index of theirs, and says nothing of grafts that it has not."""
_LOCKED = late(r"Unable to create '(?P<path>/[^'\n]+\.lock)': File exists")
_ALWAYS = (
    OBJECTS_AS_THEY_ARE
    | {
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",  # older Gits would fetch what a partial clone lacks, by whatever its settings name
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_DEFAULT_HASH": "sha1",
        "GIT_DEFAULT_REF_FORMAT": "files",
        "LC_ALL": "C",
    }
)
_AS_RECORDED = (
    "--no-show-signature", "--no-mailmap", "--no-notes", "--no-color", "--encoding=none", "--no-relative",
    "--no-ext-diff", "--no-textconv", "--ignore-submodules=none", f"-O{os.devnull}",
)  # fmt: skip
OF_A_HOOK = (  # a hook that calls us has these set, for its own repository
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_QUARANTINE_PATH",
)


held: weakref.WeakValueDictionary[str, Held] = weakref.WeakValueDictionary()
"""What scratch clones hold and have not written yet, by their folders."""


def environment() -> dict[str, str]:
    """What every Git process of ours is started with."""
    return {key: value for key, value in os.environ.items() if key not in OF_A_HOOK} | _ALWAYS


def command(layout: Layout, *args: str) -> list[str]:
    """A Git command line for this repository, of which Git then sees all that is stored."""
    if (unwritten := held.get(layout.common)) is not None:
        unwritten.write()
    return _command(layout, *args)


def _command(layout: Layout, *args: str) -> list[str]:
    """The same, of which Git sees what is written."""
    tree = [f"--work-tree={layout.root}"] if layout.root else []
    ours = (
        f"core.bigFileThreshold={MOST_BYTES}",
        "core.fsmonitor=false",
        f"core.hooksPath={os.devnull}",
        *AS_THEY_ARE,
    )
    settings = [word for setting in ours for word in ("-c", setting)]
    return ["git", f"--git-dir={layout.git_dir}", *tree, *settings, *args]


def log(layout: Layout, *args: str) -> list[str]:
    """The command line of ``git log`` that tells what is recorded, whatever a player's settings or pushed files would have it."""
    settings = ("-c", "log.diffMerges=separate", "-c", "log.follow=false")
    return command(layout, *settings, "log", *_AS_RECORDED, *args)


def try_run(line: list[str], *, given: bytes = b"", objects: str = "") -> subprocess.CompletedProcess[bytes]:
    """Run a command to its end, whatever that is. ``objects``: the one folder of objects that it sees; else the repository's."""
    import subprocess  # here: slow to load, and most deeds start no process

    apart = {"GIT_OBJECT_DIRECTORY": objects} if objects else {}
    try:
        done = subprocess.run(line, input=given, capture_output=True, env=environment() | apart, check=False)
    except FileNotFoundError:
        raise no_git() from None
    refuse_outage(done.returncode, done.stderr.decode("utf-8", "replace"))
    return done


def no_git() -> Refused:
    """The refusal where there is no Git at all."""
    return Refused.of("the program `git` is not installed", mend=f"install Git {OLDEST} or newer")


def refuse_outage(code: int, said: str) -> None:
    """Outage where the machine ended Git, by its exit code and what it said; what the other side says counts for nothing.

    Refused where Git is too old to know what it is asked for.
    """
    ours = [line.strip() for line in said.splitlines() if not line.startswith("remote:")]
    if code == _UNKNOWN:
        raise Refused.of(
            f"this Git does not know what it is asked for ({in_a_line(ours[0] if ours else '')})",
            mend=f"install Git {OLDEST} or newer",
        )
    if code < 0:
        raise outage_of(code)
    short = [said for line in ours if (said := _short_of(line))] if code else []
    if short:
        raise outage_of(code, short[0])


def _short_of(line: str) -> str:
    """What Git says of a machine that does not give it what it needs, and why, where it leaves that out; "" where the line says
    something else.
    """
    if line.endswith(_SHORT):
        return line
    if not (untold := _UNTOLD.search(line)):
        return ""
    file = untold["file"] or untold["sums"]
    why = _unwritten(os.path.dirname(file)) if file else ""
    return f"{line}: {why}" if why else line


def _unwritten(folder: str) -> str:
    """Why nothing can be written in a folder; "" where something can."""
    from tempfile import TemporaryFile  # here: no deed makes one

    try:
        with TemporaryFile(dir=folder) as file:
            file.write(b"\0" * _BLOCK)
            file.flush()
    except OSError as error:
        return error.strerror or str(error)
    return ""


def outage_of(code: int, said: str = "") -> Outage:
    """The machine has failed Git, which ended with an exit code, or by a signal (negative), and said something."""
    why = by_signal(-code) if code < 0 else printable(said, 500)
    return Outage(f"the machine failed Git: {why}", f"{NOTHING}; mend that and try again")


def run(line: list[str], *, given: bytes = b"", objects: str = "") -> bytes:
    """Run a command to its end and give its output; `Refused`, with Git's words, if it fails."""
    done = try_run(line, given=given, objects=objects)
    if done.returncode:
        said = in_a_line(done.stderr.decode("utf-8", "replace")) or f"exit code {done.returncode}"
        mend = stale_lock(done.stderr.decode("utf-8", "surrogateescape"), "then try again")
        raise Refused.of(
            f"`git {_called(line)}` failed: {said}", mend=mend or "mend what Git names and try again"
        )
    return done.stdout


def stale_lock(said: str, *then: str) -> str:
    """What takes away the lock of this clone that Git found taken, by what it says, and what is done then; "" where it found none."""
    ours = "\n".join(line for line in said.splitlines() if not line.startswith("remote:"))
    if (lock := _LOCKED.search(ours)) is None:
        return ""
    first = "let the other Git end; where none runs any more, take away what one that was killed has left:"
    return remedy(first, line_of("rm", "--", lock["path"]), *then)


def _called(line: Sequence[str]) -> str:
    """Which of Git's commands a line calls, with what it is given."""
    words = [word for word, before in zip(line[1:], line, strict=False) if "-c" not in (word, before)]
    while words[0].startswith("--"):
        del words[0]
    return " ".join(words)


class Batch:
    """One ``git cat-file --batch``: gives packed objects. Started when first asked."""

    __slots__ = ("__weakref__", "_layout", "_process", "_starter", "_stop")

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._process: subprocess.Popen[bytes] | None = None
        self._starter = 0
        self._stop: weakref.finalize[..., Batch] | None = None

    def ask(self, oids: Sequence[str], limit: int | None = None) -> Iterator[tuple[str, Answer]]:
        """What Git has under these ids; some hundred are asked for at once. `TooLarge` over the limit."""
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        done = False
        try:
            for at in range(0, len(oids), _AHEAD):
                asked = oids[at : at + _AHEAD]
                done = False
                process.stdin.write("".join(f"{oid}\n" for oid in asked).encode())
                process.stdin.flush()
                for count, oid in enumerate(asked, 1):
                    answer = read_answer(self._layout, process, limit)
                    done = count == len(asked)
                    yield oid, answer
        except BrokenPipeError:
            raise cut_short(self._layout, process) from None
        finally:
            if not done:  # an answer that nobody took would be taken for that to the next question
                self.close()

    def close(self) -> None:
        """Stop the process, if one runs; the next question starts another."""
        if self._stop is not None:
            self._stop()
        self._process = self._stop = None

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._starter != os.getpid():  # a forked child must not share the pipe
            import subprocess  # here, as above

            self.close()
            self._process = subprocess.Popen(
                _command(self._layout, "cat-file", "--batch"),  # what is held nobody asks it for
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment(),
            )
            self._starter = os.getpid()
            self._stop = weakref.finalize(self, stop, self._process, self._starter)
        return self._process


def cut_short(layout: Layout, process: subprocess.Popen[bytes]) -> Outage:
    """Why Git ended before it had given all that was asked for: something has ended it, or this clone lacks some of it."""
    import subprocess  # here, as above

    with suppress(subprocess.TimeoutExpired):
        code = process.wait(_A_MOMENT)
        if code < 0:
            return outage_of(code)
    return Lacking.of(layout, _ENDED)


def read_answer(layout: Layout, process: subprocess.Popen[bytes], limit: int | None = None) -> Answer:
    """One answer of ``cat-file --batch``; None for an object that is missing, `TooLarge` over the limit, `Outage` for none."""
    stream = process.stdout
    assert stream is not None
    head = stream.readline().split()
    if len(head) == 2 and head[1] == b"missing":
        return None
    if len(head) != 3 or not head[2].isdigit():
        raise cut_short(layout, process)
    oid, kind, size = head[0].decode(), head[1].decode(), int(head[2])
    limit = MOST_BYTES if limit is None else limit
    if size > limit:
        raise TooLarge.of_object(oid, size, limit)
    body = stream.read(size + 1)
    if len(body) != size + 1:
        raise cut_short(layout, process)
    return kind, body[:-1]


class TooLarge(Refused):
    """A Git object is larger than whoever reads it takes; its contents were not looked at."""

    @classmethod
    def of_object(cls, oid: str, size: int, limit: int) -> TooLarge:
        """The refusal of an object that is larger than anything a game holds, or than ``limit`` bytes."""
        return cls.of(
            f"the Git object {oid} has {size} bytes, more than {limit}",
            mend="a game's files are small; take the file out of the branch that brought it",
        )


def raw_commits(layout: Layout, tip: str, *, first_parent: bool) -> Iterator[tuple[str, bytes]]:
    """Ids and bytes of the commits reachable from ``tip``, newest first, by two processes in a row."""
    import subprocess  # here, as above

    how = ["--first-parent"] if first_parent else []
    ids = subprocess.Popen(
        command(layout, "rev-list", *how, "--end-of-options", tip),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
    )
    bodies = subprocess.Popen(
        command(layout, "cat-file", "--batch"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
    )
    try:
        yield from _answers(layout, ids, bodies)
    finally:
        stop(ids, os.getpid())
        stop(bodies, os.getpid())


def _answers(
    layout: Layout, ids: subprocess.Popen[bytes], bodies: subprocess.Popen[bytes]
) -> Iterator[tuple[str, bytes]]:
    """Ask for each id as it comes, a few hundred ahead of the answers, so that nobody waits for anybody."""
    assert ids.stdout is not None
    assert bodies.stdin is not None
    while asked := ids.stdout.readlines(_AHEAD * 41):
        try:
            bodies.stdin.write(b"".join(asked))
            bodies.stdin.flush()
        except BrokenPipeError:
            raise cut_short(layout, bodies) from None
        for line in asked:
            answer = read_answer(layout, bodies)
            if answer is None:
                raise Lacking.of(layout, _ENDED)
            yield line.decode().strip(), answer[1]
    refuse_outage(ids.wait(), "")
    if ids.returncode:  # a commit that was pushed and is none as Git makes it ends this too
        raise Malformed.of(_ENDED, mend=fetched_anew(layout))


def stop(process: subprocess.Popen[bytes], starter: int) -> None:
    """End a process that only reads; a forked child merely lets go of it."""
    if os.getpid() == starter:
        process.kill()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            try:
                stream.close()
            except BrokenPipeError:
                continue
    process.wait()
