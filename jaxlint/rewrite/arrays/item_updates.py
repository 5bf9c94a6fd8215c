"""Assignments to elements that take another form than `x = x.at[i].set(v)`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import Array, Const, Host
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope
from jaxlint.rewrite.arrays import array_names, indices, masks
from jaxlint.rewrite.changes import OTHER_HOLDERS, always_array
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument, beside, operand
from jaxlint.rewrite.statements import above, free_name, stands_on_own_lines
from jaxlint.source.diagnostic import Edit, Fix

METHODS = {"": "set", "+": "add", "*": "multiply", "/": "divide", "**": "power"}


def of_at(file: File, target: ir.Subscript) -> Fix | None:
    """`y.at[0] = v`, written as `y = y.at[0].set(v)`."""
    statement = file.unit.statement(target.site)
    written = _written(statement, target)
    array = target.value.value if isinstance(target.value, ir.Attribute) else None
    if written is None or not isinstance(array, ir.Name):
        return None
    if not array_names.is_bound_here(file.unit.scope(statement.site), array.id):
        return None
    operator, value = written
    method = METHODS.get(operator)
    if method is None:
        return None
    text = f"{array.id} = {file.code(target.site)}.{method}({argument(file, value.site)})"
    return _replaced(file, statement, text, f"Make an updated array with `.{method}`", OTHER_HOLDERS)


def special(hazard: Hazard, file: File, target: ir.Subscript, index: indices.Index) -> Fix | None:
    """The fix for a mask, a traced end, a variable of the function around, and several targets at once."""
    statement = file.unit.statement(target.site)
    if isinstance(statement, ir.Assign) and (
        len(statement.targets) > 1 or isinstance(statement.targets[0], ir.Sequence)
    ):
        return _of_several(file, statement)
    written = _written(statement, target)
    array = target.value
    if written is None or not isinstance(array, ir.Name):
        return None
    operator, value = written
    scope = file.unit.scope(statement.site)
    if not array_names.is_bound_here(scope, array.id):
        return _of_outer(hazard, file, statement, target, operator, value)
    condition = indices.text_of(file, target) if index.is_mask else _before(hazard, file, target)
    if condition is None or not masks.scalar(file, value.site):
        return None
    if index.is_mask and not _is_whole_mask(hazard, file, target.index):
        return None
    where, imports = file.api("jax.numpy.where")
    code = argument(file, value.site)
    new = f"{array.id} {operator} {beside(file, value.site)}" if operator else code
    text = f"{array.id} = {where}({condition}, {new}, {array.id})"
    if not _keeps_dtype(hazard, file, operator, value):
        text += f".astype({array.id}.dtype)"
    if isinstance(scope, ir.Function) and not array_names.is_read_after(file, statement, array.id):
        return None
    changes = always_array(array.id)
    if not index.is_mask:
        changes = f"right where `{array.id}` is a JAX array, and the bound not negative"
    fix = _replaced(file, statement, text, "Choose the elements with `jnp.where`", changes)
    return None if fix is None else replace(fix, imports=imports)


def _written(statement: ir.Statement, target: ir.Node) -> tuple[str, ir.Expression] | None:
    """Operator and value of a statement that assigns to ``target`` alone."""
    if isinstance(statement, ir.Augment) and statement.target is target:
        return statement.op, statement.value
    if isinstance(statement, ir.Assign) and len(statement.targets) == 1 and statement.targets[0] is target:
        return "", statement.value
    return None


def _replaced(file: File, statement: ir.Statement, text: str, title: str, changes: str) -> Fix | None:
    start, end = file.span(statement.site)
    return Fix(title, (Edit(start, end, text),), changes=changes)


def _of_several(file: File, statement: ir.Assign) -> Fix | None:
    """`x[i], y[j] = a, b` and `x[i] = y[j] = a`: all values are read off the arrays as they were."""
    head, value = "", statement.value
    if len(statement.targets) == 1:
        pairs = _pairs(statement.targets[0], value)
    elif isinstance(value, (ir.Constant, ir.Name)):
        pairs = [(target, argument(file, value.site)) for target in statement.targets]
    elif stands_on_own_lines(file, statement):
        name = free_name(file, statement.site, "value", "new_value")
        head = f"{name} = {file.code(value.site)}{file.source.newline}{file.indentation(statement.site)}"
        pairs = [(target, name) for target in statement.targets]
    else:
        return None
    pairs = pairs and [(target, each if isinstance(each, str) else argument(file, each.site)) for target, each in pairs]
    new = _updates(file, statement, pairs) if pairs else None
    if new is None:
        return None
    names = [name for name, _ in new]
    arrays = " and ".join(f"`{name}`" for name, code in new if code.startswith(f"{name}.at["))
    text = f"{head}{', '.join(names)} = {', '.join(code for _, code in new)}"
    changes = f"right where {arrays} {'are always JAX arrays' if ' and ' in arrays else 'is always a JAX array'}"
    return _replaced(file, statement, text, "Make updated arrays", changes)


def _pairs(target: ir.Node, value: ir.Node) -> list[tuple[ir.Node, Any]] | None:
    """The single targets of an assignment of tuples, each with its value; None where they do not match in the code."""
    if not isinstance(target, ir.Sequence):
        return [(target, value)]
    if not isinstance(value, ir.Sequence) or len(value.elements) != len(target.elements) or value.kind == "set":
        return None
    if any(isinstance(each, ir.Starred) for each in (*target.elements, *value.elements)):
        return None
    found = [_pairs(*pair) for pair in zip(target.elements, value.elements)]
    return None if None in found else [pair for pairs in found for pair in pairs or ()]


def _updates(file: File, statement: ir.Assign, pairs: list[tuple[ir.Node, str]]) -> list[tuple[str, str]] | None:
    """What each name becomes, in the order of the targets: an array with all its updates."""
    new: dict[str, str] = {}
    scope = file.unit.scope(statement.site)
    plain = [target.id for target, _ in pairs if isinstance(target, ir.Name)]
    arrays = {
        target.value.id for target, _ in pairs if isinstance(target, ir.Subscript) and isinstance(target.value, ir.Name)
    }
    for target, code in pairs:
        if isinstance(target, ir.Name):
            if target.id in new:
                return None
            new[target.id] = code
            continue
        if not isinstance(target, ir.Subscript) or not isinstance(target.value, ir.Name):
            return None
        name, index = target.value.id, indices.Index(file, target.index)
        if not index.is_integral or index.edits or index.has_traced_bound or name in plain:
            return None
        if any(isinstance(node, ir.Name) and node.id in {*plain, *arrays} for node in ir.walk([target.index])):
            return None  # an index is evaluated after what stands before it is bound
        values = file.values(target.value.site)
        if not array_names.is_bound_here(scope, name):
            return None
        if (len(arrays) > 1 or plain) and not (values and all(isinstance(each, Array) for each in values)):
            return None  # one of the others may be a list
        new[name] = f"{new.get(name, name)}.at[{indices.text_of(file, target)}].set({code})"
    return list(new.items())


def _of_outer(
    hazard: Hazard, file: File, statement: ir.Statement, target: ir.Subscript, operator: str, value: ir.Expression
) -> Fix | None:
    """The update of a variable of the enclosing function, which is declared `nonlocal`."""
    array, scope, method = target.value, file.unit.scope(statement.site), METHODS.get(operator)
    assert isinstance(array, ir.Name)
    owner = defining_scope(file.unit, array.site, array.id)
    if method is None or not isinstance(scope, ir.Function) or not isinstance(owner, ir.Function) or scope.is_lambda:
        return None
    if hazard.activation is None or hazard.activation.stage == "staged":
        return None  # the variable would keep a tracer
    index = indices.Index(file, target.index)
    start, end = file.span(statement.site)
    if not index.is_integral or index.edits:
        return None
    text = f"{array.id} = {array.id}.at[{indices.text_of(file, target)}].{method}({argument(file, value.site)})"
    if scope.body[0] is statement:
        line = f"nonlocal {array.id}{file.source.newline}{file.indentation(statement.site)}"
        edits: tuple[Edit, ...] = (Edit(start, end, line + text),)
    else:
        declared = above(file, scope.body[0], f"nonlocal {array.id}")
        if declared is None:
            return None
        edits = (declared, Edit(start, end, text))
    return Fix(f"Bind `{array.id}` of the enclosing function anew", edits, changes=OTHER_HOLDERS)


def _before(hazard: Hazard, file: File, target: ir.Subscript) -> str | None:
    """The condition that chooses what `x[:end]` or `x[start:]` does, for an array of one dimension."""
    chosen, value = target.index, hazard.value
    if not isinstance(chosen, ir.Slice) or chosen.step is not None or not isinstance(value, Array):
        return None
    if value.aval.shape is None or len(value.aval.shape) != 1 or (chosen.lower is None) == (chosen.upper is None):
        return None
    arange = file.api("jax.numpy.arange")[0]
    bound, sign = (chosen.upper, "<") if chosen.upper is not None else (chosen.lower, ">=")
    assert bound is not None
    return f"{arange}({file.code(target.value.site)}.shape[0]) {sign} {operand(file, bound.site)}"


def _is_whole_mask(hazard: Hazard, file: File, node: ir.Node) -> bool:
    """Whether the mask has an entry for each element: it is computed from the array by comparisons and operators."""
    if isinstance(node, (ir.Sequence, ir.Slice)):
        return False
    target = file.unit.nodes[hazard.operand]
    names = {each.id for each in ir.walk([node]) if isinstance(each, ir.Name)}
    plain = all(isinstance(each, (ir.Compare, ir.Binary, ir.Unary, ir.Name, ir.Constant)) for each in ir.walk([node]))
    if isinstance(target.value, ir.Name) and plain and isinstance(node, ir.Compare) and target.value.id in names:
        return True
    shapes = [value.aval.shape if isinstance(value, (Array, Host)) else None for value in file.values(node.site)]
    own = hazard.value.aval.shape if isinstance(hazard.value, Array) else None
    return own is not None and None not in own and bool(shapes) and all(shape == own for shape in shapes)


def _keeps_dtype(hazard: Hazard, file: File, operator: str, value: ir.Node) -> bool:
    """Whether the chosen values have the dtype of the array."""
    aval = hazard.value.aval if isinstance(hazard.value, Array) else None
    if aval is None or aval.dtype is None or aval.weak or operator in ("/", "**"):
        return False
    kinds = {"float32": (int, float), "int32": (int,)}.get(aval.dtype, ())
    return all(type(each) is Const and type(each.value) in kinds for each in file.values(value.site))
