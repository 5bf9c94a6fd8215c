"""Mutation of a captured NNX object, or of a copy, inside a transform.

## What it does
Reports transforms of JAX and of NNX whose function changes a module, a Variable, an optimiser or a stream of random
numbers that was made outside of it: sets an attribute or `.value`, draws from `nnx.Rngs`, calls
`nnx.Dropout` or `nnx.BatchNorm` as in training. Reports transforms of JAX whose function changes a module or
optimiser that it is passed and gives back arrays only. A module that is only read may be closed over.

## Why is this bad
An object of NNX can be changed only in the trace it belongs to: for one that is closed over, `TraceContextError` is
raised. What a transform of JAX is passed is copied: the change is made to the copy, and is silently lost. A training
step under `jax.jit` trains nothing.

## Example
```python
@jax.jit
def step(model, optimizer, x):
    loss, grads = nnx.value_and_grad(loss_of)(model, x)
    optimizer.update(model, grads)
    return loss
```

## Use instead
```python
@nnx.jit
def step(model, optimizer, x):
    loss, grads = nnx.value_and_grad(loss_of)(model, x)
    optimizer.update(model, grads)
    return loss
```

What is closed over is passed as an argument, to a transform of NNX.

## When to ignore
Where the update is meant to be thrown away.

## Fix safety
Unsafe: the change is seen by the caller then, which is the point; `nnx.grad` gives a State of the parameters alone. What is
closed over becomes an argument of the function, and of its calls, where it is one object and all calls are in sight;
otherwise a compiled function takes all of its objects, which are bound below it; under `vmap` its random numbers are split,
and keys that a loop draws from it are drawn before.

## References
- Flax documentation, "Transforms": https://flax.readthedocs.io/en/latest/guides/transforms.html
- Flax documentation, `flax.errors.TraceContextError`: https://flax.readthedocs.io/en/latest/api_reference/flax.errors.html
- Flax documentation, "Why Flax NNX": https://flax.readthedocs.io/en/latest/why.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.models.nnx import NnxModuleThroughJaxTransform
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import NNX_STATE
from jaxlint.rewrite.draft import using
from jaxlint.rewrite.file import File
from jaxlint.rewrite.layers.nnx_fixes import bound, passed
from jaxlint.rewrite.requirements import known, or_none
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX612",
    category=Category.FAILS,
    hazards=(NnxModuleThroughJaxTransform,),
    error="TraceContextError",
    fixable="unsafe",
)

_VERSIONS = {
    "jax.jit": "flax.nnx.jit", "jax.checkpoint": "flax.nnx.remat", "jax.grad": "flax.nnx.grad",
    "jax.value_and_grad": "flax.nnx.value_and_grad",
}  # fmt: skip


def check(hazard: NnxModuleThroughJaxTransform, file: File) -> Iterator[Finding]:
    api = (hazard.api or "").replace("flax.nnx", "nnx")
    code = file.code(hazard.operand, 40)
    also = (("changed here", hazard.operand),)
    if hazard.how == "captured":
        own = "" if api.startswith("nnx.") else ", and use the transform of `nnx`"
        yield Finding(
            hazard.site,
            f"Captured NNX object mutated inside `{api}`: `{code}`",
            f"Pass it to the function as an argument{own}.",
            passed(file, hazard.site, hazard.api or "", hazard.what, hazard.operand)
            or bound(file, hazard.site, hazard.api or "", hazard.objects),
            also=also,
        )
        return
    fix = _fix(hazard, file)
    advice = "Return the object, and use the result."
    if hazard.api in _VERSIONS:
        name, _ = file.api(_VERSIONS[hazard.api])
        advice = f"Use `{name}`, which updates the object of the caller. Or return the object, and use the result."
    yield Finding(hazard.site, f"NNX mutation lost under `{api}`: `{code}`", advice, fix, also=also)


@or_none
def _fix(hazard: NnxModuleThroughJaxTransform, file: File) -> Fix:
    """Put the name of NNX's transform where JAX's stands."""
    name, last = known(_VERSIONS.get(hazard.api or "")), (hazard.api or "").rpartition(".")[2]
    nodes = [file.unit.nodes[hazard.site]]
    if type(nodes[0]) is ir.Call:
        call = nodes[0]
        nodes = [call.func, *(call.args[:1] if not _is(call.func, last) else ())]
    named = known(next((node for node in nodes if _is(node, last)), None))
    return using(file, named.site, name, NNX_STATE)


def _is(node: ir.Node, last: str) -> bool:
    return getattr(node, "id", None) == last or (isinstance(node, ir.Attribute) and node.attr == last)
