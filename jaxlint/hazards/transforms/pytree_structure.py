"""Pytree class that loses a field or keeps an array in its structure.

## What it does
Reports classes registered with `jax.tree_util.register_pytree_node_class` or `register_pytree_node`: a field that holds an
argument of the class with a default, which `tree_flatten` leaves out or `tree_unflatten` does not pass; and an array in the
second part of what `tree_flatten` returns. A field whose default is None, or that nothing reads, is not reported.

## Why is this bad
A field that is not handed on has its default inside of every transform and in what a transform returns, without an error.
What is no leaf is part of the structure and compared with `==`: the second call of a jitted function fails with `ValueError`,
because arrays have no single answer.

## Example
```python
import jax


@jax.tree_util.register_pytree_node_class
class Filter:
    def __init__(self, taps, gain=1.0):
        self.taps, self.gain = taps, gain

    def __call__(self, x):
        return self.gain * x * self.taps

    def tree_flatten(self):
        return (self.taps,), None

    @classmethod
    def tree_unflatten(cls, auxiliary, children):
        return cls(*children)
```

## Use instead
```python
    def tree_flatten(self):
        return (self.taps, self.gain), None
```

## When to ignore
Where the field is set again by hand after each transform.

## Fix safety
Unsafe: an array in the second part becomes one of the children, and `tree_unflatten` is written anew, which changes the
structure. There is no fix for a lost field, nor where the class sets attributes that `tree_flatten` does not return, has bases, or
is decorated with something else too.

## References
- JAX documentation, "Custom pytrees and initialization"
  (https://docs.jax.dev/en/latest/custom_pytrees.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.models.pytree_classes import PytreeComparesArray, PytreeLosesField
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.rewrite.transforms.returned import around_init
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX533",
    category=Category.WRONG,
    hazards=(PytreeComparesArray, PytreeLosesField),
    error="ValueError",
    fixable="unsafe",
)


def check(hazard: PytreeComparesArray | PytreeLosesField, file: File) -> Iterator[Finding]:
    if isinstance(hazard, PytreeComparesArray):
        code = file.code(hazard.site, 40)
        yield Finding(
            hazard.site,
            f"Array `{code}` in auxiliary data of pytree `{hazard.name}`",
            "Make it one of the children, or a tuple of numbers; JAX compares auxiliary data with `==`.",
            around_init(file, hazard.site, moved=file.code(hazard.site).removeprefix("self.")),
        )
        return
    field = hazard.field
    function = "the lambda" if "lambda" in hazard.function else f"`{hazard.function}`"
    lost = "not restored" if hazard.is_dropped else "omitted"
    yield Finding(
        hazard.site,
        f"Field `{field}` of pytree `{hazard.name}` {lost} by {function}; reset to {hazard.default!r}",
        f"Return `{field}` with the children, or in the auxiliary data if it is not an array, and restore it.",
    )
