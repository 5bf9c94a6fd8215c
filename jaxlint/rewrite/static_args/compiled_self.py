"""The fix for `self` of a compiled method: static, a pytree, or not read where it changes."""

from __future__ import annotations

from jaxlint.analysis.interpreter.hashing import hashable_instances
from jaxlint.analysis.transforms.static_self import JitMethodWithoutStaticSelf
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import PASSED
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import operand
from jaxlint.rewrite.parameters import add_parameter
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.transform_options import entries_of, rewritten, tuple_text, value_of
from jaxlint.rewrite.transforms.returned import registered_dataclass
from jaxlint.source.diagnostic import Applicability, Fix

_READ_ONCE = "its attributes are read once for each object"


@or_none
def compiled_self(hazard: JitMethodWithoutStaticSelf, file: File) -> Fix:
    require(hazard.site in file.unit and hazard.function.function.site in file.unit)
    node, draft = file.unit.nodes[hazard.site], Draft(file)
    if hazard.attribute is not None:
        return _passed(hazard, draft, hazard.attribute)
    if not hashable_instances(hazard.cls):
        return known(registered_dataclass(file, hazard.cls.definition)).lowered(Applicability.DISPLAY)
    if isinstance(node, (ir.Name, ir.Attribute)):
        draft.replace(node.site, f"{draft.api('functools.partial')}({file.code(node.site)}, static_argnums=0)")
        return draft.fix("Make `self` static", _READ_ONCE)
    return _added(hazard, draft, expect(ir.Call, node))


def _added(hazard: JitMethodWithoutStaticSelf, draft: Draft, call: ir.Call) -> Fix:
    """`self` among the static arguments that the decorator has."""
    numbers, names = value_of(call, "static_argnums"), value_of(call, "static_argnames")
    require((numbers is None) != (names is None) and len(call.args) < 2)
    value, parameters = known(numbers or names), hazard.function.function.parameters
    require(all(isinstance(each, ir.Constant) for each in getattr(value, "elements", [value])))
    entries = entries_of(draft.file, value) if isinstance(value, ir.Sequence) else [draft.file.code(value.site)]
    require(entries)
    if names is not None:
        draft.edits.append(rewritten(draft.file, value, tuple_text([f'"{parameters[0].name}"', *known(entries)])))
        return draft.fix("Make `self` static, too", _READ_ONCE)
    require(all(each.isdigit() for each in known(entries)))
    given = [int(each) for each in known(entries)]
    # Counted without `self`, where that leaves all of them among the parameters.
    counted = [each + (max(given) + 1 < len(parameters)) for each in given]
    draft.edits.append(rewritten(draft.file, value, tuple_text(["0", *map(str, counted)])))
    return draft.fix("Count `self`, and make it static", _READ_ONCE)


def _passed(hazard: JitMethodWithoutStaticSelf, draft: Draft, name: str) -> Fix:
    """The attribute that changes as an argument of the method."""
    function, file = hazard.function.function, draft.file
    require(function.parameters)
    me = function.parameters[0].name
    uses = [file.unit.parent(each.site) for each in ir.names_below(function.body).get(me, ())]
    require(all(isinstance(each, ir.Attribute) for each in uses))  # it goes nowhere as a whole
    reads = [each for each in uses if isinstance(each, ir.Attribute) and each.attr == name]
    for node in ir.walk(function.body):
        targets = node.targets if isinstance(node, (ir.Assign, ir.Delete)) else [getattr(node, "target", None)]
        require(not any(target in reads for target in targets))
    change = known(add_parameter(file, function, name, lambda call: _attribute(file, call, name)))
    require(reads)
    draft.edits += change.edits
    for read in reads:
        draft.replace(read.site, name)
    return draft.fix(f"Pass `{name}` as an argument of `{function.name}`", PASSED, change.level)


@or_none
def _attribute(file: File, call: ir.Call, name: str) -> str:
    """The attribute of the object whose method is called, where that is not computed twice."""
    owner = expect(ir.Attribute, call.func).value
    require(isinstance(owner, (ir.Name, ir.Attribute)))
    return f"{operand(file, owner.site)}.{name}"
