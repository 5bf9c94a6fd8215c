"""Whether an old name and its replacement are the same, in one release that has both.

``python -m jaxlint.knowledge.probe.pairs [FILE]`` compares the pairs of ``migrations.json`` (or of a file with
``old new`` on each line) in the installed packages, and prints a line for each pair that both exist:
``object`` (the same object), ``signature`` (the same parameters), ``values`` (the same results for the sample
call as well), or ``differs``.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jaxlint.knowledge.parameters import spell

os.environ.setdefault("JAX_PLATFORMS", "cpu")

# Arguments to call the old function and the new one with, as expressions.
SAMPLES = {
    "jax.nn.normalize": "jnp.array([[1.0, 2.0, 4.0], [0.5, 0.0, -3.0]])",
    "jax.numpy.alltrue": "jnp.array([True, False])",
    "jax.numpy.cumproduct": "jnp.array([1.5, 2.0, -3.0])",
    "jax.numpy.fix": "jnp.array([1.5, -2.5, jnp.nan, -0.0])",
    "jax.numpy.product": "jnp.array([1.5, 2.0, -3.0])",
    "jax.numpy.round_": "jnp.array([1.26, 2.5, -3.5]), 1",
    "jax.numpy.row_stack": "[jnp.arange(3), jnp.ones(3)]",
    "jax.numpy.sometrue": "jnp.array([True, False])",
    "jax.numpy.trapz": "jnp.array([1.0, 2.0, 4.0]), jnp.array([0.0, 0.5, 3.0])",
    "jax.lax.zeros_like_array": "jnp.array([1.5, 2.0])",
    "jax.scipy.linalg.tril": "jnp.arange(9.0).reshape(3, 3), 1",
    "jax.scipy.linalg.triu": "jnp.arange(9.0).reshape(3, 3), -1",
    "jax.tree_map": "lambda a, b: a + b, {'x': [1, (2, 3)]}, {'x': [1, (2, 3)]}",
    "jax.tree_all": "{'x': [1, (2, 0)]}",
    "jax.tree_flatten": "{'x': [1, (2, None)]}",
    "jax.tree_leaves": "{'x': [1, (2, None)]}",
    "jax.tree_structure": "{'x': [1, (2, None)]}",
    "jax.tree_reduce": "lambda a, b: a + b, {'x': [1, (2, 3)]}, 0",
    "jax.tree_unflatten": "jax.tree_util.tree_structure((1, [2])), [3, 4]",
    "jax.tree_transpose": "jax.tree_util.tree_structure([0, 0]), jax.tree_util.tree_structure((0, 0)), [(1, 2), (3, 4)]",
}


def pairs() -> Iterator[tuple[str, str]]:
    """The names and replacements that ``migrations.json`` says are aliases."""
    file = Path(__file__).parents[1] / "data" / "migrations.json"
    for old, row in json.loads(file.read_text(encoding="utf-8"))["replacements"].items():
        for each in (row, *row.get("also", ())):
            if each.get("name") and each.get("rewrite", "alias").startswith("alias"):
                yield old, each["name"]


def find(path: str) -> Any:
    """The object with a dotted name; raises `LookupError` where there is none."""
    parts = path.split(".")
    for length in range(len(parts), 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:length]))
            for part in parts[length:]:
                value = getattr(value, part)
            return value
        except Exception:
            continue
    raise LookupError(path)


def compare(old: str, new: str) -> str | None:
    """How alike two names are; None where one of them does not exist."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            first, second = find(old), find(new)
        except LookupError:
            return None
        if first is second:
            return "object"
        if inspect.ismodule(first) and inspect.ismodule(second):
            return "module"
        if not callable(first) or not callable(second):
            same = repr(first) == repr(second) and type(first) is type(second)
            return "values" if same else "differs"
        sample = SAMPLES.get(old)
        equal = sample is not None and _call(first, sample) == _call(second, sample)
        try:
            spelled = spell(inspect.signature(first)), spell(inspect.signature(second))
        except (TypeError, ValueError):
            return "differs"
        if spelled[0] != spelled[1]:
            return f"differs: {spelled[0]} | {spelled[1]}" + (" | values" if equal else "")
        return "values" if equal else "signature"


def _call(function: Any, sample: str) -> str:
    import jax
    import jax.numpy as jnp

    arguments = eval(f"({sample},)", {"jax": jax, "jnp": jnp})
    result = function(*arguments)
    leaves, structure = jax.tree_util.tree_flatten(result)
    return repr([structure, *(_exactly(jnp, leaf) for leaf in leaves)])


def _exactly(jnp: Any, leaf: Any) -> Any:
    try:
        return leaf.dtype, jnp.asarray(leaf).tobytes()
    except AttributeError:  # a Python number, or a structure
        return leaf


def main() -> int:
    given = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines() if len(sys.argv) > 1 else None
    for old, new in pairs() if given is None else (line.split()[:2] for line in given):
        found = compare(old, new)
        if found is not None:
            print(f"{old} {new} {found}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
