"""NaN gradient from the branch that `jnp.where` does not select.

## What it does
Reports operations under `jnp.where` whose derivative is not finite where the condition keeps them
from being chosen, in functions that are differentiated: `jnp.where(x > 0, jnp.log(x), 0.0)`, with
`sqrt`, a division, a fractional or negative power, `arccos`, `exp` and their kin. The operation has
to be on the very value that the condition is about, or on the difference that it compares:
`jnp.where(x > c, jnp.sqrt(x - c), 0.0)`. `jax.lax.select` is seen as well, and a logarithm of a
differentiated argument under `jnp.nan_to_num`.

## Why is this bad
Both values are computed and differentiated. The derivative of the one that is not chosen is
multiplied by zero, and zero times infinity is NaN. The function itself gives the right value, and the
NaN spreads from one element to all parameters.

## Example
```python
def entropy(p):
    return -jnp.sum(jnp.where(p > 0, p * jnp.log(p), 0.0))
```

## Use instead
```python
def entropy(p):
    return -jnp.sum(jnp.where(p > 0, p * jnp.log(jnp.where(p > 0, p, 1)), 0.0))
```

## When to ignore
If the value can never be where the condition does not hold, the condition can go.

## Fix safety
The fix chooses a harmless operand where the condition does not hold, in addition to the choice that
is there. It is unsafe: the condition is computed twice, and the operand may be an expression that is
costly to compute.

## References
- JAX documentation, "Frequently asked questions", gradients contain NaN where using `where`:
  https://docs.jax.dev/en/latest/faq.html
- JAX documentation, `jax.numpy.where`: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.where.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.transforms.singular import WhereNanGradient
from jaxlint.analysis.transforms.wrap_and_call import function_name
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.requirements import or_none, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX506",
    category=Category.WRONG,
    hazards=(WhereNanGradient,),
    fixable="unsafe",
)


def check(hazard: WhereNanGradient, file: File) -> Iterator[Finding]:
    operand, safe = hazard.operands[0]
    name, condition = file.code(operand, 30), file.code(hazard.condition, 40)
    taken = f"`{hazard.transform.removeprefix('jax.')}` of {function_name(hazard.function)}"
    mends = hazard.api == "jax.numpy.nan_to_num"
    message = (
        f"NaN gradient through `{file.code(hazard.site, 40)}` where `{name}` is 0"
        if mends
        else f"NaN gradient through `{file.code(hazard.site, 40)}` where `{condition}` is {'false' if hazard.branch else 'true'}"
    )
    advice = f"Guard the input as well: replace `{name}` with `jnp.where(…, {name}, {safe})`."
    if mends:
        advice = f"Guard the input: replace `{name}` with `jnp.where({name} > 0, {name}, {safe})`."
    yield Finding(
        hazard.site,
        message,
        advice,
        None if mends else _guarded_twice(hazard, file),
        also=((f"{taken}, taken here", hazard.operand),),
    )


@or_none
def _guarded_twice(hazard: WhereNanGradient, file: File) -> Fix:
    """The fix that chooses a safe operand; the condition must have its value where the operation stands."""
    (start, end), draft = file.span(hazard.where), Draft(file)
    spans = [file.outer_span(site) for site, _ in hazard.operands]
    require(all(start <= left and right <= end for left, right in spans) or _stands_above(hazard, file))
    condition = argument(file, hazard.condition)
    for site, safe in hazard.operands:
        values = (argument(file, site), safe) if hazard.branch else (safe, argument(file, site))
        draft.replace_whole(site, draft.call("jax.numpy.where", condition, *values))
    return draft.fix("Guard the operand as well", "the condition is computed twice")


def _stands_above(hazard: WhereNanGradient, file: File) -> bool:
    """Whether the operation stands in an assignment that only the call of `jnp.where` reads, below the condition's names."""
    unit = file.unit
    scope = unit.scope(hazard.where)
    statement = unit.statement(hazard.operands[0][0])
    if (
        not isinstance(scope, ir.Function)
        or not isinstance(statement, ir.Assign)
        or unit.scope(statement.site) is not scope
    ):
        return False
    start = file.span(statement.site)[0]
    [target] = statement.targets  # a name: `Choices.resolved` looks through no other assignment
    assert isinstance(target, ir.Name)
    reads = [n for n in ir.walk(scope.body) if isinstance(n, ir.Name) and n.id == target.id and n is not target]
    if len(reads) != 1 or unit.parent(reads[0].site) is not unit.nodes[hazard.where]:
        return False
    around = unit.parent(statement.site)
    if around is not unit.parent(unit.statement(hazard.where).site):
        return False  # one of them in a branch or loop of its own
    names = {n.id for n in ir.walk([unit.nodes[hazard.condition]]) if isinstance(n, ir.Name)}
    return all(file.span(bound.site)[1] <= start for name in names for bound in bindings(scope, name))
