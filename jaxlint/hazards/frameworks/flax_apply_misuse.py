"""Linen module used outside `apply`, or with missing arguments of `apply`.

## What it does
Reports `model.apply` without `mutable=` where batch normalisation updates its statistics, with variables that lack the
collection of these statistics, and without the stream in `rngs=` that dropout or `self.make_rng` draws from; a module that
is called like a function, outside of `apply` and of any other module, and a method of one that reads what `setup` sets;
layers that are made in a method that is neither `setup` nor `@nn.compact`; attributes that are set while the module runs,
and fields that are set in `setup`; lists and dictionaries that are changed after `setup` has set them as attributes; the
parameters alone, `variables["params"]`, in the place of the variables, and the other way round; and dropout or batch
normalisation that is not told, by its making or its call, whether the model is in training. Also reports `nn.vmap` and
`nn.scan` of a module that draws from a stream that `split_rngs` does not list, or has variables in a collection that the
transform does not list.

## Why is this bad
A module holds no arrays: `apply` lends it variables and random numbers for one call. What it was not lent it cannot use,
and raises `ModifyScopeVariableError`, `ScopeCollectionNotFound`, `InvalidRngError`, `CallCompactUnboundModuleError`,
`AssignSubModuleError`, `SetAttributeFrozenModuleError` or `SetAttributeInModuleSetupError`, or `ValueError` for the missing
option of a layer. Lists that `setup` sets are tuples afterwards.

## Example
```python
class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.BatchNorm(use_running_average=False)(x)

y = Net().apply(variables, x)
```

## Use instead
```python
class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.BatchNorm(use_running_average=False)(x)

y, updates = Net().apply(variables, x, mutable=["batch_stats"])
```

## When to ignore
Where the error is expected.

## Fix safety
Unsafe: a stream is added to `split_rngs`, a method that makes layers is decorated with `@nn.compact`, parameters are put
into their collection, a collection is added to those that `mutable=` lists, and an attribute that one method sets and reads
becomes a local variable. A key that the functions around hold and never read is passed, or one that the step of the training
state is folded into, a method is called through `apply` with the variables at hand, a module with those that come with it (`model` and `params`), and the statistics that a loss writes go through `has_aux` into the training state that holds
them. A key is passed that the function has deleted without using it, a layer beside those of `setup` is made there, and a
keyword for `Sequential` goes to the layer that takes it. A layer is told its mode by the flag `train` of the method. A training
state that takes all variables for its parameters is made of the parameters. Safe: a list that grows in `setup` is a local variable until it is
complete, and so is the field that `setup` alone reads. Only shown: any other new `mutable=`, with
which the call returns a pair, and keys and variables made in place, which are the same in each call.

## References
- Flax documentation, "Batch normalization":
  https://flax-linen.readthedocs.io/en/latest/guides/training_techniques/batch_norm.html
- Flax documentation, "Randomness and PRNGs in Flax":
  https://flax-linen.readthedocs.io/en/latest/guides/flax_fundamentals/rng_guide.html
- Flax documentation, `flax.errors`: https://flax.readthedocs.io/en/latest/api_reference/flax.errors.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.models.linen_scope import FlaxApplyMisuse
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.layers.linen_fixes import linen_fix
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX613",
    category=Category.FAILS,
    hazards=(FlaxApplyMisuse,),
    error="InvalidRngError",
    fixable="unsafe",
)


def check(hazard: FlaxApplyMisuse, file: File) -> Iterator[Finding]:
    code = file.code(hazard.operand, 40)
    also = (
        ((f"`{hazard.name}` is needed here", hazard.operand),) if hazard.name and hazard.operand != hazard.site else ()
    )
    if hazard.how == "mutable":
        message = f"Immutable collection `{hazard.name}` in `apply`: `{code}`"
        advice = f'Pass `mutable=["{hazard.name}"]`, and take the output and the updates from the call. Or use the running average.'
    elif hazard.how == "missing":
        message = f"Missing collection `{hazard.name}` of the variables in `apply`: `{code}`"
        advice = f'Pass it with the parameters: `{{"params": params, "{hazard.name}": {hazard.name}}}`.'
    elif hazard.how == "field":
        message = f"Assignment to field `{code}` in `setup` of Linen module"
        advice = "Store it under another name, or set the field in `__post_init__` before `super().__post_init__()`."
    elif hazard.how == "rngs":
        message = f"Missing RNG stream `{hazard.name}` in `apply`: `{code}`"
        advice = f'Pass `rngs={{"{hazard.name}": key}}`.'
    elif hazard.how == "split":
        message = f"Missing RNG stream `{hazard.name}` in `split_rngs` of `{_function(hazard, file)}`"
        advice = (
            f'Add it: `split_rngs={{"{hazard.name}": True}}`; `False` gives every element or step the same numbers.'
        )
    elif hazard.how == "lifted":
        message = f"Missing collection `{hazard.name}` in lifted transform `{_function(hazard, file)}`"
        advice = "Add it to `variable_axes`, or to `variable_broadcast` or `variable_carry` of `nn.scan`."
    elif hazard.how == "unbound":
        message = f"Unbound module `{hazard.name}` called outside `apply`"
        advice = "Call `apply` with the variables from `init`."
    elif hazard.how == "method":
        message = f"Method `{hazard.name}` of unbound module called outside `apply`"
        advice = f"Call `apply` with the variables, and name the method: `method={hazard.name}`."
    elif hazard.how == "compact":
        message = f"Layer `{code}` created in `{hazard.name}` without `@nn.compact`"
        advice = f"Decorate `{hazard.name}` with `@nn.compact`, or create the layer in `setup`."
    elif hazard.how == "container":
        before = "list" if hazard.name == "tuple" else "dict"
        message = f"Mutation of frozen {before} from `setup`: `{code}`"
        advice = f"Build the {before} in a local variable, and set the attribute when it is complete."
    elif hazard.how == "flag":
        message = f"Missing `{hazard.name}` of layer `{code}`"
        advice = f"Pass `{hazard.name}` to the layer or to its call, such as `{hazard.name}=not train`."
    elif hazard.how == "collection":
        message = f"Parameters `{code}` passed to `apply` in place of the variables"
        advice = f'Pass `{{"params": {code}}}`, with the other collections, or the whole result of `init`.'
    elif hazard.how == "nested":
        message = f"Variables `{code}` passed to `apply` in place of the parameters"
        advice = f'Take the parameters out of the result of `init`, `variables["params"]`, or pass `{code}` as it is.'
    else:
        message = f"Assignment to `{code}` of frozen Linen module"
        advice = "Use a local variable, set it in `setup`, or keep it with `self.variable` or `self.sow`."
    yield Finding(hazard.site, message, advice, linen_fix(file, hazard.site, hazard), also)


def _function(hazard: FlaxApplyMisuse, file: File) -> str:
    call = file.unit.nodes[hazard.site]
    return file.code(call.func.site if isinstance(call, ir.Call) else hazard.site, 40)
