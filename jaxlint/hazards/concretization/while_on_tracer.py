"""Python `while` on a traced value.

## What it does
Reports `while` where Python would need the value of a tracer to know whether to go on.

## Why is this bad
A Python loop runs while JAX traces, and then the condition has no value: JAX raises
TracerBoolConversionError. `jax.lax.while_loop` is one instruction of the compiled program, and asks
for the condition when it runs.

## Example
```python
@jax.jit
def halve(x):
    while x > 1:
        x = x / 2
    return x
```

## Use instead
```python
@jax.jit
def halve(x):
    def condition(x):
        return x > 1

    def body(x):
        x = x / 2
        return x

    x = jax.lax.while_loop(condition, body, x)
    return x
```

## When to ignore
Where the function is only called with the condition concrete, and jaxlint cannot see it.

## Fix safety
Unsafe, and offered for loops whose body only computes: assignments to names, `if` and `for` around them. A
`break` at the beginning or the end of the body becomes part of the condition. What one round hands to the
next becomes an array that keeps its shape and dtype: an integer array that the body makes a float is
refused by JAX. All parts of the condition are computed. A `while_loop` has no reverse-mode derivative, so
there is no fix under `jax.grad`. Where it is not known what is handed on, the fix is shown and not applied.

## References
- `jax.lax.while_loop` (https://docs.jax.dev/en/latest/_autosummary/jax.lax.while_loop.html)
- JAX documentation, "Control flow and logical operators with JIT"
  (https://docs.jax.dev/en/latest/control-flow.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import WhileOnTracer
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.loops.loop_functions import carried, goes_backwards, one_round, while_loop
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX104",
    category=Category.FAILS,
    hazards=(WhileOnTracer,),
    error="TracerBoolConversionError",
    fixable="unsafe",
)


def check(hazard: WhileOnTracer, file: File) -> Iterator[Finding]:
    code = file.code(hazard.operand, 40)
    loop = _loop(hazard, file)
    each = one_round(loop) if loop is not None else None
    names = carried(file, each) if each is not None else None
    handed = f" with carry {', '.join(f'`{name}`' for name in names)}" if names else ""
    help = f"Use `{file.api('jax.lax.while_loop')[0]}`{handed}. Keep a `for` loop where the number of iterations is static."
    if goes_backwards(file, hazard):
        help = (
            "Iterate a fixed number of times, and keep finished values with"
            f" `{file.api('jax.numpy.where')[0]}({code}, …)`; reverse mode needs a static number of iterations."
        )
    fix = while_loop(hazard, file, loop) if loop is not None else None
    yield Finding(hazard.site, f"Python `while` on traced value `{code}`", help, fix)


def _loop(hazard: WhileOnTracer, file: File) -> ir.While | None:
    """The loop whose test the traced value is, or the last part of."""
    node, above = file.unit.nodes[hazard.site], file.unit.parent(hazard.site)
    while isinstance(above, ir.Boolean) and above.op == "and":
        node, above = above, file.unit.parent(above.site)
    return above if isinstance(above, ir.While) and above.test is node else None
