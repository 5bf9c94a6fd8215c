"""The optimisers of Optax, by what the steps that they give are made of."""

from __future__ import annotations

# Functions whose optimisers give steps that are to be added to the parameters, and those of them that scale by past gradients.
ADAPTIVE = frozenset(
    f"optax.{name}"
    for name in (
        "adabelief adadelta adafactor adagrad adam adamax adamaxw adamw adan amsgrad lamb lion nadam nadamw novograd radam"
        " rmsprop rprop sm3 yogi"
    ).split()
)
STEPPING = ADAPTIVE | {
    f"optax.{name}" for name in ("fromage", "lars", "noisy_sgd", "optimistic_adam", "sgd", "sign_sgd")
}
