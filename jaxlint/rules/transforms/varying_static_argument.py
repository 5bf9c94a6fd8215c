"""A static argument is another number in each pass of a loop, and the function compiled in each.

## What it does
Reports calls of a compiled function in a loop whose static argument counts the passes: the variable of
`for i in range(...)` or `enumerate(...)`, a number computed from it, such as `0.1 * i`, or what a
`while` loop counts with `step += 1`. Loops of fewer than ten passes, or of a number of passes that is
not in the code, are left alone, and so are calls under a condition.

## Why is this bad
JAX keeps one compiled program for each value of a static argument. With a value that is new in each
pass the function is traced and compiled in each, which takes many times as long as running it, and
none of the programs is thrown away.

## Example
```python
@partial(jax.jit, static_argnames=("step",))
def update(params, step):
    return params * 0.9**step


for step in range(1000):
    params = update(params, step)
```

## Use instead
Without `static_argnames` the number is traced, and the function compiled once:

```python
@jax.jit
def update(params, step):
    return params * 0.9**step
```

What has to be a Python number, a size or a condition, may be one of few: round it to a bucket, or pass
the condition itself, `step % 100 == 0`. The whole loop can be a `jax.lax.fori_loop`.

## When to ignore
Where each value stands for another program on purpose, such as the number of a layer.

## Fix safety
There is no fix: the function may use the number in a way that a tracer cannot be used.

## References
- JAX documentation, "Just-in-time compilation", marking arguments as static:
  https://docs.jax.dev/en/latest/jit-compilation.html
"""

from __future__ import annotations

from typing import Iterator

from jaxlint.diagnostic import Category
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind
from jaxlint.semantics.transforms import function_name

RULE = Rule(
    code="JAX519",
    name="varying-static-argument",
    summary="A static argument is another number in each pass of a loop, and the function compiled in each.",
    category=Category.SLOW,
    kinds=(Kind.VARYING_STATIC,),
    on="preview",
    status="preview",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    function, loop = demand.detail
    operand = file.code(demand.operand, 40)
    name = f"`{demand.parameter}`" if demand.parameter else "the argument"
    yield Finding(
        demand.site,
        f"{function_name(function)} is compiled again in each pass of the loop, for each value of the static `{operand}`",
        f"Let {name} be traced: leave it out of the static arguments, so that one program takes every value.",
        also=(("the loop", loop),),
    )
