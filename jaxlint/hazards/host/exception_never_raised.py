"""Unreachable handler of an exception that JAX never raises.

## What it does
Reports `except ZeroDivisionError` around divisions of jax arrays, `except np.linalg.LinAlgError` around functions of
`jnp.linalg` and `jax.scipy.linalg`, and `except IndexError` around items of jax arrays, where nothing else in the
`try` can raise it.

## Why is this bad
A compiled program cannot raise an exception that hangs on values, so JAX raises none: `1.0 / 0.0` is inf, an integer
divided by zero some integer, the Cholesky factor of a matrix that has none is nan, and `x[7]` of an array of
three elements is the last one. What the handler was to give is silently lost.

## Example
```python
def factor(kernel):
    try:
        return jnp.linalg.cholesky(kernel)
    except np.linalg.LinAlgError:
        return jnp.linalg.cholesky(kernel + 1e-6 * jnp.eye(len(kernel)))
```

## Use instead
```python
def factor(kernel):
    lower = jnp.linalg.cholesky(kernel)
    safe = jnp.linalg.cholesky(kernel + 1e-6 * jnp.eye(len(kernel)))
    return jnp.where(jnp.isnan(lower).any(), safe, lower)
```

## When to ignore
Where the code runs with NumPy as well, under the same names.

## Fix safety
Unsafe: the handled statement and what stands in its place become the two sides of `jnp.where`, so both are computed,
and must have one shape. A divisor is compared with zero, an index gets a `fill_value`, and what a decomposition gives
is tested with `jnp.isfinite`. The `try` goes, and what else it may have caught is raised. There is no fix where the
handler does more than to return or assign something else, which arrays can hold, where the `try` holds more than one
statement, or where it computes with the element that is not there.

## References
- JAX documentation, "JAX - The Sharp Bits", out-of-bounds indexing, debugging NaNs
  (https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
- JAX documentation, `jax.experimental.checkify`
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.handlers import ExceptionNeverRaised
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_target
from jaxlint.rewrite.changes import BOTH_SIDES
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument, operand
from jaxlint.rewrite.requirements import expect, known, only, or_none, require
from jaxlint.rewrite.statements import free_name, stands_on_own_lines
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX314",
    category=Category.WRONG,
    hazards=(ExceptionNeverRaised,),
    fixable="unsafe",
)

_HELP = {
    "ZeroDivisionError": "Test the divisor, `jnp.where(divisor == 0, …, …)`; JAX gives inf, nan or an integer.",
    "LinAlgError": "Test the result, `jnp.isfinite(…).all()`; JAX gives nan or inf.",
    "IndexError": "Compare the index with the shape, or use `x.at[i].get(mode=\"fill\")`; JAX gives the nearest element.",
}  # fmt: skip

_CONVERSIONS = frozenset({"builtins.int", "builtins.float", "builtins.bool"})


def check(hazard: ExceptionNeverRaised, file: File) -> Iterator[Finding]:
    code = file.code(hazard.operand, 40)
    yield Finding(
        hazard.site,
        f"Unreachable {hazard.exception} handler for `{code}`",
        _HELP[hazard.exception],
        _fix(hazard, file),
        also=(("this gives a number", hazard.operand),),
    )


@or_none
def _fix(hazard: ExceptionNeverRaised, file: File) -> Fix:
    around, draft = (file.unit.nodes[hazard.site], *file.unit.ancestors(hazard.site)), Draft(file)
    handler = known(next((node for node in around if isinstance(node, ir.Handler)), None))
    statement = expect(ir.Try, file.unit.parent(handler.site))
    require(not statement.is_star and stands_on_own_lines(file, statement))
    require(len(statement.handlers) == 1 and not statement.orelse and not statement.final)
    tried, handled = only(statement.body), only(handler.body)
    require(file.unit.nodes[hazard.operand] is not statement)
    name, value = "", getattr(tried, "value", None)
    if isinstance(tried, ir.Augment):
        name, value = expect(ir.Name, tried.target).id, None
    elif isinstance(tried, ir.Assign):
        name = expect(ir.Name, only_target(tried)).id
    else:
        require(isinstance(tried, ir.Return) and value is not None)
    instead = known(_instead(file, handled, tried, name))
    require(handler.name is None or handler.name not in instead)
    lines = _lines(hazard, draft, tried, name, value, instead)
    draft.replace(statement.site, f"{file.source.newline}{file.indentation(statement.site)}".join(lines))
    if hazard.exception == "IndexError":
        return draft.fix("Say what is there instead of an element", "right where it is always a JAX array")
    return draft.fix("Test the values, and choose with `jnp.where`", BOTH_SIDES)


def _instead(file: File, handled: ir.Statement, tried: ir.Statement, name: str) -> str | None:
    """The value that the handler puts in the place of what fails; None for what no array can hold."""
    value = getattr(handled, "value", None)
    if isinstance(value, ir.Constant) and not isinstance(value.value, (int, float, complex)):
        return None
    if isinstance(handled, ir.Pass) and isinstance(tried, ir.Augment):
        return name
    if isinstance(tried, ir.Return) and isinstance(handled, ir.Return) and handled.value is not None:
        return argument(file, handled.value.site)
    if isinstance(handled, ir.Assign) and len(handled.targets) == 1 and name:
        target = handled.targets[0]
        return argument(file, handled.value.site) if isinstance(target, ir.Name) and target.id == name else None
    return None


def _lines(
    hazard: ExceptionNeverRaised, draft: Draft, tried: ir.Statement, name: str, value: ir.Node | None, instead: str
) -> list[str]:
    """The statements that take the place of the `try`."""
    file, failing = draft.file, draft.file.unit.nodes[hazard.operand]
    if value is None:
        assert isinstance(tried, ir.Augment)
        value_code = f"{name} {tried.op} {operand(file, tried.value.site)}"
    else:
        value_code = argument(file, value.site)
    require("\n" not in value_code and "\n" not in instead)
    head = f"{name} = " if name else "return "
    if hazard.exception == "IndexError":
        return _filled(file, failing, value, instead, head)
    if hazard.exception == "ZeroDivisionError":
        divisor = known(failing.right if isinstance(failing, ir.Binary) else getattr(failing, "value", None))
        require(failing is value or failing is tried)
        is_zero = f"{operand(file, divisor.site)} == 0"
        return [head + draft.call("jax.numpy.where", is_zero, instead, value_code)]
    result = name or free_name(file, tried.site, "result", "value", "found")
    require(isinstance(failing, ir.Call) and result != instead and value is failing)
    finite = f"{draft.call('jax.numpy.isfinite', result)}.all()"
    return [f"{result} = {value_code}", head + draft.call("jax.numpy.where", finite, result, instead)]


def _filled(file: File, failing: ir.Node, value: ir.Node | None, instead: str, head: str) -> list[str]:
    """The value with the element replaced by `x.at[i].get(mode="fill", fill_value=…)`."""
    failing, whole = expect(ir.Subscript, failing), known(value)
    require(_only_converts(file, whole, failing))
    outer, inner, array = file.span(whole.site), file.span(failing.site), file.span(failing.value.site)[1]
    text = file.source.text
    element = f'{text[inner[0] : array]}.at{text[array : inner[1]]}.get(mode="fill", fill_value={instead})'
    return [f"{head}{text[outer[0] : inner[0]]}{element}{text[inner[1] : outer[1]]}"]


def _only_converts(file: File, value: ir.Node, element: ir.Node) -> bool:
    """Whether a value is the element, or a number made of it: what is computed of another element is another value."""
    while value is not element:
        if not isinstance(value, ir.Call) or len(value.args) != 1 or value.keywords:
            return False
        names = {getattr(each, "name", "") for each in file.values(value.func.site)}
        if not names or not names <= _CONVERSIONS:
            return False
        value = value.args[0]
    return True
