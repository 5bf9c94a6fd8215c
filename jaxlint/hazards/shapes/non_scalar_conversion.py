"""Array of several elements where one is needed.

## What it does
Reports arrays of JAX that have several elements and are given to `float`, `int`, `bool`, `complex` or `operator.index`, or that
decide an `if`, a `while`, an `assert` or a ternary; and arrays with axes that a format specification is to show as a number,
be it one of a single element: `f"{losses:.3f}"`.

## Why is this bad
The conversion and the format raise `TypeError`, the condition `ValueError`: the truth value of several elements is ambiguous.

## Example
```python
import jax.numpy as jnp

losses = jnp.ones(3)
print(float(losses))
```

## Use instead
```python
import jax.numpy as jnp

losses = jnp.ones(3)
print(float(losses.mean()))
```

## When to ignore
Where the error is meant.

## Fix safety
There is no fix: which of the elements count, or what is made of all of them, is yours to choose.

## References
- JAX documentation, `jax.numpy.any`: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.any.html
- NumPy documentation, `numpy.any`: https://numpy.org/doc/stable/reference/generated/numpy.any.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import NonScalarConversion
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.hazards.shapes.shape_mismatch import shown
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX219",
    category=Category.FAILS,
    hazards=(NonScalarConversion,),
    error="ValueError",
)


def check(hazard: NonScalarConversion, file: File) -> Iterator[Finding]:
    operand, shape = file.code(hazard.operand, 40), shown(hazard.shape)
    if hazard.api is None:
        message = f"Truth value of array `{operand}` of shape {shape}"
        advice = f"Reduce it first: `jnp.any({operand})` or `jnp.all({operand})`."
    elif hazard.api == "format":
        message = f"Array `{operand}` of shape {shape} formatted as a number"
        advice = "Reduce it to one number first, take one by its index, or leave out the format specification."
    else:
        message = f"`{hazard.api.removeprefix('builtins.')}()` on array `{operand}` of shape {shape}"
        advice = "Reduce it to one element first, or take one by its index."
    yield Finding(hazard.site, message, advice)
