"""Options of layers that mean something else than in PyTorch, or are something else where they are left out."""

from __future__ import annotations

from typing import Literal

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_to, only_result

# Layers that average the statistics of batches, and the option that says how much of the old average stays.
_KEEPING = {
    "flax.linen.BatchNorm": "momentum", "flax.nnx.BatchNorm": "momentum", "equinox.nn.BatchNorm": "momentum",
    "equinox.experimental.BatchNorm": "momentum", "haiku.BatchNorm": "decay_rate",
}  # fmt: skip
_LEAST_KEPT = 0.5
_SMALL = 3  # a larger window may be the whole image, which it does not leave
# Layers and functions that attend where their mask is true.
_ATTENDING = frozenset({
    "flax.linen.MultiHeadDotProductAttention", "flax.linen.MultiHeadAttention", "flax.linen.SelfAttention",
    "flax.linen.dot_product_attention", "flax.nnx.MultiHeadAttention", "flax.nnx.dot_product_attention",
    "jax.nn.dot_product_attention", "equinox.nn.MultiheadAttention", "haiku.MultiHeadAttention",
})  # fmt: skip
_PAIRING = frozenset({"make_attention_mask", "combine_masks"})
_WIDENING = frozenset({"expand_dims", "broadcast_to"})
_DEPTH = 8  # of the expressions that a mask is looked up in
_POOLS = frozenset(
    f"flax.{module}.{name}" for module in ("linen", "nnx") for name in ("max_pool", "avg_pool", "min_pool")
)


@hazard_class(consequence=Consequence.SILENT)
class TorchConvention(Hazard):
    """An option has the value that it would have in PyTorch. Site: the call; operand: the option, or the call."""

    # "momentum": of the new statistics, for that of the old ones; "strides": left out, for those of the window; "mask": true
    # where nothing is to be attended to
    how: Literal["momentum", "strides", "mask"]
    share: float = 0.0  # of the old statistics


class LayerConventions(Checker):
    """Layers and functions of layers, and the options that they are given."""

    def subscribe(self, events: Events) -> None:
        events.library_function_called.append(self.called, {"functools.partial", *_KEEPING, *_POOLS})
        events.called.append(self.attended, (v.Api, v.OpaqueInstance))

    def called(self, name: str, _func: v.Value, call: Call) -> None:
        if self.i.is_in_source(call.site):
            return
        if name == "functools.partial" and call.args and type(call.args[0]) is v.Api:
            name = call.args[0].name
        if name in _KEEPING:
            option = _KEEPING[name]
            given, node = call.keywords.get(option), call.keyword_nodes.get(option)
            if node is not None and type(given) is v.Const and isinstance(given.value, float):
                if 0.0 < given.value < _LEAST_KEPT:
                    hazard = TorchConvention("momentum", given.value)
                    self.i.report(hazard, call.node, node, given, api=name, parameter=option)
        elif name in _POOLS:
            self.pooled(name, call)

    def attended(self, func: v.Value, call: Call) -> None:
        """A layer or function of attention is called with a mask that is true at one number, that of the padding."""
        node = call.keyword_nodes.get("mask")
        if node is None or self.i.is_in_source(call.site):
            return
        name = ""
        if type(func) is v.OpaqueInstance and func.name == "layer":
            name = func.class_name
        elif type(func) is v.Api:
            name = func.name
        if name in _ATTENDING and self.is_equality(node, 0):
            self.i.report(TorchConvention("mask"), call.node, node, v.UNKNOWN, api=name)

    def is_equality(self, node: ir.Node, depth: int) -> bool:
        """Whether a mask is made of a comparison with one number, with more axes or in the pairs of a mask of attention."""
        found = bound_to(self.i.unit, node)
        if depth > _DEPTH:
            return False
        if type(found) is ir.Subscript:
            return self.is_equality(found.value, depth + 1)
        if type(found) is ir.Call:
            callee = self.i.last_callee.get(found.site)
            name = ir.last_part(found.func)
            if type(callee) is v.FunctionValue:
                value = only_result(callee.function)
                return value is not None and self.is_equality(value, depth + 1)
            masks = list(ir.passed_values(found)) if name in _PAIRING or name in _WIDENING else []
            return any(self.is_equality(each, depth + 1) for each in (masks if name in _PAIRING else masks[:1]))
        if type(found) is not ir.Compare or found.ops != ("==",):
            return False
        return any(map(self.is_number, (found.left, *found.rights)))

    def is_number(self, node: ir.Node) -> bool:
        """Whether an expression is one integer that the code says."""
        found = bound_to(self.i.unit, node)
        value = v.Const(found.value) if type(found) is ir.Constant else self.i.named(ir.dotted(found) or "")
        return type(value) is v.Const and type(value.value) is int

    def pooled(self, name: str, call: Call) -> None:
        """A window that moves by one element along each axis, as it does where `strides` is left out."""
        window, node = call.get(1, "window_shape"), call.node_of(1, "window_shape")
        if call.star or call.double_star or window is None or node is None or type(call.node) is not ir.Call:
            return
        strides, padding = call.get(2, "strides"), call.get(3, "padding")
        is_valid = padding is None or (type(padding) is v.Const and padding.value == "VALID")
        if (strides is None or v.is_none(strides)) and is_valid and self.is_wide(window):
            self.i.report(TorchConvention("strides"), call.node, node, window, api=name)

    def is_wide(self, window: v.Value) -> bool:
        """Whether a window has several elements, and is not as large as an image."""
        sizes = window.items if type(window) is v.Tuple else None
        known = [each.value for each in sizes or () if type(each) is v.Const and isinstance(each.value, int)]
        return sizes is not None and len(known) == len(sizes) and 1 < max(known, default=1) <= _SMALL
