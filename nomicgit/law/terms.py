"""The game's terms in texts: replacing those that people wrote out, and reading those that they quote.

A dynasty calls its players and its emperor by words of its own. Prose may quote them, ``{{terms.player}}``,
as it may quote a declaration, ``{{limits.daily.gap}}``; words written out are replaced when an ascension
brings new ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from nomicgit.ground.characters import settled
from nomicgit.ground.kept import late

ROLES = ("players", "player", "emperor")  # the plural first
BASE = {"player": "player", "players": "players", "emperor": "emperor"}  # the words of a role without a term

QUOTE = r"\{\{[^{}\n]*\}\}"
_CODE = r"(?P<marks>`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)(?P=marks)(?!`)"
_FENCED = r"^[ \t]*(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*?^[ \t]*(?P=fence)[`~]*[ \t]*$|.*\Z)"
_LINK = r"\]\([^()\s]*\)|<?\bhttps?://[^\s<>]+"
_ARTICLE = r"(?:(?<![^\W_])(?P<article>an?)(?P<gap>\s+[*_\"“‘'(\[]*))?"

_REGIONAL = (  # spellings that differ by region only, tried on the letters of a term
    (
        r"(hon|col|arm|harb|neighb|lab|fav|flav|hum|rum|vap|sav|savi|glam|parl|behavi|endeav|val|vig)ou?r",
        r"\1ou?r",
    ),
    (r"(cent|theat|spect|sab|meag|somb|lust)(?:re|er)\b", r"\1(?:re|er)"),
    (r"(\w{3})i[sz](e|er|ers|ed|ing|ation)\b", r"\1i[sz]\2"),
    (r"(jewe|trave|counse|marve|mode|sign?a|due)ll?(er|ers|or|ors|ed|ing)\b", r"\1ll?\2"),
    (r"\bgr[ae]y", "gr[ae]y"),
)
_SPOKEN = late(r"[aeiou]|hono|hour|heir|honest")  # words that begin with a vowel's sound …
_UNSPOKEN = late(r"uni|use|usu|eu|ewe|one\b|once|ut[aei]|ura|uk")  # … and those that only look so


def replacing(old: Mapping[str, str], new: Mapping[str, str]) -> Callable[[str], str]:
    """What replaces the old terms in a text by the new, both by role (player, players, emperor).

    A role that ``new`` does not name keeps its term; a plural that is not given ends in s.
    Whole words only, and a hyphen joins a word; capitals stay as they were; a preceding *a* or *an* is
    adapted. Code, ``{{ }}`` quotes and the parentheses right behind one (a list of synonyms gives the base
    word there), and the targets of links stay as they are; and so does a term with a character newer than Unicode 14.
    """
    before, after = with_plural({**BASE, **old}, old), with_plural({**old, **new}, new)
    pairs: dict[str, str] = {}
    for role in ROLES:
        word = " ".join(before[role].split())
        if word and role in after and settled(both := word + after[role]) == both:
            pairs.setdefault(word, after[role])
    if all(word == becomes for word, becomes in pairs.items()):
        return lambda text: text
    pattern, roles = _pattern(tuple(pairs)), list(pairs.items())

    def put(match: re.Match[str]) -> str:
        word, becomes = next(pair for n, pair in enumerate(roles) if match[f"t{n}"] is not None)
        return _article(match, word, becomes) + _cased(match["term"], word, becomes)

    def replaced(text: str) -> str:
        parts, at = [], 0
        for match in pattern.finditer(settled(text)):
            if match["term"] is not None:
                parts += [text[at : match.start()], put(match)]
                at = match.end()
        return "".join([*parts, text[at:]])

    return replaced


def with_plural(terms: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Terms with a plural of players: as given, else the singular with an s where that one was given."""
    if "player" in given and "players" not in given:
        return {**terms, "players": given["player"] + "s"}
    return dict(terms)


def quoted(prose: str, look: Callable[[str], str | None]) -> str:
    """The prose with each ``{{path}}`` read by ``look``; what that does not know stays as it is written."""

    def read(match: re.Match[str]) -> str:
        if match["quote"] is None:
            return match[0]
        value = look(match["quote"].strip())
        return match[0] if value is None else value

    return _QUOTES.sub(read, prose)


_QUOTES = late(rf"{_FENCED}|{_CODE}|\{{\{{(?P<quote>[^{{}}\n]*)\}}\}}", re.MULTILINE | re.DOTALL)


@lru_cache(maxsize=64)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """What is to be left alone, or a term with the article before it."""
    apart = rf"{_FENCED}|{_CODE}|{QUOTE}(?:\s*\([^()\n]*\))?|{_LINK}"
    each = "|".join(f"(?P<t{n}>{_spellings(word)})" for n, word in enumerate(words))
    term = rf"(?<![^\W_])(?<![^\W_][-_‐‑])(?P<term>{each})(?![^\W_])(?![-_‐‑][^\W_])"
    return re.compile(f"{apart}|{_ARTICLE}{term}", re.MULTILINE | re.DOTALL | re.IGNORECASE)


def _spellings(word: str) -> str:
    """A pattern for a term in any regional spelling, its spaces any white space."""
    pattern = re.sub(r"['‘’]", "['‘’]", re.escape(word)).replace(r"\ ", r"\s+")
    for letters, variants in _REGIONAL:
        pattern = re.sub(letters, variants, pattern, flags=re.IGNORECASE)
    return pattern


def _cased(there: str, word: str, becomes: str) -> str:
    """The new term with the place's capitals: as declared, all small, all capital, or a capital first."""
    if there == word:
        return becomes
    if there.islower():
        return becomes.lower()
    if there.isupper() and len(there) > 1:
        return becomes.upper()
    return becomes[:1].upper() + becomes[1:] if there[0].isupper() else becomes


def _article(match: re.Match[str], word: str, becomes: str) -> str:
    """The article before a term and what parts them, changed where the term now begins with another sound."""
    article, gap = match["article"], match["gap"]
    if article is None:
        return ""
    if _vowel(word) != _vowel(becomes):
        right = "an" if _vowel(becomes) else "a"
        capital = article[0].isupper()
        article = right.capitalize() if capital else right
    return f"{article}{gap}"


def _vowel(term: str) -> bool:
    """Whether a term begins with a vowel's sound, as far as its letters tell; initials are spelled out."""
    first = term.split()[0] if term.split() else ""
    if len(first) > 1 and first.isupper():
        return first[0] in "AEFHILMNORSX"
    return bool(_SPOKEN.match(first.lower())) and not _UNSPOKEN.match(first.lower())
