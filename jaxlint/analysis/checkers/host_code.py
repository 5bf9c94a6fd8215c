"""Code that runs on the host, in a callback, when the compiled program runs: arguments have values there.

A tracer that the callback closes over has none. Its trace has ended by then: printing it shows the tracer,
and computing with it fails. Its shape and dtype are still known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint import knowledge
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import arguments
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import EAGER
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_COMPUTING = ("numpy.", "jax.numpy.", "jax.lax.", "jax.nn.", "jax.scipy.", "math.")
_BUILTINS = frozenset(
    f"builtins.{name}"
    for name in "print float int complex bool str repr format abs round sum max min sorted range".split()
)
_OUTPUT = ("logging.", "absl.logging.", "warnings.warn", "rich.print", "pprint.pprint")
_FACTS = frozenset({"shape", "ndim", "dtype", "size", "nbytes", "itemsize", "aval", "weak_type"})


@hazard_class()
class CallbackCapturesTracer(Hazard):
    """A callback uses a tracer from outside. Site: what fails on it, or shows it; operand: the tracer."""

    callback: int  # site of `jax.pure_callback(…)` and its kin
    prints: bool  # whether the tracer is shown; otherwise computing with it fails


class HostCode(Checker):
    """Tracers in the body of a host callback, which have no values there."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)

    def subscribe(self, events: Events) -> None:
        events.refuses_host_read.append(self.read)
        events.refuses_host_call.append(self.called)
        events.refuses_callback.append(self.bound)

    def here(self) -> bool:
        """Whether the current code runs on the host, and not in a transform that the callback applies."""
        context = self.i.context
        return self.i.callback is not None and context.origin is None and context.stage == EAGER

    def read(self, node: ir.Node, value: v.Value) -> bool:
        """Whether an operation on a name or attribute that a callback reads fails; recorded if so."""
        if not _is_tracer(value) or not self.here():
            return False
        parent = self.i.unit.parent(node.site)
        at = self.failing(parent, node)
        if at is None:
            return False
        self.report(at, node, value, type(parent) is ir.Field)
        return True

    def failing(self, parent: ir.Node | None, node: ir.Node) -> ir.Node | None:
        """The expression that fails, or shows a tracer, where ``node`` is one and stands in ``parent``."""
        if isinstance(parent, ir.Binary) or (isinstance(parent, ir.Subscript) and parent.value is node):
            return parent
        if isinstance(parent, ir.Unary) and parent.op != "not":
            return parent
        if isinstance(parent, ir.Compare) and all(op in ("<", "<=", ">", ">=") for op in parent.ops):
            return parent
        if isinstance(parent, (ir.Field, ir.If, ir.While)) or (
            isinstance(parent, ir.Conditional) and parent.test is node
        ):
            return node
        return None

    def called(self, func: v.Value, call: Call) -> bool:
        """A call in a callback that is given a tracer, or is a method of one; recorded if so."""
        if not self.here():
            return False
        if type(func) is v.Member and _is_tracer(func.receiver) and func.name not in _FACTS:
            self.report(call.node, self.i.unit.nodes[func.site], func.receiver, False)
            return True
        if type(func) is not v.Api or not self.takes_values(func.name):
            return False
        for value, node in arguments(call):
            for leaf in self.i.leaves([value]):
                # What takes values fails on a parameter that may be a container of tracers as well.
                if _is_tracer(leaf) or (type(leaf) is v.Undecided and leaf.cls in v.ABSTRACT):
                    prints = func.name in ("builtins.print", "builtins.str", "builtins.repr") or func.name.startswith(
                        _OUTPUT
                    )
                    self.report(call.node, node, leaf, prints)
                    return True
        return False

    def bound(self, function: v.Value, call: Call) -> bool:
        """A callback that `functools.partial` makes of a library function and a tracer."""
        if type(function) is not v.Partial or type(function.function) is not v.Api:
            return False
        made = self.i.last_calls.get(call.arg_nodes[0].site) if call.arg_nodes else None
        if made is None or len(made.args) != len(function.args) + 1:
            return False
        return self.called(
            function.function, Call(made.node, made.args[1:], made.arg_nodes[1:], made.keywords, made.keyword_nodes)
        )

    def takes_values(self, name: str) -> bool:
        if name in _BUILTINS or name.startswith(_OUTPUT):
            return True
        found = knowledge.facts(name)
        static = knowledge.host(name, "staged") == "static" or (found is not None and found.result == "static")
        return name.startswith(_COMPUTING) and not static

    def report(self, node: ir.Node, operand: ir.Node, value: v.Value, prints: bool) -> None:
        assert self.i.callback is not None
        site, name = self.i.callback
        self.i.report(CallbackCapturesTracer(site, prints), node, operand, value, api=name)


def _is_tracer(value: v.Value) -> bool:
    return type(value) is v.Array and value.mode in v.ABSTRACT
