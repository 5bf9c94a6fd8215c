"""Operators, truth values, and the results of array operations, by the class of the transform around them."""

from __future__ import annotations

import operator as py
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from mypy_extensions import trait

from jaxlint.analysis.domain import hazards, values as v
from jaxlint.analysis.domain.context import STAGED_CODE, UNKNOWN_CODE
from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.domain.promotion import broadcast, combined, floating, matmul
from jaxlint.analysis.domain.state import DictObject, ListObject, SetObject
from jaxlint.analysis.domain.symbolic import is_dimension
from jaxlint.analysis.interpreter import overloading
from jaxlint.analysis.interpreter.evaluation_state import EvaluationState
from jaxlint.analysis.interpreter.formatting import percent
from jaxlint.analysis.interpreter.predicates import are_same, has_several, identity
from jaxlint.analysis.interpreter.type_tests import exact_test
from jaxlint.analysis.shapes.laws import of_numpy
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_FOLD: dict[str, Callable[[Any, Any], Any]] = {
    "+": py.add, "-": py.sub, "*": py.mul, "/": py.truediv, "//": py.floordiv, "%": py.mod,
    "<": py.lt, ">": py.gt, "<=": py.le, ">=": py.ge, "==": py.eq, "!=": py.ne,
    "&": py.and_, "|": py.or_, "^": py.xor,
}  # fmt: skip
_FOLD_UNARY: dict[str, Callable[[Any], Any]] = {"-": py.neg, "+": py.pos, "~": py.invert}
_COMPARISONS = frozenset({"<", ">", "<=", ">=", "==", "!="})


def fold_unary(op: str, operand: v.Const) -> v.Value:
    try:
        value = _FOLD_UNARY[op](operand.value)
    except (TypeError, ValueError, OverflowError):
        return v.UNKNOWN
    return v.Const(value)


@trait
class Operators(EvaluationState):
    """Mixin of the interpreter: what operators do to values."""

    # --- results of array operations ----------------------------------------------------------

    def array_result(
        self: Interpreter,
        operands: Iterable[v.Value],
        aval: v.Aval = v.ANY,
        tangent: bool = True,
        origin: Origin | None = None,
    ) -> v.Array:
        """The array that a jax operation on ``operands`` gives here."""
        operands = list(operands)
        mode, cause = self.result_mode(operands, tangent)
        return v.Array(mode, aval, origin or cause, None, self.is_needless(mode, operands))

    def is_needless(self: Interpreter, mode: str, operands: Iterable[v.Value]) -> bool:
        """Whether the result is a tracer though nothing that goes into it has to be one."""
        return mode == v.STAGED and all(
            operand.needless if type(operand) is v.Array else type(operand) in (v.Const, v.Host) or _is_python(operand)
            for operand in self.leaves(operands)
        )

    def result_mode(self: Interpreter, operands: Iterable[v.Value], tangent: bool = True) -> tuple[str, Origin | None]:
        """Mode and origin of the result of a jax operation on ``operands``."""
        if self.context.tangents is not None:
            return self.transforms.tangents.mode(operands, tangent), None
        strongest, maybe, parts = v.CONCRETE, False, v.NOTHING
        cause: Origin | None = None
        for operand in self.leaves(operands):
            cls = operand.cls
            if cls is not None:
                if type(operand) is v.Array or type(operand) is v.Undecided:
                    parts |= v.made_of(operand.mode)
                if strongest == v.CONCRETE or v.weaker(strongest, cls) == strongest != cls:
                    strongest, cause = cls, operand.origin
            elif type(operand) in (v.Unknown, v.Ref) or (type(operand) is v.Array and operand.mode == v.MAYBE):
                maybe = True
        context = self.context
        # In an eager shard_map what has a value is a tracer whether it is differentiated or not.
        if not tangent or context.region == "manual":
            parts -= {v.DIFFERENTIATED}
        if context.stage == STAGED_CODE:
            return v.tracer_mode(v.STAGED, parts), cause or context.origin
        if context.region == "constants" and strongest == v.DIFFERENTIATED:
            # A constant that is differentiated inside what is staged has its value, too.
            return (v.MAYBE, None) if context.level and context.level.transform.cls != "staged" else (v.STAGED, cause)
        if strongest in v.ABSTRACT:
            return v.tracer_mode(strongest, parts), cause
        if strongest == v.DIFFERENTIATED and tangent:
            return strongest, cause
        if strongest == v.CONCRETE and not maybe and context.region == "manual":
            # A tracer of which a bool can be had, but no array, as of what is differentiated.
            return v.DIFFERENTIATED, context.origin
        if context.pure:
            return v.CONCRETE, None
        if maybe or context.stage == UNKNOWN_CODE:
            return v.MAYBE, None
        return v.CONCRETE, None

    # --- operators ----------------------------------------------------------------------------

    def operate(self: Interpreter, node: ir.Node, op: str, left: v.Value, right: v.Value) -> v.Value:
        kinds = (type(left), type(right))
        if type(left) is v.Const and type(right) is v.Const:
            return self.fold(op, left, right)
        if v.MemoryRef in kinds:
            value = left if kinds[0] is v.MemoryRef else right
            self.report(hazards.UnsupportedOperation(), node, node, value, api=f"operator {op}")
            return v.UNKNOWN
        if is_dimension(left) or is_dimension(right):
            return self.symbolic.operate(node, op, left, right)
        if self.typed_keys.operator(node, op, left, right) or self.events.refuses_operator(node, op, left, right):
            return v.UNKNOWN
        if op == "%" and _is_string(left):
            parts = node.args if type(node) is ir.Call else operand_nodes(node)
            return percent(self, node, parts, left, right)
        if op == "+" and (_is_string(left) or _is_string(right)):
            text = left if type(left) is v.Text else right
            return text if type(text) is v.Text else v.STATIC_STR
        containers = (v.Tuple, v.Ref)
        if kinds[0] in containers or kinds[1] in containers:
            if self.events.refuses_operands(node, op, (left, right), operand_nodes(node)):
                return v.UNKNOWN
            return overloading.binary(self, node, op, left, right) or self.operate_containers(op, left, right)
        if (maybe_static := _maybe_static(left, right)) is not None:
            unsure = self.context.tangents is not None and v.Unknown in kinds  # which may have a tangent
            return v.Unknown(v.fresh()) if unsure else maybe_static.renewed(v.fresh())
        if _arrayish(left) or _arrayish(right):
            other = right if _arrayish(left) else left
            if type(other) in (v.FunctionValue, v.ClassValue, v.Api, v.Text):
                return v.UNKNOWN
            return overloading.arrays(self, node, op, (left, right), operand_nodes(node), tangent=op != "//")
        if v.Host in kinds:
            other = right if kinds[0] is v.Host else left
            if type(other) in (v.Host, v.Const, v.Static):
                return v.Host(of_numpy(self.binary_aval(op, left, right)), self.shared_draws.combined(left, right))
            return v.Unknown(v.fresh())
        if v.python_type(left) is not None and v.python_type(right) is not None:
            result = _static_result(op, v.python_type(left), v.python_type(right))
            return v.Static(result, self.shared_draws.combined(left, right))
        return v.Unknown(v.fresh())

    def fold(self: Interpreter, op: str, left: v.Const, right: v.Const) -> v.Value:
        function = _FOLD.get(op)
        a, b = left.value, right.value
        if function is not None and not (
            op == "*" and isinstance(a, (str, bytes)) or isinstance(b, (str, bytes)) and op == "*"
        ):
            try:
                if op == "%" and isinstance(a, (str, bytes)):
                    return v.STATIC_STR
                return v.cache(function(a, b))
            except Exception:  # the program would raise as well
                return v.UNKNOWN
        if op == "**" and isinstance(b, int) and isinstance(a, (int, float)) and abs(b) <= 64 and abs(a) < 1e6:
            try:
                return v.Const(a**b)
            except (ZeroDivisionError, OverflowError):
                return v.UNKNOWN
        return v.Static(_static_result(op, type(a).__name__, type(b).__name__), v.fresh())

    def operate_containers(self: Interpreter, op: str, left: v.Value, right: v.Value) -> v.Value:
        if type(left) is v.Tuple and type(right) is v.Tuple and op == "+":
            if (
                left.items is not None
                and right.items is not None
                and len(left.items) + len(right.items) <= v.MAX_LENGTH
            ):
                return v.Tuple(left.items + right.items)
            return v.Tuple(None, v.join(v.summary(left), v.summary(right)))
        if type(left) is v.Tuple and op == "*" and type(right) is v.Const and isinstance(right.value, int):
            if left.items is not None and 0 <= right.value * len(left.items) <= 64:
                return v.Tuple(left.items * right.value)
            return v.Tuple(None, v.summary(left))
        first, second = self.contents(left), self.contents(right)
        if type(first) is ListObject:
            if type(second) is ListObject and op == "+":
                return self.new_object(first.followed_by(second))
            if op == "*" and type(right) in (v.Const, v.Static):
                if type(right) is v.Const and first.items is not None and isinstance(right.value, int):
                    if 0 <= right.value * len(first.items) <= 64:
                        return self.new_list(first.items * right.value)
                return self.new_list(None, first.summary())
        if type(first) is DictObject and op == "|" and (type(second) is DictObject or type(right) is v.Unknown):
            return self.new_object(first.united(second))
        if _arrayish(left) or _arrayish(right):
            array = left if _arrayish(left) else right
            # An array and a list do not mix; an array and an instance may do anything.
            return v.UNKNOWN if array is None else v.Unknown(v.fresh())
        return v.Unknown(v.fresh())

    # --- abstract values of results -----------------------------------------------------------

    def aval_of(self: Interpreter, value: v.Value) -> v.Aval:
        if isinstance(value, (v.Array, v.Host)):
            return value.aval
        if type(value) is v.Const:
            if isinstance(value.value, bool):
                return v.Aval("bool", (), True)
            if isinstance(value.value, int):
                return v.Aval("int32", (), True)
            if isinstance(value.value, float):
                return v.Aval("float32", (), True)
            if isinstance(value.value, complex):
                return v.Aval("complex64", (), True)
        if type(value) is v.Static and value.type in v.NUMERIC_TYPES:
            dtype = {"int": "int32", "float": "float32", "bool": "bool", "complex": "complex64"}[value.type]
            return v.Aval(dtype, (), True)
        return v.ANY

    def binary_aval(self: Interpreter, op: str, left: v.Value, right: v.Value) -> v.Aval:
        a, b = self.aval_of(left), self.aval_of(right)
        shape = matmul(a.shape, b.shape) if op == "@" else broadcast(a.shape, b.shape)
        if op in _COMPARISONS:
            return v.Aval("bool", shape)
        if op in ("<<", ">>"):
            a, b = (v.ANY if "bool" in (a.dtype, b.dtype) else x for x in (a, b))
        dtype, weak = combined((a, b))
        if "bool" in (a.dtype, b.dtype) and op in ("//", "%", "**", "-"):
            dtype = None
        span = None if a.span is b.span is None else v.spanned(op, a.span, right, b.span, left)
        # At once it is weak, staged it is not.
        result = v.Aval(dtype, shape, None if op == "**" and a.weak is not b.weak else weak, span)
        return floating(result) if op == "/" else result

    # --- comparison ---------------------------------------------------------------------------

    def compare(
        self: Interpreter,
        node: ir.Node,
        op: str,
        left: v.Value,
        right: v.Value,
        left_node: ir.Node,
        right_node: ir.Node,
    ) -> v.Value:
        if type(left) is v.Static and left.type == "type":
            answer = exact_test(self, node, op, left_node, right)
            if answer is not None:
                return answer
        if op in ("is", "is not", "==", "!=") and (same := are_same(left, right)) is not None:
            return v.Const(same == (op in ("is", "==")))
        if op in ("is", "is not"):
            return identity(self, op, left, right)
        if op in ("in", "not in"):
            return self.contains(node, op, left, right, left_node, right_node)
        if self.typed_keys.comparison(node, op, left, right, left_node, right_node) or self.events.refuses_operator(
            node, op, left, right
        ):
            return v.UNKNOWN
        known = self.typed_keys.equality(op, left, right)
        if known is not None:
            return known
        if type(left) is v.Const and type(right) is v.Const:
            return self.fold(op, left, right)
        for value in (left, right):
            if type(value) is v.MemoryRef:
                self.report(hazards.UnsupportedOperation(), node, node, value, api=f"operator {op}")
                return v.UNKNOWN
            if is_dimension(value) and not (_arrayish(left) or _arrayish(right)):
                return self.symbolic.compare(node, op, left, right)
        if type(left) is v.Tuple and type(right) is v.Tuple:
            known = self.symbolic.compare_tuples(node, op, left, right)
            if known is not None:
                return known
        equality = op in ("==", "!=")
        if equality and {type(left), type(right)} == {v.Tuple, v.Const}:
            return v.Const(op == "!=")
        if equality:
            for one, other in ((left, right), (right, left)):
                if v.is_none(other) and type(one) is v.Undecided:
                    return v.STATIC_BOOL  # it may be None itself: an empty tree
                if v.is_none(other) and type(one) in (v.Array, v.Host):
                    # `array == None` is decided by Python: it is False.
                    return v.Const(op == "!=") if type(one) is v.Array else v.UNKNOWN
                if (type(other) is v.Const and isinstance(other.value, (str, bytes))) or _is_string(other):
                    return v.STATIC_BOOL
                if type(other) in (v.FunctionValue, v.ClassValue, v.Api):
                    may_be_array = type(one) is v.Unknown or (type(one) is v.Array and type(other) is v.Api)
                    return v.UNKNOWN if may_be_array else v.STATIC_BOOL
        if self.events.refuses_operands(node, op, (left, right), (left_node, right_node)):
            return v.UNKNOWN
        maybe_static = _maybe_static(left, right)
        if maybe_static is not None:
            return maybe_static.renewed(v.fresh())
        if _arrayish(left) or _arrayish(right):
            other = right if _arrayish(left) else left
            if equality and type(other) in (v.Unknown, v.Ref, v.Tuple):
                return v.Unknown(v.fresh())
            return overloading.arrays(self, node, op, (left, right), (left_node, right_node), tangent=False)
        if v.Host in (type(left), type(right)):
            if v.python_type(left) is not None and v.python_type(right) is not None:
                return v.Host(self.binary_aval(op, left, right))
            return v.UNKNOWN
        is_none = v.is_none(right)
        if v.python_type(left) is not None and (v.python_type(right) is not None or is_none):
            return v.STATIC_BOOL
        return v.COMPARED if v.Unknown in (type(left), type(right)) else v.UNKNOWN

    def contains(
        self: Interpreter,
        node: ir.Node,
        op: str,
        left: v.Value,
        right: v.Value,
        left_node: ir.Node,
        right_node: ir.Node,
    ) -> v.Value:
        if self.hard(right, "bool") and type(right) is v.Array:
            self.report(hazards.BooleanOperatorOnTracer("in"), right_node, right_node, right, at=node)
            return v.UNKNOWN
        contents = self.contents(right)
        items = self.items_of(right) if not isinstance(right, (v.Array, v.Undecided, v.Unknown)) else None
        if type(contents) in (DictObject, SetObject):
            self.need_hash(node, left_node, left, "dict" if type(contents) is DictObject else "set")
            if type(contents) is DictObject and type(left) is v.Const and contents.rest is None:
                return v.Const((left.value in contents.items) == (op == "in"))
            return v.STATIC_BOOL
        if items is not None:
            if is_dimension(left):
                return self.symbolic.contained(node, op, left, items)
            # In staged code, what compares an array from outside is a tracer.
            compared = (
                self.array_result([left])
                if type(left) is v.Array and left.mode in (v.CONCRETE, v.DIFFERENTIATED)
                else left
            )
            if type(left) is v.Array and self.hard(compared, "bool"):
                numbers = [i for i in items if type(i) is v.Const and isinstance(i.value, (int, float, complex))]
                arrays = [i for i in items if type(i) in (v.Array, v.Host)]
                if numbers or arrays:
                    self.report(hazards.BooleanOperatorOnTracer("in"), left_node, left_node, compared, at=node)
                    return v.UNKNOWN
            constants = [i.value for i in items if type(i) is v.Const]
            if type(left) is v.Const and len(constants) == len(items):
                return v.Const((left.value in constants) == (op == "in"))
            same = {are_same(left, item) for item in items}
            if True in same or same == {False}:
                return v.Const((True in same) == (op == "in"))
            traced = [i for i in items if type(i) is v.Array and self.hard(i, "bool")]
            if v.is_scalar_const(left) and traced:
                self.report(hazards.BooleanOperatorOnTracer("in"), right_node, right_node, traced[0], at=node)
                return v.UNKNOWN
        if (
            type(right) in (v.Host, v.Static)
            and type(left) is v.Array
            and self.hard(left, "bool")
            and type(right) is v.Host
        ):
            self.report(hazards.NumpyOnTracer(), node, left_node, left, api="numpy.ndarray.__contains__")
            return v.UNKNOWN
        return v.STATIC_BOOL

    # --- truth and conversions ----------------------------------------------------------------

    def truth(self: Interpreter, value: v.Value) -> bool | None:
        """The truth of a value, where every run agrees on it."""
        kind = type(value)
        if type(value) is v.Const:
            return bool(value.value)
        if type(value) is v.Tuple and value.items is not None:
            return bool(value.items)
        if isinstance(value, (v.Unknown, v.Static)) and self.state is not None:
            return self.state.truth(value.ident)
        if kind in (v.FunctionValue, v.ClassValue, v.Partial, v.Transformed, v.BoundMethod):
            return True
        if kind is v.Ref:
            contents = self.contents(value)
            return True if type(contents) is ListObject and contents.items else None
        return None

    def hard(self: Interpreter, value: v.Value, level: str, containers_fail: bool = False) -> bool:
        """Whether needing the Python value fails.

        ``level`` is "bool" for what a differentiated value still gives (bool, int, index, item) and
        "float" for what fails for every tracer (float, NumPy, formatting). An undecided parameter
        counts only where a container would fail as well.
        """
        if type(value) is v.Undecided and not containers_fail:
            return False
        cls = value.cls
        return cls in v.ABSTRACT or (cls == v.DIFFERENTIATED and level == "float")

    def shows_tracer(self: Interpreter, value: v.Value) -> bool:
        return (type(value) in (v.Array, v.Undecided) and value.cls is not None) or type(value) is v.Text

    def need_bool(
        self: Interpreter, node: ir.Node, value: v.Value, hazard: hazards.Hazard, operand: int | None = None
    ) -> bool:
        """Record that a bool of ``value`` is needed. True when that fails."""
        if type(value) is v.Array and self.hard(value, "bool"):
            at = self.unit.nodes[operand] if operand is not None else node
            chain = isinstance(hazard, hazards.BooleanOperatorOnTracer) and hazard.form == "chain"
            self.report(hazard, node if chain else at, at, value)
            return True
        if is_dimension(value):
            self.symbolic.truth(node, value)
            return False
        if has_several(self, node, node, value):
            return True
        self.beliefs.decides(node, value, hazard)
        operator = isinstance(hazard, hazards.BooleanOperatorOnTracer)
        if type(node) is ir.Boolean and node.site in self.right_values and not operator:
            return self.need_bool(node.right, self.right_values[node.site], hazard)
        return False

    def need_hash(self: Interpreter, node: ir.Node, operand: ir.Node, value: v.Value, what: str) -> bool:
        array = self.unhashable(value)
        if array is not None:
            self.report(hazards.HashOfTracer(what), node, operand, array)
        return array is not None

    def unhashable(self: Interpreter, value: v.Value) -> v.Value | None:
        """The array in a value that is to be hashed: they hash neither traced nor concrete."""
        leaves = self.leaves([value]) if type(value) is v.Tuple else (value,)
        return next((x for x in leaves if type(x) is v.Array or self.hard(x, "bool", containers_fail=True)), None)


def _arrayish(value: v.Value) -> bool:
    return type(value) in (v.Array, v.Undecided)


def _maybe_static(*operands: v.Value) -> v.Undecided | None:
    """The operand that may be plain Python, where none of the operands is an array."""
    if any(
        type(operand) in (v.Array, v.Host) or (type(operand) is v.Undecided and not operand.maybe_static)
        for operand in operands
    ):
        return None
    return next((operand for operand in operands if type(operand) is v.Undecided), None)


def _is_python(value: v.Value) -> bool:
    """Whether it is certainly no array, and no symbolic dimension: a number, or a dtype."""
    if type(value) is v.Api:
        return value.name.startswith(("jax.numpy.", "numpy.", "builtins."))
    return type(value) is v.Static and (value.type in v.NUMERIC_TYPES or value.type == "dtype")


def _is_string(value: v.Value) -> bool:
    if type(value) is v.Const:
        return isinstance(value.value, (str, bytes))
    return type(value) is v.Text or (type(value) is v.Static and value.type == "str")


def _static_result(op: str, a: str | None, b: str | None) -> str:
    if op in _COMPARISONS:
        return "bool"
    if a == b == "bool":
        return "bool" if op in ("&", "|", "^") else "int"
    numeric = {"int", "bool"}
    if a in numeric and b in numeric:
        return "float" if op == "/" else ("int" if op != "**" else "")
    if {a, b} <= {"int", "float", "bool"}:
        return "float"
    return ""


def operand_nodes(node: ir.Node) -> tuple[ir.Expression, ...]:
    """The nodes on both sides of an operator; none for a call that stands for one."""
    if type(node) is ir.Binary:
        return node.left, node.right
    return (node.target, node.value) if type(node) is ir.Augment else ()
