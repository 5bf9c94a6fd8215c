"""A size that a compiled function computes from its arguments, computed around it and passed as a static argument."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.domain.values import Array
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, only_value
from jaxlint.rewrite.changes import COMPILED_ANEW
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.parameters import parameter
from jaxlint.rewrite.statements import free_name, removed
from jaxlint.rewrite.static_args.static_argument import TracedParameter, static_edits
from jaxlint.rewrite.wrapper import Around, can_be_wrapped, wrapped
from jaxlint.source.diagnostic import Fix

_SAYING = ("length", "num_segments", "num_classes")  # what the parameter is called


def passed_size(hazard: Hazard, file: File) -> Fix | None:
    """The fix that parts the function in two: the size is read from what the caller passes, and is static inside."""
    function, size = file.unit.scope(hazard.site), file.unit.nodes[hazard.operand]
    if not isinstance(function, ir.Function) or not can_be_wrapped(file, function) or len(function.decorators) != 1:
        return None
    if not isinstance(hazard.value, Array) or hazard.value.aval.shape != ():
        return None
    value = only_value(function, size.id) if isinstance(size, ir.Name) else None
    if isinstance(size, ir.Name) and value is not None:
        name, inside = size.id, removed(file, file.unit.statement(value.site))
    else:
        name = free_name(file, size.site, hazard.parameter if hazard.parameter in _SAYING else "size")
        value, inside = size, file.replace(size.site, name)
    placed = parameter(file, function, name) if inside is not None else None
    if inside is None or placed is None or not _is_of_arguments(function, value):
        return None
    new = ir.Parameter(site=function.site, name=name, kind=placed[1], default=None, annotation=None)
    traced = Origin("", function.decorators[0].site, transform="jax.jit")
    static = static_edits(file, TracedParameter(new, function, traced))
    edits = wrapped(file, function, Around(passed={name: f"int({file.code(value.site)})"}), rebinds=True)
    if static is None or edits is None:
        return None
    title = f"Compute `{name}` outside of what is compiled, where it is static"
    return Fix(title, in_order([*edits, *static[0], inside]), imports=static[1], changes=COMPILED_ANEW)


def _is_of_arguments(function: ir.Function, value: ir.Node) -> bool:
    """Whether an expression of more than a name reads no variable of the function but parameters, which keep what they are given."""
    names = [each for each in ir.walk([value]) if isinstance(each, ir.Name) and each.id in function.locals]
    kept = all(not bindings(function, each.id) for each in names)
    return kept and bool(names) and not isinstance(value, ir.Name)
