"""A gradient is taken with respect to an integer or a random key, or of one.

## What it does
Reports calls of gradients, Jacobians, Hessians and `jax.jvp` where a differentiated argument is an
integer, a boolean or a random key, alone or in a tree, or where the function returns one. With
`allow_int=True` they are not reported.

## Why is this bad
Integers and keys have no tangents. The call raises `TypeError: grad requires real- or complex-valued
inputs`, and `jvp` one about tangents of dtype `float0`.

## Example
```python
def energy(x):
    return jnp.sum(x**2)


force = jax.grad(energy)(jnp.arange(3))
```

## Use instead
```python
def energy(x):
    return jnp.sum(x**2)


force = jax.grad(energy)(jnp.arange(3.0))
```

## When to ignore
Never: the call fails.

## Fix safety
The conversion of a single argument to float is displayed: an integer inside a tree, a key or a result
is for the author to move. Keys belong into arguments that are not differentiated, or into the
auxiliary output.

## References
- JAX documentation, `jax.grad`: https://docs.jax.dev/en/latest/_autosummary/jax.grad.html
- JAX documentation, "The autodiff cookbook": https://docs.jax.dev/en/latest/notebooks/autodiff_cookbook.html
"""

from __future__ import annotations

from typing import Iterator, Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Applicability, Category, Fix
from jaxlint.rewrite.operands import operand
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.gradients import WrongGradient
from jaxlint.semantics.model import Demand, Kind
from jaxlint.semantics.transforms import function_name
from jaxlint.semantics.values import Array, Host, Ref, Tuple

RULE = Rule(
    code="JAX507",
    name="grad-of-integer-or-key",
    summary="A gradient is taken with respect to an integer or a random key, or of one.",
    category=Category.FAILS,
    kinds=(Kind.INTEGER_GRADIENT,),
    error="TypeError",
    fixable="display",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    wrong: WrongGradient = demand.detail
    function, short = function_name(wrong.function), (demand.api or "").rpartition(".")[2]
    if wrong.reason == "output":
        advice = f"Return what varies continuously from {function}, and the rest as auxiliary output (`has_aux=True`)."
        yield Finding(demand.site, f"`{short}` has no derivative to give: {function} returns {wrong.what}", advice)
        return
    name = file.code(demand.operand, 40)
    holds = "holds" if isinstance(demand.value, (Tuple, Ref)) else "is"
    shown = f"`{name}` {holds} {wrong.what}" if demand.operand != demand.site else f"a primal is {wrong.what}"
    if wrong.key:
        advice = "Pass the key as an argument that is not differentiated: `argnums` says which ones are."
    else:
        advice = "Make it a float, or leave it out of `argnums`."
    yield Finding(demand.site, f"`{short}` has no derivative with respect to it: {shown}", advice, _as_float(demand, file))


def _as_float(demand: Demand, file: File) -> Optional[Fix]:
    """The fix that makes one argument a float."""
    node = file.unit.nodes[demand.operand]
    if demand.operand == demand.site or demand.detail.key:
        return None
    if isinstance(node, ir.Constant) and type(node.value) is int:
        code = file.code(node.site)
        if not code.isdigit():
            return None
        return Fix("Write a float", (file.replace(node.site, f"{code}.0"),), Applicability.DISPLAY)
    if isinstance(demand.value, (Array, Host)):
        return Fix(
            "Make it a float", (file.replace(node.site, f"{operand(file, node.site)}.astype(float)"),), Applicability.DISPLAY
        )
    return None
