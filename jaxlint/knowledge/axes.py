"""How many axes functions of JAX take, and which of them a caller may name: looked up by name.

``data/axes.json`` is measured by `jaxlint.knowledge.probe.axes` and read at the first look-up. Its rows have:

``array``   the parameter that takes the array; a sequence of arrays counts as one with an axis more
``more``    parameter of an axis -> how many more axes it may name than the array has
``ranks``   the least and the greatest number of axes; null for any
``square``  the last two axes must have one size
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any, NamedTuple

_FILE = Path(__file__).with_name("data") / "axes.json"


class Axes(NamedTuple):
    """What a function asks of the axes of its array."""

    more: dict[str, int]
    least: int
    greatest: int | None
    square: bool


@functools.cache
def _rows() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))["functions"]
    return found


@functools.cache
def axes(name: str) -> Axes | None:
    """What a function asks; None where it takes any array, or was not measured. A method asks what the function of its name does."""
    row = _rows().get(name.replace("jax.Array.", "jax.numpy."))
    if row is None:
        return None
    least, greatest = row.get("ranks", (0, None))
    return Axes(row.get("more", {}), least, greatest, row.get("square", False))
