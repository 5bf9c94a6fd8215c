"""Static value computed with `jnp` in traced code.

## What it does
Reports places that need a Python value, a size, an index, a bound or a condition, and get the result
of a `jax.numpy` function of nothing but static values: `int(jnp.sqrt(x.shape[0]))`,
`x.reshape(jnp.prod(jnp.array(x.shape)))`, `jnp.zeros(jnp.maximum(n, 2))`, `if jnp.any(jnp.isnan(2.0))`.

## Why is this bad
Inside traced code every `jax.numpy` operation is part of the program that is being built, also when
all of its operands are plain numbers. Its result is a tracer, and needing its value raises
ConcretizationTypeError or one of its kin. OutOfBoundsIndex of `jax.jit` the same line works.

## Example
```python
@jax.jit
def tiled(x):
    side = int(jnp.sqrt(x.shape[0]))
    return x.reshape(side, side)
```

## Use instead
NumPy and `math` compute while the function is traced:

```python
@jax.jit
def tiled(x):
    side = int(np.sqrt(x.shape[0]))
    return x.reshape(side, side)
```

## When to ignore
Never: the line fails whenever it is traced. `with jax.ensure_compile_time_eval():` around it is the
other way to have it computed at once.

## Fix safety
Unsafe: NumPy computes in double precision, and JAX in single, so that a result that is rounded may
differ in the last place. Names that hold the value become NumPy values everywhere. `jnp.floor` and `jnp.ceil` of a
quotient become `//` where an integer is needed. `jnp.max` of two arrays becomes `jnp.maximum`.

## References
- JAX documentation, "Thinking in JAX", JIT mechanics: static vs traced operations:
  https://docs.jax.dev/en/latest/notebooks/thinking_in_jax.html
- JAX documentation, "Errors": `ConcretizationTypeError` (https://docs.jax.dev/en/latest/errors.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import (
    BooleanOperatorOnTracer,
    BranchOnTracer,
    BuiltinReductionOnTracer,
    ContainerIndexedByTracer,
    FormatOfTracer,
    Hazard,
    PythonCastOnTracer,
    RangeOverTracer,
    ShapeFromTracer,
    TracedSliceBound,
    TracedStaticParameter,
)
from jaxlint.analysis.domain.values import Api, Array
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import resolved
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import beside
from jaxlint.rewrite.requirements import expect, known, only, or_none, require
from jaxlint.rewrite.static_args.known_argument import of_two_arrays
from jaxlint.source.diagnostic import Category, Edit, Fix

RULE = Rule(
    code="JAX211",
    category=Category.FAILS,
    hazards=(
        PythonCastOnTracer, BranchOnTracer, BooleanOperatorOnTracer, BuiltinReductionOnTracer, RangeOverTracer, TracedStaticParameter, ShapeFromTracer,
        ContainerIndexedByTracer, FormatOfTracer, TracedSliceBound,
    ),
    error="ConcretizationTypeError",
    fixable="unsafe",
    supersedes=(
        "JAX102", "JAX103", "JAX105", "JAX106", "JAX107", "JAX108", "JAX109", "JAX110", "JAX201", "JAX205",
        "JAX206",
    ),
)  # fmt: skip

_GIVE_FLOATS = frozenset(
    "sqrt cbrt exp exp2 expm1 log log2 log10 log1p ceil floor rint trunc divide true_divide mean linspace sin cos tan"
    " float32 float16 float_power hypot".split()
)
# What NumPy has under the same name with the same meaning.
_SAME = _GIVE_FLOATS | frozenset(
    "abs absolute add all amax amin any arange argmax argmin argsort array array_equal asarray broadcast_shapes clip"
    " concatenate cumprod cumsum equal eye floor_divide full gcd greater greater_equal int32 int8 int16 uint8 uint32"
    " isclose allclose isfinite isinf isnan lcm less less_equal logical_and logical_not logical_or max maximum min"
    " minimum mod multiply negative not_equal ones power prod remainder round sign sort square stack subtract sum"
    " zeros".split()
)
_INDICES = (RangeOverTracer, TracedStaticParameter, ShapeFromTracer, ContainerIndexedByTracer, TracedSliceBound)


def check(hazard: Hazard, file: File) -> Iterator[Finding]:
    if not (isinstance(hazard.value, Array) and hazard.value.needless):
        return
    operand, elementwise = file.code(hazard.operand, 40), of_two_arrays(hazard, file)
    help = f"Compute `{operand}` with NumPy or `math` instead of `jnp`."
    yield Finding(
        hazard.site,
        f"Static value computed with `jnp` is traced: `{operand}`",
        help=help if elementwise is None else f"{elementwise.title}, which takes two arrays.",
        fix=elementwise or _fix(hazard, file),
    )


@or_none
def _fix(hazard: Hazard, file: File) -> Fix:
    """The computation written with NumPy, where it stands and where the names in it are bound."""
    whole = _whole_quotient(file, file.unit.nodes[hazard.operand])
    if whole is not None and type(hazard) in _INDICES:
        edit = Edit(*file.outer_span(hazard.operand), whole)
        return Fix("Divide with `//`", (edit,), changes="it is an integer where `jnp` gives a float")
    draft, pending, seen, floats = Draft(file), [file.unit.nodes[hazard.operand]], set[int](), False
    while pending:
        root = pending.pop()
        if root.site in seen:
            continue
        seen.add(root.site)
        for node in ir.walk([root], into_scopes=False):
            values = file.values(node.site) if isinstance(node, (ir.Name, ir.Attribute)) else []
            names = {value.name if type(value) is Api else "" for value in values}
            if any(name.startswith("jax.numpy.") for name in names):
                last = only(names).rpartition(".")[2]
                require(last in _SAME)
                floats |= last in _GIVE_FLOATS
                draft.use(node.site, f"numpy.{last}")
            elif isinstance(node, ir.Name) and any(type(value) is Array for value in values):
                bound = resolved(file.unit, node)
                require(bound is not node)
                pending.append(bound)
    require(draft.edits and not (floats and type(hazard) in _INDICES))
    draft.edits = list(dict.fromkeys(draft.edits))  # what two names are bound to
    return draft.fix("Compute it with NumPy while tracing", "NumPy computes in 64 bits")


@or_none
def _whole_quotient(file: File, node: ir.Node) -> str:
    """`jnp.floor(a / b)` as `a // b`, `jnp.ceil(a / b)` as `-(-a // b)`."""
    call = expect(ir.Call, node)
    require(len(call.args) == 1 and not call.keywords)
    quotient = expect(ir.Binary, call.args[0])
    name = only({value.name if type(value) is Api else "" for value in file.values(call.func.site)})
    require(quotient.op == "/")
    left, right = (beside(file, each.site) for each in (quotient.left, quotient.right))
    alone = isinstance(file.unit.parent(node.site), (ir.Call, ir.Keyword, ir.Sequence, ir.Statement))
    text = known({"jax.numpy.floor": f"{left} // {right}", "jax.numpy.ceil": f"-(-{left} // {right})"}.get(name))
    return text if alone else f"({text})"
