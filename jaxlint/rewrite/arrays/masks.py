"""Boolean masks: their shape against that of the array, and reductions of what they select as reductions of the whole."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import NamedTuple

from jaxlint.analysis.domain.hazards import BranchOnTracer
from jaxlint.analysis.domain.values import NUMERIC_TYPES, Array, Aval, Const, Host, Static, Unknown, Value
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, names_of, reads_of, resolved
from jaxlint.rewrite import operands
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import value_of
from jaxlint.rewrite.operands import argument, is_path, is_repeatable
from jaxlint.rewrite.requirements import NoFix, call_of, expect, known, or_none, plain_call, require, sole
from jaxlint.source.diagnostic import Edit, Fix

SHAPED = (Array, Host)

# Functions of `jax.numpy` that work element by element.
_ELEMENTWISE = tuple(
    f"jax.numpy.{name}"
    for name in "isnan isinf isfinite isneginf isposinf signbit logical_not logical_and logical_or logical_xor"
    " greater greater_equal less less_equal equal not_equal abs absolute negative invert".split()
)


def is_mask(file: File, site: int) -> bool:
    """Whether the index is one array, no tuple of indices.

    Where a function is also run with arguments that nobody knows, so is the index.
    """
    kinds = {type(value) for value in file.values(site)}
    return Array in kinds and kinds <= {Array, Unknown}


def is_scalar(value: Value) -> bool:
    """Whether the value is certainly a number or an array without dimensions."""
    if type(value) is Const:
        return isinstance(value.value, (bool, int, float, complex))
    if type(value) is Static:
        return value.type in NUMERIC_TYPES
    return type(value) in (Array, Host) and value.aval.shape == ()  # type: ignore[attr-defined]


def scalar(file: File, site: int) -> bool:
    """``is_scalar`` of an expression, whenever the analysis came to it."""
    return file.always(site, is_scalar)


def covers(file: File, mask: int, array: int) -> bool:
    """Whether the mask certainly has the shape of the array, element for element."""
    code = file.code(array)
    return _is_elementwise(file, file.unit.nodes[mask], code) or _same_known_shape(file, mask, array)


def misfits(file: File, mask: int, array: int) -> bool:
    """Whether the mask certainly has fewer or more dimensions than the array."""
    ranks = [{aval.ndim for aval in _avals(file, site)} for site in (mask, array)]
    return all(len(each) == 1 and None not in each for each in ranks) and ranks[0] != ranks[1]


def rank(file: File, site: int) -> int | None:
    """The number of dimensions of an expression, where it is known."""
    return sole({aval.ndim for aval in _avals(file, site)})


def _avals(file: File, site: int) -> list[Aval]:
    return [value.aval if type(value) in (Array, Host) else Aval() for value in file.values(site)]  # type: ignore


def _same_known_shape(file: File, mask: int, array: int) -> bool:
    shapes = {aval.shape for site in (mask, array) for aval in _avals(file, site)}
    return len(shapes) == 1 and None not in shapes and all(None not in shape for shape in shapes if shape is not None)


def _is_elementwise(file: File, node: ir.Node, array: str) -> bool:
    """Whether the expression is made of the array itself and of numbers alone, by elementwise operations."""
    if is_path(node):
        return file.code(node.site) == array
    if isinstance(node, ir.Unary):
        return node.op != "not" and _is_elementwise(file, node.operand, array)
    operands: list[ir.Node] = []
    if isinstance(node, ir.Compare) and len(node.ops) == 1 and node.ops[0] in ("<", "<=", ">", ">=", "==", "!="):
        operands = [node.left, *node.rights]
    elif isinstance(node, ir.Binary) and node.op != "@":
        operands = [node.left, node.right]
    elif isinstance(node, ir.Call) and not node.keywords and file.is_api(node.func.site, *_ELEMENTWISE):
        operands = list(node.args)
    alike = [_is_elementwise(file, each, array) for each in operands]
    return any(alike) and all(same or scalar(file, each.site) for same, each in zip(alike, operands))


_IDENTITY = {
    "sum": "0", "nansum": "0", "mean": "0", "prod": "1", "nanprod": "1", "any": "False", "all": "True", "count_nonzero": "0",
    "linalg.norm": "0",
}  # fmt: skip
_EXTREMES = {"min": "max", "amin": "max", "max": "min", "amax": "min"}  # reduction -> limit of the dtype
_SPREADS = frozenset({"std", "var"})  # there is no neutral value: they take `where=`
_OPTIONS = frozenset({"axis", "keepdims", "dtype", "ddof"})
_SMOOTH = frozenset(
    f"jax.numpy.{name}"
    for name in "abs absolute exp expm1 log log1p log2 log10 sqrt square sin cos tanh negative sign isnan".split()
)


@dataclass(frozen=True)
class Selection:
    """The elements of ``array`` where ``mask`` is true, as the expression ``node`` makes them.

    ``array`` and ``mask`` are source text fit to be arguments; ``values`` what is known of the array.
    """

    node: ir.Node
    array: str
    mask: str
    values: tuple[Value, ...] = ()
    is_repeatable: bool = True  # whether the mask may be computed twice
    rows: str = ""  # a mask of rows before it was widened
    is_widened: bool = False  # whether the mask has fewer elements than the array
    covers: bool = False  # whether the mask certainly has the shape of the array, so that a vector is selected
    along_first: bool = False  # whether the mask is one of the first axis alone, so that other axes are as before


def said_of_dtype(neutral: str) -> str:
    """What a message says of dtypes where a value stands for what is left out: an infinity makes floats of integers."""
    return "for floats, and " if "inf" in neutral and "iinfo" not in neutral else ""


@or_none
def selected(file: File, chosen: ir.Node, mask: ir.Node) -> Selection:
    """`x[mask]`, `x[mask, 1]` and `x.at[mask].get()` as a selection; a mask of rows is given its missing axes."""
    node: ir.Expression = expect(ir.Subscript, chosen)
    require(is_mask(file, mask.site))
    base, index = expect(ir.Subscript, chosen).value, expect(ir.Subscript, chosen).index
    if isinstance(base, ir.Attribute) and base.attr == "at":
        method = expect(ir.Attribute, file.unit.parent(chosen.site))
        node, base = plain_call(call_of(file, method), 0), base.value
        require(method.attr == "get")
    values = tuple(file.values(base.site))
    array, code = operands.argument(file, base.site), operands.argument(file, mask.site)
    found = Selection(node, array, code, values, is_repeatable(mask), covers=covers(file, mask.site, base.site))
    dimensions, of_mask = rank(file, base.site), rank(file, mask.site)
    if index is not mask:
        return _column(file, found, base, index, mask, dimensions)
    if dimensions is None or of_mask is None:
        require(not _has_axis(file, mask))  # rows that are told by a reduction are fewer than elements
        return replace(found, along_first=dimensions == 1 == of_mask)
    if dimensions == of_mask:
        return replace(found, along_first=dimensions == 1)
    require(0 < of_mask < dimensions)
    whole = ":, " if of_mask == 1 else "..., "
    widened = f"{operands.operand(file, mask.site)}[{whole}{', '.join(['None'] * (dimensions - of_mask))}]"
    return replace(found, mask=widened, rows=code if of_mask == 1 else "", is_widened=True, along_first=of_mask == 1)


def _has_axis(file: File, mask: ir.Node) -> bool:
    """Whether a mask is made of a reduction along some axes, where it is written or where its name is bound."""
    return any(
        isinstance(node, ir.Call) and any(each.name == "axis" for each in node.keywords)
        for node in ir.walk([resolved(file.unit, mask)], into_scopes=False)
    )


def _column(
    file: File, found: Selection, base: ir.Node, index: ir.Node, mask: ir.Node, dimensions: int | None
) -> Selection:
    """`x[mask, 1]`: the whole column `x[:, 1]`, and the mask."""
    elements = expect(ir.Sequence, index).elements
    require(mask in elements and dimensions in (None, len(elements)))
    require(all(each is mask or type(getattr(each, "value", None)) is int for each in elements))
    parts = [":" if each is mask else file.code(each.site) for each in elements]
    return replace(found, array=f"{operands.operand(file, base.site)}[{', '.join(parts)}]", along_first=True)


@or_none
def masked_reduction(draft: Draft, selection: Selection | None) -> str:
    """Rewrites the reduction of a selection that goes into nothing else; gives what stands where the mask is false."""
    selection, file = known(selection), draft.file
    top = computed(file, selection.node)
    is_whole, reduced = top is selection.node, reduction(file, top, selection)
    if reduced is None:
        require(is_whole)
        return _counted(draft, selection)
    call, name = reduced
    plain = is_whole and not call.keywords
    if plain and name == "mean" and selection.is_repeatable and not selection.is_widened:
        return _mean(draft, selection, call)
    if name not in _EXTREMES and (name in _SPREADS or name == "mean" or not plain):
        with_where(draft, call, selection.node, selection.array, selection.mask, inside=not is_whole)
        return "nothing"
    require(is_whole)
    neutral = _neutral(draft, selection, name)
    draft.replace_whole(selection.node.site, draft.call("jax.numpy.where", selection.mask, selection.array, neutral))
    return neutral


def with_where(draft: Draft, call: ir.Call, selected: ir.Node, array: str, mask: str, inside: bool) -> None:
    """The reduction of an array in the place of a selection from it, which may be a part of what is reduced."""
    if inside:
        draft.replace(selected.site, array)
    else:
        draft.replace_whole(selected.site, array)
    draft.append_argument(call, f"where={mask}")


def _mean(draft: Draft, selection: Selection, call: ir.Call) -> str:
    parsed = ast.parse(f"({selection.mask})", mode="eval").body
    binds = isinstance(parsed, (ast.Name, ast.Attribute, ast.Subscript, ast.Call))
    mask = selection.mask if binds else f"({selection.mask})"
    where = draft.call("jax.numpy.where", selection.mask, selection.array, "0")
    quotient = f"{where}.sum() / {mask}.sum()"
    alone = isinstance(draft.file.unit.parent(call.site), (ir.Statement, ir.Call, ir.Keyword, ir.Sequence))
    draft.replace(call.site, quotient if alone else f"({quotient})")
    return "0"


def computed(file: File, node: ir.Node) -> ir.Node:
    """The outermost expression that is computed from another one element by element, with numbers alone beside it."""
    while True:
        above = file.unit.parent(node.site)
        match above:
            case ir.Unary(op="-" | "+" | "~"):
                pass
            case ir.Binary(op=op, left=left, right=right) if op != "@":
                if not scalar(file, (right if left is node else left).site):
                    return node
            case ir.Call(args=[argument], keywords=()) if argument is node:
                if not file.is_api(above.func.site, *_SMOOTH):
                    return node
            case _:
                return node
        node = above


@or_none
def reduction(file: File, node: ir.Node, selection: Selection) -> tuple[ir.Call, str]:
    """The reduction of an expression to one number, or along the first axis, as a call and the name of the function."""
    above = file.unit.parent(node.site)
    if isinstance(above, ir.Attribute):
        call, name = call_of(file, above), above.attr
        require(not call.args)
    else:
        call = expect(ir.Call, above)
        module, _, name = file.api_name(call.func.site).partition("jax.numpy.")
        require(not module and list(call.args) == [node])
    given, axis = {each.name for each in call.keywords}, value_of(call, "axis")
    require(name in {*_IDENTITY, *_EXTREMES, *_SPREADS} and given <= _OPTIONS)
    require(axis is None or (isinstance(axis, ir.Constant) and axis.value == 0 and selection.along_first))
    return call, name


def _counted(draft: Draft, selection: Selection) -> str:
    """`len(x[mask])`, `x[mask].shape[0]`, and `x[mask].size` of a vector: how often the mask is true."""
    is_vector = selection.covers or (selection.along_first and not selection.is_widened)
    whole = known(length(draft.file, selection.node, size=is_vector))
    require(selection.rows or not selection.is_widened)
    draft.replace(whole.site, draft.call("jax.numpy.count_nonzero", selection.rows or selection.mask))
    return "nothing"


def length(file: File, node: ir.Node, size: bool) -> ir.Node | None:
    """The expression around an array that asks for its length: `len(a)`, `a.shape[0]`, or `a.size`."""
    match file.unit.parent(node.site):
        case ir.Call(func=ir.Name(id="len")) as asked:
            return asked
        case ir.Attribute(attr="size") as asked:
            return asked if size else None
        case ir.Attribute(attr="shape") as shape:
            match file.unit.parent(shape.site):
                case ir.Subscript(index=ir.Constant(value=0)) as first:
                    return first
    return None


def _neutral(draft: Draft, selection: Selection, reduction: str) -> str:
    """What leaves the reduction as it is, written in the file's own style."""
    if reduction in _IDENTITY:
        return _IDENTITY[reduction]
    limit = known(_EXTREMES.get(reduction))
    dtype = sole({value.aval.dtype if type(value) is Array else None for value in selection.values})
    require(dtype not in ("bool", "key", "typed key"))
    if dtype is not None and "int" in dtype:
        return f"{draft.api('jax.numpy.iinfo')}({draft.api(f'jax.numpy.{dtype}')}).{limit}"
    return ("" if limit == "max" else "-") + draft.api("jax.numpy.inf")


_TAKE_WHERE = frozenset({"sum", "mean", "prod", "std", "var", "any", "all"})


class _Use(NamedTuple):
    name: ir.Name
    call: ir.Call
    along_first: bool
    inside: bool  # whether something is computed from it first


@or_none
def named_reduction(file: File, chosen: ir.Node, mask: ir.Node) -> Fix:
    """All that is computed from a selection that an assignment names, which must be reductions."""
    statement, draft = expect(ir.Assign, file.unit.parent(chosen.site)), Draft(file)
    selected = expect(ir.Subscript, chosen)
    require(selected.index is mask and is_mask(file, mask.site) and operands.is_path(selected.value))
    uses = [_use(file, each, selected) for each in _reads(file, statement, selected, mask)]
    require(uses and _stays(file, statement, selected))
    axes = _missing_axes(file, selected, mask, any(each.along_first for each in uses))
    array, code = operands.argument(file, selected.value.site), file.code(mask.site, 40)
    if isinstance(mask, ir.Name):
        name = mask.id
        draft.remove(statement)
    else:
        name = expect(ir.Name, statement.targets[0]).id
        draft.replace(selected.site, file.code(mask.site))
    for each in uses:
        with_where(draft, each.call, each.name, array, name + axes, inside=each.inside)
    changes = f"right where `{array}` has rows" if axes else f"right where the mask is shaped like `{array}`"
    return draft.fix(f"Leave out where `{code}` is false", changes)


def _use(file: File, read: ir.Name, chosen: ir.Subscript) -> _Use:
    """The reduction of the selection to a number, or along its first axis."""
    top = computed(file, read)
    call, name = known(reduction(file, top, Selection(chosen, "", "", along_first=True)))
    require(name in _TAKE_WHERE and value_of(call, "where") is None)
    return _Use(read, call, value_of(call, "axis") is not None, top is not read)


def _reads(file: File, statement: ir.Assign, chosen: ir.Subscript, mask: ir.Node) -> list[ir.Name]:
    """Where the selection is read by its name, which may have been that of the array."""
    target, scope = expect(ir.Name, statement.targets[0]), file.unit.scope(statement.site)
    if file.code(chosen.value.site) != target.id:
        return known(reads_of(file.unit, statement))
    start, end = file.span(statement.site)
    others = [each for each in bindings(scope, target.id) if each is not statement]
    named = names_of(file.unit, scope, target.id)
    require(statement in scope.body and all(file.span(each.site)[0] < start for each in others))
    require(isinstance(mask, ir.Name) and all(file.unit.scope(each.site) is scope for each in named))
    return [each for each in named if file.span(each.site)[0] >= end]


def _stays(file: File, statement: ir.Assign, chosen: ir.Subscript) -> bool:
    """Whether the array and the mask are bound before the selection alone, so that they are the same further below."""
    scope, at = file.unit.scope(statement.site), file.span(statement.site)[0]
    names = {each.id for each in ir.walk([chosen]) if isinstance(each, ir.Name)}
    return all(
        file.span(each.site)[0] < at for name in names for each in bindings(scope, name) if each is not statement
    )


def _missing_axes(file: File, chosen: ir.Subscript, mask: ir.Node, along_first: bool) -> str:
    """The axes that a mask of rows lacks, as a subscript. A reduction along the first axis leaves others of the array."""
    rank, of_mask = _rank(file, chosen.value.site), _rank(file, mask.site)
    if rank is None or of_mask is None:
        return "[:, None]" if along_first else ""
    if of_mask == rank:
        require(not along_first or rank == 1)
        return ""
    require(of_mask == 1)
    return f"[:, {', '.join(['None'] * (rank - of_mask))}]"


def _rank(file: File, site: int) -> int | None:
    """The number of dimensions in the calls where it is known."""
    return sole({value.aval.ndim for value in file.values(site) if isinstance(value, SHAPED)} - {None})


_NEUTRAL = {"builtins.sum": "0", "math.prod": "1"}
_CHANGES = "masked-out elements are computed, too"


@or_none
def masked_sum(hazard: BranchOnTracer, file: File) -> Fix:
    """`sum(e for e in x if c)` as `sum(jnp.where(c, e, 0) for e in x)`, and `sum(filter(f, x))` alike."""
    node, draft = file.unit.nodes[hazard.site], Draft(file)
    if hazard.form == "filter":
        return _filtered(draft, node)
    require(hazard.form == "comprehension")
    clause = expect(ir.Clause, file.unit.parent(node.site))
    made = expect(ir.Comprehension, file.unit.parent(clause.site))
    require(len(clause.conditions) == 1 and made.kind in ("list", "generator"))
    neutral, parts = _left_out_as(file, made), [argument(file, each.site) for each in (node, made.element)]
    draft.replace_whole(made.element.site, f"{draft.api('jax.numpy.where')}({', '.join([*parts, neutral])})")
    start, end = file.outer_span(clause.iterable.site)[1], file.outer_span(node.site)[1]
    draft.edits.append(Edit(start, end, ""))
    return draft.fix(f"Count `{neutral}` for the elements that are left out", _CHANGES)


def _filtered(draft: Draft, node: ir.Node) -> Fix:
    file, neutral = draft.file, _left_out_as(draft.file, node)
    match node:
        case ir.Call(args=[ir.Lambda() as function, elements], keywords=()):
            test, parameters = ir.result_of(function), function.function.parameters
        case _:
            raise NoFix
    require(len(parameters) == 1 and parameters[0].kind in ("ordinary", "positional-only"))
    name = parameters[0].name
    counted = f"{draft.api('jax.numpy.where')}({argument(file, test.site)}, {name}, {neutral})"
    text = f"{counted} for {name} in {argument(file, elements.site)}"
    above = file.unit.parent(node.site)
    draft.replace_whole(node.site, text if isinstance(above, ir.Call) and len(above.args) == 1 else f"({text})")
    return draft.fix(f"Count `{neutral}` for the elements that are left out", _CHANGES)


def _left_out_as(file: File, node: ir.Node) -> str:
    """What changes nothing in the call that ``node`` is the one iterable of."""
    above = expect(ir.Call, file.unit.parent(node.site))
    require(node in above.args[:1])
    return known(_NEUTRAL.get(file.api_name(above.func.site)))
