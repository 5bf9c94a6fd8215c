import jax
import jax.numpy as jnp

from agent import init_state, learn
from config import CriticConfig
from env import sample_batch


@jax.jit
def distance(a, b):
    squares = jax.tree.map(lambda x, y: jnp.sum((x - y) ** 2), a, b)
    return jnp.sqrt(sum(jax.tree.leaves(squares)))


def main():
    config = CriticConfig(hidden=32, gamma=0.9, tau=0.005, learning_rate=3e-3)
    key_init, key_data = jax.random.split(jax.random.key(13))
    state = init_state(key_init, config)
    first = state.params
    for key_batch in jax.random.split(key_data, 60):
        state, loss = learn(state, sample_batch(key_batch, 64), config)
    print("loss is finite:", bool(jnp.isfinite(loss)))
    print("online moved", round(float(distance(state.params, first)), 3))
    print("target moved", round(float(distance(state.target, first)), 3))


if __name__ == "__main__":
    main()
