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
from jaxlint.rewrite.statements import free_name
from jaxlint.source.diagnostic import Category, Edit, Fix

RULE = Rule(
    code="JAX406",
    name="discarded-split",
    summary="Discarded result of `split` or `fold_in`.",
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


def _fix(hazard: DiscardedSplit, file: File, name: str) -> Fix | None:
    call, key = file.unit.nodes[hazard.site], file.unit.nodes[hazard.operand]
    if not isinstance(call, ir.Call) or not isinstance(file.unit.parent(call.site), ir.Evaluate):
        return None
    if isinstance(key, ir.Attribute):
        return _advanced(file, call, key, name)
    if not binds(file, key.site):
        return None
    target = key.id
    if name == "split" and len(call.args) + len(call.keywords) == 1:
        target = f"{key.id}, _"
    elif name == "split":
        target = f"{key.id}, *_"
    start = file.outer_span(call.site)[0]
    edit = Edit(start, start, f"{target} = ")
    return Fix(f"Bind `{key.id}` to a new key", (edit,), changes=NUMBERS_DRAWN)


def _advanced(file: File, call: ir.Call, key: ir.Attribute, name: str) -> Fix | None:
    """`self.key, subkey = split(self.key)`, and `subkey` where the key is used next.

    For objects whose attributes can be set: of a class without bases or decorators, outside of transforms.
    """
    method = file.unit.scope(call.site)
    if name != "split" or len(call.args) + len(call.keywords) != 1 or type(key.value) is not ir.Name:
        return None
    if not isinstance(method, ir.Function) or not method.is_method or method.decorators or not method.parameters:
        return None
    owner = file.unit.scope(method.site)
    plain = isinstance(owner, ir.ClassDefinition) and not (owner.bases or owner.keywords or owner.decorators)
    if not plain or method.parameters[0].name != key.value.id:
        return None
    statement = file.unit.statement(call.site)
    block = file.unit.parent(statement.site)
    body: list[ir.Statement] = list(getattr(block, "body", ()))
    later = body[body.index(statement) + 1 :] if statement in body else []
    again = next((node for node in ir.walk(later) if _is_same(node, key)), None)
    if (
        again is None
        or isinstance(file.unit.parent(again.site), ir.Assign)
        or statement_above(file, again.site) is None
    ):
        return None
    text, subkey, start = file.code(key.site), free_name(file, key.site, "subkey"), file.outer_span(call.site)[0]
    edits = (Edit(start, start, f"{text}, {subkey} = "), file.replace(again.site, subkey))
    return Fix(f"Bind `{text}` to a new key, and use the other one next", edits, changes=NUMBERS_DRAWN)


def _is_same(node: ir.Node, key: ir.Attribute) -> bool:
    assert isinstance(key.value, ir.Name)
    return isinstance(node, ir.Attribute) and node.attr == key.attr and getattr(node.value, "id", None) == key.value.id
