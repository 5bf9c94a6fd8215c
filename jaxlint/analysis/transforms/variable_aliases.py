"""Second names of variables: `initial = params`, where nothing is copied."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings


def saved_before_loops(unit: ir.Unit, scope: ir.Scope, node: ir.Name) -> Iterator[tuple[ir.For | ir.While, str]]:
    """The loops around a name, with other names for what each begins with: the first pass finds just that."""
    statement = unit.statement(node.site) if node.site in unit else None
    own = [each.site for each in bindings(scope, node.id)]
    inner: ir.Node | None = statement
    while inner is not None:
        loop = unit.parent(inner.site)
        if not isinstance(loop, (ir.For, ir.While)) or all(each is not inner for each in loop.body):
            return
        inside = {each.site for each in ir.walk([loop], into_scopes=False)}
        if any(each in inside and each < inner.site for each in own):
            return
        for save in getattr(unit.parent(loop.site), "body", ()):
            anew = any(save.site < each < loop.site and each not in inside for each in own)
            for name, held in copies(save) if isinstance(save, ir.Assign) and save.site < loop.site else ():
                if held.id == node.id and name != node.id and not anew and len(bindings(scope, name)) == 1:
                    yield loop, name
        inner = loop


def saved_at(scope: ir.Scope, name: str, held: str) -> int | None:
    """Site of the name ``held`` in the one assignment that binds ``name`` to the same."""
    found = bindings(scope, name)
    save = found[0] if len(found) == 1 else None
    pairs = copies(save) if isinstance(save, ir.Assign) else ()
    return next((each.site for target, each in pairs if (target, each.id) == (name, held)), None)


def copies(assign: ir.Assign) -> Iterator[tuple[str, ir.Name]]:
    """The names that an assignment binds to what other names hold."""
    for target in assign.targets:
        pairs: Iterable[tuple[ir.Node, ir.Node]] = [(target, assign.value)]
        if type(target) is ir.Sequence and type(assign.value) is ir.Sequence:
            pairs = zip(target.elements, assign.value.elements)
        for part, value in pairs:
            if type(part) is ir.Name and type(value) is ir.Name:
                yield part.id, value
