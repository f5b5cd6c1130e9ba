"""Issue forms: one for each action that people do through a forge, written from the law; and reading them back."""

from nomicgit.record.forms.fields import MAILBOX, ORDER, file_of, has_form
from nomicgit.record.forms.filled import named, read
from nomicgit.record.forms.forge import Forge, forge_of, resolved_by
from nomicgit.record.forms.texts import FOLDER, texts

__all__ = [
    "FOLDER",
    "MAILBOX",
    "ORDER",
    "Forge",
    "file_of",
    "forge_of",
    "has_form",
    "named",
    "read",
    "resolved_by",
    "texts",
]
