"""The shapes for which a function is exported: a symbol in them written as a multiple, or as another symbol."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, bound_to, only_target, only_value
from jaxlint.rewrite.arguments import without_argument
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import function_of
from jaxlint.rewrite.requirements import NoFix, expect, known, only, or_none, require
from jaxlint.source.diagnostic import Applicability, Fix

_TERM = re.compile(r"(?:(\d+)\*)?([A-Za-z_]\w*)\Z")


@or_none
def multiple(file: File, hazard: Hazard, size: str, by: int) -> Fix:
    """The fix that exports for sizes of which ``by`` is a divisor."""
    term = known(_TERM.match(size))
    require(by > 1)
    factor = by // math.gcd(int(term[1] or 1), by)
    return _replaced(file, hazard, term[2], f"{factor} * {term[2]}", f"Export for multiples, `{factor}*{term[2]}`")


@or_none
def equal(file: File, hazard: Hazard, symbol: str, other: str) -> Fix:
    """The fix that exports for sizes that are the same: of two symbols, or a symbol and a number."""
    require(_TERM.match(symbol) and (other.isdigit() or other.isidentifier()))
    return _replaced(file, hazard, symbol, other, f"Export for sizes where `{symbol}` is `{other}`")


@or_none
def passed_as_shape(file: File, site: int, argument_site: int, size: str) -> Fix:
    """The fix for a symbol that is a static argument: an empty array of that size is passed in its place.

    ``site`` is `export(jax.jit(f, static_argnums=…))(…)`, where nothing else uses ``f``, and all calls of what is exported
    are seen.
    """
    draft = Draft(file)
    match file.unit.nodes[site]:
        case ir.Call(func=ir.Call(args=[ir.Call(args=[jitted], keywords=[static])])) as applied:
            number = known(next((n for n, each in enumerate(applied.args) if each.site == argument_site), None))
        case _:
            raise NoFix
    function = _only_use(file, expect(ir.Name, jitted))
    require(number < len(function.parameters))
    name = function.parameters[number].name
    entry = {"static_argnums": number, "static_argnames": name}.get(str(static.name))
    require(expect(ir.Constant, static.value).value == entry and not bindings(function, name))
    struct, zeros = draft.api("jax.ShapeDtypeStruct"), draft.api("jax.numpy.zeros")
    draft.edits.append(without_argument(file, static))
    draft.replace(argument_site, f"{struct}((0, {size}), {draft.api('jax.numpy.float32')})")
    for read in ir.names_below(function.body).get(name, ()):
        draft.replace(read.site, f"{name}.shape[1]")
    for each in _calls(file, applied):
        require(len(each.args) > number and not each.keywords)
        given = each.args[number].site
        draft.replace(given, f"{zeros}((0, {file.code(given)}))")
    return draft.fix(f"Pass an array of shape `(0, {size})` as `{name}`", level=Applicability.DISPLAY)


def _only_use(file: File, node: ir.Name) -> ir.Function:
    """The function that a name stands for, where nothing else names it."""
    function = known(function_of(file, node))
    named = [each for each in file.unit.own if isinstance(each, ir.Name) and each.id == function.name]
    require(len(named) == 1 and not function.decorators and not function.is_lambda)
    return function


def _calls(file: File, applied: ir.Call) -> list[ir.Call]:
    """The `.call(…)`s of what is exported, where that is all that is done with it."""
    name = expect(ir.Name, only_target(file.unit.parent(applied.site)))
    scope, calls = expect(ir.Function, file.unit.scope(applied.site)), []
    require(only_value(scope, name.id) is applied)
    for node in ir.names_below(scope.body)[name.id]:
        if node is not name:
            called = expect(ir.Attribute, file.unit.parent(node.site))
            call = expect(ir.Call, file.unit.parent(called.site))
            require(called.attr == "call" and call.func is called)
            calls.append(call)
    return calls


def _replaced(file: File, hazard: Hazard, symbol: str, new: str, message: str) -> Fix:
    """Edits of each place in the specifications that names the symbol."""
    draft = Draft(file)
    for shape in _shapes(file, _applied(file, hazard)):
        if isinstance(shape, ir.Constant):
            text = re.sub(rf"\b{symbol}\b", new.replace(" ", ""), file.code(shape.site))
            if text != file.code(shape.site):
                draft.replace(shape.site, text)
            continue
        for name in ir.names_below([expect(ir.Sequence, shape)]).get(symbol, ()):
            require(name in expect(ir.Sequence, shape).elements)  # else it is part of a sum or product
            draft.replace(name.site, new)
    require(draft.edits)
    return draft.fix(message, level=Applicability.DISPLAY)


def _applied(file: File, hazard: Hazard) -> ir.Call:
    """The one `export(f)(specs)` in which the code is traced."""
    sites = {step.site for step in hazard.origin.steps()} if hazard.origin is not None else set()
    around = {above.site for site in sites if site in file.unit for above in file.unit.ancestors(site)}
    names = {file.unit.nodes[site].name for site in around if isinstance(file.unit.nodes[site], ir.Function)}
    applied = []
    for node in file.unit.own:
        if not isinstance(node, ir.Call) or not node.args or not file.is_api(node.func.site, "jax.export.export"):
            continue
        above, given = file.unit.parent(node.site), node.args[0]
        exported = node.site in around or (isinstance(given, ir.Name) and given.id in names)
        if exported and isinstance(above, ir.Call) and above.func is node and not above.keywords:
            applied.append(above)
    return only(applied)


def _shapes(file: File, applied: ir.Call) -> Iterator[ir.Node | None]:
    """The shape in each specification: a display, the text for `symbolic_shape`, or None for something else."""
    for each in applied.args:
        given = bound_to(file.unit, each.value if isinstance(each, ir.Starred) else each)
        specs = given.elements if isinstance(each, ir.Starred) and isinstance(given, ir.Sequence) else [given]
        for spec in specs:
            if not (isinstance(spec, ir.Call) and spec.args and file.is_api(spec.func.site, "jax.ShapeDtypeStruct")):
                yield None
                continue
            shape: ir.Node | None = bound_to(file.unit, spec.args[0])
            if isinstance(shape, ir.Call) and shape.args and file.is_api(shape.func.site, "jax.export.symbolic_shape"):
                shape = shape.args[0] if isinstance(shape.args[0], ir.Constant) else None
            yield shape
