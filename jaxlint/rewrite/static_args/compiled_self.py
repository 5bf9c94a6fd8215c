"""The fix for `self` of a compiled method: static, a pytree, or not read where it changes."""

from __future__ import annotations

from jaxlint.analysis.interpreter.hashing import hashable_instances
from jaxlint.analysis.transforms.static_self import JitMethodWithoutStaticSelf
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import PASSED
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import operand
from jaxlint.rewrite.parameters import add_parameter
from jaxlint.rewrite.transform_options import entries_of, rewritten, tuple_text
from jaxlint.rewrite.transforms.returned import registered_dataclass
from jaxlint.source.diagnostic import Applicability, Fix

_READ_ONCE = "its attributes are read once for each object"


def compiled_self(hazard: JitMethodWithoutStaticSelf, file: File) -> Fix | None:
    if not all(site in file.unit for site in (hazard.site, hazard.function.function.site)):
        return None
    if hazard.attribute is not None:
        return _passed(hazard, file)
    node = file.unit.nodes[hazard.site]
    if not hashable_instances(hazard.cls):
        fix = registered_dataclass(file, hazard.cls.definition)
        return None if fix is None else fix.lowered(Applicability.DISPLAY)
    if isinstance(node, (ir.Name, ir.Attribute)):
        partial, imports = file.api("functools.partial")
        edit = file.replace(node.site, f"{partial}({file.code(node.site)}, static_argnums=0)")
        return Fix("Make `self` static", (edit,), imports=imports, changes=_READ_ONCE)
    return _added(hazard, file, node) if isinstance(node, ir.Call) else None


def _added(hazard: JitMethodWithoutStaticSelf, file: File, call: ir.Call) -> Fix | None:
    """`self` among the static arguments that the decorator has."""
    options = {each.name: each.value for each in call.keywords}
    numbers, names = options.get("static_argnums"), options.get("static_argnames")
    value = numbers if numbers is not None else names
    if None in options or len(call.args) > 1 or value is None or (numbers is not None and names is not None):
        return None
    entries = entries_of(file, value) if isinstance(value, ir.Sequence) else [file.code(value.site)]
    if not entries or not all(isinstance(each, ir.Constant) for each in getattr(value, "elements", [value])):
        return None
    me = hazard.function.function.parameters[0].name
    if names is not None:
        new = [f'"{me}"', *entries]
        edit = rewritten(file, value, tuple_text(new))
        return Fix("Make `self` static, too", (edit,), changes=_READ_ONCE)
    if not all(each.isdigit() for each in entries):
        return None
    # Counted without `self`, where that leaves all of them among the parameters.
    count = len(hazard.function.function.parameters)
    counted = [int(each) + 1 for each in entries]
    counted = counted if max(counted) < count else [int(each) for each in entries]
    text = tuple_text(["0", *map(str, counted)])
    edit = rewritten(file, value, text)
    return Fix("Count `self`, and make it static", (edit,), changes=_READ_ONCE)


def _passed(hazard: JitMethodWithoutStaticSelf, file: File) -> Fix | None:
    """The attribute that changes as an argument of the method."""
    function, name = hazard.function.function, hazard.attribute
    if name is None or not function.parameters:
        return None
    me = function.parameters[0].name
    reads = [
        node
        for node in ir.walk(function.body)
        if isinstance(node, ir.Attribute)
        and node.attr == name
        and isinstance(node.value, ir.Name)
        and node.value.id == me
    ]
    stored = any(
        read is target
        for node in ir.walk(function.body)
        for target in (node.targets if isinstance(node, (ir.Assign, ir.Delete)) else [getattr(node, "target", None)])
        for read in reads
    )
    others = [node for node in ir.walk(function.body) if isinstance(node, ir.Name) and node.id == me]
    if not reads or stored or any(not isinstance(file.unit.parent(node.site), ir.Attribute) for node in others):
        return None
    change = add_parameter(file, function, name, lambda call: _attribute(file, call, name))
    if change is None:
        return None
    edits = [*change.edits, *(file.replace(read.site, name) for read in reads)]
    title = f"Pass `{name}` as an argument of `{function.name}`"
    return Fix(title, tuple(edits), change.level, changes=PASSED)


def _attribute(file: File, call: ir.Call, name: str) -> str | None:
    """The attribute of the object whose method is called."""
    if not isinstance(call.func, ir.Attribute) or not isinstance(call.func.value, (ir.Name, ir.Attribute)):
        return None  # it would be computed twice
    return f"{operand(file, call.func.value.site)}.{name}"
