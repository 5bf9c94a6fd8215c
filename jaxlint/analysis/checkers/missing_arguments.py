"""Calls of functions of JAX and of its libraries without an argument that they need."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from jaxlint import knowledge
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import bound
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings
from jaxlint.knowledge import release

if TYPE_CHECKING:
    from jaxlint.project.target import Releases

# Parameters with defaults, of which none is given without the others.
_TOGETHER = {"jax.numpy.where": ("x", "y")}


@hazard_class(of_plain_values=True)
class MissingArgument(Hazard):
    """A function is called without an argument that it needs. Site: the call; api; parameter: the first of them."""

    given: str  # the parameter that asks for it; empty where each call needs it
    within: str = ""  # what calls the layer, with one array


class MissingArguments(Checker):
    """Arguments that a call leaves out."""

    def subscribe(self, events: Events) -> None:
        events.refuses_call.append(self.lacks)
        events.library_function_called.append(self.of_library)
        events.unknown_called.append(self.of_optimizer)

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


# Optimizers of NNX held the model before.
_WITHOUT_MODEL_SINCE = "0.11.0"
_NOT_KNOWN = (v.Unknown, v.Undecided)
# Layers of Haiku that are called with more than their input, and the parameter of the second argument.
_OF_SEVERAL = {
    "haiku.BatchNorm": "is_training", "haiku.LSTM": "prev_state", "haiku.GRU": "state", "haiku.VanillaRNN": "prev_state",
}  # fmt: skip
_LIBRARIES = frozenset(knowledge.packages()) - {"jax"}


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
