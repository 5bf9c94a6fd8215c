"""Built-in `max`, `min`, `sorted`, `any` or `all`, or `bisect` or `heapq`, on traced values.

## What it does
Reports the builtin functions that compare values, or ask for their truth, where these are tracers, and those of `bisect`, `heapq`
and `itertools` that do so (`bisect.bisect(ordered, x)`, `heapq.heappush(heap, x)`, `itertools.takewhile(test, xs)`).
`sum`, `abs`, `round`, `len` and `list` work on tracers and are left alone.

## Why is this bad
`max(a, b)` evaluates `b > a` and takes its truth, `any(x)` takes the truth of each element. A
tracer has none: under `jax.jit`, `jax.vmap` and in `lax` control flow this raises
`TracerBoolConversionError`.

## Example
```python
@jax.jit
def clamp(x):
    return max(x, 0.0)
```

## Use instead
```python
@jax.jit
def clamp(x):
    return jnp.maximum(x, 0.0)
```

## When to ignore
Never: it fails whenever the function is traced with this value.

## Fix safety
The fixes are unsafe: `jnp.maximum` gives NaN where either side is NaN and works element by element,
`jnp.sort` gives an array where `sorted` gives a list, `jnp.any` and `jnp.all` an array where the
builtins give a bool; `jnp.searchsorted` takes the place of `bisect`. `functools.reduce(max, xs)` is given `jnp.maximum`. A call with `key=` has no fix. `default=` becomes `initial=`, which takes part
in the comparison and so is the same only for a bound that no element passes: that fix is displayed.

## References
- JAX documentation, "Errors", TracerBoolConversionError: https://docs.jax.dev/en/latest/errors.html
- jax.numpy.maximum: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.maximum.html
"""

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import BuiltinReductionOnTracer
from jaxlint.analysis.domain.values import Api, Array, Ref, Tuple, Undecided, Unknown
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import ARRAY, NAN
from jaxlint.rewrite.draft import Draft, using
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.requirements import expect, is_plain, known, or_none, plain_call, require
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX106",
    category=Category.FAILS,
    hazards=(BuiltinReductionOnTracer,),
    error="TracerBoolConversionError",
    fixable="unsafe",
)

_ARRAY_FUNCTIONS = {"max": "max", "min": "min", "any": "any", "all": "all", "sorted": "sort"}
_BETWEEN_TWO = {"max": "maximum", "min": "minimum"}
_KEYWORDS = {"default": "initial", "reverse": "descending"}


def check(hazard: BuiltinReductionOnTracer, file: File) -> Iterator[Finding]:
    assert hazard.api is not None
    name = hazard.api.rpartition(".")[2]
    if not hazard.api.startswith("builtins."):
        yield _of_module(hazard, file, name)
        return
    fix = _fix(hazard, file, name)
    jnp = file.api("jax.numpy")[0]
    help = f"Use `{jnp}.{_ARRAY_FUNCTIONS[name]}` for a whole array"
    if name in _BETWEEN_TWO:
        help += f", `{jnp}.{_BETWEEN_TWO[name]}` for two values"
    call = file.unit.nodes[hazard.site]
    if isinstance(call, ir.Call) and any(keyword.name == "key" for keyword in call.keywords):
        help = f"Compute the keys as an array, and index with `{jnp}.arg{_ARRAY_FUNCTIONS[name]}` of it"
    message = f"Built-in `{name}()` on traced value `{file.code(hazard.operand, 40)}`"
    yield Finding(hazard.site, message, help=help + ".", fix=fix)


def _of_module(hazard: BuiltinReductionOnTracer, file: File, name: str) -> Finding:
    """A function of the standard library."""
    assert hazard.api is not None
    module, jnp, fix = hazard.api.partition(".")[0], file.api("jax.numpy")[0], None
    if module == "bisect":
        help = f"Use `{jnp}.searchsorted`, which works on tracers."
        fix = _searched(hazard, file, name)
    elif module == "heapq":
        help = f"Use `jax.lax.top_k` or `{jnp}.sort` of a whole array."
    else:
        help = f"Choose elements of a whole array with `{jnp}.where`."
    code = file.code(hazard.operand, 40)
    return Finding(hazard.site, f"`{hazard.api}()` on traced value `{code}`", help=help, fix=fix)


@or_none
def _searched(hazard: BuiltinReductionOnTracer, file: File, name: str) -> Fix:
    """`jnp.searchsorted` for `bisect.bisect`."""
    call, draft = plain_call(file.unit.nodes[hazard.site], 2), Draft(file)
    require(name.startswith("bisect"))
    ordered, wanted = (argument(file, each.site) for each in call.args)
    function = draft.api("jax.numpy.searchsorted")
    if {type(value) for value in file.values(call.args[0].site)} != {Array}:
        ordered = draft.call("jax.numpy.array", ordered)
    side = "" if name == "bisect_left" else ', side="right"'
    draft.replace(call.site, f"{function}({ordered}, {wanted}{side})")
    return draft.fix(f"Use `{function}`", ARRAY)


@or_none
def _fix(hazard: BuiltinReductionOnTracer, file: File, name: str) -> Fix | None:
    call, draft = file.unit.nodes[hazard.site], Draft(file)
    # `xs.sort()` and `functools.reduce(max, xs)` get here too.
    if not isinstance(call, ir.Call) or not all(
        isinstance(value, Api) and value.name == hazard.api for value in file.values(call.func.site)
    ):
        return _folded(hazard, file, call, name)
    keywords = {keyword.name: keyword.value for keyword in call.keywords}
    require(keywords.keys() <= _KEYWORDS.keys() and is_plain(call.args))
    values = call.args
    if len(values) == 1 and isinstance(values[0], ir.Sequence) and name in _BETWEEN_TWO and not keywords:
        values = tuple(values[0].elements)
    require(is_plain(values))
    if len(values) > 1:
        text = argument(file, values[0].site)
        for each in values[1:]:
            text = draft.call(f"jax.numpy.{_BETWEEN_TWO[name]}", text, argument(file, each.site))
        used, changes = _BETWEEN_TWO[name], NAN
    else:
        array = known(_as_array(draft, values[0]))
        options = [f"{_KEYWORDS[key or '']}={argument(file, value.site)}" for key, value in keywords.items()]
        text = draft.call(f"jax.numpy.{_ARRAY_FUNCTIONS[name]}", array, *options)
        used, changes = _ARRAY_FUNCTIONS[name], ARRAY
        if "default" in keywords:
            changes += ", and `initial` counts as an element"
    draft.replace(call.site, text)
    level = Applicability.DISPLAY if "default" in keywords else Applicability.UNSAFE
    return draft.fix(f"Use `{file.api('jax.numpy')[0]}.{used}`", changes, level)


@or_none
def _folded(hazard: BuiltinReductionOnTracer, file: File, call: ir.Node, name: str) -> Fix:
    """`functools.reduce(max, xs)` with the function of two arrays."""
    folded = expect(ir.Call, call)
    require(folded.args and name in _BETWEEN_TWO)
    function = folded.args[0].site
    require(file.always(function, lambda value: isinstance(value, Api) and value.name == hazard.api))
    return using(file, function, f"jax.numpy.{_BETWEEN_TWO[name]}", NAN)


def _as_array(draft: Draft, node: ir.Node) -> str | None:
    """What to give a function of arrays in place of the only argument."""
    file = draft.file
    kinds = {type(value) for value in file.values(node.site)}
    if Array in kinds and kinds <= {Array, Undecided, Unknown}:
        return argument(file, node.site)
    code = file.code(node.site)
    if isinstance(node, ir.Comprehension) and node.kind == "generator":
        return draft.call("jax.numpy.array", f"[{code.strip()}]")
    if isinstance(node, ir.Sequence) and node.kind != "set" and node.elements:
        elements = ", ".join(argument(file, each.site) for each in node.elements)
        return draft.call("jax.numpy.array", f"[{elements}]")
    return draft.call("jax.numpy.array", code) if kinds and kinds <= {Ref, Tuple} else None
