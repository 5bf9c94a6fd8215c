"""Augmented assignments that would change an array for others as well, were it one of NumPy.

`a += 1` works in place in NumPy: the caller of the function, the array that is looped over, and the other names of the
array see it. With a jax array it binds the name to another array, and is lost where nobody reads the name again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import enclosing_loops

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter


@hazard_class(consequence=Consequence.SILENT, only_arrays=True)
class AugmentedAssignAlias(Hazard):
    """An augmented assignment is to change an array in place, and with a jax array it changes nothing that is read.

    Site: the target of the augmented assignment; operand: the same.
    """

    alias: str


class Aliases(Checker):
    """Augmented assignments that lose what they compute."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # Site of an augmented assignment -> what else names the array.
        self.known: dict[int, str | None] = self.i.per_module({})
        # Function -> the places of each name in its body.
        self.inside: dict[int, dict[str, list[ir.Name]]] = self.i.per_module({})

    def subscribe(self, events: Events) -> None:
        events.augmented.append(self.augmented)

    def augmented(self, node: ir.Augment, current: v.Value) -> None:
        """An augmented assignment to a value."""
        if type(node.target) is not ir.Name or type(current) not in (v.Array, v.Undecided):
            return
        if type(current) is v.Array and current.aval.dtype in v.KEYS:
            return
        if node.site not in self.known:
            self.known[node.site] = self.shared(node, node.target.id)
        how = self.known[node.site]
        # The elements of a vector are numbers, which no loop changes with NumPy either.
        if how is None or (how.startswith("element") and self.i.aval_of(current).shape in (None, ())):
            return
        self.i.report(AugmentedAssignAlias(how), node.target, node.target, current)

    def shared(self, node: ir.Augment, name: str) -> str | None:
        """How others know the array that a name stands for, where the name is not read again; None where it is."""
        scope = self.i.unit.scope(node.site)
        if type(scope) is not ir.Function or name in scope.globals or name in scope.nonlocals:
            return None
        own = {each.site for each in ir.walk([node])}
        inside = [each for each in self.places(scope).get(name, ()) if each.site not in own]
        above = next(self.i.unit.ancestors(node.site))
        if type(above) is ir.For and type(above.target) is ir.Name and above.target.id == name:
            reads = [each for each in inside if each is not above.target]
            whole = above.iterable
            return f"element of {whole.id}" if not reads and type(whole) is ir.Name else None
        is_parameter = any(each.name == name and each.kind == "ordinary" for each in scope.parameters)
        if is_parameter and self.are_before(inside, node, scope):
            return (
                None
                if scope.is_generator
                or any(isinstance(each, ir.Return) and each.value is not None for each in ir.statements(scope.body))
                else "parameter"
            )
        if len(inside) == 1:
            bound = self.i.unit.parent(inside[0].site)
            if type(bound) is ir.Assign and len(bound.targets) == 1 and bound.targets[0] is inside[0]:
                return f"name {bound.value.id}" if type(bound.value) is ir.Name and bound.site < node.site else None
        return None

    def are_before(self, reads: list[ir.Name], node: ir.Augment, scope: ir.Scope) -> bool:
        """Whether a function reads a name only before a statement; what stands in a loop around that is read again after it."""
        again = {each.site for each in ir.walk(list(enclosing_loops(self.i.unit, node.site))[-1:])} if reads else set()
        return all(
            each.site < node.site and each.site not in again and self.i.unit.scope(each.site) is scope for each in reads
        )

    def places(self, scope: ir.Function) -> dict[str, list[ir.Name]]:
        """Where each name stands in a function, read once for all of its assignments."""
        found = self.inside.get(scope.site)
        if found is None:
            found = self.inside[scope.site] = ir.names_below(scope.body)
        return found
