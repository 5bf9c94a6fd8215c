"""Which dtypes functions and operators of JAX refuse: looked up by name.

``data/dtypes.json`` is measured by `jaxlint.knowledge.probe.dtypes` and read at the first look-up. Its rows have:

``refuses``        parameter -> kinds of dtypes that it refuses: "bool", "int", "uint", "float" or "complex"
``alike``          groups of parameters that must have one dtype; a parameter of several arrays is a group by itself
``alike in kind``  groups of parameters whose dtypes must be of one kind
``instead``        the function that JAX names for operands that are not alike
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any, NamedTuple

_FILE = Path(__file__).with_name("data") / "dtypes.json"
KINDS = ("bool", "int", "uint", "float", "complex")
# Parameters that are positions or counts, by name.
_POSITIONS = frozenset({
    "index", "indices", "idxs", "ind", "obj", "segment_ids", "start_index", "start_indices", "scatter_indices", "group_sizes",
    "multi_index", "lower", "upper",
})  # fmt: skip


class Dtypes(NamedTuple):
    """What a function or operator asks of the dtypes of its arguments."""

    refuses: dict[str, frozenset[str]]
    alike: tuple[tuple[str, ...], ...]
    alike_in_kind: tuple[tuple[str, ...], ...]
    instead: str | None

    def takes(self, parameter: str) -> tuple[str, ...]:
        """The kinds of dtypes that a parameter takes."""
        refused = self.refuses.get(parameter, frozenset())
        return tuple([each for each in KINDS if each not in refused])

    def is_position(self, parameter: str) -> bool:
        """Whether a parameter is an index or a count, which takes integers and no floats."""
        return parameter in _POSITIONS and (
            "float" in self.refuses.get(parameter, ()) or any(parameter in group for group in self.alike_in_kind)
        )


@functools.cache
def _rows() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))["functions"]
    return found


@functools.cache
def dtypes(name: str) -> Dtypes | None:
    """What a function, or an ``operator &``, asks of dtypes; None where it refuses none, or was not measured."""
    row = _rows().get(name)
    if row is None:
        return None
    return Dtypes(
        {parameter: frozenset(kinds) for parameter, kinds in row.get("refuses", {}).items()},
        tuple([tuple(group) for group in row.get("alike", ())]),
        tuple([tuple(group) for group in row.get("alike in kind", ())]),
        row.get("instead"),
    )


def kind(dtype: str | None) -> str | None:
    """The kind of a dtype by its name; None for keys and for what is not known."""
    if dtype is None:
        return None
    name = dtype.rstrip("0123456789")
    return "float" if name == "bfloat" else name if name in KINDS else None
