"""Branches of `lax.switch` that a loop makes, all of which read the variable of the loop."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.state import ListObject
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import target_names


@hazard_class(consequence=Consequence.SILENT)
class LoopVariableInBranch(Hazard):
    """A function that a loop makes reads the variable of the loop when it is called, after the loop. Site: the function."""

    variable: str
    loop: int
    call: int  # site of the `switch`


class LoopBranches(Checker):
    """Functions in a list of branches."""

    def subscribe(self, events: Events) -> None:
        events.library_function_called.append(self.called, ("jax.lax.switch",))

    def called(self, _name: str, _func: v.Value, call: Call) -> None:
        branches = call.get(1, "branches")
        for branch in self.functions(branches) if branches is not None else ():
            for variable, loop in self.late(branch.function, call.site):
                at = branch.function
                self.i.report(LoopVariableInBranch(variable, loop.site, call.site), at, at, branch)
                return

    def functions(self, branches: v.Value) -> Iterator[v.FunctionValue]:
        contents = self.i.contents(branches)
        known = self.i.items_of(branches)
        if known is None:
            known = [contents.element] if type(contents) is ListObject else []
        for value in known:
            for each in value.options if type(value) is v.Unknown else (value,):
                if type(each) is v.FunctionValue:
                    yield each

    def late(self, function: ir.Function, call: int) -> Iterator[tuple[str, ir.Node]]:
        """Variables of a loop around a function that it reads, with the loop, in which the call does not stand."""
        inside = {around.site for around in self.i.unit.ancestors(call)}
        for around in self.i.unit.ancestors(function.site):
            if isinstance(around, ir.Scope) and around is not function:
                return
            if isinstance(around, ir.For):
                names = set(target_names(around.target))
            elif isinstance(around, ir.Comprehension) and around.kind == "list":
                names = {name for clause in around.clauses for name in target_names(clause.target)}
            else:
                continue
            for name in sorted(names & function.free) if around.site not in inside else ():
                yield name, around
