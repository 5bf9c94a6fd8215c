"""Objects of Optax: which they are, and which of their methods are pure."""

from __future__ import annotations

from typing import Any

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call

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


class OptaxObjects:
    """Component of the interpreter."""

    def __init__(self, interpreter: Any) -> None:
        self.i = interpreter
        self.remembering: dict[v.Ident, str] = self.i.per_module({})  # optimisers with moments, and what made them
        self.optimisers: dict[v.Ident, bool] = self.i.per_module({})
        # Object -> its method that gives a changed copy and leaves the object as it was.
        self.pure_methods: dict[v.Ident, str] = self.i.per_module({})

    def made(self, name: str, value: v.Value, call: Call) -> v.Value:
        """Note what a function of a library, which is not followed, has made."""
        if name.startswith("optax.") and value.ident is not None:
            remembers = self.remembers(name.removeprefix("optax."), call)
            if remembers is not None:
                self.remembering[value.ident] = remembers
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

    def is_optimiser(self, value: v.Value) -> bool:
        """Whether the value is certainly a gradient transformation: a pair of functions."""
        return value.ident is not None and self.optimisers.get(value.ident, False)
