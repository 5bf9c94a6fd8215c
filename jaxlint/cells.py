"""Cells of a notebook, as modules show them: jupytext's formats, Spyder, VS Code, and what nbconvert writes.

The lines of a module from one marker to the next are a cell. Cells are run again, and in any order, so that what one
of them leaves behind says little about the next.
"""

from __future__ import annotations

import re

_MARKER = re.compile(r"#\s?%%|#\s?In\s?\[[\s\d]*\]|# \+(?:\s*$|\s+(?:\w+=|\{))")


def begins_cell(comment: str) -> bool:
    """Whether a comment, its `#` included, begins a cell: `# %% [markdown]`, `#%%`, `# In[3]:`, `# +`."""
    return _MARKER.match(comment) is not None


def has_cells(text: str) -> bool:
    """Whether a line of a module begins a cell."""
    return any(map(begins_cell, text.splitlines()))
