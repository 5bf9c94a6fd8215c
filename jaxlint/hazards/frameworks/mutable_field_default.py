"""List, dict or set as the default of a field of a module or dataclass.

## What it does
Reports annotated fields whose default is a list, a dict or a set, in modules of Flax Linen and Equinox, in dataclasses of
`flax.struct` and in those of Chex.

## Why is this bad
Modules are dataclasses. All objects would share the default, so Python raises `ValueError: mutable default <class 'list'>`
when the class is defined.

## Example
```python
class MLP(nn.Module):
    widths: Sequence[int] = [16, 16]
```

## Use instead
```python
class MLP(nn.Module):
    widths: Sequence[int] = (16, 16)
```

## When to ignore
Never: the class cannot be defined.

## Fix safety
Unsafe: the default becomes a `default_factory`, and each object gets a list, dict or set of its own. Linen hashes modules for
some transforms, for which a tuple is right.

## References
- Python documentation, "dataclasses", mutable default values: https://docs.python.org/3/library/dataclasses.html
- Flax documentation, "Module basics": https://flax-linen.readthedocs.io/en/latest/guides/flax_fundamentals/flax_basics.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.class_fields import MutableFieldDefault
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX617",
    name="mutable-field-default",
    summary="List, dict or set as the default of a field of a module or dataclass.",
    category=Category.FAILS,
    hazards=(MutableFieldDefault,),
    error="ValueError",
    fixable="unsafe",
    on="preview",
)


def check(hazard: MutableFieldDefault, file: File) -> Iterator[Finding]:
    code = file.code(hazard.site, 40)
    message = f"Mutable default `{code}` of field `{hazard.parameter}`"
    yield Finding(hazard.site, message, "Use a tuple, or a `default_factory`.", _fix(hazard, file))


def _fix(hazard: MutableFieldDefault, file: File) -> Fix | None:
    if not isinstance(file.unit.nodes[hazard.site], (ir.Sequence, ir.Dict, ir.Comprehension)):
        return None  # a factory would hand out the same object
    field, imports = file.api("dataclasses.field")
    edit = file.replace(hazard.site, f"{field}(default_factory=lambda: {file.code(hazard.site)})")
    return Fix("Make it in a factory", (edit,), imports=imports, changes="each object gets its own")
