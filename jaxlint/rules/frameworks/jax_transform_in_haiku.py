"""A JAX transform is put around a Haiku layer inside `hk.transform`.

## What it does
Reports `jax.jit`, `lax.scan`, `lax.cond`, `lax.while_loop`, `jax.checkpoint`, `jax.eval_shape` and the like, inside a
function given to `hk.transform` or in a method of an `hk.Module`, when the function they trace
makes or asks for parameters, state or keys of Haiku. `jax.vmap` and `jax.grad` run, and a layer
that has made its parameters before may be used anywhere: neither is reported.

## Why is this bad
Haiku collects parameters as a side effect. Made under a JAX transform they are tracers of that
transform, and outlive it: `init` returns leaked tracers, and their first use raises
`UnexpectedTracerError`.

## Example
```python
def net(x):
    layer = hk.Linear(3)
    def body(carry, row):
        return layer(carry), row
    return jax.lax.scan(body, x, None, length=2)
```

## Use instead
```python
def net(x):
    layer = hk.Linear(3)
    def body(carry, row):
        return layer(carry), row
    return hk.scan(body, x, None, length=2)
```

There is no `hk.jit`: jit the `apply` function that `hk.transform` gives.

## When to ignore
Where the transform is meant to raise.

## Fix safety
Unsafe: Haiku's version is called with the same arguments; a branch of `hk.cond` that alone makes a layer still
fails when parameters are made.

## References
- Haiku documentation, "Limitations of nesting JAX functions and Haiku modules"
  (https://dm-haiku.readthedocs.io/en/latest/notebooks/transforms.html)
"""

from __future__ import annotations

from typing import Iterator

from jaxlint.diagnostic import Category
from jaxlint.rule import File, Finding, Rule
from jaxlint.rules.frameworks.haiku_versions import VERSIONS, haiku_version
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX601",
    name="jax-transform-in-haiku",
    summary="A JAX transform traces a function that makes or uses Haiku state inside `hk.transform`.",
    category=Category.FAILS,
    kinds=(Kind.TRANSFORM_IN_HAIKU,),
    error="UnexpectedTracerError",
    fixable="unsafe",
    beats=("JAX604",),
)

_ADVICE = {
    "jax.jit": "There is no `hk.jit`: jit the `apply` function of the transformed module instead.",
    "jax.lax.while_loop": "`hk.while_loop` cannot make parameters: make them before the loop"
    " (`if hk.running_init(): return body(x)`).",
    "jax.eval_shape": "`hk.eval_shape` traces the layer without registering parameters;"
    " for those, call it outside `hk.transform`.",
}


def check(demand: Demand, file: File) -> Iterator[Finding]:
    api = demand.api or ""
    short = api.removeprefix("jax.")
    advice = _ADVICE.get(api)
    fix = None
    if advice is None and api in VERSIONS:
        name, _ = file.api(VERSIONS[api][0])
        advice = f"Use `{name}`, which takes the same arguments and looks after Haiku's state."
        fix = haiku_version(file, demand.site, api)
    if advice is None:
        advice = "Make the parameters outside the transform, or bring the layer in with `hk.lift`."
    yield Finding(
        demand.site,
        f"`jax.{short}` traces `{file.code(demand.operand, 40)}`, which makes or uses Haiku state: its tracers leak",
        advice,
        fix,
        also=(("Haiku state is used here", demand.operand),),
    )
