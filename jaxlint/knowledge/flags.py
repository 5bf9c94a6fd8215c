"""Which parameters of functions and layers of libraries are flags: looked up by name.

``data/flags.json`` is measured by `jaxlint.knowledge.probe.flags` and read at the first look-up. A row has the parameters that
are annotated `bool`, with their positions; null for one that is passed by name alone.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

_FILE = Path(__file__).with_name("data") / "flags.json"


@functools.cache
def _rows() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))["functions"]
    return found


def flags(name: str) -> dict[str, int | None]:
    """The flags of a function or class, with their positions; none where it has none, or was not measured."""
    row: dict[str, int | None] = _rows().get(name, {})
    return row
