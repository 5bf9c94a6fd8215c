"""`range` over a traced value.

## What it does
Reports `range(n)` where `n`, or another of its arguments, is a tracer.

## Why is this bad
`range` needs Python integers. While JAX traces, `n` has no value: under `jax.jit`, `jax.vmap` and
in `lax` control flow the call raises `TracerIntegerConversionError`. A Python loop is unrolled
while tracing, so that its number of rounds has to be known then; `jax.lax.fori_loop` is one
instruction of the compiled program, and takes traced bounds.

## Example
```python
@jax.jit
def power(x, n):
    y = 1.0
    for i in range(n):
        y = y * x
    return y
```

## Use instead
```python
@jax.jit
def power(x, n):
    y = 1.0

    def body(i, y):
        y = y * x
        return y

    y = jax.lax.fori_loop(0, n, body, y)
    return y
```

Or make `n` static, where there are few values of it and the loop is short.

## When to ignore
Never: it fails whenever the function is traced with this value.

## Fix safety
The fixes are unsafe. A loop whose body only computes becomes a `fori_loop` over the names that
one round hands to the next: they become arrays that keep shape and dtype, and the loop variable is
a tracer. With a `break` at the end of the body it becomes a `while_loop`. Such loops have no
reverse-mode derivative. Under `jax.grad`, and for other loops, the
argument is made static where `jax.jit` is applied, as in JAX108.

## References
- jax.lax.fori_loop: https://docs.jax.dev/en/latest/_autosummary/jax.lax.fori_loop.html
- JAX documentation, "Control flow and logical operators with JIT":
  https://docs.jax.dev/en/latest/control-flow.html
"""

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import RangeOverTracer
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.loops.loop_functions import fori_loop, is_loop_over_range, while_loop
from jaxlint.rewrite.requirements import expect, or_none, require
from jaxlint.rewrite.static_args.static_argument import make_static
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX107",
    category=Category.FAILS,
    hazards=(RangeOverTracer,),
    error="TracerIntegerConversionError",
    fixable="unsafe",
)


def check(hazard: RangeOverTracer, file: File) -> Iterator[Finding]:
    code = file.code(hazard.operand, 40)
    fori = file.api("jax.lax.fori_loop")[0]
    yield Finding(
        hazard.site,
        f"`range()` over traced value `{code}`",
        help=f"Loop with `{fori}` from {_bounds(file, hazard)}, or make `{code}` a static argument.",
        fix=_best(_rewritten(hazard, file), make_static(hazard, file)),
    )


def _best(*fixes: Fix | None) -> Fix | None:
    """The first that is applied on request, else the first that is shown."""
    offered = [fix for fix in fixes if fix is not None]
    applied = [fix for fix in offered if fix.applicability is not Applicability.DISPLAY]
    return next(iter(applied or offered), None)


def _bounds(file: File, hazard: RangeOverTracer) -> str:
    call = file.unit.nodes[hazard.site]
    codes = [f"`{file.code(each.site, 40)}`" for each in call.args[:2]] if isinstance(call, ir.Call) else []
    return " to ".join(codes if len(codes) > 1 else ["`0`", *codes])


@or_none
def _rewritten(hazard: RangeOverTracer, file: File) -> Fix | None:
    """The loop as functions and a call of a `lax` loop; None where its body does more than compute."""
    loop = expect(ir.For, file.unit.parent(hazard.site))
    require(loop.iterable.site == hazard.site and is_loop_over_range(file, loop))
    return fori_loop(hazard, file, loop) or while_loop(hazard, file, loop)
