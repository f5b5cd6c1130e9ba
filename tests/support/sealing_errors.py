"""What an error carries along: itself and all that it was raised from or while handling."""

from __future__ import annotations


def chain(error: BaseException | None) -> list[BaseException]:
    """The error, and every other that hangs on it, said or suppressed."""
    if error is None:
        return []
    return list(dict.fromkeys([error, *chain(error.__cause__), *chain(error.__context__)]))


def tells(error: BaseException, *secrets: str) -> list[str]:
    """Which of these texts the error, or any that hangs on it, tells."""
    said = "".join(f"{each}{each!r}{each.args!r}{vars(each)!r}" for each in chain(error))
    return [secret for secret in secrets if secret in said]
