"""Pytree class that converts leaves, keeps an array in its structure, or loses a field.

## What it does
Reports `jnp.asarray(x)` and the like in the `__init__` of a class registered with
`jax.tree_util.register_pytree_node_class` or `register_pytree_node`, where `tree_unflatten` calls the class and so hands
any leaf to it; an array in the second part of what `tree_flatten` returns; and a field that holds an argument of the
class with a default, which `tree_unflatten` does not pass. A conversion under a condition is not reported, nor is a field
whose default is None, or that nothing reads.

## Why is this bad
JAX puts objects together of whatever stands for a leaf at that time: `jax.ShapeDtypeStruct` in `jax.eval_shape`, None or
strings in `jax.tree.map`, axis numbers in `in_axes`, placeholders in `jax.jacfwd` and `eqx.partition`. The
conversion refuses all of these with `TypeError` or `ValueError`. What is no leaf is part of the structure and compared
with `==`: the second call of a jitted function fails with `ValueError`, because arrays have no single answer. A
field that is not handed on has its default inside of every transform and in what a transform returns, without an error.

## Example
```python
@jax.tree_util.register_pytree_node_class
class Point:
    def __init__(self, x):
        self.x = jnp.asarray(x)

    def tree_flatten(self):
        return (self.x,), None

    @classmethod
    def tree_unflatten(cls, auxiliary, children):
        return cls(*children)
```

## Use instead
```python
    @classmethod
    def tree_unflatten(cls, auxiliary, children):
        new = object.__new__(cls)
        (new.x,) = children
        return new
```

## When to ignore
Where the class is only ever given to `jax.jit` and `jax.grad`, which put it together of arrays.

## Fix safety
Unsafe: `tree_unflatten` is written anew, around `__init__`, from what `tree_flatten` returns, and an array in the second
part becomes one of the children, which changes the structure. There is no fix where the class sets attributes that
`tree_flatten` does not return, has bases, or is decorated with something else too.

## References
- JAX documentation, "Pytrees", "Custom pytrees and initialization"
  (https://docs.jax.dev/en/latest/custom_pytrees.html)
- JAX documentation, "jax.tree_util" (https://docs.jax.dev/en/latest/jax.tree_util.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from jaxlint.analysis.models.pytree_classes import PytreeInitConverts, PytreeLosesField
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_value
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import own_returns
from jaxlint.rewrite.statements import stands_on_own_lines
from jaxlint.source.diagnostic import Category, Edit, Fix

RULE = Rule(
    code="JAX527",
    name="pytree-init-converts",
    summary="Pytree class that converts leaves, keeps an array in its structure, or loses a field.",
    category=Category.FAILS,
    hazards=(PytreeInitConverts, PytreeLosesField),
    error="TypeError",
    fixable="unsafe",
    on="preview",
)


def check(hazard: PytreeInitConverts | PytreeLosesField, file: File) -> Iterator[Finding]:
    code = file.code(hazard.site, 40)
    if isinstance(hazard, PytreeLosesField):
        field = hazard.field
        function = "the lambda" if "lambda" in hazard.function else f"`{hazard.function}`"
        lost = "not restored" if hazard.is_dropped else "omitted"
        yield Finding(
            hazard.site,
            f"Field `{field}` of pytree `{hazard.name}` {lost} by {function}; reset to {hazard.default!r}",
            f"Return `{field}` with the children, or in the auxiliary data if it is not an array, and restore it.",
        )
        return
    if hazard.how == "array":
        yield Finding(
            hazard.site,
            f"Array `{code}` in auxiliary data of pytree `{hazard.name}`",
            "Make it one of the children, or a tuple of numbers; JAX compares auxiliary data with `==`.",
            _fix(hazard, file),
        )
        return
    if hazard.how == "reads":
        yield Finding(
            hazard.site,
            f"`{code}` read from arbitrary leaf when unflattening `{hazard.name}`",
            f"Skip `__init__` in `tree_unflatten`: leaves may be tuples, None or placeholders. Use `new = object.__new__({hazard.name})`, then set the attributes.",
            _fix(hazard, file),
        )
        return
    yield Finding(
        hazard.site,
        f"Leaf conversion when unflattening `{hazard.name}`: `{code}`",
        f"Bypass `__init__` in `tree_unflatten`: `new = object.__new__({hazard.name})`, then set the attributes.",
        _fix(hazard, file),
    )


class _Parts(NamedTuple):
    """What `tree_flatten` returns: attributes."""

    children: list[str]
    auxiliary: list[str]
    is_bare: bool  # the second part is one attribute, in no tuple


def _fix(hazard: PytreeInitConverts, file: File) -> Fix | None:
    definition = next((each for each in file.unit.ancestors(hazard.site) if isinstance(each, ir.ClassDefinition)), None)
    if definition is None or definition.bases or definition.keywords or len(definition.decorators) != 1:
        return None
    methods = {each.function.name: each.function for each in definition.body if isinstance(each, ir.Define)}
    flatten, unflatten = methods.get("tree_flatten"), methods.get("tree_unflatten")
    if flatten is None or unflatten is None or len(unflatten.parameters) != 3:
        return None
    returns = own_returns(flatten)
    if len(returns) != 1:
        return None
    parts = _parts(returns[0].value, flatten)
    stored = {
        node.attr for node in ir.walk(definition.body)
        if isinstance(node, ir.Attribute) and _is_target(file, node) and file.code(node.value.site) == "self"
    }  # fmt: skip
    if parts is None or not stored <= {*parts.children, *parts.auxiliary}:
        return None
    edits = []
    if hazard.how == "array":
        moved = file.code(hazard.site).removeprefix("self.")
        if not parts.is_bare or parts.auxiliary != [moved]:
            return None
        parts = _Parts([*parts.children, moved], [], False)
        text = ", ".join(f"self.{name}" for name in parts.children)
        assert returns[0].value is not None
        edits.append(Edit(*file.outer_span(returns[0].value.site), f"({text}), None"))
    body = [
        each for each in unflatten.body if not (isinstance(each, ir.Evaluate) and isinstance(each.value, ir.Constant))
    ]
    if not body or not stands_on_own_lines(file, body[0]):
        return None
    cls, auxiliary, children = (each.name for each in unflatten.parameters)
    name = "new" if "new" not in (cls, auxiliary, children) else "made"
    lines = [f"{name} = object.__new__({cls})", _unpacked(name, parts.children, children)]
    if parts.auxiliary:
        lines.append(
            f"{name}.{parts.auxiliary[0]} = {auxiliary}"
            if parts.is_bare
            else _unpacked(name, parts.auxiliary, auxiliary)
        )
    lines.append(f"return {name}")
    text = (file.source.newline + file.indentation(body[0].site)).join(lines)
    edits.append(Edit(file.span(body[0].site)[0], file.span(body[-1].site)[1], text))
    title, changes = "Set the attributes, and go around `__init__`", "`__init__` does not run when JAX makes it again"
    return Fix(title, tuple(sorted(edits, key=lambda edit: edit.start)), changes=changes)


def _unpacked(name: str, attributes: list[str], source: str) -> str:
    targets = ", ".join(f"{name}.{attribute}" for attribute in attributes)
    return f"({targets},) = {source}" if len(attributes) == 1 else f"{targets} = {source}"


def _is_target(file: File, node: ir.Node) -> bool:
    above, below = file.unit.parent(node.site), node
    while isinstance(above, (ir.Sequence, ir.Starred)):
        below = above
        above = file.unit.parent(below.site)
    if isinstance(above, ir.Assign):
        return any(each is below for each in above.targets)
    return isinstance(above, (ir.Augment, ir.Annotate, ir.For, ir.WithItem)) and getattr(above, "target", None) is below


def _parts(value: ir.Node | None, flatten: ir.Function) -> _Parts | None:
    if not isinstance(value, ir.Sequence) or len(value.elements) != 2:
        return None
    first, second = (_resolved(each, flatten) for each in value.elements)
    children = _attributes(first) if isinstance(first, ir.Sequence) else None
    if not children:
        return None
    if isinstance(second, ir.Constant) and second.value is None:
        return _Parts(children, [], False)
    auxiliary = _attributes(second)
    return None if auxiliary is None else _Parts(children, auxiliary, not isinstance(second, ir.Sequence))


def _resolved(node: ir.Node, flatten: ir.Function) -> ir.Node:
    value = only_value(flatten, node.id) if isinstance(node, ir.Name) else None
    return node if value is None else value


def _attributes(node: ir.Node) -> list[str] | None:
    """The names of `self.a`, or of several in a display."""
    found = []
    for each in node.elements if isinstance(node, ir.Sequence) else (node,):
        if not (isinstance(each, ir.Attribute) and isinstance(each.value, ir.Name) and each.value.id == "self"):
            return None
        found.append(each.attr)
    return found
