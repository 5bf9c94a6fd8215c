"""What Optax chains: transformations in an order, of which one comes too late or nothing negates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.models.libraries import MAX_DEPTH, is_made, kept_by, maker_of
from jaxlint.analysis.transforms.gradients import VALUE_AND_GRAD, giving_transform
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings
from jaxlint.knowledge.optimisers import ADAPTIVE, KEEPING_SIGN, SCALING, SCHEDULES, STEPPING

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_MASKED, _DECAY = "optax.masked", "optax.add_decayed_weights"
_CLIPPING = frozenset({"optax.clip_by_global_norm", "optax.clip", "optax.adaptive_grad_clip"})
_BEFORE = _CLIPPING | {"optax.zero_nans", "optax.centralize", "optax.identity", _DECAY}  # what leaves gradients as such
_SCHEDULED, _CHAIN, _SCALE = "optax.scale_by_schedule", "optax.chain", "optax.scale"
_GRADIENTS = VALUE_AND_GRAD | {"jax.grad", "haiku.grad", "equinox.filter_grad", "flax.nnx.grad"}


@hazard_class(consequence=Consequence.SILENT)
class LateTransformation(Hazard):
    """A chain decays weights or clips gradients after its optimiser. Site: the call of `chain`; operand: the late part."""

    optimiser: str  # the function that makes the step
    clips: bool


@hazard_class(consequence=Consequence.SILENT)
class MaskedOptimiser(Hazard):
    """A mask hands on the gradients of the other parameters as their updates. Site and operand: where it is made, or used."""


@hazard_class(consequence=Consequence.SILENT)
class AscendingChain(Hazard):
    """Nothing in a chain negates the gradients. Site and operand: the schedule that scales them."""


class OptimiserChains(Checker):
    """Chains of transformations, and who applies the updates that they give."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # What scales by a schedule -> the chain that it is a part of, and where it is written in that.
        self.scheduled: dict[v.Ident, tuple[ir.Node, ir.Node]] = self.i.per_module({})
        # Schedules that are made of a negated number somewhere.
        self.negated: dict[str, bool] = self.i.per_module({})
        # What is masked in a chain, and where it is written in that.
        self.masks: dict[v.Ident, ir.Node] = self.i.per_module({})
        self.descends = False  # whether the training state that is updated is given gradients as they are

    def subscribe(self, events: Events) -> None:
        events.called.append(self.called, (v.Member,))
        events.name_called.append(self.apply_gradients, ("apply_gradients",))
        events.library_function_called.append(
            self.of_library, {_CHAIN, *SCHEDULES, "flax.nnx.Optimizer", "optax.apply_updates"}
        )

    def of_library(self, name: str, _func: v.Value, call: Call) -> None:
        if name == _CHAIN:
            self.chained(call)
        elif name in SCHEDULES and any(type(each) is ir.Unary for each in ir.walk([call.node])):
            self.negated[name] = True
        elif name == "flax.nnx.Optimizer":
            self.steps_of(call.get(1, "tx"))
        elif name == "optax.apply_updates":
            self.applied(call)

    def called(self, func: v.Value, call: Call) -> None:
        if type(func) is not v.Member or type(func.receiver) is not v.OpaqueInstance:
            return
        if func.name == "init" and self.i.libraries.is_optimiser(func.receiver):
            self.masked(func.receiver, call)
        elif func.name == "update" and self.i.is_in_source(call.site) and self.descends:  # Flax applies the updates
            self.steps_of(func.receiver)

    def apply_gradients(self, _func: v.Value, call: Call) -> None:
        if type(call.node) is ir.Call and type(call.node.func) is ir.Attribute:
            gradients = call.keyword_nodes.get("grads")
            self.descends = gradients is not None and self.are_gradients(gradients)

    def applied(self, call: Call) -> None:
        """`apply_updates` with what `update` of an optimiser has given."""
        node = call.arg_nodes[1] if len(call.args) > 1 else call.keyword_nodes.get("updates")
        if type(node) is ir.Name:
            self.steps_of(self.made_by(bindings(self.i.unit.scope(node.site), node.id), node.id))

    def chained(self, call: Call) -> None:
        """The transformations of a chain in their order: what comes after an optimiser changes a step, and no gradients."""
        stepping = ""
        for part, node in zip(call.args, call.arg_nodes):
            if type(part) is v.OpaqueInstance and part.ident is not None and part.name == f"{_SCHEDULED}()":
                self.scheduled[part.ident] = call.node, node
            elif maker_of(part) == _MASKED and part.ident is not None:
                self.masks[part.ident] = node
        for part, node in zip(call.args, call.arg_nodes):
            if type(part) is not v.OpaqueInstance or not is_made(part):
                return
            name = maker_of(part)
            clips = name in _CLIPPING and stepping in ADAPTIVE
            if clips or (name == _DECAY and stepping and not self.is_subtracted(part, node)):
                self.i.report(LateTransformation(stepping, clips), call.node, node, part, api=name)
                return
            stepping = name if name in STEPPING else stepping

    def steps_of(self, optimiser: v.Value | None) -> None:
        """Updates that are added to the parameters: those of a chain that nothing negates are no descent."""
        parts = list(self.parts_of(optimiser)) if optimiser is not None else []
        names = list(map(maker_of, parts))
        scheduled = [part for part, name in zip(parts, names) if name == _SCHEDULED]
        if not scheduled or SCALING.isdisjoint(names) or not all(self.keeps_sign(part) for part in parts):
            return
        place = self.scheduled.get(scheduled[-1].ident or ())
        if place is not None:
            self.i.report(AscendingChain(), place[1], place[1], scheduled[-1], api=_SCHEDULED)

    def parts_of(self, optimiser: v.Value, depth: int = 0) -> Iterator[v.Value]:
        """What a chain is made of, and the chains in it."""
        if type(optimiser) is not v.OpaqueInstance or maker_of(optimiser) != _CHAIN or depth > MAX_DEPTH:
            yield optimiser
            return
        for kept in kept_by(optimiser).values():
            for part in self.i.libraries.parts(kept):
                yield from self.parts_of(part, depth + 1)

    def keeps_sign(self, part: v.Value) -> bool:
        if type(part) is not v.OpaqueInstance or not is_made(part):
            return False
        kept, name = kept_by(part), maker_of(part)
        if name == _SCALE:
            return is_positive(kept.get("step_size"))
        return name in KEEPING_SIGN or (name == _SCHEDULED and self.rises(kept.get("step_size_fn")))

    def rises(self, schedule: v.Value | None) -> bool:
        """Whether a schedule of Optax is made of no negative number, as far as they are known."""
        name = maker_of(schedule)
        if type(schedule) is not v.OpaqueInstance or name not in SCHEDULES or name in self.negated:
            return False
        return not any(
            type(each) is v.Const and isinstance(each.value, (int, float)) and each.value < 0
            for each in kept_by(schedule).values()
        )

    def is_subtracted(self, decay: v.OpaqueInstance, node: ir.Node) -> bool:
        """Whether the weights are added with a negative factor, or none: then they may stand behind the step."""
        weight = kept_by(decay).get("weight_decay", v.UNKNOWN)
        negated = type(node) is ir.Call and any(type(each) is ir.Unary for each in ir.walk([node]))
        return negated or (type(weight) is v.Const and not (weight.value or 0) > 0)

    def masked(self, optimiser: v.OpaqueInstance, call: Call) -> None:
        """All that steps in an optimiser is masked: what the mask leaves out gets its gradients as updates."""
        parts = list(self.parts_of(optimiser))
        names = list(map(maker_of, parts))
        part = parts[names.index(_MASKED)] if names.count(_MASKED) == 1 else None
        if type(part) is not v.OpaqueInstance or not all(name == _MASKED or name in _BEFORE for name in names):
            return
        kept = kept_by(part)
        if maker_of(kept.get("inner")) in STEPPING:
            mask = [
                leaf.value if type(leaf) is v.Const else None for leaf in self.i.leaves([kept.get("mask", v.UNKNOWN)])
            ]
            if not mask or any(each is not True for each in mask):
                place = self.masks.get(part.ident or (), call.node)
                self.i.report(MaskedOptimiser(), place, place, part, api=_MASKED)

    def made_by(self, bound: Sequence[ir.Node], name: str) -> v.Value | None:
        """The optimiser whose `update` binds a name alone: `updates, state = optimiser.update(…)`."""
        assign = bound[0] if len(bound) == 1 else None
        if not isinstance(assign, ir.Assign) or type(assign.value) is not ir.Call or len(assign.targets) != 1:
            return None
        target, given = assign.targets[0], assign.value.args
        first = target.elements[0] if type(target) is ir.Sequence and target.elements else None
        if type(first) is not ir.Name or first.id != name or not given or not self.are_gradients(given[0]):
            return None
        return self.i.libraries.updated_by(assign.value)

    def are_gradients(self, node: ir.Node) -> bool:
        """Whether an expression is what a gradient function gives, as it is."""
        return giving_transform(self.i, node) in _GRADIENTS


def is_positive(value: v.Value | None) -> bool:
    return type(value) is v.Const and isinstance(value.value, (int, float)) and value.value > 0
