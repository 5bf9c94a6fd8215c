"""Float or tuple used as a size, shape, index or slice bound.

## What it does
Reports floats that are given for sizes and indices: `jnp.zeros(n / 2)`, `x.reshape(2.0, -1)`,
`jnp.linspace(0, 1, num=n / 4)`, `jax.random.normal(key, (n / 2,))`, `x[n / 2]`, `x[: n / 2]`, and jax
arrays of floats as an index; shapes in the place of a size: `jnp.zeros((x.shape, 2))`.

## Why is this bad
`/` gives a float in Python 3, also where the quotient is whole, and jax takes no float for a number of
elements or a position. It raises TypeError: "Shapes must be 1D sequences of concrete values of integer
type", "'float' object cannot be interpreted as an integer", or "Indexer must have integer or boolean
type". This is so with and without `jax.jit`.

## Example
```python
def halves(x):
    middle = x.shape[0] / 2
    return x[:middle], jnp.zeros(middle)
```

## Use instead
```python
def halves(x):
    middle = x.shape[0] // 2
    return x[:middle], jnp.zeros(middle)
```

A float that is rounded on purpose becomes an integer with `int(...)`, `round(...)` or `math.ceil(...)`;
an array with `.astype(int)`.

## When to ignore
Never: the call fails. Functions that do take floats, such as `jnp.arange` and the windows of
`jnp.hanning` and its kin, are not reported.

## Fix safety
Safe for a literal without a fraction, `5.0`: the call could not run. Unsafe where the fix divides with `//`, or
converts with `int` or `.astype(int)`: which way to round is yours to say. Integers in the place of the logits, with floats
in that of the labels, change places with them. An array of zeros or ones that a caller makes without a dtype is made of integers.

## References
- JAX documentation, `jax.numpy.zeros` (parameter `shape`): https://docs.jax.dev/en/latest/_autosummary/jax.numpy.zeros.html
- Python documentation, "Numeric types": https://docs.python.org/3/library/stdtypes.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.float_sizes import FloatShape
from jaxlint.analysis.domain.values import Array, Const, Static, Tuple, is_whole, python_type
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_to, parameter_of, resolved
from jaxlint.rewrite import operands
from jaxlint.rewrite.calls import first_passed
from jaxlint.rewrite.changes import FRACTION
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, is_plain, or_none, plain_call, require
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix

RULE = Rule(
    code="JAX212",
    category=Category.FAILS,
    hazards=(FloatShape,),
    error="TypeError",
    fixable="safe",
)


def check(hazard: FloatShape, file: File) -> Iterator[Finding]:
    operand = file.code(hazard.operand, 40)
    place = {"index": "used as index", "slice": "used as slice bound"}.get(
        hazard.api or "", f"passed as integer argument `{hazard.parameter}`"
    )
    if hazard.parameter == "args":
        place = "passed as size"
    what = "Float array" if isinstance(hazard.value, Array) else "Float"
    if isinstance(hazard.value, Tuple):
        what, place = "Tuple", f"used as one size of `{hazard.parameter}`"
    fix = _fix(hazard, file)
    yield Finding(
        hazard.site,
        f"{what} `{operand}` {place}",
        help=f"{fix.title}." if fix is not None else _help(hazard, file, operand),
        fix=fix,
    )


def _help(hazard: FloatShape, file: File, operand: str) -> str:
    if isinstance(hazard.value, Tuple):
        return "A shape is one sequence of integers."
    if _is_passed(hazard, file):
        return f"Pass integers for `{operand}`."
    return f"Divide with `//`, or convert `{operand}` with `int`."


def _is_passed(hazard: FloatShape, file: File) -> bool:
    """Whether an array is what a visible call passes for a parameter: another argument may be meant there."""
    node = file.unit.nodes[hazard.operand]
    if not hazard.chain or not isinstance(hazard.value, Array) or not isinstance(node, ir.Name):
        return False
    scope, origin = file.unit.scope(node.site), hazard.value.origin
    if parameter_of(scope, node.id) is not None:
        return True
    is_outside = origin is not None and (origin.site not in file.unit or file.unit.scope(origin.site) is not scope)
    return is_outside and isinstance(scope, ir.Function) and any(each.name == node.id for each in scope.parameters)


@or_none
def _fix(hazard: FloatShape, file: File) -> Fix | None:
    node = file.unit.nodes[hazard.operand]
    require(not isinstance(file.unit.parent(node.site), ir.Starred))  # one of several
    if isinstance(hazard.value, Tuple):
        return _spread(node, file)
    if isinstance(hazard.value, Array):
        call = file.unit.nodes[hazard.site]
        if hazard.parameter == "labels" and isinstance(call, ir.Call) and len(call.args) > 1:
            if _are_integers(file, call.args[0]):
                return _exchanged(file, call)
        if _is_passed(hazard, file):
            return _made_of_integers(hazard, file)
        converted = f"{operands.operand(file, node.site)}.astype(int)"
        return Fix(f"Convert it with `{converted}`", (file.replace(node.site, converted),), changes=FRACTION)
    if isinstance(hazard.value, Const) and isinstance(node, ir.Constant):
        require(is_whole(node.value))
        text = str(int(node.value))
        return Fix(f"Write `{text}`", (file.replace(node.site, text),), Applicability.SAFE)
    source = resolved(file.unit, node)
    if _is_quotient_of_integers(file, source):
        assert isinstance(source, ir.Binary)
        start, end = file.outer_span(source.left.site)[1], file.outer_span(source.right.site)[0]
        text = file.source.text[start:end]
        if text.count("/") == 1:
            at = start + text.index("/")
            return Fix("Divide with `//`", (Edit(at, at + 1, "//"),), changes="the result is rounded down")
    if any(python_type(value) is None for value in file.values(node.site)):
        return _elements(file, source)
    edit = file.replace(node.site, f"int({file.code(node.site)})")
    return Fix(f"Convert it with `int({file.code(node.site, 40)})`", (edit,), changes=FRACTION)


def _spread(node: ir.Node, file: File) -> Fix:
    """`*shape` for a shape among sizes."""
    shape = expect(ir.Sequence, file.unit.parent(node.site))
    others = [value for each in shape.elements if each is not node for value in file.values(each.site)]
    require(others and all(python_type(value) == "int" for value in others))
    text = f"*{operands.operand(file, node.site)}"
    changes = "the axes of the shape are axes of the result"
    return Fix(f"Write `{text}`", (file.replace(node.site, text),), changes=changes)


def _are_integers(file: File, node: ir.Node) -> bool:
    dtypes = [each.aval.dtype for each in file.values(node.site) if isinstance(each, Array) and each.aval.dtype]
    return bool(dtypes) and all("int" in dtype for dtype in dtypes)


def _exchanged(file: File, call: ir.Call) -> Fix:
    """The labels behind the logits, where they stand in their place."""
    first, second = (file.outer_span(each.site) for each in call.args[:2])
    text = file.source.text
    edits = (Edit(*first, text[slice(*second)]), Edit(*second, text[slice(*first)]))
    return Fix("Pass the logits first", edits, changes="the arguments change places")


@or_none
def _made_of_integers(hazard: FloatShape, file: File) -> Fix:
    """`jnp.zeros(shape, int)` for an array that the first caller makes without a dtype."""
    home, node = first_passed(file, hazard)
    call, draft = plain_call(bound_to(home.unit, node)), Draft(home)
    require(home.is_api(call.func.site, "jax.numpy.zeros", "jax.numpy.ones") and len(call.args) == 1)
    require(not call.keywords)
    draft.append_argument(call, "int")
    return file.placed(draft.fix("Make it of integers", "it is an array of integers wherever it is used"), call.site)


def _elements(file: File, node: ir.Node) -> Fix:
    """The floats in a tuple, each converted."""
    elements, edits = expect(ir.Sequence, node).elements, []
    require(is_plain(elements))
    for each in elements:
        types = {python_type(value) for value in file.values(each.site)}
        if types == {"float"}:
            edits.append(Edit(*file.outer_span(each.site), f"int({file.code(each.site)})"))
        else:
            require(types == {"int"})
    require(edits)
    return Fix("Convert the floats with `int`", tuple(edits), changes=FRACTION)


def _is_quotient_of_integers(file: File, node: ir.Node) -> bool:
    """Whether the expression is `a / b` of two integers."""
    if not isinstance(node, ir.Binary) or node.op != "/":
        return False
    for side in (node.left, node.right):
        found = [value for value in file.values(side.site) if isinstance(value, (Const, Static))]
        if not found or any(python_type(value) != "int" for value in found):
            return False
    return True
