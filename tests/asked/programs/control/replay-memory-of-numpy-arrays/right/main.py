"""Learn to predict rewards from stored states."""
import jax
import jax.numpy as jnp
import numpy as np

from memory import ReplayMemory

memory = ReplayMemory(200, 3)


@jax.jit
def update(weights, states, rewards):
    error = states @ weights - rewards
    return weights - 0.1 * states.T @ error / states.shape[0]


def main():
    rng = np.random.default_rng(0)
    for _ in range(200):
        state = rng.normal(size=3).astype(np.float32)
        memory.add(state, state[0] - state[2])
    weights = jnp.zeros(3)
    for key in jax.random.split(jax.random.key(0), 60):
        weights = update(weights, *memory.sample(key, 16))
    print(np.round(np.asarray(weights), 1).tolist())


if __name__ == "__main__":
    main()
