"""The lowest versions that the program says it takes, as constraints for pip.

.venv/bin/python tools/lowest.py > lowest.txt && PIP_CONSTRAINT=lowest.txt make test
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_BOUND = re.compile(r"([A-Za-z0-9-]+)[>=]=([0-9.]+)")


def lowest() -> list[str]:
    """``name==version`` of everything that the program needs, its extras included and its tests' tools not."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [
        need for name, needs in project["optional-dependencies"].items() if name != "test" for need in needs
    ]
    bounds = [_BOUND.match(need) for need in (*project["dependencies"], *extras)]
    return [f"{bound[1]}=={bound[2]}" for bound in bounds if bound]


if __name__ == "__main__":
    print("\n".join(lowest()))
