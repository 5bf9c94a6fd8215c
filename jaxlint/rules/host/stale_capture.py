"""A compiled function is called again after what it reads from outside was changed, and computes with the old value.

## What it does
Reports the call of a function under `jax.jit` that was called before with arguments of the same shapes and dtypes, where
a global, a variable of the function around, an attribute or an item that its body reads has another value since.

## Why is this bad
The function reads what is around it when it is traced: the value becomes a constant of the compiled program. Later
calls find the program and run it, and nothing tells them that the value is another one. With arguments of another
shape the function is traced anew, and the new value shows: the result depends on the history.

## Example
```python
rate = 0.1

@jax.jit
def step(w, g):
    return w - rate * g

w = step(w, g)
rate = 0.01
w = step(w, g)
```

## Use instead
```python
@jax.jit
def step(w, g, rate):
    return w - rate * g

w = step(w, g, 0.1)
w = step(w, g, 0.01)
```

## When to ignore
Where the old value is meant. A name of its own for the new one says so.

## Fix safety
There is no fix: a parameter of the function concerns all its calls.

## References
- JAX documentation, "JAX - The Sharp Bits", pure functions
  (https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
- JAX documentation, "Just-in-time compilation" (https://docs.jax.dev/en/latest/jit-compilation.html)
"""

from __future__ import annotations

from typing import Iterator

from jaxlint.diagnostic import Category
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind
from jaxlint.semantics.values import is_scalar_const

RULE = Rule(
    code="JAX316",
    name="stale-capture",
    summary="A compiled function is called again after what it reads from outside was changed, and computes with the old value.",
    category=Category.WRONG,
    kinds=(Kind.STALE_CAPTURE,),
    on="preview",
    status="preview",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    captured = demand.detail
    values = ""
    if is_scalar_const(captured.before) and is_scalar_const(captured.now):
        values = f", {captured.before.value!r} and not {captured.now.value!r}"
    yield Finding(
        demand.site,
        f"`{file.code(demand.site, 40)}` runs what was compiled with the old value of `{captured.text}`{values}",
        f"Pass `{captured.text}` as an argument.",
        also=(("it is read here, when the function is traced", captured.site), ("this call compiled it", captured.first)),
    )
