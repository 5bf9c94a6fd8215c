"""Where a comment may declare a random key as shared, for a finding that the key is used again.

The comment names the key as the code there does: at the statement that makes it, or at one of its uses.
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import Hazard, RepeatedKey
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import KeyUse

DIRECTIVE = "shared-key"
_BINDING = (ir.Assign, ir.Annotate, ir.For)


def key_uses(hazard: Hazard, file: File) -> tuple[KeyUse, ...]:
    """The statements at which a comment may name the key that a hazard is about."""
    if not isinstance(hazard, RepeatedKey) or DIRECTIVE not in file.source.text.lower():
        return ()
    found = []
    for site, operand in ((hazard.site, hazard.operand), *hazard.earlier):
        for name in names(file.unit.nodes[operand]):
            found.append(KeyUse(name, *rows(file, file.unit.statement(site))))
            made = _maker(file, site, name)
            if made is not None:
                found.append(KeyUse(name, *rows(file, made)))
    return tuple(dict.fromkeys(found))


def names(node: ir.Node) -> Iterator[str]:
    """The variables and attributes in an expression, as they are written; `keys` for `keys[0]`."""
    name = ir.dotted(node)
    if name is not None:
        yield name
        return
    inside = [node.value] if isinstance(node, ir.Subscript) else node.children()
    for child in inside:
        if not (isinstance(node, ir.Call) and child is node.func):
            yield from names(child)


def rows(file: File, node: ir.Node) -> tuple[int, int]:
    """The first and last row of a statement; of one with a body, of the lines above the body."""
    start, end = file.span(node.site)
    first, last = file.source.position(start).row, file.source.position(end).row
    function = node.function if isinstance(node, ir.Define) else node
    if isinstance(function, ir.Function) and function.decorators:
        first = file.source.position(file.span(function.decorators[0].site)[0]).row
    body = getattr(function, "body", None)
    if body:
        last = max(first, min(last, file.source.position(file.span(body[0].site)[0]).row - 1))
    return first, last


def _maker(file: File, site: int, name: str) -> ir.Node | None:
    """The statement that gives a key its name where a node reads it: the last one above, or the function it is handed to."""
    use = _beginning(file.unit.statement(site))
    for scope in file.unit.ancestors(site):
        if not isinstance(scope, ir.Scope):
            continue
        found: ir.Node | None = None
        for node in ir.walk(scope.body, into_scopes=False):
            if (
                isinstance(node, _BINDING)
                and _beginning(node) < use
                and name in map(ir.dotted, ir.walk(_targets(node)))
            ):
                found = node
        if found is not None:
            return found
        if isinstance(scope, ir.Function) and any(parameter.name == name for parameter in scope.parameters):
            return file.unit.statement(scope.site) if scope.is_lambda else scope
    return None


def _beginning(statement: ir.Node) -> int:
    """The lowest site of a statement: those of its parts are lower than its own."""
    return min(node.site for node in ir.walk([statement]))


def _targets(node: ir.Assign | ir.Annotate | ir.For) -> list[ir.Node]:
    return list(node.targets) if isinstance(node, ir.Assign) else [node.target]
