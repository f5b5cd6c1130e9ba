"""Where the project lives, as its built package says: at the address from which it is released, and nowhere else.

A release says that in PROJECT_URL. What somebody builds at home, or in a copy of the repository, names no address.
"""

from __future__ import annotations

import os
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class ProjectUrls(MetadataHookInterface):
    """Fills in ``urls``, which pyproject.toml calls dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """The addresses of the source, of its pages at this version, and of its issues, by what they are called."""
        home = os.environ.get("PROJECT_URL", "").rstrip("/")
        at = f"{home}/blob/v{metadata['version']}"
        addresses = {
            "Source": home,
            "Documentation": f"{at}/docs/index.md",
            "Changelog": f"{at}/CHANGELOG.md",
            "Issues": f"{home}/issues",
        }
        metadata["urls"] = addresses if home else {}
