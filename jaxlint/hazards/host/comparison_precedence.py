"""Comparison with a flag combined by `&`, `|` or `^`, which bind before comparisons.

## What it does
Reports `x < n & flag` and `flag & x < n` without parentheses, where `flag` is a boolean JAX array. Equalities are reported where
`n` is an integer for certain. `flag & 1 == 1`, which asks for a bit, is left alone, and so is what stands in parentheses.

## Why is this bad
`&`, `|` and `^` bind before comparisons, as they do not in C. `x < n & flag` compares `x` with `n & flag`, a number that is
0 or 1 for a flag, and nothing is raised: the condition of a loop may never hold, a mask may hold nowhere.

## Example
```python
running = time < HORIZON & ~done
```

## Use instead
```python
running = (time < HORIZON) & ~done
```

## When to ignore
Where the number is to be combined with the flag first: write the parentheses.

## Fix safety
Unsafe: the comparison comes first, so the result is another one.

## References
- Python documentation, "Operator precedence" (https://docs.python.org/3/reference/expressions.html#operator-precedence)
- NumPy documentation, "numpy.logical_and" (https://numpy.org/doc/stable/reference/generated/numpy.logical_and.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from jaxlint.analysis.checkers.boolean_arithmetic import ComparisonPrecedence
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import in_parentheses
from jaxlint.rewrite.requirements import expect, or_none
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX323",
    category=Category.WRONG,
    hazards=(ComparisonPrecedence,),
    fixable="unsafe",
)


def check(hazard: ComparisonPrecedence, file: File) -> Iterator[Finding]:
    side = file.unit.nodes[hazard.operand]
    if not isinstance(side, ir.Binary) or file.outer_span(side.site) != file.span(side.site):
        return  # in parentheses, as it is meant
    yield Finding(
        hazard.site,
        f"Operator `{side.op}` binds before `{hazard.operator}` in `{file.code(hazard.site, 40)}`",
        "Put the comparison in parentheses.",
        _in_parentheses(hazard, file, side),
    )


@or_none
def _in_parentheses(hazard: ComparisonPrecedence, file: File, side: ir.Binary) -> Fix:
    """Bind the comparison with the operand that is next to it."""
    compared, beside = expect(ir.Compare, file.unit.nodes[hazard.site]), cast(ir.Node, side)
    while isinstance(beside, ir.Binary) and beside.op in ("&", "|", "^"):
        if beside is not side and file.outer_span(beside.site) != file.span(beside.site):
            break
        beside = beside.right if hazard.is_left else beside.left
    parts = (beside, compared.rights[0]) if hazard.is_left else (compared.left, beside)
    changes = "the operator combines the result of the comparison"
    return Fix("Compare first", in_parentheses(file, parts), changes=changes)
