"""Learn the values of a random walk by temporal differences."""
import jax
import jax.numpy as jnp

STATES = 5


def value(weights, state):
    return jax.nn.one_hot(state, STATES) @ weights


def td_loss(weights, state, reward, following, done):
    target = reward + jnp.where(done, 0.0, value(weights, following))
    return 0.5 * (value(weights, state) - jax.lax.stop_gradient(target)) ** 2


@jax.jit
def update(weights, state, reward, following, done):
    return weights - 0.1 * jax.grad(td_loss)(weights, state, reward, following, done)


def walk(key, state):
    following = state + jnp.where(jax.random.bernoulli(key), 1, -1)
    done = (following < 0) | (following >= STATES)
    return following, (following >= STATES).astype(jnp.float32), done


if __name__ == "__main__":
    key = jax.random.key(0)
    weights = jnp.full(STATES, 0.5)
    state = jnp.array(2)
    for _ in range(60):
        key, key_walk = jax.random.split(key)
        following, reward, done = walk(key_walk, state)
        weights = update(weights, state, reward, jnp.clip(following, 0, STATES - 1), done)
        state = jnp.where(done, 2, following)
    print("values rise", bool(weights[-1] > weights[0]))
