"""The program: ``nomicgit``, or ``python -m nomicgit``."""

import gc
import signal

YOUNG = 50_000  # objects before garbage is sought: a command is over soon, and what it reads it keeps


def begin() -> None:
    """Run the command line. While there is nothing yet to put in order, whoever interrupts it ends it silently."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.set_threshold(YOUNG)
    from nomicgit.cli import watched  # here: it loads for a while

    watched()


if __name__ == "__main__":
    begin()
