"""Callbacks that do not run as written: under `vmap` without a word on how, in branches of which `vmap` runs all for each
element, or with a result that nothing uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import STAGED_CODE
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir
from jaxlint.knowledge.transforms import Transform

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.context import Trace
    from jaxlint.analysis.domain.origin import Origin

_MAPPING = frozenset({"jax.vmap", "equinox.filter_vmap", "haiku.vmap"})
_METHODS = ("sequential", "sequential_unrolled", "expand_dims", "broadcast_all", "legacy_vectorized")
_REFUSED_SINCE = "0.6.0"  # before, a callback under vmap ran once for each element
_METHOD_SINCE = "0.4.35"
_EFFECTS = frozenset({"jax.debug.print", "jax.debug.callback"})  # JAX refuses `io_callback` there
# Functions with branches, and the parameter that chooses between them.
_CHOOSING = {"jax.lax.cond": "pred", "jax.lax.switch": "index"}


@hazard_class()
class PureCallbackUnderVmap(Hazard):
    """A callback that cannot be mapped as it is. Site: the call; operand: the mapped argument, or the method."""

    reason: str  # "method", "ordered", "unused" or "unknown method"
    writable: bool = False  # whether all releases have `vmap_method`


class MappedCallbacks(Checker):
    """Callbacks that do not run as written."""

    def subscribe(self, events: Events) -> None:
        events.callback_passed.append(self.check)
        events.expression_ended.append(self.unused)

    def check(self, transform: Transform, call: Call) -> None:
        """A call of `pure_callback` or `io_callback`."""
        releases = self.i.target.of("jax")
        if releases is None or call.star or call.double_star:
            return
        batched = next((node for value, node in zip(call.args[2:], call.arg_nodes[2:]) if self.is_batched(value)), None)
        if transform.name == "jax.experimental.io_callback":
            ordered = call.keywords.get("ordered")
            if batched is not None and type(ordered) is v.Const and ordered.value is True:
                self.report(transform, call, batched, PureCallbackUnderVmap("ordered"))
            return
        method = call.keywords.get("vmap_method", v.NONE)
        if type(method) is not v.Const or "vectorized" in call.keywords:
            return
        if method.value is None:
            if batched is not None and releases.limited(">=", _REFUSED_SINCE) is not None:
                self.report(transform, call, batched, PureCallbackUnderVmap("method", releases.have(_METHOD_SINCE)))
        elif method.value not in _METHODS and releases.have(_METHOD_SINCE):
            self.report(transform, call, call.keyword_nodes["vmap_method"], PureCallbackUnderVmap("unknown method"))

    def unused(self, statement: ir.Evaluate, value: v.Value) -> None:
        """`jax.pure_callback(…)` as a statement: compiled code has no need of it."""
        callee = self.i.last_callee.get(statement.value.site) if type(statement.value) is ir.Call else None
        if type(callee) is not v.Api or callee.name != "jax.pure_callback":
            return
        call = self.i.last_calls[statement.value.site]
        if self.i.context.stage == STAGED_CODE and self.i.context.origin is not None:
            self.i.report(
                PureCallbackUnderVmap("unused"),
                call.node,
                call.node,
                v.UNKNOWN,
                api="jax.pure_callback",
                origin=self.i.context.origin,
            )

    def is_batched(self, value: v.Value) -> bool:
        """Whether a value, or part of it, is certainly another one for each element of a `vmap`."""
        return any(map(is_mapped, self.i.leaves([value])))

    def report(self, transform: Transform, call: Call, node: ir.Node, hazard: PureCallbackUnderVmap) -> None:
        self.i.report(
            hazard,
            call.node,
            node,
            v.UNKNOWN,
            api=transform.name,
            origin=self.i.context.origin,
        )


@hazard_class(consequence=Consequence.SILENT)
class EffectInMappedBranch(Hazard):
    """An effect in a branch happens for each element. Site: the call with the effect; operand: the condition; api."""

    choice: int  # site of the `cond` or `switch`


class MappedBranches(Checker):
    """Branches under `vmap`."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # Site of a call with branches -> the node and value of what chooses between them, where that is mapped.
        self.choices: dict[int, tuple[ir.Node, v.Value]] = {}

    def subscribe(self, events: Events) -> None:
        events.library_function_called.append(self.called, {*_EFFECTS, *_CHOOSING})

    def called(self, name: str, _func: v.Value, call: Call) -> None:
        if name in _CHOOSING:
            chosen, node = call.get(0, _CHOOSING[name]), call.node_of(0, _CHOOSING[name])
            self.choices.pop(call.site, None)
            if chosen is not None and node is not None and any(map(is_mapped, self.i.leaves([chosen]))):
                self.choices[call.site] = (node, chosen)
        else:
            self.effect(name, call)

    def effect(self, name: str, call: Call) -> None:
        """Something is printed or called back."""
        trace: Trace | None = self.i.context.trace
        while trace is not None:
            found = self.choices.get(trace.site)
            if found is not None:
                node, chosen = found
                if self.is_given(chosen, call):
                    return  # what is called back asks again
                self.i.report(EffectInMappedBranch(trace.site), call.node, node, chosen, api=name)
                return
            trace = trace.outer

    def is_given(self, chosen: v.Value, call: Call) -> bool:
        """Whether the condition is an argument as well."""
        conditions = list(self.i.leaves([chosen]))
        return any(
            given is each or (given.ident is not None and given.ident == each.ident)
            for given in self.i.leaves(call.all()[1:])
            for each in conditions
        )


def is_mapped(leaf: v.Value) -> bool:
    """Whether an array is certainly another one for each element of a `vmap`."""
    return leaf.cls is not None and _is_mapped(leaf.origin)


def _is_mapped(origin: Origin | None) -> bool:
    """Whether a value comes, by a parameter, from an argument that the innermost transform maps."""
    entered = False
    for step in origin.steps(1000) if origin is not None else ():
        if step.transform is not None:
            return entered and step.transform in _MAPPING
        entered |= "is a parameter of" in step.text
    return False
