"""A jax array is given to code that wants to change it in place.

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
The fix binds the name anew to what the functional form returns. It is only displayed: other names of the
same array keep the old values, and with `out=` the result has a dtype of its own.

## References
- JAX documentation, "Thinking in JAX", and "JAX - The Sharp Bits", in-place updates:
  https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html
- JAX documentation, `jax.numpy.fill_diagonal`, `jax.numpy.delete`, `jax.numpy.put`
"""

from __future__ import annotations

from typing import Iterator, Optional

from jaxlint import knowledge, syntax as ir
from jaxlint.diagnostic import Applicability, Category, Fix, ImportRequest
from jaxlint.rewrite import operands
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX312",
    name="mutating-call-on-array",
    summary="A jax array is given to code that wants to change it in place.",
    category=Category.FAILS,
    kinds=(Kind.MUTATION,),
    error="TypeError",
    fixable="display",
)

# Functions of `jax.numpy` that give the changed array when told so.
_FUNCTIONAL = frozenset({"fill_diagonal", "put", "place", "put_along_axis"})


# `np.add.at(x, i, v)` -> `x.at[i].add(v)`
_UPDATES = {
    "add": "add", "subtract": "subtract", "multiply": "multiply", "divide": "divide", "power": "power",
    "minimum": "min", "maximum": "max",
}  # fmt: skip


def check(demand: Demand, file: File) -> Iterator[Finding]:
    operand = file.code(demand.operand, 40)
    node = file.unit.nodes[demand.site]
    if demand.api == "del":
        message = f"an element of the jax array `{operand}` is deleted"
    else:
        called = file.code(node.func.site, 40) if isinstance(node, ir.Call) else str(demand.api)
        message = f"`{called}` writes into `{operand}`, which is a jax array"
    yield Finding(demand.site, message, help=_help(demand, operand), fix=_fix(demand, file, node))


def _help(demand: Demand, operand: str) -> str:
    if demand.api == "del":
        return f"Jax arrays cannot be changed: bind the rest to the name, `{operand} = jnp.delete({operand}, …)`."
    if demand.parameter == "out":
        return f"Jax arrays cannot be changed: use the function of `jax.numpy` and bind its result to `{operand}`."
    return f"Jax arrays cannot be changed: bind the changed array to `{operand}`, or change a copy, `np.array({operand})`."


def _fix(demand: Demand, file: File, node: ir.Node) -> Optional[Fix]:
    target = file.unit.nodes[demand.operand]
    above = file.unit.parent(node.site)
    if not isinstance(target, ir.Name):
        return None
    if demand.api == "del":
        found = _deleted(file, node, above)
    elif isinstance(node, ir.Call) and isinstance(above, ir.Evaluate):
        found = _assigned(demand, file, node)
    else:
        return None
    if found is None or above is None:
        return None
    text, imports = found
    written = f"{target.id} = {text}"
    return Fix(f"bind `{target.id}` to the changed array", (file.replace(above.site, written),), Applicability.DISPLAY, imports)


def _deleted(file: File, node: ir.Node, above: Optional[ir.Node]) -> Optional[tuple[str, frozenset[ImportRequest]]]:
    if not isinstance(above, ir.Delete) or len(above.targets) != 1 or not isinstance(node, ir.Subscript):
        return None
    if isinstance(node.index, (ir.Slice, ir.Sequence)):
        return None
    delete, imports = file.api("jax.numpy.delete")
    return f"{delete}({file.code(node.value.site)}, {operands.argument(file, node.index.site)})", imports


def _assigned(demand: Demand, file: File, call: ir.Call) -> Optional[tuple[str, frozenset[ImportRequest]]]:
    """The call of the function of `jax.numpy` that returns what this one writes."""
    head, _, name = str(demand.api).rpartition(".")
    if name == "at":
        return _updated(file, call, _UPDATES.get(head.rpartition(".")[2]))
    functional = demand.parameter != "out"
    counterpart = f"jax.{demand.api}"
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


def _updated(file: File, call: ir.Call, method: Optional[str]) -> Optional[tuple[str, frozenset[ImportRequest]]]:
    if method is None or len(call.args) != 3 or call.keywords or any(isinstance(a, ir.Starred) for a in call.args):
        return None
    array, index, value = call.args
    return f"{file.code(array.site)}.at[{file.code(index.site)}].{method}({operands.argument(file, value.site)})", frozenset()
