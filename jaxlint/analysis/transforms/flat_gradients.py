"""Gradients that are zero: of what is only rounded or compared, of what is never read, and of modules of Python numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.state import DictObject, Instance
from jaxlint.analysis.interpreter.liveness import never_read
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.transforms.tangents import Run

_MAX_DEPTH = 4  # of trees in one another
_MAX_PARTS = 8  # leaves of arguments that are looked at one by one


@hazard_class()
class ZeroGradient(Hazard):
    """A gradient that is zero everywhere, or left out. Site: the call of the gradient, its argument, or a draw of integers.

    Operand: the call of the gradient, or its argument.
    """

    function: v.Value
    transform: str
    module: str = ""  # the class whose fields are Python numbers, which `filter_grad` leaves out
    unread: str = ""  # the parameter that is differentiated and that the function never reads
    part: str = ""  # of an argument, whose gradient alone is zero
    drawn: bool = False  # the site is a draw of integers, whose distribution is what is differentiated


class FlatGradients(Component):
    """Component of the interpreter: what a run of a differentiated function says of its gradient."""

    def report(self, first: Run, made: v.Transformed, call: Call, args: list[v.Value], endless: frozenset[int]) -> None:
        """Report a gradient that is zero, as a whole or in one leaf of the arguments."""
        unread = self.unread(made, call) if not call.star and not call.double_star else ""
        if unread or (first.flat and first.dropped and not first.stopped):
            hazard = ZeroGradient(made.function, made.transform.name, unread=unread, drawn=len(first.draws) == 1)
            cause = self.i.unit.nodes[min(first.draws)] if hazard.drawn else call.node
            self.i.report(hazard, cause, call.node, made, api=made.transform.name)
            return
        parts = [each for value in args for each in self.parts(value)] if first.dropped and not first.stopped else []
        for text, leaf, layer in parts if 1 < len(parts) <= _MAX_PARTS else ():
            run = type(first)(endless)
            run.only, run.layers = leaf, frozenset() if layer is None else frozenset((layer,))
            self.i.transforms.tangents.output(made, call, args, run)
            if run.flat and run.dropped and not run.stopped:
                hazard = ZeroGradient(made.function, made.transform.name, part=text)
                self.i.report(hazard, call.node, call.node, made, api=made.transform.name)
                return

    def unread(self, made: v.Transformed, call: Call) -> str:
        """The parameter that is differentiated, where the function reads in its place the variable that is passed."""
        function, names = made.function, []
        nodes: list[ir.Node] = []
        if type(function) is v.BoundMethod and type(function.function) is v.FunctionValue:
            contents = self.i.contents(function.receiver)
            methods = contents.cls.members.values() if type(contents) is Instance else ()
            nodes = [node for each in methods if type(each) is v.FunctionValue for node in each.function.body]
            own = function.function.function
            names = [each.name for each in own.parameters][1:]
        elif type(function) is v.FunctionValue:
            own = function.function
            nodes, names = list(own.body), [each.name for each in own.parameters]
        numbers = self.i.transforms.argnums(made) or ()
        for number in numbers if all(0 <= each < min(len(names), len(call.args)) for each in numbers) else ():
            passed = ir.dotted(call.arg_nodes[number])
            if not never_read(own, names[number]) or passed is None:
                return ""
            # A variable of the caller is none of the other methods.
            read = nodes if "." in passed else list(own.body)
            if any(isinstance(node, (ir.Name, ir.Attribute)) and ir.dotted(node) == passed for node in ir.walk(read)):
                return names[number]
        return ""

    def parts(self, value: v.Value, path: str = "", depth: int = 0) -> Iterator[tuple[str, int, v.Ident | None]]:
        """The leaves of an argument that are differentiated, each with what leads to it, its `id`, and that of a layer."""
        contents = self.i.contents(value)
        inside: list[tuple[str, v.Value]] = []
        if type(contents) is DictObject:
            inside = [(f"{path}[{name!r}]", each) for name, each in contents.items.items()]
        elif type(contents) is Instance:
            inside = [(f"{path}.{name}", each) for name, each in contents.fields.items()]
        elif type(value) is v.Tuple and value.fields is not None:
            inside = [(f"{path}.{name}", each) for name, each in zip(value.fields, value.items or ())]
        elif path and type(value) is v.Array and self.i.transforms.tangents.is_wanted(value):
            yield path, id(value), None
        elif (
            path
            and type(value) is v.OpaqueInstance
            and value.ident is not None
            and self.i.transforms.tangents.has_parameters(value)
        ):
            yield path, id(value), value.ident
        for text, each in inside if depth < _MAX_DEPTH else ():
            yield from self.parts(each, text, depth + 1)

    def of_numbers(self, made: v.Transformed, call: Call) -> None:
        """An Equinox module is differentiated whose leaves are all Python numbers: it has no gradient."""
        contents = self.i.contents(call.args[0]) if call.args and not call.star else None
        if type(contents) is not Instance or contents.cls.family != "equinox" or call.site in self.i.transforms.applied:
            return
        static = self.i.pytrees.static_fields(contents.cls) or ()
        leaves = list(self.i.leaves([value for name, value in contents.fields.items() if name not in static]))
        if leaves and all(v.python_type(leaf) == "float" for leaf in leaves):
            name = contents.cls.definition.name
            hazard = ZeroGradient(made.function, made.transform.name, name)
            self.i.report(hazard, call.node, call.arg_nodes[0], made, api=made.transform.name)
