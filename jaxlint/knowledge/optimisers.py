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
# Parts of a chain that keep the sign of what they are given, and those of them that make a step of gradients.
SCALING = frozenset(
    f"optax.scale_by_{name}"
    for name in (
        "adadelta adam adamax adan amsgrad belief factored_rms lion novograd optimistic_gradient param_block_norm"
        " param_block_rms radam rms rss sign sm3 stddev trust_ratio yogi"
    ).split()
) | {"optax.trace", "optax.ema"}
KEEPING_SIGN = SCALING | {
    f"optax.{name}"
    for name in (
        "adaptive_grad_clip add_decayed_weights centralize clip clip_by_block_rms clip_by_global_norm identity"
        " normalize_by_update_norm zero_nans"
    ).split()
}
# Schedules of numbers that are positive if those that they are made of are.
SCHEDULES = frozenset(
    f"optax.{name}_schedule"
    for name in (
        "constant cosine_decay cosine_onecycle linear linear_onecycle piecewise_constant"
        " piecewise_interpolate polynomial warmup_constant warmup_cosine_decay warmup_exponential_decay"
    ).split()
) | {"optax.exponential_decay"}
