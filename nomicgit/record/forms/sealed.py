"""The forms of a game that keeps secrets: one that takes a sealed order, and one that says where letters go.

What a form takes is public, and an issue keeps its edits for ever: so the first takes nothing but what is sealed, and
what it refuses is never repeated.
"""

from __future__ import annotations

import re
from typing import Any

from nomicgit.ground import files
from nomicgit.ground.problems import Refused
from nomicgit.record.forms.fields import FIRST_LABEL, MAILBOX, ORDER, Control
from nomicgit.record.forms.filled import parted, unfenced
from nomicgit.record.forms.forge import Forge
from nomicgit.record.forms.texts import FOLDER

ORDER_LABEL, MAILBOX_LABEL = "Sealed order", "Mailbox"
_BEGIN, _END = "-----BEGIN AGE ENCRYPTED FILE-----", "-----END AGE ENCRYPTED FILE-----"
_ARMOUR = re.compile(rf"{_BEGIN}\s+([A-Za-z0-9+/\s]+={{0,2}})\s*{_END}", re.ASCII)
COLUMNS = 64


def texts(forge: Forge) -> dict[str, bytes]:
    """Both forms, by their paths."""
    page = f"{forge.site}act/"
    order = _form(
        "In private: a sealed order",
        "Hand in what the game's site has sealed; nobody but the keeper can read it.",
        f"**A sealed order**, as [the page of what is done in private]({page}) makes it.\n\n"
        "This form is public: never write here what you want to do, for whatever stands here can be read for ever.",
        (ORDER, ORDER_LABEL, Control.TEXT),
    )
    mailbox = _form(
        "In private: your mailbox",
        "Say where your letters go; the game's site makes the mailbox.",
        f"**Your mailbox**, as [the page of your letters]({forge.site}letters/) makes it, and fills it in here.",
        (MAILBOX, MAILBOX_LABEL, Control.LINE),
    )
    return {FOLDER + ORDER: order, FOLDER + MAILBOX: mailbox}


def _form(name: str, about: str, intro: str, field: tuple[str, str, Control]) -> bytes:
    file, label, control = field
    title = file.removesuffix(".yml")
    body: list[dict[str, Any]] = [
        {"type": "markdown", "attributes": {"value": intro}},
        {
            "type": control.value,
            "id": title,
            "attributes": {"label": label},
            "validations": {"required": True},
        },
    ]
    return files.write({"name": name, "description": about, "title": title, "body": body}).encode()


def filled_in(body: str) -> bool:
    """Whether a text is a filled-in form, be it one of these or an action's, and be it a broken one."""
    return any(label in (FIRST_LABEL, ORDER_LABEL, MAILBOX_LABEL) for label, _ in parted(body)[1])


def order_in(body: str) -> str | None:
    """The armour that a filled-in form holds, and nothing besides; None where the text is no such form.

    Refused, without a word of it, where it holds anything else.
    """
    text = _only(body, ORDER_LABEL)
    if text is None:
        return None
    armour = _ARMOUR.fullmatch(text)
    if armour is None:
        raise Refused.of(
            "this form takes a sealed order, and nothing else; nobody acts on what stands here, but everybody can read it",
            mend="fill the order in on the page of the game's site that seals it, and hand in what that makes",
        )
    held = "".join(armour[1].split())
    lines = [held[at : at + COLUMNS] for at in range(0, len(held), COLUMNS)]
    return "\n".join([_BEGIN, *lines, _END, ""])


def mailbox_in(body: str) -> str | None:
    """What a filled-in form says to be somebody's mailbox; None where the text is no such form."""
    return _only(body, MAILBOX_LABEL)


def _only(body: str, label: str) -> str | None:
    """What stands in the one field of a form; None where it has not that field first. All of it, where more stands there."""
    before, named = parted(body)
    if before or not named or named[0][0] != label:
        return None
    return unfenced(named[0][1]) if len(named) == 1 else body
