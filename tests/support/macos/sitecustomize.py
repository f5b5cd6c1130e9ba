"""Put its folder first on PYTHONPATH: Python then lacks what it lacks on macOS, as far as a Linux can pretend it."""

from __future__ import annotations

import builtins
import os
import resource
import sys
import types
from typing import Any

sys.platform = "darwin"
for name in ("sched_getaffinity", "posix_fadvise"):
    delattr(os, name)

proxies = types.ModuleType("_scproxy")  # what the standard library asks for the system's proxies there
proxies._get_proxy_settings = dict  # type: ignore[attr-defined]
proxies._get_proxies = dict  # type: ignore[attr-defined]
sys.modules["_scproxy"] = proxies

opened, limited = builtins.open, resource.setrlimit


def open_there(file: Any, *more: Any, **named: Any) -> Any:
    """There is no /proc."""
    if isinstance(file, str) and file.startswith("/proc/"):
        raise FileNotFoundError(2, "No such file or directory", file)
    return opened(file, *more, **named)


def limited_there(what: int, limits: tuple[int, int]) -> None:
    """The limit of the address space is there by name, and is refused."""
    if what == resource.RLIMIT_AS:
        raise ValueError("current limit exceeds maximum limit")
    limited(what, limits)


builtins.open = open_there
resource.setrlimit = limited_there
