"""The bodies of commands: what they do with what was given, each loaded when its command runs.

A body imports at its top what it needs, and nothing that its command does not need.
"""

from __future__ import annotations
