"""Remedies: what to do about what is wrong, in words and in commands.

Words and commands never share a line: a command is a line of its own, two blanks in, quoted so that a shell takes it as it is.
This is the one door through which a command of Git's or of this program comes into a remedy.
"""

from __future__ import annotations

from collections.abc import Sequence

STEP = "  "


def command(*words: str) -> str:
    """A command, as a line of a remedy. What cannot be printed in its words is written as bash and other shells read it."""
    return STEP + " ".join(map(_quoted, words))


def remedy(*lines: str) -> str:
    """What to do, from its lines: words, and commands; empty ones are left out."""
    return "\n".join(filter(None, lines))


def commands(mend: str) -> list[str]:
    """The commands of a remedy, each as a shell takes it."""
    return [line.removeprefix(STEP) for line in mend.split("\n") if line.startswith(STEP)]


def below(mend: str) -> str:
    """A remedy to be put behind what is wrong: on lines of its own, two blanks further in; nothing where there is none."""
    return "".join(f"\n{STEP}{line}" for line in mend.split("\n")) if mend else ""


def once(mends: Sequence[str]) -> list[str]:
    """The remedies of what is told one below the other: commands that are the same of several in a row stand with the last of them."""
    after = [*mends[1:], ""]
    return ["" if mend == after[n] and commands(mend) else mend for n, mend in enumerate(mends)]


def beside(mend: str) -> str:
    """The same where it may stand in brackets on the line of what is wrong: it does where there is no command in it."""
    if not mend or commands(mend):
        return below(mend)
    return f" ({mend})"


def as_json(mend: str) -> dict[str, object]:
    """A remedy as plain data: its text, and beside it the commands, where it has any."""
    return {"mend": mend} | ({"commands": each} if (each := commands(mend)) else {})


def _quoted(word: str) -> str:
    if word.isprintable():
        import shlex  # here: few commands tell one

        return shlex.quote(word)
    return "$'" + "".join(map(_character, word)) + "'"


def _character(c: str) -> str:
    if c in "\\'":
        return "\\" + c
    return c if c.isprintable() else "".join(f"\\{byte:03o}" for byte in c.encode("utf-8", "surrogateescape"))
