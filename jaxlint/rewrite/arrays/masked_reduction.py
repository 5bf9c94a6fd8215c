"""Reductions of a selection, written as reductions of the whole array: `x[mask].sum()` as `where(mask, x, 0).sum()`."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from jaxlint.analysis.domain.values import Array, Value
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import resolved
from jaxlint.rewrite import operands
from jaxlint.rewrite.arrays import masks
from jaxlint.rewrite.arrays.indices import is_repeatable
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.transform_options import value_of
from jaxlint.source.diagnostic import Edit, ImportRequest

_IDENTITY = {
    "sum": "0", "nansum": "0", "mean": "0", "prod": "1", "nanprod": "1", "any": "False", "all": "True", "count_nonzero": "0",
    "linalg.norm": "0",
}  # fmt: skip
_EXTREMES = {"min": "max", "amin": "max", "max": "min", "amax": "min"}  # reduction -> limit of the dtype
_SPREADS = frozenset({"std", "var"})  # there is no neutral value: they take `where=`
_OPTIONS = frozenset({"axis", "keepdims", "dtype", "ddof"})
_ELEMENTWISE = frozenset(
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


@dataclass(frozen=True)
class MaskedReduction:
    """The edits, and the neutral value that stands where the mask is false."""

    edits: tuple[Edit, ...]
    neutral: str
    imports: frozenset[ImportRequest]

    @property
    def said_of_dtype(self) -> str:
        """What the message says of dtypes: an infinity makes floats of integers."""
        return "for floats, and " if "inf" in self.neutral and "iinfo" not in self.neutral else ""


@or_none
def selected(file: File, chosen: ir.Node, mask: ir.Node) -> Selection:
    """`x[mask]`, `x[mask, 1]` and `x.at[mask].get()` as a selection; a mask of rows is given its missing axes."""
    node: ir.Expression = expect(ir.Subscript, chosen)
    require(masks.is_mask(file, mask.site))
    base, index = expect(ir.Subscript, chosen).value, expect(ir.Subscript, chosen).index
    if isinstance(base, ir.Attribute) and base.attr == "at":
        method = expect(ir.Attribute, file.unit.parent(chosen.site))
        node, base = expect(ir.Call, file.unit.parent(method.site)), base.value
        require(method.attr == "get" and not node.args and not node.keywords)
    values = tuple(file.values(base.site))
    array, code = operands.argument(file, base.site), operands.argument(file, mask.site)
    found = Selection(node, array, code, values, is_repeatable(mask), covers=masks.covers(file, mask.site, base.site))
    rank, of_mask = masks.rank(file, base.site), masks.rank(file, mask.site)
    if index is not mask:
        return _column(file, found, base, index, mask, rank)
    if rank is None or of_mask is None:
        require(not _has_axis(file, mask))  # rows that are told by a reduction are fewer than elements
        return replace(found, along_first=rank == 1 == of_mask)
    if rank == of_mask:
        return replace(found, along_first=rank == 1)
    require(0 < of_mask < rank)
    whole = ":, " if of_mask == 1 else "..., "
    widened = f"{operands.operand(file, mask.site)}[{whole}{', '.join(['None'] * (rank - of_mask))}]"
    return replace(found, mask=widened, rows=code if of_mask == 1 else "", is_widened=True, along_first=of_mask == 1)


def _has_axis(file: File, mask: ir.Node) -> bool:
    """Whether a mask is made of a reduction along some axes, where it is written or where its name is bound."""
    return any(
        isinstance(node, ir.Call) and any(each.name == "axis" for each in node.keywords)
        for node in ir.walk([resolved(file.unit, mask)], into_scopes=False)
    )


def _column(file: File, found: Selection, base: ir.Node, index: ir.Node, mask: ir.Node, rank: int | None) -> Selection:
    """`x[mask, 1]`: the whole column `x[:, 1]`, and the mask."""
    elements = expect(ir.Sequence, index).elements
    require(mask in elements and rank in (None, len(elements)))
    require(all(each is mask or type(getattr(each, "value", None)) is int for each in elements))
    parts = [":" if each is mask else file.code(each.site) for each in elements]
    return replace(found, array=f"{operands.operand(file, base.site)}[{', '.join(parts)}]", along_first=True)


@or_none
def masked_reduction(file: File, selection: Selection | None) -> MaskedReduction:
    """Rewrites the reduction of a selection that goes into nothing else."""
    selection = known(selection)
    top = computed(file, selection.node)
    is_whole, reduced = top is selection.node, reduction(file, top, selection)
    if reduced is None:
        require(is_whole)
        return _counted(file, selection)
    call, name = reduced
    plain = is_whole and not call.keywords
    if plain and name == "mean" and selection.is_repeatable and not selection.is_widened:
        return _mean(file, selection, call)
    if name not in _EXTREMES and (name in _SPREADS or name == "mean" or not plain):
        edits = with_where(file, call, selection.node, selection.array, selection.mask, inside=not is_whole)
        return MaskedReduction(edits, "nothing", frozenset())
    require(is_whole)
    draft = Draft(file)
    neutral = _neutral(draft, selection, name)
    draft.replace_whole(
        selection.node.site, f"{draft.api('jax.numpy.where')}({selection.mask}, {selection.array}, {neutral})"
    )
    return MaskedReduction(tuple(draft.edits), neutral, draft.imports)


def with_where(
    file: File, call: ir.Call, selected: ir.Node, array: str, mask: str, inside: bool = False
) -> tuple[Edit, ...]:
    """The reduction of an array in the place of a selection from it, which may be a part of what is reduced."""
    start, end = file.span(selected.site) if inside else file.outer_span(selected.site)
    given = [*call.args, *call.keywords]
    at = file.outer_span(given[-1].site)[1] if given else file.span(call.site)[1] - 1
    added = f"{', ' if given else ''}where={mask}"
    if given and given[-1] is selected:
        return (Edit(start, end, array + added),)
    return Edit(start, end, array), Edit(at, at, added)


def _mean(file: File, selection: Selection, call: ir.Call) -> MaskedReduction:
    where, imports = file.api("jax.numpy.where")
    binds = isinstance(
        ast.parse(f"({selection.mask})", mode="eval").body, (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
    )
    mask = selection.mask if binds else f"({selection.mask})"
    quotient = f"{where}({selection.mask}, {selection.array}, 0).sum() / {mask}.sum()"
    alone = isinstance(file.unit.parent(call.site), (ir.Statement, ir.Call, ir.Keyword, ir.Sequence))
    edit = file.replace(call.site, quotient if alone else f"({quotient})")
    return MaskedReduction((edit,), "0", imports)


def computed(file: File, node: ir.Node) -> ir.Node:
    """The outermost expression that is computed from another one element by element, with numbers alone beside it."""
    while True:
        above = file.unit.parent(node.site)
        match above:
            case ir.Unary(op="-" | "+" | "~"):
                pass
            case ir.Binary(op=op, left=left, right=right) if op != "@":
                if not masks.scalar(file, (right if left is node else left).site):
                    return node
            case ir.Call(args=[argument], keywords=()) if argument is node:
                if not file.is_api(above.func.site, *_ELEMENTWISE):
                    return node
            case _:
                return node
        node = above


@or_none
def reduction(file: File, node: ir.Node, selection: Selection) -> tuple[ir.Call, str]:
    """The reduction of an expression to one number, or along the first axis, as a call and the name of the function."""
    above = file.unit.parent(node.site)
    if isinstance(above, ir.Attribute):
        call, name = expect(ir.Call, file.unit.parent(above.site)), above.attr
        require(call.func is above and not call.args)
    else:
        call = expect(ir.Call, above)
        module, _, name = file.api_name(call.func.site).partition("jax.numpy.")
        require(not module and list(call.args) == [node])
    given, axis = {each.name for each in call.keywords}, value_of(call, "axis")
    require(name in {*_IDENTITY, *_EXTREMES, *_SPREADS} and given <= _OPTIONS)
    require(axis is None or (isinstance(axis, ir.Constant) and axis.value == 0 and selection.along_first))
    return call, name


def _counted(file: File, selection: Selection) -> MaskedReduction:
    """`len(x[mask])`, `x[mask].shape[0]`, and `x[mask].size` of a vector: how often the mask is true."""
    is_vector = selection.covers or (selection.along_first and not selection.is_widened)
    whole = known(length(file, selection.node, size=is_vector))
    require(selection.rows or not selection.is_widened)
    count, imports = file.api("jax.numpy.count_nonzero")
    code = f"{count}({selection.rows or selection.mask})"
    return MaskedReduction((file.replace(whole.site, code),), "nothing", imports)


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
    dtypes = {value.aval.dtype if type(value) is Array else None for value in selection.values}
    dtype = dtypes.pop() if len(dtypes) == 1 else None
    require(dtype not in ("bool", "key", "typed key"))
    if dtype is not None and "int" in dtype:
        return f"{draft.api('jax.numpy.iinfo')}({draft.api(f'jax.numpy.{dtype}')}).{limit}"
    return ("" if limit == "max" else "-") + draft.api("jax.numpy.inf")
