"""A JAX transform is put on an Equinox module that it cannot hash or trace.

## What it does
Reports `jax.jit(model)` and `jax.jit(model.method)`, likewise `jax.checkpoint`, `jax.pmap` and the branches of `jax.lax.cond`
and `jax.lax.switch`, where `model` is an Equinox module that holds arrays; and a module that holds a function, such
as the activation of an `eqx.nn.MLP`, as argument of a function under `jax.jit`, `jax.grad` or `jax.value_and_grad`.
`jax.vmap(model)` and modules of arrays alone as arguments work.

## Why is this bad
`jax.jit` looks its function up by hash, and a module hashes its leaves: arrays cannot be hashed (`TypeError`). As an argument,
a module is a pytree, and a leaf that is a function is no valid JAX type (`TypeError`).

## Example
```python
fast = jax.jit(model)
grads = jax.grad(loss)(model, x)
```

## Use instead
```python
fast = eqx.filter_jit(model)
grads = eqx.filter_grad(loss)(model, x)
```

## When to ignore
Where the call is meant to raise.

## Fix safety
Unsafe: `eqx.filter_jit` and its kin take every array as traced and everything else as static, numbers included.

## References
- Equinox documentation, "Filtered transformations" (https://docs.kidger.site/equinox/api/transformations/)
- Equinox documentation, "How to mark arrays and bound methods" and "Frequently asked questions"
  (https://docs.kidger.site/equinox/faq/)
"""

from __future__ import annotations

from typing import Iterator, Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Applicability, Category, Fix
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.equinox import ModuleUse
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX622",
    name="jax-transform-on-equinox-module",
    summary="A JAX transform is given an Equinox module that it can neither hash nor trace.",
    category=Category.FAILS,
    kinds=(Kind.MODULE_TRANSFORMED,),
    error="TypeError",
    fixable="unsafe",
    beats=("JAX111",),
)

# Equinox's version, and the keywords that it shares with JAX's.
_VERSIONS = {
    "jax.jit": ("equinox.filter_jit", frozenset({"donate"})),
    "jax.grad": ("equinox.filter_grad", frozenset({"has_aux"})),
    "jax.value_and_grad": ("equinox.filter_value_and_grad", frozenset({"has_aux"})),
    "jax.checkpoint": ("equinox.filter_checkpoint", frozenset({"prevent_cse", "policy"})),
    "jax.pmap": ("equinox.filter_pmap", frozenset({"axis_name"})),
    "jax.vmap": ("equinox.filter_vmap", frozenset({"axis_name", "axis_size"})),
}


def check(demand: Demand, file: File) -> Iterator[Finding]:
    use: ModuleUse = demand.detail
    api = demand.api or ""
    short = api.removeprefix("jax.")
    if use.how == "argument":
        message = f"`{short}` cannot take the module `{file.code(demand.operand, 40)}`: it holds a function"
    else:
        what = "a method of an Equinox module" if use.how == "method" else "an Equinox module"
        message = f"`{short}` hashes its function, and {what} that holds arrays cannot be hashed"
    if api in _VERSIONS:
        name, _ = file.api(_VERSIONS[api][0])
        advice = f"Use `{name}`, which traces the arrays of the module and takes the rest as static."
    else:
        advice = "Wrap it in a lambda: `lambda x: model(x)`."
    also = (("called here", use.call),) if use.call != demand.site else ()
    yield Finding(demand.site, message, advice, _fix(demand, api, file), also)


def _fix(demand: Demand, api: str, file: File) -> Optional[Fix]:
    node = file.unit.nodes[demand.site]
    if api not in _VERSIONS:
        return None
    name, shared = _VERSIONS[api]
    text, imports = file.api(name)
    function = node
    if type(node) is ir.Call:
        if len(node.args) != 1 or any(keyword.name not in shared for keyword in node.keywords):
            return None
        function = node.func
    if type(function) not in (ir.Name, ir.Attribute):
        return None
    return Fix(f"Use `{text}`", (file.replace(function.site, text),), Applicability.UNSAFE, imports)
