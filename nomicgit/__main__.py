"""The program: ``nomicgit``, or ``python -m nomicgit``."""

import signal


def begin() -> None:
    """Run the command line. While there is nothing yet to put in order, whoever interrupts it ends it silently."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from nomicgit.cli import watched  # here: it loads for a while

    watched()


if __name__ == "__main__":
    begin()
