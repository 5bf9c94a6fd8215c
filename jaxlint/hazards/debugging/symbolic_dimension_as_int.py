"""Symbolic dimension used as a Python number.

## What it does
Reports places that need the size of a dimension as a number, in code that `jax.export` or another
transform traces with symbolic shapes: `int(b)`, `float(b)`, `range(b)`, `len(x)`, `for row in x`,
`math.sqrt(b)`, `np.zeros(x.shape)`, `items[b]`, `x[b - 1]` (since JAX 0.8.3), `jax.lax.scan(..., length=b)`, and comparisons that
are open: `b > 3`, `max(b, 3)`. Whether `b >= 1` holds is known, and not reported.

## Why is this bad
A function that is exported with a symbolic shape is traced once, for every size of the dimension.
There is no number yet: JAX raises InconclusiveDimensionOperation, and Python and NumPy raise TypeError.

## Example
```python
def normalise(x):
    n = x.shape[0]
    if n > 8:
        x = x[:8]
    return x / math.sqrt(n)


(b,) = export.symbolic_shape("b")
export.export(jax.jit(normalise))(jax.ShapeDtypeStruct((b,), jnp.float32))
```

## Use instead
Functions of `jnp` compute with the dimension when the program runs, and constraints decide what is
to be known before:

```python
def normalise(x):
    n = x.shape[0]
    return x[:8] / jnp.sqrt(n)


(b,) = export.symbolic_shape("b", constraints=["b >= 8"])
```

`core.max_dim` and `core.min_dim` of `jax` give the larger and smaller of two dimensions,
`jax.lax.fori_loop` takes a dimension as its bound.

## When to ignore
Never: the export fails.

## Fix safety
Unsafe: functions of `math` and NumPy become those of `jnp`, which compute in 32 bits; loops become `fori_loop`; and a
comparison is made when the program runs, where both of the values that it chooses from are known to have
one shape. There is no fix where a constraint is needed, which only the author knows to hold.

## References
- JAX documentation, "Shape polymorphism": https://docs.jax.dev/en/latest/export/shape_poly.html
- JAX documentation, "Errors": `InconclusiveDimensionOperation`
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.symbolic import SymbolicDimensionAsInt
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.rewrite.shapes.symbolic_code import computed_when_run
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX711",
    category=Category.FAILS,
    hazards=(SymbolicDimensionAsInt,),
    error="InconclusiveDimensionOperation",
    fixable="unsafe",
)

_COMPARING = {"builtins.max": "max", "builtins.min": "min", "builtins.sorted": "sorted"}


def check(hazard: SymbolicDimensionAsInt, file: File) -> Iterator[Finding]:
    how = str(hazard.how)
    operand = file.code(hazard.operand, 40)
    help = f"Compute with `{operand}` in functions of `jnp`."
    if how == "comparison" or how in _COMPARING:
        compared = f"`{_COMPARING[how]}`" if how in _COMPARING else "comparison"
        message = f"Inconclusive {compared} of symbolic dimension: `{file.code(hazard.site, 40)}`"
        help = "Pass `constraints=` to `jax.export.symbolic_shape`, or choose at run time with `jnp.where`."
    elif how == "float":
        message = f"Symbolic dimension compared with a float: `{file.code(hazard.site, 40)}`"
        help = "Compare with an integer, or choose at run time with `jnp.where` and `jnp.asarray` of the dimension."
    elif how in ("len", "iteration"):
        what = "`len()` of" if how == "len" else "Iteration over"
        message = f"{what} `{operand}`, whose length is a symbolic dimension"
        help = (
            f"Use `{operand}.shape[0]`."
            if how == "len"
            else f"Loop over `{operand}` with `jax.lax.scan` or `jax.lax.map`, or use `jax.vmap`."
        )
    elif how == "index":
        message = f"Array indexed by symbolic dimension `{operand}`"
        help = f"Index with `jnp.asarray({operand})`, or from the end with a negative number."
    elif how in ("list", "tuple"):
        message = f"{how.capitalize()} indexed by symbolic dimension `{operand}`"
    elif how in ("repeat", "power") or how.startswith("operator "):
        message = f"Symbolic dimension used as a number: `{file.code(hazard.site, 40)}`"
        help = "Compute with the dimension in functions of `jnp`."
    else:
        called = f"{how.removeprefix('builtins.')}()" if how.startswith("builtins.") else how
        message = f"`{called}` on symbolic dimension `{operand}`"
        if how == "builtins.range":
            help = f"Loop with `jax.lax.fori_loop(0, {operand}, …)`."
        elif how == "jax.lax.scan":
            help = f"Scan over `jnp.arange({operand})`, or use `jax.lax.fori_loop`."
    yield Finding(hazard.site, message, help, computed_when_run(hazard, file))
