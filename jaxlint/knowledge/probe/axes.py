"""How many axes functions take, and which of them they let a caller name: measures and writes ``data/axes.json``.

    python -m jaxlint.knowledge.probe.axes            write the file
    python -m jaxlint.knowledge.probe.axes --check    compare the file with this JAX

The array of a working call is replaced by arrays of other shapes, and its ``axis`` by each number around the number of its axes.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# Thousands of tiny programs are traced.
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np

from jaxlint.knowledge.probe import calls_by_hand, functions, write
from jaxlint.knowledge.probe.calls import Call, Function, base_calls

DATA = Path(__file__).parent.parent / "data" / "axes.json"
_AXES = ("axis", "dimension", "axis1", "axis2")
_RANKS = range(5)
_MODULES = re.compile(r"jax\.(n\w+|lax|image|\w+\.special)\b")  # of arrays, as `jax.numpy` and `jax.nn`


def measure(only: str = "") -> dict[str, Any]:
    """The rows of all functions whose names a regular expression matches, from their start on."""
    rows = {}
    for function in functions.callables(only):
        if _MODULES.match(function.name) and function.name not in calls_by_hand.COLLECTIVES:
            row = of_calls(function, base_calls(function))
            if row:
                rows[function.name] = row
    return rows


def of_calls(function: Function, calls: Sequence[Call]) -> dict[str, Any]:
    """What each working call shows of the array that it is given, as far as they agree.

    ``array``: the parameter that takes it; ``more``: axis parameter -> how many more axes it may name than the array has;
    ``ranks``: the least and the greatest number of axes, None for any; ``square``: the last two axes have one size.
    """
    rows = [row for call in calls if (row := _of_call(function, call))]
    if len({row["array"] for row in rows}) != 1:
        return {}
    merged = {"array": rows[0]["array"]}
    for key in ("more", "ranks", "square"):
        told = [row[key] for row in rows if key in row]
        if told and all(each == told[0] for each in told) and (key == "more" or len(told) == len(rows)):
            merged[key] = told[0]
    return merged if len(merged) > 1 else {}


def _of_call(function: Function, call: Call) -> dict[str, Any]:
    """What a call shows, if one array is all that it needs."""
    arrays = [name for name, value in call.items() if isinstance(value, (jax.Array, np.ndarray, list, tuple))]
    if len(arrays) != 1 or any(callable(value) for value in call.values()):
        return {}
    name = arrays[0]
    value = call[name]
    if not isinstance(value, (jax.Array, np.ndarray)) or jnp.issubdtype(value.dtype, jax.dtypes.prng_key):
        return {}
    if function.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL:
        return {}

    def works(shape: tuple[int, ...], **others: Any) -> bool:
        return function.evaluates({**call, name: jnp.ones(shape, value.dtype), **others})

    taken = [rank for rank in _RANKS if works((3,) * rank)]
    if not taken or taken[-1] == 0:
        return {}
    row: dict[str, Any] = {"array": name}
    named = [axis for axis in _AXES if axis in function.parameters]
    more = {axis: told for axis in named if (told := _more(works, taken, axis)) is not None}
    if more:
        row["more"] = more
    # What else a call passes, or the axis that it could pass, may be what asks for so many axes.
    if len(call) == 1 and taken == list(range(taken[0], taken[-1] + 1)) and taken != list(_RANKS):
        greatest = None if taken[-1] == _RANKS[-1] else taken[-1]
        if greatest is None or not named:
            row["ranks"] = [taken[0], greatest]
    if taken[0] == 2 and works((3, 3)) and not works((3, 4)) and not works((4, 3)) and works((4, 4)):
        row["square"] = True
    return row


def _more(works: Any, ranks: Sequence[int], axis: str) -> int | None:
    """How many more axes than the array has a parameter may name; None where arrays do not agree, or all numbers do."""
    found = set()
    for rank in ranks:
        shape = (3,) * rank
        valid = [number for number in range(-rank - 3, rank + 3) if works(shape, **{axis: number})]
        if not valid and rank == 0:
            continue
        bound = len(valid) // 2
        if valid != list(range(-bound, bound)):
            return None
        found.add(bound - rank)
    return found.pop() if len(found) == 1 else None


if __name__ == "__main__":
    sys.exit(write.command(DATA, "Measure how many axes functions take.", measure))
