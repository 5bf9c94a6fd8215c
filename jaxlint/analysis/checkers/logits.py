"""Probabilities that are given to functions of logits, which make probabilities of them once more."""

from __future__ import annotations

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.state import ListObject
from jaxlint.analysis.events import Checker, Events

_GIVING = frozenset({"jax.nn.softmax", "jax.nn.sigmoid", "jax.scipy.special.expit", "jax.scipy.special.softmax"})
# What orders, picks or reshapes numbers, with the numbers as its first argument; `top_k` gives the places as well.
_KEEPING = frozenset(
    {f"jax.numpy.{name}" for name in "ravel reshape sort squeeze expand_dims flip take take_along_axis".split()}
    | {"jax.lax.top_k", "jax.lax.stop_gradient"}
)
# Functions of logits, and the position of these.
_TAKING = {
    **{
        f"{module}.{name}": 0
        for module in ("optax", "optax.losses")
        for name in (
            "softmax_cross_entropy", "softmax_cross_entropy_with_integer_labels", "safe_softmax_cross_entropy",
            "sigmoid_binary_cross_entropy",
        )
    },
    "jax.random.categorical": 1,
}  # fmt: skip


@hazard_class(consequence=Consequence.SILENT)
class ProbabilitiesAsLogits(Hazard):
    """What a softmax or sigmoid gave is taken for logits. Site: the call; operand: the probabilities; api."""


class Logits(Checker):
    """Results of softmax and sigmoid, and who is given them."""

    def subscribe(self, events: Events) -> None:
        events.jax_value.append(self.made)
        events.item_value.append(self.item)
        events.library_function_called.append(self.called, _TAKING)

    def made(self, value: v.Value, name: str, call: Call) -> v.Value:
        if name in _GIVING:
            return self.probabilities(value, value.ident)
        if name not in _KEEPING or not call.args or not self.are_probabilities(call.args[0]):
            return value
        contents = self.i.contents(value)
        if type(contents) is ListObject and contents.items:  # of `top_k`, whose second item are the places
            return self.i.new_list((self.probabilities(contents.items[0], None), *contents.items[1:]))
        return self.probabilities(value, None)

    def item(self, value: v.Value, base: v.Value, index: v.Value) -> v.Value:
        return self.probabilities(value, None) if self.are_probabilities(base) else value

    def are_probabilities(self, value: v.Value) -> bool:
        return value.ident is not None and self.i.layers.provenance.get(value.ident) == "probabilities"

    def probabilities(self, value: v.Value, ident: v.Ident | None) -> v.Value:
        if type(value) not in (v.Array, v.Unknown):
            return value
        ident = ident or v.fresh()
        self.i.layers.provenance[ident] = "probabilities"
        return value.renewed(ident) if type(value) is v.Array else v.Unknown(ident)

    def called(self, name: str, _func: v.Value, call: Call) -> None:
        position = _TAKING[name]
        logits, node = call.get(position, "logits"), call.node_of(position, "logits")
        if logits is not None and node is not None and self.are_probabilities(logits):
            self.i.report(ProbabilitiesAsLogits(), call.node, node, logits, api=name)
