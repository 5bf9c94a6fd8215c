"""Missing required argument of a function of JAX or one of its libraries.

## What it does
Reports direct calls of functions of JAX, and of functions and classes of Flax, Equinox, Optax, Haiku and Chex, that leave
out a parameter without a default, and `jnp.where` with `x` and without `y`. So an argument that is passed by position is
found where its parameter is keyword-only: the `key` of a layer of Equinox, the `grads` of `TrainState.apply_gradients`. The
`update` of an optimiser of Optax needs the gradients and its state. `hk.Sequential` calls its layers with one array,
which is not enough for `hk.BatchNorm` and cells. `nnx.Optimizer` needs `wrt=`, and its `update` the model before the
gradients, since Flax 0.11. `init` and `apply` of a Linen module need what its `__call__` takes. A layer of `nnx.Dropout` that is in
training needs `rngs=`, where it is made or called, and `nnx.split` filters for all that a module holds. Samplers of `jax.random` that lack their key are reported by JAX412.

## Why is this bad
The call raises `TypeError` or `ValueError`. In a branch that is seldom taken this shows late.

## Example
```python
losses = jnp.where(excess < 0, excess)
```

## Use instead
```python
losses = jnp.where(excess < 0, excess, 0.0)
```

## When to ignore
Where the library is newer than the releases that jaxlint knows, and the parameter has a default.

## Fix safety
Safe: a key or gradients that are passed by position, in the place of another argument, are passed by name. Unsafe: an optimizer of NNX gets
`wrt=nnx.Param`, which older releases took by themselves, and its `update` the model that the gradients are those of; a layer
of NNX gets the `rngs` of the method that makes it, and `nnx.split` the filter `...`, with one more state for each `nnx.merge` of the
graph; a layer in an `hk.Sequential` is called in a lambda with the flag of the function. There is no other fix, as which value is
meant is not known.

## References
- JAX documentation, "API reference" (https://docs.jax.dev/en/latest/jax.html)
- Equinox documentation, "equinox.nn.MLP" (https://docs.kidger.site/equinox/api/nn/mlp/)
- JAX documentation, `jax.numpy.where` (https://docs.jax.dev/en/latest/_autosummary/jax.numpy.where.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint import knowledge
from jaxlint.analysis.checkers.missing_arguments import MissingArgument
from jaxlint.analysis.domain.values import Array
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.layers import nnx_fixes
from jaxlint.rewrite.layers.haiku_fixes import told_in_sequence
from jaxlint.rewrite.names.library_parameters import shown
from jaxlint.rewrite.requirements import expect, or_none, require
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX215",
    category=Category.FAILS,
    hazards=(MissingArgument,),
    error="TypeError",
    fixable="safe",
)


_MODULE = "flax.training.train_state."
_TRAIN_STATE = f"{_MODULE}TrainState."  # whose methods take everything by name


def check(hazard: MissingArgument, file: File) -> Iterator[Finding]:
    function, missing = shown(hazard.api or "").removeprefix(_MODULE), hazard.parameter
    if (hazard.api or "").endswith(".__call__"):
        message = f"Missing argument `{missing}` of `{hazard.api}`, called by `{file.code(hazard.site, 40)}`"
        help_ = f"Pass `{missing}=` to `{hazard.within}`, which hands it on."
    elif hazard.within:
        message = f"Missing argument `{missing}` of `{function}` in `{hazard.within}`"
        help_ = f"Call the layer in a function: `lambda x: layer(x, {missing})`."
    elif hazard.parameter == "rngs" and hazard.given:
        message = f"Missing argument `rngs` of dropout in training: `{file.code(hazard.site, 40)}`"
        help_ = "Pass `rngs=` where the layer is made, or to the call; or call `eval()` on the model first."
    elif hazard.parameter == "...":
        message = f"Missing filter `...` of `{file.code(hazard.site, 40)}`: the module holds `{hazard.given}`"
        help_ = "Pass `...` as the last filter, and take one more state, which `nnx.merge` needs too."
    elif hazard.given:
        message = f"Missing argument `{missing}` of `{function}`, required with `{hazard.given}`"
        help_ = "Pass a third argument, the value where the condition is false."
    else:
        message = f"Missing argument `{missing}` of `{function}`"
        help_ = f"Pass `{missing}=`." if _by_name(hazard) else f"Pass `{missing}`."
    yield Finding(hazard.site, message, help_, _fix(hazard, file))


def _fix(hazard: MissingArgument, file: File) -> Fix | None:
    call = file.unit.nodes[hazard.site]
    if isinstance(call, ir.Call) and hazard.api == "flax.nnx.Optimizer":
        return nnx_fixes.parameters_named(file, call)
    if isinstance(call, ir.Call) and hazard.api == "flax.nnx.Optimizer.update":
        return nnx_fixes.model_given(file, call)
    if isinstance(call, ir.Call) and hazard.api == f"{_TRAIN_STATE}apply_gradients":
        if len(call.args) == 1 and hazard.parameter == "grads":
            start = file.outer_span(call.args[0].site)[0]
            return Fix("Pass the gradients by name", (file.insert(start, "grads="),), Applicability.SAFE)
    if isinstance(call, ir.Call) and hazard.parameter == "...":
        return nnx_fixes.rest_taken(file, call)
    if isinstance(call, ir.Call) and hazard.parameter == "rngs" and not hazard.within:
        return nnx_fixes.rngs_kept(file, call) if hazard.given else nnx_fixes.rngs_passed(file, call)
    if isinstance(call, ir.Call) and hazard.within == "haiku.Sequential":
        return told_in_sequence(file, call, hazard.api or "", hazard.parameter or "")
    return _key_by_name(hazard, file)


@or_none
def _key_by_name(hazard: MissingArgument, file: File) -> Fix:
    """The key that is passed by position, in the place of another parameter."""
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    require(hazard.parameter == "key" and call.args and _by_name(hazard))
    last = call.args[-1].site
    require(file.always(last, lambda each: isinstance(each, Array) and "key" in (each.aval.dtype or "")))
    return Fix("Pass the key by name", (file.insert(file.outer_span(last)[0], "key="),), Applicability.SAFE)


def _by_name(hazard: MissingArgument) -> bool:
    """Whether the parameter is keyword-only."""
    if hazard.api == "flax.nnx.Optimizer":  # whose signature is that of its metaclass
        return True
    if (hazard.api or "").startswith(_TRAIN_STATE):
        return True
    parameters = knowledge.signature(hazard.api or "") or ()
    return any(each.name == hazard.parameter and each.kind == "keyword-only" for each in parameters)
