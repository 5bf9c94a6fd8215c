"""Masks of attention that do not fit the queries and keys, and masks that are made of embedded tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.checkers.arrays.misread_arguments import MisreadArgument
from jaxlint.analysis.checkers.shape_agreement import ShapeMismatch
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.shapes.disagreements import differ
from jaxlint.ir.bindings import bound_to

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

# Layers of attention -> the position of the mask; functions -> the same.
_LAYERS = {
    "flax.linen.MultiHeadDotProductAttention": None, "flax.linen.MultiHeadAttention": None, "flax.linen.SelfAttention": 1,
    "flax.nnx.MultiHeadAttention": 3,
}  # fmt: skip
_FUNCTIONS = {f"{package}.dot_product_attention": 4 for package in ("flax.linen", "flax.nnx", "jax.nn")}
_OF_TOKENS = frozenset(f"flax.{package}.make_causal_mask" for package in ("linen", "nnx"))


class AttentionMasks(Checker):
    """What attention is masked with."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.features: set[int] = set()  # calls of layers

    def subscribe(self, events: Events) -> None:
        events.called.append(self.called, (v.OpaqueInstance,))
        events.library_function_called.append(self.function, {*_FUNCTIONS, *_OF_TOKENS})

    def called(self, func: v.Value, call: Call) -> None:
        """A layer."""
        if type(func) is not v.OpaqueInstance or func.name not in v.LAYERS:
            return
        self.features.add(call.site)
        name = func.class_name
        if name in _LAYERS:
            mask, queries = call.get(_LAYERS[name], "mask"), self.shape(call.get(0, "inputs_q"))
            keys = self.shape(call.get(1, "inputs_k")) if call.get(1, "inputs_k") is not mask else queries
            self.mask(name, call, _LAYERS[name], queries, queries if keys is None else keys, 2)

    def function(self, name: str, _func: v.Value, call: Call) -> None:
        if name in _FUNCTIONS:
            self.mask(name, call, _FUNCTIONS[name], self.shape(call.get(0, "query")), self.shape(call.get(1, "key")), 3)
        elif name in _OF_TOKENS:
            value, node = call.get(0, "x"), call.node_of(0, "x")
            if value is None or node is None:
                return
            shape = self.shape(value)
            floats = type(value) is v.Array and "float" in (value.aval.dtype or "")
            if shape is None or len(shape) < 3 or self.i.possible:
                return
            if floats or bound_to(self.i.unit, node).site in self.features:
                self.i.report(MisreadArgument("embedded", shape), call.node, node, value, api=name, parameter="x")

    def shape(self, value: v.Value | None) -> v.Shape | None:
        return value.aval.shape if type(value) is v.Array or type(value) is v.Host else None

    def mask(
        self, name: str, call: Call, position: int | None, queries: v.Shape | None, keys: v.Shape | None, last: int
    ) -> None:
        """A mask of two axes says which query sees which key; ``last``: where the length is, counted from the last axis."""
        value, node = call.get(position, "mask"), call.node_of(position, "mask")
        shape = self.shape(value)
        if value is None or node is None or shape is None or queries is None or keys is None or self.i.possible:
            return
        if len(shape) != 2 or len(queries) < last or len(keys) < last:
            return
        wanted = queries[-last], keys[-last]
        if any(differ(m, n) and m != 1 for m, n in zip(shape, wanted)):
            self.i.report(ShapeMismatch("mask", wanted, shape, name), call.node, node, value)
