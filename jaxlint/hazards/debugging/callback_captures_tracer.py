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
from jaxlint.rewrite.draft import Draft, in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, is_plain, known, or_none, plain_call, require
from jaxlint.source.diagnostic import Category, Edit, Fix

RULE = Rule(
    code="JAX704",
    category=Category.FAILS,
    hazards=(CallbackCapturesTracer,),
    error="JaxRuntimeError",
    fixable="unsafe",
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


@or_none
def _passed(file: File, operand: int, site: int) -> Fix:
    """The value as one more argument of the callback."""
    name, call, draft = expect(ir.Name, file.unit.nodes[operand]), plain_call(file.unit.nodes[site]), Draft(file)
    first = _first(file, call)
    function = known(next((each for each in file.unit.ancestors(operand) if isinstance(each, ir.Function)), None))
    parameters = function.parameters
    require(len(call.args) >= first and _is_only_callback(file, function, call.args[0]))
    require(all(each.kind == "ordinary" and each.default is None for each in parameters))
    require(name.id not in function.locals and len(parameters) == len(call.args) - first)
    if parameters:
        draft.insert(file.span(parameters[-1].site)[1], f", {name.id}")
    elif function.is_lambda:
        draft.insert(file.span(call.args[0].site)[0] + len("lambda"), f" {name.id}")
    else:
        draft.insert(file.source.text.index("(", file.span(function.site)[0]) + 1, name.id)
    draft.insert(file.outer_span(call.args[-1].site)[1], f", {name.id}")
    return _fix(name.id, draft.edits)


def _fix(passed: str, edits: Iterable[Edit]) -> Fix:
    changes = "the callback gets an array of its value"
    return Fix(f"Pass `{passed}` to the callback", in_order(edits), changes=changes)


@or_none
def _unbound(file: File, operand: int, site: int) -> Fix:
    """`partial(f, a, x)` as `partial(f, a)` with `x` as an argument of the callback."""
    call, bound, draft = expect(ir.Call, file.unit.nodes[site]), plain_call(file.unit.parent(operand)), Draft(file)
    first = _first(file, call)
    require(is_plain(call.args) and len(call.args) >= first and call.args[0] is bound and not bound.keywords)
    require(all(getattr(value, "name", "") == "functools.partial" for value in file.values(bound.func.site)))
    moved = [each for each in bound.args if each.site == operand or file.span(each.site) > file.span(operand)]
    kept = bound.args[: len(bound.args) - len(moved)]
    require(kept and bound.args[len(kept)].site == operand)
    codes = ", ".join(operands.argument(file, each.site) for each in moved)
    if len(kept) == 1:
        text = operands.argument(file, kept[0].site)
    else:
        text = file.source.text[file.span(bound.site)[0] : file.outer_span(kept[-1].site)[1]] + ")"
    draft.replace(bound.site, f"{text}, {codes}" if first == 1 else text)
    if first != 1:
        draft.insert(file.outer_span(call.args[first - 1].site)[1], f", {codes}")
    return _fix(file.code(operand), draft.edits)


@or_none
def _handed_on(file: File, site: int) -> Fix:
    """The tracers that a lambda without parameters closes over, as its parameters."""
    call, draft = expect(ir.Call, file.unit.nodes[site]), Draft(file)
    first = _first(file, call)
    function = expect(ir.Lambda, call.args[0] if call.args else None).function
    require(not function.parameters and len(call.args) == first)
    traced: list[str] = []
    for node in ir.walk(function.body):
        if isinstance(node, ir.Name) and node.id in function.free and node.id not in traced:
            if file.always(node.site, lambda value: type(value) in (Array, Undecided) and value.cls is not None):
                traced.append(node.id)
    require(traced)
    names = ", ".join(traced)
    draft.insert(file.span(call.args[0].site)[0] + len("lambda"), f" {names}")
    draft.insert(file.outer_span(call.args[-1].site)[1], f", {names}")
    return _fix(names, draft.edits)


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
