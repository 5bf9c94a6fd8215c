"""Assignments to elements that take another form than `x = x.at[i].set(v)`."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import Array, Const, Host
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope, only_target
from jaxlint.rewrite.arrays import array_names, indices, masks
from jaxlint.rewrite.changes import OTHER_HOLDERS, always_array
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.loops.loop_carry import is_read_elsewhere
from jaxlint.rewrite.operands import argument, beside, operand
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.statements import free_name, stands_on_own_lines
from jaxlint.source.diagnostic import Fix

METHODS = {"": "set", "+": "add", "*": "multiply", "/": "divide", "**": "power"}


@or_none
def of_at(file: File, target: ir.Subscript) -> Fix:
    """`y.at[0] = v`, written as `y = y.at[0].set(v)`."""
    statement, draft = file.unit.statement(target.site), Draft(file)
    operator, value = _written(statement, target)
    array = expect(ir.Name, expect(ir.Attribute, target.value).value).id
    require(array_names.is_bound_here(file.unit.scope(statement.site), array))
    draft.replace(statement.site, f"{array} = {updated(file, file.code(target.site), operator, value)}")
    return draft.fix(f"Make an updated array with `.{METHODS[operator]}`", OTHER_HOLDERS)


def updated(file: File, at: str, operator: str, value: ir.Expression) -> str:
    """The array with another element: ``at`` is `x.at[i]`."""
    return f"{at}.{known(METHODS.get(operator))}({argument(file, value.site)})"


@or_none
def special(hazard: Hazard, file: File, target: ir.Subscript, index: indices.Index) -> Fix:
    """The fix for a mask, a traced end, a variable of the function around, and several targets at once."""
    statement, draft = file.unit.statement(target.site), Draft(file)
    if isinstance(statement, ir.Assign) and not isinstance(only_target(statement), (ir.Name, ir.Subscript)):
        return _of_several(draft, statement)
    operator, value = _written(statement, target)
    array, scope = expect(ir.Name, target.value).id, file.unit.scope(statement.site)
    if not array_names.is_bound_here(scope, array):
        return _of_outer(hazard, draft, target)
    if index.is_mask:
        condition, changes = indices.text_of(file, target), always_array(array)
        require(_is_whole_mask(hazard, file, target.index))
    else:
        condition = _before(hazard, draft, target)
        changes = f"right where `{array}` is a JAX array, and the bound not negative"
    require(masks.scalar(file, value.site))
    require(not isinstance(scope, ir.Function) or is_read_elsewhere(file.unit, statement, array))
    new = f"{array} {operator} {beside(file, value.site)}" if operator else argument(file, value.site)
    text = f"{array} = {draft.api('jax.numpy.where')}({condition}, {new}, {array})"
    if not _keeps_dtype(hazard, file, operator, value):
        text += f".astype({array}.dtype)"
    draft.replace(statement.site, text)
    return draft.fix("Choose the elements with `jnp.where`", changes)


def _written(statement: ir.Statement, target: ir.Node) -> tuple[str, ir.Expression]:
    """Operator and value of a statement that assigns to ``target`` alone."""
    if isinstance(statement, ir.Augment) and statement.target is target:
        return statement.op, statement.value
    require(only_target(statement) is target)
    return "", expect(ir.Assign, statement).value


def _of_several(draft: Draft, statement: ir.Assign) -> Fix:
    """`x[i], y[j] = a, b` and `x[i] = y[j] = a`: all values are read off the arrays as they were."""
    file, head, value = draft.file, "", statement.value
    if len(statement.targets) == 1:
        pairs = list(_pairs(file, statement.targets[0], value))
    else:
        given = argument(file, value.site)
        if not isinstance(value, (ir.Constant, ir.Name)):
            require(stands_on_own_lines(file, statement))
            given = free_name(file, statement.site, "value", "new_value")
            head = f"{given} = {file.code(value.site)}{file.source.newline}{file.indentation(statement.site)}"
        pairs = [(target, given) for target in statement.targets]
    new = _updates(file, statement, pairs)
    arrays = " and ".join(f"`{name}`" for name, code in new.items() if code.startswith(f"{name}.at["))
    draft.replace(statement.site, f"{head}{', '.join(new)} = {', '.join(new.values())}")
    changes = f"right where {arrays} {'are always JAX arrays' if ' and ' in arrays else 'is always a JAX array'}"
    return draft.fix("Make updated arrays", changes)


def _pairs(file: File, target: ir.Node, value: ir.Node) -> Iterator[tuple[ir.Node, str]]:
    """The single targets of an assignment of tuples, each with its value, as they match in the code."""
    if not isinstance(target, ir.Sequence):
        yield target, argument(file, value.site)
        return
    values = expect(ir.Sequence, value)
    require(len(values.elements) == len(target.elements) and values.kind != "set")
    for one, other in zip(target.elements, values.elements):
        require(not isinstance(one, ir.Starred) and not isinstance(other, ir.Starred))
        yield from _pairs(file, one, other)


def _updates(file: File, statement: ir.Assign, pairs: list[tuple[ir.Node, str]]) -> dict[str, str]:
    """What each name becomes, in the order of the targets: an array with all its updates."""
    new: dict[str, str] = {}
    scope = file.unit.scope(statement.site)
    plain = [target.id for target, _ in pairs if isinstance(target, ir.Name)]
    arrays = {root.id for target, _ in pairs if isinstance(root := getattr(target, "value", None), ir.Name)}
    require(len(set(plain)) == len(plain) and not arrays & set(plain))
    for target, code in pairs:
        if isinstance(target, ir.Name):
            new[target.id] = code
            continue
        subscript = expect(ir.Subscript, target)
        name, index = expect(ir.Name, subscript.value).id, indices.Index(file, subscript.index)
        require(index.is_integral and not index.edits and not index.has_traced_bound)
        # An index is evaluated after what stands before it is bound.
        require(not ir.names_below([subscript.index]).keys() & {*plain, *arrays})
        values = file.values(subscript.value.site)
        require(array_names.is_bound_here(scope, name))
        if len(arrays) > 1 or plain:  # one of the others may be a list
            require(values and all(isinstance(each, Array) for each in values))
        new[name] = f"{new.get(name, name)}.at[{indices.text_of(file, subscript)}].set({code})"
    return new


def _of_outer(hazard: Hazard, draft: Draft, target: ir.Subscript) -> Fix:
    """The update of a variable of the enclosing function, which is declared `nonlocal`."""
    file, statement = draft.file, draft.file.unit.statement(target.site)
    array, scope = expect(ir.Name, target.value), expect(ir.Function, file.unit.scope(statement.site))
    owner, index = defining_scope(file.unit, array.site, array.id), indices.Index(file, target.index)
    require(isinstance(owner, ir.Function) and not scope.is_lambda and index.is_integral and not index.edits)
    # In staged code the variable would keep a tracer.
    require(hazard.activation is not None and hazard.activation.stage != "staged")
    at = f"{array.id}.at[{indices.text_of(file, target)}]"
    draft.above(scope.body[0], f"nonlocal {array.id}")
    draft.replace(statement.site, f"{array.id} = {updated(file, at, *_written(statement, target))}")
    return draft.fix(f"Bind `{array.id}` of the enclosing function anew", OTHER_HOLDERS)


def _before(hazard: Hazard, draft: Draft, target: ir.Subscript) -> str:
    """The condition that chooses what `x[:end]` or `x[start:]` does, for an array of one dimension."""
    file, chosen, value = draft.file, expect(ir.Slice, target.index), expect(Array, hazard.value)
    require(chosen.step is None and len(known(value.aval.shape)) == 1)
    require((chosen.lower is None) != (chosen.upper is None))
    bound, sign = (chosen.upper, "<") if chosen.upper is not None else (known(chosen.lower), ">=")
    places = f"{draft.api('jax.numpy.arange')}({file.code(target.value.site)}.shape[0])"
    return f"{places} {sign} {operand(file, bound.site)}"


def _is_whole_mask(hazard: Hazard, file: File, node: ir.Node) -> bool:
    """Whether the mask has an entry for each element: it is computed from the array by comparisons and operators."""
    target = file.unit.nodes[hazard.operand]
    plain = all(isinstance(each, (ir.Compare, ir.Binary, ir.Unary, ir.Name, ir.Constant)) for each in ir.walk([node]))
    if plain and isinstance(node, ir.Compare) and getattr(target.value, "id", None) in ir.names_below([node]):
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
