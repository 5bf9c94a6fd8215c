"""Axes of size 1 for an array that lines up with the leading axes of another: `weights[:, None] * rows`."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.shape_agreement import ShapeMismatch
from jaxlint.analysis.domain.values import Array, Host, Shape
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import displayed
from jaxlint.rewrite.changes import GUESSED
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import operand
from jaxlint.rewrite.requirements import only, or_none, require
from jaxlint.source.diagnostic import Fix


@or_none
def with_trailing_axes(hazard: ShapeMismatch, file: File) -> Fix:
    """The operand of fewer axes with those that it lacks at its end, where its sizes are the first ones of the other."""
    less, more = sorted((hazard.first, hazard.second), key=len)
    missing = len(more) - len(less)
    require(missing and less and less == more[: len(less)] and all(isinstance(size, int) for size in less))
    lined_up = only(node for node in _operands(hazard, file) if _is_of_shape(file, node.site, less))
    axes = ", ".join([":"] * len(less) + ["None"] * missing)
    text = f"{operand(file, lined_up.site)}[{axes}]"
    return Fix(f"Write `{text}`", (file.replace(lined_up.site, text),), changes=GUESSED)


def _operands(hazard: ShapeMismatch, file: File) -> Iterator[ir.Node]:
    """The expressions that are combined: those of an operator, the arguments of a call, and what a list among them holds."""
    node = file.unit.nodes[hazard.site]
    if type(node) is ir.Binary:
        yield from (node.left, node.right)
    for each in node.args if type(node) is ir.Call else ():
        yield from displayed(file.unit, each) or () if isinstance(each, ir.Sequence) else (each,)


def _is_of_shape(file: File, site: int, shape: Shape) -> bool:
    """Whether an expression has a shape for some caller, and as many axes for all whose arrays are known."""
    shapes = [value.aval.shape for value in file.values(site) if isinstance(value, (Array, Host))]
    return shape in shapes and all(each is None or len(each) == len(shape) for each in shapes)
