"""The root command: its options, its subcommands, loaded when they are asked for, and what goes wrong."""

from __future__ import annotations

import atexit
import importlib
import os
import signal
import sys
from contextlib import suppress
from typing import NoReturn

import click

from nomicgit.cli.contents import MODULES, SECTIONS
from nomicgit.cli.face import acting_as, at_time, in_folder, json_option, loaded, trying_out
from nomicgit.cli.seat import Seat
from nomicgit.cli.terminal import colour, folding, open_closed
from nomicgit.ground import problems
from nomicgit.ground.nearness import nearest


class Unheard(Exception):
    """Nobody reads any more what a command writes."""


class Lazy(click.Group):
    """A group whose commands' faces are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order of the help."""
        return list(MODULES)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of a name, its face imported now."""
        return self._face(name) if name in MODULES else None

    def _face(self, name: str) -> click.Command:
        face: click.Command = getattr(
            importlib.import_module(MODULES[name]), f"{name.replace('-', '_')}_command"
        )
        return face

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant; an unknown one gets near ones told, and that actions go by ``act``."""
        name = args[0]
        if name not in MODULES and not name.startswith("-"):
            near = nearest(name, MODULES, 3)
            if line := loaded("given.as_action")(ctx.ensure_object(Seat), *self._parted(ctx, args)):
                more = f"\nOr did you mean the command {' or '.join(near)}?" if near else ""
                ctx.fail(f"there is no command {name!r}, but an action of the rules:\n{line}{more}")
            acts = loaded("given.near_actions")(ctx.ensure_object(Seat), name)
            close = [*near, *(f"nomicgit act {each}" for each in acts)]
            hint = f"did you mean {' or '.join(close)}?" if close else "see: nomicgit --help"
            ctx.fail(f"there is no command {name!r}; {hint} (what the rules let you do: nomicgit actions)")
        return super().resolve_command(ctx, args)

    def _parted(self, ctx: click.Context, args: list[str]) -> tuple[list[str], list[str]]:
        """The words of an action typed as a command, and the options of the program among them, as ``act`` reads both."""
        act = self._face("act")
        try:
            given, _, _ = act.make_parser(click.Context(act)).parse_args([*args])
        except click.UsageError:
            return args, []
        more = given["given"]  # unset where there are none
        words, options = [given["name"], *(more if isinstance(more, tuple | list) else ())], [*args]
        for word in words:
            options.remove(word)
        return words, options

    def invoke(self, ctx: click.Context) -> object:
        """Run the command that is meant. Unheard where nobody reads it any more: of that click would tell nobody."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise Unheard from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """All commands, in their sections."""
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(list(commands.items()))


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@in_folder
@acting_as
@at_time
@trying_out
@json_option
@click.version_option(package_name="nomicgit", prog_name="nomicgit")
@click.pass_context
def app(ctx: click.Context) -> None:
    """Play Nomic, the game whose moves change its rules, in a Git repository.

    \b
    Examples:
      nomicgit new attic --edition NAME --player ana --player ben --admin ben
      nomicgit -C attic me ana
      nomicgit -C attic status
      nomicgit vote 12 for "It is about time."

    The options above may also stand behind the command. Exit codes: 0 done, 1 refused, or something is wrong,
    2 the command line is wrong, 3 a defect, 4 the machine failed, and nothing is recorded unless it says so,
    5 it is recorded, and could not be told, 6 there is no network to what it asks, 130 interrupted, 141 nobody reads on what it tells.
    """
    ctx.ensure_object(Seat)
    ctx.color = colour()


def watched() -> NoReturn:
    """Run the command line as a program of its own, under a watch; only ``main`` has something to put in order first, when interrupted."""
    open_closed()

    def failed(error: BaseException) -> int:
        from nomicgit.cli.failures import told  # here: seldom does anything go wrong

        return told(error, as_json="--json" in sys.argv)

    try:
        from nomicgit.ground import watch
        from nomicgit.ground.deaths import unstarted
    except ModuleNotFoundError as error:  # this system has no processes that can be bounded
        sys.exit(failed(error))
    try:
        watch.over(failed)
    except (OSError, ValueError) as error:
        sys.exit(failed(unstarted(error)))
    code = watch.INTERRUPTED
    with suppress(
        KeyboardInterrupt
    ):  # wherever it comes: what `main` does not hear leaves no traceback either
        signal.signal(signal.SIGINT, signal.default_int_handler)
        code = _run(None)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _leave(code)


def _leave(code: int) -> NoReturn:
    """End this process with all that is to be done at its end, but for taking the interpreter apart: a tenth of a vote."""
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    os._exit(code)


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command line and exit, with one of the codes that its help tells."""
    sys.exit(_run(arguments))


def _run(arguments: list[str] | None) -> int:
    """Run the command line, with what goes to a terminal folded; gives the exit code."""
    seat, problems.recorded = Seat(), ""
    with folding(lambda: seat.as_json):
        return _ended(arguments, seat)


def _ended(arguments: list[str] | None, seat: Seat) -> int:
    """Run the command line, whatever becomes of it; gives the exit code."""
    try:
        given = app.main(arguments, prog_name="nomicgit", standalone_mode=False, obj=seat)
        code = given if isinstance(given, int) else 0
        sys.stdout.flush()
    except (click.exceptions.Abort, KeyboardInterrupt):
        code = _told(KeyboardInterrupt(), seat)
    except click.ClickException as error:
        with suppress(OSError):  # where it cannot be written the exit code tells it alone
            error.show()
        code = 2
    except SystemExit as ended:  # so click ends where it completes a line, and where nobody reads any more
        code = ended.code if isinstance(ended.code, int) else 1
    except (BrokenPipeError, Unheard):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = _told(BrokenPipeError(), seat)
    except Exception as error:  # the one place that tells whatever goes wrong
        code = _told(error, seat)
    return code


def _told(error: BaseException, seat: Seat) -> int:
    """Tell what has gone wrong; gives the exit code."""
    from nomicgit.cli.failures import blamed, told  # here: seldom does anything go wrong

    return told(blamed(error, seat.path), as_json=seat.as_json)
