"""Pages of memory: what a process holds for good, held in large ones, so that its forks need not copy a table of small ones."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

LARGE = 2 << 20
_COLLAPSE = 25  # MADV_COLLAPSE, of Linux 6.1


def enlarge() -> None:
    """Have the system gather this process's own memory in large pages, where it can; else nothing happens."""
    if sys.platform != "linux":
        return
    with suppress(OSError, AttributeError), open("/proc/self/maps", encoding="utf-8") as file:
        advise = ctypes.CDLL(None).madvise
        advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        for region in file.read().splitlines():
            place, rights, *_, node, name = [*region.split(maxsplit=5), ""][:6]
            if rights == "rw-p" and node == "0" and name in ("", "[heap]"):
                start, end = (int(each, 16) for each in place.split("-"))
                for page in range(-(-start // LARGE) * LARGE, end // LARGE * LARGE, LARGE):
                    advise(page, LARGE, _COLLAPSE)
