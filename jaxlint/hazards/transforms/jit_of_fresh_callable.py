"""New function compiled in every iteration of a loop.

## What it does
Reports `jax.jit` of a lambda, a nested function, a `functools.partial`, a bound method or the result of `jax.vmap` or
`jax.grad` that is made and called in each pass of a loop, there or in a function that the loop calls. A function of the
module, and anything made before the loop, is found again and not reported; neither is what differs from pass to pass in more
than the values of arrays, but for a partial of a number that is only computed with and of which each is called once, nor
what closes over data whose shape is not known while the loop stands in another function, unless the loop passes windows of
one length, `x[i : i + n]`. Outside of compiled functions `lax.scan`, `while_loop`, `fori_loop`, `cond` and `switch` compile
their functions as well: a lambda or nested function that a loop, or a function that it calls, makes and gives to one of
them is reported.

## Why is this bad
JAX finds what it has compiled by the function object. A new object is traced and compiled again, which
takes a thousand times as long as the call that was meant to be fast.

## Example
```python
for batch in batches:
    gradient = jax.jit(jax.grad(loss))(params, batch)
    params = params - 0.1 * gradient
```

## Use instead
```python
gradient_of = jax.jit(jax.grad(loss))

for batch in batches:
    gradient = gradient_of(params, batch)
    params = params - 0.1 * gradient
```

## When to ignore
Where compilation is what is measured, or the loop runs once or twice. Off in test files, which compile small things,
and in benchmarks.

## Fix safety
The application of `jax.jit` moves in front of the loop, or where a function that the loop calls applies it, to the
module. It is unsafe: what the function closes over is read there, once. Where the loop binds or changes any of it
there is no fix: that has to become an argument.

## References
- JAX documentation, "Just-in-time compilation", JIT and caching: https://docs.jax.dev/en/latest/jit-compilation.html
- JAX documentation, `jax.jit`: https://docs.jax.dev/en/latest/_autosummary/jax.jit.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.transforms.recompilation import FLOWS, JitOfFreshCallable
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.loops.hoisting import hoisted
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX503",
    category=Category.SLOW,
    hazards=(JitOfFreshCallable,),
    fixable="unsafe",
    in_tests=False,
)


def check(hazard: JitOfFreshCallable, file: File) -> Iterator[Finding]:
    what, loop = hazard.what, hazard.loop
    short = (hazard.api or "").rpartition(".")[2]
    kind = "comprehension" if loop in file.unit.nodes and type(file.unit.nodes[loop]) is ir.Comprehension else "loop"
    if (hazard.api or "") in FLOWS:
        yield Finding(
            hazard.site,
            f"`{short}` of {what} recompiles in every iteration of the {kind}",
            f"Define the functions before the {kind}, and pass changing values as operands. Or compile the {kind} as a whole.",
            also=((f"the {kind}", loop),),
        )
        return
    yield Finding(
        hazard.site,
        f"`{short}` of {what} recompiles in every iteration of the {kind}",
        f"Apply `{short}` before the {kind}, and pass changing values as arguments.",
        hoisted(file, hazard.site, loop),
        also=((f"the {kind}", loop),),
    )
