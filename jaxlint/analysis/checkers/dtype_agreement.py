"""Operands whose dtypes do not agree, and dtypes that an operation refuses.

Functions of `jax.lax` promote nothing: a Python number counts as an array of 32 bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import bound
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir
from jaxlint.knowledge.dtypes import Dtypes, dtypes, kind

if TYPE_CHECKING:
    from jaxlint import knowledge

_BITWISE = frozenset({"&", "|", "^", "<<", ">>"})

Operands = list[tuple[v.Value, ir.Node, str]]  # with their dtypes


@hazard_class(of_plain_values=True)
class DtypeMismatch(Hazard):
    """An operation refuses the dtype of an operand. Site: the operator or call; operand; api; parameter.

    The name of an operator is `operator &`.
    """

    dtype: str
    expected: tuple[str, ...]  # the kinds that the operation takes, or the dtype of its other operand
    is_alike: bool  # whether it takes any dtype, and the same for all operands


class DtypeAgreement(Checker):
    """Dtypes of the operands of operators and functions."""

    def subscribe(self, events: Events) -> None:
        events.refuses_call.append(self.function)
        events.refuses_array_operands.append(self.binary)
        events.operands_read.append(self.unary)

    def binary(self, node: ir.Node, op: str, operands: Sequence[v.Value], nodes: Sequence[ir.Node]) -> bool:
        if op not in _BITWISE or not any(type(each) is v.Array for each in operands):
            return False
        name, known = f"operator {op}", [self.dtype_of(each) for each in operands]
        wanted = dtypes(name)
        if wanted is None or None in known:
            return False
        for number, (dtype, parameter) in enumerate(zip(known, "ab")):
            if dtype is not None and kind(dtype) in wanted.refuses[parameter]:
                found = DtypeMismatch(dtype, wanted.takes(parameter), False)
                return self.found(found, node, nodes[number] if nodes else node, operands[number], name)
        return False

    def unary(self, node: ir.Node, operands: Sequence[v.Value]) -> None:
        if type(node) is not ir.Unary or node.op != "~" or type(operands[0]) is not v.Array:
            return
        name, dtype = f"operator {node.op}", operands[0].aval.dtype
        wanted = dtypes(name)
        if wanted is not None and dtype is not None and kind(dtype) in wanted.refuses["a"]:
            self.found(DtypeMismatch(dtype, wanted.takes("a"), False), node, node.operand, operands[0], name)

    def function(self, name: str, found: knowledge.Facts, call: Call) -> bool:
        wanted = dtypes(name)
        if wanted is None or call.double_star:
            return False
        given: dict[str, Operands] = {}
        for parameter, value, node in bound(found, call):
            given.setdefault(parameter, []).extend(self.operands(value, node))
        return self.refused(name, wanted, given, call) or self.unlike(name, wanted, given, call)

    def refused(self, name: str, wanted: Dtypes, given: dict[str, Operands], call: Call) -> bool:
        for parameter, kinds in wanted.refuses.items():
            for value, node, dtype in given.get(parameter, ()):
                if kind(dtype) in kinds:
                    found = DtypeMismatch(dtype, wanted.takes(parameter), False)
                    return self.found(found, call.node, node, value, name, parameter)
        return False

    def unlike(self, name: str, wanted: Dtypes, given: dict[str, Operands], call: Call) -> bool:
        for group in wanted.alike:
            members = [(parameter, *each) for parameter in given if parameter in group for each in given[parameter]]
            members.sort(key=lambda member: type(member[1]) in (v.Const, v.Static))  # the arrays first
            for parameter, value, node, dtype in members[1:]:
                if dtype != members[0][3]:
                    found = DtypeMismatch(dtype, (members[0][3],), True)
                    return self.found(found, call.node, node, value, name, parameter)
        return False

    def operands(self, value: v.Value, node: ir.Node) -> Operands:
        """An argument, or the elements of one that is several, as far as their dtypes are known."""
        items = self.i.items_of(value) if type(value) in (v.Tuple, v.Ref) else [value]
        if not items:
            return []
        written = list(node.elements) if type(node) is ir.Sequence and len(node.elements) == len(items) else None
        found = []
        for number, item in enumerate(items):
            dtype = self.dtype_of(item)
            if dtype is not None:
                found.append((item, node if written is None else written[number], dtype))
        return found

    def dtype_of(self, value: v.Value) -> str | None:
        """The dtype of an array or a number, as a function of JAX sees it."""
        if type(value) not in (v.Array, v.Host, v.Const, v.Static):
            return None
        dtype = self.i.aval_of(value).dtype
        return dtype if kind(dtype) is not None else None

    def found(
        self, hazard: DtypeMismatch, node: ir.Node, operand: ir.Node, value: v.Value, name: str, parameter: str = ""
    ) -> bool:
        """Record dtypes that do not agree."""
        if self.i.possible:
            return False  # another object may be what is called here
        self.i.report(hazard, node, operand, value, api=name, parameter=parameter)
        return True
