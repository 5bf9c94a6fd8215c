"""`tree_unflatten` written anew: it sets the attributes, and goes around `__init__`."""

from __future__ import annotations

from typing import NamedTuple

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_result, resolved
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.statements import first_statement, stands_on_own_lines
from jaxlint.source.diagnostic import Edit, Fix


class _Parts(NamedTuple):
    """What `tree_flatten` returns: attributes."""

    children: list[str]
    auxiliary: list[str]
    is_bare: bool  # the second part is one attribute, in no tuple


@or_none
def around_init(file: File, site: int, moved: str = "") -> Fix:
    """For the class around a site; an attribute that is the whole second part may move to the children."""
    definition = known(next((each for each in file.unit.ancestors(site) if isinstance(each, ir.ClassDefinition)), None))
    require(not definition.bases and not definition.keywords and len(definition.decorators) == 1)
    methods = {each.function.name: each.function for each in definition.body if isinstance(each, ir.Define)}
    flatten, unflatten = known(methods.get("tree_flatten")), known(methods.get("tree_unflatten"))
    require(len(unflatten.parameters) == 3)
    returned = known(only_result(flatten))
    parts = _parts(file, returned)
    stored = {
        node.attr for node in ir.walk(definition.body)
        if isinstance(node, ir.Attribute) and _is_target(file, node) and file.code(node.value.site) == "self"
    }  # fmt: skip
    require(stored <= {*parts.children, *parts.auxiliary})
    edits = []
    if moved:
        require(parts.is_bare and parts.auxiliary == [moved])
        parts = _Parts([*parts.children, moved], [], False)
        text = ", ".join(f"self.{name}" for name in parts.children)
        edits.append(Edit(*file.outer_span(returned.site), f"({text}), None"))
    first, last = first_statement(unflatten), unflatten.body[-1]
    require(stands_on_own_lines(file, first))
    cls, auxiliary, children = (each.name for each in unflatten.parameters)
    name = "new" if "new" not in (cls, auxiliary, children) else "made"
    lines = [f"{name} = object.__new__({cls})", _unpacked(name, parts.children, children)]
    if parts.is_bare:
        lines.append(f"{name}.{parts.auxiliary[0]} = {auxiliary}")
    elif parts.auxiliary:
        lines.append(_unpacked(name, parts.auxiliary, auxiliary))
    lines.append(f"return {name}")
    text = (file.source.newline + file.indentation(first.site)).join(lines)
    edits.append(Edit(file.span(first.site)[0], file.span(last.site)[1], text))
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


def _parts(file: File, value: ir.Node) -> _Parts:
    display = expect(ir.Sequence, value).elements
    require(len(display) == 2)
    first, second = (resolved(file.unit, each) for each in display)
    children = _attributes(expect(ir.Sequence, first))
    require(children)
    if ir.is_none(second):
        return _Parts(children, [], False)
    return _Parts(children, _attributes(second), not isinstance(second, ir.Sequence))


def _attributes(node: ir.Node) -> list[str]:
    """The names of `self.a`, or of several in a display."""
    written = [expect(ir.Attribute, each) for each in (node.elements if isinstance(node, ir.Sequence) else (node,))]
    require(all(isinstance(each.value, ir.Name) and each.value.id == "self" for each in written))
    return [each.attr for each in written]
