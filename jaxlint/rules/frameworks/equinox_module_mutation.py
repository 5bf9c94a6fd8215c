"""A field of an Equinox module is set after the module was made, or holds an array although it is static.

## What it does
Reports `model.weight = value`, `self.count += 1` in a method, and `self.extra = …` in `__init__` for a field that the class
does not declare. Setting declared fields in `__init__`, `__post_init__` and the methods these call is right. An array given
to a field that is marked `eqx.field(static=True)` is reported as well.

## Why is this bad
Equinox modules are frozen dataclasses: a store raises `FrozenInstanceError`. A static field is part of the structure of
the module, which JAX compares and hashes; arrays have no single answer to `==`, and Equinox warns when the module is made.

## Example
```python
model.weight = model.weight * 0.5
```

## Use instead
```python
model = eqx.tree_at(lambda m: m.weight, model, model.weight * 0.5)
```

A method returns the new module instead of changing `self`. State that changes with each call is passed and returned, or
kept in an `eqx.nn.State`.

## When to ignore
Where the store is meant to raise.

## Fix safety
Display only: who else holds the old module, and where the new one has to go, is for you to see.

## References
- Equinox documentation, "equinox.tree_at" (https://docs.kidger.site/equinox/api/manipulation/#equinox.tree_at)
- Equinox documentation, "equinox.Module" (https://docs.kidger.site/equinox/api/module/module/)
- Equinox documentation, "Stateful operations" (https://docs.kidger.site/equinox/examples/stateful/)
"""

from __future__ import annotations

from typing import Iterator, Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Applicability, Category, Fix
from jaxlint.rewrite.operands import argument, operand
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.equinox import Mutation
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX621",
    name="equinox-module-mutation",
    summary="A field of an Equinox module is set after it was made, or a static field holds an array.",
    category=Category.FAILS,
    kinds=(Kind.MODULE_MUTATION,),
    error="FrozenInstanceError",
    fixable="display",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    change: Mutation = demand.detail
    name = change.attribute
    if change.how == "static":
        yield Finding(
            demand.site,
            f"the static field `{name}` is given an array",
            f"Drop `static=True` from `{name}`, or make it a tuple of numbers: static fields are compared and hashed.",
        )
        return
    module = file.code(demand.operand, 40)
    if change.how == "undeclared":
        yield Finding(
            demand.site,
            f"`{module}.{name}` is set, and the class declares no field `{name}`: an Equinox module refuses it",
            f"Declare it in the body of the class: `{name}: …`.",
        )
        return
    tree_at, _ = file.api("equinox.tree_at")
    where = "return" if module == "self" else f"{module} ="
    yield Finding(
        demand.site,
        f"`{module}.{name}` is set, and `{module}` is an Equinox module, which is frozen",
        f"Make a new module: `{where} {tree_at}(lambda m: m.{name}, {module}, …)`.",
        _fix(demand, change, file),
    )


def _fix(demand: Demand, change: Mutation, file: File) -> Optional[Fix]:
    """Bind a new module to the name that holds the old one."""
    statement = file.unit.statement(demand.site)
    module = file.unit.nodes[demand.operand]
    if type(module) is not ir.Name or module.id == "self":
        return None
    if type(statement) is ir.Assign and len(statement.targets) == 1 and statement.targets[0].site == demand.site:
        value = argument(file, statement.value.site)
    elif type(statement) is ir.Augment:
        value = f"{file.code(demand.site)} {statement.op} {operand(file, statement.value.site)}"
    else:
        return None
    if file.has_comment(*file.span(statement.site)):
        return None
    text, imports = file.api("equinox.tree_at")
    new = f"{module.id} = {text}(lambda m: m.{change.attribute}, {module.id}, {value})"
    return Fix("Make a new module", (file.replace(statement.site, new),), Applicability.DISPLAY, imports)
