import equinox as eqx
import jax
import jax.numpy as jnp

GRAVITY = 9.8
DT = 0.02


def make_policy(key):
    return eqx.nn.MLP(in_size=2, out_size="scalar", width_size=16, depth=2, activation=jnp.tanh, key=key)


def pendulum(state, torque):
    angle, speed = state
    speed = speed + DT * (GRAVITY * jnp.sin(angle) + 4.0 * torque - 0.2 * speed)
    return jnp.stack([angle + DT * speed, speed])


@eqx.filter_jit
def rollout_cost(policy, start):
    def step(state, _):
        torque = jnp.tanh(policy(state))
        state = pendulum(state, torque)
        return state, state[0] ** 2 + 0.1 * state[1] ** 2

    _, costs = jax.lax.scan(step, start, None, length=100)
    return costs.mean()


def mutate(policy, key, scale):
    arrays, rest = eqx.partition(policy, eqx.is_inexact_array)
    leaves, treedef = jax.tree.flatten(arrays)
    keys = jax.random.split(key, len(leaves))
    leaves = [leaf + scale * jax.random.normal(k, leaf.shape) for k, leaf in zip(keys, leaves)]
    return eqx.combine(jax.tree.unflatten(treedef, leaves), rest)


def main():
    key_policy, key_search = jax.random.split(jax.random.key(6))
    start = jnp.array([0.4, 0.0])
    policy = make_policy(key_policy)
    best = rollout_cost(policy, start)
    print("first cost", round(float(best), 3))
    for key in jax.random.split(key_search, 60):
        candidate = mutate(policy, key, 0.3)
        cost = rollout_cost(candidate, start)
        if cost < best:
            policy, best = candidate, cost
    print("best cost", round(float(best), 3))


if __name__ == "__main__":
    main()
