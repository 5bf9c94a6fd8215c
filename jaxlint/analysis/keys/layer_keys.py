"""Keys that layers and modules of libraries take to make their parameters, or to drop out.

Two layers that are made with one key have the same parameters where their shapes agree. Two networks of one class that are
made with the same arguments are meant to: a target network, a moving average.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.state import DictObject, Instance
from jaxlint.analysis.keys.key_arrays import BatchOfKeysToSampler
from jaxlint.analysis.keys.ready_keys import ready_key
from jaxlint.analysis.models.frameworks import MODULE_FAMILIES
from jaxlint.ir import nodes as ir

# Layers of Equinox that draw their parameters from `key`.
_DRAWING = frozenset(
    "equinox.nn." + name
    for name in (
        "Linear Conv Conv1d Conv2d Conv3d ConvTranspose ConvTranspose1d ConvTranspose2d ConvTranspose3d Embedding MLP"
        " MultiheadAttention GRUCell LSTMCell"
    ).split()
)
_NETWORKS = frozenset({"equinox.nn.MLP"})  # of which a whole model may consist
DROPOUT = "equinox.nn.Dropout"
PARAMETERS, INIT = "parameters", "init"  # of `Consumption.how`


@hazard_class()
class EquinoxLayerWithoutKey(Hazard):
    """A dropout layer of Equinox that drops is called without a key. Site: the call."""

    ready: str = ""  # the key that the caller has at hand
    caller: int | None = None  # site of the call that leaves out the key, where a parameter of the method stands for it


class Applied(NamedTuple):
    """Of what `apply` makes the keys of a stream: the same of all, the same numbers."""

    stream: str
    variables: Any
    method: Any
    draws: bool  # whether the module certainly draws from the stream


class LayerKeys(Component):
    """Component of the interpreter."""

    # --- Equinox ------------------------------------------------------------------------------

    def made(self, name: str, call: Call) -> v.Value | None:
        """A layer is made, which draws its parameters; the layer where nothing else models it."""
        key = call.keywords.get("key")
        if name in _DRAWING and key is not None:
            detail = None
            if name in _NETWORKS and not self.in_module(call.site):
                detail = (name, *(each.key for each in call.args), *self._options(call))
            self.i.keys.consume(key, name, call.node, call.keyword_nodes.get("key"), PARAMETERS, detail)
        if name == DROPOUT:
            inference = call.get(1, "inference") or call.keywords.get("deterministic") or v.FALSE
            return v.OpaqueInstance("dropout", (v.Const(name), inference, call.get(0, "p") or v.Const(0.5)), v.fresh())
        return None

    def _options(self, call: Call) -> list[tuple[str, Hashable]]:
        return sorted((name, value.key) for name, value in call.keywords.items() if name != "key")

    def called(self, layer: v.OpaqueInstance, call: Call) -> v.Value:
        """A layer is called that draws in every call."""
        key = call.keywords.get("key")
        inference = call.keywords.get("inference", layer.args[1])
        rate = layer.args[2]
        drops = type(inference) is v.Const and not inference.value
        absent = key is None or v.is_none(key)
        missing = absent and not call.double_star and len(call.args) == 1
        if missing and drops and type(rate) is v.Const and rate.value:
            self.i.report(self.without_key(call), call.node, call.node, v.UNKNOWN)
        if key is not None and drops:
            self.i.keys.consume(key, "equinox.nn.Dropout", call.node, call.keyword_nodes.get("key"))
        result: v.Value = self.i.layers.handed_on(call)
        return result

    def without_key(self, call: Call) -> EquinoxLayerWithoutKey:
        """The hazard, with the key at hand: in the method that calls the layer, or in the one that calls the method without it."""
        given = call.keyword_nodes.get("key")
        frame = self.i.frame
        if given is None or frame is None or frame.call is None or not isinstance(given, ir.Name):
            return EquinoxLayerWithoutKey(ready_key(self.i, call.node.site) if given is None else "")
        left_out = given.id in frame.scope.locals and given.id not in frame.passed
        if not left_out or not self.i.chain or self.i.chain[-1] not in self.i.unit:
            return EquinoxLayerWithoutKey()
        caller = self.i.chain[-1]
        return EquinoxLayerWithoutKey(ready_key(self.i, caller), caller)

    def in_module(self, site: int) -> bool:
        """Whether code is in a method of a module, where layers are parts of one network."""
        function = self.i.unit.scope(site)
        frame = next((each for each in (self.i.frame, *reversed(self.i.running)) if each.scope is function), None)
        return frame is not None and frame.cls is not None and frame.cls.family in MODULE_FAMILIES

    # --- Linen --------------------------------------------------------------------------------

    def initialised(self, module: Instance, call: Call) -> None:
        """`module.init(key, …)`: modules of the same names and shapes get the same parameters."""
        key, node = call.get(0, "rngs"), call.node_of(0, "rngs")
        contents = self.i.contents(key) if key is not None else None
        self.single(module.cls.definition.name, call, key, node)
        if type(contents) is DictObject:
            written = (
                dict(zip((each.value for each in node.keys if type(each) is ir.Constant), node.values))
                if type(node) is ir.Dict
                else {}
            )
            key, node = contents.items.get("params"), written.get("params", node)
        if key is not None:
            detail = (
                module.cls.key,
                *sorted((name, value.key) for name, value in module.fields.items() if name != "parent"),
            )
            self.i.keys.consume(key, f"{module.cls.definition.name}.init", call.node, node, INIT, detail)

    def single(self, name: str, call: Call, keys: v.Value | None, node: ir.Node | None) -> None:
        """A stream of random numbers begins with one key, and not with an array of them."""
        contents = self.i.contents(keys) if keys is not None else None
        written = node.values if type(node) is ir.Dict else ()
        each = tuple(contents.items.values()) if type(contents) is DictObject else (keys,)
        for key, at in zip(each, written if len(written) == len(each) else (node,) * len(each)):
            found = self.i.key_arrays.batch(key)
            if found is not None and key is not None and at is not None:
                self.i.report(BatchOfKeysToSampler(found), call.node, at, key, api=f"{name}.init")
                return

    def dropped(self, call: Call, off: bool) -> None:
        """A dropout layer of Linen is called, with a key of its own."""
        key = call.get(2, "rng")
        if key is not None and not off:
            self.i.keys.consume(key, "flax.linen.Dropout", call.node, call.node_of(2, "rng"))

    def applied(self, call: Call, stream: str, draws: bool) -> Applied | None:
        """Of what `module.apply(variables, …, rngs=…)` makes its keys; None where it may be meant to draw the same."""
        node = call.node
        if (
            type(node) is not ir.Call
            or type(node.func) is not ir.Attribute
            or node.func.attr != "apply"
            or not call.args
        ):
            return None
        variables = call.args[0]
        of: Any = variables.ident
        contents, module = self.i.contents(variables), self.i.bases.get(node.func.site)
        if type(contents) is DictObject and contents.rest is None and not contents.items:
            # A module without parameters is what it is made with.
            of = tuple(arg.key for arg in module.args) if type(module) is v.OpaqueInstance else module and module.ident
        if of is None:
            return None
        # Dropout folds the path of its module into the key, and another method mostly calls other modules.
        method = call.keywords.get("method")
        return Applied(stream, of, None if method is None else (method.ident, method.key), draws)

    def drawn(self, call: Call) -> frozenset[str]:
        """The streams of which a layer of a library certainly draws when it is applied."""
        func = call.node.func if type(call.node) is ir.Call else None  # an operator or a property calls, too
        module = self.i.bases.get(func.site) if type(func) is ir.Attribute else None
        is_drawing = (
            type(module) is v.OpaqueInstance
            and module.name == "linen module"
            and self.i.linen.is_dropping(module, call)
        )
        return frozenset({"dropout"}) if is_drawing else frozenset()


def evaluates(call: Call) -> bool:
    """Whether a module is called without dropout: something is switched off that the module itself defines, as `train=False`."""
    return any(
        type(value) is v.Const
        and (
            (value.value is False and name not in ("mutable", "capture_intermediates", "deterministic"))
            or (value.value is True and name == "deterministic")
        )
        for name, value in call.keywords.items()
    )
