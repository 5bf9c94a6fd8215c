"""Mismatched axes or specs of `vmap`, `pmap` or `shard_map`.

## What it does
Reports `jax.vmap`, `jax.pmap` and `jax.shard_map` where `in_axes` or `in_specs` has more entries than
the function has parameters or another number of entries than the call has arguments; where `out_axes`
or `out_specs` has another number of entries than the function returns; where an argument, or an array in
it, has no such axis, or the mapped axes of two of them differ in size; where a dict of axes has other keys than
the argument; where no argument is mapped at all; and where a result of `shard_map` is said to be the same on all devices, which is
computed of what each has of its own. Arguments that are passed by keyword are mapped over their
first axis, whatever `in_axes` says. Also a dict as `in_axes`, one tuple in place of the arguments, and arrays of `lax.scan` with
different numbers of rows.

## Why is this bad
The call raises a `ValueError`, or a `TypeError` for a dict or a tuple. Its text speaks of pytree prefixes and key paths,
and names the arguments by number only.

## Example
```python
def predict(weights, bias, x):
    return x @ weights + bias


predict_all = jax.vmap(predict, in_axes=(None, 0))
predict_all(weights, bias, xs)
```

## Use instead
```python
def predict(weights, bias, x):
    return x @ weights + bias


predict_all = jax.vmap(predict, in_axes=(None, None, 0))
predict_all(weights, bias, xs)
```

## When to ignore
Never: the call fails.

## Fix safety
Where the arguments leave no choice the fix is unsafe: the entry of a bound `self` goes, a number and what else has no axis
gets None, also as an entry of a dict, entries that say the same as the one before them are left out or repeated, and a list
of specs becomes a tuple. One key is split into one for each element, and a number that is passed by name is bound before
the function is mapped. Otherwise what is displayed has the right length: which argument was forgotten, and which axis holds
the batch, is for you to say. Where nothing is mapped, an array of keys is. Safe: a list of numbers is made an array. Of axes of
different sizes one is changed where the array has the right size along the axis that all others are mapped over, and a
tree gets None whose arrays have other sizes than all other arguments. A map of another file gets None for what is a constant of
the calling module.

## References
- JAX documentation, "Automatic vectorization": https://docs.jax.dev/en/latest/automatic-vectorization.html
- JAX documentation, `jax.vmap`: https://docs.jax.dev/en/latest/_autosummary/jax.vmap.html
- JAX documentation, "Manual parallelism with `shard_map`": https://docs.jax.dev/en/latest/notebooks/shard_map.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.values import Unknown
from jaxlint.analysis.transforms.agreement import VmapAxesMismatch
from jaxlint.analysis.transforms.wrap_and_call import function_name
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.transforms.axes import fitting_axes
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX515",
    category=Category.FAILS,
    hazards=(VmapAxesMismatch,),
    error="ValueError",
    fixable="unsafe",
)


_BY_NAME = (
    "Bind a shared argument with `functools.partial`, or pass it by position; keyword arguments are mapped over their"
    " first axis."
)


def check(hazard: VmapAxesMismatch, file: File) -> Iterator[Finding]:
    function, option = function_name(hazard.function), hazard.parameter
    short = (hazard.api or "").rpartition(".")[2]
    entry = "axis" if option and option.endswith("axes") else "spec"
    takes = (
        f" of {function}: {_listed(hazard.names)}" if hazard.names and not isinstance(hazard.function, Unknown) else ""
    )
    entries = f"`{option}` has {_count(hazard.count, 'entry', 'entries')}"
    path = hazard.path.replace("'", '"')
    is_named = isinstance(file.unit.nodes[hazard.operand], (ir.Name, ir.Attribute))
    operand = path if path and not is_named else file.code(hazard.operand, 40) + path
    advice: str | None
    also: tuple[tuple[str, int], ...] = ()
    if hazard.reason == "more":
        message = f"{entries}, but {function} takes {_count(hazard.expected, 'argument')}"
        advice = f"Pass one {entry} for each argument{takes}."
    elif hazard.reason == "length":
        message = f"{entries}, but the call passes {_count(hazard.expected, 'positional argument')}"
        advice = f"Pass one {entry} for each positional argument{takes}."
    elif hazard.reason == "list":
        message = f"`{option}` is a list, but the arguments form a tuple"
        advice = "Write a tuple of specs."
    elif hazard.reason == "dict":
        message = f"`{option}` of `{short}` is a dict"
        advice = "Write a tuple with one entry for each argument; the entry may be a dict: `in_axes=({…},)`."
    elif hazard.reason == "tuple":
        message = f"Tuple `{operand}` passed to {function}, which takes {_count(hazard.expected, 'argument')}"
        advice = f"Pass them one by one: `{file.code(_called(file, hazard), 40)}(*…)`."
    elif hazard.reason == "none":
        message = f"`{option}` of `{short}` is None for every argument"
        advice = "Set an axis for the batch argument, or pass `axis_size=`."
    elif hazard.reason == "key":
        message = f"`{short}` over single key `{operand}`"
        advice = f"Pass one key for each element: `jax.random.split({operand}, n)`."
    elif hazard.reason == "scalars":
        message = f"`{short}` over {_count(hazard.expected, 'scalar')} in list `{operand}`"
        advice = f"Pass an array: `{file.api('jax.numpy.array')[0]}({operand})`."
    elif hazard.reason == "rank":
        what = f"scalar `{operand}`"
        advice = "Set its entry of `in_axes` to None."
        if hazard.expected:
            what = f"`{operand}` with {_count(hazard.expected, 'dimension')}"
            advice = "Count axes from 0."
        message = f"`{short}` over axis {hazard.count} of {what}"
        if hazard.by_name:
            advice = _BY_NAME
    elif hazard.reason == "sizes":
        message = f"Inconsistent `{short}` axis sizes: `{operand}` has {hazard.expected}, expected {hazard.count}"
        advice = "Pass mapped arguments of one axis size, or set the entry of `in_axes` to None."
        if hazard.by_name:
            advice = _BY_NAME
        elif option == "xs":
            advice = "Scan over arrays that have one number of rows, which is `length`."
    elif hazard.reason == "keys":
        key = hazard.what.replace("'", '"')
        message = (
            f"`{option}` has an entry for `{key}`, which is not in `{operand}`"
            if hazard.count
            else f"`{option}` has no entry for `{key}` of `{operand}`"
        )
        advice = "Pass one axis for the whole argument, or a dict with one axis for each of its keys."
    elif hazard.reason == "replicated":
        message = f"Result of {function} differs between devices, but its spec in `{option}` names no axis"
        advice = "Bring the parts together first, as `jax.lax.pmean(…, axis_name)` does, or name the axis in the spec."
        if hazard.call is not None and hazard.call != hazard.site:
            also = (("called here", hazard.call),)
    elif hazard.reason == "structure":
        parts = "single array" if hazard.expected == 1 else f"{hazard.expected} items of"
        message = f"{entries} for {parts} `{operand}`"
        advice = "Pass one axis for the whole argument, or one for each of its items."
    else:
        returned = hazard.what if hazard.expected == 1 and hazard.what != "a tuple" else f"a tuple of {hazard.expected}"
        message = f"{entries}, but {function} returns {returned}"
        advice = f"Pass one {entry} for each item of the result, or a single one for all."
        if hazard.call is not None and hazard.call != hazard.site:
            also = (("called here", hazard.call),)
    yield Finding(hazard.site, message, advice, fitting_axes(hazard, file), also)


def _called(file: File, hazard: VmapAxesMismatch) -> int:
    call = file.unit.nodes[hazard.site]
    return call.func.site if isinstance(call, ir.Call) else call.site


def _count(number: int, one: str, more: str = "") -> str:
    return f"{number} {one if number == 1 else more or one + 's'}"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)
