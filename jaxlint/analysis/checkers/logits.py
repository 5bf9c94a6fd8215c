"""Probabilities that are given to functions of logits, which make probabilities of them once more."""

from __future__ import annotations

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events

_GIVING = frozenset({"jax.nn.softmax", "jax.nn.sigmoid", "jax.scipy.special.expit", "jax.scipy.special.softmax"})
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
        events.library_function_called.append(self.called)

    def made(self, value: v.Value, name: str, call: Call) -> v.Value:
        if name not in _GIVING or type(value) is not v.Array:
            return value
        ident = value.ident or v.fresh()
        self.i.layers.provenance[ident] = "probabilities"
        return value.renewed(ident)

    def called(self, name: str, _func: v.Value, call: Call) -> None:
        position = _TAKING.get(name)
        if position is None:
            return
        logits, node = call.get(position, "logits"), call.node_of(position, "logits")
        if logits is not None and node is not None and self.i.layers.provenance.get(logits.ident) == "probabilities":
            self.i.report(ProbabilitiesAsLogits(), call.node, node, logits, api=name)
