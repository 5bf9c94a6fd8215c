"""Python loops of many passes in traced code: each pass adds its operations to the program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.context import STAGED_CODE
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.transforms.changing_numbers import passes
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_MANY = 32


@hazard_class(of_plain_values=True)
class UnrolledLoop(Hazard):
    """A Python loop of many passes in traced code, each of which becomes part of the program.

    Site: the iterable of a loop in traced code; operand: the same.
    """

    passes: int


class Unrolling(Checker):
    """Loops that are unrolled into a long program."""

    def subscribe(self, events: Events) -> None:
        events.loop_over_ended.append(self.unrolled)

    def unrolled(self, node: ir.For, iterable: v.Value) -> None:
        """Note a `for` that ended in traced code, after many passes that computed with arrays."""
        if self.i.context.stage != STAGED_CODE or self.i.state is None:
            return
        count = _length(self.i, node.iterable, iterable)
        if (
            count is None
            or count < _MANY
            or any(isinstance(part, (ir.Break, ir.Return)) for part in ir.statements(node.body, into_scopes=False))
        ):
            return
        if any(_is_traced(self.i, name) for name in _changed(node.body)):
            self.i.report(UnrolledLoop(count), node.iterable, node.iterable, iterable, origin=self.i.context.origin)


def _length(i: Interpreter, node: ir.Node, iterable: v.Value) -> int | None:
    callee = i.last_callee.get(node.site) if isinstance(node, ir.Call) else None
    if type(callee) is v.Api and callee.name == "builtins.range":
        return passes(i, node)
    shape = iterable.aval.shape if type(iterable) is v.Array else None
    return shape[0] if shape and isinstance(shape[0], int) else None


def _changed(body: list[ir.Statement]) -> Iterator[str]:
    """The names that a loop binds anew or appends to."""
    for node in ir.walk(body, into_scopes=False):
        targets = (
            list(node.targets) if isinstance(node, ir.Assign) else [node.target] if isinstance(node, ir.Augment) else []
        )
        for target in targets:
            yield from (part.id for part in [target, *getattr(target, "elements", ())] if isinstance(part, ir.Name))
        if isinstance(node, ir.Call) and isinstance(node.func, ir.Attribute) and node.func.attr == "append":
            if isinstance(node.func.value, ir.Name):
                yield node.func.value.id


def _is_traced(i: Interpreter, name: str) -> bool:
    frame = i.owner(name)
    value = i.variables(frame)[name] if frame is not None else v.UNKNOWN
    leaves = i.leaves([value])
    return any(leaf.cls is not None and not (type(leaf) is v.Array and leaf.needless) for leaf in leaves)
