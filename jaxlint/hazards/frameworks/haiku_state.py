"""Stateful function passed to `hk.transform`.

## What it does
Reports `hk.transform(f)` where `f` certainly uses `hk.get_state`, `hk.set_state`, `hk.BatchNorm`,
`hk.ExponentialMovingAverage`, `hk.nets.ResNet50` or another module that has state. A module that is made or called only
under a condition is not reported.

## Why is this bad
`hk.transform` promises a function of parameters and key alone. When there is state at the end of `init` or `apply`,
Haiku raises `NonEmptyStateError`.

## Example
```python
def net(x):
    return hk.BatchNorm(True, True, 0.9)(x, is_training=True)

model = hk.transform(net)
```

## Use instead
```python
model = hk.transform_with_state(net)
params, state = model.init(key, x)
y, state = model.apply(params, state, None, x)
```

## When to ignore
Where the transform is meant to raise.

## Fix safety
Unsafe: `init` then returns parameters and state, and `apply` takes and returns the state. Where the code is not yet
written for that, it has to be changed by hand.

## References
- Haiku documentation, "hk.transform_with_state"
  (https://dm-haiku.readthedocs.io/en/latest/api.html#haiku.transform_with_state)
- Haiku documentation, "Managing state" (https://dm-haiku.readthedocs.io/en/latest/notebooks/basics.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.models.haiku import HaikuStateWithoutState
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import ElsewhereError, File
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX605",
    name="haiku-state",
    summary="Stateful function passed to `hk.transform`.",
    category=Category.FAILS,
    hazards=(HaikuStateWithoutState,),
    error="NonEmptyStateError",
    fixable="unsafe",
)


def check(hazard: HaikuStateWithoutState, file: File) -> Iterator[Finding]:
    name, _ = file.api("haiku.transform_with_state")
    yield Finding(
        hazard.site,
        f"Stateful call under `hk.transform`: `{file.code(hazard.operand, 40)}`",
        f"Use `{name}`: `params, state = model.init(key, …)`, and `y, state = model.apply(params, state, key, …)`.",
        _fix(hazard, file),
        also=(("state is used here", hazard.operand),),
    )


def _fix(hazard: HaikuStateWithoutState, file: File) -> Fix | None:
    node = file.unit.nodes[hazard.site]
    function = node.func if type(node) is ir.Call else node
    if type(function) not in (ir.Name, ir.Attribute):
        return None
    text, imports = file.api("haiku.transform_with_state")
    try:
        edit = file.replace(function.site, text)
    except ElsewhereError:
        return None
    return Fix(f"Use `{text}`", (edit,), imports=imports, changes="`init` and `apply` give the state, too")
