"""`tree_unflatten` written anew: it sets the attributes, and goes around `__init__`."""

from __future__ import annotations

from typing import NamedTuple

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_value, own_returns
from jaxlint.rewrite.file import File
from jaxlint.rewrite.statements import stands_on_own_lines
from jaxlint.source.diagnostic import Edit, Fix


class _Parts(NamedTuple):
    """What `tree_flatten` returns: attributes."""

    children: list[str]
    auxiliary: list[str]
    is_bare: bool  # the second part is one attribute, in no tuple


def around_init(file: File, site: int, moved: str = "") -> Fix | None:
    """For the class around a site; an attribute that is the whole second part may move to the children."""
    definition = next((each for each in file.unit.ancestors(site) if isinstance(each, ir.ClassDefinition)), None)
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
    if moved:
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
    return Fix(title, tuple(edits), changes=changes)


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
