"""Tracer captured by a callback.

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
something else than before. What `partial` binds at the end is passed behind it; a lambda that hands the tracer to a
helper takes it as a parameter. There is none where the callback is used elsewhere as well, or is no function of this
file.

## References
- JAX documentation, "External callbacks": https://docs.jax.dev/en/latest/external-callbacks.html
- JAX documentation, "Compiled prints and breakpoints": https://docs.jax.dev/en/latest/debugging/print_breakpoint.html
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jaxlint.analysis.checkers.host_code import CallbackCapturesTracer
from jaxlint.analysis.domain.values import Array, Undecided
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite import operands
from jaxlint.rewrite.draft import in_order
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category, Edit, Fix

RULE = Rule(
    code="JAX704",
    name="callback-captures-tracer",
    summary="Tracer captured by a callback.",
    category=Category.FAILS,
    hazards=(CallbackCapturesTracer,),
    error="JaxRuntimeError",
    fixable="unsafe",
    status="stable",
)


def check(hazard: CallbackCapturesTracer, file: File) -> Iterator[Finding]:
    operand = file.code(hazard.operand, 40)
    called = str(hazard.api).rpartition(".")[2]
    message = f"Tracer `{operand}` captured{' and printed' if hazard.prints else ''} by `{called}`"
    yield Finding(
        hazard.site,
        message,
        f"Pass `{operand}` to `{called}` as an argument, and add a parameter to its function.",
        _passed(file, hazard.operand, hazard.callback)
        or _unbound(file, hazard.operand, hazard.callback)
        or _handed_on(file, hazard.callback),
        also=((f"`{called}` runs it", hazard.callback),),
    )


def _passed(file: File, operand: int, site: int) -> Fix | None:
    """The value as one more argument of the callback."""
    name, call = file.unit.nodes[operand], file.unit.nodes[site]
    if type(name) is not ir.Name or type(call) is not ir.Call or any(type(each) is ir.Starred for each in call.args):
        return None
    first = _first(file, call)
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
    return _fix(name.id, (parameter, Edit(last, last, f", {name.id}")))


def _fix(passed: str, edits: Iterable[Edit]) -> Fix:
    changes = "the callback gets an array of its value"
    return Fix(f"Pass `{passed}` to the callback", in_order(edits), changes=changes)


def _unbound(file: File, operand: int, site: int) -> Fix | None:
    """`partial(f, a, x)` as `partial(f, a)` with `x` as an argument of the callback."""
    call = file.unit.nodes[site]
    bound = file.unit.parent(operand)
    if (
        not isinstance(call, ir.Call)
        or not isinstance(bound, ir.Call)
        or any(type(each) is ir.Starred for each in (*call.args, *bound.args))
    ):
        return None
    first = _first(file, call)
    if len(call.args) < first or call.args[0] is not bound or bound.keywords:
        return None
    if any(getattr(value, "name", "") != "functools.partial" for value in file.values(bound.func.site)):
        return None
    moved = [each for each in bound.args if each.site == operand or file.span(each.site) > file.span(operand)]
    kept = bound.args[: len(bound.args) - len(moved)]
    if not kept or bound.args[len(kept)].site != operand:
        return None
    codes = ", ".join(operands.argument(file, each.site) for each in moved)
    start, end = file.span(bound.site)
    if len(kept) == 1:
        text = operands.argument(file, kept[0].site)
    else:
        text = file.source.text[start : file.outer_span(kept[-1].site)[1]] + ")"
    at = file.outer_span(call.args[first - 1].site)[1]
    edits = (
        (Edit(start, end, f"{text}, {codes}"),) if first == 1 else (Edit(start, end, text), Edit(at, at, f", {codes}"))
    )
    return _fix(file.code(operand), edits)


def _handed_on(file: File, site: int) -> Fix | None:
    """The tracers that a lambda without parameters closes over, as its parameters."""
    call = file.unit.nodes[site]
    if type(call) is not ir.Call or not call.args or type(call.args[0]) is not ir.Lambda:
        return None
    function, first = call.args[0].function, _first(file, call)
    if function.parameters or len(call.args) != first:
        return None
    traced: list[str] = []
    for node in ir.walk(function.body):
        if isinstance(node, ir.Name) and node.id in function.free and node.id not in traced:
            values = file.values(node.site)
            if values and all(type(value) in (Array, Undecided) and value.cls is not None for value in values):
                traced.append(node.id)
    if not traced:
        return None
    start, last = file.span(call.args[0].site)[0] + len("lambda"), file.outer_span(call.args[-1].site)[1]
    names = ", ".join(traced)
    return _fix(names, (Edit(start, start, f" {names}"), Edit(last, last, f", {names}")))


def _first(file: File, call: ir.Call) -> int:
    """How many arguments stand before those of the function."""
    return 1 if {getattr(each, "name", "") for each in file.values(call.func.site)} == {"jax.debug.callback"} else 2


def _is_only_callback(file: File, function: ir.Function, given: ir.Node) -> bool:
    """Whether the function is the one given, and nothing else calls it."""
    if isinstance(given, ir.Lambda):
        return given.function is function
    if not isinstance(given, ir.Name) or given.id != function.name or function.decorators or function.is_method:
        return False
    return len([node for node in file.unit.own if isinstance(node, ir.Name) and node.id == given.id]) == 1
