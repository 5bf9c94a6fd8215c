"""Calls of functions of JAX and of its libraries without an argument that they need."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jaxlint import knowledge
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import bound
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.state import Instance
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, defining_scope
from jaxlint.knowledge import release

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.project.target import Releases

# Parameters with defaults, of which none is given without the others.
_TOGETHER = {"jax.numpy.where": ("x", "y")}


@hazard_class(of_plain_values=True)
class MissingArgument(Hazard):
    """A function is called without an argument that it needs. Site: the call; api; parameter: the first of them."""

    given: str  # the parameter that asks for it; empty where each call needs it
    within: str = ""  # what calls the layer, with one array; or the method of a module that hands on its arguments


class MissingArguments(Checker):
    """Arguments that a call leaves out."""

    def subscribe(self, events: Events) -> None:
        events.refuses_call.append(self.lacks)
        events.library_function_called.append(self.of_library)
        events.unknown_called.append(self.of_optimizer)
        events.called.append(self.of_method, (v.BoundMethod, v.Member))

    def lacks(self, name: str, found: knowledge.Facts, call: Call) -> bool:
        """Whether the call leaves out what the function needs; recorded if so."""
        together = _TOGETHER.get(name, ())
        if not together and (not found.parameters or len(call.args) >= len(found.parameters)):
            return False
        needed = [each.name for each in found.parameters if each.required]
        if (len(call.args) >= len(needed) and not together) or call.star or call.double_star:
            return False
        callee = self.i.last_callee.get(call.site)
        if type(call.node) is not ir.Call or type(callee) is not v.Api or callee.name != name:
            return False  # it is called for whoever was given it
        given = {parameter for parameter, _, _ in bound(found, call)}
        if not given <= {each.name for each in found.parameters}:
            return False  # a name of another release
        asking = next((each for each in together if each in given), "")
        missing = [each for each in (*needed, *(together if asking else ())) if each not in given]
        if not missing:
            return False
        self.i.report(MissingArgument(asking), call.node, call.node, v.UNKNOWN, api=name, parameter=missing[0])
        return True

    def of_library(self, name: str, func: v.Value, call: Call) -> None:
        """A function or class of a library on top of JAX is called; JAX's own are looked at where they are modelled."""
        if type(func) is v.FunctionValue:
            self.of_source(name, func, call, 0)
        if type(func) is not v.Api or type(call.node) is not ir.Call or call.star or call.double_star:
            return
        if name.partition(".")[0] not in _LIBRARIES:
            return
        if name == "haiku.Sequential":
            self.in_sequence(call)
        if name == "flax.nnx.Optimizer" and "wrt" not in call.keywords and self.leaves_model_out():
            self.i.report(MissingArgument(""), call.node, call.node, v.UNKNOWN, api=name, parameter="wrt")
        releases = self.i.releases.of(func.written, call.node)
        admitted = self.i.releases.at(call.node, releases) if releases is not None else None
        missing = _missing(func.written, len(call.args), frozenset(call.keywords), admitted) if admitted else None
        if missing is not None:
            self.i.report(MissingArgument(""), call.node, call.node, v.UNKNOWN, api=func.written, parameter=missing)

    def of_method(self, func: v.Value, call: Call) -> None:
        """A method of a class that a source stands for, or of an optimiser of Optax, is called."""
        if type(func) is v.BoundMethod and type(func.function) is v.FunctionValue:
            name = self.i.library_name(func.function)
            if name is not None:
                self.of_source(name, func.function, call, 1)
        elif type(func) is v.Member and func.name in _OF_MODULES:
            self.of_module(func, call)
        elif type(func) is v.Member and func.name in _OF_OPTIMISERS and self.i.libraries.is_optimiser(func.receiver):
            needed = _OF_OPTIMISERS[func.name]
            if len(call.args) < len(needed) and type(call.node) is ir.Call and not (call.star or call.double_star):
                missing = next((each for each in needed[len(call.args) :] if each not in call.keywords), None)
                if missing is not None:
                    name = f"optax.GradientTransformation.{func.name}"
                    self.i.report(MissingArgument(""), call.node, call.node, v.UNKNOWN, api=name, parameter=missing)

    def of_module(self, func: v.Member, call: Call) -> None:
        """`init` or `apply` of a Linen module hands on all but its first argument to `__call__`."""
        contents = self.i.contents(func.receiver)
        if type(contents) is not Instance or contents.cls.family != "linen" or type(call.node) is not ir.Call:
            return
        method = contents.cls.lookup("__call__")
        if type(method) is not v.FunctionValue or not _HANDED.isdisjoint(call.keywords):
            return
        if call.star or call.double_star or not call.args:
            return
        module = call.node.func.value if type(call.node.func) is ir.Attribute else None
        if type(module) is ir.Name and self.is_bound_again(module):
            return  # a function that is called early may see another one
        missing = _left_out(method.function.parameters[1:], len(call.args) - 1, call)
        if missing is not None:
            name = f"{contents.cls.definition.name}.__call__"
            self.i.report(MissingArgument("", func.name), call.node, call.node, v.UNKNOWN, api=name, parameter=missing)

    def is_bound_again(self, name: ir.Name) -> bool:
        scope = defining_scope(self.i.unit, name.site, name.id)
        return scope is not None and len(bindings(scope, name.id)) > 1

    def of_source(self, name: str, func: v.FunctionValue, call: Call, bound_first: int) -> None:
        """A source has the parameters of what it stands for."""
        if type(call.node) is not ir.Call or call.star or call.double_star:
            return
        parameters = func.function.parameters[bound_first:]
        places = [each.name for each in parameters if each.kind in ("positional-only", "ordinary")]
        given = {*call.keywords, *places[: len(call.args)]}
        if not given <= {each.name for each in parameters} and all(each.kind != "double-star" for each in parameters):
            return  # a name of another release
        missing = _left_out(parameters, len(call.args), call)
        if missing is not None:
            self.i.report(MissingArgument(""), call.node, call.node, v.UNKNOWN, api=name, parameter=missing)

    def of_optimizer(self, _func: v.Value, call: Call) -> None:
        """`update` of an optimizer of NNX, which is given the model and the gradients."""
        func = call.node.func if type(call.node) is ir.Call else None
        if type(func) is not ir.Attribute or func.attr != "update" or call.star or len(call.args) != 1:
            return
        base = self.i.bases.get(func.site)
        is_one = self.i.nnx.is_optimizer(base) or (type(base) in _NOT_KNOWN and self.is_declared(func.value))
        if is_one and self.leaves_model_out():
            name = "flax.nnx.Optimizer.update"
            self.i.report(MissingArgument(""), call.node, call.node, v.UNKNOWN, api=name, parameter="model")

    def is_declared(self, node: ir.Expression) -> bool:
        """Whether the name of a parameter that is declared as an optimizer of NNX is read.

        A `ModelAndOptimizer` is one as well.
        """
        frame = self.i.owner(node.id) if type(node) is ir.Name else None
        if frame is None or type(node) is not ir.Name or not isinstance(frame.scope, ir.Function):
            return False
        parameter = next((each for each in frame.scope.parameters if each.name == node.id), None)
        if parameter is None or parameter.annotation is None or bindings(frame.scope, node.id):
            return False
        if any(
            "ModelAndOptimizer" in (getattr(each, "attr", ""), getattr(each, "name", "")) for each in self.i.unit.own
        ):
            return False
        declared = self.i.named(ir.dotted(parameter.annotation) or "", frame)
        return type(declared) is v.Api and declared.name == "flax.nnx.Optimizer"

    def leaves_model_out(self) -> bool:
        """Whether an optimizer of NNX does not hold the model in any release that the code must run on."""
        flax = self.i.target.of("flax")
        return flax is not None and release(flax.lowest) >= release(_WITHOUT_MODEL_SINCE)

    def in_sequence(self, call: Call) -> None:
        """`hk.Sequential` is made: all layers but the first get the output of the one before, and nothing else."""
        layers = call.get(0, "layers")
        for layer in ((self.i.items_of(layers) if layers is not None else None) or ())[1:]:
            name = layer.args[0] if type(layer) is v.OpaqueInstance and layer.name == "haiku layer" else None
            missing = _OF_SEVERAL.get(str(name.value)) if type(name) is v.Const else None
            if type(name) is v.Const and missing is not None:
                hazard = MissingArgument("", "haiku.Sequential")
                node = call.node_of(0, "layers") or call.node
                self.i.report(hazard, call.node, node, v.UNKNOWN, api=str(name.value), parameter=missing)
                return


_NAMED = ("positional-only", "ordinary", "keyword-only")
# What the functions of a gradient transformation of Optax cannot do without.
_OF_OPTIMISERS = {"init": ("params",), "update": ("updates", "state")}
_OF_MODULES = frozenset({"init", "apply", "init_with_output"})
_HANDED = frozenset({"method", "variables"})  # keywords that say what is called with which arguments
_DROPOUT, _SPLIT = "flax.nnx.Dropout", "flax.nnx.split"
# What may tell a layer that it is not in training, or give it streams: methods, functions and attributes.
_SWITCHING = frozenset({"eval", "set_attributes", "set_mode", "view"})
_TELLING = frozenset({"deterministic", "rngs", "rate"})
# Kinds of variables of the library; a filter that is none of them may take anything.
_KINDS = frozenset(
    f"flax.nnx.{each}" for each in "Param LoRAParam Cache Intermediate BatchStat RngState RngKey RngCount".split()
)
_STATISTICS = "flax.nnx.BatchStat"
_STREAMS = ("flax.nnx.RngState", "flax.nnx.RngKey", "flax.nnx.RngCount")
_MAX_DEPTH = 4  # of modules in one another
# Optimizers of NNX held the model before.
_WITHOUT_MODEL_SINCE = "0.11.0"
_NOT_KNOWN = (v.Unknown, v.Undecided)
# Layers of Haiku that are called with more than their input, and the parameter of the second argument.
_OF_SEVERAL = {
    "haiku.BatchNorm": "is_training", "haiku.LSTM": "prev_state", "haiku.GRU": "state", "haiku.VanillaRNN": "prev_state",
}  # fmt: skip
_LIBRARIES = frozenset(knowledge.packages()) - {"jax"}


def _left_out(parameters: Sequence[ir.Parameter], count: int, call: Call) -> str | None:
    """The first parameter without a default that is given neither by position, of which there are ``count``, nor by name."""
    places = [each.name for each in parameters if each.kind in ("positional-only", "ordinary")]
    given = {*call.keywords, *places[:count]}
    needed = (each.name for each in parameters if each.default is None and each.kind in _NAMED)
    return next((name for name in needed if name not in given), None)


@functools.cache
def _missing(name: str, count: int, named: frozenset[str], releases: Releases) -> str | None:
    """The first parameter without a default that a call leaves out, in the oldest and in the newest of some releases."""
    found = None
    for version in (releases.lowest, releases.newest):
        parameters = knowledge.signature(name, version)
        if parameters is None or not named <= {each.name for each in parameters}:
            return None  # JAX805 speaks of the other names
        places = [each for each in parameters if each.kind in ("positional-only", "ordinary")]
        given = named | {each.name for each in places[:count]}
        found = next((each.name for each in parameters if each.required and each.name not in given), None)
        if found is None:
            return None
    return found


class NnxCalls(Checker):
    """Calls of dropout layers without streams, and filters that leave out a part of a module."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.switched = False  # whether a layer may have been told something after it was made

    def subscribe(self, events: Events) -> None:
        events.called.append(self.called, (v.Unknown, v.OpaqueInstance))
        events.name_called.append(self.switches, _SWITCHING)
        events.attribute_set.append(self.attribute_set)
        events.library_function_called.append(self.of_library, (_SPLIT,))

    def attribute_set(self, _node: ir.Node, _base: v.Value, attr: str) -> None:
        if attr in _TELLING:
            self.switched = True

    def switches(self, _func: v.Value, _call: Call) -> None:
        self.switched = True

    def called(self, func: v.Value, call: Call) -> None:
        node, ident = call.node, func.ident
        if ident is None or self.switched or ident not in self.i.nnx.without_streams:
            return
        # Of one that was made outside of all that runs, code that is not seen may have switched it.
        if self.i.running and self.i.running[0].serial > self.i.nnx.without_streams[ident]:
            return
        if not call.keywords and not call.star and not call.double_star and len(call.args) == 1:
            self.i.report(MissingArgument("training"), node, node, v.UNKNOWN, api=_DROPOUT, parameter="rngs")

    def of_library(self, name: str, _func: v.Value, call: Call) -> None:
        if len(call.args) < 2 or call.star or call.keywords or call.double_star:
            return
        contents = self.i.contents(call.args[0])
        filters = {each.name for each in call.args[1:] if type(each) is v.Api}
        if type(contents) is not Instance or len(filters) != len(call.args) - 1 or not filters <= _KINDS:
            return
        for held in self.held(contents):
            if (held == _STATISTICS and held not in filters) or (held in _STREAMS and filters.isdisjoint(_STREAMS)):
                kind = held.rpartition(".")[2]
                self.i.report(MissingArgument(kind), call.node, call.node, v.UNKNOWN, api=_SPLIT, parameter="...")
                return

    def held(self, contents: Instance, depth: int = 0) -> Iterator[str]:
        """The kinds of variables that layers of a module hold beside parameters."""
        if contents.cls.family != "nnx" or depth == _MAX_DEPTH:
            return
        for value in contents.fields.values():
            kind = self.i.nnx.kind_of(value)
            if kind == "BatchNorm":
                yield _STATISTICS
            elif kind == "Dropout" and value.ident in self.i.nnx.with_streams:
                yield _STREAMS[0]
            inner = self.i.contents(value)
            if type(inner) is Instance:
                yield from self.held(inner, depth + 1)
