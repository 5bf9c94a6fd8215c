"""`next()` on an iterator, evaluated once, at trace time.

## What it does
Reports `next(it)` in the body of a loop of `jax.lax`, or in a function that is compiled, where the iterator was
made outside and the element takes part in an operation with traced values.

## Why is this bad
Python runs the body once, while it is traced: `next` is called once, its element becomes a constant of the
compiled program, and each pass or call computes with it. `fori_loop(0, 10, lambda i, total: total + next(it), 0)`
over `iter(range(10))` gives 0 and not 45. When the function is traced again it goes on with the next element, or
raises `StopIteration`.

## Example
```python
rates = iter([0.1, 0.01, 0.001])

@jax.jit
def step(w, g):
    return w - next(rates) * g
```

## Use instead
```python
@jax.jit
def step(w, g, rate):
    return w - rate * g

for rate in [0.1, 0.01, 0.001]:
    w = step(w, g, rate)
```

## When to ignore
Where the function is meant to be traced once for each element: `jit` of it is made anew for each, and called once.
Elements that name or choose something, and random keys, are not reported.

## Fix safety
The fix takes the element where a compiled function is called, and passes it; it is unsafe for a function that nobody
else can call, and else only shown. For a loop of `jax.lax` the iterator becomes an array, which `fori_loop` indexes
and `scan` and `map` run over: unsafe, as all elements are made at once. There is none for `while_loop`, and for an
iterator that is read in other places too.

## References
- JAX documentation, "JAX - The Sharp Bits", pure functions: iterators
  (https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
- JAX documentation, `jax.lax.scan`
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.models.iterators import IteratorInTracedCode
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.effects.asked_outside import as_argument, as_array
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX317",
    category=Category.WRONG,
    hazards=(IteratorInTracedCode,),
    fixable="unsafe",
)


def check(hazard: IteratorInTracedCode, file: File) -> Iterator[Finding]:
    iterator = file.code(hazard.operand, 40)
    loop = hazard.api in ("scan", "fori_loop", "while_loop", "map")
    help = f"Pass the elements of `{iterator}` as an {f'array to `lax.{hazard.api}`' if loop else 'argument'}."
    if hazard.api in ("fori_loop", "while_loop"):
        help = f"Index an array of the elements of `{iterator}`, or pass it to `lax.scan`."
    yield Finding(
        hazard.site,
        f"`{file.code(hazard.site, 50)}` is evaluated once, at trace time",
        help,
        as_array(hazard, file) if loop else as_argument(hazard, file),
    )
