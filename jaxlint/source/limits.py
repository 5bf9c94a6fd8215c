"""How long texts may be."""

from __future__ import annotations

MAX_CHARACTERS = 5_000_000
"""How long a text may be that is parsed. What is longer holds data; a tree of it takes up to 350 bytes for each character."""

MIN_TEXT = 100_000
"""How long a text is whose long displays of constants are left out of what is parsed. The tree of a shorter one takes at most 150 MB."""
