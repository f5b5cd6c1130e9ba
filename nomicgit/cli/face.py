"""What faces are made of: commands whose bodies are loaded when they run, and the options that they share."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import click

from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import read_as
from nomicgit.ground.kept import late
from nomicgit.ground.problems import printable
from nomicgit.ground.remedies import command as line

if TYPE_CHECKING:
    from pathlib import Path

_PAIR = late(r"[A-Za-z][A-Za-z0-9_-]*=")
_NEGATIVE = late(r"-(?=[0-9\s])")
F = TypeVar("F", bound=Callable[..., Any])


class Command(click.Command):
    """A command to which what begins like a negative number, or like an item of a list, is a value and no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read what was typed; any other word that begins with a hyphen must be an option."""
        if any(map(_NEGATIVE.match, args)):
            self.make_parser(ctx).parse_args([_NEGATIVE.sub("", word) for word in args])
            ctx.ignore_unknown_options = True
        typed = [*args]
        paired = not ctx.resilient_parsing and any(map(_PAIR.match, args))
        if paired and (refusal := loaded("as_pairs.refusal")(self, ctx, typed)):
            raise click.UsageError(refusal, ctx)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            if isinstance(error, click.NoSuchOption):
                raise
            if optional := self._as_options(ctx, typed):
                raise click.UsageError(f"that is an option here; write:\n{optional}", ctx) from None
            if quoted := self._in_quotes(ctx, typed):
                raise click.UsageError(quoted, ctx) from None
            raise

    def _as_options(self, ctx: click.Context, typed: Sequence[str]) -> str:
        """The command with options for the words ``KEY=VALUE`` that are named as options of it are; "" where too many words are none."""
        options = {each.name: each.opts[0] for each in self.params if isinstance(each, click.Option)}
        try:
            _, left, _ = self.make_parser(ctx).parse_args([*typed])
        except click.UsageError:
            return ""
        keys = {word: options.get(word.partition("=")[0].replace("-", "_")) for word in left if "=" in word}
        if not left or not all(keys.get(word) for word in left):
            return ""
        words = ((keys[word], word.partition("=")[2]) if keys.get(word) else (word,) for word in typed)
        return line("nomicgit", str(self.name), *(str(part) for each in words for part in each))

    def _in_quotes(self, ctx: click.Context, typed: Sequence[str]) -> str:
        """That the words that are too many are one text, or a title, and the command with it, where it takes one; else ""."""
        try:
            given, left, _ = self.make_parser(ctx).parse_args([*typed])
        except click.UsageError:
            return ""
        taken = [each for each in self.params if isinstance(each, click.Argument)]
        titled = [] if taken else [each for each in self.params if each.name == "title"]
        if not left or len(taken or titled) != 1:
            return ""
        first = given.get((taken or titled)[0].name)
        words = [*([first] if isinstance(first, str) else []), *left]
        rest = [word for word in typed if word.partition("=")[0] != "--title"]
        for word in words:
            if word in rest:
                rest.remove(word)
        bodied = any(each.name == "body" for each in self.params) and not given.get("body")
        if bodied and len(words) > 1 and any(" " in word for word in words):  # each is one text already
            title, *body = words
            return "what it says is an option; write:\n" + line(
                "nomicgit",
                str(self.name),
                *(["--title"] if titled else []),
                title,
                "--body",
                " ".join(body),
                *rest,
            )
        what = "a text of several words stands in quotes" if len(words) > 1 else "the title is an option"
        said = line("nomicgit", str(self.name), *(["--title"] if titled else []), " ".join(words), *rest)
        if len(words) == 1 and any(each.name == "branch" for each in self.params):
            said += "\nor, of a branch of that name:\n" + line(
                "nomicgit", str(self.name), "--branch", *words, *rest
            )
        return f"{what}:\n{said}"


def command(name: str, *, body: str) -> Callable[[Callable[[], None]], click.Command]:
    """A command. What is decorated has its options and its help; its body is called with the seat and what was given.

    ``body`` names it, ``MODULE.FUNCTION`` in ``nomicgit.cli.bodies``.
    """

    def declare(face: Callable[[], None]) -> click.Command:
        @wraps(face)
        def run(**given: Any) -> Any:
            ctx = click.get_current_context()
            seat = ctx.ensure_object(Seat)
            known = {each.name for each in ctx.command.params}
            for option, asked in (("--dry-run", seat.dry_run), ("--json", seat.as_json)):
                if asked and f"seat_{'dry_run' if option == '--dry-run' else 'as_json'}" not in known:
                    raise click.UsageError(f"{name} knows no {option}, so nothing was done: leave it out")
            return loaded(body)(seat, **given)

        return click.command(name, cls=Command)(run)

    return declare


def loaded(body: str) -> Callable[..., Any]:
    """A function of a body, whose module is imported now."""
    module, _, function = body.partition(".")
    what_it_does: Callable[..., Any] = getattr(import_module(f"nomicgit.cli.bodies.{module}"), function)
    return what_it_does


def offering(what: str) -> Callable[[click.Context, click.Parameter, str], Any]:
    """What a shell offers where something is to be named: ``what`` is a function of ``bodies/completing.py``."""
    return lambda ctx, _, begun: loaded(f"completing.{what}")(ctx.ensure_object(Seat), begun, ctx.params)


def _noted(field: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    """A callback that puts an option's value into the seat."""

    def note(ctx: click.Context, _: click.Parameter, value: Any) -> None:
        if value not in (None, False):
            setattr(ctx.ensure_object(Seat), field, value)

    return note


def _option(field: str, *names: str, **more: Any) -> Callable[[F], F]:
    return click.option(*names, f"seat_{field}", expose_value=False, callback=_noted(field), **more)


class File(click.Path):
    """A file that is there; where none is, those that may have been meant are named."""

    def __init__(self) -> None:
        super().__init__(exists=True, dir_okay=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path, as click has it. Refused with the files that are called like it, there or among the game's scenarios."""
        from pathlib import Path  # here: few commands are given a file, and it brings much

        written = Path(value)
        if str(value) != "-" and not written.exists():
            from nomicgit.ground.nearness import nearest  # here: seldom is a file mistyped

            seat = ctx.find_object(Seat) if ctx else None
            folder = Path(seat.path if seat else ".")
            there = [*_files(written.parent), *_files(folder / "game" / "scenarios")]
            near = set(nearest(written.name, {each.name for each in there}, 3))
            meant = sorted({str(each) for each in there if each.name in near})
            ask = f"; did you mean {' or '.join(meant)}?" if meant else ""
            self.fail(f"there is no file {printable(str(value), 200)}{ask}", param, ctx)
        super().convert(value, param, ctx)
        return written


class KeyOrFile(File):
    """A public SSH key as it stands in a line, or a file that is there and holds one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The words of the key, or the path."""
        is_key = isinstance(value, str) and value.startswith(("ssh-", "ecdsa-", "sk-")) and " " in value
        return value if is_key else super().convert(value, param, ctx)


def _files(folder: Path) -> list[Path]:
    return [each for each in folder.iterdir() if each.is_file()] if folder.is_dir() else []


def _folder(value: str) -> str:
    """A folder that is there: from one that is not, the game around it would be taken."""
    if not os.path.isdir(value):
        raise click.UsageError(f"there is no folder {printable(value)}")
    return value


def _time(value: str) -> str:
    """A time as it may be told, whatever game it is of."""
    from nomicgit.ground import clock  # here: few commands are told a time

    read_as("--at", clock.when, value)
    return value


def said_name(value: str) -> str:
    """A name that is said: one that is blank, as of a variable that is empty, is not taken for none."""
    if not value.strip():
        raise click.UsageError("a blank name is nobody's; leave the option out, or say a name")
    return value


in_folder = _option(
    "path",
    "-C",
    type=_folder,
    metavar="PATH",
    shell_complete=offering("folders"),
    help="The folder of the game, or one in it; else the current one.",
)
acting_as = _option(
    "player",
    "--as",
    type=said_name,
    metavar="NAME",
    shell_complete=offering("players"),
    help="Who acts; else as said by `nomicgit me`.",
)
by_whom = click.option(
    "--by",
    multiple=True,
    metavar="NAME",
    shell_complete=offering("players"),
    help="Who does it; repeat it where several must. Else who acts.",
)
at_time = _option(
    "at",
    "--at",
    type=_time,
    metavar="TIME",
    help="When, in practice games: 2021-06-07T01:00:00Z, or +12h after the last deed.",
)
sure_of_the_clock = _option(
    "sure", "--yes", is_flag=True, help="The clock is right, though the game has had no such pause."
)
sure_of_a_mend = _option(
    "sure", "--yes", is_flag=True, help="Though lawful deeds alone would go, it is meant; the clock is right."
)
sure_of_restorers = _option(
    "sure",
    "--yes",
    is_flag=True,
    help="Though nobody would be left who can, it is meant; the clock is right.",
)
trying_out = _option("dry_run", "--dry-run", is_flag=True, help="Say what would happen; record nothing.")
json_option = _option("as_json", "--json", is_flag=True, help="Answer in JSON.")


def looking(face: F) -> F:
    """The options of a command that looks at a game."""
    return in_folder(acting_as(at_time(json_option(face))))


def playing(face: F) -> F:
    """The options of a command that acts in a game."""
    return in_folder(acting_as(at_time(sure_of_the_clock(trying_out(json_option(face))))))


def worded(face: F) -> F:
    """The options of a matter that brings changes."""
    for option in (
        click.option(
            "--changes",
            "file",
            metavar="FILE",
            shell_complete=offering("files"),
            help="A YAML list of changes, from a file (- is standard input).",
        ),
        click.option(
            "--change",
            "changes",
            multiple=True,
            metavar="YAML",
            help="One change in YAML's flow form; may be repeated.",
        ),
        click.option("--tag", "tags", multiple=True, metavar="TAG", help="A tag; may be repeated."),
        click.option(
            "--body", default="", metavar="TEXT", help="What it says: a text, @FILE, or - for standard input."
        ),
        click.option(
            "--title", metavar="TEXT", help="Its title; else the subject of the branch's first commit."
        ),
        click.option(
            "--update",
            metavar="MATTER",
            shell_complete=offering("pending"),
            help="Bring a pending matter up to its branch; nothing else is said.",
        ),
        click.option(
            "--branch",
            metavar="BRANCH",
            shell_complete=offering("branches"),
            help="The changes are what this branch does to rules and scenarios.",
        ),
    ):
        face = option(face)
    return face
