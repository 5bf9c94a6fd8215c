"""What a rewrite takes the code to be: where it is something else, there is no fix.

Functions that write a fix say so where they first depend on it, and go on. `NoFix` ends in the nearest function that is
marked with `or_none`, from which another rewrite may be tried.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import ParamSpec, TypeVar

from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import ElsewhereError, File

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")


class NoFix(Exception):
    """The code is not what a rewrite takes it to be."""


def or_none(write: Callable[_Given, _Made]) -> Callable[_Given, _Made | None]:
    """A function that gives None where the code is not what ``write`` takes it to be, or stands in another file."""

    @functools.wraps(write)
    def written(*args: _Given.args, **options: _Given.kwargs) -> _Made | None:
        try:
            return write(*args, **options)
        except (NoFix, ElsewhereError):
            return None

    return written


def require(condition: object) -> None:
    """Raises NoFix unless the condition holds."""
    if not condition:
        raise NoFix


def known(value: _Made | None) -> _Made:
    """What was looked for. Raises NoFix where nothing was found."""
    if value is None:
        raise NoFix
    return value


def expect(kind: type[_Made], node: object) -> _Made:
    """A node, which has to be of a kind. Raises NoFix for any other."""
    if not isinstance(node, kind):
        raise NoFix
    return node


def sole(found: Iterable[_Made]) -> _Made | None:
    """The one thing that was found; None where there are several, or none."""
    each = [*found]
    return each[0] if len(each) == 1 else None


def only(found: Iterable[_Made]) -> _Made:
    """The one thing that was found. Raises NoFix where there are several, or none."""
    return known(sole(found))


def is_plain(nodes: Iterable[ir.Node]) -> bool:
    """Whether no argument or element is starred: each stands for one value."""
    return not any(isinstance(each, ir.Starred) for each in nodes)


def plain_call(node: object, count: int | None = None) -> ir.Call:
    """A node, which has to be a call whose arguments are all to be seen. Raises NoFix for any other.

    With ``count`` it passes so many by position, and none by keyword.
    """
    call = expect(ir.Call, node)
    require(is_plain(call.args) and all(each.name is not None for each in call.keywords))
    require(count is None or len(call.args) == count and not call.keywords)
    return call


def call_of(file: File, node: ir.Node) -> ir.Call:
    """The call of the function that an expression stands for. Raises NoFix where it is used in another way."""
    call = expect(ir.Call, file.unit.parent(node.site))
    require(call.func is node)
    return call


def parts_of(node: ir.Node, least: int = 0) -> Sequence[ir.Expression]:
    """The elements of a tuple that is written out, of so many at least. Raises NoFix for anything else."""
    display = expect(ir.Sequence, node)
    require(display.kind == "tuple" and len(display.elements) >= least and is_plain(display.elements))
    return display.elements


def pair_of(node: ir.Node | None) -> tuple[ir.Expression, ir.Expression]:
    """The two elements of a tuple that is written out. Raises NoFix for anything else."""
    first, *others = parts_of(known(node), 2)
    return first, only(others)
