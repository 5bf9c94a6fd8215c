"""The absolute value or the square of a difference of unsigned integers, which has wrapped around below zero.

## What it does
Reports `jnp.abs(a - b)`, `jnp.square(a - b)` and `(a - b) ** 2` of jax arrays of unsigned integers, such as images of bytes.
What the smallest element is subtracted from is left alone.

## Why is this bad
Unsigned integers have no numbers below zero: 3 - 5 is 254 in `uint8`. The absolute value changes nothing, and the square wraps
around once more.

## Example
```python
moving = jnp.abs(frame - previous) > 40  # both of uint8
```

## Use instead
```python
moving = jnp.abs(frame.astype(int) - previous.astype(int)) > 40
```

## When to ignore
Where the difference is never below zero.

## Fix safety
Unsafe: both are made signed before they are subtracted, so the result has another dtype.

## References
- JAX documentation, "Type promotion semantics" (https://docs.jax.dev/en/latest/type_promotion.html)
- NumPy documentation, "Data types", overflow errors (https://numpy.org/doc/stable/user/basics.types.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.unsigned import UnsignedDifference
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import operand
from jaxlint.rewrite.requirements import expect, or_none
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX321",
    summary="Absolute value or square of an unsigned difference, which wraps around below zero.",
    category=Category.WRONG,
    hazards=(UnsignedDifference,),
    fixable="unsafe",
)


def check(hazard: UnsignedDifference, file: File) -> Iterator[Finding]:
    yield Finding(
        hazard.site,
        f"Unsigned difference `{file.code(hazard.site, 40)}` of {hazard.dtype} wraps around below zero",
        "Convert both to a signed dtype first, with `.astype(int)`.",
        _signed(hazard, file),
        also=(("read as signed here", hazard.asks),),
    )


@or_none
def _signed(hazard: UnsignedDifference, file: File) -> Fix:
    difference = expect(ir.Binary, file.unit.nodes[hazard.site])
    # A Python number takes the dtype of the array.
    sides = [each for each in (difference.left, difference.right) if not isinstance(each, ir.Constant)]
    edits = tuple(file.replace(each.site, f"{operand(file, each.site)}.astype(int)") for each in sides)
    return Fix("Convert both to signed integers", edits, changes="the result is a signed integer")
