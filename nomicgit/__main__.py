"""The program: ``nomicgit``, or ``python -m nomicgit``."""

import gc
import os
import signal
import sys

YOUNG = 50_000  # objects before garbage is sought: a command is over soon, and what it reads it keeps


def begin() -> None:
    """Run the command line. While there is nothing yet to put in order, whoever interrupts it ends it silently."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.getfilesystemencoding() == "ascii":  # what players write and call their folders is UTF-8 anywhere
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606 - this very program
    gc.set_threshold(YOUNG)
    from nomicgit.cli import watched  # here: it loads for a while

    watched()


if __name__ == "__main__":
    begin()
