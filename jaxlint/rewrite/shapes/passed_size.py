"""A size that a compiled function computes from its arguments, computed around it and passed as a static argument."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.domain.values import Array
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, only_value
from jaxlint.rewrite.changes import COMPILED_ANEW
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.parameters import parameter
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.statements import free_name
from jaxlint.rewrite.static_args.static_argument import TracedParameter, add_static
from jaxlint.rewrite.wrapper import Around, can_be_wrapped, wrapped
from jaxlint.source.diagnostic import Fix

_SAYING = ("length", "num_segments", "num_classes")  # what the parameter is called


@or_none
def passed_size(hazard: Hazard, file: File) -> Fix:
    """The fix that parts the function in two: the size is read from what the caller passes, and is static inside."""
    function, size = expect(ir.Function, file.unit.scope(hazard.site)), file.unit.nodes[hazard.operand]
    draft = Draft(file)
    require(can_be_wrapped(file, function) and len(function.decorators) == 1)
    require(expect(Array, hazard.value).aval.shape == ())
    value = only_value(function, size.id) if isinstance(size, ir.Name) else None
    if isinstance(size, ir.Name) and value is not None:
        name = size.id
        draft.remove(file.unit.statement(value.site))
    else:
        name = free_name(file, size.site, hazard.parameter if hazard.parameter in _SAYING else "size")
        value = expect(ir.Expression, size)
        draft.replace(size.site, name)
    require(_is_of_arguments(function, value))
    kind = known(parameter(file, function, name))[1]
    new = ir.Parameter(site=function.site, name=name, kind=kind, default=None, annotation=None)
    add_static(draft, TracedParameter(new, function, Origin("", function.decorators[0].site, transform="jax.jit")))
    around = Around(passed={name: f"int({file.code(value.site)})"})
    draft.edits += known(wrapped(file, function, around, rebinds=True))
    return draft.fix(f"Compute `{name}` outside of what is compiled, where it is static", COMPILED_ANEW)


def _is_of_arguments(function: ir.Function, value: ir.Node) -> bool:
    """Whether an expression of more than a name reads no variable of the function but parameters, which keep what they are given."""
    names = [each for each in ir.walk([value]) if isinstance(each, ir.Name) and each.id in function.locals]
    kept = all(not bindings(function, each.id) for each in names)
    return kept and bool(names) and not isinstance(value, ir.Name)
