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
Unsafe: `init` then returns parameters and state, and `apply` takes and returns the state. The fix is only shown where no code
in the file takes both from `init`, as that has to be changed by hand.

## References
- Haiku documentation, "hk.transform_with_state"
  (https://dm-haiku.readthedocs.io/en/latest/api.html#haiku.transform_with_state)
- Haiku documentation, "Managing state" (https://dm-haiku.readthedocs.io/en/latest/notebooks/basics.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.values import Member, Transformed, Value
from jaxlint.analysis.models.haiku import HaikuStateWithoutState
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import using
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import or_none, require
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX605",
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


@or_none
def _fix(hazard: HaikuStateWithoutState, file: File) -> Fix:
    node = file.unit.nodes[hazard.site]
    function = node.func if type(node) is ir.Call else node
    require(type(function) in (ir.Name, ir.Attribute))
    level = Applicability.UNSAFE if _takes_state(file, hazard.site) else Applicability.DISPLAY
    changes = "`init` and `apply` give the state, too"
    return using(file, function.site, "haiku.transform_with_state", changes, level)


def _takes_state(file: File, transform: int) -> bool:
    """Whether each result of `init` in the file is a pair, and there is one."""
    pairs = [
        isinstance(target, ir.Sequence) and len(target.elements) == 2
        for node in file.unit.own
        if isinstance(node, ir.Assign) and isinstance(node.value, ir.Call)
        for target in node.targets
        if any(_is_init(each, transform) for each in file.values(node.value.func.site))
    ]
    return bool(pairs) and all(pairs)


def _is_init(value: Value, transform: int) -> bool:
    made = value.receiver if isinstance(value, Member) and value.name == "init" else None
    while isinstance(made, Transformed) and made.site != transform:
        made = made.function
    return isinstance(made, Transformed)
