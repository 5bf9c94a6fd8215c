"""What goes wrong with arrays and keys in ways that no error of a tracer tells: looked up by name.

``data/misuse.json`` is measured by `jaxlint.knowledge.probe.misuse` and read at the first look-up:

``attributes``  public attributes of a concrete jax array
``keys``        operation -> exception that it raises on a typed key; on a legacy key it works
``silent``      NumPy functions that give a tracer another answer than the array it stands for
``versions``    what was measured
``writes``      NumPy and Python functions -> parameters they write into, which no jax array can be
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_FILE = Path(__file__).with_name("data") / "misuse.json"
_loaded: dict[str, Any] = {}


def _section(name: str) -> dict[str, Any]:
    if not _loaded:
        _loaded.update(json.loads(_FILE.read_text(encoding="utf-8")))
    rows: dict[str, Any] = _loaded[name]
    return rows


def versions() -> dict[str, str]:
    """What was measured, by package."""
    return dict(_section("versions"))


def is_array_attribute(name: str) -> bool:
    """Whether concrete jax arrays have a public attribute of this name."""
    return name in _section("attributes")


def fails_on_typed_key(operation: str) -> str | None:
    """The exception that an operation raises on a typed key and not on a legacy one; None where it raises none.

    ``operation`` is the dotted name of a function (`numpy.asarray`, `jax.numpy.sum`, `builtins.len`),
    ``jax.Array.sum`` for an attribute or method, ``operator +``, ``unary -``, ``subscript`` or ``iteration``.
    """
    found: str | None = _section("keys").get(operation)
    return found


def is_silently_wrong(name: str) -> bool:
    """Whether the function gives a tracer another plain answer than the array it stands for."""
    return name in _section("silent")


def written(name: str) -> tuple[str, ...]:
    """Parameters the function writes into, by name; a jax array given for one of them raises."""
    return tuple(_section("writes").get(name, ()))
