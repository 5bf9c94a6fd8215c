"""Symbolic dimension of an exported function that its arguments do not determine.

## What it does
Reports, where shapes are symbolic: a specification that leaves a symbol unsolved, such as `(a*a,)` or
`(a + b,)`; a symbolic size passed as a static argument that is no dimension of an array argument;
`reshape` and `split` of a size that need not come out even; and calls of an exported function with a
shape that its specification excludes.

## Why is this bad
When an exported program is called, each symbol gets its value from the shapes of the arguments, by
equations with one unknown that are linear. A symbol that none of them gives raises ValueError,
"Cannot solve for values of dimension variables", or UnexpectedDimVar. A size with a remainder raises
InconclusiveDimensionOperation, and a call that does not fit the specification ValueError.

## Example
```python
def first(k, x):
    return jnp.arange(k) + x[:1]


k, n = export.symbolic_shape("k, n")
export.export(jax.jit(first, static_argnums=0))(k, jax.ShapeDtypeStruct((n,), jnp.float32))
```

## Use instead
An integer that decides shapes is passed as the size of an empty array:

```python
def first(k, x):
    return jnp.arange(k.shape[1]) + x[:1]


k, n = export.symbolic_shape("k, n")
specs = jax.ShapeDtypeStruct((0, k), jnp.float32), jax.ShapeDtypeStruct((n,), jnp.float32)
export.export(jax.jit(first))(*specs)
```

An even size is `2*b`, and a square of `a` rows and columns `(a, a)`.

## When to ignore
Never: the export, or the call of what was exported, fails.

## Fix safety
Display only, as the specification is part of the interface of the exported program: a size that has to come
out even is written as a multiple of its symbol, and one that is a static argument is passed as the size of
an empty array, where all calls are seen. The other cases have no fix.

## References
- JAX documentation, "Shape polymorphism": https://docs.jax.dev/en/latest/export/shape_poly.html
- JAX documentation, "Errors": `InconclusiveDimensionOperation`
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.transforms.exports import SymbolicDimensionUnderivable
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.rewrite.shapes.symbolic_code import multiple, passed_as_shape
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX713",
    category=Category.FAILS,
    hazards=(SymbolicDimensionUnderivable,),
    error="ValueError",
    fixable="display",
)


def check(hazard: SymbolicDimensionUnderivable, file: File) -> Iterator[Finding]:
    operand = file.code(hazard.operand, 40)
    if hazard.how == "unsolved":
        message = f"Symbolic dimension{'s' if ',' in hazard.what else ''} `{hazard.what}` not solvable from the argument shapes"
        help = f"Use `{hazard.what}` as a dimension of an argument, alone or times a number."
    elif hazard.how == "foreign":
        message = f"Shape depends on non-argument dimension `{hazard.what}`: `{operand}`"
        help = f"Pass an array of shape `(0, {hazard.what})`, and read its `shape[1]`."
    elif hazard.how == "uneven":
        message = f"Symbolic dimension `{hazard.what}` of `{operand}` may not be a multiple of {hazard.by}"
        help = f"Write the dimension as a multiple in the specification, `{hazard.by}*b`."
    else:
        message = f"Shape {hazard.by} of `{operand}` differs from exported shape {hazard.what}"
        help = "Pass an array of the exported shape, or export for this shape."
    fix = (
        multiple(file, hazard, hazard.what, int(hazard.by)) if hazard.how == "uneven" and hazard.by.isdigit() else None
    )
    if hazard.how == "foreign" and hazard.what.isidentifier():
        fix = passed_as_shape(file, hazard.site, hazard.operand, hazard.what)
    yield Finding(hazard.site, message, help, fix)
