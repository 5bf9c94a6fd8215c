"""Imports and what is done with the names they bind: what a fix must know to import something else."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, names_of
from jaxlint.rewrite import statements
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Edit

_SEMICOLON = re.compile(r"[ \t]*;[ \t]*(?=[^\s#;])")  # with a statement behind it


def uses(file: File, statement: ir.Node, name: str) -> list[ir.Name] | None:
    """The places that read what an import binds to ``name``; None where it may be something else there."""
    scope = file.unit.scope(statement.site)
    if bindings(scope, name) != [statement] or any(name in _declared(each) for each in file.unit.own):
        return None
    return names_of(file.unit, scope, name)


def _declared(node: ir.Node) -> Collection[str]:
    return node.names if isinstance(node, (ir.Global, ir.Nonlocal)) else ()


def is_named_in_strings(file: File, name: str) -> bool:
    """Whether a string may mean the name: in `__all__`, `getattr`, `mock.patch("module.name")`, an annotation."""
    return any(
        isinstance(node, ir.Constant)
        and isinstance(node.value, str)
        and (
            node.value == name or node.value.endswith(f".{name}") or (name in node.value and is_annotation(file, node))
        )
        for node in file.unit.own
    )


def is_annotation(file: File, node: ir.Node) -> bool:
    """Whether a node stands in an annotation."""
    inner = node
    for above in file.unit.ancestors(node.site):
        if isinstance(above, (ir.Parameter, ir.Annotate)):
            return above.annotation is inner
        if isinstance(above, ir.Function):
            return above.returns is inner
        if isinstance(above, (ir.Statement, ir.Call)):
            return False
        inner = above
    return False


def is_exported(file: File, statement: ir.Node, name: str) -> bool:
    """Whether other modules may import ``name`` from this one."""
    if not isinstance(file.unit.scope(statement.site), ir.Module):
        return False
    if file.source.filename.replace("\\", "/").endswith("__init__.py"):
        return True
    return any(name in _listed(node) for node in file.unit.module.body)


def _listed(node: ir.Node) -> Iterator[str]:
    """Names in an assignment to `__all__`."""
    targets = node.targets if isinstance(node, ir.Assign) else [getattr(node, "target", None)]
    if any(isinstance(target, ir.Name) and target.id == "__all__" for target in targets):
        for element in getattr(getattr(node, "value", None), "elements", ()):
            if isinstance(element, ir.Constant) and isinstance(element.value, str):
                yield element.value


def without(file: File, statement: ir.Import | ir.ImportFrom, aliases: Collection[ir.Node]) -> list[Edit]:
    """The import without some of its names; nothing, or `pass`, where it has no others."""
    gone = {alias.site for alias in aliases}
    kept = [alias for alias in statement.aliases if alias.site not in gone]
    if not kept:
        return [removed(file, statement)]
    edits = []
    for at, alias in enumerate(statement.aliases):
        if alias.site not in gone:
            continue
        if any(later.site not in gone for later in statement.aliases[at + 1 :]):
            edits.append(Edit(file.span(alias.site)[0], file.span(statement.aliases[at + 1].site)[0], ""))
        else:  # the last ones go with the comma before them
            edits.append(Edit(file.span(statement.aliases[at - 1].site)[1], file.span(alias.site)[1], ""))
    return edits


def removed(file: File, statement: ir.Node) -> Edit:
    """A statement taken out with its line, or `pass` where something must stand there."""
    gone = statements.removed(file, statement)
    if gone is not None:
        return gone
    start, end = file.span(statement.site)
    following = _SEMICOLON.match(file.source.text, end)
    return Edit(start, following.end(), "") if following else Edit(start, end, "pass")
