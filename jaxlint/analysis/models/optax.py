"""Objects of Optax: which they are, and which of their methods are pure."""

from __future__ import annotations

from typing import Any

from jaxlint.analysis.domain import values as v

_OPTIMISER = "GradientTransformation.update"
# Functions that make a gradient transformation.
_OPTIMISERS = frozenset(
    "adabelief adadelta adagrad adam adamw adamax chain fromage lamb lars lion nadam nadamw novograd radam rmsprop sgd"
    " sm3 yogi multi_transform masked clip clip_by_global_norm apply_every".split()
)


class OptaxObjects:
    """Component of the interpreter."""

    def __init__(self, interpreter: Any) -> None:
        self.i = interpreter
        self.optimisers: dict[v.Ident, bool] = self.i.per_module({})
        # Object -> its method that gives a changed copy and leaves the object as it was.
        self.pure_methods: dict[v.Ident, str] = self.i.per_module({})

    def made(self, name: str, value: v.Value) -> v.Value:
        """Note what a function of a library, which is not followed, has made."""
        if name.startswith("optax.") and value.ident is not None:
            self.pure_methods[value.ident] = _OPTIMISER
            self.optimisers[value.ident] = name.removeprefix("optax.") in _OPTIMISERS
        return value

    def is_optimiser(self, value: v.Value) -> bool:
        """Whether the value is certainly a gradient transformation: a pair of functions."""
        return value.ident is not None and self.optimisers.get(value.ident, False)
