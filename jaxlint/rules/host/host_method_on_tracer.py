"""A method or attribute that only a concrete array has is asked of a tracer.

## What it does
Reports `block_until_ready()`, `devices()`, `device`, `sharding`, `addressable_shards`, `is_deleted()`, `delete()`,
`copy_to_host_async()` and the like on a traced value, and `pickle.dumps`, `memoryview`, `jnp.save` and others that
take a traced value apart.

## Why is this bad
They ask where the numbers of an array lie, and a tracer stands for numbers that are not there yet. The code
raises `ConcretizationTypeError`, `AttributeError` or `TypeError` while JAX traces it.

## Example
```python
@jax.jit
def step(w, g):
    w = w - 0.1 * g
    return w.block_until_ready()
```

## Use instead
```python
@jax.jit
def step(w, g):
    return w - 0.1 * g

w = step(w, g).block_until_ready()
```

## When to ignore
Never: the code fails whenever the function is traced.

## Fix safety
The fix, which is only displayed, takes `block_until_ready()` away: traced code has nothing to wait for. Its caller
may want to wait in its place. Everything else has to be moved to where the array is, or into a callback.

## References
- JAX documentation, "Asynchronous dispatch": https://docs.jax.dev/en/latest/async_dispatch.html
- JAX documentation, "Errors", ConcretizationTypeError: https://docs.jax.dev/en/latest/errors.html
- JAX documentation, "External callbacks": https://docs.jax.dev/en/latest/external-callbacks.html
"""

from __future__ import annotations

from typing import Iterator, Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Applicability, Category, Edit, Fix
from jaxlint.knowledge import misuse
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX310",
    name="host-method-on-tracer",
    summary="A method or attribute that only a concrete array has is asked of a tracer.",
    category=Category.FAILS,
    kinds=(Kind.HOST_METHOD,),
    error="ConcretizationTypeError",
    fixable="display",
)

_PLACES = frozenset({
    ".sharding", ".device", ".devices", ".addressable_shards", ".addressable_data", ".global_shards", ".committed",
    ".is_fully_addressable", ".is_fully_replicated", ".to_device", ".format", ".layout",
})  # fmt: skip


def check(demand: Demand, file: File) -> Iterator[Finding]:
    api = demand.api or ""
    if api.startswith(".") and not api.startswith("._") and not misuse.is_array_attribute(api[1:]):
        return  # of NumPy arrays alone: no jax array has it, traced or not
    node = file.unit.nodes[demand.site]
    operand = file.code(demand.operand, 40)
    if not api.startswith(".") and isinstance(node, ir.Call):
        called = file.code(node.func.site, 40)
        message = f"`{called}` needs the value of `{operand}`, which is traced"
    else:
        called = file.code(demand.site, 40)
        message = f"`{called}` asks a tracer for what only a concrete array has"
    yield Finding(demand.site, message, help=_help(api, operand), fix=_fix(demand, file))


def _help(api: str, operand: str) -> str:
    if api == ".block_until_ready":
        return "Traced code has nothing to wait for: wait for the result where the function is called."
    if api in (".delete", ".is_deleted"):
        return "Let the caller delete the array, or give its memory away with `donate_argnums`."
    if api == ".sharding":
        return f"`jax.typeof({operand}).sharding` tells of traced values; `with_sharding_constraint` sets how they are laid out."
    if api in _PLACES:
        return "Where an array lies is decided by the caller: ask the array before it is passed, or the result."
    return f"Return `{operand}` and do this with the result, or hand it to a function with `jax.debug.callback`."


def _fix(demand: Demand, file: File) -> Optional[Fix]:
    node = file.unit.nodes[demand.site]
    if demand.api != ".block_until_ready" or not isinstance(node, ir.Call) or not isinstance(node.func, ir.Attribute):
        return None
    if isinstance(file.unit.parent(node.site), ir.Evaluate):
        return None  # the whole statement has to go, perhaps to another place
    end = file.outer_span(node.func.value.site)[1]
    return Fix("wait for nothing in traced code", (Edit(end, file.span(node.site)[1], ""),), Applicability.DISPLAY)
