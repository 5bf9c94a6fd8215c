"""Axes of size 1 for an array that lines up with the leading axes of another: `weights[:, None] * rows`."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.shape_agreement import ShapeMismatch
from jaxlint.analysis.domain.values import Array, Host, Shape
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import displayed
from jaxlint.rewrite.changes import GUESSED
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import is_path, operand
from jaxlint.rewrite.requirements import only, or_none, require
from jaxlint.source.diagnostic import Fix

_OF_SPECTRA = ("eigh", "eigvalsh", "eig", "eigvals", "det", "slogdet")


@or_none
def with_trailing_axes(hazard: ShapeMismatch, file: File) -> Fix:
    """The operand of fewer axes with those that it lacks at its end, where its sizes are the first ones of the other."""
    less, more = sorted((hazard.first, hazard.second), key=len)
    missing = len(more) - len(less)
    require(missing and less and less == more[: len(less)] and all(isinstance(size, int) for size in less))
    lined_up = only(node for node in _operands(hazard, file) if _is_of_shape(file, node.site, less))
    axes, code = ", ".join([":"] * len(less) + ["None"] * missing), operand(file, lined_up.site)
    text = f"{code}[{axes}]"
    other = next((each for each in _operands(hazard, file) if more in _shapes(file, each.site)), None)
    if other is not None and len({len(each) for each in _shapes(file, other.site)}) > 1:  # leaves of a tree
        require(is_path(lined_up) and is_path(other))
        text = f"{code}.reshape({code}.shape + (1,) * ({file.code(other.site)}.ndim - {code}.ndim))"
    return Fix(f"Write `{text}`", (file.replace(lined_up.site, text),), changes=GUESSED)


@or_none
def as_matrix(hazard: ShapeMismatch, file: File) -> Fix:
    """A Hessian with respect to an array as a matrix: the axes of each of the two derivatives are joined."""
    node, shape = file.unit.nodes[hazard.operand], hazard.second
    half = len(shape) // 2
    require(half > 1 and shape[:half] == shape[half:] and is_path(node))
    require(hazard.layer.rpartition(".")[2] in _OF_SPECTRA)  # what others give has to fit what it meets
    code = file.code(node.site)
    rows = " * ".join(f"{code}.shape[{axis}]" for axis in range(half))
    text = f"{code}.reshape({rows}, -1)"
    return Fix(f"Write `{text}`", (file.replace(node.site, text),), changes="the axes are joined in two halves")


def _operands(hazard: ShapeMismatch, file: File) -> Iterator[ir.Node]:
    """The expressions that are combined: those of an operator, the arguments of a call, and what a list among them holds."""
    node = file.unit.nodes[hazard.site]
    if type(node) is ir.Binary:
        yield from (node.left, node.right)
    for each in node.args if type(node) is ir.Call else ():
        yield from displayed(file.unit, each) or () if isinstance(each, ir.Sequence) else (each,)


def _is_of_shape(file: File, site: int, shape: Shape) -> bool:
    """Whether an expression has a shape for some caller, and as many axes for all whose arrays are known."""
    shapes = _shapes(file, site)
    return shape in shapes and all(len(each) == len(shape) for each in shapes)


def _shapes(file: File, site: int) -> list[Shape]:
    shapes = [value.aval.shape for value in file.values(site) if isinstance(value, (Array, Host))]
    return [each for each in shapes if each is not None]
