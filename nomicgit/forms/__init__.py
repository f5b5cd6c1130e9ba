"""Issue forms: one for each action that people do through a forge, written from the law; and reading them back."""

from nomicgit.forms.fields import file_of, has_form
from nomicgit.forms.reading import named, read

__all__ = ["file_of", "has_form", "named", "read"]
