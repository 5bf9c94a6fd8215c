"""Cells of a notebook, as modules show them: jupytext's formats, Spyder, VS Code, and what nbconvert writes.

The lines of a module from one marker to the next are a cell. Cells are run again, and in any order, so that what one
of them leaves behind says little about the next.
"""

from __future__ import annotations

import re

_BEGINS = r"#\s?%%|#\s?In\s?\[[\s\d]*\]|# \+(?:[ \t]*$|\s+(?:\w+=|\{))"
_MARKER = re.compile(_BEGINS)
_LINE = re.compile(rf"^(?:{_BEGINS})", re.MULTILINE)


def begins_cell(comment: str) -> bool:
    """Whether a comment, its `#` included, begins a cell: `# %% [markdown]`, `#%%`, `# In[3]:`, `# +`."""
    return _MARKER.match(comment) is not None


def has_cells(text: str) -> bool:
    """Whether a line of a module begins a cell."""
    return _LINE.search(text if "\r" not in text else text.replace("\r", "\n")) is not None
