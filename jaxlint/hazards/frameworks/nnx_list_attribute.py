"""Plain container of modules or arrays in an NNX module.

## What it does
Reports an assignment of a list, tuple or dict with modules, Variables or arrays in it to an attribute of a
`flax.nnx.Module`, and of an empty list that is filled with them later. Flax 0.12 and later are meant; an attribute
that the class declares is not reported.

## Why is this bad
Since Flax 0.12 a module is a pytree, and an attribute that is a plain container is part of its static
structure. Data in it raise `ValueError`: at the assignment, or, for a list that is filled later, when the module
is made. Nor can the attribute hold an `nnx.List` once it was set to a plain list.

## Example
```python
class Net(nnx.Module):
    def __init__(self, rngs):
        self.layers = [nnx.Linear(3, 3, rngs=rngs) for _ in range(2)]
```

## Use instead
```python
class Net(nnx.Module):
    def __init__(self, rngs):
        self.layers = nnx.List([nnx.Linear(3, 3, rngs=rngs) for _ in range(2)])
```

## When to ignore
Where the code runs on older releases only: say so with `target-flax`.

## Fix safety
Unsafe: `nnx.List` is a sequence but no `list`. A tuple or dict is marked with `nnx.data` and stays what it is.

## References
- Flax documentation, `nnx.List`: https://flax.readthedocs.io/en/latest/api_reference/flax.nnx/helpers.html
- Flax documentation, "Module & Pytree": https://flax.readthedocs.io/en/latest/guides/pytree.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.models.nnx import NnxListAttribute
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX615",
    category=Category.FAILS,
    hazards=(NnxListAttribute,),
    error="ValueError",
    fixable="unsafe",
)


def check(hazard: NnxListAttribute, file: File) -> Iterator[Finding]:
    place, draft = file.code(hazard.operand, 40), Draft(file)
    form = str(hazard.form).removeprefix("empty ")
    name = draft.api("flax.nnx.List" if form == "list" and not hazard.nested else "flax.nnx.data")
    draft.replace(hazard.site, f"{name}({argument(file, hazard.site)})")
    yield Finding(
        hazard.site,
        f"Plain {form} `{place}` of modules or arrays is static in NNX",
        f"Use `{name}`, which marks its elements as data.",
        draft.fix(f"Use `{name}`", "its contents become module state"),
    )
