"""The shape of an array depends on a traced value.

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
the callers in the file cannot be judged the fix is only displayed; where one passes an array,
another transform stands around, or the size is computed from data, there is none, but for a scan
over `jnp.arange(n)` of which only the carry is used: then a `fori_loop` is displayed.

## References
- JAX documentation, "Errors": https://docs.jax.dev/en/latest/errors.html
- JAX documentation, "JAX - The Sharp Bits", dynamic shapes:
  https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html
"""

from __future__ import annotations

from typing import Iterator, Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Applicability, Category, Edit, Fix
from jaxlint.rewrite import operands
from jaxlint.rule import File, Finding, Rule
from jaxlint.rules.concretization.static_argument import how_to_make_concrete, make_static
from jaxlint.semantics.model import Demand, Kind
from jaxlint.semantics.values import Api

RULE = Rule(
    code="JAX201",
    name="shape-from-tracer",
    summary="The shape of an array depends on a traced value.",
    category=Category.FAILS,
    kinds=(Kind.SHAPE,),
    error="ConcretizationTypeError",
    fixable="unsafe",
    status="stable",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    operand = file.code(demand.operand, 40)
    yield Finding(
        demand.site,
        f"the size in `{file.code(demand.site, 40)}` must be concrete, and `{operand}` is traced",
        help=how_to_make_concrete(demand, file) or _without_size(demand, operand),
        fix=make_static(demand, file) or _loop(demand, file),
    )


def _without_size(demand: Demand, operand: str) -> str:
    """What to do where the size comes from data."""
    if demand.parameter == "length":
        return f"A loop of `{operand}` steps is `jax.lax.fori_loop(0, {operand}, …)`, whose bound may be traced."
    return (
        f"To loop `{operand}` times use `jax.lax.fori_loop(0, {operand}, …)`; for an array take the largest size"
        f" that occurs and mask what lies beyond `{operand}`."
    )


def _loop(demand: Demand, file: File) -> Optional[Fix]:
    """`carry, _ = lax.scan(f, init, jnp.arange(n))` as a `fori_loop`, whose bound may be traced."""
    count = file.unit.nodes[demand.site]
    scan = file.unit.parent(demand.site)
    if demand.api != "jax.numpy.arange" or not isinstance(count, ir.Call) or not isinstance(scan, ir.Call):
        return None
    if not _is_scan(file, scan) or len(scan.args) != 3 or scan.keywords or scan.args[2] is not count:
        return None
    if len(count.args) != 1 or count.keywords or not isinstance(scan.args[0], (ir.Name, ir.Attribute)):
        return None
    above = file.unit.parent(scan.site)
    start, end = file.span(scan.site)
    if isinstance(above, ir.Assign) and len(above.targets) == 1 and isinstance(above.targets[0], ir.Sequence):
        carry, outputs = (*above.targets[0].elements, None, None)[:2]
        if not (isinstance(carry, ir.Name) and isinstance(outputs, ir.Name) and outputs.id == "_"):
            return None
        unused = Edit(*file.outer_span(above.targets[0].site), carry.id)
    elif isinstance(above, ir.Subscript) and isinstance(above.index, ir.Constant) and above.index.value == 0:
        unused = Edit(end, file.span(above.site)[1], "")
    else:
        return None
    body, init = (operands.argument(file, argument.site) for argument in scan.args[:2])
    loop, imports = file.api("jax.lax.fori_loop")
    bound = operands.argument(file, count.args[0].site)
    text = f"{loop}(0, {bound}, lambda i, carry: {body}(carry, i)[0], {init})"
    edits = sorted((Edit(start, end, text), unused), key=lambda edit: edit.start)
    message = "a loop with a traced bound; it cannot be differentiated in reverse"
    return Fix(message, tuple(edits), Applicability.DISPLAY, imports)


def _is_scan(file: File, call: ir.Call) -> bool:
    values = file.values(call.func.site)
    return bool(values) and all(isinstance(value, Api) and value.name == "jax.lax.scan" for value in values)
