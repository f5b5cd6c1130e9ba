"""Where the project lives, as its built package says: at the address from which it is released, and nowhere else.

A release says that in PROJECT_URL. What somebody builds at home, or in a copy of the repository, names no address.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

RELATIVE = re.compile(r"\]\((?![a-z]+:|#)")


class ProjectUrls(MetadataHookInterface):
    """Fills in ``urls`` and ``readme``, which pyproject.toml calls dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """The addresses of the source, of its pages at this version, and of its issues; README, leading to those pages."""
        home = os.environ.get("PROJECT_URL", "").rstrip("/")
        at = f"{home}/blob/v{metadata['version']}"
        addresses = {
            "Source": home,
            "Documentation": f"{at}/docs/index.md",
            "Changelog": f"{at}/CHANGELOG.md",
            "Issues": f"{home}/issues",
        }
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        if home:
            readme = RELATIVE.sub(f"]({at}/", readme)
        metadata["urls"] = addresses if home else {}
        metadata["readme"] = {"content-type": "text/markdown", "text": readme}
