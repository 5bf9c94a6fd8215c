"""Discarded result of `split` or `fold_in`.

## What it does
Reports `jax.random.split(key)` and `jax.random.fold_in(key, i)` as statements of their own.

## Why is this bad
Keys have no state: `split` leaves the key as it is and returns new ones. Where they are lost the key has not advanced,
and what draws from it next draws the same numbers as before.

## Example
```python
def draws(key):
    jax.random.split(key)
    return jax.random.normal(key)
```

## Use instead
```python
def draws(key):
    key, subkey = jax.random.split(key)
    return jax.random.normal(subkey)
```

## When to ignore
Never: without its result the call does nothing.

## Fix safety
Unsafe: the name is bound to a new key, and the numbers drawn from it change. A key that an object holds is advanced, and
what uses it next gets the other part, where the class is a plain one. There is no fix for a key of the function around, nor
for elements of a container.

## References
- JAX documentation, "Pseudorandom numbers" (https://docs.jax.dev/en/latest/random-numbers.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.keys.constant_keys import DiscardedSplit
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import NUMBERS_DRAWN
from jaxlint.rewrite.file import File
from jaxlint.rewrite.keys.splitting import binds, statement_above
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.statements import free_name
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX406",
    category=Category.WRONG,
    hazards=(DiscardedSplit,),
    in_tests=False,
    fixable="unsafe",
)


def check(hazard: DiscardedSplit, file: File) -> Iterator[Finding]:
    key = file.code(hazard.operand, 40)
    name = (hazard.api or "").rpartition(".")[2]
    yield Finding(
        hazard.site,
        f"Result of `{name}` is discarded; `{key}` is unchanged",
        help=f"Bind the new key: `{key}, subkey = {file.code(hazard.site, 60)}`."
        if name == "split"
        else f"Bind the new key: `{key} = {file.code(hazard.site, 60)}`.",
        fix=_fix(hazard, file, name),
    )


@or_none
def _fix(hazard: DiscardedSplit, file: File, name: str) -> Fix:
    call, key = expect(ir.Call, file.unit.nodes[hazard.site]), file.unit.nodes[hazard.operand]
    require(isinstance(file.unit.parent(call.site), ir.Evaluate))
    if isinstance(key, ir.Attribute):
        return _advanced(file, call, key, name)
    require(binds(file, key.site))
    target = key.id
    if name == "split":
        target = f"{key.id}, _" if len(call.args) + len(call.keywords) == 1 else f"{key.id}, *_"
    edit = file.insert(file.outer_span(call.site)[0], f"{target} = ")
    return Fix(f"Bind `{key.id}` to a new key", (edit,), changes=NUMBERS_DRAWN)


def _advanced(file: File, call: ir.Call, key: ir.Attribute, name: str) -> Fix:
    """`self.key, subkey = split(self.key)`, and `subkey` where the key is used next.

    For objects whose attributes can be set: of a class without bases or decorators, outside of transforms.
    """
    method = expect(ir.Function, file.unit.scope(call.site))
    require(name == "split" and len(call.args) + len(call.keywords) == 1)
    require(method.is_method and not method.decorators and method.parameters)
    require(method.parameters[0].name == expect(ir.Name, key.value).id)
    owner = expect(ir.ClassDefinition, file.unit.scope(method.site))
    require(not owner.bases and not owner.keywords and not owner.decorators)
    statement = file.unit.statement(call.site)
    body: list[ir.Statement] = list(getattr(file.unit.parent(statement.site), "body", ()))
    later = body[body.index(statement) + 1 :] if statement in body else []
    again = known(next((node for node in ir.walk(later) if _is_same(node, key)), None))
    require(not isinstance(file.unit.parent(again.site), ir.Assign))
    known(statement_above(file, again.site))
    text, subkey = file.code(key.site), free_name(file, key.site, "subkey")
    bound = file.insert(file.outer_span(call.site)[0], f"{text}, {subkey} = ")
    edits = bound, file.replace(again.site, subkey)
    return Fix(f"Bind `{text}` to a new key, and use the other one next", edits, changes=NUMBERS_DRAWN)


def _is_same(node: ir.Node, key: ir.Attribute) -> bool:
    assert isinstance(key.value, ir.Name)
    return isinstance(node, ir.Attribute) and node.attr == key.attr and getattr(node.value, "id", None) == key.value.id
