"""Subtraction or negation of boolean arrays.

## What it does
Reports `a - b`, `-a`, `jnp.subtract` and `jnp.negative` where every operand is boolean and one is a JAX array.

## Why is this bad
JAX raises `TypeError: sub does not accept dtype bool`, as NumPy does. Python subtracts `True - True`, so the code may look
right.

## Example
```python
born = new_cells - cells
```

## Use instead
```python
born = new_cells ^ cells
```

## When to ignore
Never: the code fails.

## Fix safety
Unsafe: the difference becomes the exclusive or, and the negative becomes the complement. Where signs are meant, cast the arrays to
integers.

## References
- JAX documentation, `jax.numpy.subtract`: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.subtract.html
- NumPy documentation, "numpy.subtract": https://numpy.org/doc/stable/reference/generated/numpy.subtract.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.boolean_arithmetic import BooleanSubtraction
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import in_parentheses
from jaxlint.rewrite.requirements import expect, or_none
from jaxlint.source.diagnostic import Category, Edit, Fix

RULE = Rule(
    code="JAX217",
    category=Category.FAILS,
    hazards=(BooleanSubtraction,),
    error="TypeError",
    fixable="unsafe",
)


def check(hazard: BooleanSubtraction, file: File) -> Iterator[Finding]:
    node = file.unit.nodes[hazard.site]
    negated = isinstance(node, ir.Unary) or (isinstance(node, ir.Call) and len(node.args) == 1)
    message = f"{'Negation' if negated else 'Subtraction'} of boolean arrays: `{file.code(hazard.site, 40)}`"
    advice = f"Use `{'~' if negated else '^'}`, or cast to integers first."
    yield Finding(hazard.site, message, advice, _fix(file, node))


@or_none
def _fix(file: File, node: ir.Node) -> Fix:
    draft, (start, end) = Draft(file), file.span(node.site)
    if isinstance(node, ir.Unary):
        draft.edits.append(Edit(start, file.outer_span(node.operand.site)[0], "~"))
        return draft.fix("Take the complement", "the result is boolean")
    binary = expect(ir.Binary, node)
    draft.edits.append(Edit(file.outer_span(binary.left.site)[1], file.outer_span(binary.right.site)[0], " ^ "))
    bare = file.outer_span(node.site) == (start, end)
    if bare and isinstance(file.unit.parent(node.site), (ir.Binary, ir.Unary)):
        draft.edits += in_parentheses(file, [node])
    return draft.fix("Take the exclusive or", "the result is boolean, without a sign")
