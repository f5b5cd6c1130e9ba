"""How a game's site is made where nobody has said otherwise: the ``mkdocs.yml`` that a founding writes."""

from __future__ import annotations

from nomicgit.ground import files
from nomicgit.record.forms import forge_of
from nomicgit.record.settings import Settings

SEPARATOR = (  # of words, as the theme's script reads it; in YAML a quote stands twice
    r"(?:<|&lt;)\/?[A-Za-z](?:>|&gt;)|\b[A-Za-z][''’]|[''’](?:(?:[A-Za-z]|ll|re|ve)(?!\w))?"
    r"|\/(?![\dA-Za-z]\b)|\.(?!\d|[A-Za-z]\b)|&(?:#\d+;|[a-z]+;|)|\b_+|_+\b"
    r"|[\s!-%(-,\-:-@\[-^`{-~¡«·»¿\u2010-\u2018\u201a-\u206f\u3000-\u303f]"
)

SETTINGS = """\
site_name: {name}
theme:
  name: material
  font: false  # no request leaves the site
  palette:
    - media: "(prefers-color-scheme)"  # as the reader's system is and becomes, until they choose
      toggle: {{icon: material/brightness-auto, name: Dark colours}}
    - media: "(prefers-color-scheme: dark)"
      scheme: slate
      toggle: {{icon: material/weather-night, name: Light colours}}
    - media: "(prefers-color-scheme: light)"
      scheme: default
      toggle: {{icon: material/weather-sunny, name: Colours of the system}}
  features:
    - navigation.path  # where one is, above the title
    - navigation.top  # a way back up, on long pages
    - toc.follow  # the contents of a long page go along with it
    - search.suggest
    - search.highlight  # what one searched for, on the page that one comes to
    - content.code.copy
extra:
  generator: false
plugins:
  - search:
      # words end at punctuation, and at characters that the index holds as references; numbers keep their points,
      # letters their slashes; what an apostrophe cuts off (l', 's, 't) and tags of one letter are no words
      separator: '{separator}'
  - nomicgit
"""

ADDRESS = "site_url: {site}\n"


def of(settings: Settings) -> str:
    """That of a game, with its name, and the address that its place on a forge gives its site."""
    place = forge_of(settings.forge) if settings.forge else None
    address = ADDRESS.format(site=place.site) if place else ""
    return SETTINGS.format(separator=SEPARATOR, name=files.write_flow(settings.name)) + address
