"""Files as sources: a module, or a notebook where the name ends in ``.ipynb``."""

from __future__ import annotations

import os

from jaxlint.source.text import NOTEBOOK, Source, read_bytes


def read_source(path: str | os.PathLike[str]) -> Source:
    """Read a file. Raises SourceError when it cannot be read or decoded."""
    filename = os.fspath(path)
    return decoded(read_bytes(filename), filename)


def decoded(raw: bytes, filename: str) -> Source:
    """The source that the bytes of a file are. Raises SourceError when they cannot be decoded."""
    if filename.endswith(NOTEBOOK):
        from jaxlint.source.notebook import Notebook

        return Notebook(filename, raw)
    return Source.from_bytes(raw, filename)
