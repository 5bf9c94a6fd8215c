"""Arguments of a form that a function does not take: lists, generators, dict views and functions for arrays, seeds for keys, an
array for an axis, a number for a dtype, strings in an array, an array for a tuple of arrays.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import bound, parts
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.state import DictObject, ListObject
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.shapes.bound_arguments import is_shape
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_to

if TYPE_CHECKING:
    from jaxlint import knowledge
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.call import Call

# Functions that take a list of arrays, none of which may be a list itself.
_JOINING = frozenset(
    f"jax.numpy.{name}" for name in ("concatenate", "concat", "stack", "hstack", "vstack", "dstack", "column_stack")
)


# Parameters that are sequences of indices, one for each axis.
_STARTS = frozenset({("jax.lax.dynamic_slice", "start_indices"), ("jax.lax.dynamic_update_slice", "start_indices")})
_STARTING = tuple(name for name, _ in _STARTS)
_ARITHMETIC = frozenset({"+", "-", "*", "/", "//", "%", "**", "@"})  # none of which a dict takes
_CONTAINERS = frozenset({"dict", "list", "tuple"})
_NUMBERS = {"int": "whole", "bool": "whole", "float": "number", "complex": "number"}


_TAKES_FLOAT_AXIS = "jax.numpy.lexsort"
_FUNCTIONS = (v.FunctionValue, v.BoundMethod, v.Partial, v.Transformed)
_MAKING = frozenset({"jax.numpy.array", "jax.numpy.asarray"})
_MOST_PARTS = 65  # of a display that is looked through; more of them are numbers


@hazard_class(of_plain_values=True)
class RefusedArgument(Hazard):
    """A list, a generator, a dict or a view of one, or a function is given to a function that takes arrays; or an array or a
    number to one that takes something else there ("array", "number", "bare" for a tuple of arrays); a "string" or "None" to one
    that makes an array of it; a "shape" to one that takes what has a shape; a key or seed for "rngs" of NNX. "tree": a list or tuple of arrays that Python is to
    compute with.

    Site: the call; operand: the argument; api; parameter.
    """

    form: str


class Refusals(Checker):
    """Arguments and operands of a form that is refused."""

    def subscribe(self, events: Events) -> None:
        events.refuses_call.append(self.refuses)
        events.refuses_operands.append(self.refuses_list)
        events.library_function_called.append(self.transform_called)

    def refuses(self, name: str, found: knowledge.Facts, call: Call) -> bool:
        """Whether the function refuses an argument of the call for its form; recorded if so."""
        if self.misplaced(name, found, call) or (name in _MAKING and self.made_of(name, found, call)):
            return True
        for parameter, value, node in bound(found, call) if found.refuses else ():
            refused = found.refuses.get(parameter, ())
            form = form_of(self.i, value) if refused else None
            # The probe passes no dicts; a function of `jax.numpy` that refuses a view of one refuses the dict.
            measured = "view" if form == "dict" and name.startswith("jax.numpy.") else form
            if refused and measured is None and isinstance(value, _FUNCTIONS):
                form, measured = "function", "view"  # none that refuses a view was seen to take a function
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

    def misplaced(self, name: str, found: knowledge.Facts, call: Call) -> bool:
        """Whether an array stands for an axis (`jnp.stack(x, y)`), or a number for a dtype or for a tuple of indices."""
        if (
            not name.startswith((".", "jax.numpy.", "jax.nn.", "jax.scipy.", *_STARTING))
            or call.star
            or call.double_star
        ):
            return False
        first = call.args[0] if call.args else None
        for parameter, value, node in bound(found, call):
            number = v.python_type(value) in ("int", "float")
            form = ""
            if parameter == "axis" and v.python_type(value) == "float" and name != _TAKES_FLOAT_AXIS:
                form = "number"
            elif parameter == "axis" and name in _JOINING and type(first) is v.Array:
                form = "array" if type(value) is v.Array and not value.presumed and value.aval.shape != () else ""
            elif name.startswith("jax.numpy.") and parameter == "dtype" or (name, parameter) in _STARTS:
                scalar = type(value) is v.Array and value.aval.shape == () and parameter == "start_indices"
                form = "number" if number or scalar else ""
            if form:
                self.i.report(RefusedArgument(form), call.node, node, value, api=name, parameter=parameter)
                return True
        return False

    def made_of(self, name: str, found: knowledge.Facts, call: Call) -> bool:
        """Whether an array is made of strings, of None or of functions; recorded if so. A dtype converts the digits in a string."""
        if call.args and form_of(self.i, call.args[0]) == "dict":
            return False
        typed = any(parameter == "dtype" for parameter, _, _ in bound(found, call))
        for parameter, value, node in bound(found, call)[:1]:
            held = list(itertools.islice(parts(self.i, value, node), _MOST_PARTS))
            for part, at in held if len(held) < _MOST_PARTS else ():
                text = type(part) is v.Const and isinstance(part.value, (str, bytes))
                form = "function" if isinstance(part, _FUNCTIONS) else "string" if text else ""
                if v.is_none(part) and says_none(bound_to(self.i.unit, at)):
                    form = "None"  # one that a caller passes may be refused before
                if form and not (typed and text):
                    self.i.report(RefusedArgument(form), call.node, at, part, api=name, parameter=parameter)
                    return True
        return False

    def transform_called(self, name: str, _func: v.Value, call: Call) -> None:
        """An array for the tuple of arrays that `jvp` differentiates by, a shape for what `eval_shape` takes, a key for streams."""
        if name.startswith("flax.nnx.") and (node := call.keyword_nodes.get("rngs")) is not None:
            streams = call.keywords.get("rngs", v.NONE)
            is_key = type(streams) is v.Array and streams.aval.dtype in v.KEYS
            if is_key or (type(streams) is v.Const and type(streams.value) is int):
                self.i.report(RefusedArgument("rngs"), call.node, node, streams, api=name, parameter="rngs")
        if name == "jax.jvp":
            for number, parameter in enumerate(("primals", "tangents"), 1):
                value, node = call.get(number, parameter), call.node_of(number, parameter)
                if value is not None and node is not None and is_bare(value):
                    self.i.report(RefusedArgument("bare"), call.node, node, value, api=name, parameter=parameter)
                    return
        if name == "jax.eval_shape" and not call.star:
            for value, node in list(zip(call.args, call.arg_nodes))[1:]:
                if is_shape(value):
                    self.i.report(RefusedArgument("shape"), call.node, node, value, api=name)

    def refuses_container(self, node: ir.Node, op: str, operands: Sequence[v.Value], nodes: Sequence[ir.Node]) -> bool:
        """Whether arithmetic is done with a dict, or with a list or tuple of arrays, that Python has none for; recorded if so.

        The other operand is an array, a number or another container. An array beside a list is for `refuses_list`.
        """
        first, second = self.kind(operands[0]), self.kind(operands[1])
        kinds = {first, second}
        number = next((n for n, kind in enumerate((first, second)) if kind in _CONTAINERS), None)
        if op not in _ARITHMETIC or number is None or None in kinds:
            return False
        if "dict" in kinds:
            number = (first, second).index("dict")
        elif "array" in kinds:
            return False
        elif not any(v.python_type(leaf) is None for leaf in self.i.leaves(operands)):
            return False  # plain Python alone
        elif (op == "+" and kinds <= _CONTAINERS) or (op == "*" and "whole" in kinds):
            return False  # lists and tuples are joined and repeated
        form = "dict" if (first, second)[number] == "dict" else "tree"
        self.i.report(RefusedArgument(form), node, nodes[number], operands[number], api=f"operator {op}")
        return True

    def refuses_sign(self, node: ir.Node, op: str, operand: v.Value, at: ir.Node) -> bool:
        """Whether a dict, or a list or tuple of arrays, is negated; recorded if so."""
        kind = self.kind(operand)
        if kind not in _CONTAINERS or not any(v.python_type(leaf) is None for leaf in self.i.leaves([operand])):
            return False
        form = "dict" if kind == "dict" else "tree"
        self.i.report(RefusedArgument(form), node, at, operand, api=f"operator {op}")
        return True

    def kind(self, value: v.Value) -> str | None:
        """What arithmetic asks of an operand; None for what is not known, or may define operators of its own."""
        if type(value) is v.Array:
            return None if value.aval.dtype in v.KEYS else "array"
        if type(value) is v.Tuple:
            return "tuple" if value.fields is None else None
        contents = self.i.contents(value)
        if type(contents) is DictObject:
            return "dict"
        if type(contents) is ListObject:
            return "list"
        return _NUMBERS.get(v.python_type(value) or "")

    def refuses_list(self, node: ir.Node, op: str, operands: Sequence[v.Value], nodes: Sequence[ir.Node]) -> bool:
        """Whether operands are such that none of them has the operator, as a jax array beside a list; recorded if so."""
        if not nodes:
            return False
        if len(operands) == 1:
            return self.refuses_sign(node, op, operands[0], nodes[0])
        if self.refuses_container(node, op, operands, nodes):
            return True
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


def is_bare(value: v.Value) -> bool:
    """Whether a value is one array or number, and no tuple of them."""
    return type(value) in (v.Array, v.Host) or v.python_type(value) in ("int", "float")


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


def says_none(node: ir.Node) -> bool:
    """Whether an expression has None written in it."""
    return any(type(each) is ir.Constant and each.value is None for each in ir.walk([node]))
