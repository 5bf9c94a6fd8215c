"""Lossy write: into an array of a narrower dtype, or over another write.

## What it does
Reports `.at[…].set`, `add`, `subtract`, `multiply`, `min` and `max` where array and value have dtypes that are
known, and the one they have in common is not that of the array: a float into an array of integers, any
number into one of booleans, a float32 array into one of float16. A Python number takes the dtype of the array
where it can, and is then fine. Also `x.at[i].set(x[i] + v)` with several indices that were computed of data (`jnp.floor`,
`jnp.searchsorted`, `jnp.argmax`, `jax.random.randint`), of which two may be equal, and `zeros.at[i].set(v)` beside
`zeros.at[i].add(w)`, which says that some are.

## Why is this bad
JAX computes in the common dtype and casts the whole array back. The value is truncated, and elements that
nobody wrote to change as well: an int32 above 2²⁴ comes back rounded from float32. JAX gives a `FutureWarning`
that this will be an error. Of the sums that are set at one index a single one stays, and the others are lost.

## Example
```python
ids = jnp.array([16777217, 5])
ids = ids.at[1].set(0.5)  # [16777216, 0]
```

## Use instead
```python
ids = jnp.array([16777217, 5])
ids = ids.at[1].set(0)
```

## When to ignore
Never: cast the value, and say so, where truncating is wanted.

## Fix safety
Unsafe for `set`: the value is cast to the dtype of the array before it is written, which gives the same elements as
today without touching the others; a float is truncated. What `add`, `multiply` and the others compute with would be
lost, so the array is converted instead, and that is only shown: its dtype changes. It is converted for NaN and infinities
too, which no integer stands for. A sum that is set becomes `add`.

## References
- JAX documentation, `jax.numpy.ndarray.at`: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html
- JAX documentation, "Type promotion semantics": https://docs.jax.dev/en/latest/type_promotion.html
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from jaxlint.analysis.checkers.scatters import LossyScatter, RepeatedScatter
from jaxlint.analysis.domain.values import Const, is_small, is_whole
from jaxlint.analysis.transforms.carries import with_article
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.arrays import array_names
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument, operand
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix

RULE = Rule(
    code="JAX319",
    category=Category.WRONG,
    hazards=(LossyScatter, RepeatedScatter),
    error="FutureWarning",
    fixable="unsafe",
)


def check(hazard: LossyScatter | RepeatedScatter, file: File) -> Iterator[Finding]:
    if isinstance(hazard, RepeatedScatter):
        index = file.code(hazard.operand, 40)
        yield Finding(
            hazard.site,
            f"Writes lost where indices `{index}` repeat",
            f"Use `.at[{index}].{hazard.api}(…)`, which combines all of them.",
            _combined(hazard, file),
            (("added up at the same indices", hazard.counted),) if hazard.counted is not None else (),
        )
        return
    value = file.code(hazard.operand, 40)
    message = f"Lossy `.at[…].{hazard.api}` of {hazard.written} value `{value}` into {hazard.array} array"
    help = f"{_cure(hazard, file)}, or use an array of {hazard.common}."
    if _is_not_finite(hazard, file):
        help = f"Use an array of {hazard.common}: no integer stands for it."
    yield Finding(hazard.site, message, help, _fix(hazard, file))


@or_none
def _combined(hazard: RepeatedScatter, file: File) -> Fix:
    """`.at[i].add(v)` for `.at[i].set(x[i] + v)`, where the sum is written out."""
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    require(len(call.args) == 1 and not call.keywords)
    start, added = file.span(expect(ir.Attribute, call.func).value.site)[1], call.args[0]
    if hazard.counted is None:
        total = expect(ir.Binary, added)
        require(isinstance(total.left, ir.Subscript))
        added = total.right
    edit = Edit(start, file.span(call.site)[1], f".{hazard.api}({argument(file, added.site)})")
    return Fix(f"Use `{hazard.api}`", (edit,), changes="values at equal indices are combined")


_LOSES = "it loses what the array cannot hold, as it does now"


@or_none
def _fix(hazard: LossyScatter, file: File) -> Fix:
    array, draft = known(array_names.updated(file.unit.nodes[hazard.site])), Draft(file)
    require(hazard.operand != hazard.site)
    no_number = _is_not_finite(hazard, file)
    if hazard.api != "set" or no_number:
        common = draft.api(f"jax.numpy.{hazard.common}")
        draft.replace_whole(array.site, f"{operand(file, array.site)}.astype({common})")
        level = Applicability.UNSAFE if no_number else Applicability.DISPLAY
        return draft.fix(f"Compute with an array of {hazard.common}", "the result has another dtype", level)
    number = _number(file.unit.nodes[hazard.operand], hazard)
    if number is not None:
        draft.replace(hazard.operand, number)
        return draft.fix(f"Write `{number}`", _LOSES)
    dtype = f"{file.code(array.site)}.dtype" if isinstance(array, ir.Name) else _spelled(hazard.array)
    cast = draft.call("jax.numpy.asarray", argument(file, hazard.operand), dtype)
    draft.replace_whole(hazard.operand, cast)
    return draft.fix(f"Cast the value to {hazard.array}", _LOSES)


def _is_not_finite(hazard: LossyScatter, file: File) -> bool:
    """Whether NaN or an infinity is written into an array of integers."""
    if "int" not in hazard.array:
        return False
    node = file.unit.nodes[hazard.operand]
    node = node.operand if isinstance(node, ir.Unary) else node
    constants = [value.value for value in file.values(node.site) if isinstance(value, Const)]
    named = isinstance(node, ir.Attribute) and node.attr in ("nan", "inf")
    return named or any(isinstance(value, float) and not math.isfinite(value) for value in constants)


def _number(node: ir.Node, hazard: LossyScatter) -> str | None:
    """The number of a literal as the array can hold it."""
    if not isinstance(node, ir.Constant) or type(node.value) not in (int, float):
        return None
    if hazard.array == "bool":
        return str(bool(node.value))
    return str(int(node.value)) if "int" in hazard.array and abs(node.value) < 2**31 else None


def _cure(hazard: LossyScatter, file: File) -> str:
    node = file.unit.nodes[hazard.operand]
    if isinstance(node, ir.Constant) and isinstance(node.value, (int, float)):
        if not is_whole(node.value) or not is_small(node.value):
            return f"Write {with_article(hazard.array)}"
        number = bool(node.value) if hazard.array == "bool" else int(node.value)
        return f"Write `{number}`" if number == node.value else f"Write {with_article(hazard.array)}"
    return f"Cast the value with `.astype({_spelled(hazard.array)})`"


def _spelled(dtype: str) -> str:
    return "bool" if dtype == "bool" else f"jnp.{dtype}"
