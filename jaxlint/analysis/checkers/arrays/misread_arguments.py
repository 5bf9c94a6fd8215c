"""Arguments that a function or layer takes for something else, and goes on: a number for a flag, an axis for an order of a norm,
the size of an image for its channels; and steps of a schedule that leave none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import resolved
from jaxlint.knowledge.flags import flags

if TYPE_CHECKING:
    from collections.abc import Sequence

_NORM = "jax.numpy.linalg.norm"
_OF_FUNCTIONS = ("jax.nn.", "jax.numpy.", "flax.linen.", "flax.nnx.")  # modules whose members are no flags
_KERNELS = {"flax.linen.Conv": 1, "flax.nnx.Conv": 2}  # which option is the size of the kernel
_CHANNELS = (1, 3)  # of images
_LEAST_SIDE = 5  # of an image: fewer may be channels
# Schedules -> position and name of the number of steps; one that is not positive raises, or leaves the first value as it is.
_RAISING = {
    "cosine_decay_schedule": (1, "decay_steps"), "linear_onecycle_schedule": (0, "transition_steps"),
    "cosine_onecycle_schedule": (0, "transition_steps"),
}  # fmt: skip
_CONSTANT = {
    "linear_schedule": (2, "transition_steps"), "polynomial_schedule": (3, "transition_steps"),
    "exponential_decay": (1, "transition_steps"), "warmup_constant_schedule": (2, "warmup_steps"),
}  # fmt: skip
_WARMUP, _DECAY = (2, "warmup_steps"), (3, "decay_steps")


@hazard_class(consequence=Consequence.SILENT, of_plain_values=True)
class MisreadArgument(Hazard):
    """An argument stands where something else is taken. Site: the call; operand: the argument; api; parameter.

    "flag": a number, a string or a function for a flag; "order": an axis for the order of a norm; "kernel": one number for the
    kernel of a two-dimensional convolution; "channels": an image whose channels come first; "embedded": features for
    tokens; "steps": a schedule of no steps; "warmup": steps without those of the warmup, which are counted in.
    """

    form: str
    shape: v.Shape = ()


@hazard_class(of_plain_values=True)
class ScheduleSteps(Hazard):
    """A schedule of which no steps are left raises. Site: the call; operand: the number of steps; api; parameter."""

    steps: int
    warmup: int | None = None  # which are counted among the steps


class MisreadArguments(Checker):
    """Arguments that are read as something else."""

    def subscribe(self, events: Events) -> None:
        events.library_function_called.append(self.called)
        events.layer_given.append(self.layer)

    def called(self, name: str, _func: v.Value, call: Call) -> None:
        if self.i.possible or call.star:
            return
        for parameter, position in flags(name).items():
            value, node = call.get(position, parameter), call.node_of(position, parameter)
            if value is not None and node is not None and _is_no_flag(value):
                self.i.report(MisreadArgument("flag"), call.node, node, value, api=name, parameter=parameter)
                return
        if (
            name == _NORM
            and len(call.args) == 2
            and _integer(call.args[1]) == -1
            and not call.keywords.keys() - {"keepdims"}
        ):
            self.i.report(
                MisreadArgument("order"), call.node, call.arg_nodes[1], call.args[1], api=name, parameter="ord"
            )
        if name.startswith("optax."):
            self.schedule(name, name.rpartition(".")[2], call)

    def schedule(self, name: str, last: str, call: Call) -> None:
        if last == "warmup_cosine_decay_schedule":
            warmup, steps = _integer(call.get(*_WARMUP)), _integer(call.get(*_DECAY))
            if warmup is not None and steps is not None and steps <= warmup:
                self.steps(ScheduleSteps(steps, warmup), name, call, _DECAY)
            elif self.is_without(call.node_of(*_DECAY), call.node_of(*_WARMUP)):
                self.steps(MisreadArgument("warmup"), name, call, _DECAY)
        for table in (_RAISING, _CONSTANT):
            found = table.get(last)
            steps = _integer(call.get(*found)) if found is not None else None
            if found is not None and steps is not None and steps <= 0:
                hazard = ScheduleSteps(steps) if table is _RAISING else MisreadArgument("steps")
                self.steps(hazard, name, call, found)

    def is_without(self, node: ir.Node | None, subtracted: ir.Node | None) -> bool:
        """Whether a number is written as what is left of another one without the second: `total - warmup`."""
        if node is None or subtracted is None:
            return False
        difference, name = resolved(self.i.unit, node), ir.dotted(subtracted)
        if type(difference) is not ir.Binary or difference.op != "-":
            return False
        return name is not None and ir.dotted(difference.right) == name

    def steps(self, hazard: Hazard, name: str, call: Call, place: tuple[int, str]) -> None:
        node, value = call.node_of(*place), call.get(*place)
        if node is not None and value is not None:
            self.i.report(hazard, call.node, node, value, api=name, parameter=place[1])

    def layer(self, call: Call, name: str, options: Sequence[object], given: v.Shape) -> None:
        """A convolution of Flax, which takes the channels last, is called with an image of a known shape."""
        if name not in _KERNELS or len(given) != 4 or self.i.possible:
            return
        kernel = options[_KERNELS[name]]
        node = call.arg_nodes[0] if call.arg_nodes else call.node
        if type(kernel) is int and kernel > 1 and _is_side(given[1]) and given[1] == given[2]:
            self.found("kernel", name, call, node, given)
        elif name == "flax.linen.Conv" and type(kernel) is tuple and len(kernel) == 2:
            if given[1] in _CHANNELS and _is_side(given[2]) and given[2] == given[3]:
                self.found("channels", name, call, node, given)

    def found(self, form: str, name: str, call: Call, node: ir.Node, given: v.Shape) -> None:
        self.i.report(MisreadArgument(form, given), call.node, node, call.args[0], api=name)


def _integer(value: v.Value | None) -> int | None:
    return value.value if type(value) is v.Const and type(value.value) is int else None


def _is_side(size: object) -> bool:
    return type(size) is int and size >= _LEAST_SIDE


def _is_no_flag(value: v.Value) -> bool:
    """Whether a value is certainly neither a bool nor a number that stands for one."""
    if type(value) is v.Const:
        return isinstance(value.value, (str, int, float)) and value.value not in (0, 1)
    return type(value) in (v.FunctionValue, v.Transformed) or (
        type(value) is v.Api and value.name.startswith(_OF_FUNCTIONS)
    )
