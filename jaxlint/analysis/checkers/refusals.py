"""Arguments of a form that a function does not take: lists, generators and dict views for arrays, seeds for keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import bound
from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.state import DictObject
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint import knowledge
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.call import Call

# Functions that take a list of arrays, none of which may be a list itself.
_JOINING = frozenset(
    f"jax.numpy.{name}" for name in ("concatenate", "concat", "stack", "hstack", "vstack", "dstack", "column_stack")
)


@dataclass(eq=False, repr=False)
class RefusedArgument(Hazard):
    """A list, a generator, a dict or a view of one is given to a function that takes arrays.

    Site: the call; operand: the argument; api; parameter.
    """

    of_plain_values = True

    form: str


class Refusals(Checker):
    """Arguments and operands of a form that is refused."""

    def subscribe(self, events: Events) -> None:
        events.refuses_call.append(self.refuses)
        events.refuses_operands.append(self.refuses_list)

    def refuses(self, name: str, found: knowledge.Facts, call: Call) -> bool:
        """Whether the function refuses an argument of the call for its form; recorded if so."""
        for parameter, value, node in bound(found, call) if found.refuses else ():
            refused = found.refuses.get(parameter, ())
            form = form_of(self.i, value) if refused else None
            # The probe passes no dicts; a function of `jax.numpy` that refuses a view of one refuses the dict.
            measured = "view" if form == "dict" and name.startswith("jax.numpy.") else form
            if form is not None and measured in refused:
                self.i.report(RefusedArgument(form), call.node, node, value, api=name, parameter=parameter)
                return True
            if name in _JOINING and form == "list":
                inner = next(((item, at) for item, at in _elements(self.i, value, node) if self.i.is_list(item)), None)
                if inner is not None:
                    self.i.report(
                        RefusedArgument("element"), call.node, inner[1], inner[0], api=name, parameter=parameter
                    )
                    return True
        return False

    def refuses_list(self, node: ir.Node, op: str, operands: Sequence[v.Value], nodes: Sequence[ir.Node]) -> bool:
        """Whether a jax array and a list meet at an operator, none of which takes them; recorded if so."""
        if not nodes:
            return False
        for array, other, other_node in ((operands[0], operands[1], nodes[1]), (operands[1], operands[0], nodes[0])):
            if type(array) is not v.Array or array.aval.dtype == "key" or not self.i.is_list(other):
                continue
            if type(other) is not v.Tuple or other.fields is None:  # a class of its own may define operators
                self.i.report(RefusedArgument("list"), node, other_node, other, api=f"operator {op}")
                return True
        return False


def _elements(i: Interpreter, value: v.Value, node: ir.Node) -> list[tuple[v.Value, ir.Node]]:
    """The elements of a list that is written out, with their nodes."""
    items = i.items_of(value)
    if not items or type(node) is not ir.Sequence or len(node.elements) != len(items):
        return []
    return list(zip(items, node.elements))


def form_of(interpreter: Interpreter, value: v.Value) -> str | None:
    """The form of a value as `knowledge.Facts.refuses` names it; None for any other."""
    if interpreter.is_list(value):
        return "list"
    if type(value) is v.Iterator:
        return value.form
    if type(interpreter.contents(value)) is DictObject:
        return "dict"
    if v.python_type(value) == "int":
        return "seed"
    aval = value.aval if isinstance(value, (v.Array, v.Host)) else v.ANY
    if aval.shape == () and aval.dtype is not None and aval.dtype.startswith("int"):
        return "seed"  # of unsigned integers keys are made
    return None
