"""Objects of Optax: which they are, and which of their methods are pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import STAGED_CODE
from jaxlint.ir import nodes as ir

_OPTIMISER = "GradientTransformation.update"
# Functions that make a gradient transformation.
_OPTIMISERS = frozenset(
    "adabelief adadelta adagrad adam adamw adamax chain fromage lamb lars lion nadam nadamw novograd radam rmsprop sgd"
    " sm3 yogi multi_transform masked clip clip_by_global_norm apply_every".split()
)
# Of these, those that keep moments of the gradients, whatever their options.
_REMEMBERING = frozenset(
    "adabelief adadelta adagrad adam adamw adamax lamb lion nadam nadamw novograd radam sm3 yogi".split()
)
# Functions that call a function with the number of steps: the name of its parameter, the first one.
_COUNTED = {
    **dict.fromkeys(_OPTIMISERS - {"chain", "multi_transform", "masked", "apply_every"}, "learning_rate"),
    "scale_by_schedule": "step_size_fn", "scale_by_learning_rate": "learning_rate", "join_schedules": "schedules",
}  # fmt: skip


class OptaxObjects:
    """Component of the interpreter."""

    def __init__(self, interpreter: Any) -> None:
        self.i = interpreter
        self.remembering: dict[v.Ident, str] = self.i.per_module({})  # optimisers with moments, and what made them
        self.optimisers: dict[v.Ident, bool] = self.i.per_module({})
        self.schedules: dict[v.Ident, tuple[v.Value, ...]] = self.i.per_module(
            {}
        )  # what is called with the count of steps
        # Object -> its method that gives a changed copy and leaves the object as it was.
        self.pure_methods: dict[v.Ident, str] = self.i.per_module({})

    def made(self, name: str, value: v.Value, call: Call) -> v.Value:
        """Note what a function of a library, which is not followed, has made."""
        if name.startswith("optax.") and value.ident is not None:
            remembers = self.remembers(name.removeprefix("optax."), call)
            if remembers is not None:
                self.remembering[value.ident] = remembers
            schedules = tuple(self.called_with_count(name.removeprefix("optax."), call))
            if schedules:
                self.schedules[value.ident] = schedules
            self.pure_methods[value.ident] = _OPTIMISER
            self.optimisers[value.ident] = name.removeprefix("optax.") in _OPTIMISERS
        return value

    def remembers(self, name: str, call: Call) -> str | None:
        """The function of a gradient transformation whose steps depend on those before; None where they may not."""
        if name == "chain":
            found = (self.remembering.get(value.ident) for value in call.args if value.ident is not None)
            return next((each for each in found if each is not None), None)
        momentum = call.get(1, "momentum")
        if name == "sgd" and type(momentum) is v.Const and momentum.value:
            return "optax.sgd"
        return f"optax.{name}" if name in _REMEMBERING else None

    def called_with_count(self, name: str, call: Call) -> Iterator[v.Value]:
        """The user's functions that an optimiser or a schedule calls with the number of steps."""
        taken = call.get(0, _COUNTED[name]) if name in _COUNTED else None
        for value in self.i.leaves([taken] if taken is not None else call.all()):
            if taken is not None and type(value) in (v.FunctionValue, v.BoundMethod, v.Partial):
                yield value
            elif value.ident is not None:
                yield from self.schedules.get(value.ident, ())

    def called(self, call: Call) -> v.Value | None:
        """What a method of an optimiser gives, none of which changes its arguments; None for any other call."""
        func: Any = call.node.func if type(call.node) is ir.Call else None
        base = self.i.bases.get(func.site) if type(func) is ir.Attribute else None
        if base is None or not self.is_optimiser(base) or call.star:
            return None
        if func.attr == "init":
            return self.like(call.all())
        if func.attr != "update" or len(call.args) < 2:
            return None
        if self.i.context.stage == STAGED_CODE:
            count = v.Array(v.STAGED, v.Aval("int32", ()), self.i.context.origin)
            for schedule in self.schedules.get(base.ident, ()):
                self.i.call(schedule, self.i.simple_call(call.node, [count]))
        updates: v.Value = self.i.transforms.rebuilt(call.args[0], lambda leaf: leaf)
        return v.Tuple((updates, self.like([call.args[1]])))

    def like(self, values: list[v.Value]) -> v.Value:
        """A tree of arrays of which only the class is known."""
        mode, origin = self.i.result_mode(values)
        return v.Undecided(mode, origin, v.fresh()) if mode in v.TRACED else v.Unknown(v.fresh())

    def is_optimiser(self, value: v.Value) -> bool:
        """Whether the value is certainly a gradient transformation: a pair of functions."""
        return value.ident is not None and self.optimisers.get(value.ident, False)
