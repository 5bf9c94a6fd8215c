"""Keys that are the same every time: made of a constant in code that runs again and again, or given as a default."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.keys import layer_keys
from jaxlint.analysis.keys.consumption import repeated_in
from jaxlint.analysis.models.host_effects import runs_without_python
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.context import Boundary

_ADVANCES = frozenset({"jax.random.split", "jax.random.fold_in"})


@hazard_class(consequence=Consequence.SILENT)
class ConstantKey(Hazard):
    """A random key is made of a constant in code that runs again and again.

    Site: the call that makes a key of a constant where it runs again; api: what draws.
    """


@hazard_class(consequence=Consequence.SILENT)
class ConstantMask(Hazard):
    """A key or the streams that dropout draws from are made of a constant in code that runs again and again.

    Site: the call that makes them; api: what draws.
    """


@hazard_class(consequence=Consequence.SILENT)
class KeyAsDefault(Hazard):
    """A random key is the default of a parameter, and two calls that leave it out draw the same numbers.

    Site: the default; operand: the Parameter.
    """

    function: str
    first: int  # site of the first call
    second: int  # and of the one that draws the same, which may be the same call in a loop


@hazard_class(consequence=Consequence.SILENT)
class DiscardedSplit(Hazard):
    """The keys that `split` or `fold_in` gives are not used: the key stays as it was.

    Site: the call whose keys are lost; operand: the key; api.
    """


class ConstantKeys(Checker):
    """Keys that are the same in each run."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.made: dict[v.Ident, ir.Node] = self.i.per_module({})  # key -> the call that makes it, in repeated code
        self.called: dict[v.Ident, ir.Node] = self.i.per_module(
            {}
        )  # key -> the call that makes it, in any other function
        # Key -> the mapped or repeated body that makes it.
        self.bodies: dict[v.Ident, Boundary] = self.i.per_module({})
        self.lost = -1  # the expression that is a statement of its own
        # Keys that are defaults -> their functions and parameters: that they are used again is said there.
        self.defaults: dict[v.Ident, list[tuple[ir.Function, ir.Parameter]]] = self.i.per_module({})

    def subscribe(self, events: Events) -> None:
        events.expression_started.append(self.started)
        events.default_evaluated.append(self.default)

    def started(self, statement: ir.Evaluate) -> None:
        """An expression statement begins."""
        self.lost = statement.value.site

    def new(self, seed: v.Value | None, call: Call, ident: v.Ident) -> None:
        """A key is made of a seed."""
        is_literal = type(call.node_of(0, "seed")) is ir.Constant and type(seed) is v.Const
        if is_literal and self.is_default(call.node):
            return
        if is_literal and self.is_repeated():
            self.made[ident] = call.node
            if self.i.context.boundaries:
                self.bodies[ident] = self.i.context.boundaries[-1]
        elif is_literal and self.i.frame.call is not None:
            self.called[ident] = call.node

    def is_default(self, node: ir.Node) -> bool:
        """Whether a key is made in the place of one that is not given: whoever calls without a key has chosen it."""
        above = self.i.unit.parent(node.site)
        test = above.test if type(above) is ir.Conditional else None
        if type(test) is not ir.Compare or test.ops[0] not in ("is", "is not") or len(test.ops) > 1:
            return False
        return type(test.rights[0]) is ir.Constant and test.rights[0].value is None

    def is_repeated(self) -> bool:
        """Whether the code runs again and again."""
        return bool(self.i.context.boundaries or runs_without_python(self.i) or self.in_counted_loop())

    def new_streams(self, call: Call, ident: v.Ident) -> None:
        """Streams of NNX are made, `nnx.Rngs(dropout=0)`."""
        seeds = [*call.arg_nodes, *call.keyword_nodes.values()]
        if all(type(seed) is ir.Constant for seed in seeds) and not call.double_star and self.is_repeated():
            self.made[ident] = call.node

    def drawn_from_streams(self, streams: v.Value, api: str) -> None:
        """A layer that drops out draws from streams."""
        if type(streams) is v.Unknown and streams.ident is not None:
            self.dropped(streams.ident, api, streams)

    def dropped(self, ident: v.Ident, api: str, key: v.Value) -> None:
        """Dropout draws from a key, or from streams that were made of one."""
        node = self.made.get(ident[:1])
        if node is not None:
            self.i.report(ConstantMask(), node, node, key, api=api, origin=self.i.context.origin)

    def consumed(self, ident: v.Ident, api: str, key: v.Value, call: ir.Node) -> None:
        """A sampler or `split` takes a key; with `fold_in` what differs from run to run may come in."""
        node = self.made.get(ident[:1])
        if node is None and ident[:1] in self.called and self.is_drawn_again(self.called[ident[:1]], call):
            node = self.called[ident[:1]]
        body = self.bodies.get(ident[:1])
        if node is not None and body is not None:
            self.i.report(repeated_in(body, api), call, node, key, api=api)
        elif node is not None and api == layer_keys.DROPOUT:
            self.dropped(ident, api, key)
        elif node is not None:
            self.i.report(ConstantKey(), node, node, key, api=api, origin=self.i.context.origin)

    def is_drawn_again(self, made: ir.Node, sampler: ir.Node) -> bool:
        """Whether the function draws for one of its arguments what it drew for another one, in one run of its caller."""
        frame, running, state = self.i.frame, self.i.running, self.i.state
        argument = self.measured(sampler)
        if argument is None or state is None or frame.call is None or not running or running[-1] is not frame:
            return False
        caller = running[-2] if len(running) > 1 else frame.top
        if self.i.unit.module_of(frame.call.site).cells and caller is frame.top:
            return False  # cells are run again and in any order
        place = ((caller.serial,), f"{made.site}:{sampler.site}")
        earlier = state.fields.get(place)
        drawn = v.Const(argument.ident)
        if earlier is None:
            state.set_field(*place, drawn)
        self.i.touched.append(0)
        return type(earlier) is v.Const and earlier.value != argument.ident

    def measured(self, sampler: ir.Node) -> v.Value | None:
        """The argument of the running function whose shape the draw has."""
        scope = self.i.frame.scope
        parameters = {parameter.name for parameter in scope.parameters} if type(scope) is ir.Function else set()
        for node in ir.walk([sampler], into_scopes=False):
            if type(node) is ir.Attribute and node.attr == "shape" and type(node.value) is ir.Name:
                name = node.value.id
                if name in parameters and not bindings(scope, name):
                    assert self.i.state is not None
                    return self.i.state.frames[self.i.frame.serial].get(name)
        return None

    def in_counted_loop(self) -> bool:
        """Whether a loop of the running function, which counts or waits, has come round."""
        if self.i.loop_entry is None or self.i.loop_entry[1] != len(self.i.chain):
            return False
        loop = self.i.loop_entry[0]
        if type(loop) is ir.While:
            return True
        called = loop.iterable.func if type(loop) is ir.For and type(loop.iterable) is ir.Call else None
        return isinstance(called, ir.Name) and called.id == "range"

    def default(self, function: ir.Function, parameter: ir.Parameter, value: v.Value) -> None:
        """A key that is made for the default of a parameter."""
        if (
            type(parameter.default) is ir.Call
            and type(value) is v.Array
            and value.aval.dtype in v.KEYS
            and not function.is_lambda
        ):
            self.defaults.setdefault(value.ident, []).append((function, parameter))  # type: ignore[arg-type]

    def drawn_again(self, ident: v.Ident, key: v.Value, ways: Sequence[tuple[int, ...]], level: int) -> bool:
        """Whether a key that is drawn from twice is a default, which is where to say so.

        ``ways`` are the chains of calls that lead to the two draws; they part at ``level``.
        """
        functions = self.defaults.get(ident[:1], ())
        for function, parameter in functions:
            if all(self.enters(function, way[level + 1 :]) for way in ways) and not self.enters(
                function, ways[-1][: level + 1]
            ):
                assert parameter.default is not None
                hazard = KeyAsDefault(function.name, *(way[level] for way in ways))
                self.i.report(hazard, parameter.default, parameter, key)
        return bool(functions)

    def enters(self, function: ir.Function, way: tuple[int, ...]) -> bool:
        """Whether one of these calls stands in the function."""
        return any(around is function for site in way for around in self.i.unit.ancestors(site))

    def loses(self, node: ir.Node, api: str) -> bool:
        """Whether a call is a statement of its own, whose keys nobody takes; it leaves the key as it was."""
        return bool(node.site == self.lost) and api in _ADVANCES

    def discarded(self, node: ir.Node, name: str) -> bool:
        """Such a call has been made."""
        if name not in _ADVANCES:
            return False
        call = self.i.last_calls[node.site]
        key = call.get(0, "key")
        if key is not None:
            self.i.report(DiscardedSplit(), node, call.node_of(0, "key") or node, key, api=name)
        return True
