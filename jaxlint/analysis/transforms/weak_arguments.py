"""Arguments of compiled functions that begin as Python numbers, and are arrays from the second pass of a loop on.

A Python number is weakly typed, and the array that a function gives for it is mostly not: the function is compiled for both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.signatures import signature_of
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.transforms.argument_sources import LEAST_MADE, runs_compiled, times
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.call import Call

_DTYPES = {"int": "int32", "float": "float32"}
_Numbers = dict[tuple[int, tuple[object, ...]], str]


@hazard_class()
class WeakArgument(Hazard):
    """A compiled function is given a Python number in the first pass of a loop, and an array after. Site: the call; operand: the argument."""

    function: v.Value
    loop: int
    path: tuple[object, ...]  # from the argument to the number


class WeakArguments(Checker):
    """What the calls in a loop are given in turn."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.first: dict[tuple[int, int], _Numbers] = {}  # call and the frame it is in -> numbers, by argument and path

    def subscribe(self, events: Events) -> None:
        events.compiled_called.append(self.called)

    def called(self, made: v.Transformed, call: Call) -> None:
        if made.transform.name != "jax.jit" or call.star or not runs_compiled(self.i, made):
            return
        place = (call.site, self.i.frame.serial)
        leaves = {
            (number, path): leaf
            for number, value in enumerate(call.args)
            for path, leaf in self.i.transforms.carries.leaves(value)
        }
        before = self.first.setdefault(place, {at: kind for at, kind in self.numbers(leaves) if kind in _DTYPES})
        entry = self.i.loop_entry
        if entry is None or entry[1] != len(self.i.chain) or self.i.silent:
            return
        count = times(self.i, entry[0])
        statics = signature_of(self.i, made.function).statics(self.i, made)
        for (number, path), kind in before.items() if count is None or count >= LEAST_MADE else ():
            leaf = leaves.get((number, path))
            if type(leaf) is not v.Array or statics is None or statics.position(number):
                continue
            if _reads_target(entry[0], call.arg_nodes[number]):
                continue
            dtype = leaf.aval.dtype
            if leaf.aval.weak is False and dtype is not None or dtype not in (None, _DTYPES[kind]):
                hazard = WeakArgument(made.function, entry[0].site, path)
                self.i.report(hazard, call.node, call.arg_nodes[number], made, api=made.transform.name)
                return

    def numbers(
        self, leaves: dict[tuple[int, tuple[object, ...]], v.Value]
    ) -> list[tuple[tuple[int, tuple[object, ...]], str]]:
        """The leaves that are Python numbers, with their types."""
        return [(at, v.python_type(leaf) or "") for at, leaf in leaves.items() if type(leaf) in (v.Const, v.Static)]


def _reads_target(loop: ir.Node, argument: ir.Node) -> bool:
    """Whether an argument reads the target of a `for` loop: what the loop iterates over may mix numbers and arrays."""
    if type(loop) is not ir.For:
        return False
    names = {node.id for node in ir.walk([loop.target]) if type(node) is ir.Name}
    return any(type(node) is ir.Name and node.id in names for node in ir.walk([argument]))
