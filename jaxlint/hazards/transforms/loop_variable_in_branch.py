"""Late binding of a loop variable in branches made by the loop.

## What it does
Reports functions in the branches of `jax.lax.switch` that were made in a loop or a list comprehension and read its variable,
where the `switch` stands outside of the loop.

## Why is this bad
A function looks a variable up when it is called, and `switch` calls its branches when it is traced, after the loop: the variable
holds its last value then, and all branches compute the same.

## Example
```python
import jax

branches = [lambda x: x * factor for factor in (1.0, 2.0, 3.0)]
y = jax.lax.switch(0, branches, 1.0)
```

## Use instead
```python
import jax

branches = [lambda x, factor=factor: x * factor for factor in (1.0, 2.0, 3.0)]
y = jax.lax.switch(0, branches, 1.0)
```

## When to ignore
Never.

## Fix safety
Unsafe: the value of the variable becomes the default of a parameter, which each function keeps.

## References
- Python documentation, "Why do lambdas defined in a loop with different values all return the same result?":
  https://docs.python.org/3/faq/programming.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.loop_branches import LoopVariableInBranch
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, or_none, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX530",
    category=Category.WRONG,
    hazards=(LoopVariableInBranch,),
    fixable="unsafe",
)


def check(hazard: LoopVariableInBranch, file: File) -> Iterator[Finding]:
    name = hazard.variable
    message = f"Late binding of loop variable `{name}`; all branches read its last value"
    advice = f"Bind the value at definition, with a parameter `{name}={name}` or with `functools.partial`."
    also = (("the loop", hazard.loop), ("the branches are called here", hazard.call))
    yield Finding(hazard.site, message, advice, _fix(hazard, file), also)


@or_none
def _fix(hazard: LoopVariableInBranch, file: File) -> Fix:
    function, name = expect(ir.Function, file.unit.nodes[hazard.site]), hazard.variable
    require(function.parameters and all(each.name != name for each in function.parameters))
    last = function.parameters[-1]
    require(last.kind == "ordinary" and last.annotation is None)
    edit = file.insert(file.span(last.site)[1], f", {name}={name}")
    return Fix("Bind the value", (edit,), changes="each branch keeps its own value")
