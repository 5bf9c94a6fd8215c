"""Another key for each call that is to pass one."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import or_none, require


@or_none
def another_key(file: File, made: int, call: ir.Call, number: int) -> str:
    """The code at ``made`` with its seed raised by ``number``, for ``call``; None where that is in a loop.

    Raised is the last whole number, which is the seed of a key or what is folded into one.
    """
    for above in file.unit.ancestors(call.site):
        require(not isinstance(above, (ir.For, ir.While, ir.Comprehension, ir.Lambda)))
    require(_is_of_module(file, made, call.site))
    code = file.code(made)
    if number == 0:
        return code
    below = ir.walk([file.unit.nodes[made]])
    seeds = [node for node in below if isinstance(node, ir.Constant) and type(node.value) is int]
    require(seeds and "\n" not in code)
    start, end = file.span(seeds[-1].site)
    first = file.span(made)[0]
    return f"{code[: start - first]}{seeds[-1].value + number}{code[end - first :]}"


def is_of_module(file: File, made: int) -> bool:
    """Whether a key is made of names that the whole file can read."""
    return _is_of_module(file, made, made)


def _is_of_module(file: File, made: int, place: int) -> bool:
    """Whether the names that a key is made of are those of the module, or builtins, where they are read at ``place``."""
    scopes = [defining_scope(file.unit, place, name) for name in ir.names_below([file.unit.nodes[made]])]
    return all(scope is None or scope is file.unit.module for scope in scopes)
