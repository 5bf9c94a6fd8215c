"""Draws of which only the structure is looked at: the inputs of `init`, and modules whose weights are then read from a file.

What is computed of them, by a module or by one more draw, may be looked at in the same way.
"""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.context import Frame
from jaxlint.analysis.domain.state import Instance
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_by, defining_scope, is_assigned

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

# Functions that take no more than the structure of an argument, with its position and name.
_TEMPLATES = {
    "equinox.tree_deserialise_leaves": (1, "like"),
    "flax.serialization.from_bytes": (0, "target"),
    "flax.serialization.from_state_dict": (0, "target"),
}
_MAPS = frozenset({"jax.tree.map", "jax.tree_util.tree_map"})
_ABSTRACT = "to_shape_dtype_struct"  # of Orbax: what stands for an array that is read from a file
SHAPES = frozenset({"shape", "dtype", "ndim", "size"})
_MAKING = frozenset({"init", "init_with_output", "lazy_init", "tabulate"})  # by which modules make their parameters
_HANDING_ON = (ir.Sequence, ir.Dict, ir.Binary, ir.Unary)
_MAX_DEPTH = 3  # of names that hold others


def is_placeholder(i: Interpreter, site: int) -> bool:
    """Whether a statement binds a name to what a call gives, and all that reads it takes its structure alone."""
    scope = i.unit.scope(site)
    frame = next((each for each in reversed(i.running) if each.scope is scope), None)
    frame = i.module_frame if isinstance(scope, ir.Module) else frame
    return frame is not None and _is_structure(i, i.unit.statement(site), frame, 0)


def _is_structure(i: Interpreter, statement: ir.Statement, frame: Frame, depth: int) -> bool:
    if type(statement) is not ir.Assign or len(statement.targets) != 1 or depth > _MAX_DEPTH:
        return False
    unit, target = i.unit, statement.targets[0]
    scope = unit.scope(statement.site)
    if type(target) is not ir.Name or not isinstance(scope, (ir.Function, ir.Module)) or target.id not in scope.locals:
        return False
    around = unit.ancestors(statement.site)
    is_repeated = any(isinstance(each, (ir.For, ir.While)) for each in around)
    seen = False
    for read in ir.walk(scope.body):
        if type(read) is not ir.Name or read.id != target.id or is_assigned(unit, read):
            continue
        if defining_scope(unit, read.site, read.id) is not scope:
            continue
        if unit.order(read.site) < unit.order(statement.site):
            if is_repeated:
                return False
        elif not _is_bound_between(i, statement, read):
            if not _asks_for_structure(i, read, frame, depth):
                return False
            seen = True
    if seen or depth == 0:
        return seen
    is_shown = isinstance(scope, ir.Module) and bool(scope.cells)
    return not is_shown and not is_importable(unit, statement.site)


def is_importable(unit: ir.Unit, site: int) -> bool:
    """Whether a statement is one of a module, whose names other modules may read."""
    scope = unit.scope(site)
    if not isinstance(scope, ir.Module) or scope.cells:
        return False
    tests = [node.test for node in unit.ancestors(site) if isinstance(node, ir.If)]
    return not any(isinstance(node, ir.Name) and node.id == "__name__" for node in ir.walk(tests))


def _is_bound_between(i: Interpreter, statement: ir.Statement, read: ir.Name) -> bool:
    """Whether the block of a statement binds its name anew before a reading."""
    block = i.unit.block(statement.site)
    for later in block[block.index(statement) + 1 :]:
        if any(node is read for node in ir.walk([later])):
            return False
        if read.id in bound_by(later):
            return True
    return False


def _asks_for_structure(i: Interpreter, read: ir.Name, frame: Frame, depth: int) -> bool:
    """Whether what reads a name takes the structure of its value, or holds it in another name of which that is so."""
    node: ir.Node = read
    while True:
        above = i.unit.parent(node.site)
        if isinstance(above, ir.Keyword):
            node, above = above, i.unit.parent(above.site)
        if isinstance(above, ir.Attribute):
            return above.attr in SHAPES
        if isinstance(above, ir.Assign) and above.value is node:
            return _is_structure(i, above, frame, depth + 1)
        if isinstance(above, ir.Call) and above.func is not node:
            if _is_template(i, above, node, frame):
                return True
            if not _computes(i, above, node, frame):
                return False
        elif not isinstance(above, _HANDING_ON):
            return False
        node = above


def _computes(i: Interpreter, call: ir.Call, argument: ir.Node, frame: Frame) -> bool:
    """Whether a call gives what it makes of an argument, and does no more: a function of JAX, a sampler, a module."""
    callee = i.named(ir.dotted(call.func) or "", frame)
    if type(callee) is v.Api and callee.name.startswith("jax.numpy."):
        return True
    is_first = argument in call.args[:1] or getattr(argument, "name", "") == "key"
    if type(callee) is v.Api and callee.name.startswith("jax.random."):
        return not is_first
    return not is_first and _is_method(i, call, frame, {"apply"})


def _is_template(i: Interpreter, call: ir.Call, argument: ir.Node, frame: Frame) -> bool:
    """Whether a call takes the structure of an argument alone."""
    callee = i.named(ir.dotted(call.func) or "", frame)
    if type(callee) is v.Api and callee.name in _MAPS:
        function = i.named(ir.dotted(call.args[0]) or "", frame) if len(call.args) == 2 else None
        return type(function) is v.Api and function.name.endswith(_ABSTRACT)
    place = _TEMPLATES.get(callee.name) if type(callee) is v.Api else None
    if place is not None:
        position, name = place
        return (
            argument.name == name
            if isinstance(argument, ir.Keyword)
            else argument in call.args[position : position + 1]
        )
    return argument not in call.args[:1] and _is_method(i, call, frame, _MAKING)


def _is_method(i: Interpreter, call: ir.Call, frame: Frame, names: Container[str]) -> bool:
    """Whether a call is one of a method of a module of Flax, or of what Haiku has transformed."""
    if type(call.func) is not ir.Attribute or call.func.attr not in names:
        return False
    name = ir.dotted(call.func.value) or ""
    module = i.named(name, frame)
    if module is None or type(module) is v.Unknown:  # it is made below
        module = i.named(ir.dotted(_maker(i.unit.scope(call.site), name)) or "", frame)
    contents = i.contents(module) if module is not None else None
    if type(contents) is Instance:
        module = contents.cls
    if type(module) is v.ClassValue:
        return module.family == "linen"
    if type(module) is v.OpaqueInstance:
        return module.class_name.startswith("flax.linen.")
    if type(module) is v.Api:
        return module.name.startswith("flax.linen.")
    return type(module) is v.Transformed and module.transform.behaviour == "haiku_transform"


def _maker(scope: ir.Scope, name: str) -> ir.Node | None:
    """What is called to make the value of a name or attribute that a scope binds once."""
    made = [
        node.value
        for node in ir.walk(scope.body, into_scopes=False)
        if type(node) is ir.Assign and [ir.dotted(target) for target in node.targets] == [name]
    ]
    return made[0].func if len(made) == 1 and type(made[0]) is ir.Call else None
