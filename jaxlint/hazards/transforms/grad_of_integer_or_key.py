"""Gradient of, or with respect to, an integer or a random key.

## What it does
Reports calls of gradients, Jacobians, Hessians and `jax.jvp` where a differentiated argument is an
integer, a boolean or a random key, alone or in a tree, or where the function returns one, or a complex number. With
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
A float for an integer that is all of the argument, and an array that is converted, are unsafe: the function is given a
float. The square of a complex number in a loss becomes that of its modulus. What is displayed writes floats for integers
beside other leaves of a tree, differentiates with respect to the one argument that is a float where a key comes first, or
returns a result before it is made an integer. What is meant by the derivative of something else that is discrete, as of an
index, is for the author to say; there is no fix where elements are taken by the argument.

## References
- JAX documentation, `jax.grad`: https://docs.jax.dev/en/latest/_autosummary/jax.grad.html
- JAX documentation, "The autodiff cookbook": https://docs.jax.dev/en/latest/notebooks/autodiff_cookbook.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.values import Ref, Tuple
from jaxlint.analysis.transforms.gradients import GradOfIntegerOrKey, WrongGradient
from jaxlint.analysis.transforms.wrap_and_call import function_name
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.rewrite.transforms.derivatives import continuous
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX507",
    category=Category.FAILS,
    hazards=(GradOfIntegerOrKey,),
    error="TypeError",
    fixable="unsafe",
)


def check(hazard: WrongGradient, file: File) -> Iterator[Finding]:
    function, short = function_name(hazard.function), (hazard.api or "").rpartition(".")[2]
    if hazard.reason == "output" and hazard.what == "a complex number":
        message = f"`{short}` of complex-valued function: {function} returns {hazard.what}"
        advice = "Return the squared modulus, `jnp.abs(x) ** 2`, or the real part. Pass `holomorphic=True` for holomorphic functions only."
        yield Finding(hazard.site, message, advice, continuous(hazard, file))
        return
    if hazard.reason == "output":
        advice = f"Return a continuous value from {function}, and the rest as auxiliary output (`has_aux=True`)."
        message = f"`{short}` of non-differentiable function: {function} returns {hazard.what}"
        yield Finding(hazard.site, message, advice, continuous(hazard, file))
        return
    name = file.code(hazard.operand, 40)
    holds = "containing " if isinstance(hazard.value, (Tuple, Ref)) else ""
    shown = f"`{name}`, {holds}{hazard.what}" if hazard.operand != hazard.site else f"a primal, {hazard.what}"
    if hazard.key:
        advice = "Pass the key as an argument that is not in `argnums`."
    else:
        advice = "Make it a float, or leave it out of `argnums`."
    yield Finding(hazard.site, f"`{short}` with respect to {shown}", advice, continuous(hazard, file))
