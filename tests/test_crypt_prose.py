"""The prose of the editions is canonical: an amendment changes what it names and reflows nothing else."""

from __future__ import annotations

import pytest

from nomicgit import editions
from nomicgit.prose import canonical


@pytest.mark.parametrize("edition", editions.names())
def test_prose_is_canonical(edition: str) -> None:
    ruleset = editions.load(edition)
    prose = {placed.slug: placed.prose for placed in ruleset.rules}
    prose |= {section: text.strip() for section, text in ruleset.intros.items()}
    assert [name for name, text in prose.items() if canonical(text) != text] == []
