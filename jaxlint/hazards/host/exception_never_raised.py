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
from jaxlint.rewrite.changes import BOTH_SIDES
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument, operand
from jaxlint.rewrite.statements import free_name, stands_on_own_lines
from jaxlint.source.diagnostic import Category, Fix, ImportRequest

RULE = Rule(
    code="JAX314",
    name="exception-never-raised",
    summary="Unreachable handler of an exception that JAX never raises.",
    category=Category.WRONG,
    hazards=(ExceptionNeverRaised,),
    fixable="unsafe",
    status="stable",
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


def _fix(hazard: ExceptionNeverRaised, file: File) -> Fix | None:
    around = (file.unit.nodes[hazard.site], *file.unit.ancestors(hazard.site))
    handler = next((node for node in around if isinstance(node, ir.Handler)), None)
    statement = file.unit.parent(handler.site) if handler is not None else None
    if (
        handler is None
        or not isinstance(statement, ir.Try)
        or statement.is_star
        or not stands_on_own_lines(file, statement)
    ):
        return None
    if len(statement.handlers) != 1 or statement.orelse or statement.final:
        return None
    if len(statement.body) != 1 or len(handler.body) != 1:
        return None
    if file.unit.nodes[hazard.operand] is statement:
        return None
    tried, handled = statement.body[0], handler.body[0]
    if isinstance(tried, ir.Augment) and isinstance(tried.target, ir.Name):
        name, value = tried.target.id, None
    elif isinstance(tried, ir.Assign) and len(tried.targets) == 1 and isinstance(tried.targets[0], ir.Name):
        name, value = tried.targets[0].id, tried.value
    elif isinstance(tried, ir.Return) and tried.value is not None:
        name, value = "", tried.value
    else:
        return None
    instead = _instead(file, handled, tried, name)
    if instead is None or (handler.name is not None and handler.name in instead):
        return None
    lines = _lines(hazard, file, tried, name, value, instead)
    if lines is None:
        return None
    text = f"{file.source.newline}{file.indentation(statement.site)}".join(lines[0])
    filled = hazard.exception == "IndexError"
    title, changes = "Test the values, and choose with `jnp.where`", BOTH_SIDES
    if filled:
        title, changes = "Say what is there instead of an element", "right where it is always a JAX array"
    return Fix(title, (file.replace(statement.site, text),), imports=lines[1], changes=changes)


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
    hazard: ExceptionNeverRaised, file: File, tried: ir.Statement, name: str, value: ir.Node | None, instead: str
) -> tuple[list[str], frozenset[ImportRequest]] | None:
    """The statements that take the place of the `try`."""
    failing = file.unit.nodes[hazard.operand]
    if value is None:
        assert isinstance(tried, ir.Augment)
        value_code = f"{name} {tried.op} {operand(file, tried.value.site)}"
    else:
        value_code = argument(file, value.site)
    if "\n" in value_code or "\n" in instead:
        return None
    head = f"{name} = " if name else "return "
    where, imports = file.api("jax.numpy.where")
    if hazard.exception == "IndexError":
        return _filled(file, failing, value, instead, head)
    if hazard.exception == "ZeroDivisionError":
        divisor = failing.right if isinstance(failing, ir.Binary) else getattr(failing, "value", None)
        if divisor is None or not (failing is value or failing is tried):
            return None
        return [f"{head}{where}({operand(file, divisor.site)} == 0, {instead}, {value_code})"], imports
    if not isinstance(failing, ir.Call):
        return None
    finite, more = file.api("jax.numpy.isfinite")
    result = name or free_name(file, tried.site, "result", "value", "found")
    if result == instead or value is not failing:
        return None
    return [f"{result} = {value_code}", f"{head}{where}({finite}({result}).all(), {result}, {instead})"], imports | more


def _filled(
    file: File, failing: ir.Node, value: ir.Node | None, instead: str, head: str
) -> tuple[list[str], frozenset[ImportRequest]] | None:
    """The value with the element replaced by `x.at[i].get(mode="fill", fill_value=…)`."""
    if not isinstance(failing, ir.Subscript) or value is None or not _only_converts(file, value, failing):
        return None
    outer, inner, array = file.span(value.site), file.span(failing.site), file.span(failing.value.site)[1]
    text = file.source.text
    element = f'{text[inner[0] : array]}.at{text[array : inner[1]]}.get(mode="fill", fill_value={instead})'
    return [f"{head}{text[outer[0] : inner[0]]}{element}{text[inner[1] : outer[1]]}"], frozenset()


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
