"""Functions that call themselves while they are traced, with nothing in Python to end it.

`lax.cond` traces both of its branches, and `jnp.where` computes both of its values: neither keeps a
function from calling itself once more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import STAGED_CODE
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.interpreter.must_execute import unconditional
from jaxlint.ir import nodes as ir
from jaxlint.knowledge.transforms import Transform, transform

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_TRACE = frozenset({
    "cond", "switch", "while_loop", "fori_loop", "scan", "map", "jit", "pmap", "vmap", "grad", "value_and_grad", "checkpoint",
})  # fmt: skip
_CHOOSE = frozenset({"jax.numpy.where", "jax.lax.select", "jax.numpy.select"})


@hazard_class()
class RecursionInTracedCode(Hazard):
    """A function calls itself under a trace. Site, operand: the call."""

    name: str  # of the function
    choice: str = ""  # what seems to choose, and does not: `lax.cond`, `jnp.where`


class Recursions(Component):
    """Component of the interpreter: calls of a function that is being run."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.reported: set[int] = self.i.per_module(set())  # functions on the way round: each way is said once

    def entered(self, func: v.FunctionValue, call: Call) -> None:
        """A function is called by what it calls itself."""
        i = self.i
        synthetic = call.site in i.transforms.applied
        if (
            i.silent
            or i.context.transparent
            or synthetic
            or func.function.is_lambda
            or func.function.site in self.reported
        ):
            return
        start = len(i.stack) - 1 - i.stack[::-1].index(func.function.site)
        if i.running[start].parent is not func.frame:
            return  # made by another call of the function around it, as the wrappers of a decorator are
        depth = len(i.stack) - start - 1
        sites = (*i.chain[len(i.chain) - depth :], call.site)
        functions = [i.unit.nodes[site] for site in i.stack[start:]]
        if len(i.chain) < depth or any(site not in i.unit for site in (*sites, *i.stack[start:])):
            return
        parameters = {p.name for function in functions for p in function.parameters}
        if any(function.is_method or function.is_generator or function.is_async for function in functions):
            return
        if not all(unconditional(i.unit, site, loops=False) and self.is_fixed(site, parameters) for site in sites):
            return
        choice = self.choice(sites)
        if choice or i.context.stage == STAGED_CODE:
            self.reported.update(i.stack[start:])
            i.report(RecursionInTracedCode(func.name, choice), call.node, call.node, func)

    def is_fixed(self, site: int, parameters: set[str]) -> bool:
        """Whether a call calls the same function each time: none that it was given."""
        node = self.i.unit.nodes[site]
        callee = self.i.last_callee.get(site)
        if type(node) is not ir.Call or callee is None:
            return False
        known = transform(callee.name) if type(callee) is v.Api else None
        if type(callee) is v.Api and (known is None or known.behaviour not in _TRACE):
            return False
        called = [node.func] if known is None else [*node.args, *(keyword.value for keyword in node.keywords)]
        return not any(
            type(part) is ir.Name and part.id in parameters and self.may_call(part, known) for part in called
        )

    def may_call(self, node: ir.Name, known: Transform | None) -> bool:
        """Whether a name stands for a function that is called; operands are handed on only."""
        value = self.i.on_name(node) if known is not None else v.UNKNOWN
        return known is None or type(value) in (v.FunctionValue, v.Partial, v.BoundMethod, v.Transformed, v.Unknown)

    def choice(self, sites: tuple[int, ...]) -> str:
        for site in sites:
            for node in (self.i.unit.nodes[site], *self.i.unit.ancestors(site)):
                if isinstance(node, ir.Statement):
                    break
                named = type(node) is ir.Call and type(node.func) in (ir.Name, ir.Attribute)
                callee = self.i.eval(node.func) if named else None
                if type(callee) is v.Api and callee.name in _CHOOSE:
                    return "jnp.where" if callee.name.startswith("jax.numpy") else "lax.select"
                known = transform(callee.name) if type(callee) is v.Api else None
                if known is not None and known.behaviour in (
                    "cond",
                    "switch",
                    "while_loop",
                    "fori_loop",
                    "scan",
                    "map",
                ):
                    return known.short
        return ""
