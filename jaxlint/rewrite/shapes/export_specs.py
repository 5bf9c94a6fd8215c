"""The shapes for which a function is exported: a symbol in them written as a multiple, or as another symbol."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import FunctionValue
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_by, bound_to, only_target, only_value
from jaxlint.rewrite.arguments import without_argument
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_TERM = re.compile(r"(?:(\d+)\*)?([A-Za-z_]\w*)\Z")


def multiple(file: File, hazard: Hazard, size: str, by: int) -> Fix | None:
    """The fix that exports for sizes of which ``by`` is a divisor."""
    term = _TERM.match(size)
    if term is None or by < 2:
        return None
    factor = by // math.gcd(int(term[1] or 1), by)
    return _replaced(file, hazard, term[2], f"{factor} * {term[2]}", f"Export for multiples, `{factor}*{term[2]}`")


def equal(file: File, hazard: Hazard, symbol: str, other: str) -> Fix | None:
    """The fix that exports for sizes that are the same: of two symbols, or a symbol and a number."""
    if _TERM.match(symbol) is None or not (other.isdigit() or other.isidentifier()):
        return None
    return _replaced(file, hazard, symbol, other, f"Export for sizes where `{symbol}` is `{other}`")


def passed_as_shape(file: File, site: int, argument_site: int, size: str) -> Fix | None:
    """The fix for a symbol that is a static argument: an empty array of that size is passed in its place.

    ``site`` is `export(jax.jit(f, static_argnums=…))(…)`. None where something else uses ``f``, or where
    a call of what is exported is not seen.
    """
    match file.unit.nodes[site]:
        case ir.Call(func=ir.Call(args=[ir.Call(args=[jitted], keywords=[static])])) as applied:
            numbers = [number for number, each in enumerate(applied.args) if each.site == argument_site]
        case _:
            return None
    function = _only_use(file, jitted) if numbers else None
    if function is None or not 0 <= numbers[0] < len(function.parameters):
        return None
    parameter = function.parameters[numbers[0]]
    entry = {"static_argnums": numbers[0], "static_argnames": parameter.name}.get(str(static.name))
    if not isinstance(static.value, ir.Constant) or static.value.value != entry or parameter.name in _bound(function):
        return None
    calls = _calls(file, applied)
    if calls is None or any(len(each.args) <= numbers[0] or each.keywords for each in calls):
        return None
    struct, imports = file.api("jax.ShapeDtypeStruct")
    zeros, more = file.api("jax.numpy.zeros")
    scalar, most = file.api("jax.numpy.float32")
    edits = [without_argument(file, static), file.replace(argument_site, f"{struct}((0, {size}), {scalar})")]
    edits += [
        file.replace(n.site, f"{n.id}.shape[1]")
        for n in ir.walk(function.body)
        if isinstance(n, ir.Name) and n.id == parameter.name
    ]
    for each in calls:
        given = each.args[numbers[0]]
        edits.append(file.replace(given.site, f"{zeros}((0, {file.code(given.site)}))"))
    message = f"Pass an array of shape `(0, {size})` as `{parameter.name}`"
    return Fix(message, tuple(edits), Applicability.DISPLAY, imports | more | most)


def _only_use(file: File, node: ir.Node) -> ir.Function | None:
    """The function that a name stands for, where nothing else names it."""
    found = {id(v.function): v.function for v in file.values(node.site) if isinstance(v, FunctionValue)}
    function = next(iter(found.values())) if len(found) == 1 and isinstance(node, ir.Name) else None
    if function is None or function.site not in file.unit or function.decorators or function.is_lambda:
        return None
    named = [each for each in file.unit.own if isinstance(each, ir.Name) and each.id == function.name]
    return function if len(named) == 1 else None


def _bound(function: ir.Function) -> set[str]:
    return {name for node in ir.walk(function.body) for name in bound_by(node)}


def _calls(file: File, applied: ir.Call) -> list[ir.Call] | None:
    """The `.call(…)`s of what is exported, where that is all that is done with it."""
    statement = file.unit.parent(applied.site)
    name, scope = only_target(statement), file.unit.scope(applied.site)
    if not isinstance(name, ir.Name):
        return None
    calls = []
    for node in ir.walk(scope.body):
        if not isinstance(node, ir.Name) or node.id != name.id or node is name:
            continue
        above = file.unit.parent(node.site)
        call = file.unit.parent(above.site) if isinstance(above, ir.Attribute) and above.attr == "call" else None
        if not isinstance(call, ir.Call) or call.func is not above:
            return None
        calls.append(call)
    return calls if isinstance(scope, ir.Function) and only_value(scope, name.id) is applied else None


def _replaced(file: File, hazard: Hazard, symbol: str, new: str, message: str) -> Fix | None:
    """Edits of each place in the specifications that names the symbol."""
    applied = _applied(file, hazard)
    edits: list[Edit] = []
    for shape in _shapes(file, applied) if applied is not None else ():
        if isinstance(shape, ir.Constant):
            text = re.sub(rf"\b{symbol}\b", new.replace(" ", ""), file.code(shape.site))
            if text != file.code(shape.site):
                edits.append(file.replace(shape.site, text))
        elif isinstance(shape, ir.Sequence):
            if any(
                isinstance(node, ir.Name) and node.id == symbol and node not in shape.elements
                for node in ir.walk([shape])
            ):
                return None  # it is part of a sum or product
            edits += [file.replace(e.site, new) for e in shape.elements if isinstance(e, ir.Name) and e.id == symbol]
        else:
            return None
    return Fix(message, tuple(edits), Applicability.DISPLAY) if edits else None


def _applied(file: File, hazard: Hazard) -> ir.Call | None:
    """The one `export(f)(specs)` in which the code is traced."""
    sites = {step.site for step in hazard.origin.steps()} if hazard.origin is not None else set()
    around = {above.site for site in sites if site in file.unit for above in file.unit.ancestors(site)}
    names = {file.unit.nodes[site].name for site in around if isinstance(file.unit.nodes[site], ir.Function)}
    found = []
    for node in file.unit.own:
        if not isinstance(node, ir.Call) or not node.args or not file.is_api(node.func.site, "jax.export.export"):
            continue
        above = file.unit.parent(node.site)
        given = node.args[0]
        exported = node.site in around or (isinstance(given, ir.Name) and given.id in names)
        if exported and isinstance(above, ir.Call) and above.func is node and not above.keywords:
            found.append(above)
    return found[0] if len(found) == 1 else None


def _shapes(file: File, applied: ir.Call) -> Iterator[ir.Node | None]:
    """The shape in each specification: a display, the text for `symbolic_shape`, or None for something else."""
    for given in applied.args:
        if isinstance(given, ir.Starred):
            inner = bound_to(file.unit, given.value)
            specs = list(inner.elements) if isinstance(inner, ir.Sequence) else [inner]
        else:
            specs = [bound_to(file.unit, given)]
        for spec in specs:
            if not (isinstance(spec, ir.Call) and spec.args and file.is_api(spec.func.site, "jax.ShapeDtypeStruct")):
                yield None
                continue
            shape: ir.Node | None = bound_to(file.unit, spec.args[0])
            if isinstance(shape, ir.Call) and shape.args and file.is_api(shape.func.site, "jax.export.symbolic_shape"):
                shape = shape.args[0] if isinstance(shape.args[0], ir.Constant) else None
            yield shape
