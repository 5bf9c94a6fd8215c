"""Nested `hk.transform` initialised without `hk.lift`.

## What it does
Reports `inner.init(hk.next_rng_key(), …)` inside of a function that is itself given to `hk.transform`, where the
parameters go straight into `inner.apply` of the same run. Wrapped in `hk.lift`, handed in from outside, or only looked
at with `jax.eval_shape`, they are right.

## Why is this bad
Only what is asked for through Haiku becomes a parameter of the outer function. What the inner `init` returns is made
anew, of another key, each time the outer function runs: it is no part of the parameters of the model, is not trained and
not saved. Nothing fails.

## Example
```python
def net(x):
    inner = hk.transform(block)
    params = inner.init(hk.next_rng_key(), x)
    return inner.apply(params, None, x)
```

## Use instead
```python
def net(x):
    inner = hk.transform(block)
    params = hk.lift(inner.init, name="block")(hk.next_rng_key() if hk.running_init() else None, x)
    return inner.apply(params, None, x)
```

## When to ignore
Where a network of random weights is wanted in each run.

## Fix safety
Unsafe: the outer function has more parameters, kept under the name of the inner one; parameters that were saved lack them. A
transform with state takes `hk.lift_with_state`, whose updater gets the new state; it is written where one `apply` follows.

## References
- Haiku documentation, "hk.lift" (https://dm-haiku.readthedocs.io/en/latest/api.html#haiku.lift)
- Haiku documentation, "Limitations of nesting JAX functions and Haiku modules"
  (https://dm-haiku.readthedocs.io/en/latest/notebooks/transforms.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.models.haiku import HaikuTransformNotLifted
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.layers.haiku_fixes import lifted_init
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX602",
    category=Category.WRONG,
    hazards=(HaikuTransformNotLifted,),
    fixable="unsafe",
)


def check(hazard: HaikuTransformNotLifted, file: File) -> Iterator[Finding]:
    call = file.unit.nodes[hazard.site]
    init = file.code(call.func.site, 30) if type(call) is ir.Call else "init"
    lift, _ = file.api("haiku.lift")
    yield Finding(
        hazard.site,
        f"Nested Haiku `init` without `hk.lift`: `{file.code(hazard.site, 40)}`",
        f'Add the parameters to the outer function with `{lift}({init}, name="…")(…)`.',
        lifted_init(file, hazard.site),
        also=(("used here", hazard.operand),),
    )
