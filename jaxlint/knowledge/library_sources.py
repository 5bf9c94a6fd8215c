"""Classes of libraries that are followed like those of the project, by sources that say what they do.

A source stands for a module whose objects carry the user's own functions and arrays: what it does with
them is told best in Python. Nothing is reported in it.
"""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent / "sources"
# Dotted name of a class -> the file of its source, and its name there.
_SOURCES = {"flax.training.train_state.TrainState": ("train_state.pyi", "TrainState")}


def source_of(dotted: str) -> tuple[str, str] | None:
    """The file that tells of a class, and the name of the class there; None for one that is known by other means."""
    found = _SOURCES.get(dotted)
    return None if found is None else (str(_FOLDER / found[0]), found[1])


def is_source(file: str) -> bool:
    """Whether a file is such a source."""
    return file.startswith(str(_FOLDER))
