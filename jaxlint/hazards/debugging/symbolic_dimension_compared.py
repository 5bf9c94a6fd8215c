"""Equality test of a symbolic dimension, silently false.

## What it does
Reports `==` and `!=` of a symbolic dimension and a number or another dimension, `b in (1, 2)`,
`x.shape == (4,)`, `match` on a size and `if b % 2`, in traced code, where nothing decides them.
`b == 0` is false for certain, as a dimension is at least 1, and not reported.

## Why is this bad
A function that is exported with a symbolic shape is traced once, for every size of the dimension.
JAX takes two dimensions for different unless they are the same for all sizes, and raises nothing:
the program takes the branch for unequal sizes also when it is called with equal ones, and an `assert`
or a check that raises always fails.

## Example
```python
def pooled(x):
    if x.shape[0] % 2 == 0:
        return x.reshape(-1, 2).max(axis=1)
    return x


(b,) = export.symbolic_shape("b")
export.export(jax.jit(pooled))(jax.ShapeDtypeStruct((b,), jnp.float32))
```

## Use instead
Say in the specification what holds, `2*b` for an even size, or with `constraints=`:

```python
(b,) = export.symbolic_shape("b")
export.export(jax.jit(pooled))(jax.ShapeDtypeStruct((2 * b,), jnp.float32))
```

What depends on the size when the program runs is chosen there, with `jnp.where` or `jax.lax.cond` of
`jnp.asarray(x.shape[0]) == 4`.

## When to ignore
Where the branch for unequal sizes gives the same result, only more slowly.

## Fix safety
Unsafe: where both of the values that the comparison chooses from are known to have one shape, it is made when
the program runs, with `jnp.where`, which computes both. Otherwise the specification is written for the
sizes that are compared with: multiples, equal sizes, a number. That is shown only, as it is part of the
interface of the exported program.

## References
- JAX documentation, "Shape polymorphism", comparison of symbolic dimensions:
  https://docs.jax.dev/en/latest/export/shape_poly.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jaxlint.analysis.domain.symbolic import SymbolicDimensionCompared
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument, beside
from jaxlint.rewrite.requirements import expect, or_none, require
from jaxlint.rewrite.shapes.symbolic_code import as_array, chosen_when_run, equal, multiple
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX712",
    category=Category.WRONG,
    hazards=(SymbolicDimensionCompared,),
    fixable="unsafe",
)


def check(hazard: SymbolicDimensionCompared, file: File) -> Iterator[Finding]:
    dimension, other = hazard.sizes
    code = file.code(hazard.site, 40)
    answer = "true" if hazard.api in ("!=", "not in", "bool") else "false"
    yield Finding(
        hazard.site,
        f"`{code}` is always {answer}: symbolic dimension `{dimension!r}` is not `{other!r}`",
        help=f"Declare `{dimension!r}` in the shape specification, as a number or a multiple of a symbol, or compare"
        " `jnp.asarray` of the size at run time.",
        fix=_chosen(hazard, file) or _specified(hazard, file),
    )


@or_none
def _chosen(hazard: SymbolicDimensionCompared, file: File) -> Fix | None:
    """What the comparison chooses, chosen when the program runs."""
    test, draft = file.unit.nodes[hazard.site], Draft(file)
    if hazard.api == "bool":
        return chosen_when_run(draft, test, f"{as_array(draft, test.site)} != 0")
    require(len(expect(ir.Compare, test).rights) == 1)
    left, op, right = test.left, test.ops[0], test.rights[0]
    code = as_array(draft, left.site)
    if op in ("==", "!=") and not any(
        isinstance(each, ir.Sequence) or file.code(each.site).endswith(".shape") for each in (left, right)
    ):
        return chosen_when_run(draft, test, f"{code} {op} {beside(file, right.site)}")
    numbers = expect(ir.Sequence, right)
    require(op == "in" and all(isinstance(each, ir.Constant) for each in numbers.elements))
    array = draft.call("jax.numpy.array", argument(file, right.site))
    return chosen_when_run(draft, test, draft.call("jax.numpy.isin", code, array))


def _specified(hazard: SymbolicDimensionCompared, file: File) -> Fix | None:
    """The specification of sizes for which the two are equal."""
    dimension, other = (repr(each) for each in hazard.sizes)
    remainder = re.fullmatch(r"mod\((.+), (\d+)\)", dimension)
    if remainder is not None:
        return multiple(file, hazard, remainder[1], int(remainder[2])) if other == "0" else None
    if not other.isidentifier() and not _is_check(file, hazard):
        return None  # the program is for other sizes too
    return equal(file, hazard, *((other, dimension) if other.isidentifier() else (dimension, other)))


def _is_check(file: File, hazard: SymbolicDimensionCompared) -> bool:
    """Whether the comparison decides about an error alone."""
    statement = file.unit.statement(hazard.site)
    raises = isinstance(statement, ir.If) and isinstance(statement.body[0], ir.Raise) and not statement.orelse
    return raises or isinstance(statement, ir.Assert)
