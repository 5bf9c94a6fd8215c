"""Mutable default, unknown field or positional argument of a module or dataclass.

## What it does
Reports annotated fields whose default is a list, a dict or a set, in modules of Flax Linen and Equinox, in dataclasses of
`flax.struct` and in those of Chex. Where an object is made of such a class, or by `TrainState.create(…)`, it reports
keywords that are no fields; and positional arguments of mappable dataclasses of Chex.

## Why is this bad
Modules are dataclasses. All objects would share the default, so Python raises `ValueError: mutable default <class 'list'>`
when the class is defined. A field that is not there is a `TypeError`. A mappable dataclass of Chex is made like a `dict`, of
keywords or of one mapping, and raises `ValueError`.

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
Never: the class cannot be defined, or the object cannot be made.

## Fix safety
Safe: positional arguments are named, as the call could not run. Unsafe: the default becomes a `default_factory`, and each
object gets a list, dict or set of its own. A field that `create` of a class does not know is declared in a subclass, also unsafe. Linen hashes modules for some transforms, for which a tuple is right.

## References
- Python documentation, "dataclasses", mutable default values: https://docs.python.org/3/library/dataclasses.html
- Flax documentation, "Module basics": https://flax-linen.readthedocs.io/en/latest/guides/flax_fundamentals/flax_basics.html
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from jaxlint.analysis.checkers.class_fields import FieldMisuse, MutableFieldDefault
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import GUESSED
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import is_path
from jaxlint.rewrite.requirements import expect, or_none, require
from jaxlint.rewrite.statements import line_start
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix, ImportRequest

RULE = Rule(
    code="JAX617",
    category=Category.FAILS,
    hazards=(MutableFieldDefault, FieldMisuse),
    error="ValueError",
    fixable="safe",
)


def check(hazard: MutableFieldDefault | FieldMisuse, file: File) -> Iterator[Finding]:
    if isinstance(hazard, FieldMisuse):
        yield _unknown(hazard, file) if hazard.how == "unknown" else _positional(hazard, file)
        return
    code = file.code(hazard.site, 40)
    message = f"Mutable default `{code}` of field `{hazard.parameter}`"
    yield Finding(hazard.site, message, "Use a tuple, or a `default_factory`.", _made(hazard, file))


@or_none
def _made(hazard: MutableFieldDefault, file: File) -> Fix:
    draft = Draft(file)
    # A factory would hand out the same object of any other.
    require(isinstance(file.unit.nodes[hazard.site], (ir.Sequence, ir.Dict, ir.Comprehension)))
    factory = f"default_factory=lambda: {file.code(hazard.site)}"
    draft.replace(hazard.site, draft.call("dataclasses.field", factory))
    return draft.fix("Make it in a factory", "each object gets its own")


def _unknown(hazard: FieldMisuse, file: File) -> Finding:
    name = hazard.parameter or ""
    message = f"Unknown field `{name}` of `{hazard.api}`"
    nearest = difflib.get_close_matches(name, hazard.fields, n=1, cutoff=0.6)
    if not nearest:
        advice = f"Declare the field in the class, or in a subclass: `{name}: …`."
        return Finding(hazard.site, message, advice, _subclass(file, file.unit.parent(hazard.site), name))
    start = file.span(hazard.site)[0]
    fix = Fix(f"Write `{nearest[0]}=`", (Edit(start, start + len(name), nearest[0]),), changes=GUESSED)
    return Finding(hazard.site, message, f"Did you mean `{nearest[0]}`?", fix)


@or_none
def _subclass(file: File, call: ir.Node | None, field: str) -> Fix:
    """A subclass with the field, for the class whose `create` is called."""
    method = expect(ir.Attribute, expect(ir.Call, call).func)
    require(method.attr == "create" and is_path(method.value))
    base, taken = file.code(method.value.site), file.unit.module.locals
    own = base.rpartition(".")[2]
    name = own if own not in taken else f"{own}With{field.title().replace('_', '')}"
    require(name not in taken)
    user = next(each for each in file.unit.ancestors(method.site) if file.unit.parent(each.site) is file.unit.module)
    written = getattr(user, "function", getattr(user, "definition", None))
    decorators = written.decorators if isinstance(written, (ir.Function, ir.ClassDefinition)) else ()
    start, newline = line_start(file, file.span((*decorators, user)[0].site)[0]), file.source.newline
    code = f"class {name}({base}):{newline}    {field}: Any{newline * 3}"
    imports = frozenset({ImportRequest("typing", "Any")} if "Any" not in taken else ())
    edits = (file.insert(start, code), file.replace(method.value.site, name))
    return Fix(f"Declare `{field}` in a subclass", edits, imports=imports, changes="the object is of the new class")


def _positional(hazard: FieldMisuse, file: File) -> Finding:
    call = file.unit.nodes[hazard.site]
    message = f"Positional arguments of Chex dataclass `{hazard.api}`, which takes keywords"
    fix = None
    if isinstance(call, ir.Call) and len(call.args) <= len(hazard.fields):
        named = zip(call.args, hazard.fields)
        edits = tuple(file.insert(file.outer_span(arg.site)[0], f"{name}=") for arg, name in named)
        fix = Fix("Pass the fields by name", edits, Applicability.SAFE)
    return Finding(hazard.site, message, "Pass each field by name.", fix)
