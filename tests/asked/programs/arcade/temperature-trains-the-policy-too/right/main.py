"""A policy over slot machines with an entropy that is tuned towards a target."""

import jax
import jax.numpy as jnp
import optax

PAYS = jnp.array([0.2, 0.5, 0.8, 0.4])
TARGET = 1.0


def entropy(logits):
    log_probs = jax.nn.log_softmax(logits)
    return -jnp.sum(jnp.exp(log_probs) * log_probs)


def policy_loss(params):
    probs = jax.nn.softmax(params["logits"])
    temperature = jnp.exp(jax.lax.stop_gradient(params["log_temperature"]))
    return -jnp.sum(probs * PAYS) - temperature * entropy(params["logits"])


def temperature_loss(params):
    """Raises the temperature while the entropy is below the target."""
    gap = jax.lax.stop_gradient(entropy(params["logits"])) - TARGET
    return params["log_temperature"] * gap


def loss(params):
    return policy_loss(params) + temperature_loss(params)


def main():
    params = {"logits": jnp.zeros(4), "log_temperature": jnp.array(0.0)}
    optimizer = optax.adam(0.01)
    state = optimizer.init(params)

    @jax.jit
    def step(params, state):
        updates, state = optimizer.update(jax.grad(loss)(params), state)
        return optax.apply_updates(params, updates), state

    for _ in range(3000):
        params, state = step(params, state)
    print(f"entropy {float(entropy(params['logits'])):.1f}, target {TARGET}")
    print("temperature below one:", bool(params["log_temperature"] < 0.0))


if __name__ == "__main__":
    main()
