"""The shapes for which a function is exported: a symbol in them written as a multiple, or as another symbol."""

from __future__ import annotations

import math
import re
from typing import Iterator, Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Applicability, Edit, Fix
from jaxlint.rewrite.bindings import defining_scope, only_value
from jaxlint.rule import File
from jaxlint.semantics.model import Demand
from jaxlint.semantics.values import Api

_TERM = re.compile(r"(?:(\d+)\*)?([A-Za-z_]\w*)\Z")


def multiple(file: File, demand: Demand, size: str, by: int) -> Optional[Fix]:
    """The fix that exports for sizes of which ``by`` is a divisor."""
    term = _TERM.match(size)
    if term is None or by < 2:
        return None
    factor = by // math.gcd(int(term[1] or 1), by)
    return _replaced(file, demand, term[2], f"{factor} * {term[2]}", f"export for multiples, `{factor}*{term[2]}`")


def equal(file: File, demand: Demand, symbol: str, other: str) -> Optional[Fix]:
    """The fix that exports for sizes that are the same: of two symbols, or a symbol and a number."""
    if _TERM.match(symbol) is None or not (other.isdigit() or other.isidentifier()):
        return None
    return _replaced(file, demand, symbol, other, f"export for sizes where `{symbol}` is `{other}`")


def _replaced(file: File, demand: Demand, symbol: str, new: str, message: str) -> Optional[Fix]:
    """Edits of each place in the specifications that names the symbol."""
    applied = _applied(file, demand)
    edits: list[Edit] = []
    for shape in _shapes(file, applied) if applied is not None else ():
        if isinstance(shape, ir.Constant):
            text = re.sub(rf"\b{symbol}\b", new.replace(" ", ""), file.code(shape.site))
            if text != file.code(shape.site):
                edits.append(file.replace(shape.site, text))
        elif isinstance(shape, ir.Sequence):
            if any(isinstance(node, ir.Name) and node.id == symbol and node not in shape.elements for node in ir.walk([shape])):
                return None  # it is part of a sum or product
            edits += [file.replace(e.site, new) for e in shape.elements if isinstance(e, ir.Name) and e.id == symbol]
        else:
            return None
    edits.sort(key=lambda edit: edit.start)
    return Fix(message, tuple(edits), Applicability.DISPLAY) if edits else None


def _applied(file: File, demand: Demand) -> Optional[ir.Call]:
    """The one `export(f)(specs)` in which the code is traced."""
    sites = {step.site for step in demand.origin.steps()} if demand.origin is not None else set()
    around = {above.site for site in sites if file.unit.first <= site < file.unit.last for above in file.unit.ancestors(site)}
    names = {file.unit.nodes[site].name for site in around if isinstance(file.unit.nodes[site], ir.Function)}
    found = []
    for node in file.unit.own:
        if not isinstance(node, ir.Call) or not node.args or not _is(file, node.func, "jax.export.export"):
            continue
        above = file.unit.parent(node.site)
        given = node.args[0]
        exported = node.site in around or (isinstance(given, ir.Name) and given.id in names)
        if exported and isinstance(above, ir.Call) and above.func is node and not above.keywords:
            found.append(above)
    return found[0] if len(found) == 1 else None


def _shapes(file: File, applied: ir.Call) -> Iterator[Optional[ir.Node]]:
    """The shape in each specification: a display, the text for `symbolic_shape`, or None for something else."""
    for given in applied.args:
        if isinstance(given, ir.Starred):
            inner = _resolved(file, given.value)
            specs = list(inner.elements) if isinstance(inner, ir.Sequence) else [inner]
        else:
            specs = [_resolved(file, given)]
        for spec in specs:
            if not (isinstance(spec, ir.Call) and spec.args and _is(file, spec.func, "jax.ShapeDtypeStruct")):
                yield None
                continue
            shape = _resolved(file, spec.args[0])
            if isinstance(shape, ir.Call) and shape.args and _is(file, shape.func, "jax.export.symbolic_shape"):
                shape = shape.args[0] if isinstance(shape.args[0], ir.Constant) else None
            yield shape


def _resolved(file: File, node: ir.Node) -> ir.Node:
    scope = defining_scope(file.unit, node.site, node.id) if isinstance(node, ir.Name) else None
    value = only_value(scope, node.id) if scope is not None else None
    return node if value is None else value


def _is(file: File, node: ir.Node, name: str) -> bool:
    values = file.values(node.site)
    return bool(values) and all(type(value) is Api and value.name == name for value in values)
