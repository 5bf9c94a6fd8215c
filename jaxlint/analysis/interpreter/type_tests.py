"""Tests of the type that an argument had before it was traced, which a tracer does not pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.hazards import TypeTestOnTracer
from jaxlint.analysis.domain.instances import is_exactly
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.call import Call

_NUMBERS = frozenset({"int", "float", "bool", "complex"})
# Which types each class of a test takes in.
_INSTANCES = {
    "builtins.int": frozenset({"int", "bool"}), "builtins.float": frozenset({"float"}),
    "builtins.bool": frozenset({"bool"}), "builtins.complex": frozenset({"complex"}),
    "numbers.Number": _NUMBERS, "numbers.Real": _NUMBERS - {"complex"}, "numbers.Integral": frozenset({"int", "bool"}),
    "numpy.ndarray": frozenset({"ndarray"}),
}  # fmt: skip


def type_of(value: v.Value) -> str:
    """The type of an argument that tracing replaces; "" for what is no number and no NumPy array for certain."""
    kind = v.python_type(value)
    if type(value) is v.Host:
        return "ndarray" if value.aval.shape else ""
    return kind if kind in _NUMBERS else ""


def instance_test(i: Interpreter, call: Call, value: v.Value, classes: Sequence[str]) -> None:
    """`isinstance(x, classes)` of a tracer: noted where it would be true of what was passed, and decides."""
    if type(value) is v.Array and any(value.was in _INSTANCES.get(name, ()) for name in classes):
        _note(i, call.node, call.arg_nodes[0], value, "builtins.isinstance")


def scalar_test(i: Interpreter, call: Call) -> None:
    """`np.isscalar(x)`"""
    value = call.args[0] if call.args else v.UNKNOWN
    if type(value) is v.Array and value.was in _NUMBERS:
        _note(i, call.node, call.arg_nodes[0], value, "numpy.isscalar")


def exact_test(i: Interpreter, node: ir.Node, op: str, left_node: ir.Node, right: v.Value) -> v.Const | None:
    """What `type(x) is float` or `type(x) not in (int, float)` gives, where that is known."""
    callee = i.last_callee.get(left_node.site) if type(left_node) is ir.Call else None
    is_positive = op in ("is", "==", "in")
    if (
        not (is_positive or op in ("is not", "!=", "not in"))
        or type(callee) is not v.Api
        or callee.name != "builtins.type"
    ):
        return None
    call = i.last_calls[left_node.site]
    value = call.args[0] if len(call.args) == 1 else v.UNKNOWN
    classes = i.items_of(right) if op in ("in", "not in") else [right]
    if not classes:
        return None
    names = [part.name.rpartition(".")[2] for part in classes if type(part) is v.Api]
    if is_positive and type(value) is v.Array and value.was and value.was in names:
        _note(i, node, call.arg_nodes[0], value, "builtins.type")
    found = is_exactly(i, value, classes)
    return None if found is None else v.Const(found is is_positive)


def _note(i: Interpreter, node: ir.Node, operand: ir.Node, value: v.Array, api: str) -> None:
    if value.cls is not None and _decides(i.unit, node, operand):
        i.report(TypeTestOnTracer(value.was), node, operand, value, api=api)


def _decides(unit: ir.Unit, node: ir.Node, operand: ir.Node) -> bool:
    """Whether something else is computed where the test is false, and not the same from a converted argument."""
    negated = False
    test: ir.Node = node
    for above in unit.ancestors(node.site):
        if isinstance(above, ir.Unary) and above.op == "not":
            negated = not negated
        elif isinstance(above, ir.Boolean):
            if above.op == "or" or negated:
                return False
        elif isinstance(above, ir.Assert):
            return above.test is test and not negated
        elif isinstance(above, ir.Conditional):
            branches = (above.body, above.orelse)
            return above.test is test and not any(_is_same(branch, operand) for branch in branches)
        elif isinstance(above, ir.If):
            taken, left = (above.orelse, above.body) if negated else (above.body, above.orelse)
            return above.test is test and _differ(taken, left, operand)
        else:
            return False
        test = above
    return False


def _differ(taken: Sequence[ir.Statement], left: Sequence[ir.Statement], operand: ir.Node) -> bool:
    """``taken``: what runs where the test is true; ``left``: what runs in its place."""
    if not taken:  # `if not isinstance(…): …` with nothing else
        return not all(_rebinds(statement, operand) for statement in left)
    if any(isinstance(statement, ir.If) for statement in left):
        return False  # what tests further has a place for arrays
    if any(isinstance(statement, ir.Raise) for statement in taken):
        return False
    return not all(_rebinds(statement, operand) for statement in taken)


def _rebinds(statement: ir.Statement, operand: ir.Node) -> bool:
    target: ir.Node | None = None
    if isinstance(statement, ir.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    return target is not None and _is_same(target, operand)


def _is_same(node: ir.Node, operand: ir.Node) -> bool:
    return isinstance(node, ir.Name) and isinstance(operand, ir.Name) and node.id == operand.id
