"""A large array of the module is read in traced code, and becomes a constant of the program.

## What it does
Reports variables of a module that hold an array of a million elements or more, of jax or of NumPy, where
a traced function computes with them. Reading their shape or dtype is not reported.

## Why is this bad
What a traced function takes from around it, and not as an argument, is part of the program: the array
is copied into it, compiling takes longer, the compiler may try to fold it with other constants, and
another program that uses the array holds another copy. When the variable is bound to another array, the
compiled function keeps the old one.

## Example
```python
TABLE = jnp.zeros((4096, 4096))


@jax.jit
def looked_up(x):
    return TABLE @ x
```

## Use instead
```python
TABLE = jnp.zeros((4096, 4096))


@jax.jit
def looked_up(table, x):
    return table @ x


looked_up(TABLE, x)
```

## When to ignore
Where the array is meant to be folded into the program, and there is one program.

## Fix safety
There is no fix: the callers have to pass the array.

## References
- JAX documentation, "Just-in-time compilation": https://docs.jax.dev/en/latest/jit-compilation.html
- JAX documentation, `jax_captured_constants_warn_bytes`: https://docs.jax.dev/en/latest/config_options.html
"""

from __future__ import annotations

from typing import Iterator

from jaxlint.diagnostic import Category
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX512",
    name="large-captured-constant",
    summary="A large array of the module is read in traced code, and becomes a constant of the program.",
    category=Category.SLOW,
    kinds=(Kind.LARGE_CONSTANT,),
    on="preview",
    status="preview",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    name = file.code(demand.site, 40)
    yield Finding(
        demand.site,
        f"`{name}`, an array of {demand.detail} elements, becomes a constant of the compiled program",
        f"Pass `{name}` as an argument, so that the program holds no copy of it.",
    )
