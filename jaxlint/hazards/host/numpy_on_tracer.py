"""NumPy or SciPy function on a traced value.

## What it does
Reports calls of NumPy and SciPy functions, and of methods of NumPy arrays, that convert a traced argument
to a NumPy array, and assignments that store a traced value in a NumPy array. Also functions of `scipy.optimize` and
`scipy.integrate` that call a function which returns a tracer: one that reads a traced variable from outside.

## Why is this bad
NumPy works on values, and a tracer has none: the conversion raises `TracerArrayConversionError`. Functions
that only ask for the shape, and those that call a method of their argument (`np.sum`, `np.reshape`), work.
A few compute with what they are given before they convert it (`np.arange`, `np.eye`, `np.random.seed`): in code
that `jax.jit` or `lax.scan` traces they fail with any array of JAX, one from outside the function, too.

## Example
```python
@jax.jit
def wave(x):
    return np.sin(x)
```

## Use instead
```python
@jax.jit
def wave(x):
    return jnp.sin(x)
```

## When to ignore
Never: the call cannot run as long as its argument is traced.

## Fix safety
The fix calls the function of the same name in `jax.numpy` or `jax.scipy` and adds the import. It is unsafe
as a rule: outside the transform results can differ in the last bit, integers become float32 instead of
float64, and the result is an immutable jax array. It is safe where the code can never run without the
transform (the function is decorated with `jax.vmap` or `jax.grad`, or a lambda handed to it), and where
results are known to be equal bit by bit, the arguments are jax arrays of one known dtype or Python
numbers, and the result goes into another jax function.
A list of arrays where JAX wants an array is wrapped in `jnp.array`, and an array that `np.zeros` makes to be
filled with traced values is made by `jnp.zeros` and updated with `.at[…]`, both unsafe.
There is no fix where JAX has no such function, where it lacks the parameter (`out=`, `where=`, `kind=`),
or where it would fail on a tracer as well (`np.unique`).
In a module that other files call with tracers, the fix is what suits all of these calls.

## References
- JAX documentation, "Errors": `TracerArrayConversionError` (https://docs.jax.dev/en/latest/errors.html)
- JAX documentation, `jax.numpy` (https://docs.jax.dev/en/latest/jax.numpy.html)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jaxlint import knowledge
from jaxlint.analysis.domain.hazards import NumpyOnTracer, TracerStoredInNumpyArray
from jaxlint.analysis.domain.values import CONCRETE, Array, FunctionValue
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite import operands
from jaxlint.rewrite.arrays.item_updates import made_by_jax
from jaxlint.rewrite.arrays.jax_counterpart import counterpart, is_bit_exact, runs_only_traced
from jaxlint.rewrite.changes import JAX_ARRAY
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX301",
    name="numpy-on-tracer",
    summary="NumPy or SciPy function on a traced value.",
    category=Category.FAILS,
    hazards=(NumpyOnTracer, TracerStoredInNumpyArray),
    error="TracerArrayConversionError",
    fixable="safe",
)

_METHOD = "numpy.ndarray."
# What is to be known of a function in another file than the one that traces it.
_IN_PLACE = ("fill", "put", "itemset", "partition", "resize", "setfield", "sort")


def check(hazard: NumpyOnTracer | TracerStoredInNumpyArray, file: File) -> Iterator[Finding]:
    operand = file.code(hazard.operand, 40)
    if type(hazard) is TracerStoredInNumpyArray:
        target = file.code(hazard.site, 40)
        yield Finding(
            hazard.site,
            f"Traced value `{operand}` stored in NumPy array element `{target}`",
            help="Create the array with `jnp`, and update it with `.at[…].set(…)`.",
            fix=made_by_jax(file, file.unit.nodes[hazard.site]),
        )
        return
    api = hazard.api or ""
    shown = f"NumPy method `.{api[len(_METHOD) :]}`" if api.startswith(_METHOD) else f"`{_called(file, hazard)}`"
    said = f"on traced value `{operand}`" if hazard.operand != hazard.site else "on a traced value"
    if type(hazard.value) is Array and hazard.value.mode == CONCRETE:
        said = f"on JAX array `{operand}`, whose operations are traced here"
    if any(type(value) is FunctionValue for value in file.values(hazard.operand)):
        yield Finding(
            hazard.site,
            f"{shown} on traced results of `{operand}`",
            help="Compute it with functions of `jnp` and `jax.lax`, outside the traced function, or on the host with"
            " `jax.pure_callback`.",
        )
        return
    fix = _of_method(hazard, file) if api.startswith(_METHOD) else _of_function(hazard, file)
    yield Finding(
        hazard.site,
        f"{shown} {said}",
        help=f"{fix.title}, which works on tracers."
        if fix is not None
        else "Compute it with functions of `jnp`, outside the traced function, or on the host with `jax.pure_callback`.",
        fix=fix,
    )


def _called(file: File, hazard: NumpyOnTracer | TracerStoredInNumpyArray) -> str:
    """The function as the user wrote it, where it stands there: `map(np.sin, xs)` calls it too."""
    call, api = file.unit.nodes[hazard.site], hazard.api or ""
    code = file.code(call.func.site, 40) if isinstance(call, ir.Call) else ""
    return code if code.endswith(api.rpartition(".")[2]) else api


def _of_function(hazard: NumpyOnTracer | TracerStoredInNumpyArray, file: File) -> Fix | None:
    call, api = file.unit.nodes[hazard.site], hazard.api or ""
    if not isinstance(call, ir.Call):
        return None
    name = counterpart(file, call, api)
    if name is None:
        return _clipped(file, call, api) or _with_arrays(file, call, api) or _handed_on(file, call, api)
    spelled, imports = file.api(name)
    safe = runs_only_traced(hazard, file) or is_bit_exact(file, call, api)
    return Fix(
        f"Use `{spelled}`",
        (file.replace(call.func.site, spelled),),
        Applicability.SAFE if safe else Applicability.UNSAFE,
        imports,
        JAX_ARRAY,
    )


def _clipped(file: File, call: ir.Call, api: str) -> Fix | None:
    """`np.clip(x, a_min=…, a_max=…)`, whose bounds have other names in `jnp`: both go by position."""
    named = {keyword.name: keyword for keyword in call.keywords}
    if (
        api != "numpy.clip"
        or len(call.args) != 1
        or list(named) != ["a_min", "a_max"]
        or not file.is_api(call.func.site, api)
    ):
        return None
    spelled, imports = file.api("jax.numpy.clip")
    edits = [file.replace(call.func.site, spelled)]
    edits += [file.replace(each.site, operands.argument(file, each.value.site)) for each in call.keywords]
    return Fix(f"Use `{spelled}`", tuple(edits), imports=imports, changes=JAX_ARRAY)


def _with_arrays(file: File, call: ir.Call, api: str) -> Fix | None:
    """The function of JAX, with a list of arrays as an array where JAX refuses the list."""
    name, last = f"jax.{api}", api.rpartition(".")[2]
    found = knowledge.facts(name)
    if (
        found is None
        or found.decides
        or found.result != "array"
        or not call.args
        or not file.is_api(call.func.site, api)
    ):
        return None
    if any(keyword.name not in ("axis", "keepdims") for keyword in call.keywords):
        return None
    parts: Sequence[ir.Expression] = call.args[:1]
    if last in ("concatenate", "stack", "hstack", "vstack"):
        parts = parts[0].elements if isinstance(parts[0], ir.Sequence) else ()
    lists = [part for part in parts if isinstance(part, ir.Sequence) and part.kind == "list"]
    if not lists or any(isinstance(e, (ir.Sequence, ir.Starred)) for each in lists for e in each.elements):
        return None
    if any(isinstance(each, (ir.Sequence, ir.Starred)) for each in call.args[1:]):
        return None
    array, more = file.api("jax.numpy.array")
    spelled, imports = file.api(name)
    edits = [file.replace(call.func.site, spelled)]
    edits += [file.replace(each.site, f"{array}({file.code(each.site)})") for each in lists]
    title = f"Use `{spelled}`, with an array for the list"
    return Fix(title, tuple(edits), imports=imports | more, changes=JAX_ARRAY)


def _handed_on(file: File, call: ir.Call, api: str) -> Fix | None:
    """`map(np.sin, xs)`: the function that is handed on."""
    functions = [arg for arg in call.args if isinstance(arg, (ir.Name, ir.Attribute)) and file.is_api(arg.site, api)]
    found = knowledge.facts(f"jax.{api}")
    if len(functions) != 1 or found is None or found.decides or found.static or found.result != "array":
        return None
    if not file.is_api(call.func.site, "builtins.map"):
        return None
    spelled, imports = file.api(f"jax.{api}")
    edit = file.replace(functions[0].site, spelled)
    return Fix(f"Use `{spelled}`", (edit,), imports=imports, changes=JAX_ARRAY)


def _of_method(hazard: NumpyOnTracer | TracerStoredInNumpyArray, file: File) -> Fix | None:
    call, method = file.unit.nodes[hazard.site], (hazard.api or "")[len(_METHOD) :]
    if not isinstance(call, ir.Call) or not isinstance(call.func, ir.Attribute) or call.func.attr != method:
        return None
    if method in _IN_PLACE or knowledge.method(method) is None or call.keywords:
        return None
    asarray, imports = file.api("jax.numpy.asarray")
    receiver = call.func.value.site
    code = f"{asarray}({operands.argument(file, receiver)})"
    start, end = file.outer_span(receiver)
    edit = type(file.replace(receiver, code))(start, end, code)
    return Fix(f"Use `{code}.{method}`", (edit,), imports=imports, changes=JAX_ARRAY)
