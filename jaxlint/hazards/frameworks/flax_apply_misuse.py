"""A Linen module is used in a way that Flax refuses: without its collections, its random numbers, or out of place.

## What it does
Reports `model.apply` without `mutable=` where batch normalisation updates its statistics, and without the stream in
`rngs=` that dropout or `self.make_rng` draws from; a module that is called like a function, outside of `apply` and of any
other module; layers that are made in a method that is neither `setup` nor `@nn.compact`; and attributes that are set
while the module runs.

## Why is this bad
A module holds no arrays: `apply` lends it variables and random numbers for one call. What it was not lent it cannot use,
and raises `ModifyScopeVariableError`, `InvalidRngError`, `CallCompactUnboundModuleError`, `AssignSubModuleError` or
`SetAttributeFrozenModuleError`.

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
Unsafe: a method that makes layers is decorated with `@nn.compact`, a collection is added to those that `mutable=` lists, and
an attribute that one method sets and reads becomes a local variable. Only shown: a new `mutable=`, with which the call returns
a pair, and keys and variables made in place, which are the same in each call.

## References
- Flax documentation, "Batch normalization":
  https://flax-linen.readthedocs.io/en/latest/guides/training_techniques/batch_norm.html
- Flax documentation, "Randomness and PRNGs in Flax":
  https://flax-linen.readthedocs.io/en/latest/guides/flax_fundamentals/rng_guide.html
- Flax documentation, `flax.errors`: https://flax.readthedocs.io/en/latest/api_reference/flax.errors.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.model import Demand, Kind
from jaxlint.analysis.models.linen_scope import Misuse
from jaxlint.hazards.frameworks.linen_fixes import linen_fix
from jaxlint.hazards.rule import File, Finding, Rule
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX613",
    name="flax-apply-misuse",
    summary="A Linen module lacks what `apply` has to give it, or is used out of place.",
    category=Category.FAILS,
    kinds=(Kind.LINEN_MISUSE,),
    error="InvalidRngError",
    on="preview",
    fixable="unsafe",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    misuse: Misuse = demand.detail
    code = file.code(demand.operand, 40)
    also = ((f"`{misuse.name}` is needed here", demand.operand),) if demand.operand != demand.site else ()
    if misuse.how == "mutable":
        message = f"`apply` does not let `{code}` write `{misuse.name}`"
        advice = f'Pass `mutable=["{misuse.name}"]`: the call then returns the output and the updates. Or use the running average.'
    elif misuse.how == "rngs":
        message = f"`apply` is given no random numbers for `{code}`"
        advice = f'Pass `rngs={{"{misuse.name}": key}}`.'
    elif misuse.how == "unbound":
        message = f"`{misuse.name}` is called outside of `apply`, and has no parameters"
        advice = "Call `apply` with the variables that `init` gives."
    elif misuse.how == "compact":
        message = f"`{code}` makes a layer in `{misuse.name}`, which is not compact"
        advice = f"Decorate `{misuse.name}` with `@nn.compact`, or make the layer in `setup`."
    else:
        message = f"`{code}` is set while the module runs, when it is frozen"
        advice = "Use a local variable, set it in `setup`, or keep it with `self.variable` or `self.sow`."
    yield Finding(demand.site, message, advice, linen_fix(file, demand.site, misuse), also)
