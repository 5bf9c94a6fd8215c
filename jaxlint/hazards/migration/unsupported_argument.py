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

from jaxlint.analysis.checkers.unsupported import UnsupportedArgument
from jaxlint.analysis.domain.hazards import ParameterUsed
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite import operands
from jaxlint.rewrite.changes import OTHER_HOLDERS
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.names.library_parameters import shown
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX807",
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


@or_none
def _fix(hazard: UnsupportedArgument | ParameterUsed, file: File) -> Fix:
    node, parameter, api = file.unit.nodes[hazard.site], hazard.parameter or "", hazard.api or ""
    call, last, draft = expect(ir.Call, file.unit.parent(node.site)), api.rpartition(".")[2], Draft(file)
    value = node.value if isinstance(node, ir.Keyword) else node
    if not isinstance(node, ir.Keyword):  # what follows would move to its place
        require(node is call.args[-1] and parameter not in ("out", "where", "dtype"))
    if parameter == "out" and not ir.is_none(value):
        mask = next((keyword for keyword in call.keywords if keyword.name == "where"), None)
        if mask is not None:
            return _chosen(draft, call, mask, last)
        draft.remove_argument(node)
        return _assigned(draft, call, node)
    if parameter == "where" and not ir.is_none(value):
        return _chosen(draft, call, node, last)
    if parameter == "mode" and not ir.is_none(value):
        draft.replace(value.site, '"fill"')
        return draft.fix("Fill with NaN outside of the bounds", "an index out of bounds raises nothing")
    draft.remove_argument(node)
    if ir.is_none(value):
        return draft.fix(f"Leave `{parameter}` out", level=Applicability.SAFE)
    if parameter == "dtype":
        draft.insert(file.span(call.site)[1], f".astype({operands.argument(file, value.site)})")
        return draft.fix("Cast the result", "NumPy casts the operands, and not the result")
    require(not (parameter == "order" and last in ("sort", "argsort")))
    harmless = api.startswith("jax.numpy.") and parameter in ("kind", "order", "subok", "overwrite_input", "copy")
    changes = f"`{parameter}` no longer has an effect"
    if last in ("reshape", "ravel", "flatten"):
        harmless, changes = False, "the elements come in another order"
    return draft.fix(f"Leave `{parameter}` out", changes, Applicability.SAFE if harmless else Applicability.UNSAFE)


def _assigned(draft: Draft, call: ir.Call, out: ir.Keyword) -> Fix:
    """The result assigned to what `out=` names, in a statement of its own."""
    file, statement = draft.file, known(draft.file.unit.parent(call.site))
    name = expect(ir.Name, out.value).id
    require(name in file.unit.scope(call.site).locals)
    if isinstance(statement, ir.Assign) and statement.value is call:
        named = any(isinstance(target, ir.Name) and target.id == name for target in statement.targets)
    else:
        require(isinstance(statement, (ir.Return, ir.Evaluate)))
        named = isinstance(statement, ir.Return)
    if not named:
        draft.edits.insert(0, file.insert(file.span(statement.site)[0], f"{name} = "))
    return draft.fix(f"Assign the result to `{name}`", OTHER_HOLDERS)


def _chosen(draft: Draft, call: ir.Call, where: ir.Keyword, last: str) -> Fix:
    """`f(x, where=mask)` as a choice between the result and what `out=` held."""
    file, out = draft.file, next((keyword for keyword in call.keywords if keyword.name == "out"), None)
    require(out is None or isinstance(out.value, ir.Name))
    otherwise = file.code(out.value.site) if out is not None else "False" if last in _TESTS else "0"
    start, end = file.span(call.site)
    choose = draft.api("jax.numpy.where")
    draft.insert(start, f"{choose}({operands.argument(file, where.value.site)}, ")
    for each in filter(None, (where, out)):
        draft.remove_argument(each)
    draft.insert(end, f", {otherwise})")
    if out is not None:
        return _assigned(draft, call, out)
    return draft.fix("Choose the result by the mask", f"elsewhere it is {otherwise}, which NumPy leaves undefined")
