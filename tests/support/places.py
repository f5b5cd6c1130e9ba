"""Where things lie, whichever room a test stands in."""

from __future__ import annotations

import os
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
ROOT = TESTS.parent


def lacking(what: str) -> dict[str, str]:
    """The environment of a program whose machine lacks something, as ``support/absent`` pretends it; the modules of the tree that
    is tested stay those that it reads.
    """
    paths = [str(TESTS / "support" / "absent"), *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths), "WITHOUT": what}
