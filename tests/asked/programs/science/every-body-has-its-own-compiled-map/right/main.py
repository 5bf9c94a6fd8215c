"""Fit the motion of several people, one after the other."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from bodies import Body, kinematics

compilations = []
jax.monitoring.register_event_duration_secs_listener(
    lambda event, seconds, **_: compilations.append(event) if "backend_compile" in event else None
)
optimizer = optax.adam(5e-2)


def loss(body, times, points):
    return jnp.mean((jax.vmap(body)(times) - points) ** 2)


@eqx.filter_jit
def step(body, opt_state, times, points):
    value, grads = eqx.filter_value_and_grad(loss)(body, times, points)
    updates, opt_state = optimizer.update(grads, opt_state)
    return eqx.apply_updates(body, updates), opt_state, value


def fit(key, times, points, steps=5):
    body = Body(key)
    opt_state = optimizer.init(eqx.filter(body, eqx.is_inexact_array))
    for _ in range(steps):
        body, opt_state, value = step(body, opt_state, times, points)
    return value


def main():
    times = jnp.linspace(0.0, 1.0, 20)[:, None]
    points = jax.vmap(kinematics)(jnp.concatenate([times, 1.0 - times], axis=1))
    fit(jax.random.key(0), times, points)
    before = len(compilations)
    values = [fit(jax.random.key(seed), times, points) for seed in range(1, 4)]
    print("people", len(values))
    print("compiled for each:", len(compilations) - before >= 3)


if __name__ == "__main__":
    main()
