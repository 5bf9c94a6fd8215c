"""Number of indices that does not match the axes of an array.

## What it does
Reports subscripts with more indices than the array is known to have axes, in `x[i, j]` and in `x.at[i, j]`, and
`lax.dynamic_slice`, `lax.dynamic_update_slice` and `lax.slice` with another number of start positions or sizes than the
operand has axes. An array that is an attribute of an object is left alone: objects of a class may hold batches as well.

## Why is this bad
JAX raises `IndexError`, `TypeError` or `ValueError`. Inside `vmap` the mapped axis is not there, so a function that
indexes it works for the whole batch and fails when it is mapped.

## Example
```python
import jax

def across(position):
    return position[:, 1]

jax.vmap(across)(positions)
```

## Use instead
```python
import jax

def across(position):
    return position[1]

jax.vmap(across)(positions)
```

## When to ignore
Never: the code fails.

## Fix safety
There is no fix: which axis is meant is not known.

## References
- JAX documentation, "Automatic vectorization": https://docs.jax.dev/en/latest/automatic-vectorization.html
- JAX documentation, `jax.lax.dynamic_update_slice`:
  https://docs.jax.dev/en/latest/_autosummary/jax.lax.dynamic_update_slice.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.ranks import IndexCountMismatch
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.names.library_parameters import shown
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX216",
    summary="Number of indices does not match the axes of the array.",
    category=Category.FAILS,
    hazards=(IndexCountMismatch,),
    error="IndexError",
)


def check(hazard: IndexCountMismatch, file: File) -> Iterator[Finding]:
    axes, operand = len(hazard.shape or ()), file.code(hazard.operand, 40)
    node = file.unit.nodes[hazard.operand]
    if isinstance(node, ir.Sequence) and node.kind == "tuple":
        operand = f"({operand})"
    indices = f"{hazard.given} {'index' if hazard.given == 1 else 'indices'}"
    dimensions = f"{axes}-d array"
    if hazard.api is None:
        message = f"{indices.capitalize()} into {dimensions} `{operand}`"
        mapped = hazard.value.cls == "batched"
        most = f"Use at most {axes}." if axes else "Use the array itself."
        advice = "Drop the index of the mapped axis." if mapped else most
    else:
        message = f"{hazard.given} of {axes} entries in `{hazard.parameter}` of `{shown(hazard.api)}`: `{operand}`"
        advice = f"Pass one entry for each axis of the {dimensions}."
    yield Finding(hazard.site, message, advice)
