"""Long Python loop unrolled at trace time.

## What it does
Reports `for` loops in traced code over `range(...)` of 32 or more passes, or over the rows of an array
of so many, that compute with traced arrays.

## Why is this bad
A Python loop is run while the function is traced, so that the operations of every pass stand in the
program one after the other. Tracing and compiling take time that grows with the number of passes, and
for the compiler often faster than that. A `jax.lax` loop holds its body once.

## Example
```python
@jax.jit
def smooth(x):
    for _ in range(100):
        x = 0.5 * (x + jnp.roll(x, 1))
    return x
```

## Use instead
```python
@jax.jit
def smooth(x):
    return jax.lax.fori_loop(0, 100, lambda _, x: 0.5 * (x + jnp.roll(x, 1)), x)
```

`jax.lax.scan` keeps a result of each pass, and can be differentiated in reverse; with `unroll=` it takes
several passes in one step.

## When to ignore
Where the loop is short to compile, and faster when it is unrolled. The rule is off unless it is
selected.

## Fix safety
A loop over a `range` whose body only assigns to names is displayed as a `fori_loop`, one over the rows of an array
as a `scan`, and so is one that ends by appending to a list which is stacked afterwards. It is not applied: what a
loop carries must keep its shape and dtype from pass to pass, which a Python loop need not, and the loop
variable becomes a tracer.

## References
- JAX documentation, "Control flow and logical operators with JIT":
  https://docs.jax.dev/en/latest/control-flow.html
- JAX documentation, "Frequently asked questions", JIT compilation time: https://docs.jax.dev/en/latest/faq.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.unrolling import UnrolledLoop
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.rewrite.loops.loop_functions import rolled_loop
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX516",
    category=Category.SLOW,
    hazards=(UnrolledLoop,),
    fixable="display",
    on="opt-in",
)


def check(hazard: UnrolledLoop, file: File) -> Iterator[Finding]:
    yield Finding(
        hazard.site,
        f"Python loop over `{file.code(hazard.site, 40)}` unrolled {hazard.passes} times at trace time",
        "Use `jax.lax.fori_loop`, or `jax.lax.scan` for one result in each iteration.",
        rolled_loop(hazard, file),
    )
