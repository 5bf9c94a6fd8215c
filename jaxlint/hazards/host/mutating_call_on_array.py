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
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, or_none, plain_call, require
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX312",
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
    message = f"In-place write by `{file.called(hazard.site, hazard.api)}` to immutable JAX array `{operand}`"
    if hazard.api == "del":
        message = f"Item deletion from immutable JAX array `{operand}`"
    yield Finding(hazard.site, message, help=_help(hazard, operand), fix=_fix(hazard, file))


def _help(hazard: MutatingCallOnArray, operand: str) -> str:
    if hazard.api == "del":
        return f"Bind the remaining elements to the name: `{operand} = jnp.delete({operand}, …)`."
    if hazard.parameter == "out":
        return f"Use the function of `jax.numpy`, and bind its result to `{operand}`."
    return f"Bind the changed array to `{operand}`, or change a copy, `np.array({operand})`."


@or_none
def _fix(hazard: MutatingCallOnArray, file: File) -> Fix:
    node = file.unit.nodes[hazard.site]
    target, above, draft = file.unit.nodes[hazard.operand], known(file.unit.parent(node.site)), Draft(file)
    require(operands.is_path(target, (ir.Constant, ir.Name)))
    if hazard.api == "del":
        text = _deleted(draft, node, above)
    elif isinstance(above, ir.Return):  # nobody sees the buffer after this
        require(hazard.parameter == "out" and expect(ir.Name, target).id in file.unit.scope(node.site).locals)
        draft.replace(node.site, _assigned(hazard, draft, expect(ir.Call, node)))
        return draft.fix("Return the result without a buffer", level=Applicability.DISPLAY)
    else:
        require(isinstance(above, ir.Evaluate))
        text = _assigned(hazard, draft, expect(ir.Call, node))
    name = file.code(target.site)
    draft.replace(above.site, f"{name} = {text}")
    return draft.fix(f"Bind `{name}` to the changed array", level=Applicability.DISPLAY)


def _deleted(draft: Draft, node: ir.Node, above: ir.Node) -> str:
    file, chosen = draft.file, expect(ir.Subscript, node)
    require(len(expect(ir.Delete, above).targets) == 1 and not isinstance(chosen.index, ir.Sequence))
    index = chosen.index
    code = _slice(file, index) if isinstance(index, ir.Slice) else operands.argument(file, index.site)
    return draft.call("jax.numpy.delete", file.code(chosen.value.site), code)


def _slice(file: File, node: ir.Slice) -> str:
    parts = [
        None if part is None else operands.argument(file, part.site) for part in (node.lower, node.upper, node.step)
    ]
    if parts[2] is None:
        parts.pop()
    return f"slice({', '.join(part or 'None' for part in parts)})"


def _assigned(hazard: MutatingCallOnArray, draft: Draft, call: ir.Call) -> str:
    """The call of the function of `jax.numpy` that returns what this one writes."""
    head, _, name = str(hazard.api).rpartition(".")
    if name == "at":
        return _updated(draft.file, call, known(_UPDATES.get(head.rpartition(".")[2])))
    if hazard.api in _OTHERWISE:
        return _otherwise(draft, call, str(hazard.api))
    functional = hazard.parameter != "out"
    counterpart = f"jax.{hazard.api}"
    require(knowledge.known(counterpart) and (not functional or name in _FUNCTIONAL))
    kept = [operands.argument(draft.file, arg.site) for arg in call.args]
    for keyword in call.keywords:
        if known(keyword.name) != "out":
            kept.append(f"{keyword.name}={operands.argument(draft.file, keyword.value.site)}")
    return draft.call(counterpart, *kept, *(["inplace=False"] if functional else []))


def _otherwise(draft: Draft, call: ir.Call, api: str) -> str:
    """The functional form where it is a call of another function."""
    given = [operands.argument(draft.file, each.site) for each in plain_call(call, _OTHERWISE[api]).args]
    if api == "numpy.copyto":
        return draft.call("jax.numpy.full_like", *given)
    if api == "numpy.putmask":
        require(isinstance(call.args[2], ir.Constant))  # several values are repeated, and not spread
        chosen = draft.call("jax.numpy.where", given[1], given[2], given[0])
        return f"{chosen}.astype({operands.operand(draft.file, call.args[0].site)}.dtype)"
    return draft.call("jax.numpy.asarray", draft.call("numpy.random.permutation", given[0]))


def _updated(file: File, call: ir.Call, method: str) -> str:
    array, index, value = plain_call(call, 3).args
    return f"{file.code(array.site)}.at[{file.code(index.site)}].{method}({operands.argument(file, value.site)})"
