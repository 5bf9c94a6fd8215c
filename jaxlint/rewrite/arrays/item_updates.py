"""Assignments to elements as updates of JAX arrays: what their indices are made of, and the arrays of NumPy that they fill."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import Array, Const, Host
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope, only_target, only_value
from jaxlint.rewrite.arrays import array_names, masks
from jaxlint.rewrite.arrays.jax_counterpart import counterpart
from jaxlint.rewrite.changes import ARRAY_OF_32_BITS, OTHER_HOLDERS, always_array
from jaxlint.rewrite.control_flow.dataflow import is_read_elsewhere
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument, beside, is_repeatable, operand
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.statements import free_name, stands_on_own_lines
from jaxlint.source.diagnostic import Edit, Fix, ImportRequest

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
def special(hazard: Hazard, file: File, target: ir.Subscript, index: Index) -> Fix:
    """The fix for a mask, a traced end, a variable of the function around, and several targets at once."""
    statement, draft = file.unit.statement(target.site), Draft(file)
    if isinstance(statement, ir.Assign) and not isinstance(only_target(statement), (ir.Name, ir.Subscript)):
        return _of_several(draft, statement)
    operator, value = _written(statement, target)
    array, scope = expect(ir.Name, target.value).id, file.unit.scope(statement.site)
    if not array_names.is_bound_here(scope, array):
        return _of_outer(hazard, draft, target)
    if index.is_mask:
        condition, changes = text_of(file, target), always_array(array)
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
        name, index = expect(ir.Name, subscript.value).id, Index(file, subscript.index)
        require(index.is_integral and not index.edits and not index.has_traced_bound)
        # An index is evaluated after what stands before it is bound.
        require(not ir.names_below([subscript.index]).keys() & {*plain, *arrays})
        values = file.values(subscript.value.site)
        require(array_names.is_bound_here(scope, name))
        if len(arrays) > 1 or plain:  # one of the others may be a list
            require(values and all(isinstance(each, Array) for each in values))
        new[name] = f"{new.get(name, name)}.at[{text_of(file, subscript)}].set({code})"
    return new


def _of_outer(hazard: Hazard, draft: Draft, target: ir.Subscript) -> Fix:
    """The update of a variable of the enclosing function, which is declared `nonlocal`."""
    file, statement = draft.file, draft.file.unit.statement(target.site)
    array, scope = expect(ir.Name, target.value), expect(ir.Function, file.unit.scope(statement.site))
    owner, index = defining_scope(file.unit, array.site, array.id), Index(file, target.index)
    require(isinstance(owner, ir.Function) and not scope.is_lambda and index.is_integral and not index.edits)
    # In staged code the variable would keep a tracer.
    require(hazard.activation is not None and hazard.activation.stage != "staged")
    at = f"{array.id}.at[{text_of(file, target)}]"
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


_MAKERS = frozenset(
    f"numpy.{name}" for name in "zeros ones empty full zeros_like ones_like full_like arange array".split()
)


@or_none
def made_by_jax(file: File, target: ir.Node) -> Fix:
    """The fix that makes the array of ``target`` with `jax.numpy`, and updates it where the code stores into it."""
    statement, name = file.unit.statement(target.site), expect(ir.Name, expect(ir.Subscript, target).value).id
    scope, draft = expect(ir.Function, file.unit.scope(target.site)), Draft(file)
    call = expect(ir.Call, only_value(scope, name))
    api = file.api_name(call.func.site)
    require(api in _MAKERS and is_read_elsewhere(file.unit, statement, name))
    require(not any(name in inner.free for inner in ir.walk(scope.body) if isinstance(inner, ir.Scope)))
    maker = draft.use(call.func.site, known(counterpart(file, call, api)))
    for node in ir.walk(scope.body, into_scopes=False):
        match node:
            case ir.Assign(targets=[ir.Subscript() as stored], value=value):
                operator = ""
            case ir.Augment(target=ir.Subscript() as stored, op=operator, value=value):
                pass
            case ir.Assign(targets=targets):
                require(not any(_stores(target, name) for target in targets))
                continue
            case _:
                continue
        if _stores(stored, name):
            at = f"{name}.at[{text_of(file, stored)}]"
            draft.replace(node.site, f"{name} = {updated(file, at, operator, value)}")
    return draft.fix(f"Make `{name}` with `{maker}`, and update it with `.at[…]`", ARRAY_OF_32_BITS)


def _stores(target: ir.Node, name: str) -> bool:
    """Whether a target is an element of the variable, or has one."""
    if isinstance(target, ir.Sequence):
        return any(_stores(each, name) for each in target.elements)
    return isinstance(target, ir.Subscript) and isinstance(target.value, ir.Name) and target.value.id == name


class Index:
    """The index of a subscript, judged part by part over every time the analysis came to it."""

    def __init__(self, file: File, node: ir.Node) -> None:
        parts = node.elements if isinstance(node, ir.Sequence) and node.kind == "tuple" else [node]
        kinds = {kind for part in parts for kind in _kinds(file, part)}
        self.is_mask = "mask" in kinds
        self.has_traced_bound = "traced bound" in kinds
        self.has_array = "array" in kinds
        self.is_integral = bool(kinds) and kinds <= {"integer", "slice", "array"}
        self.is_repeatable = is_repeatable(node)
        self.edits: list[Edit] = []
        self.imports: frozenset[ImportRequest] = frozenset()
        if isinstance(node, ir.Sequence) and node.kind == "list":  # `x.at[[0, 1]]` is refused
            start, end = file.span(node.site)
            array, self.imports = file.api("jax.numpy.array")
            self.edits = [Edit(start, start, f"{array}("), Edit(end, end, ")")]


def _kinds(file: File, part: ir.Node) -> set[str]:
    if isinstance(part, ir.Slice):
        bounds = [bound for bound in (part.lower, part.upper, part.step) if bound is not None]
        kinds = {kind for bound in bounds for kind in _kinds(file, bound)}
        values = [value for bound in bounds for value in file.values(bound.site)]
        if any(type(value) is v.Undecided or (type(value) is v.Array and value.cls in v.ABSTRACT) for value in values):
            return {"traced bound"}
        return {"slice"} if kinds <= {"integer", "slice"} else {"unknown"}
    return {_kind(value) for value in file.values(part.site)} or {"unknown"}


def _kind(value: v.Value) -> str:
    if type(value) is v.Const:
        if value.value is None or value.value is ...:
            return "slice"
        return "integer" if type(value.value) is int else "unknown"
    if type(value) is v.Static:
        return "integer" if value.type == "int" else "unknown"
    if isinstance(value, (v.Array, v.Host)):
        dtype = value.aval.dtype or ""
        if dtype == "bool":
            return "mask"
        if dtype.startswith(("int", "uint")):
            return "integer" if value.aval.shape == () else "array"
    return "unknown"


def text_of(file: File, subscript: ir.Subscript) -> str:
    """What stands between the brackets."""
    inside = file.source.text[file.outer_span(subscript.value.site)[1] : file.span(subscript.site)[1]]
    return inside.strip()[1:-1].strip()
