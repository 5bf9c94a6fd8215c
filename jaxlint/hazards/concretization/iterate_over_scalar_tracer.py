"""Iteration over a 0-d JAX array.

## What it does
Reports `for e in x`, unpacking, `list(x)`, `zip(x, …)` and the like of a jax array that is known to have no
dimensions, traced or not: the result of a reduction, a loop index, an element of a one-dimensional array. Also
`lax.scan` and `lax.map` over a number, a 0-d array or one typed key.

## Why is this bad
JAX raises `TypeError: iteration over a 0-d array`, and from the loops `ValueError` or `IndexError`: their inputs need a
leading axis, of one row a step. The number of steps is the argument `length` of `lax.scan`.

## Example
```python
@jax.jit
def step(x):
    total = 0.0
    for e in x.sum():
        total += e
    return total
```

## Use instead
```python
@jax.jit
def step(x):
    total = 0.0
    for e in x:
        total += e
    return total
```

## When to ignore
Never: the code fails.

## Fix safety
Unsafe where the loop is not needed: `sum(x.sum())` is `x.sum()`, and `f(*x.max())` is `f(x.max())`. For `lax.scan` an
integer becomes `length=`, and one key is split into as many as `length=` says, both unsafe. A function of `odeint` that takes the time
first takes it second, also unsafe. Other fixes
are only shown, because the intent is a guess: the array that was reduced, or counting to the number
with `jax.lax.fori_loop`.

## References
- JAX documentation, "Errors": https://docs.jax.dev/en/latest/errors.html
- JAX documentation, "Control flow": `jax.lax.fori_loop` counts to a traced number
  (https://docs.jax.dev/en/latest/control-flow.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import IterateOverScalarTracer
from jaxlint.analysis.domain.values import TYPED_KEY, Api, Array, Undecided, python_type
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import names_of, resolved
from jaxlint.rewrite.calls import end_of_parameter
from jaxlint.rewrite.changes import GUESSED
from jaxlint.rewrite.draft import Draft, in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import value_of
from jaxlint.rewrite.loops.loop_functions import counting_to
from jaxlint.rewrite.names.library_parameters import shown
from jaxlint.rewrite.operands import argument, operand
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix

RULE = Rule(
    code="JAX112",
    summary="Iteration over a 0-d JAX array, or a loop over something without an axis.",
    category=Category.FAILS,
    hazards=(IterateOverScalarTracer,),
    error="TypeError",
    fixable="unsafe",
)

_ODEINT = "jax.experimental.ode.odeint"
_REDUCTIONS = frozenset("sum prod mean max min amax amin std var any all median".split())


def check(hazard: IterateOverScalarTracer, file: File) -> Iterator[Finding]:
    operand = file.code(hazard.operand, 40)
    if hazard.api is not None:
        yield _loop(hazard, file, hazard.api)
        return
    above = file.unit.parent(hazard.site)
    if isinstance(above, (ir.Assign, ir.Annotate)):
        help = f"Assign `{operand}` to one name, or unpack the array that it was computed from."
    elif isinstance(above, ir.For):
        help = f"Iterate over an array with a dimension, or count with `jax.lax.fori_loop(0, {operand}, …)`."
    else:
        help = f"Iterate over an array with a dimension, not over `{operand}`."
    fix = _fix(hazard, file) or _time_second(hazard, file)
    yield Finding(hazard.site, f"Iteration over 0-d array `{operand}`", help, fix)


@or_none
def _time_second(hazard: IterateOverScalarTracer, file: File) -> Fix:
    """The state before the time among the parameters of a function that `odeint` calls, as `solve_ivp` has them the other way."""
    function = expect(ir.Function, file.unit.scope(hazard.site))
    time, state, *_ = function.parameters if len(function.parameters) > 1 else (None, None)
    state, time = known(state), known(time)
    require(time.name in ("t", "time") and file.unit.nodes[hazard.operand] in ir.names_below(function.body)[state.name])
    uses = names_of(file.unit, file.unit.scope(function.site), function.name)
    calls = [file.unit.parent(each.site) for each in uses]
    require(calls and all(isinstance(each, ir.Call) and file.is_api(each.func.site, _ODEINT) for each in calls))
    edits = [
        Edit(file.span(old.site)[0], end_of_parameter(file, old), file.source.text[file.span(new.site)[0] : end_of_parameter(file, new)])
        for old, new in ((time, state), (state, time))
    ]  # fmt: skip
    title = f"Take `{state.name}` before `{time.name}`"
    return Fix(title, in_order(edits), changes="callers other than `odeint` pass them the other way round")


def _loop(hazard: IterateOverScalarTracer, file: File, api: str) -> Finding:
    """A loop over rows of something that has none."""
    code, call, value = file.code(hazard.operand, 40), file.unit.nodes[hazard.site], hazard.value
    node, draft = file.unit.nodes[hazard.operand], Draft(file)
    code = f"({code})" if isinstance(node, ir.Sequence) and node.kind == "tuple" else code
    bare = isinstance(call, ir.Call) and not isinstance(node, ir.Sequence)
    length = value_of(call, "length") if isinstance(call, ir.Call) else None
    help, fix = "Pass an array with one row a step.", None
    if isinstance(value, Array) and value.aval.dtype == TYPED_KEY:
        help = "Split it into one key a step: `jax.random.split(key, n)`."
        if bare and length is not None:
            given = [argument(file, site) for site in (hazard.operand, length.site)]
            draft.replace(hazard.operand, draft.call("jax.random.split", *given))
            fix = draft.fix("Split the key", GUESSED)
    elif python_type(value) == "int" and api == "jax.lax.scan":
        help = "Pass the number of steps as `length=`."
        if bare and length is None and len(call.args) == 3:
            draft.insert(file.outer_span(hazard.operand)[0], "length=")
            fix = draft.fix("Pass it as `length`", GUESSED)
    return Finding(hazard.site, f"`{shown(api)}` over `{code}`, which has no axis", help, fix)


def _fix(hazard: IterateOverScalarTracer, file: File) -> Fix | None:
    node = file.unit.nodes[hazard.site]
    above = file.unit.parent(node.site)
    code = argument(file, node.site)
    if isinstance(above, ir.Starred) and isinstance(file.unit.parent(above.site), ir.Call):
        return Fix(f"Pass `{file.code(node.site, 40)}` itself", (file.replace(above.site, code),), changes=GUESSED)
    if isinstance(above, ir.Call) and len(above.args) == 1 and above.args[0] is node and not above.keywords:
        called = {value.name if type(value) is Api else None for value in file.values(above.func.site)}
        name = (called.pop() or "").removeprefix("builtins.") if len(called) == 1 else ""
        if name in ("sum", "max", "min"):
            return Fix(f"Leave `{name}` out", (file.replace(above.site, operand(file, node.site)),), changes=GUESSED)
        if name in ("list", "tuple"):
            text = f"[{code}]" if name == "list" else f"({code},)"
            return Fix(f"Make a {name} of one element", (file.replace(above.site, text),), changes=GUESSED)
    if isinstance(above, ir.For) and above.iterable is node and isinstance(node, ir.Name):
        if isinstance(hazard.value, Array) and "int" in (hazard.value.aval.dtype or ""):
            fix = counting_to(hazard, file, above, node)
            return fix.lowered(Applicability.DISPLAY) if fix is not None else None
    iterated = isinstance(above, (ir.For, ir.Clause)) or (isinstance(above, ir.Call) and _is_zip(file, above))
    reduced = _reduced(file, node) if iterated else None
    if reduced is None:
        return None
    code = argument(file, reduced.site)
    return Fix(f"Iterate over `{file.code(reduced.site, 40)}`", (file.replace(node.site, code),), Applicability.DISPLAY)


def _is_zip(file: File, call: ir.Call) -> bool:
    values = file.values(call.func.site)
    return bool(values) and all(
        type(value) is Api and value.name in ("builtins.zip", "builtins.enumerate") for value in values
    )


def _reduced(file: File, node: ir.Node) -> ir.Node | None:
    """The array of which the scalar is the sum, or another reduction."""
    node = resolved(file.unit, node)
    if not isinstance(node, ir.Call) or node.keywords:
        return None
    array = None
    if isinstance(node.func, ir.Attribute) and node.func.attr in _REDUCTIONS:
        array = node.func.value if not node.args else node.args[0] if len(node.args) == 1 else None
    known = file.values(array.site) if array is not None else []
    some = any(isinstance(value, (Array, Undecided)) for value in known)
    return None if not some or any(isinstance(value, Array) and value.aval.shape == () for value in known) else array
