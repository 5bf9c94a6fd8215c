"""Containers that a transformed function is passed and changes: it changes a copy, which nobody sees again.

A transform takes its arguments apart and puts them together anew for the function. What is stored in a
dict or list that came as an argument is lost where the function does not go on to read it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeGuard

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.origin import Origin

_ADDING = frozenset({"append", "extend", "insert", "update", "setdefault"})
# Transforms that rebuild each argument; a gradient rebuilds those it is taken of, which are traced.
_REBUILDING = frozenset({
    "jit", "pjit", "pmap", "vmap", "grad", "value_and_grad", "checkpoint", "remat", "scan", "fori_loop", "while_loop",
    "map", "jacfwd", "jacrev", "hessian", "linearize", "jvp", "vjp",
})  # fmt: skip


@hazard_class(consequence=Consequence.SILENT)
class ArgumentContainerMutated(Hazard):
    """A transformed function stores something in a container it was passed, and the store is lost.

    Site: the target or call; operand: the argument that is changed; api: the transform.
    """


class LostStores(Checker):
    """Stores into arguments that a transform has rebuilt."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.known: dict[int, list[tuple[str, ir.Node, ir.Name]]] = {}  # site of a function -> what it loses

    def subscribe(self, events: Events) -> None:
        events.function_entered.append(self.entered)

    def entered(self, func: v.FunctionValue, variables: dict[str, v.Value], call: Call, origin: Origin | None) -> None:
        """A transformed function is called with what the transform made of its arguments."""
        name = (origin.transform if origin is not None else None) or ""
        if not call.entering or not name.startswith("jax.") or name.rpartition(".")[2] not in _REBUILDING:
            return
        if func.function.site not in self.known:
            self.known[func.function.site] = list(_lost(self.i.unit, func.function))
        for parameter, at, node in self.known[func.function.site]:
            value = variables.get(parameter)
            if value is not None and self.is_rebuilt(value, name):
                self.i.report(
                    ArgumentContainerMutated(), at, node, value, api=name, parameter=parameter, origin=value.origin
                )

    def is_rebuilt(self, value: v.Value, transform: str) -> bool:
        """Whether the argument is what the transform made: a tree of tracers."""
        if type(value) is v.Undecided:
            return value.ident not in self.i.nnx.known  # an object of the library is no container
        leaves = list(self.i.leaves([value])) if type(value) is v.Ref else []
        return bool(leaves) and all(leaf.origin is not None and leaf.origin.transform == transform for leaf in leaves)


def _lost(unit: ir.Unit, function: ir.Function) -> Iterator[tuple[str, ir.Node, ir.Name]]:
    """(parameter, target or call, name) for each store into a parameter that nothing reads afterwards."""
    if function.is_lambda or function.is_generator:
        return
    stored = _stores(function)
    inside = list(ir.walk(function.body)) if stored else ()
    for parameter in function.parameters:
        if parameter.kind in ("star", "double-star") or parameter.name in ("self", "cls"):
            continue
        names = [node for node in inside if isinstance(node, ir.Name) and node.id == parameter.name]
        stores = [(name, stored[name.site]) for name in names if name.site in stored]
        reads = [name for name in names if name.site not in stored]
        if not stores or any(not _is_harmless(unit, read, function) for read in reads):
            continue
        for name, store in stores:
            asking = [read for read in reads if not _is_of_another(unit, read, store)]
            if any(read.site > name.site for read in asking):
                continue
            # What follows in the next turn of a loop comes after it as well.
            if not asking or not any(type(around) in (ir.For, ir.While) for around in _within(unit, store, function)):
                yield parameter.name, store, name


def _stores(function: ir.Function) -> dict[int, ir.Node]:
    """By the site of the name of a container: the subscript or call by which something is stored right in it."""
    found: dict[int, ir.Node] = {}
    for node in ir.statements(function.body):
        if isinstance(node, (ir.Assign, ir.Augment)):
            for target in node.targets if isinstance(node, ir.Assign) else (node.target,):
                if type(target) is ir.Subscript and type(target.value) is ir.Name and _is_text(target.index):
                    found[target.value.site] = target
        elif isinstance(node, ir.Evaluate) and type(node.value) is ir.Call:
            call, method = node.value, node.value.func
            if type(method) is ir.Attribute and type(method.value) is ir.Name and method.attr in _ADDING:
                # Other things than dicts are updated by what they are passed.
                if method.attr != "update" or all(type(arg) is ir.Dict for arg in call.args):
                    found[method.value.site] = call
    return found


def _is_text(node: ir.Node) -> TypeGuard[ir.Constant]:
    return type(node) is ir.Constant and isinstance(node.value, str)


def _is_of_another(unit: ir.Unit, read: ir.Node, store: ir.Node) -> bool:
    """Whether a read takes the item of another name than the one that is stored."""
    taken = unit.parent(read.site)
    if type(store) is not ir.Subscript or not isinstance(taken, ir.Subscript) or not _is_text(taken.index):
        return False
    assert _is_text(store.index)
    return bool(taken.index.value != store.index.value)


def _is_harmless(unit: ir.Unit, read: ir.Node, function: ir.Function) -> bool:
    """Whether a read takes an item, in the function itself, and keeps no other name of the container."""
    above = unit.parent(read.site)
    if any(isinstance(around, ir.Scope) for around in _within(unit, read, function)):
        return False
    if isinstance(above, ir.Subscript) and above.value is read:
        return type(unit.parent(above.site)) not in (ir.Assign, ir.Delete, ir.Augment) or not _is_target(unit, above)
    return isinstance(above, ir.Compare) and any(op in ("in", "not in") for op in above.ops) and above.left is not read


def _is_target(unit: ir.Unit, node: ir.Node) -> bool:
    statement = unit.parent(node.site)
    targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
    return any(target is node for target in targets)


def _within(unit: ir.Unit, node: ir.Node, function: ir.Function) -> Iterator[ir.Node]:
    """What is around a node, inside of the function."""
    for around in unit.ancestors(node.site):
        if around is function:
            return
        yield around
