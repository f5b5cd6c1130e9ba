"""Issue forms: one for each action that people do through a forge, written from the law; and reading them back."""

from nomicgit.forms.fields import file_of, has_form
from nomicgit.forms.forge import Forge, forge_of
from nomicgit.forms.reading import named, read
from nomicgit.forms.texts import FOLDER, texts

__all__ = ["FOLDER", "Forge", "file_of", "forge_of", "has_form", "named", "read", "texts"]
