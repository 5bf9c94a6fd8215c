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
from jaxlint.rewrite.draft import Draft, using
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, only, or_none, require
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX301",
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
    api = hazard.api or ""
    code = file.called(hazard.site, api)
    return code if code.endswith(api.rpartition(".")[2]) else api


@or_none
def _of_function(hazard: NumpyOnTracer | TracerStoredInNumpyArray, file: File) -> Fix | None:
    call, api = expect(ir.Call, file.unit.nodes[hazard.site]), hazard.api or ""
    name = counterpart(file, call, api)
    if name is None:
        return _clipped(file, call, api) or _with_arrays(file, call, api) or _handed_on(file, call, api)
    safe = runs_only_traced(hazard, file) or is_bit_exact(file, call, api)
    return using(file, call.func.site, name, JAX_ARRAY, Applicability.SAFE if safe else Applicability.UNSAFE)


@or_none
def _clipped(file: File, call: ir.Call, api: str) -> Fix:
    """`np.clip(x, a_min=…, a_max=…)`, whose bounds have other names in `jnp`: both go by position."""
    draft = Draft(file)
    require(api == "numpy.clip" and len(call.args) == 1 and file.is_api(call.func.site, api))
    require([keyword.name for keyword in call.keywords] == ["a_min", "a_max"])
    spelled = draft.use(call.func.site, "jax.numpy.clip")
    for each in call.keywords:
        draft.replace(each.site, operands.argument(file, each.value.site))
    return draft.fix(f"Use `{spelled}`", JAX_ARRAY)


@or_none
def _with_arrays(file: File, call: ir.Call, api: str) -> Fix:
    """The function of JAX, with a list of arrays as an array where JAX refuses the list."""
    name, last, draft = f"jax.{api}", api.rpartition(".")[2], Draft(file)
    found = known(knowledge.facts(name))
    require(not found.decides and found.result == "array" and call.args and file.is_api(call.func.site, api))
    require(all(keyword.name in ("axis", "keepdims") for keyword in call.keywords))
    parts: Sequence[ir.Expression] = call.args[:1]
    if last in ("concatenate", "stack", "hstack", "vstack"):
        parts = parts[0].elements if isinstance(parts[0], ir.Sequence) else ()
    lists = [part for part in parts if isinstance(part, ir.Sequence) and part.kind == "list"]
    others = (*(each for listed in lists for each in listed.elements), *call.args[1:])
    require(lists and not any(isinstance(each, (ir.Sequence, ir.Starred)) for each in others))
    spelled = draft.use(call.func.site, name)
    for each in lists:
        draft.replace(each.site, draft.call("jax.numpy.array", file.code(each.site)))
    return draft.fix(f"Use `{spelled}`, with an array for the list", JAX_ARRAY)


@or_none
def _handed_on(file: File, call: ir.Call, api: str) -> Fix:
    """`map(np.sin, xs)`: the function that is handed on."""
    function = only(arg for arg in call.args if isinstance(arg, (ir.Name, ir.Attribute)) and file.is_api(arg.site, api))
    found = known(knowledge.facts(f"jax.{api}"))
    require(not found.decides and not found.static and found.result == "array")
    require(file.is_api(call.func.site, "builtins.map"))
    return using(file, function.site, f"jax.{api}", JAX_ARRAY)


@or_none
def _of_method(hazard: NumpyOnTracer | TracerStoredInNumpyArray, file: File) -> Fix:
    call, method, draft = file.unit.nodes[hazard.site], (hazard.api or "")[len(_METHOD) :], Draft(file)
    function = expect(ir.Attribute, expect(ir.Call, call).func)
    require(function.attr == method and not call.keywords)
    require(method not in _IN_PLACE and knowledge.method(method) is not None)
    code = draft.call("jax.numpy.asarray", operands.argument(file, function.value.site))
    draft.replace_whole(function.value.site, code)
    return draft.fix(f"Use `{code}.{method}`", JAX_ARRAY)
