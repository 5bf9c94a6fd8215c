"""Method or attribute of concrete arrays on a traced value.

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
Unsafe: `block_until_ready()` is taken away, for traced code has nothing to wait for; a call that only works on a value
(`jnp.save`, `pickle.dump`) is handed to `jax.debug.callback`, which makes it each time the code runs, once for each
element under `jax.vmap`. A statement that only waits or deletes is left out in a fix that is shown and not applied: the
caller may want to do so in its place. There is none for what asks where an array lies.

## References
- JAX documentation, "Asynchronous dispatch": https://docs.jax.dev/en/latest/async_dispatch.html
- JAX documentation, "Errors", ConcretizationTypeError: https://docs.jax.dev/en/latest/errors.html
- JAX documentation, "External callbacks": https://docs.jax.dev/en/latest/external-callbacks.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import HostMethodOnTracer
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.knowledge import misuse
from jaxlint.rewrite.effects.called_back import called_back
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import instead
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.statements import removed
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix

RULE = Rule(
    code="JAX310",
    category=Category.FAILS,
    hazards=(HostMethodOnTracer,),
    error="ConcretizationTypeError",
    fixable="unsafe",
)

_PLACES = frozenset({
    ".sharding", ".device", ".devices", ".addressable_shards", ".addressable_data", ".global_shards", ".committed",
    ".is_fully_addressable", ".is_fully_replicated", ".to_device", ".format", ".layout",
})  # fmt: skip


def check(hazard: HostMethodOnTracer, file: File) -> Iterator[Finding]:
    api = hazard.api or ""
    if api.startswith(".") and not api.startswith("._") and not misuse.is_array_attribute(api[1:]):
        return  # of NumPy arrays alone: no jax array has it, traced or not
    node = file.unit.nodes[hazard.site]
    operand = file.code(hazard.operand, 40)
    if not api.startswith(".") and isinstance(node, ir.Call):
        called = file.code(node.func.site, 40)
        message = f"`{called}()` on traced value `{operand}`"
    else:
        called = f"{api}()" if isinstance(node, ir.Call) else api
        message = f"`{called}` on traced value `{operand}`"
    yield Finding(hazard.site, message, help=_help(api, operand), fix=_fix(hazard, file))


def _help(api: str, operand: str) -> str:
    if api == ".block_until_ready":
        return "Wait for the result where the traced function is called."
    if api in (".delete", ".is_deleted"):
        return "Let the caller delete the array, or donate its buffer with `donate_argnums`."
    if api == ".sharding":
        return f"Read `jax.typeof({operand}).sharding`, or set the sharding with `with_sharding_constraint`."
    if api in _PLACES:
        return "Read it from the array before the call, or from the result."
    return f"Return `{operand}` and use the result, or pass it to a function with `jax.debug.callback`."


@or_none
def _fix(hazard: HostMethodOnTracer, file: File) -> Fix | None:
    node, api = expect(ir.Call, file.unit.nodes[hazard.site]), hazard.api or ""
    above = file.unit.parent(node.site)
    if not api.startswith("."):  # a memory view is one of what is gone when the callback returns
        return None if api.endswith("memoryview") else called_back(file, node)
    array = expect(ir.Attribute, node.func).value.site
    require(api in (".block_until_ready", ".delete"))
    if isinstance(above, ir.Evaluate):
        return _without(file, above)
    require(api != ".delete")
    end = file.outer_span(array)[1]
    edit = Edit(end, file.span(node.site)[1], "")
    if end != file.span(array)[1] and "\n" not in file.code(node.site):
        edit = file.replace(node.site, instead(file, array, node.site))
    return Fix("Leave the wait out", (edit,), changes="right where the code is always traced")


def _without(file: File, statement: ir.Statement) -> Fix:
    """The fix that leaves out a statement; with it goes a test that asks for nothing but `is_deleted()`."""
    match file.unit.parent(statement.site):
        case ir.If(body=[_], orelse=[]) as above if _asks_whether_deleted(above.test):
            statement = above
    edit = known(removed(file, statement))
    return Fix("Leave it to the caller, which has arrays", (edit,), Applicability.DISPLAY)


def _asks_whether_deleted(test: ir.Node) -> bool:
    while isinstance(test, ir.Unary) and test.op == "not":
        test = test.operand
    return isinstance(test, ir.Call) and isinstance(test.func, ir.Attribute) and test.func.attr == "is_deleted"
