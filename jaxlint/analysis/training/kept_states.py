"""States of NNX modules that are kept while the modules are trained on.

What `nnx.state` and `nnx.split` give holds the Variables of the module themselves: what is kept changes with the module.
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import target_names
from jaxlint.knowledge import release

_GIVING = frozenset({"flax.nnx.state", "flax.nnx.split"})
_RESTORING = frozenset({"flax.nnx.update", "flax.nnx.merge"})
# What leaves a module as it is.
_READING = frozenset({"state", "split", "clone", "graphdef", "display", "tabulate", "merge", "update"})
# Since then a state holds the Variables; before, copies of them.
_SHARED_SINCE = "0.12.0"


@hazard_class(consequence=Consequence.SILENT)
class KeptState(Hazard):
    """The state of a module is kept as that of a certain step, and changes with the module. Site: the call; operand: the module."""

    kept: str  # as what it is kept
    read: int  # where that is read


class KeptStates(Checker):
    """What is kept of a module by a condition, and read when the module was trained on."""

    def subscribe(self, events: Events) -> None:
        events.library_function_called.append(self.called, _GIVING)

    def called(self, name: str, func: v.Value, call: Call) -> None:
        if type(call.node) is not ir.Call or self.i.is_in_source(call.site):
            return
        flax = self.i.target.of("flax")
        module, statement = call.node_of(0, "node"), self.i.unit.statement(call.site)
        if module is None or flax is None or release(flax.newest) < release(_SHARED_SINCE) or ir.dotted(module) is None:
            return
        if not isinstance(statement, ir.Assign) or statement.value is not call.node or len(statement.targets) != 1:
            return
        for target in kept_in(statement.targets[0], name):
            kept = ir.dotted(target)
            read = self.read(statement, target, kept, module) if kept is not None else None
            if kept is not None and read is not None:
                self.i.report(KeptState(kept, read.site), call.node, module, v.UNKNOWN, api=name)
                return

    def read(self, statement: ir.Assign, target: ir.Node, kept: str, module: ir.Node) -> ir.Node | None:
        """Where the state is read after the module has been trained on; None where it may not have been."""
        condition: ir.If | None = None
        loop: ir.Node | None = None
        scope = self.i.unit.scope(statement.site)
        for above in self.i.unit.ancestors(statement.site):
            if above is scope:
                break
            if isinstance(above, ir.If) and loop is None:
                condition = condition or above
            elif isinstance(above, (ir.For, ir.While)):
                loop = above
        if condition is None or leaves(condition) or is_bound_again(condition, statement, kept):
            return None
        if not any(type(each) is ir.Compare for each in ir.walk([condition.test])):
            return None
        if loop is not None:
            if not self.is_trained_in(loop, module):
                return None
            inside = {each.site for each in ir.walk([loop])}
            later = (each for each in ir.walk(scope.body) if each.site > loop.site and each.site not in inside)
            found = next((each for each in later if type(each) is type(target) and ir.dotted(each) == kept), None)
            if found is not None or type(target) is ir.Name:
                return found
        return self.restored(scope, target, kept) if type(target) is ir.Attribute else None

    def is_trained_in(self, loop: ir.Node, module: ir.Node) -> bool:
        """Whether a loop goes on with one module, and passes it to a function."""
        assert isinstance(loop, (ir.For, ir.While))
        name = ir.dotted(module)
        bound = set(target_names(loop.target)) if isinstance(loop, ir.For) else set()
        given = False
        for node in ir.walk(loop.body):
            if isinstance(node, ir.Assign):
                bound.update(each for target in node.targets for each in target_names(target))
            elif isinstance(node, ir.Call) and ir.last_name(node.func) not in _READING:
                given = given or any(ir.dotted(each) == name for each in ir.passed_values(node))
        return given and name is not None and name.partition(".")[0] not in bound

    def restored(self, scope: ir.Scope, target: ir.Node, kept: str) -> ir.Node | None:
        """Where another method of the class restores what one has kept."""
        cls = next((each for each in self.i.unit.ancestors(scope.site) if isinstance(each, ir.ClassDefinition)), None)
        for define in cls.body if cls is not None else ():
            if not isinstance(define, ir.Define) or define.function is scope:
                continue
            for node in ir.walk(define.function.body):
                dotted = ir.dotted(node.func) if isinstance(node, ir.Call) else None
                if dotted is None or not isinstance(node, ir.Call):
                    continue
                if self.i.library_name(self.i.named(dotted)) in _RESTORING and any(
                    ir.dotted(each) == kept for each in ir.passed_values(node)
                ):
                    return node
        return None


def kept_in(target: ir.Node, name: str) -> Iterator[ir.Node]:
    """The names and attributes that are bound to states."""
    if isinstance(target, ir.Sequence):
        yield from target.elements[1:] if name.endswith("split") else target.elements
    elif not name.endswith("split"):
        yield target


def leaves(condition: ir.If) -> bool:
    """Whether the loop or function ends where the state is kept."""
    return any(isinstance(each, (ir.Break, ir.Return, ir.Raise)) for each in ir.walk(condition.body))


def is_bound_again(condition: ir.If, statement: ir.Assign, kept: str) -> bool:
    """Whether something else is made of the state, and kept instead."""
    return any(
        ir.dotted(target) == kept
        for each in ir.walk(condition.body)
        if isinstance(each, ir.Assign) and each is not statement
        for target in each.targets
    )
