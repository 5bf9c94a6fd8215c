"""Mismatched loop carry, branch results or mapped trees.

## What it does
Reports `lax.scan`, `lax.while_loop` and `lax.fori_loop` where the body returns the carry with another tree
structure, dtype or shape than it came in with, and `lax.cond` and `lax.switch` where two branches do not return
the same; and `jax.tree.map` where one of the trees has other keys, lengths or containers than the first. Both
sides must be known. Python numbers count as what JAX makes of them: as a carry they take the
dtype that comes out, in a branch `1` is an int32 and `1.0` a float32.

## Why is this bad
The call raises a `TypeError`: a compiled loop keeps its carry in one place, and a conditional has one result.
`jax.tree.map` raises a `ValueError`. The difference may be far from the loop: `jnp.zeros(3, int)` as a start, or a `sum`
that loses a dimension.

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
Unsafe. A list that is returned where a tuple goes in becomes a tuple: the result of the loop has another type where JAX's
control flow is disabled. A carry starts with the dtype or shape it comes out with, and a number in one branch is made like
the array of the other, or like a parameter of that form: either side may be the one that is meant. A loop's body returns the carry that it binds, and a
branch that returns a tuple the array of its parts where the other one returns an array. A branch that returns fewer variables
returns the last ones as they are where the other branch counts them. The first key of a split as the
carry is displayed, and an array that would grow from an empty one as the output of the scan. A tree is changed where it is
written out only.

## References
- JAX documentation, `jax.lax.scan`: https://docs.jax.dev/en/latest/_autosummary/jax.lax.scan.html
- JAX documentation, `jax.lax.cond`: https://docs.jax.dev/en/latest/_autosummary/jax.lax.cond.html
- JAX documentation, "Control flow and logical operators": https://docs.jax.dev/en/latest/control-flow.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.transforms.carries import BranchStructureMismatch, UnlikeTrees
from jaxlint.analysis.transforms.wrap_and_call import function_name
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.control_flow.matching_trees import collected, matching_entries, matching_trees
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX508",
    category=Category.FAILS,
    hazards=(BranchStructureMismatch, UnlikeTrees),
    error="TypeError",
    fixable="unsafe",
)


def check(hazard: BranchStructureMismatch | UnlikeTrees, file: File) -> Iterator[Finding]:
    if isinstance(hazard, UnlikeTrees):
        first, other = file.code(hazard.first, 40), file.code(hazard.operand, 40)
        where = f" at `{hazard.path}`" if hazard.path else ""
        yield Finding(
            hazard.site,
            f"Mismatched trees `{first}` and `{other}` in `tree.map`{where}: {hazard.one} and {hazard.other}",
            "Give all trees the structure of the first, with the same lengths and keys.",
            matching_entries(hazard, file),
        )
        return
    short = "lax." + (hazard.api or "").rpartition(".")[2]
    first = function_name(hazard.first)
    shape = "shape " if hazard.reason == "shape" else ""
    if hazard.second is None:
        where = f"`carry{hazard.path}` of `{short}`" if hazard.path else f"Carry of `{short}`"
        message = f"{where} changes from {shape}{hazard.one} to {shape}{hazard.other} in {first}"
        advice = _advice(hazard, first)
    else:
        second = function_name(hazard.second)
        if first == second:
            both = "both branches"
        else:
            both = f"both {first} and {second}"
        where = f" in `result{hazard.path}`" if hazard.path else ""
        message = f"Mismatched branches of `{short}`{where}: {shape}{hazard.one} and {shape}{hazard.other}"
        advice = f"Return {hazard.one} from {both}, or {hazard.other}."
        if hazard.reason == "dtype":
            advice = f"Return one dtype from {both}, with `.astype(…)` or `jnp.{hazard.one}(…)`."
        elif hazard.reason == "shape":
            advice = f"Return shape {hazard.one} from {both}, or {hazard.other}. Fill an array with `jnp.full`."
    yield Finding(hazard.site, message, advice, matching_trees(hazard, file) or collected(hazard, file))


def _advice(hazard: BranchStructureMismatch, body: str) -> str:
    if hazard.reason == "dtype":
        return f"Start with {hazard.other}, or return {hazard.one} from {body}, with `.astype(…)`."
    if hazard.reason == "shape":
        return f"Start with shape {hazard.other}, or return {hazard.one} from {body}. Collect growing data as the output of a scan."
    return f"Return {hazard.one} from {body}, or start with {hazard.other}."
