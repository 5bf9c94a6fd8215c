"""Balance with two actions: push against the side to which it leans."""

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from policy import Policy, act
from update import update

compilations = []
jax.monitoring.register_event_duration_secs_listener(
    lambda event, seconds, **_: compilations.append(event) if "backend_compile" in event else None
)


@eqx.filter_jit
def episode(policy, key, length=20):
    def body(state, k):
        action = act(policy, state, k)
        lean = state[0] + 0.1 * state[1]
        push = jnp.where(action == 1, -0.1, 0.1)
        new = jnp.stack([lean, state[1] + 0.1 * lean + push, state[2]])
        return new, (state, action, -jnp.abs(lean))

    start = jnp.array([0.1, 0.0, 1.0])
    return jax.lax.scan(body, start, jax.random.split(key, length))[1]


def main():
    key, k_policy = jax.random.split(jax.random.key(0))
    policy = Policy(k_policy)
    optimizer = optax.sgd(1e-2)
    opt_state = optimizer.init(eqx.filter(policy, eqx.is_inexact_array))
    counts = []
    for _ in range(5):
        key, k_episode = jax.random.split(key)
        before = len(compilations)
        policy, opt_state, loss = update(policy, opt_state, optimizer, *episode(policy, k_episode))
        counts.append(len(compilations) - before)
    print("finite", bool(jnp.isfinite(loss)))
    print("later updates compile nothing:", sum(counts[2:]) == 0)


if __name__ == "__main__":
    main()
