"""Linen parameters created inside a JAX transform.

## What it does
Reports `jax.jit`, `jax.checkpoint`, `lax.scan`, `lax.cond`, `lax.map`, `jax.eval_shape` and the like in a method of
a `flax.linen.Module` when the function they trace makes parameters, when a layer is handed to them as the function,
and where they decorate a method. `jax.vmap`, `jax.grad` and their kin run; so does any transform around
a layer that was called before. Neither is reported.

## Why is this bad
The parameters are made while JAX traces: they are tracers, and outlive the trace. `init` returns leaked tracers, and
their first use raises `UnexpectedTracerError`. A module that runs cannot be hashed, nor is it an array: as a
function, or as `self` of a compiled method, it raises `TypeError`.

## Example
```python
class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        layer = nn.Dense(3)
        return jax.checkpoint(lambda row: layer(row))(x)
```

## Use instead
```python
class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        layer = nn.Dense(3)
        return nn.remat(lambda layer, row: layer(row))(layer, x)
```

## When to ignore
Where the parameters never come from `init` of this module.

## Fix safety
Unsafe: Flax's version is written out, with the module as first argument. `nn.scan` uses the same parameters in each step.
Around branches and loops that Flax's versions cannot make parameters in, the layers are called once above while `init` runs.

## References
- Flax documentation, "Lifted transformations":
  https://flax-linen.readthedocs.io/en/latest/developer_notes/lift.html
- Flax documentation, `flax.linen` transformations:
  https://flax-linen.readthedocs.io/en/latest/api_reference/flax.linen/transformations.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.values import BoundMethod, FunctionValue
from jaxlint.analysis.models.linen import JaxTransformInLinen
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite import operands
from jaxlint.rewrite.changes import LIFTED
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.layers.haiku_fixes import branches_first, called_first, callee
from jaxlint.rewrite.layers.linen_fixes import lifted
from jaxlint.rewrite.requirements import expect, or_none, plain_call, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX611",
    category=Category.FAILS,
    hazards=(JaxTransformInLinen,),
    error="UnexpectedTracerError",
    fixable="unsafe",
)

_ADVICE = {
    "jax.lax.cond": "Call the layers before, or use `nn.cond` and create the parameters of both branches in `if self.is_initializing()`.",
    "jax.lax.switch": "Call the layers before, or use `nn.switch` and create the parameters of all branches in `if self.is_initializing()`.",
    "jax.lax.while_loop": "Call the layer once before the loop; `nn.while_loop` cannot create parameters.",
    "jax.lax.fori_loop": "Call the layer once before the loop, or use `nn.scan`.",
    "jax.lax.map": "Use `jax.vmap` around a layer, or `nn.scan`.",
    "jax.eval_shape": "Call the layer itself and take the shape of its result, or use `jax.eval_shape` around `init`, outside the module.",
}


def check(hazard: JaxTransformInLinen, file: File) -> Iterator[Finding]:
    api = hazard.api or ""
    short = api.removeprefix("jax.")
    draft = Draft(file)
    version = lifted(draft, hazard.site, api, hazard.operand)
    advice = _ADVICE.get(
        api,
        "Call the layer once before, to create its parameters, or transform `apply` outside the module.",
    )
    fix = None
    if version is not None:
        advice = f"Use `{version}`, which takes the module as its first argument and handles its parameters."
        fix = draft.fix(f"Use `{version}`", LIFTED)
    else:
        fix = _before(file, hazard.site, api, hazard.how == "hash")
    if hazard.how == "self":
        what = f"Linen module as traced `self` of `{file.unit.scope(hazard.operand).name}` under `{short}`"
        yield Finding(hazard.site, what, advice, fix)
    elif hazard.how == "hash":
        yield Finding(hazard.site, f"Unhashable Linen module passed to `{short}`", advice, fix)
    else:
        if hazard.operand == hazard.site:
            yield Finding(
                hazard.site,
                f"Linen parameters created inside `{short}`",
                advice,
                fix,
            )
            return
        yield Finding(
            hazard.site,
            f"Linen parameters created inside `{short}`: `{file.code(hazard.operand, 40)}`",
            advice,
            fix,
            also=(("the parameters are created here", hazard.operand),),
        )


def _is_function(file: File, body: ir.Node) -> bool:
    """Whether the body of a loop is a function. A module cannot be hashed, and the loop hashes its body."""
    known = file.values(body.site)
    return isinstance(body, ir.Lambda) or (
        bool(known) and all(isinstance(each, (FunctionValue, BoundMethod)) for each in known)
    )


@or_none
def _before(file: File, site: int, api: str, unhashable: bool) -> Fix | None:
    """The layers are called once above, when `init` runs; for a shape, the function itself is called."""
    call, method = plain_call(file.unit.nodes[site]), expect(ir.Function, file.unit.scope(site))
    require(not call.keywords and method.is_method and method.parameters)
    running = f"{method.parameters[0].name}.is_initializing()"
    if api in ("jax.lax.cond", "jax.lax.switch"):
        return branches_first(Draft(file), site, running, unhashable)
    require(not unhashable)
    if api == "jax.lax.while_loop" and len(call.args) == 3 and _is_function(file, call.args[1]):
        return called_first(Draft(file), site, [(call.args[1], call.args[2:])], running)
    if api == "jax.lax.fori_loop" and len(call.args) == 4 and _is_function(file, call.args[2]):
        return called_first(Draft(file), site, [(call.args[2], (call.args[0], call.args[3]))], running)
    require(api == "jax.eval_shape" and call.args)
    given = ", ".join(operands.argument(file, each.site) for each in call.args[1:])
    edit = file.replace(site, f"{callee(file, call.args[0])}({given})")
    return Fix("Call the function itself", (edit,), changes="the result is computed, not its shape alone")
