"""The carry of a loop changes its type, or the branches of a conditional return different ones.

## What it does
Reports `lax.scan`, `lax.while_loop` and `lax.fori_loop` where the body returns the carry with another tree
structure, dtype or shape than it came in with, and `lax.cond` and `lax.switch` where two branches do not return
the same. Both sides must be known. Python numbers count as what JAX makes of them: as a carry they take the
dtype that comes out, in a branch `1` is an int32 and `1.0` a float32.

## Why is this bad
The call raises a `TypeError`: a compiled loop keeps its carry in one place, and a conditional has one result.
The difference may be far from the loop: `jnp.zeros(3, int)` as a start, or a `sum` that loses a dimension.

## Example
```python
def step(total, x):
    return total + x, None


total, _ = jax.lax.scan(step, jnp.int32(0), jnp.arange(3.0))
```

## Use instead
```python
def step(total, x):
    return total + x, None


total, _ = jax.lax.scan(step, jnp.float32(0), jnp.arange(3.0))
```

## When to ignore
Never: the call fails.

## Fix safety
A list that is returned where a tuple goes in becomes a tuple, which is unsafe: the result of the loop has another
type where JAX's control flow is disabled. All else is displayed, because either side may be the one that is
meant: a carry that starts with the dtype or shape it comes out with, a number in one branch made like the array
of the other, the first key of a split as the carry. An array that would grow from an empty one becomes the output
of the scan. A tree is changed where it is written out only.

## References
- JAX documentation, `jax.lax.scan`: https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html
- JAX documentation, `jax.lax.cond`: https://docs.jax.dev/en/latest/_autosummary/jax.lax.cond.html
- JAX documentation, "Control flow and logical operators": https://docs.jax.dev/en/latest/control-flow.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.model import Demand, Kind
from jaxlint.analysis.transforms.carries import Mismatch
from jaxlint.analysis.transforms.wrap_and_call import function_name
from jaxlint.hazards.rule import File, Finding, Rule
from jaxlint.hazards.transforms.grown_carry import collected
from jaxlint.hazards.transforms.matching_trees import matching_trees
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX508",
    name="branch-structure-mismatch",
    summary="A loop's carry comes out with another type than it goes in, or two branches return different types.",
    category=Category.FAILS,
    kinds=(Kind.STRUCTURE,),
    error="TypeError",
    fixable="unsafe",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    wrong: Mismatch = demand.detail
    short = "lax." + (demand.api or "").rpartition(".")[2]
    first = function_name(wrong.first)
    with_shape = "with shape " if wrong.reason == "shape" else ""
    if wrong.second is None:
        where = f"`carry{wrong.path}` of `{short}`" if wrong.path else f"the carry of `{short}`"
        as_ = with_shape or "as "
        message = f"{where} goes into {first} {as_}{wrong.one}, and comes out {as_}{wrong.other}"
        advice = _advice(wrong, first)
    else:
        second = function_name(wrong.second)
        if first == second:
            first, second = "one branch", "another"
        where = f" in `result{wrong.path}`" if wrong.path else ""
        has = "an array of shape " if with_shape else ""
        message = (
            f"the branches of `{short}` differ{where}: {first} returns {has}{wrong.one}, {second} {has}{wrong.other}"
        )
        advice = f"Let both return {wrong.one}, or both {wrong.other}."
        if wrong.reason == "dtype":
            advice = f"Give both one dtype, with `.astype(…)` or `jnp.{wrong.one}(…)`."
        elif wrong.reason == "shape":
            advice = f"Give both shape {wrong.one}, or both {wrong.other}: `jnp.full` makes an array of a number."
    yield Finding(demand.site, message, advice, matching_trees(demand, file) or collected(demand, file))


def _advice(wrong: Mismatch, body: str) -> str:
    if wrong.reason == "dtype":
        return f"Start with {wrong.other}, or let {body} return {wrong.one}: `.astype(…)` says which."
    if wrong.reason == "shape":
        return f"Start with shape {wrong.other}, let {body} return {wrong.one}, or collect what grows as the output of a scan."
    return f"Let {body} return {wrong.one}, as goes in, or start with {wrong.other}."
