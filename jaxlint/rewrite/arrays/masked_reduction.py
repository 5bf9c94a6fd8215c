"""Reductions of a selection, written as reductions of the whole array: `x[mask].sum()` as `where(mask, x, 0).sum()`."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from jaxlint.analysis.domain.values import Api, Array, Value
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import resolved
from jaxlint.rewrite import operands
from jaxlint.rewrite.arrays import masks
from jaxlint.rewrite.file import File
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


def selected(file: File, chosen: ir.Node, mask: ir.Node) -> Selection | None:
    """`x[mask]`, `x[mask, 1]` and `x.at[mask].get()` as a selection; a mask of rows is given its missing axes."""
    if not isinstance(chosen, ir.Subscript) or not masks.is_mask(file, mask.site):
        return None
    node: ir.Expression = chosen
    base = chosen.value
    if isinstance(base, ir.Attribute) and base.attr == "at":
        method = file.unit.parent(chosen.site)
        got = file.unit.parent(method.site) if method is not None else None
        if not isinstance(got, ir.Call) or not isinstance(got.func, ir.Attribute) or got.func.attr != "get":
            return None
        if got.args or got.keywords:
            return None
        base, node = base.value, got
    values = tuple(file.values(base.site))
    array, code = operands.argument(file, base.site), operands.argument(file, mask.site)
    found = Selection(node, array, code, values, is_repeatable(mask), covers=masks.covers(file, mask.site, base.site))
    rank, of_mask = masks.rank(file, base.site), masks.rank(file, mask.site)
    if chosen.index is not mask:
        return _column(file, found, base, chosen.index, mask, rank)
    if rank is None or of_mask is None:
        # Rows that are told by a reduction are fewer than elements.
        return None if _has_axis(file, mask) else replace(found, along_first=rank == 1 == of_mask)
    if rank == of_mask:
        return replace(found, along_first=rank == 1)
    if of_mask > rank or not of_mask:
        return None
    whole = ":, " if of_mask == 1 else "..., "
    widened = f"{operands.operand(file, mask.site)}[{whole}{', '.join(['None'] * (rank - of_mask))}]"
    return replace(found, mask=widened, rows=code if of_mask == 1 else "", is_widened=True, along_first=of_mask == 1)


def _has_axis(file: File, mask: ir.Node) -> bool:
    """Whether a mask is made of a reduction along some axes, where it is written or where its name is bound."""
    return any(
        isinstance(node, ir.Call) and any(each.name == "axis" for each in node.keywords)
        for node in ir.walk([resolved(file.unit, mask)], into_scopes=False)
    )


def _column(
    file: File, found: Selection, base: ir.Node, index: ir.Node, mask: ir.Node, rank: int | None
) -> Selection | None:
    """`x[mask, 1]`: the whole column `x[:, 1]`, and the mask."""
    if not isinstance(index, ir.Sequence) or all(each is not mask for each in index.elements):
        return None
    others = [each for each in index.elements if each is not mask]
    if not all(isinstance(each, ir.Constant) and type(each.value) is int for each in others):
        return None
    if rank is not None and rank != len(index.elements):
        return None
    parts = [":" if each is mask else file.code(each.site) for each in index.elements]
    return replace(found, array=f"{operands.operand(file, base.site)}[{', '.join(parts)}]", along_first=True)


def masked_reduction(file: File, selection: Selection | None) -> MaskedReduction | None:
    """Rewrites the reduction of a selection; None where it goes into something else."""
    if selection is None:
        return None
    top = computed(file, selection.node)
    call, name = reduction(file, top, selection)
    if call is None:
        counted = _counted(file, selection)
        return counted if top is selection.node else None
    plain = top is selection.node and not call.keywords
    if name in _EXTREMES:
        return _chosen(file, selection, name) if top is selection.node else None
    if plain and name == "mean" and selection.is_repeatable and not selection.is_widened:
        return _mean(file, selection, call)
    if name in _SPREADS or name == "mean" or not plain:
        edits = with_where(
            file, call, selection.node, selection.array, selection.mask, inside=top is not selection.node
        )
        return MaskedReduction(edits, "nothing", frozenset())
    return _chosen(file, selection, name)


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


def _chosen(file: File, selection: Selection, reduction: str) -> MaskedReduction | None:
    neutral, imports = _neutral(file, selection, reduction)
    if neutral is None:
        return None
    where, more = file.api("jax.numpy.where")
    text = f"{where}({selection.mask}, {selection.array}, {neutral})"
    return MaskedReduction((Edit(*file.outer_span(selection.node.site), text),), neutral, imports | more)


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


def reduction(file: File, node: ir.Node, selection: Selection) -> tuple[ir.Call | None, str]:
    """The reduction of an expression to one number, or along the first axis, as a call and the name of the function."""
    call, name = None, ""
    above = file.unit.parent(node.site)
    if isinstance(above, ir.Attribute):
        found = file.unit.parent(above.site)
        if isinstance(found, ir.Call) and found.func is above and not found.args:
            call, name = found, above.attr
    elif isinstance(above, ir.Call) and len(above.args) == 1 and above.args[0] is node:
        called = file.values(above.func.site)
        if called and all(type(each) is Api and each.name.startswith("jax.numpy.") for each in called):
            call, name = above, called[0].name[len("jax.numpy.") :]  # type: ignore[attr-defined]
    if call is None or name not in {*_IDENTITY, *_EXTREMES, *_SPREADS}:
        return None, ""
    given = {each.name: each.value for each in call.keywords}
    axis = given.get("axis")
    first = axis is None or (isinstance(axis, ir.Constant) and axis.value == 0 and selection.along_first)
    return (call, name) if set(given) <= _OPTIONS and first else (None, "")


def _counted(file: File, selection: Selection) -> MaskedReduction | None:
    """`len(x[mask])`, `x[mask].shape[0]`, and `x[mask].size` of a vector: how often the mask is true."""
    is_vector = selection.covers or (selection.along_first and not selection.is_widened)
    whole = length(file, selection.node, size=is_vector)
    if whole is None or (selection.is_widened and not selection.rows):
        return None
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
            first = file.unit.parent(shape.site)
            is_first = (
                isinstance(first, ir.Subscript) and isinstance(first.index, ir.Constant) and first.index.value == 0
            )
            return first if is_first else None
    return None


def _neutral(file: File, selection: Selection, reduction: str) -> tuple[str | None, frozenset[ImportRequest]]:
    """What leaves the reduction as it is, written in the file's own style."""
    if reduction in _IDENTITY:
        return _IDENTITY[reduction], frozenset()
    limit = _EXTREMES.get(reduction)
    dtypes = {value.aval.dtype if type(value) is Array else None for value in selection.values}
    dtype = dtypes.pop() if len(dtypes) == 1 else None
    if limit is None or dtype in ("bool", "key", "typed key"):
        return None, frozenset()
    if dtype is not None and "int" in dtype:
        iinfo, imports = file.api("jax.numpy.iinfo")
        name, more = file.api(f"jax.numpy.{dtype}")
        return f"{iinfo}({name}).{limit}", imports | more
    infinity, imports = file.api("jax.numpy.inf")
    return infinity if limit == "max" else f"-{infinity}", imports


def is_repeatable(node: ir.Node) -> bool:
    """Whether evaluating the expression twice costs nothing and does nothing."""
    if isinstance(node, (ir.Constant, ir.Name)):
        return True
    return isinstance(node, (ir.Attribute, ir.Unary, ir.Binary, ir.Compare)) and all(
        map(is_repeatable, node.children())
    )
