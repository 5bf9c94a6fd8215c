"""A callback uses a traced value that it is not passed, but closes over.

## What it does
Reports the use of a tracer in the body of a function that `jax.pure_callback`, `io_callback` or
`jax.debug.callback` runs on the host, where the tracer comes from the code around it.

## Why is this bad
A callback runs when the compiled program does. Then its arguments have values; a name of the traced function
still stands for the tracer. What computes with it raises `UnexpectedTracerError` or
`TracerArrayConversionError`, which arrives as `JaxRuntimeError`; `print` shows `JitTracer(float32[3])`.

## Example
```python
@jax.jit
def step(x):
    loss = jnp.mean(x**2)
    jax.debug.callback(lambda: print(loss))
    return loss
```

## Use instead
```python
@jax.jit
def step(x):
    loss = jnp.mean(x**2)
    jax.debug.callback(lambda loss: print(loss), loss)
    return loss
```

## When to ignore
Where the tracer itself is to be looked at.

## Fix safety
The fix adds a parameter to the function and the value to the call. It is unsafe: the callback prints or computes
something else than before. There is none where the callback is used elsewhere as well, or is no function of this file.

## References
- JAX documentation, "External callbacks": https://docs.jax.dev/en/latest/external-callbacks.html
- JAX documentation, "Compiled prints and breakpoints": https://docs.jax.dev/en/latest/debugging/print_breakpoint.html
"""

from __future__ import annotations

from typing import Iterator, Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Applicability, Category, Edit, Fix
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.host_code import Captured
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX704",
    name="callback-captures-tracer",
    summary="A callback uses a traced value that it is not passed, but closes over.",
    category=Category.FAILS,
    kinds=(Kind.CAPTURED,),
    error="JaxRuntimeError",
    fixable="unsafe",
    status="stable",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    captured: Captured = demand.detail
    operand = file.code(demand.operand, 40)
    called = str(demand.api).rpartition(".")[2]
    message = f"`{operand}` is a tracer when `{called}` runs its function: computing with it fails"
    if captured.prints:
        message = f"`{operand}` is a tracer when `{called}` runs its function: the tracer is shown, not its value"
    yield Finding(
        demand.site,
        message,
        f"Pass `{operand}` to `{called}` as an argument, and take it as a parameter of the function.",
        _passed(file, demand.operand, captured.callback),
        also=((f"`{called}` runs it", captured.callback),),
    )


def _passed(file: File, operand: int, site: int) -> Optional[Fix]:
    """The value as one more argument of the callback."""
    name, call = file.unit.nodes[operand], file.unit.nodes[site]
    if type(name) is not ir.Name or type(call) is not ir.Call or any(type(each) is ir.Starred for each in call.args):
        return None
    first = 1 if file.code(call.func.site).endswith("debug.callback") else 2
    function = next((each for each in file.unit.ancestors(operand) if isinstance(each, ir.Function)), None)
    if function is None or len(call.args) < first or not _is_only_callback(file, function, call.args[0]):
        return None
    parameters = function.parameters
    if any(each.kind != "ordinary" or each.default is not None for each in parameters) or name.id in function.locals:
        return None
    if len(parameters) != len(call.args) - first:
        return None
    if parameters:
        end = file.span(parameters[-1].site)[1]
        parameter = Edit(end, end, f", {name.id}")
    elif function.is_lambda:
        start = file.span(call.args[0].site)[0] + len("lambda")
        parameter = Edit(start, start, f" {name.id}")
    else:
        start = file.source.text.index("(", file.span(function.site)[0]) + 1
        parameter = Edit(start, start, name.id)
    last = file.outer_span(call.args[-1].site)[1]
    fix = f"pass `{name.id}` to the callback"
    return Fix(fix, tuple(sorted((parameter, Edit(last, last, f", {name.id}")), key=lambda edit: edit.start)), Applicability.UNSAFE)


def _is_only_callback(file: File, function: ir.Function, given: ir.Node) -> bool:
    """Whether the function is the one given, and nothing else calls it."""
    if type(given) is ir.Lambda:
        return given.function is function
    if type(given) is not ir.Name or given.id != function.name or function.decorators or function.is_method:
        return False
    return sum(type(node) is ir.Name and node.id == given.id for node in file.unit.own) == 1
