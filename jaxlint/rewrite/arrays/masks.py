"""What fixes of boolean masks need to know: the shape of the mask against that of the array."""

from __future__ import annotations

from jaxlint.analysis.domain.values import NUMERIC_TYPES, Array, Aval, Const, Host, Static, Unknown, Value
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import is_path

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
    values = file.values(site)
    return bool(values) and all(map(is_scalar, values))


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
    ranks = {aval.ndim for aval in _avals(file, site)}
    return ranks.pop() if len(ranks) == 1 else None


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
