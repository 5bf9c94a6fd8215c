"""Callback without a `vmap_method` or a derivative, or with an unused result.

## What it does
Reports `jax.pure_callback` without `vmap_method=` where an argument is mapped by `jax.vmap`, or with a method
that does not exist; `io_callback(…, ordered=True)` with such an argument; `jax.pure_callback` and `io_callback` with an
argument that `jax.grad`, `jax.jvp` or another derivative differentiates, outside of a `custom_jvp` or `custom_vjp`; and
`jax.pure_callback` in compiled code as a statement, whose result nothing uses.

## Why is this bad
Since jax 0.6.0 JAX does not guess whether the function on the host takes one element or all of them, and raises
`NotImplementedError`. Ordered callbacks have no order under `vmap`: `ValueError`. Of a function on the host JAX knows no
derivative: `ValueError`, even where the result does not depend on it. A pure callback is there for its
result; where that is not used, the compiled program leaves the call out, and what the function writes or prints never
happens.

## Example
```python
jax.vmap(lambda x: jax.pure_callback(host_fn, shape, x))(xs)
```

## Use instead
```python
jax.vmap(lambda x: jax.pure_callback(host_fn, shape, x, vmap_method="sequential"))(xs)
```

`vmap_method="expand_dims"` or `"broadcast_all"` calls the function once, with the arrays of all elements; for
functions that NumPy broadcasts that is faster. For effects there are `jax.debug.callback` and `io_callback`.

## When to ignore
Never for those that raise. A discarded `pure_callback` may be left from an experiment: it does nothing.

## Fix safety
Unsafe. The fix says `vmap_method="sequential"`, one call for each element, which may be slow where one call would do;
it is written where all releases that the project supports have the parameter (0.4.35). `ordered=True` is left out:
nothing says any more which element comes first. A `pure_callback` whose result nothing uses becomes a
`jax.debug.callback`. The older parameter `vectorized=` is a matter of JAX803.

## References
- JAX documentation, "External callbacks": https://docs.jax.dev/en/latest/external-callbacks.html
- jax.pure_callback: https://docs.jax.dev/en/latest/_autosummary/jax.pure_callback.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.mapped_callbacks import PureCallbackUnderVmap
from jaxlint.analysis.domain.values import FunctionValue
from jaxlint.analysis.transforms.tangents import UndifferentiableCallback
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import value_of
from jaxlint.rewrite.requirements import expect, is_plain, known, only, or_none, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX705",
    category=Category.FAILS,
    hazards=(PureCallbackUnderVmap, UndifferentiableCallback),
    error="NotImplementedError",
    fixable="unsafe",
)


def check(hazard: PureCallbackUnderVmap | UndifferentiableCallback, file: File) -> Iterator[Finding]:
    called = str(hazard.api).rpartition(".")[2]
    operand = file.code(hazard.operand, 40)
    fix = None
    if type(hazard) is UndifferentiableCallback:
        by = hazard.transform.rpartition(".")[2]
        yield Finding(
            hazard.site,
            f"`{by}` of `{operand}` through non-differentiable `{called}`",
            "Wrap it in a function with `jax.custom_jvp` or `jax.custom_vjp`, or apply `jax.lax.stop_gradient` to the argument.",
            also=((f"`{by}` differentiates here", hazard.call),),
        )
        return
    assert type(hazard) is PureCallbackUnderVmap
    if hazard.reason == "method":
        message = f"`vmap` over `{operand}` in `{called}` without `vmap_method`"
        advice = 'Pass `vmap_method="sequential"` for one call per element, or `"expand_dims"` for one call with all elements.'
        fix = _sequential(hazard, file) if hazard.writable else None
    elif hazard.reason == "ordered":
        message = f"`vmap` over `{operand}` in an ordered callback"
        advice = "Remove `ordered=True`, or move the callback out of the mapped function."
        fix = _unordered(hazard, file)
    elif hazard.reason == "unused":
        message = f"Unused result of `{called}`; compiled code drops the call"
        advice = "Use `jax.debug.callback` for side effects, or `io_callback` if the call must not be dropped."
        fix = _for_its_effect(hazard, file)
    else:
        message = f"Invalid `vmap_method` `{operand}` of `{called}`"
        advice = "Use `sequential`, `sequential_unrolled`, `expand_dims`, `broadcast_all` or `legacy_vectorized`."
        fix = _sequential(hazard, file)
    yield Finding(hazard.site, message, advice, fix)


_ANY_ORDER = "the order of elements is unspecified"


@or_none
def _sequential(hazard: PureCallbackUnderVmap, file: File) -> Fix:
    call, draft = expect(ir.Call, file.unit.nodes[hazard.site]), Draft(file)
    require(call.args)
    given = value_of(call, "vmap_method")
    if given is not None:
        draft.replace(given.site, '"sequential"')
    else:
        last = call.keywords[-1].value if call.keywords else call.args[-1]
        draft.insert(file.outer_span(last.site)[1], ', vmap_method="sequential"')
    return draft.fix('Write `vmap_method="sequential"`', "the function is called once for each element")


@or_none
def _unordered(hazard: PureCallbackUnderVmap, file: File) -> Fix:
    call, draft = expect(ir.Call, file.unit.nodes[hazard.site]), Draft(file)
    draft.remove_argument(known(next((each for each in call.keywords if each.name == "ordered"), None)))
    return draft.fix("Leave `ordered` out", _ANY_ORDER)


@or_none
def _for_its_effect(hazard: PureCallbackUnderVmap, file: File) -> Fix:
    """`jax.debug.callback` with the function and its arguments, less the shape of a result that is not used.

    Where the function takes that as well, the shape was forgotten.
    """
    call, draft = expect(ir.Call, file.unit.nodes[hazard.site]), Draft(file)
    require(type(file.unit.parent(call.site)) is ir.Evaluate and len(call.args) > 1 and is_plain(call.args[:2]))
    ours = [each for each in call.keywords if each.name in (None, "vmap_method", "vectorized", "sharding", "ordered")]
    require(all(each.name == "vmap_method" for each in ours))
    takes = _takes(file, call)
    require(takes is None or takes & {len(call.args) - 2, len(call.args) - 1})
    shape = [call.args[1]] if takes is None or len(call.args) - 2 in takes else []
    name = draft.use(call.func.site, "jax.debug.callback")
    for each in (*shape, *ours):
        draft.remove_argument(each)
    return draft.fix(f"Call the function for its effect, with `{name}`", _ANY_ORDER)


@or_none
def _takes(file: File, call: ir.Call) -> set[int]:
    """How many arguments by position the function on the host takes; None where that is not known, or where others are passed."""
    function = only({each.function for each in file.values(call.args[0].site) if type(each) is FunctionValue})
    require(all(each.name in (None, "vmap_method") for each in call.keywords) and is_plain(call.args))
    by_position = [each for each in function.parameters if each.kind in ("positional-only", "ordinary")]
    require(all(each.kind != "star" for each in function.parameters))
    required = sum(each.default is None for each in by_position)
    return set(range(required, len(by_position) + 1))
