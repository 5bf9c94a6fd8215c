"""In-place change of an immutable JAX array.

## What it does
Reports NumPy functions that are told to put their result into a jax array (`out=`), that change their
argument (`np.fill_diagonal`, `np.copyto`, `np.put`, `np.random.shuffle` …), and `del x[i]`, where the
array is a jax array, traced or not.

## Why is this bad
Jax arrays cannot be changed. The code raises `TypeError` ("return arrays must be of ArrayType"),
`AttributeError` or `NotImplementedError`, under `jit` and without it.

## Example
```python
gram = jnp.dot(x, x.T)
np.fill_diagonal(gram, 0.0)
```

## Use instead
```python
gram = jnp.dot(x, x.T)
gram = jnp.fill_diagonal(gram, 0.0, inplace=False)
```

## When to ignore
Never: the code cannot run. Where the array has to be changed in place, make a NumPy array of it:
`np.array(x)`.

## Fix safety
The fix binds the name or attribute anew to what the functional form returns. It is only displayed: other names of the
same array keep the old values, and with `out=` the result has a dtype of its own.

## References
- JAX documentation, "Thinking in JAX", and "JAX - The Sharp Bits", in-place updates:
  https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html
- JAX documentation, `jax.numpy.fill_diagonal`, `jax.numpy.delete`, `jax.numpy.put`
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint import knowledge
from jaxlint.analysis.domain.hazards import MutatingCallOnArray
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite import operands
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Applicability, Category, Fix, ImportRequest

RULE = Rule(
    code="JAX312",
    name="mutating-call-on-array",
    summary="In-place change of an immutable JAX array.",
    category=Category.FAILS,
    hazards=(MutatingCallOnArray,),
    error="TypeError",
    fixable="display",
)

# Functions of `jax.numpy` that give the changed array when told so.
_FUNCTIONAL = frozenset({"fill_diagonal", "put", "place", "put_along_axis"})


# Those whose functional form is another call, and how many arguments it takes.
_OTHERWISE = {"numpy.copyto": 2, "numpy.putmask": 3, "numpy.random.shuffle": 1}
# `np.add.at(x, i, v)` -> `x.at[i].add(v)`
_UPDATES = {
    "add": "add", "subtract": "subtract", "multiply": "multiply", "divide": "divide", "power": "power",
    "minimum": "min", "maximum": "max",
}  # fmt: skip


def check(hazard: MutatingCallOnArray, file: File) -> Iterator[Finding]:
    operand = file.code(hazard.operand, 40)
    node = file.unit.nodes[hazard.site]
    if hazard.api == "del":
        message = f"Item deletion from immutable JAX array `{operand}`"
    else:
        called = file.code(node.func.site, 40) if isinstance(node, ir.Call) else str(hazard.api)
        message = f"In-place write by `{called}` to immutable JAX array `{operand}`"
    yield Finding(hazard.site, message, help=_help(hazard, operand), fix=_fix(hazard, file, node))


def _help(hazard: MutatingCallOnArray, operand: str) -> str:
    if hazard.api == "del":
        return f"Bind the remaining elements to the name: `{operand} = jnp.delete({operand}, …)`."
    if hazard.parameter == "out":
        return f"Use the function of `jax.numpy`, and bind its result to `{operand}`."
    return f"Bind the changed array to `{operand}`, or change a copy, `np.array({operand})`."


def _fix(hazard: MutatingCallOnArray, file: File, node: ir.Node) -> Fix | None:
    target = file.unit.nodes[hazard.operand]
    above = file.unit.parent(node.site)
    if not operands.is_path(target, (ir.Constant, ir.Name)):
        return None
    name = file.code(target.site)
    if hazard.api == "del":
        found = _deleted(file, node, above)
    elif isinstance(node, ir.Call) and isinstance(above, ir.Evaluate):
        found = _assigned(hazard, file, node)
    elif (
        isinstance(node, ir.Call)
        and isinstance(above, ir.Return)
        and hazard.parameter == "out"
        and isinstance(target, ir.Name)
    ):
        found = _assigned(hazard, file, node)  # nobody sees the buffer after this
        if found is None or target.id not in file.unit.scope(node.site).locals:
            return None
        return Fix(
            "Return the result without a buffer", (file.replace(node.site, found[0]),), Applicability.DISPLAY, found[1]
        )
    else:
        return None
    if found is None or above is None:
        return None
    text, imports = found
    edit = file.replace(above.site, f"{name} = {text}")
    return Fix(f"Bind `{name}` to the changed array", (edit,), Applicability.DISPLAY, imports)


def _deleted(file: File, node: ir.Node, above: ir.Node | None) -> tuple[str, frozenset[ImportRequest]] | None:
    if not isinstance(above, ir.Delete) or len(above.targets) != 1 or not isinstance(node, ir.Subscript):
        return None
    if isinstance(node.index, ir.Sequence):
        return None
    index = _slice(file, node.index) if isinstance(node.index, ir.Slice) else operands.argument(file, node.index.site)
    delete, imports = file.api("jax.numpy.delete")
    return f"{delete}({file.code(node.value.site)}, {index})", imports


def _slice(file: File, node: ir.Slice) -> str:
    parts = [
        None if part is None else operands.argument(file, part.site) for part in (node.lower, node.upper, node.step)
    ]
    if parts[2] is None:
        parts.pop()
    return f"slice({', '.join(part or 'None' for part in parts)})"


def _assigned(hazard: MutatingCallOnArray, file: File, call: ir.Call) -> tuple[str, frozenset[ImportRequest]] | None:
    """The call of the function of `jax.numpy` that returns what this one writes."""
    head, _, name = str(hazard.api).rpartition(".")
    if name == "at":
        return _updated(file, call, _UPDATES.get(head.rpartition(".")[2]))
    if hazard.api in _OTHERWISE:
        return _otherwise(file, call, str(hazard.api))
    functional = hazard.parameter != "out"
    counterpart = f"jax.{hazard.api}"
    if not knowledge.known(counterpart) or (functional and name not in _FUNCTIONAL):
        return None
    kept = [operands.argument(file, arg.site) for arg in call.args]
    for keyword in call.keywords:
        if keyword.name is None:
            return None
        if keyword.name != "out":
            kept.append(f"{keyword.name}={operands.argument(file, keyword.value.site)}")
    if functional:
        kept.append("inplace=False")
    spelled, imports = file.api(counterpart)
    return f"{spelled}({', '.join(kept)})", imports


def _otherwise(file: File, call: ir.Call, api: str) -> tuple[str, frozenset[ImportRequest]] | None:
    """The functional form where it is a call of another function."""
    if call.keywords or any(isinstance(arg, ir.Starred) for arg in call.args) or len(call.args) != _OTHERWISE[api]:
        return None
    given = [operands.argument(file, arg.site) for arg in call.args]
    if api == "numpy.copyto":
        filled, imports = file.api("jax.numpy.full_like")
        return f"{filled}({given[0]}, {given[1]})", imports
    if api == "numpy.putmask":
        if not isinstance(call.args[2], ir.Constant):
            return None  # several values are repeated, and not spread
        where, imports = file.api("jax.numpy.where")
        return (
            f"{where}({given[1]}, {given[2]}, {given[0]}).astype({operands.operand(file, call.args[0].site)}.dtype)",
            imports,
        )
    array, imports = file.api("jax.numpy.asarray")
    drawn, more = file.api("numpy.random.permutation")
    return f"{array}({drawn}({given[0]}))", imports | more


def _updated(file: File, call: ir.Call, method: str | None) -> tuple[str, frozenset[ImportRequest]] | None:
    if method is None or len(call.args) != 3 or call.keywords or any(isinstance(a, ir.Starred) for a in call.args):
        return None
    array, index, value = call.args
    return (
        f"{file.code(array.site)}.at[{file.code(index.site)}].{method}({operands.argument(file, value.site)})",
        frozenset(),
    )
