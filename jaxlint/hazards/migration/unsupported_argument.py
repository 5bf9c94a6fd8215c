"""NumPy argument that `jax.numpy` does not support.

## What it does
Reports `out=` of any function of `jax.numpy` that has the parameter, `where=` of ufuncs such as `jnp.add`,
`kind=` and `order=` of `sort` and `argsort`, `order=` of `array`, `asarray` and `copy`, orders other than
`"C"` and `"F"` of `reshape`, `ravel` and `flatten`, `mode="raise"` of `take`, `overwrite_input=True`, and
`copy=False` of `meshgrid`. Keywords of NumPy's that JAX's function does not have at all, such as `out=` of
`jnp.sqrt`, are reported here too.

## Why is this bad
The call raises `NotImplementedError`, `TypeError` or `ValueError`. Arrays of JAX cannot be written to, have no
memory layout, and are sorted stably.

## Example
```python
jnp.add(x, y, out=x)
```

## Use instead
```python
x = jnp.add(x, y)
```

## When to ignore
Never: the call fails.

## Fix safety
Safe where the argument says what JAX does anyway, or what has no meaning for its arrays, and is left
out: the call could not run. Otherwise unsafe. `out=` becomes an assignment, which others who hold the
array do not see; `where=` a choice between the result and what `out=` held, or zero, which NumPy
leaves undefined; `dtype=` a cast of the result; and `mode="raise"` becomes `"fill"`. There is no fix
where `out=` is no variable of the function, or the call is part of a larger expression.

## References
- JAX documentation, `jax.numpy`: https://docs.jax.dev/en/latest/jax.numpy.html
- JAX documentation, `jax.numpy.sort`: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.sort.html
- JAX documentation, "Sharp bits", in-place updates: https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from jaxlint.analysis.checkers.unsupported import UnsupportedArgument
from jaxlint.analysis.domain.hazards import ParameterUsed
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite import operands
from jaxlint.rewrite.arguments import without_argument
from jaxlint.rewrite.changes import OTHER_HOLDERS
from jaxlint.rewrite.file import File
from jaxlint.rewrite.names.library_parameters import shown
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix

RULE = Rule(
    code="JAX807",
    name="unsupported-argument",
    summary="NumPy argument that `jax.numpy` does not support.",
    category=Category.FAILS,
    hazards=(UnsupportedArgument, ParameterUsed),
    error="NotImplementedError",
    fixable="safe",
    supersedes=("JAX805",),
)
# Parameters of NumPy's functions of which JAX's have no trace.
_OF_NUMPY = frozenset({"out", "where", "dtype", "casting", "order", "subok", "kind", "like"})
# Functions whose result is bool: what stands for an element that is not computed is so, too.
_TESTS = frozenset(
    "equal not_equal less less_equal greater greater_equal isnan isinf isfinite signbit"
    " logical_and logical_or logical_xor logical_not".split()
)


def check(hazard: UnsupportedArgument | ParameterUsed, file: File) -> Iterator[Finding]:
    parameter, api = hazard.parameter or "", hazard.api or ""
    if type(hazard) is ParameterUsed:
        if hazard.use.how != "unknown" or parameter not in _OF_NUMPY or not api.startswith(("jax.numpy.", "Array.")):
            return
        if api.count(".") > (2 if api.startswith("jax.") else 1):
            return  # of `jax.numpy.linalg`, `.at[]`
        value = file.unit.nodes[hazard.site]
        written = file.code(value.value.site, 30) if isinstance(value, ir.Keyword) else ""
    else:
        written = file.code(hazard.operand, 30)
    name = f"`{shown(api)}`" if not api.startswith(("Array.", ".")) else f"`.{api.rpartition('.')[2]}`"
    message = f"Unsupported argument `{parameter}={written}` of {name}"
    yield Finding(hazard.site, message, _advice(parameter, api, written), _fix(hazard, file))


def _advice(parameter: str, api: str, written: str) -> str | None:
    last = api.rpartition(".")[2]
    if parameter == "out" and written == "None":
        return "Remove it."
    if parameter == "out":
        return f"Assign the result: `{written} = …`."
    if parameter == "where":
        return f"Choose between the result and another value with `jnp.where({written}, …, …)`."
    if parameter == "kind":
        return "Remove it; sorting is stable." if "sort" in last else "Remove it."
    if parameter == "order" and last in ("sort", "argsort"):
        return "Use `jnp.lexsort` for several keys."
    if parameter == "order" and last in ("reshape", "ravel", "flatten"):
        return 'Use the order `"C"` or `"F"`.'
    if parameter in ("order", "subok", "casting", "like", "overwrite_input"):
        return "Remove it; JAX arrays have no memory layout and no subclasses, and are never overwritten."
    if parameter == "mode":
        return 'Use "fill", "clip" or "wrap"; compiled code raises no `IndexError`.'
    if parameter == "dtype":
        return f"Cast the result with `.astype({written})`."
    return "Remove it."


def _fix(hazard: UnsupportedArgument | ParameterUsed, file: File) -> Fix | None:
    node, parameter, api = file.unit.nodes[hazard.site], hazard.parameter or "", hazard.api or ""
    call, last = file.unit.parent(node.site), api.rpartition(".")[2]
    if not isinstance(call, ir.Call):
        return None
    value = node.value if isinstance(node, ir.Keyword) else node
    if not isinstance(node, ir.Keyword) and (node is not call.args[-1] or parameter in ("out", "where", "dtype")):
        return None  # what follows would move to its place
    left_out = without_argument(file, node)
    if isinstance(value, ir.Constant) and value.value is None:
        return Fix(f"Leave `{parameter}` out", (left_out,), Applicability.SAFE)
    if parameter == "out":
        assert isinstance(node, ir.Keyword)
        mask = next((keyword for keyword in call.keywords if keyword.name == "where"), None)
        return _assigned(file, call, node, (left_out,)) if mask is None else _chosen(file, call, mask, last)
    if parameter == "where":
        assert isinstance(node, ir.Keyword)
        return _chosen(file, call, node, last)
    if parameter == "dtype":
        end = file.span(call.site)[1]
        cast = Edit(end, end, f".astype({operands.argument(file, value.site)})")
        return Fix("Cast the result", (left_out, cast), changes="NumPy casts the operands, and not the result")
    if parameter == "mode":
        edit = file.replace(value.site, '"fill"')
        return Fix("Fill with NaN outside of the bounds", (edit,), changes="an index out of bounds raises nothing")
    if parameter == "order" and last in ("sort", "argsort"):
        return None
    harmless = api.startswith("jax.numpy.") and parameter in ("kind", "order", "subok", "overwrite_input", "copy")
    changes = f"`{parameter}` no longer has an effect"
    if last in ("reshape", "ravel", "flatten"):
        harmless, changes = False, "the elements come in another order"
    level = Applicability.SAFE if harmless else Applicability.UNSAFE
    return Fix(f"Leave `{parameter}` out", (left_out,), level, changes=changes)


def _assigned(file: File, call: ir.Call, out: ir.Keyword, edits: tuple[Edit, ...]) -> Fix | None:
    """The result assigned to what `out=` names, in a statement of its own."""
    name, statement = out.value, file.unit.parent(call.site)
    if not isinstance(name, ir.Name) or name.id not in file.unit.scope(call.site).locals:
        return None
    if isinstance(statement, ir.Assign) and statement.value is call:
        named = any(isinstance(target, ir.Name) and target.id == name.id for target in statement.targets)
    elif isinstance(statement, ir.Return):
        named = True
    elif isinstance(statement, ir.Evaluate):
        named = False
    else:
        return None
    if not named:
        start, first = file.span(statement.site)[0], edits[0]
        if (first.start, first.end) == (start, start):
            edits = (Edit(start, start, f"{name.id} = {first.content}"), *edits[1:])
        else:
            edits = (Edit(start, start, f"{name.id} = "), *edits)
    return Fix(f"Assign the result to `{name.id}`", edits, changes=OTHER_HOLDERS)


def _chosen(file: File, call: ir.Call, where: ir.Keyword, last: str) -> Fix | None:
    """`f(x, where=mask)` as a choice between the result and what `out=` held."""
    out = next((keyword for keyword in call.keywords if keyword.name == "out"), None)
    if out is not None and not isinstance(out.value, ir.Name):
        return None
    otherwise = file.code(out.value.site) if out is not None else "False" if last in _TESTS else "0"
    choose, imports = file.api("jax.numpy.where")
    start, end = file.span(call.site)
    edits = [Edit(start, start, f"{choose}({operands.argument(file, where.value.site)}, ")]
    edits += sorted(
        (without_argument(file, each) for each in (where, out) if each is not None), key=lambda edit: edit.start
    )
    edits.append(Edit(end, end, f", {otherwise})"))
    if out is not None:
        fix = _assigned(file, call, out, tuple(edits))
        return None if fix is None else replace(fix, imports=imports)
    changes = f"elsewhere it is {otherwise}, which NumPy leaves undefined"
    return Fix("Choose the result by the mask", tuple(edits), imports=imports, changes=changes)
