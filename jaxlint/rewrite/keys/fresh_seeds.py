"""Another key for each call that is to pass one."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope
from jaxlint.rewrite.file import File


def another_key(file: File, made: int, call: ir.Call, number: int) -> str | None:
    """The code at ``made`` with its seed raised by ``number``, for ``call``; None where that is in a loop.

    Raised is the last whole number, which is the seed of a key or what is folded into one.
    """
    for above in file.unit.ancestors(call.site):
        if isinstance(above, (ir.For, ir.While, ir.Comprehension)):
            return None
        if isinstance(above, ir.Function) and above.is_lambda:
            return None
    for node in ir.walk([file.unit.nodes[made]]):
        if isinstance(node, ir.Name):
            scope = defining_scope(file.unit, call.site, node.id)
            if scope is not None and scope is not file.unit.module:
                return None
    seeds = [
        node for node in ir.walk([file.unit.nodes[made]]) if isinstance(node, ir.Constant) and type(node.value) is int
    ]
    code = file.code(made)
    if number == 0:
        return code
    if not seeds or "\n" in code:
        return None
    start, end = file.span(seeds[-1].site)
    first = file.span(made)[0]
    return f"{code[: start - first]}{seeds[-1].value + number}{code[end - first :]}"


def is_of_module(file: File, made: int) -> bool:
    """Whether a key is made of names that the whole file can read."""
    names = [node for node in ir.walk([file.unit.nodes[made]]) if isinstance(node, ir.Name)]
    scopes = [defining_scope(file.unit, node.site, node.id) for node in names]
    return all(scope is None or scope is file.unit.module for scope in scopes)
