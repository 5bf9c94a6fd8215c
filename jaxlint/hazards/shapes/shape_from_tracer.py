"""Shape depends on a traced value.

## What it does
Reports traced sizes: `jnp.arange(n)`, `jnp.zeros(n)`, `x.reshape(n, -1)`, `jnp.linspace(0, 1, num=n)`,
`jax.random.normal(key, (n,))`, `jax.lax.scan(..., length=n)`, `jnp.mgrid[:n]` and the like.

## Why is this bad
Under `jax.jit`, `jax.vmap` and inside `lax` control flow every shape is fixed while tracing. A size
that is only known when the program runs raises `ConcretizationTypeError`, or `TypeError` saying
that shapes must be 1D sequences of concrete values of integer type.

## Example
```python
@jax.jit
def ramp(n):
    return jnp.arange(n)
```

## Use instead
Make the size static, so that each size is a program of its own:

```python
@partial(jax.jit, static_argnames=("n",))
def ramp(n):
    return jnp.arange(n)
```

A size that is drawn or computed from data cannot be static. Loop with a traced bound,
`jax.lax.fori_loop(0, n, body, x)`, instead of scanning over `jnp.arange(n)`; or make the largest
array and mask it, `jnp.where(jnp.arange(MAX) < n, x, 0)`.

## When to ignore
Never: the call fails whenever the function is traced with this value.

## Fix safety
The fix makes the argument static where `jax.jit` is applied. It is unsafe: the function is compiled
anew for each size, and callers, in other files too, must pass something that can be hashed. Where
the callers in the file cannot be judged the fix is only displayed; where one passes an array, or another transform
stands around, there is none of this kind. A rate that `jax.random.exponential` is given as the shape
divides the samples. A size that is computed from the arguments alone is computed in a
function around the compiled one, where it is static. A scan
over `jnp.arange(n)`, or of `length=n`, of which only the carry is used becomes a `fori_loop`, which takes a traced bound
and has no reverse-mode derivative, and so does a `for` over `jnp.arange(n)`. Where it is differentiated, or its outputs are used, and
`n` certainly has an end, as a remainder, a random integer or `jnp.minimum(n, 10)` has, it scans over all the numbers there can be and
leaves the carry as it is from `n` on; with outputs, which are 0 there, that is shown and not applied. `n` ones in front of zeros, or zeros in
front of ones, become a comparison with `jnp.arange` of the whole length.

## References
- JAX documentation, "Errors": https://docs.jax.dev/en/latest/errors.html
- JAX documentation, "JAX - The Sharp Bits", dynamic shapes:
  https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import ShapeFromTracer
from jaxlint.analysis.domain.values import Array
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import operand
from jaxlint.rewrite.requirements import or_none, plain_call, require
from jaxlint.rewrite.shapes.traced_lengths import passed_size, step_function, traced_loop
from jaxlint.rewrite.static_args.static_argument import how_to_make_concrete, make_static
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX201",
    category=Category.FAILS,
    hazards=(ShapeFromTracer,),
    error="ConcretizationTypeError",
    fixable="unsafe",
)


def check(hazard: ShapeFromTracer, file: File) -> Iterator[Finding]:
    operand, divided = file.code(hazard.operand, 40), _divided(hazard, file)
    by_rate = "Pass the shape as the second argument, and divide the samples by the rate." if divided else None
    yield Finding(
        hazard.site,
        f"Shape depends on traced value: `{file.code(hazard.site, 40)}`",
        help=by_rate or how_to_make_concrete(hazard, file) or _without_size(hazard, operand),
        fix=divided
        or make_static(hazard, file)
        or traced_loop(hazard, file)
        or step_function(hazard, file)
        or passed_size(hazard, file),
    )


@or_none
def _divided(hazard: ShapeFromTracer, file: File) -> Fix:
    """`jax.random.exponential(key) / rate`: samples of rate 1 are asked for, and scaled."""
    call, draft = plain_call(file.unit.nodes[hazard.site]), Draft(file)
    require(file.is_api(call.func.site, "jax.random.exponential") and len(call.args) == 2 and not call.keywords)
    rate, dtype = call.args[1], hazard.value.aval.dtype or "" if isinstance(hazard.value, Array) else ""
    require(hazard.operand == rate.site and "rate" in ir.last_name(rate) and "int" not in dtype)
    draft.replace(rate.site, f"{draft.api('jax.numpy.shape')}({file.code(rate.site)})")
    above = file.unit.parent(call.site)
    bare = (
        isinstance(above, (ir.Return, ir.Assign, ir.Keyword)) or isinstance(above, ir.Call) and above.func is not call
    )
    start, end = file.span(call.site)
    draft.insert(end, f" / {operand(file, rate.site)}" + ")" * (not bare))
    draft.edits += [] if bare else [file.insert(start, "(")]
    return draft.fix("Divide by the rate", "the samples have the shape of the rate")


def _without_size(hazard: ShapeFromTracer, operand: str) -> str:
    """What to do where the size comes from data."""
    loop = f"Loop `{operand}` times with `jax.lax.fori_loop(0, {operand}, …)`"
    masked = f"the largest possible size and mask the elements beyond `{operand}`."
    if hazard.parameter == "length":
        return f"{loop}."
    return f"{loop}, or take {masked}" if hazard.api == "jax.numpy.arange" else f"Take {masked}"
